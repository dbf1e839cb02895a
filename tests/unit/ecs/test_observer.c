/* Callbacks for entities that begin or cease to match a query, and lists of removed components. */
/* Before the fixture, whose `world` its parameters would shadow. */
#include "ecs/world/world_internal.h"

#include "check_world.h"
#include "ecs_fixture.h"
#include "guards.h"
#include "random.h"

#include <stdio.h>

CN_COMPONENT(Likes, (f32, much));

/* What was called, as text: "+3" entity 3 entered, "-3" it left. */
static char trace[65536];
static size_t traced;

static void write_trace(char sign, CnEntity entity)
{
    traced += (size_t)snprintf(trace + traced, sizeof trace - traced, "%c%u ", sign,
                               cn_entity_index(entity));
}

static void entered(CnWorld *in, CnEntity entity, void *user)
{
    (void)in, (void)user;
    write_trace('+', entity);
}

static void left(CnWorld *in, CnEntity entity, void *user)
{
    (void)in, (void)user;
    write_trace('-', entity);
}

static void assert_trace(const char *expected)
{
    trace[traced] = '\0';
    assert_string_equal(trace, expected);
    traced = 0;
}

static CnObserver *observe(CnQueryDesc query)
{
    CnError error = {0};
    traced = 0;
    CnObserver *observer = cn_observer_create(
        world, &(CnObserverDesc){.query = query, .on_enter = entered, .on_exit = left}, &error);
    assert_non_null(observer);
    return observer;
}

#define HEALTHY ((CnQueryDesc){.all = {cn_reads(Health)}, .none = {cn_tag(Frozen)}})

/* ---- Ways in and out ---- */

static void a_clone_observes_and_lists_removals_on_its_own(void **state)
{
    (void)state;
    CnEntity e = cn_spawn(world, cn_with(Health, {1, 1}));
    CnChannel *removals = cn_removals(world, Health);
    observe(HEALTHY);
    CnWorld *clone = cn_world_clone(world, NULL, NULL);
    assert_non_null(clone);
    assert_trace(""); /* creating it calls nothing */
    cn_destroy(clone, e);
    assert_trace("-0 ");
    assert_int_equal(cn_event_count(removals), 0);
    assert_int_equal(cn_event_count(cn_removals(clone, Health)), 1);
    cn_world_destroy(clone);
    assert_trace("");
}

static void what_is_spawned_enters_and_what_is_destroyed_leaves(void **state)
{
    (void)state;
    observe(HEALTHY);
    CnEntity a = cn_spawn(world, cn_with(Health, {1, 1}));
    CnEntity b = cn_spawn(world, cn_with(Health, {1, 1}), cn_with_tag(Frozen));
    assert_trace("+0 ");
    cn_destroy(world, b);
    cn_destroy(world, a);
    assert_trace("-0 ");
}

static void components_that_come_and_go_make_entities_enter_and_leave(void **state)
{
    (void)state;
    observe(HEALTHY);
    CnEntity e = cn_entity_create(world);
    cn_set(world, e, Health, {1, 1});
    assert_trace("+0 ");
    cn_set(world, e, Health, {2, 2});
    cn_add(world, e, Position);
    assert_trace("");
    cn_add(world, e, Frozen);
    assert_trace("-0 ");
    cn_remove(world, e, Frozen);
    assert_trace("+0 ");
    cn_remove(world, e, Health);
    assert_trace("-0 ");
}

static void one_change_of_several_components_is_one_step(void **state)
{
    (void)state;
    observe(HEALTHY);
    CnEntity e = cn_spawn(world, cn_with_tag(Frozen));
    CnComponent frozen = cn_id(world, Frozen);
    cn_change(world, e,
              &(CnChange){.set = (CnValue[]){cn_with(Health, {1, 1})},
                          .set_count = 1,
                          .remove = &frozen,
                          .remove_count = 1});
    assert_trace("+0 ");
    cn_change(world, e, &(CnChange){.set = (CnValue[]){cn_with(Health, {2, 1})}, .set_count = 1});
    assert_trace("");
}

static void many_at_once_enter_in_order_of_their_rows(void **state)
{
    (void)state;
    observe(HEALTHY);
    CnEntity entities[4];
    cn_spawn_many(world, 4, entities, cn_with(Health, {1, 1}));
    assert_trace("+0 +1 +2 +3 ");
}

