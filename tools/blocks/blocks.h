/*
 * The table of blocks while it is made: special blocks from block_metadata.json, in its order, then those
 * of the families by name. A block's faces show tiles, which paint.h paints by name; the number of a tile is
 * its layer in the texture array.
 */
#ifndef TOOLS_BLOCKS_BLOCKS_H
#define TOOLS_BLOCKS_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define BLOCK_NAME_BYTES 48
#define BLOCK_MAX 4096

typedef enum Material {
    MATERIAL_OPAQUE,
    MATERIAL_SEMI,
    MATERIAL_WATER,
    MATERIAL_PROP,
    MATERIAL_AIR, /* a prop that has no tiles */
    MATERIAL_COUNT
} Material;

typedef enum Surface {
    SURFACE_STONE,
    SURFACE_GRASS,
    SURFACE_SAND,
    SURFACE_WOOD,
    SURFACE_COUNT
} Surface;

typedef struct Block {
    char name[BLOCK_NAME_BYTES];  /* "stone_bricks" */
    char title[BLOCK_NAME_BYTES]; /* "Stone Bricks" */
    int line;                     /* of block_metadata.json; 0: of a family */
    /* Side, bottom, top. */
    char tiles[3][BLOCK_NAME_BYTES];
    int layers[3];
    uint8_t tint[3];  /* sRGB */
    uint8_t color[3]; /* mean of the top tile, tinted, sRGB */
    Material material;
    Surface surface;
    uint8_t light_level, light_loss;
    bool emits_light, collidable, placeable, gives_way;
    double hardness, light_color[3], light_intensity, light_radius;
} Block;

typedef struct BlockSet {
    Block blocks[BLOCK_MAX];
    uint32_t count;
    uint32_t special_count; /* the first ones, which never move */
    int tile_count;
} BlockSet;

/* ---- set.c ---- */

/* A new block with what most have: opaque, of stone, hardness 1, no tint. NULL: there are too many. */
Block *set_add(BlockSet *set, const char *name);
/* The block of this name, or NULL. */
Block *set_find(BlockSet *set, const char *name);
/* All faces show the tile of this name. */
void set_tile(Block *block, const char *name);
/* Lower-case letters, digits and _ between them, short enough. */
bool name_is_good(const char *name);
/* "stone_bricks" becomes "Stone Bricks". */
void title_of(const char *name, char title[BLOCK_NAME_BYTES]);
/* "file:line: what is wrong" on stderr; returns false. line 0 is left out. */
bool complain(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- metadata.c ---- */

/* Adds the special blocks of the file; false after complaints about all that is wrong in it. */
bool metadata_read(BlockSet *set, const char *path);

/* ---- families.c ---- */

/* Adds the blocks of all families that no special block has the name of, ordered by name. */
bool families_add(BlockSet *set);

/* ---- faces.c ---- */

/* Paints the tiles of all blocks: fills in layers, tile_count and the mean colours, and writes the texture array.
 * False after complaints, also about tiles that nobody paints. */
bool faces_paint(BlockSet *set, const char *metadata_path, const char *texture_path);

/* ---- write.c ---- */

bool ids_write(const BlockSet *set, const char *path);
bool table_write(const BlockSet *set, const char *path);

#endif
