/*
 * Prints hashes of Crafty's simulation: a player who walks, jumps, breaks and places blocks, is
 * hunted and hunts, in a village and through days and weathers of several biomes. Around it live
 * creatures of every kind, villagers and what grows. tools/check-determinism builds it in every way
 * and compares what it prints.
 *
 *     crafty_program THREADS TICKS
 *
 * The first line names the SIMD path, the others must be the same everywhere.
 */
#include "standard_blocks.h"

#include <crafty/sim/actions.h>
#include <crafty/sim/atmosphere.h>
#include <crafty/sim/connection.h>
#include <crafty/sim/creature/creatures.h>
#include <crafty/sim/crafty_sim.h>
#include <crafty/sim/villager.h>
#include <crafty/world/world.h>

#include <cairn/base/cpu.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEED 42u
#define JOURNEY_TICKS 800u
#define HERD_TICK 60u /* of each leg */

static void fail(const CnError *error)
{
    char text[512];
    printf("%s\n", cn_error_text(error, text, sizeof text));
    exit(1);
}

/* The devices of the player. */
typedef struct Hand {
    CraftyConnection *connection;
    CnInputDevices devices;
    CnActions actions;
} Hand;

static void send(Hand *hand)
{
    cn_actions_evaluate(crafty_actions(), &hand->devices.input, &hand->devices.gamepads, 0,
                        &hand->actions);
    crafty_connection_send_actions(hand->connection, &hand->actions);
    cn_input_devices_begin_tick(&hand->devices);
}

static void command(Hand *hand, CraftyCommand command)
{
    if (!crafty_connection_send_command(hand->connection, &command))
        exit(1);
}

/* Finds a column of the biome on squares around the origin; leaves (0, 0) if there is none near. */
static void find_biome(CraftyBiomes biomes, CnBiome wanted, int32_t *x, int32_t *z)
{
    const int32_t step = 64, rings = 100;
    for (int32_t ring = 0; ring < rings; ring++)
        for (int32_t i = -ring; i <= ring; i++)
            for (int32_t side = -1; side <= 1; side += 2) {
                int32_t along = i * step, across = side * ring * step;
                if (cn_generate_column(biomes.generator, biomes.scratch, along, across).biome !=
                    wanted)
                    continue;
                *x = along;
                *z = across;
                return;
            }
}

/* Some of every kind around the player: they flee, follow, hunt and look for paths. */
static void add_herd(CnWorld *world, CnVoxels *voxels, const CraftyCreatureKinds *kinds)
{
    CnVec3 at = cn_get(world, cn_camera_active(world), CnTransform)->position;
    uint32_t count = crafty_creature_kinds_count(kinds);
    for (uint32_t i = 0; i < 3 * count; i++) {
        float x = at.x + 3 * (float)(i % 7) - 9, z = at.z + 4 * (float)(i / 7) - 10;
        int32_t y = cn_voxels_height(voxels, (int32_t)cn_floorf(x), (int32_t)cn_floorf(z)) + 1;
        const CraftyCreatureKind *kind = crafty_creature_kind_at(kinds, i % count);
        if (strcmp(kind->name, CRAFTY_VILLAGER) != 0)
            crafty_creature_spawn(world, &(CraftyCreatureDesc){.kind = kind->name,
                                                               .position = {x, (float)y + 0.1f, z},
                                                               .is_young = i >= 2 * count,
                                                               .owner = i % 5 == 0});
    }
}

/* Goes to a village and to one biome after the other, alternately in creative mode and in survival,
 * and lets time pass faster. */
static void travel(Hand *hand, CraftyWorld *blocks, uint64_t tick)
{
    uint64_t leg = tick / JOURNEY_TICKS;
    CnVoxels *voxels = crafty_world_voxels(blocks);
    CnCell to = {0, 0, 0};
    if (tick % JOURNEY_TICKS != 0)
        return;
    if (leg == 0)
        cn_generate_find_village(crafty_world_generator(blocks), crafty_world_scratch(blocks), 0, 0,
                                 4000, &to);
    else
        find_biome(crafty_world_biomes(blocks), (CnBiome)((leg - 1) % CN_BIOME_COUNT), &to.x,
                   &to.z);
    command(hand, (CraftyCommand){.kind = CRAFTY_COMMAND_RESPAWN});
    command(hand, (CraftyCommand){.kind = CRAFTY_COMMAND_MODE,
                                  .choice = leg % 2 ? CRAFTY_MODE_SURVIVAL : CRAFTY_MODE_CREATIVE});
    command(hand, (CraftyCommand){.kind = CRAFTY_COMMAND_TIME_SPEED, .value = leg ? 40 : 4});
    command(hand, (CraftyCommand){.kind = CRAFTY_COMMAND_MOVE,
                                  .position = {(float)to.x + 0.5f,
                                               (float)cn_voxels_height(voxels, to.x, to.z) + 4,
                                               (float)to.z + 0.5f}});
}

