/* What mods keep: storage is saved with the world and restored, also when the mod is missing for a
 * while; so are its blocks and items. */
#include "cmocka_tests.h"
#include "mod_fixture.h"
#include "scratch.h"

static ModGame game;
static Scratch scratch;

#define CASTLE                                                                                     \
    "block { name = 'bell', like = 'stone' }\n"                                                    \
    "item { name = 'ruby', tile = 'item_emerald' }\n"                                              \
    "on('join', function(e) storage.set('joins', (storage.get('joins') or 0) + 1) end)\n"          \
    "on('chat', function(e) storage.set('said', e.text) end)\n"                                    \
    "on('died', function(e) error('nobody dies') end)"

static int begin(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    scratch_init(&scratch);
    mod_game_init(&game);
    game.path = scratch_path(&scratch, "Home.crafty");
    return 0;
}

static int end(void **state)
{
    (void)state;
    mod_game_close(&game);
    scratch_fini(&scratch);
    return 0;
}

static void save_and_close(void)
{
    CnError error = {0};
    if (!crafty_save_write(game.save, crafty_session_world(game.session), game.sim, &error) ||
        !crafty_save_flush(game.save, 60000, &error))
        fail_msg("%s", error.message);
    mod_game_close(&game);
}

static void reopen(void)
{
    save_and_close();
    mod_game_open(&game);
}

static void open_castle(void)
{
    mod_game_add(&game, "castle", CASTLE);
    mod_game_open(&game);
}

/* Opens the world without the mod and with it again. */
static void miss_the_mod_once(void)
{
    save_and_close();
    game.source_count = 1;
    mod_game_open(&game);
    mod_game_ticks(&game, 5);
    save_and_close();
    game.source_count = 2;
    mod_game_open(&game);
}

static const char *stored(const char *key)
{
    return mod_game_stored(&game, "castle", key);
}

static void the_storage_is_saved(void **state)
{
    (void)state;
    open_castle();
    mod_game_type(&game, "remember me");
    reopen();
    assert_string_equal(stored("said"), "\"remember me\"");
}

static void players_join_again_when_a_world_is_opened(void **state)
{
    (void)state;
    open_castle();
    mod_game_ticks(&game, 2);
    reopen();
    mod_game_ticks(&game, 2);
    assert_string_equal(stored("joins"), "2");
}

static void the_storage_of_a_missing_mod_is_kept(void **state)
{
    (void)state;
    open_castle();
    mod_game_type(&game, "remember me");
    miss_the_mod_once();
    assert_string_equal(stored("said"), "\"remember me\"");
}

static void blocks_of_a_missing_mod_are_kept(void **state)
{
    (void)state;
    const CnCell cell = {2, MOD_GAME_FLOOR + 1, -3};
    open_castle();
    mod_game_put(&game, cell, "castle:bell");
    miss_the_mod_once();
    assert_string_equal(mod_game_at(&game, cell), "castle:bell");
}

static void a_block_of_a_missing_mod_is_a_placeholder(void **state)
{
    (void)state;
    const CnCell cell = {2, MOD_GAME_FLOOR + 1, -3};
    open_castle();
    mod_game_put(&game, cell, "castle:bell");
    save_and_close();
    game.source_count = 1;
    mod_game_open(&game);
    const CnBlockTable *blocks = cn_voxels_blocks(game.voxels);
    assert_string_equal(mod_game_at(&game, cell), "castle:bell");
    assert_string_not_equal(cn_block_info(blocks, cn_voxels_get(game.voxels, cell))->title, "Bell");
}

static void items_of_a_missing_mod_are_kept(void **state)
{
    (void)state;
    open_castle();
    mod_game_hold(&game, "castle:ruby");
    miss_the_mod_once();
    mod_game_ticks(&game, 2);
    const CraftyItems *items = crafty_world_items(crafty_session_world(game.session));
    CraftyStack held = crafty_player_held(items, cn_get(game.world, game.player, CraftyPlayer));
    assert_int_equal(held.item, crafty_items_find(items, "castle:ruby"));
    assert_int_equal(held.count, 8);
}

