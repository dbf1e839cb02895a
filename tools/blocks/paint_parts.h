/*
 * What painters share: a canvas with colours and heights, shades, tiling noise.
 */
#ifndef CAIRN_TOOLS_BLOCKS_PAINT_PARTS_H
#define CAIRN_TOOLS_BLOCKS_PAINT_PARTS_H

#include "paint.h"

#include <stddef.h>

typedef enum PaintBark {
    PAINT_BARK_FURROWED, /* long upright ridges */
    PAINT_BARK_WHITE,    /* pale with dark marks across */
    PAINT_BARK_SCALED,   /* plates */
    PAINT_BARK_SMOOTH,
    PAINT_BARK_BANDED, /* lines across */
    PAINT_BARK_RINGED  /* rings that old leaves leave */
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

/* ---- Canvas: 16 x 16, from the upper left; x and y wrap around ---- */

struct Canvas {
    uint8_t color[PAINT_SIZE][PAINT_SIZE][4]; /* sRGB and alpha, [y][x] */
    uint8_t height[PAINT_SIZE][PAINT_SIZE];   /* 128 is the face */
    uint8_t rough[PAINT_SIZE][PAINT_SIZE];
    uint8_t glow[PAINT_SIZE][PAINT_SIZE];
    uint32_t seed; /* of the tile's name: what hashes begin with */
};

/* Six shades, 0 the darkest, 3 the colour itself: shadows turn to violet, lights to yellow. */
#define SHADES 6
typedef struct Ramp {
    uint32_t shade[SHADES];
} Ramp;
Ramp ramp_of(uint32_t color, uint32_t contrast);
uint32_t mix_color(uint32_t a, uint32_t b, uint32_t part); /* part of 256 of b */

void put(Canvas *c, int x, int y, uint32_t color); /* opaque */
void put_shade(Canvas *c, int x, int y, const Ramp *ramp,
               int shade); /* clamped; height follows it */
void erase(Canvas *c, int x, int y);
uint32_t get_color(const Canvas *c, int x, int y);
bool is_filled(const Canvas *c, int x, int y);
void fill_rough(Canvas *c, uint8_t rough);
void set_height(Canvas *c, int x, int y, int height);
void set_rough(Canvas *c, int x, int y, int rough);
void set_glow(Canvas *c, int x, int y, int glow);
/* Darker by a part of 256, or lighter when it is below 0. */
void shade_pixel(Canvas *c, int x, int y, int part);
/* One pixel for each letter of the rows: '0' to '5' shades of the first ramp, 'a' to 'f' of the second,
 * 'A' to 'F' of the third, '-' a hole; all others leave what is there. */
void draw_sprite(Canvas *c, int left, int top, const char *const *rows, int row_count,
                 const Ramp *ramps);

/* ---- Noise that repeats after 16 pixels ---- */

uint32_t hash2(uint32_t seed, int x, int y);
/* Values of a lattice of cells_x by cells_y (powers of two up to 16), smoothly between: 0 to 255. */
int smooth_noise(uint32_t seed, int x, int y, int cells_x, int cells_y);
/* The nearest of one point in each of cells x cells cells. */
typedef struct NearPoint {
    int id;            /* of the cell, 0 to cells^2 - 1 */
    int near, further; /* distances to it and to the second, in 1/16 pixels */
    int dx, dy;        /* from the point, in 1/16 pixels */
} NearPoint;
NearPoint near_point(uint32_t seed, int x, int y, int cells);

/* ---- Surfaces and layouts that several painters use ---- */

/* Where a pixel is in the brick, board or slab around it. */
typedef struct Brick {
    int id;                  /* of the brick in the tile */
    int x, y, width, height; /* of the pixel in it; joints lie in the last column and row */
    bool joint;              /* the pixel is the joint beside or below the brick */
    bool lit, dark;          /* it is on the upper or left edge, or on the lower or right */
} Brick;
/* Rows of bricks of one size, every other one moved by `shift`. */
Brick brick_at(int x, int y, int width, int height, int shift);
Brick ashlar_at(int x, int y); /* of different sizes */

/* Natural stone, `delta` shades lighter. `seed` is that of the stone, so that it goes on over bricks. */
void stone_pixel(Canvas *c, const PaintMaterial *stone, int x, int y, int delta);
void stone_fill(Canvas *c, const PaintMaterial *stone);
/* Dirt, sand and the like: lumps of a few pixels. */
void soil_fill(Canvas *c, uint32_t color, uint32_t contrast);
/* Boards along x, one above the other, with grain and joints. */
void planks_fill(Canvas *c, uint32_t color, uint32_t contrast);
/* The grain of wood along x. */
int grain_shade(uint32_t seed, int x, int y);
/* A raised frame of one pixel, lit from the upper left. */
void draw_frame(Canvas *c, int left, int top, int right, int bottom, const Ramp *ramp, int light,
                int dark);
/* `count` jagged lines down the tile, darker by `part` of 256. */
void draw_cracks(Canvas *c, uint32_t seed, int count, int part);
/* Moss on about `part` of 256 of the pixels, most of it in what lies low. */
void draw_moss(Canvas *c, uint32_t seed, int part);

/* ---- Pictures for the GPU: paint_image.c ---- */

#define TILE_BYTES ((256 + 64 + 16 + 4 + 1) * 4) /* of all levels, the largest first */
typedef struct TileImage {
    uint8_t color[TILE_BYTES];  /* sRGB and alpha */
    uint8_t detail[TILE_BYTES]; /* normal x and y around 128, roughness, glow */
    bool has_holes;
} TileImage;
void tile_image_make(const Canvas *canvas, TileImage *image);

/* ---- Painters ---- */

/* A shape of a family: the names of its tiles are `before`, the material's name, `after`. */
typedef struct PaintShape {
    const char *before, *after; /* an `after` of NULL ends a list */
    void (*paint)(Canvas *c, const PaintMaterial *material);
} PaintShape;
extern const PaintShape wood_shapes[], stone_shapes[], color_shapes[], metal_shapes[], gem_shapes[];
void paint_leaves(Canvas *c, const PaintMaterial *wood);
void paint_blossoms(Canvas *c, const PaintMaterial *wood);
void paint_sapling(Canvas *c, const PaintMaterial *wood);
void paint_snowy_leaves(Canvas *c, const PaintSingle *single);
/* One of the ten stages of breaking. */
void paint_crack(Canvas *c, int stage);
void paint_ore(Canvas *c, const PaintMaterial *ore, const PaintMaterial *host);

/* False: nobody paints this name. */
bool paint_by_name(Canvas *c, const char *name);
/* Of a list that ends with a name of NULL; NULL: it is not there. */
const PaintMaterial *find_material(const PaintMaterial *list, const char *name, size_t length);

#endif
