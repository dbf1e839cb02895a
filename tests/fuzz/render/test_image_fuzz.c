/*
 * PNG, JPEG and WebP files with random damage, and those of the corpus as they are. Nothing crashes
 * or hangs; an image is read whole or refused with an error. The cases come from a seed.
 */
#include "cmocka_tests.h"
#include "random.h"

#include <cairn/render/material.h>

#include <string.h>

enum { ROUNDS = 4000 };

static const char *const corpus[] = {
    "tests/fuzz/render/corpus/palette.png",     "tests/fuzz/render/corpus/gray16.png",
    "tests/fuzz/render/corpus/alpha.png",       "tests/fuzz/render/corpus/baseline.jpg",
    "tests/fuzz/render/corpus/progressive.jpg", "tests/fuzz/render/corpus/flat.jpg",
    "tests/fuzz/render/corpus/lossy.webp",      "tests/fuzz/render/corpus/lossless.webp",
    "tests/fuzz/render/corpus/alpha.webp",
};

static TestRandom random_numbers = {55};

static uint32_t below(uint32_t n)
{
    return test_random_below(&random_numbers, n);
}

static bool try_image(const uint8_t *bytes, size_t size)
{
    /* On the heap and of its size, so that reading beyond it is seen. */
    uint8_t *exact = cn_alloc(NULL, size);
    CnImage image;
    CnError error = {0};
    memcpy(exact, bytes, size);
    bool read = cn_image_read(&(CnImageReadDesc){.bytes = exact, .size = size, .name = "fuzz"},
                              &image, &error);
    assert_true(read == (error.code == CN_OK));
    assert_true(read == (image.pixels != NULL));
    uint32_t sum = 0;
    for (size_t i = 0; read && i < (size_t)image.width * image.height * 4; i++)
        sum += image.pixels[i];
    assert_true(sum <= 255u * 4 * image.width * image.height);
    cn_image_free(&image);
    cn_free(NULL, exact, size);
    return read;
}

/* Damage to checksums ends most tries; those of PNG are put right. */
static void fix_checksums(uint8_t *bytes, size_t size)
{
    for (size_t at = 8; at + 12 <= size;) {
        uint32_t length = (uint32_t)bytes[at] << 24 | (uint32_t)bytes[at + 1] << 16 |
                          (uint32_t)bytes[at + 2] << 8 | bytes[at + 3];
        if (length > size - at - 12)
            return;
        uint32_t crc = 0xFFFFFFFFu;
        for (size_t i = at + 4; i < at + 8 + length; i++) {
            crc ^= bytes[i];
            for (int bit = 0; bit < 8; bit++)
                crc = crc & 1 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
        }
        for (uint32_t i = 0; i < 4; i++)
            bytes[at + 8 + length + i] = (uint8_t)(~crc >> (24 - 8 * i));
        at += 12 + length;
    }
}

static void damaged_images_are_read_or_refused(void **state)
{
    (void)state;
    uint32_t taken = 0;
    for (uint32_t file = 0; file < CN_COUNT_OF(corpus); file++) {
        CnFileBytes bytes;
        CnError error = {0};
        assert_true(cn_file_read_all(cn_native_files(), corpus[file], NULL, &bytes, &error));
        assert_true(try_image(bytes.data, bytes.size));
        uint8_t *copy = cn_alloc(NULL, bytes.size);
        for (uint32_t round = 0; round < ROUNDS / CN_COUNT_OF(corpus); round++) {
            size_t size = below(8) ? bytes.size : 1 + below((uint32_t)bytes.size);
            memcpy(copy, bytes.data, bytes.size);
            for (uint32_t n = below(4); n > 0; n--)
                copy[below((uint32_t)size)] = (uint8_t)below(256);
            if (below(4))
                fix_checksums(copy, size);
            taken += try_image(copy, size);
        }
        cn_free(NULL, copy, bytes.size);
        cn_file_bytes_free(&bytes);
    }
    assert_in_range(taken, 100, ROUNDS - 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_images_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
