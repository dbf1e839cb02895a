/* Leaves of trees: clusters with depth, needles, long leaves, blossoms; and saplings. */
#include "paint_parts.h"

/* Round clusters: lit at the upper left, dark below, with holes between them. */
static void draw_broad(Canvas *c, const Ramp *ramp)
{
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            NearPoint leaf = near_point(c->seed, x, y, 4);
            int rim = leaf.further - leaf.near;
            uint32_t dice = hash2(c->seed + 3, x, y);
            if (rim < 9 && dice % 8 < 5)
                continue;
            int light = leaf.dx + leaf.dy, tone = (int)(hash2(c->seed, leaf.id, 7) % 3) - 1;
            int shade = light < -34 ? 4 : light < -8 ? 3 : light < 22 ? 2 : 1;
            shade += rim < 16 ? -1 : 0;
            if ((dice >> 8) % 9 == 0)
                shade++;
            put_shade(c, x, y, ramp, shade + (tone > 0));
        }
}

/* Twigs that hang, with needles to both sides. */
static void draw_needles(Canvas *c, const Ramp *ramp)
{
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            int twig = x / 4, shift = (int)(hash2(c->seed, twig, 1) & 7u);
            int in_twig = (y + shift) & 7, beside = x % 4;
            uint32_t dice = hash2(c->seed + 1, x, y);
            bool tip = in_twig == 7 || (in_twig == 6 && beside != 1);
            if ((tip && dice % 4) || (beside == 3 && in_twig > 2 && dice % 3 == 0))
                continue;
            int shade = in_twig < 2 ? 4 : in_twig < 4 ? 3 : in_twig < 6 ? 2 : 1;
            shade -= beside == 3 ? 2 : beside == 2 ? 1 : 0;
            put_shade(c, x, y, ramp, shade + ((dice >> 6) % 6 == 0));
        }
}

/* Leaves like blades, drawn one over the other along both diagonals. */
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
    Ramp ramp = ramp_of(wood->third, 115);
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

/* Snow lies in round lumps on the upper side of twigs. */
void paint_snowy_leaves(Canvas *c, const PaintSingle *single)
{
    Ramp ramp = ramp_of(single->color, 110), snow = ramp_of(0xEAF1F8, 55);
    draw_needles(c, &ramp);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++) {
            NearPoint lump = near_point(c->seed + 4, x, y, 4);
            int size = 20 + (int)(hash2(c->seed + 5, lump.id, 0) % 18);
            int light = lump.dx + 2 * lump.dy;
            if (lump.near < size)
                put_shade(c, x, y, &snow, light < -22 ? 4 : light < 14 ? 3 : light < 40 ? 2 : 1);
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
