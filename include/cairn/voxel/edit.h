/*
 * Edits: what players and the world itself do to blocks, as saves and networks write it down.
 *
 *     CnEditLog *log = cn_edit_log_create(allocator, 100000);
 *     cn_edit_log_append(log, &edit);
 *     if (cn_edit_log_undo(log, player, &back))      // the edit that takes the player's newest one back
 *         cn_voxels_edit(world, &back);
 *
 * A log keeps its newest entries; older ones fall out at its limit and can no longer be undone. Undo skips
 * edits whose cell has been changed since by somebody else, until that has been taken back. Neither looks
 * through the log.
 */
#ifndef CAIRN_VOXEL_EDIT_H
#define CAIRN_VOXEL_EDIT_H

#include <cairn/base/error.h>
#include <cairn/voxel/chunk.h>

CN_EXTERN_C_BEGIN

typedef enum CnEditKind {
    CN_EDIT_PLACE,
    CN_EDIT_BREAK,
    CN_EDIT_FLOW, /* water */
    CN_EDIT_TICK, /* scheduled and random ticks */
    CN_EDIT_UNDO,
    CN_EDIT_KINDS
} CnEditKind;

#define CN_EDIT_NOBODY 0u
#define CN_EDIT_NO_FACE 255u

typedef struct CnEdit {
    uint64_t tick;
    uint32_t player; /* CN_EDIT_NOBODY: the world itself */
    uint8_t kind;    /* CnEditKind */
    uint8_t face;    /* CnFace that was aimed at, or CN_EDIT_NO_FACE */
    CnCell cell;
    CnBlock old_block, new_block;
} CnEdit;

/* One edit in bytes, little-endian, for files and packets. */
#define CN_EDIT_BYTES 30
CN_API void cn_edit_write(const CnEdit *edit, uint8_t bytes[CN_EDIT_BYTES]);
/* False: kind, face, a block or the cell is out of range. */
CN_API bool cn_edit_read(CnEdit *edit, const uint8_t bytes[CN_EDIT_BYTES], CnError *error);

typedef struct CnEditLog CnEditLog;
CN_API CnEditLog *cn_edit_log_create(CnAllocator *allocator, uint32_t limit);
CN_API void cn_edit_log_destroy(CnEditLog *log);
/* False: out of memory, and the edit is not in the log. */
CN_API bool cn_edit_log_append(CnEditLog *log, const CnEdit *edit);
CN_API uint32_t cn_edit_log_count(const CnEditLog *log);
/* 0 is the oldest that is kept. */
CN_API CnEdit cn_edit_log_at(const CnEditLog *log, uint32_t index);
/* The edit that takes back the newest one of the player that is not yet taken back, with its tick, which
 * the caller makes that of now. It is not appended: that happens when it is made. False: there is
 * none. */
CN_API bool cn_edit_log_undo(const CnEditLog *log, uint32_t player, CnEdit *back);

CN_EXTERN_C_END

#endif
