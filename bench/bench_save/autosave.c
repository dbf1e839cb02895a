/* What an autosave adds to a tick: alternately built in parts and synchronously in the same run. */
#include "measure.h"
#include "scenarios.h"

#include <cairn/ecs.h>
#include <cairn/scene.h>

#include <stdio.h>

enum {
    TICKS_PER_SAVE = 300, /* 5 s */
    LEAST_NS = 10000,     /* shorter calls had nothing to do */
    EDITS_PER_SAVE = 20000,
    MAX_SAMPLES = 1 << 18,
    WATER_SIDE_CELLS = 400,
    FLOW_LENGTH = 40,
    BURST_CELLS = 64
};

typedef struct Samples {
    uint64_t wall[MAX_SAMPLES], own[MAX_SAMPLES];
    uint32_t count;
} Samples;

/* With a save: ticks in which it begins or is continued. */
static Samples added, synchronous, with_save, without_save;

static void add_sample(Samples *samples, uint64_t wall, uint64_t own)
{
    if (samples->count == MAX_SAMPLES)
        return;
    samples->wall[samples->count] = wall;
    samples->own[samples->count++] = own;
}

/* ---- Printing ---- */

static void print_times(const char *scenario, const char *what, uint64_t *times, uint32_t count)
{
    static const double parts[] = {0.5, 0.99, 1};
    static const char *const names[] = {"median", "99 %", "largest"};
    if (count == 0)
        return;
    measure_summarize(times, count); /* sorts */
    for (uint32_t i = 0; i < CN_COUNT_OF(parts); i++) {
        char label[96];
        cn_format(label, sizeof label, "%s, %s", what, names[i]);
        saved_world_print(scenario, label, (double)times[(uint32_t)(parts[i] * (count - 1))] * 1e-6,
                          "ms");
    }
}

/* The times are sorted. */
static void print_histogram(const char *scenario, const char *what, const uint64_t *times,
                            uint32_t count)
{
    static const uint32_t limits_us[] = {50, 100, 200, 300, 500, 1000, 2000, 5000, 20000, 100000};
    uint32_t at = 0;
    for (uint32_t i = 0; i <= CN_COUNT_OF(limits_us) && count > 0; i++) {
        bool is_last = i == CN_COUNT_OF(limits_us);
        uint32_t first = at;
        while (at < count && (is_last || times[at] < (uint64_t)limits_us[i] * 1000))
            at++;
        char label[96];
        cn_format(label, sizeof label, is_last ? "%s, longer" : "%s, below %g ms", what,
                  is_last ? 0 : limits_us[i] * 1e-3);
        saved_world_print(scenario, label, at - first, "times");
    }
}

static void print_samples(const char *scenario, const char *what, Samples *samples)
{
    char label[64];
    print_times(scenario, what, samples->wall, samples->count);
    cn_format(label, sizeof label, "%s, CPU time", what);
    print_times(scenario, label, samples->own, samples->count);
}

/* ---- The world ---- */

static void place_water(CnVoxels *voxels, CnCell cell)
{
    CnError error = {0};
    CnEdit edit = {
        .kind = CN_EDIT_PLACE, .face = CN_EDIT_NO_FACE, .cell = cell, .new_block = CN_BLOCK_WATER};
    saved_world_must(cn_voxels_edit(voxels, &edit, &error), &error);
}

/* Water far from all players: it is awake and waits. */
static void add_awake_water(CnVoxels *voxels, uint32_t cells)
{
    for (uint32_t i = 0; i < cells; i++)
        place_water(voxels, (CnCell){5000 + (int32_t)(i % WATER_SIDE_CELLS), 200,
                                     5000 + (int32_t)(i / WATER_SIDE_CELLS)});
}

/* Moving things with a transform. */
static void add_entities(CnWorld *world, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        float at = (float)i;
        CnEntity entity = cn_spawn(world, cn_with(CnTransform, {.position = {at, 100, at},
                                                                .rotation = {0, 0, 0, 1},
                                                                .scale = {1, 1, 1}}));
        if (!entity.id)
            exit(1);
    }
}

/* ---- A tick ---- */

/* A player who walks, builds and lets water flow; sometimes something explodes. */
static void play_tick(const SavedWorld *world, Play *play, uint32_t tick)
{
    CnVoxels *voxels = saved_world_voxels(world);
    float at = (float)tick * 0.08f; /* 4.8 m/s */
    if (tick % 3 == 0)
        play_edits(play, 1, tick);
    if (tick % 30 == 0)
        place_water(voxels, (CnCell){(int32_t)at, 110, (int32_t)(tick / 30 % FLOW_LENGTH)});
    saved_world_tick(world);
    cn_voxels_stream(voxels, &(CnVoxelsView){.eye = {at, 90, 0},
                                             .forward = {1, 0, 0},
                                             .radius = 6,
                                             .height = 3,
                                             .budget = 2,
                                             .results = 8});
}

typedef struct Times {
    uint64_t wall, own;
} Times;

static Times now(void)
{
    return (Times){cn_clock_ns(), cn_clock_thread_ns()};
}

static void save_synchronously(const SavedWorld *world)
{
    Times before = now();
    saved_world_save(world);
    Times after = now();
    add_sample(&synchronous, after.wall - before.wall, after.own - before.own);
}

