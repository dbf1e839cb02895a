/*
 * Prints hashes of Crafty's simulation: a player who walks, jumps, breaks and places blocks,
 * through days and weathers of several biomes. tools/check-determinism builds it in every way and
 * compares what it prints.
 *
 *     crafty_program THREADS TICKS
 *
 * The first line names the SIMD path, the others must be the same everywhere.
 */
#include <crafty/sim/crafty_sim.h>
#include <crafty/sim/actions.h>
#include <crafty/sim/atmosphere.h>
#include <crafty/sim/connection.h>

#include <cairn/base/cpu.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void fail(const CnError *error)
{
    char text[512];
    printf("%s\n", cn_error_text(error, text, sizeof text));
    exit(1);
}

static CnEntity make_player(CnWorld *world, CnVoxels *voxels)
{
    CnEntity eye = cn_object(world, "Eye");
    if (!crafty_player_make(world, eye, CRAFTY_FIRST_PLAYER, CRAFTY_PLAYER_WALKS))
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

/* A hand that never rests. */
static void play(Hand *hand, CnWorld *world, uint64_t tick)
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
    cn_resource_mut(world, CraftyPlace)->biome = (uint8_t)(tick / 800 % CN_BIOME_COUNT);
    cn_resource_mut(world, CraftyDay)->speed = 40;
}

static void print_hash(const CnSim *sim, const CnWorld *world, CnEntity eye)
{
    CnVec3 at = cn_get(world, eye, CnTransform)->position;
    const CraftyWeather *weather = cn_resource(world, CraftyWeather);
    printf("tick %-6" PRIu64 " %016" PRIx64 "  at %a %a %a, weather %u\n", cn_sim_tick(sim),
           cn_sim_hash(sim), (double)at.x, (double)at.y, (double)at.z, weather->kind);
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
    CnGenerator *generator = cn_generator_create(&(CnGeneratorDesc){.seed = 42}, &error);
    CnVoxels *voxels =
        jobs && generator
            ? cn_voxels_create(&(CnVoxelsDesc){.generator = generator, .jobs = jobs}, &error)
            : NULL;
    CraftyItems *items = crafty_items_create(&(CraftyItemsDesc){0}, &error);
    if (!items || !crafty_items_add_blocks(items, &error))
        fail(&error);
    CnPlugin scene = cn_scene_plugin(),
             crafty = crafty_sim_plugin(
                 &(CraftySimDesc){.voxels = voxels, .items = items, .start = {.hours = 6}});
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
        play(&hand, world, tick);
        if (!cn_sim_tick_n(sim, 1, &error))
            fail(&error);
        if ((tick + 1) % 400 == 0)
            print_hash(sim, world, eye);
    }
    crafty_connection_destroy(hand.connection);
    cn_sim_destroy(sim);
    crafty_items_destroy(items);
    cn_voxels_destroy(voxels);
    cn_generator_destroy(generator);
    cn_job_pool_destroy(jobs);
    return 0;
}
