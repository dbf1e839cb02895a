#include "mod_storage.h"

#include "mods.h"

#include <cairn/base/bytes.h>
#include <cairn/base/hash_map.h>

#include <string.h>

void crafty_mod_store_init(CraftyModStore *store, CnAllocator *allocator)
{
    *store = (CraftyModStore){.allocator = allocator, .entries.allocator = allocator};
}

static void free_entry(CraftyModStore *store, const CraftyModEntry *entry)
{
    cn_free(store->allocator, entry->text, (size_t)entry->key_bytes + entry->value_bytes + 2);
}

void crafty_mod_store_fini(CraftyModStore *store)
{
    for (uint32_t i = 0; i < store->entries.count; i++)
        free_entry(store, &store->entries.items[i]);
    cn_array_fini(&store->entries);
}

/* ---- Values ---- */

CnText crafty_mod_store_key(const CraftyModStore *store, uint32_t index)
{
    const CraftyModEntry *entry = &store->entries.items[index];
    return (CnText){entry->text, entry->key_bytes};
}

static CnText value_at(const CraftyModStore *store, uint32_t index)
{
    const CraftyModEntry *entry = &store->entries.items[index];
    return (CnText){entry->text + entry->key_bytes + 1, entry->value_bytes};
}

uint32_t crafty_mod_store_find(const CraftyModStore *store, CnText key)
{
    uint32_t low = 0, high = store->entries.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (cn_text_compare(crafty_mod_store_key(store, middle), key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_at(const CraftyModStore *store, uint32_t index, CnText key)
{
    return index < store->entries.count && cn_text_equal(crafty_mod_store_key(store, index), key);
}

CnText crafty_mod_store_get(const CraftyModStore *store, CnText key)
{
    uint32_t index = crafty_mod_store_find(store, key);
    return is_at(store, index, key) ? value_at(store, index) : (CnText){NULL, 0};
}

static uint64_t hash_of(CnText key, CnText value)
{
    return cn_hash_bytes(value.data, value.size, cn_hash_bytes(key.data, key.size, key.size));
}

static void count_in(CraftyModStore *store, uint32_t index)
{
    store->hash += hash_of(crafty_mod_store_key(store, index), value_at(store, index));
    store->bytes += store->entries.items[index].key_bytes + store->entries.items[index].value_bytes;
}

static void count_out(CraftyModStore *store, uint32_t index)
{
    store->hash -= hash_of(crafty_mod_store_key(store, index), value_at(store, index));
    store->bytes -= store->entries.items[index].key_bytes + store->entries.items[index].value_bytes;
}

static void remove_at(CraftyModStore *store, uint32_t index)
{
    count_out(store, index);
    free_entry(store, &store->entries.items[index]);
    store->entries.count--;
    memmove(&store->entries.items[index], &store->entries.items[index + 1],
            (store->entries.count - index) * sizeof(CraftyModEntry));
}

static bool check(const CraftyModStore *store, uint32_t index, CnText key, CnText value,
                  CnError *error)
{
    uint64_t old = is_at(store, index, key) ? (uint64_t)store->entries.items[index].key_bytes +
                                                  store->entries.items[index].value_bytes
                                            : 0;
    if (key.size == 0 || key.size >= CRAFTY_MOD_KEY_BYTES || memchr(key.data, 0, key.size))
        return cn_error_set(error, CN_ERROR_LIMIT, "a key has 1 to %u bytes",
                            CRAFTY_MOD_KEY_BYTES - 1);
    if (value.size > CRAFTY_MOD_VALUE_BYTES)
        return cn_error_set(error, CN_ERROR_LIMIT, "a value has more than %u KiB",
                            CRAFTY_MOD_VALUE_BYTES / 1024);
    if (!is_at(store, index, key) && store->entries.count == CRAFTY_MOD_MAX_KEYS)
        return cn_error_set(error, CN_ERROR_LIMIT, "the storage of a mod has more than %u keys",
                            CRAFTY_MOD_MAX_KEYS);
    if (store->bytes - old + key.size + value.size > CRAFTY_MOD_STORAGE_BYTES)
        return cn_error_set(error, CN_ERROR_LIMIT, "the storage of a mod has more than %u KiB",
                            CRAFTY_MOD_STORAGE_BYTES / 1024);
    return true;
}

bool crafty_mod_store_set(CraftyModStore *store, CnText key, CnText value, CnError *error)
{
    uint32_t index = crafty_mod_store_find(store, key);
    bool exists = is_at(store, index, key);
    if (value.size == 0) {
        if (exists)
            remove_at(store, index);
        return true;
    }
    if (!check(store, index, key, value, error))
        return false;
    CraftyModEntry entry = {.key_bytes = (uint32_t)key.size, .value_bytes = (uint32_t)value.size};
    entry.text = cn_alloc(store->allocator, key.size + value.size + 2);
    if (!entry.text || (!exists && !cn_array_reserve(&store->entries, store->entries.count + 1u))) {
        if (entry.text)
            free_entry(store, &entry);
        return cn_error_memory(error, "the storage of a mod");
    }
    memcpy(entry.text, key.data, key.size);
    entry.text[key.size] = '\0';
    memcpy(entry.text + key.size + 1, value.data, value.size);
    entry.text[key.size + 1 + value.size] = '\0';
    if (exists) {
        count_out(store, index);
        free_entry(store, &store->entries.items[index]);
    } else {
        memmove(&store->entries.items[index + 1], &store->entries.items[index],
                (store->entries.count - index) * sizeof entry);
        store->entries.count++;
    }
    store->entries.items[index] = entry;
    count_in(store, index);
    return true;
}

/* ---- Bytes ---- */

static bool put(CnU8Array *bytes, const void *data, size_t size)
{
    if (!cn_array_reserve(bytes, (uint64_t)bytes->count + size))
        return false;
    memcpy(bytes->items + bytes->count, data, size);
    bytes->count += (uint32_t)size;
    return true;
}

static bool put_text(CnU8Array *bytes, CnText text)
{
    uint32_t size = (uint32_t)text.size;
    return put(bytes, &size, sizeof size) && put(bytes, text.data, text.size);
}

bool crafty_mod_store_write(const CraftyModStore *store, CnU8Array *bytes)
{
    uint32_t count = store->entries.count;
    bool good = put(bytes, &count, sizeof count);
    for (uint32_t i = 0; i < count && good; i++)
        good =
            put_text(bytes, crafty_mod_store_key(store, i)) && put_text(bytes, value_at(store, i));
    return good;
}

typedef struct Reader {
    const uint8_t *at, *end;
} Reader;

static bool take_number(Reader *reader, uint32_t *number)
{
    if (reader->end - reader->at < (ptrdiff_t)sizeof *number)
        return false;
    memcpy(number, reader->at, sizeof *number);
    reader->at += sizeof *number;
    return true;
}

static bool take_text(Reader *reader, CnText *text)
{
    uint32_t size;
    if (!take_number(reader, &size) || (uint64_t)(reader->end - reader->at) < size)
        return false;
    *text = (CnText){(const char *)reader->at, size};
    reader->at += size;
    return cn_text_is_utf8(*text);
}

bool crafty_mod_store_read(CraftyModStore *store, const uint8_t *bytes, size_t size, CnError *error)
{
    CraftyModStore fresh;
    Reader reader = {bytes, bytes + size};
    uint32_t count = 0;
    CnText key, value;
    crafty_mod_store_init(&fresh, store->allocator);
    bool good = take_number(&reader, &count);
    for (uint32_t i = 0; i < count && good; i++) {
        good = take_text(&reader, &key) && take_text(&reader, &value) && value.size;
        if (good && !crafty_mod_store_set(&fresh, key, value, error)) {
            crafty_mod_store_fini(&fresh);
            return false;
        }
    }
    if (!good || reader.at != reader.end) {
        crafty_mod_store_fini(&fresh);
        return cn_error_set(error, CN_ERROR_FORMAT, "the saved storage of a mod is damaged");
    }
    crafty_mod_store_fini(store);
    *store = fresh;
    return true;
}
