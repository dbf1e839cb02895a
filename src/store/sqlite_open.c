/* Opening a file: settings that make it durable, defences against crafted files, the lock, and what
 * the file must contain. */
#include "store/sqlite_connection.h"

#include <sys/stat.h>

enum { SQL_TEXT_LIMIT = 4096 };

/* ---- The schema ---- */

static const char *const prefixes[CN_STORE_TABLE_KIND_COUNT] = {
    [CN_STORE_BY_NUMBER] = "n_", [CN_STORE_BY_BYTES] = "b_", [CN_STORE_LOG] = "l_"};

void cni_store_sqlite_table_name(const char *name, CnStoreTableKind kind, char *full)
{
    cn_format(full, CN_STORE_NAME_BYTES + 2, "%s%s", prefixes[kind], name);
}

void cni_store_sqlite_table_sql(const char *name, CnStoreTableKind kind, char *sql)
{
    const char *format =
        kind == CN_STORE_BY_BYTES
            ? "CREATE TABLE %s%s(k BLOB PRIMARY KEY,v BLOB NOT NULL)STRICT,WITHOUT ROWID"
            : "CREATE TABLE %s%s(k INTEGER PRIMARY KEY,v BLOB NOT NULL)STRICT";
    cn_format(sql, CNI_STORE_SQL_BYTES, format, prefixes[kind], name);
}

/* Whether an entry of the schema is exactly one of our tables. */
static bool read_entry(sqlite3_stmt *statement, char *name, CnStoreTableKind *kind)
{
    const char *type = (const char *)sqlite3_column_text(statement, 0);
    const char *full = (const char *)sqlite3_column_text(statement, 1);
    const char *sql = (const char *)sqlite3_column_text(statement, 2);
    if (!type || !full || !sql || strcmp(type, "table") != 0 ||
        strlen(full) >= CN_STORE_NAME_BYTES + 2)
        return false;
    for (uint32_t i = 0; i < CN_STORE_TABLE_KIND_COUNT; i++) {
        char expected[CNI_STORE_SQL_BYTES];
        if (strncmp(full, prefixes[i], 2) != 0)
            continue;
        cn_copy_text(name, CN_STORE_NAME_BYTES, cn_text(full + 2));
        *kind = (CnStoreTableKind)i;
        cni_store_sqlite_table_sql(name, *kind, expected);
        return strcmp(sql, expected) == 0;
    }
    return false;
}

bool cni_store_sqlite_each_table(CnStoreConnection *connection, CnStoreVisitTable visit, void *user,
                                 CnError *error)
{
    CniStoreSqlite *sqlite = (CniStoreSqlite *)connection;
    sqlite3_stmt *statement;
    int code = sqlite3_prepare_v2(sqlite->db, "SELECT type,name,sql FROM sqlite_schema", -1,
                                  &statement, NULL);
    if (code != SQLITE_OK)
        return cni_store_sqlite_fail(sqlite, "open", code, error);
    bool fits = true;
    char name[CN_STORE_NAME_BYTES];
    CnStoreTableKind kind;
    while (fits && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        fits = read_entry(statement, name, &kind);
        if (fits && !visit(name, kind, user))
            break;
    }
    sqlite3_finalize(statement);
    if (!fits)
        return cn_file_set_error(error, CN_ERROR_FORMAT, "open", sqlite->path,
                                 "it contains tables or code that this program did not write");
    return code == SQLITE_DONE || code == SQLITE_ROW ||
           cni_store_sqlite_fail(sqlite, "open", code, error);
}

/* ---- Settings ---- */

static void defend(sqlite3 *db)
{
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, (int)(CN_STORE_MAX_VALUE_BYTES + 4096));
    sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, SQL_TEXT_LIMIT);
    sqlite3_limit(db, SQLITE_LIMIT_COLUMN, 8);
    sqlite3_limit(db, SQLITE_LIMIT_EXPR_DEPTH, 16);
    sqlite3_limit(db, SQLITE_LIMIT_COMPOUND_SELECT, 2);
    sqlite3_limit(db, SQLITE_LIMIT_FUNCTION_ARG, 8);
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 1); /* VACUUM INTO */
    sqlite3_limit(db, SQLITE_LIMIT_VARIABLE_NUMBER, 8);
    sqlite3_limit(db, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
    sqlite3_limit(db, SQLITE_LIMIT_WORKER_THREADS, 0);
}

