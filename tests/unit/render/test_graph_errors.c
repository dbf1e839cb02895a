/* What a graph says about mistakes: each names the pass and the resource. */
#include "graph_fixture.h"

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

static void expect(const char *message)
{
    graph_fixture_expect(&fixture, message);
}

static CnGraphPass graphics(const char *name)
{
    return graph_pass(graph, name, CN_GRAPH_GRAPHICS);
}

static void a_read_before_any_write(void **state)
{
    (void)state;
    CnGraphTexture hdr = graph_image(graph, "hdr", 64);
    CnGraphPass tone = graphics("tone");
    cn_graph_read_texture(graph, tone, hdr, CN_GPU_ACCESS_SAMPLE, NULL);
    graph_draw(graph, tone, graph_image(graph, "ldr", 64));
    expect("pass tone reads hdr (version 0, mip 0, layer 0), which no pass has written");
}

static void a_load_of_nothing(void **state)
{
    (void)state;
    cn_graph_color_attachment(graph, graphics("lit"), graph_image(graph, "hdr", 64), NULL);
    expect("pass lit reads hdr (version 0, mip 0, layer 0), which no pass has written");
}

static void a_mip_that_was_never_written(void **state)
{
    (void)state;
    CnGraphTexture bloom = cn_graph_create_texture(
        graph,
        &(CnGpuTextureDesc){
            .name = "bloom", .format = CN_GPU_FORMAT_RGBA8, .width = 64, .height = 64, .mips = 3});
    bloom = graph_draw(graph, graphics("bright"), bloom);
    CnGraphPass tone = graphics("tone");
    cn_graph_read_texture(graph, tone, bloom, CN_GPU_ACCESS_SAMPLE, NULL);
    graph_draw(graph, tone, graph_image(graph, "ldr", 64));
    expect("pass tone reads bloom (version 1, mip 1, layer 0), which no pass has written");
}

static void an_import_without_contents(void **state)
{
    (void)state;
    fixture.theirs = cn_gpu_texture_create(fixture.gpu,
                                           &(CnGpuTextureDesc){.name = "t",
                                                               .format = CN_GPU_FORMAT_RGBA8,
                                                               .width = 8,
                                                               .height = 8,
                                                               .usage = CN_GPU_USE_SAMPLED},
                                           NULL);
    CnGraphTexture noise = cn_graph_import_texture(graph, "noise", fixture.theirs,
                                                   CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_SAMPLE);
    CnGraphPass lit = graphics("lit");
    cn_graph_read_texture(graph, lit, noise, CN_GPU_ACCESS_SAMPLE, NULL);
    graph_draw(graph, lit, graph_image(graph, "hdr", 64));
    expect("pass lit reads noise (version 0, mip 0, layer 0), which no pass has written");
}

static void two_writers_of_a_version(void **state)
{
    (void)state;
    CnGraphTexture hdr = graph_image(graph, "hdr", 64);
    graph_draw(graph, graphics("sky"), hdr);
    graph_draw(graph, graphics("lit"), hdr);
    expect("pass lit writes version 0 of hdr, which pass sky has already written");
}

static void a_cycle(void **state)
{
    (void)state;
    CnGraphTexture a = graph_draw(graph, graphics("clear a"), graph_image(graph, "a", 64));
    CnGraphTexture b = graph_draw(graph, graphics("clear b"), graph_image(graph, "b", 64));
    CnGraphPass one =
        cn_graph_add_pass(graph, &(CnGraphPassDesc){.name = "one", .side_effects = true});
    CnGraphPass two =
        cn_graph_add_pass(graph, &(CnGraphPassDesc){.name = "two", .side_effects = true});
    cn_graph_read_texture(graph, one, a, CN_GPU_ACCESS_SAMPLE, NULL);
    cn_graph_read_texture(graph, two, b, CN_GPU_ACCESS_SAMPLE, NULL);
    graph_draw(graph, one, b);
    graph_draw(graph, two, a);
    expect("passes depend on each other: one waits for two (b), two waits for one (a)");
}

static void an_access_of_another_kind_of_pass(void **state)
{
    (void)state;
    CnGraphPass blur = graph_pass(graph, "blur", CN_GRAPH_COMPUTE);
    cn_graph_read_texture(graph, blur, graph_image(graph, "hdr", 64), CN_GPU_ACCESS_SAMPLE, NULL);
    expect("pass blur: hdr as sample: this kind of pass cannot use this access");
}

