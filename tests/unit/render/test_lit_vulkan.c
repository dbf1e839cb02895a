/* test-labels: rendering */
/* What lit pixels are, through every path: numbers that can be computed by hand, and lights that
 * are out of order. */
#include "render_fixture.h"

#include <stdlib.h>
#include <string.h>

static const CnPreset paths[] = {cn_preset_forward, cn_preset_forward_plus, cn_preset_deferred};
#define PATHS 3u

/* Of these, the ones that a test draws with. Drivers take a second to create each, and memory
 * errors are not in their formulas, so under AddressSanitizer one path is enough;
 * golden.render.lit_images runs all there. */
#ifdef __SANITIZE_ADDRESS__
#define FIRST_PATH 2u
#else
#define FIRST_PATH 0u
#endif

/* Colors as they are: no tone map, no shadows, nothing that mixes pixels. */
static const CnRenderOptions plain = {
    .shadow = CN_SWITCH_OFF,
    .ao = CN_SWITCH_OFF,
    .taa = CN_SWITCH_OFF,
    .point_spot_lights = CN_SWITCH_ON,
    .transparent_tiled_lights = true,
    .ambient = {1e-6f, 1e-6f, 1e-6f},
    .tone_map = {.aces = CN_SWITCH_OFF},
};

static bool begin(RenderFixture *fixture, CnPreset path, const CnRenderOptions *options)
{
    if (!render_fixture_init(fixture, RENDER_VULKAN))
        return false;
    if (!path(fixture->renderer, options, NULL, &fixture->error))
        fail_msg("%s", fixture->error.message);
    fixture->frame_desc.width = 64;
    fixture->frame_desc.height = 48;
    return true;
}

static void add_material(RenderFixture *fixture, const CnMaterialDesc *desc)
{
    if (!cn_material_create(fixture->renderer, desc, &fixture->error).id)
        fail_msg("%s", fixture->error.message);
}

/* The pixel in the middle of a wall that is looked at from the front. */
static const uint8_t *draw_wall(RenderFixture *fixture)
{
    render_fixture_camera(fixture, cn_vec3(0, 0, 2), cn_vec3(0, 0, 0), 60);
    render_fixture_item(fixture, "shapes://quad", "Wall", cn_vec3(0, 0, 0), 10);
    render_fixture_draw(fixture, 1);
    return render_fixture_pixel(fixture, 32, 24);
}

static void assert_color(const uint8_t *pixel, int red, int green, int blue)
{
    if (abs(pixel[0] - red) > 2 || abs(pixel[1] - green) > 2 || abs(pixel[2] - blue) > 2)
        fail_msg("(%d, %d, %d) is not (%d, %d, %d)", pixel[0], pixel[1], pixel[2], red, green,
                 blue);
}

/* ---- Materials ---- */

static void unlit_materials_show_their_color(void **state)
{
    (void)state;
    for (uint32_t i = FIRST_PATH; i < PATHS; i++) {
        RenderFixture fixture;
        if (!begin(&fixture, paths[i], &plain))
            skip();
        add_material(
            &fixture,
            &(CnMaterialDesc){.name = "Wall", .base_color = {0.5f, 0.2f, 0.05f, 1}, .unlit = true});
        render_fixture_sun(&fixture, cn_vec3(0, 0, -1), cn_vec3(3, 3, 3));
        render_fixture_point_light(&fixture, cn_vec3(0, 0, 1), cn_vec3(9, 9, 9), 5);
        assert_color(draw_wall(&fixture), 188, 124, 63); /* of sRGB */
        render_fixture_fini(&fixture);
    }
}

static void emission_needs_no_light(void **state)
{
    (void)state;
    for (uint32_t i = FIRST_PATH; i < PATHS; i++) {
        RenderFixture fixture;
        if (!begin(&fixture, paths[i], &plain))
            skip();
        add_material(&fixture, &(CnMaterialDesc){.name = "Wall", .emissive = {0.05f, 0.5f, 0.2f}});
        assert_color(draw_wall(&fixture), 63, 188, 124);
        render_fixture_fini(&fixture);
    }
}

