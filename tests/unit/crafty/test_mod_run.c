/* Mods in a running world: they are told what happened, asked before it happens, and run commands;
 * one mod never affects another. */
#include "cmocka_tests.h"
#include "mod_fixture.h"

#include <crafty/sim/chat_complete.h>
#include <crafty/sim/growth.h>
#include <crafty/sim/mod/mod_notes.h>
#include <crafty/sim/vitals.h>

static ModGame game;

static int begin(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    mod_game_init(&game);
    return 0;
}

static int end(void **state)
{
    (void)state;
    mod_game_close(&game);
    return 0;
}

static void open_with(const char *code)
{
    mod_game_add(&game, "castle", code);
    mod_game_open(&game);
}

static const char *stored(const char *key)
{
    return mod_game_stored(&game, "castle", key);
}

/* ---- After it happened ---- */

static void a_player_joins_once(void **state)
{
    (void)state;
    open_with("on('join', function(e)\n"
              "  storage.set('joins', (storage.get('joins') or 0) + e.player)\n"
              "end)");
    mod_game_ticks(&game, 5);
    assert_string_equal(stored("joins"), "1");
}

static void a_broken_block_is_told_with_its_cell(void **state)
{
    (void)state;
    open_with("on('break', function(e)\n"
              "  storage.set('broken', e.block .. ' ' .. e.x .. ' ' .. e.y .. ' ' .. e.z)\n"
              "end)");
    CnCell aim = mod_game_aim(&game);
    char expected[64];
    snprintf(expected, sizeof expected, "\"stone %d %d %d\"", aim.x, aim.y, aim.z);
    mod_game_click(&game, CN_MOUSE_LEFT);
    assert_string_equal(mod_game_at(&game, aim), "air");
    assert_string_equal(stored("broken"), expected);
}

static void a_placed_block_is_told_with_the_item(void **state)
{
    (void)state;
    open_with("on('place', function(e) storage.set('placed', e.block .. '/' .. e.item) end)");
    mod_game_hold(&game, "glass");
    mod_game_click(&game, CN_MOUSE_RIGHT);
    assert_string_equal(stored("placed"), "\"glass/glass\"");
}

static void a_use_of_a_block_is_told(void **state)
{
    (void)state;
    open_with("on('use', function(e) storage.set('used', e.block) end)");
    mod_game_click(&game, CN_MOUSE_RIGHT);
    assert_string_equal(stored("used"), "\"stone\"");
}

static void a_hurt_player_is_told_with_amount_and_cause(void **state)
{
    (void)state;
    game.mode = CRAFTY_MODE_SURVIVAL;
    open_with("on('hurt', function(e) storage.set('hurt', {e.player, e.amount, e.cause}) end)");
    mod_game_ticks(&game, 2);
    assert_true(crafty_vitals_hurt(game.world, game.player, 3, CRAFTY_DAMAGE_FALL));
    mod_game_ticks(&game, 1);
    assert_string_equal(stored("hurt"), "[1,3,\"fall\"]");
}

static void a_death_is_told(void **state)
{
    (void)state;
    game.mode = CRAFTY_MODE_SURVIVAL;
    open_with("on('died', function(e) storage.set('died', e.cause) end)");
    mod_game_ticks(&game, 2);
    assert_true(crafty_vitals_hurt(game.world, game.player, 30, CRAFTY_DAMAGE_VOID));
    mod_game_ticks(&game, 1);
    assert_string_equal(stored("died"), "\"void\"");
}

static void a_said_line_is_told(void **state)
{
    (void)state;
    open_with("on('chat', function(e) storage.set('said', e.text) end)");
    mod_game_type(&game, "hello there");
    assert_string_equal(stored("said"), "\"hello there\"");
}

static void send(CraftyPlayerEventKind kind, const char *item)
{
    const CraftyItems *items = crafty_world_items(crafty_session_world(game.session));
    crafty_player_event_send(game.world,
                             &(CraftyPlayerEvent){.player = game.player,
                                                  .kind = (uint8_t)kind,
                                                  .item = item ? crafty_items_find(items, item) : 0,
                                                  .count = 3});
    mod_game_ticks(&game, 1);
}

