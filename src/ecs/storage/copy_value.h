/* Copying of component values. */
#ifndef CAIRN_SRC_ECS_STORAGE_COPY_VALUE_H
#define CAIRN_SRC_ECS_STORAGE_COPY_VALUE_H

#include <cairn/base.h>

#include <string.h>

/* Copies a value; frequent sizes are compiled in. */
static inline __attribute__((always_inline)) void cni_ecs_copy_value(void *to, const void *from,
                                                                     size_t size)
{
    if (size == 12)
        memcpy(to, from, 8), memcpy((char *)to + 8, (const char *)from + 8, 4);
    else if (size == 4)
        memcpy(to, from, 4);
    else if (size == 8)
        memcpy(to, from, 8);
    else if (size == 16)
        memcpy(to, from, 16);
    else
        memcpy(to, from, size);
}

/* Copies a value that was probably written just before, float by float: reading a vector in larger
 * pieces would wait for those writes. */
CN_FORCE_INLINE void cni_ecs_copy_recent_value(void *to, const void *from, size_t size)
{
    if (CN_LIKELY(size == 12))
        for (uint32_t i = 0; i < 12; i += 4)
            memcpy((uint8_t *)to + i, (const uint8_t *)from + i, 4);
    else if (size)
        cni_ecs_copy_value(to, from, size);
}

/* The same without a call; the last piece overlaps the one before it. A function that makes no
 * calls saves no registers. */
CN_FORCE_INLINE void cni_ecs_copy_value_inline(void *target, const void *source, size_t size)
{
    uint8_t *to = target;
    const uint8_t *from = source;
    if (CN_LIKELY(size == 12)) {
        for (uint32_t i = 0; i < 12; i += 4)
            memcpy(to + i, from + i, 4);
    } else if (size >= 16) {
        for (size_t at = 0; at < size - 16; at += 16)
            memcpy(to + at, from + at, 16);
        memcpy(to + size - 16, from + size - 16, 16);
    } else if (size >= 8) {
        memcpy(to, from, 8);
        memcpy(to + size - 8, from + size - 8, 8);
    } else if (size >= 4) {
        memcpy(to, from, 4);
        memcpy(to + size - 4, from + size - 4, 4);
    } else {
        to[0] = from[0];
        to[size / 2] = from[size / 2];
        to[size - 1] = from[size - 1];
    }
}

#endif
