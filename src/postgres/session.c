/* Sessions: connecting, also again after the connection was lost; settings that make commits
 * durable; the lock. */
#include "postgres/connection.h"

#include <cairn/base/clock.h>

enum { MIN_SERVER_VERSION = 130000, LOCK_WAIT_MS = 1000, SETTINGS_BYTES = 1024 };

void cni_postgres_disconnect(CniPostgres *postgres)
{
    if (!postgres->session)
        return;
    PQfinish(postgres->session);
    postgres->session = NULL;
    postgres->is_pipelined = false;
    cni_postgres_rows_clear(&postgres->rows);
    for (uint32_t i = 0; i < CN_STORE_BACKEND_TABLES; i++)
        memset(postgres->tables[i].prepared, 0, sizeof postgres->tables[i].prepared);
}

/* ---- Settings ---- */

static void ignore_notice(void *user, const char *message)
{
    (void)user, (void)message;
}

static bool apply_settings(CniPostgres *postgres, CnError *error)
{
    char sql[SETTINGS_BYTES];
    cn_format(sql, sizeof sql,
              "SET search_path=pg_catalog;SET synchronous_commit=%s;SET statement_timeout=%d;"
              "SET lock_timeout=10000;SET idle_in_transaction_session_timeout=%d;"
              "SET default_transaction_isolation='read committed';"
              "SET default_transaction_read_only=%s;SET client_min_messages=error;"
              "SET row_security=off;SET tcp_keepalives_idle=30;SET tcp_keepalives_interval=10;"
              "SET tcp_keepalives_count=3",
              postgres->durability == CN_STORE_NOT_DURABLE ? "off" : "on",
              CNI_POSTGRES_STATEMENT_MS, CNI_POSTGRES_STATEMENT_MS,
              postgres->mode == CN_STORE_READ_ONLY ? "on" : "off");
    /* A session that only waits must not be ended. */
    return cni_postgres_exec(postgres, "open", sql, error) &&
           (PQserverVersion(postgres->session) < 140000 ||
            cni_postgres_exec(postgres, "open", "SET idle_session_timeout=0", error));
}

static bool is_text(const PGresult *result, int column, const char *text)
{
    return strcmp(PQgetvalue(result, 0, column), text) == 0;
}

/* Whether a commit of this server survives a power cut. */
static bool check_server(CniPostgres *postgres, CnError *error)
{
    if (PQserverVersion(postgres->session) < MIN_SERVER_VERSION)
        return cni_postgres_set_error(postgres, CN_ERROR_UNSUPPORTED, "open",
                                      "the server is older than PostgreSQL 13: update it", error);
    PGresult *result = cni_postgres_query(
        postgres, "open",
        "SELECT current_setting('fsync'),current_setting('full_page_writes'),"
        "current_setting('synchronous_commit'),pg_is_in_recovery(),pg_backend_pid()::bigint,"
        "(SELECT extract(epoch FROM backend_start)::text FROM pg_stat_activity "
        "WHERE pid=pg_backend_pid())",
        NULL, 0, error);
    if (!result)
        return false;
    bool is_safe = is_text(result, 0, "on") && is_text(result, 1, "on") && is_text(result, 2, "on");
    bool is_standby = cni_postgres_is_true(result, 0, 3);
    postgres->process = (int)cni_postgres_int(result, 0, 4);
    cn_copy_text(postgres->process_start, sizeof postgres->process_start,
                 cn_text(PQgetvalue(result, 0, 5)));
    PQclear(result);
    if (postgres->mode == CN_STORE_READ_ONLY)
        return true;
    if (is_standby)
        return cni_postgres_set_error(postgres, CN_ERROR_PERMISSION, "open",
                                      "the server is a standby: connect to the primary", error);
    return is_safe || postgres->durability == CN_STORE_NOT_DURABLE ||
           cni_postgres_set_error(postgres, CN_ERROR_UNSUPPORTED, "open",
                                  "the server may lose commits: set fsync and full_page_writes to "
                                  "on in its configuration",
                                  error);
}

/* ---- The lock ---- */

/* Ends the session before this one at the server, which does not know yet that its connection is
 * lost. */
static bool end_last_session(CniPostgres *postgres, int process, const char *start, CnError *error)
{
    CniPostgresValue values[2];
    cni_postgres_number(&values[0], process);
    cni_postgres_text(&values[1], start);
    PGresult *result =
        cni_postgres_query(postgres, "open",
                           "SELECT pg_terminate_backend(pid)FROM pg_stat_activity WHERE pid=$1 AND "
                           "extract(epoch FROM backend_start)::text=$2 AND usename=current_user",
                           values, 2, error);
    PQclear(result);
    return result != NULL;
}

