/* Chunk meshing: the order of the steps. */
#include "voxel/mesh/mesh_internal.h"

#include <cairn/base/assert.h>

#include <string.h>

/* At most one of two adjacent cells shows its face: one face per pair of cells in and around the
 * chunk, and one prop per cell. */
#define MAX_QUADS (3 * 16 * 16 * 17 + CN_CHUNK_BLOCKS)

struct CnChunkMeshScratch {
    CnAllocator *allocator;
    CniMiddle middle;
    CniFaces faces;
    CnQuad water[CN_CHUNK_BLOCKS]; /* faces of one direction, by cell */
    CnQuad quads[MAX_QUADS];
};

CnChunkMeshScratch *cn_chunk_mesh_scratch_create(CnAllocator *allocator)
{
    CnChunkMeshScratch *scratch = cn_alloc_zeroed(allocator, sizeof *scratch);
    if (!scratch)
        return NULL;
    scratch->allocator = allocator;
    cni_corner_tables(&scratch->middle);
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

static void add_blocks(const CniMiddle *middle, CnQuad *quads, const CnQuad *end)
{
    const CnChunk *chunk = middle->chunk;
    if (chunk->bits <= CNI_FEW_BITS) {
        for (CnQuad *quad = quads; quad < end; quad++) {
            uint32_t index = four_bits(middle->indices[0][*quad >> 4 & 0xFF], *quad & 15);
            *quad |= (CnQuad)chunk->few[index] << 20;
        }
        return;
    }
    const CnBlock *palette = cni_chunk_is_plain(chunk) ? NULL : cni_chunk_palette(chunk);
    for (CnQuad *quad = quads; quad < end; quad++) {
        uint32_t index = 0, row = *quad >> 4 & 0xFF;
        for (uint32_t b = 0; b < chunk->bits; b += 4)
            index |= four_bits(middle->indices[b / 4][row], *quad & 15) << b;
        *quad |= (CnQuad)(palette ? palette[index] : index) << 20;
    }
}

static void add_brightness(CnQuad *quads, const CnQuad *end)
{
    for (CnQuad *quad = quads; quad < end; quad++)
        *quad |= (CnQuad)0xFFFF << 32;
}

static CnQuad *add_faces(CnChunkMeshScratch *scratch, CnChunkMeshPart part, CnFace face,
                         CnQuad *quads)
{
    CniMiddle *middle = &scratch->middle;
    if (!cni_mesh_faces(middle, part, face, &scratch->faces))
        return quads;
    if (part == CN_CHUNK_MESH_WATER)
        return cni_mesh_water(middle, face, &scratch->faces, scratch->water, quads);
    CnQuad *end = cni_mesh_rectangles(&scratch->faces, face, quads);
    add_blocks(middle, quads, end);
    if (middle->light)
        cni_mesh_corners(middle, face, quads, end);
    else
        add_brightness(quads, end);
    return end;
}

static CnQuad *add_props(const CniMiddle *middle, CnQuad *quads)
{
    CniPlane props;
    CnQuad *begin = quads;
    cni_chunk_rows(middle->chunk, CN_BLOCK_IS_PROP, props);
    for (uint32_t row = 0; row < CNI_CHUNK_ROWS; row++) {
        for (uint32_t left = props[row]; left; left &= left - 1) {
            uint32_t x = (uint32_t)__builtin_ctz(left), y = row & 15, z = row >> 4;
            CnQuad light =
                middle->light ? middle->light->cells[(x + 1) + 18 * (y + 1) + 324 * (z + 1)] : 0xFF;
            *quads++ = x | row << 4 | (CnQuad)0xFF << 32 | light << 40;
        }
    }
    add_blocks(middle, begin, quads);
    return quads;
}

/* ---- Building ---- */

/* Returns the combined flags of all blocks in the chunk. */
static uint32_t flags_of(const CnChunk *chunk)
{
    if (cni_chunk_is_plain(chunk))
        return 0xFF;
    const CnBlock *palette = cni_chunk_palette(chunk);
    uint32_t flags = 0;
    for (uint32_t i = 0; i < chunk->kinds; i++)
        flags |= cn_block_flags[palette[i]];
    return flags;
}

/* Computes everything that parts and directions share. */
static void look_around(CniMiddle *middle, uint32_t flags)
{
    uint32_t wanted = 1u << CNI_CLASS_OPAQUE, around = 0;
    if (flags & (CN_BLOCK_IS_SEMI | CN_BLOCK_IS_WATER))
        wanted |= 1u << CNI_CLASS_SEMI;
    if (flags & CN_BLOCK_IS_WATER)
        around = 1u << CNI_CLASS_WATER | 1u << CNI_CLASS_FLOWING;
    wanted |= around;
    if (middle->light)
        around |= 1u << CNI_CLASS_OPAQUE;
    cni_boxes_gather_near(middle->around, wanted, middle->classes);
    if (around)
        cni_boxes_gather_rest(middle->around, around, middle->classes);
    for (uint32_t part = 0; part <= CN_CHUNK_MESH_WATER; part++) {
        for (uint32_t i = 0; i < CNI_BOX_ROWS; i++)
            middle->hides[part][i] =
                middle->classes[part][i] | (part ? middle->hides[part - 1][i] : 0);
    }
    cni_mesh_same(middle->chunk, middle->same);
    if (middle->light)
        cni_mesh_alike(middle);
}

void cn_chunk_mesh_build(CnChunkMeshScratch *scratch, const CnNeighbourhood *around,
                         const CnLightBox *light, CnChunkMesh *mesh)
{
    static const uint8_t flag_of_part[] = {CN_BLOCK_IS_OPAQUE, CN_BLOCK_IS_SEMI, CN_BLOCK_IS_WATER,
                                           CN_BLOCK_IS_PROP};
    CniMiddle *middle = &scratch->middle;
    CN_ASSERT(around->chunks[13], "a mesh needs the chunk in the middle");
    middle->around = around;
    middle->chunk = around->chunks[13];
    middle->light = light;
    *mesh = (CnChunkMesh){.quads = scratch->quads, .capacity = MAX_QUADS};
    uint32_t flags = flags_of(middle->chunk);
    cni_mesh_indices(middle->chunk, middle->indices);
    if (flags & (CN_BLOCK_IS_OPAQUE | CN_BLOCK_IS_SEMI | CN_BLOCK_IS_WATER))
        look_around(middle, flags);
    CnQuad *end = scratch->quads;
    for (uint32_t part = 0; part < CN_CHUNK_MESH_PARTS; part++) {
        for (uint32_t face = 0; face < CN_FACE_COUNT; face++) {
            mesh->first[part * CN_FACE_COUNT + face] = (uint32_t)(end - scratch->quads);
            if (!(flags & flag_of_part[part]))
                continue;
            if (part != CN_CHUNK_MESH_PROPS)
                end = add_faces(scratch, (CnChunkMeshPart)part, (CnFace)face, end);
            else if (face == CN_FACE_NEG_Z)
                end = add_props(middle, end);
        }
    }
    mesh->count = (uint32_t)(end - scratch->quads);
    mesh->first[CN_CHUNK_MESH_PARTS * CN_FACE_COUNT] = mesh->count;
    CN_ASSERT(mesh->count <= MAX_QUADS, "more quads than faces");
}
