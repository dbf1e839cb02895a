/* The settings screen: tabs, changes, reset and undo, with mouse, keyboard and gamepad. */
#include "menu_fixture.h"
#include "scratch.h"

#include <crafty/sim/actions.h>

#include <stdlib.h>

static Scratch scratch; /* folder of the player's files */

/* Positions in a window of 640 x 360 points. */
#define TABS_Y 62.0f
#define TAB_WIDTH 105.0f
#define FIRST_TAB_X 250.0f
#define BUTTONS_Y 325.0f
#define RESET_X 300.0f
#define DONE_X 530.0f
#define SLIDER_X 590.0f

static void open_tab(MenuFixture *fixture, CraftyTab tab)
{
    if (fixture->menu.page != CRAFTY_MENU_SETTINGS)
        fixture_press(fixture, CN_KEY_F4);
    fixture_click(fixture, FIRST_TAB_X + TAB_WIDTH * (float)tab, TABS_Y);
    run_frames(fixture->engine, 1);
    assert_int_equal(fixture->menu.settings.tab, tab);
}

static void pad(MenuFixture *fixture, uint32_t button)
{
    fixture_send(fixture,
                 (CnInputEvent){.kind = CN_INPUT_GAMEPAD_BUTTON, .pressed = 1, .code = button});
    run_frames(fixture->engine, 1);
    fixture_send(fixture, (CnInputEvent){.kind = CN_INPUT_GAMEPAD_BUTTON, .code = button});
    run_frames(fixture->engine, 2);
}

static void connect_pad(MenuFixture *fixture)
{
    fixture_send(fixture, (CnInputEvent){.kind = CN_INPUT_GAMEPAD_CONNECTED});
    run_frames(fixture->engine, 1);
}

static void every_tab_opens_with_a_click(void **state)
{
    (void)state;
    MenuFixture fixture;
    fixture_begin(&fixture);
    for (uint32_t i = 0; i < CRAFTY_TAB_COUNT; i++)
        open_tab(&fixture, (CraftyTab)i);
    fixture_end(&fixture);
}

static void a_volume_is_changed_with_the_mouse(void **state)
{
    (void)state;
    MenuFixture fixture;
    fixture_begin(&fixture);
    open_tab(&fixture, CRAFTY_TAB_AUDIO);
    float before = fixture.preferences.effects_volume;
    fixture_click(&fixture, SLIDER_X, 136);
    assert_true(fixture.preferences.effects_volume > before);
    assert_int_equal(fixture.changes, 0); /* nothing to do for the renderer */
    fixture_end(&fixture);
}

static void reset_changes_only_its_tab_and_can_be_undone(void **state)
{
    (void)state;
    MenuFixture fixture;
    fixture_begin(&fixture);
    fixture.preferences.volume = 0.1f;
    fixture.preferences.high_contrast = true;
    open_tab(&fixture, CRAFTY_TAB_AUDIO);
    fixture_click(&fixture, RESET_X, BUTTONS_Y);
    assert_true(fixture.preferences.volume == 0.5f && fixture.preferences.high_contrast);
    fixture_click(&fixture, RESET_X, BUTTONS_Y); /* is "Undo reset" now */
    assert_true(fixture.preferences.volume == 0.1f);
    fixture_end(&fixture);
}

static void reset_of_video_gives_the_quality_of_the_device(void **state)
{
    (void)state;
    MenuFixture fixture;
    fixture_begin(&fixture);
    fixture.quality = CRAFTY_HIGH;
    fixture.settings = crafty_settings(CRAFTY_HIGH);
    open_tab(&fixture, CRAFTY_TAB_VIDEO);
    fixture_click(&fixture, RESET_X, BUTTONS_Y);
    assert_int_equal(fixture.quality, CRAFTY_LOW);
    assert_int_equal(fixture.changes, 1);
    fixture_click(&fixture, RESET_X, BUTTONS_Y);
    assert_int_equal(fixture.quality, CRAFTY_HIGH);
    assert_int_equal(fixture.settings.effects, crafty_settings(CRAFTY_HIGH).effects);
    fixture_end(&fixture);
}

