#include "camera_motion.h"

#include <cairn/base/math.h>

#define TELEPORT 4.0f     /* blocks in a frame */
#define CLIMB_SPEED 11.0f /* blocks per second: faster than any jump, so it is a step */
#define TALLEST_STEP 1.3f
#define STEP_SECONDS 0.035f /* time constant: 95 % of a step in 0.1 s */
#define SNEAK_SECONDS 0.04f
#define BOB_SECONDS 0.08f
#define KICK_SECONDS 0.07f
#define RADIANS_PER_BLOCK 2.1f /* of the bob: one to each side in three blocks */
#define BOB_SIDE 0.032f        /* blocks */
#define BOB_UP 0.045f
#define FULL_BOB_SPEED 4.0f /* blocks per second */
#define FOV_KICK 0.08f
#define ROLL_DEGREES 6.0f
#define ROLL_SECONDS 0.45f
#define MAX_PITCH 89.0f
#define MAX_RATE 6.0f /* degrees per tick */

/* Moves towards `to`; the same in one long step as in several short ones. */
static float eased(float from, float to, float seconds, float constant)
{
    return to + (from - to) * cn_expf(-seconds / constant);
}

static float clamped(float value, float low, float high)
{
    return value < low ? low : value > high ? high : value;
}

/* ---- Eye ---- */

/* A step raises the body within a tick; the eye stays and follows. */
static void glide(CraftyCameraMotion *motion, float rise, bool grounded, float seconds)
{
    if (grounded && rise > CLIMB_SPEED * seconds && rise < TALLEST_STEP)
        motion->step = clamped(motion->step + rise, 0, TALLEST_STEP);
    motion->step = eased(motion->step, 0, seconds, STEP_SECONDS);
}

static void walk(CraftyCameraMotion *motion, const CraftyEye *eye, CnVec3 moved, float seconds)
{
    float way = cn_sqrtf(moved.x * moved.x + moved.z * moved.z);
    float speed = seconds > 0 ? way / seconds : 0;
    float wanted = eye->grounded ? clamped(speed / FULL_BOB_SPEED, 0, 1) : 0;
    if (eye->sneaks)
        wanted *= 0.5f;
    motion->bob = eased(motion->bob, wanted, seconds, BOB_SECONDS);
    if (eye->grounded)
        motion->walked += way;
    float turn = 2 * CN_PIF / RADIANS_PER_BLOCK;
    motion->walked -= turn * cn_floorf(motion->walked / turn); /* keeps precision */
}

static CnVec2 bob_of(const CraftyCameraMotion *motion)
{
    float phase = motion->walked * RADIANS_PER_BLOCK;
    float side = cn_sinf(phase), up = cn_cosf(phase);
    return (CnVec2){side * BOB_SIDE * motion->bob, (up * up - 1) * BOB_UP * motion->bob};
}

/* Degrees: fast to the side, then slowly back. */
static float roll_of(CraftyCameraMotion *motion, const CraftyEye *eye, float seconds)
{
    if (eye->is_hurt) {
        motion->hurt = 0;
        motion->is_rolled = true;
    } else {
        motion->hurt += seconds;
    }
    float part = motion->hurt / ROLL_SECONDS;
    if (!motion->is_rolled || part >= 1) {
        motion->is_rolled = false;
        return 0;
    }
    return ROLL_DEGREES * cn_sinf(CN_PIF * cn_sqrtf(part)) * (1 - part);
}

CraftyCamera crafty_camera_motion_frame(CraftyCameraMotion *motion, const CraftyEye *eye,
                                        const CraftyViewOptions *options, float seconds)
{
    seconds = seconds > 0 ? seconds : 0; /* also for NaN */
    CnVec3 moved = cn_vec3_sub(eye->position, motion->last);
    if (!motion->has_last || !(cn_vec3_length(moved) < TELEPORT)) {
        *motion = (CraftyCameraMotion){.has_last = true, .sneak = eye->sneaks ? 1.0f : 0.0f};
        moved = cn_vec3(0, 0, 0);
    }
    motion->last = eye->position;
    glide(motion, moved.y, eye->grounded, seconds);
    walk(motion, eye, moved, seconds);
    motion->sneak = eased(motion->sneak, eye->sneaks ? 1 : 0, seconds, SNEAK_SECONDS);
    motion->kick = eased(motion->kick, eye->sprints ? 1 : 0, seconds, KICK_SECONDS);
    float roll = roll_of(motion, eye, seconds);
    bool is_calm = options->reduces_motion;
    CnVec2 bob = options->bobs && !is_calm ? bob_of(motion) : (CnVec2){0, 0};
    CnQuat tilt = cn_quat_from_euler(cn_vec3(0, 0, is_calm ? 0 : roll));
    CnVec3 offset = cn_quat_rotate(eye->rotation, cn_vec3(bob.x, 0, 0));
    offset.y += bob.y - motion->step - CRAFTY_SNEAK_DROP * motion->sneak;
    return (CraftyCamera){.position = cn_vec3_add(eye->position, offset),
                          .rotation = roll != 0 ? cn_quat_mul(eye->rotation, tilt) : eye->rotation,
                          .fov_factor =
                              1 + (options->kicks_fov && !is_calm ? FOV_KICK * motion->kick : 0),
                          .bob = bob};
}

/* ---- Look ---- */

void crafty_look_add(CraftyLook *look, float right, float up)
{
    if (right - right == 0 && up - up == 0) { /* finite */
        look->sent.x += right;
        look->sent.y += up;
    }
}

/* From -180 to 180. */
static float turn_between(float from, float to)
{
    float turn = to - from;
    return turn - 360 * cn_roundf(turn / 360);
}

CnQuat crafty_look_frame(CraftyLook *look, CnQuat rotation, uint32_t ticks, float alpha,
                         bool is_steady)
{
    CnVec3 angles = cn_quat_to_euler(rotation);
    if (!look->has_last)
        *look = (CraftyLook){.yaw = angles.y, .pitch = angles.x, .has_last = true};
    if (ticks) {
        /* What the mouse did not do, per tick. */
        float yaw = turn_between(look->yaw, angles.y) + look->sent.x;
        float pitch = angles.x - look->pitch - look->sent.y;
        look->yaw_rate = is_steady ? clamped(yaw / (float)ticks, -MAX_RATE, MAX_RATE) : 0;
        look->pitch_rate = is_steady ? clamped(pitch / (float)ticks, -MAX_RATE, MAX_RATE) : 0;
        look->yaw = angles.y;
        look->pitch = angles.x;
        look->sent = (CnVec2){0, 0};
    }
    float yaw = look->yaw + look->yaw_rate * alpha - look->sent.x;
    float pitch = look->pitch + look->pitch_rate * alpha + look->sent.y;
    return cn_quat_from_euler(cn_vec3(clamped(pitch, -MAX_PITCH, MAX_PITCH), yaw, 0));
}
