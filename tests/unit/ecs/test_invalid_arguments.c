/* Invalid stages, layouts, accesses, flags and components: guards report each, and without guards
 * each call fails with an error and changes nothing. */
#include "ecs_fixture.h"

#include <cairn/base/assert.h>

static void nothing(CnSystemContext *context)
{
    (void)context;
}

static const int numbers[] = {-1, 11, 50, 99, 255, 256, INT32_MAX, INT32_MIN};

/* Each returns whether the call with the number succeeded. */

static bool run_stage(int number, CnError *error)
{
    return cn_world_run_stage(world, (CnStage)number, 1, error);
}

static bool list_stage(int number, CnError *error)
{
    uint32_t count = 7;
    bool done = cn_stage_systems(world, (CnStage)number, NULL, 0, &count, error);
    return done || count;
}

static bool register_layout(int number, CnError *error)
{
    CnComponentDesc desc = {.type = &cn_type_Mass, .layout = (CnLayout)number};
    return cn_component_register(world, &desc, error).id;
}

static bool register_flags(int number, CnError *error)
{
    CnComponentDesc desc = {.type = &cn_type_Mass, .flags = (uint32_t)number | 1u << 30};
    return cn_component_register(world, &desc, error).id;
}

static bool declare_access(int number, CnError *error)
{
    CnSystemDesc desc = {.name = "wrong", .run = nothing, .stage = CN_STAGE_UPDATE};
    desc.access[0] = (CnTerm){&cn_type_Position, {0}, (CnAccess)number};
    return cn_system_add(world, &desc, error).id;
}

static const struct {
    const char *name;
    bool (*call)(int number, CnError *error);
} calls[] = {
    {"cn_world_run_stage", run_stage},           {"cn_stage_systems", list_stage},
    {"CnComponentDesc.layout", register_layout}, {"CnComponentDesc.flags", register_flags},
    {"CnSystemDesc.access", declare_access},
};

static bool guarded;

static void note(const char *file, int line, const char *message, void *user)
{
    (void)file, (void)line, (void)message, (void)user;
    guarded = true;
}

/* Guards are recorded, and the call continues as without them. */
static void begin_noting(void)
{
    guarded = false;
    cn_assert_set_handler(note, NULL);
}

static bool end_noting(void)
{
    cn_assert_set_handler(NULL, NULL);
#ifdef CN_GUARDS
    return guarded;
#else
    return true;
#endif
}

static void a_number_that_names_nothing_is_refused(void **state)
{
    (void)state;
    cn_register(world, Position);
    for (uint32_t c = 0; c < CN_COUNT_OF(calls); c++)
        for (uint32_t n = 0; n < CN_COUNT_OF(numbers); n++) {
            CnError error = {0};
            begin_noting();
            bool done = calls[c].call(numbers[n], &error);
            if (!end_noting() || done || error.code != CN_ERROR_FORMAT)
                fail_msg("%s takes %d: %s", calls[c].name, numbers[n], error.message);
        }
    assert_int_equal(cn_component_find(world, "Mass").id, 0);
    assert_int_equal(cn_system_find(world, "wrong").id, 0);
}

static void an_access_that_does_not_exist_makes_no_query(void **state)
{
    (void)state;
    CnQueryDesc desc = {.all = {{&cn_type_Position, {0}, (CnAccess)7}}};
    cn_register(world, Position);
    begin_noting();
    QUIETLY(assert_null(cn_query_acquire(world, &desc, NULL)));
    assert_true(end_noting());
    assert_int_equal(cn_world_stats(world).unhandled_errors, 1);
}

static void a_system_of_no_stage_is_refused(void **state)
{
    (void)state;
    CnError error = {0};
    for (uint32_t n = 0; n < CN_COUNT_OF(numbers); n++) {
        CnSystemDesc desc = {.name = "wrong", .run = nothing, .stage = (CnStage)numbers[n]};
        assert_int_equal(cn_system_add(world, &desc, &error).id, 0);
        assert_int_equal(error.code, CN_ERROR_FORMAT);
    }
}

static void names_and_sizes_of_what_does_not_exist_are_harmless(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < CN_COUNT_OF(numbers); n++) {
        assert_string_equal(cn_stage_name((CnStage)numbers[n]), "unknown");
        assert_string_equal(cn_field_type_name((CnFieldType)(numbers[n] | 1 << 20)), "unknown");
        assert_int_equal(cn_field_type_size((CnFieldType)(numbers[n] | 1 << 20)), 0);
    }
}

static void a_component_that_is_not_there_is_nowhere(void **state)
{
    (void)state;
    const CnComponent none = {70000};
    CnComponentInfo info;
    CnEntity e = cn_spawn(world, cn_with(Position, {1, 2, 3}));
    assert_false(cn_component_info(world, none, &info));
    assert_null(cn_component_field(world, none, "x"));
    assert_false(cn_has_component(world, e, none));
    assert_null(cn_get_component(world, e, none));
    assert_null(cn_resource_get(world, none));
    assert_int_equal(cn_world_hash_component(world, none), 0);
    assert_int_equal(cn_pair_target(world, e, none, UINT32_MAX).id, 0);
    assert_int_equal(cn_pair_find(world, none, e).id, 0);
}

static void a_producer_without_a_description_has_the_defaults(void **state)
{
    (void)state;
    CnChannel *positions = cn_channel(world, Position);
    CnProducer *producer = cn_producer_create(world, NULL, NULL);
    assert_non_null(producer);
    assert_true(cn_produce(producer, positions, Position, {1, 2, 3}));
    assert_int_equal(cn_producers_merge(world, NULL, NULL), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_number_that_names_nothing_is_refused),
        WORLD_TEST(an_access_that_does_not_exist_makes_no_query),
        WORLD_TEST(a_system_of_no_stage_is_refused),
        WORLD_TEST(names_and_sizes_of_what_does_not_exist_are_harmless),
        WORLD_TEST(a_component_that_is_not_there_is_nowhere),
        WORLD_TEST(a_producer_without_a_description_has_the_defaults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
