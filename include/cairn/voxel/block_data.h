/*
 * Block data: bytes attached to a block, such as the contents of a chest, the text of a sign or the
 * progress of a furnace.
 *
 *     void write_sign(CnVoxels *voxels, CnCell cell, const char *text, CnError *error)
 *     {
 *         CnBlockData data = {.bytes = (const uint8_t *)text, .size = (uint16_t)strlen(text)};
 *         if (cn_block_data_kind(voxels, "game.sign", &data.kind, error))
 *             cn_block_data_set(voxels, cell, &data, error);
 *     }
 *
 * The voxel world owns the data and keeps it in memory, whichever chunks are loaded. Data belongs
 * to the block in its cell: an edit that replaces the block removes the data, after the listener
 * has seen it. cn_voxels_edit_keeping_data replaces a block and keeps its data, as for a furnace
 * that starts to glow.
 *
 * What the bytes mean is up to the kind. Kinds have names; their numbers belong to one world. Data
 * of a kind that nobody knows any more stays as it is. Data is state like blocks: it is part of
 * cn_voxels_hash, and a simulation changes it only in ticks. It follows the thread rule of the
 * world.
 *
 * Data that does something in each tick is active; only active data is iterated:
 *
 *     void burn_all(CnVoxels *voxels)
 *     {
 *         CnCell cell;
 *         for (bool more = cn_block_data_first_active(voxels, &cell); more;
 *              more = cn_block_data_next_active(voxels, &cell))
 *             burn(voxels, cell); // may change and remove any data
 *     }
 *
 * For saving, the data of one chunk is one row of bytes. A save takes the rows of the chunks whose
 * data changed since the last one, in parts between which the game goes on:
 *
 *     void save_rows(CnVoxels *voxels, CnU8Array *row, CnError *error)
 *     {
 *         CnChunkPos position;
 *         cn_block_data_save_begin(voxels);
 *         while (cn_block_data_save_left(voxels) > 0 &&
 *                cn_block_data_save_next(voxels, &position, row, error))
 *             put(position, row); // without bytes if the chunk has no data any more
 *         cn_block_data_save_end(voxels, cn_block_data_save_left(voxels) == 0);
 *     }
 */
#ifndef CAIRN_VOXEL_BLOCK_DATA_H
#define CAIRN_VOXEL_BLOCK_DATA_H

#include <cairn/base/text.h>
#include <cairn/voxel/voxels.h>

CN_EXTERN_C_BEGIN

/* ---- Limits ---- */

#define CN_BLOCK_DATA_BYTES 4096u    /* at most, of one block */
#define CN_BLOCK_DATA_KINDS 4096u    /* at most, of a world */
#define CN_BLOCK_DATA_NAME_BYTES 64u /* of a kind, including the terminator */

/* ---- Kinds ---- */

typedef uint16_t CnBlockDataKind; /* from 1 to the number of kinds */

/* Stores the number of a kind in `kind`, after adding it if the world does not have it. A name
 * consists of lower-case letters, digits, '_', '.' and ':'. Returns false and sets `error` if the
 * name is not valid or there are too many kinds, or when out of memory. */
CN_API bool cn_block_data_kind(CnVoxels *world, const char *name, CnBlockDataKind *kind,
                               CnError *error);
CN_API uint32_t cn_block_data_kind_count(const CnVoxels *world);
/* Returns the name of a kind, valid as long as the world; NULL if there is no such kind. */
CN_API const char *cn_block_data_kind_name(const CnVoxels *world, uint32_t kind);

/* ---- Data ---- */

typedef struct CnBlockData {
    CnBlockDataKind kind;
    bool active;
    uint16_t size;        /* 0 to CN_BLOCK_DATA_BYTES */
    const uint8_t *bytes; /* may be NULL if `size` is 0 */
} CnBlockData;

/* Stores the data of a cell in `data`; its bytes are valid until data of the world changes. Returns
 * false if there is none. Does not load the chunk. */
CN_API bool cn_block_data_get(const CnVoxels *world, CnCell cell, CnBlockData *data);
/* Attaches data to the block in a cell, instead of what was there. The bytes are copied. Which
 * block is there is not checked. Returns false and sets `error` if the cell lies outside the world,
 * the kind does not exist or the data is too large, or when out of memory; nothing has changed
 * then. */
CN_API bool cn_block_data_set(CnVoxels *world, CnCell cell, const CnBlockData *data,
                              CnError *error);
/* Removes the data of a cell, if there is any, without calling the listener. Returns false and sets
 * `error` when out of memory; nothing has changed then. */
CN_API bool cn_block_data_remove(CnVoxels *world, CnCell cell, CnError *error);

/* Called during cn_voxels_edit for data that the edit has removed, when the new block is in place.
 * `data` is valid during the call. May query and edit the world and change data. */
