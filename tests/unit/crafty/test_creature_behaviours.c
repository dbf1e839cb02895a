/* Single behaviours of creatures, each on a floor in the sky. test_creatures.c has fights, paths
 * and panic; test_creature_care.c what players do to creatures. */
#include "creature_fixture.h"

#include <crafty/sim/creature/creature_internal.h>
#include <crafty/sim/day.h>

#define SECOND 60u

static CreatureFixture fixture;

static void begin(int32_t side, float hours)
{
    creatures_make(&fixture, 1, side);
    crafty_day_set_hours(fixture.sim.world, hours);
}

static CnVec3 place(CnEntity entity)
{
    return creature_place(&fixture, entity);
}

static float health(CnEntity entity)
{
    return creature_of(&fixture, entity)->health;
}

static CraftyCreatureKind *kind_named(const char *name)
{
    CraftyCreatureKind *kind =
        (CraftyCreatureKind *)(uintptr_t)crafty_creature_kind_find(fixture.kinds, name);
    assert_non_null(kind);
    return kind;
}

/* Makes a behaviour begin whenever it can. */
static void insist(const char *kind_name, CraftyBehaviourKind behaviour)
{
    CraftyCreatureKind *kind = kind_named(kind_name);
    for (uint32_t i = 0; i < kind->behaviour_count; i++)
        if (kind->behaviours[i].kind == behaviour)
            kind->behaviours[i].chance = 10;
}

static void put_box(int32_t x0, int32_t x1, int32_t y0, int32_t y1, int32_t z0, int32_t z1,
                    const char *block)
{
    for (int32_t y = y0; y <= y1; y++)
        for (int32_t z = z0; z <= z1; z++)
            for (int32_t x = x0; x <= x1; x++)
                put_block(&fixture, x, y, z, block);
}

static void move_player(float x, float z)
{
    cn_get_mut(fixture.sim.world, fixture.sim.players[0], CnTransform)->position =
        cn_vec3(x, FLOOR_Y + 1 + CRAFTY_PLAYER_EYE, z);
}

static uint32_t count_events(CnEventReader *reader, CraftyCreatureEventKind kind)
{
    const CraftyCreatureEvent *event;
    uint32_t count = 0;
    while ((event = cn_read_next(reader, CraftyCreatureEvent)))
        count += event->kind == (uint8_t)kind;
    return count;
}

/* ---- Zombies and the sun ---- */

static void a_zombie_goes_into_the_shade_by_day(void **state)
{
    (void)state;
    begin(14, 12);
    put_box(5, 11, 4, 4, -4, 4, "stone");
    CnEntity zombie = creature_at(&fixture, "zombie", 0.5f, 3.5f);
    uint32_t shade = 0;
    for (uint32_t i = 0; i < 12; i++) {
        fixture_ticks(&fixture.sim, SECOND);
        shade += place(zombie).x > 5 && place(zombie).x < 12 && place(zombie).z > -4 &&
                 place(zombie).z < 5;
    }
    assert_true(shade >= 4);
    assert_true(health(zombie) > 8);
    creatures_end(&fixture);
}

static void a_zombie_without_shade_burns_to_death_by_day(void **state)
{
    (void)state;
    begin(8, 12);
    CnEntity zombie = creature_at(&fixture, "zombie", 4.5f, 0.5f);
    fixture_ticks(&fixture.sim, 24 * SECOND);
    assert_null(creature_of(&fixture, zombie));
    creatures_end(&fixture);
}

static void a_zombie_does_not_burn_by_night(void **state)
{
    (void)state;
    begin(8, 0);
    CnEntity zombie = creature_at(&fixture, "zombie", 4.5f, 0.5f);
    fixture_ticks(&fixture.sim, 10 * SECOND);
    assert_true(health(zombie) == kind_named("zombie")->health);
    creatures_end(&fixture);
}

