#include "world_repair.h"

#include "chunk_row.h"
#include "world_rows.h"
#include "worlds_internal.h"

#include <stdlib.h>

typedef struct Repair {
    const CraftyWorldRepairDesc *desc;
    CraftyWorldRepair *result;
    CnStore *store; /* the new file, with all undamaged rows */
    CnStoreBatch *batch;
    CraftyWorldRows rows;
    CnU8Array bytes;
    uint8_t repaired; /* bits of CraftySaveRepaired */
    CnChunkPos built; /* the chunk that is built from the log */
    bool is_building;
    uint32_t built_count;
    CnStoredBlock built_blocks[CN_CHUNK_BLOCKS];
} Repair;

void crafty_world_repair_free(CraftyWorldRepair *repair)
{
    cn_store_report_free(&repair->damage);
    cn_array_fini(&repair->lost_chunks);
    cn_array_fini(&repair->rebuilt_chunks);
    cn_array_fini(&repair->lost_data);
}

/* ---- Description ---- */

/* Reads a row into `bytes`; the rows of the new file are not damaged. */
static bool get(Repair *repair, CraftySaveTable table, const char *key, bool *found, CnError *error)
{
    return cn_store_get(repair->store, table, cn_store_text(key), &repair->bytes, found, error);
}

/* Leaves the row in `bytes`; if it came from the copy, it is written again. */
static bool find_twice(Repair *repair, const char *key, CraftyRepairSource *source, CnError *error)
{
    bool found = false, has_copy = false;
    if (!get(repair, CRAFTY_SAVE_COPY, key, &has_copy, error) ||
        !get(repair, CRAFTY_SAVE_INFO, key, &found, error))
        return false;
    *source = found ? CRAFTY_REPAIR_KEPT : has_copy ? CRAFTY_REPAIR_FROM_COPY : CRAFTY_REPAIR_LOST;
    if (!found && has_copy && !get(repair, CRAFTY_SAVE_COPY, key, &has_copy, error))
        return false;
    if (*source == CRAFTY_REPAIR_LOST)
        cn_array_clear(&repair->bytes);
    return (found && has_copy) || *source == CRAFTY_REPAIR_LOST ||
           crafty_save_put_twice(repair->batch, key, repair->bytes.items, repair->bytes.count,
                                 error);
}

static bool repair_identity(Repair *repair, CnError *error)
{
    const CraftyWorldRepairDesc *desc = repair->desc;
    CraftyWorldRepair *result = repair->result;
    char base[CRAFTY_WORLD_FILE_BYTES];
    if (!find_twice(repair, CRAFTY_SAVE_KEY_IDENTITY, &result->identity, error))
        return false;
    if (result->identity != CRAFTY_REPAIR_LOST)
        return true;
    if (!desc->has_seed)
        return cn_error_set(error, CN_ERROR_NOT_FOUND,
                            "the seed of the world is lost: give it (--seed), or restore a backup; "
                            "with another seed, everything that was built is in another terrain");
    CraftyWorldIdentity identity = crafty_save_new_identity(desc->seed);
    crafty_world_base_name(desc->path, base);
    cn_copy_text(identity.name, sizeof identity.name, cn_text(base));
    cn_array_clear(&repair->bytes);
    return (crafty_world_identity_write(&identity, &repair->bytes) ||
            cn_error_memory(error, "the description of the world")) &&
           crafty_save_put_twice(repair->batch, CRAFTY_SAVE_KEY_IDENTITY, repair->bytes.items,
                                 repair->bytes.count, error);
}

/* A lost palette becomes an empty one: that of a new world. */
static bool repair_palettes(Repair *repair, CnError *error)
{
    CraftyWorldRepair *result = repair->result;
    CraftyRepairSource kinds; /* without kinds, there is no data */
    CraftyRepairSource mods;  /* without the list, no mods run, and they can be enabled again */
    if (!find_twice(repair, CRAFTY_SAVE_KEY_ITEMS, &result->items, error) ||
        (result->items == CRAFTY_REPAIR_LOST &&
         !crafty_save_put_twice(repair->batch, CRAFTY_SAVE_KEY_ITEMS, "", 0, error)) ||
        !find_twice(repair, CRAFTY_SAVE_KEY_MODS, &mods, error) ||
        !find_twice(repair, CRAFTY_SAVE_KEY_BLOCKS, &result->blocks, error) ||
        (result->blocks == CRAFTY_REPAIR_LOST &&
         !crafty_save_put_twice(repair->batch, CRAFTY_SAVE_KEY_BLOCKS, "", 0, error)))
        return false;
    CnText palette = {(const char *)repair->bytes.items, repair->bytes.count};
    if (!crafty_world_rows_set_palette(&repair->rows, palette, error) ||
        !find_twice(repair, CRAFTY_SAVE_KEY_DATA_KINDS, &kinds, error))
        return false;
    crafty_world_rows_set_kinds(&repair->rows,
                                (CnText){(const char *)repair->bytes.items, repair->bytes.count});
    return true;
}

