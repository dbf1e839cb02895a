/* How components appear in files, scripts and editors. */
#include "cmocka_tests.h"
#include <cairn/ecs.h>
#include <cairn/scene/object.h>
#include <cairn/scene/reflection.h>

#include <math.h>
#include <string.h>

CN_COMPONENT(Every, (f32, a), (f64, b), (i8, c), (i16, d), (i32, e), (i64, f), (u8, g), (u16, h),
             (u32, i), (u64, j), (bool, k), (entity, l), (vec3, n), (quat, p), (text, r, 8),
             (u16, list, 4), (vec2, corners, 2));
CN_COMPONENT(Lamp, (u8, kind), (f32, power), (f32, cone), (u32, secret));
CN_COMPONENT(Other, (f32, x));
CN_TAG(Marked);
typedef struct Hidden {
    int inside;
} Hidden;
CN_OPAQUE(Hidden);

static const char *const lamp_kinds[] = {"Bulb", "Spot", NULL};
static const CnReflectedField lamp_fields[] = {
    {.key = "lampType", .field = "kind", .kind = CN_REFLECTED_CHOICE, .choices = lamp_kinds},
    {.key = "watts", .alias = "power", .field = "power", .minimum = 1, .maximum = 100},
    {.key = "angle", .field = "cone", .of_choice = "lampType", .of_value = 1},
    {.key = "secret", .field = "secret", .kind = CN_REFLECTED_HIDDEN},
};

static bool lamp_check(const void *value, CnError *error)
{
    const Lamp *lamp = value;
    return lamp->power * lamp->cone < 1000 || cn_error_set(error, CN_ERROR_MISMATCH, "too hot");
}

static const CnReflectedType lamp_shown = {.name = "LampComponent",
                                           .alias = "OldLampComponent",
                                           .type = &cn_type_Lamp,
                                           .fields = lamp_fields,
                                           .field_count = CN_COUNT_OF(lamp_fields),
                                           .check = lamp_check};

static CnWorld *world;

static int make_world(void **state)
{
    (void)state;
    world = cn_world_create(NULL, NULL);
    return world && cn_register(world, Every).id && cn_reflection_add(world, &lamp_shown, NULL)
               ? 0
               : -1;
}

static int drop_world(void **state)
{
    (void)state;
    cn_world_destroy(world);
    return 0;
}

#define REFLECTION_TEST(name) cmocka_unit_test_setup_teardown(name, make_world, drop_world)

static CnReflectedComponent reflected_named(const char *name)
{
    CnReflectedComponent reflected;
    assert_true(cn_reflection_find(world, cn_text(name), &reflected));
    return reflected;
}

static bool is_reflected(const char *name)
{
    CnReflectedComponent reflected;
    return cn_reflection_find(world, cn_text(name), &reflected);
}

static CnReflectedMember item_named(const char *component, const char *key)
{
    CnReflectedComponent reflected = reflected_named(component);
    CnReflectedMember item;
    assert_true(cn_reflection_find_field(world, &reflected, cn_text(key), &item));
    return item;
}

static bool write_every(Every *every, const char *key, CnReflectedValue value)
{
    CnReflectedMember item = item_named("Every", key);
    return cn_reflection_write(&item, (char *)every + item.field->offset, 0, &value, NULL);
}

static CnReflectedValue read_every(const Every *every, const char *key)
{
    CnReflectedMember item = item_named("Every", key);
    CnReflectedValue value;
    cn_reflection_read(&item, (const char *)every + item.field->offset, 0, &value);
    return value;
}

/* ---- Names ---- */

static void a_component_without_a_table_has_its_own_names(void **state)
{
    (void)state;
    CnReflectedComponent reflected = reflected_named("Every");
    assert_null(reflected.type);
    assert_int_equal(reflected.component.id, cn_id(world, Every).id);
    CnReflectedMember item;
    assert_true(cn_reflection_field(world, &reflected, 12, &item));
    assert_string_equal(item.reflected.key, "n");
    assert_int_equal(item.field->type, CN_FIELD_VEC3);
    assert_false(cn_reflection_field(world, &reflected, 17, &item));
}

static void a_component_with_a_table_has_the_names_of_the_table(void **state)
{
    (void)state;
    assert_ptr_equal(reflected_named("LampComponent").type, &lamp_shown);
    assert_string_equal(item_named("LampComponent", "watts").field->name, "power");
}

