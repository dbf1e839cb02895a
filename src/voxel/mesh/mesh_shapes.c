/*
 * Faces of blocks with a shape: one quad per rectangle of their surface. A rectangle on the border
 * of its cell is hidden by an opaque block beside it, or by a shape of the same chunk that fills
 * the side of its cell.
 */
#include "voxel/chunk/block_shape.h"
#include "voxel/mesh/mesh_internal.h"

#define SIZE CN_CHUNK_PADDED_SIZE
#define FULL_LIGHT 0xFFu

bool cni_voxel_mesh_has_shapes(const CnChunk *chunk)
{
    if (cni_voxel_chunk_is_plain(chunk))
        return true;
    const CnBlock *palette = cni_voxel_chunk_palette(chunk);
    for (uint32_t i = 0; i < chunk->kinds; i++)
        if (cn_block_shape(chunk->table, palette[i]))
            return true;
    return false;
}

static CnBlock block_at(const CnChunk *chunk, uint32_t x, uint32_t row)
{
    uint32_t index = cni_voxel_chunk_index(chunk, x, row);
    return cni_voxel_chunk_is_plain(chunk) ? (CnBlock)index : cni_voxel_chunk_palette(chunk)[index];
}

uint32_t cni_voxel_mesh_find_shapes(const CnChunk *chunk, CniVoxelShapeCell *cells)
{
    CniVoxelPlane props;
    uint32_t count = 0;
    cni_voxel_chunk_rows(chunk, CN_BLOCK_IS_PROP, props);
    for (uint32_t row = 0; row < CNI_VOXEL_CHUNK_ROWS; row++) {
        for (uint32_t left = props[row]; left; left &= left - 1) {
            uint32_t x = (uint32_t)__builtin_ctz(left);
            CnBlock block = block_at(chunk, x, row);
            if (cn_block_shape(chunk->table, block))
                cells[count++] = (CniVoxelShapeCell){(uint16_t)(x | row << 4), block};
        }
    }
    return count;
}

/* Returns the larger block light and the larger sky light. */
static uint32_t brighter(uint32_t a, uint32_t b)
{
    uint32_t block = (a & 15) > (b & 15) ? a & 15 : b & 15;
    uint32_t sky = (a & 240) > (b & 240) ? a & 240 : b & 240;
    return block | sky;
}

static CnQuad pack(const CniVoxelShapeFace *face, CnQuad cell_and_light)
{
    CnQuad depth =
        (face->depth & 3u) << 2 | (face->depth >> 2 & 3u) << 6 | (face->depth >> 4) << 10;
    return cell_and_light | (CnQuad)face->u << CN_QUAD_WIDTH_SHIFT |
           (CnQuad)face->v << CN_QUAD_HEIGHT_SHIFT |
           (CnQuad)((face->width - 1) | (face->height - 1) << 4) << CN_QUAD_OCCLUSION_SHIFT |
           (CN_QUAD_SHAPE_MARK | depth) << CN_QUAD_CORNER_SHIFT;
}

/* Returns whether the shape in the cell in front of a face, if it is in the chunk, hides it. */
static bool is_hidden_by_shape(const CnChunk *chunk, const int32_t front[3], CnFace face)
{
    for (int axis = 0; axis < 3; axis++)
        if (front[axis] < 0 || front[axis] >= CN_CHUNK_SIZE)
            return false;
    CnBlock block = block_at(chunk, (uint32_t)front[0], (uint32_t)(front[1] | front[2] << 4));
    const CniVoxelShape *shape = cni_voxel_shape_of(chunk->table, block);
    return shape && (shape->full_sides >> (face ^ 1) & 1);
}

CnQuad *cni_voxel_mesh_shapes(const CniVoxelMeshContext *context, CnFace face,
                              const CniVoxelShapeCell *cells, uint32_t count, CnQuad *quads)
{
    uint32_t axis = cni_voxel_face_axis(face);
    const CnChunk *chunk = context->chunk;
    for (uint32_t i = 0; i < count; i++) {
        const CniVoxelShape *shape = cni_voxel_shape_of(chunk->table, cells[i].block);
        uint32_t first = shape->first[face], end = shape->first[face + 1];
        if (first == end)
            continue;
        int32_t at[3] = {cells[i].cell & 15, cells[i].cell >> 4 & 15, cells[i].cell >> 8};
        int32_t front[3] = {at[0], at[1], at[2]};
        front[axis] += face & 1 ? 1 : -1;
        uint32_t row = cni_voxel_padded_row((uint32_t)front[1], (uint32_t)front[2]);
        bool is_covered = context->classes[CNI_VOXEL_CLASS_OPAQUE][row] >> (front[0] + 1) & 1;
        bool is_hidden = is_covered || is_hidden_by_shape(chunk, front, face);
        uint32_t outside = FULL_LIGHT, inside = FULL_LIGHT;
        if (context->light) {
            outside = context->light->cells[cn_padded_index(front[0], front[1], front[2])];
            inside = context->light->cells[cn_padded_index(at[0], at[1], at[2])];
            inside = is_covered ? inside : brighter(inside, outside);
        }
        for (uint32_t k = first; k < end; k++) {
            const CniVoxelShapeFace *part = &shape->faces[k];
            if (part->is_flush && is_hidden)
                continue;
            CnQuad light = part->is_flush ? outside : inside;
            *quads++ = pack(part, cells[i].cell | (CnQuad)cells[i].block << CN_QUAD_BLOCK_SHIFT |
                                      light << CN_QUAD_BLOCK_LIGHT_SHIFT);
        }
    }
    return quads;
}
