#include "stack.h"

CraftyStack crafty_stack_checked(const CraftyItems *items, CraftyStack stack)
{
    const CraftyItemInfo *info = crafty_items_info(items, stack.item);
    if (!info || !info->is_known || !stack.count)
        return (CraftyStack){0};
    if (stack.count > info->stack_max)
        stack.count = info->stack_max;
    if (stack.wear >= info->durability)
        stack.wear = info->durability ? (uint16_t)(info->durability - 1) : 0;
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
    if (fits)
        *stack = (CraftyStack){
            .item = item, .count = (uint16_t)(before.count + fits), .wear = before.wear};
    return fits;
}

bool crafty_stack_is_empty(CraftyStack stack)
{
    return stack.item == CRAFTY_NO_ITEM || stack.count == 0;
}

bool crafty_stack_same(CraftyStack a, CraftyStack b)
{
    return a.item == b.item && a.wear == b.wear;
}

void crafty_stack_take(CraftyStack *stack, uint32_t count)
{
    stack->count = (uint16_t)(count < stack->count ? stack->count - count : 0);
    if (stack->count == 0)
        *stack = (CraftyStack){0};
}

bool crafty_stack_wear(const CraftyItems *items, CraftyStack *stack, uint32_t uses)
{
    const CraftyItemInfo *info = crafty_items_info(items, stack->item);
    if (!info || !info->is_known || !info->durability || crafty_stack_is_empty(*stack))
        return false;
    uint64_t wear = (uint64_t)stack->wear + uses;
    bool breaks = wear >= info->durability;
    if (breaks)
        *stack = (CraftyStack){0};
    else
        stack->wear = (uint16_t)wear;
    return breaks;
}

static void move_some(CraftyStack *from, CraftyStack *to, uint32_t count)
{
    to->item = from->item;
    to->wear = from->wear;
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
    if (crafty_stack_same(*from, *to) && info && info->is_known)
        return merge(info, from, to, count);
    if (count < from->count)
        return false;
    CraftyStack other = *to;
    *to = *from;
    *from = other;
    return true;
}
