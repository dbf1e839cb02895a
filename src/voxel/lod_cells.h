/*
 * Cells of far terrain: what a column of the generator and the trees around it look like from afar.
 */
#ifndef CAIRN_SRC_VOXEL_LOD_CELLS_H
#define CAIRN_SRC_VOXEL_LOD_CELLS_H

#include <cairn/voxel/lod.h>

typedef struct CniLodCell {
    int16_t ground; /* y where the ground ends */
    int16_t top;    /* y where the crown ends, or the ground when there is none */
    CnBlock surface;
    CnBlock under, deep; /* what lies below the surface, and from CNI_LOD_SOIL down */
    CnBlock crown;       /* CN_BLOCK_AIR: none */
    int16_t crown_low;   /* y where the crown begins: of low ones, and from afar, the ground */
    CnBlock trunk;       /* up to there; CN_BLOCK_AIR: none */
    bool water;          /* up to the sea's level */
} CniLodCell;
#define CNI_LOD_SOIL 4

/* Written at x + 32 z. */
void cni_lod_cells(CnGenerator *generator, CnGenerateScratch *scratch, CnLodTile tile,
                   CniLodCell cells[CN_LOD_CELLS * CN_LOD_CELLS]);

#endif