typedef void (*CnBlockDataListener)(void *user, const CnEdit *edit, const CnBlockData *data);
/* Replaces the listener, which is separate from the hooks of the world because it belongs to the
 * rules of a game. NULL: none. */
CN_API void cn_block_data_listen(CnVoxels *world, CnBlockDataListener listener, void *user);

/* Iterate over the cells of a chunk with data, ascending by cn_chunk_index. `next` stores the first
 * cell after *cell in the same chunk, which need not have data any more. They return false if there
 * is none. They do not load the chunk. */
CN_API bool cn_block_data_first_in_chunk(const CnVoxels *world, CnChunkPos position, CnCell *cell);
CN_API bool cn_block_data_next_in_chunk(const CnVoxels *world, CnCell *cell);

/* ---- Active data ---- */

/* Iterate over the cells with active data in an order that depends on their positions only:
 * ascending by cn_chunk_key, then by cn_chunk_index. `next` stores the first cell after *cell,
 * which need not be active any more. They return false if there is none. */
CN_API bool cn_block_data_first_active(const CnVoxels *world, CnCell *cell);
CN_API bool cn_block_data_next_active(const CnVoxels *world, CnCell *cell);

typedef struct CnBlockDataStats {
    uint32_t blocks, active; /* with data; with active data */
    uint32_t changed_chunks; /* since the last save began */
    uint64_t bytes;          /* of data */
} CnBlockDataStats;
CN_API CnBlockDataStats cn_block_data_stats(const CnVoxels *world);
/* Returns a hash of all data, which is part of cn_voxels_hash; 0 without data. It is kept up to
 * date: the call takes no time. */
CN_API uint64_t cn_block_data_hash(const CnVoxels *world);

/* ---- Saving ---- */

/* All chunks with data, and those that lost theirs since the last save, in no particular order, but
 * always the same in the same run. */
CN_API uint32_t cn_block_data_chunk_count(const CnVoxels *world);
CN_API CnChunkPos cn_block_data_chunk(const CnVoxels *world, uint32_t index);

/* Begins a save of the chunks whose data changed since the last one, also of those that have none
 * any more. There is one save at a time. */
CN_API void cn_block_data_save_begin(CnVoxels *world);
/* Returns how many chunks of the save have not been taken yet; 0 without a save. */
CN_API uint32_t cn_block_data_save_left(const CnVoxels *world);
/* Takes the next chunk of the save, in the order in which they changed: replaces `bytes` by its row
 * as it was when the save began. Returns false and sets `error` when out of memory; the chunk is
 * not taken then. */
CN_API bool cn_block_data_save_next(CnVoxels *world, CnChunkPos *position, CnU8Array *bytes,
                                    CnError *error);
/* Ends the save, if there is one. Unless it is `done`, the next save contains its chunks, too. */
CN_API void cn_block_data_save_end(CnVoxels *world, bool done);

/* Appends the data of a chunk to `bytes`, in the form described in docs/formats.md; nothing if
 * there is none. Numbers of kinds are those of this world. Returns false and sets `error` when out
 * of memory; `bytes` is unchanged then. */
CN_API bool cn_block_data_write(const CnVoxels *world, CnChunkPos position, CnU8Array *bytes,
                                CnError *error);
/* Adds the data of a chunk that has none yet; it counts as saved. Returns false and sets `error` if
 * the bytes are malformed or name a kind that the world does not have, or when out of memory;
 * nothing has changed then. */
CN_API bool cn_block_data_read(CnVoxels *world, CnChunkPos position, const uint8_t *bytes,
                               size_t size, CnError *error);
/* Replaces the data of a chunk by that of such bytes, without calling the listener: for clients
 * that follow a server (cairn/voxel/edited_chunks.h). No bytes remove it. Returns false and sets
 * `error` if the position lies outside the world, if the bytes are malformed or name a kind that
 * the world does not have, or when out of memory; nothing has changed then. */
CN_API bool cn_block_data_replace(CnVoxels *world, CnChunkPos position, const uint8_t *bytes,
                                  size_t size, CnError *error);
/* Checks bytes as cn_block_data_read does, in a world with that number of kinds. Any thread. */
CN_API bool cn_block_data_check(CnChunkPos position, const uint8_t *bytes, size_t size,
                                uint32_t kind_count, CnError *error);

/* Appends the names of all kinds in order of their numbers, separated by commas. Returns false when
 * out of memory. */
CN_API bool cn_block_data_write_kinds(const CnVoxels *world, CnTextBuilder *text);
/* Adds the kinds of such a list to a world without kinds, so that they get the same numbers.
 * Returns false and sets `error` if a name is not valid or appears twice, if the world has kinds
 * already, or when out of memory; nothing has changed then. */
CN_API bool cn_block_data_read_kinds(CnVoxels *world, CnText names, CnError *error);

CN_EXTERN_C_END

#endif
