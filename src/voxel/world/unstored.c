/*
 * Loaded chunks with edits that are not stored, and storing them in parts.
 *
 * An edit lists its chunk in `current`. cn_voxels_store_begin makes `current` the list `begun`,
 * without visiting the chunks. From then on until all of them are stored, an edit first copies a
 * chunk that is in `begun`: blocks by reference, because chunks are copied on write, and the bits
 * of its edited cells. So an edit never waits for a whole chunk to be encoded, and what is stored
 * is the state of the begin.
 */
#include "voxel/world/voxels_internal.h"

#include <cairn/base/assert.h>

enum { CELLS_PER_CHUNK = 256 }; /* what storing a chunk costs beside its cells */

void cni_voxel_unstored_init(CnVoxels *world)
{
    cn_array_init(&world->unstored.current, world->allocator);
    cn_array_init(&world->unstored.begun, world->allocator);
    cn_array_init(&world->unstored.copies, world->allocator);
}

static void free_copy(CnVoxels *world, CniVoxelChunkCopy *copy)
{
    cn_chunk_release(copy->blocks);
    cn_free(world->allocator, copy->edited, sizeof *copy->edited);
}

void cni_voxel_unstored_fini(CnVoxels *world)
{
    CniVoxelUnstored *unstored = &world->unstored;
    for (uint32_t i = 0; i < unstored->copies.count; i++)
        free_copy(world, &unstored->copies.items[i]);
    cn_array_fini(&unstored->current);
    cn_array_fini(&unstored->begun);
    cn_array_fini(&unstored->copies);
}

/* ---- Lists ---- */

static bool is_begun(const CnVoxels *world, const CniVoxelChunkEntry *entry)
{
    return (entry->flags & CNI_VOXEL_CHUNK_UNSTORED) &&
           entry->unstored_since != world->unstored.begins;
}

static void unlist(CnVoxels *world, CniVoxelChunkEntry *entry)
{
    CniVoxelUnstored *unstored = &world->unstored;
    CniVoxelChunkEntries *list = is_begun(world, entry) ? &unstored->begun : &unstored->current;
    CN_ASSERT(list->items[entry->listed_at] == entry, "an unstored chunk is not listed");
    CniVoxelChunkEntry *last = cn_array_pop(list);
    last->listed_at = entry->listed_at;
    if (last != entry)
        list->items[last->listed_at] = last;
    entry->flags &= ~(uint32_t)CNI_VOXEL_CHUNK_UNSTORED;
}

/* In `current` there is room for the entries of both lists, so that cancelling cannot fail. */
static bool make_room(CnVoxels *world)
{
    CniVoxelUnstored *unstored = &world->unstored;
    uint64_t count = (uint64_t)unstored->current.count + unstored->begun.count;
    return cn_array_reserve(&unstored->current, count + 1);
}

void cni_voxel_unstored_add(CnVoxels *world, CniVoxelChunkEntry *entry)
{
    if (entry->flags & CNI_VOXEL_CHUNK_UNSTORED)
        return;
    CniVoxelUnstored *unstored = &world->unstored;
    entry->flags |= CNI_VOXEL_CHUNK_UNSTORED;
    entry->unstored_since = unstored->begins;
    entry->listed_at = unstored->current.count;
    unstored->current.items[unstored->current.count++] = entry;
}

static bool copy_begun(CnVoxels *world, CniVoxelChunkEntry *entry)
{
    CniVoxelUnstored *unstored = &world->unstored;
    CniVoxelChunkCopy copy = {.entry = entry};
    copy.edited = cn_alloc(world->allocator, sizeof *copy.edited);
    if (!copy.edited || !cn_array_reserve(&unstored->copies, unstored->copies.count + 1u)) {
        cn_free(world->allocator, copy.edited, sizeof *copy.edited);
        return false;
    }
    *copy.edited = *entry->edited;
    copy.blocks = cn_chunk_acquire(entry->blocks);
    entry->copied_at = unstored->copies.count;
    unstored->copies.items[unstored->copies.count++] = copy;
    unlist(world, entry);
    entry->flags |= CNI_VOXEL_CHUNK_COPIED;
    cni_voxel_unstored_add(world, entry);
    return true;
}

bool cni_voxel_unstored_prepare(CnVoxels *world, CniVoxelChunkEntry *entry)
{
    return make_room(world) && (!is_begun(world, entry) || copy_begun(world, entry));
}

