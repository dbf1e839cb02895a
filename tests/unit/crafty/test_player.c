/* The player among blocks: falls, walks, steps up, swims. */
#include "player_fixture.h"

static void who_walks_falls_onto_the_floor(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_CREATIVE);
    input_ticks(&fixture.input, fixture.sim, 30);
    assert_float_equal(feet(&fixture), FLOOR + 1, 0.01);
    end_fixture(&fixture);
}

static void who_flies_stays_up(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SPECTATOR);
    float before = feet(&fixture);
    input_ticks(&fixture.input, fixture.sim, 30);
    assert_float_equal(feet(&fixture), before, 0);
    end_fixture(&fixture);
}

static void a_second_of_walking_is_4_3_blocks(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_CREATIVE);
    input_ticks(&fixture.input, fixture.sim, 30);
    hold(&fixture, CN_KEY_W, 60);
    assert_float_equal(place(&fixture).z, 0.5f - 4.3f, 0.1);
    end_fixture(&fixture);
}

static void a_wall_of_two_blocks_stops(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_CREATIVE);
    for (int32_t x = -SIDE; x <= SIDE; x++)
        for (int32_t y = 1; y <= 2; y++)
            put(&fixture, x, FLOOR + y, -3, BLOCK_STONE);
    hold(&fixture, CN_KEY_W, 120);
    assert_true(place(&fixture).z > -2);
    assert_float_equal(feet(&fixture), FLOOR + 1, 0.01);
    end_fixture(&fixture);
}

static void a_step_of_one_block_is_climbed(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_CREATIVE);
    for (int32_t x = -SIDE; x <= SIDE; x++)
        for (int32_t z = -SIDE; z <= -3; z++)
            put(&fixture, x, FLOOR + 1, z, BLOCK_STONE);
    hold(&fixture, CN_KEY_W, 75);
    input_ticks(&fixture.input, fixture.sim, 30);
    assert_true(place(&fixture).z < -2);
    assert_float_equal(feet(&fixture), FLOOR + 2, 0.01);
    end_fixture(&fixture);
}

static void a_jump_is_higher_than_two_blocks(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_CREATIVE);
    input_ticks(&fixture.input, fixture.sim, 30);
    hold(&fixture, CN_KEY_SPACE, 24);
    assert_true(feet(&fixture) > FLOOR + 3);
    end_fixture(&fixture);
}

static void in_water_one_sinks_slowly_and_swims_up(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_CREATIVE);
    for (int32_t y = 1; y <= 8; y++)
        for (int32_t z = -1; z <= 1; z++)
            for (int32_t x = -1; x <= 1; x++)
                put(&fixture, x, FLOOR + y, z, CN_BLOCK_WATER);
    cn_get_mut(fixture.world, fixture.eye, CnTransform)->position.y = FLOOR + 7;
    input_ticks(&fixture.input, fixture.sim, 60);
    float sunk = FLOOR + 7 - place(&fixture).y;
    assert_true(sunk > 0.5f && sunk < 2.1f);
    float before = place(&fixture).y;
    hold(&fixture, CN_KEY_SPACE, 30);
    assert_true(place(&fixture).y > before + 1);
    end_fixture(&fixture);
}

static bool flies(const Fixture *fixture)
{
    return cn_get(fixture->world, fixture->eye, CraftyPlayer)->flies;
}

static void f_makes_a_creative_player_of_a_spectator(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SPECTATOR);
    hold(&fixture, CN_KEY_F, 1);
    assert_int_equal(cn_get(fixture.world, fixture.eye, CraftyPlayer)->mode, CRAFTY_MODE_CREATIVE);
    assert_non_null(cn_get(fixture.world, fixture.eye, CnPlayerController));
    assert_null(cn_get(fixture.world, fixture.eye, CnFlyCamera));
    end_fixture(&fixture);
}

static void f_starts_and_ends_flights_in_creative_mode(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_CREATIVE);
    hold(&fixture, CN_KEY_F, 1);
    float before = feet(&fixture);
    input_ticks(&fixture.input, fixture.sim, 30);
    assert_true(flies(&fixture));
    assert_float_equal(feet(&fixture), before, 0);
    hold(&fixture, CN_KEY_F, 1);
    assert_false(flies(&fixture));
    end_fixture(&fixture);
}

static void f_does_nothing_in_survival(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    hold(&fixture, CN_KEY_F, 1);
    assert_false(flies(&fixture));
    assert_int_equal(cn_get(fixture.world, fixture.eye, CraftyPlayer)->mode, CRAFTY_MODE_SURVIVAL);
    end_fixture(&fixture);
}

static void mouse_and_its_speed_stay_the_players_when_modes_change(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SPECTATOR);
    crafty_player_capture(fixture.world, fixture.eye, true);
    crafty_player_set_sensitivity(fixture.world, fixture.eye, 0.25f);
    hold(&fixture, CN_KEY_F, 1);
    const CnPlayerController *walker = cn_get(fixture.world, fixture.eye, CnPlayerController);
    assert_true(walker->captured);
    assert_float_equal(walker->sensitivity, 0.25f, 0);
    end_fixture(&fixture);
}

