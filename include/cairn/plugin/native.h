/*
 * Plugins in shared libraries, loaded, unloaded and reloaded while a simulation runs.
 *
 *     // weather.c, compiled to weather.so
 *     static bool build(CnSim *sim, void *user, CnError *error) { ... }
 *     CN_NATIVE_PLUGIN(.name = "Weather", .version = 3, .needs = {"Random"}, .build = build);
 *
 *     // the program
 *     CnPluginHost *host = cn_plugin_host_create(sim, &error);
 *     cn_plugin_load(host, "weather.so", &error);
 *     for (;;) {
 *         cn_plugin_reload_changed(host, &error);      // between ticks
 *         cn_sim_frame(sim, seconds, &error);
 *     }
 *
 * What a plugin must keep lies in the world: components and resources. Its code may then be replaced
 * between two ticks, and the simulation goes on as if nothing had happened: systems keep their places,
 * so not a bit of the state differs. Static variables of the library are lost.
 *
 * A library of another interface, without the table, with a name that is taken, or that needs what
 * is not there, is refused with an error; on reload the old code then stays.
 */
#ifndef CAIRN_PLUGIN_NATIVE_H
#define CAIRN_PLUGIN_NATIVE_H

#include <cairn/base/file.h>
#include <cairn/sim/plugin.h>

CN_EXTERN_C_BEGIN

/* Rises with every change of the public structs or functions that a plugin could notice. */
#define CN_PLUGIN_ABI 2u

/* Sizes of what a plugin and the engine hand to each other: catches a library compiled with other
 * headers or other flags under the same number. */
#define CN_PLUGIN_SIZES                                                                            \
    ((uint64_t)sizeof(CnPlugin) | (uint64_t)sizeof(CnSystemDesc) << 16 |                           \
     (uint64_t)sizeof(CnSystemContext) << 32 | (uint64_t)sizeof(CnChunkView) << 48)

/* What a library exports under the name cn_plugin_table. New fields go to the end. */
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

/* One per simulation. Destroy it before the simulation: it unloads all, the last loaded first. */
CN_API CnPluginHost *cn_plugin_host_create(CnSim *sim, CnError *error);
CN_API void cn_plugin_host_destroy(CnPluginHost *host);

/* All of these between ticks. */
CN_API bool cn_plugin_load(CnPluginHost *host, const char *path, CnError *error);
CN_API bool cn_plugin_unload(CnPluginHost *host, const char *name, CnError *error);
/* From the same path; the new library must be a plugin of the same name. */
CN_API bool cn_plugin_reload(CnPluginHost *host, const char *name, CnError *error);
/* Reloads those whose file has changed; returns how many. A file that cannot be loaded is tried again
 * when it changes again; the error is that of the last such one. */
CN_API uint32_t cn_plugin_reload_changed(CnPluginHost *host, CnError *error);

CN_EXTERN_C_END

#endif
