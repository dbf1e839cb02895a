/* Wrong calls: each fails a guard that says why; without guards it is counted and does nothing. */
#include "gpu_device.h"
#include "gpu_wrong_call.h"

static const uint32_t spirv[] = {0x07230203u, 0x10600u, 0, 1, 0};

typedef struct Fixture {
    CnGpu *gpu;
    CnGpuCommands *commands;
    CnGpuBuffer storage, upload;
    CnGpuTexture color, depth, mips;
    CnGpuSampler sampler;
    CnGpuPipeline draw, compute;
} Fixture;

static CnGpuTexture make_texture(CnGpu *gpu, const char *name, CnGpuFormat format, uint32_t mips,
                                 uint32_t usage)
{
    return cn_gpu_texture_create(gpu,
                                 &(CnGpuTextureDesc){.name = name,
                                                     .format = format,
                                                     .width = 16,
                                                     .height = 16,
                                                     .mips = mips,
                                                     .usage = usage},
                                 NULL);
}

static int begin(void **state)
{
    static Fixture fixture;
    CnGpuShader shader = {spirv, sizeof spirv};
    CnGpu *gpu = make_null();
    fixture = (Fixture){
        .gpu = gpu,
        .storage = cn_gpu_buffer_create(gpu,
                                        &(CnGpuBufferDesc){.name = "storage",
                                                           .size = 1024,
                                                           .usage = CN_GPU_USE_STORAGE |
                                                                    CN_GPU_USE_COPY_TO |
                                                                    CN_GPU_USE_INDIRECT},
                                        NULL),
        .upload = cn_gpu_buffer_create(
            gpu,
            &(CnGpuBufferDesc){.name = "staging",
                               .size = 1024,
                               .usage = CN_GPU_USE_COPY_FROM | CN_GPU_USE_UNIFORM,
                               .memory = CN_GPU_MEMORY_UPLOAD},
            NULL),
        .color = make_texture(gpu, "color", CN_GPU_FORMAT_RGBA8, 1,
                              CN_GPU_USE_ATTACHMENT | CN_GPU_USE_SAMPLED),
        .depth = make_texture(gpu, "depth", CN_GPU_FORMAT_D32F, 1, CN_GPU_USE_ATTACHMENT),
        .mips = make_texture(gpu, "mips", CN_GPU_FORMAT_RGBA8, 5,
                             CN_GPU_USE_SAMPLED | CN_GPU_USE_COPY_TO | CN_GPU_USE_COPY_FROM),
        .sampler = cn_gpu_sampler_get(gpu, &(CnGpuSamplerDesc){.filter = CN_GPU_LINEAR}, NULL),
        .draw = cn_gpu_graphics_pipeline_create(
            gpu,
            &(CnGpuGraphicsDesc){.name = "lit",
                                 .vertex = shader,
                                 .fragment = shader,
                                 .bindings = {CN_GPU_BIND_UNIFORM, CN_GPU_BIND_TEXTURE},
                                 .constants = 8,
                                 .color = {CN_GPU_FORMAT_RGBA8}},
            NULL),
        .compute = cn_gpu_compute_pipeline_create(
            gpu,
            &(CnGpuComputeDesc){.name = "sum", .shader = shader, .bindings = {CN_GPU_BIND_STORAGE}},
            NULL),
    };
    fixture.commands = begin_frame(gpu);
    *state = &fixture;
    return 0;
}

static int end(void **state)
{
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    cn_gpu_destroy(((Fixture *)*state)->gpu);
    cn_log_set_level(CN_LOG_LEVEL_INFO);
    return 0;
}

static void begin_color(Fixture *f)
{
    texture_barrier(f->commands, f->color, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COLOR);
    cn_gpu_begin_rendering(
        f->commands,
        &(CnGpuRendering){.width = 16, .height = 16, .color = {{.texture = f->color}}});
}

