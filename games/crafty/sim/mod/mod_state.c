/* The state of mods in saved worlds: storage, what waits, and the other parts; docs/formats.md
 * describes the bytes. Nothing in them is trusted. */
#include "mods_internal.h"

#include <cairn/base/bytes.h>
#include <cairn/base/hash_map.h>
#include <cairn/base/log.h>

#include <string.h>

#define VERSION 2u
#define PLAYERS_1 16u /* of version 1 */
#define MAX_MODS 256u /* with those that are missing */
#define NAME_BYTES CRAFTY_MOD_KEY_BYTES

/* ---- Writing ---- */

static bool put(CnU8Array *bytes, const void *data, size_t size)
{
    return cn_bytes_append(bytes, data, size);
}

static bool put_u32(CnU8Array *bytes, uint32_t value)
{
    return put(bytes, &value, sizeof value);
}

static bool put_u64(CnU8Array *bytes, uint64_t value)
{
    return put(bytes, &value, sizeof value);
}

static bool put_text(CnU8Array *bytes, const char *text)
{
    uint32_t size = (uint32_t)strlen(text);
    return put_u32(bytes, size) && put(bytes, text, size);
}

/* Writes the size before what `write` appends. */
static bool end_block(CnU8Array *bytes, uint32_t begin)
{
    uint32_t size = bytes->count - begin;
    memcpy(bytes->items + begin - sizeof size, &size, sizeof size);
    return true;
}

static bool put_note(CnU8Array *bytes, const CraftyModNote *note)
{
    const uint32_t words[] = {note->event,
                              note->player,
                              0, /* unused */
                              (uint32_t)note->block | (uint32_t)note->item << 16,
                              note->count,
                              (uint32_t)note->cell.x,
                              (uint32_t)note->cell.y,
                              (uint32_t)note->cell.z};
    return put(bytes, words, sizeof words) && put(bytes, &note->value, sizeof note->value) &&
           put_u64(bytes, note->creature) && put_text(bytes, note->text);
}

/* Returns whether there is something to save about a player. */
static bool is_known(const CraftyModRun *run, uint32_t index)
{
    return crafty_mods_is_here(run, index) || run->visitors.items[index].refused_tick > run->tick;
}

static bool put_visitor(CnU8Array *bytes, const CraftyModRun *run, uint32_t index)
{
    const CraftyModVisitor *visitor = &run->visitors.items[index];
    const uint32_t words[] = {index + 1, crafty_mods_is_here(run, index),
                              (uint32_t)visitor->under.x, (uint32_t)visitor->under.y,
                              (uint32_t)visitor->under.z};
    return put(bytes, words, sizeof words) && put_u64(bytes, visitor->refused_tick);
}

static bool put_players(CnU8Array *bytes, const CraftyModRun *run)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < run->visitors.count; i++)
        count += is_known(run, i);
    bool good = put_u32(bytes, count);
    for (uint32_t i = 0; i < run->visitors.count && good; i++)
        good = !is_known(run, i) || put_visitor(bytes, run, i);
    good = good && put_u32(bytes, run->notes.count);
    for (uint32_t i = 0; i < run->notes.count && good; i++)
        good = put_note(bytes, &run->notes.items[i]);
    return good;
}

static bool put_store(CnU8Array *bytes, const char *name, const CraftyModStore *store,
                      const CnError *disabled)
{
    bool good = put_text(bytes, name) && put_u32(bytes, disabled != NULL);
    if (good && disabled)
        good = put_text(bytes, disabled->file) && put_u32(bytes, (uint32_t)disabled->line) &&
               put_text(bytes, disabled->message);
    if (!good || !put_u32(bytes, 0))
        return false;
    uint32_t begin = bytes->count;
    return crafty_mod_store_write(store, bytes) && end_block(bytes, begin);
}

