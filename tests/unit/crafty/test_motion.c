/* How players move: sprint, sneak, jump, swim, climb, fly; never through blocks. */
#include "player_fixture.h"

#include <crafty/sim/motion.h>

#include <cairn/sim/random.h>

static const CraftyMotion *motion(const Fixture *fixture)
{
    return cn_get(fixture->world, fixture->eye, CraftyMotion);
}

static void settle(Fixture *fixture)
{
    input_ticks(&fixture->input, fixture->sim, 30);
}

static void stand_at(Fixture *fixture, float x, float y, float z)
{
    cn_get_mut(fixture->world, fixture->eye, CnTransform)->position =
        cn_vec3(x, y + CRAFTY_PLAYER_EYE, z);
}

/* ---- Sprinting ---- */

static void a_second_of_sprinting_is_7_blocks(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    fill(&fixture, (CnCell){0, FLOOR, -12}, (CnCell){0, FLOOR, 0}, BLOCK_STONE);
    settle(&fixture);
    input_key(&fixture.input, CN_KEY_LEFT_SHIFT, true);
    hold(&fixture, CN_KEY_W, 60);
    assert_float_equal(place(&fixture).z, 0.5f - 7, 0.1);
    end_fixture(&fixture);
}

static void tapping_forward_twice_sprints_until_the_key_is_released(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    settle(&fixture);
    hold(&fixture, CN_KEY_W, 3);
    input_ticks(&fixture.input, fixture.sim, 3);
    input_key(&fixture.input, CN_KEY_W, true);
    input_ticks(&fixture.input, fixture.sim, 5);
    assert_true(motion(&fixture)->sprints);
    input_key(&fixture.input, CN_KEY_W, false);
    input_ticks(&fixture.input, fixture.sim, 1);
    assert_false(motion(&fixture)->sprints);
    end_fixture(&fixture);
}

static void two_slow_taps_do_not_sprint(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    settle(&fixture);
    hold(&fixture, CN_KEY_W, 3);
    input_ticks(&fixture.input, fixture.sim, 30);
    input_key(&fixture.input, CN_KEY_W, true);
    input_ticks(&fixture.input, fixture.sim, 5);
    assert_false(motion(&fixture)->sprints);
    end_fixture(&fixture);
}

static void nobody_sprints_backwards(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    settle(&fixture);
    input_key(&fixture.input, CN_KEY_LEFT_SHIFT, true);
    hold(&fixture, CN_KEY_S, 60);
    assert_float_equal(place(&fixture).z, 0.5f + 4.3f, 0.1);
    end_fixture(&fixture);
}

/* ---- Jumping and steps ---- */

static void a_jump_is_possible_just_after_an_edge_but_not_later(void **state)
{
    (void)state;
    for (uint32_t late = 0; late < 2; late++) {
        Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
        settle(&fixture);
        stand_at(&fixture, 0.5f, FLOOR + 1.001f, -SIDE - 0.25f);
        input_ticks(&fixture.input, fixture.sim, 1);
        input_key(&fixture.input, CN_KEY_W, true);
        for (uint32_t i = 0; i < 60 && motion(&fixture)->grounded; i++)
            input_ticks(&fixture.input, fixture.sim, 1);
        input_ticks(&fixture.input, fixture.sim, late ? 8 : 3);
        input_key(&fixture.input, CN_KEY_SPACE, true);
        input_ticks(&fixture.input, fixture.sim, 2);
        assert_true(late ? motion(&fixture)->velocity.y < 0 : motion(&fixture)->velocity.y > 5);
        end_fixture(&fixture);
    }
}

static void without_the_preference_a_block_is_not_climbed(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    fill(&fixture, (CnCell){-SIDE, FLOOR + 1, -SIDE}, (CnCell){SIDE, FLOOR + 1, -3}, BLOCK_STONE);
    settle(&fixture);
    cn_get_mut(fixture.world, fixture.eye, CraftyMotion)->preferences = 0;
    hold(&fixture, CN_KEY_W, 90);
    assert_float_equal(feet(&fixture), FLOOR + 1, 0.01);
    end_fixture(&fixture);
}

/* ---- Sneaking ---- */

