/*
 * Growable typed arrays.
 *
 *     CnF32Array heights;
 *     cn_array_init(&heights, NULL);            // NULL selects the system allocator
 *     cn_array_push(&heights, 1.5f);            // false when out of memory
 *     float sum = 0;
 *     for (uint32_t i = 0; i < heights.count; i++)
 *         sum += heights.items[i];
 *     cn_array_fini(&heights);
 *
 * CN_ARRAY(T) declares such a type for any T. The capacity doubles when the array is full, so
 * pushing may move the items.
 */
#ifndef CAIRN_BASE_ARRAY_H
#define CAIRN_BASE_ARRAY_H

#include <cairn/base/memory.h>

#define CN_ARRAY(T)                                                                                \
    struct {                                                                                       \
        T *items;                                                                                  \
        uint32_t count, capacity;                                                                  \
        CnAllocator *allocator;                                                                    \
    }

typedef CN_ARRAY(float) CnF32Array;
typedef CN_ARRAY(double) CnF64Array;
typedef CN_ARRAY(int8_t) CnI8Array;
typedef CN_ARRAY(int16_t) CnI16Array;
typedef CN_ARRAY(int32_t) CnI32Array;
typedef CN_ARRAY(int64_t) CnI64Array;
typedef CN_ARRAY(uint8_t) CnU8Array;
typedef CN_ARRAY(uint16_t) CnU16Array;
typedef CN_ARRAY(uint32_t) CnU32Array;
typedef CN_ARRAY(uint64_t) CnU64Array;

CN_EXTERN_C_BEGIN

/* Used by the macros. Makes room for `needed` items. Returns false when out of memory or when
 * `needed` exceeds 2^32 - 1. */
CN_API bool cni_base_array_grow(void **items, uint32_t *capacity, CnAllocator *allocator,
                                size_t item_bytes, uint64_t needed);

/* Initializes an empty array. `allocator_` may be NULL (the system allocator). Allocates
 * nothing. */
#define cn_array_init(array, allocator_)                                                           \
    ((array)->items = NULL, (array)->count = 0, (array)->capacity = 0,                             \
     (array)->allocator = (allocator_))

/* Frees the items and leaves an empty array. */
#define cn_array_fini(array)                                                                       \
    (cn_free((array)->allocator, (array)->items,                                                   \
             (size_t)(array)->capacity * sizeof *(array)->items),                                  \
     (array)->items = NULL, (array)->count = 0, (array)->capacity = 0)

/* Makes room for `needed` items in total. Returns false when out of memory. */
#define cn_array_reserve(array, needed)                                                            \
    ((uint64_t)(needed) <= (array)->capacity ||                                                    \
     cni_base_array_grow((void **)&(array)->items, &(array)->capacity, (array)->allocator,         \
                         sizeof *(array)->items, (uint64_t)(needed)))

/* Appends an item. Returns false when out of memory. */
#define cn_array_push(array, ...)                                                                  \
    (cn_array_reserve((array), (uint64_t)(array)->count + 1u)                                      \
         ? ((array)->items[(array)->count++] = (__VA_ARGS__), true)                                \
         : false)

/* Removes the last item and returns it. The array must not be empty. */
#define cn_array_pop(array) ((array)->items[--(array)->count])

/* Removes an item and moves the last item into its position. */
#define cn_array_remove_swap(array, index)                                                         \
    ((array)->items[(index)] = (array)->items[--(array)->count])

/* Removes all items and keeps the memory. */
#define cn_array_clear(array) ((array)->count = 0)

/* Appends bytes, which may be NULL if `size` is 0. Returns false when out of memory. */
CN_API bool cn_bytes_append(CnU8Array *array, const void *bytes, size_t size);

CN_EXTERN_C_END

#endif
