/*
 * Data shared by reads and the pass.
 *
 * A transform that moves in every pass is `moving`: the pass computes its matrix from the local
 * transform and the parent, sees that it differs, and writes nothing else. Storing the baked
 * transform, the version and the parent's version would touch twice the memory. A read computes the
 * matrix again; if it is the same, its version is that of the last pass. When a pass finds the
 * matrix unchanged, it stores all of this, and the transform is at rest.
 */
#ifndef CAIRN_SRC_SCENE_TRANSFORM_TRANSFORM_INTERNAL_H
#define CAIRN_SRC_SCENE_TRANSFORM_TRANSFORM_INTERNAL_H

#include <cairn/scene/transform.h>
#include <string.h>

CN_FORCE_INLINE void cni_scene_transform_compute(CnAffine *out, const CnTransform *local,
                                                 const CnAffine *parent)
{
    CnAffine own;
    cni_base_affine_from_trs(&own, &local->position, &local->rotation, &local->scale);
    if (parent)
        cni_base_affine_mul(out, parent, &own);
    else
        *out = own;
}

static inline uint32_t cni_scene_transform_version(const CnTransforms *transforms,
                                                   const CnTransformCache *cache)
{
    return cache->moving ? transforms->pass_version : cache->version;
}

/* Returns the next version; never 0. */
uint32_t cni_scene_transform_next_version(CnTransforms *transforms);

/* Values that few readers need are cached outside of the rows, for the entities accessed last:
 * in the rows they would halve the length of every chunk. A slot may be taken over by another
 * entity with the same remainder. */
#define CNI_SCENE_TRANSFORM_DERIVED_SLOTS 1024u

typedef struct CniSceneTransformDerived {
    CnEntity entity;
    uint32_t inverse_version, trs_version; /* 0: not cached */
    CnAffine inverse;
    CnQuat rotation;
    CnVec3 scale;
} CniSceneTransformDerived;

/* ---- The layout: where the pass finds transforms ---- */

#define CNI_SCENE_NO_TRANSFORM UINT32_MAX

/* Consecutive positions whose rows are consecutive in one chunk. */
typedef struct CniSceneTransformRun {
    uint32_t position, row, count;
} CniSceneTransformRun;

typedef struct CniSceneTransformChunk {
    CnTransform *local; /* NULL: a chunk without transforms */
    CnWorldTransform *matrix;
    CnTransformCache *cache;
    const CnEntity *entities;
    uint64_t *matrix_tick; /* of the column */
    uint32_t first_run, run_count;
    uint32_t has_moving; /* some row may be moving */
} CniSceneTransformChunk;

#define CNI_SCENE_TRANSFORM_GROUP 16u
#define CNI_SCENE_TRANSFORM_GROUP_PARENTS 3u

/* Positions that can be computed together; the first is a multiple of CNI_SCENE_TRANSFORM_GROUP.
 * Siblings are adjacent, so a group usually has few parents. */
typedef struct CniSceneTransformGroup {
    const CnTransform *local; /* of the first; NULL: the rows are not consecutive */
    CnWorldTransform *matrix;
    const CnAffine *parents[CNI_SCENE_TRANSFORM_GROUP_PARENTS];
    uint16_t children[CNI_SCENE_TRANSFORM_GROUP_PARENTS]; /* bits of each parent's children in the
                                                             group */
    uint8_t
        parent_count; /* 0: roots; more than CNI_SCENE_TRANSFORM_GROUP_PARENTS: look up each one */
    bool whole;       /* all exist and can be computed together */
    uint64_t *matrix_tick; /* of the chunk that contains all of them; NULL: several chunks */
} CniSceneTransformGroup;

/* Every transform has a position: the forest level by level, then transforms outside of the
 * tree. */
typedef struct CniSceneTransformLayout {
    CnTreeOrder order;
    uint32_t count; /* positions */
    CnU32Array
        locations; /* chunk << CNI_ECS_ROW_BITS | row; CNI_SCENE_NO_TRANSFORM: has no transform */
    CnU32Array first_child; /* order.count + 1: children of p are first_child[p] to [p + 1] */
    CN_ARRAY(CniSceneTransformGroup) groups;
    CN_ARRAY(CniSceneTransformRun) runs;     /* by chunk */
    CN_ARRAY(CniSceneTransformChunk) chunks; /* by number of chunk */
} CniSceneTransformLayout;

void cni_scene_transform_layout_init(CniSceneTransformLayout *layout, CnAllocator *allocator);
void cni_scene_transform_layout_fini(CniSceneTransformLayout *layout);
/* Returns false when out of memory; the layout must then be built again before it is used.
 * `rows` matches all entities with a transform and its caches, `loose` those without CnNode. */
bool cni_scene_transform_layout_build(CniSceneTransformLayout *layout, const CnTreeOrder *order,
                                      CnQuery *rows, CnQuery *loose);

CN_FORCE_INLINE uint32_t cni_scene_chunk_number(const CnChunkView *view)
{
    return (uint32_t)(view->chunk - view->query->world->chunks);
}

CN_FORCE_INLINE CniSceneTransformChunk *
cni_scene_transform_layout_chunk(const CniSceneTransformLayout *layout, uint32_t location)
{
    return &layout->chunks.items[location >> CNI_ECS_ROW_BITS];
}

CN_FORCE_INLINE uint32_t cni_scene_transform_row(uint32_t location)
{
    return location & ((1u << CNI_ECS_ROW_BITS) - 1u);
}

CN_FORCE_INLINE CnAffine *cni_scene_transform_layout_matrix(const CniSceneTransformLayout *layout,
                                                            uint32_t location)
{
    return &cni_scene_transform_layout_chunk(layout, location)
                ->matrix[cni_scene_transform_row(location)]
                .matrix;
}

/* ---- Vectorized computation ---- */

/* Bits of 64 positions from 64 * word on. */
typedef struct CniSceneTransformWord {
    uint64_t active;       /* to be computed */
    uint64_t parent_moved; /* of those, whose parent moved: they move too, without a comparison */
    uint64_t done;         /* computed */
} CniSceneTransformWord;

/* Computes the groups of a word that are whole and all active, and returns a bit for each
 * position that moved. NULL: this CPU has no path that is faster than one at a time. */
typedef uint64_t (*CniSceneTransformSimdFn)(const CniSceneTransformLayout *layout, uint32_t word,
                                            CniSceneTransformWord *bits);
CniSceneTransformSimdFn cni_scene_transform_simd(void);
uint64_t cni_scene_transform_avx2(const CniSceneTransformLayout *layout, uint32_t word,
                                  CniSceneTransformWord *bits);
uint64_t cni_scene_transform_avx512(const CniSceneTransformLayout *layout, uint32_t word,
                                    CniSceneTransformWord *bits);

#endif
