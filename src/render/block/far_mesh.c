/* Packs tiles of far terrain into quads of 8 bytes, which blocks_vertex.glsl reads. Quads are cut
 * at chunk borders, so that each is either covered by a chunk or not. */
#include "render/block/block_view.h"

#include <string.h>

#define CUT_LEVEL 2u /* blocks_vertex.glsl: levels that can border on chunks */
#define SKIRT_BLOCKS 16u
#define HEIGHT_BITS 10u
#define MAX_HEIGHT ((1u << HEIGHT_BITS) - 1)

/* In cells, within the plane of the tile. */
typedef struct Piece {
    uint32_t x, z, y, width, height, block;
    bool is_skirt;
} Piece;

static CnQuad pack(const Piece *piece)
{
    return piece->x | piece->z << CNI_RENDER_FAR_Z_SHIFT | piece->y << CNI_RENDER_FAR_Y_SHIFT |
           (piece->width - 1) << CNI_RENDER_FAR_WIDTH_SHIFT |
           (uint32_t)piece->is_skirt << CNI_RENDER_FAR_SKIRT_SHIFT |
           (uint64_t)piece->block << CNI_RENDER_FAR_BLOCK_SHIFT |
           (uint64_t)piece->height << CNI_RENDER_FAR_HEIGHT_SHIFT;
}

#define RANGES (CNI_RENDER_BLOCK_ENDS - 1) /* parts and faces */

/* Processes a mesh twice: first counts the quads of each range, then writes them. */
typedef struct Packer {
    CnQuad *quads;       /* NULL: counts only */
    uint32_t at[RANGES]; /* index of the next quad of the range */
    uint32_t range;      /* current range */
} Packer;

static void push(Packer *packer, const Piece *piece)
{
    if (packer->quads)
        packer->quads[packer->at[packer->range]] = pack(piece);
    packer->at[packer->range]++;
}

/* Returns the length of a piece that begins at `from`: up to the next chunk border. */
static uint32_t step(uint32_t from, uint32_t left, uint32_t chunk)
{
    uint32_t most = chunk - from % chunk;
    return left < most ? left : most;
}

static void push_top(Packer *packer, Piece piece, uint32_t chunk)
{
    uint32_t x_end = piece.x + piece.width, z_end = piece.z + piece.height, x0 = piece.x;
    for (; piece.z < z_end; piece.z += piece.height) {
        piece.height = step(piece.z, z_end - piece.z, chunk);
        for (piece.x = x0; piece.x < x_end; piece.x += piece.width) {
            piece.width = step(piece.x, x_end - piece.x, chunk);
            push(packer, &piece);
        }
    }
}

static void push_side(Packer *packer, Piece piece, bool along_z, uint32_t chunk)
{
    uint32_t *at = along_z ? &piece.z : &piece.x;
    uint32_t left = piece.width;
    while (left > 0) {
        piece.width = step(*at, left, chunk);
        push(packer, &piece);
        *at += piece.width;
        left -= piece.width;
    }
}

static Piece piece_of(const CnLodQuad *quad, uint32_t level)
{
    int32_t y = quad->y - CN_WORLD_BOTTOM;
    return (Piece){.x = (uint32_t)quad->x >> level,
                   .z = (uint32_t)quad->z >> level,
                   .y = y < 0                      ? 0
                        : (uint32_t)y > MAX_HEIGHT ? MAX_HEIGHT
                                                   : (uint32_t)y,
                   .width = (uint32_t)quad->width >> level,
                   .height = quad->height > MAX_HEIGHT ? MAX_HEIGHT : quad->height,
                   .block = quad->block};
}

