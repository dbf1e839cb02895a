/* What water does: images of small worlds. */
#include "cmocka_tests.h"
#include "standard_blocks.h"
#include "water_world.h"

#include <stdlib.h>

static WaterWorld *world_of(int32_t size_x, int32_t size_y, int32_t size_z)
{
    return water_world_create(NULL, size_x, size_y, size_z);
}

static void fill(WaterWorld *world, CnCell first, CnCell last, CnBlock block)
{
    water_world_fill(world, first, last, block);
}

/* ---- A bucket ---- */

static void a_bucket_makes_a_puddle_of_seven(void **state)
{
    (void)state;
    WaterWorld *world = world_of(17, 2, 17);
    water_world_put(world, 8, 0, 8, CN_BLOCK_WATER);
    water_world_settle(world, 100);
    for (int32_t i = 0; i < 17 * 17; i++) {
        int32_t away = abs(i % 17 - 8) + abs(i / 17 - 8);
        assert_int_equal(cn_water_level(water_world_get(world, i % 17, 0, i / 17)),
                         away < 8 ? 8 - away : 0);
        assert_int_equal(water_world_get(world, i % 17, 1, i / 17), CN_BLOCK_AIR);
    }
    water_world_destroy(world);
}

static void it_goes_one_way_a_step(void **state)
{
    (void)state;
    WaterWorld *world = world_of(3, 1, 3);
    water_world_put(world, 1, 0, 1, CN_BLOCK_WATER);
    water_world_step(world, 1);
    water_world_expect_layer(world, 0, ".../.87/...");
    water_world_step(world, 1);
    water_world_expect_layer(world, 0, ".../787/..6");
    water_world_step(world, 1);
    water_world_expect_layer(world, 0, "..6/787/676");
    water_world_step(world, 1);
    water_world_expect_layer(world, 0, "676/787/676");
    water_world_destroy(world);
}

static void of_two_that_run_into_a_cell_the_higher_one_counts(void **state)
{
    (void)state;
    WaterWorld *world = world_of(5, 1, 1);
    water_world_set(world, 1, 0, 0, CN_BLOCK_WATER);
    water_world_set(world, 3, 0, 0, CN_BLOCK_WATER_7);
    water_world_set(world, 4, 0, 0, CN_BLOCK_WATER);
    assert_true(cn_water_wake(world->water, (CnCell){4, 0, 0}));
    assert_true(cn_water_wake(world->water, (CnCell){1, 0, 0}));
    water_world_step(world, 1);
    water_world_expect_layer(world, 0, ".8778");
    water_world_destroy(world);
}

static void a_bucket_in_a_pit_stays_there(void **state)
{
    (void)state;
    WaterWorld *world = world_of(5, 4, 5);
    fill(world, (CnCell){0, 0, 0}, (CnCell){4, 1, 4}, BLOCK_STONE);
    fill(world, (CnCell){1, 0, 1}, (CnCell){3, 1, 3}, CN_BLOCK_AIR);
    water_world_put(world, 2, 0, 2, CN_BLOCK_WATER);
    water_world_settle(world, 100);
    water_world_expect_layer(world, 0, "#####/#676#/#787#/#676#/#####");
    water_world_expect_layer(world, 1, "#####/#...#/#...#/#...#/#####");
    water_world_destroy(world);
}

static void two_sources_make_no_third(void **state)
{
    (void)state;
    WaterWorld *world = world_of(3, 1, 1);
    water_world_put(world, 0, 0, 0, CN_BLOCK_WATER);
    water_world_put(world, 2, 0, 0, CN_BLOCK_WATER);
    water_world_settle(world, 100);
    water_world_expect_layer(world, 0, "878");
    water_world_destroy(world);
}

/* ---- Down ---- */

static void down_comes_before_aside(void **state)
{
    (void)state;
    WaterWorld *world = world_of(3, 3, 1);
    water_world_put(world, 1, 2, 0, CN_BLOCK_WATER);
    water_world_step(world, 1);
    water_world_expect_layer(world, 2, ".8.");
    water_world_expect_layer(world, 1, ".7.");
    water_world_step(world, 1);
    water_world_expect_layer(world, 2, ".87");
    water_world_expect_layer(world, 0, ".7.");
    water_world_destroy(world);
}

static void a_source_without_support_goes_one_cell_aside(void **state)
{
    (void)state;
    WaterWorld *world = world_of(5, 8, 5);
    water_world_put(world, 2, 6, 2, CN_BLOCK_WATER);
    water_world_settle(world, 200);
    water_world_expect_layer(world, 6, "...../..1../.181./..1../.....");
    water_world_expect_layer(world, 5, "...../..7../.777./..7../.....");
    water_world_expect_rest(world);
    water_world_destroy(world);
}