static bool try_lock(CniPostgres *postgres, bool *locked, CnError *error)
{
    CniPostgresValue name;
    cni_postgres_text(&name, postgres->schema);
    const char *sql =
        postgres->mode == CN_STORE_READ_ONLY
            ? "SELECT pg_try_advisory_lock_shared(hashtextextended('cairn store '||$1,0))"
            : "SELECT pg_try_advisory_lock(hashtextextended('cairn store '||$1,0))";
    PGresult *result = cni_postgres_query(postgres, "open", sql, &name, 1, error);
    *locked = result && cni_postgres_is_true(result, 0, 0);
    PQclear(result);
    return result != NULL;
}

/* The session of a program that ended a moment ago may still hold the lock. A session has ended
 * when its lock is free, and so has a commit that it began. */
static bool take_lock(CniPostgres *postgres, CnError *error)
{
    uint64_t deadline_ns = cn_clock_ns() + (uint64_t)LOCK_WAIT_MS * 1000000u;
    bool locked = false;
    while (try_lock(postgres, &locked, error)) {
        if (locked)
            return true;
        if (cn_clock_ns() > deadline_ns)
            return cni_postgres_set_error(postgres, CN_ERROR_PERMISSION, "open",
                                          "it is open in another program, or twice in this one: "
                                          "close it there first",
                                          error);
        cn_clock_sleep_ns((uint64_t)CNI_POSTGRES_RETRY_MS * 1000000u / 5);
    }
    return false;
}

/* ---- Connecting ---- */

static bool is_same(const CniPostgresMark *a, const CniPostgresMark *b)
{
    return a->opening == b->opening && a->commits == b->commits;
}

/* Whether the last transaction was committed, and that nobody else has written since. */
static bool check_mark(CniPostgres *postgres, CnError *error)
{
    CniPostgresMark found;
    if (!cni_postgres_read_mark(postgres, &found, error))
        return false;
    bool was_committed = postgres->is_in_doubt && is_same(&found, &postgres->next_mark);
    if (!was_committed && !is_same(&found, &postgres->mark))
        return cni_postgres_set_error(postgres, CN_ERROR_MISMATCH, "continue",
                                      "another program wrote it, or a backup was restored, while "
                                      "the connection was lost: open it again",
                                      error);
    postgres->mark = found;
    postgres->is_in_doubt = false;
    postgres->is_new = postgres->is_new && !found.opening;
    return true;
}

static PGconn *open_session(const CniPostgres *postgres)
{
    /* What precedes the URI are defaults, what follows it overrides it. */
    const char *const names[] = {
        "connect_timeout",  "application_name", "keepalives_idle", "keepalives_interval",
        "keepalives_count", "dbname",           "client_encoding", NULL};
    const char *const values[] = {"10", "cairn", "30", "10", "3", postgres->uri, "UTF8", NULL};
    PGconn *session = PQconnectdbParams(names, values, 1);
    if (session)
        PQsetNoticeProcessor(session, ignore_notice, NULL);
    return session;
}

static bool begin_session(CniPostgres *postgres, int process, const char *start, CnError *error)
{
    bool is_again = process != 0;
    postgres->session = open_session(postgres);
    if (!postgres->session)
        return cn_error_memory(error, "a connection to '%s'", postgres->path);
    if (PQstatus(postgres->session) != CONNECTION_OK) {
        cni_postgres_set_message(postgres, CN_ERROR_IO, "open", "the server cannot be reached",
                                 PQerrorMessage(postgres->session), error);
        return false;
    }
    PQsetnonblocking(postgres->session, 1);
    if (!apply_settings(postgres, error) || !check_server(postgres, error))
        return false;
    if (postgres->is_unlocked)
        return true;
    if (is_again && !end_last_session(postgres, process, start, error))
        return false;
    return take_lock(postgres, error) && (!is_again || check_mark(postgres, error));
}

static bool connect_once(CniPostgres *postgres, CnError *error)
{
    int process = postgres->process;
    char start[sizeof postgres->process_start];
    memcpy(start, postgres->process_start, sizeof start);
    if (begin_session(postgres, process, start, error))
        return true;
    cni_postgres_disconnect(postgres);
    postgres->process = process;
    memcpy(postgres->process_start, start, sizeof start);
    return false;
}

bool cni_postgres_connect(CniPostgres *postgres, uint32_t wait_ms, CnError *error)
{
    uint64_t deadline_ns = cn_clock_ns() + (uint64_t)wait_ms * 1000000u;
    if (postgres->session)
        return true;
    for (;;) {
        CnError problem = {0};
        if (connect_once(postgres, &problem))
            return true;
        if (problem.code != CN_ERROR_IO || cn_clock_ns() >= deadline_ns) {
            *error = problem;
            return false;
        }
        cn_clock_sleep_ns((uint64_t)CNI_POSTGRES_RETRY_MS * 1000000u);
    }
}
