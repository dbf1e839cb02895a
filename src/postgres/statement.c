/* Statements: sent without blocking, so that a server that does not answer cannot hang the program.
 * Changes are sent in a pipeline: their results are read some hundred at a time. */
#include "postgres/connection.h"

#include <cairn/base/assert.h>
#include <cairn/base/clock.h>

#include <endian.h>
#include <errno.h>
#include <poll.h>

/* ---- Values ---- */

void cni_postgres_number(CniPostgresValue *value, int64_t number)
{
    *value = (CniPostgresValue){.type = CNI_POSTGRES_INT8,
                                .size = sizeof value->number,
                                .number = (int64_t)htobe64((uint64_t)number)};
}

void cni_postgres_bytes(CniPostgresValue *value, const void *bytes, size_t size)
{
    /* NULL would be the value NULL of SQL. */
    *value = (CniPostgresValue){CNI_POSTGRES_BYTEA, bytes ? bytes : "", size, 0};
}

void cni_postgres_text(CniPostgresValue *value, const char *text)
{
    *value = (CniPostgresValue){CNI_POSTGRES_TEXT, text, strlen(text), 0};
}

int64_t cni_postgres_int(const PGresult *result, int row, int column)
{
    uint64_t number = 0;
    if (PQgetlength(result, row, column) != (int)sizeof number)
        return 0;
    memcpy(&number, PQgetvalue(result, row, column), sizeof number);
    return (int64_t)be64toh(number);
}

typedef struct Parameters {
    Oid types[CNI_POSTGRES_MAX_VALUES];
    const char *values[CNI_POSTGRES_MAX_VALUES];
    int sizes[CNI_POSTGRES_MAX_VALUES];
    int formats[CNI_POSTGRES_MAX_VALUES];
} Parameters;

static void fill(Parameters *to, const CniPostgresValue *values, uint32_t count)
{
    CN_ASSERT(count <= CNI_POSTGRES_MAX_VALUES, "postgres: too many values");
    for (uint32_t i = 0; i < count; i++) {
        const CniPostgresValue *value = &values[i];
        to->types[i] = value->type;
        to->values[i] = value->type == CNI_POSTGRES_INT8 ? (const char *)&value->number
                                                         : (const char *)value->bytes;
        to->sizes[i] = (int)value->size;
        to->formats[i] = 1;
    }
}

/* ---- Waiting ---- */

static bool lose(CniPostgres *postgres, const char *action, CnError *error)
{
    cni_postgres_set_message(postgres, CN_ERROR_IO, action, "the connection to the server was lost",
                             PQerrorMessage(postgres->session), error);
    cni_postgres_disconnect(postgres);
    return false;
}

/* Waits until the socket can be read, or written where something remains to be sent. */
static bool wait_for_socket(CniPostgres *postgres, bool writes, uint64_t deadline_ns,
                            const char *action, CnError *error)
{
    for (;;) {
        uint64_t now = cn_clock_ns();
        struct pollfd socket = {PQsocket(postgres->session),
                                (short)(POLLIN | (writes ? POLLOUT : 0)), 0};
        int left_ms = now < deadline_ns ? (int)((deadline_ns - now) / 1000000u) + 1 : 0;
        int ready = left_ms ? poll(&socket, 1, left_ms) : 0;
        if (ready > 0)
            return true;
        if (ready < 0 && errno == EINTR)
            continue;
        cni_postgres_set_error(postgres, CN_ERROR_IO, action, "the server does not answer", error);
        cni_postgres_disconnect(postgres);
        return false;
    }
}

/* The next result, NULL at the end of those of a statement. Returns false if the session is lost.
 */
static bool next_result(CniPostgres *postgres, const char *action, PGresult **result,
                        CnError *error)
{
    uint64_t deadline_ns = cn_clock_ns() + (uint64_t)CNI_POSTGRES_ANSWER_MS * 1000000u;
    for (;;) {
        int unsent = PQflush(postgres->session);
        if (unsent < 0)
            return lose(postgres, action, error);
        if (!PQisBusy(postgres->session))
            break;
        if (!wait_for_socket(postgres, unsent > 0, deadline_ns, action, error))
            return false;
        if (!PQconsumeInput(postgres->session))
            return lose(postgres, action, error);
    }
    *result = PQgetResult(postgres->session);
    return true;
}

