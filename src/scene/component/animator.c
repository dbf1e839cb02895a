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

/* ---- Playing ---- */

/* The current clip becomes the one from which the pose blends. */
static void begin_blend(CnAnimator *animator, float seconds)
{
    bool blends = seconds > 0;
    animator->blend = animator->blend_left = !blends ? 0
                                             : seconds < CN_ANIMATION_MAX_BLEND
                                                 ? seconds
                                                 : CN_ANIMATION_MAX_BLEND;
    animator->from_clip = blends ? animator->clip : 0;
    animator->from_seconds = blends ? animator->seconds : 0;
    animator->from_speed = blends && animator->playing ? animator->speed : 0;
}

/* Just before the end, because a time at the end of a clip is its beginning. */
static float last_pose(const CnAnimator *animator)
{
    float last = animator->length - 1.0f / CN_ANIMATION_HZ;
    return animator->speed < 0 || last < 0 ? 0 : last;
}

bool cn_animator_play(CnWorld *world, CnEntity object, const CnAnimationPlay *play)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(play, "%s: play is NULL", __func__);
    bool is_new = cn_is_alive(world, object) && !cn_has(world, object, CnAnimator);
    if (is_new)
        cn_add(world, object, CnAnimator);
    CnAnimator *animator = cn_get_mut(world, object, CnAnimator);
    if (!animator)
        return false;
    if (animator->mode != CN_ANIMATION_RETURN) {
        animator->return_clip = animator->clip;
        animator->return_seconds = animator->seconds;
        animator->return_speed = animator->speed;
    }
    begin_blend(animator, is_new ? 0 : play->blend);
    animator->clip = play->clip;
    animator->mode = (uint8_t)play->mode;
    animator->length = play->length > 0 ? play->length : 0;
    animator->speed = play->speed != 0 ? play->speed : 1;
    animator->seconds = animator->speed < 0 ? animator->length : 0;
    animator->playing = true;
    animator->ended = false;
    return true;
}

static void end_clip(CnAnimator *animator, float blend)
{
    animator->ended = true;
    animator->ended_clip = animator->clip;
    animator->seconds = last_pose(animator);
    animator->playing = false;
    if (animator->mode != CN_ANIMATION_RETURN)
        return;
    begin_blend(animator, blend);
    animator->clip = animator->return_clip;
    animator->seconds = wrapped(animator->return_seconds);
    animator->speed = animator->return_speed;
    animator->mode = CN_ANIMATION_LOOP;
    animator->playing = true;
}

/* Sums of 32-bit floats reach the end a little too early or too late. */
#define END_TOLERANCE 0.01f /* ticks */

static bool is_at_end(const CnAnimator *animator, float dt)
{
    if (animator->mode == CN_ANIMATION_LOOP || !(animator->length > 0))
        return false;
    float step = dt * animator->speed, tolerance = step * END_TOLERANCE;
    return animator->speed < 0 ? animator->seconds + tolerance <= 0
                               : animator->seconds + tolerance >= animator->length;
}

static void advance(CnAnimator *animator, float dt)
{
    animator->ended = false;
    if (!animator->playing && !(animator->blend_left > 0))
        return;
    if (animator->blend_left > 0) {
        animator->from_seconds = wrapped(animator->from_seconds + dt * animator->from_speed);
        animator->blend_left = animator->blend_left > dt ? animator->blend_left - dt : 0;
    }
    if (!animator->playing)
        return;
    animator->seconds += dt * animator->speed;
    if (is_at_end(animator, dt))
        end_clip(animator, animator->blend);
    else
        animator->seconds = wrapped(animator->seconds);
}

static void run_animators(CnSystemContext *context)
{
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);) {
        CnAnimator *animators = cn_column(&view, CnAnimator);
        for (uint32_t i = 0; i < view.count; i++)
            advance(&animators[i], context->dt);
    }
}

static const char *const modes[] = {"Loop", "Once", "Return", NULL};

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
    {.key = "mode",
     .field = "mode",
     .kind = CN_REFLECTED_CHOICE,
     .choices = modes,
     .about = "what happens at the end: Loop; Once: stops; Return: plays the clip before again"},
    {.key = "length",
     .field = "length",
     .minimum = 0,
     .maximum = CN_ANIMATION_WRAP,
     .unit = "s",
     .about = "of the clip, unless it loops; 0: it loops"},
    {.key = "blend",
     .field = "blend",
     .minimum = 0,
     .maximum = (double)CN_ANIMATION_MAX_BLEND,
     .unit = "s",
     .about = "length of the transition from the clip before"},
    {.key = "blendLeft",
     .field = "blend_left",
     .minimum = 0,
     .maximum = (double)CN_ANIMATION_MAX_BLEND,
     .unit = "s",
     .about = "what is left of the transition"},
    {.key = "from.clip",
     .field = "from_clip",
     .minimum = 0,
     .maximum = CN_ANIMATION_CLIPS - 1,
     .about = "the clip before, during a transition"},
    {.key = "from.seconds",
     .field = "from_seconds",
     .minimum = 0,
     .maximum = CN_ANIMATION_WRAP,
     .unit = "s",
     .about = "position in the clip before"},
    {.key = "from.speed",
     .field = "from_speed",
     .minimum = -1000,
     .maximum = 1000,
     .about = "speed of the clip before"},
    {.key = "return.clip",
     .field = "return_clip",
     .minimum = 0,
     .maximum = CN_ANIMATION_CLIPS - 1,
     .about = "the clip with which Return continues"},
    {.key = "return.seconds",
     .field = "return_seconds",
     .minimum = 0,
     .maximum = CN_ANIMATION_WRAP,
     .unit = "s",
     .about = "position in that clip"},
    {.key = "return.speed",
     .field = "return_speed",
     .minimum = -1000,
     .maximum = 1000,
     .about = "speed of that clip"},
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
