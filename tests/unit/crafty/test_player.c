/* The player among blocks: falls, walks, steps up, swims. */
#include "item_fixture.h"
#include "player_input.h"
#include "standard_blocks.h"
#include "voxel_world.h"

#include <crafty/sim/player.h>

/* A floor of stone high above everything, so that only what a test builds is there. */
#define FLOOR 300
#define SIDE 6

typedef struct Yard {
    VoxelWorld blocks;
    CraftyItems *items;
    CnSim *sim;
    CnWorld *world;
    CnEntity eye;
    PlayerInput input;
} Yard;

static void put(Yard *yard, int32_t x, int32_t y, int32_t z, CnBlock block)
{
    assert_true(voxel_set(yard->blocks.world, (CnCell){x, y, z}, block));
}

static Yard make_yard(CraftyPlayerMode mode)
{
    Yard yard = {.blocks = voxel_world_create(cn_system_allocator(), 0, NULL),
                 .items = make_items(NULL)};
    for (int32_t z = -SIDE; z <= SIDE; z++)
        for (int32_t x = -SIDE; x <= SIDE; x++)
            put(&yard, x, FLOOR, z, BLOCK_STONE);
    CnPlugin scene = cn_scene_plugin();
    yard.sim = cn_sim_create(&(CnSimDesc){.core = &scene, .core_count = 1}, NULL);
    assert_non_null(yard.sim);
    yard.world = cn_sim_world(yard.sim);
    assert_true(crafty_player_add(yard.world, yard.blocks.world, yard.items, NULL));
    assert_true(crafty_commands_add(yard.world, NULL));
    yard.input = make_input(yard.world, 1);
    yard.eye = cn_object(yard.world, "Eye");
    assert_true(crafty_player_make(yard.world, yard.eye, 1, mode));
    cn_get_mut(yard.world, yard.eye, CnTransform)->position =
        cn_vec3(0.5f, FLOOR + 1 + CRAFTY_PLAYER_EYE + 0.2f, 0.5f);
    return yard;
}

static void end_yard(Yard *yard)
{
    end_input(&yard->input);
    cn_sim_destroy(yard->sim);
    crafty_items_destroy(yard->items);
    voxel_world_destroy(&yard->blocks);
}

static CnVec3 place(const Yard *yard)
{
    return cn_get(yard->world, yard->eye, CnTransform)->position;
}

static float feet(const Yard *yard)
{
    return place(yard).y - CRAFTY_PLAYER_EYE;
}

static void hold(Yard *yard, uint32_t key, uint64_t ticks)
{
    input_key(&yard->input, key, true);
    input_ticks(&yard->input, yard->sim, ticks);
    input_key(&yard->input, key, false);
}

static void who_walks_falls_onto_the_floor(void **state)
{
    (void)state;
    Yard yard = make_yard(CRAFTY_PLAYER_WALKS);
    input_ticks(&yard.input, yard.sim, 30);
    assert_float_equal(feet(&yard), FLOOR + 1, 0.01);
    end_yard(&yard);
}

static void who_flies_stays_up(void **state)
{
    (void)state;
    Yard yard = make_yard(CRAFTY_PLAYER_FLIES);
    float before = feet(&yard);
    input_ticks(&yard.input, yard.sim, 30);
    assert_float_equal(feet(&yard), before, 0);
    end_yard(&yard);
}

static void a_second_of_walking_is_4_3_blocks(void **state)
{
    (void)state;
    Yard yard = make_yard(CRAFTY_PLAYER_WALKS);
    input_ticks(&yard.input, yard.sim, 30);
    hold(&yard, CN_KEY_W, 60);
    assert_float_equal(place(&yard).z, 0.5f - 4.3f, 0.1);
    end_yard(&yard);
}

static void a_wall_of_two_blocks_stops(void **state)
{
    (void)state;
    Yard yard = make_yard(CRAFTY_PLAYER_WALKS);
    for (int32_t x = -SIDE; x <= SIDE; x++)
        for (int32_t y = 1; y <= 2; y++)
            put(&yard, x, FLOOR + y, -3, BLOCK_STONE);
    hold(&yard, CN_KEY_W, 120);
    assert_true(place(&yard).z > -2);
    assert_float_equal(feet(&yard), FLOOR + 1, 0.01);
    end_yard(&yard);
}

