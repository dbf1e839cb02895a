/* Memory of the device, on the null backend: blocks, large resources, heaps, destruction, heap
 * calls. */
#include "gpu_device.h"
#include "gpu_wrong_call.h"
#include "random.h"

#define MIB (1ull << 20)

static CnGpuTexture make_texture(CnGpu *gpu, uint32_t size)
{
    return cn_gpu_texture_create(gpu,
                                 &(CnGpuTextureDesc){.name = "texture",
                                                     .format = CN_GPU_FORMAT_RGBA8,
                                                     .width = size,
                                                     .height = size,
                                                     .usage = CN_GPU_USE_SAMPLED},
                                 NULL);
}

static CnGpuBuffer make_buffer(CnGpu *gpu, uint64_t size)
{
    return cn_gpu_buffer_create(
        gpu, &(CnGpuBufferDesc){.name = "buffer", .size = size, .usage = CN_GPU_USE_STORAGE}, NULL);
}

static void small_resources_share_blocks_by_kind(void **state)
{
    (void)state;
    CnGpu *gpu = make_null();
    CnGpuStats before = cn_gpu_stats(gpu);
    CnGpuBuffer buffers[100];
    CnGpuTexture textures[100];
    for (uint32_t i = 0; i < 100; i++) {
        buffers[i] = make_buffer(gpu, 1000);
        textures[i] = make_texture(gpu, 32);
    }
    CnGpuStats stats = cn_gpu_stats(gpu);
    assert_int_equal(stats.blocks, before.blocks + 2); /* buffers and textures do not mix */
    assert_int_equal(stats.used_bytes, before.used_bytes + 100 * (1024 + 4096));
    for (uint32_t i = 0; i < 100; i++) {
        cn_gpu_buffer_destroy(gpu, buffers[i]);
        cn_gpu_texture_destroy(gpu, textures[i]);
    }
    assert_true(cn_gpu_wait(gpu, NULL));
    assert_int_equal(cn_gpu_stats(gpu).used_bytes, before.used_bytes);
    end_gpu(gpu);
}

static void a_large_resource_has_a_block_of_its_own_that_goes_with_it(void **state)
{
    (void)state;
    CnGpu *gpu = make_null();
    CnGpuStats before = cn_gpu_stats(gpu);
    CnGpuBuffer large = make_buffer(gpu, 100 * MIB);
    assert_int_equal(cn_gpu_stats(gpu).reserved_bytes, before.reserved_bytes + 100 * MIB);
    cn_gpu_buffer_destroy(gpu, large);
    assert_true(cn_gpu_wait(gpu, NULL));
    assert_int_equal(cn_gpu_stats(gpu).reserved_bytes, before.reserved_bytes);
    end_gpu(gpu);
}

static void memory_that_runs_out_is_an_error_and_what_lives_stays(void **state)
{
    (void)state;
    CnGpu *gpu = make_null();
    CnGpuBuffer buffers[64];
    uint32_t count = 0;
    CnError error = {0};
    while (count < 64) {
        buffers[count] = cn_gpu_buffer_create(
            gpu, &(CnGpuBufferDesc){.name = "big", .size = 256 * MIB, .usage = CN_GPU_USE_STORAGE},
            &error);
        if (!buffers[count].id)
            break;
        count++;
    }
    assert_true(count > 10 && count < 64);
    assert_int_equal(error.code, CN_ERROR_MEMORY);
    assert_non_null(strstr(error.message, "big"));
    /* Smaller blocks may still be had. */
    CnGpuBuffer small = make_buffer(gpu, 1000);
    assert_int_not_equal(small.id, 0);
    cn_gpu_buffer_destroy(gpu, small);
    while (count)
        cn_gpu_buffer_destroy(gpu, buffers[--count]);
    end_gpu(gpu);
}

static void what_is_destroyed_stays_until_its_frame_is_done(void **state)
{
    (void)state;
    CnGpu *gpu = make_null();
    begin_frame(gpu);
    uint64_t used = cn_gpu_stats(gpu).used_bytes;
    cn_gpu_buffer_destroy(gpu, make_buffer(gpu, 1024));
    assert_int_equal(cn_gpu_stats(gpu).used_bytes, used + 1024);
    assert_int_equal(cn_gpu_stats(gpu).buffers, 1); /* the upload memory */
    assert_true(cn_gpu_end_frame(gpu, NULL));
    begin_frame(gpu);
    assert_int_equal(cn_gpu_stats(gpu).used_bytes, used);
    assert_true(cn_gpu_end_frame(gpu, NULL));
    end_gpu(gpu);
}

