/* Opening and closing a store: its tables, its application and its version. */
#include "store/store_internal.h"

CnStoreConnectionDesc cni_store_connection_desc(const CnStoreDesc *desc)
{
    return (CnStoreConnectionDesc){.allocator = desc->allocator,
                                   .path = desc->path,
                                   .mode = desc->mode,
                                   .durability = desc->durability,
                                   .sqlite_vfs = desc->sqlite_vfs};
}

bool cni_store_table_is_in(const CnStoreTableDesc *desc, uint32_t version)
{
    uint32_t first = desc->first_version ? desc->first_version : 1;
    return version >= first && (!desc->last_version || version <= desc->last_version);
}

/* ---- cn_meta ---- */

bool cni_store_meta_put(CnStore *store, const char *name, const void *bytes, size_t size,
                        CnError *error)
{
    CnStoreKey key = cn_store_text(name);
    return cni_store_seal(&store->codec, &store->tables[CNI_STORE_META], &key, bytes, size,
                          &store->sealed, error) &&
           store->backend->put(store->connection, CNI_STORE_META, &key, store->sealed.items,
                               store->sealed.count, error);
}

static bool damaged(const CnStore *store, const char *what, CnError *error)
{
    return cn_error_set(error, CN_ERROR_FORMAT,
                        "'%s' is damaged: %s; repair it or restore a backup", store->desc.path,
                        what);
}

static bool read_application(CnStore *store, CnError *error)
{
    bool found;
    CnU8Array *value = &store->scratch;
    CnStoreKey key = cn_store_text(CNI_STORE_META_APPLICATION);
    if (!cn_store_get(store, CNI_STORE_META, key, value, &found, error))
        return false;
    if (!found)
        return damaged(store, "it does not say what it is for", error);
    const char *own = store->desc.application;
    if (value->count == strlen(own) && memcmp(value->items, own, value->count) == 0)
        return true;
    char other[CN_STORE_NAME_BYTES];
    cn_copy_text(other, sizeof other, (CnText){(const char *)value->items, value->count});
    return cn_error_set(error, CN_ERROR_MISMATCH,
                        "'%s' was made by another application: it is a '%s', not a '%s'",
                        store->desc.path, other, own);
}

static bool read_version(CnStore *store, CnError *error)
{
    bool found;
    CnU8Array *value = &store->scratch;
    CnStoreKey key = cn_store_text(CNI_STORE_META_VERSION);
    if (!cn_store_get(store, CNI_STORE_META, key, value, &found, error))
        return false;
    if (!found || value->count != 4 || !cn_load_u32(value->items))
        return damaged(store, "it has no version", error);
    store->version = cn_load_u32(value->items);
    if (store->version <= store->desc.version)
        return true;
    return cn_error_set(error, CN_ERROR_VERSION,
                        "'%s' was saved by a newer version: it has version %u, and this program "
                        "reads up to %u; update the program",
                        store->desc.path, store->version, store->desc.version);
}

/* ---- Tables ---- */

typedef struct Names {
    CnStore *store;
    uint32_t found; /* bits of tables */
    bool has_meta, has_unknown;
    char unknown[CN_STORE_NAME_BYTES];
} Names;

static bool note_table(const char *name, CnStoreTableKind kind, void *user)
{
    Names *names = user;
    const CnStore *store = names->store;
    const CniStoreTable *meta = &store->tables[CNI_STORE_META];
    if (strcmp(name, meta->name) == 0 && kind == meta->kind) {
        names->has_meta = true;
        return true;
    }
    for (uint32_t i = 0; i < store->desc.table_count; i++) {
        const CniStoreTable *table = &store->tables[i];
        if (strcmp(name, table->name) == 0 && kind == table->kind) {
            names->found |= 1u << i;
            return true;
        }
    }
    names->has_unknown = true;
    cn_copy_text(names->unknown, sizeof names->unknown, cn_text(name));
    return true;
}

static bool check_tables(CnStore *store, const Names *names, CnError *error)
{
    if (names->has_unknown)
        return cn_error_set(error, CN_ERROR_MISMATCH,
                            "'%s' has the table '%s', which this program does not know",
                            store->desc.path, names->unknown);
    for (uint32_t i = 0; i < store->desc.table_count; i++) {
        bool exists = names->found >> i & 1u;
        if (exists != cni_store_table_is_in(&store->desc.tables[i], store->version))
            return cn_error_set(error, CN_ERROR_FORMAT,
                                "'%s' is damaged: version %u %s the table '%s'; repair it or "
                                "restore a backup",
                                store->desc.path, store->version, exists ? "does not have" : "has",
                                store->tables[i].name);
    }
    return true;
}

