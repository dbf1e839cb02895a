#include "render/core/radix_sort.h"

#include <string.h>

/* Bytes in which no two keys differ need no pass. */
static uint64_t differing_bits(const uint32_t *order, const uint64_t *keys, uint32_t count)
{
    uint64_t bits = 0;
    for (uint32_t i = 1; i < count; i++)
        bits |= keys[order[i]] ^ keys[order[0]];
    return bits;
}

void cni_render_radix_sort(uint32_t *order, uint32_t *scratch, const uint64_t *keys, uint32_t count)
{
    uint64_t differing = differing_bits(order, keys, count);
    uint32_t *from = order, *to = scratch;
    for (uint32_t shift = 0; shift < 64; shift += 8) {
        if (!(differing >> shift & 0xFF))
            continue;
        uint32_t places[256] = {0};
        for (uint32_t i = 0; i < count; i++)
            places[keys[from[i]] >> shift & 0xFF]++;
        uint32_t next = 0;
        for (uint32_t i = 0; i < 256; i++) {
            uint32_t here = places[i];
            places[i] = next;
            next += here;
        }
        for (uint32_t i = 0; i < count; i++)
            to[places[keys[from[i]] >> shift & 0xFF]++] = from[i];
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != order)
        memcpy(order, from, count * sizeof *order);
}
