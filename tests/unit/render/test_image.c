/* Images: PNG, JPEG and WebP in, PNG and JPEG out, and what is refused. */
#include "cmocka_tests.h"
#include "scratch.h"

#include <cairn/render/material.h>

#include <stdlib.h>
#include <string.h>

static Scratch scratch;

static CnImage make_image(uint32_t width, uint32_t height, bool opaque)
{
    CnImage image = {.width = width, .height = height};
    image.pixels = cn_alloc(NULL, (size_t)width * height * 4);
    for (uint32_t i = 0; i < width * height; i++) {
        uint8_t pixel[] = {(uint8_t)(i * 7), (uint8_t)(i * 3 + 1), (uint8_t)(255 - i),
                           (uint8_t)(i * 5)};
        if (opaque)
            pixel[3] = 255;
        memcpy(image.pixels + (size_t)i * 4, pixel, 4);
    }
    return image;
}

static CnFileBytes read_file(const char *name)
{
    CnFileBytes bytes;
    CnError error = {0};
    assert_true(
        cn_file_read_all(cn_native_files(), scratch_path(&scratch, name), NULL, &bytes, &error));
    return bytes;
}

static CnFileBytes write_and_read(const CnImage *image, const char *name)
{
    CnError error = {0};
    assert_true(cn_image_write(image, cn_native_files(), scratch_path(&scratch, name), &error));
    return read_file(name);
}

static void check_comes_back(bool opaque)
{
    CnImage image = make_image(19, 7, opaque), back;
    CnFileBytes bytes = write_and_read(&image, "a.png");
    CnError error = {0};
    assert_true(
        cn_image_read(&(CnImageReadDesc){.bytes = bytes.data, .size = bytes.size, .name = "a.png"},
                      &back, &error));
    assert_int_equal(back.width, 19);
    assert_int_equal(back.height, 7);
    assert_memory_equal(back.pixels, image.pixels, 19 * 7 * 4);
    cn_image_free(&back);
    cn_image_free(&image);
    cn_file_bytes_free(&bytes);
}

static void a_png_comes_back_as_it_was_written(void **state)
{
    (void)state;
    check_comes_back(false);
}

static void an_opaque_png_comes_back_as_it_was_written(void **state)
{
    (void)state;
    check_comes_back(true);
}

static void the_same_pixels_give_the_same_bytes(void **state)
{
    (void)state;
    CnImage image = make_image(64, 32, false);
    CnFileBytes a = write_and_read(&image, "a.png"), b = write_and_read(&image, "b.png");
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.data, b.data, a.size);
    cn_file_bytes_free(&a);
    cn_file_bytes_free(&b);
    cn_image_free(&image);
}

static void a_jpeg_is_read(void **state)
{
    (void)state;
    CnFileBytes bytes;
    CnImage image;
    CnError error = {0};
    assert_true(cn_file_read_all(cn_native_files(), "tests/fuzz/render/corpus/flat.jpg", NULL,
                                 &bytes, &error));
    assert_true(
        cn_image_read(&(CnImageReadDesc){.bytes = bytes.data, .size = bytes.size, .name = "a.jpg"},
                      &image, &error));
    assert_int_equal(image.width, 16);
    assert_in_range(image.pixels[0], 196, 204);
    assert_in_range(image.pixels[1], 96, 104);
    assert_in_range(image.pixels[2], 46, 54);
    assert_int_equal(image.pixels[3], 255);
    cn_image_free(&image);
    cn_file_bytes_free(&bytes);
}

static void an_encoded_jpeg_is_read(void **state)
{
    (void)state;
    uint8_t pixels[32 * 16 * 4];
    for (uint32_t i = 0; i < sizeof pixels; i++)
        pixels[i] = i % 4 == 3 ? 255 : (uint8_t)(i / 128 * 8 + i % 4 * 20);
    CnImage image = {32, 16, pixels, cn_system_allocator()}, back;
    CnError error = {0};
    CnU8Array bytes;
    cn_array_init(&bytes, cn_system_allocator());
    assert_true(cn_image_encode_jpeg(&image, 95, &bytes, &error));
    assert_true(cn_image_read(
        &(CnImageReadDesc){.bytes = bytes.items, .size = bytes.count, .name = "x"}, &back, &error));
    assert_int_equal(back.width, 32);
    assert_int_equal(back.height, 16);
    for (uint32_t i = 0; i < sizeof pixels; i++)
        assert_in_range(abs(back.pixels[i] - pixels[i]), 0, 8);
    cn_image_free(&back);
    cn_array_fini(&bytes);
}

