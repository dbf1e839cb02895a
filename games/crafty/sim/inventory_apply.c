/* The commands about items. */
#include "drops.h"
#include "inventory.h"
#include "inventory_view.h"
#include "player_event.h"
#include "vitals.h"

#include <string.h>

/* ---- Validation ---- */

static bool is_slot(uint32_t slot)
{
    return slot < CRAFTY_SLOT_RESULT || slot == CRAFTY_SLOT_CARRIED ||
           (slot >= CRAFTY_COMMAND_CONTAINER &&
            slot < CRAFTY_COMMAND_CONTAINER + CRAFTY_CONTAINER_SLOTS);
}

/* The text of a command from outside may lack its terminator. */
static bool is_name(const char name[CRAFTY_ITEM_NAME_BYTES])
{
    const char *end = memchr(name, 0, CRAFTY_ITEM_NAME_BYTES);
    return end && crafty_item_name_valid((CnText){name, (size_t)(end - name)});
}

bool crafty_inventory_command_valid(const CraftyCommand *command)
{
    switch ((CraftyCommandKind)command->kind) {
    case CRAFTY_COMMAND_OPEN:
        return command->choice == CRAFTY_OPEN_INVENTORY;
    case CRAFTY_COMMAND_CLOSE:
        return true;
    case CRAFTY_COMMAND_MOVE_ITEMS:
        return command->count && command->from != command->to && is_slot(command->to) &&
               (is_slot(command->from) || command->from == CRAFTY_SLOT_RESULT);
    case CRAFTY_COMMAND_QUICK_MOVE:
        return is_slot(command->from) || command->from == CRAFTY_SLOT_RESULT;
    case CRAFTY_COMMAND_DROP_ITEMS:
    case CRAFTY_COMMAND_DELETE_ITEMS:
        return command->count && is_slot(command->from);
    case CRAFTY_COMMAND_FILL_RECIPE:
        return command->count && is_name(command->item);
    case CRAFTY_COMMAND_SORT:
        return is_slot(command->from);
    default:
        return false;
    }
}

/* ---- Moving ---- */

static bool move_items(CraftyView *view, const CraftyCommand *command)
{
    CraftyStack *from = crafty_view_slot(view, command->from);
    CraftyStack *to = crafty_view_slot(view, command->to);
    if (!from || !to || !crafty_view_accepts(view, command->to, *from))
        return false;
    /* Stacks may change places. */
    return (crafty_stack_same(*from, *to) || crafty_view_accepts(view, command->from, *to)) &&
           crafty_stack_move(view->items, from, to, command->count);
}

static bool quick_move_into(CraftyView *view, uint32_t from)
{
    const CraftyStack *stack = crafty_view_slot(view, from);
    if (!view->is_furnace)
        return crafty_view_spread(view, from, CRAFTY_COMMAND_CONTAINER, view->container_slots);
    bool is_smelted = view->recipes && crafty_recipes_smelting(view->recipes, stack->item);
    return crafty_view_spread(
        view, from, CRAFTY_COMMAND_CONTAINER + (is_smelted ? 0u : CRAFTY_FURNACE_FUEL), 1);
}

static bool quick_move(CraftyView *view, uint32_t from)
{
    const CraftyStack *stack = crafty_view_slot(view, from);
    if (!stack || crafty_stack_is_empty(*stack))
        return false;
    if (from >= CRAFTY_PLAYER_SLOTS) { /* the inventory, then the hotbar */
        bool moves = crafty_view_spread(view, from, CRAFTY_SLOTS, CRAFTY_INVENTORY_SLOTS);
        moves |= crafty_view_spread(view, from, 0, CRAFTY_SLOTS);
        return moves;
    }
    if (view->container_slots > 0 && quick_move_into(view, from))
        return true;
    return from < CRAFTY_SLOTS
               ? crafty_view_spread(view, from, CRAFTY_SLOTS, CRAFTY_INVENTORY_SLOTS)
               : crafty_view_spread(view, from, 0, CRAFTY_SLOTS);
}

/* Ascending by number of the item, then by wear; empty slots last. Stacks of unknown items do not
 * merge. */
static bool precedes(CraftyStack a, CraftyStack b)
{
    if (crafty_stack_is_empty(a) || crafty_stack_is_empty(b))
        return !crafty_stack_is_empty(a) && crafty_stack_is_empty(b);
    if (a.item != b.item)
        return a.item < b.item;
    return a.wear != b.wear ? a.wear < b.wear : a.count > b.count;
}

static bool sort(CraftyView *view, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) /* merge */
        for (uint32_t k = 0; k < i; k++) {
            CraftyStack *from = crafty_view_slot(view, first + i),
                        *to = crafty_view_slot(view, first + k);
            if (!crafty_stack_is_empty(*from) && !crafty_stack_is_empty(*to) &&
                crafty_stack_same(*from, *to) && crafty_items_info(view->items, from->item) &&
                crafty_items_info(view->items, from->item)->is_known)
                crafty_stack_move(view->items, from, to, from->count);
        }
    for (uint32_t i = 1; i < count; i++) {
        CraftyStack stack = *crafty_view_slot(view, first + i);
        uint32_t at = i;
        for (; at > 0 && precedes(stack, *crafty_view_slot(view, first + at - 1)); at--)
            *crafty_view_slot(view, first + at) = *crafty_view_slot(view, first + at - 1);
        *crafty_view_slot(view, first + at) = stack;
    }
    return true;
}

