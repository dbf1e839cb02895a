/* Fire: spreads a few steps, consumes what burns and goes out. */
#include "growth_internal.h"

#define FIRE_TICKS 20u  /* at least, between ticks of a fire */
#define FIRE_SPREAD 30u /* at most so many more */
#define SPREAD_TRIES 2u
#define END_CHANCE 10u   /* while there is fuel */
#define STARVE_CHANCE 2u /* without */

static const int8_t sides[6][3] = {{0, -1, 0}, {1, 0, 0},  {-1, 0, 0},
                                   {0, 0, 1},  {0, 0, -1}, {0, 1, 0}};

void crafty_fire_schedule(CraftyGrowing *growing, CnCell cell)
{
    cn_voxels_schedule(growing->voxels, cell,
                       FIRE_TICKS + crafty_growing_roll(growing, FIRE_SPREAD));
}

static bool is_drowned(const CraftyGrowing *growing, CnCell cell)
{
    bool is_snow;
    for (uint32_t i = 0; i < 6; i++)
        if (cn_water_level(crafty_growing_get(
                growing, crafty_cell_at(cell, sides[i][0], sides[i][1], sides[i][2]))))
            return true;
    return crafty_growing_is_rained_on(growing, cell, &is_snow);
}

static uint32_t fuel_at(const CraftyGrowing *growing, CnCell cell)
{
    return crafty_growth_rule(growing->rules, crafty_growing_get(growing, cell))->flammable;
}

static bool has_fuel(const CraftyGrowing *growing, CnCell cell)
{
    for (uint32_t i = 0; i < 6; i++)
        if (fuel_at(growing, crafty_cell_at(cell, sides[i][0], sides[i][1], sides[i][2])))
            return true;
    return false;
}

/* A fire in this cell, weaker than the one it comes from; air if it is too weak or too many
 * burn. Edits of this tick are not counted in `fires` yet. */
static CnBlock next_fire(const CraftyGrowing *growing, CnCell cell, uint32_t strength)
{
    const CnBlockTable *table = cn_voxels_blocks(growing->voxels);
    CnBlock under = crafty_growing_get(growing, crafty_cell_at(cell, 0, -1, 0));
    if (strength <= 1 || growing->totals->fires + growing->rules->edits >= CRAFTY_MAX_FIRES ||
        !(table->flags[under] & CN_BLOCK_COLLIDES))
        return CN_BLOCK_AIR;
    return growing->rules->fires[strength - 1];
}

/* One neighbor may be consumed; a weaker fire takes its place if something is left to burn. */
static void consume(CraftyGrowing *growing, CnCell cell, uint32_t strength)
{
    const int8_t *side = sides[crafty_growing_roll(growing, 6)];
    CnCell at = crafty_cell_at(cell, side[0], side[1], side[2]);
    if (crafty_growing_roll(growing, 100) >= fuel_at(growing, at))
        return;
    CnBlock left = has_fuel(growing, at) ? next_fire(growing, at, strength) : (CnBlock)CN_BLOCK_AIR;
    if (crafty_growing_set(growing, at, left))
        growing->totals->burned++;
}

static void spread(CraftyGrowing *growing, CnCell cell, uint32_t strength)
{
    CnCell to = crafty_cell_at(cell, (int32_t)crafty_growing_roll(growing, 3) - 1,
                               (int32_t)crafty_growing_roll(growing, 4) - 1,
                               (int32_t)crafty_growing_roll(growing, 3) - 1);
    CnBlock there = crafty_growing_get(growing, to);
    bool is_free = there == CN_BLOCK_AIR || crafty_growth_rule(growing->rules, there)->is_plant;
    CnBlock fire = is_free && has_fuel(growing, to) && !is_drowned(growing, to)
                       ? next_fire(growing, to, strength)
                       : (CnBlock)CN_BLOCK_AIR;
    if (fire != CN_BLOCK_AIR)
        crafty_growing_set(growing, to, fire);
}

void crafty_burn(CraftyGrowing *growing, CnCell cell, CnBlock block)
{
    uint32_t strength = crafty_growth_rule(growing->rules, block)->strength;
    bool has_any = has_fuel(growing, cell);
    if (is_drowned(growing, cell) ||
        crafty_growing_chance(growing, has_any ? END_CHANCE : STARVE_CHANCE)) {
        if (!crafty_growing_set(growing, cell, CN_BLOCK_AIR))
            crafty_fire_schedule(growing, cell);
        return;
    }
    if (has_any) {
        consume(growing, cell, strength);
        for (uint32_t i = 0; i < SPREAD_TRIES; i++)
            spread(growing, cell, strength);
    }
    crafty_fire_schedule(growing, cell);
}
