#include "physics/aabb_tree.h"

#include <cairn/base/assert.h>

#define NONE CNI_PHYSICS_NO_LEAF
/* Enlargement of a leaf on each side. */
#define MARGIN 0.05
/* Distance from the box of a body to its leaf beyond which the leaf is made smaller. */
#define LOOSE 1.0

static CniPhysicsAabbNode *node_at(const CniPhysicsAabbTree *tree, uint32_t node)
{
    return &tree->nodes.items[node];
}

static bool is_leaf(const CniPhysicsAabbNode *node)
{
    return node->children[0] == NONE;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

static CniPhysicsAabb joined(const CniPhysicsAabb *a, const CniPhysicsAabb *b)
{
    CniPhysicsAabb box;
    for (int i = 0; i < 3; i++) {
        box.low[i] = least(a->low[i], b->low[i]);
        box.high[i] = most(a->high[i], b->high[i]);
    }
    return box;
}

static double surface(const CniPhysicsAabb *box)
{
    double x = box->high[0] - box->low[0], y = box->high[1] - box->low[1],
           z = box->high[2] - box->low[2];
    return x * y + y * z + z * x;
}

static bool holds(const CniPhysicsAabb *outer, const CniPhysicsAabb *inner)
{
    for (int i = 0; i < 3; i++)
        if (inner->low[i] < outer->low[i] || inner->high[i] > outer->high[i])
            return false;
    return true;
}

static CniPhysicsAabb enlarged(const CniPhysicsAabb *box)
{
    CniPhysicsAabb larger;
    for (int i = 0; i < 3; i++) {
        larger.low[i] = box->low[i] - MARGIN;
        larger.high[i] = box->high[i] + MARGIN;
    }
    return larger;
}

void cni_physics_aabb_tree_init(CniPhysicsAabbTree *tree, CnAllocator *allocator)
{
    cn_array_init(&tree->nodes, allocator);
    cn_array_init(&tree->order, allocator);
    tree->root = tree->free = NONE;
    tree->leaf_count = tree->moves = 0;
}

void cni_physics_aabb_tree_fini(CniPhysicsAabbTree *tree)
{
    cn_array_fini(&tree->nodes);
    cn_array_fini(&tree->order);
}

/* Free nodes are linked by `parent`. */
static uint32_t take_node(CniPhysicsAabbTree *tree)
{
    uint32_t node = tree->free;
    CN_ASSERT(node != NONE, "the tree is full");
    tree->free = node_at(tree, node)->parent;
    return node;
}

static void give_node(CniPhysicsAabbTree *tree, uint32_t node)
{
    node_at(tree, node)->parent = tree->free;
    node_at(tree, node)->height = NONE;
    tree->free = node;
}

/* A leaf needs a node for itself and one above it. */
static bool make_room(CniPhysicsAabbTree *tree)
{
    uint32_t free = tree->free;
    if (free != NONE && node_at(tree, free)->parent != NONE)
        return true;
    if (!cn_array_reserve(&tree->nodes, (uint64_t)tree->nodes.count + 2))
        return false;
    for (int i = 0; i < 2; i++)
        give_node(tree, tree->nodes.count++);
    return true;
}

static void refit(CniPhysicsAabbTree *tree, uint32_t index)
{
    CniPhysicsAabbNode *node = node_at(tree, index);
    const CniPhysicsAabbNode *a = node_at(tree, node->children[0]),
                             *b = node_at(tree, node->children[1]);
    node->box = joined(&a->box, &b->box);
    node->height = 1 + (a->height > b->height ? a->height : b->height);
}

static void replace_child(CniPhysicsAabbTree *tree, uint32_t parent, uint32_t old, uint32_t new)
{
    node_at(tree, new)->parent = parent;
    if (parent == NONE)
        tree->root = new;
    else
        node_at(tree, parent)->children[node_at(tree, parent)->children[1] == old] = new;
}

/* Rotates the higher child up when it is more than one level higher; returns the new top node. */
static uint32_t balance(CniPhysicsAabbTree *tree, uint32_t top)
{
    CniPhysicsAabbNode *node = node_at(tree, top);
    uint32_t heights[2] = {node_at(tree, node->children[0])->height,
                           node_at(tree, node->children[1])->height};
    int high = heights[1] > heights[0];
    if (heights[high] <= heights[!high] + 1)
        return top;
    uint32_t lifted = node->children[high];
    CniPhysicsAabbNode *up = node_at(tree, lifted);
    int keeps = node_at(tree, up->children[1])->height > node_at(tree, up->children[0])->height;
    uint32_t given = up->children[!keeps];
    replace_child(tree, node->parent, top, lifted);
    up->children[!keeps] = top;
    node->parent = lifted;
    node->children[high] = given;
    node_at(tree, given)->parent = top;
    refit(tree, top);
    refit(tree, lifted);
    return lifted;
}

static void refit_upwards(CniPhysicsAabbTree *tree, uint32_t node)
{
    while (node != NONE) {
        node = balance(tree, node);
        refit(tree, node);
        node = node_at(tree, node)->parent;
    }
}

/* Returns a leaf: descends to the child whose box grows less. Stopping earlier would sometimes
 * give a better tree, but one that single rotations cannot keep balanced. */
static uint32_t find_sibling(const CniPhysicsAabbTree *tree, const CniPhysicsAabb *box)
{
    uint32_t index = tree->root;
    while (!is_leaf(node_at(tree, index))) {
        const CniPhysicsAabbNode *node = node_at(tree, index);
        double costs[2];
        for (int i = 0; i < 2; i++) {
            const CniPhysicsAabbNode *child = node_at(tree, node->children[i]);
            CniPhysicsAabb with = joined(&child->box, box);
            costs[i] = surface(&with) - (is_leaf(child) ? 0 : surface(&child->box));
        }
        index = node->children[costs[1] < costs[0]];
    }
    return index;
}

static void insert(CniPhysicsAabbTree *tree, uint32_t leaf)
{
    tree->moves++;
    if (tree->root == NONE) {
        tree->root = leaf;
        node_at(tree, leaf)->parent = NONE;
        return;
    }
    uint32_t sibling = find_sibling(tree, &node_at(tree, leaf)->box);
    uint32_t above = take_node(tree);
    replace_child(tree, node_at(tree, sibling)->parent, sibling, above);
    CniPhysicsAabbNode *node = node_at(tree, above);
    node->children[0] = sibling;
    node->children[1] = leaf;
    node_at(tree, sibling)->parent = node_at(tree, leaf)->parent = above;
    refit(tree, above);
    refit_upwards(tree, node->parent);
}

static void take_out(CniPhysicsAabbTree *tree, uint32_t leaf)
{
    uint32_t above = node_at(tree, leaf)->parent;
    if (above == NONE) {
        tree->root = NONE;
        return;
    }
    const CniPhysicsAabbNode *node = node_at(tree, above);
    uint32_t grand = node->parent, sibling = node->children[node->children[0] == leaf];
    replace_child(tree, grand, above, sibling);
    give_node(tree, above);
    refit_upwards(tree, grand);
}

uint32_t cni_physics_aabb_tree_add(CniPhysicsAabbTree *tree, const CniPhysicsAabb *box,
                                   uint32_t value)
{
    if (!make_room(tree))
        return NONE;
    uint32_t leaf = take_node(tree);
    *node_at(tree, leaf) = (CniPhysicsAabbNode){.box = enlarged(box), .children = {NONE, value}};
    insert(tree, leaf);
    tree->leaf_count++;
    return leaf;
}

void cni_physics_aabb_tree_remove(CniPhysicsAabbTree *tree, uint32_t leaf)
{
    take_out(tree, leaf);
    give_node(tree, leaf);
    tree->leaf_count--;
}

/* A leaf that was enlarged by a fast body is not kept when the body is slow. */
static bool is_loose(const CniPhysicsAabb *outer, const CniPhysicsAabb *inner)
{
    for (int i = 0; i < 3; i++)
        if (inner->low[i] - outer->low[i] > LOOSE || outer->high[i] - inner->high[i] > LOOSE)
            return true;
    return false;
}

void cni_physics_aabb_tree_move(CniPhysicsAabbTree *tree, uint32_t leaf, const CniPhysicsAabb *box)
{
    const CniPhysicsAabb *leaf_box = &node_at(tree, leaf)->box;
    if (holds(leaf_box, box) && !is_loose(leaf_box, box))
        return;
    take_out(tree, leaf);
    node_at(tree, leaf)->box = enlarged(box);
    insert(tree, leaf);
}

/* ---- Building the whole tree: by halves, along the longest side ---- */

static double middle_of(const CniPhysicsAabbTree *tree, uint32_t leaf, int axis)
{
    const CniPhysicsAabb *box = &node_at(tree, leaf)->box;
    return box->low[axis] + box->high[axis];
}

static int longest_axis(const CniPhysicsAabbTree *tree, const uint32_t *leaves, uint32_t count)
{
    double low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = high[axis] = middle_of(tree, leaves[0], axis);
        for (uint32_t i = 1; i < count; i++) {
            double at = middle_of(tree, leaves[i], axis);
            low[axis] = least(low[axis], at);
            high[axis] = most(high[axis], at);
        }
    }
    int longest = 0;
    for (int axis = 1; axis < 3; axis++)
        if (high[axis] - low[axis] > high[longest] - low[longest])
            longest = axis;
    return longest;
}

