/* What clicks, drags and keys on slots mean. */
#include "item_fixture.h"

#include <crafty/client/slot_gesture.h>
#include <crafty/sim/player.h>

#define LEFT (1u << CN_MOUSE_LEFT)
#define RIGHT (1u << CN_MOUSE_RIGHT)
#define NONE CRAFTY_NO_SHOWN_SLOT

/* Slots 0 to 8 are shown, and the result of a recipe after them. */
typedef struct Fixture {
    CraftyItems *items;
    CraftyItem stone, stick;
    CraftySlotView view;
    CraftySlotGesture gesture;
    CraftyGestureCommands commands;
    double seconds;
} Fixture;

#define RESULT 9u

static void begin(Fixture *fixture)
{
    *fixture = (Fixture){.items = make_items(NULL)};
    fixture->stone = crafty_items_find(fixture->items, "stone");
    fixture->stick = crafty_items_find(fixture->items, "stick");
    fixture->view.items = fixture->items;
    for (uint32_t i = 0; i < 9; i++)
        fixture->view.slots[i].number = (uint8_t)i;
    fixture->view.slots[RESULT].number = CRAFTY_SLOT_RESULT;
    fixture->view.slots[RESULT].gives_only = true;
    fixture->view.count = 10;
}

static void end(Fixture *fixture)
{
    crafty_items_destroy(fixture->items);
}

static void put(Fixture *fixture, uint32_t slot, CraftyItem item, uint32_t count)
{
    fixture->view.slots[slot].stack = (CraftyStack){item, (uint16_t)count, 0};
}

static void carry(Fixture *fixture, CraftyItem item, uint32_t count)
{
    fixture->view.carried = (CraftyStack){item, (uint16_t)count, 0};
}

/* One frame; the commands of earlier ones are forgotten. */
static void frame(Fixture *fixture, CraftySlotInput input)
{
    fixture->commands.count = 0;
    fixture->seconds += 0.05;
    input.seconds = fixture->seconds;
    crafty_slot_gesture_frame(&fixture->gesture, &fixture->view, &input, &fixture->commands);
}

static CraftySlotInput mouse(uint32_t slot, uint32_t pressed, uint32_t released, uint32_t modifiers)
{
    return (CraftySlotInput){.hovered = slot,
                             .focused = NONE,
                             .key = CN_UI_KEY_COUNT,
                             .pressed = pressed,
                             .released = released,
                             .modifiers = modifiers};
}

static CraftySlotInput key(uint32_t slot, CnUiKey typed, uint32_t modifiers)
{
    return (CraftySlotInput){
        .hovered = NONE, .focused = slot, .key = typed, .modifiers = modifiers};
}

static void expect(const Fixture *fixture, uint32_t index, CraftyCommandKind kind, uint32_t from,
                   uint32_t to, uint32_t count)
{
    assert_true(index < fixture->commands.count);
    const CraftyCommand *command = &fixture->commands.items[index];
    assert_int_equal(command->kind, kind);
    assert_int_equal(command->from, from);
    assert_int_equal(command->to, to);
    assert_int_equal(command->count, count);
}

static void expect_move(const Fixture *fixture, uint32_t from, uint32_t to, uint32_t count)
{
    assert_int_equal(fixture->commands.count, 1);
    expect(fixture, 0, CRAFTY_COMMAND_MOVE_ITEMS, from, to, count);
}

/* ---- Taking and putting ---- */

static void left_takes_a_stack(void **state)
{
    (void)state;
    Fixture fixture;
    begin(&fixture);
    put(&fixture, 3, fixture.stone, 7);
    frame(&fixture, mouse(3, LEFT, 0, 0));
    expect_move(&fixture, 3, CRAFTY_SLOT_CARRIED, 7);
    end(&fixture);
}

static void right_takes_the_larger_half(void **state)
{
    (void)state;
    Fixture fixture;
    begin(&fixture);
    put(&fixture, 3, fixture.stone, 7);
    frame(&fixture, mouse(3, RIGHT, 0, 0));
    expect_move(&fixture, 3, CRAFTY_SLOT_CARRIED, 4);
    end(&fixture);
}

static void an_empty_slot_gives_nothing(void **state)
{
    (void)state;
    Fixture fixture;
    begin(&fixture);
    frame(&fixture, mouse(3, LEFT, 0, 0));
    assert_int_equal(fixture.commands.count, 0);
    end(&fixture);
}

static void a_click_puts_the_carried_stack(void **state)
{
    (void)state;
    Fixture fixture;
    begin(&fixture);
    carry(&fixture, fixture.stone, 5);
    frame(&fixture, mouse(2, LEFT, 0, 0));
    assert_int_equal(fixture.commands.count, 0); /* it may become a drag */
    frame(&fixture, mouse(2, 0, LEFT, 0));
    expect_move(&fixture, CRAFTY_SLOT_CARRIED, 2, 5);
    end(&fixture);
}

