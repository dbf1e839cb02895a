/* Hand-written descriptions: types that exist only at run time, and the errors of invalid ones. */
#include "world_internals.h"

#include <stdio.h>
#include <string.h>

static CnField fields[CN_MAX_FIELDS + 1];
static CnType type;
static CnError error;

/* A run-time type with two fields: f32 speed at 0, u32 kind at 4. Tests then make it invalid. */
static void describe_mover(void)
{
    memset(fields, 0, sizeof fields);
    error = (CnError){0};
    fields[0] = (CnField){"speed", CN_FIELD_F32, 1, 0, 4};
    fields[1] = (CnField){"kind", CN_FIELD_U32, 1, 4, 4};
    type = (CnType){.name = "Mover", .size = 8, .alignment = 4, .fields = fields, .field_count = 2};
}

static CnComponent register_type(CnLayout layout)
{
    return cn_component_register(world, &(CnComponentDesc){.type = &type, .layout = layout},
                                 &error);
}

static void assert_refused(CnErrorCode code, const char *reason)
{
    uint32_t before = cn_component_limit(world);
    assert_int_equal(register_type(CN_LAYOUT_PACKED).id, 0);
    assert_int_equal(error.code, code);
    assert_non_null(strstr(error.message, reason));
    assert_int_equal(cn_component_limit(world), before);
}

/* ---- Types that exist only at run time ---- */

static void a_type_may_exist_only_at_run_time(void **state)
{
    (void)state;
    for (int layout = CN_LAYOUT_PACKED; layout <= CN_LAYOUT_FIELDS; layout++) {
        describe_mover();
        char name[32];
        snprintf(name, sizeof name, "Mover%d", layout);
        type.name = name;
        CnComponent mover = register_type((CnLayout)layout);
        struct {
            float speed;
            uint32_t kind;
        } value = {2.5f, 7}, read;
        CnEntity entity = cn_spawn(world, (CnValue){.component = mover, .data = &value});
        assert_true(cn_read_component(world, entity, mover, &read));
        assert_number_equal(read.speed, 2.5f);
        assert_int_equal(read.kind, 7);
    }
}

static void a_c_type_finds_the_component_that_was_registered_by_name(void **state)
{
    (void)state;
    /* Another world has given the C types their numbers. */
    CnWorld *other = cn_world_create(NULL, NULL);
    cn_register(other, Health);
    cn_register(other, Position);
    cn_world_destroy(other);
    CnType by_hand = cn_type_Health;
    by_hand.site = NULL;
    CnComponent health = cn_component_register(world, &(CnComponentDesc){.type = &by_hand}, NULL);
    cn_register(world, Position);
    assert_int_equal(cn_component_of(world, &cn_type_Health).id, health.id);
    CnEntity entity = cn_spawn(world, (CnValue){.component = health, .data = &(Health){3, 4}});
    assert_true(cn_has(world, entity, Health));
    assert_int_equal(cn_get(world, entity, Health)->now, 3);
}

static void fields_may_leave_gaps(void **state)
{
    (void)state;
    describe_mover();
    type.size = 16;
    fields[1].offset = 12;
    assert_int_not_equal(register_type(CN_LAYOUT_FIELDS).id, 0);
}

static void up_to_64_fields_are_described_by_hand(void **state)
{
    (void)state;
    describe_mover();
    char names[CN_MAX_FIELDS][16];
    for (uint32_t i = 0; i < CN_MAX_FIELDS; i++) {
        snprintf(names[i], sizeof names[i], "f%u", i);
        fields[i] = (CnField){names[i], CN_FIELD_U8, 1, i, 1};
    }
    type.size = CN_MAX_FIELDS;
    type.alignment = 1;
    type.field_count = CN_MAX_FIELDS;
    CnComponent id = register_type(CN_LAYOUT_FIELDS);
    assert_int_not_equal(id.id, 0);
    assert_int_equal(cn_component_field(world, id, "f63")->offset, 63);
}

