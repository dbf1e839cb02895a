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

#define CNI_NO_LEAF UINT32_MAX
#define CNI_TREE_DEPTH 64u /* sufficient for a balanced tree of 2^32 leaves */

typedef struct CniBox {
    double low[3], high[3];
} CniBox;

typedef struct CniTreeNode {
    CniBox box;
    uint32_t parent;
    uint32_t children[2]; /* CNI_NO_LEAF in [0]: a leaf; its value is in [1] */
    uint32_t height;      /* 0: a leaf; CNI_NO_LEAF: free */
} CniTreeNode;

typedef struct CniBoxTree {
    CN_ARRAY(CniTreeNode) nodes;
    uint32_t root, free;
    uint32_t leaf_count;
    uint32_t moves;   /* leaves that were inserted individually since the tree was last built */
    CnU32Array order; /* of leaves while it is built */
} CniBoxTree;

/* Without branches, which would be unpredictable in a pile of bodies. */
static inline bool cni_boxes_meet(const CniBox *a, const CniBox *b)
{
    return (a->low[0] <= b->high[0]) & (b->low[0] <= a->high[0]) & (a->low[1] <= b->high[1]) &
           (b->low[1] <= a->high[1]) & (a->low[2] <= b->high[2]) & (b->low[2] <= a->high[2]);
}

void cni_boxes_init(CniBoxTree *tree, CnAllocator *allocator);
void cni_boxes_fini(CniBoxTree *tree);
/* Returns CNI_NO_LEAF when out of memory. */
uint32_t cni_boxes_add(CniBoxTree *tree, const CniBox *box, uint32_t value);
void cni_boxes_remove(CniBoxTree *tree, uint32_t leaf);
void cni_boxes_move(CniBoxTree *tree, uint32_t leaf, const CniBox *box);
/* Rebuilds the tree after many changes, because individual insertions degrade it. */
void cni_boxes_tidy(CniBoxTree *tree);

/*
 *     CniTreeWalk walk;
 *     cni_boxes_walk_box(&walk, tree, &box);
 *     for (uint32_t value; cni_boxes_next(&walk, &value);)
 */
typedef struct CniTreeWalk {
    const CniBoxTree *tree;
    CniBox box;                             /* of a box */
    double origin[3], direction[3], length; /* of a ray */
    bool is_ray;
    uint32_t count;
    uint32_t stack[CNI_TREE_DEPTH];
} CniTreeWalk;

void cni_boxes_walk_box(CniTreeWalk *walk, const CniBoxTree *tree, const CniBox *box);
/* `direction` has length 1. */
void cni_boxes_walk_ray(CniTreeWalk *walk, const CniBoxTree *tree, const double origin[3],
                        const double direction[3], double length);
bool cni_boxes_next(CniTreeWalk *walk, uint32_t *value);

#endif
