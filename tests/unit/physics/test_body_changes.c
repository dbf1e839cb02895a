/* What is changed at run time takes effect; bodies below others; values that are not fit. */
#include "physics_fixture.h"

#include <math.h>

/* ---- Changes ---- */

static void a_larger_scale_makes_a_larger_shape(void **state)
{
    (void)state;
    add_floor();
    CnEntity crate = add_body(cn_vec3(0, 5, 0), box(CN_BODY_DYNAMIC, .5f, .5f, .5f));
    cn_get_mut(world, crate, CnTransform)->scale = cn_vec3(1, 4, 1);
    tick(120);
    assert_near(position_of(crate).y, 2, .02);
}

static void a_scale_that_changes_pushes_a_body_out(void **state)
{
    (void)state;
    add_floor();
    CnEntity ball = add_body(cn_vec3(0, .5f, 0), sphere(CN_BODY_DYNAMIC, .5f));
    tick(60);
    cn_get_mut(world, ball, CnTransform)->scale = cn_vec3(2, 2, 2);
    tick(120);
    assert_near(position_of(ball).y, 1, .02);
}

static void a_capsule_is_scaled_along_y_and_across(void **state)
{
    (void)state;
    CnRaycastHit hit;
    CnRigidbody body = cn_rigidbody(CN_BODY_STATIC, CN_SHAPE_CAPSULE);
    body.radius = .5f;
    body.height = 2;
    CnEntity pillar = add_body(cn_vec3(0, 0, 0), body);
    cn_get_mut(world, pillar, CnTransform)->scale = cn_vec3(2, 3, 1);
    CnRaycastQuery side = {.origin = {9, 0, 0}, .direction = {-1, 0, 0}, .distance = 20};
    CnRaycastQuery top = {.origin = {0, 9, 0}, .direction = {0, -1, 0}, .distance = 20};
    assert_true(cn_physics_raycast(world, &side, &hit));
    assert_near(hit.point.x, 1, 1e-4);
    assert_true(cn_physics_raycast(world, &top, &hit));
    assert_near(hit.point.y, 3 + 1, 1e-4);
}

static void another_shape_takes_effect(void **state)
{
    (void)state;
    add_floor();
    CnEntity thing = add_body(cn_vec3(0, .5f, 0), box(CN_BODY_DYNAMIC, .5f, .5f, .5f));
    tick(60);
    set_body(thing, sphere(CN_BODY_DYNAMIC, 2));
    tick(120);
    assert_near(position_of(thing).y, 2, .02);
}

static void a_static_body_that_becomes_dynamic_falls(void **state)
{
    (void)state;
    CnEntity thing = add_body(cn_vec3(0, 9, 0), box(CN_BODY_STATIC, .5f, .5f, .5f));
    tick(30);
    cn_get_mut(world, thing, CnRigidbody)->kind = CN_BODY_DYNAMIC;
    tick(30);
    assert_true(position_of(thing).y < 8);
}

static void a_dynamic_body_that_becomes_static_stops(void **state)
{
    (void)state;
    CnEntity thing = add_body(cn_vec3(0, 9, 0), box(CN_BODY_DYNAMIC, .5f, .5f, .5f));
    tick(30);
    cn_get_mut(world, thing, CnRigidbody)->kind = CN_BODY_STATIC;
    tick(1);
    float height = position_of(thing).y;
    tick(30);
    assert_true(position_of(thing).y == height);
    assert_true(speed_of(thing) == 0);
}

static void another_mass_takes_effect(void **state)
{
    (void)state;
    CnRigidbody body = sphere(CN_BODY_DYNAMIC, .5f);
    body.gravity_scale = 0;
    CnEntity ball = add_body(cn_vec3(0, 0, 0), body);
    tick(5);
    cn_get_mut(world, ball, CnRigidbody)->mass = 10;
    cn_body_add_impulse(world, ball, cn_vec3(10, 0, 0));
    tick(1);
    assert_near(speed_of(ball), 1, 1e-4);
}

static void transforms_are_written_for_what_moves_only(void **state)
{
    (void)state;
    CnRigidbody floating = sphere(CN_BODY_DYNAMIC, .5f);
    floating.gravity_scale = 0;
    floating.can_sleep = false;
    add_body(cn_vec3(0, 0, 0), floating);
    tick(2);
    uint64_t since = cn_world_tick(world);
    tick(3);
    CnQuery *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(CnTransform)}}, NULL);
    CnChunkView view;
    CnQueryIter it = cn_query_iter_changed(query, since);
    assert_false(cn_query_next(&it, &view));
}

