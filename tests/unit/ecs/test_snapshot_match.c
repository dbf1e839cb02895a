/* Data meets a program that describes its components otherwise. */
#include "snapshot_fixture.h"

/* A component of some name with some fields of four or more bytes, at offsets as C has them. */
static CnComponent describe(CnWorld *in, const char *name, CnLayout layout, const void *value,
                            uint32_t count, const CnField *fields)
{
    uint32_t size = 0;
    for (uint32_t f = 0; f < count; f++)
        size = fields[f].offset + fields[f].size;
    CnType type = {name, size, 4, fields, count, NULL};
    CnError error = {0};
    CnComponent id = cn_component_register(
        in, &(CnComponentDesc){.type = &type, .layout = layout, .default_value = value}, &error);
    if (!id.id)
        fail_msg("%s", error.message);
    return id;
}

static const CnField small_fields[] = {{"x", CN_FIELD_F32, 1, 0, 4}, {"n", CN_FIELD_I32, 1, 4, 4}};
static const CnField large_fields[] = {
    {"added", CN_FIELD_U32, 2, 0, 8}, {"n", CN_FIELD_I32, 1, 8, 4}, {"x", CN_FIELD_F32, 1, 12, 4}};

typedef struct Small {
    float x;
    int32_t n;
} Small;

typedef struct Large {
    uint32_t added[2];
    int32_t n;
    float x;
} Large;

static CnEntity spawn_value(CnWorld *in, CnComponent component, const void *value)
{
    CnEntity e = cn_entity_create(in);
    assert_true(cn_set_component(in, e, component, value));
    return e;
}

static void fields_are_matched_by_name(void **state)
{
    (void)state;
    CnComponent saved = describe(world, "Thing", CN_LAYOUT_PACKED, NULL, 2, small_fields);
    CnComponent here = describe(other, "Thing", CN_LAYOUT_PACKED, NULL, 3, large_fields);
    CnEntity e = spawn_value(world, saved, &(Small){1.5f, -3});
    reload(world, other);
    const Large *large = cn_get_component(other, e, here);
    assert_number_equal(large->x, 1.5f);
    assert_int_equal(large->n, -3);
}

static void a_field_that_the_data_lacks_gets_its_default(void **state)
{
    (void)state;
    CnComponent saved = describe(world, "Thing", CN_LAYOUT_PACKED, NULL, 2, small_fields);
    CnComponent here =
        describe(other, "Thing", CN_LAYOUT_PACKED, &(Large){{7, 8}, 9, 10}, 3, large_fields);
    CnEntity e = spawn_value(world, saved, &(Small){1.5f, -3});
    cn_resource_set_value(world, saved, &(Small){2.5f, -4});
    reload(world, other);
    const Large *large = cn_get_component(other, e, here), *resource = cn_resource_get(other, here);
    assert_int_equal(large->added[1], 8);
    assert_int_equal(large->n, -3);
    assert_int_equal(resource->added[0], 7);
    assert_int_equal(resource->n, -4);
}

static void a_field_without_a_default_gets_zero(void **state)
{
    (void)state;
    CnComponent saved = describe(world, "Thing", CN_LAYOUT_PACKED, NULL, 2, small_fields);
    CnComponent here = describe(other, "Thing", CN_LAYOUT_FIELDS, NULL, 3, large_fields);
    CnEntity e = spawn_value(world, saved, &(Small){1.5f, -3});
    reload(world, other);
    Large large = {{1, 1}, 0, 0};
    assert_true(cn_read_component(other, e, here, &large));
    assert_int_equal(large.added[0], 0);
    assert_int_equal(large.added[1], 0);
    assert_number_equal(large.x, 1.5f);
}

static void a_field_that_the_program_lacks_is_ignored(void **state)
{
    (void)state;
    CnComponent saved = describe(world, "Thing", CN_LAYOUT_PACKED, NULL, 3, large_fields);
    CnComponent here = describe(other, "Thing", CN_LAYOUT_PACKED, NULL, 2, small_fields);
    CnEntity e = spawn_value(world, saved, &(Large){{1, 2}, 3, 4});
    reload(world, other);
    const Small *small = cn_get_component(other, e, here);
    assert_number_equal(small->x, 4);
    assert_int_equal(small->n, 3);
}

