/*
 * Frame timing on the simulation thread by phase, and the longest frames of a run.
 *
 *     crafty_frame_times_begin(&times, frame_number);
 *     crafty_phase_end(&times, CRAFTY_PHASE_CAMERA); // time since the previous phase ended
 *     crafty_frame_times_end(&times);
 *     crafty_longest_frames_add(&longest, &times);
 */
#ifndef CRAFTY_CLIENT_FRAME_TIMES_H
#define CRAFTY_CLIENT_FRAME_TIMES_H

#include <cairn/base/text.h>

typedef enum CraftyPhase {
    CRAFTY_PHASE_CAMERA,   /* tour, and the surroundings of the camera */
    CRAFTY_PHASE_CLIMATE,  /* tint map */
    CRAFTY_PHASE_CHUNKS,   /* chunks: starting jobs, applying results */
    CRAFTY_PHASE_FAR,      /* far terrain: selecting tiles, starting jobs, applying results */
    CRAFTY_PHASE_EFFECTS,  /* interaction, particles, screen */
    CRAFTY_PHASE_TICKS,    /* simulation and frame stages */
    CRAFTY_PHASE_GPU_WAIT, /* until the GPU has finished the frame before last */
    CRAFTY_PHASE_RECORD,   /* features, render graph, commands */
    CRAFTY_PHASE_SUBMIT,
    CRAFTY_PHASE_COUNT
} CraftyPhase;

typedef struct CraftyFrameTimes {
    uint64_t frame;
    float total_ms;
    float cpu_ms; /* CPU time of the thread; it waited for the rest */
    float phase_ms[CRAFTY_PHASE_COUNT];
    float gpu_ms;              /* all passes of the last frame finished by the GPU */
    uint32_t page_faults;      /* of the thread */
    uint32_t preemptions;      /* involuntary context switches of the thread */
    uint64_t waiting_bytes;    /* of meshes not yet uploaded */
    uint64_t begin_ns, end_ns; /* start of the frame; end of its last phase */
    uint64_t begin_cpu_ns, begin_faults, begin_preemptions;
} CraftyFrameTimes;

void crafty_frame_times_begin(CraftyFrameTimes *times, uint64_t frame);
/* Assigns the time since the last phase ended to this phase. */
void crafty_phase_end(CraftyFrameTimes *times, CraftyPhase phase);
void crafty_frame_times_end(CraftyFrameTimes *times);

#define CRAFTY_LONGEST_FRAMES 10u

/* Longest first. */
typedef struct CraftyLongestFrames {
    CraftyFrameTimes frames[CRAFTY_LONGEST_FRAMES];
    uint32_t count;
} CraftyLongestFrames;

void crafty_longest_frames_add(CraftyLongestFrames *longest, const CraftyFrameTimes *times);
/* Writes a JSON array with one object per frame. */
bool crafty_longest_frames_write(const CraftyLongestFrames *longest, CnTextBuilder *text);

#endif
