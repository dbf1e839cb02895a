/* Loads integers from the bytes of files and packets, at any alignment. Cairn's formats and the
 * machines it runs on are little-endian. */
#ifndef CAIRN_BASE_BYTES_H
#define CAIRN_BASE_BYTES_H

#include <cairn/base/api.h>

#include <string.h>

CN_EXTERN_C_BEGIN

static inline uint16_t cn_load_u16(const uint8_t *bytes)
{
    uint16_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static inline uint32_t cn_load_u32(const uint8_t *bytes)
{
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static inline uint64_t cn_load_u64(const uint8_t *bytes)
{
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

CN_EXTERN_C_END

#endif
