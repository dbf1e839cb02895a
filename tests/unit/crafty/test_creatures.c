/* Creatures: moving, behaviours, blasts, and who stays. */
#include "creature_fixture.h"

#include <crafty/sim/day.h>
#include <crafty/sim/vitals.h>

static CnVec3 player_place(CreatureFixture *fixture)
{
    return cn_get(fixture->sim.world, fixture->sim.players[0], CnTransform)->position;
}

static void a_creature_stands_on_the_floor(void **state)
{
    CreatureFixture fixture;
    (void)state;
    creatures_make(&fixture, 1, 12);
    CnEntity pig = creature_at(&fixture, "pig", 4.5f, 0.5f);
    fixture_ticks(&fixture.sim, 60);
    CnVec3 at = creature_place(&fixture, pig);
    assert_true(at.y > FLOOR_Y + 0.99f && at.y < FLOOR_Y + 1.01f);
    creatures_end(&fixture);
}

static void pigs_wander_and_stay_on_the_floor(void **state)
{
    CreatureFixture fixture;
    CnEntity pigs[8];
    float moved = 0;
    (void)state;
    creatures_make(&fixture, 1, 12);
    for (uint32_t i = 0; i < 8; i++)
        pigs[i] = creature_at(&fixture, "pig", -6.5f + 1.7f * (float)i, 3.5f);
    fixture_ticks(&fixture.sim, 3600);
    for (uint32_t i = 0; i < 8; i++) {
        CnVec3 at = creature_place(&fixture, pigs[i]);
        assert_true(at.y > FLOOR_Y + 0.9f); /* the floor hangs in the air: a cliff on all sides */
        moved += flat_distance(at, cn_vec3(-6.5f + 1.7f * (float)i, 0, 3.5f));
    }
    assert_true(moved > 8);
    creatures_end(&fixture);
}

static void a_zombie_attacks_a_player_in_survival(void **state)
{
    CreatureFixture fixture;
    (void)state;
    creatures_make(&fixture, 1, 12);
    make_mortal(&fixture, 0);
    crafty_day_set_hours(fixture.sim.world, 0);
    creature_at(&fixture, "zombie", 8.5f, 0.5f);
    fixture_ticks(&fixture.sim, 600);
    assert_true(cn_get(fixture.sim.world, fixture.sim.players[0], CraftyVitals)->health <
                CRAFTY_MAX_HEALTH);
    creatures_end(&fixture);
}

static void a_zombie_ignores_a_player_in_creative_mode(void **state)
{
    CreatureFixture fixture;
    (void)state;
    creatures_make(&fixture, 1, 12);
    crafty_day_set_hours(fixture.sim.world, 0);
    creature_at(&fixture, "zombie", 4.5f, 0.5f);
    fixture_ticks(&fixture.sim, 600);
    assert_true(cn_get(fixture.sim.world, fixture.sim.players[0], CraftyVitals)->health ==
                CRAFTY_MAX_HEALTH);
    creatures_end(&fixture);
}

static void the_blast_of_a_creeper_leaves_a_crater_and_hurts(void **state)
{
    CreatureFixture fixture;
    (void)state;
    creatures_make(&fixture, 1, 12);
    make_mortal(&fixture, 0);
    uint64_t before = cn_edit_log_total(cn_voxels_log(fixture.sim.voxels));
    CnEntity creeper = creature_at(&fixture, "creeper", 3.5f, 0.5f);
    fixture_ticks(&fixture.sim, 300);
    assert_null(creature_of(&fixture, creeper));
    assert_true(cn_edit_log_total(cn_voxels_log(fixture.sim.voxels)) > before + 5);
    assert_true(cn_get(fixture.sim.world, fixture.sim.players[0], CraftyVitals)->health <
                CRAFTY_MAX_HEALTH);
    creatures_end(&fixture);
}

