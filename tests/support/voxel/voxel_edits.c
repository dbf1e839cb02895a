#include "standard_blocks.h"
#include "voxel_edits.h"

#include "random.h"

static const CnBlock BLOCKS[] = {
    CN_BLOCK_AIR,    CN_BLOCK_AIR, CN_BLOCK_AIR,   BLOCK_STONE, BLOCK_STONE,
    BLOCK_GLOWSTONE, BLOCK_TORCH,  CN_BLOCK_WATER, BLOCK_GLASS, BLOCK_OAK_LEAVES,
};

static CnCell random_cell(CnVoxels *world, const VoxelEdits *edits, TestRandom *random, CnCell last)
{
    CnCell cell;
    switch (test_random_below(random, 4)) {
    case 0: /* near the last one */
        cell = (CnCell){last.x + (int32_t)test_random_below(random, 5) - 2,
                        last.y + (int32_t)test_random_below(random, 5) - 2,
                        last.z + (int32_t)test_random_below(random, 5) - 2};
        break;
    case 1: /* at the sky */
        cell.x = 16 * edits->middle.x - 16 + (int32_t)test_random_below(random, 48);
        cell.z = 16 * edits->middle.z - 16 + (int32_t)test_random_below(random, 48);
        cell.y = cn_voxels_height(world, cell.x, cell.z) + (int32_t)test_random_below(random, 3);
        break;
    default:
        cell = (CnCell){16 * edits->middle.x - 16 + (int32_t)test_random_below(random, 48),
                        16 * edits->middle.y - 16 + (int32_t)test_random_below(random, 48),
                        16 * edits->middle.z - 16 + (int32_t)test_random_below(random, 48)};
    }
    return cell;
}

/* Both worlds in full: the one that has followed edits, and one that has only just seen them. */
static void compare(CnVoxels *world, const VoxelEdits *edits)
{
    VoxelWorld fresh = voxel_world_create(NULL, 0, NULL);
    CnEditLog *log = cn_voxels_log(world);
    voxel_show(world, edits->middle);
    for (uint32_t i = 0; i < cn_edit_log_count(log); i++) {
        CnEdit edit = cn_edit_log_at(log, i);
        assert_true(cn_voxels_edit(fresh.world, &edit, NULL));
    }
    voxel_show(fresh.world, edits->middle);
    assert_int_equal(cn_voxels_hash(world), cn_voxels_hash(fresh.world));
    assert_same_view(world, fresh.world, edits->middle);
    voxel_world_destroy(&fresh);
}

void check_voxel_edits(const VoxelEdits *edits)
{
    VoxelWorld made = voxel_world_create(NULL, edits->workers, NULL);
    TestRandom random = {edits->seed};
    CnCell last = {16 * edits->middle.x, 16 * edits->middle.y, 16 * edits->middle.z};
    CnVoxelsView view = voxel_view(edits->middle);
    uint32_t until_frame = 1;
    for (uint32_t i = 1; i <= edits->count; i++) {
        last = random_cell(made.world, edits, &random, last);
        voxel_set(made.world, last, BLOCKS[test_random_below(&random, CN_COUNT_OF(BLOCKS))]);
        if (--until_frame == 0) {
            view.wait = test_random_chance(&random, 20);
            cn_voxels_stream(made.world, &view);
            until_frame = 1 + test_random_below(&random, 30);
        }
        if (edits->compared_every > 0 && i % edits->compared_every == 0)
            compare(made.world, edits);
    }
    compare(made.world, edits);
    voxel_world_destroy(&made);
}
