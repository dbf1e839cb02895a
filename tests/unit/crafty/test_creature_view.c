/* Creatures as the client draws them: between ticks, in view, with names. */
#include "creature_fixture.h"

#include "crafty/client/creature_view.h"

static CreatureFixture fixture;
static CraftyCreatureView *view;
static CnBlockModels *models;

static void begin(void)
{
    CnError error = {0};
    creatures_make(&fixture, 1, 12);
    view = crafty_creature_view_create(&error);
    models = cn_block_models_create(NULL, &error);
    assert_true(view && models);
    assert_true(crafty_creature_view_add(view, fixture.sim.world, &error));
}

static void end(void)
{
    creatures_end(&fixture);
    crafty_creature_view_destroy(view);
    cn_block_models_destroy(models);
}

/* Returns the number of creatures drawn. */
static uint32_t frame(float cone)
{
    CraftyCreatureViewFrame shown = {.world = fixture.sim.world,
                                     .voxels = fixture.sim.voxels,
                                     .eye = {0, FLOOR_Y + 2, 0},
                                     .forward = {0, 0, -1},
                                     .cone = cone,
                                     .alpha = 0.5f,
                                     .seconds = 1.0f / 60};
    cn_block_models_begin(models);
    uint32_t drawn = crafty_creature_view_frame(view, &shown, models);
    cn_block_models_end(models);
    return drawn;
}

static void creatures_are_drawn(void **state)
{
    (void)state;
    begin();
    creature_at(&fixture, "pig", 0, -5);
    creature_at(&fixture, "duck", 2, -5);
    fixture_ticks(&fixture.sim, 2);
    assert_int_equal(crafty_creature_view_count(view), 2);
    assert_int_equal(frame(-1), 2);
    assert_true(cn_block_models_stats(models).parts > 20);
    end();
}

static void what_is_behind_the_camera_is_not_drawn(void **state)
{
    (void)state;
    begin();
    creature_at(&fixture, "pig", 0, -10);
    creature_at(&fixture, "pig", 0, 10);
    fixture_ticks(&fixture.sim, 2);
    assert_int_equal(frame(-1), 2);
    assert_int_equal(frame(0.7f), 1);
    end();
}

static void a_name_is_drawn_above_its_creature(void **state)
{
    (void)state;
    begin();
    CnEntity wolf = creature_at(&fixture, "wolf", 0, -5);
    fixture_ticks(&fixture.sim, 2);
    frame(-1);
    uint32_t parts = cn_block_models_stats(models).parts;
    assert_true(crafty_creature_set_label(fixture.sim.world, wolf, "Rex"));
    fixture_ticks(&fixture.sim, 1);
    frame(-1);
    assert_int_equal(cn_block_models_stats(models).parts, parts + 4); /* a plate, three letters */
    end();
}

static void a_removed_creature_is_not_drawn(void **state)
{
    (void)state;
    begin();
    CnEntity pig = creature_at(&fixture, "pig", 0, -5);
    fixture_ticks(&fixture.sim, 2);
    assert_int_equal(frame(-1), 1);
    crafty_creature_remove(fixture.sim.world, pig);
    fixture_ticks(&fixture.sim, 2);
    assert_int_equal(frame(-1), 0);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(creatures_are_drawn),
        cmocka_unit_test(what_is_behind_the_camera_is_not_drawn),
        cmocka_unit_test(a_name_is_drawn_above_its_creature),
        cmocka_unit_test(a_removed_creature_is_not_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
