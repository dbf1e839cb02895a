/*
 * Tiles of items that are not drawn as their block: item_NAME. An item is a sprite in up to three
 * colors, with a dark outline around it. draw_sprite explains the characters.
 */
#include "paint_items.h"
#include "painter.h"

#include <stdio.h>
#include <string.h>

#define SPRITE_ROWS 14
#define MARGIN 1 /* on each side, for the outline */

static const char *const pickaxe[SPRITE_ROWS] = {
    "   45544",     "   344444",    "    2233444",  "       cb344", "      dcb344", "     dcb 344",
    "    dcb  344", "   dcb    34", "  dcb     34", " dcb      23", "dcb        2", "cb"};
static const char *const axe[SPRITE_ROWS] = {
    "    4444",    "   455554dcb", "  4555554cb", "  455554cb", "  34544dcb3",
    "   344dcb 3", "    2dcb",     "    dcb",     "   dcb",     "  dcb",
    " dcb",        "dcb",          "cb"};
static const char *const shovel[SPRITE_ROWS] = {"         444",
                                                "        45543",
                                                "       455443",
                                                "       344432",
                                                "       cb332",
                                                "      dcb2",
                                                "     dcb",
                                                "    dcb",
                                                "   dcb",
                                                "  dcb",
                                                " dcb",
                                                "dcb",
                                                "cb"};
static const char *const hoe[SPRITE_ROWS] = {
    "    44544",    "   4555544", "   333 cb44", "      dcb344",
    "     dcb 233", "    dcb",    "   dcb",      "  dcb",
    " dcb",         "dcb",        "cb"};
static const char *const sword[SPRITE_ROWS] = {"           455",
                                               "          4554",
                                               "         4543",
                                               "        4543",
                                               "       4543",
                                               "      4543",
                                               " A   4543",
                                               " BA 4543",
                                               "  BA443",
                                               "   BBA",
                                               "  dcBBA",
                                               " dcb BB",
                                               "Bcb",
                                               "BB"};
static const char *const shears[SPRITE_ROWS] = {
    "  4       4", "  54     53", "   54   53",  "    54 53",   "     543",    "     343",
    "    ba ba",   "   bb b bb",  "  b  b b  b", "  b  b b  b", "  bb b b bb", "   bbb bbb"};
static const char *const bucket[SPRITE_ROWS] = {"",
                                                "    344443",
                                                "  34ABBBBA43",
                                                " 34ABCCCCBA43",
                                                " 35AABBBBAA53",
                                                "  345AAAA543",
                                                "  3445555432",
                                                "  3444444332",
                                                "   34444332",
                                                "   34444332",
                                                "   34444332",
                                                "   33443322",
                                                "    333322"};
static const char *const ingot[SPRITE_ROWS] = {"",
                                               "",
                                               "",
                                               "       555555",
                                               "      5444444",
                                               "     54444443",
                                               "    544444433",
                                               "   555555533",
                                               "   443333323",
                                               "   43333322",
                                               "   3333322",
                                               "   222222"};
static const char *const nugget[SPRITE_ROWS] = {
    "", "", "", "", "      45", "     4554", "    455443", "    444433", "     3332"};
static const char *const lump[SPRITE_ROWS] = {"",
                                              "",
                                              "     4455",
                                              "   44ee544",
                                              "  45de4443",
                                              "  444443b43",
                                              "  34ed44ba3",
                                              " 34dd43443",
                                              " 3434443ed32",
                                              "  3be333dd2",
                                              "   2ba33322",
                                              "     2222"};
static const char *const chunk[SPRITE_ROWS] = {"",
                                               "",
                                               "     445",
                                               "    45543",
                                               "   4554333",
                                               "  445433343",
                                               "  34433433322",
                                               " 233434432232",
                                               " 22343333221",
                                               "  223322211",
                                               "    111111"};
static const char *const gem[SPRITE_ROWS] = {"",
                                             "",
                                             "   45555544",
                                             "  4555444433",
                                             " 455544443333",
                                             " 345454434332",
                                             "  3445443332",
                                             "   34454332",
                                             "    344332",
                                             "     3432",
                                             "      32"};
static const char *const long_gem[SPRITE_ROWS] = {"",
                                                  "     4554",
                                                  "    455443",
                                                  "   45544433",
                                                  "   45544433",
                                                  "   45454433",
                                                  "   45444433",
                                                  "   45444333",
                                                  "   34443332",
                                                  "    344332",
                                                  "     3322"};
