/* Many frames on a real device: memory, destruction, timers, heap calls, addresses, aliasing. */
#include "gpu_device.h"

#include "shaders/tests/address.comp.h"
#include "shaders/tests/numbers.comp.h"

#include <string.h>

#define SHADER(name)                                                                               \
    {                                                                                              \
        name, sizeof name                                                                          \
    }
#define COUNT 256u

typedef struct Run {
    CnGpu *gpu;
    CnGpuPipeline numbers;
    CnGpuBuffer results, readback;
} Run;

static bool make_run(Run *run, const CnGpuDesc *desc)
{
    CnError error = {0};
    *run = (Run){.gpu = make_vulkan(desc)};
    if (!run->gpu)
        return false;
    run->numbers = cn_gpu_compute_pipeline_create(
        run->gpu,
        &(CnGpuComputeDesc){.name = "numbers",
                            .shader = SHADER(cn_shader_tests_numbers_comp),
                            .bindings = {CN_GPU_BIND_STORAGE},
                            .constants = 12},
        &error);
    if (!run->numbers.id)
        fail_msg("%s", error.message);
    run->results = cn_gpu_buffer_create(
        run->gpu,
        &(CnGpuBufferDesc){.name = "results",
                           .size = COUNT * 4,
                           .usage = CN_GPU_USE_STORAGE | CN_GPU_USE_COPY_FROM | CN_GPU_USE_COPY_TO},
        NULL);
    run->readback = make_readback(run->gpu, COUNT * 4);
    return true;
}

static void end_run(Run *run)
{
    cn_gpu_pipeline_destroy(run->gpu, run->numbers);
    cn_gpu_buffer_destroy(run->gpu, run->results);
    cn_gpu_buffer_destroy(run->gpu, run->readback);
    end_gpu(run->gpu);
}

static void dispatch_numbers(CnGpuCommands *commands, const Run *run, CnGpuBuffer buffer,
                             uint32_t first)
{
    cn_gpu_bind_pipeline(commands, run->numbers);
    cn_gpu_bind_buffer(commands, 0, buffer, 0, 0);
    cn_gpu_push_constants(commands, (const uint32_t[]){COUNT, first, 1}, 12);
    cn_gpu_dispatch(commands, COUNT / 64, 1, 1);
}

static void read_out(CnGpuCommands *commands, const Run *run, CnGpuBuffer buffer,
                     CnGpuAccess before)
{
    buffer_barrier(commands, buffer, before, CN_GPU_ACCESS_COPY_FROM);
    buffer_barrier(commands, run->readback, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COPY_TO);
    cn_gpu_copy_buffer(commands, buffer, 0, run->readback, 0, COUNT * 4);
    buffer_barrier(commands, run->readback, CN_GPU_ACCESS_COPY_TO, CN_GPU_ACCESS_HOST);
}

static void uploads_go_round_and_arrive(void **state)
{
    (void)state;
    Run run;
    if (!make_run(&run, &(CnGpuDesc){.upload_bytes = 4096}))
        skip();
    for (uint32_t frame = 0; frame < 20; frame++) {
        CnGpuCommands *commands = begin_frame(run.gpu);
        cn_gpu_upload(commands, 100 * frame, 4); /* so that places differ */
        CnGpuUpload upload = cn_gpu_upload(commands, COUNT * 4, 0);
        assert_non_null(upload.data);
        for (uint32_t i = 0; i < COUNT; i++)
            ((uint32_t *)upload.data)[i] = frame * 1000 + i;
        buffer_barrier(commands, run.results, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COPY_TO);
        cn_gpu_copy_buffer(commands, upload.buffer, upload.offset, run.results, 0, COUNT * 4);
        read_out(commands, &run, run.results, CN_GPU_ACCESS_COPY_TO);
        end_frame(run.gpu);
        const uint32_t *read = cn_gpu_buffer_data(run.gpu, run.readback);
        for (uint32_t i = 0; i < COUNT; i++)
            assert_int_equal(read[i], frame * 1000 + i);
    }
    end_run(&run);
}

