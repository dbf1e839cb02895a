/* Hot reload: watches files, and replaces what comes from those that have changed. */
#include "engine/hot_reload.h"

#include <cairn/base/clock.h>
#include <cairn/base/log.h>
#include <cairn/base/text.h>
#include <cairn/script.h>

#include <inttypes.h>
#include <limits.h>
#include <string.h>

/* ---- Simulations ---- */

static uint32_t scene_count(const CnHotReload *reload)
{
    return reload->desc.scenes ? cn_scenes_count(reload->desc.scenes) : 0;
}

/* Returns the simulation with this number; NULL beyond the last. */
static CnSim *sim_at(const CnHotReload *reload, uint32_t index)
{
    if (!reload->desc.scenes)
        return index == 0 ? reload->desc.sim : NULL;
    return index < scene_count(reload) ? cn_scene_sim(cn_scenes_at(reload->desc.scenes, index))
                                       : NULL;
}

static bool is_observed(const CnHotReload *reload)
{
    const CnSim *sim = sim_at(reload, 0);
    for (uint32_t i = 0; sim; sim = sim_at(reload, ++i))
        if (cn_sim_is_observed(sim))
            return true;
    return false;
}

/* ---- What is watched ---- */

static void watch_failed(const CnError *error)
{
    char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
    CN_LOG_WARNING("engine", "hot reload: %s", cn_error_text(error, text, sizeof text));
}

/* Watches the folder of a file of the operating system. */
static void watch_folder_of(CnHotReload *reload, const char *path)
{
    CnError error = {0};
    char folder[PATH_MAX] = ".", prefix[PATH_MAX] = "";
    const char *slash = strrchr(path, '/');
    CnText start = {path, slash ? (size_t)(slash - path) + 1 : 0};
    if (start.size && (!cn_copy_text(folder, sizeof folder, start) ||
                       !cn_copy_text(prefix, sizeof prefix, start)))
        return;
    if (!cn_file_watch_add(reload->watch, &(CnWatchedFolder){.path = folder, .prefix = prefix},
                           &error))
        watch_failed(&error);
}

static void watch_systems(CnHotReload *reload, const CnSim *sim)
{
    CnFileSystem *files;
    const char *path = cn_script_system_file(sim, 0, &files);
    for (uint32_t i = 0; path; path = cn_script_system_file(sim, ++i, &files))
        if (!files || files == cn_native_files())
            watch_folder_of(reload, path);
}

static uint32_t plugin_count(const CnHotReload *reload)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < reload->host_count; i++)
        for (uint32_t n = 0; cn_plugin_path(reload->hosts[i], n); n++)
            count++;
    return count;
}

/* Watches everything again when it may be in other folders. */
static void follow(CnHotReload *reload)
{
    CnError error = {0};
    uint32_t version = reload->desc.vfs ? cn_vfs_version(reload->desc.vfs) : 0;
    uint32_t scenes = scene_count(reload), plugins = plugin_count(reload);
    if (version == reload->vfs_version && scenes == reload->scene_count &&
        plugins == reload->plugin_count)
        return;
    if (version != reload->vfs_version) /* descriptors of mounts are used again */
        cn_file_watch_clear(reload->watch);
    reload->vfs_version = version;
    reload->scene_count = scenes;
    reload->plugin_count = plugins;
    if (reload->desc.vfs && !cn_vfs_watch(reload->desc.vfs, reload->watch, &error))
        watch_failed(&error);
    const CnSim *sim = sim_at(reload, 0);
    for (uint32_t i = 0; sim; sim = sim_at(reload, ++i))
        watch_systems(reload, sim);
    for (uint32_t i = 0; i < reload->host_count; i++)
        for (uint32_t n = 0; cn_plugin_path(reload->hosts[i], n); n++)
            watch_folder_of(reload, cn_plugin_path(reload->hosts[i], n));
}

/* ---- Creation and destruction ---- */

CnHotReload *cn_hot_reload_create(const CnHotReloadDesc *desc, CnError *error)
{
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    CnHotReload *reload = cn_alloc_zeroed(desc->allocator, sizeof *reload);
    if (!reload) {
        cn_error_memory(error, "hot reload");
        return NULL;
    }
    reload->desc = *desc;
    reload->scene_count = UINT32_MAX; /* so that everything is watched */
    cn_names_init(&reload->waiting, desc->allocator);
    cn_array_init(&reload->standing, desc->allocator);
    reload->watch = cn_file_watch_create(&(CnFileWatchDesc){.allocator = desc->allocator}, error);
    if (reload->watch) {
        follow(reload);
        return reload;
    }
    cn_hot_reload_destroy(reload);
    return NULL;
}

void cn_hot_reload_destroy(CnHotReload *reload)
{
    if (!reload)
        return;
    cn_file_watch_destroy(reload->watch);
    cn_names_fini(&reload->waiting);
    cn_array_fini(&reload->standing);
    cn_free(reload->desc.allocator, reload, sizeof *reload);
}

