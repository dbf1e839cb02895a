/*
 * Values of store.set: kept in C, packed, in order of script file and key, so that saves have the
 * same bytes on every machine. Saved as a state section:
 *
 *     u32 version, u32 number of values; for each: u32 size of owner, key and value, and their
 * bytes
 */
#include "script/runtime/runtime.h"

#include <cairn/base/bytes.h>
#include <cairn/sim/loop.h>

#define VERSION 1u
#define HEAD_BYTES 12u

void cni_script_stored_init(CniScriptStoredValues *values, CnAllocator *allocator)
{
    cn_array_init(&values->items, allocator);
    cn_array_init(&values->scratch, allocator);
}

static size_t block_bytes(const CniScriptStoredValue *value)
{
    return (size_t)value->owner_size + value->key_size + value->value_size;
}

static void clear(CniScriptStoredValues *values)
{
    for (uint32_t i = 0; i < values->items.count; i++)
        cn_free(values->items.allocator, values->items.items[i].block,
                block_bytes(&values->items.items[i]));
    cn_array_clear(&values->items);
}

void cni_script_stored_fini(CniScriptStoredValues *values)
{
    clear(values);
    cn_array_fini(&values->items);
    cn_array_fini(&values->scratch);
}

/* ---- Access ---- */

static CnText owner_of(const CniScriptStoredValue *value)
{
    return (CnText){(const char *)value->block, value->owner_size};
}

static CnText key_of(const CniScriptStoredValue *value)
{
    return (CnText){(const char *)value->block + value->owner_size, value->key_size};
}