/* ---- Storing ---- */

static bool store_copy(CnVoxels *world, uint32_t index, uint32_t *cells)
{
    CniVoxelUnstored *unstored = &world->unstored;
    CniVoxelChunkCopy copy = unstored->copies.items[index];
    CnStoredChunk chunk = {.position = copy.entry->position, .at_begin = true};
    if (!cni_voxel_store_blocks(world, &chunk, copy.blocks, copy.edited))
        return false;
    *cells = chunk.count;
    copy.entry->flags &= ~(uint32_t)CNI_VOXEL_CHUNK_COPIED;
    free_copy(world, &copy);
    CniVoxelChunkCopy last = cn_array_pop(&unstored->copies);
    if (index < unstored->copies.count) {
        unstored->copies.items[index] = last;
        last.entry->copied_at = index;
    }
    return true;
}

static bool store_listed(CnVoxels *world, CniVoxelChunkEntry *entry, uint32_t *cells)
{
    CnStoredChunk chunk = {.position = entry->position, .at_begin = is_begun(world, entry)};
    if (!cni_voxel_store_blocks(world, &chunk, entry->blocks, entry->edited))
        return false;
    *cells = chunk.count;
    unlist(world, entry);
    return true;
}

bool cni_voxel_store_entry(CnVoxels *world, CniVoxelChunkEntry *entry)
{
    uint32_t cells;
    if (!(entry->flags & CNI_VOXEL_CHUNK_EDITED))
        return true;
    if (!entry->edited)
        return false; /* There are no hooks. */
    if ((entry->flags & CNI_VOXEL_CHUNK_COPIED) && !store_copy(world, entry->copied_at, &cells))
        return false;
    return !(entry->flags & CNI_VOXEL_CHUNK_UNSTORED) || store_listed(world, entry, &cells);
}

bool cn_voxels_store_begin(CnVoxels *world, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(world->stored_blocks, "the world has no storage hooks");
    CN_ASSERT(!cn_voxels_is_storing(world), "storing has already begun");
    cn_voxels_store_cancel(world);
    CniVoxelUnstored *unstored = &world->unstored;
    CniVoxelChunkEntries empty = unstored->begun;
    if (!cn_array_reserve(&empty, unstored->current.count))
        return cn_error_memory(error, "storing edits");
    unstored->begun = unstored->current;
    unstored->current = empty;
    unstored->begins++;
    return true;
}

bool cn_voxels_is_storing(const CnVoxels *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return world->unstored.begun.count > 0 || world->unstored.copies.count > 0;
}

/* From the end, because stored ones are removed by moving the last one. */
bool cn_voxels_store_some(CnVoxels *world, uint32_t cells, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CniVoxelUnstored *unstored = &world->unstored;
    uint32_t failed = 0, used = 0, stored = 0;
    for (uint32_t i = unstored->copies.count; i-- > 0 && used < cells; used += CELLS_PER_CHUNK) {
        failed += !store_copy(world, i, &stored);
        used += stored;
    }
    for (uint32_t i = unstored->begun.count; i-- > 0 && used < cells; used += CELLS_PER_CHUNK) {
        failed += !store_listed(world, unstored->begun.items[i], &stored);
        used += stored;
    }
    if (failed == 0)
        return true;
    return cn_error_set(error, CN_ERROR_IO, "the edits of %u chunks could not be stored", failed);
}

void cn_voxels_store_cancel(CnVoxels *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CniVoxelUnstored *unstored = &world->unstored;
    for (uint32_t i = 0; i < unstored->copies.count; i++) {
        unstored->copies.items[i].entry->flags &= ~(uint32_t)CNI_VOXEL_CHUNK_COPIED;
        free_copy(world, &unstored->copies.items[i]);
    }
    cn_array_clear(&unstored->copies);
    while (unstored->begun.count > 0) {
        CniVoxelChunkEntry *entry = unstored->begun.items[unstored->begun.count - 1];
        unlist(world, entry);
        cni_voxel_unstored_add(world, entry);
    }
}

bool cn_voxels_store_edits(CnVoxels *world, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(world->stored_blocks, "the world has no storage hooks");
    cn_voxels_store_cancel(world);
    bool stored =
        cn_voxels_store_begin(world, error) && cn_voxels_store_some(world, UINT32_MAX, error);
    cn_voxels_store_cancel(world);
    return stored;
}
