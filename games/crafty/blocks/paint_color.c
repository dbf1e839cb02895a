/* Tiles in sixteen colors: wool, concrete, terracotta, glass, lamps, candles, tulips. */
#include "paint_single.h"

static void paint_wool(Canvas *c, const PaintMaterial *color)
{
    /* Yarn: short strokes in two alternating directions. */
    Ramp ramp = ramp_of(color->color, color->contrast * 9u / 10);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            NearPoint curl = near_point(91, x, y, 4);
            bool turn = hash2(92, curl.id, 0) & 1;
            int across = turn ? curl.dx + curl.dy : curl.dx - curl.dy;
            int wave = ((across + 400) / 12) % 4;
            int rim = curl.further - curl.near;
            int shade = wave == 0 ? 2 : wave == 2 ? 4 : 3;
            put_shade(c, x, y, &ramp, rim < 9 ? 2 : shade);
        }
}

static void paint_concrete(Canvas *c, const PaintMaterial *color)
{
    Ramp ramp = ramp_of(color->color, color->contrast / 4u);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int cloud = smooth_noise(93, x, y, 4, 4) + smooth_noise(94, x, y, 8, 8) / 2;
            put_shade(c, x, y, &ramp, cloud < 130 ? 2 : cloud < 255 ? 3 : 4);
        }
    fill_rough(c, 190);
}

static void paint_powder(Canvas *c, const PaintMaterial *color)
{
    Ramp ramp = ramp_of(mix_color(color->color, 0xE8E4DC, 26), color->contrast * 2u / 3);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            NearPoint grain = near_point(95, x, y, 8);
            int tone = (int)(hash2(96, grain.id, 0) & 255u) + smooth_noise(97, x, y, 4, 4);
            put_shade(c, x, y, &ramp, tone < 150 ? 2 : tone < 330 ? 3 : tone < 430 ? 4 : 5);
        }
    fill_rough(c, 250);
}

static void terracotta(Canvas *c, uint32_t color)
{
    Ramp ramp = ramp_of(color, 42);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int value = smooth_noise(98, x, y, 4, 8) * 2 + smooth_noise(99, x, y, 8, 8);
            put_shade(c, x, y, &ramp, value < 3 * 86 ? 2 : value < 3 * 160 ? 3 : 4);
            if (smooth_noise(100, x, y, 8, 8) > 218)
                put_shade(c, x, y, &ramp, 1);
        }
}

static void paint_terracotta(Canvas *c, const PaintMaterial *color)
{
    terracotta(c, mix_color(color->color, 0x8F5A42, 160));
}

void paint_plain_terracotta(Canvas *c, const PaintSingle *single)
{
    terracotta(c, single->color);
}

/* ---- Patterns with rotational symmetry ---- */

static const char *const glazes[4][8] = {
    {"11111111", "1455AAA1", "15AABBA1", "1AABB441", "1AB44331", "1ABB4321", "1AAB3223",
     "11111233"},
    {"3A455A33", "A35A5A43", "45AAA541", "5A1BBA51", "AA1B3BA5", "AB11B3B4", "5BBB1B31",
     "45AB5133"},
    {"A1111111", "1A55444A", "15B554A4", "155BA4A4", "144AB4A2", "1444A3A1", "1AAAA1A3",
     "1A441335"},
    {"11144411", "144AA441", "14AB5BA4", "4AB555B4", "4A5532BA", "44B53A24", "144BAA32",
     "11444423"},
};

static uint32_t contrasting(uint32_t color)
{
    uint32_t sum = (color >> 16 & 255) + (color >> 8 & 255) + (color & 255);
    return sum > 420 ? mix_color(color, 0x2A3A78, 190) : mix_color(color, 0xF6E6B8, 200);
}

