/* Health, food and air of players; death and respawn. */
#include "player_fixture.h"

#include <crafty/sim/block_effects.h>
#include <crafty/sim/drops.h>
#include <crafty/sim/motion.h>
#include <crafty/sim/rules.h>
#include <crafty/sim/vitals.h>

static CraftyVitals *vitals(const Fixture *fixture)
{
    return cn_get_mut(fixture->world, fixture->eye, CraftyVitals);
}

static void ticks(Fixture *fixture, uint32_t count)
{
    input_ticks(&fixture->input, fixture->sim, count);
}

static void stand_at(Fixture *fixture, float x, float y, float z)
{
    cn_get_mut(fixture->world, fixture->eye, CnTransform)->position =
        cn_vec3(x, y + CRAFTY_PLAYER_EYE, z);
}

/* A player who fell from a height and stands now. */
static Fixture fallen(CraftyPlayerMode mode, float height)
{
    Fixture fixture = make_fixture(mode);
    stand_at(&fixture, 0.5f, FLOOR + 1 + height, 0.5f);
    ticks(&fixture, 180);
    assert_float_equal(feet(&fixture), FLOOR + 1, 0.01);
    return fixture;
}

/* ---- Falls ---- */

static void a_fall_of_three_blocks_does_not_hurt(void **state)
{
    (void)state;
    Fixture fixture = fallen(CRAFTY_MODE_SURVIVAL, 3);
    assert_float_equal(vitals(&fixture)->health, CRAFTY_MAX_HEALTH, 0);
    end_fixture(&fixture);
}

static void a_fall_of_eight_blocks_costs_five_points(void **state)
{
    (void)state;
    Fixture fixture = fallen(CRAFTY_MODE_SURVIVAL, 8);
    assert_float_equal(vitals(&fixture)->health, CRAFTY_MAX_HEALTH - 5, 0);
    assert_int_equal(vitals(&fixture)->cause, CRAFTY_DAMAGE_FALL);
    end_fixture(&fixture);
}

static void a_fall_of_thirty_blocks_kills(void **state)
{
    (void)state;
    Fixture fixture = fallen(CRAFTY_MODE_SURVIVAL, 30);
    assert_true(vitals(&fixture)->dead);
    end_fixture(&fixture);
}

static void a_fall_does_not_hurt_in_creative_mode(void **state)
{
    (void)state;
    Fixture fixture = fallen(CRAFTY_MODE_CREATIVE, 30);
    assert_float_equal(vitals(&fixture)->health, CRAFTY_MAX_HEALTH, 0);
    end_fixture(&fixture);
}

/* From every height: what a tick moves must not skip the water. */
static void a_fall_into_one_block_of_water_does_not_hurt(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 20; i++) {
        Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
        fill(&fixture, (CnCell){-1, FLOOR + 1, -1}, (CnCell){1, FLOOR + 1, 1}, CN_BLOCK_WATER);
        stand_at(&fixture, 0.5f, FLOOR + 30 + 0.05f * (float)i, 0.5f);
        ticks(&fixture, 240);
        assert_float_equal(vitals(&fixture)->health, CRAFTY_MAX_HEALTH, 0);
        end_fixture(&fixture);
    }
}

static void a_teleport_is_not_a_fall(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    stand_at(&fixture, 0.5f, FLOOR + 40, 0.5f);
    ticks(&fixture, 40);
    CraftyPose ground = {.position = {0.5f, FLOOR + 1.01f + CRAFTY_PLAYER_EYE, 0.5f}};
    assert_true(crafty_player_teleport(fixture.world, fixture.eye, &ground));
    ticks(&fixture, 10);
    assert_float_equal(vitals(&fixture)->health, CRAFTY_MAX_HEALTH, 0);
    end_fixture(&fixture);
}

/* ---- Air ---- */

static Fixture under_water(void)
{
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    fill(&fixture, (CnCell){-1, FLOOR + 1, -1}, (CnCell){1, FLOOR + 12, 1}, CN_BLOCK_WATER);
    stand_at(&fixture, 0.5f, FLOOR + 1.01f, 0.5f);
    return fixture;
}

