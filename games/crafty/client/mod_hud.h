/*
 * What mods show on the screen of the player (sim/mod/hud.h): laying it out and drawing it.
 *
 *     CraftyModHud hud;
 *     crafty_mod_hud_init(&hud, NULL);
 *     crafty_mod_hud_frame(&hud, world, player);  // each frame, between ticks
 *     crafty_mod_hud_draw(&hud, &(CraftyModHudFrame){.canvas = canvas, .icons = icons});
 *     crafty_mod_hud_fini(&hud);
 *
 * Texts grow with the text size of the player, and have a dark background with high contrast.
 * Frames in which nothing changes do not allocate.
 */
#ifndef CRAFTY_CLIENT_MOD_HUD_H
#define CRAFTY_CLIENT_MOD_HUD_H

#include "crafty/sim/mod/hud.h"
#include "item_icons.h"

#include <cairn/sim/extract.h>

typedef struct CraftyModHud {
    CraftyModHudView view;
    CnRect *rects; /* of the elements, while they are drawn; markers have none */
    uint32_t capacity;
} CraftyModHud;

typedef struct CraftyModHudFrame {
    CnCanvas *canvas;
    const CraftyItemIcons *icons;
    CnRenderCamera camera; /* for markers; not valid: they are not drawn */
} CraftyModHudFrame;

/* `allocator`: NULL selects the system allocator. */
void crafty_mod_hud_init(CraftyModHud *hud, CnAllocator *allocator);
void crafty_mod_hud_fini(CraftyModHud *hud);
/* Takes over what mods show the player with this number. Returns whether it has changed. */
bool crafty_mod_hud_frame(CraftyModHud *hud, const CnWorld *world, uint32_t player);
void crafty_mod_hud_draw(CraftyModHud *hud, const CraftyModHudFrame *frame);

/* Places all elements in an area, for the drawing and for tests. Returns false when out of
 * memory. */
bool crafty_mod_hud_place(CraftyModHud *hud, const CraftyModHudFrame *frame);

/* ---- Markers ---- */

typedef struct CraftyMarkerPlace {
    CnVec2 at;        /* on the canvas, inside of the margin */
    CnVec2 direction; /* from the middle, of length 1; right and down */
    bool is_outside;  /* of the view: it is at the edge, in this direction */
} CraftyMarkerPlace;

/* Returns where a position of the world appears on a canvas of this size. */
CraftyMarkerPlace crafty_marker_place(const CnRenderCamera *camera, CnVec3 position, CnVec2 size,
                                      CnVec2 margin);

#endif
