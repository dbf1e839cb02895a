/* Memory that ends while observers, removal lists, sorted and grouped queries are made or brought
 * up to date: nothing is half made, and the world stays sound. */
#include "../../unit/ecs/ecs_fixture.h"

#include "check_world.h"

CN_COMPONENT(Layer, (i32, order));
CN_TAG(Likes);

static uint32_t calls;

static void count_call(CnWorld *in, CnEntity entity, void *user)
{
    (void)in, (void)entity, (void)user;
    calls++;
}

static void fill(void)
{
    for (int32_t i = 0; i < 300; i++) {
        CnEntity e = cn_spawn(world, cn_with(Layer, {i * 7919 % 300}));
        if (i % 3 == 0)
            cn_add(world, e, Enemy);
        if (i % 7 == 0)
            cn_add(world, e, Frozen);
    }
}

static void an_observer_is_created_whole_or_not_at_all(void **state)
{
    (void)state;
    fill();
    CnObserver *observer = NULL;
    uint64_t n = 0;
    for (; !observer; n++) {
        CnError error = {0};
        cn_heap_fail_after(heap, n);
        observer = cn_observer_create(
            world,
            &(CnObserverDesc){.query = {.all = {cn_reads(Layer)}, .none = {cn_tag(Burning)}},
                              .on_enter = count_call,
                              .on_exit = count_call,
                              .existing = true},
            &error);
        cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
        assert_world_sound(world);
        if (observer)
            break;
        assert_int_equal(error.code, CN_ERROR_MEMORY);
        assert_int_equal(cn_world_stats(world).queries, 0);
        calls = 0;
        cn_destroy(world, cn_spawn(world, cn_with(Layer, {1})));
        assert_int_equal(calls, 0);
    }
    assert_true(n > 2);
    assert_int_equal(calls, 300);
    cn_observer_destroy(observer);
}

static void a_removal_list_is_made_whole_or_not_at_all(void **state)
{
    (void)state;
    fill();
    CnChannel *removals = NULL;
    for (uint64_t n = 0; !removals; n++) {
        cn_heap_fail_after(heap, n);
        QUIETLY(removals = cn_removals(world, Layer));
        cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
        assert_world_sound(world);
    }
    cn_destroy(world, cn_spawn(world, cn_with(Layer, {1})));
    assert_int_equal(cn_event_count(removals), 1); /* not once for every attempt */
}

static void a_sorted_query_that_runs_out_of_memory_catches_up_later(void **state)
{
    (void)state;
    CnSortedQuery *sorted = NULL;
    CnSortedQueryDesc desc = {
        .query = {.all = {cn_reads(Layer)}}, .by = &cn_type_Layer, .field = "order"};
    for (uint64_t n = 0; !sorted; n++) {
        CnError error = {0};
        cn_heap_fail_after(heap, n);
        QUIETLY(sorted = cn_sorted_query_create(world, &desc, &error));
        cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
    }
    fill();
    uint32_t failures = 0;
    for (uint64_t n = 0;; n++, failures++) {
        cn_heap_fail_after(heap, n);
        bool done = cn_sorted_query_update(sorted);
        cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
        if (done)
            break;
        cn_world_advance_tick(world);
    }
    assert_true(failures > 1);
    CnEntity found[300];
    assert_int_equal(cn_sorted_query_entities(sorted, found, 300), 300);
    for (uint32_t i = 0; i < 300; i++)
        assert_int_equal(cn_get(world, found[i], Layer)->order, i);
    cn_sorted_query_destroy(sorted);
    assert_int_equal(cn_world_stats(world).queries, 0);
}

static void a_grouped_query_that_runs_out_of_memory_catches_up_later(void **state)
{
    (void)state;
    fill();
    CnGroupedQuery *grouped = NULL;
    CnGroupedQueryDesc desc = {.query = {.all = {cn_reads(Layer)}},
                               .pair_kind = cn_id(world, Likes)};
    for (uint64_t n = 0; !grouped; n++) {
        CnError error = {0};
        cn_heap_fail_after(heap, n);
        grouped = cn_grouped_query_create(world, &desc, &error);
        cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
    }
    CnChunkView view;
    cn_heap_fail_after(heap, 0);
    CnGroupedIter it;
    QUIETLY(it = cn_grouped_iter(grouped));
    cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
    assert_false(cn_grouped_next(&it, &view, NULL));
    uint32_t rows = 0;
    for (it = cn_grouped_iter(grouped); cn_grouped_next(&it, &view, NULL);)
        rows += view.count;
    assert_int_equal(rows, 300);
    cn_grouped_query_destroy(grouped);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(an_observer_is_created_whole_or_not_at_all),
        WORLD_TEST(a_removal_list_is_made_whole_or_not_at_all),
        WORLD_TEST(a_sorted_query_that_runs_out_of_memory_catches_up_later),
        WORLD_TEST(a_grouped_query_that_runs_out_of_memory_catches_up_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