static void a_component_may_have_64_kib(void **state)
{
    (void)state;
    type = (CnType){.name = "Huge", .size = CN_MAX_COMPONENT_BYTES, .alignment = 64};
    CnComponent huge = register_type(CN_LAYOUT_PACKED);
    CnEntity a = cn_entity_create(world), b = cn_entity_create(world);
    assert_true(cn_add_component(world, a, huge));
    assert_true(cn_add_component(world, b, huge));
    uint8_t *bytes = cn_get_component_mut(world, b, huge);
    bytes[CN_MAX_COMPONENT_BYTES - 1] = 9;
    cn_destroy(world, a);
    assert_int_equal(
        ((const uint8_t *)cn_get_component(world, b, huge))[CN_MAX_COMPONENT_BYTES - 1], 9);
}

/* ---- Bad descriptions ---- */

static void a_component_without_a_name_is_refused(void **state)
{
    (void)state;
    describe_mover();
    type.name = "";
    assert_refused(CN_ERROR_FORMAT, "name");
    type.name = NULL;
    assert_refused(CN_ERROR_FORMAT, "name");
}

static void a_name_that_is_too_long_is_refused(void **state)
{
    (void)state;
    describe_mover();
    char name[CN_MAX_NAME_BYTES + 1];
    memset(name, 'n', sizeof name);
    name[CN_MAX_NAME_BYTES] = 0;
    type.name = name;
    assert_refused(CN_ERROR_FORMAT, "name");
    name[CN_MAX_NAME_BYTES - 1] = 0;
    assert_int_not_equal(register_type(CN_LAYOUT_PACKED).id, 0);
}

static void a_name_that_is_not_utf8_is_refused(void **state)
{
    (void)state;
    describe_mover();
    type.name = "M\xff";
    assert_refused(CN_ERROR_FORMAT, "UTF-8");
    type.name = "Größe";
    assert_int_not_equal(register_type(CN_LAYOUT_PACKED).id, 0);
}

static void a_component_that_is_too_large_is_refused(void **state)
{
    (void)state;
    describe_mover();
    type.size = CN_MAX_COMPONENT_BYTES + 4;
    assert_refused(CN_ERROR_LIMIT, "65540 bytes");
}

static void too_many_fields_are_refused(void **state)
{
    (void)state;
    describe_mover();
    type.field_count = CN_MAX_FIELDS + 1;
    assert_refused(CN_ERROR_LIMIT, "241 fields");
}

static void an_alignment_that_is_no_power_of_two_or_over_64_is_refused(void **state)
{
    (void)state;
    describe_mover();
    type.alignment = 3;
    assert_refused(CN_ERROR_FORMAT, "alignment of 3");
    type.alignment = 128;
    assert_refused(CN_ERROR_FORMAT, "alignment of 128");
}

static void a_size_that_breaks_the_alignment_of_rows_is_refused(void **state)
{
    (void)state;
    describe_mover();
    type.size = 10;
    assert_refused(CN_ERROR_FORMAT, "multiple");
}

static void a_field_outside_the_struct_is_refused_by_name(void **state)
{
    (void)state;
    describe_mover();
    fields[1].offset = 8;
    assert_refused(CN_ERROR_FORMAT, "field kind");
    fields[1].offset = UINT32_MAX;
    assert_refused(CN_ERROR_FORMAT, "field kind");
}

static void a_field_whose_size_is_not_its_elements_is_refused(void **state)
{
    (void)state;
    describe_mover();
    fields[1].size = 2;
    assert_refused(CN_ERROR_FORMAT, "field kind (type u32, count 1, offset 4, size 2)");
    describe_mover();
    fields[1].count = 0;
    fields[1].size = 0;
    assert_refused(CN_ERROR_FORMAT, "field kind");
    describe_mover();
    fields[1].count = 0x40000001u; /* times four: 4, were it counted in 32 bits */
    assert_refused(CN_ERROR_FORMAT, "field kind");
}

