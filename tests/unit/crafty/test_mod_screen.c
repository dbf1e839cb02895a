/* What mods show: the places of elements, markers, dialogs by mouse, keys and gamepad, and the
 * errors of mods. */
#include "menu_fixture.h"

#include <crafty/client/mod_errors.h>
#include <crafty/client/mod_hud.h>

#include <cairn/base/log.h>
#include <cairn/base/math.h>

#include <stdio.h>
#include <string.h>

typedef struct ModScreen {
    MenuFixture fixture;
    CraftyModHud hud;
    CraftyModHudFrame frame;
    CraftyModErrors errors;
    uint32_t shapes; /* of the last frame */
    CnEventReader *commands;
    uint32_t number; /* of the dialog */
} ModScreen;

static ModScreen screen;

static void show(CnEngine *engine, void *user)
{
    (void)user;
    MenuFixture *fixture = &screen.fixture;
    crafty_controls_frame(fixture->controls, cn_engine_devices(engine), fixture->connection);
    crafty_glyphs_frame(&fixture->glyphs, fixture->controls, engine);
    crafty_ui_style_apply(cn_engine_ui(engine), &fixture->preferences);
    crafty_mod_hud_frame(&screen.hud, cn_engine_world(engine), CRAFTY_FIRST_PLAYER);
    screen.frame.canvas = cn_engine_canvas(engine);
    screen.frame.icons = &fixture->icons;
    uint32_t before = cn_canvas_stats(screen.frame.canvas).shapes;
    crafty_mod_hud_draw(&screen.hud, &screen.frame);
    screen.shapes = cn_canvas_stats(screen.frame.canvas).shapes - before;
    crafty_menu_frame(&fixture->menu, engine,
                      &(CraftyMenuView){.player = fixture->eye,
                                        .is_alone = true,
                                        .connection = fixture->connection,
                                        .chat = &fixture->chat,
                                        .dialog = &screen.hud.view.dialog,
                                        .mod_errors = &screen.errors,
                                        .settings = {.quality = &fixture->quality,
                                                     .settings = &fixture->settings,
                                                     .preferences = &fixture->preferences,
                                                     .controls = fixture->controls,
                                                     .glyphs = &fixture->glyphs},
                                        .icons = &fixture->icons});
}

static CnWorld *world(void)
{
    return cn_engine_world(screen.fixture.engine);
}

static int begin(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    screen = (ModScreen){0};
    fixture_begin(&screen.fixture);
    crafty_mod_hud_init(&screen.hud, NULL);
    assert_true(crafty_mod_hud_add(world(), NULL));
    screen.commands = cn_event_reader_create(cn_channel(world(), CraftyCommand), NULL);
    assert_non_null(screen.commands);
    cn_engine_before_frame(screen.fixture.engine, show, NULL);
    run_frames(screen.fixture.engine, 2);
    return 0;
}

static int end(void **state)
{
    (void)state;
    crafty_mod_hud_fini(&screen.hud);
    cn_event_reader_destroy(screen.commands);
    crafty_mod_hud_remove(world());
    fixture_end(&screen.fixture);
    return 0;
}

static void set(const char *key, const char *json)
{
    CnError error = {0};
    if (!crafty_mod_hud_set(world(), CRAFTY_FIRST_PLAYER, "castle", cn_text(key), cn_text(json),
                            &error))
        fail_msg("%s", error.message);
    run_frames(screen.fixture.engine, 2);
}

static CnRect rect_of(uint32_t index)
{
    assert_true(index < screen.hud.view.element_count);
    return screen.hud.rects[index];
}

/* ---- Elements ---- */

static void an_anchor_counts_from_its_point_of_the_screen(void **state)
{
    (void)state;
    set("a", "{\"kind\":\"image\",\"tile\":\"stone\",\"anchor\":\"bottomRight\",\"x\":-8,\"y\":-4,"
             "\"width\":20,\"height\":10}");
    CnRect rect = rect_of(0);
    assert_true(rect.x == FIXTURE_WIDTH - 28 && rect.y == FIXTURE_HEIGHT - 14);
    assert_true(rect.width == 20 && rect.height == 10);
    set("a", "{\"kind\":\"image\",\"tile\":\"stone\",\"anchor\":\"center\",\"width\":20,"
             "\"height\":10}");
    rect = rect_of(0);
    assert_true(rect.x == FIXTURE_WIDTH / 2 - 10 && rect.y == FIXTURE_HEIGHT / 2 - 5);
}