static void four_blocks_below_are_a_support_and_five_are_not(void **state)
{
    (void)state;
    WaterWorld *world = world_of(5, 8, 1);
    water_world_put(world, 2, 4, 0, CN_BLOCK_WATER);
    water_world_settle(world, 200);
    water_world_expect_layer(world, 4, ".181.");
    water_world_put(world, 2, 0, 0, BLOCK_STONE);
    water_world_settle(world, 200);
    water_world_expect_layer(world, 4, ".787.");
    water_world_put(world, 2, 0, 0, CN_BLOCK_AIR);
    water_world_settle(world, 200);
    water_world_expect_layer(world, 4, ".181.");
    water_world_destroy(world);
}

static void a_fall_over_a_cliff_is_as_wide_as_its_brook(void **state)
{
    (void)state;
    WaterWorld *world = world_of(20, 12, 5);
    fill(world, (CnCell){0, 0, 0}, (CnCell){4, 9, 4}, BLOCK_STONE);
    fill(world, (CnCell){0, 9, 2}, (CnCell){4, 9, 2}, CN_BLOCK_AIR);
    water_world_put(world, 0, 9, 2, CN_BLOCK_WATER);
    water_world_settle(world, 300);
    water_world_expect_layer(world, 9,
                             "#####.............../#####.............../876543............../"
                             "#####.............../#####...............");
    for (int32_t y = 1; y < 9; y++)
        water_world_expect_layer(world, y,
                                 "#####.............../#####.............../#####7............../"
                                 "#####.............../#####...............");
    water_world_expect_layer(world, 0,
                             "#####54321........../#####654321........./#####7654321......../"
                             "#####654321........./#####54321..........");
    water_world_destroy(world);
}

static void water_falls_down_a_deep_shaft_and_spreads_there(void **state)
{
    (void)state;
    WaterWorld *world = world_of(3, 100, 3);
    fill(world, (CnCell){0, 1, 0}, (CnCell){2, 99, 2}, BLOCK_STONE);
    fill(world, (CnCell){1, 1, 1}, (CnCell){1, 99, 1}, CN_BLOCK_AIR);
    water_world_put(world, 1, 99, 1, CN_BLOCK_WATER);
    water_world_settle(world, 200);
    water_world_expect_layer(world, 50, "###/#7#/###");
    water_world_expect_layer(world, 0, "565/676/565");
    water_world_destroy(world);
}

static void what_flows_does_not_pile_up_on_a_lake(void **state)
{
    (void)state;
    WaterWorld *world = world_of(9, 6, 3);
    fill(world, (CnCell){0, 0, 0}, (CnCell){8, 1, 2}, CN_BLOCK_WATER);
    fill(world, (CnCell){0, 2, 0}, (CnCell){2, 2, 2}, BLOCK_STONE);
    water_world_put(world, 0, 3, 1, CN_BLOCK_WATER);
    water_world_settle(world, 200);
    water_world_expect_layer(world, 3, "7654...../8765...../7654.....");
    water_world_expect_layer(world, 2, "###7...../###7...../###7.....");
    water_world_expect_layer(world, 1, "888888888/888888888/888888888");
    water_world_destroy(world);
}

/* ---- Drying ---- */

static void taking_the_source_away_dries_everything_up(void **state)
{
    (void)state;
    WaterWorld *world = world_of(20, 12, 20);
    fill(world, (CnCell){8, 0, 8}, (CnCell){12, 8, 12}, BLOCK_STONE);
    water_world_put(world, 10, 9, 10, CN_BLOCK_WATER);
    water_world_settle(world, 300);
    assert_in_range(water_world_count(world), 200, 1000);
    water_world_put(world, 10, 9, 10, CN_BLOCK_AIR);
    water_world_settle(world, 60);
    assert_int_equal(water_world_count(world), 0);
    water_world_destroy(world);
}

static void a_puddle_sinks_level_by_level(void **state)
{
    (void)state;
    WaterWorld *world = world_of(5, 1, 1);
    water_world_put(world, 0, 0, 0, CN_BLOCK_WATER);
    water_world_settle(world, 100);
    water_world_expect_layer(world, 0, "87654");
    water_world_put(world, 0, 0, 0, BLOCK_STONE);
    water_world_step(world, 1);
    water_world_expect_layer(world, 0, "#6654");
    water_world_step(world, 1);
    water_world_expect_layer(world, 0, "#5554");
    water_world_settle(world, 20);
    water_world_expect_layer(world, 0, "#....");
    water_world_destroy(world);
}

