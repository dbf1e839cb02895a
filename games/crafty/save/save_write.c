/* Saving worlds: everything that changed since the last save, in one batch. */
#include "save_internal.h"

#include <cairn/base/clock.h>
#include <cairn/sim/save.h>

static bool put(CnStoreBatch *batch, CraftySaveTable table, const char *key, const CnU8Array *bytes,
                CnError *error)
{
    return cn_store_batch_put(batch, table, cn_store_text(key), bytes->items, bytes->count, error);
}

/* ---- Blocks ---- */

static bool add_chunks(CraftySave *save, CnVoxels *voxels, CnStoreBatch *batch, CnError *error)
{
    if (!cn_voxels_store_edits(voxels, &(CnError){0}))
        return cn_error_memory(error, "the edits of a chunk"); /* the only reason to fail here */
    for (uint32_t i = 0; i < save->chunks.changed.count; i++) {
        uint64_t key = save->chunks.changed.items[i];
        const CraftyChunkRow *row = cn_hash_map_get(&save->chunks.rows, key);
        if (!cn_store_batch_put(batch, CRAFTY_SAVE_CHUNKS, cn_store_number((int64_t)key),
                                row->bytes, row->size, error))
            return false;
    }
    return true;
}

/* Adds the edits from index `first` of the log on. */
static bool add_groups(CraftySave *save, const CnEditLog *log, uint32_t first,
                       CnBlockPalette *palette, CnStoreBatch *batch, CnError *error)
{
    uint32_t count = cn_edit_log_count(log);
    int64_t number = cn_store_log_next(save->store, CRAFTY_SAVE_LOG);
    CnU8Array bytes;
    cn_array_init(&bytes, cn_system_allocator());
    bool done = cn_array_reserve(&bytes, CRAFTY_SAVE_GROUP_EDITS * CN_EDIT_BYTES) ||
                cn_error_memory(error, "the edit log");
    while (done && first < count) {
        CraftySaveGroup group = {number++, 0};
        bytes.count = 0;
        for (; done && first < count && group.edits < CRAFTY_SAVE_GROUP_EDITS; group.edits++) {
            CnEdit edit = cn_edit_log_at(log, first++);
            done = cn_edit_write(&edit, palette, bytes.items + bytes.count, error);
            bytes.count += CN_EDIT_BYTES;
        }
        done = done &&
               cn_store_batch_append(batch, CRAFTY_SAVE_LOG, bytes.items, bytes.count, error) &&
               (cn_array_push(&save->groups, group) || cn_error_memory(error, "the edit log"));
        save->group_edits += done ? group.edits : 0;
    }
    cn_array_fini(&bytes);
    return done;
}

/* Returns how many of the oldest groups hold no edit that is kept. */
static uint32_t old_groups(const CraftySave *save)
{
    uint64_t left = save->group_edits;
    uint32_t old = 0;
    while (old < save->groups.count && left - save->groups.items[old].edits >= CRAFTY_SAVE_EDITS)
        left -= save->groups.items[old++].edits;
    return old;
}

static bool add_log(CraftySave *save, CnVoxels *voxels, CnStoreBatch *batch, CnError *error)
{
    const CnEditLog *log = cn_voxels_log(voxels);
    uint32_t count = cn_edit_log_count(log);
    uint64_t added = cn_edit_log_total(log) - save->logged;
    if (added == 0)
        return true;
    CnBlockPalette *palette = crafty_save_palette(cn_voxels_blocks(voxels), error);
    bool done = palette && add_groups(save, log, added < count ? count - (uint32_t)added : 0,
                                      palette, batch, error);
    cn_block_palette_destroy(palette);
    uint32_t old = done ? old_groups(save) : 0;
    if (old == 0)
        return done;
    CnStoreKey last = cn_store_number(save->groups.items[old - 1].number);
    return cn_store_batch_remove_range(batch, CRAFTY_SAVE_LOG, NULL, &last, error);
}

static void drop_old_groups(CraftySave *save)
{
    uint32_t old = old_groups(save);
    for (uint32_t i = 0; i < old; i++)
        save->group_edits -= save->groups.items[i].edits;
    save->groups.count -= old;
    if (old > 0)
        memmove(save->groups.items, save->groups.items + old,
                save->groups.count * sizeof *save->groups.items);
}

/* ---- Description and state ---- */

static bool add_palettes(const CraftyWorld *world, CnStoreBatch *batch, CnError *error)
{
    CnTextBuilder blocks, items;
    cn_array_init(&blocks, cn_system_allocator());
    cn_array_init(&items, cn_system_allocator());
    bool done = (crafty_blocks_write_palette(crafty_world_blocks(world), &blocks) &&
                 crafty_items_write_palette(crafty_world_items(world), &items)) ||
                cn_error_memory(error, "the palettes of the world");
    done =
        done &&
        crafty_save_put_twice(batch, CRAFTY_SAVE_KEY_BLOCKS, blocks.items, blocks.count, error) &&
        crafty_save_put_twice(batch, CRAFTY_SAVE_KEY_ITEMS, items.items, items.count, error);
    cn_array_fini(&items);
    cn_array_fini(&blocks);
    return done;
}