static const char *const dust[SPRITE_ROWS] = {"",
                                              "",
                                              "",
                                              "",
                                              "       5",
                                              "      454",
                                              "     45443",
                                              "    4544334",
                                              "   454443333",
                                              "  45444343332",
                                              " 3444334333322",
                                              "  23332232222"};
static const char *const ball[SPRITE_ROWS] = {"",
                                              "",
                                              "     4554",
                                              "   44555444",
                                              "  4555544433",
                                              "  4554444433",
                                              " 45544444333",
                                              " 34444443332",
                                              "  3444433332",
                                              "  2334333322",
                                              "   22333222",
                                              "     2222"};
static const char *const brick[SPRITE_ROWS] = {"",
                                               "",
                                               "",
                                               "",
                                               "    455555554",
                                               "   4544444443",
                                               "  45555555433",
                                               "  44444443433",
                                               "  4344343332",
                                               "  3333333322",
                                               "  2222222"};
static const char *const stick[SPRITE_ROWS] = {
    "",          "           43", "          443", "         443", "        443", "       443",
    "      443", "     443",      "    443",       "   443",       "  443",       " 443",
    " 33"};
static const char *const flint[SPRITE_ROWS] = {"",
                                               "       44",
                                               "      4543",
                                               "     45433",
                                               "    4543332",
                                               "    4433332",
                                               "   45433322",
                                               "   44333322",
                                               "   4333322",
                                               "   333322",
                                               "   23322",
                                               "    222"};
static const char *const lighter[SPRITE_ROWS] = {
    "",           "  444444",    " 45    53",   " 4      3",   " 4      3",   " 4     cc",
    " 34   cddc", "  33 cdddcb", "     cddccb", "    cddccba", "    cdccbba", "    bccbba",
    "     bbaa"};
static const char *const fiber[SPRITE_ROWS] = {"",
                                               "   3      4",
                                               "  43  4  34",
                                               "  34 43  43  4",
                                               "   4 34 34  43",
                                               "   43 4 43 34",
                                               "    4 434 34",
                                               "    43434434",
                                               "     443443",
                                               "    BBABBA",
                                               "     34343",
                                               "     43 34",
                                               "    34   4"};
static const char *const string[SPRITE_ROWS] = {
    "",           "         44", "       44 43", "      43   4", "     43   43", "    44   43",
    "    4  444", "   44 43",    "   4 43  44",  "   4443  434", "    43  43",   "       44",
    "     443"};
static const char *const paper[SPRITE_ROWS] = {"",
                                               "   455555554",
                                               "   4555555543",
                                               "   455aaaa543",
                                               "   455555553",
                                               "   45aaaaaa43",
                                               "   4555555543",
                                               "   455aaaa543",
                                               "   4555555543",
                                               "   45aaaa5543",
                                               "   4555555543",
                                               "   3444444433",
                                               "    33333333"};
static const char *const book[SPRITE_ROWS] = {"",
                                              "   44444444",
                                              "  4555555443",
                                              "  4544444443",
                                              "  45BBBBB443",
                                              "  4544444443",
                                              "  4544444443",
                                              "  4544444443",
                                              "  4544444443",
                                              "  3333333332",
                                              "  2dededed32",
                                              "  2edededed2",
                                              "   22222222"};
static const char *const bowl[SPRITE_ROWS] = {"",
                                              "",
                                              "",
                                              "",
                                              " 344444444443",
                                              " 322222222223",
                                              " 334444444332",
                                              "  3344444332",
                                              "  2334433322",
                                              "   22333222",
                                              "     2222"};
static const char *const stew[SPRITE_ROWS] = {"",
                                              "",
                                              "",
                                              "   CDEDCDED",
                                              " 3CDABDCEABC3",
                                              " 3BCDCBCDCBC3",
                                              " 334444444332",
                                              "  3344444332",
                                              "  2334433322",
                                              "   22333222",
                                              "     2222"};
static const char *const seeds[SPRITE_ROWS] = {"",
                                               "",
                                               "",
                                               "    45",
                                               "   4543  45",
                                               "    33  4543",
                                               "  45     33",
                                               " 4543  45",
                                               "  33  4543",
                                               "    45 33",
                                               "   4543  45",
                                               "    33  4543",
                                               "         33"};
