/* crafty-server: runs worlds of Crafty without a window. */
#include "options.h"
#include "run_world.h"
#include "server_network.h"
#include "server.h"

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

/* `crafty-server config new FILE` */
static bool is_new_config(int count, char **arguments)
{
    return count == 4 && !strcmp(arguments[1], "config") && !strcmp(arguments[2], "new");
}

/* `crafty-server account [--config FILE] COMMAND...` */
static int run_account(int count, char **arguments)
{
    CraftyServerOptions options;
    int first = 2;
    while (first + 1 < count && arguments[first][0] == '-')
        first += 2;
    CraftyServerParse parsed = crafty_server_options_read(&options, first - 1, arguments + 1);
    if (parsed != CRAFTY_SERVER_RUN)
        return CRAFTY_EXIT_SETTINGS;
    return crafty_server_account_command(&options, count - first, arguments + first);
}

static int run_server(const CraftyServerOptions *options)
{
    bool prints = options->world && !options->config;
    return crafty_server_run(options, crafty_server_network(), prints ? print_hashes : NULL);
}

int main(int count, char **arguments)
{
    if (count > 1 && !strcmp(arguments[1], "report"))
        return crafty_report_command("crafty-server", count - 2, arguments + 2);
    if ((count == 3 || count == 4) &&
        !strcmp(arguments[1], "recover")) /* started by crafty_recovery_start */
        return crafty_recover("crafty-server", arguments[2], arguments[3]);
    if (is_new_config(count, arguments))
        return crafty_server_write_settings(arguments[3]);
    if (count > 1 && !strcmp(arguments[1], "account"))
        return run_account(count, arguments);
    crafty_log_lines_begin();
    CraftyServerOptions options;
    CraftyServerParse parsed = crafty_server_options_read(&options, count, arguments);
    if (parsed != CRAFTY_SERVER_RUN)
        return parsed == CRAFTY_SERVER_HELPED ? CRAFTY_EXIT_DONE : CRAFTY_EXIT_SETTINGS;
    if (options.writes_config)
        return crafty_server_write_settings(NULL);
    if (options.checks_config)
        return crafty_server_check_settings(&options);
    if (options.world && options.has_ticks)
        return crafty_run_world(&options, print_hashes);
    if (options.world || options.config || options.assignment_count > 0)
        return run_server(&options);
    return options.replay ? run_replay(&options) : run(&options);
}
