/* Models of files and their materials, as they are drawn by the forward preset. */
#include "golden_image.h"

static RenderFixture fixture;

static bool begin(CnVec3 from, CnVec3 to, float fov)
{
    CnRendererDesc desc = {.files = cn_native_files()};
    if (!render_fixture_init_with(&fixture, RENDER_VULKAN, &desc))
        return false;
    CnRenderOptions options = {.sky = {.kind = CN_SKY_COLOR, .color = {0.12f, 0.17f, 0.25f}}};
    assert_true(cn_preset_forward(fixture.renderer, &options, NULL, &fixture.error));
    render_fixture_camera(&fixture, from, to, fov);
    render_fixture_sun(&fixture, cn_vec3(-0.6f, -1, -0.7f), cn_vec3(3, 2.8f, 2.5f));
    return true;
}

static void end(const char *name)
{
    render_fixture_draw(&fixture, 2);
    assert_golden_image(name, &fixture);
    render_fixture_fini(&fixture);
}

static void a_box_of_a_gltf(void **state)
{
    (void)state;
    if (!begin(cn_vec3(1.3f, 1.5f, 1.8f), cn_vec3(0, 0.5f, 0), 40))
        return;
    render_fixture_item(&fixture, "scenes/models/box.gltf", NULL, cn_vec3(0, 0, 0), 1);
    end("model_box");
}

static void a_crate_of_an_obj(void **state)
{
    (void)state;
    if (!begin(cn_vec3(1.3f, 1.5f, 1.8f), cn_vec3(0, 0.5f, 0), 40))
        return;
    render_fixture_item(&fixture, "scenes/models/crate.obj", NULL, cn_vec3(0, 0, 0), 1);
    end("model_crate");
}

static void a_part_of_an_obj(void **state)
{
    (void)state;
    if (!begin(cn_vec3(1.3f, 1.5f, 1.8f), cn_vec3(0, 0.5f, 0), 40))
        return;
    render_fixture_item(&fixture, "scenes/models/crate.obj#Frame", NULL, cn_vec3(0, 0, 0), 1);
    end("model_part");
}

static void draw_columns(const char *name, double seconds)
{
    if (!begin(cn_vec3(0, 3.2f, 9), cn_vec3(0, 2, 0), 40))
        return;
    for (uint32_t i = 0; i < 3; i++) {
        CnRenderItem *item = render_fixture_item(&fixture, "scenes/models/column.glb", NULL,
                                                 cn_vec3((float)i * 3.6f - 3.6f, 0, 0), 1);
        item->value = i ? cn_animation_value(i - 1, seconds) : 0; /* at rest, Bend, Wave */
    }
    end(name);
}

static void columns_that_bend_and_wave(void **state)
{
    (void)state;
    draw_columns("model_column_early", 0.4);
}

static void columns_that_bend_and_wave_later(void **state)
{
    (void)state;
    draw_columns("model_column_late", 1.0);
}

static void a_lighthouse(void **state)
{
    (void)state;
    if (!begin(cn_vec3(4.2f, 4.4f, 7.5f), cn_vec3(0, 2.8f, 0), 42))
        return;
    render_fixture_item(&fixture, "scenes/models/lighthouse.glb", NULL, cn_vec3(0, 0, 0), 1);
    end("model_lighthouse");
}

static void the_head_of_a_lighthouse(void **state)
{
    (void)state;
    if (!begin(cn_vec3(1.3f, 5.3f, 2.4f), cn_vec3(0, 4.9f, 0), 40))
        return;
    CnRenderItem *item =
        render_fixture_item(&fixture, "scenes/models/lighthouse.glb", NULL, cn_vec3(0, 0, 0), 1);
    item->value = cn_animation_value(0, 1.0);
    end("model_lighthouse_head");
}

