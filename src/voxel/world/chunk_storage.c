/*
 * Storage of edited chunks outside the world, through the hooks chunk_store and chunk_load.
 *
 * The world keeps an index of what is stored: per chunk its part of the edit sum, which checks what
 * comes back, and per column the highest stored chunk, from which sky heights are searched. Hooks
 * are called on the owner's thread only: tasks generate blocks, and the owner applies the edits
 * when it takes over their results.
 */
#include "voxel/world/voxels_internal.h"

#include <cairn/base/assert.h>

bool cni_voxel_storage_init(CnVoxels *world)
{
    CN_ASSERT(!world->hooks.chunk_store == !world->hooks.chunk_load,
              "chunk_store and chunk_load belong together");
    cni_voxel_unstored_init(world);
    cn_hash_map_init_keyed(&world->stored, world->allocator, sizeof(CniVoxelStoredSum));
    cn_hash_map_init_keyed(&world->edited, world->allocator, sizeof(CniVoxelEditedChunk));
    cn_hash_map_init_keyed(&world->edited_columns, world->allocator, sizeof(CniVoxelEditedColumn));
    cn_hash_map_init_keyed(&world->stored_columns, world->allocator, sizeof(int32_t));
    if (!world->hooks.chunk_store || !world->hooks.chunk_load)
        return true;
    world->stored_blocks =
        cn_alloc(world->allocator, CN_CHUNK_BLOCKS * sizeof *world->stored_blocks);
    return world->stored_blocks;
}

void cni_voxel_storage_fini(CnVoxels *world)
{
    cni_voxel_unstored_fini(world);
    cn_hash_map_fini(&world->stored);
    cn_hash_map_fini(&world->stored_columns);
    cn_hash_map_fini(&world->edited);
    cn_hash_map_fini(&world->edited_columns);
    cn_free(world->allocator, world->stored_blocks, CN_CHUNK_BLOCKS * sizeof *world->stored_blocks);
}

uint64_t cni_voxel_cell_hash(CnChunkPos position, uint32_t index, CnBlock block)
{
    uint64_t chunk = cn_hash_mix(cn_chunk_key(position));
    return cn_hash_mix(chunk + ((uint64_t)index << 16 | block));
}

bool cni_voxel_is_stored(const CnVoxels *world, CnChunkPos position)
{
    return world->stored.count > 0 && cn_hash_map_get(&world->stored, cn_chunk_key(position));
}

/* ---- Loading ---- */

bool cni_voxel_stored_blocks_are_valid(const CnVoxels *world, const CnStoredBlock *blocks,
                                       uint32_t count)
{
    bool valid = count <= CN_CHUNK_BLOCKS;
    for (uint32_t i = 0; i < count && valid; i++)
        valid = blocks[i].index < CN_CHUNK_BLOCKS && cn_block_exists(world->table, blocks[i].block);
    return valid;
}

/* Returns how replacing generated blocks by the stored ones changes the edit sum. */
static uint64_t sum_of(const CnStoredChunk *chunk, const CnBlock *generated)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < chunk->count; i++) {
        CnStoredBlock stored = chunk->blocks[i];
        sum += cni_voxel_cell_hash(chunk->position, stored.index, stored.block) -
               cni_voxel_cell_hash(chunk->position, stored.index, generated[stored.index]);
    }
    return sum;
}

/* Returns NULL when out of memory. */
static CniVoxelEditedCells *edited_cells_of(CnVoxels *world, const CnStoredChunk *chunk)
{
    CniVoxelEditedCells *edited = cn_alloc_zeroed(world->allocator, sizeof *edited);
    if (!edited) {
        world->stats.out_of_memory++;
        return NULL;
    }
    edited->sum = chunk->hash;
    for (uint32_t i = 0; i < chunk->count; i++)
        edited->bits[chunk->blocks[i].index / 64] |= 1ull << chunk->blocks[i].index % 64;
    return edited;
}

/* Returns whether the sum is the expected one, or learns it. */
static bool check_sum(CnVoxels *world, CniVoxelStoredSum *stored, uint64_t sum)
{
    if (!stored->is_unknown)
        return stored->sum == sum;
    *stored = (CniVoxelStoredSum){.sum = sum};
    world->edit_sum += sum;
    return true;
}