static void a_zombie_burns_while_it_attacks(void **state)
{
    (void)state;
    begin(14, 12);
    make_mortal(&fixture, 0);
    CnEntity zombie = creature_at(&fixture, "zombie", 10.5f, 0.5f);
    fixture_ticks(&fixture.sim, 5 * SECOND);
    assert_true(health(zombie) <= kind_named("zombie")->health - 3);
    creatures_end(&fixture);
}

/* ---- Bats, fish and bees ---- */

static void a_bat_hangs_below_a_ceiling_by_day(void **state)
{
    (void)state;
    begin(14, 12);
    insist("bat", CRAFTY_BEHAVIOUR_HANG);
    put_box(-12, 12, 6, 6, -12, 12, "stone");
    CnEntity bat = creature_at(&fixture, "bat", 8.5f, 8.5f);
    fixture_ticks(&fixture.sim, 10 * SECOND);
    assert_int_equal(creature_of(&fixture, bat)->state, CRAFTY_CREATURE_HANG);
    assert_true(place(bat).y > FLOOR_Y + 5);
    creatures_end(&fixture);
}

static void a_bat_flies_by_night(void **state)
{
    (void)state;
    begin(14, 0);
    insist("bat", CRAFTY_BEHAVIOUR_HANG);
    put_box(-12, 12, 6, 6, -12, 12, "stone");
    CnEntity bat = creature_at(&fixture, "bat", 8.5f, 8.5f);
    for (uint32_t i = 0; i < 10 * SECOND; i++) {
        fixture_ticks(&fixture.sim, 1);
        assert_int_not_equal(creature_of(&fixture, bat)->state, CRAFTY_CREATURE_HANG);
    }
    creatures_end(&fixture);
}

/* A pool on the floor, four blocks deep. */
static void make_pool(void)
{
    put_box(-8, 8, 1, 5, 2, 14, "stone");
    put_box(-7, 7, 1, 4, 3, 13, "water");
    put_box(-7, 7, 5, 5, 3, 13, "air");
}

static void a_fish_flees_from_a_player(void **state)
{
    (void)state;
    begin(16, 12);
    make_pool();
    move_player(0.5f, 1.5f);
    CnEntity fish = crafty_creature_spawn(
        fixture.sim.world,
        &(CraftyCreatureDesc){.kind = "fish", .position = {0.5f, FLOOR_Y + 2, 3.8f}});
    fixture_ticks(&fixture.sim, 2 * SECOND);
    assert_true(flat_distance(place(fish), cn_vec3(0.5f, 0, 1.5f)) > 3);
    creatures_end(&fixture);
}

static float spread(const CnEntity *entities, uint32_t count)
{
    CnVec3 middle = {0, 0, 0};
    float sum = 0;
    for (uint32_t i = 0; i < count; i++)
        middle = cn_vec3_add(middle, cn_vec3_scale(place(entities[i]), 1 / (float)count));
    for (uint32_t i = 0; i < count; i++)
        sum += flat_distance(place(entities[i]), middle) / (float)count;
    return sum;
}

static void fish_swim_in_a_school(void **state)
{
    CnEntity fish[8];
    (void)state;
    begin(16, 12);
    make_pool();
    move_player(0.5f, -10.5f);
    for (uint32_t i = 0; i < 8; i++)
        fish[i] = crafty_creature_spawn(
            fixture.sim.world,
            &(CraftyCreatureDesc){
                .kind = "fish",
                .position = {-6.2f + 1.8f * (float)i, FLOOR_Y + 2.5f, i % 2 ? 4.5f : 11.5f}});
    float before = spread(fish, 8), after = 0;
    fixture_ticks(&fixture.sim, 10 * SECOND);
    for (uint32_t i = 0; i < 10; i++) {
        fixture_ticks(&fixture.sim, SECOND);
        after += spread(fish, 8) / 10;
    }
    for (uint32_t i = 0; i < 8; i++) {
        assert_true(cn_get(fixture.sim.world, fish[i], CraftyBody)->swims);
        assert_true(health(fish[i]) == kind_named("fish")->health);
    }
    assert_true(after < 0.7f * before);
    creatures_end(&fixture);
}

