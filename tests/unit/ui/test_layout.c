/* Where widgets go: rows, columns, areas, lists, windows. */
#include "ui_fixture.h"

static void place(UiFixture *fixture, uint32_t index, float height)
{
    fixture->rects[index] = cn_ui_reserve(fixture->ui, height);
}

static void check_rect(CnRect rect, float x, float y, float width, float height)
{
    assert_float_equal(rect.x, x, 0.01);
    assert_float_equal(rect.y, y, 0.01);
    assert_float_equal(rect.width, width, 0.01);
    assert_float_equal(rect.height, height, 0.01);
}

/* The panel is 300 wide with a border of 1 and a padding of 10, spacing is 6. */
enum { LEFT = 11, TOP = 11, WIDTH = 278 };

static void below(UiFixture *fixture)
{
    place(fixture, 0, 20);
    cn_ui_next_height(fixture->ui, 40);
    place(fixture, 1, 20);
    cn_ui_space(fixture->ui, 10);
    place(fixture, 2, 20);
}

static void widgets_stand_below_each_other(void **state)
{
    (void)state;
    UiFixture fixture;
    ui_fixture_init(&fixture, below);
    check_rect(fixture.rects[0], LEFT, TOP, WIDTH, 20);
    check_rect(fixture.rects[1], LEFT, TOP + 26, WIDTH, 40);
    check_rect(fixture.rects[2], LEFT, TOP + 26 + 46 + 10, WIDTH, 20);
    ui_fixture_fini(&fixture);
}

static void rows(UiFixture *fixture)
{
    cn_ui_begin_row(fixture->ui, (float[]){100, -1, -3}, 3);
    for (uint32_t i = 0; i < 4; i++)
        place(fixture, i, i == 1 ? 30 : 20);
    cn_ui_end_row(fixture->ui);
    place(fixture, 4, 20);
}

static void cells_share_what_is_left_and_rows_go_on(void **state)
{
    (void)state;
    UiFixture fixture;
    ui_fixture_init(&fixture, rows);
    check_rect(fixture.rects[0], LEFT, TOP, 100, 20);
    float left = WIDTH - 100 - 12;
    assert_float_equal(fixture.rects[1].width, left / 4, 1);
    assert_float_equal(fixture.rects[2].width, left * 3 / 4, 1);
    assert_float_equal(fixture.rects[2].x + fixture.rects[2].width, LEFT + WIDTH, 1);
    check_rect(fixture.rects[3], LEFT, TOP + 36, 100, 20);
    check_rect(fixture.rects[4], LEFT, TOP + 36 + 26, WIDTH, 20);
    ui_fixture_fini(&fixture);
}

static void columns(UiFixture *fixture)
{
    cn_ui_begin_row(fixture->ui, NULL, 2);
    cn_ui_begin_column(fixture->ui);
    place(fixture, 0, 20);
    place(fixture, 1, 20);
    place(fixture, 2, 20);
    cn_ui_end_column(fixture->ui);
    cn_ui_begin_column(fixture->ui);
    place(fixture, 3, 20);
    cn_ui_begin_row(fixture->ui, NULL, 2);
    place(fixture, 4, 20);
    place(fixture, 5, 20);
    cn_ui_end_row(fixture->ui);
    cn_ui_end_column(fixture->ui);
    cn_ui_end_row(fixture->ui);
    place(fixture, 6, 20);
}

static void columns_stand_beside_each_other(void **state)
{
    (void)state;
    UiFixture fixture;
    ui_fixture_init(&fixture, columns);
    check_rect(fixture.rects[0], LEFT, TOP, 136, 20);
    check_rect(fixture.rects[2], LEFT, TOP + 52, 136, 20);
    check_rect(fixture.rects[3], LEFT + 142, TOP, 136, 20);
    check_rect(fixture.rects[4], LEFT + 142, TOP + 26, 65, 20);
    check_rect(fixture.rects[5], LEFT + 142 + 71, TOP + 26, 65, 20);
    check_rect(fixture.rects[6], LEFT, TOP + 78, WIDTH, 20);
    ui_fixture_fini(&fixture);
}

