/* Stacks: how many of an item lie in a slot. */
#include "item_fixture.h"

#include <crafty/sim/player.h>
#include <crafty/sim/stack.h>

static CraftyItems *items;

static int begin(void **state)
{
    (void)state;
    items = make_items(NULL);
    return 0;
}

static int end(void **state)
{
    (void)state;
    crafty_items_destroy(items);
    return 0;
}

static void a_stack_is_never_higher_than_its_item_allows(void **state)
{
    (void)state;
    CraftyItem stone = crafty_items_find(items, "stone");
    CraftyStack stack = {0};
    assert_int_equal(crafty_stack_put(items, &stack, stone, 60), 60);
    assert_int_equal(crafty_stack_put(items, &stack, stone, 60), 4);
    assert_int_equal(crafty_stack_put(items, &stack, stone, 1), 0);
    assert_int_equal(stack.count, 64);
    stack = (CraftyStack){0};
    assert_int_equal(crafty_stack_put(items, &stack, stone, UINT32_MAX), 64);
    assert_int_equal(stack.count, 64);
}

static void two_items_do_not_lie_in_one_slot(void **state)
{
    (void)state;
    CraftyItem stone = crafty_items_find(items, "stone"), stick = crafty_items_find(items, "stick");
    CraftyStack stack = {.item = stone, .count = 1};
    assert_int_equal(crafty_stack_put(items, &stack, stick, 1), 0);
    assert_int_equal(stack.item, stone);
    assert_int_equal(stack.count, 1);
}

static void an_unknown_item_is_not_put_anywhere(void **state)
{
    (void)state;
    CraftyStack stack = {0};
    assert_int_equal(crafty_stack_put(items, &stack, CRAFTY_NO_ITEM, 1), 0);
    assert_int_equal(crafty_stack_put(items, &stack, 65535, 1), 0);
    assert_int_equal(stack.item, CRAFTY_NO_ITEM);
}

/* As in a manipulated save. */
static void an_impossible_stack_counts_as_empty_or_full(void **state)
{
    (void)state;
    CraftyItem stone = crafty_items_find(items, "stone");
    assert_int_equal(crafty_stack_checked(items, (CraftyStack){.item = 65535, .count = 3}).count,
                     0);
    assert_int_equal(crafty_stack_checked(items, (CraftyStack){.item = stone}).item,
                     CRAFTY_NO_ITEM);
    assert_int_equal(
        crafty_stack_checked(items, (CraftyStack){.item = stone, .count = 65535}).count, 64);
}

/* ---- Moving ---- */

static CraftyStack stack_of(const char *name, uint16_t count)
{
    return (CraftyStack){.item = crafty_items_find(items, name), .count = count};
}

static void expect_stack(CraftyStack stack, const char *name, uint16_t count)
{
    assert_int_equal(stack.item, name ? crafty_items_find(items, name) : CRAFTY_NO_ITEM);
    assert_int_equal(stack.count, count);
}

static void some_items_move_into_an_empty_slot(void **state)
{
    (void)state;
    CraftyStack from = stack_of("stone", 10), to = {0};
    assert_true(crafty_stack_move(items, &from, &to, 4));
    expect_stack(from, "stone", 6);
    expect_stack(to, "stone", 4);
}

static void a_slot_is_empty_after_all_items_moved(void **state)
{
    (void)state;
    CraftyStack from = stack_of("stone", 10), to = {0};
    assert_true(crafty_stack_move(items, &from, &to, 10));
    expect_stack(from, NULL, 0);
    expect_stack(to, "stone", 10);
}

static void as_many_items_join_a_stack_as_fit(void **state)
{
    (void)state;
    CraftyStack from = stack_of("stone", 10), to = stack_of("stone", 60);
    assert_true(crafty_stack_move(items, &from, &to, 10));
    expect_stack(from, "stone", 6);
    expect_stack(to, "stone", 64);
    assert_false(crafty_stack_move(items, &from, &to, 6));
}

static void whole_stacks_of_different_items_change_places(void **state)
{
    (void)state;
    CraftyStack from = stack_of("stone", 10), to = stack_of("stick", 3);
    assert_false(crafty_stack_move(items, &from, &to, 9));
    assert_true(crafty_stack_move(items, &from, &to, 10));
    expect_stack(from, "stick", 3);
    expect_stack(to, "stone", 10);
}

static void items_that_are_not_there_do_not_move(void **state)
{
    (void)state;
    CraftyStack from = stack_of("stone", 10), to = {0};
    assert_false(crafty_stack_move(items, &from, &to, 11));
    assert_false(crafty_stack_move(items, &from, &to, 0));
    assert_false(crafty_stack_move(items, &from, &from, 5));
    assert_false(crafty_stack_move(items, &to, &from, 1));
    expect_stack(from, "stone", 10);
    expect_stack(to, NULL, 0);
}

/* Of a mod that is missing: number 2 of the palette. */
static void a_stack_of_an_unknown_item_moves_and_is_never_overwritten(void **state)
{
    (void)state;
    CraftyItems *other = make_items("stone,mod:ruby");
    const CraftyStack ruby = {.item = 2, .count = 7};
    CraftyStack slot = ruby, to = {0}, stone = {.item = 1, .count = 5};
    assert_int_equal(crafty_stack_put(other, &slot, 1, 3), 0);
    assert_memory_equal(&slot, &ruby, sizeof slot);
    assert_true(crafty_stack_move(other, &slot, &to, 7));
    assert_memory_equal(&to, &ruby, sizeof to);
    assert_true(crafty_stack_move(other, &stone, &to, 5));
    assert_memory_equal(&stone, &ruby, sizeof stone);
    crafty_items_destroy(other);
}

static void an_item_that_is_taken_does_not_replace_an_unknown_one(void **state)
{
    (void)state;
    CraftyItems *other = make_items("stone,mod:ruby");
    const CraftyStack ruby = {.item = 2, .count = 7};
    CraftyPlayer taker = {.slot = 8, .slots = {[8] = ruby}};
    assert_true(crafty_player_take(other, &taker, 1, 3));
    assert_memory_equal(&taker.slots[8], &ruby, sizeof ruby);
    assert_int_equal(taker.slot, 0);
    assert_int_equal(taker.slots[0].count, 3);
    for (uint32_t i = 0; i < CRAFTY_SLOTS; i++)
        taker.slots[i] = ruby;
    assert_false(crafty_player_take(other, &taker, 1, 3));
    crafty_items_destroy(other);
}

#define STACK_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        STACK_TEST(a_stack_is_never_higher_than_its_item_allows),
        STACK_TEST(two_items_do_not_lie_in_one_slot),
        STACK_TEST(an_unknown_item_is_not_put_anywhere),
        STACK_TEST(an_impossible_stack_counts_as_empty_or_full),
        STACK_TEST(some_items_move_into_an_empty_slot),
        STACK_TEST(a_slot_is_empty_after_all_items_moved),
        STACK_TEST(as_many_items_join_a_stack_as_fit),
        STACK_TEST(whole_stacks_of_different_items_change_places),
        STACK_TEST(items_that_are_not_there_do_not_move),
        STACK_TEST(a_stack_of_an_unknown_item_moves_and_is_never_overwritten),
        STACK_TEST(an_item_that_is_taken_does_not_replace_an_unknown_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
