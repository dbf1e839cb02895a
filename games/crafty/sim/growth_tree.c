/* Saplings, and leaves that lost their trunk. */
#include "growth_internal.h"

#include "harvest.h"

#include <string.h>

#define SAPLING_CHANCE 8u
#define SAPLING_LIGHT 9u
#define SIDE (2 * CRAFTY_LEAF_REACH + 1)
#define LOOSE_TICKS 60u   /* until the first leaves decay */
#define LOOSE_SPREAD 900u /* ticks until the last ones do */

/* ---- Saplings ---- */

/* Trees grow through plants and leaves. */
static bool gives_way(const CraftyGrowing *growing, CnBlock block, bool to_wood)
{
    const CnBlockTable *table = cn_voxels_blocks(growing->voxels);
    const CraftyGrowthRule *rule = crafty_growth_rule(growing->rules, block);
    return block == CN_BLOCK_AIR || rule->kind == CRAFTY_GROWS_SNOW ||
           (cn_block_is_plain_prop(table, block) && (to_wood || rule->is_plant)) ||
           (to_wood && rule->kind == CRAFTY_GROWS_LEAVES);
}

/* Replaces the generator's blocks by those of the sapling's wood. */
static void choose_wood(CraftyGrowing *growing, const CraftyGrowthRule *sapling, CnTree tree,
                        uint32_t count)
{
    CraftyGrowthRules *rules = growing->rules;
    for (uint32_t i = 0; i < count; i++) {
        if (rules->tree[i].block == rules->generated_log[tree])
            rules->tree[i].block = sapling->log;
        else if (rules->tree[i].block == rules->generated_leaves[tree])
            rules->tree[i].block = sapling->leaves;
    }
}

static bool has_room(const CraftyGrowing *growing, const CraftyGrowthRule *sapling, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const CnTreeBlock *part = &growing->rules->tree[i];
        if (!cn_cell_is_in_world(part->cell))
            return false;
        if (part->block == sapling->log &&
            !gives_way(growing, crafty_growing_get(growing, part->cell), true))
            return false;
    }
    return true;
}

void crafty_grow_sapling(CraftyGrowing *growing, CnCell cell, CnBlock block)
{
    CraftyGrowthRules *rules = growing->rules;
    const CraftyGrowthRule *sapling = crafty_growth_rule(rules, block);
    CnCell ground = crafty_cell_at(cell, 0, -1, 0);
    const CraftyBlocks *blocks = cn_resource(growing->world, CraftyBlocks);
    if (!blocks->biomes.generator || !crafty_growing_chance(growing, SAPLING_CHANCE) ||
        !crafty_growth_rule(rules, crafty_growing_get(growing, ground))->is_soil ||
        ground.y < INT16_MIN || ground.y > INT16_MAX ||
        crafty_growing_light(growing, cell) < SAPLING_LIGHT)
        return;
    if (rules->trees >= CRAFTY_GROWTH_TREES) {
        growing->totals->skipped++;
        return;
    }
    CnTree tree = (CnTree)(crafty_growing_chance(growing, 3) ? sapling->other_tree : sapling->tree);
    uint32_t dice = crafty_growing_roll(growing, UINT32_MAX);
    uint32_t count = cn_generate_tree(blocks->biomes.generator, tree, ground, dice, rules->tree);
    choose_wood(growing, sapling, tree, count);
    if (!has_room(growing, sapling, count))
        return;
    rules->trees++;
    growing->totals->trees++;
    for (uint32_t i = 0; i < count; i++) {
        const CnTreeBlock *part = &rules->tree[i];
        bool is_wood = part->block == sapling->log;
        if (gives_way(growing, crafty_growing_get(growing, part->cell), is_wood))
            crafty_growing_edit(growing, part->cell, part->block);
    }
}

/* ---- Leaves ---- */

typedef struct Search {
    uint8_t seen[SIDE * SIDE * SIDE];
    int8_t queue[SIDE * SIDE * SIDE][3]; /* offsets from the start */
    uint32_t first, count;
    uint8_t steps[SIDE * SIDE * SIDE]; /* by index in the queue */
} Search;

static const int8_t sides[6][3] = {{0, -1, 0}, {1, 0, 0},  {-1, 0, 0},
                                   {0, 0, 1},  {0, 0, -1}, {0, 1, 0}};

static void push(Search *search, int32_t x, int32_t y, int32_t z, uint32_t steps)
{
    uint32_t at =
        (uint32_t)(x + CRAFTY_LEAF_REACH) +
        SIDE * ((uint32_t)(y + CRAFTY_LEAF_REACH) + SIDE * (uint32_t)(z + CRAFTY_LEAF_REACH));
    if (search->seen[at])
        return;
    search->seen[at] = 1;
    search->steps[search->count] = (uint8_t)steps;
    int8_t *place = search->queue[search->count++];
    place[0] = (int8_t)x;
    place[1] = (int8_t)y;
    place[2] = (int8_t)z;
}

/* Walks through leaves from a cell, up to CRAFTY_LEAF_REACH steps. With `loosens`, schedules a tick
 * for each of them; otherwise ends at the first log and returns whether there is one. */
static bool walk_leaves(CraftyGrowing *growing, CnCell cell, bool loosens)
{
    Search search;
    memset(search.seen, 0, sizeof search.seen);
    search.first = search.count = 0;
    push(&search, 0, 0, 0, 0);
    while (search.first < search.count) {
        uint32_t steps = search.steps[search.first];
        const int8_t *from = search.queue[search.first++];
        for (uint32_t i = 0; i < 6 && steps < CRAFTY_LEAF_REACH; i++) {
            int32_t x = from[0] + sides[i][0], y = from[1] + sides[i][1], z = from[2] + sides[i][2];
            CnCell next = crafty_cell_at(cell, x, y, z);
            uint8_t kind =
                crafty_growth_rule(growing->rules, crafty_growing_get(growing, next))->kind;
            if (kind == CRAFTY_GROWS_LOG && !loosens)
                return true;
            if (kind != CRAFTY_GROWS_LEAVES)
                continue;
            uint32_t before = search.count;
            push(&search, x, y, z, steps + 1);
            if (loosens && search.count > before)
                cn_voxels_schedule(growing->voxels, next,
                                   LOOSE_TICKS + crafty_growing_roll(growing, LOOSE_SPREAD));
        }
    }
    return false;
}

void crafty_loosen_leaves(CraftyGrowing *growing, CnCell cell)
{
    walk_leaves(growing, cell, true);
}

void crafty_decay_leaves(CraftyGrowing *growing, CnCell cell, CnBlock block)
{
    if (walk_leaves(growing, cell, false))
        return;
    if (!crafty_growing_set(growing, cell, CN_BLOCK_AIR)) {
        cn_voxels_schedule(growing->voxels, cell, LOOSE_TICKS); /* the limit is reached */
        return;
    }
    growing->totals->decayed++;
    crafty_harvest_drop(growing->world, (CnEntity){0}, cell, block, (CraftyStack){0});
}
