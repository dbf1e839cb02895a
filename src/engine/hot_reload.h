/* Hot reload: errors of the engine beside those of changed files. */
#ifndef CAIRN_SRC_ENGINE_HOT_RELOAD_H
#define CAIRN_SRC_ENGINE_HOT_RELOAD_H

#include "engine/standing_errors.h"

#include <cairn/engine/hot_reload.h>

struct CnHotReload {
    CnHotReloadDesc desc;
    CnFileWatch *watch;
    CnFileChanges changes; /* that were reported; valid until the next poll */
    CnNames waiting;       /* changes for the simulations */
    bool is_waiting_logged;
    CniEngineStandingErrors standing;

    CnPluginHost *hosts[CN_HOT_RELOAD_MAX_HOSTS];
    uint32_t host_count;

    /* What the watched folders depend on. */
    uint32_t vfs_version, scene_count, plugin_count;
};

/* Stores why the materials of a scene are not in use; NULL: they are. */
void cni_engine_hot_reload_note_materials(CnHotReload *reload, const CnScene *scene,
                                          const CnError *error);

#endif
