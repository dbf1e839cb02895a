/* Edits of whole chunks: versions, reading, replacing, hashes. */
/* test-labels: threads */
#include "chunk_store.h"
#include "standard_blocks.h"
#include "voxel_world.h"

#include "voxel/world/voxels_internal.h"

#include <cairn/voxel/block_data.h>
#include <cairn/voxel/edited_chunks.h>

#include <stdlib.h>

static const CnChunkPos HOME = {0, 1, 0};

static VoxelWorld made;
static CnVoxels *world;
static CnHeap *heap;
static ChunkStore store;
static uint32_t replaced, block_changes;

static void count_replaced(void *user, CnChunkPos position)
{
    (void)user;
    (void)position;
    replaced++;
}

static void count_changed(void *user, const CnEdit *edit)
{
    (void)user;
    (void)edit;
    block_changes++;
}

static int make_with(uint32_t workers, bool with_store)
{
    chunk_store_init(&store);
    CnVoxelsHooks hooks = {.user = &store};
    if (with_store)
        hooks = chunk_store_hooks(&store);
    hooks.edits_replaced = count_replaced;
    hooks.block_changed = count_changed;
    replaced = block_changes = 0;
    heap = cn_heap_create(NULL, NULL);
    made = voxel_world_create(cn_heap_tag(heap, "voxels"), workers, &hooks);
    world = made.world;
    return 0;
}

static int make(void **state)
{
    (void)state;
    return make_with(0, true);
}

static int make_with_workers(void **state)
{
    (void)state;
    return make_with(2, true);
}

static int make_without_store(void **state)
{
    (void)state;
    return make_with(0, false);
}

static int unmake(void **state)
{
    (void)state;
    voxel_world_destroy(&made);
    assert_int_equal(cn_heap_stats(heap).live_blocks, 0);
    cn_heap_destroy(heap);
    chunk_store_fini(&store);
    return 0;
}

/* A block that differs from the generated one. */
static CnBlock other_block(CnCell cell)
{
    VoxelWorld plain = voxel_world_create(NULL, 0, NULL);
    CnBlock block =
        cn_voxels_get(plain.world, cell) == CN_BLOCK_AIR ? CN_BLOCK_WATER : CN_BLOCK_AIR;
    voxel_world_destroy(&plain);
    return block;
}

static CnBlock generated_block(CnCell cell)
{
    VoxelWorld plain = voxel_world_create(NULL, 0, NULL);
    CnBlock block = cn_voxels_get(plain.world, cell);
    voxel_world_destroy(&plain);
    return block;
}

static void unload_all(void)
{
    cn_voxels_prepare(
        world, &(CnVoxelsPrepare){.centers = &(CnVec3){9000, 0, 0}, .count = 1, .wait = true});
    cn_voxels_prepare(world, &(CnVoxelsPrepare){.wait = true});
    cni_voxel_unload_all(world);
    cni_voxel_unload_all(world);
    assert_int_equal(cn_voxels_stats(world).chunks, 0);
}

/* ---- Versions ---- */

typedef struct Visited {
    CnEditedChunk chunks[16];
    uint32_t count, most;
} Visited;

static bool visit(void *user, const CnEditedChunk *chunk)
{
    Visited *visited = user;
    assert_true(visited->count < 16);
    visited->chunks[visited->count++] = *chunk;
    return visited->count < visited->most;
}

static Visited visit_around(CnChunkPos center, uint32_t radius, uint64_t since)
{
    Visited visited = {.most = 16};
    CnEditedChunks which = {
        .center = center, .radius = radius, .since = since, .visit = visit, .user = &visited};
    assert_true(cn_voxels_edited_chunks(world, &which));
    return visited;
}

static void edited_chunks_are_visited_from_the_center_outwards(void **state)
{
    (void)state;
    CnCell cells[3] = {{40, 20, 0}, {3, 20, 3}, {-20, 20, 3}};
    for (uint32_t i = 0; i < 3; i++)
        assert_true(voxel_set(world, cells[i], other_block(cells[i])));
    Visited visited = visit_around(HOME, 2, 0);
    assert_int_equal(visited.count, 3);
    assert_int_equal(visited.chunks[0].position.x, 0);
    assert_int_equal(visited.chunks[2].position.x, abs(visited.chunks[2].position.x) == 2 ? 2 : -2);
    assert_int_equal(visit_around(HOME, 1, 0).count, 1);
}