static void an_access_that_is_for_buffers(void **state)
{
    (void)state;
    cn_graph_read_texture(graph, graphics("lit"), graph_image(graph, "hdr", 64),
                          CN_GPU_ACCESS_VERTEX, NULL);
    expect("pass lit: hdr as vertex: this access is for buffers");
}

static void an_access_that_is_for_textures(void **state)
{
    (void)state;
    CnGraphBuffer buffer =
        cn_graph_create_buffer(graph, &(CnGpuBufferDesc){.name = "tiles", .size = 64});
    cn_graph_read_buffer(graph, graphics("lit"), buffer, CN_GPU_ACCESS_SAMPLE);
    expect("pass lit: tiles as sample: this access is for textures");
}

static void an_access_that_no_pass_has(void **state)
{
    (void)state;
    cn_graph_read_texture(graph, graphics("lit"), graph_image(graph, "hdr", 64),
                          CN_GPU_ACCESS_PRESENT, NULL);
    expect("pass lit: hdr as present: passes cannot use this access");
}

static void a_read_that_writes(void **state)
{
    (void)state;
    CnGraphPass blur = graph_pass(graph, "blur", CN_GRAPH_COMPUTE);
    cn_graph_read_texture(graph, blur, graph_image(graph, "hdr", 64), CN_GPU_ACCESS_WRITE_COMPUTE,
                          NULL);
    expect("pass blur: hdr as write_compute: this access writes");
}

static void a_write_that_reads(void **state)
{
    (void)state;
    CnGraphPass blur = graph_pass(graph, "blur", CN_GRAPH_COMPUTE);
    cn_graph_write_texture(graph, blur, graph_image(graph, "hdr", 64), CN_GPU_ACCESS_READ_COMPUTE,
                           NULL);
    expect("pass blur: hdr as read_compute: this access only reads");
}

static void an_attachment_that_is_not_declared_as_one(void **state)
{
    (void)state;
    cn_graph_write_texture(graph, graphics("lit"), graph_image(graph, "hdr", 64),
                           CN_GPU_ACCESS_COLOR, NULL);
    expect("pass lit: hdr as color: declare attachments with cn_graph_color_attachment or "
           "cn_graph_depth_attachment");
}

static void a_usage_that_is_missing(void **state)
{
    (void)state;
    CnGraphTexture kept =
        cn_graph_persistent_texture(graph,
                                    &(CnGpuTextureDesc){.name = "exposure",
                                                        .format = CN_GPU_FORMAT_R32F,
                                                        .width = 1,
                                                        .height = 1,
                                                        .usage = CN_GPU_USE_STORAGE},
                                    NULL);
    cn_graph_read_texture(graph, graphics("tone"), kept, CN_GPU_ACCESS_SAMPLE, NULL);
    expect("pass tone: exposure was created without the usage for sample");
}

static void history_that_is_written(void **state)
{
    (void)state;
    CnGraphHistory history =
        cn_graph_history_texture(graph, &(CnGpuTextureDesc){.name = "taa",
                                                            .format = CN_GPU_FORMAT_RGBA8,
                                                            .width = 64,
                                                            .height = 64,
                                                            .usage = CN_GPU_USE_ATTACHMENT});
    graph_draw(graph, graphics("resolve"), history.previous);
    expect("pass resolve: taa (previous) is a previous history texture and read-only");
}

static void the_same_part_in_two_ways(void **state)
{
    (void)state;
    CnGraphTexture hdr = graph_draw(graph, graphics("lit"), graph_image(graph, "hdr", 64));
    CnGraphPass fog = graphics("fog");
    cn_graph_read_texture(graph, fog, hdr, CN_GPU_ACCESS_SAMPLE, NULL);
    cn_graph_color_attachment(graph, fog, hdr, NULL);
    expect("pass fog uses the same part of hdr as sample and as color");
}

static void parts_that_do_not_exist(void **state)
{
    (void)state;
    CnGraphTexture hdr = graph_draw(graph, graphics("lit"), graph_image(graph, "hdr", 64));
    cn_graph_read_texture(graph, graphics("fog"), hdr, CN_GPU_ACCESS_SAMPLE,
                          &(CnGraphSubresource){.mip = 1});
    expect("pass fog: hdr has only 1 mips and 1 layers");
}

