/* Breaking: what drops, what creative mode changes, and who cannot break. */
#include "sim_fixture.h"

#include <crafty/sim/vitals.h>

static SimFixture fixture;
static const CnCell AHEAD = {0, FLOOR_Y + 2, -2};

static int make(void **state)
{
    (void)state;
    fixture_make(&fixture, 1);
    fixture_player(&fixture, 0)->mode = CRAFTY_MODE_SURVIVAL;
    assert_true(voxel_set(fixture.voxels, AHEAD, BLOCK_DIRT));
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    fixture_end(&fixture);
    return 0;
}

static void hold_break(uint64_t ticks)
{
    input_button(&fixture.inputs[0], CN_MOUSE_LEFT, true);
    fixture_ticks(&fixture, ticks);
    input_button(&fixture.inputs[0], CN_MOUSE_LEFT, false);
    fixture_ticks(&fixture, 1);
}

static CnBlock ahead(void)
{
    return cn_voxels_get(fixture.voxels, AHEAD);
}

static void a_block_broken_in_survival_drops_its_item(void **state)
{
    (void)state;
    hold_break(46);
    assert_int_equal(ahead(), CN_BLOCK_AIR);
    assert_int_equal(crafty_drop_items(fixture.world, fixture_item(&fixture, "dirt")), 1);
}

static void a_dropped_block_flies_to_the_player(void **state)
{
    (void)state;
    assert_true(voxel_set(fixture.voxels, (CnCell){0, FLOOR_Y + 2, -1}, BLOCK_DIRT));
    hold_break(46);
    fixture_ticks(&fixture, 120);
    assert_int_equal(crafty_drop_count(fixture.world), 0);
    assert_int_equal(fixture_player(&fixture, 0)->slots[0].item, fixture_item(&fixture, "dirt"));
}

static void creative_mode_breaks_in_the_same_tick(void **state)
{
    (void)state;
    fixture_player(&fixture, 0)->mode = CRAFTY_MODE_CREATIVE;
    input_button(&fixture.inputs[0], CN_MOUSE_LEFT, true);
    fixture_ticks(&fixture, 1);
    assert_int_equal(ahead(), CN_BLOCK_AIR);
}

static void creative_mode_drops_nothing(void **state)
{
    (void)state;
    fixture_player(&fixture, 0)->mode = CRAFTY_MODE_CREATIVE;
    hold_break(2);
    assert_int_equal(ahead(), CN_BLOCK_AIR);
    assert_int_equal(crafty_drop_count(fixture.world), 0);
}

static void creative_mode_waits_before_the_next_block(void **state)
{
    (void)state;
    CnCell behind = {0, FLOOR_Y + 2, -3};
    fixture_player(&fixture, 0)->mode = CRAFTY_MODE_CREATIVE;
    assert_true(voxel_set(fixture.voxels, behind, BLOCK_DIRT));
    input_button(&fixture.inputs[0], CN_MOUSE_LEFT, true);
    fixture_ticks(&fixture, 14); /* 250 ms are 15 ticks */
    assert_int_equal(cn_voxels_get(fixture.voxels, behind), BLOCK_DIRT);
    fixture_ticks(&fixture, 4);
    assert_int_equal(cn_voxels_get(fixture.voxels, behind), CN_BLOCK_AIR);
}

static void a_new_click_in_creative_mode_does_not_wait(void **state)
{
    (void)state;
    CnCell behind = {0, FLOOR_Y + 2, -3};
    fixture_player(&fixture, 0)->mode = CRAFTY_MODE_CREATIVE;
    assert_true(voxel_set(fixture.voxels, behind, BLOCK_DIRT));
    hold_break(1);
    hold_break(1);
    assert_int_equal(cn_voxels_get(fixture.voxels, behind), CN_BLOCK_AIR);
}

