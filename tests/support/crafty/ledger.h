/*
 * A ledger of items: how many there are of each kind. Tests count everything before and after
 * something happened, and compare.
 *
 *     Ledger before = {0}, after = {0};
 *     ledger_add_player(&before, player);
 *     act();
 *     ledger_add_player(&after, player);
 *     if (!ledger_same(&before, &after))
 *         ledger_print(items, &before, &after);
 */
#ifndef CAIRN_TESTS_SUPPORT_CRAFTY_LEDGER_H
#define CAIRN_TESTS_SUPPORT_CRAFTY_LEDGER_H

#include "cmocka_tests.h"

#include <crafty/sim/container.h>
#include <crafty/sim/drops.h>
#include <crafty/sim/furnace.h>
#include <crafty/sim/inventory.h>

#include <string.h>

#define LEDGER_ITEMS 4096u

typedef struct Ledger {
    int32_t counts[LEDGER_ITEMS];
} Ledger;

/* ---- Counting ---- */

static inline void ledger_add(Ledger *ledger, CraftyStack stack)
{
    if (crafty_stack_is_empty(stack))
        return;
    assert_true(stack.item < LEDGER_ITEMS);
    ledger->counts[stack.item] += stack.count;
}

/* Slots, grid and cursor. */
static inline void ledger_add_player(Ledger *ledger, const CraftyPlayer *of)
{
    CraftyPlayer copy = *of;
    for (uint32_t i = 0; i < CRAFTY_PLAYER_SLOTS; i++)
        ledger_add(ledger, *crafty_player_slot(&copy, i));
    for (uint32_t i = 0; i < CRAFTY_GRID_SLOTS; i++)
        ledger_add(ledger, copy.grid[i]);
    ledger_add(ledger, copy.carried);
}

static inline void ledger_add_container(Ledger *ledger, CnVoxels *voxels, CnCell cell)
{
    CraftyContainer container;
    if (!crafty_container_read(voxels, cell, &container))
        return;
    for (uint32_t i = 0; i < CRAFTY_CONTAINER_SLOTS; i++)
        ledger_add(ledger, container.slots[i]);
}

static inline void ledger_add_furnace(Ledger *ledger, const CnWorld *of, CnCell cell)
{
    CraftyFurnace furnace;
    if (!crafty_furnace_read(of, cell, &furnace))
        return;
    for (uint32_t i = 0; i < CRAFTY_FURNACE_SLOTS; i++)
        ledger_add(ledger, furnace.slots[i]);
}

static inline void ledger_add_drops(Ledger *ledger, const CnQuery *drops)
{
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(drops); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++)
            ledger_add(ledger, cn_column_const(&view, CraftyDrop)[i].stack);
}

/* ---- Comparing ---- */

static inline bool ledger_same(const Ledger *a, const Ledger *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static inline void ledger_print(const CraftyItems *items, const Ledger *before, const Ledger *after)
{
    for (uint32_t i = 1; i < LEDGER_ITEMS; i++)
        if (before->counts[i] != after->counts[i])
            print_error("%s: %d, then %d\n", crafty_items_info(items, i)->name, before->counts[i],
                        after->counts[i]);
}

/* ---- What changes items ---- */

/* Takes one item; what is left of it, such as a bowl, is added. */
static inline void ledger_use(Ledger *ledger, const CraftyItems *items, CraftyItem item)
{
    ledger->counts[item]--;
    ledger->counts[crafty_items_info(items, item)->remainder]++;
    ledger->counts[CRAFTY_NO_ITEM] = 0;
}

/* Takes one item of each cell of the grid and adds what the recipe makes. */
static inline void ledger_craft(Ledger *ledger, const CraftyItems *items,
                                const CraftyPlayer *before, const CraftyRecipe *recipe)
{
    uint32_t width = crafty_inventory_grid_width(before);
    for (uint32_t i = 0; i < CRAFTY_GRID_SLOTS; i++) {
        CraftyStack cell = before->grid[i];
        if (i % CRAFTY_GRID_WIDTH < width && i / CRAFTY_GRID_WIDTH < width &&
            !crafty_stack_is_empty(cell))
            ledger_use(ledger, items, cell.item);
    }
    ledger->counts[recipe->result] += recipe->count;
}

static inline void ledger_smelt(Ledger *ledger, const CraftyRecipe *recipe, CraftyItem input)
{
    ledger->counts[input]--;
    ledger->counts[recipe->result] += recipe->count;
}

#endif
