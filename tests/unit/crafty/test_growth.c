/* Rules of growth: each one in a world in the empty sky. */
#include "sim_fixture.h"

#include <cairn/voxel/water.h>
#include <crafty/sim/growth.h>
#include <crafty/sim/undo.h>
#include <crafty/sim/weather.h>

static SimFixture fixture;
static CnGenerateScratch *biome_scratch;

static int make(void **state)
{
    (void)state;
    fixture_make(&fixture, 1);
    biome_scratch = cn_generate_scratch_create(fixture.blocks.generator);
    assert_non_null(biome_scratch);
    cn_resource_mut(fixture.world, CraftyBlocks)->biomes =
        (CraftyBiomes){fixture.blocks.generator, biome_scratch};
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    cn_generate_scratch_destroy(biome_scratch);
    fixture_end(&fixture);
    return 0;
}

static const CnCell PLACE = {4, FLOOR_Y + 1, 4};

static CnCell at(int32_t dx, int32_t dy, int32_t dz)
{
    return (CnCell){PLACE.x + dx, PLACE.y + dy, PLACE.z + dz};
}

static void put(CnCell cell, const char *name)
{
    assert_true(voxel_set(fixture.voxels, cell, fixture_block(&fixture, name)));
}

static void assert_block(CnCell cell, const char *name)
{
    assert_string_equal(cn_block_info(standard_blocks(), cn_voxels_get(fixture.voxels, cell))->name,
                        name);
}

static bool is_block(CnCell cell, const char *name)
{
    return cn_voxels_get(fixture.voxels, cell) == fixture_block(&fixture, name);
}

/* A dark room around PLACE. */
static void put_room(int32_t height)
{
    for (int32_t x = -12; x <= 12; x++)
        for (int32_t z = -12; z <= 12; z++)
            for (int32_t y = -1; y <= height; y++)
                if (y < 0 || y == height || x * x == 144 || z * z == 144)
                    put(at(x, y, z), "stone");
}

/* Ticks of one cell, in so many ticks of the world. */
static void grow(CnCell cell, uint32_t ticks)
{
    for (uint32_t i = 0; i < ticks; i++) {
        cn_resource_mut(fixture.world, CnTickInfo)->tick++;
        crafty_growth_begin(fixture.world);
        crafty_growth_tick(fixture.world, cell, cn_voxels_get(fixture.voxels, cell), true);
    }
}

static const CraftyGrowth *totals(void)
{
    return cn_resource(fixture.world, CraftyGrowth);
}

/* ---- Grass ---- */

static void grass_spreads_to_lit_dirt(void **state)
{
    (void)state;
    put(at(0, 0, 0), "grass");
    put(at(1, 0, 0), "dirt");
    put(at(0, 1, 0), "glass"); /* nothing grows on it */
    grow(at(0, 0, 0), 400);
    assert_block(at(1, 0, 0), "grass");
}

static void grass_does_not_spread_below_opaque_blocks(void **state)
{
    (void)state;
    put(at(0, 0, 0), "grass");
    put(at(1, 0, 0), "dirt");
    put(at(1, 1, 0), "stone");
    grow(at(0, 0, 0), 400);
    assert_block(at(1, 0, 0), "dirt");
}

static void covered_grass_becomes_dirt(void **state)
{
    (void)state;
    put(at(0, 0, 0), "grass");
    put(at(0, 1, 0), "stone");
    grow(at(0, 0, 0), 1);
    assert_block(at(0, 0, 0), "dirt");
}

static void plants_grow_again_on_bare_grass_but_not_without_limit(void **state)
{
    (void)state;
    uint32_t plants = 0;
    for (int32_t x = 0; x < 4; x++)
        for (int32_t z = 0; z < 4; z++)
            put(at(x, 0, z), "grass");
    for (uint32_t round = 0; round < 3000; round++)
        for (int32_t i = 0; i < 16; i++)
            grow(at(i % 4, 0, i / 4), 1);
    for (int32_t i = 0; i < 16; i++)
        plants += cn_voxels_get(fixture.voxels, at(i % 4, 1, i / 4)) != CN_BLOCK_AIR;
    assert_in_range(plants, 1, 6);
}

static void grass_does_not_spread_in_the_dark(void **state)
{
    (void)state;
    put_room(6);
    put(at(0, 0, 0), "grass");
    put(at(1, 0, 0), "dirt");
    grow(at(0, 0, 0), 400);
    assert_block(at(1, 0, 0), "dirt");
}

