#include "robot.h"

#include <string.h>

static const char *name_of(const CraftyRobot *robot, CraftyStack stack)
{
    const CraftyItemInfo *info =
        crafty_stack_is_empty(stack) ? NULL : crafty_items_info(robot->items, stack.item);
    return info ? info->name : "";
}

/* Only reads the player. */
CraftyStack crafty_robot_stack(const CraftyRobot *robot, uint32_t slot)
{
    CraftyPlayer player = *crafty_robot_player(robot);
    return *crafty_player_slot(&player, slot);
}

uint32_t crafty_robot_count(const CraftyRobot *robot, const char *part)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < CRAFTY_PLAYER_SLOTS; i++) {
        CraftyStack stack = crafty_robot_stack(robot, i);
        if (strstr(name_of(robot, stack), part))
            count += stack.count;
    }
    return count;
}

int32_t crafty_robot_slot(const CraftyRobot *robot, const char *part)
{
    for (uint32_t i = 0; i < CRAFTY_PLAYER_SLOTS; i++)
        if (strstr(name_of(robot, crafty_robot_stack(robot, i)), part))
            return (int32_t)i;
    return -1;
}

bool crafty_robot_move_items(CraftyRobot *robot, uint32_t from, uint32_t to, uint32_t count)
{
    return crafty_robot_command(robot, (CraftyCommand){.kind = CRAFTY_COMMAND_MOVE_ITEMS,
                                                       .from = (uint8_t)from,
                                                       .to = (uint8_t)to,
                                                       .count = (uint16_t)count});
}

/* A stack of the inventory changes places with the last slot of the hotbar. */
bool crafty_robot_take(CraftyRobot *robot, const char *part)
{
    int32_t slot = crafty_robot_slot(robot, part);
    if (slot < 0)
        return false;
    if (slot >= (int32_t)CRAFTY_SLOTS) {
        uint32_t last = CRAFTY_SLOTS - 1;
        if (!crafty_robot_move_items(robot, (uint32_t)slot, last,
                                     crafty_robot_stack(robot, (uint32_t)slot).count))
            return false;
        slot = (int32_t)last;
    }
    if (crafty_robot_player(robot)->slot == slot)
        return true;
    char action[] = "slot_1";
    action[sizeof action - 2] = (char)('1' + slot);
    crafty_robot_release(robot);
    crafty_robot_hold(robot, action, true);
    crafty_robot_tick(robot);
    crafty_robot_hold(robot, action, false);
    return crafty_robot_tick(robot) && crafty_robot_player(robot)->slot == slot;
}

bool crafty_robot_craft(CraftyRobot *robot, const char *recipe, uint32_t count)
{
    bool opens = crafty_robot_player(robot)->open == CRAFTY_OPEN_NOTHING;
    CraftyCommand fill = {.kind = CRAFTY_COMMAND_FILL_RECIPE, .count = (uint16_t)count};
    cn_format(fill.item, sizeof fill.item, "%s", recipe);
    crafty_robot_release(robot);
    if (opens && !crafty_robot_command(robot, (CraftyCommand){.kind = CRAFTY_COMMAND_OPEN,
                                                              .choice = CRAFTY_OPEN_INVENTORY}))
        return false;
    bool is_made = crafty_robot_command(robot, fill) &&
                   crafty_robot_command(robot, (CraftyCommand){.kind = CRAFTY_COMMAND_QUICK_MOVE,
                                                               .from = CRAFTY_SLOT_RESULT});
    if (opens)
        crafty_robot_command(robot, (CraftyCommand){.kind = CRAFTY_COMMAND_CLOSE});
    return is_made;
}
