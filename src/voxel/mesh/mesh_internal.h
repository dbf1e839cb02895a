/*
 * Shared by the files of the mesher.
 *
 * All data is bit masks: a row of cells along x is a word, and a step of the mesher is a few
 * operations on all rows. Padded masks hold the chunk and one cell around it. Face masks hold, for
 * one direction, which cells show a face and which faces may be merged with the next one.
 */
#ifndef CAIRN_SRC_VOXEL_MESH_MESH_INTERNAL_H
#define CAIRN_SRC_VOXEL_MESH_MESH_INTERNAL_H

#include "voxel/chunk/chunk_internal.h"

#include <cairn/voxel/mesh.h>

#define CNI_VOXEL_PADDED_ROWS CN_CHUNK_PADDED_LAYER

/* Bit x + 1 of row cni_voxel_padded_row(y, z), with x, y and z from -1 to 16. */
typedef uint32_t CniVoxelPaddedMask[CNI_VOXEL_PADDED_ROWS];

/* The 16 rows of one z as a vector, compiled for every vector width. */
typedef uint16_t CniVoxelRowVector __attribute__((vector_size(32), aligned(2), may_alias));
typedef uint32_t CniVoxelWideRowVector __attribute__((vector_size(64), aligned(4), may_alias));

static inline uint32_t cni_voxel_padded_row(uint32_t y, uint32_t z)
{
    return (y + 1) + CN_CHUNK_PADDED_SIZE * (z + 1);
}

/* Classes of blocks that the mesher distinguishes. */
typedef enum CniVoxelMeshClass {
    CNI_VOXEL_CLASS_OPAQUE,
    CNI_VOXEL_CLASS_SEMI,
    CNI_VOXEL_CLASS_WATER,
    CNI_VOXEL_CLASS_FLOWING, /* water other than sources */
    CNI_VOXEL_CLASS_COUNT
} CniVoxelMeshClass;

/* Face masks of one direction, in rows of u at stride 1 (x and z faces: slices are consecutive) or
 * 16 (y faces); v is the next row. The last words are read and then masked out. */
typedef struct CniVoxelFaceMasks {
    uint16_t seen[CNI_VOXEL_CHUNK_ROWS + 16];
    uint16_t next_u[CNI_VOXEL_CHUNK_ROWS + 16]; /* may be merged with the face at u + 1 */
    uint16_t next_v[CNI_VOXEL_CHUNK_ROWS + 16];
} CniVoxelFaceMasks;

/* Data independent of part and direction. */
typedef struct CniVoxelMeshContext {
    const CnNeighborhood *around;
    const CnChunk *chunk;
    const CnLightBox *light;
    CniVoxelPaddedMask classes[CNI_VOXEL_CLASS_COUNT];
    CniVoxelPaddedMask hides[CN_CHUNK_MESH_WATER + 1]; /* blocks that hide faces of a part */
    uint64_t indices[3][CNI_VOXEL_CHUNK_ROWS];         /* index bits, four planes per word */
    uint16_t same[3][CNI_VOXEL_CHUNK_ROWS + 16];       /* same block as at x + 1, y + 1, z + 1 */
    CniVoxelPaddedMask alike[3]; /* the cells on both sides along x, y, z have equal light */
    /* Corner tables: occlusion from 9 opaque bits, mean from count << 6 | sum. */
    uint8_t occlusion[512], mean[512];
    uint8_t cells[CN_CHUNK_PADDED_BLOCKS + 32]; /* light; read in words */
} CniVoxelMeshContext;

/* ---- mesh_padded_masks.c ---- */

/* Fills the mask of each class in `wanted` (bits) from the chunk and the neighbors that share a
 * face with it, which is sufficient for visibility. */
void cni_voxel_padded_masks_gather_near(const CnNeighborhood *around, uint32_t wanted,
                                        CniVoxelPaddedMask *boxes);
/* Adds the other 20 neighbors, for corners. */
void cni_voxel_padded_masks_gather_rest(const CnNeighborhood *around, uint32_t wanted,
                                        CniVoxelPaddedMask *boxes);

/* ---- mesh_corner_light.c ---- */

