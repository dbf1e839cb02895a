/*
 * Continues a game that ended unexpectedly: opens its world as it was last saved, plays the
 * messages that were recorded since, and saves it, if all states are as recorded.
 *
 *     CraftyUncleanSession session;
 *     if (crafty_unclean_session_find(folder, path, &session) &&
 *         crafty_recovery_start(&recovery, "crafty", session.name, &error))
 *         status = crafty_recovery_wait(&recovery);
 *
 * It runs in a process of its own, `PROGRAM recover SESSION`, because what crashed the game may
 * crash it again. An attempt is noted before it begins: after one that failed, the world is opened
 * as it was last saved. Either way, nothing that was saved is changed unless everything was played.
 */
#ifndef CRAFTY_CRASH_RECOVER_H
#define CRAFTY_CRASH_RECOVER_H

#include "session_file.h"

#include <sys/types.h>

typedef enum CraftyRecoveryStatus {
    CRAFTY_RECOVERY_RUNS,
    CRAFTY_RECOVERY_DONE,     /* the world is as it was in the last recorded tick */
    CRAFTY_RECOVERY_FAILED,   /* the world is as it was last saved; a message was printed */
    CRAFTY_RECOVERY_CRASHED,  /* the same; continuing crashed */
    CRAFTY_RECOVERY_TIMED_OUT /* the same; it took longer than CRAFTY_RECOVERY_SECONDS */
} CraftyRecoveryStatus;

#define CRAFTY_RECOVERY_SECONDS 120u

/* The process that continues. */
typedef struct CraftyRecovery {
    pid_t process;
    uint64_t began_ns;
} CraftyRecovery;

/* Starts this program with the arguments `recover SESSION` and the folder of `--mods`, which may be
 * NULL. */
bool crafty_recovery_start(CraftyRecovery *recovery, const char *session, const char *mods,
                           CnError *error);
/* Returns how far it is, without waiting. */
CraftyRecoveryStatus crafty_recovery_poll(CraftyRecovery *recovery);
/* Waits until it has ended. */
CraftyRecoveryStatus crafty_recovery_wait(CraftyRecovery *recovery);
/* Describes a status for the player. */
const char *crafty_recovery_text(CraftyRecoveryStatus status);

/* Looks for a session of the world that ended unexpectedly. With `continues`, continues it and
 * prints how that went; otherwise prints that it could be continued. For programs without a
 * window. */
void crafty_recovery_offer(const char *program, const char *world_path, bool continues,
                           const char *mods);

/* Runs in that process: continues a session by its name, with the mods that it had. Prints the last
 * tick with its hashes, or what failed. Returns the exit status. */
int crafty_recover(const char *program, const char *session, const char *mods);

#endif
