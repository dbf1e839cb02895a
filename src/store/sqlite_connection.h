/* A connection to SQLite, shared by the files of this backend. */
#ifndef CAIRN_STORE_SQLITE_CONNECTION_H
#define CAIRN_STORE_SQLITE_CONNECTION_H

#include "store/store_internal.h"

#include <sqlite3.h>

#define CNI_STORE_SQLITE_APPLICATION 0x434e5354 /* "CNST" */

typedef enum CniStoreSql {
    CNI_STORE_SQL_PUT,
    CNI_STORE_SQL_GET,
    CNI_STORE_SQL_REMOVE,
    CNI_STORE_SQL_SCAN,
    CNI_STORE_SQL_BOUNDS,
    CNI_STORE_SQL_COUNT
} CniStoreSql;

typedef struct CniStoreSqliteTable {
    char name[CN_STORE_NAME_BYTES + 2]; /* in the file; empty: not bound */
    CnStoreTableKind kind;
    sqlite3_stmt *sql[CNI_STORE_SQL_COUNT];
} CniStoreSqliteTable;

typedef struct CniStoreSqlite {
    CnStoreConnection connection; /* first */
    CnAllocator *allocator;
    sqlite3 *db;
    char *path;
    const char *vfs;
    CniStoreSqliteTable tables[CNI_STORE_ALL_TABLES];
    uint8_t highest_key[CN_STORE_MAX_KEY_BYTES + 1]; /* above every key by bytes */
    bool is_new;                                     /* the file has no content yet */
    int wal_pages;                                   /* after the last commit */
    CnStoreProgress progress;                        /* of the running check or compaction */
    void *progress_user;
    uint64_t progress_count;
} CniStoreSqlite;

/* Translates a result code of SQLite into an error: "cannot <action> '<path>': ...". Returns
 * false. `db` may be NULL. */
bool cni_store_sqlite_error(sqlite3 *db, const char *path, const char *action, int code,
                            CnError *error);
/* The same with the connection's database and path. */
bool cni_store_sqlite_fail(CniStoreSqlite *sqlite, const char *action, int code, CnError *error);
bool cni_store_sqlite_exec(CniStoreSqlite *sqlite, const char *sql, const char *action,
                           CnError *error);

bool cni_store_sqlite_open(const CnStoreBackend *backend, const CnStoreConnectionDesc *desc,
                           CnStoreConnection **connection, CnError *error);
void cni_store_sqlite_close(CnStoreConnection *connection);
/* Whether the file at the path with a suffix exists. */
bool cni_store_sqlite_exists(const char *vfs_name, const char *path, const char *suffix);
bool cni_store_sqlite_each_table(CnStoreConnection *connection, CnStoreVisitTable visit, void *user,
                                 CnError *error);
bool cni_store_sqlite_copy_step(CnStoreConnection *connection, const char *path, void **copy,
                                bool cancel, uint64_t *done_pages, uint64_t *total_pages,
                                bool *done, CnError *error);
bool cni_store_sqlite_compact(CnStoreConnection *connection, const char *path,
                              CnStoreProgress progress, void *user, CnError *error);
bool cni_store_sqlite_check(CnStoreConnection *connection, CnStoreVisitDamage damage,
                            CnStoreProgress progress, void *user, CnError *error);
bool cni_store_sqlite_each_candidate(const CnStoreConnectionDesc *desc, CnStoreVisitCandidate visit,
                                     void *user, CnError *error);
/* Writes the statement that creates a table. */
#define CNI_STORE_SQL_BYTES 160u
void cni_store_sqlite_table_sql(const char *name, CnStoreTableKind kind, char *sql);
void cni_store_sqlite_table_name(const char *name, CnStoreTableKind kind, char *full);

#endif