/* Returns the position of the first value that is not before owner and key. */
static uint32_t position_of(const CniScriptStoredValues *values, CnText owner, CnText key)
{
    uint32_t low = 0, high = values->items.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const CniScriptStoredValue *value = &values->items.items[middle];
        int order = cn_text_compare(owner_of(value), owner);
        if (!order)
            order = cn_text_compare(key_of(value), key);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_at(const CniScriptStoredValues *values, uint32_t at, CnText owner, CnText key)
{
    return at < values->items.count && cn_text_equal(owner_of(&values->items.items[at]), owner) &&
           cn_text_equal(key_of(&values->items.items[at]), key);
}

const uint8_t *cni_script_stored_find(const CniScriptStoredValues *values, CnText owner, CnText key,
                                      size_t *size)
{
    uint32_t at = position_of(values, owner, key);
    if (!is_at(values, at, owner, key))
        return NULL;
    const CniScriptStoredValue *value = &values->items.items[at];
    *size = value->value_size;
    return value->block + value->owner_size + value->key_size;
}

static size_t bytes_of_owner(const CniScriptStoredValues *values, CnText owner)
{
    size_t bytes = 0;
    for (uint32_t i = position_of(values, owner, (CnText){"", 0}); i < values->items.count; i++) {
        if (!cn_text_equal(owner_of(&values->items.items[i]), owner))
            break;
        bytes += values->items.items[i].key_size + values->items.items[i].value_size;
    }
    return bytes;
}

static void remove_at(CniScriptStoredValues *values, uint32_t at)
{
    CniScriptStoredValue *items = values->items.items;
    cn_free(values->items.allocator, items[at].block, block_bytes(&items[at]));
    memmove(items + at, items + at + 1, (--values->items.count - at) * sizeof *items);
}

static void insert_at(CniScriptStoredValues *values, uint32_t at, CniScriptStoredValue value)
{
    CniScriptStoredValue *items = values->items.items;
    memmove(items + at + 1, items + at, (values->items.count++ - at) * sizeof *items);
    items[at] = value;
}

static bool check_room(const CniScriptStoredValues *values, CnText owner, size_t added,
                       size_t replaced, bool exists, CnError *error)
{
    if (!exists && values->items.count == CNI_SCRIPT_STORED_MAX)
        return cn_error_set(error, CN_ERROR_LIMIT, "the world stores more than %u values",
                            CNI_SCRIPT_STORED_MAX);
    if (bytes_of_owner(values, owner) - replaced + added <= CNI_SCRIPT_STORED_OWNER_BYTES)
        return true;
    return cn_error_set(error, CN_ERROR_LIMIT, "a script stores more than %u bytes",
                        CNI_SCRIPT_STORED_OWNER_BYTES);
}

bool cni_script_stored_set(CniScriptStoredValues *values, CnText owner, CnText key,
                           const uint8_t *bytes, size_t size, CnError *error)
{
    uint32_t at = position_of(values, owner, key);
    bool exists = is_at(values, at, owner, key);
    if (!bytes) {
        if (exists)
            remove_at(values, at);
        return true;
    }
    size_t replaced = exists ? key.size + values->items.items[at].value_size : 0;
    if (!check_room(values, owner, key.size + size, replaced, exists, error))
        return false;
    CniScriptStoredValue value = {NULL, (uint32_t)owner.size, (uint32_t)key.size, (uint32_t)size};
    value.block = cn_alloc(values->items.allocator, block_bytes(&value));
    if (!value.block || !cn_array_reserve(&values->items, values->items.count + 1u)) {
        cn_free(values->items.allocator, value.block, block_bytes(&value));
        return cn_error_memory(error, "a value of a script");
    }
    memcpy(value.block, owner.data, owner.size);
    memcpy(value.block + owner.size, key.data, key.size);
    memcpy(value.block + owner.size + key.size, bytes, size);
    if (exists)
        remove_at(values, at);
    insert_at(values, at, value);
    return true;
}

/* ---- Copies ---- */

static const uint8_t *value_of(const CniScriptStoredValue *value)
{
    return value->block + value->owner_size + value->key_size;
}

bool cni_script_stored_merge(CniScriptStoredValues *to, const CniScriptStoredValues *from,
                             bool (*is_owned)(CnText owner, void *user), void *user, CnError *error)
{
    for (uint32_t i = to->items.count; i-- > 0;)
        if (is_owned(owner_of(&to->items.items[i]), user))
            remove_at(to, i);
    for (uint32_t i = 0; i < from->items.count; i++) {
        const CniScriptStoredValue *value = &from->items.items[i];
        CnText owner = owner_of(value), key = key_of(value);
        uint32_t at = position_of(to, owner, key);
        if (!is_at(to, at, owner, key) &&
            !cni_script_stored_set(to, owner, key, value_of(value), value->value_size, error))
            return false;
    }
    return true;
}

static bool is_any(CnText owner, void *user)
{
    (void)owner, (void)user;
    return true;
}

bool cni_script_stored_copy(CniScriptStoredValues *to, const CniScriptStoredValues *from,
                            CnError *error)
{
    bool done = cni_script_stored_merge(to, from, is_any, NULL, error);
    if (!done)
        clear(to);
    return done;
}

/* ---- Values as bytes, and the state section ---- */

bool cni_script_stored_write(const CniScriptStoredValues *values, CnU8Array *bytes, CnError *error)
{
    uint32_t head[2] = {VERSION, values->items.count};
    if (!values->items.count)
        return true;
    bool done = cn_bytes_append(bytes, head, sizeof head);
    for (uint32_t i = 0; i < values->items.count && done; i++) {
        const CniScriptStoredValue *value = &values->items.items[i];
        uint32_t sizes[3] = {value->owner_size, value->key_size, value->value_size};
        done = cn_bytes_append(bytes, sizes, sizeof sizes) &&
               cn_bytes_append(bytes, value->block, block_bytes(value));
    }
    return done || cn_error_memory(error, "saving values of scripts");
}

static bool damaged(CnError *error)
{
    return cn_error_set(error, CN_ERROR_FORMAT, "the saved values of scripts are damaged");
}

static bool restore_values(CniScriptStoredValues *values, const uint8_t *bytes, size_t size,
                           CnError *error)
{
    uint32_t count = cn_load_u32(bytes + 4);
    size_t at = 8;
    for (; count; count--) {
        if (size - at < HEAD_BYTES)
            return damaged(error);
        uint64_t owner = cn_load_u32(bytes + at), key = cn_load_u32(bytes + at + 4);
        uint64_t value = cn_load_u32(bytes + at + 8);
        at += HEAD_BYTES;
        if (!owner || owner >= CNI_SCRIPT_PATH_BYTES || !key || key > CNI_SCRIPT_STORED_KEY_BYTES ||
            !value || value > CNI_SCRIPT_STORED_VALUE_BYTES || owner + key + value > size - at)
            return damaged(error);
        const char *text = (const char *)bytes + at;
        if (!cni_script_stored_set(values, (CnText){text, owner}, (CnText){text + owner, key},
                                   bytes + at + owner + key, value, error))
            return false;
        at += owner + key + value;
    }
    return at == size || damaged(error);
}

bool cni_script_stored_read(CniScriptStoredValues *values, const uint8_t *bytes, size_t size,
                            CnError *error)
{
    clear(values);
    if (!size)
        return true;
    if (size < 8)
        return damaged(error);
    if (cn_load_u32(bytes) != VERSION)
        return cn_error_set(error, CN_ERROR_VERSION,
                            "the saved values of scripts have another version");
    bool done = restore_values(values, bytes, size, error);
    if (!done)
        clear(values);
    return done;
}

static bool save(void *user, CnU8Array *bytes, CnError *error)
{
    return cni_script_stored_write(&((CniScriptRuntime *)user)->stored, bytes, error);
}

static bool restore(void *user, const uint8_t *bytes, size_t size, CnError *error)
{
    return cni_script_stored_read(&((CniScriptRuntime *)user)->stored, bytes, size, error);
}

static const char section_name[] = "ScriptStore";

bool cni_script_stored_section_begin(CniScriptRuntime *runtime, CnError *error)
{
    CnStateSection section = {section_name, save, restore, runtime};
    return cn_sim_add_state_section(runtime->sim, &section, error);
}

void cni_script_stored_section_end(CniScriptRuntime *runtime)
{
    cn_sim_remove_state_section(runtime->sim, section_name);
}
