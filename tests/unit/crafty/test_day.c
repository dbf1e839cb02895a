/* The clock, the ways of sun and moon, and the light that comes from them. */
#include "cmocka_tests.h"

#include <cairn/scene.h>
#include <crafty/sim/day.h>

static CnVec3 light_at(float hours)
{
    return crafty_sky_at((double)hours / 24).light;
}

static void the_sun_rises_in_the_east_at_six(void **state)
{
    (void)state;
    CraftySky sky = crafty_sky_at(0.25);
    assert_true(sky.to_sun.x > 0.9999f && sky.to_sun.y > -0.001f && sky.to_sun.y < 0.001f);
    assert_true(crafty_sky_at(0.26).to_sun.y > 0);
}

static void the_sun_is_highest_at_noon(void **state)
{
    (void)state;
    float noon = crafty_sky_at(0.5).to_sun.y;
    assert_true(noon > 0.8f);
    assert_true(crafty_sky_at(0.49).to_sun.y < noon && crafty_sky_at(0.51).to_sun.y < noon);
}

static void the_moon_stands_opposite_to_the_sun(void **state)
{
    (void)state;
    for (double days = 0; days < 1; days += 0.07) {
        CraftySky sky = crafty_sky_at(days);
        assert_true(cn_vec3_dot(sky.to_sun, sky.to_moon) < -0.9999f);
    }
}

static void the_first_night_has_a_full_moon_and_the_fifth_a_new_one(void **state)
{
    (void)state;
    assert_true(crafty_sky_at(1).moon_phase == 0.5f);
    assert_true(crafty_sky_at(5).moon_phase == 0);
    assert_true(crafty_sky_at(9).moon_phase == 0.5f);
}

static void four_fifths_of_a_cycle_are_day(void **state)
{
    (void)state;
    double days = 0, seconds = 0, bright = 0;
    for (; days < 1; seconds += 0.1, days = crafty_days_after(days, 0.1))
        bright += crafty_sky_at(days).to_sun.y > 0 ? 0.1 : 0;
    assert_true(seconds > CRAFTY_CYCLE_SECONDS - 0.5 && seconds < CRAFTY_CYCLE_SECONDS + 0.5);
    assert_true(bright / seconds > 0.799 && bright / seconds < 0.801);
}

static void the_light_of_noon_is_bright_and_nearly_white(void **state)
{
    (void)state;
    CnVec3 light = light_at(12);
    assert_true(light.x > 5 && light.z > 0.8f * light.x);
}

static void the_light_of_the_evening_is_red(void **state)
{
    (void)state;
    CnVec3 light = light_at(17.6f);
    assert_true(light.x > 2 * light.y && light.y > light.z && light.x > 0.3f);
}

static void the_light_of_the_moon_is_weak_and_blue(void **state)
{
    (void)state;
    CnVec3 light = crafty_sky_at(1).light;
    assert_true(light.z > light.x && light.z > 0.2f && light.z < 1);
    assert_true(crafty_sky_at(1).to_light.y > 0.8f);
}

static void a_new_moon_gives_less_light_than_a_full_one(void **state)
{
    (void)state;
    assert_true(crafty_sky_at(5).light.z < 0.5f * crafty_sky_at(1).light.z);
}

/* Where sun and moon take turns there is none, so that no shadow jumps. */
static void light_never_jumps(void **state)
{
    (void)state;
    CnVec3 last = light_at(0);
    for (double days = 0; days < 1; days += 0.0001) {
        CraftySky sky = crafty_sky_at(days);
        CnVec3 step = cn_vec3_sub(sky.light, last);
        assert_true(cn_vec3_dot(step, step) < 0.06f * 0.06f);
        assert_true(sky.light.x >= 0 && sky.light.y >= 0 && sky.light.z >= 0);
        last = sky.light;
    }
}

/* ---- In a world ---- */

static void tick(CnWorld *world, uint32_t times)
{
    for (uint32_t i = 0; i < times; i++)
        assert_true(cn_world_update(world, 0.05f, NULL));
}

static void the_clock_begins_and_can_be_set(void **state)
{
    (void)state;
    CnWorld *world = cn_world_create(NULL, NULL);
    assert_true(crafty_day_add(world, NULL) && crafty_day_add(world, NULL));
    assert_true(crafty_day_hours(world) == CRAFTY_FIRST_HOUR);
    crafty_day_set_hours(world, 18.5f);
    assert_true(crafty_day_hours(world) == 18.5f);
    tick(world, 20);
    assert_true(crafty_day_hours(world) > 18.5f && crafty_day_hours(world) < 18.7f);
    cn_world_destroy(world);
}

static void time_that_stands_still_does_not_go_on(void **state)
{
    (void)state;
    CnWorld *world = cn_world_create(NULL, NULL);
    assert_true(crafty_day_add(world, NULL));
    cn_resource_mut(world, CraftyDay)->speed = 0;
    tick(world, 20);
    assert_true(crafty_day_hours(world) == CRAFTY_FIRST_HOUR);
    cn_world_destroy(world);
}

static void the_light_shines_from_the_sun(void **state)
{
    (void)state;
    CnWorld *world = cn_world_create(NULL, NULL);
    assert_true(crafty_day_add(world, NULL));
    CnEntity sun = cn_object(world, "Sun");
    assert_non_null(cn_add(world, sun, CnLight));
    cn_resource_mut(world, CraftyDay)->light = sun;
    tick(world, 1);
    CnVec3 to_sun = crafty_sky_at(cn_resource(world, CraftyDay)->days).to_sun;
    assert_true(cn_vec3_dot(cn_transform_world_forward(world, sun), to_sun) < -0.9999f);
    assert_true(cn_get(world, sun, CnLight)->color.x > 3);
    cn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sun_rises_in_the_east_at_six),
        cmocka_unit_test(the_sun_is_highest_at_noon),
        cmocka_unit_test(the_moon_stands_opposite_to_the_sun),
        cmocka_unit_test(the_first_night_has_a_full_moon_and_the_fifth_a_new_one),
        cmocka_unit_test(four_fifths_of_a_cycle_are_day),
        cmocka_unit_test(the_light_of_noon_is_bright_and_nearly_white),
        cmocka_unit_test(the_light_of_the_evening_is_red),
        cmocka_unit_test(the_light_of_the_moon_is_weak_and_blue),
        cmocka_unit_test(a_new_moon_gives_less_light_than_a_full_one),
        cmocka_unit_test(light_never_jumps),
        cmocka_unit_test(the_clock_begins_and_can_be_set),
        cmocka_unit_test(time_that_stands_still_does_not_go_on),
        cmocka_unit_test(the_light_shines_from_the_sun),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
