/* Pairs: (kind, target) as components of their own. */
#include "world_internals.h"

#include <string.h>

CN_COMPONENT(Likes, (f32, much));
CN_TAG(Owns);

static CnComponent likes(CnEntity target)
{
    return cn_pair(world, cn_id(world, Likes), target);
}

static CnComponent owns(CnEntity target)
{
    return cn_pair(world, cn_id(world, Owns), target);
}

/* ---- The component of a pair ---- */

static void a_pair_is_one_component_per_kind_and_target(void **state)
{
    (void)state;
    CnEntity alice = cn_entity_create(world), bob = cn_entity_create(world);
    assert_int_not_equal(likes(alice).id, 0);
    assert_int_equal(likes(alice).id, likes(alice).id);
    assert_int_not_equal(likes(alice).id, likes(bob).id);
    assert_int_not_equal(likes(alice).id, owns(alice).id);
}

static void a_pair_is_found_only_while_somebody_has_it(void **state)
{
    (void)state;
    CnEntity alice = cn_entity_create(world);
    CnComponent kind = cn_id(world, Likes);
    assert_int_equal(cn_pair_find(world, kind, alice).id, 0);
    CnComponent pair = cn_pair(world, kind, alice);
    assert_int_equal(cn_pair_find(world, kind, alice).id, 0);
    CnEntity bob = cn_entity_create(world);
    cn_add_component(world, bob, pair);
    assert_int_equal(cn_pair_find(world, kind, alice).id, pair.id);
    cn_remove_component(world, bob, pair);
    assert_int_equal(cn_pair_find(world, kind, alice).id, 0);
    cn_resource_set_value(world, pair, NULL);
    assert_int_equal(cn_pair_find(world, kind, alice).id, pair.id);
}

static void targets_are_listed_in_order_of_their_index(void **state)
{
    (void)state;
    CnEntity a = cn_entity_create(world), b = cn_entity_create(world), c = cn_entity_create(world);
    CnEntity fan = cn_entity_create(world);
    likes(c); /* requested first by code that only reads */
    cn_add_component(world, fan, likes(b));
    cn_add_component(world, fan, likes(c));
    cn_add_component(world, fan, likes(a));
    assert_entity_equal(cn_pair_target(world, fan, cn_id(world, Likes), 0), a);
    assert_entity_equal(cn_pair_target(world, fan, cn_id(world, Likes), 1), b);
    assert_entity_equal(cn_pair_target(world, fan, cn_id(world, Likes), 2), c);
    assert_entity_null(cn_pair_target(world, fan, cn_id(world, Likes), 3));
}

static uint32_t calls;

static void count_call(CnWorld *in, CnEntity entity, CnComponent component, void *user)
{
    (void)in, (void)entity, (void)component, (void)user;
    calls++;
}

static void a_pair_that_was_there_before_the_hooks_of_its_kind_has_them(void **state)
{
    (void)state;
    CnEntity alice = cn_entity_create(world), fan = cn_entity_create(world);
    CnComponent pair = likes(alice);
    calls = 0;
    cn_component_set_hooks(world, cn_id(world, Likes), &(CnHooks){.on_add = {count_call, NULL}});
    cn_component_add_hooks(world, cn_id(world, Likes), &(CnHooks){.on_remove = {count_call, NULL}});
    cn_add_component(world, fan, pair);
    assert_int_equal(calls, 1);
    cn_remove_component(world, fan, pair);
    assert_int_equal(calls, 2);
}

static void a_pair_that_was_there_before_its_kind_was_described_follows_it(void **state)
{
    (void)state;
    CnEntity alice = cn_entity_create(world), fan = cn_entity_create(world);
    CnComponent pair = cn_pair(world, cn_id(world, Mass), alice);
    cn_register(world, Mass, .default_value = &(Mass){7});
    cn_add_component(world, fan, pair);
    assert_number_equal(((const Mass *)cn_get_component(world, fan, pair))->kilograms, 7);
}

