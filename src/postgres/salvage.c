/* Salvage: every row that the server can still read, block by block, past damaged ones. Indexes are
 * not used. */
#include "postgres/connection.h"

#include <cairn/base/log.h>

enum { SQL_BYTES = 320 };

typedef struct Salvage {
    CniPostgres *postgres;
    CnStoreVisitCandidate visit;
    void *user;
    uint64_t damaged_blocks;
    bool stopped;
} Salvage;

typedef struct Relation {
    char name[CN_STORE_NAME_BYTES + 2];
    CnStoreTableKind kind;
    int64_t blocks;
} Relation;

static void visit_rows(Salvage *salvage, const Relation *relation, const PGresult *result)
{
    for (int i = 0; i < PQntuples(result) && !salvage->stopped; i++) {
        CnStoreCandidate candidate = {.is_by_bytes = relation->kind == CN_STORE_BY_BYTES,
                                      .is_certain = true,
                                      .bytes = (const uint8_t *)PQgetvalue(result, i, 1),
                                      .size = (size_t)PQgetlength(result, i, 1)};
        if (candidate.is_by_bytes)
            candidate.key =
                cn_store_bytes(PQgetvalue(result, i, 0), (size_t)PQgetlength(result, i, 0));
        else
            candidate.key = cn_store_number(cni_postgres_int(result, i, 0));
        if (candidate.key.size <= CN_STORE_MAX_KEY_BYTES)
            salvage->stopped = !salvage->visit(&candidate, salvage->user);
    }
}

/* A block that cannot be read is left out. Returns false if the server cannot be asked. */
static bool read_block(Salvage *salvage, const Relation *relation, int64_t block, CnError *error)
{
    CniPostgres *postgres = salvage->postgres;
    CnError problem = {0};
    char sql[SQL_BYTES];
    cn_format(sql, sizeof sql,
              "SELECT k,v FROM \"%s\".\"%s\" WHERE ctid>='(%lld,0)'::tid AND "
              "ctid<'(%lld,0)'::tid",
              postgres->schema, relation->name, (long long)block, (long long)block + 1);
    PGresult *result = cni_postgres_query(postgres, "read", sql, NULL, 0, &problem);
    if (result) {
        visit_rows(salvage, relation, result);
        PQclear(result);
        return true;
    }
    if (!postgres->session) {
        *error = problem;
        return false;
    }
    salvage->damaged_blocks++;
    return true;
}

static bool read_relation(Salvage *salvage, const Relation *relation, CnError *error)
{
    for (int64_t i = 0; i < relation->blocks && !salvage->stopped; i++)
        if (!read_block(salvage, relation, i, error))
            return false;
    return true;
}

static CnStoreTableKind kind_of(const char *name)
{
    if (name[0] == 'b')
        return CN_STORE_BY_BYTES;
    return name[0] == 'l' ? CN_STORE_LOG : CN_STORE_BY_NUMBER;
}

/* The tables that look like those of a store. */
static PGresult *list_relations(CniPostgres *postgres, CnError *error)
{
    CniPostgresValue name;
    cni_postgres_text(&name, postgres->schema);
    return cni_postgres_query(
        postgres, "read",
        "SELECT relname::text,pg_relation_size(c.oid)/current_setting('block_size')::bigint "
        "FROM pg_class c WHERE relnamespace=(SELECT oid FROM pg_namespace WHERE nspname=$1)"
        "AND relkind='r' AND relname~'^[nbl]_[a-z0-9_]+$' "
        "AND length(relname)<34 AND(SELECT string_agg(attname||' '||"
        "format_type(atttypid,atttypmod),',' ORDER BY attnum)FROM pg_attribute "
        "WHERE attrelid=c.oid AND attnum>0 AND NOT attisdropped)"
        "=CASE WHEN relname~'^b'THEN 'k bytea,v bytea'ELSE 'k bigint,v bytea'END "
        "ORDER BY relname",
        &name, 1, error);
}

static bool read_all(Salvage *salvage, CnError *error)
{
    PGresult *result = list_relations(salvage->postgres, error);
    bool done = result != NULL;
    for (int i = 0; done && i < PQntuples(result) && !salvage->stopped; i++) {
        Relation relation = {.kind = kind_of(PQgetvalue(result, i, 0)),
                             .blocks = cni_postgres_int(result, i, 1)};
        cn_copy_text(relation.name, sizeof relation.name, cn_text(PQgetvalue(result, i, 0)));
        done = read_relation(salvage, &relation, error);
    }
    PQclear(result);
    if (done && salvage->damaged_blocks)
        CN_LOG_WARNING("store", "'%s': %llu blocks cannot be read", salvage->postgres->path,
                       (unsigned long long)salvage->damaged_blocks);
    return done;
}

bool cni_postgres_each_candidate(const CnStoreConnectionDesc *desc, CnStoreVisitCandidate visit,
                                 void *user, CnError *error)
{
    CnStoreConnectionDesc existing = *desc;
    existing.mode = CN_STORE_READ_ONLY;
    existing.accept_unknown = true;
    CnStoreConnection *connection;
    if (!cni_postgres_open(cn_store_postgres(), &existing, &connection, error))
        return false;
    Salvage salvage = {.postgres = (CniPostgres *)connection, .visit = visit, .user = user};
    bool done = read_all(&salvage, error);
    cni_postgres_close(connection);
    return done;
}
