/* Copies to files of SQLite, and the check of the structure. A copy reads from a session of its
 * own, in one transaction, so it is the state of one moment, and writing goes on meanwhile. */
#include "postgres/connection.h"

#include <cairn/base/file.h>

enum { ROWS_PER_STEP = 512, SQL_BYTES = 256 };

typedef struct CopyTable {
    char name[CN_STORE_NAME_BYTES];
    CnStoreTableKind kind;
} CopyTable;

typedef struct Copy {
    CnAllocator *allocator;
    CniPostgres *from;
    CnStoreConnection *to;
    CopyTable tables[CN_STORE_BACKEND_TABLES];
    uint32_t count, table; /* `table` is being copied */
    bool has_key;          /* rows of it up to `key` are copied */
    CnStoreKey key;
    uint8_t key_bytes[CN_STORE_MAX_KEY_BYTES + 1];
    uint32_t visited; /* in this step */
    uint64_t rows, total_rows;
    CnError *error;
    bool has_failed;
} Copy;

/* ---- Beginning ---- */

static bool note_table(const char *name, CnStoreTableKind kind, void *user)
{
    Copy *copy = user;
    if (copy->count == CN_STORE_BACKEND_TABLES)
        return false;
    CopyTable *table = &copy->tables[copy->count++];
    cn_copy_text(table->name, sizeof table->name, cn_text(name));
    table->kind = kind;
    return true;
}

static bool count_rows(Copy *copy, uint32_t table, CnError *error)
{
    char sql[SQL_BYTES];
    cn_format(sql, sizeof sql, "SELECT count(*)FROM \"%s\".\"%s\"", copy->from->schema,
              copy->from->tables[table].name);
    PGresult *result = cni_postgres_query(copy->from, "read", sql, NULL, 0, error);
    if (result)
        copy->total_rows += (uint64_t)cni_postgres_int(result, 0, 0);
    PQclear(result);
    return result != NULL;
}

static bool add_table(Copy *copy, uint32_t number, CnError *error)
{
    const CopyTable *table = &copy->tables[number];
    const CnStoreBackend *to = copy->to->backend;
    return cni_postgres_bind_table(&copy->from->connection, number, table->name, table->kind,
                                   error) &&
           count_rows(copy, number, error) &&
           to->create_table(copy->to, table->name, table->kind, error) &&
           to->bind_table(copy->to, number, table->name, table->kind, error);
}

/* The caller syncs the complete file (cn_store_backup), so commits in between need not. */
static bool open_file(Copy *copy, const char *path, CnError *error)
{
    CnStoreConnectionDesc desc = {.allocator = copy->allocator,
                                  .path = path,
                                  .mode = CN_STORE_CREATE,
                                  .durability = CN_STORE_NOT_DURABLE};
    const CnStoreBackend *sqlite = cn_store_sqlite();
    return sqlite->open(sqlite, &desc, &copy->to, error) && sqlite->begin(copy->to, error);
}

static bool begin_copy(Copy *copy, const CniPostgres *postgres, const char *path, CnError *error)
{
    copy->from = cni_postgres_open_reader(postgres, error);
    if (!copy->from || !cni_postgres_exec(copy->from, "read",
                                          "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", error))
        return false;
    copy->from->is_in_transaction = true;
    if (!cni_postgres_each_table(&copy->from->connection, note_table, copy, error) ||
        !open_file(copy, path, error))
        return false;
    for (uint32_t i = 0; i < copy->count; i++)
        if (!add_table(copy, i, error))
            return false;
    return true;
}

static void end_copy(Copy *copy)
{
    if (copy->to)
        copy->to->backend->close(copy->to);
    if (copy->from)
        cni_postgres_close(&copy->from->connection);
    cn_free(copy->allocator, copy, sizeof *copy);
}

/* ---- Rows ---- */

static bool copy_row(const CnStoreKey *key, const uint8_t *bytes, size_t size, void *user)
{
    Copy *copy = user;
    copy->visited++;
    copy->rows++;
    copy->key = (CnStoreKey){key->number, copy->key_bytes, key->size};
    if (key->size)
        memcpy(copy->key_bytes, key->bytes, key->size);
    copy->has_key = true;
    copy->has_failed =
        !copy->to->backend->put(copy->to, copy->table, key, bytes, size, copy->error);
    return !copy->has_failed;
}

/* The first key that is not copied yet. Returns false if there is none. */
static bool next_key(Copy *copy)
{
    if (!copy->has_key)
        return true;
    if (copy->tables[copy->table].kind != CN_STORE_BY_BYTES)
        return copy->key.number++ < INT64_MAX;
    copy->key_bytes[copy->key.size++] = 0;
    return true;
}