/* Blended over a wall that shows 0.5: 0.25 * 0.8 + 0.75 * 0.5. */
static void blended_materials_are_laid_over_what_is_there(void **state)
{
    (void)state;
    for (uint32_t i = FIRST_PATH; i < PATHS; i++) {
        RenderFixture fixture;
        if (!begin(&fixture, paths[i], &plain))
            skip();
        add_material(
            &fixture,
            &(CnMaterialDesc){.name = "Wall", .base_color = {0.5f, 0.5f, 0.5f, 1}, .unlit = true});
        add_material(&fixture, &(CnMaterialDesc){.name = "Pane",
                                                 .base_color = {0.8f, 0.8f, 0.8f, 0.25f},
                                                 .alpha_mode = CN_ALPHA_BLEND,
                                                 .unlit = true});
        render_fixture_item(&fixture, "shapes://quad", "Pane", cn_vec3(0, 0, 0.5f), 4);
        assert_color(draw_wall(&fixture), 199, 199, 199);
        render_fixture_fini(&fixture);
    }
}

/* Of white and rough: 0.96 of the light is scattered at most, over pi; a highlight is added. */
static void a_sun_from_the_front_lights_what_it_should(void **state)
{
    (void)state;
    for (uint32_t i = FIRST_PATH; i < PATHS; i++) {
        RenderFixture fixture;
        if (!begin(&fixture, paths[i], &plain))
            skip();
        add_material(&fixture, &(CnMaterialDesc){.name = "Wall"});
        render_fixture_sun(&fixture, cn_vec3(0, 0, -1), cn_vec3(1, 1, 1));
        /* 0.96 / pi + 0.04 / (4 pi) = 0.3088 */
        assert_color(draw_wall(&fixture), 151, 151, 151);
        render_fixture_fini(&fixture);
    }
}

static void surfaces_of_ones_own_are_lit_in_every_path(void **state)
{
    (void)state;
    static const char glsl[] = "void surface(inout Surface s)\n"
                               "{\n"
                               "    s.albedo = vec3(0.0);\n"
                               "    s.emission = vec3(0.2, 0.05, 0.5);\n"
                               "}\n";
    for (uint32_t i = FIRST_PATH; i < PATHS; i++) {
        RenderFixture fixture;
        if (!begin(&fixture, paths[i], &plain))
            skip();
        if (!cn_surface_register(fixture.renderer,
                                 &(CnSurfaceDesc){.name = "Violet", .glsl = cn_text(glsl)},
                                 &fixture.error))
            fail_msg("%s", fixture.error.message);
        add_material(&fixture, &(CnMaterialDesc){.name = "Wall", .pipeline = "Violet"});
        assert_color(draw_wall(&fixture), 124, 63, 188);
        render_fixture_fini(&fixture);
    }
}

/* A texture of one color. */
static CnTexture make_texture(RenderFixture *fixture, uint8_t red, uint8_t green, uint8_t blue,
                              uint8_t alpha)
{
    uint8_t pixels[4 * 4 * 4];
    for (uint32_t i = 0; i < 16; i++)
        memcpy(pixels + i * 4, (const uint8_t[]){red, green, blue, alpha}, 4);
    CnTexture texture = cn_texture_create(fixture->renderer,
                                          &(CnTextureDesc){.name = "one color",
                                                           .format = CN_GPU_FORMAT_RGBA8,
                                                           .width = 4,
                                                           .height = 4,
                                                           .pixels = pixels},
                                          &fixture->error);
    if (!texture.id)
        fail_msg("%s", fixture->error.message);
    return texture;
}

/* How bright a wall is whose normals lean to the right and upwards, in a sun that shines this way.
 */
static int draw_leaning(RenderFixture *fixture, const char *mesh, CnVec3 sun, float across)
{
    render_fixture_clear(fixture);
    render_fixture_sun(fixture, sun, cn_vec3(1, 1, 1));
    render_fixture_item(fixture, mesh, "Leaning", cn_vec3(0, 0, 0.1f), 10)->scale.x = across;
    return draw_wall(fixture)[0];
}

