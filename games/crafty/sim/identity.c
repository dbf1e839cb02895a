#include "identity.h"

#include "player.h"
#include "player_index.h"
#include "rules.h"

#include <cairn/base/hash_map.h>

#include <string.h>

/* ---- Accounts ---- */

bool crafty_account_equal(const CraftyAccount *a, const CraftyAccount *b)
{
    return memcmp(a->key, b->key, sizeof a->key) == 0;
}

bool crafty_account_is_owner(const CraftyAccount *account)
{
    static const CraftyAccount owner = {{0}};
    return crafty_account_equal(account, &owner);
}

const char *crafty_account_write(const CraftyAccount *account, char text[CRAFTY_ACCOUNT_TEXT_BYTES])
{
    static const char digits[] = "0123456789abcdef";
    for (uint32_t i = 0; i < CRAFTY_ACCOUNT_KEY_BYTES; i++) {
        text[2 * i] = digits[account->key[i] >> 4];
        text[2 * i + 1] = digits[account->key[i] & 15u];
    }
    text[2 * CRAFTY_ACCOUNT_KEY_BYTES] = 0;
    return text;
}

static int digit_of(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

bool crafty_account_read(CnText text, CraftyAccount *account)
{
    CraftyAccount read;
    if (text.size != 2 * (size_t)CRAFTY_ACCOUNT_KEY_BYTES)
        return false;
    for (uint32_t i = 0; i < CRAFTY_ACCOUNT_KEY_BYTES; i++) {
        int high = digit_of(text.data[2 * i]), low = digit_of(text.data[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        read.key[i] = (uint8_t)(high << 4 | low);
    }
    *account = read;
    return true;
}

/* ---- Names ---- */

typedef struct Range {
    uint32_t first, last;
} Range;

/* Characters that are not visible, look like a blank, or change others. */
static const Range hidden[] = {
    {0x00, 0x20},       {0x7F, 0xA0},       {0xAD, 0xAD},     {0x034F, 0x034F}, {0x061C, 0x061C},
    {0x115F, 0x1160},   {0x1680, 0x1680},   {0x17B4, 0x17B5}, {0x180B, 0x180F}, {0x2000, 0x200F},
    {0x2028, 0x202F},   {0x205F, 0x206F},   {0x2800, 0x2800}, {0x3000, 0x3000}, {0x3164, 0x3164},
    {0xD800, 0xF8FF},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFF},
    {0x1D173, 0x1D17A}, {0xE0000, 0x10FFFF}};

static bool is_visible(uint32_t character)
{
    for (uint32_t i = 0; i < CN_COUNT_OF(hidden); i++)
        if (character >= hidden[i].first && character <= hidden[i].last)
            return false;
    return true;
}

static bool is_letter(uint32_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(uint32_t c)
{
    return c >= '0' && c <= '9';
}

static bool may_be_in_name(uint32_t c, bool is_first)
{
    if (c >= 0x80)
        return is_visible(c);
    return is_letter(c) || c == '_' || (!is_first && (is_digit(c) || c == '-' || c == '.'));
}

/* Latin, Greek and Cyrillic capitals become small letters. */
static uint32_t fold(uint32_t c)
{
    bool is_upper = (c >= 'A' && c <= 'Z') || (c >= 0xC0 && c <= 0xDE && c != 0xD7) ||
                    (c >= 0x391 && c <= 0x3A9) || (c >= 0x410 && c <= 0x42F);
    if (is_upper)
        return c + 32;
    if (c >= 0x400 && c <= 0x40F)
        return c + 80;
    bool is_pair = (c >= 0x100 && c <= 0x137) || (c >= 0x14A && c <= 0x177) ||
                   (c >= 0x460 && c <= 0x481) || (c >= 0x48A && c <= 0x4BF);
    bool is_odd_pair = (c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17E);
    return is_pair ? c | 1u : is_odd_pair ? c + (c & 1u) : c;
}

/* Writes the name in small letters. Returns the number of bytes. */
static size_t fold_name(CnText name, char folded[CRAFTY_PLAYER_NAME_BYTES])
{
    size_t size = 0;
    uint32_t character;
    for (size_t at = 0; at < name.size && size + 4 < CRAFTY_PLAYER_NAME_BYTES;) {
        at = cn_utf8_next(name, at, &character);
        size += cn_utf8_write(fold(character), folded + size);
    }
    return size;
}

/* "me", "console", "player12" */
static bool has_meaning(CnText name)
{
    char folded[CRAFTY_PLAYER_NAME_BYTES];
    CnText own = {folded, fold_name(name, folded)};
    if (cn_text_equal(own, cn_text("me")) || cn_text_equal(own, cn_text("console")))
        return true;
    size_t at = sizeof "player" - 1;
    if (!cn_text_starts_with(own, cn_text("player")))
        return false;
    while (at < own.size && is_digit((uint8_t)own.data[at]))
        at++;
    return at == own.size;
}

bool crafty_player_name_valid(CnText name)
{
    uint32_t length = 0, character;
    if (!name.size || name.size >= CRAFTY_PLAYER_NAME_BYTES || !cn_text_is_utf8(name))
        return false;
    for (size_t at = 0; at < name.size; length++) {
        at = cn_utf8_next(name, at, &character);
        if (!may_be_in_name(character, length == 0))
            return false;
    }
    return length <= CRAFTY_PLAYER_NAME_LENGTH && !has_meaning(name);
}

uint64_t crafty_name_key(CnText name)
{
    char folded[CRAFTY_PLAYER_NAME_BYTES];
    return cn_hash_bytes(folded, fold_name(name, folded), 0);
}

const char *crafty_player_default_name(uint32_t number, char name[CRAFTY_PLAYER_NAME_BYTES])
{
    if (number)
        cn_format(name, CRAFTY_PLAYER_NAME_BYTES, "player%u", number);
    else
        cn_copy_text(name, CRAFTY_PLAYER_NAME_BYTES, cn_text("console"));
    return name;
}

const char *crafty_player_name(const CnWorld *world, uint32_t number,
                               char name[CRAFTY_PLAYER_NAME_BYTES])
{
    CnEntity player = number ? crafty_player_by_number(world, number) : (CnEntity){0};
    const CraftyIdentity *identity = player.id ? cn_get(world, player, CraftyIdentity) : NULL;
    if (!identity || !identity->name[0])
        return crafty_player_default_name(number, name);
    cn_copy_text(name, CRAFTY_PLAYER_NAME_BYTES, cn_text(identity->name));
    return name;
}

/* ---- Roles ---- */

static const char *const roles[CRAFTY_ROLE_COUNT] = {[CRAFTY_ROLE_PLAYER] = "player",
                                                     [CRAFTY_ROLE_MODERATOR] = "moderator",
                                                     [CRAFTY_ROLE_OPERATOR] = "operator"};

const char *crafty_role_name(CraftyRole role)
{
    return (uint32_t)role < CRAFTY_ROLE_COUNT ? roles[role] : "unknown";
}

bool crafty_role_parse(const char *name, CraftyRole *role)
{
    for (uint32_t i = 0; i < CRAFTY_ROLE_COUNT; i++)
        if (strcmp(name, roles[i]) == 0) {
            *role = (CraftyRole)i;
            return true;
        }
    return false;
}

CraftyRole crafty_role_of(const CnWorld *world, CnEntity player)
{
    const CraftyIdentity *identity = player.id ? cn_get(world, player, CraftyIdentity) : NULL;
    if (identity)
        return identity->role < CRAFTY_ROLE_COUNT ? (CraftyRole)identity->role : CRAFTY_ROLE_PLAYER;
    return crafty_rules_allow_commands(world) ? CRAFTY_ROLE_OPERATOR : CRAFTY_ROLE_PLAYER;
}

bool crafty_identity_register(CnWorld *world, CnError *error)
{
    CnComponentDesc desc = {.type = &cn_type_CraftyIdentity};
    return cn_component_register(world, &desc, error).id != 0;
}
