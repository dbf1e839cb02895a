/* Every widget, by simulated hands. */
#include "ui_fixture.h"

#include <math.h>

static struct {
    uint32_t clicks, others;
    bool flag;
    uint32_t choice;
    float number;
    int32_t whole;
    bool changed;
    uint32_t changes;
} values;

static void remember(UiFixture *fixture, uint32_t index)
{
    fixture->rects[index] = cn_ui_last_rect(fixture->ui);
}

/* ---- Buttons ---- */

static void two_buttons(UiFixture *fixture)
{
    values.clicks += cn_ui_button(fixture->ui, "Press") ? 1 : 0;
    remember(fixture, 0);
    values.others += cn_ui_button(fixture->ui, "Other") ? 1 : 0;
    remember(fixture, 1);
}

static void a_click_presses_the_button_under_it(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    ui_fixture_init(&fixture, two_buttons);
    ui_fixture_click(&fixture, fixture.rects[1]);
    assert_int_equal(values.clicks, 0);
    assert_int_equal(values.others, 1);
    ui_fixture_fini(&fixture);
}

static void a_click_within_one_frame_counts(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    ui_fixture_init(&fixture, two_buttons);
    ui_fixture_mouse(&fixture, fixture.rects[0].x + 5, fixture.rects[0].y + 5);
    fixture.input.mouse_pressed = fixture.input.mouse_released = 1u << CN_MOUSE_LEFT;
    ui_fixture_frame(&fixture);
    assert_int_equal(values.clicks, 1);
    ui_fixture_fini(&fixture);
}

static void a_button_left_before_the_release_is_not_pressed(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    ui_fixture_init(&fixture, two_buttons);
    CnRect a = fixture.rects[0], b = fixture.rects[1];
    ui_fixture_drag(&fixture, a.x + 5, a.y + 5, b.x + 5, b.y + 5);
    ui_fixture_release(&fixture);
    assert_int_equal(values.clicks + values.others, 0);
    ui_fixture_fini(&fixture);
}

static void return_space_and_a_press_what_has_the_focus(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    ui_fixture_init(&fixture, two_buttons);
    ui_fixture_key(&fixture, CN_UI_NEXT);
    ui_fixture_key(&fixture, CN_UI_ACTIVATE);
    ui_fixture_key(&fixture, CN_UI_SPACE);
    ui_fixture_key_with(&fixture, CN_UI_ACTIVATE, CN_UI_PAD);
    assert_int_equal(values.clicks, 3);
    ui_fixture_fini(&fixture);
}

static void disabled_button(UiFixture *fixture)
{
    cn_ui_begin_disabled(fixture->ui, true);
    cn_ui_begin_disabled(fixture->ui, false);
    two_buttons(fixture);
    cn_ui_end_disabled(fixture->ui);
    cn_ui_end_disabled(fixture->ui);
}

static void what_is_disabled_cannot_be_used(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    ui_fixture_init(&fixture, disabled_button);
    ui_fixture_click(&fixture, fixture.rects[0]);
    ui_fixture_key(&fixture, CN_UI_NEXT);
    ui_fixture_key(&fixture, CN_UI_ACTIVATE);
    assert_int_equal(values.clicks, 0);
    assert_false(cn_ui_wants_keyboard(fixture.ui));
    ui_fixture_fini(&fixture);
}

static void same_labels(UiFixture *fixture)
{
    for (uint32_t i = 0; i < 2; i++) {
        values.clicks +=
            cn_ui_button(fixture->ui, cn_ui_format(fixture->ui, "Delete##%u", i)) ? 1 + i * 10 : 0;
        remember(fixture, i);
    }
    for (uint32_t i = 0; i < 2; i++) {
        cn_ui_push_number(fixture->ui, i);
        values.others += cn_ui_button(fixture->ui, "Delete") ? 1 + i * 10 : 0;
        remember(fixture, 2 + i);
        cn_ui_pop_id(fixture->ui);
    }
}

