/*
 * The font of signs. A glyph has capitals of seven rows, small letters of five, and two rows below
 * the line; two more rows above are for accents, with a gap of one row. Rows of a drawing are
 * separated by '/', from the top of a capital on; '#' is a pixel.
 */
#include "paint_font.h"
#include "painter.h"

#include <stdlib.h>
#include <string.h>

#define TOP 3       /* row of a tile where drawings begin */
#define SMALL_TOP 5 /* row where small letters begin */
#define INK 0xFFFFFF
#define ASCII_FIRST 0x20
#define BOX_GLYPH 95
#define LATIN_FIRST 0xA0
#define SPACE_WIDTH 3

static const char box[] = "#####/#   #/#   #/#   #/#   #/#   #/#####";

static const char *const ascii[BOX_GLYPH] = {
    "",                                          /* space */
    "#/#/#/#/#//#",                              /* ! */
    "# #/# #",                                   /* " */
    " # #/ # #/#####/ # #/#####/ # #/ # #",      /* # */
    "  #/ ####/# #/ ###/  # #/####/  #",         /* $ */
    "##  #/##  #/   #/  #/ #/#  ##/#  ##",       /* % */
    " ##/#  #/# #/ #/# # #/#  #/ ## #",          /* & */
    "#/#",                                       /* ' */
    "  #/ #/#/#/#/ #/  #",                       /* ( */
    "#/ #/  #/  #/  #/ #/#",                     /* ) */
    "/# # #/ ###/#####/ ###/# # #",              /* * */
    "//  #/  #/#####/  #/  #",                   /* + */
    "//////#/#",                                 /* , */
    "////####",                                  /* - */
    "//////#",                                   /* . */
    "    #/    #/   #/  #/ #/#/#",               /* / */
    " ###/#   #/#  ##/# # #/##  #/#   #/ ###",   /* 0 */
    " #/##/ #/ #/ #/ #/###",                     /* 1 */
    " ###/#   #/    #/   #/  #/ #/#####",        /* 2 */
    "#####/   #/  #/   #/    #/#   #/ ###",      /* 3 */
    "   #/  ##/ # #/#  #/#####/   #/   #",       /* 4 */
    "#####/#/####/    #/    #/#   #/ ###",       /* 5 */
    "  ##/ #/#/####/#   #/#   #/ ###",           /* 6 */
    "#####/    #/   #/   #/  #/  #/  #",         /* 7 */
    " ###/#   #/#   #/ ###/#   #/#   #/ ###",    /* 8 */
    " ###/#   #/#   #/ ####/    #/   #/ ##",     /* 9 */
    "//#////#",                                  /* : */
    "//#////#/#",                                /* ; */
    "   #/  #/ #/#/ #/  #/   #",                 /* < */
    "///####//####",                             /* = */
    "#/ #/  #/   #/  #/ #/#",                    /* > */
    " ###/#   #/    #/   #/  #//  #",            /* ? */
    " ###/#   #/# ###/# # #/# ###/#/ ####",      /* @ */
    " ###/#   #/#   #/#####/#   #/#   #/#   #",  /* A */
    "####/#   #/#   #/####/#   #/#   #/####",    /* B */
    " ###/#   #/#/#/#/#   #/ ###",               /* C */
    "####/#   #/#   #/#   #/#   #/#   #/####",   /* D */
    "#####/#/#/####/#/#/#####",                  /* E */
    "#####/#/#/####/#/#/#",                      /* F */
    " ###/#   #/#/# ###/#   #/#   #/ ####",      /* G */
    "#   #/#   #/#   #/#####/#   #/#   #/#   #", /* H */
    "###/ #/ #/ #/ #/ #/###",                    /* I */
    "    #/    #/    #/    #/#   #/#   #/ ###",  /* J */
    "#   #/#  #/# #/##/# #/#  #/#   #",          /* K */
    "#/#/#/#/#/#/#####",                         /* L */
    "#   #/## ##/# # #/# # #/#   #/#   #/#   #", /* M */
    "#   #/##  #/##  #/# # #/#  ##/#  ##/#   #", /* N */
    " ###/#   #/#   #/#   #/#   #/#   #/ ###",   /* O */
    "####/#   #/#   #/####/#/#/#",               /* P */
    " ###/#   #/#   #/#   #/# # #/#  #/ ## #",   /* Q */
    "####/#   #/#   #/####/# #/#  #/#   #",      /* R */
    " ####/#/#/ ###/    #/    #/####",           /* S */
    "#####/  #/  #/  #/  #/  #/  #",             /* T */
    "#   #/#   #/#   #/#   #/#   #/#   #/ ###",  /* U */
    "#   #/#   #/#   #/#   #/ # #/ # #/  #",     /* V */
    "#   #/#   #/#   #/# # #/# # #/## ##/#   #", /* W */
    "#   #/#   #/ # #/  #/ # #/#   #/#   #",     /* X */
    "#   #/#   #/ # #/  #/  #/  #/  #",          /* Y */
    "#####/    #/   #/  #/ #/#/#####",           /* Z */
    "###/#/#/#/#/#/###",                         /* [ */
    "#/#/ #/  #/   #/    #/    #",               /* \ */
    "###/  #/  #/  #/  #/  #/###",               /* ] */
    "  #/ # #/#   #",                            /* ^ */
    "///////#####",                              /* _ */
    "#/ #",                                      /* ` */
    "// ##/   #/ ###/#  #/ ###",                 /* a */
    "#/#/###/#  #/#  #/#  #/###",                /* b */
    "// ###/#/#/#/ ###",                         /* c */
    "   #/   #/ ###/#  #/#  #/#  #/ ###",        /* d */
    "// ##/#  #/####/#/ ###",                    /* e */
    " ##/#/###/#/#/#/#",                         /* f */
    "// ###/#  #/#  #/#  #/ ###/   #/ ##",       /* g */
    "#/#/###/#  #/#  #/#  #/#  #",               /* h */
    "#//#/#/#/#/#",                              /* i */
    "  #//  #/  #/  #/  #/  #/  #/##",           /* j */
    "#/#/#  #/# #/##/# #/#  #",                  /* k */
    "#/#/#/#/#/#/ #",                            /* l */
    "//## #/# # #/# # #/# # #/# # #",            /* m */
    "//###/#  #/#  #/#  #/#  #",                 /* n */
    "// ##/#  #/#  #/#  #/ ##",                  /* o */
    "//###/#  #/#  #/#  #/###/#/#",              /* p */
    "// ###/#  #/#  #/#  #/ ###/   #/   #",      /* q */
    "//# ##/##/#/#/#",                           /* r */
    "// ###/#/ ##/   #/###",                     /* s */
    " #/ #/###/ #/ #/ #/  #",                    /* t */
    "//#  #/#  #/#  #/#  #/ ###",                /* u */
    "//#   #/#   #/ # #/ # #/  #",               /* v */
    "//#   #/# # #/# # #/# # #/ # #",            /* w */
    "//#   #/ # #/  #/ # #/#   #",               /* x */
    "//#  #/#  #/#  #/#  #/ ###/   #/ ##",       /* y */
    "//####/   #/ ##/#/####",                    /* z */
    "  #/ #/ #/#/ #/ #/  #",                     /* { */
    "#/#/#/#/#/#/#/#/#",                         /* | */
    "#/ #/ #/  #/ #/ #/#",                       /* } */
    "/// #  #/# # #/#  #",                       /* ~ */
};