static void dead_handles_are_found(void **state)
{
    Fixture *f = *state;
    CnGpuBuffer dead = f->storage;
    cn_gpu_buffer_destroy(f->gpu, dead);
    EXPECT_WRONG(f->gpu, cn_gpu_buffer_destroy(f->gpu, dead), "handle is stale");
    EXPECT_WRONG(f->gpu, cn_gpu_bind_buffer(f->commands, 0, dead, 0, 0), "stale");
    EXPECT_WRONG(f->gpu, cn_gpu_fill_buffer(f->commands, dead, 0, 4, 0), "stale");
    EXPECT_WRONG(f->gpu, cn_gpu_fill_buffer(f->commands, (CnGpuBuffer){0}, 0, 4, 0), "null");
    EXPECT_WRONG(f->gpu, cn_gpu_buffer_data(f->gpu, dead), "stale");
    cn_gpu_pipeline_destroy(f->gpu, f->compute);
    EXPECT_WRONG(f->gpu, cn_gpu_bind_pipeline(f->commands, f->compute), "stale");
    cn_gpu_texture_destroy(f->gpu, f->color);
    EXPECT_WRONG(f->gpu,
                 texture_barrier(f->commands, f->color, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COLOR),
                 "stale");
}

static void a_vsync_mode_that_is_none_is_found(void **state)
{
    Fixture *f = *state;
    static const int bad[] = {CN_VSYNC_MAILBOX + 1, 255, 1 << 20, -1};
    for (volatile size_t i = 0; i < CN_COUNT_OF(bad); i++) {
        CnError error = {0};
        EXPECT_WRONG(f->gpu, cn_gpu_set_vsync(f->gpu, (CnVsync)bad[i]), "there is no mode");
        CnGpuDesc desc = {.backend = CN_GPU_NULL, .vsync = (CnVsync)bad[i]};
        assert_null(cn_gpu_create(&desc, &error));
        assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
    }
}

static void ways_to_load_and_filters_that_are_none_are_found(void **state)
{
    Fixture *f = *state;
    static const int bad[] = {CN_GPU_DISCARD + 1, 255, 1 << 20, -1};
    texture_barrier(f->commands, f->color, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COLOR);
    for (volatile size_t i = 0; i < CN_COUNT_OF(bad); i++) {
        CnGpuRendering rendering = {
            .width = 16, .height = 16, .color = {{.texture = f->color, .load = (CnGpuLoad)bad[i]}}};
        EXPECT_WRONG(f->gpu, cn_gpu_begin_rendering(f->commands, &rendering),
                     "there is no load operation");
        EXPECT_WRONG(f->gpu, cn_gpu_blit(f->commands, f->mips, 0, f->mips, 1, (CnGpuFilter)bad[i]),
                     "there is no filter");
    }
}

static void state_of_pipelines_that_is_none_is_refused(void **state)
{
    Fixture *f = *state;
    static const int bad[] = {CN_GPU_ALWAYS + 1, 255, 1 << 20, -1};
    for (size_t i = 0; i < CN_COUNT_OF(bad); i++) {
        const CnGpuGraphicsDesc descs[] = {{.topology = (CnGpuTopology)bad[i]},
                                           {.cull = (CnGpuCull)bad[i]},
                                           {.depth_test = (CnGpuCompare)bad[i]},
                                           {.blend = {[3] = (CnGpuBlend)bad[i]}}};
        for (size_t d = 0; d < CN_COUNT_OF(descs); d++) {
            CnError error = {0};
            CnGpuGraphicsDesc desc = descs[d];
            desc.vertex = (CnGpuShader){spirv, sizeof spirv};
            desc.depth = CN_GPU_FORMAT_D32F;
            assert_int_equal(cn_gpu_graphics_pipeline_create(f->gpu, &desc, &error).id, 0);
            assert_non_null(strstr(error.message, "there is no"));
        }
    }
}

static void samplers_with_numbers_that_are_none_are_refused(void **state)
{
    Fixture *f = *state;
    static const int bad[] = {CN_GPU_ALWAYS + 1, 255, 1 << 20, -1};
    for (size_t i = 0; i < CN_COUNT_OF(bad); i++) {
        const CnGpuSamplerDesc descs[] = {
            {.filter = (CnGpuFilter)bad[i]},
            {.mip_filter = (CnGpuFilter)bad[i]},
            {.wrap = (CnGpuWrap)bad[i]},
            {.has_wrap_v = true, .wrap_v = (CnGpuWrap)bad[i]},
            {.has_magnify_filter = true, .magnify_filter = (CnGpuFilter)bad[i]},
            {.compare = (CnGpuCompare)bad[i]}};
        for (size_t d = 0; d < CN_COUNT_OF(descs); d++) {
            CnError error = {0};
            assert_int_equal(cn_gpu_sampler_get(f->gpu, &descs[d], &error).id, 0);
            assert_int_equal(error.code, CN_ERROR_UNSUPPORTED);
        }
    }
}