static void a_blast_spares_hard_blocks(void **state)
{
    CreatureFixture fixture;
    (void)state;
    creatures_make(&fixture, 1, 12);
    make_mortal(&fixture, 0);
    for (int32_t x = -8; x <= 8; x++)
        for (int32_t z = -8; z <= 8; z++)
            put_block(&fixture, x, 0, z, "obsidian");
    creature_at(&fixture, "creeper", 3.5f, 0.5f);
    fixture_ticks(&fixture.sim, 300);
    for (int32_t x = -8; x <= 8; x++)
        for (int32_t z = -8; z <= 8; z++)
            assert_int_equal(cn_voxels_get(fixture.sim.voxels, (CnCell){x, FLOOR_Y, z}),
                             fixture_block(&fixture.sim, "obsidian"));
    creatures_end(&fixture);
}

static void ducklings_follow_their_mother(void **state)
{
    CreatureFixture fixture;
    (void)state;
    creatures_make(&fixture, 1, 20);
    CnEntity mother = creature_at(&fixture, "duck", 12.5f, 0.5f);
    CnEntity child = crafty_creature_spawn(
        fixture.sim.world, &(CraftyCreatureDesc){.kind = "duck",
                                                 .position = {2.5f, FLOOR_Y + 1.01f, 8.5f},
                                                 .is_young = true,
                                                 .parent = mother});
    fixture_ticks(&fixture.sim, 900);
    assert_true(flat_distance(creature_place(&fixture, child), creature_place(&fixture, mother)) <
                7);
    creatures_end(&fixture);
}

static void a_hurt_pig_runs_away(void **state)
{
    CreatureFixture fixture;
    (void)state;
    creatures_make(&fixture, 1, 20);
    CnEntity pig = creature_at(&fixture, "pig", 3.5f, 0.5f);
    fixture_ticks(&fixture.sim, 5);
    assert_true(
        crafty_creature_hurt(fixture.sim.world, pig, 1, cn_vec3(0, 0, 0), fixture.sim.players[0]));
    fixture_ticks(&fixture.sim, 180);
    assert_true(flat_distance(creature_place(&fixture, pig), player_place(&fixture)) > 5);
    creatures_end(&fixture);
}

static void a_dead_creature_drops_and_vanishes(void **state)
{
    CreatureFixture fixture;
    (void)state;
    creatures_make(&fixture, 1, 12);
    CnEntity pig = creature_at(&fixture, "pig", 8.5f, 0.5f);
    fixture_ticks(&fixture.sim, 2);
    assert_true(crafty_creature_hurt(fixture.sim.world, pig, 100, cn_vec3(0, 0, 0), (CnEntity){0}));
    assert_true(crafty_drop_items(fixture.sim.world, fixture_item(&fixture.sim, "raw_pork")) > 0);
    fixture_ticks(&fixture.sim, CRAFTY_DEATH_TICKS + 1);
    assert_null(creature_of(&fixture, pig));
    creatures_end(&fixture);
}

static void peaceful_worlds_have_no_hostile_creatures(void **state)
{
    CreatureFixture fixture;
    (void)state;
    creatures_make(&fixture, 1, 12);
    CnEntity zombie = creature_at(&fixture, "zombie", 8.5f, 0.5f);
    CnEntity pig = creature_at(&fixture, "pig", 8.5f, 4.5f);
    assert_true(crafty_difficulty_set(fixture.sim.world, CRAFTY_PEACEFUL));
    fixture_ticks(&fixture.sim, 2);
    assert_null(creature_of(&fixture, zombie));
    assert_non_null(creature_of(&fixture, pig));
    creatures_end(&fixture);
}

static void far_wild_creatures_vanish_and_named_ones_stay(void **state)
{
    CreatureFixture fixture;
    (void)state;
    creatures_make(&fixture, 1, 12);
    CnEntity wild = creature_at(&fixture, "pig", 8.5f, 0.5f);
    CnEntity named = creature_at(&fixture, "pig", 8.5f, 4.5f);
    assert_true(crafty_creature_set_label(fixture.sim.world, named, "Berta"));
    cn_get_mut(fixture.sim.world, wild, CnTransform)->position.x = 200;
    cn_get_mut(fixture.sim.world, named, CnTransform)->position.x = 200;
    fixture_ticks(&fixture.sim, 2);
    assert_null(creature_of(&fixture, wild));
    assert_non_null(creature_of(&fixture, named));
    creatures_end(&fixture);
}

