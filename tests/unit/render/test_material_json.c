/* Materials and pipelines of scene files: read as a whole, or refused with the line that is wrong.
 */
#include "render_fixture.h"
#include "scratch.h"

#include <cairn/scene/file.h>
#include <cairn/scene/object.h>

#include <jansson.h>
#include <stdlib.h>

static RenderFixture fixture;
static Scratch scratch;

static int make(void **state)
{
    (void)state;
    scratch_init(&scratch);
    if (!render_fixture_init_with(&fixture, RENDER_NULL,
                                  &(CnRendererDesc){.files = cn_native_files()}))
        return -1;
    return cn_preset_forward(fixture.renderer, &(CnRenderOptions){0}, NULL, &fixture.error) ? 0
                                                                                            : -1;
}

static int drop(void **state)
{
    (void)state;
    render_fixture_fini(&fixture);
    scratch_fini(&scratch);
    return 0;
}

#define JSON_TEST(name) cmocka_unit_test_setup_teardown(name, make, drop)

static bool read_both(const char *materials, const char *pipelines)
{
    fixture.error = (CnError){0};
    return cn_materials_read(fixture.renderer, "scene.json", cn_text(materials), cn_text(pipelines),
                             &fixture.error);
}

static void check_refused(const char *materials, int line, int column, const char *message)
{
    assert_false(read_both(materials, ""));
    assert_string_equal(fixture.error.file, "scene.json");
    assert_int_equal(fixture.error.line, line);
    assert_int_equal(fixture.error.column, column);
    if (!strstr(fixture.error.message, message))
        fail_msg("%s", fixture.error.message);
    assert_int_equal(cn_material_find(fixture.renderer, "A").id, 0);
}

static const char *write_surface(const char *glsl)
{
    const char *path = scratch_path(&scratch, "glow.glsl");
    assert_true(cn_file_write_all(cn_native_files(), path, glsl, strlen(glsl), &fixture.error));
    return path;
}

static bool read_glow(const char *glsl)
{
    char pipelines[512];
    cn_format(pipelines, sizeof pipelines, "[{\"id\": \"Glow\", \"surface\": \"%s\"}]",
              write_surface(glsl));
    return read_both("[{\"id\": \"A\", \"pipeline\": \"Glow\"}]", pipelines);
}

static void a_material_has_the_extensions_its_file_says(void **state)
{
    (void)state;
    assert_true(read_both(
        "[{\"id\": \"Glass\", \"ior\": 1.4, \"specular\": 0, \"clearcoat\": 0.5, \"sheenColor\": [1, "
        "0.5, 0.25], \"anisotropy\": 0.75, \"iridescence\": 1, \"transmission\": 0.9, \"thickness\": "
        "2, \"attenuationColor\": [0, 1, 0], \"attenuationDistance\": 3, \"dispersion\": 0.5, "
        "\"occlusionStrength\": 0.25}]",
        ""));
    CnMaterialDesc desc =
        cn_material_get(fixture.renderer, cn_material_find(fixture.renderer, "Glass"));
    const CnMaterialExtensions *e = &desc.extensions;
    assert_true(e->ior == 1.4f && e->specular > 0 && e->specular < 1e-4f && e->clearcoat == 0.5f);
    assert_true(e->sheen_color.y == 0.5f && e->anisotropy == 0.75f && e->iridescence == 1);
    assert_true(e->transmission == 0.9f && e->thickness == 2 && e->attenuation_color.y == 1);
    assert_true(e->attenuation_color.x < 1e-4f && e->attenuation_distance == 3);
    assert_true(e->dispersion == 0.5f && desc.occlusion_strength == 0.25f);
}

static void a_texture_has_the_coordinates_its_file_says(void **state)
{
    (void)state;
    assert_true(
        read_both("[{\"id\": \"A\", \"clearcoatNormalUv\": [1, 0.5, 0.25, 2, 3, -1]}]", ""));
    CnMaterialDesc desc =
        cn_material_get(fixture.renderer, cn_material_find(fixture.renderer, "A"));
    const CnTextureCoordinates *uv = &desc.coordinates[CN_TEXTURE_CLEARCOAT_NORMAL];
    assert_true(uv->set == 1 && uv->offset.x == 0.5f && uv->offset.y == 0.25f);
    assert_true(uv->scale.x == 2 && uv->scale.y == 3 && uv->rotation == -1);
    assert_true(desc.coordinates[CN_TEXTURE_NORMAL].scale.x == 1);
}

static void a_third_set_of_coordinates_is_refused(void **state)
{
    (void)state;
    check_refused("[{\"id\": \"A\", \"baseColorUv\": [2]}]", 1, 14, "must be 0 or 1");
}

static void an_extension_out_of_range_is_refused(void **state)
{
    (void)state;
    check_refused("[{\"id\": \"A\", \"ior\": 0.5}]", 1, 14, "ior");
}

