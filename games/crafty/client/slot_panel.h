/*
 * Slots as widgets: draws the slots of a view, collects what mouse, keys and gamepads do to them,
 * and the panels around them. slot_gesture.h decides what that means.
 */
#ifndef CRAFTY_CLIENT_SLOT_PANEL_H
#define CRAFTY_CLIENT_SLOT_PANEL_H

#include "slot_gesture.h"
#include "stack_view.h"

#include <cairn/engine.h>

#define CRAFTY_SLOT_SIZE 30.0f  /* points */
#define CRAFTY_SLOT_PITCH 32.0f /* from slot to slot */

/* Adds a slot to a view. Ignored beyond CRAFTY_MAX_SHOWN_SLOTS. */
void crafty_slot_add(CraftySlotView *view, uint32_t number, CraftyStack stack, float x, float y);
/* Adds rows of slots with ascending numbers. */
void crafty_slots_add(CraftySlotView *view, uint32_t first, const CraftyStack *stacks,
                      uint32_t count, uint32_t a_row, float x, float y);

/* Draws a panel and, if there is one, its title. */
void crafty_panel_draw(CnUi *ui, CnRect rect, const char *title);
/* Draws an empty slot. */
void crafty_slot_frame(const CraftyItemIcons *icons, CnCanvas *canvas, CnRect rect, bool is_hovered,
                       bool has_ring);

/* Draws the slots, as widgets of the open window, and fills `input`, except for `is_outside`. */
void crafty_slots_frame(const CraftySlotView *view, CraftySlotGesture *gesture, CnEngine *engine,
                        const CraftyItemIcons *icons, CraftySlotInput *input);
/* Draws the carried stack at the mouse, or at the slot with the focus, and the tooltip of the slot
 * that is hovered or has the focus. */
void crafty_slots_finish(const CraftySlotView *view, const CraftySlotGesture *gesture,
                         const CraftySlotInput *input, CnEngine *engine,
                         const CraftyItemIcons *icons);

#endif
