/* Placing and breaking blocks with variants: directions, halves, what they need, doors in use. */
#include "sim_fixture.h"

#include <crafty/sim/inventory.h>
#include <crafty/sim/undo.h>

static SimFixture fixture;
static const CnCell FLOOR = {0, FLOOR_Y + 1, -2}; /* above the floor, before the player */
static const CnCell WALL = {0, FLOOR_Y + 2, -3}, BEFORE = {0, FLOOR_Y + 2, -2};

static int make(void **state)
{
    (void)state;
    fixture_make(&fixture, 1);
    fixture_player(&fixture, 0)->mode = CRAFTY_MODE_SURVIVAL;
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    fixture_end(&fixture);
    return 0;
}

static void look(float yaw, float pitch)
{
    CraftyPose pose = {.yaw = yaw, .pitch = pitch};
    cn_get_mut(fixture.world, fixture.players[0], CnTransform)->rotation =
        crafty_pose_rotation(&pose);
}

/* Down to the floor at a distance of two blocks, to the north. */
static void look_at_floor(void)
{
    look(0, -40);
}

static void hold(const char *block)
{
    fixture_player(&fixture, 0)->slots[0] =
        (CraftyStack){.item = fixture_item_of(&fixture, block), .count = 2};
}

static void click(uint32_t button)
{
    input_button(&fixture.inputs[0], button, true);
    fixture_ticks(&fixture, 1);
    input_button(&fixture.inputs[0], button, false);
    fixture_ticks(&fixture, 1);
}

static void place(void)
{
    click(CN_MOUSE_RIGHT);
}

static void expect(CnCell cell, const char *name)
{
    const CnBlockTable *table = cn_voxels_blocks(fixture.voxels);
    assert_string_equal(cn_block_info(table, cn_voxels_get(fixture.voxels, cell))->name, name);
}

static CnCell above(CnCell cell)
{
    return (CnCell){cell.x, cell.y + 1, cell.z};
}

static void set(CnCell cell, const char *name)
{
    assert_true(voxel_set(fixture.voxels, cell, fixture_block(&fixture, name)));
}

/* ---- Directions ---- */

static void the_front_of_a_chest_faces_the_player(void **state)
{
    (void)state;
    hold("chest_north");
    look_at_floor();
    place();
    expect(FLOOR, "chest_south");
}

static void a_ladder_hangs_on_the_face_that_is_aimed_at(void **state)
{
    (void)state;
    set(WALL, "stone");
    hold("ladder_north");
    look(0, 0);
    place();
    expect(BEFORE, "ladder_south");
}

static void a_ladder_does_not_hang_on_the_floor(void **state)
{
    (void)state;
    hold("ladder_north");
    look_at_floor();
    place();
    expect(FLOOR, "air");
    assert_int_equal(fixture_player(&fixture, 0)->slots[0].count, 2);
}

static void a_sign_hangs_on_walls_and_stands_on_floors(void **state)
{
    (void)state;
    set(WALL, "stone");
    hold("sign_north");
    look(0, 0);
    place();
    expect(BEFORE, "wall_sign_south");
    crafty_inventory_close(fixture.world, fixture.players[0]);
    fixture_ticks(&fixture, 1);
    look_at_floor();
    place();
    expect(FLOOR, "sign_south");
}

static void a_placed_sign_opens_for_writing(void **state)
{
    (void)state;
    hold("sign_north");
    look_at_floor();
    place();
    assert_int_equal(fixture_player(&fixture, 0)->open, CRAFTY_OPEN_SIGN);
}

static void stairs_rise_away_from_the_player(void **state)
{
    (void)state;
    hold("oak_stairs_north");
    look_at_floor();
    place();
    expect(FLOOR, "oak_stairs_south");
}

static void a_slab_fills_the_half_that_is_aimed_at(void **state)
{
    (void)state;
    set(WALL, "stone");
    hold("stone_slab");
    look(0, 3); /* the eye is above the middle of the block */
    place();
    expect(BEFORE, "stone_slab_top");
    assert_true(voxel_set(fixture.voxels, BEFORE, CN_BLOCK_AIR));
    look(0, -12);
    place();
    expect(BEFORE, "stone_slab");
}