/* ---- Below others ---- */

static CnEntity add_group(void)
{
    CnEntity group = cn_object(world, "Group");
    CnTransform *transform = cn_get_mut(world, group, CnTransform);
    transform->position = cn_vec3(10, 20, 30);
    transform->rotation = cn_quat_from_euler(cn_vec3(0, 90, 0));
    transform->scale = cn_vec3(2, 2, 2);
    return group;
}

static void a_child_falls_in_the_world_not_in_its_parent(void **state)
{
    (void)state;
    CnEntity group = add_group();
    cn_get_mut(world, group, CnTransform)->rotation = cn_quat_from_euler(cn_vec3(0, 0, 90));
    CnEntity ball = add_body_below(group, cn_vec3(1, 0, 0), sphere(CN_BODY_DYNAMIC, .5f));
    CnVec3 before = position_of(ball);
    tick(60);
    assert_near(position_of(ball).x, before.x, 1e-4);
    assert_near(position_of(ball).y, before.y - 9.81 / 2 * (1 + 1 / 60.0), 1e-3);
    assert_near(cn_get(world, ball, CnTransform)->position.x, 1 - 4.905 / 2, .1);
}

static void the_scale_of_a_parent_counts(void **state)
{
    (void)state;
    CnEntity group = add_group();
    add_body_below(group, cn_vec3(0, 0, 0), sphere(CN_BODY_STATIC, .5f));
    CnRaycastHit hit;
    CnRaycastQuery query = {.origin = {10, 30, 30}, .direction = {0, -1, 0}, .distance = 20};
    assert_true(cn_physics_raycast(world, &query, &hit));
    assert_near(hit.distance, 9, 1e-4);
}

static void a_static_child_moves_with_its_parent(void **state)
{
    (void)state;
    CnEntity group = add_group();
    add_body_below(group, cn_vec3(0, 0, 0), sphere(CN_BODY_STATIC, .5f));
    tick(1);
    cn_get_mut(world, group, CnTransform)->position = cn_vec3(0, 0, 0);
    CnRaycastHit hit;
    CnRaycastQuery query = {.origin = {0, 9, 0}, .direction = {0, -1, 0}, .distance = 20};
    assert_true(cn_physics_raycast(world, &query, &hit));
    tick(1);
    assert_true(cn_physics_raycast(world, &query, &hit));
    assert_near(hit.distance, 8, 1e-4);
}

static void a_kinematic_child_pushes_when_its_parent_moves(void **state)
{
    (void)state;
    CnRigidbody crate = box(CN_BODY_DYNAMIC, .5f, .5f, .5f);
    crate.gravity_scale = 0;
    CnEntity arm = cn_object(world, "Arm");
    CnEntity hand = add_body_below(arm, cn_vec3(-2, 0, 0), box(CN_BODY_KINEMATIC, .5f, .5f, .5f));
    CnEntity thing = add_body(cn_vec3(0, 0, 0), crate);
    for (int i = 0; i < 120; i++) {
        cn_get_mut(world, arm, CnTransform)->position.x += 1 / 60.0f;
        tick(1);
    }
    assert_near(position_of(hand).x, 0, 1e-3);
    assert_true(position_of(thing).x > .9f);
}

static void two_bodies_below_each_other_fall_alike(void **state)
{
    (void)state;
    CnEntity above = add_body(cn_vec3(0, 50, 0), sphere(CN_BODY_DYNAMIC, .5f));
    CnEntity below = add_body_below(above, cn_vec3(5, 0, 0), sphere(CN_BODY_DYNAMIC, .5f));
    tick(60);
    assert_near(position_of(below).y, position_of(above).y, 1e-3);
    assert_near(position_of(below).x, 5, 1e-4);
}

static void a_parent_that_comes_later_counts(void **state)
{
    (void)state;
    CnEntity wall = add_body(cn_vec3(0, 0, 0), sphere(CN_BODY_STATIC, .5f));
    tick(1);
    cn_object_set_parent(world, wall, add_group(), CN_REPARENT_KEEP_LOCAL, NULL);
    CnRaycastQuery query = {.origin = {10, 30, 30}, .direction = {0, -1, 0}, .distance = 20};
    tick(1);
    assert_true(cn_physics_raycast(world, &query, NULL));
    cn_object_set_parent(world, wall, CN_NO_PARENT, CN_REPARENT_KEEP_LOCAL, NULL);
    tick(1);
    assert_false(cn_physics_raycast(world, &query, NULL));
}

