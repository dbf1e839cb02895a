/* Queries in order of values, compared with a sort from scratch, and archetypes in order of groups.
 */
#include "check_world.h"
#include "ecs_fixture.h"
#include "guards.h"
#include "random.h"

#include <stdlib.h>

CN_COMPONENT(Layer, (f32, z), (i32, order), (u8, kind));
CN_COMPONENT(Wind, (f32, x), (f32, y)); /* laid out by fields */
CN_COMPONENT(Likes, (f32, much));

static CnSortedQuery *sorted_by(const char *field, bool descending)
{
    CnError error = {0};
    CnSortedQuery *sorted = cn_sorted_query_create(
        world,
        &(CnSortedQueryDesc){.query = {.all = {cn_reads(Layer)}, .none = {cn_tag(Frozen)}},
                             .by = &cn_type_Layer,
                             .field = field,
                             .descending = descending},
        &error);
    if (!sorted)
        fail_msg("%s", error.message);
    return sorted;
}

static void assert_order(CnSortedQuery *sorted, const CnEntity *expected, uint32_t count)
{
    CnEntity found[16];
    assert_true(cn_sorted_query_update(sorted));
    assert_int_equal(cn_sorted_query_entities(sorted, found, 16), count);
    for (uint32_t i = 0; i < count; i++)
        assert_entity_equal(found[i], expected[i]);
}

#define ORDER(sorted, ...)                                                                         \
    assert_order((sorted), (const CnEntity[]){__VA_ARGS__},                                        \
                 (uint32_t)(sizeof((const CnEntity[]){__VA_ARGS__}) / sizeof(CnEntity)))

/* ---- Sorted ---- */

static void entities_are_in_order_of_a_field_whatever_their_archetype(void **state)
{
    (void)state;
    CnEntity c = cn_spawn(world, cn_with(Layer, {3, 0, 0}));
    CnEntity a = cn_spawn(world, cn_with(Layer, {-1, 0, 0}), cn_with_tag(Enemy));
    CnEntity b = cn_spawn(world, cn_with(Layer, {0.5f, 0, 0}));
    CnSortedQuery *sorted = sorted_by("z", false), *descending = sorted_by("z", true);
    ORDER(sorted, a, b, c);
    ORDER(descending, c, b, a);
    cn_sorted_query_destroy(sorted);
    cn_sorted_query_destroy(descending);
    cn_sorted_query_destroy(NULL);
    assert_int_equal(cn_world_stats(world).queries, 0);
}

static void equal_values_are_in_order_of_entity_index(void **state)
{
    (void)state;
    CnEntity a = cn_spawn(world, cn_with(Layer, {1, 7, 0}), cn_with_tag(Enemy));
    CnEntity b = cn_spawn(world, cn_with(Layer, {1, 7, 0}));
    CnEntity c = cn_spawn(world, cn_with(Layer, {1, 7, 0}), cn_with_tag(Enemy));
    CnSortedQuery *sorted = sorted_by("order", false), *descending = sorted_by("order", true);
    ORDER(sorted, a, b, c);
    ORDER(descending, a, b, c);
    cn_sorted_query_destroy(sorted);
    cn_sorted_query_destroy(descending);
}

static void negative_numbers_come_first(void **state)
{
    (void)state;
    CnEntity a = cn_spawn(world, cn_with(Layer, {0, 5, 0}));
    CnEntity b = cn_spawn(world, cn_with(Layer, {0, -5, 0}));
    CnEntity c = cn_spawn(world, cn_with(Layer, {0, INT32_MIN, 200}));
    CnSortedQuery *sorted = sorted_by("order", false), *by_kind = sorted_by("kind", false);
    ORDER(sorted, c, b, a);
    ORDER(by_kind, a, b, c);
    cn_sorted_query_destroy(sorted);
    cn_sorted_query_destroy(by_kind);
}

