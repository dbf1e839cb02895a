/* Drawing on a real device: pixels are read back and compared exactly. */
#include "gpu_device.h"

#include "shaders/tests/color.frag.h"
#include "shaders/tests/depth.frag.h"
#include "shaders/tests/triangle.vert.h"

#include <string.h>

#define SIZE 16u
#define RED 0xff0000ffu /* as bytes r, g, b, a */
#define GREEN 0xff00ff00u
#define BLUE 0xffff0000u

typedef struct Constants {
    float color[4];
    float depth;
} Constants;

typedef struct Fixture {
    CnGpu *gpu;
    CnGpuTexture color, depth;
    CnGpuBuffer readback;
    CnGpuCommands *commands;
} Fixture;

static CnGpuTexture make_target(CnGpu *gpu, CnGpuFormat format)
{
    CnGpuTexture texture = cn_gpu_texture_create(
        gpu,
        &(CnGpuTextureDesc){.name = cn_gpu_format_name(format),
                            .format = format,
                            .width = SIZE,
                            .height = SIZE,
                            .usage = CN_GPU_USE_ATTACHMENT | CN_GPU_USE_COPY_FROM},
        NULL);
    assert_int_not_equal(texture.id, 0);
    return texture;
}

static int begin(void **state)
{
    static Fixture fixture;
    CnGpu *gpu = make_vulkan(NULL);
    fixture = (Fixture){.gpu = gpu};
    *state = &fixture;
    if (!gpu)
        return 0;
    fixture.color = make_target(gpu, CN_GPU_FORMAT_RGBA8);
    fixture.depth = make_target(gpu, CN_GPU_FORMAT_D32F);
    fixture.readback = make_readback(gpu, SIZE * SIZE * 4);
    fixture.commands = begin_frame(gpu);
    return 0;
}

static int end(void **state)
{
    Fixture *f = *state;
    if (!f->gpu)
        return 0;
    cn_gpu_texture_destroy(f->gpu, f->color);
    cn_gpu_texture_destroy(f->gpu, f->depth);
    cn_gpu_buffer_destroy(f->gpu, f->readback);
    end_gpu(f->gpu);
    return 0;
}

static Fixture *fixture_of(void **state)
{
    Fixture *f = *state;
    if (!f->gpu)
        skip();
    return f;
}

static CnGpuPipeline make_pipeline(CnGpu *gpu, const CnGpuGraphicsDesc *state_of)
{
    CnError error = {0};
    CnGpuGraphicsDesc desc = *state_of;
    desc.name = "triangle";
    desc.vertex =
        (CnGpuShader){cn_shader_tests_triangle_vert, sizeof cn_shader_tests_triangle_vert};
    if (desc.color[0] && !desc.fragment.code)
        desc.fragment =
            (CnGpuShader){cn_shader_tests_color_frag, sizeof cn_shader_tests_color_frag};
    desc.bindings[0] = CN_GPU_BIND_STORAGE;
    desc.constants = sizeof(Constants);
    CnGpuPipeline pipeline = cn_gpu_graphics_pipeline_create(gpu, &desc, &error);
    if (!pipeline.id)
        fail_msg("%s", error.message);
    return pipeline;
}

static void bind_corners(CnGpuCommands *commands, const float (*corners)[2], uint32_t count)
{
    CnGpuUpload upload = cn_gpu_upload(commands, count * sizeof *corners, 0);
    assert_non_null(upload.data);
    memcpy(upload.data, corners, count * sizeof *corners);
    cn_gpu_bind_buffer(commands, 0, upload.buffer, upload.offset, count * sizeof *corners);
}

static void set_constants(CnGpuCommands *commands, float r, float g, float b, float a, float depth)
{
    Constants constants = {{r, g, b, a}, depth};
    cn_gpu_push_constants(commands, &constants, sizeof constants);
}

static void begin_color(Fixture *f, const float clear[4])
{
    CnGpuRendering rendering = {.name = "test",
                                .width = SIZE,
                                .height = SIZE,
                                .color = {{.texture = f->color, .load = CN_GPU_CLEAR}}};
    memcpy(rendering.color[0].clear, clear, sizeof rendering.color[0].clear);
    texture_barrier(f->commands, f->color, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COLOR);
    cn_gpu_begin_rendering(f->commands, &rendering);
}

