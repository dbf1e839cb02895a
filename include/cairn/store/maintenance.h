/*
 * Checking, repairing, copying and compacting stores that are not open.
 *
 *     CnStoreReport report;
 *     if (cn_store_check(&desc, NULL, &report, &error) && report.damage_count > 0)
 *         printf("%s\n", report.items[0].message);
 *     cn_store_report_free(&report);
 *
 * Every function takes the CnStoreDesc with which the program opens the store. The file must not be
 * open elsewhere. None of them changes the file that it reads, except that data of the write-ahead
 * log is moved into it, as by opening it.
 */
#ifndef CAIRN_STORE_MAINTENANCE_H
#define CAIRN_STORE_MAINTENANCE_H

#include <cairn/store/store.h>

CN_EXTERN_C_BEGIN

#define CN_STORE_REPORT_MAX_ITEMS 1000u
#define CN_STORE_DAMAGE_BYTES 192u
#define CN_STORE_ROW_TEXT_BYTES 64u

typedef struct CnStoreDamage {
    uint32_t table;                    /* UINT32_MAX: the structure of the file */
    char row[CN_STORE_ROW_TEXT_BYTES]; /* its key: a number or 'bytes'; "" if no row is meant */
    char message[CN_STORE_DAMAGE_BYTES];
} CnStoreDamage;

typedef struct CnStoreReport {
    CnStoreDamage *items; /* the first CN_STORE_REPORT_MAX_ITEMS */
    uint32_t item_count;
    uint64_t damage_count;              /* in total */
    uint64_t row_count;                 /* undamaged rows */
    uint64_t rows[CN_STORE_MAX_TABLES]; /* undamaged rows by table */
    CnAllocator *allocator;
} CnStoreReport;

CN_API void cn_store_report_free(CnStoreReport *report);

typedef struct CnStoreCheckDesc {
    /* Called for each undamaged row: returns false and an error if its value makes no sense to the
     * application. May be NULL. */
    bool (*verify)(const CnStoreRow *row, void *user, CnError *error);
    CnStoreProgress progress; /* rows and pages; may be NULL */
    void *user;
} CnStoreCheckDesc;

/* Checks the structure of the file, the checksum of each row, that logs have no gaps, and what
 * `verify` checks. `check` may be NULL. Returns true if the check ran, whatever it found; an error
 * if the file cannot be opened at all. Free the report in either case. */
CN_API bool cn_store_check(const CnStoreDesc *desc, const CnStoreCheckDesc *check,
                           CnStoreReport *report, CnError *error);

/* Copies every undamaged row to a new store at `path`, even from a file whose structure is
 * destroyed: it reads all pages and recognizes rows by their checksums. The report lists damaged
 * rows; what cannot be found at all is not listed. The file at desc->path is not changed. A row
 * that was deleted shortly before may reappear if the list of unused pages is damaged. `verify`
 * removes rows that make no sense. */
CN_API bool cn_store_salvage(const CnStoreDesc *desc, const char *path,
                             const CnStoreCheckDesc *check, CnStoreReport *report, CnError *error);

/* Moves the content of the write-ahead log into the file, as closing it properly does, so that the
 * file can be moved or copied alone. Fails with CN_ERROR_PERMISSION while the store is open. */
CN_API bool cn_store_settle(const CnStoreDesc *desc, CnError *error);

/* Writes a copy of all pages to a new file, whatever their version; damaged rows are copied as
 * well. It appears under its name when it is complete. */
CN_API bool cn_store_copy(const CnStoreDesc *desc, const char *path, CnStoreProgress progress,
                          void *user, CnError *error);

/* Writes a copy without unused space to a new file: for exporting, or to replace the original. */
CN_API bool cn_store_compact(const CnStoreDesc *desc, const char *path, CnStoreProgress progress,
                             void *user, CnError *error);

CN_EXTERN_C_END

#endif
