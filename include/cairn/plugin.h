/*
 * cairn/plugin: where plugins come from, beside those that a program adds itself.
 *
 * Modules are compiled in: folders under modules/ that modules.toml switches on (plugin/module.h).
 * Shared libraries are loaded while the program runs, and again when they change (plugin/native.h).
 * Both end in cn_sim_add_plugin (sim/plugin.h).
 */
#ifndef CAIRN_PLUGIN_H
#define CAIRN_PLUGIN_H

#include <cairn/plugin/module.h>
#include <cairn/plugin/native.h>

#endif