static void bulk_changes_call_all_that_are_concerned(void **state)
{
    (void)state;
    CnEntity entities[3];
    cn_spawn_many(world, 3, entities, cn_with(Health, {1, 1}));
    cn_add(world, entities[1], Position);
    observe(HEALTHY);
    CnQuery *all = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Health)}}, NULL);
    cn_query_set(all, cn_with_tag(Frozen));
    assert_trace("-0 -2 -1 ");
    cn_query_remove(all, cn_id(world, Frozen));
    assert_trace("+0 +2 +1 ");
    cn_query_set(all, cn_with_tag(Enemy));
    assert_trace("");
    cn_query_destroy_entities(all);
    assert_trace("-2 -0 -1 "); /* from the last row on, as they are destroyed */
}

static void a_flush_calls_for_what_it_does(void **state)
{
    (void)state;
    CnCommands *commands = cn_commands_create(world, NULL);
    observe(HEALTHY);
    cn_register(world, Frozen);
    CnEntity entities[8];
    cn_spawn_many(world, 8, entities, cn_with_tag(Frozen), cn_with(Health, {1, 1}));
    for (uint32_t i = 0; i < 8; i++)
        cn_defer_remove(commands, entities[i], Frozen);
    cn_flush(world);
    assert_trace("+0 +1 +2 +3 +4 +5 +6 +7 ");
    for (uint32_t i = 0; i < 7; i++)
        cn_defer_add(commands, entities[i], Frozen);
    cn_flush(world);
    assert_trace("-0 -1 -2 -3 -4 -5 -6 ");
    cn_defer_remove(commands, entities[3], Frozen);
    cn_defer_destroy(commands, entities[7]);
    cn_flush(world);
    assert_trace("+3 -7 ");
}

static void a_tree_that_is_spawned_enters_in_order(void **state)
{
    (void)state;
    observe((CnQueryDesc){.all = {cn_reads(CnNode)}});
    CnTreeSpawn spawns[] = {{.parent = UINT32_MAX}, {.parent = 0}, {.parent = 0}};
    CnEntity made[3];
    assert_true(cn_spawn_tree(world, &(CnTreeSpawnDesc){.spawns = spawns, .count = 3}, made));
    assert_trace("+0 +1 +2 ");
}

static void becoming_a_parent_or_a_child_is_a_change(void **state)
{
    (void)state;
    CnEntity a = cn_entity_create(world), b = cn_entity_create(world);
    observe((CnQueryDesc){.none = {cn_tag(CnNode)}});
    cn_set_parent(world, b, a);
    assert_trace("-1 -0 ");
}

static void the_death_of_a_target_makes_others_leave(void **state)
{
    (void)state;
    CnEntity alice = cn_entity_create(world), bob = cn_entity_create(world);
    CnComponent pair = cn_pair(world, cn_id(world, Likes), alice);
    cn_add_component(world, bob, pair);
    observe((CnQueryDesc){.all = {cn_tag_id(pair)}});
    cn_destroy(world, alice);
    assert_trace("-1 ");
}

static void the_death_of_an_excluded_target_makes_others_enter(void **state)
{
    (void)state;
    CnEntity alice = cn_entity_create(world), bob = cn_spawn(world, cn_with(Health, {1, 1}));
    CnComponent pair = cn_pair(world, cn_id(world, Likes), alice);
    cn_add_component(world, bob, pair);
    observe((CnQueryDesc){.all = {cn_reads(Health)}, .none = {cn_tag_id(pair)}});
    cn_destroy(world, alice);
    assert_trace("+1 ");
    assert_world_sound(world);
}

static void clearing_the_world_makes_all_leave(void **state)
{
    (void)state;
    observe(HEALTHY);
    cn_spawn(world, cn_with(Health, {1, 1}));
    cn_spawn(world, cn_with(Health, {1, 1}), cn_with_tag(Enemy));
    traced = 0;
    cn_world_clear(world);
    assert_trace("-0 -1 ");
}

static void loading_calls_no_observer_but_keeps_them(void **state)
{
    (void)state;
    CnSnapshot snapshot;
    CnEntity e = cn_spawn(world, cn_with(Health, {1, 1}));
    assert_true(cn_world_save(world, &snapshot, NULL));
    observe(HEALTHY);
    assert_true(cn_world_load(world, snapshot.bytes, snapshot.size, NULL));
    cn_snapshot_free(&snapshot);
    assert_trace("");
    cn_destroy(world, e);
    assert_trace("-0 ");
}

