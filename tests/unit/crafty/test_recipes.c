/* Recipes: reading, matching and choosing. */
#include "data_fixture.h"

#include <string.h>

static GameData data;

static int begin(void **state)
{
    (void)state;
    data = make_game_data();
    return 0;
}

static int end(void **state)
{
    (void)state;
    end_game_data(&data);
    return 0;
}

static CraftyItem item(const char *name)
{
    CraftyItem found = name ? crafty_items_find(data.items, name) : CRAFTY_NO_ITEM;
    if (name && !found)
        fail_msg("there is no item %s", name);
    return found;
}

/* Returns the name of the recipe for the items of a grid, row by row; NULL: nothing. */
static const char *made_of(const char *const names[CRAFTY_GRID_SLOTS], uint32_t width)
{
    CraftyItem grid[CRAFTY_GRID_SLOTS];
    for (uint32_t i = 0; i < CRAFTY_GRID_SLOTS; i++)
        grid[i] = item(names[i]);
    const CraftyRecipe *recipe = crafty_recipes_match(data.recipes, grid, width);
    return recipe ? recipe->name : NULL;
}

#define MADE(width, ...) made_of((const char *const[CRAFTY_GRID_SLOTS]){__VA_ARGS__}, width)

/* ---- The recipes of the game ---- */

static void the_game_has_at_least_120_rows_of_recipes(void **state)
{
    (void)state;
    assert_true(crafty_recipes_row_count(data.recipes) >= 120);
    assert_true(crafty_recipes_count(data.recipes) > crafty_recipes_row_count(data.recipes));
}

static void every_recipe_is_found_by_its_name(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < crafty_recipes_count(data.recipes); i++) {
        const CraftyRecipe *recipe = crafty_recipes_at(data.recipes, i);
        assert_ptr_equal(crafty_recipes_find(data.recipes, recipe->name), recipe);
    }
    assert_null(crafty_recipes_find(data.recipes, "philosophers_stone"));
}

/* No other recipe comes before it: each one can be made. */
static void the_first_items_of_every_recipe_make_it(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < crafty_recipes_count(data.recipes); i++) {
        const CraftyRecipe *recipe = crafty_recipes_at(data.recipes, i), *found;
        CraftyItem grid[CRAFTY_GRID_SLOTS] = {0};
        for (uint32_t k = 0; k < CRAFTY_GRID_SLOTS; k++)
            if (recipe->cells[k])
                grid[k] = crafty_ingredient_at(data.recipes, recipe->cells[k], 0);
        found = recipe->kind == CRAFTY_RECIPE_SMELTING
                    ? crafty_recipes_smelting(data.recipes, grid[0])
                    : crafty_recipes_match(data.recipes, grid, CRAFTY_GRID_WIDTH);
        if (found != recipe)
            fail_msg("the items of %s make %s", recipe->name, found ? found->name : "nothing");
    }
}

/* ---- Matching ---- */

static void a_log_makes_planks_wherever_it_lies(void **state)
{
    (void)state;
    assert_string_equal(MADE(3, "birch_log"), "birch_planks");
    assert_string_equal(MADE(3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "birch_log"),
                        "birch_planks");
    assert_null(MADE(3, "birch_log", "birch_log", "birch_log"));
}

static void a_shape_lies_anywhere_in_the_grid(void **state)
{
    (void)state;
    assert_string_equal(MADE(2, "coal", NULL, NULL, "stick"), "torch");
    assert_string_equal(MADE(3, NULL, NULL, NULL, NULL, NULL, "coal", NULL, NULL, "stick"),
                        "torch");
    assert_null(MADE(3, "stick", NULL, NULL, "coal"));
    assert_null(MADE(3, "coal", NULL, NULL, NULL, NULL, NULL, "stick"));
}

static void a_shape_may_be_mirrored(void **state)
{
    (void)state;
    assert_string_equal(
        MADE(3, "diamond", "diamond", NULL, "diamond", "stick", NULL, NULL, "stick", NULL),
        "diamond_axe");
    assert_string_equal(
        MADE(3, "diamond", "diamond", NULL, "stick", "diamond", NULL, "stick", NULL, NULL),
        "diamond_axe");
}

