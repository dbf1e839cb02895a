#include "scene/component/animator.h"

#include <cairn/scene/presentation.h>
#include <cairn/scene/reflection.h>

/* Limits the time to the range below the wrap, whatever scripts and files have set. */
static float wrapped(float seconds)
{
    const float wrap = CN_ANIMATION_WRAP;
    if (seconds >= 0 && seconds < wrap)
        return seconds;
    if (!(seconds >= -wrap && seconds < 2 * wrap))
        return 0;
    seconds += seconds < 0 ? wrap : -wrap;
    return seconds < wrap ? seconds : 0; /* a tiny negative value rounds up to the wrap */
}

static void run_animators(CnSystemContext *context)
{
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);) {
        CnAnimator *animators = cn_column(&view, CnAnimator);
        for (uint32_t i = 0; i < view.count; i++)
            if (animators[i].playing)
                animators[i].seconds =
                    wrapped(animators[i].seconds + context->dt * animators[i].speed);
    }
}

static const CnReflectedField fields[] = {
    {.key = "clip",
     .field = "clip",
     .minimum = 0,
     .maximum = CN_ANIMATION_CLIPS - 1,
     .about = "index of the clip in the mesh, from 0"},
    {.key = "seconds",
     .field = "seconds",
     .minimum = 0,
     .maximum = CN_ANIMATION_WRAP,
     .unit = "s",
     .about = "position in the clip; the clip loops"},
    {.key = "speed",
     .field = "speed",
     .minimum = -1000,
     .maximum = 1000,
     .about = "1: normal speed; negative: backwards"},
    {.key = "playing", .field = "playing", .about = "whether the animation advances"},
};

static const CnReflectedType reflected = {.name = "AnimatorComponent",
                                          .type = &cn_type_CnAnimator,
                                          .fields = fields,
                                          .field_count = CN_COUNT_OF(fields),
                                          .about = "plays an animation clip of the object's mesh"};

bool cni_scene_animators_add(CnWorld *world, CnError *error)
{
    static const CnAnimator animator = {.speed = 1, .playing = true};
    const CnComponentDesc desc = {.type = &cn_type_CnAnimator, .default_value = &animator};
    if (!cn_component_register(world, &desc, error).id ||
        !cn_reflection_add(world, &reflected, error))
        return false;
    const CnSystemDesc system = {
        .name = "AdvanceAnimators",
        .run = run_animators,
        .stage = CN_STAGE_UPDATE,
        .set = CN_SCENE_UPDATE,
        .query = {.all = {cn_writes(CnAnimator)}, .none = {cn_tag(CnInactive)}}};
    return cn_system_find(world, system.name).id || cn_system_add(world, &system, error).id;
}

const char *cn_scene_update_set(const CnWorld *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    static const char *const systems[] = {"AdvanceAnimators", "FlyCameras", "PlayerControllers"};
    for (uint32_t i = 0; i < CN_COUNT_OF(systems); i++)
        if (cn_system_find(world, systems[i]).id)
            return CN_SCENE_UPDATE;
    return NULL;
}
