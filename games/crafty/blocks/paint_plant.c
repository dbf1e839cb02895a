/* Plants: sprites of blossoms, stems and leaves. Digits are shades of the blossom, lower-case
 * letters of the green parts, capitals of the second color. */
#include "paint_single.h"

#define STEM 0x5B9A3A

typedef struct Sprite {
    int left, top, count;
    const char *rows[16];
} Sprite;

static void draw(Canvas *c, const Sprite *sprite, const PaintSingle *s, uint32_t green)
{
    Ramp ramps[3] = {ramp_of(s->color, 105), ramp_of(green, 110), ramp_of(s->second, 100)};
    draw_sprite(c, sprite->left, sprite->top, sprite->rows, sprite->count, ramps);
}

/* ---- Flowers ---- */

static const Sprite flowers[] = {
    [FLOWER_ROUND] = {3,
                      3,
                      13,
                      {"   4343   ", "  445432  ", " 34BA4322 ", " 44AA3321 ", "  334321  ",
                       "   3221   ", "    cb    ", "  e cb    ", "  decb ed ", "   dcb dc ",
                       "    cbdc  ", "    cbc   ", "    cb    "}},
    [FLOWER_DAISY] = {3,
                      3,
                      13,
                      {"   4  4   ", "   44 43  ", " 44 43 44 ", "  43EDC43 ", "   4DCB3  ",
                       " 443CBA33 ", "   3 43 3 ", "  33 cb   ", "    dcb e ", "  e  cbed ",
                       "  dd cbd  ", "   dccb   ", "     cb   "}},
    [FLOWER_BALL] = {3,
                     2,
                     14,
                     {"    44    ", "  454433  ", " 45443432 ", " 44543332 ", " 34433322 ",
                      "  433222  ", "   3221   ", "    cb    ", "    cb    ", "    cb    ",
                      "  e cb    ", "  decb e  ", "   dcbed  ", "    cbd   "}},
    [FLOWER_SPIKE] = {4,
                      1,
                      15,
                      {"   4    ", "   43   ", "  443   ", "  4332  ", "  3432  ", " 44332  ",
                       " 43432  ", "  33322 ", " 443321 ", "  3c2   ", " e cb e ", " decbed ",
                       "  dcbd  ", "   cb   ", "   cb   "}},
    [FLOWER_BELLS] = {3,
                      2,
                      14,
                      {"    dc    ", "   d  c   ", "  44  43  ", " 4432 443 ", " 4332 332 ",
                       "  43 c  4 ", "     c 443", "   e cb332", "  de cb 3 ", "  d ecb   ",
                       "  cdecb e ", "   cdcbed ", "    ccbd  ", "     cb   "}},
    [FLOWER_WIDE] = {3,
                     3,
                     13,
                     {"  43  43  ", " 4443443  ", " 34453332 ", "  345A332 ", "   4AB33  ",
                      "  33322322", "  32  c32 ", "      cb  ", "  e   cb  ", "  dde cb  ",
                      "   ddccb  ", "     ccb e", "      cbd "}},
    [FLOWER_ORCHID] = {3,
                       2,
                       14,
                       {"     44   ", "  4 443 4 ", "  443A343 ", "   34A332 ", "    343   ",
                        "  44 c    ", " 443 cb   ", "  3A3cb   ", "   3 cb   ", "     cb e ",
                        "  e  cb d ", "  dde cbd ", "   dccbc  ", "     cb   "}},
    [FLOWER_TALL] = {2,
                     0,
                     16,
                     {"    4444    ", "  44443433  ", "  4CBBBC33  ", " 44BCCBAB32 ",
                      " 43BCBBAA32 ", " 34BBBAAA32 ", "  33ABAA32  ", "  33322222  ",
                      "    3222    ", "     cb     ", " eed cb     ", "  dddcb ee  ",
                      "    ccb dd  ", "     cbddc  ", "     ccc    ", "     cb     "}},
    [FLOWER_CUP] = {3,
                    4,
                    12,
                    {"  4    4  ", "  43 443  ", "  443433  ", "  444332  ", "   43332  ",
                     "    332   ", "     c    ", " e   cb   ", " dde cb e ", "  dddcbed ",
                     "    ccbd  ", "     cb   "}},
    [FLOWER_CLUSTER] = {2,
                        5,
                        11,
                        {"   43    43 ", "  45A3  4532", "   32  44A32", " 43  43 332 ",
                         "45A34532 c  ", " 32 3A32 c  ", "  c  3c cb e", " ecb  cbcbed",
                         " decbecbcbd ", "  dcbddcbc  ", "   ccdccb   "}},
};