static void grass_does_not_spread_to_dirt_below_water(void **state)
{
    (void)state;
    put(at(0, 0, 0), "grass");
    put(at(1, 0, 0), "dirt");
    put(at(1, 1, 0), "water");
    grow(at(0, 0, 0), 400);
    assert_block(at(1, 0, 0), "dirt");
}

static void mushrooms_spread_in_the_dark_only(void **state)
{
    (void)state;
    put(at(0, 0, 0), "brown_mushroom"); /* under the open sky */
    grow(at(0, 0, 0), 2000);
    uint32_t mushrooms = 0;
    for (int32_t x = -3; x <= 3; x++)
        for (int32_t z = -3; z <= 3; z++)
            mushrooms += is_block(at(x, 0, z), "brown_mushroom");
    assert_int_equal(mushrooms, 1);
}

static void a_cactus_does_not_grow_beside_blocks(void **state)
{
    (void)state;
    put(at(0, 0, 0), "cactus");
    put(at(1, 1, 0), "stone");
    grow(at(0, 0, 0), 500);
    assert_block(at(0, 1, 0), "air");
}

/* ---- Trees ---- */

static void a_sapling_becomes_a_tree_of_its_wood(void **state)
{
    (void)state;
    static const char *const woods[] = {"oak", "birch", "spruce", "cherry", "maple", "palm"};
    for (uint32_t i = 0; i < CN_COUNT_OF(woods); i++) {
        char name[64];
        CnCell place = at((int32_t)i * 20 - 60, 0, -40);
        cn_format(name, sizeof name, "%s_sapling", woods[i]);
        put(place, "dirt");
        place.y++;
        put(place, name);
        grow(place, 200);
        cn_format(name, sizeof name, "%s_log", woods[i]);
        assert_block(place, name);
    }
    assert_int_equal(totals()->trees, CN_COUNT_OF(woods));
}

static void a_sapling_without_room_waits(void **state)
{
    (void)state;
    put(at(0, 0, 0), "dirt");
    put(at(0, 1, 0), "oak_sapling");
    put(at(0, 3, 0), "glass");
    grow(at(0, 1, 0), 300);
    assert_block(at(0, 1, 0), "oak_sapling");
}

static void a_sapling_on_stone_waits(void **state)
{
    (void)state;
    put(at(0, 0, 0), "oak_sapling");
    grow(at(0, 0, 0), 300);
    assert_block(at(0, 0, 0), "oak_sapling");
}

static void a_sapling_in_the_dark_waits(void **state)
{
    (void)state;
    put_room(20);
    put(at(0, 0, 0), "dirt");
    put(at(0, 1, 0), "oak_sapling");
    grow(at(0, 1, 0), 300);
    assert_block(at(0, 1, 0), "oak_sapling");
}

static void leaves_decay_after_the_trunk_is_removed(void **state)
{
    (void)state;
    put(at(0, 0, 0), "oak_log");
    for (int32_t x = 1; x <= 4; x++)
        put(at(x, 0, 0), "oak_leaves");
    fixture_ticks(&fixture, 5);
    put(at(0, 0, 0), "air");
    fixture_ticks(&fixture, 1100);
    for (int32_t x = 1; x <= 4; x++)
        assert_block(at(x, 0, 0), "air");
    assert_int_equal(totals()->decayed, 4);
}

static void leaves_near_another_trunk_stay(void **state)
{
    (void)state;
    put(at(0, 0, 0), "oak_log");
    for (int32_t x = 1; x <= 4; x++)
        put(at(x, 0, 0), "oak_leaves");
    put(at(5, 0, 0), "birch_log");
    fixture_ticks(&fixture, 5);
    put(at(0, 0, 0), "air");
    fixture_ticks(&fixture, 1100);
    assert_block(at(1, 0, 0), "oak_leaves");
    assert_int_equal(totals()->decayed, 0);
}

static void leaves_that_were_placed_stay(void **state)
{
    (void)state;
    put(at(0, 0, 0), "oak_leaves");
    fixture_ticks(&fixture, 1100);
    assert_block(at(0, 0, 0), "oak_leaves");
}

/* ---- Crops ---- */

static void crops_ripen_in_stages(void **state)
{
    (void)state;
    put(at(0, 0, 0), "farmland_wet");
    put(at(0, 1, 0), "wheat_stage_1");
    grow(at(0, 1, 0), 200);
    assert_block(at(0, 1, 0), "wheat");
    assert_int_equal(totals()->ripened, 3);
}