static void right_puts_one(void **state)
{
    (void)state;
    Fixture fixture;
    begin(&fixture);
    carry(&fixture, fixture.stone, 5);
    frame(&fixture, mouse(2, RIGHT, RIGHT, 0));
    expect_move(&fixture, CRAFTY_SLOT_CARRIED, 2, 1);
    end(&fixture);
}

static void another_stack_changes_places_with_the_whole_carried_one(void **state)
{
    (void)state;
    Fixture fixture;
    begin(&fixture);
    carry(&fixture, fixture.stone, 5);
    put(&fixture, 2, fixture.stick, 3);
    frame(&fixture, mouse(2, RIGHT, RIGHT, 0));
    expect_move(&fixture, CRAFTY_SLOT_CARRIED, 2, 5);
    end(&fixture);
}

static void a_result_is_taken_as_a_whole_and_never_given(void **state)
{
    (void)state;
    Fixture fixture;
    begin(&fixture);
    put(&fixture, RESULT, fixture.stick, 4);
    frame(&fixture, mouse(RESULT, RIGHT, RIGHT, 0));
    expect_move(&fixture, CRAFTY_SLOT_RESULT, CRAFTY_SLOT_CARRIED, 4);
    carry(&fixture, fixture.stick, 4);
    frame(&fixture, mouse(RESULT, LEFT, LEFT, 0));
    expect_move(&fixture, CRAFTY_SLOT_RESULT, CRAFTY_SLOT_CARRIED, 4);
    carry(&fixture, fixture.stone, 4);
    frame(&fixture, mouse(RESULT, LEFT, LEFT, 0));
    assert_int_equal(fixture.commands.count, 0);
    end(&fixture);
}

/* ---- Drags ---- */

static void drag(Fixture *fixture, uint32_t button, uint32_t from, uint32_t to)
{
    frame(fixture, mouse(from, button, 0, 0));
    for (uint32_t i = from + 1; i <= to; i++)
        frame(fixture, mouse(i, 0, 0, 0));
    frame(fixture, mouse(to, 0, button, 0));
}

static void dragging_left_spreads_evenly(void **state)
{
    (void)state;
    Fixture fixture;
    begin(&fixture);
    carry(&fixture, fixture.stone, 10);
    drag(&fixture, LEFT, 0, 2);
    assert_int_equal(fixture.commands.count, 3);
    for (uint32_t i = 0; i < 3; i++)
        expect(&fixture, i, CRAFTY_COMMAND_MOVE_ITEMS, CRAFTY_SLOT_CARRIED, i, 3);
    end(&fixture);
}

static void dragging_right_puts_one_into_each_slot(void **state)
{
    (void)state;
    Fixture fixture;
    begin(&fixture);
    carry(&fixture, fixture.stone, 10);
    drag(&fixture, RIGHT, 0, 3);
    assert_int_equal(fixture.commands.count, 4);
    for (uint32_t i = 0; i < 4; i++)
        expect(&fixture, i, CRAFTY_COMMAND_MOVE_ITEMS, CRAFTY_SLOT_CARRIED, i, 1);
    end(&fixture);
}

static void a_drag_leaves_out_other_items_results_and_full_slots(void **state)
{
    (void)state;
    Fixture fixture;
    begin(&fixture);
    carry(&fixture, fixture.stone, 12);
    put(&fixture, 1, fixture.stick, 1);
    put(&fixture, 2, fixture.stone, 64);
    put(&fixture, 3, fixture.stone, 62);
    drag(&fixture, LEFT, 0, 4);
    assert_int_equal(fixture.commands.count, 3);
    expect(&fixture, 0, CRAFTY_COMMAND_MOVE_ITEMS, CRAFTY_SLOT_CARRIED, 0, 4);
    expect(&fixture, 1, CRAFTY_COMMAND_MOVE_ITEMS, CRAFTY_SLOT_CARRIED, 3, 2);
    expect(&fixture, 2, CRAFTY_COMMAND_MOVE_ITEMS, CRAFTY_SLOT_CARRIED, 4, 4);
    end(&fixture);
}

static void a_drag_reaches_no_more_slots_than_items(void **state)
{
    (void)state;
    Fixture fixture;
    begin(&fixture);
    carry(&fixture, fixture.stone, 2);
    drag(&fixture, LEFT, 0, 5);
    assert_int_equal(fixture.commands.count, 2);
    end(&fixture);
}

