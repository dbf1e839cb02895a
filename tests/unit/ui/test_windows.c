/* Windows and the focus between widgets. */
#include "ui_fixture.h"

static struct {
    uint32_t clicks[4];
    bool open, modal;
    uint32_t focused; /* bits of the buttons that have the focus */
    float wish;       /* height of what is inside */
} values;

static void button(UiFixture *fixture, uint32_t index, const char *label)
{
    values.clicks[index] += cn_ui_button(fixture->ui, label) ? 1 : 0;
    fixture->rects[index] = cn_ui_last_rect(fixture->ui);
    values.focused |= cn_ui_is_focused(fixture->ui) ? 1u << index : 0;
}

/* Two that overlap. */
static void two_windows(UiFixture *fixture)
{
    values.focused = 0;
    cn_ui_begin_window(fixture->ui, &(CnUiWindow){.title = "Back", .rect = {0, 0, 200, 200}});
    button(fixture, 0, "Press");
    cn_ui_end_window(fixture->ui);
    cn_ui_begin_window(fixture->ui, &(CnUiWindow){.title = "Front",
                                                  .rect = {100, 20, 200, 200},
                                                  .flags = values.modal ? CN_UI_MODAL : 0});
    button(fixture, 1, "Press");
    cn_ui_end_window(fixture->ui);
}

static void the_window_in_front_takes_the_click(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    ui_fixture_init_windows(&fixture, two_windows);
    /* The right end of the first button lies below the second window. */
    ui_fixture_click_at(&fixture, 180, fixture.rects[0].y + 10);
    assert_int_equal(values.clicks[0], 0);
    ui_fixture_click_at(&fixture, 50, fixture.rects[0].y + 10);
    assert_int_equal(values.clicks[0], 1);
    ui_fixture_fini(&fixture);
}

static void a_click_brings_a_window_to_the_front(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    ui_fixture_init_windows(&fixture, two_windows);
    ui_fixture_click_at(&fixture, 20, 150);
    ui_fixture_click_at(&fixture, 180, fixture.rects[0].y + 10);
    assert_int_equal(values.clicks[0], 1);
    ui_fixture_fini(&fixture);
}

static void a_window_is_moved_by_its_title(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    ui_fixture_init_windows(&fixture, two_windows);
    float before = fixture.rects[0].x;
    ui_fixture_drag(&fixture, 20, 10, 50, 40);
    ui_fixture_release(&fixture);
    ui_fixture_frame(&fixture);
    assert_float_equal(fixture.rects[0].x, before + 30, 0.01);
    ui_fixture_fini(&fixture);
}

static void a_window_stays_on_the_screen(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    ui_fixture_init_windows(&fixture, two_windows);
    ui_fixture_drag(&fixture, 20, 10, 5000, -5000);
    ui_fixture_release(&fixture);
    ui_fixture_frame(&fixture);
    assert_true(fixture.rects[0].x < 400 && fixture.rects[0].y > 0);
    ui_fixture_fini(&fixture);
}

static void a_window_is_resized_at_its_corner(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    ui_fixture_init_windows(&fixture, two_windows);
    float before = fixture.rects[1].width;
    ui_fixture_drag(&fixture, 295, 215, 345, 235);
    ui_fixture_release(&fixture);
    ui_fixture_frame(&fixture);
    assert_float_equal(fixture.rects[1].width, before + 50, 0.01);
    ui_fixture_fini(&fixture);
}

static void beside_a_modal_window_nothing_can_be_used(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    values.modal = true;
    ui_fixture_init_windows(&fixture, two_windows);
    ui_fixture_click_at(&fixture, 50, fixture.rects[0].y + 10);
    assert_int_equal(values.clicks[0], 0);
    ui_fixture_key(&fixture, CN_UI_NEXT);
    ui_fixture_key(&fixture, CN_UI_NEXT);
    ui_fixture_frame(&fixture);
    assert_int_equal(values.focused, 2);
    assert_true(cn_ui_wants_mouse(fixture.ui) && cn_ui_wants_keyboard(fixture.ui));
    ui_fixture_fini(&fixture);
}

static void closable(UiFixture *fixture)
{
    if (cn_ui_begin_window(
            fixture->ui,
            &(CnUiWindow){.title = "Close me", .rect = {0, 0, 200, 100}, .open = &values.open}))
        button(fixture, 0, "Press");
    cn_ui_end_window(fixture->ui);
}

static void a_window_is_closed_by_its_cross(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    values.open = true;
    ui_fixture_init_windows(&fixture, closable);
    ui_fixture_click_at(&fixture, 186, 14);
    assert_false(values.open);
    ui_fixture_frame(&fixture);
    assert_int_equal(cn_canvas_stats(fixture.canvas).shapes, 0);
    assert_false(cn_ui_wants_mouse(fixture.ui));
    ui_fixture_fini(&fixture);
}

static void growing(UiFixture *fixture)
{
    cn_ui_begin_window(fixture->ui, &(CnUiWindow){.title = "Grows", .rect = {0, 0, 200, 0}});
    cn_ui_reserve(fixture->ui, values.wish);
    cn_ui_end_window(fixture->ui);
}

