#include "hud_internal.h"

#include "crafty/sim/connection.h"

#include <cairn/base/bytes.h>
#include <cairn/base/hash_map.h>

#include <string.h>

#define VERSION 2u /* 1 had no waiting dialogs */

/* Transient resource. */
typedef struct CraftyModHud {
    CraftyModHudState *hud;
} CraftyModHud;
CN_OPAQUE(CraftyModHud);

/* ---- Entries ---- */

void crafty_mod_hud_entry_free(const CraftyModHudState *hud, CraftyModHudEntry *entry)
{
    if (entry->text)
        cn_free(hud->allocator, entry->text, crafty_mod_hud_bytes(entry));
    *entry = (CraftyModHudEntry){0};
}

bool crafty_mod_hud_entry_init(const CraftyModHudState *hud, CraftyModHudEntry *entry, CnText mod,
                               CnText key, CnText json)
{
    *entry = (CraftyModHudEntry){.mod_bytes = (uint32_t)mod.size,
                                 .key_bytes = (uint32_t)key.size,
                                 .json_bytes = (uint32_t)json.size};
    entry->text = cn_alloc_zeroed(hud->allocator, crafty_mod_hud_bytes(entry));
    if (!entry->text)
        return false;
    memcpy(entry->text, mod.data, mod.size);
    memcpy(entry->text + mod.size + 1, key.data, key.size);
    memcpy(entry->text + mod.size + key.size + 2, json.data, json.size);
    return true;
}

static int compare(const CraftyModHudEntry *entry, CnText mod, CnText key)
{
    int order = cn_text_compare(crafty_mod_hud_mod(entry), mod);
    return order ? order : cn_text_compare(crafty_mod_hud_key(entry), key);
}

