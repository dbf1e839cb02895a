/* Bursts of particles that scripts start: sent with the snapshot of their tick, never saved. */
#ifndef CAIRN_SRC_SCRIPT_RUNTIME_SCRIPT_BURSTS_H
#define CAIRN_SRC_SCRIPT_RUNTIME_SCRIPT_BURSTS_H

#include <cairn/base/array.h>
#include <cairn/sim/extract.h>

typedef struct CniScriptRuntime CniScriptRuntime;

/* Per owner and tick. Those of all owners together fit into a snapshot. */
#define CNI_SCRIPT_MAX_BURSTS 64u
#define CNI_SCRIPT_MAX_TRUSTED_BURSTS 1024u
#define CNI_SCRIPT_MAX_BURST_PARTICLES 8192u
#define CNI_SCRIPT_MAX_TRUSTED_BURST_PARTICLES 65536u

typedef struct CniScriptBursts {
    CN_ARRAY(CnRenderBurst) waiting; /* for the end of the tick */
    uint64_t refused;                /* beyond a limit */
    uint64_t log_tick;               /* tick + 1 in which the last refusal was logged */
} CniScriptBursts;

void cni_script_bursts_init(CniScriptBursts *bursts, CnAllocator *allocator);
void cni_script_bursts_fini(CniScriptBursts *bursts);

/* Returns false when out of memory. */
bool cni_script_bursts_add(CniScriptBursts *bursts, const CnRenderBurst *burst);

/* The system that puts bursts into the snapshot, in PreExtract. */
bool cni_script_bursts_system_add(CniScriptRuntime *runtime, CnError *error);

#endif