static bool repair_summary(Repair *repair, CnError *error)
{
    bool found = false;
    if (!get(repair, CRAFTY_SAVE_INFO, CRAFTY_SAVE_KEY_SUMMARY, &found, error))
        return false;
    repair->result->lost_summary = !found;
    if (found)
        return true;
    CraftyWorldSummary summary = {.played_ms = crafty_unix_ms()};
    cn_array_clear(&repair->bytes);
    return (crafty_world_summary_write(&summary, &repair->bytes) ||
            cn_error_memory(error, "the description of the world")) &&
           cn_store_batch_put(repair->batch, CRAFTY_SAVE_INFO,
                              cn_store_text(CRAFTY_SAVE_KEY_SUMMARY), repair->bytes.items,
                              repair->bytes.count, error);
}

static bool repair_thumbnail(Repair *repair, CnError *error)
{
    bool found = false;
    CnError problem = {0};
    if (!get(repair, CRAFTY_SAVE_INFO, CRAFTY_SAVE_KEY_THUMBNAIL, &found, error))
        return false;
    if (!found || !repair->desc->check_thumbnail ||
        repair->desc->check_thumbnail(repair->bytes.items, repair->bytes.count, &problem))
        return true;
    repair->result->lost_thumbnail = true;
    return cn_store_batch_remove(repair->batch, CRAFTY_SAVE_INFO,
                                 cn_store_text(CRAFTY_SAVE_KEY_THUMBNAIL), error);
}

static bool repair_state(Repair *repair, CnError *error)
{
    bool found = false, has_activity = false;
    if (!get(repair, CRAFTY_SAVE_STATE, CRAFTY_SAVE_KEY_SIM, &found, error) ||
        !get(repair, CRAFTY_SAVE_STATE, CRAFTY_SAVE_KEY_ACTIVITY, &has_activity, error))
        return false;
    repair->repaired = CRAFTY_SAVE_REPAIRED;
    if (!found)
        repair->repaired |= CRAFTY_SAVE_RESTARTS | CRAFTY_SAVE_NO_ACTIVITY;
    if (!has_activity)
        repair->repaired |= CRAFTY_SAVE_NO_ACTIVITY;
    repair->result->lost_simulation = !found;
    repair->result->lost_activity = !has_activity || !found;
    return cn_store_batch_put(repair->batch, CRAFTY_SAVE_INFO,
                              cn_store_text(CRAFTY_SAVE_KEY_REPAIRED), &repair->repaired, 1, error);
}

/* ---- Chunks and the log ---- */

static bool visit_chunk(const CnStoreRow *row, void *user, CnError *error)
{
    Repair *repair = user;
    CnError problem = {0};
    if (!row->is_damaged && crafty_world_rows_add(&repair->rows, row, &problem)) {
        repair->result->kept_chunks++;
        return true;
    }
    CnChunkPos position = cn_chunk_from_key((uint64_t)row->key.number);
    if (problem.code == CN_ERROR_MEMORY || !cn_array_push(&repair->result->lost_chunks, position))
        return cn_error_memory(error, "the repair of a world");
    return cn_store_batch_remove(repair->batch, CRAFTY_SAVE_CHUNKS, row->key, error);
}

static bool visit_data(const CnStoreRow *row, void *user, CnError *error)
{
    Repair *repair = user;
    CnError problem = {0};
    if (!row->is_damaged && crafty_world_rows_add(&repair->rows, row, &problem))
        return true;
    CnChunkPos position = cn_chunk_from_key((uint64_t)row->key.number);
    if (problem.code == CN_ERROR_MEMORY || !cn_array_push(&repair->result->lost_data, position))
        return cn_error_memory(error, "the repair of a world");
    return cn_store_batch_remove(repair->batch, CRAFTY_SAVE_DATA, row->key, error);
}