static void archetypes_that_were_trimmed_are_observed_when_they_come_back(void **state)
{
    (void)state;
    cn_destroy(world, cn_spawn(world, cn_with(Health, {1, 1})));
    cn_world_trim(world);
    CnObserver *observer = observe(HEALTHY);
    cn_spawn(world, cn_with(Health, {1, 1}));
    assert_trace("+0 ");
    cn_world_clear(world);
    cn_world_trim(world);
    traced = 0;
    cn_observer_destroy(observer);
    cn_spawn(world, cn_with(Health, {1, 1}));
    assert_trace("");
}

/* ---- What callbacks see and do ---- */

static void check_entered(CnWorld *in, CnEntity entity, void *user)
{
    assert_int_equal(cn_get(in, entity, Health)->now, 7);
    assert_true(cn_query_matches(user, entity));
    traced++;
}

static void check_left(CnWorld *in, CnEntity entity, void *user)
{
    assert_int_equal(cn_get(in, entity, Health)->now, 7);
    assert_true(cn_query_matches(user, entity));
    traced++;
}

static void callbacks_see_the_values_of_an_entity_that_matches(void **state)
{
    (void)state;
    CnQueryDesc desc = HEALTHY;
    CnQuery *query = cn_query_acquire(world, &desc, NULL);
    cn_observer_create(
        world,
        &(CnObserverDesc){
            .query = desc, .on_enter = check_entered, .on_exit = check_left, .user = query},
        NULL);
    traced = 0;
    CnEntity e = cn_spawn(world, cn_with(Health, {7, 7}));
    cn_add(world, e, Frozen);
    cn_remove(world, e, Frozen);
    cn_remove(world, e, Health);
    cn_set(world, e, Health, {7, 7});
    cn_destroy(world, e);
    assert_int_equal(traced, 6);
}

static void note_hook(CnWorld *in, CnEntity entity, CnComponent component, void *user)
{
    (void)in, (void)component;
    write_trace(*(const char *)user, entity);
}

static void hooks_come_first_when_entering_and_last_when_leaving(void **state)
{
    (void)state;
    observe((CnQueryDesc){.all = {cn_reads(Health)}});
    cn_component_set_hooks(world, cn_id(world, Health),
                           &(CnHooks){{note_hook, "a"}, {note_hook, "s"}, {note_hook, "r"}});
    CnEntity e = cn_spawn(world, cn_with(Health, {1, 1}));
    assert_trace("a0 +0 s0 ");
    cn_destroy(world, e);
    assert_trace("-0 r0 ");
}

static void note_number(CnWorld *in, CnEntity entity, void *user)
{
    (void)in;
    write_trace(*(const char *)user, entity);
}

static void observers_are_called_in_order_of_their_creation(void **state)
{
    (void)state;
    char names[] = "abc";
    traced = 0;
    for (uint32_t i = 0; i < 3; i++)
        assert_non_null(cn_observer_create(world,
                                           &(CnObserverDesc){.query = HEALTHY,
                                                             .on_enter = note_number,
                                                             .on_exit = note_number,
                                                             .user = &names[i]},
                                           NULL));
    CnEntity e = cn_spawn(world, cn_with(Health, {1, 1}));
    cn_destroy(world, e);
    assert_trace("a0 b0 c0 a0 b0 c0 ");
}

static void freeze(CnWorld *in, CnEntity entity, void *user)
{
    (void)user;
    write_trace('+', entity);
    cn_add(in, entity, Frozen);
    assert_false(cn_has(in, entity, Frozen)); /* deferred */
}

static void what_a_callback_changes_is_applied_after_the_operation(void **state)
{
    (void)state;
    traced = 0;
    cn_register(world, Frozen);
    cn_observer_create(
        world, &(CnObserverDesc){.query = HEALTHY, .on_enter = freeze, .on_exit = left}, NULL);
    CnEntity e = cn_spawn(world, cn_with(Health, {1, 1}));
    assert_true(cn_has(world, e, Frozen));
    assert_trace("+0 -0 ");
}

static CnObserver *self;

static void end_itself(CnWorld *in, CnEntity entity, void *user)
{
    (void)in, (void)user;
    write_trace('+', entity);
    cn_observer_destroy(self);
}

