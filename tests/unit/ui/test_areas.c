/* Areas that the program draws, regions with a layout of their own, and the scale. */
#include "ui_fixture.h"

static CnUiArea areas[4];
static uint32_t clicks;

static const CnRect places[] = {
    {10, 10, 30, 30}, {45, 10, 30, 30}, {10, 45, 30, 30}, {45, 45, 30, 30}};

static void four_areas(UiFixture *fixture)
{
    for (uint32_t i = 0; i < 4; i++) {
        cn_ui_push_number(fixture->ui, i);
        areas[i] = cn_ui_area(fixture->ui, "area", places[i]);
        cn_ui_pop_id(fixture->ui);
    }
    cn_ui_begin_region(fixture->ui, (CnRect){150, 100, 100, 0});
    clicks += cn_ui_button(fixture->ui, "Button");
    fixture->rects[0] = cn_ui_last_rect(fixture->ui);
    cn_ui_end_region(fixture->ui);
}

static void begin(UiFixture *fixture)
{
    clicks = 0;
    ui_fixture_init(fixture, four_areas);
}

static void every_button_of_the_mouse_is_reported_over_an_area(void **state)
{
    (void)state;
    UiFixture fixture;
    begin(&fixture);
    ui_fixture_mouse(&fixture, 50, 20);
    assert_true(areas[1].hovered);
    assert_false(areas[0].hovered);
    fixture.input.mouse_pressed = fixture.input.mouse_held = 1u << CN_MOUSE_RIGHT;
    fixture.input.modifiers = CN_UI_SHIFT;
    ui_fixture_frame(&fixture);
    assert_int_equal(areas[1].pressed, 1u << CN_MOUSE_RIGHT);
    assert_int_equal(areas[1].modifiers, CN_UI_SHIFT);
    assert_int_equal(areas[0].pressed, 0);
    ui_fixture_fini(&fixture);
}

static void an_area_is_hovered_while_a_button_is_held_from_elsewhere(void **state)
{
    (void)state;
    UiFixture fixture;
    begin(&fixture);
    ui_fixture_mouse(&fixture, 20, 20);
    ui_fixture_press(&fixture);
    ui_fixture_mouse(&fixture, 50, 20);
    assert_true(areas[1].hovered);
    ui_fixture_release(&fixture);
    assert_int_equal(areas[1].released, 1u << CN_MOUSE_LEFT);
    ui_fixture_fini(&fixture);
}

static void arrows_move_from_area_to_area(void **state)
{
    (void)state;
    UiFixture fixture;
    begin(&fixture);
    ui_fixture_key(&fixture, CN_UI_RIGHT); /* the first */
    ui_fixture_key(&fixture, CN_UI_RIGHT);
    ui_fixture_key_with(&fixture, CN_UI_DOWN, CN_UI_PAD);
    ui_fixture_frame(&fixture);
    assert_true(areas[3].focused && areas[3].has_ring);
    ui_fixture_key(&fixture, CN_UI_LEFT);
    ui_fixture_frame(&fixture);
    assert_true(areas[2].focused);
    ui_fixture_fini(&fixture);
}

static void keys_reach_the_area_with_the_focus_only(void **state)
{
    (void)state;
    static const CnUiKey keys[] = {CN_UI_ACTIVATE, CN_UI_SPACE, CN_UI_SECOND, CN_UI_THIRD};
    UiFixture fixture;
    begin(&fixture);
    ui_fixture_key(&fixture, CN_UI_RIGHT);
    ui_fixture_key(&fixture, CN_UI_RIGHT);
    for (uint32_t i = 0; i < CN_COUNT_OF(keys); i++) {
        ui_fixture_key_with(&fixture, keys[i], CN_UI_SHIFT);
        assert_int_equal(areas[1].key, keys[i]);
        assert_int_equal(areas[1].modifiers, CN_UI_SHIFT);
        assert_int_equal(areas[0].key, CN_UI_KEY_COUNT);
    }
    ui_fixture_frame(&fixture);
    assert_int_equal(areas[1].key, CN_UI_KEY_COUNT);
    ui_fixture_fini(&fixture);
}

static void a_press_gives_the_focus_without_a_ring(void **state)
{
    (void)state;
    UiFixture fixture;
    begin(&fixture);
    ui_fixture_mouse(&fixture, 20, 50);
    ui_fixture_press(&fixture);
    assert_true(areas[2].focused);
    assert_false(areas[2].has_ring);
    ui_fixture_fini(&fixture);
}

static void a_disabled_area_notices_nothing(void **state)
{
    (void)state;
    UiFixture fixture;
    begin(&fixture);
    cn_canvas_begin(fixture.canvas, 400, 300, 1);
    fixture.input.mouse = (CnVec2){20, 20};
    cn_ui_begin(fixture.ui, fixture.canvas, &fixture.input);
    cn_ui_begin_window(fixture.ui, &(CnUiWindow){.title = "test", .rect = {0, 0, 300, 300}});
    cn_ui_begin_disabled(fixture.ui, true);
    assert_false(cn_ui_area(fixture.ui, "area", places[0]).hovered);
    cn_ui_end_disabled(fixture.ui);
    cn_ui_end_window(fixture.ui);
    cn_ui_end(fixture.ui);
    cn_canvas_end(fixture.canvas);
    ui_fixture_fini(&fixture);
}

static void a_region_places_widgets_in_its_rectangle(void **state)
{
    (void)state;
    UiFixture fixture;
    begin(&fixture);
    assert_float_equal(fixture.rects[0].x, 150, 0);
    assert_float_equal(fixture.rects[0].y, 100, 0);
    assert_float_equal(fixture.rects[0].width, 100, 0);
    ui_fixture_click(&fixture, fixture.rects[0]);
    assert_int_equal(clicks, 1);
    ui_fixture_fini(&fixture);
}

static void the_scale_leaves_640_by_360_points(void **state)
{
    (void)state;
    for (uint32_t width = 640; width <= 7680; width += 160) {
        float scale = cn_ui_scale(width, width * 9 / 16, 1, 2);
        assert_true((float)width / scale >= 639.9f);
    }
    assert_float_equal(cn_ui_scale(640, 360, 1, 1), 1, 0);
    assert_float_equal(cn_ui_scale(1280, 720, 1, 1), 1.5f, 0);
    assert_float_equal(cn_ui_scale(3840, 2160, 1, 1), 4.5f, 0);
    assert_float_equal(cn_ui_scale(3840, 400, 1, 1), 1, 0);
    assert_float_equal(cn_ui_scale(320, 200, 1, 3), 1, 0);
}

static void the_scale_follows_density_and_the_user(void **state)
{
    (void)state;
    assert_float_equal(cn_ui_scale(1280, 720, 2, 1), 2, 0);
    assert_float_equal(cn_ui_scale(1920, 1080, 1, 1.25f), 2.5f, 0);
    assert_float_equal(cn_ui_scale(1920, 1080, 1, 0), 2, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_button_of_the_mouse_is_reported_over_an_area),
        cmocka_unit_test(an_area_is_hovered_while_a_button_is_held_from_elsewhere),
        cmocka_unit_test(arrows_move_from_area_to_area),
        cmocka_unit_test(keys_reach_the_area_with_the_focus_only),
        cmocka_unit_test(a_press_gives_the_focus_without_a_ring),
        cmocka_unit_test(a_disabled_area_notices_nothing),
        cmocka_unit_test(a_region_places_widgets_in_its_rectangle),
        cmocka_unit_test(the_scale_leaves_640_by_360_points),
        cmocka_unit_test(the_scale_follows_density_and_the_user),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
