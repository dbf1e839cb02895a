/* Snow and ice: where they form and melt, by biome, weather and time of day. */
#include "sim_fixture.h"

#include <crafty/sim/day.h>
#include <crafty/sim/growth.h>
#include <crafty/sim/weather.h>

#define PLATE 8 /* blocks along each side of what is watched, in the empty sky */
#define TICKS 6000u
#define SEARCH_STEP 96
#define SEARCHES 160

static SimFixture fixture;
static CnGenerateScratch *scratch;

static int make(void **state)
{
    (void)state;
    fixture_make(&fixture, 1);
    scratch = cn_generate_scratch_create(fixture.blocks.generator);
    assert_non_null(scratch);
    cn_resource_mut(fixture.world, CraftyBlocks)->biomes =
        (CraftyBiomes){fixture.blocks.generator, scratch};
    crafty_day_set_hours(fixture.world, 12);
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    cn_generate_scratch_destroy(scratch);
    fixture_end(&fixture);
    return 0;
}

/* ---- A plate in a biome ---- */

static bool is_all(CnBiome biome, int32_t x, int32_t z)
{
    for (int32_t i = 0; i <= PLATE; i += PLATE)
        for (int32_t k = 0; k <= PLATE; k += PLATE)
            if (cn_generate_column(fixture.blocks.generator, scratch, x + i, z + k).biome != biome)
                return false;
    return true;
}

static CnCell find(CnBiome biome)
{
    for (int32_t i = -SEARCHES; i < SEARCHES; i++)
        for (int32_t k = -SEARCHES; k < SEARCHES; k++) {
            CnCell cell = {i * SEARCH_STEP, FLOOR_Y, k * SEARCH_STEP};
            if (is_all(biome, cell.x, cell.z))
                return cell;
        }
    fail_msg("the world has no biome %d", (int)biome);
    return (CnCell){0};
}

static CnCell at(CnCell corner, int32_t x, int32_t y, int32_t z)
{
    return (CnCell){corner.x + x, corner.y + y, corner.z + z};
}

static void put(CnCell cell, const char *name)
{
    assert_true(voxel_set(fixture.voxels, cell, fixture_block(&fixture, name)));
}

static void lay(CnCell corner, int32_t y, const char *name)
{
    for (int32_t x = 0; x < PLATE; x++)
        for (int32_t z = 0; z < PLATE; z++)
            put(at(corner, x, y, z), name);
}

static CnCell plate_in(CnBiome biome, const char *name)
{
    CnCell corner = find(biome);
    lay(corner, 0, name);
    return corner;
}

static uint32_t count(CnCell corner, int32_t y, const char *name)
{
    uint32_t found = 0;
    for (int32_t x = 0; x < PLATE; x++)
        for (int32_t z = 0; z < PLATE; z++)
            found +=
                cn_voxels_get(fixture.voxels, at(corner, x, y, z)) == fixture_block(&fixture, name);
    return found;
}

/* The weather of so many ticks around a player on the plate. */
static void pass(CnCell corner, CraftyWeatherKind kind, uint32_t ticks)
{
    CnVec3 player = {(float)corner.x + PLATE / 2, (float)FLOOR_Y + 2, (float)corner.z + PLATE / 2};
    crafty_weather_hold(fixture.world, kind);
    for (uint32_t i = 0; i < ticks; i++) {
        cn_resource_mut(fixture.world, CnTickInfo)->tick++;
        crafty_growth_begin(fixture.world);
        crafty_growth_weather(fixture.world, &player, 1);
    }
}

/* Random ticks of all cells of a layer. */
static void tick(CnCell corner, int32_t y, uint32_t ticks)
{
    for (uint32_t i = 0; i < ticks; i++) {
        cn_resource_mut(fixture.world, CnTickInfo)->tick++;
        for (int32_t x = 0; x < PLATE; x++)
            for (int32_t z = 0; z < PLATE; z++) {
                CnCell cell = at(corner, x, y, z);
                crafty_growth_begin(fixture.world);
                crafty_growth_tick(fixture.world, cell, cn_voxels_get(fixture.voxels, cell), true);
            }
    }
}

/* ---- Forming ---- */

static void snowfall_lays_snow_in_the_cold(void **state)
{
    (void)state;
    CnCell corner = plate_in(CN_BIOME_SNOWY_PLAINS, "stone");
    pass(corner, CRAFTY_HEAVY_SNOW, TICKS);
    assert_true(count(corner, 1, "snow_layer") > 10);
}

