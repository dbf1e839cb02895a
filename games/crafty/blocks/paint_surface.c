/* Shared surfaces: stone, soil, boards, brick layouts, cracks and moss. */
#include "painter.h"

/* ---- Layouts ---- */

static Brick brick_in(int id, int x, int y, int width, int height)
{
    Brick brick = {.id = id, .x = x, .y = y, .width = width, .height = height};
    brick.joint = x == width - 1 || y == height - 1;
    brick.lit = !brick.joint && (y == 0 || x == 0);
    brick.dark = !brick.joint && !brick.lit && (y == height - 2 || x == width - 2);
    return brick;
}

Brick brick_at(int x, int y, int width, int height, int shift)
{
    int row = (y & 15) / height;
    int moved = (x + (row & 1 ? shift : 0)) & 15;
    return brick_in(row * 16 + moved / width, moved % width, (y & 15) % height, width, height);
}

Brick ashlar_at(int x, int y)
{
    /* Left, top, width, height: they fill the tile and wrap around its edges. */
    static const uint8_t slabs[][4] = {{0, 0, 9, 6},  {9, 0, 7, 4},  {9, 4, 7, 6}, {0, 6, 5, 5},
                                       {5, 6, 4, 10}, {0, 11, 5, 5}, {9, 10, 7, 6}};
    x = (x + 3) & 15;
    y = (y + 2) & 15;
    for (int i = 0; i < (int)(sizeof slabs / sizeof slabs[0]); i++) {
        const uint8_t *s = slabs[i];
        if (x >= s[0] && x < s[0] + s[2] && y >= s[1] && y < s[1] + s[3])
            return brick_in(i, x - s[0], y - s[1], s[2], s[3]);
    }
    return (Brick){.joint = true};
}

/* ---- Stone ---- */

static int clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

static uint32_t stone_seed(const PaintMaterial *stone)
{
    return stone->color * 7919u + stone->kind;
}

static int plain_shade(uint32_t seed, int x, int y)
{
    int value = smooth_noise(seed, x, y, 4, 4) * 4 + smooth_noise(seed + 1, x, y, 8, 8) * 2 +
                (int)(hash2(seed + 3, x, y) & 255u) * 2;
    int spot = smooth_noise(seed + 2, x, y, 8, 8);
    int shade = value < 8 * 100 ? 2 : value < 8 * 156 ? 3 : 4;
    return spot > 226 ? shade - 1 : shade;
}

static void grained_pixel(Canvas *c, const PaintMaterial *stone, int x, int y, int delta)
{
    uint32_t seed = stone_seed(stone);
    NearPoint grain = near_point(seed, x, y, 8);
    uint32_t dice = hash2(seed + 5, grain.id, 0) % 16;
    uint32_t color = dice < 4 ? stone->second : dice < 7 ? stone->third : stone->color;
    Ramp ramp = ramp_of(color, stone->contrast);
    int shade = smooth_noise(seed + 1, x, y, 8, 8) > 190 ? 4 : 3;
    put_shade(c, x, y, &ramp, shade - (dice > 12) + delta);
}

static void veined_pixel(Canvas *c, const PaintMaterial *stone, int x, int y, int delta)
{
    uint32_t seed = stone_seed(stone);
    Ramp ramp = ramp_of(stone->color, stone->contrast);
    Ramp veins = ramp_of(stone->second, stone->contrast);
    int cloud = smooth_noise(seed, x, y, 2, 4);
    put_shade(c, x, y, &ramp, (cloud < 90 ? 2 : cloud < 170 ? 3 : 4) + delta);
    /* A diagonal closes after 16 rows; periodic noise bends it. */
    int bend = smooth_noise(seed + 1, 0, y, 1, 4) / 40 + smooth_noise(seed + 2, 0, y, 1, 8) / 80;
    int first = (x - y - bend) & 15, second = (x + y + 2 * bend + 5) & 15;
    if (first == 0 || (first == 1 && smooth_noise(seed + 3, x, y, 4, 4) > 140))
        put_shade(c, x, y, &veins, 3 + delta);
    else if (first == 2 && (hash2(seed, x, y) & 1))
        put_shade(c, x, y, &veins, 4 + delta);
    else if (second == 0 && smooth_noise(seed + 4, x, y, 2, 2) > 128)
        put_shade(c, x, y, &veins, 4 + delta);
}

static int layered_shade(uint32_t seed, int x, int y)
{
    int bent = y + smooth_noise(seed + 3, x, 0, 4, 1) / 120;
    int band = (int)(hash2(seed, 0, bent & 15) & 255u);
    int value =
        band * 2 + smooth_noise(seed + 1, x, y, 4, 8) * 2 + smooth_noise(seed + 2, x, y, 4, 16);
    return value < 5 * 92 ? 2 : value < 5 * 158 ? 3 : 4;
}

static int column_shade(uint32_t seed, int x, int y)
{
    int bent = x + smooth_noise(seed + 3, 0, y, 1, 2) / 140;
    int column = (bent & 15) % 4, group = (bent & 15) / 4;
    int worn = smooth_noise(seed + 1, x, y, 8, 2);
    int shade = column == 0 ? 4 : column == 3 ? 1 : 3;
    return shade - (worn > 180) + (worn < 50) - (int)(hash2(seed, group, 0) & 1);
}