static bool read_number(CniStoreSqlite *sqlite, const char *sql, int64_t *number, CnError *error)
{
    sqlite3_stmt *statement;
    int code = sqlite3_prepare_v2(sqlite->db, sql, -1, &statement, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        *number = sqlite3_column_int64(statement, 0);
    bool done = code == SQLITE_ROW || cni_store_sqlite_fail(sqlite, "open", code, error);
    sqlite3_finalize(statement);
    return done;
}

/* Before anything is written: is this a store, and one that this version can read? */
static bool check_file(CniStoreSqlite *sqlite, CnStoreMode mode, CnError *error)
{
    int64_t application = 0, version = 0, entries = 0;
    if (!read_number(sqlite, "PRAGMA application_id", &application, error) ||
        !read_number(sqlite, "PRAGMA user_version", &version, error) ||
        !read_number(sqlite, "SELECT count(*) FROM sqlite_schema", &entries, error))
        return false;
    sqlite->is_new = !application && !version && !entries;
    if (sqlite->is_new && (mode == CN_STORE_OPEN || mode == CN_STORE_READ_ONLY))
        return cn_file_set_error(error, CN_ERROR_FORMAT, "open", sqlite->path, "it is empty");
    if (!sqlite->is_new && mode == CN_STORE_CREATE)
        return cn_file_set_error(error, CN_ERROR_EXISTS, "create", sqlite->path,
                                 "it already exists");
    if (sqlite->is_new)
        return true;
    if (application != CNI_STORE_SQLITE_APPLICATION)
        return cn_file_set_error(error, CN_ERROR_FORMAT, "open", sqlite->path,
                                 "it is an SQLite database, but not a saved file of this program");
    if (version > CN_STORE_FORMAT_VERSION)
        return cn_file_set_error(error, CN_ERROR_VERSION, "open", sqlite->path,
                                 "its format is newer: update the program");
    return version == CN_STORE_FORMAT_VERSION ||
           cn_file_set_error(error, CN_ERROR_FORMAT, "open", sqlite->path,
                             "it has no format version");
}

static int note_wal(void *user, sqlite3 *db, const char *name, int pages)
{
    (void)db, (void)name;
    ((CniStoreSqlite *)user)->wal_pages = pages;
    return SQLITE_OK;
}

static bool use_wal(CniStoreSqlite *sqlite, CnError *error)
{
    sqlite3_stmt *statement;
    int code = sqlite3_prepare_v2(sqlite->db, "PRAGMA journal_mode=WAL", -1, &statement, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    const char *mode = code == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    bool is_wal = mode && strcmp(mode, "wal") == 0;
    bool done = code == SQLITE_ROW || cni_store_sqlite_fail(sqlite, "open", code, error);
    sqlite3_finalize(statement);
    if (done && !is_wal)
        return cn_file_set_error(error, CN_ERROR_UNSUPPORTED, "open", sqlite->path,
                                 "the file system does not support a write-ahead log");
    sqlite3_wal_hook(sqlite->db, note_wal, sqlite); /* replaces automatic checkpoints */
    return done;
}

static bool set_up(CniStoreSqlite *sqlite, const CnStoreConnectionDesc *desc, CnError *error)
{
    const char *settings = "PRAGMA locking_mode=EXCLUSIVE;PRAGMA cell_size_check=ON;"
                           "PRAGMA mmap_size=0;PRAGMA temp_store=MEMORY;PRAGMA cache_size=-8192;"
                           "PRAGMA journal_size_limit=16777216";
    const char *synchronous = desc->durability == CN_STORE_NOT_DURABLE ? "PRAGMA synchronous=OFF"
                                                                       : "PRAGMA synchronous=FULL";
    defend(sqlite->db);
    if (!cni_store_sqlite_exec(sqlite, settings, "open", error) ||
        !cni_store_sqlite_exec(sqlite, synchronous, "open", error))
        return false;
    if (desc->accept_unknown)
        return true;
    if (!check_file(sqlite, desc->mode, error))
        return false;
    /* The empty transaction takes the lock, which is then held. */
    return desc->mode == CN_STORE_READ_ONLY ||
           (use_wal(sqlite, error) &&
            cni_store_sqlite_exec(sqlite, "BEGIN EXCLUSIVE;COMMIT", "open", error));
}

/* ---- Opening ---- */

bool cni_store_sqlite_exists(const char *vfs_name, const char *path, const char *suffix)
{
    char full[CN_STORE_PATH_BYTES + 8];
    int found = 0;
    sqlite3_vfs *vfs = sqlite3_vfs_find(vfs_name);
    cn_format(full, sizeof full, "%s%s", path, suffix);
    return vfs && vfs->xAccess(vfs, full, SQLITE_ACCESS_EXISTS, &found) == SQLITE_OK && found;
}

static bool check_presence(const CnStoreConnectionDesc *desc, CnError *error)
{
    bool must_exist = desc->mode == CN_STORE_OPEN || desc->mode == CN_STORE_READ_ONLY;
    if (must_exist && !cni_store_sqlite_exists(desc->sqlite_vfs, desc->path, ""))
        return cn_file_set_error(error, CN_ERROR_NOT_FOUND, "open", desc->path,
                                 "there is no such file");
    if (desc->mode == CN_STORE_READ_ONLY &&
        cni_store_sqlite_exists(desc->sqlite_vfs, desc->path, "-wal"))
        return cn_file_set_error(error, CN_ERROR_PERMISSION, "open", desc->path,
                                 "it is open elsewhere or was not closed properly: open it once "
                                 "for writing");
    return true;
}

/* The write-ahead log belongs to a name: after a crash, it would be missed under another one. */
static bool check_links(const CnStoreConnectionDesc *desc, CnError *error)
{
    struct stat info;
    if (desc->sqlite_vfs || desc->mode == CN_STORE_READ_ONLY || stat(desc->path, &info) ||
        info.st_nlink < 2)
        return true;
    return cn_file_set_error(error, CN_ERROR_PERMISSION, "open", desc->path,
                             "the file has several names (hard links): copy it and open the copy");
}

/* file:<path>?<option> with the characters escaped that have a meaning there. */
static bool make_uri(const char *path, const char *option, CnTextBuilder *uri)
{
    bool done = cn_text_append(uri, cn_text("file:"));
    for (const char *at = path; *at && done; at++) {
        if (strchr("%?#", *at))
            done = cn_text_append_format(uri, "%%%02x", (unsigned)(unsigned char)*at);
        else
            done = cn_text_append(uri, (CnText){at, 1});
    }
    return done && cn_text_append(uri, cn_text("?")) && cn_text_append(uri, cn_text(option));
}

static int open_uri(const CnStoreConnectionDesc *desc, const char *option, sqlite3 **db)
{
    CnTextBuilder uri;
    cn_array_init(&uri, desc->allocator);
    int code = SQLITE_NOMEM;
    if (make_uri(desc->path, option, &uri))
        code = sqlite3_open_v2(uri.items, db,
                               SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_READONLY |
                                   SQLITE_OPEN_URI,
                               desc->sqlite_vfs);
    cn_array_fini(&uri);
    return code;
}

static int open_db(const CnStoreConnectionDesc *desc, sqlite3 **db)
{
    int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_READWRITE;
    if (desc->mode == CN_STORE_READ_ONLY)
        return open_uri(desc, "immutable=1", db);
    if (desc->mode != CN_STORE_OPEN)
        flags |= SQLITE_OPEN_CREATE;
    return sqlite3_open_v2(desc->path, db, flags, desc->sqlite_vfs);
}

bool cni_store_sqlite_open(const CnStoreBackend *backend, const CnStoreConnectionDesc *desc,
                           CnStoreConnection **connection, CnError *error)
{
    *connection = NULL;
    if (!check_presence(desc, error) || !check_links(desc, error))
        return false;
    size_t path_size = strlen(desc->path) + 1;
    CniStoreSqlite *sqlite = cn_alloc_zeroed(desc->allocator, sizeof *sqlite);
    char *path = sqlite ? cn_alloc(desc->allocator, path_size) : NULL;
    if (!path) {
        cn_free(desc->allocator, sqlite, sizeof *sqlite);
        return cn_error_memory(error, "a connection to '%s'", desc->path);
    }
    memcpy(path, desc->path, path_size);
    sqlite->connection.backend = backend;
    sqlite->allocator = desc->allocator;
    sqlite->path = path;
    sqlite->vfs = desc->sqlite_vfs;
    memset(sqlite->highest_key, 0xff, sizeof sqlite->highest_key);
    int code = open_db(desc, &sqlite->db);
    /* SQLite opens a write-protected file for reading instead. */
    if (code == SQLITE_OK && desc->mode != CN_STORE_READ_ONLY &&
        sqlite3_db_readonly(sqlite->db, "main") == 1)
        code = SQLITE_READONLY;
    bool done = (code == SQLITE_OK || cni_store_sqlite_fail(sqlite, "open", code, error)) &&
                set_up(sqlite, desc, error);
    if (!done) {
        cni_store_sqlite_close(&sqlite->connection);
        return false;
    }
    *connection = &sqlite->connection;
    return true;
}

void cni_store_sqlite_close(CnStoreConnection *connection)
{
    CniStoreSqlite *sqlite = (CniStoreSqlite *)connection;
    for (uint32_t i = 0; i < CNI_STORE_ALL_TABLES; i++)
        for (uint32_t k = 0; k < CNI_STORE_SQL_COUNT; k++)
            sqlite3_finalize(sqlite->tables[i].sql[k]);
    sqlite3_close_v2(sqlite->db);
    cn_free(sqlite->allocator, sqlite->path, strlen(sqlite->path) + 1);
    cn_free(sqlite->allocator, sqlite, sizeof *sqlite);
}
