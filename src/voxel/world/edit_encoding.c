/* Edits and logs as bytes. docs/formats.md describes both forms. */
#include <cairn/base/assert.h>
#include <cairn/base/bytes.h>
#include <cairn/base/hash_map.h>
#include <cairn/voxel/edit.h>
#include <cairn/voxel/mesh.h>

static uint8_t *store(uint8_t *bytes, const void *value, size_t size)
{
    memcpy(bytes, value, size);
    return bytes + size;
}

/* ---- One edit ---- */

bool cn_edit_write(const CnEdit *edit, CnBlockPalette *palette, uint8_t bytes[CN_EDIT_BYTES],
                   CnError *error)
{
    CN_ASSERT(edit, "%s: edit is NULL", __func__);
    uint16_t old_number, new_number;
    if (!cn_block_palette_add(palette, edit->old_block, &old_number, error) ||
        !cn_block_palette_add(palette, edit->new_block, &new_number, error))
        return false;
    bytes = store(bytes, &edit->tick, sizeof edit->tick);
    bytes = store(bytes, &edit->player, sizeof edit->player);
    bytes = store(bytes, &edit->kind, sizeof edit->kind);
    bytes = store(bytes, &edit->face, sizeof edit->face);
    bytes = store(bytes, &edit->cell.x, sizeof edit->cell.x);
    bytes = store(bytes, &edit->cell.y, sizeof edit->cell.y);
    bytes = store(bytes, &edit->cell.z, sizeof edit->cell.z);
    bytes = store(bytes, &old_number, sizeof old_number);
    store(bytes, &new_number, sizeof new_number);
    return true;
}

bool cn_edit_read(CnEdit *edit, const CnBlockPalette *palette, const uint8_t bytes[CN_EDIT_BYTES],
                  CnError *error)
{
    CN_ASSERT(edit, "%s: edit is NULL", __func__);
    CnEdit read = {.tick = cn_load_u64(bytes),
                   .player = cn_load_u32(bytes + 8),
                   .kind = bytes[12],
                   .face = bytes[13],
                   .cell = {(int32_t)cn_load_u32(bytes + 14), (int32_t)cn_load_u32(bytes + 18),
                            (int32_t)cn_load_u32(bytes + 22)}};
    if (read.kind >= CN_EDIT_KIND_COUNT)
        return cn_error_set(error, CN_ERROR_FORMAT, "unknown edit kind %u", read.kind);
    if (read.face >= CN_FACE_COUNT && read.face != CN_EDIT_NO_FACE)
        return cn_error_set(error, CN_ERROR_FORMAT, "invalid face %u", read.face);
    if (!cn_cell_is_in_world(read.cell))
        return cn_error_set(error, CN_ERROR_FORMAT, "the cell %d %d %d lies outside the world",
                            read.cell.x, read.cell.y, read.cell.z);
    if (!cn_block_palette_find(palette, cn_load_u16(bytes + 26), &read.old_block, error) ||
        !cn_block_palette_find(palette, cn_load_u16(bytes + 28), &read.new_block, error))
        return false;
    *edit = read;
    return true;
}

/* ---- A log ---- */

static const uint8_t MAGIC[8] = "CNEDITS\n";
#define LOG_VERSION 2u /* version 1 was a sequence of edits without header and palette */
#define LOG_HEADER_BYTES 12
#define CHECKSUM_BYTES 8

/* Returns the palette of all edits, or NULL when out of memory. */
static CnBlockPalette *palette_of(const CnEditLog *log, const CnBlockTable *table,
                                  CnAllocator *allocator)
{
    CnBlockPalette *palette = cn_block_palette_create(allocator, table);
    bool complete = palette;
    uint16_t number;
    for (uint32_t i = 0; i < cn_edit_log_count(log) && complete; i++) {
        CnEdit edit = cn_edit_log_at(log, i);
        complete = cn_block_palette_add(palette, edit.old_block, &number, NULL) &&
                   cn_block_palette_add(palette, edit.new_block, &number, NULL);
    }
    if (complete)
        return palette;
    cn_block_palette_destroy(palette);
    return NULL;
}

static bool append_edits(const CnEditLog *log, CnBlockPalette *palette, CnU8Array *bytes)
{
    uint32_t count = cn_edit_log_count(log);
    bool written = cn_bytes_append(bytes, &count, sizeof count);
    for (uint32_t i = 0; i < count && written; i++) {
        CnEdit edit = cn_edit_log_at(log, i);
        uint8_t record[CN_EDIT_BYTES];
        written = cn_edit_write(&edit, palette, record, NULL) &&
                  cn_bytes_append(bytes, record, sizeof record);
    }
    return written;
}