static void the_items_of_a_group_may_be_mixed(void **state)
{
    (void)state;
    assert_string_equal(
        MADE(2, "oak_planks", "birch_planks", NULL, "cherry_planks", "spruce_planks"),
        "crafting_table");
    assert_null(MADE(2, "oak_planks", "birch_planks", NULL, "cherry_planks", "stone"));
}

static void a_list_of_items_has_any_order(void **state)
{
    (void)state;
    assert_string_equal(MADE(3, "bowl", "red_mushroom", "brown_mushroom"), "mushroom_stew");
    assert_string_equal(MADE(3, NULL, "red_mushroom", NULL, NULL, "bowl", NULL, "red_mushroom"),
                        "mushroom_stew");
    assert_null(MADE(3, "bowl", "red_mushroom"));
    assert_null(MADE(3, "bowl", "red_mushroom", "brown_mushroom", "brown_mushroom"));
}

static void cells_outside_of_the_grid_of_the_hand_do_not_count(void **state)
{
    (void)state;
    assert_string_equal(MADE(2, "oak_log", NULL, "stone"), "oak_planks");
    assert_null(MADE(3, "oak_log", NULL, "stone"));
}

static void an_empty_grid_makes_nothing(void **state)
{
    (void)state;
    assert_null(MADE(3, NULL));
    CraftyItem unknown[CRAFTY_GRID_SLOTS] = {65535};
    assert_null(crafty_recipes_match(data.recipes, unknown, 3));
}

static void ores_lead_to_ingots(void **state)
{
    (void)state;
    const CraftyRecipe *recipe = crafty_recipes_smelting(data.recipes, item("raw_iron"));
    assert_int_equal(recipe->result, item("iron_ingot"));
    assert_int_equal(recipe->ticks, 600);
    assert_null(crafty_recipes_smelting(data.recipes, item("stick")));
    assert_null(crafty_recipes_smelting(data.recipes, 65535));
}

/* ---- Choosing ---- */

static void what_there_is_most_of_is_chosen(void **state)
{
    (void)state;
    CraftyItemCount have[] = {{item("oak_planks"), 2}, {item("birch_planks"), 5}};
    CraftyItem chosen[CRAFTY_GRID_SLOTS];
    const CraftyRecipe *table = crafty_recipes_find(data.recipes, "crafting_table");
    assert_true(crafty_recipes_choose(data.recipes, table, 1, have, 2, chosen));
    assert_int_equal(chosen[0], item("birch_planks"));
    assert_int_equal(have[0].count + have[1].count, 3);
    assert_false(crafty_recipes_choose(data.recipes, table, 1, have, 2, chosen));
    assert_int_equal(have[0].count + have[1].count, 3);
}

static void single_items_are_chosen_before_groups(void **state)
{
    (void)state;
    /* A carved block needs oak planks and two sticks; there is no other use of them. */
    CraftyItemCount have[] = {{item("stick"), 2}, {item("oak_planks"), 1}};
    CraftyItem chosen[CRAFTY_GRID_SLOTS];
    assert_true(crafty_recipes_choose(data.recipes, crafty_recipes_find(data.recipes, "oak_carved"),
                                      1, have, 2, chosen));
    assert_int_equal(chosen[1], item("oak_planks"));
    assert_int_equal(have[0].count, 0);
}

/* ---- Wrong files ---- */

typedef struct WrongText {
    const char *text;
    int line;
    const char *message; /* contained in it */
} WrongText;

static void expect_error(const WrongText *wrong)
{
    CnError error = {0};
    CraftyRecipes *recipes = crafty_recipes_create(
        &(CraftyRecipesDesc){.items = data.items, .file = "mod.json", .text = cn_text(wrong->text)},
        &error);
    assert_null(recipes);
    assert_string_equal(error.file, "mod.json");
    if (error.line != wrong->line || !strstr(error.message, wrong->message))
        fail_msg("line %d: %s, instead of line %d: %s", error.line, error.message, wrong->line,
                 wrong->message);
}

