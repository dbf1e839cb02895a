#include "inventory_view.h"

#include "identity.h"

static bool is_container_slot(uint32_t slot)
{
    return slot >= CRAFTY_COMMAND_CONTAINER;
}

/* ---- Begin and end ---- */

static bool open_container(CraftyView *view, const CraftyCommand *command)
{
    const CraftyPlayer *player = &view->player;
    const CnTransform *transform = cn_get(view->world, view->entity, CnTransform);
    CnVoxels *voxels = cn_resource(view->world, CraftyBlocks)->voxels;
    bool is_open = player->open == CRAFTY_OPEN_CRATE || player->open == CRAFTY_OPEN_FURNACE;
    const int32_t *cell = is_open ? player->open_cell : command->cell;
    view->cell = (CnCell){cell[0], cell[1], cell[2]};
    if (!transform || !crafty_container_is_near(transform->position, view->cell))
        return false;
    view->is_furnace = crafty_furnace_read(view->world, view->cell, &view->furnace);
    view->container_slots =
        view->is_furnace
            ? CRAFTY_FURNACE_SLOTS
            : crafty_container_slots(cn_voxels_blocks(voxels), cn_voxels_get(voxels, view->cell));
    return view->is_furnace || crafty_container_read(voxels, view->cell, &view->container);
}

bool crafty_view_begin(CraftyView *view, CnWorld *world, CnEntity entity,
                       const CraftyCommand *command)
{
    const CraftyPlayer *player = cn_get(world, entity, CraftyPlayer);
    const CraftyItemList *list = cn_resource(world, CraftyItemList);
    if (!player || !list)
        return false;
    *view = (CraftyView){.world = world,
                         .entity = entity,
                         .items = list->items,
                         .recipes = list->recipes,
                         .player = *player};
    bool is_open = player->open == CRAFTY_OPEN_CRATE || player->open == CRAFTY_OPEN_FURNACE;
    bool needs_container = is_container_slot(command->from) || is_container_slot(command->to);
    if (!is_open && !needs_container)
        return true;
    if (!is_open && cn_get(world, entity, CraftyIdentity))
        return false; /* somebody on a server has to open it first, which walls prevent */
    bool is_there = open_container(view, command);
    if (!is_there)
        view->container_slots = 0;
    return is_there || !needs_container;
}

bool crafty_view_commit(CraftyView *view)
{
    CnVoxels *voxels = cn_resource(view->world, CraftyBlocks)->voxels;
    if (view->has_changed &&
        !(view->is_furnace ? crafty_furnace_write(view->world, view->cell, &view->furnace, NULL)
                           : crafty_container_write(voxels, view->cell, &view->container, NULL)))
        return false;
    *cn_get_mut(view->world, view->entity, CraftyPlayer) = view->player;
    return true;
}

/* ---- Slots ---- */

static bool is_in_grid(const CraftyPlayer *player, uint32_t cell)
{
    uint32_t width = crafty_inventory_grid_width(player);
    return cell % CRAFTY_GRID_WIDTH < width && cell / CRAFTY_GRID_WIDTH < width;
}

CraftyStack *crafty_view_slot(CraftyView *view, uint32_t slot)
{
    if (slot == CRAFTY_SLOT_CARRIED)
        return &view->player.carried;
    if (slot >= CRAFTY_SLOT_GRID && slot < CRAFTY_SLOT_GRID + CRAFTY_GRID_SLOTS)
        return is_in_grid(&view->player, slot - CRAFTY_SLOT_GRID)
                   ? &view->player.grid[slot - CRAFTY_SLOT_GRID]
                   : NULL;
    if (!is_container_slot(slot))
        return crafty_player_slot(&view->player, slot);
    if (slot - CRAFTY_COMMAND_CONTAINER >= view->container_slots)
        return NULL;
    view->has_changed = true;
    return view->is_furnace ? &view->furnace.slots[slot - CRAFTY_COMMAND_CONTAINER]
                            : &view->container.slots[slot - CRAFTY_COMMAND_CONTAINER];
}

bool crafty_view_accepts(const CraftyView *view, uint32_t slot, CraftyStack stack)
{
    if (!is_container_slot(slot) || !view->is_furnace || crafty_stack_is_empty(stack))
        return true;
    const CraftyItemInfo *info = crafty_items_info(view->items, stack.item);
    switch (slot - CRAFTY_COMMAND_CONTAINER) {
    case CRAFTY_FURNACE_FUEL:
        return info && info->is_known && info->fuel_seconds > 0;
    case CRAFTY_FURNACE_RESULT:
        return false;
    default:
        return true;
    }
}

bool crafty_view_spread(CraftyView *view, uint32_t from, uint32_t first, uint32_t count)
{
    CraftyStack *stack = crafty_view_slot(view, from);
    bool has_moved = false;
    for (uint32_t i = 0; i < 2 * count && !crafty_stack_is_empty(*stack); i++) {
        bool wants_empty = i >= count;
        uint32_t number = first + i % count;
        CraftyStack *slot = number == from ? NULL : crafty_view_slot(view, number);
        if (!slot || crafty_stack_is_empty(*slot) != wants_empty ||
            (!wants_empty && !crafty_stack_same(*slot, *stack)) ||
            !crafty_view_accepts(view, number, *stack))
            continue;
        has_moved = crafty_stack_move(view->items, stack, slot, stack->count) || has_moved;
    }
    return has_moved;
}
