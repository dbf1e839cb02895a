/* Textures and materials, without a device. */
#include "render_fixture.h"

#include "render/core/renderer_internal.h"

#include <math.h>

static RenderFixture fixture;

static int make(void **state)
{
    (void)state;
    return render_fixture_init_with(&fixture, RENDER_NULL,
                                    &(CnRendererDesc){.files = cn_native_files()})
               ? 0
               : -1;
}

static int drop(void **state)
{
    (void)state;
    render_fixture_fini(&fixture);
    return 0;
}

#define MATERIAL_TEST(name) cmocka_unit_test_setup_teardown(name, make, drop)
#define TEXTURE_PATH "scenes/models/box.png"

static CnMaterial create(const char *name)
{
    CnMaterial material = cn_material_create(
        fixture.renderer, &(CnMaterialDesc){.name = name, .metallic = 1}, &fixture.error);
    assert_true(material.id != 0);
    return material;
}

static void a_material_is_found_by_its_name(void **state)
{
    (void)state;
    CnMaterial gold = create("Gold");
    assert_int_equal(cn_material_find(fixture.renderer, "Gold").id, gold.id);
    assert_int_equal(cn_material_find(fixture.renderer, "Silver").id, 0);
}

static void each_of_the_most_materials_is_found_by_its_name(void **state)
{
    (void)state;
    static CnMaterial made[CN_MAX_MATERIALS - 1]; /* and the default material */
    char name[16];
    for (uint32_t i = 0; i < CN_COUNT_OF(made); i++) {
        cn_format(name, sizeof name, "m%u", i);
        made[i] = create(name);
    }
    for (uint32_t i = 0; i < CN_COUNT_OF(made); i += 2)
        cn_material_destroy(fixture.renderer, made[i]);
    for (uint32_t i = 0; i < CN_COUNT_OF(made); i++) {
        cn_format(name, sizeof name, "m%u", i);
        assert_int_equal(cn_material_find(fixture.renderer, name).id, i % 2 ? made[i].id : 0);
    }
}

static void the_name_of_a_destroyed_material_is_free(void **state)
{
    (void)state;
    cn_material_destroy(fixture.renderer, create("Gold"));
    CnMaterial gold = create("Gold");
    assert_int_equal(cn_material_find(fixture.renderer, "Gold").id, gold.id);
}

static void a_material_without_a_name_is_not_found(void **state)
{
    (void)state;
    create(NULL);
    assert_int_equal(cn_material_find(fixture.renderer, "").id, 0);
}

static void a_name_is_taken_once(void **state)
{
    (void)state;
    create("Gold");
    assert_int_equal(
        cn_material_create(fixture.renderer, &(CnMaterialDesc){.name = "Gold"}, &fixture.error).id,
        0);
    assert_int_equal(fixture.error.code, CN_ERROR_EXISTS);
    assert_non_null(strstr(fixture.error.message, "Gold"));
}

static void zeros_mean_what_the_manual_says(void **state)
{
    (void)state;
    CnMaterial plain = cn_material_create(fixture.renderer, &(CnMaterialDesc){0}, &fixture.error);
    const CniRenderMaterialData *data =
        &cni_render_material_at(fixture.renderer, cn_slot_index(plain.id))->data;
    assert_true(data->base_color.x == 1 && data->base_color.w == 1 && data->roughness == 1);
    assert_true(data->normal_scale == 1 && data->alpha_cutoff == 0.5f && data->uv_scale.x == 1);
    assert_int_equal(data->flags, 0);
}

static void roughness_is_at_least_what_shaders_can_do(void **state)
{
    (void)state;
    CnMaterial smooth =
        cn_material_create(fixture.renderer, &(CnMaterialDesc){.roughness = 0.001f}, NULL);
    assert_true(
        cni_render_material_at(fixture.renderer, cn_slot_index(smooth.id))->data.roughness ==
        0.045f);
}

static void numbers_out_of_range_are_refused(void **state)
{
    (void)state;
    const CnMaterialDesc wrong[] = {
        {.metallic = 1.5f},           {.roughness = -1},   {.emissive = {-1, 0, 0}},
        {.base_color = {1, 1, 1, 2}}, {.alpha_cutoff = 2}, {.base_color = {(float)NAN, 0, 0, 1}},
        {.normal_scale = INFINITY},
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(wrong); i++) {
        assert_int_equal(cn_material_create(fixture.renderer, &wrong[i], &fixture.error).id, 0);
        assert_int_equal(fixture.error.code, CN_ERROR_FORMAT);
    }
}

