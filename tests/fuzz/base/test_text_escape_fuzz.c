/* Random texts, escaped into buffers of all sizes: the result is valid UTF-8, displays as one line
 * without side effects, and fits. The cases come from a seed, so every run tests the same ones. */
#include "cmocka_tests.h"
#include "random.h"

#include <cairn/base/memory.h>
#include <cairn/base/text.h>

#include <string.h>

enum { CASES = 1000000, MAX_BYTES = 64 };

/* Pieces of texts that terminals interpret, and of what imitates them. */
static const char *const pieces[] = {"\x1B[2J",
                                     "\x1B]0;owned\a",
                                     "\xC2\x9B",
                                     "\xE2\x80\xAE",
                                     "\xE2\x81\xA6",
                                     "\xE2\x80\xA8",
                                     "\n",
                                     "\r",
                                     "\t",
                                     "\\x1b",
                                     "\xEF\xBB\xBF",
                                     "\xF3\xA0\x81\x81",
                                     "\xEF\xBF\xBD",
                                     "\xC3\xA4",
                                     "\xF0\x9F\x98\x80",
                                     "\xED\xA0\x80",
                                     "\xC0\x80",
                                     "\xF4\x90\x80\x80",
                                     "a",
                                     "\xD8\x9C"};

static size_t make_text(TestRandom *random, char text[MAX_BYTES])
{
    size_t size = 0, wanted = test_random_below(random, MAX_BYTES);
    while (size < wanted) {
        if (test_random_chance(random, 40)) {
            text[size++] = (char)test_random(random);
            continue;
        }
        const char *piece = pieces[test_random_below(random, CN_COUNT_OF(pieces))];
        for (; *piece && size < wanted; piece++)
            text[size++] = *piece;
    }
    return size;
}

static bool is_harmless(uint32_t character)
{
    return !(character < 0x20 || (character >= 0x7F && character < 0xA0) || character == 0x61C ||
             character == 0x200E || character == 0x200F ||
             (character >= 0x2028 && character <= 0x202E) ||
             (character >= 0x2066 && character <= 0x206F) || character == 0xFEFF ||
             (character >= 0xE0000 && character <= 0xE007F));
}

static void assert_harmless(const char *shown)
{
    CnText text = cn_text(shown);
    assert_true(cn_text_is_utf8(text));
    for (size_t at = 0; at < text.size;) {
        uint32_t character;
        at = cn_utf8_next(text, at, &character);
        assert_true(is_harmless(character));
    }
}

/* Each buffer is a block of its own size, so that AddressSanitizer sees a write past its end. */
static void escaped_texts_are_harmless_valid_and_fit(void **state)
{
    (void)state;
    TestRandom random = {1};
    for (uint32_t i = 0; i < CASES; i++) {
        char text[MAX_BYTES], again[4 * MAX_BYTES + 1];
        size_t size = make_text(&random, text);
        size_t room = test_random_chance(&random, 50) ? sizeof again
                                                      : 1 + test_random_below(&random, MAX_BYTES);
        char *shown = cn_alloc(NULL, room);
        cn_text_escape((CnText){text, size}, shown, room);
        assert_true(strlen(shown) < room);
        assert_harmless(shown);
        assert_string_equal(cn_text_escape(cn_text(shown), again, sizeof again), shown);
        cn_free(NULL, shown, room);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(escaped_texts_are_harmless_valid_and_fit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