static bool read_log_next(CnStore *store, uint32_t table, CnError *error)
{
    int64_t first, last = 0;
    bool found;
    if (!store->backend->bounds(store->connection, table, &first, &last, &found, error))
        return false;
    store->log_next[table] = found ? last + 1 : 1;
    char name[sizeof CNI_STORE_META_LOG + CN_STORE_NAME_BYTES];
    cn_format(name, sizeof name, CNI_STORE_META_LOG "%s", store->tables[table].name);
    CnU8Array *value = &store->scratch;
    if (!cn_store_get(store, CNI_STORE_META, cn_store_text(name), value, &found, error))
        return false;
    int64_t next = found && value->count == 8 ? (int64_t)cn_load_u64(value->items) : 1;
    if (next > store->log_next[table])
        store->log_next[table] = next;
    return store->log_next[table] > 0 ||
           damaged(store, "the numbers of a log are out of range", error);
}

bool cni_store_bind_tables(CnStore *store, CnError *error)
{
    Names names = {.store = store};
    if (!store->backend->each_table(store->connection, note_table, &names, error) ||
        !check_tables(store, &names, error))
        return false;
    for (uint32_t i = 0; i < store->desc.table_count; i++) {
        const CniStoreTable *table = &store->tables[i];
        if (!(names.found >> i & 1u))
            continue;
        if (!store->backend->bind_table(store->connection, i, table->name, table->kind, error) ||
            (table->kind == CN_STORE_LOG && !read_log_next(store, i, error)))
            return false;
    }
    return true;
}

/* ---- Creating ---- */

static bool create_tables(CnStore *store, CnError *error)
{
    const CnStoreBackend *backend = store->backend;
    const CniStoreTable *meta = &store->tables[CNI_STORE_META];
    if (!backend->create_table(store->connection, meta->name, meta->kind, error) ||
        !backend->bind_table(store->connection, CNI_STORE_META, meta->name, meta->kind, error))
        return false;
    for (uint32_t i = 0; i < store->desc.table_count; i++)
        if (cni_store_table_is_in(&store->desc.tables[i], store->version) &&
            !backend->create_table(store->connection, store->tables[i].name, store->tables[i].kind,
                                   error))
            return false;
    return cni_store_meta_put(store, CNI_STORE_META_APPLICATION, store->desc.application,
                              strlen(store->desc.application), error) &&
           cni_store_meta_put(store, CNI_STORE_META_VERSION, &store->version, sizeof store->version,
                              error);
}

static bool create_content(CnStore *store, CnError *error)
{
    const CnStoreBackend *backend = store->backend;
    store->version = store->desc.version;
    if (backend->begin(store->connection, error) && create_tables(store, error) &&
        backend->commit(store->connection, error))
        return cni_store_bind_tables(store, error);
    backend->rollback(store->connection);
    return false;
}

static bool count_table(const char *name, CnStoreTableKind kind, void *user)
{
    (void)name, (void)kind;
    ++*(uint32_t *)user;
    return true;
}

/* Counts how often the store was opened. This shows that the disk can be written before the game
 * depends on it, and leaves a log by which readers see that the store is open. */
static bool mark_open(CnStore *store, CnError *error)
{
    const CnStoreBackend *backend = store->backend;
    CnU8Array *value = &store->scratch;
    bool found;
    CnStoreKey key = cn_store_text(CNI_STORE_META_OPENED);
    if (!cn_store_get(store, CNI_STORE_META, key, value, &found, error))
        return false;
    uint64_t count = found && value->count == 8 ? cn_load_u64(value->items) + 1 : 1;
    if (backend->begin(store->connection, error) &&
        cni_store_meta_put(store, CNI_STORE_META_OPENED, &count, sizeof count, error) &&
        backend->commit(store->connection, error))
        return true;
    backend->rollback(store->connection);
    return false;
}

static bool open_content(CnStore *store, CniStorePurpose purpose, CnError *error)
{
    const CnStoreBackend *backend = store->backend;
    const CniStoreTable *meta = &store->tables[CNI_STORE_META];
    uint32_t count = 0;
    if (!backend->each_table(store->connection, count_table, &count, error))
        return false;
    if (!count)
        return create_content(store, error);
    if (!backend->bind_table(store->connection, CNI_STORE_META, meta->name, meta->kind, error) ||
        !read_application(store, error) || !read_version(store, error) ||
        !cni_store_bind_tables(store, error))
        return false;
    if (purpose == CNI_STORE_FOR_MAINTENANCE)
        return true;
    return (store->version == store->desc.version || cni_store_migrate(store, error)) &&
           (store->desc.mode == CN_STORE_READ_ONLY || mark_open(store, error));
}

/* ---- The object ---- */

