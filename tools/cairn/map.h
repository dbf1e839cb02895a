/* Maps of generated worlds, as images. */
#ifndef TOOLS_CAIRN_MAP_H
#define TOOLS_CAIRN_MAP_H

#include <cairn/voxel/generate.h>

typedef struct MapColor {
    uint8_t r, g, b;
} MapColor;

#define MAP_ORES 8u

/* A square image of `size` pixels, with rows `stride` pixels apart. */
typedef struct Map {
    CnBlockTable *blocks;
    CnBlock ores[MAP_ORES]; /* the rarest first */
    CnGenerator *generator;
    CnGenerateScratch *scratch;
    bool eroded; /* uses the generator's eroded heights */
    MapColor *pixels;
    uint32_t stride, size;
    int32_t x, z;                    /* of the center */
    int32_t y;                       /* of the cave slice, and within the ore layer */
    int32_t scale;                   /* blocks per pixel, for maps that are drawn from columns */
    uint64_t biomes[CN_BIOME_COUNT]; /* pixels of each */
    /* Progress of the whole drawing, 0 to 1. May be NULL. */
    void (*progress)(double part, void *user);
    void *user;
} Map;

MapColor map_biome_color(CnBiome biome);
MapColor map_water_color(int32_t ground);
/* Scales a color by the light; 1 leaves it unchanged. */
MapColor map_shaded(MapColor color, float light);

/* map_columns.c: from above, `scale` blocks per pixel. */
void map_draw_ground(Map *map);
void map_draw_biomes(Map *map);
void map_draw_heights(Map *map);
/* map_blocks.c: one block per pixel. */
bool map_draw_roofs(Map *map); /* includes trees and buildings; false: out of memory */
void map_draw_caves(Map *map);
void map_draw_ores(Map *map);
void map_draw_section(Map *map);

#endif
