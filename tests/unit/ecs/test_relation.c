/* Parent and child. Pairs have a file of their own. */
#include "world_internals.h"

#include <string.h>

static CnEntity make(void)
{
    return cn_entity_create(world);
}

static CnEntity child_of(CnEntity parent)
{
    CnEntity child = make();
    assert_true(cn_set_parent(world, child, parent));
    return child;
}

/* ---- Links ---- */

static void an_entity_alone_is_a_root_without_children(void **state)
{
    (void)state;
    CnEntity entity = make();
    assert_entity_null(cn_parent(world, entity));
    assert_entity_null(cn_first_child(world, entity));
    assert_entity_null(cn_next_sibling(world, entity));
    assert_int_equal(cn_child_count(world, entity), 0);
    assert_int_equal(cn_depth(world, entity), 0);
}

static void parent_and_child_know_each_other(void **state)
{
    (void)state;
    CnEntity parent = make(), child = child_of(parent);
    assert_entity_equal(cn_parent(world, child), parent);
    assert_entity_equal(cn_first_child(world, parent), child);
    assert_int_equal(cn_child_count(world, parent), 1);
}

static void children_keep_the_order_in_which_they_came(void **state)
{
    (void)state;
    CnEntity parent = make(), children[5];
    for (int i = 0; i < 5; i++)
        children[i] = child_of(parent);
    CnEntity child = cn_first_child(world, parent);
    for (int i = 0; i < 5; i++, child = cn_next_sibling(world, child))
        assert_entity_equal(child, children[i]);
    assert_entity_null(child);
}

static void depth_counts_the_steps_to_the_root(void **state)
{
    (void)state;
    CnEntity entity = make();
    for (uint32_t depth = 0; depth < 100; depth++) {
        assert_int_equal(cn_depth(world, entity), depth);
        entity = child_of(entity);
    }
}

static void components_do_not_matter_to_the_tree(void **state)
{
    (void)state;
    CnEntity parent = cn_spawn(world, cn_with(Position, {1, 2, 3}));
    CnEntity child = cn_spawn(world, cn_with(Health, {4, 5}));
    cn_set_parent(world, child, parent);
    assert_number_equal(cn_get(world, parent, Position)->z, 3);
    assert_int_equal(cn_get(world, child, Health)->most, 5);
    cn_set(world, parent, Mass, {1});
    cn_remove(world, child, Health);
    assert_entity_equal(cn_parent(world, child), parent);
    assert_entity_equal(cn_first_child(world, parent), child);
}

static void different_parents_do_not_split_archetypes(void **state)
{
    (void)state;
    CnEntity a = child_of(make()), b = child_of(make());
    assert_ptr_equal(archetype_of(a), archetype_of(b));
}

static void the_node_of_the_tree_is_readable(void **state)
{
    (void)state;
    CnEntity parent = make(), first = child_of(parent), second = child_of(parent);
    const CnNode *node = cn_get(world, second, CnNode);
    assert_entity_equal(node->parent, parent);
    assert_entity_equal(node->previous, first);
    assert_int_equal(node->depth, 1);
    assert_entity_equal(cn_get(world, parent, CnNode)->last_child, second);
}

/* ---- Changing the tree ---- */

static void a_new_parent_takes_the_child_with_its_subtree(void **state)
{
    (void)state;
    CnEntity old = make(), child = child_of(old), grandchild = child_of(child);
    CnEntity top = make(), parent = child_of(top);
    assert_true(cn_set_parent(world, child, parent));
    assert_entity_equal(cn_parent(world, child), parent);
    assert_entity_equal(cn_parent(world, grandchild), child);
    assert_int_equal(cn_child_count(world, old), 0);
    assert_entity_null(cn_first_child(world, old));
    assert_int_equal(cn_depth(world, child), 2);
    assert_int_equal(cn_depth(world, grandchild), 3);
}

static void a_child_comes_last_with_its_new_parent(void **state)
{
    (void)state;
    CnEntity a = make(), b = make(), first = child_of(b), moved = child_of(a);
    cn_set_parent(world, moved, b);
    assert_entity_equal(cn_first_child(world, b), first);
    assert_entity_equal(cn_next_sibling(world, first), moved);
}

