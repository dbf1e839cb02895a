/*
 * Placements of the game (cairn/voxel/placement.h) near a chunk column: which candidates stand, and
 * drawing them.
 */
#ifndef CAIRN_SRC_VOXEL_GENERATE_PLACEMENT_H
#define CAIRN_SRC_VOXEL_GENERATE_PLACEMENT_H

#include "voxel/generate/brush.h"
#include "voxel/generate/generator.h"

/* Distance from a chunk column within which structures are known: that of the widest feature whose
 * root keeps off them. */
#define CNI_VOXEL_PLACED_MARGIN 24

/* A placement that stands. */
typedef struct CniVoxelPlaced {
    int32_t x, z; /* lowest corner of the pattern */
    int16_t y;
    uint16_t placement, pattern;
} CniVoxelPlaced;

/* Maximum numbers of placements; 0 without any. */
typedef struct CniVoxelPlacedLimits {
    uint32_t column; /* that reach into a chunk column */
    uint32_t near;   /* structures around a chunk column, overlapping ones included */
} CniVoxelPlacedLimits;
CniVoxelPlacedLimits cni_voxel_placed_limits(const CnPlacement *placements, uint32_t count);

/* Stores the structures within CNI_VOXEL_PLACED_MARGIN of a chunk column in `near`, which has room
 * for limits.near of them. Returns their number. */
uint32_t cni_voxel_structures_near(CnGenerator *generator, CnGenerateScratch *scratch,
                                   int32_t chunk_x, int32_t chunk_z, CniVoxelPlaced *near);
/* Stores the placements that reach into a chunk column, in the order in which they are drawn. */
uint32_t cni_voxel_placed_collect(CnGenerator *generator, CnGenerateScratch *scratch,
                                  int32_t chunk_x, int32_t chunk_z, const CniVoxelPlaced *near,
                                  uint32_t near_count, CniVoxelPlaced *placed);

/* Returns whether a position lies in the area of a structure, or that close to it. */
bool cni_voxel_is_in_structure(const CnPlacement *placements, const CniVoxelPlaced *near,
                               uint32_t near_count, int32_t x, int32_t z, int32_t distance);

/* The lowest and highest y that a placement writes. */
int32_t cni_voxel_placed_low(const CnPlacement *placements, const CniVoxelPlaced *placed);
int32_t cni_voxel_placed_high(const CnPlacement *placements, const CniVoxelPlaced *placed);
/* `ground`: of the 256 columns. */
void cni_voxel_placed_draw(const CniVoxelBrush *brush, const CnPlacement *placements,
                           const CniVoxelPlaced *placed, const int16_t ground[256]);

#endif
