/* What goes on over frames: kept resources, histories, the cache of textures and buffers, and heap
 * calls. */
#include "graph_fixture.h"

#include "render/graph/graph_internal.h"

static GraphFixture fixture;
static CnGraph *graph;

static int setup(void **state)
{
    (void)state;
    graph_fixture_init(&fixture);
    graph = fixture.graph;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    graph_fixture_fini(&fixture);
    return 0;
}

#define USES (CN_GPU_USE_ATTACHMENT | CN_GPU_USE_SAMPLED)

static CnGpuTextureDesc image(const char *name, uint32_t size)
{
    return (CnGpuTextureDesc){
        .name = name, .format = CN_GPU_FORMAT_RGBA8, .width = size, .height = size, .usage = USES};
}

/* A pass that looks at one texture and is needed. */
static void look_at(CnGraphTexture texture)
{
    CnGraphPass pass = cn_graph_add_pass(
        graph, &(CnGraphPassDesc){.name = "look", .kind = CN_GRAPH_COMPUTE, .side_effects = true});
    cn_graph_read_texture(graph, pass, texture, CN_GPU_ACCESS_SAMPLE_COMPUTE, NULL);
}

static uint32_t texture_id(CnGraphTexture texture)
{
    return cn_graph_get_texture(graph, texture).id;
}

/* ---- Persistent ---- */

/* A frame that draws into it, or only looks. Returns whether it was new; `id`: the texture behind
 * it. */
static bool persistent_frame(uint32_t size, bool draws, uint32_t *id)
{
    bool is_new;
    CnGpuTextureDesc desc = image("kept", size);
    cn_graph_begin(graph);
    CnGraphTexture kept = cn_graph_persistent_texture(graph, &desc, &is_new);
    if (draws)
        kept = graph_draw(graph, graph_pass(graph, "draw", CN_GRAPH_GRAPHICS), kept);
    look_at(kept);
    graph_fixture_run(&fixture);
    *id = texture_id(kept);
    return is_new;
}

static void a_persistent_texture_stays(void **state)
{
    (void)state;
    uint32_t first, second;
    assert_true(persistent_frame(64, true, &first));
    assert_false(persistent_frame(64, false, &second));
    assert_int_equal(first, second);
}

static void a_persistent_texture_that_was_never_written_stays_new(void **state)
{
    (void)state;
    uint32_t id;
    assert_true(persistent_frame(64, false, &id));
    assert_true(persistent_frame(64, true, &id));
    assert_false(persistent_frame(64, false, &id));
}

static void a_persistent_texture_of_another_size_is_new(void **state)
{
    (void)state;
    uint32_t first, second;
    assert_true(persistent_frame(64, true, &first));
    assert_true(persistent_frame(32, true, &second));
    assert_int_not_equal(first, second);
    assert_int_equal(cn_gpu_stats(fixture.gpu).textures, 1);
}

static void empty_frames(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        cn_graph_begin(graph);
        graph_fixture_run(&fixture);
    }
}

static void a_persistent_texture_waits_some_frames_and_not_for_ever(void **state)
{
    (void)state;
    uint32_t id;
    assert_true(persistent_frame(64, true, &id));
    empty_frames(CN_GRAPH_KEEP_FRAMES - 1);
    assert_false(persistent_frame(64, false, &id));
    empty_frames(CN_GRAPH_KEEP_FRAMES);
    assert_int_equal(cn_gpu_stats(fixture.gpu).textures, 0);
    assert_true(persistent_frame(64, true, &id));
}

static void a_persistent_buffer_stays(void **state)
{
    (void)state;
    CnGpuBufferDesc desc = {.name = "exposure", .size = 64, .usage = CN_GPU_USE_STORAGE};
    for (uint32_t i = 0; i < 3; i++) {
        bool is_new;
        cn_graph_begin(graph);
        CnGraphBuffer buffer = cn_graph_persistent_buffer(graph, &desc, &is_new);
        assert_int_equal(is_new, i == 0);
        CnGraphPass pass = graph_pass(graph, "measure", CN_GRAPH_COMPUTE);
        cn_graph_write_buffer(graph, pass, buffer, CN_GPU_ACCESS_WRITE_COMPUTE, NULL);
        graph_fixture_run(&fixture);
        assert_int_equal(cn_graph_stats(graph).created, i == 0);
    }
}

/* ---- History ---- */