/* ---- Latin-1: drawings, and letters with accents ---- */

typedef enum Accent { GRAVE, ACUTE, CIRCUMFLEX, TILDE, DIAERESIS, RING, CEDILLA } Accent;
/* Two rows each, and three of the ring; the cedilla is below the letter. */
static const char *const accents[] = {"#/ #", " #/#",      " #/# #", " # #/# #",
                                      "# #",  " #/# #/ #", " #/##"};

static const struct {
    int character;
    const char *drawing;
} latin[] = {
    {0xA0, ""},
    {0xA1, "//#//#/#/#/#/#"},
    {0xA2, "/  #/ ####/# #/# #/# #/ ####/  #"},
    {0xA3, "  ##/ #  #/ #/####/ #/ #/#####"},
    {0xA5, "#   #/ # #/#####/  #/#####/  #/  #"},
    {0xA7, " ###/#/ ##/#  #/ ##/   #/###"},
    {0xAB, "//  # #/ # #/# #/ # #/  # #"},
    {0xB0, " #/# #/ #"},
    {0xB1, "/  #/  #/#####/  #/  #/#####"},
    {0xB2, "##/  #/ #/###"},
    {0xB3, "###/ ##/  #/##"},
    {0xB5, "//#  #/#  #/#  #/#  #/####/#/#"},
    {0xB7, "////#"},
    {0xB9, " #/##/ #/ #"},
    {0xBB, "//# #/ # #/  # #/ # #/# #"},
    {0xBF, "//  #//  #/ #/#/#   #/ ###"},
    {0xC6, " ####/# #/# #/#####/# #/# #/# ###"},
    {0xD0, " ####/ #   #/ #   #/###  #/ #   #/ #   #/ ####"},
    {0xD7, "//#   #/ # #/  #/ # #/#   #"},
    {0xD8, " ####/#  ##/# # #/# # #/# # #/##  #/####"},
    {0xDE, "#/####/#   #/#   #/####/#/#"},
    {0xDF, " ##/#  #/#  #/# #/#  #/#  #/# #"},
    {0xE6, "//## #/  # #/#####/# #/ ####"},
    {0xF0, "# #/ #/# #/ ###/#  #/#  #/ ##"},
    {0xF7, "//  #//#####//  #"},
    {0xF8, "// ###/#  ##/# # #/##  #/ ###"},
    {0xFE, "#/#/###/#  #/#  #/#  #/###/#/#"},
};

