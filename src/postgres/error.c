/* Failures of libpq and of the server as errors that say what happened and what to do. */
#include "postgres/connection.h"

#include <cairn/base/file.h>

typedef struct State {
    const char *prefix; /* of an SQLSTATE */
    CnErrorCode code;
    const char *reason;
    bool ends_session;
} State;

/* The first prefix that fits counts. */
static const State states[] = {
    {"08", CN_ERROR_IO, "the connection to the server was lost", true},
    {"25006", CN_ERROR_PERMISSION, "the server accepts no changes: connect to the primary", false},
    {"25P03", CN_ERROR_IO, "the server ended a transaction that took too long", true},
    {"28", CN_ERROR_PERMISSION, "the server refuses the user: check pg_hba.conf", true},
    {"3D", CN_ERROR_NOT_FOUND, "there is no such database: create it with createdb", true},
    {"3F", CN_ERROR_FORMAT, "its schema is missing: restore a backup", false},
    {"40", CN_ERROR_IO, "another transaction was in the way", false},
    {"42501", CN_ERROR_PERMISSION, "the user lacks a right: grant it", false},
    {"42", CN_ERROR_FORMAT, "its tables were changed by another program: restore a backup", false},
    {"53100", CN_ERROR_LIMIT, "the disk of the server is full: free some space", false},
    {"53", CN_ERROR_LIMIT, "the server lacks memory or connections", false},
    {"54", CN_ERROR_LIMIT, "a limit of the server is exceeded", false},
    {"55P03", CN_ERROR_PERMISSION, "another program has locked it", false},
    {"57014", CN_ERROR_IO, "the server took too long", false},
    {"57", CN_ERROR_IO, "the server is shutting down or starting", true},
    {"58", CN_ERROR_IO, "the disk of the server reports an error", false},
    {"XX001", CN_ERROR_FORMAT, "it is damaged: repair it or restore a backup", false},
    {"XX002", CN_ERROR_FORMAT, "an index is damaged: run reindexdb", false},
    {"XX", CN_ERROR_IO, "the server reports an internal error", false},
    {"", CN_ERROR_FORMAT, "the server reports an error", false},
};

bool cni_postgres_set_error(const CniPostgres *postgres, CnErrorCode code, const char *action,
                            const char *reason, CnError *error)
{
    return cn_file_set_error(error, code, action, postgres->path, reason);
}

bool cni_postgres_set_message(const CniPostgres *postgres, CnErrorCode code, const char *action,
                              const char *reason, const char *message, CnError *error)
{
    char text[160];
    size_t size = message ? strcspn(message, "\r\n") : 0;
    cn_format(text, sizeof text, "%s%s%.*s%s", reason, size ? " (" : "", (int)size,
              message ? message : "", size ? ")" : "");
    return cni_postgres_set_error(postgres, code, action, text, error);
}

static const State *find(const char *sqlstate)
{
    const State *state = states;
    while (strncmp(sqlstate, state->prefix, strlen(state->prefix)) != 0)
        state++;
    return state;
}

bool cni_postgres_fail(CniPostgres *postgres, const char *action, const PGresult *result,
                       CnError *error)
{
    const char *sqlstate = result ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
    const char *message = result ? PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY) : NULL;
    const State *state = find(sqlstate ? sqlstate : "08");
    cni_postgres_set_message(postgres, state->code, action, state->reason, message, error);
    if (state->ends_session || PQstatus(postgres->session) != CONNECTION_OK)
        cni_postgres_disconnect(postgres);
    return false;
}