static void crops_do_not_grow_on_dirt(void **state)
{
    (void)state;
    put(at(0, 0, 0), "dirt");
    put(at(0, 1, 0), "carrots_stage_1");
    grow(at(0, 1, 0), 200);
    assert_block(at(0, 1, 0), "carrots_stage_1");
}

static void farmland_near_water_becomes_wet_and_dries_without(void **state)
{
    (void)state;
    put(at(0, 0, 0), "farmland");
    put(at(0, 1, 0), "wheat_stage_1");
    put(at(3, 0, 0), "water");
    grow(at(0, 0, 0), 1);
    assert_block(at(0, 0, 0), "farmland_wet");
    put(at(3, 0, 0), "air");
    grow(at(0, 0, 0), 50);
    assert_block(at(0, 0, 0), "farmland"); /* the crop keeps it */
    put(at(0, 1, 0), "air");
    grow(at(0, 0, 0), 50);
    assert_block(at(0, 0, 0), "dirt");
}

static void rain_makes_farmland_wet(void **state)
{
    (void)state;
    cn_resource_mut(fixture.world, CraftyBlocks)->biomes = (CraftyBiomes){0}; /* plains */
    crafty_weather_hold(fixture.world, CRAFTY_HEAVY_RAIN);
    put(at(0, 0, 0), "farmland");
    grow(at(0, 0, 0), 1);
    assert_block(at(0, 0, 0), "farmland_wet");
}

static void water_five_blocks_away_does_not_reach_farmland(void **state)
{
    (void)state;
    put(at(0, 0, 0), "farmland");
    put(at(0, 1, 0), "wheat_stage_1");
    put(at(5, 0, 0), "water");
    grow(at(0, 0, 0), 50);
    assert_block(at(0, 0, 0), "farmland");
}

static void crops_do_not_ripen_in_the_dark(void **state)
{
    (void)state;
    put_room(6);
    put(at(0, 0, 0), "farmland_wet");
    put(at(0, 1, 0), "wheat_stage_1");
    grow(at(0, 1, 0), 200);
    assert_block(at(0, 1, 0), "wheat_stage_1");
}

static void seeds_are_planted_on_farmland_only(void **state)
{
    (void)state;
    CraftyItem seeds = fixture_item(&fixture, "wheat_seeds");
    assert_string_equal(
        cn_block_info(standard_blocks(), crafty_growth_planted(fixture.world, seeds))->name,
        "wheat_stage_1");
    assert_int_equal(crafty_growth_planted(fixture.world, fixture_item(&fixture, "stick")),
                     CN_BLOCK_AIR);
    assert_true(crafty_growth_is_farmland(fixture.world, fixture_block(&fixture, "farmland_wet")));
    assert_false(crafty_growth_is_farmland(fixture.world, fixture_block(&fixture, "dirt")));
}

/* ---- Reeds ---- */

static void reeds_grow_three_high(void **state)
{
    (void)state;
    put(at(0, 0, 0), "sugar_cane");
    for (int32_t y = 0; y < 3; y++)
        grow(at(0, y, 0), 300);
    grow(at(0, 2, 0), 300);
    assert_block(at(0, 2, 0), "sugar_cane");
    assert_block(at(0, 3, 0), "air");
}

/* ---- Snow and ice ---- */

static void snow_and_ice_melt_where_it_is_warm(void **state)
{
    (void)state;
    put(at(0, 0, 0), "snow_layer");
    put(at(2, 0, 0), "ice");
    cn_resource_mut(fixture.world, CraftyBlocks)->biomes = (CraftyBiomes){0}; /* plains */
    grow(at(0, 0, 0), 40);
    grow(at(2, 0, 0), 40);
    assert_block(at(0, 0, 0), "air");
    assert_block(at(2, 0, 0), "water");
    assert_int_equal(totals()->melted, 2);
}

static void a_layer_of_snow_falls_with_its_ground(void **state)
{
    (void)state;
    put(at(0, 0, 0), "dirt");
    put(at(0, 1, 0), "snow_layer");
    fixture_ticks(&fixture, 2);
    assert_block(at(0, 1, 0), "snow_layer");
    put(at(0, 0, 0), "air");
    fixture_ticks(&fixture, 2);
    assert_block(at(0, 1, 0), "air");
}

/* ---- Fire ---- */

