#include "world_internals.h"

static CnQuery *query_all(CnTerm a, CnTerm b)
{
    return cn_query_acquire(world, &(CnQueryDesc){.all = {a, b}}, NULL);
}

static uint32_t count_of(CnQueryDesc desc)
{
    return cn_query_count(cn_query_acquire(world, &desc, NULL));
}

/* Returns the number of visited rows, which must equal the count. */
static uint32_t visit(const CnQuery *query)
{
    uint32_t rows = 0;
    CnChunkView view = {0};
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);) {
        assert_true(view.count > 0);
        rows += view.count;
    }
    assert_int_equal(rows, cn_query_count(query));
    return rows;
}

/* ---- Matching ---- */

/* Eight entities, one for each set of the three tags. */
static void spawn_all_sets(void)
{
    const CnType *tags[] = {&cn_type_Frozen, &cn_type_Enemy, &cn_type_Burning};
    for (uint32_t set = 0; set < 8; set++) {
        CnEntity entity = cn_entity_create(world);
        for (uint32_t i = 0; i < 3; i++)
            if (set >> i & 1u)
                cn_add_component(world, entity, cn_component_ensure(world, tags[i]));
    }
}

static void all_requires_every_component(void **state)
{
    (void)state;
    spawn_all_sets();
    assert_int_equal(count_of((CnQueryDesc){.all = {cn_tag(Frozen)}}), 4);
    assert_int_equal(count_of((CnQueryDesc){.all = {cn_tag(Frozen), cn_tag(Enemy)}}), 2);
    assert_int_equal(
        count_of((CnQueryDesc){.all = {cn_tag(Frozen), cn_tag(Enemy), cn_tag(Burning)}}), 1);
}

static void any_requires_at_least_one_component(void **state)
{
    (void)state;
    spawn_all_sets();
    assert_int_equal(count_of((CnQueryDesc){.any = {cn_tag(Frozen), cn_tag(Enemy)}}), 6);
    assert_int_equal(count_of((CnQueryDesc){.any = {cn_tag(Frozen)}}), 4);
}

static void none_leaves_out_what_has_one_of_them(void **state)
{
    (void)state;
    spawn_all_sets();
    assert_int_equal(count_of((CnQueryDesc){.none = {cn_tag(Frozen), cn_tag(Enemy)}}), 2);
}

static void optional_does_not_match(void **state)
{
    (void)state;
    spawn_all_sets();
    assert_int_equal(count_of((CnQueryDesc){.optional = {cn_tag(Frozen)}}), 8);
    assert_int_equal(count_of((CnQueryDesc){.all = {cn_tag(Enemy)}, .optional = {cn_tag(Frozen)}}),
                     4);
}

static void the_lists_work_together(void **state)
{
    (void)state;
    spawn_all_sets();
    assert_int_equal(count_of((CnQueryDesc){.all = {cn_tag(Enemy)},
                                            .any = {cn_tag(Frozen), cn_tag(Burning)},
                                            .none = {cn_tag(Burning)}}),
                     1);
}

static void a_query_without_terms_matches_everything(void **state)
{
    (void)state;
    spawn_all_sets();
    assert_int_equal(visit(cn_query_acquire(world, &(CnQueryDesc){0}, NULL)), 8);
}

static void an_entity_is_tested_for_a_match(void **state)
{
    (void)state;
    CnQuery *query = query_all((CnTerm)cn_tag(Frozen), (CnTerm){0});
    CnEntity entity = cn_entity_create(world);
    assert_false(cn_query_matches(query, entity));
    cn_add(world, entity, Frozen);
    assert_true(cn_query_matches(query, entity));
    cn_destroy(world, entity);
    assert_false(cn_query_matches(query, entity));
}

/* ---- Life ---- */

