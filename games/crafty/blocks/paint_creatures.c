/* The skins of creatures and villagers: colors and drawings. */
#include "paint_creatures.h"

#include "paint_skin.h"

#include <string.h>

/* clang-format off */

/* Faces: eyes of two by two pixels with a light in the corner. */
#define PIG_FACE  "........" "........" ".wk..wk." ".kk..kk." "p......p" "........" "........" "22222222"
#define COW_FACE  "..bccb.." "..cccc.." "wkccccwk" "kkcccckk" "..cccc.." "..cccc.." "...cc..." "........"
#define COW_MUZZLE "DDDDDDDD" "DCDDDDCD" "DADDDDAD" "DDDDDDDD" "CCBBBBCC" "CCCCCCCC" "........" "........"
#define DARK_FEET "........" "........" "........" "........" "........" "bbbbbbbb" "aaaaaaaa" "aaaaaaaa"

static const Skin skins[] = {
    /* ---- Pig ---- */
    {"pig", COAT_SKIN, 0xE9A09C, 0x9C7670, 0xD5797C,
     {PIG_FACE,
      "EDDE...." "ADDA...." "CDDC...." "........" "........" "........" "........" "........",
      NULL,
      "........" "........" "........" "........" "bccbbccb" "bbbbbbbb" "........" "........"}},
    {"pig_body", COAT_SKIN, 0xE9A09C, 0xC9787A, 0xF7C4BC,
     {NULL, "........" "...22..." "..2222.." "...22..." "........" "........" "........" "........",
      "........" ".22....." "2222...." ".22....." "........" "........" "........" "........", NULL}},
    /* ---- Cow ---- */
    {"cow", COAT_FUR, 0x8A5A3C, 0xDDD2C2, 0xE3B6A4,
     {COW_FACE, COW_MUZZLE, NULL,
      "........" "........" "........" "dddddddd" "dddddddd" "dddddddd" "........" "........"}},
    {"cow_body", COAT_PATCHES, 0x8A5A3C, 0xDDD2C2, 0xE3A9A0, {NULL, NULL, NULL, NULL}},
    {"cow_leg", COAT_FUR, 0xDDD2C2, 0x4A3A36, 0xE3A9A0,
     {"........" "........" "........" "........" "........" "........" "bbbbbbbb" "aaaaaaaa", NULL,
      NULL, NULL}},
    /* ---- Sheep ---- */
    {"sheep", COAT_FUR, 0xC9AE93, 0x5B4840, 0xE7A8A0,
     {"........" "wk..wk.." "kk..kk.." "........" "..CC...." ".2BB2..." "..22....", NULL,
      NULL, DARK_FEET}},
    {"sheep_wool", COAT_WOOL, 0xDFD9CC, 0xDFD9CC, 0xDFD9CC, {NULL, NULL, NULL, NULL}},
    {"sheep_shorn", COAT_FUR, 0xE0BFA6, 0xC99F86, 0xE7A8A0, {NULL, NULL, NULL, NULL}},
    /* ---- Chicken ---- */
    {"chicken_body", COAT_FEATHERS, 0xE4DDD0, 0xE9A63A, 0xC8362F, {NULL, NULL, NULL, NULL}},
    {"chicken", COAT_FEATHERS, 0xE4DDD0, 0xE9A63A, 0xC8362F,
     {"........" "........" "wk....wk" "kk....kk" "........" "........" "........" "........", NULL,
      NULL, NULL}},
    {"chick", COAT_DOWN, 0xF8DC62, 0xE9A63A, 0xB98A2E,
     {"........" "........" "wk....wk" "kk....kk" "p......p" "........" "........" "........", NULL,
      NULL, NULL}},
    /* ---- Duck ---- */
    {"duck_head", COAT_DOWN, 0x2F7A4E, 0xF1EFE8, 0x6B4630,
     {"........" "........" "wk....wk" "kk....kk" "........" "........" "........" "dddddddd",
      "........" "..45...." ".45....." "........" "........" "........" "........" "dddddddd",
      "..4554.." ".455554." ".455554." "..4554.." "........" "........" "........" "........", NULL}},
    {"duck_body", COAT_FEATHERS, 0xB9B2A6, 0xF1EFE8, 0x6B4630,
     {NULL, NULL, NULL, NULL}},
    {"duck_breast", COAT_FEATHERS, 0x7A4E36, 0xF1EFE8, 0x6B4630, {NULL, NULL, NULL, NULL}},
    {"duck_wing", COAT_FEATHERS, 0x9A8E80, 0x3C62B8, 0xF1EFE8,
     {NULL, NULL, NULL, NULL}},
    {"duckling", COAT_DOWN, 0xF6D65C, 0x8A6432, 0xE9A63A,
     {"...cc..." "...cc..." "wk....wk" "kk....kk" "p......p" "........" "........" "........",
      "cc......" "ccc....." "........" "..bbb..." "........" "........" "........" "........",
      "..cccc.." "..cccc.." "..cccc.." "...cc..." "........" "........" "........" "........", NULL}},
    {"duckling_back", COAT_DOWN, 0xD9A848, 0x8A6432, 0xE9A63A, {NULL, NULL, NULL, NULL}},
    /* ---- Bee ---- */
    {"bee", COAT_RINGS, 0xF2BE3C, 0x3A2A24, 0x6FB6DC,
     {"33333333" "33333333" "wkk33wkk" "kkk33kkk" "kkk33kkk" "p333333p" "333aa333" "33333333", NULL,
      NULL, NULL}},
    {"bee_top", COAT_BANDS, 0xF2BE3C, 0x3A2A24, 0x6FB6DC, {NULL, NULL, NULL, NULL}},
    {"bee_wing", COAT_GLASSY, 0xE4F0F6, 0xE4F0F6, 0xE4F0F6, {NULL, NULL, NULL, NULL}},
    /* ---- Fish: the body has the tint of the variant ---- */
    {"fish", COAT_SCALES, 0xE6E2DA, 0xFFFFFF, 0xBDB6AA,
     {NULL, NULL, NULL, NULL}},
    {"fish_fin", COAT_FUR, 0xD6CEC0, 0xFFFFFF, 0xBDB6AA, {NULL, NULL, NULL, NULL}},
    /* ---- Bat ---- */
    {"bat", COAT_FUR, 0x5B4438, 0x8E6A58, 0xE8D8C8,
     {"........" "........" "wk....wk" "kk....kk" "..cddc.." "..cAAc.." "..wbbw.." "...bb...", NULL,
      NULL, NULL}},
    {"bat_wing", COAT_SKIN, 0x4A3730, 0x6B5045, 0x3A2A26,
     {"cbbbbbbc" "cbcbbcbb" "cbcbbcbb" "cbbcbbcb" "cbbcbbbc" "cbbb-bbb" "cb---cb-" "c------c", NULL,
      NULL, NULL}},
    /* ---- Wolf ---- */
    {"wolf", COAT_FUR, 0x9C958C, 0x5A524C, 0xD8D2C6,
     {"..bcb..." ".bcccb.." "wk.c.wk." "kk.c.kk." "DDD.DDD." "DDDDDDD." "DDDDDDD." "........",
      "DDDDDDDD" "DDDDDDDD" "DDDDDDDD" "........" "........" "........" "........" "........", NULL,
      "........" "........" "........" "........" "........" "DDDDDDDD" "DDDDDDDD" "CCCCCCCC"}},
    {"wolf_mane", COAT_FUR, 0xB4ADA2, 0x5A524C, 0xD8D2C6, {NULL, NULL, NULL, NULL}},
    /* ---- Creeper: a hedge that walks ---- */
    {"creeper", COAT_LEAVES, 0x5E9A4A, 0x26301F, 0xF0B84A,
     {"33333333" "33333333" "3aa33aa3" "3EFa3EFa" "3FEa3FEa" "33a333a3" "3a3aa3a3" "33a33a33", NULL,
      NULL, NULL}},
    {"creeper_stem", COAT_LEAVES, 0x4C7E46, 0x2E3A26, 0x8A6A42,
     {NULL, NULL, NULL,
      "........" "........" "........" "........" "BCCBBCCB" "BBBBBBBB" "AABBAABB" "AAAAAAAA"}},
    {"creeper_leaf", COAT_LEAVES, 0x86C25A, 0x2E3A26, 0xF0B84A, {NULL, NULL, NULL, NULL}},
    /* ---- Zombie ---- */
    {"zombie", COAT_SKIN, 0x7A9A68, 0x36422E, 0xE8E08A,
     {"bbbbbbbb" "b.b..bb." "........" ".11..11." ".Fk..Fk." "........" "..1111.." "..1w1w..",
      "babbbbab" "bb.bb.bb" "........" "........" "........" "........" "........" "........",
      "bbabbabb" "babbbbab" "bbbabbbb" "abbbbbba" "bbabbbab" "babbbbbb" "bbbbabba" "abbabbbb", NULL}},
    {"zombie_shirt", COAT_CLOTH, 0x7A5A48, 0x7FA06C, 0x4E3A30,
     {"........" "........" ".B......" "..B....." "........" "......c." ".....cc." "......c.", NULL,
      "........" "........" ".cc....." "..cc...." "........" "....B..." "c.B.c..c" "cc-ccc-c", NULL}},
    {"zombie_trousers", COAT_CLOTH, 0x4C5266, 0x7FA06C, 0x34384A,
     {"........" "........" "........" ".B....B." "........" "........" "..c..c.." "c.cc.ccc", NULL,
      NULL, NULL}},
    /* ---- Villager ---- */
    {"villager", COAT_SKIN, 0xDCA883, 0x5E4330, 0xB67E5E,
     {"cbbccbbc" "c......c" ".bb..bb." "........" ".wk..kw." "..k..k.." "pc....cp" "..cccc..",
      "cbcbbccb" "bcbbcc.." "cb......" "........" "........" "........" "........" "........",
      "bcbccbcb" "cbbcbbcc" "bccbbcbb" "cbbccbbc" "bcbbcbcb" "cbccbbcb" "bbcbbccb" "cbbcbcbb",
      "cbccbbcb" "bbcbbccb" "cbbcbcbb" "bccbbcbb" "cbbccbbc" ".bb..bb." "........" "........"}},
    {"villager_robe", COAT_CLOTH, 0xE4E0DA, 0xFFFFFF, 0xC4BEB6,
     {NULL, NULL, NULL, NULL}},
    {"villager_front", COAT_CLOTH, 0xE4E0DA, 0xFFFFFF, 0x8A8078,
     {"...AA..." "...AA..." "...AE..." "...AA..." "...AA..." "...AE..." "...AA..." "...AA...",
      "...AA..." "...AA..." "BBBBBBBB" "AAAEEAAA" "...AA..." "...AA..." "...AA..." "...AA...", NULL,
      NULL}},
    {"villager_trousers", COAT_CLOTH, 0x5A4A40, 0xFFFFFF, 0x3E322C, {NULL, NULL, NULL, NULL}},
    {"straw", COAT_STRAW, 0xE0BE6A, 0xB08A3C, 0x8A5A2E, {NULL, NULL, NULL, NULL}},
    {"apron", COAT_CLOTH, 0x5A4034, 0x3E2C26, 0x8A8078,
     {"aa....aa" "........" "........" ".aaaaaa." ".a....a." ".a....a." ".aaaaaa." "........", NULL,
      NULL, NULL}},
    /* ---- The player ---- */
    {"player", COAT_SKIN, 0xDEAA86, 0x68482E, 0x263C6E,
     {"cbccbbcc" "cc....cc" "........" "........" ".wD..Dw." ".wD..Dw." "p......p" "...22...",
      "cbccbcbc" "bccbcccb" "cccc.ccc" "ccc....." "........" "........" "........" "........",
      "bcbccbcb" "cbbcbbcc" "bccbbcbb" "cbbccbbc" "bcbbcbcb" "cbccbbcb" "bbcbbccb" "cbbcbcbb",
      "cbccbbcb" "bbcbbccb" "cbbcbcbb" "bccbbcbb" "cbbccbbc" "bcbbccbb" ".bb..bb." "........"}},
    {NULL, COAT_SKIN, 0, 0, 0, {NULL, NULL, NULL, NULL}},
};

/* clang-format on */

bool paint_creature(Canvas *c, const char *name)
{
    for (const Skin *skin = skins; skin->name; skin++)
        if (strcmp(skin->name, name) == 0) {
            paint_skin(c, skin);
            return true;
        }
    return false;
}

void paint_creature_names(void (*add)(void *user, const char *name), void *user)
{
    for (const Skin *skin = skins; skin->name; skin++)
        add(user, skin->name);
}
