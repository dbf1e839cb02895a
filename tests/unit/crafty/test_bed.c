/* Beds: spawn points and sleep. */
#include "player_fixture.h"

#include <crafty/sim/bed.h>
#include <crafty/sim/block_effects.h>
#include <crafty/sim/day.h>
#include <crafty/sim/vitals.h>

static const CnCell bed = {3, FLOOR + 1, 3};

/* White wool stands for a bed. */
static Fixture make_bedroom(float hours)
{
    Fixture fixture = make_fixture(CRAFTY_MODE_SURVIVAL);
    CnBlock block = block_named(&fixture, "white_wool");
    cn_resource_mut(fixture.world, CraftyBlockEffects)->effects[block] = CRAFTY_BLOCK_IS_BED;
    put(&fixture, bed.x, bed.y, bed.z, block);
    assert_true(crafty_day_add(fixture.world, NULL));
    crafty_day_set_hours(fixture.world, hours);
    input_ticks(&fixture.input, fixture.sim, 30);
    return fixture;
}

static const CraftyVitals *vitals(const Fixture *fixture)
{
    return cn_get(fixture->world, fixture->eye, CraftyVitals);
}

static const CraftyPlayerEvent *find_event(const Fixture *fixture, CraftyPlayerEventKind kind)
{
    const CnChannel *channel = cn_channel(fixture->world, CraftyPlayerEvent);
    for (uint32_t i = 0; i < cn_event_count(channel); i++)
        if (cn_events(channel, CraftyPlayerEvent)[i].kind == kind)
            return &cn_events(channel, CraftyPlayerEvent)[i];
    return NULL;
}

static void respawn(Fixture *fixture)
{
    assert_true(crafty_vitals_hurt(fixture->world, fixture->eye, 100, CRAFTY_DAMAGE_COMMAND));
    input_ticks(&fixture->input, fixture->sim, 2);
    assert_true(crafty_connection_send_command(fixture->input.connection,
                                               &(CraftyCommand){.kind = CRAFTY_COMMAND_RESPAWN}));
    input_ticks(&fixture->input, fixture->sim, 1);
}

static void a_bed_sets_the_spawn_by_day_without_sleep(void **state)
{
    (void)state;
    Fixture fixture = make_bedroom(12);
    assert_true(crafty_bed_use(fixture.world, fixture.eye, bed));
    assert_non_null(find_event(&fixture, CRAFTY_PLAYER_SPAWN_SET));
    assert_int_equal(find_event(&fixture, CRAFTY_PLAYER_REFUSED)->count, CRAFTY_REFUSAL_BED_BY_DAY);
    assert_true(vitals(&fixture)->has_spawn);
    assert_int_equal(vitals(&fixture)->sleep_ticks, 0);
    end_fixture(&fixture);
}

static void other_blocks_are_no_beds(void **state)
{
    (void)state;
    Fixture fixture = make_bedroom(12);
    assert_false(crafty_bed_use(fixture.world, fixture.eye, (CnCell){0, FLOOR, 0}));
    assert_false(vitals(&fixture)->has_spawn);
    end_fixture(&fixture);
}

static void after_three_seconds_of_sleep_it_is_the_next_morning(void **state)
{
    (void)state;
    Fixture fixture = make_bedroom(22);
    double day = cn_floor(cn_resource(fixture.world, CraftyDay)->days);
    assert_true(crafty_bed_use(fixture.world, fixture.eye, bed));
    input_ticks(&fixture.input, fixture.sim, CRAFTY_SLEEP_TICKS - 2);
    assert_true(crafty_day_hours(fixture.world) > 21);
    input_ticks(&fixture.input, fixture.sim, 4);
    assert_float_equal(crafty_day_hours(fixture.world), CRAFTY_MORNING, 0.1);
    assert_float_equal(cn_floor(cn_resource(fixture.world, CraftyDay)->days), day + 1, 0);
    assert_int_equal(vitals(&fixture)->sleep_ticks, 0);
    end_fixture(&fixture);
}

static void before_dawn_it_is_the_morning_of_the_same_day(void **state)
{
    (void)state;
    Fixture fixture = make_bedroom(3);
    double day = cn_floor(cn_resource(fixture.world, CraftyDay)->days);
    assert_true(crafty_bed_use(fixture.world, fixture.eye, bed));
    input_ticks(&fixture.input, fixture.sim, CRAFTY_SLEEP_TICKS + 2);
    assert_float_equal(crafty_day_hours(fixture.world), CRAFTY_MORNING, 0.1);
    assert_float_equal(cn_floor(cn_resource(fixture.world, CraftyDay)->days), day, 0);
    end_fixture(&fixture);
}

