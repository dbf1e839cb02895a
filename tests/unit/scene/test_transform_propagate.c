/* PropagateTransforms: what it brings up to date, and what it leaves alone. */
#include "transform_fixture.h"

#include <cairn/ecs/snapshot.h>

static CnTransformPropagateStats pass(void)
{
    CnTransformPropagateStats result;
    assert_true(cn_transform_propagate(world, NULL, &result));
    return result;
}

static CnVec3 position_in_column(CnEntity entity)
{
    const CnAffine *m = &cn_get(world, entity, CnWorldTransform)->matrix;
    return cn_vec3(m->m[0][3], m->m[1][3], m->m[2][3]);
}

static void move(CnEntity entity, float x)
{
    cn_get_mut(world, entity, CnTransform)->position.x = x;
}

static void columns_are_right_after_the_pass(void **state)
{
    (void)state;
    CnEntity car = place(10, 0, 0), wheel = place_apart(car, 1, 2, 3), tree = place(4, 5, 6);
    pass();
    assert_vec3(position_in_column(car), cn_vec3(10, 0, 0), 0);
    assert_vec3(position_in_column(wheel), cn_vec3(11, 2, 3), 0);
    assert_vec3(position_in_column(tree), cn_vec3(4, 5, 6), 0);
}

static void a_bare_transform_gets_its_columns(void **state)
{
    (void)state;
    CnEntity car = cn_spawn(world, cn_with(CnTransform, {{10, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}));
    pass();
    assert_vec3(position_in_column(car), cn_vec3(10, 0, 0), 0);
    assert_true(cn_has(world, car, CnTransformCache));
}

static void what_did_not_move_is_not_looked_at(void **state)
{
    (void)state;
    CnEntity car = place(10, 0, 0);
    place_below(car, 1, 2, 3);
    place(4, 5, 6);
    pass(); /* moves */
    pass(); /* finds that it rests */
    CnTransformPropagateStats result = pass();
    assert_int_equal(result.compared, 0);
    assert_int_equal(result.moved, 0);
}

static void a_leaf_that_moved_is_the_only_one_that_moved(void **state)
{
    (void)state;
    CnEntity car = place(0, 0, 0), last = {0};
    for (int i = 0; i < 1000; i++)
        last = place_below(car, (float)i, 0, 0);
    pass();
    pass();
    move(last, -1);
    CnTransformPropagateStats result = pass();
    assert_int_equal(result.moved, 1);
    assert_in_range(result.compared, 1, 512); /* its chunk */
    assert_vec3(position_in_column(last), cn_vec3(-1, 0, 0), 0);
}

static void a_root_that_moved_moves_all_below(void **state)
{
    (void)state;
    CnEntity car = place(0, 0, 0), leaves[200];
    for (int i = 0; i < 200; i++)
        leaves[i] = place_below(i < 10 ? car : leaves[i / 10], (float)i, 0, 0);
    pass();
    pass();
    move(car, 100);
    assert_int_equal(pass().moved, 201);
    assert_vec3(position_in_column(leaves[7]), cn_vec3(107, 0, 0), 0);
    assert_vec3(position_in_column(leaves[150]), cn_vec3(266, 0, 0), 0);
}

static void a_write_of_the_same_numbers_moves_nothing(void **state)
{
    (void)state;
    CnEntity car = place(1, 2, 3);
    pass();
    pass();
    move(car, 1);
    CnTransformPropagateStats result = pass();
    assert_int_equal(result.compared, 1);
    assert_int_equal(result.moved, 0);
}

static void the_version_is_the_same_for_reads_and_passes(void **state)
{
    (void)state;
    CnEntity car = place(0, 0, 0), wheel = place_apart(car, 1, 2, 3);
    pass();
    uint32_t moving = cn_transform_world_version(world, wheel);
    pass();
    assert_int_equal(cn_transform_world_version(world, wheel), moving);
    pass();
    assert_int_equal(cn_transform_world_version(world, wheel), moving);
    move(car, 1);
    pass();
    assert_int_not_equal(cn_transform_world_version(world, wheel), moving);
}

static void the_version_changes_with_each_pass_that_moves(void **state)
{
    (void)state;
    CnEntity car = place(0, 0, 0);
    uint32_t last = 0;
    for (int i = 0; i < 5; i++) {
        move(car, (float)i + 1);
        pass();
        uint32_t version = cn_transform_world_version(world, car);
        assert_int_not_equal(version, last);
        last = version;
    }
}

static void a_read_between_write_and_pass_does_not_hide_the_move_from_children(void **state)
{
    (void)state;
    CnEntity car = place(0, 0, 0), wheel = place_apart(car, 1, 2, 3);
    for (int i = 0; i < 5; i++) { /* at rest, moving, and after a read that wrote */
        move(car, (float)i);
        cn_transform_world_position(world, car);
        pass();
        assert_vec3(position_in_column(wheel), cn_vec3((float)i + 1, 2, 3), 0);
        if (i == 2)
            pass();
    }
}

static void a_read_of_something_that_moves_does_not_hide_the_move_from_children(void **state)
{
    (void)state;
    CnEntity car = place(0, 0, 0), wheel = place_apart(car, 1, 2, 3);
    for (int i = 0; i < 3; i++) {
        move(car, (float)i);
        pass();
    }
    move(car, 10);
    cn_transform_world_position(world, car); /* it is at rest again, and as the pass will find it */
    pass();
    assert_vec3(position_in_column(wheel), cn_vec3(11, 2, 3), 0);
    move(car, 11);
    pass();
    assert_vec3(position_in_column(wheel), cn_vec3(12, 2, 3), 0);
    assert_vec3(cn_transform_world_position(world, wheel), cn_vec3(12, 2, 3), 0);
}

static void the_version_changes_when_a_pass_follows_a_read_that_wrote(void **state)
{
    (void)state;
    CnEntity car = place(0, 0, 0);
    for (int i = 0; i < 3; i++) {
        move(car, (float)i);
        pass();
    }
    move(car, 10);
    uint32_t read = cn_transform_world_version(world, car);
    move(car, 11);
    pass();
    assert_int_not_equal(cn_transform_world_version(world, car), read);
}

static void reads_are_right_while_things_move_in_every_pass(void **state)
{
    (void)state;
    CnEntity car = place(0, 0, 0), wheel = place_apart(car, 1, 2, 3);
    for (int i = 0; i < 5; i++) {
        move(car, (float)i);
        pass();
        move(wheel, 10);
        assert_vec3(cn_transform_world_position(world, wheel), cn_vec3((float)i + 10, 2, 3), 0);
        move(wheel, 1);
        assert_vec3(cn_transform_world_position(world, wheel), cn_vec3((float)i + 1, 2, 3), 0);
        CnAffine inverse = cn_transform_world_to_local(world, wheel);
        assert_vec3(cn_affine_point(&inverse, cn_vec3(0, 0, 0)), cn_vec3((float)-i - 1, -2, -3), 0);
    }
}

static void gaining_a_parent_is_seen(void **state)
{
    (void)state;
    CnEntity car = place(10, 0, 0), wheel = place(1, 2, 3);
    pass();
    pass();
    cn_set_parent(world, wheel, car);
    pass();
    assert_vec3(position_in_column(wheel), cn_vec3(11, 2, 3), 0);
}

static void losing_the_parent_is_seen(void **state)
{
    (void)state;
    CnEntity car = place(10, 0, 0), wheel = place_apart(car, 1, 2, 3);
    pass();
    pass();
    cn_set_parent(world, wheel, (CnEntity){0});
    pass();
    assert_vec3(position_in_column(wheel), cn_vec3(1, 2, 3), 0);
}

static void another_parent_is_seen(void **state)
{
    (void)state;
    CnEntity car = place(10, 0, 0), boat = place(0, 50, 0), wheel = place_below(car, 1, 2, 3),
             bolt = place_apart(wheel, 0, 0, 1);
    pass();
    pass();
    cn_set_parent(world, wheel, boat);
    pass();
    assert_vec3(position_in_column(wheel), cn_vec3(1, 52, 3), 0);
    assert_vec3(position_in_column(bolt), cn_vec3(1, 52, 4), 0);
}

static void a_parent_without_a_transform_is_no_parent(void **state)
{
    (void)state;
    CnEntity car = place(10, 0, 0), wheel = place_apart(car, 1, 2, 3);
    pass();
    pass();
    CnTransform local = *cn_get(world, car, CnTransform);
    cn_remove(world, car, CnTransform);
    pass();
    assert_vec3(position_in_column(wheel), cn_vec3(1, 2, 3), 0);
    pass();
    /* Its matrix is still the same: only its being there has changed. */
    cn_set_component(world, car, cn_id(world, CnTransform), &local);
    pass();
    assert_vec3(position_in_column(wheel), cn_vec3(11, 2, 3), 0);
}

static void new_entities_do_not_disturb_the_others(void **state)
{
    (void)state;
    CnEntity car = place(10, 0, 0), wheels[100];
    for (int i = 0; i < 100; i++)
        wheels[i] = place_below(car, (float)i, 0, 0);
    for (int i = 0; i < 20; i++) {
        move(wheels[i], 1000);
        pass();
        place(1, 1, 1);
        place_below(wheels[i], 1, 0, 0);
        cn_destroy(world, wheels[99 - i]);
        pass();
        assert_vec3(position_in_column(wheels[i]), cn_vec3(1010, 0, 0), 0);
        assert_vec3(position_in_column(cn_first_child(world, wheels[i])), cn_vec3(1011, 0, 0), 0);
        assert_vec3(position_in_column(wheels[40]), cn_vec3(50, 0, 0), 0);
    }
}

static void a_transform_with_a_nan_affects_no_other_object(void **state)
{
    (void)state;
    CnEntity car = place(10, 0, 0), wheel = place_below(car, 1, 2, 3), tree = place(4, 5, 6);
    move(car, CN_NANF);
    for (int i = 0; i < 4; i++)
        pass();
    CnVec3 where = position_in_column(wheel);
    assert_true(where.x != where.x);
    assert_vec3(position_in_column(tree), cn_vec3(4, 5, 6), 0);
    move(car, 1);
    pass();
    assert_vec3(position_in_column(wheel), cn_vec3(2, 2, 3), 0);
}

static void a_chain_of_a_hundred_thousand_is_traversed(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    CnEntity first = place(0, 1, 0), last = first;
    for (int i = 1; i < DEPTH; i++)
        last = place_below(last, 0, 1, 0);
    pass();
    assert_vec3(position_in_column(last), cn_vec3(0, DEPTH, 0), 0);
    move(first, 5);
    assert_int_equal(pass().moved, DEPTH);
    assert_vec3(position_in_column(last), cn_vec3(5, DEPTH, 0), 0);
}

static void only_chunks_with_something_that_moved_count_as_changed(void **state)
{
    (void)state;
    CnQuery *query =
        cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(CnWorldTransform)}}, NULL);
    CnEntity things[1000];
    for (int i = 0; i < 1000; i++)
        things[i] = place((float)i, 0, 0);
    pass();
    pass();
    uint64_t before = cn_world_tick(world) - 1;
    move(things[700], -1);
    pass();
    CnChunkView view;
    uint32_t chunks = 0;
    for (CnQueryIter it = cn_query_iter_changed(query, before); cn_query_next(&it, &view);)
        chunks++;
    assert_int_equal(chunks, 1);
}

