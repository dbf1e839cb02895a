/* Water faces: corners have heights instead of occlusion, and light is uniform per face. */
#include "voxel/mesh/mesh_internal.h"

#include <cairn/voxel/water.h>

#define SOURCE_CORNER 13u /* 14/16 of a block */

static CnBlock block_around(const CnNeighborhood *around, int x, int y, int z)
{
    const CnChunk *chunk = around->chunks[((x >> 4) + 1) + 3 * ((y >> 4) + 1) + 9 * ((z >> 4) + 1)];
    return chunk ? cn_chunk_get(chunk, x & 15, y & 15, z & 15) : (CnBlock)CN_BLOCK_AIR;
}

static uint32_t water_level(const CnNeighborhood *around, int x, int y, int z)
{
    CnBlock block = block_around(around, x, y, z);
    uint32_t level = cn_water_level(block);
    /* Other liquids are as high as a source. */
    return level == 0 && around->chunks[13]->table->flags[block] & CN_BLOCK_IS_WATER ? 8 : level;
}

/* Returns the 4 height bits of the upper corner at x, z, where four columns of cells meet, of a
 * cell at y. */
static uint32_t corner_height(const CnNeighborhood *around, int x, int y, int z)
{
    uint8_t levels[4];
    bool water_above = false;
    for (int i = 0; i < 4; i++) {
        int at_x = x - (i & 1), at_z = z - (i >> 1);
        levels[i] = (uint8_t)water_level(around, at_x, y, at_z);
        water_above |= levels[i] && water_level(around, at_x, y + 1, at_z);
    }
    return cn_corner_water(levels, water_above) - 1;
}

static uint32_t uneven_heights(const CnNeighborhood *around, CnFace face, int x, int y, int z)
{
    uint32_t far = face & 1, heights[4] = {15, 15, 15, 15};
    switch (cni_voxel_face_axis(face)) {
    case 0:
        heights[2] = corner_height(around, x + (int)far, y, z + 1);
        heights[3] = corner_height(around, x + (int)far, y, z);
        break;
    case 1:
        for (uint32_t c = 0; far && c < 4; c++)
            heights[c] = corner_height(around, x + (c == 1 || c == 2), y, z + (c >= 2));
        break;
    default:
        heights[2] = corner_height(around, x + 1, y, z + (int)far);
        heights[3] = corner_height(around, x, y, z + (int)far);
    }
    return heights[0] | heights[1] << CN_QUAD_CORNER_BITS | heights[2] << 2 * CN_QUAD_CORNER_BITS |
           heights[3] << 3 * CN_QUAD_CORNER_BITS;
}

/* Where sources are surrounded by sources and nothing is above, all corners have the height of
 * sources. */
static bool is_calm(const CniVoxelMeshContext *context, uint32_t x, uint32_t row)
{
    uint32_t near = 7u << x, disturbed = 0;
    for (uint32_t side = row - CN_CHUNK_PADDED_SIZE; side <= row + CN_CHUNK_PADDED_SIZE;
         side += CN_CHUNK_PADDED_SIZE)
        disturbed |= context->classes[CNI_VOXEL_CLASS_FLOWING][side] |
                     context->classes[CNI_VOXEL_CLASS_WATER][side + 1];
    return !(disturbed & near);
}

static uint32_t heights_of(const CniVoxelMeshContext *context, CnFace face, uint32_t cell)
{
    uint32_t x = cni_voxel_quad_x(cell), y = cni_voxel_quad_y(cell), z = cell >> CN_QUAD_Z_SHIFT,
             row = cni_voxel_padded_row(y, z);
    bool top = face == CN_FACE_POS_Y;
    if (face == CN_FACE_NEG_Y || context->classes[CNI_VOXEL_CLASS_WATER][row + 1] >> (x + 1) & 1)
        return 0xFFFF;
    if (is_calm(context, x, row))
        return top ? 0x1111 * SOURCE_CORNER : 0x1100 * SOURCE_CORNER | 0xFF;
    return uneven_heights(context->around, face, (int)x, (int)y, (int)z);
}

static CnQuad face_of(const CniVoxelMeshContext *context, CnFace face, uint32_t cell)
{
    static const int before[CN_FACE_COUNT] = {-CN_CHUNK_PADDED_LAYER, CN_CHUNK_PADDED_LAYER, -1, 1,
                                              -CN_CHUNK_PADDED_SIZE,  CN_CHUNK_PADDED_SIZE};
    uint32_t x = cni_voxel_quad_x(cell), y = cni_voxel_quad_y(cell), z = cell >> CN_QUAD_Z_SHIFT;
    uint32_t at =
        (uint32_t)((int)cn_padded_index((int32_t)x, (int32_t)y, (int32_t)z) + before[face]);
    CnQuad light = context->light ? context->light->cells[at] : 0xFF;
    CnBlock block = cn_chunk_get(context->chunk, x, y, z);
    return (CnQuad)block << CN_QUAD_BLOCK_SHIFT | light << CN_QUAD_BLOCK_LIGHT_SHIFT |
           (CnQuad)heights_of(context, face, cell) << CN_QUAD_CORNER_SHIFT;
}

/* Only the upper corners of sides are lowered, so these decide. */
static bool is_level(CnQuad quad)
{
    uint32_t heights = (uint32_t)(quad >> CN_QUAD_CORNER_SHIFT), upper = heights >> 8;
    return upper >> 4 == (upper & 15) && ((heights & 0xFF) == upper || (heights & 0xFF) == 0xFF);
}

/* Separates faces that differ or are not level. */
static void part_faces(CniVoxelFaceMasks *faces, const CnQuad *found, uint32_t stride)
{
    for (uint32_t row = 0; row < CNI_VOXEL_CHUNK_ROWS; row++) {
        const CnQuad *here = found + 16 * row, *ahead = here + 16 * stride;
        for (uint32_t left = faces->next_u[row]; left; left &= left - 1) {
            uint32_t u = (uint32_t)__builtin_ctz(left);
            if (here[u] != here[u + 1] || !is_level(here[u]))
                faces->next_u[row] &= (uint16_t) ~(1u << u);
        }
        for (uint32_t left = faces->next_v[row]; left; left &= left - 1) {
            uint32_t u = (uint32_t)__builtin_ctz(left);
            if (here[u] != ahead[u] || !is_level(here[u]))
                faces->next_v[row] &= (uint16_t) ~(1u << u);
        }
    }
}

CnQuad *cni_voxel_mesh_water(const CniVoxelMeshContext *context, CnFace face,
                             CniVoxelFaceMasks *faces, CnQuad *found, CnQuad *quads)
{
    uint32_t axis = cni_voxel_face_axis(face);
    for (uint32_t row = 0; row < CNI_VOXEL_CHUNK_ROWS; row++) {
        for (uint32_t left = faces->seen[row]; left; left &= left - 1) {
            uint32_t u = (uint32_t)__builtin_ctz(left);
            found[16 * row + u] = face_of(context, face, cni_voxel_face_cell(face, row, u));
        }
    }
    part_faces(faces, found, axis == 1 ? 16 : 1);
    CnQuad *end = cni_voxel_mesh_rectangles(faces, face, quads);
    for (CnQuad *quad = quads; quad < end; quad++) {
        uint32_t x = cni_voxel_quad_x(*quad), y = cni_voxel_quad_y(*quad),
                 z = cni_voxel_quad_z(*quad);
        *quad |= found[axis == 0 ? z + 16 * y + 256 * x : x + 16 * y + 256 * z];
    }
    return end;
}
