/*
 * Plugins in shared libraries, loaded, unloaded and reloaded while a simulation runs.
 *
 *     // weather.c, compiled to weather.so
 *     static bool build(CnSim *sim, void *user, CnError *error)
 *     {
 *         return true;
 *     }
 *
 *     CN_NATIVE_PLUGIN(.name = "Weather", .version = 3, .needs = {"Random"}, .build = build);
 *
 * The program:
 *
 *     CnError error = {0};
 *     CnSim *sim = cn_sim_create(NULL, &error);
 *     CnPluginHost *host = cn_plugin_host_create(sim, &error);
 *     cn_plugin_load(host, "weather.so", &error);
 *     for (int frame = 0; frame < 600; frame++) {
 *         cn_plugin_reload_changed(host, &error);      // between ticks
 *         cn_sim_frame(sim, 1.0 / 60, &error);
 *     }
 *     cn_plugin_host_destroy(host);
 *     cn_sim_destroy(sim);
 *
 * A plugin keeps its state in the world, in components and resources. Its code can then be replaced
 * between two ticks, and the simulation continues with exactly the same state: systems keep their
 * position in the schedule. Static variables of the library are lost.
 *
 * A plugin has all rights of the program; load only libraries whose authors you trust
 * (docs/security.md). A library is checked before any of its code runs.
 *
 * Loading fails with an error if the library has a different interface version, lacks the table,
 * was compiled for another processor, belongs to another user or may be written by others,
 * has a name that is in use, or needs a plugin that is missing. If reloading fails, the old code
 * stays.
 */
#ifndef CAIRN_PLUGIN_NATIVE_H
#define CAIRN_PLUGIN_NATIVE_H

#include <cairn/base/file.h>
#include <cairn/sim/plugin.h>

CN_EXTERN_C_BEGIN

/* Incremented with every change of the public structs or functions that affects plugins. */
#define CN_PLUGIN_ABI 2u

/* Sizes of the structs that plugins and the engine exchange. They detect a library that was
 * compiled with different headers or flags under the same CN_PLUGIN_ABI. */
#define CN_PLUGIN_SIZES                                                                            \
    ((uint64_t)sizeof(CnPlugin) | (uint64_t)sizeof(CnSystemDesc) << 16 |                           \
     (uint64_t)sizeof(CnSystemContext) << 32 | (uint64_t)sizeof(CnChunkView) << 48)

/* Exported by a library as cn_plugin_table. New fields are added at the end. */
typedef struct CnPluginTable {
    uint32_t size; /* of this struct */
    uint32_t abi;
    uint64_t sizes;
    bool guards; /* compiled with CN_GUARDS */
    CnPlugin plugin;
} CnPluginTable;

#ifdef CN_GUARDS
#define CNI_PLUGIN_GUARDS true
#else
#define CNI_PLUGIN_GUARDS false
#endif

#define CN_NATIVE_PLUGIN(...)                                                                      \
    __attribute__((visibility("default"))) extern const CnPluginTable cn_plugin_table;             \
    const CnPluginTable cn_plugin_table = {                                                        \
        sizeof(CnPluginTable), CN_PLUGIN_ABI, CN_PLUGIN_SIZES, CNI_PLUGIN_GUARDS, {__VA_ARGS__}}

typedef struct CnPluginHost CnPluginHost;

/* Creates the host of a simulation; one per simulation. Destroy it before the simulation: it
 * unloads all plugins in reverse order of loading. */
CN_API CnPluginHost *cn_plugin_host_create(CnSim *sim, CnError *error);
CN_API void cn_plugin_host_destroy(CnPluginHost *host);

/* Call the following functions between ticks. */
CN_API bool cn_plugin_load(CnPluginHost *host, const char *path, CnError *error);
/* Unloads the plugin with this name. Fails while another plugin needs it. */
CN_API bool cn_plugin_unload(CnPluginHost *host, const char *name, CnError *error);
/* Loads the library again from the same path; its plugin must have the same name. */
CN_API bool cn_plugin_reload(CnPluginHost *host, const char *name, CnError *error);
/* Reloads plugins whose files have changed, and returns how many. A file that could not be
 * loaded is tried again when it changes again; `error` describes the last failure. */
CN_API uint32_t cn_plugin_reload_changed(CnPluginHost *host, CnError *error);

/* Stores the errors of plugins whose newest libraries are not in use. Returns how many were stored.
 * For displays. */
CN_API uint32_t cn_plugin_errors(const CnPluginHost *host, CnError *errors, uint32_t capacity);
/* Returns the path of a loaded library by its number from 0, or NULL. */
CN_API const char *cn_plugin_path(const CnPluginHost *host, uint32_t index);

CN_EXTERN_C_END

#endif
