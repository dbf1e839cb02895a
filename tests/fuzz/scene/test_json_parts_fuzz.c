/*
 * Texts that are parsed in parts are accepted exactly when jansson accepts the whole text, apart
 * from values that are too large for a part. The parts here have a few bytes. Cases are made from
 * a seed: words of JSON in an order that is often, but not always, right.
 */
#include "cmocka_tests.h"
#include "random.h"
#include "scene/file/file_reader.h"

#include <stdlib.h>

#ifndef CASES
#define CASES 300000u
#endif

static TestRandom random_numbers = {18};
static CnTextBuilder text;

static uint32_t below(uint32_t n)
{
    return test_random_below(&random_numbers, n);
}

static void add(const char *word)
{
    cn_text_append(&text, cn_text(word));
}

static void add_value(uint32_t depth);

static void add_list(uint32_t depth)
{
    add("[");
    for (uint32_t i = 0, count = below(4); i < count; i++) {
        add(i ? below(2) ? "," : " , " : "");
        add_value(depth + 1);
    }
    add("]");
}

static void add_object(uint32_t depth)
{
    static const char *const keys[] = {"\"children\"", "\"id\"", "\"c\"", "\"chil\\u0064ren\"",
                                       "\"]},\\\"\""};
    add("{");
    for (uint32_t i = 0, count = below(4), first = below(5); i < count; i++) {
        add(i ? ", " : "");
        add(keys[(first + i) % CN_COUNT_OF(keys)]);
        add(": ");
        if (below(2))
            add_list(depth + 1);
        else
            add_value(depth + 1);
    }
    add("}");
}

static void add_value(uint32_t depth)
{
    static const char *const scalars[] = {"0",    "1.5",        "\"a\"",   "true",
                                          "null", "\"[{\\\"\"", "\"\\\\\""};
    if (depth > 5 || below(3) == 0)
        add(scalars[below(CN_COUNT_OF(scalars))]);
    else if (below(2))
        add_list(depth);
    else
        add_object(depth);
}

/* Replaces, removes or repeats a few bytes. */
static void damage(void)
{
    static const char bytes[] = "{}[],:\"\\ a0\x0b\x01";
    for (uint32_t i = 0, count = below(3); i < count && text.count; i++) {
        uint32_t at = below(text.count);
        if (below(3))
            text.items[at] = bytes[below(sizeof bytes)];
        else
            text.items[at] = text.items[below(text.count)];
    }
}

static bool read_value(const CniSceneSourceText *source, const CniSceneJsonIndex *index,
                       CniSceneJsonPart part, CnError *error)
{
    static const char *const keys[] = {"children", "c", NULL};
    CniSceneJsonPart lists[2];
    json_t *json = cni_scene_json_read_part(source, index, part, keys, lists, error);
    if (!json)
        return false;
    json_decref(json);
    for (uint32_t i = 0; i < CN_COUNT_OF(lists); i++) {
        if (!lists[i].text.data)
            continue;
        CniSceneJsonElements elements = cni_scene_json_elements(lists[i]);
        CniSceneJsonPart element;
        CniSceneJsonNext next;
        while ((next = cni_scene_json_next_element(source, index, &elements, &element, error)) ==
               CNI_SCENE_JSON_ELEMENT)
            if (!read_value(source, index, element, error))
                return false;
        if (next != CNI_SCENE_JSON_END)
            return false;
    }
    return true;
}

static void check_case(uint32_t *accepted, uint32_t *refused)
{
    CniSceneSourceText source = {.name = "case", .text = {text.items, text.count}};
    CnError error = {0}, whole_error = {0};
    json_t *whole = cni_scene_json_read(&source, &whole_error);
    CniSceneJsonIndex index;
    bool done = cni_scene_json_index_init(&index, &source, 8 + below(24), NULL, &error) &&
                read_value(&source, &index, cni_scene_json_root(&source), &error);
    cni_scene_json_index_fini(&index);
    if (done != (whole != NULL) && !(whole && error.code == CN_ERROR_LIMIT))
        fail_msg("%.*s\nwhole: %s\nparts: %s", (int)text.count, text.items, whole_error.message,
                 error.message);
    assert_true(done || error.line > 0);
    *accepted += done;
    *refused += !whole;
    json_decref(whole);
}

static void parts_are_accepted_exactly_when_the_whole_is(void **state)
{
    (void)state;
    const char *given = getenv("CAIRN_FUZZ_CASES");
    uint32_t accepted = 0, refused = 0, cases = given ? (uint32_t)atoi(given) : CASES;
    cn_array_init(&text, NULL);
    for (uint32_t i = 0; i < cases; i++) {
        cn_array_clear(&text);
        add_object(0);
        damage();
        check_case(&accepted, &refused);
    }
    cn_array_fini(&text);
    assert_true(accepted > cases / 20 && refused > cases / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_accepted_exactly_when_the_whole_is)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
