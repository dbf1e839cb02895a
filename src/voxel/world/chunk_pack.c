/* Edits of chunks as bytes for the network. docs/formats.md describes the form. */
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

#include "voxel/world/voxels_internal.h"

#include <cairn/base/assert.h>
#include <cairn/base/bytes.h>
#include <cairn/voxel/chunk_pack.h>

#include <string.h>

#define HEAD_BYTES 5u       /* u8 form, u32 size before compression */
#define MAX_NUMBER_BYTES 3u /* of 21 bits */
#define MIN_COMPRESSED 64u  /* bytes; fewer are not worth it */
#define ZSTD_LEVEL 1        /* higher levels take three times as long for a few percent */
#define MAX_CHUNK_BYTES (4 * MAX_NUMBER_BYTES + 5u * CN_CHUNK_BLOCKS + 32u)

enum { FORM_PLAIN, FORM_ZSTD };

CN_STATIC_ASSERT(MAX_CHUNK_BYTES <= CN_CHUNK_PACK_BYTES, "an empty pack has room for any chunk");

/* ---- Packing ---- */

struct CnChunkPacker {
    CnAllocator *allocator;
    void *memory; /* of zstd */
    size_t memory_bytes;
    CnChunkPos last; /* position of the last chunk */
    uint32_t chunks, size;
    uint8_t plain[CN_CHUNK_PACK_BYTES + MAX_CHUNK_BYTES];
    uint8_t packed[CN_CHUNK_PACK_MAX_BYTES];
};

CnChunkPacker *cn_chunk_packer_create(CnAllocator *allocator, CnError *error)
{
    CnChunkPacker *packer = cn_alloc(allocator, sizeof *packer);
    if (packer) {
        ZSTD_compressionParameters parameters = ZSTD_getCParams(ZSTD_LEVEL, CN_CHUNK_PACK_BYTES, 0);
        packer->allocator = allocator;
        packer->memory_bytes = ZSTD_estimateCCtxSize_usingCParams(parameters);
        packer->memory = cn_alloc(allocator, packer->memory_bytes);
        packer->chunks = packer->size = 0;
        packer->last = (CnChunkPos){0};
        if (packer->memory)
            return packer;
        cn_free(allocator, packer, sizeof *packer);
    }
    cn_error_memory(error, "a packer of chunks");
    return NULL;
}

void cn_chunk_packer_destroy(CnChunkPacker *packer)
{
    if (!packer)
        return;
    cn_free(packer->allocator, packer->memory, packer->memory_bytes);
    cn_free(packer->allocator, packer, sizeof *packer);
}

static uint8_t *write_number(uint8_t *to, uint32_t number)
{
    for (; number > 0x7f; number >>= 7)
        *to++ = (uint8_t)(number | 0x80);
    *to++ = (uint8_t)number;
    return to;
}

/* Differences of coordinates have 21 bits and wrap. */
static uint8_t *write_difference(uint8_t *to, int32_t value, int32_t last)
{
    return write_number(to, (uint32_t)(value - last) & 0x1FFFFF);
}

/* Returns the number of cells of the run that begins at a block. */
static uint32_t run_length(const CnStoredChunk *chunk, uint32_t at)
{
    const CnStoredBlock *first = &chunk->blocks[at];
    uint32_t length = 1;
    while (at + length < chunk->count && first[length].index == first->index + length &&
           first[length].block == first->block)
        length++;
    return length;
}

static uint8_t *write_chunk(uint8_t *to, const CnStoredChunk *chunk, CnChunkPos last)
{
    to = write_difference(to, chunk->position.x, last.x);
    to = write_difference(to, chunk->position.y, last.y);
    to = write_difference(to, chunk->position.z, last.z);
    uint32_t runs = 0, next = 0; /* index of the cell behind the last run */
    for (uint32_t i = 0; i < chunk->count; i += run_length(chunk, i))
        runs++;
    to = write_number(to, runs);
    for (uint32_t i = 0; i < chunk->count;) {
        uint32_t length = run_length(chunk, i), first = chunk->blocks[i].index;
        to = write_number(to, first - next);
        to = write_number(to, length - 1);
        to = write_number(to, chunk->blocks[i].block);
        next = first + length;
        i += length;
    }
    return to;
}

