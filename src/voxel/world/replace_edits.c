/* Replacing the edits of a chunk, for clients that follow a server. */
#include "voxel/world/voxels_internal.h"

#include <cairn/base/assert.h>
#include <cairn/voxel/edited_chunks.h>

#include <string.h>

/* What becomes of a loaded chunk. */
typedef struct Replacement {
    CnBlock old[CN_CHUNK_BLOCKS], now[CN_CHUNK_BLOCKS];
    uint64_t bits[CN_CHUNK_BLOCKS / 64]; /* the new edited cells */
    uint64_t change;                     /* of edit_sum */
    bool is_same;                        /* no block differs */
    bool dims_differently;               /* sky heights may change */
} Replacement;

static bool check_chunk(const CnVoxels *world, const CnStoredChunk *chunk, CnError *error)
{
    if (!cni_voxel_check_position(chunk->position, error))
        return false;
    bool valid = cni_voxel_stored_blocks_are_valid(world, chunk->blocks, chunk->count);
    for (uint32_t i = 1; i < chunk->count && valid; i++)
        valid = chunk->blocks[i].index > chunk->blocks[i - 1].index;
    return valid || cn_error_set(error, CN_ERROR_FORMAT,
                                 "the edits of chunk %d, %d, %d have an invalid cell or block",
                                 chunk->position.x, chunk->position.y, chunk->position.z);
}

/* Gives cells that are not edited any more their generated block. Generates only if there are any,
 * or if nobody noted which cells were edited. */
static void undo_old_edits(CnVoxels *world, const CniVoxelChunkEntry *entry, Replacement *to)
{
    uint64_t undone[CN_CHUNK_BLOCKS / 64], any = 0;
    for (uint32_t i = 0; i < CN_COUNT_OF(undone); i++) {
        undone[i] = (entry->edited ? entry->edited->bits[i] : UINT64_MAX) & ~to->bits[i];
        any |= undone[i];
    }
    if (any == 0 || !(entry->flags & CNI_VOXEL_CHUNK_EDITED))
        return;
    CniVoxelLane *lane = cni_voxel_owner_lane(world);
    cn_generate(world->generator, lane->generate, entry->position, lane->blocks);
    for (uint32_t i = 0; i < CN_CHUNK_BLOCKS; i++) {
        if (undone[i / 64] >> i % 64 & 1)
            to->now[i] = lane->blocks[i];
    }
}

static void compare(const CnVoxels *world, CnChunkPos position, Replacement *to)
{
    to->change = 0;
    to->dims_differently = false;
    to->is_same = memcmp(to->old, to->now, sizeof to->old) == 0;
    for (uint32_t i = 0; i < CN_CHUNK_BLOCKS && !to->is_same; i++) {
        if (to->old[i] == to->now[i])
            continue;
        to->change += cni_voxel_cell_hash(position, i, to->now[i]) -
                      cni_voxel_cell_hash(position, i, to->old[i]);
        uint8_t flags = world->table->flags[to->old[i]] ^ world->table->flags[to->now[i]];
        to->dims_differently |= (flags & CN_BLOCK_DIMS_LIGHT) != 0;
    }
}

static void find_replacement(CnVoxels *world, const CniVoxelChunkEntry *entry,
                             const CnStoredChunk *chunk, Replacement *to)
{
    cn_chunk_unpack(entry->blocks, to->old);
    memcpy(to->now, to->old, sizeof to->now);
    memset(to->bits, 0, sizeof to->bits);
    for (uint32_t i = 0; i < chunk->count; i++)
        to->bits[chunk->blocks[i].index / 64] |= 1ull << chunk->blocks[i].index % 64;
    undo_old_edits(world, entry, to);
    for (uint32_t i = 0; i < chunk->count; i++)
        to->now[chunk->blocks[i].index] = chunk->blocks[i].block;
    compare(world, entry->position, to);
}

/* Performs everything that can fail; the blocks are replaced last. */
static bool replace_blocks(CnVoxels *world, CniVoxelChunkEntry *entry, CniVoxelChunkColumn *column,
                           const Replacement *to)
{
    if (!cni_voxel_prepare_noting(world, entry) ||
        !cni_voxel_prepare_version(world, entry->position) ||
        (to->dims_differently && !cni_voxel_sky_heights_forget(world, column)))
        return false;
    CnChunk *blocks = cn_chunk_create(world->allocator, world->table, to->now);
    if (!blocks || !cni_voxel_retire(world, entry->read_by, entry->blocks, NULL)) {
        cn_chunk_release(blocks);
        return false;
    }
    entry->blocks = blocks;
    entry->read_by = 0;
    return true;
}

static bool set_loaded(CnVoxels *world, CniVoxelChunkEntry *entry, const CnStoredChunk *chunk,
                       CnError *error)
{
    Replacement to;
    find_replacement(world, entry, chunk, &to);
    bool is_noted = entry->edited ? memcmp(to.bits, entry->edited->bits, sizeof to.bits) == 0
                                  : chunk->count == 0 || (!world->stored_blocks && to.is_same);
    if (to.is_same && is_noted)
        return true;
    CniVoxelChunkColumn *column =
        cni_voxel_column_load(world, entry->position.x, entry->position.z);
    if (!column || !replace_blocks(world, entry, column, &to)) {
        world->stats.out_of_memory++;
        return cn_error_memory(error, "the edits of a chunk");
    }
    cni_voxel_note_edited(column, entry);
    entry->flags &= ~(uint32_t)CNI_VOXEL_CHUNK_HASHED;
    world->edit_sum += to.change;
    if (entry->edited) {
        memcpy(entry->edited->bits, to.bits, sizeof to.bits);
        entry->edited->sum += to.change;
        cni_voxel_unstored_add(world, entry);
    }
    cni_voxel_new_version(world, entry->position);
    if (!to.is_same)
        cni_voxel_mark_chunk_dirty(world, entry->position, to.dims_differently);
    return true;
}

bool cn_voxels_set_edits(CnVoxels *world, const CnStoredChunk *chunk, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(chunk && (chunk->blocks || chunk->count == 0), "%s: chunk is NULL", __func__);
    if (!check_chunk(world, chunk, error))
        return false;
    CniVoxelChunkEntry *entry = cni_voxel_chunk_entry_find(world, chunk->position);
    if (!entry && world->stored_blocks) {
        if (chunk->count == 0 && !cni_voxel_is_stored(world, chunk->position))
            return true;
        if (!cni_voxel_store_unloaded(world, chunk, error))
            return false;
    } else {
        if (!entry && !(entry = cni_voxel_chunk_entry_load(world, chunk->position)))
            return cn_error_memory(error, "a chunk");
        if (!set_loaded(world, entry, chunk, error))
            return false;
    }
    if (world->hooks.edits_replaced)
        world->hooks.edits_replaced(world->hooks.user, chunk->position);
    return true;
}