static const char *const apple[SPRITE_ROWS] = {
    "       b",      "       b DC",   "   44 bDDC",    "  4554344433",  " 455444444332",
    " 454444443332", " 454444443332", " 344444443332", " 344444433322", "  3444433322",
    "  2343333222",  "   22332221",   "     2  2"};
static const char *const berries[SPRITE_ROWS] = {
    "      b  D",   "     bb DDD", "    b  bDD", "   443 b",     "  45433 443",  "  4443345433",
    "   33 344433", "  443  3333", " 45433 443", " 44433 45433", "  333 344433", "       3333"};
static const char *const carrot[SPRITE_ROWS] = {"         D D", "       D DDCD",
                                                "       DDDC",  "       4CDCDD",
                                                "      4544D",  "     45544",
                                                "    454443",   "   4543443",
                                                "   445433",    "  454433",
                                                "  44333",      " 4543",
                                                " 333",         " 2"};
static const char *const melon[SPRITE_ROWS] = {"",
                                               "           4",
                                               "          45D",
                                               "         445DC",
                                               "        4445DC",
                                               "       444a5DC",
                                               "      4444445DC",
                                               "     44a4445DC",
                                               "    44444a45DC",
                                               "  C5555555DDC",
                                               "  CDDDDDDDCC",
                                               "   CCCCCCC"};
static const char *const bread[SPRITE_ROWS] = {"",
                                               "",
                                               "        4443",
                                               "      4454443",
                                               "     45445443",
                                               "   445444d443",
                                               "  4544d444433",
                                               " 45444d44433",
                                               " 444d4444333",
                                               " 3444443332",
                                               "  33333322"};
static const char *const cookie[SPRITE_ROWS] = {"",
                                                "     4444",
                                                "   44554444",
                                                "  455b544443",
                                                "  454444ba43",
                                                " 4544444aa433",
                                                " 45ba444444432",
                                                " 44aa44b444432",
                                                " 344444444332",
                                                "  344a443b32",
                                                "  23443ba332",
                                                "   22333322"};
static const char *const mushrooms[SPRITE_ROWS] = {"",
                                                   "     4554",
                                                   "   44554443",
                                                   "  4545444433",
                                                   " 455444544332",
                                                   " 344444443322",
                                                   "  2BBCCBBA22",
                                                   "    BCCB",
                                                   "    BDCB",
                                                   "    BDCB",
                                                   "    BDCB",
                                                   "     CB"};
static const char *const pie[SPRITE_ROWS] = {"",
                                             "",
                                             "",
                                             "    DEDDED",
                                             "  EDAABAAADE",
                                             " DABBAABBABAD",
                                             " 4EDAABAADDE4",
                                             " 34DEDDEDDD43",
                                             "  3444444433",
                                             "  3343343432",
                                             "   33333322"};
static const char *const bed[SPRITE_ROWS] = {"",
                                             "",
                                             "",
                                             "",
                                             "          5DEE",
                                             "       455DEED",
                                             "    4545544ED",
                                             "  45445443333b",
                                             " 4444443333bbc",
                                             " 33333333bbcc",
                                             " cbbbbbbbcb b",
                                             " bb      bb",
                                             " b       b"};
static const char *const sign[SPRITE_ROWS] = {"",
                                              " 444444444443",
                                              " 455455544543",
                                              " 4aaaa4aaa433",
                                              " 455555455433",
                                              " 43aaaaaa3432",
                                              " 344444444332",
                                              " 222222222222",
                                              "      43",
                                              "      43",
                                              "      43",
                                              "      43",
                                              "      32"};

static const PaintItem tools[] = {{"pickaxe", pickaxe, {0}}, {"axe", axe, {0}},
                                  {"shovel", shovel, {0}},   {"hoe", hoe, {0}},
                                  {"sword", sword, {0}},     {0}};
static const struct {
    const char *name;
    uint32_t color;
} tiers[] = {{"wooden", 0x9A7444},
             {"stone", 0x8A8A8C},
             {"iron", 0xD6D8DC},
             {"golden", 0xF2C838},
             {"diamond", 0x4CD8D0}};
#define HANDLE 0x7E5A34
#define GUARD 0x5E4226

