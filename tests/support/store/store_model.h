/*
 * What a store must contain after each of a series of random batches: saved ticks of an imaginary
 * game. Comparing hashes tells whether a recovered store is the state after one of them.
 */
#ifndef CAIRN_TESTS_SUPPORT_STORE_STORE_MODEL_H
#define CAIRN_TESTS_SUPPORT_STORE_STORE_MODEL_H

#include "random.h"

#include <cairn/base/bytes.h>
#include <cairn/store.h>

enum { MODEL_INFO, MODEL_CHUNKS, MODEL_EDITS, MODEL_TABLES, MODEL_KEYS = 40 };

static const CnStoreTableDesc model_tables[] = {
    [MODEL_INFO] = {.name = "info", .kind = CN_STORE_BY_BYTES},
    [MODEL_CHUNKS] = {.name = "chunks", .kind = CN_STORE_BY_NUMBER, .compress_above_bytes = 1000},
    [MODEL_EDITS] = {.name = "edits", .kind = CN_STORE_LOG},
};

typedef struct StoreModel {
    uint64_t tick;
    uint64_t chunks[MODEL_KEYS]; /* tick of the last change; 0: none */
    int64_t log_first, log_next;
} StoreModel;

static inline CnStoreDesc model_desc(const char *path)
{
    return (CnStoreDesc){.path = path,
                         .application = "test.model",
                         .version = 1,
                         .tables = model_tables,
                         .table_count = MODEL_TABLES,
                         .retry_ms = 1};
}

static inline uint64_t model_mix(uint64_t a, uint64_t b)
{
    TestRandom random = {a * UINT64_C(0x9e3779b97f4a7c15) ^ b};
    test_random(&random);
    return test_random(&random);
}

/* The value of a chunk: its size and bytes follow from key and tick. */
#define MODEL_MAX_BYTES 9000u
static inline size_t model_value(uint64_t key, uint64_t tick, uint8_t *bytes)
{
    TestRandom random = {model_mix(key, tick)};
    size_t size =
        test_random_below(&random, test_random_chance(&random, 20) ? MODEL_MAX_BYTES : 600);
    bool is_noise = test_random_chance(&random, 50);
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = is_noise ? test_random(&random) : tick;
        memcpy(bytes + i, &word, size - i < 8 ? size - i : 8);
    }
    return size;
}

static inline uint64_t model_hash_bytes(const uint8_t *bytes, size_t size)
{
    uint64_t hash = size;
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, size - i < 8 ? size - i : 8);
        hash = (hash ^ word) * UINT64_C(0x9fb21c651e98df25);
        hash ^= hash >> 32;
    }
    return hash;
}

static inline uint64_t model_row_hash(uint32_t table, uint64_t key, const uint8_t *bytes,
                                      size_t size)
{
    return model_mix(model_mix(table, key), model_hash_bytes(bytes, size));
}

/* The sum over all rows, as store_hash computes it from a store. */
static inline uint64_t model_hash(const StoreModel *model)
{
    uint8_t bytes[MODEL_MAX_BYTES + 8];
    uint64_t hash = 0;
    if (model->tick)
        hash += model_row_hash(MODEL_INFO, 4, (const uint8_t *)&model->tick, 8);
    for (uint64_t key = 0; key < MODEL_KEYS; key++)
        if (model->chunks[key])
            hash += model_row_hash(MODEL_CHUNKS, key, bytes,
                                   model_value(key, model->chunks[key], bytes));
    for (int64_t i = model->log_first; i < model->log_next; i++)
        hash += model_row_hash(MODEL_EDITS, (uint64_t)i, (const uint8_t *)&i, 8);
    return hash;
}

typedef struct StoreHash {
    uint64_t hash, tick, damaged;
} StoreHash;

static inline bool store_hash_row(const CnStoreRow *row, void *user, CnError *error)
{
    (void)error;
    StoreHash *hash = user;
    if (row->is_damaged) {
        hash->damaged++;
        return true;
    }
    uint64_t key = row->table == MODEL_INFO ? row->key.size : (uint64_t)row->key.number;
    hash->hash += model_row_hash(row->table, key, row->bytes, row->size);
    if (row->table == MODEL_INFO && row->size == 8)
        hash->tick = cn_load_u64(row->bytes);
    return true;
}

static inline bool store_hash(CnStore *store, StoreHash *hash, CnError *error)
{
    *hash = (StoreHash){0};
    for (uint32_t i = 0; i < MODEL_TABLES; i++)
        if (!cn_store_each(store, i, NULL, NULL, store_hash_row, hash, error))
            return false;
    return true;
}

/* Advances the model by a tick and adds what changes to a batch. */
static inline bool model_tick(StoreModel *model, TestRandom *random, CnStoreBatch *batch)
{
    uint8_t bytes[MODEL_MAX_BYTES + 8];
    uint64_t tick = ++model->tick;
    bool done = cn_store_batch_put(batch, MODEL_INFO, cn_store_text("tick"), &tick, 8, NULL);
    for (uint32_t n = test_random_below(random, 6); n > 0 && done; n--) {
        uint64_t key = test_random_below(random, MODEL_KEYS);
        bool removes = test_random_chance(random, 15);
        CnStoreKey at = cn_store_number((int64_t)key);
        model->chunks[key] = removes ? 0 : tick;
        done = removes ? cn_store_batch_remove(batch, MODEL_CHUNKS, at, NULL)
                       : cn_store_batch_put(batch, MODEL_CHUNKS, at, bytes,
                                            model_value(key, tick, bytes), NULL);
    }
    for (uint32_t n = test_random_below(random, 4); n > 0 && done; n--) {
        done = cn_store_batch_append(batch, MODEL_EDITS, &model->log_next, 8, NULL);
        model->log_next++;
    }
    if (done && model->log_next - model->log_first > 60) {
        CnStoreKey last = cn_store_number(model->log_first + 29);
        model->log_first += 30;
        done = cn_store_batch_remove_range(batch, MODEL_EDITS, NULL, &last, NULL);
    }
    return done;
}

static inline StoreModel model_start(void)
{
    return (StoreModel){.log_first = 1, .log_next = 1};
}

#endif
