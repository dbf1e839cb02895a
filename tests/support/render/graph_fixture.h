/* A graph on the null backend with a counting heap. */
#ifndef CAIRN_TESTS_SUPPORT_RENDER_GRAPH_FIXTURE_H
#define CAIRN_TESTS_SUPPORT_RENDER_GRAPH_FIXTURE_H

#include "cmocka_tests.h"

#include <cairn/render.h>

#include <string.h>

typedef struct GraphFixture {
    CnHeap *heap;
    CnGpu *gpu;
    CnGraph *graph;
    CnGpuTexture theirs; /* destroyed at the end if a test created it */
    CnError error;
} GraphFixture;

static inline void graph_fixture_init(GraphFixture *fixture)
{
    *fixture = (GraphFixture){.heap = cn_heap_create(NULL, NULL)};
    fixture->gpu = cn_gpu_create(&(CnGpuDesc){.allocator = cn_heap_tag(fixture->heap, "gpu"),
                                              .name = "test",
                                              .backend = CN_GPU_NULL},
                                 &fixture->error);
    assert_non_null(fixture->gpu);
    fixture->graph = cn_graph_create(
        &(CnGraphDesc){.allocator = cn_heap_tag(fixture->heap, "graph"), .gpu = fixture->gpu},
        &fixture->error);
    assert_non_null(fixture->graph);
}

static inline void graph_fixture_fini(GraphFixture *fixture)
{
    assert_int_equal(cn_gpu_stats(fixture->gpu).wrong_calls, 0);
    cn_graph_destroy(fixture->graph);
    if (fixture->theirs.id)
        cn_gpu_texture_destroy(fixture->gpu, fixture->theirs);
    cn_gpu_destroy(fixture->gpu);
    assert_int_equal(cn_heap_stats(fixture->heap).live_blocks, 0);
    cn_heap_destroy(fixture->heap);
}

/* Compiles the graph and records it into a frame. */
static inline void graph_fixture_run(GraphFixture *fixture)
{
    if (!cn_graph_compile(fixture->graph, &fixture->error))
        fail_msg("%s", fixture->error.message);
    CnGpuCommands *commands = cn_gpu_begin_frame(fixture->gpu, &fixture->error);
    assert_non_null(commands);
    cn_graph_execute(fixture->graph, commands);
    assert_true(cn_gpu_end_frame(fixture->gpu, &fixture->error));
}

/* Compiles the graph, which must fail with this text. */
static inline void graph_fixture_expect(GraphFixture *fixture, const char *message)
{
    CnError error = {0};
    assert_false(cn_graph_compile(fixture->graph, &error));
    assert_string_equal(error.message, message);
}

static inline CnGraphTexture graph_image(CnGraph *graph, const char *name, uint32_t size)
{
    return cn_graph_create_texture(
        graph, &(CnGpuTextureDesc){
                   .name = name, .format = CN_GPU_FORMAT_RGBA8, .width = size, .height = size});
}

static inline CnGraphPass graph_pass(CnGraph *graph, const char *name, CnGraphPassKind kind)
{
    return cn_graph_add_pass(graph, &(CnGraphPassDesc){.name = name, .kind = kind});
}

/* Draws into a texture after clearing it. */
static inline CnGraphTexture graph_draw(CnGraph *graph, CnGraphPass pass, CnGraphTexture texture)
{
    return cn_graph_color_attachment(graph, pass, texture,
                                     &(CnGraphAttachment){.load = CN_GPU_CLEAR});
}

/* Returns the passes of the last frame in order, as "a b c". */
static inline const char *graph_order(const CnGpu *gpu, char *text, size_t bytes)
{
    uint32_t count, depth = 0;
    const CnGpuLogEntry *log = cn_gpu_command_log(gpu, &count);
    text[0] = '\0';
    for (uint32_t i = 0; i < count; i++) {
        if (!strcmp(log[i].command, "end_label"))
            depth--;
        if (!strcmp(log[i].command, "begin_label") && depth++ == 0)
            cn_format(text + strlen(text), bytes - strlen(text), "%s%s", text[0] ? " " : "",
                      log[i].name);
    }
    return text;
}

#endif