static int glassy_shade(uint32_t seed, int x, int y)
{
    int cloud = smooth_noise(seed, x, y, 4, 4);
    int shine = (x + y + smooth_noise(seed + 1, x, y, 2, 2) / 32) & 15;
    int shade = cloud < 100 ? 2 : cloud < 190 ? 3 : 4;
    return shine == 0 && cloud > 90 ? 5 : shade;
}

void stone_pixel(Canvas *c, const PaintMaterial *stone, int x, int y, int delta)
{
    uint32_t seed = stone_seed(stone);
    if (stone->kind == PAINT_STONE_GRAINED) {
        grained_pixel(c, stone, x, y, delta);
        return;
    }
    if (stone->kind == PAINT_STONE_VEINED) {
        veined_pixel(c, stone, x, y, delta);
        return;
    }
    int shade = stone->kind == PAINT_STONE_LAYERED   ? layered_shade(seed, x, y)
                : stone->kind == PAINT_STONE_COLUMNS ? column_shade(seed, x, y)
                : stone->kind == PAINT_STONE_GLASSY  ? glassy_shade(seed, x, y)
                                                     : plain_shade(seed, x, y);
    Ramp ramp = ramp_of(stone->color, stone->contrast);
    Ramp other = ramp_of(stone->second, stone->contrast);
    bool glint = stone->kind == PAINT_STONE_GLASSY && shade >= 4;
    put_shade(c, x, y, glint ? &other : &ramp, (glint ? shade - 1 : shade) + delta);
}

void stone_fill(Canvas *c, const PaintMaterial *stone)
{
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            stone_pixel(c, stone, x, y, 0);
            if (stone->kind == PAINT_STONE_GLASSY)
                set_rough(c, x, y, 60);
        }
}

/* ---- Soil and wood ---- */

void soil_fill(Canvas *c, uint32_t color, uint32_t contrast)
{
    Ramp ramp = ramp_of(color, contrast);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            NearPoint lump = near_point(c->seed, x, y, 8);
            int tone = (int)(hash2(c->seed + 1, lump.id, 0) & 255u);
            int cloud = smooth_noise(c->seed + 2, x, y, 4, 4);
            int value = tone + cloud;
            int shade = value < 120 ? 1 : value < 220 ? 2 : value < 350 ? 3 : 4;
            if (lump.dx + lump.dy > 12 && shade > 2)
                shade--; /* the bottom right of a lump is in shadow */
            put_shade(c, x, y, &ramp, shade);
        }
}

int grain_shade(uint32_t seed, int x, int y)
{
    int streak = smooth_noise(seed, x, y, 2, 16) * 3 + smooth_noise(seed + 1, x, y, 4, 16) * 2;
    return streak < 5 * 84 ? 2 : streak < 5 * 160 ? 3 : 4;
}

void planks_fill(Canvas *c, uint32_t color, uint32_t contrast)
{
    Ramp ramp = ramp_of(color, contrast);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int board = y / 4, in_board = y % 4;
            int end = (int)(board * 7 + 3) & 15; /* joint of two boards */
            int shade = grain_shade(c->seed + (uint32_t)board * 17, x, y);
            if (in_board == 0 && shade < 4)
                shade++;
            if (in_board == 3)
                shade = 1 - (x == end);
            else if (x == end)
                shade = 1;
            else if (x == ((end + 1) & 15) && shade < 5)
                shade++;
            put_shade(c, x, y, &ramp, shade);
            if (in_board == 3 || x == end)
                set_height(c, x, y, 70);
        }
}

/* ---- Overlays ---- */

void draw_frame(Canvas *c, int left, int top, int right, int bottom, const Ramp *ramp, int light,
                int dark)
{
    for (int i = left; i <= right; i++) {
        put_shade(c, i, top, ramp, light);
        put_shade(c, i, bottom, ramp, dark);
    }
    for (int i = top + 1; i < bottom; i++) {
        put_shade(c, left, i, ramp, light);
        put_shade(c, right, i, ramp, dark);
    }
}

void draw_cracks(Canvas *c, uint32_t seed, int count, int part)
{
    for (int i = 0; i < count; i++) {
        uint32_t dice = hash2(seed, i, 99);
        int x = (int)(dice & 15u), y = (int)(dice >> 4 & 15u);
        int side = dice >> 8 & 1 ? 1 : -1, length = 5 + (int)(dice >> 9 & 3u);
        for (int step = 0; step < length; step++) {
            shade_pixel(c, x, y, part);
            set_height(c, x, y, 60);
            if (!is_filled(c, x - 1, y - 1))
                break;
            shade_pixel(c, x + 1, y + 1, -24);
            uint32_t turn = hash2(seed + 7, i * 16 + step, 3) % 4;
            x += turn < 2 ? side : 0;
            y += turn != 1;
        }
    }
}

void draw_moss(Canvas *c, uint32_t seed, int part)
{
    Ramp moss = ramp_of(0x5F8232, 105);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int value = smooth_noise(seed, x, y, 4, 4) * 3 + smooth_noise(seed + 1, x, y, 8, 8);
            value += 4 * clamp(128 - c->height[y][x], -30, 50);
            if (value < 4 * (232 - part))
                continue;
            int lit = smooth_noise(seed + 2, x, y, 8, 8);
            put_shade(c, x, y, &moss, lit < 80 ? 1 : lit < 130 ? 2 : lit < 190 ? 3 : 4);
        }
}