static void another_tab_ends_undo(void **state)
{
    (void)state;
    MenuFixture fixture;
    fixture_begin(&fixture);
    fixture.preferences.volume = 0.1f;
    open_tab(&fixture, CRAFTY_TAB_AUDIO);
    fixture_click(&fixture, RESET_X, BUTTONS_Y);
    assert_true(fixture.menu.settings.has_undo);
    open_tab(&fixture, CRAFTY_TAB_CONTROLS);
    assert_false(fixture.menu.settings.has_undo);
    fixture_end(&fixture);
}

static void done_leads_to_the_pause_menu(void **state)
{
    (void)state;
    MenuFixture fixture;
    fixture_begin(&fixture);
    open_tab(&fixture, CRAFTY_TAB_AUDIO);
    fixture_click(&fixture, DONE_X, BUTTONS_Y);
    assert_int_equal(fixture.menu.page, CRAFTY_MENU_PAUSE);
    fixture_end(&fixture);
}

static void start_pauses_and_b_plays_on(void **state)
{
    (void)state;
    MenuFixture fixture;
    fixture_begin(&fixture);
    connect_pad(&fixture);
    pad(&fixture, CN_GAMEPAD_START);
    assert_int_equal(fixture.menu.page, CRAFTY_MENU_PAUSE);
    pad(&fixture, CN_GAMEPAD_B);
    assert_int_equal(fixture.menu.page, CRAFTY_MENU_CLOSED);
    fixture_end(&fixture);
}

static void a_gamepad_reaches_settings_and_changes_one(void **state)
{
    (void)state;
    MenuFixture fixture;
    fixture_begin(&fixture);
    connect_pad(&fixture);
    pad(&fixture, CN_GAMEPAD_START);
    pad(&fixture, CN_GAMEPAD_DOWN); /* from Resume */
    pad(&fixture, CN_GAMEPAD_A);
    assert_int_equal(fixture.menu.page, CRAFTY_MENU_SETTINGS);
    pad(&fixture, CN_GAMEPAD_RIGHT);
    pad(&fixture, CN_GAMEPAD_A);
    assert_int_equal(fixture.menu.settings.tab, CRAFTY_TAB_AUDIO);
    pad(&fixture, CN_GAMEPAD_DOWN);
    float before = fixture.preferences.volume;
    pad(&fixture, CN_GAMEPAD_RIGHT);
    assert_true(fixture.preferences.volume > before);
    pad(&fixture, CN_GAMEPAD_B);
    assert_int_equal(fixture.menu.page, CRAFTY_MENU_PAUSE);
    fixture_end(&fixture);
}

/* ---- Bindings ---- */

static void open_bindings(MenuFixture *fixture)
{
    open_tab(fixture, CRAFTY_TAB_CONTROLS);
    fixture_click(fixture, 430, 105);
    run_frames(fixture->engine, 2);
    assert_true(fixture->menu.settings.shows_bindings);
}

static const char *first_key_of(MenuFixture *fixture, const char *action)
{
    CnActionList list = cn_action_map_actions(crafty_controls_map(fixture->controls));
    CnAction found = cn_action_find(list, action);
    const CnActionDesc *desc = &list.actions[found.number - 1u];
    for (uint32_t i = 0; i < desc->binding_count; i++)
        if (desc->bindings[i].control.kind == CN_CONTROL_KEY)
            return cn_control_name(desc->bindings[i].control);
    return "none";
}

/* The cell of "Move forward", the first row. */
static void begin_waiting(MenuFixture *fixture)
{
    open_bindings(fixture);
    fixture_click(fixture, 290, 90);
    assert_true(fixture->menu.settings.bindings.waits);
    run_frames(fixture->engine, 10);
}

