/*
 * Light as sets of cells: what the files of light share.
 *
 * All 27 chunks are one field of 48 x 48 x 48 bits: a row of 48 cells along x in a word, rows at
 * y + 48 z. The cells of at least level L are one such set, and those of L - 1 are its neighbours that
 * let light in, for eight rows at a time. Cells that take more (leaves, water) let it in later.
 *
 * Cells further from the box than the level that is being looked for cannot reach it any more, so
 * that each step looks at less. What neighbours beyond the field would be needed for is never read
 * into a result.
 */
#ifndef CAIRN_SRC_VOXEL_LIGHT_FIELD_H
#define CAIRN_SRC_VOXEL_LIGHT_FIELD_H

#include <cairn/voxel/light.h>

#define CNI_LIGHT_SIDE 48
#define CNI_LIGHT_ROWS (CNI_LIGHT_SIDE * CNI_LIGHT_SIDE)
#define CNI_LIGHT_FULL 15
#define CNI_LIGHT_MAX_LOSS 13 /* with more, nothing is left of full light */
#define CNI_LIGHT_FIRST 15    /* the box lies from here ... */
#define CNI_LIGHT_LAST 32     /* ... to here, on all three axes */
/* The rows of the box in one slice, rounded up to whole vectors. */
#define CNI_LIGHT_BOX_ROWS 24

typedef uint64_t CniLightRows[CNI_LIGHT_ROWS];
/* Bit b of the level of every cell of the box, at bit CNI_LIGHT_FIRST and up. */
#define CNI_LIGHT_BLOCK 0
#define CNI_LIGHT_SKY 1
typedef uint64_t CniLightLevels[4][CN_LIGHT_SIDE * CNI_LIGHT_BOX_ROWS];

/* First and last of the rows and slices where light begins. */
typedef struct CniLightSpan {
    int32_t y[2], z[2];
    bool full_above; /* all is lit above: light goes sideways and down only */
} CniLightSpan;

/* What the table of blocks has: it decides how many sets there may be. */
typedef struct CniLightKinds {
    uint8_t max_loss; /* of the blocks that let light in at all */
    uint8_t level_count;
    uint8_t levels[CNI_LIGHT_FULL]; /* that blocks give */
} CniLightKinds;

struct CnLightScratch {
    /* First, so that they are aligned as the scratch is. */
    CniLightRows free;        /* cells without loss */
    CniLightLevels levels[2]; /* CNI_LIGHT_BLOCK, CNI_LIGHT_SKY */
    uint64_t *lit, *next;     /* CniLightRows of at least the level in work, and of the next one */
    CnAllocator *allocator;
    size_t bytes;
    CniLightKinds kinds;
    uint8_t losses;   /* the highest one in this field; 0: there is none */
    uint16_t glowing; /* bit i: there are cells in glow[i] */
    CniLightSpan glow_span;
    CniLightRows *dim;  /* kinds.max_loss of them: cells of loss 1, 2, ... */
    CniLightRows *late; /* as many: cells that light enters 1, 2, ... steps from now */
    CniLightRows *glow; /* kinds.level_count: cells that give this light */
};

/* src/voxel/light.c; others than those of the table are for tests. */
CnLightScratch *cni_light_scratch_create(CnAllocator *allocator, CniLightKinds kinds);

/* ---- What light meets: src/voxel/light_gather.c ---- */

/* Of the layers of chunks first to last, 0 to 2: free, dim, glow and what is said about them. */
void cni_light_gather(CnLightScratch *scratch, const CnNeighbourhood *around, int32_t first_layer,
                      int32_t last_layer);

/* From which row on columns are under the sky, at the lowest and at the highest. */
typedef struct CniLightSky {
    const CnLightSky *columns;
    int32_t bottom; /* y of the first row */
    int32_t lowest, highest;
} CniLightSky;
CniLightSky cni_light_sky(const CnLightSky *columns, int32_t bottom);
/* The cells under the sky. */
void cni_light_fill_sky(const CniLightSky *sky, uint64_t *lit);

/* ---- Where it gets: src/voxel/light_spread.c ---- */

/* The levels of the box, from free, dim and glow. */
void cni_light_spread_sky(CnLightScratch *scratch, const CniLightSky *sky);
void cni_light_spread_glow(CnLightScratch *scratch);
/* sky << 4 | block, from scratch->levels. */
void cni_light_write_cells(const CnLightScratch *scratch, CnLightBox *box);

#endif