static void a_material_can_be_changed_and_keeps_its_name(void **state)
{
    (void)state;
    CnMaterial gold = create("Gold");
    assert_true(cn_material_set(fixture.renderer, gold,
                                &(CnMaterialDesc){.name = "Other", .roughness = 0.25f},
                                &fixture.error));
    CnMaterialDesc desc = cn_material_get(fixture.renderer, gold);
    assert_string_equal(desc.name, "Gold");
    assert_true(desc.roughness == 0.25f && desc.metallic == 0);
}

static void a_material_that_is_gone_cannot_be_changed(void **state)
{
    (void)state;
    CnMaterial gold = create("Gold");
    cn_material_destroy(fixture.renderer, gold);
    assert_int_equal(cn_material_find(fixture.renderer, "Gold").id, 0);
    assert_false(cn_material_set(fixture.renderer, gold, &(CnMaterialDesc){0}, &fixture.error));
    assert_int_equal(fixture.error.code, CN_ERROR_NOT_FOUND);
}

static void a_pipeline_that_is_not_there_is_refused(void **state)
{
    (void)state;
    assert_int_equal(cn_material_create(fixture.renderer,
                                        &(CnMaterialDesc){.name = "A", .pipeline = "Glow"},
                                        &fixture.error)
                         .id,
                     0);
    assert_int_equal(fixture.error.code, CN_ERROR_NOT_FOUND);
    assert_non_null(strstr(fixture.error.message, "Glow"));
}

static void materials_are_limited(void **state)
{
    (void)state;
    CnMaterial last = {1};
    for (uint32_t i = 0; last.id && i <= CN_MAX_MATERIALS; i++)
        last = cn_material_create(fixture.renderer, &(CnMaterialDesc){0}, &fixture.error);
    assert_int_equal(last.id, 0);
    assert_int_equal(fixture.error.code, CN_ERROR_LIMIT);
}

static void materials_with_the_same_textures_are_of_one_set(void **state)
{
    (void)state;
    CnTexture a = cn_texture_load(fixture.renderer, &(CnTextureLoadDesc){.path = TEXTURE_PATH},
                                  &fixture.error);
    CnTexture b =
        cn_texture_load(fixture.renderer,
                        &(CnTextureLoadDesc){.path = TEXTURE_PATH, .linear = true}, &fixture.error);
    const CnMaterialDesc descs[] = {{.textures = {a}}, {.textures = {b}}, {.textures = {a}}, {0}};
    uint32_t sets[4];
    for (uint32_t i = 0; i < 4; i++) {
        CnMaterial made = cn_material_create(fixture.renderer, &descs[i], &fixture.error);
        sets[i] = cni_render_material_at(fixture.renderer, cn_slot_index(made.id))->texture_set;
    }
    assert_int_equal(sets[0], sets[2]);
    assert_int_not_equal(sets[0], sets[1]);
    assert_int_equal(sets[3], 0);
}

/* ---- Textures ---- */

static void a_file_is_loaded_once(void **state)
{
    (void)state;
    CnTexture a = cn_texture_load(fixture.renderer, &(CnTextureLoadDesc){.path = TEXTURE_PATH},
                                  &fixture.error);
    assert_true(a.id != 0);
    assert_int_equal(
        cn_texture_load(fixture.renderer, &(CnTextureLoadDesc){.path = TEXTURE_PATH}, NULL).id,
        a.id);
    assert_int_not_equal(cn_texture_load(fixture.renderer,
                                         &(CnTextureLoadDesc){.path = TEXTURE_PATH, .linear = true},
                                         NULL)
                             .id,
                         a.id);
}

static void a_file_of_colors_is_srgb_with_all_mips(void **state)
{
    (void)state;
    CnTexture texture = cn_texture_load(fixture.renderer,
                                        &(CnTextureLoadDesc){.path = TEXTURE_PATH}, &fixture.error);
    CnGpuTextureDesc desc =
        cn_gpu_texture_desc(fixture.gpu, cn_texture_gpu(fixture.renderer, texture));
    assert_int_equal(desc.format, CN_GPU_FORMAT_RGBA8_SRGB);
    assert_int_equal(desc.width, 128);
    assert_int_equal(desc.mips, 8);
    assert_true(cn_texture_sampler(fixture.renderer, texture).id != 0);
}

static void a_file_that_is_not_there_is_named(void **state)
{
    (void)state;
    assert_int_equal(cn_texture_load(fixture.renderer, &(CnTextureLoadDesc){.path = "nowhere.png"},
                                     &fixture.error)
                         .id,
                     0);
    assert_non_null(strstr(fixture.error.message, "nowhere.png"));
}

