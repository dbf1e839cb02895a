/* test-labels: rendering */
/* The extensions of materials as they are drawn, through every path: numbers that can be computed
 * by hand, and comparisons with the same material without the extension. */
#include "render_fixture.h"

#include <math.h>
#include <stdlib.h>

/* Drivers take a second to create each, so most tests draw with two of them, and under
 * AddressSanitizer with one. */
static const CnPreset paths[] = {cn_preset_forward_plus, cn_preset_forward, cn_preset_deferred};
#define PATHS 3u
#ifdef __SANITIZE_ADDRESS__
#define ALL_PATHS 2u
#define MAIN_PATHS 2u
#else
#define ALL_PATHS 0u
#define MAIN_PATHS 1u
#endif

#define WIDTH 64u
#define HEIGHT 48u
#define PI 3.14159265f
#define NEARLY_0 1e-6f /* where 0 selects the default */

static RenderFixture fixture;

static void begin(CnPreset path)
{
    static const CnRenderOptions plain = {.shadow = CN_SWITCH_OFF,
                                          .ao = CN_SWITCH_OFF,
                                          .taa = CN_SWITCH_OFF,
                                          .ambient = {1e-6f, 1e-6f, 1e-6f},
                                          .tone_map = {.aces = CN_SWITCH_OFF}};
    if (!render_fixture_init(&fixture, RENDER_VULKAN))
        skip();
    if (!path(fixture.renderer, &plain, NULL, &fixture.error))
        fail_msg("%s", fixture.error.message);
    fixture.frame_desc.width = WIDTH;
    fixture.frame_desc.height = HEIGHT;
    render_fixture_camera(&fixture, cn_vec3(0, 0, 2), cn_vec3(0, 0, 0), 60);
}

/* From ALL_PATHS or MAIN_PATHS on. */
#define FOR_PATHS(first)                                                                           \
    for (uint32_t path = (first); path < PATHS; path++, render_fixture_fini(&fixture))

static void add_material(const CnMaterialDesc *desc)
{
    if (!cn_material_create(fixture.renderer, desc, &fixture.error).id)
        fail_msg("%s", fixture.error.message);
}

/* Replaces the material "Thing" and draws; returns the pixel. */
static const uint8_t *draw_with(const CnMaterialDesc *desc, uint32_t x, uint32_t y)
{
    CnMaterial material = cn_material_find(fixture.renderer, "Thing");
    assert_true(cn_material_set(fixture.renderer, material, desc, &fixture.error));
    render_fixture_draw(&fixture, 1);
    return render_fixture_pixel(&fixture, x, y);
}

static const uint8_t *draw_middle(const CnMaterialDesc *desc)
{
    return draw_with(desc, WIDTH / 2, HEIGHT / 2);
}

static CnRenderItem *add_wall(CnVec3 color)
{
    add_material(&(CnMaterialDesc){
        .name = "Wall", .base_color = {color.x, color.y, color.z, 1}, .unlit = true});
    return render_fixture_item(&fixture, "shapes://quad", "Wall", cn_vec3(0, 0, -1), 20);
}

static CnRenderItem *add_thing(const char *mesh, CnVec3 position, float scale)
{
    add_material(&(CnMaterialDesc){.name = "Thing"});
    return render_fixture_item(&fixture, mesh, "Thing", position, scale);
}

static int to_srgb(float linear)
{
    float clamped = linear < 1 ? linear : 1;
    float encoded =
        clamped <= 0.0031308f ? clamped * 12.92f : 1.055f * powf(clamped, 1 / 2.4f) - 0.055f;
    return (int)(encoded * 255 + 0.5f);
}

static void assert_light(const uint8_t *pixel, float red, float green, float blue)
{
    int expected[3] = {to_srgb(red), to_srgb(green), to_srgb(blue)};
    for (uint32_t i = 0; i < 3; i++)
        if (abs(pixel[i] - expected[i]) > 2)
            fail_msg("(%d, %d, %d) is not (%d, %d, %d)", pixel[0], pixel[1], pixel[2], expected[0],
                     expected[1], expected[2]);
}

static int sum_of(const uint8_t *pixel)
{
    return pixel[0] + pixel[1] + pixel[2];
}

/* ---- Transmission ---- */

/* A pane that reflects nothing. */
static CnMaterialDesc clear_pane(void)
{
    return (CnMaterialDesc){.roughness = NEARLY_0,
                            .extensions = {.transmission = 1, .ior = 1, .specular = NEARLY_0}};
}

