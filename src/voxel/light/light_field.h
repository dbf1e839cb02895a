/*
 * Light as bit sets of cells, shared by the light files.
 *
 * The 27 chunks form one field of 48 x 48 x 48 bits: a row of 48 cells along x per word, rows at y
 * + 48 z. The cells of at least level L are one such set; those of L - 1 are its neighbors that
 * light can enter, computed for eight rows at a time. Light enters cells with additional loss
 * (leaves, water) later. Blocks with a shape that block light, such as slabs, are lit through the
 * sides that they do not fill, because faces in their cells and beside them are visible.
 *
 * Cells further from the box than the current level cannot affect it, so each step covers a smaller
 * range. Neighbors beyond the field never influence the result.
 */
#ifndef CAIRN_SRC_VOXEL_LIGHT_LIGHT_FIELD_H
#define CAIRN_SRC_VOXEL_LIGHT_LIGHT_FIELD_H

#include <cairn/voxel/light.h>

#define CNI_VOXEL_LIGHT_FIELD_EDGE 48
#define CNI_VOXEL_LIGHT_ROWS (CNI_VOXEL_LIGHT_FIELD_EDGE * CNI_VOXEL_LIGHT_FIELD_EDGE)
#define CNI_VOXEL_LIGHT_FULL 15
#define CNI_VOXEL_LIGHT_MAX_LOSS 13 /* with more, nothing remains of full light */
#define CNI_VOXEL_LIGHT_FIRST 15    /* first and ... */
#define CNI_VOXEL_LIGHT_LAST 32     /* ... last cell of the box on each axis */
/* Rows of the box in one slice, rounded up to whole vectors. */
#define CNI_VOXEL_LIGHT_BOX_ROWS 24

typedef uint64_t CniVoxelLightRows[CNI_VOXEL_LIGHT_ROWS];
/* Bit b of the level of every cell of the box, starting at bit CNI_VOXEL_LIGHT_FIRST. */
#define CNI_VOXEL_LIGHT_BLOCK 0
#define CNI_VOXEL_LIGHT_SKY 1
typedef uint64_t CniVoxelLightLevels[4][CN_CHUNK_PADDED_SIZE * CNI_VOXEL_LIGHT_BOX_ROWS];

/* First and last rows and slices in which light starts. */
typedef struct CniVoxelLightSpan {
    int32_t y[2], z[2];
    bool full_above; /* everything above is fully lit: light spreads only sideways and down */
} CniVoxelLightSpan;

/* Properties of the block table that determine the number of sets. */
typedef struct CniVoxelLightKinds {
    uint8_t max_loss; /* of the blocks that light can enter */
    uint8_t level_count;
    uint8_t levels[CNI_VOXEL_LIGHT_FULL]; /* distinct levels emitted by blocks */
} CniVoxelLightKinds;

struct CnLightScratch {
    /* First, to share the alignment of the scratch. */
    CniVoxelLightRows free;        /* cells without loss */
    CniVoxelLightLevels levels[2]; /* CNI_VOXEL_LIGHT_BLOCK, CNI_VOXEL_LIGHT_SKY */
    uint64_t *lit, *next;          /* cells of at least the current level and of the next one */
    CnAllocator *allocator;
    size_t bytes;
    CniVoxelLightKinds kinds;
    uint8_t losses;   /* maximum loss in this field; 0: none */
    uint16_t glowing; /* bit i: glow[i] is not empty */
    CniVoxelLightSpan glow_span;
    CniVoxelLightRows *dim;  /* kinds.max_loss sets: cells of loss 1, 2, ... */
    CniVoxelLightRows *late; /* as many sets: cells that light enters in 1, 2, ... steps */
    /* Blocks with a shape that light enters, but does not leave; there are none unless `absorbs`. A
     * set for each CnFace: those that light enters on this side, because they do not fill it. */
    bool absorbs;
    CniVoxelLightRows *absorb;
    uint64_t *absorbed;      /* those of them of at least the current level */
    CniVoxelLightRows *glow; /* kinds.level_count sets: cells that emit this level */
};

/* src/voxel/light/light.c; tests pass other kinds than those of the block table. */
CnLightScratch *cni_voxel_light_scratch_create(CnAllocator *allocator, CniVoxelLightKinds kinds);

/* ---- Input: src/voxel/light/light_gather.c ---- */

/* Fills free, dim, glow and their summaries from the chunk layers `first` to `last`, 0 to 2. */
void cni_voxel_light_gather(CnLightScratch *scratch, const CnNeighborhood *around,
                            int32_t first_layer, int32_t last_layer);

/* Lowest and highest row at which columns are open to the sky. */
typedef struct CniVoxelLightSky {
    const CnLightSky *columns;
    int32_t bottom; /* y of the first row */
    int32_t lowest, highest;
} CniVoxelLightSky;
CniVoxelLightSky cni_voxel_light_sky(const CnLightSky *columns, int32_t bottom);
/* Sets the cells that are open to the sky. */
void cni_voxel_light_fill_sky(const CniVoxelLightSky *sky, uint64_t *lit);

/* ---- Propagation: src/voxel/light/light_propagate.c ---- */

/* Compute the levels of the box from free, dim and glow. */
void cni_voxel_light_propagate_sky(CnLightScratch *scratch, const CniVoxelLightSky *sky);
void cni_voxel_light_propagate_blocks(CnLightScratch *scratch);
/* Writes sky << 4 | block from scratch->levels. */
void cni_voxel_light_write_cells(const CnLightScratch *scratch, CnLightBox *box);

#endif
