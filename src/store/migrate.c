/* Migrations: a backup, then one transaction per version. */
#include "store/store_internal.h"

#include <unistd.h>

static const CnStoreMigration *find(const CnStore *store, uint32_t from)
{
    for (uint32_t i = 0; i < store->desc.migration_count; i++)
        if (store->desc.migrations[i].from == from)
            return &store->desc.migrations[i];
    return NULL;
}

static bool check_supported(const CnStore *store, CnError *error)
{
    for (uint32_t version = store->version; version < store->desc.version; version++)
        if (!find(store, version))
            return cn_error_set(error, CN_ERROR_VERSION,
                                "'%s' has version %u, which this program can no longer read: open "
                                "it with an older version of the program first",
                                store->desc.path, store->version);
    return store->desc.mode != CN_STORE_READ_ONLY ||
           cn_error_set(error, CN_ERROR_VERSION,
                        "'%s' has version %u and must be migrated to %u, but is open read-only",
                        store->desc.path, store->version, store->desc.version);
}

/* ---- The backup ---- */

static void backup_name(const CnStore *store, uint32_t attempt, char *path, size_t path_bytes)
{
    if (attempt < 2)
        cn_format(path, path_bytes, "%s.v%u.backup", store->desc.path, store->version);
    else
        cn_format(path, path_bytes, "%s.v%u.backup%u", store->desc.path, store->version, attempt);
}

static bool back_up(CnStore *store, CnError *error)
{
    char path[CN_STORE_PATH_BYTES + 32];
    if (store->backend->is_remote && !store->desc.migration_backup_path)
        return cn_error_set(error, CN_ERROR_UNSUPPORTED,
                            "'%s' has version %u and must be migrated to %u: the program has to "
                            "name a file for the backup",
                            store->desc.path, store->version, store->desc.version);
    if (store->desc.migration_backup_path) {
        cn_copy_text(path, sizeof path, cn_text(store->desc.migration_backup_path));
    } else {
        uint32_t attempt = 1;
        do
            backup_name(store, attempt++, path, sizeof path);
        while (access(path, F_OK) == 0 && attempt < 1000);
    }
    if (!cni_store_copy(store, path, store->desc.progress, store->desc.user, error))
        return false;
    CN_LOG_INFO("store", "'%s' has version %u; before migrating it to %u, a copy was saved as '%s'",
                store->desc.path, store->version, store->desc.version, path);
    return true;
}

/* ---- One version ---- */

bool cn_store_migration_write(CnStore *store, CnStoreBatch *batch, CnError *error)
{
    CN_ASSERT(store && store->is_migrating, "%s: there is no migration", __func__);
    CN_REPORT_UNHANDLED(error, "store", NULL);
    for (uint32_t i = 0; i < store->desc.table_count; i++) {
        batch->log_base[i] = store->log_next[i];
        store->log_next[i] += batch->log_count[i];
    }
    if (!cni_store_batch_apply(store, batch, error))
        return false;
    cni_store_batch_clear(batch);
    return true;
}

static bool add_tables(CnStore *store, CnError *error)
{
    for (uint32_t i = 0; i < store->desc.table_count; i++) {
        const CnStoreTableDesc *desc = &store->desc.tables[i];
        const CniStoreTable *table = &store->tables[i];
        if (cni_store_table_is_in(desc, store->version) ||
            !cni_store_table_is_in(desc, store->version + 1))
            continue;
        store->log_next[i] = 1;
        if (!store->backend->create_table(store->connection, table->name, table->kind, error) ||
            !store->backend->bind_table(store->connection, i, table->name, table->kind, error))
            return false;
    }
    return true;
}

static bool drop_tables(CnStore *store, CnError *error)
{
    for (uint32_t i = 0; i < store->desc.table_count; i++) {
        const CnStoreTableDesc *desc = &store->desc.tables[i];
        if (cni_store_table_is_in(desc, store->version) &&
            !cni_store_table_is_in(desc, store->version + 1) &&
            !store->backend->drop_table(store->connection, desc->name, desc->kind, error))
            return false;
    }
    return true;
}

static bool run(CnStore *store, const CnStoreMigration *migration, CnError *error)
{
    CnStoreBatch *batch = cn_store_batch_create(store, error);
    bool done = batch && add_tables(store, error) &&
                (!migration->run || migration->run(store, batch, migration->user, error)) &&
                cn_store_migration_write(store, batch, error) && drop_tables(store, error);
    cn_store_batch_destroy(batch);
    uint32_t version = store->version + 1;
    return done &&
           cni_store_meta_put(store, CNI_STORE_META_VERSION, &version, sizeof version, error);
}

static bool step(CnStore *store, CnError *error)
{
    const CnStoreBackend *backend = store->backend;
    store->is_migrating = true;
    bool done = backend->begin(store->connection, error) &&
                run(store, find(store, store->version), error) &&
                backend->commit(store->connection, error);
    store->is_migrating = false;
    if (!done) {
        backend->rollback(store->connection);
        return false;
    }
    store->version++;
    return true;
}

bool cni_store_migrate(CnStore *store, CnError *error)
{
    if (!check_supported(store, error) || !back_up(store, error))
        return false;
    while (store->version < store->desc.version)
        if (!step(store, error))
            return false;
    return cni_store_bind_tables(store, error);
}
