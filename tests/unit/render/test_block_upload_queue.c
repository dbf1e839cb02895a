/* The upload queue of blocks: what is queued is on the device some frames later, and no more than
 * fits. */
#include "render_fixture.h"
#include "standard_blocks.h"

#include "render/block/block_view.h"

#include <math.h>
#include <string.h>

typedef struct View {
    RenderFixture fixture;
    CnHeap *heap;
    CnBlockView *view;
} View;

static View made;

static void make_view(uint32_t max_quads, uint32_t upload_bytes)
{
    CnError error = {0};
    CnFileBytes bytes;
    assert_true(render_fixture_init(&made.fixture, RENDER_NULL));
    assert_true(cn_file_read_all(cn_native_files(), CRAFTY_BLOCK_TILES, NULL, &bytes, &error));
    made.heap = cn_heap_create(NULL, NULL);
    made.view =
        cn_block_view_create(&(CnBlockViewDesc){.blocks = standard_blocks(),
                                                .allocator = cn_heap_tag(made.heap, "blocks"),
                                                .textures = bytes.data,
                                                .texture_bytes = bytes.size,
                                                .max_quads = max_quads,
                                                .upload_bytes = upload_bytes},
                             &error);
    assert_non_null(made.view);
    cn_file_bytes_free(&bytes);
}

static void make(uint32_t max_quads, uint32_t upload_bytes)
{
    make_view(max_quads, upload_bytes);
    render_fixture_add(&made.fixture, &cn_feature_blocks, &(CnBlocksOptions){.view = made.view});
    render_fixture_add(&made.fixture, &cn_feature_tone_map, NULL);
}

static int teardown(void **state)
{
    (void)state;
    render_fixture_fini(&made.fixture);
    cn_block_view_destroy(made.view);
    assert_int_equal(cn_heap_stats(made.heap).live_blocks, 0);
    cn_heap_destroy(made.heap);
    return 0;
}

/* A chunk whose upper faces are `count` quads. */
static bool set(int32_t x, uint32_t count)
{
    static CnQuad quads[4096];
    CnChunkMesh mesh = {.quads = quads, .count = count};
    for (uint32_t i = CN_FACE_POS_Y + 1; i < CN_COUNT_OF(mesh.first); i++)
        mesh.first[i] = count;
    return cn_block_view_set(made.view, (CnChunkPos){x, 0, 0}, &mesh);
}

static bool set_far(int32_t x, int32_t z, uint32_t level)
{
    CnLodQuad quad = {.y = 60,
                      .width = (uint16_t)cn_lod_tile_blocks(level),
                      .height = (uint16_t)cn_lod_tile_blocks(level),
                      .face = CN_FACE_POS_Y,
                      .block = BLOCK_STONE};
    return cn_block_view_set_far(
        made.view,
        &(CnLodMesh){.tile = {x, z, level}, .quads = &quad, .count = 1, .min_y = 60, .max_y = 60});
}

static bool is_shown(int32_t x, int32_t z, uint32_t level)
{
    const uint32_t *number =
        cn_hash_map_get(&made.view->tiles, cni_render_far_tile_key((CnLodTile){x, z, level}));
    assert_non_null(number);
    return !(made.view->all.items[*number].level & CNI_RENDER_BLOCK_HIDDEN);
}

static CnBlockViewStats draw(uint32_t frames)
{
    render_fixture_draw(&made.fixture, frames);
    return cn_block_view_stats(made.view);
}

static void what_is_set_is_there_in_the_next_frame(void **state)
{
    (void)state;
    make(10000, 0);
    set(0, 100);
    CnBlockViewStats stats = draw(1);
    assert_int_equal(stats.chunks, 1);
    assert_int_equal(stats.quads, 100);
}

static void a_view_has_no_more_quads_than_shaders_see(void **state)
{
    (void)state;
    make(UINT32_MAX, 0);
    uint64_t most = cn_gpu_info(made.fixture.gpu).max_storage_bytes;
    assert_true(most < (uint64_t)UINT32_MAX * sizeof(CnQuad));
    assert_int_equal(made.view->max_quads, most / sizeof(CnQuad));
    assert_int_equal(
        cni_render_ranges_alloc(&made.view->ranges, (uint32_t)(most / sizeof(CnQuad)) + 1),
        CNI_RENDER_NO_RANGE);
    set(0, 100);
    assert_int_equal(draw(1).quads, 100);
}

static void an_empty_chunk_is_there_without_quads(void **state)
{
    (void)state;
    make(10000, 0);
    set(0, 0);
    CnBlockViewStats stats = draw(1);
    assert_int_equal(stats.chunks, 1);
    assert_int_equal(stats.quads, 0);
}

