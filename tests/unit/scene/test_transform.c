/* Transforms as one reads them: right at once, whatever was written, attached or detached. */
#include "transform_fixture.h"

static void a_bare_transform_is_at_its_own_place(void **state)
{
    (void)state;
    CnEntity thing = place(1, 2, 3);
    assert_vec3(cn_transform_world_position(world, thing), cn_vec3(1, 2, 3), 0);
}

static void a_write_is_seen_by_the_next_read(void **state)
{
    (void)state;
    CnEntity thing = place(1, 2, 3);
    cn_transform_world_position(world, thing);
    cn_get_mut(world, thing, CnTransform)->position.y = 7;
    assert_vec3(cn_transform_world_position(world, thing), cn_vec3(1, 7, 3), 0);
}

static void a_child_moves_with_its_parent(void **state)
{
    (void)state;
    CnEntity car = place(10, 0, 0), wheel = place_below(car, 1, 2, 3);
    assert_vec3(cn_transform_world_position(world, wheel), cn_vec3(11, 2, 3), 0);
    cn_get_mut(world, car, CnTransform)->position.x = 20;
    assert_vec3(cn_transform_world_position(world, wheel), cn_vec3(21, 2, 3), 0);
}

static void gaining_a_parent_needs_no_notice(void **state)
{
    (void)state;
    CnEntity car = place(10, 0, 0), wheel = place(1, 2, 3);
    cn_transform_world_position(world, car);
    cn_transform_world_position(world, wheel);
    cn_set_parent(world, wheel, car);
    assert_vec3(cn_transform_world_position(world, wheel), cn_vec3(11, 2, 3), 0);
}

static void losing_the_parent_needs_no_notice(void **state)
{
    (void)state;
    CnEntity car = place(10, 0, 0), wheel = place_below(car, 1, 2, 3);
    cn_transform_world_position(world, wheel);
    cn_set_parent(world, wheel, (CnEntity){0});
    assert_vec3(cn_transform_world_position(world, wheel), cn_vec3(1, 2, 3), 0);
}

static void another_parent_of_the_same_age_needs_no_notice(void **state)
{
    (void)state;
    CnEntity car = place(10, 0, 0), boat = place(0, 50, 0), wheel = place_below(car, 1, 2, 3);
    cn_transform_world_position(world, car);
    cn_transform_world_position(world, boat);
    cn_transform_world_position(world, wheel);
    cn_set_parent(world, wheel, boat);
    assert_vec3(cn_transform_world_position(world, wheel), cn_vec3(1, 52, 3), 0);
}

static void a_parent_that_loses_its_transform_is_no_parent(void **state)
{
    (void)state;
    CnEntity car = place(10, 0, 0), wheel = place_below(car, 1, 2, 3);
    cn_transform_world_position(world, wheel);
    cn_remove(world, car, CnTransform);
    assert_vec3(cn_transform_world_position(world, wheel), cn_vec3(1, 2, 3), 0);
}

static void a_parent_whose_transform_went_and_came_back_is_examined_again(void **state)
{
    (void)state;
    CnEntity car = place(10, 0, 0), wheel = place_below(car, 1, 2, 3);
    cn_transform_world_position(world, wheel);
    cn_remove(world, car, CnTransform);
    cn_remove(world, car, CnWorldTransform);
    cn_remove(world, car, CnTransformCache);
    cn_spawn(world, cn_with(CnTransform, {{5, 5, 5}, {0, 0, 0, 1}, {1, 1, 1}}));
    cn_set(world, car, CnTransform, {{100, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}});
    cn_add(world, car, CnWorldTransform);
    cn_add(world, car, CnTransformCache);
    assert_vec3(cn_transform_world_position(world, wheel), cn_vec3(101, 2, 3), 0);
}

static void what_has_no_transform_is_at_the_origin(void **state)
{
    (void)state;
    CnEntity thing = cn_entity_create(world);
    assert_vec3(cn_transform_world_position(world, thing), cn_vec3(0, 0, 0), 0);
    assert_vec3(cn_transform_world_scale(world, thing), cn_vec3(1, 1, 1), 0);
    assert_vec3(cn_transform_world_position(world, (CnEntity){0}), cn_vec3(0, 0, 0), 0);
    assert_int_equal(cn_transform_world_version(world, thing), 0);
    assert_false(cn_transform_set_world_position(world, thing, cn_vec3(1, 1, 1)));
}

static void the_version_changes_with_the_matrix_and_only_then(void **state)
{
    (void)state;
    CnEntity car = place(10, 0, 0), wheel = place_below(car, 1, 2, 3);
    uint32_t before = cn_transform_world_version(world, wheel);
    assert_int_equal(cn_transform_world_version(world, wheel), before);
    cn_get_mut(world, car, CnTransform)->position.x = 11;
    uint32_t after = cn_transform_world_version(world, wheel);
    assert_int_not_equal(after, before);
    cn_get_mut(world, car, CnTransform)->position.x = 11;
    assert_int_equal(cn_transform_world_version(world, wheel), after);
}

