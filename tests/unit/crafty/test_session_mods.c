/* Which mods run in a session, and what becomes of the list of its world. */
#include "mod_files_fixture.h"
#include "saved_game.h"

#include <crafty/mods/enabled_mods.h>
#include <crafty/mods/session_mods.h>

#include <cairn/base/log.h>

#include <stdlib.h>

static CnError error;
static SavedGame game;
static CraftySessionMods *mods;
static char world[300], data[300], extra[300];

static void check(bool done)
{
    if (!done)
        fail_msg("%s", error.message);
}

static bool find_with(CraftySessionModsDesc desc)
{
    crafty_session_mods_destroy(mods);
    mods = crafty_session_mods_create(&desc, &error);
    return mods != NULL;
}

static void find(CraftySessionModsDesc desc)
{
    check(find_with(desc));
}

static void open_world(void)
{
    saved_game_must_open(&game);
}

static void save_world(void)
{
    saved_game_tick(&game);
    check(saved_game_save(&game, &error) &&
          crafty_save_flush(game.save, SAVED_GAME_FLUSH_MS, &error));
    saved_game_close(&game);
}

static void play(CraftySessionModsDesc desc)
{
    open_world();
    desc.save = game.save;
    find(desc);
    save_world();
}

static void expect_running(const char *expected)
{
    char names[256] = "";
    const CraftyModSet *set = crafty_session_mods_set(mods);
    for (uint32_t i = 0; i < crafty_mod_set_count(set); i++) {
        size_t size = strlen(names);
        snprintf(names + size, sizeof names - size, "%s%s", i ? " " : "",
                 crafty_mod_set_at(set, i)->manifest.name);
    }
    assert_string_equal(names, expected);
}

static void expect_listed(const char *expected)
{
    CraftySaveInfo info;
    char names[256] = "";
    check(crafty_save_read_info(world, &info, &error));
    for (uint32_t i = 0; i < info.mods.count; i++) {
        size_t size = strlen(names);
        snprintf(names + size, sizeof names - size, "%s%s %s", i ? ", " : "",
                 info.mods.items[i].name, info.mods.items[i].version);
    }
    assert_string_equal(names, expected);
}

static void enable(const char *name)
{
    CraftyEnabledMods enabled;
    char path[CN_FILE_PATH_BYTES];
    check(crafty_mods_enabled_path(path, &error) &&
          crafty_enabled_mods_load(&enabled, cn_native_files(), path, &error) &&
          crafty_enabled_mods_add(&enabled, name) &&
          crafty_enabled_mods_save(&enabled, cn_native_files(), path, &error));
}

static void a_new_world_has_the_mods_that_are_enabled(void **state)
{
    (void)state;
    mod_write("data/crafty/mods/castle", "castle", "1.0.0", NULL);
    mod_write("data/crafty/mods/bees", "bees", "2.0.0", NULL);
    enable("castle");
    play((CraftySessionModsDesc){0});
    expect_running("castle");
    expect_listed("castle 1.0.0");
}

static void a_world_that_was_played_keeps_its_own_mods(void **state)
{
    (void)state;
    mod_write("data/crafty/mods/castle", "castle", "1.0.0", NULL);
    play((CraftySessionModsDesc){0});
    enable("castle");
    play((CraftySessionModsDesc){0});
    expect_running("");
    expect_listed("");
}

static void a_world_that_is_not_saved_has_only_the_mods_of_the_option(void **state)
{
    (void)state;
    mod_write("data/crafty/mods/castle", "castle", "1.0.0", NULL);
    mod_write("extra/bees", "bees", "2.0.0", NULL);
    enable("castle");
    find((CraftySessionModsDesc){0});
    expect_running("");
    find((CraftySessionModsDesc){.extra = extra});
    expect_running("bees");
}

static void mods_of_the_option_are_added_to_the_list(void **state)
{
    (void)state;
    mod_write("extra/bees", "bees", "2.0.0", "\"dependencies\": {\"flowers\": \"1\"}");
    mod_write("data/crafty/mods/flowers", "flowers", "1.0.0", NULL);
    mod_write("data/crafty/mods/castle", "castle", "1.0.0", NULL);
    enable("castle");
    play((CraftySessionModsDesc){.extra = extra});
    expect_running("castle flowers bees");
    expect_listed("bees 2.0.0, castle 1.0.0, flowers 1.0.0");
}

static void a_missing_mod_stays_in_the_list(void **state)
{
    (void)state;
    char missing[64];
    mod_write("extra/bees", "bees", "2.0.0", NULL);
    mod_write("extra/castle", "castle", "1.0.0", NULL);
    play((CraftySessionModsDesc){.extra = extra});
    CraftySaveInfo before, after;
    check(crafty_save_read_info(world, &before, &error));
    for (uint32_t i = 0; i < 2; i++) {
        play((CraftySessionModsDesc){0});
        expect_running("");
        assert_int_equal(crafty_session_mods_missing(mods, missing, sizeof missing), 2);
        assert_string_equal(missing, "bees 2.0.0, castle 1.0.0");
    }
    check(crafty_save_read_info(world, &after, &error));
    assert_true(crafty_world_mods_equal(&before.mods, &after.mods));
    play((CraftySessionModsDesc){.extra = extra});
    expect_running("bees castle");
    assert_int_equal(crafty_session_mods_difference_count(mods), 0);
}

