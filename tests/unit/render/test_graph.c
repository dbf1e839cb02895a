/* What a graph leaves out, how it orders, and what lives on after a frame. */
#include "graph_fixture.h"

#include "gpu/gpu_internal.h"

static GraphFixture fixture;
static CnGraph *graph;

static int setup(void **state)
{
    (void)state;
    graph_fixture_init(&fixture);
    graph = fixture.graph;
    cn_graph_begin(graph);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    graph_fixture_fini(&fixture);
    return 0;
}

/* An image that somebody wants. */
static CnGpuTexture screen_texture(void)
{
    fixture.theirs = cn_gpu_texture_create(fixture.gpu,
                                           &(CnGpuTextureDesc){.name = "screen",
                                                               .format = CN_GPU_FORMAT_RGBA8,
                                                               .width = 64,
                                                               .height = 64,
                                                               .usage = CN_GPU_USE_ATTACHMENT |
                                                                        CN_GPU_USE_SAMPLED |
                                                                        CN_GPU_USE_COPY_FROM},
                                           &fixture.error);
    return fixture.theirs;
}

static CnGraphTexture screen(void)
{
    return cn_graph_import_texture(graph, "screen", screen_texture(), CN_GPU_ACCESS_NONE,
                                   CN_GPU_ACCESS_SAMPLE);
}

static void expect_order(const char *expected)
{
    char text[256];
    graph_fixture_run(&fixture);
    assert_string_equal(graph_order(fixture.gpu, text, sizeof text), expected);
}

/* A pass that samples one image and draws another. */
static CnGraphTexture copy(const char *name, CnGraphTexture from, CnGraphTexture to)
{
    CnGraphPass pass = graph_pass(graph, name, CN_GRAPH_GRAPHICS);
    cn_graph_read_texture(graph, pass, from, CN_GPU_ACCESS_SAMPLE, NULL);
    return graph_draw(graph, pass, to);
}

static CnGraphTexture draw(const char *name, CnGraphTexture to)
{
    return graph_draw(graph, graph_pass(graph, name, CN_GRAPH_GRAPHICS), to);
}

/* ---- Culling ---- */

static void an_empty_graph_does_nothing(void **state)
{
    (void)state;
    expect_order("");
    assert_int_equal(cn_graph_stats(graph).barriers, 0);
}

static void what_leads_to_a_wanted_import_runs(void **state)
{
    (void)state;
    CnGraphTexture a = draw("a", graph_image(graph, "one", 64));
    copy("b", a, screen());
    expect_order("a b");
}

static void what_nobody_reads_is_left_out(void **state)
{
    (void)state;
    CnGraphTexture a = draw("a", graph_image(graph, "one", 64));
    copy("b", a, graph_image(graph, "two", 64));
    draw("c", screen());
    expect_order("c");
    CnGraphStats stats = cn_graph_stats(graph);
    assert_int_equal(stats.culled_passes, 2);
    assert_int_equal(stats.culled_resources, 2);
    assert_int_equal(stats.heap_bytes, 0);
}

static void an_import_that_is_not_used_afterwards_does_not_keep_a_pass(void **state)
{
    (void)state;
    draw("a", cn_graph_import_texture(graph, "screen", screen_texture(), CN_GPU_ACCESS_NONE,
                                      CN_GPU_ACCESS_NONE));
    expect_order("");
}

static void side_effects_are_a_reason_to_run(void **state)
{
    (void)state;
    CnGraphTexture a = draw("a", graph_image(graph, "one", 64));
    CnGraphPass pass = cn_graph_add_pass(
        graph, &(CnGraphPassDesc){.name = "b", .kind = CN_GRAPH_COMPUTE, .side_effects = true});
    cn_graph_read_texture(graph, pass, a, CN_GPU_ACCESS_SAMPLE_COMPUTE, NULL);
    expect_order("a b");
}

