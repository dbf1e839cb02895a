/* A connection to PostgreSQL, shared by the files of this module. */
#ifndef CAIRN_POSTGRES_CONNECTION_H
#define CAIRN_POSTGRES_CONNECTION_H

#include <cairn/base/array.h>
#include <cairn/base/text.h>
#include <cairn/postgres.h>

#include <libpq-fe.h>

#include <string.h>

enum {
    CNI_POSTGRES_STATEMENT_MS = 60000, /* the server's limit for a statement */
    CNI_POSTGRES_ANSWER_MS = 75000,    /* without an answer, the connection counts as lost */
    CNI_POSTGRES_RECONNECT_MS = 5000, /* how long reads and a commit in doubt wait for the server */
    CNI_POSTGRES_RETRY_MS = 50,
    CNI_POSTGRES_PIPELINE = 256, /* statements that are sent before their results are read */
};
#define CNI_POSTGRES_PIPELINE_BYTES ((size_t)1 << 20)
#define CNI_POSTGRES_SCAN_BYTES (1 << 20) /* of values in one answer, and one value more */

typedef enum CniPostgresSql {
    CNI_POSTGRES_SQL_PUT,
    CNI_POSTGRES_SQL_PUT_ROWS, /* arrays of keys and values */
    CNI_POSTGRES_SQL_GET,
    CNI_POSTGRES_SQL_REMOVE,
    CNI_POSTGRES_SQL_SCAN,
    CNI_POSTGRES_SQL_BOUNDS,
    CNI_POSTGRES_SQL_COUNT
} CniPostgresSql;

typedef struct CniPostgresTable {
    char name[CN_STORE_NAME_BYTES + 2]; /* in the schema; empty: not bound */
    CnStoreTableKind kind;
    bool prepared[CNI_POSTGRES_SQL_COUNT]; /* sent to the server in this session */
} CniPostgresTable;

/* The row of the table `cairn`. Each transaction changes it from the value that the last one left
 * to the next, which shows whether a transaction was committed, and by whom. */
typedef struct CniPostgresMark {
    int64_t opening; /* how often the store was opened for writing */
    int64_t commits; /* since then */
} CniPostgresMark;

/* Rows for one table that are not sent yet, as arrays in the form of the server. */
typedef struct CniPostgresRows {
    uint32_t table, count;
    CnU8Array keys, values;
} CniPostgresRows;

typedef struct CniPostgres {
    CnStoreConnection connection; /* first */
    CnAllocator *allocator;
    char *path; /* for messages */
    char *uri;  /* the path without the schema, for libpq */
    char schema[CN_POSTGRES_SCHEMA_BYTES];
    CnStoreMode mode;
    CnStoreDurability durability;
    bool is_unlocked; /* reads beside a writer: for copies */
    bool is_new;      /* the schema has no content yet */
    bool is_in_transaction;
    bool has_written; /* since it was opened */

    PGconn *session; /* NULL: not connected */
    /* The process of the last session at the server. */
    int process;
    char process_start[40];
    bool is_pipelined; /* results of sent statements are outstanding */
    uint32_t sent;
    size_t sent_bytes;
    CniPostgresRows rows;

    CniPostgresMark mark, next_mark; /* the last known, and that of the open transaction */
    bool is_in_doubt;                /* the connection was lost during a commit */
    CniPostgresTable tables[CN_STORE_BACKEND_TABLES];
    uint8_t highest_key[CN_STORE_MAX_KEY_BYTES + 1]; /* above every key by bytes */
} CniPostgres;

/* One parameter or column, in binary form. */
typedef struct CniPostgresValue {
    Oid type;
    const void *bytes;
    size_t size;
    int64_t number; /* buffer of a number, in the order of bytes of the network */
} CniPostgresValue;
#define CNI_POSTGRES_INT8 20u
#define CNI_POSTGRES_BYTEA 17u
#define CNI_POSTGRES_TEXT 25u
#define CNI_POSTGRES_BYTEA_ARRAY 1001u
#define CNI_POSTGRES_INT8_ARRAY 1016u
#define CNI_POSTGRES_MAX_VALUES 4

/* ---- uri.c ---- */

/* Splits the path into the URI for libpq, which is allocated, and the schema. */
bool cni_postgres_uri_read(const char *path, CnAllocator *allocator, char **uri,
                           char schema[CN_POSTGRES_SCHEMA_BYTES], CnError *error);

/* ---- error.c ---- */

/* Sets "cannot <action> '<path>': <reason>" and returns false. */
bool cni_postgres_set_error(const CniPostgres *postgres, CnErrorCode code, const char *action,
                            const char *reason, CnError *error);
/* Sets an error with the first line of a message of libpq or the server behind the reason. */
bool cni_postgres_set_message(const CniPostgres *postgres, CnErrorCode code, const char *action,
                              const char *reason, const char *message, CnError *error);