static uint32_t ticks_at_flower(float hours)
{
    uint32_t count = 0;
    begin(14, hours);
    insist("bee", CRAFTY_BEHAVIOUR_VISIT);
    put_block(&fixture, 5, 0, 5, "grass");
    put_block(&fixture, 5, 1, 5, "poppy");
    CnEntity bee = crafty_creature_spawn(
        fixture.sim.world,
        &(CraftyCreatureDesc){.kind = "bee", .position = {2.5f, FLOOR_Y + 3, 2.5f}});
    for (uint32_t i = 0; i < 40 * SECOND; i++) {
        fixture_ticks(&fixture.sim, 1);
        count += crafty_distance2(place(bee), cn_vec3(5.5f, FLOOR_Y + 1.7f, 5.5f)) < 0.4f * 0.4f;
    }
    creatures_end(&fixture);
    return count;
}

static void a_bee_stays_at_a_flower_for_a_while(void **state)
{
    (void)state;
    assert_true(ticks_at_flower(12) > 3 * SECOND);
}

static void a_bee_visits_no_flowers_by_night(void **state)
{
    (void)state;
    assert_true(ticks_at_flower(0) < SECOND);
}

static void a_bee_stings_who_hits_it(void **state)
{
    (void)state;
    begin(14, 12);
    make_mortal(&fixture, 0);
    CnEntity bee = creature_at(&fixture, "bee", 2.5f, 0.5f);
    CnEventReader *reader =
        cn_event_reader_create(cn_channel(fixture.sim.world, CraftyCreatureEvent), NULL);
    fixture_ticks(&fixture.sim, 2);
    assert_true(
        crafty_creature_hurt(fixture.sim.world, bee, 1, cn_vec3(0, 0, 0), fixture.sim.players[0]));
    uint32_t attacks = 0;
    for (uint32_t i = 0; i < 6 * SECOND; i++) {
        fixture_ticks(&fixture.sim, 1);
        attacks += count_events(reader, CRAFTY_CREATURE_ATTACKED);
    }
    cn_event_reader_destroy(reader);
    assert_true(attacks > 0);
    creatures_end(&fixture);
}

/* ---- Food ---- */

static void a_sheep_grazes_until_its_wool_has_grown(void **state)
{
    (void)state;
    begin(8, 12);
    put_box(-8, 8, 0, 0, -8, 8, "grass");
    CnEntity sheep = creature_at(&fixture, "sheep", 4.5f, 0.5f);
    cn_get_mut(fixture.sim.world, sheep, CraftyCreature)->sheared = true;
    bool eats = false;
    uint32_t i = 0;
    for (; i < 60 * SECOND && creature_of(&fixture, sheep)->sheared; i++) {
        fixture_ticks(&fixture.sim, 1);
        eats |= creature_of(&fixture, sheep)->state == CRAFTY_CREATURE_EAT;
    }
    assert_true(eats);
    assert_false(creature_of(&fixture, sheep)->sheared);
    creatures_end(&fixture);
}

static void a_sheep_on_stone_does_not_graze(void **state)
{
    (void)state;
    begin(8, 12);
    insist("sheep", CRAFTY_BEHAVIOUR_GRAZE);
    CnEntity sheep = creature_at(&fixture, "sheep", 4.5f, 0.5f);
    for (uint32_t i = 0; i < 10 * SECOND; i++) {
        fixture_ticks(&fixture.sim, 1);
        assert_int_not_equal(creature_of(&fixture, sheep)->state, CRAFTY_CREATURE_EAT);
    }
    creatures_end(&fixture);
}