static void paint_glazed(Canvas *c, const PaintMaterial *color)
{
    Ramp ramps[3] = {
        ramp_of(color->color, color->contrast), {{0}}, ramp_of(contrasting(color->color), 90)};
    size_t index = (size_t)(color - paint_colors);
    const char *const *rows = glazes[index % 4];
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            /* Each quarter is the first one, rotated. */
            int u = x < 8 ? x : 15 - x, v = y < 8 ? y : 15 - y;
            char letter = index & 4 && (x < 8) != (y < 8) ? rows[u][v] : rows[v][u];
            bool second = letter >= 'A';
            put_shade(c, x, y, &ramps[second ? 2 : 0], second ? letter - 'A' + 3 : letter - '0');
            set_height(c, x, y, 128);
        }
    fill_rough(c, 60);
}

/* ---- Bricks and boards ---- */

static void colored_bricks(Canvas *c, uint32_t color, uint32_t mortar, int width, int height,
                           int shift)
{
    Ramp ramp = ramp_of(color, 90), joint = ramp_of(mortar, 80);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            Brick brick = brick_at(x, y, width, height, shift);
            if (brick.joint) {
                put_shade(c, x, y, &joint, hash2(55, x, y) % 3 ? 3 : 2);
                set_height(c, x, y, 70);
                continue;
            }
            int tone = (int)(hash2(56, brick.id, 0) % 4) / 2;
            int worn = smooth_noise(57, x, y, 8, 8) > 190;
            int shade = brick.lit ? 4 : brick.dark ? 2 : 3;
            put_shade(c, x, y, &ramp, shade - tone * (shade < 4) - worn);
            set_height(c, x, y, brick.dark ? 116 : 132);
        }
}

static void paint_colored_bricks(Canvas *c, const PaintMaterial *color)
{
    colored_bricks(c, mix_color(color->color, 0x8A5238, 48), 0xB9B2A6, 8, 4, 4);
}

void paint_red_bricks(Canvas *c, const PaintSingle *single)
{
    colored_bricks(c, single->color, single->second, 8, 4, 4);
}

static void paint_colored_tiles(Canvas *c, const PaintMaterial *color)
{
    colored_bricks(c, color->color, 0xC9C7C2, 8, 8, 0);
    fill_rough(c, 70);
}

static void paint_colored_mosaic(Canvas *c, const PaintMaterial *color)
{
    colored_bricks(c, color->color, mix_color(color->color, 0xE8E4DA, 150), 4, 4, 2);
    fill_rough(c, 80);
}

static void paint_colored_planks(Canvas *c, const PaintMaterial *color)
{
    c->seed = 4711; /* the same wear in all colors */
    planks_fill(c, mix_color(color->color, 0xA8916E, 40), color->contrast * 3u / 4);
    Ramp wood = ramp_of(0xA98B60, 100);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++)
            if (y % 4 != 3 && smooth_noise(58, x, y, 4, 8) > 214)
                put_shade(c, x, y, &wood, 3); /* worn paint */
}

/* ---- Light ---- */

static void paint_lamp(Canvas *c, const PaintMaterial *color)
{
    uint32_t bright = mix_color(color->color, 0xFFF4D0, 50);
    Ramp frame = ramp_of(mix_color(color->color, 0x38343C, 190), 90);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int dx = 2 * x - 15, dy = 2 * y - 15, far = dx * dx + dy * dy;
            uint32_t part = (uint32_t)(far > 300 ? 0 : (300 - far) / 2);
            bool bar = (x % 5 == 0 || y % 5 == 0);
            put(c, x, y, mix_color(bright, 0xFFFFFF, part));
            if (bar)
                put_shade(c, x, y, &frame, x % 5 == 0 && y % 5 == 0 ? 4 : 3);
            set_glow(c, x, y, bar ? 40 : 255);
            set_height(c, x, y, bar ? 150 : 110);
        }
    draw_frame(c, 0, 0, 15, 15, &frame, 4, 2);
}