static void churn_reaches_a_steady_state_without_heap_calls(void **state)
{
    (void)state;
    CnHeap *heap = cn_heap_create(NULL, NULL);
    CnGpu *gpu = cn_gpu_create(
        &(CnGpuDesc){.backend = CN_GPU_NULL, .allocator = cn_heap_tag(heap, "gpu")}, NULL);
    uint64_t calls = 0, reserved = 0;
    for (uint32_t frame = 0; frame < 2000; frame++) {
        if (frame == 1000) {
            calls = cn_heap_stats(heap).calls;
            reserved = cn_gpu_stats(gpu).reserved_bytes;
        }
        begin_frame(gpu);
        for (uint32_t i = 0; i < 10; i++)
            cn_gpu_buffer_destroy(gpu, make_buffer(gpu, 100 + i * 5000));
        assert_true(cn_gpu_end_frame(gpu, NULL));
    }
    assert_int_equal(cn_heap_stats(heap).calls, calls);
    assert_int_equal(cn_gpu_stats(gpu).reserved_bytes, reserved);
    end_gpu(gpu);
    assert_int_equal(cn_heap_stats(heap).live_blocks, 0);
    cn_heap_destroy(heap);
}

static void a_steady_frame_of_commands_makes_no_heap_call(void **state)
{
    (void)state;
    CnHeap *heap = cn_heap_create(NULL, NULL);
    CnGpu *gpu = cn_gpu_create(
        &(CnGpuDesc){.backend = CN_GPU_NULL, .allocator = cn_heap_tag(heap, "gpu")}, NULL);
    CnGpuBuffer buffer = cn_gpu_buffer_create(
        gpu, &(CnGpuBufferDesc){.name = "b", .size = 1024, .usage = CN_GPU_USE_COPY_TO}, NULL);
    uint64_t calls = 0;
    for (uint32_t frame = 0; frame < 50; frame++) {
        if (frame == 10)
            calls = cn_heap_stats(heap).calls;
        CnGpuCommands *commands = begin_frame(gpu);
        cn_gpu_begin_label(commands, "fills");
        for (uint32_t i = 0; i < 500; i++) {
            buffer_barrier(commands, buffer, i ? CN_GPU_ACCESS_COPY_TO : CN_GPU_ACCESS_NONE,
                           CN_GPU_ACCESS_COPY_TO);
            cn_gpu_fill_buffer(commands, buffer, 0, 1024, i);
        }
        cn_gpu_end_label(commands);
        assert_true(cn_gpu_end_frame(gpu, NULL));
    }
    assert_int_equal(cn_heap_stats(heap).calls, calls);
    cn_gpu_buffer_destroy(gpu, buffer);
    end_gpu(gpu);
    cn_heap_destroy(heap);
}

