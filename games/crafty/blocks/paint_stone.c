/* Stone shapes: cobbles, bricks, tiles, slabs, pillars, carvings; and ores. */
#include "painter.h"

#include <string.h>

typedef Brick (*Layout)(int x, int y);

static Brick bricks_layout(int x, int y)
{
    return brick_at(x, y, 8, 4, 4);
}

static Brick slabs_layout(int x, int y)
{
    return brick_at(x, y, 16, 8, 8);
}

static Brick tiles_layout(int x, int y)
{
    return brick_at(x, y, 8, 8, 0);
}

static Brick mosaic_layout(int x, int y)
{
    return brick_at(x, y, 4, 4, 0);
}

/* Basket weave: two bricks side by side, then two across them, in 8 x 8 fields. */
static Brick paving_layout(int x, int y)
{
    bool across = ((x / 8) ^ (y / 8)) & 1;
    Brick brick = across ? brick_at(x, y, 4, 8, 0) : brick_at(x, y, 8, 4, 0);
    brick.id += across ? 64 : 0;
    return brick;
}

/* Cuts stone by a layout: lit edges, dark edges, joints, and a tone per piece. */
static void cut_stone(Canvas *c, const PaintMaterial *stone, Layout layout)
{
    Ramp ramp = ramp_of(stone->color, stone->contrast);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            Brick brick = layout(x, y);
            if (brick.joint) {
                put_shade(c, x, y, &ramp, hash2(c->seed, x, y) % 4 ? 1 : 0);
                set_height(c, x, y, 60);
                continue;
            }
            int tone = (int)(hash2(c->seed + 1, brick.id, 0) % 5) / 2 - 1;
            int edge = brick.lit ? 1 : brick.dark ? -1 : 0;
            if (stone->kind == PAINT_STONE_GRAINED || stone->kind == PAINT_STONE_VEINED) {
                stone_pixel(c, stone, x, y, edge + (edge ? 0 : tone));
            } else {
                int worn = smooth_noise(c->seed + 2, x, y, 8, 8);
                int shade = 3 + edge - (tone < 0 && !edge) - (worn > 205) + (worn < 40 && !edge);
                put_shade(c, x, y, &ramp, shade);
            }
            set_height(c, x, y, brick.dark ? 116 : 132 + 6 * tone);
        }
}

/* ---- Raw and cobbled ---- */

static void paint_raw(Canvas *c, const PaintMaterial *stone)
{
    stone_fill(c, stone);
}

static void paint_cobbled(Canvas *c, const PaintMaterial *stone)
{
    Ramp ramp = ramp_of(stone->color, stone->contrast);
    uint32_t seed = 41; /* works for all of them */
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            NearPoint cobble = near_point(seed, x, y, 4);
            int rim = cobble.further - cobble.near;
            if (rim < 14) {
                put_shade(c, x, y, &ramp, rim < 7 ? 0 : 1);
                set_height(c, x, y, 92);
                continue;
            }
            int tone = (int)(hash2(seed + 1, cobble.id, 0) % 3) - 1;
            int light = cobble.dx + cobble.dy;
            int delta = light < -26 ? 1 : light > 26 ? -1 : 0;
            stone_pixel(c, stone, x, y, delta + (tone < 0 ? -1 : 0) * (delta >= 0));
            if (light < -44 && rim > 18)
                put_shade(c, x, y, &ramp, 5 - (tone < 0));
            set_height(c, x, y, 150 - light / 3);
        }
}

static void paint_mossy_cobbled(Canvas *c, const PaintMaterial *stone)
{
    paint_cobbled(c, stone);
    draw_moss(c, 77, 66);
}

/* ---- Cut ---- */

static void paint_bricks(Canvas *c, const PaintMaterial *stone)
{
    cut_stone(c, stone, bricks_layout);
}

static void paint_mossy_bricks(Canvas *c, const PaintMaterial *stone)
{
    paint_bricks(c, stone);
    draw_moss(c, 78, 56);
}

static void paint_cracked_bricks(Canvas *c, const PaintMaterial *stone)
{
    paint_bricks(c, stone);
    draw_cracks(c, 12, 3, 130);
}

