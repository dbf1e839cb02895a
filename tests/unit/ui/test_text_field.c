/* Fields: cursor, selection, characters of several bytes, the clipboard. */
#include "ui_fixture.h"

static struct {
    char text[32];
    CnUiFieldResult result;
    char clipboard[64];
    bool secret, has_caret, takes_tab, took_tab;
    uint32_t caret;
} values;

static void field(UiFixture *fixture)
{
    CnUiFieldResult result =
        cn_ui_field(fixture->ui, "##text",
                    &(CnUiField){.text = values.text,
                                 .text_bytes = sizeof values.text,
                                 .hint = "hint",
                                 .secret = values.secret,
                                 .caret = values.has_caret ? &values.caret : NULL,
                                 .wrong_at = 1,
                                 .wrong_bytes = 2});
    fixture->rects[0] = cn_ui_last_rect(fixture->ui);
    if (result)
        values.result = result;
    if (values.takes_tab && cn_ui_take_key(fixture->ui, CN_UI_NEXT, NULL))
        values.took_tab = true;
    cn_ui_button(fixture->ui, "Next");
    fixture->rects[1] = cn_ui_last_rect(fixture->ui);
}

/* A field with a text, written into, the cursor at its end. */
static void begin(UiFixture *fixture, const char *text)
{
    memset(&values, 0, sizeof values);
    cn_copy_text(values.text, sizeof values.text, cn_text(text));
    ui_fixture_init(fixture, field);
    ui_fixture_key(fixture, CN_UI_NEXT);
    ui_fixture_key(fixture, CN_UI_END);
    values.result = CN_UI_FIELD_NONE;
}

static void typed_text_appears_where_the_cursor_is(void **state)
{
    (void)state;
    UiFixture fixture;
    begin(&fixture, "ac");
    ui_fixture_key(&fixture, CN_UI_LEFT);
    ui_fixture_type(&fixture, "b");
    assert_string_equal(values.text, "abc");
    assert_int_equal(values.result, CN_UI_FIELD_CHANGED);
    ui_fixture_fini(&fixture);
}

static void keys_and_characters_of_one_frame_keep_their_order(void **state)
{
    (void)state;
    UiFixture fixture;
    begin(&fixture, "");
    cn_ui_input_text(&fixture.input, cn_text("ax"));
    cn_ui_input_key(&fixture.input, CN_UI_BACKSPACE, 0);
    cn_ui_input_text(&fixture.input, cn_text("b"));
    cn_ui_input_key(&fixture.input, CN_UI_HOME, 0);
    cn_ui_input_text(&fixture.input, cn_text("c"));
    ui_fixture_frame(&fixture);
    assert_string_equal(values.text, "cab");
    ui_fixture_fini(&fixture);
}

static void reaching_a_field_by_keyboard_selects_everything(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    strcpy(values.text, "old");
    ui_fixture_init(&fixture, field);
    ui_fixture_key(&fixture, CN_UI_NEXT);
    ui_fixture_type(&fixture, "new");
    assert_string_equal(values.text, "new");
    ui_fixture_fini(&fixture);
}

static void arrows_and_backspace_go_by_characters(void **state)
{
    (void)state;
    UiFixture fixture;
    begin(&fixture, "a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80");
    ui_fixture_key(&fixture, CN_UI_BACKSPACE);
    assert_string_equal(values.text, "a\xC3\xA4\xE2\x82\xAC");
    ui_fixture_key(&fixture, CN_UI_LEFT);
    ui_fixture_key(&fixture, CN_UI_BACKSPACE);
    assert_string_equal(values.text, "a\xE2\x82\xAC");
    ui_fixture_key(&fixture, CN_UI_DELETE);
    assert_string_equal(values.text, "a");
    ui_fixture_fini(&fixture);
}

static void a_combining_mark_is_deleted_with_its_base_character(void **state)
{
    (void)state;
    UiFixture fixture;
    begin(&fixture, "xe\xCC\x81"); /* e, and an acute accent over it */
    ui_fixture_key(&fixture, CN_UI_BACKSPACE);
    assert_string_equal(values.text, "x");
    ui_fixture_fini(&fixture);
}

static void what_does_not_fit_is_left_out_as_a_whole_character(void **state)
{
    (void)state;
    UiFixture fixture;
    begin(&fixture, "123456789012345678901234567890"); /* 30 of 31 */
    ui_fixture_type(&fixture, "\xC3\xA4");
    assert_int_equal(strlen(values.text), 30);
    ui_fixture_type(&fixture, "x");
    assert_int_equal(strlen(values.text), 31);
    ui_fixture_type(&fixture, "y");
    assert_int_equal(values.text[30], 'x');
    ui_fixture_fini(&fixture);
}

