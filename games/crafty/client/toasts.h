/*
 * Toasts: short messages at the right edge that disappear by themselves, such as items that were
 * picked up. Those of the same item add up.
 *
 *     crafty_toasts_event(&toasts, items, &event); // of the player
 *     crafty_toasts_draw(&toasts, canvas, icons, bottom, seconds);
 */
#ifndef CRAFTY_CLIENT_TOASTS_H
#define CRAFTY_CLIENT_TOASTS_H

#include "crafty/sim/player_event.h"
#include "item_icons.h"

#define CRAFTY_MAX_TOASTS 6u
#define CRAFTY_TOAST_BYTES 96u

typedef struct CraftyToast {
    CraftyItem item; /* CRAFTY_NO_ITEM: only text */
    uint32_t count;  /* picked up; 0: `text` is the whole message */
    float seconds;   /* left */
    char text[CRAFTY_TOAST_BYTES];
} CraftyToast;

typedef struct CraftyToasts {
    CraftyToast items[CRAFTY_MAX_TOASTS]; /* oldest first */
    uint32_t count;
} CraftyToasts;

/* Adds the toast of an event; most events have none. */
void crafty_toasts_event(CraftyToasts *toasts, const CraftyItems *items,
                         const CraftyPlayerEvent *event);
/* Adds a message. */
void crafty_toasts_add(CraftyToasts *toasts, CraftyItem item, const char *text);
/* Draws the toasts from `bottom` upwards. `seconds` since the last frame. */
void crafty_toasts_draw(CraftyToasts *toasts, CnCanvas *canvas, const CraftyItemIcons *icons,
                        float bottom, float seconds);

#endif