static void who_sneaks_never_falls_whatever_the_direction(void **state)
{
    (void)state;
    static const uint32_t keys[] = {CN_KEY_W, CN_KEY_A, CN_KEY_S, CN_KEY_D};
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    CnRandom random = cn_random_make(7, "keys");
    settle(&fixture);
    input_key(&fixture.input, CN_KEY_LEFT_CTRL, true);
    for (uint32_t i = 0; i < 4000; i++) {
        input_key(&fixture.input, keys[cn_random_below(&random, 4)],
                  cn_random_below(&random, 3) > 0);
        input_event(&fixture.input, (CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE,
                                                   .dx = (float)cn_random_below(&random, 41) - 20});
        input_ticks(&fixture.input, fixture.sim, 3);
        assert_float_equal(feet(&fixture), FLOOR + 1, 0.01);
    }
    end_fixture(&fixture);
}

/* ---- Water and ladders ---- */

static void who_sneaks_in_water_dives(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    fill(&fixture, (CnCell){-1, FLOOR + 1, -1}, (CnCell){1, FLOOR + 12, 1}, CN_BLOCK_WATER);
    stand_at(&fixture, 0.5f, FLOOR + 10, 0.5f);
    hold(&fixture, CN_KEY_LEFT_CTRL, 60);
    assert_true(feet(&fixture) < FLOOR + 10 - 3);
    end_fixture(&fixture);
}

/* A wall with a ladder in front of it, five blocks high. */
static Fixture make_ladder(void)
{
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    fill(&fixture, (CnCell){-2, FLOOR + 1, -3}, (CnCell){2, FLOOR + 5, -3}, BLOCK_STONE);
    fill(&fixture, (CnCell){0, FLOOR + 1, -2}, (CnCell){0, FLOOR + 5, -2},
         block_named(&fixture, "ladder"));
    settle(&fixture);
    return fixture;
}

static void a_ladder_leads_onto_the_wall(void **state)
{
    (void)state;
    Fixture fixture = make_ladder();
    input_key(&fixture.input, CN_KEY_W, true);
    for (uint32_t i = 0; i < 300 && place(&fixture).z > -2.3f; i++)
        input_ticks(&fixture.input, fixture.sim, 1);
    input_key(&fixture.input, CN_KEY_W, false);
    settle(&fixture);
    assert_float_equal(feet(&fixture), FLOOR + 6, 0.01);
    end_fixture(&fixture);
}

static void who_sneaks_on_a_ladder_holds_on(void **state)
{
    (void)state;
    Fixture fixture = make_ladder();
    stand_at(&fixture, 0.5f, FLOOR + 3, -1.5f);
    input_key(&fixture.input, CN_KEY_LEFT_CTRL, true);
    input_ticks(&fixture.input, fixture.sim, 60);
    assert_float_equal(feet(&fixture), FLOOR + 3, 0.01);
    input_key(&fixture.input, CN_KEY_LEFT_CTRL, false);
    input_ticks(&fixture.input, fixture.sim, 30);
    assert_float_equal(feet(&fixture), FLOOR + 3 - 1.5f, 0.1); /* slides down */
    end_fixture(&fixture);
}

/* ---- Flight ---- */

static void tap_jump_twice(Fixture *fixture)
{
    for (uint32_t i = 0; i < 2; i++) {
        hold(fixture, CN_KEY_SPACE, 2);
        input_ticks(&fixture->input, fixture->sim, 3);
    }
}

static void tapping_jump_twice_flies_in_creative_mode_only(void **state)
{
    (void)state;
    for (CraftyPlayerMode mode = CRAFTY_MODE_CREATIVE; mode <= CRAFTY_MODE_SURVIVAL; mode++) {
        Fixture fixture = make_fixture(mode);
        settle(&fixture);
        tap_jump_twice(&fixture);
        assert_true(cn_get(fixture.world, fixture.eye, CraftyPlayer)->flies ==
                    (mode == CRAFTY_MODE_CREATIVE));
        end_fixture(&fixture);
    }
}

static void who_flies_collides(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_CREATIVE);
    fill(&fixture, (CnCell){-SIDE, FLOOR + 1, -4}, (CnCell){SIDE, FLOOR + 8, -4}, BLOCK_STONE);
    settle(&fixture);
    tap_jump_twice(&fixture);
    hold(&fixture, CN_KEY_W, 120);
    assert_true(place(&fixture).z > -3);
    end_fixture(&fixture);
}

static void landing_ends_the_flight(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_CREATIVE);
    settle(&fixture);
    tap_jump_twice(&fixture);
    hold(&fixture, CN_KEY_SPACE, 30);
    assert_true(feet(&fixture) > FLOOR + 4);
    hold(&fixture, CN_KEY_LEFT_CTRL, 120);
    assert_false(cn_get(fixture.world, fixture.eye, CraftyPlayer)->flies);
    assert_float_equal(feet(&fixture), FLOOR + 1, 0.01);
    end_fixture(&fixture);
}

