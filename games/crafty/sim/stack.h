/*
 * A stack: what a slot of the hotbar or of an inventory holds.
 *
 *     CraftyStack slot = {0};                                   // empty
 *     uint32_t fits = crafty_stack_put(items, &slot, stone, 100); // 64
 */
#ifndef CRAFTY_SIM_STACK_H
#define CRAFTY_SIM_STACK_H

#include "crafty/world/items.h"

#include <cairn/ecs/component.h>

/* item: a CraftyItem; count: 1 to the stack_max of the item; wear: uses so far of a tool, which has
 * a stack_max of 1, below its durability. All are 0 if the slot is empty. */
CN_STRUCT(CraftyStack, (u16, item), (u16, count), (u16, wear));

/* Returns the stack; an empty one if the item is unknown, and at most a full one, as slots of a
 * manipulated save or of another version may be. */
CraftyStack crafty_stack_checked(const CraftyItems *items, CraftyStack stack);
/* Puts at most `count` of an item on a stack, which is empty or of this item. Returns how many fit;
 * 0 if the item is unknown or another one lies there, be it known or not. */
uint32_t crafty_stack_put(const CraftyItems *items, CraftyStack *stack, CraftyItem item,
                          uint32_t count);
/* Returns whether nothing lies in the slot. A stack of an unknown item is not empty: the item may
 * be known again in the next session. */
bool crafty_stack_is_empty(CraftyStack stack);
/* Returns whether the stacks may lie in one slot: the same item, equally worn. */
bool crafty_stack_same(CraftyStack a, CraftyStack b);
/* Removes `count` items, at most all. */
void crafty_stack_take(CraftyStack *stack, uint32_t count);
/* Uses a tool `uses` times. Returns true if it breaks: the slot is empty then. Stacks that do not
 * wear stay as they are. */
bool crafty_stack_wear(const CraftyItems *items, CraftyStack *stack, uint32_t uses);
/* Moves `count` items of a stack into another slot. An empty slot takes them, a stack of the same
 * item as many as fit, and another stack changes places with a whole one. Stacks of unknown items
 * move and change places, but do not merge. Items are neither created nor lost. Returns false if
 * nothing moves. */
bool crafty_stack_move(const CraftyItems *items, CraftyStack *from, CraftyStack *to,
                       uint32_t count);

#endif
