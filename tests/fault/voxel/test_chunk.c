#include "cmocka_tests.h"
#include "failing_heap.h"
#include "standard_blocks.h"
#include "voxel_random.h"

static bool make_share_and_edit(CnAllocator *allocator, void *user)
{
    (void)user;
    CnChunk *chunk = cn_chunk_create_uniform(allocator, standard_blocks(), BLOCK_STONE),
            *shared = NULL;
    if (!chunk)
        return false;
    bool done = true;
    /* Through every form that a palette has and to the one without. */
    for (uint32_t i = 0; done && i < BLOCK_COUNT; i++) {
        uint64_t before = cn_chunk_hash(chunk);
        done = cn_chunk_set(chunk, i & 15, i >> 4 & 15, i >> 8, (CnBlock)i);
        if (!done)
            assert_true(cn_chunk_hash(chunk) == before);
    }
    if (done) {
        shared = cn_chunk_acquire(chunk);
        CnChunk *own = cn_chunk_make_unique(chunk);
        done = own != NULL;
        chunk = own ? own : chunk;
    }
    cn_chunk_release(chunk);
    cn_chunk_release(shared);
    return done;
}

static void editing_without_memory_changes_nothing(void **state)
{
    (void)state;
    run_with_failing_allocations(make_share_and_edit, NULL);
}

static bool create(CnAllocator *allocator, void *user)
{
    CnChunk *chunk = cn_chunk_create(allocator, standard_blocks(), user);
    cn_chunk_release(chunk);
    return chunk != NULL;
}

static void creating_without_memory_gives_null(void **state)
{
    (void)state;
    static CnBlock blocks[CN_CHUNK_BLOCKS];
    uint64_t random = 1;
    voxel_random_blocks(&random, 16, blocks);
    run_with_failing_allocations(create, blocks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(editing_without_memory_changes_nothing),
        cmocka_unit_test(creating_without_memory_gives_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