static void a_clone_is_a_body_of_its_own(void **state)
{
    (void)state;
    CnError error = {0};
    CnEntity ball = add_body(cn_vec3(0, 50, 0), sphere(CN_BODY_DYNAMIC, .5f));
    tick(10);
    CnEntity copy = cn_object_clone(world, ball, CN_NO_PARENT, &error);
    assert_true(copy.id != 0);
    cn_get_mut(world, copy, CnTransform)->position = cn_vec3(5, 80, 0);
    tick(30);
    assert_near(cn_body_velocity(world, copy).y, cn_body_velocity(world, ball).y, 1e-4);
    assert_near(position_of(copy).x, 5, 1e-4);
}

/* ---- What is not fit ---- */

static void a_velocity_that_is_not_a_number_becomes_none(void **state)
{
    (void)state;
    CnRigidbody body = sphere(CN_BODY_DYNAMIC, .5f);
    body.gravity_scale = 0;
    CnEntity ball = add_body(cn_vec3(0, 5, 0), body);
    cn_body_set_velocity(world, ball, cn_vec3(NAN, 1, 0));
    cn_body_set_angular_velocity(world, ball, cn_vec3(0, INFINITY, 0));
    tick(5);
    assert_true(speed_of(ball) == 0);
    assert_near(position_of(ball).y, 5, 1e-6);
}

static void a_velocity_beyond_all_bounds_is_shortened(void **state)
{
    (void)state;
    CnRigidbody body = sphere(CN_BODY_DYNAMIC, .5f);
    body.gravity_scale = 0;
    CnEntity ball = add_body(cn_vec3(0, 5, 0), body);
    cn_body_set_velocity(world, ball, cn_vec3(1e20f, 0, 0));
    tick(1);
    assert_near(speed_of(ball), 1e4, 1);
}

static void a_force_that_is_not_a_number_becomes_none(void **state)
{
    (void)state;
    CnRigidbody body = sphere(CN_BODY_DYNAMIC, .5f);
    body.gravity_scale = 0;
    CnEntity ball = add_body(cn_vec3(0, 5, 0), body);
    cn_body_add_force(world, ball, cn_vec3(NAN, 0, 0));
    cn_body_add_torque(world, ball, cn_vec3(0, -INFINITY, 0));
    tick(5);
    assert_true(speed_of(ball) == 0);
}

static void a_place_that_is_not_a_number_takes_a_body_out(void **state)
{
    (void)state;
    add_floor();
    CnEntity ball = add_body(cn_vec3(0, 5, 0), sphere(CN_BODY_DYNAMIC, .5f));
    CnEntity other = add_body(cn_vec3(3, 5, 0), sphere(CN_BODY_DYNAMIC, .5f));
    tick(5);
    cn_get_mut(world, ball, CnTransform)->position.x = NAN;
    tick(60);
    assert_near(position_of(other).y, .5, .1);
    cn_get_mut(world, ball, CnTransform)->position = cn_vec3(0, 5, 0);
    tick(120);
    assert_near(position_of(ball).y, .5, .1);
}

static void a_rotation_of_nothing_takes_a_body_out(void **state)
{
    (void)state;
    CnEntity ball = add_body(cn_vec3(0, 5, 0), sphere(CN_BODY_DYNAMIC, .5f));
    cn_get_mut(world, ball, CnTransform)->rotation = (CnQuat){0, 0, 0, 0};
    tick(30);
    assert_true(position_of(ball).y == 5);
}

static void a_body_of_no_mass_takes_no_part(void **state)
{
    (void)state;
    CnRigidbody body = sphere(CN_BODY_DYNAMIC, .5f);
    body.mass = 0;
    CnEntity ball = add_body(cn_vec3(0, 5, 0), body);
    tick(30);
    assert_true(position_of(ball).y == 5);
    cn_get_mut(world, ball, CnRigidbody)->mass = 1;
    tick(30);
    assert_true(position_of(ball).y < 5);
}

static void a_scale_of_zero_takes_a_body_out(void **state)
{
    (void)state;
    CnEntity ball = add_body(cn_vec3(0, 5, 0), sphere(CN_BODY_DYNAMIC, .5f));
    cn_get_mut(world, ball, CnTransform)->scale = cn_vec3(0, 0, 0);
    tick(30);
    assert_true(position_of(ball).y == 5);
}

static void a_gravity_that_is_not_a_number_is_not_taken(void **state)
{
    (void)state;
    CnEntity ball = add_body(cn_vec3(0, 50, 0), sphere(CN_BODY_DYNAMIC, .5f));
    tick(1);
    cn_resource_mut(world, CnPhysicsSettings)->gravity.y = NAN;
    tick(59);
    assert_near(cn_body_velocity(world, ball).y, -9.81, 1e-3);
}