/* A square like shapes://quad, without tangents. */
static void add_bare_square(RenderFixture *fixture)
{
    CnVertex vertices[4];
    const uint32_t indices[] = {0, 1, 2, 0, 2, 3};
    for (uint32_t i = 0; i < 4; i++) {
        float x = i == 1 || i == 2 ? 0.5f : -0.5f, y = i >= 2 ? 0.5f : -0.5f;
        vertices[i] =
            (CnVertex){.position = {x, y, 0}, .normal = {0, 0, 1}, .uv = {x + 0.5f, 0.5f - y}};
    }
    CnMesh mesh = cn_mesh_create(fixture->renderer,
                                 &(CnMeshDesc){.name = "Bare",
                                               .vertices = vertices,
                                               .vertex_count = 4,
                                               .indices = indices,
                                               .index_count = 6},
                                 &fixture->error);
    CnModelPart part = {.mesh = mesh, .transform = cn_affine_identity()};
    CnModel model = cn_model_create(fixture->renderer,
                                    &(CnModelDesc){.name = "Bare", .parts = &part, .part_count = 1},
                                    &fixture->error);
    if (!mesh.id || !model.id)
        fail_msg("%s", fixture->error.message);
}

static void assert_leans(const char *mesh, float across)
{
    for (uint32_t i = FIRST_PATH; i < PATHS; i++) {
        RenderFixture fixture;
        if (!begin(&fixture, paths[i], &plain))
            skip();
        CnMaterialDesc desc = {.name = "Leaning"};
        desc.textures[CN_TEXTURE_NORMAL] = make_texture(&fixture, 218, 218, 180, 255);
        add_material(&fixture, &desc);
        add_bare_square(&fixture);
        float side = across > 0 ? -1 : 1;
        int facing = draw_leaning(&fixture, mesh, cn_vec3(side, -1, -1), across);
        assert_true(facing > draw_leaning(&fixture, mesh, cn_vec3(side, 1, -1), across) + 20);
        assert_true(facing > draw_leaning(&fixture, mesh, cn_vec3(-side, -1, -1), across) + 20);
        render_fixture_fini(&fixture);
    }
}

static void normal_textures_lean_to_the_right_and_upwards(void **state)
{
    (void)state;
    assert_leans("shapes://quad", 10);
}

static void normal_textures_of_mirrored_meshes_lean_to_the_left(void **state)
{
    (void)state;
    assert_leans("shapes://quad", -10);
}

static void normal_textures_lean_the_same_way_without_tangents(void **state)
{
    (void)state;
    assert_leans("Bare", 10);
    assert_leans("Bare", -10);
}

/* Of what comes from everywhere, 0.5, a half; of the sun all. */
static void occlusion_textures_dim_light_from_everywhere_alone(void **state)
{
    (void)state;
    CnRenderOptions bright = plain;
    bright.ambient = (CnVec3){0.5f, 0.5f, 0.5f};
    for (uint32_t i = FIRST_PATH; i < PATHS; i++) {
        RenderFixture fixture;
        if (!begin(&fixture, paths[i], &bright))
            skip();
        CnMaterialDesc desc = {.name = "Wall"};
        desc.textures[CN_TEXTURE_OCCLUSION] = make_texture(&fixture, 128, 0, 0, 255);
        add_material(&fixture, &desc);
        render_fixture_sun(&fixture, cn_vec3(0, 0, -1), cn_vec3(1, 0, 0));
        /* 0.3088 + 0.251 and 0.251 */
        assert_color(draw_wall(&fixture), 197, 137, 137);
        render_fixture_fini(&fixture);
    }
}

static void masked_materials_have_holes(void **state)
{
    (void)state;
    for (uint32_t i = FIRST_PATH; i < PATHS; i++) {
        RenderFixture fixture;
        if (!begin(&fixture, paths[i], &plain))
            skip();
        add_material(&fixture, &(CnMaterialDesc){.name = "Wall", .emissive = {0.2f, 0.2f, 0.2f}});
        CnMaterialDesc desc = {.name = "Hole", .emissive = {1, 1, 1}, .alpha_mode = CN_ALPHA_MASK};
        desc.textures[CN_TEXTURE_BASE_COLOR] = make_texture(&fixture, 255, 255, 255, 120);
        add_material(&fixture, &desc);
        render_fixture_item(&fixture, "shapes://quad", "Hole", cn_vec3(0, 0, 0.5f), 4);
        assert_color(draw_wall(&fixture), 124, 124, 124);
        render_fixture_fini(&fixture);
    }
}

