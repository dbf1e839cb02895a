/* glTF files as they are drawn, on a Vulkan device with validation: samplers, mirrored nodes, and
 * materials and nodes that clips change. */
#include "glb_import.h"
#include "render_fixture.h"
#include "scratch.h"

#define FLOATS(count, type) "'componentType': 5126, 'count': " #count ", 'type': '" type "'"

typedef struct Drawn {
    RenderFixture fixture;
    Scratch scratch;
    CnRenderItem *item;
} Drawn;

/* Accessors 0 to 2: a square from -1 to 1 in x and y with normals along z and texture coordinates
 * from -1 to 2. */
static void add_square(GlbBuilder *builder)
{
    static const float positions[6][3] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0},
                                          {-1, -1, 0}, {1, 1, 0},  {-1, 1, 0}};
    static const float normals[6][3] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1},
                                        {0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
    static const float uvs[6][2] = {{-1, 2}, {2, 2}, {2, -1}, {-1, 2}, {2, -1}, {-1, -1}};
    glb_add(builder, positions, sizeof positions, 0, FLOATS(6, "VEC3"));
    glb_add(builder, normals, sizeof normals, 0, FLOATS(6, "VEC3"));
    glb_add(builder, uvs, sizeof uvs, 0, FLOATS(6, "VEC2"));
}

#define SQUARE                                                                                     \
    "'meshes': [{'primitives': [{'attributes': {'POSITION': 0, 'NORMAL': 1, 'TEXCOORD_0': 2}, "    \
    "'material': 0}]}], "

/* Draws the model from 4 m, with light from the camera. Returns false if there is no device. */
static bool begin(Drawn *drawn, const GlbBuilder *builder, const char *keys)
{
    scratch_init(&drawn->scratch);
    if (!render_fixture_init_with(&drawn->fixture, RENDER_VULKAN,
                                  &(CnRendererDesc){.files = cn_native_files()})) {
        scratch_fini(&drawn->scratch);
        return false;
    }
    RenderFixture *fixture = &drawn->fixture;
    const char *path = scratch_path(&drawn->scratch, "m.glb");
    assert_true(glb_write(builder, keys, path, &fixture->error));
    render_fixture_add(fixture, &cn_feature_forward, NULL);
    render_fixture_add(fixture, &cn_feature_tone_map, NULL);
    drawn->item = render_fixture_item(fixture, path, NULL, cn_vec3(0, 0, 0), 1);
    render_fixture_camera(fixture, cn_vec3(0, 0, 4), cn_vec3(0, 0, 0), 40);
    render_fixture_sun(fixture, cn_vec3(0, 0, -1), cn_vec3(3, 3, 3));
    return true;
}

static void end(Drawn *drawn)
{
    render_fixture_fini(&drawn->fixture);
    scratch_fini(&drawn->scratch);
}

/* Returns the brightness of a color, 0 to 2, at a place of the square from -1 to 1. */
static uint8_t color_at(const Drawn *drawn, uint32_t color, float x, float y)
{
    float pixels = 180 / (2 * 4 * 0.36397f); /* per meter */
    return render_fixture_pixel(&drawn->fixture, (uint32_t)(160 + x * pixels),
                                (uint32_t)(90 - y * pixels))[color];
}

/* ---- Samplers ---- */

/* Adds an image of 2 x 1 pixels, red and green. */
static void add_image(GlbBuilder *builder)
{
    static const uint8_t pixels[] = {255, 0, 0, 255, 0, 255, 0, 255};
    CnImage image = {.width = 2, .height = 1};
    CnFileBytes png;
    CnError error = {0};
    Scratch scratch;
    image.pixels = cn_alloc(NULL, sizeof pixels);
    memcpy(image.pixels, pixels, sizeof pixels);
    scratch_init(&scratch);
    assert_true(cn_image_write(&image, cn_native_files(), scratch_path(&scratch, "a.png"), &error));
    assert_true(
        cn_file_read_all(cn_native_files(), scratch_path(&scratch, "a.png"), NULL, &png, &error));
    glb_add(builder, png.data, png.size, 0, "'componentType': 5121, 'count': 1, 'type': 'SCALAR'");
    cn_file_bytes_free(&png);
    cn_image_free(&image);
    scratch_fini(&scratch);
}

/* Checks the colors in the middle of each half of the image: u from -1 to 2. */
static void check_colors(const Drawn *drawn, const char *keys, const char *expected)
{
    for (uint32_t i = 0; i < 6; i++) {
        float x = -1 + ((float)i + 0.5f) / 3;
        bool is_red = color_at(drawn, 0, x, 0) > color_at(drawn, 1, x, 0);
        if (is_red != (expected[i] == 'r'))
            fail_msg("%s: the color at %u is %s", keys, i, is_red ? "red" : "green");
    }
}

