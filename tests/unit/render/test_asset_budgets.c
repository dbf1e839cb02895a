/* The budgets of images, models and fonts by origin. */
#include "cmocka_tests.h"
#include "scratch.h"

#include "render/asset/model_data.h"

#include <cairn/render/font.h>
#include <cairn/vfs.h>

#include <spng.h>

#include <stdlib.h>
#include <string.h>

static CnError error;

static bool refused_for(bool ok, const char *member)
{
    char words[64];
    cn_format(words, sizeof words, "CnBudget.%s", member);
    return !ok && error.code == CN_ERROR_LIMIT && strstr(error.message, words);
}

/* ---- Images ---- */

/* A black PNG with one bit per pixel: 16384 x 16384 pixels, 1 GiB as RGBA, are 33 KB. */
static uint8_t *make_png(uint32_t width, uint32_t height, size_t *size)
{
    int result = 0;
    size_t bits = (size_t)(width / 8) * height;
    void *zeros = calloc(bits, 1);
    spng_ctx *png = spng_ctx_new(SPNG_CTX_ENCODER);
    struct spng_ihdr header = {.width = width, .height = height, .bit_depth = 1};
    assert_int_equal(spng_set_option(png, SPNG_ENCODE_TO_BUFFER, 1), 0);
    assert_int_equal(spng_set_option(png, SPNG_FILTER_CHOICE, SPNG_FILTER_CHOICE_NONE), 0);
    assert_int_equal(spng_set_ihdr(png, &header), 0);
    assert_int_equal(spng_encode_image(png, zeros, bits, SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE), 0);
    uint8_t *bytes = spng_get_png_buffer(png, size, &result);
    spng_ctx_free(png);
    free(zeros);
    return bytes;
}

static bool decodes(const uint8_t *bytes, size_t size, const CnBudget *budget, CnAllocator *from)
{
    CnImage image;
    const CnImageReadDesc desc = {
        .bytes = bytes, .size = size, .name = "a.png", .budget = budget, .allocator = from};
    error = (CnError){0};
    bool ok = cn_image_read(&desc, &image, &error);
    cn_image_free(&image);
    return ok;
}

/* The heap shows that nothing was allocated for the pixels. */
static void refuse_bomb(CnOrigin origin)
{
    size_t size;
    uint8_t *png = make_png(16384, 16384, &size);
    assert_true(size < 1u << 20);
    CnHeap *heap = cn_heap_create(NULL, NULL);
    const CnBudget *budget = cn_budget_of(origin);
    assert_true(refused_for(decodes(png, size, budget, cn_heap_tag(heap, "i")), "image_pixels"));
    assert_int_equal(cn_heap_stats(heap).peak_bytes, 0);
    cn_heap_destroy(heap);
    free(png);
}

static void a_small_png_of_a_gigabyte_is_refused_from_a_user(void **state)
{
    (void)state;
    refuse_bomb(CN_ORIGIN_USER);
}

static void a_small_png_of_a_gigabyte_is_refused_from_a_mod(void **state)
{
    (void)state;
    refuse_bomb(CN_ORIGIN_FOREIGN);
}

static void an_image_has_at_most_the_pixels_of_its_budget(void **state)
{
    (void)state;
    size_t size;
    uint8_t *png = make_png(64, 32, &size);
    CnBudget budget = *cn_budget_of(CN_ORIGIN_FOREIGN);
    budget.image_pixels = 64 * 32;
    assert_true(decodes(png, size, &budget, NULL));
    budget.image_pixels--;
    assert_true(refused_for(decodes(png, size, &budget, NULL), "image_pixels"));
    free(png);
}

static void a_jpeg_has_at_most_the_pixels_of_its_budget(void **state)
{
    (void)state;
    CnFileBytes bytes;
    assert_true(cn_file_read_all(cn_native_files(), "tests/fuzz/render/corpus/flat.jpg", NULL,
                                 &bytes, &error));
    CnBudget budget = *cn_budget_of(CN_ORIGIN_FOREIGN);
    budget.image_pixels = 16;
    assert_true(refused_for(decodes(bytes.data, bytes.size, &budget, NULL), "image_pixels"));
    cn_file_bytes_free(&bytes);
}

/* ---- Models ---- */

