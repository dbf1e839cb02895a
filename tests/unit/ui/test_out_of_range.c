/* Numbers that name nothing: guards catch them, and without guards the result is harmless. */
#include "guards.h"
#include "ui_fixture.h"

static const int bad_keys[] = {CN_UI_KEY_COUNT, CN_UI_KEY_COUNT + 1, 255, 256, 1 << 20, -1};
static const int bad_alignments[] = {CN_ALIGN_END + 1, 255, 1 << 20, -1};

static void a_key_that_is_none_is_not_typed(void **state)
{
    (void)state;
    for (volatile size_t i = 0; i < CN_COUNT_OF(bad_keys); i++) {
        CnUiInput input = {0};
#ifdef CN_GUARDS
        EXPECT_GUARD(cn_ui_input_key(&input, (CnUiKey)bad_keys[i], 0));
        assert_non_null(strstr(guard_message(), "invalid key"));
#else
        cn_ui_input_key(&input, (CnUiKey)bad_keys[i], 0);
#endif
        assert_int_equal(input.typed_count, 0);
    }
}

static void draw_labels(UiFixture *fixture)
{
    for (volatile size_t i = 0; i < CN_COUNT_OF(bad_alignments); i++) {
#ifdef CN_GUARDS
        EXPECT_GUARD(cn_ui_label_colored(fixture->ui, cn_rgb(0), (CnAlign)bad_alignments[i], "a"));
        assert_non_null(strstr(guard_message(), "invalid alignment"));
#else
        cn_ui_label_colored(fixture->ui, cn_rgb(0), (CnAlign)bad_alignments[i], "a");
        assert_true(cn_ui_last_rect(fixture->ui).width > 0);
#endif
    }
}

static void a_label_with_an_alignment_that_is_none_is_drawn(void **state)
{
    (void)state;
    UiFixture fixture;
    ui_fixture_init(&fixture, draw_labels);
    ui_fixture_fini(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_that_is_none_is_not_typed),
        cmocka_unit_test(a_label_with_an_alignment_that_is_none_is_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