static void a_key_is_bound_by_pressing_it(void **state)
{
    (void)state;
    MenuFixture fixture;
    fixture_begin(&fixture);
    begin_waiting(&fixture);
    fixture_press(&fixture, CN_KEY_I);
    assert_false(fixture.menu.settings.bindings.waits);
    assert_string_equal(first_key_of(&fixture, "move"), "D"); /* x is first */
    CraftyBindingRow rows[CRAFTY_MAX_BINDING_ROWS];
    CraftyRowControl controls[CRAFTY_MAX_ROW_CONTROLS];
    CnActionList list = cn_action_map_actions(crafty_controls_map(fixture.controls));
    crafty_binding_rows(list, rows);
    assert_string_equal(rows[0].title, "Move forward");
    assert_int_equal(crafty_binding_controls(list, &rows[0], CRAFTY_COLUMN_KEYBOARD, controls), 1);
    assert_int_equal(controls[0].control.code, CN_KEY_I);
    fixture_end(&fixture);
}

static void a_new_binding_is_written_to_the_players_file(void **state)
{
    (void)state;
    MenuFixture fixture;
    CnError error = {0};
    fixture_begin(&fixture);
    begin_waiting(&fixture);
    fixture_press(&fixture, CN_KEY_I);
    fixture_end(&fixture);
    CnActionMap *map = cn_action_map_create(
        &(CnActionMapDesc){.lists = {crafty_actions(), crafty_client_actions()}}, NULL);
    char path[512];
    cn_format(path, sizeof path, "%s/crafty/bindings.json", scratch.folder);
    if (!cn_action_map_read(map, cn_native_files(), path, &error))
        fail_msg("%s", error.message);
    const CnActionDesc *move = &cn_action_map_actions(map).actions[0];
    bool is_found = false;
    for (uint32_t i = 0; i < move->binding_count; i++)
        is_found |= move->bindings[i].control.code == CN_KEY_I;
    assert_true(is_found);
    cn_action_map_destroy(map);
}

static void escape_keeps_the_binding_and_the_screen(void **state)
{
    (void)state;
    MenuFixture fixture;
    fixture_begin(&fixture);
    begin_waiting(&fixture);
    fixture_press(&fixture, CN_KEY_ESCAPE);
    assert_false(fixture.menu.settings.bindings.waits);
    assert_true(fixture.menu.settings.shows_bindings);
    fixture_press(&fixture, CN_KEY_ESCAPE);
    assert_false(fixture.menu.settings.shows_bindings);
    assert_int_equal(fixture.menu.page, CRAFTY_MENU_SETTINGS);
    fixture_end(&fixture);
}

static void waiting_ends_after_a_while(void **state)
{
    (void)state;
    MenuFixture fixture;
    fixture_begin(&fixture);
    begin_waiting(&fixture);
    for (uint32_t i = 0; i < 200; i++)
        assert_true(cn_engine_frame_with_delta(fixture.engine, 0.05));
    assert_false(fixture.menu.settings.bindings.waits);
    fixture_end(&fixture);
}

static void a_function_key_can_be_bound_and_does_nothing_else(void **state)
{
    (void)state;
    MenuFixture fixture;
    fixture_begin(&fixture);
    begin_waiting(&fixture);
    fixture_press(&fixture, CN_KEY_F4);
    assert_int_equal(fixture.menu.page, CRAFTY_MENU_SETTINGS);
    assert_true(fixture.menu.settings.shows_bindings);
    assert_false(fixture.menu.settings.bindings.waits);
    fixture_end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tab_opens_with_a_click),
        cmocka_unit_test(a_volume_is_changed_with_the_mouse),
        cmocka_unit_test(reset_changes_only_its_tab_and_can_be_undone),
        cmocka_unit_test(reset_of_video_gives_the_quality_of_the_device),
        cmocka_unit_test(another_tab_ends_undo),
        cmocka_unit_test(done_leads_to_the_pause_menu),
        cmocka_unit_test(start_pauses_and_b_plays_on),
        cmocka_unit_test(a_gamepad_reaches_settings_and_changes_one),
        cmocka_unit_test(a_key_is_bound_by_pressing_it),
        cmocka_unit_test(a_new_binding_is_written_to_the_players_file),
        cmocka_unit_test(escape_keeps_the_binding_and_the_screen),
        cmocka_unit_test(waiting_ends_after_a_while),
        cmocka_unit_test(a_function_key_can_be_bound_and_does_nothing_else),
    };
    scratch_init(&scratch);
    setenv("XDG_CONFIG_HOME", scratch.folder, 1);
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    scratch_fini(&scratch);
    return failures;
}