static void ids_tell_equal_labels_apart(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    ui_fixture_init(&fixture, same_labels);
    ui_fixture_click(&fixture, fixture.rects[1]);
    assert_int_equal(values.clicks, 11);
    ui_fixture_click(&fixture, fixture.rects[3]);
    assert_int_equal(values.others, 11);
    assert_int_equal(cn_ui_stats(fixture.ui).duplicate_ids, 0);
    ui_fixture_fini(&fixture);
}

static void changing_label(UiFixture *fixture)
{
    static uint32_t frame;
    values.clicks += cn_ui_button(fixture->ui, cn_ui_format(fixture->ui, "Page %u###p", frame++));
    remember(fixture, 0);
}

static void an_id_of_three_signs_stays_when_the_label_changes(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    ui_fixture_init(&fixture, changing_label);
    ui_fixture_click(&fixture, fixture.rects[0]);
    assert_int_equal(values.clicks, 1);
    ui_fixture_fini(&fixture);
}

static void doubles(UiFixture *fixture)
{
    cn_ui_button(fixture->ui, "Twice");
    cn_ui_button(fixture->ui, "Twice");
}

static void equal_ids_are_counted(void **state)
{
    (void)state;
    UiFixture fixture;
    ui_fixture_init(&fixture, doubles);
    assert_int_equal(cn_ui_stats(fixture.ui).duplicate_ids, 2);
    ui_fixture_fini(&fixture);
}

/* ---- Marks, tabs, folds ---- */

static void marks(UiFixture *fixture)
{
    values.changes += cn_ui_checkbox(fixture->ui, "Flag", &values.flag) ? 1 : 0;
    remember(fixture, 0);
    for (uint32_t i = 0; i < 3; i++) {
        values.changes +=
            cn_ui_radio(fixture->ui, cn_ui_format(fixture->ui, "Choice %u", i), &values.choice, i)
                ? 1
                : 0;
        remember(fixture, 1 + i);
    }
}

static void a_checkbox_turns_with_each_click(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    ui_fixture_init(&fixture, marks);
    ui_fixture_click(&fixture, fixture.rects[0]);
    assert_true(values.flag);
    ui_fixture_click(&fixture, fixture.rects[0]);
    assert_false(values.flag);
    assert_int_equal(values.changes, 2);
    ui_fixture_fini(&fixture);
}

static void hovers_and_toggles_are_counted_for_sounds(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    ui_fixture_init(&fixture, two_buttons);
    uint64_t before = cn_ui_hovers(fixture.ui);
    for (uint32_t i = 0; i < 3; i++) { /* resting on a button counts once */
        ui_fixture_mouse(&fixture, fixture.rects[0].x + 5, fixture.rects[0].y + 5);
        ui_fixture_frame(&fixture);
    }
    assert_int_equal(cn_ui_hovers(fixture.ui), before + 1);
    ui_fixture_mouse(&fixture, fixture.rects[1].x + 5, fixture.rects[1].y + 5);
    ui_fixture_frame(&fixture);
    assert_int_equal(cn_ui_hovers(fixture.ui), before + 2);
    ui_fixture_click(&fixture, fixture.rects[1]);
    assert_int_equal(cn_ui_toggles(fixture.ui), 0);
    ui_fixture_fini(&fixture);
    ui_fixture_init(&fixture, marks);
    ui_fixture_click(&fixture, fixture.rects[0]);
    assert_int_equal(cn_ui_toggles(fixture.ui), 1);
    ui_fixture_fini(&fixture);
}

static void of_radios_one_is_chosen(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    ui_fixture_init(&fixture, marks);
    ui_fixture_click(&fixture, fixture.rects[3]);
    assert_int_equal(values.choice, 2);
    ui_fixture_click(&fixture, fixture.rects[3]);
    assert_int_equal(values.changes, 1);
    ui_fixture_fini(&fixture);
}

