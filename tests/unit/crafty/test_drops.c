/* Drops: falling, floating, resting, merging, being picked up, and the limits. */
#include "sim_fixture.h"

#include <crafty/sim/command.h>

static SimFixture fixture;

static int make(void **state)
{
    (void)state;
    fixture_make(&fixture, 1);
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    fixture_end(&fixture);
    return 0;
}

static CraftyStack stones(uint16_t count)
{
    return (CraftyStack){.item = fixture_item(&fixture, "stone"), .count = count};
}

/* A place that the player does not reach. */
static CnVec3 away(float x, float height)
{
    return cn_vec3(x + 0.5f, FLOOR_Y + 1 + height, -6.5f);
}

static CnEntity drop(CnVec3 at, CraftyStack stack)
{
    CnEntity entity = crafty_drop_spawn(fixture.world, at, cn_vec3(0, 0, 0), stack, 0);
    assert_true(entity.id != 0);
    return entity;
}

static const CraftyDrop *drop_of(CnEntity entity)
{
    return cn_get(fixture.world, entity, CraftyDrop);
}

static CnVec3 place_of(CnEntity entity)
{
    return cn_get(fixture.world, entity, CnTransform)->position;
}

static uint32_t carried(CraftyItem item)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < CRAFTY_PLAYER_SLOTS; i++) {
        const CraftyStack *slot = crafty_player_slot(fixture_player(&fixture, 0), i);
        sum += slot->item == item ? slot->count : 0;
    }
    return sum;
}

static void a_drop_falls_and_rests_on_the_ground(void **state)
{
    (void)state;
    CnEntity entity = drop(away(0, 3), stones(1));
    fixture_ticks(&fixture, 120);
    assert_true(drop_of(entity)->rests);
    assert_float_equal(place_of(entity).y, FLOOR_Y + 1 + CRAFTY_DROP_SIZE / 2, 0.01f);
}

static void a_resting_drop_does_not_move(void **state)
{
    (void)state;
    CnEntity entity = drop(away(0, 1), stones(1));
    fixture_ticks(&fixture, 120);
    CnVec3 before = place_of(entity);
    fixture_ticks(&fixture, 120);
    CnVec3 after = place_of(entity);
    assert_memory_equal(&before, &after, sizeof before);
}

static void a_drop_falls_when_the_block_below_it_goes(void **state)
{
    (void)state;
    CnEntity entity = drop(away(0, 1), stones(1));
    fixture_ticks(&fixture, 120);
    assert_true(voxel_set(fixture.voxels, (CnCell){0, FLOOR_Y, -7}, CN_BLOCK_AIR));
    fixture_ticks(&fixture, 60);
    assert_true(place_of(entity).y < FLOOR_Y);
}

static void a_drop_rises_out_of_a_block_that_is_placed_on_it(void **state)
{
    (void)state;
    CnEntity entity = drop(away(0, 0.2f), stones(1));
    fixture_ticks(&fixture, 60);
    assert_true(voxel_set(fixture.voxels, (CnCell){0, FLOOR_Y + 1, -7}, BLOCK_STONE));
    fixture_ticks(&fixture, 120);
    assert_float_equal(place_of(entity).y, FLOOR_Y + 2 + CRAFTY_DROP_SIZE / 2, 0.01f);
}

static void a_drop_floats_on_water_and_rests(void **state)
{
    (void)state;
    for (int32_t x = -2; x <= 2; x++)
        for (int32_t z = -8; z <= -5; z++)
            for (int32_t y = 1; y <= 3; y++) {
                bool is_wall = x == -2 || x == 2 || z == -8 || z == -5;
                assert_true(voxel_set(fixture.voxels, (CnCell){x, FLOOR_Y + y, z},
                                      is_wall ? (CnBlock)BLOCK_GLASS : (CnBlock)CN_BLOCK_WATER));
            }
    CnEntity entity = drop(away(0, 0.5f), stones(1));
    fixture_ticks(&fixture, 600);
    assert_true(drop_of(entity)->rests);
    assert_float_equal(place_of(entity).y, FLOOR_Y + 3.8f, 0.1f);
}

