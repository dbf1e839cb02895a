/* Villagers that stand look at a player beside them. */
#include "creature/creature.h"
#include "villager_internal.h"

#include <cairn/base/math.h>

#define LOOK_REACH 6.0f  /* blocks */
#define EYES 1.62f       /* blocks above the feet */
#define HEAD_TURN 240.0f /* degrees per second */
#define MOST_YAW 80.0f
#define MOST_PITCH 45.0f

static float clamped(float value, float most)
{
    return value > most ? most : value < -most ? -most : value;
}

/* Returns the way to the eye of the nearest player; false: nobody is near. */
static bool find_player(CnVec3 eye, const CnVec3 *players, uint32_t count, CnVec3 *way)
{
    float nearest = LOOK_REACH * LOOK_REACH;
    bool is_found = false;
    for (uint32_t i = 0; i < count; i++) {
        CnVec3 to = cn_vec3_sub(players[i], eye);
        float distance = cn_vec3_dot(to, to);
        if (!(distance < nearest))
            continue;
        nearest = distance;
        *way = to;
        is_found = true;
    }
    return is_found;
}

void crafty_villager_look(const CraftyVillagerTick *tick, const CnVec3 *players, uint32_t count)
{
    CraftyCreature *creature = cn_get_mut(tick->world, tick->entity, CraftyCreature);
    const CnTransform *transform = cn_get(tick->world, tick->entity, CnTransform);
    CnVec3 way;
    float yaw = 0, pitch = 0;
    if (!creature || !transform)
        return;
    CnVec3 eye = {transform->position.x, transform->position.y + EYES, transform->position.z};
    if (!tick->villager->walks && creature->health > 0 &&
        tick->villager->activity != CRAFTY_VILLAGER_SLEEPS &&
        find_player(eye, players, count, &way)) {
        CnVec3 ahead = cn_quat_rotate(transform->rotation, cn_vec3(0, 0, -1));
        float body = cn_atan2f(-ahead.x, -ahead.z), aim = cn_atan2f(-way.x, -way.z);
        float flat = cn_sqrtf(way.x * way.x + way.z * way.z);
        yaw = (aim - body) * (180 / CN_PIF);
        yaw = clamped(yaw - 360 * cn_roundf(yaw / 360), MOST_YAW);
        pitch = clamped(cn_atan2f(way.y, flat > 0.01f ? flat : 0.01f) * (180 / CN_PIF), MOST_PITCH);
    }
    float step = HEAD_TURN * tick->dt;
    creature->head_yaw += clamped(yaw - creature->head_yaw, step);
    creature->head_pitch += clamped(pitch - creature->head_pitch, step);
}
