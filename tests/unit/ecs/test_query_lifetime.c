/* The lifetime of queries, and their behavior when a pair that they contain ends. */
#include "check_world.h"
#include "guards.h"
#include "world_internals.h"

static uint32_t query_count(void)
{
    return cn_world_stats(world).queries;
}

static CnQuery *query_of(CnTerm term)
{
    return cn_query_acquire(world, &(CnQueryDesc){.all = {term}}, NULL);
}

/* ---- References ---- */

static void the_last_release_frees_a_query(void **state)
{
    (void)state;
    CnQuery *first = query_of(cn_term_reads(Position)), *second = query_of(cn_term_reads(Position));
    assert_ptr_equal(first, second);
    cn_query_release(first);
    assert_int_equal(query_count(), 1);
    cn_spawn(world, cn_with(Position, {1, 2, 3}));
    assert_int_equal(cn_query_count(second), 1);
    cn_query_release(second);
    assert_int_equal(query_count(), 0);
    assert_world_sound(world);
}

static void releasing_no_query_does_nothing(void **state)
{
    (void)state;
    cn_query_release(NULL);
    assert_int_equal(query_count(), 0);
}

static void composed_queries_are_acquired_too(void **state)
{
    (void)state;
    CnQuery *base = query_of(cn_term_reads(Position));
    CnQuery *more = cn_query_and(base, cn_term_tag(Enemy), NULL);
    CnQuery *less = cn_query_not(base, cn_term_tag(Enemy), NULL);
    CnTerm terms[] = {cn_tag(Enemy), cn_tag(Frozen)};
    CnQuery *either = cn_query_or(base, terms, 2, NULL);
    assert_int_equal(query_count(), 4);
    cn_query_release(base);
    assert_int_equal(query_count(), 3);
    cn_spawn(world, cn_with(Position, {0}), cn_with_tag(Enemy));
    assert_int_equal(cn_query_count(more), 1);
    assert_int_equal(cn_query_count(less), 0);
    assert_int_equal(cn_query_count(either), 1);
    cn_query_release(more), cn_query_release(less), cn_query_release(either);
    assert_int_equal(query_count(), 0);
    assert_world_sound(world);
}

static void archetypes_that_appear_find_only_the_queries_that_are_left(void **state)
{
    (void)state;
    CnQuery *queries[] = {query_of(cn_term_reads(Position)), query_of(cn_term_writes(Position)),
                          cn_query_acquire(world, &(CnQueryDesc){.none = {cn_tag(Enemy)}}, NULL),
                          cn_query_acquire(world, &(CnQueryDesc){.none = {cn_tag(Frozen)}}, NULL)};
    cn_query_release(queries[0]), cn_query_release(queries[2]);
    cn_spawn(world, cn_with(Position, {0}), cn_with_tag(Burning));
    assert_int_equal(cn_query_count(queries[1]), 1);
    assert_int_equal(cn_query_count(queries[3]), 1);
    assert_world_sound(world);
}

static void a_released_query_is_created_again(void **state)
{
    (void)state;
    cn_query_release(query_of(cn_term_reads(Position)));
    cn_spawn(world, cn_with(Position, {0}));
    CnQuery *again = query_of(cn_term_reads(Position));
    assert_int_equal(cn_query_count(again), 1);
    assert_world_sound(world);
}

static void many_queries_come_and_go_in_the_same_memory(void **state)
{
    (void)state;
    CnTerm terms[] = {cn_reads(Position), cn_reads(Velocity), cn_reads(Health), cn_reads(Mass)};
    cn_spawn(world, cn_with(Position, {0}), cn_with(Velocity, {0}));
    uint64_t before = 0;
    for (uint32_t i = 0; i < 10000; i++) {
        CnQuery *query = cn_query_acquire(
            world, &(CnQueryDesc){.all = {terms[i % 4], terms[i / 4 % 4]}, .none = {cn_tag(Enemy)}},
            NULL);
        assert_non_null(query);
        cn_query_release(query);
        if (i == 100)
            before = cn_heap_stats(heap).live_bytes;
    }
    assert_int_equal(cn_heap_stats(heap).live_bytes, before);
    assert_int_equal(query_count(), 0);
}

static void run_nothing(CnSystemContext *context)
{
    (void)context;
}

static void a_system_gives_its_query_back(void **state)
{
    (void)state;
    CnSystem system = cn_system_add(
        world,
        &(CnSystemDesc){.name = "a", .run = run_nothing, .query = {.all = {cn_reads(Position)}}},
        NULL);
    assert_int_equal(query_count(), 1);
    cn_system_remove(world, system);
    assert_int_equal(query_count(), 0);
}

static void a_system_that_cannot_be_added_leaves_no_query(void **state)
{
    (void)state;
    CnError error = {0};
    CnSystemDesc desc = {.name = "a",
                         .run = run_nothing,
                         .stage = CN_STAGE_FRAME,
                         .query = {.all = {cn_writes(Position)}}};
    assert_int_equal(cn_system_add(world, &desc, &error).id, 0);
    assert_int_equal(query_count(), 0);
}