static void a_field_of_no_known_type_is_refused(void **state)
{
    (void)state;
    describe_mover();
    fields[0].type = CN_FIELD_TYPE_COUNT;
    assert_refused(CN_ERROR_FORMAT, "field speed (type unknown");
}

static void fields_that_overlap_are_refused(void **state)
{
    (void)state;
    describe_mover();
    fields[1].offset = 2;
    assert_refused(CN_ERROR_FORMAT, "kind overlaps");
}

static void two_fields_of_one_name_are_refused(void **state)
{
    (void)state;
    describe_mover();
    fields[1].name = "speed";
    assert_refused(CN_ERROR_EXISTS, "two fields named speed");
}

static void a_field_without_a_name_is_refused(void **state)
{
    (void)state;
    describe_mover();
    fields[1].name = NULL;
    assert_refused(CN_ERROR_FORMAT, "Mover");
}

static void fields_that_are_counted_but_not_given_are_refused(void **state)
{
    (void)state;
    describe_mover();
    type.fields = NULL;
    assert_refused(CN_ERROR_FORMAT, "Mover");
}

static void an_opaque_component_cannot_be_laid_out_by_fields(void **state)
{
    (void)state;
    describe_mover();
    type.field_count = 0;
    assert_int_equal(register_type(CN_LAYOUT_FIELDS).id, 0);
    assert_non_null(strstr(error.message, "opaque"));
}

static void another_shape_under_the_same_name_is_refused(void **state)
{
    (void)state;
    describe_mover();
    assert_int_not_equal(register_type(CN_LAYOUT_PACKED).id, 0);
    fields[0].name = "velocity";
    assert_refused(CN_ERROR_MISMATCH, "Mover is registered with a different structure");
    describe_mover();
    fields[1].type = CN_FIELD_I32;
    assert_refused(CN_ERROR_MISMATCH, "a different structure");
    describe_mover();
    type.size = 12;
    assert_refused(CN_ERROR_MISMATCH, "a different structure");
    describe_mover();
    type.field_count = 1;
    assert_refused(CN_ERROR_MISMATCH, "a different structure");
}

static void another_layout_under_the_same_name_is_refused(void **state)
{
    (void)state;
    describe_mover();
    CnComponent mover = register_type(CN_LAYOUT_PACKED);
    assert_int_equal(register_type(CN_LAYOUT_FIELDS).id, 0);
    assert_int_equal(error.code, CN_ERROR_MISMATCH);
    assert_non_null(strstr(error.message, "a different layout"));
    CnComponentInfo info;
    cn_component_info(world, mover, &info);
    assert_int_equal(info.layout, CN_LAYOUT_PACKED);
}

static void a_use_without_options_keeps_the_layout(void **state)
{
    (void)state;
    CnComponent health = cn_register(world, Health, .layout = CN_LAYOUT_FIELDS);
    assert_int_equal(cn_register(world, Health).id, health.id);
    CnComponentInfo info;
    cn_component_info(world, health, &info);
    assert_int_equal(info.layout, CN_LAYOUT_FIELDS);
}

static void the_layout_of_a_tag_does_not_matter(void **state)
{
    (void)state;
    CnComponent frozen = cn_register(world, Frozen, .layout = CN_LAYOUT_FIELDS);
    assert_int_not_equal(frozen.id, 0);
    assert_int_equal(cn_register(world, Frozen, .layout = CN_LAYOUT_FIELDS).id, frozen.id);
    assert_int_equal(cn_register(world, Frozen).id, frozen.id);
}

static void the_node_of_the_tree_is_always_packed(void **state)
{
    (void)state;
    CnComponentDesc desc = {.type = &cn_type_CnNode, .layout = CN_LAYOUT_FIELDS};
    assert_int_equal(cn_component_register(world, &desc, &error).id, 0);
    assert_non_null(strstr(error.message, "CnNode is always packed"));
    assert_true(cn_set_parent(world, cn_entity_create(world), cn_entity_create(world)));
}

/* ---- Layouts ---- */