static void a_fall_without_water_comes_down_a_cell_a_step(void **state)
{
    (void)state;
    WaterWorld *world = world_of(1, 30, 1);
    water_world_put(world, 0, 29, 0, CN_BLOCK_WATER);
    water_world_settle(world, 100);
    assert_int_equal(water_world_count(world), 30);
    water_world_put(world, 0, 29, 0, CN_BLOCK_AIR);
    water_world_step(world, 10);
    assert_int_equal(water_world_count(world), 19);
    water_world_settle(world, 40);
    assert_int_equal(water_world_count(world), 0);
    water_world_destroy(world);
}

static void what_hangs_in_the_air_sinks_to_what_it_is_still_fed(void **state)
{
    (void)state;
    WaterWorld *world = world_of(5, 3, 1);
    fill(world, (CnCell){0, 0, 0}, (CnCell){3, 0, 0}, BLOCK_STONE);
    water_world_set(world, 3, 2, 0, BLOCK_STONE);
    water_world_put(world, 0, 1, 0, CN_BLOCK_WATER);
    water_world_put(world, 4, 2, 0, CN_BLOCK_WATER);
    water_world_settle(world, 100);
    water_world_expect_layer(world, 1, "87657");
    water_world_put(world, 4, 2, 0, BLOCK_STONE);
    water_world_step(world, 1);
    water_world_expect_layer(world, 1, "87656");
    water_world_settle(world, 100);
    water_world_expect_layer(world, 1, "87654");
    water_world_destroy(world);
}

/* ---- Blocks and water ---- */

static void a_block_in_the_stream_dries_what_is_behind_it(void **state)
{
    (void)state;
    WaterWorld *world = world_of(8, 2, 1);
    water_world_put(world, 0, 0, 0, CN_BLOCK_WATER);
    water_world_settle(world, 100);
    water_world_expect_layer(world, 0, "87654321");
    water_world_put(world, 3, 0, 0, BLOCK_STONE);
    water_world_settle(world, 100);
    water_world_expect_layer(world, 0, "876#....");
    water_world_put(world, 3, 0, 0, CN_BLOCK_AIR);
    water_world_settle(world, 100);
    water_world_expect_layer(world, 0, "87654321");
    water_world_destroy(world);
}

static void a_block_in_place_of_the_source_ends_it(void **state)
{
    (void)state;
    WaterWorld *world = world_of(9, 1, 9);
    water_world_put(world, 4, 0, 4, CN_BLOCK_WATER);
    water_world_settle(world, 100);
    water_world_put(world, 4, 0, 4, BLOCK_STONE);
    water_world_settle(world, 100);
    assert_int_equal(water_world_count(world), 0);
    water_world_destroy(world);
}

static void props_are_washed_away_and_other_blocks_are_not(void **state)
{
    (void)state;
    WaterWorld *world = world_of(5, 2, 1);
    water_world_set(world, 1, 0, 0, BLOCK_POPPY);
    water_world_set(world, 2, 0, 0, BLOCK_TORCH);
    water_world_set(world, 3, 0, 0, BLOCK_GLASS);
    water_world_set(world, 4, 0, 0, BLOCK_POPPY);
    water_world_put(world, 0, 0, 0, CN_BLOCK_WATER);
    water_world_settle(world, 100);
    water_world_expect_layer(world, 0, "876#p");
    water_world_destroy(world);
}

/* ---- Lakes and seas ---- */

static void a_dam_break_floods_what_is_below_and_mending_it_dries_it(void **state)
{
    (void)state;
    WaterWorld *world = world_of(24, 6, 9);
    fill(world, (CnCell){0, 0, 0}, (CnCell){7, 4, 8}, CN_BLOCK_WATER);
    fill(world, (CnCell){8, 0, 0}, (CnCell){8, 5, 8}, BLOCK_STONE);
    water_world_put(world, 8, 4, 4, CN_BLOCK_AIR);
    water_world_settle(world, 300);
    water_world_expect_rest(world);
    assert_int_equal(cn_water_level(water_world_get(world, 8, 4, 4)), 7);
    assert_int_equal(cn_water_level(water_world_get(world, 9, 4, 4)), 6);
    assert_int_equal(cn_water_level(water_world_get(world, 10, 4, 4)), 0);
    assert_int_equal(cn_water_level(water_world_get(world, 9, 0, 4)), 7);
    assert_int_equal(cn_water_level(water_world_get(world, 15, 0, 4)), 1);
    for (int32_t y = 0; y < 4; y++)
        water_world_put(world, 8, y, 4, CN_BLOCK_AIR);
    water_world_settle(world, 300);
    water_world_expect_rest(world);
    assert_int_equal(cn_water_level(water_world_get(world, 8, 2, 4)), 7);
    assert_int_equal(cn_water_level(water_world_get(world, 14, 0, 4)), 1);
    for (int32_t y = 0; y < 5; y++)
        water_world_put(world, 8, y, 4, BLOCK_STONE);
    water_world_settle(world, 300);
    assert_int_equal(water_world_count(world), 8 * 5 * 9);
    water_world_destroy(world);
}

