#include "crafty_sim.h"

#include "atmosphere.h"
#include "block_sum.h"
#include "connection.h"
#include "container.h"
#include "creature/creatures.h"
#include "drops.h"
#include "furnace.h"
#include "growth.h"
#include "inventory.h"
#include "mod/mod_run.h"
#include "place.h"
#include "player_index.h"
#include "rules.h"
#include "support.h"
#include "systems.h"
#include "undo.h"
#include "villager.h"

#include "crafty/world/torches.h"

#define FAR_PLANE 1000.0f

#define GROWTH_PERIOD 16u /* ticks: chunks take turns */
#define GROWTH_HEIGHT 2u  /* chunks above and below players */

/* Water flows around players, and blocks near them get their scheduled and random ticks. */
static void run_blocks(CnSystemContext *context)
{
    uint32_t count;
    const CnVec3 *places = crafty_player_places(context, CRAFTY_LIST_BLOCKS, &count);
    CnWorld *world = context->world;
    crafty_growth_begin(world);
    cn_voxels_tick(cn_resource(world, CraftyBlocks)->voxels,
                   &(CnVoxelsTick){.tick = cn_resource(world, CnTickInfo)->tick,
                                   .players = places,
                                   .player_count = count,
                                   .random_period = GROWTH_PERIOD,
                                   .random_height = GROWTH_HEIGHT,
                                   .ticking = crafty_growth_ticking(world),
                                   .block_tick = crafty_growth_tick,
                                   .user = world});
    crafty_growth_weather(world, places, count);
}

/* ---- The start ---- */

static bool make_viewer(CnWorld *world, const CraftyStart *start, CnError *error)
{
    CnEntity camera = cn_object(world, "Camera");
    CnEntity sun = cn_object(world, "Sun");
    CraftyPlayerMode mode = crafty_start_mode(start);
    bool is_tour = start->viewer == CRAFTY_VIEWER_TOUR; /* commands move it like a player */
    if (!camera.id || !sun.id || !cn_add(world, camera, CnCamera) ||
        !(is_tour ? cn_set(world, camera, CnPlayerActions, {.player = CRAFTY_FIRST_PLAYER}) &&
                        cn_add(world, camera, CraftyPlace)
                  : crafty_player_make(world, camera, CRAFTY_FIRST_PLAYER, mode)) ||
        !cn_camera_set_perspective(world, camera, CRAFTY_FOV, CRAFTY_NEAR_PLANE, FAR_PLANE) ||
        !cn_set(
            world, sun, CnLight,
            {.kind = CN_LIGHT_DIRECTIONAL, .color = {1, 1, 1, 1}, .intensity = 4, .shadows = true}))
        return cn_error_memory(error, "the camera");
    CnTransform *transform = cn_get_mut(world, camera, CnTransform);
    transform->position = start->pose.position;
    transform->rotation = crafty_pose_rotation(&start->pose);
    cn_resource_mut(world, CraftyDay)->light = sun;
    return true;
}

/* The others have no camera: those of their clients follow them. */
static bool make_other_players(CnWorld *world, const CraftyStart *start, CnError *error)
{
    CraftyPlayerMode mode = crafty_start_mode(start);
    CN_ASSERT(start->players <= CRAFTY_MAX_PLAYERS, "at most %u players", CRAFTY_MAX_PLAYERS);
    for (uint32_t i = 1; i < start->players && i < CRAFTY_MAX_PLAYERS; i++) {
        char name[32];
        cn_format(name, sizeof name, "Player %u", CRAFTY_FIRST_PLAYER + i);
        CnEntity eye = cn_object(world, name);
        if (!eye.id || !crafty_player_make(world, eye, CRAFTY_FIRST_PLAYER + i, mode))
            return cn_error_memory(error, "a player");
        CnTransform *transform = cn_get_mut(world, eye, CnTransform);
        transform->position = start->pose.position;
        transform->rotation = crafty_pose_rotation(&start->pose);
    }
    return true;
}

static void set_rules(CnWorld *world, const CraftyStart *start)
{
    CraftyPlayerMode mode = crafty_start_mode(start);
    *cn_resource_mut(world, CraftyRules) =
        (CraftyRules){.mode = (uint8_t)mode,
                      .commands = start->commands || mode != CRAFTY_MODE_SURVIVAL,
                      .keep_inventory = start->keep_inventory,
                      .has_spawn = true,
                      .spawn = start->pose.position,
                      .spawn_yaw = start->pose.yaw};
}

