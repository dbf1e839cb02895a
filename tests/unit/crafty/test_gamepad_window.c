/* A virtual gamepad of SDL plays Crafty in a window: breaks, places, crafts, changes settings. */
/* test-labels: window */
#include "window_game.h"

#define PRESS_FRAMES 4u
#define MOST_MOVES 24u /* of the focus, to a slot */

static WindowGame game;
static int device;
static SDL_Joystick *pad;

static int begin(void **state)
{
    (void)state;
    window_game_begin(&game, "survival");
    device = SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_GAMECONTROLLER, SDL_CONTROLLER_AXIS_MAX,
                                       SDL_CONTROLLER_BUTTON_MAX, 0);
    assert_true(device >= 0);
    assert_true(SDL_IsGameController(device));
    pad = SDL_JoystickOpen(device);
    assert_non_null(pad);
    SDL_JoystickSetVirtualAxis(pad, SDL_CONTROLLER_AXIS_TRIGGERLEFT, SDL_JOYSTICK_AXIS_MIN);
    SDL_JoystickSetVirtualAxis(pad, SDL_CONTROLLER_AXIS_TRIGGERRIGHT, SDL_JOYSTICK_AXIS_MIN);
    window_game_frames(&game, 5);
    return 0;
}

static int end(void **state)
{
    (void)state;
    SDL_JoystickClose(pad);
    SDL_JoystickDetachVirtual(device);
    window_game_end(&game);
    return 0;
}

/* ---- The gamepad ---- */

static void set_trigger(SDL_GameControllerAxis axis, bool is_pulled)
{
    assert_int_equal(SDL_JoystickSetVirtualAxis(
                         pad, axis, is_pulled ? SDL_JOYSTICK_AXIS_MAX : SDL_JOYSTICK_AXIS_MIN),
                     0);
}

static void press(SDL_GameControllerButton button)
{
    assert_int_equal(SDL_JoystickSetVirtualButton(pad, (int)button, SDL_PRESSED), 0);
    window_game_frames(&game, PRESS_FRAMES);
    assert_int_equal(SDL_JoystickSetVirtualButton(pad, (int)button, SDL_RELEASED), 0);
    window_game_frames(&game, PRESS_FRAMES);
}

/* ---- Conditions ---- */

static bool is_broken(const WindowGame *of)
{
    return strcmp(window_game_block(of, window_game_target), "air") == 0;
}

static bool is_placed(const WindowGame *of)
{
    return strcmp(window_game_block(of, window_game_target), "crafting_table") == 0;
}

static bool is_captured(const WindowGame *of)
{
    return crafty_player_aims(window_game_world(of), of->crafty->play->camera);
}

static bool has_open(CraftyOpen open)
{
    return window_game_player(&game)->open == open;
}

/* The first pull only lets the game have the mouse. */
static void start_playing(void)
{
    set_trigger(SDL_CONTROLLER_AXIS_TRIGGERRIGHT, true);
    assert_true(window_game_wait(&game, is_captured));
    set_trigger(SDL_CONTROLLER_AXIS_TRIGGERRIGHT, false);
    window_game_frames(&game, PRESS_FRAMES);
}

static void break_target(void)
{
    set_trigger(SDL_CONTROLLER_AXIS_TRIGGERRIGHT, true);
    assert_true(window_game_wait(&game, is_broken));
    set_trigger(SDL_CONTROLLER_AXIS_TRIGGERRIGHT, false);
    window_game_frames(&game, PRESS_FRAMES);
}

/* ---- Screens ---- */

static const CraftyShownSlot *shown_slot(uint32_t number)
{
    const CraftySlotView *view = &game.crafty->menu.inventory.slots;
    for (uint32_t i = 0; i < view->count; i++)
        if (view->slots[i].number == number)
            return &view->slots[i];
    fail_msg("no slot %u is shown", number);
    return NULL;
}

