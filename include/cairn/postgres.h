/*
 * cairn/postgres: stores in a PostgreSQL database, for servers. A library of its own,
 * libcairn-postgres, so that other programs do not need libpq.
 *
 *     CnStoreDesc desc = {.path = "postgresql://crafty@/games?schema=home",
 *                         .backend = cn_store_postgres(), ...};
 *     CnStore *store = cn_store_create(&desc, &error);
 *
 * The path is a connection URI of libpq, which PostgreSQL's manual describes, with one parameter
 * more: `schema` names the schema that holds the store, 1 to 63 characters of a-z, 0-9 and '_'.
 * Each store has a schema of its own. URIs with passwords are refused, because they would be shown
 * in lists of processes and in logs: use the file ~/.pgpass, the parameter `passfile`, or peer or
 * certificate authentication.
 *
 * docs/store.md tells how such stores differ from files.
 */
#ifndef CAIRN_POSTGRES_H
#define CAIRN_POSTGRES_H

#include <cairn/store/backend.h>

CN_EXTERN_C_BEGIN

#define CN_POSTGRES_SCHEMA_BYTES 64u /* with terminator */

CN_API const CnStoreBackend *cn_store_postgres(void);

/* Returns whether the path is a URI of this backend, whatever follows its scheme. */
CN_API bool cn_postgres_is_uri(const char *path);
/* Writes the schema that a URI names, such as "home". Returns false and an error that says what is
 * wrong with the URI. */
CN_API bool cn_postgres_uri_schema(const char *uri, char schema[CN_POSTGRES_SCHEMA_BYTES],
                                   CnError *error);

CN_EXTERN_C_END

#endif
