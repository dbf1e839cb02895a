/* Worlds that the client opens and closes while its engine lives on. */
#include "client_options.h"
#include "cmocka_tests.h"
#include "scratch.h"
#include "standard_blocks.h"

#include <crafty/client/game.h>
#include <crafty/client/opening.h>

#include <stdlib.h>
#include <string.h>

#define SEED 77u
#define FLUSH_MS 60000u

static const CnCell place = {8, 300, 8};

static Scratch scratch;
static const char *path;
static Crafty *crafty;

static int begin(void **state)
{
    (void)state;
    CnError error = {0};
    CraftyOptions options = null_client_options();
    scratch_init(&scratch);
    setenv("XDG_STATE_HOME", scratch.folder, 1); /* of crash reports */
    path = scratch_path(&scratch, "home.crafty");
    crafty = crafty_create(&options, &error);
    if (!crafty)
        fail_msg("%s", error.message);
    return 0;
}

static int end(void **state)
{
    (void)state;
    CnGpuStats stats = cn_gpu_stats(cn_engine_gpu(crafty->engine));
    crafty_destroy(crafty);
    scratch_fini(&scratch);
    return stats.wrong_calls != 0;
}

static void open_world(CraftyPlayDesc desc)
{
    CnError error = {0};
    if (!crafty_play_open(crafty, &desc, &error))
        fail_msg("%s", error.message);
}

static void run_frames(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        assert_true(cn_engine_frame(crafty->engine));
        crafty->frame++;
        if (crafty->play)
            crafty->play->frame++;
    }
}

static CnVoxels *voxels(void)
{
    return crafty_terrain_voxels(crafty->play->terrain);
}

static void put_block(void)
{
    CnEdit edit = {.cell = place, .new_block = BLOCK_BRICKS};
    assert_true(cn_voxels_edit(voxels(), &edit, NULL));
}

static CnSim *sim(void)
{
    return cn_scene_sim(crafty->play->scene);
}

static void save_world(void)
{
    CnError error = {0};
    if (!crafty_save_write(crafty->play->save, crafty_terrain_world(crafty->play->terrain), sim(),
                           &error) ||
        !crafty_save_flush(crafty->play->save, FLUSH_MS, &error))
        fail_msg("%s", error.message);
}

static void frames_are_drawn_without_a_world(void **state)
{
    (void)state;
    assert_null(crafty->play);
    run_frames(3);
    assert_int_equal(cn_engine_error(crafty->engine)->code, CN_OK);
}

static void a_second_world_opens_in_the_same_engine(void **state)
{
    (void)state;
    run_frames(2);
    open_world((CraftyPlayDesc){.seed = SEED});
    run_frames(2);
    crafty_play_close(crafty);
    assert_null(crafty->play);
    run_frames(2);
    open_world((CraftyPlayDesc){.seed = SEED + 1});
    run_frames(2);
    assert_int_equal(crafty->play->sim.start.seed, SEED + 1);
    assert_int_equal(cn_engine_error(crafty->engine)->code, CN_OK);
}

static void a_reopened_world_has_the_hashes_with_which_it_was_saved(void **state)
{
    (void)state;
    open_world((CraftyPlayDesc){.path = path, .seed = SEED});
    run_frames(5);
    put_block();
    save_world();
    uint64_t blocks = cn_voxels_hash(voxels()), state_hash = cn_sim_hash(sim());
    uint64_t tick = cn_sim_tick(sim());
    crafty_play_close(crafty);
    open_world((CraftyPlayDesc){.path = path});
    assert_int_equal(cn_voxels_hash(voxels()), blocks);
    assert_int_equal(cn_sim_hash(sim()), state_hash);
    assert_int_equal(cn_sim_tick(sim()), tick);
    assert_int_equal(crafty->play->sim.start.seed, SEED);
    assert_int_equal(cn_voxels_get(voxels(), place), BLOCK_BRICKS);
}

static void the_camera_is_where_the_player_was(void **state)
{
    (void)state;
    open_world((CraftyPlayDesc){.path = path, .seed = SEED});
    CraftyCommand move = {.kind = CRAFTY_COMMAND_MOVE, .position = {40, 200, -30}, .yaw = 90};
    crafty_connection_send_command(crafty->play->connection, &move);
    run_frames(2);
    save_world();
    CnVec3 before =
        cn_get(cn_engine_world(crafty->engine), crafty->play->camera, CnTransform)->position;
    crafty_play_close(crafty);
    open_world((CraftyPlayDesc){.path = path});
    CnVec3 after =
        cn_get(cn_engine_world(crafty->engine), crafty->play->camera, CnTransform)->position;
    assert_memory_equal(&after, &before, sizeof after);
    assert_memory_equal(&crafty->play->pose.position, &before, sizeof before);
}

