/* The reference for the transform pass: dense arrays, parents before children, no entities. */
#ifndef CAIRN_BENCH_TRANSFORM_REFERENCE_H
#define CAIRN_BENCH_TRANSFORM_REFERENCE_H

#include <cairn/base/job.h>
#include <cairn/base/linear.h>

typedef struct Numbers {
    CnVec3 position;
    CnQuat rotation;
    CnVec3 scale;
} Numbers;

typedef struct Reference {
    uint32_t count, level_count;
    const uint32_t *levels;  /* level_count + 1: where each depth begins */
    const uint32_t *parents; /* UINT32_MAX: the root */
    Numbers *local;
    CnAffine *matrices;
    uint8_t *dirty;
    CnJobPool *jobs;
} Reference;

/* Computes every matrix in sequence, in plain C. */
void reference_naive(Reference *reference);
/* Computes matrices with a flag and those below them. */
void reference_dirty(Reference *reference);
/* Computes every matrix as fast as possible: eight at a time, on the jobs. */
void reference_bare(Reference *reference);

#endif
