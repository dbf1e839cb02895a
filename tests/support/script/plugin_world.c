#include "plugin_world.h"

static bool register_types(CnSim *sim, void *user, CnError *error)
{
    CnWorld *world = cn_sim_world(sim);
    (void)user, (void)error;
    return cn_register(world, PluginPlace).id && cn_register(world, PluginSpeed).id &&
           cn_register(world, PluginFrozen).id &&
           cn_register(world, PluginHeat, .layout = CN_LAYOUT_FIELDS).id;
}

bool plugin_world_init(PluginWorld *w, const PluginWorldDesc *desc)
{
    *w = (PluginWorld){.desc = *desc};
    memory_files_init(&w->files);
    const CnPlugin objects = cn_scene_plugin();
    w->sim = cn_sim_create(&(CnSimDesc){.allocator = desc->allocator,
                                        .jobs = desc->jobs,
                                        .seed = 7,
                                        .core = &objects,
                                        .core_count = 1},
                           &w->error);
    w->world = w->sim ? cn_sim_world(w->sim) : NULL;
    const CnPlugin types = {.name = "Types", .version = 1, .build = register_types};
    return w->sim && cn_sim_add_plugin(w->sim, &types, &w->error);
}

void plugin_world_fini(PluginWorld *w)
{
    cn_sim_destroy(w->sim);
    *w = (PluginWorld){0};
}

bool plugin_world_load(PluginWorld *w, const char *path, const char *code)
{
    CnScriptSystemDesc *desc = &w->plugins[w->plugin_count++];
    *desc = (CnScriptSystemDesc){.files = &w->files.files,
                                 .path = path,
                                 .trusted = !w->desc.untrusted,
                                 .unchecked = w->desc.unchecked};
    memory_files_set(&w->files, path, code);
    CnPlugin plugin = cn_script_system_plugin(desc);
    w->error = (CnError){0};
    return cn_sim_add_plugin(w->sim, &plugin, &w->error);
}

CnEntity plugin_world_mover(PluginWorld *w, float x)
{
    return cn_spawn(w->world, cn_with(PluginPlace, {x, 0, 0}), cn_with(PluginSpeed, {1, 2, 3}));
}

const char *plugin_world_system_error(PluginWorld *w, const char *system)
{
    return cn_script_system_error(w->world, system, &w->error) ? w->error.message : "";
}
