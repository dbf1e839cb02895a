/*
 * Rows of world files with block data, and the list of its kinds. A row that is accepted is the
 * same when it is written again; one that is refused changes nothing. The first byte selects the
 * kind of row.
 */
#include "fuzz_surface.h"
#include "voxel/world/voxels_internal.h"
#include "voxel_world.h"

#include <cairn/voxel/block_data.h>

#include <string.h>

#define KINDS "crafty.crate,mod:note"

enum { DATA, NAMES, ROWS };

/* Kept: creating a world takes long, and every accepted row is removed again. */
static CnVoxels *world_with_kinds(void)
{
    static VoxelWorld made;
    if (!made.world) {
        made = voxel_world_create(NULL, 0, NULL);
        FUZZ_CHECK(cn_block_data_read_kinds(made.world, cn_text(KINDS), NULL));
    }
    return made.world;
}

static void add_seeds(FuzzSeeds *seeds)
{
    static const uint8_t data[] = {DATA, 2, 0, 0,  0, 5, 0, 1, 0, 4, 0, 0,   0,  7,
                                   0,    9, 0, 33, 0, 2, 0, 2, 0, 1, 0, 'h', 'i'};
    static const uint8_t empty[] = {DATA, 1, 0, 0, 0, 255, 15, 2, 0, 0, 0, 0, 0};
    static const char names[] = {NAMES, 'a', ',', 'b', '.', 'c', ':', '1', ',', '_'};
    fuzz_add(seeds, data, sizeof data);
    fuzz_add(seeds, empty, sizeof empty);
    fuzz_add(seeds, names, sizeof names);
}

static bool read_data(const uint8_t *bytes, size_t size, CnError *error)
{
    CnVoxels *world = world_with_kinds();
    const CnChunkPos position = {-1, 2, 3};
    uint64_t before = cn_voxels_hash(world);
    bool accepted = cn_block_data_read(world, position, bytes, size, error);
    if (!accepted) {
        FUZZ_CHECK(cn_voxels_hash(world) == before && cn_block_data_stats(world).blocks == 0);
        return false;
    }
    CnU8Array again;
    cn_array_init(&again, NULL);
    FUZZ_CHECK(cn_block_data_write(world, position, &again, NULL));
    FUZZ_CHECK(again.count == size && memcmp(again.items, bytes, size) == 0);
    cn_array_fini(&again);
    for (int32_t i = 0; i < CN_CHUNK_BLOCKS && cn_block_data_stats(world).blocks > 0; i++)
        FUZZ_CHECK(cn_block_data_remove(
            world, (CnCell){-16 + (i & 15), 32 + (i >> 4 & 15), 48 + (i >> 8)}, NULL));
    FUZZ_CHECK(cn_block_data_stats(world).active == 0 && cn_voxels_hash(world) == before);
    cn_block_data_save_begin(world);
    cn_block_data_save_end(world, true);
    return true;
}

static bool read_names(const uint8_t *bytes, size_t size, CnError *error)
{
    CnNames kinds;
    cn_names_init(&kinds, NULL);
    bool accepted = cni_voxel_data_read_kinds(&kinds, (CnText){(const char *)bytes, size}, error);
    size_t at = 0;
    for (uint32_t i = 1; accepted && i <= kinds.texts.count; i++) {
        const char *name = cn_name_text(&kinds, (CnName){i});
        FUZZ_CHECK(size - at >= strlen(name) && memcmp(bytes + at, name, strlen(name)) == 0);
        at += strlen(name) + (i < kinds.texts.count); /* a comma */
    }
    FUZZ_CHECK(!accepted || at == size);
    cn_names_fini(&kinds);
    return accepted;
}

static bool run(const uint8_t *bytes, size_t size)
{
    CnError error = {0};
    if (size == 0)
        return false;
    bool accepted = bytes[0] % ROWS == DATA ? read_data(bytes + 1, size - 1, &error)
                                            : read_names(bytes + 1, size - 1, &error);
    FUZZ_CHECK(accepted == (error.code == CN_OK));
    return accepted;
}

const FuzzSurface fuzz_surface = {.max_bytes = 512, .add_seeds = add_seeds, .run = run};
