/* Surfaces of blocks with a shape: the rectangles that the mesher draws. */
#ifndef CAIRN_SRC_VOXEL_CHUNK_BLOCK_SHAPE_H
#define CAIRN_SRC_VOXEL_CHUNK_BLOCK_SHAPE_H

#include <cairn/voxel/block.h>

#define CNI_VOXEL_SHAPE_SIDES 6 /* CN_FACE_COUNT */

/* A rectangle in 1/16 of a block, in the axes of quads (cairn/voxel/mesh.h). */
typedef struct CniVoxelShapeFace {
    uint8_t u, v, width, height;
    uint8_t depth; /* of its plane, from the lower end of the axis */
    bool is_flush; /* on the border of the cell: the block beside it may hide it */
} CniVoxelShapeFace;

typedef struct CniVoxelShape {
    CnBlockShape boxes; /* first: CnBlockInfo.shape points to it */
    struct CniVoxelShape *next;
    uint8_t full_sides;                       /* bit f: it fills side f of its cell */
    uint8_t first[CNI_VOXEL_SHAPE_SIDES + 1]; /* of the faces in direction f; the last is the end */
    CniVoxelShapeFace faces[CN_BLOCK_SHAPE_FACES];
} CniVoxelShape;

/* Returns what is wrong with a shape, or NULL. */
const char *cni_voxel_shape_fault(const CnBlockShape *boxes);
/* Computes everything but `next` from valid boxes. Returns false if there are too many faces. */
bool cni_voxel_shape_init(CniVoxelShape *shape, const CnBlockShape *boxes);

/* Returns the surface of a registered block with a shape; NULL for all others. */
static inline const CniVoxelShape *cni_voxel_shape_of(const CnBlockTable *table, CnBlock block)
{
    return (const CniVoxelShape *)cn_block_shape(table, block);
}

#endif
