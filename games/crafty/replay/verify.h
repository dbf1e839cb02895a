/*
 * Plays a recording without a window and compares the state after each tick, for the command lines
 * of client and server.
 */
#ifndef CRAFTY_REPLAY_VERIFY_H
#define CRAFTY_REPLAY_VERIFY_H

#include "session.h"

typedef struct CraftyVerifyDesc {
    const char *program; /* begins messages */
    const char *path;
    uint32_t threads; /* see CraftySessionDesc */
    uint64_t ticks;   /* to play; 0: all */
    const char *mods; /* a further folder of mods; NULL: none */
    bool no_mods;
} CraftyVerifyDesc;

/* Prints the last tick with the hashes of state and blocks, or the first difference. Returns the
 * exit status of the program: 0, or 1 if the recording differs or cannot be played. */
int crafty_verify(const CraftyVerifyDesc *desc);
/* Prints "tick N state HASH blocks HASH". Returns the exit status. */
int crafty_print_hashes(const char *program, CraftySession *session);

#endif
