/* Leaves: clusters with depth, needles, long leaves, blossoms; and saplings. */
#include "painter.h"

/* Draws a leaf or a tuft: digits are shades added to that of the layer. */
static void draw_tuft(Canvas *c, const Ramp *ramp, int left, int top, const char *const *rows,
                      int shade)
{
    for (int y = 0; y < 4; y++)
        for (int x = 0; rows[y][x]; x++)
            if (rows[y][x] != ' ')
                put_shade(c, left + x, top + y, ramp, shade + rows[y][x] - '0');
}

/* Clumps in three layers: deep ones are dark, outer ones catch light from above. There are holes
 * between them. */
static void draw_broad(Canvas *c, const Ramp *ramp)
{
    static const char *const tufts[4][4] = {
        {" 11 ", "1110", "0100", "    "},
        {"11  ", "1110", " 000", "    "},
        {" 1  ", "111 ", "110 ", " 0  "},
        {"111 ", "0110", "    ", "    "},
    };
    /* Grid size, and the chance of a tuft out of 8. */
    static const struct {
        int side, chance, shade;
    } layers[] = {{3, 7, 0}, {4, 6, 1}, {4, 5, 2}, {5, 4, 3}};
    for (int layer = 0; layer < 4; layer++) {
        int side = layers[layer].side, count = (PAINT_SIZE + side - 1) / side;
        for (int i = 0; i < count * count; i++) {
            uint32_t dice = hash2(c->seed + 31 * (uint32_t)layer, i, 5);
            if ((int)(dice & 7u) >= layers[layer].chance)
                continue;
            int left = i % count * PAINT_SIZE / count + (int)(dice >> 3 & 3u) - 1;
            int top = i / count * PAINT_SIZE / count + (int)(dice >> 5 & 3u) - 1;
            draw_tuft(c, ramp, left, top, tufts[dice >> 8 & 3u], layers[layer].shade);
        }
    }
    /* Single leaves in full light. */
    for (int i = 0; i < 5; i++) {
        uint32_t dice = hash2(c->seed + 9, i, 3);
        int x = (int)(dice & 15u), y = (int)(dice >> 4 & 15u);
        if (is_filled(c, x, y) && is_filled(c, x + 1, y))
            put_shade(c, x, y, ramp, 4 + (int)(dice >> 8 & 1u));
    }
}

/* Hanging twigs, each in front of those above: light at the tips, dark at the base. */
static void draw_needles(Canvas *c, const Ramp *ramp)
{
    static const char *const twig[] = {"  0  ", " 000 ", " 010 ", "01110",
                                       "12121", "2 3 2", "  2  "};
    for (int i = 0; i < 24; i++) {
        uint32_t dice = hash2(c->seed, i, 1);
        int row = i / 4, left = i % 4 * 4 + (row & 1) * 2 + (int)(dice & 1u) - 1;
        int top = row * 3 - 2 + (int)(dice >> 1 & 1u);
        for (int y = 0; y < 7; y++)
            for (int x = 0; x < 5; x++)
                if (twig[y][x] != ' ') {
                    int shade = twig[y][x] - '0' + (int)(dice >> 4 & 1u);
                    put_shade(c, left + x, top + y, ramp, shade + (y > 2 && dice % 3 == 0));
                }
        if (dice % 5 == 0)
            erase(c, left + 4, top + 1);
    }
}

/* Blade-shaped leaves, layered along both diagonals. */
static void draw_long(Canvas *c, const Ramp *ramp)
{
    for (int i = 0; i < 26; i++) {
        uint32_t dice = hash2(c->seed, i, 2);
        int x = (int)(dice & 15u), y = (int)(dice >> 4 & 15u), side = dice >> 8 & 1 ? 1 : -1;
        int length = 4 + (int)(dice >> 9 & 3u), layer = i / 9;
        for (int step = 0; step < length; step++) {
            int shade = 1 + layer + (step < length / 2);
            put_shade(c, x + side * (step / 2), y + step, ramp, shade);
            put_shade(c, x + side * (step / 2) + 1, y + step, ramp, shade - 1);
        }
    }
}

