/* The tree of boxes finds what a search through all of them finds, whatever is done to it. */
#include "cmocka_tests.h"
#include "random.h"

#include "physics/aabb_tree.h"

#include <math.h>

enum { BOXES = 400, ROUNDS = 60, MARGIN_MILLI = 51 };

static TestRandom random_numbers = {3};

typedef struct Model {
    CniPhysicsAabbTree tree;
    CniPhysicsAabb boxes[BOXES];
    uint32_t leaves[BOXES]; /* CNI_PHYSICS_NO_LEAF: not there */
} Model;

static double anywhere(double size)
{
    return (test_random_unit(&random_numbers) - .5) * size;
}

static CniPhysicsAabb any_box(void)
{
    CniPhysicsAabb box;
    bool large = test_random_chance(&random_numbers, 3);
    for (int i = 0; i < 3; i++) {
        box.low[i] = anywhere(50);
        box.high[i] = box.low[i] + test_random_unit(&random_numbers) * (large ? 60 : 3);
    }
    return box;
}

static void check_node(const CniPhysicsAabbTree *tree, uint32_t index, uint32_t parent,
                       uint32_t *leaves)
{
    const CniPhysicsAabbNode *node = &tree->nodes.items[index];
    assert_int_equal(node->parent, parent);
    if (node->children[0] == CNI_PHYSICS_NO_LEAF) {
        assert_int_equal(node->height, 0);
        ++*leaves;
        return;
    }
    uint32_t heights[2];
    for (int i = 0; i < 2; i++) {
        const CniPhysicsAabbNode *child = &tree->nodes.items[node->children[i]];
        for (int axis = 0; axis < 3; axis++)
            assert_true(node->box.low[axis] <= child->box.low[axis] &&
                        node->box.high[axis] >= child->box.high[axis]);
        check_node(tree, node->children[i], index, leaves);
        heights[i] = child->height;
    }
    uint32_t higher = heights[0] > heights[1] ? heights[0] : heights[1];
    assert_int_equal(node->height, higher + 1);
    assert_true(heights[0] <= heights[1] + 1 && heights[1] <= heights[0] + 1);
}

static void check_tree(const Model *model)
{
    uint32_t leaves = 0, there = 0;
    for (uint32_t i = 0; i < BOXES; i++)
        there += model->leaves[i] != CNI_PHYSICS_NO_LEAF;
    if (model->tree.root != CNI_PHYSICS_NO_LEAF)
        check_node(&model->tree, model->tree.root, CNI_PHYSICS_NO_LEAF, &leaves);
    assert_int_equal(leaves, there);
    assert_int_equal(model->tree.leaf_count, there);
}

/* All that meet are found, each once, and nothing that is further away than the margin. */
static void check_found(const Model *model, CniPhysicsAabbQuery *walk, const bool *meets,
                        const bool *may)
{
    bool found[BOXES] = {false};
    for (uint32_t value; cni_physics_aabb_query_next(walk, &value);) {
        assert_true(value < BOXES && model->leaves[value] != CNI_PHYSICS_NO_LEAF);
        assert_false(found[value]);
        assert_true(may[value]);
        found[value] = true;
    }
    for (uint32_t i = 0; i < BOXES; i++)
        assert_true(found[i] || !meets[i]);
}

static void ask_box(const Model *model)
{
    CniPhysicsAabb wanted = any_box();
    bool meets[BOXES], may[BOXES];
    for (uint32_t i = 0; i < BOXES; i++) {
        CniPhysicsAabb wide = model->boxes[i];
        for (int axis = 0; axis < 3; axis++) {
            /* A leaf may be off by its margin, on either side of where it was. */
            wide.low[axis] -= 2 * MARGIN_MILLI / 1000.0;
            wide.high[axis] += 2 * MARGIN_MILLI / 1000.0;
        }
        bool there = model->leaves[i] != CNI_PHYSICS_NO_LEAF;
        meets[i] = there && cni_physics_aabb_overlap(&wanted, &model->boxes[i]);
        may[i] = there && cni_physics_aabb_overlap(&wanted, &wide);
    }
    CniPhysicsAabbQuery walk;
    cni_physics_aabb_query_box(&walk, &model->tree, &wanted);
    check_found(model, &walk, meets, may);
}

static bool ray_hits(const CniPhysicsAabb *box, const double from[3], const double along[3],
                     double length)
{
    for (double t = 0; t <= length; t += .01) {
        bool inside = true;
        for (int axis = 0; axis < 3; axis++) {
            double at = from[axis] + along[axis] * t;
            inside &= at >= box->low[axis] && at <= box->high[axis];
        }
        if (inside)
            return true;
    }
    return false;
}