static void a_slab_on_a_lower_slab_makes_the_full_block(void **state)
{
    (void)state;
    set(FLOOR, "stone_slab");
    hold("stone_slab");
    look(0, -33);
    place();
    expect(FLOOR, "stone");
    expect(above(FLOOR), "air");
    assert_int_equal(fixture_player(&fixture, 0)->slots[0].count, 1);
}

static void a_slab_below_an_upper_slab_makes_the_full_block(void **state)
{
    (void)state;
    CnCell cell = {0, FLOOR_Y + 4, -2};
    set(cell, "oak_slab_top");
    hold("oak_slab");
    look(0, 45);
    place();
    expect(cell, "oak_planks");
}

static void a_slab_in_the_free_half_before_a_wall_makes_the_full_block(void **state)
{
    (void)state;
    set(WALL, "stone");
    set(BEFORE, "brick_slab");
    hold("brick_slab");
    look(0, 3);
    place();
    expect(BEFORE, "bricks");
}

static void slabs_of_two_kinds_do_not_combine(void **state)
{
    (void)state;
    set(FLOOR, "stone_slab");
    hold("oak_slab");
    look(0, -33);
    place();
    expect(FLOOR, "stone_slab");
    expect(above(FLOOR), "oak_slab");
}

static void a_slab_does_not_fill_the_half_in_which_the_player_stands(void **state)
{
    (void)state;
    CnCell under = {0, FLOOR_Y + 1, 0};
    set(under, "stone_slab");
    fixture_ticks(&fixture, 60); /* the player is lifted, or stands beside it */
    hold("stone_slab");
    look(0, -90);
    place();
    expect(under, "stone_slab");
    assert_int_equal(fixture_player(&fixture, 0)->slots[0].count, 2);
}

static void combined_slabs_are_undone_to_one(void **state)
{
    (void)state;
    fixture_player(&fixture, 0)->mode = CRAFTY_MODE_CREATIVE;
    set(FLOOR, "stone_slab");
    hold("stone_slab");
    look(0, -33);
    place();
    expect(FLOOR, "stone");
    assert_int_equal(crafty_undo(fixture.world, fixture.players[0]), 1);
    expect(FLOOR, "stone_slab");
}

/* ---- Halves ---- */

static void a_door_has_two_halves_and_takes_one_item(void **state)
{
    (void)state;
    hold("oak_door_north_lower");
    look_at_floor();
    place();
    expect(FLOOR, "oak_door_south_lower");
    expect(above(FLOOR), "oak_door_south_upper");
    assert_int_equal(fixture_player(&fixture, 0)->slots[0].count, 1);
}

static void a_door_needs_room_for_both_halves(void **state)
{
    (void)state;
    set(above(FLOOR), "glass");
    hold("oak_door_north_lower");
    look(0, -50);
    place();
    expect((CnCell){0, FLOOR_Y + 1, -1}, "oak_door_south_lower");
    look_at_floor();
    set((CnCell){0, FLOOR_Y + 1, -1}, "air");
    fixture_ticks(&fixture, 1);
    place();
    expect(FLOOR, "air");
}

static void the_head_of_a_bed_lies_away_from_the_player(void **state)
{
    (void)state;
    hold("red_bed_north_foot");
    look_at_floor();
    place();
    expect(FLOOR, "red_bed_north_foot");
    expect((CnCell){0, FLOOR_Y + 1, -3}, "red_bed_north_head");
}

static void place_door(void)
{
    set(FLOOR, "oak_door_south_lower");
    set(above(FLOOR), "oak_door_south_upper");
    fixture_ticks(&fixture, 1);
}

static void both_halves_of_a_door_break_together_and_drop_once(void **state)
{
    (void)state;
    CraftyItem door = fixture_item_of(&fixture, "oak_door_north_lower");
    place_door();
    look(0, 0);
    input_button(&fixture.inputs[0], CN_MOUSE_LEFT, true);
    fixture_ticks(&fixture, 300);
    expect(FLOOR, "air");
    expect(above(FLOOR), "air");
    assert_int_equal(crafty_drop_items(fixture.world, door), 1);
}

