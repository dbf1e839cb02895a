/* The backend for SQLite: transactions and rows. */
#include "store/sqlite_connection.h"

enum { CHECKPOINT_PAGES = 1000 };

/* ---- Transactions ---- */

/* What is written to files without names is gone when they are closed. If only the write-ahead log
 * was deleted, its content moves to the file, and a new log begins. */
static bool check_names(CniStoreSqlite *sqlite, CnError *error)
{
    int has_moved = 0;
    sqlite3_file_control(sqlite->db, NULL, SQLITE_FCNTL_HAS_MOVED, &has_moved);
    if (has_moved)
        return cn_file_set_error(error, CN_ERROR_IO, "write", sqlite->path,
                                 "it was moved or deleted while it was open: put it back");
    return cni_store_sqlite_exists(sqlite->vfs, sqlite->path, "-wal") ||
           cni_store_sqlite_exec(sqlite, "PRAGMA journal_mode=DELETE;PRAGMA journal_mode=WAL",
                                 "write", error);
}

static bool begin(CnStoreConnection *connection, CnError *error)
{
    CniStoreSqlite *sqlite = (CniStoreSqlite *)connection;
    if (!check_names(sqlite, error))
        return false;
    if (!cni_store_sqlite_exec(sqlite, "BEGIN IMMEDIATE", "write", error))
        return false;
    char sql[96];
    cn_format(sql, sizeof sql, "PRAGMA application_id=%d;PRAGMA user_version=%u",
              CNI_STORE_SQLITE_APPLICATION, CN_STORE_FORMAT_VERSION);
    return !sqlite->is_new || cni_store_sqlite_exec(sqlite, sql, "write", error);
}

static bool commit(CnStoreConnection *connection, CnError *error)
{
    CniStoreSqlite *sqlite = (CniStoreSqlite *)connection;
    if (!cni_store_sqlite_exec(sqlite, "COMMIT", "write", error))
        return false;
    sqlite->is_new = false;
    return true;
}

static void rollback(CnStoreConnection *connection)
{
    CniStoreSqlite *sqlite = (CniStoreSqlite *)connection;
    if (!sqlite3_get_autocommit(sqlite->db)) /* else SQLite has already rolled back */
        sqlite3_exec(sqlite->db, "ROLLBACK", NULL, NULL, NULL);
}