static void a_transmissive_pane_shows_what_is_behind(void **state)
{
    (void)state;
    FOR_PATHS(ALL_PATHS)
    {
        begin(paths[path]);
        add_wall(cn_vec3(0.5f, 0.2f, 0.05f));
        add_thing("shapes://quad", cn_vec3(0, 0, 0), 4);
        CnMaterialDesc pane = clear_pane();
        assert_light(draw_middle(&pane), 0.5f, 0.2f, 0.05f);
    }
}

static void a_transmissive_pane_tints_what_is_behind(void **state)
{
    (void)state;
    FOR_PATHS(MAIN_PATHS)
    {
        begin(paths[path]);
        add_wall(cn_vec3(0.5f, 0.5f, 0.5f));
        add_thing("shapes://quad", cn_vec3(0, 0, 0), 4);
        CnMaterialDesc pane = clear_pane();
        pane.base_color = (CnVec4){1, 0.5f, 0.25f, 1};
        assert_light(draw_middle(&pane), 0.5f, 0.25f, 0.125f);
    }
}

/* The thickness is that of the mesh, which is 4 times as large in the world: 2 meters. */
static void a_volume_attenuates_by_its_thickness_in_the_world(void **state)
{
    (void)state;
    FOR_PATHS(MAIN_PATHS)
    {
        begin(paths[path]);
        add_wall(cn_vec3(0.8f, 0.8f, 0.8f));
        add_thing("shapes://quad", cn_vec3(0, 0, 0), 4);
        CnMaterialDesc pane = clear_pane();
        pane.extensions.thickness = 0.5f;
        pane.extensions.attenuation_color = cn_vec3(1, 0.5f, 0.25f);
        pane.extensions.attenuation_distance = 1;
        assert_light(draw_middle(&pane), 0.8f, 0.2f, 0.05f);
    }
}

static void a_rough_pane_blurs_what_is_behind(void **state)
{
    (void)state;
    FOR_PATHS(MAIN_PATHS)
    {
        begin(paths[path]);
        add_wall(cn_vec3(0.8f, 0.8f, 0.8f))->position.x = 10; /* its right half */
        add_thing("shapes://quad", cn_vec3(0, 0, 0), 4);
        CnMaterialDesc pane = clear_pane();
        pane.extensions.ior = 1.5f;
        assert_light(draw_with(&pane, WIDTH / 2 - 4, HEIGHT / 2), 0, 0, 0);
        pane.roughness = 0.6f;
        int left = sum_of(draw_with(&pane, WIDTH / 2 - 4, HEIGHT / 2));
        int right = sum_of(render_fixture_pixel(&fixture, WIDTH / 2 + 4, HEIGHT / 2));
        assert_true(left > 60 && right > left && right < 3 * to_srgb(0.8f) - 60);
    }
}

/* Both write depth, and neither shows the other, in whatever order they are drawn. */
static void the_nearest_transmissive_pane_is_shown(void **state)
{
    (void)state;
    for (uint32_t order = 0; order < 2; order++) {
        FOR_PATHS(MAIN_PATHS)
        {
            begin(paths[path]);
            add_wall(cn_vec3(0.5f, 0.5f, 0.5f));
            CnMaterialDesc far = clear_pane();
            far.name = "Far";
            far.base_color = (CnVec4){0, 0, 1, 1};
            if (order == 0)
                add_material(&far);
            add_thing("shapes://quad", cn_vec3(0, 0, 0), 4);
            if (order == 1)
                add_material(&far);
            render_fixture_item(&fixture, "shapes://quad", "Far", cn_vec3(0, 0, -0.5f), 4);
            CnMaterialDesc pane = clear_pane();
            pane.base_color = (CnVec4){1, 0.5f, 0.5f, 1};
            assert_light(draw_middle(&pane), 0.5f, 0.25f, 0.25f);
        }
    }
}

static void opaque_meshes_hide_transmissive_ones(void **state)
{
    (void)state;
    FOR_PATHS(MAIN_PATHS)
    {
        begin(paths[path]);
        add_wall(cn_vec3(0.5f, 0.2f, 0.05f));
        add_thing("shapes://quad", cn_vec3(0, 0, -2), 4);
        CnMaterialDesc pane = clear_pane();
        pane.base_color = (CnVec4){0, 0, 1, 1};
        assert_light(draw_middle(&pane), 0.5f, 0.2f, 0.05f);
    }
}

