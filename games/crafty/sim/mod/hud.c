#include "hud_internal.h"

#include "crafty/sim/connection.h"
#include "crafty/sim/player.h"

#include <cairn/base/array.h>
#include <cairn/base/bytes.h>
#include <cairn/base/hash_map.h>

#include <string.h>

#define VERSION 1u

typedef struct Hud {
    CnAllocator *allocator;
    CN_ARRAY(CraftyModHudScreen *) screens; /* by number - 1; NULL: nothing was shown yet */
    uint64_t revision;
    uint64_t hash;            /* sum of those of all entries */
    uint32_t last_dialog;     /* number */
    CraftyModHudView scratch; /* for checking what mods set */
} Hud;

/* Transient resource. */
typedef struct CraftyModHud {
    Hud *hud;
} CraftyModHud;
CN_OPAQUE(CraftyModHud);

/* ---- Entries ---- */

static void free_entry(const Hud *hud, CraftyModHudEntry *entry)
{
    if (entry->text)
        cn_free(hud->allocator, entry->text, crafty_mod_hud_bytes(entry));
    *entry = (CraftyModHudEntry){0};
}

static bool make_entry(const Hud *hud, CraftyModHudEntry *entry, CnText mod, CnText key,
                       CnText json)
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

static Hud *hud_of(const CnWorld *world)
{
    const CraftyModHud *own = cn_resource(world, CraftyModHud);
    return own ? own->hud : NULL;
}

CraftyModHudScreen *crafty_mod_hud_screen(const CnWorld *world, uint32_t player)
{
    Hud *hud = hud_of(world);
    bool has = hud && player >= CRAFTY_FIRST_PLAYER && player <= hud->screens.count;
    return has ? hud->screens.items[player - 1] : NULL;
}

/* Makes the screen. Returns NULL and an error if no player has this number, or when out of memory.
 */
static CraftyModHudScreen *own_screen(const CnWorld *world, uint32_t player, CnError *error)
{
    Hud *hud = hud_of(world);
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
    hud->screens.items[player - 1] = screen;
    return screen;
}

static uint32_t screen_count(const CnWorld *world)
{
    const Hud *hud = hud_of(world);
    return hud ? hud->screens.count : 0;
}

static uint64_t hash_of(const CraftyModHudEntry *entry, uint64_t seed)
{
    return entry->text ? cn_hash_bytes(entry->text, crafty_mod_hud_bytes(entry), seed) : 0;
}

static void changed(CnWorld *world, CraftyModHudScreen *screen)
{
    screen->revision = ++hud_of(world)->revision;
}

/* Adds or removes an entry of the state to or from its hash. */
static void count(CnWorld *world, const CraftyModHudScreen *screen, const CraftyModHudEntry *entry,
                  bool is_added)
{
    Hud *hud = hud_of(world);
    uint64_t seed = screen->player;
    if (entry == &screen->dialog)
        seed |= (uint64_t)screen->dialog_number << 32;
    uint64_t hash = hash_of(entry, seed);
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

static bool check_key(CnText key, const char *what, CnError *error)
{
    return (key.size > 0 && key.size < CRAFTY_MOD_DIALOG_NAME_BYTES &&
            !memchr(key.data, 0, key.size)) ||
           cn_error_set(error, CN_ERROR_LIMIT, "%s has 1 to %u bytes", what,
                        CRAFTY_MOD_DIALOG_NAME_BYTES - 1);
}

static bool check_element(Hud *hud, CnText json, CnError *error)
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
    Hud *hud = hud_of(world);
    CraftyModHudScreen *screen = own_screen(world, player, error);
    bool exists;
    CraftyModHudEntry entry;
    if (!screen)
        return false;
    uint32_t index = find(screen, cn_text(mod), key, &exists);
    CraftyModHudEntry *old = exists ? &screen->entries.items[index] : NULL;
    if (old && cn_text_equal(crafty_mod_hud_json(old), json))
        return true;
    if (!check_key(key, "a key", error) || !has_room(screen, old, cn_text(mod), json, error) ||
        !check_element(hud, json, error))
        return false;
    if (!make_entry(hud, &entry, cn_text(mod), key, json))
        return cn_error_memory(error, "the HUD");
    if (old) {
        count(world, screen, old, false);
        free_entry(hud, old);
        *old = entry;
    } else if (!insert(screen, index, &entry)) {
        free_entry(hud, &entry);
        return cn_error_memory(error, "the HUD");
    }
    count(world, screen, &screen->entries.items[index], true);
    changed(world, screen);
    return true;
}

