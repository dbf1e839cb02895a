/* The size of JSON texts, measured before they are parsed. */
#include "cmocka_tests.h"

#include <cairn/base.h>

#include <jansson.h>
#include <stdlib.h>

static CnJsonSize measure(const char *text)
{
    return cn_json_measure(cn_text(text));
}

static void values_of_all_kinds_are_counted(void **state)
{
    (void)state;
    assert_int_equal(measure("1").values, 1);
    assert_int_equal(measure("[]").values, 1);
    assert_int_equal(measure("{\"a\": 1, \"b\": [true, null, \"c\"]}").values, 6);
    assert_int_equal(measure("[{ }, [\n], {\"a\": {}}]").values, 5);
}

static void depth_is_that_of_nested_brackets(void **state)
{
    (void)state;
    assert_int_equal(measure("1").depth, 0);
    assert_int_equal(measure("[1, [2], {\"a\": [3]}, 4]").depth, 3);
    assert_int_equal(measure("]]]][").depth, 1);
}

static void characters_in_strings_do_not_count(void **state)
{
    (void)state;
    CnJsonSize size = measure("\"[[{,,::\\\"[[\\\\\"");
    assert_int_equal(size.values, 1);
    assert_int_equal(size.depth, 0);
}

static void nothing_is_read_beyond_the_end_of_the_text(void **state)
{
    (void)state;
    static const char text[] = "[\"a\\\"b\", {\"c\": 1}]";
    for (size_t size = 0; size < sizeof text; size++) {
        char *copy = malloc(size + 1); /* ASan reports reads behind it */
        assert_non_null(copy);
        char *exact = size ? realloc(copy, size) : copy;
        assert_non_null(exact);
        memcpy(exact, text, size);
        assert_true(cn_json_measure((CnText){exact, size}).depth <= 2);
        free(exact);
    }
    assert_int_equal(cn_json_measure((CnText){NULL, 0}).depth, 0);
}

/* ---- Memory of the parser ---- */

static size_t live, peak;

static void *count_malloc(size_t bytes)
{
    size_t *block = malloc(bytes + 16);
    if (!block)
        return NULL;
    block[0] = (bytes + 8 + 15) / 16 * 16; /* what malloc takes */
    live += block[0];
    peak = live > peak ? live : peak;
    return block + 2;
}

static void count_free(void *address)
{
    size_t *block = address;
    if (!block)
        return;
    live -= block[-2];
    free(block - 2);
}

/* The parser keeps a buffer of its own for the characters of a string. */
#define PARSER_BYTES 4096u

static void check_tree_bytes(const char *part, uint32_t count, bool is_object)
{
    CnTextBuilder text;
    cn_array_init(&text, NULL);
    cn_text_append(&text, cn_text(is_object ? "{" : "["));
    for (uint32_t i = 0; i < count; i++) {
        if (is_object)
            cn_text_append_format(&text, "%s\"%u\":%s", i ? "," : "", i, part);
        else
            cn_text_append_format(&text, "%s%s", i ? "," : "", part);
    }
    cn_text_append(&text, cn_text(is_object ? "}" : "]"));
    live = peak = 0;
    json_t *json = json_loadb(text.items, text.count, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(json);
    json_decref(json);
    uint64_t bytes = cn_json_measure((CnText){text.items, text.count}).tree_bytes;
    if (peak > bytes + PARSER_BYTES)
        fail_msg("%u times %s: the parser takes %zu bytes, measured %llu", count, part, peak,
                 (unsigned long long)bytes);
    cn_array_fini(&text);
}

static void a_parser_takes_no_more_memory_than_measured(void **state)
{
    (void)state;
    static const char *const parts[] = {"0",       "1.5",     "null",      "\"\"",
                                        "\"ab\"",  "{}",      "[]",        "[[]]",
                                        "[0,0,0]", "[{},{}]", "{\"a\":1}", "{\"a\":{\"b\":\"\"}}"};
    json_set_alloc_funcs(count_malloc, count_free);
    for (uint32_t i = 0; i < CN_COUNT_OF(parts); i++)
        for (uint32_t count = 1; count < 200000; count = count * 3 + 1) {
            check_tree_bytes(parts[i], count, false);
            check_tree_bytes(parts[i], count, true);
        }
    json_set_alloc_funcs(malloc, free);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_all_kinds_are_counted),
        cmocka_unit_test(depth_is_that_of_nested_brackets),
        cmocka_unit_test(characters_in_strings_do_not_count),
        cmocka_unit_test(nothing_is_read_beyond_the_end_of_the_text),
        cmocka_unit_test(a_parser_takes_no_more_memory_than_measured),
    };
    return cmocka_run_group_tests_name("json_size", tests, NULL, NULL);
}
