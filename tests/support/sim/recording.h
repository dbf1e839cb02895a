/* Modifies the bytes of a recording, for tests of its reader. */
#ifndef CAIRN_TESTS_SUPPORT_SIM_RECORDING_H
#define CAIRN_TESTS_SUPPORT_SIM_RECORDING_H

#include <cairn/base/hash_map.h>

#include <string.h>

#define RECORDING_FIRST_BLOCK 12u

/* Returns the start of the next block; 0 if this one does not end within the bytes. */
static inline size_t recording_next_block(const uint8_t *bytes, size_t size, size_t at)
{
    uint32_t content;
    if (size - at < 13)
        return 0;
    memcpy(&content, bytes + at + 1, sizeof content);
    return content <= size - at - 13 ? at + 13 + content : 0;
}

/* Corrects the checksums of the block at `at`. */
static inline void recording_seal_block(uint8_t *bytes, size_t at, size_t next)
{
    uint32_t head = (uint32_t)cn_hash_bytes(bytes + at, 5, at);
    memcpy(bytes + at + 5, &head, sizeof head);
    uint32_t checksum = (uint32_t)cn_hash_bytes(bytes + at, next - at - 4, at);
    memcpy(bytes + next - 4, &checksum, sizeof checksum);
}

static inline void recording_seal(uint8_t *bytes, size_t size)
{
    size_t next;
    for (size_t at = RECORDING_FIRST_BLOCK; at < size; at = next) {
        next = recording_next_block(bytes, size, at);
        if (!next)
            return;
        recording_seal_block(bytes, at, next);
    }
}

/* Returns the n-th block of this kind, counted from 0; 0 if there are fewer. */
static inline size_t recording_find(const uint8_t *bytes, size_t size, uint8_t kind, uint32_t nth)
{
    for (size_t at = RECORDING_FIRST_BLOCK; at && at < size;
         at = recording_next_block(bytes, size, at))
        if (bytes[at] == kind && nth-- == 0)
            return at;
    return 0;
}

#endif