static void tabs(UiFixture *fixture)
{
    static const char *const names[] = {"One", "Two", "Two"};
    values.changes += cn_ui_tabs(fixture->ui, "tabs", &values.choice, names, 3) ? 1 : 0;
    remember(fixture, 0); /* the last of them */
}

static void a_tab_is_chosen_by_click_and_by_key(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    ui_fixture_init(&fixture, tabs);
    ui_fixture_click(&fixture, fixture.rects[0]);
    assert_int_equal(values.choice, 2);
    ui_fixture_key(&fixture, CN_UI_LEFT);
    ui_fixture_key(&fixture, CN_UI_ACTIVATE);
    assert_int_equal(values.choice, 1);
    assert_int_equal(cn_ui_stats(fixture.ui).duplicate_ids, 0);
    ui_fixture_fini(&fixture);
}

static void fold(UiFixture *fixture)
{
    cn_ui_collapsible(fixture->ui, "More", &values.flag);
    remember(fixture, 0);
}

static void a_fold_opens_and_closes(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    ui_fixture_init(&fixture, fold);
    ui_fixture_click(&fixture, fixture.rects[0]);
    assert_true(values.flag);
    ui_fixture_click(&fixture, fixture.rects[0]);
    assert_false(values.flag);
    ui_fixture_fini(&fixture);
}

/* ---- Sliders ---- */

static void sliders(UiFixture *fixture)
{
    values.changed = cn_ui_slider(fixture->ui, "Number##n", &values.number, -1, 1);
    remember(fixture, 0);
    values.changes += cn_ui_slider_int(fixture->ui, "##whole", &values.whole, 0, 10) ? 1 : 0;
    remember(fixture, 1);
}

static void a_slider_follows_the_mouse_to_its_ends(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    ui_fixture_init(&fixture, sliders);
    CnRect rect = fixture.rects[0];
    ui_fixture_drag(&fixture, rect.x + rect.width / 2, rect.y + 5, rect.x + rect.width + 500,
                    rect.y + 100);
    assert_float_equal(values.number, 1, 0);
    assert_true(values.changed);
    ui_fixture_mouse(&fixture, rect.x - 50, rect.y);
    assert_float_equal(values.number, -1, 0);
    ui_fixture_release(&fixture);
    assert_false(values.changed);
    ui_fixture_fini(&fixture);
}

static void arrows_move_a_slider(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    ui_fixture_init(&fixture, sliders);
    ui_fixture_key(&fixture, CN_UI_NEXT);
    ui_fixture_key(&fixture, CN_UI_RIGHT);
    assert_float_equal(values.number, 0.02f, 1e-5);
    ui_fixture_key_with(&fixture, CN_UI_LEFT, CN_UI_SHIFT);
    assert_float_equal(values.number, -0.18f, 1e-5);
    ui_fixture_key(&fixture, CN_UI_END);
    assert_float_equal(values.number, 1, 0);
    ui_fixture_fini(&fixture);
}

static void a_slider_of_whole_numbers_moves_by_one(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    values.whole = 5;
    ui_fixture_init(&fixture, sliders);
    ui_fixture_key(&fixture, CN_UI_NEXT);
    ui_fixture_key(&fixture, CN_UI_NEXT);
    ui_fixture_key(&fixture, CN_UI_RIGHT);
    ui_fixture_key(&fixture, CN_UI_RIGHT);
    ui_fixture_key(&fixture, CN_UI_LEFT);
    assert_int_equal(values.whole, 6);
    assert_int_equal(values.changes, 3);
    ui_fixture_fini(&fixture);
}

static void a_slider_leaves_values_beyond_its_ends_alone(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    values.number = 50;
    ui_fixture_init(&fixture, sliders);
    assert_float_equal(values.number, 50, 0);
    values.number = NAN;
    ui_fixture_frame(&fixture);
    assert_true(isnan(values.number));
    ui_fixture_fini(&fixture);
}

/* ---- Combos ---- */

static void combo(UiFixture *fixture)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"};
    values.changes += cn_ui_combo(fixture->ui, "Letter", &values.choice, names, 11) ? 1 : 0;
    remember(fixture, 0);
    values.clicks += cn_ui_button(fixture->ui, "Below") ? 1 : 0;
    remember(fixture, 1);
}