static bool maintain(CnStoreConnection *connection, CnError *error)
{
    CniStoreSqlite *sqlite = (CniStoreSqlite *)connection;
    if (sqlite->wal_pages < CHECKPOINT_PAGES)
        return true;
    int code = sqlite3_wal_checkpoint_v2(sqlite->db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    return code == SQLITE_OK ||
           cni_store_sqlite_fail(sqlite, "move the write-ahead log of", code, error);
}

/* ---- Statements ---- */

static const char *const texts[CNI_STORE_SQL_COUNT] = {
    [CNI_STORE_SQL_PUT] = "INSERT OR REPLACE INTO %s(k,v)VALUES(?1,?2)",
    [CNI_STORE_SQL_GET] = "SELECT v FROM %s WHERE k=?1",
    [CNI_STORE_SQL_REMOVE] = "DELETE FROM %s WHERE k>=?1 AND k<=?2",
    [CNI_STORE_SQL_SCAN] = "SELECT k,v FROM %s WHERE k>=?1 AND k<=?2 ORDER BY k LIMIT ?3",
    [CNI_STORE_SQL_BOUNDS] = "SELECT (SELECT min(k)FROM %s),(SELECT max(k)FROM %s)"};

static sqlite3_stmt *prepare(CniStoreSqlite *sqlite, uint32_t table, CniStoreSql which,
                             CnError *error)
{
    CniStoreSqliteTable *own = &sqlite->tables[table];
    if (own->sql[which])
        return own->sql[which];
    CN_ASSERT(own->name[0], "store: table %u is not in this version", table);
    char sql[256];
    cn_format(sql, sizeof sql, texts[which], own->name, own->name);
    int code =
        sqlite3_prepare_v3(sqlite->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &own->sql[which], NULL);
    if (code != SQLITE_OK)
        cni_store_sqlite_fail(sqlite, "use", code, error);
    return own->sql[which];
}

static int bind_key(sqlite3_stmt *statement, int at, CnStoreTableKind kind, const CnStoreKey *key)
{
    return kind == CN_STORE_BY_BYTES
               ? sqlite3_bind_blob(statement, at, key->bytes, (int)key->size, SQLITE_STATIC)
               : sqlite3_bind_int64(statement, at, key->number);
}

/* Binds both ends of a range; NULL selects the lowest or the highest possible key. */
static int bind_range(const CniStoreSqlite *sqlite, sqlite3_stmt *statement, CnStoreTableKind kind,
                      const CnStoreKey *first, const CnStoreKey *last)
{
    CnStoreKey lowest = {INT64_MIN, "", 0};
    CnStoreKey highest = {INT64_MAX, sqlite->highest_key, sizeof sqlite->highest_key};
    int code = bind_key(statement, 1, kind, first ? first : &lowest);
    return code == SQLITE_OK ? bind_key(statement, 2, kind, last ? last : &highest) : code;
}

/* Ends a statement, so that it holds no lock and no memory of the caller. */
static bool finish(CniStoreSqlite *sqlite, sqlite3_stmt *statement, const char *action, int code,
                   CnError *error)
{
    bool done = code == SQLITE_DONE || code == SQLITE_ROW || code == SQLITE_OK ||
                cni_store_sqlite_fail(sqlite, action, code, error);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return done;
}

/* ---- Rows ---- */

static bool put(CnStoreConnection *connection, uint32_t table, const CnStoreKey *key,
                const void *bytes, size_t size, CnError *error)
{
    CniStoreSqlite *sqlite = (CniStoreSqlite *)connection;
    sqlite3_stmt *statement = prepare(sqlite, table, CNI_STORE_SQL_PUT, error);
    if (!statement)
        return false;
    int code = bind_key(statement, 1, sqlite->tables[table].kind, key);
    if (code == SQLITE_OK)
        code = sqlite3_bind_blob64(statement, 2, bytes, size, SQLITE_STATIC);
    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    return finish(sqlite, statement, "write", code, error);
}

/* The value in a column; NULL and a size of 0 if it is not a blob. */
static const uint8_t *blob_of(sqlite3_stmt *statement, int column, size_t *size)
{
    if (sqlite3_column_type(statement, column) != SQLITE_BLOB) {
        *size = 0;
        return NULL;
    }
    const uint8_t *bytes = sqlite3_column_blob(statement, column);
    *size = (size_t)sqlite3_column_bytes(statement, column);
    return bytes;
}

/* Whether sqlite3_column_blob failed for lack of memory. */
static bool is_out_of_memory(sqlite3 *db)
{
    return (sqlite3_errcode(db) & 0xff) == SQLITE_NOMEM;
}

static bool get(CnStoreConnection *connection, uint32_t table, const CnStoreKey *key,
                CnU8Array *bytes, bool *found, CnError *error)
{
    CniStoreSqlite *sqlite = (CniStoreSqlite *)connection;
    sqlite3_stmt *statement = prepare(sqlite, table, CNI_STORE_SQL_GET, error);
    cn_array_clear(bytes);
    *found = false;
    if (!statement)
        return false;
    int code = bind_key(statement, 1, sqlite->tables[table].kind, key);
    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    if (code == SQLITE_ROW) {
        size_t size;
        const uint8_t *value = blob_of(statement, 0, &size);
        if (!value && is_out_of_memory(sqlite->db)) {
            code = SQLITE_NOMEM;
        } else if (!cn_array_reserve(bytes, size)) {
            code = SQLITE_NOMEM;
        } else {
            if (size)
                memcpy(bytes->items, value, size);
            bytes->count = (uint32_t)size;
            *found = true;
        }
    }
    return finish(sqlite, statement, "read", code, error);
}

static bool remove_range(CnStoreConnection *connection, uint32_t table, const CnStoreKey *first,
                         const CnStoreKey *last, CnError *error)
{
    CniStoreSqlite *sqlite = (CniStoreSqlite *)connection;
    sqlite3_stmt *statement = prepare(sqlite, table, CNI_STORE_SQL_REMOVE, error);
    if (!statement)
        return false;
    int code = bind_range(sqlite, statement, sqlite->tables[table].kind, first, last);
    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    return finish(sqlite, statement, "write", code, error);
}

static bool scan(CnStoreConnection *connection, uint32_t table, const CnStoreKey *first,
                 const CnStoreKey *last, uint32_t limit, CnStoreVisitRow visit, void *user,
                 CnError *error)
{
    CniStoreSqlite *sqlite = (CniStoreSqlite *)connection;
    sqlite3_stmt *statement = prepare(sqlite, table, CNI_STORE_SQL_SCAN, error);
    if (!statement)
        return false;
    CnStoreTableKind kind = sqlite->tables[table].kind;
    int code = bind_range(sqlite, statement, kind, first, last);
    if (code == SQLITE_OK)
        code = sqlite3_bind_int64(statement, 3, limit);
    while (code == SQLITE_OK || code == SQLITE_ROW) {
        code = sqlite3_step(statement);
        if (code != SQLITE_ROW)
            break;
        CnStoreKey key = {0};
        size_t size;
        if (kind == CN_STORE_BY_BYTES)
            key.bytes = blob_of(statement, 0, &key.size);
        else
            key.number = sqlite3_column_int64(statement, 0);
        const uint8_t *value = blob_of(statement, 1, &size);
        if ((!value || (kind == CN_STORE_BY_BYTES && !key.bytes)) && is_out_of_memory(sqlite->db)) {
            code = SQLITE_NOMEM;
            break;
        }
        if (key.size > CN_STORE_MAX_KEY_BYTES) {
            code = SQLITE_CORRUPT;
            break;
        }
        if (!visit(&key, value, size, user))
            break;
    }
    return finish(sqlite, statement, "read", code, error);
}

static bool bounds(CnStoreConnection *connection, uint32_t table, int64_t *first, int64_t *last,
                   bool *found, CnError *error)
{
    CniStoreSqlite *sqlite = (CniStoreSqlite *)connection;
    sqlite3_stmt *statement = prepare(sqlite, table, CNI_STORE_SQL_BOUNDS, error);
    if (!statement)
        return false;
    int code = sqlite3_step(statement);
    *found = code == SQLITE_ROW && sqlite3_column_type(statement, 1) == SQLITE_INTEGER;
    *first = *found ? sqlite3_column_int64(statement, 0) : 0;
    *last = *found ? sqlite3_column_int64(statement, 1) : 0;
    return finish(sqlite, statement, "read", code, error);
}

/* ---- Tables ---- */

static void unbind(CniStoreSqlite *sqlite, uint32_t number)
{
    CniStoreSqliteTable *own = &sqlite->tables[number];
    for (uint32_t i = 0; i < CNI_STORE_SQL_COUNT; i++) {
        sqlite3_finalize(own->sql[i]);
        own->sql[i] = NULL;
    }
    own->name[0] = '\0';
}

static bool bind_table(CnStoreConnection *connection, uint32_t number, const char *name,
                       CnStoreTableKind kind, CnError *error)
{
    (void)error;
    CniStoreSqlite *sqlite = (CniStoreSqlite *)connection;
    unbind(sqlite, number);
    cni_store_sqlite_table_name(name, kind, sqlite->tables[number].name);
    sqlite->tables[number].kind = kind;
    return true;
}

static bool create_table(CnStoreConnection *connection, const char *name, CnStoreTableKind kind,
                         CnError *error)
{
    char sql[CNI_STORE_SQL_BYTES];
    cni_store_sqlite_table_sql(name, kind, sql);
    return cni_store_sqlite_exec((CniStoreSqlite *)connection, sql, "write", error);
}

static bool drop_table(CnStoreConnection *connection, const char *name, CnStoreTableKind kind,
                       CnError *error)
{
    CniStoreSqlite *sqlite = (CniStoreSqlite *)connection;
    char full[CN_STORE_NAME_BYTES + 2], sql[CNI_STORE_SQL_BYTES];
    cni_store_sqlite_table_name(name, kind, full);
    for (uint32_t i = 0; i < CNI_STORE_ALL_TABLES; i++)
        if (strcmp(sqlite->tables[i].name, full) == 0)
            unbind(sqlite, i);
    cn_format(sql, sizeof sql, "DROP TABLE %s", full);
    return cni_store_sqlite_exec(sqlite, sql, "write", error);
}

static const CnStoreBackend backend = {.name = "SQLite",
                                       .open = cni_store_sqlite_open,
                                       .close = cni_store_sqlite_close,
                                       .begin = begin,
                                       .commit = commit,
                                       .rollback = rollback,
                                       .maintain = maintain,
                                       .each_table = cni_store_sqlite_each_table,
                                       .create_table = create_table,
                                       .drop_table = drop_table,
                                       .bind_table = bind_table,
                                       .put = put,
                                       .get = get,
                                       .remove_range = remove_range,
                                       .scan = scan,
                                       .bounds = bounds,
                                       .copy_step = cni_store_sqlite_copy_step,
                                       .compact = cni_store_sqlite_compact,
                                       .check = cni_store_sqlite_check,
                                       .each_candidate = cni_store_sqlite_each_candidate};

const CnStoreBackend *cn_store_sqlite(void)
{
    return &backend;
}