static bool copy_rows(Copy *copy, CnError *error)
{
    copy->visited = 0;
    copy->error = error;
    if (next_key(copy) &&
        (!cni_postgres_scan(&copy->from->connection, copy->table, copy->has_key ? &copy->key : NULL,
                            NULL, ROWS_PER_STEP, copy_row, copy, error) ||
         copy->has_failed))
        return false;
    if (copy->visited < ROWS_PER_STEP) {
        copy->table++;
        copy->has_key = false;
    }
    return true;
}

/* ---- Steps ---- */

static bool step(Copy *copy, bool *done, CnError *error)
{
    if (copy->table < copy->count)
        return copy_rows(copy, error);
    *done = copy->to->backend->commit(copy->to, error);
    return *done;
}

bool cni_postgres_copy_step(CnStoreConnection *connection, const char *path, void **copy,
                            bool cancel, uint64_t *done_rows, uint64_t *total_rows, bool *done,
                            CnError *error)
{
    const CniPostgres *postgres = (CniPostgres *)connection;
    Copy *own = *copy;
    bool ok = true;
    *done = false;
    if (!own && cancel)
        return true;
    if (!own) {
        own = cn_alloc_zeroed(postgres->allocator, sizeof *own);
        if (!own)
            return cn_error_memory(error, "a copy of '%s'", postgres->path);
        own->allocator = postgres->allocator;
        *copy = own;
        ok = begin_copy(own, postgres, path, error);
    }
    if (ok && !cancel)
        ok = step(own, done, error);
    *done_rows = own->rows;
    *total_rows = own->total_rows;
    if (!ok || *done || cancel) {
        end_copy(own);
        *copy = NULL;
    }
    return ok;
}

bool cni_postgres_compact(CnStoreConnection *connection, const char *path, CnStoreProgress progress,
                          void *user, CnError *error)
{
    void *copy = NULL;
    uint64_t done_rows = 0, total_rows = 0;
    bool done = false, is_canceled = false;
    while (!done) {
        if (!cni_postgres_copy_step(connection, path, &copy, is_canceled, &done_rows, &total_rows,
                                    &done, error))
            return false;
        if (is_canceled)
            return cn_file_set_error(error, CN_ERROR_LIMIT, "write", path, "it was canceled");
        is_canceled = !done && progress && !progress(done_rows, total_rows, user);
    }
    return true;
}

/* ---- Check ---- */

/* Counts by the table and by its index: a damaged index has other rows. */
static bool check_table(CniPostgres *postgres, const CopyTable *table, uint32_t number,
                        CnStoreVisitDamage damage, void *user, CnError *error)
{
    char sql[SQL_BYTES], message[160];
    CnError problem = {0};
    int64_t counts[2] = {0};
    if (!cni_postgres_bind_table(&postgres->connection, number, table->name, table->kind, error))
        return false;
    cn_format(sql, sizeof sql, "SELECT count(*)FROM \"%s\".\"%s\"", postgres->schema,
              postgres->tables[number].name);
    for (int by_index = 0; by_index < 2; by_index++) {
        const char *setting = by_index ? "SET LOCAL enable_seqscan=off"
                                       : "SET LOCAL enable_indexscan=off;"
                                         "SET LOCAL enable_indexonlyscan=off;"
                                         "SET LOCAL enable_bitmapscan=off";
        PGresult *result = NULL;
        if (cni_postgres_exec(postgres, "check", "BEGIN", &problem) &&
            cni_postgres_exec(postgres, "check", setting, &problem))
            result = cni_postgres_query(postgres, "check", sql, NULL, 0, &problem);
        if (result)
            counts[by_index] = cni_postgres_int(result, 0, 0);
        PQclear(result);
        if (postgres->session)
            cni_postgres_exec(postgres, "check", "ROLLBACK", &(CnError){0});
    }
    if (problem.code != CN_OK && problem.code != CN_ERROR_FORMAT) {
        *error = problem;
        return false;
    }
    if (problem.code == CN_OK && counts[0] == counts[1])
        return true;
    cn_format(message, sizeof message, "table %s: %s", table->name,
              problem.code ? problem.message : "the index does not fit the rows: run reindexdb");
    damage(message, user);
    return true;
}

bool cni_postgres_check(CnStoreConnection *connection, CnStoreVisitDamage damage,
                        CnStoreProgress progress, void *user, CnError *error)
{
    CniPostgres *postgres = (CniPostgres *)connection;
    Copy list = {0};
    if (!cni_postgres_each_table(connection, note_table, &list, error))
        return false;
    /* The store has bound its own numbers; a connection of its own does not mix with them. */
    CniPostgres *reader = cni_postgres_open_reader(postgres, error);
    bool done = reader != NULL;
    for (uint32_t i = 0; i < list.count && done; i++) {
        if (progress && !progress(i, list.count, user))
            done =
                cni_postgres_set_error(postgres, CN_ERROR_LIMIT, "check", "it was canceled", error);
        else
            done = check_table(reader, &list.tables[i], i, damage, user, error);
    }
    if (reader)
        cni_postgres_close(&reader->connection);
    return done;
}
