/*
 * The hand in first person: the held item, or the arm if there is none, at the lower right. It
 * swings when the player breaks, places or hits, bobs with steps, goes down and up when another
 * item is held, and moves to the mouth when the player eats.
 *
 *     CraftyHeldItem held = {0};
 *     CraftyHeldFrame frame = {.items = items, .blocks = blocks, .item = item, .seconds = dt};
 *     crafty_held_item_frame(&held, &frame, models); // every frame
 */
#ifndef CRAFTY_CLIENT_HELD_ITEM_H
#define CRAFTY_CLIENT_HELD_ITEM_H

#include "item_model.h"

#define CRAFTY_SWING_TICKS 15u /* how long a swing lasts */

typedef struct CraftyHeldItem {
    bool has_item;   /* `item` is valid */
    CraftyItem item; /* that is shown */
    uint8_t slot;    /* in which it was held */
    float raised;    /* 0: below the image; 1: in place */
    float eating;    /* 0 to 1: at the mouth */
    float chewed;    /* seconds of eating */
    CraftyLight light;
} CraftyHeldItem;

typedef struct CraftyHeldFrame {
    const CraftyItems *items;
    const CnBlockTable *blocks;
    CraftyItem item; /* that the player holds; CRAFTY_NO_ITEM: none */
    uint8_t slot;
    float swing_ticks; /* since the last swing began; from CRAFTY_SWING_TICKS on: at rest */
    bool is_eating;
    bool is_left_handed;
    CnVec2 bob;        /* of the view, blocks */
    float aspect;      /* of the image: width over height */
    CraftyLight light; /* of the eye's cell */
    float seconds;     /* since the last frame */
} CraftyHeldFrame;

/* Advances by a frame and adds the parts to the layer of the hand. */
void crafty_held_item_frame(CraftyHeldItem *held, const CraftyHeldFrame *frame,
                            CnBlockModels *models);

/* Returns the progress of a swing as 0 (at rest), 1 (farthest), 0: smooth. */
float crafty_swing_of(float swing_ticks);

#endif