void paint_flower(Canvas *c, const PaintSingle *s)
{
    draw(c, &flowers[s->variant], s, STEM);
}

/* Three or more small flowers close to the ground. */
void paint_carpet_flowers(Canvas *c, const PaintSingle *s)
{
    static const char *const petals[] = {" 44 ", "45A3", "4A32", " 32 "};
    static const int places[5][2] = {{1, 6}, {8, 4}, {5, 9}, {11, 9}, {0, 11}};
    Ramp ramps[3] = {ramp_of(s->color, 90), ramp_of(STEM, 110), ramp_of(s->second, 100)};
    for (int i = 0; i < 5; i++) {
        for (int y = places[i][1] + 3; y < PAINT_SIZE; y++)
            put_shade(c, places[i][0] + 2, y, &ramps[1], 2 + (y & 1));
        put_shade(c, places[i][0] + 1, 14, &ramps[1], 3);
        put_shade(c, places[i][0] + 3, 13, &ramps[1], 3);
    }
    for (int i = 0; i < 5; i++)
        draw_sprite(c, places[i][0], places[i][1], petals, 4, ramps);
}

/* ---- Grass, ferns, reeds ---- */

/* Blades from the ground, each with a root, a lean and a length. */
void paint_blades(Canvas *c, const PaintSingle *s)
{
    Ramp ramp = ramp_of(s->color, 115), tips = ramp_of(s->second ? s->second : s->color, 100);
    int count = s->variant > 10 ? 13 : 11;
    for (int i = 0; i < count; i++) {
        uint32_t dice = hash2(c->seed, i, 1);
        int root = 1 + (i * 14) / (count - 1), length = s->variant * 3 / 4 + (int)(dice % 5);
        int lean = (int)(dice >> 8 & 7u) - 3;
        length = length > 16 ? 16 : length;
        for (int step = 0; step < length; step++) {
            int x = root + lean * step * step / (length * 16 / 10 + 1) / 3, y = 15 - step;
            int shade = 1 + step * 3 / length + (step > 1) - (i & 1);
            if (x < 0 || x > 15)
                break;
            put_shade(c, x, y, step > length - 3 && s->second ? &tips : &ramp, shade);
        }
    }
}

