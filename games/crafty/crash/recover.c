#include "recover.h"

#include "crash_handler.h"

#include "crafty/mods/session_mods.h"
#include "crafty/replay/verify.h"

#include <cairn/base/clock.h>
#include <cairn/base/console.h>
#include <cairn/base/text.h>

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define POLL_NS 10000000u
#define FLUSH_MS 60000u

static const char *const recording_suffixes[] = CRAFTY_RECORDING_SUFFIXES;

/* ---- Playing ---- */

static int fail(const char *program, const CnError *error)
{
    char text[CN_ERROR_MESSAGE_BYTES + CN_ERROR_FILE_BYTES + 64];
    cn_print_error("%s: %s", program, cn_error_text(error, text, sizeof text));
    return 1;
}

static uint64_t end_of(const CnReplay *replay)
{
    const CnReplayInfo *info = cn_replay_info(replay);
    return info->first_tick + info->tick_count;
}

/* Opens the recording that covers `tick` and has the most ticks after it. */
static CraftyWorldReplay *open_recording(const char *folder, const char *name, uint64_t tick,
                                         CnError *error)
{
    CraftyWorldReplay *best = NULL;
    for (uint32_t i = 0; i < CN_COUNT_OF(recording_suffixes); i++) {
        char path[CRAFTY_CRASH_PATH_BYTES];
        CnError own = {0};
        CraftyWorldReplay *replay = crafty_crash_path(folder, name, recording_suffixes[i], path)
                                        ? crafty_world_replay_open(cn_native_files(), path, &own)
                                        : NULL;
        const CnReplay *recording = replay ? crafty_world_replay_cn(replay) : NULL;
        bool covers =
            replay && cn_replay_info(recording)->first_tick <= tick && end_of(recording) >= tick;
        if (covers && (!best || end_of(recording) > end_of(crafty_world_replay_cn(best)))) {
            crafty_world_replay_close(best);
            best = replay;
        } else {
            crafty_world_replay_close(replay);
        }
    }
    if (!best)
        cn_error_set(error, CN_ERROR_NOT_FOUND,
                     "no recording goes on from tick %" PRIu64
                     ", the last save; the world is as it "
                     "was saved then",
                     tick);
    return best;
}

static bool play(CraftyWorldReplay *replay, CraftySession *session, CnError *error)
{
    CnReplayDifference difference = {0};
    if (!cn_replay_run(crafty_world_replay_cn(replay), crafty_session_sim(session), UINT64_MAX,
                       &difference, error))
        return false;
    return !difference.found ||
           cn_error_set(error, CN_ERROR_MISMATCH,
                        "the last minute cannot be repeated: %s The world is as it was last saved",
                        difference.text);
}

static bool save(CraftySave *open_save, CraftySession *session, CnError *error)
{
    return crafty_save_write(open_save, crafty_session_world(session), crafty_session_sim(session),
                             error) &&
           crafty_save_flush(open_save, FLUSH_MS, error);
}

static bool play_and_save(const char *program, CraftySave *open_save, CraftyWorldReplay *replay,
                          const char *folder, CnError *error)
{
    CraftySessionMods *mods = crafty_session_mods_create(
        &(CraftySessionModsDesc){
            .extra = folder, .save = open_save, .recorded = crafty_world_replay_mods(replay)},
        error);
    CraftySession *session =
        mods ? crafty_session_create(
                   &(CraftySessionDesc){.start = *crafty_world_replay_start(replay),
                                        .threads = 1,
                                        .save = open_save,
                                        .mods = crafty_session_mods_code(mods)},
                   error)
             : NULL;
    bool done = session && play(replay, session, error);
    if (done)
        crafty_crash_test(cn_sim_tick(crafty_session_sim(session)));
    done = done && save(open_save, session, error);
    if (done)
        crafty_print_hashes(program, session);
    crafty_session_destroy(session);
    crafty_session_mods_destroy(mods);
    return done;
}

static bool recover(const char *program, const char *folder, const CraftyUncleanSession *session,
                    const char *mods, CnError *error)
{
    CraftySave *open_save = crafty_save_open(
        &(CraftySaveDesc){.path = session->info.path, .mode = CN_STORE_OPEN}, error);
    if (!open_save)
        return false;
    bool done = !crafty_save_is_new(open_save) ||
                cn_error_set(error, CN_ERROR_NOT_FOUND, "nothing was saved yet");
    CraftyWorldReplay *replay =
        done ? open_recording(folder, session->name, crafty_save_summary(open_save)->tick, error)
             : NULL;
    done = replay && play_and_save(program, open_save, replay, mods, error);
    crafty_world_replay_close(replay);
    crafty_save_close(open_save);
    return done;
}