static void slots_show_their_share_during_a_drag(void **state)
{
    (void)state;
    Fixture fixture;
    begin(&fixture);
    carry(&fixture, fixture.stone, 9);
    frame(&fixture, mouse(0, LEFT, 0, 0));
    assert_int_equal(crafty_slot_gesture_share(&fixture.gesture, &fixture.view, 0), 0);
    frame(&fixture, mouse(1, 0, 0, 0));
    assert_int_equal(crafty_slot_gesture_share(&fixture.gesture, &fixture.view, 0), 4);
    assert_int_equal(crafty_slot_gesture_share(&fixture.gesture, &fixture.view, 1), 4);
    assert_int_equal(crafty_slot_gesture_share(&fixture.gesture, &fixture.view, 2), 0);
    end(&fixture);
}

static void another_button_ends_a_drag_without_effect(void **state)
{
    (void)state;
    Fixture fixture;
    begin(&fixture);
    carry(&fixture, fixture.stone, 9);
    frame(&fixture, mouse(0, LEFT, 0, 0));
    frame(&fixture, mouse(1, RIGHT, 0, 0));
    frame(&fixture, mouse(1, 0, LEFT | RIGHT, 0));
    assert_int_equal(fixture.commands.count, 0);
    end(&fixture);
}

/* ---- More clicks ---- */

static void a_double_click_collects_partly_filled_stacks_first(void **state)
{
    (void)state;
    Fixture fixture;
    begin(&fixture);
    put(&fixture, 0, fixture.stone, 20);
    put(&fixture, 1, fixture.stone, 64);
    put(&fixture, 2, fixture.stone, 30);
    put(&fixture, 4, fixture.stick, 5);
    frame(&fixture, mouse(0, LEFT, LEFT, 0));
    put(&fixture, 0, 0, 0); /* as the tick does */
    carry(&fixture, fixture.stone, 20);
    frame(&fixture, mouse(0, LEFT, 0, 0));
    assert_int_equal(fixture.commands.count, 2);
    expect(&fixture, 0, CRAFTY_COMMAND_MOVE_ITEMS, 2, CRAFTY_SLOT_CARRIED, 30);
    expect(&fixture, 1, CRAFTY_COMMAND_MOVE_ITEMS, 1, CRAFTY_SLOT_CARRIED, 14);
    end(&fixture);
}

static void two_slow_clicks_take_and_put(void **state)
{
    (void)state;
    Fixture fixture;
    begin(&fixture);
    put(&fixture, 0, fixture.stone, 20);
    put(&fixture, 1, fixture.stone, 20);
    frame(&fixture, mouse(0, LEFT, LEFT, 0));
    put(&fixture, 0, 0, 0);
    carry(&fixture, fixture.stone, 20);
    fixture.seconds += 1;
    frame(&fixture, mouse(0, LEFT, LEFT, 0));
    expect_move(&fixture, CRAFTY_SLOT_CARRIED, 0, 20);
    end(&fixture);
}

static void shift_moves_stacks_also_in_a_drag(void **state)
{
    (void)state;
    Fixture fixture;
    begin(&fixture);
    put(&fixture, 0, fixture.stone, 20);
    put(&fixture, 1, fixture.stone, 3);
    frame(&fixture, mouse(0, LEFT, 0, CN_UI_SHIFT));
    assert_int_equal(fixture.commands.count, 1);
    expect(&fixture, 0, CRAFTY_COMMAND_QUICK_MOVE, 0, 0, 20);
    frame(&fixture, mouse(1, 0, 0, CN_UI_SHIFT));
    assert_int_equal(fixture.commands.count, 1);
    expect(&fixture, 0, CRAFTY_COMMAND_QUICK_MOVE, 1, 0, 3);
    frame(&fixture, mouse(1, 0, 0, CN_UI_SHIFT)); /* once per slot */
    assert_int_equal(fixture.commands.count, 0);
    end(&fixture);
}

static void a_click_outside_drops_what_is_carried(void **state)
{
    (void)state;
    Fixture fixture;
    begin(&fixture);
    carry(&fixture, fixture.stone, 20);
    CraftySlotInput input = mouse(NONE, LEFT, 0, 0);
    frame(&fixture, input); /* beside the slots, but on the panel */
    assert_int_equal(fixture.commands.count, 0);
    input.is_outside = true;
    frame(&fixture, input);
    expect(&fixture, 0, CRAFTY_COMMAND_DROP_ITEMS, CRAFTY_SLOT_CARRIED, 0, 20);
    input.pressed = RIGHT;
    frame(&fixture, input);
    expect(&fixture, 0, CRAFTY_COMMAND_DROP_ITEMS, CRAFTY_SLOT_CARRIED, 0, 1);
    carry(&fixture, 0, 0);
    frame(&fixture, input);
    assert_int_equal(fixture.commands.count, 0);
    end(&fixture);
}

/* ---- Keys ---- */

