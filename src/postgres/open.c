/* Opening and closing a store in a database. */
#include "postgres/connection.h"

static CniPostgres *create(CnAllocator *allocator, const char *path, CnError *error)
{
    size_t size = strlen(path) + 1;
    CniPostgres *postgres = cn_alloc_zeroed(allocator, sizeof *postgres);
    char *own = postgres ? cn_alloc(allocator, size) : NULL;
    if (!own) {
        cn_free(allocator, postgres, sizeof *postgres);
        cn_error_memory(error, "a connection to a server");
        return NULL;
    }
    memcpy(own, path, size);
    postgres->allocator = allocator;
    postgres->path = own;
    postgres->connection.backend = cn_store_postgres();
    cn_array_init(&postgres->rows.keys, allocator);
    cn_array_init(&postgres->rows.values, allocator);
    memset(postgres->highest_key, 0xff, sizeof postgres->highest_key);
    return postgres;
}

void cni_postgres_close(CnStoreConnection *connection)
{
    CniPostgres *postgres = (CniPostgres *)connection;
    size_t size = strlen(postgres->path) + 1;
    cni_postgres_disconnect(postgres);
    cn_array_fini(&postgres->rows.keys);
    cn_array_fini(&postgres->rows.values);
    cn_free(postgres->allocator, postgres->uri, postgres->uri ? size : 0);
    cn_free(postgres->allocator, postgres->path, size);
    cn_free(postgres->allocator, postgres, sizeof *postgres);
}

bool cni_postgres_open(const CnStoreBackend *backend, const CnStoreConnectionDesc *desc,
                       CnStoreConnection **connection, CnError *error)
{
    *connection = NULL;
    CniPostgres *postgres = create(desc->allocator, desc->path, error);
    if (!postgres)
        return false;
    postgres->connection.backend = backend;
    postgres->mode = desc->mode;
    postgres->durability = desc->durability;
    if (!cni_postgres_uri_read(desc->path, desc->allocator, &postgres->uri, postgres->schema,
                               error) ||
        !cni_postgres_connect(postgres, 0, error) ||
        !cni_postgres_check_schema(postgres, desc->accept_unknown, error)) {
        cni_postgres_close(&postgres->connection);
        return false;
    }
    *connection = &postgres->connection;
    return true;
}

CniPostgres *cni_postgres_open_reader(const CniPostgres *postgres, CnError *error)
{
    CniPostgres *reader = create(postgres->allocator, postgres->path, error);
    if (!reader)
        return NULL;
    reader->mode = CN_STORE_READ_ONLY;
    reader->is_unlocked = true;
    if (cni_postgres_uri_read(postgres->path, reader->allocator, &reader->uri, reader->schema,
                              error) &&
        cni_postgres_connect(reader, 0, error))
        return reader;
    cni_postgres_close(&reader->connection);
    return NULL;
}
