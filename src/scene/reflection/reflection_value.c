/* Reflected values: conversion between the bytes of a field and what people read or write. */
#include <cairn/base/linear.h>
#include <cairn/scene/reflection.h>

#include <float.h>
#include <string.h>

static uint32_t floats_of(CnFieldType type)
{
    switch (type) {
    case CN_FIELD_VEC2:
        return 2;
    case CN_FIELD_VEC3:
        return 3;
    case CN_FIELD_VEC4:
    case CN_FIELD_QUAT:
        return 4;
    case CN_FIELD_MAT4:
        return 16;
    default:
        return 0;
    }
}

CnReflectedShape cn_reflection_shape(const CnReflectedMember *item)
{
    CN_ASSERT(item, "%s: item is NULL", __func__);
    CnFieldType type = item->field->type;
    CnReflectedShape shape = {CN_REFLECTED_INTEGER, 0,
                              type == CN_FIELD_TEXT ? 1 : item->field->count};
    if (item->reflected.kind == CN_REFLECTED_CHOICE || type == CN_FIELD_TEXT)
        shape.form = CN_REFLECTED_TEXT;
    else if (type == CN_FIELD_F32 || type == CN_FIELD_F64)
        shape.form = CN_REFLECTED_NUMBER;
    else if (type == CN_FIELD_BOOL)
        shape.form = CN_REFLECTED_BOOL;
    else if (type == CN_FIELD_ENTITY)
        shape.form = CN_REFLECTED_ENTITY;
    else if (floats_of(type))
        shape.form = CN_REFLECTED_VECTOR;
    shape.numbers = item->reflected.kind == CN_REFLECTED_EULER ? 3 : floats_of(type);
    return shape;
}

/* ---- Angles ---- */

static bool same_rotation(CnVec3 degrees, CnQuat rotation)
{
    CnQuat q = cn_quat_from_euler(degrees);
    return !memcmp(&q, &rotation, sizeof q);
}

static float rounded(float value, double step)
{
    double scaled = (double)value * step;
    double whole = (double)(int64_t)(scaled + (scaled < 0 ? -0.5 : 0.5));
    return (float)(whole / step);
}

bool cn_reflection_euler_angles(CnQuat rotation, CnVec3 *degrees)
{
    CN_ASSERT(degrees, "%s: degrees is NULL", __func__);
    CnVec3 nearest = cn_quat_to_euler(rotation);
    *degrees = cn_vec3(0, 0, 0);
    if (!(cn_fabsf(nearest.x) + cn_fabsf(nearest.y) + cn_fabsf(nearest.z) < 1000))
        return false; /* not a rotation */
    double step = 1;
    for (int digits = 0; digits <= 6; digits++, step *= 10) {
        *degrees =
            cn_vec3(rounded(nearest.x, step), rounded(nearest.y, step), rounded(nearest.z, step));
        if (same_rotation(*degrees, rotation))
            return true;
    }
    *degrees = nearest;
    return same_rotation(nearest, rotation);
}

/* ---- Integers ---- */

/* Returns the number of bits of the type, negative for signed types; 0: not an integer. */
static int bits_of(CnFieldType type)
{
    static const int bits[] = {
        [CN_FIELD_I8] = -8, [CN_FIELD_I16] = -16, [CN_FIELD_I32] = -32, [CN_FIELD_I64] = -64,
        [CN_FIELD_U8] = 8,  [CN_FIELD_U16] = 16,  [CN_FIELD_U32] = 32,  [CN_FIELD_U64] = 64,
    };
    return (uint32_t)type < CN_COUNT_OF(bits) ? bits[type] : 0;
}

static void read_whole(const CnReflectedMember *item, const void *element, CnReflectedValue *value)
{
    int bits = bits_of(item->field->type);
    uint64_t whole = 0;
    memcpy(&whole, element, (size_t)(bits < 0 ? -bits : bits) / 8);
    if (bits < 0 && bits > -64 && whole >> (-bits - 1))
        whole |= ~(uint64_t)0 << -bits;
    value->form = CN_REFLECTED_INTEGER;
    value->integer = whole;
    value->negative = bits < 0 && whole >> 63;
}

static double whole_as_number(const CnReflectedValue *value)
{
    return value->negative ? (double)(int64_t)value->integer : (double)value->integer;
}

static bool fits(int bits, const CnReflectedValue *value)
{
    if (bits < 0) /* all bits above the sign bit must equal it */
        return value->negative
                   ? (int64_t)value->integer >= -(int64_t)(UINT64_MAX >> (64 + bits + 1)) - 1
                   : value->integer <= UINT64_MAX >> (64 + bits + 1);
    return !value->negative && value->integer <= UINT64_MAX >> (64 - bits);
}

/* Converts a number without a fraction to an integer; returns false if it has one, or is too
 * large. */