static bool put_mods(CnU8Array *bytes, const CraftyModRun *run)
{
    uint32_t count = run->is_active ? run->mods->count : 0;
    bool good = put_u32(bytes, count + run->orphans.count);
    for (uint32_t i = 0; i < count && good; i++) {
        const CraftyModState *mod = &run->mods->list[i];
        good = put_store(bytes, mod->source->name, &mod->store,
                         mod->is_disabled && !mod->is_broken ? &mod->error : NULL);
    }
    for (uint32_t i = 0; i < run->orphans.count && good; i++)
        good = put_store(bytes, run->orphans.items[i].name, &run->orphans.items[i].store, NULL);
    return good;
}

/* Parts without any state are left out. */
static bool put_parts(CnU8Array *bytes, const CraftyModRun *run, CnError *error)
{
    for (uint32_t i = 0; crafty_mod_parts[i]; i++) {
        if (!run->parts[i])
            continue;
        uint32_t end = bytes->count;
        if (!put_text(bytes, crafty_mod_parts[i]->name) || !put_u32(bytes, 0))
            return false;
        uint32_t begin = bytes->count;
        if (!crafty_mod_parts[i]->save(run->parts[i], bytes, error))
            return false;
        end_block(bytes, begin);
        if (bytes->count == begin)
            bytes->count = end;
    }
    return true;
}

bool crafty_mods_save_state(const CraftyModRun *run, CnU8Array *bytes, CnError *error)
{
    if (!run->is_active && run->orphans.count == 0)
        return true;
    return (put_u32(bytes, VERSION) && put_players(bytes, run) && put_mods(bytes, run) &&
            put_parts(bytes, run, error)) ||
           cn_error_memory(error, "the state of mods");
}

/* ---- Reading ---- */

typedef struct Reader {
    const uint8_t *at, *end;
} Reader;

static bool take(Reader *reader, void *value, size_t size)
{
    if ((size_t)(reader->end - reader->at) < size)
        return false;
    memcpy(value, reader->at, size);
    reader->at += size;
    return true;
}

static bool take_bytes(Reader *reader, Reader *part)
{
    uint32_t size;
    if (!take(reader, &size, sizeof size) || (size_t)(reader->end - reader->at) < size)
        return false;
    *part = (Reader){reader->at, reader->at + size};
    reader->at += size;
    return true;
}

static bool take_text(Reader *reader, char *text, size_t text_bytes)
{
    Reader part;
    if (!take_bytes(reader, &part))
        return false;
    CnText read = {(const char *)part.at, (size_t)(part.end - part.at)};
    return cn_text_is_utf8(read) && (!read.size || !memchr(read.data, 0, read.size)) &&
           cn_copy_text(text, text_bytes, read);
}

static bool take_note(Reader *reader, CraftyModNote *note)
{
    uint32_t words[8];
    *note = (CraftyModNote){0};
    if (!take(reader, words, sizeof words) || !take(reader, &note->value, sizeof note->value) ||
        !take(reader, &note->creature, sizeof note->creature) ||
        !take_text(reader, note->text, sizeof note->text))
        return false;
    note->event = (uint8_t)words[0];
    note->player = words[1];
    note->block = (uint16_t)words[3];
    note->item = (uint16_t)(words[3] >> 16);
    note->count = (uint16_t)words[4];
    note->cell = (CnCell){(int32_t)words[5], (int32_t)words[6], (int32_t)words[7]};
    return words[0] < CRAFTY_MOD_EVENT_COUNT && note->value - note->value == 0;
}

static bool take_visitor(Reader *reader, CraftyModRun *run, uint32_t number, bool is_here)
{
    CraftyModVisitor *visitor = crafty_mods_visitor(run, number);
    if (!visitor || !take(reader, &visitor->under.x, 4) || !take(reader, &visitor->under.y, 4) ||
        !take(reader, &visitor->under.z, 4) || !take(reader, &visitor->refused_tick, 8))
        return false;
    visitor->seen = is_here ? run->watches : 0;
    return true;
}

/* Version 1 had 16 players, and a bit for each that was here. */
static bool take_players_1(Reader *reader, CraftyModRun *run)
{
    uint32_t here;
    bool good = take(reader, &here, sizeof here);
    for (uint32_t i = 0; i < PLAYERS_1 && good; i++)
        good = take_visitor(reader, run, i + 1, here >> i & 1);
    return good;
}

