/* Internals shared by the files of the pass. */
#ifndef CAIRN_SRC_SCENE_TRANSFORM_TRANSFORM_PROPAGATE_H
#define CAIRN_SRC_SCENE_TRANSFORM_TRANSFORM_PROPAGATE_H

#include "scene/transform/transform_internal.h"

typedef struct CniTransformPass {
    CnAllocator *allocator;
    CnTransforms *transforms;
    CnQuery *rows, *loose, *without_matrix, *without_cache;
    CniDerived *derived; /* of the resource; freed with the pass */
    CniTransformLayout layout;
    uint64_t layout_version; /* of the order from which it was built; 0: none */
    uint64_t last_tick;      /* of the last pass; later writes are examined */
    uint64_t tick;           /* of this pass */
    uint32_t version;        /* assigned to what this pass moves */
    CniLanesFn lanes;        /* NULL: one at a time */
    /* A bit per position. */
    uint64_t *active;  /* to be computed */
    uint64_t *carried; /* its parent moved: to be computed as well */
    uint64_t *moved;   /* its matrix differs, or may differ, from the last pass */
    uint64_t *moving;  /* moved in the last pass: CnTransformCache.moving */
    uint32_t word_capacity;
} CniTransformPass;

void cni_bits_set_range(uint64_t *words, uint32_t begin, uint32_t end);
CniTransformPass *cni_pass_create(CnWorld *world, CnTransforms *transforms);
void cni_pass_destroy(CniTransformPass *pass);
/* Computes what is active, and everything below what moved. */
void cni_pass_run(CniTransformPass *pass, CnJobPool *jobs);

#endif