static void an_item_of_an_open_combo_is_chosen(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    ui_fixture_init(&fixture, combo);
    ui_fixture_click(&fixture, fixture.rects[0]);
    CnRect rect = fixture.rects[0];
    /* The menu covers the button below: the click does not reach it. */
    ui_fixture_click_at(&fixture, rect.x + 20, rect.y + rect.height + 2 + 24 * 1.5f);
    assert_int_equal(values.choice, 1);
    assert_int_equal(values.changes, 1);
    assert_int_equal(values.clicks, 0);
    ui_fixture_click(&fixture, fixture.rects[1]);
    assert_int_equal(values.clicks, 1);
    ui_fixture_fini(&fixture);
}

static void a_click_beside_closes_a_combo(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    ui_fixture_init(&fixture, combo);
    ui_fixture_click(&fixture, fixture.rects[0]);
    assert_true(cn_ui_wants_mouse(fixture.ui));
    ui_fixture_click_at(&fixture, 390, 290);
    assert_int_equal(values.choice, 0);
    assert_false(cn_ui_wants_mouse(fixture.ui));
    ui_fixture_fini(&fixture);
}

static void a_second_click_closes_a_combo(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    ui_fixture_init(&fixture, combo);
    ui_fixture_click(&fixture, fixture.rects[0]);
    ui_fixture_click(&fixture, fixture.rects[0]);
    ui_fixture_click(&fixture, fixture.rects[1]);
    assert_int_equal(values.clicks, 1);
    ui_fixture_fini(&fixture);
}

static void keys_choose_in_a_combo_and_escape_closes_it(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    ui_fixture_init(&fixture, combo);
    ui_fixture_key(&fixture, CN_UI_NEXT);
    ui_fixture_key(&fixture, CN_UI_ACTIVATE);
    for (int i = 0; i < 3; i++)
        ui_fixture_key(&fixture, CN_UI_DOWN);
    ui_fixture_key(&fixture, CN_UI_ACTIVATE);
    assert_int_equal(values.choice, 3);
    ui_fixture_key(&fixture, CN_UI_ACTIVATE);
    ui_fixture_key(&fixture, CN_UI_DOWN);
    ui_fixture_key(&fixture, CN_UI_CANCEL);
    assert_int_equal(values.choice, 3);
    assert_true(cn_ui_wants_keyboard(fixture.ui));
    ui_fixture_fini(&fixture);
}

/* ---- Tooltips, reading ---- */

static void with_tooltip(UiFixture *fixture)
{
    cn_ui_button(fixture->ui, "Press");
    remember(fixture, 0);
    cn_ui_tooltip(fixture->ui, "What it does");
}

static void a_tooltip_comes_when_the_mouse_rests(void **state)
{
    (void)state;
    UiFixture fixture;
    ui_fixture_init(&fixture, with_tooltip);
    ui_fixture_mouse(&fixture, fixture.rects[0].x + 5, fixture.rects[0].y + 5);
    uint32_t before = cn_canvas_stats(fixture.canvas).shapes;
    for (int i = 0; i < 40; i++)
        ui_fixture_frame(&fixture);
    assert_true(cn_canvas_stats(fixture.canvas).shapes > before + 5);
    ui_fixture_fini(&fixture);
}

static void reading(UiFixture *fixture)
{
    cn_ui_label(fixture->ui, "A label");
    remember(fixture, 0);
    cn_ui_label_format(fixture->ui, "%d of %d", 3, 4);
    cn_ui_text(
        fixture->ui,
        "A longer text that does not fit into one line of the window, and so it has several.");
    remember(fixture, 1);
    cn_ui_heading(fixture->ui, "Heading");
    cn_ui_separator(fixture->ui);
    cn_ui_progress(fixture->ui, NAN, "nothing");
    cn_ui_progress(fixture->ui, 5, NULL);
    cn_ui_image(fixture->ui, &(CnSprite){.texture = {1}}, 32, 32);
    remember(fixture, 2);
    values.clicks +=
        cn_ui_image_button(fixture->ui, "image", &(CnSprite){.texture = {1}}, 32, 32) ? 1 : 0;
    remember(fixture, 3);
}