static bool take_players_2(Reader *reader, CraftyModRun *run)
{
    uint32_t count, words[2];
    bool good = take(reader, &count, sizeof count) && count <= CRAFTY_MAX_PLAYER_NUMBER;
    for (uint32_t i = 0; good && i < count; i++)
        good = take(reader, words, sizeof words) && words[1] <= 1 &&
               take_visitor(reader, run, words[0], words[1] != 0);
    return good;
}

static bool take_players(Reader *reader, uint32_t version, CraftyModRun *run)
{
    uint32_t count;
    bool good = version == 1 ? take_players_1(reader, run) : take_players_2(reader, run);
    good = good && take(reader, &count, sizeof count) && count <= CRAFTY_MOD_MAX_NOTES;
    for (uint32_t i = 0; good && i < count; i++) {
        CraftyModNote note;
        good = take_note(reader, &note) && cn_array_push(&run->notes, note);
    }
    return good;
}

static CraftyModState *find_mod(const CraftyModRun *run, const char *name)
{
    for (uint32_t i = 0; run->is_active && i < run->mods->count; i++)
        if (strcmp(run->mods->list[i].source->name, name) == 0)
            return &run->mods->list[i];
    return NULL;
}

/* Returns the storage of a mod, also of one that is missing. */
static CraftyModStore *store_of(CraftyModRun *run, const char *name, CraftyModState **mod)
{
    CraftyModOrphan orphan = {0};
    *mod = find_mod(run, name);
    if (*mod)
        return &(*mod)->store;
    crafty_mod_store_init(&orphan.store, cn_world_allocator(run->world));
    cn_copy_text(orphan.name, sizeof orphan.name, cn_text(name));
    return cn_array_push(&run->orphans, orphan) ? &run->orphans.items[run->orphans.count - 1].store
                                                : NULL;
}

static bool take_mod(Reader *reader, CraftyModRun *run, CnError *error)
{
    char name[NAME_BYTES];
    uint32_t is_disabled, line = 0;
    CnError cause = {.code = CN_ERROR_FORMAT};
    CraftyModState *mod;
    Reader bytes;
    if (!take_text(reader, name, sizeof name) || !take(reader, &is_disabled, sizeof is_disabled) ||
        (is_disabled &&
         (!take_text(reader, cause.file, sizeof cause.file) || !take(reader, &line, sizeof line) ||
          !take_text(reader, cause.message, sizeof cause.message))) ||
        !take_bytes(reader, &bytes))
        return false;
    CraftyModStore *store = store_of(run, name, &mod);
    if (!store || !crafty_mod_store_read(store, bytes.at, (size_t)(bytes.end - bytes.at), error))
        return false;
    if (mod && is_disabled && !mod->is_broken) {
        mod->is_disabled = true;
        mod->error = cause;
        mod->error.line = (int)line;
    }
    return true;
}

static bool take_mods(Reader *reader, CraftyModRun *run, CnError *error)
{
    uint32_t count;
    bool good = take(reader, &count, sizeof count) && count <= MAX_MODS;
    for (uint32_t i = 0; good && i < count; i++)
        good = take_mod(reader, run, error);
    return good;
}

/* Parts of later versions are ignored. */
static bool take_parts(Reader *reader, CraftyModRun *run, CnError *error)
{
    char name[NAME_BYTES];
    Reader bytes;
    while (reader->at < reader->end) {
        if (!take_text(reader, name, sizeof name) || !take_bytes(reader, &bytes))
            return false;
        for (uint32_t i = 0; crafty_mod_parts[i]; i++)
            if (run->parts[i] && strcmp(crafty_mod_parts[i]->name, name) == 0 &&
                !crafty_mod_parts[i]->restore(run->parts[i], bytes.at,
                                              (size_t)(bytes.end - bytes.at), error))
                return false;
    }
    return true;
}

/* ---- Restoring ---- */