static void what_players_get_is_told_with_item_and_count(void **state)
{
    (void)state;
    open_with("for _, event in ipairs{'crafted', 'picked_up'} do\n"
              "  on(event, function(e) storage.set(event, {e.player, e.item, e.count}) end)\n"
              "end\n"
              "on('ate', function(e) storage.set('ate', e.item) end)\n"
              "on('respawned', function(e) storage.set('respawned', e.player) end)");
    mod_game_ticks(&game, 2);
    send(CRAFTY_PLAYER_CRAFTED, "stick");
    send(CRAFTY_PLAYER_PICKED_UP, "stone");
    send(CRAFTY_PLAYER_ATE, "bread");
    send(CRAFTY_PLAYER_RESPAWNED, NULL);
    assert_string_equal(stored("crafted"), "[1,\"stick\",3]");
    assert_string_equal(stored("picked_up"), "[1,\"stone\",3]");
    assert_string_equal(stored("ate"), "\"bread\"");
    assert_string_equal(stored("respawned"), "1");
}

static void a_player_who_talks_is_told_with_the_profession(void **state)
{
    (void)state;
    open_with("before('talk', function(e) return e.profession == 'baker' end)\n"
              "on('talk', function(e) storage.set('talk', {e.creature, e.profession}) end)");
    mod_game_ticks(&game, 2);
    assert_false(crafty_mods_ask_talk(game.world, game.player, (CnEntity){77}, "farmer"));
    assert_true(crafty_mods_ask_talk(game.world, game.player, (CnEntity){77}, "baker"));
    mod_game_ticks(&game, 1);
    assert_string_equal(stored("talk"), "[77,\"baker\"]");
}

static void events_that_nobody_could_read_are_dropped_and_counted(void **state)
{
    (void)state;
    open_with("-- nothing");
    mod_game_ticks(&game, 3);
    for (uint32_t i = 0; i < 2 * CRAFTY_MOD_MAX_NOTES; i++)
        crafty_mods_note(game.world, &(CraftyModNote){.event = CRAFTY_MOD_DIED, .player = 1});
    assert_int_equal(game.mods->run->notes.count, CRAFTY_MOD_MAX_NOTES);
    assert_int_equal(game.mods->run->notes_dropped, CRAFTY_MOD_MAX_NOTES);
    mod_game_ticks(&game, 1);
    assert_int_equal(game.mods->run->notes.count, 0);
}

static void a_tick_has_the_period_that_was_asked_for(void **state)
{
    (void)state;
    open_with("local n, m = 0, 0\n"
              "on('tick', function(e) n = n + 1; storage.set('slow', n) end)\n"
              "on('tick', function(e) m = m + 1; storage.set('fast', m) end, 5)");
    mod_game_ticks(&game, 40);
    assert_string_equal(stored("slow"), "2");
    assert_string_equal(stored("fast"), "8");
}

static void handlers_run_in_the_order_of_their_registration(void **state)
{
    (void)state;
    open_with("local order = ''\n"
              "for _, letter in ipairs{'a', 'b', 'c'} do\n"
              "  on('join', function(e) order = order .. letter; storage.set('order', order) end)\n"
              "end");
    mod_game_ticks(&game, 2);
    assert_string_equal(stored("order"), "\"abc\"");
}

/* ---- Before ---- */

static void a_mod_prevents_breaking_and_says_why(void **state)
{
    (void)state;
    open_with("before('break', function(e)\n"
              "  if e.block == 'stone' then return false, 'Stone is sacred.' end\n"
              "end)\n"
              "on('break', function(e) storage.set('broken', true) end)");
    CnCell aim = mod_game_aim(&game);
    mod_game_click(&game, CN_MOUSE_LEFT);
    assert_string_equal(mod_game_at(&game, aim), "stone");
    assert_true(mod_game_was_told(&game, "Stone is sacred."));
    assert_string_equal(stored("broken"), "");
}

static void a_mod_prevents_placing(void **state)
{
    (void)state;
    open_with("before('place', function(e) return e.block ~= 'glass' end)\n"
              "on('place', function(e) storage.set('placed', true) end)");
    mod_game_hold(&game, "glass");
    mod_game_click(&game, CN_MOUSE_RIGHT);
    assert_string_equal(stored("placed"), "");
    assert_true(mod_game_was_told(&game, "The mod castle prevents this."));
}

