/* Storing edits in parts while the world is edited and unloads chunks. */
#include "chunk_store.h"
#include "standard_blocks.h"

#include "voxel/world/voxels_internal.h"

enum { CHUNKS = 12, HEIGHT = 300 };

static const CnChunkPos FAR = {50, 1, 0};

/* What was passed in total, and what of it belongs to the begin. */
typedef struct Stores {
    ChunkStore all, begun;
} Stores;

static Stores stores;
static VoxelWorld made;
static CnVoxels *world;

static bool store_chunk(void *user, const CnStoredChunk *chunk)
{
    Stores *own = user;
    CnVoxelsHooks all = chunk_store_hooks(&own->all), begun = chunk_store_hooks(&own->begun);
    return all.chunk_store(all.user, chunk) &&
           (!chunk->at_begin || begun.chunk_store(begun.user, chunk));
}

static bool load_chunk(void *user, CnChunkPos position, CnStoredBlock blocks[CN_CHUNK_BLOCKS],
                       uint32_t *count)
{
    CnVoxelsHooks all = chunk_store_hooks(&((Stores *)user)->all);
    return all.chunk_load(all.user, position, blocks, count);
}

static int make(void **state)
{
    (void)state;
    chunk_store_init(&stores.all);
    chunk_store_init(&stores.begun);
    made = voxel_world_create(
        NULL, 0,
        &(CnVoxelsHooks){.user = &stores, .chunk_store = store_chunk, .chunk_load = load_chunk});
    world = made.world;
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    voxel_world_destroy(&made);
    chunk_store_fini(&stores.all);
    chunk_store_fini(&stores.begun);
    return 0;
}

/* High above the ground, where nothing wakes water. */
static void set(uint32_t chunk, int32_t x, CnBlock block)
{
    assert_true(voxel_set(world, (CnCell){16 * (int32_t)chunk + x, HEIGHT, 0}, block));
}

static void set_all(int32_t x, CnBlock block)
{
    for (uint32_t i = 0; i < CHUNKS; i++)
        set(i, x, block);
}

static void begin(void)
{
    assert_true(cn_voxels_store_begin(world, NULL));
}

static void store_rest(void)
{
    assert_true(cn_voxels_store_some(world, UINT32_MAX, NULL));
    assert_false(cn_voxels_is_storing(world));
}

static void go_away(void)
{
    for (uint32_t i = 0; i < 3; i++)
        voxel_show(world, FAR);
}

/* The hash of a world that consists of what was stored. */
static uint64_t hash_of(ChunkStore *store)
{
    CnVoxelsHooks hooks = chunk_store_hooks(store);
    VoxelWorld opened = voxel_world_create(NULL, 0, &hooks);
    chunk_store_open(store, opened.world);
    uint64_t hash = cn_voxels_hash(opened.world);
    voxel_world_destroy(&opened);
    return hash;
}

static void a_small_part_stores_one_chunk(void **state)
{
    (void)state;
    set_all(0, BLOCK_BRICKS);
    begin();
    assert_true(cn_voxels_store_some(world, 1, NULL));
    assert_int_equal(stores.all.stores, 1);
    assert_true(cn_voxels_is_storing(world));
    store_rest();
    assert_int_equal(stores.all.stores, CHUNKS);
}

static void edits_after_the_begin_are_not_stored_with_it(void **state)
{
    (void)state;
    set_all(0, BLOCK_BRICKS);
    uint64_t hash = cn_voxels_hash(world);
    begin();
    set_all(0, BLOCK_GLASS);
    set_all(1, BLOCK_GLASS);
    store_rest();
    assert_true(hash_of(&stores.begun) == hash);
    assert_true(cn_voxels_store_edits(world, NULL));
    assert_true(hash_of(&stores.all) == cn_voxels_hash(world));
}

static void a_chunk_that_is_first_edited_after_the_begin_is_not_stored_with_it(void **state)
{
    (void)state;
    set(0, 0, BLOCK_BRICKS);
    begin();
    set(1, 0, BLOCK_BRICKS);
    store_rest();
    assert_int_equal(stores.begun.stores, 1);
}

