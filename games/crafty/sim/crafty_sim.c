#include "crafty_sim.h"

#include "atmosphere.h"
#include "systems.h"

#define MAX_PLAYERS 8u

/* Water flows around players, and blocks near them get their scheduled and random ticks. No block
 * uses these ticks yet. */
static void run_blocks(CnSystemContext *context)
{
    CnVec3 places[MAX_PLAYERS];
    uint32_t count = 0;
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(context->query); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count && count < MAX_PLAYERS; i++)
            places[count++] = cn_column_const(&view, CnTransform)[i].position;
    cn_voxels_tick(cn_resource(context->world, CraftyBlocks)->voxels,
                   &(CnVoxelsTick){.tick = cn_resource(context->world, CnTickInfo)->tick,
                                   .players = places,
                                   .player_count = count});
}

static bool build(CnSim *sim, void *user, CnError *error)
{
    const CraftySimDesc *desc = user;
    CnWorld *world = cn_sim_world(sim);
    if (!crafty_player_add(world, desc->voxels, error) || !crafty_atmosphere_add(world, error))
        return false;
    crafty_day_set_hours(world, desc->hours);
    if (desc->has_weather)
        crafty_weather_hold(world, desc->weather);
    return desc->freeze_blocks ||
           crafty_system_add(
               world,
               &(CnSystemDesc){.name = "CraftyBlocks",
                               .run = run_blocks,
                               .stage = CN_STAGE_POST_UPDATE,
                               .query = {.all = {cn_reads(CraftyPlayer), cn_reads(CnTransform)}},
                               .alone = true},
               error);
}

CnPlugin crafty_sim_plugin(const CraftySimDesc *desc)
{
    return (CnPlugin){
        .name = "Crafty", .version = 1, .build = build, .user = (void *)(uintptr_t)desc};
}
