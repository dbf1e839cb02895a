/*
 * Recordings: the inputs of a run, tick by tick, with a fingerprint of the state after each tick. A
 * run can be played again, verified, and entered at any tick.
 *
 *     CnError error = {0};
 *     CnSim *sim = cn_sim_create(&(CnSimDesc){.seed = 7}, &error);
 *     CnRecorder *recorder = cn_recorder_create(sim, &(CnRecorderDesc){
 *         .files = cn_native_files(), .path = "run.cnr", .settings = "demo=swarm"}, &error);
 *     cn_sim_tick_n(sim, 1000, &error);
 *     cn_recorder_finish(recorder, &error);
 *     cn_recorder_destroy(recorder);
 *     cn_sim_destroy(sim);
 *
 *     CnReplay *replay = cn_replay_open(cn_native_files(), "run.cnr", NULL, &error);
 *     const CnReplayInfo *info = cn_replay_info(replay);      // create the simulation from this
 *     sim = cn_sim_create(&(CnSimDesc){.seed = info->seed, .tick_hz = info->tick_hz}, &error);
 *     CnReplayDifference difference;
 *     cn_replay_run(replay, sim, UINT64_MAX, &difference, &error);   // plays and compares
 *     cn_replay_seek(replay, sim, 500, &error);                      // the state before tick 500
 *     cn_replay_close(replay);
 *     cn_sim_destroy(sim);
 *
 * Programs attach what else a replay needs (cn_recorder_attach).
 *
 * A recording contains what producers delivered, which is the only outside influence. A tick takes
 * up its events, 8 bytes of state hash and 29 bytes for each component that changed. These suffice
 * to locate the first difference by tick, component and, if a single entity differs, entity: for
 * each component, three sums of the hashes of its values (plain, weighted by the entity number, and
 * weighted by its square) identify a single differing entity.
 *
 * Every keyframe_ticks ticks the whole state is recorded too; playback can start at any keyframe. A
 * truncated recording, for example after a crash, is usable up to its last complete tick; the file
 * lags at most one second behind. docs/formats.md describes the format.
 */
#ifndef CAIRN_SIM_REPLAY_H
#define CAIRN_SIM_REPLAY_H

#include <cairn/base/array.h>
#include <cairn/base/file.h>
#include <cairn/base/text.h>
#include <cairn/sim/loop.h>

CN_EXTERN_C_BEGIN

typedef struct CnRecorder CnRecorder;
typedef struct CnReplay CnReplay;

/* Sizes in bytes, including the terminator. Settings may contain lists, such as a game's palette of
 * items. */
#define CN_MAX_REPLAY_SETTINGS (1u << 20)
#define CN_MAX_REPLAY_BUILD 64u
#define CN_MAX_ATTACHMENT_BYTES (16u << 20)

typedef struct CnRecorderDesc {
    CnFileSystem *files; /* NULL: records into memory; see cn_recorder_bytes */
    const char *path;
    const char *settings;     /* what the program needs to create the same simulation again */
    const char *build;        /* of the program; NULL: the version of the library */
    uint32_t keyframe_ticks;  /* 0 selects the default, 1,000; UINT32_MAX: only at the start */
    bool without_components;  /* omits the data that locates a difference by component and entity */
    bool without_compression; /* of keyframes and attachments, for speed */
    bool beside_others;       /* is a listener: other recorders and an observer may exist */
    uint32_t write_ticks;     /* ticks between writes; 0 selects one second */
} CnRecorderDesc;

/* Starts recording with the next tick; runs the startup stages if they have not run. The
 * recorder is the observer of the simulation until it is finished or destroyed. Returns NULL and
 * an error when the simulation already has an observer. `desc` may be NULL. */
CN_API CnRecorder *cn_recorder_create(CnSim *sim, const CnRecorderDesc *desc, CnError *error);
/* Ends the recording: writes the remaining data, closes the file and stops observing. Returns
 * false and an error when some part could not be recorded, or when ticks ran that the recorder did
 * not observe; the ticks before are usable. Errors of a recorder never stop the simulation. Call
 * it once, before destroying the simulation. */
CN_API bool cn_recorder_finish(CnRecorder *recorder, CnError *error);
/* Frees a recorder; NULL is ignored. A recording that was not finished is abandoned: what its file
 * already contains is usable, as after a crash. Such a recorder must be destroyed before the
 * simulation; a finished one may outlive it. */
CN_API void cn_recorder_destroy(CnRecorder *recorder);
/* Returns what a recorder without files has recorded so far: complete ticks and, once it is
 * finished, the end mark. Valid until the next tick. */
