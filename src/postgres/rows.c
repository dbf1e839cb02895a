/* Transactions and rows; the table of functions. */
#include "postgres/connection.h"

#include <cairn/base/assert.h>
#include <cairn/base/log.h>

enum { SQL_BYTES = 256 };

/* ---- Transactions ---- */

/* The first transaction of an opening counts it; the mark then differs from that of any other
 * program. */
static CniPostgresMark mark_after(const CniPostgres *postgres)
{
    CniPostgresMark mark = postgres->mark;
    if (!postgres->has_written)
        return (CniPostgresMark){mark.opening + 1, 1};
    return (CniPostgresMark){mark.opening, mark.commits + 1};
}

static bool begin(CnStoreConnection *connection, CnError *error)
{
    CniPostgres *postgres = (CniPostgres *)connection;
    if (!cni_postgres_connect(postgres, 0, error) ||
        !cni_postgres_exec(postgres, "write", "BEGIN", error))
        return false;
    postgres->is_in_transaction = true;
    postgres->next_mark = mark_after(postgres);
    return !postgres->is_new || cni_postgres_create_schema(postgres, error);
}

static bool write_mark(CniPostgres *postgres, CnError *error)
{
    char sql[SQL_BYTES];
    CniPostgresValue values[4];
    cn_format(sql, sizeof sql,
              "UPDATE \"%s\".cairn SET opening=$3,commits=$4 WHERE opening=$1 AND commits=$2",
              postgres->schema);
    cni_postgres_number(&values[0], postgres->mark.opening);
    cni_postgres_number(&values[1], postgres->mark.commits);
    cni_postgres_number(&values[2], postgres->next_mark.opening);
    cni_postgres_number(&values[3], postgres->next_mark.commits);
    PGresult *result = cni_postgres_query(postgres, "write", sql, values, 4, error);
    if (!result)
        return false;
    bool is_ours = strcmp(PQcmdTuples(result), "1") == 0;
    PQclear(result);
    return is_ours || cni_postgres_set_error(postgres, CN_ERROR_MISMATCH, "write",
                                             "another program wrote it: open it again", error);
}

/* The server ends a transaction that failed with ROLLBACK, without an error. */
static bool end_transaction(CniPostgres *postgres, CnError *error)
{
    PGresult *result = cni_postgres_query(postgres, "write", "COMMIT", NULL, 0, error);
    if (!result)
        return false;
    bool done = strcmp(PQcmdStatus(result), "COMMIT") == 0;
    PQclear(result);
    return done || cni_postgres_set_error(postgres, CN_ERROR_IO, "write",
                                          "the server refused the transaction", error);
}

static bool note_commit(CniPostgres *postgres)
{
    postgres->is_in_transaction = false;
    postgres->has_written = true;
    postgres->is_new = false;
    return true;
}

/* Whether a commit without an answer was executed: a new session gets the lock only after the old
 * one has ended, and sees its mark. */
static bool resolve(CniPostgres *postgres, CnError *error)
{
    CniPostgresMark wanted = postgres->next_mark;
    CnError problem = {0};
    postgres->is_in_doubt = true;
    postgres->is_in_transaction = false;
    if (!cni_postgres_connect(postgres, CNI_POSTGRES_RECONNECT_MS, &problem)) {
        *error = problem;
        return false;
    }
    if (postgres->mark.opening == wanted.opening && postgres->mark.commits == wanted.commits)
        return note_commit(postgres);
    return false; /* with the error of the lost connection */
}

static bool commit(CnStoreConnection *connection, CnError *error)
{
    CniPostgres *postgres = (CniPostgres *)connection;
    if (!cni_postgres_drain(postgres, "write", error) || !write_mark(postgres, error))
        return false;
    if (end_transaction(postgres, error)) {
        postgres->mark = postgres->next_mark;
        return note_commit(postgres);
    }
    return !postgres->session && resolve(postgres, error);
}

static void rollback(CnStoreConnection *connection)
{
    CniPostgres *postgres = (CniPostgres *)connection;
    CnError ignored = {0};
    postgres->is_in_transaction = false;
    cni_postgres_rows_clear(&postgres->rows);
    if (!postgres->session)
        return;
    cni_postgres_drain(postgres, "write", &ignored);
    if (!postgres->session || !cni_postgres_exec(postgres, "write", "ROLLBACK", &ignored))
        cni_postgres_disconnect(postgres);
    cni_postgres_forget_prepared(postgres);
}

