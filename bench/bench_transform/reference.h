/* What the pass is measured against: dense arrays, parents before children, no entities. */
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

/* Every matrix, one after the other, in plain C. */
void reference_naive(Reference *reference);
/* Those with a flag, and those below them. */
void reference_dirty(Reference *reference);
/* Every matrix, as fast as we know how: eight at a time, on the jobs, nothing else. */
void reference_bare(Reference *reference);

#endif