static void several_chunks_of_a_column_are_visited(void **state)
{
    (void)state;
    for (int32_t y = 0; y < 4; y++)
        assert_true(voxel_set(world, (CnCell){3, 200 + 16 * y, 3}, CN_BLOCK_WATER));
    assert_int_equal(visit_around(HOME, 0, 0).count, 4);
}

static void unloaded_chunks_are_visited(void **state)
{
    (void)state;
    CnCell cell = {3, 20, 3};
    assert_true(voxel_set(world, cell, other_block(cell)));
    unload_all();
    Visited visited = visit_around(HOME, 3, 0);
    assert_int_equal(visited.count, 1);
    assert_false(cn_voxels_is_loaded(world, HOME));
}

static void a_change_gives_a_chunk_a_new_version(void **state)
{
    (void)state;
    CnCell cell = {3, 20, 3}, other = {3, 20, 40};
    assert_true(voxel_set(world, cell, other_block(cell)));
    uint64_t first = cn_voxels_version(world);
    assert_int_equal(cn_voxels_column_version(world, 0, 0), first);
    assert_int_equal(visit_around(HOME, 2, first).count, 0);
    assert_true(voxel_set(world, other, other_block(other)));
    assert_true(cn_voxels_version(world) > first);
    assert_int_equal(cn_voxels_column_version(world, 0, 0), first);
    Visited visited = visit_around(HOME, 2, first);
    assert_int_equal(visited.count, 1);
    assert_int_equal(visited.chunks[0].position.z, 2);
}

static void a_visitor_can_stop(void **state)
{
    (void)state;
    for (int32_t y = 0; y < 4; y++)
        assert_true(voxel_set(world, (CnCell){3, 200 + 16 * y, 3}, CN_BLOCK_WATER));
    Visited visited = {.most = 2};
    CnEditedChunks which = {.center = HOME, .visit = visit, .user = &visited};
    assert_false(cn_voxels_edited_chunks(world, &which));
    assert_int_equal(visited.count, 2);
}

/* ---- Reading ---- */

static CnStoredBlock blocks[CN_CHUNK_BLOCKS];

static uint32_t read_home(void)
{
    uint32_t count = 99;
    assert_true(cn_voxels_read_edits(world, HOME, blocks, &count, NULL));
    return count;
}

static void assert_edits_are_read(void)
{
    CnCell cells[2] = {{3, 20, 9}, {3, 20, 3}};
    CnBlock other[2] = {other_block(cells[0]), other_block(cells[1])};
    assert_int_equal(read_home(), 0);
    for (uint32_t i = 0; i < 2; i++)
        assert_true(voxel_set(world, cells[i], other[i]));
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(read_home(), 2);
        assert_int_equal(blocks[0].index, cn_chunk_index(cells[1]));
        assert_int_equal(blocks[0].block, other[1]);
        assert_int_equal(blocks[1].index, cn_chunk_index(cells[0]));
        assert_int_equal(blocks[1].block, other[0]);
        if (world->stored_blocks)
            unload_all();
    }
}

static void edits_of_loaded_and_unloaded_chunks_are_read(void **state)
{
    (void)state;
    assert_edits_are_read();
    assert_false(cn_voxels_is_loaded(world, HOME));
}

static void stored_edits_in_any_order_are_read_in_order(void **state)
{
    (void)state;
    assert_true(voxel_set(world, (CnCell){3, 20, 3}, other_block((CnCell){3, 20, 3})));
    assert_true(voxel_set(world, (CnCell){3, 20, 9}, other_block((CnCell){3, 20, 9})));
    unload_all();
    ChunkRecord *record = chunk_store_find(&store, HOME);
    CnStoredBlock first = record->blocks[0];
    record->blocks[0] = record->blocks[1];
    record->blocks[1] = first;
    assert_int_equal(read_home(), 2);
    assert_int_equal(blocks[0].index, first.index);
    assert_int_equal(blocks[0].block, first.block);
    assert_true(blocks[1].index > first.index);
}