/* Colors: '0' to '5', 'a' to 'f', 'A' to 'F'. */
static const PaintItem paint_items[] = {
    {"stick", stick, {0x8E683C}},
    {"coal", chunk, {0x34343A}},
    {"charcoal", chunk, {0x4A3E36}},
    {"raw_iron", lump, {0x9A8E88, 0xD8A888}},
    {"raw_gold", lump, {0x9A8A6A, 0xF4CC40}},
    {"raw_copper", lump, {0x86766C, 0xE08048}},
    {"iron_ingot", ingot, {0xCACCD2}},
    {"gold_ingot", ingot, {0xF0C030}},
    {"copper_ingot", ingot, {0xD8784A}},
    {"iron_nugget", nugget, {0xCACCD2}},
    {"gold_nugget", nugget, {0xF0C030}},
    {"diamond", gem, {0x50D4D8}},
    {"emerald", long_gem, {0x30C060}},
    {"lapis", chunk, {0x2C50B8}},
    {"redstone", dust, {0xC0201C}},
    {"flint", flint, {0x4E5058}},
    {"flint_and_steel", lighter, {0xC8CCD2, 0x4E5058}},
    {"clay_ball", ball, {0x9CA4B4}},
    {"brick", brick, {0xB05A44}},
    {"snowball", ball, {0xE8F0F6}},
    {"plant_fiber", fiber, {0x7FA548, 0, 0xB8A468}},
    {"string", string, {0xE6E4DC}},
    {"paper", paper, {0xEDE9DA, 0xA8A498}},
    {"book", book, {0x96482E, 0xF0EAD8, 0xE0B840}},
    {"bowl", bowl, {0x946A3E}},
    {"sugar", dust, {0xF2F2F4}},
    {"flour", dust, {0xE6DCC4}},
    {"wheat_seeds", seeds, {0x8CA83E}},
    {"pumpkin_seeds", seeds, {0xE8DAB0}},
    {"melon_seeds", seeds, {0x5A4636}},
    {"toasted_seeds", seeds, {0xB47834}},
    {"apple", apple, {0xD0342C, 0x6E4A2A, 0x58A038}},
    {"baked_apple", apple, {0xA8562C, 0x5A3C22, 0x7A8438}},
    {"golden_apple", apple, {0xF4C838, 0x8A6420, 0x8CC048}},
    {"berries", berries, {0xB02850, 0x6E4A2A, 0x58A038}},
    {"carrot", carrot, {0xF0862A, 0, 0x58A038}},
    {"baked_carrot", carrot, {0xC06424, 0, 0x7A8438}},
    {"golden_carrot", carrot, {0xF4C838, 0, 0x8CC048}},
    {"melon_slice", melon, {0xE04848, 0x3C2420, 0x6CB040}},
    {"bread", bread, {0xC88E42, 0xF0D090}},
    {"cookie", cookie, {0xC8924E, 0x5A3420}},
    {"grilled_mushroom", mushrooms, {0x8C5C38, 0, 0xD8C4A0}},
    {"pumpkin_pie", pie, {0xC08844, 0, 0xD08030}},
    {"berry_pie", pie, {0xC08844, 0, 0xA83858}},
    {"apple_pie", pie, {0xC08844, 0, 0xD8B060}},
    {"mushroom_stew", stew, {0x946A3E, 0, 0xB0845C}},
    {"vegetable_stew", stew, {0x946A3E, 0, 0xD8842C}},
    {"fruit_salad", stew, {0x946A3E, 0, 0xD04468}},
    {"shears", shears, {0xC8CCD2, 0x8A4038}},
    {"bucket", bucket, {0xB4BAC4, 0, 0x5A606C}},
    {"water_bucket", bucket, {0xB4BAC4, 0, 0x3A70D0}},
    {"lava_bucket", bucket, {0xB4BAC4, 0, 0xE8702C}},
    {"milk_bucket", bucket, {0xB4BAC4, 0, 0xECECF0}},
    {"sign", sign, {0xB58E58, 0x5A4428}},
    {0},
};

/* ---- Painting ---- */

/* Surrounds what is drawn with the color beside it, darkened. */
static void outline(Canvas *c)
{
    static const int steps[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    bool filled[PAINT_SIZE][PAINT_SIZE];
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++)
            filled[y][x] = is_filled(c, x, y);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++)
            for (int i = 0; i < 4 && !filled[y][x]; i++) {
                int to_x = x + steps[i][0], to_y = y + steps[i][1];
                if (to_x < 0 || to_y < 0 || to_x >= PAINT_SIZE || to_y >= PAINT_SIZE ||
                    !filled[to_y][to_x])
                    continue;
                put(c, x, y, mix_color(get_color(c, to_x, to_y), 0x18121A, 190));
                break;
            }
}