/* A hand that never rests. */
static void play(Hand *hand, uint64_t tick)
{
    static const uint32_t keys[] = {CN_KEY_W, CN_KEY_A, CN_KEY_SPACE, CN_KEY_D};
    uint64_t part = tick / 20;
    const CnInputEvent events[] = {
        {.kind = CN_INPUT_KEY, .code = keys[part % 4], .pressed = tick % 20 < 15},
        {.kind = CN_INPUT_MOUSE_BUTTON, .code = CN_MOUSE_LEFT, .pressed = part % 3 == 0},
        {.kind = CN_INPUT_MOUSE_BUTTON, .code = CN_MOUSE_RIGHT, .pressed = part % 7 == 0},
        {.kind = CN_INPUT_MOUSE_MOVE,
         .dx = tick % 5 == 0 ? 3.0f : 0,
         .dy = tick % 11 == 0 ? 2.0f : -0.2f},
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(events); i++)
        cn_input_devices_apply(&hand->devices, &events[i]);
    send(hand);
}

static void print_hash(const CnSim *sim, CnVoxels *voxels)
{
    CnWorld *world = cn_sim_world(sim);
    CnVec3 at = cn_get(world, cn_camera_active(world), CnTransform)->position;
    const CraftyWeather *weather = cn_resource(world, CraftyWeather);
    printf("tick %-6" PRIu64 " %016" PRIx64 " %016" PRIx64
           "  at %a %a %a, biome %u, weather %u, %u creatures, %u villagers\n",
           cn_sim_tick(sim), cn_sim_hash(sim), cn_voxels_hash(voxels), (double)at.x, (double)at.y,
           (double)at.z, weather->biome, weather->kind, crafty_creature_count(world, 0),
           crafty_villager_count(world));
}

static void play_all(CnSim *sim, CraftyWorld *blocks, uint64_t ticks)
{
    CnError error = {0};
    CnWorld *world = cn_sim_world(sim);
    Hand hand = {.connection = crafty_connection_create(world, CRAFTY_FIRST_PLAYER, &error)};
    if (!hand.connection)
        fail(&error);
    for (uint64_t tick = 0; tick < ticks; tick++) {
        travel(&hand, blocks, tick);
        if (tick % JOURNEY_TICKS == HERD_TICK)
            add_herd(world, crafty_world_voxels(blocks), crafty_world_creatures(blocks));
        if (tick == 0)
            command(&hand, (CraftyCommand){.kind = CRAFTY_COMMAND_CAPTURE, .choice = 1});
        play(&hand, tick);
        if (!cn_sim_tick_n(sim, 1, &error))
            fail(&error);
        if ((tick + 1) % 400 == 0)
            print_hash(sim, crafty_world_voxels(blocks));
    }
    crafty_connection_destroy(hand.connection);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    uint32_t threads = (uint32_t)atoi(argv[1]);
    uint32_t workers = threads > 1 ? threads - 1 : CN_JOBS_NONE;
    CnError error = {0};
    printf("%s\n", cn_simd_path_name(cn_simd_path()));
    CraftyWorld *blocks = crafty_world_create(
        &(CraftyWorldDesc){.blocks = standard_blocks(), .seed = SEED, .workers = workers}, &error);
    CnJobPool *jobs = cn_job_pool_create(&(CnJobPoolDesc){.workers = workers}, &error);
    if (!blocks || !jobs)
        fail(&error);
    CraftySimDesc desc = {.voxels = crafty_world_voxels(blocks),
                          .items = crafty_world_items(blocks),
                          .recipes = crafty_world_recipes(blocks),
                          .block_rules = crafty_world_block_rules(blocks),
                          .families = crafty_world_families(blocks),
                          .creatures = crafty_world_creatures(blocks),
                          .biomes = crafty_world_biomes(blocks),
                          .terrain = crafty_world_terrain(blocks),
                          .villages = crafty_world_villages(blocks),
                          .start = {.seed = SEED,
                                    .viewer = CRAFTY_VIEWER_WALKS,
                                    .mode = CRAFTY_MODE_CREATIVE,
                                    .commands = true,
                                    .difficulty = CRAFTY_NORMAL,
                                    .hours = 6,
                                    .pose = {.position = {0.5f, 80, 0.5f}}}};
    CnPlugin scene = cn_scene_plugin(), crafty = crafty_sim_plugin(&desc);
    CnSim *sim = cn_sim_create(
        &(CnSimDesc){.jobs = jobs, .seed = 20, .core = &scene, .core_count = 1}, &error);
    if (!sim || !cn_sim_add_plugin(sim, &crafty, &error))
        fail(&error);
    play_all(sim, blocks, (uint64_t)atoi(argv[2]));
    cn_sim_destroy(sim);
    cn_job_pool_destroy(jobs);
    crafty_world_destroy(blocks);
    return 0;
}