static void the_sea_runs_into_a_tunnel_at_any_depth_and_comes_to_rest(void **state)
{
    (void)state;
    WaterWorld *world = world_of(30, 22, 9);
    fill(world, (CnCell){0, 0, 0}, (CnCell){9, 20, 8}, CN_BLOCK_WATER);
    fill(world, (CnCell){10, 0, 0}, (CnCell){29, 20, 8}, BLOCK_STONE);
    fill(world, (CnCell){11, 10, 4}, (CnCell){25, 11, 4}, CN_BLOCK_AIR);
    fill(world, (CnCell){14, 3, 4}, (CnCell){14, 9, 4}, CN_BLOCK_AIR);
    water_world_put(world, 10, 10, 4, CN_BLOCK_AIR);
    water_world_settle(world, 300);
    water_world_expect_rest(world);
    for (int32_t x = 10; x <= 14; x++)
        assert_int_equal(cn_water_level(water_world_get(world, x, 10, 4)), 17 - x);
    assert_int_equal(cn_water_level(water_world_get(world, 15, 10, 4)), 0);
    assert_int_equal(cn_water_level(water_world_get(world, 14, 3, 4)), 7);
    assert_int_equal(water_world_count(world), 10 * 21 * 9 + 5 + 7);
    water_world_destroy(world);
}

static void a_hole_in_a_lake_closes(void **state)
{
    (void)state;
    WaterWorld *world = world_of(7, 4, 7);
    fill(world, (CnCell){0, 0, 0}, (CnCell){6, 2, 6}, CN_BLOCK_WATER);
    /* A pier of three, and a bucket out of the deep. */
    for (int32_t x = 2; x < 5; x++)
        water_world_put(world, x, 2, 3, CN_BLOCK_AIR);
    water_world_put(world, 3, 1, 1, CN_BLOCK_AIR);
    water_world_settle(world, 100);
    for (int32_t i = 0; i < 49; i++)
        for (int32_t y = 0; y < 3; y++)
            assert_int_equal(water_world_get(world, i % 7, y, i / 7), CN_BLOCK_WATER);
    water_world_destroy(world);
}

/* A source stands four above a cell that is filled later, when everything sleeps. */
static void what_is_filled_carries_what_is_above(void **state)
{
    (void)state;
    WaterWorld *world = world_of(7, 6, 3);
    fill(world, (CnCell){0, 0, 0}, (CnCell){6, 0, 2}, BLOCK_STONE);
    water_world_put(world, 3, 0, 1, BLOCK_STONE);
    water_world_put(world, 3, 1, 0, CN_BLOCK_WATER);
    water_world_put(world, 3, 1, 2, CN_BLOCK_WATER);
    water_world_put(world, 3, 5, 1, CN_BLOCK_WATER);
    water_world_settle(world, 100);
    water_world_expect_layer(world, 5, "...1.../..181../...1...");
    water_world_put(world, 4, 1, 1, CN_BLOCK_WATER);
    water_world_settle(world, 100);
    assert_int_equal(water_world_get(world, 3, 1, 1), CN_BLOCK_WATER);
    water_world_expect_layer(world, 5, "...7.../..787../...7...");
    water_world_expect_rest(world);
    water_world_destroy(world);
}

static void a_basin_beside_the_sea_is_not_filled_with_sources(void **state)
{
    (void)state;
    WaterWorld *world = world_of(12, 3, 8);
    fill(world, (CnCell){0, 0, 0}, (CnCell){3, 1, 7}, CN_BLOCK_WATER);
    fill(world, (CnCell){4, 0, 0}, (CnCell){11, 1, 7}, BLOCK_STONE);
    fill(world, (CnCell){5, 1, 1}, (CnCell){8, 1, 6}, CN_BLOCK_AIR);
    for (int32_t z = 1; z < 7; z++)
        water_world_put(world, 4, 1, z, CN_BLOCK_AIR);
    water_world_settle(world, 200);
    water_world_expect_layer(world, 1,
                             "8888########/888876543###/888876543###/888876543###/888876543###/"
                             "888876543###/888876543###/8888########");
    water_world_destroy(world);
}

