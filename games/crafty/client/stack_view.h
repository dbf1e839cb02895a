/*
 * How stacks are drawn: icon, count and wear; the text of their tooltips.
 *
 *     crafty_stack_draw(&icons, canvas, rect, stack, 1);
 *     crafty_stack_tooltip(&view, canvas, cn_ui_mouse(ui), stack);
 */
#ifndef CRAFTY_CLIENT_STACK_VIEW_H
#define CRAFTY_CLIENT_STACK_VIEW_H

#include "crafty/sim/stack.h"
#include "item_icons.h"

/* Canvas layers above the windows of the user interface. */
#define CRAFTY_LAYER_CARRIED 120u
#define CRAFTY_LAYER_TOOLTIP 121u

#define CRAFTY_TOOLTIP_BYTES 256u

/* Draws a stack that fills the rectangle of a slot. `alpha` is the opacity of the icon. */
void crafty_stack_draw(const CraftyItemIcons *icons, CnCanvas *canvas, CnRect rect,
                       CraftyStack stack, float alpha);
/* Writes the lines about a stack: title, tool with tier, uses left, food, fuel. Returns false if
 * the slot is empty. */
bool crafty_stack_describe(const CraftyItems *items, CraftyStack stack,
                           char text[CRAFTY_TOOLTIP_BYTES]);
/* Draws a box with lines of text beside a point, inside the canvas and above everything. The first
 * line is brighter. */
void crafty_tooltip_draw(const CraftyItemIcons *icons, CnCanvas *canvas, CnVec2 at,
                         const char *text);

#endif