/* The image as it is around its borders. */
static void check_wrap(const char *keys, const char *expected)
{
    Drawn drawn;
    GlbBuilder builder = {0};
    char text[1024];
    add_square(&builder);
    add_image(&builder);
    cn_format(text, sizeof text,
              "'images': [{'bufferView': 3, 'mimeType': 'image/png'}], 'samplers': [{'magFilter': "
              "9728, 'minFilter': 9728, %s}], 'textures': [{'source': 0, 'sampler': 0}], "
              "'materials': [{'extensions': {'KHR_materials_unlit': {}}, 'pbrMetallicRoughness': "
              "{'baseColorTexture': {'index': 0}}}], %s'nodes': [{'mesh': 0}]",
              keys, SQUARE);
    if (!begin(&drawn, &builder, text))
        return;
    render_fixture_draw(&drawn.fixture, 2);
    check_colors(&drawn, keys, expected);
    end(&drawn);
}

static void a_texture_repeats(void **state)
{
    (void)state;
    check_wrap("'wrapS': 10497", "rgrgrg");
}

static void a_texture_is_clamped(void **state)
{
    (void)state;
    check_wrap("'wrapS': 33071", "rrrggg");
}

static void a_texture_is_mirrored(void **state)
{
    (void)state;
    check_wrap("'wrapS': 33648", "grrggr");
}

/* ---- Mirrored nodes ---- */

/* A mirrored square has its other side in front. */
static void check_mirrored(const char *material, const char *scale, bool is_lit)
{
    Drawn drawn;
    GlbBuilder builder = {0};
    char text[1024];
    add_square(&builder);
    cn_format(text, sizeof text, "'materials': [{%s}], %s'nodes': [{'mesh': 0, 'scale': [%s]}]",
              material, SQUARE, scale);
    if (!begin(&drawn, &builder, text))
        return;
    render_fixture_draw(&drawn.fixture, 2);
    if (is_lit != (color_at(&drawn, 1, 0, 0) > 100))
        fail_msg("%s with scale %s has brightness %u", material, scale, color_at(&drawn, 1, 0, 0));
    end(&drawn);
}

static void one_sided_materials_are_drawn_in_mirrored_nodes(void **state)
{
    (void)state;
    check_mirrored("'pbrMetallicRoughness': {'metallicFactor': 0}", "1, 1, 1", true);
    check_mirrored("'pbrMetallicRoughness': {'metallicFactor': 0}", "-1, 1, 1", true);
    check_mirrored("'pbrMetallicRoughness': {'metallicFactor': 0}", "1, 1, -1", false);
}

static void double_sided_materials_are_lit_in_mirrored_nodes(void **state)
{
    (void)state;
    check_mirrored("'doubleSided': true, 'pbrMetallicRoughness': {'metallicFactor': 0}", "-1, 1, 1",
                   true);
    check_mirrored("'doubleSided': true, 'pbrMetallicRoughness': {'metallicFactor': 0}", "1, 1, -1",
                   true);
}

/* ---- Clips ---- */

#define CHANNEL(pointer)                                                                           \
    "'animations': [{'samplers': [{'input': 3, 'output': 4}], 'channels': [{'sampler': 0, "        \
    "'target': {'path': 'pointer', 'extensions': {'KHR_animation_pointer': {'pointer': '" pointer  \
    "'}}}}]}], "
#define UNLIT "'materials': [{'extensions': {'KHR_materials_unlit': {}}}], "

static void draw_at(Drawn *drawn, double seconds)
{
    drawn->item->value = cn_animation_value(0, seconds);
    render_fixture_draw(&drawn->fixture, 1);
}

static void a_clip_changes_the_color_of_an_item_only(void **state)
{
    (void)state;
    static const float times[3] = {0, 1, 9},
                       colors[3][4] = {{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 1, 0, 1}};
    Drawn drawn;
    GlbBuilder builder = {0};
    add_square(&builder);
    glb_add(&builder, times, sizeof times, 0, FLOATS(3, "SCALAR"));
    glb_add(&builder, colors, sizeof colors, 0, FLOATS(3, "VEC4"));
    if (!begin(&drawn, &builder,
               UNLIT SQUARE CHANNEL(
                   "/materials/0/pbrMetallicRoughness/baseColorFactor") "'nodes': [{'mesh': 0}]"))
        return;
    drawn.item->position.x = -1;
    render_fixture_item(&drawn.fixture, scratch_path(&drawn.scratch, "m.glb"), NULL,
                        cn_vec3(1, 0, 0), 1)
        ->value = cn_animation_value(0, 0);
    draw_at(&drawn, 2);
    assert_true(color_at(&drawn, 1, -0.5f, 0) > 100 && color_at(&drawn, 0, -0.5f, 0) < 50);
    assert_true(color_at(&drawn, 0, 0.5f, 0) > 100 && color_at(&drawn, 1, 0.5f, 0) < 50);
    end(&drawn);
}

