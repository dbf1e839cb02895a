/* Which villager a player has in sight. */
#include "creature/creature_care.h"
#include "hand.h"
#include "motion.h"
#include "villager_internal.h"

#define WIDTH 0.6f /* of a villager */
#define HEIGHT 1.9f

/* Returns the nearest villager that a ray meets. */
static CnEntity nearest(const CraftyVillagerWork *work, CnVec3 eye, CnVec3 forward, float *distance)
{
    CnEntity found = {0};
    CnChunkView view;
    *distance = CRAFTY_STRIKE_REACH;
    for (CnQueryIter it = cn_query_iter(work->villagers); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++) {
            CnVec3 at = cn_column_const(&view, CnTransform)[i].position;
            CnVoxelBox box = {{at.x - WIDTH / 2, at.y, at.z - WIDTH / 2},
                              {at.x + WIDTH / 2, at.y + HEIGHT, at.z + WIDTH / 2}};
            float d = crafty_ray_enters(&box, eye, forward);
            if (d >= 0 && d < *distance) {
                *distance = d;
                found = view.entities[i];
            }
        }
    return found;
}

CnEntity crafty_villager_aimed(CnWorld *world, CnEntity player)
{
    const CraftyVillagerState *state = cn_resource(world, CraftyVillagerState);
    const CnTransform *transform = cn_get(world, player, CnTransform);
    CnVoxelHit block;
    float distance, other;
    if (!state || !state->work || !transform || !crafty_player_has_hands(world, player))
        return (CnEntity){0};
    CnVoxels *voxels = cn_resource(world, CraftyBlocks)->voxels;
    CnVec3 eye = crafty_player_eye(world, player);
    CnVec3 forward = cn_quat_rotate(transform->rotation, cn_vec3(0, 0, -1));
    CnEntity villager = nearest(state->work, eye, forward, &distance);
    bool is_hidden =
        villager.id &&
        (crafty_creature_aimed(world, eye, forward, distance, &other).id ||
         cn_voxels_raycast(voxels, eye, forward, distance, CN_VOXEL_RAY_SOLID, &block));
    return is_hidden ? (CnEntity){0} : villager;
}
