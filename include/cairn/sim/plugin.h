/*
 * Plugins: units of a program that add components, resources and systems to a simulation.
 *
 *     static bool build(CnSim *sim, void *user, CnError *error)
 *     {
 *         cn_system(cn_sim_world(sim), graze, .stage = CN_STAGE_UPDATE);
 *         return true;
 *     }
 *
 *     const CnPlugin sheep = {.name = "Sheep", .version = 1, .needs = {"Random"}, .build = build};
 *     cn_sim_add_plugin(sim, &sheep, &error);
 *
 * A plugin is built when it is added; order is the order of adding. Plugins do not know each other:
 * they meet in the world, through resources, events and components. What comes with the engine is
 * made of plugins too, and these come first, in one fixed order (cn_core_plugins): a later one may
 * read what an earlier one has put into the world.
 *
 * A plugin that is there already, that comes before what it needs, or out of the fixed order is
 * refused with an error; one whose build fails is taken out again. The simulation goes on either way.
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
    const char *needs[CN_MAX_PLUGIN_NEEDS]; /* names of plugins that must be there */
    /* False and an error: everything it added so far is removed. */
    bool (*build)(CnSim *sim, void *user, CnError *error);
    /* Before it goes, or the simulation ends; the last added first. */
    void (*finish)(CnSim *sim, void *user);
    void *user;
} CnPlugin;

/* Between ticks. The function pointers must stay valid until the plugin is removed. A plugin may add
 * others while it is built: these come before it. */
CN_API bool cn_sim_add_plugin(CnSim *sim, const CnPlugin *plugin, CnError *error);
/* Between ticks: calls finish, then removes its systems and hooks; what it put into the world stays.
 * Refused while another plugin needs it. */
CN_API bool cn_sim_remove_plugin(CnSim *sim, const char *name, CnError *error);
/* Between ticks: other code for the plugin of this name, built in its place: its systems keep their
 * order, and what it put into the world is the state it goes on with. `finish` of the old code is
 * called first. When the new code cannot be built, the old is built again, and if that fails too the
 * plugin is removed. */
CN_API bool cn_sim_replace_plugin(CnSim *sim, const CnPlugin *plugin, CnError *error);

CN_API bool cn_sim_has_plugin(const CnSim *sim, const char *name);
CN_API uint32_t cn_sim_plugin_count(const CnSim *sim);
/* In order of adding; NULL beyond the last. */
CN_API const char *cn_sim_plugin_name(const CnSim *sim, uint32_t index);

/* The names of what comes with the engine in the order in which it is added, NULL at the end. */
CN_API const char *const *cn_core_plugins(void);

CN_EXTERN_C_END

#endif