static void push_quad(Packer *packer, const CnLodQuad *quad, uint32_t level)
{
    uint32_t chunk = level <= CUT_LEVEL ? CN_CHUNK_SIZE >> level : CN_LOD_CELLS;
    Piece piece = piece_of(quad, level);
    if (quad->face == CN_FACE_POS_Y) {
        piece.height = (uint32_t)quad->height >> level;
        push_top(packer, piece, chunk);
    } else {
        push_side(packer, piece, quad->face == CN_FACE_NEG_X || quad->face == CN_FACE_POS_X, chunk);
    }
}

/* Adds skirts to the edges of a top face at chunk borders inside the tile, for one face: where
 * chunks are lower than far terrain, the gap below it would be visible. */
static void push_skirts(Packer *packer, const CnLodQuad *quad, CnFace face, uint32_t level)
{
    uint32_t chunk = CN_CHUNK_SIZE >> level;
    Piece top = piece_of(quad, level);
    bool along_z = face == CN_FACE_NEG_X || face == CN_FACE_POS_X, positive = face & 1;
    uint32_t depth = (uint32_t)quad->height >> level;
    uint32_t from = along_z ? top.x : top.z, across = along_z ? top.width : depth;
    Piece skirt = top;
    skirt.is_skirt = true;
    skirt.width = along_z ? depth : top.width;
    skirt.height = top.y < SKIRT_BLOCKS ? top.y : SKIRT_BLOCKS;
    skirt.y = top.y - skirt.height;
    for (uint32_t line = (from + !positive + chunk - 1) / chunk * chunk; line <= from + across;
         line += chunk) {
        bool is_edge = positive ? line > from : line < from + across;
        if (line == 0 || line == CN_LOD_CELLS || !is_edge || skirt.height == 0)
            continue;
        *(along_z ? &skirt.x : &skirt.z) = line;
        push_side(packer, skirt, along_z, chunk);
    }
}

static void push_all(Packer *packer, const CnLodMesh *mesh)
{
    uint32_t level = mesh->tile.level;
    for (uint32_t i = 0; i < mesh->count; i++) {
        const CnLodQuad *quad = &mesh->quads[i];
        packer->range = quad->part * (uint32_t)CN_FACE_COUNT + quad->face;
        if (packer->range >= RANGES) /* props are drawn nearby only */
            continue;
        push_quad(packer, quad, level);
        if (quad->part != CN_CHUNK_MESH_OPAQUE || quad->face != CN_FACE_POS_Y || level > CUT_LEVEL)
            continue;
        for (packer->range = 0; packer->range < CN_FACE_NEG_Y; packer->range++)
            push_skirts(packer, quad, (CnFace)packer->range, level);
    }
}

/* Places the ranges one after the other: converts counts to start offsets. Returns the total. */
static uint32_t lay_out(Packer *packer)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < RANGES; i++) {
        uint32_t of_range = packer->at[i];
        packer->at[i] = count;
        count += of_range;
    }
    return count;
}

bool cni_render_block_upload_fill_far(CnAllocator *allocator, const CnLodMesh *mesh,
                                      CniRenderBlockUpload *pending)
{
    int32_t chunks = cn_lod_tile_blocks(mesh->tile.level) / CN_CHUNK_SIZE;
    float blocks = (float)cn_lod_tile_blocks(mesh->tile.level);
    pending->record =
        (CniRenderBlockRecord){.chunk_position = {mesh->tile.x * chunks, 0, mesh->tile.z * chunks},
                               .level = mesh->tile.level,
                               .low = {0, CN_WORLD_BOTTOM, 0},
                               .high = {blocks, mesh->max_y, blocks}};
    Packer packer = {0};
    push_all(&packer, mesh);
    uint32_t count = lay_out(&packer);
    if (count == 0)
        return true;
    packer.quads = cn_alloc(allocator, count * sizeof(CnQuad));
    if (!packer.quads)
        return false;
    push_all(&packer, mesh);
    memcpy(pending->record.ends, packer.at, sizeof packer.at);
    pending->record.ends[RANGES] = count;
    pending->quads = packer.quads;
    pending->count = count;
    return true;
}