static void too_deep(UiFixture *fixture)
{
    for (uint32_t i = 0; i < 60; i++) {
        cn_ui_push_number(fixture->ui, i);
        cn_ui_begin_column(fixture->ui);
    }
    cn_ui_button(fixture->ui, "Deep");
    for (uint32_t i = 0; i < 60; i++) {
        cn_ui_end_column(fixture->ui);
        cn_ui_pop_id(fixture->ui);
    }
    place(fixture, 0, 20);
}

static void what_is_too_deep_is_counted_and_does_no_harm(void **state)
{
    (void)state;
    UiFixture fixture;
    ui_fixture_init(&fixture, too_deep);
    assert_true(cn_ui_stats(fixture.ui).refused > 0);
    assert_float_equal(fixture.rects[0].x, LEFT, 0.01);
    assert_float_equal(fixture.rects[0].width, WIDTH, 0.01);
    ui_fixture_fini(&fixture);
}

/* ---- Areas ---- */

static uint32_t clicked;

static void area(UiFixture *fixture)
{
    cn_ui_begin_scroll(fixture->ui, "area", 100);
    for (uint32_t i = 0; i < 20; i++) {
        if (cn_ui_button(fixture->ui, cn_ui_format(fixture->ui, "Button %u", i)))
            clicked = i + 1;
        if (i == 0 || i == 19)
            fixture->rects[i == 0 ? 0 : 1] = cn_ui_last_rect(fixture->ui);
    }
    cn_ui_end_scroll(fixture->ui);
    place(fixture, 2, 20);
}

static void an_area_takes_its_height_whatever_is_in_it(void **state)
{
    (void)state;
    UiFixture fixture;
    ui_fixture_init(&fixture, area);
    assert_float_equal(fixture.rects[2].y, TOP + 106, 0.01);
    ui_fixture_fini(&fixture);
}

static void the_wheel_scrolls_to_the_end_and_not_beyond(void **state)
{
    (void)state;
    UiFixture fixture;
    ui_fixture_init(&fixture, area);
    ui_fixture_mouse(&fixture, 100, 50);
    fixture.input.wheel.y = -1;
    ui_fixture_frame(&fixture);
    ui_fixture_frame(&fixture);
    assert_float_equal(fixture.rects[0].y, TOP + 1 + 6 - 48, 0.01);
    fixture.input.wheel.y = -1000;
    ui_fixture_frame(&fixture);
    ui_fixture_frame(&fixture);
    assert_float_equal(fixture.rects[1].y + fixture.rects[1].height + 6, TOP + 99, 1);
    ui_fixture_fini(&fixture);
}

static void the_bar_is_dragged(void **state)
{
    (void)state;
    UiFixture fixture;
    ui_fixture_init(&fixture, area);
    float x = LEFT + WIDTH - 5;
    ui_fixture_drag(&fixture, x, TOP + 8, x, TOP + 300);
    ui_fixture_release(&fixture);
    assert_float_equal(fixture.rects[1].y + fixture.rects[1].height + 6, TOP + 99, 1);
    ui_fixture_fini(&fixture);
}

static void what_is_scrolled_away_cannot_be_clicked(void **state)
{
    (void)state;
    UiFixture fixture;
    clicked = 0;
    ui_fixture_init(&fixture, area);
    ui_fixture_click_at(&fixture, 50, TOP + 102); /* below the area, where buttons would go on */
    assert_int_equal(clicked, 0);
    ui_fixture_click_at(&fixture, 50, TOP + 20);
    assert_int_equal(clicked, 1);
    ui_fixture_fini(&fixture);
}

static void the_focus_scrolls_what_it_reaches_into_view(void **state)
{
    (void)state;
    UiFixture fixture;
    ui_fixture_init(&fixture, area);
    for (int i = 0; i < 20; i++)
        ui_fixture_key(&fixture, CN_UI_NEXT);
    ui_fixture_frame(&fixture);
    ui_fixture_frame(&fixture);
    assert_true(fixture.rects[1].y >= TOP &&
                fixture.rects[1].y + fixture.rects[1].height <= TOP + 100);
    ui_fixture_fini(&fixture);
}

/* ---- Lists ---- */

static struct {
    uint32_t count, chosen, drawn, first, activated;
    bool keeps_selection;
} list_values;