static void a_resource_that_dies_while_bound_is_found(void **state)
{
    Fixture *f = *state;
    buffer_barrier(f->commands, f->storage, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_WRITE_COMPUTE);
    cn_gpu_bind_pipeline(f->commands, f->compute);
    cn_gpu_bind_buffer(f->commands, 0, f->storage, 0, 0);
    cn_gpu_buffer_destroy(f->gpu, f->storage);
    EXPECT_WRONG(f->gpu, cn_gpu_dispatch(f->commands, 1, 1, 1), "binding 0 of sum is stale");
}

static void usages_are_needed(void **state)
{
    Fixture *f = *state;
    EXPECT_WRONG(f->gpu, cn_gpu_copy_buffer(f->commands, f->storage, 0, f->storage, 8, 4), "usage");
    EXPECT_WRONG(f->gpu,
                 texture_barrier(f->commands, f->mips, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COLOR),
                 "usage");
    EXPECT_WRONG(f->gpu,
                 buffer_barrier(f->commands, f->storage, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_VERTEX),
                 "usage");
    EXPECT_WRONG(f->gpu, cn_gpu_bind_storage_texture(f->commands, 0, f->mips, 0), "usage");
    EXPECT_WRONG(f->gpu,
                 texture_barrier(f->commands, f->color, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_PRESENT),
                 "usage for present");
    EXPECT_WRONG(f->gpu,
                 buffer_barrier(f->commands, f->storage, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_HOST),
                 "usage for host");
}

static void draws_are_inside_of_rendering_and_the_rest_outside(void **state)
{
    Fixture *f = *state;
    EXPECT_WRONG(f->gpu, cn_gpu_draw(f->commands, 3, 1, 0, 0), "allowed only between");
    EXPECT_WRONG(f->gpu, cn_gpu_set_scissor(f->commands, 0, 0, 1, 1), "allowed only between");
    EXPECT_WRONG(f->gpu, cn_gpu_end_rendering(f->commands), "allowed only between");
    begin_color(f);
    EXPECT_WRONG(f->gpu, cn_gpu_dispatch(f->commands, 1, 1, 1), "not allowed between");
    EXPECT_WRONG(f->gpu, cn_gpu_fill_buffer(f->commands, f->storage, 0, 4, 0),
                 "not allowed between");
    EXPECT_WRONG(f->gpu,
                 texture_barrier(f->commands, f->color, CN_GPU_ACCESS_COLOR, CN_GPU_ACCESS_SAMPLE),
                 "not allowed between");
    EXPECT_WRONG(f->gpu,
                 cn_gpu_begin_rendering(f->commands, &(CnGpuRendering){.width = 16, .height = 16}),
                 "not allowed between");
}

static void a_draw_needs_a_pipeline_bindings_and_constants(void **state)
{
    Fixture *f = *state;
    texture_barrier(f->commands, f->mips, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_SAMPLE);
    begin_color(f);
    EXPECT_WRONG(f->gpu, cn_gpu_draw(f->commands, 3, 1, 0, 0), "no graphics pipeline");
    cn_gpu_bind_pipeline(f->commands, f->draw);
    EXPECT_WRONG(f->gpu, cn_gpu_draw(f->commands, 3, 1, 0, 0), "binding 0 of lit is missing");
    cn_gpu_bind_buffer(f->commands, 0, f->upload, 0, 0);
    EXPECT_WRONG(f->gpu, cn_gpu_draw(f->commands, 3, 1, 0, 0), "binding 1 of lit is missing");
    cn_gpu_bind_buffer(f->commands, 1, f->upload, 0, 0);
    EXPECT_WRONG(f->gpu, cn_gpu_draw(f->commands, 3, 1, 0, 0), "has another kind");
    cn_gpu_bind_texture(f->commands, 1, f->mips, f->sampler);
    EXPECT_WRONG(f->gpu, cn_gpu_draw(f->commands, 3, 1, 0, 0), "8 bytes of constants");
    cn_gpu_push_constants(f->commands, (const uint32_t[2]){0}, 8);
    EXPECT_WRONG(f->gpu, cn_gpu_draw_indexed(f->commands, 3, 1, 0, 0, 0), "no indices");
    cn_gpu_draw(f->commands, 3, 1, 0, 0);
    cn_gpu_end_rendering(f->commands);
    EXPECT_WRONG(f->gpu, cn_gpu_dispatch(f->commands, 1, 1, 1), "no compute pipeline");
}

