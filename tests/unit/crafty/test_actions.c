/* The actions of players and their default bindings. */
#include "cmocka_tests.h"

#include <crafty/sim/actions.h>

#include <cairn/scene/controller.h>

#include <string.h>

static void the_list_is_valid(void **state)
{
    (void)state;
    CnError error = {0};
    if (!cn_action_list_check(crafty_actions(), &error))
        fail_msg("%s", error.message);
}

static void it_has_every_action_of_controllers(void **state)
{
    (void)state;
    CnActionList controllers = cn_controller_actions(), own = crafty_actions();
    for (uint32_t i = 0; i < controllers.count; i++) {
        CnAction action = cn_action_find(own, controllers.actions[i].name);
        assert_true(action.number != 0);
        assert_int_equal(action.kind, controllers.actions[i].kind);
        assert_int_equal(own.actions[action.number - 1].relative, controllers.actions[i].relative);
    }
}

static void every_action_that_systems_read_is_in_the_list(void **state)
{
    (void)state;
    CraftyActionSet set = crafty_action_set();
    const CnAction actions[] = {set.jump,        set.sneak,      set.toggle_fly, set.break_block,
                                set.place_block, set.pick_block, set.next_slot,  set.drop_item,
                                set.undo,        set.redo};
    for (uint32_t i = 0; i < CN_COUNT_OF(actions); i++)
        assert_true(actions[i].number != 0);
    for (uint32_t i = 0; i < CRAFTY_SLOT_ACTIONS; i++)
        assert_true(set.slots[i].number != 0);
}

static bool is_gamepad(CnControl control)
{
    return control.kind == CN_CONTROL_GAMEPAD_BUTTON || control.kind == CN_CONTROL_GAMEPAD_AXIS;
}

/* Slots are reached by steps, and the mouse has its own way to look and to be released. */
static void a_gamepad_reaches_every_action_of_the_game(void **state)
{
    (void)state;
    static const char *const without[] = {"look", "release_mouse"};
    CnActionList list = crafty_actions();
    for (uint32_t i = 0; i < list.count; i++) {
        const CnActionDesc *action = &list.actions[i];
        bool is_bound = !strncmp(action->name, "slot_", 5);
        for (uint32_t k = 0; k < CN_COUNT_OF(without); k++)
            is_bound |= !strcmp(action->name, without[k]);
        for (uint32_t k = 0; k < action->binding_count; k++)
            is_bound |= is_gamepad(action->bindings[k].control);
        if (!is_bound)
            fail_msg("no gamepad reaches %s", action->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_is_valid),
        cmocka_unit_test(it_has_every_action_of_controllers),
        cmocka_unit_test(every_action_that_systems_read_is_in_the_list),
        cmocka_unit_test(a_gamepad_reaches_every_action_of_the_game),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