static void a_material_has_what_its_file_says(void **state)
{
    (void)state;
    assert_true(
        read_both("[{\"id\": \"Gold\", \"baseColor\": [1, 0.5, 0.25], \"metallic\": 1,\n"
                  "  \"roughness\": 0.25, \"emissive\": [0, 1, 2], \"normalScale\": 2,\n"
                  "  \"alphaMode\": \"Mask\", \"alphaCutoff\": 0.75, \"doubleSided\": true,\n"
                  "  \"unlit\": true, \"uvScale\": [2, 3],\n"
                  "  \"baseColorTexture\": \"scenes/models/box.png\"}]",
                  ""));
    CnMaterialDesc gold =
        cn_material_get(fixture.renderer, cn_material_find(fixture.renderer, "Gold"));
    assert_true(gold.base_color.y == 0.5f && gold.base_color.w == 1 && gold.metallic == 1);
    assert_true(gold.roughness == 0.25f && gold.emissive.z == 2 && gold.normal_scale == 2);
    assert_true(gold.alpha_mode == CN_ALPHA_MASK && gold.alpha_cutoff == 0.75f);
    assert_true(gold.double_sided && gold.unlit && gold.uv_scale.y == 3);
    assert_true(gold.textures[CN_TEXTURE_BASE_COLOR].id != 0);
    assert_int_equal(gold.textures[CN_TEXTURE_NORMAL].id, 0);
}

static void nothing_is_fine(void **state)
{
    (void)state;
    assert_true(read_both("", ""));
    assert_true(read_both("[]", " \n"));
}

static void one_of_the_same_name_is_replaced(void **state)
{
    (void)state;
    assert_true(read_both("[{\"id\": \"A\", \"metallic\": 1}]", ""));
    CnMaterial a = cn_material_find(fixture.renderer, "A");
    assert_true(read_both("[{\"id\": \"A\", \"roughness\": 0.5}]", ""));
    assert_int_equal(cn_material_find(fixture.renderer, "A").id, a.id);
    CnMaterialDesc desc = cn_material_get(fixture.renderer, a);
    assert_true(desc.metallic == 0 && desc.roughness == 0.5f);
}

static void an_unknown_key_is_refused(void **state)
{
    (void)state;
    check_refused("[{\"id\": \"A\"},\n {\"id\": \"B\",\n  \"colour\": [1, 1, 1]}]", 3, 3,
                  "unknown key \"colour\"");
}

static void a_key_of_another_type_is_refused(void **state)
{
    (void)state;
    check_refused("[{\"id\": \"A\",\n \"metallic\": \"very\"}]", 2, 2,
                  "\"metallic\" must be a number from 0 to 1");
}

static void a_number_out_of_range_is_refused(void **state)
{
    (void)state;
    check_refused("[{\"id\": \"A\", \"roughness\": 1.5}]", 1, 14, "from 0 to 1");
}

static void a_list_of_another_length_is_refused(void **state)
{
    (void)state;
    check_refused("[{\"id\": \"A\", \"emissive\": [1, 1]}]", 1, 14, "3 numbers");
}

static void an_unknown_choice_is_refused_with_those_there_are(void **state)
{
    (void)state;
    check_refused("[{\"id\": \"A\", \"alphaMode\": \"Clip\"}]", 1, 14,
                  "one of Opaque, Mask, Blend");
}

static void a_material_without_an_id_is_refused(void **state)
{
    (void)state;
    check_refused("[{\"id\": \"A\"},\n {\"metallic\": 1}]", 2, 2, "\"id\" is missing");
}

static void two_of_one_name_are_refused(void **state)
{
    (void)state;
    check_refused("[{\"id\": \"A\"},\n {\"id\": \"A\"}]", 2, 3, "A already");
}

static void what_is_no_list_is_refused(void **state)
{
    (void)state;
    check_refused("{\"id\": \"A\"}", 1, 1, "expected a list");
    check_refused("[{\"id\": \"A\",}]", 1, 13, "");
    check_refused("[1]", 1, 2, "expected an object");
}

static void a_texture_that_is_not_there_is_refused(void **state)
{
    (void)state;
    check_refused("[{\"id\": \"A\",\n \"normalTexture\": \"nowhere.png\"}]", 2, 2, "nowhere.png");
}

static void a_pipeline_that_is_not_there_is_refused(void **state)
{
    (void)state;
    check_refused("[{\"id\": \"A\",\n \"pipeline\": \"Glow\"}]", 2, 2,
                  "pipeline Glow does not exist");
}

