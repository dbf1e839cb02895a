#include "respawn.h"

#include "bed.h"
#include "motion.h"
#include "rules.h"
#include "vitals.h"

#define MAX_LIFT 512u
#define LIFT_GAP 0.01f

/* Returns the position, or the first one above it where the player fits. */
static CnVec3 free_above(CnVoxels *voxels, CnVec3 eye)
{
    for (uint32_t i = 0; i < MAX_LIFT && cn_voxels_overlap(voxels, crafty_player_box(eye)); i++)
        eye.y = cn_floorf(eye.y - CRAFTY_PLAYER_EYE) + 1 + LIFT_GAP + CRAFTY_PLAYER_EYE;
    return eye;
}

/* Returns whether the player has a spawn point: one of a command, or a bed that still stands and
 * has room. */
static bool find_bed(CnWorld *world, CnEntity player, CraftyPose *pose)
{
    const CraftyVitals *vitals = cn_get(world, player, CraftyVitals);
    CnCell cell = {vitals->spawn[0], vitals->spawn[1], vitals->spawn[2]};
    if (!vitals->has_spawn)
        return false;
    if (vitals->spawns_here) {
        pose->position = free_above(
            cn_resource(world, CraftyBlocks)->voxels,
            cn_vec3((float)cell.x + 0.5f, (float)cell.y + CRAFTY_PLAYER_EYE, (float)cell.z + 0.5f));
        return true;
    }
    if (crafty_bed_find_room(world, cell, &pose->position))
        return true;
    crafty_player_event_send(world, &(CraftyPlayerEvent){.player = player,
                                                         .kind = CRAFTY_PLAYER_REFUSED,
                                                         .count = CRAFTY_REFUSAL_BED_MISSING});
    cn_get_mut(world, player, CraftyVitals)->has_spawn = false;
    return false;
}

bool crafty_player_respawn(CnWorld *world, CnEntity player)
{
    const CraftyRules *rules = cn_resource(world, CraftyRules);
    const CnTransform *transform = cn_get(world, player, CnTransform);
    CnVoxels *voxels = cn_resource(world, CraftyBlocks)->voxels;
    if (!crafty_player_is_dead(world, player) || !transform)
        return false;
    CraftyPose pose = {.position = transform->position};
    if (!find_bed(world, player, &pose)) {
        if (rules && rules->has_spawn)
            pose = (CraftyPose){.position = rules->spawn, .yaw = rules->spawn_yaw};
        pose.position = free_above(voxels, pose.position);
    }
    crafty_player_teleport(world, player, &pose);
    CraftyVitals *vitals = cn_get_mut(world, player, CraftyVitals);
    *vitals = (CraftyVitals){.health = CRAFTY_MAX_HEALTH,
                             .food = CRAFTY_MAX_FOOD,
                             .air = CRAFTY_MAX_AIR,
                             .has_spawn = vitals->has_spawn,
                             .spawns_here = vitals->spawns_here,
                             .spawn = {vitals->spawn[0], vitals->spawn[1], vitals->spawn[2]}};
    crafty_player_event_send(world, &(CraftyPlayerEvent){.player = player,
                                                         .kind = CRAFTY_PLAYER_RESPAWNED,
                                                         .position = pose.position});
    return true;
}
