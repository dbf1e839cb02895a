/*
 * Models of items: blocks as small blocks, everything else as a sprite of its tile.
 *
 *     CraftyItemModel model = crafty_item_model(items, blocks, item);
 *     crafty_item_model_add(&model, models, CN_MODEL_LAYER_WORLD, &place, light);
 */
#ifndef CRAFTY_CLIENT_ITEM_MODEL_H
#define CRAFTY_CLIENT_ITEM_MODEL_H

#include "crafty/world/items.h"

#include <cairn/render/block_models.h>
#include <cairn/voxel/voxels.h>

#define CRAFTY_ITEM_MODEL_PARTS CN_BLOCK_SHAPE_BOXES

typedef struct CraftyItemModel {
    CnBlockModelPart parts[CRAFTY_ITEM_MODEL_PARTS]; /* within a unit block */
    uint32_t count;                                  /* 0: nothing to draw */
    bool is_flat;                                    /* a sprite */
} CraftyItemModel;

/* Light of a place, 0 to 1 each. */
typedef struct CraftyLight {
    float sky, block;
} CraftyLight;

/* Returns an empty model for CRAFTY_NO_ITEM, and a gray block for an unknown item. */
CraftyItemModel crafty_item_model(const CraftyItems *items, const CnBlockTable *blocks,
                                  CraftyItem item);
/* The models of all items of a world, made once: for what is drawn many times in a frame. `items`
 * and `blocks` must be complete. Returns NULL and an error when out of memory. */
typedef struct CraftyItemModels CraftyItemModels;
CraftyItemModels *crafty_item_models_create(const CraftyItems *items, const CnBlockTable *blocks,
                                            CnError *error);
/* NULL is ignored. */
void crafty_item_models_destroy(CraftyItemModels *table);
/* Never NULL; empty if there is no such item. */
const CraftyItemModel *crafty_item_models_get(const CraftyItemModels *table, CraftyItem item);

/* Adds the parts of a model at a place. */
void crafty_item_model_add(const CraftyItemModel *model, CnBlockModels *models, CnModelLayer layer,
                           const CnAffine *place, CraftyLight light);
/* Returns the light of the cell that contains the position. */
CraftyLight crafty_light_at(CnVoxels *voxels, CnVec3 position);
/* Moves towards another light, so that what crosses cells does not flicker. */
CraftyLight crafty_light_eased(CraftyLight from, CraftyLight to, float seconds);

#endif