static const Sprite shapes[] = {
    [PLANT_FERN] = {1,
                    1,
                    15,
                    {"      ee      ", "     dedc     ", "   e  dc  e   ", "  dde dc edd  ",
                     "    dddccc    ", " ee   dc   ee ", "  ddd dc eddc ", "   cddddccc   ",
                     "e  ee dc ee  e", "dde dddcdc edd", " cddd dc ddcc ", "   ccdddccc   ",
                     " dd   cb   cc ", "  ccc cb bcc  ", "    ccbbbb    "}},
    [PLANT_DEAD] = {1,
                    3,
                    13,
                    {" 3         3  ", "  3  3    3   ", "  43  3  42 3 ", "   42 3 42 32 ",
                     "3   4243 2 2  ", " 32  432  42  ", "  422 42 42   ", "    4 4322    ",
                     "     433  43  ", "  32  42 42   ", "   4243222    ", "     432      ",
                     "     432      "}},
    [PLANT_BUSH] = {0,
                    3,
                    13,
                    {"     eeedd      ", "   edd4ddcddc   ", "  eddd33ddc4cc  ", " eddcdddcddc3cb ",
                     " dd4dcddddccccb ", "edd33cddcdd4dccb", "dddccdddcdc33ccb", "ddcd4ddcccdccbcb",
                     " cdc3cddc4ccbbb ", " ccdccdcc3cbbba ", "  cccbbccbbbba  ", "    bb ab ab    ",
                     "     ab  ba     "}},
    [PLANT_CANE] = {1,
                    0,
                    16,
                    {"  e    dc    e", " dc e  dc   dc", " dcdc  dc d dc", " dc dc ed  ddc",
                     " ee dc dc   dc", " dc ed dc   ee", " dc dc dc d dc", " dc dc dcd  dc",
                     " dc dc ee   dc", " ee dc dc   dc", " dc dc dc   ed", " dc ee dc   dc",
                     " dc dc dc   dc", " dc dc dc   dc", " dd dc ed   dc", " dc dc dc   ee"}},
    [PLANT_CATTAIL] = {2,
                       0,
                       16,
                       {"   d     d  ", "   d     d  ", "  443   443 ", "  432   432 ",
                        "  432   432 ", "  432 e 321 ", "  321 d  c  ", "   c  d  c  ",
                        "e  c ed  c e", "de c d   c d", " d cdd e c d", " dec d d cdd",
                        "  dcdd d cd ", "  ddcc dcdc ", "   dc  cdc  ", "   cb  bcb  "}},
    [PLANT_BAMBOO] = {2,
                      0,
                      16,
                      {" dedc   ee  ", " ddcb  edd  ", " ddcb edd   ", " ddcbedc    ",
                       " ddcbd      ", " eedd       ", " cccb   ee  ", " ddcb  dd   ",
                       " ddcb  d    ", " ddcb  ee   ", " ddcbeddc   ", " ddcbdc     ",
                       " eedd       ", " cccb       ", " ddcb       ", " ddcb       "}},
    [PLANT_PAD] = {1,
                   5,
                   9,
                   {"    eeeedd    ", "  eeddddd ccc ", " eddddd  ddccc", "eddddd  dddccb",
                    "edddd ddddcccb", "dddddddddccccb", " cdddddddccbb ", "  cccccccbbb  ",
                    "    bbbbbb    "}},
    [PLANT_WHEAT] = {1,
                     1,
                     15,
                     {"  4   4   4  4", " 443 443 443 4", " 433 433 43 44", " 443 443 44343",
                      "  32  32  3243", "  3 4 3  4 3 3", "  3443 44343 3", "  3 43 3 43 32",
                      "  3 32 3 32 3 ", "  3 3  3 3  3 ", "  2 3 d2 3 d2 ", " d2 2 d2 2 d2 ",
                      "  2d2 c2d2 c2 ", "  2c2 c2c2 c2 ", "  c c c cc cc "}},
    [PLANT_CROP] = {1,
                    5,
                    11,
                    {" e   e   e  e ", "ded dde ed edd", " dedd dedddedd", "edddcdddcdd dc",
                     " dc ddc dd ddc", "  dcdc ddcddc ", " ddc ddcd cdc ", "   ccdc ccdc  ",
                     "  442  443 44 ", "  332  332 33 ", "   2    2   2 "}},
    [PLANT_MUSHROOM] = {3,
                        7,
                        9,
                        {"   4443   ", "  44543A  ", " 4544333A ", " 4A433532 ", " 33333222 ",
                         "  DDCCBB  ", "    DC    ", "    DC    ", "    DCB   "}},
    [PLANT_MUSHROOM_TALL] = {3,
                             4,
                             12,
                             {"    44    ", "   4443   ", "  445333  ", " 44433322 ", "344333222 ",
                              " 2DDCCB22 ", "    DC    ", "    DC    ", "    DC    ", "    DDC   ",
                              "    DDCB  ", "    DCCB  "}},
    [PLANT_PEBBLES] = {1,
                       10,
                       6,
                       {"         43   ", "  443   4332  ", " 44332  3221  ", " 43322 1   44 ",
                        " 322211  4332 ", "   111   3221 "}},
    [PLANT_LEAVES] = {1,
                      9,
                      7,
                      {"   4      D   ", "  443  DC  4  ", " 4332 DDCB343 ", "D 32D  CB 433 ",
                       "DC  DC 44  32D", "CB 43 4333 DDC", "  3322 322  CB"}},
    [PLANT_VINES] = {0,
                     0,
                     16,
                     {" ed  d  edd  d  ", " dd ed  dd  ed  ", "edc dc edcd dde ",
                      "ddc dc  dcc  dc ", " d edd edc  edd ", " c ddc ddc  ddc ",
                      "ed  dc  dc ed c ", "ddc dd edd ddc  ", " dc edcdddc dc  ",
                      "  c ddc dc  d   ", " ed  dc d  edd  ", " ddc d  ed ddc  ",
                      "  dc ed  dd dc  ", "  d  ddc dc d   ", " ed   dc d  dd  ",
                      " dc   d  c  dc  "}},
    [PLANT_KELP] = {4,
                    0,
                    16,
                    {"   ed   ", "   ddc  ", " e ddc  ", " dddc   ", "  ddc e ", "   dcdd ",
                     "   ddc  ", " e dc   ", " dddc   ", "  ddc   ", "   dcde ", "   ddc  ",
                     " ed dc  ", "  dddc  ", "   ddc  ", "   dc   "}},
    [PLANT_CORAL] = {1,
                     1,
                     15,
                     {"  4    44  4  ", " 43 4  43 443 ", " 43 43 43 432 ", "  4343 4343 4 ",
                      "4 443  443  43", "43 43 4443 432", "43 4334332433 ", " 43 43 43 432 ",
                      "  434433343 4 ", "4  44333433 43", "4343343334332 ", " 4333433322   ",
                      "  23333322    ", "    2333 2    ", "     2221     "}},
    [PLANT_FAN] = {0,
                   2,
                   14,
                   {"   4 4 4 4 4    ", "  434343434343  ", " 3 43 343 43 3  ", "4343434343434 43",
                    " 4 343 434 343 3", "434 4343434 434 ", " 34343 3 3434343", "  3 343 343 343 ",
                    " 434 43434 434  ", "  3434 4 43 32  ", "   334333432    ", "     233322     ",
                    "       32       ", "       21       "}},
    [PLANT_WEB] = {0,
                   0,
                   16,
                   {"4      4       4", " 3     3      3 ", "  3   343    3  ", "  334443444433  ",
                    "  43   3    33  ", "   43  3   34   ", "   4 3 3  3 4   ", "44434333334344 4",
                    "   4  33 33 4444", "   4 3 3  3 4   ", "   43  3   34   ", "  434444444443  ",
                    "  3    3     3  ", " 3     3      3 ", "3      3       3",
                    "       4       4"}},
};

