/* test-labels: threads slow */
/*
 * A session of two players that is saved, closed and opened again at random ticks has the same
 * hashes of state and blocks after every tick as one that is not interrupted, for any number of
 * threads. CRAFTY_SAVE_POINTS sets the number of interruptions.
 */
#include "crafty_play.h"
#include "postgres_server.h"
#include "scratch.h"

#include <crafty/server/world_store.h>

#include <cairn/voxel/water.h>

#include <stdlib.h>
#include <unistd.h>

#define TICKS 480u
#define DEFAULT_POINTS 24u /* per number of threads */
#define POINTS_PER_RUN 12u
#define FLUSH_MS 60000u

typedef struct Hashes {
    uint64_t state[TICKS], blocks[TICKS];
} Hashes;

static Hashes expected;
static Scratch scratch;

/* ---- A session that may be saved ---- */

typedef struct Run {
    uint32_t threads;
    const char *path; /* NULL: not saved */
    CraftySave *save;
    CraftySession *session;
    PlayerInput inputs[2];
    uint32_t moves; /* of items, into and out of a crate */
} Run;

static void begin(Run *run)
{
    CnError error = {0};
    CraftySessionDesc desc = play_desc(run->threads);
    if (run->path) {
        CraftySaveDesc save_desc = {.path = run->path, .seed = 42};
        run->save = crafty_world_store_open(&save_desc, &error);
        if (!run->save)
            fail_msg("%s", error.message);
        desc.save = run->save;
    }
    run->session = crafty_session_create(&desc, &error);
    if (!run->session)
        fail_msg("%s", error.message);
    CnWorld *world = cn_sim_world(crafty_session_sim(run->session));
    for (uint32_t i = 0; i < 2; i++) {
        run->inputs[i].connection = crafty_connection_create(world, i + 1, NULL);
        assert_non_null(run->inputs[i].connection);
    }
}

static void end(Run *run)
{
    for (uint32_t i = 0; i < 2; i++)
        end_input(&run->inputs[i]);
    crafty_session_destroy(run->session);
    crafty_save_close(run->save);
}

static CnSim *sim_of(const Run *run)
{
    return crafty_session_sim(run->session);
}

static CnVoxels *voxels_of(const Run *run)
{
    return crafty_world_voxels(crafty_session_world(run->session));
}

static void save(Run *run)
{
    CnError error = {0};
    if (!crafty_save_write(run->save, crafty_session_world(run->session), sim_of(run), &error))
        fail_msg("%s", error.message);
}

/* Saves, quits, and loads. */
static void interrupt(Run *run)
{
    CnError error = {0};
    save(run);
    assert_true(crafty_save_flush(run->save, FLUSH_MS, &error));
    end(run);
    begin(run);
}

/* Water that flows for long, and ticks that are due much later. */
static void disturb(Run *run, uint64_t tick)
{
    if (tick != 20)
        return;
    const CnWorld *world = cn_sim_world(sim_of(run));
    CnVec3 eye = cn_get(world, cn_camera_active(world), CnTransform)->position;
    CnCell cell = {(int32_t)eye.x + 3, 0, (int32_t)eye.z + 3};
    cell.y = cn_voxels_height(voxels_of(run), cell.x, cell.z) + 5;
    CnEdit edit = {.tick = tick,
                   .kind = CN_EDIT_PLACE,
                   .face = CN_EDIT_NO_FACE,
                   .cell = cell,
                   .new_block = CN_BLOCK_WATER};
    assert_true(cn_voxels_edit(voxels_of(run), &edit, NULL));
    for (uint32_t i = 0; i < 5; i++)
        assert_true(cn_voxels_schedule(voxels_of(run), cell, 100 + 50 * (i % 3)));
}

/* Data of blocks in chunks that are not loaded; some of it is active. */
static void change_data(Run *run, uint64_t number)
{
    CnVoxels *voxels = voxels_of(run);
    CnCell cell = {900 + (int32_t)(number % 7) * 5, 300, 900};
    CnBlockData data = {.active = number % 2, .size = 8, .bytes = (const uint8_t *)&number};
    assert_true(cn_block_data_kind(voxels, "test.counter", &data.kind, NULL));
    if (number % 5 == 4)
        assert_true(cn_block_data_remove(voxels, cell, NULL));
    else if (number % 3 == 0)
        assert_true(cn_block_data_set(voxels, cell, &data, NULL));
}

static void tick(Run *run, uint64_t number)
{
    play_send(&run->inputs[0], &run->inputs[1], number);
    run->moves += play_use_crate(run->session, &run->inputs[0], number);
    disturb(run, number);
    change_data(run, number);
    if (number % 2)
        play_stream(run->session);
    assert_true(cn_sim_tick_n(sim_of(run), 1, NULL));
}

/* ---- The uninterrupted session ---- */