static void a_write_that_is_taken_back_leaves_the_version(void **state)
{
    (void)state;
    CnEntity thing = place(1, 2, 3);
    uint32_t before = cn_transform_world_version(world, thing);
    cn_get_mut(world, thing, CnTransform)->position.x = 11;
    cn_get_mut(world, thing, CnTransform)->position.x = 1;
    assert_int_equal(cn_transform_world_version(world, thing), before);
}

static void world_to_local_follows_the_matrix(void **state)
{
    (void)state;
    CnEntity car = place(10, 0, 0), wheel = place_below(car, 1, 2, 3);
    for (int i = 0; i < 3; i++) {
        cn_get_mut(world, car, CnTransform)->position.z = (float)i;
        CnAffine inverse = cn_transform_world_to_local(world, wheel);
        assert_vec3(cn_affine_point(&inverse, cn_vec3(11, 2, 3.0f + (float)i)), cn_vec3(0, 0, 0),
                    1e-6);
    }
}

static void a_mirrored_parent_shows_in_scale_x(void **state)
{
    (void)state;
    CnEntity car = place(0, 0, 0), wheel = place_below(car, 1, 2, 3);
    cn_get_mut(world, car, CnTransform)->scale = cn_vec3(2, -3, 4);
    assert_vec3(cn_transform_world_scale(world, wheel), cn_vec3(-2, 3, 4), 1e-6);
    assert_vec3(cn_transform_world_position(world, wheel), cn_vec3(2, -6, 12), 0);
}

static void axes_follow_the_world_rotation(void **state)
{
    (void)state;
    CnEntity car = place(0, 0, 0), eye = place_below(car, 1, 2, 3);
    cn_get_mut(world, car, CnTransform)->rotation = cn_quat_from_euler(cn_vec3(0, 90, 0));
    assert_vec3(cn_transform_world_forward(world, eye), cn_vec3(-1, 0, 0), 1e-6);
    assert_vec3(cn_transform_world_right(world, eye), cn_vec3(0, 0, -1), 1e-6);
    assert_vec3(cn_transform_world_up(world, eye), cn_vec3(0, 1, 0), 1e-6);
}

static void a_world_pose_that_is_set_is_read_again(void **state)
{
    (void)state;
    CnEntity car = place(10, 0, 0), wheel = place_below(car, 1, 2, 3);
    *cn_get_mut(world, car, CnTransform) =
        (CnTransform){{1, 2, 3}, cn_quat_from_euler(cn_vec3(10, 20, 30)), {-2, 2, 2}};
    CnQuat turn = cn_quat_from_euler(cn_vec3(50, -60, 70));
    assert_true(
        cn_transform_set_world_pose(world, wheel, cn_vec3(7, 8, 9), turn, cn_vec3(1, 2, 3)));
    assert_vec3(cn_transform_world_position(world, wheel), cn_vec3(7, 8, 9), 1e-5);
    assert_vec3(cn_transform_world_scale(world, wheel), cn_vec3(1, 2, 3), 1e-5);
    assert_vec3(cn_transform_world_forward(world, wheel), cn_quat_rotate(turn, cn_vec3(0, 0, -1)),
                1e-5);
    assert_vec3(cn_transform_world_up(world, wheel), cn_quat_rotate(turn, cn_vec3(0, 1, 0)), 1e-5);
}

static void a_world_rotation_that_is_set_leaves_place_and_size(void **state)
{
    (void)state;
    CnEntity car = place(10, 0, 0), wheel = place_below(car, 1, 2, 3);
    cn_get_mut(world, car, CnTransform)->scale = cn_vec3(-2, 2, 2);
    cn_get_mut(world, wheel, CnTransform)->scale = cn_vec3(1, -1, 3);
    CnVec3 before = cn_transform_world_position(world, wheel);
    CnQuat turn = cn_quat_from_euler(cn_vec3(50, -60, 70));
    assert_true(cn_transform_set_world_rotation(world, wheel, turn));
    assert_vec3(cn_transform_world_position(world, wheel), before, 0);
    assert_vec3(cn_transform_world_scale(world, wheel), cn_vec3(2, 2, 6), 1e-5);
    assert_vec3(cn_transform_world_forward(world, wheel), cn_quat_rotate(turn, cn_vec3(0, 0, -1)),
                1e-5);
    assert_vec3(cn_transform_world_up(world, wheel), cn_quat_rotate(turn, cn_vec3(0, 1, 0)), 1e-5);
}

static void a_world_position_that_is_set_is_read_again(void **state)
{
    (void)state;
    CnEntity car = place(10, 0, 0), wheel = place_below(car, 1, 2, 3);
    cn_get_mut(world, car, CnTransform)->rotation = cn_quat_from_euler(cn_vec3(10, 20, 30));
    assert_true(cn_transform_set_world_position(world, wheel, cn_vec3(4, 5, 6)));
    assert_vec3(cn_transform_world_position(world, wheel), cn_vec3(4, 5, 6), 1e-5);
    assert_true(cn_transform_set_world_position(world, car, cn_vec3(4, 5, 6)));
    assert_vec3(cn_transform_world_position(world, car), cn_vec3(4, 5, 6), 0);
}

