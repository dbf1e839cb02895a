/*
 * Shared by the painters: a canvas with colors and heights, shades, tiling noise.
 */
#ifndef CAIRN_TOOLS_BLOCKS_PAINT_PARTS_H
#define CAIRN_TOOLS_BLOCKS_PAINT_PARTS_H

#include "paint.h"

#include <stddef.h>

typedef enum PaintBark {
    PAINT_BARK_FURROWED, /* vertical ridges */
    PAINT_BARK_WHITE,    /* pale with dark horizontal marks */
    PAINT_BARK_SCALED,   /* plates */
    PAINT_BARK_SMOOTH,
    PAINT_BARK_BANDED, /* horizontal lines */
    PAINT_BARK_RINGED  /* leaf scar rings */
} PaintBark;
typedef enum PaintLeaves {
    PAINT_LEAVES_BROAD,
    PAINT_LEAVES_NEEDLES,
    PAINT_LEAVES_LONG
} PaintLeaves;
typedef enum PaintStone {
    PAINT_STONE_PLAIN,
    PAINT_STONE_GRAINED,
    PAINT_STONE_VEINED,
    PAINT_STONE_LAYERED,
    PAINT_STONE_COLUMNS,
    PAINT_STONE_GLASSY
} PaintStone;
typedef enum PaintOre { PAINT_ORE_LUMPS, PAINT_ORE_SPECKS, PAINT_ORE_GEMS } PaintOre;

/* ---- Canvas: 16 x 16, from the top left; x and y wrap around ---- */

struct Canvas {
    uint8_t color[PAINT_SIZE][PAINT_SIZE][4]; /* sRGB and alpha, [y][x] */
    uint8_t height[PAINT_SIZE][PAINT_SIZE];   /* 128 is the surface */
    uint8_t rough[PAINT_SIZE][PAINT_SIZE];
    uint8_t glow[PAINT_SIZE][PAINT_SIZE];
    uint32_t seed; /* hash of the tile's name; starts all hashes */
};

/* Six shades, 0 the darkest, 3 the color itself: shadows shift to violet, lights to yellow. */
#define SHADES 6
typedef struct Ramp {
    uint32_t shade[SHADES];
} Ramp;
Ramp ramp_of(uint32_t color, uint32_t contrast);
uint32_t mix_color(uint32_t a, uint32_t b, uint32_t part); /* `part` of 256 of b */

void put(Canvas *c, int x, int y, uint32_t color); /* opaque */
void put_shade(Canvas *c, int x, int y, const Ramp *ramp,
               int shade); /* clamped; also sets the height */
void erase(Canvas *c, int x, int y);
uint32_t get_color(const Canvas *c, int x, int y);
bool is_filled(const Canvas *c, int x, int y);
void fill_rough(Canvas *c, uint8_t rough);
void set_height(Canvas *c, int x, int y, int height);
void set_rough(Canvas *c, int x, int y, int rough);
void set_glow(Canvas *c, int x, int y, int glow);
/* Darkens by `part` of 256, or lightens if it is negative. */
void shade_pixel(Canvas *c, int x, int y, int part);
/* Draws one pixel per character: '0' to '5' are shades of the first ramp, 'a' to 'f' of the second,
 * 'A' to 'F' of the third, '-' is a hole; all other characters leave the pixel unchanged. */
void draw_sprite(Canvas *c, int left, int top, const char *const *rows, int row_count,
                 const Ramp *ramps);

/* ---- Noise with a period of 16 pixels ---- */

uint32_t hash2(uint32_t seed, int x, int y);
/* Interpolates a lattice of cells_x by cells_y values (powers of two up to 16) smoothly: 0 to
 * 255. */
int smooth_noise(uint32_t seed, int x, int y, int cells_x, int cells_y);
/* The nearest of the points of a grid of cells x cells cells, one point each. */
typedef struct NearPoint {
    int id;            /* of the cell, 0 to cells^2 - 1 */
    int near, further; /* distances to it and to the second nearest, in 1/16 pixels */
    int dx, dy;        /* from the point, in 1/16 pixels */
} NearPoint;
NearPoint near_point(uint32_t seed, int x, int y, int cells);

/* ---- Shared surfaces and layouts ---- */

/* Position of a pixel in the brick, board or slab around it. */
typedef struct Brick {
    int id;                  /* of the brick in the tile */
    int x, y, width, height; /* of the pixel in it; joints are in the last column and row */
    bool joint;              /* the pixel is in the joint beside or below the brick */
    bool lit, dark;          /* on the top or left edge, or on the bottom or right edge */
} Brick;
/* Rows of equal bricks, every other row shifted by `shift`. */
Brick brick_at(int x, int y, int width, int height, int shift);
Brick ashlar_at(int x, int y); /* of different sizes */

/* Natural stone, `delta` shades lighter. `seed` is that of the stone, so that its pattern continues
 * across bricks. */
void stone_pixel(Canvas *c, const PaintMaterial *stone, int x, int y, int delta);
void stone_fill(Canvas *c, const PaintMaterial *stone);
/* Dirt, sand and similar: lumps of a few pixels. */
void soil_fill(Canvas *c, uint32_t color, uint32_t contrast);
/* Horizontal boards with grain and joints. */
void planks_fill(Canvas *c, uint32_t color, uint32_t contrast);
/* Returns the shade of horizontal wood grain. */
int grain_shade(uint32_t seed, int x, int y);
/* A raised frame of one pixel, lit from the top left. */
void draw_frame(Canvas *c, int left, int top, int right, int bottom, const Ramp *ramp, int light,
                int dark);
/* `count` jagged vertical lines, darker by `part` of 256. */
void draw_cracks(Canvas *c, uint32_t seed, int count, int part);
/* Moss on about `part` of 256 of the pixels, mostly on low ones. */
void draw_moss(Canvas *c, uint32_t seed, int part);

/* ---- GPU images: paint_image.c ---- */

#define TILE_BYTES ((256 + 64 + 16 + 4 + 1) * 4) /* all levels, largest first */
typedef struct TileImage {
    uint8_t color[TILE_BYTES];  /* sRGB and alpha */
    uint8_t detail[TILE_BYTES]; /* normal x and y around 128, roughness, glow */
    bool has_holes;
} TileImage;
void tile_image_make(const Canvas *canvas, TileImage *image);

/* ---- Painters ---- */

/* A shape of a family: its tiles are named `before`, the material's name, `after`. */
typedef struct PaintShape {
    const char *before, *after; /* `after` NULL ends a list */
    void (*paint)(Canvas *c, const PaintMaterial *material);
} PaintShape;
extern const PaintShape wood_shapes[], stone_shapes[], color_shapes[], metal_shapes[], gem_shapes[];
extern const PaintShape door_shapes[], metal_door_shapes[], bed_shapes[]; /* paint_furniture.c */
void paint_leaves(Canvas *c, const PaintMaterial *wood);
void paint_blossoms(Canvas *c, const PaintMaterial *wood);
void paint_sapling(Canvas *c, const PaintMaterial *wood);
void paint_snowy_leaves(Canvas *c, const PaintSingle *single);
/* Paints one of the ten crack stages. */
void paint_crack(Canvas *c, int stage);
void paint_ore(Canvas *c, const PaintMaterial *ore, const PaintMaterial *host);

/* Returns false if there is no such tile. */
bool paint_by_name(Canvas *c, const char *name);
/* Searches a list that ends with a NULL name. Returns NULL if there is no such material. */
const PaintMaterial *find_material(const PaintMaterial *list, const char *name, size_t length);

#endif