CN_API const uint8_t *cn_recorder_bytes(const CnRecorder *recorder, size_t *size);
/* Adds data of the program to the recording, such as what a game keeps outside of the simulation.
 * May be called between ticks and during a tick; at most CN_MAX_ATTACHMENT_BYTES and as many as
 * needed, also with the same name. `name` has at most 63 bytes of UTF-8. Returns false if the
 * recording has ended, or ends because memory ran out. */
CN_API bool cn_recorder_attach(CnRecorder *recorder, const char *name, const void *bytes,
                               size_t size);
/* Returns the number of recorded ticks. */
CN_API uint64_t cn_recorder_ticks(const CnRecorder *recorder);

typedef struct CnReplayInfo {
    char build[CN_MAX_REPLAY_BUILD];
    const char *settings; /* valid as long as the replay */
    uint64_t seed;
    uint32_t tick_hz;
    uint64_t first_tick, tick_count;
    uint32_t keyframe_count;
    bool cut_off; /* the recording is truncated */
} CnReplayInfo;

/* Reads and validates a recording. Returns NULL and an error if it is not readable or is damaged.
 * `allocator` may be NULL (the system allocator). */
CN_API CnReplay *cn_replay_open(CnFileSystem *files, const char *path, CnAllocator *allocator,
                                CnError *error);
/* Opens a recording in memory. The bytes are copied. */
CN_API CnReplay *cn_replay_open_bytes(const void *bytes, size_t size, CnAllocator *allocator,
                                      CnError *error);
CN_API void cn_replay_close(CnReplay *replay);
CN_API const CnReplayInfo *cn_replay_info(const CnReplay *replay);

/* Return what cn_recorder_attach added, in that order. The name is valid as long as the replay. */
CN_API uint32_t cn_replay_attachment_count(const CnReplay *replay);
CN_API CnText cn_replay_attachment_name(const CnReplay *replay, uint32_t index);
/* Replaces `bytes` by the content of an attachment. Returns false and an error if it cannot be
 * unpacked or when out of memory. */
CN_API bool cn_replay_attachment_read(const CnReplay *replay, uint32_t index, CnU8Array *bytes,
                                      CnError *error);

/* The first difference between a run and its recording. */
typedef struct CnReplayDifference {
    bool found;
    bool at_start; /* the states differ before the first tick, for example because of settings */
    uint64_t tick; /* after which (at the start: before which) the states differ */
    /* Of an entity or resource; empty if the set of entities or the order of rows differs. */
    char component[CN_MAX_NAME_BYTES];
    uint64_t hash, recorded_hash; /* of the two states */
    bool has_entity;              /* exactly one entity differs */
    CnEntity entity;              /* its generation is 0 if it does not exist in this simulation */
    char text[256];               /* the complete description, for people */
} CnReplayDifference;
/* Plays the recording from the current tick of the simulation up to, but not including, `end`,
 * or to the end of the recording. If `difference` is not NULL, compares the state before the
 * first tick and after each tick, and stops at the first difference; this is not an error.
 * Returns false and an error if the recording contains events that the simulation does not have,
 * does not cover the simulation's tick, or was made at another tick rate, or if a tick fails.
 * Replaces the observer while it runs. Events that producers send during playback are dropped. */
CN_API bool cn_replay_run(CnReplay *replay, CnSim *sim, uint64_t end,
                          CnReplayDifference *difference, CnError *error);
/* Brings the simulation to the state before tick `tick`, by playing from the nearest keyframe,
 * or from the current tick if that is nearer and its state matches the recording. */
CN_API bool cn_replay_seek(CnReplay *replay, CnSim *sim, uint64_t tick, CnError *error);

/* Plays in the simulation's own time: the following ticks get the recorded events instead of those
 * of producers. After the last tick the simulation is paused. Compares the states like
 * cn_replay_run; after the first difference, ticks go on without comparison. The replay is the
 * observer until cn_replay_end. Returns false and an error as cn_replay_run does, or when the
 * simulation already has an observer. */
CN_API bool cn_replay_begin(CnReplay *replay, CnSim *sim, CnError *error);
/* Returns the first difference since cn_replay_begin. */
CN_API const CnReplayDifference *cn_replay_difference(const CnReplay *replay);
/* Stops playing in this simulation; it runs on with its own events, and stays paused if it is. */
CN_API void cn_replay_end(CnReplay *replay, CnSim *sim);

CN_EXTERN_C_END

#endif
