/* Names of keys, buttons and axes. */
#include "cmocka_tests.h"

#include <cairn/input.h>

static CnControl found(const char *text)
{
    CnControl control = {0};
    if (!cn_control_find(text, &control))
        fail_msg("there is no control %s", text);
    return control;
}

static void every_control_is_found_by_its_text(void **state)
{
    (void)state;
    uint32_t count = 0;
    for (uint16_t kind = 0; kind < CN_CONTROL_KIND_COUNT; kind++)
        for (uint16_t code = 0; code < CN_KEY_COUNT; code++) {
            CnControl control = {kind, code};
            char text[CN_CONTROL_TEXT_BYTES];
            if (!cn_control_valid(control))
                continue;
            assert_true(cn_control_equal(found(cn_control_text(control, text)), control));
            count++;
        }
    assert_int_equal(count, CN_KEY_COUNT - 1 + CN_MOUSE_BUTTON_COUNT - 1 + CN_MOUSE_MOTION_COUNT +
                                CN_GAMEPAD_BUTTON_COUNT + CN_GAMEPAD_AXIS_COUNT);
}

static void names_belong_to_their_codes(void **state)
{
    (void)state;
    assert_true(cn_control_equal(found("W"), (CnControl){CN_CONTROL_KEY, CN_KEY_W}));
    assert_true(cn_control_equal(found("F24"), (CnControl){CN_CONTROL_KEY, CN_KEY_F24}));
    assert_true(
        cn_control_equal(found("RightShift"), (CnControl){CN_CONTROL_KEY, CN_KEY_RIGHT_SHIFT}));
    assert_true(cn_control_equal(found("MouseRight"),
                                 (CnControl){CN_CONTROL_MOUSE_BUTTON, CN_MOUSE_RIGHT}));
    assert_true(
        cn_control_equal(found("WheelY"), (CnControl){CN_CONTROL_MOUSE_MOTION, CN_MOUSE_WHEEL_Y}));
    assert_true(cn_control_equal(found("GamepadStart"),
                                 (CnControl){CN_CONTROL_GAMEPAD_BUTTON, CN_GAMEPAD_START}));
    assert_true(cn_control_equal(found("GamepadRightTrigger"),
                                 (CnControl){CN_CONTROL_GAMEPAD_AXIS, CN_GAMEPAD_RIGHT_TRIGGER}));
}

static void a_control_has_only_one_text(void **state)
{
    (void)state;
    static const char *const others[] = {"",     "w",       "Key4",   "Mouse1",   "Key0",
                                         "Key",  "Key0127", "Key512", "Key99999", "Mouse32",
                                         "none", "Key+127", "Key127 "};
    CnControl control;
    for (uint32_t i = 0; i < CN_COUNT_OF(others); i++)
        if (cn_control_find(others[i], &control))
            fail_msg("\"%s\" is a control", others[i]);
}

static void a_misspelled_name_has_a_suggestion(void **state)
{
    (void)state;
    assert_string_equal(cn_control_most_similar("Sapce"), "Space");
    assert_string_equal(cn_control_most_similar("GamepadLeftXX"), "GamepadLeftX");
    assert_null(cn_control_most_similar("something else"));
}

static void a_control_that_does_not_exist_reads_none(void **state)
{
    (void)state;
    char text[CN_CONTROL_TEXT_BYTES];
    assert_string_equal(cn_control_text((CnControl){0, 0}, text), "none");
    assert_string_equal(cn_control_text((CnControl){CN_CONTROL_KEY, 600}, text), "none");
    assert_string_equal(cn_control_text((CnControl){99, 1}, text), "none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_control_is_found_by_its_text),
        cmocka_unit_test(names_belong_to_their_codes),
        cmocka_unit_test(a_control_has_only_one_text),
        cmocka_unit_test(a_misspelled_name_has_a_suggestion),
        cmocka_unit_test(a_control_that_does_not_exist_reads_none),
    };
    return cmocka_run_group_tests_name("control", tests, NULL, NULL);
}
