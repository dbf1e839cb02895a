#include "world_rows.h"

#include "chunk_row.h"

#include <cairn/base/bytes.h>
#include <cairn/voxel/block_data.h>

#include <stdlib.h>

void crafty_world_rows_init(CraftyWorldRows *rows)
{
    *rows = (CraftyWorldRows){0};
    crafty_chunk_edits_init(&rows->chunks, NULL);
    cn_array_init(&rows->cells, cn_system_allocator());
}

static void drop_palette(CraftyWorldRows *rows)
{
    cn_block_palette_destroy(rows->palette);
    cn_block_table_destroy(rows->blocks);
    rows->palette = NULL;
    rows->blocks = NULL;
}

void crafty_world_rows_fini(CraftyWorldRows *rows)
{
    drop_palette(rows);
    crafty_chunk_edits_fini(&rows->chunks);
    cn_array_fini(&rows->cells);
}

bool crafty_world_rows_set_palette(CraftyWorldRows *rows, CnText palette, CnError *error)
{
    drop_palette(rows);
    rows->blocks = crafty_blocks_create(&(CraftyBlocksDesc){.palette = palette}, error);
    if (!rows->blocks)
        return false;
    cn_block_table_close(rows->blocks);
    rows->palette = crafty_save_palette_create(rows->blocks, error);
    if (!rows->palette)
        drop_palette(rows);
    return rows->palette != NULL;
}

void crafty_world_rows_set_kinds(CraftyWorldRows *rows, CnText names)
{
    CnText name;
    rows->data_kinds = 0;
    while (cn_text_split(&names, ',', &name))
        rows->data_kinds++;
}

/* ---- Single rows ---- */

static bool key_is(const CnStoreRow *row, const char *key)
{
    return row->key.size == strlen(key) && memcmp(row->key.bytes, key, row->key.size) == 0;
}

static bool check_info(const CnStoreRow *row, CnError *error)
{
    CraftyWorldIdentity identity;
    CraftyWorldSummary summary;
    if (key_is(row, CRAFTY_SAVE_KEY_IDENTITY))
        return crafty_world_identity_read(&identity, row->bytes, row->size, error);
    if (key_is(row, CRAFTY_SAVE_KEY_MODS))
        return crafty_world_mods_read(&(CraftyWorldMods){0},
                                      (CnText){(const char *)row->bytes, row->size}, error);
    if (key_is(row, CRAFTY_SAVE_KEY_SUMMARY))
        return crafty_world_summary_read(&summary, row->bytes, row->size, error);
    return true;
}

bool crafty_world_row_check(const CnStoreRow *row, CnError *error)
{
    uint64_t hash;
    uint32_t count;
    switch ((CraftySaveTable)row->table) {
    case CRAFTY_SAVE_INFO:
    case CRAFTY_SAVE_COPY:
        return check_info(row, error);
    case CRAFTY_SAVE_CHUNKS:
        return crafty_chunk_row_read(row->bytes, row->size, &hash, NULL, &count) ||
               cn_error_set(error, CN_ERROR_FORMAT, "the edits are malformed");
    case CRAFTY_SAVE_LOG:
        return (row->size > 0 && row->size % CN_EDIT_BYTES == 0 &&
                row->size / CN_EDIT_BYTES <= CRAFTY_SAVE_GROUP_EDITS) ||
               cn_error_set(error, CN_ERROR_FORMAT, "the record has %zu bytes", row->size);
    default:
        return true;
    }
}

/* ---- Rows in order ---- */

static bool add_palette(CraftyWorldRows *rows, const CnStoreRow *row, CnError *error)
{
    CnText text = {(const char *)row->bytes, row->size};
    if (row->table == CRAFTY_SAVE_INFO)
        return crafty_world_rows_set_palette(rows, text, error);
    CnBlockTable *blocks = crafty_blocks_create(&(CraftyBlocksDesc){.palette = text}, error);
    cn_block_table_destroy(blocks);
    return blocks != NULL;
}

/* Without a palette, the standard blocks: other rows may still be fine. */
static bool need_palette(CraftyWorldRows *rows, CnError *error)
{
    return rows->palette || crafty_world_rows_set_palette(rows, (CnText){0}, error);
}

static bool check_items(CraftyWorldRows *rows, const CnStoreRow *row, CnError *error)
{
    CnText palette = {(const char *)row->bytes, row->size};
    if (!need_palette(rows, error))
        return false;
    CraftyItems *items =
        crafty_items_create(&(CraftyItemsDesc){.blocks = rows->blocks, .palette = palette}, error);
    crafty_items_destroy(items);
    return items != NULL;
}

static bool add_info(CraftyWorldRows *rows, const CnStoreRow *row, CnError *error)
{
    if (key_is(row, CRAFTY_SAVE_KEY_BLOCKS))
        return add_palette(rows, row, error);
    if (key_is(row, CRAFTY_SAVE_KEY_ITEMS))
        return check_items(rows, row, error);
    if (key_is(row, CRAFTY_SAVE_KEY_DATA_KINDS) && row->table == CRAFTY_SAVE_INFO)
        crafty_world_rows_set_kinds(rows, (CnText){(const char *)row->bytes, row->size});
    if (key_is(row, CRAFTY_SAVE_KEY_THUMBNAIL))
        return !rows->check_thumbnail || rows->check_thumbnail(row->bytes, row->size, error);
    return check_info(row, error);
}

