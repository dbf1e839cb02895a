/*
 * Edits: block changes made by players and by the world itself, in the form used by saves and
 * network packets.
 *
 *     CnEdit undo;
 *     CnError error = {0};
 *     if (cn_edit_log_undo(cn_voxels_log(world), player, &undo)) {
 *         undo.tick = tick;
 *         cn_voxels_edit(world, &undo, &error);
 *     }
 *
 * A log keeps the most recent edits up to its limit. Older edits are dropped and can no longer be
 * undone. Undo skips an edit while a later change by another player to the same cell stands.
 * Neither appending nor undoing searches the log.
 */
#ifndef CAIRN_VOXEL_EDIT_H
#define CAIRN_VOXEL_EDIT_H

#include <cairn/base/array.h>
#include <cairn/base/error.h>
#include <cairn/voxel/block_palette.h>
#include <cairn/voxel/chunk.h>

CN_EXTERN_C_BEGIN

typedef enum CnEditKind {
    CN_EDIT_PLACE,
    CN_EDIT_BREAK,
    CN_EDIT_FLOW, /* water */
    CN_EDIT_TICK, /* scheduled and random ticks */
    CN_EDIT_UNDO,
    CN_EDIT_KIND_COUNT
} CnEditKind;

#define CN_EDIT_NOBODY 0u
#define CN_EDIT_NO_FACE 255u

typedef struct CnEdit {
    uint64_t tick;
    uint32_t player; /* CN_EDIT_NOBODY for the world itself */
    uint8_t kind;    /* CnEditKind */
    uint8_t face;    /* CnFace the player aimed at, or CN_EDIT_NO_FACE */
    CnCell cell;
    CnBlock old_block, new_block;
} CnEdit;

/* Serialise an edit to and from a fixed-size little-endian record, for files and packets. Blocks
 * are written as numbers of the palette, which grows as needed and has to be written as well.
 * Returns false and sets `error` when out of memory or if the palette is full. */
#define CN_EDIT_BYTES 30
CN_API bool cn_edit_write(const CnEdit *edit, CnBlockPalette *palette, uint8_t bytes[CN_EDIT_BYTES],
                          CnError *error);
/* Returns false and sets `error` if the kind, the face or the cell is out of range, or if a block
 * is not in the palette or not in its block table. `edit` is unchanged then. */
CN_API bool cn_edit_read(CnEdit *edit, const CnBlockPalette *palette,
                         const uint8_t bytes[CN_EDIT_BYTES], CnError *error);

typedef struct CnEditLog CnEditLog;
/* Creates a log that keeps the last `limit` edits; `limit` must not be 0. Returns NULL when out of
 * memory. */
CN_API CnEditLog *cn_edit_log_create(CnAllocator *allocator, uint32_t limit);
CN_API void cn_edit_log_destroy(CnEditLog *log);
/* Appends an edit. Returns false and leaves the log unchanged when out of memory. */
CN_API bool cn_edit_log_append(CnEditLog *log, const CnEdit *edit);
CN_API uint32_t cn_edit_log_count(const CnEditLog *log);
/* Returns how many edits were ever appended, including those that were dropped since. */
CN_API uint64_t cn_edit_log_total(const CnEditLog *log);
/* Returns an edit by index; 0 is the oldest one in the log. */
CN_API CnEdit cn_edit_log_at(const CnEditLog *log, uint32_t index);
/* Stores in `back` the edit that reverts the player's most recent edit that has not been undone.
 * Its tick is that of the original edit: set it to the current tick, then apply it with
 * cn_voxels_edit, which appends it to the log. Returns false if there is nothing to undo. */
CN_API bool cn_edit_log_undo(const CnEditLog *log, uint32_t player, CnEdit *back);

/* Appends the log, with a palette of its blocks, to `bytes` in the form described in
 * docs/formats.md. `table` is that of the world. Returns false and sets `error` when out of memory;
 * `bytes` is unchanged then. */
CN_API bool cn_edit_log_write(const CnEditLog *log, const CnBlockTable *table, CnU8Array *bytes,
                              CnError *error);
/* Reads a log that keeps up to `limit` edits, the most recent ones. Returns NULL and sets `error`
 * if the data is damaged, of another version or names blocks that the table lacks, or when out of
 * memory. */
CN_API CnEditLog *cn_edit_log_read(CnAllocator *allocator, const CnBlockTable *table,
                                   uint32_t limit, const uint8_t *bytes, size_t size,
                                   CnError *error);
/* Registers a placeholder for every block that the log names and an open table lacks, so that
 * cn_edit_log_read can read it once the table is closed: see cn_block_palette_register. Returns
 * false and sets `error` if the data is damaged or the table is closed or full, or when out of
 * memory. */
CN_API bool cn_edit_log_register_blocks(CnBlockTable *table, const CnBlockInfo *look,
                                        const uint8_t *bytes, size_t size, CnError *error);

CN_EXTERN_C_END

#endif