static void backs_of_double_sided_materials_are_lit_as_fronts(void **state)
{
    (void)state;
    for (uint32_t i = FIRST_PATH; i < PATHS; i++) {
        RenderFixture fixture;
        if (!begin(&fixture, paths[i], &plain))
            skip();
        add_material(&fixture, &(CnMaterialDesc){.name = "Wall", .double_sided = true});
        render_fixture_sun(&fixture, cn_vec3(0, 0, -1), cn_vec3(1, 1, 1));
        render_fixture_item(&fixture, "shapes://quad", "Wall", cn_vec3(0, 0, 0.5f), 4)->rotation =
            (CnQuat){0, 1, 0, 0};
        assert_color(draw_wall(&fixture), 151, 151, 151);
        render_fixture_fini(&fixture);
    }
}

/* ---- Lights ---- */

/* One unit away, with a range of two: (1 - (1/2)^4)^2 / 1. */
static void lights_fade_as_the_formula_says(void **state)
{
    (void)state;
    for (uint32_t i = FIRST_PATH; i < PATHS; i++) {
        RenderFixture fixture;
        if (!begin(&fixture, paths[i], &plain))
            skip();
        add_material(&fixture, &(CnMaterialDesc){.name = "Wall"});
        render_fixture_point_light(&fixture, cn_vec3(0, 0, 1), cn_vec3(1, 1, 1), 2);
        /* 0.8789 * 0.3088 = 0.2714 */
        assert_color(draw_wall(&fixture), 142, 142, 142);
        render_fixture_fini(&fixture);
    }
}

static void lights_end_at_their_range(void **state)
{
    (void)state;
    for (uint32_t i = FIRST_PATH; i < PATHS; i++) {
        RenderFixture fixture;
        if (!begin(&fixture, paths[i], &plain))
            skip();
        add_material(&fixture, &(CnMaterialDesc){.name = "Wall"});
        render_fixture_point_light(&fixture, cn_vec3(0, 0, 1), cn_vec3(100, 100, 100), 0.999f);
        assert_color(draw_wall(&fixture), 0, 0, 0);
        render_fixture_fini(&fixture);
    }
}

static void spot_lights_light_only_their_cone(void **state)
{
    (void)state;
    for (uint32_t i = FIRST_PATH; i < PATHS; i++) {
        RenderFixture fixture;
        if (!begin(&fixture, paths[i], &plain))
            skip();
        add_material(&fixture, &(CnMaterialDesc){.name = "Wall"});
        render_fixture_spot_light(&fixture, cn_vec3(0, 0, 1), cn_vec3(0, 0, -1), cn_vec3(9, 9, 9),
                                  4, 30);
        assert_true(draw_wall(&fixture)[0] > 200);
        assert_color(render_fixture_pixel(&fixture, 2, 24), 0, 0, 0);
        render_fixture_fini(&fixture);
    }
}

/* On the surface, of no range, of no color, pointing nowhere: the others still light. */
static void lights_that_make_no_sense_spoil_nothing(void **state)
{
    (void)state;
    for (uint32_t i = FIRST_PATH; i < PATHS; i++) {
        RenderFixture fixture;
        if (!begin(&fixture, paths[i], &plain))
            skip();
        add_material(&fixture, &(CnMaterialDesc){.name = "Wall", .roughness = 0.045f});
        render_fixture_sun(&fixture, cn_vec3(0, 0, -1), cn_vec3(1, 1, 1));
        render_fixture_point_light(&fixture, cn_vec3(0, 0, 0), cn_vec3(1, 1, 1), 0);
        render_fixture_point_light(&fixture, cn_vec3(0, 0, 0), cn_vec3(1, 1, 1), 1);
        render_fixture_spot_light(&fixture, cn_vec3(0, 0, 1), cn_vec3(0, 0, 0), cn_vec3(0, 0, 0), 1,
                                  0);
        draw_wall(&fixture);
        for (uint32_t y = 0; y < 48; y++) {
            for (uint32_t x = 0; x < 64; x++)
                assert_true(render_fixture_pixel(&fixture, x, y)[0] > 100);
        }
        render_fixture_fini(&fixture);
    }
}