static void the_system_runs_in_post_update(void **state)
{
    (void)state;
    CnEntity car = place(10, 0, 0), wheel = place_below(car, 1, 2, 3);
    for (int i = 0; i < 4; i++) {
        move(car, (float)i);
        assert_true(cn_world_update(world, 0.1f, NULL));
        assert_vec3(position_in_column(wheel), cn_vec3((float)i + 1, 2, 3), 0);
    }
}

static void a_loaded_world_has_its_matrices_after_the_pass(void **state)
{
    (void)state;
    CnEntity car = place(10, 0, 0), wheel = place_below(car, 1, 2, 3);
    pass();
    CnSnapshot snapshot;
    assert_true(cn_world_save(world, &snapshot, NULL));
    move(car, 77);
    pass();
    assert_true(cn_world_load(world, snapshot.bytes, snapshot.size, NULL));
    cn_snapshot_free(&snapshot);
    assert_vec3(cn_transform_world_position(world, wheel), cn_vec3(11, 2, 3), 0);
    pass();
    assert_vec3(position_in_column(wheel), cn_vec3(11, 2, 3), 0);
    assert_vec3(position_in_column(car), cn_vec3(10, 0, 0), 0);
}

static void an_empty_world_is_done_at_once(void **state)
{
    (void)state;
    assert_int_equal(pass().compared, 0);
    place(1, 2, 3);
    pass();
    cn_world_clear(world);
    assert_int_equal(pass().compared, 0);
}

