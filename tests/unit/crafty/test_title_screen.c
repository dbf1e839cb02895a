/* The title screen: what its buttons want, and when a landscape is too slow. */
#include "engine_fixture.h"

#include <crafty/client/backdrop.h>
#include <crafty/client/title_screen.h>

typedef struct Case {
    CnEngine *engine;
    CraftyTitleScreen screen;
    CraftyGlyphs glyphs;
    CraftyTitleEvent event; /* the last one that is not CRAFTY_TITLE_STAYS */
} Case;

static void show(CnEngine *engine, void *user)
{
    Case *test = user;
    CraftyTitleEvent event = crafty_title_screen_frame(&test->screen, engine,
                                                       &(CraftyTitleView){.glyphs = &test->glyphs});
    if (event != CRAFTY_TITLE_STAYS)
        test->event = event;
}

static void begin(Case *test)
{
    *test = (Case){
        .engine = make_engine(&(CnEngineDesc){.width = 640, .height = 360, .own_input = true})};
    cn_engine_before_frame(test->engine, show, test);
    run_frames(test->engine, 3);
}

static void send(Case *test, CnInputEvent event)
{
    cn_engine_send(test->engine, &event);
    run_frames(test->engine, 1);
}

static void press(Case *test, uint32_t key)
{
    send(test, (CnInputEvent){.kind = CN_INPUT_KEY, .pressed = 1, .code = key});
    send(test, (CnInputEvent){.kind = CN_INPUT_KEY, .code = key});
    run_frames(test->engine, 1);
}

static void pad(Case *test, uint32_t button)
{
    send(test, (CnInputEvent){.kind = CN_INPUT_GAMEPAD_BUTTON, .pressed = 1, .code = button});
    send(test, (CnInputEvent){.kind = CN_INPUT_GAMEPAD_BUTTON, .code = button});
    run_frames(test->engine, 1);
}

static void return_plays(void **state)
{
    (void)state;
    Case test;
    begin(&test);
    press(&test, CN_KEY_RETURN);
    assert_int_equal(test.event, CRAFTY_TITLE_PLAY);
    end_engine(test.engine);
}

static void return_plays_also_after_escape(void **state)
{
    (void)state;
    Case test;
    begin(&test);
    press(&test, CN_KEY_ESCAPE);
    press(&test, CN_KEY_RETURN);
    assert_int_equal(test.event, CRAFTY_TITLE_PLAY);
    end_engine(test.engine);
}

static void every_button_is_reached_with_the_arrow_keys(void **state)
{
    (void)state;
    static const CraftyTitleEvent events[] = {CRAFTY_TITLE_PLAY, CRAFTY_TITLE_NEW_WORLD,
                                              CRAFTY_TITLE_SETTINGS, CRAFTY_TITLE_QUIT};
    Case test;
    begin(&test);
    for (uint32_t i = 0; i < CN_COUNT_OF(events); i++) {
        press(&test, CN_KEY_RETURN);
        assert_int_equal(test.event, events[i]);
        press(&test, CN_KEY_DOWN);
    }
    end_engine(test.engine);
}

static void a_gamepad_opens_the_settings(void **state)
{
    (void)state;
    Case test;
    begin(&test);
    send(&test, (CnInputEvent){.kind = CN_INPUT_GAMEPAD_CONNECTED});
    pad(&test, CN_GAMEPAD_DOWN);
    pad(&test, CN_GAMEPAD_DOWN);
    pad(&test, CN_GAMEPAD_A);
    assert_int_equal(test.event, CRAFTY_TITLE_SETTINGS);
    end_engine(test.engine);
}

static void a_click_quits(void **state)
{
    (void)state;
    Case test;
    begin(&test);
    send(&test, (CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE, .x = 320, .y = 275});
    send(&test, (CnInputEvent){.kind = CN_INPUT_MOUSE_BUTTON, .pressed = 1, .code = CN_MOUSE_LEFT});
    send(&test, (CnInputEvent){.kind = CN_INPUT_MOUSE_BUTTON, .code = CN_MOUSE_LEFT});
    assert_int_equal(test.event, CRAFTY_TITLE_QUIT);
    end_engine(test.engine);
}

static void a_fast_landscape_stays(void **state)
{
    (void)state;
    CraftyBackdrop backdrop = {0};
    for (uint32_t i = 0; i < 100; i++)
        assert_false(crafty_backdrop_measure(&backdrop, i < 2 ? 2000 : 16)); /* a slow begin */
}

static void a_slow_landscape_is_given_up_once(void **state)
{
    (void)state;
    CraftyBackdrop backdrop = {0};
    uint32_t times = 0;
    for (uint32_t i = 0; i < 100; i++)
        times += crafty_backdrop_measure(&backdrop, 200);
    assert_int_equal(times, 1);
}

static void a_landscape_that_becomes_slow_later_stays(void **state)
{
    (void)state;
    CraftyBackdrop backdrop = {0};
    for (uint32_t i = 0; i < 100; i++)
        assert_false(crafty_backdrop_measure(&backdrop, i < 50 ? 16 : 2000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(return_plays),
        cmocka_unit_test(return_plays_also_after_escape),
        cmocka_unit_test(every_button_is_reached_with_the_arrow_keys),
        cmocka_unit_test(a_gamepad_opens_the_settings),
        cmocka_unit_test(a_click_quits),
        cmocka_unit_test(a_fast_landscape_stays),
        cmocka_unit_test(a_slow_landscape_is_given_up_once),
        cmocka_unit_test(a_landscape_that_becomes_slow_later_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