static void edits_are_read_without_storage(void **state)
{
    (void)state;
    assert_edits_are_read();
}

static void edits_that_cannot_be_loaded_are_an_error(void **state)
{
    (void)state;
    CnCell cell = {3, 20, 3};
    assert_true(voxel_set(world, cell, other_block(cell)));
    unload_all();
    store.fails_to_load = true;
    CnError error = {0};
    uint32_t count;
    assert_false(cn_voxels_read_edits(world, HOME, blocks, &count, &error));
    assert_int_equal(error.code, CN_ERROR_IO);
    assert_false(
        cn_voxels_read_edits(world, (CnChunkPos){CN_CHUNK_LIMIT, 0, 0}, blocks, &count, &error));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
}

/* ---- Replacing ---- */

static void replace(CnCell cell, CnBlock block)
{
    CnStoredBlock stored = {.index = (uint16_t)cn_chunk_index(cell), .block = block};
    CnStoredChunk chunk = {.position = cn_chunk_of(cell), .blocks = &stored, .count = 1};
    assert_true(cn_voxels_set_edits(world, &chunk, NULL));
}

/* Old edits go, the new one stays, whatever is loaded. */
static void assert_edits_are_replaced(bool is_loaded)
{
    CnCell old = {3, 20, 3}, now = {9, 22, 5};
    CnBlock old_block = generated_block(old), now_block = other_block(now);
    assert_true(voxel_set(world, old, other_block(old)));
    if (!is_loaded)
        unload_all();
    uint32_t changes = block_changes, edits = cn_edit_log_count(cn_voxels_log(world));
    replace(now, now_block);
    assert_int_equal(cn_voxels_is_loaded(world, HOME), is_loaded);
    assert_int_equal(cn_voxels_get(world, old), old_block);
    assert_int_equal(cn_voxels_get(world, now), now_block);
    assert_int_equal(read_home(), 1);
    assert_int_equal(replaced, 1);
    assert_int_equal(block_changes, changes);
    assert_int_equal(cn_edit_log_count(cn_voxels_log(world)), edits);
}

static void edits_of_a_loaded_chunk_are_replaced(void **state)
{
    (void)state;
    assert_edits_are_replaced(true);
}

static void edits_of_an_unloaded_chunk_are_replaced(void **state)
{
    (void)state;
    assert_edits_are_replaced(false);
}

static void edits_are_replaced_without_storage(void **state)
{
    (void)state;
    assert_edits_are_replaced(true);
}

static void edits_can_be_set_in_a_world_without_any(void **state)
{
    (void)state;
    CnCell cell = {3, 20, 3};
    CnBlock block = other_block(cell);
    replace(cell, block);
    assert_false(cn_voxels_is_loaded(world, HOME));
    assert_int_equal(cn_voxels_get(world, cell), block);
}

static void edits_set_without_storage_load_the_chunk(void **state)
{
    (void)state;
    CnCell cell = {3, 20, 3};
    CnBlock block = other_block(cell);
    replace(cell, block);
    assert_true(cn_voxels_is_loaded(world, HOME));
    assert_int_equal(cn_voxels_get(world, cell), block);
}

static void edits_set_while_the_chunk_is_generated_win(void **state)
{
    (void)state;
    CnCell cell = {3, 20, 3};
    CnBlock block = other_block(cell);
    CnVec3 center = {8, 24, 8};
    CnVoxelsPrepare prepare = {.centers = &center, .count = 1, .radius = 1, .height = 1};
    cn_voxels_prepare(world, &prepare);
    replace(cell, block);
    prepare.wait = true;
    assert_true(cn_voxels_prepare(world, &prepare));
    assert_int_equal(cn_voxels_get(world, cell), block);
    assert_int_equal(read_home(), 1);
}