bool cn_hot_reload_add_plugins(CnHotReload *reload, CnPluginHost *host)
{
    CN_ASSERT(reload && host, "%s: an argument is NULL", __func__);
    if (reload->host_count == CN_HOT_RELOAD_MAX_HOSTS)
        return false;
    reload->hosts[reload->host_count++] = host;
    return true;
}

void cn_hot_reload_remove_plugins(CnHotReload *reload, const CnPluginHost *host)
{
    CN_ASSERT(reload, "%s: reload is NULL", __func__);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < reload->host_count; i++)
        if (reload->hosts[i] != host)
            reload->hosts[kept++] = reload->hosts[i];
    reload->host_count = kept;
}

/* ---- Files of the renderer ---- */

static uint32_t replace_file(CnHotReload *reload, const char *path)
{
    CnError error = {0};
    uint32_t count = cn_renderer_reload_file(reload->desc.renderer, path, &error);
    cni_engine_error_note(&reload->standing, CNI_ENGINE_ERROR_FILE, path, &error);
    return count;
}

static bool has_path(const CnFileChanges *changes, const char *path)
{
    for (uint32_t i = 0; i < changes->count; i++)
        if (!strcmp(changes->paths[i], path))
            return true;
    return false;
}

/* The reason of an error may lie in another file, such as a buffer of a model. */
static void retry_files(CnHotReload *reload)
{
    for (uint32_t i = reload->standing.count; i-- > 0;) {
        char path[CN_VFS_PATH_BYTES];
        if (reload->standing.items[i].kind != CNI_ENGINE_ERROR_FILE ||
            has_path(&reload->changes, reload->standing.items[i].name))
            continue;
        memcpy(path, reload->standing.items[i].name, sizeof path); /* the list changes */
        replace_file(reload, path);
    }
}

static void replace_files(CnHotReload *reload)
{
    for (uint32_t i = 0; i < reload->changes.count; i++) {
        const char *path = reload->changes.paths[i];
        uint32_t count = replace_file(reload, path);
        if (count) {
            char shown[CN_VFS_PATH_BYTES];
            CN_LOG_INFO("engine", "%s reloaded",
                        cn_text_escape(cn_text(path), shown, sizeof shown));
        }
    }
    retry_files(reload);
}

/* ---- Simulations ---- */

void cni_engine_hot_reload_note_materials(CnHotReload *reload, const CnScene *scene,
                                          const CnError *error)
{
    cni_engine_error_note(&reload->standing, CNI_ENGINE_ERROR_MATERIALS, cn_scene_name(scene),
                          error);
}

/* Those of other scenes are read when they become active. */
static void replace_materials(CnHotReload *reload, const CnScene *scene)
{
    CnError error = {0};
    if (!reload->desc.renderer || scene != cn_scenes_active(reload->desc.scenes))
        return;
    cn_materials_read_file(reload->desc.renderer, cn_scene_file(scene), &error);
    cni_engine_hot_reload_note_materials(reload, scene, &error);
}

static void replace_scene(CnHotReload *reload, CnScene *scene, const CnFileChanges *changes)
{
    CnError error = {0};
    CnSceneReload done;
    const char *name = cn_scene_name(scene);
    bool is_valid = cn_scene_reload(scene, cn_vfs_files(reload->desc.vfs), changes->paths,
                                    changes->count, &done, &error);
    if (done.is_read || !is_valid)
        cni_engine_error_note(&reload->standing, CNI_ENGINE_ERROR_SCENE, name, &error);
    if (is_valid && done.is_read) {
        CN_LOG_INFO("engine",
                    "scene %s reloaded before tick %" PRIu64
                    ": objects: %u changed, %u added, %u removed",
                    name, cn_sim_tick(cn_scene_sim(scene)), done.changed_objects,
                    done.added_objects, done.removed_objects);
    }
    if (done.has_other_materials ||
        cni_engine_error_stands(&reload->standing, CNI_ENGINE_ERROR_MATERIALS, name))
        replace_materials(reload, scene);
}

static void log_failure(const char *what, const CnError *error)
{
    char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
    if (error->code != CN_OK)
        CN_LOG_ERROR("engine", "%s: %s; the old version keeps running", what,
                     cn_error_text(error, text, sizeof text));
}

static uint32_t replace_plugins(CnHotReload *reload)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < reload->host_count; i++) {
        CnError error = {0};
        count += cn_plugin_reload_changed(reload->hosts[i], &error);
        log_failure("a plugin is not reloaded", &error);
    }
    CnSim *sim = sim_at(reload, 0);
    for (uint32_t i = 0; sim; sim = sim_at(reload, ++i)) {
        CnError error = {0};
        count += cn_script_system_reload(sim, &error);
        log_failure("systems in Lua are not reloaded", &error);
    }
    return count;
}

static uint32_t replace_scripts(CnHotReload *reload)
{
    uint32_t count = 0;
    CnSim *sim = sim_at(reload, 0);
    for (uint32_t i = 0; sim; sim = sim_at(reload, ++i)) {
        CnError error = {0};
        count += cn_script_reload(cn_sim_world(sim), &error); /* it logs errors of files */
        log_failure("scripts are not reloaded", &error);
    }
    return count;
}

