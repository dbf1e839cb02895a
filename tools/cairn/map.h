/* Maps of generated worlds: what they show of a seed, as pictures. */
#ifndef TOOLS_CAIRN_MAP_H
#define TOOLS_CAIRN_MAP_H

#include <cairn/voxel/generate.h>

typedef struct MapColor {
    uint8_t r, g, b;
} MapColor;

/* One picture: square, `size` pixels, rows `stride` pixels apart. */
typedef struct Map {
    CnGenerator *generator;
    CnGenerateScratch *scratch;
    bool eroded; /* the generator's heights */
    MapColor *pixels;
    uint32_t stride, size;
    int32_t x, z;  /* of the middle */
    int32_t y;     /* of the slice of caves, and within the layer of ores */
    int32_t scale; /* blocks a pixel, of what is known of columns without their blocks */
    uint64_t biomes[CN_BIOME_COUNT]; /* pixels of each */
    /* Of the whole drawing, from 0 to 1. May be NULL. */
    void (*progress)(double part, void *user);
    void *user;
} Map;

MapColor map_biome_color(CnBiome biome);
MapColor map_water_color(int32_t ground);
/* 1: as it is. */
MapColor map_shaded(MapColor color, float light);

/* map_columns.c: from above, `scale` blocks a pixel. */
void map_draw_ground(Map *map);
void map_draw_biomes(Map *map);
void map_draw_heights(Map *map);
/* map_blocks.c: one block a pixel. */
bool map_draw_roofs(Map *map); /* what stands on the ground, too; false: out of memory */
void map_draw_caves(Map *map);
void map_draw_ores(Map *map);
void map_draw_section(Map *map);

#endif