/* Ends the frame and gives the pixels of the color target. */
static const uint32_t *read_color(Fixture *f)
{
    texture_barrier(f->commands, f->color, CN_GPU_ACCESS_COLOR, CN_GPU_ACCESS_COPY_FROM);
    buffer_barrier(f->commands, f->readback, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COPY_TO);
    cn_gpu_copy_from_texture(f->commands, f->color, f->readback, &(CnGpuRegion){0});
    buffer_barrier(f->commands, f->readback, CN_GPU_ACCESS_COPY_TO, CN_GPU_ACCESS_HOST);
    end_frame(f->gpu);
    return cn_gpu_buffer_data(f->gpu, f->readback);
}

static const float black[4] = {0, 0, 0, 1}, blue[4] = {0, 0, 1, 1};
/* The corner at the top left of the image; its long side passes between pixels. */
static const float corner[3][2] = {{0, 0}, {0, 8.5f}, {8.5f, 0}};
static const float whole[3][2] = {{0, 0}, {0, 32}, {32, 0}};

static void a_clear_fills_every_pixel(void **state)
{
    Fixture *f = fixture_of(state);
    begin_color(f, blue);
    cn_gpu_end_rendering(f->commands);
    const uint32_t *pixels = read_color(f);
    for (uint32_t i = 0; i < SIZE * SIZE; i++)
        assert_int_equal(pixels[i], BLUE);
}

static void a_triangle_covers_its_pixels_and_no_others(void **state)
{
    Fixture *f = fixture_of(state);
    CnGpuPipeline pipeline =
        make_pipeline(f->gpu, &(CnGpuGraphicsDesc){.color = {CN_GPU_FORMAT_RGBA8}});
    begin_color(f, blue);
    cn_gpu_bind_pipeline(f->commands, pipeline);
    bind_corners(f->commands, corner, 3);
    set_constants(f->commands, 1, 0, 0, 1, 0);
    cn_gpu_draw(f->commands, 3, 1, 0, 0);
    cn_gpu_end_rendering(f->commands);
    const uint32_t *pixels = read_color(f);
    for (uint32_t y = 0; y < SIZE; y++) {
        for (uint32_t x = 0; x < SIZE; x++)
            assert_int_equal(pixels[y * SIZE + x], x + y < 8 ? RED : BLUE);
    }
    cn_gpu_pipeline_destroy(f->gpu, pipeline);
}

static void back_faces_are_those_that_run_clockwise(void **state)
{
    Fixture *f = fixture_of(state);
    CnGpuPipeline pipeline = make_pipeline(
        f->gpu, &(CnGpuGraphicsDesc){.color = {CN_GPU_FORMAT_RGBA8}, .cull = CN_GPU_CULL_BACK});
    static const float clockwise[3][2] = {{0, 0}, {32, 0}, {0, 32}};
    begin_color(f, blue);
    cn_gpu_bind_pipeline(f->commands, pipeline);
    set_constants(f->commands, 0, 1, 0, 1, 0);
    bind_corners(f->commands, corner, 3);
    cn_gpu_draw(f->commands, 3, 1, 0, 0);
    set_constants(f->commands, 1, 0, 0, 1, 0);
    bind_corners(f->commands, clockwise, 3);
    cn_gpu_draw(f->commands, 3, 1, 0, 0);
    cn_gpu_end_rendering(f->commands);
    const uint32_t *pixels = read_color(f);
    assert_int_equal(pixels[0], GREEN);
    assert_int_equal(pixels[SIZE * SIZE - 1], BLUE);
    cn_gpu_pipeline_destroy(f->gpu, pipeline);
}

static void draws_of_the_last_frame_are_counted(void **state)
{
    Fixture *f = fixture_of(state);
    CnGpuPipeline pipeline =
        make_pipeline(f->gpu, &(CnGpuGraphicsDesc){.color = {CN_GPU_FORMAT_RGBA8}});
    begin_color(f, blue);
    cn_gpu_bind_pipeline(f->commands, pipeline);
    set_constants(f->commands, 1, 0, 0, 1, 0);
    bind_corners(f->commands, corner, 3);
    cn_gpu_draw(f->commands, 3, 1, 0, 0);
    cn_gpu_draw(f->commands, 3, 1, 0, 0);
    cn_gpu_end_rendering(f->commands);
    read_color(f);
    assert_int_equal(cn_gpu_stats(f->gpu).draw_calls, 2);
    cn_gpu_pipeline_destroy(f->gpu, pipeline);
}