/* Seen at an angle, through a thick pane, the edge of the wall is at different places in red and
 * blue. */
static void dispersion_separates_colors(void **state)
{
    (void)state;
    FOR_PATHS(MAIN_PATHS)
    {
        begin(paths[path]);
        render_fixture_camera(&fixture, cn_vec3(1.5f, 0, 2), cn_vec3(0, 0, 0), 60);
        add_wall(cn_vec3(0.8f, 0.8f, 0.8f))->position.x = 9.5f;
        add_thing("shapes://quad", cn_vec3(0, 0, 0), 4);
        CnMaterialDesc pane = clear_pane();
        pane.extensions.ior = 1.5f;
        pane.extensions.thickness = 0.25f;
        int most[2] = {0, 0};
        for (uint32_t i = 0; i < 2; i++) {
            pane.extensions.dispersion = i == 0 ? 0 : 10;
            draw_middle(&pane);
            for (uint32_t x = 0; x < WIDTH; x++) {
                const uint8_t *pixel = render_fixture_pixel(&fixture, x, HEIGHT / 2);
                int difference = abs(pixel[0] - pixel[2]);
                most[i] = difference > most[i] ? difference : most[i];
            }
        }
        assert_true(most[0] < 3);
        assert_true(most[1] > 20);
    }
}

/* ---- Layers, in the light of a sun behind the camera ---- */

/* The highlight of a mirror-like reflection at normal incidence, per reflectance. */
static float highlight(float roughness)
{
    float alpha = roughness * roughness;
    return 0.25f / (PI * alpha * alpha);
}

static CnMaterialDesc black(float roughness)
{
    return (CnMaterialDesc){.base_color = {0, 0, 0, 1}, .roughness = roughness};
}

static void add_lit_thing(const char *mesh)
{
    render_fixture_sun(&fixture, cn_vec3(0, 0, -1), cn_vec3(5, 5, 5));
    add_thing(mesh, cn_vec3(0, 0, 0), 4);
}

static void the_ior_determines_the_reflectance(void **state)
{
    (void)state;
    FOR_PATHS(MAIN_PATHS)
    {
        begin(paths[path]);
        add_lit_thing("shapes://quad");
        CnMaterialDesc desc = black(0.6f);
        desc.extensions.ior = 2;
        float light = 5 * highlight(0.6f) / 9; /* ((2 - 1) / (2 + 1))^2 */
        assert_light(draw_middle(&desc), light, light, light);
    }
}

static void specular_scales_and_tints_reflections(void **state)
{
    (void)state;
    FOR_PATHS(MAIN_PATHS)
    {
        begin(paths[path]);
        add_lit_thing("shapes://quad");
        CnMaterialDesc desc = black(0.5f);
        desc.extensions.specular = 0.5f;
        desc.extensions.specular_color = cn_vec3(2, 1, 0.5f);
        float light = 5 * highlight(0.5f) * 0.04f * 0.5f;
        assert_light(draw_middle(&desc), 2 * light, light, 0.5f * light);
    }
}

static void a_clear_coat_adds_a_highlight(void **state)
{
    (void)state;
    FOR_PATHS(ALL_PATHS)
    {
        begin(paths[path]);
        add_lit_thing("shapes://quad");
        CnMaterialDesc desc = black(1);
        desc.extensions.clearcoat = 0.5f;
        desc.extensions.clearcoat_roughness = 0.5f;
        float light = 5 * (0.5f * 0.04f * highlight(0.5f) + 0.98f * 0.04f * highlight(1));
        assert_light(draw_middle(&desc), light, light, light);
    }
}

/* The cosine to the edge of the sphere is small. */
static void sheen_brightens_edges_more_than_the_middle(void **state)
{
    (void)state;
    FOR_PATHS(MAIN_PATHS)
    {
        begin(paths[path]);
        render_fixture_sun(&fixture, cn_vec3(0, 0, -1), cn_vec3(5, 5, 5));
        add_thing("shapes://sphere", cn_vec3(0, 0, 0), 1.5f);
        CnMaterialDesc desc = {.base_color = {0.1f, 0.1f, 0.1f, 1}, .roughness = 1};
        int middle = sum_of(draw_middle(&desc));
        int edge = sum_of(render_fixture_pixel(&fixture, WIDTH / 2 + 14, HEIGHT / 2));
        desc.extensions.sheen_color = cn_vec3(1, 1, 1);
        desc.extensions.sheen_roughness = 0.4f;
        int middle_sheen = sum_of(draw_middle(&desc));
        int edge_sheen = sum_of(render_fixture_pixel(&fixture, WIDTH / 2 + 14, HEIGHT / 2));
        assert_true(edge_sheen > edge + 60);
        assert_true(abs(middle_sheen - middle) < 30);
    }
}

