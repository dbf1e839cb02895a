/* Maps of generated blocks, one per pixel: caves, ores, a vertical section. */
#include "map.h"

#include <cairn/voxel/block.h>

#include <stdlib.h>

#define SIDE CN_CHUNK_SIZE

static const MapColor sky = {196, 220, 240}, hollow = {18, 14, 18}, sea = {52, 104, 168};

static MapColor color_of_block(const Map *map, CnBlock block)
{
    const uint8_t *color = cn_block_info(map->blocks, block)->color;
    return (MapColor){color[0], color[1], color[2]};
}

static bool is_water(const Map *map, CnBlock block)
{
    return map->blocks->flags[block] & CN_BLOCK_IS_WATER;
}

static bool is_air(const Map *map, CnBlock block)
{
    return map->blocks->flags[block] & CN_BLOCK_IS_AIR;
}

static MapColor *pixel(Map *map, int32_t x, int32_t row)
{
    bool inside = x >= 0 && row >= 0 && x < (int32_t)map->size && row < (int32_t)map->size;
    return inside ? &map->pixels[(size_t)x + (size_t)map->stride * (size_t)row] : NULL;
}

static void tell(Map *map, int32_t done, int32_t of)
{
    if (map->progress)
        map->progress((double)done / of, map->user);
}

/* ---- From above ---- */

typedef MapColor (*ColumnFn)(const Map *map, const CnBlock blocks[CN_CHUNK_BLOCKS],
                             const CnColumn *column, int32_t x, int32_t y, int32_t z);

static void draw_chunk(Map *map, int32_t chunk_x, int32_t chunk_z, ColumnFn color)
{
    static CnBlock blocks[CN_CHUNK_BLOCKS];
    CnColumn columns[SIDE * SIDE];
    int32_t half = (int32_t)map->size / 2, left = chunk_x * SIDE, front = chunk_z * SIDE;
    cn_generate_columns(map->generator, map->scratch,
                        &(CnColumnGrid){.x = left, .z = front, .step = 1, .count = SIDE}, columns);
    cn_generate(map->generator, map->scratch, cn_chunk_of((CnCell){left, map->y, front}), blocks);
    for (int32_t z = 0; z < SIDE; z++)
        for (int32_t x = 0; x < SIDE; x++) {
            MapColor *to = pixel(map, left + x - map->x + half, front + z - map->z + half);
            if (to)
                *to = color(map, blocks, &columns[x + SIDE * z], x, map->y, z);
        }
}

static void draw_chunks(Map *map, ColumnFn color)
{
    int32_t half = (int32_t)map->size / 2, last = (int32_t)map->size - 1;
    CnChunkPos from = cn_chunk_of((CnCell){map->x - half, map->y, map->z - half});
    CnChunkPos to = cn_chunk_of((CnCell){map->x - half + last, map->y, map->z - half + last});
    for (int32_t z = from.z; z <= to.z; z++) {
        for (int32_t x = from.x; x <= to.x; x++)
            draw_chunk(map, x, z, color);
        tell(map, z - from.z + 1, to.z - from.z + 1);
    }
}

static CnBlock block_in(const CnBlock *blocks, int32_t x, int32_t y, int32_t z)
{
    return blocks[cn_chunk_index((CnCell){x, y, z})];
}

/* Returns the color of the block in the slice; stone is gray, caves are dark. */
static MapColor color_of_cave(const Map *map, const CnBlock *blocks, const CnColumn *column,
                              int32_t x, int32_t y, int32_t z)
{
    CnBlock block = block_in(blocks, x, y, z);
    if (is_water(map, block))
        return sea;
    if (is_air(map, block))
        return y > column->ground ? sky : hollow;
    return color_of_block(map, block);
}

static const MapColor ore_colors[MAP_ORES] = {
    {70, 235, 235}, {40, 220, 90},   {255, 215, 40}, {235, 40, 40},
    {60, 90, 240},  {225, 190, 165}, {225, 125, 70}, {22, 22, 24},
};

/* Returns the color of the rarest ore in the sixteen blocks; without ore, darker the more blocks
 * are hollow. */
static MapColor color_of_ore(const Map *map, const CnBlock *blocks, const CnColumn *column,
                             int32_t x, int32_t y, int32_t z)
{
    uint32_t best = MAP_ORES;
    int32_t solid = 0;
    (void)column;
    for (int32_t j = 0; j < SIDE; j++) {
        CnBlock block = block_in(blocks, x, (y & ~(SIDE - 1)) + j, z);
        solid += !is_air(map, block) && !is_water(map, block);
        for (uint32_t i = 0; i < best; i++)
            if (block == map->ores[i])
                best = i;
    }
    uint8_t gray = (uint8_t)(60 + 4 * solid);
    return best < MAP_ORES ? ore_colors[best] : (MapColor){gray, gray, gray};
}

void map_draw_caves(Map *map)
{
    draw_chunks(map, color_of_cave);
}

void map_draw_ores(Map *map)
{
    draw_chunks(map, color_of_ore);
}

/* ---- Roofs: the highest block of each column ---- */

