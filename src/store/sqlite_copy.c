/* The backend for SQLite: copies of the file and the check of its structure. */
#include "store/sqlite_connection.h"

enum { PAGES_PER_STEP = 64, OPERATIONS_PER_CALL = 20000, MAX_PROBLEMS = 200 };

/* ---- Copying while the file is in use ---- */

typedef struct Copy {
    sqlite3 *db;
    sqlite3_backup *backup;
} Copy;

static void end_copy(CniStoreSqlite *sqlite, void **copy)
{
    Copy *own = *copy;
    sqlite3_backup_finish(own->backup);
    sqlite3_close(own->db);
    cn_free(sqlite->allocator, own, sizeof *own);
    *copy = NULL;
}

static bool begin_copy(CniStoreSqlite *sqlite, const char *path, void **copy, CnError *error)
{
    Copy *own = cn_alloc_zeroed(sqlite->allocator, sizeof *own);
    if (!own)
        return cn_error_memory(error, "a copy of '%s'", sqlite->path);
    *copy = own;
    int code = sqlite3_open_v2(path, &own->db,
                               SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX |
                                   SQLITE_OPEN_EXRESCODE,
                               sqlite->vfs);
    if (code == SQLITE_OK)
        code = sqlite3_exec(own->db, "PRAGMA synchronous=FULL;PRAGMA locking_mode=EXCLUSIVE", NULL,
                            NULL, NULL);
    if (code == SQLITE_OK) {
        own->backup = sqlite3_backup_init(own->db, "main", sqlite->db, "main");
        code = own->backup ? SQLITE_OK : sqlite3_extended_errcode(own->db);
    }
    if (code == SQLITE_OK)
        return true;
    cni_store_sqlite_error(own->db, path, "write", code, error);
    end_copy(sqlite, copy);
    return false;
}

bool cni_store_sqlite_copy_step(CnStoreConnection *connection, const char *path, void **copy,
                                bool cancel, uint64_t *done_pages, uint64_t *total_pages,
                                bool *done, CnError *error)
{
    CniStoreSqlite *sqlite = (CniStoreSqlite *)connection;
    *done = false;
    if (cancel) {
        if (*copy)
            end_copy(sqlite, copy);
        return true;
    }
    if (!*copy && !begin_copy(sqlite, path, copy, error))
        return false;
    Copy *own = *copy;
    int code = sqlite3_backup_step(own->backup, PAGES_PER_STEP);
    *total_pages = (uint64_t)sqlite3_backup_pagecount(own->backup);
    *done_pages = *total_pages - (uint64_t)sqlite3_backup_remaining(own->backup);
    if (code == SQLITE_OK)
        return true;
    *done = code == SQLITE_DONE;
    if (!*done)
        cni_store_sqlite_error(own->db, path, "write", code, error);
    bool is_done = *done;
    end_copy(sqlite, copy);
    return is_done;
}

/* ---- Long operations ---- */

static int report_progress(void *user)
{
    CniStoreSqlite *sqlite = user;
    return !sqlite->progress(++sqlite->progress_count, 0, sqlite->progress_user);
}

static void begin_progress(CniStoreSqlite *sqlite, CnStoreProgress progress, void *user)
{
    if (!progress)
        return;
    sqlite->progress = progress;
    sqlite->progress_user = user;
    sqlite->progress_count = 0;
    sqlite3_progress_handler(sqlite->db, OPERATIONS_PER_CALL, report_progress, sqlite);
}

static void end_progress(CniStoreSqlite *sqlite)
{
    sqlite3_progress_handler(sqlite->db, 0, NULL, NULL);
}

bool cni_store_sqlite_compact(CnStoreConnection *connection, const char *path,
                              CnStoreProgress progress, void *user, CnError *error)
{
    CniStoreSqlite *sqlite = (CniStoreSqlite *)connection;
    sqlite3_stmt *statement;
    int code = sqlite3_prepare_v2(sqlite->db, "VACUUM INTO ?1", -1, &statement, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_bind_text(statement, 1, path, -1, SQLITE_STATIC);
    if (code == SQLITE_OK) {
        begin_progress(sqlite, progress, user);
        code = sqlite3_step(statement);
        end_progress(sqlite);
    }
    bool done =
        code == SQLITE_DONE || cni_store_sqlite_error(sqlite->db, path, "write", code, error);
    sqlite3_finalize(statement);
    return done;
}

bool cni_store_sqlite_check(CnStoreConnection *connection, CnStoreVisitDamage damage,
                            CnStoreProgress progress, void *user, CnError *error)
{
    CniStoreSqlite *sqlite = (CniStoreSqlite *)connection;
    sqlite3_stmt *statement;
    char sql[64];
    cn_format(sql, sizeof sql, "PRAGMA integrity_check(%d)", MAX_PROBLEMS);
    int code = sqlite3_prepare_v2(sqlite->db, sql, -1, &statement, NULL);
    begin_progress(sqlite, progress, user);
    while (code == SQLITE_OK || code == SQLITE_ROW) {
        code = sqlite3_step(statement);
        if (code != SQLITE_ROW)
            break;
        const char *message = (const char *)sqlite3_column_text(statement, 0);
        if (message && strcmp(message, "ok") != 0)
            damage(message, user);
    }
    end_progress(sqlite);
    if ((code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_ERROR) {
        damage("the structure of the file is damaged", user);
        code = SQLITE_DONE;
    }
    bool done = code == SQLITE_DONE || cni_store_sqlite_fail(sqlite, "check", code, error);
    sqlite3_finalize(statement);
    return done;
}
