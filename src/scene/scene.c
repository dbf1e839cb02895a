/* CnScenes, the registry of scenes. */
#include "scene/scene_internal.h"

#include <string.h>

/* ---- The registry ---- */

static bool copy_plugins(CnScenes *scenes, const CnScenesDesc *desc)
{
    size_t bytes = desc->plugin_count * sizeof *desc->plugins;
    if (!bytes)
        return true;
    CnPlugin *plugins = cn_alloc(scenes->allocator, bytes);
    if (plugins)
        memcpy(plugins, desc->plugins, bytes);
    scenes->desc.plugins = plugins;
    return plugins != NULL;
}

CnScenes *cn_scenes_create(const CnScenesDesc *desc, CnError *error)
{
    CnScenesDesc options = desc ? *desc : (CnScenesDesc){0};
    CnAllocator *allocator = options.allocator ? options.allocator : cn_system_allocator();
    CnScenes *scenes = cn_alloc_zeroed(allocator, sizeof *scenes);
    if (scenes) {
        scenes->allocator = allocator;
        scenes->desc = options;
        cn_array_init(&scenes->scenes, allocator);
    }
    if (scenes && copy_plugins(scenes, &options))
        return scenes;
    cn_free(allocator, scenes, sizeof *scenes);
    cn_error_memory(error, "scenes");
    return NULL;
}

void cn_scenes_destroy(CnScenes *scenes)
{
    if (!scenes)
        return;
    CN_ASSERT(!scenes->running, "CnScenes cannot be destroyed from within a tick");
    while (scenes->scenes.count)
        cn_scene_destroy(scenes->scenes.items[scenes->scenes.count - 1]);
    cn_array_fini(&scenes->scenes);
    cn_free(scenes->allocator, (void *)(uintptr_t)scenes->desc.plugins,
            scenes->desc.plugin_count * sizeof *scenes->desc.plugins);
    cn_free(scenes->allocator, scenes, sizeof *scenes);
}

CnScene *cn_scenes_find(const CnScenes *scenes, const char *name)
{
    CN_ASSERT(scenes, "%s: scenes is NULL", __func__);
    CN_ASSERT(name, "cn_scenes_find: the name is NULL");
    if (!name)
        return NULL;
    for (uint32_t i = 0; i < scenes->scenes.count; i++)
        if (!strcmp(scenes->scenes.items[i]->name, name))
            return scenes->scenes.items[i];
    return NULL;
}

CnScene *cn_scenes_active(const CnScenes *scenes)
{
    CN_ASSERT(scenes, "%s: scenes is NULL", __func__);
    return scenes->active;
}

uint32_t cn_scenes_count(const CnScenes *scenes)
{
    CN_ASSERT(scenes, "%s: scenes is NULL", __func__);
    return scenes->scenes.count;
}

CnScene *cn_scenes_at(const CnScenes *scenes, uint32_t index)
{
    CN_ASSERT(scenes, "%s: scenes is NULL", __func__);
    return index < scenes->scenes.count ? scenes->scenes.items[index] : NULL;
}

/* ---- Creating and destroying ---- */

static bool check_name(const CnScenes *scenes, const char *name, CnError *error)
{
    CnText text = cn_text(name);
    if (!text.size || text.size >= CN_SCENE_NAME_BYTES || !cn_text_is_utf8(text))
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "a scene needs a name of 1 to %u bytes of UTF-8",
                            CN_SCENE_NAME_BYTES - 1);
    return !cn_scenes_find(scenes, name) ||
           cn_error_set(error, CN_ERROR_EXISTS, "a scene named %s already exists", name);
}

static uint64_t seed_of(const CnScene *scene, const CnSceneDesc *own)
{
    return own->has_seed
               ? own->seed
               : cn_hash_bytes(scene->name, strlen(scene->name), scene->scenes->desc.seed);
}

static bool build(CnScene *scene, const CnSceneDesc *own, CnError *error)
{
    const CnScenesDesc *desc = &scene->scenes->desc;
    CnPlugin core = cn_scene_plugin();
    scene->sim = cn_sim_create(&(CnSimDesc){.allocator = scene->scenes->allocator,
                                            .jobs = desc->jobs,
                                            .tick_hz = own->tick_hz ? own->tick_hz : desc->tick_hz,
                                            .max_catch_up_ticks = desc->max_catch_up_ticks,
                                            .seed = seed_of(scene, own),
                                            .core = &core,
                                            .core_count = 1},
                               error);
    if (!scene->sim)
        return false;
    CnWorld *world = cn_sim_world(scene->sim);
    if (!cn_register(world, CnSceneLink, .flags = CN_COMPONENT_TRANSIENT).id ||
        !cn_resource_set(world, CnSceneLink, {scene}))
        return cn_error_memory(error, "scene %s", scene->name);
    for (uint32_t i = 0; i < desc->plugin_count; i++)
        if (!cn_sim_add_plugin(scene->sim, &desc->plugins[i], error))
            return false;
    return !desc->prepare || desc->prepare(scene->sim, desc->user, error);
}

CnScene *cni_scene_create(CnScenes *scenes, const CnSceneDesc *desc, CnError *error)
{
    const char *name = desc->name;
    if (!check_name(scenes, name, error))
        return NULL;
    CnScene *scene = cn_alloc_zeroed(scenes->allocator, sizeof *scene);
    if (!scene) {
        cn_error_memory(error, "scene %s", name);
        return NULL;
    }
    scene->scenes = scenes;
    cn_copy_text(scene->name, sizeof scene->name, cn_text(name));
    if (build(scene, desc, error))
        return scene;
    cni_scene_free(scene);
    return NULL;
}