static void children_lie_in_their_panel(void **state)
{
    (void)state;
    set("a",
        "{\"kind\":\"panel\",\"anchor\":\"topRight\",\"width\":100,\"height\":50,\"children\":["
        "{\"kind\":\"image\",\"tile\":\"stone\",\"anchor\":\"bottomLeft\",\"x\":5,\"y\":-5,"
        "\"width\":10,\"height\":10}]}");
    CnRect child = rect_of(1);
    assert_true(child.x == FIXTURE_WIDTH - 95 && child.y == 35);
}

static void a_panel_without_a_size_contains_its_children(void **state)
{
    (void)state;
    set("a", "{\"kind\":\"panel\",\"children\":[{\"kind\":\"image\",\"tile\":\"stone\",\"x\":6,"
             "\"y\":4,\"width\":30,\"height\":20}]}");
    CnRect panel = rect_of(0), child = rect_of(1);
    assert_true(child.x + child.width <= panel.x + panel.width);
    assert_true(child.y + child.height <= panel.y + panel.height);
}

static void texts_grow_with_the_text_size_of_the_player(void **state)
{
    (void)state;
    set("a", "{\"kind\":\"text\",\"text\":\"Find the bell\"}");
    CnRect small = rect_of(0);
    screen.fixture.icons.text_size = 1.5f;
    run_frames(screen.fixture.engine, 1);
    assert_true(rect_of(0).width > 1.3f * small.width);
}

static void high_contrast_puts_texts_on_black(void **state)
{
    (void)state;
    set("a", "{\"kind\":\"text\",\"text\":\"x\"}");
    CnRect plain = rect_of(0);
    screen.fixture.icons.high_contrast = true;
    run_frames(screen.fixture.engine, 1);
    assert_true(rect_of(0).width > plain.width + 4);
}

static void equal_cells_of_a_row_are_one_shape(void **state)
{
    (void)state;
    set("a", "{\"kind\":\"grid\",\"columns\":4,\"rows\":2,\"colors\":"
             "\"ff0000ff0000ff000000ff00ff0000ff0000ff0000ff0000\"}");
    assert_int_equal(screen.shapes, 3);
}

static void a_large_grid_is_accepted(void **state)
{
    (void)state;
    static char json[64 * 64 * 6 + 128];
    char *at = json + sprintf(json, "{\"kind\":\"grid\",\"columns\":64,\"rows\":64,\"colors\":\"");
    for (uint32_t i = 0; i < 64 * 64; i++)
        at += sprintf(at, "%06x", i % 2 ? 0xFF0000u : 0x00FF00u);
    strcpy(at, "\"}");
    set("a", json);
    assert_int_equal(screen.shapes, 64 * 64);
}

static void an_element_that_is_removed_is_not_drawn(void **state)
{
    (void)state;
    set("a", "{\"kind\":\"bar\",\"value\":0.5}");
    assert_true(screen.shapes > 0);
    assert_true(crafty_mod_hud_erase(world(), CRAFTY_FIRST_PLAYER, "castle", cn_text("a")));
    run_frames(screen.fixture.engine, 2);
    assert_int_equal(screen.shapes, 0);
}

/* ---- Markers ---- */

static const CnVec2 size = {640, 360}, margin = {40, 40};

static CraftyMarkerPlace place_of(CnVec3 position)
{
    CnRenderCamera camera = {
        .valid = true, .position = {10, 20, 30}, .rotation = {0, 0, 0, 1}, .fov = CN_PIF / 2};
    return crafty_marker_place(&camera, position, size, margin);
}

static void a_marker_ahead_is_in_the_middle(void **state)
{
    (void)state;
    CraftyMarkerPlace place = place_of(cn_vec3(10, 20, 0));
    assert_false(place.is_outside);
    assert_true(cn_fabsf(place.at.x - 320) < 0.1f && cn_fabsf(place.at.y - 180) < 0.1f);
}

static void a_marker_is_where_it_is_seen(void **state)
{
    (void)state;
    /* With 90 degrees, 10 up at a distance of 20 is half of the height above the middle. */
    CraftyMarkerPlace place = place_of(cn_vec3(10, 30, 10));
    assert_false(place.is_outside);
    assert_true(cn_fabsf(place.at.x - 320) < 0.1f && cn_fabsf(place.at.y - 90) < 0.1f);
}

static void a_marker_outside_is_at_the_edge_in_its_direction(void **state)
{
    (void)state;
    CraftyMarkerPlace right = place_of(cn_vec3(500, 20, 20)),
                      below = place_of(cn_vec3(10, -500, 20));
    assert_true(right.is_outside && right.at.x == 600 && cn_fabsf(right.at.y - 180) < 0.1f);
    assert_true(below.is_outside && below.at.y == 320 && cn_fabsf(below.at.x - 320) < 0.1f);
}