static void what_is_cleared_needs_nobody_who_drew_before(void **state)
{
    (void)state;
    CnGraphTexture target = draw("a", screen());
    draw("b", target);
    expect_order("b");
}

static void what_is_loaded_needs_who_drew_before(void **state)
{
    (void)state;
    CnGraphTexture target = draw("a", screen());
    cn_graph_color_attachment(graph, graph_pass(graph, "b", CN_GRAPH_GRAPHICS), target, NULL);
    expect_order("a b");
}

static void only_the_mips_that_are_read_are_made(void **state)
{
    (void)state;
    CnGraphTexture chain = cn_graph_create_texture(
        graph,
        &(CnGpuTextureDesc){
            .name = "chain", .format = CN_GPU_FORMAT_RGBA8, .width = 64, .height = 64, .mips = 3});
    static const char *const names[] = {"mip0", "mip1", "mip2"};
    for (uint32_t i = 0; i < 3; i++)
        chain =
            cn_graph_color_attachment(graph, graph_pass(graph, names[i], CN_GRAPH_GRAPHICS), chain,
                                      &(CnGraphAttachment){.mip = i, .load = CN_GPU_CLEAR});
    CnGraphPass pass = graph_pass(graph, "show", CN_GRAPH_GRAPHICS);
    cn_graph_read_texture(graph, pass, chain, CN_GPU_ACCESS_SAMPLE,
                          &(CnGraphSubresource){.mip = 1, .mip_count = 1});
    graph_draw(graph, pass, screen());
    expect_order("mip1 show");
}

/* ---- Order ---- */

static void passes_run_in_the_order_of_declaration(void **state)
{
    (void)state;
    CnGraphTexture a = draw("a", graph_image(graph, "one", 64));
    CnGraphTexture b = draw("b", graph_image(graph, "two", 64));
    CnGraphPass pass = graph_pass(graph, "c", CN_GRAPH_GRAPHICS);
    cn_graph_read_texture(graph, pass, b, CN_GPU_ACCESS_SAMPLE, NULL);
    cn_graph_read_texture(graph, pass, a, CN_GPU_ACCESS_SAMPLE, NULL);
    graph_draw(graph, pass, screen());
    expect_order("a b c");
}

static void an_old_version_is_read_before_it_is_written_over(void **state)
{
    (void)state;
    CnGraphTexture old = draw("a", graph_image(graph, "one", 64));
    CnGraphTexture new =
        cn_graph_color_attachment(graph, graph_pass(graph, "b", CN_GRAPH_GRAPHICS), old, NULL);
    CnGraphTexture kept = copy("c", old, graph_image(graph, "two", 64));
    CnGraphPass pass = graph_pass(graph, "d", CN_GRAPH_GRAPHICS);
    cn_graph_read_texture(graph, pass, new, CN_GPU_ACCESS_SAMPLE, NULL);
    cn_graph_read_texture(graph, pass, kept, CN_GPU_ACCESS_SAMPLE, NULL);
    graph_draw(graph, pass, screen());
    expect_order("a c b d");
}

static void parts_that_do_not_overlap_do_not_wait(void **state)
{
    (void)state;
    CnGraphTexture array =
        cn_graph_create_texture(graph, &(CnGpuTextureDesc){.name = "array",
                                                           .format = CN_GPU_FORMAT_RGBA8,
                                                           .width = 64,
                                                           .height = 64,
                                                           .layers = 2});
    CnGraphTexture first =
        cn_graph_color_attachment(graph, graph_pass(graph, "a", CN_GRAPH_GRAPHICS), array,
                                  &(CnGraphAttachment){.load = CN_GPU_CLEAR});
    CnGraphTexture both =
        cn_graph_color_attachment(graph, graph_pass(graph, "b", CN_GRAPH_GRAPHICS), first,
                                  &(CnGraphAttachment){.layer = 1, .load = CN_GPU_CLEAR});
    /* Reads layer 0 of the version before b, which wrote layer 1. */
    CnGraphPass pass = graph_pass(graph, "c", CN_GRAPH_GRAPHICS);
    cn_graph_read_texture(graph, pass, first, CN_GPU_ACCESS_SAMPLE,
                          &(CnGraphSubresource){.layer_count = 1});
    CnGraphTexture target = graph_draw(graph, pass, screen());
    pass = graph_pass(graph, "d", CN_GRAPH_GRAPHICS);
    cn_graph_read_texture(graph, pass, both, CN_GPU_ACCESS_SAMPLE, NULL);
    cn_graph_color_attachment(graph, pass, target, NULL);
    expect_order("a b c d");
}