static void resources_in_heaps_take_no_memory_of_their_own(void **state)
{
    (void)state;
    CnGpu *gpu = make_null();
    CnGpuTextureDesc desc = {.name = "transient",
                             .format = CN_GPU_FORMAT_RGBA8,
                             .width = 256,
                             .height = 256,
                             .usage = CN_GPU_USE_ATTACHMENT};
    CnGpuMemoryRequirements need = cn_gpu_texture_memory_requirements(gpu, &desc);
    assert_int_equal(need.size, 256 * 256 * 4);
    CnGpuHeap heap = cn_gpu_heap_create(
        gpu, &(CnGpuHeapDesc){.size = need.size * 2, .name = "transients"}, NULL);
    uint64_t used = cn_gpu_stats(gpu).used_bytes;
    CnGpuTexture a = cn_gpu_texture_create_in(gpu, &desc, heap, 0, NULL);
    CnGpuTexture b = cn_gpu_texture_create_in(gpu, &desc, heap, need.size, NULL);
    CnGpuTexture c = cn_gpu_texture_create_in(gpu, &desc, heap, need.alignment, NULL);
    assert_true(a.id && b.id && c.id);
    assert_int_equal(cn_gpu_stats(gpu).used_bytes, used);
    CnError error = {0};
    assert_int_equal(
        cn_gpu_texture_create_in(gpu, &desc, heap, need.size + need.alignment, &error).id, 0);
    assert_non_null(strstr(error.message, "does not fit into the heap transients"));
    assert_int_equal(cn_gpu_texture_create_in(gpu, &desc, heap, 1, &error).id, 0);
    EXPECT_WRONG(gpu, cn_gpu_heap_destroy(gpu, heap), "3 resources are still in transients");
    cn_gpu_texture_destroy(gpu, a);
    cn_gpu_texture_destroy(gpu, b);
    cn_gpu_texture_destroy(gpu, c);
    cn_gpu_heap_destroy(gpu, heap);
    EXPECT_WRONG(gpu, cn_gpu_texture_create_in(gpu, &desc, heap, 0, NULL), "the heap is stale");
    cn_gpu_destroy(gpu);
}

static void mapped_buffers_can_be_written_and_read_side_by_side(void **state)
{
    (void)state;
    CnGpu *gpu = make_null();
    CnGpuBuffer buffers[50];
    for (uint32_t i = 0; i < 50; i++) {
        buffers[i] = cn_gpu_buffer_create(gpu,
                                          &(CnGpuBufferDesc){.name = "mapped",
                                                             .size = 1000,
                                                             .usage = CN_GPU_USE_COPY_FROM,
                                                             .memory = CN_GPU_MEMORY_UPLOAD},
                                          NULL);
        memset(cn_gpu_buffer_data(gpu, buffers[i]), (int)i, 1000);
    }
    for (uint32_t i = 0; i < 50; i++) {
        const uint8_t *data = cn_gpu_buffer_data(gpu, buffers[i]);
        for (uint32_t j = 0; j < 1000; j++)
            assert_int_equal(data[j], i);
        cn_gpu_buffer_destroy(gpu, buffers[i]);
    }
    end_gpu(gpu);
}

static void random_lives_end_with_nothing_used(void **state)
{
    (void)state;
    CnGpu *gpu = make_null();
    uint64_t used = cn_gpu_stats(gpu).used_bytes;
    CnGpuBuffer buffers[64] = {0};
    CnGpuTexture textures[64] = {0};
    TestRandom random = {5};
    for (uint32_t round = 0; round < 16 * 300; round++) {
        uint32_t i = test_random_below(&random, 64);
        if (round % 16 == 0)
            begin_frame(gpu);
        cn_gpu_buffer_destroy(gpu, buffers[i]);
        cn_gpu_texture_destroy(gpu, textures[i]);
        buffers[i] = make_buffer(gpu, 1 + test_random_below(&random, 40 << 20));
        textures[i] = make_texture(gpu, 1 + test_random_below(&random, 1024));
        assert_true(buffers[i].id && textures[i].id);
        if (round % 16 == 15)
            assert_true(cn_gpu_end_frame(gpu, NULL));
    }
    begin_frame(gpu);
    for (uint32_t i = 0; i < 64; i++) {
        cn_gpu_buffer_destroy(gpu, buffers[i]);
        cn_gpu_texture_destroy(gpu, textures[i]);
    }
    end_frame(gpu);
    assert_int_equal(cn_gpu_stats(gpu).used_bytes, used);
    end_gpu(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_resources_share_blocks_by_kind),
        cmocka_unit_test(a_large_resource_has_a_block_of_its_own_that_goes_with_it),
        cmocka_unit_test(memory_that_runs_out_is_an_error_and_what_lives_stays),
        cmocka_unit_test(what_is_destroyed_stays_until_its_frame_is_done),
        cmocka_unit_test(churn_reaches_a_steady_state_without_heap_calls),
        cmocka_unit_test(a_steady_frame_of_commands_makes_no_heap_call),
        cmocka_unit_test(resources_in_heaps_take_no_memory_of_their_own),
        cmocka_unit_test(mapped_buffers_can_be_written_and_read_side_by_side),
        cmocka_unit_test(random_lives_end_with_nothing_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
