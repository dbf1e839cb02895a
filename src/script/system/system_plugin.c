/* Plugin files of a simulation: loading, reloading, cloning, status. */
#include "script/system/plugin_code.h"

#define MAX_FILE_BYTES (16u << 20)

/* A plugin file that a simulation has loaded. */
typedef struct CniScriptPlugin {
    struct CniScriptPlugin *next; /* in order of adding */
    CnAllocator *allocator;
    const CnScriptSystemDesc *desc;
    CniScriptPluginCode *code;
    CniScriptPluginCode *pending;  /* to be built instead of `code` */
    CniScriptPluginCode *previous; /* that `pending` has replaced, until all is checked */
    bool is_kept;                  /* `finish` leaves it, because a reload or a clone goes on */
    CnFileBytes text;
    CnFileInfo info;
    CnError reload_error; /* why the newest text is not in use; CN_OK: it is */
} CniScriptPlugin;

/* A transient resource. */
typedef struct CniScriptPlugins {
    CniScriptPlugin *first;
} CniScriptPlugins;
CN_OPAQUE(CniScriptPlugins);

static CniScriptPlugin *first_plugin(const CnWorld *world)
{
    const CniScriptPlugins *plugins = cn_resource(world, CniScriptPlugins);
    return plugins ? plugins->first : NULL;
}

static CniScriptPlugin *find(const CnWorld *world, const CnScriptSystemDesc *desc)
{
    CniScriptPlugin *plugin = first_plugin(world);
    while (plugin && plugin->desc != desc)
        plugin = plugin->next;
    return plugin;
}

/* ---- Creation ---- */

static bool append(CnWorld *world, CniScriptPlugin *plugin, CnError *error)
{
    if (!cn_register(world, CniScriptPlugins, .flags = CN_COMPONENT_TRANSIENT).id ||
        (!cn_resource(world, CniScriptPlugins) && !cn_resource_set(world, CniScriptPlugins, {0})))
        return cn_error_memory(error, "%s", plugin->desc->path);
    CniScriptPlugin **end = &cn_resource_mut(world, CniScriptPlugins)->first;
    while (*end)
        end = &(*end)->next;
    *end = plugin;
    return true;
}

static CniScriptPlugin *add(CnWorld *world, CnAllocator *allocator, const CnScriptSystemDesc *desc,
                            CnError *error)
{
    CniScriptPlugin *plugin = cn_alloc_zeroed(allocator, sizeof *plugin);
    if (!plugin) {
        cn_error_memory(error, "%s", desc->path);
        return NULL;
    }
    plugin->allocator = allocator;
    plugin->desc = desc;
    if (append(world, plugin, error))
        return plugin;
    cn_free(allocator, plugin, sizeof *plugin);
    return NULL;
}

static void drop(CnWorld *world, CniScriptPlugin *plugin)
{
    CniScriptPlugins *plugins = cn_resource_mut(world, CniScriptPlugins);
    CniScriptPlugin **at = &plugins->first;
    while (*at != plugin)
        at = &(*at)->next;
    *at = plugin->next;
    cni_script_plugin_code_free(plugin->code);
    cni_script_plugin_code_free(plugin->pending);
    cni_script_plugin_code_free(plugin->previous);
    cn_file_bytes_free(&plugin->text);
    cn_free(plugin->allocator, plugin, sizeof *plugin);
}

/* ---- Reading ---- */

static CnFileSystem *files_of(const CnScriptSystemDesc *desc)
{
    return desc->files ? desc->files : cn_native_files();
}

static bool check_trust(const CnScriptSystemDesc *desc, const CnFileBytes *bytes, CnError *error)
{
    if (bytes->budget && bytes->budget->origin == CN_ORIGIN_FOREIGN)
        return cn_error_set_at(error, CN_ERROR_PERMISSION, desc->path, 0, 0,
                               "systems in Lua have all rights of the program, and this file is "
                               "of foreign origin; write it as a script on an object, which runs "
                               "in the sandbox");
    return desc->trusted ||
           cn_error_set_at(error, CN_ERROR_PERMISSION, desc->path, 0, 0,
                           "systems in Lua have all rights of the program, and this file is not "
                           "trusted; set CnScriptSystemDesc.trusted if you trust its author, or "
                           "write it as a script on an object, which runs in the sandbox");
}

static bool read_file(const CniScriptPlugin *plugin, CnFileBytes *bytes, CnFileInfo *info,
                      CnError *error)
{
    const CnScriptSystemDesc *desc = plugin->desc;
    CnFileSystem *files = files_of(desc);
    *bytes = (CnFileBytes){0};
    if (!files->info(files, desc->path, info, error))
        return false;
    if (info->size_bytes > MAX_FILE_BYTES)
        return cn_error_set_at(error, CN_ERROR_LIMIT, desc->path, 0, 0,
                               "the file has %llu bytes; the limit is %u",
                               (unsigned long long)info->size_bytes, MAX_FILE_BYTES);
    if (!cn_file_read_all(files, desc->path, plugin->allocator, bytes, error))
        return false;
    if (check_trust(desc, bytes, error))
        return true;
    cn_file_bytes_free(bytes);
    return false;
}