static void code_that_is_replaced_gives_its_queries_back(void **state)
{
    (void)state;
    CnSystemDesc desc = {.name = "a", .run = run_nothing, .query = {.all = {cn_reads(Position)}}};
    cn_world_set_owner(world, 7);
    cn_system_add(world, &desc, NULL);
    cn_owner_begin_replace(world, 7);
    desc.query = (CnQueryDesc){.all = {cn_reads(Velocity)}};
    cn_system_add(world, &desc, NULL);
    cn_owner_end_replace(world, 7);
    cn_world_set_owner(world, 0);
    assert_int_equal(query_count(), 1);
    assert_world_sound(world);
}

/* ---- Pairs that end ---- */

CN_COMPONENT(Likes, (f32, much));

static CnComponent pair_with(CnEntity target)
{
    return cn_pair(world, cn_id(world, Likes), target);
}

static void a_query_that_requires_an_ended_pair_matches_nothing(void **state)
{
    (void)state;
    CnEntity target = cn_entity_create(world);
    CnComponent pair = pair_with(target);
    CnEntity fan = cn_entity_create(world);
    cn_add_component(world, fan, pair);
    CnQuery *fans = query_of((CnTerm)cn_reads_id(pair));
    cn_destroy(world, target);
    /* The next pair has the id of the last one. */
    CnEntity other = cn_entity_create(world);
    assert_int_equal(pair_with(other).id, pair.id);
    cn_add_component(world, fan, pair_with(other));
    assert_int_equal(cn_query_count(fans), 0);
    assert_false(cn_query_matches(fans, fan));
    assert_world_sound(world);
}

static void a_new_pair_never_finds_the_query_of_an_ended_one(void **state)
{
    (void)state;
    CnEntity target = cn_entity_create(world);
    CnQuery *old = query_of((CnTerm)cn_tag_id(pair_with(target)));
    cn_destroy(world, target);
    CnEntity other = cn_entity_create(world), fan = cn_entity_create(world);
    cn_add_component(world, fan, pair_with(other));
    CnQuery *fans = query_of((CnTerm)cn_tag_id(pair_with(other)));
    assert_ptr_not_equal(fans, old);
    assert_int_equal(cn_query_count(fans), 1);
    assert_int_equal(query_count(), 2);
    cn_query_release(old);
    assert_int_equal(query_count(), 1);
    assert_world_sound(world);
}

static void an_ended_pair_is_dropped_from_what_is_excluded(void **state)
{
    (void)state;
    CnEntity target = cn_entity_create(world), fan = cn_spawn(world, cn_with(Mass, {1}));
    cn_add_component(world, fan, pair_with(target));
    CnQuery *others = cn_query_acquire(
        world, &(CnQueryDesc){.all = {cn_reads(Mass)}, .none = {cn_tag_id(pair_with(target))}},
        NULL);
    cn_destroy(world, target);
    assert_int_equal(cn_query_count(others), 1);
    cn_add_component(world, fan, pair_with(cn_entity_create(world))); /* with the same id */
    assert_int_equal(cn_query_count(others), 1);
    assert_world_sound(world);
}

static void an_ended_pair_is_dropped_from_the_alternatives(void **state)
{
    (void)state;
    CnEntity a = cn_entity_create(world), b = cn_entity_create(world);
    CnEntity fan = cn_spawn(world, cn_with(Mass, {1}));
    cn_add_component(world, fan, pair_with(b));
    CnQuery *fans =
        cn_query_acquire(world,
                         &(CnQueryDesc){.all = {cn_reads(Mass)},
                                        .any = {cn_tag_id(pair_with(a)), cn_tag_id(pair_with(b))}},
                         NULL);
    cn_destroy(world, a);
    assert_int_equal(cn_query_count(fans), 1);
    assert_world_sound(world);
    cn_destroy(world, b); /* the last one: no alternative is left */
    assert_int_equal(cn_query_count(fans), 0);
    cn_add_component(world, fan, pair_with(cn_entity_create(world)));
    assert_int_equal(cn_query_count(fans), 0);
    assert_world_sound(world);
}

static void an_optional_pair_that_ended_has_no_column(void **state)
{
    (void)state;
    CnEntity target = cn_entity_create(world), fan = cn_spawn(world, cn_with(Mass, {1}));
    CnComponent pair = pair_with(target);
    cn_set_component(world, fan, pair, &(Likes){0.5f});
    CnQuery *query = cn_query_acquire(
        world, &(CnQueryDesc){.all = {cn_reads(Mass)}, .optional = {cn_reads_id(pair)}}, NULL);
    cn_destroy(world, target);
    cn_set_component(world, fan, pair_with(cn_entity_create(world)), &(Likes){0.25f});
    CnChunkView view = {0};
    CnQueryIter it = cn_query_iter(query);
    assert_true(cn_query_next(&it, &view));
    assert_number_equal(cn_column_const(&view, Mass)->kilograms, 1);
    assert_false(cn_query_next(&it, &view));
    assert_world_sound(world);
}

