/*
 * The Crafty simulation as a plugin: player, blocks, commands, day and weather.
 *
 *     CraftySimDesc desc = {.voxels = crafty_world_voxels(world),
 *                           .items = crafty_world_items(world),
 *                           .recipes = crafty_world_recipes(world),
 *                           .block_rules = crafty_world_block_rules(world),
 *                           .families = crafty_world_families(world),
 *                           .biomes = crafty_world_biomes(world),
 *                           .start = {.hours = 9.5f, .viewer = CRAFTY_VIEWER_WALKS, .pose = pose}};
 *     CnPlugin plugin = crafty_sim_plugin(&desc); // `desc` must outlive the simulation
 *
 * After the start, only input and commands (command.h) change the simulation.
 */
#ifndef CRAFTY_SIM_CRAFTY_SIM_H
#define CRAFTY_SIM_CRAFTY_SIM_H

#include "creature/creature.h"
#include "mod/mods.h"
#include "player.h"
#include "start.h"
#include "weather.h"

typedef struct CraftySimDesc {
    CnVoxels *voxels;
    const CraftyItems *items;
    const CraftyRecipes *recipes;         /* NULL: nothing can be crafted */
    const CraftyBlockRules *block_rules;  /* NULL: blocks drop their own items */
    const CraftyBlockFamilies *families;  /* NULL: blocks have no variants */
    const CraftyCreatureKinds *creatures; /* NULL: there are none */
    const CraftyTrades *trades;           /* NULL: villagers do not trade */
    const CraftyWeatherKinds *weather;    /* NULL: the standard kinds alone */
    CraftyBiomes biomes;                  /* without a generator, the biome never changes */
    CraftyBiomes terrain;            /* the world's own generator: for villages; may be missing */
    CraftyVillagePrefetch *villages; /* plans them ahead; may be NULL */
    CraftyMods *mods;                /* that run in it; NULL: none */
    CraftyStart start;               /* its seed is that of `voxels` */
} CraftySimDesc;
CnPlugin crafty_sim_plugin(const CraftySimDesc *desc);

/* Gives resources that a restored state lacks, such as one of an older version, their initial
 * values. Call it after cn_sim_restore. */
bool crafty_sim_complete(CnWorld *world, CnError *error);

#endif
