/*
 * The database below a store, as a table of functions. SQLite is the default; cairn/postgres.h has
 * another one for servers, and tests can supply theirs.
 *
 * The store calls a connection from one thread at a time. Rows arrive sealed: with encoding and
 * checksum (docs/store.md). A backend keeps bytes and knows nothing about their meaning. Errors use
 * these codes, on which the store decides whether it tries again:
 *
 *   CN_ERROR_IO, CN_ERROR_LIMIT (disk full), CN_ERROR_MEMORY, CN_ERROR_PERMISSION   try again
 *   CN_ERROR_FORMAT (damaged) and all others                                         give up
 */
#ifndef CAIRN_STORE_BACKEND_H
#define CAIRN_STORE_BACKEND_H

#include <cairn/base/array.h>
#include <cairn/store/table.h>

CN_EXTERN_C_BEGIN

typedef struct CnStoreBackend CnStoreBackend;

/* The start of every backend's connection. */
typedef struct CnStoreConnection {
    const CnStoreBackend *backend;
} CnStoreConnection;

typedef enum CnStoreMode {
    CN_STORE_OPEN_OR_CREATE,
    CN_STORE_OPEN,      /* the store must exist */
    CN_STORE_CREATE,    /* the store must not exist */
    CN_STORE_READ_ONLY, /* the store must exist; nothing is written to its folder */
} CnStoreMode;

typedef enum CnStoreDurability {
    CN_STORE_DURABLE, /* a commit returns when the data is on stable storage */
    /* A commit returns at once. A power cut may lose everything, also older data: only for caches
     * and for tests. */
    CN_STORE_NOT_DURABLE
} CnStoreDurability;

typedef struct CnStoreConnectionDesc {
    CnAllocator *allocator;
    const char *path;
    CnStoreMode mode;
    CnStoreDurability durability;
    const char *sqlite_vfs; /* NULL: the default */
    bool accept_unknown;    /* opens whatever is there, for maintenance */
} CnStoreConnectionDesc;

/* Returns false to cancel. `total` is 0 while unknown. */
typedef bool (*CnStoreProgress)(uint64_t done, uint64_t total, void *user);

/* A row as a backend delivers it. The pointers are valid during the call. */
typedef bool (*CnStoreVisitRow)(const CnStoreKey *key, const uint8_t *bytes, size_t size,
                                void *user);
typedef bool (*CnStoreVisitTable)(const char *name, CnStoreTableKind kind, void *user);
typedef void (*CnStoreVisitDamage)(const char *message, void *user);

/* Something in a damaged file that may be a row. It is one if its checksum fits a table. */
typedef struct CnStoreCandidate {
    bool is_by_bytes; /* the kind of its key */
    bool is_certain;  /* it is in use; else it may also be the rest of an old row */
    CnStoreKey key;
    const uint8_t *bytes; /* sealed */
    size_t size;
} CnStoreCandidate;
typedef bool (*CnStoreVisitCandidate)(const CnStoreCandidate *candidate, void *user);

/* Numbers given to bind_table are below. */
#define CN_STORE_BACKEND_TABLES (CN_STORE_MAX_TABLES + 1u)

struct CnStoreBackend {
    const char *name;
    /* CnStoreConnectionDesc.path names no file. Copies are files nevertheless, for
     * cn_store_sqlite. */
    bool is_remote;
    /* Opens the database and locks it for this connection until it is closed. A database that is
     * open elsewhere is refused. */
    bool (*open)(const CnStoreBackend *backend, const CnStoreConnectionDesc *desc,
                 CnStoreConnection **connection, CnError *error);
    void (*close)(CnStoreConnection *connection);

    /* All changes lie between begin and commit. When commit returns true, they are durable. When it
     * returns false, nothing changed after a call of rollback. */
    bool (*begin)(CnStoreConnection *connection, CnError *error);
    bool (*commit)(CnStoreConnection *connection, CnError *error);
    void (*rollback)(CnStoreConnection *connection);
    /* Called after commits, while nothing waits: moves the write-ahead log or the like. A failure
     * loses nothing. */
    bool (*maintain)(CnStoreConnection *connection, CnError *error);

    bool (*each_table)(CnStoreConnection *connection, CnStoreVisitTable visit, void *user,
                       CnError *error);
    bool (*create_table)(CnStoreConnection *connection, const char *name, CnStoreTableKind kind,
                         CnError *error);
    bool (*drop_table)(CnStoreConnection *connection, const char *name, CnStoreTableKind kind,
                       CnError *error);
    /* Gives an existing table the number by which the functions below name it. */
    bool (*bind_table)(CnStoreConnection *connection, uint32_t number, const char *name,
                       CnStoreTableKind kind, CnError *error);

    bool (*put)(CnStoreConnection *connection, uint32_t table, const CnStoreKey *key,
                const void *bytes, size_t size, CnError *error);
    /* Replaces the content of *bytes. */
    bool (*get)(CnStoreConnection *connection, uint32_t table, const CnStoreKey *key,
                CnU8Array *bytes, bool *found, CnError *error);
    bool (*remove_range)(CnStoreConnection *connection, uint32_t table, const CnStoreKey *first,
                         const CnStoreKey *last, CnError *error);
    /* Visits at most `limit` rows of the range in order of keys; stops when `visit` returns
     * false. */
    bool (*scan)(CnStoreConnection *connection, uint32_t table, const CnStoreKey *first,
                 const CnStoreKey *last, uint32_t limit, CnStoreVisitRow visit, void *user,
                 CnError *error);
    /* Stores the smallest and the largest key of a table by number or log; false in *found if it
     * is empty. */
    bool (*bounds)(CnStoreConnection *connection, uint32_t table, int64_t *first, int64_t *last,
                   bool *found, CnError *error);

    /* Writes a copy to a file that does not exist, in steps of some pages. *done is set when the
     * copy is complete. The state of the copy is in *copy, which is NULL at first; a call with
     * `cancel` ends it. */
    bool (*copy_step)(CnStoreConnection *connection, const char *path, void **copy, bool cancel,
                      uint64_t *done_pages, uint64_t *total_pages, bool *done, CnError *error);
    /* Writes a copy without unused space to a file that does not exist. */
    bool (*compact)(CnStoreConnection *connection, const char *path, CnStoreProgress progress,
                    void *user, CnError *error);
    /* Checks the structure of the database and calls `damage` for each problem. Returns false if
     * the check itself could not run. */
    bool (*check)(CnStoreConnection *connection, CnStoreVisitDamage damage,
                  CnStoreProgress progress, void *user, CnError *error);
    /* Visits everything in the file at desc->path that may be a row, whatever else is damaged. It
     * is not opened as a database. */
    bool (*each_candidate)(const CnStoreConnectionDesc *desc, CnStoreVisitCandidate visit,
                           void *user, CnError *error);
};

/* Returns SQLite: write-ahead log, synchronous=FULL, exclusive lock. */
CN_API const CnStoreBackend *cn_store_sqlite(void);

CN_EXTERN_C_END

#endif