typedef struct HistoryFrame {
    bool is_new;
    uint32_t previous, current; /* ids */
} HistoryFrame;

static HistoryFrame history_frame(uint32_t size)
{
    CnGpuTextureDesc desc = image("taa", size);
    cn_graph_begin(graph);
    CnGraphHistory history = cn_graph_history_texture(graph, &desc);
    CnGraphPass pass = graph_pass(graph, "resolve", CN_GRAPH_GRAPHICS);
    cn_graph_read_texture(graph, pass, history.previous, CN_GPU_ACCESS_SAMPLE, NULL);
    graph_draw(graph, pass, history.current);
    graph_fixture_run(&fixture);
    return (HistoryFrame){history.is_new, texture_id(history.previous),
                          texture_id(history.current)};
}

static void the_current_becomes_the_previous(void **state)
{
    (void)state;
    HistoryFrame frames[4];
    for (uint32_t i = 0; i < 4; i++)
        frames[i] = history_frame(64);
    assert_true(frames[0].is_new);
    for (uint32_t i = 1; i < 4; i++) {
        assert_false(frames[i].is_new);
        assert_int_equal(frames[i].previous, frames[i - 1].current);
        assert_int_equal(frames[i].current, frames[i - 1].previous);
    }
    assert_int_equal(cn_gpu_stats(fixture.gpu).textures, 2);
}

static void a_resize_resets_history_and_says_so(void **state)
{
    (void)state;
    history_frame(64);
    assert_false(history_frame(64).is_new);
    assert_true(history_frame(32).is_new);
    assert_false(history_frame(32).is_new);
    assert_int_equal(cn_gpu_stats(fixture.gpu).textures, 2);
}

static void a_frame_without_it_resets_history(void **state)
{
    (void)state;
    history_frame(64);
    history_frame(64);
    empty_frames(1);
    assert_true(history_frame(64).is_new);
    assert_false(history_frame(64).is_new);
}

static void a_frame_that_does_not_write_it_resets_history(void **state)
{
    (void)state;
    CnGpuTextureDesc desc = image("taa", 64);
    history_frame(64);
    cn_graph_begin(graph);
    look_at(cn_graph_history_texture(graph, &desc).previous);
    graph_fixture_run(&fixture);
    assert_true(history_frame(64).is_new);
}

static void a_frame_that_fails_does_not_swap(void **state)
{
    (void)state;
    CnGpuTextureDesc desc = image("taa", 64);
    HistoryFrame before = history_frame(64);
    cn_graph_begin(graph);
    cn_graph_history_texture(graph, &desc);
    graph_pass(graph, "bad", CN_GRAPH_GRAPHICS);
    graph_fixture_expect(&fixture, "graphics pass bad has no attachment");
    HistoryFrame after = history_frame(64);
    assert_false(after.is_new);
    assert_int_equal(after.previous, before.current);
}

static void a_history_of_buffers_swaps(void **state)
{
    (void)state;
    CnGpuBufferDesc desc = {.name = "particles", .size = 64, .usage = CN_GPU_USE_STORAGE};
    uint32_t last = 0;
    for (uint32_t i = 0; i < 4; i++) {
        cn_graph_begin(graph);
        CnGraphBufferHistory history = cn_graph_history_buffer(graph, &desc);
        assert_int_equal(history.is_new, i == 0);
        CnGraphPass pass = graph_pass(graph, "step", CN_GRAPH_COMPUTE);
        cn_graph_read_buffer(graph, pass, history.previous, CN_GPU_ACCESS_READ_COMPUTE);
        cn_graph_write_buffer(graph, pass, history.current, CN_GPU_ACCESS_WRITE_COMPUTE, NULL);
        graph_fixture_run(&fixture);
        assert_true(i == 0 || cn_graph_get_buffer(graph, history.previous).id == last);
        last = cn_graph_get_buffer(graph, history.current).id;
    }
}

/* ---- What frames have in common ---- */