static void an_archetype_that_appears_later_is_in_the_query(void **state)
{
    (void)state;
    CnQuery *by_all = query_all((CnTerm)cn_reads(Position), (CnTerm){0});
    CnQuery *by_any = cn_query_acquire(world, &(CnQueryDesc){.any = {cn_reads(Position)}}, NULL);
    CnQuery *by_none = cn_query_acquire(world, &(CnQueryDesc){.none = {cn_tag(Enemy)}}, NULL);
    assert_int_equal(cn_query_archetype_count(by_all), 0);
    cn_spawn(world, cn_with(Position, {1, 0, 0}));
    assert_int_equal(visit(by_all), 1);
    assert_int_equal(visit(by_any), 1);
    assert_int_equal(visit(by_none), 1);
    cn_spawn(world, cn_with(Position, {2, 0, 0}), cn_with_tag(Frozen));
    assert_int_equal(cn_query_archetype_count(by_all), 2);
    assert_int_equal(visit(by_all), 2);
    assert_int_equal(visit(by_any), 2);
    assert_int_equal(visit(by_none), 2);
    cn_spawn(world, cn_with(Position, {3, 0, 0}), cn_with_tag(Enemy));
    assert_int_equal(visit(by_all), 3);
    assert_int_equal(visit(by_none), 2);
}

static void a_new_archetype_enters_a_query_once(void **state)
{
    (void)state;
    CnQuery *query = cn_query_acquire(
        world, &(CnQueryDesc){.all = {cn_reads(Position)}, .any = {cn_tag(Frozen), cn_tag(Enemy)}},
        NULL);
    uint32_t ids[] = {cn_id(world, Position).id, cn_id(world, Frozen).id, cn_id(world, Enemy).id};
    cni_ecs_archetype_find_or_create(world, ids, 3);
    assert_int_equal(cn_query_archetype_count(query), 1);
}

static void a_query_made_late_finds_what_is_there(void **state)
{
    (void)state;
    spawn_all_sets();
    assert_int_equal(visit(cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag(Burning)}}, NULL)),
                     4);
}

static void the_search_begins_with_the_rarest_component(void **state)
{
    (void)state;
    spawn_all_sets();
    cn_spawn(world, cn_with_tag(Frozen), cn_with_default(Position));
    CnQuery *query =
        cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag(Frozen), cn_reads(Position)}}, NULL);
    const CniEcsComponent *position = cni_ecs_component_get(world, cn_id(world, Position).id);
    assert_int_equal(position->queries.count, 1);
    assert_ptr_equal(position->queries.items[0], query);
    assert_int_equal(cni_ecs_component_get(world, cn_id(world, Frozen).id)->queries.count, 0);
}

static void a_query_forgets_archetypes_that_are_trimmed(void **state)
{
    (void)state;
    CnQuery *query = query_all((CnTerm)cn_reads(Health), (CnTerm){0});
    CnEntity gone = cn_spawn(world, cn_with(Health, {1, 1}), cn_with(Position, {0}));
    cn_spawn(world, cn_with(Health, {2, 2}), cn_with_tag(Enemy));
    cn_destroy(world, gone);
    cn_world_trim(world);
    assert_int_equal(cn_query_archetype_count(query), 1);
    CnChunkView view = {0};
    CnQueryIter it = cn_query_iter(query);
    assert_true(cn_query_next(&it, &view));
    assert_int_equal(cn_column_const(&view, Health)->now, 2);
    assert_false(cn_query_next(&it, &view));
}

static void a_query_knows_its_world(void **state)
{
    (void)state;
    assert_ptr_equal(cn_query_world(cn_query_acquire(world, &(CnQueryDesc){0}, NULL)), world);
}

/* ---- Cache ---- */

static void equal_descriptions_give_the_same_query(void **state)
{
    (void)state;
    CnQueryDesc desc = {.all = {cn_writes(Position), cn_reads(Velocity)},
                        .any = {cn_tag(Enemy), cn_tag(Frozen)},
                        .none = {cn_tag(Burning)},
                        .optional = {cn_reads(Health)}};
    CnQueryDesc turned = {.all = {cn_reads(Velocity), cn_writes(Position)},
                          .any = {cn_tag(Frozen), cn_tag(Enemy)},
                          .none = {cn_tag(Burning)},
                          .optional = {cn_reads(Health)}};
    assert_ptr_equal(cn_query_acquire(world, &desc, NULL), cn_query_acquire(world, &desc, NULL));
    assert_ptr_equal(cn_query_acquire(world, &desc, NULL), cn_query_acquire(world, &turned, NULL));
    assert_int_equal(cn_world_stats(world).queries, 1);
}

