/*
 * Prints hashes of Crafty's simulation: a player who walks, jumps, breaks and places blocks,
 * through days and weathers of several biomes. tools/check-determinism builds it in every way and
 * compares what it prints.
 *
 *     crafty_program THREADS TICKS
 *
 * The first line names the SIMD path, the others must be the same everywhere.
 */
#include "standard_blocks.h"

#include <crafty/sim/crafty_sim.h>
#include <crafty/sim/actions.h>
#include <crafty/sim/atmosphere.h>
#include <crafty/sim/connection.h>

#include <cairn/base/cpu.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define SEED 42u
#define JOURNEY_TICKS 800u

static void fail(const CnError *error)
{
    char text[512];
    printf("%s\n", cn_error_text(error, text, sizeof text));
    exit(1);
}

static CnEntity make_player(CnWorld *world, CnVoxels *voxels)
{
    CnEntity eye = cn_object(world, "Eye");
    if (!crafty_player_make(world, eye, CRAFTY_FIRST_PLAYER, CRAFTY_MODE_CREATIVE))
        return (CnEntity){0};
    CnTransform *transform = cn_get_mut(world, eye, CnTransform);
    transform->position = cn_vec3(0.5f, (float)cn_voxels_height(voxels, 0, 0) + 4, 0.5f);
    cn_get_mut(world, eye, CnPlayerController)->captured = true;
    return eye;
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

/* Goes to one biome after the other, and lets time pass faster. */
static void travel(Hand *hand, CnVoxels *voxels, CraftyBiomes biomes, uint64_t tick)
{
    int32_t x = 0, z = 0;
    if (tick == 0)
        command(hand, (CraftyCommand){.kind = CRAFTY_COMMAND_TIME_SPEED, .value = 40});
    if (tick % JOURNEY_TICKS != 0)
        return;
    find_biome(biomes, (CnBiome)(tick / JOURNEY_TICKS % CN_BIOME_COUNT), &x, &z);
    command(hand,
            (CraftyCommand){.kind = CRAFTY_COMMAND_MOVE,
                            .position = {(float)x + 0.5f, (float)cn_voxels_height(voxels, x, z) + 4,
                                         (float)z + 0.5f}});
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

static void print_hash(const CnSim *sim, const CnWorld *world, CnEntity eye)
{
    CnVec3 at = cn_get(world, eye, CnTransform)->position;
    const CraftyWeather *weather = cn_resource(world, CraftyWeather);
    printf("tick %-6" PRIu64 " %016" PRIx64 "  at %a %a %a, biome %u, weather %u\n",
           cn_sim_tick(sim), cn_sim_hash(sim), (double)at.x, (double)at.y, (double)at.z,
           weather->biome, weather->kind);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    uint32_t threads = (uint32_t)atoi(argv[1]);
    uint64_t ticks = (uint64_t)atoi(argv[2]);
    printf("%s\n", cn_simd_path_name(cn_simd_path()));
    CnError error = {0};
    CnJobPool *jobs = cn_job_pool_create(
        &(CnJobPoolDesc){.workers = threads > 1 ? threads - 1 : CN_JOBS_NONE}, NULL);
    CnGenerator *generator =
        cn_generator_create(&(CnGeneratorDesc){.blocks = standard_blocks(), .seed = SEED}, &error);
    CnVoxels *voxels =
        jobs && generator
            ? cn_voxels_create(&(CnVoxelsDesc){.generator = generator, .jobs = jobs}, &error)
            : NULL;
    CraftyItems *items =
        crafty_items_create(&(CraftyItemsDesc){.blocks = standard_blocks()}, &error);
    CraftyBiomes biomes;
    if (!items || !crafty_items_add_blocks(items, &error) ||
        !crafty_biomes_init(&biomes, cn_system_allocator(), standard_blocks(), SEED, &error))
        fail(&error);
    CnPlugin scene = cn_scene_plugin(),
             crafty = crafty_sim_plugin(&(CraftySimDesc){
                 .voxels = voxels, .items = items, .biomes = biomes, .start = {.hours = 6}});
    CnSim *sim =
        voxels
            ? cn_sim_create(&(CnSimDesc){.jobs = jobs, .seed = 20, .core = &scene, .core_count = 1},
                            &error)
            : NULL;
    if (!sim || !cn_sim_add_plugin(sim, &crafty, &error))
        fail(&error);
    CnWorld *world = cn_sim_world(sim);
    CnEntity eye = make_player(world, voxels);
    Hand hand = {.connection = crafty_connection_create(world, CRAFTY_FIRST_PLAYER, &error)};
    if (!hand.connection)
        fail(&error);
    for (uint64_t tick = 0; eye.id && tick < ticks; tick++) {
        travel(&hand, voxels, biomes, tick);
        play(&hand, tick);
        if (!cn_sim_tick_n(sim, 1, &error))
            fail(&error);
        if ((tick + 1) % 400 == 0)
            print_hash(sim, world, eye);
    }
    crafty_connection_destroy(hand.connection);
    cn_sim_destroy(sim);
    crafty_biomes_fini(&biomes);
    crafty_items_destroy(items);
    cn_voxels_destroy(voxels);
    cn_generator_destroy(generator);
    cn_job_pool_destroy(jobs);
    return 0;
}
