/*
 * Saving worlds: everything that changed since the last save, in one batch.
 *
 * The state of the simulation and the activity of the blocks are copied when a save begins. Chunks,
 * block data and the edit log, of which there may be any number, are added in parts between the
 * ticks that follow: the voxel world keeps the state of the begin where it is changed, and entries
 * of the log do not change.
 */
#include "save_internal.h"

#include <cairn/base/assert.h>
#include <cairn/base/clock.h>
#include <cairn/base/log.h>
#include <cairn/sim/save.h>

static bool put(CnStoreBatch *batch, CraftySaveTable table, const char *key, const CnU8Array *bytes,
                CnError *error)
{
    return cn_store_batch_put(batch, table, cn_store_text(key), bytes->items, bytes->count, error);
}

static bool put_owned(CnStoreBatch *batch, CraftySaveTable table, const char *key, CnU8Array *bytes,
                      CnError *error)
{
    return cn_store_batch_put_owned(batch, table, cn_store_text(key), bytes->items, bytes->count,
                                    bytes->capacity, bytes->allocator, error);
}

/* ---- The edit log ---- */

/* Adds the next record of the log. */
static bool add_group(CraftySave *save, const CnEditLog *log, CnBlockPalette *palette,
                      CnError *error)
{
    CraftySaveProgress *progress = &save->progress;
    uint8_t bytes[CRAFTY_SAVE_GROUP_EDITS * CN_EDIT_BYTES];
    uint32_t kept = cn_edit_log_count(log);
    uint64_t oldest = cn_edit_log_total(log) - kept;
    uint32_t first = (uint32_t)((progress->next > oldest ? progress->next : oldest) - oldest);
    uint32_t end = progress->end > oldest ? (uint32_t)(progress->end - oldest) : 0;
    CraftySaveGroup group = {cn_store_log_next(save->store, CRAFTY_SAVE_LOG) +
                                 (int64_t)(save->groups.count - progress->groups),
                             0};
    for (uint32_t i = first; i < end && group.edits < CRAFTY_SAVE_GROUP_EDITS; i++) {
        CnEdit edit = cn_edit_log_at(log, i);
        if (!cn_edit_write(&edit, palette, bytes + group.edits++ * CN_EDIT_BYTES, error))
            return false;
    }
    progress->next = oldest + first + group.edits;
    if (group.edits == 0) {
        progress->next = progress->end; /* the log has dropped them */
        return true;
    }
    if (!cn_array_push(&save->groups, group))
        return cn_error_memory(error, "the edit log");
    save->group_edits += group.edits;
    return cn_store_batch_append(progress->batch, CRAFTY_SAVE_LOG, bytes,
                                 group.edits * CN_EDIT_BYTES, error);
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

static bool add_log(CraftySave *save, CnVoxels *voxels, uint32_t edits, CnError *error)
{
    CraftySaveProgress *progress = &save->progress;
    if (progress->next == progress->end)
        return true;
    CnBlockPalette *palette = crafty_save_palette(save, cn_voxels_blocks(voxels), error);
    uint64_t until =
        progress->end - progress->next > edits ? progress->next + edits : progress->end;
    while (palette && progress->next < until)
        if (!add_group(save, cn_voxels_log(voxels), palette, error))
            return false;
    return palette;
}

static bool remove_old_groups(CraftySave *save, CnError *error)
{
    uint32_t old = old_groups(save);
    if (old == 0)
        return true;
    CnStoreKey last = cn_store_number(save->groups.items[old - 1].number);
    return cn_store_batch_remove_range(save->progress.batch, CRAFTY_SAVE_LOG, NULL, &last, error);
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

/* Gets memory for the activity of the next save before it begins: getting the pages of a megabyte
 * may take longer than the rest of a save. Without memory, the save itself tries again. */
static void prepare_activity(CraftySave *save, const CnVoxels *voxels)
{
    CnU8Array *activity = &save->activity;
    uint64_t bytes = cn_voxels_activity_bytes(voxels);
    if (bytes > activity->capacity) {
        cn_array_fini(activity);
        cn_array_init(activity, &save->memory.allocator);
        save->touched = 0;
        if (!cn_array_reserve(activity, bytes + bytes / 4))
            return;
    }
    uint32_t left = activity->capacity - save->touched;
    uint32_t part = left < CRAFTY_SAVE_STEP_BYTES ? left : CRAFTY_SAVE_STEP_BYTES;
    if (part > 0)
        memset(activity->items + save->touched, 0, part);
    save->touched += part;
}

static bool add_state(CraftySave *save, CnVoxels *voxels, const CnSim *sim, CnStoreBatch *batch,
                      CnError *error)
{
    CnU8Array activity = save->activity;
    cn_array_init(&save->activity, &save->memory.allocator);
    if (!cn_voxels_write_activity(voxels, &activity, error)) {
        cn_array_fini(&activity);
        return false;
    }
    return put_owned(batch, CRAFTY_SAVE_STATE, CRAFTY_SAVE_KEY_ACTIVITY, &activity, error) &&
           cn_sim_save_to(sim, batch, CRAFTY_SAVE_STATE, cn_store_text(CRAFTY_SAVE_KEY_SIM), error);
}

/* ---- A save ---- */

void crafty_save_cancel(CraftySave *save, CnVoxels *voxels)
{
    CraftySaveProgress *progress = &save->progress;
    if (!progress->batch)
        return;
    if (voxels) {
        cn_voxels_store_cancel(voxels);
        cn_block_data_save_end(voxels, false);
    }
    crafty_chunk_edits_end(&save->chunks, false);
    cn_store_batch_destroy(progress->batch);
    save->groups.count = progress->groups;
    save->group_edits = progress->group_edits;
    *progress = (CraftySaveProgress){0};
}

/* What generation depends on beside the seed. */
static bool add_features(const CraftySave *save, CnStoreBatch *batch, CnError *error)
{
    return !save->has_features ||
           cn_store_batch_put(batch, CRAFTY_SAVE_INFO, cn_store_text(CRAFTY_SAVE_KEY_FEATURES),
                              &save->features, sizeof save->features, error);
}

/* Mods may change while the world is played. */
static bool add_mods(CraftySave *save, CnStoreBatch *batch, CnError *error)
{
    save->progress.mods_number = save->mods_number;
    return (save->wrote_identity && save->mods_number == save->saved_mods_number) ||
           crafty_save_put_mods(batch, &save->mods, save->has_mods, error);
}

/* Everything that may change in the next tick. */
static bool begin(CraftySave *save, CraftyWorld *world, const CnSim *sim, CnError *error)
{
    CnVoxels *voxels = crafty_world_voxels(world);
    CraftySaveProgress *progress = &save->progress;
    CnStoreBatch *batch = progress->batch;
    save->identity.tick_hz = cn_sim_clock(sim)->tick_hz;
    save->identity.random_seed = cn_sim_seed(sim);
    return crafty_chunk_edits_begin(&save->chunks, batch, CRAFTY_SAVE_CHUNKS, error) &&
           cn_voxels_store_begin(voxels, error) && crafty_save_begin_data(save, voxels, error) &&
           (save->wrote_identity ||
            (add_palettes(world, batch, error) && add_features(save, batch, error))) &&
           add_mods(save, batch, error) && add_info(save, voxels, sim, batch, error) &&
           (!save->repaired ||
            cn_store_batch_remove(batch, CRAFTY_SAVE_INFO, cn_store_text(CRAFTY_SAVE_KEY_REPAIRED),
                                  error)) &&
           add_state(save, voxels, sim, batch, error);
}

bool crafty_save_begin(CraftySave *save, CraftyWorld *world, const CnSim *sim, CnError *error)
{
    CN_ASSERT(!save->progress.batch, "a save is in progress");
    save->saved_ns = cn_clock_ns();
    CnStoreBatch *batch = cn_store_batch_create(save->store, error);
    if (!batch)
        return false;
    save->progress =
        (CraftySaveProgress){.batch = batch,
                             .tick = cn_sim_tick(sim),
                             .next = save->logged,
                             .end = cn_edit_log_total(cn_voxels_log(crafty_world_voxels(world))),
                             .groups = save->groups.count,
                             .group_edits = save->group_edits,
                             .has_thumbnail = save->thumbnail.count > 0};
    if (begin(save, world, sim, error))
        return true;
    crafty_save_cancel(save, crafty_world_voxels(world));
    return false;
}

void crafty_save_notify(const CnStoreStatus *status, void *user)
{
    CraftySave *save = user;
    if (status->state == CN_STORE_OK)
        CN_LOG_DEBUG("save", "tick %llu is saved",
                     (unsigned long long)atomic_load(
                         &save->batch_ticks[status->durable % CN_COUNT_OF(save->batch_ticks)]));
}

static bool submit(CraftySave *save, CnVoxels *voxels, CnError *error)
{
    CraftySaveProgress *progress = &save->progress;
    if (!remove_old_groups(save, error))
        return false;
    uint64_t next = save->batch + 1;
    atomic_store(&save->batch_ticks[next % CN_COUNT_OF(save->batch_ticks)], progress->tick);
    uint64_t number = cn_store_submit(save->store, progress->batch);
    if (number == 0)
        return cn_error_set(error, CN_ERROR_LIMIT,
                            "too many saves wait for the disk; the next one contains everything");
    save->batch = number;
    save->batch_tick = save->summary.tick;
    crafty_chunk_edits_end(&save->chunks, true);
    cn_block_data_save_end(voxels, true);
    drop_old_groups(save);
    save->data_kinds = progress->data_kinds;
    save->logged = progress->end;
    save->wrote_identity = true;
    save->saved_mods_number = progress->mods_number;
    save->has_mods = save->has_mods || save->mods.count > 0;
    save->is_new = false;
    save->repaired = 0;
    if (progress->has_thumbnail)
        cn_array_clear(&save->thumbnail);
    *progress = (CraftySaveProgress){0};
    return true;
}

/* Submits the batch when it is complete. */
static bool add_parts(CraftySave *save, CnVoxels *voxels, uint32_t cells, uint32_t rows,
                      uint32_t edits, uint32_t data, CnError *error)
{
    if (!cn_voxels_store_some(voxels, cells, &(CnError){0}))
        return cn_error_memory(error, "the edits of a chunk"); /* the only reason to fail here */
    if (!crafty_chunk_edits_put_some(&save->chunks, rows, error) ||
        !add_log(save, voxels, edits, error) || !crafty_save_add_data(save, voxels, data, error))
        return false;
    bool is_complete =
        !cn_voxels_is_storing(voxels) && !crafty_chunk_edits_is_waiting(&save->chunks) &&
        save->progress.next == save->progress.end && cn_block_data_save_left(voxels) == 0;
    return !is_complete || submit(save, voxels, error);
}

bool crafty_save_continue(CraftySave *save, CraftyWorld *world, CnError *error)
{
    CnVoxels *voxels = crafty_world_voxels(world);
    if (!save->progress.batch) {
        prepare_activity(save, voxels);
        return true;
    }
    if (add_parts(save, voxels, CRAFTY_SAVE_STEP_CELLS, CRAFTY_SAVE_STEP_ROWS,
                  CRAFTY_SAVE_STEP_EDITS, CRAFTY_SAVE_STEP_DATA, error))
        return true;
    crafty_save_cancel(save, voxels);
    return false;
}

bool crafty_save_is_building(const CraftySave *save)
{
    return save->progress.batch;
}

static bool finish(CraftySave *save, CnVoxels *voxels, CnError *error)
{
    if (!save->progress.batch ||
        add_parts(save, voxels, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, error))
        return true;
    crafty_save_cancel(save, voxels);
    return false;
}

uint64_t crafty_save_durable_tick(CraftySave *save)
{
    if (cn_store_durable(save->store) >= save->batch && save->batch > 0)
        save->durable_tick = save->batch_tick;
    return save->durable_tick;
}

bool crafty_save_write(CraftySave *save, CraftyWorld *world, const CnSim *sim, CnError *error)
{
    CnVoxels *voxels = crafty_world_voxels(world);
    CnError ignored = {0};
    finish(save, voxels, &ignored); /* the new save contains what this one could not */
    return crafty_save_begin(save, world, sim, error) && finish(save, voxels, error);
}

bool crafty_save_auto(CraftySave *save, CraftyWorld *world, const CnSim *sim, CnError *error)
{
    const uint64_t pause_ns = CRAFTY_SAVE_AUTO_SECONDS * 1000000000ull;
    bool is_due = !save->progress.batch && cn_clock_ns() - save->saved_ns >= pause_ns &&
                  cn_store_durable(save->store) >= save->batch;
    /* Not both in one tick. */
    return is_due ? crafty_save_begin(save, world, sim, error)
                  : crafty_save_continue(save, world, error);
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
    save->progress.has_thumbnail = false;
    return true;
}
