/*
 * Items that lie in the world: small models that turn and hover, several for larger stacks.
 *
 *     CraftyShownDrop drop = {.position = position, .item = item, .count = 3, .age = seconds};
 *     crafty_drop_model_add(&frame, &drop, models); // every frame
 */
#ifndef CRAFTY_CLIENT_DROP_MODELS_H
#define CRAFTY_CLIENT_DROP_MODELS_H

#include "item_model.h"

#define CRAFTY_DROPS_REACH 48.0f /* blocks: farther drops are too small to see */

/* A drop as it is shown in this frame, between two ticks. */
typedef struct CraftyShownDrop {
    CnVec3 position; /* center */
    CraftyItem item;
    uint32_t count; /* of the stack */
    float age;      /* seconds */
    uint32_t seed;  /* of its entity: drops do not turn in step */
} CraftyShownDrop;

typedef struct CraftyDropsFrame {
    const CraftyItemModels *item_models;
    CnVoxels *voxels;
    CnVec3 eye;
    bool is_still; /* reduced motion: they neither turn nor hover */
} CraftyDropsFrame;

/* Adds a drop to the layer of the world. Returns whether it is near enough to be seen. */
bool crafty_drop_model_add(const CraftyDropsFrame *frame, const CraftyShownDrop *drop,
                           CnBlockModels *models);
/* Returns how many copies of its item a stack shows, 1 to 4. */
uint32_t crafty_drop_copies(uint32_t count);

#endif