static void a_thousand_lights_in_one_tile_are_all_seen(void **state)
{
    (void)state;
    for (uint32_t i = FIRST_PATH > 1 ? FIRST_PATH : 1; i < PATHS; i++) {
        RenderFixture fixture;
        if (!begin(&fixture, paths[i], &plain))
            skip();
        add_material(&fixture, &(CnMaterialDesc){.name = "Wall"});
        for (uint32_t n = 0; n < CN_MAX_LIGHTS; n++)
            render_fixture_point_light(&fixture, cn_vec3(0, 0, 1),
                                       cn_vec3(1.0f / CN_MAX_LIGHTS, 0, 0), 2);
        const uint8_t *pixel = draw_wall(&fixture);
        assert_color(pixel, 142, 0, 0); /* as of one of a thousand times the strength */
        render_fixture_fini(&fixture);
    }
}

/* ---- Views ---- */

static void draw_view(RenderFixture *fixture, uint8_t *pixels)
{
    add_material(fixture, &(CnMaterialDesc){.name = "Wall"});
    for (uint32_t n = 0; n < 32; n++)
        render_fixture_point_light(
            fixture, cn_vec3(-2.5f + 0.7f * (float)(n % 8), -1.5f + (float)(n / 8), 0.4f),
            cn_vec3(0.2f, (float)(n % 3) * 0.1f, 0.1f), 0.8f);
    render_fixture_item(fixture, "shapes://sphere", "Wall", cn_vec3(0.5f, 0, 0.5f), 1);
    draw_wall(fixture);
    memcpy(pixels, fixture->pixels,
           (size_t)fixture->frame_desc.width * fixture->frame_desc.height * 4);
}

static void assert_paths_agree(uint32_t width, uint32_t height, float orthographic_height)
{
    static uint8_t pixels[PATHS][128 * 128 * 4];
    for (uint32_t i = 0; i < PATHS; i++) {
        RenderFixture fixture;
        if (!begin(&fixture, paths[i], &plain))
            skip();
        fixture.frame_desc.width = width;
        fixture.frame_desc.height = height;
        render_fixture_camera(&fixture, cn_vec3(0, 0, 2), cn_vec3(0, 0, 0), 60);
        fixture.snapshot.camera.height = orthographic_height;
        draw_view(&fixture, pixels[i]);
        render_fixture_fini(&fixture);
    }
    for (uint32_t i = 0; i < width * height * 4; i++) {
        assert_true(abs(pixels[0][i] - pixels[1][i]) <= 1);
        assert_true(abs(pixels[0][i] - pixels[2][i]) <= 3);
    }
}

static void paths_agree_where_tiles_are_cut_off(void **state)
{
    (void)state;
    assert_paths_agree(97, 33, 0);
}

static void paths_agree_in_an_image_of_one_pixel(void **state)
{
    (void)state;
    assert_paths_agree(1, 1, 0);
}

static void paths_agree_without_perspective(void **state)
{
    (void)state;
    assert_paths_agree(64, 48, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unlit_materials_show_their_color),
        cmocka_unit_test(emission_needs_no_light),
        cmocka_unit_test(blended_materials_are_laid_over_what_is_there),
        cmocka_unit_test(a_sun_from_the_front_lights_what_it_should),
        cmocka_unit_test(surfaces_of_ones_own_are_lit_in_every_path),
        cmocka_unit_test(normal_textures_lean_to_the_right_and_upwards),
        cmocka_unit_test(normal_textures_of_mirrored_meshes_lean_to_the_left),
        cmocka_unit_test(normal_textures_lean_the_same_way_without_tangents),
        cmocka_unit_test(occlusion_textures_dim_light_from_everywhere_alone),
        cmocka_unit_test(masked_materials_have_holes),
        cmocka_unit_test(backs_of_double_sided_materials_are_lit_as_fronts),
        cmocka_unit_test(lights_fade_as_the_formula_says),
        cmocka_unit_test(lights_end_at_their_range),
        cmocka_unit_test(spot_lights_light_only_their_cone),
        cmocka_unit_test(lights_that_make_no_sense_spoil_nothing),
        cmocka_unit_test(a_thousand_lights_in_one_tile_are_all_seen),
        cmocka_unit_test(paths_agree_where_tiles_are_cut_off),
        cmocka_unit_test(paths_agree_in_an_image_of_one_pixel),
        cmocka_unit_test(paths_agree_without_perspective),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
