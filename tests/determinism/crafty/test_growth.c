/* test-labels: threads slow */
/*
 * A garden, a felled tree and a fire grow, decay and burn in the same way for any number of
 * threads, with and without streaming, and when the world is saved and opened again in between.
 * CRAFTY_GROWTH_TICKS sets the length: 528,000 ticks are two weeks of the game.
 */
#include "cmocka_tests.h"
#include "scratch.h"

#include <crafty/replay/session.h>
#include <crafty/sim/growth.h>

#include <stdlib.h>

#define DEFAULT_TICKS 1500u
#define FLUSH_MS 60000u

typedef struct Result {
    uint64_t state, blocks, edits;
    CraftyGrowth growth;
} Result;

typedef struct Run {
    uint32_t threads;
    const char *path; /* NULL: not saved */
    bool streams;
    CraftySave *save;
    CraftySession *session;
} Run;

static uint32_t tick_count(void)
{
    const char *text = getenv("CRAFTY_GROWTH_TICKS");
    return text ? (uint32_t)strtoul(text, NULL, 10) : DEFAULT_TICKS;
}

static CnVoxels *voxels_of(const Run *run)
{
    return crafty_world_voxels(crafty_session_world(run->session));
}

static void open_run(Run *run)
{
    CnError error = {0};
    CraftySessionDesc desc = {
        .start = {.seed = 42, .viewer = CRAFTY_VIEWER_WALKS, .hours = 9, .players = 1},
        .finds_spawn = true,
        .threads = run->threads};
    if (run->path) {
        run->save = crafty_save_open(&(CraftySaveDesc){.path = run->path, .seed = 42}, &error);
        if (!run->save)
            fail_msg("%s", error.message);
        desc.save = run->save;
    }
    run->session = crafty_session_create(&desc, &error);
    if (!run->session)
        fail_msg("%s", error.message);
}

static void close_run(Run *run)
{
    crafty_session_destroy(run->session);
    crafty_save_close(run->save);
    run->save = NULL;
}

static void put(const Run *run, CnCell cell, const char *name)
{
    CnVoxels *voxels = voxels_of(run);
    CnEdit edit = {.kind = CN_EDIT_PLACE,
                   .face = CN_EDIT_NO_FACE,
                   .cell = cell,
                   .new_block = cn_block_find(cn_voxels_blocks(voxels), name)};
    assert_true(cn_voxels_edit(voxels, &edit, NULL));
}

static CnVec3 eye_of(const Run *run)
{
    const CnWorld *world = cn_sim_world(crafty_session_sim(run->session));
    return cn_get(world, cn_camera_active(world), CnTransform)->position;
}

/* Farmland with water, saplings, a wooden roof that burns, a trunk with leaves that is cut. */
static void plant(const Run *run)
{
    CnVec3 eye = eye_of(run);
    CnCell base = {(int32_t)eye.x + 4, (int32_t)eye.y + 3, (int32_t)eye.z + 4};
    for (int32_t x = 0; x < 12; x++)
        for (int32_t z = 0; z < 12; z++) {
            CnCell cell = {base.x + x, base.y, base.z + z};
            put(run, cell, x == 6 ? "water" : x < 6 ? "farmland" : "dirt");
            cell.y++;
            if (x < 6)
                put(run, cell, "wheat_stage_1");
            else if (x > 6 && x % 3 == 0 && z % 4 == 0)
                put(run, cell, "birch_sapling");
        }
    put(run, (CnCell){base.x + 11, base.y, base.z + 11}, "grass");
    for (int32_t x = 0; x < 10; x++)
        for (int32_t z = -9; z < -1; z++)
            put(run, (CnCell){base.x + x, base.y, base.z + z}, "oak_planks");
    put(run, (CnCell){base.x + 4, base.y + 1, base.z - 5}, "fire");
    for (int32_t x = -8; x < 0; x++)
        put(run, (CnCell){base.x + x, base.y + 4, base.z}, x == -8 ? "oak_log" : "oak_leaves");
}

static void tick(const Run *run, uint32_t number)
{
    CnVec3 eye = eye_of(run);
    if (number == 5)
        plant(run);
    if (number == 40)
        put(run, (CnCell){(int32_t)eye.x + 4 - 8, (int32_t)eye.y + 3 + 4, (int32_t)eye.z + 4},
            "air");
    if (run->streams && number % 3 == 0)
        cn_voxels_stream(voxels_of(run),
                         &(CnVoxelsView){.eye = eye, .forward = {0, 0, -1}, .radius = 3});
    assert_true(cn_sim_tick_n(crafty_session_sim(run->session), 1, NULL));
}

static Result result_of(const Run *run)
{
    CnSim *sim = crafty_session_sim(run->session);
    return (Result){.state = cn_sim_hash(sim),
                    .blocks = cn_voxels_hash(voxels_of(run)),
                    .edits = cn_edit_log_total(cn_voxels_log(voxels_of(run))),
                    .growth = *cn_resource(cn_sim_world(sim), CraftyGrowth)};
}

static Result play(Run run, uint32_t interruptions)
{
    CnError error = {0};
    uint32_t ticks = tick_count();
    open_run(&run);
    for (uint32_t i = 0; i < ticks; i++) {
        tick(&run, i);
        if (interruptions == 0 || i % (ticks / (interruptions + 1)) != ticks / 4)
            continue;
        assert_true(crafty_save_write(run.save, crafty_session_world(run.session),
                                      crafty_session_sim(run.session), &error));
        assert_true(crafty_save_flush(run.save, FLUSH_MS, &error));
        close_run(&run);
        open_run(&run);
    }
    Result result = result_of(&run);
    close_run(&run);
    return result;
}

static Result expected;

static int play_once(void **state)
{
    (void)state;
    expected = play((Run){.threads = 1}, 0);
    return 0;
}

static void assert_same(Result result)
{
    assert_int_equal(result.edits, expected.edits);
    assert_true(result.blocks == expected.blocks);
    assert_true(result.state == expected.state);
}

static void the_garden_grows(void **state)
{
    (void)state;
    print_message(
        "edits %llu, ripened %llu, decayed %llu, burned %llu, trees %llu, skipped %llu\n",
        (unsigned long long)expected.growth.edits, (unsigned long long)expected.growth.ripened,
        (unsigned long long)expected.growth.decayed, (unsigned long long)expected.growth.burned,
        (unsigned long long)expected.growth.trees, (unsigned long long)expected.growth.skipped);
    assert_true(expected.growth.edits > 20);
    assert_true(expected.growth.ripened > 0);
    assert_true(expected.growth.decayed > 0);
    assert_true(expected.growth.fires <= CRAFTY_MAX_FIRES);
}

static void two_threads_grow_the_same(void **state)
{
    (void)state;
    assert_same(play((Run){.threads = 2}, 0));
}

static void four_threads_and_streaming_grow_the_same(void **state)
{
    (void)state;
    assert_same(play((Run){.threads = 4, .streams = true}, 0));
}

static void a_saved_world_grows_on_as_if_not_interrupted(void **state)
{
    (void)state;
    Scratch scratch;
    scratch_init(&scratch);
    assert_same(play((Run){.threads = 2, .path = scratch_path(&scratch, "Garden.crafty")}, 2));
    scratch_fini(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_garden_grows),
        cmocka_unit_test(two_threads_grow_the_same),
        cmocka_unit_test(four_threads_and_streaming_grow_the_same),
        cmocka_unit_test(a_saved_world_grows_on_as_if_not_interrupted),
    };
    return cmocka_run_group_tests(tests, play_once, NULL);
}
