/*
 * Prints hashes of what the demo swarm comes to while a restless hand plays with it.
 * tools/check-determinism builds it in every way and compares what it prints.
 *
 *     swarm_program THREADS ENTITIES TICKS
 *
 * The first line names the SIMD path, the others must be the same everywhere.
 */
#include "thread_barrier.h"
#include "swarm/swarm.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t threads;

CN_SYSTEM(meet, (read, SwarmPosition, p))
{
    (void)context, (void)chunk, (void)p, (void)count;
    wait_for_all_threads(threads);
}

static void fail(const CnError *error)
{
    char text[512];
    printf("%s\n", cn_error_text(error, text, sizeof text));
    exit(1);
}

static void print_hash(const CnSim *sim)
{
    char text[128];
    swarm_report(sim, text, sizeof text);
    printf("tick %-6" PRIu64 " %016" PRIx64 "  %s\n", cn_sim_tick(sim), cn_sim_hash(sim), text);
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    const uint32_t entities = (uint32_t)atoi(argv[2]);
    const uint64_t ticks = (uint64_t)atoi(argv[3]);
    threads = (uint32_t)atoi(argv[1]);
    cn_log_set_level(CN_LOG_LEVEL_ERROR);
    printf("%s\n", cn_simd_path_name(cn_simd_path()));

    CnError error = {0};
    CnJobPool *jobs = cn_job_pool_create(
        &(CnJobPoolDesc){.workers = threads > 1 ? threads - 1 : CN_JOBS_NONE}, NULL);
    CnSim *sim = jobs ? cn_sim_create(&(CnSimDesc){.jobs = jobs, .seed = 20}, &error) : NULL;
    if (!sim || !swarm_add(sim, &(SwarmDesc){entities}, &error) ||
        !cn_system(cn_sim_world(sim), meet, .stage = CN_STAGE_UPDATE, .split = true).id)
        fail(&error);
    for (uint64_t tick = 0; tick < ticks; tick++) {
        swarm_play(sim, 4, tick);
        if (!cn_sim_tick_n(sim, 1, &error))
            fail(&error);
        if ((tick + 1) % 10 == 0 || tick + 1 == ticks)
            print_hash(sim);
    }
    cn_sim_destroy(sim);
    cn_job_pool_destroy(jobs);
    return 0;
}
