/*
 * A picture for samples that draw: flat quads with depth, drawn four times as large as it is written.
 *
 *     Picture picture;
 *     picture_init(&picture, 1280, 720);
 *     picture_quad(&picture, corners, (PictureColour){200, 80, 40});
 *     picture_write(&picture, "out/boxes.png");
 *     picture_fini(&picture);
 *
 * Corners have x and y from 0 to 1, left to right and top to bottom, and depth from 0, near, to 1.
 */
#ifndef SAMPLES_PICTURE_H
#define SAMPLES_PICTURE_H

#include <cairn/base/vector.h>

#include <errno.h>
#include <spng.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct PictureColour {
    uint8_t r, g, b;
} PictureColour;

typedef struct Picture {
    int width, height; /* of what is drawn: twice that of the file */
    PictureColour *pixels;
    float *depth;
} Picture;

static inline bool picture_init(Picture *picture, int width, int height)
{
    *picture = (Picture){.width = width * 2, .height = height * 2};
    size_t count = (size_t)picture->width * (size_t)picture->height;
    picture->pixels = malloc(count * sizeof *picture->pixels);
    picture->depth = malloc(count * sizeof *picture->depth);
    if (!picture->pixels || !picture->depth)
        return false;
    for (size_t i = 0; i < count; i++) {
        float down = (float)(i / (size_t)picture->width) / (float)picture->height;
        picture->pixels[i] = (PictureColour){(uint8_t)(58 + 90 * down), (uint8_t)(78 + 90 * down),
                                             (uint8_t)(112 + 80 * down)};
        picture->depth[i] = 1;
    }
    return true;
}

static inline void picture_fini(Picture *picture)
{
    free(picture->pixels);
    free(picture->depth);
}

static inline float picture_side(const CnVec3 *a, const CnVec3 *b, float x, float y)
{
    return (b->x - a->x) * (y - a->y) - (b->y - a->y) * (x - a->x);
}

static inline int picture_clamp(float value, int most)
{
    return value < 0 ? 0 : value > (float)most ? most : (int)value;
}

/* Those that wind clockwise on the picture; the others show their back. */
static inline void picture_triangle(Picture *picture, CnVec3 a, CnVec3 b, CnVec3 c,
                                    PictureColour colour)
{
    CnVec3 *corners[] = {&a, &b, &c};
    float left = 1e9f, right = -1e9f, top = 1e9f, bottom = -1e9f;
    for (int i = 0; i < 3; i++) {
        CnVec3 *corner = corners[i];
        corner->x *= (float)picture->width;
        corner->y *= (float)picture->height;
        left = corner->x < left ? corner->x : left;
        right = corner->x > right ? corner->x : right;
        top = corner->y < top ? corner->y : top;
        bottom = corner->y > bottom ? corner->y : bottom;
    }
    float area = picture_side(&a, &b, c.x, c.y);
    if (area <= 0)
        return;
    int last_y = picture_clamp(bottom + 1, picture->height - 1),
        last_x = picture_clamp(right + 1, picture->width - 1);
    for (int y = picture_clamp(top, picture->height - 1); y <= last_y; y++) {
        for (int x = picture_clamp(left, picture->width - 1); x <= last_x; x++) {
            float px = (float)x + 0.5f, py = (float)y + 0.5f;
            float u = picture_side(&b, &c, px, py), v = picture_side(&c, &a, px, py),
                  w = picture_side(&a, &b, px, py);
            float depth = (u * a.z + v * b.z + w * c.z) / area;
            size_t at = (size_t)y * (size_t)picture->width + (size_t)x;
            if (u < 0 || v < 0 || w < 0 || depth < 0 || depth >= picture->depth[at])
                continue;
            picture->depth[at] = depth;
            picture->pixels[at] = colour;
        }
    }
}

static inline void picture_quad(Picture *picture, const CnVec3 corners[4], PictureColour colour)
{
    picture_triangle(picture, corners[0], corners[1], corners[2], colour);
    picture_triangle(picture, corners[0], corners[2], corners[3], colour);
}

static inline uint8_t picture_mean(uint8_t a, uint8_t b, uint8_t c, uint8_t d)
{
    return (uint8_t)((a + b + c + d + 2) / 4);
}

/* Four drawn pixels are one of the file. */
static inline void picture_shrink(const Picture *picture, PictureColour *out)
{
    for (int y = 0; y < picture->height; y += 2) {
        const PictureColour *upper = picture->pixels + (size_t)y * (size_t)picture->width,
                            *lower = upper + picture->width;
        for (int x = 0; x < picture->width; x += 2) {
            PictureColour a = upper[x], b = upper[x + 1], c = lower[x], d = lower[x + 1];
            *out++ =
                (PictureColour){picture_mean(a.r, b.r, c.r, d.r), picture_mean(a.g, b.g, c.g, d.g),
                                picture_mean(a.b, b.b, c.b, d.b)};
        }
    }
}

static inline bool picture_encode(FILE *file, const PictureColour *pixels, uint32_t width,
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
static inline bool picture_write(const Picture *picture, const char *path)
{
    uint32_t width = (uint32_t)picture->width / 2, height = (uint32_t)picture->height / 2;
    PictureColour *small = malloc((size_t)width * height * sizeof *small);
    mkdir("out", 0777);
    FILE *file = small ? fopen(path, "wb") : NULL;
    bool done = false;
    if (file) {
        picture_shrink(picture, small);
        done = picture_encode(file, small, width, height);
        done &= fclose(file) == 0;
    }
    free(small);
    if (!done)
        fprintf(stderr, "cannot write %s: %s\n", path, strerror(errno));
    return done;
}

#endif