static void a_door_whose_halves_two_players_break_in_one_tick_drops_once(void **state)
{
    (void)state;
    const CnCell lower = {AHEAD.x, AHEAD.y - 1, AHEAD.z};
    unmake(NULL);
    fixture_make(&fixture, 2);
    assert_true(voxel_set(fixture.voxels, lower, fixture_block(&fixture, "oak_door_north_lower")));
    assert_true(voxel_set(fixture.voxels, AHEAD, fixture_block(&fixture, "oak_door_north_upper")));
    for (uint32_t i = 0; i < 2; i++) {
        CnTransform *transform = cn_get_mut(fixture.world, fixture.players[i], CnTransform);
        transform->position.x = 0.5f;
        transform->rotation = crafty_pose_rotation(&(CraftyPose){.pitch = i ? -29.0f : 0});
        fixture_player(&fixture, i)->mode = CRAFTY_MODE_SURVIVAL;
        input_button(&fixture.inputs[i], CN_MOUSE_LEFT, true);
    }
    fixture_ticks(&fixture, 30);
    const CraftyHand *first = cn_get(fixture.world, fixture.players[0], CraftyHand),
                     *second = cn_get(fixture.world, fixture.players[1], CraftyHand);
    assert_true(first->breaking_cell[1] == AHEAD.y && second->breaking_cell[1] == lower.y);
    assert_true(first->breaking && second->breaking && first->progress_ms == second->progress_ms);
    for (uint32_t i = 0; i < 300 && ahead() != CN_BLOCK_AIR; i++)
        fixture_ticks(&fixture, 1);
    assert_int_equal(ahead(), CN_BLOCK_AIR);
    assert_int_equal(crafty_drop_items(fixture.world, fixture_item(&fixture, "oak_door")), 1);
}

static void a_spectator_breaks_nothing(void **state)
{
    (void)state;
    fixture_player(&fixture, 0)->mode = CRAFTY_MODE_SPECTATOR;
    hold_break(60);
    assert_int_equal(ahead(), BLOCK_DIRT);
}

static void another_item_in_the_hand_begins_anew(void **state)
{
    (void)state;
    fixture_player(&fixture, 0)->slots[1] =
        (CraftyStack){.item = fixture_item(&fixture, "stick"), .count = 1};
    input_button(&fixture.inputs[0], CN_MOUSE_LEFT, true);
    fixture_ticks(&fixture, 40); /* of 45 */
    input_key(&fixture.inputs[0], CN_KEY_2, true);
    fixture_ticks(&fixture, 30);
    assert_int_equal(ahead(), BLOCK_DIRT);
    fixture_ticks(&fixture, 20);
    assert_int_equal(ahead(), CN_BLOCK_AIR);
}

static void the_arm_swings_when_breaking_begins(void **state)
{
    (void)state;
    const CnEntity eye = fixture.players[0];
    fixture_ticks(&fixture, 100);
    assert_true(cn_get(fixture.world, eye, CraftyHand)->swing >= 100);
    input_button(&fixture.inputs[0], CN_MOUSE_LEFT, true);
    fixture_ticks(&fixture, 1);
    assert_int_equal(cn_get(fixture.world, eye, CraftyHand)->swing, 0);
}

static void breaking_exhausts(void **state)
{
    (void)state;
    float before = cn_get(fixture.world, fixture.players[0], CraftyVitals)->exhaustion;
    hold_break(46);
    assert_true(cn_get(fixture.world, fixture.players[0], CraftyVitals)->exhaustion > before);
}

/* ---- Dropping and picking ---- */

static void press(uint32_t key)
{
    input_key(&fixture.inputs[0], key, true);
    fixture_ticks(&fixture, 1);
    input_key(&fixture.inputs[0], key, false);
    fixture_ticks(&fixture, 1);
}

static void the_drop_key_throws_one_item(void **state)
{
    (void)state;
    fixture_player(&fixture, 0)->slots[0] =
        (CraftyStack){.item = fixture_item(&fixture, "stone"), .count = 5};
    press(CN_KEY_Q);
    assert_int_equal(fixture_player(&fixture, 0)->slots[0].count, 4);
    assert_int_equal(crafty_drop_items(fixture.world, fixture_item(&fixture, "stone")), 1);
}

static void the_drop_key_throws_the_whole_stack_while_sneaking(void **state)
{
    (void)state;
    fixture_player(&fixture, 0)->slots[0] =
        (CraftyStack){.item = fixture_item(&fixture, "stone"), .count = 5};
    input_key(&fixture.inputs[0], CN_KEY_LEFT_CTRL, true);
    press(CN_KEY_Q);
    assert_int_equal(fixture_player(&fixture, 0)->slots[0].item, CRAFTY_NO_ITEM);
    assert_int_equal(crafty_drop_items(fixture.world, fixture_item(&fixture, "stone")), 5);
}