static bool visit_record(const CnStoreRow *row, void *user, CnError *error)
{
    Repair *repair = user;
    CnError problem = {0};
    if (!row->is_damaged && crafty_world_rows_add(&repair->rows, row, &problem))
        return true;
    if (problem.code == CN_ERROR_MEMORY)
        return cn_error_memory(error, "the repair of a world");
    repair->rows.last_record = row->key.number;
    crafty_world_rows_gap(&repair->rows, row->key.number);
    return true;
}

static bool visit_again(const CnStoreRow *row, void *user, CnError *error)
{
    Repair *repair = user;
    return cn_store_batch_append(repair->batch, CRAFTY_SAVE_LOG, row->bytes, row->size, error);
}

/* The numbers of a log have no gaps: what follows the last one is appended again. */
static bool repair_log(Repair *repair, CnError *error)
{
    CraftyWorldRows *rows = &repair->rows;
    repair->result->kept_edits = rows->edits - rows->after_gap;
    repair->result->dropped_edits = rows->after_gap;
    if (rows->first_after_gap == 0)
        return true;
    CnStoreKey first = cn_store_number(rows->first_after_gap);
    CnStoreKey last = cn_store_number(rows->last_record);
    return cn_store_each(repair->store, CRAFTY_SAVE_LOG, &first, NULL, visit_again, repair,
                         error) &&
           cn_store_batch_remove_range(repair->batch, CRAFTY_SAVE_LOG, NULL, &last, error);
}

/* ---- Cells from the log ---- */

static int compare_blocks(const void *a, const void *b)
{
    const CnStoredBlock *x = a, *y = b;
    return (int)x->index - (int)y->index;
}

static bool end_chunk(Repair *repair, CnError *error)
{
    uint8_t bytes[CRAFTY_CHUNK_ROW_BYTES];
    if (!repair->is_building)
        return true;
    repair->is_building = false;
    qsort(repair->built_blocks, repair->built_count, sizeof *repair->built_blocks, compare_blocks);
    CnStoredChunk chunk = {
        .position = repair->built, .blocks = repair->built_blocks, .count = repair->built_count};
    uint32_t size = crafty_chunk_row_write(&chunk, bytes);
    return (cn_array_push(&repair->result->rebuilt_chunks, repair->built) ||
            cn_error_memory(error, "the repair of a world")) &&
           cn_store_batch_put(repair->batch, CRAFTY_SAVE_CHUNKS,
                              cn_store_number((int64_t)cn_chunk_key(repair->built)), bytes, size,
                              error);
}

static void begin_chunk(Repair *repair, uint64_t key)
{
    repair->built = cn_chunk_from_key(key);
    repair->is_building = true;
    if (!crafty_chunk_edits_load(&repair->rows.chunks, repair->built, repair->built_blocks,
                                 &repair->built_count))
        repair->built_count = 0;
}

static bool rebuild_cell(const CraftyWorldDifference *difference, void *user, CnError *error)
{
    Repair *repair = user;
    const CraftyLoggedCell *cell = difference->cell;
    if (difference->has_chunk && !difference->is_after_gap)
        return true; /* the row is newer */
    if (!repair->is_building || cn_chunk_key(repair->built) != cell->chunk) {
        if (!end_chunk(repair, error))
            return false;
        begin_chunk(repair, cell->chunk);
    }
    uint32_t at = 0;
    while (at < repair->built_count && repair->built_blocks[at].index != cell->index)
        at++;
    if (at == repair->built_count)
        repair->built_count++;
    repair->built_blocks[at] = (CnStoredBlock){cell->index, cell->block};
    repair->result->rebuilt_cells++;
    return true;
}

/* ---- The whole ---- */

static bool fill_batch(Repair *repair, CnError *error)
{
    return repair_identity(repair, error) && repair_palettes(repair, error) &&
           repair_summary(repair, error) && repair_thumbnail(repair, error) &&
           repair_state(repair, error) &&
           cn_store_each(repair->store, CRAFTY_SAVE_CHUNKS, NULL, NULL, visit_chunk, repair,
                         error) &&
           cn_store_each(repair->store, CRAFTY_SAVE_LOG, NULL, NULL, visit_record, repair, error) &&
           cn_store_each(repair->store, CRAFTY_SAVE_DATA, NULL, NULL, visit_data, repair, error) &&
           repair_log(repair, error) &&
           crafty_world_rows_compare(&repair->rows, rebuild_cell, repair, error) &&
           end_chunk(repair, error);
}