static void a_pair_is_described_by_its_kind_and_target(void **state)
{
    (void)state;
    CnEntity alice = cn_entity_create(world);
    CnComponentInfo info;
    assert_true(cn_component_info(world, likes(alice), &info));
    assert_int_equal(info.pair_kind.id, cn_id(world, Likes).id);
    assert_entity_equal(info.pair_target, alice);
    assert_int_equal(info.size, sizeof(Likes));
    assert_int_equal(info.field_count, 1);
}

static void a_dead_target_makes_no_pair(void **state)
{
    (void)state;
    CnEntity dead = cn_entity_create(world);
    cn_destroy(world, dead);
    assert_int_equal(likes(dead).id, 0);
    assert_int_equal(cn_pair(world, cn_id(world, Likes), (CnEntity){0}).id, 0);
}

/* ---- Pairs of entities ---- */

static void a_pair_carries_the_data_of_its_kind(void **state)
{
    (void)state;
    CnEntity alice = cn_entity_create(world), bob = cn_entity_create(world);
    assert_true(cn_set_component(world, bob, likes(alice), &(Likes){0.5f}));
    assert_true(cn_set_component(world, bob, likes(bob), &(Likes){0.25f}));
    const Likes *value = cn_get_component(world, bob, likes(alice));
    assert_number_equal(value->much, 0.5f);
    value = cn_get_component(world, bob, likes(bob));
    assert_number_equal(value->much, 0.25f);
}

static void a_pair_of_a_tag_carries_nothing(void **state)
{
    (void)state;
    CnEntity alice = cn_entity_create(world), bob = cn_entity_create(world);
    assert_true(cn_add_component(world, bob, owns(alice)));
    assert_true(cn_has_component(world, bob, owns(alice)));
    assert_null(cn_get_component(world, bob, owns(alice)));
    assert_false(cn_has_component(world, alice, owns(bob)));
}

static void a_pair_does_not_give_the_kind_itself(void **state)
{
    (void)state;
    CnEntity alice = cn_entity_create(world), bob = cn_entity_create(world);
    cn_add_component(world, bob, likes(alice));
    assert_false(cn_has(world, bob, Likes));
    assert_null(cn_get(world, bob, Likes));
}

static void the_default_of_the_kind_is_that_of_its_pairs(void **state)
{
    (void)state;
    cn_register(world, Likes, .default_value = &(Likes){2});
    CnEntity alice = cn_entity_create(world), bob = cn_entity_create(world);
    cn_add_component(world, bob, likes(alice));
    const Likes *value = cn_get_component(world, bob, likes(alice));
    assert_number_equal(value->much, 2);
}

static void targets_are_listed_in_order_of_their_pairs(void **state)
{
    (void)state;
    CnEntity targets[3], entity = cn_entity_create(world);
    for (int i = 0; i < 3; i++) {
        targets[i] = cn_entity_create(world);
        owns(targets[i]);
    }
    for (int i = 3; i-- > 0;)
        cn_add_component(world, entity, owns(targets[i]));
    CnComponent kind = cn_id(world, Owns);
    for (uint32_t i = 0; i < 3; i++)
        assert_entity_equal(cn_pair_target(world, entity, kind, i), targets[i]);
    assert_entity_null(cn_pair_target(world, entity, kind, 3));
    assert_entity_null(cn_pair_target(world, entity, cn_id(world, Likes), 0));
    assert_entity_null(cn_pair_target(world, targets[0], kind, 0));
}

static void pairs_move_with_their_entity(void **state)
{
    (void)state;
    CnEntity alice = cn_entity_create(world), bob = cn_spawn(world, cn_with(Position, {1, 2, 3}));
    cn_set_component(world, bob, likes(alice), &(Likes){0.5f});
    cn_add(world, bob, Enemy);
    cn_remove(world, bob, Position);
    const Likes *value = cn_get_component(world, bob, likes(alice));
    assert_number_equal(value->much, 0.5f);
}

/* ---- Queries ---- */

