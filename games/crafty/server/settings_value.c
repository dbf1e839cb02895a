/* Values of settings: text of the file to numbers, choices, durations and sizes. */
#include "settings_table.h"

#include "address_range.h"

typedef struct Unit {
    const char *name;
    uint32_t factor;
} Unit;

static const Unit durations[] = {{"s", 1},       {"min", 60},     {"h", 3600},    {"d", 86400},
                                 {"second", 1},  {"seconds", 1},  {"minute", 60}, {"minutes", 60},
                                 {"hour", 3600}, {"hours", 3600}, {"day", 86400}, {"days", 86400}};
static const Unit sizes[] = {{"B", 1},        {"kB", 1000},  {"KB", 1000},
                             {"MB", 1000000}, {"KiB", 1024}, {"MiB", 1024 * 1024}};

/* Reads digits. Returns false if there are none or the number is too large; *rest follows. */
static bool read_digits(CnText text, uint64_t *number, CnText *rest)
{
    size_t at = 0;
    *number = 0;
    while (at < text.size && text.data[at] >= '0' && text.data[at] <= '9' && *number < UINT32_MAX)
        *number = *number * 10 + (uint64_t)(text.data[at++] - '0');
    *rest = cn_text_trim((CnText){text.data + at, text.size - at});
    return at > 0 && *number <= UINT32_MAX;
}

static bool read_with_unit(CnText value, const Unit *units, uint32_t unit_count, uint64_t *number)
{
    CnText unit;
    if (!read_digits(value, number, &unit))
        return false;
    for (uint32_t i = 0; i < unit_count; i++)
        if (cn_text_equal(unit, cn_text(units[i].name))) {
            *number *= units[i].factor;
            return true;
        }
    return false;
}

static bool read_switch(CnText value, uint64_t *number)
{
    static const char *const words[] = {"off", "on", "no", "yes", "false", "true"};
    for (uint32_t i = 0; i < CN_COUNT_OF(words); i++)
        if (cn_text_equal(value, cn_text(words[i]))) {
            *number = i & 1;
            return true;
        }
    return false;
}

static bool read_choice(const char *const *choices, CnText value, uint64_t *number)
{
    for (uint32_t i = 0; choices[i]; i++)
        if (choices[i][0] && cn_text_equal(value, cn_text(choices[i]))) {
            *number = i;
            return true;
        }
    return false;
}

/* Writes "a, b or c". */
static void list_choices(const char *const *choices, char expected[CRAFTY_EXPECTED_BYTES])
{
    uint32_t last = 0, used = 0;
    while (choices[last + 1])
        last++;
    expected[0] = '\0';
    for (uint32_t i = 0; i <= last && used < CRAFTY_EXPECTED_BYTES; i++)
        if (choices[i][0]) {
            const char *joint = !used ? "" : i == last ? " or " : ", ";
            cn_format(expected + used, CRAFTY_EXPECTED_BYTES - used, "%s%s", joint, choices[i]);
            used = (uint32_t)strlen(expected);
        }
}

static uint32_t count_characters(CnText text)
{
    uint32_t count = 0, character;
    for (size_t at = 0; at < text.size; count++)
        at = cn_utf8_next(text, at, &character);
    return count;
}

static bool is_plain(CnText text)
{
    char escaped[CRAFTY_SETTINGS_PATH_BYTES * 4];
    return cn_text_is_utf8(text) && text.size < CRAFTY_SETTINGS_PATH_BYTES &&
           strlen(cn_text_escape(text, escaped, sizeof escaped)) == text.size;
}

static bool read_text(const CraftySetting *setting, char *to, CnText value,
                      char expected[CRAFTY_EXPECTED_BYTES])
{
    uint32_t characters = count_characters(value);
    if (is_plain(value) && characters >= setting->minimum && characters <= setting->maximum &&
        value.size < setting->bytes)
        return cn_copy_text(to, setting->bytes, value);
    cn_format(expected, CRAFTY_EXPECTED_BYTES,
              "%u to %u characters of UTF-8, in at most %u bytes, without control characters",
              setting->minimum, setting->maximum, setting->bytes - 1);
    return false;
}

static bool read_address(const CraftySetting *setting, char *to, CnText value,
                         char expected[CRAFTY_EXPECTED_BYTES])
{
    char text[64];
    CraftyAddressRange range;
    if (cn_copy_text(text, sizeof text, value) && !strchr(text, '/') &&
        crafty_address_range_parse(&range, text))
        return cn_copy_text(to, setting->bytes, value);
    cn_format(expected, CRAFTY_EXPECTED_BYTES,
              "a numeric address, such as 127.0.0.1, 0.0.0.0 or ::");
    return false;
}

static bool read_number(const CraftySetting *setting, CnText value, uint64_t *number,
                        char expected[CRAFTY_EXPECTED_BYTES])
{
    CnText rest;
    bool may_be_zero = setting->minimum == 0;
    switch (setting->type) {
    case CRAFTY_SETTING_SWITCH:
        cn_format(expected, CRAFTY_EXPECTED_BYTES, "on or off");
        return read_switch(value, number);
    case CRAFTY_SETTING_CHOICE:
        list_choices(setting->choices, expected);
        return read_choice(setting->choices, value, number);
    case CRAFTY_SETTING_DURATION:
        cn_format(expected, CRAFTY_EXPECTED_BYTES,
                  "a time from %u s to %u s, such as \"30 s\", \"5 min\", \"6 h\" or \"1 d\"%s",
                  setting->minimum, setting->maximum, may_be_zero ? ", or \"never\"" : "");
        *number = 0;
        if (may_be_zero && cn_text_equal(value, cn_text("never")))
            return true;
        return read_with_unit(value, durations, CN_COUNT_OF(durations), number);
    case CRAFTY_SETTING_SIZE:
        cn_format(expected, CRAFTY_EXPECTED_BYTES,
                  "a size from %u to %u bytes, such as \"64 kB\" or \"1 MiB\"", setting->minimum,
                  setting->maximum);
        return read_with_unit(value, sizes, CN_COUNT_OF(sizes), number);
    default:
        cn_format(expected, CRAFTY_EXPECTED_BYTES, "a number from %u to %u", setting->minimum,
                  setting->maximum);
        return read_digits(value, number, &rest) && rest.size == 0;
    }
}

bool crafty_setting_read(const CraftySetting *setting, void *base, CnText value,
                         char expected[CRAFTY_EXPECTED_BYTES])
{
    uint8_t *to = (uint8_t *)base + setting->offset;
    uint64_t number = 0;
    if (setting->type == CRAFTY_SETTING_TEXT)
        return read_text(setting, (char *)to, value, expected);
    if (setting->type == CRAFTY_SETTING_ADDRESS)
        return read_address(setting, (char *)to, value, expected);
    if (!read_number(setting, value, &number, expected))
        return false;
    bool has_range = setting->type != CRAFTY_SETTING_CHOICE;
    if (has_range && (number < setting->minimum || number > setting->maximum))
        return false;
    memcpy(to, &(uint32_t){(uint32_t)number}, sizeof(uint32_t));
    return true;
}
