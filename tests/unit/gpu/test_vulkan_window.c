/* test-labels: window */
/* A window: images of its size, resizing, hiding, vsync. Skipped where there is no display. */
#include "gpu_window.h"

static CnGpu *make_gpu(void)
{
    if (!window.gpu_window.size)
        skip();
    CnGpu *gpu = make_vulkan(&(CnGpuDesc){.window = &window.gpu_window});
    if (!gpu)
        skip();
    return gpu;
}

static void images_have_the_size_of_the_window(void **state)
{
    (void)state;
    CnGpu *gpu = make_gpu();
    for (uint32_t i = 0; i < 20; i++) {
        CnGpuTextureDesc desc = show(gpu, (float)i / 20.0f);
        assert_int_equal(desc.width, 160);
        assert_int_equal(desc.height, 120);
    }
    end_gpu(gpu);
}

static void images_follow_the_window_when_it_is_resized(void **state)
{
    (void)state;
    CnGpu *gpu = make_gpu();
    for (int i = 0; i < 40; i++) {
        SDL_SetWindowSize(window.sdl, 100 + i * 7 % 50, 80 + i * 11 % 60);
        show(gpu, 0.5f);
    }
    for (int i = 0; i < 50; i++)
        SDL_PumpEvents();
    CnGpuTextureDesc desc = show(gpu, 0.5f);
    uint32_t width, height;
    get_size(&width, &height, &window);
    assert_int_equal(desc.width, width);
    assert_int_equal(desc.height, height);
    assert_true(cn_gpu_stats(gpu).textures <= 8); /* those of old sizes are gone */
    end_gpu(gpu);
}

static void a_minimised_window_has_no_image_and_frames_go_on(void **state)
{
    (void)state;
    CnGpu *gpu = make_gpu();
    assert_true(show(gpu, 1).width > 0);
    window.is_minimised = true;
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(show(gpu, 1).width, 0);
    window.is_minimised = false;
    assert_true(show(gpu, 1).width > 0);
    end_gpu(gpu);
}

static void vsync_can_be_switched_between_frames(void **state)
{
    (void)state;
    CnGpu *gpu = make_gpu();
    static const CnVsync modes[] = {CN_VSYNC_OFF, CN_VSYNC_MAILBOX, CN_VSYNC_ON, CN_VSYNC_OFF};
    for (uint32_t i = 0; i < CN_COUNT_OF(modes); i++) {
        cn_gpu_set_vsync(gpu, modes[i]);
        for (uint32_t frame = 0; frame < 5; frame++)
            assert_true(show(gpu, 0).width > 0);
    }
    end_gpu(gpu);
}

static void a_frame_may_leave_the_window_alone(void **state)
{
    (void)state;
    CnGpu *gpu = make_gpu();
    for (uint32_t i = 0; i < 6; i++) {
        show(gpu, 0);
        begin_frame(gpu);
        assert_true(cn_gpu_end_frame(gpu, NULL));
    }
    end_gpu(gpu);
}

static void steady_frames_of_a_window_make_no_heap_call(void **state)
{
    (void)state;
    if (!window.gpu_window.size)
        skip();
    CnHeap *heap = cn_heap_create(NULL, NULL);
    CnGpu *gpu = make_vulkan(
        &(CnGpuDesc){.window = &window.gpu_window, .allocator = cn_heap_tag(heap, "gpu")});
    if (!gpu)
        skip();
    uint64_t calls = 0;
    for (uint32_t i = 0; i < 40; i++) {
        if (i == 20)
            calls = cn_heap_stats(heap).calls;
        show(gpu, 0);
    }
    assert_int_equal(cn_heap_stats(heap).calls, calls);
    end_gpu(gpu);
    cn_heap_destroy(heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(images_have_the_size_of_the_window, open_window,
                                        close_window),
        cmocka_unit_test_setup_teardown(images_follow_the_window_when_it_is_resized, open_window,
                                        close_window),
        cmocka_unit_test_setup_teardown(a_minimised_window_has_no_image_and_frames_go_on,
                                        open_window, close_window),
        cmocka_unit_test_setup_teardown(vsync_can_be_switched_between_frames, open_window,
                                        close_window),
        cmocka_unit_test_setup_teardown(a_frame_may_leave_the_window_alone, open_window,
                                        close_window),
        cmocka_unit_test_setup_teardown(steady_frames_of_a_window_make_no_heap_call, open_window,
                                        close_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
