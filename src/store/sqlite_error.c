/* Result codes of SQLite as errors that say what happened and what to do. */
#include "store/sqlite_connection.h"

#include <errno.h>
#include <string.h>

static bool fail(CnError *error, CnErrorCode code, const char *action, const char *path,
                 const char *reason)
{
    return cn_file_set_error(error, code, action, path, reason);
}

static bool fail_io(sqlite3 *db, const char *path, const char *action, int code, CnError *error)
{
    char reason[128], text[64] = "";
    int number = db ? sqlite3_system_errno(db) : 0;
    if (number == EDQUOT || number == ENOSPC)
        return fail(error, CN_ERROR_LIMIT, action, path, "the disk is full: free some space");
    if (number)
        cn_format(text, sizeof text, ", %s", strerrordesc_np(number));
    cn_format(reason, sizeof reason, "the disk reports an error (%s %d%s)", sqlite3_errstr(code),
              code, text);
    return fail(error, CN_ERROR_IO, action, path, reason);
}

bool cni_store_sqlite_error(sqlite3 *db, const char *path, const char *action, int code,
                            CnError *error)
{
    if (code == SQLITE_IOERR_NOMEM)
        return cn_error_memory(error, "SQLite, for '%s'", path);
    if (code == SQLITE_IOERR_LOCK || code == SQLITE_IOERR_RDLOCK)
        return fail(error, CN_ERROR_UNSUPPORTED, action, path,
                    "the file system cannot lock files: keep it on a local disk");
    if (code == SQLITE_IOERR_CORRUPTFS)
        code = SQLITE_CORRUPT;
    switch (code & 0xff) {
    case SQLITE_NOMEM:
        return cn_error_memory(error, "SQLite, for '%s'", path);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
        return fail(error, CN_ERROR_PERMISSION, action, path,
                    "it is open in another program, or twice in this one: close it there first");
    case SQLITE_FULL:
        return fail(error, CN_ERROR_LIMIT, action, path, "the disk is full: free some space");
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return fail(error, CN_ERROR_PERMISSION, action, path,
                    "the file or its folder is write-protected");
    case SQLITE_CANTOPEN:
        return fail(error, CN_ERROR_PERMISSION, action, path,
                    "it cannot be opened: check that its folder exists and may be written");
    case SQLITE_NOTADB:
        return fail(error, CN_ERROR_FORMAT, action, path,
                    "it is damaged at its start, or not a saved file of this program");
    case SQLITE_CORRUPT:
    case SQLITE_ERROR: /* such as a schema that names functions that do not exist */
    case SQLITE_SCHEMA:
    case SQLITE_MISMATCH:
    case SQLITE_CONSTRAINT:
    case SQLITE_TOOBIG:
        return fail(error, CN_ERROR_FORMAT, action, path,
                    "it is damaged: repair it or restore a backup");
    case SQLITE_INTERRUPT:
    case SQLITE_ABORT:
        return fail(error, CN_ERROR_LIMIT, action, path, "it was canceled");
    default:
        return fail_io(db, path, action, code, error);
    }
}

bool cni_store_sqlite_fail(CniStoreSqlite *sqlite, const char *action, int code, CnError *error)
{
    return cni_store_sqlite_error(sqlite->db, sqlite->path, action, code, error);
}

bool cni_store_sqlite_exec(CniStoreSqlite *sqlite, const char *sql, const char *action,
                           CnError *error)
{
    int code = sqlite3_exec(sqlite->db, sql, NULL, NULL, NULL);
    return code == SQLITE_OK || cni_store_sqlite_fail(sqlite, action, code, error);
}