static void viewport_and_scissor_bound_what_is_drawn(void **state)
{
    Fixture *f = fixture_of(state);
    CnGpuPipeline pipeline =
        make_pipeline(f->gpu, &(CnGpuGraphicsDesc){.color = {CN_GPU_FORMAT_RGBA8}});
    begin_color(f, black);
    cn_gpu_bind_pipeline(f->commands, pipeline);
    bind_corners(f->commands, whole, 3);
    set_constants(f->commands, 1, 0, 0, 1, 0);
    cn_gpu_set_viewport(f->commands, 4, 4, 8, 8);
    cn_gpu_set_scissor(f->commands, 6, 0, 16, 16);
    cn_gpu_draw(f->commands, 3, 1, 0, 0);
    cn_gpu_end_rendering(f->commands);
    const uint32_t *pixels = read_color(f);
    for (uint32_t y = 0; y < SIZE; y++) {
        for (uint32_t x = 0; x < SIZE; x++) {
            /* Triangles are clipped at the planes of the view: no pixel outside of the viewport. */
            bool inside = x >= 6 && x < 12 && y >= 4 && y < 12;
            assert_int_equal(pixels[y * SIZE + x], inside ? RED : 0xff000000u);
        }
    }
    cn_gpu_pipeline_destroy(f->gpu, pipeline);
}

static void depth_lets_the_nearer_win(void **state)
{
    Fixture *f = fixture_of(state);
    CnGpuPipeline pipeline =
        make_pipeline(f->gpu, &(CnGpuGraphicsDesc){.color = {CN_GPU_FORMAT_RGBA8},
                                                   .depth = CN_GPU_FORMAT_D32F,
                                                   .depth_test = CN_GPU_GREATER_EQUAL,
                                                   .depth_write = true});
    texture_barrier(f->commands, f->color, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COLOR);
    texture_barrier(f->commands, f->depth, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_DEPTH);
    cn_gpu_begin_rendering(f->commands,
                           &(CnGpuRendering){.width = SIZE,
                                             .height = SIZE,
                                             .color = {{.texture = f->color, .load = CN_GPU_CLEAR}},
                                             .depth = {.texture = f->depth, .load = CN_GPU_CLEAR}});
    cn_gpu_bind_pipeline(f->commands, pipeline);
    bind_corners(f->commands, corner, 3);
    set_constants(f->commands, 1, 0, 0, 1, 0.75f);
    cn_gpu_draw(f->commands, 3, 1, 0, 0);
    bind_corners(f->commands, whole, 3);
    set_constants(f->commands, 0, 1, 0, 1, 0.5f);
    cn_gpu_draw(f->commands, 3, 1, 0, 0);
    cn_gpu_end_rendering(f->commands);
    const uint32_t *pixels = read_color(f);
    assert_int_equal(pixels[0], RED);
    assert_int_equal(pixels[SIZE * SIZE - 1], GREEN);
    cn_gpu_pipeline_destroy(f->gpu, pipeline);
}

static void depth_alone_can_be_drawn_and_read(void **state)
{
    Fixture *f = fixture_of(state);
    CnGpuPipeline pipeline = make_pipeline(
        f->gpu, &(CnGpuGraphicsDesc){.depth = CN_GPU_FORMAT_D32F, .depth_write = true});
    texture_barrier(f->commands, f->depth, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_DEPTH);
    cn_gpu_begin_rendering(
        f->commands,
        &(CnGpuRendering){.width = SIZE,
                          .height = SIZE,
                          .depth = {.texture = f->depth, .load = CN_GPU_CLEAR, .clear = {1.0f}}});
    cn_gpu_bind_pipeline(f->commands, pipeline);
    bind_corners(f->commands, corner, 3);
    set_constants(f->commands, 0, 0, 0, 0, 0.25f);
    cn_gpu_draw(f->commands, 3, 1, 0, 0);
    cn_gpu_end_rendering(f->commands);
    texture_barrier(f->commands, f->depth, CN_GPU_ACCESS_DEPTH, CN_GPU_ACCESS_COPY_FROM);
    buffer_barrier(f->commands, f->readback, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COPY_TO);
    cn_gpu_copy_from_texture(f->commands, f->depth, f->readback, &(CnGpuRegion){0});
    buffer_barrier(f->commands, f->readback, CN_GPU_ACCESS_COPY_TO, CN_GPU_ACCESS_HOST);
    end_frame(f->gpu);
    const float *depths = cn_gpu_buffer_data(f->gpu, f->readback);
    assert_true(depths[0] == 0.25f);
    assert_true(depths[SIZE * SIZE - 1] == 1.0f);
    cn_gpu_pipeline_destroy(f->gpu, pipeline);
}