/* Also while no save is in progress, as crafty_save_auto does. */
static void continue_save(const SavedWorld *world, bool begins)
{
    CnError error = {0};
    CraftyWorld *blocks = crafty_session_world(world->session);
    CnSim *sim = crafty_session_sim(world->session);
    Times before = now();
    bool done = begins ? crafty_save_begin(world->save, blocks, sim, &error)
                       : crafty_save_continue(world->save, blocks, &error);
    Times after = now();
    saved_world_must(done, &error);
    if (after.wall - before.wall >= LEAST_NS)
        add_sample(&added, after.wall - before.wall, after.own - before.own);
}

static void run_tick(const SavedWorld *world, Play *play, uint32_t tick)
{
    bool is_save = tick % TICKS_PER_SAVE == 0, is_synchronous = tick / TICKS_PER_SAVE % 2;
    bool is_building = crafty_save_is_building(world->save);
    Times before = now();
    play_tick(world, play, tick);
    if (is_save && is_synchronous)
        save_synchronously(world);
    else
        continue_save(world, is_save && !is_building);
    Times after = now();
    if (!(is_save && is_synchronous))
        add_sample(is_save || is_building ? &with_save : &without_save, after.wall - before.wall,
                   after.own - before.own);
}

/* ---- Scenarios ---- */

static void begin_samples(void)
{
    added.count = synchronous.count = with_save.count = without_save.count = 0;
}

static void print_added(const char *name)
{
    print_samples(name, "added to a tick by an autosave", &added);
    print_histogram(name, "added to a tick by an autosave", added.wall, added.count);
    print_histogram(name, "added, CPU time", added.own, added.count);
    print_samples(name, "instead: a synchronous save", &synchronous);
    print_histogram(name, "instead: a synchronous save", synchronous.wall, synchronous.count);
    print_samples(name, "whole ticks with an autosave", &with_save);
    print_samples(name, "whole ticks without one", &without_save);
}

void scenario_autosave(const AutosaveDesc *desc)
{
    SavedWorld world;
    Play play;
    saved_world_remove();
    saved_world_open(&world);
    play_init(&play, saved_world_voxels(&world), 1);
    scenario_play(&world, &play, desc->edits, EDITS_PER_SAVE);
    add_awake_water(saved_world_voxels(&world), desc->water);
    add_entities(cn_sim_world(crafty_session_sim(world.session)), desc->entities);
    saved_world_save(&world);
    begin_samples();
    uint64_t wal = 0;
    uint32_t ticks = 2 * desc->saves * TICKS_PER_SAVE;
    for (uint32_t tick = 1; tick <= ticks; tick++) {
        uint64_t start = cn_clock_ns(), pace = desc->pace_us * 1000ull;
        run_tick(&world, &play, tick);
        uint64_t bytes = tick % 10 == 0 ? saved_world_wal_bytes() : 0;
        wal = bytes > wal ? bytes : wal;
        uint64_t used = cn_clock_ns() - start;
        if (used < pace)
            cn_clock_sleep_ns(pace - used);
    }
    print_added(desc->name);
    saved_world_print(desc->name, "largest write-ahead log", (double)wal, "bytes");
    play_fini(&play);
    saved_world_close(&world);
    saved_world_remove();
}

/* Changes some cells of every chunk, high in the air. */
static void change_chunks(CnVoxels *voxels, uint32_t chunks, CnBlock block)
{
    CnError error = {0};
    for (uint32_t i = 0; i < chunks; i++) {
        for (uint32_t cell = 0; cell < BURST_CELLS; cell++) {
            CnEdit edit = {.kind = CN_EDIT_PLACE,
                           .face = CN_EDIT_NO_FACE,
                           .cell = {16 * (int32_t)(i % 64) + (int32_t)(cell % 8), 300,
                                    16 * (int32_t)(i / 64) + (int32_t)(cell / 8)},
                           .new_block = block};
            saved_world_must(cn_voxels_edit(voxels, &edit, &error), &error);
        }
    }
}

void scenario_burst(uint32_t chunks, uint32_t rounds, uint32_t pace_us)
{
    SavedWorld world;
    Play play;
    saved_world_remove();
    saved_world_open(&world);
    play_init(&play, saved_world_voxels(&world), 1);
    begin_samples();
    uint64_t ticks = 0, wal = 0;
    for (uint32_t round = 0; round < 2 * rounds; round++) {
        change_chunks(saved_world_voxels(&world), chunks, play.materials[round % 8]);
        if (round % 2) {
            save_synchronously(&world);
            continue;
        }
        continue_save(&world, true);
        for (uint32_t tick = 1; crafty_save_is_building(world.save); tick++, ticks++) {
            play_tick(&world, &play, tick);
            continue_save(&world, false);
            cn_clock_sleep_ns(pace_us * 1000ull);
        }
        CnError error = {0};
        saved_world_must(crafty_save_flush(world.save, 60000, &error), &error);
        wal = saved_world_wal_bytes() > wal ? saved_world_wal_bytes() : wal;
    }
    char name[32];
    cn_format(name, sizeof name, "burst %u", chunks);
    saved_world_print(name, "ticks until a save is complete", (double)ticks / rounds, "ticks");
    print_added(name);
    saved_world_print(name, "largest write-ahead log", (double)wal, "bytes");
    play_fini(&play);
    saved_world_close(&world);
    saved_world_remove();
}
