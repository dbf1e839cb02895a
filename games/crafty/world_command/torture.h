/*
 * `crafty world torture`: does this disk keep what it reported as saved? It plays worlds in a
 * temporary folder on the disk and disturbs them:
 *
 *   kill     a child process plays and saves, and is killed at any moment
 *   cut      the power is cut: a simulated disk drops, tears and reorders what was not synced
 *   full     the simulated disk is full for a while
 *   flip     bits of the file change; the check must notice, and the repair must work
 *
 * After each disturbance, the world must open with the exact state of one of its saves, not older
 * than the last one that was reported as durable. The time of a sync is measured on the real disk.
 */
#ifndef CRAFTY_WORLD_COMMAND_TORTURE_H
#define CRAFTY_WORLD_COMMAND_TORTURE_H

#include "crafty/replay/session.h"
#include "crafty/save/save_internal.h"

#include <cairn/sim/random.h>

#define TORTURE_MAX_SAVES 64u /* of one session */

/* ---- A game ---- */

/* What identifies a state of the game. */
typedef struct TortureState {
    uint64_t tick, state, blocks;
} TortureState;

typedef struct TortureGame {
    CraftySave *save;
    CraftySession *session;
} TortureGame;

/* Opens or creates a world, without a window. `vfs` NULL: the real disk. */
bool torture_game_open(TortureGame *game, const char *path, const char *vfs, CnError *error);
void torture_game_close(TortureGame *game);
TortureState torture_game_state(TortureGame *game);
/* Changes some blocks and runs a few ticks. */
bool torture_game_play(TortureGame *game, CnRandom *random, CnError *error);
bool torture_game_save(TortureGame *game, CnError *error);

/* The saves of a session, in the order of their batches. */
typedef struct TortureSaves {
    TortureState states[TORTURE_MAX_SAVES + 1]; /* [0]: the state at the start */
    uint32_t count;                             /* of saves */
    uint32_t durable; /* index of the last one that was reported as durable */
    bool was_new;     /* there was nothing to begin with */
} TortureSaves;

/* Opens the world and compares its state with the saves. Returns false and an error that says what
 * is wrong. */
bool torture_check_saves(const TortureSaves *saves, const char *path, const char *vfs,
                         CnError *error);

/* ---- Disturbances ---- */

typedef enum TortureKind {
    TORTURE_KILL,
    TORTURE_CUT,
    TORTURE_FULL,
    TORTURE_FLIP,
    TORTURE_KIND_COUNT
} TortureKind;

typedef struct TortureRound {
    const char *folder; /* empty, on the disk that is tested */
    uint64_t seed;
    uint32_t saves; /* out: how many were made */
} TortureRound;

/* Run one round. Return false and an error if something was lost. */
bool torture_kill(TortureRound *round, CnError *error);
bool torture_cut(TortureRound *round, CnError *error);
bool torture_full(TortureRound *round, CnError *error);
bool torture_flip(TortureRound *round, CnError *error);

/* ---- The disk ---- */

typedef struct TortureSync {
    double median_us, worst_us;
    uint32_t count;
} TortureSync;

#define TORTURE_FAST_SYNC_US 20.0 /* faster than any disk that really writes */

/* Measures how long it takes to make 4 KiB durable in a file of the folder. */
bool torture_measure_sync(const char *folder, TortureSync *sync, CnError *error);

#endif