bool cni_voxel_apply_stored(CnVoxels *world, CnChunkPos position, CnBlock *blocks,
                            CniVoxelEditedCells **edited)
{
    if (edited)
        *edited = NULL;
    if (!cni_voxel_is_stored(world, position))
        return true;
    CnStoredChunk chunk = {.position = position, .blocks = world->stored_blocks};
    CniVoxelStoredSum *stored = cn_hash_map_get(&world->stored, cn_chunk_key(position));
    if (!world->hooks.chunk_load(world->hooks.user, position, world->stored_blocks, &chunk.count) ||
        !cni_voxel_stored_blocks_are_valid(world, chunk.blocks, chunk.count) ||
        !check_sum(world, stored, chunk.hash = sum_of(&chunk, blocks))) {
        world->stats.storage_failures++;
        return false;
    }
    for (uint32_t i = 0; i < chunk.count; i++)
        blocks[chunk.blocks[i].index] = chunk.blocks[i].block;
    return !edited || (*edited = edited_cells_of(world, &chunk));
}

/* ---- Storing ---- */

/* Unpacking all blocks of a chunk costs about as much as reading this many single ones. */
enum { FEW_CELLS = 512 };

static uint32_t count_cells(const CniVoxelEditedCells *edited)
{
    uint32_t count = 0;
    for (uint32_t word = 0; word < CN_COUNT_OF(edited->bits); word++)
        count += (uint32_t)__builtin_popcountll(edited->bits[word]);
    return count;
}

uint32_t cni_voxel_collect_edits(const CnChunk *blocks, const CniVoxelEditedCells *edited,
                                 CnStoredBlock to[CN_CHUNK_BLOCKS])
{
    CnBlock all[CN_CHUNK_BLOCKS];
    bool is_unpacked = count_cells(edited) > FEW_CELLS;
    if (is_unpacked)
        cn_chunk_unpack(blocks, all);
    uint32_t count = 0;
    for (uint32_t word = 0; word < CN_COUNT_OF(edited->bits); word++) {
        for (uint64_t bits = edited->bits[word]; bits; bits &= bits - 1) {
            uint32_t index = 64 * word + (uint32_t)__builtin_ctzll(bits);
            CnBlock block = is_unpacked
                                ? all[index]
                                : cn_chunk_get(blocks, index & 15, index >> 4 & 15, index >> 8);
            to[count++] = (CnStoredBlock){.index = (uint16_t)index, .block = block};
        }
    }
    return count;
}

/* Adds the chunk to the index, or updates it. Returns false when out of memory. */
static bool add_to_index(CnVoxels *world, CnChunkPos position, CniVoxelStoredSum sum)
{
    uint64_t column_key = cn_chunk_key((CnChunkPos){position.x, 0, position.z});
    const int32_t *high = cn_hash_map_get(&world->stored_columns, column_key);
    if ((!high || *high < position.y) &&
        !cn_hash_map_set(&world->stored_columns, column_key, &position.y))
        return false;
    return cn_hash_map_set(&world->stored, cn_chunk_key(position), &sum);
}

bool cni_voxel_store_blocks(CnVoxels *world, CnStoredChunk *chunk, const CnChunk *blocks,
                            const CniVoxelEditedCells *edited)
{
    chunk->hash = edited->sum;
    chunk->blocks = world->stored_blocks;
    chunk->count = cni_voxel_collect_edits(blocks, edited, world->stored_blocks);
    if (!world->hooks.chunk_store(world->hooks.user, chunk)) {
        world->stats.storage_failures++;
        return false;
    }
    bool is_new = !cni_voxel_is_stored(world, chunk->position);
    if (!add_to_index(world, chunk->position, (CniVoxelStoredSum){.sum = chunk->hash})) {
        world->stats.out_of_memory++;
        return false;
    }
    CniVoxelChunkColumn *column =
        cni_voxel_column_find(world, chunk->position.x, chunk->position.z);
    if (is_new && column) {
        CN_ASSERT(column->edited > 0, "an edited chunk is missing in the count of its column");
        column->edited--;
        column->stored = true;
    }
    return true;
}

/* ---- Chunks that are not loaded ---- */

bool cni_voxel_check_position(CnChunkPos position, CnError *error)
{
    if (cni_voxel_chunk_in_limits(position))
        return true;
    return cn_error_set(error, CN_ERROR_LIMIT, "chunk %d, %d, %d lies outside the world",
                        position.x, position.y, position.z);
}

