#include "sim/sim_internal.h"

#include <string.h>

/* ---- The fixed order ---- */

static const char *const core_order[] = {
    "CoreTiming", "Random", "Replay", "Scheduler", "Render", "Scene", "Asset",
    "MeshImport", "Io",     "Ui",     "Audio",     "Host",   NULL,
};

const char *const *cn_core_plugins(void)
{
    return core_order;
}

/* Returns the position of a plugin in the fixed order, or a rank behind all of them. */
static uint32_t rank_of(const char *name)
{
    uint32_t rank = 0;
    while (core_order[rank] && strcmp(core_order[rank], name))
        rank++;
    return rank;
}

/* ---- Lookup ---- */

static CniSimAddedPlugin *find(const CnSim *sim, const char *name)
{
    for (uint32_t i = 0; i < sim->plugins.count; i++)
        if (!strcmp(sim->plugins.items[i]->name, name))
            return sim->plugins.items[i];
    return NULL;
}

bool cn_sim_has_plugin(const CnSim *sim, const char *name)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    return find(sim, name) != NULL;
}

uint32_t cn_sim_plugin_count(const CnSim *sim)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    return sim->plugins.count;
}

const char *cn_sim_plugin_name(const CnSim *sim, uint32_t index)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    return index < sim->plugins.count ? sim->plugins.items[index]->name : NULL;
}

/* ---- Adding ---- */

static bool check_plugin(const CnSim *sim, const CnPlugin *plugin, CnError *error)
{
    if (!plugin->name || !plugin->name[0] || strlen(plugin->name) >= CN_MAX_NAME_BYTES)
        return cn_error_set(error, CN_ERROR_FORMAT, "a plugin needs a name of 1 to %u bytes",
                            CN_MAX_NAME_BYTES - 1);
    if (!plugin->build)
        return cn_error_set(error, CN_ERROR_FORMAT, "plugin %s has no build function",
                            plugin->name);
    for (uint32_t i = 0; i < CN_MAX_PLUGIN_NEEDS && plugin->needs[i]; i++)
        if (!find(sim, plugin->needs[i]))
            return cn_error_set(error, CN_ERROR_NOT_FOUND,
                                "plugin %s needs plugin %s, which has not been added", plugin->name,
                                plugin->needs[i]);
    return true;
}

static bool check_order(const CnSim *sim, const CnPlugin *plugin, CnError *error)
{
    const char *last = sim->plugins.count ? sim->plugins.items[sim->plugins.count - 1]->name : NULL;
    if (find(sim, plugin->name))
        return cn_error_set(error, CN_ERROR_EXISTS, "plugin %s already exists", plugin->name);
    if (sim->plugins.count == CN_MAX_PLUGINS)
        return cn_error_set(error, CN_ERROR_LIMIT, "plugin %s: the limit of %u plugins is reached",
                            plugin->name, CN_MAX_PLUGINS);
    if (last && rank_of(plugin->name) < rank_of(last))
        return cn_error_set(error, CN_ERROR_MISMATCH, "plugin %s must be added before %s",
                            plugin->name, last);
    return true;
}

static bool build(CnSim *sim, CniSimAddedPlugin *added, CnError *error)
{
    CnError local = {0};
    uint32_t outer = cn_world_set_owner(sim->world, added->owner);
    sim->building++;
    bool done = added->plugin.build(sim, added->plugin.user, &local);
    sim->building--;
    cn_world_set_owner(sim->world, outer);
    if (!done)
        cn_error_set(error, local.code ? local.code : CN_ERROR_MISMATCH,
                     "plugin %s cannot be built: %s", added->name,
                     local.code ? local.message : "it gives no reason");
    return done;
}

/* Removes everything that points into the plugin's code. */
static void take_out(CnSim *sim, const CniSimAddedPlugin *added)
{
    cn_owner_begin_replace(sim->world, added->owner);
    cn_owner_end_replace(sim->world, added->owner);
}

