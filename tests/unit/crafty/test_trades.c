/* The file of trades: what the game has, and what is refused with file and line. */
#include "data_fixture.h"

#include <crafty/world/trades.h>

#include <string.h>

static GameData data;
static CraftyTrades *trades;

static CraftyTrades *read(CnText text, CnError *error)
{
    return crafty_trades_create(
        &(CraftyTradesDesc){.items = data.items, .file = "trades.json", .text = text}, error);
}

static int begin(void **state)
{
    (void)state;
    CnError error = {0};
    data = make_game_data();
    trades = read(crafty_trades_text(), &error);
    if (!trades)
        fail_msg("%s:%d: %s", error.file, error.line, error.message);
    return 0;
}

static int end(void **state)
{
    (void)state;
    crafty_trades_destroy(trades);
    end_game_data(&data);
    return 0;
}

/* ---- The trades of the game ---- */

static void every_profession_buys_and_sells(void **state)
{
    (void)state;
    CraftyItem emerald = crafty_items_find(data.items, "emerald");
    for (uint32_t p = 0; p < CRAFTY_PROFESSION_COUNT; p++) {
        uint32_t buys = 0, sells = 0;
        for (uint32_t i = 0; i < crafty_trades_count(trades, (CraftyProfession)p); i++) {
            const CraftyOffer *offer = crafty_trades_at(trades, (CraftyProfession)p, i);
            buys += offer->result.item == emerald;
            sells += offer->result.item != emerald;
        }
        assert_true(buys >= 2 && sells >= 2);
    }
}

static void offers_are_found_by_their_numbers(void **state)
{
    (void)state;
    for (uint32_t p = 0; p < CRAFTY_PROFESSION_COUNT; p++)
        for (uint32_t i = 0; i < crafty_trades_count(trades, (CraftyProfession)p); i++) {
            const CraftyOffer *offer = crafty_trades_at(trades, (CraftyProfession)p, i);
            assert_ptr_equal(crafty_trades_find(trades, (CraftyProfession)p, offer->number), offer);
        }
    assert_null(crafty_trades_find(trades, CRAFTY_BAKER, 0));
    assert_null(crafty_trades_find(trades, CRAFTY_PROFESSION_COUNT, 1));
    assert_null(crafty_trades_at(trades, CRAFTY_BAKER, CRAFTY_MAX_OFFERS));
    assert_int_equal(crafty_trades_count(NULL, CRAFTY_BAKER), 0);
}

/* Emeralds for one of an item: the least that a villager takes, the most that one pays; 0: none. */
static void prices_of(CraftyItem item, double *taken, double *paid)
{
    CraftyItem emerald = crafty_items_find(data.items, "emerald");
    *taken = *paid = 0;
    for (uint32_t p = 0; p < CRAFTY_PROFESSION_COUNT; p++)
        for (uint32_t i = 0; i < crafty_trades_count(trades, (CraftyProfession)p); i++) {
            const CraftyOffer *offer = crafty_trades_at(trades, (CraftyProfession)p, i);
            double cost = offer->costs[0].count, result = offer->result.count;
            if (offer->cost_count != 1)
                continue;
            if (offer->result.item == item && offer->costs[0].item == emerald &&
                (*taken == 0 || cost / result < *taken))
                *taken = cost / result;
            if (offer->costs[0].item == item && offer->result.item == emerald &&
                result / cost > *paid)
                *paid = result / cost;
        }
}

static void nothing_is_bought_for_less_than_it_is_sold_for(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < crafty_items_count(data.items); i++) {
        double taken, paid;
        CraftyItem item = crafty_items_at(data.items, i);
        prices_of(item, &taken, &paid);
        if (taken > 0 && paid > taken)
            fail_msg("%s makes emeralds", crafty_items_info(data.items, item)->name);
    }
}

/* Recipes of one kind of item, such as wheat to flour. */
static void no_recipe_of_bought_items_makes_emeralds(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < crafty_recipes_count(data.recipes); i++) {
        const CraftyRecipe *recipe = crafty_recipes_at(data.recipes, i);
        double taken, paid, unused, count = 0;
        bool is_one_kind = true;
        for (uint32_t k = 0; k < CRAFTY_GRID_SLOTS; k++) {
            count += recipe->cells[k] != 0;
            is_one_kind &= !recipe->cells[k] || recipe->cells[k] == recipe->cells[0];
        }
        if (!is_one_kind || crafty_ingredient_count(data.recipes, recipe->cells[0]) != 1)
            continue;
        prices_of(crafty_ingredient_at(data.recipes, recipe->cells[0], 0), &taken, &unused);
        prices_of(recipe->result, &unused, &paid);
        if (taken > 0 && paid * recipe->count > taken * count)
            fail_msg("%s makes emeralds", recipe->name);
    }
}

/* ---- Errors ---- */

static void expect_error(const char *text, int line, const char *message)
{
    CnError error = {0};
    CraftyTrades *made = read(cn_text(text), &error);
    if (made)
        fail_msg("no error, but \"%s\" is expected", message);
    assert_int_equal(error.code, CN_ERROR_FORMAT);
    assert_string_equal(error.file, "trades.json");
    if (error.line != line || !strstr(error.message, message))
        fail_msg("line %d: %s", error.line, error.message);
}

#define OFFERS(offers) "{\"traders\": [{\"profession\": \"baker\", \"offers\": [\n" offers "]}]}"

