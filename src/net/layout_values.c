/* Values of components as whole numbers, and back. */
#include "net/layout_internal.h"

#include <cairn/base/linear.h>

#define MAX_INTERPOLATED 16u /* numbers of a field */

/* ---- Numbers of each type ---- */

static uint32_t numbers_of(CnFieldType type)
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
        return 1;
    }
}

static bool is_vector(CnFieldType type)
{
    return type == CN_FIELD_VEC2 || type == CN_FIELD_VEC3 || type == CN_FIELD_VEC4;
}

static bool is_real(CnFieldType type)
{
    return type == CN_FIELD_F32 || type == CN_FIELD_F64 || is_vector(type);
}

static uint32_t exact_width(CnFieldType type)
{
    switch (type) {
    case CN_FIELD_I8:
    case CN_FIELD_U8:
        return 8;
    case CN_FIELD_I16:
    case CN_FIELD_U16:
        return 16;
    case CN_FIELD_BOOL:
        return 1;
    case CN_FIELD_ENTITY:
        return CNI_NET_ID_BITS;
    default:
        return 32;
    }
}

static bool has_two_words(CnFieldType type)
{
    return type == CN_FIELD_F64 || type == CN_FIELD_I64 || type == CN_FIELD_U64;
}

static uint32_t exact_words(const CniNetLayoutField *field)
{
    if (field->type == CN_FIELD_TEXT)
        return (field->count + 3) / 4;
    return numbers_of(field->type) * field->count * (has_two_words(field->type) ? 2 : 1);
}

static uint32_t encoded_words(const CniNetLayoutField *field)
{
    const uint32_t numbers = numbers_of(field->type) * field->count;
    switch (field->encoding) {
    case CN_NET_EXACT:
        return exact_words(field);
    case CN_NET_POSITION:
        return is_real(field->type) && numbers == 3 ? 3 : 0;
    case CN_NET_STEPS:
    case CN_NET_DEGREES:
    case CN_NET_RADIANS:
        return is_real(field->type) ? numbers : 0;
    case CN_NET_ROTATION:
        return field->type == CN_FIELD_QUAT ? 4 * field->count : 0;
    default:
        return 0;
    }
}

static uint32_t word_width(const CniNetLayoutField *field, uint32_t word)
{
    switch (field->encoding) {
    case CN_NET_DEGREES:
    case CN_NET_RADIANS:
        return field->bits;
    case CN_NET_ROTATION:
        return word % 4 == 0 ? 2 : field->bits;
    case CN_NET_EXACT:
        return exact_width(field->type);
    default:
        return 32;
    }
}

uint32_t cni_net_field_words(const CniNetLayoutField *field, uint8_t *widths)
{
    const uint32_t count = encoded_words(field);
    if (field->interpolate && field->encoding != CN_NET_ROTATION &&
        (!is_real(field->type) || numbers_of(field->type) * field->count > MAX_INTERPOLATED))
        return 0;
    for (uint32_t i = 0; i < count && widths; i++)
        widths[i] = (uint8_t)word_width(field, i);
    return count;
}

static double load_real(CnFieldType type, const uint8_t *value, uint32_t index)
{
    float single;
    double number;
    if (type == CN_FIELD_F64) {
        memcpy(&number, value + index * sizeof number, sizeof number);
        return number;
    }
    memcpy(&single, value + index * sizeof single, sizeof single);
    return single;
}

static void store_real(CnFieldType type, uint8_t *value, uint32_t index, double number)
{
    const float single = (float)number;
    if (type == CN_FIELD_F64)
        memcpy(value + index * sizeof number, &number, sizeof number);
    else
        memcpy(value + index * sizeof single, &single, sizeof single);
}

static int32_t sign_extend(uint32_t word, uint32_t bits)
{
    return (int32_t)(word << (32 - bits)) >> (32 - bits);
}

/* ---- To words ---- */

static uint32_t to_steps(double number, double inverse)
{
    const double steps = cn_round(number * inverse);
    if (!(steps > -0x1p31))
        return steps == steps ? (uint32_t)INT32_MIN : 0;
    return steps < 0x1p31 ? (uint32_t)(int32_t)steps : (uint32_t)INT32_MAX;
}

static uint32_t to_angle(double number, double inverse, uint32_t bits)
{
    const double turn = (double)(1u << bits), steps = cn_floor(number * inverse + .5);
    const double rest = steps - cn_floor(steps / turn) * turn;
    return rest >= 0 && rest < turn ? (uint32_t)rest : 0; /* 0 if it is not finite */
}

/* The index of the largest number and the others, which are at most sqrt(1/2). Its sign is made
 * positive, because q and -q are the same rotation. */