static bool sort_slots(CraftyView *view, uint32_t from)
{
    if (from < CRAFTY_COMMAND_CONTAINER)
        return sort(view, CRAFTY_SLOTS, CRAFTY_INVENTORY_SLOTS);
    return !view->is_furnace && sort(view, CRAFTY_COMMAND_CONTAINER, view->container_slots);
}

/* ---- Dropping and deleting ---- */

static bool delete_items(CraftyView *view, const CraftyCommand *command)
{
    CraftyStack *from = crafty_view_slot(view, command->from);
    if (!crafty_player_is_creative(&view->player) || !from || crafty_stack_is_empty(*from) ||
        command->count > from->count)
        return false;
    crafty_stack_take(from, command->count);
    return true;
}

/* The drop is created first, because everything else can be undone. */
static bool drop_items(CraftyView *view, const CraftyCommand *command)
{
    CraftyStack *from = crafty_view_slot(view, command->from);
    if (!from || crafty_stack_is_empty(*from) || command->count > from->count)
        return false;
    CraftyStack thrown = *from;
    thrown.count = command->count;
    crafty_stack_take(from, command->count);
    if (!view->has_changed) { /* nothing can fail any more */
        if (!crafty_drop_throw(view->world, view->entity, thrown).id)
            return false;
        return crafty_view_commit(view);
    }
    /* First into the hand of the player, so that nothing is lost if it cannot be thrown. */
    CraftyStack carried = view->player.carried;
    view->player.carried = thrown;
    if (!crafty_stack_is_empty(carried) || !crafty_view_commit(view))
        return false;
    if (crafty_drop_throw(view->world, view->entity, thrown).id)
        cn_get_mut(view->world, view->entity, CraftyPlayer)->carried = (CraftyStack){0};
    return true;
}

/* ---- Applying ---- */

static bool craft(CraftyView *view, const CraftyCommand *command)
{
    const CraftyRecipe *recipe = crafty_view_recipe(view);
    const CnTransform *eye = cn_get(view->world, view->entity, CnTransform);
    uint32_t times = command->kind == CRAFTY_COMMAND_QUICK_MOVE
                         ? crafty_view_craft_all(view)
                         : crafty_view_craft(view, command->to);
    CraftyPlayerEvent event = {.player = view->entity,
                               .kind = CRAFTY_PLAYER_CRAFTED,
                               .item = recipe ? recipe->result : CRAFTY_NO_ITEM,
                               .count = (uint16_t)(recipe ? times * recipe->count : 0),
                               .position = eye ? eye->position : cn_vec3(0, 0, 0)};
    if (times == 0 || !crafty_view_commit(view))
        return false;
    crafty_player_event_send(view->world, &event);
    return true;
}

static bool is_craft(const CraftyCommand *command)
{
    return command->from == CRAFTY_SLOT_RESULT && (command->kind == CRAFTY_COMMAND_MOVE_ITEMS ||
                                                   command->kind == CRAFTY_COMMAND_QUICK_MOVE);
}

bool crafty_inventory_apply(CnWorld *world, CnEntity player, const CraftyCommand *command)
{
    CraftyView view;
    const CraftyVitals *vitals = cn_get(world, player, CraftyVitals);
    if (!cn_get(world, player, CraftyPlayer) || (vitals && vitals->dead))
        return false;
    switch ((CraftyCommandKind)command->kind) {
    case CRAFTY_COMMAND_OPEN:
        crafty_inventory_open(world, player, (CraftyOpen)command->choice, (CnCell){0});
        return true;
    case CRAFTY_COMMAND_CLOSE:
        crafty_inventory_close(world, player);
        return true;
    default:
        break;
    }
    if (!crafty_view_begin(&view, world, player, command))
        return false;
    if (is_craft(command))
        return craft(&view, command);
    switch ((CraftyCommandKind)command->kind) {
    case CRAFTY_COMMAND_MOVE_ITEMS:
        return move_items(&view, command) && crafty_view_commit(&view);
    case CRAFTY_COMMAND_QUICK_MOVE:
        return quick_move(&view, command->from) && crafty_view_commit(&view);
    case CRAFTY_COMMAND_DROP_ITEMS:
        return drop_items(&view, command);
    case CRAFTY_COMMAND_DELETE_ITEMS:
        return delete_items(&view, command) && crafty_view_commit(&view);
    case CRAFTY_COMMAND_FILL_RECIPE:
        return crafty_view_fill(&view, command->item, command->count) && crafty_view_commit(&view);
    case CRAFTY_COMMAND_SORT:
        return sort_slots(&view, command->from) && crafty_view_commit(&view);
    default:
        return false;
    }
}
