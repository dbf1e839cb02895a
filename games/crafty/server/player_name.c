#include "player_name.h"

#include <cairn/base/text.h>

typedef struct Range {
    uint32_t first, last;
} Range;

/* Characters that are invisible, combine, change the direction of writing, or have no meaning of
 * their own (private use, not assigned for interchange). */
static const Range refused[] = {
    {0x00, 0x20},       {0x7f, 0xa0},       {0xad, 0xad},       {0x300, 0x36f},   {0x483, 0x489},
    {0x61c, 0x61c},     {0x115f, 0x1160},   {0x1680, 0x1680},   {0x17b4, 0x17b5}, {0x180b, 0x180f},
    {0x1ab0, 0x1aff},   {0x1dc0, 0x1dff},   {0x2000, 0x200f},   {0x2028, 0x202f}, {0x205f, 0x206f},
    {0x20d0, 0x20ff},   {0x2800, 0x2800},   {0x3000, 0x3000},   {0x3164, 0x3164}, {0xd800, 0xf8ff},
    {0xfe00, 0xfe0f},   {0xfe20, 0xfe2f},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0}, {0xfff0, 0xffff},
    {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0x10ffff}};

/* ASCII that commands, addresses and logs use. */
static const char separators[] = "\"'`\\/|@#:;,=<>()[]{}%&*?!$^~+";

static const char *const reserved[] = {"console", "server", "everyone", "all", "admin", "operator"};

static bool is_refused(uint32_t character)
{
    for (uint32_t i = 0; i < CN_COUNT_OF(refused); i++)
        if (character >= refused[i].first && character <= refused[i].last)
            return true;
    return character < 0x80 && strchr(separators, (int)character);
}

static bool check_characters(CnText name, CnError *error)
{
    uint32_t count = 0, character;
    for (size_t at = 0; at < name.size; count++) {
        at = cn_utf8_next(name, at, &character);
        if (is_refused(character))
            return cn_error_set(error, CN_ERROR_FORMAT,
                                "the name has a character that is not allowed: U+%04X", character);
    }
    if (count == 0 || count > CRAFTY_PLAYER_NAME_CHARACTERS)
        return cn_error_set(error, CN_ERROR_FORMAT, "a name has 1 to %u characters",
                            CRAFTY_PLAYER_NAME_CHARACTERS);
    return true;
}

bool crafty_player_name_check(const char *name, CnError *error)
{
    CnText text = cn_text(name);
    if (text.size >= CRAFTY_PLAYER_NAME_BYTES)
        return cn_error_set(error, CN_ERROR_FORMAT, "a name has 1 to %u characters",
                            CRAFTY_PLAYER_NAME_CHARACTERS);
    if (!cn_text_is_utf8(text))
        return cn_error_set(error, CN_ERROR_FORMAT, "the name is not valid UTF-8");
    if (!check_characters(text, error))
        return false;
    if (name[0] == '-' || name[0] == '.')
        return cn_error_set(error, CN_ERROR_FORMAT, "a name does not begin with '%c'", name[0]);
    for (uint32_t i = 0; i < CN_COUNT_OF(reserved); i++)
        if (crafty_player_names_equal(name, reserved[i]))
            return cn_error_set(error, CN_ERROR_FORMAT, "the name \"%s\" is reserved", name);
    return true;
}

/* Returns the small letter of a capital one. */
static uint32_t fold(uint32_t character)
{
    bool is_capital = (character >= 'A' && character <= 'Z') ||
                      (character >= 0xc0 && character <= 0xde && character != 0xd7) ||
                      (character >= 0x391 && character <= 0x3a9) ||
                      (character >= 0x410 && character <= 0x42f);
    if (is_capital)
        return character + 32;
    if (character >= 0x400 && character <= 0x40f)
        return character + 80;
    bool is_odd_capital =
        (character >= 0x139 && character <= 0x148) || (character >= 0x179 && character <= 0x17e);
    if (is_odd_capital)
        return character + (character & 1);
    if ((character >= 0x100 && character <= 0x17f) || (character >= 0x460 && character <= 0x4ff) ||
        (character >= 0x1e00 && character <= 0x1eff))
        return character | 1;
    return character;
}

int crafty_player_names_compare(const char *a, const char *b)
{
    CnText text_a = cn_text(a), text_b = cn_text(b);
    size_t at_a = 0, at_b = 0;
    while (at_a < text_a.size && at_b < text_b.size) {
        uint32_t character_a, character_b;
        at_a = cn_utf8_next(text_a, at_a, &character_a);
        at_b = cn_utf8_next(text_b, at_b, &character_b);
        character_a = fold(character_a);
        character_b = fold(character_b);
        if (character_a != character_b)
            return character_a < character_b ? -1 : 1;
    }
    return (at_a < text_a.size) - (at_b < text_b.size);
}

bool crafty_player_names_equal(const char *a, const char *b)
{
    return crafty_player_names_compare(a, b) == 0;
}