static void a_refused_world_leaves_nothing_open(void **state)
{
    (void)state;
    CnError error = {0};
    open_world((CraftyPlayDesc){.path = path, .seed = SEED});
    run_frames(1);
    save_world();
    crafty_play_close(crafty);
    assert_false(crafty_play_open(
        crafty, &(CraftyPlayDesc){.path = path, .seed = 5, .has_seed = true}, &error));
    assert_int_equal(error.code, CN_ERROR_MISMATCH);
    assert_null(crafty->play);
    run_frames(1);
    open_world((CraftyPlayDesc){.path = path});
}

static void a_world_that_is_open_elsewhere_is_refused(void **state)
{
    (void)state;
    CnError error = {0};
    CraftySave *other = crafty_save_open(&(CraftySaveDesc){.path = path}, &error);
    assert_non_null(other);
    assert_false(crafty_play_open(crafty, &(CraftyPlayDesc){.path = path}, &error));
    assert_non_null(strstr(error.message, "open"));
    assert_null(crafty->play);
    crafty_save_close(other);
}

static void edited_chunks_are_unloaded_and_come_back(void **state)
{
    (void)state;
    open_world((CraftyPlayDesc){.path = path, .seed = SEED});
    put_block();
    uint64_t blocks = cn_voxels_hash(voxels());
    CraftyStreamView away = {
        .position = {4000, 80, 4000}, .forward = {0, 0, -1}, .radius = 1, .height = 1};
    for (uint32_t i = 0; i < 6; i++)
        crafty_terrain_wait(crafty->play->terrain, &away);
    CnVoxelsStats stats = cn_voxels_stats(voxels());
    assert_int_equal(stats.stored, 1);
    assert_int_equal(cn_voxels_get(voxels(), place), BLOCK_BRICKS);
    assert_true(cn_voxels_stats(voxels()).generated > stats.generated); /* it was unloaded */
    assert_int_equal(cn_voxels_hash(voxels()), blocks);
}

/* ---- Opening on a thread ---- */

static CraftyOpening *begin_opening(CraftyPlayDesc desc)
{
    CnError error = {0};
    CraftyOpening *opening = crafty_opening_create(crafty, &desc, &error);
    if (!opening)
        fail_msg("%s", error.message);
    return opening;
}

static void frames_are_drawn_while_a_world_is_opened(void **state)
{
    (void)state;
    CnError error = {0};
    open_world((CraftyPlayDesc){.path = path, .seed = SEED});
    put_block();
    save_world();
    uint64_t hash = cn_sim_hash(sim());
    crafty_play_close(crafty);
    CraftyOpening *opening = begin_opening((CraftyPlayDesc){.path = path});
    do
        run_frames(1);
    while (!crafty_opening_is_done(opening));
    crafty->play = crafty_opening_take(opening, &error);
    crafty_opening_destroy(opening);
    assert_non_null(crafty->play);
    assert_true(crafty_play_enter(crafty, &error));
    assert_int_equal(cn_sim_hash(sim()), hash);
    assert_int_equal(cn_voxels_get(voxels(), place), BLOCK_BRICKS);
    run_frames(2);
}

static void a_world_that_cannot_be_opened_on_a_thread_is_reported(void **state)
{
    (void)state;
    CnError error = {0};
    CraftyOpening *opening = begin_opening((CraftyPlayDesc){.path = path, .read_only = true});
    assert_null(crafty_opening_take(opening, &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
    crafty_opening_destroy(opening);
}

static void an_opening_that_is_given_up_closes_the_world(void **state)
{
    (void)state;
    crafty_opening_destroy(begin_opening((CraftyPlayDesc){.path = path, .seed = SEED}));
    open_world((CraftyPlayDesc){.path = path, .seed = SEED});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(frames_are_drawn_without_a_world, begin, end),
        cmocka_unit_test_setup_teardown(a_second_world_opens_in_the_same_engine, begin, end),
        cmocka_unit_test_setup_teardown(a_reopened_world_has_the_hashes_with_which_it_was_saved,
                                        begin, end),
        cmocka_unit_test_setup_teardown(the_camera_is_where_the_player_was, begin, end),
        cmocka_unit_test_setup_teardown(a_refused_world_leaves_nothing_open, begin, end),
        cmocka_unit_test_setup_teardown(a_world_that_is_open_elsewhere_is_refused, begin, end),
        cmocka_unit_test_setup_teardown(edited_chunks_are_unloaded_and_come_back, begin, end),
        cmocka_unit_test_setup_teardown(frames_are_drawn_while_a_world_is_opened, begin, end),
        cmocka_unit_test_setup_teardown(a_world_that_cannot_be_opened_on_a_thread_is_reported,
                                        begin, end),
        cmocka_unit_test_setup_teardown(an_opening_that_is_given_up_closes_the_world, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