static void depth_is_tested_and_sampled_by_one_pass(void **state)
{
    Fixture *f = fixture_of(state);
    CnGpuTexture depth = cn_gpu_texture_create(
        f->gpu,
        &(CnGpuTextureDesc){.name = "depth",
                            .format = CN_GPU_FORMAT_D32F,
                            .width = SIZE,
                            .height = SIZE,
                            .usage = CN_GPU_USE_ATTACHMENT | CN_GPU_USE_SAMPLED},
        NULL);
    CnGpuSampler sampler =
        cn_gpu_sampler_get(f->gpu, &(CnGpuSamplerDesc){.wrap = CN_GPU_CLAMP}, NULL);
    CnGpuPipeline lay = make_pipeline(
        f->gpu, &(CnGpuGraphicsDesc){.depth = CN_GPU_FORMAT_D32F, .depth_write = true});
    CnGpuPipeline show = make_pipeline(
        f->gpu, &(CnGpuGraphicsDesc){
                    .fragment = {cn_shader_tests_depth_frag, sizeof cn_shader_tests_depth_frag},
                    .bindings = {CN_GPU_BIND_STORAGE, CN_GPU_BIND_TEXTURE},
                    .color = {CN_GPU_FORMAT_RGBA8},
                    .depth = CN_GPU_FORMAT_D32F,
                    .depth_test = CN_GPU_GREATER});
    CnGpuRendering rendering = {
        .width = SIZE, .height = SIZE, .depth = {.texture = depth, .load = CN_GPU_CLEAR}};
    texture_barrier(f->commands, depth, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_DEPTH);
    texture_barrier(f->commands, f->color, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COLOR);
    cn_gpu_begin_rendering(f->commands, &rendering);
    cn_gpu_bind_pipeline(f->commands, lay);
    bind_corners(f->commands, corner, 3);
    set_constants(f->commands, 0, 0, 0, 1, 0.2f);
    cn_gpu_draw(f->commands, 3, 1, 0, 0);
    cn_gpu_end_rendering(f->commands);
    texture_barrier(f->commands, depth, CN_GPU_ACCESS_DEPTH, CN_GPU_ACCESS_DEPTH_READ);
    rendering.depth.load = CN_GPU_LOAD;
    rendering.depth_read_only = true;
    rendering.color[0] = (CnGpuAttachment){.texture = f->color, .load = CN_GPU_CLEAR};
    cn_gpu_begin_rendering(f->commands, &rendering);
    cn_gpu_bind_pipeline(f->commands, show);
    bind_corners(f->commands, whole, 3);
    cn_gpu_bind_texture(f->commands, 1, depth, sampler);
    set_constants(f->commands, 0, 0, 0, 1, 0.6f);
    cn_gpu_draw(f->commands, 3, 1, 0, 0);
    set_constants(f->commands, 0, 1, 1, 1, 0.1f); /* behind the corner */
    cn_gpu_draw(f->commands, 3, 1, 0, 0);
    cn_gpu_end_rendering(f->commands);
    const uint32_t *pixels = read_color(f);
    assert_int_equal(pixels[0], 0xff000033u);
    assert_int_equal(pixels[SIZE * SIZE - 1], 0xffffff00u);
    cn_gpu_texture_destroy(f->gpu, depth);
    cn_gpu_pipeline_destroy(f->gpu, lay);
    cn_gpu_pipeline_destroy(f->gpu, show);
}