static void who_begins_to_walk_inside_of_rock_is_put_on_top_of_it(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SPECTATOR);
    for (int32_t y = 1; y <= 4; y++)
        for (int32_t z = -1; z <= 1; z++)
            for (int32_t x = -1; x <= 1; x++)
                put(&fixture, x, FLOOR + y, z, BLOCK_STONE);
    hold(&fixture, CN_KEY_F, 1);
    input_ticks(&fixture.input, fixture.sim, 30);
    assert_float_equal(feet(&fixture), FLOOR + 5, 0.01);
    end_fixture(&fixture);
}

static void who_swims_to_the_shore_gets_out(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_CREATIVE);
    for (int32_t z = -SIDE; z <= SIDE; z++)
        for (int32_t x = -SIDE; x <= SIDE; x++)
            for (int32_t y = 1; y <= 3; y++)
                put(&fixture, x, FLOOR + y, z, z < -2 ? BLOCK_SAND : CN_BLOCK_WATER);
    for (int32_t z = -SIDE; z < -2; z++) /* one above the water */
        for (int32_t x = -SIDE; x <= SIDE; x++)
            put(&fixture, x, FLOOR + 4, z, BLOCK_SAND);
    input_key(&fixture.input, CN_KEY_SPACE, true);
    input_key(&fixture.input, CN_KEY_W, true);
    for (uint32_t i = 0; i < 240 && place(&fixture).z > -3; i++)
        input_ticks(&fixture.input, fixture.sim, 1);
    assert_true(place(&fixture).z < -3);
    assert_true(feet(&fixture) > FLOOR + 4.9f);
    end_fixture(&fixture);
}

static void who_sneaks_stays_on_the_edge(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_CREATIVE);
    input_ticks(&fixture.input, fixture.sim, 30);
    cn_get_mut(fixture.world, fixture.eye, CnTransform)->position.z = -SIDE + 0.5f;
    input_key(&fixture.input, CN_KEY_LEFT_CTRL, true);
    hold(&fixture, CN_KEY_W, 120);
    assert_float_equal(feet(&fixture), FLOOR + 1, 0.01);
    assert_true(place(&fixture).z < -SIDE + 0.1f); /* a little over it */
    input_key(&fixture.input, CN_KEY_LEFT_CTRL, false);
    hold(&fixture, CN_KEY_W, 30);
    assert_true(feet(&fixture) < FLOOR);
    end_fixture(&fixture);
}

/* Puts a second player, whose object has no camera, beside the first one. */
static CnEntity add_second_player(Fixture *fixture)
{
    CnEntity second = cn_object(fixture->world, "Second");
    assert_true(crafty_player_make(fixture->world, second, 2, CRAFTY_MODE_CREATIVE));
    cn_get_mut(fixture->world, second, CnTransform)->position =
        cn_vec3(3.5f, FLOOR + 1 + CRAFTY_PLAYER_EYE, 0.5f);
    return second;
}

static void each_player_has_its_own_input(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_CREATIVE);
    CnEntity second = add_second_player(&fixture);
    PlayerInput other = make_input(fixture.world, 2);
    input_key(&fixture.input, CN_KEY_W, true);
    input_key(&other, CN_KEY_S, true);
    for (uint32_t i = 0; i < 60; i++) {
        input_send(&other);
        input_ticks(&fixture.input, fixture.sim, 1);
    }
    assert_true(place(&fixture).z < -3);
    assert_true(cn_get(fixture.world, second, CnTransform)->position.z > 3);
    end_input(&other);
    end_fixture(&fixture);
}

static void only_the_player_who_asks_flies(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_CREATIVE);
    CnEntity second = add_second_player(&fixture);
    PlayerInput other = make_input(fixture.world, 2);
    input_key(&other, CN_KEY_F, true);
    input_send(&other);
    input_ticks(&fixture.input, fixture.sim, 1);
    assert_false(cn_get(fixture.world, fixture.eye, CraftyPlayer)->flies);
    assert_true(cn_get(fixture.world, second, CraftyPlayer)->flies);
    end_input(&other);
    end_fixture(&fixture);
}

static void a_player_without_a_camera_looks_up_and_down(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_CREATIVE);
    CnEntity second = add_second_player(&fixture);
    PlayerInput other = make_input(fixture.world, 2);
    assert_true(crafty_player_capture(fixture.world, second, true));
    input_event(&other, (CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE, .dy = 100});
    input_send(&other);
    input_ticks(&fixture.input, fixture.sim, 1);
    CnQuat rotation = cn_get(fixture.world, second, CnTransform)->rotation;
    assert_true(cn_quat_rotate(rotation, cn_vec3(0, 0, -1)).y < -0.1f);
    end_input(&other);
    end_fixture(&fixture);
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
        cmocka_unit_test(f_makes_a_creative_player_of_a_spectator),
        cmocka_unit_test(f_starts_and_ends_flights_in_creative_mode),
        cmocka_unit_test(f_does_nothing_in_survival),
        cmocka_unit_test(mouse_and_its_speed_stay_the_players_when_modes_change),
        cmocka_unit_test(who_begins_to_walk_inside_of_rock_is_put_on_top_of_it),
        cmocka_unit_test(who_swims_to_the_shore_gets_out),
        cmocka_unit_test(who_sneaks_stays_on_the_edge),
        cmocka_unit_test(each_player_has_its_own_input),
        cmocka_unit_test(only_the_player_who_asks_flies),
        cmocka_unit_test(a_player_without_a_camera_looks_up_and_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
