/*
 * How many scheduled ticks of each mod have not run yet, by the tick in which they run: a ring, in
 * which the count of a tick lies at its number modulo SLOTS. Part of the state, because the quota
 * depends on it.
 */
#include "mod_quota.h"
#include "mods_internal.h"

#include <cairn/base/bytes.h>
#include <cairn/base/hash_map.h>

#include <string.h>

#define VERSION 1u
#define SLOTS (CRAFTY_MOD_MAX_DELAY + 1u)

typedef struct Pending {
    uint32_t total;
    uint16_t counts[SLOTS];
} Pending;
CN_STATIC_ASSERT(CRAFTY_MOD_MOST_PENDING <= UINT16_MAX, "a slot counts all ticks of a mod");

typedef struct Schedules {
    CraftyModRun *run;
    uint32_t mod_count;
    uint64_t hash;    /* sum of those of all ticks */
    Pending *pending; /* by index of the mod */
} Schedules;

static uint64_t hash_of(uint32_t mod, uint32_t slot)
{
    return cn_hash_mix((uint64_t)(mod + 1) << 32 | slot);
}

static Schedules *schedules_of(const CraftyModRun *run)
{
    return crafty_mod_part(run, &crafty_mod_schedule_part);
}

static void add(Schedules *own, uint32_t mod, uint32_t slot, uint32_t count)
{
    own->pending[mod].total += count;
    own->pending[mod].counts[slot] = (uint16_t)(own->pending[mod].counts[slot] + count);
    own->hash += count * hash_of(mod, slot);
}

static void clear_slot(Schedules *own, uint32_t mod, uint32_t slot)
{
    Pending *pending = &own->pending[mod];
    own->hash -= pending->counts[slot] * hash_of(mod, slot);
    pending->total -= pending->counts[slot];
    pending->counts[slot] = 0;
}

/* ---- Counting ---- */

void crafty_mods_begin_schedules(CraftyModRun *run)
{
    Schedules *own = schedules_of(run);
    for (uint32_t mod = 0; own && mod < own->mod_count; mod++)
        if (own->pending[mod].total)
            clear_slot(own, mod, (uint32_t)(run->tick % SLOTS));
}

uint32_t crafty_mod_pending(const CraftyModState *mod)
{
    const Schedules *own = schedules_of(mod->mods->run);
    return own->pending[mod->index].total;
}

void crafty_mod_scheduled(const CraftyModState *mod, uint32_t delay)
{
    const CraftyModRun *run = mod->mods->run;
    add(schedules_of(run), mod->index, (uint32_t)((run->tick + delay) % SLOTS), 1);
}

/* ---- The part of the state ---- */

static void *create(CraftyModRun *run, CnError *error)
{
    CnAllocator *allocator = cn_world_allocator(run->world);
    Schedules *own = cn_alloc_zeroed(allocator, sizeof *own);
    Pending *pending = cn_alloc_zeroed(allocator, run->mods->count * sizeof *pending);
    if (!own || !pending) {
        cn_free(allocator, own, sizeof *own);
        cn_free(allocator, pending, run->mods->count * sizeof *pending);
        cn_error_memory(error, "the scheduled ticks of mods");
        return NULL;
    }
    *own = (Schedules){.run = run, .mod_count = run->mods->count, .pending = pending};
    return own;
}

static void destroy(void *part)
{
    Schedules *own = part;
    CnAllocator *allocator = cn_world_allocator(own->run->world);
    cn_free(allocator, own->pending, own->mod_count * sizeof *own->pending);
    cn_free(allocator, own, sizeof *own);
}

static bool put(CnU8Array *bytes, uint32_t number)
{
    return cn_bytes_append(bytes, &number, sizeof number);
}

static bool put_mod(CnU8Array *bytes, const char *name, const Pending *pending)
{
    uint32_t size = (uint32_t)strlen(name), slots = 0;
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        slots += pending->counts[slot] != 0;
    bool good = put(bytes, size) && cn_bytes_append(bytes, name, size) && put(bytes, slots);
    for (uint32_t slot = 0; slot < SLOTS && good; slot++)
        if (pending->counts[slot])
            good = put(bytes, slot) && put(bytes, pending->counts[slot]);
    return good;
}

static bool save(const void *part, CnU8Array *bytes, CnError *error)
{
    const Schedules *own = part;
    bool good = own->hash == 0 || put(bytes, VERSION);
    for (uint32_t mod = 0; mod < own->mod_count && good; mod++)
        if (own->pending[mod].total)
            good = put_mod(bytes, own->run->mods->list[mod].source->name, &own->pending[mod]);
    return good || cn_error_memory(error, "the scheduled ticks of mods");
}

typedef struct Reader {
    const uint8_t *at, *end;
} Reader;

static bool take(Reader *reader, uint32_t *number)
{
    if ((size_t)(reader->end - reader->at) < sizeof *number)
        return false;
    *number = cn_load_u32(reader->at);
    reader->at += sizeof *number;
    return true;
}

/* Returns the index of a mod; mod_count: it does not run now. */
static uint32_t find(const Schedules *own, CnText name)
{
    uint32_t mod = 0;
    while (mod < own->mod_count &&
           !cn_text_equal(cn_text(own->run->mods->list[mod].source->name), name))
        mod++;
    return mod;
}

static bool take_mod(Reader *reader, Schedules *own)
{
    uint32_t size, slots, slot, count;
    if (!take(reader, &size) || size > (size_t)(reader->end - reader->at))
        return false;
    uint32_t mod = find(own, (CnText){(const char *)reader->at, size});
    reader->at += size;
    if (!take(reader, &slots) || slots > SLOTS)
        return false;
    for (uint32_t i = 0; i < slots; i++) {
        if (!take(reader, &slot) || !take(reader, &count) || slot >= SLOTS || count == 0 ||
            count > CRAFTY_MOD_MOST_PENDING)
            return false;
        if (mod == own->mod_count)
            continue;
        if (own->pending[mod].counts[slot] ||
            own->pending[mod].total + count > CRAFTY_MOD_MOST_PENDING)
            return false;
        add(own, mod, slot, count);
    }
    return true;
}

static void clear(Schedules *own)
{
    memset(own->pending, 0, own->mod_count * sizeof *own->pending);
    own->hash = 0;
}

static bool restore(void *part, const uint8_t *bytes, size_t size, CnError *error)
{
    Schedules *own = part;
    Reader reader = {bytes, bytes + size};
    uint32_t version;
    clear(own);
    if (size == 0)
        return true;
    bool good = take(&reader, &version) && version == VERSION;
    while (good && reader.at < reader.end)
        good = take_mod(&reader, own);
    if (good)
        return true;
    clear(own);
    return cn_error_set(error, CN_ERROR_FORMAT, "the scheduled ticks of mods are damaged");
}

static uint64_t hash(const void *part)
{
    return ((const Schedules *)part)->hash;
}

const CraftyModPart crafty_mod_schedule_part = {.name = "schedules",
                                                .create = create,
                                                .destroy = destroy,
                                                .save = save,
                                                .restore = restore,
                                                .hash = hash};