static void a_mod_changes_the_amount_of_a_hurt(void **state)
{
    (void)state;
    game.mode = CRAFTY_MODE_SURVIVAL;
    open_with("before('hurt', function(e) return e.amount / 2 end)");
    mod_game_ticks(&game, 2);
    assert_true(crafty_vitals_hurt(game.world, game.player, 6, CRAFTY_DAMAGE_FALL));
    assert_float_equal(cn_get(game.world, game.player, CraftyVitals)->health, 17, 0.001);
}

static void a_mod_prevents_a_hurt(void **state)
{
    (void)state;
    game.mode = CRAFTY_MODE_SURVIVAL;
    open_with("before('hurt', function(e) return false, 'You are protected.' end)");
    mod_game_ticks(&game, 2);
    assert_false(crafty_vitals_hurt(game.world, game.player, 6, CRAFTY_DAMAGE_FALL));
}

static void a_mod_prevents_a_line_of_the_chat(void **state)
{
    (void)state;
    open_with("before('chat', function(e) return false, 'Be quiet.' end)");
    mod_game_type(&game, "hello there");
    assert_false(mod_game_was_told(&game, "hello there"));
    assert_true(mod_game_was_told(&game, "Be quiet."));
}

static void a_handler_of_before_changes_nothing(void **state)
{
    (void)state;
    open_with("before('break', function(e) storage.set('x', 1) end)");
    mod_game_click(&game, CN_MOUSE_LEFT);
    CraftyModStatus status = crafty_mods_status(game.mods, 1);
    assert_true(status.is_disabled);
    assert_non_null(strstr(status.error.message, "handlers of `before` change nothing"));
}

static void a_handler_of_before_reads_the_storage(void **state)
{
    (void)state;
    open_with("on('join', function(e) storage.set('closed', true) end)\n"
              "before('break', function(e) return not storage.get('closed') end)");
    CnCell aim = mod_game_aim(&game);
    mod_game_click(&game, CN_MOUSE_LEFT);
    assert_string_equal(mod_game_at(&game, aim), "stone");
}

/* ---- Blocks ---- */

static void a_block_is_used(void **state)
{
    (void)state;
    open_with("block { name = 'bell', like = 'stone', on_use = function(e)\n"
              "  storage.set('rung', e.block .. e.player)\n"
              "  return true\n"
              "end }\n"
              "on('place', function(e) storage.set('placed', true) end)");
    CnCell aim = mod_game_aim(&game);
    mod_game_put(&game, aim, "castle:bell");
    mod_game_hold(&game, "glass");
    mod_game_click(&game, CN_MOUSE_RIGHT);
    assert_string_equal(stored("rung"), "\"castle:bell1\"");
    assert_string_equal(stored("placed"), "");
}

static void a_block_that_does_not_handle_its_use_is_built_on(void **state)
{
    (void)state;
    open_with("block { name = 'bell', like = 'stone', on_use = function(e) end }\n"
              "on('place', function(e) storage.set('placed', e.block) end)");
    mod_game_put(&game, mod_game_aim(&game), "castle:bell");
    mod_game_hold(&game, "glass");
    mod_game_click(&game, CN_MOUSE_RIGHT);
    assert_string_equal(stored("placed"), "\"glass\"");
}

static void a_block_knows_when_it_is_placed_and_broken(void **state)
{
    (void)state;
    open_with("block { name = 'bell', like = 'stone',\n"
              "  on_place = function(e) storage.set('placed', e.y) end,\n"
              "  on_break = function(e) storage.set('broken', e.y) end }");
    mod_game_hold(&game, "castle:bell");
    mod_game_click(&game, CN_MOUSE_RIGHT);
    assert_string_equal(stored("placed"), "301");
    mod_game_click(&game, CN_MOUSE_LEFT);
    assert_string_equal(stored("broken"), "301");
}

static void a_block_is_stepped_onto(void **state)
{
    (void)state;
    open_with("block { name = 'plate', like = 'stone',\n"
              "  on_step = function(e) storage.set('steps', (storage.get('steps') or 0) + 1) end "
              "}");
    mod_game_put(&game, (CnCell){0, MOD_GAME_FLOOR, 0}, "castle:plate");
    mod_game_ticks(&game, 30);
    assert_string_equal(stored("steps"), "1");
}

