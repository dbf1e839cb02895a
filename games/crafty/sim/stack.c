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
    if (!info || !info->is_known || !count || (before.count && before.item != item))
        return 0;
    uint32_t room = (uint32_t)info->stack_max - before.count;
    uint32_t fits = count < room ? count : room;
    *stack = (CraftyStack){item, (uint16_t)(before.count + fits)};
    return fits;
}