static void a_packed_component_is_one_column_of_structs(void **state)
{
    (void)state;
    CnEntity a = cn_spawn(world, cn_with(Health, {1, 2}));
    CnEntity b = cn_spawn(world, cn_with(Health, {3, 4}));
    assert_ptr_equal(cn_get(world, a, Health) + 1, cn_get(world, b, Health));
}

static void a_component_by_fields_is_one_column_per_field(void **state)
{
    (void)state;
    CnComponent health = cn_register(world, Health, .layout = CN_LAYOUT_FIELDS);
    CnEntity a = cn_spawn(world, cn_with(Health, {1, 2}));
    CnEntity b = cn_spawn(world, cn_with(Health, {3, 4}));
    for (uint32_t f = 0; f < 2; f++) {
        const CnField *field = &cn_type_Health.fields[f];
        const int32_t *first = cn_get_field(world, a, health, field);
        assert_int_equal(first[0], 1 + f);
        assert_int_equal(first[1], 3 + f);
        assert_ptr_equal(first + 1, cn_get_field(world, b, health, field));
        assert_int_equal((uintptr_t)first % 64, 0);
    }
}

static void a_field_is_reached_in_either_layout(void **state)
{
    (void)state;
    CnComponent health = cn_register(world, Health);
    CnComponent mass = cn_register(world, Mass, .layout = CN_LAYOUT_FIELDS);
    CnEntity entity = cn_spawn(world, cn_with(Health, {1, 2}), cn_with(Mass, {80}));
    const CnField *most = cn_component_field(world, health, "most");
    const CnField *kilograms = cn_component_field(world, mass, "kilograms");
    *(int32_t *)cn_get_field_mut(world, entity, health, most) = 20;
    *(double *)cn_get_field_mut(world, entity, mass, kilograms) = 90;
    assert_int_equal(cn_get(world, entity, Health)->most, 20);
    assert_number_equal(*(const double *)cn_get_field(world, entity, mass, kilograms), 90);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_type_may_exist_only_at_run_time),
        WORLD_TEST(a_c_type_finds_the_component_that_was_registered_by_name),
        WORLD_TEST(fields_may_leave_gaps),
        WORLD_TEST(up_to_64_fields_are_described_by_hand),
        WORLD_TEST(a_component_may_have_64_kib),
        WORLD_TEST(a_component_without_a_name_is_refused),
        WORLD_TEST(a_name_that_is_too_long_is_refused),
        WORLD_TEST(a_name_that_is_not_utf8_is_refused),
        WORLD_TEST(a_component_that_is_too_large_is_refused),
        WORLD_TEST(too_many_fields_are_refused),
        WORLD_TEST(an_alignment_that_is_no_power_of_two_or_over_64_is_refused),
        WORLD_TEST(a_size_that_breaks_the_alignment_of_rows_is_refused),
        WORLD_TEST(a_field_outside_the_struct_is_refused_by_name),
        WORLD_TEST(a_field_whose_size_is_not_its_elements_is_refused),
        WORLD_TEST(a_field_of_no_known_type_is_refused),
        WORLD_TEST(fields_that_overlap_are_refused),
        WORLD_TEST(two_fields_of_one_name_are_refused),
        WORLD_TEST(a_field_without_a_name_is_refused),
        WORLD_TEST(fields_that_are_counted_but_not_given_are_refused),
        WORLD_TEST(an_opaque_component_cannot_be_laid_out_by_fields),
        WORLD_TEST(another_shape_under_the_same_name_is_refused),
        WORLD_TEST(another_layout_under_the_same_name_is_refused),
        WORLD_TEST(a_use_without_options_keeps_the_layout),
        WORLD_TEST(the_layout_of_a_tag_does_not_matter),
        WORLD_TEST(the_node_of_the_tree_is_always_packed),
        WORLD_TEST(a_packed_component_is_one_column_of_structs),
        WORLD_TEST(a_component_by_fields_is_one_column_per_field),
        WORLD_TEST(a_field_is_reached_in_either_layout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
