/*
 * The recipes of Crafty, as a mod may change them: whatever the file contains, an error is reported
 * with the file, or all items of the recipes exist and matching a grid of them finds a recipe.
 */
#include "fuzz_surface.h"

#include <crafty/world/recipes.h>

#include <string.h>

static const char *const words[] = {"\"recipes\":",
                                    "\"groups\":",
                                    "\"words\":",
                                    "\"shape\":",
                                    "\"keys\":",
                                    "\"shapeless\":",
                                    "\"smelt\":",
                                    "\"result\":",
                                    "\"count\":",
                                    "\"seconds\":",
                                    "\"over\":",
                                    "\"name\":",
                                    "\"stick\"",
                                    "\"ash_*\"",
                                    "\"*_log\"",
                                    "\"#logs\"",
                                    "\"ash_log\"",
                                    "\"*\"",
                                    "\"###\"",
                                    "\"# #\"",
                                    "{",
                                    "}",
                                    "[",
                                    "]",
                                    ",",
                                    ":",
                                    "64",
                                    "1e308",
                                    "-1",
                                    "\\u0000",
                                    NULL};

static void add_seeds(FuzzSeeds *seeds)
{
    fuzz_add_text(seeds,
                  "{\"words\": {\"w\": [\"ash\", \"elm\"]}, \"groups\": {\"logs\": [\"*_log\"]}, "
                  "\"recipes\": [{\"shapeless\": [\"*_log\"], \"result\": \"*_planks\", \"count\": "
                  "4, \"over\": \"w\"}, {\"shape\": [\"##\", \" /\"], \"keys\": {\"#\": \"#logs\", "
                  "\"/\": \"stick\"}, \"result\": \"coal\"}, {\"smelt\": \"#logs\", \"result\": "
                  "\"coal\", \"name\": \"b\", \"seconds\": 2.5}]}");
    fuzz_add_text(seeds, "{\"recipes\": [{\"shapeless\": [\"stick\", \"#a\"], \"result\": "
                         "\"stick\"}], \"groups\": {\"a\": [\"coal\", \"stick\"]}}");
}

/* The items are the same in all runs. */
static const CraftyItems *items_of_the_test(void)
{
    static const char *const names[] = {"ash_log",    "elm_log", "ash_planks",
                                        "elm_planks", "stick",   "coal"};
    static CraftyItems *items;
    if (items)
        return items;
    CnBlockTable *blocks = cn_block_table_create(NULL, NULL);
    FUZZ_CHECK(blocks != NULL);
    cn_block_table_close(blocks);
    items = crafty_items_create(&(CraftyItemsDesc){.blocks = blocks}, NULL);
    FUZZ_CHECK(items != NULL);
    for (uint32_t i = 0; i < CN_COUNT_OF(names); i++)
        FUZZ_CHECK(crafty_items_add(items, &(CraftyItemDesc){.name = names[i]}, NULL));
    return items;
}

static void check(const CraftyRecipes *recipes, const CraftyItems *items, uint32_t index)
{
    const CraftyRecipe *recipe = crafty_recipes_at(recipes, index);
    CraftyItem grid[CRAFTY_GRID_SLOTS] = {0};
    FUZZ_CHECK(crafty_recipes_find(recipes, recipe->name) == recipe);
    FUZZ_CHECK(crafty_items_info(items, recipe->result) != NULL);
    FUZZ_CHECK(recipe->count > 0 && recipe->count <= CRAFTY_STACK_MAX);
    for (uint32_t i = 0; i < CRAFTY_GRID_SLOTS; i++) {
        uint32_t count = crafty_ingredient_count(recipes, recipe->cells[i]);
        for (uint32_t k = 0; k < count; k++) {
            grid[i] = crafty_ingredient_at(recipes, recipe->cells[i], k);
            FUZZ_CHECK(crafty_items_info(items, grid[i]) != NULL);
            FUZZ_CHECK(crafty_ingredient_accepts(recipes, recipe->cells[i], grid[i]));
        }
    }
    if (recipe->kind == CRAFTY_RECIPE_SMELTING)
        FUZZ_CHECK(recipe->ticks > 0 && crafty_recipes_smelting(recipes, grid[0]) != NULL);
    else
        FUZZ_CHECK(crafty_recipes_match(recipes, grid, CRAFTY_GRID_WIDTH) != NULL);
}

static bool run(const uint8_t *bytes, size_t size)
{
    const CraftyItems *items = items_of_the_test();
    CnError error = {0};
    CraftyRecipes *recipes = crafty_recipes_create(
        &(CraftyRecipesDesc){.items = items, .file = "file", .text = {(const char *)bytes, size}},
        &error);
    if (!recipes) {
        FUZZ_CHECK(strcmp(error.file, "file") == 0);
        return false;
    }
    for (uint32_t i = 0; i < crafty_recipes_count(recipes); i++)
        check(recipes, items, i);
    crafty_recipes_destroy(recipes);
    return true;
}

const FuzzSurface fuzz_surface = {
    .max_bytes = 2048, .words = words, .add_seeds = add_seeds, .run = run};