static void a_chicken_lays_eggs(void **state)
{
    (void)state;
    begin(8, 12);
    CnEntity chicken = creature_at(&fixture, "chicken", 4.5f, 0.5f);
    move_player(-6.5f, -6.5f);
    cn_get_mut(fixture.sim.world, chicken, CraftyMind)->egg_wait = 20;
    fixture_ticks(&fixture.sim, 30);
    assert_int_equal(crafty_drop_items(fixture.sim.world, fixture_item(&fixture.sim, "egg")), 1);
    creatures_end(&fixture);
}

/* ---- Wolves ---- */

static float health_of_prey(CraftyCreatureDesc wolf, const char *prey)
{
    begin(14, 12);
    insist("wolf", CRAFTY_BEHAVIOUR_HUNT);
    wolf.kind = "wolf";
    wolf.position = cn_vec3(-8.5f, FLOOR_Y + 1.01f, 0.5f);
    assert_int_not_equal(crafty_creature_spawn(fixture.sim.world, &wolf).id, 0);
    CnEntity hunted = creature_at(&fixture, prey, -2.5f, 2.5f);
    float left = health(hunted);
    for (uint32_t i = 0; i < 20 * SECOND && creature_of(&fixture, hunted); i++) {
        fixture_ticks(&fixture.sim, 1);
        if (creature_of(&fixture, hunted))
            left = health(hunted);
    }
    creatures_end(&fixture);
    return left;
}

static void a_wild_wolf_hunts_sheep(void **state)
{
    (void)state;
    assert_true(health_of_prey((CraftyCreatureDesc){0}, "sheep") < 8);
}

static void a_wild_wolf_leaves_cows_alone(void **state)
{
    (void)state;
    assert_true(health_of_prey((CraftyCreatureDesc){0}, "cow") == 10);
}

static void a_tame_wolf_does_not_hunt(void **state)
{
    (void)state;
    assert_true(health_of_prey((CraftyCreatureDesc){.owner = 1}, "sheep") == 8);
}

static void a_young_wolf_does_not_hunt(void **state)
{
    (void)state;
    assert_true(health_of_prey((CraftyCreatureDesc){.is_young = true}, "sheep") == 8);
}

static void a_sitting_wolf_stays(void **state)
{
    (void)state;
    begin(14, 12);
    CnEntity wolf = crafty_creature_spawn(
        fixture.sim.world, &(CraftyCreatureDesc){.kind = "wolf",
                                                 .position = {12.5f, FLOOR_Y + 1.01f, 0.5f},
                                                 .owner = 1});
    cn_get_mut(fixture.sim.world, wolf, CraftyCreature)->sits = true;
    fixture_ticks(&fixture.sim, 10 * SECOND);
    assert_true(flat_distance(place(wolf), cn_vec3(12.5f, 0, 0.5f)) < 0.2f);
    assert_int_equal(creature_of(&fixture, wolf)->state, CRAFTY_CREATURE_SIT);
    creatures_end(&fixture);
}

static void a_wolf_helps_its_owner(void **state)
{
    (void)state;
    begin(14, 0);
    CnEntity wolf = crafty_creature_spawn(
        fixture.sim.world, &(CraftyCreatureDesc){.kind = "wolf",
                                                 .position = {3.5f, FLOOR_Y + 1.01f, 0.5f},
                                                 .owner = 1});
    CnEntity zombie = creature_at(&fixture, "zombie", 8.5f, 0.5f);
    cn_set(fixture.sim.world, fixture.sim.players[0], CraftyStrike,
           {.target = zombie, .tick = cn_resource(fixture.sim.world, CnTickInfo)->tick});
    fixture_ticks(&fixture.sim, 6 * SECOND);
    assert_non_null(creature_of(&fixture, wolf));
    assert_true(!creature_of(&fixture, zombie) || health(zombie) < kind_named("zombie")->health);
    creatures_end(&fixture);
}

/* ---- Others ---- */

