/* The data of a chunk as bytes. docs/formats.md describes the form. */
#include "voxel/world/voxels_internal.h"

#include <cairn/base/assert.h>
#include <cairn/base/bytes.h>

#include <string.h>

#define COUNT_BYTES 4u
#define HEAD_BYTES 8u /* of an entry: u16 index, u16 kind, u16 size, u16 flags */
#define FLAG_ACTIVE 1u

bool cn_block_data_write(const CnVoxels *world, CnChunkPos position, CnU8Array *bytes,
                         CnError *error)
{
    CN_ASSERT(world && bytes, "%s: an argument is NULL", __func__);
    const CniVoxelDataChunk *chunk = cni_voxel_data_chunk(world, position);
    if (!chunk || chunk->count == 0)
        return true;
    uint64_t size = bytes->count + COUNT_BYTES + (uint64_t)chunk->count * HEAD_BYTES;
    for (uint32_t i = 0; i < chunk->count; i++)
        size += chunk->entries[i].size;
    if (!cn_array_reserve(bytes, size))
        return cn_error_memory(error, "block data as bytes");
    cn_bytes_append(bytes, &chunk->count, COUNT_BYTES); /* there is room for everything */
    for (uint32_t i = 0; i < chunk->count; i++) {
        const CniVoxelDataEntry *entry = &chunk->entries[i];
        const uint16_t head[4] = {entry->index, entry->kind, entry->size,
                                  entry->active ? FLAG_ACTIVE : 0};
        cn_bytes_append(bytes, head, sizeof head);
        cn_bytes_append(bytes, entry->bytes, entry->size);
    }
    return true;
}

/* Returns how many bytes an entry takes; 0 if it is malformed. */
static size_t entry_size(const uint8_t *at, size_t left, uint32_t kind_count)
{
    if (left < HEAD_BYTES)
        return 0;
    uint32_t kind = cn_load_u16(at + 2), size = cn_load_u16(at + 4);
    bool valid = cn_load_u16(at) < CN_CHUNK_BLOCKS && kind > 0 && kind <= kind_count &&
                 size <= CN_BLOCK_DATA_BYTES && cn_load_u16(at + 6) <= FLAG_ACTIVE &&
                 size <= left - HEAD_BYTES;
    return valid ? HEAD_BYTES + size : 0;
}

bool cn_block_data_check(CnChunkPos position, const uint8_t *bytes, size_t size,
                         uint32_t kind_count, CnError *error)
{
    CN_ASSERT(bytes || size == 0, "%s: bytes is NULL", __func__);
    uint32_t count = size >= COUNT_BYTES ? cn_load_u32(bytes) : 0, i = 0;
    size_t at = COUNT_BYTES;
    int32_t last = -1;
    for (; i < count; i++) {
        size_t entry = entry_size(bytes + at, size - at, kind_count);
        if (entry == 0 || cn_load_u16(bytes + at) <= last)
            break;
        last = cn_load_u16(bytes + at);
        at += entry;
    }
    return (cni_voxel_chunk_in_limits(position) && count > 0 && i == count && at == size) ||
           cn_error_set(error, CN_ERROR_FORMAT, "the block data of chunk %d, %d, %d is malformed",
                        position.x, position.y, position.z);
}

/* The bytes have been checked. Returns false when out of memory. */
static bool read_entries(CnVoxels *world, CniVoxelDataChunk *chunk, const uint8_t *bytes)
{
    uint32_t count = cn_load_u32(bytes);
    chunk->entries = cn_alloc(world->allocator, count * sizeof *chunk->entries);
    chunk->capacity = chunk->entries ? count : 0;
    const uint8_t *at = bytes + COUNT_BYTES;
    for (; chunk->entries && chunk->count < count; chunk->count++) {
        CniVoxelDataEntry entry = {.index = cn_load_u16(at),
                                   .kind = cn_load_u16(at + 2),
                                   .size = cn_load_u16(at + 4),
                                   .active = cn_load_u16(at + 6) == FLAG_ACTIVE};
        if (entry.size > 0 && !(entry.bytes = cn_alloc(world->allocator, entry.size)))
            return false;
        if (entry.size > 0)
            memcpy(entry.bytes, at + HEAD_BYTES, entry.size);
        chunk->entries[chunk->count] = entry;
        at += HEAD_BYTES + entry.size;
    }
    return chunk->entries != NULL;
}

bool cn_block_data_read(CnVoxels *world, CnChunkPos position, const uint8_t *bytes, size_t size,
                        CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    if (!cn_block_data_check(position, bytes, size, cn_block_data_kind_count(world), error))
        return false;
    if (cni_voxel_data_chunk(world, position))
        return cn_error_set(error, CN_ERROR_EXISTS, "chunk %d, %d, %d already has block data",
                            position.x, position.y, position.z);
    CniVoxelDataChunk chunk = {0};
    if (!read_entries(world, &chunk, bytes)) {
        cni_voxel_data_free_entries(world, &chunk);
        return cn_error_memory(error, "block data");
    }
    return cni_voxel_data_adopt(world, position, &chunk) || cn_error_memory(error, "block data");
}

bool cn_block_data_replace(CnVoxels *world, CnChunkPos position, const uint8_t *bytes, size_t size,
                           CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CniVoxelDataChunk chunk = {0};
    if (!cni_voxel_check_position(position, error))
        return false;
    if (size > 0 &&
        !cn_block_data_check(position, bytes, size, cn_block_data_kind_count(world), error))
        return false;
    if (size > 0 && !read_entries(world, &chunk, bytes)) {
        cni_voxel_data_free_entries(world, &chunk);
        return cn_error_memory(error, "block data");
    }
    return cni_voxel_data_exchange(world, position, &chunk) || cn_error_memory(error, "block data");
}