/* ---- Barriers ---- */

static uint32_t barriers_of(uint32_t pass)
{
    CnGraphPassInfo info;
    assert_true(cn_graph_pass_info(graph, pass, &info));
    return info.barriers;
}

static void reads_of_one_kind_need_one_barrier(void **state)
{
    (void)state;
    CnGraphTexture a = draw("a", graph_image(graph, "one", 64));
    CnGraphTexture target = copy("b", a, screen());
    CnGraphPass pass = graph_pass(graph, "c", CN_GRAPH_GRAPHICS);
    cn_graph_read_texture(graph, pass, a, CN_GPU_ACCESS_SAMPLE, NULL);
    cn_graph_color_attachment(graph, pass, target, NULL);
    expect_order("a b c");
    assert_int_equal(barriers_of(0), 1);
    assert_int_equal(barriers_of(1), 2); /* one, and the screen */
    assert_int_equal(barriers_of(2), 1); /* the screen, which was drawn before */
}

static void an_import_ends_in_the_access_that_is_wanted(void **state)
{
    (void)state;
    draw("a", screen());
    expect_order("a");
    uint32_t count;
    const CnGpuLogEntry *log = cn_gpu_command_log(fixture.gpu, &count);
    assert_string_equal(log[count - 1].command, "barrier");
    assert_int_equal(log[count - 1].barrier.before, CN_GPU_ACCESS_COLOR);
    assert_int_equal(log[count - 1].barrier.after, CN_GPU_ACCESS_SAMPLE);
}

static void a_buffer_read_in_two_ways_by_one_pass_needs_two_calls(void **state)
{
    (void)state;
    CnGraphBuffer draws =
        cn_graph_create_buffer(graph, &(CnGpuBufferDesc){.name = "draws", .size = 256});
    CnGraphPass pass = graph_pass(graph, "fill", CN_GRAPH_COMPUTE);
    draws = cn_graph_write_buffer(graph, pass, draws, CN_GPU_ACCESS_WRITE_COMPUTE, NULL);
    pass = graph_pass(graph, "draw", CN_GRAPH_GRAPHICS);
    cn_graph_read_buffer(graph, pass, draws, CN_GPU_ACCESS_INDIRECT);
    cn_graph_read_buffer(graph, pass, draws, CN_GPU_ACCESS_READ);
    graph_draw(graph, pass, screen());
    expect_order("fill draw");
    assert_int_equal(barriers_of(1), 3);
    assert_int_equal(cn_graph_stats(graph).barrier_calls, 1 + 2 + 1);
}

static void a_depth_that_is_tested_and_sampled_needs_one_barrier(void **state)
{
    (void)state;
    CnGraphTexture depth = cn_graph_create_texture(
        graph, &(CnGpuTextureDesc){
                   .name = "depth", .format = CN_GPU_FORMAT_D32F, .width = 64, .height = 64});
    depth = cn_graph_depth_attachment(graph, graph_pass(graph, "a", CN_GRAPH_GRAPHICS), depth,
                                      &(CnGraphAttachment){.load = CN_GPU_CLEAR});
    CnGraphPass pass = graph_pass(graph, "b", CN_GRAPH_GRAPHICS);
    cn_graph_read_texture(graph, pass, depth, CN_GPU_ACCESS_SAMPLE, NULL);
    CnGraphTexture same =
        cn_graph_depth_attachment(graph, pass, depth, &(CnGraphAttachment){.read_only = true});
    assert_int_equal(same.id, depth.id);
    graph_draw(graph, pass, screen());
    expect_order("a b");
    assert_int_equal(barriers_of(1), 2);
}