static void targets_of_integers_are_cleared_to_whole_numbers(void **state)
{
    Fixture *f = fixture_of(state);
    CnGpuTexture target = make_target(f->gpu, CN_GPU_FORMAT_R32U);
    texture_barrier(f->commands, target, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COLOR);
    cn_gpu_begin_rendering(
        f->commands,
        &(CnGpuRendering){.width = SIZE,
                          .height = SIZE,
                          .color = {{.texture = target, .load = CN_GPU_CLEAR, .clear = {77}}}});
    cn_gpu_end_rendering(f->commands);
    texture_barrier(f->commands, target, CN_GPU_ACCESS_COLOR, CN_GPU_ACCESS_COPY_FROM);
    buffer_barrier(f->commands, f->readback, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COPY_TO);
    cn_gpu_copy_from_texture(f->commands, target, f->readback, &(CnGpuRegion){0});
    buffer_barrier(f->commands, f->readback, CN_GPU_ACCESS_COPY_TO, CN_GPU_ACCESS_HOST);
    end_frame(f->gpu);
    assert_int_equal(((uint32_t *)cn_gpu_buffer_data(f->gpu, f->readback))[5], 77);
    cn_gpu_texture_destroy(f->gpu, target);
}

static uint32_t draw_blended(Fixture *f, CnGpuBlend blend)
{
    CnGpuPipeline pipeline = make_pipeline(
        f->gpu, &(CnGpuGraphicsDesc){.color = {CN_GPU_FORMAT_RGBA8}, .blend = {blend}});
    begin_color(f, blue);
    cn_gpu_bind_pipeline(f->commands, pipeline);
    bind_corners(f->commands, whole, 3);
    set_constants(f->commands, 1, 0, 0, 0.2f, 0);
    cn_gpu_draw(f->commands, 3, 1, 0, 0);
    cn_gpu_end_rendering(f->commands);
    uint32_t pixel = read_color(f)[0];
    cn_gpu_pipeline_destroy(f->gpu, pipeline);
    return pixel;
}

static void blends_are_what_they_are_called(void **state)
{
    Fixture *f = fixture_of(state);
    static const uint32_t wanted[] = {[CN_GPU_BLEND_NONE] = 0x330000ffu,
                                      [CN_GPU_BLEND_ALPHA] = 0xffcc0033u,
                                      [CN_GPU_BLEND_PREMULTIPLIED] = 0xffcc00ffu,
                                      [CN_GPU_BLEND_ADD] = 0xffff00ffu};
    for (uint32_t i = 0; i < CN_COUNT_OF(wanted); i++) {
        if (i)
            f->commands = begin_frame(f->gpu);
        assert_int_equal(draw_blended(f, (CnGpuBlend)i), wanted[i]);
    }
}

static void indices_are_read_from_their_offset(void **state)
{
    Fixture *f = fixture_of(state);
    CnGpuPipeline pipeline =
        make_pipeline(f->gpu, &(CnGpuGraphicsDesc){.color = {CN_GPU_FORMAT_RGBA8}});
    static const float corners[4][2] = {{16, 16}, {0, 0}, {0, 8.5f}, {8.5f, 0}};
    static const uint32_t indices[] = {0, 0, 0, 1, 2};
    begin_color(f, black);
    cn_gpu_bind_pipeline(f->commands, pipeline);
    bind_corners(f->commands, corners, 4);
    set_constants(f->commands, 1, 0, 0, 1, 0);
    CnGpuUpload uploaded = cn_gpu_upload(f->commands, sizeof indices, 4);
    memcpy(uploaded.data, indices, sizeof indices);
    cn_gpu_bind_indices(f->commands, uploaded.buffer, uploaded.offset + 4, CN_GPU_FORMAT_R32U);
    cn_gpu_draw_indexed(f->commands, 3, 1, 1, 1, 0);
    cn_gpu_end_rendering(f->commands);
    const uint32_t *pixels = read_color(f);
    for (uint32_t x = 0; x < SIZE; x++)
        assert_int_equal(pixels[x], x < 8 ? RED : 0xff000000u);
    cn_gpu_pipeline_destroy(f->gpu, pipeline);
}

typedef struct IndexedDraw {
    uint32_t indices, instances, first_index, vertex_offset, first_instance;
} IndexedDraw;