static void to_rotation(const uint8_t *value, uint32_t bits, uint32_t *words)
{
    CnQuat q;
    memcpy(&q, value, sizeof q);
    q = cn_quat_normalize(q);
    const float numbers[4] = {q.x, q.y, q.z, q.w};
    uint32_t largest = 3;
    for (uint32_t i = 0; i < 3; i++)
        if (cn_fabsf(numbers[i]) > cn_fabsf(numbers[largest]))
            largest = i;
    const double scale =
        (double)((1u << (bits - 1)) - 1) * 1.41421356237309505 * (numbers[largest] < 0 ? -1 : 1);
    words[0] = largest;
    for (uint32_t i = 0, k = 1; i < 4; i++)
        if (i != largest)
            words[k++] = (uint32_t)(int32_t)cn_round(numbers[i] * scale) & ((1u << bits) - 1);
}

/* Copies a text as far as it is valid, and pads it with zeros. */
static void to_text(const uint8_t *value, uint32_t bytes, uint32_t *words, uint32_t word_count)
{
    const uint8_t *end = memchr(value, 0, bytes);
    CnText text = {(const char *)value, end ? (size_t)(end - value) : bytes - 1};
    size_t valid = cn_text_is_utf8(text) ? text.size : 0;
    while (valid < text.size) {
        uint32_t character;
        const size_t next = cn_utf8_next(text, valid, &character);
        if (!cn_text_is_utf8((CnText){text.data + valid, next - valid}))
            break;
        valid = next;
    }
    memset(words, 0, word_count * sizeof *words);
    memcpy(words, value, valid);
}

static void exact_to_words(const CniNetLayoutField *field, const uint8_t *value, uint32_t *words,
                           const CniNetReferences *references)
{
    const uint32_t bytes = cn_field_type_size(field->type) / numbers_of(field->type);
    const uint32_t numbers = numbers_of(field->type) * field->count;
    if (bytes >= 4 && field->type != CN_FIELD_ENTITY) {
        memcpy(words, value, (size_t)bytes * numbers);
        return;
    }
    for (uint32_t i = 0; i < numbers; i++) {
        words[i] = 0;
        if (field->type == CN_FIELD_ENTITY) {
            CnEntity entity;
            memcpy(&entity, value + i * sizeof entity, sizeof entity);
            words[i] =
                references && references->id_of ? references->id_of(references->user, entity) : 0;
        } else {
            memcpy(&words[i], value + (size_t)i * bytes, bytes);
            if (field->type == CN_FIELD_BOOL)
                words[i] = words[i] != 0;
        }
    }
}

static void field_to_words(const CniNetLayoutField *field, const uint8_t *value, uint32_t *words,
                           const CniNetReferences *references)
{
    switch (field->encoding) {
    case CN_NET_STEPS:
    case CN_NET_POSITION:
        for (uint32_t i = 0; i < field->word_count; i++)
            words[i] = to_steps(load_real(field->type, value, i), field->inverse);
        return;
    case CN_NET_DEGREES:
    case CN_NET_RADIANS:
        for (uint32_t i = 0; i < field->word_count; i++)
            words[i] = to_angle(load_real(field->type, value, i), field->inverse, field->bits);
        return;
    case CN_NET_ROTATION:
        for (uint32_t i = 0; i < field->count; i++)
            to_rotation(value + i * sizeof(CnQuat), field->bits, words + i * 4);
        return;
    default:
        if (field->type == CN_FIELD_TEXT)
            to_text(value, field->count, words, field->word_count);
        else
            exact_to_words(field, value, words, references);
    }
}

void cni_net_quantize(const CniNetLayoutComponent *component, const void *value, uint32_t *words,
                      const CniNetReferences *references)
{
    for (uint32_t i = 0; i < component->field_count; i++) {
        const CniNetLayoutField *field = &component->fields[i];
        field_to_words(field, (const uint8_t *)value + field->offset, words + field->first_word,
                       references);
    }
}

/* ---- From words ---- */

static CnQuat from_rotation(const uint32_t *words, uint32_t bits)
{
    const float step = 0.70710678f / (float)((1u << (bits - 1)) - 1);
    float numbers[4], rest = 1;
    for (uint32_t i = 0, k = 1; i < 4; i++) {
        if (i == words[0])
            continue;
        numbers[i] = (float)sign_extend(words[k++], bits) * step;
        rest -= numbers[i] * numbers[i];
    }
    numbers[words[0]] = rest > 0 ? cn_sqrtf(rest) : 0;
    return cn_quat_normalize((CnQuat){numbers[0], numbers[1], numbers[2], numbers[3]});
}

static void exact_to_value(const CniNetLayoutField *field, const uint32_t *words, uint8_t *value,
                           const CniNetReferences *references)
{
    const uint32_t bytes = cn_field_type_size(field->type) / numbers_of(field->type);
    const uint32_t numbers = numbers_of(field->type) * field->count;
    for (uint32_t i = 0; i < numbers; i++) {
        CnEntity entity = {0};
        if (field->type == CN_FIELD_ENTITY) {
            if (references && references->entity_of)
                entity = references->entity_of(references->user, words[i]);
            memcpy(value + i * sizeof entity, &entity, sizeof entity);
        } else {
            memcpy(value + (size_t)i * bytes, words + i * (bytes == 8 ? 2 : 1), bytes);
        }
    }
    if (!is_real(field->type) && field->type != CN_FIELD_QUAT && field->type != CN_FIELD_MAT4)
        return;
    for (uint32_t i = 0; i < numbers; i++) {
        const double number = load_real(field->type, value, i);
        if (!(cn_fabs(number) <= 0x1.fffffffffffffp1023))
            store_real(field->type, value, i, 0);
    }
}

