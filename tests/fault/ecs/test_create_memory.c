/* Memory that runs out while objects are created: each function returns NULL and sets an error. */
#include "../../unit/ecs/ecs_fixture.h"

#include "check_world.h"
#include "failing_heap.h"

static bool create_world(CnAllocator *allocator, void *user)
{
    (void)user;
    CnError error = {0};
    CnWorld *created = cn_world_create(&(CnWorldDesc){.allocator = allocator}, &error);
    assert_int_equal(error.code, created ? CN_OK : CN_ERROR_MEMORY);
    cn_world_destroy(created);
    return created != NULL;
}

static void a_world_without_memory_sets_an_error(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(create_world, NULL) > 2);
}

/* Repeats `create` with one more successful allocation each time, until it returns an object. */
#define ASSERT_CREATED_OR_ERROR(object, create)                                                    \
    do {                                                                                           \
        for (uint64_t n = 0; !(object); n++) {                                                     \
            CnError error = {0};                                                                   \
            cn_heap_fail_after(heap, n);                                                           \
            (object) = (create);                                                                   \
            cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);                                          \
            assert_int_equal(error.code, (object) ? CN_OK : CN_ERROR_MEMORY);                      \
            assert_true(!!(object) == !error.message[0]);                                          \
            assert_true((object) || n < 1000);                                                     \
            assert_world_sound(world);                                                             \
        }                                                                                          \
    } while (0)

static void a_command_buffer_without_memory_sets_an_error(void **state)
{
    (void)state;
    CnCommands *commands = NULL;
    ASSERT_CREATED_OR_ERROR(commands, cn_commands_create(world, &error));
    cn_commands_destroy(commands);
}

static void an_event_reader_without_memory_sets_an_error(void **state)
{
    (void)state;
    CnChannel *channel = cn_channel(world, Health);
    CnEventReader *reader = NULL;
    ASSERT_CREATED_OR_ERROR(reader, cn_event_reader_create(channel, &error));
    cn_event_reader_destroy(reader);
}

static void a_producer_without_memory_sets_an_error(void **state)
{
    (void)state;
    CnProducer *producer = NULL;
    ASSERT_CREATED_OR_ERROR(producer, cn_producer_create(world, NULL, &error));
    cn_producer_destroy(producer);
}

static void a_query_without_memory_sets_an_error(void **state)
{
    (void)state;
    const CnQueryDesc desc = {.all = {cn_reads(Position), cn_writes(Mass)},
                              .none = {cn_tag(Frozen)}};
    CnQuery *query = NULL;
    cn_spawn(world, cn_with(Position, {0, 0, 0}), cn_with(Mass, {1}));
    ASSERT_CREATED_OR_ERROR(query, cn_query_acquire(world, &desc, &error));
    cn_query_release(query);
}

static void a_composed_query_without_memory_sets_an_error(void **state)
{
    (void)state;
    cn_id(world, Enemy);
    CnQuery *base = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Position)}}, NULL);
    CnQuery *both = NULL, *without = NULL, *either = NULL;
    ASSERT_CREATED_OR_ERROR(both, cn_query_and(base, cn_term_tag(Enemy), &error));
    ASSERT_CREATED_OR_ERROR(without, cn_query_not(base, cn_term_tag(Enemy), &error));
    const CnTerm terms[] = {cn_tag(Enemy)};
    ASSERT_CREATED_OR_ERROR(either, cn_query_or(base, terms, 1, &error));
    cn_query_release(either);
    cn_query_release(without);
    cn_query_release(both);
    cn_query_release(base);
}

static void a_failed_creation_without_an_error_receiver_is_counted(void **state)
{
    (void)state;
    cn_heap_fail_after(heap, 0);
    QUIETLY(assert_null(cn_producer_create(world, NULL, NULL)));
    cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
    assert_int_equal(cn_world_stats(world).unhandled_errors, 1);
}

static void destroying_null_does_nothing(void **state)
{
    (void)state;
    cn_world_destroy(NULL);
    cn_commands_destroy(NULL);
    cn_event_reader_destroy(NULL);
    cn_producer_destroy(NULL);
    cn_query_release(NULL);
    cn_observer_destroy(NULL);
    cn_sorted_query_destroy(NULL);
    cn_grouped_query_destroy(NULL);
    cn_row_changes_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_without_memory_sets_an_error),
        WORLD_TEST(a_command_buffer_without_memory_sets_an_error),
        WORLD_TEST(an_event_reader_without_memory_sets_an_error),
        WORLD_TEST(a_producer_without_memory_sets_an_error),
        WORLD_TEST(a_query_without_memory_sets_an_error),
        WORLD_TEST(a_composed_query_without_memory_sets_an_error),
        WORLD_TEST(a_failed_creation_without_an_error_receiver_is_counted),
        cmocka_unit_test(destroying_null_does_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
