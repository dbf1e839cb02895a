/* Reading: a value with what waits in the queue, and rows in order, some hundred at a time. */
#include "store/store_internal.h"

enum { PAGE_ROWS = 512, PAGE_BYTES = 1 << 20 };

/* ---- One value ---- */

/* What the newest batch in the queue does to the key. The caller holds the connection. */
static CniStoreFound find_queued(const CnStore *store, uint32_t table, const CnStoreKey *key,
                                 const uint8_t **bytes, size_t *size)
{
    uint64_t durable = atomic_load(&store->durable);
    for (uint64_t n = atomic_load_explicit(&store->submitted, memory_order_acquire); n > durable;
         n--) {
        CniStoreFound found = cni_store_batch_find(store->queue[(n - 1) & store->queue_mask], table,
                                                   key, bytes, size);
        if (found != CNI_STORE_UNTOUCHED)
            return found;
    }
    return CNI_STORE_UNTOUCHED;
}

static bool get(CnStore *store, uint32_t table, const CnStoreKey *key, CnU8Array *bytes,
                bool *found, CnError *error)
{
    const uint8_t *queued;
    size_t size;
    switch (find_queued(store, table, key, &queued, &size)) {
    case CNI_STORE_REMOVED:
        *found = false;
        return true;
    case CNI_STORE_PUT:
        if (!cn_array_reserve(bytes, size))
            return cn_error_memory(error, "a row of %s", store->tables[table].name);
        if (size)
            memcpy(bytes->items, queued, size);
        bytes->count = (uint32_t)size;
        *found = true;
        return true;
    case CNI_STORE_UNTOUCHED:
    default:
        break;
    }
    if (!store->backend->get(store->connection, table, key, &store->sealed, found, error))
        return false;
    return !*found || cni_store_unseal(&store->codec, &store->tables[table], key,
                                       store->sealed.items, store->sealed.count, bytes, error);
}

bool cn_store_get(CnStore *store, uint32_t table, CnStoreKey key, CnU8Array *bytes, bool *found,
                  CnError *error)
{
    CN_ASSERT(store && bytes && found, "%s: an argument is NULL", __func__);
    CN_ASSERT(table < store->desc.table_count || table == CNI_STORE_META, "there is no table %u",
              table);
    CN_REPORT_UNHANDLED(error, "store", NULL);
    cn_array_clear(bytes);
    *found = false;
    pthread_mutex_lock(&store->lock);
    bool done = get(store, table, &key, bytes, found, error);
    pthread_mutex_unlock(&store->lock);
    if (!done)
        *found = false;
    return done;
}

/* ---- Rows in order ---- */

typedef struct PageRow {
    int64_t number;
    uint32_t key_at, key_size, value_at, value_size;
} PageRow;

typedef struct Page {
    const CniStoreTable *table;
    CN_ARRAY(PageRow) rows;
    CnU8Array bytes; /* keys and sealed values */
    CniStoreCodec codec;
    bool is_out_of_memory, is_full;
} Page;

static bool add_row(const CnStoreKey *key, const uint8_t *bytes, size_t size, void *user)
{
    Page *page = user;
    size_t key_size = page->table->kind == CN_STORE_BY_BYTES ? key->size : 0;
    if (!cn_array_reserve(&page->rows, page->rows.count + 1u) ||
        !cn_array_reserve(&page->bytes, (uint64_t)page->bytes.count + key_size + size)) {
        page->is_out_of_memory = true;
        return false;
    }
    PageRow row = {key->number, page->bytes.count, (uint32_t)key_size,
                   page->bytes.count + (uint32_t)key_size, (uint32_t)size};
    if (key_size)
        memcpy(page->bytes.items + row.key_at, key->bytes, key_size);
    if (size)
        memcpy(page->bytes.items + row.value_at, bytes, size);
    page->bytes.count += (uint32_t)(key_size + size);
    (void)cn_array_push(&page->rows, row);
    page->is_full = page->bytes.count >= PAGE_BYTES || page->rows.count == PAGE_ROWS;
    return !page->is_full;
}

static CnStoreKey key_of(const Page *page, uint32_t row)
{
    const PageRow *at = &page->rows.items[row];
    return (CnStoreKey){at->number, page->bytes.items ? page->bytes.items + at->key_at : NULL,
                        at->key_size};
}

