/*
 * Far terrain: tiles with cells 2, 4, 8 and 16 blocks wide, for distances of 2 km and more.
 *
 *     CnLodTile tiles[CN_LOD_MAX_TILES];
 *     CnLodMesh mesh = {0};
 *     uint32_t count = cn_lod_select(&(CnLodView){.near_edge = 128}, tiles, CN_LOD_MAX_TILES);
 *     for (uint32_t i = 0; i < count && i < CN_LOD_MAX_TILES; i++)
 *         cn_lod_build(allocator, generator, scratch, tiles[i], &mesh); // from any thread
 *     cn_lod_mesh_fini(allocator, &mesh);
 *
 * A tile has 32 x 32 cells. Each cell is a column of the generator: its top, its sides down to the
 * neighboring cells, water where the ground is below sea level, and the crowns of the trees that
 * cover it, above their trunks where the cells are small enough. The tiles of a selection cover the
 * area between the square of chunks and the far distance exactly once. Skirts around each tile
 * extend to the bottom of the world, so there are no holes between levels, at the chunks, or while
 * a finer tile is still being built. The nearest tiles extend below the chunks; the renderer clips
 * them to the near edge where chunks are drawn.
 */
#ifndef CAIRN_VOXEL_LOD_H
#define CAIRN_VOXEL_LOD_H

#include <cairn/voxel/generate.h>
#include <cairn/voxel/mesh.h>

CN_EXTERN_C_BEGIN

#define CN_LOD_LEVELS 4 /* levels 1 to 4: cells of 2, 4, 8, 16 blocks */
#define CN_LOD_CELLS 32
#define CN_LOD_MAX_TILES 4096

typedef struct CnLodTile {
    int32_t x, z;   /* in units of tiles of this level */
    uint32_t level; /* 1 to CN_LOD_LEVELS */
} CnLodTile;
static inline int32_t cn_lod_tile_blocks(uint32_t level)
{
    return CN_LOD_CELLS << level;
}

/* Level-of-detail selection: the width of a cell is at most 1/128, 1/32 or 1/192 of its
 * distance. */
typedef enum CnLodDetail { CN_LOD_NORMAL, CN_LOD_COARSE, CN_LOD_FINE } CnLodDetail;

typedef struct CnLodView {
    float x, z;      /* of the camera */
    float near_edge; /* half the edge of the square of chunks; no tile lies entirely inside */
    float far_edge;  /* blocks; 0 selects 2,048; at most CN_LOD_FAR_MAX */
    CnLodDetail detail;
} CnLodView;
#define CN_LOD_FAR_MAX 16384.0f
/* Selects tiles, nearest first. Returns the number selected; writes at most `limit` of them. */
CN_API uint32_t cn_lod_select(const CnLodView *view, CnLodTile *tiles, uint32_t limit);

typedef struct CnLodQuad {
    int16_t x, y, z;        /* lowest corner: blocks from the tile's corner; y is absolute */
    uint16_t width, height; /* blocks, along the axes of the face's plane as in mesh.h */
    uint8_t face;           /* CnFace; never CN_FACE_NEG_Y */
    uint8_t part;           /* CN_CHUNK_MESH_OPAQUE or CN_CHUNK_MESH_WATER */
    CnBlock block;
} CnLodQuad;
typedef struct CnLodMesh {
    CnLodTile tile;
    CnLodQuad *quads;
    uint32_t count, capacity;
    float min_y, max_y; /* of the visible part; skirts extend further down */
} CnLodMesh;
/* Builds the mesh of a tile. `mesh` is zeroed, or left by an earlier build, in which case its array
 * is reused. Returns false when out of memory. */
CN_API bool cn_lod_build(CnAllocator *allocator, CnGenerator *generator, CnGenerateScratch *scratch,
                         CnLodTile tile, CnLodMesh *mesh);
CN_API void cn_lod_mesh_fini(CnAllocator *allocator, CnLodMesh *mesh);

CN_EXTERN_C_END

#endif