static void thousands_that_come_and_go_take_no_more_memory(void **state)
{
    (void)state;
    Run run;
    if (!make_run(&run, NULL))
        skip();
    CnGpuStats first = {0};
    for (uint32_t frame = 0; frame < 200; frame++) {
        CnGpuCommands *commands = begin_frame(run.gpu);
        for (uint32_t i = 0; i < 20; i++) {
            CnGpuTexture texture = cn_gpu_texture_create(
                run.gpu,
                &(CnGpuTextureDesc){.name = "passing",
                                    .format = CN_GPU_FORMAT_RGBA8,
                                    .width = 16 << i % 4,
                                    .height = 16,
                                    .usage = CN_GPU_USE_SAMPLED | CN_GPU_USE_COPY_TO},
                NULL);
            CnGpuBuffer buffer = cn_gpu_buffer_create(
                run.gpu,
                &(CnGpuBufferDesc){
                    .name = "passing", .size = 1000 + i * 1000, .usage = CN_GPU_USE_COPY_TO},
                NULL);
            assert_true(texture.id && buffer.id);
            buffer_barrier(commands, buffer, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COPY_TO);
            cn_gpu_fill_buffer(commands, buffer, 0, 1000, frame);
            cn_gpu_texture_destroy(run.gpu, texture);
            cn_gpu_buffer_destroy(run.gpu, buffer); /* while the frame uses it */
        }
        assert_true(cn_gpu_end_frame(run.gpu, NULL));
        CnGpuStats stats = cn_gpu_stats(run.gpu);
        if (frame == 10)
            first = stats;
        if (frame > 10) {
            assert_int_equal(stats.reserved_bytes, first.reserved_bytes);
            assert_int_equal(stats.blocks, first.blocks);
        }
        assert_int_equal(stats.textures, 0);
        assert_int_equal(stats.buffers, 3);
    }
    assert_true(cn_gpu_wait(run.gpu, NULL));
    assert_true(cn_gpu_stats(run.gpu).used_bytes < first.used_bytes);
    end_run(&run);
}

static void a_steady_frame_makes_no_heap_call(void **state)
{
    (void)state;
    CnHeap *heap = cn_heap_create(NULL, NULL);
    Run run;
    if (!make_run(&run, &(CnGpuDesc){.allocator = cn_heap_tag(heap, "gpu")})) {
        cn_heap_destroy(heap);
        skip();
    }
    CnGpuTexture target = cn_gpu_texture_create(run.gpu,
                                                &(CnGpuTextureDesc){.name = "target",
                                                                    .format = CN_GPU_FORMAT_RGBA8,
                                                                    .width = 8,
                                                                    .height = 8,
                                                                    .usage = CN_GPU_USE_ATTACHMENT},
                                                NULL);
    uint64_t calls = 0;
    for (uint32_t frame = 0; frame < 30; frame++) {
        if (frame == 5)
            calls = cn_heap_stats(heap).calls;
        CnGpuCommands *commands = begin_frame(run.gpu);
        uint32_t timer = cn_gpu_begin_timer(commands, "all");
        texture_barrier(commands, target, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COLOR);
        cn_gpu_begin_rendering(
            commands, &(CnGpuRendering){.width = 8,
                                        .height = 8,
                                        .color = {{.texture = target, .load = CN_GPU_CLEAR}}});
        cn_gpu_end_rendering(commands);
        buffer_barrier(commands, run.results, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_WRITE_COMPUTE);
        dispatch_numbers(commands, &run, run.results, frame);
        read_out(commands, &run, run.results, CN_GPU_ACCESS_WRITE_COMPUTE);
        cn_gpu_end_timer(commands, timer);
        assert_true(cn_gpu_end_frame(run.gpu, NULL));
    }
    assert_int_equal(cn_heap_stats(heap).calls, calls);
    cn_gpu_texture_destroy(run.gpu, target);
    end_run(&run);
    assert_int_equal(cn_heap_stats(heap).live_blocks, 0);
    cn_heap_destroy(heap);
}