static void without_mods_the_list_stays(void **state)
{
    (void)state;
    mod_write("extra/bees", "bees", "2.0.0", NULL);
    play((CraftySessionModsDesc){.extra = extra});
    play((CraftySessionModsDesc){.extra = extra, .without = true});
    expect_running("");
    expect_listed("bees 2.0.0");
}

static void a_mod_of_another_version_runs_and_is_listed_with_it(void **state)
{
    (void)state;
    mod_write("data/crafty/mods/bees", "bees", "2.0.0", NULL);
    enable("bees");
    play((CraftySessionModsDesc){0});
    mod_write("data/crafty/mods/bees", "bees", "2.1.0", NULL);
    play((CraftySessionModsDesc){0});
    expect_running("bees");
    expect_listed("bees 2.1.0");
    const CraftyModDifference *difference = crafty_session_mods_difference(mods, 0);
    assert_int_equal(difference->change, CRAFTY_MOD_IS_NEWER);
    assert_string_equal(difference->listed, "2.0.0");
}

static void other_files_of_the_same_version_are_noticed(void **state)
{
    (void)state;
    mod_write("extra/bees", "bees", "2.0.0", NULL);
    play((CraftySessionModsDesc){.extra = extra});
    mod_write_file("extra/bees/more.lua", "return 1");
    play((CraftySessionModsDesc){.extra = extra});
    assert_int_equal(crafty_session_mods_difference(mods, 0)->change, CRAFTY_MOD_IS_DIFFERENT);
}

static void a_broken_mod_is_missing(void **state)
{
    (void)state;
    mod_write("extra/bees", "bees", "2.0.0", NULL);
    mod_write("extra/castle", "castle", "1.0.0", NULL);
    play((CraftySessionModsDesc){.extra = extra});
    mod_write_file("extra/bees/mod.json", "{");
    play((CraftySessionModsDesc){.extra = extra});
    expect_running("castle");
    expect_listed("bees 2.0.0, castle 1.0.0");
}

static void a_damaged_file_of_enabled_mods_enables_none(void **state)
{
    (void)state;
    mod_write("data/crafty/mods/castle", "castle", "1.0.0", NULL);
    mod_write_file("config/crafty/mods.json", "{\"version\": 1, \"enabled\": [\"castle\", 5]}");
    play((CraftySessionModsDesc){0});
    expect_running("");
}

static void a_recording_needs_the_same_mods(void **state)
{
    (void)state;
    mod_write("extra/bees", "bees", "2.0.0", NULL);
    mod_write("extra/castle", "castle", "1.0.0", NULL);
    mod_write("data/crafty/mods/castle", "castle", "1.0.0", NULL);
    find((CraftySessionModsDesc){.extra = extra});
    CraftyWorldMods recorded = *crafty_session_mods_running(mods);
    crafty_world_mods_remove(&recorded, "castle");
    find((CraftySessionModsDesc){.extra = extra, .recorded = &recorded});
    expect_running("bees");
    assert_false(find_with((CraftySessionModsDesc){.recorded = &recorded}));
    assert_int_equal(error.code, CN_ERROR_MISMATCH);
    assert_non_null(strstr(error.message, "bees 2.0.0 does not run"));
    mod_write_file("extra/bees/more.lua", "return 1");
    assert_false(find_with((CraftySessionModsDesc){.extra = extra, .recorded = &recorded}));
    assert_non_null(strstr(error.message, "bees 2.0.0 has other files"));
}

static int begin(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    scratch_init(&mod_scratch);
    strcpy(world, mod_path("Home.crafty"));
    strcpy(data, mod_path("data"));
    strcpy(extra, mod_path("extra"));
    setenv("XDG_DATA_HOME", data, 1);
    setenv("XDG_CONFIG_HOME", mod_path("config"), 1);
    error = (CnError){0};
    mods = NULL;
    game = (SavedGame){.desc = {.path = world}, .threads = 1};
    return 0;
}

static int end(void **state)
{
    (void)state;
    crafty_session_mods_destroy(mods);
    saved_game_close(&game);
    scratch_fini(&mod_scratch);
    return 0;
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_new_world_has_the_mods_that_are_enabled),
        TEST(a_world_that_was_played_keeps_its_own_mods),
        TEST(a_world_that_is_not_saved_has_only_the_mods_of_the_option),
        TEST(mods_of_the_option_are_added_to_the_list),
        TEST(a_missing_mod_stays_in_the_list),
        TEST(without_mods_the_list_stays),
        TEST(a_mod_of_another_version_runs_and_is_listed_with_it),
        TEST(other_files_of_the_same_version_are_noticed),
        TEST(a_broken_mod_is_missing),
        TEST(a_damaged_file_of_enabled_mods_enables_none),
        TEST(a_recording_needs_the_same_mods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