static void a_scheduled_tick_runs(void **state)
{
    (void)state;
    open_with("block { name = 'clock', like = 'stone',\n"
              "  on_tick = function(e) storage.set('at', {e.x, e.y, e.z, e.random}) end }");
    CnCell cell = {2, MOD_GAME_FLOOR + 1, -3};
    mod_game_put(&game, cell, "castle:clock");
    assert_true(cn_voxels_schedule(game.voxels, cell, 3));
    mod_game_ticks(&game, 2);
    assert_string_equal(stored("at"), "");
    mod_game_ticks(&game, 3);
    assert_string_equal(stored("at"), "[2,301,-3,false]");
}

static void a_block_with_random_ticks_gets_them(void **state)
{
    (void)state;
    open_with("block { name = 'moss', like = 'stone',\n"
              "  on_random_tick = function(e) storage.set('random', e.random) end }");
    CnBlock moss = mod_game_block(&game, "castle:moss");
    assert_true(crafty_growth_ticking(game.world)[moss]);
    crafty_growth_tick(game.world, (CnCell){0, MOD_GAME_FLOOR, 0}, moss, true);
    assert_string_equal(stored("random"), "true");
}

/* ---- Commands ---- */

#define ROLL                                                                                       \
    "command { name = 'roll', usage = '[sides]', help = 'Rolls a die.', run = function(e)\n"       \
    "  storage.set('roll', {e.player, e.text, e.arguments})\n"                                     \
    "  return 'It has ' .. (e.arguments[1] or 6) .. ' sides.'\n"                                   \
    "end }"

static void a_command_gets_its_words_and_answers(void **state)
{
    (void)state;
    open_with(ROLL);
    mod_game_type(&game, "/roll 20 slowly");
    assert_true(mod_game_was_told(&game, "It has 20 sides."));
    assert_string_equal(stored("roll"), "[1,\"20 slowly\",[\"20\",\"slowly\"]]");
}

static void a_command_without_words_runs(void **state)
{
    (void)state;
    open_with(ROLL);
    mod_game_type(&game, "/roll");
    assert_true(mod_game_was_told(&game, "It has 6 sides."));
}

static void help_explains_commands_of_mods(void **state)
{
    (void)state;
    open_with(ROLL);
    mod_game_type(&game, "/help roll");
    assert_true(mod_game_was_told(&game, "Rolls a die."));
    assert_true(mod_game_was_told(&game, "Usage: /roll [sides]"));
}

static void a_similar_command_of_a_mod_is_suggested(void **state)
{
    (void)state;
    open_with(ROLL);
    mod_game_type(&game, "/rol");
    assert_true(mod_game_was_told(&game, "/roll"));
}

static void commands_of_mods_are_completed(void **state)
{
    (void)state;
    open_with(ROLL);
    CnQuery *players =
        cn_query_acquire(game.world, &(CnQueryDesc){.all = {cn_reads(CnPlayerActions)}}, NULL);
    CraftyChatNames names = crafty_chat_names(game.world, players, 1);
    CraftyChatCompletion completion;
    crafty_chat_complete(&names, "/rol", 4, &completion);
    assert_int_equal(completion.count, 1);
    assert_string_equal(completion.words[0], "roll");
    assert_string_equal(completion.usage, "/roll [sides]");
    cn_query_release(players);
}

static void two_commands_of_one_name_are_refused(void **state)
{
    (void)state;
    mod_game_add(&game, "castle", "command { name = 'give', run = function(e) end }");
    mod_game_open_any(&game);
    CraftyModStatus status = crafty_mods_status(game.mods, 1);
    assert_true(status.is_disabled);
    assert_non_null(strstr(status.error.message, "/give already"));
}

/* ---- Permissions and phases ---- */

static void fail_to_load(const char *code, uint32_t permissions, const char *part)
{
    begin(NULL);
    mod_game_add(&game, "castle", code)->permissions = permissions;
    mod_game_open_any(&game);
    mod_game_ticks(&game, 2);
    CraftyModStatus status = crafty_mods_status(game.mods, 1);
    assert_true(status.is_disabled);
    if (!strstr(status.error.message, part))
        fail_msg("'%s' is not in '%s'", part, status.error.message);
    end(NULL);
}

