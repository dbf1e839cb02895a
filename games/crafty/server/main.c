/* crafty-server: runs the simulation of Crafty without a window. It does not listen for clients
 * yet. */
#include "options.h"
#include "run_world.h"

#include "crafty/crash/crash_report.h"
#include "crafty/crash/log_lines.h"
#include "crafty/crash/recover.h"
#include "crafty/mods/session_mods.h"
#include "crafty/replay/verify.h"
#include "crafty/replay/world_recorder.h"

#include <cairn/base/console.h>

#include <string.h>

#define FIRST_HOURS 9.5f

static int fail(const CnError *error)
{
    char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
    cn_print_error("crafty-server: %s", cn_error_text(error, text, sizeof text));
    return 1;
}

static int print_hashes(CraftySession *session)
{
    return crafty_print_hashes("crafty-server", session);
}

static CraftyWorldRecorder *record(const char *path, CraftySession *session,
                                   const CraftySessionMods *mods, CnError *error)
{
    return crafty_world_recorder_create(
        &(CraftyWorldRecorderDesc){.files = cn_native_files(),
                                   .path = path,
                                   .sim = crafty_session_sim(session),
                                   .world = crafty_session_world(session),
                                   .start = crafty_session_start(session),
                                   .mods = crafty_session_mods_running(mods)},
        error);
}

static bool play(const CraftyServerOptions *options, CraftySession *session,
                 const CraftySessionMods *mods, CnError *error)
{
    CraftyWorldRecorder *recorder = NULL;
    if (options->record && !(recorder = record(options->record, session, mods, error)))
        return false;
    bool done = cn_sim_tick_n(crafty_session_sim(session), options->ticks, error) &&
                (!recorder || crafty_world_recorder_finish(recorder, error));
    crafty_world_recorder_destroy(recorder);
    return done;
}

static int run(const CraftyServerOptions *options)
{
    CnError error = {0};
    CraftySessionMods *mods = crafty_session_mods_create(
        &(CraftySessionModsDesc){.extra = options->mods, .without = options->no_mods}, &error);
    if (!mods)
        return fail(&error);
    CraftySession *session = crafty_session_create(
        &(CraftySessionDesc){.start = {.seed = options->seed,
                                       .viewer = crafty_start_viewer(options->mode),
                                       .mode = options->mode,
                                       .difficulty = CRAFTY_NORMAL,
                                       .hours = FIRST_HOURS},
                             .finds_spawn = true,
                             .threads = (uint32_t)options->threads,
                             .mods = crafty_session_mods_code(mods)},
        &error);
    int status =
        session && play(options, session, mods, &error) ? print_hashes(session) : fail(&error);
    crafty_session_destroy(session);
    crafty_session_mods_destroy(mods);
    return status;
}

static int run_replay(const CraftyServerOptions *options)
{
    return crafty_verify(&(CraftyVerifyDesc){.program = "crafty-server",
                                             .path = options->replay,
                                             .threads = (uint32_t)options->threads,
                                             .mods = options->mods,
                                             .no_mods = options->no_mods,
                                             .ticks = options->has_ticks ? options->ticks : 0});
}

int main(int count, char **arguments)
{
    if (count > 1 && !strcmp(arguments[1], "report"))
        return crafty_report_command("crafty-server", count - 2, arguments + 2);
    if ((count == 3 || count == 4) &&
        !strcmp(arguments[1], "recover")) /* started by crafty_recovery_start */
        return crafty_recover("crafty-server", arguments[2], arguments[3]);
    crafty_log_lines_begin();
    CraftyServerOptions options;
    CraftyServerParse parsed = crafty_server_options_read(&options, count, arguments);
    if (parsed != CRAFTY_SERVER_RUN)
        return parsed == CRAFTY_SERVER_HELPED ? 0 : 2;
    if (options.world)
        return crafty_run_world(&options, print_hashes);
    return options.replay ? run_replay(&options) : run(&options);
}
