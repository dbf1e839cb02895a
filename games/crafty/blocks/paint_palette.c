/* Materials of the families: names and colors. A new row adds a member to every shape of its
 * family. */
#include "painter.h"

const PaintMaterial paint_woods[] = {
    {"oak", 0xB58E58, 0x6E5435, 0x5B7D38, 100, PAINT_BARK_FURROWED, PAINT_LEAVES_BROAD},
    {"birch", 0xD8C68E, 0xE6E3DA, 0x7F994E, 90, PAINT_BARK_WHITE, PAINT_LEAVES_BROAD},
    {"spruce", 0x80603A, 0x48341F, 0x42604A, 100, PAINT_BARK_SCALED, PAINT_LEAVES_NEEDLES},
    {"jungle", 0xB7855E, 0x63522A, 0x557E36, 100, PAINT_BARK_FURROWED, PAINT_LEAVES_BROAD},
    {"acacia", 0xB9653A, 0x75695C, 0x667F3C, 100, PAINT_BARK_SMOOTH, PAINT_LEAVES_BROAD},
    {"dark_oak", 0x55391D, 0x3C2D1D, 0x46662C, 110, PAINT_BARK_FURROWED, PAINT_LEAVES_BROAD},
    {"cherry", 0xE2AFA6, 0x5A3544, 0xF0B6CC, 90, PAINT_BARK_BANDED, PAINT_LEAVES_BROAD},
    {"mangrove", 0x82403A, 0x5F4C38, 0x617E38, 105, PAINT_BARK_FURROWED, PAINT_LEAVES_BROAD},
    {"maple", 0xCB9E6E, 0x7D6D5C, 0xC4622F, 95, PAINT_BARK_SCALED, PAINT_LEAVES_BROAD},
    {"willow", 0xA79D6C, 0x625C47, 0x849C56, 100, PAINT_BARK_FURROWED, PAINT_LEAVES_LONG},
    {"palm", 0xD3AC72, 0xA08056, 0x6B9644, 95, PAINT_BARK_RINGED, PAINT_LEAVES_LONG},
    {"redwood", 0xA1523A, 0x80402A, 0x47694A, 100, PAINT_BARK_FURROWED, PAINT_LEAVES_NEEDLES},
    {"ebony", 0x46393C, 0x2E2728, 0x3B6145, 120, PAINT_BARK_SMOOTH, PAINT_LEAVES_BROAD},
    {"walnut", 0x75503A, 0x54483E, 0x6D8642, 105, PAINT_BARK_SCALED, PAINT_LEAVES_BROAD},
    {"ash", 0xCCBD9F, 0x918B80, 0x8BA04C, 90, PAINT_BARK_FURROWED, PAINT_LEAVES_BROAD},
    {"larch", 0xCC9056, 0x745A49, 0xCFA346, 100, PAINT_BARK_SCALED, PAINT_LEAVES_NEEDLES},
    {0},
};

const PaintMaterial paint_stones[] = {
    {"stone", 0x828284, 0x6B6B70, 0, 90, PAINT_STONE_PLAIN, 0},
    {"granite", 0x9F6E5B, 0xC08E7B, 0x835A4E, 100, PAINT_STONE_GRAINED, 0},
    {"diorite", 0xBFBFC1, 0xA1A1A6, 0xDADADC, 85, PAINT_STONE_GRAINED, 0},
    {"andesite", 0x898C8A, 0x777B79, 0x9B9E9A, 90, PAINT_STONE_GRAINED, 0},
    {"basalt", 0x504F56, 0x3A3940, 0, 95, PAINT_STONE_COLUMNS, 0},
    {"limestone", 0xC9BC9C, 0xAFA07F, 0, 75, PAINT_STONE_PLAIN, 0},
    {"marble", 0xE2E0DE, 0xB4B6C0, 0, 55, PAINT_STONE_VEINED, 0},
    {"slate", 0x5A6270, 0x454C5B, 0, 95, PAINT_STONE_LAYERED, 0},
    {"deepslate", 0x4C4C54, 0x3A3A42, 0, 100, PAINT_STONE_LAYERED, 0},
    {"tuff", 0x70725F, 0x565848, 0, 95, PAINT_STONE_PLAIN, 0},
    {"sandstone", 0xDDCC98, 0xC2AC74, 0, 75, PAINT_STONE_LAYERED, 0},
    {"red_sandstone", 0xBD682F, 0x9C4F22, 0, 85, PAINT_STONE_LAYERED, 0},
    {"shale", 0x665D57, 0x4E4743, 0, 95, PAINT_STONE_LAYERED, 0},
    {"gabbro", 0x434A46, 0x5A635E, 0x363C39, 105, PAINT_STONE_GRAINED, 0},
    {"rhyolite", 0xB7928A, 0xA47F7A, 0xC9AAA0, 85, PAINT_STONE_GRAINED, 0},
    {"travertine", 0xD9C4A2, 0xBFA47C, 0, 75, PAINT_STONE_LAYERED, 0},
    {"serpentine", 0x5F8467, 0x3F5F4C, 0, 95, PAINT_STONE_VEINED, 0},
    {"chalk", 0xEAE9E0, 0xD3D1C4, 0, 50, PAINT_STONE_PLAIN, 0},
    {"obsidian", 0x231A30, 0x4B3766, 0, 120, PAINT_STONE_GLASSY, 0},
    {"quartzite", 0xE8E0D6, 0xD3C5B6, 0, 50, PAINT_STONE_VEINED, 0},
    {"dolomite", 0xB3A79B, 0x988B82, 0, 80, PAINT_STONE_PLAIN, 0},
    {0},
};

