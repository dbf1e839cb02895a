/*
 * Saving simulations in stores: one row holds the whole state, so a batch can save it together with
 * everything else that belongs to it.
 *
 *     typedef enum Table { SAVES } Table;
 *
 *     bool save(CnSim *sim, CnStore *store, CnError *error)
 *     {
 *         CnStoreBatch *batch = cn_store_batch_create(store, error);
 *         if (batch && cn_sim_save_to(sim, batch, SAVES, cn_store_text("sim"), error) &&
 *             cn_store_submit(store, batch))
 *             return true;
 *         cn_store_batch_destroy(batch);
 *         return false;
 *     }
 *
 * The cost for the tick is that of cn_sim_save; compressing and writing happen on the store's
 * thread. The simulation's allocator must be thread-safe, as the system allocator and heaps are,
 * because that thread frees the memory.
 */
#ifndef CAIRN_SIM_SAVE_H
#define CAIRN_SIM_SAVE_H

#include <cairn/sim/loop.h>
#include <cairn/store/store.h>

CN_EXTERN_C_BEGIN

typedef struct CnSimSaved {
    uint64_t tick;
    uint64_t hash; /* cn_sim_hash when it was saved */
} CnSimSaved;

/* Adds the state of the world and the state sections to a batch, between ticks. */
CN_API bool cn_sim_save_to(const CnSim *sim, CnStoreBatch *batch, uint32_t table, CnStoreKey key,
                           CnError *error);
/* Restores a saved state. *found tells whether there is one; without one, nothing changes. `saved`
 * may be NULL. In a program that registers the same components, cn_sim_hash is saved->hash
 * afterwards; where fields were added or removed since, it differs. */
CN_API bool cn_sim_restore_from(CnSim *sim, CnStore *store, uint32_t table, CnStoreKey key,
                                CnSimSaved *saved, bool *found, CnError *error);

CN_EXTERN_C_END

#endif
