/*
 * The cost of mods of Crafty: the standard content written in Lua (games/crafty/mods/base) compared
 * with the same content as data, for creating a world, for ticks and for memory, and the cost of
 * handlers in each tick compared with a session without them. Both sides alternate in the same run.
 * `--help` lists the options.
 */
#include "measure.h"
#include "options.h"

#include <crafty/replay/session.h>
#include <crafty/sim/mod/mod_permission.h>
#include <crafty/sim/mod/mods.h>

#include <stdio.h>
#include <string.h>

#define RUNS 21u
#define TICKS 60u
#define MODS 16u
#define RELOADS 100u

static bool json;

static void stop(const CnError *error)
{
    fprintf(stderr, "bench_mods: %s: %s\n", error->file, error->message);
    exit(1);
}

static void print(const char *name, uint32_t n, double ours, double other, const char *unit)
{
    if (json)
        printf("{\"workload\":\"%s\",\"n\":%u,\"threads\":1,\"%s\":%.3f,\"raw_%s\":%.3f}\n", name,
               n, unit, ours, unit, other);
    else
        printf("%-16s %8u %12.2f %12.2f %8.3f  %s\n", name, n, ours, other,
               other > 0 ? ours / other : 0, unit);
}

/* ---- Sources ---- */

/* Mods without files: their code is in the program. */
static char names[MODS][16], code[MODS][1024];
static CraftyModFile files[MODS][2];
static CraftyModSource sources[MODS + 1];

static void make_sources(const char *text)
{
    sources[0] = crafty_mods_base();
    for (uint32_t i = 0; i < MODS; i++) {
        snprintf(names[i], sizeof names[i], "mod%u", i);
        snprintf(code[i], sizeof code[i], "%s", text);
        files[i][0] = (CraftyModFile){"main.lua", cn_text(code[i])};
        sources[i + 1] = (CraftyModSource){
            .name = names[i], .embedded = files[i], .permissions = CRAFTY_MOD_MAY_ALL};
    }
}

static CraftyMods *load(CnAllocator *allocator, uint32_t count)
{
    CnError error = {0};
    CraftyMods *mods = crafty_mods_create(
        &(CraftyModsDesc){.allocator = allocator, .sources = sources, .source_count = count},
        &error);
    if (!mods)
        stop(&error);
    return mods;
}

/* ---- Starting ---- */

static uint64_t create_world(bool from_lua)
{
    CnError error = {0};
    uint64_t start = cn_clock_ns();
    CraftyMods *mods = from_lua ? load(NULL, 1) : NULL;
    CraftyWorld *world =
        crafty_world_create(&(CraftyWorldDesc){.content = mods ? crafty_mods_content(mods) : NULL,
                                               .workers = CN_JOBS_NONE},
                            &error);
    if (!world)
        stop(&error);
    uint64_t time = cn_clock_ns() - start;
    crafty_world_destroy(world);
    crafty_mods_destroy(mods);
    return time;
}

static void measure_start(void)
{
    uint64_t ours[RUNS], other[RUNS];
    create_world(true);
    create_world(false);
    for (uint32_t i = 0; i < RUNS; i++) {
        ours[i] = create_world(true);
        other[i] = create_world(false);
    }
    print("start", 1, measure_summarize(ours, RUNS).best_ns / 1e6,
          measure_summarize(other, RUNS).best_ns / 1e6, "ms");
}

/* ---- Memory ---- */

typedef struct Counted {
    CnAllocator allocator;
    size_t bytes;
} Counted;

static void *count(CnAllocator *self, void *block, size_t old_bytes, size_t new_bytes,
                   size_t alignment)
{
    Counted *counted = (Counted *)(void *)self;
    CnAllocator *system = cn_system_allocator();
    void *resized = system->resize(system, block, old_bytes, new_bytes, alignment);
    if (resized || new_bytes == 0)
        counted->bytes += new_bytes - (block ? old_bytes : 0);
    return resized;
}

