/*
 * The texture array of an open world: the standard tiles, and after them the textures of its mods.
 *
 *     CraftyWorldTiles *tiles = crafty_world_tiles_create(NULL, mods, &error);
 *     size_t size;
 *     const uint8_t *bytes = crafty_world_tiles_bytes(tiles, &size); // for CnBlockViewDesc
 *     crafty_world_tiles_destroy(tiles);
 *
 * Textures of mods are foreign: the helper process decodes them (cairn/vfs/decoder.h), and files
 * and images that are too large are refused before. A texture that cannot be loaded is magenta and
 * black, and has a problem that says why, which is logged, too. Loading waits for the helper, so
 * call it on a thread that may wait.
 */
#ifndef CRAFTY_CLIENT_WORLD_TILES_H
#define CRAFTY_CLIENT_WORLD_TILES_H

#include "crafty/sim/mod/mods.h"

#include <cairn/voxel/tiles.h>

typedef struct CraftyWorldTiles CraftyWorldTiles;

/* `mods` may be NULL: the standard tiles; otherwise it must outlive the tiles. Returns NULL and an
 * error only when out of memory. */
CraftyWorldTiles *crafty_world_tiles_create(CnAllocator *allocator, const CraftyMods *mods,
                                            CnError *error);
/* NULL is ignored. */
void crafty_world_tiles_destroy(CraftyWorldTiles *tiles);

/* Returns the contents of a tile file, valid until the next reload. */
const uint8_t *crafty_world_tiles_bytes(const CraftyWorldTiles *tiles, size_t *size);
const CnBlockTiles *crafty_world_tiles(const CraftyWorldTiles *tiles);

/* Textures that could not be loaded, in the order of their layers. */
uint32_t crafty_world_tiles_problem_count(const CraftyWorldTiles *tiles);
/* Returns why, with the file. */
const CnError *crafty_world_tiles_problem(const CraftyWorldTiles *tiles, uint32_t index);

/* Loads the textures whose files have changed since they were loaded. Returns how many did; then
 * the bytes are others. */
uint32_t crafty_world_tiles_reload(CraftyWorldTiles *tiles);

#endif
