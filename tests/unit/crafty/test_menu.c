/* Windows of the player: what opens and closes them, and whose the mouse is. */
#include "menu_fixture.h"
#include "standard_blocks.h"

#include <crafty/sim/motion.h>

#include <string.h>

static void escape_pauses_and_plays_on(void **state)
{
    (void)state;
    MenuFixture fixture;
    fixture_begin(&fixture);
    fixture_press(&fixture, CN_KEY_ESCAPE);
    assert_int_equal(fixture.menu.page, CRAFTY_MENU_PAUSE);
    assert_false(fixture_aims(&fixture));
    fixture_press(&fixture, CN_KEY_ESCAPE);
    assert_int_equal(fixture.menu.page, CRAFTY_MENU_CLOSED);
    assert_true(fixture_aims(&fixture));
    fixture_end(&fixture);
}

static void f1_hides_the_interface_and_shows_it_again(void **state)
{
    (void)state;
    MenuFixture fixture;
    fixture_begin(&fixture);
    fixture_press(&fixture, CN_KEY_F1);
    assert_true(fixture.menu.hides_interface);
    fixture_press(&fixture, CN_KEY_F1);
    assert_false(fixture.menu.hides_interface);
    fixture_end(&fixture);
}

static void f1_does_nothing_in_a_menu(void **state)
{
    (void)state;
    MenuFixture fixture;
    fixture_begin(&fixture);
    fixture_press(&fixture, CN_KEY_ESCAPE);
    fixture_press(&fixture, CN_KEY_F1);
    assert_false(fixture.menu.hides_interface);
    fixture_end(&fixture);
}

static void keys_do_not_move_a_player_during_a_pause(void **state)
{
    (void)state;
    MenuFixture fixture;
    fixture_begin(&fixture);
    fixture_press(&fixture, CN_KEY_ESCAPE);
    fixture_press(&fixture, CN_KEY_W);
    const CnWorld *world = cn_engine_world(fixture.engine);
    assert_float_equal(cn_get(world, fixture.eye, CnTransform)->position.z, 0, 0);
    fixture_end(&fixture);
}

static uint64_t fixture_tick(const MenuFixture *fixture)
{
    return cn_sim_tick(cn_engine_sim(fixture->engine));
}

static void a_world_stands_still_during_a_pause(void **state)
{
    (void)state;
    MenuFixture fixture;
    fixture_begin(&fixture);
    fixture_press(&fixture, CN_KEY_ESCAPE);
    uint64_t tick = fixture_tick(&fixture), hash = cn_sim_hash(cn_engine_sim(fixture.engine));
    double elapsed = cn_engine_time(fixture.engine)->elapsed;
    run_frames(fixture.engine, 20);
    assert_int_equal(fixture_tick(&fixture), tick);
    assert_int_equal(cn_sim_hash(cn_engine_sim(fixture.engine)), hash);
    assert_float_equal(cn_engine_time(fixture.engine)->elapsed, elapsed, 0);
    fixture_press(&fixture, CN_KEY_ESCAPE);
    run_frames(fixture.engine, 5);
    assert_true(fixture_tick(&fixture) > tick + 4);
    assert_true(cn_engine_time(fixture.engine)->elapsed > elapsed);
    fixture_end(&fixture);
}

static void settings_pause_the_world(void **state)
{
    (void)state;
    MenuFixture fixture;
    fixture_begin(&fixture);
    fixture_press(&fixture, CN_KEY_F4);
    uint64_t tick = fixture_tick(&fixture);
    run_frames(fixture.engine, 5);
    assert_int_equal(fixture_tick(&fixture), tick);
    fixture_end(&fixture);
}

static void a_world_with_other_players_goes_on_during_a_pause(void **state)
{
    (void)state;
    MenuFixture fixture;
    fixture_begin(&fixture);
    fixture.has_company = true;
    fixture_press(&fixture, CN_KEY_ESCAPE);
    uint64_t tick = fixture_tick(&fixture);
    run_frames(fixture.engine, 5);
    assert_int_equal(fixture_tick(&fixture), tick + 5);
    fixture_end(&fixture);
}

