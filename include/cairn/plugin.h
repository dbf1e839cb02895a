/*
 * cairn/plugin: sources of plugins, in addition to those that a program adds itself.
 *
 * Modules are compiled in: folders under modules/ that modules.toml enables (plugin/module.h).
 * Shared libraries are loaded at run time, and reloaded when they change (plugin/native.h). Both
 * use cn_sim_add_plugin (sim/plugin.h).
 */
#ifndef CAIRN_PLUGIN_H
#define CAIRN_PLUGIN_H

#include <cairn/plugin/module.h>
#include <cairn/plugin/native.h>

#endif
