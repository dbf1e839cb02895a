/*
 * Tiles of blocks: the texture array that tools/blocks paints when the library is built.
 *
 *     CnBlockTiles textures;
 *     if (cn_block_tiles_read(bytes, size, &textures, &error))
 *         for (uint32_t level = 0; level < CN_TILE_LEVELS; level++)
 *             upload(level, textures.color[level], textures.count);    // layer after layer
 *
 * The file lies as generated/blocks/blocks.tiles in the folder of a build and as share/cairn/blocks.tiles where
 * Cairn is installed; docs/formats.md describes it. `side`, `bottom` and `top` of cn_blocks are its
 * layers, and so are the stages of cracks.
 */
#ifndef CAIRN_VOXEL_TILES_H
#define CAIRN_VOXEL_TILES_H

#include <cairn/base/error.h>

CN_EXTERN_C_BEGIN

#define CN_TILE_SIZE 16
#define CN_TILE_LEVELS 5 /* 16, 8, 4, 2, 1 pixels */
#define CN_TILE_MAX 2048
/* Layers of what is drawn over a block that is being broken: stages 0 to 9. */
#define CN_TILE_CRACK 0
#define CN_TILE_CRACKS 10

/* Points into the bytes that were read. */
typedef struct CnBlockTiles {
    uint32_t count;       /* layers */
    const uint8_t *holes; /* for each layer 1 if it has pixels with alpha below 128, otherwise 0 */
    /* Of each level, 4 bytes a pixel, rows from the upper left, layer after layer. */
    const uint8_t *color[CN_TILE_LEVELS]; /* sRGB and alpha */
    const uint8_t
        *detail[CN_TILE_LEVELS]; /* normal x (right) and y (up) around 128; roughness; glow */
} CnBlockTiles;

CN_API bool cn_block_tiles_read(const uint8_t *bytes, size_t size, CnBlockTiles *textures,
                                CnError *error);

CN_EXTERN_C_END

#endif