static void draw_list(UiFixture *fixture)
{
    CnUiList list;
    cn_ui_begin_list(fixture->ui,
                     &(CnUiListDesc){.id = "list",
                                     .count = list_values.count,
                                     .height = 100,
                                     .item_height = 20,
                                     .has_selection = list_values.keeps_selection,
                                     .selected = list_values.chosen},
                     &list);
    list_values.drawn = list.end - list.first;
    list_values.first = list.first;
    for (uint32_t i = list.first; i < list.end; i++) {
        if (cn_ui_list_item(fixture->ui, &list, i, cn_ui_format(fixture->ui, "Item %u", i),
                            i == list_values.chosen))
            list_values.chosen = i;
    }
    fixture->rects[0] = list.area;
    cn_ui_end_list(fixture->ui, &list);
    if (list.activated != UINT32_MAX)
        list_values.activated = list.activated;
}

static void begin_list(UiFixture *fixture, uint32_t chosen)
{
    list_values.count = 100;
    list_values.chosen = chosen;
    list_values.activated = UINT32_MAX;
    list_values.keeps_selection = true;
    ui_fixture_init(fixture, draw_list);
}

static void end_list(UiFixture *fixture)
{
    ui_fixture_fini(fixture);
    list_values.keeps_selection = false;
    list_values.chosen = 0;
}

static void a_double_click_activates_an_item(void **state)
{
    (void)state;
    UiFixture fixture;
    begin_list(&fixture, 0);
    float x = fixture.rects[0].x + 10, y = fixture.rects[0].y + 50;
    ui_fixture_click_at(&fixture, x, y);
    assert_int_equal(list_values.activated, UINT32_MAX);
    ui_fixture_click_at(&fixture, x, y);
    assert_int_equal(list_values.activated, 2);
    end_list(&fixture);
}

static void clicks_on_two_items_are_no_double_click(void **state)
{
    (void)state;
    UiFixture fixture;
    begin_list(&fixture, 0);
    float x = fixture.rects[0].x + 10, y = fixture.rects[0].y + 50;
    ui_fixture_click_at(&fixture, x, y);
    ui_fixture_click_at(&fixture, x, y + 20);
    assert_int_equal(list_values.activated, UINT32_MAX);
    end_list(&fixture);
}

static void two_slow_clicks_are_no_double_click(void **state)
{
    (void)state;
    UiFixture fixture;
    begin_list(&fixture, 0);
    float x = fixture.rects[0].x + 10, y = fixture.rects[0].y + 50;
    ui_fixture_click_at(&fixture, x, y);
    for (int i = 0; i < 60; i++)
        ui_fixture_frame(&fixture);
    ui_fixture_click_at(&fixture, x, y);
    assert_int_equal(list_values.activated, UINT32_MAX);
    end_list(&fixture);
}

static void return_activates_the_selected_item(void **state)
{
    (void)state;
    UiFixture fixture;
    begin_list(&fixture, 3);
    ui_fixture_key(&fixture, CN_UI_ACTIVATE); /* without the focus */
    assert_int_equal(list_values.activated, UINT32_MAX);
    ui_fixture_key(&fixture, CN_UI_NEXT);
    ui_fixture_key(&fixture, CN_UI_ACTIVATE);
    assert_int_equal(list_values.activated, 3);
    end_list(&fixture);
}

static void arrow_keys_move_from_the_selection_of_the_program(void **state)
{
    (void)state;
    UiFixture fixture;
    begin_list(&fixture, 3);
    ui_fixture_key(&fixture, CN_UI_NEXT);
    list_values.chosen = 50;
    ui_fixture_key(&fixture, CN_UI_DOWN);
    assert_int_equal(list_values.chosen, 51);
    end_list(&fixture);
}

static void an_item_that_the_program_selects_is_scrolled_into_view(void **state)
{
    (void)state;
    UiFixture fixture;
    begin_list(&fixture, 0);
    list_values.chosen = 50;
    ui_fixture_frame(&fixture);
    assert_in_range(list_values.first, 45, 50);
    end_list(&fixture);
}

static void only_items_that_are_seen_are_drawn(void **state)
{
    (void)state;
    UiFixture fixture;
    list_values.count = 100000000;
    ui_fixture_init(&fixture, draw_list);
    assert_in_range(list_values.drawn, 5, 6);
    ui_fixture_fini(&fixture);
}