static void commands_are_applied_when_the_game_goes_on(void **state)
{
    (void)state;
    MenuFixture fixture;
    fixture_begin(&fixture);
    fixture_press(&fixture, CN_KEY_ESCAPE);
    crafty_connection_send_command(
        fixture.connection,
        &(CraftyCommand){.kind = CRAFTY_COMMAND_MODE, .choice = CRAFTY_MODE_CREATIVE});
    run_frames(fixture.engine, 5);
    const CnWorld *world = cn_engine_world(fixture.engine);
    assert_non_null(cn_get(world, fixture.eye, CnFlyCamera));
    fixture_press(&fixture, CN_KEY_ESCAPE);
    assert_null(cn_get(world, fixture.eye, CnFlyCamera));
    fixture_end(&fixture);
}

static void motion_during_a_pause_does_not_turn_the_player_later(void **state)
{
    (void)state;
    MenuFixture fixture;
    fixture_begin(&fixture);
    fixture_press(&fixture, CN_KEY_ESCAPE);
    const CnWorld *world = cn_engine_world(fixture.engine);
    CnQuat before = cn_get(world, fixture.eye, CnTransform)->rotation;
    for (uint32_t i = 0; i < 10; i++) {
        fixture_send(&fixture, (CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE, .dx = 50, .dy = 20});
        run_frames(fixture.engine, 1);
    }
    fixture_press(&fixture, CN_KEY_ESCAPE);
    CnQuat after = cn_get(world, fixture.eye, CnTransform)->rotation;
    assert_memory_equal(&after, &before, sizeof after);
    fixture_end(&fixture);
}

static void quit_is_a_wish_that_the_program_fulfils(void **state)
{
    (void)state;
    MenuFixture fixture;
    fixture_begin(&fixture);
    fixture_press(&fixture, CN_KEY_ESCAPE);
    fixture_click(&fixture, FIXTURE_WIDTH / 2.0f, FIXTURE_HEIGHT * 0.05f + 112);
    assert_true(fixture.menu.quits);
    assert_false(cn_engine_is_over(fixture.engine));
    fixture_end(&fixture);
}

static void who_leaves_the_window_pauses(void **state)
{
    (void)state;
    MenuFixture fixture;
    fixture_begin(&fixture);
    fixture_send(&fixture, (CnInputEvent){.kind = CN_INPUT_FOCUS_LOST});
    run_frames(fixture.engine, 2);
    assert_int_equal(fixture.menu.page, CRAFTY_MENU_PAUSE);
    assert_false(fixture_aims(&fixture));
    fixture_send(&fixture, (CnInputEvent){.kind = CN_INPUT_FOCUS_GAINED});
    run_frames(fixture.engine, 2);
    assert_false(fixture_aims(&fixture)); /* not before somebody says so */
    fixture_end(&fixture);
}

static void f4_closes_settings_also_after_a_click_on_one(void **state)
{
    (void)state;
    MenuFixture fixture;
    fixture_begin(&fixture);
    fixture_press(&fixture, CN_KEY_F4);
    assert_int_equal(fixture.menu.page, CRAFTY_MENU_SETTINGS);
    assert_false(fixture_aims(&fixture));
    fixture_send(&fixture, (CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE, .x = 260, .y = 285});
    run_frames(fixture.engine, 1);
    fixture_send(&fixture, (CnInputEvent){.kind = CN_INPUT_WHEEL, .dy = -50});
    run_frames(fixture.engine, 30); /* the list scrolls to its end */
    uint32_t effects = fixture.settings.effects;
    fixture_click(&fixture, 260, 285); /* the last effect */
    assert_int_equal(fixture.changes, 1);
    assert_int_equal(fixture.settings.effects ^ effects, CRAFTY_FAR);
    fixture_press(&fixture, CN_KEY_F4);
    assert_int_equal(fixture.menu.page, CRAFTY_MENU_CLOSED);
    assert_true(fixture_aims(&fixture));
    fixture_end(&fixture);
}

