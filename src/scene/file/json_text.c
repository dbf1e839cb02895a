#include "scene/file/json_text.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>

bool cni_scene_json_append(CnTextBuilder *text, const char *terminated)
{
    return cn_text_append(text, cn_text(terminated));
}

/* ---- Texts ---- */

static bool put_escaped(CnTextBuilder *text, unsigned char c)
{
    switch (c) {
    case '"':
        return cni_scene_json_append(text, "\\\"");
    case '\\':
        return cni_scene_json_append(text, "\\\\");
    case '\n':
        return cni_scene_json_append(text, "\\n");
    case '\r':
        return cni_scene_json_append(text, "\\r");
    case '\t':
        return cni_scene_json_append(text, "\\t");
    default:
        return cn_text_append_format(text, "\\u%04x", c);
    }
}

bool cni_scene_json_append_string(CnTextBuilder *text, CnText string)
{
    size_t done = 0;
    if (!cni_scene_json_append(text, "\""))
        return false;
    for (size_t i = 0; i < string.size; i++) {
        unsigned char c = (unsigned char)string.data[i];
        if (c >= 0x20 && c != '"' && c != '\\')
            continue;
        if (!cn_text_append(text, (CnText){string.data + done, i - done}) || !put_escaped(text, c))
            return false;
        done = i + 1;
    }
    return cn_text_append(text, (CnText){string.data + done, string.size - done}) &&
           cni_scene_json_append(text, "\"");
}

/* ---- Numbers ---- */

#define WHOLE_LIMIT 1e7 /* below it, integers are written without an exponent */

/* printf may use another decimal point, depending on the locale. */
static bool put_number(CnTextBuilder *text, char *number)
{
    char *to = number;
    for (const char *c = number; *c; c++) {
        if ((*c >= '0' && *c <= '9') || *c == '-' || *c == '+' || *c == 'e')
            *to++ = *c;
        else if (to == number || to[-1] != '.')
            *to++ = '.';
    }
    return cn_text_append(text, (CnText){number, (size_t)(to - number)});
}

static bool put_whole_number(CnTextBuilder *text, double number)
{
    char digits[32];
    /* JSON readers keep the sign of a zero only if the number is not an integer. */
    if (number == 0)
        return cni_scene_json_append(text, __builtin_signbit(number) ? "-0.0" : "0");
    snprintf(digits, sizeof digits, "%.0f", number);
    return put_number(text, digits);
}

static bool is_short_whole(double number)
{
    return number > -WHOLE_LIMIT && number < WHOLE_LIMIT && (double)(int64_t)number == number;
}

/* A float preserves at least 6 digits, so if 6 digits read back, shorter forms differ only by
 * trailing zeros, which %g omits. A double preserves 15. The smallest numbers have fewer. */
static int first_precision(double number, double smallest, int digits)
{
    return number < smallest && number > -smallest ? 1 : digits;
}

bool cni_scene_json_append_float(CnTextBuilder *text, float number)
{
    char digits[48]; /* gcc cannot see that 17 digits need less */
    if (is_short_whole((double)number))
        return put_whole_number(text, (double)number);
    for (int precision = first_precision((double)number, (double)FLT_MIN, FLT_DIG);
         precision <= FLT_DECIMAL_DIG; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, (double)number);
        /* JSON readers produce a double first. */
        if ((float)strtod(digits, NULL) == number)
            break;
    }
    return put_number(text, digits);
}

bool cni_scene_json_append_double(CnTextBuilder *text, double number)
{
    char digits[48]; /* as above */
    if (is_short_whole(number))
        return put_whole_number(text, number);
    for (int precision = first_precision(number, DBL_MIN, DBL_DIG); precision <= DBL_DECIMAL_DIG;
         precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, number);
        if (strtod(digits, NULL) == number)
            break;
    }
    return put_number(text, digits);
}

/* JSON readers cannot represent more than 63 bits: such numbers become strings of digits. */
bool cni_scene_json_append_integer(CnTextBuilder *text, uint64_t whole, bool negative)
{
    if (negative)
        return cn_text_append_format(text, "%lld", (long long)(int64_t)whole);
    return cn_text_append_format(text, whole > INT64_MAX ? "\"%llu\"" : "%llu",
                                 (unsigned long long)whole);
}

/* ---- Layout ---- */

static bool new_line(const CniSceneJsonWriter *layout)
{
    static const char blanks[] = "                                ";
    uint32_t left = layout->depth * 2;
    if (!cni_scene_json_append(layout->text, "\n"))
        return false;
    while (left) {
        uint32_t some = left < sizeof blanks - 1 ? left : (uint32_t)sizeof blanks - 1;
        if (!cn_text_append(layout->text, (CnText){blanks, some}))
            return false;
        left -= some;
    }
    return true;
}

bool cni_scene_json_open(CniSceneJsonWriter *layout, const char *bracket)
{
    layout->depth++;
    layout->is_first = true;
    return cni_scene_json_append(layout->text, bracket);
}

bool cni_scene_json_close(CniSceneJsonWriter *layout, const char *bracket)
{
    bool is_empty = layout->is_first;
    layout->depth--;
    layout->is_first = false;
    return (is_empty || new_line(layout)) && cni_scene_json_append(layout->text, bracket);
}

bool cni_scene_json_next(CniSceneJsonWriter *layout, const char *key)
{
    bool is_first = layout->is_first;
    layout->is_first = false;
    return (is_first || cni_scene_json_append(layout->text, ",")) && new_line(layout) &&
           (!key || (cni_scene_json_append_string(layout->text, cn_text(key)) &&
                     cni_scene_json_append(layout->text, ": ")));
}