static void air_lasts_ten_seconds_then_drowning_takes_two_points_a_second(void **state)
{
    (void)state;
    Fixture fixture = under_water();
    ticks(&fixture, 10 * 60);
    assert_float_equal(vitals(&fixture)->air, 0, 0.05);
    assert_float_equal(vitals(&fixture)->health, CRAFTY_MAX_HEALTH, 0);
    ticks(&fixture, 3 * 60 + 10);
    assert_float_equal(vitals(&fixture)->health, CRAFTY_MAX_HEALTH - 6, 0);
    assert_int_equal(vitals(&fixture)->cause, CRAFTY_DAMAGE_DROWNING);
    end_fixture(&fixture);
}

static void air_returns_above_the_water(void **state)
{
    (void)state;
    Fixture fixture = under_water();
    ticks(&fixture, 5 * 60);
    stand_at(&fixture, 3.5f, FLOOR + 1.01f, 0.5f);
    ticks(&fixture, 2 * 60);
    assert_float_equal(vitals(&fixture)->air, CRAFTY_MAX_AIR, 0);
    end_fixture(&fixture);
}

/* ---- Hunger ---- */

static void sprinting_makes_hungry_and_walking_does_not(void **state)
{
    (void)state;
    float exhaustion[2];
    for (uint32_t i = 0; i < 2; i++) {
        Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
        fill(&fixture, (CnCell){0, FLOOR, -16}, (CnCell){0, FLOOR, 0}, BLOCK_STONE);
        ticks(&fixture, 30);
        input_key(&fixture.input, CN_KEY_LEFT_SHIFT, i == 1);
        hold(&fixture, CN_KEY_W, 90);
        exhaustion[i] = vitals(&fixture)->exhaustion;
        end_fixture(&fixture);
    }
    assert_float_equal(exhaustion[0], 0.02f * 2, 0.001);
    assert_true(exhaustion[1] > 0.5f);
}

static void exhaustion_takes_food(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    crafty_vitals_exhaust(fixture.world, fixture.eye, 4);
    ticks(&fixture, 1);
    assert_float_equal(vitals(&fixture)->food, CRAFTY_MAX_FOOD - 1, 0);
    end_fixture(&fixture);
}

static void a_hungry_player_does_not_sprint(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    vitals(&fixture)->food = 6;
    ticks(&fixture, 30);
    input_key(&fixture.input, CN_KEY_LEFT_SHIFT, true);
    hold(&fixture, CN_KEY_W, 10);
    assert_false(cn_get(fixture.world, fixture.eye, CraftyMotion)->sprints);
    end_fixture(&fixture);
}

static void a_full_player_heals(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    vitals(&fixture)->health = 10;
    ticks(&fixture, 8 * 60 + 30);
    assert_float_equal(vitals(&fixture)->health, 12, 0);
    end_fixture(&fixture);
}

static void a_hungry_player_does_not_heal(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    vitals(&fixture)->health = 10;
    vitals(&fixture)->food = 17;
    ticks(&fixture, 10 * 60);
    assert_float_equal(vitals(&fixture)->health, 10, 0);
    end_fixture(&fixture);
}

static void starving_leaves_one_point(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    vitals(&fixture)->food = 0;
    vitals(&fixture)->health = 3.5f;
    ticks(&fixture, 4 * 60 + 5);
    assert_float_equal(vitals(&fixture)->health, 2.5f, 0);
    ticks(&fixture, 30 * 60);
    assert_float_equal(vitals(&fixture)->health, 1, 0);
    assert_false(vitals(&fixture)->dead);
    end_fixture(&fixture);
}

static void food_is_never_more_than_the_most(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    vitals(&fixture)->food = 18;
    assert_true(crafty_vitals_eat(fixture.world, fixture.eye, 5));
    assert_float_equal(vitals(&fixture)->food, CRAFTY_MAX_FOOD, 0);
    assert_false(crafty_vitals_eat(fixture.world, fixture.eye, 5));
    end_fixture(&fixture);
}

/* ---- Blocks ---- */

static void magma_hurts_who_stands_on_it_unless_sneaking(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
        put(&fixture, 0, FLOOR, 0, block_named(&fixture, "magma"));
        input_key(&fixture.input, CN_KEY_LEFT_CTRL, i == 1);
        ticks(&fixture, 75);
        assert_true((vitals(&fixture)->health < CRAFTY_MAX_HEALTH) == (i == 0));
        end_fixture(&fixture);
    }
}

