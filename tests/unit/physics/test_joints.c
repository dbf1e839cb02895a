/* Joints: what they hold, what they let move, and when bodies that are joined sleep and wake. */
#include "physics_fixture.h"

#include <math.h>

#define JOINT_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static void join(CnEntity object, CnJoint joint)
{
    assert_true(cn_set_component(world, object, cn_id(world, CnJoint), &joint));
}

static CnJoint joint_with(CnJointKind kind, CnEntity other)
{
    CnJoint joint = cn_joint(kind);
    joint.other = other;
    return joint;
}

static CnJoint *joint_of(CnEntity object)
{
    return cn_get_mut(world, object, CnJoint);
}

static float distance(CnVec3 a, CnVec3 b)
{
    return cn_vec3_length(cn_vec3_sub(a, b));
}

static CnRigidbody weightless_box(void)
{
    CnRigidbody body = box(CN_BODY_DYNAMIC, .25f, .25f, .25f);
    body.gravity_scale = 0;
    return body;
}

/* ---- Ball ---- */

/* A ball at the end of a rod of 2 m, held at (0, 5, 0). */
static CnEntity add_pendulum(void)
{
    CnEntity ball = add_body(cn_vec3(2, 5, 0), sphere(CN_BODY_DYNAMIC, .25f));
    CnJoint joint = cn_joint(CN_JOINT_BALL);
    joint.anchor = cn_vec3(-2, 0, 0);
    join(ball, joint);
    return ball;
}

static void a_pendulum_keeps_its_length(void **state)
{
    (void)state;
    CnEntity ball = add_pendulum();
    float lowest = 5;
    for (uint32_t i = 0; i < 300; i++) {
        tick(1);
        assert_near(distance(position_of(ball), cn_vec3(0, 5, 0)), 2, .05);
        lowest = fminf(lowest, position_of(ball).y);
    }
    assert_near(lowest, 3, .05);
}

/* 2 pi sqrt(l / g), for small angles; with the inertia of the ball itself. */
static void a_pendulum_swings_at_its_period(void **state)
{
    (void)state;
    CnEntity ball = add_body(cn_vec3(.2f, 3.01f, 0), sphere(CN_BODY_DYNAMIC, .1f));
    CnJoint joint = cn_joint(CN_JOINT_BALL);
    joint.anchor = cn_vec3(-.2f, 1.99f, 0);
    join(ball, joint);
    uint32_t crossings = 0;
    for (uint32_t i = 0; i < 600; i++) {
        float before = position_of(ball).x;
        tick(1);
        crossings += (before > 0) != (position_of(ball).x > 0);
    }
    assert_in_range(crossings, 6, 8); /* 10 s in half periods of 1.42 s */
}

static CnVec3 end_of(CnEntity link, float x)
{
    CnAffine place = cn_transform_world_affine(world, link);
    return cn_affine_point(&place, cn_vec3(x, 0, 0));
}

static void a_chain_hangs_together(void **state)
{
    (void)state;
    CnEntity above = {0};
    CnEntity links[8];
    for (uint32_t i = 0; i < 8; i++) {
        links[i] = add_body(cn_vec3(.5f + (float)i, 10, 0), box(CN_BODY_DYNAMIC, .4f, .1f, .1f));
        CnJoint joint = joint_with(CN_JOINT_BALL, above);
        joint.anchor = cn_vec3(-.5f, 0, 0);
        join(links[i], joint);
        above = links[i];
    }
    tick(1200);
    for (uint32_t i = 0; i < 8; i++) {
        CnVec3 end = i ? end_of(links[i - 1], .5f) : cn_vec3(0, 10, 0);
        assert_near(distance(end_of(links[i], -.5f), end), 0, .05);
    }
    assert_true(position_of(links[7]).y < 9);
}

/* ---- Hinge ---- */

static CnEntity add_door(CnJoint hinge)
{
    CnEntity door = add_body(cn_vec3(0, 1, 0), box(CN_BODY_DYNAMIC, .5f, 1, .05f));
    hinge.anchor = cn_vec3(-.5f, 0, 0);
    join(door, hinge);
    return door;
}

static void a_door_turns_about_its_edge(void **state)
{
    (void)state;
    CnEntity door = add_door(cn_joint(CN_JOINT_HINGE));
    cn_body_set_angular_velocity(world, door, cn_vec3(0, 4, 0));
    for (uint32_t i = 0; i < 60; i++) {
        tick(1);
        assert_near(distance(position_of(door), cn_vec3(-.5f, 1, 0)), .5, .02);
        assert_near(position_of(door).y, 1, .01);
    }
    assert_true(cn_joint_value(world, door) > 10);
}