static void the_hash_is_that_of_the_same_single_edits(void **state)
{
    (void)state;
    CnCell cell = {3, 20, 3};
    CnBlock block = other_block(cell);
    VoxelWorld other = voxel_world_create(NULL, 0, NULL);
    assert_true(voxel_set(other.world, cell, block));
    replace(cell, block);
    cn_voxels_get(world, cell);
    assert_int_equal(world->edit_sum, other.world->edit_sum);
    replace((CnCell){9, 22, 5}, CN_BLOCK_WATER);
    replace(cell, block);
    assert_int_equal(world->edit_sum, other.world->edit_sum);
    unload_all();
    assert_int_equal(world->edit_sum, other.world->edit_sum);
    cn_voxels_get(world, cell);
    assert_int_equal(world->edit_sum, other.world->edit_sum);
    voxel_world_destroy(&other);
}

static void no_blocks_remove_all_edits(void **state)
{
    (void)state;
    CnCell cell = {3, 20, 3};
    CnBlock before = cn_voxels_get(world, cell);
    assert_true(voxel_set(world, cell, other_block(cell)));
    unload_all();
    CnStoredChunk none = {.position = HOME};
    assert_true(cn_voxels_set_edits(world, &none, NULL));
    assert_int_equal(cn_voxels_get(world, cell), before);
    assert_int_equal(read_home(), 0);
    assert_int_equal(world->edit_sum, 0);
    unload_all();
    assert_int_equal(cn_voxels_get(world, cell), before);
}

static void single_edits_follow_replaced_ones(void **state)
{
    (void)state;
    CnCell cell = {3, 20, 3}, next = {4, 20, 3};
    replace(cell, other_block(cell));
    assert_true(voxel_set(world, next, other_block(next)));
    unload_all();
    assert_int_equal(read_home(), 2);
    assert_int_equal(cn_voxels_get(world, next), other_block(next));
}

static void replaced_edits_are_shown(void **state)
{
    (void)state;
    CnCell roof = {4, 60, 4}, low = {9, 22, 5};
    voxel_show(world, HOME);
    CnStoredBlock many[256];
    CnBlock stone = cn_block_find(standard_blocks(), "stone");
    for (uint32_t i = 0; i < 256; i++)
        many[i] = (CnStoredBlock){
            (uint16_t)cn_chunk_index((CnCell){(int32_t)i & 15, roof.y, (int32_t)i >> 4}), stone};
    /* Indices ascend along z. */
    CnStoredChunk chunk = {.position = cn_chunk_of(roof), .blocks = many, .count = 256};
    assert_true(cn_voxels_set_edits(world, &chunk, NULL));
    replace(low, other_block(low));
    voxel_show(world, HOME);
    VoxelWorld other = voxel_world_create(NULL, 0, NULL);
    for (uint32_t i = 0; i < 256; i++)
        assert_true(
            voxel_set(other.world, (CnCell){(int32_t)i & 15, roof.y, (int32_t)i >> 4}, stone));
    assert_true(voxel_set(other.world, low, other_block(low)));
    voxel_show(other.world, HOME);
    assert_same_view(world, other.world, HOME);
    voxel_world_destroy(&other);
}

static void the_same_edits_again_change_nothing(void **state)
{
    (void)state;
    CnCell cell = {3, 20, 3};
    CnBlock block = other_block(cell);
    replace(cell, block);
    cn_voxels_get(world, cell);
    uint64_t version = cn_voxels_version(world);
    replace(cell, block);
    assert_int_equal(cn_voxels_version(world), version);
}

static void refuse(const CnStoredBlock *bad, uint32_t count, CnChunkPos position, CnErrorCode code)
{
    CnError error = {0};
    uint64_t version = cn_voxels_version(world);
    CnStoredChunk chunk = {.position = position, .blocks = bad, .count = count};
    assert_false(cn_voxels_set_edits(world, &chunk, &error));
    assert_int_equal(error.code, code);
    assert_int_equal(cn_voxels_version(world), version);
}

