/*
 * Chunk meshes: exactly the visible faces, merged into quads of 8 bytes.
 *
 *     CnChunkMesh mesh = {0};
 *     uint32_t faces = 0;
 *     cn_chunk_mesh_build(scratch, &around, &light, &mesh); // light NULL: fully lit, no occlusion
 *     for (uint32_t i = 0; i < mesh.count; i++) {
 *         CnQuadFields quad = cn_quad_unpack(mesh.quads[i], CN_CHUNK_MESH_OPAQUE);
 *         faces += (uint32_t)quad.width * quad.height;
 *     }
 *
 * Blocks with a shape (cn_block_shape) have one quad per rectangle of their surface that no full
 * block hides, among the semi-transparent ones; they are not merged and hide nothing of full
 * blocks.
 *
 * Quads are sorted by part (opaque, semi-transparent, water, props) and within a part by face;
 * `first` holds the start of each group. The renderer can skip all faces of a chunk that point away
 * from the camera, and quads need not store their face. The four corners store ambient occlusion (0
 * to 3) and light. Faces are merged only if the corners on both sides of the seam are equal, so
 * that merging does not change the shading. Where a corner of one quad touches the edge of another
 * (a T-junction), rounding could leave gaps of a pixel; the renderer enlarges quads by
 * CN_CHUNK_MESH_OVERLAP to close them.
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
    CN_CHUNK_MESH_PROPS, /* one "quad" per block, under CN_FACE_NEG_Z; drawn as crosses */
    CN_CHUNK_MESH_PART_COUNT
} CnChunkMeshPart;

/* Bit fields, lowest first:
 *   12  x, y, z of the lowest cell, 4 each
 *    8  width - 1 and height - 1, 4 each: along the first and second axis of the face's plane
 *       (x faces: z, y; y faces: x, z; z faces: x, y)
 *   12  block
 *    8  ambient occlusion of the corners, 2 each: 3 is unoccluded
 *    8  maximum light of the corners: block light 4, then sky light 4
 *   16  difference of each corner to that maximum: block light 2, sky light 2 per corner
 * Corners are (0,0), (1,0), (1,1), (0,1) in the axes of the plane. Water has no occlusion (the bits
 * are 0) and one light, that of the cell in front of the face. Its last 16 bits hold 4 bits per
 * corner: the height n of the corner above the bottom of the topmost row of cells, (n + 1) / 16
 * blocks. Top faces and the upper edges of sides are lowered; all other corners have 15. Props have
 * one light, that of their cell.
 *
 * Faces of shapes have one light and no occlusion. Their differences of block light are 3 at all
 * corners, which no other quad has, because one corner has the maximum. In 1/16 of a block, the
 * fields of width and height hold the position along the two axes; the occlusion holds width - 1
 * and height - 1, 4 bits each; the differences of sky light hold the depth of the plane, 0 to 16,
 * lowest bits first. */
typedef uint64_t CnQuad;

/* The first bits of the fields. shaders/render/block/blocks_quad_bits.glsl repeats them. */
#define CN_QUAD_X_SHIFT 0
#define CN_QUAD_Y_SHIFT 4
#define CN_QUAD_Z_SHIFT 8
#define CN_QUAD_WIDTH_SHIFT 12
#define CN_QUAD_HEIGHT_SHIFT 16
#define CN_QUAD_CELL_MASK 15u /* of each field above */
#define CN_QUAD_BLOCK_SHIFT 20
#define CN_QUAD_BLOCK_MASK 4095u
#define CN_QUAD_OCCLUSION_SHIFT 32
#define CN_QUAD_OCCLUSION_BITS 2 /* per corner */
#define CN_QUAD_OCCLUSION_MASK 3u
#define CN_QUAD_BLOCK_LIGHT_SHIFT 40
#define CN_QUAD_SKY_LIGHT_SHIFT 44
#define CN_QUAD_LIGHT_MASK 15u
#define CN_QUAD_CORNER_SHIFT 48 /* differences of light, or heights of water */
#define CN_QUAD_CORNER_BITS 4   /* per corner */
#define CN_QUAD_CORNER_MASK 15u
#define CN_QUAD_SHAPE_MARK 0x3333ull /* of the corner bits of faces of shapes */
CN_STATIC_ASSERT(CN_QUAD_BLOCK_MASK == CN_BLOCK_MAX, "blocks fit into quads");