static void what_a_mod_may_not_do_disables_it(void **state)
{
    (void)state;
    fail_to_load("command { name = 'a', run = function(e) end }", 0, "needs \"commands\"");
    fail_to_load("on('chat', function(e) end)", 0, "needs \"chat\"");
    fail_to_load("on('join', function(e) storage.set('a', 1) end)", 0, "needs \"storage\"");
    fail_to_load("storage.set('a', 1)", CRAFTY_MOD_MAY_ALL, "main.lua only registers");
    fail_to_load("storage.get('a')", CRAFTY_MOD_MAY_ALL, "there is no world yet");
    fail_to_load("on('join', function(e) on('join', function(e) end) end)", CRAFTY_MOD_MAY_ALL, "");
    fail_to_load("on('jion', function(e) end)", CRAFTY_MOD_MAY_ALL, "there is no event \"jion\"");
    fail_to_load("before('join', function(e) end)", CRAFTY_MOD_MAY_ALL, "there is no event");
    fail_to_load("on('join', function(e) end, 5)", CRAFTY_MOD_MAY_ALL, "has a period");
}

/* ---- Errors and budgets ---- */

static void an_error_disables_the_mod_and_tells_the_players(void **state)
{
    (void)state;
    open_with("on('join', function(e)\n"
              "  error('no bridge')\n"
              "end)");
    mod_game_ticks(&game, 3);
    CraftyModStatus status = crafty_mods_status(game.mods, 1);
    assert_true(status.is_disabled);
    assert_string_equal(status.error.file, "mods/castle/main.lua");
    assert_int_equal(status.error.line, 2);
    assert_true(mod_game_was_told(&game, "The mod castle is disabled: mods/castle/main.lua:2"));
}

static void an_error_does_not_affect_other_mods(void **state)
{
    (void)state;
    mod_game_add(&game, "castle", "on('join', function(e) error('no bridge') end)");
    mod_game_add(&game, "bees", "on('join', function(e) storage.set('n', 1) end)");
    mod_game_open(&game);
    mod_game_ticks(&game, 3);
    assert_true(crafty_mods_status(game.mods, 1).is_disabled);
    assert_false(crafty_mods_status(game.mods, 2).is_disabled);
    assert_string_equal(mod_game_stored(&game, "bees", "n"), "1");
}

static void what_exceeds_the_budget_is_skipped_and_counted(void **state)
{
    (void)state;
    open_with("on('tick', function(e) while true do end end, 1)\n"
              "on('tick', function(e) storage.set('n', 1) end, 1)");
    mod_game_ticks(&game, 10);
    CraftyModStatus status = crafty_mods_status(game.mods, 1);
    assert_false(status.is_disabled);
    assert_true(status.skipped >= 10);
}

static void a_mod_that_uses_up_its_budget_does_not_affect_others(void **state)
{
    (void)state;
    mod_game_add(&game, "castle",
                 "on('tick', function(e) while true do end end, 1)\n"
                 "on('tick', function(e) while true do end end, 1)\n"
                 "on('tick', function(e) while true do end end, 1)");
    mod_game_add(&game, "bees",
                 "on('tick', function(e)\n"
                 "  storage.set('n', (storage.get('n') or 0) + 1)\n"
                 "end, 1)");
    mod_game_open(&game);
    mod_game_ticks(&game, 10);
    assert_string_equal(mod_game_stored(&game, "bees", "n"), "10");
    assert_int_equal(crafty_mods_status(game.mods, 2).skipped, 0);
}

static void a_world_without_mods_has_no_systems_for_them(void **state)
{
    (void)state;
    mod_game_open(&game);
    assert_int_equal(cn_system_find(game.world, "CraftyMods").id, 0);
    mod_game_ticks(&game, 2);
}

/* ---- The watchdog ---- */