static void a_query_finds_entities_with_a_certain_pair(void **state)
{
    (void)state;
    CnEntity alice = cn_entity_create(world), bob = cn_entity_create(world),
             carol = cn_entity_create(world);
    cn_add_component(world, bob, likes(alice));
    cn_add_component(world, carol, likes(bob));
    CnQuery *fans =
        cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads_id(likes(alice))}}, NULL);
    assert_int_equal(cn_query_count(fans), 1);
    assert_true(cn_query_matches(fans, bob));
}

static void a_query_finds_entities_with_any_pair_of_a_kind(void **state)
{
    (void)state;
    CnComponent some = cn_pair_any(world, cn_id(world, Likes));
    CnQuery *fans = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag_id(some)}}, NULL);
    CnEntity alice = cn_entity_create(world), bob = cn_entity_create(world),
             carol = cn_entity_create(world);
    cn_add_component(world, bob, likes(alice));
    cn_add_component(world, carol, likes(bob));
    cn_add_component(world, carol, likes(alice));
    cn_add_component(world, alice, owns(bob));
    assert_int_equal(cn_query_count(fans), 2);
    assert_false(cn_query_matches(fans, alice));
}

static void the_tag_for_any_goes_with_the_last_pair(void **state)
{
    (void)state;
    CnEntity alice = cn_entity_create(world), bob = cn_entity_create(world),
             carol = cn_entity_create(world);
    CnComponent some = cn_pair_any(world, cn_id(world, Likes));
    cn_add_component(world, bob, likes(alice));
    cn_add_component(world, bob, likes(carol));
    cn_remove_component(world, bob, likes(alice));
    assert_true(cn_has_component(world, bob, some));
    cn_remove_component(world, bob, likes(carol));
    assert_false(cn_has_component(world, bob, some));
    assert_ptr_equal(archetype_of(bob), archetype_of(alice));
}

static void kinds_with_long_names_have_tags_of_their_own(void **state)
{
    (void)state;
    char names[2][CN_MAX_NAME_BYTES];
    CnComponent kinds[2];
    for (int i = 0; i < 2; i++) {
        memset(names[i], 'k', sizeof names[i]);
        names[i][CN_MAX_NAME_BYTES - 2] = (char)('0' + i);
        names[i][CN_MAX_NAME_BYTES - 1] = 0;
        CnType type = {.name = names[i], .alignment = 1};
        kinds[i] = cn_component_register(world, &(CnComponentDesc){.type = &type}, NULL);
    }
    CnComponent first = cn_pair_any(world, kinds[0]), second = cn_pair_any(world, kinds[1]);
    assert_int_not_equal(first.id, 0);
    assert_int_not_equal(second.id, 0);
    assert_int_not_equal(first.id, second.id);
}

static void an_archetype_of_a_new_pair_enters_live_queries(void **state)
{
    (void)state;
    CnComponent some = cn_pair_any(world, cn_id(world, Likes));
    CnQuery *fans =
        cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag_id(some), cn_writes(Health)}}, NULL);
    for (int i = 0; i < 50; i++) {
        CnEntity target = cn_entity_create(world), fan = cn_spawn(world, cn_with(Health, {i, 0}));
        cn_add_component(world, fan, likes(target));
    }
    CnChunkView view = {0};
    uint32_t rows = 0;
    for (CnQueryIter it = cn_query_iter(fans); cn_query_next(&it, &view); rows++)
        assert_int_equal(cn_column(&view, Health)->now, rows);
    assert_int_equal(rows, 50);
}

/* ---- Death of a target ---- */

static void a_pair_goes_when_its_target_dies(void **state)
{
    (void)state;
    CnEntity alice = cn_entity_create(world), bob = cn_entity_create(world),
             carol = cn_spawn(world, cn_with(Health, {1, 2}));
    cn_add_component(world, bob, likes(alice));
    cn_add_component(world, carol, likes(alice));
    cn_add_component(world, carol, likes(bob));
    CnComponent kind = cn_id(world, Likes), some = cn_pair_any(world, kind);
    cn_destroy(world, alice);
    assert_int_equal(cn_pair_find(world, kind, alice).id, 0);
    assert_int_equal(cn_entity_components(world, bob, NULL, 0), 0);
    assert_entity_equal(cn_pair_target(world, carol, kind, 0), bob);
    assert_entity_null(cn_pair_target(world, carol, kind, 1));
    assert_true(cn_has_component(world, carol, some));
    assert_int_equal(cn_get(world, carol, Health)->most, 2);
}

