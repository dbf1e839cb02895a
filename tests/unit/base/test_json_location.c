/* Positions in JSON texts, numbers as text, and suggestions for misspelled names. */
#include "cmocka_tests.h"

#include <cairn/base.h>

#include <stdlib.h>

static const char text[] =
    "{\n  \"size\": [1, {\"a \\\" }\": 2}, \"x]\", 4],\n  \"n\u00e4me\": \"b\"\n}";
#define END (text + sizeof text - 1)

static const char *child(const char *at, size_t number, bool in_object)
{
    return cn_json_find_child(at, END, number, in_object, NULL);
}

static void a_member_is_found_by_its_number(void **state)
{
    (void)state;
    assert_ptr_equal(child(text, 0, true), strstr(text, "[1"));
    assert_ptr_equal(child(text, 1, true), strstr(text, "\"b\""));
}

static void an_element_is_found_behind_nested_values(void **state)
{
    (void)state;
    const char *list = child(text, 0, true);
    assert_ptr_equal(child(list, 1, false), strstr(text, "{\"a"));
    assert_ptr_equal(child(list, 2, false), strstr(text, "\"x]"));
    assert_ptr_equal(child(list, 3, false), strstr(text, "4]"));
}

static void the_key_of_a_member_is_found(void **state)
{
    (void)state;
    const char *key;
    cn_json_find_child(text, END, 1, true, &key);
    assert_ptr_equal(key, strstr(text, "\"n"));
}

static void a_value_ends_behind_its_bracket(void **state)
{
    (void)state;
    assert_ptr_equal(cn_json_skip_value(strstr(text, "[1"), END), strstr(text, ",\n  \"n"));
}

static void nothing_is_read_beyond_the_end(void **state)
{
    (void)state;
    for (size_t size = 0; size < sizeof text; size++) {
        char *exact = malloc(size ? size : 1); /* sanitizers see reads beyond it */
        memcpy(exact, text, size);
        for (size_t number = 0; number < 4; number++) {
            const char *at = cn_json_find_child(exact, exact + size, number, true, NULL);
            assert_true(at >= exact && at <= exact + size);
        }
        free(exact);
    }
}

static void columns_count_characters(void **state)
{
    (void)state;
    int line, column;
    cn_text_line_column(cn_text(text), child(text, 1, true), &line, &column);
    assert_int_equal(line, 3);
    assert_int_equal(column, 11);
}

static void assert_number(float number, const char *expected)
{
    CnTextBuilder builder;
    cn_array_init(&builder, NULL);
    assert_true(cn_text_append_float(&builder, number));
    assert_string_equal(builder.items, expected);
    cn_array_fini(&builder);
}

static void numbers_are_as_short_as_possible(void **state)
{
    (void)state;
    assert_number(0.15f, "0.15");
    assert_number(-2, "-2");
    assert_number(-0.0f, "-0.0");
    assert_number(1.0f / 3, "0.33333334");
}

static const char *next_name(void *user)
{
    const char *const **names = user;
    return **names ? *(*names)++ : NULL;
}

static const char *similar(const char *name)
{
    static const char *const names[] = {"jump", "jumps", "look", NULL};
    const char *const *cursor = names;
    return cn_text_most_similar(name, next_name, &cursor);
}

static void the_most_similar_name_is_suggested(void **state)
{
    (void)state;
    assert_string_equal(similar("jmp"), "jump");
    assert_string_equal(similar("lokk"), "look");
}

static void nothing_is_suggested_for_other_words(void **state)
{
    (void)state;
    assert_null(similar("crouch"));
    assert_null(similar(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_member_is_found_by_its_number),
        cmocka_unit_test(an_element_is_found_behind_nested_values),
        cmocka_unit_test(the_key_of_a_member_is_found),
        cmocka_unit_test(a_value_ends_behind_its_bracket),
        cmocka_unit_test(nothing_is_read_beyond_the_end),
        cmocka_unit_test(columns_count_characters),
        cmocka_unit_test(numbers_are_as_short_as_possible),
        cmocka_unit_test(the_most_similar_name_is_suggested),
        cmocka_unit_test(nothing_is_suggested_for_other_words),
    };
    return cmocka_run_group_tests_name("json_location", tests, NULL, NULL);
}
