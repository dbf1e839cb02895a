/* Breakage: pairs whose target dies while something still names them. */
#include "../../unit/ecs/ecs_fixture.h"

#include "check_world.h"
#include "guards.h"

CN_COMPONENT(Likes, (f32, amount));
CN_TAG(Knows);

static CnComponent likes, knows;
static CnCommands *commands;

static int make_kinds(void **state)
{
    if (make_world(state))
        return -1;
    likes = cn_id(world, Likes);
    knows = cn_id(world, Knows);
    cn_id(world, Frozen), cn_id(world, Mass);
    commands = cn_commands_create(world, NULL);
    return commands ? 0 : -1;
}

#define PAIR_TEST(name) cmocka_unit_test_setup_teardown(name, make_kinds, drop_world)

static CnEntity fan_of(CnEntity target, float amount)
{
    CnEntity fan = cn_spawn(world, cn_with(Mass, {1}));
    assert_true(cn_set_component(world, fan, cn_pair(world, likes, target), &(Likes){amount}));
    return fan;
}

/* ---- The death of a target ---- */

static void everyone_loses_a_pair_when_its_target_dies(void **state)
{
    (void)state;
    CnEntity target = cn_entity_create(world), other = cn_entity_create(world), fans[500];
    for (uint32_t i = 0; i < 500; i++) {
        fans[i] = fan_of(target, 1);
        if (i % 3 == 0)
            cn_set_component(world, fans[i], cn_pair(world, likes, other), &(Likes){2});
        if (i % 5 == 0)
            cn_add(world, fans[i], Frozen);
    }
    assert_true(cn_destroy(world, target));
    for (uint32_t i = 0; i < 500; i++) {
        CnEntity left = i % 3 == 0 ? other : (CnEntity){0};
        assert_entity_equal(cn_pair_target(world, fans[i], likes, 0), left);
        assert_int_equal(cn_has_component(world, fans[i], cn_pair_any(world, likes)), i % 3 == 0);
        assert_number_equal(cn_get(world, fans[i], Mass)->kilograms, 1);
    }
    assert_world_sound(world);
}

static void an_entity_that_points_to_itself_dies_cleanly(void **state)
{
    (void)state;
    CnEntity e = cn_spawn(world, cn_with(Mass, {1}));
    cn_set_component(world, e, cn_pair(world, likes, e), &(Likes){1});
    cn_add_component(world, e, cn_pair(world, knows, e));
    assert_true(cn_destroy(world, e));
    assert_int_equal(cn_entity_count(world), 0);
    assert_world_sound(world);
}

static void two_that_point_to_each_other_die_cleanly(void **state)
{
    (void)state;
    CnEntity a = cn_entity_create(world), b = fan_of(a, 1);
    cn_set_component(world, a, cn_pair(world, likes, b), &(Likes){1});
    cn_set_parent(world, b, a);
    assert_true(cn_destroy(world, a));
    assert_int_equal(cn_entity_count(world), 0);
    assert_world_sound(world);
}

static void a_target_and_its_fans_destroyed_in_one_flush_die_cleanly(void **state)
{
    (void)state;
    CnEntity target = cn_entity_create(world), fans[50];
    for (uint32_t i = 0; i < 50; i++)
        fans[i] = fan_of(target, (float)i);
    for (uint32_t i = 0; i < 25; i++)
        cn_defer_destroy(commands, fans[i]);
    cn_defer_destroy(commands, target);
    for (uint32_t i = 25; i < 49; i++)
        cn_defer_destroy(commands, fans[i]);
    assert_true(cn_flush(world));
    assert_int_equal(cn_entity_count(world), 1);
    assert_entity_null(cn_pair_target(world, fans[49], likes, 0));
    assert_world_sound(world);
}

/* ---- Queries ---- */