static bool add_chunk(CraftyWorldRows *rows, const CnStoreRow *row, CnError *error)
{
    CnStoredBlock blocks[CN_CHUNK_BLOCKS];
    uint64_t hash, key = (uint64_t)row->key.number;
    uint32_t count;
    if (!need_palette(rows, error))
        return false;
    if (key != cn_chunk_key(cn_chunk_from_key(key)) ||
        !crafty_chunk_row_read(row->bytes, row->size, &hash, blocks, &count))
        return cn_error_set(error, CN_ERROR_FORMAT, "the edits are malformed");
    for (uint32_t i = 0; i < count; i++)
        if (blocks[i].block >= rows->blocks->count)
            return cn_error_set(error, CN_ERROR_FORMAT,
                                "the edits contain the block %u, but the palette has %u blocks",
                                blocks[i].block, rows->blocks->count);
    return crafty_chunk_edits_add(&rows->chunks, key, row->bytes, row->size, error);
}

static bool check_data(const CraftyWorldRows *rows, const CnStoreRow *row, CnError *error)
{
    uint64_t key = (uint64_t)row->key.number;
    CnChunkPos position = cn_chunk_from_key(key);
    if (key != cn_chunk_key(position))
        return cn_error_set(error, CN_ERROR_FORMAT, "the key is not that of a chunk");
    return cn_block_data_check(position, row->bytes, row->size, rows->data_kinds, error);
}

void crafty_world_rows_gap(CraftyWorldRows *rows, int64_t record)
{
    rows->after_gap = rows->edits;
    rows->first_after_gap = record + 1;
}

static bool add_record(CraftyWorldRows *rows, const CnStoreRow *row, CnError *error)
{
    int64_t last = rows->last_record;
    rows->last_record = row->key.number;
    if (last && row->key.number != last + 1)
        crafty_world_rows_gap(rows, row->key.number - 1);
    if (!need_palette(rows, error) || !crafty_world_row_check(row, error))
        return false;
    uint32_t count = (uint32_t)(row->size / CN_EDIT_BYTES), before = rows->cells.count;
    if (!cn_array_reserve(&rows->cells, before + count))
        return cn_error_memory(error, "the edit log");
    for (uint32_t i = 0; i < count; i++) {
        CnEdit edit;
        if (!cn_edit_read(&edit, rows->palette, row->bytes + (size_t)i * CN_EDIT_BYTES, error)) {
            rows->cells.count = before;
            return false;
        }
        rows->cells.items[rows->cells.count++] =
            (CraftyLoggedCell){.chunk = cn_chunk_key(cn_chunk_of(edit.cell)),
                               .order = rows->edits + i,
                               .index = (uint16_t)cn_chunk_index(edit.cell),
                               .block = edit.new_block};
    }
    rows->edits += count;
    return true;
}

bool crafty_world_rows_add(CraftyWorldRows *rows, const CnStoreRow *row, CnError *error)
{
    switch ((CraftySaveTable)row->table) {
    case CRAFTY_SAVE_INFO:
    case CRAFTY_SAVE_COPY:
        return add_info(rows, row, error);
    case CRAFTY_SAVE_CHUNKS:
        return add_chunk(rows, row, error);
    case CRAFTY_SAVE_LOG:
        return add_record(rows, row, error);
    case CRAFTY_SAVE_DATA:
        return check_data(rows, row, error);
    default:
        return true;
    }
}

/* ---- Chunks against the log ---- */

/* By chunk and cell, the newest edit first. */
static int compare_cells(const void *a, const void *b)
{
    const CraftyLoggedCell *x = a, *y = b;
    if (x->chunk != y->chunk)
        return x->chunk < y->chunk ? -1 : 1;
    if (x->index != y->index)
        return x->index < y->index ? -1 : 1;
    return x->order > y->order ? -1 : x->order < y->order;
}

typedef struct ChunkCells {
    uint64_t chunk;
    bool is_loaded, exists;
    bool is_edited[CN_CHUNK_BLOCKS];
    CnBlock blocks[CN_CHUNK_BLOCKS];
} ChunkCells;

static void load_cells(CraftyWorldRows *rows, uint64_t chunk, ChunkCells *cells)
{
    CnStoredBlock blocks[CN_CHUNK_BLOCKS];
    uint32_t count = 0;
    cells->chunk = chunk;
    cells->is_loaded = true;
    memset(cells->is_edited, 0, sizeof cells->is_edited);
    cells->exists =
        crafty_chunk_edits_load(&rows->chunks, cn_chunk_from_key(chunk), blocks, &count);
    for (uint32_t i = 0; cells->exists && i < count; i++) {
        cells->is_edited[blocks[i].index] = true;
        cells->blocks[blocks[i].index] = blocks[i].block;
    }
}

bool crafty_world_rows_compare(CraftyWorldRows *rows,
                               bool (*visit)(const CraftyWorldDifference *difference, void *user,
                                             CnError *error),
                               void *user, CnError *error)
{
    ChunkCells *cells = cn_alloc_zeroed(cn_system_allocator(), sizeof *cells);
    bool done = cells || cn_error_memory(error, "the blocks of a chunk");
    if (rows->cells.count > 0)
        qsort(rows->cells.items, rows->cells.count, sizeof *rows->cells.items, compare_cells);
    for (uint32_t i = 0; done && i < rows->cells.count; i++) {
        const CraftyLoggedCell *cell = &rows->cells.items[i];
        if (i > 0 && cell->chunk == cell[-1].chunk && cell->index == cell[-1].index)
            continue; /* an older edit of the same cell */
        if (!cells->is_loaded || cells->chunk != cell->chunk)
            load_cells(rows, cell->chunk, cells);
        if (cells->is_edited[cell->index] && cells->blocks[cell->index] == cell->block)
            continue;
        done = visit(&(CraftyWorldDifference){.cell = cell,
                                              .has_chunk = cells->exists,
                                              .is_after_gap = cell->order >= rows->after_gap},
                     user, error);
    }
    cn_free(cn_system_allocator(), cells, sizeof *cells);
    return done;
}
