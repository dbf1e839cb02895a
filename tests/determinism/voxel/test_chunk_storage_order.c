/* test-labels: threads */
/* The same session of edits, ticks and water in a world that unloads its edited chunks all the time
 * and in one that keeps them. */
#include "chunk_store.h"

#include "random.h"
#include "standard_blocks.h"

/* Sanitizers are slow: a short session runs the same code. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MAX_EDITS 300
#define MAX_EDITS_WITH_WORKERS 100
#else
#define MAX_EDITS 2000
#define MAX_EDITS_WITH_WORKERS 300
#endif
#define SPAN 5 /* chunks in which edits are made, along each axis */

static const CnBlock BLOCKS[] = {CN_BLOCK_AIR,    CN_BLOCK_AIR,   BLOCK_STONE, BLOCK_STONE,
                                 BLOCK_GLOWSTONE, CN_BLOCK_WATER, BLOCK_GLASS, BLOCK_OAK_LEAVES};

typedef struct Session {
    ChunkStore store;
    VoxelWorld unloading, keeping;
    TestRandom random;
    CnCell edited[MAX_EDITS];
    uint32_t edits;
} Session;

static int32_t along(TestRandom *random)
{
    return (int32_t)test_random_below(random, 16 * SPAN) - 8 * SPAN;
}

static CnCell random_cell(Session *session)
{
    TestRandom *random = &session->random;
    CnCell cell = {along(random), 16 + along(random), along(random)};
    if (test_random_chance(random, 40)) {
        cell.y = cn_voxels_height(session->keeping.world, cell.x, cell.z);
        assert_int_equal(cn_voxels_height(session->unloading.world, cell.x, cell.z), cell.y);
        cell.y += (int32_t)test_random_below(random, 3);
    }
    return cell;
}

/* Tiny views that jump: nearly everything is unloaded again and again. */
static void stream(Session *session)
{
    TestRandom *random = &session->random;
    CnVoxelsView view = voxel_view((CnChunkPos){(int32_t)test_random_below(random, SPAN) - 2,
                                                (int32_t)test_random_below(random, SPAN) - 1,
                                                (int32_t)test_random_below(random, SPAN) - 2});
    view.wait = test_random_chance(random, 30);
    view.eye.x += test_random_chance(random, 20) ? 1600.0f : 0.0f;
    view.budget = 1 + test_random_below(random, 8);
    cn_voxels_stream(session->unloading.world, &view);
}

static void step(Session *session, uint32_t i)
{
    CnCell cell = random_cell(session);
    CnBlock block = BLOCKS[test_random_below(&session->random, CN_COUNT_OF(BLOCKS))];
    assert_true(voxel_set(session->unloading.world, cell, block));
    assert_true(voxel_set(session->keeping.world, cell, block));
    session->edited[i] = cell;
    for (uint32_t frames = test_random_below(&session->random, 4); frames > 0; frames--)
        stream(session);
    if (i % 4 == 0) {
        CnVec3 player = {0, 30, 0};
        CnVoxelsTick tick = {
            .tick = i, .players = &player, .player_count = 1, .water_ticks = 1, .water_budget = 50};
        cn_voxels_tick(session->unloading.world, &tick);
        cn_voxels_tick(session->keeping.world, &tick);
    }
    assert_true(cn_voxels_hash(session->unloading.world) == cn_voxels_hash(session->keeping.world));
}

static void assert_same_blocks(Session *session)
{
    for (int32_t i = 0; i < 7 * 7 * 7; i++) {
        CnChunkPos position = {i % 7 - 3, i / 7 % 7 - 2, i / 49 - 3};
        const CnChunk *chunk = cn_voxels_chunk(session->unloading.world, position);
        uint64_t hash = cn_chunk_hash(chunk);
        assert_true(hash == cn_chunk_hash(cn_voxels_chunk(session->keeping.world, position)));
    }
    for (uint32_t i = 0; i < session->edits; i++)
        assert_int_equal(cn_voxels_get(session->unloading.world, session->edited[i]),
                         cn_voxels_get(session->keeping.world, session->edited[i]));
}

static void check(uint32_t workers, uint64_t seed, uint32_t edits)
{
    static Session session;
    session = (Session){.random = {seed}, .edits = edits};
    chunk_store_init(&session.store);
    CnVoxelsHooks hooks = chunk_store_hooks(&session.store);
    session.unloading = voxel_world_create(NULL, workers, &hooks);
    session.keeping = voxel_world_create(NULL, 0, NULL);
    for (uint32_t i = 0; i < edits; i++)
        step(&session, i);
    /* The session must have unloaded and loaded for the comparison to mean anything. */
    assert_true(session.store.stores > edits / 10 && session.store.loads > edits / 10);
    assert_int_equal(cn_voxels_stats(session.unloading.world).storage_failures, 0);
    assert_same_blocks(&session);
    for (int32_t x = -1; x <= 1; x += 2) {
        CnChunkPos middle = {x, 1, 0};
        voxel_show(session.unloading.world, middle);
        voxel_show(session.keeping.world, middle);
        assert_same_view(session.unloading.world, session.keeping.world, middle);
    }
    voxel_world_destroy(&session.unloading);
    voxel_world_destroy(&session.keeping);
    chunk_store_fini(&session.store);
}

static void unloading_edited_chunks_changes_nothing(void **state)
{
    (void)state;
    check(0, 1, MAX_EDITS);
}

static void unloading_while_jobs_run_changes_nothing(void **state)
{
    (void)state;
    check(1, 2, MAX_EDITS_WITH_WORKERS);
    check(3, 3, MAX_EDITS_WITH_WORKERS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        one_thread_test(unloading_edited_chunks_changes_nothing),
        cmocka_unit_test(unloading_while_jobs_run_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