static void the_null_parent_detaches(void **state)
{
    (void)state;
    CnEntity parent = make(), child = child_of(parent), grandchild = child_of(child);
    assert_true(cn_set_parent(world, child, (CnEntity){0}));
    assert_entity_null(cn_parent(world, child));
    assert_int_equal(cn_depth(world, child), 0);
    assert_int_equal(cn_depth(world, grandchild), 1);
    assert_int_equal(cn_child_count(world, parent), 0);
    assert_true(cn_set_parent(world, child, (CnEntity){0}));
    assert_true(cn_set_parent(world, make(), (CnEntity){0}));
}

static void siblings_close_the_gap(void **state)
{
    (void)state;
    for (int gone = 0; gone < 3; gone++) {
        CnEntity parent = make(), children[3];
        for (int i = 0; i < 3; i++)
            children[i] = child_of(parent);
        if (gone == 1)
            cn_destroy(world, children[gone]);
        else
            cn_set_parent(world, children[gone], (CnEntity){0});
        CnEntity first = children[gone == 0 ? 1 : 0], second = children[gone == 2 ? 1 : 2];
        assert_entity_equal(cn_first_child(world, parent), first);
        assert_entity_equal(cn_next_sibling(world, first), second);
        assert_entity_null(cn_next_sibling(world, second));
        assert_int_equal(cn_child_count(world, parent), 2);
        CnEntity last = child_of(parent);
        assert_entity_equal(cn_next_sibling(world, second), last);
    }
}

static void setting_the_same_parent_again_changes_nothing(void **state)
{
    (void)state;
    CnEntity parent = make(), first = child_of(parent), second = child_of(parent);
    assert_true(cn_set_parent(world, first, parent));
    assert_entity_equal(cn_first_child(world, parent), first);
    assert_entity_equal(cn_next_sibling(world, first), second);
    assert_int_equal(cn_child_count(world, parent), 2);
}

static void a_cycle_is_refused(void **state)
{
    (void)state;
    CnEntity a = make(), b = child_of(a), c = child_of(b);
    assert_false(cn_set_parent(world, a, a));
    assert_false(cn_set_parent(world, a, b));
    assert_false(cn_set_parent(world, a, c));
    assert_entity_null(cn_parent(world, a));
    assert_entity_equal(cn_parent(world, c), b);
}

static void the_dead_are_neither_parents_nor_children(void **state)
{
    (void)state;
    CnEntity dead = make(), alive = make();
    cn_destroy(world, dead);
    assert_false(cn_set_parent(world, alive, dead));
    assert_false(cn_set_parent(world, dead, alive));
    assert_false(cn_set_parent(world, dead, (CnEntity){0}));
    assert_entity_null(cn_parent(world, dead));
    assert_int_equal(cn_child_count(world, alive), 0);
}

/* ---- Destroying ---- */

static void a_parent_takes_its_subtree_along(void **state)
{
    (void)state;
    CnEntity root = make(), child = child_of(root), grandchild = child_of(child);
    CnEntity other = make();
    assert_true(cn_destroy(world, root));
    assert_false(cn_is_alive(world, child));
    assert_false(cn_is_alive(world, grandchild));
    assert_true(cn_is_alive(world, other));
    assert_int_equal(cn_entity_count(world), 1);
}

static void a_deep_tree_is_destroyed_without_a_deep_stack(void **state)
{
    (void)state;
    CnEntity root = make(), entity = root;
    for (int i = 0; i < 200000; i++)
        entity = child_of(entity);
    cn_destroy(world, root);
    assert_int_equal(cn_entity_count(world), 0);
}

static void a_detached_child_survives(void **state)
{
    (void)state;
    CnEntity parent = make(), child = child_of(parent);
    cn_set_parent(world, child, (CnEntity){0});
    cn_destroy(world, parent);
    assert_true(cn_is_alive(world, child));
}

static void a_recycled_slot_inherits_no_links(void **state)
{
    (void)state;
    CnEntity parent = make(), child = child_of(parent), other = make();
    cn_set_parent(world, other, child);
    cn_destroy(world, child);
    CnEntity again = make();
    CnEntity fresh = make();
    cn_set_parent(world, fresh, again);
    assert_entity_null(cn_parent(world, again));
    assert_int_equal(cn_child_count(world, parent), 0);
    assert_int_equal(cn_child_count(world, again), 1);
}

static void clearing_the_world_takes_trees_along(void **state)
{
    (void)state;
    CnEntity root = make();
    for (int i = 0; i < 50; i++)
        child_of(child_of(root));
    cn_world_clear(world);
    assert_int_equal(cn_entity_count(world), 0);
}

/* ---- Order ---- */

