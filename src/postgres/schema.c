/* The schema: what it must contain before anything is read or written, and its tables. */
#include "postgres/connection.h"

#include <cairn/base/assert.h>
#include <cairn/store.h>

#define SQL_BYTES 512
#define OWN_TABLE "cairn" /* the mark; the others have a prefix by kind */

static const char *const prefixes[CN_STORE_TABLE_KIND_COUNT] = {
    [CN_STORE_BY_NUMBER] = "n_", [CN_STORE_BY_BYTES] = "b_", [CN_STORE_LOG] = "l_"};
static const char *const key_types[CN_STORE_TABLE_KIND_COUNT] = {
    [CN_STORE_BY_NUMBER] = "bigint", [CN_STORE_BY_BYTES] = "bytea", [CN_STORE_LOG] = "bigint"};

static void full_name(const char *name, CnStoreTableKind kind, char full[CN_STORE_NAME_BYTES + 2])
{
    cn_format(full, CN_STORE_NAME_BYTES + 2, "%s%s", prefixes[kind], name);
}

/* ---- The mark ---- */

/* Returns the result of a query about the schema's name. */
static PGresult *query_schema(CniPostgres *postgres, const char *sql, CnError *error)
{
    CniPostgresValue name;
    cni_postgres_text(&name, postgres->schema);
    return cni_postgres_query(postgres, "open", sql, &name, 1, error);
}

bool cni_postgres_read_mark(CniPostgres *postgres, CniPostgresMark *mark, CnError *error)
{
    *mark = (CniPostgresMark){0};
    PGresult *result =
        query_schema(postgres,
                     "SELECT count(*)FROM pg_class WHERE relname='" OWN_TABLE "' AND relnamespace="
                     "(SELECT oid FROM pg_namespace WHERE nspname=$1)",
                     error);
    bool done = result != NULL, exists = done && cni_postgres_int(result, 0, 0) == 1;
    PQclear(result);
    if (!exists)
        return done;
    char sql[SQL_BYTES];
    cn_format(sql, sizeof sql, "SELECT opening,commits FROM \"%s\"." OWN_TABLE, postgres->schema);
    result = cni_postgres_query(postgres, "open", sql, NULL, 0, error);
    if (!result)
        return false;
    done = PQntuples(result) == 1;
    if (done)
        *mark = (CniPostgresMark){cni_postgres_int(result, 0, 0), cni_postgres_int(result, 0, 1)};
    PQclear(result);
    return done ||
           cni_postgres_set_error(postgres, CN_ERROR_FORMAT, "open",
                                  "the table " OWN_TABLE " is damaged: restore a backup", error);
}

/* ---- Before anything is written ---- */

static bool check_format(CniPostgres *postgres, CnError *error)
{
    char sql[SQL_BYTES];
    cn_format(sql, sizeof sql, "SELECT format FROM \"%s\"." OWN_TABLE, postgres->schema);
    PGresult *result = cni_postgres_query(postgres, "open", sql, NULL, 0, error);
    if (!result)
        return false;
    int64_t format = PQntuples(result) == 1 ? cni_postgres_int(result, 0, 0) : 0;
    PQclear(result);
    if (format > (int64_t)CN_STORE_FORMAT_VERSION)
        return cni_postgres_set_error(postgres, CN_ERROR_VERSION, "open",
                                      "its format is newer: update the program", error);
    return format == (int64_t)CN_STORE_FORMAT_VERSION ||
           cni_postgres_set_error(postgres, CN_ERROR_FORMAT, "open", "it has no format version",
                                  error);
}

static bool check_mode(CniPostgres *postgres, bool exists, CnError *error)
{
    bool must_exist = postgres->mode == CN_STORE_OPEN || postgres->mode == CN_STORE_READ_ONLY;
    if (postgres->is_new && must_exist)
        return exists
                   ? cni_postgres_set_error(postgres, CN_ERROR_FORMAT, "open", "it is empty", error)
                   : cni_postgres_set_error(postgres, CN_ERROR_NOT_FOUND, "open",
                                            "there is no such schema", error);
    if (!postgres->is_new && postgres->mode == CN_STORE_CREATE)
        return cni_postgres_set_error(postgres, CN_ERROR_EXISTS, "create", "it already exists",
                                      error);
    return postgres->is_new || check_format(postgres, error);
}

