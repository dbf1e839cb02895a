/* Stacks: how many of an item lie in a slot. */
#include "item_fixture.h"

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
    CraftyStack stack = {stone, 1};
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
    assert_int_equal(crafty_stack_checked(items, (CraftyStack){65535, 3}).count, 0);
    assert_int_equal(crafty_stack_checked(items, (CraftyStack){stone, 0}).item, CRAFTY_NO_ITEM);
    assert_int_equal(crafty_stack_checked(items, (CraftyStack){stone, 65535}).count, 64);
}

#define STACK_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        STACK_TEST(a_stack_is_never_higher_than_its_item_allows),
        STACK_TEST(two_items_do_not_lie_in_one_slot),
        STACK_TEST(an_unknown_item_is_not_put_anywhere),
        STACK_TEST(an_impossible_stack_counts_as_empty_or_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