static void timers_name_what_they_timed(void **state)
{
    (void)state;
    Run run;
    if (!make_run(&run, NULL))
        skip();
    CnGpuCommands *commands = begin_frame(run.gpu);
    uint32_t outer = cn_gpu_begin_timer(commands, "outer");
    buffer_barrier(commands, run.results, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_WRITE_COMPUTE);
    uint32_t inner = cn_gpu_begin_timer(commands, "inner");
    dispatch_numbers(commands, &run, run.results, 0);
    cn_gpu_end_timer(commands, inner);
    cn_gpu_end_timer(commands, outer);
    end_frame(run.gpu);
    CnGpuTiming timings[4];
    if (cn_gpu_info(run.gpu).timestamp_ns > 0) {
        assert_int_equal(cn_gpu_timings(run.gpu, timings, 4), 2);
        assert_string_equal(timings[0].name, "outer");
        assert_string_equal(timings[1].name, "inner");
        assert_true(timings[1].microseconds >= 0.0f);
        assert_true(timings[0].microseconds >= timings[1].microseconds);
    }
    /* A frame without timers has none. */
    begin_frame(run.gpu);
    end_frame(run.gpu);
    assert_int_equal(cn_gpu_timings(run.gpu, timings, 4), 0);
    end_run(&run);
}

static void shaders_follow_addresses(void **state)
{
    (void)state;
    Run run;
    if (!make_run(&run, NULL))
        skip();
    CnGpuPipeline pipeline = cn_gpu_compute_pipeline_create(
        run.gpu,
        &(CnGpuComputeDesc){.name = "address",
                            .shader = SHADER(cn_shader_tests_address_comp),
                            .bindings = {CN_GPU_BIND_STORAGE},
                            .constants = 16},
        NULL);
    CnGpuBuffer words = cn_gpu_buffer_create(run.gpu,
                                             &(CnGpuBufferDesc){.name = "words",
                                                                .size = COUNT * 4,
                                                                .usage = CN_GPU_USE_STORAGE,
                                                                .memory = CN_GPU_MEMORY_UPLOAD},
                                             NULL);
    for (uint32_t i = 0; i < COUNT; i++)
        ((uint32_t *)cn_gpu_buffer_data(run.gpu, words))[i] = i * i;
    struct {
        uint64_t address;
        uint32_t count, padding;
    } constants = {cn_gpu_buffer_address(run.gpu, words), COUNT, 0};
    assert_true(constants.address != 0);
    CnGpuCommands *commands = begin_frame(run.gpu);
    buffer_barrier(commands, run.results, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_WRITE_COMPUTE);
    cn_gpu_bind_pipeline(commands, pipeline);
    cn_gpu_bind_buffer(commands, 0, run.results, 0, 0);
    cn_gpu_push_constants(commands, &constants, sizeof constants);
    cn_gpu_dispatch(commands, COUNT / 64, 1, 1);
    read_out(commands, &run, run.results, CN_GPU_ACCESS_WRITE_COMPUTE);
    end_frame(run.gpu);
    const uint32_t *read = cn_gpu_buffer_data(run.gpu, run.readback);
    for (uint32_t i = 0; i < COUNT; i++)
        assert_int_equal(read[i], i * i + 1);
    cn_gpu_buffer_destroy(run.gpu, words);
    cn_gpu_pipeline_destroy(run.gpu, pipeline);
    end_run(&run);
}