static void a_jpeg_of_many_scans_is_refused_before_it_is_decoded(void **state)
{
    (void)state;
    static const uint8_t scan[] = {0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x55};
    CnFileBytes bytes;
    CnImage image;
    CnError error = {0};
    assert_true(cn_file_read_all(cn_native_files(), "tests/fuzz/render/corpus/flat.jpg", NULL,
                                 &bytes, &error));
    size_t size = bytes.size - 2 + 65 * sizeof scan;
    uint8_t *more = cn_alloc(NULL, size);
    memcpy(more, bytes.data, bytes.size - 2);
    for (size_t i = 0; i < 65; i++)
        memcpy(more + bytes.size - 2 + i * sizeof scan, scan, sizeof scan);
    assert_false(cn_image_read(&(CnImageReadDesc){.bytes = more, .size = size, .name = "a.jpg"},
                               &image, &error));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "more than 64 scans"));
    cn_free(NULL, more, size);
    cn_file_bytes_free(&bytes);
}

static void a_jpeg_that_is_cut_off_is_refused(void **state)
{
    (void)state;
    CnFileBytes bytes;
    CnImage image;
    CnError error = {0};
    assert_true(cn_file_read_all(cn_native_files(), "tests/fuzz/render/corpus/baseline.jpg", NULL,
                                 &bytes, &error));
    assert_false(cn_image_read(
        &(CnImageReadDesc){.bytes = bytes.data, .size = bytes.size - 100, .name = "a.jpg"}, &image,
        &error));
    assert_non_null(strstr(error.message, "cannot read the JPEG"));
    cn_file_bytes_free(&bytes);
}

static bool read_corpus(const char *path, size_t cut, const CnBudget *budget, CnImage *image,
                        CnError *error)
{
    CnFileBytes bytes;
    assert_true(cn_file_read_all(cn_native_files(), path, NULL, &bytes, error));
    bool ok = cn_image_read(
        &(CnImageReadDesc){
            .bytes = bytes.data, .size = bytes.size - cut, .name = "a.webp", .budget = budget},
        image, error);
    cn_file_bytes_free(&bytes);
    return ok;
}

static void a_webp_without_loss_is_read_exactly(void **state)
{
    (void)state;
    static const uint8_t light[] = {200, 100, 50, 255}, dark[] = {10, 20, 30, 128};
    CnImage image;
    CnError error = {0};
    assert_true(read_corpus("tests/fuzz/render/corpus/lossless.webp", 0, NULL, &image, &error));
    assert_int_equal(image.width, 16);
    assert_int_equal(image.height, 16);
    assert_memory_equal(image.pixels, dark, 4);
    assert_memory_equal(image.pixels + 4 * 4, light, 4);
    cn_image_free(&image);
}

static void a_webp_with_loss_is_read(void **state)
{
    (void)state;
    CnImage image;
    CnError error = {0};
    assert_true(read_corpus("tests/fuzz/render/corpus/lossy.webp", 0, NULL, &image, &error));
    assert_int_equal(image.width, 24);
    assert_int_equal(image.height, 16);
    assert_int_equal(image.pixels[3], 255);
    cn_image_free(&image);
}

static void a_webp_that_is_cut_off_is_refused(void **state)
{
    (void)state;
    CnImage image;
    CnError error = {0};
    assert_false(read_corpus("tests/fuzz/render/corpus/lossy.webp", 40, NULL, &image, &error));
    assert_non_null(strstr(error.message, "cannot read the WebP"));
}

static void an_animated_webp_is_refused(void **state)
{
    (void)state;
    CnImage image;
    CnError error = {0};
    assert_false(read_corpus("tests/fuzz/render/corpus/animated.webp", 0, NULL, &image, &error));
    assert_int_equal(error.code, CN_ERROR_UNSUPPORTED);
}

static void a_webp_beyond_the_budget_is_refused(void **state)
{
    (void)state;
    CnImage image;
    CnError error = {0};
    CnBudget budget = *cn_budget_of(CN_ORIGIN_USER);
    budget.image_pixels = 24 * 16 - 1;
    assert_false(read_corpus("tests/fuzz/render/corpus/lossy.webp", 0, &budget, &image, &error));
    assert_non_null(strstr(error.message, "image_pixels"));
}

