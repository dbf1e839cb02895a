/* Snow and ice: by biome, weather and time. */
#include "day.h"
#include "growth_internal.h"

#include "weather.h"

#define WARM_LIGHT 11u /* of blocks */
#define MELT_CHANCE 3u

/* Biomes with snow all year. */
static bool is_frozen(CnBiome biome)
{
    return biome == CN_BIOME_SNOWY_PLAINS || biome == CN_BIOME_SNOWY_MOUNTAINS;
}

/* In cold biomes without eternal snow, the sun melts it on clear days. */
static bool is_thawing(const CraftyGrowing *growing)
{
    const CraftyWeather *weather = cn_resource(growing->world, CraftyWeather);
    float hours = crafty_day_hours(growing->world);
    return weather && weather->rain + weather->snow < 0.02f && hours > 7.5f && hours < 17;
}

void crafty_melt(CraftyGrowing *growing, CnCell cell, CnBlock block)
{
    CnBiome biome = crafty_growing_biome(growing, cell);
    if (!crafty_growing_chance(growing, MELT_CHANCE))
        return;
    bool melts = !crafty_growing_is_cold(biome) || (!is_frozen(biome) && is_thawing(growing));
    if (!melts && crafty_growing_block_light(growing, crafty_cell_at(cell, 0, 1, 0)) < WARM_LIGHT)
        return;
    CnBlock rest = block == growing->rules->ice ? (CnBlock)CN_BLOCK_WATER : (CnBlock)CN_BLOCK_AIR;
    if (crafty_growing_set(growing, cell, rest))
        growing->totals->melted++;
}

/* ---- Freezing ---- */

static bool may_freeze(const CraftyGrowing *growing, CnBiome biome)
{
    return is_frozen(biome) || !is_thawing(growing);
}

/* Ice begins at the shore and grows from there. */
static bool has_shore(const CraftyGrowing *growing, CnCell cell)
{
    static const int8_t sides[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    for (uint32_t i = 0; i < 4; i++)
        if (!cn_water_level(
                crafty_growing_get(growing, crafty_cell_at(cell, sides[i][0], 0, sides[i][1]))))
            return true;
    return false;
}

static void put(CraftyGrowing *growing, CnCell cell, CnBlock block)
{
    if (block != CN_BLOCK_AIR && crafty_growing_set(growing, cell, block))
        growing->totals->frozen++;
}

void crafty_freeze(CraftyGrowing *growing, int32_t x, int32_t z)
{
    const CnBlockTable *table = cn_voxels_blocks(growing->voxels);
    CnCell place = {x, 0, z};
    CnBiome biome = crafty_growing_biome(growing, place);
    if (!crafty_growing_is_cold(biome))
        return;
    CnCell top = {x, cn_voxels_height(growing->voxels, x, z), z};
    CnCell above = crafty_cell_at(top, 0, 1, 0);
    CnBlock ground = crafty_growing_get(growing, top);
    bool is_snow;
    if (crafty_growing_get(growing, above) != CN_BLOCK_AIR)
        return;
    if (ground == CN_BLOCK_WATER) {
        if (may_freeze(growing, biome) && has_shore(growing, top) &&
            crafty_growing_block_light(growing, above) < WARM_LIGHT)
            put(growing, top, growing->rules->ice);
        return;
    }
    const CnBlockInfo *info = cn_block_info(table, ground);
    bool carries = (table->flags[ground] & CN_BLOCK_COLLIDES) && !cn_block_shape(table, ground) &&
                   info->light_level == 0;
    if (!carries || crafty_growth_rule(growing->rules, ground)->is_white ||
        !crafty_growing_is_rained_on(growing, above, &is_snow) || !is_snow ||
        crafty_growing_block_light(growing, above) >= WARM_LIGHT)
        return;
    put(growing, above, growing->rules->snow_layer);
}
