/*
 * Shared by the tests of the ECS: a few components, and a separate world for each test on a
 * counting heap. A world that leaks fails its test.
 *
 *     const struct CMUnitTest tests[] = {
 *         WORLD_TEST(a_new_entity_is_alive),
 *     };
 */
#ifndef CAIRN_TESTS_UNIT_ECS_ECS_FIXTURE_H
#define CAIRN_TESTS_UNIT_ECS_ECS_FIXTURE_H

#include "cmocka_tests.h"

#include <cairn/ecs.h>

CN_COMPONENT(Position, (f32, x), (f32, y), (f32, z));
CN_COMPONENT(Velocity, (f32, x), (f32, y), (f32, z));
CN_COMPONENT(Health, (i32, now), (i32, most));
CN_COMPONENT(Mass, (f64, kilograms));
CN_TAG(Frozen);
CN_TAG(Enemy);
CN_TAG(Burning);

static CnWorld *world;
static CnHeap *heap;

static inline int make_world_from(CnWorldDesc desc)
{
    heap = cn_heap_create(NULL, NULL);
    desc.allocator = cn_heap_tag(heap, "world");
    world = cn_world_create(&desc, NULL);
    return world ? 0 : -1;
}

static inline int make_world(void **state)
{
    (void)state;
    return make_world_from((CnWorldDesc){0});
}

static inline int drop_world(void **state)
{
    (void)state;
    cn_world_destroy(world);
    uint64_t live = cn_heap_stats(heap).live_blocks;
    cn_heap_destroy(heap);
    world = NULL;
    heap = NULL;
    return live == 0 ? 0 : -1;
}

#define WORLD_TEST(name) cmocka_unit_test_setup_teardown(name, make_world, drop_world)

/* Silences the log for a statement that is expected to log an error. */
#define QUIETLY(...)                                                                               \
    do {                                                                                           \
        CnLogLevel level_before = cn_log_level();                                                  \
        cn_log_set_level(CN_LOG_LEVEL_OFF);                                                        \
        __VA_ARGS__;                                                                               \
        cn_log_set_level(level_before);                                                            \
    } while (0)

#define assert_entity_equal(a, b) assert_int_equal((a).id, (b).id)
#define assert_entity_null(entity) assert_int_equal((entity).id, 0)
/* Exact: tests use numbers that floats hold. */
#define assert_number_equal(a, b) assert_true((double)(a) == (double)(b))

#endif
