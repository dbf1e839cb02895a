/* The pass: what of it files share. */
#ifndef CAIRN_SCENE_TRANSFORM_PASS_H
#define CAIRN_SCENE_TRANSFORM_PASS_H

#include "transform.h"

typedef struct CniTransformPass {
    CnAllocator *allocator;
    CnTransforms *transforms;
    CnQuery *rows, *loose, *without_matrix, *without_cache;
    CniDerived *derived; /* of the resource: memory that goes with the pass */
    CniTransformLayout layout;
    uint64_t layout_version; /* of the order it was made from; 0: none */
    uint64_t last_tick;      /* of the last pass: what was written later is looked at */
    uint64_t tick;           /* of this one */
    uint32_t version;        /* what this pass moves gets it */
    CniLanesFn lanes;        /* NULL: one by one */
    /* A bit per position. */
    uint64_t *active;  /* to be computed */
    uint64_t *carried; /* its parent moved: to be computed as well */
    uint64_t *moved;   /* its matrix is another one than after the last pass, or may be */
    uint64_t *moving;  /* moved in the last pass: CnTransformCache.moving */
    uint32_t word_capacity;
} CniTransformPass;

void cni_bits_set_range(uint64_t *words, uint32_t begin, uint32_t end);
CniTransformPass *cni_pass_create(CnWorld *world, CnTransforms *transforms);
void cni_pass_destroy(CniTransformPass *pass);
/* Computes what is active, and what hangs below what moved. */
void cni_pass_run(CniTransformPass *pass, CnJobPool *jobs);

#endif
