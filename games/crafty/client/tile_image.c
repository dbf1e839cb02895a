#include "tile_image.h"

#include <cairn/base/math.h>

#include <string.h>

#define VISIBLE 128 /* alpha from which a pixel is drawn */

/* ---- Averages in linear light ---- */

static float linear_of(uint8_t value)
{
    float s = (float)value / 255;
    return s <= 0.04045f ? s / 12.92f : cn_powf((s + 0.055f) / 1.055f, 2.4f);
}

static uint8_t srgb_of(float linear)
{
    float s = linear <= 0.0031308f ? linear * 12.92f : 1.055f * cn_powf(linear, 1 / 2.4f) - 0.055f;
    return (uint8_t)((s < 0 ? 0 : s > 1 ? 1 : s) * 255 + 0.5f);
}

/* Writes the average of a square of `step` x `step` pixels. */
static void average(const uint8_t *pixels, uint32_t width, uint32_t step, uint8_t out[4])
{
    float sum[3] = {0, 0, 0};
    uint32_t alpha = 0;
    for (uint32_t i = 0; i < step * step; i++) {
        const uint8_t *pixel = pixels + ((size_t)(i / step) * width + i % step) * 4;
        for (uint32_t k = 0; k < 3; k++)
            sum[k] += linear_of(pixel[k]) * (float)pixel[3];
        alpha += pixel[3];
    }
    for (uint32_t k = 0; k < 3; k++)
        out[k] = alpha ? srgb_of(sum[k] / (float)alpha) : 0;
    out[3] = (uint8_t)((alpha + step * step / 2) / (step * step));
}

static void reduce(const uint8_t *pixels, uint32_t width, uint32_t size, uint8_t *out)
{
    uint32_t step = width / size;
    for (uint32_t y = 0; y < size; y++)
        for (uint32_t x = 0; x < size; x++)
            average(pixels + ((size_t)y * step * width + (size_t)x * step) * 4, width, step,
                    out + ((size_t)y * size + x) * 4);
}

/* ---- Holes ---- */

/* Returns how many of 65,536 pixels have at least this alpha. */
static uint32_t share_of(const uint8_t *pixels, uint32_t count, uint32_t alpha)
{
    uint32_t drawn = 0;
    for (uint32_t i = 0; i < count; i++)
        drawn += pixels[4 * i + 3] >= alpha;
    return drawn * 65536u / count;
}

/* Averaged alpha makes leaves vanish in the distance. */
static void keep_share(uint8_t *pixels, uint32_t count, uint32_t wanted)
{
    uint32_t best = VISIBLE, least = UINT32_MAX;
    for (uint32_t limit = 1; limit < 256; limit++) {
        uint32_t share = share_of(pixels, count, limit);
        uint32_t off = (share > wanted ? share - wanted : wanted - share) * 512;
        off += limit > VISIBLE ? limit - VISIBLE : VISIBLE - limit;
        if (off < least) {
            least = off;
            best = limit;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t alpha = pixels[4 * i + 3] * VISIBLE / best;
        pixels[4 * i + 3] = (uint8_t)(alpha > 255 ? 255 : alpha);
    }
}

static void make_levels(CraftyTileImage *tile)
{
    uint32_t wanted = share_of(tile->color, CN_TILE_SIZE * CN_TILE_SIZE, VISIBLE);
    uint8_t *level = tile->color;
    tile->has_holes = wanted < 65536;
    for (uint32_t i = 1; i < CN_TILE_LEVELS; i++) {
        uint32_t size = CN_TILE_SIZE >> i;
        level += CRAFTY_TILE_LEVEL_BYTES(i - 1);
        reduce(tile->color, CN_TILE_SIZE, size, level);
        if (tile->has_holes)
            keep_share(level, size * size, wanted);
    }
}

bool crafty_tile_image_make(const CnImage *image, CraftyTileImage *tile, CnError *error)
{
    uint32_t width = image->width;
    if (width != image->height || (width != 16 && width != 32 && width != 64))
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "the image has %u x %u pixels; textures have 16 x 16, 32 x 32 or 64 x "
                            "64",
                            image->width, image->height);
    if (width == CN_TILE_SIZE)
        memcpy(tile->color, image->pixels, CRAFTY_TILE_LEVEL_BYTES(0));
    else
        reduce(image->pixels, width, CN_TILE_SIZE, tile->color);
    make_levels(tile);
    return true;
}

void crafty_tile_image_missing(CraftyTileImage *tile)
{
    static const uint8_t colors[2][4] = {{230, 0, 200, 255}, {16, 16, 16, 255}};
    for (uint32_t i = 0; i < CN_TILE_SIZE * CN_TILE_SIZE; i++)
        memcpy(tile->color + 4 * i, colors[(i / 4 + i / 64) % 2], 4);
    make_levels(tile);
}
