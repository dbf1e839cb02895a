#include "chunk_row.h"

#include <cairn/base/bytes.h>

#define HASH_BYTES 8u
#define MAX_NUMBER_BYTES 3u /* of 16 bits */

/* ---- Writing ---- */

static uint8_t *write_number(uint8_t *to, uint32_t number)
{
    for (; number > 0x7f; number >>= 7)
        *to++ = (uint8_t)(number | 0x80);
    *to++ = (uint8_t)number;
    return to;
}

uint32_t crafty_chunk_row_write(const CnStoredChunk *chunk, uint8_t bytes[CRAFTY_CHUNK_ROW_BYTES])
{
    const CnStoredBlock *blocks = chunk->blocks;
    uint8_t *to = bytes + HASH_BYTES;
    memcpy(bytes, &chunk->hash, HASH_BYTES);
    uint32_t next = 0; /* index of the cell behind the last run */
    for (uint32_t i = 0; i < chunk->count;) {
        uint32_t length = 1, first = blocks[i].index;
        while (i + length < chunk->count && blocks[i + length].index == first + length &&
               blocks[i + length].block == blocks[i].block)
            length++;
        to = write_number(to, first - next);
        to = write_number(to, length - 1);
        to = write_number(to, blocks[i].block);
        next = first + length;
        i += length;
    }
    return (uint32_t)(to - bytes);
}

/* ---- Reading ---- */

typedef struct Reader {
    const uint8_t *at, *end;
    bool failed;
} Reader;

/* Numbers have no superfluous bytes and fit into 16 bits. */
static uint32_t read_number(Reader *reader)
{
    uint32_t number = 0;
    for (uint32_t i = 0; i < MAX_NUMBER_BYTES && reader->at < reader->end; i++) {
        uint8_t byte = *reader->at++;
        number |= (byte & 0x7fu) << 7 * i;
        if (byte & 0x80)
            continue;
        reader->failed |= (i > 0 && byte == 0) || number > UINT16_MAX;
        return number;
    }
    reader->failed = true;
    return 0;
}

bool crafty_chunk_row_read(const uint8_t *bytes, size_t size, uint64_t *hash,
                           CnStoredBlock blocks[CN_CHUNK_BLOCKS], uint32_t *count)
{
    if (size < HASH_BYTES)
        return false;
    Reader reader = {bytes + HASH_BYTES, bytes + size, false};
    uint32_t next = 0, last_block = UINT32_MAX, cells = 0;
    while (reader.at < reader.end) {
        uint32_t skipped = read_number(&reader), length = read_number(&reader) + 1;
        uint32_t block = read_number(&reader);
        bool is_one_run = skipped == 0 && block == last_block; /* with the one before */
        if (reader.failed || is_one_run || next + skipped + length > CN_CHUNK_BLOCKS)
            return false;
        next += skipped;
        for (uint32_t i = 0; i < length && blocks; i++)
            blocks[cells + i] = (CnStoredBlock){(uint16_t)(next + i), (CnBlock)block};
        next += length;
        cells += length;
        last_block = block;
    }
    *hash = cn_load_u64(bytes);
    *count = cells;
    return cells > 0 || *hash == 0; /* without edits, nothing is part of the hash */
}

uint32_t crafty_chunk_row_highest_block(const uint8_t *bytes, size_t size)
{
    Reader reader = {bytes + HASH_BYTES, bytes + size, false};
    uint32_t highest = 0;
    while (reader.at < reader.end && !reader.failed) {
        read_number(&reader); /* cells skipped */
        read_number(&reader); /* length */
        uint32_t block = read_number(&reader);
        if (block > highest)
            highest = block;
    }
    return highest;
}
