/* Grass, meadows, reeds, cacti, mushrooms. */
#include "growth_internal.h"

#define LIGHT_OF_GRASS 9u
#define PLANT_CHANCE 384u /* 1 in that many ticks of grass tries to grow a plant */
#define MEADOW_RADIUS 3
#define MEADOW_PLANTS 4u /* within the radius: no more grow beyond them */
#define REED_HEIGHT 3
#define REED_CHANCE 16u
#define MUSHROOM_CHANCE 48u
#define MUSHROOM_RADIUS 4
#define MUSHROOMS 4u
#define DARK 12u

/* Counts plants, or blocks of one kind, in a flat box around a cell; stops at `most`. */
static uint32_t count_around(const CraftyGrowing *growing, CnCell cell, int32_t radius,
                             CnBlock wanted, uint32_t most)
{
    uint32_t count = 0;
    for (int32_t dy = -1; dy <= 1; dy++)
        for (int32_t dz = -radius; dz <= radius; dz++)
            for (int32_t dx = -radius; dx <= radius && count < most; dx++) {
                CnBlock block = crafty_growing_get(growing, crafty_cell_at(cell, dx, dy, dz));
                count +=
                    wanted ? block == wanted : crafty_growth_rule(growing->rules, block)->is_plant;
            }
    return count;
}

/* Most often the first one; a flower now and then. */
static CnBlock choose_plant(CraftyGrowing *growing)
{
    const CraftyGrowthRules *rules = growing->rules;
    if (rules->meadow_count == 0)
        return CN_BLOCK_AIR;
    uint32_t roll = crafty_growing_roll(growing, 16);
    if (roll < 11 || rules->meadow_count < 3)
        return rules->meadow[0];
    if (roll < 14)
        return rules->meadow[1];
    return rules->meadow[2 + crafty_growing_roll(growing, rules->meadow_count - 2)];
}

static void grow_plant(CraftyGrowing *growing, CnCell above)
{
    if (crafty_growing_get(growing, above) != CN_BLOCK_AIR ||
        count_around(growing, above, MEADOW_RADIUS, CN_BLOCK_AIR, MEADOW_PLANTS) >= MEADOW_PLANTS ||
        crafty_growing_light(growing, above) < LIGHT_OF_GRASS)
        return;
    CnBlock plant = choose_plant(growing);
    if (plant != CN_BLOCK_AIR)
        crafty_growing_set(growing, above, plant);
}

static void spread(CraftyGrowing *growing, CnCell cell)
{
    int32_t dx = (int32_t)crafty_growing_roll(growing, 3) - 1;
    int32_t dy = (int32_t)crafty_growing_roll(growing, 5) - 3;
    int32_t dz = (int32_t)crafty_growing_roll(growing, 3) - 1;
    CnCell to = crafty_cell_at(cell, dx, dy, dz), above = crafty_cell_at(to, 0, 1, 0);
    if (crafty_growing_get(growing, to) != growing->rules->dirt ||
        !crafty_growing_is_open(growing, crafty_growing_get(growing, above)) ||
        cn_water_level(crafty_growing_get(growing, above)) > 0 ||
        crafty_growing_light(growing, above) < LIGHT_OF_GRASS)
        return;
    crafty_growing_set(growing, to, growing->rules->grass);
}

void crafty_grow_grass(CraftyGrowing *growing, CnCell cell)
{
    CnCell above = crafty_cell_at(cell, 0, 1, 0);
    CnBlock cover = crafty_growing_get(growing, above);
    if (!crafty_growing_is_open(growing, cover)) {
        /* Slabs and stairs block light, but grass shows beside them. */
        if (!cn_block_shape(cn_voxels_blocks(growing->voxels), cover))
            crafty_growing_set(growing, cell, growing->rules->dirt);
        return;
    }
    spread(growing, cell);
    if (crafty_growing_chance(growing, PLANT_CHANCE))
        grow_plant(growing, above);
}

/* Returns how many blocks of this kind stand below a cell, up to a limit. */
static int32_t height_below(const CraftyGrowing *growing, CnCell cell, CnBlock block)
{
    int32_t height = 0;
    while (height < REED_HEIGHT &&
           crafty_growing_get(growing, crafty_cell_at(cell, 0, -1 - height, 0)) == block)
        height++;
    return height;
}

void crafty_grow_reed(CraftyGrowing *growing, CnCell cell, CnBlock block)
{
    CnCell above = crafty_cell_at(cell, 0, 1, 0);
    if (crafty_growing_chance(growing, REED_CHANCE) &&
        crafty_growing_get(growing, above) == CN_BLOCK_AIR &&
        height_below(growing, cell, block) + 1 < REED_HEIGHT)
        crafty_growing_set(growing, above, block);
}

void crafty_grow_cactus(CraftyGrowing *growing, CnCell cell, CnBlock block)
{
    static const int8_t sides[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    CnCell above = crafty_cell_at(cell, 0, 1, 0);
    for (uint32_t i = 0; i < 4; i++)
        if (crafty_growing_get(growing, crafty_cell_at(above, sides[i][0], 0, sides[i][1])) !=
            CN_BLOCK_AIR)
            return;
    crafty_grow_reed(growing, cell, block);
}

void crafty_grow_mushroom(CraftyGrowing *growing, CnCell cell, CnBlock block)
{
    if (!crafty_growing_chance(growing, MUSHROOM_CHANCE) ||
        count_around(growing, cell, MUSHROOM_RADIUS, block, MUSHROOMS) >= MUSHROOMS)
        return;
    CnCell to = crafty_cell_at(cell, (int32_t)crafty_growing_roll(growing, 5) - 2,
                               (int32_t)crafty_growing_roll(growing, 3) - 1,
                               (int32_t)crafty_growing_roll(growing, 5) - 2);
    CnBlock under = crafty_growing_get(growing, crafty_cell_at(to, 0, -1, 0));
    const CnBlockTable *table = cn_voxels_blocks(growing->voxels);
    if (crafty_growing_get(growing, to) == CN_BLOCK_AIR &&
        (table->flags[under] & CN_BLOCK_IS_OPAQUE) && crafty_growing_light(growing, to) < DARK)
        crafty_growing_set(growing, to, block);
}