static void a_click_beside_settings_plays_on(void **state)
{
    (void)state;
    MenuFixture fixture;
    fixture_begin(&fixture);
    fixture_press(&fixture, CN_KEY_F4);
    fixture_click(&fixture, 20, 200);
    run_frames(fixture.engine, 1);
    assert_true(fixture_aims(&fixture));
    assert_int_equal(fixture.menu.page, CRAFTY_MENU_CLOSED);
    fixture_end(&fixture);
}

static void the_field_of_view_is_no_state_of_the_simulation(void **state)
{
    (void)state;
    MenuFixture fixture;
    fixture_begin(&fixture);
    fixture_press(&fixture, CN_KEY_F4);
    const CnCamera before = *cn_get(cn_engine_world(fixture.engine), fixture.eye, CnCamera);
    fixture_click(&fixture, FIXTURE_WIDTH - 60, 165); /* the slider */
    assert_true(fixture.preferences.fov != 70);
    assert_memory_equal(cn_get(cn_engine_world(fixture.engine), fixture.eye, CnCamera), &before,
                        sizeof before);
    fixture_end(&fixture);
}

static void auto_jump_is_sent_when_the_settings_are_left(void **state)
{
    (void)state;
    MenuFixture fixture;
    fixture_begin(&fixture);
    CnWorld *world = cn_engine_world(fixture.engine);
    fixture_press(&fixture, CN_KEY_F4);
    fixture.preferences.auto_jump = false;
    assert_int_equal(cn_get(world, fixture.eye, CraftyMotion)->preferences,
                     CRAFTY_PREFERS_AUTO_JUMP);
    fixture_press(&fixture, CN_KEY_F4);
    run_frames(fixture.engine, 2);
    assert_int_equal(cn_get(world, fixture.eye, CraftyMotion)->preferences, 0);
    fixture_end(&fixture);
}

static void a_menu_stays_open_in_frames_between_two_ticks(void **state)
{
    (void)state;
    MenuFixture fixture;
    fixture_begin(&fixture);
    uint64_t tick = cn_sim_tick(cn_engine_sim(fixture.engine));
    fixture_send(&fixture, (CnInputEvent){.kind = CN_INPUT_KEY, .pressed = 1, .code = CN_KEY_F4});
    for (uint32_t i = 0; i < 3; i++)
        assert_true(cn_engine_frame_with_delta(fixture.engine, 1e-4));
    assert_int_equal(cn_sim_tick(cn_engine_sim(fixture.engine)), tick);
    assert_int_equal(fixture.menu.page, CRAFTY_MENU_SETTINGS);
    run_frames(fixture.engine, 2);
    assert_int_equal(fixture.menu.page, CRAFTY_MENU_SETTINGS);
    assert_false(fixture_aims(&fixture));
    fixture_end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(escape_pauses_and_plays_on),
        cmocka_unit_test(f1_hides_the_interface_and_shows_it_again),
        cmocka_unit_test(f1_does_nothing_in_a_menu),
        cmocka_unit_test(keys_do_not_move_a_player_during_a_pause),
        cmocka_unit_test(a_world_stands_still_during_a_pause),
        cmocka_unit_test(settings_pause_the_world),
        cmocka_unit_test(a_world_with_other_players_goes_on_during_a_pause),
        cmocka_unit_test(commands_are_applied_when_the_game_goes_on),
        cmocka_unit_test(motion_during_a_pause_does_not_turn_the_player_later),
        cmocka_unit_test(quit_is_a_wish_that_the_program_fulfils),
        cmocka_unit_test(who_leaves_the_window_pauses),
        cmocka_unit_test(f4_closes_settings_also_after_a_click_on_one),
        cmocka_unit_test(a_click_beside_settings_plays_on),
        cmocka_unit_test(the_field_of_view_is_no_state_of_the_simulation),
        cmocka_unit_test(auto_jump_is_sent_when_the_settings_are_left),
        cmocka_unit_test(a_menu_stays_open_in_frames_between_two_ticks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
