/* The identity of worlds that nobody plays. */
#include "save_internal.h"

#define FLUSH_MS 20u
#define FLUSHES 3000u

CraftyWorldIdentity crafty_save_new_identity(uint64_t seed)
{
    return (CraftyWorldIdentity){.seed = seed,
                                 .random_seed = seed,
                                 .created_ms = crafty_unix_ms(),
                                 .generator = CRAFTY_GENERATOR_ID,
                                 .generator_version = CRAFTY_GENERATOR_VERSION};
}

/* Without name, seed and the names of the blocks, all other rows are worthless. The copies are in a
 * tree of their own, so that damage to one page of the file cannot destroy both. */
bool crafty_save_put_twice(CnStoreBatch *batch, const char *key, const void *bytes, size_t size,
                           CnError *error)
{
    return cn_store_batch_put(batch, CRAFTY_SAVE_INFO, cn_store_text(key), bytes, size, error) &&
           cn_store_batch_put(batch, CRAFTY_SAVE_COPY, cn_store_text(key), bytes, size, error);
}

bool crafty_save_flush_store(CnStore *store, CnError *error)
{
    CnStoreStatus status = {.state = CN_STORE_OK};
    bool done = false;
    for (uint32_t i = 0; i < FLUSHES && !done && status.state == CN_STORE_OK; i++) {
        done = cn_store_flush(store, FLUSH_MS, error);
        cn_store_status(store, &status);
    }
    return done;
}

static bool write_identity(CnStore *store, const CraftyWorldIdentity *identity, CnError *error)
{
    CnU8Array bytes;
    cn_array_init(&bytes, cn_system_allocator());
    CnStoreBatch *batch = cn_store_batch_create(store, error);
    bool done =
        batch &&
        (crafty_world_identity_write(identity, &bytes) ||
         cn_error_memory(error, "the description of the world")) &&
        crafty_save_put_twice(batch, CRAFTY_SAVE_KEY_IDENTITY, bytes.items, bytes.count, error);
    if (done) {
        cn_store_submit(store, batch); /* the queue is empty */
        batch = NULL;
        done = crafty_save_flush_store(store, error);
    }
    cn_store_batch_destroy(batch);
    cn_array_fini(&bytes);
    return done;
}

bool crafty_save_write_identity(const char *path, CnStoreMode mode,
                                const CraftyWorldIdentity *identity, CnError *error)
{
    CnStoreDesc desc = crafty_save_store_desc(path, mode);
    CnStore *store = cn_store_create(&desc, error);
    bool done = store && write_identity(store, identity, error);
    cn_store_destroy(store);
    return done;
}