static void a_pipeline_fits_its_rendering(void **state)
{
    Fixture *f = *state;
    texture_barrier(f->commands, f->mips, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_SAMPLE);
    texture_barrier(f->commands, f->depth, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_DEPTH);
    texture_barrier(f->commands, f->color, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COLOR);
    cn_gpu_bind_pipeline(f->commands, f->draw);
    cn_gpu_bind_buffer(f->commands, 0, f->upload, 0, 0);
    cn_gpu_bind_texture(f->commands, 1, f->mips, f->sampler);
    cn_gpu_push_constants(f->commands, (const uint32_t[2]){0}, 8);
    cn_gpu_begin_rendering(
        f->commands, &(CnGpuRendering){.width = 16, .height = 16, .depth = {.texture = f->depth}});
    EXPECT_WRONG(f->gpu, cn_gpu_draw(f->commands, 3, 1, 0, 0), "draws color 0 as rgba8");
    cn_gpu_end_rendering(f->commands);
    cn_gpu_begin_rendering(f->commands, &(CnGpuRendering){.width = 16,
                                                          .height = 16,
                                                          .color = {{.texture = f->color}},
                                                          .depth = {.texture = f->depth}});
    EXPECT_WRONG(f->gpu, cn_gpu_draw(f->commands, 3, 1, 0, 0), "different depth formats");
}

static void attachments_fit_the_rendering(void **state)
{
    Fixture *f = *state;
    texture_barrier(f->commands, f->color, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COLOR);
    CnGpuRendering rendering = {.width = 17, .height = 16, .color = {{.texture = f->color}}};
    EXPECT_WRONG(f->gpu, cn_gpu_begin_rendering(f->commands, &rendering), "smaller than");
    rendering.width = 0;
    EXPECT_WRONG(f->gpu, cn_gpu_begin_rendering(f->commands, &rendering), "no size");
    rendering.width = 16;
    rendering.color[0].mip = 1;
    EXPECT_WRONG(f->gpu, cn_gpu_begin_rendering(f->commands, &rendering), "no mip 1");
    rendering.color[0] = (CnGpuAttachment){.texture = f->depth};
    EXPECT_WRONG(f->gpu, cn_gpu_begin_rendering(f->commands, &rendering),
                 "cannot be used for color");
    rendering.color[0] = (CnGpuAttachment){.texture = f->mips};
    EXPECT_WRONG(f->gpu, cn_gpu_begin_rendering(f->commands, &rendering), "usage");
    rendering.color[0] = (CnGpuAttachment){0};
    rendering.depth = (CnGpuAttachment){.texture = f->depth, .load = CN_GPU_CLEAR};
    rendering.depth_read_only = true;
    EXPECT_WRONG(f->gpu, cn_gpu_begin_rendering(f->commands, &rendering),
                 "read-only depth must be loaded");
}

static void barriers_agree_with_those_before(void **state)
{
    Fixture *f = *state;
    EXPECT_WRONG(f->gpu,
                 texture_barrier(f->commands, f->color, CN_GPU_ACCESS_COLOR, CN_GPU_ACCESS_SAMPLE),
                 "goes from color to sample, but its last barriers allow: none");
    texture_barrier(f->commands, f->color, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COLOR);
    EXPECT_WRONG(f->gpu,
                 texture_barrier(f->commands, f->color, CN_GPU_ACCESS_SAMPLE, CN_GPU_ACCESS_COLOR),
                 "last barriers allow: color");
    EXPECT_WRONG(f->gpu,
                 texture_barrier(f->commands, f->color, CN_GPU_ACCESS_COLOR, CN_GPU_ACCESS_NONE),
                 "barrier");
    texture_barrier(f->commands, f->color, CN_GPU_ACCESS_COLOR, CN_GPU_ACCESS_SAMPLE);
    EXPECT_WRONG(
        f->gpu,
        cn_gpu_begin_rendering(
            f->commands,
            &(CnGpuRendering){.width = 16, .height = 16, .color = {{.texture = f->color}}}),
        "is used for color, but its barriers allow only: sample");
}