static void snowfall_lays_snow_in_the_taiga(void **state)
{
    (void)state;
    CnCell corner = plate_in(CN_BIOME_TAIGA, "stone");
    pass(corner, CRAFTY_LIGHT_SNOW, TICKS);
    assert_true(count(corner, 1, "snow_layer") > 10);
}

static void no_snow_is_laid_under_a_clear_sky(void **state)
{
    (void)state;
    CnCell corner = plate_in(CN_BIOME_SNOWY_PLAINS, "stone");
    pass(corner, CRAFTY_CLEAR, TICKS);
    assert_int_equal(count(corner, 1, "air"), PLATE * PLATE);
}

static void no_snow_is_laid_where_it_is_warm(void **state)
{
    (void)state;
    CnCell corner = plate_in(CN_BIOME_GRASSY_PLAINS, "stone");
    pass(corner, CRAFTY_HEAVY_SNOW, TICKS);
    assert_int_equal(count(corner, 1, "air"), PLATE * PLATE);
}

static void no_snow_is_laid_under_a_roof(void **state)
{
    (void)state;
    CnCell corner = plate_in(CN_BIOME_SNOWY_PLAINS, "stone");
    lay(corner, 4, "oak_planks");
    pass(corner, CRAFTY_HEAVY_SNOW, TICKS);
    assert_int_equal(count(corner, 1, "air"), PLATE * PLATE);
}

static void no_snow_is_laid_beside_a_lamp(void **state)
{
    (void)state;
    CnCell corner = plate_in(CN_BIOME_SNOWY_PLAINS, "stone");
    put(at(corner, PLATE / 2, 1, PLATE / 2), "glowstone");
    pass(corner, CRAFTY_HEAVY_SNOW, TICKS);
    for (int32_t x = -2; x <= 2; x++)
        for (int32_t z = -2; z <= 2; z++)
            assert_int_not_equal(
                cn_voxels_get(fixture.voxels, at(corner, PLATE / 2 + x, 1, PLATE / 2 + z)),
                fixture_block(&fixture, "snow_layer"));
}

static void no_snow_is_laid_on_slabs(void **state)
{
    (void)state;
    CnCell corner = plate_in(CN_BIOME_SNOWY_PLAINS, "oak_slab");
    pass(corner, CRAFTY_HEAVY_SNOW, TICKS);
    assert_int_equal(count(corner, 1, "air"), PLATE * PLATE);
}

static void snow_does_not_pile_up(void **state)
{
    (void)state;
    CnCell corner = plate_in(CN_BIOME_SNOWY_PLAINS, "stone");
    lay(corner, 1, "snow_layer");
    pass(corner, CRAFTY_HEAVY_SNOW, TICKS);
    assert_int_equal(count(corner, 2, "air"), PLATE * PLATE);
}

static void water_freezes_in_the_cold(void **state)
{
    (void)state;
    CnCell corner = plate_in(CN_BIOME_SNOWY_PLAINS, "water");
    pass(corner, CRAFTY_CLEAR, TICKS);
    assert_true(count(corner, 0, "ice") > 5);
}

static void the_middle_of_water_stays_open_until_ice_reaches_it(void **state)
{
    (void)state;
    CnCell corner = plate_in(CN_BIOME_SNOWY_PLAINS, "water");
    CnBlock ice = fixture_block(&fixture, "ice");
    for (uint32_t i = 0; i < TICKS && !count(corner, 0, "ice"); i++)
        pass(corner, CRAFTY_CLEAR, 1);
    for (int32_t x = 1; x < PLATE - 1; x++)
        for (int32_t z = 1; z < PLATE - 1; z++)
            assert_int_not_equal(cn_voxels_get(fixture.voxels, at(corner, x, 0, z)), ice);
}

static void water_in_the_taiga_freezes_at_night_only(void **state)
{
    (void)state;
    CnCell corner = plate_in(CN_BIOME_TAIGA, "water");
    pass(corner, CRAFTY_CLEAR, TICKS);
    assert_int_equal(count(corner, 0, "ice"), 0);
    crafty_day_set_hours(fixture.world, 1);
    pass(corner, CRAFTY_CLEAR, TICKS);
    assert_true(count(corner, 0, "ice") > 5);
}