static uint32_t count_burning(int32_t radius)
{
    uint32_t count = 0;
    for (int32_t x = -radius; x <= radius; x++)
        for (int32_t z = -radius; z <= radius; z++)
            for (int32_t y = 0; y <= 6; y++) {
                const char *name =
                    cn_block_info(standard_blocks(), cn_voxels_get(fixture.voxels, at(x, y, z)))
                        ->name;
                count += strncmp(name, "fire", 4) == 0;
            }
    return count;
}

static void a_fire_without_fuel_goes_out(void **state)
{
    (void)state;
    crafty_weather_hold(fixture.world, CRAFTY_CLEAR);
    put(at(0, 0, 0), "fire");
    fixture_ticks(&fixture, 2);
    assert_int_equal(totals()->fires, 1);
    fixture_ticks(&fixture, 1500);
    assert_block(at(0, 0, 0), "air");
    assert_int_equal(totals()->fires, 0);
}

static void a_fire_beside_water_goes_out_at_once(void **state)
{
    (void)state;
    put(at(0, 0, 0), "fire");
    put(at(-1, 0, 0), "oak_log");
    put(at(1, 0, 0), "water");
    fixture_ticks(&fixture, 60);
    assert_int_equal(totals()->fires, 0);
    assert_block(at(-1, 0, 0), "oak_log");
}

static void a_fire_spreads_a_little_and_burns_out(void **state)
{
    (void)state;
    const int32_t edge = 24;
    crafty_weather_hold(fixture.world, CRAFTY_CLEAR);
    for (int32_t x = -edge; x <= edge; x++)
        for (int32_t z = -edge; z <= edge; z++)
            put(at(x, 0, z), "oak_planks");
    put(at(0, 1, 0), "fire");
    uint32_t most = 0;
    for (uint32_t i = 0; i < 80; i++) {
        fixture_ticks(&fixture, 60);
        uint32_t burning = totals()->fires;
        most = burning > most ? burning : most;
    }
    assert_true(most > 1);
    assert_true(most <= CRAFTY_MAX_FIRES);
    assert_int_equal(totals()->fires, 0);
    assert_int_equal(count_burning(edge), 0);
    assert_in_range(totals()->burned, 1, 400);
    for (int32_t i = -edge; i <= edge; i++) /* the rim is out of reach */
        assert_block(at(i, 0, edge), "oak_planks");
}

static void a_fire_spreads_less_with_each_step(void **state)
{
    (void)state;
    crafty_weather_hold(fixture.world, CRAFTY_CLEAR);
    for (int32_t x = -20; x <= 20; x++)
        put(at(x, 0, 0), "oak_planks");
    put(at(0, 1, 0), "fire_1"); /* the last step */
    fixture_ticks(&fixture, 1500);
    assert_int_equal(totals()->fires, 0);
    for (int32_t x = -20; x <= 20; x++)
        if (x != 0)
            assert_block(at(x, 0, 0), "oak_planks");
}

static void stone_does_not_burn(void **state)
{
    (void)state;
    crafty_weather_hold(fixture.world, CRAFTY_CLEAR);
    for (int32_t x = -2; x <= 2; x++)
        for (int32_t z = -2; z <= 2; z++)
            put(at(x, 0, z), "stone");
    put(at(0, 1, 0), "fire");
    fixture_ticks(&fixture, 1500);
    assert_int_equal(totals()->burned, 0);
    assert_int_equal(count_burning(4), 0);
}

static void chests_do_not_burn(void **state)
{
    (void)state;
    crafty_weather_hold(fixture.world, CRAFTY_CLEAR);
    put(at(1, 1, 0), "chest_south");
    put(at(1, 0, 0), "stone");
    put(at(0, 0, 0), "stone");
    for (uint32_t i = 0; i < 10; i++) {
        put(at(0, 1, 0), "fire");
        fixture_ticks(&fixture, 200);
    }
    assert_block(at(1, 1, 0), "chest_south");
}

static void rain_puts_a_fire_out(void **state)
{
    (void)state;
    cn_resource_mut(fixture.world, CraftyBlocks)->biomes = (CraftyBiomes){0}; /* plains */
    crafty_weather_hold(fixture.world, CRAFTY_HEAVY_RAIN);
    put(at(0, 0, 0), "oak_planks");
    put(at(0, 1, 0), "fire");
    fixture_ticks(&fixture, 60);
    assert_block(at(0, 1, 0), "air");
}

/* ---- Fences ---- */