int crafty_recover(const char *program, const char *name, const char *mods)
{
    char folder[CRAFTY_CRASH_PATH_BYTES];
    CraftyUncleanSession session;
    CnError error = {0};
    if (!crafty_crash_folder(folder, &error) ||
        !crafty_unclean_session_read(folder, name, &session, &error))
        return fail(program, &error);
    if (session.info.attempts > 0) {
        cn_print_error("%s: continuing %s was tried before and failed; the world is as it was last "
                       "saved",
                       program, session.info.world);
        return 1;
    }
    if (!crafty_unclean_session_attempt(folder, &session, &error) ||
        !recover(program, folder, &session, mods, &error))
        return fail(program, &error);
    crafty_unclean_session_dismiss(folder, &session);
    return 0;
}

/* ---- The process ---- */

bool crafty_recovery_start(CraftyRecovery *recovery, const char *session, const char *mods,
                           CnError *error)
{
    extern char **environ;
    char program[] = "/proc/self/exe", command[] = "recover";
    char name[CRAFTY_CRASH_NAME_BYTES], folder[CN_FILE_PATH_BYTES];
    cn_copy_text(name, sizeof name, cn_text(session));
    cn_copy_text(folder, sizeof folder, cn_text(mods ? mods : ""));
    char *const arguments[] = {program, command, name, mods ? folder : NULL, NULL};
    int result = posix_spawn(&recovery->process, program, NULL, NULL, arguments, environ);
    recovery->began_ns = cn_clock_ns();
    return result == 0 || cn_file_set_errno(error, "start", program, result);
}

static CraftyRecoveryStatus status_of(int status)
{
    if (WIFSIGNALED(status))
        return CRAFTY_RECOVERY_CRASHED;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? CRAFTY_RECOVERY_DONE
                                                         : CRAFTY_RECOVERY_FAILED;
}

CraftyRecoveryStatus crafty_recovery_poll(CraftyRecovery *recovery)
{
    int status = 0;
    pid_t ended = waitpid(recovery->process, &status, WNOHANG);
    if (ended == recovery->process)
        return status_of(status);
    if (ended < 0 && errno != EINTR)
        return CRAFTY_RECOVERY_FAILED;
    if (cn_clock_ns() - recovery->began_ns < CRAFTY_RECOVERY_SECONDS * 1000000000ull)
        return CRAFTY_RECOVERY_RUNS;
    kill(recovery->process, SIGKILL);
    waitpid(recovery->process, &status, 0);
    return CRAFTY_RECOVERY_TIMED_OUT;
}

CraftyRecoveryStatus crafty_recovery_wait(CraftyRecovery *recovery)
{
    CraftyRecoveryStatus status;
    while ((status = crafty_recovery_poll(recovery)) == CRAFTY_RECOVERY_RUNS)
        cn_clock_sleep_ns(POLL_NS);
    return status;
}

const char *crafty_recovery_text(CraftyRecoveryStatus status)
{
    switch (status) {
    case CRAFTY_RECOVERY_DONE:
        return "it goes on from its last tick";
    case CRAFTY_RECOVERY_CRASHED:
        return "repeating the last seconds crashes again; it goes on from its last save";
    case CRAFTY_RECOVERY_TIMED_OUT:
        return "repeating the last seconds takes too long; it goes on from its last save";
    default:
        return "the last seconds cannot be repeated; it goes on from its last save";
    }
}

void crafty_recovery_offer(const char *program, const char *world_path, bool continues,
                           const char *mods)
{
    char folder[CRAFTY_CRASH_PATH_BYTES];
    CraftyUncleanSession session;
    CnError error = {0};
    char *absolute = realpath(world_path, NULL);
    bool found = absolute && crafty_crash_folder(folder, &error) &&
                 crafty_unclean_session_find(folder, absolute, &session);
    free(absolute);
    if (!found)
        return;
    CraftyRecovery recovery;
    if (!continues) {
        cn_print_error("%s: the world %s ended unexpectedly%s; with --continue it goes on from its "
                       "last tick instead of its last save",
                       program, session.info.world,
                       session.has_report ? " (see crafty report)" : "");
    } else if (crafty_recovery_start(&recovery, session.name, mods, &error)) {
        cn_print_error("%s: the world %s ended unexpectedly: %s", program, session.info.world,
                       crafty_recovery_text(crafty_recovery_wait(&recovery)));
    } else {
        fail(program, &error);
    }
}
