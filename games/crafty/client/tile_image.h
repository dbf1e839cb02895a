/*
 * A tile of the texture array of blocks, made of an image of a mod.
 *
 *     CraftyTileImage tile;
 *     if (crafty_tile_image_make(&image, &tile, &error))
 *         memcpy(colors, tile.color, CRAFTY_TILE_LEVEL_BYTES(0)); // the largest level
 *
 * Images are 16, 32 or 64 pixels wide and high; larger ones than 16 are reduced. Levels are
 * averages in linear light, weighted by alpha; where a tile has holes, smaller levels keep the
 * share of the pixels that are drawn (docs/formats.md, block tiles).
 */
#ifndef CRAFTY_CLIENT_TILE_IMAGE_H
#define CRAFTY_CLIENT_TILE_IMAGE_H

#include <cairn/render/material.h>
#include <cairn/voxel/tiles.h>

#define CRAFTY_TILE_IMAGE_MAX 64u /* pixels */
#define CRAFTY_TILE_LEVEL_BYTES(level)                                                             \
    ((size_t)(CN_TILE_SIZE >> (level)) * (size_t)(CN_TILE_SIZE >> (level)) * 4)
#define CRAFTY_TILE_BYTES ((16 * 16 + 8 * 8 + 4 * 4 + 2 * 2 + 1) * 4)

typedef struct CraftyTileImage {
    uint8_t color[CRAFTY_TILE_BYTES]; /* levels, the largest first */
    bool has_holes;
} CraftyTileImage;

/* Returns false and an error if the size of the image is not allowed. */
bool crafty_tile_image_make(const CnImage *image, CraftyTileImage *tile, CnError *error);
/* A tile that is noticed: squares of magenta and black. */
void crafty_tile_image_missing(CraftyTileImage *tile);

#endif
