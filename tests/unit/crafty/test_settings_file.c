/* The settings file on disk: what is kept of it, and when it is written. */
#include "cmocka_tests.h"
#include "faulty_files.h"
#include "scratch.h"

#include <crafty/save/user_paths.h>
#include <crafty/client/settings_file.h>

#include <stdlib.h>
#include <string.h>

typedef struct Case {
    Scratch scratch;
    FaultyFiles files;
    char path[512];
    CraftySettingsFile file;
    char problems[1024];
} Case;

static void load(Case *test)
{
    CnTextBuilder problems;
    cn_array_init(&problems, NULL);
    crafty_settings_file_load(&test->file, &test->files.files, test->path, &problems);
    test->problems[0] = '\0';
    if (problems.count)
        cn_copy_text(test->problems, sizeof test->problems, cn_text(problems.items));
    cn_array_fini(&problems);
}

static void write_text(const char *path, const char *text)
{
    assert_true(cn_file_write_all(cn_native_files(), path, text, strlen(text), NULL));
}

/* text: of the file; NULL: there is none. */
static void begin(Case *test, const char *text)
{
    *test = (Case){0};
    scratch_init(&test->scratch);
    faulty_files_init(&test->files, cn_native_files());
    cn_format(test->path, sizeof test->path, "%s", scratch_path(&test->scratch, "settings.json"));
    if (text)
        write_text(test->path, text);
    load(test);
}

static void end(Case *test)
{
    crafty_settings_file_close(&test->file);
    scratch_fini(&test->scratch);
}

static void assert_text(const char *path, const char *text)
{
    CnFileBytes bytes;
    assert_true(cn_file_read_all(cn_native_files(), path, NULL, &bytes, NULL));
    assert_string_equal((const char *)bytes.data, text);
    cn_file_bytes_free(&bytes);
}

static void choose_fov(Case *test, float fov)
{
    uint32_t number = crafty_preference_find("fieldOfView");
    crafty_preference_set(&test->file.choices.preferences, number, fov);
    test->file.choices.chosen |= UINT64_C(1) << number;
    test->file.is_changed = true;
}

static void a_missing_file_is_no_problem_and_is_written_with_its_folder(void **state)
{
    (void)state;
    Case test;
    begin(&test, NULL);
    cn_format(test.path, sizeof test.path, "%s/crafty/settings.json", test.scratch.folder);
    load(&test);
    assert_string_equal(test.problems, "");
    choose_fov(&test, 80);
    assert_true(crafty_settings_file_save(&test.file, NULL));
    assert_text(test.path, "{\n    \"version\": 1,\n    \"fieldOfView\": 80\n}\n");
    end(&test);
}

static void nothing_is_written_without_a_change(void **state)
{
    (void)state;
    Case test;
    begin(&test, NULL);
    assert_true(crafty_settings_file_save(&test.file, NULL));
    assert_int_equal(scratch_count(&test.scratch), 0);
    end(&test);
}

static void choices_come_back(void **state)
{
    (void)state;
    Case test;
    begin(&test, NULL);
    choose_fov(&test, 80);
    assert_true(crafty_settings_file_save(&test.file, NULL));
    crafty_settings_file_close(&test.file);
    load(&test);
    assert_true(test.file.choices.preferences.fov == 80);
    end(&test);
}

static void a_damaged_file_is_kept_when_it_is_replaced(void **state)
{
    (void)state;
    Case test;
    begin(&test, "{\"version\": 1, \"fieldOfView\"");
    assert_non_null(strstr(test.problems, "settings.json:1:"));
    choose_fov(&test, 80);
    assert_true(crafty_settings_file_save(&test.file, NULL));
    char bad[520];
    cn_format(bad, sizeof bad, "%s.bad", test.path);
    assert_text(bad, "{\"version\": 1, \"fieldOfView\"");
    assert_text(test.path, "{\n    \"version\": 1,\n    \"fieldOfView\": 80\n}\n");
    end(&test);
}

