/*
 * Records a game, also one of a saved world: the recording holds everything that a replay needs and
 * does not refer to the file of the world.
 *
 *     CraftyWorldRecorderDesc desc = {
 *         .files = cn_native_files(), .path = "game.cnr", .sim = sim, .world = world,
 *         .start = &start, .save = save};
 *     CraftyWorldRecorder *recorder = crafty_world_recorder_create(&desc, &error);
 *     // ... ticks ...
 *     crafty_world_recorder_finish(recorder, &error);
 *     crafty_world_recorder_destroy(recorder);
 *
 * The game of a world without a file follows from its start (crafty/sim/recording.h). Of a saved
 * world, the recording has the state of the simulation in its first keyframe, and attachments:
 * description, scheduled ticks and awake water, block data, and the edits of chunks. Edits are
 * added when a chunk is first loaded or changed, so the size of a recording depends on the part of
 * the world that was visited, not on the size of the world.
 *
 * Use from the thread that runs the ticks, between ticks.
 */
#ifndef CRAFTY_REPLAY_WORLD_RECORDER_H
#define CRAFTY_REPLAY_WORLD_RECORDER_H

#include "crafty/save/save.h"
#include "crafty/sim/start.h"

#include <cairn/sim/replay.h>

/* Names of attachments; docs/formats.md describes their content. */
#define CRAFTY_ATTACHMENT_WORLD "crafty.world"
#define CRAFTY_ATTACHMENT_ACTIVITY "crafty.activity"
#define CRAFTY_ATTACHMENT_CHUNKS "crafty.chunks"
#define CRAFTY_ATTACHMENT_DATA_KINDS "crafty.data_kinds"
#define CRAFTY_ATTACHMENT_DATA "crafty.data"
#define CRAFTY_ATTACHMENT_MODS "crafty.mods"

typedef struct CraftyWorldRecorder CraftyWorldRecorder;

typedef struct CraftyWorldRecorderDesc {
    CnFileSystem *files; /* NULL: records into memory; see crafty_world_recorder_cn */
    const char *path;
    CnSim *sim;
    CraftyWorld *world;
    const CraftyStart *start;    /* with which the simulation was created */
    CraftySave *save;            /* of the world; NULL: it follows from `start` */
    const CraftyWorldMods *mods; /* that run; NULL: none */
    /* For a recording that runs all the time: runs beside another one, writes after each tick, does
     * not compress, and copies the edits of the chunks that are loaded in parts, in
     * crafty_world_recorder_go_on. */
    bool in_background;
} CraftyWorldRecorderDesc;

/* Starts recording with the next tick. Returns NULL and an error on failure, also while a save is
 * being built (crafty_save_is_building). */
CraftyWorldRecorder *crafty_world_recorder_create(const CraftyWorldRecorderDesc *desc,
                                                  CnError *error);
/* Copies the next part of the edits of loaded chunks; call it after each tick of a recording in the
 * background. */
void crafty_world_recorder_go_on(CraftyWorldRecorder *recorder);
/* Ends the recording; see cn_recorder_finish. */
bool crafty_world_recorder_finish(CraftyWorldRecorder *recorder, CnError *error);
/* Call it before closing the save and destroying the simulation. NULL is ignored. */
void crafty_world_recorder_destroy(CraftyWorldRecorder *recorder);
const CnRecorder *crafty_world_recorder_cn(const CraftyWorldRecorder *recorder);

#endif
