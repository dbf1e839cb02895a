/*
 * Which chunks were edited, loaded or stored, with versions; their edits; hashes of blocks. The
 * edited chunks of a column are a list through their y.
 */
#include "voxel/world/voxels_internal.h"

#include <cairn/base/assert.h>
#include <cairn/voxel/edited_chunks.h>

#include <stdlib.h>

#define NONE INT32_MIN
#define MAX_RADIUS 64u

static uint64_t column_key(int32_t x, int32_t z)
{
    return cn_chunk_key((CnChunkPos){x, 0, z});
}

/* ---- Versions ---- */

bool cni_voxel_prepare_version(CnVoxels *world, CnChunkPos position)
{
    uint64_t key = cn_chunk_key(position), of_column = column_key(position.x, position.z);
    if (cn_hash_map_get(&world->edited, key))
        return true;
    CniVoxelEditedColumn *column = cn_hash_map_get(&world->edited_columns, of_column);
    if (!column)
        column =
            cn_hash_map_set(&world->edited_columns, of_column, &(CniVoxelEditedColumn){0, NONE});
    if (!column || !cn_hash_map_set(&world->edited, key, &(CniVoxelEditedChunk){0, column->first}))
        return false;
    column->first = position.y;
    return true;
}

void cni_voxel_new_version(CnVoxels *world, CnChunkPos position)
{
    CniVoxelEditedChunk *chunk = cn_hash_map_get(&world->edited, cn_chunk_key(position));
    CniVoxelEditedColumn *column =
        cn_hash_map_get(&world->edited_columns, column_key(position.x, position.z));
    CN_ASSERT(chunk && column, "an edited chunk has no version");
    chunk->version = column->version = ++world->version;
    cni_voxel_wake_random_ticks(world, position);
}

uint64_t cn_voxels_column_version(const CnVoxels *world, int32_t x, int32_t z)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    const CniVoxelEditedColumn *column = cn_hash_map_get(&world->edited_columns, column_key(x, z));
    return column ? column->version : 0;
}

uint64_t cn_voxels_version(const CnVoxels *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    return world->version;
}

/* ---- Visiting ---- */

static bool visit_column(const CnVoxels *world, const CnEditedChunks *which, int32_t x, int32_t z)
{
    const CniVoxelEditedColumn *column = cn_hash_map_get(&world->edited_columns, column_key(x, z));
    if (!column || column->version <= which->since)
        return true;
    for (int32_t y = column->first; y != NONE;) {
        CnEditedChunk chunk = {.position = {x, y, z}};
        const CniVoxelEditedChunk *edited =
            cn_hash_map_get(&world->edited, cn_chunk_key(chunk.position));
        chunk.version = edited->version;
        y = edited->next;
        if (chunk.version > which->since && !which->visit(which->user, &chunk))
            return false;
    }
    return true;
}

/* The columns at a distance of `ring` along x or z, and no further along the other axis. */
static bool visit_ring(const CnVoxels *world, const CnEditedChunks *which, int32_t ring)
{
    for (int32_t z = -ring; z <= ring; z++) {
        int32_t step = abs(z) == ring ? 1 : 2 * ring;
        for (int32_t x = -ring; x <= ring; x += step > 0 ? step : 1) {
            if (!visit_column(world, which, which->center.x + x, which->center.z + z))
                return false;
        }
    }
    return true;
}

bool cn_voxels_edited_chunks(CnVoxels *world, const CnEditedChunks *which)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(which && which->visit, "%s: visit is NULL", __func__);
    CN_ASSERT(which->radius <= MAX_RADIUS, "%s: the radius is %u", __func__, which->radius);
    if (!cni_voxel_chunk_in_limits(which->center) || world->edited.count == 0)
        return true;
    for (int32_t ring = 0; ring <= (int32_t)which->radius; ring++) {
        if (!visit_ring(world, which, ring))
            return false;
    }
    return true;
}

/* ---- Edits of a chunk ---- */

static bool is_ascending(const CnStoredBlock *blocks, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        if (blocks[i].index <= blocks[i - 1].index)
            return false;
    }
    return true;
}

