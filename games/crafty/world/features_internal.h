/* Shared by the files that read features. */
#ifndef CRAFTY_WORLD_FEATURES_INTERNAL_H
#define CRAFTY_WORLD_FEATURES_INTERNAL_H

#include "data_reader.h"
#include "features.h"

#include <cairn/base/array.h>

/* A placement and what it owns. */
typedef struct CraftyFeature {
    char name[CRAFTY_ITEM_NAME_BYTES];
    CnPlacement placement;
    CnPattern patterns[CN_PLACEMENT_MAX_PATTERNS];
    size_t cells[CN_PLACEMENT_MAX_PATTERNS]; /* allocated by each pattern */
} CraftyFeature;

struct CraftyFeatures {
    CnAllocator *allocator;
    const CnBlockTable *blocks;
    const CraftyBlockFamilies *families;
    CN_ARRAY(CraftyFeature *) list;
    CN_ARRAY(CnPlacement) placements; /* copies, sorted */
    size_t cells;                     /* of all patterns */
};

/* ---- feature_patterns.c ---- */

/* Reads the patterns of a row: "blocks", "variants" or "layers", with "palette", and "turn". */
bool crafty_feature_read_patterns(CraftyDataReader *reader, CraftyFeatures *features, json_t *row,
                                  CraftyFeature *feature);
/* Finds a block by name; reports the most similar one if there is none. */
bool crafty_feature_find_block(CraftyDataReader *reader, const CraftyFeatures *features,
                               const char *name, CnBlock *block);
/* Returns the width of the widest pattern. */
uint32_t crafty_feature_width(const CraftyFeature *feature);

#endif
