/*
 * Meshes of chunks: exactly the faces that are seen, merged into quads of 8 bytes.
 *
 *     CnChunkMesh mesh = {0};
 *     cn_chunk_mesh_build(scratch, &around, &light, &mesh);   // light NULL: all open and bright
 *     for (uint32_t i = 0; i < mesh.count; i++)
 *         draw(mesh.quads[i]);
 *
 * Quads stand in order of part (opaque, semi-transparent, water, props), in a part by face;
 * `first` says where. So a chunk's faces that look away from the eye are left out as a whole, and
 * quads need no face of their own. Four corners carry ambient occlusion (0 to 3) and light; faces
 * are merged only where that changes nothing: the corners on both sides of the seam are alike.
 * Where a corner of one quad touches the side of another, rounding could leave pixels open:
 * whoever expands quads makes them larger by CN_CHUNK_MESH_OVERLAP.
 */
#ifndef CAIRN_VOXEL_MESH_H
#define CAIRN_VOXEL_MESH_H

#include <cairn/voxel/light.h>

CN_EXTERN_C_BEGIN

typedef enum CnFace {
    CN_FACE_NEG_Z, /* back */
    CN_FACE_POS_Z,
    CN_FACE_NEG_X,
    CN_FACE_POS_X,
    CN_FACE_NEG_Y,
    CN_FACE_POS_Y,
    CN_FACE_COUNT
} CnFace;

typedef enum CnChunkMeshPart {
    CN_CHUNK_MESH_OPAQUE,
    CN_CHUNK_MESH_SEMI,
    CN_CHUNK_MESH_WATER,
    CN_CHUNK_MESH_PROPS, /* one "quad" a block, under CN_FACE_NEG_Z; drawn as crosses */
    CN_CHUNK_MESH_PARTS
} CnChunkMeshPart;

/* Bits, from the lowest:
 *   12  x, y, z of the lowest cell, 4 each
 *    8  width - 1 and height - 1, 4 each: along the first and second axis of the face's plane
 *       (x faces: z, y; y faces: x, z; z faces: x, y)
 *   12  block
 *    8  ambient occlusion of the corners, 2 each: 3 is open
 *    8  the highest light of the corners: block 4, then sky 4
 *   16  how far the light of each corner is below that, 2 bits block and 2 bits sky a corner
 * Corners are (0,0), (1,0), (1,1), (0,1) in the plane's axes. Water has no occlusion (the bits are
 * 0) and one light, that of the cell before the face; its last 16 bits are 4 for the height of each
 * corner above the bottom of the quad's highest row of cells, (n + 1) / 16 blocks: top faces and
 * the upper edges of sides sink, all other corners have 15. Props have one light, that of their
 * cell. */
typedef uint64_t CnQuad;

typedef struct CnChunkMesh {
    CnQuad *quads;
    uint32_t count, capacity;
    /* Where the quads of part p and face f begin; the last is count. */
    uint32_t first[CN_CHUNK_MESH_PARTS * CN_FACE_COUNT + 1];
} CnChunkMesh;

#define CN_CHUNK_MESH_OVERLAP (1.0f / 2048)

typedef struct CnChunkMeshScratch CnChunkMeshScratch; /* of one thread; keeps its arrays */
CN_API CnChunkMeshScratch *cn_chunk_mesh_scratch_create(CnAllocator *allocator);
CN_API void cn_chunk_mesh_scratch_destroy(CnChunkMeshScratch *scratch);
/* The mesh points into the scratch until its next use. Without light (NULL) all corners are
 * open and have 15 of both. */
CN_API void cn_chunk_mesh_build(CnChunkMeshScratch *scratch, const CnNeighbourhood *around,
                                const CnLightBox *light, CnChunkMesh *mesh);

/* ---- What corners are: of the four cells around a corner in the layer before the face, one lies
 * right before it, two beside that and one is the diagonal. Only opaque blocks count. ---- */

static inline uint32_t cn_corner_occlusion(bool one_side, bool other_side, bool diagonal)
{
    return one_side && other_side ? 0u : 3u - one_side - other_side - diagonal;
}
/* Of one kind of light: the mean of the cells that are not opaque (one at least), halves
 * rounded up. */
static inline uint32_t cn_corner_light(const uint8_t levels[4], const bool opaque[4])
{
    uint32_t sum = 0, count = 0;
    for (uint32_t i = 0; i < 4; i++) {
        sum += opaque[i] ? 0u : levels[i];
        count += !opaque[i];
    }
    return (2 * sum + count) / (2 * count);
}
/* Of water, in 1/16 blocks: the mean of those of the four cells around it that are water, 7/4 a
 * level, halves rounded up; 16 where one of them has water above. `levels`: cn_water_level. */
static inline uint32_t cn_corner_water(const uint8_t levels[4], bool water_above)
{
    uint32_t sum = 0, count = 0;
    for (uint32_t i = 0; i < 4; i++) {
        sum += 7u * levels[i] / 4;
        count += levels[i] > 0;
    }
    return water_above ? 16u : (2 * sum + count) / (2 * count);
}

/* ---- Reading quads ---- */

/* A quad taken apart: what a vertex shader does, for tests and tools. */
typedef struct CnQuadParts {
    uint8_t x, y, z, width, height;
    CnBlock block;
    uint8_t occlusion[4], block_light[4], sky_light[4], water_height[4];
} CnQuadParts;
CN_API CnQuadParts cn_quad_parts(CnQuad quad, CnChunkMeshPart part);
/* The corners in the chunk, in blocks, without overlap, in the order of the parts' arrays:
 * seen from outside counter-clockwise for the faces -x, -y and +z, clockwise for the others.
 * Those of a prop are on one diagonal of its cell. */
CN_API void cn_quad_corners(CnQuad quad, CnChunkMeshPart part, CnFace face, float corners[4][3]);

CN_EXTERN_C_END

#endif