static void a_mod_that_time_stops_voids_the_replay(void **state)
{
    (void)state;
    game.instructions_per_call = game.instructions_per_tick = UINT64_MAX / 4;
    game.watchdog_ms = 50;
    open_with("on('tick', function() while true do end end)");
    assert_null(cn_sim_not_reproducible(game.sim));
    mod_game_ticks(&game, 2);
    assert_non_null(strstr(cn_sim_not_reproducible(game.sim), "the watchdog stopped castle"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_player_joins_once, begin, end),
        cmocka_unit_test_setup_teardown(a_mod_that_time_stops_voids_the_replay, begin, end),
        cmocka_unit_test_setup_teardown(a_broken_block_is_told_with_its_cell, begin, end),
        cmocka_unit_test_setup_teardown(a_placed_block_is_told_with_the_item, begin, end),
        cmocka_unit_test_setup_teardown(a_use_of_a_block_is_told, begin, end),
        cmocka_unit_test_setup_teardown(a_hurt_player_is_told_with_amount_and_cause, begin, end),
        cmocka_unit_test_setup_teardown(a_death_is_told, begin, end),
        cmocka_unit_test_setup_teardown(a_said_line_is_told, begin, end),
        cmocka_unit_test_setup_teardown(what_players_get_is_told_with_item_and_count, begin, end),
        cmocka_unit_test_setup_teardown(a_player_who_talks_is_told_with_the_profession, begin, end),
        cmocka_unit_test_setup_teardown(events_that_nobody_could_read_are_dropped_and_counted,
                                        begin, end),
        cmocka_unit_test_setup_teardown(commands_of_mods_are_completed, begin, end),
        cmocka_unit_test_setup_teardown(a_tick_has_the_period_that_was_asked_for, begin, end),
        cmocka_unit_test_setup_teardown(handlers_run_in_the_order_of_their_registration, begin,
                                        end),
        cmocka_unit_test_setup_teardown(a_mod_prevents_breaking_and_says_why, begin, end),
        cmocka_unit_test_setup_teardown(a_mod_prevents_placing, begin, end),
        cmocka_unit_test_setup_teardown(a_mod_changes_the_amount_of_a_hurt, begin, end),
        cmocka_unit_test_setup_teardown(a_mod_prevents_a_hurt, begin, end),
        cmocka_unit_test_setup_teardown(a_mod_prevents_a_line_of_the_chat, begin, end),
        cmocka_unit_test_setup_teardown(a_handler_of_before_changes_nothing, begin, end),
        cmocka_unit_test_setup_teardown(a_handler_of_before_reads_the_storage, begin, end),
        cmocka_unit_test_setup_teardown(a_block_is_used, begin, end),
        cmocka_unit_test_setup_teardown(a_block_that_does_not_handle_its_use_is_built_on, begin,
                                        end),
        cmocka_unit_test_setup_teardown(a_block_knows_when_it_is_placed_and_broken, begin, end),
        cmocka_unit_test_setup_teardown(a_block_is_stepped_onto, begin, end),
        cmocka_unit_test_setup_teardown(a_scheduled_tick_runs, begin, end),
        cmocka_unit_test_setup_teardown(a_block_with_random_ticks_gets_them, begin, end),
        cmocka_unit_test_setup_teardown(a_command_gets_its_words_and_answers, begin, end),
        cmocka_unit_test_setup_teardown(a_command_without_words_runs, begin, end),
        cmocka_unit_test_setup_teardown(help_explains_commands_of_mods, begin, end),
        cmocka_unit_test_setup_teardown(a_similar_command_of_a_mod_is_suggested, begin, end),
        cmocka_unit_test_setup_teardown(two_commands_of_one_name_are_refused, begin, end),
        cmocka_unit_test(what_a_mod_may_not_do_disables_it),
        cmocka_unit_test_setup_teardown(an_error_disables_the_mod_and_tells_the_players, begin,
                                        end),
        cmocka_unit_test_setup_teardown(an_error_does_not_affect_other_mods, begin, end),
        cmocka_unit_test_setup_teardown(what_exceeds_the_budget_is_skipped_and_counted, begin, end),
        cmocka_unit_test_setup_teardown(a_mod_that_uses_up_its_budget_does_not_affect_others, begin,
                                        end),
        cmocka_unit_test_setup_teardown(a_world_without_mods_has_no_systems_for_them, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
