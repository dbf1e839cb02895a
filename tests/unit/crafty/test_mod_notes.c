/* What a player is told about mods when a world is opened. */
#include "session_fixture.h"

#include <crafty/client/mod_notes.h>

#include <cairn/base/log.h>

#include <string.h>

static CraftyChatLog log_lines;

/* A saved world without mods. */
static int begin(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    log_lines = (CraftyChatLog){0};
    begin_scratch();
    open_session();
    write_save();
    close_session();
    return 0;
}

static CraftySessionMods *find_mods(void)
{
    CnError error = {0};
    char folder[300];
    cn_copy_text(folder, sizeof folder, cn_text(scratch_path(&scratch, "mods")));
    CraftySessionMods *mods = crafty_session_mods_create(
        &(CraftySessionModsDesc){.folder = folder, .save = save}, &error);
    if (!mods)
        fail_msg("%s", error.message);
    return mods;
}

/* Opens the world with these features of mods, and notes what the player is told. */
static void open_with(const char *features)
{
    CnError error = {0};
    CraftyContent content = crafty_content_standard();
    content.features = cn_text(features);
    save = crafty_save_open(&(CraftySaveDesc){.path = path}, &error);
    assert_non_null(save);
    CraftySessionMods *mods = find_mods();
    CraftyWorld *world =
        crafty_world_create(&(CraftyWorldDesc){.content = &content,
                                               .seed = crafty_save_identity(save)->seed,
                                               .workers = CN_JOBS_NONE,
                                               .palettes = crafty_save_palettes(save),
                                               .hooks = crafty_save_hooks(save)},
                            &error);
    assert_non_null(world);
    if (!crafty_save_attach(save, world, &error))
        fail_msg("%s", error.message);
    crafty_mod_notes(&log_lines, mods, save);
    crafty_world_destroy(world);
    crafty_session_mods_destroy(mods);
    close_session();
}

static bool was_told(const char *part)
{
    for (uint32_t i = 0; crafty_chat_log_at(&log_lines, i); i++)
        if (strstr(crafty_chat_log_at(&log_lines, i)->text, part))
            return true;
    return false;
}

static void a_world_as_it_was_needs_no_words(void **state)
{
    (void)state;
    open_with("");
    assert_int_equal(log_lines.count, 0);
}

static void a_player_is_told_that_the_terrain_may_differ(void **state)
{
    (void)state;
    open_with("{\"decorations\": [{\"name\": \"pebble\", \"blocks\": \"stone\", "
              "\"per_chunk\": 64}]}");
    assert_true(was_told("terrain"));
    assert_true(was_told("What was built is as it was"));
    assert_false(was_told("do not run"));
}

static void a_player_is_told_which_mods_do_not_run(void **state)
{
    (void)state;
    CnError error = {0};
    CraftyWorldMods mods;
    assert_true(crafty_world_mods_read(&mods, cn_text("castle 1.0.0 00f3a9c2d1e84b75"), &error));
    assert_true(crafty_save_write_mods(path, &mods, &error));
    open_with("");
    assert_true(was_told("castle 1.0.0"));
    assert_false(was_told("terrain"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end_session)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_world_as_it_was_needs_no_words),
        TEST(a_player_is_told_that_the_terrain_may_differ),
        TEST(a_player_is_told_which_mods_do_not_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