static void animals_do_not_appear_on_what_stands_above_the_terrain(void **state)
{
    CreatureFixture fixture;
    (void)state;
    creatures_make(&fixture, 1, 84); /* a roof over all columns nearby */
    CnGenerateScratch *scratch = cn_generate_scratch_create(fixture.sim.blocks.generator);
    assert_non_null(scratch);
    cn_resource_mut(fixture.sim.world, CraftyBlocks)->biomes =
        (CraftyBiomes){fixture.sim.blocks.generator, scratch};
    for (uint32_t i = 0; i < crafty_creature_kinds_count(fixture.kinds); i++) {
        CraftyCreatureSpawn *spawn =
            &((CraftyCreatureKind *)(uintptr_t)crafty_creature_kind_at(fixture.kinds, i))->spawn;
        spawn->chance = 1;
        spawn->biomes = spawn->habitat == CRAFTY_HABITAT_SURFACE ? UINT32_MAX : 0;
    }
    fixture_ticks(&fixture.sim, 200);
    assert_int_equal(crafty_creature_count(fixture.sim.world, 0), 0);
    cn_generate_scratch_destroy(scratch);
    creatures_end(&fixture);
}

static void two_fed_pigs_have_a_young_one(void **state)
{
    CreatureFixture fixture;
    (void)state;
    creatures_make(&fixture, 1, 12);
    CnEntity a = creature_at(&fixture, "pig", 6.5f, 0.5f),
             b = creature_at(&fixture, "pig", 6.5f, 4.5f);
    cn_get_mut(fixture.sim.world, a, CraftyCreature)->love = 1200;
    cn_get_mut(fixture.sim.world, b, CraftyCreature)->love = 1200;
    fixture_ticks(&fixture.sim, 600);
    assert_int_equal(crafty_creature_count(fixture.sim.world, 2), 3);
    creatures_end(&fixture);
}

static void a_zombie_finds_its_way_around_a_wall(void **state)
{
    CreatureFixture fixture;
    (void)state;
    creatures_make(&fixture, 1, 14);
    make_mortal(&fixture, 0);
    crafty_day_set_hours(fixture.sim.world, 0);
    CnEntity zombie = creature_at(&fixture, "zombie", 9.5f, 0.5f);
    fixture_ticks(&fixture.sim, 30); /* it has seen the player */
    for (int32_t z = -8; z <= 8; z++)
        for (int32_t y = 1; y <= 3; y++)
            put_block(&fixture, 4, y, z, "stone");
    fixture_ticks(&fixture.sim, 1200);
    bool was_hurt = cn_get(fixture.sim.world, fixture.sim.players[0], CraftyVitals)->hurt_tick > 0;
    assert_true(was_hurt);
    assert_non_null(creature_of(&fixture, zombie));
    creatures_end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_creature_stands_on_the_floor),
        cmocka_unit_test(pigs_wander_and_stay_on_the_floor),
        cmocka_unit_test(a_zombie_attacks_a_player_in_survival),
        cmocka_unit_test(a_zombie_ignores_a_player_in_creative_mode),
        cmocka_unit_test(the_blast_of_a_creeper_leaves_a_crater_and_hurts),
        cmocka_unit_test(a_blast_spares_hard_blocks),
        cmocka_unit_test(ducklings_follow_their_mother),
        cmocka_unit_test(a_hurt_pig_runs_away),
        cmocka_unit_test(a_dead_creature_drops_and_vanishes),
        cmocka_unit_test(peaceful_worlds_have_no_hostile_creatures),
        cmocka_unit_test(far_wild_creatures_vanish_and_named_ones_stay),
        cmocka_unit_test(animals_do_not_appear_on_what_stands_above_the_terrain),
        cmocka_unit_test(two_fed_pigs_have_a_young_one),
        cmocka_unit_test(a_zombie_finds_its_way_around_a_wall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