static int record(void **state)
{
    (void)state;
    Run run = {.threads = 2};
    scratch_init(&scratch);
    begin(&run);
    for (uint64_t number = 0; number < TICKS; number++) {
        tick(&run, number);
        expected.state[number] = cn_sim_hash(sim_of(&run));
        expected.blocks[number] = cn_voxels_hash(voxels_of(&run));
    }
    uint32_t changes = 0;
    for (uint32_t i = 1; i < TICKS; i++)
        changes += expected.blocks[i] != expected.blocks[i - 1];
    assert_true(changes > 20);
    assert_true(run.moves > 10);
    end(&run);
    return 0;
}

static int forget(void **state)
{
    (void)state;
    scratch_fini(&scratch);
    return 0;
}

/* ---- Interrupted sessions ---- */

static void expect_hashes(const Run *run, uint64_t number)
{
    assert_int_equal(cn_sim_tick(sim_of(run)), number + 1);
    assert_true(cn_sim_hash(sim_of(run)) == expected.state[number]);
    assert_true(cn_voxels_hash(voxels_of(run)) == expected.blocks[number]);
}

static uint64_t next_random(uint64_t *random)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return *random >> 33;
}

/* Plays once with `points` interruptions at random ticks, and saves without interruption at other
 * ones. */
static void play_interrupted(const char *path, uint32_t threads, uint32_t points, uint64_t *random)
{
    bool interrupts[TICKS] = {0}, saves[TICKS] = {0};
    for (uint32_t left = points; left > 0;) {
        uint64_t at = next_random(random) % (TICKS - 1);
        left -= !interrupts[at];
        interrupts[at] = true;
        saves[next_random(random) % TICKS] = true;
    }
    Run run = {.threads = threads, .path = path};
    begin(&run);
    for (uint64_t number = 0; number < TICKS; number++) {
        tick(&run, number);
        expect_hashes(&run, number);
        if (saves[number])
            save(&run);
        if (!interrupts[number])
            continue;
        interrupt(&run);
        expect_hashes(&run, number);
    }
    end(&run);
}

static uint32_t point_count(void)
{
    const char *text = getenv("CRAFTY_SAVE_POINTS");
    uint32_t count = text ? (uint32_t)strtoul(text, NULL, 10) : 0;
    return count ? count : DEFAULT_POINTS;
}

static void play_all(uint32_t threads)
{
    uint64_t random = threads;
    for (uint32_t left = point_count(); left > 0;) {
        uint32_t points = left < POINTS_PER_RUN ? left : POINTS_PER_RUN;
        char path[512];
        cn_format(path, sizeof path, "%s", scratch_path(&scratch, "world.crafty"));
        play_interrupted(path, threads, points, &random);
        assert_int_equal(unlink(path), 0);
        left -= points;
    }
}

static void an_interrupted_session_has_the_same_hashes_with_1_thread(void **state)
{
    (void)state;
    play_all(1);
}

static void an_interrupted_session_has_the_same_hashes_with_4_threads(void **state)
{
    (void)state;
    play_all(4);
}

static bool same_edit(CnEdit a, CnEdit b)
{
    return a.tick == b.tick && a.player == b.player && a.kind == b.kind && a.face == b.face &&
           a.cell.x == b.cell.x && a.cell.y == b.cell.y && a.cell.z == b.cell.z &&
           a.old_block == b.old_block && a.new_block == b.new_block;
}

static void an_interrupted_session_has_the_same_edit_log(void **state)
{
    (void)state;
    Run plain = {.threads = 1},
        saved = {.threads = 1, .path = scratch_path(&scratch, "log.crafty")};
    begin(&plain);
    begin(&saved);
    for (uint64_t number = 0; number < 200; number++) {
        tick(&plain, number);
        tick(&saved, number);
        if (number % 50 == 25)
            interrupt(&saved);
    }
    const CnEditLog *a = cn_voxels_log(voxels_of(&plain)), *b = cn_voxels_log(voxels_of(&saved));
    assert_true(cn_edit_log_count(a) > 20);
    assert_int_equal(cn_edit_log_count(a), cn_edit_log_count(b));
    for (uint32_t i = 0; i < cn_edit_log_count(a); i++)
        assert_true(same_edit(cn_edit_log_at(a, i), cn_edit_log_at(b, i)));
    end(&plain);
    end(&saved);
}

static void an_interrupted_session_in_a_database_has_the_same_hashes(void **state)
{
    (void)state;
    char uri[512];
    uint64_t random = 99;
    if (!postgres_server_start()) {
        cannot_run("PostgreSQL server");
        return;
    }
    postgres_server_uri("world", uri, sizeof uri);
    play_interrupted(uri, 2, POINTS_PER_RUN, &random);
    postgres_server_stop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_interrupted_session_has_the_same_hashes_with_1_thread),
        cmocka_unit_test(an_interrupted_session_has_the_same_hashes_with_4_threads),
        cmocka_unit_test(an_interrupted_session_has_the_same_edit_log),
        cmocka_unit_test(an_interrupted_session_in_a_database_has_the_same_hashes),
    };
    return cmocka_run_group_tests(tests, record, forget);
}