static void a_door_stops_at_its_limits(void **state)
{
    (void)state;
    CnJoint hinge = cn_joint(CN_JOINT_HINGE);
    hinge.limited = true;
    hinge.low = -20;
    hinge.high = 45;
    CnEntity door = add_door(hinge);
    cn_body_set_angular_velocity(world, door, cn_vec3(0, 3, 0));
    tick(90);
    assert_near(cn_joint_value(world, door), 45, 3);
    cn_body_set_angular_velocity(world, door, cn_vec3(0, -3, 0));
    tick(90);
    assert_near(cn_joint_value(world, door), -20, 3);
}

static void a_motor_turns_a_hinge_at_its_speed(void **state)
{
    (void)state;
    CnJoint hinge = cn_joint(CN_JOINT_HINGE);
    hinge.motor_speed = 30;
    hinge.motor_force = 1000;
    CnEntity door = add_door(hinge);
    tick(120);
    assert_near(cn_joint_value(world, door), 60, 2);
}

static void limits_of_a_door_in_a_frame_turn_with_the_frame(void **state)
{
    (void)state;
    CnEntity frame = add_body(cn_vec3(-.6f, 1, 0), box(CN_BODY_KINEMATIC, .1f, 1, .1f));
    CnJoint hinge = joint_with(CN_JOINT_HINGE, frame);
    hinge.limited = true;
    CnEntity door = add_door(hinge); /* cannot turn at all */
    for (uint32_t i = 1; i <= 90; i++) {
        cn_get_mut(world, frame, CnTransform)->rotation =
            cn_quat_from_euler(cn_vec3(0, (float)i, 0));
        tick(1);
    }
    assert_near(cn_joint_value(world, door), 0, 5);
    assert_near(position_of(door).x, -.6, .05);
    assert_near(position_of(door).z, -.6, .05);
}

/* ---- Slider, fixed, spring ---- */

static void a_slider_moves_along_its_axis_within_limits(void **state)
{
    (void)state;
    CnEntity piston = add_body(cn_vec3(0, 5, 0), box(CN_BODY_DYNAMIC, .25f, .25f, .25f));
    CnJoint slider = cn_joint(CN_JOINT_SLIDER);
    slider.limited = true;
    slider.low = -1.5f;
    slider.high = 0;
    join(piston, slider);
    cn_body_set_angular_velocity(world, piston, cn_vec3(1, 1, 1));
    tick(200);
    assert_near(position_of(piston).y, 3.5, .05);
    assert_near(position_of(piston).x, 0, .02);
    assert_near(cn_joint_value(world, piston), -1.5, .05);
    assert_near(cn_vec3_length(cn_body_angular_velocity(world, piston)), 0, .05);
}

static void a_motor_lifts_a_slider(void **state)
{
    (void)state;
    CnEntity lift = add_body(cn_vec3(0, 5, 0), box(CN_BODY_DYNAMIC, .25f, .25f, .25f));
    CnJoint slider = cn_joint(CN_JOINT_SLIDER);
    slider.motor_speed = .5f;
    slider.motor_force = 1000;
    join(lift, slider);
    tick(120);
    assert_near(position_of(lift).y, 6, .05);
}

static void fixed_bodies_move_as_one(void **state)
{
    (void)state;
    CnEntity a = add_body(cn_vec3(0, 5, 0), weightless_box());
    CnEntity b = add_body(cn_vec3(1, 5, 0), weightless_box());
    join(b, joint_with(CN_JOINT_FIXED, a));
    cn_body_set_velocity(world, a, cn_vec3(0, 0, 1));
    tick(120);
    assert_near(distance(position_of(a), position_of(b)), 1, .02);
    assert_true(position_of(b).z > .5f);
}

static void a_spring_carries_its_load_at_the_expected_height(void **state)
{
    (void)state;
    CnRigidbody body = sphere(CN_BODY_DYNAMIC, .25f);
    body.mass = 2;
    CnEntity load = add_body(cn_vec3(0, 4, 0), body);
    CnJoint spring = cn_joint(CN_JOINT_SPRING);
    spring.other_anchor = cn_vec3(0, 5, 0);
    spring.length = 1;
    spring.stiffness = 50;
    spring.damping = 8;
    join(load, spring);
    tick(900);
    assert_near(position_of(load).y, 4 - 2 * 9.81 / 50, .02);
}

