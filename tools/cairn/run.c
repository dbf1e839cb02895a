#include "commands.h"
#include "session.h"

#include <cairn/base/console.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SETTINGS_BYTES 1024u /* of a recording */

typedef struct RunOptions {
    SessionDesc session;
    OptionList scene;
    uint64_t ticks;
    const char *record, *save, *load;
    uint32_t keyframes;
    bool hash, heap, real_time, make_folders, strict;
} RunOptions;

/* A state that lacks resources of the systems was saved from a different world. */
static bool has_resources(const CnWorld *world, const bool *wanted, uint32_t limit, CnError *error)
{
    for (CnComponent id = {1}; id.id <= limit; id.id++) {
        CnComponentInfo info;
        if (wanted[id.id] && !cn_resource_get(world, id) && cn_component_info(world, id, &info))
            return cn_error_set(error, CN_ERROR_MISMATCH,
                                "this is the state of a different world: it has no %s", info.name);
    }
    return true;
}

static bool restore(CnSim *sim, const CnFileBytes *bytes, CnError *error)
{
    const CnWorld *world = cn_sim_world(sim);
    const uint32_t limit = cn_component_limit(world);
    bool *wanted = calloc(limit + 1, sizeof *wanted);
    if (!wanted)
        return cn_error_memory(error, "the run");
    for (CnComponent id = {1}; id.id <= limit; id.id++)
        wanted[id.id] = cn_resource_get(world, id) != NULL;
    bool done = cn_sim_restore(sim, bytes->data, bytes->size, error) &&
                has_resources(world, wanted, limit, error);
    free(wanted);
    return done;
}

static bool restore_json(CnSim *sim, const char *path, const CnFileBytes *bytes, CnError *error)
{
    CnSnapshot snapshot;
    CnText text = {(const char *)bytes->data, bytes->size};
    bool done = cn_snapshot_from_json(NULL, path, text, &snapshot, error) &&
                restore(sim, &(CnFileBytes){.data = snapshot.bytes, .size = snapshot.size}, error);
    cn_snapshot_free(&snapshot);
    return done;
}

static bool load_state(Session *session, const char *path)
{
    CnError error = {0};
    CnFileBytes bytes;
    if (!cn_file_read_all(cn_native_files(), path, NULL, &bytes, &error))
        return report(&error);
    bool done = is_json_path(path) ? restore_json(session->sim, path, &bytes, &error)
                                   : restore(session->sim, &bytes, &error);
    cn_file_bytes_free(&bytes);
    if (!done && !error.file[0])
        cn_format(error.file, sizeof error.file, "%s", path);
    return done || report(&error);
}

static CnRecorder *start_recording(Session *session, const RunOptions *options)
{
    CnError error = {0};
    char settings[SETTINGS_BYTES];
    if (!session_settings(&session->desc, settings, sizeof settings)) {
        cn_error_set(&error, CN_ERROR_LIMIT, "the path of the scene is too long for a recording");
        report(&error);
        return NULL;
    }
    CnRecorder *recorder =
        cn_recorder_create(session->sim,
                           &(CnRecorderDesc){.files = cn_native_files(),
                                             .path = options->record,
                                             .settings = settings,
                                             .keyframe_ticks = options->keyframes},
                           &error);
    if (!recorder)
        report(&error);
    return recorder;
}

/* Like a game: real time determines the number of ticks. A scene to which scripts switch counts
 * its own ticks. */
static bool run_in_real_time(Session *session, uint64_t ticks, bool watch, bool one_scene)
{
    uint64_t last = cn_clock_ns(), done = 0;
    if (watch && !session_watch(session))
        return false;
    while (done < ticks) {
        cn_clock_sleep_ns(2000000);
        uint64_t now = cn_clock_ns();
        if (watch)
            session_reload(session);
        const CnSim *sim = session->sim;
        uint64_t before = cn_sim_tick(sim);
        if (!session_frame(session, cn_seconds(now - last), one_scene))
            return false;
        done += cn_sim_tick(sim) - before;
        last = now;
    }
    const CnTime *time = cn_sim_time(session->sim);
    printf("frames %" PRIu64 ", fps %.1f, dropped ticks %" PRIu64 "\n", time->frame_count,
           (double)time->fps, cn_sim_clock(session->sim)->timing_drops);
    return true;
}

/* Counts heap calls in the second half of the run, because data may still grow in the first. */
static bool run_counting(Session *session, uint64_t ticks, bool one_scene)
{
    if (!session_run(session, ticks / 2, one_scene))
        return false;
    uint64_t before = cn_heap_stats(session->heap).calls;
    if (!session_run(session, ticks - ticks / 2, one_scene))
        return false;
    printf("heap calls in the last %" PRIu64 " ticks: %" PRIu64 "\n", ticks - ticks / 2,
           cn_heap_stats(session->heap).calls - before);
    return true;
}