static void forget(CraftyModRun *run)
{
    run->notes.count = 0;
    cn_array_clear(&run->visitors);
    for (uint32_t i = 0; i < run->orphans.count; i++)
        crafty_mod_store_fini(&run->orphans.items[i].store);
    run->orphans.count = 0;
    for (uint32_t i = 0; run->mods && i < run->mods->count; i++) {
        CraftyModState *mod = &run->mods->list[i];
        crafty_mod_store_fini(&mod->store);
        crafty_mod_store_init(&mod->store, run->mods->allocator);
        mod->is_disabled = mod->is_broken;
    }
    for (uint32_t i = 0; crafty_mod_parts[i]; i++)
        if (run->parts[i])
            crafty_mod_parts[i]->restore(run->parts[i], NULL, 0, &(CnError){0});
}

/* Always sets the error if it fails. */
static bool read_all(CraftyModRun *run, const uint8_t *bytes, size_t size, CnError *error)
{
    Reader reader = {bytes, bytes + size};
    uint32_t version;
    if (size == 0)
        return true;
    if (!take(&reader, &version, sizeof version) || version < 1 || version > VERSION)
        return cn_error_set(error, CN_ERROR_VERSION,
                            "the state of mods was saved by another version");
    if (take_players(&reader, version, run) && take_mods(&reader, run, error) &&
        take_parts(&reader, run, error))
        return true;
    if (!error->code)
        cn_error_set(error, CN_ERROR_FORMAT, "the saved state of mods is damaged");
    return false;
}

/* Variables of Lua are not state: main.lua runs again, unless nothing has run since. */
bool crafty_mods_start_again(CraftyModRun *run, CnError *error)
{
    CraftyMods *mods = run->mods;
    bool good = true;
    mods->phase = CRAFTY_MODS_REDEFINE;
    for (uint32_t i = 0; i < mods->count && good; i++)
        if (!mods->list[i].is_fresh && !mods->list[i].source->is_standard)
            good = crafty_mod_load(&mods->list[i], error);
    mods->phase = CRAFTY_MODS_IDLE;
    return good;
}

bool crafty_mods_restore_state(CraftyModRun *run, const uint8_t *bytes, size_t size, CnError *error)
{
    CnError wrong = {0};
    forget(run);
    bool is_read = read_all(run, bytes, size, &wrong);
    if (!is_read) {
        forget(run);
        cn_error_set(error, wrong.code, "%s", wrong.message);
    }
    if (!run->is_active)
        return is_read;
    CnError *why = is_read ? error : &wrong; /* the first error is reported */
    return crafty_mods_start_again(run, why) && crafty_mods_index(run, why) && is_read;
}

/* ---- The hash ---- */

static uint64_t add(uint64_t hash, uint64_t value)
{
    return cn_hash_mix(hash ^ value) + 0x9E3779B97F4A7C15u;
}

uint64_t crafty_mods_hash(const CraftyModRun *run)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < run->visitors.count; i++)
        hash += crafty_mods_is_here(run, i) ? cn_hash_mix(i + 1) : 0;
    for (uint32_t i = 0; i < run->mods->count; i++) {
        const CraftyModState *mod = &run->mods->list[i];
        bool is_disabled = mod->is_disabled && !mod->is_broken;
        hash = add(hash, mod->store.hash + mod->store.entries.count + (is_disabled ? 1u << 31 : 0));
    }
    for (uint32_t i = 0; i < run->orphans.count; i++)
        hash = add(hash, run->orphans.items[i].store.hash);
    for (uint32_t i = 0; i < run->notes.count; i++) {
        const CraftyModNote *note = &run->notes.items[i];
        hash = add(hash, (uint64_t)note->event << 56 ^ (uint64_t)note->player << 32 ^ note->block);
        hash = add(hash, (uint64_t)(uint32_t)note->cell.x << 32 ^ (uint32_t)note->cell.z);
        hash = add(hash, cn_hash_bytes(note->text, strlen(note->text), note->count));
    }
    for (uint32_t i = 0; crafty_mod_parts[i]; i++)
        if (run->parts[i])
            hash = add(hash, crafty_mod_parts[i]->hash(run->parts[i]));
    return hash;
}
