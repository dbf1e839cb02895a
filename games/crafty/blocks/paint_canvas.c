/* A canvas of 16 x 16 pixels: shades, points, tiling noise. */
#include "painter.h"

/* ---- Colors ---- */

static uint32_t channel(uint32_t color, int index)
{
    return color >> (16 - 8 * index) & 255u;
}

static uint32_t color_of(uint32_t red, uint32_t green, uint32_t blue)
{
    return red << 16 | green << 8 | blue;
}

uint32_t mix_color(uint32_t a, uint32_t b, uint32_t part)
{
    uint32_t mixed[3];
    for (int i = 0; i < 3; i++)
        mixed[i] = (channel(a, i) * (256 - part) + channel(b, i) * part + 128) >> 8;
    return color_of(mixed[0], mixed[1], mixed[2]);
}

/* Increases saturation by `part` of 256. */
static uint32_t saturate(uint32_t color, int part)
{
    int gray =
        (int)(channel(color, 0) * 77 + channel(color, 1) * 150 + channel(color, 2) * 29) / 256;
    uint32_t result[3];
    for (int i = 0; i < 3; i++) {
        int value = (int)channel(color, i);
        value += (value - gray) * part / 256;
        result[i] = (uint32_t)(value < 0 ? 0 : value > 255 ? 255 : value);
    }
    return color_of(result[0], result[1], result[2]);
}

Ramp ramp_of(uint32_t color, uint32_t contrast)
{
    /* Weights of the color and of a violet shadow or a warm light, out of 256. */
    static const struct {
        uint32_t keep, tint;
    } steps[SHADES] = {{118, 40}, {172, 26}, {214, 12}, {256, 0}, {256, 44}, {256, 92}};
    Ramp ramp;
    for (int i = 0; i < SHADES; i++) {
        uint32_t lost = (256 - steps[i].keep) * contrast / 100;
        uint32_t tint = steps[i].tint * contrast / 100;
        uint32_t shade = mix_color(color, 0, lost > 240 ? 240 : lost);
        if (i < 3)
            shade = saturate(mix_color(shade, 0x2B2350, tint), 30 * (3 - i));
        else if (i > 3)
            shade = mix_color(shade, 0xFFF6DA, tint > 255 ? 255 : tint);
        ramp.shade[i] = shade;
    }
    return ramp;
}

/* ---- Points ---- */

void put(Canvas *c, int x, int y, uint32_t color)
{
    uint8_t *pixel = c->color[y & 15][x & 15];
    for (int i = 0; i < 3; i++)
        pixel[i] = (uint8_t)channel(color, i);
    pixel[3] = 255;
}

void put_shade(Canvas *c, int x, int y, const Ramp *ramp, int shade)
{
    int clamped = shade < 0 ? 0 : shade >= SHADES ? SHADES - 1 : shade;
    put(c, x, y, ramp->shade[clamped]);
    c->height[y & 15][x & 15] = (uint8_t)(128 + (clamped - 3) * 14);
}

void erase(Canvas *c, int x, int y)
{
    for (int i = 0; i < 4; i++)
        c->color[y & 15][x & 15][i] = 0;
    c->height[y & 15][x & 15] = 0;
}

uint32_t get_color(const Canvas *c, int x, int y)
{
    const uint8_t *pixel = c->color[y & 15][x & 15];
    return color_of(pixel[0], pixel[1], pixel[2]);
}

bool is_filled(const Canvas *c, int x, int y)
{
    return c->color[y & 15][x & 15][3] != 0;
}

void fill_rough(Canvas *c, uint8_t rough)
{
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++)
            c->rough[y][x] = rough;
}

/* Darkens towards a violet black by `part` of 256, or lightens if it is negative. */
void shade_pixel(Canvas *c, int x, int y, int part)
{
    uint8_t alpha = c->color[y & 15][x & 15][3];
    uint32_t color = get_color(c, x, y);
    put(c, x, y,
        part >= 0 ? mix_color(color, 0x120C20, (uint32_t)part)
                  : mix_color(color, 0xFFF6DA, (uint32_t)-part));
    c->color[y & 15][x & 15][3] = alpha;
}