static void note_stores(const CnGraphRun *run)
{
    const CnGpuRendering *rendering = &run->commands->rendering;
    bool *stored = run->user;
    stored[0] = !rendering->color[0].discard_after;
    stored[1] = !rendering->depth.discard_after;
}

static void what_nobody_reads_later_is_not_stored(void **state)
{
    (void)state;
    bool stored[2] = {false, true};
    CnGraphTexture depth = cn_graph_create_texture(
        graph, &(CnGpuTextureDesc){
                   .name = "depth", .format = CN_GPU_FORMAT_D32F, .width = 64, .height = 64});
    CnGraphPass pass = cn_graph_add_pass(
        graph, &(CnGraphPassDesc){.name = "a", .run = note_stores, .user = stored});
    cn_graph_depth_attachment(graph, pass, depth, &(CnGraphAttachment){.load = CN_GPU_CLEAR});
    graph_draw(graph, pass, screen());
    expect_order("a");
    assert_true(stored[0]);
    assert_false(stored[1]);
}

/* ---- Aliasing ---- */

/* Images of which each is drawn from the one before: two of them live at a time. */
static void declare_chain(uint32_t count, CnGraphTexture target)
{
    CnGraphTexture last = draw("first", graph_image(graph, "p", 256));
    for (uint32_t i = 1; i < count; i++)
        last = copy("next", last, graph_image(graph, "p", 256));
    copy("show", last, target);
}

static void a_chain_of_images_needs_the_memory_of_two(void **state)
{
    (void)state;
    declare_chain(8, screen());
    graph_fixture_run(&fixture);
    CnGraphStats stats = cn_graph_stats(graph);
    assert_int_equal(stats.placed_bytes * 4, stats.transient_bytes);
}

static void without_aliasing_each_has_its_own(void **state)
{
    (void)state;
    cn_graph_destroy(fixture.graph);
    fixture.graph = graph =
        cn_graph_create(&(CnGraphDesc){.allocator = cn_heap_tag(fixture.heap, "graph"),
                                       .gpu = fixture.gpu,
                                       .no_aliasing = true},
                        NULL);
    cn_graph_begin(graph);
    declare_chain(8, screen());
    graph_fixture_run(&fixture);
    CnGraphStats stats = cn_graph_stats(graph);
    assert_int_equal(stats.placed_bytes, stats.transient_bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        TEST(an_empty_graph_does_nothing),
        TEST(what_leads_to_a_wanted_import_runs),
        TEST(what_nobody_reads_is_left_out),
        TEST(an_import_that_is_not_used_afterwards_does_not_keep_a_pass),
        TEST(side_effects_are_a_reason_to_run),
        TEST(what_is_cleared_needs_nobody_who_drew_before),
        TEST(what_is_loaded_needs_who_drew_before),
        TEST(only_the_mips_that_are_read_are_made),
        TEST(passes_run_in_the_order_of_declaration),
        TEST(an_old_version_is_read_before_it_is_written_over),
        TEST(parts_that_do_not_overlap_do_not_wait),
        TEST(reads_of_one_kind_need_one_barrier),
        TEST(an_import_ends_in_the_access_that_is_wanted),
        TEST(a_buffer_read_in_two_ways_by_one_pass_needs_two_calls),
        TEST(a_depth_that_is_tested_and_sampled_needs_one_barrier),
        TEST(what_nobody_reads_later_is_not_stored),
        TEST(a_chain_of_images_needs_the_memory_of_two),
        TEST(without_aliasing_each_has_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
