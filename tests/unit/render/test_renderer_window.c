/* The renderer and a window: shown, minimized, read back. On the null backend, which asks only for
 * its size. */
#include "cmocka_tests.h"
#include "mesh_feature.h"

#include <string.h>

typedef struct Fixture {
    uint32_t width, height; /* of the window */
    CnGpu *gpu;
    CnRenderer *renderer;
    CnError error;
} Fixture;

static void get_size(uint32_t *width, uint32_t *height, void *user)
{
    const Fixture *fixture = user;
    *width = fixture->width;
    *height = fixture->height;
}

static void init(Fixture *fixture)
{
    *fixture = (Fixture){.width = 100, .height = 50};
    CnGpuWindow window = {.size = get_size, .user = fixture};
    fixture->gpu =
        cn_gpu_create(&(CnGpuDesc){.backend = CN_GPU_NULL, .window = &window}, &fixture->error);
    assert_non_null(fixture->gpu);
    fixture->renderer = cn_renderer_create(&(CnRendererDesc){.gpu = fixture->gpu}, &fixture->error);
    assert_non_null(fixture->renderer);
}

static void fini(Fixture *fixture)
{
    cn_renderer_destroy(fixture->renderer);
    assert_int_equal(cn_gpu_stats(fixture->gpu).wrong_calls, 0);
    cn_gpu_destroy(fixture->gpu);
}

static void draw(Fixture *fixture, bool read_back)
{
    if (!cn_renderer_draw(fixture->renderer, &(CnFrameDesc){.read_back = read_back},
                          &fixture->error))
        fail_msg("%s", fixture->error.message);
}

static bool has_recorded(const Fixture *fixture, const char *command)
{
    uint32_t count;
    const CnGpuLogEntry *log = cn_gpu_command_log(fixture->gpu, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (!strcmp(log[i].command, command))
            return true;
    }
    return false;
}

static void the_window_is_drawn_and_left_to_be_shown(void **state)
{
    (void)state;
    Fixture fixture;
    init(&fixture);
    draw(&fixture, false);
    assert_true(has_recorded(&fixture, "begin_rendering"));
    assert_false(has_recorded(&fixture, "blit"));
    fini(&fixture);
}

static void nothing_is_drawn_while_it_is_minimised(void **state)
{
    (void)state;
    Fixture fixture;
    init(&fixture);
    fixture.width = fixture.height = 0;
    draw(&fixture, false);
    assert_false(has_recorded(&fixture, "begin_rendering"));
    assert_int_equal(cn_renderer_stats(fixture.renderer).frames, 0);
    fini(&fixture);
}

static void a_window_that_changes_its_size_is_drawn_in_its_size(void **state)
{
    (void)state;
    Fixture fixture;
    init(&fixture);
    const uint32_t sizes[] = {100, 37, 400, 1};
    for (uint32_t i = 0; i < CN_COUNT_OF(sizes); i++) {
        fixture.width = sizes[i];
        draw(&fixture, true);
        uint32_t width, height;
        assert_non_null(cn_renderer_pixels(fixture.renderer, &width, &height, &fixture.error));
        assert_int_equal(width, sizes[i]);
        assert_int_equal(height, 50);
    }
    fini(&fixture);
}

static void an_image_that_is_read_back_is_shown_too(void **state)
{
    (void)state;
    Fixture fixture;
    init(&fixture);
    draw(&fixture, true);
    assert_true(has_recorded(&fixture, "copy_from_texture"));
    assert_true(has_recorded(&fixture, "blit"));
    fini(&fixture);
}

static void spoil(CnFrame *frame, void *user)
{
    (void)user;
    CnGraphPass pass = cn_graph_add_pass(frame->graph, &(CnGraphPassDesc){.name = "spoiled"});
    cn_graph_read_texture(frame->graph, pass, (CnGraphTexture){0}, CN_GPU_ACCESS_SAMPLE, NULL);
}

static void a_frame_that_fails_leaves_the_window_fit_to_be_shown(void **state)
{
    (void)state;
    Fixture fixture;
    init(&fixture);
    assert_false(
        cn_renderer_draw(fixture.renderer, &(CnFrameDesc){.before_render = spoil}, &fixture.error));
    draw(&fixture, false);
    fini(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_window_is_drawn_and_left_to_be_shown),
        cmocka_unit_test(nothing_is_drawn_while_it_is_minimised),
        cmocka_unit_test(a_window_that_changes_its_size_is_drawn_in_its_size),
        cmocka_unit_test(an_image_that_is_read_back_is_shown_too),
        cmocka_unit_test(a_frame_that_fails_leaves_the_window_fit_to_be_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