static void paint_candle(Canvas *c, const PaintMaterial *color)
{
    static const char *const candle[] = {
        "   E   ", "  DED  ", "  DFE  ", "  CFC  ", "   a   ", "  454  ", " 45432 ",
        " 34322 ", " 44321 ", " 43321 ", " 43321 ", " 44321 ", " 43211 ", "1322110",
    };
    Ramp ramps[3] = {ramp_of(color->color, color->contrast), ramp_of(0x4A3A2E, 100),
                     ramp_of(0xFFB338, 100)};
    draw_sprite(c, 4, 2, candle, 14, ramps);
    for (int y = 2; y < 8; y++)
        for (int x = 4; x < 12; x++)
            set_glow(c, x, y, is_filled(c, x, y) ? y < 6 ? 255 : 90 : 0);
}

/* ---- Glass ---- */

void draw_glass(Canvas *c, uint32_t color, uint32_t contrast, uint8_t pane)
{
    static const char *const shine[] = {
        "     5    ", "    5   4 ", "   5   4  ", "  5   4   ", " 5   4    ",
        "5         ", "        5 ", "       5  ", "      5   ", "     4    ",
    };
    Ramp ramp = ramp_of(color, contrast);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            put(c, x, y, ramp.shade[3]);
            c->color[y][x][3] = pane;
            set_height(c, x, y, 120);
        }
    draw_sprite(c, 2, 3, shine, 10, &ramp);
    draw_frame(c, 0, 0, 15, 15, &ramp, 4, 2);
    put_shade(c, 0, 15, &ramp, 3);
    put_shade(c, 15, 0, &ramp, 3);
    fill_rough(c, 20);
}

static void paint_glass(Canvas *c, const PaintMaterial *color)
{
    draw_glass(c, color->color, color->contrast, 100);
}

static void paint_leaded_glass(Canvas *c, const PaintMaterial *color)
{
    Ramp lead = ramp_of(0x4A4C54, 100), ramp = ramp_of(color->color, color->contrast);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int falling = (x - y) & 7, rising = (x + y + 1) & 7;
            int pane = ((x - y) >> 3 & 1) + ((x + y + 1) >> 3 & 1);
            put(c, x, y, ramp.shade[2 + pane]);
            c->color[y][x][3] = 100;
            if (falling == 0 || rising == 0)
                put_shade(c, x, y, &lead, falling == 0 && rising == 0 ? 5 : 3);
            else if (falling == 1 && rising < 4)
                put(c, x, y, ramp.shade[5]);
        }
    draw_frame(c, 0, 0, 15, 15, &lead, 4, 2);
    fill_rough(c, 30);
}

static void paint_tulip(Canvas *c, const PaintMaterial *color)
{
    static const char *const tulip[] = {
        "   4 4 2   ", "   434432  ", "   443332  ", "   443322  ", "    33221  ",
        "     321   ", "     c     ", "  d  c     ", "  cd c  d  ", "   c cb dc ",
        "   cdcb c  ", "    ccbcb  ", "     cbb   ", "     cb    ",
    };
    Ramp ramps[3] = {ramp_of(color->color, 105), ramp_of(0x5A9A3C, 110), {{0}}};
    draw_sprite(c, 2, 2, tulip, 14, ramps);
}

const PaintShape color_shapes[] = {
    {"", "_wool", paint_wool},
    {"", "_concrete", paint_concrete},
    {"", "_concrete_powder", paint_powder},
    {"", "_terracotta", paint_terracotta},
    {"", "_glazed_terracotta", paint_glazed},
    {"", "_bricks", paint_colored_bricks},
    {"", "_tiles", paint_colored_tiles},
    {"", "_mosaic", paint_colored_mosaic},
    {"", "_planks", paint_colored_planks},
    {"", "_lamp", paint_lamp},
    {"", "_glass", paint_glass},
    {"", "_leaded_glass", paint_leaded_glass},
    {"", "_candle", paint_candle},
    {"", "_tulip", paint_tulip},
    {NULL, NULL, NULL},
};
