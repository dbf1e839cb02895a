#include "block_window.h"

#include <cairn/base/hash_map.h>

#include <string.h>

#define FIRST_CAPACITY 1024u

typedef struct CraftyWindowSlot {
    uint64_t key;
    const CnChunk *chunk; /* NULL: could not be loaded */
    bool is_used, is_center;
} CraftyWindowSlot;

void crafty_window_init(CraftyBlockWindow *window, CnAllocator *allocator)
{
    *window = (CraftyBlockWindow){.allocator = allocator};
}

static void free_slots(CraftyBlockWindow *window)
{
    cn_free(window->allocator, window->slots, window->capacity * sizeof *window->slots);
    cn_free(window->allocator, window->used, window->capacity * sizeof *window->used);
}

void crafty_window_fini(CraftyBlockWindow *window)
{
    free_slots(window);
    *window = (CraftyBlockWindow){0};
}

void crafty_window_begin(CraftyBlockWindow *window, CnVoxels *voxels)
{
    for (uint32_t i = 0; i < window->count; i++)
        window->slots[window->used[i]] = (CraftyWindowSlot){0};
    window->count = 0;
    window->voxels = voxels;
    window->blocks = cn_voxels_blocks(voxels);
}

/* Returns the slot of a key, or the free one where it belongs. */
static uint32_t find_slot(const CraftyBlockWindow *window, uint64_t key)
{
    uint32_t mask = window->capacity - 1, i = (uint32_t)cn_hash_mix(key) & mask;
    while (window->slots[i].is_used && window->slots[i].key != key)
        i = (i + 1) & mask;
    return i;
}

static bool grow(CraftyBlockWindow *window)
{
    CraftyBlockWindow larger = *window;
    larger.capacity = window->capacity ? 2 * window->capacity : FIRST_CAPACITY;
    larger.slots = cn_alloc_zeroed(window->allocator, larger.capacity * sizeof *larger.slots);
    larger.used = cn_alloc_zeroed(window->allocator, larger.capacity * sizeof *larger.used);
    if (!larger.slots || !larger.used) {
        free_slots(&larger);
        return false;
    }
    for (uint32_t i = 0; i < window->count; i++) {
        CraftyWindowSlot slot = window->slots[window->used[i]];
        larger.used[i] = find_slot(&larger, slot.key);
        larger.slots[larger.used[i]] = slot;
    }
    free_slots(window);
    *window = larger;
    return true;
}

static CraftyWindowSlot *add(CraftyBlockWindow *window, CnChunkPos position)
{
    if (2 * window->count >= window->capacity && !grow(window))
        return NULL;
    uint64_t key = cn_chunk_key(position);
    uint32_t i = find_slot(window, key);
    CraftyWindowSlot *slot = &window->slots[i];
    if (slot->is_used)
        return slot;
    *slot = (CraftyWindowSlot){
        .key = key, .chunk = cn_voxels_chunk(window->voxels, position), .is_used = true};
    window->used[window->count++] = i;
    return slot;
}

bool crafty_window_add(CraftyBlockWindow *window, CnChunkPos position)
{
    return add(window, position) != NULL;
}

bool crafty_window_add_around(CraftyBlockWindow *window, CnChunkPos position)
{
    CraftyWindowSlot *center = add(window, position);
    if (!center)
        return false;
    if (center->is_center)
        return true;
    center->is_center = true;
    bool good = true;
    for (int32_t i = 0; i < 27; i++)
        good = add(window, (CnChunkPos){position.x + i % 3 - 1, position.y + i / 3 % 3 - 1,
                                        position.z + i / 9 - 1}) &&
               good;
    return good;
}

CraftyWindowView crafty_window_view(const CraftyBlockWindow *window)
{
    return (CraftyWindowView){.window = window};
}

CnBlock crafty_window_get(CraftyWindowView *view, CnCell cell)
{
    uint64_t key = cn_chunk_key(cn_chunk_of(cell));
    if (!view->is_known || view->key != key) {
        const CraftyBlockWindow *window = view->window;
        view->chunk = window->count ? window->slots[find_slot(window, key)].chunk : NULL;
        view->key = key;
        view->is_known = true;
    }
    if (!view->chunk)
        return CN_BLOCK_NONE;
    return cn_chunk_get(view->chunk, cell.x & 15, cell.y & 15, cell.z & 15);
}

static CnBlock get_for_reader(void *user, CnCell cell)
{
    return crafty_window_get(user, cell);
}

CnBlockReader crafty_window_reader(CraftyWindowView *view)
{
    return (CnBlockReader){view->window->blocks, get_for_reader, view};
}