bool cn_chunk_packer_add(CnChunkPacker *packer, const CnStoredChunk *chunk)
{
    CN_ASSERT(packer && chunk, "%s: an argument is NULL", __func__);
    CN_ASSERT(chunk->count <= CN_CHUNK_BLOCKS, "a chunk with %u blocks", chunk->count);
    if (packer->size >= CN_CHUNK_PACK_BYTES)
        return false;
    const uint8_t *end = write_chunk(packer->plain + packer->size, chunk, packer->last);
    if (end > packer->plain + CN_CHUNK_PACK_BYTES)
        return false;
    packer->size = (uint32_t)(end - packer->plain);
    packer->last = chunk->position;
    packer->chunks++;
    return true;
}

uint32_t cn_chunk_packer_chunks(const CnChunkPacker *packer)
{
    CN_ASSERT(packer, "%s: packer is NULL", __func__);
    return packer->chunks;
}

uint32_t cn_chunk_packer_bytes(const CnChunkPacker *packer)
{
    CN_ASSERT(packer, "%s: packer is NULL", __func__);
    return packer->size;
}

/* Returns the number of bytes; 0 if compression does not pay. */
static size_t compress(CnChunkPacker *packer)
{
    if (packer->size < MIN_COMPRESSED)
        return 0;
    ZSTD_CCtx *context = ZSTD_initStaticCCtx(packer->memory, packer->memory_bytes);
    size_t size = context ? ZSTD_compressCCtx(context, packer->packed + HEAD_BYTES, packer->size,
                                              packer->plain, packer->size, ZSTD_LEVEL)
                          : 0;
    return ZSTD_isError(size) || size >= packer->size ? 0 : size;
}

const uint8_t *cn_chunk_packer_finish(CnChunkPacker *packer, size_t *size)
{
    CN_ASSERT(packer && size, "%s: an argument is NULL", __func__);
    CN_ASSERT(packer->chunks > 0, "an empty pack");
    size_t packed = compress(packer);
    packer->packed[0] = packed ? FORM_ZSTD : FORM_PLAIN;
    memcpy(packer->packed + 1, &packer->size, sizeof packer->size);
    if (!packed)
        memcpy(packer->packed + HEAD_BYTES, packer->plain, packed = packer->size);
    *size = HEAD_BYTES + packed;
    packer->chunks = packer->size = 0;
    packer->last = (CnChunkPos){0};
    return packer->packed;
}

/* ---- Unpacking ---- */

struct CnChunkUnpacker {
    CnAllocator *allocator;
    void *memory; /* of zstd */
    size_t memory_bytes;
    CnChunkPos last;
    const uint8_t *at, *end; /* of the chunks that have not been read */
    uint8_t plain[CN_CHUNK_PACK_BYTES];
    CnStoredBlock blocks[CN_CHUNK_BLOCKS];
};

CnChunkUnpacker *cn_chunk_unpacker_create(CnAllocator *allocator, CnError *error)
{
    CnChunkUnpacker *unpacker = cn_alloc(allocator, sizeof *unpacker);
    if (unpacker) {
        unpacker->allocator = allocator;
        unpacker->memory_bytes = ZSTD_estimateDCtxSize();
        unpacker->memory = cn_alloc(allocator, unpacker->memory_bytes);
        unpacker->at = unpacker->end = NULL;
        if (unpacker->memory)
            return unpacker;
        cn_free(allocator, unpacker, sizeof *unpacker);
    }
    cn_error_memory(error, "an unpacker of chunks");
    return NULL;
}

void cn_chunk_unpacker_destroy(CnChunkUnpacker *unpacker)
{
    if (!unpacker)
        return;
    cn_free(unpacker->allocator, unpacker->memory, unpacker->memory_bytes);
    cn_free(unpacker->allocator, unpacker, sizeof *unpacker);
}

typedef struct Reader {
    const uint8_t *at, *end;
    bool failed;
} Reader;

/* Numbers have no superfluous bytes and fit into 21 bits. */
static uint32_t read_number(Reader *reader)
{
    uint32_t number = 0;
    for (uint32_t i = 0; i < MAX_NUMBER_BYTES && reader->at < reader->end; i++) {
        uint8_t byte = *reader->at++;
        number |= (byte & 0x7fu) << 7 * i;
        if (byte & 0x80)
            continue;
        reader->failed |= i > 0 && byte == 0;
        return number;
    }
    reader->failed = true;
    return 0;
}

/* Returns the coordinate whose low 21 bits are those of the sum. */
static int32_t read_coordinate(Reader *reader, int32_t last)
{
    uint32_t sum = ((uint32_t)last + read_number(reader)) & 0x1FFFFF;
    return (int32_t)sum - (sum & 0x100000 ? 0x200000 : 0);
}