/* Makes room for everything, and forgets what depends on the edits of the column. */
static bool prepare_unloaded(CnVoxels *world, CnChunkPos position)
{
    CniVoxelChunkColumn *column = cni_voxel_column_find(world, position.x, position.z);
    return cni_voxel_prepare_version(world, position) &&
           (!column || cni_voxel_sky_heights_forget(world, column));
}

static void note_unloaded(CnVoxels *world, CnChunkPos position)
{
    CniVoxelChunkColumn *column = cni_voxel_column_find(world, position.x, position.z);
    cni_voxel_new_version(world, position);
    if (!column)
        return;
    column->stored = true;
    if (position.y > column->edited_high)
        column->edited_high = position.y;
    cni_voxel_mark_chunk_dirty(world, position, true);
}

bool cni_voxel_store_unloaded(CnVoxels *world, const CnStoredChunk *chunk, CnError *error)
{
    uint64_t key = cn_chunk_key(chunk->position);
    const CniVoxelStoredSum *found = cn_hash_map_get(&world->stored, key);
    bool was_stored = found;
    CniVoxelStoredSum old = found ? *found : (CniVoxelStoredSum){.is_unknown = true};
    CnStoredChunk stored = *chunk;
    stored.hash = 0;
    stored.at_begin = false;
    if (chunk->count == 0)
        stored.blocks = world->stored_blocks; /* not NULL */
    if (!prepare_unloaded(world, chunk->position) ||
        !add_to_index(world, chunk->position, (CniVoxelStoredSum){.is_unknown = true})) {
        world->stats.out_of_memory++;
        return cn_error_memory(error, "the edits of a chunk");
    }
    if (!world->hooks.chunk_store(world->hooks.user, &stored)) {
        world->stats.storage_failures++;
        if (was_stored)
            cn_hash_map_set(&world->stored, key, &old);
        else
            cn_hash_map_remove(&world->stored, key);
        return cn_error_set(error, CN_ERROR_IO, "the edits of chunk %d, %d, %d cannot be stored",
                            chunk->position.x, chunk->position.y, chunk->position.z);
    }
    world->edit_sum -= old.is_unknown ? 0 : old.sum;
    note_unloaded(world, chunk->position);
    return true;
}

bool cn_voxels_add_stored(CnVoxels *world, CnChunkPos position, uint64_t hash, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(world->stored_blocks, "the world has no storage hooks");
    if (!cni_voxel_check_position(position, error))
        return false;
    if (!world->stored_blocks)
        return cn_error_set(error, CN_ERROR_UNSUPPORTED, "the world has no storage hooks");
    if (cn_voxels_is_loaded(world, position))
        return cn_error_set(error, CN_ERROR_UNSUPPORTED,
                            "chunk %d, %d, %d is loaded; replace its edits instead", position.x,
                            position.y, position.z);
    if (cni_voxel_is_stored(world, position))
        return cn_error_set(error, CN_ERROR_EXISTS, "chunk %d, %d, %d was announced twice",
                            position.x, position.y, position.z);
    if (!prepare_unloaded(world, position) ||
        !add_to_index(world, position, (CniVoxelStoredSum){.sum = hash}))
        return cn_error_memory(error, "the index of stored chunks");
    world->edit_sum += hash;
    note_unloaded(world, position);
    return true;
}

bool cn_voxels_reserve_stored(CnVoxels *world, uint32_t chunks)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return cn_hash_map_reserve(&world->stored, chunks) &&
           cn_hash_map_reserve(&world->stored_columns, chunks) &&
           cn_hash_map_reserve(&world->edited, chunks) &&
           cn_hash_map_reserve(&world->edited_columns, chunks);
}

bool cn_voxels_stored_hash(CnVoxels *world, const CnStoredChunk *chunk, uint64_t *hash,
                           CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(chunk, "%s: chunk is NULL", __func__);
    CN_ASSERT(hash, "%s: hash is NULL", __func__);
    if (!cni_voxel_check_position(chunk->position, error))
        return false;
    if (!cni_voxel_stored_blocks_are_valid(world, chunk->blocks, chunk->count))
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "stored edits of chunk %d, %d, %d have an invalid cell or block",
                            chunk->position.x, chunk->position.y, chunk->position.z);
    CniVoxelLane *lane = cni_voxel_owner_lane(world);
    cn_generate(world->generator, lane->generate, chunk->position, lane->blocks);
    *hash = sum_of(chunk, lane->blocks);
    return true;
}