static void a_window_is_as_high_as_what_is_in_it(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    values.wish = 50;
    ui_fixture_init_windows(&fixture, growing);
    /* title 28, padding 2 x 10, border 2 x 1 */
    ui_fixture_mouse(&fixture, 100, 28 + 50 + 22 - 2);
    assert_true(cn_ui_wants_mouse(fixture.ui));
    ui_fixture_mouse(&fixture, 100, 28 + 50 + 22 + 2);
    assert_false(cn_ui_wants_mouse(fixture.ui));
    values.wish = 1000;
    ui_fixture_frame(&fixture);
    ui_fixture_frame(&fixture);
    ui_fixture_mouse(&fixture, 100, 290);
    assert_true(cn_ui_wants_mouse(fixture.ui));
    ui_fixture_fini(&fixture);
}

static void many_windows(UiFixture *fixture)
{
    for (uint32_t i = 0; i < CN_UI_MAX_WINDOWS + 10; i++) {
        cn_ui_begin_window(fixture->ui,
                           &(CnUiWindow){.title = cn_ui_format(fixture->ui, "Window %u", i),
                                         .rect = {0, 0, 100, 50}});
        cn_ui_end_window(fixture->ui);
    }
}

static void so_many_windows_and_no_more(void **state)
{
    (void)state;
    UiFixture fixture;
    ui_fixture_init_windows(&fixture, many_windows);
    CnUiStats stats = cn_ui_stats(fixture.ui);
    assert_int_equal(stats.windows, CN_UI_MAX_WINDOWS);
    assert_int_equal(stats.refused, 20);
    ui_fixture_fini(&fixture);
}

/* ---- Focus ---- */

/*  0 1
 *  2 3  */
static void square(UiFixture *fixture)
{
    values.focused = 0;
    cn_ui_begin_row(fixture->ui, NULL, 2);
    for (uint32_t i = 0; i < 4; i++)
        button(fixture, i, cn_ui_format(fixture->ui, "Button %u", i));
    cn_ui_end_row(fixture->ui);
}

static uint32_t focus_after(UiFixture *fixture, CnUiKey key)
{
    ui_fixture_key(fixture, key);
    ui_fixture_frame(fixture);
    for (uint32_t i = 0; i < 4; i++) {
        if (values.focused == 1u << i)
            return i;
    }
    return 99;
}

static void tab_goes_round(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    ui_fixture_init(&fixture, square);
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(focus_after(&fixture, CN_UI_NEXT), i % 4);
    assert_int_equal(focus_after(&fixture, CN_UI_PREVIOUS), 0);
    assert_int_equal(focus_after(&fixture, CN_UI_PREVIOUS), 3);
    ui_fixture_fini(&fixture);
}

static void arrows_go_to_what_lies_there(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    ui_fixture_init(&fixture, square);
    assert_int_equal(focus_after(&fixture, CN_UI_DOWN), 0);
    assert_int_equal(focus_after(&fixture, CN_UI_RIGHT), 1);
    assert_int_equal(focus_after(&fixture, CN_UI_DOWN), 3);
    assert_int_equal(focus_after(&fixture, CN_UI_LEFT), 2);
    assert_int_equal(focus_after(&fixture, CN_UI_UP), 0);
    assert_int_equal(focus_after(&fixture, CN_UI_UP), 0);
    assert_int_equal(focus_after(&fixture, CN_UI_LEFT), 0);
    ui_fixture_fini(&fixture);
}

/*  0 and three others
 *  label and 1
 *  2  */
static void form(UiFixture *fixture)
{
    CnUi *ui = fixture->ui;
    float value = 0;
    bool flag = false;
    values.focused = 0;
    cn_ui_begin_row(ui, NULL, 4);
    button(fixture, 0, "Narrow");
    for (uint32_t i = 0; i < 3; i++)
        cn_ui_button(ui, cn_ui_format(ui, "Other %u", i));
    cn_ui_end_row(ui);
    cn_ui_slider(ui, "Label", &value, 0, 1);
    values.focused |= cn_ui_is_focused(ui) ? 1u << 1 : 0;
    cn_ui_checkbox(ui, "Flag", &flag);
    values.focused |= cn_ui_is_focused(ui) ? 1u << 2 : 0;
}

static void arrows_go_to_a_widget_below_whose_label_is_nearer(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    ui_fixture_init(&fixture, form);
    assert_int_equal(focus_after(&fixture, CN_UI_DOWN), 0);
    assert_int_equal(focus_after(&fixture, CN_UI_DOWN), 1);
    assert_int_equal(focus_after(&fixture, CN_UI_DOWN), 2);
    assert_int_equal(focus_after(&fixture, CN_UI_UP), 1);
    ui_fixture_fini(&fixture);
}