static void a_damaged_file_is_left_alone_until_a_setting_changes(void **state)
{
    (void)state;
    Case test;
    begin(&test, "no JSON");
    assert_true(crafty_settings_file_save(&test.file, NULL));
    assert_text(test.path, "no JSON");
    assert_int_equal(scratch_count(&test.scratch), 1);
    end(&test);
}

static void a_fine_file_is_replaced_without_a_copy(void **state)
{
    (void)state;
    Case test;
    begin(&test, "{\"version\": 1, \"other\": 5}");
    choose_fov(&test, 80);
    assert_true(crafty_settings_file_save(&test.file, NULL));
    assert_int_equal(scratch_count(&test.scratch), 1);
    assert_text(test.path,
                "{\n    \"version\": 1,\n    \"fieldOfView\": 80,\n    \"other\": 5\n}\n");
    end(&test);
}

static void a_file_that_cannot_be_read_is_not_replaced(void **state)
{
    (void)state;
    Case test;
    begin(&test, "{\"version\": 1, \"fieldOfView\": 90}");
    crafty_settings_file_close(&test.file);
    faulty_files_fail(&test.files, FAULT_READ, 0, FAULT_ONCE);
    load(&test);
    assert_non_null(strstr(test.problems, "settings are not kept"));
    choose_fov(&test, 80);
    assert_true(crafty_settings_file_save(&test.file, NULL));
    assert_text(test.path, "{\"version\": 1, \"fieldOfView\": 90}");
    end(&test);
}

static void every_fault_while_writing_leaves_the_old_file(void **state)
{
    (void)state;
    static const char *const old = "{\"version\": 1, \"fieldOfView\": 900}";
    for (uint32_t nth = 0;; nth++) {
        Case test;
        CnError error = {0};
        begin(&test, old);
        choose_fov(&test, 80);
        faulty_files_fail(&test.files, FAULT_ANY, nth, FAULT_POWER_CUT);
        bool is_saved = crafty_settings_file_save(&test.file, &error);
        assert_true(is_saved || (error.code != CN_OK && test.file.is_changed));
        if (!is_saved)
            assert_text(test.path, old);
        bool was_reached = test.files.has_failed;
        end(&test);
        if (!was_reached)
            break;
        assert_true(nth < 100);
    }
}

static void a_failed_save_is_repeated(void **state)
{
    (void)state;
    Case test;
    begin(&test, NULL);
    choose_fov(&test, 80);
    faulty_files_fail(&test.files, FAULT_WRITE, 0, FAULT_ONCE);
    assert_false(crafty_settings_file_save(&test.file, NULL));
    assert_true(crafty_settings_file_save(&test.file, NULL));
    assert_text(test.path, "{\n    \"version\": 1,\n    \"fieldOfView\": 80\n}\n");
    end(&test);
}

static void the_folder_is_that_of_the_users_configuration(void **state)
{
    (void)state;
    char path[256];
    setenv("XDG_CONFIG_HOME", "/config", 1);
    setenv("HOME", "/home/me", 1);
    assert_true(crafty_config_path("settings.json", path, sizeof path));
    assert_string_equal(path, "/config/crafty/settings.json");
    unsetenv("XDG_CONFIG_HOME");
    assert_true(crafty_config_path("settings.json", path, sizeof path));
    assert_string_equal(path, "/home/me/.config/crafty/settings.json");
    unsetenv("HOME");
    assert_false(crafty_config_path("settings.json", path, sizeof path));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missing_file_is_no_problem_and_is_written_with_its_folder),
        cmocka_unit_test(nothing_is_written_without_a_change),
        cmocka_unit_test(choices_come_back),
        cmocka_unit_test(a_damaged_file_is_kept_when_it_is_replaced),
        cmocka_unit_test(a_damaged_file_is_left_alone_until_a_setting_changes),
        cmocka_unit_test(a_fine_file_is_replaced_without_a_copy),
        cmocka_unit_test(a_file_that_cannot_be_read_is_not_replaced),
        cmocka_unit_test(every_fault_while_writing_leaves_the_old_file),
        cmocka_unit_test(a_failed_save_is_repeated),
        cmocka_unit_test(the_folder_is_that_of_the_users_configuration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
