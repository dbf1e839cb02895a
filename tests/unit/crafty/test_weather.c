/* Weather by biome: what is drawn, how it comes and goes, and how the renderer hears of it. */
#include "cmocka_tests.h"

#include <cairn/scene.h>
#include <cairn/sim.h>
#include <crafty/sim/atmosphere.h>
#include <crafty/sim/place.h>

static CnWorld *make_world(uint64_t seed)
{
    CnWorld *world = cn_world_create(NULL, NULL);
    assert_non_null(world);
    assert_true(cn_random_seed(world, seed, NULL));
    assert_true(crafty_atmosphere_add(world, NULL) && crafty_atmosphere_add(world, NULL));
    return world;
}

static const CraftyWeather *run(CnWorld *world, float seconds)
{
    for (float done = 0; done < seconds; done += 0.1f)
        assert_true(cn_world_update(world, 0.1f, NULL));
    return cn_resource(world, CraftyWeather);
}

static void it_snows_only_where_it_is_cold(void **state)
{
    (void)state;
    assert_int_equal(crafty_weather_weight(CN_BIOME_SNOWY_PLAINS, CRAFTY_HEAVY_SNOW), 1);
    assert_int_equal(crafty_weather_weight(CN_BIOME_SNOWY_PLAINS, CRAFTY_LIGHT_RAIN), 0);
    assert_int_equal(crafty_weather_weight(CN_BIOME_FOREST, CRAFTY_LIGHT_SNOW), 0);
    assert_int_equal(crafty_weather_weight(CN_BIOME_FOREST, CRAFTY_LIGHT_RAIN), 2);
}

static void deserts_stay_clear(void **state)
{
    (void)state;
    for (uint32_t kind = CRAFTY_OVERCAST; kind < CRAFTY_WEATHER_COUNT; kind++)
        assert_int_equal(crafty_weather_weight(CN_BIOME_DESERT, (CraftyWeatherKind)kind), 0);
}

/* Of cloudy weather that has settled over a biome. */
static CraftyWeather settled_clouds(CnBiome biome)
{
    CnWorld *world = make_world(1);
    cn_resource_mut(world, CraftyWeather)->biome = (uint8_t)biome;
    crafty_weather_hold(world, CRAFTY_CLOUDY);
    CraftyWeather weather = *run(world, 60);
    cn_world_destroy(world);
    return weather;
}

static void mountains_carry_taller_clouds(void **state)
{
    (void)state;
    CraftyWeather plains = settled_clouds(CN_BIOME_GRASSY_PLAINS);
    static const CnBiome mountains[] = {CN_BIOME_ROCKY_MOUNTAINS, CN_BIOME_SNOWY_MOUNTAINS};
    for (uint32_t i = 0; i < CN_COUNT_OF(mountains); i++) {
        CraftyWeather weather = settled_clouds(mountains[i]);
        assert_true(weather.top - weather.bottom > plains.top - plains.bottom + 30);
    }
}

static void clouds_cover_less_of_a_desert_than_of_plains(void **state)
{
    (void)state;
    assert_true(settled_clouds(CN_BIOME_DESERT).cover <
                0.5f * settled_clouds(CN_BIOME_GRASSY_PLAINS).cover);
}

/* Over ten hours every kind of a forest comes, about as often as its weight says. */
static void kinds_come_as_often_as_they_weigh(void **state)
{
    (void)state;
    CnWorld *world = make_world(1);
    cn_resource_mut(world, CraftyWeather)->biome = CN_BIOME_FOREST;
    uint32_t counts[CRAFTY_WEATHER_COUNT] = {0}, all = 0, draws = 400;
    for (uint32_t i = 0; i < draws; i++) {
        cn_resource_mut(world, CraftyWeather)->left = 0;
        counts[run(world, 0.05f)->kind]++;
    }
    for (uint32_t i = 0; i < CRAFTY_WEATHER_COUNT; i++)
        all += crafty_weather_weight(CN_BIOME_FOREST, (CraftyWeatherKind)i);
    for (uint32_t i = 0; i < CRAFTY_WEATHER_COUNT; i++) {
        uint32_t due = crafty_weather_weight(CN_BIOME_FOREST, (CraftyWeatherKind)i) * draws / all;
        assert_in_range(counts[i], due / 2, due + due / 2);
    }
    cn_world_destroy(world);
}

static void a_kind_stays_for_half_a_minute_to_two(void **state)
{
    (void)state;
    CnWorld *world = make_world(2);
    for (uint32_t i = 0; i < 50; i++) {
        cn_resource_mut(world, CraftyWeather)->left = 0;
        float left = run(world, 0.05f)->left;
        assert_true(left >= CRAFTY_WEATHER_SHORTEST && left < CRAFTY_WEATHER_LONGEST);
    }
    cn_world_destroy(world);
}