static void a_query_on_a_pair_is_empty_when_the_target_died(void **state)
{
    (void)state;
    CnEntity target = cn_entity_create(world);
    fan_of(target, 1);
    CnComponent pair = cn_pair(world, likes, target);
    CnQuery *fans = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads_id(pair)}}, NULL);
    CnQuery *others = cn_query_acquire(
        world, &(CnQueryDesc){.all = {cn_reads(Mass)}, .none = {cn_tag_id(pair)}}, NULL);
    assert_int_equal(cn_query_count(fans), 1);
    assert_int_equal(cn_query_count(others), 0);
    cn_destroy(world, target);
    assert_int_equal(cn_query_count(fans), 0);
    assert_int_equal(cn_query_count(others), 1);
    assert_world_sound(world);
}

static void a_query_on_a_dead_pair_never_matches_another_component(void **state)
{
    (void)state;
    CnEntity target = cn_entity_create(world);
    CnComponent pair = cn_pair(world, likes, target);
    CnQuery *fans = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads_id(pair)}}, NULL);
    cn_destroy(world, target);
    for (uint32_t i = 0; i < 50; i++)
        fan_of(cn_entity_create(world), 1);
    assert_int_equal(cn_query_count(fans), 0);
    assert_world_sound(world);
}

static void a_query_on_a_dead_pair_can_still_be_composed(void **state)
{
    (void)state;
    CnEntity target = cn_entity_create(world);
    fan_of(target, 1);
    CnComponent pair = cn_pair(world, likes, target);
    CnQuery *fans = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag_id(pair)}}, NULL);
    cn_destroy(world, target);
    CnQuery *heavy_fans = cn_query_and(fans, cn_term_reads(Mass), NULL);
    CnQuery *thawed_fans = cn_query_not(fans, cn_term_tag(Frozen), NULL);
    assert_non_null(heavy_fans);
    assert_non_null(thawed_fans);
    assert_int_equal(cn_query_count(heavy_fans), 0);
    assert_int_equal(cn_query_count(thawed_fans), 0);
    assert_world_sound(world);
}

static void a_query_made_from_a_dead_pair_is_refused(void **state)
{
    (void)state;
    CnEntity target = cn_entity_create(world);
    CnComponent pair = cn_pair(world, likes, target);
    cn_destroy(world, target);
#ifdef CN_GUARDS
    EXPECT_GUARD(cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag_id(pair)}}, NULL));
#else
    assert_null(cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag_id(pair)}}, NULL));
#endif
    assert_int_equal(cn_pair_find(world, likes, target).id, 0);
    assert_world_sound(world);
}

static void a_query_destroys_what_matched_though_pairs_go_meanwhile(void **state)
{
    (void)state;
    /* The death of the target takes the pair from those who do not match, so that they would. */
    CnEntity target = cn_spawn(world, cn_with_tag(Frozen)), kept[20];
    for (uint32_t i = 0; i < 20; i++) {
        kept[i] = fan_of(target, 1);
        cn_add(world, kept[i], Frozen);
        cn_spawn(world, cn_with_tag(Frozen), cn_with(Mass, {2}));
    }
    CnQuery *query = cn_query_acquire(
        world,
        &(CnQueryDesc){.all = {cn_tag(Frozen)}, .none = {cn_tag_id(cn_pair_any(world, likes))}},
        NULL);
    assert_int_equal(cn_query_destroy_entities(query), 21);
    assert_int_equal(cn_entity_count(world), 20);
    for (uint32_t i = 0; i < 20; i++)
        assert_true(cn_is_alive(world, kept[i]));
    assert_world_sound(world);
}

static void a_query_destroys_all_though_archetypes_go_meanwhile(void **state)
{
    (void)state;
    CnEntity targets[20];
    for (uint32_t i = 0; i < 20; i++)
        targets[i] = cn_entity_create(world);
    for (uint32_t i = 0; i < 20; i++) {
        cn_add_component(world, fan_of(targets[i], 1), cn_pair(world, knows, targets[19 - i]));
        cn_set(world, targets[i], Mass, {3});
        cn_set_component(world, targets[i], cn_pair(world, likes, targets[(i + 7) % 20]),
                         &(Likes){1});
    }
    CnQuery *heavy = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Mass)}}, NULL);
    assert_int_equal(cn_query_destroy_entities(heavy), 40);
    assert_int_equal(cn_entity_count(world), 0);
    assert_world_sound(world);
}