static void a_cactus_hurts_who_touches_it(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    put(&fixture, 0, FLOOR + 1, -2, block_named(&fixture, "cactus"));
    ticks(&fixture, 60);
    assert_float_equal(vitals(&fixture)->health, CRAFTY_MAX_HEALTH, 0);
    cn_get_mut(fixture.world, fixture.eye, CraftyMotion)->preferences = 0;
    hold(&fixture, CN_KEY_W, 60);
    assert_int_equal(vitals(&fixture)->cause, CRAFTY_DAMAGE_CACTUS);
    end_fixture(&fixture);
}

static void lava_takes_four_points_every_half_second(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    CnBlock block =
        block_named(&fixture, "short_grass"); /* stands for lava, which no table has yet */
    cn_resource_mut(fixture.world, CraftyBlockEffects)->effects[block] = CRAFTY_BLOCK_BURNS;
    put(&fixture, 0, FLOOR + 1, 0, block);
    ticks(&fixture, 60);
    assert_float_equal(vitals(&fixture)->health, CRAFTY_MAX_HEALTH - 8, 0);
    end_fixture(&fixture);
}

/* ---- The void and commands ---- */

static void the_void_kills_in_creative_mode_but_no_spectator(void **state)
{
    (void)state;
    for (CraftyPlayerMode mode = CRAFTY_MODE_SPECTATOR; mode <= CRAFTY_MODE_CREATIVE; mode++) {
        Fixture fixture = make_fixture(mode);
        stand_at(&fixture, 0.5f, CN_WORLD_BOTTOM - 60, 0.5f);
        ticks(&fixture, 5 * 60);
        assert_true(vitals(&fixture)->dead == (mode == CRAFTY_MODE_CREATIVE));
        end_fixture(&fixture);
    }
}

/* ---- Death ---- */

static uint32_t count_events(const Fixture *fixture, CraftyPlayerEventKind kind)
{
    const CnChannel *channel = cn_channel(fixture->world, CraftyPlayerEvent);
    uint32_t count = 0;
    for (uint32_t i = 0; i < cn_event_count(channel); i++)
        count += cn_events(channel, CraftyPlayerEvent)[i].kind == kind;
    return count;
}

static void kill(Fixture *fixture)
{
    assert_true(crafty_vitals_hurt(fixture->world, fixture->eye, 1000, CRAFTY_DAMAGE_COMMAND));
}

static void death_is_one_event(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    kill(&fixture);
    assert_int_equal(count_events(&fixture, CRAFTY_PLAYER_DIED), 1);
    assert_false(crafty_vitals_hurt(fixture.world, fixture.eye, 1000, CRAFTY_DAMAGE_COMMAND));
    assert_int_equal(count_events(&fixture, CRAFTY_PLAYER_DIED), 1);
    end_fixture(&fixture);
}

static void the_dead_do_not_move(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    ticks(&fixture, 30);
    kill(&fixture);
    CnVec3 before = place(&fixture);
    input_key(&fixture.input, CN_KEY_SPACE, true);
    hold(&fixture, CN_KEY_W, 30);
    CnVec3 after = place(&fixture);
    assert_memory_equal(&before, &after, sizeof before);
    end_fixture(&fixture);
}

static void the_dead_break_nothing(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_CREATIVE);
    assert_true(crafty_player_capture(fixture.world, fixture.eye, true));
    cn_get_mut(fixture.world, fixture.eye, CnTransform)->rotation =
        cn_quat_from_euler(cn_vec3(-89, 0, 0));
    ticks(&fixture, 30);
    kill(&fixture);
    input_button(&fixture.input, CN_MOUSE_LEFT, true);
    ticks(&fixture, 300);
    assert_int_equal(cn_voxels_get(fixture.blocks.world, (CnCell){0, FLOOR, 0}), BLOCK_STONE);
    end_fixture(&fixture);
}

static CraftyStack give_stone(Fixture *fixture)
{
    CraftyStack stack = {.item = crafty_items_find(fixture->items, "stone"), .count = 5};
    cn_get_mut(fixture->world, fixture->eye, CraftyPlayer)->slots[2] = stack;
    return stack;
}