static void a_graphics_pass_without_attachments(void **state)
{
    (void)state;
    graphics("lit");
    expect("graphics pass lit has no attachment");
}

static void attachments_of_different_sizes(void **state)
{
    (void)state;
    CnGraphPass lit = graphics("lit");
    graph_draw(graph, lit, graph_image(graph, "albedo", 64));
    graph_draw(graph, lit, graph_image(graph, "normal", 32));
    expect("pass lit: normal has 32 x 32 pixels and 1 layers, but albedo has 64 x 64 and 1");
}

static void too_many_attachments(void **state)
{
    (void)state;
    CnGraphPass lit = graphics("lit");
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    for (uint32_t i = 0; i < 5; i++)
        graph_draw(graph, lit, graph_image(graph, names[i], 64));
    expect("pass lit: too many attachments: cannot add e");
}

static void a_color_attachment_of_depth(void **state)
{
    (void)state;
    CnGraphTexture depth = cn_graph_create_texture(
        graph,
        &(CnGpuTextureDesc){.name = "z", .format = CN_GPU_FORMAT_D32F, .width = 8, .height = 8});
    graph_draw(graph, graphics("lit"), depth);
    char expected[128];
    cn_format(expected, sizeof expected,
              "pass lit: z cannot be a color attachment: its format is %s",
              cn_gpu_format_name(CN_GPU_FORMAT_D32F));
    expect(expected);
}

static void a_handle_of_the_last_frame(void **state)
{
    (void)state;
    CnGraphTexture hdr = graph_image(graph, "hdr", 64);
    cn_graph_begin(graph);
    graph_image(graph, "hdr", 64);
    graph_draw(graph, graphics("lit"), hdr);
    expect("pass lit: a texture is from another frame");
}

static void a_handle_that_is_null(void **state)
{
    (void)state;
    graph_draw(graph, graphics("lit"), (CnGraphTexture){0});
    expect("pass lit: a texture is null: it was never declared");
}

static void a_pass_of_the_last_frame(void **state)
{
    (void)state;
    CnGraphPass lit = graphics("lit");
    cn_graph_begin(graph);
    graph_draw(graph, lit, graph_image(graph, "hdr", 64));
    expect("a pass is null or from another frame");
}

static void textures_without_size_or_format(void **state)
{
    (void)state;
    cn_graph_create_texture(graph,
                            &(CnGpuTextureDesc){.name = "hdr", .format = CN_GPU_FORMAT_RGBA8});
    expect("texture hdr has no size");
    cn_graph_begin(graph);
    cn_graph_create_texture(graph, &(CnGpuTextureDesc){.name = "hdr", .width = 1, .height = 1});
    expect("texture hdr has no format");
    cn_graph_begin(graph);
    cn_graph_create_buffer(graph, &(CnGpuBufferDesc){.name = "tiles"});
    expect("buffer tiles has no size");
}

static void a_texture_larger_than_the_device_can(void **state)
{
    (void)state;
    CnGraphPass lit =
        cn_graph_add_pass(graph, &(CnGraphPassDesc){.name = "lit", .side_effects = true});
    graph_draw(graph, lit, graph_image(graph, "hdr", 1 << 30));
    expect("the device does not support the texture hdr");
}

static void an_import_of_nothing(void **state)
{
    (void)state;
    cn_graph_import_texture(graph, "window", (CnGpuTexture){0}, CN_GPU_ACCESS_NONE,
                            CN_GPU_ACCESS_PRESENT);
    expect("import window is not a texture");
}

static void an_import_that_is_imported_twice(void **state)
{
    (void)state;
    fixture.theirs = cn_gpu_texture_create(fixture.gpu,
                                           &(CnGpuTextureDesc){.name = "t",
                                                               .format = CN_GPU_FORMAT_RGBA8,
                                                               .width = 8,
                                                               .height = 8,
                                                               .usage = CN_GPU_USE_SAMPLED},
                                           NULL);
    cn_graph_import_texture(graph, "noise", fixture.theirs, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_NONE);
    cn_graph_import_texture(graph, "grain", fixture.theirs, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_NONE);
    expect("import grain is already imported as noise");
}

