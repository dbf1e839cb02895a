/* Internals of a simulation, shared by loop.c, plugin.c and state_section.c. */
#ifndef CAIRN_SRC_SIM_SIM_INTERNAL_H
#define CAIRN_SRC_SIM_SIM_INTERNAL_H

#include <cairn/sim.h>

typedef struct CniSimAddedPlugin {
    char name[CN_MAX_NAME_BYTES];
    uint32_t owner; /* of its systems and hooks in the world */
    bool is_nested; /* another plugin added it while that was built */
    CnPlugin plugin;
} CniSimAddedPlugin;

struct CnSim {
    CnAllocator *allocator;
    CnWorld *world;
    CnTickClock clock;
    CnTime *time; /* resources of the world; their addresses do not change */
    CnTimingInfo *timing;
    CnInputSource input;
    CnOutbox *outbox;
    CnSimObserver observer;
    CnSimObserver listeners[CN_SIM_MAX_LISTENERS];
    uint32_t listener_count;
    uint64_t seed;
    uint64_t tick; /* the number of the next tick */
    bool started, paused, ticking, stopping;
    char not_reproducible[160]; /* why; "": it is reproducible */
    uint64_t not_reproducible_tick;
    CN_ARRAY(CniSimAddedPlugin *) plugins;
    uint32_t last_owner;
    uint32_t building; /* plugins that are being built, one inside of the other */
    CN_ARRAY(CnStateSection) sections;
};

/* Creates a simulation without plugins. */
CnSim *cni_sim_create_bare(const CnSimDesc *desc, CnError *error);
/* Adds the plugins of this module and the `others`, in the fixed order. */
bool cni_sim_add_core(CnSim *sim, const CnPlugin *others, uint32_t count, CnError *error);
void cni_sim_finish_plugins(CnSim *sim);
/* Appends the state sections to a snapshot of the world. */
bool cni_sim_state_sections_save(const CnSim *sim, CnSnapshot *snapshot, CnError *error);
/* Determines how many of the bytes belong to the world; returns false and an error when the
 * sections behind it are damaged. */
bool cni_sim_state_sections_split(const void *bytes, size_t size, size_t *world_size,
                                  CnError *error);
/* Copies the state sections of `from` to `to`, which has sections with the same names. */
bool cni_sim_state_sections_copy(CnSim *to, const CnSim *from, CnError *error);
bool cni_sim_state_sections_restore(CnSim *sim, const void *bytes, size_t size, CnError *error);
bool cni_sim_set_tick_info(CnSim *sim, CnError *error);
/* Restores a row that cn_sim_save_to has added. */
bool cni_sim_restore_row(CnSim *sim, const uint8_t *bytes, size_t row_size, CnSimSaved *saved,
                         CnError *error);

#endif
