/* Opening a world with many edits, by phase, and what an edit takes in the file. */
#include "play.h"
#include "scenarios.h"

#include <cairn/base/clock.h>

#include <stdio.h>

enum { EDITS_PER_SAVE = 20000, EDITS_PER_TICK = 200, READ_BYTES = 1 << 20 };

static double milliseconds_since(uint64_t start)
{
    return (double)(cn_clock_ns() - start) * 1e-6;
}

/* The reference: what reading the bytes of the file costs. */
static double read_file_ms(void)
{
    static char buffer[READ_BYTES];
    uint64_t start = cn_clock_ns();
    FILE *file = fopen(SAVED_WORLD_PATH, "rb");
    while (file && fread(buffer, 1, sizeof buffer, file) > 0) {
    }
    if (file)
        fclose(file);
    return milliseconds_since(start);
}

static void measure_phases(const char *name)
{
    CnError error = {0};
    uint64_t start = cn_clock_ns();
    CraftySave *save = crafty_save_open(&(CraftySaveDesc){.path = SAVED_WORLD_PATH}, &error);
    saved_world_must(save, &error);
    saved_world_print(name, "file and rows", milliseconds_since(start), "ms");
    start = cn_clock_ns();
    CraftyWorld *world =
        crafty_world_create(&(CraftyWorldDesc){.seed = crafty_save_identity(save)->seed,
                                               .workers = CN_JOBS_NONE,
                                               .palettes = crafty_save_palettes(save),
                                               .hooks = crafty_save_hooks(save)},
                            &error);
    saved_world_must(world, &error);
    saved_world_print(name, "generator and world", milliseconds_since(start), "ms");
    start = cn_clock_ns();
    saved_world_must(crafty_save_attach(save, world, &error), &error);
    saved_world_print(name, "announce, log, activity, hash", milliseconds_since(start), "ms");
    crafty_world_destroy(world);
    crafty_save_close(save);
}

void scenario_measure_open(const char *name, uint64_t edits, uint32_t runs)
{
    double best = 1e30, best_cpu = 1e30;
    for (uint32_t i = 0; i < runs; i++) {
        SavedWorld world;
        uint64_t memory = saved_world_memory_bytes();
        uint64_t start = cn_clock_ns(), own = cn_clock_thread_ns();
        saved_world_open(&world);
        double wall = milliseconds_since(start), cpu = (double)(cn_clock_thread_ns() - own) * 1e-6;
        best = wall < best ? wall : best;
        best_cpu = cpu < best_cpu ? cpu : best_cpu;
        if (i == 0) {
            saved_world_print(name, "chunks with edits",
                              cn_voxels_stats(saved_world_voxels(&world)).stored, "chunks");
            saved_world_print(name, "memory", (double)(saved_world_memory_bytes() - memory) * 1e-6,
                              "MB");
        }
        saved_world_close(&world);
    }
    measure_phases(name);
    double read = read_file_ms();
    saved_world_print(name, "open in total, best of the runs", best, "ms");
    saved_world_print(name, "open in total, CPU time of the thread", best_cpu, "ms");
    saved_world_print(name, "reference: read the file", read, "ms");
    saved_world_print(name, "size of the file", (double)saved_world_file_bytes(), "bytes");
    if (edits > 0)
        saved_world_print(name, "per edit", (double)saved_world_file_bytes() / (double)edits,
                          "bytes");
}

void scenario_play(SavedWorld *world, Play *play, uint64_t edits, uint64_t edits_per_save)
{
    uint64_t saved = play->edits, end = play->edits + edits;
    while (play->edits < end) {
        play_edits(play, EDITS_PER_TICK, cn_sim_tick(crafty_session_sim(world->session)));
        saved_world_tick(world);
        if (play->edits - saved >= edits_per_save) {
            saved_world_save(world);
            saved = play->edits;
        }
    }
    saved_world_save(world);
}

void scenario_open(uint32_t edits, uint32_t runs)
{
    SavedWorld world;
    Play play;
    saved_world_remove();
    saved_world_open(&world);
    saved_world_save(&world);
    saved_world_close(&world);
    scenario_measure_open("open 0", 0, runs);
    saved_world_open(&world);
    play_init(&play, saved_world_voxels(&world), 1);
    uint64_t start = cn_clock_ns();
    scenario_play(&world, &play, edits, EDITS_PER_SAVE);
    saved_world_print("play", "time per edit, with saves", milliseconds_since(start) * 1e6 / edits,
                      "ns");
    saved_world_print("play", "sites", play.sites.count, "sites");
    saved_world_close(&world);
    char name[32];
    cn_format(name, sizeof name, "open %u", edits);
    scenario_measure_open(name, play.edits, runs);
    play_fini(&play);
    saved_world_remove();
}
