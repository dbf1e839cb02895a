/* test-labels: window soak */
/* Thousands of frames on a window that keeps changing: nothing grows, validation says nothing. */
#include "gpu_window.h"
#include "random.h"

#define FRAMES 10000u

/* Changes something in one frame of eight. */
static void disturb(CnGpu *gpu, TestRandom *random)
{
    if (test_random_below(random, 8))
        return;
    switch (test_random_below(random, 4)) {
    case 0:
        window.is_minimised = !window.is_minimised;
        break;
    case 1:
        cn_gpu_set_vsync(gpu, (CnVsync)test_random_below(random, 3));
        break;
    default:
        SDL_SetWindowSize(window.sdl, 50 + (int)test_random_below(random, 200),
                          50 + (int)test_random_below(random, 200));
        break;
    }
}

static void ten_thousand_frames_with_resizes_leave_nothing_behind(void **state)
{
    (void)state;
    if (!window.gpu_window.size)
        skip();
    CnHeap *heap = cn_heap_create(NULL, NULL);
    CnGpu *gpu = make_vulkan(&(CnGpuDesc){.window = &window.gpu_window,
                                          .vsync = CN_VSYNC_OFF,
                                          .allocator = cn_heap_tag(heap, "gpu")});
    if (!gpu) {
        cn_heap_destroy(heap);
        skip();
    }
    TestRandom random = {11};
    uint64_t live = 0;
    uint32_t shown = 0;
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        disturb(gpu, &random);
        shown += show(gpu, 0.5f).width > 0;
        if (frame == FRAMES / 10)
            live = cn_heap_stats(heap).live_bytes;
        if (frame > FRAMES / 10)
            assert_true(cn_heap_stats(heap).live_bytes <= live + 4096);
        assert_true(cn_gpu_stats(gpu).textures <= 8);
    }
    assert_true(shown > FRAMES / 4);
    assert_int_equal(cn_gpu_stats(gpu).frames, FRAMES);
    end_gpu(gpu);
    assert_int_equal(cn_heap_stats(heap).live_blocks, 0);
    cn_heap_destroy(heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ten_thousand_frames_with_resizes_leave_nothing_behind,
                                        open_window, close_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
