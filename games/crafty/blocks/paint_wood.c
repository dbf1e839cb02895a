/* Wood: trunks, boards, furniture, leaves. */
#include "painter.h"

static void paint_planks(Canvas *c, const PaintMaterial *wood)
{
    planks_fill(c, wood->color, wood->contrast);
}

/* ---- Trunks ---- */

static int furrowed_shade(uint32_t seed, int x, int y)
{
    int bent = x + smooth_noise(seed + 1, 0, y, 1, 4) / 100;
    int ridge = smooth_noise(seed, bent, y, 8, 2) * 2 + smooth_noise(seed + 2, bent, y, 16, 4);
    return ridge < 3 * 70 ? 0 : ridge < 3 * 110 ? 1 : ridge < 3 * 145 ? 2 : ridge < 3 * 190 ? 3 : 4;
}

static int white_shade(uint32_t seed, int x, int y)
{
    /* Dark horizontal marks, two pixels high, in separate rows. */
    int row = y / 4;
    uint32_t dice = hash2(seed, row, 1);
    int start = (int)(dice & 15u), length = 3 + (int)(dice >> 4 & 3u);
    int in_row = y % 4, along = (x - start) & 15;
    bool second = dice >> 8 & 1;
    int other = (x - start - 9) & 15;
    if (in_row == 1 && along < length)
        return along == 0 || along == length - 1 ? 1 : 0;
    if (in_row == 2 && along > 0 && along < length - 1)
        return 1;
    if (second && in_row == 3 && other < 3)
        return other == 1 ? 0 : 2;
    int cloud = smooth_noise(seed + 3, x, y, 8, 4);
    return cloud < 60 ? 3 : cloud < 190 ? 4 : 5;
}

static int scaled_shade(uint32_t seed, int x, int y)
{
    int column = x / 4;
    int moved = y + (column & 1 ? 3 : 0) + (int)(hash2(seed, column, 5) & 3u);
    int in_x = x % 4, in_y = (moved & 15) % 8;
    int tone = (int)(hash2(seed, column, (moved & 15) / 8) % 3);
    if (in_y == 7 || in_x == 3)
        return in_y == 7 && in_x == 3 ? 0 : 1 - (in_x == 3 && tone == 0);
    int worn = smooth_noise(seed + 2, x, y, 8, 8) > 170;
    return 2 + (in_y == 0) + (tone == 2) + (in_x == 0 && tone > 0) - worn;
}

static int smooth_shade(uint32_t seed, int x, int y)
{
    int value = smooth_noise(seed, x, y, 8, 2) * 3 + smooth_noise(seed + 1, x, y, 8, 8);
    return value < 4 * 84 ? 2 : value < 4 * 160 ? 3 : 4;
}

static int banded_shade(uint32_t seed, int x, int y)
{
    int shade = smooth_shade(seed, x, y);
    uint32_t dice = hash2(seed, 3, y);
    int along = (x - (int)(dice & 15u)) & 15;
    if (y % 3 == 1 && along < 4 + (int)(dice >> 5 & 3u))
        return along == 0 ? 4 : 5;
    return y % 3 == 2 && along > 0 && along < 5 ? 1 : shade - 1;
}

static int ringed_shade(uint32_t seed, int x, int y)
{
    int bent = y + (smooth_noise(seed, x, 0, 4, 1) > 128);
    int in_ring = bent & 3;
    int value = smooth_noise(seed + 1, x, y, 8, 4);
    int shade = in_ring == 3 ? 1 : in_ring == 0 ? 4 : 3;
    return shade - (value < 90) - (in_ring == 3 && value < 60);
}

static int bark_shade(const PaintMaterial *wood, uint32_t seed, int x, int y)
{
    switch (wood->kind) {
    case PAINT_BARK_WHITE:
        return white_shade(seed, x, y);
    case PAINT_BARK_SCALED:
        return scaled_shade(seed, x, y);
    case PAINT_BARK_SMOOTH:
        return smooth_shade(seed, x, y);
    case PAINT_BARK_BANDED:
        return banded_shade(seed, x, y);
    case PAINT_BARK_RINGED:
        return ringed_shade(seed, x, y);
    default:
        return furrowed_shade(seed, x, y);
    }
}

