/*
 * The block table under construction: special blocks from block_metadata.json, in its order, then
 * the family blocks by name, then the shaped blocks. The faces of a block show tiles, which paint.h
 * paints by name; the number of a tile is its layer in the texture array.
 */
#ifndef CRAFTY_BLOCKS_BLOCKS_H
#define CRAFTY_BLOCKS_BLOCKS_H

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
    MATERIAL_AIR, /* a prop without tiles */
    MATERIAL_COUNT
} Material;

typedef enum Surface {
    SURFACE_STONE,
    SURFACE_GRASS,
    SURFACE_SAND,
    SURFACE_WOOD,
    SURFACE_COUNT
} Surface;

/* As in cairn/voxel/block.h. */
enum { LOOK_TURNS = 1, LOOK_MIRRORS = 2, LOOK_CLIMATE = 4, LOOK_FOLIAGE = 8, LOOK_DEFAULT = -1 };

#define BOX_MAX 8
/* Boxes in 1/16 of a block: x, y, z of the lower corner, then of the upper one. */
typedef struct Boxes {
    int count; /* 0: the block fills its cell */
    uint8_t boxes[BOX_MAX][6];
} Boxes;

typedef struct Block {
    char name[BLOCK_NAME_BYTES];  /* "stone_bricks" */
    char title[BLOCK_NAME_BYTES]; /* "Stone Bricks" */
    int line;                     /* in block_metadata.json; 0 for a family block */
    /* Side, bottom, top, front; without a front, the last one is empty and has layer 0. */
    char tiles[4][BLOCK_NAME_BYTES];
    int layers[4];
    Boxes boxes;
    int facing; /* of the front: 0 none, then north, east, south, west */
    bool is_climbable;
    uint8_t tint[3];  /* sRGB */
    uint8_t color[3]; /* mean of the tinted top tile, sRGB */
    Material material;
    Surface surface;
    uint8_t light_level, light_loss;
    int appearance; /* LOOK_ bits; LOOK_DEFAULT: depends on material and surface */
    bool emits_light, collidable, placeable, replaceable, stacks, stands_on_water;
    double hardness, light_color[3], light_intensity, light_radius;
} Block;

#define ITEM_MAX 512
#define SKIN_MAX 128
typedef struct ItemTile {
    char name[BLOCK_NAME_BYTES];
    int layer;
} ItemTile;

typedef struct BlockSet {
    Block blocks[BLOCK_MAX];
    uint32_t count;
    uint32_t special_count; /* they come first */
    int tile_count;
    ItemTile items[ITEM_MAX]; /* with a tile of their own */
    uint32_t item_count;
    ItemTile skins[SKIN_MAX]; /* of creatures */
    uint32_t skin_count;
    int font_layer; /* the first layer of the characters of signs */
} BlockSet;

/* ---- block_set.c ---- */

/* Adds a block with the most common values: opaque, stone, hardness 1, no tint. Returns NULL if
 * there are too many. */
Block *set_add(BlockSet *set, const char *name);
/* Returns the block with this name, or NULL. */
Block *set_find(BlockSet *set, const char *name);
/* Sets the tile of all faces. */
void set_tile(Block *block, const char *name);
/* Returns whether the name consists of lower-case letters, digits and _ between them, and is short
 * enough. */
bool name_is_good(const char *name);
/* Converts "stone_bricks" to "Stone Bricks". */
void title_of(const char *name, char title[BLOCK_NAME_BYTES]);
/* Prints "file:line: message" to stderr and returns false. A line of 0 is omitted. */
bool report_error(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- metadata.c ---- */

/* Adds the special blocks of the file. Reports all errors in it and returns false if there are
 * any. */
bool metadata_read(BlockSet *set, const char *path);

/* ---- families.c ---- */

/* Adds the family blocks whose names no special block has, sorted by name. */
bool families_add(BlockSet *set);

/* ---- shaped_blocks.c ---- */

/* Adds the blocks with directions, halves or boxes, after all others. */
bool shaped_blocks_add(BlockSet *set);
/* Turns boxes clockwise, seen from above. */
Boxes boxes_turned(const Boxes *boxes, int turns);

/* ---- grown_blocks.c ---- */

/* Adds young crops, snow, fire and fences, after the shaped blocks. */
bool grown_blocks_add(BlockSet *set);

/* ---- block_faces.c ---- */

/* Paints the tiles of all blocks, items, characters and skins: fills in layers, tile_count and the
 * mean colors, and writes the texture array. Reports errors, including unknown tiles, and returns
 * false if there are any. */
bool faces_paint(BlockSet *set, const char *metadata_path, const char *texture_path);

/* ---- write_tables.c ---- */

/* Write the numbers for tests, and the properties that the game registers. */
bool numbers_write(const BlockSet *set, const char *path);
bool table_write(const BlockSet *set, const char *path);
/* Sorts items and skins by name and writes the layers of their tiles, and those of characters. */
bool item_tiles_write(BlockSet *set, const char *path);

#endif