static void mips_have_accesses_of_their_own(void **state)
{
    Fixture *f = *state;
    texture_barrier(f->commands, f->mips, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COPY_TO);
    cn_gpu_barriers(f->commands,
                    &(CnGpuBarrier){.texture = f->mips,
                                    .before = CN_GPU_ACCESS_COPY_TO,
                                    .after = CN_GPU_ACCESS_COPY_FROM,
                                    .mip_count = 1},
                    1);
    cn_gpu_blit(f->commands, f->mips, 0, f->mips, 1, CN_GPU_LINEAR);
    EXPECT_WRONG(f->gpu, cn_gpu_blit(f->commands, f->mips, 1, f->mips, 2, CN_GPU_LINEAR),
                 "mip 1, layer 0 of the texture mips is used for copy_from");
    EXPECT_WRONG(f->gpu,
                 texture_barrier(f->commands, f->mips, CN_GPU_ACCESS_COPY_TO, CN_GPU_ACCESS_SAMPLE),
                 "last barriers allow: copy_from");
    EXPECT_WRONG(f->gpu,
                 cn_gpu_barriers(f->commands,
                                 &(CnGpuBarrier){.texture = f->mips,
                                                 .before = CN_GPU_ACCESS_COPY_TO,
                                                 .after = CN_GPU_ACCESS_SAMPLE,
                                                 .mip = 5},
                                 1),
                 "no such mips");
    EXPECT_WRONG(f->gpu, cn_gpu_blit(f->commands, f->mips, 0, f->mips, 0, CN_GPU_LINEAR), "blit");
}

static void reads_of_a_buffer_add_up(void **state)
{
    Fixture *f = *state;
    CnGpuBarrier barriers[] = {{.buffer = f->storage, .after = CN_GPU_ACCESS_WRITE_COMPUTE},
                               {.buffer = f->storage,
                                .before = CN_GPU_ACCESS_WRITE_COMPUTE,
                                .after = CN_GPU_ACCESS_READ_COMPUTE},
                               {.buffer = f->storage,
                                .before = CN_GPU_ACCESS_READ_COMPUTE,
                                .after = CN_GPU_ACCESS_INDIRECT}};
    cn_gpu_barriers(f->commands, barriers, 3);
    cn_gpu_bind_pipeline(f->commands, f->compute);
    cn_gpu_bind_buffer(f->commands, 0, f->storage, 0, 0);
    cn_gpu_dispatch_indirect(f->commands, f->storage, 0);
    assert_int_equal(cn_gpu_stats(f->gpu).wrong_calls, 0);
    EXPECT_WRONG(f->gpu, cn_gpu_fill_buffer(f->commands, f->storage, 0, 4, 0),
                 "barriers allow only: read_compute, indirect");
}