static void clear_destroys_all_though_pairs_move_rows_meanwhile(void **state)
{
    (void)state;
    CnEntity e[40];
    for (uint32_t i = 0; i < 40; i++)
        e[i] = i % 2 ? cn_entity_create(world) : cn_spawn(world, cn_with(Mass, {1}));
    for (uint32_t i = 0; i < 40; i++)
        for (uint32_t j = 1; j < 4; j++)
            cn_add_component(world, e[i], cn_pair(world, j % 2 ? knows : likes, e[(i * j) % 40]));
    cn_world_clear(world);
    assert_int_equal(cn_entity_count(world), 0);
    assert_world_sound(world);
}

/* ---- Commands ---- */

static void commands_that_name_a_dead_pair_do_nothing(void **state)
{
    (void)state;
    CnEntity target = cn_entity_create(world), fan = fan_of(target, 1);
    CnEntity hopeful = cn_spawn(world, cn_with(Mass, {2}));
    CnComponent pair = cn_pair(world, likes, target);
    cn_defer_set_component(commands, hopeful, pair, &(Likes){3});
    cn_defer_remove_component(commands, fan, pair);
    CnValue values[] = {{.component = pair, .data = &(Likes){4}}, cn_with(Mass, {5})};
    CnEntity spawned = cn_defer_spawn_values(commands, values, 2);
    cn_defer_add_component(commands, hopeful, pair);
    cn_destroy(world, target);
    assert_true(cn_flush(world));
    assert_entity_null(cn_pair_target(world, hopeful, likes, 0));
    assert_entity_null(cn_pair_target(world, fan, likes, 0));
    assert_entity_null(cn_pair_target(world, spawned, likes, 0));
    assert_number_equal(cn_get(world, spawned, Mass)->kilograms, 5);
    assert_world_sound(world);
}

static void commands_that_name_a_dead_pair_never_mean_another(void **state)
{
    (void)state;
    CnEntity target = cn_entity_create(world), hopeful = cn_spawn(world, cn_with(Mass, {2}));
    cn_defer_set_component(commands, hopeful, cn_pair(world, likes, target), &(Likes){3});
    cn_destroy(world, target);
    /* New components would get the dead pair's id. */
    for (uint32_t i = 0; i < 20; i++)
        fan_of(cn_entity_create(world), 1);
    cn_id(world, Burning);
    assert_true(cn_flush(world));
    assert_int_equal(cn_entity_components(world, hopeful, NULL, 0), 1);
    assert_world_sound(world);
}

static void a_target_destroyed_in_the_flush_that_gives_its_pair_takes_it_back(void **state)
{
    (void)state;
    CnEntity target = cn_entity_create(world), hopeful = cn_spawn(world, cn_with(Mass, {2}));
    CnComponent pair = cn_pair(world, likes, target);
    cn_defer_destroy(commands, target);
    cn_defer_set_component(commands, hopeful, pair, &(Likes){3});
    assert_true(cn_flush(world));
    assert_false(cn_is_alive(world, target));
    assert_entity_null(cn_pair_target(world, hopeful, likes, 0));
    assert_int_equal(cn_entity_components(world, hopeful, NULL, 0), 1);
    assert_world_sound(world);
}

static void pairs_that_come_and_go_while_commands_wait_do_not_use_up_ids(void **state)
{
    (void)state;
    CnEntity e = cn_spawn(world, cn_with(Mass, {1}));
    for (uint32_t i = 0; i < CN_MAX_COMPONENTS + 5000; i++) {
        CnEntity target = cn_entity_create(world);
        CnComponent pair = cn_pair(world, likes, target);
        assert_true(pair.id);
        assert_true(cn_defer_add(commands, e, Frozen));
        cn_destroy(world, target);
        if (i % 100 == 99)
            assert_true(cn_flush(world));
    }
    assert_true(cn_component_limit(world) < 1000);
    assert_world_sound(world);
}

