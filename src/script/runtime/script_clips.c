#include "script/runtime/script_clips.h"
#include "script/runtime/runtime.h"

#include <cairn/scene/presentation.h>
#include <string.h>

void cni_script_models_init(CniScriptModels *models, CnAllocator *allocator)
{
    cn_array_init(&models->clips, allocator);
    cn_hash_map_init_keyed(&models->by_path, allocator, sizeof(uint32_t));
}

static void clear(CniScriptModels *models)
{
    for (uint32_t i = 0; i < models->clips.count; i++)
        cn_animation_clips_free(&models->clips.items[i]);
    cn_array_clear(&models->clips);
}

void cni_script_models_fini(CniScriptModels *models)
{
    clear(models);
    cn_array_fini(&models->clips);
    cn_hash_map_fini(&models->by_path);
}

/* Starts anew when there are too many, so that paths from scripts do not fill the memory. */
static void make_room(CniScriptModels *models)
{
    if (models->clips.count < CNI_SCRIPT_MAX_MODELS)
        return;
    CnAllocator *allocator = models->clips.allocator;
    clear(models);
    cn_hash_map_fini(&models->by_path);
    cn_hash_map_init_keyed(&models->by_path, allocator, sizeof(uint32_t));
}

const CnAnimationClips *cni_script_model_clips(CniScriptRuntime *runtime, const char *path,
                                               CnError *error)
{
    CniScriptModels *models = &runtime->models;
    uint64_t key = cn_hash_keyed(path, strlen(path), 0);
    const uint32_t *known = cn_hash_map_get(&models->by_path, key);
    if (known)
        return &models->clips.items[*known];
    CnAnimationClips clips;
    if (!cn_animation_clips_read(runtime->shared.desc->files, path, runtime->shared.allocator,
                                 &clips, error))
        return NULL;
    make_room(models);
    uint32_t index = models->clips.count;
    if (cn_array_push(&models->clips, clips) && cn_hash_map_set(&models->by_path, key, &index))
        return &models->clips.items[index];
    if (models->clips.count > index)
        models->clips.count--;
    cn_animation_clips_free(&clips);
    cn_error_memory(error, "the clips of a model");
    return NULL;
}

/* Callbacks may change the world, so the component is read again for each script. */
void cni_script_animations_notify(CniScriptRuntime *runtime)
{
    const CnWorld *world = runtime->shared.world;
    if (!cn_component_of(world, &cn_type_CnAnimator).id)
        return;
    for (uint32_t i = 0; i < runtime->instances.count; i++) {
        CniScriptInstance *instance = runtime->instances.items[i];
        if (!cni_script_instance_has(instance, CNI_SCRIPT_ON_ANIMATIONEND) ||
            !cni_script_instance_is_active(runtime, instance))
            continue;
        const CnAnimator *animator = cn_get(world, instance->object, CnAnimator);
        if (animator && animator->ended)
            cni_script_instance_animation_end(runtime, instance, animator->ended_clip);
    }
}
