/*
 * Tables of a store, their keys and their rows.
 *
 *     static const CnStoreTableDesc tables[] = {
 *         {.name = "info", .kind = CN_STORE_BY_BYTES},
 *         {.name = "chunks", .kind = CN_STORE_BY_NUMBER, .compress_above_bytes = 256},
 *         {.name = "edits", .kind = CN_STORE_LOG},
 *     };
 *     CnStoreKey name = cn_store_text("name");
 *     CnStoreKey chunk = cn_store_number(-17);
 *
 * Functions name a table by its index in this array. A value is a sequence of bytes; what they mean
 * is up to the caller.
 */
#ifndef CAIRN_STORE_TABLE_H
#define CAIRN_STORE_TABLE_H

#include <cairn/base/error.h>

#include <string.h>

CN_EXTERN_C_BEGIN

/* ---- Limits ---- */

#define CN_STORE_MAX_TABLES 32u
#define CN_STORE_NAME_BYTES 32u               /* of a table or an application, with terminator */
#define CN_STORE_MAX_KEY_BYTES 255u           /* at least 1 */
#define CN_STORE_MAX_VALUE_BYTES (256u << 20) /* before and after compression */
#define CN_STORE_PATH_BYTES 3072u             /* with terminator */

typedef enum CnStoreTableKind {
    CN_STORE_BY_NUMBER, /* keys are int64_t */
    CN_STORE_BY_BYTES,  /* keys are 1 to CN_STORE_MAX_KEY_BYTES bytes, ordered like memcmp */
    CN_STORE_LOG,       /* records are appended; the store numbers them from 1 without gaps */
    CN_STORE_TABLE_KIND_COUNT
} CnStoreTableKind;

typedef struct CnStoreTableDesc {
    const char *name; /* a-z, 0-9 and '_'; "cn_" is reserved at the start; not copied */
    CnStoreTableKind kind;
    /* Values with more bytes are compressed with zstd by the writer thread where that makes them
     * smaller. 0: never. */
    uint32_t compress_above_bytes;
    /* The versions of the application's schema that have this table. `first_version` 0 selects 1;
     * `last_version` 0: there is no last one. */
    uint32_t first_version, last_version;
} CnStoreTableDesc;

/* `number` for tables by number and logs; the others by bytes. */
typedef struct CnStoreKey {
    int64_t number;
    const void *bytes;
    size_t size;
} CnStoreKey;

static inline CnStoreKey cn_store_number(int64_t number)
{
    CnStoreKey key = {number, NULL, 0};
    return key;
}

static inline CnStoreKey cn_store_bytes(const void *bytes, size_t size)
{
    CnStoreKey key = {0, bytes, size};
    return key;
}

static inline CnStoreKey cn_store_text(const char *terminated)
{
    return cn_store_bytes(terminated, strlen(terminated));
}

typedef struct CnStoreRow {
    uint32_t table;
    CnStoreKey key;
    const uint8_t *bytes; /* NULL if the row is damaged */
    size_t size;
    bool is_damaged; /* the row does not match its checksum */
} CnStoreRow;

CN_EXTERN_C_END

#endif