static void a_cow_looks_at_a_player_beside_it(void **state)
{
    (void)state;
    begin(8, 12);
    insist("cow", CRAFTY_BEHAVIOUR_LOOK);
    CnEntity cow = creature_at(&fixture, "cow", 3.5f, 0.5f);
    fixture_ticks(&fixture.sim, 2 * SECOND);
    const CraftyCreature *creature = creature_of(&fixture, cow);
    float direction = cn_get(fixture.sim.world, cow, CraftyBody)->yaw + creature->head_yaw;
    assert_int_equal(creature->state, CRAFTY_CREATURE_LOOK);
    assert_true(cn_fabsf(direction - 90) < 15); /* -x is to the left of -z */
    creatures_end(&fixture);
}

static void animals_walk_around_what_is_dangerous(void **state)
{
    static const char *const dangers[] = {"lava", "magma", "cactus", "water"};
    (void)state;
    for (uint32_t i = 0; i < CN_COUNT_OF(dangers); i++) {
        int32_t y = i == 2; /* cacti stand on the floor */
        CnEntity pigs[4];
        begin(12, 12);
        insist("pig", CRAFTY_BEHAVIOUR_WANDER);
        put_box(-12, 12, -1, -1, -12, 12, "stone");
        put_box(3, 9, y, y, 0, 6, dangers[i]);
        put_box(4, 8, y, y, 1, 5, y ? "air" : "stone");
        for (uint32_t k = 0; k < 4; k++)
            pigs[k] = creature_at(&fixture, "pig", 5 + 0.9f * (float)k, 2 + 0.7f * (float)k);
        for (uint32_t k = 0; k < 30 * SECOND; k++) {
            fixture_ticks(&fixture.sim, 1);
            for (uint32_t n = 0; n < 4; n++)
                if (!creature_of(&fixture, pigs[n]) || health(pigs[n]) < 10 ||
                    cn_get(fixture.sim.world, pigs[n], CraftyBody)->swims)
                    fail_msg("a pig is in %s", dangers[i]);
        }
        creatures_end(&fixture);
    }
}

/* Those who left it would rest there forever. */
static void wanderers_stay_where_creatures_are_active(void **state)
{
    (void)state;
    begin(74, 12);
    insist("pig", CRAFTY_BEHAVIOUR_WANDER);
    CnEntity pigs[8];
    for (uint32_t i = 0; i < 8; i++)
        pigs[i] = creature_at(&fixture, "pig", 56.5f, -8 + 2 * (float)i);
    for (uint32_t i = 0; i < 60; i++) {
        fixture_ticks(&fixture.sim, SECOND);
        for (uint32_t k = 0; k < 8; k++)
            assert_true(flat_distance(place(pigs[k]), cn_vec3(0.5f, 0, 0.5f)) <
                        CRAFTY_ACTIVE_DISTANCE);
    }
    creatures_end(&fixture);
}

static void those_far_away_move_as_fast_as_those_nearby(void **state)
{
    float moved[2];
    (void)state;
    for (uint32_t far = 0; far < 2; far++) {
        begin(60, 12);
        CnEntity pig = creature_at(&fixture, "pig", far ? 45.5f : 5.5f, 0.5f);
        fixture_ticks(&fixture.sim, 2);
        CraftyMind *mind = cn_get_mut(fixture.sim.world, pig, CraftyMind);
        mind->behaviour =
            (uint8_t)(crafty_creature_behaviour(kind_named("pig"), CRAFTY_BEHAVIOUR_WANDER) -
                      kind_named("pig")->behaviours);
        mind->goal = cn_vec3(place(pig).x + 10, FLOOR_Y + 1, 0.5f);
        CnVec3 before = place(pig);
        fixture_ticks(&fixture.sim, 2 * SECOND);
        moved[far] = flat_distance(place(pig), before);
        creatures_end(&fixture);
    }
    assert_true(moved[0] > 2);
    assert_true(cn_fabsf(moved[0] - moved[1]) < 0.1f * moved[0]);
}

