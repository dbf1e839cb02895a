/* The items, recipes and block rules of the game, and texts that stand for them, for tests. */
#ifndef CAIRN_TESTS_SUPPORT_CRAFTY_DATA_FIXTURE_H
#define CAIRN_TESTS_SUPPORT_CRAFTY_DATA_FIXTURE_H

#include "cmocka_tests.h"
#include "standard_blocks.h"

#include <crafty/world/block_rules.h>
#include <crafty/world/game_data.h>
#include <crafty/world/items_file.h>
#include <crafty/world/recipes.h>

typedef struct GameData {
    CraftyItems *items;
    CraftyRecipes *recipes;
    CraftyBlockRules *rules;
} GameData;

static inline CraftyItems *make_game_items(void)
{
    CnError error = {0};
    CraftyItems *items =
        crafty_items_create(&(CraftyItemsDesc){.blocks = standard_blocks()}, &error);
    assert_non_null(items);
    if (!crafty_items_add_blocks(items, &error) ||
        !crafty_items_read(items, "items.json", crafty_items_text(), &error))
        fail_msg("%s:%d: %s", error.file, error.line, error.message);
    return items;
}

static inline GameData make_game_data(void)
{
    CnError error = {0};
    GameData data = {.items = make_game_items()};
    data.recipes = crafty_recipes_create(&(CraftyRecipesDesc){.items = data.items,
                                                              .file = "recipes.json",
                                                              .text = crafty_recipes_text()},
                                         &error);
    if (!data.recipes)
        fail_msg("%s:%d: %s", error.file, error.line, error.message);
    data.rules =
        crafty_block_rules_create(&(CraftyBlockRulesDesc){.items = data.items,
                                                          .blocks = standard_blocks(),
                                                          .file = "block_rules.json",
                                                          .text = crafty_block_rules_text()},
                                  &error);
    if (!data.rules)
        fail_msg("%s:%d: %s", error.file, error.line, error.message);
    return data;
}

static inline void end_game_data(GameData *data)
{
    crafty_block_rules_destroy(data->rules);
    crafty_recipes_destroy(data->recipes);
    crafty_items_destroy(data->items);
}

#endif
