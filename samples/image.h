/*
 * A software renderer for samples: flat quads with depth, drawn with four samples per pixel.
 *
 *     Image image;
 *     image_init(&image, 1280, 720);
 *     image_quad(&image, corners, (ImageColor){200, 80, 40});
 *     image_write(&image, "out/boxes.png");
 *     image_fini(&image);
 *
 * Corners have x and y from 0 to 1, left to right and top to bottom, and depth from 0, near, to 1.
 */
#ifndef SAMPLES_IMAGE_H
#define SAMPLES_IMAGE_H

#include <cairn/base/console.h>
#include <cairn/base/vector.h>

#include <errno.h>
#include <spng.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct ImageColor {
    uint8_t r, g, b;
} ImageColor;

typedef struct Image {
    int width, height; /* rendered size: twice that of the file */
    ImageColor *pixels;
    float *depth;
} Image;

static inline bool image_init(Image *image, int width, int height)
{
    *image = (Image){.width = width * 2, .height = height * 2};
    size_t count = (size_t)image->width * (size_t)image->height;
    image->pixels = malloc(count * sizeof *image->pixels);
    image->depth = malloc(count * sizeof *image->depth);
    if (!image->pixels || !image->depth)
        return false;
    for (size_t i = 0; i < count; i++) {
        float down = (float)(i / (size_t)image->width) / (float)image->height;
        image->pixels[i] = (ImageColor){(uint8_t)(58 + 90 * down), (uint8_t)(78 + 90 * down),
                                        (uint8_t)(112 + 80 * down)};
        image->depth[i] = 1;
    }
    return true;
}

static inline void image_fini(Image *image)
{
    free(image->pixels);
    free(image->depth);
}

static inline float image_side(const CnVec3 *a, const CnVec3 *b, float x, float y)
{
    return (b->x - a->x) * (y - a->y) - (b->y - a->y) * (x - a->x);
}

static inline int image_clamp(float value, int most)
{
    return value < 0 ? 0 : value > (float)most ? most : (int)value;
}

/* Draws a triangle if it is clockwise in the image; others are back faces. */
static inline void image_triangle(Image *image, CnVec3 a, CnVec3 b, CnVec3 c, ImageColor color)
{
    CnVec3 *corners[] = {&a, &b, &c};
    float left = 1e9f, right = -1e9f, top = 1e9f, bottom = -1e9f;
    for (int i = 0; i < 3; i++) {
        CnVec3 *corner = corners[i];
        corner->x *= (float)image->width;
        corner->y *= (float)image->height;
        left = corner->x < left ? corner->x : left;
        right = corner->x > right ? corner->x : right;
        top = corner->y < top ? corner->y : top;
        bottom = corner->y > bottom ? corner->y : bottom;
    }
    float area = image_side(&a, &b, c.x, c.y);
    if (area <= 0)
        return;
    int last_y = image_clamp(bottom + 1, image->height - 1),
        last_x = image_clamp(right + 1, image->width - 1);
    for (int y = image_clamp(top, image->height - 1); y <= last_y; y++) {
        for (int x = image_clamp(left, image->width - 1); x <= last_x; x++) {
            float px = (float)x + 0.5f, py = (float)y + 0.5f;
            float u = image_side(&b, &c, px, py), v = image_side(&c, &a, px, py),
                  w = image_side(&a, &b, px, py);
            float depth = (u * a.z + v * b.z + w * c.z) / area;
            size_t at = (size_t)y * (size_t)image->width + (size_t)x;
            if (u < 0 || v < 0 || w < 0 || depth < 0 || depth >= image->depth[at])
                continue;
            image->depth[at] = depth;
            image->pixels[at] = color;
        }
    }
}

static inline void image_quad(Image *image, const CnVec3 corners[4], ImageColor color)
{
    image_triangle(image, corners[0], corners[1], corners[2], color);
    image_triangle(image, corners[0], corners[2], corners[3], color);
}

static inline uint8_t image_mean(uint8_t a, uint8_t b, uint8_t c, uint8_t d)
{
    return (uint8_t)((a + b + c + d + 2) / 4);
}

/* Four drawn pixels are one of the file. */
static inline void image_shrink(const Image *image, ImageColor *out)
{
    for (int y = 0; y < image->height; y += 2) {
        const ImageColor *upper = image->pixels + (size_t)y * (size_t)image->width,
                         *lower = upper + image->width;
        for (int x = 0; x < image->width; x += 2) {
            ImageColor a = upper[x], b = upper[x + 1], c = lower[x], d = lower[x + 1];
            *out++ = (ImageColor){image_mean(a.r, b.r, c.r, d.r), image_mean(a.g, b.g, c.g, d.g),
                                  image_mean(a.b, b.b, c.b, d.b)};
        }
    }
}

static inline bool image_encode(FILE *file, const ImageColor *pixels, uint32_t width,
                                uint32_t height)
{
    spng_ctx *png = spng_ctx_new(SPNG_CTX_ENCODER);
    struct spng_ihdr header = {
        .width = width, .height = height, .bit_depth = 8, .color_type = SPNG_COLOR_TYPE_TRUECOLOR};
    bool done = png && !spng_set_png_file(png, file) && !spng_set_ihdr(png, &header) &&
                !spng_encode_image(png, pixels, (size_t)width * height * sizeof *pixels,
                                   SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE);
    spng_ctx_free(png);
    return done;
}

/* Into the folder out/, which is made. */
static inline bool image_write(const Image *image, const char *path)
{
    uint32_t width = (uint32_t)image->width / 2, height = (uint32_t)image->height / 2;
    ImageColor *small = malloc((size_t)width * height * sizeof *small);
    mkdir("out", 0777);
    FILE *file = small ? fopen(path, "wb") : NULL;
    bool done = false;
    if (file) {
        image_shrink(image, small);
        done = image_encode(file, small, width, height);
        done &= fclose(file) == 0;
    }
    free(small);
    if (!done)
        cn_print_error("cannot write %s: %s", path, strerror(errno));
    return done;
}

#endif