static void types_and_ids_of_the_same_component_give_the_same_query(void **state)
{
    (void)state;
    CnComponent position = cn_id(world, Position);
    assert_ptr_equal(query_all((CnTerm)cn_reads(Position), (CnTerm){0}),
                     query_all((CnTerm)cn_reads_id(position), (CnTerm){0}));
}

static void each_list_counts_in_the_identity_of_a_query(void **state)
{
    (void)state;
    const CnQueryDesc descs[] = {
        {.all = {cn_reads(Position)}},      {.all = {cn_writes(Position)}},
        {.any = {cn_reads(Position)}},      {.none = {cn_reads(Position)}},
        {.optional = {cn_reads(Position)}}, {.none = {{0}}},
    };
    CnQuery *queries[CN_COUNT_OF(descs)];
    for (size_t i = 0; i < CN_COUNT_OF(descs); i++)
        queries[i] = cn_query_acquire(world, &descs[i], NULL);
    for (size_t i = 0; i < CN_COUNT_OF(queries); i++)
        for (size_t j = 0; j < i; j++)
            assert_ptr_not_equal(queries[i], queries[j]);
}

static void thousands_of_queries_are_distinguished(void **state)
{
    (void)state;
    CnComponent tags[64];
    for (int i = 0; i < 64; i++) {
        char name[16];
        cn_format(name, sizeof name, "Tag%d", i);
        CnType type = {.name = name, .alignment = 1};
        tags[i] = cn_component_register(world, &(CnComponentDesc){.type = &type}, NULL);
    }
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 64; i++)
            for (int j = 0; j < 64; j++)
                cn_query_acquire(
                    world,
                    &(CnQueryDesc){.all = {cn_tag_id(tags[i])}, .none = {cn_tag_id(tags[j])}},
                    NULL);
    assert_int_equal(cn_world_stats(world).queries, 64 * 64);
}

/* ---- Composition ---- */

static void and_requires_one_more(void **state)
{
    (void)state;
    spawn_all_sets();
    CnQuery *base = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag(Frozen)}}, NULL);
    CnQuery *both = cn_query_and(base, cn_term_tag(Enemy), NULL);
    assert_int_equal(visit(both), 2);
    assert_ptr_equal(
        both,
        cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag(Frozen), cn_tag(Enemy)}}, NULL));
}

static void not_excludes_one_more(void **state)
{
    (void)state;
    spawn_all_sets();
    CnQuery *base = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag(Frozen)}}, NULL);
    assert_int_equal(visit(cn_query_not(base, cn_term_tag(Enemy), NULL)), 2);
    assert_int_equal(visit(cn_query_not(cn_query_not(base, cn_term_tag(Enemy), NULL),
                                        cn_term_tag(Burning), NULL)),
                     1);
}

static void or_allows_alternatives(void **state)
{
    (void)state;
    spawn_all_sets();
    CnQuery *base = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag(Frozen)}}, NULL);
    CnTerm either[] = {cn_tag(Enemy), cn_tag(Burning)};
    CnQuery *query = cn_query_or(base, either, 2, NULL);
    assert_int_equal(visit(query), 3);
    assert_ptr_equal(cn_query_or(cn_query_or(base, &either[0], 1, NULL), &either[1], 1, NULL),
                     query);
}

static void composition_leaves_the_old_query_as_it_was(void **state)
{
    (void)state;
    spawn_all_sets();
    CnQuery *base = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag(Frozen)}}, NULL);
    CnTerm either[] = {cn_tag(Burning)};
    cn_query_and(base, cn_term_tag(Enemy), NULL);
    cn_query_not(base, cn_term_tag(Enemy), NULL);
    cn_query_or(base, either, 1, NULL);
    assert_int_equal(visit(base), 4);
    assert_ptr_equal(base, cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag(Frozen)}}, NULL));
}