static void peeking_gives_the_same_and_keeps_nothing(void **state)
{
    (void)state;
    CnEntity car = place(10, 0, 0), wheel = place_below(car, 1, 2, 3);
    CnAffine peeked = cn_transform_world_affine_peek(world, wheel);
    assert_int_equal(cn_get(world, wheel, CnTransformCache)->version, 0);
    CnAffine kept = cn_transform_world_affine(world, wheel);
    assert_memory_equal(&peeked, &kept, sizeof kept);
}

static void what_keeps_nothing_is_computed_all_the_same(void **state)
{
    (void)state;
    CnEntity car = cn_spawn(world, cn_with(CnTransform, {{10, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}));
    CnEntity axle = cn_spawn(world, cn_with(CnTransform, {{1, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}));
    cn_set_parent(world, axle, car);
    CnEntity wheel = place_below(axle, 1, 2, 3);
    assert_vec3(cn_transform_world_position(world, wheel), cn_vec3(12, 2, 3), 0);
    cn_get_mut(world, car, CnTransform)->position.x = 20;
    assert_vec3(cn_transform_world_position(world, wheel), cn_vec3(22, 2, 3), 0);
    assert_vec3(cn_transform_world_scale(world, axle), cn_vec3(1, 1, 1), 0);
    assert_int_not_equal(cn_transform_world_version(world, axle),
                         cn_transform_world_version(world, axle));
}

static void a_transform_with_a_nan_affects_no_other_object(void **state)
{
    (void)state;
    CnEntity car = place(10, 0, 0), wheel = place_below(car, 1, 2, 3), tree = place(4, 5, 6);
    cn_get_mut(world, car, CnTransform)->position.x = CN_NANF;
    CnVec3 where = cn_transform_world_position(world, wheel);
    assert_true(where.x != where.x);
    assert_vec3(cn_transform_world_position(world, tree), cn_vec3(4, 5, 6), 0);
    cn_get_mut(world, car, CnTransform)->position.x = 1;
    assert_vec3(cn_transform_world_position(world, wheel), cn_vec3(2, 2, 3), 0);
}

static void a_chain_of_a_hundred_thousand_is_read(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    CnEntity first = place(0, 1, 0), last = first;
    for (int i = 1; i < DEPTH; i++)
        last = place_below(last, 0, 1, 0);
    assert_vec3(cn_transform_world_position(world, last), cn_vec3(0, DEPTH, 0), 0);
    cn_get_mut(world, first, CnTransform)->position.x = 5;
    assert_vec3(cn_transform_world_position(world, last), cn_vec3(5, DEPTH, 0), 0);
}

static void a_cycle_is_refused(void **state)
{
    (void)state;
    CnEntity car = place(10, 0, 0), wheel = place_below(car, 1, 2, 3);
    assert_false(cn_set_parent(world, car, wheel));
    assert_false(cn_set_parent(world, car, car));
    assert_vec3(cn_transform_world_position(world, wheel), cn_vec3(11, 2, 3), 0);
}

static void adding_transforms_twice_is_harmless(void **state)
{
    (void)state;
    CnEntity car = place(10, 0, 0);
    uint32_t version = cn_transform_world_version(world, car);
    assert_true(cn_transform_add(world, NULL));
    assert_int_equal(cn_transform_world_version(world, car), version);
}

static void a_new_transform_is_the_identity(void **state)
{
    (void)state;
    CnEntity thing = cn_spawn(world, cn_with_default(CnTransform));
    CnTransform identity = CN_TRANSFORM_IDENTITY;
    assert_memory_equal(cn_get(world, thing, CnTransform), &identity, sizeof identity);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_world(a_bare_transform_is_at_its_own_place),
        in_world(a_write_is_seen_by_the_next_read),
        in_world(a_child_moves_with_its_parent),
        in_world(gaining_a_parent_needs_no_notice),
        in_world(losing_the_parent_needs_no_notice),
        in_world(another_parent_of_the_same_age_needs_no_notice),
        in_world(a_parent_that_loses_its_transform_is_no_parent),
        in_world(a_parent_whose_transform_went_and_came_back_is_examined_again),
        in_world(what_has_no_transform_is_at_the_origin),
        in_world(the_version_changes_with_the_matrix_and_only_then),
        in_world(a_write_that_is_taken_back_leaves_the_version),
        in_world(world_to_local_follows_the_matrix),
        in_world(a_mirrored_parent_shows_in_scale_x),
        in_world(axes_follow_the_world_rotation),
        in_world(a_world_pose_that_is_set_is_read_again),
        in_world(a_world_rotation_that_is_set_leaves_place_and_size),
        in_world(a_world_position_that_is_set_is_read_again),
        in_world(peeking_gives_the_same_and_keeps_nothing),
        in_world(what_keeps_nothing_is_computed_all_the_same),
        in_world(a_transform_with_a_nan_affects_no_other_object),
        in_world(a_chain_of_a_hundred_thousand_is_read),
        in_world(a_cycle_is_refused),
        in_world(adding_transforms_twice_is_harmless),
        in_world(a_new_transform_is_the_identity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
