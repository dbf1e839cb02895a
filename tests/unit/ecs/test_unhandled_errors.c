/* Unhandled errors are logged once for each cause and counted in the world's statistics. */
#include "ecs_fixture.h"

#include "guards.h"

CN_TAG(Unregistered);

CN_SYSTEM(move, (write, Position, p))
{
    for (uint32_t i = 0; i < count; i++)
        p[i].x += 1;
}

static char logged[4096];
static uint32_t lines;

static void keep(const CnLogRecord *record, void *user)
{
    (void)user;
    size_t used = strlen(logged);
    cn_format(logged + used, sizeof logged - used, "%s\n", record->message);
    lines++;
}

static int begin(void **state)
{
    logged[0] = '\0';
    lines = 0;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    return make_world(state);
}

/* Runs a statement and keeps what it logs. */
#define KEEP_LOG(...)                                                                              \
    do {                                                                                           \
        int sink = cn_log_add_sink(&(CnLogSink){.write = keep, .level = CN_LOG_LEVEL_ERROR});      \
        __VA_ARGS__;                                                                               \
        cn_log_remove_sink(sink);                                                                  \
    } while (0)

static void an_update_that_cannot_be_sorted_is_logged_once(void **state)
{
    (void)state;
    cn_system(world, move, .stage = CN_STAGE_UPDATE, .after = {"moove"});
    for (int i = 0; i < 3; i++)
        KEEP_LOG(assert_false(cn_world_update(world, 1, NULL)));
    assert_int_equal(lines, 1);
    assert_non_null(strstr(logged, "system move must run after moove, which does not exist"));
    assert_int_equal(cn_world_stats(world).unhandled_errors, 3);
}

static void an_error_that_the_caller_takes_is_neither_logged_nor_counted(void **state)
{
    (void)state;
    CnError error = {0};
    cn_system(world, move, .stage = CN_STAGE_UPDATE, .after = {"moove"});
    KEEP_LOG(assert_false(cn_world_update(world, 1, &error)));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
    assert_int_equal(lines, 0);
    assert_int_equal(cn_world_stats(world).unhandled_errors, 0);
}

static void a_success_reports_nothing(void **state)
{
    (void)state;
    cn_system(world, move, .stage = CN_STAGE_UPDATE);
    KEEP_LOG(assert_true(cn_world_update(world, 1, NULL)));
    assert_int_equal(lines, 0);
    assert_int_equal(cn_world_stats(world).unhandled_errors, 0);
}

static void a_system_that_is_refused_is_logged_by_the_macro(void **state)
{
    (void)state;
    KEEP_LOG(assert_int_equal(cn_system(world, move, .stage = CN_STAGE_FRAME).id, 0));
    assert_non_null(strstr(logged, "frame systems may write only transient components"));
    assert_int_equal(cn_world_stats(world).unhandled_errors, 1);
}

static void a_registration_that_is_refused_is_logged_by_the_macro(void **state)
{
    (void)state;
    cn_register(world, Position);
    KEEP_LOG(assert_int_equal(cn_register(world, Position, .layout = CN_LAYOUT_FIELDS).id, 0));
    assert_non_null(strstr(logged, "component Position is registered with a different layout"));
    assert_int_equal(cn_world_stats(world).unhandled_errors, 1);
}

/* A type that no world can hold. */
static const CnType endless = {.name = "Endless", .size = CN_MAX_COMPONENT_BYTES + 1};

static void a_type_that_cannot_be_registered_by_its_use_is_logged_once(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++)
        KEEP_LOG(assert_int_equal(cn_component_ensure(world, &endless).id, 0));
    assert_int_equal(lines, 1);
    assert_int_equal(cn_world_stats(world).unhandled_errors, 3);
}

static void each_world_logs_its_own_causes(void **state)
{
    (void)state;
    CnWorld *other = cn_world_create(NULL, NULL);
    KEEP_LOG(cn_component_ensure(world, &endless); cn_component_ensure(other, &endless));
    assert_int_equal(lines, 2);
    assert_int_equal(cn_world_stats(other).unhandled_errors, 1);
    cn_world_destroy(other);
}

#ifdef CN_GUARDS
static void a_command_that_names_an_unknown_type_is_logged_with_its_name(void **state)
{
    (void)state;
    CnCommands *commands = cn_commands_create(world, NULL);
    CnEntity e = cn_entity_create(world);
    KEEP_LOG(EXPECT_GUARD(cn_defer_add(commands, e, Unregistered)));
    assert_non_null(strstr(logged, "Unregistered"));
}
#else
static void a_command_that_names_an_unknown_type_is_logged_with_its_name(void **state)
{
    (void)state;
    CnCommands *commands = cn_commands_create(world, NULL);
    CnEntity e = cn_entity_create(world);
    KEEP_LOG(assert_false(cn_defer_add(commands, e, Unregistered));
             assert_int_equal(cn_defer_spawn(commands, cn_with_tag(Unregistered)).id, 0));
    assert_non_null(strstr(logged, "Unregistered"));
    assert_int_equal(lines, 1);
    assert_int_equal(cn_world_stats(world).unhandled_errors, 2);
    assert_int_equal(cn_world_stats(world).failed_commands, 2);
}
#endif

static void reading_a_field_that_is_missing_is_logged(void **state)
{
    (void)state;
    float x;
    CnEntity e = cn_spawn(world, cn_with(Position, {1, 2, 3}));
    KEEP_LOG(assert_false(cn_read_field(world, e, "Position", "w", &x, sizeof x, NULL)));
    assert_int_equal(lines, 1);
    assert_int_equal(cn_world_stats(world).unhandled_errors, 1);
}

static void data_that_cannot_be_loaded_is_logged(void **state)
{
    (void)state;
    KEEP_LOG(assert_false(cn_world_load(world, "nothing", 7, NULL)));
    assert_int_equal(lines, 1);
    assert_int_equal(cn_world_stats(world).unhandled_errors, 1);
}

#define UNHANDLED_TEST(name) cmocka_unit_test_setup_teardown(name, begin, drop_world)

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNHANDLED_TEST(an_update_that_cannot_be_sorted_is_logged_once),
        UNHANDLED_TEST(an_error_that_the_caller_takes_is_neither_logged_nor_counted),
        UNHANDLED_TEST(a_success_reports_nothing),
        UNHANDLED_TEST(a_system_that_is_refused_is_logged_by_the_macro),
        UNHANDLED_TEST(a_registration_that_is_refused_is_logged_by_the_macro),
        UNHANDLED_TEST(a_type_that_cannot_be_registered_by_its_use_is_logged_once),
        UNHANDLED_TEST(each_world_logs_its_own_causes),
        UNHANDLED_TEST(a_command_that_names_an_unknown_type_is_logged_with_its_name),
        UNHANDLED_TEST(reading_a_field_that_is_missing_is_logged),
        UNHANDLED_TEST(data_that_cannot_be_loaded_is_logged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
