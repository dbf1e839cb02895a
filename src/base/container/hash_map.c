#include "base/container/hash_keyed.h"

#include <cairn/base/hash_map.h>

#include <string.h>

/* The table is at most half full: this costs 8 bytes per entry and keeps probe sequences short,
 * which matters because each probe reads a key from elsewhere. */
#define FIRST_TABLE_SIZE 16u
#define MAX_TABLE_SIZE (1u << 31)

static uint32_t home_of(const CnHashMap *map, uint64_t key)
{
    uint64_t hash = map->is_keyed ? cni_base_hash_keyed_u64(key) : cn_hash_mix(key);
    return (uint32_t)hash & (map->table_size - 1);
}

static uint32_t next_slot(const CnHashMap *map, uint32_t slot)
{
    return (slot + 1) & (map->table_size - 1);
}

/* Returns the slot of the key, or the free slot where it belongs. The table has a free slot. */
static uint32_t find_slot(const CnHashMap *map, uint64_t key)
{
    uint32_t slot = home_of(map, key);
    while (map->table[slot] && map->keys[map->table[slot] - 1] != key)
        slot = next_slot(map, slot);
    return slot;
}

/* Never 0: a map without values still has addresses to return. */
static size_t values_bytes(uint32_t capacity, uint32_t value_bytes)
{
    return value_bytes ? (size_t)capacity * value_bytes : 1;
}

static void free_store(CnHashMap *map)
{
    cn_free(map->allocator, map->table, (size_t)map->table_size * sizeof *map->table);
    cn_free(map->allocator, map->keys, (size_t)map->capacity * sizeof *map->keys);
    cn_free(map->allocator, map->values, values_bytes(map->capacity, map->value_bytes));
}

static void fill_table(CnHashMap *map)
{
    for (uint32_t i = 0; i < map->count; i++)
        map->table[find_slot(map, map->keys[i])] = i + 1;
}

/* Moves everything into storage of twice the size. *outgrown holds the old storage, which the
 * caller frees, because a value to be inserted may be located there. */
static bool grow(CnHashMap *map, CnHashMap *outgrown)
{
    if (map->table_size >= MAX_TABLE_SIZE)
        return false;
    CnHashMap grown = *map;
    grown.table_size = map->table_size ? map->table_size * 2 : FIRST_TABLE_SIZE;
    grown.capacity = grown.table_size / 2;
    grown.table = cn_alloc_zeroed(map->allocator, (size_t)grown.table_size * sizeof *grown.table);
    grown.keys = cn_alloc(map->allocator, (size_t)grown.capacity * sizeof *grown.keys);
    grown.values = cn_alloc(map->allocator, values_bytes(grown.capacity, map->value_bytes));
    if (!grown.table || !grown.keys || !grown.values) {
        free_store(&grown);
        return false;
    }
    if (map->count > 0) {
        memcpy(grown.keys, map->keys, (size_t)map->count * sizeof *map->keys);
        memcpy(grown.values, map->values, (size_t)map->count * map->value_bytes);
    }
    fill_table(&grown);
    *outgrown = *map;
    *map = grown;
    return true;
}

static void *store_value(CnHashMap *map, uint32_t entry, const void *value)
{
    void *place = cn_hash_map_value(map, entry);
    if (value)
        memmove(place, value, map->value_bytes);
    else
        memset(place, 0, map->value_bytes);
    return place;
}

bool cn_hash_map_reserve(CnHashMap *map, uint32_t count)
{
    while (map->capacity < count) {
        CnHashMap outgrown;
        if (!grow(map, &outgrown))
            return false;
        free_store(&outgrown);
    }
    return true;
}

void cn_hash_map_init(CnHashMap *map, CnAllocator *allocator, uint32_t value_bytes)
{
    *map = (CnHashMap){.allocator = allocator, .value_bytes = value_bytes};
}

void cn_hash_map_init_keyed(CnHashMap *map, CnAllocator *allocator, uint32_t value_bytes)
{
    *map = (CnHashMap){.allocator = allocator, .value_bytes = value_bytes, .is_keyed = true};
}

void cn_hash_map_fini(CnHashMap *map)
{
    free_store(map);
    *map = (CnHashMap){
        .allocator = map->allocator, .value_bytes = map->value_bytes, .is_keyed = map->is_keyed};
}

void *cn_hash_map_set(CnHashMap *map, uint64_t key, const void *value)
{
    if (map->count > 0) {
        uint32_t entry = map->table[find_slot(map, key)];
        if (entry)
            return store_value(map, entry - 1, value);
    }
    CnHashMap outgrown = {.allocator = map->allocator};
    if (map->count == map->capacity && !grow(map, &outgrown))
        return NULL;
    uint32_t entry = map->count++;
    map->table[find_slot(map, key)] = entry + 1;
    map->keys[entry] = key;
    void *place = store_value(map, entry, value);
    free_store(&outgrown);
    return place;
}

void *cn_hash_map_get(const CnHashMap *map, uint64_t key)
{
    if (map->count == 0)
        return NULL;
    uint32_t entry = map->table[find_slot(map, key)];
    return entry ? cn_hash_map_value(map, entry - 1) : NULL;
}

/* Frees a slot and moves back entries that were pushed past it, so that no probe ends too early. */
static void free_slot(CnHashMap *map, uint32_t slot)
{
    uint32_t mask = map->table_size - 1;
    for (uint32_t next = next_slot(map, slot); map->table[next]; next = next_slot(map, next)) {
        uint32_t home = home_of(map, map->keys[map->table[next] - 1]);
        bool may_move = ((next - home) & mask) >= ((next - slot) & mask);
        if (!may_move)
            continue;
        map->table[slot] = map->table[next];
        slot = next;
    }
    map->table[slot] = 0;
}

bool cn_hash_map_remove(CnHashMap *map, uint64_t key)
{
    if (map->count == 0)
        return false;
    uint32_t slot = find_slot(map, key);
    if (!map->table[slot])
        return false;
    uint32_t entry = map->table[slot] - 1;
    uint32_t last = map->count - 1;
    free_slot(map, slot);
    if (entry != last) {
        map->table[find_slot(map, map->keys[last])] = entry + 1;
        map->keys[entry] = map->keys[last];
        memcpy(cn_hash_map_value(map, entry), cn_hash_map_value(map, last), map->value_bytes);
    }
    map->count = last;
    return true;
}

void cn_hash_map_clear(CnHashMap *map)
{
    map->count = 0;
    if (map->table_size > 0)
        memset(map->table, 0, (size_t)map->table_size * sizeof *map->table);
}