static CniScriptPluginCode *compile(CnWorld *world, const CniScriptPlugin *plugin,
                                    const CnFileBytes *bytes, CnError *error)
{
    bool is_checked = !plugin->desc->unchecked;
#ifdef CN_GUARDS
    is_checked = true;
#endif
    CnText text = {(const char *)bytes->data, bytes->size};
    return cni_script_plugin_compile(world, plugin->allocator, plugin->desc->path, text, is_checked,
                                     error);
}

static bool load(CnWorld *world, CniScriptPlugin *plugin, CnError *error)
{
    if (!read_file(plugin, &plugin->text, &plugin->info, error))
        return false;
    plugin->code = compile(world, plugin, &plugin->text, error);
    return plugin->code != NULL;
}

/* ---- The plugin ---- */

/* The simulation adds the name of the plugin, which is the file, but not the line. */
static bool add_line(CnError *error)
{
    CnError whole = *error;
    if (whole.line)
        cn_error_set(error, whole.code, "line %d: %s", whole.line, whole.message);
    return false;
}

static bool build_code(CniScriptPlugin *plugin, CnError *error)
{
    if (!plugin->pending)
        return cni_script_plugin_code_build(plugin->code, error);
    plugin->pending->replaced = plugin->code;
    bool done = cni_script_plugin_code_build(plugin->pending, error);
    plugin->pending->replaced = NULL;
    if (done) {
        plugin->previous = plugin->code;
        plugin->code = plugin->pending;
        plugin->pending = NULL;
        return true;
    }
    cni_script_plugin_code_free(plugin->pending);
    plugin->pending = NULL; /* the next build is that of the old code */
    return false;
}

static bool build(CnSim *sim, void *user, CnError *error)
{
    CnWorld *world = cn_sim_world(sim);
    CniScriptPlugin *plugin = find(world, user);
    if (plugin)
        return build_code(plugin, error) || add_line(error);
    plugin = add(world, cn_sim_allocator(sim), user, error);
    if (!plugin)
        return false;
    if (load(world, plugin, error) && build_code(plugin, error))
        return true;
    drop(world, plugin);
    return add_line(error);
}

static void finish(CnSim *sim, void *user)
{
    CnWorld *world = cn_sim_world(sim);
    CniScriptPlugin *plugin = find(world, user);
    if (plugin && !plugin->is_kept)
        drop(world, plugin);
}

/* The clone runs the same text, even if the file has changed. */
static bool clone(CnSim *to, const CnSim *from, void *user, CnError *error)
{
    const CniScriptPlugin *old = find(cn_sim_world(from), user);
    CnWorld *world = cn_sim_world(to);
    CniScriptPlugin *plugin = add(world, cn_sim_allocator(to), user, error);
    if (!plugin)
        return false;
    plugin->info = old->info;
    plugin->text.allocator = plugin->allocator;
    plugin->text.data = cn_alloc(plugin->allocator, old->text.size + 1);
    if (!plugin->text.data)
        cn_error_memory(error, "%s", plugin->desc->path);
    else {
        plugin->text.size = old->text.size;
        memcpy(plugin->text.data, old->text.data, old->text.size + 1);
        plugin->code = compile(world, plugin, &plugin->text, error);
    }
    CnPlugin description = cn_script_system_plugin(user);
    if (plugin->code && cn_sim_add_plugin(to, &description, error))
        return true;
    drop(world, plugin);
    return false;
}

CnPlugin cn_script_system_plugin(const CnScriptSystemDesc *desc)
{
    CN_ASSERT(desc && desc->path, "a plugin file has no path");
    const char *name = strrchr(desc->path, '/');
    return (CnPlugin){.name = name ? name + 1 : desc->path,
                      .version = 1,
                      .build = build,
                      .finish = finish,
                      .clone = clone,
                      .user = (void *)(uintptr_t)desc};
}

/* ---- Reloading ---- */

static bool has_changed(CniScriptPlugin *plugin, CnFileBytes *bytes, CnError *error)
{
    CnFileSystem *files = files_of(plugin->desc);
    CnFileInfo info;
    *bytes = (CnFileBytes){0};
    if (!files->info(files, plugin->desc->path, &info, NULL) ||
        (info.size_bytes == plugin->info.size_bytes &&
         info.modified_ns == plugin->info.modified_ns))
        return false;
    plugin->info = info;
    if (!read_file(plugin, bytes, &info, error))
        return false;
    plugin->reload_error = (CnError){0};
    return bytes->size != plugin->text.size ||
           memcmp(bytes->data, plugin->text.data, bytes->size) != 0;
}

