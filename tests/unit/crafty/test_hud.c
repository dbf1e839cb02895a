/* The head-up display: what is hidden, and the darkness of sleep. */
#include "menu_fixture.h"

#include <crafty/client/hud.h>
#include <crafty/sim/bed.h>

/* A fixture that draws a HUD over the lines of the chat. */
typedef struct HudFixture {
    MenuFixture fixture;
    CraftyHud hud;
    CraftyHudView view;
    CraftyPlayer player;
    CraftyVitals vitals;
    uint32_t chat_shapes, hud_shapes, sleep_shapes; /* of the last frame */
} HudFixture;

static void draw(CnEngine *engine, void *user)
{
    HudFixture *fixture = user;
    CnCanvas *canvas = cn_engine_canvas(engine);
    uint32_t before = cn_canvas_stats(canvas).shapes;
    crafty_hud_sleep(&fixture->hud, canvas, &fixture->view);
    fixture->sleep_shapes = cn_canvas_stats(canvas).shapes - before;
    before = cn_canvas_stats(canvas).shapes;
    crafty_chat_screen_frame(&fixture->fixture.chat, engine,
                             &(CraftyChatScreenView){.player = fixture->fixture.eye,
                                                     .is_hidden = fixture->view.is_hidden});
    fixture->chat_shapes = cn_canvas_stats(canvas).shapes - before;
    before = cn_canvas_stats(canvas).shapes;
    crafty_hud_draw(&fixture->hud, canvas, &fixture->view);
    fixture->hud_shapes = cn_canvas_stats(canvas).shapes - before;
}

static HudFixture begin(void)
{
    return (HudFixture){.player = {.mode = CRAFTY_MODE_SURVIVAL},
                        .vitals = {.health = 20, .food = 20, .air = CRAFTY_MAX_AIR}};
}

static void start(HudFixture *fixture)
{
    fixture_begin(&fixture->fixture);
    fixture->hud.icons.items = fixture->fixture.items;
    fixture->view = (CraftyHudView){.player = &fixture->player,
                                    .vitals = &fixture->vitals,
                                    .items = fixture->fixture.items,
                                    .aims = true,
                                    .seconds = 0.1f};
    cn_engine_before_frame(fixture->fixture.engine, draw, fixture);
    run_frames(fixture->fixture.engine, 1);
}

static void a_hidden_hud_draws_nothing(void **state)
{
    (void)state;
    HudFixture fixture = begin();
    start(&fixture);
    assert_true(fixture.hud_shapes > CRAFTY_SLOTS);
    fixture.view.is_hidden = true;
    run_frames(fixture.fixture.engine, 1);
    assert_int_equal(fixture.hud_shapes, 0);
    fixture_end(&fixture.fixture);
}

static void a_hidden_hud_still_warns_that_saving_fails(void **state)
{
    (void)state;
    HudFixture fixture = begin();
    start(&fixture);
    fixture.view.is_hidden = true;
    fixture.view.warning = "The disk is full.";
    run_frames(fixture.fixture.engine, 1);
    assert_true(fixture.hud_shapes > 0);
    fixture_end(&fixture.fixture);
}

static void messages_of_a_hidden_hud_do_not_appear_later(void **state)
{
    (void)state;
    HudFixture fixture = begin();
    start(&fixture);
    fixture.view.is_hidden = true;
    crafty_toasts_add(&fixture.hud.toasts, CRAFTY_NO_ITEM, "hello");
    run_frames(fixture.fixture.engine, 1);
    assert_int_equal(fixture.hud.toasts.count, 0);
    fixture_end(&fixture.fixture);
}

static void a_hidden_chat_draws_no_lines(void **state)
{
    (void)state;
    HudFixture fixture = begin();
    start(&fixture);
    crafty_chat_log_note(&fixture.fixture.chat.log, CRAFTY_CHAT_NOTICE, "hello");
    run_frames(fixture.fixture.engine, 1);
    assert_true(fixture.chat_shapes > 0);
    fixture.view.is_hidden = true;
    run_frames(fixture.fixture.engine, 1);
    assert_int_equal(fixture.chat_shapes, 0);
    fixture_end(&fixture.fixture);
}

static void the_world_is_not_darkened_for_a_player_who_is_awake(void **state)
{
    (void)state;
    HudFixture fixture = begin();
    start(&fixture);
    assert_int_equal(fixture.sleep_shapes, 0);
    fixture_end(&fixture.fixture);
}

static void sleep_darkens_the_world_more_and_more(void **state)
{
    (void)state;
    HudFixture fixture = begin();
    float before = 0;
    start(&fixture);
    for (uint32_t ticks = 30; ticks <= CRAFTY_SLEEP_TICKS; ticks += 30) {
        fixture.vitals.sleep_ticks = ticks;
        run_frames(fixture.fixture.engine, 1);
        assert_true(fixture.hud.darkness > before);
        before = fixture.hud.darkness;
    }
    assert_true(before > 0.9f);
    assert_int_equal(fixture.sleep_shapes, 1);
    fixture_end(&fixture.fixture);
}

static void who_waits_for_other_sleepers_sees_no_more_than_darkness(void **state)
{
    (void)state;
    HudFixture fixture = begin();
    start(&fixture);
    fixture.vitals.sleep_ticks = 100 * CRAFTY_SLEEP_TICKS;
    run_frames(fixture.fixture.engine, 1);
    assert_true(fixture.hud.darkness < 1);
    fixture_end(&fixture.fixture);
}

static void the_world_returns_slowly_after_sleep(void **state)
{
    (void)state;
    HudFixture fixture = begin();
    start(&fixture);
    fixture.vitals.sleep_ticks = CRAFTY_SLEEP_TICKS;
    run_frames(fixture.fixture.engine, 1);
    float before = fixture.hud.darkness;
    fixture.vitals.sleep_ticks = 0;
    run_frames(fixture.fixture.engine, 1);
    assert_true(fixture.hud.darkness > 0.5f * before && fixture.hud.darkness < before);
    run_frames(fixture.fixture.engine, 10);
    assert_float_equal(fixture.hud.darkness, 0, 0);
    fixture_end(&fixture.fixture);
}

static void with_reduced_motion_sleep_is_less_dark_and_ends_more_slowly(void **state)
{
    (void)state;
    HudFixture fixture = begin();
    start(&fixture);
    fixture.view.is_still = true;
    fixture.vitals.sleep_ticks = CRAFTY_SLEEP_TICKS;
    run_frames(fixture.fixture.engine, 1);
    assert_true(fixture.hud.darkness <= 0.5f);
    fixture.vitals.sleep_ticks = 0;
    run_frames(fixture.fixture.engine, 10);
    assert_true(fixture.hud.darkness > 0);
    fixture_end(&fixture.fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hidden_hud_draws_nothing),
        cmocka_unit_test(a_hidden_hud_still_warns_that_saving_fails),
        cmocka_unit_test(messages_of_a_hidden_hud_do_not_appear_later),
        cmocka_unit_test(a_hidden_chat_draws_no_lines),
        cmocka_unit_test(the_world_is_not_darkened_for_a_player_who_is_awake),
        cmocka_unit_test(sleep_darkens_the_world_more_and_more),
        cmocka_unit_test(who_waits_for_other_sleepers_sees_no_more_than_darkness),
        cmocka_unit_test(the_world_returns_slowly_after_sleep),
        cmocka_unit_test(with_reduced_motion_sleep_is_less_dark_and_ends_more_slowly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
