/*
 * Far terrain: tiles whose cells are 2, 4, 8 and 16 blocks wide, to 2 km and further.
 *
 *     uint32_t count = cn_lod_select(&view, tiles, CN_LOD_MAX_TILES);
 *     cn_lod_build(generator, scratch, tiles[i], &mesh);       // any thread; a pure function
 *
 * A tile is 32 x 32 cells: each a column of the generator with its top, its sides down to its
 * neighbours, water where the ground is below the sea, and the crowns of the trees that cover it, over their
 * trunks where cells are small enough. Tiles of a
 * selection cover everything between the square of the chunks and the far distance once. The rims of a tile
 * hang down to the bottom of the world: there are no holes between levels, nor to chunks, nor while a
 * finer tile is still being made. The nearest tiles reach under the chunks, to their own borders: whoever draws
 * them leaves out what lies within the near edge where chunks are shown.
 */
#ifndef CAIRN_VOXEL_LOD_H
#define CAIRN_VOXEL_LOD_H

#include <cairn/voxel/generate.h>
#include <cairn/voxel/mesh.h>

CN_EXTERN_C_BEGIN

#define CN_LOD_LEVELS 4 /* 1 to 4: cells of 2, 4, 8, 16 blocks */
#define CN_LOD_CELLS 32
#define CN_LOD_MAX_TILES 4096

typedef struct CnLodTile {
    int32_t x, z;   /* in tiles of this level */
    uint32_t level; /* 1 to CN_LOD_LEVELS */
} CnLodTile;
static inline int32_t cn_lod_tile_blocks(uint32_t level)
{
    return CN_LOD_CELLS << level;
}

/* How near the eye cells become larger: they look at most 1/128, 1/32 and 1/192 as wide as they are far. */
typedef enum CnLodDetail { CN_LOD_NORMAL, CN_LOD_COARSE, CN_LOD_FINE } CnLodDetail;

typedef struct CnLodView {
    float x, z;      /* of the eye */
    float near_edge; /* chunks are shown so far along x and along z: no tile lies wholly in there */
    float far_edge;  /* 0 means 2,048; at most CN_LOD_FAR_MAX */
    CnLodDetail detail;
} CnLodView;
#define CN_LOD_FAR_MAX 16384.0f
/* Nearest first. Returns how many there are; only the first `limit` are written. */
CN_API uint32_t cn_lod_select(const CnLodView *view, CnLodTile *tiles, uint32_t limit);

typedef struct CnLodQuad {
    int16_t x, y, z;        /* its lowest corner: blocks from the tile's corner; y of the world */
    uint16_t width, height; /* blocks, along the axes of the face's plane as in mesh.h */
    uint8_t face;           /* CnFace; never CN_FACE_NEG_Y */
    uint8_t part;           /* CN_CHUNK_MESH_OPAQUE or CN_CHUNK_MESH_WATER */
    CnBlock block;
} CnLodQuad;
typedef struct CnLodMesh {
    CnLodTile tile;
    CnLodQuad *quads;
    uint32_t count, capacity;
    float min_y, max_y; /* of what is seen: rims reach further down */
} CnLodMesh;
/* `mesh` is zero, or of an earlier build: then its array is used again. False: out of memory. */
CN_API bool cn_lod_build(CnAllocator *allocator, CnGenerator *generator, CnGenerateScratch *scratch,
                         CnLodTile tile, CnLodMesh *mesh);
CN_API void cn_lod_mesh_fini(CnAllocator *allocator, CnLodMesh *mesh);

CN_EXTERN_C_END

#endif
