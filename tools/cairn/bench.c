#include "commands.h"
#include "session.h"

#include <cairn/base/console.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_RUNS 101u

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* ---- A tick of empty systems: the cost of the loop itself ---- */

static void do_nothing(CnSystemContext *context)
{
    (void)context;
}

CN_COMPONENT(BenchThing, (u32, value));

static bool add_idle_systems(CnWorld *world, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "idle_%u", i);
        CnSystemDesc desc = {.name = name,
                             .run = do_nothing,
                             .stage = (CnStage)(CN_STAGE_INPUT + i % 5),
                             .query = {.all = {cn_reads(BenchThing)}}};
        if (!cn_system_add(world, &desc, NULL).id)
            return false;
    }
    return true;
}

/* Returns the median duration of a tick in nanoseconds. */
static double measure(Session *session, uint32_t runs, uint32_t ticks_a_run)
{
    uint64_t times[MAX_RUNS];
    CnError error = {0};
    for (uint32_t run = 0; run < runs; run++) {
        uint64_t start = cn_clock_ns();
        if (!cn_sim_tick_n(session->sim, ticks_a_run, &error)) {
            report(&error);
            return -1;
        }
        times[run] = (cn_clock_ns() - start) / ticks_a_run;
    }
    qsort(times, runs, sizeof *times, compare);
    return (double)times[runs / 2];
}

static void print_line(bool json, const char *workload, uint32_t n, uint32_t threads, double ns,
                       double one_thread_ns)
{
    if (json)
        cn_print(
            "{\"workload\": \"%s\", \"n\": %u, \"threads\": %u, \"ns\": %.0f, \"speedup\": %.3f}",
            workload, n, threads, ns, one_thread_ns / ns);
    else
        cn_print("%-16s %9u %8u %14.1f %9.2f", workload, n, threads, ns / 1000, one_thread_ns / ns);
    fflush(stdout);
}

static bool bench_empty(bool json)
{
    SessionDesc desc = SESSION_DEFAULTS;
    Session session;
    desc.demo = "empty";
    bool done = session_begin(&session, &desc) && add_idle_systems(cn_sim_world(session.sim), 100);
    double ns = done ? measure(&session, 31, 1000) : -1;
    if (ns >= 0)
        print_line(json, "empty_tick_100", 100, 1, ns, ns);
    session_end(&session);
    return ns >= 0;
}

static bool bench_swarm(SessionDesc desc, uint32_t threads, uint32_t ticks, bool json,
                        double *one_thread_ns)
{
    Session session;
    desc.threads = threads;
    bool done = session_begin(&session, &desc);
    double ns = -1;
    if (done) {
        CnError error = {0};
        done = cn_sim_tick_n(session.sim, 5, &error) || report(&error);
        ns = done ? measure(&session, ticks < MAX_RUNS ? ticks : MAX_RUNS, 1) : -1;
    }
    if (ns >= 0) {
        *one_thread_ns = *one_thread_ns > 0 ? *one_thread_ns : ns;
        print_line(json, "swarm", desc.entities, threads, ns, *one_thread_ns);
    }
    session_end(&session);
    return ns >= 0;
}

int command_bench(int count, char **arguments)
{
    SessionDesc desc = SESSION_DEFAULTS;
    desc.entities = 10000;
    uint32_t ticks = 31, most = cn_cpu_info()->logical_cores;
    bool json = false;
    const Option table[] = {
        {"--entities", "N", "number of swarm entities (10,000)", OPTION_U32, &desc.entities, 1,
         4000000},
        {"--ticks", "N", "number of ticks to measure (31)", OPTION_U32, &ticks, 1, MAX_RUNS},
        {"--threads", "N", "largest number of threads, in powers of two (one per core)", OPTION_U32,
         &most, 1, 256},
        {"--json", NULL, "print one JSON object per line", OPTION_FLAG, &json, 0, 0},
        {0},
    };
    const Usage usage = {"bench",
                         "[options]",
                         "Measures a tick of 100 empty systems, and a tick of swarm with 1, "
                         "2, 4 ... threads.\nTimes are medians.",
                         table,
                         NULL,
                         0};
    ParseResult parsed = parse_options(&usage, count, arguments);
    if (parsed != PARSE_GO_ON)
        return parsed == PARSE_HELPED ? 0 : 2;
    if (!json)
        cn_print("%-16s %9s %8s %14s %9s", "workload", "n", "threads", "us per tick", "speedup");
    double one_thread_ns = 0;
    bool done = bench_empty(json);
    desc.demo = "swarm";
    for (uint32_t threads = 1; done && threads <= most; threads *= 2)
        done = bench_swarm(desc, threads, ticks, json, &one_thread_ns);
    return done ? 0 : 1;
}