static void a_step_of_one_block_is_climbed(void **state)
{
    (void)state;
    Yard yard = make_yard(CRAFTY_PLAYER_WALKS);
    for (int32_t x = -SIDE; x <= SIDE; x++)
        for (int32_t z = -SIDE; z <= -3; z++)
            put(&yard, x, FLOOR + 1, z, BLOCK_STONE);
    hold(&yard, CN_KEY_W, 75);
    input_ticks(&yard.input, yard.sim, 30);
    assert_true(place(&yard).z < -2);
    assert_float_equal(feet(&yard), FLOOR + 2, 0.01);
    end_yard(&yard);
}

static void a_jump_is_higher_than_two_blocks(void **state)
{
    (void)state;
    Yard yard = make_yard(CRAFTY_PLAYER_WALKS);
    input_ticks(&yard.input, yard.sim, 30);
    hold(&yard, CN_KEY_SPACE, 24);
    assert_true(feet(&yard) > FLOOR + 3);
    end_yard(&yard);
}

static void in_water_one_sinks_slowly_and_swims_up(void **state)
{
    (void)state;
    Yard yard = make_yard(CRAFTY_PLAYER_WALKS);
    for (int32_t y = 1; y <= 8; y++)
        for (int32_t z = -1; z <= 1; z++)
            for (int32_t x = -1; x <= 1; x++)
                put(&yard, x, FLOOR + y, z, CN_BLOCK_WATER);
    cn_get_mut(yard.world, yard.eye, CnTransform)->position.y = FLOOR + 7;
    input_ticks(&yard.input, yard.sim, 60);
    float sunk = FLOOR + 7 - place(&yard).y;
    assert_true(sunk > 0.5f && sunk < 2.1f);
    float before = place(&yard).y;
    hold(&yard, CN_KEY_SPACE, 30);
    assert_true(place(&yard).y > before + 1);
    end_yard(&yard);
}

static void f_changes_between_walking_and_flying(void **state)
{
    (void)state;
    Yard yard = make_yard(CRAFTY_PLAYER_FLIES);
    hold(&yard, CN_KEY_F, 1);
    assert_non_null(cn_get(yard.world, yard.eye, CnPlayerController));
    input_ticks(&yard.input, yard.sim, 2);
    hold(&yard, CN_KEY_F, 1);
    assert_non_null(cn_get(yard.world, yard.eye, CnFlyCamera));
    assert_null(cn_get(yard.world, yard.eye, CnPlayerController));
    end_yard(&yard);
}

static void mouse_and_its_speed_stay_the_players_when_modes_change(void **state)
{
    (void)state;
    Yard yard = make_yard(CRAFTY_PLAYER_FLIES);
    crafty_player_capture(yard.world, yard.eye, true);
    crafty_player_set_sensitivity(yard.world, yard.eye, 0.25f);
    hold(&yard, CN_KEY_F, 1);
    const CnPlayerController *walker = cn_get(yard.world, yard.eye, CnPlayerController);
    assert_true(walker->captured);
    assert_float_equal(walker->sensitivity, 0.25f, 0);
    end_yard(&yard);
}

static void who_begins_to_walk_inside_of_rock_is_put_on_top_of_it(void **state)
{
    (void)state;
    Yard yard = make_yard(CRAFTY_PLAYER_FLIES);
    for (int32_t y = 1; y <= 4; y++)
        for (int32_t z = -1; z <= 1; z++)
            for (int32_t x = -1; x <= 1; x++)
                put(&yard, x, FLOOR + y, z, BLOCK_STONE);
    hold(&yard, CN_KEY_F, 1);
    input_ticks(&yard.input, yard.sim, 30);
    assert_float_equal(feet(&yard), FLOOR + 5, 0.01);
    end_yard(&yard);
}

static void who_swims_to_the_shore_gets_out(void **state)
{
    (void)state;
    Yard yard = make_yard(CRAFTY_PLAYER_WALKS);
    for (int32_t z = -SIDE; z <= SIDE; z++)
        for (int32_t x = -SIDE; x <= SIDE; x++)
            for (int32_t y = 1; y <= 3; y++)
                put(&yard, x, FLOOR + y, z, z < -2 ? BLOCK_SAND : CN_BLOCK_WATER);
    for (int32_t z = -SIDE; z < -2; z++) /* one above the water */
        for (int32_t x = -SIDE; x <= SIDE; x++)
            put(&yard, x, FLOOR + 4, z, BLOCK_SAND);
    input_key(&yard.input, CN_KEY_SPACE, true);
    input_key(&yard.input, CN_KEY_W, true);
    for (uint32_t i = 0; i < 240 && place(&yard).z > -3; i++)
        input_ticks(&yard.input, yard.sim, 1);
    assert_true(place(&yard).z < -3);
    assert_true(feet(&yard) > FLOOR + 4.9f);
    end_yard(&yard);
}