bool cni_postgres_check_schema(CniPostgres *postgres, bool accept_unknown, CnError *error)
{
    PGresult *result =
        query_schema(postgres,
                     "SELECT(SELECT count(*)FROM pg_namespace WHERE nspname=$1),"
                     "(SELECT count(*)FROM pg_class WHERE relnamespace="
                     "(SELECT oid FROM pg_namespace WHERE nspname=$1)),"
                     "(SELECT count(*)FROM pg_class WHERE relname='" OWN_TABLE "' AND relnamespace="
                     "(SELECT oid FROM pg_namespace WHERE nspname=$1))",
                     error);
    if (!result)
        return false;
    bool exists = cni_postgres_int(result, 0, 0) > 0;
    bool has_content = cni_postgres_int(result, 0, 1) > 0;
    bool is_store = cni_postgres_int(result, 0, 2) > 0;
    PQclear(result);
    postgres->is_new = !has_content;
    if (accept_unknown)
        return true;
    if (has_content && !is_store)
        return cni_postgres_set_error(postgres, CN_ERROR_FORMAT, "open",
                                      "its schema contains something else: name another schema",
                                      error);
    return check_mode(postgres, exists, error) &&
           (postgres->is_new || cni_postgres_read_mark(postgres, &postgres->mark, error));
}

bool cni_postgres_create_schema(CniPostgres *postgres, CnError *error)
{
    char sql[SQL_BYTES];
    /* The schema may exist, created by an administrator for a user without that right. */
    PGresult *result =
        query_schema(postgres, "SELECT count(*)FROM pg_namespace WHERE nspname=$1", error);
    bool exists = result && cni_postgres_int(result, 0, 0) > 0;
    PQclear(result);
    if (!result)
        return false;
    cn_format(sql, sizeof sql, "CREATE SCHEMA \"%s\"", postgres->schema);
    if (!exists && !cni_postgres_exec(postgres, "create", sql, error))
        return false;
    cn_format(sql, sizeof sql,
              "CREATE TABLE \"%s\"." OWN_TABLE
              "(format bigint NOT NULL,opening bigint NOT NULL,commits bigint NOT NULL);"
              "INSERT INTO \"%s\"." OWN_TABLE " VALUES(%u,0,0)",
              postgres->schema, postgres->schema, CN_STORE_FORMAT_VERSION);
    return cni_postgres_exec(postgres, "create", sql, error);
}

/* ---- Tables ---- */

/* What runs code or changes what is stored has another form than a table of ours. */
static const char list_sql[] =
    "SELECT relname::text,relkind::text||relpersistence::text||"
    "(relhasrules OR relhastriggers OR relrowsecurity OR relispartition OR relhassubclass)::text||"
    "' '||coalesce((SELECT string_agg(attname||' '||format_type(atttypid,atttypmod)||' '||"
    "attnotnull::text||atthasdef::text,',' ORDER BY attnum)FROM pg_attribute "
    "WHERE attrelid=c.oid AND attnum>0 AND NOT attisdropped),'')||' '||"
    "coalesce((SELECT string_agg(indisprimary::text||indisvalid::text||indkey::text,',')"
    "FROM pg_index WHERE indrelid=c.oid),'')||"
    "(SELECT count(*)FROM pg_constraint WHERE conrelid=c.oid AND contype NOT IN('p','n'))::text "
    "FROM pg_class c WHERE relnamespace=(SELECT oid FROM pg_namespace WHERE nspname=$1)"
    "AND relkind NOT IN('i','t')ORDER BY relname";

static bool read_entry(const char *full, const char *form, char *name, CnStoreTableKind *kind)
{
    if (strlen(full) >= CN_STORE_NAME_BYTES + 2)
        return false;
    for (uint32_t i = 0; i < CN_STORE_TABLE_KIND_COUNT; i++) {
        char expected[160];
        if (strncmp(full, prefixes[i], 2) != 0)
            continue;
        cn_copy_text(name, CN_STORE_NAME_BYTES, cn_text(full + 2));
        *kind = (CnStoreTableKind)i;
        cn_format(expected, sizeof expected, "rpfalse k %s truefalse,v bytea truefalse truetrue10",
                  key_types[i]);
        return strcmp(form, expected) == 0;
    }
    return false;
}