static void an_observer_may_end_in_its_own_callback(void **state)
{
    (void)state;
    traced = 0;
    self = cn_observer_create(world, &(CnObserverDesc){.query = HEALTHY, .on_enter = end_itself},
                              NULL);
    cn_spawn_many(world, 3, NULL, cn_with(Health, {1, 1}));
    assert_trace("+0 ");
    cn_observer_destroy(observe(HEALTHY));
    assert_int_equal(cn_world_stats(world).queries, 0);
}

static void create_another(CnWorld *in, CnEntity entity, void *user)
{
    (void)entity, (void)user;
    CnError error = {0};
    assert_null(cn_observer_create(in, &(CnObserverDesc){.query = HEALTHY}, &error));
    assert_int_equal(error.code, CN_ERROR_PERMISSION);
    traced++;
}

static void an_observer_cannot_be_created_in_a_callback(void **state)
{
    (void)state;
    traced = 0;
    cn_observer_create(world, &(CnObserverDesc){.query = HEALTHY, .on_enter = create_another},
                       NULL);
    cn_spawn(world, cn_with(Health, {1, 1}));
    assert_int_equal(traced, 1);
}

/* ---- Coming and going ---- */

static void what_matches_already_enters_only_when_it_is_requested(void **state)
{
    (void)state;
    cn_spawn_many(world, 2, NULL, cn_with(Health, {1, 1}));
    cn_spawn(world, cn_with(Health, {1, 1}), cn_with_tag(Enemy));
    observe(HEALTHY);
    assert_trace("");
    cn_observer_create(
        world, &(CnObserverDesc){.query = HEALTHY, .on_enter = entered, .existing = true}, NULL);
    assert_trace("+0 +1 +2 ");
}

static void a_destroyed_observer_is_silent_and_leaves_no_query(void **state)
{
    (void)state;
    CnObserver *observer = observe(HEALTHY);
    assert_int_equal(cn_world_stats(world).queries, 1);
    cn_observer_destroy(observer);
    cn_observer_destroy(NULL);
    assert_int_equal(cn_world_stats(world).queries, 0);
    cn_spawn(world, cn_with(Health, {1, 1}));
    assert_trace("");
}

static void observers_go_with_their_owner(void **state)
{
    (void)state;
    cn_world_set_owner(world, 7);
    observe(HEALTHY);
    cn_world_set_owner(world, 0);
    cn_owner_begin_replace(world, 7);
    cn_owner_end_replace(world, 7);
    cn_spawn(world, cn_with(Health, {1, 1}));
    assert_trace("");
    assert_int_equal(cn_world_stats(world).queries, 0);
}

/* The step function that the most frequent changes take. */
static bool is_quick(CnEntity entity, CnComponent component)
{
    const CniEcsSlot *slot = cni_ecs_live_slot(world, entity);
    const CniEcsArchetypeEdge *edge = cni_ecs_archetype_edge(
        cni_ecs_chunk_archetype(&world->chunks.items[cni_ecs_row_ref(slot->location).chunk]),
        component.id);
    return edge && edge->edge_kind != CNI_ECS_EDGE_SLOW;
}

static void changes_that_concern_no_observer_stay_quick(void **state)
{
    (void)state;
    CnEntity e = cn_spawn(world, cn_with(Health, {1, 1})),
             other = cn_spawn(world, cn_with(Mass, {1}));
    CnEntity all[] = {e, other};
    for (uint32_t i = 0; i < 2; i++) {
        cn_add(world, all[i], Enemy), cn_remove(world, all[i], Enemy);
        cn_add(world, all[i], Frozen), cn_remove(world, all[i], Frozen);
    }
    CnObserver *observer = observe(HEALTHY);
    assert_true(is_quick(e, cn_id(world, Enemy))); /* it matches before and after */
    assert_true(is_quick(other, cn_id(world, Frozen)));
    assert_false(is_quick(e, cn_id(world, Frozen)));
    cn_observer_destroy(observer);
    assert_true(is_quick(e, cn_id(world, Frozen)));
}

/* ---- Random changes ---- */

enum { MOST = 60, OBSERVERS = 4, TYPES = 6 };

typedef struct Watch {
    CnQuery *query;
    bool matches[MOST * 4]; /* by entity index, according to the callbacks */
} Watch;

static Watch watches[OBSERVERS];

static void watch_entered(CnWorld *in, CnEntity entity, void *user)
{
    Watch *watch = user;
    (void)in;
    assert_true(cn_query_matches(watch->query, entity));
    assert_false(watch->matches[cn_entity_index(entity)]);
    watch->matches[cn_entity_index(entity)] = true;
}