typedef struct Roofs {
    Map *map;
    int16_t *heights; /* of pixels */
} Roofs;

/* Draws one column of chunks, from the top down. */
static void draw_roofs(Roofs *roofs, int32_t chunk_x, int32_t chunk_z)
{
    static CnBlock blocks[CN_CHUNK_BLOCKS];
    Map *map = roofs->map;
    CnColumn columns[SIDE * SIDE];
    bool found[SIDE * SIDE] = {false};
    uint32_t left_over = SIDE * SIDE;
    int32_t half = (int32_t)map->size / 2, left = chunk_x * SIDE, front = chunk_z * SIDE;
    int32_t top = cn_generate_max_height(map->generator, map->scratch, chunk_x, chunk_z) - 1;
    cn_generate_columns(map->generator, map->scratch,
                        &(CnColumnGrid){.x = left, .z = front, .step = 1, .count = SIDE}, columns);
    for (int32_t y = top | (SIDE - 1); left_over && y >= CN_WORLD_BOTTOM; y--) {
        if ((y & (SIDE - 1)) == SIDE - 1)
            cn_generate(map->generator, map->scratch, cn_chunk_of((CnCell){left, y, front}),
                        blocks);
        for (int32_t i = 0; i < SIDE * SIDE; i++) {
            CnBlock block = block_in(blocks, i % SIDE, y, i / SIDE);
            if (found[i] || is_air(map, block))
                continue;
            int32_t x = left + i % SIDE - map->x + half, z = front + i / SIDE - map->z + half;
            MapColor *to = pixel(map, x, z);
            found[i] = true;
            left_over--;
            if (!to)
                continue;
            *to = is_water(map, block) ? map_water_color(columns[i].ground)
                                       : color_of_block(map, block);
            roofs->heights[(uint32_t)x + map->size * (uint32_t)z] = (int16_t)y;
        }
    }
}

/* A block above its north-western neighbor is lit, one below it is shaded. */
static void shade_roofs(const Roofs *roofs)
{
    Map *map = roofs->map;
    for (uint32_t z = map->size - 1; z > 0; z--)
        for (uint32_t x = map->size - 1; x > 0; x--) {
            const int16_t *height = &roofs->heights[x + map->size * z];
            int32_t step = 2 * height[0] - height[-1] - height[-(int32_t)map->size];
            step = step < -6 ? -6 : step > 4 ? 4 : step;
            MapColor *to = pixel(map, (int32_t)x, (int32_t)z);
            *to = map_shaded(*to, 1.0f + 0.05f * (float)step);
        }
}

bool map_draw_roofs(Map *map)
{
    Roofs roofs = {map, calloc((size_t)map->size * map->size, sizeof *roofs.heights)};
    if (!roofs.heights)
        return false;
    int32_t half = (int32_t)map->size / 2, last = (int32_t)map->size - 1;
    CnChunkPos from = cn_chunk_of((CnCell){map->x - half, 0, map->z - half});
    CnChunkPos to = cn_chunk_of((CnCell){map->x - half + last, 0, map->z - half + last});
    for (int32_t z = from.z; z <= to.z; z++) {
        for (int32_t x = from.x; x <= to.x; x++)
            draw_roofs(&roofs, x, z);
        tell(map, z - from.z + 1, to.z - from.z + 1);
    }
    shade_roofs(&roofs);
    free(roofs.heights);
    return true;
}

/* ---- A section: x to the right, y up, through the center ---- */

static MapColor color_of_section(const Map *map, CnBlock block, const CnColumn *column, int32_t y)
{
    if (is_water(map, block))
        return sea;
    if (is_air(map, block))
        return y > column->ground ? sky : hollow;
    return color_of_block(map, block);
}

void map_draw_section(Map *map)
{
    static CnBlock blocks[CN_CHUNK_BLOCKS];
    const int32_t size = (int32_t)map->size, left = map->x - size / 2, bottom = CN_WORLD_BOTTOM;
    const int32_t first = left >> 4, last = (left + size - 1) >> 4;
    for (int32_t cx = first; cx <= last; cx++) {
        CnColumn columns[SIDE * SIDE];
        cn_generate_columns(
            map->generator, map->scratch,
            &(CnColumnGrid){.x = cx * SIDE, .z = map->z & ~15, .step = 1, .count = SIDE}, columns);
        for (int32_t cy = bottom >> 4; cy <= (bottom + size - 1) >> 4; cy++) {
            cn_generate(map->generator, map->scratch, (CnChunkPos){cx, cy, map->z >> 4}, blocks);
            for (int32_t i = 0; i < SIDE * SIDE; i++) {
                CnCell cell = {cx * SIDE + i % SIDE, cy * SIDE + i / SIDE, map->z};
                MapColor *to = pixel(map, cell.x - left, size - 1 - (cell.y - bottom));
                if (to)
                    *to = color_of_section(map, blocks[cn_chunk_index(cell)],
                                           &columns[i % SIDE + SIDE * (map->z & 15)], cell.y);
            }
        }
        tell(map, cx - first + 1, last - first + 1);
    }
}
