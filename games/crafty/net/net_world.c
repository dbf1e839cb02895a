#include "net_world.h"

bool crafty_net_world_init(CraftyNetWorld *world, CraftyNetClient *client, uint32_t workers,
                           CnError *error)
{
    const CraftyWelcome *welcome = crafty_net_client_welcome(client);
    const CraftyStart *start = crafty_net_client_start(client);
    CraftyWorldDesc desc = {.seed = start->seed,
                            .workers = workers,
                            .hooks = crafty_net_client_hooks(client),
                            .palettes = {welcome->blocks, welcome->items}};
    *world = (CraftyNetWorld){.world = crafty_world_create(&desc, error)};
    if (!world->world)
        return false;
    world->sim = (CraftySimDesc){.voxels = crafty_world_voxels(world->world),
                                 .items = crafty_world_items(world->world),
                                 .recipes = crafty_world_recipes(world->world),
                                 .block_rules = crafty_world_block_rules(world->world),
                                 .families = crafty_world_families(world->world),
                                 .creatures = crafty_world_creatures(world->world),
                                 .trades = crafty_world_trades(world->world),
                                 .weather = crafty_world_weather(world->world),
                                 .biomes = crafty_world_biomes(world->world),
                                 .terrain = crafty_world_terrain(world->world),
                                 .start = *start};
    return true;
}

#define RADIUS 2u /* chunks: that a player reaches and collides with, and some more */
#define BUDGET 2u /* jobs at the same time */

void crafty_net_world_prepare(CraftyNetWorld *world, CraftyNetClient *client)
{
    CraftyPrediction *prediction = crafty_net_client_prediction(client);
    if (!prediction)
        return;
    CnVec3 eye = cn_get(crafty_prediction_world(prediction), crafty_prediction_player(prediction),
                        CnTransform)
                     ->position;
    cn_voxels_prepare(
        crafty_world_voxels(world->world),
        &(CnVoxelsPrepare){
            .centers = &eye, .count = 1, .radius = RADIUS, .height = RADIUS, .budget = BUDGET});
}

void crafty_net_world_fini(CraftyNetWorld *world)
{
    crafty_world_destroy(world->world);
    *world = (CraftyNetWorld){0};
}