/* Finds where the cells on both sides along x, y and z have the same light, or are both opaque. */
void cni_voxel_mesh_mark_alike(CniVoxelMeshContext *context);
/* Adds occlusion and light bits to each quad, starting from its lowest cell. */
void cni_voxel_mesh_corners(const CniVoxelMeshContext *context, CnFace face, CnQuad *quads,
                            const CnQuad *end);
void cni_voxel_corner_tables(CniVoxelMeshContext *context);

/* ---- mesh_visible_faces.c ---- */

void cni_voxel_mesh_mark_same_block(const CnChunk *chunk,
                                    uint16_t same[3][CNI_VOXEL_CHUNK_ROWS + 16]);
/* Interleaves rows of four planes, so that the index of a cell can be read from one word. */
void cni_voxel_mesh_indices(const CnChunk *chunk, uint64_t indices[3][CNI_VOXEL_CHUNK_ROWS]);
/* Returns false if no face is visible. If the light in the context is NULL, corners do not prevent
 * merging. */
bool cni_voxel_mesh_faces(const CniVoxelMeshContext *context, CnChunkMeshPart part, CnFace face,
                          CniVoxelFaceMasks *faces);

/* ---- greedy_mesh.c ---- */

/* Writes quads without block and corners. Returns the end. */
CnQuad *cni_voxel_mesh_rectangles(const CniVoxelFaceMasks *faces, CnFace face, CnQuad *quads);

/* ---- mesh_shapes.c ---- */

/* A cell that contains a block with a shape. */
typedef struct CniVoxelShapeCell {
    uint16_t cell; /* cn_chunk_index */
    CnBlock block;
} CniVoxelShapeCell;

/* Returns whether a chunk that contains props contains blocks with a shape. */
bool cni_voxel_mesh_has_shapes(const CnChunk *chunk);
/* Writes the cells with shapes, in order, and returns their number. */
uint32_t cni_voxel_mesh_find_shapes(const CnChunk *chunk, CniVoxelShapeCell *cells);
/* Writes their faces in one direction and returns the end of the quads. */
CnQuad *cni_voxel_mesh_shapes(const CniVoxelMeshContext *context, CnFace face,
                              const CniVoxelShapeCell *cells, uint32_t count, CnQuad *quads);

/* ---- mesh_water.c ---- */

/* `found` has space for one face per cell. Separates faces that differ and returns the end of the
 * quads. */
CnQuad *cni_voxel_mesh_water(const CniVoxelMeshContext *context, CnFace face,
                             CniVoxelFaceMasks *faces, CnQuad *found, CnQuad *quads);

/* ---- Face geometry ---- */

static inline uint32_t cni_voxel_face_axis(CnFace face) /* 0, 1, 2: x, y, z */
{
    return face < CN_FACE_NEG_X ? 2u : face < CN_FACE_NEG_Y ? 0u : 1u;
}
/* Converts a word and a bit of CniVoxelFaceMasks to the cell of a quad. */
static inline uint32_t cni_voxel_face_cell(CnFace face, uint32_t word, uint32_t u)
{
    return cni_voxel_face_axis(face) == 0
               ? word >> 4 | (word & 15) << CN_QUAD_Y_SHIFT | u << CN_QUAD_Z_SHIFT
               : u | word << CN_QUAD_Y_SHIFT;
}
/* The cell of a quad. Its y and z together are the row of the cell in a plane of the chunk. */
static inline uint32_t cni_voxel_quad_x(CnQuad quad)
{
    return quad & CN_QUAD_CELL_MASK;
}
static inline uint32_t cni_voxel_quad_y(CnQuad quad)
{
    return quad >> CN_QUAD_Y_SHIFT & CN_QUAD_CELL_MASK;
}
static inline uint32_t cni_voxel_quad_z(CnQuad quad)
{
    return quad >> CN_QUAD_Z_SHIFT & CN_QUAD_CELL_MASK;
}
static inline uint32_t cni_voxel_quad_row(CnQuad quad)
{
    return quad >> CN_QUAD_Y_SHIFT & (CNI_VOXEL_CHUNK_ROWS - 1);
}

#endif
