/* The activity of a world: what is accepted is the same when it is written again. */
#include "fuzz_surface.h"
#include "voxel_world.h"

#include <cairn/voxel/water.h>

#include <string.h>

static CnVoxels *world(void)
{
    static VoxelWorld made; /* kept: creating a world takes long */
    if (!made.world)
        made = voxel_world_create(NULL, 0, NULL);
    return made.world;
}

static void add_seeds(FuzzSeeds *seeds)
{
    CnU8Array bytes;
    cn_array_init(&bytes, NULL);
    FUZZ_CHECK(cn_voxels_write_activity(world(), &bytes, NULL));
    fuzz_add(seeds, bytes.items, bytes.count);
    for (int32_t i = 0; i < 3; i++)
        FUZZ_CHECK(cn_voxels_schedule(world(), (CnCell){i, 200, -i}, 5u + (uint32_t)i % 2));
    FUZZ_CHECK(voxel_set(world(), (CnCell){4, 250, 4}, CN_BLOCK_WATER));
    bytes.count = 0;
    FUZZ_CHECK(cn_voxels_write_activity(world(), &bytes, NULL));
    fuzz_add(seeds, bytes.items, bytes.count);
    cn_array_fini(&bytes);
}

static bool run(const uint8_t *bytes, size_t size)
{
    CnError error = {0};
    uint64_t before = cn_voxels_hash(world());
    bool accepted = cn_voxels_read_activity(world(), bytes, size, &error);
    FUZZ_CHECK(accepted == (error.code == CN_OK));
    FUZZ_CHECK(accepted || cn_voxels_hash(world()) == before);
    if (accepted) {
        CnU8Array again;
        cn_array_init(&again, NULL);
        FUZZ_CHECK(cn_voxels_write_activity(world(), &again, NULL));
        FUZZ_CHECK(again.count == size && memcmp(again.items, bytes, size) == 0);
        cn_array_fini(&again);
    }
    return accepted;
}

const FuzzSurface fuzz_surface = {.max_bytes = 512, .add_seeds = add_seeds, .run = run};
