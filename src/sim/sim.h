/* The inside of a simulation, shared by the files of this module that deal with it. */
#ifndef CAIRN_SRC_SIM_SIM_H
#define CAIRN_SRC_SIM_SIM_H

#include <cairn/sim.h>

typedef struct AddedPlugin {
    char name[CN_MAX_NAME_BYTES];
    uint32_t owner; /* of its systems and hooks in the world */
    bool is_nested; /* another plugin added it while that was built */
    CnPlugin plugin;
} AddedPlugin;

struct CnSim {
    CnAllocator *allocator;
    CnWorld *world;
    CnTickClock clock;
    CnTime *time; /* resources of the world; their addresses stay */
    CnTimingInfo *timing;
    CnInputSource input;
    CnOutbox *outbox;
    CnSimObserver observer;
    uint64_t seed;
    uint64_t tick; /* the next one */
    bool started, paused, ticking, stopping;
    CN_ARRAY(AddedPlugin *) plugins;
    uint32_t last_owner;
    uint32_t building; /* plugins that are being built, one inside of the other */
    CN_ARRAY(CnKeeper) keepers;
};

/* Without plugins. */
CnSim *cni_sim_create_bare(const CnSimDesc *desc, CnError *error);
/* Adds what comes with this module, and the `others`, in the fixed order. */
bool cni_sim_add_core(CnSim *sim, const CnPlugin *others, uint32_t count, CnError *error);
void cni_sim_finish_plugins(CnSim *sim);
/* Adds the parts of keepers to a snapshot of the world. */
bool cni_keepers_save(const CnSim *sim, CnSnapshot *snapshot, CnError *error);
/* How many of the bytes are the world's; false and an error when the parts behind it are damaged. */
bool cni_keepers_split(const void *bytes, size_t size, size_t *world_size, CnError *error);
/* Gives `to` the parts of the keepers of `from`, which have the same names. */
bool cni_keepers_copy(CnSim *to, const CnSim *from, CnError *error);
bool cni_keepers_restore(CnSim *sim, const void *bytes, size_t size, CnError *error);
bool cni_sim_put_tick(CnSim *sim, CnError *error);

#endif