void cni_scene_free(CnScene *scene)
{
    cni_scene_source_free(scene->scenes->allocator, scene->source);
    cn_sim_destroy(scene->sim);
    if (scene->has_file)
        cn_scene_file_free(&scene->file);
    cn_free(scene->scenes->allocator, scene, sizeof *scene);
}

bool cni_scene_registry_add(CnScenes *scenes, CnScene *scene, CnError *error)
{
    if (!cn_array_push(&scenes->scenes, scene))
        return cn_error_memory(error, "scene %s", scene->name);
    if (!scenes->active)
        scenes->active = scene;
    return true;
}

CnScene *cn_scene_create(CnScenes *scenes, const CnSceneDesc *desc, CnError *error)
{
    CN_ASSERT(scenes && desc && desc->name, "cn_scene_create: the name is NULL");
    if (!desc || !desc->name) {
        cn_error_set(error, CN_ERROR_NOT_FOUND, "a scene needs a name");
        return NULL;
    }
    CnScene *scene = cni_scene_create(scenes, desc, error);
    if (!scene || cni_scene_registry_add(scenes, scene, error))
        return scene;
    cni_scene_free(scene);
    return NULL;
}

void cn_scene_destroy(CnScene *scene)
{
    if (!scene)
        return;
    CnScenes *scenes = scene->scenes;
    CN_ASSERT(cn_scenes_find(scenes, scene->name) == scene, "scene %s is destroyed twice",
              scene->name);
    CN_ASSERT(scenes->running != scene, "scene %s cannot destroy itself within a tick",
              scene->name);
    if (scenes->running == scene)
        return;
    uint32_t n = 0;
    for (uint32_t i = 0; i < scenes->scenes.count; i++)
        if (scenes->scenes.items[i] != scene)
            scenes->scenes.items[n++] = scenes->scenes.items[i];
    scenes->scenes.count = n;
    if (scenes->active == scene)
        scenes->active = NULL;
    if (scenes->next == scene)
        scenes->next = NULL;
    cni_scene_free(scene);
}

/* ---- Time ---- */

/* Sent by the owner's thread with the same producer as keys, so the order relative to keys that
 * were sent before leaving and after returning is kept. Events that find no room are counted and
 * logged. */
static void move_focus(const CnScene *from, const CnScene *to)
{
    if (from)
        cn_input_focus(cn_sim_input(from->sim), false);
    cn_input_focus(cn_sim_input(to->sim), true);
}

static void make_next_active(CnScenes *scenes)
{
    CnScene *from = scenes->active, *to = scenes->next;
    scenes->running = scenes->next = NULL;
    if (!to || to == from)
        return;
    scenes->active = to;
    move_focus(from, to);
}

bool cn_scenes_switch(CnScenes *scenes, const char *name, CnError *error)
{
    CN_ASSERT(scenes, "%s: scenes is NULL", __func__);
    CN_ASSERT(name, "cn_scenes_switch: the name is NULL");
    if (!name)
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "the name of the scene is missing");
    CnScene *scene = cn_scenes_find(scenes, name);
    if (!scene)
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "there is no scene named %s", name);
    scenes->next = scene;
    if (!scenes->running)
        make_next_active(scenes);
    else if (scene != scenes->running)
        cn_sim_stop(scenes->running->sim);
    return true;
}

static bool begin(CnScenes *scenes, CnError *error)
{
    CN_ASSERT(!scenes->running, "ticks cannot be run from within a tick");
    if (scenes->running)
        return cn_error_set(error, CN_ERROR_PERMISSION, "ticks cannot be run from within a tick");
    scenes->running = scenes->active;
    return true;
}

bool cn_scenes_frame(CnScenes *scenes, double real_seconds, CnError *error)
{
    CN_ASSERT(scenes, "%s: scenes is NULL", __func__);
    if (!begin(scenes, error))
        return false;
    bool done = !scenes->running || cn_sim_frame(scenes->running->sim, real_seconds, error);
    make_next_active(scenes);
    return done;
}

bool cn_scenes_tick_n(CnScenes *scenes, uint64_t count, CnError *error)
{
    CN_ASSERT(scenes, "%s: scenes is NULL", __func__);
    while (count) {
        if (!begin(scenes, error))
            return false;
        CnScene *scene = scenes->running;
        if (!scene)
            return true;
        uint64_t before = cn_sim_tick(scene->sim);
        bool done = cn_sim_tick_n(scene->sim, count, error);
        count -= cn_sim_tick(scene->sim) - before;
        make_next_active(scenes);
        if (!done)
            return false;
    }
    return true;
}

/* ---- One scene ---- */

const char *cn_scene_name(const CnScene *scene)
{
    CN_ASSERT(scene, "%s: scene is NULL", __func__);
    return scene->name;
}

CnSim *cn_scene_sim(const CnScene *scene)
{
    CN_ASSERT(scene, "%s: scene is NULL", __func__);
    return scene->sim;
}

CnWorld *cn_scene_world(const CnScene *scene)
{
    CN_ASSERT(scene, "%s: scene is NULL", __func__);
    return cn_sim_world(scene->sim);
}

CnScene *cn_scene_of(const CnWorld *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CnSceneLink *link = cn_resource(world, CnSceneLink);
    return link ? link->scene : NULL;
}

bool cn_scene_goto(CnWorld *world, const char *name, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CnSceneLink *link = cn_resource_mut(world, CnSceneLink);
    if (!link)
        return cn_error_set(error, CN_ERROR_NOT_FOUND,
                            "scene %s: this world does not belong to a CnScenes", name);
    return cn_scenes_switch(link->scene->scenes, name, error);
}
