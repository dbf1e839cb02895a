#include "ecs_fixture.h"

#include <string.h>

CN_COMPONENT(EveryType, (f32, a), (f64, b), (i8, c), (i16, d), (i32, e), (i64, f), (u8, g),
             (u16, h), (u32, i), (u64, j), (bool, k), (entity, l), (vec2, m), (vec3, n), (vec4, o),
             (quat, p), (mat4, q), (text, r, 24));
CN_COMPONENT(Bag, (u16, items, 36), (vec3, places, 4), (text, label, 32));

/* As many fields as the macro takes. */
CN_COMPONENT(Wide, (u8, f1), (u8, f2), (u8, f3), (u8, f4), (u8, f5), (u8, f6), (u8, f7), (u8, f8),
             (u8, f9), (u8, f10), (u8, f11), (u8, f12), (u8, f13), (u8, f14), (u8, f15), (u8, f16),
             (u8, f17), (u8, f18), (u8, f19), (u8, f20), (u8, f21), (u8, f22), (u8, f23), (u8, f24),
             (u8, f25), (u8, f26), (u8, f27), (u8, f28), (u8, f29), (u8, f30), (u8, f31),
             (u8, f32));

/* As it would come from another library. */
typedef struct Sphere {
    float center[3];
    float radius;
    uint32_t user_bits;
} Sphere;
CN_DESCRIBE(Sphere, (f32, center, 3), (f32, radius));

typedef struct Socket {
    int descriptor;
    char buffer[60];
} Socket;
CN_OPAQUE(Socket);

static CnComponentInfo info_of(CnComponent component)
{
    CnComponentInfo info;
    assert_true(cn_component_info(world, component, &info));
    return info;
}

/* ---- Registration ---- */

static void components_are_numbered_from_one_in_order_of_registration(void **state)
{
    (void)state;
    assert_int_equal(cn_register(world, Position).id, 1);
    assert_int_equal(cn_register(world, Frozen).id, 2);
    assert_int_equal(cn_register(world, Velocity).id, 3);
    assert_int_equal(cn_component_limit(world), 3);
}

static void registering_twice_gives_the_same_component(void **state)
{
    (void)state;
    CnComponent first = cn_register(world, Position);
    cn_register(world, Velocity);
    assert_int_equal(cn_register(world, Position).id, first.id);
    assert_int_equal(cn_id(world, Position).id, first.id);
    assert_int_equal(cn_component_limit(world), 2);
}

static void the_first_use_registers(void **state)
{
    (void)state;
    assert_int_equal(cn_component_of(world, &cn_type_Position).id, 0);
    cn_spawn(world, cn_with(Position, {0}));
    assert_int_equal(cn_component_of(world, &cn_type_Position).id, 1);
}

static void asking_whether_an_entity_has_a_type_does_not_register_it(void **state)
{
    (void)state;
    CnEntity entity = cn_entity_create(world);
    assert_false(cn_has(world, entity, Position));
    assert_null(cn_get(world, entity, Position));
    assert_true(cn_remove(world, entity, Position));
    assert_int_equal(cn_component_limit(world), 0);
}

static void each_world_numbers_its_own_components(void **state)
{
    (void)state;
    CnWorld *other = cn_world_create(NULL, NULL);
    cn_register(world, Position);
    cn_register(world, Velocity);
    assert_int_equal(cn_register(other, Velocity).id, 1);
    assert_int_equal(cn_component_of(other, &cn_type_Position).id, 0);
    assert_int_equal(cn_register(other, Position).id, 2);
    assert_int_equal(cn_id(world, Position).id, 1);
    cn_world_destroy(other);
}

static void a_component_is_found_by_its_name(void **state)
{
    (void)state;
    CnComponent position = cn_register(world, Position);
    assert_int_equal(cn_component_find(world, "Position").id, position.id);
    assert_int_equal(cn_component_find(world, "position").id, 0);
    assert_int_equal(cn_component_find(world, "x").id, 0);
    assert_int_equal(cn_component_find(world, "").id, 0);
}

static void a_tag_has_no_fields_and_no_size(void **state)
{
    (void)state;
    CnComponentInfo info = info_of(cn_register(world, Frozen));
    assert_string_equal(info.name, "Frozen");
    assert_int_equal(info.size, 0);
    assert_int_equal(info.field_count, 0);
}

static void a_tag_is_had_but_has_no_value(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with_tag(Frozen));
    assert_true(cn_has(world, entity, Frozen));
    assert_null(cn_get_component(world, entity, cn_id(world, Frozen)));
}

/* ---- Fields ---- */