static uint32_t bark_seed(const PaintMaterial *wood)
{
    return wood->second * 31u + wood->kind;
}

/* Birch is white with black marks: a wider range than the shades of one color. */
static Ramp bark_ramp(const PaintMaterial *wood)
{
    Ramp ramp = ramp_of(wood->second, wood->contrast);
    if (wood->kind == PAINT_BARK_WHITE) {
        ramp.shade[0] = 0x3A3532;
        ramp.shade[1] = 0x7C746A;
        ramp.shade[2] = 0xB9B3A8;
    }
    return ramp;
}

static void paint_log_side(Canvas *c, const PaintMaterial *wood)
{
    Ramp ramp = bark_ramp(wood);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++)
            put_shade(c, x, y, &ramp, bark_shade(wood, bark_seed(wood), x, y));
}

/* Annual rings within `half` pixels of the center. */
static void draw_rings(Canvas *c, const PaintMaterial *wood, int half)
{
    static const uint8_t rings[] = {2, 3, 4, 2, 4, 3, 2, 4, 3};
    Ramp ramp = ramp_of(wood->color, wood->contrast);
    for (int y = 8 - half; y < 8 + half; y++)
        for (int x = 8 - half; x < 8 + half; x++) {
            int dx = 2 * x - 15, dy = 2 * y - 15;
            int far = dx * dx > dy * dy ? (dx < 0 ? -dx : dx) : (dy < 0 ? -dy : dy);
            int near = (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy) - far;
            int distance = (far * 3 + near) / 4 + (near > 9 && far > 9);
            int ring = distance / 2 + (hash2(c->seed, x / 2, y / 2) % 7 == 0);
            put_shade(c, x, y, &ramp, rings[ring > 8 ? 8 : ring]);
        }
    put_shade(c, 7, 7, &ramp, 1);
    put_shade(c, 8, 8, &ramp, 1);
    for (int i = 1; i < 5; i++) /* a split from the center */
        put_shade(c, 8 + i, 8 + (i + 1) / 2, &ramp, i < 3 ? 1 : 2);
}

static void paint_log_top(Canvas *c, const PaintMaterial *wood)
{
    Ramp bark = bark_ramp(wood), inner = ramp_of(wood->color, wood->contrast);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++)
            put_shade(c, x, y, &bark, (int)(hash2(c->seed, x / 2, y / 2) % 3) + 1 + (x + y < 12));
    draw_rings(c, wood, 7);
    draw_frame(c, 1, 1, 14, 14, &inner, 1, 1);
    static const int corners[4][2] = {{1, 1}, {14, 1}, {1, 14}, {14, 14}};
    for (int i = 0; i < 4; i++)
        put_shade(c, corners[i][0], corners[i][1], &bark, 2);
}

static void paint_stripped_side(Canvas *c, const PaintMaterial *wood)
{
    Ramp ramp = ramp_of(wood->color, wood->contrast);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int shade = grain_shade(c->seed, y, x); /* vertical grain */
            put_shade(c, x, y, &ramp, x == 0 || x == 15 ? shade - 1 : shade);
        }
}

static void paint_stripped_top(Canvas *c, const PaintMaterial *wood)
{
    Ramp ramp = ramp_of(wood->color, wood->contrast);
    draw_rings(c, wood, 8);
    draw_frame(c, 0, 0, 15, 15, &ramp, 2, 1);
}

static void paint_beams(Canvas *c, const PaintMaterial *wood)
{
    Ramp ramp = ramp_of(wood->color, wood->contrast);
    static const uint8_t round[8] = {3, 5, 4, 4, 3, 2, 1, 0};
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int grain = grain_shade(c->seed + (uint32_t)(y / 8), x, y) - 3;
            put_shade(c, x, y, &ramp, round[y % 8] + (round[y % 8] > 1 ? grain : 0));
            set_height(c, x, y, 60 + 20 * (y % 8 < 4 ? y % 8 + 1 : 7 - y % 8));
        }
}

/* ---- Boards in patterns ---- */