static void field_to_value(const CniNetLayoutField *field, const uint32_t *words, uint8_t *value,
                           const CniNetReferences *references)
{
    switch (field->encoding) {
    case CN_NET_STEPS:
    case CN_NET_POSITION:
        for (uint32_t i = 0; i < field->word_count; i++)
            store_real(field->type, value, i, (double)(int32_t)words[i] * field->step);
        return;
    case CN_NET_DEGREES:
    case CN_NET_RADIANS:
        for (uint32_t i = 0; i < field->word_count; i++)
            store_real(field->type, value, i, sign_extend(words[i], field->bits) * field->step);
        return;
    case CN_NET_ROTATION:
        for (uint32_t i = 0; i < field->count; i++) {
            const CnQuat q = from_rotation(words + i * 4, field->bits);
            memcpy(value + i * sizeof q, &q, sizeof q);
        }
        return;
    default:
        if (field->type == CN_FIELD_TEXT)
            memcpy(value, words, field->count);
        else
            exact_to_value(field, words, value, references);
    }
}

void cni_net_dequantize(const CniNetLayoutComponent *component, const uint32_t *words, void *value,
                        const CniNetReferences *references)
{
    for (uint32_t i = 0; i < component->field_count; i++) {
        const CniNetLayoutField *field = &component->fields[i];
        field_to_value(field, words + field->first_word, (uint8_t *)value + field->offset,
                       references);
    }
}

/* ---- Between two states ---- */

/* The short way, and back into the range. */
static void interpolate_angles(const CniNetLayoutField *field, const uint32_t *a, const uint32_t *b,
                               double t, uint8_t *value)
{
    const double turn = field->step * (double)(1u << field->bits);
    for (uint32_t i = 0; i < field->word_count; i++) {
        const uint32_t change = (b[i] - a[i]) & ((1u << field->bits) - 1);
        const double angle =
            (sign_extend(a[i], field->bits) + sign_extend(change, field->bits) * t) * field->step;
        store_real(field->type, value, i, angle - cn_floor(angle / turn + .5) * turn);
    }
}

static void interpolate_reals(const CniNetLayoutField *field, const uint32_t *a, const uint32_t *b,
                              double t, uint8_t *value)
{
    uint8_t value_a[MAX_INTERPOLATED * sizeof(double)], value_b[sizeof value_a];
    const uint32_t count = numbers_of(field->type) * field->count;
    field_to_value(field, a, value_a, NULL);
    field_to_value(field, b, value_b, NULL);
    for (uint32_t i = 0; i < count; i++) {
        const double from = load_real(field->type, value_a, i);
        if (cn_fabs(load_real(field->type, value_b, i) - from) > field->snap)
            return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const double from = load_real(field->type, value_a, i);
        store_real(field->type, value, i, from + (load_real(field->type, value_b, i) - from) * t);
    }
}

static void interpolate_rotations(const CniNetLayoutField *field, const uint32_t *a,
                                  const uint32_t *b, double t, uint8_t *value)
{
    for (uint32_t i = 0; i < field->count; i++) {
        const CnQuat q =
            cn_quat_slerp(from_rotation(a + i * 4, field->bits),
                          from_rotation(b + i * 4, field->bits), t < 1 ? (float)t : 1.0f);
        memcpy(value + i * sizeof q, &q, sizeof q);
    }
}

void cni_net_interpolate(const CniNetLayoutComponent *component, const uint32_t *a,
                         const uint32_t *b, double t, void *value)
{
    for (uint32_t i = 0; i < component->field_count; i++) {
        const CniNetLayoutField *field = &component->fields[i];
        const uint32_t *from = a + field->first_word, *to = b + field->first_word;
        uint8_t *target = (uint8_t *)value + field->offset;
        if (!field->interpolate || !memcmp(from, to, field->word_count * sizeof *from))
            continue;
        if (field->encoding == CN_NET_ROTATION)
            interpolate_rotations(field, from, to, t, target);
        else if (field->encoding == CN_NET_DEGREES || field->encoding == CN_NET_RADIANS)
            interpolate_angles(field, from, to, t, target);
        else
            interpolate_reals(field, from, to, t, target);
    }
}

CnVec3 cni_net_position(const CniNetLayoutField *field, const void *value)
{
    const uint8_t *position = (const uint8_t *)value + field->offset;
    return cn_vec3((float)load_real(field->type, position, 0),
                   (float)load_real(field->type, position, 1),
                   (float)load_real(field->type, position, 2));
}
