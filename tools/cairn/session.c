#include "session.h"

#include "boxes/boxes.h"
#include "fair/fair.h"
#include "swarm/swarm.h"

#include <cairn/base/console.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool report(const CnError *error)
{
    char text[512];
    cn_print_error("cairn: %s", cn_error_text(error, text, sizeof text));
    return false;
}

bool prepare_output(const char *path, bool make_folders)
{
    CnError error = {0};
    CnFileSystem *files = cn_native_files();
    if (!path || (make_folders ? cn_file_make_folder_of(files, path, &error)
                               : cn_file_check_folder_of(files, path, &error)))
        return true;
    if (error.code == CN_ERROR_NOT_FOUND && !make_folders)
        cn_file_set_error(&error, error.code, "write", path,
                          "its folder does not exist; create it, or use --make-folders");
    return report(&error);
}

/* ---- Creation and destruction ---- */

/* Adds the plugin of an option: a file with systems in Lua, or a library. */
static bool add_plugin(Session *session, CnSim *sim, CnPluginHost *host, uint32_t index,
                       CnError *error)
{
    const char *path = session->desc.plugins.items[index];
    if (!cn_text_ends_with(cn_text(path), cn_text(".lua")))
        return cn_plugin_load(host, path, error);
    CnScriptSystemDesc *desc = &session->lua_plugins[index];
    *desc = (CnScriptSystemDesc){.path = path, .trusted = true};
    CnPlugin plugin = cn_script_system_plugin(desc);
    return cn_sim_add_plugin(sim, &plugin, error);
}

/* Adds modules and requested plugins: to a demo, and to each scene before its file is read. */
static bool add_plugins(CnSim *sim, void *user, CnError *error)
{
    Session *session = user;
    const OptionList *plugins = &session->desc.plugins;
    if (session->host_count == MAX_SCENES)
        return cn_error_set(error, CN_ERROR_LIMIT, "at most %u scenes are possible", MAX_SCENES);
    CnPluginHost *host = cn_plugin_host_create(sim, error);
    if (!host)
        return false;
    session->hosts[session->host_count++] = host;
    if (!cn_modules_add(sim, cn_module_table, error))
        return false;
    for (uint32_t i = 0; i < plugins->count; i++)
        if (!add_plugin(session, sim, host, i, error))
            return false;
    return true;
}

typedef struct Demo {
    const char *name;
    uint32_t entities; /* the default */
    bool has_objects;
    bool (*add)(CnSim *sim, uint32_t entities, CnError *error);
    void (*report)(const CnSim *sim, char *text, size_t text_bytes); /* may be NULL */
    void (*play)(CnSim *sim, uint64_t seed, uint64_t tick);          /* may be NULL */
} Demo;

static bool add_swarm(CnSim *sim, uint32_t entities, CnError *error)
{
    return swarm_add(sim, &(SwarmDesc){entities}, error);
}

static bool add_boxes(CnSim *sim, uint32_t entities, CnError *error)
{
    return boxes_add(sim, &(BoxesDesc){entities}, error);
}

static bool add_fair(CnSim *sim, uint32_t entities, CnError *error)
{
    return fair_add(sim, &(FairDesc){entities}, error);
}

static bool add_nothing(CnSim *sim, uint32_t entities, CnError *error)
{
    (void)sim, (void)entities, (void)error;
    return true;
}

static const Demo demos[] = {
    {"swarm", 10000, false, add_swarm, swarm_report, swarm_play},
    {"boxes", 1000, true, add_boxes, boxes_report, NULL},
    {"fair", 2000, true, add_fair, fair_report, fair_play},
    {"empty", 1, false, add_nothing, NULL, NULL},
};

const char *session_demo_name(size_t index)
{
    return index < CN_COUNT_OF(demos) ? demos[index].name : NULL;
}

static const Demo *find_demo(const char *name)
{
    for (size_t i = 0; i < CN_COUNT_OF(demos); i++)
        if (!strcmp(demos[i].name, name))
            return &demos[i];
    return NULL;
}

bool session_check_demo(const char *command, const char *name)
{
    if (!name || find_demo(name))
        return true;
    cn_print_error("cairn %s: --demo needs swarm, boxes, fair or empty, not \"%s\"", command, name);
    return false;
}

static bool begin_demo(Session *session, CnError *error)
{
    SessionDesc *desc = &session->desc;
    const Demo *demo = find_demo(desc->demo);
    const CnPlugin objects = cn_scene_plugin();
    if (!demo)
        return cn_error_set(error, CN_ERROR_NOT_FOUND,
                            "there is no demo named %s; the demos are swarm, boxes, fair and empty",
                            desc->demo);
    desc->entities = desc->entities ? desc->entities : demo->entities;
    session->sim = cn_sim_create(&(CnSimDesc){.allocator = cn_heap_tag(session->heap, "sim"),
                                              .jobs = session->jobs,
                                              .tick_hz = desc->tick_hz,
                                              .seed = desc->seed,
                                              .core = &objects,
                                              .core_count = demo->has_objects},
                                 error);
    return session->sim && demo->add(session->sim, desc->entities, error) &&
           add_plugins(session->sim, session, error);
}