static bool begin(CnWorld *world, const CraftySimDesc *desc, CnError *error)
{
    const CraftyStart *start = &desc->start;
    set_rules(world, start);
    crafty_day_set_hours(world, start->hours);
    if (start->has_weather)
        crafty_weather_hold(world, start->weather);
    if (start->viewer != CRAFTY_VIEWER_NONE && !make_viewer(world, start, error))
        return false;
    if (start->viewer >= CRAFTY_VIEWER_FLIES && !make_other_players(world, start, error))
        return false;
    if (start->torches)
        crafty_torches_place(desc->voxels, start->pose.position, start->torches);
    return crafty_place_update(world, error);
}

/* ---- The plugin ---- */

/* The state has no part of the creatures until there are some: a saved world decides itself. */
static bool add_creatures(CnWorld *world, const CraftySimDesc *desc, CnError *error)
{
    return !desc->creatures ||
           crafty_creatures_add(world,
                                &(CraftyCreaturesDesc){.kinds = desc->creatures,
                                                       .seed = desc->start.seed,
                                                       .difficulty = desc->start.difficulty},
                                error);
}

static bool build_parts(CnSim *sim, const CraftySimDesc *desc, CnError *error)
{
    CnWorld *world = cn_sim_world(sim);
    if (!crafty_player_add(world, desc->voxels, desc->items, error) ||
        !crafty_weather_set_kinds(world, desc->weather, error) ||
        !crafty_atmosphere_add(world, error) || !crafty_commands_add(world, error) ||
        !crafty_place_add(world, error) || !crafty_undo_add(world, error) ||
        !crafty_undo_save_with(sim, error))
        return false;
    cn_resource_mut(world, CraftyBlocks)->biomes = desc->biomes;
    cn_resource_mut(world, CraftyBlocks)->families = desc->families;
    cn_resource_mut(world, CraftyBlocks)->terrain = desc->terrain;
    cn_resource_mut(world, CraftyBlocks)->villages = desc->villages;
    cn_resource_mut(world, CraftyItemList)->recipes = desc->recipes;
    cn_resource_mut(world, CraftyItemList)->block_rules = desc->block_rules;
    cn_resource_mut(world, CraftyItemList)->trades = desc->trades;
    return begin(world, desc, error) && crafty_furnaces_add(world, error) &&
           crafty_inventory_add(world, error) &&
           (desc->start.freeze_blocks ||
            crafty_system_add(
                world,
                &(CnSystemDesc){.name = "CraftyBlocks",
                                .run = run_blocks,
                                .stage = CN_STAGE_POST_UPDATE,
                                .query = {.all = {cn_reads(CraftyPlayer), cn_reads(CnTransform)}},
                                .alone = true},
                error)) &&
           crafty_support_add(world, error) && crafty_growth_add(world, error) &&
           crafty_drops_watch(world, error) && crafty_block_sum_add(world, error) &&
           crafty_containers_add(world, error) && add_creatures(world, desc, error) &&
           (desc->start.freeze_blocks || crafty_villagers_add(world, error)) &&
           crafty_mods_add(sim, desc->mods, error);
}

/* The voxel world outlives the simulation. */
static void finish(CnSim *sim, void *user)
{
    (void)user;
    crafty_mods_remove(cn_sim_world(sim));
    crafty_villagers_remove(cn_sim_world(sim));
    crafty_creatures_remove(cn_sim_world(sim));
    crafty_containers_remove(cn_sim_world(sim));
    crafty_undo_remove(cn_sim_world(sim));
    crafty_growth_remove(cn_sim_world(sim));
}

static bool build(CnSim *sim, void *user, CnError *error)
{
    if (build_parts(sim, user, error))
        return true;
    finish(sim, user);
    return false;
}

bool crafty_sim_complete(CnWorld *world, CnError *error)
{
    return crafty_atmosphere_add(world, error) && crafty_commands_add(world, error) &&
           crafty_support_add(world, error) && crafty_growth_add(world, error) &&
           crafty_drops_watch(world, error) && crafty_block_sum_add(world, error) &&
           crafty_player_complete(world, error) && crafty_creatures_complete(world, error) &&
           crafty_villages_complete(world, error) && crafty_mods_complete(world, error);
}

CnPlugin crafty_sim_plugin(const CraftySimDesc *desc)
{
    return (CnPlugin){.name = "Crafty",
                      .version = 1,
                      .build = build,
                      .finish = finish,
                      .user = (void *)(uintptr_t)desc};
}
