/*
 * What content adds to generated terrain: decorations and structures, read from a text and given to
 * the generator as placements.
 *
 *     CraftyFeatures *features = crafty_features_create(&(CraftyFeaturesDesc){
 *         .blocks = table, .families = families, .file = "features.json", .text = text}, &error);
 *     CnGeneratorDesc desc = {.placements = crafty_features_placements(features),
 *                             .placement_count = crafty_features_count(features)};
 *     crafty_features_destroy(features); // after the generator
 *
 * Placements are in the order of their names, whatever the order of the text is, so that worlds do
 * not depend on the order in which mods are loaded.
 */
#ifndef CRAFTY_WORLD_FEATURES_H
#define CRAFTY_WORLD_FEATURES_H

#include "block_family.h"

#include <cairn/voxel/placement.h>

#define CRAFTY_FEATURE_MAX_VARIANTS 16u
#define CRAFTY_FEATURE_MAX_CELLS (1u << 20) /* of all patterns of a content */

typedef struct CraftyFeatures CraftyFeatures;

typedef struct CraftyFeaturesDesc {
    CnAllocator *allocator;     /* NULL: the system allocator */
    const CnBlockTable *blocks; /* closed */
    /* For turned structures; NULL: their blocks are not turned, for checks of a text. */
    const CraftyBlockFamilies *families;
    const char *file; /* in messages */
    CnText text;      /* JSON, docs/formats.md; empty: no features */
} CraftyFeaturesDesc;

/* Returns NULL and an error with file and line if the text is not valid, or when out of memory. */
CraftyFeatures *crafty_features_create(const CraftyFeaturesDesc *desc, CnError *error);
void crafty_features_destroy(CraftyFeatures *features); /* NULL is ignored */

const CnPlacement *crafty_features_placements(const CraftyFeatures *features);
uint32_t crafty_features_count(const CraftyFeatures *features);
/* Returns a hash of everything that generation depends on beside the seed, by names of blocks; 0
 * without features. */
uint64_t crafty_features_hash(const CraftyFeatures *features);

#endif
