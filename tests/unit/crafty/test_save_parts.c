/* Autosaves that are built in parts while the game goes on. */
#include "session_fixture.h"

#include <crafty/save/save_internal.h>

#include <stdio.h>

enum { HEIGHT = 300 };
/* More chunks than one part contains. */
#define CHUNKS (2 * CRAFTY_SAVE_STEP_CELLS / 256u)

typedef struct Hashes {
    uint64_t state, blocks, edits;
} Hashes;

static int make(void **state)
{
    (void)state;
    begin_scratch();
    open_session();
    return 0;
}

/* One block in each of many chunks. */
static void put_everywhere(int32_t x, const char *name)
{
    for (uint32_t i = 0; i < CHUNKS; i++)
        put((CnCell){16 * (int32_t)(i % 16) + x, HEIGHT, 16 * (int32_t)(i / 16)}, name);
}

static Hashes hashes(void)
{
    return (Hashes){cn_sim_hash(crafty_session_sim(session)), cn_voxels_hash(voxels()),
                    cn_edit_log_count(cn_voxels_log(voxels()))};
}

static void assert_hashes(Hashes expected)
{
    Hashes found = hashes();
    assert_true(found.state == expected.state);
    assert_true(found.blocks == expected.blocks);
    assert_int_equal(found.edits, expected.edits);
}

static void begin(void)
{
    assert_true(
        crafty_save_begin(save, crafty_session_world(session), crafty_session_sim(session), NULL));
}

static void add_part(void)
{
    assert_true(crafty_save_continue(save, crafty_session_world(session), NULL));
}

static void flush(void)
{
    CnError error = {0};
    if (!crafty_save_flush(save, SESSION_FLUSH_MS, &error))
        fail_msg("%s", error.message);
}

static void play(uint32_t round)
{
    put_everywhere((int32_t)(round % 16), "glass");
    assert_true(cn_sim_tick_n(crafty_session_sim(session), 5, NULL));
}

/* ---- Facts ---- */

static void a_large_save_takes_several_parts(void **state)
{
    (void)state;
    put_everywhere(0, "bricks");
    begin();
    add_part();
    assert_true(crafty_save_is_building(save));
    uint32_t parts = 1;
    for (; crafty_save_is_building(save); parts++)
        add_part();
    assert_true(parts >= 2 && parts < 8);
}

static void a_save_in_parts_is_the_state_of_its_begin(void **state)
{
    (void)state;
    put_everywhere(0, "bricks");
    Hashes expected = hashes();
    begin();
    for (uint32_t i = 0; crafty_save_is_building(save); i++) {
        play(i);
        add_part();
    }
    flush();
    close_session();
    open_session();
    assert_hashes(expected);
}

static void what_happened_during_a_save_is_in_the_next_one(void **state)
{
    (void)state;
    put_everywhere(0, "bricks");
    begin();
    for (uint32_t i = 0; crafty_save_is_building(save); i++) {
        play(i);
        add_part();
    }
    Hashes expected = hashes();
    write_save();
    close_session();
    open_session();
    assert_hashes(expected);
}

static void a_long_log_is_saved_in_parts(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 3 * CRAFTY_SAVE_GROUP_EDITS; i++)
        put((CnCell){0, HEIGHT, 0}, i % 2 ? "glass" : "bricks");
    Hashes expected = hashes();
    begin();
    add_part();
    assert_true(crafty_save_is_building(save));
    while (crafty_save_is_building(save)) {
        put((CnCell){1, HEIGHT, 0}, "glass");
        put((CnCell){1, HEIGHT, 0}, "bricks");
        add_part();
    }
    flush();
    close_session();
    open_session();
    assert_hashes(expected);
}

static void a_save_at_the_end_completes_the_one_in_progress(void **state)
{
    (void)state;
    put_everywhere(0, "bricks");
    begin();
    uint64_t batch = save->batch;
    play(1);
    Hashes expected = hashes();
    write_save();
    assert_int_equal(save->batch, batch + 2);
    close_session();
    open_session();
    assert_hashes(expected);
}

static void a_save_that_is_not_complete_is_not_in_the_file(void **state)
{
    (void)state;
    put_everywhere(0, "bricks");
    write_save();
    Hashes expected = hashes();
    play(1);
    begin();
    add_part();
    assert_true(crafty_save_is_building(save));
    close_session();
    open_session();
    assert_hashes(expected);
}

static void a_dropped_save_is_in_the_next_one(void **state)
{
    (void)state;
    put_everywhere(0, "bricks");
    write_save();
    play(1);
    begin();
    add_part();
    play(2);
    crafty_save_cancel(save, voxels());
    Hashes expected = hashes();
    write_save();
    close_session();
    open_session();
    assert_hashes(expected);
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, make, end_session)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_large_save_takes_several_parts),
        TEST(a_save_in_parts_is_the_state_of_its_begin),
        TEST(what_happened_during_a_save_is_in_the_next_one),
        TEST(a_long_log_is_saved_in_parts),
        TEST(a_save_at_the_end_completes_the_one_in_progress),
        TEST(a_save_that_is_not_complete_is_not_in_the_file),
        TEST(a_dropped_save_is_in_the_next_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
