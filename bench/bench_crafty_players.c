/*
 * The cost of players of Crafty: ticks of 1 to 1,000 players who walk, look, break and place with
 * random actions, spread out (one in each column of chunks) and all in one chunk. The terrain is
 * loaded before. Times are those of the processor in the thread of the ticks.
 *
 *     bench_crafty_players --players 200 --crowd
 */
#include "machine.h"
#include "measure.h"
#include "options.h"

#include <crafty/replay/session.h>
#include <crafty/sim/actions.h>
#include <crafty/sim/connection.h>
#include <crafty/sim/join.h>
#include <crafty/sim/player_index.h>

#include <cairn/sim/random.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

#define MAX_PLAYERS 2048u
#define WARM_TICKS 120u
#define SPACING 16

typedef struct Run {
    CraftySession *session;
    CnSim *sim;
    CnWorld *world;
    CraftyConnection *host, *connections[MAX_PLAYERS];
    CnActions actions[MAX_PLAYERS];
    CnRandom random;
    uint32_t players;
} Run;

static void stop(const char *text)
{
    fprintf(stderr, "bench_crafty_players: %s\n", text);
    exit(1);
}

/* Of the thread of the ticks: other programs do not count. */
static uint64_t processor_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void tick(Run *run)
{
    CnError error = {0};
    if (!cn_sim_tick_n(run->sim, 1, &error))
        stop(error.message);
}

static void join_all(Run *run)
{
    for (uint32_t i = 0; i < run->players; i++) {
        CraftyHostCommand join = {.kind = CRAFTY_HOST_JOIN, .role = CRAFTY_ROLE_PLAYER};
        memcpy(join.account.key, &(uint32_t){i + 1}, sizeof(uint32_t));
        if (!crafty_connection_send_host(run->host, &join))
            stop("the console is full");
    }
    tick(run);
    for (uint32_t i = 0; i < run->players; i++) {
        run->connections[i] = crafty_connection_create(run->world, i + 1, NULL);
        if (!run->connections[i])
            stop("out of memory");
        crafty_connection_send_command(
            run->connections[i], &(CraftyCommand){.kind = CRAFTY_COMMAND_CAPTURE, .choice = 1});
    }
    tick(run);
}

/* On the ground. */
static void place_all(Run *run, bool is_crowd)
{
    CnVoxels *voxels = crafty_world_voxels(crafty_session_world(run->session));
    int32_t side = 1;
    while ((uint32_t)(side * side) < run->players)
        side++;
    for (uint32_t i = 0; i < run->players; i++) {
        int32_t x = (int32_t)i % side, z = (int32_t)i / side;
        float at_x = is_crowd ? cn_random_f32_range(&run->random, 0, 16) : (float)(x * SPACING) + 8,
              at_z = is_crowd ? cn_random_f32_range(&run->random, 0, 16) : (float)(z * SPACING) + 8;
        float y = (float)cn_voxels_height(voxels, (int32_t)at_x, (int32_t)at_z) + 1.01f;
        crafty_player_move_to(run->world, crafty_player_by_number(run->world, i + 1),
                              cn_vec3(at_x, y, at_z));
    }
}

static void press(CnActions *actions, const char *name, bool held)
{
    uint64_t bit = UINT64_C(1) << (cn_action_find(crafty_actions(), name).number - 1);
    actions->pressed = held && !(actions->held & bit) ? actions->pressed | bit : actions->pressed;
    actions->held = held ? actions->held | bit : actions->held & ~bit;
}

static void act(Run *run, uint32_t i)
{
    CnActions *actions = &run->actions[i];
    CnActionList list = crafty_actions();
    CnAction move = cn_action_find(list, "move"), look = cn_action_find(list, "look");
    actions->pressed = actions->released = 0;
    actions->axes[look.axis] = cn_random_f32_range(&run->random, -30, 30);
    actions->axes[look.axis + 1u] = cn_random_f32_range(&run->random, -20, 24);
    if (cn_random_below(&run->random, 12) == 0) {
        actions->axes[move.axis] = cn_random_f32_range(&run->random, -1, 1);
        actions->axes[move.axis + 1u] = cn_random_f32_range(&run->random, -1, 1);
        press(actions, "break_block", cn_random_below(&run->random, 3) == 0);
        press(actions, "place_block", cn_random_below(&run->random, 3) == 0);
        press(actions, "jump", cn_random_below(&run->random, 2) == 0);
    }
    crafty_connection_send_actions(run->connections[i], actions);
}

