/* Image files. The checksums of PNG chunks are put right, so that what is behind them is read. */
#include "fuzz_surface.h"

#include "render/decode/decoder.h"

#include <cairn/base/memory.h>
#include <cairn/base/origin.h>

#include <string.h>

static void add_seeds(FuzzSeeds *seeds)
{
    static const char *const files[] = {"palette.png",  "gray16.png",      "alpha.png",
                                        "baseline.jpg", "progressive.jpg", "flat.jpg",
                                        "lossy.webp",   "lossless.webp",   "alpha.webp"};
    for (uint32_t i = 0; i < CN_COUNT_OF(files); i++) {
        char path[128];
        cn_format(path, sizeof path, "tests/fuzz/render/corpus/%s", files[i]);
        fuzz_add_file(seeds, path);
    }
}

static uint32_t big_endian(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void fix_checksums(uint8_t *bytes, size_t size)
{
    for (size_t at = 8; at + 12 <= size;) {
        uint32_t length = big_endian(bytes + at), crc = 0xFFFFFFFFu;
        if (length > size - at - 12)
            return;
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

static bool run(const uint8_t *bytes, size_t size)
{
    static CnBudget budget; /* small: large images take time and find nothing */
    uint8_t *copy = cn_alloc(NULL, size ? size : 1);
    CnImage image;
    CnError error = {0};
    FUZZ_CHECK(copy);
    if (size)
        memcpy(copy, bytes, size);
    if (size > 8 && copy[0] == 0x89)
        fix_checksums(copy, size);
    budget = *cn_budget_of(CN_ORIGIN_FOREIGN);
    budget.image_pixels = 1u << 16;
    bool accepted = cni_render_image_decode(
        &(CnImageReadDesc){.bytes = copy, .size = size, .name = "fuzz", .budget = &budget}, &image,
        &error);
    FUZZ_CHECK(accepted == (error.code == CN_OK));
    FUZZ_CHECK(accepted == (image.pixels != NULL));
    if (accepted) {
        uint64_t sum = 0, count = (uint64_t)image.width * image.height * 4;
        for (uint64_t i = 0; i < count; i++)
            sum += image.pixels[i];
        FUZZ_CHECK(count <= 4u << 16 && sum <= 255 * count);
    }
    cn_image_free(&image);
    cn_free(NULL, copy, size ? size : 1);
    return accepted;
}

const FuzzSurface fuzz_surface = {
    .max_bytes = 2048, .test_runs = 4000, .add_seeds = add_seeds, .run = run};