static void a_mod_that_failed_gets_another_chance(void **state)
{
    (void)state;
    game.mode = CRAFTY_MODE_SURVIVAL;
    open_castle();
    mod_game_ticks(&game, 2);
    crafty_mod_disable(&game.mods->list[1], &(CnError){.code = CN_ERROR_FORMAT, .message = "no"});
    save_and_close();
    mod_game_open(&game);
    assert_false(crafty_mods_status(game.mods, 1).is_disabled);
}

static void a_restored_state_has_the_mods_that_were_disabled(void **state)
{
    (void)state;
    CnError error = {0};
    CnSnapshot snapshot = {0};
    open_castle();
    mod_game_ticks(&game, 2);
    crafty_mod_disable(&game.mods->list[1], &(CnError){.code = CN_ERROR_FORMAT, .message = "no"});
    mod_game_ticks(&game, 1);
    assert_true(cn_sim_save(game.sim, &snapshot, &error));
    mod_game_close(&game);
    mod_game_open(&game);
    assert_true(cn_sim_restore(game.sim, snapshot.bytes, snapshot.size, &error));
    assert_true(crafty_mods_status(game.mods, 1).is_disabled);
    assert_string_equal(crafty_mods_status(game.mods, 1).error.message, "no");
    cn_snapshot_free(&snapshot);
}

static void the_hash_of_the_state_has_the_storage(void **state)
{
    (void)state;
    CnError error = {0};
    open_castle();
    mod_game_ticks(&game, 2);
    uint64_t before = crafty_mods_hash(game.mods->run);
    assert_true(
        crafty_mod_store_set(&game.mods->list[1].store, cn_text("a"), cn_text("1"), &error));
    assert_int_not_equal(crafty_mods_hash(game.mods->run), before);
}

#define ANSWERED "on('choice', function(e) storage.set('answer', e.dialog) end)"

/* A choice that waits in a saved world, while the order of the mods changes. */
static void a_choice_reaches_the_mod_that_asked_in_another_list_of_mods(void **state)
{
    (void)state;
    mod_game_add(&game, "castle", ANSWERED);
    mod_game_add(&game, "tower", ANSWERED);
    mod_game_open(&game);
    mod_game_ticks(&game, 2);
    crafty_mods_note(
        game.world,
        &(CraftyModNote){.event = CRAFTY_MOD_CHOICE, .player = 1, .count = 1, .text = "tower:up"});
    save_and_close();
    CraftyModSource castle = game.sources[1];
    game.sources[1] = game.sources[2];
    game.sources[2] = castle;
    mod_game_open(&game);
    mod_game_ticks(&game, 2);
    assert_string_equal(mod_game_stored(&game, "tower", "answer"), "\"up\"");
    assert_string_equal(stored("answer"), "");
}

static void a_choice_for_a_missing_mod_reaches_nobody(void **state)
{
    (void)state;
    mod_game_add(&game, "castle", ANSWERED);
    mod_game_add(&game, "tower", ANSWERED);
    mod_game_open(&game);
    mod_game_ticks(&game, 2);
    crafty_mods_note(
        game.world,
        &(CraftyModNote){.event = CRAFTY_MOD_CHOICE, .player = 1, .count = 1, .text = "tower:up"});
    save_and_close();
    game.source_count = 2;
    mod_game_open(&game);
    mod_game_ticks(&game, 2);
    assert_string_equal(stored("answer"), "");
}

