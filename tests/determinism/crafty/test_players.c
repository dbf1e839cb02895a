/* test-labels: threads slow */
/*
 * Players join, act, leave and come back: the states are the same for any number of threads, and
 * after the world was saved and opened again in between.
 */
#include "cmocka_tests.h"
#include "scratch.h"

#include <crafty/replay/session.h>
#include <crafty/replay/verify.h>
#include <crafty/replay/world_recorder.h>
#include <crafty/sim/actions.h>
#include <crafty/sim/connection.h>
#include <crafty/sim/join.h>
#include <crafty/sim/player_index.h>

#include <cairn/sim/random.h>

#define SEED 42u
#define PEOPLE 12u
#define TICKS 400u
#define SAVE_TICK 200u
#define FLUSH_MS 60000u

static Scratch scratch;

typedef struct Game {
    CraftySave *save;
    CraftySession *session;
    CnWorld *world;
    CraftyConnection *host, *people[PEOPLE];
} Game;

typedef struct Result {
    uint64_t hash;
    uint32_t present, absent;
} Result;

static CraftyAccount account_of(uint32_t person)
{
    CraftyAccount account = {{0}};
    memset(account.key, (int)person + 1, sizeof account.key);
    return account;
}

static void check(bool done, const CnError *error)
{
    if (!done)
        fail_msg("%s", error->message);
}

static void open_game(Game *game, const char *path, uint32_t threads)
{
    CnError error = {0};
    *game = (Game){.save = crafty_save_open(&(CraftySaveDesc){.path = path, .seed = SEED}, &error)};
    check(game->save != NULL, &error);
    game->session = crafty_session_create(
        &(CraftySessionDesc){.start = {.seed = SEED,
                                       .viewer = CRAFTY_VIEWER_NONE,
                                       .mode = CRAFTY_MODE_SURVIVAL,
                                       .difficulty = CRAFTY_NORMAL,
                                       .hours = 9,
                                       .pose = {.position = {8.5f, 100, 8.5f}}},
                             .threads = threads,
                             .save = game->save},
        &error);
    check(game->session != NULL, &error);
    game->world = cn_sim_world(crafty_session_sim(game->session));
    game->host = crafty_connection_create(game->world, CRAFTY_CONSOLE, NULL);
    assert_non_null(game->host);
    for (uint32_t i = 0; i < PEOPLE; i++) {
        game->people[i] = crafty_connection_create(game->world, i + 1, NULL);
        assert_non_null(game->people[i]);
    }
}

static void close_game(Game *game)
{
    for (uint32_t i = 0; i < PEOPLE; i++)
        crafty_connection_destroy(game->people[i]);
    crafty_connection_destroy(game->host);
    crafty_session_destroy(game->session);
    crafty_save_close(game->save);
}

static void write_save(Game *game)
{
    CnError error = {0};
    check(crafty_save_write(game->save, crafty_session_world(game->session),
                            crafty_session_sim(game->session), &error) &&
              crafty_save_flush(game->save, FLUSH_MS, &error),
          &error);
}

/* ---- What they do ---- */

static void come_or_go(Game *game, uint32_t person)
{
    CraftyHostCommand command = {.kind = CRAFTY_HOST_LEAVE, .player = person + 1};
    if (!crafty_player_by_number(game->world, person + 1).id) {
        command.kind = CRAFTY_HOST_JOIN;
        command.account = account_of(person);
        cn_format(command.name, sizeof command.name, "Person_%u", person);
    }
    assert_true(crafty_connection_send_host(game->host, &command));
}

static void act(Game *game, uint32_t person, CnRandom *random)
{
    CnActionList list = crafty_actions();
    CnAction move = cn_action_find(list, "move"), look = cn_action_find(list, "look");
    CnActions actions = {.held = cn_random_u64(random) & cn_random_u64(random),
                         .pressed =
                             cn_random_u64(random) & cn_random_u64(random) & cn_random_u64(random)};
    actions.axes[move.axis + 1u] = cn_random_f32_range(random, -0.5f, 1);
    actions.axes[look.axis] = cn_random_f32_range(random, -200, 200);
    actions.axes[look.axis + 1u] = cn_random_f32_range(random, -100, 110);
    assert_true(crafty_connection_send_actions(game->people[person], &actions));
    if (cn_random_below(random, 60) == 0)
        crafty_connection_send_command(
            game->people[person], &(CraftyCommand){.kind = CRAFTY_COMMAND_CAPTURE, .choice = 1});
    if (cn_random_below(random, 90) == 0)
        crafty_connection_send_command(game->people[person],
                                       &(CraftyCommand){.kind = CRAFTY_COMMAND_RESPAWN});
    if (cn_random_below(random, 90) == 0)
        crafty_connection_send_command(
            game->people[person],
            &(CraftyCommand){.kind = CRAFTY_COMMAND_CHAT, .text = "/msg Person_1 hello"});
}

