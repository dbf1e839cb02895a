/* A stable radix sort of indices by keys, in linear time. */
#ifndef CAIRN_SRC_RENDER_CORE_RADIX_SORT_H
#define CAIRN_SRC_RENDER_CORE_RADIX_SORT_H

#include <stdint.h>

/* Sorts `order` by keys[order[i]]; `scratch` has the same capacity. */
void cni_render_radix_sort(uint32_t *order, uint32_t *scratch, const uint64_t *keys,
                           uint32_t count);

#endif
