#include "icon_symbols.h"

/* One character per pixel; see `colors`. */
static const char *const symbols[CRAFTY_SYMBOL_COUNT][CRAFTY_SYMBOL_SIZE] = {
    [CRAFTY_SYMBOL_HEART] = {"................", "..kkkk....kkkk..", ".krrrrk..krrrrk.",
                             "krwwrrrkkrrrrrrk", "krwwrrrrrrrrrrrk", "krwrrrrrrrrrrrrk",
                             "krrrrrrrrrrrrrdk", "krrrrrrrrrrrrrdk", ".krrrrrrrrrrrdk.",
                             "..krrrrrrrrrdk..", "...krrrrrrrdk...", "....krrrrrdk....",
                             ".....krrrdk.....", "......krdk......", ".......kk.......",
                             "................"},
    [CRAFTY_SYMBOL_HEART_HALF] = {"................", "..kkkk....kkkk..", ".krrrrk..keeeek.",
                                  "krwwrrrkkeeeeeek", "krwwrrrreeeeeeek", "krwrrrrreeeeeeek",
                                  "krrrrrrreeeeeeek", "krrrrrrreeeeeeek", ".krrrrrreeeeeek.",
                                  "..krrrrreeeeek..", "...krrrreeeek...", "....krrreeek....",
                                  ".....krreek.....", "......krek......", ".......kk.......",
                                  "................"},
    [CRAFTY_SYMBOL_HEART_EMPTY] = {"................", "..kkkk....kkkk..", ".keeeek..keeeek.",
                                   "keeeeeekkeeeeeek", "keeeeeeeeeeeeeek", "keeeeeeeeeeeeeek",
                                   "keeeeeeeeeeeeeek", "keeeeeeeeeeeeeek", ".keeeeeeeeeeeek.",
                                   "..keeeeeeeeeek..", "...keeeeeeeek...", "....keeeeeek....",
                                   ".....keeeek.....", "......keek......", ".......kk.......",
                                   "................"},
    [CRAFTY_SYMBOL_FOOD] = {"................", ".........kkkk...", ".......kkoooook.",
                            "......kooollook.", ".....kooollooook", ".....koooooooook",
                            "....kooooooooook", "....kooooooooook", "....kooooooooqk.",
                            "....koooooooqk..", "...kkkoooqqqk...", "..kwwkkkkkkk....",
                            ".kwwwk..........", "kwwwk...........", "kkwwk...........",
                            "..kk............"},
    [CRAFTY_SYMBOL_FOOD_HALF] = {"................", ".........kkkk...", ".......kkoooook.",
                                 "......keoollook.", ".....keeollooook", ".....keeoooooook",
                                 "....keeeoooooook", "....keeeoooooook", "....keeeoooooqk.",
                                 "....keeeooooqk..", "...kkkeeoqqqk...", "..keekkkkkkk....",
                                 ".keeek..........", "keeek...........", "kkeek...........",
                                 "..kk............"},
    [CRAFTY_SYMBOL_FOOD_EMPTY] = {"................", ".........kkkk...", ".......kkeeeeek.",
                                  "......keeeeeeek.", ".....keeeeeeeeek", ".....keeeeeeeeek",
                                  "....keeeeeeeeeek", "....keeeeeeeeeek", "....keeeeeeeeek.",
                                  "....keeeeeeeek..", "...kkkeeeeeek...", "..keekkkkkkk....",
                                  ".keeek..........", "keeek...........", "kkeek...........",
                                  "..kk............"},
    [CRAFTY_SYMBOL_BUBBLE] = {"................", "................", ".....kkkkkk.....",
                              "...kkbbbbbbkk...", "..kbbbbbbbbbbk..", "..kbbwwbbbbbbk..",
                              ".kbbwwwwbbbbbbk.", ".kbbwwwbbbbbbbk.", ".kbbwwbbbbbbbbk.",
                              ".kbbbbbbbbbbbbk.", ".kbbbbbbbbbbbbk.", "..kbbbbbbbbbck..",
                              "..kbbbbbbbbcck..", "...kkbbbbcckk...", ".....kkkkkk.....",
                              "................"},
    [CRAFTY_SYMBOL_FLAME] = {"................", ".......f........", "......ff........",
                             "......fff.......", ".....ffff..f....", "..f..fffff.ff...",
                             "..ff.fffffffff..", "..fffffyffffff..", "..ffffyyyfffff..",
                             ".fffyyyyyyffff..", ".ffyyyyyyyyyfff.", ".ffyyywyyyyyfff.",
                             ".fffyywwwyyyff..", "..ffyywwwyyfff..", "...ffyyyyyfff...",
                             ".....ffffff....."},
    [CRAFTY_SYMBOL_FLAME_EMPTY] = {"................", ".......x........", "......xx........",
                                   "......xxx.......", ".....xxxx..x....", "..x..xxxxx.xx...",
                                   "..xx.xxxxxxxxx..", "..xxxxxxxxxxxx..", "..xxxxxxxxxxxx..",
                                   ".xxxxxxxxxxxxx..", ".xxxxxxxxxxxxxx.", ".xxxxxxxxxxxxxx.",
                                   ".xxxxxxxxxxxxx..", "..xxxxxxxxxxxx..", "...xxxxxxxxxx...",
                                   ".....xxxxxx....."},
    [CRAFTY_SYMBOL_TRASH] = {"................", "......gggg......", "......g..g......",
                             "...gggggggggg...", "...gggggggggg...", "................",
                             "....gggggggg....", "....gsgsgsgg....", "....gsgsgsgg....",
                             "....gsgsgsgg....", "....gsgsgsgg....", "....gsgsgsgg....",
                             "....gsgsgsgg....", "....gggggggg....", ".....gggggg.....",
                             "................"},
};

static const struct {
    char name;
    uint32_t color; /* 0xRRGGBBAA */
} colors[] = {
    {'k', 0x1A1014FF}, /* outline */
    {'e', 0x0A0C1090}, /* empty */
    {'x', 0x46505EFF}, /* empty, on a panel */
    {'w', 0xFFF4ECFF}, {'r', 0xE23A3AFF}, {'d', 0xA8222CFF}, {'o', 0xC47A3AFF},
    {'l', 0xE6A868FF}, {'q', 0x8E5226FF}, {'b', 0x58A8F0D0}, {'c', 0x3A78C8E0},
    {'f', 0xF07020FF}, {'y', 0xFFC83CFF}, {'g', 0xB8C0CCFF}, {'s', 0x6A7482FF},
};

const char *const *crafty_symbol_rows(CraftySymbol symbol)
{
    return (uint32_t)symbol < CRAFTY_SYMBOL_COUNT ? symbols[symbol] : symbols[0];
}

uint32_t crafty_symbol_color(const char *const *rows, uint32_t x, uint32_t y)
{
    char name = rows[y] ? rows[y][x] : '.';
    for (uint32_t i = 0; i < CN_COUNT_OF(colors); i++)
        if (colors[i].name == name)
            return colors[i].color;
    return 0;
}