static bool load_scene(Session *session, const char *file, CnError *error)
{
    char path[CN_VFS_PATH_BYTES];
    return project_path(&session->project, file, path, sizeof path, error) &&
           cn_scene_load(session->scenes, cn_vfs_files(session->project.vfs), path, error);
}

static bool begin_scenes(Session *session, CnError *error)
{
    const SessionDesc *desc = &session->desc;
    Project *project = &session->project;
    if (!project_open(project, desc->scene ? desc->scene : desc->beside, desc->trust_scripts,
                      error))
        return false;
    const CnPlugin plugins[] = {cn_physics_plugin(&project->physics),
                                cn_script_plugin(&project->scripts)};
    session->scenes =
        cn_scenes_create(&(CnScenesDesc){.allocator = cn_heap_tag(session->heap, "scenes"),
                                         .jobs = session->jobs,
                                         .tick_hz = desc->tick_hz,
                                         .seed = desc->seed,
                                         .plugins = plugins,
                                         .plugin_count = CN_COUNT_OF(plugins),
                                         .prepare = add_plugins,
                                         .user = session,
                                         .reloadable = desc->watch},
                         error);
    if (!session->scenes)
        return false;
    bool done = desc->scene ? load_scene(session, desc->scene, error)
                            : cn_scene_create(session->scenes, &(CnSceneDesc){.name = "Empty"},
                                              error) != NULL;
    for (uint32_t i = 0; done && i < desc->also.count; i++)
        done = load_scene(session, desc->also.items[i], error);
    if (done)
        session->sim = cn_scene_sim(cn_scenes_active(session->scenes));
    return done;
}

bool session_begin(Session *session, const SessionDesc *desc)
{
    CnError error = {0};
    *session = (Session){.desc = *desc};
    session->heap = cn_heap_create(NULL, NULL);
    if (desc->threads != 1) {
        uint32_t workers = desc->threads ? desc->threads - 1 : CN_JOBS_AUTO;
        session->jobs = cn_job_pool_create(&(CnJobPoolDesc){.workers = workers}, NULL);
    }
    if (!session->heap || (desc->threads != 1 && !session->jobs)) {
        cn_error_set(&error, CN_ERROR_MEMORY, "out of memory or threads");
        return report(&error);
    }
    if (desc->demo ? begin_demo(session, &error) : begin_scenes(session, &error))
        return true;
    if (!desc->demo)
        project_real_error(&session->project, &error);
    return report(&error);
}

void session_end(Session *session)
{
    cn_hot_reload_destroy(session->hot_reload);
    while (session->host_count)
        cn_plugin_host_destroy(session->hosts[--session->host_count]);
    if (session->scenes)
        cn_scenes_destroy(session->scenes);
    else
        cn_sim_destroy(session->sim);
    project_close(&session->project);
    cn_job_pool_destroy(session->jobs);
    if (session->heap)
        cn_heap_destroy(session->heap);
    *session = (Session){0};
}

bool is_json_path(const char *path)
{
    return cn_text_ends_with(cn_text(path), cn_text(".json"));
}

static bool save_json(const Session *session, const char *path)
{
    CnError error = {0};
    CnTextBuilder text;
    cn_array_init(&text, NULL);
    bool done = cn_world_to_json(cn_sim_world(session->sim), &text, &error) &&
                cn_file_write_all(cn_native_files(), path, text.items, text.count, &error);
    cn_array_fini(&text);
    return done || report(&error);
}

bool session_save(const Session *session, const char *path)
{
    CnError error = {0};
    if (is_json_path(path))
        return save_json(session, path);
    CnSnapshot snapshot;
    if (!cn_sim_save(session->sim, &snapshot, &error))
        return report(&error);
    bool done = cn_file_write_all(cn_native_files(), path, snapshot.bytes, snapshot.size, &error);
    cn_snapshot_free(&snapshot);
    return done || report(&error);
}

/* The owners of scripts that used up what they may use. */
static void print_owners(const CnWorld *world)
{
    CnScriptOwnerStats owners[64];
    uint32_t count = cn_script_owners(world, owners, CN_COUNT_OF(owners));
    for (uint32_t i = 0; i < count && i < CN_COUNT_OF(owners); i++) {
        const CnScriptOwnerStats *owner = &owners[i];
        if (owner->skipped_calls || owner->deferred_events || owner->lost_events)
            cn_print("scripts of %s: %llu calls skipped, %llu events deferred, %llu lost",
                     owner->name, (unsigned long long)owner->skipped_calls,
                     (unsigned long long)owner->deferred_events,
                     (unsigned long long)owner->lost_events);
        if (owner->watchdog_stops)
            cn_print("scripts of %s: stopped by the watchdog; this run is not reproducible",
                     owner->name);
    }
}