static void paint_sprite(Canvas *c, const char *const *rows, const uint32_t colors[3])
{
    Ramp ramps[3];
    for (int i = 0; i < 3; i++)
        ramps[i] = ramp_of(colors[i], 110);
    for (int y = 0; y < SPRITE_ROWS; y++)
        if (rows[y])
            draw_sprite(c, MARGIN, MARGIN + y, rows + y, 1, ramps);
    for (int y = 0; y < PAINT_SIZE; y++)
        for (int x = 0; x < PAINT_SIZE; x++)
            set_height(c, x, y, 128);
    outline(c);
}

/* A door in small: every second pixel of both halves. */
static bool paint_door(Canvas *c, const char *name)
{
    static const char *const halves[] = {"upper", "lower"};
    for (int half = 0; half < 2; half++) {
        char tile[64];
        Canvas part = {.seed = c->seed};
        snprintf(tile, sizeof tile, "%s_%s", name, halves[half]);
        if (!paint_by_name(&part, tile))
            return false;
        for (int y = 0; y < 7; y++)
            for (int x = 0; x < 8; x++) {
                int from_x = 2 * x + (x > 3), from_y = 1 + 2 * y;
                if (is_filled(&part, from_x, from_y))
                    put(c, 4 + x, 1 + 7 * half + y, get_color(&part, from_x, from_y));
            }
    }
    outline(c);
    return true;
}

static bool paint_tool(Canvas *c, const char *name)
{
    for (size_t tier = 0; tier < sizeof tiers / sizeof *tiers; tier++) {
        size_t length = strlen(tiers[tier].name);
        if (strncmp(name, tiers[tier].name, length) != 0 || name[length] != '_')
            continue;
        for (const PaintItem *tool = tools; tool->name; tool++)
            if (strcmp(name + length + 1, tool->name) == 0) {
                paint_sprite(c, tool->rows, (uint32_t[3]){tiers[tier].color, HANDLE, GUARD});
                return true;
            }
    }
    return false;
}

/* Dyes and beds exist in all colors. */
static bool paint_colored(Canvas *c, const char *name)
{
    const char *last = strrchr(name, '_');
    const PaintMaterial *color =
        last ? find_material(paint_colors, name, (size_t)(last - name)) : NULL;
    if (!color)
        return false;
    bool is_dye = strcmp(last, "_dye") == 0;
    if (is_dye)
        paint_sprite(c, dust, (uint32_t[3]){color->color, 0, 0});
    else if (strcmp(last, "_bed") == 0)
        paint_sprite(c, bed, (uint32_t[3]){color->color, 0x8A6640, 0xF0F0EE});
    else
        return false;
    return true;
}

static bool paint_listed(Canvas *c, const PaintItem *list, const char *name)
{
    for (const PaintItem *item = list; item->name; item++)
        if (strcmp(item->name, name) == 0) {
            paint_sprite(c, item->rows, item->colors);
            return true;
        }
    return false;
}

bool paint_item(Canvas *c, const char *name)
{
    if (paint_listed(c, paint_items, name) || paint_listed(c, paint_creature_items, name))
        return true;
    size_t length = strlen(name);
    bool is_door = length > 5 && strcmp(name + length - 5, "_door") == 0;
    return paint_tool(c, name) || paint_colored(c, name) || (is_door && paint_door(c, name));
}

/* ---- Names ---- */

void paint_item_names(void (*add)(void *user, const char *name), void *user)
{
    static const char *const doors[] = {"oak_door", "spruce_door", "birch_door", "iron_door"};
    char name[64];
    for (const PaintItem *item = paint_items; item->name; item++)
        add(user, item->name);
    for (const PaintItem *item = paint_creature_items; item->name; item++)
        add(user, item->name);
    for (size_t tier = 0; tier < sizeof tiers / sizeof *tiers; tier++)
        for (const PaintItem *tool = tools; tool->name; tool++) {
            snprintf(name, sizeof name, "%s_%s", tiers[tier].name, tool->name);
            add(user, name);
        }
    for (const PaintMaterial *color = paint_colors; color->name; color++) {
        snprintf(name, sizeof name, "%s_dye", color->name);
        add(user, name);
        snprintf(name, sizeof name, "%s_bed", color->name);
        add(user, name);
    }
    for (size_t i = 0; i < sizeof doors / sizeof *doors; i++)
        add(user, doors[i]);
}