/* The tangent of the quad is along x. */
static void anisotropy_stretches_highlights(void **state)
{
    (void)state;
    FOR_PATHS(MAIN_PATHS)
    {
        begin(paths[path]);
        add_lit_thing("shapes://quad");
        CnMaterialDesc desc = {.base_color = {1, 1, 1, 1}, .metallic = 1, .roughness = 0.4f};
        for (uint32_t turned = 0; turned < 2; turned++) {
            desc.extensions.anisotropy = 0.9f;
            desc.extensions.anisotropy_rotation = turned ? PI / 2 : 0;
            int beside = sum_of(draw_with(&desc, WIDTH / 2 + 16, HEIGHT / 2));
            int above = sum_of(render_fixture_pixel(&fixture, WIDTH / 2, HEIGHT / 2 - 16));
            assert_true(turned ? above > beside + 60 : beside > above + 60);
        }
    }
}

static void a_thin_film_colors_reflections(void **state)
{
    (void)state;
    FOR_PATHS(MAIN_PATHS)
    {
        begin(paths[path]);
        add_lit_thing("shapes://quad");
        CnMaterialDesc desc = {
            .base_color = {0.5f, 0.5f, 0.5f, 1}, .metallic = 1, .roughness = 0.6f};
        const uint8_t *pixel = draw_middle(&desc);
        assert_true(abs(pixel[0] - pixel[2]) <= 1);
        desc.extensions.iridescence = 1;
        desc.extensions.iridescence_ior = 1.8f;
        pixel = draw_middle(&desc);
        assert_true(abs(pixel[0] - pixel[2]) > 40);
    }
}

static float from_srgb(uint8_t value)
{
    float encoded = (float)value / 255;
    return encoded <= 0.04045f ? encoded / 12.92f : powf((encoded + 0.055f) / 1.055f, 2.4f);
}

static void a_thin_film_does_not_tint_what_is_below(void **state)
{
    (void)state;
    FOR_PATHS(MAIN_PATHS)
    {
        begin(paths[path]);
        render_fixture_sun(&fixture, cn_vec3(0, 0, -1), cn_vec3(2, 2, 2));
        add_thing("shapes://quad", cn_vec3(0, 0, 0), 4);
        CnMaterialDesc desc = black(1);
        desc.extensions.ior = 2.5f;
        desc.extensions.iridescence = 1;
        desc.extensions.iridescence_ior = 1.5f;
        float reflected[3], below[3];
        const uint8_t *pixel = draw_middle(&desc);
        for (uint32_t i = 0; i < 3; i++)
            reflected[i] = from_srgb(pixel[i]);
        desc.base_color = (CnVec4){1, 1, 1, 1};
        pixel = draw_middle(&desc);
        for (uint32_t i = 0; i < 3; i++)
            below[i] = from_srgb(pixel[i]) - reflected[i];
        assert_true(fabsf(reflected[0] - reflected[1]) > 0.01f);
        assert_true(below[0] > 0.2f);
        assert_true(fabsf(below[0] - below[1]) < 0.01f && fabsf(below[0] - below[2]) < 0.01f);
    }
}

static void masked_materials_with_layers_are_cut_out(void **state)
{
    (void)state;
    FOR_PATHS(ALL_PATHS)
    {
        begin(paths[path]);
        add_wall(cn_vec3(0.5f, 0.2f, 0.05f));
        add_thing("shapes://quad", cn_vec3(0, 0, 0), 4);
        CnMaterialDesc desc = black(1);
        desc.base_color.w = 0.25f;
        desc.alpha_mode = CN_ALPHA_MASK;
        desc.extensions.clearcoat = 1;
        assert_light(draw_middle(&desc), 0.5f, 0.2f, 0.05f);
    }
}

/* ---- Coordinates ---- */