static const struct {
    int character;
    char letter;
    uint8_t accent;
} accented[] = {
    {0xC0, 'A', GRAVE},      {0xC1, 'A', ACUTE},      {0xC2, 'A', CIRCUMFLEX},
    {0xC3, 'A', TILDE},      {0xC4, 'A', DIAERESIS},  {0xC5, 'A', RING},
    {0xC7, 'C', CEDILLA},    {0xC8, 'E', GRAVE},      {0xC9, 'E', ACUTE},
    {0xCA, 'E', CIRCUMFLEX}, {0xCB, 'E', DIAERESIS},  {0xCC, 'I', GRAVE},
    {0xCD, 'I', ACUTE},      {0xCE, 'I', CIRCUMFLEX}, {0xCF, 'I', DIAERESIS},
    {0xD1, 'N', TILDE},      {0xD2, 'O', GRAVE},      {0xD3, 'O', ACUTE},
    {0xD4, 'O', CIRCUMFLEX}, {0xD5, 'O', TILDE},      {0xD6, 'O', DIAERESIS},
    {0xD9, 'U', GRAVE},      {0xDA, 'U', ACUTE},      {0xDB, 'U', CIRCUMFLEX},
    {0xDC, 'U', DIAERESIS},  {0xDD, 'Y', ACUTE},      {0xE0, 'a', GRAVE},
    {0xE1, 'a', ACUTE},      {0xE2, 'a', CIRCUMFLEX}, {0xE3, 'a', TILDE},
    {0xE4, 'a', DIAERESIS},  {0xE5, 'a', RING},       {0xE7, 'c', CEDILLA},
    {0xE8, 'e', GRAVE},      {0xE9, 'e', ACUTE},      {0xEA, 'e', CIRCUMFLEX},
    {0xEB, 'e', DIAERESIS},  {0xEC, 'i', GRAVE},      {0xED, 'i', ACUTE},
    {0xEE, 'i', CIRCUMFLEX}, {0xEF, 'i', DIAERESIS},  {0xF1, 'n', TILDE},
    {0xF2, 'o', GRAVE},      {0xF3, 'o', ACUTE},      {0xF4, 'o', CIRCUMFLEX},
    {0xF5, 'o', TILDE},      {0xF6, 'o', DIAERESIS},  {0xF9, 'u', GRAVE},
    {0xFA, 'u', ACUTE},      {0xFB, 'u', CIRCUMFLEX}, {0xFC, 'u', DIAERESIS},
    {0xFD, 'y', ACUTE},      {0xFF, 'y', DIAERESIS},
};
static const char dotless_i[] = "//#/#/#/#/#";

/* What a glyph consists of. */
typedef struct Glyph {
    const char *drawing, *accent; /* the accent may be NULL */
    int accent_row;
} Glyph;

static Glyph glyph_of(int glyph)
{
    if (glyph < BOX_GLYPH)
        return (Glyph){.drawing = ascii[glyph]};
    int character = LATIN_FIRST + glyph - (BOX_GLYPH + 1);
    for (size_t i = 0; i < sizeof latin / sizeof *latin && glyph > BOX_GLYPH; i++)
        if (latin[i].character == character)
            return (Glyph){.drawing = latin[i].drawing};
    for (size_t i = 0; i < sizeof accented / sizeof *accented && glyph > BOX_GLYPH; i++) {
        if (accented[i].character != character)
            continue;
        char letter = accented[i].letter;
        bool is_cedilla = accented[i].accent == CEDILLA, is_small = letter >= 'a';
        return (Glyph){.drawing = letter == 'i' ? dotless_i : ascii[letter - ASCII_FIRST],
                       .accent = accents[accented[i].accent],
                       .accent_row = is_cedilla ? TOP + 7
                                     : is_small ? SMALL_TOP - 3
                                                : TOP - 3};
    }
    return (Glyph){.drawing = box};
}

/* Columns of a drawing. */
static int width_of(const char *drawing)
{
    int width = 0, column = 0;
    for (; *drawing; drawing++) {
        column = *drawing == '/' ? 0 : column + 1;
        width = column > width ? column : width;
    }
    return width;
}

static void draw(Canvas *c, int left, int row, const char *drawing)
{
    for (int column = left; *drawing; drawing++, column++) {
        if (*drawing == '#')
            put(c, column, row, INK);
        if (*drawing == '/') {
            column = left - 1;
            row++;
        }
    }
}

int font_width(int glyph)
{
    Glyph shown = glyph_of(glyph);
    int width = width_of(shown.drawing), accent = shown.accent ? width_of(shown.accent) : 0;
    return width == 0 ? SPACE_WIDTH : accent > width ? accent : width;
}

bool paint_text(Canvas *c, const char *number)
{
    char *end;
    long tile = strtol(number, &end, 10);
    if (end == number || *end || tile < 0 || tile >= FONT_TILES)
        return false;
    for (int half = 0; half < 2; half++) {
        int glyph = 2 * (int)tile + half, left = half * FONT_CELL, width = font_width(glyph);
        Glyph shown = glyph_of(glyph);
        draw(c, left + (width - width_of(shown.drawing)) / 2, TOP, shown.drawing);
        if (shown.accent)
            draw(c, left + (width - width_of(shown.accent)) / 2, shown.accent_row, shown.accent);
    }
    return true;
}