static bool is_between_ticks(const CnSim *sim, CnError *error)
{
    CN_ASSERT(!sim->ticking, "plugins can be added and removed only between ticks");
    return !sim->ticking || cn_error_set(error, CN_ERROR_PERMISSION,
                                         "plugins can be added and removed only between ticks");
}

bool cn_sim_add_plugin(CnSim *sim, const CnPlugin *plugin, CnError *error)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    CN_ASSERT(plugin, "%s: plugin is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "sim", cn_world_unhandled_errors(sim->world));
    if (!is_between_ticks(sim, error) || !check_plugin(sim, plugin, error) ||
        !check_order(sim, plugin, error))
        return false;
    CniSimAddedPlugin *added = cn_alloc_zeroed(sim->allocator, sizeof *added);
    if (!added || !cn_array_reserve(&sim->plugins, (uint64_t)sim->plugins.count + 1)) {
        cn_free(sim->allocator, added, sizeof *added);
        return cn_error_memory(error, "plugin %s", plugin->name);
    }
    cn_copy_text(added->name, sizeof added->name, cn_text(plugin->name));
    added->plugin = *plugin;
    added->owner = ++sim->last_owner;
    added->is_nested = sim->building > 0;
    bool done = build(sim, added, error);
    /* Reserve again: it may have added other plugins, which come before it. */
    if (done && !cn_array_reserve(&sim->plugins, (uint64_t)sim->plugins.count + 1)) {
        if (plugin->finish)
            plugin->finish(sim, plugin->user);
        done = cn_error_memory(error, "plugin %s", plugin->name);
    }
    if (!done) {
        take_out(sim, added);
        cn_free(sim->allocator, added, sizeof *added);
        return false;
    }
    sim->plugins.items[sim->plugins.count++] = added;
    return true;
}

/* ---- Removing and replacing ---- */

static void drop(CnSim *sim, CniSimAddedPlugin *added)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < sim->plugins.count; i++)
        if (sim->plugins.items[i] != added)
            sim->plugins.items[n++] = sim->plugins.items[i];
    sim->plugins.count = n;
    cn_free(sim->allocator, added, sizeof *added);
}

static const char *who_needs(const CnSim *sim, const char *name)
{
    for (uint32_t i = 0; i < sim->plugins.count; i++) {
        const CniSimAddedPlugin *other = sim->plugins.items[i];
        for (uint32_t n = 0; n < CN_MAX_PLUGIN_NEEDS && other->plugin.needs[n]; n++)
            if (!strcmp(other->plugin.needs[n], name))
                return other->name;
    }
    return NULL;
}

bool cn_sim_remove_plugin(CnSim *sim, const char *name, CnError *error)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "sim", cn_world_unhandled_errors(sim->world));
    if (!is_between_ticks(sim, error))
        return false;
    CniSimAddedPlugin *added = find(sim, name);
    if (!added)
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "there is no plugin named %s", name);
    const char *user = who_needs(sim, name);
    if (user)
        return cn_error_set(error, CN_ERROR_PERMISSION, "plugin %s is needed by %s", name, user);
    if (added->plugin.finish)
        added->plugin.finish(sim, added->plugin.user);
    take_out(sim, added);
    drop(sim, added);
    return true;
}

static bool build_in_place(CnSim *sim, CniSimAddedPlugin *added, const CnPlugin *plugin,
                           CnError *error)
{
    cn_owner_begin_replace(sim->world, added->owner);
    added->plugin = *plugin;
    if (build(sim, added, error))
        return true;
    cn_owner_begin_replace(sim->world, added->owner);
    return false;
}