/* ---- Hooks ---- */

static uint32_t calls;
static CnEntity dying;

static void pair_again(CnWorld *in, CnEntity entity, CnComponent component, void *user)
{
    (void)component, (void)user;
    calls++;
    CnComponent again = cn_pair(in, knows, dying);
    if (again.id)
        cn_add_component(in, entity, again);
}

static void a_hook_that_makes_pairs_with_the_dying_leaves_none(void **state)
{
    (void)state;
    cn_component_set_hooks(world, likes, &(CnHooks){.on_remove = {pair_again, NULL}});
    dying = cn_entity_create(world);
    CnEntity fans[10];
    for (uint32_t i = 0; i < 10; i++)
        fans[i] = fan_of(dying, 1);
    calls = 0;
    assert_true(cn_destroy(world, dying));
    assert_int_equal(calls, 10);
    for (uint32_t i = 0; i < 10; i++) {
        assert_entity_null(cn_pair_target(world, fans[i], likes, 0));
        assert_entity_null(cn_pair_target(world, fans[i], knows, 0));
    }
    assert_world_sound(world);
}

static void the_hook_of_a_pair_with_itself_is_called_once(void **state)
{
    (void)state;
    cn_component_set_hooks(world, likes, &(CnHooks){.on_remove = {pair_again, NULL}});
    dying = cn_entity_create(world);
    cn_set_component(world, dying, cn_pair(world, likes, dying), &(Likes){1});
    calls = 0;
    assert_true(cn_destroy(world, dying));
    assert_int_equal(calls, 1);
    assert_world_sound(world);
}

/* ---- What a pair carries besides ---- */

static void a_resource_under_a_pair_goes_with_it(void **state)
{
    (void)state;
    CnEntity target = cn_entity_create(world);
    CnComponent pair = cn_pair(world, likes, target);
    assert_non_null(cn_resource_set_value(world, pair, &(Likes){1}));
    cn_destroy(world, target);
    assert_null(cn_resource_get(world, pair));
    assert_world_sound(world);
}

int main(void)
{
    const struct CMUnitTest breakage[] = {
        PAIR_TEST(everyone_loses_a_pair_when_its_target_dies),
        PAIR_TEST(an_entity_that_points_to_itself_dies_cleanly),
        PAIR_TEST(two_that_point_to_each_other_die_cleanly),
        PAIR_TEST(a_target_and_its_fans_destroyed_in_one_flush_die_cleanly),
        PAIR_TEST(a_query_on_a_pair_is_empty_when_the_target_died),
        PAIR_TEST(a_query_on_a_dead_pair_never_matches_another_component),
        PAIR_TEST(a_query_on_a_dead_pair_can_still_be_composed),
        PAIR_TEST(a_query_made_from_a_dead_pair_is_refused),
        PAIR_TEST(a_query_destroys_what_matched_though_pairs_go_meanwhile),
        PAIR_TEST(a_query_destroys_all_though_archetypes_go_meanwhile),
        PAIR_TEST(clear_destroys_all_though_pairs_move_rows_meanwhile),
        PAIR_TEST(commands_that_name_a_dead_pair_do_nothing),
        PAIR_TEST(commands_that_name_a_dead_pair_never_mean_another),
        PAIR_TEST(a_target_destroyed_in_the_flush_that_gives_its_pair_takes_it_back),
        PAIR_TEST(pairs_that_come_and_go_while_commands_wait_do_not_use_up_ids),
        PAIR_TEST(a_hook_that_makes_pairs_with_the_dying_leaves_none),
        PAIR_TEST(the_hook_of_a_pair_with_itself_is_called_once),
        PAIR_TEST(a_resource_under_a_pair_goes_with_it),
    };
    return cmocka_run_group_tests(breakage, NULL, NULL);
}