/* ---- Running ---- */

static void report_scene(const Session *session)
{
    CnWorld *world = cn_sim_world(session->sim);
    CnQuery *objects = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag(CnObject)}}, NULL);
    CnQuery *bodies = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(CnBodyState)}}, NULL);
    uint32_t asleep = 0;
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(bodies); cn_query_next(&it, &view);) {
        const CnBodyState *states = cn_column_const(&view, CnBodyState);
        for (uint32_t i = 0; i < view.count; i++)
            asleep += states[i].asleep;
    }
    CnScriptStats scripts = cn_script_stats(world);
    cn_print("scene %s: %u objects, %u bodies (%u asleep), %u scripts (%u failed)",
             cn_scene_name(cn_scenes_active(session->scenes)), cn_query_count(objects),
             cn_query_count(bodies), asleep, scripts.running + scripts.failed, scripts.failed);
    cn_query_release(objects);
    cn_query_release(bodies);
    print_owners(world);
}

bool session_check_scripts(const Session *session, bool strict)
{
    CnScriptStats scripts = {0};
    if (session->scenes)
        scripts = cn_script_stats(cn_sim_world(session->sim));
    if (strict && scripts.errors) {
        fprintf(stderr, "cairn: script errors: %" PRIu64 "\n", scripts.errors);
        return false;
    }
    uint32_t systems = cn_script_system_failures(cn_sim_world(session->sim));
    if (strict && systems) {
        fprintf(stderr, "cairn: systems in Lua that failed: %u\n", systems);
        return false;
    }
    if (!scripts.failed || scripts.running)
        return true;
    fprintf(stderr, "cairn: all scripts have stopped: %u failed\n", scripts.failed);
    return false;
}

void session_report(const Session *session)
{
    char text[256];
    if (session->scenes) {
        report_scene(session);
        return;
    }
    const Demo *demo = find_demo(session->desc.demo);
    if (demo->report) {
        demo->report(session->sim, text, sizeof text);
        cn_print("%s", text);
    }
}

static void show_progress(uint64_t done, uint64_t total, uint64_t start_ns, bool last)
{
    static uint64_t shown_ns;
    uint64_t now = cn_clock_ns();
    if (!isatty(STDERR_FILENO) || (!last && now - shown_ns < 250000000u))
        return;
    shown_ns = now;
    double seconds = cn_seconds(now - start_ns);
    fprintf(stderr, "\r%" PRIu64 " of %" PRIu64 " ticks, %.0f a second", done, total,
            seconds > 0 ? (double)done / seconds : 0);
    fputs(last ? "\n" : "   ", stderr);
}

/* Called after ticks, when the active scene may have changed. */
static bool follow_active(Session *session, bool one_scene, CnError *error)
{
    const CnSim *before = session->sim;
    if (!session->scenes)
        return true;
    session->sim = cn_scene_sim(cn_scenes_active(session->scenes));
    return !one_scene || session->sim == before ||
           cn_error_set(error, CN_ERROR_UNSUPPORTED,
                        "tick %" PRIu64 " switches to scene %s, but a recording covers one scene",
                        cn_sim_tick(before), cn_scene_name(cn_scenes_active(session->scenes)));
}

static bool run_tick(Session *session, CnError *error)
{
    if (session->scenes)
        return cn_scenes_tick_n(session->scenes, 1, error);
    if (session->desc.hand)
        find_demo(session->desc.demo)
            ->play(session->sim, session->desc.hand, cn_sim_tick(session->sim));
    return cn_sim_tick_n(session->sim, 1, error);
}

bool session_run(Session *session, uint64_t ticks, bool one_scene)
{
    CnError error = {0};
    uint64_t start = cn_clock_ns();
    for (uint64_t i = 0; i < ticks; i++) {
        if (!run_tick(session, &error) || !follow_active(session, one_scene, &error))
            return report(&error);
        if (i % 16 == 0)
            show_progress(i, ticks, start, false);
    }
    show_progress(ticks, ticks, start, true);
    return true;
}

bool session_frame(Session *session, double seconds, bool one_scene)
{
    CnError error = {0};
    bool done = session->scenes ? cn_scenes_frame(session->scenes, seconds, &error)
                                : cn_sim_frame(session->sim, seconds, &error);
    return (done && follow_active(session, one_scene, &error)) || report(&error);
}

bool session_watch(Session *session)
{
    CnError error = {0};
    session->hot_reload = cn_hot_reload_create(&(CnHotReloadDesc){.vfs = session->project.vfs,
                                                                  .scenes = session->scenes,
                                                                  .sim = session->sim},
                                               &error);
    if (!session->hot_reload)
        return report(&error);
    for (uint32_t i = 0; i < session->host_count; i++)
        cn_hot_reload_add_plugins(session->hot_reload, session->hosts[i]);
    return true;
}

void session_reload(Session *session)
{
    if (cn_hot_reload_has_changes(session->hot_reload))
        cn_hot_reload_apply(session->hot_reload);
}
