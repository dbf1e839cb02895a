/* Described structs as fields of components. */
#include "ecs_fixture.h"

#include <string.h>

CN_STRUCT(Span, (f32, lo), (f32, hi));
CN_STRUCT(Slot, (u16, item), (u8, count), (struct, Span, wear));
CN_COMPONENT(Gun, (struct, Span, spread), (struct, Slot, slots, 3), (entity, owner));
CN_COMPONENT(LongName, (struct, Slot, a_field_name_of_forty_bytes_is_fine_here_));
CN_COMPONENT(TooLongName,
             (struct, Slot, a_field_name_that_has_sixty_bytes_leaves_no_room_for_nested_));
CN_COMPONENT(TooMany, (struct, Slot, slots, 61));

typedef struct Engine {
    float power;
    Span range;
} Engine;
CN_DESCRIBE(Engine, (f32, power), (struct, Span, range));

static const Gun gun = {{1, 2}, {{3, 4, {5, 6}}, {7, 8, {9, 10}}, {11, 12, {13, 14}}}, {15}};

static CnComponentInfo info_of(CnComponent component)
{
    CnComponentInfo info = {0};
    assert_true(cn_component_info(world, component, &info));
    return info;
}

static void fields_of_a_nested_struct_have_dotted_names(void **state)
{
    (void)state;
    CnComponent component = cn_register(world, Gun);
    CnComponentInfo info = info_of(component);
    assert_int_equal(info.field_count, 15);
    const CnField *field = cn_component_field(world, component, "slots.2.wear.hi");
    assert_non_null(field);
    assert_int_equal(field->type, CN_FIELD_F32);
    assert_int_equal(field->offset, offsetof(Gun, slots[2].wear.hi));
    assert_non_null(cn_component_field(world, component, "spread.lo"));
    assert_null(cn_component_field(world, component, "spread"));
}

static void a_struct_that_exists_can_have_nested_ones(void **state)
{
    (void)state;
    CnComponent component = cn_register(world, Engine);
    const CnField *field = cn_component_field(world, component, "range.hi");
    assert_non_null(field);
    assert_int_equal(field->offset, offsetof(Engine, range.hi));
}

static void a_nested_field_is_read_and_written_by_name(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, (CnValue){.type = &cn_type_Gun, .data = &gun});
    uint16_t item = 0;
    assert_true(cn_read_field(world, entity, "Gun", "slots.1.item", &item, sizeof item, NULL));
    assert_int_equal(item, 7);
    item = 70;
    assert_true(cn_write_field(world, entity, "Gun", "slots.1.item", &item, sizeof item, NULL));
    assert_int_equal(cn_get(world, entity, Gun)->slots[1].item, 70);
}

static void nested_structs_can_be_laid_out_by_fields(void **state)
{
    (void)state;
    cn_register(world, Gun, .layout = CN_LAYOUT_FIELDS);
    CnEntity entity = cn_spawn(world, (CnValue){.type = &cn_type_Gun, .data = &gun});
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_writes(Gun)}}, NULL);
    CnChunkView view = {0};
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);) {
        float *lo = cn_field(&view, Gun, slots[2].wear.lo);
        for (uint32_t i = 0; i < view.count; i++)
            lo[i] *= 2;
    }
    Gun read = {0};
    assert_true(cn_read(world, entity, Gun, &read));
    assert_number_equal(read.slots[2].wear.lo, 26);
    assert_number_equal(read.slots[1].wear.hi, 10);
    assert_int_equal(read.owner.id, 15);
}

static void a_nested_field_is_part_of_the_state_hash(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, (CnValue){.type = &cn_type_Gun, .data = &gun});
    uint64_t before = cn_world_hash(world);
    cn_get_mut(world, entity, Gun)->slots[0].wear.hi += 1;
    assert_int_not_equal(cn_world_hash(world), before);
}

static void padding_in_a_nested_struct_is_not_part_of_the_state_hash(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, (CnValue){.type = &cn_type_Gun, .data = &gun});
    uint64_t before = cn_world_hash(world);
    uint8_t *bytes = (uint8_t *)cn_get_mut(world, entity, Gun);
    CN_STATIC_ASSERT(offsetof(Slot, count) + 1 < offsetof(Slot, wear), "Slot has padding");
    bytes[offsetof(Gun, slots[1].count) + 1] ^= 0x55;
    assert_int_equal(cn_world_hash(world), before);
}

static void a_snapshot_brings_nested_fields_back(void **state)
{
    (void)state;
    cn_register(world, Gun);
    CnEntity entity = cn_spawn(world, (CnValue){.type = &cn_type_Gun, .data = &gun});
    CnSnapshot saved = {0};
    assert_true(cn_world_save(world, &saved, NULL));
    uint64_t before = cn_world_hash(world);
    cn_get_mut(world, entity, Gun)->slots[2].item = 1;
    CnError error = {0};
    assert_true(cn_world_load(world, saved.bytes, saved.size, &error));
    assert_int_equal(cn_world_hash(world), before);
    assert_int_equal(cn_get(world, entity, Gun)->slots[2].item, 11);
    cn_snapshot_free(&saved);
}

static void a_struct_can_be_a_component_as_well(void **state)
{
    (void)state;
    CnEntity entity = cn_spawn(world, cn_with(Span, {1, 2}));
    assert_number_equal(cn_get(world, entity, Span)->hi, 2);
}

static CnError refused(const CnType *type)
{
    CnError error = {0};
    assert_int_equal(cn_component_register(world, &(CnComponentDesc){.type = type}, &error).id, 0);
    return error;
}

static void a_dotted_name_that_is_too_long_is_refused(void **state)
{
    (void)state;
    assert_int_not_equal(cn_register(world, LongName).id, 0);
    CnError error = refused(&cn_type_TooLongName);
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "TooLongName"));
}

static void too_many_nested_fields_are_refused(void **state)
{
    (void)state;
    CnError error = refused(&cn_type_TooMany);
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "nested"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(fields_of_a_nested_struct_have_dotted_names),
        WORLD_TEST(a_struct_that_exists_can_have_nested_ones),
        WORLD_TEST(a_nested_field_is_read_and_written_by_name),
        WORLD_TEST(nested_structs_can_be_laid_out_by_fields),
        WORLD_TEST(a_nested_field_is_part_of_the_state_hash),
        WORLD_TEST(padding_in_a_nested_struct_is_not_part_of_the_state_hash),
        WORLD_TEST(a_snapshot_brings_nested_fields_back),
        WORLD_TEST(a_struct_can_be_a_component_as_well),
        WORLD_TEST(a_dotted_name_that_is_too_long_is_refused),
        WORLD_TEST(too_many_nested_fields_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