static void forget_gone_scenes(CnHotReload *reload)
{
    for (uint32_t i = reload->standing.count; i-- > 0;) {
        const CniEngineStandingError *entry = &reload->standing.items[i];
        if (entry->kind != CNI_ENGINE_ERROR_FILE &&
            !cn_scenes_find(reload->desc.scenes, entry->name))
            reload->standing.items[i] = reload->standing.items[--reload->standing.count];
    }
}

static void replace_state(CnHotReload *reload, const CnFileChanges *changes)
{
    uint32_t plugins = replace_plugins(reload), scripts = replace_scripts(reload);
    for (uint32_t i = 0; reload->desc.vfs && i < scene_count(reload); i++)
        replace_scene(reload, cn_scenes_at(reload->desc.scenes, i), changes);
    if (reload->desc.scenes)
        forget_gone_scenes(reload);
    const CnScene *active = reload->desc.scenes ? cn_scenes_active(reload->desc.scenes) : NULL;
    const CnSim *sim = active ? cn_scene_sim(active) : sim_at(reload, 0);
    if (plugins || scripts)
        CN_LOG_INFO("engine", "%u plugins and %u scripts reloaded before tick %" PRIu64, plugins,
                    scripts, sim ? cn_sim_tick(sim) : 0);
}

/* ---- Changes that wait ---- */

static void add_waiting(CnHotReload *reload)
{
    for (uint32_t i = 0; i < reload->changes.count; i++) {
        CnText path = cn_text(reload->changes.paths[i]);
        bool is_full = reload->waiting.texts.count >= CN_FILE_WATCH_MAX_CHANGES &&
                       !cn_name_find(&reload->waiting, path).id;
        if (is_full || !cn_name_from_text(&reload->waiting, path).id)
            CN_LOG_WARNING("engine", "hot reload: a change is lost; save the file again");
    }
}

static void replace_waiting(CnHotReload *reload)
{
    CN_ARRAY(const char *) paths;
    cn_array_init(&paths, reload->desc.allocator);
    for (uint32_t i = 0; i < reload->waiting.texts.count; i++)
        if (!cn_array_push(&paths, (const char *)reload->waiting.texts.items[i].data))
            break; /* out of memory; scripts do not need the list */
    replace_state(reload, &(CnFileChanges){paths.items, paths.count, 0});
    cn_array_fini(&paths);
    cn_names_fini(&reload->waiting);
    cn_names_init(&reload->waiting, reload->desc.allocator);
    reload->is_waiting_logged = false;
}

static void log_waiting(CnHotReload *reload)
{
    if (!reload->is_waiting_logged)
        CN_LOG_INFO("engine", "files have changed; what the simulation uses of them is reloaded "
                              "after the recording or replay");
    reload->is_waiting_logged = true;
}

/* ---- The whole ---- */

bool cn_hot_reload_has_changes(CnHotReload *reload)
{
    CN_ASSERT(reload, "%s: reload is NULL", __func__);
    follow(reload);
    if (!reload->changes.count)
        cn_file_watch_poll(reload->watch, cn_clock_ns(), &reload->changes);
    return reload->changes.count > 0 || (reload->waiting.texts.count > 0 && !is_observed(reload));
}

void cn_hot_reload_apply(CnHotReload *reload)
{
    CN_ASSERT(reload, "%s: reload is NULL", __func__);
    if (reload->desc.renderer)
        replace_files(reload);
    add_waiting(reload);
    reload->changes = (CnFileChanges){0};
    if (is_observed(reload))
        log_waiting(reload);
    else
        replace_waiting(reload);
}

uint32_t cn_hot_reload_waiting(const CnHotReload *reload)
{
    CN_ASSERT(reload, "%s: reload is NULL", __func__);
    return reload->waiting.texts.count;
}

/* Scenes may have the same script or prefab. */
static uint32_t without_repetitions(CnError *errors, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t same = 0;
        while (same < kept && !cni_engine_error_is_same(&errors[same], &errors[i]))
            same++;
        if (same == kept)
            errors[kept++] = errors[i];
    }
    return kept;
}

uint32_t cn_hot_reload_errors(const CnHotReload *reload, CnError *errors, uint32_t capacity)
{
    CN_ASSERT(reload, "%s: reload is NULL", __func__);
    CN_ASSERT(errors || !capacity, "%s: errors is NULL", __func__);
    uint32_t count = 0;
    const CnSim *sim = sim_at(reload, 0);
    for (uint32_t i = 0; sim; sim = sim_at(reload, ++i)) {
        const CnWorld *world = cn_sim_world(sim);
        count += cn_script_errors(world, errors + count, capacity - count);
        count += cn_script_system_errors(world, errors + count, capacity - count);
    }
    for (uint32_t i = 0; i < reload->host_count; i++)
        count += cn_plugin_errors(reload->hosts[i], errors + count, capacity - count);
    for (uint32_t i = 0; i < reload->standing.count && count < capacity; i++)
        errors[count++] = reload->standing.items[i].error;
    if (reload->desc.renderer)
        count += cn_renderer_errors(reload->desc.renderer, errors + count, capacity - count);
    return without_repetitions(errors, count);
}