static void values_come_back_as_they_were(void **state)
{
    (void)state;
    mod_game_add(&game, "castle",
                 "on('join', function(e)\n"
                 "  storage.set('n', 2.5); storage.set('t', 'a\\nb'); storage.set('b', false)\n"
                 "  storage.set('o', {x = 1, list = {1, 2, 3}})\n"
                 "  local o = storage.get('o')\n"
                 "  storage.set('same', storage.get('n') == 2.5 and storage.get('t') == 'a\\nb'\n"
                 "    and storage.get('b') == false and o.x == 1 and o.list[3] == 3\n"
                 "    and storage.get('none') == nil)\n"
                 "  storage.remove('n')\n"
                 "  storage.set('keys', storage.keys())\n"
                 "  storage.set('some', storage.keys('sa'))\n"
                 "end)");
    mod_game_open(&game);
    mod_game_ticks(&game, 2);
    assert_false(crafty_mods_status(game.mods, 1).is_disabled);
    assert_string_equal(stored("same"), "true");
    assert_string_equal(stored("n"), "");
    assert_string_equal(stored("keys"), "[\"b\",\"o\",\"same\",\"t\"]");
    assert_string_equal(stored("some"), "[\"same\"]");
}

/* Every truncation and many changed bytes: an error, and nothing is left of it. */
static void damaged_states_are_refused(void **state)
{
    (void)state;
    CnError error = {0};
    CnU8Array bytes;
    open_castle();
    cn_array_init(&bytes, cn_system_allocator());
    mod_game_type(&game, "remember me");
    CraftyModRun *run = game.mods->run;
    assert_true(crafty_mods_save_state(run, &bytes, &error));
    for (uint32_t size = 1; size < bytes.count; size++)
        if (size != bytes.count)
            assert_false(crafty_mods_restore_state(run, bytes.items, size, &error));
    assert_string_equal(stored("said"), "");
    for (uint32_t i = 0; i < bytes.count; i++) {
        bytes.items[i] ^= 0xFF;
        crafty_mods_restore_state(run, bytes.items, bytes.count, &error);
        bytes.items[i] ^= 0xFF;
    }
    assert_true(crafty_mods_restore_state(run, bytes.items, bytes.count, &error));
    assert_string_equal(stored("said"), "\"remember me\"");
    cn_array_fini(&bytes);
}

static void a_damaged_storage_is_reported_and_empty(void **state)
{
    (void)state;
    CnError error = {0};
    CnU8Array bytes;
    open_castle();
    cn_array_init(&bytes, cn_system_allocator());
    mod_game_type(&game, "remember me");
    assert_true(crafty_mods_save_state(game.mods->run, &bytes, &error));
    for (uint32_t i = 0; i + 8 < bytes.count; i++)
        if (memcmp(bytes.items + i, "remember", 8) == 0)
            bytes.items[i] = 0xFF; /* no UTF-8 */
    assert_false(crafty_mods_restore_state(game.mods->run, bytes.items, bytes.count, &error));
    assert_non_null(strstr(error.message, "the saved storage of a mod is damaged"));
    assert_string_equal(stored("said"), "");
    cn_array_fini(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_storage_is_saved, begin, end),
        cmocka_unit_test_setup_teardown(players_join_again_when_a_world_is_opened, begin, end),
        cmocka_unit_test_setup_teardown(the_storage_of_a_missing_mod_is_kept, begin, end),
        cmocka_unit_test_setup_teardown(blocks_of_a_missing_mod_are_kept, begin, end),
        cmocka_unit_test_setup_teardown(a_block_of_a_missing_mod_is_a_placeholder, begin, end),
        cmocka_unit_test_setup_teardown(items_of_a_missing_mod_are_kept, begin, end),
        cmocka_unit_test_setup_teardown(a_mod_that_failed_gets_another_chance, begin, end),
        cmocka_unit_test_setup_teardown(a_restored_state_has_the_mods_that_were_disabled, begin,
                                        end),
        cmocka_unit_test_setup_teardown(the_hash_of_the_state_has_the_storage, begin, end),
        cmocka_unit_test_setup_teardown(a_choice_reaches_the_mod_that_asked_in_another_list_of_mods,
                                        begin, end),
        cmocka_unit_test_setup_teardown(a_choice_for_a_missing_mod_reaches_nobody, begin, end),
        cmocka_unit_test_setup_teardown(values_come_back_as_they_were, begin, end),
        cmocka_unit_test_setup_teardown(damaged_states_are_refused, begin, end),
        cmocka_unit_test_setup_teardown(a_damaged_storage_is_reported_and_empty, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