/* Moves the focus with the D-pad towards a slot, as a player who sees both. */
static void go_to_slot(uint32_t number)
{
    const CraftyInventoryScreen *screen = &game.crafty->menu.inventory;
    for (uint32_t i = 0; i < MOST_MOVES && screen->focused != number; i++) {
        CnRect to = shown_slot(number)->rect;
        CnRect from = shown_slot(screen->focused)->rect;
        float x = to.x - from.x, y = to.y - from.y;
        bool is_other_row = y < -to.height || y > to.height;
        if (is_other_row)
            press(y < 0 ? SDL_CONTROLLER_BUTTON_DPAD_UP : SDL_CONTROLLER_BUTTON_DPAD_DOWN);
        else
            press(x < 0 ? SDL_CONTROLLER_BUTTON_DPAD_LEFT : SDL_CONTROLLER_BUTTON_DPAD_RIGHT);
    }
    assert_int_equal(screen->focused, number);
}

static void press_on(uint32_t number, SDL_GameControllerButton button)
{
    go_to_slot(number);
    press(button);
}

static uint32_t carried(const char *name)
{
    CraftyStack stack = window_game_player(&game)->carried;
    return stack.item == crafty_items_find(game.crafty->play->sim.items, name) ? stack.count : 0;
}

/* ---- Tests ---- */

static void the_triggers_break_and_place(void **state)
{
    (void)state;
    window_game_say(&game, "/give crafting_table");
    start_playing();
    break_target();
    set_trigger(SDL_CONTROLLER_AXIS_TRIGGERLEFT, true);
    assert_true(window_game_wait(&game, is_placed));
    set_trigger(SDL_CONTROLLER_AXIS_TRIGGERLEFT, false);
    assert_int_equal(window_game_count(&game, "crafting_table"), 0);
}

static void y_opens_the_inventory_and_b_closes_it(void **state)
{
    (void)state;
    start_playing();
    press(SDL_CONTROLLER_BUTTON_Y);
    assert_true(has_open(CRAFTY_OPEN_INVENTORY));
    assert_true(game.crafty->menu.inventory.focused < UINT32_MAX);
    press(SDL_CONTROLLER_BUTTON_B);
    assert_true(has_open(CRAFTY_OPEN_NOTHING));
    assert_int_equal(game.crafty->menu.page, CRAFTY_MENU_CLOSED);
}

static void the_d_pad_and_a_craft_a_table(void **state)
{
    (void)state;
    window_game_say(&game, "/give oak_log");
    start_playing();
    press(SDL_CONTROLLER_BUTTON_Y);
    press_on(0, SDL_CONTROLLER_BUTTON_A);
    assert_int_equal(carried("oak_log"), 1);
    press_on(CRAFTY_SLOT_GRID, SDL_CONTROLLER_BUTTON_A);
    press_on(CRAFTY_SLOT_RESULT, SDL_CONTROLLER_BUTTON_A);
    assert_int_equal(carried("oak_planks"), 4);
    static const uint32_t grid[] = {0, 1, 4, 3};
    for (uint32_t i = 0; i < CN_COUNT_OF(grid); i++)
        press_on(CRAFTY_SLOT_GRID + grid[i], SDL_CONTROLLER_BUTTON_X); /* one each */
    press_on(CRAFTY_SLOT_RESULT, SDL_CONTROLLER_BUTTON_Y);             /* moves it to the slots */
    press(SDL_CONTROLLER_BUTTON_B);
    assert_int_equal(window_game_count(&game, "crafting_table"), 1);
    assert_int_equal(window_game_count(&game, "oak_planks"), 0);
}

