/*
 * Recordings: the inputs of a run, tick by tick, with a fingerprint of the state after each, so that
 * the run can be played again, checked, and entered at any tick.
 *
 *     CnRecorder *recorder = cn_recorder_create(sim, &(CnRecorderDesc){
 *         .files = cn_native_files(), .path = "run.cnr", .settings = "demo=swarm"}, &error);
 *     cn_sim_tick_n(sim, 1000, &error);
 *     cn_recorder_finish(recorder, &error);
 *
 *     CnReplay *replay = cn_replay_open(cn_native_files(), "run.cnr", NULL, &error);
 *     // ... make a simulation from cn_replay_info(replay): same settings, same seed ...
 *     CnDifference difference;
 *     cn_replay_run(replay, sim, UINT64_MAX, &difference, &error);      // plays and compares
 *     cn_replay_seek(replay, sim, 500, &error);                         // the state before tick 500
 *     cn_replay_close(replay);
 *
 * What is recorded is what producers delivered: the one door for outside influence. A tick costs
 * its events, 8 bytes of state hash and 29 bytes for each component that changed. From these the
 * first difference can be named by tick, component and, when one entity differs, entity: three sums
 * of the hashes of a component's values, plain and weighted by entity number and its square, give
 * the number of a single entity that differs.
 *
 * Every keyframe_ticks the whole state is recorded too; playing may start at any of these. A
 * recording that was cut off, by a crash for example, is good up to its last whole tick; a file is at
 * most a second behind. docs/formats.md describes the bytes.
 */
#ifndef CAIRN_SIM_REPLAY_H
#define CAIRN_SIM_REPLAY_H

#include <cairn/base/file.h>
#include <cairn/sim/loop.h>

CN_EXTERN_C_BEGIN

typedef struct CnRecorder CnRecorder;
typedef struct CnReplay CnReplay;

/* Bytes, with the terminator. */
#define CN_MAX_REPLAY_SETTINGS 1024u
#define CN_MAX_REPLAY_BUILD 64u

typedef struct CnRecorderDesc {
    CnFileSystem *files; /* NULL: into memory; see cn_recorder_bytes */
    const char *path;
    const char *settings;    /* whatever the program needs to make the same simulation again */
    const char *build;       /* of the program; NULL: the version of the library */
    uint32_t keyframe_ticks; /* 0 means 1,000; UINT32_MAX: only at the start */
    bool without_components; /* leaves out what names the component and entity that differ */
} CnRecorderDesc;

/* From the next tick on; runs the startup stages if they have not run. It is the observer of the
 * simulation until it is finished; NULL and an error when there is one already. `desc` may be NULL. */
CN_API CnRecorder *cn_recorder_create(CnSim *sim, const CnRecorderDesc *desc, CnError *error);
/* Writes what is left and ends it; false and an error when some part could not be recorded, or ticks
 * ran that it did not see: the ticks before are good. What went wrong never stops the simulation. The recorder is gone either
 * way. Destroy the simulation after it. */
CN_API bool cn_recorder_finish(CnRecorder *recorder, CnError *error);
/* What a recorder without files has recorded so far: whole ticks. Valid until the next tick. */
CN_API const uint8_t *cn_recorder_bytes(const CnRecorder *recorder, size_t *size);
/* Ticks recorded. */
CN_API uint64_t cn_recorder_ticks(const CnRecorder *recorder);

typedef struct CnReplayInfo {
    char build[CN_MAX_REPLAY_BUILD];
    char settings[CN_MAX_REPLAY_SETTINGS];
    uint64_t seed;
    uint32_t tick_hz;
    uint64_t first_tick, tick_count;
    uint32_t keyframe_count;
    bool cut_off; /* it has no end */
} CnReplayInfo;

CN_API CnReplay *cn_replay_open(CnFileSystem *files, const char *path, CnAllocator *allocator,
                                CnError *error);
/* The bytes are copied. */
CN_API CnReplay *cn_replay_open_bytes(const void *bytes, size_t size, CnAllocator *allocator,
                                      CnError *error);
CN_API void cn_replay_close(CnReplay *replay);
CN_API const CnReplayInfo *cn_replay_info(const CnReplay *replay);

/* Where a run first departs from its recording. */
typedef struct CnDifference {
    bool found;
    bool at_start; /* the state was another before this run began: other settings, for example */
    uint64_t tick; /* after which, or, at the start, before which the states differ */
    char component[CN_MAX_NAME_BYTES]; /* of an entity or resource; empty: which entities there are,
                                          or the order of rows */
    bool has_entity;                   /* one entity alone differs there */
    CnEntity entity; /* its generation is 0 if it does not live in this simulation */
    char text[256];  /* all of it, for people */
} CnDifference;

/* Plays the simulation from its tick up to `end` (which is not played) or the end of the recording.
 * With `difference` the state before the first and after each tick is compared, and playing stops at
 * the first that differs; that is no error. False and an error when the recording names events that
 * the simulation does not have, does not cover the simulation's tick, was made at another rate, or a
 * tick fails. Takes the place of the observer meanwhile. What producers send meanwhile is dropped. */
CN_API bool cn_replay_run(CnReplay *replay, CnSim *sim, uint64_t end, CnDifference *difference,
                          CnError *error);
/* Brings the simulation to the state before tick `tick` by playing, from the nearest keyframe, or
 * from where it is, if that is nearer and as recorded. */
CN_API bool cn_replay_seek(CnReplay *replay, CnSim *sim, uint64_t tick, CnError *error);

CN_EXTERN_C_END

#endif