/* Translates a failed result. If it ends the session, closes it. */
bool cni_postgres_fail(CniPostgres *postgres, const char *action, const PGresult *result,
                       CnError *error);

/* ---- session.c ---- */

/* Closes the session, if there is one. */
void cni_postgres_disconnect(CniPostgres *postgres);
/* Connects if there is no session: with settings, the lock, and the check that nobody else wrote.
 * Tries again for `wait_ms`. */
bool cni_postgres_connect(CniPostgres *postgres, uint32_t wait_ms, CnError *error);

/* ---- statement.c ---- */

void cni_postgres_number(CniPostgresValue *value, int64_t number);
void cni_postgres_bytes(CniPostgresValue *value, const void *bytes, size_t size);
void cni_postgres_text(CniPostgresValue *value, const char *text);
/* Executes one statement and returns its result, to be cleared by the caller, or NULL and an
 * error. Outstanding results are read first. */
PGresult *cni_postgres_query(CniPostgres *postgres, const char *action, const char *sql,
                             CniPostgresValue *values, uint32_t count, CnError *error);
bool cni_postgres_exec(CniPostgres *postgres, const char *action, const char *sql, CnError *error);
/* The same with a statement of a table. */
PGresult *cni_postgres_query_table(CniPostgres *postgres, const char *action, uint32_t table,
                                   CniPostgresSql sql, CniPostgresValue *values, uint32_t count,
                                   CnError *error);
/* Sends a statement of a table without waiting for its result. */
bool cni_postgres_send_table(CniPostgres *postgres, const char *action, uint32_t table,
                             CniPostgresSql sql, CniPostgresValue *values, uint32_t count,
                             CnError *error);
/* Reads all outstanding results. Returns the first error among them. */
bool cni_postgres_drain(CniPostgres *postgres, const char *action, CnError *error);
/* Forgets the prepared statements of the session. */
void cni_postgres_forget_prepared(CniPostgres *postgres);

int64_t cni_postgres_int(const PGresult *result, int row, int column);
static inline bool cni_postgres_is_true(const PGresult *result, int row, int column)
{
    return PQgetlength(result, row, column) == 1 && PQgetvalue(result, row, column)[0];
}

/* ---- put_rows.c ---- */

/* Writes a row, at the latest when results are read. */
bool cni_postgres_rows_put(CniPostgres *postgres, uint32_t table, CniPostgresValue *key,
                           const void *bytes, size_t size, CnError *error);
/* Sends the rows that wait. */
bool cni_postgres_rows_send(CniPostgres *postgres, CnError *error);
void cni_postgres_rows_clear(CniPostgresRows *rows);

/* ---- schema.c ---- */

/* Before anything is written: what the schema contains. */
bool cni_postgres_check_schema(CniPostgres *postgres, bool accept_unknown, CnError *error);
/* Creates the schema and the table `cairn` in the open transaction. */
bool cni_postgres_create_schema(CniPostgres *postgres, CnError *error);
bool cni_postgres_read_mark(CniPostgres *postgres, CniPostgresMark *mark, CnError *error);
bool cni_postgres_each_table(CnStoreConnection *connection, CnStoreVisitTable visit, void *user,
                             CnError *error);
bool cni_postgres_create_table(CnStoreConnection *connection, const char *name,
                               CnStoreTableKind kind, CnError *error);
bool cni_postgres_drop_table(CnStoreConnection *connection, const char *name, CnStoreTableKind kind,
                             CnError *error);
bool cni_postgres_bind_table(CnStoreConnection *connection, uint32_t number, const char *name,
                             CnStoreTableKind kind, CnError *error);

/* ---- open.c, rows.c ---- */

bool cni_postgres_open(const CnStoreBackend *backend, const CnStoreConnectionDesc *desc,
                       CnStoreConnection **connection, CnError *error);
/* A second connection for reading, beside the one that holds the lock. */
CniPostgres *cni_postgres_open_reader(const CniPostgres *postgres, CnError *error);
void cni_postgres_close(CnStoreConnection *connection);
bool cni_postgres_scan(CnStoreConnection *connection, uint32_t table, const CnStoreKey *first,
                       const CnStoreKey *last, uint32_t limit, CnStoreVisitRow visit, void *user,
                       CnError *error);

/* ---- copy.c, salvage.c ---- */

bool cni_postgres_copy_step(CnStoreConnection *connection, const char *path, void **copy,
                            bool cancel, uint64_t *done_rows, uint64_t *total_rows, bool *done,
                            CnError *error);
bool cni_postgres_compact(CnStoreConnection *connection, const char *path, CnStoreProgress progress,
                          void *user, CnError *error);
bool cni_postgres_check(CnStoreConnection *connection, CnStoreVisitDamage damage,
                        CnStoreProgress progress, void *user, CnError *error);
bool cni_postgres_each_candidate(const CnStoreConnectionDesc *desc, CnStoreVisitCandidate visit,
                                 void *user, CnError *error);

#endif