static void a_spring_between_bodies_pulls_both(void **state)
{
    (void)state;
    CnEntity a = add_body(cn_vec3(-2, 5, 0), weightless_box());
    CnEntity b = add_body(cn_vec3(2, 5, 0), weightless_box());
    CnJoint spring = joint_with(CN_JOINT_SPRING, b);
    spring.length = 2;
    join(a, spring);
    tick(600);
    assert_near(position_of(a).x, -1, .02);
    assert_near(position_of(b).x, 1, .02);
}

/* ---- Objects of joints ---- */

static void a_joint_below_a_body_belongs_to_it(void **state)
{
    (void)state;
    CnEntity ball = add_body(cn_vec3(2, 5, 0), sphere(CN_BODY_DYNAMIC, .25f));
    CnEntity holder = cn_object(world, "Holder", .parent = ball);
    cn_get_mut(world, holder, CnTransform)->position = cn_vec3(-2, 0, 0);
    join(holder, cn_joint(CN_JOINT_BALL));
    tick(100);
    assert_near(distance(position_of(ball), cn_vec3(0, 5, 0)), 2, .03);
}

static void joined_bodies_do_not_collide_unless_they_should(void **state)
{
    (void)state;
    CnEntity a = add_body(cn_vec3(0, 5, 0), weightless_box());
    CnEntity b = add_body(cn_vec3(.3f, 5, 0), weightless_box());
    CnJoint spring = joint_with(CN_JOINT_SPRING, a);
    spring.stiffness = .01f;
    spring.damping = 0;
    join(b, spring);
    tick(60);
    assert_near(distance(position_of(a), position_of(b)), .3, .01);
    joint_of(b)->collide = true;
    tick(60);
    assert_true(distance(position_of(a), position_of(b)) > .4f);
}

static void a_joint_whose_other_body_is_gone_holds_nothing(void **state)
{
    (void)state;
    CnEntity hook = add_body(cn_vec3(0, 5, 0), box(CN_BODY_STATIC, .1f, .1f, .1f));
    CnEntity load = add_body(cn_vec3(0, 4, 0), sphere(CN_BODY_DYNAMIC, .25f));
    join(load, joint_with(CN_JOINT_FIXED, hook));
    tick(120);
    assert_near(position_of(load).y, 4, .02);
    assert_true(cn_body_is_asleep(world, load));
    cn_destroy(world, hook);
    tick(30);
    assert_true(position_of(load).y < 3.5f);
}

static void removing_disabling_and_breaking_let_go(void **state)
{
    (void)state;
    CnEntity loads[3];
    for (uint32_t i = 0; i < 3; i++) {
        loads[i] = add_body(cn_vec3((float)i * 3, 5, 0), sphere(CN_BODY_DYNAMIC, .25f));
        CnEntity holder = cn_object(world, "Holder", .parent = loads[i]);
        join(holder, cn_joint(CN_JOINT_FIXED));
    }
    tick(120);
    assert_true(cn_body_is_asleep(world, loads[0]));
    cn_remove(world, cn_first_child(world, loads[0]), CnJoint);
    cn_object_set_enabled(world, cn_first_child(world, loads[1]), false);
    joint_of(cn_first_child(world, loads[2]))->broken = true;
    tick(30);
    for (uint32_t i = 0; i < 3; i++)
        assert_true(position_of(loads[i]).y < 4.5f);
}

static void a_joint_breaks_at_its_force(void **state)
{
    (void)state;
    CnEntity loads[2];
    for (uint32_t i = 0; i < 2; i++) {
        CnRigidbody body = sphere(CN_BODY_DYNAMIC, .25f);
        body.mass = i ? 4 : 1;
        loads[i] = add_body(cn_vec3((float)i * 3, 5, 0), body);
        CnJoint joint = cn_joint(CN_JOINT_FIXED);
        joint.break_force = 20;
        join(loads[i], joint);
    }
    tick(60);
    assert_false(joint_of(loads[0])->broken);
    assert_near(position_of(loads[0]).y, 5, .02);
    assert_true(joint_of(loads[1])->broken);
    assert_true(position_of(loads[1]).y < 2);
}

/* ---- Sleeping ---- */