static void reads_are_right_when_the_system_was_removed(void **state)
{
    (void)state;
    CnEntity car = place(10, 0, 0), wheel = place_below(car, 1, 2, 3);
    pass();
    assert_true(cn_system_remove(world, cn_system_find(world, "PropagateTransforms")));
    assert_false(cn_transform_propagate(world, NULL, NULL));
    move(car, 20);
    assert_vec3(cn_transform_world_position(world, wheel), cn_vec3(21, 2, 3), 0);
    assert_vec3(cn_transform_world_scale(world, wheel), cn_vec3(1, 1, 1), 0);
    assert_true(cn_transform_add(world, NULL));
    move(car, 30);
    pass();
    assert_vec3(position_in_column(wheel), cn_vec3(31, 2, 3), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_world(columns_are_right_after_the_pass),
        in_world(a_bare_transform_gets_its_columns),
        in_world(what_did_not_move_is_not_looked_at),
        in_world(a_leaf_that_moved_is_the_only_one_that_moved),
        in_world(a_root_that_moved_moves_all_below),
        in_world(a_write_of_the_same_numbers_moves_nothing),
        in_world(the_version_is_the_same_for_reads_and_passes),
        in_world(the_version_changes_with_each_pass_that_moves),
        in_world(a_read_between_write_and_pass_does_not_hide_the_move_from_children),
        in_world(a_read_of_something_that_moves_does_not_hide_the_move_from_children),
        in_world(the_version_changes_when_a_pass_follows_a_read_that_wrote),
        in_world(reads_are_right_while_things_move_in_every_pass),
        in_world(gaining_a_parent_is_seen),
        in_world(losing_the_parent_is_seen),
        in_world(another_parent_is_seen),
        in_world(a_parent_without_a_transform_is_no_parent),
        in_world(new_entities_do_not_disturb_the_others),
        in_world(a_transform_with_a_nan_affects_no_other_object),
        in_world(a_chain_of_a_hundred_thousand_is_traversed),
        in_world(only_chunks_with_something_that_moved_count_as_changed),
        in_world(the_system_runs_in_post_update),
        in_world(a_loaded_world_has_its_matrices_after_the_pass),
        in_world(an_empty_world_is_done_at_once),
        in_world(reads_are_right_when_the_system_was_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
