/* test-labels: threads slow */
/*
 * Mods are deterministic: a session with mods has the same hashes of state and the same storage
 * after every tick for any number of threads, when it is saved and opened again, and in a replay.
 */
#include "cmocka_tests.h"
#include "mod_recording.h"
#include "scratch.h"

#include <stdlib.h>

#define TICKS 300u
#define FIRST 60u /* of the recording of a saved world */

static uint64_t expected[TICKS + 1];
static Scratch scratch;
static ModGame game;

static const char castle[] =
    "local function count(key) storage.set(key, (storage.get(key) or 0) + 1) end\n"
    "block { name = 'plate', like = 'stone', light = 7,\n"
    "  on_step = function(e) count('steps') end,\n"
    "  on_use = function(e) count('uses'); return e.y % 2 == 0 end,\n"
    "  on_break = function(e) storage.set('last', {e.x, e.y, e.z}) end,\n"
    "  on_random_tick = function(e) count('random') end }\n"
    "for _, event in ipairs{'place', 'break', 'use', 'stepped', 'hurt', 'picked_up', 'chat'} do\n"
    "  on(event, function(e) count(event .. '/' .. (e.block or e.item or '')) end)\n"
    "end\n"
    "before('break', function(e) return (e.x + e.z) % 5 ~= 0, 'Not this one.' end)\n"
    "on('tick', function(e) storage.set('tick', e.tick) end, 7)\n"
    "on('tick', function(e) for i = 1, 1e9 do end end, 50)\n"
    "command { name = 'count', run = function(e) count('command'); return e.text end }\n";

static const char bees[] = "on('place', function(e) if e.block == 'glass' then\n"
                           "  local t = storage.get('glass') or {}\n"
                           "  t[#t + 1] = e.x; storage.set('glass', t)\n"
                           "end end)\n"
                           "on('chat', function(e) if e.text == 'break' then error('x') end end)";

/* What the player does in a tick; the mod bees fails at the end. */
static void play_tick(uint64_t tick)
{
    static const uint32_t keys[] = {CN_KEY_W, CN_KEY_D, CN_KEY_S, CN_KEY_A};
    PlayerInput *input = &game.input;
    input_key(input, keys[tick / 25 % 4], tick % 25 < 12);
    input_button(input, CN_MOUSE_LEFT, tick % 30 < 8);
    input_button(input, CN_MOUSE_RIGHT, tick % 30 >= 15 && tick % 30 < 25 && tick % 2);
    input_event(input, (CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE, .dx = (float)(tick % 7) * 4});
    if (tick == 10 || tick == 150) {
        CraftyCommand take = {.kind = CRAFTY_COMMAND_TAKE_ITEM, .count = 64};
        cn_copy_text(take.item, sizeof take.item, cn_text(tick == 10 ? "glass" : "castle:plate"));
        assert_true(crafty_connection_send_command(input->connection, &take));
    }
    if (tick % 40 == 5)
        mod_game_send_line(&game, tick % 80 == 5 ? "/count now" : "hello");
    if (tick == 280)
        mod_game_send_line(&game, "break");
    input_send(input);
    assert_true(cn_sim_tick_n(game.sim, 1, NULL));
}

static void open_game(const char *path, uint32_t threads)
{
    mod_game_init(&game);
    game.path = path;
    game.threads = threads;
    mod_game_add(&game, "castle", castle);
    mod_game_add(&game, "bees", bees);
    mod_game_open(&game);
}

static void play_and_compare(uint64_t from, uint64_t to)
{
    for (uint64_t tick = from; tick < to; tick++) {
        play_tick(tick);
        if (cn_sim_hash(game.sim) != expected[tick + 1])
            fail_msg("the state differs after tick %u", (unsigned)tick);
    }
}

static void play_first(void)
{
    open_game(NULL, 1);
    expected[0] = cn_sim_hash(game.sim);
    for (uint64_t tick = 0; tick < TICKS; tick++) {
        play_tick(tick);
        expected[tick + 1] = cn_sim_hash(game.sim);
    }
}

static void the_session_does_something(void **state)
{
    (void)state;
    play_first();
    static const char *const keys[] = {"break/stone", "place/glass", "command",
                                       "chat/",       "tick",        "stepped/stone"};
    for (uint32_t i = 0; i < CN_COUNT_OF(keys); i++)
        if (!*mod_game_stored(&game, "castle", keys[i]))
            fail_msg("%s is not stored", keys[i]);
    assert_true(*mod_game_stored(&game, "bees", "glass"));
    assert_true(crafty_mods_status(game.mods, 2).is_disabled);
    assert_true(crafty_mods_status(game.mods, 1).skipped > 0);
    mod_game_close(&game);
}

static void states_are_the_same_for_any_number_of_threads(void **state)
{
    (void)state;
    for (uint32_t threads = 1; threads <= 4; threads *= 2) {
        open_game(NULL, threads);
        play_and_compare(0, TICKS);
        mod_game_close(&game);
    }
}

static void save_world(void)
{
    CnError error = {0};
    if (!crafty_save_write(game.save, crafty_session_world(game.session), game.sim, &error) ||
        !crafty_save_flush(game.save, 60000, &error))
        fail_msg("%s", error.message);
}

/* The seed of random numbers of a saved world is its own, so it is compared with itself. */
static void a_world_that_is_opened_again_goes_on_as_if_it_had_not_been_closed(void **state)
{
    (void)state;
    char *through = strdup(scratch_path(&scratch, "through.crafty"));
    char *parts = strdup(scratch_path(&scratch, "parts.crafty"));
    uint64_t hashes[TICKS + 1];
    for (uint32_t threads = 1; threads <= 4; threads *= 2) {
        open_game(through, threads);
        save_world();
        mod_game_close(&game);
        assert_int_equal(rename(through, parts), 0);
        open_game(parts, threads);
        for (uint64_t tick = 0; tick < TICKS - 30; tick++) {
            play_tick(tick);
            hashes[tick + 1] = cn_sim_hash(game.sim);
        }
        mod_game_close(&game);
        open_game(parts, threads);
        for (uint64_t tick = 0; tick < TICKS - 30; tick++) {
            if (tick % 60 == 59) {
                save_world();
                mod_game_close(&game);
                open_game(parts, threads);
            }
            play_tick(tick);
            if (cn_sim_hash(game.sim) != hashes[tick + 1])
                fail_msg("%u threads: the state differs after tick %u", threads, (unsigned)tick);
        }
        mod_game_close(&game);
        assert_int_equal(remove(parts), 0);
    }
    free(through);
    free(parts);
}

static void a_recording_of_a_saved_world_replays(void **state)
{
    (void)state;
    static const ModPlay recorded = {FIRST, TICKS, play_tick};
    uint64_t hashes[TICKS];
    char *world = strdup(scratch_path(&scratch, "recorded.crafty"));
    char *path = strdup(scratch_path(&scratch, "recorded.cnr"));
    open_game(world, 1);
    mod_game_record(&game, path, &recorded, hashes);
    mod_game_close(&game);
    for (uint32_t threads = 1; threads <= 4; threads *= 2)
        mod_game_expect_replay(&game, path, &recorded, hashes, threads);
    free(world);
    free(path);
}

static int begin(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    scratch_init(&scratch);
    return 0;
}

static int end(void **state)
{
    (void)state;
    scratch_fini(&scratch);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_session_does_something),
        cmocka_unit_test(states_are_the_same_for_any_number_of_threads),
        cmocka_unit_test(a_world_that_is_opened_again_goes_on_as_if_it_had_not_been_closed),
        cmocka_unit_test(a_recording_of_a_saved_world_replays),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