/* Of several blocks of a cell, the last one counts, as when the chunk is loaded. */
static void sort_blocks(CnStoredBlock *blocks, uint32_t *count)
{
    CnBlock by_index[CN_CHUNK_BLOCKS];
    uint64_t given[CN_CHUNK_BLOCKS / 64] = {0};
    for (uint32_t i = 0; i < *count; i++) {
        by_index[blocks[i].index] = blocks[i].block;
        given[blocks[i].index / 64] |= 1ull << blocks[i].index % 64;
    }
    *count = 0;
    for (uint32_t i = 0; i < CN_CHUNK_BLOCKS; i++) {
        if (given[i / 64] >> i % 64 & 1)
            blocks[(*count)++] = (CnStoredBlock){.index = (uint16_t)i, .block = by_index[i]};
    }
}

/* The hook may supply blocks in any order. */
static bool read_stored(CnVoxels *world, CnChunkPos position, CnStoredBlock *blocks,
                        uint32_t *count, CnError *error)
{
    bool valid = world->hooks.chunk_load(world->hooks.user, position, blocks, count) &&
                 cni_voxel_stored_blocks_are_valid(world, blocks, *count);
    if (!valid) {
        world->stats.storage_failures++;
        *count = 0;
        return cn_error_set(error, CN_ERROR_IO,
                            "the stored edits of chunk %d, %d, %d cannot be loaded", position.x,
                            position.y, position.z);
    }
    if (!is_ascending(blocks, *count))
        sort_blocks(blocks, count);
    return true;
}

/* Without storage hooks nobody notes which cells were edited. */
static uint32_t read_differences(CnVoxels *world, const CniVoxelChunkEntry *entry,
                                 CnStoredBlock *blocks)
{
    CniVoxelLane *lane = cni_voxel_owner_lane(world);
    CnBlock now[CN_CHUNK_BLOCKS];
    uint32_t count = 0;
    cn_generate(world->generator, lane->generate, entry->position, lane->blocks);
    cn_chunk_unpack(entry->blocks, now);
    for (uint32_t i = 0; i < CN_CHUNK_BLOCKS; i++) {
        if (now[i] != lane->blocks[i])
            blocks[count++] = (CnStoredBlock){.index = (uint16_t)i, .block = now[i]};
    }
    return count;
}

bool cn_voxels_read_edits(CnVoxels *world, CnChunkPos position,
                          CnStoredBlock blocks[CN_CHUNK_BLOCKS], uint32_t *count, CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(blocks && count, "%s: blocks or count is NULL", __func__);
    *count = 0;
    if (!cni_voxel_check_position(position, error))
        return false;
    const CniVoxelChunkEntry *entry = cni_voxel_chunk_entry_find(world, position);
    if (!entry && cni_voxel_is_stored(world, position))
        return read_stored(world, position, blocks, count, error);
    if (entry && entry->edited)
        *count = cni_voxel_collect_edits(entry->blocks, entry->edited, blocks);
    else if (entry && (entry->flags & CNI_VOXEL_CHUNK_EDITED))
        *count = read_differences(world, entry, blocks);
    return true;
}

/* ---- Hashes ---- */

static uint64_t hash_of(CniVoxelChunkEntry *entry)
{
    if (!(entry->flags & CNI_VOXEL_CHUNK_HASHED)) {
        CnBlock blocks[CN_CHUNK_BLOCKS];
        cn_chunk_unpack(entry->blocks, blocks);
        entry->hash = cn_hash_bytes(blocks, sizeof blocks, cn_chunk_key(entry->position));
        entry->flags |= CNI_VOXEL_CHUNK_HASHED;
    }
    return entry->hash;
}

bool cn_voxels_chunk_hash(CnVoxels *world, CnChunkPos position, uint64_t *hash)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(hash, "%s: hash is NULL", __func__);
    CniVoxelChunkEntry *entry =
        cni_voxel_chunk_in_limits(position) ? cni_voxel_chunk_entry_find(world, position) : NULL;
    if (entry)
        *hash = hash_of(entry);
    return entry;
}

bool cn_voxels_column_hash(CnVoxels *world, int32_t x, int32_t z, int32_t low, int32_t high,
                           uint64_t *hash)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(hash, "%s: hash is NULL", __func__);
    uint64_t sum = cn_hash_mix(column_key(x, z));
    for (int32_t y = low; y < high; y++) {
        uint64_t of_chunk;
        if (!cn_voxels_chunk_hash(world, (CnChunkPos){x, y, z}, &of_chunk))
            return false;
        sum = cn_hash_mix(sum ^ of_chunk);
    }
    *hash = sum;
    return true;
}
