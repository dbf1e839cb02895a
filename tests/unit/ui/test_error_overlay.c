/* What the error overlay shows. A glyph is a shape of the canvas, so longer texts are more shapes.
 */
#include "ui_fixture.h"

static CnErrorOverlay overlay;

static void draw_errors(UiFixture *fixture)
{
    cn_error_overlay_draw(fixture->canvas, &overlay);
}

static uint32_t shapes_drawn(void)
{
    UiFixture fixture;
    ui_fixture_init_windows(&fixture, draw_errors);
    ui_fixture_frame(&fixture);
    uint32_t shapes = cn_canvas_stats(fixture.canvas).shapes;
    ui_fixture_fini(&fixture);
    return shapes;
}

static int begin(void **state)
{
    (void)state;
    overlay = (CnErrorOverlay){0};
    return 0;
}

/* As a program that does not escape them. */
static void add_error(const char *file, int line, const char *message)
{
    CnError *error = &overlay.errors[overlay.count++];
    *error = (CnError){.code = CN_ERROR_FORMAT, .line = line};
    cn_copy_text(error->file, sizeof error->file, cn_text(file));
    cn_copy_text(error->message, sizeof error->message, cn_text(message));
}

static void nothing_is_drawn_without_errors(void **state)
{
    (void)state;
    uint32_t none = shapes_drawn();
    add_error("a", 1, "b");
    assert_true(shapes_drawn() > none);
}

static void each_error_is_drawn_with_its_place(void **state)
{
    (void)state;
    add_error("abc", 0, "wxyz");
    uint32_t one = shapes_drawn();
    overlay.errors[0].line = 12;
    assert_int_equal(shapes_drawn(), one + strlen(":12"));
    overlay.errors[0].column = 3;
    assert_int_equal(shapes_drawn(), one + strlen(":12:3"));
    add_error("d", 0, "vw");
    overlay.errors[0].line = 0;
    assert_int_equal(shapes_drawn(), one + strlen("s") + strlen("dvw"));
}

static void the_hint_is_drawn(void **state)
{
    (void)state;
    add_error("a", 0, "b");
    uint32_t without = shapes_drawn();
    cn_copy_text(overlay.hint, sizeof overlay.hint, cn_text("hint"));
    assert_int_equal(shapes_drawn(), without + strlen("-hint"));
}

static void control_characters_are_escaped(void **state)
{
    (void)state;
    add_error("a", 0, "b");
    uint32_t plain = shapes_drawn();
    overlay.errors[0].message[0] = '\x1b';
    assert_int_equal(shapes_drawn(), plain + strlen("\\x1b") - 1);
}

static void long_messages_are_wrapped_and_drawn_in_full(void **state)
{
    (void)state;
    char text[200];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    add_error("a", 0, "b");
    uint32_t one = shapes_drawn();
    overlay.count = 0;
    add_error("a", 0, text);
    assert_int_equal(shapes_drawn(), one + sizeof text - 2);
}

static void errors_that_do_not_fit_are_counted(void **state)
{
    (void)state;
    char text[250];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    while (overlay.count < CN_ERROR_OVERLAY_MAX)
        add_error("a", (int)overlay.count + 1, text);
    uint32_t all = CN_ERROR_OVERLAY_MAX * (uint32_t)strlen(text), drawn = shapes_drawn();
    assert_true(drawn > strlen(text) && drawn < all);
}

static void a_hidden_error_is_not_shown_until_there_is_another(void **state)
{
    (void)state;
    assert_false(cn_error_overlay_is_shown(&overlay));
    add_error("a", 1, "b");
    assert_true(cn_error_overlay_is_shown(&overlay));
    cn_error_overlay_hide(&overlay, true);
    assert_false(cn_error_overlay_is_shown(&overlay));
    add_error("a", 2, "b");
    assert_true(cn_error_overlay_is_shown(&overlay));
    overlay.count = 1;
    assert_false(cn_error_overlay_is_shown(&overlay));
    cn_error_overlay_hide(&overlay, false);
    assert_true(cn_error_overlay_is_shown(&overlay));
}

#define OVERLAY_TEST(name) cmocka_unit_test_setup(name, begin)

int main(void)
{
    const struct CMUnitTest tests[] = {
        OVERLAY_TEST(nothing_is_drawn_without_errors),
        OVERLAY_TEST(each_error_is_drawn_with_its_place),
        OVERLAY_TEST(the_hint_is_drawn),
        OVERLAY_TEST(control_characters_are_escaped),
        OVERLAY_TEST(long_messages_are_wrapped_and_drawn_in_full),
        OVERLAY_TEST(errors_that_do_not_fit_are_counted),
        OVERLAY_TEST(a_hidden_error_is_not_shown_until_there_is_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