static void a_door_drops_when_the_block_below_goes(void **state)
{
    (void)state;
    CraftyItem door = fixture_item_of(&fixture, "oak_door_north_lower");
    place_door();
    set((CnCell){0, FLOOR_Y, -2}, "air");
    fixture_ticks(&fixture, 1);
    expect(FLOOR, "air");
    expect(above(FLOOR), "air");
    assert_int_equal(crafty_drop_items(fixture.world, door), 1);
}

static void half_a_bed_breaks_without_the_other(void **state)
{
    (void)state;
    CnCell head = {0, FLOOR_Y + 1, -3};
    set(FLOOR, "red_bed_north_foot");
    set(head, "red_bed_north_head");
    fixture_ticks(&fixture, 1);
    expect(head, "red_bed_north_head");
    set(FLOOR, "air");
    fixture_ticks(&fixture, 1);
    expect(head, "air");
    assert_int_equal(crafty_drop_count(fixture.world), 0);
}

/* ---- Support ---- */

static void a_ladder_drops_when_its_wall_goes(void **state)
{
    (void)state;
    set(WALL, "stone");
    set(BEFORE, "ladder_south");
    fixture_ticks(&fixture, 1);
    expect(BEFORE, "ladder_south");
    set(WALL, "air");
    fixture_ticks(&fixture, 1);
    expect(BEFORE, "air");
    assert_int_equal(crafty_drop_items(fixture.world, fixture_item_of(&fixture, "ladder_north")),
                     1);
}

static void a_torch_drops_when_the_block_below_is_broken(void **state)
{
    (void)state;
    CnCell block = {0, FLOOR_Y + 2, -2};
    set(block, "dirt");
    set(above(block), "torch");
    look(0, 0);
    input_button(&fixture.inputs[0], CN_MOUSE_LEFT, true);
    fixture_ticks(&fixture, 46);
    expect(above(block), "air");
    assert_int_equal(crafty_drop_items(fixture.world, fixture_item(&fixture, "torch")), 1);
}

static void props_on_props_fall_in_one_tick(void **state)
{
    (void)state;
    for (int32_t y = 1; y <= 4; y++)
        set((CnCell){5, FLOOR_Y + y, 5}, "torch");
    set((CnCell){5, FLOOR_Y, 5}, "air");
    fixture_ticks(&fixture, 1);
    expect((CnCell){5, FLOOR_Y + 1, 5}, "air");
    expect((CnCell){5, FLOOR_Y + 4, 5}, "air");
}

static void creative_mode_drops_no_torch_and_undoes_both(void **state)
{
    (void)state;
    CnCell block = {0, FLOOR_Y + 2, -2};
    fixture_player(&fixture, 0)->mode = CRAFTY_MODE_CREATIVE;
    set(block, "dirt");
    set(above(block), "torch");
    look(0, 0);
    fixture_ticks(&fixture, 1);
    click(CN_MOUSE_LEFT);
    expect(above(block), "air");
    assert_int_equal(crafty_drop_count(fixture.world), 0);
    input_key(&fixture.inputs[0], CN_KEY_Z, true);
    fixture_ticks(&fixture, 2);
    expect(block, "dirt");
    expect(above(block), "torch");
}

/* ---- Use ---- */

static void using_a_door_opens_both_halves_and_closes_them_again(void **state)
{
    (void)state;
    place_door();
    look(0, 0);
    place();
    expect(FLOOR, "oak_door_south_open_lower");
    expect(above(FLOOR), "oak_door_south_open_upper");
    look(-15, -10); /* the open door stands at the side */
    fixture_ticks(&fixture, 1);
    look(0, 0);
    cn_get_mut(fixture.world, fixture.players[0], CnTransform)->position.x = 0.05f;
    fixture_ticks(&fixture, 1);
    place();
    expect(FLOOR, "oak_door_south_lower");
}

static void a_held_button_does_not_move_a_door_again(void **state)
{
    (void)state;
    place_door();
    look(0, 0);
    input_button(&fixture.inputs[0], CN_MOUSE_RIGHT, true);
    fixture_ticks(&fixture, 120);
    expect(FLOOR, "oak_door_south_open_lower");
}