bool cn_sim_replace_plugin(CnSim *sim, const CnPlugin *plugin, CnError *error)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    CN_ASSERT(plugin, "%s: plugin is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "sim", cn_world_unhandled_errors(sim->world));
    if (!is_between_ticks(sim, error) || !check_plugin(sim, plugin, error))
        return false;
    CniSimAddedPlugin *added = find(sim, plugin->name);
    if (!added)
        return cn_error_set(error, CN_ERROR_NOT_FOUND, "there is no plugin named %s", plugin->name);
    CnPlugin old = added->plugin;
    if (old.finish)
        old.finish(sim, old.user);
    bool done = build_in_place(sim, added, plugin, error);
    bool there = done || build_in_place(sim, added, &old, NULL);
    cn_owner_end_replace(sim->world, added->owner);
    if (!there)
        drop(sim, added);
    return done;
}

void cni_sim_finish_plugins(CnSim *sim)
{
    while (sim->plugins.count) {
        CniSimAddedPlugin *added = sim->plugins.items[sim->plugins.count - 1];
        if (added->plugin.finish)
            added->plugin.finish(sim, added->plugin.user);
        drop(sim, added);
    }
    cn_array_fini(&sim->plugins);
}

/* ---- Plugins of this module ---- */

static bool build_timing(CnSim *sim, void *user, CnError *error)
{
    CnWorld *world = sim->world;
    (void)user;
    bool known = cn_register(world, CnTime, .flags = CN_COMPONENT_TRANSIENT).id &&
                 cn_register(world, CnTimingInfo, .flags = CN_COMPONENT_TRANSIENT).id &&
                 cn_register(world, CnWindowSize, .flags = CN_COMPONENT_TRANSIENT).id &&
                 cn_resource_set(world, CnWindowSize, {0});
    sim->time = known ? cn_resource_set(world, CnTime, {.scale = 1}) : NULL;
    sim->timing = known ? cn_resource_set(world, CnTimingInfo, {0}) : NULL;
    return (sim->time && sim->timing && cni_sim_set_tick_info(sim, NULL)) ||
           cn_error_memory(error, "a plugin");
}

static bool build_random(CnSim *sim, void *user, CnError *error)
{
    (void)user;
    return cn_random_seed(sim->world, sim->seed, error);
}

static bool build_scheduler(CnSim *sim, void *user, CnError *error)
{
    (void)user;
    return cn_extract_add(sim->world, sim->outbox, error);
}

static bool build_io(CnSim *sim, void *user, CnError *error)
{
    (void)user;
    if (!cn_input_add(sim->world, error))
        return false;
    CnProducer *producer =
        cn_producer_create(sim->world, &(CnProducerDesc){.name = "input"}, error);
    if (producer)
        sim->input = cn_input_source(sim->world, producer);
    return producer != NULL;
}

static bool add_named(CnSim *sim, const char *name, const CnPlugin *plugins, uint32_t count,
                      CnError *error)
{
    for (uint32_t i = 0; i < count; i++)
        if (plugins[i].name && !strcmp(plugins[i].name, name) &&
            !cn_sim_add_plugin(sim, &plugins[i], error))
            return false;
    return true;
}

bool cni_sim_add_core(CnSim *sim, const CnPlugin *others, uint32_t count, CnError *error)
{
    const CnPlugin own[] = {
        {.name = "CoreTiming", .version = 1, .build = build_timing},
        {.name = "Random", .version = 1, .build = build_random},
        {.name = "Scheduler", .version = 1, .build = build_scheduler},
        {.name = "Io", .version = 1, .build = build_io},
    };
    for (uint32_t i = 0; i < count; i++)
        if (!others[i].name || !core_order[rank_of(others[i].name)])
            return cn_error_set(error, CN_ERROR_MISMATCH, "%s is not a plugin of the engine",
                                others[i].name ? others[i].name : "a plugin without a name");
    for (uint32_t i = 0; core_order[i]; i++)
        if (!add_named(sim, core_order[i], own, CN_COUNT_OF(own), error) ||
            !add_named(sim, core_order[i], others, count, error))
            return false;
    return true;
}