static void all_field_types_have_a_name_and_the_size_of_their_c_type(void **state)
{
    (void)state;
    const struct {
        CnFieldType type;
        const char *name;
        size_t size;
    } rows[] = {
        {CN_FIELD_F32, "f32", sizeof(float)},
        {CN_FIELD_F64, "f64", sizeof(double)},
        {CN_FIELD_I8, "i8", 1},
        {CN_FIELD_I16, "i16", 2},
        {CN_FIELD_I32, "i32", 4},
        {CN_FIELD_I64, "i64", 8},
        {CN_FIELD_U8, "u8", 1},
        {CN_FIELD_U16, "u16", 2},
        {CN_FIELD_U32, "u32", 4},
        {CN_FIELD_U64, "u64", 8},
        {CN_FIELD_BOOL, "bool", sizeof(bool)},
        {CN_FIELD_ENTITY, "entity", sizeof(CnEntity)},
        {CN_FIELD_VEC2, "vec2", sizeof(CnVec2)},
        {CN_FIELD_VEC3, "vec3", sizeof(CnVec3)},
        {CN_FIELD_VEC4, "vec4", sizeof(CnVec4)},
        {CN_FIELD_QUAT, "quat", sizeof(CnQuat)},
        {CN_FIELD_MAT4, "mat4", sizeof(CnMat4)},
        {CN_FIELD_TEXT, "text", 1},
    };
    assert_int_equal(CN_COUNT_OF(rows), CN_FIELD_TYPE_COUNT);
    for (size_t i = 0; i < CN_COUNT_OF(rows); i++) {
        assert_string_equal(cn_field_type_name(rows[i].type), rows[i].name);
        assert_int_equal(cn_field_type_size(rows[i].type), rows[i].size);
    }
    assert_int_equal(cn_field_type_size(CN_FIELD_TYPE_COUNT), 0);
}

static void a_component_may_have_fields_of_every_type(void **state)
{
    (void)state;
    CnComponentInfo info = info_of(cn_register(world, EveryType));
    assert_int_equal(info.field_count, CN_FIELD_TYPE_COUNT);
    for (uint32_t i = 0; i < info.field_count; i++) {
        assert_int_equal(info.fields[i].type, i);
        assert_int_equal(info.fields[i].size,
                         info.fields[i].count * cn_field_type_size((CnFieldType)i));
    }
}

static void values_of_every_type_survive_both_layouts(void **state)
{
    (void)state;
    EveryType value = {.a = 1.5f, .b = 2.25, .c = -3, .d = -400, .e = -50000, .f = -6000000000ll};
    value.g = 7, value.h = 800, value.i = 90000, value.j = 10000000000ull, value.k = true;
    value.l = cn_entity_create(world);
    value.m = (CnVec2){1, 2}, value.n = (CnVec3){3, 4, 5}, value.o = (CnVec4){6, 7, 8, 9};
    value.p = (CnQuat){0, 0, 0, 1}, value.q.m[15] = 16;
    memcpy(value.r, "stone", 6);
    for (int layout = CN_LAYOUT_PACKED; layout <= CN_LAYOUT_FIELDS; layout++) {
        CnWorld *other = cn_world_create(NULL, NULL);
        cn_register(other, EveryType, .layout = (CnLayout)layout);
        CnEntity entity = cn_entity_create(other);
        cn_set_component(other, entity, cn_id(other, EveryType), &value);
        EveryType read;
        assert_true(cn_read(other, entity, EveryType, &read));
        for (uint32_t i = 0; i < cn_type_EveryType.field_count; i++) {
            const CnField *field = &cn_type_EveryType.fields[i];
            assert_memory_equal((char *)&read + field->offset, (char *)&value + field->offset,
                                field->size);
        }
        cn_world_destroy(other);
    }
}

static void a_field_knows_its_name_type_count_offset_and_size(void **state)
{
    (void)state;
    CnComponent bag = cn_register(world, Bag);
    const CnField *items = cn_component_field(world, bag, "items");
    assert_string_equal(items->name, "items");
    assert_int_equal(items->type, CN_FIELD_U16);
    assert_int_equal(items->count, 36);
    assert_int_equal(items->offset, offsetof(Bag, items));
    assert_int_equal(items->size, 72);
    const CnField *label = cn_component_field(world, bag, "label");
    assert_int_equal(label->type, CN_FIELD_TEXT);
    assert_int_equal(label->count, 32);
    assert_int_equal(label->size, 32);
    assert_null(cn_component_field(world, bag, "colour"));
}