/* Imports the box with this budget. */
static bool imports(const CnBudget *budget)
{
    CnVfs *vfs = cn_vfs_create(NULL, &error);
    const CnMountDesc desc = {
        .scheme = "models", .native = "scenes/models", .origin = budget->origin, .budget = budget};
    assert_true(cn_vfs_mount_as(vfs, &desc, &error));
    CnFileBytes bytes;
    CniRenderModelData data;
    assert_true(cn_file_read_all(cn_vfs_files(vfs), "models://box.gltf", NULL, &bytes, &error));
    cni_render_model_data_init(&data, NULL);
    error = (CnError){0};
    bool ok =
        cni_render_model_import(cn_vfs_files(vfs), "models://box.gltf", NULL, bytes, &data, &error);
    cni_render_model_data_fini(&data);
    cn_file_bytes_free(&bytes);
    cn_vfs_destroy(vfs);
    return ok;
}

static void a_model_within_its_budget_is_imported(void **state)
{
    (void)state;
    assert_true(imports(cn_budget_of(CN_ORIGIN_USER)));
}

static void a_model_has_at_most_the_vertices_of_its_budget(void **state)
{
    (void)state;
    CnBudget budget = *cn_budget_of(CN_ORIGIN_USER);
    budget.model_vertices = 7;
    assert_true(refused_for(imports(&budget), "model_vertices"));
}

static void a_model_has_at_most_the_indices_of_its_budget(void **state)
{
    (void)state;
    CnBudget budget = *cn_budget_of(CN_ORIGIN_USER);
    budget.model_indices = 35;
    assert_true(refused_for(imports(&budget), "model_indices"));
}

static void a_model_has_at_most_the_parts_of_its_budget(void **state)
{
    (void)state;
    CnBudget budget = *cn_budget_of(CN_ORIGIN_USER);
    budget.model_parts = 0;
    assert_true(refused_for(imports(&budget), "model_parts"));
}

static void the_files_of_a_model_have_at_most_the_bytes_of_its_budget(void **state)
{
    (void)state;
    CnFileInfo info;
    assert_true(cn_native_files()->info(cn_native_files(), "scenes/models/box.gltf", &info, NULL));
    CnBudget budget = *cn_budget_of(CN_ORIGIN_USER);
    budget.model_bytes = info.size_bytes; /* without its buffer */
    assert_false(imports(&budget));
    assert_non_null(strstr(error.message, "model_bytes"));
}

static void a_model_has_at_most_the_nodes_of_its_budget(void **state)
{
    (void)state;
    CniRenderModelData data;
    cni_render_model_data_init(&data, NULL);
    CnBudget budget = *cn_budget_of(CN_ORIGIN_FOREIGN);
    budget.model_nodes = 1;
    assert_true(cn_array_push(&data.nodes, (CniRenderModelNode){0}));
    assert_true(cni_render_model_check_budget(&data, &budget, "a", &error));
    assert_true(cn_array_push(&data.nodes, (CniRenderModelNode){0}));
    assert_true(
        refused_for(cni_render_model_check_budget(&data, &budget, "a", &error), "model_nodes"));
    cni_render_model_data_fini(&data);
}

/* ---- Fonts ---- */

static void a_font_of_foreign_origin_is_refused(void **state)
{
    (void)state;
    CnVfs *vfs = cn_vfs_create(NULL, &error);
    const CnMountDesc desc = {
        .scheme = "mods", .native = "tests/fuzz/render", .origin = CN_ORIGIN_FOREIGN};
    assert_true(cn_vfs_mount_as(vfs, &desc, &error));
    CnFonts *fonts = cn_fonts_create(NULL, &error);
    CnFont font;
    assert_false(cn_fonts_load(fonts, cn_vfs_files(vfs), "mods://corpus/flat.jpg", &font, &error));
    assert_int_equal(error.code, CN_ERROR_PERMISSION);
    assert_non_null(strstr(error.message, "foreign origin"));
    cn_fonts_destroy(fonts);
    cn_vfs_destroy(vfs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_png_of_a_gigabyte_is_refused_from_a_user),
        cmocka_unit_test(a_small_png_of_a_gigabyte_is_refused_from_a_mod),
        cmocka_unit_test(an_image_has_at_most_the_pixels_of_its_budget),
        cmocka_unit_test(a_jpeg_has_at_most_the_pixels_of_its_budget),
        cmocka_unit_test(a_model_within_its_budget_is_imported),
        cmocka_unit_test(a_model_has_at_most_the_vertices_of_its_budget),
        cmocka_unit_test(a_model_has_at_most_the_indices_of_its_budget),
        cmocka_unit_test(a_model_has_at_most_the_parts_of_its_budget),
        cmocka_unit_test(the_files_of_a_model_have_at_most_the_bytes_of_its_budget),
        cmocka_unit_test(a_model_has_at_most_the_nodes_of_its_budget),
        cmocka_unit_test(a_font_of_foreign_origin_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
