/*
 * A simulation with Lua plugin files, for tests.
 *
 *     PluginWorld w;
 *     plugin_world_init(&w, &(PluginWorldDesc){0});
 *     assert_true(plugin_world_load(&w, "a.lua", "component('Health', { now = 'i32' })"));
 *     plugin_world_fini(&w);
 */
#ifndef CAIRN_TESTS_SUPPORT_SCRIPT_PLUGIN_WORLD_H
#define CAIRN_TESTS_SUPPORT_SCRIPT_PLUGIN_WORLD_H

#include "memory_files.h"

#include <cairn/scene.h>
#include <cairn/script.h>
#include <cairn/sim.h>

#define PLUGIN_WORLD_FILES 4u

CN_COMPONENT(PluginPlace, (f32, x), (f32, y), (f32, z));
CN_COMPONENT(PluginSpeed, (f32, x), (f32, y), (f32, z));
CN_COMPONENT(PluginHeat, (f32, now), (u16, zones, 4)); /* laid out by fields */
CN_TAG(PluginFrozen);

typedef struct PluginWorldDesc {
    CnAllocator *allocator;
    CnJobPool *jobs;
    bool untrusted, unchecked;
} PluginWorldDesc;

typedef struct PluginWorld {
    PluginWorldDesc desc;
    MemoryFiles files;
    CnSim *sim;
    CnWorld *world;
    CnScriptSystemDesc plugins[PLUGIN_WORLD_FILES];
    uint32_t plugin_count;
    CnError error; /* of the last failed load */
} PluginWorld;

bool plugin_world_init(PluginWorld *w, const PluginWorldDesc *desc);
void plugin_world_fini(PluginWorld *w);
/* Adds a file as a plugin. `path` must outlive the world. */
bool plugin_world_load(PluginWorld *w, const char *path, const char *code);
/* Spawns an entity with PluginPlace {x, 0, 0} and PluginSpeed {1, 2, 3}. */
CnEntity plugin_world_mover(PluginWorld *w, float x);
/* Returns the error of a disabled system; "" if it has not failed. */
const char *plugin_world_system_error(PluginWorld *w, const char *system);

#endif