static void what_is_read_takes_the_room_it_needs(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    ui_fixture_init(&fixture, reading);
    assert_true(fixture.rects[1].height > 1.9f * fixture.rects[0].height);
    assert_float_equal(fixture.rects[2].height, 32, 0);
    ui_fixture_click(&fixture, fixture.rects[3]);
    assert_int_equal(values.clicks, 1);
    ui_fixture_fini(&fixture);
}

/* ---- Everything ---- */

static CnUiDemo demo;

static void draw_demo(UiFixture *fixture)
{
    cn_ui_demo(fixture->ui, &demo);
}

static void steady_frames_call_no_heap(void **state)
{
    (void)state;
    UiFixture fixture;
    demo = (CnUiDemo){0};
    ui_fixture_init_windows(&fixture, draw_demo);
    for (uint32_t page = 0; page < 3; page++) {
        demo.page = page;
        for (int i = 0; i < 4; i++)
            ui_fixture_frame(&fixture);
        uint64_t calls = cn_heap_stats(fixture.heap).calls;
        for (int i = 0; i < 20; i++)
            ui_fixture_mouse(&fixture, (float)(i * 15), (float)(i * 14));
        assert_int_equal(cn_heap_stats(fixture.heap).calls, calls);
    }
    assert_int_equal(cn_ui_stats(fixture.ui).duplicate_ids, 0);
    assert_int_equal(cn_ui_stats(fixture.ui).refused, 0);
    ui_fixture_fini(&fixture);
}

static void a_page_of_widgets_is_one_draw_call(void **state)
{
    (void)state;
    UiFixture fixture;
    demo = (CnUiDemo){0};
    ui_fixture_init_windows(&fixture, draw_demo);
    assert_int_equal(cn_canvas_stats(fixture.canvas).draws, 1);
    ui_fixture_fini(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_click_presses_the_button_under_it),
        cmocka_unit_test(a_click_within_one_frame_counts),
        cmocka_unit_test(a_button_left_before_the_release_is_not_pressed),
        cmocka_unit_test(return_space_and_a_press_what_has_the_focus),
        cmocka_unit_test(what_is_disabled_cannot_be_used),
        cmocka_unit_test(ids_tell_equal_labels_apart),
        cmocka_unit_test(an_id_of_three_signs_stays_when_the_label_changes),
        cmocka_unit_test(equal_ids_are_counted),
        cmocka_unit_test(a_checkbox_turns_with_each_click),
        cmocka_unit_test(hovers_and_toggles_are_counted_for_sounds),
        cmocka_unit_test(of_radios_one_is_chosen),
        cmocka_unit_test(a_tab_is_chosen_by_click_and_by_key),
        cmocka_unit_test(a_fold_opens_and_closes),
        cmocka_unit_test(a_slider_follows_the_mouse_to_its_ends),
        cmocka_unit_test(arrows_move_a_slider),
        cmocka_unit_test(a_slider_of_whole_numbers_moves_by_one),
        cmocka_unit_test(a_slider_leaves_values_beyond_its_ends_alone),
        cmocka_unit_test(an_item_of_an_open_combo_is_chosen),
        cmocka_unit_test(a_click_beside_closes_a_combo),
        cmocka_unit_test(a_second_click_closes_a_combo),
        cmocka_unit_test(keys_choose_in_a_combo_and_escape_closes_it),
        cmocka_unit_test(a_tooltip_comes_when_the_mouse_rests),
        cmocka_unit_test(what_is_read_takes_the_room_it_needs),
        cmocka_unit_test(steady_frames_call_no_heap),
        cmocka_unit_test(a_page_of_widgets_is_one_draw_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