static void watch_left(CnWorld *in, CnEntity entity, void *user)
{
    Watch *watch = user;
    (void)in;
    assert_true(cn_query_matches(watch->query, entity));
    assert_true(watch->matches[cn_entity_index(entity)]);
    watch->matches[cn_entity_index(entity)] = false;
}

static const CnType *const types[TYPES] = {&cn_type_Position, &cn_type_Health, &cn_type_Mass,
                                           &cn_type_Frozen,   &cn_type_Enemy,  &cn_type_Burning};

static void check_watches(uint64_t seed)
{
    for (uint32_t w = 0; w < OBSERVERS; w++)
        for (uint32_t i = 0; i < MOST * 4; i++) {
            CnEntity entity = cn_entity_at(world, i);
            bool matches = entity.id && cn_query_matches(watches[w].query, entity);
            if (matches != watches[w].matches[i])
                fail_msg("seed %llu: observer %u is wrong about entity %u",
                         (unsigned long long)seed, w, i);
        }
}

static void change_at_random(TestRandom *random, CnCommands *commands)
{
    CnEntity entity = cn_entity_at(world, test_random_below(random, MOST));
    CnEntity other = cn_entity_at(world, test_random_below(random, MOST));
    CnComponent component = cn_component_ensure(world, types[test_random_below(random, TYPES)]);
    CnComponent likes = cn_id(world, Likes);
    CnQuery *query = watches[test_random_below(random, OBSERVERS)].query;
    uint32_t edge_kind = test_random_below(random, 100);
    if (edge_kind < 25 && cn_entity_count(world) < MOST)
        cn_spawn(world, {.component = component}, cn_with(Health, {1, 1}));
    else if (edge_kind < 28 && cn_entity_count(world) < MOST)
        cn_spawn_many(world, 6, NULL, {.component = component}, cn_with_tag(Enemy));
    else if (edge_kind < 31)
        cn_query_set(query, (CnValue){.component = component});
    else if (edge_kind < 34)
        cn_query_remove(query, component);
    else if (edge_kind < 36 && test_random_chance(random, 20))
        cn_query_destroy_entities(query);
    else if (edge_kind < 38)
        cn_flush(world);
    else if (edge_kind < 39 && test_random_chance(random, 20))
        cn_world_trim(world);
    else if (!entity.id)
        return;
    else if (edge_kind < 50)
        cn_add_component(world, entity, component);
    else if (edge_kind < 60)
        cn_remove_component(world, entity, component);
    else if (edge_kind < 65)
        cn_destroy(world, entity);
    else if (edge_kind < 75)
        cn_defer_add_component(commands, entity, component);
    else if (edge_kind < 82)
        cn_defer_remove_component(commands, entity, component);
    else if (edge_kind < 85)
        cn_defer_destroy(commands, entity);
    else if (other.id && edge_kind < 90)
        cn_set_parent(world, entity, other);
    else if (other.id)
        cn_add_component(world, entity, cn_pair(world, likes, other));
}

static void observers_know_the_matching_entities_at_any_time(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        if (seed > 1)
            drop_world(NULL), make_world(NULL);
        TestRandom random = {seed};
        CnCommands *commands = cn_commands_create(world, NULL);
        memset(watches, 0, sizeof watches);
        CnQueryDesc descs[OBSERVERS] = {
            {.all = {cn_reads(Health)}, .none = {cn_tag(Frozen)}},
            {.any = {cn_tag(Enemy), cn_tag(Burning)}},
            {.all = {cn_tag_id(cn_pair_any(world, cn_id(world, Likes)))}},
            {.none = {cn_tag(CnNode), cn_tag(Enemy)}}};
        for (uint32_t w = 0; w < OBSERVERS; w++) {
            watches[w].query = cn_query_acquire(world, &descs[w], NULL);
            cn_observer_create(world,
                               &(CnObserverDesc){.query = descs[w],
                                                 .on_enter = watch_entered,
                                                 .on_exit = watch_left,
                                                 .user = &watches[w]},
                               NULL);
        }
        for (uint32_t step = 0; step < 300; step++) {
            change_at_random(&random, commands);
            check_watches(seed);
        }
        assert_world_sound(world);
    }
}

/* ---- Removal lists ---- */

