/*
 * CnStore: saved data in one file, written by a thread of its own.
 *
 *     typedef enum Table { INFO, CHUNKS } Table;
 *
 *     static const CnStoreTableDesc tables[] = {
 *         [INFO] = {.name = "info", .kind = CN_STORE_BY_BYTES},
 *         [CHUNKS] = {.name = "chunks", .kind = CN_STORE_BY_NUMBER, .compress_above_bytes = 256},
 *     };
 *
 *     bool save_name(const char *path, const char *name, CnError *error)
 *     {
 *         CnStoreDesc desc = {.path = path, .application = "game.world", .version = 1,
 *                             .tables = tables, .table_count = 2};
 *         CnStore *store = cn_store_create(&desc, error);
 *         CnStoreBatch *batch = store ? cn_store_batch_create(store, error) : NULL;
 *         bool done = batch && cn_store_batch_put(batch, INFO, cn_store_text("name"), name,
 *                                                 strlen(name), error);
 *         if (done && cn_store_submit(store, batch))                      // costs a pointer
 *             batch = NULL;
 *         done = done && !batch && cn_store_flush(store, 10000, error);   // durable
 *         cn_store_batch_destroy(batch);
 *         cn_store_destroy(store);
 *         return done;
 *     }
 *
 * Everything in a batch becomes durable together or not at all, and batches become durable in the
 * order of their submission. After a crash or a power cut, the store holds the state after one of
 * the batches, and that of every batch that was reported as durable.
 *
 * Threads: one thread at a time submits batches (the owner of the simulation); any thread may read
 * and ask for the status. The writer thread owns the database. While a commit fails, for example
 * because the disk is full, it keeps the batches and tries again.
 *
 * docs/store.md explains how to use a store in a game.
 */
#ifndef CAIRN_STORE_STORE_H
#define CAIRN_STORE_STORE_H

#include <cairn/base/array.h>
#include <cairn/store/backend.h>
#include <cairn/store/batch.h>

CN_EXTERN_C_BEGIN

/* The file's format; the version of what an application stores in it is CnStoreDesc.version. */
#define CN_STORE_FORMAT_VERSION 1u
#define CN_STORE_DEFAULT_QUEUE 64u
#define CN_STORE_MAX_QUEUE 4096u

/* Brings a store from version `from` to `from` + 1, in one transaction. `run` reads with
 * cn_store_get and cn_store_each and adds changes to `batch`; cn_store_migration_write applies and
 * empties the batch to save memory. Tables that the new version adds already exist; tables that it
 * drops still do. `run` may be NULL where tables are only added or dropped. */
typedef struct CnStoreMigration {
    uint32_t from;
    bool (*run)(CnStore *store, CnStoreBatch *batch, void *user, CnError *error);
    void *user;
} CnStoreMigration;

typedef enum CnStoreState {
    CN_STORE_OK,
    CN_STORE_RETRYING, /* a commit failed; the batches are kept, and the writer tries again */
    CN_STORE_FAILED    /* the file is damaged; the batches are kept, but not written */
} CnStoreState;

typedef struct CnStoreStatus {
    CnStoreState state;
    uint64_t submitted; /* number of the last batch that was submitted */
    uint64_t durable;   /* all batches up to this number are durable */
    uint64_t retries;   /* failed attempts to commit, in total */
    CnError error;      /* of the last attempt, if the state is not CN_STORE_OK */
} CnStoreStatus;