static void a_marker_behind_is_at_the_edge(void **state)
{
    (void)state;
    CraftyMarkerPlace left = place_of(cn_vec3(0, 20, 60)), exact = place_of(cn_vec3(10, 20, 60));
    assert_true(left.is_outside && left.at.x == 40);
    assert_true(exact.is_outside && exact.at.y == 320);
    CraftyMarkerPlace inside = place_of(cn_vec3(10, 20, 30));
    assert_true(inside.at.x >= 40 && inside.at.x <= 600);
}

/* ---- Dialogs ---- */

static void open_gate(void)
{
    CnError error = {0};
    bool opened = false;
    if (!crafty_mod_dialog_ask(world(), CRAFTY_FIRST_PLAYER, "castle", cn_text("gate"),
                               cn_text("{\"title\":\"Gate\",\"text\":\"Well?\",\"choices\":[\"In\","
                                       "\"Out##hidden\",\"No\"]}"),
                               &opened, &error))
        fail_msg("%s", error.message);
    assert_true(opened);
}

/* As a mod that asks in each tick. */
static void replace_dialog(void)
{
    open_gate();
    run_frames(screen.fixture.engine, 1);
    screen.number = screen.hud.view.dialog.number;
}

static void ask(void)
{
    open_gate();
    run_frames(screen.fixture.engine, 4);
    screen.number = screen.hud.view.dialog.number;
    assert_int_equal(screen.fixture.menu.page, CRAFTY_MENU_DIALOG);
    assert_false(fixture_aims(&screen.fixture));
}

static void check_choice(uint32_t choice)
{
    uint32_t answers = 0;
    run_frames(screen.fixture.engine, 3);
    assert_int_equal(screen.fixture.menu.page, CRAFTY_MENU_CLOSED);
    for (const CraftyCommand *e; (e = cn_read_next(screen.commands, CraftyCommand));)
        if (e->kind == CRAFTY_COMMAND_CHOOSE) {
            assert_int_equal(e->choice, choice);
            assert_int_equal(e->cell[0], screen.number);
            answers++;
        }
    assert_int_equal(answers, 1);
    assert_true(fixture_aims(&screen.fixture));
}

static void return_takes_the_first_choice(void **state)
{
    (void)state;
    ask();
    fixture_press(&screen.fixture, CN_KEY_RETURN);
    check_choice(1);
}

static void arrows_move_between_choices(void **state)
{
    (void)state;
    ask();
    fixture_press(&screen.fixture, CN_KEY_DOWN);
    fixture_press(&screen.fixture, CN_KEY_RETURN);
    check_choice(2);
}

static void escape_closes_the_dialog_without_a_choice(void **state)
{
    (void)state;
    ask();
    fixture_press(&screen.fixture, CN_KEY_ESCAPE);
    check_choice(0);
}

static void a_click_takes_a_choice(void **state)
{
    (void)state;
    ask();
    for (float y = 40; y < 300 && screen.fixture.menu.page == CRAFTY_MENU_DIALOG; y += 12)
        fixture_click(&screen.fixture, FIXTURE_WIDTH / 2, y);
    check_choice(1);
}

static bool is_dialog_open(void)
{
    return screen.fixture.menu.page == CRAFTY_MENU_DIALOG;
}

static void a_tap_takes_a_choice(void **state)
{
    (void)state;
    ask();
    for (float y = 60; y < 300 && is_dialog_open(); y += 12)
        fixture_tap(&screen.fixture, FIXTURE_WIDTH / 2, y);
    check_choice(1);
}

static void taps_from_below_take_the_last_choice(void **state)
{
    (void)state;
    ask();
    for (float y = FIXTURE_HEIGHT; y > 40 && is_dialog_open(); y -= 6)
        fixture_tap(&screen.fixture, FIXTURE_WIDTH / 2, y);
    check_choice(3);
}

static void a_finger_that_slides_off_a_choice_takes_none(void **state)
{
    (void)state;
    ask();
    for (float y = 60; y < 300 && is_dialog_open(); y += 12) {
        fixture_touch(&screen.fixture, CN_INPUT_TOUCH_BEGIN, FIXTURE_WIDTH / 2, y);
        fixture_touch(&screen.fixture, CN_INPUT_TOUCH_MOVE, 4, FIXTURE_HEIGHT - 4);
        fixture_touch(&screen.fixture, CN_INPUT_TOUCH_END, 4, FIXTURE_HEIGHT - 4);
    }
    assert_true(is_dialog_open());
}

