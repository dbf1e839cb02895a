/* What grows, decays and burns goes on after the world was saved and opened again. */
#include "session_fixture.h"

#include <crafty/sim/growth.h>
#include <crafty/sim/weather.h>

/* In the air near the player. */
static CnCell base;

static const char *name_at(CnCell cell)
{
    return cn_block_info(cn_voxels_blocks(voxels()), cn_voxels_get(voxels(), cell))->name;
}

static CnCell at(int32_t x, int32_t y, int32_t z)
{
    return (CnCell){base.x + x, base.y + y, base.z + z};
}

static CnWorld *world_now(void)
{
    return cn_sim_world(crafty_session_sim(session));
}

static void ticks(uint64_t count)
{
    assert_true(cn_sim_tick_n(crafty_session_sim(session), count, NULL));
}

static void reopen(void)
{
    write_save();
    close_session();
    open_session();
}

static const CraftyGrowth *totals(void)
{
    return cn_resource(world_now(), CraftyGrowth);
}

static int make(void **state)
{
    (void)state;
    begin_scratch();
    open_session();
    ticks(2);
    crafty_weather_hold(world_now(), CRAFTY_CLEAR);
    CnVec3 eye = cn_get(world_now(), cn_camera_active(world_now()), CnTransform)->position;
    base = (CnCell){(int32_t)eye.x + 4, (int32_t)eye.y + 40, (int32_t)eye.z + 4};
    return 0;
}

/* ---- Facts ---- */

static void a_fire_burns_out_after_reopening(void **state)
{
    (void)state;
    put(at(0, 0, 0), "stone");
    put(at(0, 1, 0), "fire");
    ticks(2);
    reopen();
    assert_string_equal(name_at(at(0, 1, 0)), "fire");
    assert_int_equal(totals()->fires, 1);
    ticks(1500);
    assert_string_equal(name_at(at(0, 1, 0)), "air");
    assert_int_equal(totals()->fires, 0);
}

static void loose_leaves_decay_after_reopening(void **state)
{
    (void)state;
    put(at(0, 0, 0), "oak_log");
    for (int32_t x = 1; x <= 4; x++)
        put(at(x, 0, 0), "oak_leaves");
    ticks(5);
    put(at(0, 0, 0), "air");
    ticks(45); /* they are loose, and none has decayed */
    reopen();
    ticks(1100);
    for (int32_t x = 1; x <= 4; x++)
        assert_string_equal(name_at(at(x, 0, 0)), "air");
}

static void a_trunk_cut_in_the_last_tick_before_a_save_loosens_its_leaves(void **state)
{
    (void)state;
    put(at(0, 0, 0), "oak_log");
    put(at(1, 0, 0), "oak_leaves");
    ticks(5);
    put(at(0, 0, 0), "air");
    ticks(1);
    reopen();
    ticks(1100);
    assert_string_equal(name_at(at(1, 0, 0)), "air");
}

static void a_fire_lit_in_the_last_tick_before_a_save_burns_out(void **state)
{
    (void)state;
    put(at(0, 0, 0), "stone");
    put(at(0, 1, 0), "fire");
    ticks(1);
    reopen();
    ticks(1500);
    assert_string_equal(name_at(at(0, 1, 0)), "air");
}

static void crops_farmland_and_saplings_are_saved(void **state)
{
    (void)state;
    static const char *const blocks[][2] = {{"farmland_wet", "wheat_stage_2"},
                                            {"farmland", "carrots_stage_3"},
                                            {"dirt", "birch_sapling"},
                                            {"stone", "snow_layer"}};
    for (int32_t i = 0; i < (int32_t)CN_COUNT_OF(blocks); i++)
        for (int32_t y = 0; y < 2; y++)
            put(at(2 * i, y, 0), blocks[i][y]);
    reopen();
    for (int32_t i = 0; i < (int32_t)CN_COUNT_OF(blocks); i++)
        for (int32_t y = 0; y < 2; y++)
            assert_string_equal(name_at(at(2 * i, y, 0)), blocks[i][y]);
}

static void the_totals_are_saved(void **state)
{
    (void)state;
    put(at(0, 0, 0), "farmland");
    cn_resource_mut(world_now(), CraftyGrowth)->ripened = 12;
    cn_resource_mut(world_now(), CraftyGrowth)->trees = 3;
    reopen();
    assert_int_equal(totals()->ripened, 12);
    assert_int_equal(totals()->trees, 3);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, end_session)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_fire_burns_out_after_reopening),
        TEST(loose_leaves_decay_after_reopening),
        TEST(a_trunk_cut_in_the_last_tick_before_a_save_loosens_its_leaves),
        TEST(a_fire_lit_in_the_last_tick_before_a_save_burns_out),
        TEST(crops_farmland_and_saplings_are_saved),
        TEST(the_totals_are_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