static void nothing_is_changed_when_something_is_wrong(void **state)
{
    (void)state;
    assert_true(read_both("[{\"id\": \"B\", \"metallic\": 1}]", ""));
    CnRendererStats before = cn_renderer_stats(fixture.renderer);
    check_refused("[{\"id\": \"A\", \"baseColorTexture\": \"scenes/models/box.png\"},\n"
                  " {\"id\": \"B\", \"metallic\": 0.5},\n"
                  " {\"id\": \"C\", \"baseColorTexture\": \"nowhere.png\"}]",
                  3, 14, "nowhere.png");
    CnRendererStats after = cn_renderer_stats(fixture.renderer);
    assert_int_equal(before.textures, after.textures);
    assert_int_equal(before.materials, after.materials);
    CnMaterial b = cn_material_find(fixture.renderer, "B");
    assert_true(cn_material_get(fixture.renderer, b).metallic == 1);
}

/* The schema is of scene, which does not know the renderer: both must have the same keys. */
static void the_schema_has_all_keys(void **state)
{
    (void)state;
    static const char *const keys[] = {
        "baseColor",     "metallic",         "roughness",
        "emissive",      "normalScale",      "alphaMode",
        "alphaCutoff",   "doubleSided",      "unlit",
        "uvScale",       "baseColorTexture", "metallicRoughnessTexture",
        "normalTexture", "occlusionTexture", "emissiveTexture",
        "pipeline",      "surface",          "cull",
        "blend",         "depthWrite"};
    CnWorld *world = cn_world_create(NULL, NULL);
    CnTextBuilder schema;
    cn_array_init(&schema, NULL);
    assert_true(cn_object_add(world, NULL) && cn_presentation_add(world, NULL) &&
                cn_scene_schema(world, &schema, NULL));
    for (uint32_t i = 0; i < CN_COUNT_OF(keys); i++) {
        char quoted[64], one[128];
        cn_format(quoted, sizeof quoted, "\"%s\": {", keys[i]);
        assert_non_null(strstr(schema.items, quoted));
        /* And it is read: as a key of another type, not as one that is unknown. */
        cn_format(one, sizeof one, "[{\"id\": \"A\", \"%s\": null}]", keys[i]);
        assert_false(i < 16 ? read_both(one, "") : read_both("", one));
        assert_non_null(strstr(fixture.error.message, "must be"));
    }
    cn_array_fini(&schema);
    cn_world_destroy(world);
}

/* ---- Pipelines ---- */

static const char good[] = "void surface(inout Surface s)\n{\n    s.emission += vec3(1.0);\n}\n";
static const char bad[] = "void surface(inout Surface s)\n{\n    s.emission += glow;\n}\n";

static void a_surface_of_ones_own_is_compiled(void **state)
{
    (void)state;
    assert_true(read_glow(good));
    CnMaterialDesc desc =
        cn_material_get(fixture.renderer, cn_material_find(fixture.renderer, "A"));
    assert_string_equal(desc.pipeline, "Glow");
}

static void an_error_of_a_surface_has_its_line(void **state)
{
    (void)state;
    assert_false(read_glow(bad));
    assert_int_equal(fixture.error.line, 3);
    assert_non_null(strstr(fixture.error.file, "glow.glsl"));
    assert_non_null(strstr(fixture.error.message, "glow"));
    assert_int_equal(cn_material_find(fixture.renderer, "A").id, 0);
}

static void assert_surface_refused(const char *glsl, const char *message)
{
    assert_false(read_glow(glsl));
    if (!strstr(fixture.error.message, message))
        fail_msg("%s", fixture.error.message);
}

static void a_surface_that_includes_itself_is_refused(void **state)
{
    (void)state;
    assert_surface_refused("#include \"surface_user.glsl\"\n#include \"surface_user.glsl\"\n",
                           "includes are more than 16 levels deep");
}

static void includes_of_a_surface_stay_in_the_shader_folder(void **state)
{
    (void)state;
    assert_surface_refused("#include \"../../../../../../etc/passwd\"\n",
                           "below the shader folder");
    assert_surface_refused("#include \"/etc/passwd\"\n", "below the shader folder");
    assert_surface_refused("#include \"render/../../../etc/passwd\"\n", "below the shader folder");
    assert_surface_refused("#include \"./render/core/scene.glsl\"\n", "below the shader folder");
}

static void a_surface_that_does_not_compile_leaves_the_old_one(void **state)
{
    (void)state;
    assert_true(read_glow(good));
    assert_false(read_glow(bad));
    assert_true(read_both("[{\"id\": \"B\", \"pipeline\": \"Glow\"}]", ""));
}

static void a_surface_that_is_saved_is_compiled_again(void **state)
{
    (void)state;
    assert_true(read_glow(good));
    assert_int_equal(cn_renderer_reload_shaders(fixture.renderer), 0);
    write_surface("void surface(inout Surface s)\n{\n    s.albedo = vec3(1.0, 0.0, 0.0);\n}\n");
    assert_int_equal(cn_renderer_reload_shaders(fixture.renderer), 1);
    assert_string_equal(cn_renderer_shader_error(fixture.renderer), "");
}

