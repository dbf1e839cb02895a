/*
 * A year of play: as many edits as the game makes in a year without a break at three per second, by
 * players and by flowing water. The edits are those of play.h, made by the voxel world and saved by
 * the game's own code; only the pauses between them are missing, and saves come after a number of
 * edits instead of after five seconds.
 */
#include "scenarios.h"

#include <cairn/base/clock.h>

enum { PARTS = 20, EDITS_PER_SAVE = 50000 };

void scenario_year(uint32_t edits, uint32_t runs)
{
    SavedWorld world;
    Play play;
    char name[32];
    uint64_t wal = 0;
    cn_format(name, sizeof name, "year %u", edits);
    saved_world_remove();
    saved_world_open(&world);
    play_init(&play, saved_world_voxels(&world), 1);
    uint64_t start = cn_clock_ns();
    for (uint32_t part = 1; part <= PARTS; part++) {
        scenario_play(&world, &play, edits / PARTS, EDITS_PER_SAVE);
        wal = saved_world_wal_bytes() > wal ? saved_world_wal_bytes() : wal;
        char label[64];
        cn_format(label, sizeof label, "size of the file after %llu edits",
                  (unsigned long long)play.edits);
        saved_world_print(name, label, (double)saved_world_file_bytes() * 1e-6, "MB");
    }
    saved_world_print(name, "time to play", cn_seconds(cn_clock_ns() - start), "s");
    saved_world_print(name, "sites", play.sites.count, "sites");
    saved_world_print(name, "largest write-ahead log seen", (double)wal, "bytes");
    uint64_t total = play.edits;
    play_fini(&play);
    saved_world_close(&world);
    scenario_measure_open(name, total, runs);
    saved_world_remove();
}