/* Returns the index of the first entry that is not less. */
static uint32_t find(const CraftyModHudScreen *screen, CnText mod, CnText key, bool *exists)
{
    uint32_t low = 0, high = screen->entries.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare(&screen->entries.items[middle], mod, key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *exists = low < screen->entries.count && compare(&screen->entries.items[low], mod, key) == 0;
    return low;
}

/* ---- The state ---- */

CraftyModHudState *crafty_mod_hud_state(const CnWorld *world)
{
    const CraftyModHud *own = cn_resource(world, CraftyModHud);
    return own ? own->hud : NULL;
}

CraftyModHudScreen *crafty_mod_hud_screen(const CnWorld *world, uint32_t player)
{
    CraftyModHudState *hud = crafty_mod_hud_state(world);
    bool has = hud && player >= CRAFTY_FIRST_PLAYER && player <= hud->screens.count;
    return has ? hud->screens.items[player - 1] : NULL;
}

CraftyModHudScreen *crafty_mod_hud_own_screen(const CnWorld *world, uint32_t player, CnError *error)
{
    CraftyModHudState *hud = crafty_mod_hud_state(world);
    CraftyModHudScreen *screen = crafty_mod_hud_screen(world, player);
    if (screen)
        return screen;
    if (!hud || player < CRAFTY_FIRST_PLAYER || player > CRAFTY_MAX_PLAYER_NUMBER) {
        cn_error_set(error, CN_ERROR_NOT_FOUND, "there is no player %u", player);
        return NULL;
    }
    while (hud->screens.count < player)
        if (!cn_array_push(&hud->screens, NULL)) {
            cn_error_memory(error, "the HUD");
            return NULL;
        }
    screen = cn_alloc_zeroed(hud->allocator, sizeof *screen);
    if (!screen) {
        cn_error_memory(error, "the HUD");
        return NULL;
    }
    screen->player = player;
    cn_array_init(&screen->entries, hud->allocator);
    cn_array_init(&screen->waiting, hud->allocator);
    hud->screens.items[player - 1] = screen;
    return screen;
}

uint32_t crafty_mod_hud_screen_count(const CnWorld *world)
{
    const CraftyModHudState *hud = crafty_mod_hud_state(world);
    return hud ? hud->screens.count : 0;
}

uint64_t crafty_mod_hud_entry_hash(const CraftyModHudEntry *entry, uint64_t seed)
{
    return entry->text ? cn_hash_bytes(entry->text, crafty_mod_hud_bytes(entry), seed) : 0;
}

void crafty_mod_hud_changed(CnWorld *world, CraftyModHudScreen *screen)
{
    screen->revision = ++crafty_mod_hud_state(world)->revision;
}

/* Adds or removes an entry of the state to or from its hash. */
void crafty_mod_hud_count(CnWorld *world, const CraftyModHudScreen *screen,
                          const CraftyModHudEntry *entry, bool is_added)
{
    CraftyModHudState *hud = crafty_mod_hud_state(world);
    uint64_t seed = screen->player;
    if (entry == &screen->dialog)
        seed |= (uint64_t)screen->dialog_number << 32;
    uint64_t hash = crafty_mod_hud_entry_hash(entry, seed);
    hud->hash += is_added ? hash : 0 - hash;
}

/* ---- Elements ---- */

static bool has_room(const CraftyModHudScreen *screen, const CraftyModHudEntry *old, CnText mod,
                     CnText json, CnError *error)
{
    size_t bytes = json.size - (old ? old->json_bytes : 0);
    uint32_t elements = old ? 0 : 1;
    for (uint32_t i = 0; i < screen->entries.count; i++)
        if (cn_text_equal(crafty_mod_hud_mod(&screen->entries.items[i]), mod)) {
            bytes += screen->entries.items[i].json_bytes;
            elements++;
        }
    if (elements > CRAFTY_MOD_HUD_ELEMENTS)
        return cn_error_set(error, CN_ERROR_LIMIT, "a mod shows at most %u elements to a player",
                            CRAFTY_MOD_HUD_ELEMENTS);
    return bytes <= CRAFTY_MOD_HUD_BYTES ||
           cn_error_set(error, CN_ERROR_LIMIT, "the elements of a player have more than %u KiB",
                        CRAFTY_MOD_HUD_BYTES / 1024);
}

bool crafty_mod_hud_check_key(CnText key, const char *what, CnError *error)
{
    return (key.size > 0 && key.size < CRAFTY_MOD_DIALOG_NAME_BYTES &&
            !memchr(key.data, 0, key.size)) ||
           cn_error_set(error, CN_ERROR_LIMIT, "%s has 1 to %u bytes", what,
                        CRAFTY_MOD_DIALOG_NAME_BYTES - 1);
}

static bool check_element(CraftyModHudState *hud, CnText json, CnError *error)
{
    crafty_mod_hud_view_fini(&hud->scratch);
    crafty_mod_hud_view_init(&hud->scratch, hud->allocator);
    return crafty_mod_hud_read(&hud->scratch, "", "", json, error);
}

static bool insert(CraftyModHudScreen *screen, uint32_t index, const CraftyModHudEntry *entry)
{
    if (!cn_array_reserve(&screen->entries, screen->entries.count + 1u))
        return false;
    memmove(&screen->entries.items[index + 1], &screen->entries.items[index],
            (screen->entries.count - index) * sizeof *entry);
    screen->entries.items[index] = *entry;
    screen->entries.count++;
    return true;
}

bool crafty_mod_hud_set(CnWorld *world, uint32_t player, const char *mod, CnText key, CnText json,
                        CnError *error)
{
    CraftyModHudState *hud = crafty_mod_hud_state(world);
    CraftyModHudScreen *screen = crafty_mod_hud_own_screen(world, player, error);
    bool exists;
    CraftyModHudEntry entry;
    if (!screen)
        return false;
    uint32_t index = find(screen, cn_text(mod), key, &exists);
    CraftyModHudEntry *old = exists ? &screen->entries.items[index] : NULL;
    if (old && cn_text_equal(crafty_mod_hud_json(old), json))
        return true;
    if (!crafty_mod_hud_check_key(key, "a key", error) ||
        !has_room(screen, old, cn_text(mod), json, error) || !check_element(hud, json, error))
        return false;
    if (!crafty_mod_hud_entry_init(hud, &entry, cn_text(mod), key, json))
        return cn_error_memory(error, "the HUD");
    if (old) {
        crafty_mod_hud_count(world, screen, old, false);
        crafty_mod_hud_entry_free(hud, old);
        *old = entry;
    } else if (!insert(screen, index, &entry)) {
        crafty_mod_hud_entry_free(hud, &entry);
        return cn_error_memory(error, "the HUD");
    }
    crafty_mod_hud_count(world, screen, &screen->entries.items[index], true);
    crafty_mod_hud_changed(world, screen);
    return true;
}

static void remove_at(CnWorld *world, CraftyModHudScreen *screen, uint32_t index)
{
    CraftyModHudEntry *entry = &screen->entries.items[index];
    crafty_mod_hud_count(world, screen, entry, false);
    crafty_mod_hud_entry_free(crafty_mod_hud_state(world), entry);
    screen->entries.count--;
    memmove(entry, entry + 1, (screen->entries.count - index) * sizeof *entry);
    crafty_mod_hud_changed(world, screen);
}

bool crafty_mod_hud_erase(CnWorld *world, uint32_t player, const char *mod, CnText key)
{
    CraftyModHudScreen *screen = crafty_mod_hud_screen(world, player);
    bool exists = false;
    uint32_t index = screen ? find(screen, cn_text(mod), key, &exists) : 0;
    if (exists)
        remove_at(world, screen, index);
    return exists;
}

void crafty_mod_hud_clear(CnWorld *world, uint32_t player, const char *mod)
{
    CraftyModHudScreen *screen = crafty_mod_hud_screen(world, player);
    for (uint32_t i = screen ? screen->entries.count : 0; i-- > 0;)
        if (cn_text_equal(crafty_mod_hud_mod(&screen->entries.items[i]), cn_text(mod)))
            remove_at(world, screen, i);
}

/* ---- Missing mods ---- */

void crafty_mod_hud_forget(CnWorld *world, const char *mod)
{
    for (uint32_t player = CRAFTY_FIRST_PLAYER; player <= crafty_mod_hud_screen_count(world);
         player++) {
        crafty_mod_hud_clear(world, player, mod);
        crafty_mod_dialog_close(world, player, mod);
    }
}

void crafty_mod_hud_keep(CnWorld *world, bool (*runs)(const void *user, CnText mod),
                         const void *user)
{
    for (uint32_t player = CRAFTY_FIRST_PLAYER; player <= crafty_mod_hud_screen_count(world);
         player++) {
        CraftyModHudScreen *screen = crafty_mod_hud_screen(world, player);
        for (uint32_t i = screen ? screen->entries.count : 0; i-- > 0;)
            if (!runs(user, crafty_mod_hud_mod(&screen->entries.items[i])))
                remove_at(world, screen, i);
        if (screen)
            crafty_mod_dialogs_keep(world, screen, runs, user);
    }
}

void crafty_mod_hud_leave(CnWorld *world, uint32_t player)
{
    CraftyModHudScreen *screen = crafty_mod_hud_screen(world, player);
    if (!screen)
        return;
    while (screen->entries.count)
        remove_at(world, screen, screen->entries.count - 1);
    if (screen->dialog_number)
        crafty_mod_dialog_remove(world, screen);
    crafty_mod_dialogs_clear(crafty_mod_hud_state(world), screen);
}

/* ---- Saving ---- */

static bool put_number(CnU8Array *bytes, uint32_t number)
{
    return cn_bytes_append(bytes, &number, sizeof number);
}

static bool put_entry(CnU8Array *bytes, const CraftyModHudEntry *entry)
{
    return put_number(bytes, entry->mod_bytes) && put_number(bytes, entry->key_bytes) &&
           put_number(bytes, entry->json_bytes) &&
           cn_bytes_append(bytes, entry->text, crafty_mod_hud_bytes(entry));
}

static bool put_screen(CnU8Array *bytes, uint32_t player, const CraftyModHudScreen *screen)
{
    bool good = put_number(bytes, player) && put_number(bytes, screen->entries.count);
    for (uint32_t i = 0; i < screen->entries.count && good; i++)
        good = put_entry(bytes, &screen->entries.items[i]);
    good = good && put_number(bytes, screen->dialog_number) &&
           (!screen->dialog_number || put_entry(bytes, &screen->dialog)) &&
           cn_bytes_append(bytes, &screen->open_tick, sizeof screen->open_tick) &&
           put_number(bytes, screen->waiting.count);
    for (uint32_t i = 0; i < screen->waiting.count && good; i++)
        good = put_entry(bytes, &screen->waiting.items[i]);
    return good;
}

static bool is_empty(const CraftyModHudScreen *screen)
{
    return !screen->entries.count && !screen->dialog_number && !screen->waiting.count &&
           !screen->open_tick;
}

/* An empty HUD has no bytes. */
bool crafty_mod_hud_write(const CnWorld *world, CnU8Array *bytes, CnError *error)
{
    const CraftyModHudState *hud = crafty_mod_hud_state(world);
    bool good = hud->last_dialog == 0 && hud->hash == 0
                    ? true
                    : put_number(bytes, VERSION) && put_number(bytes, hud->last_dialog);
    for (uint32_t i = 0; i < hud->screens.count && good; i++) {
        const CraftyModHudScreen *screen = hud->screens.items[i];
        if (screen && !is_empty(screen))
            good = put_screen(bytes, i + 1, screen);
    }
    return good || cn_error_memory(error, "the HUD");
}

uint64_t crafty_mod_hud_hash(const CnWorld *world)
{
    const CraftyModHudState *hud = crafty_mod_hud_state(world);
    uint64_t hash = hud->hash + hud->last_dialog;
    for (uint32_t i = 0; i < hud->screens.count; i++) {
        const CraftyModHudScreen *screen = hud->screens.items[i];
        if (!screen)
            continue;
        if (screen->open_tick)
            hash += cn_hash_mix(screen->open_tick + i);
        for (uint32_t k = 0; k < screen->waiting.count; k++)
            hash += crafty_mod_hud_entry_hash(&screen->waiting.items[k],
                                              (uint64_t)(k + 1) << 32 | (i + 1) << 16);
    }
    return hash;
}

typedef struct Reader {
    const uint8_t *at, *end;
    uint32_t version;
} Reader;

static bool take_number(Reader *reader, uint32_t *number)
{
    if ((size_t)(reader->end - reader->at) < sizeof *number)
        return false;
    *number = cn_load_u32(reader->at);
    reader->at += sizeof *number;
    return true;
}

static bool take_entry(Reader *reader, CraftyModHudEntry *entry)
{
    *entry = (CraftyModHudEntry){0};
    if (!take_number(reader, &entry->mod_bytes) || !take_number(reader, &entry->key_bytes) ||
        !take_number(reader, &entry->json_bytes) || entry->mod_bytes >= CRAFTY_MOD_HUD_MOD_BYTES ||
        entry->key_bytes >= CRAFTY_MOD_DIALOG_NAME_BYTES ||
        entry->json_bytes > CRAFTY_MOD_HUD_BYTES ||
        (size_t)(reader->end - reader->at) < crafty_mod_hud_bytes(entry))
        return false;
    entry->text = (char *)(uintptr_t)reader->at;
    reader->at += crafty_mod_hud_bytes(entry);
    const char *mod_end = entry->text + entry->mod_bytes, *key_end = mod_end + 1 + entry->key_bytes,
               *end = key_end + 1 + entry->json_bytes;
    return !*mod_end && !*key_end && !*end && !memchr(entry->text, 0, entry->mod_bytes) &&
           cn_text_is_utf8(crafty_mod_hud_key(entry)) &&
           cn_text_is_utf8(crafty_mod_hud_json(entry));
}

static bool read_waiting(CnWorld *world, Reader *reader, uint32_t player)
{
    CraftyModHudScreen *screen = crafty_mod_hud_screen(world, player);
    CraftyModHudEntry entry;
    uint32_t count;
    if (reader->version < 2)
        return true;
    if ((size_t)(reader->end - reader->at) < sizeof screen->open_tick)
        return false;
    screen->open_tick = cn_load_u64(reader->at);
    reader->at += sizeof screen->open_tick;
    if (!take_number(reader, &count))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!take_entry(reader, &entry) ||
            !crafty_mod_dialog_restore_waiting(world, player, &entry))
            return false;
    return true;
}