static bool run_ticks(Session *session, const RunOptions *options)
{
    bool one_scene = options->record != NULL;
    if (options->real_time)
        return run_in_real_time(session, options->ticks, options->session.watch, one_scene);
    return options->heap ? run_counting(session, options->ticks, one_scene)
                         : session_run(session, options->ticks, one_scene);
}

static bool run(Session *session, const RunOptions *options)
{
    CnError error = {0};
    if (options->load && !load_state(session, options->load))
        return false;
    CnRecorder *recorder = options->record ? start_recording(session, options) : NULL;
    if (options->record && !recorder)
        return false;
    bool done = run_ticks(session, options);
    if (recorder && !cn_recorder_finish(recorder, &error))
        done = report(&error);
    cn_recorder_destroy(recorder);
    if (done && options->save)
        done = session_save(session, options->save);
    if (done)
        session_report(session);
    if (done && options->hash)
        printf("tick %" PRIu64 " hash %016" PRIx64 "\n", cn_sim_tick(session->sim),
               cn_sim_hash(session->sim));
    return done && session_check_scripts(session, options->strict);
}

/* Returns what is wrong with a combination of individually valid options; NULL if nothing. */
static const char *find_contradiction(const RunOptions *options)
{
    const SessionDesc *session = &options->session;
    if (!options->scene.count && !session->demo)
        return "give a scene file or --demo swarm to run (try cairn run --help)";
    if (options->scene.count && session->demo)
        return "give a scene file or a demo, not both";
    if (session->demo && (session->also.count || session->trust_scripts || options->strict))
        return "--also, --strict and --trust-scripts apply only to scene files";
    if (session->hand &&
        (!session->demo || (strcmp(session->demo, "swarm") && strcmp(session->demo, "fair"))))
        return "--play applies only to --demo swarm and --demo fair";
    if (options->real_time && (options->heap || session->hand))
        return "--real-time cannot be combined with --heap or --play";
    if (options->session.watch && !options->real_time)
        return "--watch needs --real-time";
    if (options->session.watch && options->record)
        return "--watch cannot be combined with --record: recordings do not contain changes of "
               "files";
    if (options->keyframes && !options->record)
        return "--keyframes requires --record";
    return NULL;
}

int command_run(int count, char **arguments)
{
    RunOptions options = {.session = SESSION_DEFAULTS, .ticks = 600};
    const Option table[] = {
        SESSION_OPTIONS(&options.session),
        {"--ticks", "N", "number of ticks to run (600)", OPTION_U64, &options.ticks, 0, 0},
        {"--play", "N", "generate random input with this seed", OPTION_U64, &options.session.hand,
         1, 0},
        {"--record", "FILE", "write a recording", OPTION_TEXT, &options.record, 0, 0},
        {"--keyframes", "N", "ticks between keyframes of the recording (1,000)", OPTION_U32,
         &options.keyframes, 1, 0},
        {"--load", "FILE", "start from a saved state; *.json: JSON", OPTION_TEXT, &options.load, 0,
         0},
        {"--save", "FILE", "save the state at the end; *.json: JSON", OPTION_TEXT, &options.save, 0,
         0},
        MAKE_FOLDERS_OPTION(options.make_folders),
        {"--hash", NULL, "print the hash of the state at the end", OPTION_FLAG, &options.hash, 0,
         0},
        {"--heap", NULL, "count heap calls in the second half of the run", OPTION_FLAG,
         &options.heap, 0, 0},
        {"--strict", NULL, "exit with status 1 if any script had an error", OPTION_FLAG,
         &options.strict, 0, 0},
        {"--real-time", NULL, "run in real time", OPTION_FLAG, &options.real_time, 0, 0},
        {"--watch", NULL, "reload plugins, scripts, scenes and prefabs when their files change",
         OPTION_FLAG, &options.session.watch, 0, 0},
        {0},
    };
    const Usage usage = {
        "run",
        "SCENE | --demo NAME [options]",
        "Runs a scene file or a built-in demo for "
        "a number of ticks.\nThe same options yield the same final hash with any number "
        "of threads. In scene files,\nproject:// is the folder of the scene; "
        "assets:// and scripts:// are its subfolders\nassets and scripts, or the folder "
        "itself.",
        table,
        &options.scene,
        1};
    ParseResult parsed = parse_options(&usage, count, arguments);
    if (parsed != PARSE_GO_ON)
        return parsed == PARSE_HELPED ? 0 : 2;
    const char *contradiction = find_contradiction(&options);
    if (contradiction) {
        cn_print_error("cairn run: %s", contradiction);
        return 2;
    }
    if (!session_check_demo("run", options.session.demo))
        return 2;
    options.session.scene = options.scene.count ? options.scene.items[0] : NULL;
    Session session;
    if (!prepare_output(options.record, options.make_folders) ||
        !prepare_output(options.save, options.make_folders))
        return 1;
    bool done = session_begin(&session, &options.session) && run(&session, &options);
    session_end(&session);
    return done ? 0 : 1;
}
