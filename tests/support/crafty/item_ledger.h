/*
 * A ledger of all items of the fixture (item_fixture.h): slots, cursors and grids of the players,
 * containers, furnaces and drops. What changes must be explained by recipes, fuel and smelting.
 */
#ifndef CAIRN_TESTS_SUPPORT_CRAFTY_ITEM_LEDGER_H
#define CAIRN_TESTS_SUPPORT_CRAFTY_ITEM_LEDGER_H

#include "inventory_fixture.h"
#include "ledger.h"
#include "random.h"

/* Counts everything. */
static inline void ledger_count(Ledger *ledger, const CnQuery *drops)
{
    memset(ledger, 0, sizeof *ledger);
    for (uint32_t i = 0; i < FIXTURE_PLAYERS; i++)
        ledger_add_player(ledger, player(i));
    ledger_add_container(ledger, blocks.world, CRATE);
    ledger_add_container(ledger, blocks.world, CHEST);
    ledger_add_furnace(ledger, world, FURNACE);
    ledger_add_furnace(ledger, world, OTHER_FURNACE);
    ledger_add_drops(ledger, drops);
}

/* Returns whether burning at most one fuel and smelting at most one item in each furnace, as they
 * were before, explains the difference. */
static inline bool ledger_furnaces_explain(const Ledger *before, const Ledger *after,
                                           const CraftyFurnace furnaces[2])
{
    for (uint32_t choice = 0; choice < 16; choice++) {
        Ledger expected = *before;
        for (uint32_t i = 0; i < 2; i++) {
            CraftyStack input = furnaces[i].slots[CRAFTY_FURNACE_INPUT],
                        fuel = furnaces[i].slots[CRAFTY_FURNACE_FUEL];
            const CraftyRecipe *recipe = crafty_recipes_smelting(data.recipes, input.item);
            if (choice >> 2 * i & 1 && !crafty_stack_is_empty(fuel))
                ledger_use(&expected, data.items, fuel.item);
            if (choice >> (2 * i + 1) & 1 && recipe)
                ledger_smelt(&expected, recipe, input.item);
        }
        if (ledger_same(&expected, after))
            return true;
    }
    return false;
}

/* Returns whether lighting one item of fuel explains the difference. */
static inline bool ledger_fuel_explains(const Ledger *before, const Ledger *after)
{
    for (uint32_t i = 1; i < LEDGER_ITEMS; i++) {
        const CraftyItemInfo *info = crafty_items_info(data.items, i);
        Ledger expected = *before;
        if (!info || !(info->fuel_seconds > 0) || before->counts[i] == after->counts[i])
            continue;
        ledger_use(&expected, data.items, (CraftyItem)i);
        if (ledger_same(&expected, after))
            return true;
    }
    return false;
}

/* ---- Random commands ---- */

/* A stack for each of the first slots, and something in the furnaces. */
static inline void ledger_stock(TestRandom *random)
{
    static const char *const names[] = {"oak_log",   "stick",  "coal",         "iron_ingot",
                                        "raw_iron",  "sand",   "cobblestone",  "oak_planks",
                                        "red_dye",   "bowl",   "red_mushroom", "water_bucket",
                                        "dirt",      "gravel", "diamond",      "white_wool",
                                        "stone_axe", "wheat",  "plant_fiber",  "sugar_cane"};
    for (uint32_t p = 0; p < FIXTURE_PLAYERS; p++)
        for (uint32_t i = 0; i < 26; i++) {
            CraftyStack *slot = crafty_player_slot(player(p), i);
            CraftyItem item = item_of(names[test_random_below(random, CN_COUNT_OF(names))]);
            crafty_stack_put(data.items, slot, item, 1 + test_random_below(random, 64));
        }
}

static inline uint8_t ledger_slot(TestRandom *random, const CraftyPlayer *of)
{
    uint32_t kind = test_random_below(random, 10);
    if (kind < 4)
        return (uint8_t)test_random_below(random, CRAFTY_PLAYER_SLOTS);
    if (kind < 6)
        return CRAFTY_SLOT_CARRIED;
    if (of->open == CRAFTY_OPEN_FURNACE)
        return (uint8_t)(CRAFTY_COMMAND_CONTAINER + test_random_below(random, 3));
    if (of->open == CRAFTY_OPEN_CRATE)
        return (uint8_t)(CRAFTY_COMMAND_CONTAINER + test_random_below(random, 27));
    return (uint8_t)(CRAFTY_SLOT_GRID + test_random_below(random, CRAFTY_GRID_SLOTS + 1));
}

/* Returns a recipe, if possible one for which the player has the items. */
static inline const CraftyRecipe *ledger_recipe(TestRandom *random, const CraftyPlayer *of)
{
    const CraftyRecipe *recipe = NULL;
    for (uint32_t tries = 0; tries < 300; tries++) {
        CraftyPlayer copy = *of;
        CraftyItemCount have[CRAFTY_PLAYER_SLOTS] = {0};
        CraftyItem chosen[CRAFTY_GRID_SLOTS];
        for (uint32_t i = 0; i < CRAFTY_PLAYER_SLOTS; i++) {
            CraftyStack stack = *crafty_player_slot(&copy, i);
            have[i] = (CraftyItemCount){stack.item, stack.count};
        }
        recipe = crafty_recipes_at(data.recipes,
                                   test_random_below(random, crafty_recipes_count(data.recipes)));
        uint32_t width = crafty_inventory_grid_width(of);
        if (recipe->kind != CRAFTY_RECIPE_SMELTING && recipe->width <= width &&
            recipe->height <= width &&
            crafty_recipes_choose(data.recipes, recipe, 1, have, CRAFTY_PLAYER_SLOTS, chosen))
            break;
    }
    return recipe;
}

