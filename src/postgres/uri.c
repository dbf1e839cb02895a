/* Paths of stores in PostgreSQL: a URI for libpq, and the schema. */
#include "postgres/connection.h"

static const char example[] = "postgresql://user@host/database?schema=name";

bool cn_postgres_is_uri(const char *path)
{
    return strncmp(path, "postgresql://", 13) == 0 || strncmp(path, "postgres://", 11) == 0;
}

static bool fail(CnError *error, const char *problem)
{
    /* Without the URI, which may contain a password. */
    return cn_error_set(error, CN_ERROR_FORMAT,
                        "the URI of a PostgreSQL store %s; it looks like %s", problem, example);
}

/* ---- The schema ---- */

static bool is_schema(CnText name)
{
    if (!name.size || name.size >= CN_POSTGRES_SCHEMA_BYTES)
        return false;
    for (size_t i = 0; i < name.size; i++)
        if (!name.data[i] || !strchr("abcdefghijklmnopqrstuvwxyz0123456789_", name.data[i]))
            return false;
    return !cn_text_starts_with(name, cn_text("pg_")) &&
           !cn_text_equal(name, cn_text("information_schema"));
}

/* Copies the URI without the parameter `schema`, whose value goes to *schema. */
static bool split(const char *path, char *uri, CnText *schema, CnError *error)
{
    static const char wanted[] = "schema=";
    CnText rest = cn_text(path), base, parameter;
    *schema = (CnText){0};
    cn_text_split(&rest, '?', &base);
    memcpy(uri, base.data, base.size);
    char *end = uri + base.size;
    char separator = '?';
    while (cn_text_split(&rest, '&', &parameter)) {
        if (cn_text_starts_with(parameter, cn_text(wanted))) {
            if (schema->size)
                return fail(error, "names more than one schema");
            *schema =
                (CnText){parameter.data + sizeof wanted - 1, parameter.size - (sizeof wanted - 1)};
            continue;
        }
        *end++ = separator;
        separator = '&';
        memcpy(end, parameter.data, parameter.size);
        end += parameter.size;
    }
    *end = '\0';
    return true;
}

/* ---- Passwords ---- */

static bool check_options(const PQconninfoOption *options, CnError *error)
{
    for (; options->keyword; options++)
        if (options->val && strstr(options->keyword, "password"))
            return cn_error_set(error, CN_ERROR_UNSUPPORTED,
                                "the URI of a PostgreSQL store contains a password, which lists of "
                                "processes and logs would show: remove it and use ~/.pgpass");
    return true;
}

static bool check_uri(const char *uri, CnError *error)
{
    char *message = NULL;
    PQconninfoOption *options = PQconninfoParse(uri, &message);
    bool done = options ? check_options(options, error) : fail(error, "is not valid");
    PQconninfoFree(options);
    PQfreemem(message);
    return done;
}

/* ---- The whole ---- */

bool cni_postgres_uri_read(const char *path, CnAllocator *allocator, char **uri,
                           char schema[CN_POSTGRES_SCHEMA_BYTES], CnError *error)
{
    *uri = NULL;
    if (!cn_postgres_is_uri(path))
        return fail(error, "begins with postgresql://");
    size_t size = strlen(path) + 1;
    char *own = cn_alloc(allocator, size);
    if (!own)
        return cn_error_memory(error, "the URI of a store");
    CnText name;
    bool done = split(path, own, &name, error) &&
                (is_schema(name) || fail(error, "names a schema of a-z, 0-9 and '_', which does "
                                                "not begin with pg_")) &&
                check_uri(own, error);
    if (!done) {
        cn_free(allocator, own, size);
        return false;
    }
    cn_copy_text(schema, CN_POSTGRES_SCHEMA_BYTES, name);
    *uri = own;
    return true;
}

bool cn_postgres_uri_schema(const char *uri, char schema[CN_POSTGRES_SCHEMA_BYTES], CnError *error)
{
    char *own;
    if (!cni_postgres_uri_read(uri, NULL, &own, schema, error))
        return false;
    cn_free(NULL, own, strlen(uri) + 1);
    return true;
}
