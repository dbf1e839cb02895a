/*
 * The edit log, with undo that does not search it.
 *
 * Entries are in a ring buffer. An entry is active until it is undone or dropped. Active entries
 * are in two lists, newest first: one per cell and one per player. An entry can be undone exactly
 * if it is the newest active entry of its cell, which means that later changes to the cell, if any,
 * have been undone. An undo is recorded in the log but in no list; it removes the entry that it
 * undoes from both lists.
 */
#include <cairn/base/assert.h>
#include <cairn/base/hash_map.h>
#include <cairn/voxel/edit.h>

#define NONE UINT32_MAX

typedef enum ListKind { OF_CELL, OF_PLAYER, LIST_KINDS } ListKind;

typedef struct Link {
    uint32_t newer, older; /* slots, or NONE */
    bool listed;
} Link;

typedef struct Entry {
    CnEdit edit;
    Link links[LIST_KINDS];
} Entry;

struct CnEditLog {
    CnAllocator *allocator;
    Entry *entries; /* a ring buffer once `limit` entries exist */
    uint32_t capacity, limit;
    uint32_t oldest, count;
    uint64_t total;               /* ever appended */
    CnHashMap newest[LIST_KINDS]; /* slot of the newest entry of each list, by key_of */
};

CnEditLog *cn_edit_log_create(CnAllocator *allocator, uint32_t limit)
{
    CN_ASSERT(limit > 0 && limit < NONE, "a log keeps at least one edit");
    CnEditLog *log = cn_alloc_zeroed(allocator, sizeof *log);
    if (!log)
        return NULL;
    log->allocator = allocator;
    log->limit = limit;
    for (int kind = 0; kind < LIST_KINDS; kind++)
        cn_hash_map_init_keyed(&log->newest[kind], allocator, sizeof(uint32_t));
    return log;
}

void cn_edit_log_destroy(CnEditLog *log)
{
    if (!log)
        return;
    for (int kind = 0; kind < LIST_KINDS; kind++)
        cn_hash_map_fini(&log->newest[kind]);
    cn_free(log->allocator, log->entries, log->capacity * sizeof *log->entries);
    cn_free(log->allocator, log, sizeof *log);
}

/* ---- Lists ---- */

/* Cell keys are hashes, so a list may in theory hold entries of several cells. Cells come from
 * files and players, who must not be able to choose such cells. */
static uint64_t key_of(const CnEdit *edit, ListKind kind)
{
    if (kind == OF_PLAYER)
        return edit->player;
    return cn_hash_keyed(&edit->cell, sizeof edit->cell, 0);
}

static uint32_t newest_of(const CnEditLog *log, const CnEdit *edit, ListKind kind)
{
    const uint32_t *newest = cn_hash_map_get(&log->newest[kind], key_of(edit, kind));
    return newest ? *newest : NONE;
}

/* Adds an entry at the newest end. Returns false and changes nothing when out of memory. */
static bool list(CnEditLog *log, uint32_t slot, ListKind kind)
{
    Entry *entry = &log->entries[slot];
    uint32_t older = newest_of(log, &entry->edit, kind);
    if (!cn_hash_map_set(&log->newest[kind], key_of(&entry->edit, kind), &slot))
        return false;
    if (older != NONE)
        log->entries[older].links[kind].newer = slot;
    entry->links[kind] = (Link){NONE, older, true};
    return true;
}

static void unlist(CnEditLog *log, uint32_t slot, ListKind kind)
{
    Entry *entry = &log->entries[slot];
    Link link = entry->links[kind];
    if (!link.listed)
        return;
    entry->links[kind].listed = false;
    if (link.older != NONE)
        log->entries[link.older].links[kind].newer = link.newer;
    if (link.newer != NONE)
        log->entries[link.newer].links[kind].older = link.older;
    else if (link.older != NONE)
        *(uint32_t *)cn_hash_map_get(&log->newest[kind], key_of(&entry->edit, kind)) = link.older;
    else
        cn_hash_map_remove(&log->newest[kind], key_of(&entry->edit, kind));
}