typedef struct CnChunkMesh {
    CnQuad *quads;
    uint32_t count, capacity;
    /* Index of the first quad of part p and face f, at p * CN_FACE_COUNT + f; the last entry is
     * `count`. */
    uint32_t first[CN_CHUNK_MESH_PART_COUNT * CN_FACE_COUNT + 1];
} CnChunkMesh;

#define CN_CHUNK_MESH_OVERLAP (1.0f / 2048)

/* Work memory for one thread. cn_chunk_mesh_scratch_create returns NULL when out of memory. */
typedef struct CnChunkMeshScratch CnChunkMeshScratch;
CN_API CnChunkMeshScratch *cn_chunk_mesh_scratch_create(CnAllocator *allocator);
CN_API void cn_chunk_mesh_scratch_destroy(CnChunkMeshScratch *scratch);
/* Builds the mesh of a chunk. The mesh points into the scratch and is valid until the next build
 * with it. If `light` is NULL, all corners are unoccluded with sky and block light 15. */
CN_API void cn_chunk_mesh_build(CnChunkMeshScratch *scratch, const CnNeighborhood *around,
                                const CnLightBox *light, CnChunkMesh *mesh);

/* ---- Corner values. Of the four cells around a corner in the layer in front of the face, one is
 * directly in front of the face, two are beside that one, and one is diagonal. Only opaque blocks
 * occlude. ---- */

static inline uint32_t cn_corner_occlusion(bool one_side, bool other_side, bool diagonal)
{
    return one_side && other_side ? 0u : 3u - one_side - other_side - diagonal;
}
/* Returns the mean level of the non-opaque cells (at least one), rounded half up, for one kind of
 * light. */
static inline uint32_t cn_corner_light(const uint8_t levels[4], const bool opaque[4])
{
    uint32_t sum = 0, count = 0;
    for (uint32_t i = 0; i < 4; i++) {
        sum += opaque[i] ? 0u : levels[i];
        count += !opaque[i];
    }
    return (2 * sum + count) / (2 * count);
}
/* Returns the height of a water corner in 1/16 blocks: the mean over the water cells among the four
 * around it, 7/4 per level, rounded half up; 16 if one of them has water above it. `levels` are
 * values of cn_water_level. */
static inline uint32_t cn_corner_water(const uint8_t levels[4], bool water_above)
{
    uint32_t sum = 0, count = 0;
    for (uint32_t i = 0; i < 4; i++) {
        sum += 7u * levels[i] / 4;
        count += levels[i] > 0;
    }
    return water_above ? 16u : (2 * sum + count) / (2 * count);
}

/* ---- Decoding quads ---- */

/* Returns whether a quad of this part is a face of a shape. */
static inline bool cn_quad_is_shape_face(CnQuad quad, CnChunkMeshPart part)
{
    return part == CN_CHUNK_MESH_SEMI &&
           (quad >> CN_QUAD_CORNER_SHIFT & CN_QUAD_SHAPE_MARK) == CN_QUAD_SHAPE_MARK;
}

/* A decoded quad, as a vertex shader decodes it; for tests and tools. */
typedef struct CnQuadFields {
    uint8_t x, y, z, width, height;
    CnBlock block;
    uint8_t occlusion[4], block_light[4], sky_light[4], water_height[4];
    /* A face of a shape, in 1/16 of a block: `width` and `height` are 1 then. */
    bool is_shape_face;
    uint8_t u, v, units_wide, units_high, depth;
} CnQuadFields;
/* Decodes a quad of the given part. */
CN_API CnQuadFields cn_quad_unpack(CnQuad quad, CnChunkMeshPart part);
/* Writes the corners in chunk space, in blocks, without overlap, in the order of the arrays of
 * CnQuadFields: seen from outside, counter-clockwise for the faces -x, -y and +z, clockwise for the
 * others. The corners of a prop lie on one diagonal of its cell. */
CN_API void cn_quad_corners(CnQuad quad, CnChunkMeshPart part, CnFace face, float corners[4][3]);

CN_EXTERN_C_END

#endif
