#include "creature_motion.h"

#include <cairn/base/math.h>

#include <string.h>

#define EASE_SECONDS 0.11f
#define BEGUN 0.02f /* weight from which an animation runs */
#define FALL_SPEED -1.5f
#define TILT_TICKS 18.0f /* until a dead creature lies on its side */
#define FADE_TICKS 24.0f /* when it begins to fade */
#define FLASH 0.85f
#define FUSE_FLASH 0.75f
#define WRAP 1000.0f /* of clocks: keeps them precise; rates are multiples of 1/1000 */

void crafty_creature_motion_begin(CraftyCreatureMotion *motion, uint32_t seed)
{
    memset(motion, 0, sizeof *motion);
    /* Creatures of a group do not move in step. */
    float offset = (float)(seed * 2654435761u >> 20) / 100;
    motion->clocks[CRAFTY_ANIMATION_ALWAYS] = offset;
    motion->clocks[CRAFTY_ANIMATION_STAND] = offset;
    motion->clocks[CRAFTY_ANIMATION_WALK] = offset;
    motion->weights[CRAFTY_ANIMATION_ALWAYS] = 1;
}

static bool has_steps(CraftyCreatureState state)
{
    return state != CRAFTY_CREATURE_SIT && state != CRAFTY_CREATURE_HANG &&
           state != CRAFTY_CREATURE_DIE;
}

/* The weights that the animations approach. */
static void find_targets(const CraftyCreatureInput *input, float dt,
                         float targets[CRAFTY_ANIMATION_COUNT])
{
    static const int8_t animations[CRAFTY_CREATURE_STATE_COUNT] = {
        [CRAFTY_CREATURE_EAT] = CRAFTY_ANIMATION_EAT,
        [CRAFTY_CREATURE_DIE] = CRAFTY_ANIMATION_DIE,
        [CRAFTY_CREATURE_FLY] = CRAFTY_ANIMATION_FLY,
        [CRAFTY_CREATURE_SWIM] = CRAFTY_ANIMATION_SWIM,
        [CRAFTY_CREATURE_SIT] = CRAFTY_ANIMATION_SIT,
        [CRAFTY_CREATURE_HANG] = CRAFTY_ANIMATION_HANG,
        [CRAFTY_CREATURE_FUSE] = CRAFTY_ANIMATION_FUSE,
        [CRAFTY_CREATURE_ATTACK] = CRAFTY_ANIMATION_ATTACK};
    const CraftyCreature *creature = input->creature;
    CraftyCreatureState state = creature->state < CRAFTY_CREATURE_STATE_COUNT
                                    ? (CraftyCreatureState)creature->state
                                    : CRAFTY_CREATURE_IDLE;
    float stride = dt > 0 ? input->way / dt / input->stride : 0;
    targets[CRAFTY_ANIMATION_ALWAYS] = 1;
    targets[CRAFTY_ANIMATION_WALK] = !has_steps(state) ? 0 : stride < 1 ? stride : 1;
    if (animations[state])
        targets[animations[state]] = 1;
    if (input->body && input->body->swims && state != CRAFTY_CREATURE_DIE)
        targets[CRAFTY_ANIMATION_SWIM] = 1;
    if (input->body && !input->body->grounded && !input->body->swims &&
        input->body->velocity.y < FALL_SPEED)
        targets[CRAFTY_ANIMATION_FLY] = 1;
    if (creature->hurt_ticks > 0)
        targets[CRAFTY_ANIMATION_HURT] = 1;
    bool stands = has_steps(state) && targets[CRAFTY_ANIMATION_FLY] == 0 &&
                  targets[CRAFTY_ANIMATION_SWIM] == 0;
    targets[CRAFTY_ANIMATION_STAND] = stands ? 1 - targets[CRAFTY_ANIMATION_WALK] : 0;
}

void crafty_creature_motion_tick(CraftyCreatureMotion *motion, const CraftyCreatureInput *input,
                                 float dt)
{
    float targets[CRAFTY_ANIMATION_COUNT] = {0};
    find_targets(input, dt, targets);
    float left = cn_expf(-dt / EASE_SECONDS);
    for (uint32_t i = 0; i < CRAFTY_ANIMATION_COUNT; i++) {
        bool is_endless = i == CRAFTY_ANIMATION_ALWAYS || i == CRAFTY_ANIMATION_STAND ||
                          i == CRAFTY_ANIMATION_WALK;
        if (!is_endless && targets[i] > 0 && motion->weights[i] < BEGUN)
            motion->clocks[i] = 0;
        motion->weights[i] = targets[i] + (motion->weights[i] - targets[i]) * left;
        motion->clocks[i] += i == CRAFTY_ANIMATION_WALK ? input->way : dt;
        if (motion->clocks[i] > 2 * WRAP)
            motion->clocks[i] -= WRAP;
    }
}

void crafty_creature_motion_pose(const CraftyCreatureMotion *before,
                                 const CraftyCreatureMotion *now, float alpha,
                                 CraftyCreaturePose *pose)
{
    for (uint32_t i = 0; i < CRAFTY_ANIMATION_COUNT; i++) {
        float way = now->clocks[i] - before->clocks[i];
        /* A clock that started again or wrapped is not interpolated. */
        pose->clocks[i] = way >= 0 && way < 1 ? before->clocks[i] + way * alpha : now->clocks[i];
        pose->weights[i] = before->weights[i] + (now->weights[i] - before->weights[i]) * alpha;
    }
}

static float smooth(float at)
{
    float part = at < 0 ? 0 : at > 1 ? 1 : at;
    return part * part * (3 - 2 * part);
}

void crafty_creature_damage_pose(const CraftyCreature *creature, float ticks, bool is_still,
                                 CraftyCreaturePose *pose)
{
    if (creature->state == CRAFTY_CREATURE_DIE) {
        float age = (float)creature->state_ticks + ticks;
        pose->roll = 88 * smooth(age / TILT_TICKS);
        pose->fade = smooth((age - FADE_TICKS) / ((float)CRAFTY_DEATH_TICKS - FADE_TICKS));
        pose->flash = 0.5f * FLASH;
    } else if (creature->hurt_ticks > 0) {
        float left = ((float)creature->hurt_ticks - ticks) / (float)CRAFTY_HURT_TICKS;
        pose->flash = FLASH * (left < 0 ? 0 : left > 1 ? 1 : left);
    }
    if (creature->fuse > 0) {
        /* Blinks faster and faster. */
        float age = ((float)creature->fuse + ticks) / 60;
        float wave = cn_sinf(2 * CN_PIF * age * (1.2f + 1.3f * age));
        pose->white = is_still ? 0.3f * FUSE_FLASH : FUSE_FLASH * (wave > 0 ? wave : 0);
    }
}