static void wrong_recipes_are_reported_with_file_and_line(void **state)
{
    (void)state;
    static const WrongText wrong[] = {
        {"", 1, ""},
        {"[]", 1, "must be an object"},
        {"{}", 1, "\"recipes\" must be an array"},
        {"{\"recipes\": [],\n \"resipes\": []}", 2, "did you mean \"recipes\""},
        {"{\"recipes\": [\n 1]}", 2, "must be an object"},
        {"{\"recipes\": [\n {\"result\": \"stick\"}]}", 2, "one of \"shape\""},
        {"{\"recipes\": [\n {\"smelt\": \"sand\"}]}", 2, "\"result\" is missing"},
        {"{\"recipes\": [\n {\"smelt\": \"sandd\", \"result\": \"glass\"}]}", 2,
         "did you mean \"sand\""},
        {"{\"recipes\": [\n {\"smelt\": \"#sands\", \"result\": \"glass\"}]}", 2, "no group"},
        {"{\"recipes\": [{\"smelt\": \"sand\",\n \"result\": \"#sand\"}]}", 1, "no item"},
        {"{\"recipes\": [{\"smelt\": \"sand\", \"result\": \"glass\",\n \"count\": 65}]}", 2,
         "whole number from 1 to 64"},
        {"{\"recipes\": [{\"smelt\": \"sand\", \"result\": \"glass\",\n \"seconds\": 0}]}", 2,
         "number from 0.1"},
        {"{\"recipes\": [{\"shapeless\":\n [], \"result\": \"glass\"}]}", 2, "1 to 9 items"},
        {"{\"recipes\": [{\"shapeless\": [\"sand\",\n 1], \"result\": \"glass\"}]}", 2,
         "must be a text"},
        {"{\"recipes\": [{\"shape\": [\"##\", \"#\"], \"keys\": {\"#\": \"sand\"}, \"result\": "
         "\"glass\"}]}",
         1, "same length"},
        {"{\"recipes\": [{\"shape\": [\"#?\"], \"keys\": {\"#\": \"sand\"}, \"result\": "
         "\"glass\"}]}",
         1, "no text for '?'"},
        {"{\"recipes\": [{\"shape\": [\" #\"], \"keys\": {\"#\": \"sand\"}, \"result\": "
         "\"glass\"}]}",
         1, "border"},
        {"{\"recipes\": [{\"smelt\": \"sand\", \"result\": \"glass\"},\n {\"smelt\": \"dirt\", "
         "\"result\": \"glass\"}]}",
         2, "already is a recipe \"glass\""},
        {"{\"recipes\": [{\"smelt\": \"*_lok\", \"result\": \"*_planks\"}]}", 1, "no items have"},
        {"{\"recipes\": [{\"smelt\": \"*_log\", \"result\": \"*_planks\",\n \"over\": "
         "\"wuds\"}]}",
         2, "\"words\""},
        {"{\"recipes\": [{\"smelt\": \"*_log\", \"result\": \"*_planks\", \"over\": "
         "[\"plastic\"]}]}",
         1, "no item \"plastic_planks\""},
        {"{\"recipes\": [{\"smelt\": \"sand\", \"result\": \"glass\", \"over\": [\"oak\"]}]}", 1,
         "needs names"},
        {"{\"recipes\": [{\"smelt\": \"sand\", \"result\": \"iron_axe\", \"count\": 2}]}", 1,
         "at most 1"},
        {"{\"recipes\": [], \"groups\": {\"a\":\n []}}", 2, "must be an array"},
        {"{\"recipes\": [], \"groups\": {\"a\": [\n\"sandd\"]}}", 2, "no item \"sandd\""},
        {"{\"recipes\": [{\"smelt\": \"sand\",\n \"smelt\": \"sand\"}]}", 2, "duplicate"},
        {"{\"recipes\": [[[[[[[[[]]]]]]]]]}", 1, "too large"},
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(wrong); i++)
        expect_error(&wrong[i]);
}

#define TEST(test) cmocka_unit_test(test)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_game_has_at_least_120_rows_of_recipes),
        TEST(every_recipe_is_found_by_its_name),
        TEST(the_first_items_of_every_recipe_make_it),
        TEST(a_log_makes_planks_wherever_it_lies),
        TEST(a_shape_lies_anywhere_in_the_grid),
        TEST(a_shape_may_be_mirrored),
        TEST(the_items_of_a_group_may_be_mixed),
        TEST(a_list_of_items_has_any_order),
        TEST(cells_outside_of_the_grid_of_the_hand_do_not_count),
        TEST(an_empty_grid_makes_nothing),
        TEST(ores_lead_to_ingots),
        TEST(what_there_is_most_of_is_chosen),
        TEST(single_items_are_chosen_before_groups),
        TEST(wrong_recipes_are_reported_with_file_and_line),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