static void a_component_may_lose_all_its_fields(void **state)
{
    (void)state;
    CnComponent saved = describe(world, "Thing", CN_LAYOUT_PACKED, NULL, 2, small_fields);
    CnComponent here = describe(other, "Thing", CN_LAYOUT_PACKED, NULL, 0, NULL);
    CnEntity e = spawn_value(world, saved, &(Small){1, 2});
    cn_resource_set_value(world, saved, &(Small){2.5f, -4});
    reload(world, other);
    assert_true(cn_has_component(other, e, here));
    assert_non_null(cn_resource_get(other, here));
}

static void a_tag_may_become_a_component(void **state)
{
    (void)state;
    CnComponent saved = describe(world, "Thing", CN_LAYOUT_PACKED, NULL, 0, NULL);
    CnComponent here = describe(other, "Thing", CN_LAYOUT_PACKED, &(Small){5, 6}, 2, small_fields);
    CnEntity e = cn_entity_create(world);
    cn_add_component(world, e, saved);
    reload(world, other);
    assert_int_equal(((const Small *)cn_get_component(other, e, here))->n, 6);
}

static void a_field_of_another_type_is_refused_by_name(void **state)
{
    (void)state;
    static const CnField fields[] = {{"x", CN_FIELD_U32, 1, 0, 4}};
    CnComponent saved = describe(world, "Thing", CN_LAYOUT_PACKED, NULL, 2, small_fields);
    describe(other, "Thing", CN_LAYOUT_PACKED, NULL, 1, fields);
    spawn_value(world, saved, &(Small){1, 2});
    CnSnapshot snapshot = save(world);
    assert_refused(other, &snapshot, CN_ERROR_MISMATCH, "Thing.x is f32[1] in the data");
    cn_snapshot_free(&snapshot);
}

static void a_field_of_another_count_is_refused_by_name(void **state)
{
    (void)state;
    static const CnField fields[] = {{"n", CN_FIELD_I32, 2, 0, 8}};
    CnComponent saved = describe(world, "Thing", CN_LAYOUT_PACKED, NULL, 2, small_fields);
    describe(other, "Thing", CN_LAYOUT_PACKED, NULL, 1, fields);
    spawn_value(world, saved, &(Small){1, 2});
    CnSnapshot snapshot = save(world);
    assert_refused(other, &snapshot, CN_ERROR_MISMATCH, "Thing.n is i32[1] in the data");
    cn_snapshot_free(&snapshot);
}

static void columns_by_fields_load_into_structs_and_back(void **state)
{
    (void)state;
    CnComponent by_fields = describe(world, "Thing", CN_LAYOUT_FIELDS, NULL, 2, small_fields);
    CnComponent packed = describe(other, "Thing", CN_LAYOUT_PACKED, NULL, 2, small_fields);
    CnEntity e[200];
    for (int i = 0; i < 200; i++)
        e[i] = spawn_value(world, by_fields, &(Small){(float)i, -i});
    uint64_t hash = cn_world_hash(world);
    reload(world, other);
    assert_int_equal(cn_world_hash(other), hash);
    assert_int_equal(((const Small *)cn_get_component(other, e[150], packed))->n, -150);
    reload(other, world);
    assert_int_equal(cn_world_hash(world), hash);
    Small small;
    assert_true(cn_read_component(world, e[199], by_fields, &small));
    assert_int_equal(small.n, -199);
}

static void unknown_components_are_registered(void **state)
{
    (void)state;
    CnEntity e = cn_spawn(world, cn_with(RichPadded, {1, 2, 3}), cn_with_tag(Frozen));
    reload(world, other);
    CnComponentInfo info;
    assert_true(cn_component_info(other, cn_component_find(other, "RichPadded"), &info));
    assert_int_equal(info.layout, CN_LAYOUT_PACKED);
    assert_int_equal(info.field_count, 3);
    uint64_t large;
    assert_true(cn_read_field(other, e, "RichPadded", "large", &large, sizeof large, NULL));
    assert_int_equal(large, 2);
    assert_true(cn_component_find(other, "Frozen").id != 0);
}

static void what_was_registered_from_data_fits_its_c_type(void **state)
{
    (void)state;
    CnEntity e = cn_spawn(world, cn_with(RichAll, {.i = 5}), cn_with(RichParticle, {.kind = 6}),
                          cn_with(RichLabel, {"label", 7}));
    reload(world, other);
    CnError error = {0};
    assert_true(
        cn_component_register(other, &(CnComponentDesc){.type = &cn_type_RichAll}, &error).id != 0);
    assert_int_equal(cn_get(other, e, RichAll)->i, 5);
    assert_int_equal(cn_get(other, e, RichParticle)->kind, 6);
    assert_string_equal(cn_get(other, e, RichLabel)->text, "label");
}

