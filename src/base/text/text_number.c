#include <cairn/base/text.h>

#include <float.h>
#include <stdio.h>
#include <stdlib.h>

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
        return cn_text_append(text, cn_text(__builtin_signbit(number) ? "-0.0" : "0"));
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

bool cn_text_append_float(CnTextBuilder *text, float number)
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

bool cn_text_append_double(CnTextBuilder *text, double number)
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
