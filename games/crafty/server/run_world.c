#include "run_world.h"

#include "world_store.h"

#include "crafty/crash/crash_watch.h"
#include "crafty/crash/recover.h"
#include "crafty/mods/session_mods.h"
#include "crafty/replay/world_recorder.h"
#include "crafty/save/signals.h"
#include "crafty/save/world_path.h"

#include <cairn/base/console.h>

#define FIRST_HOURS 9.5f
#define FLUSH_MS 30000u

static int fail(const CnError *error)
{
    char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
    cn_print_error("crafty-server: %s", cn_error_text(error, text, sizeof text));
    return 1;
}

/* ---- Ticks ---- */

typedef struct Run {
    CraftySave *save;
    CraftySessionMods *mods;
    CraftySession *session;
    CraftyWorldRecorder *recorder; /* NULL: not recorded */
    CraftyCrashWatch *watch;
    bool warned; /* that saving fails */
} Run;

/* A failed save is reported once; the next one contains everything. */
static void save_if_due(Run *run)
{
    CnError error = {0};
    CnStoreStatus status;
    bool saved = crafty_save_auto(run->save, crafty_session_world(run->session),
                                  crafty_session_sim(run->session), &error);
    if (saved) {
        cn_store_status(crafty_save_store(run->save), &status);
        saved = status.state == CN_STORE_OK;
        error = status.error;
    }
    if (!saved && !run->warned)
        fail(&error);
    else if (saved && run->warned)
        cn_print_error("crafty-server: saving works again");
    run->warned = !saved;
}

static bool run_ticks(Run *run, uint64_t count, CnError *error)
{
    for (uint64_t i = 0; i < count && !crafty_signal_received(); i++) {
        if (!cn_sim_tick_n(crafty_session_sim(run->session), 1, error))
            return false;
        crafty_crash_watch_tick(run->watch);
        save_if_due(run);
    }
    return true;
}

/* ---- Start and end ---- */

static bool begin_recording(Run *run, const char *path, CnError *error)
{
    if (path)
        run->recorder = crafty_world_recorder_create(
            &(CraftyWorldRecorderDesc){.files = cn_native_files(),
                                       .path = path,
                                       .sim = crafty_session_sim(run->session),
                                       .world = crafty_session_world(run->session),
                                       .start = crafty_session_start(run->session),
                                       .save = run->save,
                                       .mods = crafty_session_mods_running(run->mods)},
            error);
    return !path || run->recorder;
}

static bool finish_recording(Run *run, CnError *error)
{
    bool done = !run->recorder || crafty_world_recorder_finish(run->recorder, error);
    crafty_world_recorder_destroy(run->recorder);
    run->recorder = NULL;
    return done;
}

/* Sessions that ended unexpectedly are found by the file of their world. */
static void begin_watch(Run *run, const char *path)
{
    if (crafty_world_store_is_remote(path))
        return;
    run->watch = crafty_crash_watch_begin(
        &(CraftyCrashWatchDesc){.program = "crafty-server",
                                .world_path = path,
                                .sim = crafty_session_sim(run->session),
                                .world = crafty_session_world(run->session),
                                .start = crafty_session_start(run->session),
                                .save = run->save,
                                .mods = crafty_session_mods_running(run->mods)});
}

/* Saves also after an error in a tick: what was played is not lost. */
static int play(Run *run, const CraftyServerOptions *options, const char *path,
                int (*done)(CraftySession *session))
{
    CnError error = {0};
    if (!begin_recording(run, options->record, &error))
        return fail(&error);
    begin_watch(run, path);
    bool ran = run_ticks(run, options->ticks, &error);
    if (!ran)
        fail(&error);
    if (!finish_recording(run, &error)) {
        fail(&error);
        ran = false;
    }
    bool saved = crafty_save_write(run->save, crafty_session_world(run->session),
                                   crafty_session_sim(run->session), &error) &&
                 crafty_save_flush(run->save, FLUSH_MS, &error);
    crafty_crash_watch_end(run->watch, saved);
    if (!saved)
        return fail(&error);
    int status = done(run->session);
    return ran ? status : 1;
}

static CraftySave *open_world(const CraftyServerOptions *options, char path[CN_STORE_PATH_BYTES],
                              CnError *error)
{
    if (!crafty_world_path(options->world, options->worlds, path, error))
        return NULL;
    if (!crafty_world_store_is_remote(path))
        crafty_recovery_offer("crafty-server", path, options->continues, options->mods);
    return crafty_world_store_open(
        &(CraftySaveDesc){.path = path, .seed = options->seed, .has_seed = options->has_seed},
        error);
}

/* A world that was created with rules keeps them. */
static CraftyStart start_of(const CraftyServerOptions *options, const CraftySave *save)
{
    const CraftyWorldIdentity *identity = crafty_save_identity(save);
    bool has_rules = identity && identity->has_rules;
    CraftyPlayerMode mode = has_rules ? (CraftyPlayerMode)identity->mode : options->mode;
    return (CraftyStart){.viewer = crafty_start_viewer(mode),
                         .difficulty = CRAFTY_NORMAL,
                         .mode = mode,
                         .commands = has_rules && identity->commands,
                         .keep_inventory = has_rules && identity->keep_inventory,
                         .hours = FIRST_HOURS};
}

int crafty_run_world(const CraftyServerOptions *options, int (*done)(CraftySession *session))
{
    CnError error = {0};
    char path[CN_STORE_PATH_BYTES];
    crafty_signals_catch();
    Run run = {.save = open_world(options, path, &error)};
    if (!run.save)
        return fail(&error);
    run.mods = crafty_session_mods_create(&(CraftySessionModsDesc){.extra = options->mods,
                                                                   .without = options->no_mods,
                                                                   .save = run.save},
                                          &error);
    if (run.mods)
        run.session =
            crafty_session_create(&(CraftySessionDesc){.start = start_of(options, run.save),
                                                       .finds_spawn = true,
                                                       .threads = (uint32_t)options->threads,
                                                       .save = run.save,
                                                       .mods = crafty_session_mods_code(run.mods)},
                                  &error);
    int status = run.session ? play(&run, options, path, done) : fail(&error);
    crafty_session_destroy(run.session);
    crafty_session_mods_destroy(run.mods);
    crafty_save_close(run.save);
    return status;
}