/* A quad whose first uv is (0.25, 0.5) everywhere, and whose second uv is (0.75, 0.5). */
static void add_quad(void)
{
    CnVertex vertices[4];
    CnVec2 second[4];
    const uint32_t indices[6] = {0, 1, 2, 0, 2, 3};
    for (uint32_t i = 0; i < 4; i++) {
        float x = i == 1 || i == 2 ? 2.0f : -2.0f, y = i >= 2 ? 2.0f : -2.0f;
        vertices[i] = (CnVertex){.position = {x, y, 0}, .normal = {0, 0, 1}, .uv = {0.25f, 0.5f}};
        second[i] = (CnVec2){0.75f, 0.5f};
    }
    CnMesh mesh = cn_mesh_create(fixture.renderer,
                                 &(CnMeshDesc){.name = "quad",
                                               .vertices = vertices,
                                               .vertex_count = 4,
                                               .indices = indices,
                                               .index_count = 6,
                                               .second_uv = second},
                                 &fixture.error);
    assert_int_not_equal(mesh.id, 0);
    CnModelPart part = {.mesh = mesh, .transform = cn_affine_identity()};
    CnModelDesc desc = {.name = "two sets", .parts = &part, .part_count = 1};
    assert_int_not_equal(cn_model_create(fixture.renderer, &desc, &fixture.error).id, 0);
}

/* Red on the left, green on the right. */
static CnMaterialDesc two_colors(void)
{
    uint8_t pixels[8] = {255, 0, 0, 255, 0, 255, 0, 255};
    CnImage image = {.width = 2, .height = 1, .pixels = pixels};
    CnTexture texture = cn_texture_create(
        fixture.renderer,
        &(CnTextureDesc){.name = "colors", .image = &image, .nearest = true, .no_mips = true},
        &fixture.error);
    assert_int_not_equal(texture.id, 0);
    return (CnMaterialDesc){.unlit = true, .textures = {[CN_TEXTURE_BASE_COLOR] = texture}};
}

static void a_texture_uses_the_set_it_selects(void **state)
{
    (void)state;
    FOR_PATHS(MAIN_PATHS)
    {
        begin(paths[path]);
        add_quad();
        add_thing("two sets", cn_vec3(0, 0, 0), 1);
        CnMaterialDesc desc = two_colors();
        assert_light(draw_middle(&desc), 1, 0, 0);
        desc.coordinates[CN_TEXTURE_BASE_COLOR].set = 1;
        assert_light(draw_middle(&desc), 0, 1, 0);
    }
}

static void a_transform_moves_the_coordinates_of_a_texture(void **state)
{
    (void)state;
    FOR_PATHS(MAIN_PATHS)
    {
        begin(paths[path]);
        add_quad();
        add_thing("two sets", cn_vec3(0, 0, 0), 1);
        CnMaterialDesc desc = two_colors();
        desc.coordinates[CN_TEXTURE_BASE_COLOR].offset.x = 0.5f;
        assert_light(draw_middle(&desc), 0, 1, 0);
        desc.coordinates[CN_TEXTURE_BASE_COLOR] = (CnTextureCoordinates){.scale = {3, 1}};
        assert_light(draw_middle(&desc), 0, 1, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_transmissive_pane_shows_what_is_behind),
        cmocka_unit_test(a_transmissive_pane_tints_what_is_behind),
        cmocka_unit_test(a_volume_attenuates_by_its_thickness_in_the_world),
        cmocka_unit_test(a_rough_pane_blurs_what_is_behind),
        cmocka_unit_test(the_nearest_transmissive_pane_is_shown),
        cmocka_unit_test(opaque_meshes_hide_transmissive_ones),
        cmocka_unit_test(dispersion_separates_colors),
        cmocka_unit_test(the_ior_determines_the_reflectance),
        cmocka_unit_test(specular_scales_and_tints_reflections),
        cmocka_unit_test(a_clear_coat_adds_a_highlight),
        cmocka_unit_test(sheen_brightens_edges_more_than_the_middle),
        cmocka_unit_test(anisotropy_stretches_highlights),
        cmocka_unit_test(a_thin_film_colors_reflections),
        cmocka_unit_test(a_thin_film_does_not_tint_what_is_below),
        cmocka_unit_test(masked_materials_with_layers_are_cut_out),
        cmocka_unit_test(a_texture_uses_the_set_it_selects),
        cmocka_unit_test(a_transform_moves_the_coordinates_of_a_texture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