static void changes_of_every_kind_are_followed(void **state)
{
    (void)state;
    CnEntity a = cn_spawn(world, cn_with(Layer, {1, 0, 0}));
    CnEntity b = cn_spawn(world, cn_with(Layer, {2, 0, 0}));
    CnEntity c = cn_spawn(world, cn_with(Layer, {3, 0, 0}));
    CnSortedQuery *sorted = sorted_by("z", false);
    ORDER(sorted, a, b, c);
    cn_get_mut(world, a, Layer)->z = 2.5f;
    ORDER(sorted, b, a, c);
    cn_add(world, c, Enemy);
    ORDER(sorted, b, a, c);
    cn_add(world, b, Frozen);
    ORDER(sorted, a, c);
    cn_destroy(world, a);
    ORDER(sorted, c);
    cn_remove(world, b, Frozen);
    CnEntity d = cn_spawn(world, cn_with(Layer, {0, 0, 0}));
    ORDER(sorted, d, b, c);
    cn_sorted_query_destroy(sorted);
}

static int by_kind_then_order(const void *a, const void *b, void *user)
{
    const Layer *x = a, *y = b;
    ++*(uint32_t *)user;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static CnSortedQuery *compared(uint32_t *calls)
{
    return cn_sorted_query_create(world,
                                  &(CnSortedQueryDesc){.query = {.all = {cn_reads(Layer)}},
                                                       .by = &cn_type_Layer,
                                                       .compare = by_kind_then_order,
                                                       .user = calls},
                                  NULL);
}

static void a_comparison_may_look_at_the_whole_value(void **state)
{
    (void)state;
    uint32_t calls = 0;
    CnEntity a = cn_spawn(world, cn_with(Layer, {0, 9, 1})),
             b = cn_spawn(world, cn_with(Layer, {0, 1, 2}));
    CnEntity c = cn_spawn(world, cn_with(Layer, {0, 3, 1}));
    CnSortedQuery *sorted = compared(&calls);
    ORDER(sorted, c, a, b);
    cn_get_mut(world, b, Layer)->kind = 0;
    ORDER(sorted, b, c, a);
    cn_sorted_query_destroy(sorted);
}

static void an_update_without_changes_compares_nothing(void **state)
{
    (void)state;
    uint32_t calls = 0;
    for (int32_t i = 0; i < 1000; i++)
        cn_spawn(world, cn_with(Layer, {0, i * 7919 % 1000, 0}));
    CnSortedQuery *sorted = compared(&calls);
    assert_true(cn_sorted_query_update(sorted));
    cn_world_advance_tick(world);
    assert_true(cn_sorted_query_update(sorted));
    calls = 0;
    cn_world_advance_tick(world);
    assert_true(cn_sorted_query_update(sorted));
    assert_int_equal(calls, 0);
    cn_sorted_query_destroy(sorted);
}

static void one_value_that_moves_costs_about_one_pass(void **state)
{
    (void)state;
    uint32_t calls = 0;
    CnEntity first = cn_spawn(world, cn_with(Layer, {0, -1, 0}));
    for (int32_t i = 0; i < 999; i++)
        cn_spawn(world, cn_with(Layer, {0, i * 7919 % 1000, 0}));
    CnSortedQuery *sorted = compared(&calls);
    cn_world_advance_tick(world); /* distinguishes writes before the update from later ones */
    assert_true(cn_sorted_query_update(sorted));
    cn_world_advance_tick(world);
    cn_get_mut(world, first, Layer)->order = 5000;
    calls = 0;
    assert_true(cn_sorted_query_update(sorted));
    assert_true(calls < 2100); /* a sort takes 9,000 */
    CnEntity last[1000];
    cn_sorted_query_entities(sorted, last, 1000);
    assert_entity_equal(last[999], first);
    cn_sorted_query_destroy(sorted);
}

static void runs_cover_all_rows_in_order(void **state)
{
    (void)state;
    for (int32_t i = 0; i < 500; i++)
        cn_spawn(world, cn_with(Layer, {0, i / 100, 0}), cn_with(Mass, {(double)i}));
    CnSortedQuery *sorted = cn_sorted_query_create(
        world,
        &(CnSortedQueryDesc){.query = {.all = {cn_writes(Layer), cn_reads(Mass)}},
                             .by = &cn_type_Layer,
                             .field = "order",
                             .descending = true},
        NULL);
    assert_true(cn_sorted_query_update(sorted));
    uint32_t rows = 0, runs = 0;
    int32_t last = INT32_MAX;
    CnSortedRun run = {0};
    for (CnSortedIter it = cn_sorted_iter(sorted); cn_sorted_next(&it, &run); runs++) {
        const Layer *layers = cn_column(&run.view, Layer);
        const Mass *masses = cn_column_const(&run.view, Mass);
        for (uint32_t row = run.first; row < run.first + run.count; row++, rows++) {
            assert_true(layers[row].order <= last);
            assert_int_equal((int32_t)masses[row].kilograms / 100, layers[row].order);
            last = layers[row].order;
        }
    }
    assert_int_equal(rows, 500);
    assert_true(runs < 20);
    cn_sorted_query_destroy(sorted);
}

static void a_load_is_followed(void **state)
{
    (void)state;
    CnSnapshot snapshot;
    CnEntity a = cn_spawn(world, cn_with(Layer, {2, 0, 0})),
             b = cn_spawn(world, cn_with(Layer, {1, 0, 0}));
    assert_true(cn_world_save(world, &snapshot, NULL));
    CnSortedQuery *sorted = sorted_by("z", false);
    ORDER(sorted, b, a);
    cn_get_mut(world, b, Layer)->z = 3;
    ORDER(sorted, a, b);
    assert_true(cn_world_load(world, snapshot.bytes, snapshot.size, NULL));
    cn_snapshot_free(&snapshot);
    ORDER(sorted, b, a);
    cn_sorted_query_destroy(sorted);
}

static void a_field_of_a_component_by_fields_can_be_sorted_by(void **state)
{
    (void)state;
    cn_register(world, Wind, .layout = CN_LAYOUT_FIELDS);
    CnEntity a = cn_spawn(world, cn_with(Wind, {0, 2})), b = cn_spawn(world, cn_with(Wind, {5, 1}));
    CnSortedQuery *sorted = cn_sorted_query_create(
        world,
        &(CnSortedQueryDesc){.query = {.all = {cn_reads(Wind)}}, .by = &cn_type_Wind, .field = "y"},
        NULL);
    ORDER(sorted, b, a);
    cn_sorted_query_destroy(sorted);
}

static void what_cannot_be_sorted_by_is_refused(void **state)
{
    (void)state;
    CnError error = {0};
    CnSortedQueryDesc desc = {
        .query = {.all = {cn_reads(Layer)}}, .by = &cn_type_Layer, .field = "depth"};
    assert_null(cn_sorted_query_create(world, &desc, &error));
    assert_non_null(strstr(error.message, "Layer.depth, which is unknown"));
    desc = (CnSortedQueryDesc){.query = {.all = {cn_reads(CnNode)}}, .by = &cn_type_Layer};
    assert_null(cn_sorted_query_create(world, &desc, &error));
    assert_non_null(strstr(error.message, "must name it in `all`"));
    desc = (CnSortedQueryDesc){.query = {.all = {cn_reads(Layer)}}, .by = &cn_type_Layer};
    assert_null(cn_sorted_query_create(world, &desc, &error));
    assert_non_null(strstr(error.message, "needs a field"));
    assert_int_equal(cn_world_stats(world).queries, 0);
}

/* ---- Against a sort from scratch ---- */

enum { MOST = 400 };

static int compare_layers(const void *a, const void *b)
{
    CnEntity x = *(const CnEntity *)a, y = *(const CnEntity *)b;
    float p = cn_get(world, x, Layer)->z, q = cn_get(world, y, Layer)->z;
    if (p < q || p > q)
        return p < q ? -1 : 1;
    return cn_entity_index(x) < cn_entity_index(y) ? -1 : 1;
}

static void change_at_random(TestRandom *random, CnQuery *query)
{
    CnEntity entity = cn_entity_at(world, test_random_below(random, MOST));
    uint32_t way = test_random_below(random, 100);
    float z = (float)test_random_below(random, 50);
    if (way < 30 && cn_entity_count(world) < MOST)
        cn_spawn(world, cn_with(Layer, {z, 0, 0}), cn_with_default(Mass));
    else if (way < 35 && cn_entity_count(world) + 50 < MOST)
        cn_spawn_many(world, 50, NULL, cn_with(Layer, {z, 0, 0}));
    else if (way < 37)
        cn_query_set(query, cn_with_tag(Enemy));
    else if (way < 39)
        cn_query_remove(query, cn_id(world, Enemy));
    else if (way < 40)
        cn_world_trim(world);
    else if (way < 41)
        cn_world_advance_tick(world);
    else if (!entity.id)
        return;
    else if (way < 70)
        cn_set(world, entity, Layer, {z, 0, 0});
    else if (way < 78)
        cn_add(world, entity, Frozen);
    else if (way < 86)
        cn_remove(world, entity, Frozen);
    else if (way < 92)
        cn_add(world, entity, Burning);
    else
        cn_destroy(world, entity);
}

static void the_order_is_that_of_a_sort_from_scratch(void **state)
{
    (void)state;
    CnEntity expected[MOST * 4], found[MOST * 4];
    for (uint64_t seed = 1; seed <= 40; seed++) {
        TestRandom random = {seed};
        CnSortedQuery *sorted = sorted_by("z", false);
        CnQuery *query = cn_query_acquire(
            world, &(CnQueryDesc){.all = {cn_reads(Layer)}, .none = {cn_tag(Frozen)}}, NULL);
        for (uint32_t step = 0; step < 200; step++) {
            for (uint32_t i = test_random_below(&random, 6); i-- > 0;)
                change_at_random(&random, query);
            uint32_t count = cn_query_entities(query, expected, MOST * 4);
            qsort(expected, count, sizeof *expected, compare_layers);
            assert_true(cn_sorted_query_update(sorted));
            assert_int_equal(cn_sorted_query_entities(sorted, found, MOST * 4), count);
            if (memcmp(expected, found, count * sizeof *found))
                fail_msg("seed %llu, step %u: another order", (unsigned long long)seed, step);
        }
        cn_query_release(query);
        cn_sorted_query_destroy(sorted);
        cn_world_clear(world);
    }
}

/* ---- Grouped ---- */

static void groups_are_visited_in_order_of_their_target(void **state)
{
    (void)state;
    CnComponent likes = cn_id(world, Likes);
    CnEntity a = cn_entity_create(world), b = cn_entity_create(world);
    CnEntity of_b = cn_spawn(world, cn_with(Mass, {1})), of_a = cn_spawn(world, cn_with(Mass, {1}));
    CnEntity of_none = cn_spawn(world, cn_with(Mass, {1}));
    cn_add_component(world, of_b, cn_pair(world, likes, b));
    cn_add_component(world, of_a, cn_pair(world, likes, a));
    CnGroupedQuery *grouped = cn_grouped_query_create(
        world, &(CnGroupedQueryDesc){.query = {.all = {cn_reads(Mass)}}, .pair_kind = likes}, NULL);
    const CnEntity expected[] = {of_none, of_a, of_b};
    uint64_t numbers[] = {0, (uint64_t)cn_entity_index(a) << 32 | 1,
                          (uint64_t)cn_entity_index(b) << 32 | 1};
    uint32_t n = 0;
    CnChunkView view = {0};
    uint64_t group;
    for (CnGroupedIter it = cn_grouped_iter(grouped); cn_grouped_next(&it, &view, &group); n++) {
        assert_true(n < 3);
        assert_entity_equal(view.entities[0], expected[n]);
        assert_int_equal(group, numbers[n]);
        assert_number_equal(cn_column_const(&view, Mass)->kilograms, 1);
    }
    assert_int_equal(n, 3);
    CnGroupedIter one = cn_grouped_iter_group(grouped, numbers[1]);
    assert_true(cn_grouped_next(&one, &view, NULL));
    assert_entity_equal(view.entities[0], of_a);
    assert_false(cn_grouped_next(&one, &view, NULL));
    /* A new archetype takes its place; one that goes leaves it. */
    cn_add(world, of_none, Enemy);
    cn_destroy(world, a);
    one = cn_grouped_iter(grouped);
    n = 0;
    while (cn_grouped_next(&one, &view, &group))
        n++;
    assert_int_equal(n, 3); /* of_a has no target any more */
    assert_int_equal(group, numbers[2]);
    cn_grouped_query_destroy(grouped);
    cn_grouped_query_destroy(NULL);
}

static uint64_t count_components(const CnWorld *in, const CnComponent *components, uint32_t count,
                                 void *user)
{
    (void)in, (void)components;
    ++*(uint32_t *)user;
    return 100 - count;
}

static void a_function_may_group_archetypes(void **state)
{
    (void)state;
    uint32_t calls = 0;
    CnEntity few = cn_spawn(world, cn_with(Mass, {1}));
    CnEntity many = cn_spawn(world, cn_with(Mass, {1}), cn_with_tag(Enemy), cn_with_tag(Frozen));
    CnGroupedQuery *grouped = cn_grouped_query_create(
        world,
        &(CnGroupedQueryDesc){
            .query = {.all = {cn_reads(Mass)}}, .group_of = count_components, .user = &calls},
        NULL);
    for (uint32_t pass = 0; pass < 3; pass++) {
        CnChunkView view = {0};
        CnGroupedIter it = cn_grouped_iter(grouped);
        assert_true(cn_grouped_next(&it, &view, NULL));
        assert_entity_equal(view.entities[0], many);
        assert_true(cn_grouped_next(&it, &view, NULL));
        assert_entity_equal(view.entities[0], few);
        assert_false(cn_grouped_next(&it, &view, NULL));
    }
    assert_int_equal(calls, cn_world_stats(world).archetypes - 1);
    cn_grouped_query_destroy(grouped);
}

static void archetypes_of_one_group_are_in_order_of_creation(void **state)
{
    (void)state;
    CnEntity made[3];
    made[0] = cn_spawn(world, cn_with(Mass, {1}), cn_with_tag(Frozen));
    made[1] = cn_spawn(world, cn_with(Mass, {1}), cn_with_tag(Burning));
    made[2] = cn_spawn(world, cn_with(Mass, {1}), cn_with_tag(Enemy));
    CnGroupedQuery *grouped = cn_grouped_query_create(
        world,
        &(CnGroupedQueryDesc){.query = {.all = {cn_reads(Mass)}}, .pair_kind = cn_id(world, Likes)},
        NULL);
    CnChunkView view = {0};
    uint32_t n = 0;
    for (CnGroupedIter it = cn_grouped_iter(grouped); cn_grouped_next(&it, &view, NULL); n++)
        assert_entity_equal(view.entities[0], made[n]);
    assert_int_equal(n, 3);
    cn_grouped_query_destroy(grouped);
}

#ifdef CN_GUARDS
static void iterating_an_order_that_is_out_of_date_is_reported(void **state)
{
    (void)state;
    CnSortedQuery *sorted = sorted_by("z", false);
    assert_true(cn_sorted_query_update(sorted));
    cn_spawn(world, cn_with(Layer, {1, 0, 0}));
    EXPECT_GUARD(cn_sorted_iter(sorted));
    cn_sorted_query_destroy(sorted);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(entities_are_in_order_of_a_field_whatever_their_archetype),
        WORLD_TEST(equal_values_are_in_order_of_entity_index),
        WORLD_TEST(negative_numbers_come_first),
        WORLD_TEST(changes_of_every_kind_are_followed),
        WORLD_TEST(a_comparison_may_look_at_the_whole_value),
        WORLD_TEST(an_update_without_changes_compares_nothing),
        WORLD_TEST(one_value_that_moves_costs_about_one_pass),
        WORLD_TEST(runs_cover_all_rows_in_order),
        WORLD_TEST(a_load_is_followed),
        WORLD_TEST(a_field_of_a_component_by_fields_can_be_sorted_by),
        WORLD_TEST(what_cannot_be_sorted_by_is_refused),
        WORLD_TEST(the_order_is_that_of_a_sort_from_scratch),
        WORLD_TEST(groups_are_visited_in_order_of_their_target),
        WORLD_TEST(a_function_may_group_archetypes),
        WORLD_TEST(archetypes_of_one_group_are_in_order_of_creation),
#ifdef CN_GUARDS
        WORLD_TEST(iterating_an_order_that_is_out_of_date_is_reported),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
