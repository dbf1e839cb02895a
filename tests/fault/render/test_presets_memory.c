/* Presets with everything on, whose n-th allocation fails: an error, never a crash or a leak. */
#include "failing_heap.h"
#include "render_fixture.h"

static const CnRenderOptions everything = {.sky = {.kind = CN_SKY_ATMOSPHERE},
                                           .shadow = CN_SWITCH_ON,
                                           .shadows = {.size = 64, .local_size = 32},
                                           .point_spot_lights = CN_SWITCH_ON,
                                           .transparent_tiled_lights = true,
                                           .taa = CN_SWITCH_ON,
                                           .dof = CN_SWITCH_ON,
                                           .bloom = CN_SWITCH_ON,
                                           .auto_exposure = CN_SWITCH_ON};

static bool draw(CnRenderer *renderer)
{
    static const CnRenderLight lights[2] = {
        {.kind = CN_LIGHT_DIRECTIONAL, .direction = {0, -1, 0}, .color = {4, 4, 4}, .flags = 1},
        {.kind = CN_LIGHT_POINT, .position = {0, 0, -3}, .color = {1, 1, 1}, .range = 5}};
    static const CnRenderEmitter emitter = {.entity = {1},
                                            .position = {0, 0, -3},
                                            .rotation = {0, 0, 0, 1},
                                            .burst = 9,
                                            .is_playing = true,
                                            .style = {.life = 1, .start_size = 1}};
    CnRenderSnapshot snapshot = {
        .tick = 1, .lights = lights, .light_count = 2, .emitters = &emitter, .emitter_count = 1};
    bool ok = true;
    for (uint32_t i = 0; i < 3; i++) {
        CnError error = {0};
        CnFrameDesc frame_desc = {.current = &snapshot, .width = 64, .height = 64};
        if (!cn_renderer_draw(renderer, &frame_desc, &error)) {
            assert_int_equal(error.code, CN_ERROR_MEMORY);
            ok = false;
        }
    }
    return ok;
}

typedef struct Case {
    CnPreset preset;
    CnFullScreenForm form;
} Case;

static bool use_preset(CnAllocator *allocator, void *user)
{
    const Case *with = user;
    CnError error = {0};
    CnGpu *gpu = make_null();
    CnRenderer *renderer = cn_renderer_create(
        &(CnRendererDesc){.allocator = allocator, .gpu = gpu, .full_screen = with->form}, &error);
    bool ok = renderer && with->preset(renderer, &everything, NULL, &error);
    if (!ok)
        assert_int_equal(error.code, CN_ERROR_MEMORY);
    ok = ok && draw(renderer);
    cn_renderer_destroy(renderer);
    end_gpu(gpu);
    return ok;
}

static void check(CnPreset preset, CnFullScreenForm form)
{
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    uint64_t calls = run_with_failing_allocations(use_preset, &(Case){preset, form});
    cn_log_set_level(CN_LOG_LEVEL_INFO);
    assert_true(calls > 50);
}

static void every_allocation_of_forward_may_fail(void **state)
{
    (void)state;
    check(cn_preset_forward, CN_FULL_SCREEN_AUTO);
}

static void every_allocation_of_forward_plus_may_fail(void **state)
{
    (void)state;
    check(cn_preset_forward_plus, CN_FULL_SCREEN_AUTO);
}

static void every_allocation_of_deferred_may_fail(void **state)
{
    (void)state;
    check(cn_preset_deferred, CN_FULL_SCREEN_FRAGMENT);
}

static void every_allocation_of_deferred_by_compute_may_fail(void **state)
{
    (void)state;
    check(cn_preset_deferred, CN_FULL_SCREEN_COMPUTE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_of_forward_may_fail),
        cmocka_unit_test(every_allocation_of_forward_plus_may_fail),
        cmocka_unit_test(every_allocation_of_deferred_may_fail),
        cmocka_unit_test(every_allocation_of_deferred_by_compute_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
