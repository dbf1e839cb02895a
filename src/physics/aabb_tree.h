/*
 * A balanced tree of boxes, to find bodies that may touch a box or a ray.
 *
 * Leaves are slightly larger than their contents, so that small moves change nothing. The shape of
 * the tree depends on its history, but the results do not, except for their order and for hits
 * between the exact and the enlarged box: callers test the exact box and sort.
 */
#ifndef CAIRN_SRC_PHYSICS_AABB_TREE_H
#define CAIRN_SRC_PHYSICS_AABB_TREE_H

#include <cairn/base/array.h>

#define CNI_PHYSICS_NO_LEAF UINT32_MAX
#define CNI_PHYSICS_AABB_TREE_DEPTH 64u /* sufficient for a balanced tree of 2^32 leaves */

typedef struct CniPhysicsAabb {
    double low[3], high[3];
} CniPhysicsAabb;

typedef struct CniPhysicsAabbNode {
    CniPhysicsAabb box;
    uint32_t parent;
    uint32_t children[2]; /* CNI_PHYSICS_NO_LEAF in [0]: a leaf; its value is in [1] */
    uint32_t height;      /* 0: a leaf; CNI_PHYSICS_NO_LEAF: free */
} CniPhysicsAabbNode;

typedef struct CniPhysicsAabbTree {
    CN_ARRAY(CniPhysicsAabbNode) nodes;
    uint32_t root, free;
    uint32_t leaf_count;
    uint32_t moves;   /* leaves that were inserted individually since the tree was last built */
    CnU32Array order; /* of leaves while it is built */
} CniPhysicsAabbTree;

/* Without branches, which would be unpredictable in a pile of bodies. */
static inline bool cni_physics_aabb_overlap(const CniPhysicsAabb *a, const CniPhysicsAabb *b)
{
    return (a->low[0] <= b->high[0]) & (b->low[0] <= a->high[0]) & (a->low[1] <= b->high[1]) &
           (b->low[1] <= a->high[1]) & (a->low[2] <= b->high[2]) & (b->low[2] <= a->high[2]);
}

void cni_physics_aabb_tree_init(CniPhysicsAabbTree *tree, CnAllocator *allocator);
void cni_physics_aabb_tree_fini(CniPhysicsAabbTree *tree);
/* Returns CNI_PHYSICS_NO_LEAF when out of memory. */
uint32_t cni_physics_aabb_tree_add(CniPhysicsAabbTree *tree, const CniPhysicsAabb *box,
                                   uint32_t value);
void cni_physics_aabb_tree_remove(CniPhysicsAabbTree *tree, uint32_t leaf);
void cni_physics_aabb_tree_move(CniPhysicsAabbTree *tree, uint32_t leaf, const CniPhysicsAabb *box);
/* Rebuilds the tree after many changes, because individual insertions degrade it. */
void cni_physics_aabb_tree_rebuild_if_poor(CniPhysicsAabbTree *tree);

/*
 *     CniPhysicsAabbQuery walk;
 *     cni_physics_aabb_query_box(&walk, tree, &box);
 *     for (uint32_t value; cni_physics_aabb_query_next(&walk, &value);)
 */
typedef struct CniPhysicsAabbQuery {
    const CniPhysicsAabbTree *tree;
    CniPhysicsAabb box;                     /* of a box */
    double origin[3], direction[3], length; /* of a ray */
    bool is_ray;
    uint32_t count;
    uint32_t stack[CNI_PHYSICS_AABB_TREE_DEPTH];
} CniPhysicsAabbQuery;

void cni_physics_aabb_query_box(CniPhysicsAabbQuery *walk, const CniPhysicsAabbTree *tree,
                                const CniPhysicsAabb *box);
/* `direction` has length 1. */
void cni_physics_aabb_query_ray(CniPhysicsAabbQuery *walk, const CniPhysicsAabbTree *tree,
                                const double origin[3], const double direction[3], double length);
bool cni_physics_aabb_query_next(CniPhysicsAabbQuery *walk, uint32_t *value);

#endif