static void an_array_has_its_layers(void **state)
{
    (void)state;
    static const uint8_t pixels[4 * 4 * 4 * 3];
    CnTexture texture = cn_texture_create(fixture.renderer,
                                          &(CnTextureDesc){.name = "array",
                                                           .format = CN_GPU_FORMAT_RGBA8,
                                                           .width = 4,
                                                           .height = 4,
                                                           .layers = 3,
                                                           .pixels = pixels,
                                                           .nearest = true},
                                          &fixture.error);
    CnGpuTextureDesc desc =
        cn_gpu_texture_desc(fixture.gpu, cn_texture_gpu(fixture.renderer, texture));
    assert_int_equal(desc.layers, 3);
    assert_int_equal(desc.mips, 3);
}

static void what_is_no_texture_is_refused(void **state)
{
    (void)state;
    static const uint8_t pixels[16];
    const CnTextureDesc wrong[] = {
        {.format = CN_GPU_FORMAT_RGBA8, .width = 2, .height = 2},
        {.format = CN_GPU_FORMAT_D32F, .width = 2, .height = 2, .pixels = pixels},
        {.format = CN_GPU_FORMAT_RGBA8, .width = 0, .height = 2, .pixels = pixels},
        {.format = CN_GPU_FORMAT_RGBA8,
         .width = CN_MAX_IMAGE_SIZE + 1,
         .height = 1,
         .pixels = pixels},
        {.width = 2, .height = 2, .pixels = pixels},
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(wrong); i++)
        assert_int_equal(cn_texture_create(fixture.renderer, &wrong[i], &fixture.error).id, 0);
}

static void materials_lose_a_texture_that_goes(void **state)
{
    (void)state;
    CnTexture texture = cn_texture_load(fixture.renderer,
                                        &(CnTextureLoadDesc){.path = TEXTURE_PATH}, &fixture.error);
    CnMaterial box = cn_material_create(
        fixture.renderer, &(CnMaterialDesc){.name = "Box", .textures = {texture}}, &fixture.error);
    cn_texture_destroy(fixture.renderer, texture);
    const CniRenderMaterial *material =
        cni_render_material_at(fixture.renderer, cn_slot_index(box.id));
    assert_int_equal(cn_material_get(fixture.renderer, box).textures[0].id, 0);
    assert_int_equal(material->textures[0].id, fixture.renderer->defaults.white.id);
    assert_int_equal(material->data.flags, 0);
    assert_int_equal(cn_texture_gpu(fixture.renderer, texture).id, 0);
}

static void materials_are_sent_only_when_they_have_changed(void **state)
{
    (void)state;
    create("Gold");
    render_fixture_draw(&fixture, 1);
    assert_false(fixture.renderer->materials_changed);
    create("Silver");
    assert_true(fixture.renderer->materials_changed);
}

static void count_gold(const CnLogRecord *record, void *user)
{
    *(uint32_t *)user += strstr(record->message, "material Gold does not exist") != NULL;
}

static void a_name_that_no_material_has_is_reported_once(void **state)
{
    (void)state;
    uint32_t warnings = 0;
    int sink = cn_log_add_sink(
        &(CnLogSink){.write = count_gold, .user = &warnings, .level = CN_LOG_LEVEL_WARNING});
    render_fixture_item(&fixture, "shapes://cube", "Gold", cn_vec3(0, 0, 0), 1);
    render_fixture_draw(&fixture, 2);
    create("Silver"); /* names are looked up again */
    render_fixture_draw(&fixture, 2);
    cn_log_remove_sink(sink);
    assert_int_equal(warnings, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        MATERIAL_TEST(a_material_is_found_by_its_name),
        MATERIAL_TEST(each_of_the_most_materials_is_found_by_its_name),
        MATERIAL_TEST(the_name_of_a_destroyed_material_is_free),
        MATERIAL_TEST(a_material_without_a_name_is_not_found),
        MATERIAL_TEST(a_name_is_taken_once),
        MATERIAL_TEST(zeros_mean_what_the_manual_says),
        MATERIAL_TEST(roughness_is_at_least_what_shaders_can_do),
        MATERIAL_TEST(numbers_out_of_range_are_refused),
        MATERIAL_TEST(a_material_can_be_changed_and_keeps_its_name),
        MATERIAL_TEST(a_material_that_is_gone_cannot_be_changed),
        MATERIAL_TEST(a_pipeline_that_is_not_there_is_refused),
        MATERIAL_TEST(materials_are_limited),
        MATERIAL_TEST(materials_with_the_same_textures_are_of_one_set),
        MATERIAL_TEST(a_file_is_loaded_once),
        MATERIAL_TEST(a_file_of_colors_is_srgb_with_all_mips),
        MATERIAL_TEST(a_file_that_is_not_there_is_named),
        MATERIAL_TEST(an_array_has_its_layers),
        MATERIAL_TEST(what_is_no_texture_is_refused),
        MATERIAL_TEST(materials_lose_a_texture_that_goes),
        MATERIAL_TEST(materials_are_sent_only_when_they_have_changed),
        MATERIAL_TEST(a_name_that_no_material_has_is_reported_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
