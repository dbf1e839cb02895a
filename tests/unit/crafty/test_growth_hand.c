/* Planting and lighting fires by hand: what it does, what it costs, and where it is refused. */
#include "sim_fixture.h"

#include <crafty/sim/growth.h>
#include <crafty/sim/weather.h>

static SimFixture fixture;
/* What the player aims at without looking up or down, and the cell above it. */
static const CnCell AHEAD = {0, FLOOR_Y + 2, -2};
static const CnCell ABOVE = {0, FLOOR_Y + 3, -2};
static const CnCell BEFORE = {0, FLOOR_Y + 2, -1}; /* the cell at its front */

static int make(void **state)
{
    (void)state;
    fixture_make(&fixture, 1);
    fixture_player(&fixture, 0)->mode = CRAFTY_MODE_SURVIVAL;
    crafty_weather_hold(fixture.world, CRAFTY_CLEAR);
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    fixture_end(&fixture);
    return 0;
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

/* A block one step below the eye, two blocks ahead, of which the player sees the top. */
static CnCell bed_of(const char *name)
{
    CnCell bed = {0, FLOOR_Y + 1, -2};
    put(bed, name);
    fixture_ticks(&fixture, 1);
    cn_get_mut(fixture.world, fixture.players[0], CnTransform)->rotation =
        crafty_pose_rotation(&(CraftyPose){.pitch = -17});
    return bed;
}

static CraftyStack *hold(const char *item, uint16_t count)
{
    CraftyStack *slot = &fixture_player(&fixture, 0)->slots[0];
    *slot = (CraftyStack){.item = fixture_item(&fixture, item), .count = count};
    fixture_ticks(&fixture, 1);
    return &fixture_player(&fixture, 0)->slots[0];
}

static void use(void)
{
    input_button(&fixture.inputs[0], CN_MOUSE_RIGHT, true);
    fixture_ticks(&fixture, 1);
    input_button(&fixture.inputs[0], CN_MOUSE_RIGHT, false);
    fixture_ticks(&fixture, 1);
}

/* ---- Seeds and saplings ---- */

static void seeds_become_a_crop_on_farmland(void **state)
{
    (void)state;
    bed_of("farmland");
    hold("wheat_seeds", 3);
    use();
    assert_block(AHEAD, "wheat_stage_1");
}

static void a_carrot_becomes_a_crop_on_wet_farmland(void **state)
{
    (void)state;
    bed_of("farmland_wet");
    hold("carrot", 1);
    use();
    assert_block(AHEAD, "carrots_stage_1");
}

static void planting_consumes_one_seed(void **state)
{
    (void)state;
    bed_of("farmland");
    CraftyStack *seeds = hold("wheat_seeds", 3);
    use();
    assert_int_equal(seeds->count, 2);
}

static void planting_in_creative_mode_consumes_nothing(void **state)
{
    (void)state;
    fixture_player(&fixture, 0)->mode = CRAFTY_MODE_CREATIVE;
    bed_of("farmland");
    CraftyStack *seeds = hold("wheat_seeds", 3);
    use();
    assert_block(AHEAD, "wheat_stage_1");
    assert_int_equal(seeds->count, 3);
}

static void seeds_stay_in_the_hand_on_dirt(void **state)
{
    (void)state;
    bed_of("dirt");
    CraftyStack *seeds = hold("wheat_seeds", 3);
    use();
    assert_block(AHEAD, "air");
    assert_int_equal(seeds->count, 3);
}

static void seeds_are_not_planted_from_the_side(void **state)
{
    (void)state;
    put(AHEAD, "farmland");
    CraftyStack *seeds = hold("wheat_seeds", 3);
    use();
    assert_block(ABOVE, "air");
    assert_int_equal(seeds->count, 3);
}

static void a_planted_crop_is_not_planted_again(void **state)
{
    (void)state;
    bed_of("farmland");
    CraftyStack *seeds = hold("wheat_seeds", 3);
    use();
    use();
    assert_int_equal(seeds->count, 2);
}

static void a_crop_breaks_when_its_farmland_is_removed(void **state)
{
    (void)state;
    CnCell bed = bed_of("farmland");
    hold("wheat_seeds", 1);
    use();
    put(bed, "air");
    fixture_ticks(&fixture, 2);
    assert_block(AHEAD, "air");
}

static void a_sapling_is_planted_on_soil(void **state)
{
    (void)state;
    bed_of("grass");
    CraftyStack *sapling = hold("birch_sapling", 2);
    use();
    assert_block(AHEAD, "birch_sapling");
    assert_int_equal(sapling->count, 1);
}

/* ---- Flint and steel ---- */

static const CraftyGrowth *totals(void)
{
    return cn_resource(fixture.world, CraftyGrowth);
}

static void flint_and_steel_lights_a_fire(void **state)
{
    (void)state;
    bed_of("stone");
    hold("flint_and_steel", 1);
    use();
    assert_block(AHEAD, "fire");
    assert_int_equal(totals()->fires, 1);
}

static void lighting_a_fire_wears_the_tool(void **state)
{
    (void)state;
    bed_of("stone");
    CraftyStack *lighter = hold("flint_and_steel", 1);
    use();
    assert_int_equal(lighter->wear, 1);
}

static void a_held_button_lights_one_fire(void **state)
{
    (void)state;
    bed_of("stone");
    CraftyStack *lighter = hold("flint_and_steel", 1);
    input_button(&fixture.inputs[0], CN_MOUSE_RIGHT, true);
    fixture_ticks(&fixture, 120);
    assert_int_equal(lighter->wear, 1);
}

static void a_fire_is_not_lit_in_midair(void **state)
{
    (void)state;
    put(AHEAD, "stone"); /* nothing is below its front */
    CraftyStack *lighter = hold("flint_and_steel", 1);
    use();
    assert_block(BEFORE, "air");
    assert_int_equal(lighter->wear, 0);
}

static void a_fire_is_not_lit_in_water(void **state)
{
    (void)state;
    bed_of("stone");
    put(AHEAD, "water");
    CraftyStack *lighter = hold("flint_and_steel", 1);
    use();
    assert_block(AHEAD, "water");
    assert_int_equal(lighter->wear, 0);
}

static void no_fire_is_lit_while_too_many_burn(void **state)
{
    (void)state;
    bed_of("stone");
    CraftyStack *lighter = hold("flint_and_steel", 1);
    cn_resource_mut(fixture.world, CraftyGrowth)->fires = CRAFTY_MAX_FIRES;
    use();
    assert_block(AHEAD, "air");
    assert_int_equal(lighter->wear, 0);
}

static void a_fire_lit_by_hand_burns_out(void **state)
{
    (void)state;
    CnCell bed = bed_of("oak_planks");
    hold("flint_and_steel", 1);
    use();
    fixture_ticks(&fixture, 3000);
    assert_int_equal(totals()->fires, 0);
    assert_block(AHEAD, "air");
    assert_true(cn_voxels_get(fixture.voxels, bed) == CN_BLOCK_AIR ||
                cn_voxels_get(fixture.voxels, bed) == fixture_block(&fixture, "oak_planks"));
}

static void a_blow_puts_a_fire_out(void **state)
{
    (void)state;
    bed_of("stone");
    hold("flint_and_steel", 1);
    use();
    input_button(&fixture.inputs[0], CN_MOUSE_LEFT, true);
    fixture_ticks(&fixture, 2);
    assert_block(AHEAD, "air");
    assert_int_equal(totals()->fires, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, unmake)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(seeds_become_a_crop_on_farmland),
        TEST(a_carrot_becomes_a_crop_on_wet_farmland),
        TEST(planting_consumes_one_seed),
        TEST(planting_in_creative_mode_consumes_nothing),
        TEST(seeds_stay_in_the_hand_on_dirt),
        TEST(seeds_are_not_planted_from_the_side),
        TEST(a_planted_crop_is_not_planted_again),
        TEST(a_crop_breaks_when_its_farmland_is_removed),
        TEST(a_sapling_is_planted_on_soil),
        TEST(flint_and_steel_lights_a_fire),
        TEST(lighting_a_fire_wears_the_tool),
        TEST(a_held_button_lights_one_fire),
        TEST(a_fire_is_not_lit_in_midair),
        TEST(a_fire_is_not_lit_in_water),
        TEST(no_fire_is_lit_while_too_many_burn),
        TEST(a_fire_lit_by_hand_burns_out),
        TEST(a_blow_puts_a_fire_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