static void exchange(uint32_t *a, uint32_t *b)
{
    uint32_t value = *a;
    *a = *b;
    *b = value;
}

/* Partitions so that no leaf before `wanted` is above those after it (Hoare's selection). */
static void split(const CniPhysicsAabbTree *tree, uint32_t *leaves, uint32_t count, uint32_t wanted,
                  int axis)
{
    uint32_t low = 0, high = count - 1;
    while (low < high) {
        double pivot = middle_of(tree, leaves[low + (high - low) / 2], axis);
        int64_t i = low, j = high;
        while (i <= j) {
            while (middle_of(tree, leaves[i], axis) < pivot)
                i++;
            while (middle_of(tree, leaves[j], axis) > pivot)
                j--;
            if (i <= j)
                exchange(&leaves[i++], &leaves[j--]);
        }
        if ((int64_t)wanted <= j)
            high = (uint32_t)j;
        else if ((int64_t)wanted >= i)
            low = (uint32_t)i;
        else
            return;
    }
}

static uint32_t build(CniPhysicsAabbTree *tree, uint32_t *leaves, uint32_t count)
{
    if (count == 1)
        return leaves[0];
    uint32_t half = count / 2;
    split(tree, leaves, count, half, longest_axis(tree, leaves, count));
    uint32_t top = take_node(tree);
    for (int i = 0; i < 2; i++) {
        uint32_t child = build(tree, i ? leaves + half : leaves, i ? count - half : half);
        node_at(tree, top)->children[i] = child;
        node_at(tree, child)->parent = top;
    }
    refit(tree, top);
    return top;
}