static void a_component_with_a_table_is_not_found_by_its_own_name(void **state)
{
    (void)state;
    assert_false(is_reflected("Lamp"));
}

static void a_tag_is_reflected(void **state)
{
    (void)state;
    cn_register(world, Marked);
    CnReflectedComponent reflected = reflected_named("Marked");
    CnReflectedMember item;
    assert_false(cn_reflection_field(world, &reflected, 0, &item));
}

static void opaque_transient_and_engine_components_are_not_reflected(void **state)
{
    (void)state;
    cn_register(world, Hidden);
    cn_register(world, Other, .flags = CN_COMPONENT_TRANSIENT);
    cn_register(world, CnNode);
    cn_register(world, CnObject);
    assert_false(is_reflected("Hidden"));
    assert_false(is_reflected("Other"));
    assert_false(is_reflected("CnNode"));
    assert_false(is_reflected("CnObject"));
}

static void a_pair_is_not_reflected(void **state)
{
    (void)state;
    CnComponent pair = cn_pair(world, cn_id(world, Marked), cn_entity_create(world));
    CnReflectedComponent reflected;
    assert_false(cn_reflection_of(world, pair, &reflected));
}

static void what_is_hidden_is_not_reflected(void **state)
{
    (void)state;
    assert_true(cn_reflection_hide(world, &cn_type_Every, NULL));
    assert_true(cn_reflection_hide(world, &cn_type_Every, NULL));
    assert_false(is_reflected("Every"));
}

static void a_name_of_no_component_is_not_found(void **state)
{
    (void)state;
    char longest[200];
    memset(longest, 'x', sizeof longest);
    CnReflectedComponent reflected;
    assert_false(is_reflected(""));
    assert_false(is_reflected("Everyone"));
    assert_false(cn_reflection_find(world, (CnText){longest, sizeof longest}, &reflected));
}

static void the_list_is_in_order_of_names(void **state)
{
    (void)state;
    cn_register(world, Other);
    cn_register(world, Marked);
    CnReflectedComponent list[8];
    assert_int_equal(cn_reflection_list(world, list, 8), 4);
    assert_string_equal(list[0].name, "Every");
    assert_string_equal(list[1].name, "LampComponent");
    assert_string_equal(list[2].name, "Marked");
    assert_string_equal(list[3].name, "Other");
}

static void a_short_list_has_the_first_names(void **state)
{
    (void)state;
    cn_register(world, Other);
    cn_component_register(
        world, &(CnComponentDesc){.type = &(CnType){.name = "Aaa", .alignment = 1}}, NULL);
    CnReflectedComponent list[2];
    assert_int_equal(cn_reflection_list(world, list, 2), 4);
    assert_string_equal(list[0].name, "Aaa");
    assert_string_equal(list[1].name, "Every");
    assert_int_equal(cn_reflection_list(world, NULL, 0), 4);
}

/* ---- Tables ---- */

static void showing_the_same_table_again_is_fine(void **state)
{
    (void)state;
    assert_true(cn_reflection_add(world, &lamp_shown, NULL));
}

static void a_taken_name_is_an_error(void **state)
{
    (void)state;
    CnError error = {0};
    assert_false(cn_reflection_add(
        world, &(CnReflectedType){.name = "LampComponent", .type = &cn_type_Other}, &error));
    assert_int_equal(error.code, CN_ERROR_EXISTS);
    assert_false(cn_reflection_add(
        world, &(CnReflectedType){.name = "Every", .type = &cn_type_Other}, &error));
}

static void a_second_table_of_a_component_is_an_error(void **state)
{
    (void)state;
    assert_false(cn_reflection_add(
        world, &(CnReflectedType){.name = "Lantern", .type = &cn_type_Lamp}, NULL));
}

