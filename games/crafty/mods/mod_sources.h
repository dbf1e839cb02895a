/*
 * The mods of a set as sources for crafty_mods_create: the standard content first.
 *
 *     CraftyModSources *sources = crafty_mod_sources_create(set, &error);
 *     CraftyMods *mods = crafty_mods_create(
 *         &(CraftyModsDesc){.sources = sources->items, .source_count = sources->count}, &error);
 *     crafty_mods_destroy(mods);
 *     crafty_mod_sources_destroy(sources); // before the set
 */
#ifndef CRAFTY_MODS_MOD_SOURCES_H
#define CRAFTY_MODS_MOD_SOURCES_H

#include "crafty/sim/mod/mods.h"
#include "mod_set.h"

typedef struct CraftyModSources {
    CraftyModSource items[CRAFTY_MODS_MAX];
    CnLuaLibrary libraries[CRAFTY_MODS_MAX][CRAFTY_MOD_MAX_RELATIONS + 1];
    uint32_t count;
} CraftyModSources;

/* Returns NULL and an error if too many mods run or when out of memory. */
CraftyModSources *crafty_mod_sources_create(const CraftyModSet *set, CnError *error);
/* NULL is ignored. */
void crafty_mod_sources_destroy(CraftyModSources *sources);

#endif
