/*
 * What reads and the pass share.
 *
 * A transform that moves in every pass is `moving`: the pass computes its matrix from local and parent,
 * sees that it is another one, and writes nothing else. The numbers it was baked from, its version and
 * its parent's would be twice the memory that the work needs. A read of one computes the matrix again,
 * and if it is the same, its version is that of the last pass. When a pass finds the matrix unchanged,
 * it writes all this down, and the transform rests.
 */
#ifndef CAIRN_SCENE_TRANSFORM_PRIVATE_H
#define CAIRN_SCENE_TRANSFORM_PRIVATE_H

#include <cairn/scene/transform.h>
#include <string.h>

CN_FORCE_INLINE void cni_transform_compute(CnAffine *out, const CnTransform *local,
                                           const CnAffine *parent)
{
    CnAffine own;
    cni_affine_from_trs(&own, &local->position, &local->rotation, &local->scale);
    if (parent)
        cni_affine_mul(out, parent, &own);
    else
        *out = own;
}

static inline uint32_t cni_transform_version(const CnTransforms *transforms,
                                             const CnTransformCache *cache)
{
    return cache->moving ? transforms->pass_version : cache->version;
}

/* The next version to give; never 0. */
uint32_t cni_next_version(CnTransforms *transforms);

/* What fewer readers need is kept beside the rows, for those that were asked last: in the rows it would
 * make every chunk half as long. A place may be taken by another entity of the same remainder. */
#define CNI_DERIVED_PLACES 1024u

typedef struct CniDerived {
    CnEntity entity;
    uint32_t inverse_version, trs_version; /* 0: not here */
    CnAffine inverse;
    CnQuat rotation;
    CnVec3 scale;
} CniDerived;

/* ---- Where the pass finds things ---- */

#define CNI_NOWHERE UINT32_MAX

/* Positions that follow each other, whose rows follow each other in one chunk. */
typedef struct CniRun {
    uint32_t position, row, count;
} CniRun;

typedef struct CniTransformChunk {
    CnTransform *local; /* NULL: a chunk without transforms */
    CnWorldTransform *matrix;
    CnTransformCache *cache;
    const CnEntity *entities;
    uint64_t *matrix_tick; /* of the column */
    uint32_t first_run, run_count;
    uint32_t has_moving; /* some row may be */
} CniTransformChunk;

#define CNI_GROUP 16u
#define CNI_GROUP_PARENTS 3u

/* Positions that can be computed together; the first is a multiple of CNI_GROUP. Siblings lie together:
 * mostly they have few parents. */
typedef struct CniGroup {
    const CnTransform *local; /* of the first; NULL: the rows do not follow each other */
    CnWorldTransform *matrix;
    const CnAffine *parents[CNI_GROUP_PARENTS];
    uint16_t children[CNI_GROUP_PARENTS]; /* bits of each parent's children in the group */
    uint8_t parent_count;  /* 0: they are roots; more than CNI_GROUP_PARENTS: look each up */
    bool whole;            /* all are here and can be computed together */
    uint64_t *matrix_tick; /* of the chunk in which all are; NULL: they are in several */
} CniGroup;

/* Every transform has a position: the forest level by level, then those that are not in the tree. */
typedef struct CniTransformLayout {
    CnTreeOrder order;
    uint32_t count;         /* positions */
    CnU32Array places;      /* chunk << CNI_ROW_BITS | row; CNI_NOWHERE: has no transform */
    CnU32Array first_child; /* order.count + 1: children of p are first_child[p] to [p + 1] */
    CN_ARRAY(CniGroup) groups;
    CN_ARRAY(CniRun) runs;              /* by chunk */
    CN_ARRAY(CniTransformChunk) chunks; /* by number of chunk */
} CniTransformLayout;

void cni_layout_init(CniTransformLayout *layout, CnAllocator *allocator);
void cni_layout_fini(CniTransformLayout *layout);
/* False when out of memory; the layout is then to be made again before it is used. `rows` matches all
 * that has a transform and its caches, `loose` those without CnNode. */
bool cni_layout_build(CniTransformLayout *layout, const CnTreeOrder *order, CnQuery *rows,
                      CnQuery *loose);

CN_FORCE_INLINE uint32_t cni_chunk_number(const CnChunkView *view)
{
    return (uint32_t)(view->chunk - view->query->world->chunks);
}

CN_FORCE_INLINE CniTransformChunk *cni_layout_chunk(const CniTransformLayout *layout,
                                                    uint32_t place)
{
    return &layout->chunks.items[place >> CNI_ROW_BITS];
}

CN_FORCE_INLINE uint32_t cni_place_row(uint32_t place)
{
    return place & ((1u << CNI_ROW_BITS) - 1u);
}

CN_FORCE_INLINE CnAffine *cni_layout_matrix(const CniTransformLayout *layout, uint32_t place)
{
    return &cni_layout_chunk(layout, place)->matrix[cni_place_row(place)].matrix;
}

/* ---- Many at a time ---- */

/* Of 64 positions from 64 * word on. */
typedef struct CniWordBits {
    uint64_t active;  /* to be computed */
    uint64_t carried; /* of those, whose parent moved: so do they, and nothing has to be compared */
    uint64_t done;    /* computed */
} CniWordBits;

/* Computes those groups of a word that are whole and all active, and returns a bit per position that
 * moved. NULL: this CPU has no way that is faster than one by one. */
typedef uint64_t (*CniLanesFn)(const CniTransformLayout *layout, uint32_t word, CniWordBits *bits);
CniLanesFn cni_lanes(void);
uint64_t cni_lanes_avx2(const CniTransformLayout *layout, uint32_t word, CniWordBits *bits);
uint64_t cni_lanes_avx512(const CniTransformLayout *layout, uint32_t word, CniWordBits *bits);

#endif
