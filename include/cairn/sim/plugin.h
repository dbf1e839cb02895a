/*
 * Plugins: parts of a program that add components, resources and systems to a simulation.
 *
 *     CN_COMPONENT(Sheep, (f32, hunger));
 *
 *     CN_SYSTEM(graze, (write, Sheep, sheep))
 *     {
 *         for (uint32_t i = 0; i < count; i++)
 *             sheep[i].hunger -= context->dt;
 *     }
 *
 *     static bool build(CnSim *sim, void *user, CnError *error)
 *     {
 *         cn_system(cn_sim_world(sim), graze, .stage = CN_STAGE_UPDATE);
 *         return true;
 *     }
 *
 *     const CnPlugin sheep_plugin = {.name = "Sheep", .version = 1, .build = build};
 *
 * cn_sim_add_plugin(sim, &sheep_plugin, &error) builds the plugin; plugins are ordered by when they
 * were added. They do not know each other, but communicate through resources, events and components
 * of the world. The engine itself consists of plugins, which come first and in a fixed order
 * (cn_core_plugins): a later one may read what an earlier one has added to the world.
 *
 * Adding a plugin fails if one with its name exists, if a plugin that it needs is missing, or if it
 * violates the fixed order. If its build function fails, everything it added is removed. The
 * simulation continues in either case.
 */
#ifndef CAIRN_SIM_PLUGIN_H
#define CAIRN_SIM_PLUGIN_H

#include <cairn/ecs/system.h>

CN_EXTERN_C_BEGIN

typedef struct CnSim CnSim;

#define CN_MAX_PLUGINS 256u
#define CN_MAX_PLUGIN_NEEDS 8u

typedef struct CnPlugin {
    const char *name; /* copied */
    uint32_t version;
    const char *needs[CN_MAX_PLUGIN_NEEDS]; /* names of plugins that must have been added before */
    /* Adds everything to the simulation. When it returns false and an error, everything that it
     * added so far is removed. */
    bool (*build)(CnSim *sim, void *user, CnError *error);
    /* Called before the plugin is removed or the simulation is destroyed, in reverse order of
     * adding. */
    void (*finish)(CnSim *sim, void *user);
    void *user;
    /* For cn_sim_clone: adds this plugin, which `sim` has, to `clone`, with a user of its own or
     * the same one if both can share it. NULL: a plugin without a user is added as it is; one
     * with a user cannot be cloned. */
    bool (*clone)(CnSim *clone, const CnSim *sim, void *user, CnError *error);
} CnPlugin;

/* Adds a plugin, between ticks. The function pointers must stay valid until the plugin is
 * removed. A plugin may add others from its build function; these come before it. */
CN_API bool cn_sim_add_plugin(CnSim *sim, const CnPlugin *plugin, CnError *error);
/* Calls `finish` and removes the plugin's systems and hooks, between ticks. What it added to the
 * world stays. Fails while another plugin needs it. */
CN_API bool cn_sim_remove_plugin(CnSim *sim, const char *name, CnError *error);
/* Replaces the code of the plugin with this name, between ticks. Its systems keep their order,
 * and the new code continues with what the old code added to the world. Calls `finish` of the
 * old code first. If the new code fails to build, the old code is built again; if that fails
 * too, the plugin is removed. */
CN_API bool cn_sim_replace_plugin(CnSim *sim, const CnPlugin *plugin, CnError *error);

CN_API bool cn_sim_has_plugin(const CnSim *sim, const char *name);
CN_API uint32_t cn_sim_plugin_count(const CnSim *sim);
/* Returns the name of a plugin in order of adding; NULL beyond the last. */
CN_API const char *cn_sim_plugin_name(const CnSim *sim, uint32_t index);

/* Returns the names of the engine's plugins in the order in which they are added;
 * NULL-terminated. */
CN_API const char *const *cn_core_plugins(void);

CN_EXTERN_C_END

#endif
