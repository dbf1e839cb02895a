/* Batches: changes in the order in which they were added, with copies of keys and values. The
 * copies never move, so that building a large batch takes the same time per change as a small one.
 */
#include "store/store_internal.h"

enum { BLOCK_BYTES = (64 << 10) - 256 }; /* with the header of a block and of the heap, 64 KiB */

CnStoreBatch *cn_store_batch_create(CnStore *store, CnError *error)
{
    CN_ASSERT(store, "%s: store is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "store", NULL);
    CnStoreBatch *batch = cn_alloc_zeroed(store->allocator, sizeof *batch);
    if (!batch) {
        cn_error_memory(error, "a batch");
        return NULL;
    }
    batch->store = store;
    cn_array_init(&batch->ops, store->allocator);
    cn_arena_init(&batch->bytes, store->allocator, BLOCK_BYTES);
    return batch;
}

static void free_owned(CniStoreOp *op)
{
    cn_free(op->owned_allocator, op->owned, op->owned_capacity);
}

void cni_store_batch_clear(CnStoreBatch *batch)
{
    for (uint32_t i = 0; i < batch->ops.count; i++)
        free_owned(&batch->ops.items[i]);
    cn_array_clear(&batch->ops);
    cn_arena_reset(&batch->bytes);
    batch->owned_bytes = 0;
    memset(batch->log_count, 0, sizeof batch->log_count);
}

void cn_store_batch_destroy(CnStoreBatch *batch)
{
    if (!batch)
        return;
    cni_store_batch_clear(batch);
    cn_array_fini(&batch->ops);
    cn_arena_fini(&batch->bytes);
    cn_free(batch->store->allocator, batch, sizeof *batch);
}

uint32_t cn_store_batch_count(const CnStoreBatch *batch)
{
    return batch->ops.count;
}

uint64_t cn_store_batch_bytes(const CnStoreBatch *batch)
{
    return batch->bytes.used_bytes + batch->owned_bytes;
}

/* ---- Adding ---- */

static const CniStoreTable *table_of(const CnStoreBatch *batch, uint32_t table)
{
    CN_ASSERT(table < batch->store->desc.table_count, "there is no table %u", table);
    return &batch->store->tables[table];
}

static bool check_key(const CniStoreTable *table, const CnStoreKey *key, CnError *error)
{
    if (table->kind != CN_STORE_BY_BYTES || (key->size && key->size <= CN_STORE_MAX_KEY_BYTES))
        return true;
    return cn_error_set(error, CN_ERROR_LIMIT,
                        "a key of table %s has %zu bytes, allowed are 1 to %u", table->name,
                        key->size, CN_STORE_MAX_KEY_BYTES);
}

static bool check_value(const CniStoreTable *table, size_t size, CnError *error)
{
    return size <= CN_STORE_MAX_VALUE_BYTES ||
           cn_error_set(error, CN_ERROR_LIMIT, "a value for table %s has %zu bytes, more than %u",
                        table->name, size, CN_STORE_MAX_VALUE_BYTES);
}

/* Makes room for one change and its bytes, which *bytes points to. */
static bool make_room(CnStoreBatch *batch, size_t size, uint8_t **bytes, CnError *error)
{
    *bytes = NULL;
    if (batch->ops.count == UINT32_MAX)
        return cn_error_set(error, CN_ERROR_LIMIT,
                            "a batch has more than 2^32 changes: submit smaller ones");
    return (cn_array_reserve(&batch->ops, batch->ops.count + 1u) &&
            (size == 0 || (*bytes = cn_arena_alloc(&batch->bytes, size, 1)))) ||
           cn_error_memory(error, "a batch");
}

/* Copies bytes to `to` and returns where they end. */
static uint8_t *copy(uint8_t *to, const void *bytes, size_t size)
{
    if (size == 0)
        return to;
    memcpy(to, bytes, size);
    return to + size;
}

static size_t key_size_of(const CniStoreTable *table, const CnStoreKey *key)
{
    return table->kind == CN_STORE_BY_BYTES && key ? key->size : 0;
}

bool cn_store_batch_put(CnStoreBatch *batch, uint32_t table, CnStoreKey key, const void *bytes,
                        size_t size, CnError *error)
{
    const CniStoreTable *to = table_of(batch, table);
    CN_ASSERT(to->kind != CN_STORE_LOG, "%s is a log: append to it", to->name);
    CN_REPORT_UNHANDLED(error, "store", NULL);
    uint8_t *room;
    size_t key_size = key_size_of(to, &key);
    if (!check_key(to, &key, error) || !check_value(to, size, error) ||
        !make_room(batch, key_size + size, &room, error))
        return false;
    CniStoreOp op = {.kind = CNI_STORE_OP_PUT,
                     .table = (uint8_t)table,
                     .number = key.number,
                     .key_size = (uint16_t)key_size,
                     .key = room,
                     .value_size = size};
    uint8_t *value = copy(room, key.bytes, key_size);
    copy(value, bytes, size);
    op.value = value;
    return cn_array_push(&batch->ops, op);
}

bool cn_store_batch_put_owned(CnStoreBatch *batch, uint32_t table, CnStoreKey key, void *bytes,
                              size_t size, size_t capacity, CnAllocator *allocator, CnError *error)
{
    const CniStoreTable *to = table_of(batch, table);
    CN_ASSERT(to->kind != CN_STORE_LOG, "%s is a log: append to it", to->name);
    CN_REPORT_UNHANDLED(error, "store", NULL);
    uint8_t *room;
    size_t key_size = key_size_of(to, &key);
    if (!check_key(to, &key, error) || !check_value(to, size, error) ||
        !make_room(batch, key_size, &room, error)) {
        cn_free(allocator, bytes, capacity);
        return false;
    }
    CniStoreOp op = {.kind = CNI_STORE_OP_PUT,
                     .table = (uint8_t)table,
                     .number = key.number,
                     .key_size = (uint16_t)key_size,
                     .key = room,
                     .value_size = size,
                     .owned = bytes,
                     .owned_capacity = capacity,
                     .owned_allocator = allocator};
    copy(room, key.bytes, key_size);
    batch->owned_bytes += size;
    return cn_array_push(&batch->ops, op);
}

bool cn_store_batch_append(CnStoreBatch *batch, uint32_t table, const void *bytes, size_t size,
                           CnError *error)
{
    const CniStoreTable *to = table_of(batch, table);
    CN_ASSERT(to->kind == CN_STORE_LOG, "%s is not a log", to->name);
    CN_REPORT_UNHANDLED(error, "store", NULL);
    uint8_t *room;
    if (!check_value(to, size, error) || !make_room(batch, size, &room, error))
        return false;
    CniStoreOp op = {.kind = CNI_STORE_OP_APPEND,
                     .table = (uint8_t)table,
                     .number = batch->log_count[table]++,
                     .value = room,
                     .value_size = size};
    copy(room, bytes, size);
    return cn_array_push(&batch->ops, op);
}

static bool add_range(CnStoreBatch *batch, uint32_t table, const CnStoreKey *first,
                      const CnStoreKey *last, CnError *error)
{
    const CniStoreTable *to = table_of(batch, table);
    size_t first_size = key_size_of(to, first), last_size = key_size_of(to, last);
    uint8_t *room;
    if ((first && !check_key(to, first, error)) || (last && !check_key(to, last, error)) ||
        !make_room(batch, first_size + last_size, &room, error))
        return false;
    CniStoreOp op = {.kind = CNI_STORE_OP_REMOVE,
                     .table = (uint8_t)table,
                     .has_first = first != NULL,
                     .has_last = last != NULL,
                     .number = first ? first->number : 0,
                     .last_number = last ? last->number : 0,
                     .key_size = (uint16_t)first_size,
                     .last_size = (uint16_t)last_size,
                     .key = room};
    uint8_t *end = copy(room, first ? first->bytes : NULL, first_size);
    copy(end, last ? last->bytes : NULL, last_size);
    return cn_array_push(&batch->ops, op);
}

bool cn_store_batch_remove(CnStoreBatch *batch, uint32_t table, CnStoreKey key, CnError *error)
{
    CN_ASSERT(table_of(batch, table)->kind != CN_STORE_LOG, "rows of a log cannot be removed");
    CN_REPORT_UNHANDLED(error, "store", NULL);
    return add_range(batch, table, &key, &key, error);
}

bool cn_store_batch_remove_range(CnStoreBatch *batch, uint32_t table, const CnStoreKey *first,
                                 const CnStoreKey *last, CnError *error)
{
    CN_ASSERT(table_of(batch, table)->kind != CN_STORE_LOG || !first,
              "a log can only be cut at its start");
    CN_REPORT_UNHANDLED(error, "store", NULL);
    return add_range(batch, table, first, last, error);
}

/* ---- Reading ---- */

CnStoreKey cni_store_op_key(const CnStoreBatch *batch, const CniStoreOp *op)
{
    if (op->kind == CNI_STORE_OP_APPEND)
        return cn_store_number(batch->log_base[op->table] + op->number);
    return (CnStoreKey){op->number, op->key, op->key_size};
}

CnStoreKey cni_store_op_last(const CniStoreOp *op)
{
    return (CnStoreKey){op->last_number, op->key ? op->key + op->key_size : NULL, op->last_size};
}

const uint8_t *cni_store_op_value(const CniStoreOp *op)
{
    return op->owned ? op->owned : op->value;
}

static bool is_in_range(const CnStoreBatch *batch, const CniStoreOp *op, CnStoreTableKind kind,
                        const CnStoreKey *key)
{
    CnStoreKey first = cni_store_op_key(batch, op), last = cni_store_op_last(op);
    return (!op->has_first || cni_store_key_compare(kind, &first, key) <= 0) &&
           (!op->has_last || cni_store_key_compare(kind, key, &last) <= 0);
}

CniStoreFound cni_store_batch_find(const CnStoreBatch *batch, uint32_t table, const CnStoreKey *key,
                                   const uint8_t **bytes, size_t *size)
{
    CnStoreTableKind kind = batch->store->tables[table].kind;
    for (uint32_t i = batch->ops.count; i-- > 0;) {
        const CniStoreOp *op = &batch->ops.items[i];
        if (op->table != table)
            continue;
        if (op->kind == CNI_STORE_OP_REMOVE) {
            if (is_in_range(batch, op, kind, key))
                return CNI_STORE_REMOVED;
            continue;
        }
        CnStoreKey own = cni_store_op_key(batch, op);
        if (cni_store_key_compare(kind, &own, key) == 0) {
            *bytes = cni_store_op_value(op);
            *size = op->value_size;
            return CNI_STORE_PUT;
        }
    }
    return CNI_STORE_UNTOUCHED;
}

/* ---- Applying ---- */

static bool apply_remove(CnStore *store, const CnStoreBatch *batch, const CniStoreOp *op,
                         CnError *error)
{
    const CniStoreTable *table = &store->tables[op->table];
    CnStoreKey first = cni_store_op_key(batch, op), last = cni_store_op_last(op);
    if (!store->backend->remove_range(store->connection, op->table, op->has_first ? &first : NULL,
                                      op->has_last ? &last : NULL, error))
        return false;
    if (table->kind != CN_STORE_LOG)
        return true;
    /* So that the numbers of removed records are not used again. */
    char name[sizeof CNI_STORE_META_LOG + CN_STORE_NAME_BYTES];
    cn_format(name, sizeof name, CNI_STORE_META_LOG "%s", table->name);
    int64_t next = batch->log_base[op->table] + batch->log_count[op->table];
    return cni_store_meta_put(store, name, &next, sizeof next, error);
}

static bool apply(CnStore *store, const CnStoreBatch *batch, const CniStoreOp *op, CnError *error)
{
    if (op->kind == CNI_STORE_OP_REMOVE)
        return apply_remove(store, batch, op, error);
    CnStoreKey key = cni_store_op_key(batch, op);
    return cni_store_seal(&store->codec, &store->tables[op->table], &key, cni_store_op_value(op),
                          op->value_size, &store->sealed, error) &&
           store->backend->put(store->connection, op->table, &key, store->sealed.items,
                               store->sealed.count, error);
}

bool cni_store_batch_apply(CnStore *store, const CnStoreBatch *batch, CnError *error)
{
    for (uint32_t i = 0; i < batch->ops.count; i++)
        if (!apply(store, batch, &batch->ops.items[i], error))
            return false;
    return true;
}