static MeasureTimes measure(uint32_t players, bool is_crowd, uint32_t ticks, double *worst)
{
    CnError error = {0};
    Run *run = calloc(1, sizeof *run);
    uint64_t *times = calloc(ticks, sizeof *times);
    CraftySessionDesc desc = {.start = {.seed = 42,
                                        .viewer = CRAFTY_VIEWER_NONE,
                                        .mode = CRAFTY_MODE_CREATIVE,
                                        .pose = {.position = {8, 200, 8}},
                                        .difficulty = CRAFTY_NORMAL,
                                        .hours = 9},
                              .threads = 1};
    run->players = players;
    run->random = cn_random_make(1, "players");
    run->session = crafty_session_create(&desc, &error);
    if (!run->session)
        stop(error.message);
    run->sim = crafty_session_sim(run->session);
    run->world = cn_sim_world(run->sim);
    run->host = crafty_connection_create(run->world, CRAFTY_CONSOLE, NULL);
    join_all(run);
    place_all(run, is_crowd);
    for (uint32_t t = 0; t < WARM_TICKS + ticks; t++) {
        for (uint32_t i = 0; i < players; i++)
            act(run, i);
        uint64_t start = processor_ns();
        tick(run);
        if (t >= WARM_TICKS)
            times[t - WARM_TICKS] = processor_ns() - start;
    }
    MeasureTimes result = measure_summarize(times, ticks);
    *worst = (double)times[ticks - 1 - ticks / 100];
    for (uint32_t i = 0; i < players; i++)
        crafty_connection_destroy(run->connections[i]);
    crafty_connection_destroy(run->host);
    crafty_session_destroy(run->session);
    free(times);
    free(run);
    return result;
}

static void print_row(uint32_t players, bool is_crowd, uint32_t ticks, bool json)
{
    double worst;
    MeasureTimes times = measure(players, is_crowd, ticks, &worst);
    if (json)
        printf("{\"players\":%u,\"crowd\":%s,\"median_ms\":%.4f,\"best_ms\":%.4f,"
               "\"p99_ms\":%.4f}\n",
               players, is_crowd ? "true" : "false", times.median_ns / 1e6, times.best_ns / 1e6,
               worst / 1e6);
    else
        printf(
            "%5u players, %-12s median %8.3f ms, best %8.3f ms, p99 %8.3f ms; %7.2f us per player\n",
            players, is_crowd ? "one chunk:" : "spread out:", times.median_ns / 1e6,
            times.best_ns / 1e6, worst / 1e6, times.median_ns / 1e3 / players);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static const uint32_t counts[] = {1, 50, 200, 500, 1000};
    uint32_t players = 0, ticks = 200;
    bool only_crowd = false, json = false;
    const BenchOption options[] = {
        BENCH_OPTION_JSON(&json),
        BENCH_OPTION_NUMBER("--players", "this number of players only", &players, 1, MAX_PLAYERS),
        BENCH_OPTION_NUMBER("--ticks", "ticks to measure", &ticks, 1, 100000),
        BENCH_OPTION_FLAG("--crowd", "all in one chunk only", &only_crowd)};
    const BenchUsage usage = {"bench_crafty_players",
                              "Measures ticks of Crafty with many players, spread out and in one "
                              "chunk.",
                              options, CN_COUNT_OF(options), NULL};
    bench_read_options(&usage, argc, argv);
    machine_print(json);
    if (players) {
        print_row(players, only_crowd, ticks, json);
        return 0;
    }
    for (uint32_t i = 0; i < CN_COUNT_OF(counts); i++) {
        if (!only_crowd)
            print_row(counts[i], false, ticks, json);
        print_row(counts[i], true, ticks, json);
    }
    return 0;
}