static void invalid_edits_are_refused(void **state)
{
    (void)state;
    CnStoredBlock bad[2] = {{5, CN_BLOCK_WATER}, {5, CN_BLOCK_WATER}};
    refuse(bad, 2, HOME, CN_ERROR_FORMAT);
    bad[1].index = CN_CHUNK_BLOCKS;
    refuse(bad, 2, HOME, CN_ERROR_FORMAT);
    bad[1] = (CnStoredBlock){6, 4095};
    refuse(bad, 2, HOME, CN_ERROR_FORMAT);
    bad[1] = (CnStoredBlock){6, CN_BLOCK_WATER};
    refuse(bad, 2, (CnChunkPos){0, CN_CHUNK_LIMIT, 0}, CN_ERROR_LIMIT);
}

static void edits_that_cannot_be_stored_change_nothing(void **state)
{
    (void)state;
    store.fails_to_store = true;
    CnStoredBlock one = {5, CN_BLOCK_WATER};
    CnError error = {0};
    CnStoredChunk chunk = {.position = HOME, .blocks = &one, .count = 1};
    assert_false(cn_voxels_set_edits(world, &chunk, &error));
    assert_int_equal(error.code, CN_ERROR_IO);
    assert_int_equal(read_home(), 0);
    assert_int_equal(cn_voxels_stats(world).stored, 0);
}

/* ---- Hashes ---- */

static bool hash_home(CnVoxels *of, uint64_t *hash)
{
    for (int32_t y = 0; y < 3; y++)
        cn_voxels_get(of, (CnCell){0, 16 * y, 0});
    return cn_voxels_column_hash(of, 0, 0, 0, 3, hash);
}

static void a_column_that_is_not_loaded_has_no_hash(void **state)
{
    (void)state;
    uint64_t hash;
    assert_false(cn_voxels_column_hash(world, 0, 0, 0, 3, &hash));
    assert_int_equal(cn_voxels_stats(world).chunks, 0);
    assert_true(hash_home(world, &hash));
    assert_false(cn_voxels_column_hash(world, 0, 0, 0, 4, &hash));
}

static void equal_blocks_have_equal_hashes(void **state)
{
    (void)state;
    CnCell cell = {3, 20, 3};
    CnBlock block = other_block(cell), before = cn_voxels_get(world, cell);
    VoxelWorld other = voxel_world_create(NULL, 0, NULL);
    uint64_t first, hash, of_other;
    assert_true(hash_home(world, &first) && hash_home(other.world, &of_other));
    assert_int_equal(first, of_other);
    assert_true(voxel_set(other.world, cell, block) && hash_home(other.world, &of_other));
    assert_int_not_equal(first, of_other);
    replace(cell, block);
    assert_true(hash_home(world, &hash));
    assert_int_equal(hash, of_other);
    assert_true(voxel_set(world, cell, before) && hash_home(world, &hash));
    assert_int_equal(hash, first);
    voxel_world_destroy(&other);
}

static void another_generator_has_another_hash(void **state)
{
    (void)state;
    CnGenerator *generator = cn_generator_create(
        &(CnGeneratorDesc){.blocks = standard_blocks(), .seed = 8, .no_erosion = true}, NULL);
    CnVoxels *other = cn_voxels_create(&(CnVoxelsDesc){.generator = generator}, NULL);
    uint64_t hash, of_other;
    assert_true(hash_home(world, &hash) && hash_home(other, &of_other));
    assert_int_not_equal(hash, of_other);
    cn_voxels_destroy(other);
    cn_generator_destroy(generator);
}

static void equal_chunks_elsewhere_have_another_hash(void **state)
{
    (void)state;
    uint64_t one, other;
    cn_voxels_get(world, (CnCell){0, 16 * 100, 0});
    cn_voxels_get(world, (CnCell){0, 16 * 101, 0});
    assert_true(cn_voxels_chunk_hash(world, (CnChunkPos){0, 100, 0}, &one));
    assert_true(cn_voxels_chunk_hash(world, (CnChunkPos){0, 101, 0}, &other));
    assert_int_not_equal(one, other);
}

/* ---- Block data ---- */

