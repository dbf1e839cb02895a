#include "cmocka_tests.h"

#include <crafty/mods/mod_manifest.h>

#include <stdio.h>

static CraftyModManifest manifest;
static CnError error;

static bool read_text(const char *text)
{
    error = (CnError){0};
    return crafty_mod_manifest_read(&manifest, "mod.json", cn_text(text), &error);
}

static void read_ok(const char *text)
{
    if (!read_text(text))
        fail_msg("%s", error.message);
}

static void expect_error(const char *text, int line, int column, const char *words)
{
    assert_false(read_text(text));
    assert_string_equal(error.file, "mod.json");
    if (!strstr(error.message, words))
        fail_msg("\"%s\" lacks \"%s\"", error.message, words);
    assert_int_equal(error.line, line);
    assert_int_equal(error.column, column);
}

#define START "{\"name\": \"castle\", \"version\": \"1.0.0\""

static void a_name_and_a_version_are_enough(void **state)
{
    (void)state;
    read_ok(START "}");
    assert_string_equal(manifest.name, "castle");
    assert_string_equal(manifest.title, "castle");
    assert_string_equal(manifest.version_text, "1.0.0");
    assert_string_equal(manifest.game.text, "*");
    assert_int_equal(manifest.permissions, 0);
    assert_int_equal(manifest.relation_count, 0);
}

static void every_key_is_read(void **state)
{
    (void)state;
    read_ok(
        "{\"$schema\": \"mod.schema.json\", \"name\": \"castle\", \"title\": \"Castle\",\n"
        " \"version\": \"1.2.3-beta\", \"description\": \"Walls and towers.\",\n"
        " \"authors\": [\"Ada\", \"Grace\"], \"license\": \"MIT\", \"game\": \"^1.0\",\n"
        " \"dependencies\": {\"stones\": \"~2.1\"}, \"optional_dependencies\": {\"bees\": \"*\"},"
        "\n \"conflicts\": {\"fort\": \"<3\"}, \"permissions\": [\"chat\", \"blocks\"]}");
    assert_string_equal(manifest.title, "Castle");
    assert_string_equal(manifest.version_text, "1.2.3-beta");
    assert_string_equal(manifest.description, "Walls and towers.");
    assert_string_equal(manifest.authors, "Ada, Grace");
    assert_string_equal(manifest.license, "MIT");
    assert_string_equal(manifest.game.text, "^1.0");
    assert_int_equal(manifest.permissions, 1u << CRAFTY_MOD_MAY_CHAT | 1u << CRAFTY_MOD_MAY_BLOCKS);
    assert_int_equal(manifest.relation_count, 3);
}

static void relations_are_sorted_by_name(void **state)
{
    (void)state;
    read_ok(START ", \"dependencies\": {\"stones\": \"1\", \"ants\": \"2\"},"
                  " \"conflicts\": {\"bees\": \"*\"}}");
    assert_string_equal(manifest.relations[0].name, "ants");
    assert_string_equal(manifest.relations[1].name, "bees");
    assert_int_equal(manifest.relations[1].kind, CRAFTY_MOD_CONFLICTS_WITH);
    assert_string_equal(manifest.relations[2].name, "stones");
    assert_int_equal(manifest.relations[2].kind, CRAFTY_MOD_NEEDS);
}

static void errors_have_line_and_column(void **state)
{
    (void)state;
    expect_error("{\"name\": \"castle\",\n \"version\": \"1.0\"}", 2, 13, "is not a version");
    expect_error("{\"name\": \"castle\",\n \"version\": }", 2, 13, "");
    expect_error(START ",\n \"titel\": \"x\"}", 2, 11, "did you mean \"title\"");
    expect_error(START ",\n\"dependencies\": {\"a\": \"1\",\n \"bees\": \"latest\"}}", 3, 10,
                 "is not a range");
    expect_error(START ",\n\"permissions\": [\"chat\",\n \"root\"]}", 3, 2,
                 "there is no permission \"root\"; there are blocks");
}

