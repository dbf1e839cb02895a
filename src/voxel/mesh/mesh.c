/* Chunk meshing: the order of the steps. */
#include "voxel/mesh/mesh_internal.h"

#include <cairn/base/assert.h>

#include <string.h>

/* At most one of two adjacent cells shows its face: one face per pair of cells in and around the
 * chunk, and one prop or shape per cell. Pages that no mesh needs are never touched. */
#define MAX_PLAIN (3 * CN_CHUNK_SIZE * CN_CHUNK_SIZE * (CN_CHUNK_SIZE + 1) + CN_CHUNK_BLOCKS)
#define MAX_QUADS (MAX_PLAIN + CN_CHUNK_BLOCKS * CN_BLOCK_SHAPE_FACES)

struct CnChunkMeshScratch {
    CnAllocator *allocator;
    CniVoxelMeshContext context;
    CniVoxelFaceMasks faces;
    CnQuad water[CN_CHUNK_BLOCKS]; /* faces of one direction, by cell */
    CniVoxelShapeCell shapes[CN_CHUNK_BLOCKS];
    uint32_t shape_count;
    CnQuad quads[MAX_QUADS];
};

CnChunkMeshScratch *cn_chunk_mesh_scratch_create(CnAllocator *allocator)
{
    CnChunkMeshScratch *scratch = cn_alloc_zeroed(allocator, sizeof *scratch);
    if (!scratch)
        return NULL;
    scratch->allocator = allocator;
    cni_voxel_corner_tables(&scratch->context);
    return scratch;
}

void cn_chunk_mesh_scratch_destroy(CnChunkMeshScratch *scratch)
{
    if (scratch)
        cn_free(scratch->allocator, scratch, sizeof *scratch);
}

/* ---- Parts ---- */

/* Gathers four bits, 16 apart, at the top with one multiplication. */
static inline uint32_t four_bits(uint64_t word, uint32_t x)
{
    return (uint32_t)((word >> x & 0x0001000100010001u) * 0x1000200040008000u >> 60);
}

static void add_blocks(const CniVoxelMeshContext *context, CnQuad *quads, const CnQuad *end)
{
    const CnChunk *chunk = context->chunk;
    if (chunk->bits <= CNI_VOXEL_FEW_BITS) {
        for (CnQuad *quad = quads; quad < end; quad++) {
            uint32_t index =
                four_bits(context->indices[0][cni_voxel_quad_row(*quad)], cni_voxel_quad_x(*quad));
            *quad |= (CnQuad)chunk->few[index] << CN_QUAD_BLOCK_SHIFT;
        }
        return;
    }
    const CnBlock *palette =
        cni_voxel_chunk_is_plain(chunk) ? NULL : cni_voxel_chunk_palette(chunk);
    for (CnQuad *quad = quads; quad < end; quad++) {
        uint32_t index = 0, row = cni_voxel_quad_row(*quad);
        for (uint32_t b = 0; b < chunk->bits; b += 4)
            index |= four_bits(context->indices[b / 4][row], cni_voxel_quad_x(*quad)) << b;
        *quad |= (CnQuad)(palette ? palette[index] : index) << CN_QUAD_BLOCK_SHIFT;
    }
}

#define NO_OCCLUSION ((CnQuad)0xFF << CN_QUAD_OCCLUSION_SHIFT)
#define FULL_LIGHT 0xFFu /* sky and block light 15 */

static void add_brightness(CnQuad *quads, const CnQuad *end)
{
    for (CnQuad *quad = quads; quad < end; quad++)
        *quad |= NO_OCCLUSION | (CnQuad)FULL_LIGHT << CN_QUAD_BLOCK_LIGHT_SHIFT;
}

static CnQuad *add_faces(CnChunkMeshScratch *scratch, CnChunkMeshPart part, CnFace face,
                         CnQuad *quads)
{
    CniVoxelMeshContext *context = &scratch->context;
    if (!cni_voxel_mesh_faces(context, part, face, &scratch->faces))
        return quads;
    if (part == CN_CHUNK_MESH_WATER)
        return cni_voxel_mesh_water(context, face, &scratch->faces, scratch->water, quads);
    CnQuad *end = cni_voxel_mesh_rectangles(&scratch->faces, face, quads);
    add_blocks(context, quads, end);
    if (context->light)
        cni_voxel_mesh_corners(context, face, quads, end);
    else
        add_brightness(quads, end);
    return end;
}

static CnQuad *add_props(const CniVoxelMeshContext *context, CnQuad *quads)
{
    CniVoxelPlane props;
    CnQuad *begin = quads;
    cni_voxel_chunk_rows(context->chunk, CN_BLOCK_IS_PROP, props);
    for (uint32_t row = 0; row < CNI_VOXEL_CHUNK_ROWS; row++) {
        for (uint32_t left = props[row]; left; left &= left - 1) {
            uint32_t x = (uint32_t)__builtin_ctz(left), y = row & 15, z = row >> 4;
            uint32_t at = cn_padded_index((int32_t)x, (int32_t)y, (int32_t)z);
            CnQuad light = context->light ? context->light->cells[at] : FULL_LIGHT;
            *quads++ =
                x | row << CN_QUAD_Y_SHIFT | NO_OCCLUSION | light << CN_QUAD_BLOCK_LIGHT_SHIFT;
        }
    }
    add_blocks(context, begin, quads);
    return quads;
}