static void a_query_on_an_ended_pair_stays_empty_when_it_is_composed(void **state)
{
    (void)state;
    CnEntity target = cn_entity_create(world);
    CnQuery *fans = query_of((CnTerm)cn_tag_id(pair_with(target)));
    cn_destroy(world, target);
    cn_spawn(world, cn_with(Mass, {1}));
    CnQuery *heavy = cn_query_and(fans, cn_term_reads(Mass), NULL);
    assert_int_equal(cn_query_count(heavy), 0);
    cn_query_release(heavy), cn_query_release(fans);
    assert_int_equal(query_count(), 0);
}

/* Far more targets than there are ids. */
static void pair_ids_are_used_again_though_queries_named_them(void **state)
{
    (void)state;
    uint32_t limit = 0;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < 200000; i++) {
        CnEntity target = cn_entity_create(world), fan = cn_entity_create(world);
        CnComponent pair = pair_with(target);
        assert_int_not_equal(pair.id, 0);
        cn_add_component(world, fan, pair);
        CnQuery *fans = query_of((CnTerm)cn_tag_id(pair));
        assert_int_equal(cn_query_count(fans), 1);
        cn_query_release(fans);
        cn_destroy(world, fan);
        cn_destroy(world, target);
        if (i == 1000) {
            limit = cn_component_limit(world);
            bytes = cn_heap_stats(heap).live_bytes;
        }
    }
    assert_int_equal(cn_component_limit(world), limit);
    assert_int_equal(cn_heap_stats(heap).live_bytes, bytes);
    assert_int_equal(query_count(), 0);
    assert_world_sound(world);
}

/* The queries are not released: only they remain, and each costs less than half a kilobyte. */
static void forgotten_queries_on_ended_pairs_cost_only_their_own_memory(void **state)
{
    (void)state;
    enum { TARGETS = 70000 };
    for (uint32_t i = 0; i < TARGETS; i++) {
        CnEntity target = cn_entity_create(world), fan = cn_entity_create(world);
        CnComponent pair = pair_with(target);
        cn_add_component(world, fan, pair);
        CnQuery *fans = query_of((CnTerm)cn_tag_id(pair));
        assert_int_equal(cn_query_count(fans), 1);
        cn_destroy(world, fan);
        cn_destroy(world, target);
    }
    assert_int_equal(query_count(), TARGETS);
    assert_true(cn_heap_stats(heap).live_bytes < (uint64_t)TARGETS * 640);
}

/* ---- Wrong calls ---- */

#ifdef CN_GUARDS
static void a_second_release_is_reported(void **state)
{
    (void)state;
    CnQuery *query = query_of(cn_term_reads(Position));
    cn_query_release(query);
    EXPECT_GUARD(cn_query_release(query));
    assert_non_null(strstr(guard_message(), "more often"));
}

static void a_release_while_the_query_is_iterated_is_reported(void **state)
{
    (void)state;
    cn_spawn(world, cn_with(Position, {0}));
    CnQuery *query = query_of(cn_term_reads(Position));
    CnQueryIter it = cn_query_iter(query);
    CnChunkView view = {0};
    assert_true(cn_query_next(&it, &view));
    cn_query_release(query);
    EXPECT_GUARD(cn_query_next(&it, &view));
    assert_non_null(strstr(guard_message(), "released"));
}

static void iterating_a_released_query_is_reported(void **state)
{
    (void)state;
    CnQuery *query = query_of(cn_term_reads(Position));
    cn_query_release(query);
    EXPECT_GUARD(cn_query_iter(query));
    assert_non_null(strstr(guard_message(), "released"));
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(the_last_release_frees_a_query),
        WORLD_TEST(releasing_no_query_does_nothing),
        WORLD_TEST(composed_queries_are_acquired_too),
        WORLD_TEST(archetypes_that_appear_find_only_the_queries_that_are_left),
        WORLD_TEST(a_released_query_is_created_again),
        WORLD_TEST(many_queries_come_and_go_in_the_same_memory),
        WORLD_TEST(a_system_gives_its_query_back),
        WORLD_TEST(a_system_that_cannot_be_added_leaves_no_query),
        WORLD_TEST(code_that_is_replaced_gives_its_queries_back),
        WORLD_TEST(a_query_that_requires_an_ended_pair_matches_nothing),
        WORLD_TEST(a_new_pair_never_finds_the_query_of_an_ended_one),
        WORLD_TEST(an_ended_pair_is_dropped_from_what_is_excluded),
        WORLD_TEST(an_ended_pair_is_dropped_from_the_alternatives),
        WORLD_TEST(an_optional_pair_that_ended_has_no_column),
        WORLD_TEST(a_query_on_an_ended_pair_stays_empty_when_it_is_composed),
        WORLD_TEST(pair_ids_are_used_again_though_queries_named_them),
        WORLD_TEST(forgotten_queries_on_ended_pairs_cost_only_their_own_memory),
#ifdef CN_GUARDS
        WORLD_TEST(a_second_release_is_reported),
        WORLD_TEST(a_release_while_the_query_is_iterated_is_reported),
        WORLD_TEST(iterating_a_released_query_is_reported),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