static void a_saved_surface_that_does_not_compile_is_reported(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    assert_true(read_glow(good));
    write_surface(bad);
    assert_int_equal(cn_renderer_reload_shaders(fixture.renderer), 0);
    assert_non_null(strstr(cn_renderer_shader_error(fixture.renderer), "glow.glsl:3"));
    write_surface(good);
    assert_int_equal(cn_renderer_reload_shaders(fixture.renderer), 1);
    assert_string_equal(cn_renderer_shader_error(fixture.renderer), "");
}

static void a_pipeline_without_a_surface_is_refused(void **state)
{
    (void)state;
    assert_false(read_both("", "[{\"id\": \"Glow\"}]"));
    assert_non_null(strstr(fixture.error.message, "\"surface\" is missing"));
}

/* ---- Texts that a parser turns into much more memory ---- */

static uint32_t parser_allocations;

static void *count_malloc(size_t bytes)
{
    parser_allocations++;
    return malloc(bytes);
}

static void check_refused_before_it_is_parsed(const char *part, const char *repeated, size_t bytes,
                                              bool as_materials)
{
    CnTextBuilder text;
    cn_array_init(&text, NULL);
    cn_text_append(&text, cn_text(part));
    while (text.count < bytes)
        cn_text_append(&text, cn_text(repeated));
    cn_text_append(&text, (CnText){"", 1});
    parser_allocations = 0;
    json_set_alloc_funcs(count_malloc, free);
    bool done = read_both(as_materials ? text.items : "", as_materials ? "" : text.items);
    json_set_alloc_funcs(malloc, free);
    cn_array_fini(&text);
    assert_false(done);
    assert_int_equal(fixture.error.code, CN_ERROR_LIMIT);
    assert_non_null(strstr(fixture.error.message, "would take more than 64 MiB of memory, or are "
                                                  "nested more than 64 deep"));
    assert_string_equal(fixture.error.file, "scene.json");
    assert_int_equal(parser_allocations, 0);
}

static void a_flood_of_materials_is_refused_before_it_is_parsed(void **state)
{
    (void)state;
    check_refused_before_it_is_parsed("[{}", ",{}", 8u << 20, true);
    check_refused_before_it_is_parsed("[0", ",0", 8u << 20, true);
}

static void a_flood_of_pipelines_is_refused_before_it_is_parsed(void **state)
{
    (void)state;
    check_refused_before_it_is_parsed("[{}", ",{}", 8u << 20, false);
}

static void deeply_nested_materials_are_refused_before_they_are_parsed(void **state)
{
    (void)state;
    check_refused_before_it_is_parsed("[", "[", 65, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        JSON_TEST(a_material_has_what_its_file_says),
        JSON_TEST(a_material_has_the_extensions_its_file_says),
        JSON_TEST(a_texture_has_the_coordinates_its_file_says),
        JSON_TEST(a_third_set_of_coordinates_is_refused),
        JSON_TEST(an_extension_out_of_range_is_refused),
        JSON_TEST(nothing_is_fine),
        JSON_TEST(one_of_the_same_name_is_replaced),
        JSON_TEST(an_unknown_key_is_refused),
        JSON_TEST(a_key_of_another_type_is_refused),
        JSON_TEST(a_number_out_of_range_is_refused),
        JSON_TEST(a_list_of_another_length_is_refused),
        JSON_TEST(an_unknown_choice_is_refused_with_those_there_are),
        JSON_TEST(a_material_without_an_id_is_refused),
        JSON_TEST(two_of_one_name_are_refused),
        JSON_TEST(what_is_no_list_is_refused),
        JSON_TEST(a_texture_that_is_not_there_is_refused),
        JSON_TEST(a_pipeline_that_is_not_there_is_refused),
        JSON_TEST(nothing_is_changed_when_something_is_wrong),
        JSON_TEST(the_schema_has_all_keys),
        JSON_TEST(a_surface_of_ones_own_is_compiled),
        JSON_TEST(an_error_of_a_surface_has_its_line),
        JSON_TEST(a_surface_that_includes_itself_is_refused),
        JSON_TEST(includes_of_a_surface_stay_in_the_shader_folder),
        JSON_TEST(a_surface_that_does_not_compile_leaves_the_old_one),
        JSON_TEST(a_surface_that_is_saved_is_compiled_again),
        JSON_TEST(a_saved_surface_that_does_not_compile_is_reported),
        JSON_TEST(a_pipeline_without_a_surface_is_refused),
        JSON_TEST(a_flood_of_materials_is_refused_before_it_is_parsed),
        JSON_TEST(a_flood_of_pipelines_is_refused_before_it_is_parsed),
        JSON_TEST(deeply_nested_materials_are_refused_before_they_are_parsed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