/* Something of everything. */
static void usual_frame(uint32_t size)
{
    CnGpuTextureDesc desc = image("taa", size);
    cn_graph_begin(graph);
    CnGraphHistory history = cn_graph_history_texture(graph, &desc);
    CnGraphTexture hdr = graph_draw(graph, graph_pass(graph, "lit", CN_GRAPH_GRAPHICS),
                                    graph_image(graph, "hdr", size));
    CnGraphBuffer tiles =
        cn_graph_create_buffer(graph, &(CnGpuBufferDesc){.name = "tiles", .size = 4096});
    CnGraphPass pass = graph_pass(graph, "sum", CN_GRAPH_COMPUTE);
    cn_graph_read_texture(graph, pass, hdr, CN_GPU_ACCESS_SAMPLE_COMPUTE, NULL);
    tiles = cn_graph_write_buffer(graph, pass, tiles, CN_GPU_ACCESS_WRITE_COMPUTE, NULL);
    pass = graph_pass(graph, "resolve", CN_GRAPH_GRAPHICS);
    cn_graph_read_texture(graph, pass, hdr, CN_GPU_ACCESS_SAMPLE, NULL);
    cn_graph_read_texture(graph, pass, history.previous, CN_GPU_ACCESS_SAMPLE, NULL);
    cn_graph_read_buffer(graph, pass, tiles, CN_GPU_ACCESS_READ);
    graph_draw(graph, pass, history.current);
    graph_fixture_run(&fixture);
}

static void a_steady_frame_makes_nothing_and_calls_no_heap(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 10; i++)
        usual_frame(64);
    uint64_t calls = cn_heap_stats(fixture.heap).calls;
    for (uint32_t i = 0; i < 100; i++) {
        usual_frame(64);
        assert_int_equal(cn_graph_stats(graph).created, 0);
        assert_int_equal(cn_graph_stats(graph).freed, 0);
    }
    assert_int_equal(cn_heap_stats(fixture.heap).calls, calls);
}

static void resizes_leave_nothing_behind(void **state)
{
    (void)state;
    usual_frame(64);
    uint32_t textures = cn_gpu_stats(fixture.gpu).textures;
    for (uint32_t i = 0; i < 100; i++)
        usual_frame(32 + i * 7 % 300);
    for (uint32_t i = 0; i <= CN_GRAPH_SHRINK_FRAMES; i++)
        usual_frame(64);
    assert_int_equal(cn_gpu_stats(fixture.gpu).textures, textures);
    assert_int_equal(cn_gpu_stats(fixture.gpu).heaps, 1);
    assert_true(cn_graph_stats(graph).heap_bytes <= 1 << 20);
}

/* A frame with one texture, or with a larger one beside it. */
static void growing_frame(bool has_more)
{
    cn_graph_begin(graph);
    for (uint32_t i = 0; i <= has_more; i++) {
        CnGpuTextureDesc desc = image(i ? "more" : "usual", i ? 512 : 1024);
        CnGraphTexture texture = cn_graph_create_texture(graph, &desc);
        texture = graph_draw(graph, graph_pass(graph, "draw", CN_GRAPH_GRAPHICS), texture);
        look_at(texture);
    }
    graph_fixture_run(&fixture);
}

static void a_frame_that_needs_more_memory_keeps_what_is_there(void **state)
{
    (void)state;
    graph->no_aliasing = true;
    growing_frame(false);
    growing_frame(true);
    assert_int_equal(cn_graph_stats(graph).created, 2); /* a heap and a texture */
    assert_int_equal(cn_graph_stats(graph).freed, 0);
    assert_int_equal(cn_gpu_stats(fixture.gpu).heaps, 2);
}

static void no_texture_lies_across_two_heaps(void **state)
{
    (void)state;
    graph->no_aliasing = true;
    growing_frame(false);
    growing_frame(true);
    CnGraphResourceInfo more;
    assert_true(cn_graph_resource_info(graph, 1, &more));
    assert_true(more.offset >= graph->heaps[1].begin);
    assert_true(more.offset + more.bytes <= graph->heaps[1].end);
}

/* A frame with so many textures of `size`, which do not share memory. */
static void frame_of(uint32_t count, uint32_t size)
{
    graph->no_aliasing = true;
    cn_graph_begin(graph);
    for (uint32_t i = 0; i < count; i++) {
        CnGpuTextureDesc desc = image("part", size);
        CnGraphTexture texture = cn_graph_create_texture(graph, &desc);
        texture = graph_draw(graph, graph_pass(graph, "draw", CN_GRAPH_GRAPHICS), texture);
        look_at(texture);
    }
    graph_fixture_run(&fixture);
}

#define BIG 4096u /* pixels each way: 64 MiB */
#define SMALL 256u
#define MIB (1ull << 20)

