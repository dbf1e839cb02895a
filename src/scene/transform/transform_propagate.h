/* Internals shared by the files of the pass. */
#ifndef CAIRN_SRC_SCENE_TRANSFORM_TRANSFORM_PROPAGATE_H
#define CAIRN_SRC_SCENE_TRANSFORM_TRANSFORM_PROPAGATE_H

#include "scene/transform/transform_internal.h"

typedef struct CniSceneTransformPass {
    CnAllocator *allocator;
    CnTransforms *transforms;
    CnQuery *rows, *loose, *without_matrix, *without_cache;
    CniSceneTransformDerived *derived; /* of the resource; freed with the pass */
    CniSceneTransformLayout layout;
    uint64_t layout_version;       /* of the order from which it was built; 0: none */
    uint64_t last_tick;            /* of the last pass; later writes are examined */
    uint64_t tick;                 /* of this pass */
    uint32_t version;              /* assigned to what this pass moves */
    CniSceneTransformSimdFn lanes; /* NULL: one at a time */
    /* A bit per position. */
    uint64_t *active;       /* to be computed */
    uint64_t *parent_moved; /* its parent moved: to be computed as well */
    uint64_t *moved;        /* its matrix differs, or may differ, from the last pass */
    uint64_t *moving;       /* moved in the last pass: CnTransformCache.moving */
    uint32_t word_capacity;
} CniSceneTransformPass;

void cni_scene_bits_set_range(uint64_t *words, uint32_t begin, uint32_t end);
CniSceneTransformPass *cni_scene_transform_pass_create(CnWorld *world, CnTransforms *transforms,
                                                       CnError *error);
void cni_scene_transform_pass_destroy(CniSceneTransformPass *pass);
/* Computes what is active, and everything below what moved. */
void cni_scene_transform_pass_run(CniSceneTransformPass *pass, CnJobPool *jobs);

#endif