static void the_dead_drop_their_stacks(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    CraftyStack stack = give_stone(&fixture);
    kill(&fixture);
    ticks(&fixture, 1);
    assert_int_equal(cn_get(fixture.world, fixture.eye, CraftyPlayer)->slots[2].count, 0);
    assert_int_equal(crafty_drop_items(fixture.world, stack.item), 5);
    ticks(&fixture, 5);
    assert_int_equal(crafty_drop_items(fixture.world, stack.item), 5);
    end_fixture(&fixture);
}

static void rules_let_the_dead_keep_their_stacks(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    cn_resource_mut(fixture.world, CraftyRules)->keep_inventory = true;
    CraftyStack stack = give_stone(&fixture);
    kill(&fixture);
    ticks(&fixture, 2);
    assert_int_equal(cn_get(fixture.world, fixture.eye, CraftyPlayer)->slots[2].count, 5);
    assert_int_equal(crafty_drop_items(fixture.world, stack.item), 0);
    end_fixture(&fixture);
}

static void respawn(Fixture *fixture)
{
    assert_true(crafty_connection_send_command(fixture->input.connection,
                                               &(CraftyCommand){.kind = CRAFTY_COMMAND_RESPAWN}));
    ticks(fixture, 1);
}

static void the_dead_respawn_with_full_health_at_the_spawn(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    CraftyRules *rules = cn_resource_mut(fixture.world, CraftyRules);
    rules->has_spawn = true;
    rules->spawn = cn_vec3(4.5f, FLOOR + 1.01f + CRAFTY_PLAYER_EYE, -3.5f);
    put(&fixture, 4, FLOOR + 1, -4, BLOCK_STONE); /* in the way: the player stands on it */
    kill(&fixture);
    ticks(&fixture, 5);
    respawn(&fixture);
    assert_int_equal(count_events(&fixture, CRAFTY_PLAYER_RESPAWNED), 1);
    ticks(&fixture, 10);
    assert_false(vitals(&fixture)->dead);
    assert_float_equal(vitals(&fixture)->health, CRAFTY_MAX_HEALTH, 0);
    assert_float_equal(place(&fixture).x, 4.5f, 0.01);
    assert_float_equal(feet(&fixture), FLOOR + 2, 0.02);
    end_fixture(&fixture);
}

static void the_living_do_not_respawn(void **state)
{
    (void)state;
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    ticks(&fixture, 30);
    CnVec3 before = place(&fixture);
    respawn(&fixture);
    assert_float_equal(place(&fixture).x, before.x, 0);
    assert_int_equal(count_events(&fixture, CRAFTY_PLAYER_RESPAWNED), 0);
    end_fixture(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fall_of_three_blocks_does_not_hurt),
        cmocka_unit_test(a_fall_of_eight_blocks_costs_five_points),
        cmocka_unit_test(a_fall_of_thirty_blocks_kills),
        cmocka_unit_test(a_fall_does_not_hurt_in_creative_mode),
        cmocka_unit_test(a_fall_into_one_block_of_water_does_not_hurt),
        cmocka_unit_test(a_teleport_is_not_a_fall),
        cmocka_unit_test(air_lasts_ten_seconds_then_drowning_takes_two_points_a_second),
        cmocka_unit_test(air_returns_above_the_water),
        cmocka_unit_test(sprinting_makes_hungry_and_walking_does_not),
        cmocka_unit_test(exhaustion_takes_food),
        cmocka_unit_test(a_hungry_player_does_not_sprint),
        cmocka_unit_test(a_full_player_heals),
        cmocka_unit_test(a_hungry_player_does_not_heal),
        cmocka_unit_test(starving_leaves_one_point),
        cmocka_unit_test(food_is_never_more_than_the_most),
        cmocka_unit_test(magma_hurts_who_stands_on_it_unless_sneaking),
        cmocka_unit_test(a_cactus_hurts_who_touches_it),
        cmocka_unit_test(lava_takes_four_points_every_half_second),
        cmocka_unit_test(the_void_kills_in_creative_mode_but_no_spectator),
        cmocka_unit_test(death_is_one_event),
        cmocka_unit_test(the_dead_do_not_move),
        cmocka_unit_test(the_dead_break_nothing),
        cmocka_unit_test(the_dead_drop_their_stacks),
        cmocka_unit_test(rules_let_the_dead_keep_their_stacks),
        cmocka_unit_test(the_dead_respawn_with_full_health_at_the_spawn),
        cmocka_unit_test(the_living_do_not_respawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
