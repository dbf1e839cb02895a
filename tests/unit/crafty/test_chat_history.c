/* Lines typed before, and the file in which they are kept. */
#include "cmocka_tests.h"
#include "scratch.h"

#include <crafty/client/chat_history.h>

static CraftyChatHistory history;

static void add(const char *line)
{
    crafty_chat_history_add(&history, line);
}

static const char *older(const char *text)
{
    return crafty_chat_history_step(&history, -1, text);
}

static const char *newer(const char *text)
{
    return crafty_chat_history_step(&history, 1, text);
}

static void steps_go_to_older_lines_and_back_to_the_draft(void **state)
{
    (void)state;
    history = (CraftyChatHistory){0};
    assert_null(older("new"));
    add("one");
    add("two");
    assert_string_equal(older("new"), "two");
    assert_string_equal(older("two"), "one");
    assert_null(older("one"));
    assert_string_equal(newer("one"), "two");
    assert_string_equal(newer("two"), "new");
    assert_null(newer("new"));
}

static void a_line_is_not_repeated_and_blank_lines_are_not_kept(void **state)
{
    (void)state;
    history = (CraftyChatHistory){0};
    add("one");
    add(" one ");
    add("   ");
    add("");
    assert_int_equal(history.count, 1);
}

static void the_oldest_lines_are_dropped(void **state)
{
    (void)state;
    history = (CraftyChatHistory){0};
    for (uint32_t i = 0; i < 2 * CRAFTY_CHAT_HISTORY_LINES; i++) {
        char line[32];
        cn_format(line, sizeof line, "line %u", i);
        add(line);
    }
    assert_int_equal(history.count, CRAFTY_CHAT_HISTORY_LINES);
    assert_string_equal(history.lines[0], "line 50");
    assert_string_equal(older(""), "line 99");
}

static void lines_are_kept_in_a_file(void **state)
{
    (void)state;
    Scratch scratch;
    scratch_init(&scratch);
    const char *path = scratch_path(&scratch, "new_folder/history.txt");
    history = (CraftyChatHistory){0};
    add("/time set noon");
    add("grüße");
    assert_true(crafty_chat_history_save(&history, cn_native_files(), path, NULL));
    assert_false(history.is_changed);
    crafty_chat_history_load(&history, cn_native_files(), path);
    assert_int_equal(history.count, 2);
    assert_string_equal(older(""), "grüße");
    assert_string_equal(older(""), "/time set noon");
    scratch_fini(&scratch);
}

static void damaged_and_missing_files_are_ignored(void **state)
{
    (void)state;
    static const char bad[] = "good\n\xff\xfe\n\x1b[31m\n\n\tx\nalso good";
    Scratch scratch;
    scratch_init(&scratch);
    const char *path = scratch_path(&scratch, "history.txt");
    crafty_chat_history_load(&history, cn_native_files(), path);
    assert_int_equal(history.count, 0);
    assert_true(cn_file_write_all(cn_native_files(), path, bad, sizeof bad - 1, NULL));
    crafty_chat_history_load(&history, cn_native_files(), path);
    assert_string_equal(history.lines[0], "good");
    assert_string_equal(history.lines[history.count - 1], "also good");
    char large[CRAFTY_CHAT_HISTORY_LINES * CRAFTY_COMMAND_TEXT_BYTES + 1];
    memset(large, 'a', sizeof large);
    assert_true(cn_file_write_all(cn_native_files(), path, large, sizeof large, NULL));
    crafty_chat_history_load(&history, cn_native_files(), path);
    assert_int_equal(history.count, 0);
    scratch_fini(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_go_to_older_lines_and_back_to_the_draft),
        cmocka_unit_test(a_line_is_not_repeated_and_blank_lines_are_not_kept),
        cmocka_unit_test(the_oldest_lines_are_dropped),
        cmocka_unit_test(lines_are_kept_in_a_file),
        cmocka_unit_test(damaged_and_missing_files_are_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
