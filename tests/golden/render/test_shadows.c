/* Shadows that were looked at: of the sun, of a spot light, of a point light; hard, soft, cut out,
 * far, and none. */
#include "golden_image.h"

static RenderFixture fixture;

static int setup(void **state)
{
    (void)state;
    if (!render_fixture_init(&fixture, RENDER_VULKAN))
        fixture.renderer = NULL;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    if (fixture.renderer)
        render_fixture_fini(&fixture);
    return 0;
}

static CnFeature *add_features(const CnShadowOptions *options)
{
    CnFeature *shadows = render_fixture_add(&fixture, &cn_feature_shadows, options);
    render_fixture_add(&fixture, &cn_feature_forward,
                       &(CnLightingOptions){.ambient = {0.15f, 0.18f, 0.25f}});
    render_fixture_add(&fixture, &cn_feature_tone_map, NULL);
    return shadows;
}

static const CnShadowOptions small = {.size = 512, .local_size = 256};

static CnRenderItem *box(CnVec3 position, CnVec3 size, const char *material)
{
    CnRenderItem *item = render_fixture_item(&fixture, "shapes://cube", material, position, 1);
    item->scale = size;
    return item;
}

static void make_yard(void)
{
    cn_material_create(fixture.renderer,
                       &(CnMaterialDesc){.name = "Red", .base_color = {0.7f, 0.15f, 0.1f, 1}},
                       &fixture.error);
    cn_material_create(fixture.renderer,
                       &(CnMaterialDesc){.name = "Stone", .base_color = {0.55f, 0.55f, 0.5f, 1}},
                       &fixture.error);
    box(cn_vec3(0, -0.5f, 0), cn_vec3(400, 1, 400), "Stone");
    box(cn_vec3(0, 1, 0), cn_vec3(2, 2, 2), "Red");
    box(cn_vec3(-4, 1.5f, 0), cn_vec3(0.05f, 3, 4), NULL);
    box(cn_vec3(3, 4, -6), cn_vec3(0.5f, 8, 0.5f), NULL);
    box(cn_vec3(2, 0.1f, 3), cn_vec3(0.2f, 0.2f, 0.2f), "Red");
    render_fixture_item(&fixture, "shapes://sphere", NULL, cn_vec3(3, 1, 1), 2);
    render_fixture_item(&fixture, "shapes://torus", "Red", cn_vec3(-1.5f, 0.6f, 3.5f), 2);
    render_fixture_camera(&fixture, cn_vec3(5, 4.5f, 9), cn_vec3(0, 0.5f, 0), 60);
}

static void add_sun(CnVec3 direction)
{
    render_fixture_sun(&fixture, direction, cn_vec3(3.5f, 3.3f, 3));
}

static void the_sun_throws_shadows(void **state)
{
    (void)state;
    if (!fixture.renderer)
        skip();
    add_features(&small);
    make_yard();
    add_sun(cn_vec3(0.5f, -1, 0.2f));
    render_fixture_draw(&fixture, 1);
    assert_golden_image("shadows_sun", &fixture);
}

static void switched_off_there_are_none(void **state)
{
    (void)state;
    if (!fixture.renderer)
        skip();
    CnFeature *shadows = add_features(&small);
    make_yard();
    add_sun(cn_vec3(0.5f, -1, 0.2f));
    cn_feature_set_enabled(shadows, false);
    render_fixture_draw(&fixture, 1);
    assert_golden_image("shadows_off", &fixture);
}

static void a_low_sun_throws_long_shadows(void **state)
{
    (void)state;
    if (!fixture.renderer)
        skip();
    add_features(&small);
    make_yard();
    add_sun(cn_vec3(0.9f, -0.18f, 0.25f));
    render_fixture_draw(&fixture, 1);
    assert_golden_image("shadows_low_sun", &fixture);
}

static void a_large_sun_is_soft(void **state)
{
    (void)state;
    if (!fixture.renderer)
        skip();
    add_features(&(CnShadowOptions){.size = 512, .softness = 4});
    make_yard();
    add_sun(cn_vec3(0.5f, -1, 0.2f));
    render_fixture_draw(&fixture, 1);
    assert_golden_image("shadows_soft", &fixture);
}