static void tame_ones_stay_when_everybody_is_far_away(void **state)
{
    (void)state;
    begin(8, 12);
    CnEntity wild = creature_at(&fixture, "wolf", 2.5f, 0.5f);
    CnEntity tame = crafty_creature_spawn(
        fixture.sim.world, &(CraftyCreatureDesc){.kind = "wolf",
                                                 .position = {4.5f, FLOOR_Y + 1.01f, 0.5f},
                                                 .owner = 7});
    CnVec3 before = place(tame);
    move_player(4000, 0);
    fixture_ticks(&fixture.sim, 10);
    assert_null(creature_of(&fixture, wild));
    assert_non_null(creature_of(&fixture, tame));
    assert_true(crafty_distance2(place(tame), before) == 0); /* it rests */
    creatures_end(&fixture);
}

/* ---- Appearing ---- */

static uint32_t count_zombies(float hours)
{
    uint32_t highest = 0;
    begin(60, hours);
    kind_named("zombie")->spawn.biomes = UINT32_MAX;
    for (uint32_t i = 0; i < 60; i++) {
        fixture_ticks(&fixture.sim, SECOND);
        CnQueryDesc desc = {.all = {cn_reads(CraftyCreature), cn_reads(CnTransform)}};
        CnQuery *query = cn_query_acquire(fixture.sim.world, &desc, NULL);
        CnChunkView view;
        uint32_t count = 0;
        for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);)
            for (uint32_t k = 0; k < view.count; k++)
                count += cn_column_const(&view, CnTransform)[k].position.y > FLOOR_Y;
        cn_query_release(query);
        highest = count > highest ? count : highest;
    }
    creatures_end(&fixture);
    return highest;
}

static void zombies_appear_under_the_sky_by_night(void **state)
{
    (void)state;
    uint32_t count = count_zombies(0);
    assert_true(count > 0 && count <= 8 + 2);
}

static void no_zombies_appear_under_the_sky_by_day(void **state)
{
    (void)state;
    assert_int_equal(count_zombies(12), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_zombie_goes_into_the_shade_by_day),
        cmocka_unit_test(a_zombie_without_shade_burns_to_death_by_day),
        cmocka_unit_test(a_zombie_does_not_burn_by_night),
        cmocka_unit_test(a_zombie_burns_while_it_attacks),
        cmocka_unit_test(a_bat_hangs_below_a_ceiling_by_day),
        cmocka_unit_test(a_bat_flies_by_night),
        cmocka_unit_test(a_fish_flees_from_a_player),
        cmocka_unit_test(fish_swim_in_a_school),
        cmocka_unit_test(a_bee_stays_at_a_flower_for_a_while),
        cmocka_unit_test(a_bee_visits_no_flowers_by_night),
        cmocka_unit_test(a_bee_stings_who_hits_it),
        cmocka_unit_test(a_sheep_grazes_until_its_wool_has_grown),
        cmocka_unit_test(a_sheep_on_stone_does_not_graze),
        cmocka_unit_test(a_chicken_lays_eggs),
        cmocka_unit_test(a_wild_wolf_hunts_sheep),
        cmocka_unit_test(a_wild_wolf_leaves_cows_alone),
        cmocka_unit_test(a_tame_wolf_does_not_hunt),
        cmocka_unit_test(a_young_wolf_does_not_hunt),
        cmocka_unit_test(a_sitting_wolf_stays),
        cmocka_unit_test(a_wolf_helps_its_owner),
        cmocka_unit_test(a_cow_looks_at_a_player_beside_it),
        cmocka_unit_test(animals_walk_around_what_is_dangerous),
        cmocka_unit_test(wanderers_stay_where_creatures_are_active),
        cmocka_unit_test(those_far_away_move_as_fast_as_those_nearby),
        cmocka_unit_test(tame_ones_stay_when_everybody_is_far_away),
        cmocka_unit_test(zombies_appear_under_the_sky_by_night),
        cmocka_unit_test(no_zombies_appear_under_the_sky_by_day),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