static void a_clip_hides_and_shows_a_node(void **state)
{
    (void)state;
    static const float times[3] = {0, 1, 9}, visible[3] = {1, 0, 0};
    Drawn drawn;
    GlbBuilder builder = {0};
    add_square(&builder);
    glb_add(&builder, times, sizeof times, 0, FLOATS(3, "SCALAR"));
    glb_add(&builder, visible, sizeof visible, 0, FLOATS(3, "SCALAR"));
    if (!begin(&drawn, &builder,
               UNLIT SQUARE CHANNEL(
                   "/nodes/0/extensions/KHR_node_visibility/visible") "'nodes': [{'mesh': 0}]"))
        return;
    draw_at(&drawn, 0);
    assert_true(color_at(&drawn, 1, 0, 0) > 100);
    draw_at(&drawn, 2);
    assert_true(color_at(&drawn, 1, 0, 0) < 50);
    draw_at(&drawn, 0);
    assert_true(color_at(&drawn, 1, 0, 0) > 100);
    end(&drawn);
}

static void a_clip_moves_a_texture(void **state)
{
    (void)state;
    static const float times[3] = {0, 1, 9}, offsets[3][2] = {{0, 0}, {0.5f, 0}, {0.5f, 0}};
    Drawn drawn;
    GlbBuilder builder = {0};
    add_square(&builder);
    glb_add(&builder, times, sizeof times, 0, FLOATS(3, "SCALAR"));
    glb_add(&builder, offsets, sizeof offsets, 0, FLOATS(3, "VEC2"));
    add_image(&builder);
    if (!begin(&drawn, &builder,
               CHANNEL("/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/"
                       "KHR_texture_transform/offset") SQUARE
               "'images': [{'bufferView': 5, 'mimeType': 'image/png'}], 'samplers': "
               "[{'magFilter': 9728, 'minFilter': 9728}], 'textures': [{'source': 0, "
               "'sampler': 0}], 'materials': [{'extensions': {'KHR_materials_unlit': "
               "{}}, 'pbrMetallicRoughness': {'baseColorTexture': {'index': 0}}}], "
               "'nodes': [{'mesh': 0}]"))
        return;
    render_fixture_draw(&drawn.fixture, 2); /* until the texture is loaded */
    draw_at(&drawn, 0);
    check_colors(&drawn, "before", "rgrgrg");
    draw_at(&drawn, 2);
    check_colors(&drawn, "after", "grgrgr");
    end(&drawn);
}

static void a_clip_adds_a_clear_coat(void **state)
{
    (void)state;
    static const float times[3] = {0, 1, 9}, strengths[3] = {0, 1, 1};
    Drawn drawn;
    GlbBuilder builder = {0};
    add_square(&builder);
    glb_add(&builder, times, sizeof times, 0, FLOATS(3, "SCALAR"));
    glb_add(&builder, strengths, sizeof strengths, 0, FLOATS(3, "SCALAR"));
    if (!begin(&drawn, &builder,
               CHANNEL("/materials/0/extensions/KHR_materials_clearcoat/clearcoatFactor") SQUARE
               "'materials': [{'extensions': {'KHR_materials_clearcoat': "
               "{'clearcoatRoughnessFactor': 0.4}}, 'pbrMetallicRoughness': "
               "{'baseColorFactor': [0, 0, 0, 1], 'metallicFactor': 0}}], "
               "'nodes': [{'mesh': 0}]"))
        return;
    draw_at(&drawn, 0);
    uint8_t before = color_at(&drawn, 1, 0, 0);
    draw_at(&drawn, 2);
    assert_true(color_at(&drawn, 1, 0, 0) > before + 50);
    draw_at(&drawn, 0);
    assert_int_equal(color_at(&drawn, 1, 0, 0), before);
    end(&drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_texture_repeats),
        cmocka_unit_test(a_texture_is_clamped),
        cmocka_unit_test(a_texture_is_mirrored),
        cmocka_unit_test(one_sided_materials_are_drawn_in_mirrored_nodes),
        cmocka_unit_test(double_sided_materials_are_lit_in_mirrored_nodes),
        cmocka_unit_test(a_clip_changes_the_color_of_an_item_only),
        cmocka_unit_test(a_clip_hides_and_shows_a_node),
        cmocka_unit_test(a_clip_moves_a_texture),
        cmocka_unit_test(a_clip_adds_a_clear_coat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
