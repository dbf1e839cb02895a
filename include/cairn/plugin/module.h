/*
 * Modules: plugins that are chosen when the program is built.
 *
 * A folder modules/<name>/ has C sources, one of which defines the plugin:
 *
 *     const CnPlugin cn_module_wind = {.name = "Wind", .version = 1, .build = build};
 *
 * modules.toml says which are built in; the others cost nothing, not even compiling:
 *
 *     [modules]
 *     wind = true
 *     rain = false
 *
 * The build makes cn_module_table from it, in the order of the file, for programs that link to the
 * target cairn_modules:
 *
 *     cn_modules_add(sim, cn_module_table, &error);
 */
#ifndef CAIRN_PLUGIN_MODULE_H
#define CAIRN_PLUGIN_MODULE_H

#include <cairn/sim/plugin.h>

CN_EXTERN_C_BEGIN

/* NULL at the end. Defined by what the build generates. */
extern const CnPlugin *const cn_module_table[];

/* Adds all of them, in order. At the first that fails it stops; those before it stay. */
CN_API bool cn_modules_add(CnSim *sim, const CnPlugin *const *table, CnError *error);

CN_EXTERN_C_END

#endif