/* Removes the quads of blocks with a shape, which have faces instead. */
static CnQuad *drop_shapes(const CnBlockTable *table, CnQuad *quads, const CnQuad *end)
{
    CnQuad *kept = quads;
    for (const CnQuad *quad = quads; quad < end; quad++)
        if (!cn_block_shape(table, *quad >> CN_QUAD_BLOCK_SHIFT & CN_QUAD_BLOCK_MASK))
            *kept++ = *quad;
    return kept;
}

/* ---- Building ---- */

/* Returns the combined flags of all blocks in the chunk. */
static uint32_t flags_of(const CnChunk *chunk)
{
    if (cni_voxel_chunk_is_plain(chunk))
        return 0xFF;
    const CnBlock *palette = cni_voxel_chunk_palette(chunk);
    uint32_t flags = 0;
    for (uint32_t i = 0; i < chunk->kinds; i++)
        flags |= chunk->table->flags[palette[i]];
    return flags;
}

/* Computes everything that parts and directions share. */
static void look_around(CniVoxelMeshContext *context, uint32_t flags)
{
    uint32_t wanted = 1u << CNI_VOXEL_CLASS_OPAQUE, around = 0;
    if (flags & (CN_BLOCK_IS_SEMI | CN_BLOCK_IS_WATER))
        wanted |= 1u << CNI_VOXEL_CLASS_SEMI;
    if (flags & CN_BLOCK_IS_WATER)
        around = 1u << CNI_VOXEL_CLASS_WATER | 1u << CNI_VOXEL_CLASS_FLOWING;
    wanted |= around;
    if (context->light)
        around |= 1u << CNI_VOXEL_CLASS_OPAQUE;
    cni_voxel_padded_masks_gather_near(context->around, wanted, context->classes);
    if (around)
        cni_voxel_padded_masks_gather_rest(context->around, around, context->classes);
    for (uint32_t part = 0; part <= CN_CHUNK_MESH_WATER; part++) {
        for (uint32_t i = 0; i < CNI_VOXEL_PADDED_ROWS; i++)
            context->hides[part][i] =
                context->classes[part][i] | (part ? context->hides[part - 1][i] : 0);
    }
    cni_voxel_mesh_mark_same_block(context->chunk, context->same);
    if (context->light)
        cni_voxel_mesh_mark_alike(context);
}

void cn_chunk_mesh_build(CnChunkMeshScratch *scratch, const CnNeighborhood *around,
                         const CnLightBox *light, CnChunkMesh *mesh)
{
    CN_ASSERT(scratch, "%s: scratch is NULL", __func__);
    static const uint8_t flag_of_part[] = {CN_BLOCK_IS_OPAQUE, CN_BLOCK_IS_SEMI, CN_BLOCK_IS_WATER,
                                           CN_BLOCK_IS_PROP};
    CniVoxelMeshContext *context = &scratch->context;
    CN_ASSERT(around->chunks[13], "a mesh needs its own chunk");
    context->around = around;
    context->chunk = around->chunks[13];
    context->light = light;
    *mesh = (CnChunkMesh){.quads = scratch->quads, .capacity = MAX_QUADS};
    uint32_t flags = flags_of(context->chunk);
    scratch->shape_count = flags & CN_BLOCK_IS_PROP && cni_voxel_mesh_has_shapes(context->chunk)
                               ? cni_voxel_mesh_find_shapes(context->chunk, scratch->shapes)
                               : 0;
    cni_voxel_mesh_indices(context->chunk, context->indices);
    if (flags & (CN_BLOCK_IS_OPAQUE | CN_BLOCK_IS_SEMI | CN_BLOCK_IS_WATER) || scratch->shape_count)
        look_around(context, flags);
    CnQuad *end = scratch->quads;
    for (uint32_t part = 0; part < CN_CHUNK_MESH_PART_COUNT; part++) {
        for (uint32_t face = 0; face < CN_FACE_COUNT; face++) {
            CnQuad *begin = end;
            mesh->first[part * CN_FACE_COUNT + face] = (uint32_t)(end - scratch->quads);
            if (flags & flag_of_part[part] && part != CN_CHUNK_MESH_PROPS)
                end = add_faces(scratch, (CnChunkMeshPart)part, (CnFace)face, end);
            else if (flags & flag_of_part[part] && face == CN_FACE_NEG_Z)
                end = add_props(context, end);
            if (scratch->shape_count && part == CN_CHUNK_MESH_SEMI)
                end = cni_voxel_mesh_shapes(context, (CnFace)face, scratch->shapes,
                                            scratch->shape_count, end);
            if (scratch->shape_count && part == CN_CHUNK_MESH_PROPS)
                end = drop_shapes(context->chunk->table, begin, end);
        }
    }
    mesh->count = (uint32_t)(end - scratch->quads);
    mesh->first[CN_CHUNK_MESH_PART_COUNT * CN_FACE_COUNT] = mesh->count;
    CN_ASSERT(mesh->count <= MAX_QUADS, "more quads than faces");
}