void set_height(Canvas *c, int x, int y, int height)
{
    c->height[y & 15][x & 15] = (uint8_t)(height < 0 ? 0 : height > 255 ? 255 : height);
}

void set_glow(Canvas *c, int x, int y, int glow)
{
    c->glow[y & 15][x & 15] = (uint8_t)glow;
}

void set_rough(Canvas *c, int x, int y, int rough)
{
    c->rough[y & 15][x & 15] = (uint8_t)rough;
}

void draw_sprite(Canvas *c, int left, int top, const char *const *rows, int row_count,
                 const Ramp *ramps)
{
    for (int y = 0; y < row_count; y++)
        for (int x = 0; rows[y][x]; x++) {
            char letter = rows[y][x];
            if (letter >= '0' && letter <= '5')
                put_shade(c, left + x, top + y, &ramps[0], letter - '0');
            else if (letter >= 'a' && letter <= 'f')
                put_shade(c, left + x, top + y, &ramps[1], letter - 'a');
            else if (letter >= 'A' && letter <= 'F')
                put_shade(c, left + x, top + y, &ramps[2], letter - 'A');
            else if (letter == '-')
                erase(c, left + x, top + y);
        }
}

/* ---- Noise ---- */

uint32_t hash2(uint32_t seed, int x, int y)
{
    uint32_t h = seed * 0x9E3779B1u + (uint32_t)x * 0x85EBCA77u + (uint32_t)y * 0xC2B2AE3Du;
    h = (h ^ h >> 15) * 0x2C1B3C6Du;
    h = (h ^ h >> 12) * 0x297A2D39u;
    return h ^ h >> 15;
}

/* Smooth step: 0 to 256 for 0 to `span`. */
static int ease(int at, int span)
{
    int t = at * 256 / span;
    return t * t * (768 - 2 * t) / 65536;
}

int smooth_noise(uint32_t seed, int x, int y, int cells_x, int cells_y)
{
    int width = PAINT_SIZE / cells_x, height = PAINT_SIZE / cells_y;
    x &= 15;
    y &= 15;
    int left = x / width, top = y / height;
    int right = (left + 1) % cells_x, bottom = (top + 1) % cells_y;
    int u = ease(x % width, width), v = ease(y % height, height);
    int upper = (int)(hash2(seed, left, top) & 255u) * (256 - u) +
                (int)(hash2(seed, right, top) & 255u) * u;
    int lower = (int)(hash2(seed, left, bottom) & 255u) * (256 - u) +
                (int)(hash2(seed, right, bottom) & 255u) * u;
    return (int)(((int64_t)upper * (256 - v) + (int64_t)lower * v) >> 16);
}

static int square_root(int value)
{
    int root = 0;
    for (int bit = 1 << 12; bit; bit >>= 1)
        if ((root + bit) * (root + bit) <= value)
            root += bit;
    return root;
}

NearPoint near_point(uint32_t seed, int x, int y, int cells)
{
    int span = 256 / cells, place_x = (x & 15) * 16 + 8, place_y = (y & 15) * 16 + 8;
    NearPoint found = {.near = 1 << 30, .further = 1 << 30};
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++) {
            int column = place_x / span + i, row = place_y / span + j;
            int wrapped_x = (column + cells) % cells, wrapped_y = (row + cells) % cells;
            uint32_t h = hash2(seed, wrapped_x, wrapped_y);
            int point_x = column * span + span / 8 + (int)((h & 255u) * (uint32_t)span * 3 / 1024);
            int point_y =
                row * span + span / 8 + (int)((h >> 8 & 255u) * (uint32_t)span * 3 / 1024);
            int dx = place_x - point_x, dy = place_y - point_y, square = dx * dx + dy * dy;
            if (square < found.near) {
                found.further = found.near;
                found = (NearPoint){wrapped_x + cells * wrapped_y, square, found.further, dx, dy};
            } else if (square < found.further) {
                found.further = square;
            }
        }
    found.near = square_root(found.near);
    found.further = square_root(found.further);
    return found;
}
