#include "golden_image.h"

#include <stdlib.h>
#include <string.h>

#define IMAGES "tests/golden/render/images"
#define MAX_DIFFERENCE 2
#define MAX_SHARE 0.001

typedef struct Difference {
    uint32_t pixels; /* that differ too much */
    uint32_t largest;
    uint8_t *image; /* RGBA: the difference, amplified eight times */
} Difference;

static bool is_flat(const uint8_t *rgba, size_t pixels)
{
    size_t i = 1;
    while (i < pixels && !memcmp(rgba, rgba + i * 4, 4))
        i++;
    return i >= pixels;
}

static void compare(const uint8_t *a, const uint8_t *b, size_t pixels, Difference *difference)
{
    for (size_t i = 0; i < pixels; i++) {
        uint32_t most = 0;
        for (size_t c = 0; c < 4; c++) {
            uint32_t d = (uint32_t)abs(a[i * 4 + c] - b[i * 4 + c]);
            most = d > most ? d : most;
            difference->image[i * 4 + c] = c == 3 ? 255 : (uint8_t)(d * 8 > 255 ? 255 : d * 8);
        }
        difference->pixels += most > MAX_DIFFERENCE;
        difference->largest = most > difference->largest ? most : difference->largest;
    }
}

static void write_png(const char *path, const uint8_t *rgba, uint32_t width, uint32_t height)
{
    CnError error = {0};
    CnImage image = {.width = width, .height = height, .pixels = (uint8_t *)(uintptr_t)rgba};
    if (!cn_image_write(&image, cn_native_files(), path, &error))
        fail_msg("%s", error.message);
}

/* A path in a folder that stays after the test. */
static void write_failure(const char *name, const char *kind, const uint8_t *rgba, uint32_t width,
                          uint32_t height)
{
    char folder[256], path[512];
    const char *parent = getenv("TMPDIR");
    cn_format(folder, sizeof folder, "%s/cairn-golden", parent && parent[0] ? parent : "/tmp");
    cn_native_files()->make_folder(cn_native_files(), folder, NULL);
    cn_format(path, sizeof path, "%s/%s.%s.png", folder, name, kind);
    write_png(path, rgba, width, height);
    print_message("%s\n", path);
}

static void check(const char *name, const CnImage *golden, const uint8_t *rgba, uint32_t width,
                  uint32_t height)
{
    if (golden->width != width || golden->height != height)
        fail_msg("%s is %u x %u, the golden image %u x %u", name, width, height, golden->width,
                 golden->height);
    size_t pixels = (size_t)width * height;
    Difference difference = {.image = cn_alloc(NULL, pixels * 4)};
    assert_non_null(difference.image);
    compare(rgba, golden->pixels, pixels, &difference);
    bool ok = difference.pixels <= MAX_SHARE * (double)pixels;
    if (!ok) {
        write_failure(name, "actual", rgba, width, height);
        write_failure(name, "difference", difference.image, width, height);
    }
    cn_free(NULL, difference.image, pixels * 4);
    if (!ok)
        fail_msg("%s: %u of %zu pixels (%.3f %%) differ by more than %d, the most by %u", name,
                 difference.pixels, pixels, 100.0 * difference.pixels / (double)pixels,
                 MAX_DIFFERENCE, difference.largest);
}

void assert_golden_pixels(const char *name, const uint8_t *rgba, uint32_t width, uint32_t height)
{
    char path[512];
    cn_format(path, sizeof path, IMAGES "/%s.png", name);
    if (is_flat(rgba, (size_t)width * height)) {
        write_failure(name, "actual", rgba, width, height);
        fail_msg("%s is of one color: %u %u %u %u", name, rgba[0], rgba[1], rgba[2], rgba[3]);
    }
    if (getenv("CAIRN_UPDATE_GOLDEN")) {
        cn_native_files()->make_folder(cn_native_files(), IMAGES, NULL);
        write_png(path, rgba, width, height);
        return;
    }
    CnError error = {0};
    CnFileBytes bytes;
    CnImage golden;
    if (!cn_file_read_all(cn_native_files(), path, NULL, &bytes, &error))
        fail_msg("%s (CAIRN_UPDATE_GOLDEN=1 writes it)", error.message);
    bool ok = cn_image_read(
        &(CnImageReadDesc){.bytes = bytes.data, .size = bytes.size, .name = path}, &golden, &error);
    cn_file_bytes_free(&bytes);
    if (!ok)
        fail_msg("%s", error.message);
    check(name, &golden, rgba, width, height);
    cn_image_free(&golden);
}

void assert_golden_image(const char *name, const RenderFixture *fixture)
{
    assert_golden_pixels(name, fixture->pixels, fixture->frame_desc.width,
                         fixture->frame_desc.height);
}