/* The server moves its write-ahead log and removes old rows by itself. */
static bool maintain(CnStoreConnection *connection, CnError *error)
{
    (void)connection, (void)error;
    return true;
}

/* ---- Writing ---- */

static void fill_key(CniPostgresValue *value, CnStoreTableKind kind, const CnStoreKey *key)
{
    if (kind == CN_STORE_BY_BYTES)
        cni_postgres_bytes(value, key->bytes, key->size);
    else
        cni_postgres_number(value, key->number);
}

/* Fills both ends of a range; NULL selects the lowest or the highest possible key. */
static void fill_range(const CniPostgres *postgres, CniPostgresValue *values, CnStoreTableKind kind,
                       const CnStoreKey *first, const CnStoreKey *last)
{
    CnStoreKey lowest = {INT64_MIN, "", 0};
    CnStoreKey highest = {INT64_MAX, postgres->highest_key, sizeof postgres->highest_key};
    fill_key(&values[0], kind, first ? first : &lowest);
    fill_key(&values[1], kind, last ? last : &highest);
}

static bool put(CnStoreConnection *connection, uint32_t table, const CnStoreKey *key,
                const void *bytes, size_t size, CnError *error)
{
    CniPostgres *postgres = (CniPostgres *)connection;
    CniPostgresValue value;
    fill_key(&value, postgres->tables[table].kind, key);
    return cni_postgres_rows_put(postgres, table, &value, bytes, size, error);
}

static bool remove_range(CnStoreConnection *connection, uint32_t table, const CnStoreKey *first,
                         const CnStoreKey *last, CnError *error)
{
    CniPostgres *postgres = (CniPostgres *)connection;
    CniPostgresValue values[2];
    fill_range(postgres, values, postgres->tables[table].kind, first, last);
    return cni_postgres_rows_send(postgres, error) &&
           cni_postgres_send_table(postgres, "write", table, CNI_POSTGRES_SQL_REMOVE, values, 2,
                                   error);
}

/* ---- Reading ---- */

/* Reads outside a transaction try again with a new session if theirs is lost. */
static PGresult *read_rows(CniPostgres *postgres, uint32_t table, CniPostgresSql sql,
                           CniPostgresValue *values, uint32_t count, CnError *error)
{
    CnError problem = {0};
    if (postgres->is_in_transaction)
        return cni_postgres_query_table(postgres, "read", table, sql, values, count, error);
    for (int attempt = 0; attempt < 2; attempt++) {
        problem = (CnError){0};
        if (!cni_postgres_connect(postgres, CNI_POSTGRES_RECONNECT_MS, &problem))
            break;
        PGresult *result =
            cni_postgres_query_table(postgres, "read", table, sql, values, count, &problem);
        if (result)
            return result;
        if (postgres->session)
            break;
    }
    *error = problem;
    return NULL;
}

static bool get(CnStoreConnection *connection, uint32_t table, const CnStoreKey *key,
                CnU8Array *bytes, bool *found, CnError *error)
{
    CniPostgres *postgres = (CniPostgres *)connection;
    CniPostgresValue value;
    cn_array_clear(bytes);
    *found = false;
    fill_key(&value, postgres->tables[table].kind, key);
    PGresult *result = read_rows(postgres, table, CNI_POSTGRES_SQL_GET, &value, 1, error);
    if (!result)
        return false;
    bool done = true;
    if (PQntuples(result)) {
        done = cn_bytes_append(bytes, PQgetvalue(result, 0, 0), (size_t)PQgetlength(result, 0, 0));
        *found = done;
    }
    PQclear(result);
    return done || cn_error_memory(error, "a row of '%s'", postgres->path);
}

typedef struct Scan {
    CnStoreTableKind kind;
    CnStoreVisitRow visit;
    void *user;
    CnStoreKey last; /* visited */
    uint8_t buffer[CN_STORE_MAX_KEY_BYTES + 1];
    uint32_t left;
    bool stopped;
} Scan;