void paint_leaves(Canvas *c, const PaintMaterial *wood)
{
    Ramp ramp = ramp_of(wood->third, wood->third >> 16 > 200 ? 70 : 92);
    if (wood->leaves == PAINT_LEAVES_NEEDLES)
        draw_needles(c, &ramp);
    else if (wood->leaves == PAINT_LEAVES_LONG)
        draw_long(c, &ramp);
    else
        draw_broad(c, &ramp);
}

void paint_blossoms(Canvas *c, const PaintMaterial *wood)
{
    static const uint32_t colors[] = {0xF4F0F2, 0xF29CC0, 0xF7D24A, 0xE2452F, 0xC78AE8, 0xFF9B3D};
    static const char *const flower[] = {" 43 ", "45A3", "3A32", " 32 "};
    Ramp ramps[3] = {ramp_of(colors[(wood - paint_woods) % 6], 90), {{0}}, ramp_of(0xF6C93A, 90)};
    ramps[2].shade[0] = ramps[2].shade[3];
    paint_leaves(c, wood);
    for (int i = 0; i < 6; i++) {
        int column = i % 3, row = i / 3;
        uint32_t dice = hash2(77, i, 1);
        int left = column * 5 + (int)(dice & 1u) + row * 2, top = row * 8 + (int)(dice >> 2 & 3u);
        draw_sprite(c, left, top, flower, 4, ramps);
    }
}

/* Snow lies on the outer leaves; seen from above, it covers nearly everything. */
void paint_snowy_leaves(Canvas *c, const PaintSingle *single)
{
    Ramp ramp = ramp_of(single->color, 95), snow = ramp_of(0xEAF1F8, 60);
    bool from_above = single->variant != 0;
    draw_needles(c, &ramp);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            NearPoint lump = near_point(c->seed + 4, x, y, 4);
            int size = (from_above ? 34 : 14) + (int)(hash2(c->seed + 5, lump.id, 0) % 12);
            int light = lump.dx + 2 * lump.dy, edge = size - lump.near;
            if (edge > 0)
                put_shade(c, x, y, &snow, light < -22 ? 4 : light < 14 || edge > 8 ? 3 : 2);
        }
}

/* ---- Saplings: digits are leaves, letters the stem ---- */

static const char *const broad_sapling[] = {
    "       43       ", "     443332     ", "    44334332    ", "   3433243322   ",
    "   4332334321   ", "  34332143322   ", "   3322c33211   ", "    221dc211    ",
    "     12cb21     ", "    1  cb  1    ", "   32  cb 232   ", "    21bcb321    ",
    "      ccb1      ", "       cb       ", "       cb       ", "      bcba      ",
};
static const char *const needle_sapling[] = {
    "       4        ", "       43       ", "      4332      ", "      3321      ",
    "     443321     ", "    44 3221     ", "      3332      ", "     443321     ",
    "    4433322     ", "   44 33 221    ", "     433321     ", "    44333321    ",
    "   4433332211   ", "  44 32cb 2 21  ", "       cb       ", "      bcba      ",
};
static const char *const long_sapling[] = {
    "                ", "    444  3333   ", "   43333433332  ", "  432 4343  332 ",
    "  3  43 d 43  2 ", " 43 43 cb  43 2 ", " 3  32 cb  32   ", "    2  cb  21   ",
    "   32  cb   2   ", "   2   cb   1   ", "       cb       ", "      ccb       ",
    "      cb        ", "      cb        ", "      cb        ", "     bcba       ",
};

void paint_sapling(Canvas *c, const PaintMaterial *wood)
{
    Ramp ramps[3] = {ramp_of(wood->third, 115), ramp_of(wood->second, 100), {{0}}};
    const char *const *rows = wood->leaves == PAINT_LEAVES_NEEDLES ? needle_sapling
                              : wood->leaves == PAINT_LEAVES_LONG  ? long_sapling
                                                                   : broad_sapling;
    draw_sprite(c, 0, 0, rows, 16, ramps);
}
