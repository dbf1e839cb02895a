/* crafty-server: runs the simulation of Crafty without a window. It does not listen for clients
 * yet. */
#include "options.h"
#include "run_world.h"
#include "session.h"

#include "crafty/sim/recording.h"

#include <cairn/base/console.h>
#include <cairn/sim/replay.h>

#include <inttypes.h>
#include <stdio.h>

#define FIRST_HOURS 9.5f

static int fail(const CnError *error)
{
    char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
    cn_print_error("crafty-server: %s", cn_error_text(error, text, sizeof text));
    return 1;
}

static int print_hashes(CraftySession *session)
{
    const CnSim *sim = crafty_session_sim(session);
    printf("tick %" PRIu64 " state %016" PRIx64 " blocks %016" PRIx64 "\n", cn_sim_tick(sim),
           cn_sim_hash(sim), cn_voxels_hash(crafty_world_voxels(crafty_session_world(session))));
    if (!fflush(stdout))
        return 0;
    fprintf(stderr, "crafty-server: cannot write the hashes\n");
    return 1;
}

static int run(const CraftyServerOptions *options)
{
    CnError error = {0};
    CraftySession *session = crafty_session_create(
        &(CraftySessionDesc){
            .start = {.seed = options->seed, .viewer = CRAFTY_VIEWER_WALKS, .hours = FIRST_HOURS},
            .finds_spawn = true,
            .threads = (uint32_t)options->threads},
        &error);
    if (!session)
        return fail(&error);
    int status = cn_sim_tick_n(crafty_session_sim(session), options->ticks, &error)
                     ? print_hashes(session)
                     : fail(&error);
    crafty_session_destroy(session);
    return status;
}

/* ---- Replays ---- */

static int play(CnReplay *replay, CraftySession *session, const CraftyServerOptions *options)
{
    CnError error = {0};
    CnReplayDifference difference = {0};
    uint64_t end = options->has_ticks ? options->ticks : UINT64_MAX;
    if (!cn_replay_run(replay, crafty_session_sim(session), end, &difference, &error))
        return fail(&error);
    if (difference.found) {
        cn_print_error("crafty-server: %s", difference.text);
        return 1;
    }
    return print_hashes(session);
}

static int run_replay(const CraftyServerOptions *options)
{
    CnError error = {0};
    CraftyStart start;
    CraftyPalettes palettes;
    CnReplay *replay = cn_replay_open(cn_native_files(), options->replay, NULL, &error);
    if (!replay)
        return fail(&error);
    const CnReplayInfo *info = cn_replay_info(replay);
    CraftySession *session = NULL;
    if (crafty_recording_read(info->settings, &start, &palettes, &error))
        session = crafty_session_create(&(CraftySessionDesc){.start = start,
                                                             .threads = (uint32_t)options->threads,
                                                             .tick_hz = info->tick_hz,
                                                             .sim_seed = info->seed,
                                                             .palettes = palettes},
                                        &error);
    int status = session ? play(replay, session, options) : fail(&error);
    crafty_session_destroy(session);
    cn_replay_close(replay);
    return status;
}

int main(int count, char **arguments)
{
    CraftyServerOptions options;
    CraftyServerParse parsed = crafty_server_options_read(&options, count, arguments);
    if (parsed != CRAFTY_SERVER_RUN)
        return parsed == CRAFTY_SERVER_HELPED ? 0 : 2;
    if (options.world)
        return crafty_run_world(&options, print_hashes);
    return options.replay ? run_replay(&options) : run(&options);
}
