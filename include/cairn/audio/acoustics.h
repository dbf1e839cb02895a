/*
 * Acoustics of voxel worlds: blocks between a voice and the listener muffle it, and the free paths
 * around the listener determine the reverb.
 *
 *     CnAcoustics *acoustics = cn_acoustics_create(
 *         &(CnAcousticsDesc){.audio = audio, .jobs = pool}, &error);
 *     while (is_running) { // once per frame
 *         cn_acoustics_update(acoustics, voxels, 1.0 / 60);
 *         cn_audio_update(audio, 1.0 / 60);
 *     }
 *     cn_acoustics_destroy(acoustics);
 *
 * A probe runs in a job: it traces rays from the listener in fixed directions through the blocks
 * that are loaded, and a ray to each spatial voice. Blocks are read from references to chunks that
 * the world's thread collects, so that probes and edits never wait for each other. Nothing is
 * generated or loaded. Probes follow each other; when one is done, its results are applied with
 * smooth transitions and the next one starts.
 */
#ifndef CAIRN_AUDIO_ACOUSTICS_H
#define CAIRN_AUDIO_ACOUSTICS_H

#include <cairn/audio/reverb.h>
#include <cairn/voxel/voxels.h>

CN_EXTERN_C_BEGIN

typedef struct CnAcoustics CnAcoustics;

typedef struct CnAcousticsDesc {
    CnAllocator *allocator; /* NULL: the system allocator */
    CnAudio *audio;         /* not owned */
    CnJobPool *jobs;        /* not owned; NULL: probes run inside cn_acoustics_update */
    uint32_t voices;        /* per probe, in turn; 0 selects 32; at most 256 */
    uint32_t interval_ms;   /* between the starts of probes; 0 selects 50 */
    /* Every call waits for its probe, so that results do not depend on the speed of the machine:
     * for captures and tests. */
    bool wait;
} CnAcousticsDesc;

/* Returns NULL and sets the error when out of memory or if a limit is exceeded. */
CN_API CnAcoustics *cn_acoustics_create(const CnAcousticsDesc *desc, CnError *error);
/* Waits for the running probe and frees the object. The reverb stays as it is. NULL is ignored. */
CN_API void cn_acoustics_destroy(CnAcoustics *acoustics);

/* Applies the results of a finished probe and starts the next one when it is due. Call it once per
 * frame on the thread that owns the world, which may be another one in each call, or NULL: then
 * occlusion and reverb fade away. */
CN_API void cn_acoustics_update(CnAcoustics *acoustics, CnVoxels *world, double seconds);

typedef enum CnSpaceKind {
    CN_SPACE_FIELD,  /* under the open sky */
    CN_SPACE_FOREST, /* among trees: paths end at leaves and trunks, the sky is mostly free */
    CN_SPACE_ROOM,   /* small and closed */
    CN_SPACE_CAVE,   /* large or long, and closed, of stone */
    CN_SPACE_WATER,  /* the listener is under water */
    CN_SPACE_KINDS
} CnSpaceKind;

/* What a probe found around the listener. */
typedef struct CnAcousticSpace {
    CnSpaceKind kind;
    float openness;   /* share of rays that end nowhere, 0 to 1 */
    float sky;        /* share of upward rays that end nowhere */
    float mean_path;  /* meters, of the rays that end at a block */
    float absorption; /* of the blocks they end at, 0 to 1, mean */
    float forest;     /* share of the rays that end at leaves or trunks */
    CnReverb reverb;  /* derived from the above */
} CnAcousticSpace;

/* Returns the result of the last probe; a field without reverb before the first. */
CN_API CnAcousticSpace cn_acoustics_space(const CnAcoustics *acoustics);

typedef struct CnAcousticsStats {
    uint64_t probes, rays, voices; /* finished, traced, tested for occlusion */
    double probe_seconds;          /* of jobs, in total */
    double update_seconds;         /* of cn_acoustics_update, in total */
} CnAcousticsStats;
CN_API CnAcousticsStats cn_acoustics_stats(const CnAcoustics *acoustics);

CN_EXTERN_C_END

#endif
