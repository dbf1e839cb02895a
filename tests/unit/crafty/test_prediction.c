/* Prediction: a client that runs ahead of its server, wrong predictions, changes of blocks. */
#include "player_fixture.h"

#include <crafty/net/prediction.h>
#include <crafty/sim/motion.h>

#define DELAY 12u /* ticks until the client gets a state */

/* A server with one player, and the prediction of its client, which has the same blocks. */
typedef struct Pair {
    Fixture server;
    Fixture client; /* only its blocks and items */
    CraftySimDesc sim;
    CraftyPrediction *prediction;
    uint64_t tick;
    uint32_t corrections;
    uint8_t states[DELAY][CRAFTY_OWN_STATE_BYTES];
} Pair;

static void confirm(Pair *pair, uint64_t tick)
{
    CraftyCorrection correction;
    CnError error = {0};
    assert_true(crafty_prediction_confirm(pair->prediction, tick, pair->states[tick % DELAY],
                                          &correction, &error));
    pair->corrections += correction.is_needed;
}

static void read_server(Pair *pair)
{
    assert_true(crafty_own_state_read(pair->server.world, pair->server.eye,
                                      pair->states[pair->tick % DELAY]));
}

static Pair *make_pair(CraftyPlayerMode mode)
{
    Pair *pair = calloc(1, sizeof *pair);
    assert_non_null(pair);
    pair->server = make_fixture(mode);
    pair->client = make_fixture(mode);
    pair->sim = (CraftySimDesc){.voxels = pair->client.blocks.world,
                                .items = pair->client.items,
                                .start = {.viewer = crafty_start_viewer(mode), .mode = mode}};
    CnError error = {0};
    pair->prediction =
        crafty_prediction_create(&(CraftyPredictionDesc){.sim = &pair->sim, .player = 1}, &error);
    assert_non_null(pair->prediction);
    pair->tick = 100;
    crafty_player_capture(pair->server.world, pair->server.eye, true);
    read_server(pair);
    assert_true(crafty_prediction_begin(pair->prediction, pair->tick,
                                        pair->states[pair->tick % DELAY], &error));
    return pair;
}

static void end_pair(Pair *pair)
{
    crafty_prediction_destroy(pair->prediction);
    end_fixture(&pair->client);
    end_fixture(&pair->server);
    free(pair);
}

/* The server passes what it changes, and its states, DELAY - 1 ticks later. */
static void run(Pair *pair, uint32_t ticks)
{
    CnError error = {0};
    for (uint32_t i = 0; i < ticks; i++) {
        CnEditLog *log = cn_voxels_log(pair->server.blocks.world);
        uint64_t before = cn_edit_log_total(log);
        input_ticks(&pair->server.input, pair->server.sim, 1);
        pair->tick++;
        assert_true(crafty_prediction_tick(pair->prediction, pair->tick,
                                           &pair->server.input.actions, &error));
        for (uint64_t k = before; k < cn_edit_log_total(log); k++) {
            CnEdit edit = cn_edit_log_at(log, cn_edit_log_count(log) - 1 -
                                                  (uint32_t)(cn_edit_log_total(log) - 1 - k));
            assert_true(
                crafty_prediction_set_block(pair->prediction, edit.cell, edit.new_block, &error));
        }
        read_server(pair);
        if (pair->tick >= 100 + DELAY)
            confirm(pair, pair->tick - DELAY + 1);
    }
}

static CnVec3 predicted_place(const Pair *pair)
{
    return cn_get(crafty_prediction_world(pair->prediction),
                  crafty_prediction_player(pair->prediction), CnTransform)
        ->position;
}

static void look(Pair *pair, float right, float down)
{
    input_event(&pair->server.input,
                (CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE, .dx = right, .dy = down});
}

static void assert_in_agreement(Pair *pair)
{
    uint8_t now[CRAFTY_OWN_STATE_BYTES];
    assert_true(crafty_own_state_read(crafty_prediction_world(pair->prediction),
                                      crafty_prediction_player(pair->prediction), now));
    assert_memory_equal(now, pair->states[pair->tick % DELAY], CRAFTY_OWN_STATE_PREDICTED);
}

/* ---- States ---- */

static void a_written_state_reads_the_same(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL),
            other = make_fixture(CRAFTY_MODE_CREATIVE);
    uint8_t bytes[CRAFTY_OWN_STATE_BYTES], again[CRAFTY_OWN_STATE_BYTES];
    hold(&fixture, CN_KEY_W, 30);
    assert_true(crafty_own_state_read(fixture.world, fixture.eye, bytes));
    assert_true(crafty_own_state_write(other.world, other.eye, bytes));
    assert_true(crafty_own_state_read(other.world, other.eye, again));
    assert_memory_equal(bytes, again, sizeof bytes);
    end_fixture(&other);
    end_fixture(&fixture);
}

