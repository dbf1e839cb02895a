/* test-labels: threads */
/* Images, models and GLSL that the helper process cairn-decode decodes. */
#include "cmocka_tests.h"
#include "scratch.h"

#include "render/decode/decoder.h"

#include <cairn/vfs/decoder.h>
#include <cairn/vfs.h>

#include <spng.h>

#include <stdlib.h>
#include <string.h>

static CnError error;

static uint64_t started(void)
{
    return cn_decoder_stats().started;
}

static CnFileBytes read_file(const char *path)
{
    CnFileBytes bytes;
    if (!cn_file_read_all(cn_native_files(), path, NULL, &bytes, &error))
        fail_msg("%s", error.message);
    return bytes;
}

/* ---- Images ---- */

static void decode(const CnFileBytes *bytes, CnOrigin origin, CnImage *image)
{
    if (!cn_image_read(&(CnImageReadDesc){.bytes = bytes->data,
                                          .size = bytes->size,
                                          .name = "an image",
                                          .budget = cn_budget_of(origin)},
                       image, &error))
        fail_msg("%s", error.message);
}

static void check_same_pixels(const char *path)
{
    CnFileBytes bytes = read_file(path);
    CnImage here, there;
    decode(&bytes, CN_ORIGIN_USER, &here);
    decode(&bytes, CN_ORIGIN_FOREIGN, &there);
    assert_int_equal(here.width, there.width);
    assert_int_equal(here.height, there.height);
    assert_memory_equal(here.pixels, there.pixels, (size_t)here.width * here.height * 4);
    cn_image_free(&here);
    cn_image_free(&there);
    cn_file_bytes_free(&bytes);
}

static void a_foreign_png_has_the_same_pixels(void **state)
{
    (void)state;
    check_same_pixels("scenes/models/box.png");
}

static void a_foreign_jpeg_has_the_same_pixels(void **state)
{
    (void)state;
    check_same_pixels("tests/fuzz/render/corpus/flat.jpg");
}

static void only_foreign_images_start_a_process(void **state)
{
    (void)state;
    CnFileBytes bytes = read_file("scenes/models/box.png");
    uint64_t before = started();
    CnImage image;
    decode(&bytes, CN_ORIGIN_USER, &image);
    cn_image_free(&image);
    decode(&bytes, CN_ORIGIN_TRUSTED, &image);
    cn_image_free(&image);
    assert_int_equal(started(), before);
    decode(&bytes, CN_ORIGIN_FOREIGN, &image);
    cn_image_free(&image);
    assert_int_equal(started(), before + 1);
    cn_file_bytes_free(&bytes);
}

static void an_error_of_the_decoder_is_passed_on(void **state)
{
    (void)state;
    CnImage image;
    assert_false(cn_image_read(&(CnImageReadDesc){.bytes = "\x89PNG and no more",
                                                  .size = 16,
                                                  .name = "mods://broken.png",
                                                  .budget = cn_budget_of(CN_ORIGIN_FOREIGN)},
                               &image, &error));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
    assert_string_equal(error.file, "mods://broken.png");
    assert_non_null(strstr(error.message, "PNG"));
}

static void a_foreign_file_without_bytes_is_refused(void **state)
{
    (void)state;
    CnImage image;
    assert_false(cn_image_read(
        &(CnImageReadDesc){.bytes = "", .name = "empty", .budget = cn_budget_of(CN_ORIGIN_FOREIGN)},
        &image, &error));
    assert_non_null(strstr(error.message, "neither a PNG"));
}

/* 4096 x 4096 black pixels of one bit: 64 MiB of a few kilobytes. */
static void an_image_that_needs_more_memory_than_the_process_has_is_refused(void **state)
{
    (void)state;
    if (CN_DECODE_HAS_SANITIZER)
        skip();
    enum { SIDE = 4096 };
    int result = 0;
    size_t size, bits = SIDE / 8 * SIDE;
    void *zeros = calloc(bits, 1);
    spng_ctx *png = spng_ctx_new(SPNG_CTX_ENCODER);
    struct spng_ihdr header = {.width = SIDE, .height = SIDE, .bit_depth = 1};
    spng_set_option(png, SPNG_ENCODE_TO_BUFFER, 1);
    spng_set_ihdr(png, &header);
    assert_int_equal(spng_encode_image(png, zeros, bits, SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE), 0);
    void *bytes = spng_get_png_buffer(png, &size, &result);
    CnBudget budget = *cn_budget_of(CN_ORIGIN_FOREIGN);
    CnImage image;
    CnImageReadDesc desc = {.bytes = bytes, .size = size, .name = "bomb", .budget = &budget};
    assert_true(cn_image_read(&desc, &image, &error));
    cn_image_free(&image);
    budget.decode_memory_bytes = 64 << 20;
    assert_false(cn_image_read(&desc, &image, &error));
    assert_int_equal(error.code, CN_ERROR_MEMORY);
    free(bytes);
    spng_ctx_free(png);
    free(zeros);
}