static void materials_from_rough_to_smooth_and_not_to_metal(void **state)
{
    (void)state;
    if (!begin(cn_vec3(0, 0, 9), cn_vec3(0, 0, 0), 34))
        return;
    for (uint32_t row = 0; row < 4; row++)
        for (uint32_t column = 0; column < 7; column++) {
            char name[32];
            cn_format(name, sizeof name, "M%u%u", row, column);
            CnMaterialDesc desc = {.name = name,
                                   .base_color = {0.9f, 0.55f, 0.25f, 1},
                                   .metallic = (float)row / 3,
                                   .roughness = 0.05f + (float)column * 0.95f / 6};
            assert_true(cn_material_create(fixture.renderer, &desc, &fixture.error).id);
            render_fixture_item(
                &fixture, "shapes://sphere", name,
                cn_vec3((float)column * 1.25f - 3.75f, 1.875f - (float)row * 1.25f, 0), 1.1f);
        }
    end("material_grid");
}

static CnTexture make_texture(bool linear, void (*pixel)(uint32_t x, uint32_t y, uint8_t *rgba))
{
    enum { SIZE = 64 };
    static uint8_t pixels[SIZE * SIZE * 4];
    for (uint32_t y = 0; y < SIZE; y++)
        for (uint32_t x = 0; x < SIZE; x++)
            pixel(x, y, pixels + (y * SIZE + x) * 4);
    CnImage image = {.width = SIZE, .height = SIZE, .pixels = pixels};
    CnTexture texture = cn_texture_create(
        fixture.renderer, &(CnTextureDesc){.name = "test", .image = &image, .linear = linear},
        &fixture.error);
    assert_true(texture.id != 0);
    return texture;
}

static void holes(uint32_t x, uint32_t y, uint8_t *rgba)
{
    int dx = (int)(x % 16) - 8, dy = (int)(y % 16) - 8;
    rgba[0] = 220;
    rgba[1] = (uint8_t)(60 + x * 2);
    rgba[2] = 60;
    rgba[3] = dx * dx + dy * dy < 25 ? 0 : 255;
}

/* Domes that stand out: lit from above on their upper halves. */
static void domes(uint32_t x, uint32_t y, uint8_t *rgba)
{
    float dx = ((float)(x % 16) - 7.5f) / 7.5f, dy = ((float)(y % 16) - 7.5f) / 7.5f;
    float r2 = dx * dx + dy * dy;
    float nx = r2 < 1 ? dx * 0.8f : 0, ny = r2 < 1 ? -dy * 0.8f : 0;
    rgba[0] = (uint8_t)(127.5f + nx * 127.5f);
    rgba[1] = (uint8_t)(127.5f + ny * 127.5f);
    rgba[2] = (uint8_t)(127.5f + cn_sqrtf(1 - nx * nx - ny * ny) * 127.5f);
    rgba[3] = 255;
}

static void stripes(uint32_t x, uint32_t y, uint8_t *rgba)
{
    (void)y;
    rgba[0] = x % 16 < 8 ? 255 : 0;
    rgba[1] = x % 16 < 8 ? 30 : 220;
    rgba[2] = x % 16 < 8 ? 255 : 0;
    rgba[3] = 255;
}

static void add_textured(const char *name, float x, CnMaterialDesc desc)
{
    desc.name = name;
    assert_true(cn_material_create(fixture.renderer, &desc, &fixture.error).id);
    render_fixture_item(&fixture, "shapes://cube", name, cn_vec3(x, 0, 0), 0.8f)->rotation =
        cn_quat_from_euler(cn_vec3(20, 30, 0));
}

/* From the left: alpha mask, two-sided mask, normal map, metallic and roughness, emissive, blended,
 * unlit. */