bool cn_edit_log_write(const CnEditLog *log, const CnBlockTable *table, CnU8Array *bytes,
                       CnError *error)
{
    CN_ASSERT(log, "%s: log is NULL", __func__);
    uint32_t start = bytes->count;
    CnBlockPalette *palette = palette_of(log, table, bytes->allocator);
    bool written = palette && cn_bytes_append(bytes, MAGIC, sizeof MAGIC) &&
                   cn_bytes_append(bytes, &(uint32_t){LOG_VERSION}, sizeof(uint32_t)) &&
                   cn_block_palette_write(palette, bytes) && append_edits(log, palette, bytes);
    if (written) {
        uint64_t checksum = cn_hash_bytes(bytes->items + start, bytes->count - start, 0);
        written = cn_bytes_append(bytes, &checksum, sizeof checksum);
    }
    cn_block_palette_destroy(palette);
    if (written)
        return true;
    bytes->count = start;
    return cn_error_memory(error, "an edit log as bytes");
}

static bool check_header(const uint8_t *bytes, size_t size, CnError *error)
{
    if (size < LOG_HEADER_BYTES + CHECKSUM_BYTES || memcmp(bytes, MAGIC, sizeof MAGIC) != 0)
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "not an edit log: it does not begin with CNEDITS (version 1, which had "
                            "no header, is not supported)");
    uint32_t version = cn_load_u32(bytes + sizeof MAGIC);
    if (version != LOG_VERSION)
        return cn_error_set(error, CN_ERROR_VERSION,
                            "edit log of version %u; this program reads version %u", version,
                            LOG_VERSION);
    uint64_t checksum = cn_load_u64(bytes + size - CHECKSUM_BYTES);
    if (cn_hash_bytes(bytes, size - CHECKSUM_BYTES, 0) != checksum)
        return cn_error_set(error, CN_ERROR_FORMAT, "the edit log is damaged: wrong checksum");
    return true;
}

/* `bytes` holds the number of edits and the edits. */
static bool read_edits(CnEditLog *log, const CnBlockPalette *palette, const uint8_t *bytes,
                       size_t size, CnError *error)
{
    if (size < 4 || size - 4 != (uint64_t)cn_load_u32(bytes) * CN_EDIT_BYTES)
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "the size of the edit log does not match its number of edits");
    for (const uint8_t *at = bytes + 4; at < bytes + size; at += CN_EDIT_BYTES) {
        CnEdit edit;
        if (!cn_edit_read(&edit, palette, at, error))
            return false;
        if (!cn_edit_log_append(log, &edit))
            return cn_error_memory(error, "an edit log");
    }
    return true;
}

/* Checks the log and reads its palette; stores in `edits` where the edits begin. */
static CnBlockPalette *read_palette(CnAllocator *allocator, const CnBlockTable *table,
                                    const uint8_t *bytes, size_t size, const uint8_t **edits,
                                    CnError *error)
{
    size_t used = 0;
    if (!check_header(bytes, size, error))
        return NULL;
    CnBlockPalette *palette =
        cn_block_palette_read(allocator, table, bytes + LOG_HEADER_BYTES,
                              size - LOG_HEADER_BYTES - CHECKSUM_BYTES, &used, error);
    *edits = bytes + LOG_HEADER_BYTES + used;
    return palette;
}

bool cn_edit_log_register_blocks(CnBlockTable *table, const CnBlockInfo *look, const uint8_t *bytes,
                                 size_t size, CnError *error)
{
    CN_ASSERT(table, "%s: table is NULL", __func__);
    const uint8_t *edits;
    CnBlockPalette *palette = read_palette(NULL, table, bytes, size, &edits, error);
    bool registered = palette && cn_block_palette_register(palette, table, look, error);
    cn_block_palette_destroy(palette);
    return registered;
}

CnEditLog *cn_edit_log_read(CnAllocator *allocator, const CnBlockTable *table, uint32_t limit,
                            const uint8_t *bytes, size_t size, CnError *error)
{
    const uint8_t *edits;
    CnBlockPalette *palette = read_palette(allocator, table, bytes, size, &edits, error);
    if (!palette)
        return NULL;
    const uint8_t *end = bytes + size - CHECKSUM_BYTES;
    CnEditLog *log = cn_edit_log_create(allocator, limit);
    bool is_read = log || cn_error_memory(error, "an edit log");
    is_read = is_read && read_edits(log, palette, edits, (size_t)(end - edits), error);
    cn_block_palette_destroy(palette);
    if (is_read)
        return log;
    cn_edit_log_destroy(log);
    return NULL;
}