static bool read_dialogs(CnWorld *world, Reader *reader, uint32_t player)
{
    uint32_t number;
    CraftyModHudEntry entry;
    if (!take_number(reader, &number) || number > crafty_mod_hud_state(world)->last_dialog)
        return false;
    if (number &&
        (!take_entry(reader, &entry) || !crafty_mod_dialog_restore(world, player, number, &entry)))
        return false;
    return read_waiting(world, reader, player);
}

static bool read_screen(CnWorld *world, Reader *reader)
{
    uint32_t player, elements;
    CraftyModHudEntry entry;
    if (!take_number(reader, &player) || !take_number(reader, &elements) ||
        !crafty_mod_hud_own_screen(world, player, NULL))
        return false;
    for (uint32_t i = 0; i < elements; i++)
        if (!take_entry(reader, &entry) ||
            !crafty_mod_hud_set(world, player, entry.text, crafty_mod_hud_key(&entry),
                                crafty_mod_hud_json(&entry), NULL))
            return false;
    return read_dialogs(world, reader, player);
}

static void clear(CnWorld *world)
{
    CraftyModHudState *hud = crafty_mod_hud_state(world);
    for (uint32_t i = 0; i < hud->screens.count; i++) {
        CraftyModHudScreen *screen = hud->screens.items[i];
        if (!screen)
            continue;
        for (uint32_t e = 0; e < screen->entries.count; e++)
            crafty_mod_hud_entry_free(hud, &screen->entries.items[e]);
        screen->entries.count = 0;
        crafty_mod_dialogs_clear(hud, screen);
        crafty_mod_hud_changed(world, screen);
    }
    hud->hash = 0;
    hud->last_dialog = 0;
}

