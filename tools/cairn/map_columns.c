/* Maps from above: ground, biomes and heights, with hill shading. */
#include "map.h"

#include <cairn/base/math.h>
#include <cairn/voxel/block.h>

#include <stdlib.h>

#define TILE 64u
#define BORDER (TILE + 2u)

typedef struct Tile {
    CnColumn columns[BORDER * BORDER]; /* with a border of one column */
    int32_t scale;
} Tile;

typedef MapColor (*ColorFn)(Map *map, const CnColumn *column);

MapColor map_biome_color(CnBiome biome)
{
    static const MapColor colors[CN_BIOME_COUNT] = {
        [CN_BIOME_GRASSY_PLAINS] = {141, 190, 85},
        [CN_BIOME_FOREST] = {58, 126, 52},
        [CN_BIOME_SAVANNA] = {189, 178, 95},
        [CN_BIOME_DESERT] = {237, 215, 140},
        [CN_BIOME_JUNGLE] = {38, 150, 45},
        [CN_BIOME_SWAMP] = {83, 106, 65},
        [CN_BIOME_TAIGA] = {49, 104, 92},
        [CN_BIOME_SNOWY_PLAINS] = {232, 240, 244},
        [CN_BIOME_SNOWY_MOUNTAINS] = {176, 197, 216},
        [CN_BIOME_ROCKY_MOUNTAINS] = {139, 136, 130},
        [CN_BIOME_BADLANDS] = {202, 106, 54},
        [CN_BIOME_CHERRY_GROVE] = {240, 160, 196},
        [CN_BIOME_MUSHROOM_FIELDS] = {142, 98, 150},
    };
    return colors[biome];
}

static MapColor mix(MapColor a, MapColor b, float t)
{
    return (MapColor){(uint8_t)((float)a.r + t * (float)(b.r - a.r)),
                      (uint8_t)((float)a.g + t * (float)(b.g - a.g)),
                      (uint8_t)((float)a.b + t * (float)(b.b - a.b))};
}

static float clamp(float x, float low, float high)
{
    return x < low ? low : x > high ? high : x;
}

MapColor map_shaded(MapColor color, float light)
{
    return (MapColor){(uint8_t)clamp((float)color.r * light, 0, 255),
                      (uint8_t)clamp((float)color.g * light, 0, 255),
                      (uint8_t)clamp((float)color.b * light, 0, 255)};
}

MapColor map_water_color(int32_t ground)
{
    float depth = clamp((float)(CN_SEA_LEVEL - ground) / 30.0f, 0, 1);
    return mix((MapColor){96, 160, 205}, (MapColor){24, 56, 112}, depth);
}

/* ---- Color of a column ---- */

static MapColor color_of_ground(Map *map, const CnColumn *column)
{
    const uint8_t *color = cn_block_info(map->blocks, column->top)->color;
    return column->underwater ? map_water_color(column->ground)
                              : (MapColor){color[0], color[1], color[2]};
}

static MapColor color_of_biome(Map *map, const CnColumn *column)
{
    MapColor color = map_biome_color(column->biome);
    map->biomes[column->biome]++;
    return column->underwater ? mix(color, map_water_color(column->ground), 0.75f) : color;
}

/* Green lowlands, brown hills, white tops. */
static MapColor color_of_height(Map *map, const CnColumn *column)
{
    static const struct {
        float height;
        MapColor color;
    } steps[] = {{15, {214, 205, 150}}, {18, {120, 165, 88}},  {40, {178, 186, 110}},
                 {70, {176, 138, 90}},  {110, {134, 104, 84}}, {150, {172, 168, 164}},
                 {200, {250, 250, 252}}};
    (void)map;
    if (column->underwater)
        return map_water_color(column->ground);
    uint32_t i = 0;
    while (i + 2 < CN_COUNT_OF(steps) && column->height > steps[i + 1].height)
        i++;
    float part = (column->height - steps[i].height) / (steps[i + 1].height - steps[i].height);
    return mix(steps[i].color, steps[i + 1].color, clamp(part, 0, 1));
}

/* ---- Shading ---- */

/* The sun is in the north-west at 45 degrees; hills are exaggerated. */
static float light_on(const Tile *tile, uint32_t at)
{
    const CnColumn *column = &tile->columns[at];
    if (column->underwater)
        return 1;
    float over = 1.6f / (2.0f * (float)tile->scale);
    float along_x = (column[1].height - column[-1].height) * over;
    float along_z = (column[BORDER].height - column[-(int)BORDER].height) * over;
    float length = cn_sqrtf(along_x * along_x + along_z * along_z + 1.0f);
    float facing = (1.0f + 0.7f * along_x + 0.7f * along_z) / (length * 1.407f);
    return 0.45f + 0.78f * clamp(facing, 0, 1);
}

static void draw_tile(Map *map, Tile *tile, uint32_t x, uint32_t z, ColorFn color)
{
    int32_t half = (int32_t)map->size / 2, scale = map->scale;
    CnColumnGrid grid = {.x = map->x + ((int32_t)x - half - 1) * scale,
                         .z = map->z + ((int32_t)z - half - 1) * scale,
                         .step = scale,
                         .count = BORDER};
    cn_generate_columns(map->generator, map->scratch, &grid, tile->columns);
    tile->scale = scale;
    for (uint32_t k = 0; k < TILE && z + k < map->size; k++)
        for (uint32_t i = 0; i < TILE && x + i < map->size; i++) {
            uint32_t at = i + 1 + BORDER * (k + 1);
            map->pixels[x + i + (size_t)map->stride * (z + k)] =
                map_shaded(color(map, &tile->columns[at]), light_on(tile, at));
        }
}

static void draw_columns(Map *map, ColorFn color)
{
    static Tile tile;
    for (uint32_t z = 0; z < map->size; z += TILE) {
        for (uint32_t x = 0; x < map->size; x += TILE)
            draw_tile(map, &tile, x, z, color);
        if (map->progress)
            map->progress((double)(z + TILE) / map->size, map->user);
    }
}

void map_draw_ground(Map *map)
{
    draw_columns(map, color_of_ground);
}

void map_draw_biomes(Map *map)
{
    draw_columns(map, color_of_biome);
}

void map_draw_heights(Map *map)
{
    draw_columns(map, color_of_height);
}
