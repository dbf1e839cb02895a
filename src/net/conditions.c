/* Text of simulated conditions. */
#include <cairn/net/conditions.h>

#include <string.h>

typedef struct Number {
    double value;
    CnText unit;
} Number;

/* Reads digits with at most one decimal point; the rest is the unit. */
static bool parse_number(CnText text, Number *number)
{
    double value = 0, scale = 0;
    size_t at = 0;
    for (; at < text.size && at < 18; at++) {
        char c = text.data[at];
        if (c == '.' && scale == 0) {
            scale = 1;
            continue;
        }
        if (c < '0' || c > '9')
            break;
        value = value * 10 + (c - '0');
        scale *= 10;
    }
    if (at == 0 || (at == 1 && scale == 1))
        return false;
    number->value = scale > 0 ? value / scale : value;
    number->unit = (CnText){text.data + at, text.size - at};
    return true;
}

static bool unit_is(const Number *number, const char *unit)
{
    return cn_text_equal(number->unit, cn_text(unit));
}

static bool parse_milliseconds(CnText text, uint32_t limit, uint32_t *milliseconds)
{
    Number number;
    if (!parse_number(text, &number))
        return false;
    if (unit_is(&number, "s"))
        number.value *= 1000;
    else if (!unit_is(&number, "ms") && number.unit.size)
        return false;
    if (number.value > limit)
        return false;
    *milliseconds = (uint32_t)number.value;
    return true;
}

static bool parse_probability(CnText text, float *probability)
{
    Number number;
    if (!parse_number(text, &number))
        return false;
    if (unit_is(&number, "%"))
        number.value /= 100;
    else if (number.unit.size)
        return false;
    if (number.value > 1)
        return false;
    *probability = (float)number.value;
    return true;
}

static bool parse_bandwidth(CnText text, uint64_t *bytes)
{
    Number number;
    if (!parse_number(text, &number))
        return false;
    if (unit_is(&number, "kbit"))
        number.value *= 1e3 / 8;
    else if (unit_is(&number, "Mbit"))
        number.value *= 1e6 / 8;
    else if (unit_is(&number, "Gbit"))
        number.value *= 1e9 / 8;
    else
        return false;
    if (number.value < 1 || number.value > 1e12)
        return false;
    *bytes = (uint64_t)number.value;
    return true;
}

static bool parse_outage(CnText text, CnNetConditions *conditions)
{
    CnText from;
    return cn_text_split(&text, '-', &from) &&
           parse_milliseconds(from, UINT32_MAX, &conditions->outage_from_ms) &&
           parse_milliseconds(text, UINT32_MAX, &conditions->outage_to_ms) &&
           conditions->outage_from_ms < conditions->outage_to_ms;
}

static bool parse_seed(CnText text, uint64_t *seed)
{
    Number number;
    if (!parse_number(text, &number) || number.unit.size || number.value > 9e15)
        return false;
    *seed = (uint64_t)number.value;
    return true;
}

static bool parse_value(CnText key, CnText value, CnNetConditions *conditions, bool *known)
{
    *known = true;
    if (cn_text_equal(key, cn_text("latency")))
        return parse_milliseconds(value, CN_NET_MAX_LATENCY_MS, &conditions->latency_ms);
    if (cn_text_equal(key, cn_text("jitter")))
        return parse_milliseconds(value, CN_NET_MAX_LATENCY_MS, &conditions->jitter_ms);
    if (cn_text_equal(key, cn_text("loss")))
        return parse_probability(value, &conditions->loss);
    if (cn_text_equal(key, cn_text("duplicate")))
        return parse_probability(value, &conditions->duplicates);
    if (cn_text_equal(key, cn_text("reorder")))
        return parse_probability(value, &conditions->reordering);
    if (cn_text_equal(key, cn_text("bandwidth")))
        return parse_bandwidth(value, &conditions->bandwidth_bytes);
    if (cn_text_equal(key, cn_text("outage")))
        return parse_outage(value, conditions);
    if (cn_text_equal(key, cn_text("seed")))
        return parse_seed(value, &conditions->seed);
    return *known = false;
}

static bool parse_item(CnText item, CnNetConditions *conditions, CnError *error)
{
    CnText value = cn_text_trim(item), key;
    bool known = false;
    if (memchr(item.data, '=', item.size) && cn_text_split(&value, '=', &key) &&
        parse_value(cn_text_trim(key), cn_text_trim(value), conditions, &known))
        return true;
    return cn_error_set(error, CN_ERROR_FORMAT,
                        known ? "simulated network: '%.*s' is not a valid value, such as "
                                "latency=200ms, loss=5%%, bandwidth=10Mbit, outage=5s-15s"
                              : "simulated network: '%.*s' is unknown; expected latency, jitter, "
                                "loss, duplicate, reorder, bandwidth, outage or seed, with '='",
                        (int)(item.size < 60 ? item.size : 60), item.data);
}

bool cn_net_conditions_parse(CnText text, CnNetConditions *conditions, CnError *error)
{
    CnNetConditions parsed = {0};
    CnText item;
    while (cn_text_split(&text, ',', &item))
        if (!parse_item(item, &parsed, error))
            return false;
    *conditions = parsed;
    return true;
}