static void measure_memory(void)
{
    CnError error = {0};
    Counted of_mods = {.allocator = {.resize = count}}, of_world = of_mods;
    CraftyMods *mods = load(&of_mods.allocator, 1);
    CraftyWorld *world = crafty_world_create(
        &(CraftyWorldDesc){.allocator = &of_world.allocator, .workers = CN_JOBS_NONE}, &error);
    if (!world)
        stop(&error);
    print("memory", 1, (double)(of_world.bytes + of_mods.bytes) / 1024,
          (double)of_world.bytes / 1024, "KiB");
    crafty_world_destroy(world);
    crafty_mods_destroy(mods);
}

/* ---- Ticks ---- */

static CraftySession *open_session(CraftyMods *mods)
{
    CnError error = {0};
    CraftySession *session =
        crafty_session_create(&(CraftySessionDesc){.start = {.seed = 1,
                                                             .viewer = CRAFTY_VIEWER_FLIES,
                                                             .difficulty = CRAFTY_NO_CREATURES,
                                                             .pose = {.position = {8, 300, 8}},
                                                             .hours = 9},
                                                   .threads = 1,
                                                   .mods = mods},
                              &error);
    if (!session)
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

static void measure_ticks(const char *name, uint32_t source_count)
{
    uint64_t ours[RUNS], other[RUNS];
    CraftyMods *mods = load(NULL, source_count);
    CraftySession *with = open_session(mods), *without = open_session(NULL);
    run_ticks(with);
    run_ticks(without);
    for (uint32_t i = 0; i < RUNS; i++) {
        ours[i] = run_ticks(with);
        other[i] = run_ticks(without);
    }
    print(name, source_count - 1, measure_summarize(ours, RUNS).best_ns / TICKS / 1e3,
          measure_summarize(other, RUNS).best_ns / TICKS / 1e3, "us");
    crafty_session_destroy(with);
    crafty_session_destroy(without);
    crafty_mods_destroy(mods);
}

/* ---- Loading again ---- */

static void measure_reload(void)
{
    uint64_t times[RELOADS];
    CraftyMods *mods = load(NULL, 2);
    CraftySession *session = open_session(mods);
    bool changes_content;
    CnError error = {0};
    for (uint32_t i = 0; i < RELOADS; i++) {
        uint64_t start = cn_clock_ns();
        if (!crafty_mods_reload(mods, names[0], &changes_content, &error))
            stop(&error);
        times[i] = cn_clock_ns() - start;
    }
    MeasureTimes summary = measure_summarize(times, RELOADS);
    print("reload", 1, summary.median_ns / 1e6, (double)times[RELOADS - 1] / 1e6, "ms");
    crafty_session_destroy(session);
    crafty_mods_destroy(mods);
}

int main(int argc, char **argv)
{
    const BenchOption options[] = {BENCH_OPTION_JSON(&json)};
    bench_read_options(
        &(BenchUsage){"bench_mods",
                      "Creating a world, memory and ticks with the standard content in Lua, "
                      "compared with the same content as data; ticks with 16 mods, compared with "
                      "none; loading a mod again: median and longest.",
                      options, CN_COUNT_OF(options), NULL},
        argc, argv);
    machine_print(json);
    if (!json)
        printf("%-16s %8s %12s %12s %8s\n", "workload", "mods", "mods", "without", "ratio");
    make_sources("-- nothing");
    measure_start();
    measure_memory();
    measure_ticks("tick_base", 1);
    measure_ticks("tick_idle", MODS + 1);
    make_sources("on('tick', function(e)\n"
                 "  storage.set('n', (storage.get('n') or 0) + 1)\n"
                 "end, 1)\n"
                 "block { name = 'bell', like = 'stone', on_use = function(e) return true end }\n"
                 "command { name = mod.name, run = function(e) return 'x' end }");
    measure_ticks("tick_handlers", MODS + 1);
    measure_reload();
    return 0;
}
