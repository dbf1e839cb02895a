/* The mods that people choose from, what is said about them, and the mods of worlds. */
#include "mod_files_fixture.h"

#include <crafty/client/mod_errors.h>
#include <crafty/client/world_text.h>
#include <crafty/save/worlds.h>

#include <string.h>

static CraftyInstalledMods installed;

static int begin(void **state)
{
    (void)state;
    scratch_init(&mod_scratch);
    return 0;
}

static int end(void **state)
{
    (void)state;
    crafty_installed_mods_free(&installed);
    scratch_fini(&mod_scratch);
    return 0;
}

static void list(const char *extra)
{
    char folder[300], more[300];
    CnError error = {0};
    cn_copy_text(folder, sizeof folder, cn_text(mod_path("mods")));
    if (extra)
        cn_copy_text(more, sizeof more, cn_text(mod_path(extra)));
    if (!crafty_installed_mods_list(&installed, folder, extra ? more : NULL, &error))
        fail_msg("%s", error.message);
}

static void mods_are_listed_by_name_without_broken_ones(void **state)
{
    (void)state;
    mod_write("mods/z", "bees", "2.1.0", "\"title\": \"Busy bees\", \"permissions\": [\"chat\"]");
    mod_write("mods/a", "castle", "1.0.0", NULL);
    mod_write_file("mods/broken/mod.json", "{");
    list(NULL);
    assert_int_equal(installed.count, 2);
    assert_string_equal(installed.items[0].title, "Busy bees");
    assert_string_equal(installed.items[0].version, "2.1.0");
    assert_int_equal(installed.items[0].permissions, 1u << CRAFTY_MOD_MAY_CHAT);
    assert_string_equal(installed.items[1].name, "castle");
    assert_non_null(crafty_installed_mods_find(&installed, "castle"));
    assert_null(crafty_installed_mods_find(&installed, "moon"));
}

static void mods_of_the_command_line_run_in_any_case(void **state)
{
    (void)state;
    mod_write("mods/bees", "bees", "2.1.0", NULL);
    mod_write("more/castle", "castle", "1.0.0", NULL);
    list("more");
    assert_false(crafty_installed_mods_find(&installed, "bees")->is_extra);
    assert_true(crafty_installed_mods_find(&installed, "castle")->is_extra);
}

static void a_folder_that_is_missing_has_no_mods(void **state)
{
    (void)state;
    list(NULL);
    assert_int_equal(installed.count, 0);
}

static void permissions_are_a_sentence(void **state)
{
    (void)state;
    char text[CRAFTY_PERMISSIONS_TEXT_BYTES];
    crafty_permissions_text(0, text, sizeof text);
    assert_string_equal(text, "It adds blocks, items and the like. It changes nothing else.");
    crafty_permissions_text(1u << CRAFTY_MOD_MAY_BLOCKS | 1u << CRAFTY_MOD_MAY_STORAGE, text,
                            sizeof text);
    assert_non_null(strstr(text, "and it changes blocks of the world"));
    assert_non_null(strstr(text, "; keeps data of its own"));
    crafty_permissions_text(UINT32_MAX, text, sizeof text);
    assert_int_equal(text[strlen(text) - 1], '.');
}

static CraftyWorldMods mods_of(const char *text)
{
    CraftyWorldMods mods;
    CnError error = {0};
    if (!crafty_world_mods_read(&mods, cn_text(text), &error))
        fail_msg("%s", error.message);
    return mods;
}

#define HASH " 00f3a9c2d1e84b75"

static void missing_mods_are_named_with_their_versions(void **state)
{
    (void)state;
    char text[256];
    CraftyWorldEntry *entry = calloc(1, sizeof *entry);
    mod_write("mods/castle", "castle", "1.5.0", NULL);
    list(NULL);
    entry->info.mods = mods_of("bees 2.1.0" HASH ",castle 1.0.0" HASH ",moon 3.0.0" HASH);
    assert_true(crafty_text_missing_mods(entry, &installed, text, sizeof text));
    assert_non_null(strstr(text, "bees 2.1.0, moon 3.0.0"));
    assert_non_null(strstr(text, "nothing is lost"));
    entry->info.mods = mods_of("castle 1.0.0" HASH);
    assert_false(crafty_text_missing_mods(entry, &installed, text, sizeof text));
    crafty_text_world(entry, text, sizeof text);
    assert_non_null(strstr(text, "Mods: castle"));
    free(entry);
}

static void long_lists_of_mods_end_with_their_number(void **state)
{
    (void)state;
    char text[40];
    CraftyWorldMods mods = mods_of("aaaaaaaaaa 1.0.0" HASH ",bbbbbbbbbb 1.0.0" HASH
                                   ",cccccccccc 1.0.0" HASH ",d 1.0.0" HASH);
    crafty_world_mods_text(&mods, text, sizeof text);
    assert_string_equal(text, "aaaaaaaaaa, bbbbbbbbbb and 2 more");
}

static void a_new_world_has_the_mods_that_were_chosen(void **state)
{
    (void)state;
    char path[CN_STORE_PATH_BYTES];
    CnError error = {0};
    CraftySaveInfo *info = calloc(1, sizeof *info);
    CraftyWorldMods mods = mods_of("castle 1.0.0" HASH);
    char folder[300];
    cn_copy_text(folder, sizeof folder, cn_text(mod_path("worlds")));
    if (!crafty_worlds_create(folder, &(CraftyNewWorld){.name = "Home", .mods = &mods}, path,
                              &error) ||
        !crafty_save_read_info(path, info, &error))
        fail_msg("%s", error.message);
    assert_true(crafty_world_mods_equal(&info->mods, &mods));
    free(info);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(mods_are_listed_by_name_without_broken_ones),
        TEST(mods_of_the_command_line_run_in_any_case),
        TEST(a_folder_that_is_missing_has_no_mods),
        TEST(permissions_are_a_sentence),
        TEST(missing_mods_are_named_with_their_versions),
        TEST(long_lists_of_mods_end_with_their_number),
        TEST(a_new_world_has_the_mods_that_were_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