static bool is_own_table(const char *full, const char *form)
{
    return strcmp(full, OWN_TABLE) == 0 &&
           strcmp(form, "rpfalse format bigint truefalse,opening bigint truefalse,"
                        "commits bigint truefalse 0") == 0;
}

bool cni_postgres_each_table(CnStoreConnection *connection, CnStoreVisitTable visit, void *user,
                             CnError *error)
{
    CniPostgres *postgres = (CniPostgres *)connection;
    if (!postgres->is_in_transaction &&
        !cni_postgres_connect(postgres, CNI_POSTGRES_RECONNECT_MS, error))
        return false;
    PGresult *result = query_schema(postgres, list_sql, error);
    if (!result)
        return false;
    bool fits = true;
    for (int i = 0; i < PQntuples(result) && fits; i++) {
        const char *full = PQgetvalue(result, i, 0), *form = PQgetvalue(result, i, 1);
        char name[CN_STORE_NAME_BYTES];
        CnStoreTableKind kind;
        if (is_own_table(full, form))
            continue;
        fits = read_entry(full, form, name, &kind);
        if (fits && !visit(name, kind, user))
            break;
    }
    PQclear(result);
    return fits || cni_postgres_set_error(postgres, CN_ERROR_FORMAT, "open",
                                          "it contains tables or code that this program did not "
                                          "write",
                                          error);
}

bool cni_postgres_create_table(CnStoreConnection *connection, const char *name,
                               CnStoreTableKind kind, CnError *error)
{
    CniPostgres *postgres = (CniPostgres *)connection;
    char full[CN_STORE_NAME_BYTES + 2], sql[SQL_BYTES];
    full_name(name, kind, full);
    /* Values are compressed already where that helps. */
    cn_format(sql, sizeof sql,
              "CREATE TABLE \"%s\".\"%s\"(k %s PRIMARY KEY,v bytea NOT NULL);"
              "ALTER TABLE \"%s\".\"%s\" ALTER v SET STORAGE EXTERNAL",
              postgres->schema, full, key_types[kind], postgres->schema, full);
    return cni_postgres_exec(postgres, "create", sql, error);
}

static void unbind(CniPostgres *postgres, uint32_t number)
{
    postgres->tables[number].name[0] = '\0';
}

bool cni_postgres_bind_table(CnStoreConnection *connection, uint32_t number, const char *name,
                             CnStoreTableKind kind, CnError *error)
{
    (void)error;
    CniPostgres *postgres = (CniPostgres *)connection;
    CN_ASSERT(number < CN_STORE_BACKEND_TABLES, "store: table %u", number);
    CniPostgresTable *own = &postgres->tables[number];
    char full[CN_STORE_NAME_BYTES + 2];
    full_name(name, kind, full);
    if (strcmp(own->name, full) == 0)
        return true; /* its statements are prepared for this name */
    CN_ASSERT(!own->prepared[CNI_POSTGRES_SQL_PUT], "store: table %u is bound twice", number);
    memcpy(own->name, full, sizeof full);
    own->kind = kind;
    return true;
}

bool cni_postgres_drop_table(CnStoreConnection *connection, const char *name, CnStoreTableKind kind,
                             CnError *error)
{
    CniPostgres *postgres = (CniPostgres *)connection;
    char full[CN_STORE_NAME_BYTES + 2], sql[SQL_BYTES];
    full_name(name, kind, full);
    for (uint32_t i = 0; i < CN_STORE_BACKEND_TABLES; i++)
        if (strcmp(postgres->tables[i].name, full) == 0)
            unbind(postgres, i);
    cn_format(sql, sizeof sql, "DROP TABLE \"%s\".\"%s\"", postgres->schema, full);
    bool done = cni_postgres_exec(postgres, "write", sql, error);
    cni_postgres_forget_prepared(postgres);
    return done;
}