static void shift_and_arrows_select_and_typing_replaces(void **state)
{
    (void)state;
    UiFixture fixture;
    begin(&fixture, "Gr\xC3\xBC\xC3\x9F"
                    "e");
    for (int i = 0; i < 3; i++)
        ui_fixture_key_with(&fixture, CN_UI_LEFT, CN_UI_SHIFT);
    ui_fixture_type(&fixture, "as");
    assert_string_equal(values.text, "Gras");
    ui_fixture_fini(&fixture);
}

static void an_arrow_leaves_a_selection_on_its_side(void **state)
{
    (void)state;
    UiFixture fixture;
    begin(&fixture, "abcd");
    ui_fixture_key(&fixture, CN_UI_SELECT_ALL);
    ui_fixture_key(&fixture, CN_UI_LEFT);
    ui_fixture_type(&fixture, "1");
    ui_fixture_key(&fixture, CN_UI_SELECT_ALL);
    ui_fixture_key(&fixture, CN_UI_RIGHT);
    ui_fixture_type(&fixture, "2");
    assert_string_equal(values.text, "1abcd2");
    ui_fixture_fini(&fixture);
}

static void control_goes_by_words(void **state)
{
    (void)state;
    UiFixture fixture;
    begin(&fixture, "one, two-three");
    ui_fixture_key_with(&fixture, CN_UI_BACKSPACE, CN_UI_CTRL);
    assert_string_equal(values.text, "one, two-");
    ui_fixture_key_with(&fixture, CN_UI_LEFT, CN_UI_CTRL);
    ui_fixture_key_with(&fixture, CN_UI_DELETE, CN_UI_CTRL);
    assert_string_equal(values.text, "one, ");
    ui_fixture_fini(&fixture);
}

static void cut_copy_and_paste_without_a_clipboard(void **state)
{
    (void)state;
    UiFixture fixture;
    begin(&fixture, "\xC3\xA4"
                    "bc");
    ui_fixture_key(&fixture, CN_UI_SELECT_ALL);
    ui_fixture_key(&fixture, CN_UI_CUT);
    assert_string_equal(values.text, "");
    ui_fixture_key(&fixture, CN_UI_PASTE);
    ui_fixture_key(&fixture, CN_UI_PASTE);
    assert_string_equal(values.text, "\xC3\xA4"
                                     "bc\xC3\xA4"
                                     "bc");
    ui_fixture_fini(&fixture);
}

static const char *get_clipboard(void *user)
{
    (void)user;
    return values.clipboard;
}

static void set_clipboard(void *user, const char *text)
{
    (void)user;
    cn_copy_text(values.clipboard, sizeof values.clipboard, cn_text(text));
}

static void the_clipboard_of_the_program_is_used(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    ui_fixture_init_plain(&fixture, field);
    cn_ui_destroy(fixture.ui);
    fixture.ui = cn_ui_create(&(CnUiDesc){.allocator = cn_heap_tag(fixture.heap, "ui"),
                                          .fonts = fixture.fonts,
                                          .clipboard = {get_clipboard, set_clipboard, NULL}},
                              NULL);
    strcpy(values.clipboard, "two\nlines\x01\xFF");
    ui_fixture_frame(&fixture);
    ui_fixture_key(&fixture, CN_UI_NEXT);
    ui_fixture_key(&fixture, CN_UI_PASTE);
    assert_string_equal(values.text, "two lines\xEF\xBF\xBD");
    ui_fixture_key(&fixture, CN_UI_SELECT_ALL);
    ui_fixture_key(&fixture, CN_UI_COPY);
    assert_string_equal(values.clipboard, "two lines\xEF\xBF\xBD");
    ui_fixture_fini(&fixture);
}

static void a_secret_is_neither_copied_nor_cut(void **state)
{
    (void)state;
    UiFixture fixture;
    begin(&fixture, "p\xC3\xA4ss");
    values.secret = true;
    ui_fixture_key(&fixture, CN_UI_SELECT_ALL);
    ui_fixture_key(&fixture, CN_UI_CUT);
    assert_string_equal(values.text, "p\xC3\xA4ss");
    ui_fixture_key(&fixture, CN_UI_END);
    ui_fixture_key(&fixture, CN_UI_PASTE);
    assert_string_equal(values.text, "p\xC3\xA4ss");
    ui_fixture_key(&fixture, CN_UI_BACKSPACE);
    assert_string_equal(values.text, "p\xC3\xA4s");
    ui_fixture_fini(&fixture);
}