typedef struct CnStoreDesc {
    CnAllocator *allocator; /* thread-safe; NULL: the system allocator */
    const char *path;       /* copied */
    CnStoreMode mode;
    const char *application; /* what the file is for, such as "crafty.world"; checked; not copied */
    uint32_t version;        /* of the application's schema, from 1 */
    const CnStoreTableDesc *tables; /* not copied */
    uint32_t table_count;
    const CnStoreMigration *migrations; /* from every older version that is supported */
    uint32_t migration_count;
    /* The copy that is made before the first migration; NULL: the path with ".v<version>.backup",
     * and a number where that exists; required for backends that are remote. */
    const char *migration_backup_path;
    uint32_t queue_capacity; /* batches; 0 selects CN_STORE_DEFAULT_QUEUE; a power of two */
    uint32_t retry_ms;       /* first pause after a failed commit, doubled up to 16 times;
                                0 selects 500 */
    /* Called on the writer thread after each commit and each failed attempt; may be NULL. */
    void (*notify)(const CnStoreStatus *status, void *user);
    CnStoreProgress progress; /* of the copy before a migration; may be NULL */
    void *user;
    CnStoreDurability durability;
    const CnStoreBackend *backend; /* NULL: cn_store_sqlite */
    const char *sqlite_vfs;        /* NULL: the default; for tests */
} CnStoreDesc;

/* Opens a store, creates it where the mode says so, and migrates an older version after a backup.
 * Returns NULL and an error that says what to do if the file is open elsewhere, damaged, of another
 * application or of a newer version, or cannot be read or written; nothing is then changed. */
CN_API CnStore *cn_store_create(const CnStoreDesc *desc, CnError *error);
/* Tries once more to write what was submitted, closes the file and frees the store. Batches that
 * could not be written are reported in the log: call cn_store_flush before. NULL is ignored. */
CN_API void cn_store_destroy(CnStore *store);

/* ---- Writing ---- */

/* Hands a batch to the writer thread: wait-free, without allocation. Returns its number, from 1.
 * When the queue is full, returns 0, and the batch stays with the caller, who may add to it and
 * submit it later. One thread at a time; not in mode CN_STORE_READ_ONLY. */
CN_API uint64_t cn_store_submit(CnStore *store, CnStoreBatch *batch);
/* Returns the number of the last durable batch. Wait-free. */
CN_API uint64_t cn_store_durable(const CnStore *store);
CN_API void cn_store_status(const CnStore *store, CnStoreStatus *status);
/* Waits until everything submitted so far is durable. A writer that pauses after a failure tries
 * again at once. Returns false and an error when the time is over; the batches are kept. Programs
 * that show progress call it repeatedly with short times and cn_store_status in between. */
CN_API bool cn_store_flush(CnStore *store, uint32_t timeout_ms, CnError *error);
/* Returns the number that the next appended record of a log gets. On the submitting thread. */
CN_API int64_t cn_store_log_next(const CnStore *store, uint32_t table);

/* ---- Reading ---- */

/* Reads a value, including what was submitted and is not durable yet. *found tells whether the key
 * exists. The value replaces the content of *bytes. A damaged row is an error, CN_ERROR_FORMAT. A
 * read waits while a commit runs: during play, call it from jobs, not from a tick. */
CN_API bool cn_store_get(CnStore *store, uint32_t table, CnStoreKey key, CnU8Array *bytes,
                         bool *found, CnError *error);
/* Visits the rows from `first` to `last` (NULL: no bound) in order of their keys, without batches
 * that are not durable. Damaged rows are visited without a value. `visit` may use the store; it
 * returns false to stop, which is an error only if it sets one. */
CN_API bool cn_store_each(CnStore *store, uint32_t table, const CnStoreKey *first,
                          const CnStoreKey *last,
                          bool (*visit)(const CnStoreRow *row, void *user, CnError *error),
                          void *user, CnError *error);

/* In a migration: applies the batch within the migration's transaction and empties it. */
CN_API bool cn_store_migration_write(CnStore *store, CnStoreBatch *batch, CnError *error);

/* ---- Copies of an open store ---- */

/* Writes a copy of everything that is durable to a new file while the store is in use. It appears
 * under its name when it is complete. Writing goes on in between; the copy holds the state after a
 * batch. */
CN_API bool cn_store_backup(CnStore *store, const char *path, CnStoreProgress progress, void *user,
                            CnError *error);

CN_EXTERN_C_END

#endif
