/*
 * Block tiles: the texture array of a game's blocks.
 *
 *     CnBlockTiles tiles;
 *     CnError error = {0};
 *     if (cn_block_tiles_read(bytes, size, &tiles, &error))
 *         for (uint32_t level = 0; level < CN_TILE_LEVELS; level++) {
 *             uint32_t edge = CN_TILE_SIZE >> level;
 *             fwrite(tiles.color[level], 4, (size_t)tiles.count * edge * edge, file);
 *         }
 *
 * Crafty's build paints such a file: generated/blocks/blocks.tiles in the build folder.
 * docs/formats.md describes the format. `side`, `bottom` and `top` of a CnBlockInfo are layers of
 * the array; the crack stages are layers of it, too.
 */
#ifndef CAIRN_VOXEL_TILES_H
#define CAIRN_VOXEL_TILES_H

#include <cairn/base/error.h>

CN_EXTERN_C_BEGIN

#define CN_TILE_SIZE 16
#define CN_TILE_LEVELS 5 /* 16, 8, 4, 2, 1 pixels */
#define CN_TILE_MAX 2048
/* Layers of the crack overlay of a block that is being broken: stages 0 to 9. */
#define CN_TILE_CRACK 0
#define CN_TILE_CRACKS 10

/* The pointers refer to the bytes passed to cn_block_tiles_read. */
typedef struct CnBlockTiles {
    uint32_t count;       /* layers */
    const uint8_t *holes; /* per layer: 1 if it has pixels with alpha below 128, otherwise 0 */
    /* Per mip level: 4 bytes per pixel, rows from the top left, layer after layer. */
    const uint8_t *color[CN_TILE_LEVELS]; /* sRGB and alpha */
    const uint8_t
        *detail[CN_TILE_LEVELS]; /* normal x (right) and y (up) around 128; roughness; glow */
} CnBlockTiles;

/* Reads a tile file. Returns false and sets `error` if the bytes are not a valid file. `bytes` must
 * outlive `textures`. */
CN_API bool cn_block_tiles_read(const uint8_t *bytes, size_t size, CnBlockTiles *textures,
                                CnError *error);

CN_EXTERN_C_END

#endif
