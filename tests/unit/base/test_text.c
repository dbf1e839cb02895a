#include "cmocka_tests.h"

#include <cairn/base/text.h>

static bool same(CnText text, const char *expected)
{
    return cn_text_equal(text, cn_text(expected));
}

static void equal_texts_have_the_same_bytes(void **state)
{
    (void)state;
    assert_true(cn_text_equal(cn_text("abc"), cn_text("abc")));
    assert_false(cn_text_equal(cn_text("abc"), cn_text("abd")));
    assert_false(cn_text_equal(cn_text("abc"), cn_text("ab")));
    assert_true(cn_text_equal(cn_text(NULL), cn_text("")));
    assert_false(cn_text_equal((CnText){"a\0b", 3}, (CnText){"a\0c", 3}));
}

static void order_is_by_bytes_and_shorter_first(void **state)
{
    (void)state;
    assert_int_equal(cn_text_compare(cn_text("a"), cn_text("b")), -1);
    assert_int_equal(cn_text_compare(cn_text("b"), cn_text("a")), 1);
    assert_int_equal(cn_text_compare(cn_text("a"), cn_text("aa")), -1);
    assert_int_equal(cn_text_compare(cn_text("aa"), cn_text("a")), 1);
    assert_int_equal(cn_text_compare(cn_text("aa"), cn_text("aa")), 0);
    assert_int_equal(cn_text_compare(cn_text("Z"), cn_text("a")), -1);
    assert_int_equal(cn_text_compare(cn_text("z"), cn_text("\xC3\xA4")), -1);
    assert_int_equal(cn_text_compare(cn_text(NULL), cn_text("")), 0);
}

static void prefixes_and_suffixes_are_found(void **state)
{
    (void)state;
    assert_true(cn_text_starts_with(cn_text("level.json"), cn_text("level")));
    assert_false(cn_text_starts_with(cn_text("lev"), cn_text("level")));
    assert_true(cn_text_ends_with(cn_text("level.json"), cn_text(".json")));
    assert_false(cn_text_ends_with(cn_text("json"), cn_text(".json")));
    assert_true(cn_text_starts_with(cn_text("x"), cn_text("")));
    assert_true(cn_text_ends_with(cn_text(NULL), cn_text(NULL)));
}

static void trim_takes_blanks_off_both_ends(void **state)
{
    (void)state;
    assert_true(same(cn_text_trim(cn_text(" \t a b\r\n\v\f")), "a b"));
    assert_true(same(cn_text_trim(cn_text("ab")), "ab"));
    assert_int_equal(cn_text_trim(cn_text("  \n ")).size, 0);
    assert_int_equal(cn_text_trim(cn_text(NULL)).size, 0);
}

static void split_takes_the_parts_one_by_one(void **state)
{
    (void)state;
    CnText rest = cn_text("a,,bc"), part;
    assert_true(cn_text_split(&rest, ',', &part));
    assert_true(same(part, "a"));
    assert_true(cn_text_split(&rest, ',', &part));
    assert_true(same(part, ""));
    assert_true(cn_text_split(&rest, ',', &part));
    assert_true(same(part, "bc"));
    assert_false(cn_text_split(&rest, ',', &part));
}

static void nothing_is_left_after_a_separator_at_the_end(void **state)
{
    (void)state;
    CnText rest = cn_text("a,"), part;
    assert_true(cn_text_split(&rest, ',', &part));
    assert_false(cn_text_split(&rest, ',', &part));
    rest = cn_text("");
    assert_false(cn_text_split(&rest, ',', &part));
}

static void valid_utf8_is_accepted(void **state)
{
    (void)state;
    assert_true(cn_text_is_utf8(cn_text("")));
    assert_true(cn_text_is_utf8(cn_text("plain")));
    assert_true(cn_text_is_utf8(cn_text("\xC2\x80 \xDF\xBF")));
    assert_true(cn_text_is_utf8(cn_text("\xE0\xA0\x80 \xED\x9F\xBF \xEE\x80\x80 \xEF\xBF\xBF")));
    assert_true(cn_text_is_utf8(cn_text("\xF0\x90\x80\x80 \xF4\x8F\xBF\xBF")));
    assert_true(cn_text_is_utf8((CnText){"a\0b", 3}));
}