/* Fixes the checksum of the header after a change. */
static void set_png_header(uint8_t *png, uint32_t width, uint32_t height)
{
    for (uint32_t i = 0; i < 4; i++) {
        png[16 + i] = (uint8_t)(width >> (24 - 8 * i));
        png[20 + i] = (uint8_t)(height >> (24 - 8 * i));
    }
    uint32_t crc = 0xFFFFFFFFu;
    for (uint32_t i = 12; i < 29; i++) {
        crc ^= png[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
    }
    for (uint32_t i = 0; i < 4; i++)
        png[29 + i] = (uint8_t)(~crc >> (24 - 8 * i));
}

/* With the budget of the program's own files. */
static void check_refused(uint32_t width, uint32_t height, CnErrorCode code, const char *text)
{
    CnImage image = make_image(4, 4, true), back;
    CnFileBytes bytes = write_and_read(&image, "a.png");
    CnHeap *heap = cn_heap_create(NULL, NULL);
    CnError error = {0};
    set_png_header(bytes.data, width, height);
    assert_false(cn_image_read(&(CnImageReadDesc){.bytes = bytes.data,
                                                  .size = bytes.size,
                                                  .name = "bad.png",
                                                  .budget = cn_budget_of(CN_ORIGIN_TRUSTED),
                                                  .allocator = cn_heap_tag(heap, "i")},
                               &back, &error));
    assert_int_equal(error.code, code);
    assert_string_equal(error.file, "bad.png");
    assert_non_null(strstr(error.message, text));
    assert_null(back.pixels);
    assert_int_equal(cn_heap_stats(heap).calls, 0);
    cn_heap_destroy(heap);
    cn_image_free(&image);
    cn_file_bytes_free(&bytes);
}

static void a_bomb_is_refused_before_memory_is_taken(void **state)
{
    (void)state;
    check_refused(16384, 16384, CN_ERROR_FORMAT, "is truncated");
}

static void an_image_beyond_the_limit_is_refused_before_memory_is_taken(void **state)
{
    (void)state;
    check_refused(16385, 1, CN_ERROR_LIMIT, "16385 x 1");
}

static void what_is_no_image_is_refused(void **state)
{
    (void)state;
    CnImage image;
    CnError error = {0};
    assert_false(cn_image_read(&(CnImageReadDesc){.bytes = "BM 123", .size = 6, .name = "b.bmp"},
                               &image, &error));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
    assert_string_equal(error.file, "b.bmp");
    assert_false(
        cn_image_read(&(CnImageReadDesc){.bytes = "", .size = 0, .name = "empty"}, &image, &error));
}

static void an_image_that_is_too_large_is_not_written(void **state)
{
    (void)state;
    CnError error = {0};
    CnImage image = {.width = CN_MAX_IMAGE_SIZE + 1, .height = 1};
    assert_false(cn_image_write(&image, cn_native_files(), "x.png", &error));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
}

static int make_scratch(void **state)
{
    (void)state;
    scratch_init(&scratch);
    return 0;
}

static int remove_scratch(void **state)
{
    (void)state;
    scratch_fini(&scratch);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_png_comes_back_as_it_was_written),
        cmocka_unit_test(an_opaque_png_comes_back_as_it_was_written),
        cmocka_unit_test(the_same_pixels_give_the_same_bytes),
        cmocka_unit_test(a_jpeg_is_read),
        cmocka_unit_test(an_encoded_jpeg_is_read),
        cmocka_unit_test(a_jpeg_that_is_cut_off_is_refused),
        cmocka_unit_test(a_jpeg_of_many_scans_is_refused_before_it_is_decoded),
        cmocka_unit_test(a_webp_without_loss_is_read_exactly),
        cmocka_unit_test(a_webp_with_loss_is_read),
        cmocka_unit_test(a_webp_that_is_cut_off_is_refused),
        cmocka_unit_test(an_animated_webp_is_refused),
        cmocka_unit_test(a_webp_beyond_the_budget_is_refused),
        cmocka_unit_test(a_bomb_is_refused_before_memory_is_taken),
        cmocka_unit_test(an_image_beyond_the_limit_is_refused_before_memory_is_taken),
        cmocka_unit_test(what_is_no_image_is_refused),
        cmocka_unit_test(an_image_that_is_too_large_is_not_written),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
