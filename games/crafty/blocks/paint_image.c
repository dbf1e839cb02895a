/* Converts a canvas to GPU data: normals from heights, and mip levels. */
#include "painter.h"

#include <string.h>

/* ---- Conversion between sRGB and 16-bit linear ---- */

static uint16_t linear_table[256];

/* Fifth root by Newton's method, so that tiles do not depend on libm. */
static double fifth_root(double value)
{
    double root = 1;
    for (int i = 0; i < 60; i++)
        root = (4 * root + value / (root * root * root * root)) / 5;
    return root;
}

static void make_linear_table(void)
{
    for (int i = 0; i < 256; i++) {
        double s = i / 255.0, t = (s + .055) / 1.055;
        double linear = s <= .04045 ? s / 12.92 : t * t * fifth_root(t * t);
        linear_table[i] = (uint16_t)(linear * 65535 + .5);
    }
}

static uint8_t srgb_of(uint32_t linear)
{
    int low = 0, high = 255;
    while (low < high) {
        int middle = (low + high) / 2;
        if (linear_table[middle] < linear)
            low = middle + 1;
        else
            high = middle;
    }
    bool below = low > 0 && linear - linear_table[low - 1] < linear_table[low] - linear;
    return (uint8_t)(below ? low - 1 : low);
}

/* ---- Normals ---- */

/* Number of height steps that equal the width of a pixel. Colors already contain light and shadow;
 * normals only support them. */
#define HEIGHT_OF_PIXEL 75

static int isqrt(int64_t value)
{
    int64_t root = 0;
    for (int64_t bit = (int64_t)1 << 24; bit; bit >>= 1)
        if ((root + bit) * (root + bit) <= value)
            root += bit;
    return (int)root;
}

/* Maps -127 to 127 to bytes around 128. */
static uint8_t signed_byte(int value)
{
    return (uint8_t)(128 + (value < -127 ? -127 : value > 127 ? 127 : value));
}

/* x to the right, y up; z completes the vector to length 1. */
static void write_normal(uint8_t out[2], int x, int y, int z)
{
    int length = isqrt((int64_t)x * x + (int64_t)y * y + (int64_t)z * z);
    if (length == 0) {
        out[0] = out[1] = 128;
        return;
    }
    out[0] = signed_byte(x * 127 / length);
    out[1] = signed_byte(y * 127 / length);
}

static void detail_of(const Canvas *c, uint8_t *detail)
{
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int right = c->height[y][(x + 1) & 15] - c->height[y][(x - 1) & 15];
            int down = c->height[(y + 1) & 15][x] - c->height[(y - 1) & 15][x];
            uint8_t *out = detail + 4 * (y * PAINT_SIZE + x);
            write_normal(out, -right, down, 2 * HEIGHT_OF_PIXEL);
            out[2] = c->rough[y][x];
            out[3] = c->glow[y][x];
        }
}

/* ---- Mip levels ---- */

static void halve_color(const uint8_t *from, int size, uint8_t *to)
{
    for (int y = 0; y < size / 2; y++)
        for (int x = 0; x < size / 2; x++) {
            uint32_t sum[3] = {0}, alpha = 0;
            for (int i = 0; i < 4; i++) {
                const uint8_t *pixel = from + 4 * ((2 * y + i / 2) * size + 2 * x + i % 2);
                for (int k = 0; k < 3; k++)
                    sum[k] += (uint32_t)linear_table[pixel[k]] * pixel[3];
                alpha += pixel[3];
            }
            uint8_t *out = to + 4 * (y * (size / 2) + x);
            for (int k = 0; k < 3; k++)
                out[k] = alpha ? srgb_of(sum[k] / alpha) : 0;
            out[3] = (uint8_t)((alpha + 2) / 4);
        }
}

static void halve_detail(const uint8_t *from, int size, uint8_t *to)
{
    for (int y = 0; y < size / 2; y++)
        for (int x = 0; x < size / 2; x++) {
            int sum[4] = {0}, z = 0;
            for (int i = 0; i < 4; i++) {
                const uint8_t *pixel = from + 4 * ((2 * y + i / 2) * size + 2 * x + i % 2);
                int nx = pixel[0] - 128, ny = pixel[1] - 128;
                int rest = 127 * 127 - nx * nx - ny * ny;
                z += isqrt(rest > 0 ? rest : 0);
                sum[0] += nx;
                sum[1] += ny;
                sum[2] += pixel[2];
                sum[3] += pixel[3];
            }
            uint8_t *out = to + 4 * (y * (size / 2) + x);
            write_normal(out, sum[0], sum[1], z);
            out[2] = (uint8_t)((sum[2] + 2) / 4);
            out[3] = (uint8_t)((sum[3] + 2) / 4);
        }
}

/* Returns the fraction of drawn pixels, out of 256 * 256. */
static int64_t coverage(const uint8_t *pixels, int size, int limit)
{
    int64_t count = 0;
    for (int i = 0; i < size * size; i++)
        count += pixels[4 * i + 3] >= limit;
    return count * 65536 / (size * size);
}

/* Averaged alpha makes leaves vanish in the distance. Scales it so that the alpha test at 128 draws
 * the same fraction as in the full image. */
static void keep_coverage(uint8_t *pixels, int size, int64_t wanted)
{
    int best = 128;
    int64_t best_error = INT64_MAX;
    for (int limit = 1; limit < 256; limit++) {
        int64_t difference = coverage(pixels, size, limit) - wanted;
        int64_t error = (difference < 0 ? -difference : difference) * 512 +
                        (limit > 128 ? limit - 128 : 128 - limit);
        if (error < best_error) {
            best = limit;
            best_error = error;
        }
    }
    for (int i = 0; i < size * size; i++) {
        int alpha = pixels[4 * i + 3] * 128 / best;
        pixels[4 * i + 3] = (uint8_t)(alpha > 255 ? 255 : alpha);
    }
}

void tile_image_make(const Canvas *canvas, TileImage *image)
{
    if (!linear_table[255])
        make_linear_table();
    memcpy(image->color, canvas->color, sizeof canvas->color);
    detail_of(canvas, image->detail);
    int64_t wanted = coverage(image->color, PAINT_SIZE, 128);
    image->has_holes = wanted < 65536;

    uint8_t plain[2][PAINT_SIZE * PAINT_SIZE * 4]; /* levels before scaling alpha */
    memcpy(plain[0], canvas->color, sizeof canvas->color);
    size_t at = 0;
    int turn = 0;
    for (int size = PAINT_SIZE; size > 1; size /= 2, turn ^= 1) {
        size_t next = at + (size_t)size * (size_t)size * 4;
        size_t bytes = (size_t)size * (size_t)size;
        halve_color(plain[turn], size, plain[turn ^ 1]);
        memcpy(image->color + next, plain[turn ^ 1], bytes);
        if (image->has_holes)
            keep_coverage(image->color + next, size / 2, wanted);
        halve_detail(image->detail + at, size, image->detail + next);
        at = next;
    }
}