static void a_sneaking_player_places_instead(void **state)
{
    (void)state;
    place_door();
    hold("stone");
    look(0, 0);
    input_key(&fixture.inputs[0], CN_KEY_LEFT_CTRL, true);
    fixture_ticks(&fixture, 2);
    place();
    expect(FLOOR, "oak_door_south_lower");
    assert_int_equal(fixture_player(&fixture, 0)->slots[0].count, 1);
}

static void picking_a_variant_takes_the_item_of_its_family(void **state)
{
    (void)state;
    place_door();
    fixture_player(&fixture, 0)->mode = CRAFTY_MODE_CREATIVE;
    look(0, 0);
    click(CN_MOUSE_MIDDLE);
    assert_int_equal(fixture_player(&fixture, 0)->slots[0].item,
                     fixture_item_of(&fixture, "oak_door_north_lower"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_front_of_a_chest_faces_the_player, make, unmake),
        cmocka_unit_test_setup_teardown(a_ladder_hangs_on_the_face_that_is_aimed_at, make, unmake),
        cmocka_unit_test_setup_teardown(a_ladder_does_not_hang_on_the_floor, make, unmake),
        cmocka_unit_test_setup_teardown(a_sign_hangs_on_walls_and_stands_on_floors, make, unmake),
        cmocka_unit_test_setup_teardown(a_placed_sign_opens_for_writing, make, unmake),
        cmocka_unit_test_setup_teardown(stairs_rise_away_from_the_player, make, unmake),
        cmocka_unit_test_setup_teardown(a_slab_fills_the_half_that_is_aimed_at, make, unmake),
        cmocka_unit_test_setup_teardown(a_slab_on_a_lower_slab_makes_the_full_block, make, unmake),
        cmocka_unit_test_setup_teardown(a_slab_below_an_upper_slab_makes_the_full_block, make,
                                        unmake),
        cmocka_unit_test_setup_teardown(a_slab_in_the_free_half_before_a_wall_makes_the_full_block,
                                        make, unmake),
        cmocka_unit_test_setup_teardown(slabs_of_two_kinds_do_not_combine, make, unmake),
        cmocka_unit_test_setup_teardown(a_slab_does_not_fill_the_half_in_which_the_player_stands,
                                        make, unmake),
        cmocka_unit_test_setup_teardown(combined_slabs_are_undone_to_one, make, unmake),
        cmocka_unit_test_setup_teardown(a_door_has_two_halves_and_takes_one_item, make, unmake),
        cmocka_unit_test_setup_teardown(a_door_needs_room_for_both_halves, make, unmake),
        cmocka_unit_test_setup_teardown(the_head_of_a_bed_lies_away_from_the_player, make, unmake),
        cmocka_unit_test_setup_teardown(both_halves_of_a_door_break_together_and_drop_once, make,
                                        unmake),
        cmocka_unit_test_setup_teardown(a_door_drops_when_the_block_below_goes, make, unmake),
        cmocka_unit_test_setup_teardown(half_a_bed_breaks_without_the_other, make, unmake),
        cmocka_unit_test_setup_teardown(a_ladder_drops_when_its_wall_goes, make, unmake),
        cmocka_unit_test_setup_teardown(a_torch_drops_when_the_block_below_is_broken, make, unmake),
        cmocka_unit_test_setup_teardown(props_on_props_fall_in_one_tick, make, unmake),
        cmocka_unit_test_setup_teardown(creative_mode_drops_no_torch_and_undoes_both, make, unmake),
        cmocka_unit_test_setup_teardown(using_a_door_opens_both_halves_and_closes_them_again, make,
                                        unmake),
        cmocka_unit_test_setup_teardown(a_held_button_does_not_move_a_door_again, make, unmake),
        cmocka_unit_test_setup_teardown(a_sneaking_player_places_instead, make, unmake),
        cmocka_unit_test_setup_teardown(picking_a_variant_takes_the_item_of_its_family, make,
                                        unmake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