/* Builds `pending` in place of the code. */
static bool swap_code(CnSim *sim, CniScriptPlugin *plugin, CnError *error)
{
    CnPlugin description = cn_script_system_plugin(plugin->desc);
    plugin->is_kept = true;
    bool done = cn_sim_replace_plugin(sim, &description, error);
    plugin->is_kept = false;
    cni_script_plugin_code_free(plugin->pending);
    plugin->pending = NULL;
    return done;
}

/* Systems of other plugins may refer to systems that are gone, which would stop every tick. */
static bool check_schedule(CnWorld *world, CnError *error)
{
    for (CnStage stage = CN_STAGE_PRE_STARTUP; stage < CN_STAGE_COUNT; stage++) {
        uint32_t count;
        if (!cn_stage_systems(world, stage, NULL, 0, &count, error))
            return false;
    }
    return true;
}

static bool replace(CnSim *sim, CniScriptPlugin *plugin, const CnFileBytes *bytes, CnError *error)
{
    CnWorld *world = cn_sim_world(sim);
    plugin->pending = compile(world, plugin, bytes, error);
    if (!plugin->pending)
        return false;
    bool done = swap_code(sim, plugin, error);
    if (done && !check_schedule(world, error)) {
        plugin->pending = plugin->previous;
        plugin->previous = NULL;
        swap_code(sim, plugin, NULL);
        done = false;
    }
    cni_script_plugin_code_free(plugin->previous);
    plugin->previous = NULL;
    if (!done && !cn_sim_has_plugin(sim, cn_script_system_plugin(plugin->desc).name))
        drop(world, plugin);
    return done;
}

/* Returns whether the file was replaced. The bytes of the new text are kept for clones. */
static bool reload(CnSim *sim, CniScriptPlugin *plugin, CnError *error)
{
    CnFileBytes bytes;
    CnError wrong = {0};
    const CnScriptSystemDesc *desc = plugin->desc;
    bool done = has_changed(plugin, &bytes, &wrong) && replace(sim, plugin, &bytes, &wrong);
    if (done) {
        CnFileBytes old = plugin->text;
        plugin->text = bytes;
        bytes = old;
    } else if (wrong.code) {
        if (find(cn_sim_world(sim), desc) == plugin) /* it was not dropped */
            plugin->reload_error = wrong;
        if (error)
            *error = wrong;
    }
    cn_file_bytes_free(&bytes);
    return done;
}

uint32_t cn_script_system_reload(CnSim *sim, CnError *error)
{
    CN_ASSERT(sim, "%s: sim is NULL", __func__);
    CN_REPORT_UNHANDLED(error, "script", cn_world_unhandled_errors(cn_sim_world(sim)));
    uint32_t replaced = 0;
    CniScriptPlugin *next;
    for (CniScriptPlugin *plugin = first_plugin(cn_sim_world(sim)); plugin; plugin = next) {
        next = plugin->next;
        replaced += reload(sim, plugin, error);
    }
    return replaced;
}

/* ---- Status ---- */

bool cn_script_system_error(const CnWorld *world, const char *system, CnError *error)
{
    CN_ASSERT(world && system, "%s: an argument is NULL", __func__);
    cn_error_clear(error);
    for (const CniScriptPlugin *plugin = first_plugin(world); plugin; plugin = plugin->next)
        for (uint32_t i = 0; i < plugin->code->system_count; i++) {
            const CniScriptPluginSystem *other = &plugin->code->systems[i];
            if (strcmp(other->name, system) || !other->failed)
                continue;
            if (error)
                *error = other->error;
            return true;
        }
    return false;
}

uint32_t cn_script_system_failures(const CnWorld *world)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    uint32_t count = 0;
    for (const CniScriptPlugin *plugin = first_plugin(world); plugin; plugin = plugin->next)
        for (uint32_t i = 0; i < plugin->code->system_count; i++)
            count += plugin->code->systems[i].failed;
    return count;
}

uint32_t cn_script_system_errors(const CnWorld *world, CnError *errors, uint32_t capacity)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(errors || !capacity, "%s: errors is NULL", __func__);
    uint32_t count = 0;
    for (const CniScriptPlugin *plugin = first_plugin(world); plugin; plugin = plugin->next) {
        if (plugin->reload_error.code && count < capacity)
            errors[count++] = plugin->reload_error;
        for (uint32_t i = 0; i < plugin->code->system_count && !plugin->reload_error.code; i++)
            if (plugin->code->systems[i].failed && count < capacity)
                errors[count++] = plugin->code->systems[i].error;
    }
    return count;
}

const char *cn_script_system_file(const CnSim *sim, uint32_t index, CnFileSystem **files)
{
    CN_ASSERT(sim && files, "%s: an argument is NULL", __func__);
    const CniScriptPlugin *plugin = first_plugin(cn_sim_world(sim));
    for (; plugin && index; index--)
        plugin = plugin->next;
    *files = plugin ? plugin->desc->files : NULL;
    return plugin ? plugin->desc->path : NULL;
}