static void a_body_that_falls_for_ever_stops_at_the_end_of_the_world(void **state)
{
    (void)state;
    CnEntity ball = add_body(cn_vec3(0, -999990, 0), sphere(CN_BODY_DYNAMIC, .5f));
    tick(240);
    assert_true(position_of(ball).y >= -1e6f);
    assert_true(cn_body_is_asleep(world, ball));
}

static void sanitized_and_rejected_values_are_counted(void **state)
{
    (void)state;
    add_floor();
    CnEntity ball = add_body(cn_vec3(0, 5, 0), sphere(CN_BODY_DYNAMIC, .5f));
    CnEntity crate = add_body(cn_vec3(3, .5f, 0), box(CN_BODY_DYNAMIC, .5f, .5f, .5f));
    tick(1);
    CnPhysicsStats stats = cn_physics_stats(world);
    assert_int_equal(stats.bodies, 3);
    assert_int_equal(stats.awake, 2);
    assert_int_equal(stats.pairs, 1);
    assert_int_equal(stats.sanitized + stats.refused, 0);
    cn_body_set_velocity(world, ball, cn_vec3(NAN, 0, 0));
    cn_get_mut(world, crate, CnRigidbody)->mass = -1;
    tick(1);
    stats = cn_physics_stats(world);
    assert_int_equal(stats.bodies, 2);
    assert_int_equal(stats.refused, 1);
    assert_int_equal(stats.sanitized, 1);
}

static char logged[512];
static void keep_line(const CnLogRecord *record, void *user)
{
    (void)user;
    cn_copy_text(logged, sizeof logged, cn_text(record->message));
}

static void the_log_names_the_object_whose_body_is_refused(void **state)
{
    (void)state;
    CnEntity ball = add_body(cn_vec3(0, 5, 0), sphere(CN_BODY_DYNAMIC, .5f));
    assert_true(cn_object_rename(world, ball, "Marble", NULL));
    cn_get_mut(world, ball, CnRigidbody)->mass = -1;
    int sink = cn_log_add_sink(&(CnLogSink){.write = keep_line, .level = CN_LOG_LEVEL_WARNING});
    tick(1);
    cn_log_remove_sink(sink);
    assert_non_null(strstr(logged, " Marble is excluded: "));
}

static void settings_that_make_no_sense_do_no_harm(void **state)
{
    (void)state;
    CnPhysicsSettings *settings = cn_resource_mut(world, CnPhysicsSettings);
    add_floor();
    CnEntity ball = add_body(cn_vec3(0, 1, 0), sphere(CN_BODY_DYNAMIC, .5f));
    settings->iterations = 0;
    settings->sleep_speed = NAN;
    settings->sleep_ticks = 0;
    tick(30);
    settings->iterations = UINT32_MAX;
    tick(3);
    assert_true(position_of(ball).y > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(a_larger_scale_makes_a_larger_shape),
        TEST(a_scale_that_changes_pushes_a_body_out),
        TEST(a_capsule_is_scaled_along_y_and_across),
        TEST(another_shape_takes_effect),
        TEST(a_static_body_that_becomes_dynamic_falls),
        TEST(a_dynamic_body_that_becomes_static_stops),
        TEST(another_mass_takes_effect),
        TEST(transforms_are_written_for_what_moves_only),
        TEST(a_child_falls_in_the_world_not_in_its_parent),
        TEST(the_scale_of_a_parent_counts),
        TEST(a_static_child_moves_with_its_parent),
        TEST(a_kinematic_child_pushes_when_its_parent_moves),
        TEST(two_bodies_below_each_other_fall_alike),
        TEST(a_parent_that_comes_later_counts),
        TEST(a_clone_is_a_body_of_its_own),
        TEST(a_velocity_that_is_not_a_number_becomes_none),
        TEST(a_velocity_beyond_all_bounds_is_shortened),
        TEST(a_force_that_is_not_a_number_becomes_none),
        TEST(a_place_that_is_not_a_number_takes_a_body_out),
        TEST(a_rotation_of_nothing_takes_a_body_out),
        TEST(a_body_of_no_mass_takes_no_part),
        TEST(a_scale_of_zero_takes_a_body_out),
        TEST(a_gravity_that_is_not_a_number_is_not_taken),
        TEST(a_body_that_falls_for_ever_stops_at_the_end_of_the_world),
        TEST(sanitized_and_rejected_values_are_counted),
        TEST(the_log_names_the_object_whose_body_is_refused),
        TEST(settings_that_make_no_sense_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
