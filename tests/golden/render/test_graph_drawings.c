/* The images of a small frame: as they were looked at, and as XML and DOT want them. */
#include "graph_fixture.h"

#include <stdio.h>
#include <stdlib.h>

static GraphFixture fixture;
static CnGraph *graph;
static CnTextBuilder text;

static CnGraphTexture texture(const char *name, CnGpuFormat format, uint32_t width, uint32_t height)
{
    return cn_graph_create_texture(
        graph,
        &(CnGpuTextureDesc){.name = name, .format = format, .width = width, .height = height});
}

static CnGraphTexture sampled(const char *name, const CnGraphTexture *from, uint32_t count,
                              CnGraphTexture to)
{
    CnGraphPass pass = graph_pass(graph, name, CN_GRAPH_GRAPHICS);
    for (uint32_t i = 0; i < count; i++)
        cn_graph_read_texture(graph, pass, from[i], CN_GPU_ACCESS_SAMPLE, NULL);
    return cn_graph_color_attachment(graph, pass, to, &(CnGraphAttachment){.load = CN_GPU_DISCARD});
}

/* Shadows, a G-buffer, occlusion, light, a resolve over time, tone mapping; and a pass that nobody
 * needs. */
static void declare_frame(void)
{
    CnGraphAttachment clear = {.load = CN_GPU_CLEAR};
    cn_graph_begin(graph);
    CnGraphTexture shadow =
        cn_graph_depth_attachment(graph, graph_pass(graph, "shadows", CN_GRAPH_GRAPHICS),
                                  texture("shadow map", CN_GPU_FORMAT_D32F, 2048, 2048), &clear);
    CnGraphPass geometry = graph_pass(graph, "geometry", CN_GRAPH_GRAPHICS);
    CnGraphTexture albedo = cn_graph_color_attachment(
        graph, geometry, texture("albedo", CN_GPU_FORMAT_RGBA8, 1280, 720), &clear);
    CnGraphTexture normal = cn_graph_color_attachment(
        graph, geometry, texture("normal", CN_GPU_FORMAT_RGB10A2, 1280, 720), &clear);
    CnGraphTexture depth = cn_graph_depth_attachment(
        graph, geometry, texture("depth", CN_GPU_FORMAT_D32F, 1280, 720), &clear);
    CnGraphTexture ao = sampled("occlusion", (CnGraphTexture[]){normal, depth}, 2,
                                texture("occlusion raw", CN_GPU_FORMAT_R8, 1280, 720));
    ao = sampled("blur <x & y>", &ao, 1, texture("occlusion", CN_GPU_FORMAT_R8, 1280, 720));
    CnGraphTexture hdr = sampled("light", (CnGraphTexture[]){albedo, normal, depth, shadow, ao}, 5,
                                 texture("hdr", CN_GPU_FORMAT_RGBA16F, 1280, 720));
    sampled("debug \"view\"", &normal, 1, texture("debug", CN_GPU_FORMAT_RGBA8, 1280, 720));
    CnGraphHistory taa = cn_graph_history_texture(
        graph, &(CnGpuTextureDesc){.name = "taa",
                                   .format = CN_GPU_FORMAT_RGBA16F,
                                   .width = 1280,
                                   .height = 720,
                                   .usage = CN_GPU_USE_ATTACHMENT | CN_GPU_USE_SAMPLED});
    CnGraphTexture resolved =
        sampled("resolve", (CnGraphTexture[]){hdr, taa.previous, depth}, 3, taa.current);
    CnGraphBuffer bins =
        cn_graph_create_buffer(graph, &(CnGpuBufferDesc){.name = "histogram", .size = 1024});
    CnGraphPass expose = graph_pass(graph, "exposure", CN_GRAPH_COMPUTE);
    cn_graph_read_texture(graph, expose, resolved, CN_GPU_ACCESS_SAMPLE_COMPUTE, NULL);
    bins = cn_graph_write_buffer(graph, expose, bins, CN_GPU_ACCESS_WRITE_COMPUTE, NULL);
    CnGraphTexture bloom =
        sampled("bloom down", &resolved, 1, texture("bloom half", CN_GPU_FORMAT_RGBA16F, 640, 360));
    bloom = sampled("bloom up", &bloom, 1, texture("bloom", CN_GPU_FORMAT_RGBA16F, 1280, 720));
    CnGraphPass tone = graph_pass(graph, "tone map", CN_GRAPH_GRAPHICS);
    cn_graph_read_texture(graph, tone, resolved, CN_GPU_ACCESS_SAMPLE, NULL);
    cn_graph_read_texture(graph, tone, bloom, CN_GPU_ACCESS_SAMPLE, NULL);
    cn_graph_read_buffer(graph, tone, bins, CN_GPU_ACCESS_READ);
    CnGraphTexture screen = cn_graph_import_texture(graph, "screen", fixture.theirs,
                                                    CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COPY_FROM);
    cn_graph_color_attachment(graph, tone, screen, &(CnGraphAttachment){.load = CN_GPU_DISCARD});
}

static int setup(void **state)
{
    (void)state;
    graph_fixture_init(&fixture);
    graph = fixture.graph;
    cn_array_init(&text, NULL);
    fixture.theirs = cn_gpu_texture_create(
        fixture.gpu,
        &(CnGpuTextureDesc){.name = "screen",
                            .format = CN_GPU_FORMAT_RGBA8,
                            .width = 1280,
                            .height = 720,
                            .usage = CN_GPU_USE_ATTACHMENT | CN_GPU_USE_COPY_FROM},
        NULL);
    declare_frame();
    graph_fixture_run(&fixture);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    cn_array_fini(&text);
    graph_fixture_fini(&fixture);
    return 0;
}

/* CAIRN_UPDATE_GOLDEN=1 writes the file instead. */
static void compare(const char *path)
{
    if (getenv("CAIRN_UPDATE_GOLDEN")) {
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        fwrite(text.items, 1, text.count, file);
        fclose(file);
        return;
    }
    static char golden[65536];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(golden, 1, sizeof golden - 1, file);
    fclose(file);
    golden[size] = '\0';
    assert_string_equal(text.items, golden);
}

static void the_drawing_is_as_it_was_looked_at(void **state)
{
    (void)state;
    assert_true(cn_graph_write_svg(graph, &text));
    compare("tests/golden/render/graph.svg");
}

static void the_text_for_graphviz_is_as_it_was_looked_at(void **state)
{
    (void)state;
    assert_true(cn_graph_write_dot(graph, &text));
    compare("tests/golden/render/graph.dot");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_drawing_is_as_it_was_looked_at, setup, teardown),
        cmocka_unit_test_setup_teardown(the_text_for_graphviz_is_as_it_was_looked_at, setup,
                                        teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