/* Mostly possible commands; blocks are opened as by using them. */
static inline CraftyCommand ledger_command(TestRandom *random, uint32_t index)
{
    static const uint8_t kinds[] = {
        CRAFTY_COMMAND_MOVE_ITEMS,  CRAFTY_COMMAND_MOVE_ITEMS,  CRAFTY_COMMAND_MOVE_ITEMS,
        CRAFTY_COMMAND_MOVE_ITEMS,  CRAFTY_COMMAND_QUICK_MOVE,  CRAFTY_COMMAND_QUICK_MOVE,
        CRAFTY_COMMAND_FILL_RECIPE, CRAFTY_COMMAND_FILL_RECIPE, CRAFTY_COMMAND_DROP_ITEMS,
        CRAFTY_COMMAND_SORT,        CRAFTY_COMMAND_CLOSE,       CRAFTY_COMMAND_OPEN};
    const CraftyPlayer *of = player(index);
    CraftyCommand sent = {.kind = kinds[test_random_below(random, CN_COUNT_OF(kinds))],
                          .choice = CRAFTY_OPEN_INVENTORY,
                          .count = (uint16_t)(1 + test_random_below(random, 12)),
                          .from = ledger_slot(random, of),
                          .to = ledger_slot(random, of)};
    if (crafty_inventory_recipe(world, players[index]) && test_random_chance(random, 50)) {
        sent.kind =
            test_random_chance(random, 70) ? CRAFTY_COMMAND_MOVE_ITEMS : CRAFTY_COMMAND_QUICK_MOVE;
        sent.from = CRAFTY_SLOT_RESULT;
        sent.to = test_random_chance(random, 50) ? CRAFTY_SLOT_CARRIED
                                                 : (uint8_t)test_random_below(random, 36);
    }
    cn_copy_text(sent.item, sizeof sent.item, cn_text(ledger_recipe(random, of)->name));
    return sent;
}

static inline void ledger_open_block(TestRandom *random, uint32_t index)
{
    static const CraftyOpen what[] = {CRAFTY_OPEN_TABLE, CRAFTY_OPEN_TABLE, CRAFTY_OPEN_CRATE,
                                      CRAFTY_OPEN_CRATE, CRAFTY_OPEN_CRATE, CRAFTY_OPEN_FURNACE};
    const CnCell cells[] = {TABLE, TABLE, CRATE,
                            CHEST, CRATE, test_random_chance(random, 70) ? FURNACE : OTHER_FURNACE};
    uint32_t chosen = test_random_below(random, CN_COUNT_OF(what));
    crafty_inventory_open(world, players[index], what[chosen], cells[chosen]);
}

typedef struct LedgerCounts {
    uint32_t applied, refused, crafted, burnt, smelted;
} LedgerCounts;

/* Applies a command and checks that everything that changes is explained. */
static inline void ledger_apply(uint32_t index, const CraftyCommand *sent, const CnQuery *drops,
                                LedgerCounts *counts)
{
    static Ledger before, after;
    CraftyPlayer old = *player(index);
    const CraftyRecipe *recipe = crafty_inventory_recipe(world, players[index]);
    ledger_count(&before, drops);
    bool is_valid = crafty_inventory_command_valid(sent);
    bool is_applied = is_valid && crafty_inventory_apply(world, players[index], sent);
    ledger_count(&after, drops);
    counts->applied += is_applied;
    counts->refused += !is_applied;
    bool crafts =
        is_applied && recipe && sent->from == CRAFTY_SLOT_RESULT &&
        (sent->kind == CRAFTY_COMMAND_MOVE_ITEMS || sent->kind == CRAFTY_COMMAND_QUICK_MOVE);
    counts->crafted += crafts;
    for (uint32_t i = 0; crafts && i < CRAFTY_STACK_MAX && !ledger_same(&before, &after); i++)
        ledger_craft(&before, data.items, &old, recipe);
    if (ledger_same(&before, &after))
        return;
    if (is_applied && !crafts && ledger_fuel_explains(&before, &after)) {
        counts->burnt++;
        return;
    }
    ledger_print(data.items, &before, &after);
    fail_msg("a command of kind %u from %u to %u, which is %s", sent->kind, sent->from, sent->to,
             is_applied ? "applied" : "refused");
}

/* Runs a tick and checks that only furnaces change something. */
static inline void ledger_tick(const CnQuery *drops, LedgerCounts *counts)
{
    static Ledger before, after;
    CraftyFurnace furnaces[2] = {0};
    ledger_count(&before, drops);
    assert_true(crafty_furnace_read(world, FURNACE, &furnaces[0]));
    assert_true(crafty_furnace_read(world, OTHER_FURNACE, &furnaces[1]));
    run_ticks(1);
    ledger_count(&after, drops);
    if (ledger_same(&before, &after))
        return;
    counts->smelted++;
    if (!ledger_furnaces_explain(&before, &after, furnaces)) {
        ledger_print(data.items, &before, &after);
        fail_msg("a tick has changed the items");
    }
}

#endif