static void a_state_with_a_position_that_is_not_a_number_is_refused(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    uint8_t bytes[CRAFTY_OWN_STATE_BYTES];
    const float nan = __builtin_nanf("");
    assert_true(crafty_own_state_read(fixture.world, fixture.eye, bytes));
    memcpy(bytes, &nan, sizeof nan);
    assert_false(crafty_own_state_write(fixture.world, fixture.eye, bytes));
    assert_float_equal(place(&fixture).x, 0.5f, 0.001);
    end_fixture(&fixture);
}

/* ---- Right predictions ---- */

static void walking_and_looking_are_predicted_without_corrections(void **state)
{
    (void)state;
    Pair *pair = make_pair(CRAFTY_MODE_SURVIVAL);
    run(pair, 30);
    input_key(&pair->server.input, CN_KEY_W, true);
    for (uint32_t i = 0; i < 60; i++) {
        look(pair, 7, (float)(i % 5) - 2);
        run(pair, 1);
    }
    input_key(&pair->server.input, CN_KEY_SPACE, true);
    run(pair, 40);
    assert_int_equal(pair->corrections, 0);
    assert_in_agreement(pair);
    end_pair(pair);
}

static void breaking_and_placing_are_predicted_without_corrections(void **state)
{
    (void)state;
    Pair *pair = make_pair(CRAFTY_MODE_CREATIVE);
    look(pair, 0, 550);
    run(pair, 30);
    input_button(&pair->server.input, CN_MOUSE_RIGHT, true);
    run(pair, 20);
    input_button(&pair->server.input, CN_MOUSE_RIGHT, false);
    input_button(&pair->server.input, CN_MOUSE_LEFT, true);
    run(pair, 60);
    input_button(&pair->server.input, CN_MOUSE_LEFT, false);
    run(pair, DELAY);
    assert_true(cn_edit_log_total(cn_voxels_log(pair->server.blocks.world)) >
                (2 * SIDE + 1) * (2 * SIDE + 1));
    assert_int_equal(pair->corrections, 0);
    assert_int_equal(crafty_prediction_open_blocks(pair->prediction), 0);
    assert_in_agreement(pair);
    end_pair(pair);
}

static void a_broken_block_is_gone_at_once(void **state)
{
    (void)state;
    Pair *pair = make_pair(CRAFTY_MODE_CREATIVE);
    look(pair, 0, 700); /* straight down */
    run(pair, 30);
    CnActions breaks = {0};
    CnAction action = crafty_action_set().break_block;
    breaks.held = breaks.pressed = 1ull << (action.number - 1);
    assert_true(crafty_prediction_tick(pair->prediction, pair->tick + 1, &breaks, NULL));
    assert_int_equal(cn_voxels_get(pair->client.blocks.world, (CnCell){0, FLOOR, 0}), CN_BLOCK_AIR);
    assert_int_equal(crafty_prediction_open_blocks(pair->prediction), 1);
    end_pair(pair);
}

/* ---- Wrong predictions ---- */

static void a_push_by_the_server_is_taken_over(void **state)
{
    (void)state;
    Pair *pair = make_pair(CRAFTY_MODE_SURVIVAL);
    run(pair, 30);
    crafty_player_push(pair->server.world, pair->server.eye, cn_vec3(3, 4, 0));
    run(pair, 60 + DELAY);
    assert_true(pair->corrections > 0);
    assert_in_agreement(pair);
    end_pair(pair);
}

static void a_player_moved_by_the_server_is_there_after_one_correction(void **state)
{
    (void)state;
    Pair *pair = make_pair(CRAFTY_MODE_SURVIVAL);
    run(pair, 30);
    crafty_player_teleport(pair->server.world, pair->server.eye,
                           &(CraftyPose){.position = {4.5f, FLOOR + 3, 4.5f}});
    run(pair, 120);
    assert_float_equal(predicted_place(pair).x, 4.5f, 0.001);
    assert_in_agreement(pair);
    end_pair(pair);
}

