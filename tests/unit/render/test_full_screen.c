/* Which form full-screen passes have, and that presets draw in both, on the null backend, which
 * checks all of their calls. */
#include "gallery.h"
#include "render_fixture.h"

#include "render/core/renderer_internal.h"

#include <stdlib.h>
#include <string.h>

static const CnRenderOptions everything = {.sky = {.kind = CN_SKY_ATMOSPHERE},
                                           .shadow = CN_SWITCH_ON,
                                           .point_spot_lights = CN_SWITCH_ON,
                                           .taa = CN_SWITCH_ON,
                                           .dof = CN_SWITCH_ON,
                                           .bloom = CN_SWITCH_ON,
                                           .auto_exposure = CN_SWITCH_ON};

/* ---- The choice ---- */

static int forget_environment(void **state)
{
    (void)state;
    return unsetenv("CAIRN_FULL_SCREEN");
}

static CnFullScreenForm choose_in(const char *environment, CnGpuKind kind)
{
    setenv("CAIRN_FULL_SCREEN", environment, 1);
    return cni_render_full_screen_choose(CN_FULL_SCREEN_AUTO, kind);
}

static void a_cpu_has_fragment_shaders(void **state)
{
    (void)state;
    assert_int_equal(cni_render_full_screen_choose(CN_FULL_SCREEN_AUTO, CN_GPU_KIND_CPU),
                     CN_FULL_SCREEN_FRAGMENT);
}

static void a_gpu_has_compute_shaders(void **state)
{
    (void)state;
    assert_int_equal(cni_render_full_screen_choose(CN_FULL_SCREEN_AUTO, CN_GPU_KIND_DISCRETE),
                     CN_FULL_SCREEN_COMPUTE);
    assert_int_equal(cni_render_full_screen_choose(CN_FULL_SCREEN_AUTO, CN_GPU_KIND_INTEGRATED),
                     CN_FULL_SCREEN_COMPUTE);
}

static void the_environment_wins_over_the_device(void **state)
{
    (void)state;
    assert_int_equal(choose_in("compute", CN_GPU_KIND_CPU), CN_FULL_SCREEN_COMPUTE);
    assert_int_equal(choose_in("fragment", CN_GPU_KIND_DISCRETE), CN_FULL_SCREEN_FRAGMENT);
}

static void the_description_wins_over_the_environment(void **state)
{
    (void)state;
    setenv("CAIRN_FULL_SCREEN", "compute", 1);
    assert_int_equal(cni_render_full_screen_choose(CN_FULL_SCREEN_FRAGMENT, CN_GPU_KIND_DISCRETE),
                     CN_FULL_SCREEN_FRAGMENT);
}

static void an_unknown_word_in_the_environment_is_ignored(void **state)
{
    (void)state;
    assert_int_equal(choose_in("vertex", CN_GPU_KIND_CPU), CN_FULL_SCREEN_FRAGMENT);
    assert_int_equal(choose_in("", CN_GPU_KIND_DISCRETE), CN_FULL_SCREEN_COMPUTE);
}

/* ---- Passes ---- */

static void begin(RenderFixture *fixture, Gallery *gallery, CnFullScreenForm form)
{
    gallery_open(gallery);
    assert_true(render_fixture_init_with(
        fixture, RENDER_NULL,
        &(CnRendererDesc){.files = gallery_files(gallery), .full_screen = form}));
    gallery_show(gallery, fixture->renderer);
    if (!cn_preset_deferred(fixture->renderer, &everything, NULL, &fixture->error))
        fail_msg("%s", fixture->error.message);
    fixture->snapshot = *gallery_snapshot(gallery);
}

static void end(RenderFixture *fixture, Gallery *gallery)
{
    render_fixture_fini(fixture);
    gallery_close(gallery);
}

static CnGraphPassKind kind_of(const RenderFixture *fixture, const char *name)
{
    CnGraphPassInfo info;
    const CnGraph *graph = cn_renderer_graph(fixture->renderer);
    for (uint32_t i = 0; cn_graph_pass_info(graph, i, &info); i++) {
        if (!info.is_culled && !strcmp(info.name, name))
            return info.kind;
    }
    fail_msg("%s did not run", name);
    return CN_GRAPH_TRANSFER;
}

static void assert_kind_of_passes(CnFullScreenForm form, CnGraphPassKind kind)
{
    static const char *const passes[] = {
        "ao",         "ao across", "ao down",  "ao full", "deferred", "point and spot lights",
        "taa",        "dof half",  "dof blur", "dof",     "bloom",    "bloom down 1",
        "bloom up 1", "tone map"};
    RenderFixture fixture;
    Gallery gallery;
    begin(&fixture, &gallery, form);
    render_fixture_draw(&fixture, 2);
    for (size_t i = 0; i < CN_COUNT_OF(passes); i++)
        assert_int_equal(kind_of(&fixture, passes[i]), kind);
    end(&fixture, &gallery);
}

static void fragment_shaders_draw(void **state)
{
    (void)state;
    assert_kind_of_passes(CN_FULL_SCREEN_FRAGMENT, CN_GRAPH_GRAPHICS);
}

static void compute_shaders_compute(void **state)
{
    (void)state;
    assert_kind_of_passes(CN_FULL_SCREEN_COMPUTE, CN_GRAPH_COMPUTE);
}

static void assert_steady_frames_call_no_heap(CnFullScreenForm form)
{
    RenderFixture fixture;
    Gallery gallery;
    begin(&fixture, &gallery, form);
    render_fixture_draw(&fixture, 40);
    uint64_t before = cn_heap_stats(fixture.heap).calls;
    render_fixture_draw(&fixture, 20);
    assert_int_equal(cn_heap_stats(fixture.heap).calls, before);
    end(&fixture, &gallery);
}

static void steady_frames_of_fragment_shaders_call_no_heap(void **state)
{
    (void)state;
    assert_steady_frames_call_no_heap(CN_FULL_SCREEN_FRAGMENT);
}

static void steady_frames_of_compute_shaders_call_no_heap(void **state)
{
    (void)state;
    assert_steady_frames_call_no_heap(CN_FULL_SCREEN_COMPUTE);
}

#define CHOICE(test) cmocka_unit_test_setup_teardown(test, forget_environment, forget_environment)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CHOICE(a_cpu_has_fragment_shaders),
        CHOICE(a_gpu_has_compute_shaders),
        CHOICE(the_environment_wins_over_the_device),
        CHOICE(the_description_wins_over_the_environment),
        CHOICE(an_unknown_word_in_the_environment_is_ignored),
        cmocka_unit_test(fragment_shaders_draw),
        cmocka_unit_test(compute_shaders_compute),
        cmocka_unit_test(steady_frames_of_fragment_shaders_call_no_heap),
        cmocka_unit_test(steady_frames_of_compute_shaders_call_no_heap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