static void bad_utf8_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "\x80",             /* continuation alone */
        "\xBF",             /* the same */
        "a\xC3",            /* cut */
        "\xE2\x82",         /* cut */
        "\xF0\x9F\x98",     /* cut */
        "\xC3(",            /* no continuation */
        "\xE2(\xA1",        /* the same, second byte */
        "\xE2\x82(",        /* the same, third byte */
        "\xF0\x9F\x98(",    /* the same, fourth byte */
        "\xC0\xAF",         /* overlong '/' */
        "\xC1\xBF",         /* overlong */
        "\xE0\x80\xAF",     /* overlong '/' */
        "\xE0\x9F\xBF",     /* overlong */
        "\xF0\x80\x80\xAF", /* overlong '/' */
        "\xF0\x8F\xBF\xBF", /* overlong */
        "\xED\xA0\x80",     /* first surrogate */
        "\xED\xBF\xBF",     /* last surrogate */
        "\xF4\x90\x80\x80", /* U+110000 */
        "\xF5\x80\x80\x80", /* beyond */
        "\xFE",             /* never */
        "\xFF",             /* never */
    };
    for (size_t i = 0; i < CN_COUNT_OF(bad); i++)
        assert_false(cn_text_is_utf8(cn_text(bad[i])));
}

/* Decodes what the validator accepts, the way a textbook does. */
static bool decodes_to(const unsigned char *bytes, size_t size, uint32_t code)
{
    static const uint32_t masks[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    uint32_t value = bytes[0] & masks[size];
    for (size_t i = 1; i < size; i++)
        value = value << 6 | (bytes[i] & 0x3Fu);
    return value == code;
}

static size_t encode(uint32_t code, unsigned char *bytes)
{
    if (code < 0x80) {
        bytes[0] = (unsigned char)code;
        return 1;
    }
    size_t size = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char leads[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = size - 1; i > 0; i--) {
        bytes[i] = (unsigned char)(0x80 | (code & 0x3F));
        code >>= 6;
    }
    bytes[0] = (unsigned char)(leads[size] | code);
    return size;
}

static void exactly_the_scalar_values_are_characters(void **state)
{
    (void)state;
    for (uint32_t code = 0; code < 0x120000; code++) {
        unsigned char bytes[4];
        size_t size = encode(code, bytes);
        bool is_scalar = code <= 0x10FFFF && !(code >= 0xD800 && code <= 0xDFFF);
        if (cn_text_is_utf8((CnText){(char *)bytes, size}) != is_scalar)
            fail_msg("U+%04X", code);
        if (is_scalar && !decodes_to(bytes, size, code))
            fail_msg("the test itself is wrong at U+%04X", code);
    }
}

static void format_says_whether_it_fits(void **state)
{
    (void)state;
    char buffer[8];
    assert_true(cn_format(buffer, sizeof buffer, "%d", 1234567));
    assert_string_equal(buffer, "1234567");
    assert_false(cn_format(buffer, sizeof buffer, "%d", 12345678));
    assert_string_equal(buffer, "1234567");
    assert_false(cn_format(buffer, 1, "x"));
    assert_string_equal(buffer, "");
    buffer[0] = 'k';
    assert_false(cn_format(buffer, 0, "x"));
    assert_int_equal(buffer[0], 'k');
}

static void format_never_cuts_inside_a_character(void **state)
{
    (void)state;
    char buffer[8];
    /* U+1F600 needs four bytes at 5, of which only two would fit. */
    assert_false(cn_format(buffer, sizeof buffer, "%s", "abcde\xF0\x9F\x98\x80"));
    assert_string_equal(buffer, "abcde");
    assert_false(cn_format(buffer, sizeof buffer, "%s", "abcd\xE2\x82\xAC!"));
    assert_string_equal(buffer, "abcd\xE2\x82\xAC");
    assert_false(cn_format(buffer, sizeof buffer, "%s", "abcdef\xC3\xA4"));
    assert_string_equal(buffer, "abcdef");
}

static void bytes_that_are_no_utf8_are_cut_anywhere(void **state)
{
    (void)state;
    char buffer[6];
    assert_false(cn_format(buffer, sizeof buffer, "%s", "\x80\x80\x80\x80\x80\x80\x80\x80"));
    assert_int_equal(strlen(buffer), 5);
}

static void copied_text_is_terminated_and_cut_at_a_character(void **state)
{
    (void)state;
    char buffer[5];
    assert_true(cn_copy_text(buffer, sizeof buffer, cn_text("abcd")));
    assert_string_equal(buffer, "abcd");
    assert_false(cn_copy_text(buffer, sizeof buffer, cn_text("abcde")));
    assert_string_equal(buffer, "abcd");
    assert_false(cn_copy_text(buffer, sizeof buffer, cn_text("abc\xC3\xA4")));
    assert_string_equal(buffer, "abc");
    assert_true(cn_copy_text(buffer, sizeof buffer, cn_text(NULL)));
    assert_string_equal(buffer, "");
    assert_false(cn_copy_text(buffer, 0, cn_text("a")));
}

static void a_builder_is_terminated_after_each_append(void **state)
{
    (void)state;
    CnTextBuilder builder;
    cn_array_init(&builder, NULL);
    assert_true(cn_text_append(&builder, cn_text("")));
    assert_string_equal(builder.items, "");
    assert_true(cn_text_append(&builder, cn_text("stone")));
    assert_string_equal(builder.items, "stone");
    assert_true(cn_text_append_format(&builder, " %d", 42));
    assert_string_equal(builder.items, "stone 42");
    assert_int_equal(builder.count, 8);
    cn_array_fini(&builder);
}

static void a_builder_grows_as_needed(void **state)
{
    (void)state;
    CnTextBuilder builder;
    cn_array_init(&builder, NULL);
    for (int i = 0; i < 1000; i++)
        assert_true(cn_text_append_format(&builder, "%03d,", i));
    assert_int_equal(builder.count, 4000);
    assert_int_equal(strlen(builder.items), 4000);
    assert_memory_equal(builder.items + 3996, "999,", 4);
    cn_array_fini(&builder);
}

static void a_builder_can_append_itself(void **state)
{
    (void)state;
    CnTextBuilder builder;
    cn_array_init(&builder, NULL);
    assert_true(cn_text_append(&builder, cn_text("ab")));
    for (int i = 0; i < 8; i++)
        assert_true(cn_text_append(&builder, (CnText){builder.items, builder.count}));
    assert_int_equal(builder.count, 512);
    for (uint32_t i = 0; i < builder.count; i++)
        assert_int_equal(builder.items[i], i % 2 ? 'b' : 'a');
    cn_array_fini(&builder);
}

static void a_builder_refuses_sizes_that_wrap(void **state)
{
    (void)state;
    CnTextBuilder builder;
    cn_array_init(&builder, NULL);
    assert_false(cn_text_append(&builder, (CnText){"x", SIZE_MAX}));
    assert_false(cn_text_append(&builder, (CnText){"x", UINT32_MAX}));
    assert_null(builder.items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_texts_have_the_same_bytes),
        cmocka_unit_test(order_is_by_bytes_and_shorter_first),
        cmocka_unit_test(prefixes_and_suffixes_are_found),
        cmocka_unit_test(trim_takes_blanks_off_both_ends),
        cmocka_unit_test(split_takes_the_parts_one_by_one),
        cmocka_unit_test(nothing_is_left_after_a_separator_at_the_end),
        cmocka_unit_test(valid_utf8_is_accepted),
        cmocka_unit_test(bad_utf8_is_refused),
        cmocka_unit_test(exactly_the_scalar_values_are_characters),
        cmocka_unit_test(format_says_whether_it_fits),
        cmocka_unit_test(format_never_cuts_inside_a_character),
        cmocka_unit_test(bytes_that_are_no_utf8_are_cut_anywhere),
        cmocka_unit_test(copied_text_is_terminated_and_cut_at_a_character),
        cmocka_unit_test(a_builder_is_terminated_after_each_append),
        cmocka_unit_test(a_builder_grows_as_needed),
        cmocka_unit_test(a_builder_can_append_itself),
        cmocka_unit_test(a_builder_refuses_sizes_that_wrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