static void materials_with_textures(void **state)
{
    (void)state;
    if (!begin(cn_vec3(0, 0, 8), cn_vec3(0, 0, 0), 34))
        return;
    CnTexture mask = make_texture(false, holes), bumps = make_texture(true, domes);
    CnTexture bands = make_texture(true, stripes);
    add_textured(
        "Mask", -3.3f,
        (CnMaterialDesc){.roughness = 0.7f, .alpha_mode = CN_ALPHA_MASK, .textures = {mask}});
    add_textured("Cage", -2.2f,
                 (CnMaterialDesc){.alpha_mode = CN_ALPHA_MASK,
                                  .double_sided = true,
                                  .textures = {[CN_TEXTURE_BASE_COLOR] = mask}});
    add_textured("Bumps", -1.1f,
                 (CnMaterialDesc){.base_color = {0.6f, 0.6f, 0.65f, 1},
                                  .roughness = 0.5f,
                                  .textures = {[CN_TEXTURE_NORMAL] = bumps}});
    add_textured("Bands", 0,
                 (CnMaterialDesc){.metallic = 1,
                                  .roughness = 1,
                                  .textures = {[CN_TEXTURE_METALLIC_ROUGHNESS] = bands}});
    add_textured("Glow", 1.1f,
                 (CnMaterialDesc){.base_color = {0.1f, 0.1f, 0.1f, 1},
                                  .emissive = {1, 1, 1},
                                  .textures = {[CN_TEXTURE_EMISSIVE] = bands}});
    add_textured("Glass", 2.2f,
                 (CnMaterialDesc){.base_color = {0.2f, 0.9f, 0.4f, 0.4f},
                                  .roughness = 0.2f,
                                  .alpha_mode = CN_ALPHA_BLEND});
    add_textured("Plain", 3.3f,
                 (CnMaterialDesc){.unlit = true, .uv_scale = {2, 2}, .textures = {mask}});
    end("material_textures");
}

/* From the left: as the material says, painted by a surface, cut out by one, made to glow by one.
 */
static void surfaces_of_ones_own(void **state)
{
    (void)state;
    static const char *const surfaces[] = {
        "void surface(inout Surface s)\n{\n"
        "    s.albedo = mix(s.albedo, vec3(0.1, 0.3, 0.8), step(0.5, fract(s.world.y * 4.0)));\n}\n",
        "void surface(inout Surface s)\n{\n"
        "    s.alpha = step(0.35, fract(s.uv.x * 12.0));\n}\n",
        "void surface(inout Surface s)\n{\n"
        "    s.emission = vec3(2.0, 0.7, 0.1) * pow(1.0 - abs(s.normal.z), 2.0);\n}\n"};
    static const char *const names[] = {"Painted", "Cut out", "Glowing"};
    if (!begin(cn_vec3(0, 0, 6), cn_vec3(0, 0, 0), 30))
        return;
    CnMaterialDesc desc = {
        .name = "Plain", .base_color = {0.9f, 0.85f, 0.7f, 1}, .roughness = 0.5f};
    assert_true(cn_material_create(fixture.renderer, &desc, &fixture.error).id);
    render_fixture_item(&fixture, "shapes://sphere", "Plain", cn_vec3(-2.1f, 0, 0), 1.2f);
    for (uint32_t i = 0; i < 3; i++) {
        if (!cn_surface_register(fixture.renderer,
                                 &(CnSurfaceDesc){.name = names[i], .glsl = cn_text(surfaces[i])},
                                 &fixture.error))
            fail_msg("%s", fixture.error.message);
        desc.name = desc.pipeline = names[i];
        desc.alpha_mode = i == 1 ? CN_ALPHA_MASK : CN_ALPHA_OPAQUE;
        desc.double_sided = i == 1;
        assert_true(cn_material_create(fixture.renderer, &desc, &fixture.error).id);
        render_fixture_item(&fixture, "shapes://sphere", names[i],
                            cn_vec3((float)i * 1.4f - 0.7f, 0, 0), 1.2f);
    }
    end("material_surfaces");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_of_a_gltf),
        cmocka_unit_test(a_crate_of_an_obj),
        cmocka_unit_test(a_part_of_an_obj),
        cmocka_unit_test(columns_that_bend_and_wave),
        cmocka_unit_test(columns_that_bend_and_wave_later),
        cmocka_unit_test(a_lighthouse),
        cmocka_unit_test(the_head_of_a_lighthouse),
        cmocka_unit_test(materials_from_rough_to_smooth_and_not_to_metal),
        cmocka_unit_test(materials_with_textures),
        cmocka_unit_test(surfaces_of_ones_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