static void a_name_that_is_kept_twice(void **state)
{
    (void)state;
    CnGpuBufferDesc desc = {.name = "exposure", .size = 16, .usage = CN_GPU_USE_STORAGE};
    cn_graph_persistent_buffer(graph, &desc, NULL);
    cn_graph_persistent_buffer(graph, &desc, NULL);
    expect("exposure is declared twice in a frame");
}

static void too_many_passes(void **state)
{
    (void)state;
    for (uint32_t i = 0; i <= CN_GRAPH_MAX_PASSES; i++)
        graph_pass(graph, i < CN_GRAPH_MAX_PASSES ? "some" : "last", CN_GRAPH_COMPUTE);
    expect("cannot add pass last: the limit is 1024");
}

static void too_many_resources(void **state)
{
    (void)state;
    for (uint32_t i = 0; i <= CN_GRAPH_MAX_RESOURCES; i++)
        graph_image(graph, i < CN_GRAPH_MAX_RESOURCES ? "some" : "last", 8);
    expect("cannot add resource last: the limit is 1023");
}

static void too_many_versions(void **state)
{
    (void)state;
    CnGraphTexture hdr = cn_graph_create_texture(
        graph,
        &(CnGpuTextureDesc){
            .name = "hdr", .format = CN_GPU_FORMAT_RGBA8, .width = 8, .height = 8, .layers = 8});
    CnGraphPass pass = graph_pass(graph, "again", CN_GRAPH_COMPUTE);
    for (uint32_t i = 0; i <= CN_GRAPH_MAX_VERSIONS; i++) {
        /* Passes are fewer than versions: each layer of a pass makes one. */
        if (i % 8 == 0)
            pass = graph_pass(graph, "again", CN_GRAPH_COMPUTE);
        hdr = cn_graph_write_texture(graph, pass, hdr, CN_GPU_ACCESS_WRITE_COMPUTE,
                                     &(CnGraphSubresource){.layer = i % 8, .layer_count = 1});
    }
    expect("pass again: hdr has reached the limit of 4095 versions");
}

static void the_first_error_is_reported(void **state)
{
    (void)state;
    graph_draw(graph, graphics("lit"), (CnGraphTexture){0});
    cn_graph_import_texture(graph, "window", (CnGpuTexture){0}, CN_GPU_ACCESS_NONE,
                            CN_GPU_ACCESS_PRESENT);
    expect("pass lit: a texture is null: it was never declared");
}

static void a_good_frame_follows_a_bad_one(void **state)
{
    (void)state;
    graph_draw(graph, graphics("lit"), (CnGraphTexture){0});
    expect("pass lit: a texture is null: it was never declared");
    cn_graph_begin(graph);
    CnGraphPass lit =
        cn_graph_add_pass(graph, &(CnGraphPassDesc){.name = "lit", .side_effects = true});
    graph_draw(graph, lit, graph_image(graph, "hdr", 64));
    graph_fixture_run(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        TEST(a_read_before_any_write),
        TEST(a_load_of_nothing),
        TEST(a_mip_that_was_never_written),
        TEST(an_import_without_contents),
        TEST(two_writers_of_a_version),
        TEST(a_cycle),
        TEST(an_access_of_another_kind_of_pass),
        TEST(an_access_that_is_for_buffers),
        TEST(an_access_that_is_for_textures),
        TEST(an_access_that_no_pass_has),
        TEST(a_read_that_writes),
        TEST(a_write_that_reads),
        TEST(an_attachment_that_is_not_declared_as_one),
        TEST(a_usage_that_is_missing),
        TEST(history_that_is_written),
        TEST(the_same_part_in_two_ways),
        TEST(parts_that_do_not_exist),
        TEST(a_graphics_pass_without_attachments),
        TEST(attachments_of_different_sizes),
        TEST(too_many_attachments),
        TEST(a_color_attachment_of_depth),
        TEST(a_handle_of_the_last_frame),
        TEST(a_handle_that_is_null),
        TEST(a_pass_of_the_last_frame),
        TEST(textures_without_size_or_format),
        TEST(a_texture_larger_than_the_device_can),
        TEST(an_import_of_nothing),
        TEST(an_import_that_is_imported_twice),
        TEST(a_name_that_is_kept_twice),
        TEST(too_many_passes),
        TEST(too_many_resources),
        TEST(too_many_versions),
        TEST(the_first_error_is_reported),
        TEST(a_good_frame_follows_a_bad_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