static void an_item_is_clicked(void **state)
{
    (void)state;
    UiFixture fixture;
    list_values.count = 10;
    list_values.chosen = 0;
    ui_fixture_init(&fixture, draw_list);
    ui_fixture_click_at(&fixture, 50, TOP + 1 + 50);
    assert_int_equal(list_values.chosen, 2);
    ui_fixture_fini(&fixture);
}

static void arrows_and_pages_choose_and_scroll(void **state)
{
    (void)state;
    UiFixture fixture;
    list_values.count = 100000000;
    list_values.chosen = 0;
    ui_fixture_init(&fixture, draw_list);
    ui_fixture_key(&fixture, CN_UI_NEXT);
    ui_fixture_key(&fixture, CN_UI_DOWN);
    ui_fixture_key(&fixture, CN_UI_DOWN);
    assert_int_equal(list_values.chosen, 2);
    ui_fixture_key(&fixture, CN_UI_PAGE_DOWN);
    assert_int_equal(list_values.chosen, 6);
    ui_fixture_key(&fixture, CN_UI_END);
    assert_int_equal(list_values.chosen, 99999999);
    assert_true(list_values.first > 99999990);
    ui_fixture_key(&fixture, CN_UI_UP);
    assert_int_equal(list_values.chosen, 99999998);
    ui_fixture_key(&fixture, CN_UI_HOME);
    assert_int_equal(list_values.chosen, 0);
    assert_int_equal(list_values.first, 0);
    ui_fixture_fini(&fixture);
}

static void a_list_that_shrinks_shows_its_end(void **state)
{
    (void)state;
    UiFixture fixture;
    list_values.count = 1000;
    ui_fixture_init(&fixture, draw_list);
    ui_fixture_key(&fixture, CN_UI_NEXT);
    ui_fixture_key(&fixture, CN_UI_END);
    list_values.count = 3;
    ui_fixture_frame(&fixture);
    assert_int_equal(list_values.first, 0);
    assert_int_equal(list_values.drawn, 3);
    list_values.count = 0;
    ui_fixture_key(&fixture, CN_UI_DOWN);
    assert_int_equal(list_values.drawn, 0);
    ui_fixture_fini(&fixture);
}

static void high_dpi_changes_no_place(void **state)
{
    (void)state;
    UiFixture fixture;
    clicked = 0;
    ui_fixture_init_plain(&fixture, area);
    fixture.scale = 2;
    ui_fixture_frame(&fixture);
    ui_fixture_frame(&fixture);
    assert_float_equal(fixture.rects[2].y, TOP + 106, 0.01);
    ui_fixture_click_at(&fixture, 50, TOP + 20);
    assert_int_equal(clicked, 1);
    ui_fixture_fini(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(widgets_stand_below_each_other),
        cmocka_unit_test(cells_share_what_is_left_and_rows_go_on),
        cmocka_unit_test(columns_stand_beside_each_other),
        cmocka_unit_test(what_is_too_deep_is_counted_and_does_no_harm),
        cmocka_unit_test(an_area_takes_its_height_whatever_is_in_it),
        cmocka_unit_test(the_wheel_scrolls_to_the_end_and_not_beyond),
        cmocka_unit_test(the_bar_is_dragged),
        cmocka_unit_test(what_is_scrolled_away_cannot_be_clicked),
        cmocka_unit_test(the_focus_scrolls_what_it_reaches_into_view),
        cmocka_unit_test(a_double_click_activates_an_item),
        cmocka_unit_test(clicks_on_two_items_are_no_double_click),
        cmocka_unit_test(two_slow_clicks_are_no_double_click),
        cmocka_unit_test(return_activates_the_selected_item),
        cmocka_unit_test(arrow_keys_move_from_the_selection_of_the_program),
        cmocka_unit_test(an_item_that_the_program_selects_is_scrolled_into_view),
        cmocka_unit_test(only_items_that_are_seen_are_drawn),
        cmocka_unit_test(an_item_is_clicked),
        cmocka_unit_test(arrows_and_pages_choose_and_scroll),
        cmocka_unit_test(a_list_that_shrinks_shows_its_end),
        cmocka_unit_test(high_dpi_changes_no_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