static void unused_components_are_not_saved(void **state)
{
    (void)state;
    cn_register(world, Velocity);
    cn_spawn(world, cn_with(Position, {1, 2, 3}));
    reload(world, other);
    assert_int_equal(cn_component_find(other, "Velocity").id, 0);
}

static void a_bool_is_loaded_as_0_or_1(void **state)
{
    (void)state;
    RichSettings settings = {.seed = 0x12345678, .title = "title"};
    CnEntity e = cn_spawn(world, (CnValue){.type = &cn_type_RichSettings, .data = &settings});
    CnSnapshot snapshot = save(world);
    /* The seed, the title, and then the flag. */
    uint8_t *seed = memmem(snapshot.bytes, snapshot.size, &settings.seed, 4);
    assert_non_null(seed);
    seed[4 + 20] = 0x80;
    reseal(&snapshot);
    load(other, &snapshot);
    uint8_t flag;
    assert_true(cn_read_field(other, e, "RichSettings", "is_hard", &flag, 1, NULL));
    assert_int_equal(flag, 1);
    cn_snapshot_free(&snapshot);
}

/* A world in which Thing is transient or opaque refuses data that contains it. */
static void assert_thing_is_refused(void)
{
    CnSnapshot snapshot = save(world);
    assert_refused(other, &snapshot, CN_ERROR_MISMATCH,
                   "Thing belongs to the running program and is never part of a snapshot");
    cn_snapshot_free(&snapshot);
}

static void a_transient_resource_is_never_overwritten(void **state)
{
    (void)state;
    CnComponent saved = describe(world, "Thing", CN_LAYOUT_PACKED, NULL, 2, small_fields);
    CnType type = {"Thing", sizeof(Small), 4, small_fields, 2, NULL};
    CnComponent here = cn_component_register(
        other, &(CnComponentDesc){.type = &type, .flags = CN_COMPONENT_TRANSIENT}, NULL);
    cn_resource_set_value(world, saved, &(Small){1, 2});
    cn_resource_set_value(other, here, &(Small){3, 4});
    assert_thing_is_refused();
    assert_int_equal(((const Small *)cn_resource_get(other, here))->n, 4);
}

static void an_opaque_resource_is_never_overwritten(void **state)
{
    (void)state;
    CnComponent saved = describe(world, "Thing", CN_LAYOUT_PACKED, NULL, 2, small_fields);
    CnType type = {.name = "Thing", .size = sizeof(Small), .alignment = 4};
    CnComponent here = cn_component_register(other, &(CnComponentDesc){.type = &type}, NULL);
    cn_resource_set_value(world, saved, &(Small){1, 2});
    cn_resource_set_value(other, here, &(Small){3, 4});
    assert_thing_is_refused();
    assert_int_equal(((const Small *)cn_resource_get(other, here))->n, 4);
}

static void a_transient_component_of_an_entity_is_refused(void **state)
{
    (void)state;
    CnComponent saved = describe(world, "Thing", CN_LAYOUT_PACKED, NULL, 2, small_fields);
    CnType type = {.name = "Thing", .size = sizeof(Small), .alignment = 4};
    assert_true(cn_component_register(other, &(CnComponentDesc){.type = &type}, NULL).id);
    spawn_value(world, saved, &(Small){1, 2});
    assert_thing_is_refused();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TWO_WORLDS_TEST(fields_are_matched_by_name),
        TWO_WORLDS_TEST(a_field_that_the_data_lacks_gets_its_default),
        TWO_WORLDS_TEST(a_field_without_a_default_gets_zero),
        TWO_WORLDS_TEST(a_field_that_the_program_lacks_is_ignored),
        TWO_WORLDS_TEST(a_component_may_lose_all_its_fields),
        TWO_WORLDS_TEST(a_tag_may_become_a_component),
        TWO_WORLDS_TEST(a_field_of_another_type_is_refused_by_name),
        TWO_WORLDS_TEST(a_field_of_another_count_is_refused_by_name),
        TWO_WORLDS_TEST(columns_by_fields_load_into_structs_and_back),
        TWO_WORLDS_TEST(unknown_components_are_registered),
        TWO_WORLDS_TEST(what_was_registered_from_data_fits_its_c_type),
        TWO_WORLDS_TEST(unused_components_are_not_saved),
        TWO_WORLDS_TEST(a_bool_is_loaded_as_0_or_1),
        TWO_WORLDS_TEST(a_transient_resource_is_never_overwritten),
        TWO_WORLDS_TEST(an_opaque_resource_is_never_overwritten),
        TWO_WORLDS_TEST(a_transient_component_of_an_entity_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