static void a_refused_block_comes_back(void **state)
{
    (void)state;
    Pair *pair = make_pair(CRAFTY_MODE_CREATIVE);
    look(pair, 0, 700);
    run(pair, 30);
    CnActions breaks = {0};
    breaks.held = breaks.pressed = 1ull << (crafty_action_set().break_block.number - 1);
    assert_true(crafty_prediction_tick(pair->prediction, pair->tick + 1, &breaks, NULL));
    /* The server never gets that input. */
    input_ticks(&pair->server.input, pair->server.sim, 1);
    pair->tick++;
    read_server(pair);
    confirm(pair, pair->tick);
    assert_int_equal(cn_voxels_get(pair->client.blocks.world, (CnCell){0, FLOOR, 0}), BLOCK_STONE);
    assert_int_equal(crafty_prediction_open_blocks(pair->prediction), 0);
    end_pair(pair);
}

static void a_block_that_the_server_changed_meanwhile_wins(void **state)
{
    (void)state;
    Pair *pair = make_pair(CRAFTY_MODE_CREATIVE);
    look(pair, 0, 700);
    run(pair, 30);
    CnCell cell = {0, FLOOR, 0};
    CnActions breaks = {0};
    breaks.held = breaks.pressed = 1ull << (crafty_action_set().break_block.number - 1);
    assert_true(crafty_prediction_tick(pair->prediction, pair->tick + 1, &breaks, NULL));
    assert_true(crafty_prediction_set_block(pair->prediction, cell, BLOCK_DIRT, NULL));
    assert_int_equal(cn_voxels_get(pair->client.blocks.world, cell), CN_BLOCK_AIR);
    input_ticks(&pair->server.input, pair->server.sim, 1);
    pair->tick++;
    read_server(pair);
    confirm(pair, pair->tick);
    assert_int_equal(cn_voxels_get(pair->client.blocks.world, cell), BLOCK_DIRT);
    end_pair(pair);
}

static void a_change_of_mode_is_taken_over(void **state)
{
    (void)state;
    Pair *pair = make_pair(CRAFTY_MODE_CREATIVE);
    run(pair, 30);
    assert_true(
        crafty_player_set_mode(pair->server.world, pair->server.eye, CRAFTY_MODE_SPECTATOR));
    input_key(&pair->server.input, CN_KEY_W, true);
    run(pair, 30 + DELAY);
    const CraftyPlayer *own = cn_get(crafty_prediction_world(pair->prediction),
                                     crafty_prediction_player(pair->prediction), CraftyPlayer);
    assert_int_equal(own->mode, CRAFTY_MODE_SPECTATOR);
    assert_in_agreement(pair);
    end_pair(pair);
}

static void an_answer_for_a_forgotten_tick_begins_anew(void **state)
{
    (void)state;
    Pair *pair = make_pair(CRAFTY_MODE_SURVIVAL);
    run(pair, 30);
    CraftyCorrection correction;
    assert_true(
        crafty_prediction_confirm(pair->prediction, 90, pair->states[0], &correction, NULL));
    assert_true(correction.is_out_of_range);
    assert_int_equal(crafty_prediction_newest(pair->prediction), 90);
    end_pair(pair);
}

static void events_of_ticks_that_run_again_are_not_repeated(void **state)
{
    (void)state;
    Pair *pair = make_pair(CRAFTY_MODE_CREATIVE);
    look(pair, 0, 700);
    run(pair, 30);
    input_button(&pair->server.input, CN_MOUSE_LEFT, true);
    uint32_t broken = 0;
    for (uint32_t i = 0; i < 2 * DELAY; i++) {
        if (i == 3) /* everything since then is wrong */
            crafty_player_push(pair->server.world, pair->server.eye, cn_vec3(0.01f, 0, 0));
        run(pair, 1);
        for (const CraftyHandEvent *event;
             (event = crafty_prediction_next_hand_event(pair->prediction));)
            broken += event->kind == CN_INTERACT_BREAK;
        input_button(&pair->server.input, CN_MOUSE_LEFT, false);
    }
    assert_true(pair->corrections > 0);
    assert_int_equal(broken, 1);
    end_pair(pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_written_state_reads_the_same),
        cmocka_unit_test(a_state_with_a_position_that_is_not_a_number_is_refused),
        cmocka_unit_test(walking_and_looking_are_predicted_without_corrections),
        cmocka_unit_test(breaking_and_placing_are_predicted_without_corrections),
        cmocka_unit_test(a_broken_block_is_gone_at_once),
        cmocka_unit_test(a_push_by_the_server_is_taken_over),
        cmocka_unit_test(a_player_moved_by_the_server_is_there_after_one_correction),
        cmocka_unit_test(a_refused_block_comes_back),
        cmocka_unit_test(a_block_that_the_server_changed_meanwhile_wins),
        cmocka_unit_test(a_change_of_mode_is_taken_over),
        cmocka_unit_test(an_answer_for_a_forgotten_tick_begins_anew),
        cmocka_unit_test(events_of_ticks_that_run_again_are_not_repeated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
