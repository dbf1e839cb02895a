/* Lines, words and numbers of OBJ and MTL files. */
#include "render/import/obj.h"

#define MAX_FAST_DIGITS 18u /* of numbers without an exponent */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

bool cni_render_obj_line(CnText *text, CniRenderObjLine *line)
{
    if (!text->size)
        return false;
    const char *end = memchr(text->data, '\n', text->size);
    size_t size = end ? (size_t)(end - text->data) : text->size;
    *line = (CniRenderObjLine){text->data, text->data + size};
    size += end != NULL;
    text->data += size;
    text->size -= size;
    while (line->at < line->end && is_blank(*line->at))
        line->at++;
    while (line->at < line->end && is_blank(line->end[-1]))
        line->end--;
    return true;
}

CnText cni_render_obj_word(CniRenderObjLine *line)
{
    const char *at = line->at;
    while (at < line->end && is_blank(*at))
        at++;
    const char *start = at;
    while (at < line->end && !is_blank(*at))
        at++;
    line->at = at;
    return (CnText){start, (size_t)(at - start)};
}

CnText cni_render_obj_rest(CniRenderObjLine *line)
{
    while (line->at < line->end && is_blank(*line->at))
        line->at++;
    return (CnText){line->at, (size_t)(line->end - line->at)};
}

/* ---- Numbers ---- */

/* Powers of ten that are exact. */
static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static double power_of_ten(int exponent)
{
    int size = exponent < 0 ? -exponent : exponent;
    double power = 1;
    for (; size > 22; size -= 22)
        power *= 1e22;
    power *= powers[size];
    return power;
}

typedef struct Decimal {
    uint64_t digits;
    int exponent, digit_count;
} Decimal;

/* Takes digits; those beyond 19 only change the exponent. */
static const char *take_digits(const char *at, const char *end, bool is_fraction, Decimal *decimal)
{
    for (; at < end && (uint8_t)(*at - '0') < 10; at++) {
        decimal->digit_count++;
        if (decimal->digits < 1000000000000000000u) {
            decimal->digits = decimal->digits * 10 + (uint8_t)(*at - '0');
            decimal->exponent -= is_fraction;
        } else {
            decimal->exponent += !is_fraction && decimal->exponent < 1000;
        }
    }
    return at;
}

static const char *take_exponent(const char *at, const char *end, Decimal *decimal)
{
    const char *digit = at + 1;
    bool is_negative = digit < end && *digit == '-';
    int value = 0;
    if (digit < end && (*digit == '-' || *digit == '+'))
        digit++;
    if (digit >= end || (uint8_t)(*digit - '0') >= 10)
        return at;
    for (; digit < end && (uint8_t)(*digit - '0') < 10; digit++)
        value = value < 1000 ? value * 10 + (*digit - '0') : value;
    decimal->exponent += is_negative ? -value : value;
    return digit;
}

static inline bool is_digit(const char *at, const char *end)
{
    return at < end && (uint8_t)(*at - '0') < 10;
}

static bool take_any_float(CniRenderObjLine *line, float *value)
{
    const char *at = line->at, *end = line->end;
    Decimal decimal = {0};
    while (at < end && is_blank(*at))
        at++;
    bool is_negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    at = take_digits(at, end, false, &decimal);
    if (at < end && *at == '.')
        at = take_digits(at + 1, end, true, &decimal);
    if (!decimal.digit_count)
        return false;
    if (at < end && (*at | 32) == 'e')
        at = take_exponent(at, end, &decimal);
    if (at < end && !is_blank(*at))
        return false;
    double number = (double)decimal.digits, power = 1;
    if (decimal.exponent != 0 && number != 0) {
        int limit = decimal.exponent < -400  ? -400
                    : decimal.exponent > 400 ? 400
                                             : decimal.exponent;
        power = power_of_ten(limit);
        number = decimal.exponent < 0 ? number / power : number * power;
    }
    *value = (float)(is_negative ? -number : number);
    line->at = at;
    return true;
}

bool cni_render_obj_float(CniRenderObjLine *line, float *value)
{
    const char *at = line->at, *end = line->end;
    uint64_t digits = 0;
    while (at < end && is_blank(*at))
        at++;
    bool is_negative = at < end && *at == '-';
    at += is_negative;
    const char *start = at;
    for (; is_digit(at, end); at++)
        digits = digits * 10 + (uint8_t)(*at - '0');
    size_t count = (size_t)(at - start), fraction = 0;
    if (at < end && *at == '.') {
        start = ++at;
        for (; is_digit(at, end); at++)
            digits = digits * 10 + (uint8_t)(*at - '0');
        fraction = (size_t)(at - start);
        count += fraction;
    }
    if (!count || count > MAX_FAST_DIGITS || (at < end && !is_blank(*at)))
        return take_any_float(line, value);
    double number = (double)digits / powers[fraction];
    *value = (float)(is_negative ? -number : number);
    line->at = at;
    return true;
}