/* A texture and a buffer at the same place, one after the other, in each frame. */
static void resources_of_different_times_share_memory(void **state)
{
    (void)state;
    Run run;
    if (!make_run(&run, NULL))
        skip();
    CnError error = {0};
    CnGpuTextureDesc texture_desc = {.name = "early",
                                     .format = CN_GPU_FORMAT_RGBA16F,
                                     .width = 64,
                                     .height = 64,
                                     .usage = CN_GPU_USE_ATTACHMENT | CN_GPU_USE_SAMPLED};
    CnGpuBufferDesc buffer_desc = {
        .name = "late", .size = COUNT * 4, .usage = CN_GPU_USE_STORAGE | CN_GPU_USE_COPY_FROM};
    CnGpuMemoryRequirements need = cn_gpu_texture_memory_requirements(run.gpu, &texture_desc);
    assert_true(need.size >= 64 * 64 * 8 &&
                need.size >= cn_gpu_buffer_memory_requirements(run.gpu, &buffer_desc).size);
    CnGpuHeap heap =
        cn_gpu_heap_create(run.gpu, &(CnGpuHeapDesc){.size = need.size, .name = "shared"}, &error);
    CnGpuTexture early = cn_gpu_texture_create_in(run.gpu, &texture_desc, heap, 0, &error);
    CnGpuBuffer late = cn_gpu_buffer_create_in(run.gpu, &buffer_desc, heap, 0, &error);
    if (!early.id || !late.id)
        fail_msg("%s", error.message);
    assert_int_equal(
        cn_gpu_texture_create_in(run.gpu, &texture_desc, heap, need.alignment, &error).id, 0);
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    for (uint32_t frame = 0; frame < 4; frame++) {
        CnGpuCommands *commands = begin_frame(run.gpu);
        texture_barrier(commands, early, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_COLOR);
        cn_gpu_begin_rendering(
            commands, &(CnGpuRendering){.width = 64,
                                        .height = 64,
                                        .color = {{.texture = early, .load = CN_GPU_CLEAR}}});
        cn_gpu_end_rendering(commands);
        cn_gpu_barriers(commands,
                        &(CnGpuBarrier){.buffer = late,
                                        .after = CN_GPU_ACCESS_WRITE_COMPUTE,
                                        .waits_for = 1u << CN_GPU_ACCESS_COLOR},
                        1);
        dispatch_numbers(commands, &run, late, frame);
        read_out(commands, &run, late, CN_GPU_ACCESS_WRITE_COMPUTE);
        end_frame(run.gpu);
        assert_int_equal(((uint32_t *)cn_gpu_buffer_data(run.gpu, run.readback))[9], frame + 9);
    }
    cn_gpu_texture_destroy(run.gpu, early);
    cn_gpu_buffer_destroy(run.gpu, late);
    cn_gpu_heap_destroy(run.gpu, heap);
    end_run(&run);
}

static void two_gpus_live_side_by_side(void **state)
{
    (void)state;
    Run runs[2];
    if (!make_run(&runs[0], NULL))
        skip();
    make_run(&runs[1], NULL);
    for (uint32_t i = 0; i < 2; i++) {
        CnGpuCommands *commands = begin_frame(runs[i].gpu);
        buffer_barrier(commands, runs[i].results, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_WRITE_COMPUTE);
        dispatch_numbers(commands, &runs[i], runs[i].results, i * 100);
        read_out(commands, &runs[i], runs[i].results, CN_GPU_ACCESS_WRITE_COMPUTE);
        assert_true(cn_gpu_end_frame(runs[i].gpu, NULL));
    }
    for (uint32_t i = 0; i < 2; i++) {
        assert_true(cn_gpu_wait(runs[i].gpu, NULL));
        assert_int_equal(((uint32_t *)cn_gpu_buffer_data(runs[i].gpu, runs[i].readback))[1],
                         i * 100 + 1);
    }
    end_run(&runs[0]);
    end_run(&runs[1]);
}

static void a_gpu_can_be_destroyed_in_the_middle_of_a_frame(void **state)
{
    (void)state;
    Run run;
    if (!make_run(&run, NULL))
        skip();
    CnGpuCommands *commands = begin_frame(run.gpu);
    buffer_barrier(commands, run.results, CN_GPU_ACCESS_NONE, CN_GPU_ACCESS_WRITE_COMPUTE);
    dispatch_numbers(commands, &run, run.results, 0);
    end_run(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uploads_go_round_and_arrive),
        cmocka_unit_test(thousands_that_come_and_go_take_no_more_memory),
        cmocka_unit_test(a_steady_frame_makes_no_heap_call),
        cmocka_unit_test(timers_name_what_they_timed),
        cmocka_unit_test(shaders_follow_addresses),
        cmocka_unit_test(resources_of_different_times_share_memory),
        cmocka_unit_test(two_gpus_live_side_by_side),
        cmocka_unit_test(a_gpu_can_be_destroyed_in_the_middle_of_a_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
