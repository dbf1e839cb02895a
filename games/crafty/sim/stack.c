#include "stack.h"

CraftyStack crafty_stack_checked(const CraftyItems *items, CraftyStack stack)
{
    const CraftyItemInfo *info = crafty_items_info(items, stack.item);
    if (!info || !info->is_known || !stack.count)
        return (CraftyStack){0};
    if (stack.count > info->stack_max)
        stack.count = info->stack_max;
    return stack;
}

uint32_t crafty_stack_put(const CraftyItems *items, CraftyStack *stack, CraftyItem item,
                          uint32_t count)
{
    const CraftyItemInfo *info = crafty_items_info(items, item);
    CraftyStack before = crafty_stack_checked(items, *stack);
    if (!info || !info->is_known || !count ||
        (!crafty_stack_is_empty(*stack) && stack->item != item))
        return 0;
    uint32_t room = (uint32_t)info->stack_max - before.count;
    uint32_t fits = count < room ? count : room;
    *stack = (CraftyStack){item, (uint16_t)(before.count + fits)};
    return fits;
}

bool crafty_stack_is_empty(CraftyStack stack)
{
    return stack.item == CRAFTY_NO_ITEM || stack.count == 0;
}

static void move_some(CraftyStack *from, CraftyStack *to, uint32_t count)
{
    to->item = from->item;
    to->count = (uint16_t)(to->count + count);
    from->count = (uint16_t)(from->count - count);
    if (from->count == 0)
        *from = (CraftyStack){0};
}

/* Moves what fits onto a stack of the same item. */
static bool merge(const CraftyItemInfo *info, CraftyStack *from, CraftyStack *to, uint32_t count)
{
    uint32_t room = info->stack_max > to->count ? (uint32_t)(info->stack_max - to->count) : 0;
    if (room == 0)
        return false;
    move_some(from, to, count < room ? count : room);
    return true;
}

bool crafty_stack_move(const CraftyItems *items, CraftyStack *from, CraftyStack *to, uint32_t count)
{
    if (from == to || !count || crafty_stack_is_empty(*from) || count > from->count)
        return false;
    if (crafty_stack_is_empty(*to)) {
        *to = (CraftyStack){0};
        move_some(from, to, count);
        return true;
    }
    const CraftyItemInfo *info = crafty_items_info(items, from->item);
    if (from->item == to->item && info && info->is_known)
        return merge(info, from, to, count);
    if (count < from->count)
        return false;
    CraftyStack other = *to;
    *to = *from;
    *from = other;
    return true;
}
