/* The renderer on a Vulkan device, with validation. */
#include "mesh_feature.h"
#include "random.h"
#include "render_fixture.h"

static void a_renderer_without_features_draws_black(void **state)
{
    (void)state;
    RenderFixture fixture;
    if (!render_fixture_init(&fixture, RENDER_VULKAN))
        return;
    render_fixture_draw(&fixture, 2);
    for (uint32_t i = 0; i < RENDER_FIXTURE_WIDTH * RENDER_FIXTURE_HEIGHT * 4; i++)
        assert_int_equal(fixture.pixels[i], i % 4 == 3 ? 255 : 0);
    render_fixture_fini(&fixture);
}

static void shapes_are_drawn(void **state)
{
    (void)state;
    RenderFixture fixture;
    if (!render_fixture_init(&fixture, RENDER_VULKAN))
        return;
    render_fixture_add(&fixture, &mesh_feature, NULL);
    static const char *const shapes[] = {"cube", "sphere",   "plane", "quad",
                                         "cone", "cylinder", "torus", "capsule"};
    for (uint32_t i = 0; i < 8; i++) {
        char name[32];
        cn_format(name, sizeof name, "shapes://%s", shapes[i]);
        render_fixture_item(&fixture, name, NULL,
                            cn_vec3((float)(i % 4) * 1.6f - 2.4f, 0.9f - (float)(i / 4) * 2, 0), 1);
    }
    render_fixture_camera(&fixture, cn_vec3(0, 2, 5), cn_vec3(0, 0, 0), 60);
    render_fixture_draw(&fixture, 3);
    assert_int_equal(cn_renderer_stats(fixture.renderer).visible_items, 8);
    assert_int_equal(cn_renderer_stats(fixture.renderer).draw_calls, 1);
    assert_true(render_fixture_pixel(&fixture, 136, 62)[2] > 200); /* the ball faces us */
    render_fixture_fini(&fixture);
}

/* Sizes, items, meshes and features change from frame to frame; nothing is left or said. */
static void frames_of_all_kinds_are_drawn_one_after_the_other(void **state)
{
    (void)state;
    RenderFixture fixture;
    if (!render_fixture_init(&fixture, RENDER_VULKAN))
        return;
    CnFeature *meshes = render_fixture_add(&fixture, &mesh_feature, NULL);
    TestRandom random = {11};
    for (uint32_t frame = 0; frame < 60; frame++) {
        fixture.frame_desc.width = 16 + test_random_below(&random, 200);
        fixture.frame_desc.height = 16 + test_random_below(&random, 100);
        render_fixture_clear(&fixture);
        uint32_t count = test_random_below(&random, 50);
        for (uint32_t i = 0; i < count; i++) {
            const char *names[] = {"shapes://cube", "shapes://cone", "shapes://torus"};
            CnRenderItem *item =
                render_fixture_item(&fixture, names[test_random_below(&random, 3)], NULL,
                                    cn_vec3((float)test_random_unit(&random) * 4 - 2, 0, 0), 0.5f);
            item->scale.x *= test_random_chance(&random, 50) ? -1.0f : 1.0f;
        }
        if (frame % 20 == 19)
            cn_mesh_destroy(fixture.renderer,
                            cn_mesh_shape(fixture.renderer, CN_MESH_QUAD, &fixture.error));
        cn_feature_set_enabled(meshes, test_random_chance(&random, 80));
        render_fixture_draw(&fixture, 1);
    }
    render_fixture_fini(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_renderer_without_features_draws_black),
        cmocka_unit_test(shapes_are_drawn),
        cmocka_unit_test(frames_of_all_kinds_are_drawn_one_after_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