static uint32_t position_in(const CnTreeOrder *order, CnEntity entity)
{
    for (uint32_t i = 0; i < order->count; i++)
        if (cn_entity_equal(order->entities[i], entity))
            return i;
    return UINT32_MAX;
}

static void the_order_lists_levels_with_parents_before_children(void **state)
{
    (void)state;
    CnEntity a = make(), b = make(), a1 = child_of(a), b1 = child_of(b), a2 = child_of(a);
    CnEntity deep = child_of(b1);
    CnTreeOrder order;
    assert_true(cn_tree_order(world, &order));
    const CnEntity expected[] = {a, b, a1, a2, b1, deep};
    assert_int_equal(order.count, 6);
    for (uint32_t i = 0; i < 6; i++)
        assert_entity_equal(order.entities[i], expected[i]);
    assert_int_equal(order.level_count, 3);
    const uint32_t levels[] = {0, 2, 5, 6};
    assert_memory_equal(order.levels, levels, sizeof levels);
    const uint32_t parents[] = {UINT32_MAX, UINT32_MAX, 0, 0, 1, 4};
    assert_memory_equal(order.parents, parents, sizeof parents);
}

static void roots_are_ordered_by_index_whatever_their_archetype(void **state)
{
    (void)state;
    CnEntity a = make(), b = make(), c = make();
    child_of(c);
    child_of(b);
    child_of(a);
    cn_add(world, a, Enemy);
    CnTreeOrder order;
    cn_tree_order(world, &order);
    assert_entity_equal(order.entities[0], a);
    assert_entity_equal(order.entities[1], b);
    assert_entity_equal(order.entities[2], c);
}

static void an_order_of_no_tree_is_empty(void **state)
{
    (void)state;
    make();
    CnTreeOrder order;
    assert_true(cn_tree_order(world, &order));
    assert_int_equal(order.count, 0);
    assert_int_equal(order.level_count, 0);
}

static void the_order_follows_the_tree(void **state)
{
    (void)state;
    CnEntity a = make(), b = child_of(a), c = child_of(b);
    CnTreeOrder before, after;
    cn_tree_order(world, &before);
    uint64_t version = before.version;
    cn_tree_order(world, &after);
    assert_int_equal(after.version, version);
    cn_set_parent(world, c, a);
    cn_tree_order(world, &after);
    assert_int_not_equal(after.version, version);
    assert_int_equal(after.level_count, 2);
    cn_destroy(world, b);
    cn_tree_order(world, &after);
    assert_int_equal(after.count, 2);
    assert_int_equal(position_in(&after, b), UINT32_MAX);
    cn_destroy(world, a);
    cn_tree_order(world, &after);
    assert_int_equal(after.count, 0);
}

static void nodes_of_a_run_have_their_data_in_one_array(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    static CnEntity nodes[COUNT];
    static void *positions[COUNT], *velocities[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        nodes[i] = cn_spawn(world, cn_with(Position, {(float)i, 0, 0}), cn_with_default(Velocity));
        if (i)
            cn_set_parent(world, nodes[i], nodes[(i - 1) / 8]);
    }
    cn_add(world, nodes[3000], Enemy); /* lies elsewhere, and the last one in its place */
    CnTreeOrder order;
    assert_true(cn_tree_order(world, &order));
    cn_tree_addresses(world, &order, cn_id(world, Position), positions);
    cn_tree_addresses(world, &order, cn_id(world, Velocity), velocities);
    assert_true(order.run_count >= 3 && order.run_count < 12);
    assert_int_equal(order.runs[0], 0);
    assert_int_equal(order.runs[order.run_count], COUNT);
    for (uint32_t r = 0; r < order.run_count; r++) {
        const Position *position = positions[order.runs[r]];
        const Velocity *velocity = velocities[order.runs[r]];
        assert_true(order.runs[r] < order.runs[r + 1]);
        for (uint32_t i = order.runs[r]; i < order.runs[r + 1]; i++) {
            assert_ptr_equal(positions[i], position++);
            assert_ptr_equal(velocities[i], velocity++);
        }
        if (r + 1 < order.run_count)
            assert_ptr_not_equal(positions[order.runs[r + 1]], position);
    }
}

static void an_empty_forest_has_no_runs(void **state)
{
    (void)state;
    CnTreeOrder order;
    assert_true(cn_tree_order(world, &order));
    assert_int_equal(order.run_count, 0);
    assert_int_equal(order.runs[0], 0);
}