static void a_click_puts_the_cursor_between_characters(void **state)
{
    (void)state;
    UiFixture fixture;
    begin(&fixture, "\xC3\xA4\xC3\xB6\xC3\xBC");
    ui_fixture_click(&fixture, fixture.rects[1]);
    CnTextStyle style = {.size = cn_ui_theme(fixture.ui)->text_size};
    float x = cn_canvas_text_x_at_byte(fixture.canvas, &style, cn_text(values.text), 2);
    ui_fixture_click_at(&fixture, fixture.rects[0].x + 6 + x + 0.5f, fixture.rects[0].y + 10);
    ui_fixture_type(&fixture, "-");
    assert_string_equal(values.text, "\xC3\xA4-\xC3\xB6\xC3\xBC");
    ui_fixture_fini(&fixture);
}

static void dragging_selects(void **state)
{
    (void)state;
    UiFixture fixture;
    begin(&fixture, "abcdef");
    CnRect rect = fixture.rects[0];
    ui_fixture_drag(&fixture, rect.x + 6, rect.y + 10, rect.x + rect.width - 8, rect.y + 10);
    ui_fixture_release(&fixture);
    ui_fixture_type(&fixture, "x");
    assert_string_equal(values.text, "x");
    ui_fixture_fini(&fixture);
}

static void a_double_click_selects_a_word(void **state)
{
    (void)state;
    UiFixture fixture;
    begin(&fixture, "one two");
    ui_fixture_click_at(&fixture, fixture.rects[0].x + 12, fixture.rects[0].y + 10);
    ui_fixture_press(&fixture);
    ui_fixture_release(&fixture);
    ui_fixture_type(&fixture, "1");
    assert_string_equal(values.text, "1 two");
    ui_fixture_fini(&fixture);
}

static void return_ends_writing_and_keeps_the_focus(void **state)
{
    (void)state;
    UiFixture fixture;
    begin(&fixture, "a");
    assert_true(cn_ui_wants_text(fixture.ui, NULL));
    ui_fixture_key(&fixture, CN_UI_ACTIVATE);
    assert_int_equal(values.result, CN_UI_FIELD_DONE);
    assert_false(cn_ui_wants_text(fixture.ui, NULL));
    assert_true(cn_ui_wants_keyboard(fixture.ui));
    ui_fixture_type(&fixture, "x");
    assert_string_equal(values.text, "a");
    ui_fixture_key(&fixture, CN_UI_ACTIVATE);
    assert_true(cn_ui_wants_text(fixture.ui, NULL));
    ui_fixture_fini(&fixture);
}

static void a_program_reads_and_moves_the_caret(void **state)
{
    (void)state;
    UiFixture fixture;
    begin(&fixture, "abcd");
    values.has_caret = true;
    values.caret = 4;
    ui_fixture_key(&fixture, CN_UI_LEFT);
    assert_int_equal(values.caret, 3);
    values.caret = 1;
    ui_fixture_type(&fixture, "x");
    assert_string_equal(values.text, "axbcd");
    assert_int_equal(values.caret, 2);
    values.caret = 99; /* not in the text */
    ui_fixture_type(&fixture, "y");
    assert_string_equal(values.text, "axbcdy");
    ui_fixture_fini(&fixture);
}

static void a_field_with_a_caret_is_reached_without_selecting_its_text(void **state)
{
    (void)state;
    UiFixture fixture;
    memset(&values, 0, sizeof values);
    cn_copy_text(values.text, sizeof values.text, cn_text("/"));
    values.has_caret = true;
    values.caret = 1;
    ui_fixture_init(&fixture, field);
    ui_fixture_key(&fixture, CN_UI_NEXT);
    ui_fixture_type(&fixture, "t");
    assert_string_equal(values.text, "/t");
    ui_fixture_fini(&fixture);
}

static void a_key_that_the_program_takes_does_not_move_the_focus(void **state)
{
    (void)state;
    UiFixture fixture;
    begin(&fixture, "a");
    values.takes_tab = true;
    ui_fixture_key(&fixture, CN_UI_NEXT);
    assert_true(values.took_tab);
    ui_fixture_type(&fixture, "b");
    assert_string_equal(values.text, "ab");
    ui_fixture_fini(&fixture);
}