static void still_water_sleeps(void **state)
{
    (void)state;
    WaterWorld *world = world_of(40, 12, 40);
    fill(world, (CnCell){0, 0, 0}, (CnCell){39, 9, 39}, CN_BLOCK_WATER);
    water_world_put(world, 20, 10, 20, BLOCK_STONE);
    uint64_t gets = world->gets;
    assert_int_equal(water_world_settle(world, 2), 1);
    assert_in_range(world->gets - gets, 1, 10);
    assert_int_equal(world->sets, 0);
    gets = world->gets;
    water_world_step(world, 100);
    assert_int_equal(world->gets, gets);
    water_world_destroy(world);
}

/* ---- Whom it moves for ---- */

static void water_waits_until_somebody_is_near(void **state)
{
    (void)state;
    WaterWorld *world = world_of(40, 1, 1);
    const CnCell centers[] = {{39, 0, 0}, {0, 5, 0}};
    water_world_put(world, 0, 0, 0, CN_BLOCK_WATER);
    cn_water_step(world->water, centers, 0, 1000, 10);
    cn_water_step(world->water, centers, 1, 38, 10);
    cn_water_step(world->water, centers, 2, 4, 10);
    assert_int_equal(water_world_count(world), 1);
    assert_int_equal(cn_water_awake(world->water), 1);
    cn_water_step(world->water, centers, 2, 5, 10);
    assert_int_equal(water_world_count(world), 2);
    water_world_destroy(world);
}

/* However busy others are. */
static void with_a_small_budget_everybody_has_a_turn(void **state)
{
    (void)state;
    WaterWorld *world = world_of(17, 2, 17);
    world->budget = 1;
    water_world_set(world, 0, 0, 0, BLOCK_STONE);
    water_world_put(world, 8, 0, 8, CN_BLOCK_WATER);
    water_world_put(world, 0, 1, 0, CN_BLOCK_WATER);
    water_world_step(world, 3);
    assert_int_equal(cn_water_level(water_world_get(world, 1, 1, 0)), 7);
    water_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bucket_makes_a_puddle_of_seven),
        cmocka_unit_test(it_goes_one_way_a_step),
        cmocka_unit_test(of_two_that_run_into_a_cell_the_higher_one_counts),
        cmocka_unit_test(a_bucket_in_a_pit_stays_there),
        cmocka_unit_test(two_sources_make_no_third),
        cmocka_unit_test(down_comes_before_aside),
        cmocka_unit_test(a_source_without_support_goes_one_cell_aside),
        cmocka_unit_test(four_blocks_below_are_a_support_and_five_are_not),
        cmocka_unit_test(a_fall_over_a_cliff_is_as_wide_as_its_brook),
        cmocka_unit_test(water_falls_down_a_deep_shaft_and_spreads_there),
        cmocka_unit_test(what_flows_does_not_pile_up_on_a_lake),
        cmocka_unit_test(taking_the_source_away_dries_everything_up),
        cmocka_unit_test(a_puddle_sinks_level_by_level),
        cmocka_unit_test(a_fall_without_water_comes_down_a_cell_a_step),
        cmocka_unit_test(what_hangs_in_the_air_sinks_to_what_it_is_still_fed),
        cmocka_unit_test(a_block_in_the_stream_dries_what_is_behind_it),
        cmocka_unit_test(a_block_in_place_of_the_source_ends_it),
        cmocka_unit_test(props_are_washed_away_and_other_blocks_are_not),
        cmocka_unit_test(a_dam_break_floods_what_is_below_and_mending_it_dries_it),
        cmocka_unit_test(the_sea_runs_into_a_tunnel_at_any_depth_and_comes_to_rest),
        cmocka_unit_test(a_hole_in_a_lake_closes),
        cmocka_unit_test(what_is_filled_carries_what_is_above),
        cmocka_unit_test(a_basin_beside_the_sea_is_not_filled_with_sources),
        cmocka_unit_test(still_water_sleeps),
        cmocka_unit_test(with_a_small_budget_everybody_has_a_turn),
        cmocka_unit_test(water_waits_until_somebody_is_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