static void the_right_stick_drops_from_a_slot_and_what_is_carried(void **state)
{
    (void)state;
    window_game_say(&game, "/give stick 3");
    start_playing();
    press(SDL_CONTROLLER_BUTTON_Y);
    press_on(0, SDL_CONTROLLER_BUTTON_RIGHTSTICK);
    assert_int_equal(window_game_player(&game)->slots[0].count, 2);
    press(SDL_CONTROLLER_BUTTON_A);
    assert_int_equal(carried("stick"), 2);
    press(SDL_CONTROLLER_BUTTON_RIGHTSTICK);
    assert_int_equal(window_game_count(&game, "stick"), 0);
}

static void a_placed_table_is_used_with_the_trigger(void **state)
{
    (void)state;
    window_game_say(&game, "/give crafting_table");
    start_playing();
    break_target();
    set_trigger(SDL_CONTROLLER_AXIS_TRIGGERLEFT, true);
    assert_true(window_game_wait(&game, is_placed));
    set_trigger(SDL_CONTROLLER_AXIS_TRIGGERLEFT, false);
    window_game_frames(&game, PRESS_FRAMES);
    set_trigger(SDL_CONTROLLER_AXIS_TRIGGERLEFT, true);
    window_game_frames(&game, PRESS_FRAMES);
    set_trigger(SDL_CONTROLLER_AXIS_TRIGGERLEFT, false);
    window_game_frames(&game, PRESS_FRAMES);
    assert_true(has_open(CRAFTY_OPEN_TABLE));
}

static void the_left_stick_walks(void **state)
{
    (void)state;
    start_playing();
    float before =
        cn_get(window_game_world(&game), game.crafty->play->camera, CnTransform)->position.x;
    SDL_JoystickSetVirtualAxis(pad, SDL_CONTROLLER_AXIS_LEFTX, SDL_JOYSTICK_AXIS_MAX);
    window_game_frames(&game, 20);
    SDL_JoystickSetVirtualAxis(pad, SDL_CONTROLLER_AXIS_LEFTX, 0);
    float after =
        cn_get(window_game_world(&game), game.crafty->play->camera, CnTransform)->position.x;
    assert_true(after > before + 0.5f);
}

static void start_leads_to_settings_that_the_d_pad_changes(void **state)
{
    (void)state;
    start_playing();
    uint32_t before = game.crafty->settings.view_distance;
    press(SDL_CONTROLLER_BUTTON_START);
    assert_int_equal(game.crafty->menu.page, CRAFTY_MENU_PAUSE);
    press(SDL_CONTROLLER_BUTTON_DPAD_DOWN);
    press(SDL_CONTROLLER_BUTTON_A);
    assert_int_equal(game.crafty->menu.page, CRAFTY_MENU_SETTINGS);
    press(SDL_CONTROLLER_BUTTON_DPAD_DOWN); /* from the tabs to the quality */
    press(SDL_CONTROLLER_BUTTON_DPAD_DOWN);
    press(SDL_CONTROLLER_BUTTON_DPAD_RIGHT);
    assert_int_equal(game.crafty->settings.view_distance, before + 1);
    press(SDL_CONTROLLER_BUTTON_B);
    press(SDL_CONTROLLER_BUTTON_B);
    assert_int_equal(game.crafty->menu.page, CRAFTY_MENU_CLOSED);
    assert_false(game.crafty->file.is_changed); /* it is written */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_triggers_break_and_place, begin, end),
        cmocka_unit_test_setup_teardown(y_opens_the_inventory_and_b_closes_it, begin, end),
        cmocka_unit_test_setup_teardown(the_d_pad_and_a_craft_a_table, begin, end),
        cmocka_unit_test_setup_teardown(the_right_stick_drops_from_a_slot_and_what_is_carried,
                                        begin, end),
        cmocka_unit_test_setup_teardown(a_placed_table_is_used_with_the_trigger, begin, end),
        cmocka_unit_test_setup_teardown(the_left_stick_walks, begin, end),
        cmocka_unit_test_setup_teardown(start_leads_to_settings_that_the_d_pad_changes, begin, end),
    };
    if (!window_game_has_display()) {
        print_message("skipped: without a display\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