const PaintMaterial paint_colors[] = {
    {"white", 0xE7E9EA, 0, 0, 60, 0, 0},
    {"orange", 0xEE7A1C, 0, 0, 95, 0, 0},
    {"magenta", 0xBF4AB5, 0, 0, 95, 0, 0},
    {"light_blue", 0x45AEDB, 0, 0, 90, 0, 0},
    {"yellow", 0xF6C830, 0, 0, 85, 0, 0},
    {"lime", 0x77BE23, 0, 0, 90, 0, 0},
    {"pink", 0xEE92B0, 0, 0, 80, 0, 0},
    {"gray", 0x474D51, 0, 0, 110, 0, 0},
    {"light_gray", 0x96968F, 0, 0, 85, 0, 0},
    {"cyan", 0x188C94, 0, 0, 100, 0, 0},
    {"purple", 0x7D33AE, 0, 0, 105, 0, 0},
    {"blue", 0x3A40A2, 0, 0, 110, 0, 0},
    {"brown", 0x784C2C, 0, 0, 100, 0, 0},
    {"green", 0x58721F, 0, 0, 100, 0, 0},
    {"red", 0xA92C26, 0, 0, 105, 0, 0},
    {"black", 0x232328, 0, 0, 125, 0, 0},
    {0},
};

const PaintMaterial paint_metals[] = {
    {"iron", 0xCFCFCF, 0xC9A48C, 0, 75, 0, 0},
    {"gold", 0xF3CE45, 0xE3B33A, 0, 90, 0, 0},
    {"copper", 0xC8744F, 0xB5653F, 0, 95, 0, 0},
    {"tin", 0xB4C0C6, 0xA4AFA8, 0, 75, 0, 0},
    {"silver", 0xDCE4EC, 0xC4CCD6, 0, 70, 0, 0},
    {"bronze", 0xA87836, 0x93682F, 0, 100, 0, 0},
    {"steel", 0x86909B, 0x6F7882, 0, 95, 0, 0},
    {"brass", 0xD2AE52, 0xBC9844, 0, 90, 0, 0},
    {"lead", 0x5F6674, 0x545A66, 0, 100, 0, 0},
    {"titanium", 0x9AA7B8, 0x7F8A99, 0, 85, 0, 0},
    {0},
};

const PaintMaterial paint_gems[] = {
    {"diamond", 0x5CE0D8, 0, 0, 85, 0, 0},
    {"emerald", 0x2CC65C, 0, 0, 95, 0, 0},
    {"ruby", 0xD4233F, 0, 0, 105, 0, 0},
    {"sapphire", 0x3159D6, 0, 0, 105, 0, 0},
    {"amethyst", 0x9A5FD4, 0, 0, 95, 0, 0},
    {"topaz", 0xEFA431, 0, 0, 90, 0, 0},
    {"lapis", 0x2A51AA, 0, 0, 105, 0, 0},
    {"redstone", 0xB8180C, 0, 0, 110, 0, 0},
    {"quartz", 0xEAE3DA, 0, 0, 60, 0, 0},
    {"jade", 0x58AE7C, 0, 0, 90, 0, 0},
    {0},
};

const PaintMaterial paint_ores[] = {
    {"coal", 0x33333A, 0, 0, 115, PAINT_ORE_LUMPS, 0},
    {"copper", 0xDB7B52, 0x4FA58A, 0, 100, PAINT_ORE_LUMPS, 0},
    {"iron", 0xD6AC90, 0, 0, 90, PAINT_ORE_LUMPS, 0},
    {"lapis", 0x2C57BE, 0, 0, 105, PAINT_ORE_SPECKS, 0},
    {"redstone", 0xD3160E, 0, 0, 105, PAINT_ORE_SPECKS, 0},
    {"gold", 0xF6D244, 0, 0, 95, PAINT_ORE_LUMPS, 0},
    {"emerald", 0x2ACB60, 0, 0, 100, PAINT_ORE_GEMS, 0},
    {"diamond", 0x5FE6DE, 0, 0, 95, PAINT_ORE_GEMS, 0},
    {"tin", 0xC2CED6, 0, 0, 85, PAINT_ORE_LUMPS, 0},
    {"silver", 0xE2EAF4, 0, 0, 80, PAINT_ORE_SPECKS, 0},
    {"ruby", 0xDA2744, 0, 0, 105, PAINT_ORE_GEMS, 0},
    {"sapphire", 0x345EDC, 0, 0, 105, PAINT_ORE_GEMS, 0},
    {"amethyst", 0xA066DC, 0, 0, 95, PAINT_ORE_GEMS, 0},
    {"topaz", 0xF2A936, 0, 0, 95, PAINT_ORE_GEMS, 0},
    {0},
};

const char *const paint_ore_hosts[] = {"granite",   "andesite", "basalt",    "limestone",
                                       "marble",    "slate",    "deepslate", "tuff",
                                       "sandstone", "shale",    NULL,        0};