static void a_chunk_that_is_unloaded_while_storing_is_passed_as_it_was_and_as_it_is(void **state)
{
    (void)state;
    set_all(0, BLOCK_BRICKS);
    uint64_t hash = cn_voxels_hash(world);
    begin();
    set(3, 0, BLOCK_GLASS);
    uint64_t later = cn_voxels_hash(world);
    go_away();
    assert_int_equal(stores.begun.stores, CHUNKS);
    assert_int_equal(stores.all.stores, CHUNKS + 1);
    assert_true(hash_of(&stores.begun) == hash);
    assert_true(hash_of(&stores.all) == later);
    assert_int_equal(cn_voxels_get(world, (CnCell){16 * 3, HEIGHT, 0}), BLOCK_GLASS);
}

static void what_was_cancelled_belongs_to_the_next_begin(void **state)
{
    (void)state;
    set_all(0, BLOCK_BRICKS);
    begin();
    set_all(1, BLOCK_GLASS);
    cn_voxels_store_cancel(world);
    assert_false(cn_voxels_is_storing(world));
    uint64_t hash = cn_voxels_hash(world);
    begin();
    store_rest();
    assert_true(hash_of(&stores.begun) == hash);
}

static void a_chunk_that_cannot_be_stored_is_passed_again(void **state)
{
    (void)state;
    CnError error = {0};
    set_all(0, BLOCK_BRICKS);
    begin();
    set(2, 0, BLOCK_GLASS);
    stores.all.fails_to_store = true;
    assert_false(cn_voxels_store_some(world, UINT32_MAX, &error));
    assert_int_equal(error.code, CN_ERROR_IO);
    assert_true(cn_voxels_is_storing(world));
    stores.all.fails_to_store = false;
    store_rest();
    assert_int_equal(stores.begun.stores, CHUNKS);
}

/* At a begin, what chunks passed when they were unloaded belongs to it. */
static void take_stored(void)
{
    CnVoxelsHooks begun = chunk_store_hooks(&stores.begun);
    for (uint32_t i = 0; i < stores.all.records.count; i++) {
        const ChunkRecord *record = cn_hash_map_value(&stores.all.records, i);
        CnStoredChunk chunk = {.position =
                                   cn_chunk_from_key(cn_hash_map_key(&stores.all.records, i)),
                               .hash = record->hash,
                               .blocks = record->blocks,
                               .count = record->count};
        assert_true(begun.chunk_store(begun.user, &chunk));
    }
}

/* Edits, parts and unloading in any order. */
static void every_begin_stores_exactly_its_state(void **state)
{
    (void)state;
    uint32_t random = 1;
    for (uint32_t round = 0; round < 40; round++) {
        uint64_t hash = cn_voxels_hash(world);
        begin();
        take_stored();
        do {
            for (uint32_t i = 0; i < 5; i++) {
                random = random * 1664525u + 1013904223u;
                set(random >> 28 & 7, (int32_t)(random >> 24 & 15),
                    random >> 16 & 1 ? BLOCK_GLASS : BLOCK_BRICKS);
            }
            if (random >> 12 & 1)
                go_away();
            assert_true(cn_voxels_store_some(world, random >> 8 & 1, NULL));
        } while (cn_voxels_is_storing(world));
        assert_true(hash_of(&stores.begun) == hash);
    }
}

static void copies_that_were_never_stored_are_freed(void **state)
{
    (void)state;
    set_all(0, BLOCK_BRICKS);
    begin();
    set_all(1, BLOCK_GLASS);
    assert_int_equal(world->unstored.copies.count, CHUNKS);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, make, unmake)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_small_part_stores_one_chunk),
        TEST(edits_after_the_begin_are_not_stored_with_it),
        TEST(a_chunk_that_is_first_edited_after_the_begin_is_not_stored_with_it),
        TEST(a_chunk_that_is_unloaded_while_storing_is_passed_as_it_was_and_as_it_is),
        TEST(what_was_cancelled_belongs_to_the_next_begin),
        TEST(a_chunk_that_cannot_be_stored_is_passed_again),
        TEST(every_begin_stores_exactly_its_state),
        TEST(copies_that_were_never_stored_are_freed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