static void who_sleeps_does_not_walk_and_jumping_ends_it(void **state)
{
    (void)state;
    Fixture fixture = make_bedroom(22);
    assert_true(crafty_bed_use(fixture.world, fixture.eye, bed));
    CnVec3 before = place(&fixture);
    hold(&fixture, CN_KEY_W, 30);
    assert_float_equal(place(&fixture).z, before.z, 0);
    hold(&fixture, CN_KEY_SPACE, 1);
    assert_int_equal(vitals(&fixture)->sleep_ticks, 0);
    end_fixture(&fixture);
}

static void night_lasts_while_another_player_is_awake(void **state)
{
    (void)state;
    Fixture fixture = make_bedroom(22);
    CnEntity second = cn_object(fixture.world, "Second");
    assert_true(crafty_player_make(fixture.world, second, 2, CRAFTY_MODE_SURVIVAL));
    cn_get_mut(fixture.world, second, CnTransform)->position =
        cn_vec3(-3.5f, FLOOR + 1 + CRAFTY_PLAYER_EYE, 0.5f);
    assert_true(crafty_bed_use(fixture.world, fixture.eye, bed));
    input_ticks(&fixture.input, fixture.sim, 2 * CRAFTY_SLEEP_TICKS);
    assert_true(crafty_day_hours(fixture.world) > 21);
    assert_true(crafty_bed_use(fixture.world, second, bed));
    input_ticks(&fixture.input, fixture.sim, CRAFTY_SLEEP_TICKS + 2);
    assert_float_equal(crafty_day_hours(fixture.world), CRAFTY_MORNING, 0.1);
    end_fixture(&fixture);
}

static void the_dead_respawn_beside_their_bed(void **state)
{
    (void)state;
    Fixture fixture = make_bedroom(12);
    assert_true(crafty_bed_use(fixture.world, fixture.eye, bed));
    respawn(&fixture);
    CnVec3 there = place(&fixture);
    assert_float_equal(there.x, (float)bed.x + 0.5f, 1.01);
    assert_float_equal(there.z, (float)bed.z + 0.5f, 1.01);
    assert_false(cn_voxels_overlap(fixture.blocks.world, crafty_player_box(there)));
    end_fixture(&fixture);
}

static void a_bed_that_is_gone_is_no_spawn(void **state)
{
    (void)state;
    Fixture fixture = make_bedroom(12);
    assert_true(crafty_bed_use(fixture.world, fixture.eye, bed));
    put(&fixture, bed.x, bed.y, bed.z, CN_BLOCK_AIR);
    respawn(&fixture);
    assert_int_equal(find_event(&fixture, CRAFTY_PLAYER_REFUSED)->count,
                     CRAFTY_REFUSAL_BED_MISSING);
    assert_false(vitals(&fixture)->has_spawn);
    assert_float_equal(place(&fixture).x, 0.5f, 0.01);
    end_fixture(&fixture);
}

static void a_bed_without_room_is_refused(void **state)
{
    (void)state;
    Fixture fixture = make_bedroom(22);
    CnBlock block = cn_voxels_get(fixture.blocks.world, bed);
    fill(&fixture, (CnCell){bed.x - 3, FLOOR + 1, bed.z - 3},
         (CnCell){bed.x + 3, FLOOR + 6, bed.z + 3}, BLOCK_STONE);
    put(&fixture, bed.x, bed.y, bed.z, block);
    assert_true(crafty_bed_use(fixture.world, fixture.eye, bed));
    assert_int_equal(find_event(&fixture, CRAFTY_PLAYER_REFUSED)->count,
                     CRAFTY_REFUSAL_BED_OBSTRUCTED);
    assert_false(vitals(&fixture)->has_spawn);
    end_fixture(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bed_sets_the_spawn_by_day_without_sleep),
        cmocka_unit_test(other_blocks_are_no_beds),
        cmocka_unit_test(after_three_seconds_of_sleep_it_is_the_next_morning),
        cmocka_unit_test(before_dawn_it_is_the_morning_of_the_same_day),
        cmocka_unit_test(who_sleeps_does_not_walk_and_jumping_ends_it),
        cmocka_unit_test(night_lasts_while_another_player_is_awake),
        cmocka_unit_test(the_dead_respawn_beside_their_bed),
        cmocka_unit_test(a_bed_that_is_gone_is_no_spawn),
        cmocka_unit_test(a_bed_without_room_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