static bool has_worked(const PGresult *result)
{
    ExecStatusType status = PQresultStatus(result);
    return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

/* Reads the results of the only statement that was sent. */
static PGresult *read_result(CniPostgres *postgres, const char *action, CnError *error)
{
    PGresult *first = NULL, *result;
    for (;;) {
        if (!next_result(postgres, action, &result, error)) {
            PQclear(first);
            return NULL;
        }
        if (!result)
            break;
        if (first && !has_worked(first)) {
            PQclear(result);
            continue;
        }
        PQclear(first);
        first = result;
    }
    if (first && has_worked(first))
        return first;
    cni_postgres_fail(postgres, action, first, error);
    PQclear(first);
    return NULL;
}

static bool note_sent(CniPostgres *postgres, int sent, const char *action, CnError *error)
{
    return sent || lose(postgres, action, error);
}

/* ---- One statement ---- */

static bool check_session(CniPostgres *postgres, const char *action, CnError *error)
{
    return postgres->session ||
           cni_postgres_set_error(postgres, CN_ERROR_IO, action,
                                  "the connection to the server was lost", error);
}

PGresult *cni_postgres_query(CniPostgres *postgres, const char *action, const char *sql,
                             CniPostgresValue *values, uint32_t count, CnError *error)
{
    Parameters parameters = {0};
    if (!check_session(postgres, action, error) || !cni_postgres_drain(postgres, action, error))
        return NULL;
    fill(&parameters, values, count);
    int sent = PQsendQueryParams(postgres->session, sql, (int)count, parameters.types,
                                 parameters.values, parameters.sizes, parameters.formats, 1);
    return note_sent(postgres, sent, action, error) ? read_result(postgres, action, error) : NULL;
}

bool cni_postgres_exec(CniPostgres *postgres, const char *action, const char *sql, CnError *error)
{
    if (!check_session(postgres, action, error) || !cni_postgres_drain(postgres, action, error))
        return false;
    PGresult *result = note_sent(postgres, PQsendQuery(postgres->session, sql), action, error)
                           ? read_result(postgres, action, error)
                           : NULL;
    bool done = result != NULL;
    PQclear(result);
    return done;
}

/* ---- Statements of tables ---- */

static const char *const texts[CNI_POSTGRES_SQL_COUNT] = {
    [CNI_POSTGRES_SQL_PUT] = "INSERT INTO \"%s\".\"%s\"(k,v)VALUES($1,$2)"
                             "ON CONFLICT(k)DO UPDATE SET v=excluded.v",
    [CNI_POSTGRES_SQL_PUT_ROWS] = "INSERT INTO \"%s\".\"%s\"(k,v)SELECT*FROM unnest($1,$2)"
                                  "ON CONFLICT(k)DO UPDATE SET v=excluded.v",
    [CNI_POSTGRES_SQL_GET] = "SELECT v FROM \"%s\".\"%s\" WHERE k=$1",
    [CNI_POSTGRES_SQL_REMOVE] = "DELETE FROM \"%s\".\"%s\" WHERE k>=$1 AND k<=$2",
    /* Ends after the row with which the values exceed $4 bytes. */
    [CNI_POSTGRES_SQL_SCAN] =
        "SELECT k,v FROM(SELECT k,v,sum(octet_length(v))OVER(ORDER BY k ROWS UNBOUNDED PRECEDING)"
        "-octet_length(v)AS before FROM(SELECT k,v FROM \"%s\".\"%s\" WHERE k>=$1 AND k<=$2 "
        "ORDER BY k LIMIT $3)AS a)AS b WHERE before<$4 ORDER BY k",
    [CNI_POSTGRES_SQL_BOUNDS] = "SELECT min(k),max(k)FROM \"%s\".\"%s\"",
};

enum { SQL_BYTES = 512, NAME_BYTES = 16 };

static void name_statement(uint32_t table, CniPostgresSql sql, char *name)
{
    cn_format(name, NAME_BYTES, "s%u_%u", table, (unsigned)sql);
}

static void enter_pipeline(CniPostgres *postgres)
{
    if (postgres->is_pipelined)
        return;
    postgres->is_pipelined = PQenterPipelineMode(postgres->session) == 1;
    CN_ASSERT(postgres->is_pipelined, "postgres: results were not read");
    postgres->sent = 0;
    postgres->sent_bytes = 0;
}

static bool send_prepare(CniPostgres *postgres, const char *action, uint32_t table,
                         CniPostgresSql which, const Parameters *parameters, uint32_t count,
                         CnError *error)
{
    CniPostgresTable *own = &postgres->tables[table];
    char sql[SQL_BYTES], name[NAME_BYTES];
    if (own->prepared[which])
        return true;
    CN_ASSERT(own->name[0], "store: table %u is not in this version", table);
    cn_format(sql, sizeof sql, texts[which], postgres->schema, own->name);
    name_statement(table, which, name);
    own->prepared[which] = true;
    postgres->sent++;
    int sent = PQsendPrepare(postgres->session, name, sql, (int)count, parameters->types);
    return note_sent(postgres, sent, action, error);
}

bool cni_postgres_send_table(CniPostgres *postgres, const char *action, uint32_t table,
                             CniPostgresSql sql, CniPostgresValue *values, uint32_t count,
                             CnError *error)
{
    Parameters parameters = {0};
    char name[NAME_BYTES];
    if (!check_session(postgres, action, error))
        return false;
    enter_pipeline(postgres);
    fill(&parameters, values, count);
    if (!send_prepare(postgres, action, table, sql, &parameters, count, error))
        return false;
    name_statement(table, sql, name);
    postgres->sent++;
    for (uint32_t i = 0; i < count; i++)
        postgres->sent_bytes += values[i].size;
    int sent = PQsendQueryPrepared(postgres->session, name, (int)count, parameters.values,
                                   parameters.sizes, parameters.formats, 1);
    if (!note_sent(postgres, sent, action, error))
        return false;
    return (postgres->sent < CNI_POSTGRES_PIPELINE &&
            postgres->sent_bytes < CNI_POSTGRES_PIPELINE_BYTES) ||
           cni_postgres_drain(postgres, action, error);
}

/* Reads results up to that of the synchronisation. Keeps the last one with rows in *last, or the
 * first that failed. */
static bool read_pipeline(CniPostgres *postgres, const char *action, PGresult **last,
                          CnError *error)
{
    bool has_failed = false;
    PGresult *result;
    for (;;) {
        if (!next_result(postgres, action, &result, error))
            return false;
        ExecStatusType status = result ? PQresultStatus(result) : PGRES_COMMAND_OK;
        if (status == PGRES_PIPELINE_SYNC) {
            PQclear(result);
            return true;
        }
        bool keeps = result && !has_failed && (status == PGRES_TUPLES_OK || !has_worked(result));
        if (keeps) {
            PQclear(*last);
            *last = result;
            has_failed = !has_worked(result);
        } else {
            PQclear(result);
        }
        if (PQstatus(postgres->session) != CONNECTION_OK)
            return lose(postgres, action, error);
    }
}

static bool end_pipeline(CniPostgres *postgres, const char *action, PGresult **last, CnError *error)
{
    *last = NULL;
    if (!note_sent(postgres, PQpipelineSync(postgres->session), action, error) ||
        !read_pipeline(postgres, action, last, error)) {
        PQclear(*last);
        *last = NULL;
        return false;
    }
    PQexitPipelineMode(postgres->session);
    postgres->is_pipelined = false;
    if (!*last || has_worked(*last))
        return true;
    cni_postgres_fail(postgres, action, *last, error);
    PQclear(*last);
    *last = NULL;
    /* Which statements the server has prepared is not known. */
    cni_postgres_forget_prepared(postgres);
    return false;
}

bool cni_postgres_drain(CniPostgres *postgres, const char *action, CnError *error)
{
    PGresult *last;
    if (!cni_postgres_rows_send(postgres, error))
        return false;
    if (!postgres->is_pipelined)
        return true;
    bool done = end_pipeline(postgres, action, &last, error);
    PQclear(last);
    return done;
}

PGresult *cni_postgres_query_table(CniPostgres *postgres, const char *action, uint32_t table,
                                   CniPostgresSql sql, CniPostgresValue *values, uint32_t count,
                                   CnError *error)
{
    PGresult *last = NULL;
    if (!check_session(postgres, action, error) || !cni_postgres_drain(postgres, action, error) ||
        !cni_postgres_send_table(postgres, action, table, sql, values, count, error) ||
        !end_pipeline(postgres, action, &last, error))
        return NULL;
    CN_ASSERT(last, "postgres: a query has no result");
    return last;
}

void cni_postgres_forget_prepared(CniPostgres *postgres)
{
    CnError ignored = {0};
    for (uint32_t i = 0; i < CN_STORE_BACKEND_TABLES; i++)
        memset(postgres->tables[i].prepared, 0, sizeof postgres->tables[i].prepared);
    /* In a transaction that failed, this fails; rollback calls it again. */
    if (postgres->session && !postgres->is_pipelined)
        cni_postgres_exec(postgres, "write", "DEALLOCATE ALL", &ignored);
}