/* What happens in a tick depends on its number alone, so that it goes on after a pause. */
static void run(Game *game, uint32_t from, uint32_t to)
{
    for (uint32_t tick = from; tick < to; tick++) {
        CnRandom random = cn_random_make(tick, "players");
        if (tick % 9 == 0)
            come_or_go(game, (uint32_t)cn_random_below(&random, PEOPLE));
        for (uint32_t person = 0; person < PEOPLE; person++)
            act(game, person, &random);
        CnError error = {0};
        check(cn_sim_tick_n(crafty_session_sim(game->session), 1, &error), &error);
    }
}

static Result result_of(const Game *game)
{
    return (Result){.hash = cn_sim_hash(crafty_session_sim(game->session)),
                    .present = crafty_present_players(game->world, NULL, 0),
                    .absent = crafty_absent_count(game->world)};
}

static Result play(const char *name, uint32_t threads, bool pauses)
{
    Game game;
    const char *path = scratch_path(&scratch, name);
    open_game(&game, path, threads);
    run(&game, 0, SAVE_TICK);
    if (pauses) {
        write_save(&game);
        close_game(&game);
        open_game(&game, path, threads);
    }
    run(&game, SAVE_TICK, TICKS);
    Result result = result_of(&game);
    close_game(&game);
    return result;
}

/* ---- Tests ---- */

static Result reference;

static int begin(void **state)
{
    (void)state;
    scratch_init(&scratch);
    reference = play("reference.crafty", 1, false);
    return 0;
}

static int end(void **state)
{
    (void)state;
    scratch_fini(&scratch);
    return 0;
}

static void people_come_and_go(void **state)
{
    (void)state;
    assert_true(reference.present > 1 && reference.absent > 1);
}

static void two_threads_reach_the_same_state(void **state)
{
    (void)state;
    assert_true(play("two.crafty", 2, false).hash == reference.hash);
}

static void four_threads_reach_the_same_state(void **state)
{
    (void)state;
    assert_true(play("four.crafty", 4, false).hash == reference.hash);
}

static void a_world_that_is_saved_and_opened_again_goes_on_the_same(void **state)
{
    (void)state;
    Result again = play("again.crafty", 2, true);
    assert_int_equal(again.present, reference.present);
    assert_int_equal(again.absent, reference.absent);
    assert_true(again.hash == reference.hash);
}

static void a_recording_with_them_plays_the_same(void **state)
{
    (void)state;
    Game game;
    CnError error = {0};
    const char *path = scratch_path(&scratch, "game.cnr");
    open_game(&game, scratch_path(&scratch, "recorded.crafty"), 1);
    CraftyWorldRecorder *recorder = crafty_world_recorder_create(
        &(CraftyWorldRecorderDesc){.files = cn_native_files(),
                                   .path = path,
                                   .sim = crafty_session_sim(game.session),
                                   .world = crafty_session_world(game.session),
                                   .start = crafty_session_start(game.session),
                                   .save = game.save},
        &error);
    check(recorder != NULL, &error);
    run(&game, 0, SAVE_TICK);
    check(crafty_world_recorder_finish(recorder, &error), &error);
    crafty_world_recorder_destroy(recorder);
    close_game(&game);
    assert_int_equal(
        crafty_verify(&(CraftyVerifyDesc){.program = "test", .path = path, .threads = 2}), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(people_come_and_go),
        cmocka_unit_test(two_threads_reach_the_same_state),
        cmocka_unit_test(four_threads_reach_the_same_state),
        cmocka_unit_test(a_world_that_is_saved_and_opened_again_goes_on_the_same),
        cmocka_unit_test(a_recording_with_them_plays_the_same),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
