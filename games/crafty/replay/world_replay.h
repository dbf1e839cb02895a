/*
 * A recording of a game: what is needed to create its world and to play it.
 *
 *     CraftyWorldReplay *replay = crafty_world_replay_open(cn_native_files(), path, &error);
 *     CraftySession *session =
 *         crafty_session_create(&(CraftySessionDesc){.replay = replay, .threads = 1}, &error);
 *     cn_replay_run(crafty_world_replay_cn(replay), crafty_session_sim(session), UINT64_MAX,
 *                   &difference, &error);
 *
 * A program that creates world and simulation itself uses the hooks, crafty_world_replay_attach
 * before the world is used, and crafty_world_replay_restore when the simulation has its plugins.
 * Recordings come from outside: all of this returns an error that says what is wrong. Scripts in a
 * recorded state have no other rights than without a recording.
 */
#ifndef CRAFTY_REPLAY_WORLD_REPLAY_H
#define CRAFTY_REPLAY_WORLD_REPLAY_H

#include "crafty/save/world_info.h"
#include "crafty/save/world_mods.h"
#include "crafty/sim/start.h"
#include "crafty/world/world.h"

#include <cairn/sim/replay.h>

/* Of the edits of all chunks of a recording, unpacked. */
#define CRAFTY_REPLAY_MAX_CHUNK_BYTES (1u << 30)

typedef struct CraftyWorldReplay CraftyWorldReplay;

CraftyWorldReplay *crafty_world_replay_open(CnFileSystem *files, const char *path, CnError *error);
/* Takes over the replay, also when it fails. */
CraftyWorldReplay *crafty_world_replay_create(CnReplay *replay, CnError *error);
/* Destroy the world first: its hooks use the replay. NULL is ignored. */
void crafty_world_replay_close(CraftyWorldReplay *replay);

CnReplay *crafty_world_replay_cn(CraftyWorldReplay *replay);
const CraftyStart *crafty_world_replay_start(const CraftyWorldReplay *replay);
/* Returns the palettes, valid as long as the replay. */
CraftyPalettes crafty_world_replay_palettes(const CraftyWorldReplay *replay);
/* Returns the mods that ran, valid as long as the replay. */
const CraftyWorldMods *crafty_world_replay_mods(const CraftyWorldReplay *replay);
/* Returns the description of a saved world; NULL if the world follows from the start. */
const CraftyWorldIdentity *crafty_world_replay_identity(const CraftyWorldReplay *replay);

/* Returns the hooks chunk_store and chunk_load with their user pointer; none if the world follows
 * from the start. */
CnVoxelsHooks crafty_world_replay_hooks(CraftyWorldReplay *replay);
/* Give a new world and a new simulation the state before the first recorded tick. */
bool crafty_world_replay_attach(CraftyWorldReplay *replay, CraftyWorld *world, CnError *error);
bool crafty_world_replay_restore(CraftyWorldReplay *replay, CnSim *sim, CnError *error);

#endif
