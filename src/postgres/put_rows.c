/* Rows that are written to the same table one after the other go to the server some hundred at a
 * time, as two arrays: the server spends more on a statement than on a row. */
#include "postgres/connection.h"

#include <endian.h>

enum { MAX_ROWS = 256, MAX_BYTES = 256 << 10, LARGE_VALUE_BYTES = 64 << 10, HEADER_BYTES = 20 };

/* ---- Arrays in the binary form of the server ---- */

static void write_u32(uint8_t *to, uint32_t number)
{
    number = htobe32(number);
    memcpy(to, &number, sizeof number);
}

static uint32_t read_u32(const uint8_t *from)
{
    uint32_t number;
    memcpy(&number, from, sizeof number);
    return be32toh(number);
}

/* One dimension that begins with 1, without values that are NULL. */
static void write_header(CnU8Array *array, Oid type, uint32_t count)
{
    const uint32_t words[HEADER_BYTES / 4] = {1, 0, type, count, 1};
    for (uint32_t i = 0; i < CN_COUNT_OF(words); i++)
        write_u32(array->items + 4 * i, words[i]);
}

static bool append(CnU8Array *array, const void *bytes, size_t size)
{
    if (!array->count) {
        if (!cn_array_reserve(array, HEADER_BYTES))
            return false;
        array->count = HEADER_BYTES;
    }
    if (!cn_array_reserve(array, (uint64_t)array->count + 4 + size))
        return false;
    write_u32(array->items + array->count, (uint32_t)size);
    array->count += 4;
    return cn_bytes_append(array, bytes, size);
}

/* ---- Rows that wait ---- */

static const void *key_bytes(const CniPostgresValue *key)
{
    return key->type == CNI_POSTGRES_INT8 ? (const void *)&key->number : key->bytes;
}

/* A statement may change each row only once. */
static bool has_key(const CniPostgresRows *rows, const CniPostgresValue *key)
{
    for (uint32_t at = HEADER_BYTES; at < rows->keys.count;) {
        uint32_t size = read_u32(rows->keys.items + at);
        if (size == key->size && memcmp(rows->keys.items + at + 4, key_bytes(key), size) == 0)
            return true;
        at += 4 + size;
    }
    return false;
}

void cni_postgres_rows_clear(CniPostgresRows *rows)
{
    rows->count = 0;
    cn_array_clear(&rows->keys);
    cn_array_clear(&rows->values);
}

bool cni_postgres_rows_send(CniPostgres *postgres, CnError *error)
{
    CniPostgresRows *rows = &postgres->rows;
    if (!rows->count)
        return true;
    bool is_by_bytes = postgres->tables[rows->table].kind == CN_STORE_BY_BYTES;
    write_header(&rows->keys, is_by_bytes ? CNI_POSTGRES_BYTEA : CNI_POSTGRES_INT8, rows->count);
    write_header(&rows->values, CNI_POSTGRES_BYTEA, rows->count);
    CniPostgresValue values[2] = {
        {is_by_bytes ? CNI_POSTGRES_BYTEA_ARRAY : CNI_POSTGRES_INT8_ARRAY, rows->keys.items,
         rows->keys.count, 0},
        {CNI_POSTGRES_BYTEA_ARRAY, rows->values.items, rows->values.count, 0}};
    rows->count = 0; /* sending may read results, which sends what waits */
    bool done = cni_postgres_send_table(postgres, "write", rows->table, CNI_POSTGRES_SQL_PUT_ROWS,
                                        values, 2, error);
    cni_postgres_rows_clear(rows);
    return done;
}

static bool put_alone(CniPostgres *postgres, uint32_t table, CniPostgresValue *key,
                      const void *bytes, size_t size, CnError *error)
{
    CniPostgresValue values[2] = {*key};
    cni_postgres_bytes(&values[1], bytes, size);
    return cni_postgres_rows_send(postgres, error) &&
           cni_postgres_send_table(postgres, "write", table, CNI_POSTGRES_SQL_PUT, values, 2,
                                   error);
}

bool cni_postgres_rows_put(CniPostgres *postgres, uint32_t table, CniPostgresValue *key,
                           const void *bytes, size_t size, CnError *error)
{
    CniPostgresRows *rows = &postgres->rows;
    if (size > LARGE_VALUE_BYTES)
        return put_alone(postgres, table, key, bytes, size, error);
    bool is_full = rows->count == MAX_ROWS || rows->values.count + size > MAX_BYTES;
    if (rows->count && (rows->table != table || is_full || has_key(rows, key)) &&
        !cni_postgres_rows_send(postgres, error))
        return false;
    if (!append(&rows->keys, key_bytes(key), key->size) || !append(&rows->values, bytes, size)) {
        cni_postgres_rows_clear(rows); /* the transaction fails */
        return cn_error_memory(error, "rows of '%s'", postgres->path);
    }
    rows->table = table;
    rows->count++;
    return true;
}