/* Returns the newest active entry of the cell. */
static uint32_t standing_at(const CnEditLog *log, const CnEdit *edit)
{
    uint32_t slot = newest_of(log, edit, OF_CELL);
    while (slot != NONE) {
        const CnCell *cell = &log->entries[slot].edit.cell;
        if (cell->x == edit->cell.x && cell->y == edit->cell.y && cell->z == edit->cell.z)
            break;
        slot = log->entries[slot].links[OF_CELL].older;
    }
    return slot;
}

/* ---- Appending ---- */

/* Makes room for one entry; drops the oldest entry at the limit. */
static bool make_room(CnEditLog *log)
{
    if (log->count == log->limit) {
        unlist(log, log->oldest, OF_CELL);
        unlist(log, log->oldest, OF_PLAYER);
        log->oldest = (log->oldest + 1) % log->limit;
        log->count--;
        return true;
    }
    if (log->count < log->capacity)
        return true;
    uint32_t capacity = log->capacity ? log->capacity : 64;
    capacity = capacity > log->limit / 2 ? log->limit : capacity * 2;
    Entry *entries = cn_realloc(log->allocator, log->entries, log->capacity * sizeof *entries,
                                capacity * sizeof *entries);
    if (!entries)
        return false;
    log->entries = entries;
    log->capacity = capacity;
    return true;
}

/* Returns the entry that an undo reverts, or NONE. */
static uint32_t taken_back_by(const CnEditLog *log, const CnEdit *edit)
{
    if (edit->kind != CN_EDIT_UNDO)
        return NONE;
    uint32_t slot = standing_at(log, edit);
    if (slot == NONE)
        return NONE;
    const CnEdit *taken = &log->entries[slot].edit;
    bool fits = taken->player == edit->player && taken->kind != CN_EDIT_UNDO &&
                taken->old_block == edit->new_block && taken->new_block == edit->old_block;
    return fits ? slot : NONE;
}

bool cn_edit_log_append(CnEditLog *log, const CnEdit *edit)
{
    CN_ASSERT(log, "%s: log is NULL", __func__);
    CN_ASSERT(edit, "%s: edit is NULL", __func__);
    if (!make_room(log))
        return false;
    uint32_t slot = (log->oldest + log->count) % log->limit;
    Entry *entry = &log->entries[slot];
    *entry = (Entry){.edit = *edit};
    uint32_t taken = taken_back_by(log, edit);
    if (taken != NONE) {
        unlist(log, taken, OF_CELL);
        unlist(log, taken, OF_PLAYER);
    } else {
        /* An undo of a dropped entry changes its cell like any edit, but cannot be undone
         * itself. */
        if (!list(log, slot, OF_CELL))
            return false;
        if (edit->kind != CN_EDIT_UNDO && !list(log, slot, OF_PLAYER)) {
            unlist(log, slot, OF_CELL);
            return false;
        }
    }
    log->count++;
    log->total++;
    return true;
}

uint64_t cn_edit_log_total(const CnEditLog *log)
{
    CN_ASSERT(log, "%s: log is NULL", __func__);
    return log->total;
}

uint32_t cn_edit_log_count(const CnEditLog *log)
{
    CN_ASSERT(log, "%s: log is NULL", __func__);
    return log->count;
}

CnEdit cn_edit_log_at(const CnEditLog *log, uint32_t index)
{
    CN_ASSERT(log, "%s: log is NULL", __func__);
    CN_ASSERT(index < log->count, "the log has %u edits, not %u", log->count, index);
    return index < log->count ? log->entries[(log->oldest + index) % log->limit].edit : (CnEdit){0};
}

/* ---- Undo ---- */

bool cn_edit_log_undo(const CnEditLog *log, uint32_t player, CnEdit *back)
{
    CN_ASSERT(log, "%s: log is NULL", __func__);
    CN_ASSERT(back, "%s: back is NULL", __func__);
    uint32_t slot = newest_of(log, &(CnEdit){.player = player}, OF_PLAYER);
    while (slot != NONE && standing_at(log, &log->entries[slot].edit) != slot)
        slot = log->entries[slot].links[OF_PLAYER].older;
    if (slot == NONE)
        return false;
    *back = log->entries[slot].edit;
    back->kind = CN_EDIT_UNDO;
    back->old_block = log->entries[slot].edit.new_block;
    back->new_block = log->entries[slot].edit.old_block;
    return true;
}