static void who_sneaks_stays_on_the_edge(void **state)
{
    (void)state;
    Yard yard = make_yard(CRAFTY_PLAYER_WALKS);
    input_ticks(&yard.input, yard.sim, 30);
    cn_get_mut(yard.world, yard.eye, CnTransform)->position.z = -SIDE + 0.5f;
    input_key(&yard.input, CN_KEY_LEFT_CTRL, true);
    hold(&yard, CN_KEY_W, 120);
    assert_float_equal(feet(&yard), FLOOR + 1, 0.01);
    assert_true(place(&yard).z < -SIDE + 0.1f); /* a little over it */
    input_key(&yard.input, CN_KEY_LEFT_CTRL, false);
    hold(&yard, CN_KEY_W, 30);
    assert_true(feet(&yard) < FLOOR);
    end_yard(&yard);
}

/* Puts a second player, whose object has no camera, beside the first one. */
static CnEntity add_second_player(Yard *yard)
{
    CnEntity second = cn_object(yard->world, "Second");
    assert_true(crafty_player_make(yard->world, second, 2, CRAFTY_PLAYER_WALKS));
    cn_get_mut(yard->world, second, CnTransform)->position =
        cn_vec3(3.5f, FLOOR + 1 + CRAFTY_PLAYER_EYE, 0.5f);
    return second;
}

static void each_player_has_its_own_input(void **state)
{
    (void)state;
    Yard yard = make_yard(CRAFTY_PLAYER_WALKS);
    CnEntity second = add_second_player(&yard);
    PlayerInput other = make_input(yard.world, 2);
    input_key(&yard.input, CN_KEY_W, true);
    input_key(&other, CN_KEY_S, true);
    for (uint32_t i = 0; i < 60; i++) {
        input_send(&other);
        input_ticks(&yard.input, yard.sim, 1);
    }
    assert_true(place(&yard).z < -3);
    assert_true(cn_get(yard.world, second, CnTransform)->position.z > 3);
    end_input(&other);
    end_yard(&yard);
}

static void only_the_player_who_asks_changes_its_mode(void **state)
{
    (void)state;
    Yard yard = make_yard(CRAFTY_PLAYER_WALKS);
    CnEntity second = add_second_player(&yard);
    PlayerInput other = make_input(yard.world, 2);
    input_key(&other, CN_KEY_F, true);
    input_send(&other);
    input_ticks(&yard.input, yard.sim, 1);
    assert_int_equal(cn_get(yard.world, yard.eye, CraftyPlayer)->mode, CRAFTY_PLAYER_WALKS);
    assert_int_equal(cn_get(yard.world, second, CraftyPlayer)->mode, CRAFTY_PLAYER_FLIES);
    end_input(&other);
    end_yard(&yard);
}

static void a_player_without_a_camera_looks_up_and_down(void **state)
{
    (void)state;
    Yard yard = make_yard(CRAFTY_PLAYER_WALKS);
    CnEntity second = add_second_player(&yard);
    PlayerInput other = make_input(yard.world, 2);
    assert_true(crafty_player_capture(yard.world, second, true));
    input_event(&other, (CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE, .dy = 100});
    input_send(&other);
    input_ticks(&yard.input, yard.sim, 1);
    CnQuat rotation = cn_get(yard.world, second, CnTransform)->rotation;
    assert_true(cn_quat_rotate(rotation, cn_vec3(0, 0, -1)).y < -0.1f);
    end_input(&other);
    end_yard(&yard);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_walks_falls_onto_the_floor),
        cmocka_unit_test(who_flies_stays_up),
        cmocka_unit_test(a_second_of_walking_is_4_3_blocks),
        cmocka_unit_test(a_wall_of_two_blocks_stops),
        cmocka_unit_test(a_step_of_one_block_is_climbed),
        cmocka_unit_test(a_jump_is_higher_than_two_blocks),
        cmocka_unit_test(in_water_one_sinks_slowly_and_swims_up),
        cmocka_unit_test(f_changes_between_walking_and_flying),
        cmocka_unit_test(mouse_and_its_speed_stay_the_players_when_modes_change),
        cmocka_unit_test(who_begins_to_walk_inside_of_rock_is_put_on_top_of_it),
        cmocka_unit_test(who_swims_to_the_shore_gets_out),
        cmocka_unit_test(who_sneaks_stays_on_the_edge),
        cmocka_unit_test(each_player_has_its_own_input),
        cmocka_unit_test(only_the_player_who_asks_changes_its_mode),
        cmocka_unit_test(a_player_without_a_camera_looks_up_and_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
