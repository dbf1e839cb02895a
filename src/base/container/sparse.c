#include <cairn/base/array.h>
#include <cairn/base/sparse.h>

#include <string.h>

/* Enough pages for all 2^32 keys. */
#define MAX_PAGES (UINT32_MAX / CN_SPARSE_PAGE + 1u)
#define PAGE_BYTES (CN_SPARSE_PAGE * sizeof(uint32_t))

static bool add_page(CnSparseSet *set, uint32_t page)
{
    if (page >= set->page_count) {
        uint32_t count = set->page_count > MAX_PAGES / 2 ? MAX_PAGES : set->page_count * 2;
        if (count <= page)
            count = page + 1;
        size_t old_bytes = set->page_count * sizeof *set->pages;
        size_t new_bytes = count * sizeof *set->pages;
        uint32_t **pages = cn_realloc(set->allocator, set->pages, old_bytes, new_bytes);
        if (!pages)
            return false;
        memset((char *)pages + old_bytes, 0, new_bytes - old_bytes);
        set->pages = pages;
        set->page_count = count;
    }
    if (!set->pages[page])
        set->pages[page] = cn_alloc_zeroed(set->allocator, PAGE_BYTES);
    return set->pages[page] != NULL;
}

static bool reserve_keys(CnSparseSet *set, uint64_t needed)
{
    return needed <= set->capacity ||
           cni_base_array_grow((void **)&set->keys, &set->capacity, set->allocator,
                               sizeof *set->keys, needed);
}

void cn_sparse_set_init(CnSparseSet *set, CnAllocator *allocator)
{
    *set = (CnSparseSet){.allocator = allocator};
}

void cn_sparse_set_fini(CnSparseSet *set)
{
    for (uint32_t i = 0; i < set->page_count; i++)
        cn_free(set->allocator, set->pages[i], PAGE_BYTES);
    cn_free(set->allocator, set->pages, set->page_count * sizeof *set->pages);
    cn_free(set->allocator, set->keys, set->capacity * sizeof *set->keys);
    cn_sparse_set_init(set, set->allocator);
}

uint32_t cn_sparse_set_add(CnSparseSet *set, uint32_t key)
{
    uint32_t at = cn_sparse_set_find(set, key);
    if (at != CN_SPARSE_NONE)
        return at;
    uint32_t page = key / CN_SPARSE_PAGE;
    bool has_page = page < set->page_count && set->pages[page];
    if (!has_page && !add_page(set, page))
        return CN_SPARSE_NONE;
    if (!reserve_keys(set, (uint64_t)set->count + 1))
        return CN_SPARSE_NONE;
    at = set->count++;
    set->keys[at] = key;
    set->pages[page][key % CN_SPARSE_PAGE] = at;
    return at;
}

static void remove_at(CnSparseSet *set, uint32_t at)
{
    uint32_t last = set->keys[--set->count];
    set->keys[at] = last;
    set->pages[last / CN_SPARSE_PAGE][last % CN_SPARSE_PAGE] = at;
}

bool cn_sparse_set_remove(CnSparseSet *set, uint32_t key)
{
    uint32_t at = cn_sparse_set_find(set, key);
    if (at == CN_SPARSE_NONE)
        return false;
    remove_at(set, at);
    return true;
}

void cn_sparse_set_clear(CnSparseSet *set)
{
    set->count = 0;
}

/* ---- Map ---- */

static void *value_at(const CnSparseMap *map, uint32_t at)
{
    return (char *)map->values + (size_t)at * map->value_bytes;
}

/* A map without values still returns addresses: its values count as one byte. */
static size_t stored_bytes(const CnSparseMap *map)
{
    return map->value_bytes ? map->value_bytes : 1;
}

/* Makes room for one more value. *value may point into the storage that moves, and is adjusted. */
static bool reserve_value(CnSparseMap *map, const void **value)
{
    uint64_t needed = (uint64_t)map->set.count + 1;
    if (needed <= map->value_capacity)
        return true;
    uintptr_t offset = (uintptr_t)*value - (uintptr_t)map->values;
    bool is_own = *value && map->values && offset < map->value_capacity * stored_bytes(map);
    if (!cni_base_array_grow(&map->values, &map->value_capacity, map->set.allocator,
                             stored_bytes(map), needed))
        return false;
    if (is_own)
        *value = (char *)map->values + offset;
    return true;
}

void cn_sparse_map_init(CnSparseMap *map, CnAllocator *allocator, uint32_t value_bytes)
{
    *map = (CnSparseMap){.value_bytes = value_bytes};
    cn_sparse_set_init(&map->set, allocator);
}

void cn_sparse_map_fini(CnSparseMap *map)
{
    cn_free(map->set.allocator, map->values, map->value_capacity * stored_bytes(map));
    cn_sparse_set_fini(&map->set);
    cn_sparse_map_init(map, map->set.allocator, map->value_bytes);
}

void *cn_sparse_map_set(CnSparseMap *map, uint32_t key, const void *value)
{
    uint32_t at = cn_sparse_set_find(&map->set, key);
    if (at == CN_SPARSE_NONE) {
        if (!reserve_value(map, &value))
            return NULL;
        at = cn_sparse_set_add(&map->set, key);
        if (at == CN_SPARSE_NONE)
            return NULL;
    }
    void *place = value_at(map, at);
    if (value)
        memmove(place, value, map->value_bytes);
    else
        memset(place, 0, map->value_bytes);
    return place;
}

void *cn_sparse_map_get(const CnSparseMap *map, uint32_t key)
{
    uint32_t at = cn_sparse_set_find(&map->set, key);
    return at != CN_SPARSE_NONE ? value_at(map, at) : NULL;
}

bool cn_sparse_map_remove(CnSparseMap *map, uint32_t key)
{
    uint32_t at = cn_sparse_set_find(&map->set, key);
    if (at == CN_SPARSE_NONE)
        return false;
    uint32_t last = map->set.count - 1;
    if (at != last)
        memcpy(value_at(map, at), value_at(map, last), map->value_bytes);
    remove_at(&map->set, at);
    return true;
}

void cn_sparse_map_clear(CnSparseMap *map)
{
    cn_sparse_set_clear(&map->set);
}