static void water_stays_open_where_it_is_warm(void **state)
{
    (void)state;
    CnCell corner = plate_in(CN_BIOME_GRASSY_PLAINS, "water");
    pass(corner, CRAFTY_HEAVY_SNOW, TICKS);
    assert_int_equal(count(corner, 0, "ice"), 0);
}

static void water_stays_open_beside_a_lamp(void **state)
{
    (void)state;
    CnCell corner = plate_in(CN_BIOME_SNOWY_PLAINS, "water");
    lay(corner, 2, "air");
    put(at(corner, -1, 0, PLATE / 2), "glowstone");
    pass(corner, CRAFTY_CLEAR, TICKS);
    assert_int_equal(cn_voxels_get(fixture.voxels, at(corner, 0, 0, PLATE / 2)), CN_BLOCK_WATER);
}

/* ---- Melting ---- */

static void snow_and_ice_stay_in_the_eternal_cold(void **state)
{
    (void)state;
    CnCell corner = plate_in(CN_BIOME_SNOWY_MOUNTAINS, "ice");
    lay(corner, 1, "snow_layer");
    crafty_weather_hold(fixture.world, CRAFTY_CLEAR);
    tick(corner, 1, 30);
    tick(corner, 0, 30);
    assert_int_equal(count(corner, 0, "ice"), PLATE * PLATE);
    assert_int_equal(count(corner, 1, "snow_layer"), PLATE * PLATE);
}

static void a_clear_day_melts_the_snow_of_the_taiga(void **state)
{
    (void)state;
    CnCell corner = plate_in(CN_BIOME_TAIGA, "stone");
    lay(corner, 1, "snow_layer");
    crafty_weather_hold(fixture.world, CRAFTY_CLEAR);
    tick(corner, 1, 30);
    assert_int_equal(count(corner, 1, "snow_layer"), 0);
}

static void the_snow_of_the_taiga_stays_at_night(void **state)
{
    (void)state;
    CnCell corner = plate_in(CN_BIOME_TAIGA, "stone");
    lay(corner, 1, "snow_layer");
    crafty_weather_hold(fixture.world, CRAFTY_CLEAR);
    crafty_day_set_hours(fixture.world, 1);
    tick(corner, 1, 30);
    assert_int_equal(count(corner, 1, "snow_layer"), PLATE * PLATE);
}

static void the_snow_of_the_taiga_stays_while_it_snows(void **state)
{
    (void)state;
    CnCell corner = plate_in(CN_BIOME_TAIGA, "stone");
    lay(corner, 1, "snow_layer");
    crafty_weather_hold(fixture.world, CRAFTY_LIGHT_SNOW);
    tick(corner, 1, 30);
    assert_int_equal(count(corner, 1, "snow_layer"), PLATE * PLATE);
}

static void a_lamp_melts_snow_and_ice_in_the_cold(void **state)
{
    (void)state;
    CnCell corner = plate_in(CN_BIOME_SNOWY_PLAINS, "ice");
    put(at(corner, 2, 1, 2), "snow_layer");
    put(at(corner, 3, 1, 2), "glowstone");
    tick(corner, 1, 30);
    tick(corner, 0, 30);
    assert_int_equal(cn_voxels_get(fixture.voxels, at(corner, 2, 1, 2)), CN_BLOCK_AIR);
    assert_int_equal(cn_voxels_get(fixture.voxels, at(corner, 2, 0, 2)), CN_BLOCK_WATER);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, unmake)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(snowfall_lays_snow_in_the_cold),
        TEST(snowfall_lays_snow_in_the_taiga),
        TEST(no_snow_is_laid_under_a_clear_sky),
        TEST(no_snow_is_laid_where_it_is_warm),
        TEST(no_snow_is_laid_under_a_roof),
        TEST(no_snow_is_laid_beside_a_lamp),
        TEST(no_snow_is_laid_on_slabs),
        TEST(snow_does_not_pile_up),
        TEST(water_freezes_in_the_cold),
        TEST(the_middle_of_water_stays_open_until_ice_reaches_it),
        TEST(water_in_the_taiga_freezes_at_night_only),
        TEST(water_stays_open_where_it_is_warm),
        TEST(water_stays_open_beside_a_lamp),
        TEST(snow_and_ice_stay_in_the_eternal_cold),
        TEST(a_clear_day_melts_the_snow_of_the_taiga),
        TEST(the_snow_of_the_taiga_stays_at_night),
        TEST(the_snow_of_the_taiga_stays_while_it_snows),
        TEST(a_lamp_melts_snow_and_ice_in_the_cold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
