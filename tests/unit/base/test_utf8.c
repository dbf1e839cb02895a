/* UTF-8, character by character. */
#include "cmocka_tests.h"

#include <cairn/base/text.h>

/* Characters of a text, as numbers. */
static uint32_t decode(CnText text, uint32_t *characters, uint32_t capacity)
{
    uint32_t count = 0;
    for (size_t at = 0; at < text.size && count < capacity;)
        at = cn_utf8_next(text, at, &characters[count++]);
    return count;
}

static void characters_of_one_to_four_bytes_are_read(void **state)
{
    (void)state;
    uint32_t found[8];
    assert_int_equal(decode(cn_text("a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80"), found, 8), 4);
    assert_int_equal(found[0], 'a');
    assert_int_equal(found[1], 0xE4);
    assert_int_equal(found[2], 0x20AC);
    assert_int_equal(found[3], 0x1F600);
}

static void what_is_not_utf8_is_replaced(void **state)
{
    (void)state;
    /* The example of Unicode 15, table 3-8: a truncated sequence is one character, others are one
     * for each byte. */
    uint32_t found[16];
    static const char bytes[] = "\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64";
    static const uint32_t expected[] = {'a',    0xFFFD, 0xFFFD, 0xFFFD, 'b',
                                        0xFFFD, 'c',    0xFFFD, 0xFFFD, 'd'};
    assert_int_equal(decode(cn_text(bytes), found, 16), 10);
    assert_memory_equal(found, expected, sizeof expected);
}

static void surrogates_and_overlong_forms_are_replaced(void **state)
{
    (void)state;
    uint32_t found[8];
    assert_int_equal(decode(cn_text("\xED\xA0\x80"), found, 8), 3);
    assert_int_equal(decode(cn_text("\xC0\xAF"), found, 8), 2);
    assert_int_equal(found[0], CN_UTF8_REPLACEMENT);
}

static void a_character_that_is_cut_at_the_end_is_replaced(void **state)
{
    (void)state;
    uint32_t found[8];
    assert_int_equal(decode((CnText){"\xE2\x82\xAC", 2}, found, 8), 1);
    assert_int_equal(found[0], CN_UTF8_REPLACEMENT);
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    for (uint32_t character = 1; character < 0x110000; character += character < 0x10000 ? 7 : 251) {
        char bytes[4];
        uint32_t read;
        if (character >= 0xD800 && character <= 0xDFFF)
            continue;
        size_t size = cn_utf8_write(character, bytes);
        assert_int_equal(cn_utf8_next((CnText){bytes, size}, 0, &read), size);
        assert_int_equal(read, character);
    }
}

static void numbers_that_are_no_characters_are_written_as_a_replacement(void **state)
{
    (void)state;
    char bytes[4];
    assert_int_equal(cn_utf8_write(0xD800, bytes), 3);
    assert_memory_equal(bytes, "\xEF\xBF\xBD", 3);
    assert_int_equal(cn_utf8_write(0x110000, bytes), 3);
}

static void going_back_stops_where_going_forth_does(void **state)
{
    (void)state;
    CnText text = cn_text("a\xC3\xA4\xF1\x80\x80\xE2\x82\xAC\x80\xF0\x9F\x98\x80z");
    size_t places[16], count = 0;
    for (size_t at = 0; at < text.size;) {
        uint32_t character;
        places[count++] = at;
        at = cn_utf8_next(text, at, &character);
    }
    size_t at = text.size;
    for (size_t i = count; i-- > 0;) {
        at = cn_utf8_previous(text, at);
        assert_int_equal(at, places[i]);
    }
    assert_int_equal(cn_utf8_previous(text, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_of_one_to_four_bytes_are_read),
        cmocka_unit_test(what_is_not_utf8_is_replaced),
        cmocka_unit_test(surrogates_and_overlong_forms_are_replaced),
        cmocka_unit_test(a_character_that_is_cut_at_the_end_is_replaced),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(numbers_that_are_no_characters_are_written_as_a_replacement),
        cmocka_unit_test(going_back_stops_where_going_forth_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
