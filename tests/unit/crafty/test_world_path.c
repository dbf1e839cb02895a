#include "cmocka_tests.h"

#include <crafty/save/world_path.h>

#include <stdlib.h>
#include <string.h>

static char path[CN_STORE_PATH_BYTES];

static void a_name_is_a_file_in_the_folder(void **state)
{
    (void)state;
    assert_true(crafty_world_path("My Home", "/worlds", path, NULL));
    assert_string_equal(path, "/worlds/My Home.crafty");
}

static void a_path_stays_a_path(void **state)
{
    (void)state;
    assert_true(crafty_world_path("./a/b", "/worlds", path, NULL));
    assert_string_equal(path, "./a/b");
    assert_true(crafty_world_path("b.crafty", "/worlds", path, NULL));
    assert_string_equal(path, "b.crafty");
}

static void worlds_are_in_the_data_folder_of_the_user(void **state)
{
    (void)state;
    setenv("XDG_DATA_HOME", "/data", 1);
    assert_true(crafty_world_path("a", NULL, path, NULL));
    assert_string_equal(path, "/data/crafty/worlds/a.crafty");
    setenv("XDG_DATA_HOME", "relative", 1);
    setenv("HOME", "/home/me", 1);
    assert_true(crafty_world_path("a", NULL, path, NULL));
    assert_string_equal(path, "/home/me/.local/share/crafty/worlds/a.crafty");
}

static void without_a_home_the_error_names_the_option(void **state)
{
    (void)state;
    CnError error = {0};
    unsetenv("XDG_DATA_HOME");
    unsetenv("HOME");
    assert_false(crafty_world_path("a", NULL, path, &error));
    assert_non_null(strstr(error.message, "--worlds"));
}

static void names_that_cannot_be_files_are_refused(void **state)
{
    (void)state;
    char longest[66];
    memset(longest, 'a', sizeof longest);
    longest[63] = 0;
    assert_true(crafty_world_path(longest, "/w", path, NULL));
    longest[63] = 'a';
    longest[64] = 0;
    const char *const names[] = {"", ".", "..", ".hidden", "a\nb", "\xff", longest};
    for (uint32_t i = 0; i < CN_COUNT_OF(names); i++)
        assert_false(crafty_world_path(names[i], "/w", path, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_is_a_file_in_the_folder),
        cmocka_unit_test(a_path_stays_a_path),
        cmocka_unit_test(worlds_are_in_the_data_folder_of_the_user),
        cmocka_unit_test(without_a_home_the_error_names_the_option),
        cmocka_unit_test(names_that_cannot_be_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