static void a_frame_has_memory_in_heaps_of_64_mib(void **state)
{
    (void)state;
    frame_of(400, 512); /* 1 MiB each */
    assert_true(graph->heap_count >= 400 / 64);
    for (uint32_t i = 0; i < graph->heap_count; i++)
        assert_true(graph->heaps[i].end - graph->heaps[i].begin <= 64 * MIB);
    assert_true(graph->heap_bytes <= 400 * MIB + 64 * MIB);
}

static void a_texture_larger_than_that_has_a_heap_of_its_size(void **state)
{
    (void)state;
    frame_of(1, 2 * BIG);
    assert_int_equal(graph->heap_count, 1);
    assert_int_equal(graph->heap_bytes, 256 * MIB);
}

static void heaps_are_created_again_when_there_can_be_no_more(void **state)
{
    (void)state;
    bool was_full = false;
    for (uint32_t count = 1; count <= CNI_RENDER_GRAPH_MAX_HEAPS + 4; count++) {
        frame_of(count, BIG);
        assert_true(graph->heap_count <= CNI_RENDER_GRAPH_MAX_HEAPS);
        was_full |= graph->heap_count == CNI_RENDER_GRAPH_MAX_HEAPS;
    }
    assert_true(was_full);
    assert_int_equal(cn_gpu_stats(fixture.gpu).heaps, graph->heap_count);
}

/* A peak of several heaps, and as many frames after it as heaps stay. */
static void pass_a_peak(void)
{
    frame_of(2, SMALL);
    frame_of(5, BIG);
    assert_true(graph->heap_count >= 5);
    for (uint32_t i = 1; i < CN_GRAPH_SHRINK_FRAMES; i++)
        frame_of(2, SMALL);
    assert_true(graph->heap_count >= 5);
}

static void heaps_that_are_not_used_are_freed_one_a_frame(void **state)
{
    (void)state;
    pass_a_peak();
    while (graph->heap_count > 1) {
        uint32_t before = graph->heap_count;
        frame_of(2, SMALL);
        assert_int_equal(graph->heap_count, before - 1);
        assert_int_equal(cn_graph_stats(graph).freed, 1);
    }
}

static void nothing_that_is_in_use_moves_when_heaps_are_freed(void **state)
{
    (void)state;
    CnGraphResourceInfo before, after;
    pass_a_peak();
    assert_true(cn_graph_resource_info(graph, 1, &before));
    for (uint32_t i = 0; i < CNI_RENDER_GRAPH_MAX_HEAPS; i++) {
        frame_of(2, SMALL);
        assert_int_equal(cn_graph_stats(graph).created, 0);
        assert_true(cn_graph_resource_info(graph, 1, &after));
        assert_int_equal(after.texture.id, before.texture.id);
        assert_int_equal(after.offset, before.offset);
    }
}

static void memory_is_after_a_peak_what_it_was_before(void **state)
{
    (void)state;
    frame_of(2, SMALL);
    uint64_t before = cn_graph_stats(graph).heap_bytes;
    pass_a_peak();
    for (uint32_t i = 0; i < CNI_RENDER_GRAPH_MAX_HEAPS; i++)
        frame_of(2, SMALL);
    assert_int_equal(cn_graph_stats(graph).heap_bytes, before);
    assert_int_equal(cn_gpu_stats(fixture.gpu).heaps, 1);
}

static void a_heap_that_is_used_now_and_then_stays(void **state)
{
    (void)state;
    frame_of(3, BIG);
    uint64_t bytes = graph->heap_bytes;
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = 1; i < CN_GRAPH_SHRINK_FRAMES; i++)
            frame_of(1, SMALL);
        frame_of(3, BIG);
        assert_int_equal(graph->heap_bytes, bytes);
    }
}

/* New memory has no last user, although another heap had the same offsets before. */
static void a_heap_that_reuses_memory_waits_for_no_frame(void **state)
{
    (void)state;
    pass_a_peak();
    while (graph->heap_count > 1)
        frame_of(2, SMALL);
    frame_of(5, BIG);
    for (uint32_t i = 0; i < graph->resources.count; i++) {
        const CniRenderGraphResource *resource = &graph->resources.items[i];
        if (resource->offset >= graph->heaps[1].begin)
            assert_int_equal(resource->waits_for, CNI_RENDER_GRAPH_ACCESS_BIT(CN_GPU_ACCESS_NONE));
    }
}