/* ---- Random input ---- */

#define WALLS 12

/* Walls around and random blocks inside, so that there is always something in the way. */
static Fixture make_maze(CraftyPlayerMode mode, CnRandom *random)
{
    Fixture fixture = make_fixture(mode);
    fill(&fixture, (CnCell){-SIDE, FLOOR, -SIDE}, (CnCell){SIDE, FLOOR + WALLS, SIDE}, BLOCK_STONE);
    fill(&fixture, (CnCell){1 - SIDE, FLOOR + 1, 1 - SIDE},
         (CnCell){SIDE - 1, FLOOR + WALLS - 1, SIDE - 1}, CN_BLOCK_AIR);
    for (uint32_t i = 0; i < 90; i++)
        put(&fixture, (int32_t)cn_random_below(random, 11) - 5,
            FLOOR + 1 + (int32_t)cn_random_below(random, 4),
            (int32_t)cn_random_below(random, 11) - 5, BLOCK_STONE);
    fill(&fixture, (CnCell){0, FLOOR + 1, 0}, (CnCell){0, FLOOR + 3, 0}, CN_BLOCK_AIR);
    return fixture;
}

static void press_random(Fixture *fixture, CnRandom *random)
{
    static const uint32_t keys[] = {CN_KEY_W,         CN_KEY_W,     CN_KEY_A,
                                    CN_KEY_S,         CN_KEY_D,     CN_KEY_LEFT_SHIFT,
                                    CN_KEY_LEFT_CTRL, CN_KEY_SPACE, CN_KEY_F};
    input_key(&fixture->input, keys[cn_random_below(random, CN_COUNT_OF(keys))],
              cn_random_below(random, 2) > 0);
    input_event(&fixture->input, (CnInputEvent){.kind = CN_INPUT_MOUSE_MOVE,
                                                .dx = (float)cn_random_below(random, 601) - 300,
                                                .dy = (float)cn_random_below(random, 61) - 30});
}

static void check_random_input(CraftyPlayerMode mode, uint32_t ticks, bool limits_height)
{
    CnRandom random = cn_random_make(20 + mode, "keys");
    Fixture fixture = make_maze(mode, &random);
    assert_true(crafty_player_capture(fixture.world, fixture.eye, true));
    float ground = feet(&fixture);
    for (uint32_t i = 0; i < ticks; i++) {
        press_random(&fixture, &random);
        input_ticks(&fixture.input, fixture.sim, 1);
        assert_false(cn_voxels_overlap(fixture.blocks.world, crafty_player_box(place(&fixture))));
        if (motion(&fixture)->grounded)
            ground = feet(&fixture);
        /* A jump is 2.3 blocks high. */
        assert_true(!limits_height || feet(&fixture) < ground + 2.5f);
    }
    end_fixture(&fixture);
}

static void random_input_never_moves_a_walking_player_into_a_block(void **state)
{
    (void)state;
    check_random_input(CRAFTY_MODE_SURVIVAL, 100000, true);
}

static void random_input_never_moves_a_creative_player_into_a_block(void **state)
{
    (void)state;
    check_random_input(CRAFTY_MODE_CREATIVE, 20000, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_second_of_sprinting_is_7_blocks),
        cmocka_unit_test(tapping_forward_twice_sprints_until_the_key_is_released),
        cmocka_unit_test(two_slow_taps_do_not_sprint),
        cmocka_unit_test(nobody_sprints_backwards),
        cmocka_unit_test(a_jump_is_possible_just_after_an_edge_but_not_later),
        cmocka_unit_test(without_the_preference_a_block_is_not_climbed),
        cmocka_unit_test(who_sneaks_never_falls_whatever_the_direction),
        cmocka_unit_test(who_sneaks_in_water_dives),
        cmocka_unit_test(a_ladder_leads_onto_the_wall),
        cmocka_unit_test(who_sneaks_on_a_ladder_holds_on),
        cmocka_unit_test(tapping_jump_twice_flies_in_creative_mode_only),
        cmocka_unit_test(who_flies_collides),
        cmocka_unit_test(landing_ends_the_flight),
        cmocka_unit_test(random_input_never_moves_a_walking_player_into_a_block),
        cmocka_unit_test(random_input_never_moves_a_creative_player_into_a_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