void paint_plant(Canvas *c, const PaintSingle *s)
{
    draw(c, &shapes[s->variant], s, s->second ? s->second : STEM);
}

/* The second color is that of the fruit, or 0: then the leaves have the first color. */
void paint_green(Canvas *c, const PaintSingle *s)
{
    draw(c, &shapes[s->variant],
         &(PaintSingle){.color = s->second ? s->second : s->color, .second = 0xE8DCC4}, s->color);
}

void paint_mushroom(Canvas *c, const PaintSingle *s)
{
    draw(c, &shapes[s->variant], s, STEM);
    if (s->use == PAINT_PROP && s->color == 0x4FD8C8) /* the glowing one */
        for (int y = 0; y < PAINT_SIZE; y++)
            for (int x = 0; x < PAINT_SIZE; x++)
                set_glow(c, x, y, is_filled(c, x, y) ? 160 : 0);
}

void paint_snowy_blades(Canvas *c, const PaintSingle *s)
{
    paint_blades(c, s);
    Ramp snow = ramp_of(0xF1F5F9, 60);
    for (int y = 0; y < 15; y++)
        for (int x = 0; x < PAINT_SIZE; x++)
            if (is_filled(c, x, y) && (y == 0 || !is_filled(c, x, y - 1)))
                put_shade(c, x, y, &snow, 4);
    for (int x = 1; x < 15; x++)
        if (hash2(4, x, 0) % 4)
            put_shade(c, x, 15, &snow, 3);
}