static void paint_tiles(Canvas *c, const PaintMaterial *stone)
{
    cut_stone(c, stone, tiles_layout);
}

static void paint_cracked_tiles(Canvas *c, const PaintMaterial *stone)
{
    paint_tiles(c, stone);
    draw_cracks(c, 31, 3, 130);
}

static void paint_slabs(Canvas *c, const PaintMaterial *stone)
{
    cut_stone(c, stone, slabs_layout);
}

static void paint_ashlar(Canvas *c, const PaintMaterial *stone)
{
    cut_stone(c, stone, ashlar_at);
}

static void paint_mosaic(Canvas *c, const PaintMaterial *stone)
{
    cut_stone(c, stone, mosaic_layout);
}

static void paint_paving(Canvas *c, const PaintMaterial *stone)
{
    cut_stone(c, stone, paving_layout);
}

static void paint_polished(Canvas *c, const PaintMaterial *stone)
{
    Ramp ramp = ramp_of(stone->color, stone->contrast * 5u / 8);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int value =
                smooth_noise(c->seed, x, y, 2, 4) + smooth_noise(c->seed + 1, x, y, 8, 8) / 3;
            put_shade(c, x, y, &ramp, value < 110 ? 2 : 3 + (value > 235));
            if (stone->kind == PAINT_STONE_GRAINED || stone->kind == PAINT_STONE_VEINED)
                stone_pixel(c, stone, x, y, 0);
            set_height(c, x, y, 128);
        }
    draw_frame(c, 0, 0, 15, 15, &ramp, 4, 1);
    put_shade(c, 0, 15, &ramp, 2);
    put_shade(c, 15, 0, &ramp, 2);
    fill_rough(c, 110);
}

/* ---- Carved ---- */

/* Raised lines: '5' catches the light, '1' is the shadow. Every fourth stone uses the same one. */
static const char *const carvings[4][12] = {
    {"            ", " 4444444444 ", " 4111111112 ", " 41      42 ", " 41 4442 42 ", " 41 4112 42 ",
     " 41 4 12 42 ", " 41 4222 42 ", " 41 1111 42 ", " 4144444442 ", " 4222222222 ",
     "            "},
    {"     44     ", "    4112    ", "   41  42   ", "  41 44 42  ", " 41 4112 42 ", "41 41  42 42",
     "41 42  41 42", " 42 4221 41 ", "  42 21 41  ", "   42  41   ", "    4221    ",
     "     21     "},
    {"44444 444442", "41112 411112", "41 42 41  42", "41 42 41  42", "42222 422222", "            ",
     "44444 444442", "41112 411112", "41 42 41  42", "41 42 41  42", "42222 422222",
     "            "},
    {"            ", "  44444444  ", " 4111111112 ", " 41 4444 42 ", " 4141111242 ", " 4141551242 ",
     " 4141551242 ", " 4142222242 ", " 41 1111 42 ", " 4144444442 ", "  22222222  ",
     "            "},
};

static void paint_chiseled(Canvas *c, const PaintMaterial *stone)
{
    Ramp ramp = ramp_of(stone->color, stone->contrast);
    paint_polished(c, stone);
    size_t index = (size_t)(stone - paint_stones);
    draw_sprite(c, 2, 2, carvings[index % 4], 12, &ramp);
    draw_frame(c, 0, 0, 15, 15, &ramp, 4, 1);
    draw_frame(c, 1, 1, 14, 14, &ramp, 1, 4);
    fill_rough(c, 200);
}

static void paint_pillar_side(Canvas *c, const PaintMaterial *stone)
{
    Ramp ramp = ramp_of(stone->color, stone->contrast);
    static const uint8_t flutes[16] = {1, 3, 4, 3, 2, 4, 3, 2, 1, 3, 4, 3, 2, 4, 3, 2};
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int worn = smooth_noise(c->seed, x, y, 8, 4) > 196;
            put_shade(c, x, y, &ramp, flutes[x] - worn);
        }
    for (int x = 0; x < PAINT_SIZE; x++) {
        put_shade(c, x, 0, &ramp, 5);
        put_shade(c, x, 1, &ramp, 3);
        put_shade(c, x, 2, &ramp, 1);
        put_shade(c, x, 13, &ramp, 4);
        put_shade(c, x, 14, &ramp, 3);
        put_shade(c, x, 15, &ramp, 1);
    }
}