static void ranges_stay_inside(void **state)
{
    Fixture *f = *state;
    buffer_barrier(f->commands, f->storage, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COPY_TO);
    EXPECT_WRONG(f->gpu, cn_gpu_fill_buffer(f->commands, f->storage, 1020, 8, 0), "beyond");
    EXPECT_WRONG(f->gpu, cn_gpu_fill_buffer(f->commands, f->storage, 2, 8, 0), "multiples of 4");
    EXPECT_WRONG(f->gpu, cn_gpu_copy_buffer(f->commands, f->upload, UINT64_MAX, f->storage, 0, 4),
                 "beyond");
    EXPECT_WRONG(f->gpu, cn_gpu_bind_buffer(f->commands, 0, f->storage, 1024, 0), "beyond");
    EXPECT_WRONG(f->gpu, cn_gpu_bind_buffer(f->commands, 0, f->storage, 4, 0), "multiple of 256");
    EXPECT_WRONG(f->gpu, cn_gpu_bind_buffer(f->commands, 32, f->storage, 0, 0), "no binding 32");
    texture_barrier(f->commands, f->mips, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COPY_TO);
    EXPECT_WRONG(
        f->gpu,
        cn_gpu_copy_to_texture(f->commands, f->upload, f->mips, &(CnGpuRegion){.offset = 4}),
        "beyond the end of staging");
    EXPECT_WRONG(f->gpu,
                 cn_gpu_copy_to_texture(f->commands, f->upload, f->mips,
                                        &(CnGpuRegion){.x = 15, .width = 2, .height = 1}),
                 "beyond mip 0");
    EXPECT_WRONG(
        f->gpu, cn_gpu_copy_to_texture(f->commands, f->upload, f->mips, &(CnGpuRegion){.layer = 1}),
        "layers 1");
    EXPECT_WRONG(f->gpu, cn_gpu_dispatch(f->commands, 65536, 1, 1), "at most 65535");
    uint8_t bytes[256] = {0};
    EXPECT_WRONG(f->gpu, cn_gpu_push_constants(f->commands, bytes, 132), "at most 128");
}

static void rendering_that_is_left_open_is_closed_by_the_end(void **state)
{
    Fixture *f = *state;
    begin_color(f);
    EXPECT_WRONG(f->gpu, cn_gpu_end_frame(f->gpu, NULL), "end_rendering is missing");
}

static void a_timer_that_is_left_open_is_closed_by_the_end(void **state)
{
    Fixture *f = *state;
    cn_gpu_begin_timer(f->commands, "long");
    EXPECT_WRONG(f->gpu, cn_gpu_end_timer(f->commands, 3), "not begun");
    EXPECT_WRONG(f->gpu, cn_gpu_end_frame(f->gpu, NULL), "end_timer of long is missing");
}

static void a_label_that_is_left_open_is_closed_by_the_end(void **state)
{
    Fixture *f = *state;
    cn_gpu_begin_label(f->commands, "open");
    EXPECT_WRONG(f->gpu, cn_gpu_end_frame(f->gpu, NULL), "missing for 1 labels");
}

static void commands_belong_to_a_frame(void **state)
{
    Fixture *f = *state;
    EXPECT_WRONG(f->gpu, cn_gpu_begin_frame(f->gpu, NULL), "has not ended");
    EXPECT_WRONG(f->gpu, cn_gpu_wait(f->gpu, NULL), "has not ended");
    EXPECT_WRONG(f->gpu, cn_gpu_end_label(f->commands), "no label was begun");
    assert_true(cn_gpu_end_frame(f->gpu, NULL));
    EXPECT_WRONG(f->gpu, cn_gpu_end_frame(f->gpu, NULL), "no frame");
    EXPECT_WRONG(f->gpu, cn_gpu_draw(f->commands, 3, 1, 0, 0), "no frame");
    EXPECT_WRONG(f->gpu, cn_gpu_upload(f->commands, 4, 4), "no frame");
    EXPECT_WRONG(f->gpu, cn_gpu_window_texture(f->gpu), "no frame");
}

#define WRONG(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WRONG(dead_handles_are_found),
        WRONG(a_vsync_mode_that_is_none_is_found),
        WRONG(ways_to_load_and_filters_that_are_none_are_found),
        WRONG(state_of_pipelines_that_is_none_is_refused),
        WRONG(samplers_with_numbers_that_are_none_are_refused),
        WRONG(a_resource_that_dies_while_bound_is_found),
        WRONG(usages_are_needed),
        WRONG(draws_are_inside_of_rendering_and_the_rest_outside),
        WRONG(a_draw_needs_a_pipeline_bindings_and_constants),
        WRONG(a_pipeline_fits_its_rendering),
        WRONG(attachments_fit_the_rendering),
        WRONG(barriers_agree_with_those_before),
        WRONG(mips_have_accesses_of_their_own),
        WRONG(reads_of_a_buffer_add_up),
        WRONG(ranges_stay_inside),
        WRONG(rendering_that_is_left_open_is_closed_by_the_end),
        WRONG(a_timer_that_is_left_open_is_closed_by_the_end),
        WRONG(a_label_that_is_left_open_is_closed_by_the_end),
        WRONG(commands_belong_to_a_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