static void equal_drops_that_lie_together_merge(void **state)
{
    (void)state;
    drop(away(0, 0.5f), stones(3));
    drop(away(0.4f, 0.5f), stones(4));
    fixture_ticks(&fixture, 60);
    assert_int_equal(crafty_drop_count(fixture.world), 1);
    assert_int_equal(crafty_drop_items(fixture.world, stones(1).item), 7);
}

static void drops_that_exceed_a_stack_do_not_merge(void **state)
{
    (void)state;
    drop(away(0, 0.5f), stones(60));
    drop(away(0.4f, 0.5f), stones(5));
    fixture_ticks(&fixture, 60);
    assert_int_equal(crafty_drop_count(fixture.world), 2);
}

static void drops_of_different_items_do_not_merge(void **state)
{
    (void)state;
    drop(away(0, 0.5f), stones(1));
    drop(away(0.4f, 0.5f), (CraftyStack){.item = fixture_item(&fixture, "dirt"), .count = 1});
    fixture_ticks(&fixture, 60);
    assert_int_equal(crafty_drop_count(fixture.world), 2);
}

static void a_drop_near_a_player_is_picked_up(void **state)
{
    (void)state;
    drop(cn_vec3(1.9f, FLOOR_Y + 1.2f, 0.5f), stones(5));
    fixture_ticks(&fixture, 60);
    assert_int_equal(crafty_drop_count(fixture.world), 0);
    assert_int_equal(carried(stones(1).item), 5);
}

static void a_drop_out_of_reach_stays(void **state)
{
    (void)state;
    drop(cn_vec3(3.5f, FLOOR_Y + 1.2f, 0.5f), stones(5));
    fixture_ticks(&fixture, 60);
    assert_int_equal(crafty_drop_items(fixture.world, stones(1).item), 5);
}

static void a_drop_that_waits_is_not_picked_up(void **state)
{
    (void)state;
    crafty_drop_spawn(fixture.world, cn_vec3(0.5f, FLOOR_Y + 1.5f, 0.5f), cn_vec3(0, 0, 0),
                      stones(1), 40);
    fixture_ticks(&fixture, 39);
    assert_int_equal(crafty_drop_count(fixture.world), 1);
    fixture_ticks(&fixture, 20);
    assert_int_equal(crafty_drop_count(fixture.world), 0);
}

static void a_player_without_room_takes_what_fits(void **state)
{
    (void)state;
    CraftyPlayer *player = fixture_player(&fixture, 0);
    for (uint32_t i = 0; i < CRAFTY_PLAYER_SLOTS; i++)
        *crafty_player_slot(player, i) =
            (CraftyStack){.item = fixture_item(&fixture, "dirt"), .count = 64};
    player->slots[3] = stones(62);
    drop(cn_vec3(0.5f, FLOOR_Y + 1.5f, 0.5f), stones(5));
    fixture_ticks(&fixture, 30);
    assert_int_equal(player->slots[3].count, 64);
    assert_int_equal(crafty_drop_items(fixture.world, stones(1).item), 3);
}

static void a_drop_vanishes_after_its_lifetime_and_is_counted(void **state)
{
    (void)state;
    CnEntity entity = drop(away(0, 0.5f), stones(9));
    fixture_ticks(&fixture, 1);
    cn_get_mut(fixture.world, entity, CraftyDrop)->age = CRAFTY_DROP_LIFETIME - 2;
    fixture_ticks(&fixture, 2);
    assert_int_equal(crafty_drop_count(fixture.world), 1);
    fixture_ticks(&fixture, 1);
    assert_int_equal(crafty_drop_count(fixture.world), 0);
    assert_int_equal(cn_resource(fixture.world, CraftyDropCounts)->vanished_items, 9);
}