static void check_desc(const CnStoreDesc *desc)
{
    CN_ASSERT(desc && desc->path && desc->path[0], "cn_store_create: there is no path");
    CN_ASSERT(desc->application && desc->application[0] &&
                  strlen(desc->application) < CN_STORE_NAME_BYTES,
              "cn_store_create: the application has no name, or a long one");
    CN_ASSERT(desc->version, "cn_store_create: versions start with 1");
    CN_ASSERT(desc->table_count <= CN_STORE_MAX_TABLES, "cn_store_create: too many tables");
    CN_ASSERT(!(desc->queue_capacity & (desc->queue_capacity - 1)) &&
                  desc->queue_capacity <= CN_STORE_MAX_QUEUE,
              "cn_store_create: queue_capacity is not a power of two up to %u", CN_STORE_MAX_QUEUE);
    for (uint32_t i = 0; i < desc->table_count; i++) {
        const char *name = desc->tables[i].name;
        CN_ASSERT(name && name[0] && strlen(name) < CN_STORE_NAME_BYTES &&
                      strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(name) &&
                      strncmp(name, "cn_", 3) != 0,
                  "cn_store_create: '%s' is not the name of a table", name);
        (void)name;
    }
}

static bool init(CnStore *store, const CnStoreDesc *desc, CnError *error)
{
    size_t path_size = strlen(desc->path) + 1;
    if (path_size > CN_STORE_PATH_BYTES)
        return cn_error_set(error, CN_ERROR_LIMIT,
                            "the path of a store has %zu bytes, more than %u", path_size - 1,
                            CN_STORE_PATH_BYTES - 1);
    char *path = cn_alloc(store->allocator, path_size);
    if (!path)
        return cn_error_memory(error, "a store");
    memcpy(path, desc->path, path_size);
    store->desc.path = path;
    for (uint32_t i = 0; i < desc->table_count; i++)
        cni_store_table_init(&store->tables[i], &desc->tables[i]);
    cni_store_table_init(
        &store->tables[CNI_STORE_META],
        &(CnStoreTableDesc){.name = CNI_STORE_META_NAME, .kind = CN_STORE_BY_BYTES});
    uint64_t queue = desc->queue_capacity ? desc->queue_capacity : CN_STORE_DEFAULT_QUEUE;
    store->queue_mask = queue - 1;
    store->queue = cn_alloc(store->allocator, queue * sizeof(CnStoreBatch *));
    return store->queue || cn_error_memory(error, "a store");
}

CnStore *cni_store_open(const CnStoreDesc *desc, CniStorePurpose purpose, CnError *error)
{
    CnStore *store = cn_alloc_zeroed(desc->allocator, sizeof *store);
    if (!store) {
        cn_error_memory(error, "a store");
        return NULL;
    }
    store->desc = *desc;
    store->desc.path = NULL;
    store->allocator = desc->allocator;
    store->backend = desc->backend ? desc->backend : cn_store_sqlite();
    cn_array_init(&store->sealed, desc->allocator);
    cn_array_init(&store->scratch, desc->allocator);
    pthread_mutex_init(&store->lock, NULL);
    pthread_mutex_init(&store->status_lock, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&store->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    sem_init(&store->wake, 0, 0);
    CnStoreConnectionDesc connection = cni_store_connection_desc(desc);
    if (init(store, desc, error) &&
        store->backend->open(store->backend, &connection, &store->connection, error) &&
        open_content(store, purpose, error) &&
        (desc->mode == CN_STORE_READ_ONLY || purpose == CNI_STORE_FOR_MAINTENANCE ||
         cni_store_writer_start(store, error)))
        return store;
    cn_store_destroy(store);
    return NULL;
}

CnStore *cn_store_create(const CnStoreDesc *desc, CnError *error)
{
    check_desc(desc);
    CN_REPORT_UNHANDLED(error, "store", NULL);
    return cni_store_open(desc, CNI_STORE_FOR_USE, error);
}

void cn_store_destroy(CnStore *store)
{
    if (!store)
        return;
    cni_store_writer_end(store);
    if (store->connection)
        store->backend->close(store->connection);
    sem_destroy(&store->wake);
    pthread_cond_destroy(&store->changed);
    pthread_mutex_destroy(&store->status_lock);
    pthread_mutex_destroy(&store->lock);
    cni_store_codec_fini(&store->codec);
    cn_array_fini(&store->scratch);
    cn_array_fini(&store->sealed);
    cn_free(store->allocator, store->queue, (store->queue_mask + 1) * sizeof(CnStoreBatch *));
    if (store->desc.path)
        cn_free(store->allocator, (char *)store->desc.path, strlen(store->desc.path) + 1);
    cn_free(store->allocator, store, sizeof *store);
}