static void removals_are_listed_in_order_until_the_next_update_has_seen_them(void **state)
{
    (void)state;
    CnChannel *removals = cn_removals(world, Health);
    assert_ptr_equal(removals, cn_removals(world, Health));
    CnEntity a = cn_spawn(world, cn_with(Health, {1, 1})),
             b = cn_spawn(world, cn_with(Health, {1, 1}));
    cn_remove(world, b, Health);
    cn_destroy(world, a);
    cn_destroy(world, b); /* had none any more */
    assert_int_equal(cn_event_count(removals), 2);
    const CnRemoval *list = cn_events(removals, CnRemoval);
    assert_entity_equal(list[0].entity, b);
    assert_entity_equal(list[1].entity, a);
    assert_entity_null(list[0].target);
    cn_world_update(world, 0.1f, NULL);
    assert_int_equal(cn_event_count(removals), 2);
    cn_world_update(world, 0.1f, NULL);
    assert_int_equal(cn_event_count(removals), 0);
}

static void removals_of_a_kind_list_the_targets_of_its_pairs(void **state)
{
    (void)state;
    CnEntity alice = cn_entity_create(world), bob = cn_entity_create(world);
    CnChannel *removals = cn_removals(world, Likes);
    cn_add_component(world, bob, cn_pair(world, cn_id(world, Likes), alice));
    cn_destroy(world, alice);
    assert_int_equal(cn_event_count(removals), 1);
    const CnRemoval *list = cn_events(removals, CnRemoval);
    assert_entity_equal(list[0].entity, bob);
    assert_entity_equal(list[0].target, alice);
}

static void destroy_one(CnSystemContext *context)
{
    CnEntity entity = cn_entity_at(context->world, 0);
    if (entity.id)
        cn_destroy(context->world, entity);
}

static void a_system_that_removes_need_not_declare_the_list(void **state)
{
    (void)state;
    CnChannel *removals = cn_removals(world, Health);
    cn_spawn(world, cn_with(Health, {1, 1}));
    cn_system_add(world,
                  &(CnSystemDesc){.name = "destroy",
                                  .run = destroy_one,
                                  .stage = CN_STAGE_UPDATE,
                                  .alone = true,
                                  .query = {.all = {cn_reads(Mass)}}},
                  NULL);
    assert_true(cn_world_update(world, 0.1f, NULL));
    assert_int_equal(cn_event_count(removals), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_clone_observes_and_lists_removals_on_its_own),
        WORLD_TEST(what_is_spawned_enters_and_what_is_destroyed_leaves),
        WORLD_TEST(components_that_come_and_go_make_entities_enter_and_leave),
        WORLD_TEST(one_change_of_several_components_is_one_step),
        WORLD_TEST(many_at_once_enter_in_order_of_their_rows),
        WORLD_TEST(bulk_changes_call_all_that_are_concerned),
        WORLD_TEST(a_flush_calls_for_what_it_does),
        WORLD_TEST(a_tree_that_is_spawned_enters_in_order),
        WORLD_TEST(becoming_a_parent_or_a_child_is_a_change),
        WORLD_TEST(the_death_of_a_target_makes_others_leave),
        WORLD_TEST(the_death_of_an_excluded_target_makes_others_enter),
        WORLD_TEST(clearing_the_world_makes_all_leave),
        WORLD_TEST(loading_calls_no_observer_but_keeps_them),
        WORLD_TEST(archetypes_that_were_trimmed_are_observed_when_they_come_back),
        WORLD_TEST(callbacks_see_the_values_of_an_entity_that_matches),
        WORLD_TEST(hooks_come_first_when_entering_and_last_when_leaving),
        WORLD_TEST(observers_are_called_in_order_of_their_creation),
        WORLD_TEST(what_a_callback_changes_is_applied_after_the_operation),
        WORLD_TEST(an_observer_may_end_in_its_own_callback),
        WORLD_TEST(an_observer_cannot_be_created_in_a_callback),
        WORLD_TEST(what_matches_already_enters_only_when_it_is_requested),
        WORLD_TEST(a_destroyed_observer_is_silent_and_leaves_no_query),
        WORLD_TEST(observers_go_with_their_owner),
        WORLD_TEST(changes_that_concern_no_observer_stay_quick),
        WORLD_TEST(observers_know_the_matching_entities_at_any_time),
        WORLD_TEST(removals_are_listed_in_order_until_the_next_update_has_seen_them),
        WORLD_TEST(removals_of_a_kind_list_the_targets_of_its_pairs),
        WORLD_TEST(a_system_that_removes_need_not_declare_the_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