/* Makes the salvaged rows consistent, in one transaction. */
static bool make_consistent(const CraftyWorldRepairDesc *desc, const char *path,
                            CraftyWorldRepair *result, CnError *error)
{
    Repair *repair = cn_alloc_zeroed(cn_system_allocator(), sizeof *repair);
    if (!repair)
        return cn_error_memory(error, "the repair of a world");
    repair->desc = desc;
    repair->result = result;
    crafty_world_rows_init(&repair->rows);
    cn_array_init(&repair->bytes, cn_system_allocator());
    CnStoreDesc store = crafty_save_store_desc(path, CN_STORE_OPEN);
    repair->store = cn_store_create(&store, error);
    repair->batch = repair->store ? cn_store_batch_create(repair->store, error) : NULL;
    bool done = repair->batch && fill_batch(repair, error);
    if (done) {
        cn_store_submit(repair->store, repair->batch); /* the queue is empty */
        repair->batch = NULL;
        done = crafty_save_flush_store(repair->store, error);
    }
    cn_store_batch_destroy(repair->batch);
    cn_store_destroy(repair->store);
    cn_array_fini(&repair->bytes);
    crafty_world_rows_fini(&repair->rows);
    cn_free(cn_system_allocator(), repair, sizeof *repair);
    return done;
}

static bool check_salvaged(const CnStoreRow *row, void *user, CnError *error)
{
    (void)user;
    return crafty_world_row_check(row, error);
}

/* Names the chunks whose rows were damaged and that the log did not bring back. */
static bool name_lost_chunks(CraftyWorldRepair *repair, CnError *error)
{
    for (uint32_t i = 0; i < repair->damage.item_count; i++) {
        const CnStoreDamage *item = &repair->damage.items[i];
        char *end;
        if (item->table == CRAFTY_SAVE_INFO &&
            !strcmp(item->row, "'" CRAFTY_SAVE_KEY_THUMBNAIL "'"))
            repair->lost_thumbnail = true;
        if ((item->table != CRAFTY_SAVE_CHUNKS && item->table != CRAFTY_SAVE_DATA) || !item->row[0])
            continue;
        CraftyChunkList *lost =
            item->table == CRAFTY_SAVE_CHUNKS ? &repair->lost_chunks : &repair->lost_data;
        long long key = strtoll(item->row, &end, 10);
        CnChunkPos position = cn_chunk_from_key((uint64_t)key);
        if (!*end && cn_chunk_key(position) == (uint64_t)key && !cn_array_push(lost, position))
            return cn_error_memory(error, "the repair of a world");
    }
    return true;
}

static bool salvage(const CraftyWorldRepairDesc *desc, const char *temporary,
                    CraftyWorldRepair *repair, CnError *error)
{
    CnStoreDesc store = crafty_save_store_desc(desc->path, CN_STORE_OPEN);
    CnStoreCheckDesc check = {
        .verify = check_salvaged, .progress = desc->progress, .user = desc->user};
    if (!cn_store_salvage(&store, temporary, &check, &repair->damage, error))
        return false;
    return repair->damage.row_count > 0 ||
           cn_error_set(error, CN_ERROR_FORMAT, "'%s' contains nothing of a world", desc->path);
}

bool crafty_world_repair(const CraftyWorldRepairDesc *desc, CraftyWorldRepair *repair,
                         CnError *error)
{
    char temporary[CN_STORE_PATH_BYTES];
    bool is_open;
    *repair = (CraftyWorldRepair){.damage = {.allocator = cn_system_allocator()}};
    cn_array_init(&repair->lost_chunks, cn_system_allocator());
    cn_array_init(&repair->rebuilt_chunks, cn_system_allocator());
    cn_array_init(&repair->lost_data, cn_system_allocator());
    if (!crafty_world_settle(desc->path, &is_open, error) ||
        !crafty_worlds_begin_file(desc->path, temporary, error))
        return false;
    bool done = salvage(desc, temporary, repair, error) && name_lost_chunks(repair, error) &&
                make_consistent(desc, temporary, repair, error) &&
                crafty_worlds_replace(temporary, desc->path, repair->backup, error);
    return done || crafty_worlds_end_file(temporary, desc->path, false, error);
}