static void fill_world(void)
{
    for (uint32_t i = 0; i < CRAFTY_MAX_DROP_ENTITIES; i++)
        drop(away((float)(i % 8), 0.5f), stones(60));
}

static void a_full_world_refuses_a_drop(void **state)
{
    (void)state;
    fill_world();
    assert_false(crafty_drop_spawn(fixture.world, away(0, 1), cn_vec3(0, 0, 0), stones(5), 0).id);
    assert_int_equal(crafty_drop_count(fixture.world), CRAFTY_MAX_DROP_ENTITIES);
}

static void a_full_world_adds_to_a_stack_with_room(void **state)
{
    (void)state;
    fill_world();
    uint64_t before = crafty_drop_items(fixture.world, stones(1).item);
    assert_true(crafty_drop_spawn(fixture.world, away(0, 1), cn_vec3(0, 0, 0), stones(4), 0).id);
    assert_int_equal(crafty_drop_items(fixture.world, stones(1).item), before + 4);
    assert_int_equal(crafty_drop_count(fixture.world), CRAFTY_MAX_DROP_ENTITIES);
}

static void an_empty_stack_or_a_place_outside_is_refused(void **state)
{
    (void)state;
    CnVec3 zero = cn_vec3(0, 0, 0);
    assert_false(crafty_drop_spawn(fixture.world, away(0, 1), zero, (CraftyStack){0}, 0).id);
    assert_false(crafty_drop_spawn(fixture.world, cn_vec3(1e30f, 0, 0), zero, stones(1), 0).id);
}

static void a_drop_of_a_manipulated_save_does_no_harm(void **state)
{
    (void)state;
    CnEntity entity = drop(away(0, 1), stones(1)), lost = drop(away(1, 1), stones(1));
    float none = 0;
    cn_get_mut(fixture.world, entity, CraftyDrop)->velocity = cn_vec3(1e30f, none / none, 0);
    cn_get_mut(fixture.world, lost, CnTransform)->position = cn_vec3(none / none, 0, 0);
    fixture_ticks(&fixture, 60);
    assert_true(drop_of(entity)->rests);
    assert_false(cn_is_alive(fixture.world, lost));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_drop_falls_and_rests_on_the_ground, make, unmake),
        cmocka_unit_test_setup_teardown(a_resting_drop_does_not_move, make, unmake),
        cmocka_unit_test_setup_teardown(a_drop_falls_when_the_block_below_it_goes, make, unmake),
        cmocka_unit_test_setup_teardown(a_drop_rises_out_of_a_block_that_is_placed_on_it, make,
                                        unmake),
        cmocka_unit_test_setup_teardown(a_drop_floats_on_water_and_rests, make, unmake),
        cmocka_unit_test_setup_teardown(equal_drops_that_lie_together_merge, make, unmake),
        cmocka_unit_test_setup_teardown(drops_that_exceed_a_stack_do_not_merge, make, unmake),
        cmocka_unit_test_setup_teardown(drops_of_different_items_do_not_merge, make, unmake),
        cmocka_unit_test_setup_teardown(a_drop_near_a_player_is_picked_up, make, unmake),
        cmocka_unit_test_setup_teardown(a_drop_out_of_reach_stays, make, unmake),
        cmocka_unit_test_setup_teardown(a_drop_that_waits_is_not_picked_up, make, unmake),
        cmocka_unit_test_setup_teardown(a_player_without_room_takes_what_fits, make, unmake),
        cmocka_unit_test_setup_teardown(a_drop_vanishes_after_its_lifetime_and_is_counted, make,
                                        unmake),
        cmocka_unit_test_setup_teardown(a_full_world_refuses_a_drop, make, unmake),
        cmocka_unit_test_setup_teardown(a_full_world_adds_to_a_stack_with_room, make, unmake),
        cmocka_unit_test_setup_teardown(an_empty_stack_or_a_place_outside_is_refused, make, unmake),
        cmocka_unit_test_setup_teardown(a_drop_of_a_manipulated_save_does_no_harm, make, unmake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
