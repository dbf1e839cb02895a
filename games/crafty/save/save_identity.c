/* The identity and the mods of worlds that nobody plays. */
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

/* ---- Mods ---- */

bool crafty_save_put_mods(CnStoreBatch *batch, const CraftyWorldMods *mods, bool has_mods,
                          CnError *error)
{
    CnTextBuilder text;
    if (mods->count == 0 && !has_mods)
        return true;
    cn_array_init(&text, cn_system_allocator());
    bool done = (crafty_world_mods_write(mods, &text) || cn_error_memory(error, "the mods")) &&
                crafty_save_put_twice(batch, CRAFTY_SAVE_KEY_MODS, text.items, text.count, error);
    cn_array_fini(&text);
    return done;
}

bool crafty_save_get_mods(CnStore *store, CraftyWorldMods *mods, bool *found, CnError *error)
{
    CnU8Array bytes;
    cn_array_init(&bytes, cn_system_allocator());
    mods->count = 0;
    bool done = cn_store_get(store, CRAFTY_SAVE_INFO, cn_store_text(CRAFTY_SAVE_KEY_MODS), &bytes,
                             found, error) &&
                (!*found || crafty_world_mods_read(
                                mods, (CnText){(const char *)bytes.items, bytes.count}, error));
    cn_array_fini(&bytes);
    return done;
}

/* ---- Writing ---- */

typedef struct Change {
    const CraftyWorldIdentity *identity; /* NULL: unchanged */
    const CraftyWorldMods *mods;         /* NULL: unchanged */
} Change;

static bool put_identity(CnStoreBatch *batch, const CraftyWorldIdentity *identity, CnError *error)
{
    CnU8Array bytes;
    cn_array_init(&bytes, cn_system_allocator());
    bool done =
        (crafty_world_identity_write(identity, &bytes) ||
         cn_error_memory(error, "the description of the world")) &&
        crafty_save_put_twice(batch, CRAFTY_SAVE_KEY_IDENTITY, bytes.items, bytes.count, error);
    cn_array_fini(&bytes);
    return done;
}

static bool write_change(CnStore *store, const Change *change, CnError *error)
{
    CnStoreBatch *batch = cn_store_batch_create(store, error);
    bool done = batch && (!change->identity || put_identity(batch, change->identity, error)) &&
                (!change->mods || crafty_save_put_mods(batch, change->mods, true, error));
    if (done) {
        cn_store_submit(store, batch); /* the queue is empty */
        batch = NULL;
        done = crafty_save_flush_store(store, error);
    }
    cn_store_batch_destroy(batch);
    return done;
}

static bool write_file(const char *path, CnStoreMode mode, const Change *change, CnError *error)
{
    CnStoreDesc desc = crafty_save_store_desc(path, mode);
    CnStore *store = cn_store_create(&desc, error);
    bool done = store && write_change(store, change, error);
    cn_store_destroy(store);
    return done;
}

bool crafty_save_write_identity(const char *path, CnStoreMode mode,
                                const CraftyWorldIdentity *identity, CnError *error)
{
    return write_file(path, mode, &(Change){.identity = identity}, error);
}

bool crafty_save_write_mods(const char *path, const CraftyWorldMods *mods, CnError *error)
{
    return write_file(path, CN_STORE_OPEN, &(Change){.mods = mods}, error);
}