static void escape_gives_the_focus_back(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    ui_fixture_init(&fixture, square);
    assert_int_equal(focus_after(&fixture, CN_UI_NEXT), 0);
    assert_true(cn_ui_wants_keyboard(fixture.ui));
    assert_int_equal(focus_after(&fixture, CN_UI_CANCEL), 99);
    assert_false(cn_ui_wants_keyboard(fixture.ui));
    ui_fixture_fini(&fixture);
}

static bool hide;

static void hiding(UiFixture *fixture)
{
    values.focused = 0;
    if (!hide)
        button(fixture, 0, "Gone");
    button(fixture, 1, "Stays");
}

static void what_is_gone_loses_the_focus(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    hide = false;
    ui_fixture_init(&fixture, hiding);
    assert_int_equal(focus_after(&fixture, CN_UI_NEXT), 0);
    hide = true;
    ui_fixture_frame(&fixture);
    assert_false(cn_ui_wants_keyboard(fixture.ui));
    ui_fixture_fini(&fixture);
}

static void wished(UiFixture *fixture)
{
    values.focused = 0;
    button(fixture, 0, "First");
    if (hide)
        cn_ui_focus_next(fixture->ui);
    button(fixture, 1, "Second");
}

static void the_program_gives_the_focus(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    hide = false;
    ui_fixture_init(&fixture, wished);
    hide = true;
    ui_fixture_frame(&fixture);
    assert_int_equal(values.focused, 2);
    ui_fixture_fini(&fixture);
}

static void hud(UiFixture *fixture)
{
    cn_ui_begin_window(fixture->ui, &(CnUiWindow){.title = "HUD",
                                                  .rect = {0, 0, 200, 100},
                                                  .flags = CN_UI_PANEL | CN_UI_NO_FOCUS});
    button(fixture, 0, "Press");
    cn_ui_end_window(fixture->ui);
}

static void the_keyboard_does_not_go_to_a_hud(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    ui_fixture_init_windows(&fixture, hud);
    ui_fixture_key(&fixture, CN_UI_NEXT);
    assert_false(cn_ui_wants_keyboard(fixture.ui));
    ui_fixture_click(&fixture, fixture.rects[0]);
    assert_int_equal(values.clicks[0], 1);
    assert_false(cn_ui_wants_keyboard(fixture.ui));
    ui_fixture_fini(&fixture);
}

static char note[16];

static void writing_hud(UiFixture *fixture)
{
    cn_ui_begin_window(fixture->ui, &(CnUiWindow){.title = "HUD",
                                                  .rect = {0, 0, 200, 100},
                                                  .flags = CN_UI_PANEL | CN_UI_NO_FOCUS});
    cn_ui_text_field(fixture->ui, "##note", note, sizeof note);
    fixture->rects[0] = cn_ui_last_rect(fixture->ui);
    cn_ui_end_window(fixture->ui);
}

static void a_field_of_a_hud_is_written_into_after_a_click(void **state)
{
    (void)state;
    UiFixture fixture;
    ui_fixture_init_windows(&fixture, writing_hud);
    ui_fixture_click(&fixture, fixture.rects[0]);
    assert_true(cn_ui_wants_keyboard(fixture.ui));
    ui_fixture_type(&fixture, "x");
    assert_string_equal(note, "x");
    ui_fixture_fini(&fixture);
}

static void the_mouse_is_wanted_over_windows_only(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    ui_fixture_init_windows(&fixture, hud);
    ui_fixture_mouse(&fixture, 150, 90);
    assert_true(cn_ui_wants_mouse(fixture.ui));
    ui_fixture_mouse(&fixture, 250, 90);
    assert_false(cn_ui_wants_mouse(fixture.ui));
    fixture.input.no_mouse = true;
    ui_fixture_mouse(&fixture, 150, 90);
    assert_false(cn_ui_wants_mouse(fixture.ui));
    ui_fixture_fini(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_window_in_front_takes_the_click),
        cmocka_unit_test(a_click_brings_a_window_to_the_front),
        cmocka_unit_test(a_window_is_moved_by_its_title),
        cmocka_unit_test(a_window_stays_on_the_screen),
        cmocka_unit_test(a_window_is_resized_at_its_corner),
        cmocka_unit_test(beside_a_modal_window_nothing_can_be_used),
        cmocka_unit_test(a_window_is_closed_by_its_cross),
        cmocka_unit_test(a_window_is_as_high_as_what_is_in_it),
        cmocka_unit_test(so_many_windows_and_no_more),
        cmocka_unit_test(tab_goes_round),
        cmocka_unit_test(arrows_go_to_what_lies_there),
        cmocka_unit_test(arrows_go_to_a_widget_below_whose_label_is_nearer),
        cmocka_unit_test(escape_gives_the_focus_back),
        cmocka_unit_test(what_is_gone_loses_the_focus),
        cmocka_unit_test(the_program_gives_the_focus),
        cmocka_unit_test(the_keyboard_does_not_go_to_a_hud),
        cmocka_unit_test(a_field_of_a_hud_is_written_into_after_a_click),
        cmocka_unit_test(the_mouse_is_wanted_over_windows_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