/* Visits the rows of one answer. Returns the number of bytes of their values. */
static int64_t visit_rows(Scan *scan, const PGresult *result, bool *is_damaged)
{
    int64_t bytes = 0;
    for (int i = 0; i < PQntuples(result) && !scan->stopped; i++) {
        size_t size = (size_t)PQgetlength(result, i, 1);
        CnStoreKey key = {0};
        if (scan->kind == CN_STORE_BY_BYTES) {
            key.bytes = PQgetvalue(result, i, 0);
            key.size = (size_t)PQgetlength(result, i, 0);
        } else {
            key.number = cni_postgres_int(result, i, 0);
        }
        *is_damaged = key.size > CN_STORE_MAX_KEY_BYTES;
        if (*is_damaged)
            return bytes;
        if (key.size)
            memcpy(scan->buffer, key.bytes, key.size);
        scan->last = (CnStoreKey){key.number, scan->buffer, key.size};
        bytes += (int64_t)size;
        scan->left--;
        scan->stopped =
            !scan->visit(&key, (const uint8_t *)PQgetvalue(result, i, 1), size, scan->user);
    }
    return bytes;
}

/* Moves behind the last key. Returns false if there is none. */
static bool advance(Scan *scan, CnStoreKey *from)
{
    *from = scan->last;
    if (scan->kind != CN_STORE_BY_BYTES)
        return from->number++ < INT64_MAX;
    scan->buffer[from->size++] = 0;
    return true;
}

bool cni_postgres_scan(CnStoreConnection *connection, uint32_t table, const CnStoreKey *first,
                       const CnStoreKey *last, uint32_t limit, CnStoreVisitRow visit, void *user,
                       CnError *error)
{
    CniPostgres *postgres = (CniPostgres *)connection;
    Scan scan = {.kind = postgres->tables[table].kind, .visit = visit, .user = user, .left = limit};
    CnStoreKey from;
    for (bool has_more = limit > 0; has_more;) {
        CniPostgresValue values[4];
        fill_range(postgres, values, scan.kind, first, last);
        cni_postgres_number(&values[2], scan.left);
        cni_postgres_number(&values[3], CNI_POSTGRES_SCAN_BYTES);
        PGresult *result = read_rows(postgres, table, CNI_POSTGRES_SQL_SCAN, values, 4, error);
        if (!result)
            return false;
        bool is_damaged = false;
        int64_t bytes = visit_rows(&scan, result, &is_damaged);
        PQclear(result);
        if (is_damaged)
            return cni_postgres_set_error(postgres, CN_ERROR_FORMAT, "read",
                                          "it is damaged: repair it or restore a backup", error);
        has_more = bytes >= CNI_POSTGRES_SCAN_BYTES && !scan.stopped && scan.left > 0 &&
                   advance(&scan, &from);
        first = &from;
    }
    return true;
}

static bool bounds(CnStoreConnection *connection, uint32_t table, int64_t *first, int64_t *last,
                   bool *found, CnError *error)
{
    CniPostgres *postgres = (CniPostgres *)connection;
    PGresult *result = read_rows(postgres, table, CNI_POSTGRES_SQL_BOUNDS, NULL, 0, error);
    if (!result)
        return false;
    *found = !PQgetisnull(result, 0, 0);
    *first = *found ? cni_postgres_int(result, 0, 0) : 0;
    *last = *found ? cni_postgres_int(result, 0, 1) : 0;
    PQclear(result);
    return true;
}

static const CnStoreBackend backend = {.name = "PostgreSQL",
                                       .is_remote = true,
                                       .open = cni_postgres_open,
                                       .close = cni_postgres_close,
                                       .begin = begin,
                                       .commit = commit,
                                       .rollback = rollback,
                                       .maintain = maintain,
                                       .each_table = cni_postgres_each_table,
                                       .create_table = cni_postgres_create_table,
                                       .drop_table = cni_postgres_drop_table,
                                       .bind_table = cni_postgres_bind_table,
                                       .put = put,
                                       .get = get,
                                       .remove_range = remove_range,
                                       .scan = cni_postgres_scan,
                                       .bounds = bounds,
                                       .copy_step = cni_postgres_copy_step,
                                       .compact = cni_postgres_compact,
                                       .check = cni_postgres_check,
                                       .each_candidate = cni_postgres_each_candidate};

const CnStoreBackend *cn_store_postgres(void)
{
    return &backend;
}
