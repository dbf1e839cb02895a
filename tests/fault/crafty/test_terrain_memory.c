/* The terrain around an eye when memory ends: an error or less terrain, never a hang, and all of it
 * when there is memory again. */
#include "cmocka_tests.h"

#include <crafty/client/terrain.h>

#include <cairn/base/log.h>

#define POINTS 4u /* of all allocations of a terrain that comes, at which memory ends */

static const CraftyStreamView eye = {
    .position = {0, 40, 0}, .forward = {0, 0, -1}, .radius = 1, .height = 1, .far_edge = 128};

static CraftyTerrain *make_terrain(CnHeap *heap, CnError *error)
{
    return crafty_terrain_create(&(CraftyTerrainDesc){.allocator = cn_heap_tag(heap, "terrain"),
                                                      .seed = 42,
                                                      .workers = 1,
                                                      .max_quads = 1 << 18},
                                 error);
}

static bool is_all_there(const CraftyTerrain *terrain)
{
    CraftyTerrainStats stats = crafty_terrain_stats(terrain);
    return crafty_terrain_is_complete(terrain) && stats.voxels.shown == 27 && stats.far_tiles > 0;
}

static void end_heap(CnHeap *heap)
{
    assert_int_equal(cn_heap_stats(heap).live_blocks, 0);
    cn_heap_destroy(heap);
}

static void a_terrain_without_memory_is_not_made(void **state)
{
    (void)state;
    CraftyTerrain *terrain = NULL;
    for (uint64_t n = 0; !terrain; n++) {
        CnError error = {0};
        CnHeap *heap = cn_heap_create(NULL, NULL);
        cn_heap_fail_after(heap, n);
        terrain = make_terrain(heap, &error);
        if (!terrain)
            assert_int_equal(error.code, CN_ERROR_MEMORY);
        crafty_terrain_destroy(terrain);
        end_heap(heap);
    }
}

static uint64_t count_calls(void)
{
    CnHeap *heap = cn_heap_create(NULL, NULL);
    CraftyTerrain *terrain = make_terrain(heap, NULL);
    uint64_t before = cn_heap_stats(heap).calls;
    crafty_terrain_wait(terrain, &eye);
    uint64_t calls = cn_heap_stats(heap).calls - before;
    assert_true(is_all_there(terrain));
    crafty_terrain_destroy(terrain);
    end_heap(heap);
    return calls;
}

/* Who waits is not kept waiting for what cannot come; the eye goes away and comes back when there
 * is memory. */
static void a_terrain_that_had_no_memory_comes_later(void **state)
{
    (void)state;
    uint64_t calls = count_calls();
    assert_true(calls > 100);
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    for (uint32_t i = 0; i < POINTS; i++) {
        CnHeap *heap = cn_heap_create(NULL, NULL);
        CraftyTerrain *terrain = make_terrain(heap, NULL);
        CraftyStreamView away = eye;
        away.position.x = 800;
        cn_heap_fail_after(heap, calls * i / POINTS);
        crafty_terrain_wait(terrain, &eye);
        crafty_terrain_stream(terrain, &eye);
        cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
        crafty_terrain_wait(terrain, &away);
        crafty_terrain_wait(terrain, &eye);
        assert_true(is_all_there(terrain));
        crafty_terrain_destroy(terrain);
        end_heap(heap);
    }
    cn_log_set_level(CN_LOG_LEVEL_INFO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_terrain_without_memory_is_not_made),
        cmocka_unit_test(a_terrain_that_had_no_memory_comes_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