static void fences_reach_to_each_other_and_to_walls(void **state)
{
    (void)state;
    put(at(0, 0, 0), "oak_fence");
    put(at(1, 0, 0), "oak_fence");
    put(at(0, 0, 1), "stone");
    fixture_ticks(&fixture, 2);
    assert_block(at(0, 0, 0), "oak_fence_joined_6");
    assert_block(at(1, 0, 0), "oak_fence_joined_8");
    put(at(1, 0, 0), "air");
    fixture_ticks(&fixture, 2);
    assert_block(at(0, 0, 0), "oak_fence_joined_4");
}

static void fences_reach_to_gates_across_their_direction(void **state)
{
    (void)state;
    put(at(0, 0, 0), "oak_fence");
    put(at(1, 0, 0), "oak_fence_gate_north");
    put(at(0, 0, 1), "oak_fence_gate_north");
    fixture_ticks(&fixture, 2);
    assert_block(at(0, 0, 0), "oak_fence_joined_2");
}

/* ---- Limits ---- */

static void a_tick_changes_a_limited_number_of_blocks(void **state)
{
    (void)state;
    for (int32_t i = 0; i < 200; i++) {
        put(at(i % 16 - 8, 4, i / 16), "grass");
        put(at(i % 16 - 8, 5, i / 16), "stone");
    }
    uint64_t before = totals()->edits;
    crafty_growth_begin(fixture.world);
    for (int32_t i = 0; i < 200; i++) {
        CnCell cell = at(i % 16 - 8, 4, i / 16);
        crafty_growth_tick(fixture.world, cell, cn_voxels_get(fixture.voxels, cell), true);
    }
    assert_int_equal(totals()->edits - before, CRAFTY_GROWTH_EDITS);
    assert_int_equal(totals()->skipped, 200 - CRAFTY_GROWTH_EDITS);
}

static void growth_is_nobodys_edit_and_cannot_be_undone(void **state)
{
    (void)state;
    put(at(0, 0, 0), "grass");
    put(at(0, 1, 0), "stone");
    uint32_t undoable = crafty_undo_count(fixture.world, fixture.players[0]);
    grow(at(0, 0, 0), 1);
    const CnEditLog *log = cn_voxels_log(fixture.voxels);
    CnEdit last = cn_edit_log_at(log, cn_edit_log_count(log) - 1);
    assert_int_equal(last.player, CN_EDIT_NOBODY);
    assert_int_equal(last.kind, CN_EDIT_TICK);
    assert_int_equal(crafty_undo_count(fixture.world, fixture.players[0]), undoable);
    assert_true(is_block(at(0, 0, 0), "dirt"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, unmake)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(grass_spreads_to_lit_dirt),
        TEST(grass_does_not_spread_below_opaque_blocks),
        TEST(covered_grass_becomes_dirt),
        TEST(grass_does_not_spread_in_the_dark),
        TEST(grass_does_not_spread_to_dirt_below_water),
        TEST(mushrooms_spread_in_the_dark_only),
        TEST(a_cactus_does_not_grow_beside_blocks),
        TEST(plants_grow_again_on_bare_grass_but_not_without_limit),
        TEST(a_sapling_becomes_a_tree_of_its_wood),
        TEST(a_sapling_without_room_waits),
        TEST(a_sapling_on_stone_waits),
        TEST(a_sapling_in_the_dark_waits),
        TEST(leaves_decay_after_the_trunk_is_removed),
        TEST(leaves_near_another_trunk_stay),
        TEST(leaves_that_were_placed_stay),
        TEST(crops_ripen_in_stages),
        TEST(crops_do_not_grow_on_dirt),
        TEST(farmland_near_water_becomes_wet_and_dries_without),
        TEST(rain_makes_farmland_wet),
        TEST(water_five_blocks_away_does_not_reach_farmland),
        TEST(crops_do_not_ripen_in_the_dark),
        TEST(seeds_are_planted_on_farmland_only),
        TEST(reeds_grow_three_high),
        TEST(snow_and_ice_melt_where_it_is_warm),
        TEST(a_layer_of_snow_falls_with_its_ground),
        TEST(a_fire_without_fuel_goes_out),
        TEST(a_fire_beside_water_goes_out_at_once),
        TEST(a_fire_spreads_a_little_and_burns_out),
        TEST(a_fire_spreads_less_with_each_step),
        TEST(stone_does_not_burn),
        TEST(chests_do_not_burn),
        TEST(rain_puts_a_fire_out),
        TEST(fences_reach_to_each_other_and_to_walls),
        TEST(fences_reach_to_gates_across_their_direction),
        TEST(a_tick_changes_a_limited_number_of_blocks),
        TEST(growth_is_nobodys_edit_and_cannot_be_undone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
