/* Saving simulations in stores. A saved row is the data of cn_sim_save and a trailer:
 * u64 tick, u64 hash, 8 bytes "CNSAVE1\n". */
#include "sim/sim_internal.h"

#include <cairn/base/bytes.h>
#include <cairn/sim/save.h>

#define MAGIC "CNSAVE1\n"
#define MAGIC_BYTES 8u
#define TRAILER_BYTES (8u + 8u + MAGIC_BYTES)

static bool append_trailer(const CnSim *sim, CnSnapshot *snapshot, CnError *error)
{
    size_t size = snapshot->size + TRAILER_BYTES;
    if (size > snapshot->capacity) {
        uint8_t *grown = cn_realloc(snapshot->allocator, snapshot->bytes, snapshot->capacity, size);
        if (!grown)
            return cn_error_memory(error, "saving a simulation");
        snapshot->bytes = grown;
        snapshot->capacity = size;
    }
    uint64_t numbers[2] = {cn_sim_tick(sim), cn_sim_hash(sim)};
    memcpy(snapshot->bytes + snapshot->size, numbers, sizeof numbers);
    memcpy(snapshot->bytes + snapshot->size + sizeof numbers, MAGIC, MAGIC_BYTES);
    snapshot->size = size;
    return true;
}

bool cn_sim_save_to(const CnSim *sim, CnStoreBatch *batch, uint32_t table, CnStoreKey key,
                    CnError *error)
{
    CN_ASSERT(sim && batch, "%s: an argument is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "sim", cn_world_unhandled_errors(sim->world));
    CnSnapshot snapshot;
    if (!cn_sim_save(sim, &snapshot, error))
        return false;
    if (!append_trailer(sim, &snapshot, error)) {
        cn_snapshot_free(&snapshot);
        return false;
    }
    return cn_store_batch_put_owned(batch, table, key, snapshot.bytes, snapshot.size,
                                    snapshot.capacity, snapshot.allocator, error);
}

bool cni_sim_restore_row(CnSim *sim, const uint8_t *bytes, size_t row_size, CnSimSaved *saved,
                         CnError *error)
{
    if (row_size < TRAILER_BYTES || memcmp(bytes + row_size - MAGIC_BYTES, MAGIC, MAGIC_BYTES) != 0)
        return cn_error_set(error, CN_ERROR_FORMAT,
                            "the saved simulation has another format: it was saved by another "
                            "version of the program");
    size_t size = row_size - TRAILER_BYTES;
    if (saved)
        *saved = (CnSimSaved){cn_load_u64(bytes + size), cn_load_u64(bytes + size + 8)};
    return cn_sim_restore(sim, bytes, size, error);
}

bool cn_sim_restore_from(CnSim *sim, CnStore *store, uint32_t table, CnStoreKey key,
                         CnSimSaved *saved, bool *found, CnError *error)
{
    CN_ASSERT(sim && store && found, "%s: an argument is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "sim", cn_world_unhandled_errors(sim->world));
    CnU8Array bytes;
    cn_array_init(&bytes, sim->allocator);
    bool done = cn_store_get(store, table, key, &bytes, found, error) &&
                (!*found || cni_sim_restore_row(sim, bytes.items, bytes.count, saved, error));
    cn_array_fini(&bytes);
    return done;
}
