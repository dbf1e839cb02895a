/* A buffer that one pass reads in two ways, on a real device: what to draw, and where its corners
 * are. */
#include "gpu_device.h"

#include <cairn/render.h>

#include "shaders/tests/color.frag.h"
#include "shaders/tests/triangle.vert.h"

#define SIZE 16u /* as the vertex shader has it */
#define CORNERS_AT 256u
#define RED 0xff0000ffu /* as bytes r, g, b, a */

typedef struct Frame {
    CnGpuPipeline pipeline;
    CnGraphBuffer draws, readback;
    CnGraphTexture image;
} Frame;

static void run_upload(const CnGraphRun *run)
{
    static const uint32_t draw[4] = {3, 1, 0, 0};
    static const float corners[6] = {0, 0, 2 * SIZE, 0, 0, 2 * SIZE};
    const Frame *frame = run->user;
    CnGpuBuffer draws = cn_graph_get_buffer(run->graph, frame->draws);
    CnGpuUpload upload = cn_gpu_upload(run->commands, 512, 0);
    assert_non_null(upload.data);
    memcpy(upload.data, draw, sizeof draw);
    memcpy((char *)upload.data + CORNERS_AT, corners, sizeof corners);
    cn_gpu_copy_buffer(run->commands, upload.buffer, upload.offset, draws, 0, 512);
}

static void run_draw(const CnGraphRun *run)
{
    static const float constants[] = {1, 0, 0, 1, 0};
    const Frame *frame = run->user;
    CnGpuBuffer draws = cn_graph_get_buffer(run->graph, frame->draws);
    cn_gpu_bind_pipeline(run->commands, frame->pipeline);
    cn_gpu_bind_buffer(run->commands, 0, draws, CORNERS_AT, 24);
    cn_gpu_push_constants(run->commands, constants, sizeof constants);
    cn_gpu_draw_indirect(run->commands, draws, 0, 1, 16);
}

static void run_read(const CnGraphRun *run)
{
    const Frame *frame = run->user;
    cn_gpu_copy_from_texture(run->commands, cn_graph_get_texture(run->graph, frame->image),
                             cn_graph_get_buffer(run->graph, frame->readback), &(CnGpuRegion){0});
}

static CnGraphPass add_pass(CnGraph *graph, const char *name, CnGraphPassKind kind,
                            void (*run)(const CnGraphRun *), Frame *frame)
{
    return cn_graph_add_pass(
        graph, &(CnGraphPassDesc){.name = name, .kind = kind, .run = run, .user = frame});
}

static void declare_frame(CnGraph *graph, Frame *frame, CnGpuBuffer readback)
{
    cn_graph_begin(graph);
    frame->draws = cn_graph_create_buffer(graph, &(CnGpuBufferDesc){.name = "draws", .size = 512});
    frame->image = cn_graph_create_texture(
        graph, &(CnGpuTextureDesc){
                   .name = "image", .format = CN_GPU_FORMAT_RGBA8, .width = SIZE, .height = SIZE});
    CnGraphPass pass = add_pass(graph, "upload", CN_GRAPH_TRANSFER, run_upload, frame);
    frame->draws = cn_graph_write_buffer(graph, pass, frame->draws, CN_GPU_ACCESS_COPY_TO, NULL);
    pass = add_pass(graph, "draw", CN_GRAPH_GRAPHICS, run_draw, frame);
    cn_graph_read_buffer(graph, pass, frame->draws, CN_GPU_ACCESS_INDIRECT);
    cn_graph_read_buffer(graph, pass, frame->draws, CN_GPU_ACCESS_READ);
    frame->image = cn_graph_color_attachment(graph, pass, frame->image,
                                             &(CnGraphAttachment){.load = CN_GPU_CLEAR});
    frame->readback =
        cn_graph_import_buffer(graph, "readback", readback, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_HOST);
    pass = add_pass(graph, "read", CN_GRAPH_TRANSFER, run_read, frame);
    cn_graph_read_texture(graph, pass, frame->image, CN_GPU_ACCESS_COPY_FROM, NULL);
    frame->readback =
        cn_graph_write_buffer(graph, pass, frame->readback, CN_GPU_ACCESS_COPY_TO, NULL);
}

static void a_buffer_is_read_in_two_ways_at_once(void **state)
{
    (void)state;
    CnGpu *gpu = make_vulkan(NULL);
    if (!gpu)
        skip();
    CnError error = {0};
    CnGpuGraphicsDesc graphics = {
        .name = "draw",
        .vertex = {cn_shader_tests_triangle_vert, sizeof cn_shader_tests_triangle_vert},
        .fragment = {cn_shader_tests_color_frag, sizeof cn_shader_tests_color_frag},
        .bindings = {CN_GPU_BIND_STORAGE},
        .constants = 20,
        .color = {CN_GPU_FORMAT_RGBA8}};
    Frame frame = {.pipeline = cn_gpu_graphics_pipeline_create(gpu, &graphics, &error)};
    CnGpuBuffer readback = make_readback(gpu, SIZE * SIZE * 4);
    CnGraph *graph = cn_graph_create(&(CnGraphDesc){.gpu = gpu}, &error);
    assert_true(frame.pipeline.id && graph);
    declare_frame(graph, &frame, readback);
    if (!cn_graph_compile(graph, &error))
        fail_msg("%s", error.message);
    cn_graph_execute(graph, begin_frame(gpu));
    end_frame(gpu);
    const uint32_t *read = cn_gpu_buffer_data(gpu, readback);
    for (uint32_t i = 0; i < SIZE * SIZE; i++)
        assert_int_equal(read[i], RED);
    cn_graph_destroy(graph);
    cn_gpu_buffer_destroy(gpu, readback);
    cn_gpu_pipeline_destroy(gpu, frame.pipeline);
    end_gpu(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_buffer_is_read_in_two_ways_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
