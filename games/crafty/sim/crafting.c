/* Crafting: the grid of a player and what is made of it. */
#include "inventory_view.h"

#include <string.h>

const CraftyRecipe *crafty_view_recipe(const CraftyView *view)
{
    uint32_t width = crafty_inventory_grid_width(&view->player);
    CraftyItem grid[CRAFTY_GRID_SLOTS];
    if (!view->recipes || width == 0)
        return NULL;
    for (uint32_t i = 0; i < CRAFTY_GRID_SLOTS; i++) {
        grid[i] = crafty_stack_checked(view->items, view->player.grid[i]).item;
        if (!grid[i] && !crafty_stack_is_empty(view->player.grid[i]))
            return NULL; /* nobody knows what can be made of an unknown item */
    }
    return crafty_recipes_match(view->recipes, grid, width);
}

/* ---- Making ---- */

/* Takes one item of each cell. What is left of them, such as a bucket, stays in its cell or goes to
 * the slots. Returns false if there is no room for it. */
static bool use_ingredients(CraftyView *view)
{
    for (uint32_t i = 0; i < CRAFTY_GRID_SLOTS; i++) {
        CraftyStack *cell = crafty_view_slot(view, CRAFTY_SLOT_GRID + i);
        if (!cell || crafty_stack_is_empty(*cell))
            continue;
        CraftyItem remainder = crafty_items_info(view->items, cell->item)->remainder;
        CraftyStack left = {.item = remainder, .count = remainder != CRAFTY_NO_ITEM};
        crafty_stack_take(cell, 1);
        if (remainder && crafty_stack_is_empty(*cell)) {
            *cell = left;
            left.count = 0;
        }
        crafty_player_give(view->items, &view->player, &left);
        if (left.count > 0)
            return false;
    }
    return true;
}

bool crafty_view_craft(CraftyView *view, uint32_t to)
{
    const CraftyRecipe *recipe = crafty_view_recipe(view);
    CraftyStack *slot = crafty_view_slot(view, to);
    bool is_place = to < CRAFTY_PLAYER_SLOTS || to == CRAFTY_SLOT_CARRIED;
    return recipe && slot && is_place &&
           crafty_stack_put(view->items, slot, recipe->result, recipe->count) == recipe->count &&
           use_ingredients(view);
}

uint32_t crafty_view_craft_all(CraftyView *view)
{
    const CraftyRecipe *first = crafty_view_recipe(view);
    uint32_t times = 0;
    while (first && crafty_view_recipe(view) == first) {
        CraftyPlayer before = view->player;
        CraftyStack made = {.item = first->result, .count = first->count};
        crafty_player_give(view->items, &view->player, &made);
        if (made.count > 0 || !use_ingredients(view)) {
            view->player = before;
            break;
        }
        times++;
    }
    return times;
}

/* ---- Filling the grid ---- */

static bool return_grid(CraftyView *view)
{
    for (uint32_t i = 0; i < CRAFTY_GRID_SLOTS; i++) {
        crafty_player_give(view->items, &view->player, &view->player.grid[i]);
        if (!crafty_stack_is_empty(view->player.grid[i]))
            return false;
    }
    return true;
}

/* Lists what the slots have, each item once. Returns how many items. */
static uint32_t list_items(CraftyView *view, CraftyItemCount have[CRAFTY_PLAYER_SLOTS])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < CRAFTY_PLAYER_SLOTS; i++) {
        CraftyStack stack =
            crafty_stack_checked(view->items, *crafty_player_slot(&view->player, i));
        uint32_t at = 0;
        if (crafty_stack_is_empty(stack))
            continue;
        while (at < count && have[at].item != stack.item)
            at++;
        if (at == count)
            have[count++] = (CraftyItemCount){.item = stack.item};
        have[at].count += stack.count;
    }
    return count;
}

/* From the last slot on, so that the hotbar is used last. */
static void take_from_slots(CraftyView *view, CraftyItem item, uint32_t count, CraftyStack *to)
{
    for (uint32_t i = CRAFTY_PLAYER_SLOTS; i-- > 0 && count > 0;) {
        CraftyStack *slot = crafty_player_slot(&view->player, i);
        uint32_t some = slot->count < count ? slot->count : count;
        if (slot->item == item && some > 0 && crafty_stack_move(view->items, slot, to, some))
            count -= some;
    }
}

/* Returns how many times the recipe fits into the grid: a cell holds one stack. */
static uint32_t most_times(const CraftyView *view, const CraftyItem chosen[CRAFTY_GRID_SLOTS],
                           uint32_t times)
{
    for (uint32_t i = 0; i < CRAFTY_GRID_SLOTS; i++) {
        uint32_t limit = chosen[i] ? crafty_items_info(view->items, chosen[i])->stack_max : times;
        times = limit < times ? limit : times;
    }
    return times;
}

bool crafty_view_fill(CraftyView *view, const char *name, uint32_t times)
{
    const CraftyRecipe *recipe = view->recipes ? crafty_recipes_find(view->recipes, name) : NULL;
    uint32_t width = crafty_inventory_grid_width(&view->player);
    CraftyItem chosen[CRAFTY_GRID_SLOTS];
    CraftyItemCount have[CRAFTY_PLAYER_SLOTS];
    if (!recipe || recipe->kind == CRAFTY_RECIPE_SMELTING || recipe->width > width ||
        recipe->height > width || !return_grid(view))
        return false;
    uint32_t have_count = list_items(view, have);
    times = times < CRAFTY_STACK_MAX ? times : CRAFTY_STACK_MAX;
    for (; times > 0; times--)
        if (crafty_recipes_choose(view->recipes, recipe, times, have, have_count, chosen) &&
            most_times(view, chosen, times) == times)
            break;
        else
            have_count = list_items(view, have); /* choosing has changed it */
    for (uint32_t i = 0; i < CRAFTY_GRID_SLOTS && times > 0; i++)
        if (chosen[i])
            take_from_slots(view, chosen[i], times, &view->player.grid[i]);
    return times > 0;
}