static void paint_parquet(Canvas *c, const PaintMaterial *wood)
{
    Ramp ramp = ramp_of(wood->color, wood->contrast);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            bool across = ((x / 8) ^ (y / 8)) & 1;
            int along = across ? y : x, over = across ? x : y;
            int board = (over / 4) + 4 * (along / 8);
            int tone = (int)(hash2(c->seed, board, across) % 3) - 1;
            int shade = grain_shade(c->seed + (uint32_t)board, along, over) + (tone > 0);
            if (over % 4 == 3 || along % 8 == 7)
                shade = 1;
            else if (over % 4 == 0)
                shade++;
            put_shade(c, x, y, &ramp, shade);
        }
}

static void paint_shingles(Canvas *c, const PaintMaterial *wood)
{
    Ramp ramp = ramp_of(wood->color, wood->contrast);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int row = y / 4, moved = (x + (row & 1) * 2) & 15;
            uint32_t dice = hash2(c->seed, moved / 4, row);
            int shade = 3 - (int)(dice % 3 == 0) + (int)(dice % 5 == 1);
            shade += grain_shade(c->seed, y, moved) - 3;
            if (y % 4 == 0)
                shade = 1; /* shadow of the row above */
            else if (moved % 4 == 3)
                shade = y % 4 == 3 ? 0 : 1;
            else if (y % 4 == 3)
                shade++;
            put_shade(c, x, y, &ramp, shade);
            set_height(c, x, y, 80 + 24 * (y % 4));
        }
}

static void paint_panel(Canvas *c, const PaintMaterial *wood)
{
    Ramp ramp = ramp_of(wood->color, wood->contrast);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++)
            put_shade(c, x, y, &ramp, grain_shade(c->seed, y, x));
    draw_frame(c, 0, 0, 15, 15, &ramp, 4, 1);
    draw_frame(c, 3, 3, 12, 12, &ramp, 1, 4);
    draw_frame(c, 4, 4, 11, 11, &ramp, 4, 2);
}

static void paint_carved(Canvas *c, const PaintMaterial *wood)
{
    /* A quarter of a rosette; the others are mirrored. */
    static const char quarter[8][9] = {"44444441", "41111111", "41333444", "41344111",
                                       "41341444", "41414133", "41414355", "41414354"};
    Ramp ramp = ramp_of(wood->color, wood->contrast);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int shade = quarter[y < 8 ? y : 15 - y][x < 8 ? x : 15 - x] - '0';
            int grain = shade == 3 ? grain_shade(c->seed, x, y) - 3 : 0;
            bool shadow = shade == 4 && (x + y > 16);
            put_shade(c, x, y, &ramp, shade + grain - shadow);
        }
    draw_frame(c, 0, 0, 15, 15, &ramp, 4, 1);
}

static void paint_crate(Canvas *c, const PaintMaterial *wood)
{
    Ramp ramp = ramp_of(wood->color, wood->contrast);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int shade = grain_shade(c->seed + (uint32_t)(x / 4), y, x) - 1;
            put_shade(c, x, y, &ramp, x % 4 == 3 ? 0 : shade);
        }
    for (int i = 2; i < 14; i++) { /* the brace */
        put_shade(c, i, 15 - i, &ramp, 3);
        put_shade(c, i - 1, 15 - i, &ramp, 4);
        put_shade(c, i + 1, 15 - i, &ramp, 2);
        put_shade(c, i + 1, 16 - i, &ramp, 1);
    }
    for (int ring = 0; ring < 3; ring++)
        draw_frame(c, ring, ring, 15 - ring, 15 - ring, &ramp,
                   ring == 0   ? 5
                   : ring == 1 ? 3
                               : 0,
                   ring == 0   ? 1
                   : ring == 1 ? 3
                               : 4);
    static const int nails[4][2] = {{1, 1}, {14, 1}, {1, 14}, {14, 14}};
    for (int i = 0; i < 4; i++)
        put(c, nails[i][0], nails[i][1], 0x4A4A52);
}