static void memory_that_is_not_needed_for_long_is_given_back(void **state)
{
    (void)state;
    usual_frame(2048);
    assert_true(cn_graph_stats(graph).heap_bytes >= 2048 * 2048 * 4);
    empty_frames(CN_GRAPH_SHRINK_FRAMES + 1);
    assert_int_equal(cn_graph_stats(graph).heap_bytes, 0);
    assert_int_equal(cn_gpu_stats(fixture.gpu).textures, 0);
}

static void passes_have_times_and_memory_to_look_at(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 4; i++)
        usual_frame(64);
    CnGraphPassInfo pass;
    CnGraphResourceInfo resource;
    assert_true(cn_graph_pass_info(graph, 1, &pass));
    assert_string_equal(pass.name, "sum");
    assert_int_equal(pass.kind, CN_GRAPH_COMPUTE);
    assert_int_equal(pass.order, 1);
    assert_false(cn_graph_pass_info(graph, 3, &pass));
    assert_true(cn_graph_resource_info(graph, 2, &resource));
    assert_string_equal(resource.name, "hdr");
    assert_int_equal(resource.origin, CN_GRAPH_TRANSIENT);
    assert_int_equal(resource.first, 0);
    assert_int_equal(resource.last, 2);
    assert_true(resource.bytes >= 64 * 64 * 4);
    assert_false(cn_graph_resource_info(graph, 4, &resource));
    assert_true(cn_graph_stats(graph).persistent_bytes >= 2 * 64 * 64 * 4);
}

static void more_passes_than_timers_are_no_mistake(void **state)
{
    (void)state;
    cn_graph_begin(graph);
    for (uint32_t i = 0; i < 2 * CN_GPU_MAX_TIMERS; i++)
        cn_graph_add_pass(
            graph,
            &(CnGraphPassDesc){.name = "some", .kind = CN_GRAPH_COMPUTE, .side_effects = true});
    graph_fixture_run(&fixture);
    assert_int_equal(cn_gpu_stats(fixture.gpu).timers_refused, CN_GPU_MAX_TIMERS);
    assert_int_equal(cn_gpu_stats(fixture.gpu).wrong_calls, 0);
}

static void a_handle_knows_what_it_was_declared_with(void **state)
{
    (void)state;
    cn_graph_begin(graph);
    CnGpuTextureDesc desc = cn_graph_texture_desc(graph, graph_image(graph, "hdr", 48));
    assert_int_equal(desc.width, 48);
    assert_int_equal(desc.format, CN_GPU_FORMAT_RGBA8);
    assert_int_equal(desc.mips, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        TEST(a_persistent_texture_stays),
        TEST(a_persistent_texture_that_was_never_written_stays_new),
        TEST(a_persistent_texture_of_another_size_is_new),
        TEST(a_persistent_texture_waits_some_frames_and_not_for_ever),
        TEST(a_persistent_buffer_stays),
        TEST(the_current_becomes_the_previous),
        TEST(a_resize_resets_history_and_says_so),
        TEST(a_frame_without_it_resets_history),
        TEST(a_frame_that_does_not_write_it_resets_history),
        TEST(a_frame_that_fails_does_not_swap),
        TEST(a_history_of_buffers_swaps),
        TEST(a_steady_frame_makes_nothing_and_calls_no_heap),
        TEST(resizes_leave_nothing_behind),
        TEST(a_frame_that_needs_more_memory_keeps_what_is_there),
        TEST(no_texture_lies_across_two_heaps),
        TEST(a_frame_has_memory_in_heaps_of_64_mib),
        TEST(a_texture_larger_than_that_has_a_heap_of_its_size),
        TEST(heaps_are_created_again_when_there_can_be_no_more),
        TEST(heaps_that_are_not_used_are_freed_one_a_frame),
        TEST(nothing_that_is_in_use_moves_when_heaps_are_freed),
        TEST(memory_is_after_a_peak_what_it_was_before),
        TEST(a_heap_that_is_used_now_and_then_stays),
        TEST(a_heap_that_reuses_memory_waits_for_no_frame),
        TEST(memory_that_is_not_needed_for_long_is_given_back),
        TEST(more_passes_than_timers_are_no_mistake),
        TEST(a_handle_knows_what_it_was_declared_with),
        TEST(passes_have_times_and_memory_to_look_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
