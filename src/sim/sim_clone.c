/* Cloning: creates a second simulation with the same plugins and the same state. */
#include "sim/sim_internal.h"

#include <cairn/ecs/clone.h>

static bool add_again(CnSim *clone, const CnSim *sim, const CniSimAddedPlugin *added,
                      CnError *error)
{
    CnPlugin plugin = added->plugin;
    plugin.name = added->name; /* the name in the description may no longer be valid */
    if (plugin.user && !plugin.clone)
        return cn_error_set(error, CN_ERROR_UNSUPPORTED,
                            "the simulation cannot be cloned: plugin %s has a user pointer and no "
                            "clone function (CnPlugin.clone)",
                            added->name);
    if (!plugin.clone)
        return cn_sim_add_plugin(clone, &plugin, error);
    if (!plugin.clone(clone, sim, plugin.user, error))
        return false;
    return cn_sim_has_plugin(clone, added->name) ||
           cn_error_set(error, CN_ERROR_MISMATCH,
                        "the simulation cannot be cloned: plugin %s did not add itself",
                        added->name);
}

/* Nested plugins are added by the plugin that contains them. */
static bool add_plugins(CnSim *clone, const CnSim *sim, CnError *error)
{
    for (uint32_t i = 0; i < sim->plugins.count; i++)
        if (!sim->plugins.items[i]->is_nested &&
            !add_again(clone, sim, sim->plugins.items[i], error))
            return false;
    return true;
}

static bool copy_state(CnSim *clone, const CnSim *sim, CnError *error)
{
    if (!cn_world_copy_state(clone->world, sim->world, error))
        return false;
    clone->tick = sim->tick;
    clone->clock = sim->clock;
    clone->started = sim->started;
    clone->paused = sim->paused;
    *clone->time = *sim->time;
    *clone->timing = *sim->timing;
    const CnWindowSize *size = cn_resource(sim->world, CnWindowSize);
    if (size)
        cn_sim_set_window_size(clone, size->width, size->height);
    return cni_sim_state_sections_copy(clone, sim, error);
}

CnSim *cn_sim_clone(const CnSim *sim, CnAllocator *allocator, CnError *error)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "sim", cn_world_unhandled_errors(sim->world));
    CN_ASSERT(!sim->ticking, "a simulation cannot be cloned from within a tick");
    if (sim->ticking) {
        cn_error_set(error, CN_ERROR_PERMISSION,
                     "a simulation cannot be cloned from within a tick");
        return NULL;
    }
    CnSim *clone =
        cni_sim_create_bare(&(CnSimDesc){.allocator = allocator ? allocator : sim->allocator,
                                         .tick_hz = sim->clock.tick_hz,
                                         .seed = sim->seed},
                            error);
    if (clone && add_plugins(clone, sim, error) && copy_state(clone, sim, error))
        return clone;
    cn_sim_destroy(clone);
    return NULL;
}