static void the_order_of_fields_is_that_of_the_declaration(void **state)
{
    (void)state;
    CnComponentInfo info = info_of(cn_register(world, Position));
    assert_int_equal(info.field_count, 3);
    assert_string_equal(info.fields[0].name, "x");
    assert_string_equal(info.fields[1].name, "y");
    assert_string_equal(info.fields[2].name, "z");
}

static void the_macro_takes_32_fields(void **state)
{
    (void)state;
    CnComponentInfo info = info_of(cn_register(world, Wide));
    assert_int_equal(info.field_count, 32);
    assert_string_equal(info.fields[31].name, "f32");
    assert_int_equal(info.size, 32);
}

static void the_macro_makes_an_ordinary_struct(void **state)
{
    (void)state;
    Bag bag = {.items = {1, 2}, .places = {{1, 2, 3}}, .label = "tools"};
    assert_int_equal(sizeof bag.items, 72);
    assert_int_equal(cn_type_Bag.size, sizeof(Bag));
    assert_int_equal(cn_type_Bag.alignment, _Alignof(Bag));
}

static void values_are_typed_by_their_component(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Position, {0}));
    assert_true(_Generic(cn_get(world, entity, Position), const Position * : true, default : false));
    assert_true(_Generic(cn_get_mut(world, entity, Position), Position * : true, default : false));
    assert_true(_Generic(cn_get(world, entity, Velocity), const Position * : false, default : true));
}

static void an_existing_struct_is_described_in_part_or_whole(void **state)
{
    (void)state;
    CnComponentInfo info = info_of(cn_register(world, Sphere));
    assert_int_equal(info.size, sizeof(Sphere));
    assert_int_equal(info.field_count, 2);
    CnEntity entity = cn_spawn(world, cn_with(Sphere, {{1, 2, 3}, 4, 5}));
    assert_number_equal(cn_get(world, entity, Sphere)->center[2], 3);
    assert_int_equal(cn_get(world, entity, Sphere)->user_bits, 5);
}

static void an_opaque_component_has_a_size_and_no_fields_and_is_transient(void **state)
{
    (void)state;
    CnComponentInfo info = info_of(cn_register(world, Socket));
    assert_int_equal(info.size, sizeof(Socket));
    assert_int_equal(info.field_count, 0);
    assert_int_equal(info.flags & CN_COMPONENT_TRANSIENT, CN_COMPONENT_TRANSIENT);
    CnEntity entity = cn_spawn(world, cn_with(Socket, {.descriptor = 7}));
    assert_int_equal(cn_get(world, entity, Socket)->descriptor, 7);
}

/* ---- What is registered can be read ---- */

static void the_description_is_readable_at_run_time(void **state)
{
    (void)state;
    Health full = {100, 100};
    CnComponent health = cn_register(world, Health, .default_value = &full,
                                     .layout = CN_LAYOUT_FIELDS, .flags = CN_COMPONENT_TRANSIENT);
    full.now = 0; /* it was copied */
    CnComponentInfo info = info_of(health);
    assert_string_equal(info.name, "Health");
    assert_int_equal(info.size, sizeof(Health));
    assert_int_equal(info.alignment, _Alignof(Health));
    assert_int_equal(info.layout, CN_LAYOUT_FIELDS);
    assert_int_equal(info.flags, CN_COMPONENT_TRANSIENT);
    assert_int_equal(((const Health *)info.default_value)->now, 100);
    assert_int_equal(info.pair_kind.id, 0);
}

static void an_unknown_component_has_no_description(void **state)
{
    (void)state;
    CnComponentInfo info;
    assert_false(cn_component_info(world, (CnComponent){0}, &info));
    assert_false(cn_component_info(world, (CnComponent){99}, &info));
    assert_null(cn_component_field(world, (CnComponent){99}, "x"));
}

static void all_components_are_listed_up_to_the_limit(void **state)
{
    (void)state;
    cn_register(world, Position);
    cn_register(world, Velocity);
    CnComponentInfo info;
    uint32_t found = 0;
    for (uint32_t id = 1; id <= cn_component_limit(world); id++)
        found += cn_component_info(world, (CnComponent){id}, &info);
    assert_int_equal(found, 2);
    assert_int_equal(cn_world_stats(world).components, 2);
}