static bool to_whole(CnReflectedValue *value)
{
    if (value->form == CN_REFLECTED_INTEGER)
        return true;
    double number = value->numbers[0];
    if (value->form != CN_REFLECTED_NUMBER || !(number >= -0x1p63 && number < 0x1p64))
        return false;
    value->negative = number < 0;
    value->integer = number < 0 ? (uint64_t)(int64_t)number : (uint64_t)number;
    return whole_as_number(value) == number;
}

/* ---- Reading ---- */

static void read_floats(const CnReflectedMember *item, const void *element, CnReflectedValue *value)
{
    float floats[16];
    uint32_t count = floats_of(item->field->type);
    memcpy(floats, element, count * sizeof *floats);
    if (item->reflected.kind == CN_REFLECTED_EULER) {
        CnVec3 degrees;
        cn_reflection_euler_angles((CnQuat){floats[0], floats[1], floats[2], floats[3]}, &degrees);
        memcpy(floats, &degrees, sizeof degrees);
        count = 3;
    }
    value->form = CN_REFLECTED_VECTOR;
    value->count = count;
    for (uint32_t i = 0; i < count; i++)
        value->numbers[i] = (double)floats[i];
}

static const char *choice_at(const CnReflectedField *reflected, uint64_t number)
{
    for (uint64_t i = 0; reflected->choices[i]; i++)
        if (i == number)
            return reflected->choices[i];
    return NULL;
}

void cn_reflection_read(const CnReflectedMember *item, const void *field, uint32_t element,
                        CnReflectedValue *value)
{
    CN_ASSERT(item, "%s: item is NULL", __func__);
    CN_ASSERT(value, "%s: value is NULL", __func__);
    CnReflectedShape shape = cn_reflection_shape(item);
    CN_ASSERT(element < shape.elements, "element %u of %s", element, item->reflected.key);
    CnFieldType type = item->field->type;
    const char *at = (const char *)field + (size_t)element * cn_field_type_size(type);
    memset(value, 0, sizeof *value);
    value->form = shape.form;
    if (shape.form == CN_REFLECTED_VECTOR) {
        read_floats(item, at, value);
    } else if (type == CN_FIELD_TEXT) {
        const char *end = memchr(at, 0, item->field->count);
        value->text = (CnText){at, end ? (size_t)(end - at) : item->field->count};
    } else if (type == CN_FIELD_F32) {
        float number;
        memcpy(&number, at, sizeof number);
        value->numbers[0] = (double)number;
        value->count = 1;
    } else if (type == CN_FIELD_F64) {
        memcpy(value->numbers, at, sizeof value->numbers[0]);
        value->count = 1;
    } else if (type == CN_FIELD_BOOL) {
        value->boolean = *at != 0;
    } else if (type == CN_FIELD_ENTITY) {
        memcpy(&value->entity, at, sizeof value->entity);
    } else {
        read_whole(item, at, value);
        const char *choice = item->reflected.kind == CN_REFLECTED_CHOICE && !value->negative
                                 ? choice_at(&item->reflected, value->integer)
                                 : NULL;
        if (choice)
            *value = cn_reflected_text(cn_text(choice));
    }
}

/* ---- Writing ---- */

static bool wrong_type(const CnReflectedMember *item, const char *wanted, CnError *error)
{
    return cn_error_set(error, CN_ERROR_MISMATCH, "%s must be %s", item->reflected.key, wanted);
}

static bool number_allowed(const CnReflectedMember *item, double number, double largest,
                           CnError *error)
{
    if (!(number >= -largest && number <= largest))
        return cn_error_set(error, CN_ERROR_MISMATCH, "%s is out of the range of its type",
                            item->reflected.key);
    const CnReflectedField *reflected = &item->reflected;
    if ((reflected->minimum != 0 || reflected->maximum != 0) &&
        !(number >= reflected->minimum && number <= reflected->maximum))
        return cn_error_set(error, CN_ERROR_MISMATCH, "%s is %g, but must be from %g to %g",
                            reflected->key, number, reflected->minimum, reflected->maximum);
    return true;
}

static bool write_floats(const CnReflectedMember *item, void *element,
                         const CnReflectedValue *value, CnError *error)
{
    uint32_t wanted = cn_reflection_shape(item).numbers, stored = floats_of(item->field->type);
    bool is_angles = item->reflected.kind == CN_REFLECTED_EULER && value->count == 3;
    if (value->form != CN_REFLECTED_VECTOR || (value->count != wanted && value->count != stored))
        return cn_error_set(error, CN_ERROR_MISMATCH, "%s must be %u numbers", item->reflected.key,
                            wanted);
    float floats[16];
    for (uint32_t i = 0; i < value->count; i++) {
        if (!number_allowed(item, value->numbers[i], (double)FLT_MAX, error))
            return false;
        floats[i] = (float)value->numbers[i];
    }
    if (is_angles) {
        CnQuat q = cn_quat_from_euler(cn_vec3(floats[0], floats[1], floats[2]));
        memcpy(floats, &q, sizeof q);
    }
    if (item->field->type == CN_FIELD_QUAT) {
        CnQuat q = {floats[0], floats[1], floats[2], floats[3]};
        if (!cn_quat_make_unit(&q))
            return cn_error_set(error, CN_ERROR_MISMATCH,
                                "%s is a rotation and cannot be four zeros", item->reflected.key);
        memcpy(floats, &q, sizeof q);
    }
    memcpy(element, floats, stored * sizeof *floats);
    return true;
}