/* ---- Torches and lanterns ---- */

void paint_torch(Canvas *c, const PaintSingle *s)
{
    static const char *const torch[] = {
        " EF ", "DFFE", "DFFD", "CEEC", "4332", "4321",
        "4321", "3321", "4321", "4331", "4321", "3321",
    };
    Ramp ramps[3] = {ramp_of(s->second, 110), {{0}}, ramp_of(s->color, 110)};
    ramps[2].shade[5] = 0xFFF6C8;
    draw_sprite(c, 6, 4, torch, 12, ramps);
    for (int y = 4; y < 9; y++)
        for (int x = 6; x < 10; x++)
            set_glow(c, x, y, is_filled(c, x, y) ? y < 8 ? 255 : 80 : 0);
}

void paint_lantern(Canvas *c, const PaintSingle *s)
{
    static const char *const lantern[] = {
        "    43    ", "   4  3   ", "   4  3   ", "  444332  ", " 44333221 ",
        "  3ABBA2  ", "  3BEEC1  ", "  4CFFD1  ", "  3CFFD1  ", "  3BEEC1  ",
        "  2ACCB1  ", " 33222111 ", "  222110  ",
    };
    Ramp ramps[3] = {ramp_of(s->second, 110), {{0}}, ramp_of(s->color, 90)};
    if (!s->variant)
        ramps[2].shade[5] = 0xFFF9DC;
    draw_sprite(c, 3, 3, lantern, 13, ramps);
    for (int y = 8; y < 14 && !s->variant; y++)
        for (int x = 6; x < 10; x++)
            set_glow(c, x, y, 230);
}

/* ---- Young crops and fire ---- */

/* Four plants in a row, each of a few straight blades. */
void paint_young(Canvas *c, const PaintSingle *s)
{
    Ramp ramp = ramp_of(s->color, 110), tips = ramp_of(s->second ? s->second : s->color, 100);
    for (int plant = 0; plant < 4; plant++)
        for (int blade = -1; blade <= 1; blade++) {
            uint32_t dice = hash2(c->seed, plant, blade);
            int root = 2 + 4 * plant, length = s->variant - (blade ? 1 + (int)(dice % 2) : 0);
            for (int step = 0; step < length; step++) {
                int x = root + blade * (1 + step * 2) / (2 + length / 3), y = 15 - step;
                int shade = 2 + step * 3 / (length + 1) - (blade > 0);
                put_shade(c, x, y, step > length - 3 && s->second ? &tips : &ramp, shade);
            }
        }
}

/* Tongues of different heights: bright at the root, dark and ragged at the tips. */
void paint_fire(Canvas *c, const PaintSingle *s)
{
    static const int heights[PAINT_SIZE] = {6, 9, 12, 8, 7, 11, 15, 13, 9, 7, 10, 14, 11, 7, 9, 5};
    Ramp outer = ramp_of(s->second, 100), inner = ramp_of(s->color, 100);
    for (int x = 0; x < PAINT_SIZE; x++)
        for (int step = 0; step < heights[x]; step++) {
            int y = 15 - step, left = heights[x] - step;
            bool is_hollow = step > 3 && left > 2 && hash2(c->seed, x, step) % 5 == 0;
            if (is_hollow)
                continue;
            if (left <= 3)
                put_shade(c, x, y, &outer, 2 + left / 2);
            else if (step < heights[x] / 3)
                put(c, x, y, step == 0 ? 0xFFF3B0 : 0xFFD860);
            else
                put_shade(c, x, y, &inner, 3 + (int)(hash2(c->seed, x, y) % 2));
            set_glow(c, x, y, left <= 3 ? 170 : 255);
        }
}