static void ask_ray(const Model *model)
{
    double from[3] = {anywhere(60), anywhere(60), anywhere(60)};
    double along[3] = {anywhere(1), anywhere(1), anywhere(1)};
    if (test_random_chance(&random_numbers, 50))
        along[0] = along[1] = 0;
    double length = sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
    for (int i = 0; i < 3; i++)
        along[i] /= length;
    bool meets[BOXES], may[BOXES];
    for (uint32_t i = 0; i < BOXES; i++) {
        may[i] = model->leaves[i] != CNI_PHYSICS_NO_LEAF;
        meets[i] = may[i] && ray_hits(&model->boxes[i], from, along, 20);
    }
    CniPhysicsAabbQuery walk;
    cni_physics_aabb_query_ray(&walk, &model->tree, from, along, 20);
    check_found(model, &walk, meets, may);
}

static void change(Model *model)
{
    uint32_t i = test_random_below(&random_numbers, BOXES);
    if (model->leaves[i] == CNI_PHYSICS_NO_LEAF) {
        model->boxes[i] = any_box();
        model->leaves[i] = cni_physics_aabb_tree_add(&model->tree, &model->boxes[i], i);
        assert_true(model->leaves[i] != CNI_PHYSICS_NO_LEAF);
    } else if (test_random_chance(&random_numbers, 15)) {
        cni_physics_aabb_tree_remove(&model->tree, model->leaves[i]);
        model->leaves[i] = CNI_PHYSICS_NO_LEAF;
    } else {
        double far = test_random_chance(&random_numbers, 20) ? 30 : .2;
        for (int axis = 0; axis < 3; axis++) {
            double by = anywhere(far);
            model->boxes[i].low[axis] += by;
            model->boxes[i].high[axis] += by;
        }
        cni_physics_aabb_tree_move(&model->tree, model->leaves[i], &model->boxes[i]);
    }
}

static void a_tree_finds_what_a_search_finds(void **state)
{
    (void)state;
    static Model model;
    cni_physics_aabb_tree_init(&model.tree, NULL);
    for (uint32_t i = 0; i < BOXES; i++)
        model.leaves[i] = CNI_PHYSICS_NO_LEAF;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (uint32_t i = test_random_below(&random_numbers, 120); i > 0; i--)
            change(&model);
        if (test_random_chance(&random_numbers, 40))
            cni_physics_aabb_tree_rebuild_if_poor(&model.tree);
        check_tree(&model);
        for (int i = 0; i < 10; i++)
            ask_box(&model);
        ask_ray(&model);
    }
    cni_physics_aabb_tree_fini(&model.tree);
}

static void boxes_in_a_row_make_no_deep_tree(void **state)
{
    (void)state;
    CniPhysicsAabbTree tree;
    cni_physics_aabb_tree_init(&tree, NULL);
    for (uint32_t i = 0; i < 4096; i++)
        cni_physics_aabb_tree_add(&tree, &(CniPhysicsAabb){{i, 0, 0}, {i + .5, 1, 1}}, i);
    assert_true(tree.nodes.items[tree.root].height <= 18);
    cni_physics_aabb_tree_rebuild_if_poor(&tree);
    assert_int_equal(tree.nodes.items[tree.root].height, 12);
    cni_physics_aabb_tree_fini(&tree);
}

static void an_emptied_tree_can_be_filled_again(void **state)
{
    (void)state;
    CniPhysicsAabbTree tree;
    uint32_t leaves[20], value;
    CniPhysicsAabbQuery walk;
    CniPhysicsAabb box = {{0, 0, 0}, {1, 1, 1}};
    cni_physics_aabb_tree_init(&tree, NULL);
    for (int round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < 20; i++)
            leaves[i] = cni_physics_aabb_tree_add(&tree, &box, i);
        for (uint32_t i = 0; i < 20; i++)
            cni_physics_aabb_tree_remove(&tree, leaves[i]);
        cni_physics_aabb_tree_rebuild_if_poor(&tree);
        cni_physics_aabb_query_box(&walk, &tree, &box);
        assert_false(cni_physics_aabb_query_next(&walk, &value));
    }
    assert_true(tree.nodes.count <= 40);
    cni_physics_aabb_tree_fini(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_finds_what_a_search_finds),
        cmocka_unit_test(boxes_in_a_row_make_no_deep_tree),
        cmocka_unit_test(an_emptied_tree_can_be_filled_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