static void the_archetypes_of_a_dead_pair_are_gone(void **state)
{
    (void)state;
    CnEntity bob = cn_spawn(world, cn_with(Health, {0}));
    cn_pair_any(world, cn_id(world, Likes));
    uint32_t before = 0;
    for (int i = 0; i < 100; i++) {
        CnEntity target = cn_entity_create(world);
        cn_add_component(world, bob, likes(target));
        cn_destroy(world, target);
        if (i == 0)
            before = cn_world_stats(world).archetypes;
    }
    assert_int_equal(cn_world_stats(world).archetypes, before);
    assert_int_equal(cn_entity_components(world, bob, NULL, 0), 1);
}

static void the_component_id_of_a_dead_pair_is_used_again(void **state)
{
    (void)state;
    CnEntity bob = cn_entity_create(world);
    uint32_t limit = 0;
    for (int i = 0; i < 1000; i++) {
        CnEntity target = cn_entity_create(world);
        cn_add_component(world, bob, likes(target));
        cn_destroy(world, target);
        if (i == 0)
            limit = cn_component_limit(world);
    }
    assert_int_equal(cn_component_limit(world), limit);
}

static void the_description_of_a_dead_pair_is_gone(void **state)
{
    (void)state;
    CnEntity alice = cn_entity_create(world);
    CnComponent pair = likes(alice);
    cn_destroy(world, alice);
    CnComponentInfo info;
    assert_false(cn_component_info(world, pair, &info));
}

static void a_query_for_a_dead_pair_never_matches_an_entity(void **state)
{
    (void)state;
    CnEntity alice = cn_entity_create(world), bob = cn_entity_create(world);
    CnQuery *fans = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag_id(likes(alice))}}, NULL);
    cn_add_component(world, bob, likes(alice));
    assert_int_equal(cn_query_count(fans), 1);
    cn_destroy(world, alice);
    assert_int_equal(cn_query_count(fans), 0);
    for (int i = 0; i < 10; i++) /* new pairs do not take its place */
        cn_add_component(world, bob, likes(cn_entity_create(world)));
    assert_int_equal(cn_query_count(fans), 0);
}

static void a_query_for_a_dead_pair_is_composed_like_any_other(void **state)
{
    (void)state;
    CnEntity alice = cn_entity_create(world);
    CnQuery *fans = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag_id(likes(alice))}}, NULL);
    cn_destroy(world, alice);
    CnQuery *composed = cn_query_and(fans, cn_term_tag(Enemy), NULL);
    assert_non_null(composed);
    cn_spawn(world, cn_with_tag(Enemy));
    assert_int_equal(cn_query_count(composed), 0);
    assert_ptr_equal(cn_query_and(fans, cn_term_tag(Enemy), NULL), composed);
}

static void an_entity_that_reuses_a_slot_is_not_a_target(void **state)
{
    (void)state;
    CnEntity alice = cn_entity_create(world), bob = cn_entity_create(world);
    cn_add_component(world, bob, likes(alice));
    cn_destroy(world, alice);
    CnEntity next = cn_entity_create(world);
    assert_int_equal(cn_entity_index(next), cn_entity_index(alice));
    assert_int_equal(cn_pair_find(world, cn_id(world, Likes), next).id, 0);
    cn_add_component(world, bob, likes(next));
    assert_entity_equal(cn_pair_target(world, bob, cn_id(world, Likes), 0), next);
}

static void an_entity_may_point_to_itself(void **state)
{
    (void)state;
    CnEntity narcissus = cn_spawn(world, cn_with(Health, {0})), other = cn_entity_create(world);
    cn_add_component(world, narcissus, likes(narcissus));
    cn_add_component(world, other, likes(narcissus));
    assert_true(cn_destroy(world, narcissus));
    assert_int_equal(cn_entity_components(world, other, NULL, 0), 0);
    assert_int_equal(cn_entity_count(world), 1);
}

