/* A world that runs out of memory: what it cannot do now it does later, and edits happen as a whole
 * or not at all. */
#include "standard_blocks.h"
#include "voxel_world.h"

#include "failing_heap.h"

static const CnChunkPos HOME = {0, 1, 0};
static CnGenerator *generator;
static VoxelWorld plain;

static int make(void **state)
{
    (void)state;
    plain = voxel_world_create(NULL, 0, NULL);
    voxel_show(plain.world, HOME);
    generator = plain.generator;
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    voxel_world_destroy(&plain);
    return 0;
}

static bool edits_some(CnAllocator *allocator, void *user)
{
    (void)user;
    CnError error = {0};
    CnVoxels *world =
        cn_voxels_create(&(CnVoxelsDesc){.allocator = allocator, .generator = generator}, &error);
    if (!world) {
        assert_int_equal(error.code, CN_ERROR_MEMORY);
        return false;
    }
    bool all = true;
    for (int32_t i = 0; i < 12; i++) {
        CnCell cell = {5 * i, 40 + i, 3 * i};
        CnEdit edit = {.cell = cell, .new_block = (CnBlock)(BLOCK_GLASS + i)};
        CnBlock before = cn_voxels_get(world, cell);
        uint64_t hash = cn_voxels_hash(world);
        uint32_t written = cn_edit_log_count(cn_voxels_log(world));
        if (!cn_voxels_edit(world, &edit, &error)) {
            assert_int_equal(error.code, CN_ERROR_MEMORY);
            assert_int_equal(cn_voxels_get(world, cell), before);
            assert_int_equal(cn_voxels_hash(world), hash);
            assert_int_equal(cn_edit_log_count(cn_voxels_log(world)), written);
            all = false;
        }
    }
    all &= cn_voxels_stats(world).out_of_memory == 0;
    cn_voxels_destroy(world);
    return all;
}

static void edits_happen_as_a_whole_or_not_at_all(void **state)
{
    (void)state;
    run_with_failing_allocations(edits_some, NULL);
}

/* Blocks that cannot be kept are still the right ones. */
static void questions_are_answered_without_memory(void **state)
{
    (void)state;
    CnHeap *heap = cn_heap_create(NULL, NULL);
    CnVoxels *world = cn_voxels_create(
        &(CnVoxelsDesc){.allocator = cn_heap_tag(heap, "voxels"), .generator = generator}, NULL);
    cn_heap_fail_after(heap, 0);
    for (int32_t i = 0; i < 200; i++) {
        CnCell cell = {i, i / 2 - 50, 3 * i};
        assert_int_equal(cn_voxels_get(world, cell), cn_voxels_get(plain.world, cell));
    }
    assert_true(cn_voxels_stats(world).out_of_memory > 0);
    assert_int_equal(cn_voxels_stats(world).chunks, 0);
    cn_voxels_destroy(world);
    cn_heap_destroy(heap);
}

static void show_without_and_with_memory(uint32_t workers, uint64_t allocations)
{
    CnHeap *heap = cn_heap_create(NULL, NULL);
    CnJobPool *jobs =
        workers ? cn_job_pool_create(&(CnJobPoolDesc){.workers = workers}, NULL) : NULL;
    CnVoxelsDesc desc = {
        .allocator = cn_heap_tag(heap, "voxels"), .generator = generator, .jobs = jobs};
    CnVoxels *world = cn_voxels_create(&desc, NULL);
    cn_heap_fail_after(heap, allocations);
    voxel_show(world, HOME);
    assert_true(cn_voxels_stats(world).out_of_memory > 0);
    assert_true(cn_voxels_stats(world).shown < 27);
    cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
    voxel_show(world, HOME);
    assert_same_view(world, plain.world, HOME);
    cn_voxels_destroy(world);
    if (jobs)
        cn_job_pool_destroy(jobs);
    assert_int_equal(cn_heap_stats(heap).live_blocks, 0);
    cn_heap_destroy(heap);
}

static void what_is_put_off_for_memory_is_done_later(void **state)
{
    (void)state;
    for (uint64_t allocations = 0; allocations < 120; allocations += 7)
        show_without_and_with_memory(allocations % 2 ? 0 : 2, allocations);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_happen_as_a_whole_or_not_at_all),
        cmocka_unit_test(questions_are_answered_without_memory),
        cmocka_unit_test(what_is_put_off_for_memory_is_done_later),
    };
    return cmocka_run_group_tests(tests, make, unmake);
}
