/*
 * Hints for the first actions and goals of a new player: one line with the key or button of the
 * device in use, until the player has done it. Each is shown in one world only, because what was
 * done is kept in the settings file.
 *
 *     crafty_hints_frame(&hints, &done, &view); // done: bits of CraftyHint, kept in CraftyChoices
 *     crafty_hints_draw(&hints, glyphs, canvas, text_size);
 *
 * What the player has done is derived from the state of the simulation, which is only read.
 */
#ifndef CRAFTY_CLIENT_HINTS_H
#define CRAFTY_CLIENT_HINTS_H

#include "crafty/sim/player.h"
#include "glyphs.h"

typedef enum CraftyHint {
    CRAFTY_HINT_LOOK,
    CRAFTY_HINT_MOVE,
    CRAFTY_HINT_JUMP,
    CRAFTY_HINT_WOOD, /* the first goal; the following ones only in survival, but for INVENTORY */
    CRAFTY_HINT_INVENTORY,
    CRAFTY_HINT_PLANKS,
    CRAFTY_HINT_TABLE,
    CRAFTY_HINT_USE_TABLE,
    CRAFTY_HINT_PICKAXE,
    CRAFTY_HINT_STONE,
    CRAFTY_HINT_SHELTER,
    CRAFTY_HINT_FLY, /* only in creative mode */
    CRAFTY_HINT_COUNT
} CraftyHint;

typedef struct CraftyHints {
    CraftyHint hint; /* CRAFTY_HINT_COUNT: none */
    float seconds;   /* that it has been shown */
    float rest;      /* seconds until the next one appears */
    /* What the player did in this world. */
    bool has_pose;
    CnVec3 position;
    CnQuat rotation;
    float walked, turned; /* blocks; degrees */
} CraftyHints;

typedef struct CraftyHintsView {
    const CnWorld *world;
    CnEntity player;
    const CraftyItems *items;
    bool has_list; /* an item list is open */
    float hours;   /* of the day */
    float seconds; /* since the last frame */
} CraftyHintsView;

/* Returns the name in the settings file; NULL beyond the last one. */
const char *crafty_hint_name(uint32_t number);

/* Forgets what was done in the last world. */
void crafty_hints_reset(CraftyHints *hints);
/* Notes what the player does and chooses the hint to show. Returns whether `done` has changed. */
bool crafty_hints_frame(CraftyHints *hints, uint32_t *done, const CraftyHintsView *view);
/* Draws the hint in the lower middle. `text_size` is a factor. */
void crafty_hints_draw(const CraftyHints *hints, const CraftyGlyphs *glyphs, CnCanvas *canvas,
                       float text_size);

#endif