static void targets_that_point_at_each_other_die_together(void **state)
{
    (void)state;
    CnEntity crowd[20];
    for (int i = 0; i < 20; i++)
        crowd[i] = cn_spawn(world, cn_with(Health, {i, 0}));
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 20; j += 3)
            cn_set_component(world, crowd[i], likes(crowd[j]), &(Likes){(float)j});
    CnQuery *all = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag(Health)}}, NULL);
    assert_int_equal(cn_query_destroy_entities(all), 20);
    assert_int_equal(cn_entity_count(world), 0);
}

static void clearing_the_world_includes_entities_moved_by_the_death_of_a_target(void **state)
{
    (void)state;
    cn_register(world, Mass);
    CnEntity target = cn_spawn(world, cn_with(Mass, {1})), fan = cn_entity_create(world);
    cn_add_component(world, fan, likes(target));
    cn_world_clear(world);
    assert_int_equal(cn_entity_count(world), 0);
}

static void many_pairs_survive_the_death_of_some_targets(void **state)
{
    (void)state;
    CnEntity targets[30], fan = cn_entity_create(world);
    for (int i = 0; i < 30; i++) {
        targets[i] = cn_entity_create(world);
        cn_set_component(world, fan, likes(targets[i]), &(Likes){(float)i});
    }
    for (int i = 0; i < 30; i += 2)
        cn_destroy(world, targets[i]);
    for (int i = 1; i < 30; i += 2) {
        const Likes *value = cn_get_component(world, fan, likes(targets[i]));
        assert_number_equal(value->much, i);
    }
    assert_int_equal(cn_entity_components(world, fan, NULL, 0), 16); /* with the tag for any */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_pair_is_one_component_per_kind_and_target),
        WORLD_TEST(a_pair_is_found_only_while_somebody_has_it),
        WORLD_TEST(targets_are_listed_in_order_of_their_index),
        WORLD_TEST(a_pair_that_was_there_before_the_hooks_of_its_kind_has_them),
        WORLD_TEST(a_pair_that_was_there_before_its_kind_was_described_follows_it),
        WORLD_TEST(a_pair_is_described_by_its_kind_and_target),
        WORLD_TEST(a_dead_target_makes_no_pair),
        WORLD_TEST(a_pair_carries_the_data_of_its_kind),
        WORLD_TEST(a_pair_of_a_tag_carries_nothing),
        WORLD_TEST(a_pair_does_not_give_the_kind_itself),
        WORLD_TEST(the_default_of_the_kind_is_that_of_its_pairs),
        WORLD_TEST(targets_are_listed_in_order_of_their_pairs),
        WORLD_TEST(pairs_move_with_their_entity),
        WORLD_TEST(a_query_finds_entities_with_a_certain_pair),
        WORLD_TEST(a_query_finds_entities_with_any_pair_of_a_kind),
        WORLD_TEST(the_tag_for_any_goes_with_the_last_pair),
        WORLD_TEST(kinds_with_long_names_have_tags_of_their_own),
        WORLD_TEST(an_archetype_of_a_new_pair_enters_live_queries),
        WORLD_TEST(a_pair_goes_when_its_target_dies),
        WORLD_TEST(the_archetypes_of_a_dead_pair_are_gone),
        WORLD_TEST(the_component_id_of_a_dead_pair_is_used_again),
        WORLD_TEST(the_description_of_a_dead_pair_is_gone),
        WORLD_TEST(a_query_for_a_dead_pair_never_matches_an_entity),
        WORLD_TEST(a_query_for_a_dead_pair_is_composed_like_any_other),
        WORLD_TEST(an_entity_that_reuses_a_slot_is_not_a_target),
        WORLD_TEST(an_entity_may_point_to_itself),
        WORLD_TEST(targets_that_point_at_each_other_die_together),
        WORLD_TEST(clearing_the_world_includes_entities_moved_by_the_death_of_a_target),
        WORLD_TEST(many_pairs_survive_the_death_of_some_targets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
