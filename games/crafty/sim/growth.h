/*
 * Growth: what blocks do by themselves, near players.
 *
 *     crafty_growth_add(world, &error); // after crafty_player_add
 *     cn_voxels_tick(voxels, &(CnVoxelsTick){..., .ticking = crafty_growth_ticking(world),
 *                                            .block_tick = crafty_growth_tick, .user = world});
 *     printf("%llu\n", cn_resource(world, CraftyGrowth)->edits);
 *
 * Random ticks spread grass, grow saplings into the generator's trees, ripen crops, dry farmland,
 * melt snow and ice, and lengthen cacti and reeds. Scheduled ticks let leaves without a trunk decay
 * and fires burn. Weather lays snow and freezes water under the open sky. All changes are edits of
 * the world itself (CN_EDIT_TICK, nobody's), so they are saved and replayed, and players cannot
 * undo them. Everything depends only on blocks, time, weather, and a hash of cell and tick.
 *
 * The rules are in growth_grass.c, growth_tree.c, growth_crops.c, growth_weather.c and
 * growth_fire.c; which block follows which rule is in growth_rules.c.
 */
#ifndef CRAFTY_SIM_GROWTH_H
#define CRAFTY_SIM_GROWTH_H

#include "player.h"

/* Limits per tick. What exceeds them is counted and happens with a later random tick. */
#define CRAFTY_GROWTH_EDITS 64u  /* single blocks */
#define CRAFTY_GROWTH_LIGHTS 32u /* queries of light */
#define CRAFTY_GROWTH_TREES 1u
#define CRAFTY_MAX_FIRES 192u /* burning blocks in a world */
/* Leaves further from a trunk than this many steps through leaves decay. */
#define CRAFTY_LEAF_REACH 9

/*
 * A resource, part of the state: totals since the world was created.
 *     edits, trees      blocks changed, except those of trees; trees grown
 *     decayed           leaves
 *     ripened           steps of crops
 *     frozen, melted    snow and ice
 *     burned            blocks that fire consumed
 *     skipped           ticks of blocks that a limit prevented
 *     fires             burning blocks right now
 */
CN_COMPONENT(CraftyGrowth, (u64, edits), (u64, trees), (u64, decayed), (u64, ripened),
             (u64, frozen), (u64, melted), (u64, burned), (u64, skipped), (u32, fires));

/* Adds the resources and the system CraftyGrowthWatch, which follows the edit log: removed trunks,
 * fires, fences. Also after a saved world was restored, whose edits are known. */
bool crafty_growth_add(CnWorld *world, CnError *error);
/* Frees the rules, before the world is destroyed. */
void crafty_growth_remove(CnWorld *world);

/* Returns the blocks that get random ticks, for CnVoxelsTick. */
const bool *crafty_growth_ticking(const CnWorld *world);
/* Lets a block of a mod have random ticks. */
void crafty_growth_let_tick(CnWorld *world, CnBlock block);
/* To be called once in each tick, before cn_voxels_tick: resets the limits. */
void crafty_growth_begin(CnWorld *world);
/* The callback of CnVoxelsTick; `user` is the CnWorld. */
void crafty_growth_tick(void *user, CnCell cell, CnBlock block, bool random);
/* Snow and ice near players, once in each tick. */
void crafty_growth_weather(CnWorld *world, const CnVec3 *players, uint32_t count);

/* Returns the crop that an item plants on farmland; CN_BLOCK_AIR if it plants none. */
CnBlock crafty_growth_planted(const CnWorld *world, CraftyItem item);
/* Returns whether a block is farmland, wet or dry. */
bool crafty_growth_is_farmland(const CnWorld *world, CnBlock block);
/* Returns whether the block is a layer that lies on the block below. */
bool crafty_growth_lies(const CnWorld *world, CnBlock block);
/* Returns the block of a fresh fire; CN_BLOCK_AIR if the world has none. */
CnBlock crafty_growth_fire(const CnWorld *world);

#endif