static bool fetch(CnStore *store, uint32_t table, const CnStoreKey *first, const CnStoreKey *last,
                  Page *page, CnError *error)
{
    cn_array_clear(&page->rows);
    cn_array_clear(&page->bytes);
    page->is_full = false;
    pthread_mutex_lock(&store->lock);
    bool done = store->backend->scan(store->connection, table, first, last, PAGE_ROWS, add_row,
                                     page, error);
    pthread_mutex_unlock(&store->lock);
    if (done && page->is_out_of_memory)
        return cn_error_memory(error, "rows of %s", page->table->name);
    return done;
}

/* Moves to the key directly behind the last row of the page. Returns false if there is none. A key
 * by bytes is kept in `buffer`. */
static bool advance(const Page *page, CnStoreKey *first, uint8_t *buffer)
{
    CnStoreKey last = key_of(page, page->rows.count - 1);
    if (page->table->kind != CN_STORE_BY_BYTES) {
        first->number = last.number;
        return first->number++ < INT64_MAX;
    }
    memcpy(buffer, last.bytes, last.size);
    buffer[last.size] = 0;
    *first = cn_store_bytes(buffer, last.size + 1);
    return true;
}

typedef struct Visit {
    bool (*call)(const CnStoreRow *row, void *user, CnError *error);
    void *user;
    bool stopped;
} Visit;

static bool visit_page(CnStore *store, uint32_t table, Page *page, Visit *visit, CnU8Array *value,
                       CnError *error)
{
    for (uint32_t i = 0; i < page->rows.count && !visit->stopped; i++) {
        const PageRow *at = &page->rows.items[i];
        CnStoreRow row = {.table = table, .key = key_of(page, i)};
        if (i > 0) {
            CnStoreKey before = key_of(page, i - 1);
            if (cni_store_key_compare(page->table->kind, &before, &row.key) >= 0)
                return cn_error_set(error, CN_ERROR_FORMAT,
                                    "'%s' is damaged: rows of %s are out of order; repair it",
                                    store->desc.path, page->table->name);
        }
        CnError damage = {0};
        if (cni_store_unseal(&page->codec, page->table, &row.key, page->bytes.items + at->value_at,
                             at->value_size, value, &damage)) {
            row.bytes = value->items;
            row.size = value->count;
        } else if (damage.code == CN_ERROR_MEMORY) {
            return cn_error_memory(error, "rows of %s", page->table->name);
        } else {
            row.is_damaged = true;
        }
        visit->stopped = !visit->call(&row, visit->user, error);
    }
    return true;
}

static bool each(CnStore *store, uint32_t table, const CnStoreKey *first, const CnStoreKey *last,
                 Page *page, Visit *visit, CnError *error)
{
    CnU8Array value;
    uint8_t buffer[CN_STORE_MAX_KEY_BYTES + 1];
    CnStoreKey from = first ? *first : cn_store_number(INT64_MIN);
    const CnStoreKey *start = first;
    bool done = true, has_more = true;
    cn_array_init(&value, store->allocator);
    while (done && has_more && !visit->stopped) {
        done = fetch(store, table, start, last, page, error) &&
               visit_page(store, table, page, visit, &value, error);
        has_more = done && page->is_full && advance(page, &from, buffer);
        start = &from;
    }
    cn_array_fini(&value);
    return done;
}

bool cn_store_each(CnStore *store, uint32_t table, const CnStoreKey *first, const CnStoreKey *last,
                   bool (*visit)(const CnStoreRow *row, void *user, CnError *error), void *user,
                   CnError *error)
{
    CN_ASSERT(store && visit, "%s: an argument is NULL", __func__);
    CN_ASSERT(table < store->desc.table_count, "there is no table %u", table);
    CN_REPORT_UNHANDLED(error, "store", NULL);
    Page page = {.table = &store->tables[table]};
    cn_array_init(&page.rows, store->allocator);
    cn_array_init(&page.bytes, store->allocator);
    Visit visiting = {visit, user, false};
    CnErrorCode before = error->code;
    bool done = each(store, table, first, last, &page, &visiting, error);
    cni_store_codec_fini(&page.codec);
    cn_array_fini(&page.rows);
    cn_array_fini(&page.bytes);
    return done && !(visiting.stopped && error->code != before && error->code != CN_OK);
}