static void a_missing_name_or_version_is_an_error(void **state)
{
    (void)state;
    expect_error("{\"version\": \"1.0.0\"}", 1, 1, "\"name\" is missing");
    expect_error("{\"name\": \"castle\"}", 1, 1, "\"version\" is missing");
    expect_error("[]", 1, 1, "must be an object");
}

static void names_have_small_letters_digits_and_underscores(void **state)
{
    (void)state;
    static const char *const wrong[] = {"Castle",
                                        "1castle",
                                        "_castle",
                                        "my-castle",
                                        "a b",
                                        "",
                                        "abcdefghijklmnopqrstuvwxyz0123456",
                                        "../a",
                                        "a\xc3\xa4"};
    for (uint32_t i = 0; i < CN_COUNT_OF(wrong); i++) {
        char text[128];
        snprintf(text, sizeof text, "{\"name\": \"%s\", \"version\": \"1.0.0\"}", wrong[i]);
        expect_error(text, 1, 10, "\"name\" must be");
    }
    read_ok("{\"name\": \"abcdefghijklmnopqrstuvwxyz012345\", \"version\": \"1.0.0\"}");
}

static void a_mod_is_named_once(void **state)
{
    (void)state;
    expect_error(START ", \"dependencies\": {\"castle\": \"*\"}}", 1, 67, "cannot name itself");
    expect_error(START ", \"dependencies\": {\"a\": \"*\"}, \"conflicts\": {\"a\": \"*\"}}", 1, 87,
                 "named twice");
}

static void duplicate_keys_are_refused(void **state)
{
    (void)state;
    assert_false(read_text("{\"name\": \"a\", \"name\": \"b\", \"version\": \"1.0.0\"}"));
    assert_false(read_text(START ", \"permissions\": [\"chat\", \"chat\"]}"));
}

static void texts_have_no_control_characters(void **state)
{
    (void)state;
    expect_error(START ", \"title\": \"a\\u001b[31m\"}", 1, 49, "control characters");
    expect_error(START ", \"description\": \"a\\u0000b\"}", 1, 64, "");
    expect_error(START ", \"authors\": [\"a\\nb\"]}", 1, 52, "control characters");
    expect_error(START ", \"title\": \"\"}", 1, 49, "1 to 63 bytes");
}

static void large_files_are_refused_before_they_are_parsed(void **state)
{
    (void)state;
    static char text[CRAFTY_MOD_MAX_BYTES + 64];
    memset(text, ' ', sizeof text - 1);
    memcpy(text, START "}", sizeof(START "}") - 1);
    assert_false(read_text(text));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    assert_false(read_text(START ", \"authors\": [[[[]]]]}"));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
}

static void nothing_is_written_on_failure(void **state)
{
    (void)state;
    read_ok(START "}");
    assert_false(read_text("{\"name\": \"other\", \"version\": \"2\"}"));
    assert_string_equal(manifest.name, "castle");
}

static void every_permission_has_a_word_and_a_text(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CRAFTY_MOD_PERMISSION_COUNT; i++) {
        assert_true(crafty_mod_permission_name((CraftyModPermission)i)[0]);
        assert_true(crafty_mod_permission_text((CraftyModPermission)i)[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_and_a_version_are_enough),
        cmocka_unit_test(every_key_is_read),
        cmocka_unit_test(relations_are_sorted_by_name),
        cmocka_unit_test(errors_have_line_and_column),
        cmocka_unit_test(a_missing_name_or_version_is_an_error),
        cmocka_unit_test(names_have_small_letters_digits_and_underscores),
        cmocka_unit_test(a_mod_is_named_once),
        cmocka_unit_test(duplicate_keys_are_refused),
        cmocka_unit_test(texts_have_no_control_characters),
        cmocka_unit_test(large_files_are_refused_before_they_are_parsed),
        cmocka_unit_test(nothing_is_written_on_failure),
        cmocka_unit_test(every_permission_has_a_word_and_a_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