static void a_thrown_item_does_not_come_back_at_once(void **state)
{
    (void)state;
    assert_true(voxel_set(fixture.voxels, (CnCell){0, FLOOR_Y + 2, -1}, BLOCK_GLASS));
    fixture_player(&fixture, 0)->slots[0] =
        (CraftyStack){.item = fixture_item(&fixture, "stone"), .count = 1};
    press(CN_KEY_Q);
    fixture_ticks(&fixture, CRAFTY_DROP_THROWN_WAIT - 10);
    assert_int_equal(crafty_drop_count(fixture.world), 1);
    fixture_ticks(&fixture, 60);
    assert_int_equal(crafty_drop_count(fixture.world), 0);
}

static void a_full_world_leaves_the_item_in_the_hand(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CRAFTY_MAX_DROP_ENTITIES; i++)
        assert_true(
            crafty_drop_spawn(fixture.world, cn_vec3(5.5f, FLOOR_Y + 2, 5.5f), cn_vec3(0, 0, 0),
                              (CraftyStack){.item = fixture_item(&fixture, "dirt"), .count = 64}, 0)
                .id != 0);
    fixture_player(&fixture, 0)->slots[0] =
        (CraftyStack){.item = fixture_item(&fixture, "stone"), .count = 5};
    press(CN_KEY_Q);
    assert_int_equal(fixture_player(&fixture, 0)->slots[0].count, 5);
}

static void pick(void)
{
    input_button(&fixture.inputs[0], CN_MOUSE_MIDDLE, true);
    fixture_ticks(&fixture, 1);
    input_button(&fixture.inputs[0], CN_MOUSE_MIDDLE, false);
    fixture_ticks(&fixture, 1);
}

static void picking_in_survival_creates_nothing(void **state)
{
    (void)state;
    pick();
    assert_int_equal(fixture_player(&fixture, 0)->slots[0].item, CRAFTY_NO_ITEM);
}

static void picking_in_survival_exchanges_with_the_inventory(void **state)
{
    (void)state;
    CraftyPlayer *player = fixture_player(&fixture, 0);
    player->slots[0] = (CraftyStack){.item = fixture_item(&fixture, "stone"), .count = 3};
    player->inventory[7] = (CraftyStack){.item = fixture_item(&fixture, "dirt"), .count = 9};
    pick();
    player = fixture_player(&fixture, 0);
    assert_int_equal(player->slots[0].item, fixture_item(&fixture, "dirt"));
    assert_int_equal(player->slots[0].count, 9);
    assert_int_equal(player->inventory[7].item, fixture_item(&fixture, "stone"));
}

static void picking_in_creative_mode_takes_any_block(void **state)
{
    (void)state;
    fixture_player(&fixture, 0)->mode = CRAFTY_MODE_CREATIVE;
    pick();
    assert_int_equal(fixture_player(&fixture, 0)->slots[0].item, fixture_item(&fixture, "dirt"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_block_broken_in_survival_drops_its_item, make, unmake),
        cmocka_unit_test_setup_teardown(a_dropped_block_flies_to_the_player, make, unmake),
        cmocka_unit_test_setup_teardown(creative_mode_breaks_in_the_same_tick, make, unmake),
        cmocka_unit_test_setup_teardown(creative_mode_drops_nothing, make, unmake),
        cmocka_unit_test_setup_teardown(creative_mode_waits_before_the_next_block, make, unmake),
        cmocka_unit_test_setup_teardown(a_new_click_in_creative_mode_does_not_wait, make, unmake),
        cmocka_unit_test_setup_teardown(
            a_door_whose_halves_two_players_break_in_one_tick_drops_once, make, unmake),
        cmocka_unit_test_setup_teardown(a_spectator_breaks_nothing, make, unmake),
        cmocka_unit_test_setup_teardown(another_item_in_the_hand_begins_anew, make, unmake),
        cmocka_unit_test_setup_teardown(the_arm_swings_when_breaking_begins, make, unmake),
        cmocka_unit_test_setup_teardown(breaking_exhausts, make, unmake),
        cmocka_unit_test_setup_teardown(the_drop_key_throws_one_item, make, unmake),
        cmocka_unit_test_setup_teardown(the_drop_key_throws_the_whole_stack_while_sneaking, make,
                                        unmake),
        cmocka_unit_test_setup_teardown(a_thrown_item_does_not_come_back_at_once, make, unmake),
        cmocka_unit_test_setup_teardown(a_full_world_leaves_the_item_in_the_hand, make, unmake),
        cmocka_unit_test_setup_teardown(picking_in_survival_creates_nothing, make, unmake),
        cmocka_unit_test_setup_teardown(picking_in_survival_exchanges_with_the_inventory, make,
                                        unmake),
        cmocka_unit_test_setup_teardown(picking_in_creative_mode_takes_any_block, make, unmake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