static void addresses_of_a_component_come_in_tree_order(void **state)
{
    (void)state;
    CnEntity a = cn_spawn(world, cn_with(Position, {1, 0, 0}));
    CnEntity b = make(), c = cn_spawn(world, cn_with(Position, {2, 0, 0}), cn_with(Health, {0}));
    cn_set_parent(world, b, a);
    cn_set_parent(world, c, b);
    CnTreeOrder order;
    void *addresses[3];
    cn_tree_order(world, &order);
    cn_tree_addresses(world, &order, cn_id(world, Position), addresses);
    assert_ptr_equal(addresses[0], cn_get(world, a, Position));
    assert_null(addresses[1]);
    assert_ptr_equal(addresses[2], cn_get(world, c, Position));
}

static void addresses_follow_when_rows_move(void **state)
{
    (void)state;
    CnEntity a = cn_spawn(world, cn_with(Position, {1, 0, 0})), b = child_of(a);
    CnTreeOrder order;
    void *addresses[2];
    cn_tree_order(world, &order);
    uint64_t version = order.version;
    cn_set(world, b, Position, {2, 0, 0});
    cn_add(world, a, Enemy);
    cn_tree_order(world, &order);
    assert_int_not_equal(order.version, version);
    cn_tree_addresses(world, &order, cn_id(world, Position), addresses);
    assert_ptr_equal(addresses[0], cn_get(world, a, Position));
    assert_ptr_equal(addresses[1], cn_get(world, b, Position));
}

static void addresses_of_an_unknown_component_are_null(void **state)
{
    (void)state;
    CnEntity a = cn_spawn(world, cn_with(Position, {1, 0, 0})), b = child_of(a);
    (void)b;
    CnTreeOrder order;
    void *addresses[2];
    cn_tree_order(world, &order);
    cn_tree_addresses(world, &order, cn_component_of(world, &cn_type_Mass), addresses);
    assert_null(addresses[0]);
    assert_null(addresses[1]);
}

static void a_link_marks_the_nodes_it_changes(void **state)
{
    (void)state;
    CnEntity parent = make(), child = child_of(parent), other = make();
    child_of(other);
    CnQuery *nodes = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(CnNode)}}, NULL);
    uint64_t since = cn_world_tick(world);
    cn_world_advance_tick(world);
    CnChunkView view = {0};
    CnQueryIter it = cn_query_iter_changed(nodes, since);
    assert_false(cn_query_next(&it, &view));
    cn_set_parent(world, child, other);
    it = cn_query_iter_changed(nodes, since);
    assert_true(cn_query_next(&it, &view));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORLD_TEST(an_entity_alone_is_a_root_without_children),
        WORLD_TEST(parent_and_child_know_each_other),
        WORLD_TEST(children_keep_the_order_in_which_they_came),
        WORLD_TEST(depth_counts_the_steps_to_the_root),
        WORLD_TEST(components_do_not_matter_to_the_tree),
        WORLD_TEST(different_parents_do_not_split_archetypes),
        WORLD_TEST(the_node_of_the_tree_is_readable),
        WORLD_TEST(a_new_parent_takes_the_child_with_its_subtree),
        WORLD_TEST(a_child_comes_last_with_its_new_parent),
        WORLD_TEST(the_null_parent_detaches),
        WORLD_TEST(siblings_close_the_gap),
        WORLD_TEST(setting_the_same_parent_again_changes_nothing),
        WORLD_TEST(a_cycle_is_refused),
        WORLD_TEST(the_dead_are_neither_parents_nor_children),
        WORLD_TEST(a_parent_takes_its_subtree_along),
        WORLD_TEST(a_deep_tree_is_destroyed_without_a_deep_stack),
        WORLD_TEST(a_detached_child_survives),
        WORLD_TEST(a_recycled_slot_inherits_no_links),
        WORLD_TEST(clearing_the_world_takes_trees_along),
        WORLD_TEST(the_order_lists_levels_with_parents_before_children),
        WORLD_TEST(roots_are_ordered_by_index_whatever_their_archetype),
        WORLD_TEST(an_order_of_no_tree_is_empty),
        WORLD_TEST(the_order_follows_the_tree),
        WORLD_TEST(nodes_of_a_run_have_their_data_in_one_array),
        WORLD_TEST(an_empty_forest_has_no_runs),
        WORLD_TEST(addresses_of_a_component_come_in_tree_order),
        WORLD_TEST(addresses_follow_when_rows_move),
        WORLD_TEST(addresses_of_an_unknown_component_are_null),
        WORLD_TEST(a_link_marks_the_nodes_it_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
