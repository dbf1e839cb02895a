/* Shared by the files of the module: the store, batches and sealed rows. */
#ifndef CAIRN_STORE_STORE_INTERNAL_H
#define CAIRN_STORE_STORE_INTERNAL_H

#include <cairn/base/assert.h>
#include <cairn/base/bytes.h>
#include <cairn/base/file.h>
#include <cairn/base/log.h>
#include <cairn/base/text.h>
#include <cairn/store.h>

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

/* ---- Tables ---- */

#define CNI_STORE_META_NAME "cn_meta"
#define CNI_STORE_ALL_TABLES CN_STORE_BACKEND_TABLES /* with cn_meta, whose number is the last */
#define CNI_STORE_META CN_STORE_MAX_TABLES
#define CNI_STORE_META_VERSION "version"
#define CNI_STORE_META_APPLICATION "application"
#define CNI_STORE_META_OPENED "opened" /* how often; see mark_open */
#define CNI_STORE_META_LOG "log_next:" /* and the name of a log */

typedef struct CniStoreTable {
    const char *name;
    CnStoreTableKind kind;
    uint32_t compress_above_bytes;
    uint64_t seed; /* of the checksums of its rows */
} CniStoreTable;

void cni_store_table_init(CniStoreTable *table, const CnStoreTableDesc *desc);
/* Writes "3" or "'name'" for messages. Returns `text`. */
#define CNI_STORE_KEY_TEXT_BYTES 64u
const char *cni_store_key_text(CnStoreTableKind kind, const CnStoreKey *key, char *text);
/* Negative, 0 or positive, like memcmp. */
int cni_store_key_compare(CnStoreTableKind kind, const CnStoreKey *a, const CnStoreKey *b);

/* ---- Sealed rows: encoding, value, checksum; docs/formats.md describes them ---- */

#define CNI_STORE_SEAL_BYTES 9u    /* of a value that is not compressed */
#define CNI_STORE_PACKED_BYTES 13u /* of a compressed one */

/* Work memory of zstd, created when it is needed. Zeros; one thread at a time. A row has some
 * hundred bytes, and creating this for each takes longer than the row. */
typedef struct CniStoreCodec {
    struct ZSTD_CCtx_s *packing;
    struct ZSTD_DCtx_s *unpacking;
} CniStoreCodec;
void cni_store_codec_fini(CniStoreCodec *codec);

/* Replaces the content of *sealed. */
bool cni_store_seal(CniStoreCodec *codec, const CniStoreTable *table, const CnStoreKey *key,
                    const void *bytes, size_t size, CnU8Array *sealed, CnError *error);
/* Whether the checksum of a sealed row fits table and key. */
bool cni_store_seal_fits(const CniStoreTable *table, const CnStoreKey *key, const uint8_t *sealed,
                         size_t size);
/* Replaces the content of *bytes by the value. Fails with CN_ERROR_FORMAT if the row is damaged. */
bool cni_store_unseal(CniStoreCodec *codec, const CniStoreTable *table, const CnStoreKey *key,
                      const uint8_t *sealed, size_t size, CnU8Array *bytes, CnError *error);

/* ---- Batches ---- */

typedef enum CniStoreOpKind {
    CNI_STORE_OP_PUT,
    CNI_STORE_OP_APPEND, /* `number`: position among the records appended to the table */
    CNI_STORE_OP_REMOVE  /* a range */
} CniStoreOpKind;

typedef struct CniStoreOp {
    uint8_t kind;
    uint8_t table;
    bool has_first, has_last;
    uint16_t key_size, last_size;
    int64_t number, last_number;
    const uint8_t *key;   /* the last key of a range is behind it */
    const uint8_t *value; /* if it is not `owned` */
    size_t value_size;
    void *owned;
    size_t owned_capacity;
    CnAllocator *owned_allocator;
} CniStoreOp;

struct CnStoreBatch {
    CnStore *store;
    CN_ARRAY(CniStoreOp) ops;
    CnArena bytes; /* copies of keys and values */
    uint64_t owned_bytes;
    int64_t log_base[CN_STORE_MAX_TABLES]; /* number of the first appended record */
    int64_t log_count[CN_STORE_MAX_TABLES];
};

CnStoreKey cni_store_op_key(const CnStoreBatch *batch, const CniStoreOp *op);
CnStoreKey cni_store_op_last(const CniStoreOp *op);
const uint8_t *cni_store_op_value(const CniStoreOp *op);
void cni_store_batch_clear(CnStoreBatch *batch);
/* Executes the changes in the open transaction. The caller holds the connection. */
bool cni_store_batch_apply(CnStore *store, const CnStoreBatch *batch, CnError *error);

typedef enum CniStoreFound { CNI_STORE_UNTOUCHED, CNI_STORE_PUT, CNI_STORE_REMOVED } CniStoreFound;

/* What a batch does to a key. */
CniStoreFound cni_store_batch_find(const CnStoreBatch *batch, uint32_t table, const CnStoreKey *key,
                                   const uint8_t **bytes, size_t *size);

/* ---- The store ---- */

struct CnStore {
    CnStoreDesc desc; /* with `path` replaced by a copy */
    CnAllocator *allocator;
    const CnStoreBackend *backend;
    CniStoreTable tables[CNI_STORE_ALL_TABLES];
    uint32_t version; /* of the file */
    bool is_migrating;

    /* Guards the connection and its buffers. Held for whole commits. */
    pthread_mutex_t lock;
    CnStoreConnection *connection;
    CniStoreCodec codec;
    CnU8Array sealed;  /* a row that is written or read */
    CnU8Array scratch; /* a value that is read */

    /* The queue: batches durable + 1 to submitted, at (number - 1) & mask. A batch leaves it while
     * the connection is held. */
    CnStoreBatch **queue;
    uint64_t queue_mask;
    _Atomic uint64_t submitted, durable;
    int64_t log_next[CN_STORE_MAX_TABLES]; /* of the submitting thread */

    /* The writer thread */
    pthread_t thread;
    bool has_thread;
    sem_t wake;
    _Atomic bool is_ending, retries_now;
    pthread_mutex_t status_lock; /* guards the following; held for moments */
    pthread_cond_t changed;
    CnStoreState state;
    uint64_t retries;
    CnError error;
};

typedef enum CniStorePurpose {
    CNI_STORE_FOR_USE,
    CNI_STORE_FOR_MAINTENANCE /* without migrations and without a writer thread */
} CniStorePurpose;

CnStore *cni_store_open(const CnStoreDesc *desc, CniStorePurpose purpose, CnError *error);
bool cni_store_writer_start(CnStore *store, CnError *error);
void cni_store_writer_end(CnStore *store);
/* Brings the file from store->version to store->desc.version. */
bool cni_store_migrate(CnStore *store, CnError *error);
/* Binds all tables of store->version and checks that exactly these exist. */
bool cni_store_bind_tables(CnStore *store, CnError *error);
bool cni_store_table_is_in(const CnStoreTableDesc *desc, uint32_t version);
bool cni_store_meta_put(CnStore *store, const char *name, const void *bytes, size_t size,
                        CnError *error);
/* Copies while other threads use the connection in between: to a temporary name, then renamed. */
bool cni_store_copy(CnStore *store, const char *path, CnStoreProgress progress, void *user,
                    CnError *error);
/* Makes the temporary name of a new file, and gives a complete one its name. */
bool cni_store_copy_begin(const char *path, char *temporary, size_t temporary_bytes,
                          CnError *error);
bool cni_store_copy_end(const char *temporary, const char *path, CnError *error);
CnStoreConnectionDesc cni_store_connection_desc(const CnStoreDesc *desc);

#endif
