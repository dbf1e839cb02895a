/* Block data when memory runs out: a call that fails changes nothing. */
#include "failing_heap.h"
#include "standard_blocks.h"
#include "voxel_world.h"

#include <cairn/voxel/block_data.h>

#include <string.h>

static VoxelWorld made;

static int make(void **state)
{
    (void)state;
    made = voxel_world_create(NULL, 0, NULL);
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    voxel_world_destroy(&made);
    return 0;
}

static bool expect_unchanged(CnVoxels *world, uint64_t hash, CnBlockDataStats stats, bool done,
                             const CnError *error)
{
    CnBlockDataStats now = cn_block_data_stats(world);
    assert_true(done || error->code == CN_ERROR_MEMORY);
    assert_true(done || (cn_voxels_hash(world) == hash && now.blocks == stats.blocks &&
                         now.active == stats.active && now.bytes == stats.bytes &&
                         now.changed_chunks == stats.changed_chunks));
    return done;
}

static bool set(CnVoxels *world, int32_t i)
{
    CnError error = {0};
    uint64_t hash = cn_voxels_hash(world);
    CnBlockDataStats stats = cn_block_data_stats(world);
    CnBlockData data = {.kind = 1,
                        .active = i % 3 == 0,
                        .size = (uint16_t)(1 + i % 5),
                        .bytes = (const uint8_t *)"abcdef"};
    bool done = cn_block_data_set(world, (CnCell){i % 7, 200 + 16 * (i % 2), 0}, &data, &error);
    return expect_unchanged(world, hash, stats, done, &error);
}

/* The block and its data go together. */
static bool break_block(CnVoxels *world, CnCell cell)
{
    CnError error = {0};
    uint64_t hash = cn_voxels_hash(world);
    CnBlockDataStats stats = cn_block_data_stats(world);
    CnEdit edit = {.cell = cell, .new_block = CN_BLOCK_AIR};
    bool done = cn_voxels_edit(world, &edit, &error);
    return expect_unchanged(world, hash, stats, done, &error);
}

static bool save_and_load(CnVoxels *world, CnVoxels *copy)
{
    CnU8Array row;
    CnTextBuilder kinds;
    cn_array_init(&row, NULL);
    cn_array_init(&kinds, NULL);
    CnChunkPos position = {0, 12, 0};
    assert_true(cn_block_data_write(world, position, &row, NULL) &&
                cn_block_data_write_kinds(world, &kinds));
    CnError error = {0};
    uint64_t hash = cn_voxels_hash(copy);
    bool done = cn_block_data_read_kinds(copy, cn_text(kinds.items), &error);
    assert_true(done || error.code == CN_ERROR_MEMORY);
    CnBlockDataStats stats = cn_block_data_stats(copy);
    done = done && cn_block_data_read(copy, position, row.items, row.count, &error);
    cn_array_fini(&kinds);
    cn_array_fini(&row);
    return expect_unchanged(copy, hash, stats, done, &error);
}

/* A save that cannot take a row takes it later. */
static bool take_rows(CnVoxels *world)
{
    CnU8Array row;
    CnChunkPos position;
    CnError error = {0};
    cn_array_init(&row, cn_system_allocator());
    while (cn_block_data_save_left(world) > 0) {
        uint32_t left = cn_block_data_save_left(world);
        bool taken = cn_block_data_save_next(world, &position, &row, &error);
        assert_int_equal(cn_block_data_save_left(world), left - taken);
        assert_true(taken && row.count > 0);
    }
    cn_block_data_save_end(world, true);
    cn_array_fini(&row);
    return true;
}

static bool use_data(CnAllocator *allocator, void *user)
{
    (void)user;
    CnVoxelsDesc desc = {.allocator = allocator, .generator = made.generator};
    CnVoxels *world = cn_voxels_create(&desc, NULL), *copy = cn_voxels_create(&desc, NULL);
    CnBlockDataKind kind;
    bool done = world && copy && cn_block_data_kind(world, "test.kind", &kind, NULL);
    done = done && voxel_set(world, (CnCell){1, 200, 0}, BLOCK_BRICKS);
    for (int32_t i = 0; i < 30 && done; i++)
        done = set(world, i);
    if (done)
        cn_block_data_save_begin(world);
    done = done && break_block(world, (CnCell){1, 200, 0}) && take_rows(world) &&
           save_and_load(world, copy);
    done = done && cn_voxels_stats(world).out_of_memory == 0;
    cn_voxels_destroy(copy);
    cn_voxels_destroy(world);
    return done;
}

static void a_call_that_fails_changes_nothing_whichever_allocation_fails(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(use_data, NULL) > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            a_call_that_fails_changes_nothing_whichever_allocation_fails, make, unmake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