static void joined_bodies_sleep_and_wake_together(void **state)
{
    (void)state;
    add_floor();
    CnEntity boxes[3], last = {0};
    for (uint32_t i = 0; i < 3; i++) {
        boxes[i] = add_body(cn_vec3((float)i, .25f, 0), box(CN_BODY_DYNAMIC, .25f, .25f, .25f));
        if (last.id)
            join(boxes[i], joint_with(CN_JOINT_BALL, last));
        last = boxes[i];
    }
    tick(300);
    for (uint32_t i = 0; i < 3; i++)
        assert_true(cn_body_is_asleep(world, boxes[i]));
    cn_body_add_impulse(world, boxes[2], cn_vec3(0, 1, 0));
    tick(1);
    for (uint32_t i = 0; i < 3; i++)
        assert_false(cn_body_is_asleep(world, boxes[i]));
}

static void a_changed_motor_wakes_its_bodies(void **state)
{
    (void)state;
    CnEntity door = add_door(cn_joint(CN_JOINT_HINGE));
    tick(120);
    assert_true(cn_body_is_asleep(world, door));
    joint_of(door)->motor_force = 100;
    joint_of(door)->motor_speed = 90;
    tick(60);
    assert_near(cn_joint_value(world, door), 90, 5);
}

/* ---- Values ---- */

static void assert_invalid(CnJoint joint, const char *part)
{
    CnError error = {0};
    assert_false(cn_joint_check(&joint, &error));
    if (!strstr(error.message, part))
        fail_msg("%s", error.message);
    CnEntity ball = add_body(cn_vec3(2, 5, 0), sphere(CN_BODY_DYNAMIC, .25f));
    join(ball, joint);
    tick(2);
    assert_true(position_of(ball).y < 5); /* it falls */
    cn_destroy(world, ball);
}

static void invalid_values_are_explained_and_hold_nothing(void **state)
{
    (void)state;
    CnJoint joint = cn_joint(CN_JOINT_HINGE);
    joint.anchor.x = NAN;
    assert_invalid(joint, "anchor");
    joint = cn_joint(CN_JOINT_HINGE);
    joint.axis = cn_vec3(0, 0, 0);
    assert_invalid(joint, "axis");
    joint = cn_joint(CN_JOINT_HINGE);
    joint.limited = true;
    joint.low = 1;
    assert_invalid(joint, "lower limit");
    joint = cn_joint(CN_JOINT_SLIDER);
    joint.motor_force = -1;
    assert_invalid(joint, "motor");
    joint = cn_joint(CN_JOINT_SPRING);
    joint.stiffness = joint.damping = 0;
    assert_invalid(joint, "stiffness");
    joint = cn_joint(CN_JOINT_BALL);
    joint.break_force = INFINITY;
    assert_invalid(joint, "breaks");
}

static void a_joint_with_itself_or_between_static_bodies_is_ignored(void **state)
{
    (void)state;
    CnEntity a = add_body(cn_vec3(0, 5, 0), sphere(CN_BODY_DYNAMIC, .25f));
    join(a, joint_with(CN_JOINT_FIXED, a));
    CnEntity b = add_body(cn_vec3(4, 5, 0), box(CN_BODY_STATIC, 1, 1, 1));
    join(b, cn_joint(CN_JOINT_FIXED));
    tick(30);
    assert_true(position_of(a).y < 4.5f);
    assert_near(position_of(b).y, 5, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        JOINT_TEST(a_pendulum_keeps_its_length),
        JOINT_TEST(a_pendulum_swings_at_its_period),
        JOINT_TEST(a_chain_hangs_together),
        JOINT_TEST(a_door_turns_about_its_edge),
        JOINT_TEST(a_door_stops_at_its_limits),
        JOINT_TEST(a_motor_turns_a_hinge_at_its_speed),
        JOINT_TEST(limits_of_a_door_in_a_frame_turn_with_the_frame),
        JOINT_TEST(a_slider_moves_along_its_axis_within_limits),
        JOINT_TEST(a_motor_lifts_a_slider),
        JOINT_TEST(fixed_bodies_move_as_one),
        JOINT_TEST(a_spring_carries_its_load_at_the_expected_height),
        JOINT_TEST(a_spring_between_bodies_pulls_both),
        JOINT_TEST(a_joint_below_a_body_belongs_to_it),
        JOINT_TEST(joined_bodies_do_not_collide_unless_they_should),
        JOINT_TEST(a_joint_whose_other_body_is_gone_holds_nothing),
        JOINT_TEST(removing_disabling_and_breaking_let_go),
        JOINT_TEST(a_joint_breaks_at_its_force),
        JOINT_TEST(joined_bodies_sleep_and_wake_together),
        JOINT_TEST(a_changed_motor_wakes_its_bodies),
        JOINT_TEST(invalid_values_are_explained_and_hold_nothing),
        JOINT_TEST(a_joint_with_itself_or_between_static_bodies_is_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
