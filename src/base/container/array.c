#include <cairn/base/array.h>

#include <string.h>

#define FIRST_CAPACITY 8u

bool cni_base_array_grow(void **items, uint32_t *capacity, CnAllocator *allocator,
                         size_t item_bytes, uint64_t needed)
{
    if (needed > UINT32_MAX)
        return false;
    uint64_t wanted = (uint64_t)*capacity * 2u;
    if (wanted < FIRST_CAPACITY)
        wanted = FIRST_CAPACITY;
    if (wanted < needed)
        wanted = needed;
    if (wanted > UINT32_MAX)
        wanted = UINT32_MAX;

    size_t new_bytes;
    if (__builtin_mul_overflow((size_t)wanted, item_bytes, &new_bytes))
        return false;

    /* *items has the type T * in the caller, so it is read and written as bytes. */
    void *block;
    memcpy(&block, items, sizeof block);
    block = cn_realloc(allocator, block, (size_t)*capacity * item_bytes, new_bytes);
    if (!block)
        return false;
    memcpy(items, &block, sizeof block);
    *capacity = (uint32_t)wanted;
    return true;
}

bool cn_bytes_append(CnU8Array *array, const void *bytes, size_t size)
{
    if (!cn_array_reserve(array, (uint64_t)array->count + size))
        return false;
    if (size)
        memcpy(array->items + array->count, bytes, size);
    array->count += (uint32_t)size;
    return true;
}