static void the_description_outlives_what_it_was_made_from(void **state)
{
    (void)state;
    char name[] = "Temperature", field_name[] = "kelvin";
    CnField field = {field_name, CN_FIELD_F32, 1, 0, 4};
    CnType type = {.name = name, .size = 4, .alignment = 4, .fields = &field, .field_count = 1};
    CnComponent id = cn_component_register(world, &(CnComponentDesc){.type = &type}, NULL);
    memset(name, 'x', 4);
    memset(field_name, 'x', 4);
    memset(&field, 0, sizeof field);
    assert_string_equal(info_of(id).name, "Temperature");
    assert_string_equal(info_of(id).fields[0].name, "kelvin");
    assert_int_equal(cn_component_find(world, "Temperature").id, id.id);
}

/* ---- Defaults ---- */

static void the_default_value_is_zeros(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with_default(Health));
    assert_int_equal(cn_get(world, entity, Health)->most, 0);
    assert_null(info_of(cn_id(world, Health)).default_value);
}

static void a_registered_default_is_given_by_spawn_and_add(void **state)
{
    (void)state;
    cn_register(world, Health, .default_value = &(Health){80, 100});
    CnEntity spawned = cn_spawn(world, cn_with_default(Health)), added = cn_entity_create(world);
    cn_add(world, added, Health);
    assert_int_equal(cn_get(world, spawned, Health)->now, 80);
    assert_int_equal(cn_get(world, added, Health)->now, 80);
}

static void a_default_fills_the_fields_of_a_field_layout(void **state)
{
    (void)state;
    cn_register(world, Health, .layout = CN_LAYOUT_FIELDS, .default_value = &(Health){80, 100});
    CnEntity entity = cn_spawn(world, cn_with_default(Health));
    Health health;
    assert_true(cn_read(world, entity, Health, &health));
    assert_int_equal(health.now, 80);
    assert_int_equal(health.most, 100);
}

static void a_default_given_again_replaces_the_old_one(void **state)
{
    (void)state;
    cn_register(world, Health, .default_value = &(Health){1, 1});
    cn_register(world, Health, .default_value = &(Health){2, 2});
    assert_int_equal(cn_get(world, cn_spawn(world, cn_with_default(Health)), Health)->now, 2);
    cn_register(world, Health);
    assert_int_equal(cn_get(world, cn_spawn(world, cn_with_default(Health)), Health)->now, 2);
}

static void a_type_that_was_only_requested_can_be_described_later(void **state)
{
    (void)state;
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(Velocity)}}, NULL);
    CnComponent id = cn_register(world, Velocity, .layout = CN_LAYOUT_FIELDS);
    assert_int_equal(id.id, cn_id(world, Velocity).id);
    cn_spawn(world, cn_with(Velocity, {1, 2, 3}));
    CnChunkView view = {0};
    CnQueryIter it = cn_query_iter(query);
    assert_true(cn_query_next(&it, &view));
    assert_number_equal(cn_field_const(&view, Velocity, y)[0], 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_type_that_was_only_requested_can_be_described_later),
        WORLD_TEST(components_are_numbered_from_one_in_order_of_registration),
        WORLD_TEST(registering_twice_gives_the_same_component),
        WORLD_TEST(the_first_use_registers),
        WORLD_TEST(asking_whether_an_entity_has_a_type_does_not_register_it),
        WORLD_TEST(each_world_numbers_its_own_components),
        WORLD_TEST(a_component_is_found_by_its_name),
        WORLD_TEST(a_tag_has_no_fields_and_no_size),
        WORLD_TEST(a_tag_is_had_but_has_no_value),
        WORLD_TEST(all_field_types_have_a_name_and_the_size_of_their_c_type),
        WORLD_TEST(a_component_may_have_fields_of_every_type),
        WORLD_TEST(values_of_every_type_survive_both_layouts),
        WORLD_TEST(a_field_knows_its_name_type_count_offset_and_size),
        WORLD_TEST(the_order_of_fields_is_that_of_the_declaration),
        WORLD_TEST(the_macro_takes_32_fields),
        WORLD_TEST(the_macro_makes_an_ordinary_struct),
        WORLD_TEST(values_are_typed_by_their_component),
        WORLD_TEST(an_existing_struct_is_described_in_part_or_whole),
        WORLD_TEST(an_opaque_component_has_a_size_and_no_fields_and_is_transient),
        WORLD_TEST(the_description_is_readable_at_run_time),
        WORLD_TEST(an_unknown_component_has_no_description),
        WORLD_TEST(all_components_are_listed_up_to_the_limit),
        WORLD_TEST(the_description_outlives_what_it_was_made_from),
        WORLD_TEST(the_default_value_is_zeros),
        WORLD_TEST(a_registered_default_is_given_by_spawn_and_add),
        WORLD_TEST(a_default_fills_the_fields_of_a_field_layout),
        WORLD_TEST(a_default_given_again_replaces_the_old_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