/* ---- Models ---- */

static CnVfs *mount(const char *folder, CnOrigin origin)
{
    CnVfs *vfs = cn_vfs_create(NULL, &error);
    if (!cn_vfs_mount_as(vfs, &(CnMountDesc){.scheme = "mods", .native = folder, .origin = origin},
                         &error))
        fail_msg("%s", error.message);
    return vfs;
}

static bool import(CnVfs *vfs, const char *path, CnU8Array *baked)
{
    CniRenderModelData data;
    CnFileBytes bytes;
    error = (CnError){0};
    if (!cn_file_read_all(cn_vfs_files(vfs), path, NULL, &bytes, &error))
        fail_msg("%s", error.message);
    cni_render_model_data_init(&data, NULL);
    bool ok = cni_render_model_import(cn_vfs_files(vfs), path, NULL, bytes, &data, &error);
    cn_array_init(baked, NULL);
    if (ok)
        assert_true(cni_render_model_write_baked(&data, baked));
    cni_render_model_data_fini(&data);
    cn_file_bytes_free(&bytes);
    return ok;
}

static void check_same_model(const char *path)
{
    CnU8Array baked[2];
    CnOrigin origins[] = {CN_ORIGIN_USER, CN_ORIGIN_FOREIGN};
    for (int i = 0; i < 2; i++) {
        uint64_t before = started();
        CnVfs *vfs = mount("scenes/models", origins[i]);
        if (!import(vfs, path, &baked[i]))
            fail_msg("%s", error.message);
        cn_vfs_destroy(vfs);
        assert_int_equal(started() - before, i);
    }
    assert_int_equal(baked[0].count, baked[1].count);
    assert_memory_equal(baked[0].items, baked[1].items, baked[0].count);
    cn_array_fini(&baked[0]);
    cn_array_fini(&baked[1]);
}

static void a_foreign_gltf_with_a_buffer_gives_the_same_model(void **state)
{
    (void)state;
    check_same_model("mods://box.gltf");
}

static void a_foreign_glb_gives_the_same_model(void **state)
{
    (void)state;
    check_same_model("mods://lighthouse.glb");
}

static void a_foreign_skinned_model_gives_the_same_model(void **state)
{
    (void)state;
    check_same_model("mods://column.glb");
}

static void a_foreign_obj_with_materials_gives_the_same_model(void **state)
{
    (void)state;
    check_same_model("mods://crate.obj");
}

static void copy_file(const Scratch *scratch, const char *from, const char *to)
{
    CnFileBytes bytes = read_file(from);
    assert_true(cn_file_write_all(cn_native_files(), scratch_path(scratch, to), bytes.data,
                                  bytes.size, &error));
    cn_file_bytes_free(&bytes);
}

static void a_model_with_a_foreign_buffer_is_decoded_by_the_helper(void **state)
{
    (void)state;
    Scratch own, mod;
    scratch_init(&own);
    scratch_init(&mod);
    copy_file(&own, "scenes/models/box.gltf", "box.gltf");
    copy_file(&mod, "scenes/models/box.bin", "box.bin");
    CnVfs *vfs = mount(own.folder, CN_ORIGIN_TRUSTED);
    assert_true(cn_vfs_mount_as(
        vfs, &(CnMountDesc){.scheme = "mods", .native = mod.folder, .origin = CN_ORIGIN_FOREIGN},
        &error));
    CnU8Array baked;
    uint64_t before = started();
    if (!import(vfs, "mods://box.gltf", &baked))
        fail_msg("%s", error.message);
    assert_int_equal(started(), before + 1);
    cn_array_fini(&baked);
    cn_vfs_destroy(vfs);
    scratch_fini(&own);
    scratch_fini(&mod);
}

static void a_foreign_model_has_no_files_of_other_folders(void **state)
{
    (void)state;
    static const char gltf[] =
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"uri\":\"../box.bin\",\"byteLength\":8}]}";
    Scratch scratch;
    scratch_init(&scratch);
    CnFileSystem *files = cn_native_files();
    assert_true(files->make_folder(files, scratch_path(&scratch, "inner"), &error));
    copy_file(&scratch, "scenes/models/box.bin", "box.bin");
    assert_true(cn_file_write_all(files, scratch_path(&scratch, "inner/a.gltf"), gltf,
                                  sizeof gltf - 1, &error));
    CnVfs *vfs = mount(scratch.folder, CN_ORIGIN_FOREIGN);
    CnU8Array baked;
    assert_false(import(vfs, "mods://inner/a.gltf", &baked));
    assert_non_null(strstr(error.message, "not in the folder of the model"));
    cn_vfs_destroy(vfs);
    scratch_fini(&scratch);
}