bool crafty_mod_hud_restore(CnWorld *world, const uint8_t *bytes, size_t size, CnError *error)
{
    Reader reader = {bytes, bytes + size, 0};
    uint32_t last;
    clear(world);
    if (size == 0)
        return true;
    bool good = take_number(&reader, &reader.version) && reader.version >= 1 &&
                reader.version <= VERSION && take_number(&reader, &last) && last <= INT32_MAX;
    if (good)
        crafty_mod_hud_state(world)->last_dialog = last;
    while (good && reader.at < reader.end)
        good = read_screen(world, &reader);
    if (good)
        return true;
    clear(world);
    return cn_error_set(error, CN_ERROR_FORMAT, "the saved HUD of mods is damaged");
}

/* ---- Adding ---- */

static void destroy(CraftyModHudState *hud)
{
    for (uint32_t i = 0; i < hud->screens.count; i++) {
        CraftyModHudScreen *screen = hud->screens.items[i];
        if (!screen)
            continue;
        for (uint32_t e = 0; e < screen->entries.count; e++)
            crafty_mod_hud_entry_free(hud, &screen->entries.items[e]);
        cn_array_fini(&screen->entries);
        crafty_mod_dialogs_clear(hud, screen);
        cn_array_fini(&screen->waiting);
        cn_free(hud->allocator, screen, sizeof *screen);
    }
    cn_array_fini(&hud->screens);
    crafty_mod_hud_view_fini(&hud->scratch);
    cn_free(hud->allocator, hud, sizeof *hud);
}

static CraftyModHudState *create(CnAllocator *allocator)
{
    CraftyModHudState *hud = cn_alloc_zeroed(allocator, sizeof *hud);
    if (!hud)
        return NULL;
    hud->allocator = allocator;
    cn_array_init(&hud->screens, allocator);
    crafty_mod_hud_view_init(&hud->scratch, allocator);
    return hud;
}

bool crafty_mod_hud_add(CnWorld *world, CnError *error)
{
    const CnComponentDesc desc = {.type = &cn_type_CraftyModHud, .flags = CN_COMPONENT_TRANSIENT};
    if (cn_resource(world, CraftyModHud))
        return true;
    if (!cn_component_register(world, &desc, error).id)
        return false;
    CraftyModHudState *hud = create(cn_world_allocator(world));
    if (hud && cn_resource_set(world, CraftyModHud, {.hud = hud}))
        return true;
    if (hud)
        destroy(hud);
    return cn_error_memory(error, "the HUD of mods");
}

void crafty_mod_hud_remove(CnWorld *world)
{
    CraftyModHudState *hud = crafty_mod_hud_state(world);
    if (!hud)
        return;
    destroy(hud);
    cn_resource_remove(world, CraftyModHud);
}