static void a_composed_query_is_cached_and_live(void **state)
{
    (void)state;
    CnQuery *base = query_all((CnTerm)cn_reads(Position), (CnTerm){0});
    CnQuery *composed = cn_query_and(base, cn_term_writes(Health), NULL);
    assert_ptr_equal(cn_query_and(base, cn_term_writes(Health), NULL), composed);
    cn_spawn(world, cn_with(Position, {1, 2, 3}), cn_with(Health, {4, 5}));
    CnChunkView view = {0};
    CnQueryIter it = cn_query_iter(composed);
    assert_true(cn_query_next(&it, &view));
    assert_number_equal(cn_column_const(&view, Position)->z, 3);
    cn_column(&view, Health)->now = 6;
    assert_int_equal(visit(base), 1);
}

static void composing_with_what_is_there_gives_the_same_query(void **state)
{
    (void)state;
    CnQuery *base = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag(Frozen)}}, NULL);
    assert_ptr_equal(cn_query_and(base, cn_term_tag(Frozen), NULL), base);
}

/* ---- Order by entity ---- */

static void entities_are_listed_by_index_whatever_their_storage(void **state)
{
    (void)state;
    CnQuery *query = query_all((CnTerm)cn_reads(Health), (CnTerm){0});
    CnEntity spawned[300], listed[300];
    for (int i = 0; i < 300; i++)
        spawned[i] = cn_spawn(world, cn_with(Health, {i, i}));
    for (int i = 0; i < 300; i += 2)
        cn_add(world, spawned[i], Enemy);
    for (int i = 0; i < 300; i += 5)
        cn_destroy(world, spawned[i]);
    uint32_t count = cn_query_entities(query, listed, 300);
    assert_int_equal(count, 240);
    for (uint32_t i = 1; i < count; i++)
        assert_true(cn_entity_index(listed[i - 1]) < cn_entity_index(listed[i]));
    for (uint32_t i = 0; i < count; i++)
        assert_true(cn_query_matches(query, listed[i]));
}

static void a_list_of_entities_that_is_too_short_is_filled_and_counted(void **state)
{
    (void)state;
    CnQuery *query = query_all((CnTerm)cn_reads(Health), (CnTerm){0});
    CnEntity spawned[10], listed[4] = {{0}};
    cn_spawn_many(world, 10, spawned, cn_with(Health, {0}));
    assert_int_equal(cn_query_entities(query, NULL, 0), 10);
    assert_int_equal(cn_query_entities(query, listed, 3), 10);
    assert_entity_equal(listed[2], spawned[2]);
    assert_entity_null(listed[3]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(all_requires_every_component),
        WORLD_TEST(any_requires_at_least_one_component),
        WORLD_TEST(none_leaves_out_what_has_one_of_them),
        WORLD_TEST(optional_does_not_match),
        WORLD_TEST(the_lists_work_together),
        WORLD_TEST(a_query_without_terms_matches_everything),
        WORLD_TEST(an_entity_is_tested_for_a_match),
        WORLD_TEST(an_archetype_that_appears_later_is_in_the_query),
        WORLD_TEST(a_new_archetype_enters_a_query_once),
        WORLD_TEST(a_query_made_late_finds_what_is_there),
        WORLD_TEST(the_search_begins_with_the_rarest_component),
        WORLD_TEST(a_query_forgets_archetypes_that_are_trimmed),
        WORLD_TEST(a_query_knows_its_world),
        WORLD_TEST(equal_descriptions_give_the_same_query),
        WORLD_TEST(types_and_ids_of_the_same_component_give_the_same_query),
        WORLD_TEST(each_list_counts_in_the_identity_of_a_query),
        WORLD_TEST(thousands_of_queries_are_distinguished),
        WORLD_TEST(and_requires_one_more),
        WORLD_TEST(not_excludes_one_more),
        WORLD_TEST(or_allows_alternatives),
        WORLD_TEST(composition_leaves_the_old_query_as_it_was),
        WORLD_TEST(a_composed_query_is_cached_and_live),
        WORLD_TEST(composing_with_what_is_there_gives_the_same_query),
        WORLD_TEST(entities_are_listed_by_index_whatever_their_storage),
        WORLD_TEST(a_list_of_entities_that_is_too_short_is_filled_and_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