static void rain_ends_at_the_border_of_the_desert(void **state)
{
    (void)state;
    CnWorld *world = make_world(3);
    *cn_resource_mut(world, CraftyWeather) =
        (CraftyWeather){.kind = CRAFTY_HEAVY_RAIN, .left = 100, .rain = 1, .cover = 1};
    assert_int_equal(run(world, 1)->kind, CRAFTY_HEAVY_RAIN);
    cn_resource_mut(world, CraftyWeather)->biome = CN_BIOME_DESERT;
    assert_true(run(world, 0.05f)->kind <= CRAFTY_CLOUDY);
    assert_true(run(world, 20)->rain < 0.01f);
    cn_world_destroy(world);
}

static void changes_are_eased(void **state)
{
    (void)state;
    CnWorld *world = make_world(4);
    CraftyWeather *weather = cn_resource_mut(world, CraftyWeather);
    weather->kind = CRAFTY_HEAVY_RAIN;
    float after_one = run(world, 0.95f)->rain;
    assert_true(after_one > 0.2f && after_one < 0.3f);
    assert_true(run(world, 15)->rain > 0.98f);
    cn_world_destroy(world);
}

static void rain_makes_wet_and_what_is_wet_dries(void **state)
{
    (void)state;
    CnWorld *world = make_world(5);
    crafty_weather_hold(world, CRAFTY_HEAVY_RAIN);
    cn_resource_mut(world, CraftyWeather)->wetness = 0;
    assert_true(run(world, 10)->wetness == 1);
    crafty_weather_hold(world, CRAFTY_CLEAR);
    cn_resource_mut(world, CraftyWeather)->wetness = 1;
    float after = run(world, 10)->wetness;
    assert_true(after > 0.7f && after < 0.9f);
    cn_world_destroy(world);
}

static void weather_that_is_held_is_there_at_once_and_stays(void **state)
{
    (void)state;
    CnWorld *world = make_world(6);
    crafty_weather_hold(world, CRAFTY_HEAVY_FOG);
    float fog = cn_resource(world, CraftyWeather)->fog;
    assert_true(fog > 0.05f);
    const CraftyWeather *weather = run(world, 200);
    assert_true(weather->kind == CRAFTY_HEAVY_FOG && weather->fog == fog);
    cn_world_destroy(world);
}

static void clouds_take_light_away(void **state)
{
    (void)state;
    CraftyWeather clear = {.cover = 0.2f}, overcast = {.cover = 1};
    assert_true(crafty_weather_light(&clear) == 1);
    assert_true(crafty_weather_light(&overcast) < 0.3f);
}

static void the_renderer_sees_the_atmosphere(void **state)
{
    (void)state;
    CnWorld *world = make_world(7);
    CnOutbox *outbox = cn_outbox_create(NULL, NULL);
    assert_true(cn_extract_add(world, outbox, NULL));
    crafty_weather_hold(world, CRAFTY_HEAVY_SNOW);
    assert_true(cn_camera_add(world, NULL));
    CnEntity camera = cn_object(world, "Camera");
    assert_true(cn_add(world, camera, CnCamera));
    assert_true(cn_set(world, camera, CraftyPlace, {.water_above = 3.5f}));
    cn_outbox_begin(outbox, 1, 0);
    run(world, 0.05f);
    cn_outbox_publish(outbox);
    CnSnapshotPair pair;
    assert_true(cn_outbox_acquire(outbox, &pair));
    const CnRenderAtmosphere *air = &pair.current->render.atmosphere;
    assert_true(air->valid && air->snow == 1 && air->water_above == 3.5f && air->to_sun.y > 0.3f);
    cn_outbox_release(outbox);
    cn_world_destroy(world);
    cn_outbox_destroy(outbox);
}

static void the_same_seed_gives_the_same_weather(void **state)
{
    (void)state;
    CnWorld *a = make_world(8), *b = make_world(8);
    for (uint32_t i = 0; i < 20; i++) {
        const CraftyWeather *left = run(a, 20), *right = run(b, 20);
        assert_int_equal(left->kind, right->kind);
        assert_true(left->cover == right->cover && left->left == right->left);
    }
    cn_world_destroy(a);
    cn_world_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_snows_only_where_it_is_cold),
        cmocka_unit_test(deserts_stay_clear),
        cmocka_unit_test(mountains_carry_taller_clouds),
        cmocka_unit_test(clouds_cover_less_of_a_desert_than_of_plains),
        cmocka_unit_test(kinds_come_as_often_as_they_weigh),
        cmocka_unit_test(a_kind_stays_for_half_a_minute_to_two),
        cmocka_unit_test(rain_ends_at_the_border_of_the_desert),
        cmocka_unit_test(changes_are_eased),
        cmocka_unit_test(rain_makes_wet_and_what_is_wet_dries),
        cmocka_unit_test(weather_that_is_held_is_there_at_once_and_stays),
        cmocka_unit_test(clouds_take_light_away),
        cmocka_unit_test(the_renderer_sees_the_atmosphere),
        cmocka_unit_test(the_same_seed_gives_the_same_weather),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