static void indexed_draws_may_come_from_a_buffer(void **state)
{
    Fixture *f = fixture_of(state);
    CnGpuPipeline pipeline =
        make_pipeline(f->gpu, &(CnGpuGraphicsDesc){.color = {CN_GPU_FORMAT_RGBA8}});
    /* Two triangles at the left and the right of the top. */
    static const float corners[6][2] = {{0, 0},  {0, 4.5f},  {4.5f, 0},
                                        {16, 0}, {11.5f, 0}, {16, 4.5f}};
    static const uint16_t indices[] = {0, 1, 2, 2, 0, 1};
    static const IndexedDraw draws[2] = {{3, 1, 0, 0, 0}, {3, 1, 3, 3, 0}};
    begin_color(f, black);
    cn_gpu_bind_pipeline(f->commands, pipeline);
    bind_corners(f->commands, corners, 6);
    set_constants(f->commands, 1, 0, 0, 1, 0);
    CnGpuBuffer list = cn_gpu_buffer_create(f->gpu,
                                            &(CnGpuBufferDesc){.name = "indices",
                                                               .size = sizeof indices,
                                                               .usage = CN_GPU_USE_VERTEX,
                                                               .memory = CN_GPU_MEMORY_UPLOAD},
                                            NULL);
    memcpy(cn_gpu_buffer_data(f->gpu, list), indices, sizeof indices);
    cn_gpu_bind_indices(f->commands, list, 0, CN_GPU_FORMAT_R16U);
    CnGpuUpload uploaded = cn_gpu_upload(f->commands, sizeof draws, 4);
    memcpy(uploaded.data, draws, sizeof draws);
    cn_gpu_draw_indexed_indirect(f->commands, uploaded.buffer, uploaded.offset, 2, sizeof draws[0]);
    cn_gpu_end_rendering(f->commands);
    const uint32_t *pixels = read_color(f);
    for (uint32_t x = 0; x < SIZE; x++)
        assert_int_equal(pixels[x], x < 4 || x >= 12 ? RED : 0xff000000u);
    cn_gpu_buffer_destroy(f->gpu, list);
    cn_gpu_pipeline_destroy(f->gpu, pipeline);
}

static void the_number_of_draws_may_come_from_a_buffer(void **state)
{
    Fixture *f = fixture_of(state);
    CnGpuPipeline pipeline =
        make_pipeline(f->gpu, &(CnGpuGraphicsDesc){.color = {CN_GPU_FORMAT_RGBA8}});
    static const float corners[6][2] = {{0, 0},  {0, 4.5f},  {4.5f, 0},
                                        {16, 0}, {11.5f, 0}, {16, 4.5f}};
    static const uint32_t draws[3][4] = {{3, 1, 0, 0}, {3, 1, 3, 0}, {1, 0, 0, 0}};
    begin_color(f, black);
    cn_gpu_bind_pipeline(f->commands, pipeline);
    bind_corners(f->commands, corners, 6);
    set_constants(f->commands, 1, 0, 0, 1, 0);
    CnGpuUpload uploaded = cn_gpu_upload(f->commands, sizeof draws, 4);
    memcpy(uploaded.data, draws, sizeof draws);
    /* The count lies behind the draws: one of two. */
    if (cn_gpu_info(f->gpu).indirect_count)
        cn_gpu_draw_indirect_count(f->commands, uploaded.buffer, uploaded.offset, uploaded.buffer,
                                   uploaded.offset + 32, 2, 16);
    else
        cn_gpu_draw_indirect(f->commands, uploaded.buffer, uploaded.offset, 1, 16);
    cn_gpu_end_rendering(f->commands);
    const uint32_t *pixels = read_color(f);
    assert_int_equal(pixels[0], RED);
    assert_int_equal(pixels[SIZE - 1], 0xff000000u);
    cn_gpu_pipeline_destroy(f->gpu, pipeline);
}

#define DRAW(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        DRAW(a_clear_fills_every_pixel),
        DRAW(a_triangle_covers_its_pixels_and_no_others),
        DRAW(back_faces_are_those_that_run_clockwise),
        DRAW(draws_of_the_last_frame_are_counted),
        DRAW(viewport_and_scissor_bound_what_is_drawn),
        DRAW(depth_lets_the_nearer_win),
        DRAW(depth_alone_can_be_drawn_and_read),
        DRAW(depth_is_tested_and_sampled_by_one_pass),
        DRAW(targets_of_integers_are_cleared_to_whole_numbers),
        DRAW(blends_are_what_they_are_called),
        DRAW(indexed_draws_may_come_from_a_buffer),
        DRAW(indices_are_read_from_their_offset),
        DRAW(the_number_of_draws_may_come_from_a_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