static void another_mesh_takes_the_place_of_the_first(void **state)
{
    (void)state;
    make(10000, 0);
    set(0, 100);
    draw(1);
    set(0, 70);
    CnBlockViewStats stats = draw(1);
    assert_int_equal(stats.chunks, 1);
    assert_int_equal(stats.quads, 70);
}

static void a_mesh_that_was_overtaken_is_never_sent(void **state)
{
    (void)state;
    make(10000, 0);
    set(0, 100);
    set(0, 30);
    assert_int_equal(cn_block_view_stats(made.view).waiting_bytes, 30 * sizeof(CnQuad));
    assert_int_equal(draw(1).quads, 30);
}

static void what_is_removed_gives_its_room_back(void **state)
{
    (void)state;
    make(1000, 0);
    set(0, 900);
    draw(1);
    cn_block_view_remove(made.view, (CnChunkPos){0, 0, 0});
    set(1, 900);
    CnBlockViewStats stats = draw(1);
    assert_int_equal(stats.chunks, 1);
    assert_int_equal(stats.refused, 0);
}

static void what_finds_no_room_is_refused_and_counted(void **state)
{
    (void)state;
    make(1000, 0);
    set(0, 900);
    set(1, 200);
    CnBlockViewStats stats = draw(1);
    assert_int_equal(stats.quads, 900);
    assert_int_equal(stats.refused, 1);
}

static void a_frame_sends_no_more_than_its_budget(void **state)
{
    (void)state;
    make(100000, 1000 * sizeof(CnQuad));
    for (int32_t x = 0; x < 10; x++)
        set(x, 500);
    assert_int_equal(draw(1).quads, 1000);
    assert_int_equal(draw(4).quads, 5000);
}

static void what_changes_is_sent_before_what_is_new(void **state)
{
    (void)state;
    make(100000, 500 * sizeof(CnQuad));
    set(100, 10);
    draw(1);
    for (int32_t x = 0; x < 10; x++)
        set(x, 500);
    set(100, 20);
    assert_int_equal(draw(1).quads, 520);
}

static void a_steady_frame_makes_no_heap_call(void **state)
{
    (void)state;
    make(10000, 0);
    for (int32_t x = 0; x < 10; x++)
        set(x, 50);
    draw(12);
    uint64_t calls = cn_heap_stats(made.heap).calls + cn_heap_stats(made.fixture.heap).calls;
    draw(3);
    assert_int_equal(cn_heap_stats(made.heap).calls + cn_heap_stats(made.fixture.heap).calls,
                     calls);
}

/* ---- Memory of a frame ---- */

static uint64_t chunks_of_a_row(float light, float reach)
{
    uint64_t count = 0;
    for (int32_t chunk = -40; chunk < 40; chunk++)
        count += (float)(chunk * CN_CHUNK_SIZE) - light <= reach &&
                 light - (float)((chunk + 1) * CN_CHUNK_SIZE) <= reach;
    return count;
}

static void a_light_has_room_for_both_records_of_all_chunks_it_reaches(void **state)
{
    (void)state;
    for (float reach = 0.25f; reach < 200; reach *= 1.3f) {
        for (float light = -20; light < 20; light += 0.125f) {
            uint64_t row = chunks_of_a_row(light, reach);
            assert_true(cni_render_block_records_within(reach, UINT32_MAX) >= 2 * row * row * row);
        }
    }
}

static void a_lamp_reaches_few_of_many_records(void **state)
{
    (void)state;
    assert_in_range(cni_render_block_records_within(15, 65536), 2, 128);
    assert_int_equal(cni_render_block_records_within(15, 7), 7);
}

static void a_light_without_limits_may_reach_all_records(void **state)
{
    (void)state;
    assert_int_equal(cni_render_block_records_within(0, 65536), 65536);
    assert_int_equal(cni_render_block_records_within(1e30f, 65536), 65536);
    assert_int_equal(cni_render_block_records_within((float)NAN, 65536), 65536);
}

/* Of all transients together, with a lamp that throws shadows. */
static uint64_t frame_bytes(int32_t chunks)
{
    make_view(2000000, 0);
    render_fixture_add(&made.fixture, &cn_feature_shadows, &(CnShadowOptions){.local_size = 64});
    render_fixture_add(&made.fixture, &cn_feature_blocks, &(CnBlocksOptions){.view = made.view});
    render_fixture_add(&made.fixture, &cn_feature_deferred, NULL);
    render_fixture_add(&made.fixture, &cn_feature_point_spot, NULL);
    render_fixture_add(&made.fixture, &cn_feature_tone_map, NULL);
    render_fixture_point_light(&made.fixture, cn_vec3(8, 8, 8), cn_vec3(9, 9, 9), 10)->flags =
        CN_RENDER_CASTS_SHADOWS;
    for (int32_t x = 0; x < chunks; x++)
        assert_true(set(x, 1));
    draw(12);
    assert_int_equal(cn_block_view_stats(made.view).chunks, chunks);
    assert_true(made.view->shadow_count >= CN_FACE_COUNT);
    return cn_graph_stats(made.fixture.renderer->graph).transient_bytes;
}

