/* One name, two descriptions: those of type_conflict.c and those here. */
#include "type_conflict.h"
#include "ecs_fixture.h"

#include <string.h>

CN_COMPONENT(ClashFields, (u8, mood));
CN_COMPONENT(ClashNames, (f32, x), (f32, y));
CN_TAG(ClashTag);
CN_COMPONENT(ClashSame, (f32, x), (text, label, 8));

typedef struct ClashOpaque {
    char values[4];
} ClashOpaque;
CN_OPAQUE(ClashOpaque);

typedef struct ClashOffsets {
    float y, x;
} ClashOffsets;
CN_DESCRIBE(ClashOffsets, (f32, x), (f32, y));

static char logged[4][512];
static uint32_t log_count;

static void keep_message(const CnLogRecord *record, void *user)
{
    (void)user;
    if (log_count < 4)
        cn_format(logged[log_count], sizeof logged[0], "%s", record->message);
    log_count++;
}

static void assert_refused(const CnType *type)
{
    CnError error = {0};
    CnComponent component = {1};
    QUIETLY(component = cn_component_register(world, &(CnComponentDesc){.type = type}, &error));
    assert_int_equal(component.id, 0);
    assert_int_equal(error.code, CN_ERROR_MISMATCH);
    assert_non_null(strstr(error.message, type->name));
    assert_non_null(strstr(error.message, "test_type_conflicts.c:"));
    assert_non_null(strstr(error.message, "type_conflict.c:"));
}

static void a_clash_is_logged_once_with_both_places(void **state)
{
    (void)state;
    log_count = 0;
    int sink = cn_log_add_sink(&(CnLogSink){.write = keep_message, .level = CN_LOG_LEVEL_ERROR});
    QUIETLY(for (int i = 0; i < 3; i++) cn_spawn(world, cn_with(ClashFields, {1})));
    QUIETLY(clash_spawn(world));
    cn_log_remove_sink(sink);
    assert_int_equal(log_count, 1);
    assert_non_null(strstr(logged[0], "test_type_conflicts.c:7"));
    assert_non_null(strstr(logged[0], "type_conflict.c:3"));
}

static void other_fields_under_one_name_are_refused(void **state)
{
    (void)state;
    assert_refused(&cn_type_ClashFields);
}

static void other_field_names_under_one_name_are_refused(void **state)
{
    (void)state;
    assert_refused(&cn_type_ClashNames);
}

static void a_tag_and_a_component_of_one_name_are_refused(void **state)
{
    (void)state;
    assert_refused(&cn_type_ClashTag);
}

static void opaque_types_of_other_sizes_under_one_name_are_refused(void **state)
{
    (void)state;
    assert_refused(&cn_type_ClashOpaque);
}

static void fields_at_other_offsets_under_one_name_are_refused(void **state)
{
    (void)state;
    assert_refused(&cn_type_ClashOffsets);
}

static void the_same_description_in_two_files_is_one_component(void **state)
{
    (void)state;
    CnEntity mine = cn_spawn(world, cn_with(ClashSame, {1, "mine"}));
    CnEntity theirs = clash_spawn_same(world, 2);
    assert_number_equal(clash_get_same(world, mine), 1);
    assert_number_equal(cn_get(world, theirs, ClashSame)->x, 2);
}

static void both_files_get_the_null_entity_for_a_refused_type(void **state)
{
    (void)state;
    CnEntity mine = {1}, theirs = {1};
    QUIETLY(mine = cn_spawn(world, cn_with(ClashFields, {1})));
    QUIETLY(theirs = clash_spawn(world));
    assert_entity_null(mine);
    assert_entity_null(theirs);
    assert_int_equal(cn_entity_count(world), 0);
}

static void no_call_reaches_memory_through_a_refused_type(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Position, {1, 2, 3}));
    QUIETLY({
        assert_false(cn_add(world, entity, ClashFields));
        assert_false(cn_set(world, entity, ClashFields, {1}));
        assert_true(cn_remove(world, entity, ClashFields));
        assert_false(cn_has(world, entity, ClashFields));
        assert_null(cn_get(world, entity, ClashFields));
        assert_null(cn_get_mut(world, entity, ClashFields));
        assert_null(clash_get(world, entity));
        ClashFields value = {7};
        assert_false(cn_read(world, entity, ClashFields, &value));
        assert_int_equal(value.mood, 7);
        assert_null(cn_resource_set(world, ClashFields, {1}));
        assert_null(cn_resource(world, ClashFields));
        assert_null(cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(ClashFields)}}, NULL));
    });
    assert_number_equal(cn_get(world, entity, Position)->z, 3);
}

/* The component of a plugin, as far as a program can tell: it was registered by name. */
static CnComponent register_health_of_a_plugin(const CnField *fields, uint32_t count)
{
    CnType type = {"Health", count * 4, 4, fields, count, NULL};
    CnComponent component = cn_component_register(world, &(CnComponentDesc){.type = &type}, NULL);
    assert_int_not_equal(component.id, 0);
    return component;
}

static const CnField plugin_fields[] = {{"now", CN_FIELD_I32, 1, 0, 4}};

static void a_type_is_not_found_under_the_name_of_another_shape(void **state)
{
    (void)state;
    CnComponent theirs = register_health_of_a_plugin(plugin_fields, 1);
    CnEntity entity = cn_spawn(world, (CnValue){.component = theirs});
    QUIETLY({
        assert_null(cn_get(world, entity, Health));
        assert_null(cn_get_mut(world, entity, Health));
        assert_false(cn_has(world, entity, Health));
        assert_entity_null(cn_spawn(world, cn_with(Health, {1, 2})));
    });
}

static void the_error_for_another_shape_names_the_places_of_both(void **state)
{
    (void)state;
    static CniEcsTypeSite site = {.file = "plugin.c", .line = 12};
    CnType type = {"Health", 4, 4, plugin_fields, 1, &site};
    cn_register(world, Health);
    CnError error = {0};
    cn_component_register(world, &(CnComponentDesc){.type = &type}, &error);
    assert_int_equal(error.code, CN_ERROR_MISMATCH);
    assert_non_null(strstr(error.message, "plugin.c:12"));
    assert_non_null(strstr(error.message, "fixture.h:"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_clash_is_logged_once_with_both_places),
        WORLD_TEST(other_fields_under_one_name_are_refused),
        WORLD_TEST(other_field_names_under_one_name_are_refused),
        WORLD_TEST(a_tag_and_a_component_of_one_name_are_refused),
        WORLD_TEST(opaque_types_of_other_sizes_under_one_name_are_refused),
        WORLD_TEST(fields_at_other_offsets_under_one_name_are_refused),
        WORLD_TEST(the_same_description_in_two_files_is_one_component),
        WORLD_TEST(both_files_get_the_null_entity_for_a_refused_type),
        WORLD_TEST(no_call_reaches_memory_through_a_refused_type),
        WORLD_TEST(a_type_is_not_found_under_the_name_of_another_shape),
        WORLD_TEST(the_error_for_another_shape_names_the_places_of_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
