/* Crops and farmland. */
#include "growth_internal.h"

#define CROP_LIGHT 9u
#define WET_CHANCE 4u /* per stage on wet farmland */
#define DRY_CHANCE 12u
#define FORSAKEN_CHANCE 4u /* of dry farmland without a crop to become dirt */
#define WATER_REACH 4

void crafty_grow_crop(CraftyGrowing *growing, CnCell cell, CnBlock block)
{
    CnBlock under = crafty_growing_get(growing, crafty_cell_at(cell, 0, -1, 0));
    bool is_wet = under == growing->rules->farmland_wet;
    if (crafty_growth_rule(growing->rules, under)->kind != CRAFTY_GROWS_FARMLAND ||
        !crafty_growing_chance(growing, is_wet ? WET_CHANCE : DRY_CHANCE) ||
        crafty_growing_light(growing, cell) < CROP_LIGHT)
        return;
    if (crafty_growing_set(growing, cell, crafty_growth_rule(growing->rules, block)->next))
        growing->totals->ripened++;
}

static bool has_water(const CraftyGrowing *growing, CnCell cell)
{
    for (int32_t dy = 0; dy <= 1; dy++)
        for (int32_t dz = -WATER_REACH; dz <= WATER_REACH; dz++)
            for (int32_t dx = -WATER_REACH; dx <= WATER_REACH; dx++)
                if (cn_water_level(crafty_growing_get(growing, crafty_cell_at(cell, dx, dy, dz))))
                    return true;
    return false;
}

void crafty_water_farmland(CraftyGrowing *growing, CnCell cell, CnBlock block)
{
    const CraftyGrowthRules *rules = growing->rules;
    CnCell above = crafty_cell_at(cell, 0, 1, 0);
    CnBlock crop = crafty_growing_get(growing, above);
    const CnBlockTable *table = cn_voxels_blocks(growing->voxels);
    bool is_snow;
    if ((table->flags[crop] & CN_BLOCK_IS_OPAQUE) &&
        crafty_growth_rule(rules, crop)->kind == CRAFTY_GROWS_NOT && rules->dirt &&
        crafty_growing_chance(growing, FORSAKEN_CHANCE) && !has_water(growing, cell)) {
        crafty_growing_set(growing, cell, rules->dirt); /* something was built on it */
        return;
    }
    if (has_water(growing, cell) ||
        (crafty_growing_is_rained_on(growing, above, &is_snow) && !is_snow)) {
        if (block != rules->farmland_wet && rules->farmland_wet)
            crafty_growing_set(growing, cell, rules->farmland_wet);
    } else if (block == rules->farmland_wet) {
        crafty_growing_set(growing, cell, rules->farmland);
    } else if (!cn_block_is_plain_prop(table, crop) &&
               crafty_growing_chance(growing, FORSAKEN_CHANCE)) {
        crafty_growing_set(growing, cell, rules->dirt);
    }
}
