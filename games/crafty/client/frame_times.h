/*
 * Where the time of a frame goes, on the thread that runs the frames, and the longest frames of a run.
 *
 *     crafty_frame_times_begin(&times, frame_number);
 *     ... crafty_phase_end(&times, CRAFTY_PHASE_PLACE);      // since the last end, or the beginning
 *     crafty_frame_times_end(&times);
 *     crafty_longest_frames_add(&longest, &times);
 */
#ifndef CRAFTY_CLIENT_FRAME_TIMES_H
#define CRAFTY_CLIENT_FRAME_TIMES_H

#include <cairn/base/text.h>

typedef enum CraftyPhase {
    CRAFTY_PHASE_PLACE,    /* the tour, and what is around the camera */
    CRAFTY_PHASE_CLIMATE,  /* the map of colors that biomes have */
    CRAFTY_PHASE_CHUNKS,   /* chunks: jobs begun, results taken in */
    CRAFTY_PHASE_FAR,      /* far terrain: tiles chosen, jobs begun, results taken in */
    CRAFTY_PHASE_EFFECTS,  /* the hand, particles, the screen */
    CRAFTY_PHASE_TICKS,    /* simulation and frame stages */
    CRAFTY_PHASE_GPU_WAIT, /* until the GPU has drawn the frame before the last */
    CRAFTY_PHASE_RECORD,   /* features, render graph, commands */
    CRAFTY_PHASE_SUBMIT,
    CRAFTY_PHASE_COUNT
} CraftyPhase;

typedef struct CraftyFrameTimes {
    uint64_t frame;
    float total_ms;
    float cpu_ms; /* that the thread ran; the rest of the total it waited */
    float phase_ms[CRAFTY_PHASE_COUNT];
    float gpu_ms;              /* of all passes of the last frame that the GPU has drawn */
    uint32_t page_faults;      /* of the thread */
    uint32_t preemptions;      /* involuntary context switches of the thread */
    uint64_t waiting_bytes;    /* of meshes, not yet on the GPU */
    uint64_t begin_ns, end_ns; /* of the frame; of its last phase */
    uint64_t begin_cpu_ns, begin_faults, begin_preemptions;
} CraftyFrameTimes;

void crafty_frame_times_begin(CraftyFrameTimes *times, uint64_t frame);
/* The time since the last phase ended belongs to this one. */
void crafty_phase_end(CraftyFrameTimes *times, CraftyPhase phase);
void crafty_frame_times_end(CraftyFrameTimes *times);

#define CRAFTY_LONGEST_FRAMES 10u

/* Longest first. */
typedef struct CraftyLongestFrames {
    CraftyFrameTimes frames[CRAFTY_LONGEST_FRAMES];
    uint32_t count;
} CraftyLongestFrames;

void crafty_longest_frames_add(CraftyLongestFrames *longest, const CraftyFrameTimes *times);
/* A JSON array of one object a frame. */
bool crafty_longest_frames_write(const CraftyLongestFrames *longest, CnTextBuilder *text);

#endif