static void the_memory_of_a_frame_does_not_grow_with_chunks_out_of_reach(void **state)
{
    uint64_t few = frame_bytes(10);
    teardown(state);
    assert_int_equal(frame_bytes(3000), few);
}

static void quarters_wait_until_all_four_are_there(void **state)
{
    (void)state;
    make(10000, 0);
    set_far(0, 0, 2);
    for (int32_t i = 0; i < 3; i++)
        set_far(i & 1, i >> 1, 1);
    draw(1);
    assert_true(is_shown(0, 0, 2));
    assert_false(is_shown(0, 0, 1));
}

static void a_tile_goes_when_its_quarters_have_faded_in(void **state)
{
    (void)state;
    make(10000, 0);
    set_far(0, 0, 2);
    draw(1);
    for (int32_t i = 0; i < 4; i++)
        set_far(i & 1, i >> 1, 1);
    draw(2);
    assert_true(is_shown(0, 0, 2)); /* still */
    assert_true(is_shown(1, 1, 1));
    draw(60);
    assert_false(is_shown(0, 0, 2));
}

static void a_tile_comes_back_when_a_quarter_goes(void **state)
{
    (void)state;
    make(10000, 0);
    for (int32_t i = 0; i < 4; i++)
        set_far(i & 1, i >> 1, 1);
    draw(60);
    set_far(0, 0, 2);
    draw(60);
    assert_false(is_shown(0, 0, 2));
    cn_block_view_remove_far(made.view, (CnLodTile){0, 0, 1});
    draw(1);
    assert_true(is_shown(0, 0, 2));
    assert_false(is_shown(1, 1, 1));
}

static void a_block_whose_texture_the_file_lacks_is_refused_with_its_name(void **state)
{
    (void)state;
    CnError error = {0};
    CnFileBytes bytes;
    CnBlockTable *blocks = cn_block_table_create(NULL, NULL);
    CnBlockInfo marble = cn_block_info_default("marble");
    marble.bottom = 2047;
    assert_true(cn_block_table_add(blocks, &marble, NULL, NULL));
    cn_block_table_close(blocks);
    assert_true(cn_file_read_all(cn_native_files(), CRAFTY_BLOCK_TILES, NULL, &bytes, &error));
    assert_null(cn_block_view_create(
        &(CnBlockViewDesc){.blocks = blocks, .textures = bytes.data, .texture_bytes = bytes.size},
        &error));
    assert_int_equal(error.code, CN_ERROR_MISMATCH);
    assert_non_null(strstr(error.message, "block 'marble' uses texture layer 2047"));
    cn_file_bytes_free(&bytes);
    cn_block_table_destroy(blocks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_whose_texture_the_file_lacks_is_refused_with_its_name),
        cmocka_unit_test_teardown(what_is_set_is_there_in_the_next_frame, teardown),
        cmocka_unit_test_teardown(a_view_has_no_more_quads_than_shaders_see, teardown),
        cmocka_unit_test_teardown(an_empty_chunk_is_there_without_quads, teardown),
        cmocka_unit_test_teardown(another_mesh_takes_the_place_of_the_first, teardown),
        cmocka_unit_test_teardown(a_mesh_that_was_overtaken_is_never_sent, teardown),
        cmocka_unit_test_teardown(what_is_removed_gives_its_room_back, teardown),
        cmocka_unit_test_teardown(what_finds_no_room_is_refused_and_counted, teardown),
        cmocka_unit_test_teardown(a_frame_sends_no_more_than_its_budget, teardown),
        cmocka_unit_test_teardown(what_changes_is_sent_before_what_is_new, teardown),
        cmocka_unit_test_teardown(a_steady_frame_makes_no_heap_call, teardown),
        cmocka_unit_test(a_light_has_room_for_both_records_of_all_chunks_it_reaches),
        cmocka_unit_test(a_lamp_reaches_few_of_many_records),
        cmocka_unit_test(a_light_without_limits_may_reach_all_records),
        cmocka_unit_test_teardown(the_memory_of_a_frame_does_not_grow_with_chunks_out_of_reach,
                                  teardown),
        cmocka_unit_test_teardown(quarters_wait_until_all_four_are_there, teardown),
        cmocka_unit_test_teardown(a_tile_goes_when_its_quarters_have_faded_in, teardown),
        cmocka_unit_test_teardown(a_tile_comes_back_when_a_quarter_goes, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