/* `blocks` NULL only checks. */
static void read_runs(Reader *reader, CnStoredBlock *blocks, uint32_t *count)
{
    uint32_t runs = read_number(reader), next = 0, last_block = UINT32_MAX;
    *count = 0;
    reader->failed |= runs > CN_CHUNK_BLOCKS;
    for (uint32_t i = 0; i < runs && !reader->failed; i++) {
        uint32_t skipped = read_number(reader), length = read_number(reader) + 1;
        uint32_t block = read_number(reader);
        bool is_one_run = i > 0 && skipped == 0 && block == last_block; /* with the one before */
        reader->failed |=
            is_one_run || block > UINT16_MAX || next + skipped + length > CN_CHUNK_BLOCKS;
        if (reader->failed)
            return;
        next += skipped;
        for (uint32_t k = 0; k < length && blocks; k++)
            blocks[*count + k] = (CnStoredBlock){(uint16_t)(next + k), (CnBlock)block};
        next += length;
        *count += length;
        last_block = block;
    }
}

static void read_chunk(Reader *reader, CnChunkPos *position, CnStoredBlock *blocks, uint32_t *count)
{
    position->x = read_coordinate(reader, position->x);
    position->y = read_coordinate(reader, position->y);
    position->z = read_coordinate(reader, position->z);
    read_runs(reader, blocks, count);
}

static bool check_chunks(const uint8_t *bytes, size_t size)
{
    Reader reader = {bytes, bytes + size, false};
    CnChunkPos position = {0};
    uint32_t count;
    while (reader.at < reader.end && !reader.failed)
        read_chunk(&reader, &position, NULL, &count);
    return !reader.failed;
}

/* The sizes are checked before anything is decompressed. */
static bool decompress(CnChunkUnpacker *unpacker, const uint8_t *packed, size_t packed_size,
                       size_t size)
{
    if (ZSTD_getFrameContentSize(packed, packed_size) != size ||
        ZSTD_findFrameCompressedSize(packed, packed_size) != packed_size)
        return false;
    ZSTD_DCtx *context = ZSTD_initStaticDCtx(unpacker->memory, unpacker->memory_bytes);
    return context &&
           ZSTD_decompressDCtx(context, unpacker->plain, size, packed, packed_size) == size;
}

static bool unpack(CnChunkUnpacker *unpacker, const uint8_t *bytes, size_t size, size_t *plain_size)
{
    if (size <= HEAD_BYTES || size > CN_CHUNK_PACK_MAX_BYTES)
        return false;
    const uint8_t *content = bytes + HEAD_BYTES;
    size_t content_size = size - HEAD_BYTES;
    *plain_size = cn_load_u32(bytes + 1);
    if (*plain_size == 0 || *plain_size > CN_CHUNK_PACK_BYTES || bytes[0] > FORM_ZSTD)
        return false;
    if (bytes[0] == FORM_ZSTD)
        return decompress(unpacker, content, content_size, *plain_size);
    if (content_size != *plain_size)
        return false;
    memcpy(unpacker->plain, content, content_size);
    return true;
}

bool cn_chunk_unpacker_begin(CnChunkUnpacker *unpacker, const uint8_t *bytes, size_t size,
                             CnError *error)
{
    CN_ASSERT(unpacker, "%s: unpacker is NULL", __func__);
    CN_ASSERT(bytes || size == 0, "%s: bytes is NULL", __func__);
    size_t plain_size;
    unpacker->at = unpacker->end = unpacker->plain;
    unpacker->last = (CnChunkPos){0};
    if (!unpack(unpacker, bytes, size, &plain_size) || !check_chunks(unpacker->plain, plain_size))
        return cn_error_set(error, CN_ERROR_FORMAT, "a pack of chunks is malformed");
    unpacker->end = unpacker->plain + plain_size;
    return true;
}

bool cn_chunk_unpacker_next(CnChunkUnpacker *unpacker, CnStoredChunk *chunk)
{
    CN_ASSERT(unpacker && chunk, "%s: an argument is NULL", __func__);
    if (unpacker->at == unpacker->end)
        return false;
    Reader reader = {unpacker->at, unpacker->end, false};
    *chunk = (CnStoredChunk){.blocks = unpacker->blocks};
    read_chunk(&reader, &unpacker->last, unpacker->blocks, &chunk->count);
    chunk->position = unpacker->last;
    unpacker->at = reader.at;
    return true;
}