static void a_field_that_does_not_exist_is_an_error(void **state)
{
    (void)state;
    static const CnReflectedField fields[] = {{.key = "y", .field = "y"}};
    CnError error = {0};
    assert_false(cn_reflection_add(
        world,
        &(CnReflectedType){
            .name = "OtherComponent", .type = &cn_type_Other, .fields = fields, .field_count = 1},
        &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
    assert_non_null(strstr(error.message, "Other.y"));
}

static void an_opaque_component_cannot_be_reflected(void **state)
{
    (void)state;
    assert_false(
        cn_reflection_add(world, &(CnReflectedType){.name = "H", .type = &cn_type_Hidden}, NULL));
}

static void tables_survive_loading_a_world(void **state)
{
    (void)state;
    CnSnapshot saved = {0};
    assert_true(cn_world_save(world, &saved, NULL));
    assert_true(cn_world_load(world, saved.bytes, saved.size, NULL));
    cn_snapshot_free(&saved);
    assert_ptr_equal(reflected_named("LampComponent").type, &lamp_shown);
}

/* ---- Choices and checks ---- */

static void a_choice_is_a_text(void **state)
{
    (void)state;
    CnReflectedMember item = item_named("LampComponent", "lampType");
    Lamp lamp = {0};
    CnReflectedValue value = cn_reflected_text(cn_text("Spot"));
    assert_true(cn_reflection_write(&item, &lamp.kind, 0, &value, NULL));
    assert_int_equal(lamp.kind, 1);
    cn_reflection_read(&item, &lamp.kind, 0, &value);
    assert_int_equal(value.form, CN_REFLECTED_TEXT);
    assert_true(cn_text_equal(value.text, cn_text("Spot")));
}

static void an_unknown_choice_is_refused_with_those_there_are(void **state)
{
    (void)state;
    CnReflectedMember item = item_named("LampComponent", "lampType");
    Lamp lamp = {.kind = 1};
    CnReflectedValue value = cn_reflected_text(cn_text("Torch"));
    CnError error = {0};
    assert_false(cn_reflection_write(&item, &lamp.kind, 0, &value, &error));
    assert_non_null(strstr(error.message, "Bulb, Spot"));
    assert_int_equal(lamp.kind, 1);
}

static void a_field_may_belong_to_one_choice(void **state)
{
    (void)state;
    CnReflectedComponent reflected = reflected_named("LampComponent");
    CnReflectedMember angle = item_named("LampComponent", "angle");
    CnReflectedMember watts = item_named("LampComponent", "watts");
    assert_true(cn_reflection_field_applies(world, &reflected, &angle, &(Lamp){.kind = 1}));
    assert_false(cn_reflection_field_applies(world, &reflected, &angle, &(Lamp){.kind = 0}));
    assert_true(cn_reflection_field_applies(world, &reflected, &watts, &(Lamp){.kind = 0}));
}

static void a_hidden_field_is_not_found_by_key(void **state)
{
    (void)state;
    CnReflectedComponent reflected = reflected_named("LampComponent");
    CnReflectedMember item;
    assert_false(cn_reflection_find_field(world, &reflected, cn_text("secret"), &item));
}

static void limits_of_the_table_are_kept(void **state)
{
    (void)state;
    CnReflectedMember item = item_named("LampComponent", "watts");
    Lamp lamp = {.power = 7};
    CnReflectedValue value = cn_reflected_number(100.5);
    assert_false(cn_reflection_write(&item, &lamp.power, 0, &value, NULL));
    value = cn_reflected_number(NAN);
    assert_false(cn_reflection_write(&item, &lamp.power, 0, &value, NULL));
    assert_true(lamp.power == 7);
    value = cn_reflected_integer(100);
    assert_true(cn_reflection_write(&item, &lamp.power, 0, &value, NULL));
    assert_true(lamp.power == 100);
}

static void the_check_of_the_type_is_called(void **state)
{
    (void)state;
    CnReflectedComponent reflected = reflected_named("LampComponent");
    assert_true(cn_reflection_check(&reflected, &(Lamp){.power = 10, .cone = 10}, NULL));
    assert_false(cn_reflection_check(&reflected, &(Lamp){.power = 100, .cone = 100}, NULL));
}

/* ---- Values ---- */

static void numbers_go_in_and_out(void **state)
{
    (void)state;
    Every every = {0};
    assert_true(write_every(&every, "a", cn_reflected_number(1.5)));
    assert_true(write_every(&every, "b", cn_reflected_number(1e300)));
    assert_true(read_every(&every, "a").numbers[0] == 1.5);
    assert_true(read_every(&every, "b").numbers[0] == 1e300);
}

static void a_number_beyond_its_type_is_refused(void **state)
{
    (void)state;
    Every every = {0};
    assert_false(write_every(&every, "a", cn_reflected_number(1e39)));
    assert_false(write_every(&every, "b", cn_reflected_number(INFINITY)));
}

static void whole_numbers_keep_to_their_type(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        int64_t least, most;
    } types[] = {{"c", INT8_MIN, INT8_MAX},   {"d", INT16_MIN, INT16_MAX},
                 {"e", INT32_MIN, INT32_MAX}, {"g", 0, UINT8_MAX},
                 {"h", 0, UINT16_MAX},        {"i", 0, UINT32_MAX}};
    Every every = {0};
    for (uint32_t i = 0; i < CN_COUNT_OF(types); i++) {
        assert_true(write_every(&every, types[i].key, cn_reflected_integer(types[i].most)));
        assert_int_equal(read_every(&every, types[i].key).integer, types[i].most);
        assert_true(write_every(&every, types[i].key, cn_reflected_integer(types[i].least)));
        assert_int_equal((int64_t)read_every(&every, types[i].key).integer, types[i].least);
        assert_int_equal(read_every(&every, types[i].key).negative, types[i].least < 0);
        assert_false(write_every(&every, types[i].key, cn_reflected_integer(types[i].most + 1)));
        assert_false(write_every(&every, types[i].key, cn_reflected_integer(types[i].least - 1)));
    }
}

static void whole_numbers_of_64_bits_are_exact(void **state)
{
    (void)state;
    Every every = {0};
    assert_true(write_every(&every, "f", cn_reflected_integer(INT64_MIN)));
    assert_true(every.f == INT64_MIN);
    assert_true(write_every(&every, "f", cn_reflected_integer(INT64_MAX)));
    assert_true(every.f == INT64_MAX);
    CnReflectedValue largest = {.form = CN_REFLECTED_INTEGER, .integer = UINT64_MAX};
    assert_true(write_every(&every, "j", largest));
    assert_true(every.j == UINT64_MAX);
    assert_false(write_every(&every, "f", largest));
    assert_false(write_every(&every, "j", cn_reflected_integer(-1)));
}

static void a_number_without_a_fraction_is_a_whole_one(void **state)
{
    (void)state;
    Every every = {0};
    assert_true(write_every(&every, "e", cn_reflected_number(-3)));
    assert_int_equal(every.e, -3);
    assert_false(write_every(&every, "e", cn_reflected_number(0.5)));
    assert_false(write_every(&every, "e", cn_reflected_number(NAN)));
    assert_false(write_every(&every, "j", cn_reflected_number(0x1p64)));
}

static void a_value_of_the_wrong_form_is_refused(void **state)
{
    (void)state;
    Every every = {0};
    assert_false(write_every(&every, "a", cn_reflected_bool(true)));
    assert_false(write_every(&every, "e", cn_reflected_text(cn_text("1"))));
    assert_false(write_every(&every, "k", cn_reflected_number(1)));
    assert_false(write_every(&every, "n", cn_reflected_number(1)));
    assert_false(write_every(&every, "r", cn_reflected_number(1)));
    assert_false(write_every(&every, "l", cn_reflected_number(1)));
}

static void a_text_that_does_not_fit_is_refused(void **state)
{
    (void)state;
    Every every = {0};
    assert_true(write_every(&every, "r", cn_reflected_text(cn_text("1234567"))));
    assert_false(write_every(&every, "r", cn_reflected_text(cn_text("12345678"))));
    assert_string_equal(every.r, "1234567");
}

static void a_shorter_text_leaves_nothing_of_the_longer(void **state)
{
    (void)state;
    Every every = {0};
    write_every(&every, "r", cn_reflected_text(cn_text("1234567")));
    write_every(&every, "r", cn_reflected_text(cn_text("a")));
    assert_memory_equal(every.r, "a\0\0\0\0\0\0", 8);
}

static void a_text_has_to_be_utf8_without_zeros(void **state)
{
    (void)state;
    Every every = {0};
    assert_false(write_every(&every, "r", cn_reflected_text(cn_text("\xff"))));
    assert_false(write_every(&every, "r", cn_reflected_text((CnText){"a\0b", 3})));
}

static void elements_of_an_array_are_one_by_one(void **state)
{
    (void)state;
    Every every = {.list = {1, 2, 3, 4}, .corners = {{5, 6}, {7, 8}}};
    CnReflectedMember list = item_named("Every", "list"), corners = item_named("Every", "corners");
    assert_int_equal(cn_reflection_shape(&list).elements, 4);
    assert_int_equal(cn_reflection_shape(&list).form, CN_REFLECTED_INTEGER);
    assert_int_equal(cn_reflection_shape(&corners).elements, 2);
    assert_int_equal(cn_reflection_shape(&corners).numbers, 2);
    CnReflectedValue value;
    cn_reflection_read(&list, every.list, 2, &value);
    assert_int_equal(value.integer, 3);
    cn_reflection_read(&corners, every.corners, 1, &value);
    assert_true(value.count == 2 && value.numbers[0] == 7 && value.numbers[1] == 8);
}

/* ---- Angles ---- */

static void a_rotation_is_reflected_as_short_angles(void **state)
{
    (void)state;
    CnVec3 degrees;
    assert_true(
        cn_reflection_euler_angles(cn_quat_from_euler(cn_vec3(12.5f, 90, -45.25f)), &degrees));
    assert_true(degrees.x == 12.5f && degrees.y == 90 && degrees.z == -45.25f);
}

static void euler_angles_give_the_same_rotation_or_say_so(void **state)
{
    (void)state;
    uint32_t exact = 0;
    for (uint32_t i = 0; i < 2000; i++) {
        CnVec3 given = cn_vec3((float)(i * 7 % 179) - 89, (float)(i * 13 % 359) - 179,
                               (float)(i * 29 % 359) - 179);
        CnQuat q = cn_quat_from_euler(given);
        CnVec3 degrees;
        bool said = cn_reflection_euler_angles(q, &degrees);
        CnQuat back = cn_quat_from_euler(degrees);
        assert_int_equal(said, !memcmp(&q, &back, sizeof q));
        exact += said;
    }
    assert_true(exact > 1900);
}

static void what_is_no_rotation_has_no_angles(void **state)
{
    (void)state;
    CnVec3 degrees;
    assert_false(cn_reflection_euler_angles((CnQuat){NAN, 0, 0, 1}, &degrees));
    assert_true(degrees.x == 0 && degrees.y == 0 && degrees.z == 0);
    assert_false(cn_reflection_euler_angles((CnQuat){INFINITY, 0, 0, INFINITY}, &degrees));
    assert_true(isfinite(degrees.x) && isfinite(degrees.y) && isfinite(degrees.z));
}

static void a_field_of_angles_takes_degrees_or_a_quaternion(void **state)
{
    (void)state;
    static const CnField p = {"p", CN_FIELD_QUAT, 1, 0, 16};
    CnReflectedMember item = {{.key = "p", .field = "p", .kind = CN_REFLECTED_EULER}, &p};
    CnQuat q;
    CnReflectedValue value = {.form = CN_REFLECTED_VECTOR, .count = 3, .numbers = {0, 90, 0}};
    assert_true(cn_reflection_write(&item, &q, 0, &value, NULL));
    CnQuat expected = cn_quat_from_euler(cn_vec3(0, 90, 0));
    assert_memory_equal(&q, &expected, sizeof q);
    cn_reflection_read(&item, &q, 0, &value);
    assert_true(value.count == 3 && value.numbers[1] == 90);
    value = (CnReflectedValue){.form = CN_REFLECTED_VECTOR, .count = 4, .numbers = {0, 1, 0, 0}};
    assert_true(cn_reflection_write(&item, &q, 0, &value, NULL));
    assert_true(q.y == 1 && q.w == 0);
    value.count = 2;
    assert_false(cn_reflection_write(&item, &q, 0, &value, NULL));
}

static void an_alias_names_the_component_and_lists_do_not_have_it(void **state)
{
    (void)state;
    assert_string_equal(reflected_named("OldLampComponent").name, "LampComponent");
    CnReflectedComponent list[64];
    uint32_t count = cn_reflection_list(world, list, CN_COUNT_OF(list));
    for (uint32_t i = 0; i < count; i++)
        assert_string_not_equal(list[i].name, "OldLampComponent");
}

static void a_component_of_that_name_takes_precedence_over_an_alias(void **state)
{
    (void)state;
    static const CnField fields[] = {{"x", CN_FIELD_F32, 1, 0, 4}};
    static const CnType type = {"OldLampComponent", 4, 4, fields, 1, NULL};
    CnComponent own = cn_component_register(world, &(CnComponentDesc){.type = &type}, NULL);
    assert_int_equal(reflected_named("OldLampComponent").component.id, own.id);
}

static void an_alias_names_the_field(void **state)
{
    (void)state;
    assert_string_equal(item_named("LampComponent", "power").reflected.key, "watts");
}

static void a_resource_is_neither_in_files_nor_in_lists(void **state)
{
    (void)state;
    static const CnReflectedField fields[] = {{.key = "x", .field = "x"}};
    static const CnReflectedType other = {.name = "Other",
                                          .type = &cn_type_Other,
                                          .fields = fields,
                                          .field_count = 1,
                                          .is_resource = true};
    assert_true(cn_reflection_add(world, &other, NULL));
    assert_false(is_reflected("Other"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        REFLECTION_TEST(an_alias_names_the_component_and_lists_do_not_have_it),
        REFLECTION_TEST(a_component_of_that_name_takes_precedence_over_an_alias),
        REFLECTION_TEST(an_alias_names_the_field),
        REFLECTION_TEST(a_resource_is_neither_in_files_nor_in_lists),
        REFLECTION_TEST(a_component_without_a_table_has_its_own_names),
        REFLECTION_TEST(a_component_with_a_table_has_the_names_of_the_table),
        REFLECTION_TEST(a_component_with_a_table_is_not_found_by_its_own_name),
        REFLECTION_TEST(a_tag_is_reflected),
        REFLECTION_TEST(opaque_transient_and_engine_components_are_not_reflected),
        REFLECTION_TEST(a_pair_is_not_reflected),
        REFLECTION_TEST(what_is_hidden_is_not_reflected),
        REFLECTION_TEST(a_name_of_no_component_is_not_found),
        REFLECTION_TEST(the_list_is_in_order_of_names),
        REFLECTION_TEST(a_short_list_has_the_first_names),
        REFLECTION_TEST(showing_the_same_table_again_is_fine),
        REFLECTION_TEST(a_taken_name_is_an_error),
        REFLECTION_TEST(a_second_table_of_a_component_is_an_error),
        REFLECTION_TEST(a_field_that_does_not_exist_is_an_error),
        REFLECTION_TEST(an_opaque_component_cannot_be_reflected),
        REFLECTION_TEST(tables_survive_loading_a_world),
        REFLECTION_TEST(a_choice_is_a_text),
        REFLECTION_TEST(an_unknown_choice_is_refused_with_those_there_are),
        REFLECTION_TEST(a_field_may_belong_to_one_choice),
        REFLECTION_TEST(a_hidden_field_is_not_found_by_key),
        REFLECTION_TEST(limits_of_the_table_are_kept),
        REFLECTION_TEST(the_check_of_the_type_is_called),
        REFLECTION_TEST(numbers_go_in_and_out),
        REFLECTION_TEST(a_number_beyond_its_type_is_refused),
        REFLECTION_TEST(whole_numbers_keep_to_their_type),
        REFLECTION_TEST(whole_numbers_of_64_bits_are_exact),
        REFLECTION_TEST(a_number_without_a_fraction_is_a_whole_one),
        REFLECTION_TEST(a_value_of_the_wrong_form_is_refused),
        REFLECTION_TEST(a_text_that_does_not_fit_is_refused),
        REFLECTION_TEST(a_shorter_text_leaves_nothing_of_the_longer),
        REFLECTION_TEST(a_text_has_to_be_utf8_without_zeros),
        REFLECTION_TEST(elements_of_an_array_are_one_by_one),
        REFLECTION_TEST(a_rotation_is_reflected_as_short_angles),
        REFLECTION_TEST(euler_angles_give_the_same_rotation_or_say_so),
        REFLECTION_TEST(what_is_no_rotation_has_no_angles),
        REFLECTION_TEST(a_field_of_angles_takes_degrees_or_a_quaternion),
    };
    return cmocka_run_group_tests_name("shown", tests, NULL, NULL);
}