/* The button in the corner of the window. */
static void tap_corners(bool replaces)
{
    float right = FIXTURE_WIDTH / 2 + 190;
    for (float y = 30; y < 90 && is_dialog_open(); y += 8)
        for (float x = right - 24; x < right && is_dialog_open(); x += 8) {
            fixture_touch(&screen.fixture, CN_INPUT_TOUCH_BEGIN, x, y);
            if (replaces && is_dialog_open())
                replace_dialog();
            fixture_touch(&screen.fixture, CN_INPUT_TOUCH_END, x, y);
        }
}

static void a_tap_closes_the_dialog_without_a_choice(void **state)
{
    (void)state;
    ask();
    tap_corners(false);
    check_choice(0);
}

static void a_dialog_that_is_replaced_meanwhile_can_be_closed_by_touch(void **state)
{
    (void)state;
    ask();
    tap_corners(true);
    check_choice(0);
}

static void a_dialog_that_is_replaced_in_each_frame_can_be_closed_by_escape(void **state)
{
    (void)state;
    ask();
    fixture_send(&screen.fixture,
                 (CnInputEvent){.kind = CN_INPUT_KEY, .pressed = 1, .code = CN_KEY_ESCAPE});
    replace_dialog();
    check_choice(0);
}

static void a_gamepad_takes_a_choice(void **state)
{
    (void)state;
    ask();
    for (uint8_t released = 0; released < 2; released++) {
        fixture_send(&screen.fixture, (CnInputEvent){.kind = CN_INPUT_GAMEPAD_BUTTON,
                                                     .pressed = !released,
                                                     .code = CN_GAMEPAD_A});
        run_frames(screen.fixture.engine, 2);
    }
    check_choice(1);
}

static void a_dialog_that_the_mod_closes_vanishes(void **state)
{
    (void)state;
    ask();
    assert_true(crafty_mod_dialog_close(world(), CRAFTY_FIRST_PLAYER, "castle"));
    run_frames(screen.fixture.engine, 3);
    assert_int_equal(screen.fixture.menu.page, CRAFTY_MENU_CLOSED);
}

static void a_dialog_waits_until_the_menu_is_closed(void **state)
{
    (void)state;
    bool opened;
    screen.fixture.has_company = true;
    fixture_press(&screen.fixture, CN_KEY_T);
    assert_int_equal(screen.fixture.menu.page, CRAFTY_MENU_CHAT);
    assert_true(crafty_mod_dialog_ask(world(), CRAFTY_FIRST_PLAYER, "castle", cn_text("gate"),
                                      cn_text("{\"choices\":[\"In\"]}"), &opened, NULL));
    run_frames(screen.fixture.engine, 3);
    assert_int_equal(screen.fixture.menu.page, CRAFTY_MENU_CHAT);
    fixture_press(&screen.fixture, CN_KEY_ESCAPE);
    run_frames(screen.fixture.engine, 2);
    assert_int_equal(screen.fixture.menu.page, CRAFTY_MENU_DIALOG);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_anchor_counts_from_its_point_of_the_screen),
        TEST(children_lie_in_their_panel),
        TEST(a_panel_without_a_size_contains_its_children),
        TEST(texts_grow_with_the_text_size_of_the_player),
        TEST(high_contrast_puts_texts_on_black),
        TEST(equal_cells_of_a_row_are_one_shape),
        TEST(a_large_grid_is_accepted),
        TEST(an_element_that_is_removed_is_not_drawn),
        cmocka_unit_test(a_marker_ahead_is_in_the_middle),
        cmocka_unit_test(a_marker_is_where_it_is_seen),
        cmocka_unit_test(a_marker_outside_is_at_the_edge_in_its_direction),
        cmocka_unit_test(a_marker_behind_is_at_the_edge),
        TEST(return_takes_the_first_choice),
        TEST(arrows_move_between_choices),
        TEST(escape_closes_the_dialog_without_a_choice),
        TEST(a_click_takes_a_choice),
        TEST(a_tap_takes_a_choice),
        TEST(taps_from_below_take_the_last_choice),
        TEST(a_finger_that_slides_off_a_choice_takes_none),
        TEST(a_tap_closes_the_dialog_without_a_choice),
        TEST(a_dialog_that_is_replaced_meanwhile_can_be_closed_by_touch),
        TEST(a_dialog_that_is_replaced_in_each_frame_can_be_closed_by_escape),
        TEST(a_gamepad_takes_a_choice),
        TEST(a_dialog_that_the_mod_closes_vanishes),
        TEST(a_dialog_waits_until_the_menu_is_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