static void numbers_exchange_with_the_hotbar(void **state)
{
    (void)state;
    Fixture fixture;
    begin(&fixture);
    put(&fixture, 5, fixture.stone, 20);
    CraftySlotInput input = mouse(5, 0, 0, 0);
    input.number = 3;
    frame(&fixture, input);
    expect_move(&fixture, 5, 2, 20);
    input.hovered = 4; /* empty: the stack of the hotbar comes here */
    input.number = 6;
    frame(&fixture, input);
    expect_move(&fixture, 5, 4, 20);
    input.hovered = 5;
    frame(&fixture, input);
    assert_int_equal(fixture.commands.count, 0);
    end(&fixture);
}

static void q_drops_one_and_with_control_all(void **state)
{
    (void)state;
    Fixture fixture;
    begin(&fixture);
    put(&fixture, 5, fixture.stone, 20);
    CraftySlotInput input = mouse(5, 0, 0, 0);
    input.drops = true;
    frame(&fixture, input);
    expect(&fixture, 0, CRAFTY_COMMAND_DROP_ITEMS, 5, 0, 1);
    input.modifiers = CN_UI_CTRL;
    frame(&fixture, input);
    expect(&fixture, 0, CRAFTY_COMMAND_DROP_ITEMS, 5, 0, 20);
    end(&fixture);
}

static void a_gamepad_takes_puts_halves_and_moves(void **state)
{
    (void)state;
    Fixture fixture;
    begin(&fixture);
    put(&fixture, 5, fixture.stone, 20);
    frame(&fixture, key(5, CN_UI_ACTIVATE, CN_UI_PAD));
    expect_move(&fixture, 5, CRAFTY_SLOT_CARRIED, 20);
    frame(&fixture, key(5, CN_UI_SECOND, CN_UI_PAD));
    expect_move(&fixture, 5, CRAFTY_SLOT_CARRIED, 10);
    frame(&fixture, key(5, CN_UI_THIRD, CN_UI_PAD));
    expect(&fixture, 0, CRAFTY_COMMAND_QUICK_MOVE, 5, 0, 20);
    carry(&fixture, fixture.stone, 8);
    frame(&fixture, key(1, CN_UI_ACTIVATE, CN_UI_PAD));
    expect_move(&fixture, CRAFTY_SLOT_CARRIED, 1, 8);
    frame(&fixture, key(1, CN_UI_SECOND, CN_UI_PAD));
    expect_move(&fixture, CRAFTY_SLOT_CARRIED, 1, 1);
    end(&fixture);
}

static void keys_of_the_keyboard_do_the_same(void **state)
{
    (void)state;
    Fixture fixture;
    begin(&fixture);
    put(&fixture, 5, fixture.stone, 20);
    frame(&fixture, key(5, CN_UI_ACTIVATE, 0));
    expect_move(&fixture, 5, CRAFTY_SLOT_CARRIED, 20);
    frame(&fixture, key(5, CN_UI_SPACE, 0));
    expect_move(&fixture, 5, CRAFTY_SLOT_CARRIED, 10);
    frame(&fixture, key(5, CN_UI_ACTIVATE, CN_UI_SHIFT));
    expect(&fixture, 0, CRAFTY_COMMAND_QUICK_MOVE, 5, 0, 20);
    end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(left_takes_a_stack),
        cmocka_unit_test(right_takes_the_larger_half),
        cmocka_unit_test(an_empty_slot_gives_nothing),
        cmocka_unit_test(a_click_puts_the_carried_stack),
        cmocka_unit_test(right_puts_one),
        cmocka_unit_test(another_stack_changes_places_with_the_whole_carried_one),
        cmocka_unit_test(a_result_is_taken_as_a_whole_and_never_given),
        cmocka_unit_test(dragging_left_spreads_evenly),
        cmocka_unit_test(dragging_right_puts_one_into_each_slot),
        cmocka_unit_test(a_drag_leaves_out_other_items_results_and_full_slots),
        cmocka_unit_test(a_drag_reaches_no_more_slots_than_items),
        cmocka_unit_test(slots_show_their_share_during_a_drag),
        cmocka_unit_test(another_button_ends_a_drag_without_effect),
        cmocka_unit_test(a_double_click_collects_partly_filled_stacks_first),
        cmocka_unit_test(two_slow_clicks_take_and_put),
        cmocka_unit_test(shift_moves_stacks_also_in_a_drag),
        cmocka_unit_test(a_click_outside_drops_what_is_carried),
        cmocka_unit_test(numbers_exchange_with_the_hotbar),
        cmocka_unit_test(q_drops_one_and_with_control_all),
        cmocka_unit_test(a_gamepad_takes_puts_halves_and_moves),
        cmocka_unit_test(keys_of_the_keyboard_do_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
