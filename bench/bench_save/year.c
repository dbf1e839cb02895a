/*
 * A year of play: as many edits as the game makes in a year without a break at three per second, by
 * players and by flowing water. The edits are those of play.h, made by the voxel world and saved by
 * the game's own code; only the pauses between them are missing, and saves come after a number of
 * edits instead of after five seconds.
 */
#include "scenarios.h"

#include <cairn/base/clock.h>

enum { PARTS = 20, EDITS_PER_SAVE = 50000, SCATTERED_CELLS = 400, CHUNKS_PER_SAVE = 5000 };

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

/* Every tenth cell of a chunk, at random distances, with blocks at random. */
static void scatter(CnStoredBlock *blocks, const Play *play, uint64_t *random)
{
    const uint32_t step = CN_CHUNK_BLOCKS / SCATTERED_CELLS;
    for (uint32_t i = 0; i < SCATTERED_CELLS; i++) {
        *random ^= *random << 13;
        *random ^= *random >> 7;
        *random ^= *random << 17;
        blocks[i].index = (uint16_t)(i * step + (*random >> 8) % step);
        blocks[i].block = play->materials[(*random >> 32) % CN_COUNT_OF(play->materials)];
    }
}

/* Chunks are passed to the save as the voxel world does it when it unloads them. Their hashes are
 * 0, so that the hash of the world stays what it is without generating the chunks. */
void scenario_scattered(uint32_t edits, uint32_t runs)
{
    SavedWorld world;
    Play play;
    CnStoredBlock blocks[SCATTERED_CELLS];
    char name[32];
    uint64_t random = 88172645463325252u;
    cn_format(name, sizeof name, "scattered %u", edits);
    saved_world_remove();
    saved_world_open(&world);
    play_init(&play, saved_world_voxels(&world), 1);
    CnVoxelsHooks hooks = crafty_save_hooks(world.save);
    uint32_t chunks = edits / SCATTERED_CELLS;
    for (uint32_t i = 0; i < chunks; i++) {
        CnStoredChunk chunk = {.position = {(int32_t)(i % 512) + 1000, (int32_t)(i / 512 % 4),
                                            (int32_t)(i / 2048) + 1000},
                               .blocks = blocks,
                               .count = SCATTERED_CELLS};
        scatter(blocks, &play, &random);
        saved_world_must(hooks.chunk_store(hooks.user, &chunk),
                         &(CnError){.message = "a chunk cannot be stored"});
        if (i % CHUNKS_PER_SAVE == 0)
            saved_world_save(&world);
    }
    saved_world_save(&world);
    play_fini(&play);
    saved_world_close(&world);
    scenario_measure_open(name, edits, runs);
    saved_world_remove();
}