static void data_of_a_chunk_is_replaced(void **state)
{
    (void)state;
    CnBlockDataKind kind;
    CnU8Array bytes;
    cn_array_init(&bytes, NULL);
    assert_true(cn_block_data_kind(world, "test.sign", &kind, NULL));
    CnBlockData data = {.kind = kind, .active = true, .size = 3, .bytes = (const uint8_t *)"abc"};
    CnCell cell = {3, 20, 3}, old = {4, 20, 3};
    assert_true(cn_block_data_set(world, cell, &data, NULL));
    assert_true(cn_block_data_write(world, HOME, &bytes, NULL));
    uint64_t hash = cn_block_data_hash(world);
    assert_true(cn_block_data_remove(world, cell, NULL));
    assert_true(cn_block_data_set(world, old, &data, NULL));
    assert_true(cn_block_data_replace(world, HOME, bytes.items, bytes.count, NULL));
    assert_int_equal(cn_block_data_hash(world), hash);
    assert_false(cn_block_data_get(world, old, &data));
    assert_true(cn_block_data_get(world, cell, &data));
    assert_int_equal(cn_block_data_stats(world).active, 1);
    assert_true(cn_block_data_replace(world, HOME, NULL, 0, NULL));
    assert_int_equal(cn_block_data_hash(world), 0);
    assert_int_equal(cn_block_data_stats(world).active, 0);
    cn_array_fini(&bytes);
}

static void malformed_data_replaces_nothing(void **state)
{
    (void)state;
    CnBlockDataKind kind;
    assert_true(cn_block_data_kind(world, "test.sign", &kind, NULL));
    CnBlockData data = {.kind = kind, .size = 3, .bytes = (const uint8_t *)"abc"};
    assert_true(cn_block_data_set(world, (CnCell){3, 20, 3}, &data, NULL));
    uint64_t hash = cn_block_data_hash(world);
    CnError error = {0};
    assert_false(cn_block_data_replace(world, HOME, (const uint8_t *)"\1\0\0\0\0", 5, &error));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
    assert_int_equal(cn_block_data_hash(world), hash);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, unmake)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(edited_chunks_are_visited_from_the_center_outwards),
        TEST(several_chunks_of_a_column_are_visited),
        TEST(unloaded_chunks_are_visited),
        TEST(a_change_gives_a_chunk_a_new_version),
        TEST(a_visitor_can_stop),
        TEST(edits_of_loaded_and_unloaded_chunks_are_read),
        cmocka_unit_test_setup_teardown(edits_are_read_without_storage, make_without_store, unmake),
        TEST(stored_edits_in_any_order_are_read_in_order),
        TEST(edits_that_cannot_be_loaded_are_an_error),
        TEST(edits_of_a_loaded_chunk_are_replaced),
        TEST(edits_of_an_unloaded_chunk_are_replaced),
        cmocka_unit_test_setup_teardown(edits_are_replaced_without_storage, make_without_store,
                                        unmake),
        TEST(edits_can_be_set_in_a_world_without_any),
        cmocka_unit_test_setup_teardown(edits_set_without_storage_load_the_chunk,
                                        make_without_store, unmake),
        cmocka_unit_test_setup_teardown(edits_set_while_the_chunk_is_generated_win,
                                        make_with_workers, unmake),
        TEST(the_hash_is_that_of_the_same_single_edits),
        TEST(no_blocks_remove_all_edits),
        TEST(single_edits_follow_replaced_ones),
        cmocka_unit_test_setup_teardown(replaced_edits_are_shown, make_with_workers, unmake),
        TEST(the_same_edits_again_change_nothing),
        TEST(invalid_edits_are_refused),
        TEST(edits_that_cannot_be_stored_change_nothing),
        TEST(a_column_that_is_not_loaded_has_no_hash),
        TEST(equal_blocks_have_equal_hashes),
        TEST(another_generator_has_another_hash),
        TEST(equal_chunks_elsewhere_have_another_hash),
        TEST(data_of_a_chunk_is_replaced),
        TEST(malformed_data_replaces_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