static void an_unknown_item_is_reported_with_a_similar_one(void **state)
{
    (void)state;
    expect_error(OFFERS("{\"number\": 1, \"stock\": 2,\n\"cost\": [{\"item\": \"emerlad\"}], "
                        "\"result\": \"bread\"}"),
                 3, "did you mean \"emerald\"?");
    expect_error(OFFERS("{\"number\": 1, \"stock\": 2, \"cost\": [{\"item\": \"emerald\"}],\n"
                        "\"result\": \"bred\"}"),
                 3, "did you mean \"bread\"?");
}

static void an_unknown_profession_is_reported(void **state)
{
    (void)state;
    expect_error("{\"traders\": [\n{\"profession\": \"king\", \"offers\": []}]}", 2,
                 "must be one of farmer, librarian");
    expect_error("{\"traders\": [\n{\"offers\": []}]}", 2, "\"profession\" is missing");
}

static void a_profession_is_listed_once(void **state)
{
    (void)state;
    expect_error("{\"traders\": [{\"profession\": \"smith\", \"offers\": []},\n{\"profession\": "
                 "\"smith\", \"offers\": []}]}",
                 2, "listed twice");
}

static void missing_keys_are_reported(void **state)
{
    (void)state;
    expect_error(OFFERS("{\"stock\": 2, \"cost\": [{\"item\": \"emerald\"}], \"result\": "
                        "\"bread\"}"),
                 2, "\"number\" is missing");
    expect_error(OFFERS("{\"number\": 2, \"cost\": [{\"item\": \"emerald\"}], \"result\": "
                        "\"bread\"}"),
                 2, "\"stock\" is missing");
    expect_error(OFFERS("{\"number\": 1, \"stock\": 2, \"cost\": [{\"item\": \"emerald\"}]}"), 2,
                 "\"result\" is missing");
    expect_error(OFFERS("{\"number\": 1, \"stock\": 2, \"result\": \"bread\"}"), 2,
                 "\"cost\" must be an array");
    expect_error(OFFERS("{\"number\": 1, \"stock\": 2, \"cost\": [{\"count\": 3}], \"result\": "
                        "\"bread\"}"),
                 2, "\"item\" is missing");
    expect_error("{}", 1, "\"traders\" must be an array");
}

static void a_number_is_used_once_in_a_profession(void **state)
{
    (void)state;
    expect_error(OFFERS("{\"number\": 1, \"stock\": 2, \"cost\": [{\"item\": \"emerald\"}], "
                        "\"result\": \"bread\"},\n{\"number\": 1, \"stock\": 2, \"cost\": "
                        "[{\"item\": \"emerald\"}], \"result\": \"cookie\"}"),
                 3, "used twice");
}

static void counts_beyond_a_slot_are_reported(void **state)
{
    (void)state;
    expect_error(OFFERS("{\"number\": 1, \"stock\": 2, \"cost\": [{\"item\": \"egg\", \"count\": "
                        "17}], \"result\": \"bread\"}"),
                 2, "from 1 to 16");
    expect_error(OFFERS("{\"number\": 1, \"stock\": 2, \"cost\": [{\"item\": \"emerald\"}], "
                        "\"result\": \"shears\", \"count\": 2}"),
                 2, "from 1 to 1");
    expect_error(OFFERS("{\"number\": 1, \"stock\": 65, \"cost\": [{\"item\": \"emerald\"}], "
                        "\"result\": \"bread\"}"),
                 2, "from 1 to 64");
    expect_error(OFFERS("{\"number\": 9, \"stock\": 2, \"cost\": [{\"item\": \"emerald\"}], "
                        "\"result\": \"bread\"}"),
                 2, "from 1 to 8");
}

static void an_offer_that_gives_what_it_costs_is_reported(void **state)
{
    (void)state;
    expect_error(OFFERS("{\"number\": 1, \"stock\": 2, \"cost\": [{\"item\": \"bread\"}], "
                        "\"result\": \"bread\", \"count\": 2}"),
                 2, "must not cost what it gives");
    expect_error(OFFERS("{\"number\": 1, \"stock\": 2, \"cost\": [{\"item\": \"egg\"}, {\"item\": "
                        "\"egg\"}], \"result\": \"bread\"}"),
                 2, "listed twice");
}

static void an_unknown_key_is_reported(void **state)
{
    (void)state;
    expect_error(OFFERS("{\"number\": 1, \"stok\": 2, \"cost\": [{\"item\": \"egg\"}], "
                        "\"result\": \"bread\"}"),
                 2, "did you mean \"stock\"?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_profession_buys_and_sells),
        cmocka_unit_test(offers_are_found_by_their_numbers),
        cmocka_unit_test(nothing_is_bought_for_less_than_it_is_sold_for),
        cmocka_unit_test(no_recipe_of_bought_items_makes_emeralds),
        cmocka_unit_test(an_unknown_item_is_reported_with_a_similar_one),
        cmocka_unit_test(an_unknown_profession_is_reported),
        cmocka_unit_test(a_profession_is_listed_once),
        cmocka_unit_test(missing_keys_are_reported),
        cmocka_unit_test(a_number_is_used_once_in_a_profession),
        cmocka_unit_test(counts_beyond_a_slot_are_reported),
        cmocka_unit_test(an_offer_that_gives_what_it_costs_is_reported),
        cmocka_unit_test(an_unknown_key_is_reported),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
