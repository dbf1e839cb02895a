/*
 * How skins are painted: a coat over the whole tile, then up to four drawings of 8 x 8 pixels, one
 * in each quarter (upper left, upper right, lower left, lower right).
 *
 * Characters of drawings: '0' to '5' are shades of the coat, 'a' to 'f' of the second color, 'A' to
 * 'F' of the third; 'k' is the black of eyes, 'w' their light, 'p' pink cheeks, '-' a hole; all
 * others leave the pixel unchanged.
 */
#ifndef CAIRN_TOOLS_BLOCKS_PAINT_SKIN_H
#define CAIRN_TOOLS_BLOCKS_PAINT_SKIN_H

#include "painter.h"

typedef enum Coat {
    COAT_SKIN,     /* smooth */
    COAT_FUR,      /* short strands downwards */
    COAT_FEATHERS, /* rows of scallops */
    COAT_DOWN,     /* soft, for chicks */
    COAT_WOOL,     /* curls */
    COAT_PATCHES,  /* fur with large patches of the second color */
    COAT_SCALES,
    COAT_LEAVES, /* overlapping leaves with dark gaps */
    COAT_CLOTH,  /* weave with folds */
    COAT_RINGS,  /* fur with stripes of the second color, upright */
    COAT_BANDS,  /* the same, lying */
    COAT_GLASSY, /* every second pixel is a hole: looks translucent */
    COAT_STRAW   /* braided */
} Coat;

typedef struct Skin {
    const char *name; /* NULL ends the list */
    Coat coat;
    uint32_t color, second, third; /* 0xRRGGBB */
    const char *quarters[4];       /* drawings, 64 characters each, or NULL */
} Skin;

void paint_skin(Canvas *c, const Skin *skin);

#endif