static void paint_barrel_side(Canvas *c, const PaintMaterial *wood)
{
    Ramp ramp = ramp_of(wood->color, wood->contrast), iron = ramp_of(0x6E727A, 110);
    static const uint8_t curve[4] = {4, 3, 3, 1};
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int grain = grain_shade(c->seed, y, x) - 3;
            bool hoop = y == 2 || y == 3 || y == 12 || y == 13;
            if (hoop)
                put_shade(c, x, y, &iron, (y == 2 || y == 12 ? 4 : 2) - (x % 4 == 3));
            else
                put_shade(c, x, y, &ramp, curve[x % 4] + (x % 4 == 3 ? 0 : grain));
            if (y == 4 || y == 14)
                shade_pixel(c, x, y, 70);
        }
    draw_frame(c, 0, 0, 15, 0, &ramp, 4, 4);
}

static void paint_barrel_top(Canvas *c, const PaintMaterial *wood)
{
    Ramp ramp = ramp_of(wood->color, wood->contrast), iron = ramp_of(0x6E727A, 110);
    planks_fill(c, wood->color, wood->contrast);
    draw_frame(c, 0, 0, 15, 15, &ramp, 4, 2);
    draw_frame(c, 1, 1, 14, 14, &iron, 4, 2);
    draw_frame(c, 2, 2, 13, 13, &ramp, 0, 1);
    for (int i = 0; i < 4; i++)
        put_shade(c, 7 + i % 2, 7 + i / 2, &ramp, i == 3 ? 1 : 0);
}

static void paint_bookshelf(Canvas *c, const PaintMaterial *wood)
{
    static const uint32_t covers[] = {0x9A2E2A, 0x2F5E8C, 0x4B7A36, 0xB98A32, 0x6B3F82, 0x8A5A3A};
    Ramp ramp = ramp_of(wood->color, wood->contrast);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++)
            put_shade(c, x, y, &ramp, y % 8 == 0 ? 4 : y % 8 == 7 ? 1 : 0);
    for (int shelf = 0; shelf < 2; shelf++)
        for (int x = 1, book = 0; x < 15; book++) {
            uint32_t dice = hash2(c->seed, shelf, book);
            int width = dice % 3 == 0 ? 3 : 2, top = 1 + (int)(dice >> 4 & 1u);
            Ramp cover = ramp_of(covers[(dice >> 8) % 6], 110);
            for (int i = 0; i < width && x < 15; i++, x++)
                for (int y = top; y < 7; y++) {
                    bool band = y == 3 || (dice >> 16 & 1 && y == 5);
                    put_shade(c, x, shelf * 8 + y, &cover,
                              (i == 0           ? 4
                               : i == width - 1 ? 2
                                                : 3) +
                                  (band ? 1 : 0) - (y == 6));
                }
        }
    draw_frame(c, 0, 0, 15, 15, &ramp, 4, 2);
    for (int x = 1; x < 15; x++) {
        put_shade(c, x, 7, &ramp, 2);
        put_shade(c, x, 8, &ramp, 4);
    }
}

static void paint_lattice(Canvas *c, const PaintMaterial *wood)
{
    Ramp ramp = ramp_of(wood->color, wood->contrast);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int falling = (x - y) & 7, rising = (x + y) & 7;
            if (rising < 2)
                put_shade(c, x, y, &ramp, rising == 0 ? 4 : 3);
            else if (falling < 2)
                put_shade(c, x, y, &ramp, falling == 0 ? 1 : 2);
        }
    draw_frame(c, 0, 0, 15, 15, &ramp, 4, 2);
}

const PaintShape wood_shapes[] = {
    {"", "_planks", paint_planks},
    {"", "_log", paint_log_side},
    {"", "_log_top", paint_log_top},
    {"stripped_", "_log", paint_stripped_side},
    {"stripped_", "_log_top", paint_stripped_top},
    {"", "_beams", paint_beams},
    {"", "_parquet", paint_parquet},
    {"", "_panel", paint_panel},
    {"", "_shingles", paint_shingles},
    {"", "_carved", paint_carved},
    {"", "_crate", paint_crate},
    {"", "_barrel", paint_barrel_side},
    {"", "_barrel_top", paint_barrel_top},
    {"", "_bookshelf", paint_bookshelf},
    {"", "_lattice", paint_lattice},
    {"", "_leaves", paint_leaves},
    {"blossoming_", "_leaves", paint_blossoms},
    {"", "_sapling", paint_sapling},
    {NULL, NULL, NULL},
};