/* ---- GLSL ---- */

static const char *include_text;

static bool read_include(void *user, const char *path, CnFileBytes *bytes,
                         char name[CN_DECODE_TEXT_BYTES], CnError *why)
{
    (void)user, (void)why;
    cn_copy_text(name, CN_DECODE_TEXT_BYTES, cn_text(path));
    size_t size = strlen(include_text);
    *bytes = (CnFileBytes){.data = cn_alloc(NULL, size + 1), .size = size};
    memcpy(bytes->data, include_text, size + 1);
    return true;
}

static bool compiles(const char *source)
{
    uint32_t *words = NULL;
    size_t size = 0;
    error = (CnError){0};
    bool ok = cni_render_decode_glsl(&(CniRenderDecodeGlsl){.path = "a.frag",
                                                            .source = cn_text(source),
                                                            .stage = CN_DECODE_FRAGMENT,
                                                            .read_include = read_include},
                                     NULL, &words, &size, &error);
    cn_free(NULL, words, size);
    return ok;
}

static void glsl_compiles_to_spirv(void **state)
{
    (void)state;
    assert_true(compiles("#version 460\nlayout(location = 0) out vec4 o;\n"
                         "void main() { o = vec4(1); }\n"));
}

static void an_error_in_glsl_has_its_file_and_line(void **state)
{
    (void)state;
    include_text = "\n\nfloat f() { return nothing; }\n";
    assert_false(compiles("#version 460\n#include \"b.glsl\"\nvoid main() {}\n"));
    assert_string_equal(error.file, "b.glsl");
    assert_int_equal(error.line, 3);
}

static void a_file_that_includes_itself_is_refused(void **state)
{
    (void)state;
    include_text = "#include \"b.glsl\"\n#include \"b.glsl\"\n";
    assert_false(compiles("#version 460\n#include \"b.glsl\"\nvoid main() {}\n"));
    assert_non_null(strstr(error.message, "include itself"));
}

/* Each macro repeats the one before it sixteen times. */
static void a_macro_bomb_is_refused_within_the_limits(void **state)
{
    (void)state;
    if (CN_DECODE_HAS_SANITIZER)
        skip();
    char source[2048] = "#version 460\n#define A0 1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+\n";
    for (int i = 1; i < 9; i++) {
        char line[256];
        size_t size = (size_t)snprintf(line, sizeof line, "#define A%d ", i);
        for (int j = 0; j < 16; j++)
            size += (size_t)snprintf(line + size, sizeof line - size, "A%d ", i - 1);
        strcat(strcat(source, line), "\n");
    }
    strcat(source, "int f() { return A8 1; }\nvoid main() {}\n");
    assert_false(compiles(source));
    /* The compiler notices that it has no memory, crashes, or takes too long. */
    assert_true(error.code == CN_ERROR_LIMIT || strstr(error.message, "crashed"));
    assert_true(error.message[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_foreign_png_has_the_same_pixels),
        cmocka_unit_test(a_foreign_jpeg_has_the_same_pixels),
        cmocka_unit_test(only_foreign_images_start_a_process),
        cmocka_unit_test(an_error_of_the_decoder_is_passed_on),
        cmocka_unit_test(a_foreign_file_without_bytes_is_refused),
        cmocka_unit_test(an_image_that_needs_more_memory_than_the_process_has_is_refused),
        cmocka_unit_test(a_foreign_gltf_with_a_buffer_gives_the_same_model),
        cmocka_unit_test(a_foreign_glb_gives_the_same_model),
        cmocka_unit_test(a_foreign_skinned_model_gives_the_same_model),
        cmocka_unit_test(a_foreign_obj_with_materials_gives_the_same_model),
        cmocka_unit_test(a_model_with_a_foreign_buffer_is_decoded_by_the_helper),
        cmocka_unit_test(a_foreign_model_has_no_files_of_other_folders),
        cmocka_unit_test(glsl_compiles_to_spirv),
        cmocka_unit_test(an_error_in_glsl_has_its_file_and_line),
        cmocka_unit_test(a_file_that_includes_itself_is_refused),
        cmocka_unit_test(a_macro_bomb_is_refused_within_the_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
