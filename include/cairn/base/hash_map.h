/*
 * Hash map from 64-bit keys to values of one size. Entries are dense and iterated in insertion
 * order (removal swaps the last one in), so that no order of the hash table reaches any output.
 *
 *     CnHashMap ages;
 *     cn_hash_map_init(&ages, allocator, sizeof(int));
 *     cn_hash_map_set(&ages, key, &(int){30});
 *     int *age = cn_hash_map_get(&ages, key);
 *     for (uint32_t i = 0; i < ages.count; i++)
 *         use(cn_hash_map_key(&ages, i), cn_hash_map_value(&ages, i));
 */
#ifndef CAIRN_BASE_HASH_MAP_H
#define CAIRN_BASE_HASH_MAP_H

#include <cairn/base/memory.h>

CN_EXTERN_C_BEGIN

typedef struct CnHashMap {
    CnAllocator *allocator;
    uint32_t *table; /* entry + 1, 0: free; a power of two of them */
    uint32_t table_size;
    uint64_t *keys;
    void *values;
    uint32_t count, capacity;
    uint32_t value_bytes;
} CnHashMap;

CN_API void cn_hash_map_init(CnHashMap *map, CnAllocator *allocator, uint32_t value_bytes);
CN_API void cn_hash_map_fini(CnHashMap *map);
/* Copies *value in (NULL: zeros) or overwrites. NULL when out of memory. */
CN_API void *cn_hash_map_set(CnHashMap *map, uint64_t key, const void *value);
CN_API void *cn_hash_map_get(const CnHashMap *map, uint64_t key);
CN_API bool cn_hash_map_remove(CnHashMap *map, uint64_t key);
CN_API void cn_hash_map_clear(CnHashMap *map);

static inline uint64_t cn_hash_map_key(const CnHashMap *map, uint32_t entry)
{
    return map->keys[entry];
}

static inline void *cn_hash_map_value(const CnHashMap *map, uint32_t entry)
{
    return (char *)map->values + (size_t)entry * map->value_bytes;
}

/* A strong 64-bit mixer for keys made of several numbers, and a hash of bytes (XXH3). The same
 * values on every machine. */
static inline uint64_t cn_hash_mix(uint64_t x)
{
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    return x;
}

CN_API uint64_t cn_hash_bytes(const void *bytes, size_t size, uint64_t seed);

CN_EXTERN_C_END

#endif