static bool write_number(const CnReflectedMember *item, void *element,
                         const CnReflectedValue *value, CnError *error)
{
    if (value->form != CN_REFLECTED_NUMBER && value->form != CN_REFLECTED_INTEGER)
        return wrong_type(item, "a number", error);
    double number =
        value->form == CN_REFLECTED_INTEGER ? whole_as_number(value) : value->numbers[0];
    bool is_float = item->field->type == CN_FIELD_F32;
    if (!number_allowed(item, number, is_float ? (double)FLT_MAX : DBL_MAX, error))
        return false;
    if (is_float)
        memcpy(element, &(float){(float)number}, sizeof(float));
    else
        memcpy(element, &number, sizeof number);
    return true;
}

static bool write_whole(const CnReflectedMember *item, void *element, const CnReflectedValue *value,
                        CnError *error)
{
    CnReflectedValue whole = *value;
    int bits = bits_of(item->field->type);
    if (!to_whole(&whole))
        return wrong_type(item, "an integer", error);
    if (!fits(bits, &whole))
        return cn_error_set(error, CN_ERROR_MISMATCH, "%s is out of the range of its type",
                            item->reflected.key);
    if (!number_allowed(item, whole_as_number(&whole), DBL_MAX, error))
        return false;
    memcpy(element, &whole.integer, (size_t)(bits < 0 ? -bits : bits) / 8);
    return true;
}

static bool write_choice(const CnReflectedMember *item, void *element,
                         const CnReflectedValue *value, CnError *error)
{
    const char *const *choices = item->reflected.choices;
    if (value->form != CN_REFLECTED_TEXT)
        return wrong_type(item, "one of its names", error);
    for (uint32_t i = 0; choices[i]; i++)
        if (cn_text_equal(cn_text(choices[i]), value->text)) {
            memcpy(element, &(uint64_t){i}, cn_field_type_size(item->field->type));
            return true;
        }
    char names[128] = "";
    for (uint32_t i = 0; choices[i]; i++) {
        size_t used = strlen(names);
        cn_format(names + used, sizeof names - used, "%s%s", i ? ", " : "", choices[i]);
    }
    return cn_error_set(error, CN_ERROR_MISMATCH, "%s is \"%.*s\", but must be one of %s",
                        item->reflected.key, (int)(value->text.size < 64 ? value->text.size : 64),
                        value->text.data, names);
}

static bool write_text(const CnReflectedMember *item, void *element, const CnReflectedValue *value,
                       CnError *error)
{
    if (value->form != CN_REFLECTED_TEXT)
        return wrong_type(item, "a string", error);
    CnText text = value->text;
    if (text.size >= item->field->count)
        return cn_error_set(error, CN_ERROR_LIMIT, "%s is longer than %u bytes",
                            item->reflected.key, item->field->count - 1);
    if (!cn_text_is_utf8(text) || (text.size && memchr(text.data, 0, text.size)))
        return wrong_type(item, "UTF-8 without zero bytes", error);
    memset(element, 0, item->field->count); /* the bytes behind the text are part of the state */
    if (text.size)
        memcpy(element, text.data, text.size);
    return true;
}

bool cn_reflection_write(const CnReflectedMember *item, void *field, uint32_t element,
                         const CnReflectedValue *value, CnError *error)
{
    CN_ASSERT(item, "%s: item is NULL", __func__);
    CN_ASSERT(value, "%s: value is NULL", __func__);
    CnReflectedShape shape = cn_reflection_shape(item);
    CN_ASSERT(element < shape.elements, "element %u of %s", element, item->reflected.key);
    CnFieldType type = item->field->type;
    char *at = (char *)field + (size_t)element * cn_field_type_size(type);
    if (item->reflected.kind == CN_REFLECTED_CHOICE)
        return write_choice(item, at, value, error);
    switch (shape.form) {
    case CN_REFLECTED_VECTOR:
        return write_floats(item, at, value, error);
    case CN_REFLECTED_TEXT:
        return write_text(item, at, value, error);
    case CN_REFLECTED_NUMBER:
        return write_number(item, at, value, error);
    case CN_REFLECTED_BOOL:
        if (value->form != CN_REFLECTED_BOOL)
            return wrong_type(item, "true or false", error);
        *at = value->boolean;
        return true;
    case CN_REFLECTED_ENTITY:
        if (value->form != CN_REFLECTED_ENTITY)
            return wrong_type(item, "an object", error);
        memcpy(at, &value->entity, sizeof value->entity);
        return true;
    default:
        return write_whole(item, at, value, error);
    }
}
