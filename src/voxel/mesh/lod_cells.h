/*
 * Far terrain cells: the distant appearance of a generator column and the trees around it.
 */
#ifndef CAIRN_SRC_VOXEL_MESH_LOD_CELLS_H
#define CAIRN_SRC_VOXEL_MESH_LOD_CELLS_H

#include <cairn/voxel/lod.h>

typedef struct CniVoxelLodCell {
    int16_t ground; /* top of the ground */
    int16_t top;    /* top of the crown, or of the ground without one */
    CnBlock surface;
    CnBlock under, deep; /* below the surface, and from CNI_VOXEL_LOD_SOIL down */
    CnBlock crown;       /* CN_BLOCK_AIR: none */
    CnBlock crown_dark;  /* of its sides at every other step: differs below white tops */
    int16_t crown_low;   /* bottom of the crown; the ground for low crowns and at a distance */
    CnBlock trunk;       /* below the crown; CN_BLOCK_AIR: none */
    bool water;          /* up to sea level */
} CniVoxelLodCell;
#define CNI_VOXEL_LOD_SOIL 4

/* Writes the cells at x + 32 z. */
void cni_voxel_lod_cells(CnGenerator *generator, CnGenerateScratch *scratch, CnLodTile tile,
                         CniVoxelLodCell cells[CN_LOD_CELLS * CN_LOD_CELLS]);

#endif
