/*
 * A hash map from 64-bit keys to values of a fixed size. Entries are stored densely and iterated
 * in insertion order (removal moves the last entry into the gap), so the order of the hash table
 * never affects any output.
 *
 *     CnHashMap ages;
 *     cn_hash_map_init(&ages, NULL, sizeof(int));
 *     cn_hash_map_set(&ages, 42, &(int){30});
 *     int *age = cn_hash_map_get(&ages, 42);      // NULL when the key is missing
 *     int sum = 0;
 *     for (uint32_t i = 0; i < ages.count; i++)
 *         sum += *(int *)cn_hash_map_value(&ages, i);
 *     cn_hash_map_fini(&ages);
 *
 * Maps whose keys are chosen outside of the program (files, scripts, packets) are initialized with
 * cn_hash_map_init_keyed: their slots depend on a secret of the process, so nobody can choose keys
 * that share a slot and turn each lookup into a search. Nothing else about them differs.
 */
#ifndef CAIRN_BASE_HASH_MAP_H
#define CAIRN_BASE_HASH_MAP_H

#include <cairn/base/memory.h>

CN_EXTERN_C_BEGIN

typedef struct CnHashMap {
    CnAllocator *allocator;
    uint32_t *table; /* entry + 1; 0: free; its size is a power of two */
    uint32_t table_size;
    uint64_t *keys;
    void *values;
    uint32_t count, capacity;
    uint32_t value_bytes;
    bool is_keyed; /* slots depend on the secret of the process */
} CnHashMap;

/* Initializes an empty map. `allocator` may be NULL (the system allocator). Allocates nothing. */
CN_API void cn_hash_map_init(CnHashMap *map, CnAllocator *allocator, uint32_t value_bytes);
/* Like cn_hash_map_init, for keys from outside. A lookup takes a few nanoseconds longer. */
CN_API void cn_hash_map_init_keyed(CnHashMap *map, CnAllocator *allocator, uint32_t value_bytes);
CN_API void cn_hash_map_fini(CnHashMap *map);
/* Adds an entry or overwrites its value with *value (NULL: zeros). Returns the address of the
 * stored value, valid until the next change, or NULL when out of memory. */
CN_API void *cn_hash_map_set(CnHashMap *map, uint64_t key, const void *value);
/* Makes room for `count` entries in total, so that adding them neither fails nor moves the others,
 * which takes milliseconds in a map of a hundred thousand entries. Returns false when out of
 * memory. */
CN_API bool cn_hash_map_reserve(CnHashMap *map, uint32_t count);
/* Returns the address of the value, or NULL when the key is missing. */
CN_API void *cn_hash_map_get(const CnHashMap *map, uint64_t key);
/* Returns false when the key is missing. */
CN_API bool cn_hash_map_remove(CnHashMap *map, uint64_t key);
/* Removes all entries and keeps the memory. */
CN_API void cn_hash_map_clear(CnHashMap *map);

/* Returns the key of the entry with this index, below map->count. */
static inline uint64_t cn_hash_map_key(const CnHashMap *map, uint32_t entry)
{
    return map->keys[entry];
}

static inline void *cn_hash_map_value(const CnHashMap *map, uint32_t entry)
{
    return (char *)map->values + (size_t)entry * map->value_bytes;
}

/* Mixes the bits of a key that is composed of several numbers. Gives the same value on every
 * machine. */
static inline uint64_t cn_hash_mix(uint64_t x)
{
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    return x;
}

/* Returns the XXH3 hash of the bytes; the same value on every machine. */
CN_API uint64_t cn_hash_bytes(const void *bytes, size_t size, uint64_t seed);
/* Returns the SipHash-2-4 of the bytes, keyed with the secret of the process. The value differs
 * from run to run: it serves tables of names and bytes from outside and must never reach a file,
 * a state or an order. Any thread. */
CN_API uint64_t cn_hash_keyed(const void *bytes, size_t size, uint64_t seed);

CN_EXTERN_C_END

#endif