/* Posts into the distance: all cascades, and where shadows end. */
static void shadows_go_on_into_the_distance_and_fade(void **state)
{
    (void)state;
    if (!fixture.renderer)
        skip();
    add_features(&small);
    make_yard();
    for (int i = 0; i < 20; i++) {
        float z = -8 - 8 * (float)i;
        box(cn_vec3(-6, 2, z), cn_vec3(1, 4, 1), NULL);
        box(cn_vec3(8, 3, z), cn_vec3(1, 6, 1), "Red");
    }
    add_sun(cn_vec3(0.7f, -0.6f, -0.2f));
    render_fixture_camera(&fixture, cn_vec3(1, 7, 8), cn_vec3(1, 0, -18), 60);
    render_fixture_draw(&fixture, 1);
    assert_golden_image("shadows_far", &fixture);
}

static CnTexture holes(void)
{
    uint8_t pixels[16 * 16 * 4];
    for (int i = 0; i < 16 * 16; i++) {
        int x = i % 16 / 2 % 2, y = i / 16 / 2 % 2;
        pixels[i * 4] = 90;
        pixels[i * 4 + 1] = 160;
        pixels[i * 4 + 2] = 60;
        pixels[i * 4 + 3] = x ^ y ? 255 : 0;
    }
    CnImage image = {.width = 16, .height = 16, .pixels = pixels};
    return cn_texture_create(fixture.renderer,
                             &(CnTextureDesc){.name = "holes", .image = &image, .nearest = true},
                             &fixture.error);
}

static void masked_materials_throw_shadows_with_holes(void **state)
{
    (void)state;
    if (!fixture.renderer)
        skip();
    add_features(&small);
    make_yard();
    CnTexture texture = holes();
    cn_material_create(fixture.renderer,
                       &(CnMaterialDesc){.name = "Leaves",
                                         .alpha_mode = CN_ALPHA_MASK,
                                         .double_sided = true,
                                         .textures = {texture}},
                       &fixture.error);
    CnRenderItem *leaves =
        render_fixture_item(&fixture, "shapes://quad", "Leaves", cn_vec3(1, 2.2f, 4), 4);
    leaves->rotation = cn_quat_from_euler(cn_vec3(0, 30, 0));
    add_sun(cn_vec3(0.3f, -1, 0.6f));
    render_fixture_draw(&fixture, 1);
    assert_golden_image("shadows_masked", &fixture);
}

static void a_spot_light_throws_shadows(void **state)
{
    (void)state;
    if (!fixture.renderer)
        skip();
    add_features(&small);
    make_yard();
    CnRenderLight *spot = render_fixture_spot_light(
        &fixture, cn_vec3(-2, 6, 7), cn_vec3(0.3f, -0.7f, -0.8f), cn_vec3(160, 150, 120), 25, 60);
    spot->flags = CN_RENDER_CASTS_SHADOWS;
    render_fixture_draw(&fixture, 1);
    assert_golden_image("shadows_spot", &fixture);
}

static void a_point_light_throws_shadows_all_around(void **state)
{
    (void)state;
    if (!fixture.renderer)
        skip();
    add_features(&small);
    make_yard();
    CnRenderLight *lamp =
        render_fixture_point_light(&fixture, cn_vec3(1, 2.5f, 3), cn_vec3(40, 30, 20), 20);
    lamp->flags = CN_RENDER_CASTS_SHADOWS;
    render_fixture_draw(&fixture, 1);
    assert_golden_image("shadows_point", &fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_sun_throws_shadows, setup, teardown),
        cmocka_unit_test_setup_teardown(switched_off_there_are_none, setup, teardown),
        cmocka_unit_test_setup_teardown(a_low_sun_throws_long_shadows, setup, teardown),
        cmocka_unit_test_setup_teardown(a_large_sun_is_soft, setup, teardown),
        cmocka_unit_test_setup_teardown(shadows_go_on_into_the_distance_and_fade, setup, teardown),
        cmocka_unit_test_setup_teardown(masked_materials_throw_shadows_with_holes, setup, teardown),
        cmocka_unit_test_setup_teardown(a_spot_light_throws_shadows, setup, teardown),
        cmocka_unit_test_setup_teardown(a_point_light_throws_shadows_all_around, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