void cni_physics_aabb_tree_rebuild_if_poor(CniPhysicsAabbTree *tree)
{
    if (tree->moves < tree->leaf_count / 4 + 8 || !cn_array_reserve(&tree->order, tree->leaf_count))
        return;
    tree->order.count = 0;
    for (uint32_t i = tree->nodes.count; i-- > 0;) {
        const CniPhysicsAabbNode *node = node_at(tree, i);
        if (node->height == 0)
            tree->order.items[tree->order.count++] = i;
        else if (node->height != NONE)
            give_node(tree, i);
    }
    tree->moves = 0;
    tree->root = tree->leaf_count ? build(tree, tree->order.items, tree->order.count) : NONE;
    if (tree->root != NONE)
        node_at(tree, tree->root)->parent = NONE;
}

/* ---- Traversal ---- */

void cni_physics_aabb_query_box(CniPhysicsAabbQuery *walk, const CniPhysicsAabbTree *tree,
                                const CniPhysicsAabb *box)
{
    walk->tree = tree;
    walk->is_ray = false;
    walk->box = *box;
    walk->stack[0] = tree->root;
    walk->count =
        tree->root != NONE && cni_physics_aabb_overlap(box, &node_at(tree, tree->root)->box);
}

/* Slab test; a ray parallel to a slab is either inside or outside. */
static bool ray_meets(const CniPhysicsAabbQuery *walk, const CniPhysicsAabb *box)
{
    double from = 0, to = walk->length;
    for (int i = 0; i < 3; i++) {
        double low = box->low[i] - walk->origin[i], high = box->high[i] - walk->origin[i];
        if (walk->direction[i] == 0) {
            if (low > 0 || high < 0)
                return false;
            continue;
        }
        double a = low / walk->direction[i], b = high / walk->direction[i];
        from = most(from, least(a, b));
        to = least(to, most(a, b));
    }
    return from <= to;
}

void cni_physics_aabb_query_ray(CniPhysicsAabbQuery *walk, const CniPhysicsAabbTree *tree,
                                const double origin[3], const double direction[3], double length)
{
    walk->tree = tree;
    walk->is_ray = true;
    walk->length = length;
    for (int i = 0; i < 3; i++) {
        walk->origin[i] = origin[i];
        walk->direction[i] = direction[i];
    }
    walk->stack[0] = tree->root;
    walk->count = tree->root != NONE && ray_meets(walk, &node_at(tree, tree->root)->box);
}

/* All nodes on the stack intersect. The count is incremented without an unpredictable branch. */
bool cni_physics_aabb_query_next(CniPhysicsAabbQuery *walk, uint32_t *value)
{
    while (walk->count) {
        const CniPhysicsAabbNode *node = node_at(walk->tree, walk->stack[--walk->count]);
        if (is_leaf(node)) {
            *value = node->children[1];
            return true;
        }
        for (int i = 0; i < 2; i++) {
            const CniPhysicsAabb *box = &node_at(walk->tree, node->children[i])->box;
            walk->stack[walk->count] = node->children[i];
            walk->count +=
                walk->is_ray ? ray_meets(walk, box) : cni_physics_aabb_overlap(&walk->box, box);
        }
    }
    return false;
}