static void a_click_elsewhere_leaves_the_field(void **state)
{
    (void)state;
    UiFixture fixture;
    begin(&fixture, "a");
    ui_fixture_click_at(&fixture, 200, 280);
    assert_false(cn_ui_wants_text(fixture.ui, NULL));
    assert_false(cn_ui_wants_keyboard(fixture.ui));
    ui_fixture_fini(&fixture);
}

static void a_held_key_repeats(void **state)
{
    (void)state;
    UiFixture fixture;
    begin(&fixture, "aaaaaaaaaaaaaaaaaaaa");
    fixture.input.keys_held = 1u << CN_UI_BACKSPACE;
    cn_ui_input_key(&fixture.input, CN_UI_BACKSPACE, 0);
    for (int i = 0; i < 20; i++) /* a third of a second */
        ui_fixture_frame(&fixture);
    assert_int_equal(strlen(values.text), 19);
    for (int i = 0; i < 30; i++)
        ui_fixture_frame(&fixture);
    assert_true(strlen(values.text) < 15 && strlen(values.text) > 5);
    ui_fixture_fini(&fixture);
}

static void text_of_an_input_method_is_shown_and_not_written(void **state)
{
    (void)state;
    UiFixture fixture;
    begin(&fixture, "a");
    uint32_t before = cn_canvas_stats(fixture.canvas).shapes;
    strcpy(fixture.input.composition, "kana");
    ui_fixture_frame(&fixture);
    assert_true(cn_canvas_stats(fixture.canvas).shapes >= before + 4);
    assert_string_equal(values.text, "a");
    CnRect place;
    assert_true(cn_ui_wants_text(fixture.ui, &place));
    assert_true(cn_rect_contains(fixture.rects[0], place.x, place.y));
    ui_fixture_fini(&fixture);
}

static void text_that_is_not_utf8_is_repaired(void **state)
{
    (void)state;
    UiFixture fixture;
    begin(&fixture, "");
    memcpy(values.text, "a\xFF\xC3", 4);
    memset(values.text + 4, 'z', sizeof values.text - 4);
    ui_fixture_frame(&fixture);
    assert_string_equal(values.text, "a??");
    memset(values.text, '\xC3', sizeof values.text);
    ui_fixture_frame(&fixture);
    assert_int_equal(strlen(values.text), sizeof values.text - 1);
    assert_true(cn_text_is_utf8(cn_text(values.text)));
    ui_fixture_fini(&fixture);
}

static void a_text_that_the_program_shortens_is_no_harm(void **state)
{
    (void)state;
    UiFixture fixture;
    begin(&fixture, "a long text");
    values.text[1] = '\0';
    ui_fixture_type(&fixture, "b");
    assert_string_equal(values.text, "ab");
    ui_fixture_fini(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(typed_text_appears_where_the_cursor_is),
        cmocka_unit_test(keys_and_characters_of_one_frame_keep_their_order),
        cmocka_unit_test(reaching_a_field_by_keyboard_selects_everything),
        cmocka_unit_test(arrows_and_backspace_go_by_characters),
        cmocka_unit_test(a_combining_mark_is_deleted_with_its_base_character),
        cmocka_unit_test(what_does_not_fit_is_left_out_as_a_whole_character),
        cmocka_unit_test(shift_and_arrows_select_and_typing_replaces),
        cmocka_unit_test(an_arrow_leaves_a_selection_on_its_side),
        cmocka_unit_test(control_goes_by_words),
        cmocka_unit_test(cut_copy_and_paste_without_a_clipboard),
        cmocka_unit_test(the_clipboard_of_the_program_is_used),
        cmocka_unit_test(a_secret_is_neither_copied_nor_cut),
        cmocka_unit_test(a_click_puts_the_cursor_between_characters),
        cmocka_unit_test(dragging_selects),
        cmocka_unit_test(a_double_click_selects_a_word),
        cmocka_unit_test(return_ends_writing_and_keeps_the_focus),
        cmocka_unit_test(a_program_reads_and_moves_the_caret),
        cmocka_unit_test(a_field_with_a_caret_is_reached_without_selecting_its_text),
        cmocka_unit_test(a_key_that_the_program_takes_does_not_move_the_focus),
        cmocka_unit_test(a_click_elsewhere_leaves_the_field),
        cmocka_unit_test(a_held_key_repeats),
        cmocka_unit_test(text_of_an_input_method_is_shown_and_not_written),
        cmocka_unit_test(text_that_is_not_utf8_is_repaired),
        cmocka_unit_test(a_text_that_the_program_shortens_is_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