static void paint_pillar_top(Canvas *c, const PaintMaterial *stone)
{
    Ramp ramp = ramp_of(stone->color, stone->contrast);
    paint_polished(c, stone);
    draw_frame(c, 0, 0, 15, 15, &ramp, 4, 1);
    draw_frame(c, 3, 3, 12, 12, &ramp, 1, 4);
    draw_frame(c, 5, 5, 10, 10, &ramp, 4, 1);
}

/* ---- Ores ---- */

/* Lumps of metal, a few sharp gems, or grains: 'A' to 'F' are the rim in the stone. */
static const char *const lumps[] = {
    "     04         ", "    0453   004  ", "    0332  04532 ", "     00   03320 ",
    "  00       000  ", " 04530          ", " 043320     00  ", "  0320     0453 ",
    "   00      0332 ", "            00  ", "      000       ", "     04530   0  ",
    "  0  043320 0450", " 0450 0320  0320", " 0320  00    00 ", "  00            ",
};
static const char *const gems[] = {
    "                ", "   040     00   ", "  04530   0430  ", "  043320  04320 ",
    "   0320    020  ", "    00          ", "          040   ", "  00     04530  ",
    " 0430    043320 ", " 04320    0320  ", "  020      00   ", "      040       ",
    "     04530   00 ", "     043320 0430", "      0320   020", "       00       ",
};
static const char *const specks[] = {
    "    05      0   ", "   0420    0530 ", "    00      02  ", " 05        0    ",
    "0430   050      ", " 020  04320  05 ", "       020  0430", "  05     0   02 ",
    " 0420   0500    ", "  00   04320    ", "     0  020   05", "0   053       04",
    "50   020  050  0", "20       04320  ", "   050    020   ", "   020          ",
};

void paint_ore(Canvas *c, const PaintMaterial *ore, const PaintMaterial *host)
{
    Ramp ramps[3] = {ramp_of(ore->color, ore->contrast)};
    const char *const *rows = ore->kind == PAINT_ORE_LUMPS  ? lumps
                              : ore->kind == PAINT_ORE_GEMS ? gems
                                                            : specks;
    stone_fill(c, host);
    /* The rim is stone in the shadow of the ore. */
    Ramp rim = ramp_of(mix_color(host->color, ore->color, 50), host->contrast);
    ramps[0].shade[0] = rim.shade[host->color < 0x606060 ? 0 : 1];
    draw_sprite(c, 0, 0, rows, 16, ramps);
    Ramp second = ramp_of(ore->second, ore->contrast);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            char letter = rows[y][x];
            if (letter < '2' || letter > '5')
                continue;
            if (ore->second && smooth_noise(9, x, y, 8, 8) > 150)
                put_shade(c, x, y, &second, letter - '0');
            set_height(c, x, y, 140 + 6 * (letter - '0'));
            set_rough(c, x, y, ore->kind == PAINT_ORE_GEMS ? 50 : 120);
            if (!strcmp(ore->name, "redstone"))
                set_glow(c, x, y, 90);
        }
}

const PaintShape stone_shapes[] = {
    {"", "", paint_raw},
    {"cobbled_", "", paint_cobbled},
    {"mossy_cobbled_", "", paint_mossy_cobbled},
    {"", "_bricks", paint_bricks},
    {"mossy_", "_bricks", paint_mossy_bricks},
    {"cracked_", "_bricks", paint_cracked_bricks},
    {"", "_tiles", paint_tiles},
    {"cracked_", "_tiles", paint_cracked_tiles},
    {"", "_slabs", paint_slabs},
    {"chiseled_", "", paint_chiseled},
    {"polished_", "", paint_polished},
    {"", "_ashlar", paint_ashlar},
    {"", "_mosaic", paint_mosaic},
    {"", "_paving", paint_paving},
    {"", "_pillar", paint_pillar_side},
    {"", "_pillar_top", paint_pillar_top},
    {NULL, NULL, NULL},
};
