/*
 * Sparse sets and sparse maps with 32-bit keys: constant-time insertion, removal and lookup, and
 * a dense array for iteration. Removal moves the last item into the gap, so the order is
 * insertion order until the first removal; it depends only on the operations, never on
 * addresses. The memory of the sparse side grows with the largest key, in pages.
 *
 *     CnSparseSet set;
 *     cn_sparse_set_init(&set, NULL);
 *     cn_sparse_set_add(&set, 7);
 *     uint64_t sum = 0;
 *     for (uint32_t i = 0; i < set.count; i++)
 *         sum += set.keys[i];
 *     cn_sparse_set_fini(&set);
 */
#ifndef CAIRN_BASE_SPARSE_H
#define CAIRN_BASE_SPARSE_H

#include <cairn/base/memory.h>

CN_EXTERN_C_BEGIN

typedef struct CnSparseSet {
    CnAllocator *allocator;
    uint32_t **pages; /* key -> position in `keys`; a page holds CN_SPARSE_PAGE keys */
    uint32_t page_count;
    uint32_t *keys; /* dense */
    uint32_t count, capacity;
} CnSparseSet;

#define CN_SPARSE_PAGE 1024u
#define CN_SPARSE_NONE UINT32_MAX

/* Initializes an empty set. `allocator` may be NULL (the system allocator). Allocates nothing. */
CN_API void cn_sparse_set_init(CnSparseSet *set, CnAllocator *allocator);
CN_API void cn_sparse_set_fini(CnSparseSet *set);
/* Adds a key. Returns its position, or CN_SPARSE_NONE when out of memory. Adding a key twice
 * changes nothing. */
CN_API uint32_t cn_sparse_set_add(CnSparseSet *set, uint32_t key);
/* Returns false if the set does not contain the key. */
CN_API bool cn_sparse_set_remove(CnSparseSet *set, uint32_t key);
CN_API void cn_sparse_set_clear(CnSparseSet *set);

/* Returns the position of the key in `keys`, or CN_SPARSE_NONE. */
static inline uint32_t cn_sparse_set_find(const CnSparseSet *set, uint32_t key)
{
    uint32_t page = key / CN_SPARSE_PAGE;
    if (page >= set->page_count || !set->pages[page])
        return CN_SPARSE_NONE;
    uint32_t at = set->pages[page][key % CN_SPARSE_PAGE];
    return at < set->count && set->keys[at] == key ? at : CN_SPARSE_NONE;
}

static inline bool cn_sparse_set_has(const CnSparseSet *set, uint32_t key)
{
    return cn_sparse_set_find(set, key) != CN_SPARSE_NONE;
}

/* A sparse set with a value of `value_bytes` bytes for each key. */
typedef struct CnSparseMap {
    CnSparseSet set;
    void *values; /* dense, parallel to set.keys */
    uint32_t value_bytes;
    uint32_t value_capacity;
} CnSparseMap;

/* Initializes an empty map. `allocator` may be NULL (the system allocator). Allocates nothing. */
CN_API void cn_sparse_map_init(CnSparseMap *map, CnAllocator *allocator, uint32_t value_bytes);
CN_API void cn_sparse_map_fini(CnSparseMap *map);
/* Adds a key or overwrites its value with *value (NULL: zeros). Returns the address of the
 * value, valid until the next change, or NULL when out of memory. */
CN_API void *cn_sparse_map_set(CnSparseMap *map, uint32_t key, const void *value);
/* Returns NULL when the key is missing. */
CN_API void *cn_sparse_map_get(const CnSparseMap *map, uint32_t key);
/* Returns false if the map does not contain the key. */
CN_API bool cn_sparse_map_remove(CnSparseMap *map, uint32_t key);
CN_API void cn_sparse_map_clear(CnSparseMap *map);

CN_EXTERN_C_END

#endif