static void remove_at(CnWorld *world, CraftyModHudScreen *screen, uint32_t index)
{
    CraftyModHudEntry *entry = &screen->entries.items[index];
    count(world, screen, entry, false);
    free_entry(hud_of(world), entry);
    screen->entries.count--;
    memmove(entry, entry + 1, (screen->entries.count - index) * sizeof *entry);
    changed(world, screen);
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

/* ---- Dialogs ---- */

static void close_dialog(CnWorld *world, CraftyModHudScreen *screen)
{
    if (!screen->dialog_number)
        return;
    count(world, screen, &screen->dialog, false);
    free_entry(hud_of(world), &screen->dialog);
    screen->dialog_number = 0;
    changed(world, screen);
}

static bool check_dialog(Hud *hud, CnText json, CnError *error)
{
    CraftyModDialog dialog = {0};
    cn_arena_reset(&hud->scratch.memory);
    return crafty_mod_dialog_read(&dialog, &hud->scratch.memory, json, error);
}

bool crafty_mod_dialog_ask(CnWorld *world, uint32_t player, const char *mod, CnText name,
                           CnText json, bool *opened, CnError *error)
{
    Hud *hud = hud_of(world);
    CraftyModHudScreen *screen = own_screen(world, player, error);
    CraftyModHudEntry entry;
    *opened = false;
    if (!screen)
        return false;
    if (!check_key(name, "the name of a dialog", error) || !check_dialog(hud, json, error))
        return false;
    if (screen->dialog_number && !cn_text_equal(crafty_mod_hud_mod(&screen->dialog), cn_text(mod)))
        return true;
    if (!make_entry(hud, &entry, cn_text(mod), name, json))
        return cn_error_memory(error, "a dialog");
    close_dialog(world, screen);
    hud->last_dialog = hud->last_dialog == INT32_MAX ? 1 : hud->last_dialog + 1;
    screen->dialog = entry;
    screen->dialog_number = hud->last_dialog;
    count(world, screen, &screen->dialog, true);
    changed(world, screen);
    *opened = true;
    return true;
}

bool crafty_mod_dialog_close(CnWorld *world, uint32_t player, const char *mod)
{
    CraftyModHudScreen *screen = crafty_mod_hud_screen(world, player);
    bool has = screen && screen->dialog_number &&
               cn_text_equal(crafty_mod_hud_mod(&screen->dialog), cn_text(mod));
    if (has)
        close_dialog(world, screen);
    return has;
}

bool crafty_mod_dialog_choose(CnWorld *world, uint32_t player, uint32_t number, uint32_t choice,
                              CraftyModChoice *answer)
{
    Hud *hud = hud_of(world);
    CraftyModHudScreen *screen = crafty_mod_hud_screen(world, player);
    CraftyModDialog dialog = {0};
    if (!screen || !number || number != screen->dialog_number)
        return false;
    cn_arena_reset(&hud->scratch.memory);
    if (!crafty_mod_dialog_read(&dialog, &hud->scratch.memory, crafty_mod_hud_json(&screen->dialog),
                                NULL) ||
        choice > dialog.choice_count)
        return false;
    *answer = (CraftyModChoice){.player = player, .choice = choice};
    cn_copy_text(answer->mod, sizeof answer->mod, crafty_mod_hud_mod(&screen->dialog));
    cn_copy_text(answer->dialog, sizeof answer->dialog, crafty_mod_hud_key(&screen->dialog));
    close_dialog(world, screen);
    return true;
}

void crafty_mod_hud_forget(CnWorld *world, const char *mod)
{
    for (uint32_t player = CRAFTY_FIRST_PLAYER; player <= screen_count(world); player++) {
        crafty_mod_hud_clear(world, player, mod);
        crafty_mod_dialog_close(world, player, mod);
    }
}

void crafty_mod_hud_keep(CnWorld *world, bool (*runs)(const void *user, CnText mod),
                         const void *user)
{
    for (uint32_t player = CRAFTY_FIRST_PLAYER; player <= screen_count(world); player++) {
        CraftyModHudScreen *screen = crafty_mod_hud_screen(world, player);
        for (uint32_t i = screen ? screen->entries.count : 0; i-- > 0;)
            if (!runs(user, crafty_mod_hud_mod(&screen->entries.items[i])))
                remove_at(world, screen, i);
        if (screen && screen->dialog_number && !runs(user, crafty_mod_hud_mod(&screen->dialog)))
            close_dialog(world, screen);
    }
}

static void clear_screen(const Hud *hud, CraftyModHudScreen *screen)
{
    for (uint32_t i = 0; i < screen->entries.count; i++)
        free_entry(hud, &screen->entries.items[i]);
    screen->entries.count = 0;
    free_entry(hud, &screen->dialog);
    screen->dialog_number = 0;
}

void crafty_mod_hud_leave(CnWorld *world, uint32_t player)
{
    CraftyModHudScreen *screen = crafty_mod_hud_screen(world, player);
    if (!screen)
        return;
    while (screen->entries.count)
        remove_at(world, screen, screen->entries.count - 1);
    if (screen->dialog_number)
        close_dialog(world, screen);
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
    good = good && put_number(bytes, screen->dialog_number);
    return good && (!screen->dialog_number || put_entry(bytes, &screen->dialog));
}

/* An empty HUD has no bytes. */
bool crafty_mod_hud_write(const CnWorld *world, CnU8Array *bytes, CnError *error)
{
    const Hud *hud = hud_of(world);
    bool good = hud->last_dialog == 0 && hud->hash == 0
                    ? true
                    : put_number(bytes, VERSION) && put_number(bytes, hud->last_dialog);
    for (uint32_t i = 0; i < hud->screens.count && good; i++) {
        const CraftyModHudScreen *screen = hud->screens.items[i];
        if (screen && (screen->entries.count || screen->dialog_number))
            good = put_screen(bytes, i + 1, screen);
    }
    return good || cn_error_memory(error, "the HUD");
}

uint64_t crafty_mod_hud_hash(const CnWorld *world)
{
    const Hud *hud = hud_of(world);
    return hud->hash + hud->last_dialog;
}

typedef struct Reader {
    const uint8_t *at, *end;
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

static bool read_dialog(CnWorld *world, Reader *reader, uint32_t player)
{
    CraftyModHudScreen *screen = crafty_mod_hud_screen(world, player);
    Hud *hud = hud_of(world);
    uint32_t number, last = hud->last_dialog;
    bool opened = false;
    CraftyModHudEntry entry;
    if (!take_number(reader, &number))
        return false;
    if (number == 0)
        return true;
    if (number > last || !take_entry(reader, &entry) ||
        !crafty_mod_dialog_ask(world, player, entry.text, crafty_mod_hud_key(&entry),
                               crafty_mod_hud_json(&entry), &opened, NULL))
        return false;
    count(world, screen, &screen->dialog, false);
    screen->dialog_number = number;
    count(world, screen, &screen->dialog, true);
    hud->last_dialog = last;
    return opened;
}

static bool read_screen(CnWorld *world, Reader *reader)
{
    uint32_t player, elements;
    CraftyModHudEntry entry;
    if (!take_number(reader, &player) || !take_number(reader, &elements) ||
        !own_screen(world, player, NULL))
        return false;
    for (uint32_t i = 0; i < elements; i++)
        if (!take_entry(reader, &entry) ||
            !crafty_mod_hud_set(world, player, entry.text, crafty_mod_hud_key(&entry),
                                crafty_mod_hud_json(&entry), NULL))
            return false;
    return read_dialog(world, reader, player);
}

static void clear(CnWorld *world)
{
    Hud *hud = hud_of(world);
    for (uint32_t i = 0; i < hud->screens.count; i++) {
        if (!hud->screens.items[i])
            continue;
        clear_screen(hud, hud->screens.items[i]);
        changed(world, hud->screens.items[i]);
    }
    hud->hash = 0;
    hud->last_dialog = 0;
}

bool crafty_mod_hud_restore(CnWorld *world, const uint8_t *bytes, size_t size, CnError *error)
{
    Reader reader = {bytes, bytes + size};
    uint32_t version, last;
    clear(world);
    if (size == 0)
        return true;
    bool good = take_number(&reader, &version) && version == VERSION &&
                take_number(&reader, &last) && last <= INT32_MAX;
    if (good)
        hud_of(world)->last_dialog = last;
    while (good && reader.at < reader.end)
        good = read_screen(world, &reader);
    if (good)
        return true;
    clear(world);
    return cn_error_set(error, CN_ERROR_FORMAT, "the saved HUD of mods is damaged");
}

/* ---- Adding ---- */

static void destroy(Hud *hud)
{
    for (uint32_t i = 0; i < hud->screens.count; i++) {
        CraftyModHudScreen *screen = hud->screens.items[i];
        if (!screen)
            continue;
        clear_screen(hud, screen);
        cn_array_fini(&screen->entries);
        cn_free(hud->allocator, screen, sizeof *screen);
    }
    cn_array_fini(&hud->screens);
    crafty_mod_hud_view_fini(&hud->scratch);
    cn_free(hud->allocator, hud, sizeof *hud);
}

static Hud *create(CnAllocator *allocator)
{
    Hud *hud = cn_alloc_zeroed(allocator, sizeof *hud);
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
    Hud *hud = create(cn_world_allocator(world));
    if (hud && cn_resource_set(world, CraftyModHud, {.hud = hud}))
        return true;
    if (hud)
        destroy(hud);
    return cn_error_memory(error, "the HUD of mods");
}

void crafty_mod_hud_remove(CnWorld *world)
{
    Hud *hud = hud_of(world);
    if (!hud)
        return;
    destroy(hud);
    cn_resource_remove(world, CraftyModHud);
}
