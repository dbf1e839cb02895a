/*
 * A batch: changes to any tables of a store that become durable together or not at all.
 *
 *     CnStoreBatch *batch = cn_store_batch_create(store, &error);
 *     if (batch && cn_store_batch_put(batch, INFO, cn_store_text("name"), "Home", 4, &error) &&
 *         cn_store_batch_append(batch, EDITS, edit, sizeof edit, &error) &&
 *         cn_store_submit(store, batch))                 // the store owns the batch now
 *         batch = NULL;
 *     cn_store_batch_destroy(batch);
 *
 * One thread at a time builds a batch, on any thread. After it was submitted, nobody changes it.
 * Changes apply in the order in which they were added. Functions that add a change return false and
 * an error when out of memory or beyond a limit; the batch is then as before.
 */
#ifndef CAIRN_STORE_BATCH_H
#define CAIRN_STORE_BATCH_H

#include <cairn/base/memory.h>
#include <cairn/store/table.h>

CN_EXTERN_C_BEGIN

typedef struct CnStore CnStore;
typedef struct CnStoreBatch CnStoreBatch;

/* Creates an empty batch. Returns NULL and an error when out of memory. */
CN_API CnStoreBatch *cn_store_batch_create(CnStore *store, CnError *error);
/* Frees a batch that was not submitted. NULL is ignored. */
CN_API void cn_store_batch_destroy(CnStoreBatch *batch);

/* Sets the value of a key. Not for logs. */
CN_API bool cn_store_batch_put(CnStoreBatch *batch, uint32_t table, CnStoreKey key,
                               const void *bytes, size_t size, CnError *error);
/* The same without a copy: the batch takes the block, also when it returns false, and frees it with
 * `allocator`, on the writer thread. `capacity` is the size with which it was allocated. */
CN_API bool cn_store_batch_put_owned(CnStoreBatch *batch, uint32_t table, CnStoreKey key,
                                     void *bytes, size_t size, size_t capacity,
                                     CnAllocator *allocator, CnError *error);
/* Appends a record to a log. It gets the next number when the batch is submitted. */
CN_API bool cn_store_batch_append(CnStoreBatch *batch, uint32_t table, const void *bytes,
                                  size_t size, CnError *error);
/* Removes a row, if it exists. Not for logs. */
CN_API bool cn_store_batch_remove(CnStoreBatch *batch, uint32_t table, CnStoreKey key,
                                  CnError *error);
/* Removes all rows from `first` to `last`, both included. NULL: no bound on this side. A log can
 * only be cut at its start: `first` is NULL there. */
CN_API bool cn_store_batch_remove_range(CnStoreBatch *batch, uint32_t table,
                                        const CnStoreKey *first, const CnStoreKey *last,
                                        CnError *error);

CN_API uint32_t cn_store_batch_count(const CnStoreBatch *batch); /* changes */
CN_API uint64_t cn_store_batch_bytes(const CnStoreBatch *batch); /* of keys and values */

CN_EXTERN_C_END

#endif
