/* Any value into any field: it is refused and nothing changes, or it is there and nothing else is.
 */
#include "cmocka_tests.h"
#include "random.h"

#include <cairn/ecs.h>
#include <cairn/scene/reflection.h>

#include <float.h>
#include <math.h>
#include <string.h>

enum { ROUNDS = 100000 };

CN_COMPONENT(Anything, (f32, a), (f64, b), (i8, c), (i16, d), (i32, e), (i64, f), (u8, g), (u16, h),
             (u32, i), (u64, j), (bool, k), (entity, l), (vec2, m), (vec3, n), (vec4, o), (quat, p),
             (mat4, q), (text, r, 8), (u16, s, 4), (vec3, t, 2), (bool, u, 3), (u8, choice),
             (quat, turn), (f32, bounded));

static const char *const names[] = {"One", "Two", "Three", NULL};

static double any_number(TestRandom *random)
{
    static const double strange[] = {0,         -0.0,    0.5,     -1,      NAN,     INFINITY,
                                     -INFINITY, 127,     128,     255,     256,     -128,
                                     -129,      65535,   65536,   0x1p31,  0x1p32,  0x1p63,
                                     0x1p64,    -0x1p63, -0x1p64, FLT_MAX, DBL_MAX, 1e-320};
    return test_random_chance(random, 70) ? strange[test_random_below(random, CN_COUNT_OF(strange))]
                                          : test_random_unit(random) * 1000 - 500;
}

static CnReflectedValue any_value(TestRandom *random, char *text)
{
    static const char *const texts[] = {"",         "One",      "Three", "1234567",
                                        "12345678", "\xff\xfe", "Two "};
    CnReflectedValue value = {
        .form = (CnReflectedValueType)test_random_below(random, CN_REFLECTED_VECTOR + 1)};
    value.boolean = test_random_chance(random, 50);
    int64_t whole = (int64_t)(test_random(random) >> test_random_below(random, 64));
    value.integer = (uint64_t)(test_random_chance(random, 50) ? whole : -whole);
    value.negative = (int64_t)value.integer < 0 && test_random_chance(random, 50);
    value.count = test_random_below(random, 17);
    for (uint32_t i = 0; i < 16; i++)
        value.numbers[i] = any_number(random);
    strcpy(text, texts[test_random_below(random, CN_COUNT_OF(texts))]);
    value.text = (CnText){text, strlen(text) + test_random_below(random, 2)};
    value.entity = (CnEntity){test_random(random)};
    return value;
}

static CnReflectedMember any_item(TestRandom *random)
{
    const CnField *field =
        &cn_type_Anything.fields[test_random_below(random, cn_type_Anything.field_count)];
    CnReflectedMember item = {{.key = field->name, .field = field->name}, field};
    if (!strcmp(field->name, "choice")) {
        item.reflected.kind = CN_REFLECTED_CHOICE;
        item.reflected.choices = names;
    } else if (!strcmp(field->name, "turn")) {
        item.reflected.kind = CN_REFLECTED_EULER;
    } else if (!strcmp(field->name, "bounded")) {
        item.reflected.minimum = -2;
        item.reflected.maximum = 3;
    }
    return item;
}

/* What was written comes out again, in the form of the field. */
static void check_read(const CnReflectedMember *item, const char *field, uint32_t element,
                       const CnReflectedValue *given)
{
    CnReflectedShape shape = cn_reflection_shape(item);
    CnReflectedValue value, again;
    cn_reflection_read(item, field, element, &value);
    assert_int_equal(value.form, shape.form);
    assert_true(value.form != CN_REFLECTED_VECTOR || value.count == shape.numbers);
    if (item->reflected.kind == CN_REFLECTED_EULER)
        return; /* angles have other names for the same rotation */
    char copy[sizeof(Anything)];
    memset(copy, 0, sizeof copy);
    assert_true(cn_reflection_write(item, copy, element, &value, NULL));
    cn_reflection_read(item, copy, element, &again);
    assert_memory_equal(value.numbers, again.numbers, sizeof value.numbers);
    assert_true(value.integer == again.integer && value.negative == again.negative);
    assert_true(cn_text_equal(value.text, again.text));
    if (shape.form == CN_REFLECTED_TEXT)
        assert_true(cn_text_equal(value.text, given->text));
    if (shape.form == CN_REFLECTED_BOOL)
        assert_int_equal(value.boolean, given->boolean);
    for (uint32_t i = 0; i < value.count; i++)
        assert_true(isfinite(value.numbers[i]));
}

static void values_are_refused_or_kept_and_nothing_else_changes(void **state)
{
    (void)state;
    TestRandom random = {8};
    uint32_t kept = 0;
    Anything before, after;
    for (uint32_t i = 0; i < sizeof before; i++)
        ((uint8_t *)&before)[i] = (uint8_t)test_random(&random);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        char text[16];
        CnReflectedMember item = any_item(&random);
        CnReflectedValue value = any_value(&random, text);
        uint32_t elements = cn_reflection_shape(&item).elements;
        uint32_t element = test_random_below(&random, elements);
        memcpy(&after, &before, sizeof after);
        CnError error = {0};
        char *field = (char *)&after + item.field->offset;
        bool written = cn_reflection_write(&item, field, element, &value, &error);
        assert_int_equal(written, error.code == CN_OK);
        uint32_t size = item.field->size / elements, at = item.field->offset + element * size;
        if (written) {
            check_read(&item, field, element, &value);
            memcpy((char *)&after + at, (char *)&before + at, size);
            kept++;
        }
        assert_memory_equal(&before, &after, sizeof before);
    }
    assert_true(kept > ROUNDS / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_refused_or_kept_and_nothing_else_changes),
    };
    return cmocka_run_group_tests_name("shown fuzz", tests, NULL, NULL);
}
