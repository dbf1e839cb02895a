#include "world_mods.h"

#include <string.h>

#define HASH_DIGITS 16u

/* ---- Reading ---- */

static bool is_in(char c, const char *others)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c && strchr(others, c));
}

static bool read_name(CnText text, char name[CRAFTY_WORLD_MOD_NAME_BYTES])
{
    bool valid = text.size > 0 && text.data[0] >= 'a' && text.data[0] <= 'z';
    for (size_t i = 0; i < text.size; i++)
        valid = valid && is_in(text.data[i], "_");
    return valid && cn_copy_text(name, CRAFTY_WORLD_MOD_NAME_BYTES, text);
}

static bool read_version(CnText text, char version[CRAFTY_WORLD_MOD_VERSION_BYTES])
{
    bool valid = text.size > 0;
    for (size_t i = 0; i < text.size; i++)
        valid = valid && is_in(text.data[i], ".-+ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    return valid && cn_copy_text(version, CRAFTY_WORLD_MOD_VERSION_BYTES, text);
}

static bool read_hash(CnText text, uint64_t *hash)
{
    static const char digits[] = "0123456789abcdef";
    *hash = 0;
    for (size_t i = 0; i < text.size; i++) {
        const char *digit = text.data[i] ? strchr(digits, text.data[i]) : NULL;
        if (!digit)
            return false;
        *hash = *hash << 4 | (uint64_t)(digit - digits);
    }
    return text.size == HASH_DIGITS;
}

static bool read_mod(CraftyWorldMods *mods, CnText text)
{
    CnText name, version;
    CraftyWorldMod *mod = &mods->items[mods->count];
    if (mods->count == CRAFTY_WORLD_MODS_MAX || !cn_text_split(&text, ' ', &name) ||
        !cn_text_split(&text, ' ', &version) || !read_name(name, mod->name) ||
        !read_version(version, mod->version) || !read_hash(text, &mod->hash))
        return false;
    mods->count++;
    return mods->count == 1 || strcmp(mod[-1].name, mod->name) < 0;
}

bool crafty_world_mods_read(CraftyWorldMods *mods, CnText text, CnError *error)
{
    CraftyWorldMods read = {0};
    CnText item;
    bool valid = text.size == 0 || text.data[text.size - 1] != ',';
    while (valid && cn_text_split(&text, ',', &item))
        valid = read_mod(&read, item);
    if (!valid)
        return cn_error_set(error, CN_ERROR_FORMAT, "the list of mods is malformed");
    *mods = read;
    return true;
}

bool crafty_world_mods_write(const CraftyWorldMods *mods, CnTextBuilder *text)
{
    uint32_t before = text->count;
    for (uint32_t i = 0; i < mods->count; i++) {
        const CraftyWorldMod *mod = &mods->items[i];
        if (cn_text_append_format(text, "%s%s %s %016llx", i ? "," : "", mod->name, mod->version,
                                  (unsigned long long)mod->hash))
            continue;
        text->count = before;
        return false;
    }
    return true;
}

/* ---- Changing ---- */

/* Returns the index of the first mod whose name is not less. */
static uint32_t find(const CraftyWorldMods *mods, const char *name)
{
    uint32_t index = 0;
    while (index < mods->count && strcmp(mods->items[index].name, name) < 0)
        index++;
    return index;
}

static bool is_at(const CraftyWorldMods *mods, uint32_t index, const char *name)
{
    return index < mods->count && strcmp(mods->items[index].name, name) == 0;
}

const CraftyWorldMod *crafty_world_mods_find(const CraftyWorldMods *mods, const char *name)
{
    uint32_t index = find(mods, name);
    return is_at(mods, index, name) ? &mods->items[index] : NULL;
}

bool crafty_world_mods_set(CraftyWorldMods *mods, const CraftyWorldMod *mod)
{
    uint32_t index = find(mods, mod->name);
    if (!is_at(mods, index, mod->name)) {
        if (mods->count == CRAFTY_WORLD_MODS_MAX)
            return false;
        memmove(mods->items + index + 1, mods->items + index,
                (mods->count - index) * sizeof *mods->items);
        mods->count++;
    }
    mods->items[index] = *mod;
    return true;
}

bool crafty_world_mods_remove(CraftyWorldMods *mods, const char *name)
{
    uint32_t index = find(mods, name);
    if (!is_at(mods, index, name))
        return false;
    mods->count--;
    memmove(mods->items + index, mods->items + index + 1,
            (mods->count - index) * sizeof *mods->items);
    return true;
}

bool crafty_world_mods_equal(const CraftyWorldMods *a, const CraftyWorldMods *b)
{
    bool equal = a->count == b->count;
    for (uint32_t i = 0; i < a->count && equal; i++)
        equal = strcmp(a->items[i].name, b->items[i].name) == 0 &&
                strcmp(a->items[i].version, b->items[i].version) == 0 &&
                a->items[i].hash == b->items[i].hash;
    return equal;
}
