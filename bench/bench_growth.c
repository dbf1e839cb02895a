/*
 * The cost of random ticks of Crafty's blocks: a tick of a world with a player at its spawn,
 * with growth, water and villagers, and with frozen blocks, alternating in the same run. `--help`
 * lists the options.
 */
#include "measure.h"
#include "options.h"

#include <crafty/replay/session.h>

#include <stdio.h>

#define ROUNDS 200u
#define TICKS 16u /* a period of random ticks */

static void stop(const CnError *error)
{
    fprintf(stderr, "bench_growth: %s\n", error->message);
    exit(1);
}

static CraftySession *open_session(bool frozen)
{
    CnError error = {0};
    CraftySessionDesc desc = {.start = {.seed = 42,
                                        .viewer = CRAFTY_VIEWER_WALKS,
                                        .hours = 10,
                                        .players = 1,
                                        .freeze_blocks = frozen},
                              .finds_spawn = true,
                              .threads = 1};
    CraftySession *session = crafty_session_create(&desc, &error);
    if (!session || !cn_sim_tick_n(crafty_session_sim(session), 120, &error))
        stop(&error);
    return session;
}

static uint64_t run_ticks(CraftySession *session)
{
    CnError error = {0};
    uint64_t start = cn_clock_ns();
    if (!cn_sim_tick_n(crafty_session_sim(session), TICKS, &error))
        stop(&error);
    return cn_clock_ns() - start;
}

int main(int argc, char **argv)
{
    bool json = false;
    static uint64_t times[ROUNDS], frozen_times[ROUNDS];
    const BenchOption options[] = {BENCH_OPTION_JSON(&json)};
    bench_read_options(&(BenchUsage){"bench_growth",
                                     "Time of a tick with growth, water and villagers, and of one "
                                     "without them, medians of 200 alternating runs.",
                                     options, CN_COUNT_OF(options), NULL},
                       argc, argv);
    machine_print(json);
    CraftySession *session = open_session(false), *frozen = open_session(true);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        times[i] = run_ticks(session);
        frozen_times[i] = run_ticks(frozen);
    }
    double ns = measure_summarize(times, ROUNDS).median_ns / TICKS;
    double frozen_ns = measure_summarize(frozen_times, ROUNDS).median_ns / TICKS;
    if (json)
        printf("{\"workload\":\"growth\",\"n\":1,\"threads\":1,\"ns\":%.3f,\"raw_ns\":%.3f}\n", ns,
               frozen_ns);
    else
        printf("tick with growth %.1f us, frozen %.1f us, ratio %.2f\n", ns / 1000,
               frozen_ns / 1000, ns / frozen_ns);
    crafty_session_destroy(session);
    crafty_session_destroy(frozen);
    return 0;
}