static bool add_info(CraftySave *save, CnVoxels *voxels, const CnSim *sim, CnStoreBatch *batch,
                     CnError *error)
{
    CnU8Array identity, summary;
    cn_array_init(&identity, cn_system_allocator());
    cn_array_init(&summary, cn_system_allocator());
    save->summary = crafty_world_summary_of(sim, voxels);
    bool done = (crafty_world_identity_write(&save->identity, &identity) &&
                 crafty_world_summary_write(&save->summary, &summary)) ||
                cn_error_memory(error, "the description of the world");
    done = done &&
           (save->wrote_identity || crafty_save_put_twice(batch, CRAFTY_SAVE_KEY_IDENTITY,
                                                          identity.items, identity.count, error)) &&
           put(batch, CRAFTY_SAVE_INFO, CRAFTY_SAVE_KEY_SUMMARY, &summary, error) &&
           (save->thumbnail.count == 0 ||
            put(batch, CRAFTY_SAVE_INFO, CRAFTY_SAVE_KEY_THUMBNAIL, &save->thumbnail, error));
    cn_array_fini(&summary);
    cn_array_fini(&identity);
    return done;
}

static bool add_state(CnVoxels *voxels, const CnSim *sim, CnStoreBatch *batch, CnError *error)
{
    CnU8Array activity;
    cn_array_init(&activity, cn_system_allocator());
    bool done =
        cn_voxels_write_activity(voxels, &activity, error) &&
        put(batch, CRAFTY_SAVE_STATE, CRAFTY_SAVE_KEY_ACTIVITY, &activity, error) &&
        cn_sim_save_to(sim, batch, CRAFTY_SAVE_STATE, cn_store_text(CRAFTY_SAVE_KEY_SIM), error);
    cn_array_fini(&activity);
    return done;
}

static bool submit(CraftySave *save, CnStoreBatch *batch, CnError *error)
{
    uint64_t number = cn_store_submit(save->store, batch);
    if (number == 0)
        return cn_error_set(error, CN_ERROR_LIMIT,
                            "too many saves wait for the disk; the next one contains everything");
    save->batch = number;
    return true;
}

bool crafty_save_write(CraftySave *save, CraftyWorld *world, const CnSim *sim, CnError *error)
{
    CnVoxels *voxels = crafty_world_voxels(world);
    uint32_t groups = save->groups.count;
    uint64_t group_edits = save->group_edits;
    save->identity.tick_hz = cn_sim_clock(sim)->tick_hz;
    save->identity.random_seed = cn_sim_seed(sim);
    save->saved_ns = cn_clock_ns();
    CnStoreBatch *batch = cn_store_batch_create(save->store, error);
    if (!batch)
        return false;
    if (!add_chunks(save, voxels, batch, error) || !add_log(save, voxels, batch, error) ||
        !(save->wrote_identity || add_palettes(world, batch, error)) ||
        !add_info(save, voxels, sim, batch, error) || !add_state(voxels, sim, batch, error) ||
        !submit(save, batch, error)) {
        cn_store_batch_destroy(batch);
        save->groups.count = groups;
        save->group_edits = group_edits;
        return false;
    }
    crafty_chunk_edits_saved(&save->chunks);
    drop_old_groups(save);
    save->logged = cn_edit_log_total(cn_voxels_log(voxels));
    save->wrote_identity = true;
    save->is_new = false;
    cn_array_clear(&save->thumbnail);
    return true;
}

bool crafty_save_auto(CraftySave *save, CraftyWorld *world, const CnSim *sim, CnError *error)
{
    const uint64_t pause_ns = CRAFTY_SAVE_AUTO_SECONDS * 1000000000ull;
    if (cn_clock_ns() - save->saved_ns < pause_ns || cn_store_durable(save->store) < save->batch)
        return true;
    return crafty_save_write(save, world, sim, error);
}

bool crafty_save_flush(CraftySave *save, uint32_t timeout_ms, CnError *error)
{
    return cn_store_flush(save->store, timeout_ms, error);
}

bool crafty_save_set_thumbnail(CraftySave *save, const void *jpeg, size_t size, CnError *error)
{
    if (!cn_array_reserve(&save->thumbnail, size))
        return cn_error_memory(error, "the picture of the world");
    memcpy(save->thumbnail.items, jpeg, size);
    save->thumbnail.count = (uint32_t)size;
    return true;
}
