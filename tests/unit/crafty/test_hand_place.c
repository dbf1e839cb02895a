/* Placing: counted stacks, bodies in the way, plants, repetition. */
#include "sim_fixture.h"

#include <crafty/sim/vitals.h>

static SimFixture fixture;
static const CnCell WALL = {0, FLOOR_Y + 2, -3}, BEFORE = {0, FLOOR_Y + 2, -2};

static int make(void **state)
{
    (void)state;
    fixture_make(&fixture, 2);
    fixture_player(&fixture, 0)->mode = CRAFTY_MODE_SURVIVAL;
    fixture_player(&fixture, 0)->slots[0] =
        (CraftyStack){.item = fixture_item(&fixture, "glass"), .count = 3};
    assert_true(voxel_set(fixture.voxels, WALL, BLOCK_STONE));
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    fixture_end(&fixture);
    return 0;
}

static void hold_place(uint64_t ticks)
{
    input_button(&fixture.inputs[0], CN_MOUSE_RIGHT, true);
    fixture_ticks(&fixture, ticks);
    input_button(&fixture.inputs[0], CN_MOUSE_RIGHT, false);
    fixture_ticks(&fixture, 1);
}

static CnBlock at(CnCell cell)
{
    return cn_voxels_get(fixture.voxels, cell);
}

static void placing_answers_in_the_same_tick(void **state)
{
    (void)state;
    input_button(&fixture.inputs[0], CN_MOUSE_RIGHT, true);
    fixture_ticks(&fixture, 1);
    assert_int_equal(at(BEFORE), BLOCK_GLASS);
}

static void placing_in_survival_consumes_one_item(void **state)
{
    (void)state;
    hold_place(1);
    assert_int_equal(fixture_player(&fixture, 0)->slots[0].count, 2);
}

static void the_last_item_leaves_an_empty_slot(void **state)
{
    (void)state;
    fixture_player(&fixture, 0)->slots[0].count = 1;
    hold_place(1);
    assert_int_equal(fixture_player(&fixture, 0)->slots[0].item, CRAFTY_NO_ITEM);
}

static void placing_in_creative_mode_consumes_nothing(void **state)
{
    (void)state;
    fixture_player(&fixture, 0)->mode = CRAFTY_MODE_CREATIVE;
    hold_place(1);
    assert_int_equal(at(BEFORE), BLOCK_GLASS);
    assert_int_equal(fixture_player(&fixture, 0)->slots[0].count, 3);
}

static void placing_repeats_while_the_button_is_held(void **state)
{
    (void)state;
    input_button(&fixture.inputs[0], CN_MOUSE_RIGHT, true);
    fixture_ticks(&fixture, 41); /* 700 ms are 42 ticks */
    assert_int_equal(fixture_player(&fixture, 0)->slots[0].count, 2);
    fixture_ticks(&fixture, 4);
    assert_int_equal(fixture_player(&fixture, 0)->slots[0].count, 1);
}

static void nothing_is_placed_into_another_player(void **state)
{
    (void)state;
    cn_get_mut(fixture.world, fixture.players[1], CnTransform)->position =
        cn_vec3(0.5f, FLOOR_Y + 1 + CRAFTY_PLAYER_EYE + 0.01f, -1.5f);
    fixture_ticks(&fixture, 1);
    hold_place(1);
    assert_int_equal(at(BEFORE), CN_BLOCK_AIR);
    assert_int_equal(fixture_player(&fixture, 0)->slots[0].count, 3);
}

static void a_spectator_is_not_in_the_way(void **state)
{
    (void)state;
    assert_true(crafty_player_set_mode(fixture.world, fixture.players[1], CRAFTY_MODE_SPECTATOR));
    cn_get_mut(fixture.world, fixture.players[1], CnTransform)->position =
        cn_vec3(0.5f, FLOOR_Y + 1 + CRAFTY_PLAYER_EYE + 0.01f, -1.5f);
    fixture_ticks(&fixture, 1);
    hold_place(1);
    assert_int_equal(at(BEFORE), BLOCK_GLASS);
}

static void a_plant_is_replaced(void **state)
{
    (void)state;
    assert_true(voxel_set(fixture.voxels, BEFORE, BLOCK_SHORT_GRASS));
    hold_place(1);
    assert_int_equal(at(BEFORE), BLOCK_GLASS);
}

/* The player stands at the edge of the cell of the plant, which cannot be filled. */
static void a_plant_at_the_feet_does_not_keep_from_placing_behind_it(void **state)
{
    (void)state;
    CnCell plant = {0, FLOOR_Y + 2, -1};
    assert_true(voxel_set(fixture.voxels, plant, BLOCK_SHORT_GRASS));
    cn_get_mut(fixture.world, fixture.players[0], CnTransform)->position.z = 0.1f;
    fixture_ticks(&fixture, 1);
    hold_place(1);
    assert_int_equal(at(plant), BLOCK_SHORT_GRASS);
    assert_int_equal(at(BEFORE), BLOCK_GLASS);
}

static void a_dead_player_places_nothing(void **state)
{
    (void)state;
    cn_get_mut(fixture.world, fixture.players[0], CraftyVitals)->dead = true;
    hold_place(1);
    assert_int_equal(at(BEFORE), CN_BLOCK_AIR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(placing_answers_in_the_same_tick, make, unmake),
        cmocka_unit_test_setup_teardown(placing_in_survival_consumes_one_item, make, unmake),
        cmocka_unit_test_setup_teardown(the_last_item_leaves_an_empty_slot, make, unmake),
        cmocka_unit_test_setup_teardown(placing_in_creative_mode_consumes_nothing, make, unmake),
        cmocka_unit_test_setup_teardown(placing_repeats_while_the_button_is_held, make, unmake),
        cmocka_unit_test_setup_teardown(nothing_is_placed_into_another_player, make, unmake),
        cmocka_unit_test_setup_teardown(a_spectator_is_not_in_the_way, make, unmake),
        cmocka_unit_test_setup_teardown(a_plant_is_replaced, make, unmake),
        cmocka_unit_test_setup_teardown(a_plant_at_the_feet_does_not_keep_from_placing_behind_it,
                                        make, unmake),
        cmocka_unit_test_setup_teardown(a_dead_player_places_nothing, make, unmake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
