/* The list of mods of a world: as text, and in world files. */
#include "saved_game.h"
#include "scratch.h"

#include <crafty/save/world_repair.h>
#include <crafty/save/worlds.h>

#include <cairn/base/log.h>

static Scratch scratch;
static char path[300];
static CnError error;
static CraftyWorldMods mods;
static SavedGame game;

static void check(bool done)
{
    if (!done)
        fail_msg("%s", error.message);
}

static void add(const char *name, const char *version, uint64_t hash)
{
    CraftyWorldMod mod = {.hash = hash};
    strcpy(mod.name, name);
    strcpy(mod.version, version);
    assert_true(crafty_world_mods_set(&mods, &mod));
}

static void expect_text(const char *expected)
{
    CnTextBuilder text;
    cn_array_init(&text, NULL);
    assert_true(crafty_world_mods_write(&mods, &text));
    assert_string_equal(text.count ? text.items : "", expected);
    cn_array_fini(&text);
}

/* ---- The text ---- */

static void a_list_is_sorted_by_name(void **state)
{
    (void)state;
    add("castle", "1.0.0", 0x9d0c35e2b7a1f648);
    add("bees", "2.1.0-beta+3", 1);
    expect_text("bees 2.1.0-beta+3 0000000000000001,castle 1.0.0 9d0c35e2b7a1f648");
}

static void a_text_is_read_as_it_was_written(void **state)
{
    (void)state;
    static const char text[] = "bees 2.1.0 00000000000000ff,castle 1.0.0 9d0c35e2b7a1f648";
    check(crafty_world_mods_read(&mods, cn_text(text), &error));
    assert_int_equal(mods.count, 2);
    assert_int_equal(mods.items[0].hash, 255);
    expect_text(text);
    check(crafty_world_mods_read(&mods, cn_text(""), &error));
    assert_int_equal(mods.count, 0);
}

static void malformed_texts_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "castle",
        "castle 1.0.0",
        "castle 1.0.0 12",
        "castle 1.0.0 9D0C35E2B7A1F648",
        "castle 1.0.0 9d0c35e2b7a1f648,",
        ",castle 1.0.0 9d0c35e2b7a1f648",
        "Castle 1.0.0 9d0c35e2b7a1f648",
        "castle 1.0\x1b 9d0c35e2b7a1f648",
        "castle  9d0c35e2b7a1f648",
        "castle 1.0.0 9d0c35e2b7a1f648,bees 1.0.0 9d0c35e2b7a1f648",
        "castle 1.0.0 9d0c35e2b7a1f648,castle 1.0.0 9d0c35e2b7a1f648"};
    add("kept", "1.0.0", 1);
    for (uint32_t i = 0; i < CN_COUNT_OF(texts); i++)
        if (crafty_world_mods_read(&mods, cn_text(texts[i]), &error))
            fail_msg("\"%s\" was read", texts[i]);
    assert_int_equal(mods.count, 1);
}

static void a_list_has_at_most_64_mods(void **state)
{
    (void)state;
    char name[8];
    for (uint32_t i = 0; i < CRAFTY_WORLD_MODS_MAX; i++) {
        cn_format(name, sizeof name, "m%u", i);
        add(name, "1.0.0", i);
    }
    assert_false(crafty_world_mods_set(&mods, &(CraftyWorldMod){.name = "more", .version = "1"}));
    assert_true(crafty_world_mods_set(&mods, &(CraftyWorldMod){.name = "m7", .version = "2"}));
    assert_string_equal(crafty_world_mods_find(&mods, "m7")->version, "2");
}

static void removing_leaves_the_others(void **state)
{
    (void)state;
    add("a", "1.0.0", 1);
    add("b", "1.0.0", 2);
    add("c", "1.0.0", 3);
    assert_true(crafty_world_mods_remove(&mods, "b"));
    assert_false(crafty_world_mods_remove(&mods, "b"));
    expect_text("a 1.0.0 0000000000000001,c 1.0.0 0000000000000003");
}

/* ---- World files ---- */

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

static void a_save_keeps_its_mods(void **state)
{
    (void)state;
    add("castle", "1.0.0", 7);
    open_world();
    assert_false(crafty_save_has_mods(game.save));
    crafty_save_set_mods(game.save, &mods);
    save_world();
    open_world();
    assert_true(crafty_save_has_mods(game.save));
    assert_true(crafty_world_mods_equal(crafty_save_mods(game.save), &mods));
    save_world();
    CraftySaveInfo info;
    check(crafty_save_read_info(path, &info, &error));
    assert_true(crafty_world_mods_equal(&info.mods, &mods));
}

static void mods_that_change_while_a_world_is_played_are_saved(void **state)
{
    (void)state;
    add("castle", "1.0.0", 7);
    open_world();
    crafty_save_set_mods(game.save, &mods);
    saved_game_tick(&game);
    check(saved_game_save(&game, &error));
    add("bridge", "2.0.0", 8);
    crafty_save_set_mods(game.save, &mods);
    save_world();
    open_world();
    assert_true(crafty_world_mods_equal(crafty_save_mods(game.save), &mods));
}

static void a_world_without_mods_has_no_list(void **state)
{
    (void)state;
    open_world();
    save_world();
    open_world();
    assert_false(crafty_save_has_mods(game.save));
    assert_int_equal(crafty_save_mods(game.save)->count, 0);
}

static void an_empty_list_replaces_another(void **state)
{
    (void)state;
    add("castle", "1.0.0", 7);
    open_world();
    crafty_save_set_mods(game.save, &mods);
    save_world();
    open_world();
    crafty_save_set_mods(game.save, &(CraftyWorldMods){0});
    save_world();
    open_world();
    assert_true(crafty_save_has_mods(game.save));
    assert_int_equal(crafty_save_mods(game.save)->count, 0);
}

static void the_list_of_a_closed_world_can_be_written(void **state)
{
    (void)state;
    open_world();
    save_world();
    add("castle", "1.0.0", 7);
    check(crafty_save_write_mods(path, &mods, &error));
    open_world();
    assert_true(crafty_world_mods_equal(crafty_save_mods(game.save), &mods));
}

static void repair_keeps_the_list(void **state)
{
    (void)state;
    CraftyWorldRepair repair;
    add("castle", "1.0.0", 7);
    open_world();
    crafty_save_set_mods(game.save, &mods);
    save_world();
    check(crafty_world_repair(&(CraftyWorldRepairDesc){.path = path}, &repair, &error));
    crafty_world_repair_free(&repair);
    open_world();
    assert_true(crafty_world_mods_equal(crafty_save_mods(game.save), &mods));
}

static int begin(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    scratch_init(&scratch);
    strcpy(path, scratch_path(&scratch, "Home.crafty"));
    error = (CnError){0};
    mods = (CraftyWorldMods){0};
    game = (SavedGame){.desc = {.path = path}, .threads = 1};
    return 0;
}

static int end(void **state)
{
    (void)state;
    saved_game_close(&game);
    scratch_fini(&scratch);
    return 0;
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_list_is_sorted_by_name),
        TEST(a_text_is_read_as_it_was_written),
        TEST(malformed_texts_are_refused),
        TEST(a_list_has_at_most_64_mods),
        TEST(removing_leaves_the_others),
        TEST(a_save_keeps_its_mods),
        TEST(mods_that_change_while_a_world_is_played_are_saved),
        TEST(a_world_without_mods_has_no_list),
        TEST(an_empty_list_replaces_another),
        TEST(the_list_of_a_closed_world_can_be_written),
        TEST(repair_keeps_the_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
