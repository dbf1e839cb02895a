/* Bodies: how each kind moves, and what its values mean. */
#include "physics_fixture.h"

#include <math.h>

static void a_dynamic_body_falls_as_gravity_says(void **state)
{
    (void)state;
    CnEntity ball = add_body(cn_vec3(0, 100, 0), sphere(CN_BODY_DYNAMIC, .5f));
    tick(60);
    assert_near(cn_body_velocity(world, ball).y, -9.81, 1e-3);
    assert_near(position_of(ball).y, 100 - 9.81 / 2 * (1 + 1 / 60.0), 1e-3);
}

static void a_static_body_never_moves(void **state)
{
    (void)state;
    CnEntity floor = add_floor();
    add_body(cn_vec3(0, 2, 0), sphere(CN_BODY_DYNAMIC, .5f));
    tick(120);
    assert_true(position_of(floor).y == -1);
}

static void a_kinematic_body_does_not_fall(void **state)
{
    (void)state;
    CnEntity lift = add_body(cn_vec3(0, 5, 0), box(CN_BODY_KINEMATIC, 1, 1, 1));
    tick(60);
    assert_true(position_of(lift).y == 5);
}

static void a_ghost_does_not_fall(void **state)
{
    (void)state;
    CnEntity zone = add_body(cn_vec3(0, 5, 0), box(CN_BODY_GHOST, 1, 1, 1));
    tick(60);
    assert_true(position_of(zone).y == 5);
}

static void a_box_comes_to_rest_on_the_floor(void **state)
{
    (void)state;
    add_floor();
    CnEntity crate = add_body(cn_vec3(0, 3, 0), box(CN_BODY_DYNAMIC, .5f, .5f, .5f));
    tick(180);
    assert_near(position_of(crate).y, .5, .01);
    assert_near(speed_of(crate), 0, .01);
}

static void a_sphere_comes_to_rest_on_the_floor(void **state)
{
    (void)state;
    add_floor();
    CnEntity ball = add_body(cn_vec3(0, 3, 0), sphere(CN_BODY_DYNAMIC, .5f));
    tick(180);
    assert_near(position_of(ball).y, .5, .01);
}

static void a_capsule_stands_along_y(void **state)
{
    (void)state;
    add_floor();
    CnRigidbody body = cn_rigidbody(CN_BODY_DYNAMIC, CN_SHAPE_CAPSULE);
    body.radius = .5f;
    body.height = 1;
    body.angular_damping = 1000; /* it stands on a point */
    CnEntity person = add_body(cn_vec3(0, 1.5f, 0), body);
    tick(60);
    assert_near(position_of(person).y, 1, .01);
}

static void a_stack_of_boxes_stands(void **state)
{
    (void)state;
    CnEntity crates[8];
    add_floor();
    for (int i = 0; i < 8; i++)
        crates[i] = add_body(cn_vec3(0, .5f + (float)i, 0), box(CN_BODY_DYNAMIC, .5f, .5f, .5f));
    tick(300);
    for (int i = 0; i < 8; i++)
        assert_near(position_of(crates[i]).y, .5 + i, .05);
}

static float height_of_bounce(float restitution)
{
    set_up(NULL);
    CnRigidbody body = sphere(CN_BODY_DYNAMIC, .5f);
    body.restitution = restitution;
    CnEntity floor = add_floor(), ball = add_body(cn_vec3(0, 2.5f, 0), body);
    assert_int_equal(tick_until(CN_COLLISION_ENTER, floor, ball, 120), 1);
    float highest = 0;
    for (int i = 0; i < 90; i++) {
        tick(1);
        if (i > 5 && position_of(ball).y > highest)
            highest = position_of(ball).y;
    }
    tear_down(NULL);
    return highest - .5f;
}

static void restitution_is_the_speed_that_a_bounce_keeps(void **state)
{
    (void)state;
    assert_near(height_of_bounce(1), 2, .25);
    assert_near(height_of_bounce(.5f), 2 * .25, .15);
    assert_near(height_of_bounce(0), 0, .02);
}

static float slide_on_slope(float friction)
{
    set_up(NULL);
    CnRigidbody slope = box(CN_BODY_STATIC, 50, 1, 50), crate = box(CN_BODY_DYNAMIC, .5f, .5f, .5f);
    CnQuat turn = cn_quat_from_euler(cn_vec3(0, 0, 30));
    slope.friction = crate.friction = friction;
    CnEntity ground = add_body(cn_quat_rotate(turn, cn_vec3(0, -1, 0)), slope);
    CnEntity thing = add_body(cn_quat_rotate(turn, cn_vec3(0, .5f, 0)), crate);
    cn_get_mut(world, ground, CnTransform)->rotation = turn;
    cn_get_mut(world, thing, CnTransform)->rotation = turn;
    tick(60);
    float way =
        cn_vec3_length(cn_vec3_sub(position_of(thing), cn_quat_rotate(turn, cn_vec3(0, .5f, 0))));
    tear_down(NULL);
    return way;
}

static void friction_above_the_tangent_of_a_slope_holds(void **state)
{
    (void)state;
    assert_near(slide_on_slope(.8f), 0, .02);
}

static void friction_below_the_tangent_of_a_slope_slides(void **state)
{
    (void)state;
    /* g (sin - mu cos) t^2 / 2 */
    assert_near(slide_on_slope(.2f), 9.81 * (.5 - .2 * .8660) / 2, .15);
    assert_near(slide_on_slope(0), 9.81 * .5 / 2, .1);
}

static void linear_damping_takes_speed_by_the_second(void **state)
{
    (void)state;
    CnRigidbody body = sphere(CN_BODY_DYNAMIC, .5f);
    body.gravity_scale = 0;
    body.linear_damping = .5f;
    CnEntity ball = add_body(cn_vec3(0, 0, 0), body);
    cn_body_set_velocity(world, ball, cn_vec3(10, 0, 0));
    tick(60);
    assert_near(speed_of(ball), 10 * pow(1 / (1 + .5 / 60), 60), 1e-3);
}

static void angular_damping_reduces_angular_velocity_per_second(void **state)
{
    (void)state;
    CnRigidbody body = sphere(CN_BODY_DYNAMIC, .5f);
    body.gravity_scale = 0;
    body.angular_damping = .5f;
    CnEntity ball = add_body(cn_vec3(0, 0, 0), body);
    cn_body_set_angular_velocity(world, ball, cn_vec3(0, 10, 0));
    tick(60);
    assert_near(cn_body_angular_velocity(world, ball).y, 10 * pow(1 / (1 + .5 / 60), 60), 1e-3);
}

static void gravity_scale_is_a_factor(void **state)
{
    (void)state;
    CnRigidbody feather = sphere(CN_BODY_DYNAMIC, .5f), balloon = feather;
    feather.gravity_scale = .5f;
    balloon.gravity_scale = -1;
    CnEntity slow = add_body(cn_vec3(0, 50, 0), feather);
    CnEntity rising = add_body(cn_vec3(9, 50, 0), balloon);
    tick(60);
    assert_near(cn_body_velocity(world, slow).y, -9.81 / 2, 1e-3);
    assert_near(cn_body_velocity(world, rising).y, 9.81, 1e-3);
}

static void heavy_and_light_bodies_fall_alike(void **state)
{
    (void)state;
    CnRigidbody iron = sphere(CN_BODY_DYNAMIC, .5f), wood = iron;
    iron.mass = 1000;
    wood.mass = .1f;
    CnEntity a = add_body(cn_vec3(0, 50, 0), iron), b = add_body(cn_vec3(9, 50, 0), wood);
    tick(60);
    assert_near(position_of(a).y, position_of(b).y, 1e-4);
}

static void mass_decides_what_a_force_does(void **state)
{
    (void)state;
    CnRigidbody light = sphere(CN_BODY_DYNAMIC, .5f), heavy = light;
    light.gravity_scale = heavy.gravity_scale = 0;
    heavy.mass = 4;
    CnEntity a = add_body(cn_vec3(0, 0, 0), light), b = add_body(cn_vec3(9, 0, 0), heavy);
    for (int i = 0; i < 60; i++) {
        assert_true(cn_body_add_force(world, a, cn_vec3(0, 0, 8)));
        assert_true(cn_body_add_force(world, b, cn_vec3(0, 0, 8)));
        tick(1);
    }
    assert_near(cn_body_velocity(world, a).z, 8, 1e-3);
    assert_near(cn_body_velocity(world, b).z, 2, 1e-3);
}

static void a_force_acts_for_one_step(void **state)
{
    (void)state;
    CnRigidbody body = sphere(CN_BODY_DYNAMIC, .5f);
    body.gravity_scale = 0;
    CnEntity ball = add_body(cn_vec3(0, 0, 0), body);
    cn_body_add_force(world, ball, cn_vec3(60, 0, 0));
    tick(1);
    float speed = speed_of(ball);
    tick(10);
    assert_near(speed, 1, 1e-3);
    assert_true(speed_of(ball) == speed);
}

static void an_impulse_is_mass_times_speed(void **state)
{
    (void)state;
    CnRigidbody body = sphere(CN_BODY_DYNAMIC, .5f);
    body.gravity_scale = 0;
    body.mass = 2;
    CnEntity ball = add_body(cn_vec3(0, 0, 0), body);
    assert_true(cn_body_add_impulse(world, ball, cn_vec3(0, 6, 0)));
    tick(1);
    assert_near(cn_body_velocity(world, ball).y, 3, 1e-4);
}

static void an_impulse_is_the_same_at_any_rate_of_ticks(void **state)
{
    (void)state;
    tear_down(NULL);
    sim = make_sim(&(CnSimDesc){.tick_hz = 30}, NULL);
    world = cn_sim_world(sim);
    CnRigidbody body = sphere(CN_BODY_DYNAMIC, .5f);
    body.gravity_scale = 0;
    CnEntity ball = add_body(cn_vec3(0, 0, 0), body);
    cn_body_add_impulse(world, ball, cn_vec3(0, 6, 0));
    tick(1);
    assert_near(cn_body_velocity(world, ball).y, 6, 1e-4);
}

static void an_impulse_beside_the_middle_turns(void **state)
{
    (void)state;
    CnRigidbody body = sphere(CN_BODY_DYNAMIC, .5f);
    body.gravity_scale = 0;
    CnEntity ball = add_body(cn_vec3(0, 0, 0), body);
    cn_body_add_impulse_at(world, ball, cn_vec3(0, 0, 1), cn_vec3(.5f, 0, 0));
    tick(1);
    assert_near(cn_body_velocity(world, ball).z, 1, 1e-4);
    /* The inertia of a ball is 2/5 m r^2. */
    assert_near(cn_body_angular_velocity(world, ball).y, -.5 / (.4 * .25), 1e-3);
}

static void a_torque_turns(void **state)
{
    (void)state;
    CnRigidbody body = sphere(CN_BODY_DYNAMIC, .5f);
    body.gravity_scale = 0;
    CnEntity ball = add_body(cn_vec3(0, 0, 0), body);
    assert_true(cn_body_add_torque(world, ball, cn_vec3(0, .6f, 0)));
    tick(1);
    assert_near(cn_body_angular_velocity(world, ball).y, .6 / (.4 * .25) / 60, 1e-4);
    assert_near(speed_of(ball), 0, 1e-6);
}

static void only_dynamic_bodies_can_be_pushed(void **state)
{
    (void)state;
    CnEntity floor = add_floor(), plain = cn_object(world, "Plain");
    assert_false(cn_body_add_force(world, floor, cn_vec3(1, 0, 0)));
    assert_false(cn_body_add_impulse_at(world, floor, cn_vec3(1, 0, 0), cn_vec3(0, 0, 0)));
    assert_false(cn_body_set_velocity(world, plain, cn_vec3(1, 0, 0)));
    assert_false(cn_body_wake(world, (CnEntity){0}));
    tick(2);
    assert_true(speed_of(floor) == 0);
}

static void a_kinematic_body_that_is_moved_pushes(void **state)
{
    (void)state;
    CnRigidbody crate = box(CN_BODY_DYNAMIC, .5f, .5f, .5f);
    crate.friction = 0;
    add_floor();
    CnEntity pusher = add_body(cn_vec3(-2, .5f, 0), box(CN_BODY_KINEMATIC, .5f, .4f, .5f));
    CnEntity thing = add_body(cn_vec3(0, .5f, 0), crate);
    for (int i = 0; i < 120; i++) {
        cn_get_mut(world, pusher, CnTransform)->position.x += 2 / 60.0f;
        tick(1);
    }
    assert_near(position_of(pusher).x, 2, 1e-3);
    assert_true(position_of(thing).x > 2.9f);
}

static void a_lift_carries_what_stands_on_it(void **state)
{
    (void)state;
    CnEntity lift = add_body(cn_vec3(0, 0, 0), box(CN_BODY_KINEMATIC, 2, .5f, 2));
    CnEntity crate = add_body(cn_vec3(0, 1, 0), box(CN_BODY_DYNAMIC, .5f, .5f, .5f));
    for (int i = 0; i < 120; i++) {
        CnTransform *transform = cn_get_mut(world, lift, CnTransform);
        transform->position.x += 1 / 60.0f;
        transform->position.y += 1 / 60.0f;
        tick(1);
    }
    assert_near(position_of(crate).y, 3, .05);
    assert_near(position_of(crate).x, 2, .2);
}

static void a_kinematic_body_that_stops_has_no_speed(void **state)
{
    (void)state;
    CnEntity lift = add_body(cn_vec3(0, 0, 0), box(CN_BODY_KINEMATIC, 2, .5f, 2));
    tick(1);
    cn_get_mut(world, lift, CnTransform)->position.x = 1;
    tick(1);
    assert_near(cn_body_velocity(world, lift).x, 60, 1e-2);
    tick(1);
    assert_true(speed_of(lift) == 0);
}

static void a_turned_kinematic_body_has_its_angular_velocity(void **state)
{
    (void)state;
    CnEntity door = add_body(cn_vec3(0, 0, 0), box(CN_BODY_KINEMATIC, 2, .5f, 2));
    tick(1);
    cn_get_mut(world, door, CnTransform)->rotation = cn_quat_from_euler(cn_vec3(0, 3, 0));
    tick(1);
    assert_near(cn_body_angular_velocity(world, door).y, 3 * 60 * CN_PI / 180, 1e-3);
}

static void what_is_put_elsewhere_goes_on_from_there(void **state)
{
    (void)state;
    CnEntity ball = add_body(cn_vec3(0, 50, 0), sphere(CN_BODY_DYNAMIC, .5f));
    tick(30);
    CnVec3 velocity = cn_body_velocity(world, ball);
    cn_get_mut(world, ball, CnTransform)->position = cn_vec3(7, 80, 0);
    tick(1);
    assert_near(position_of(ball).x, 7, 1e-6);
    assert_near(position_of(ball).y, 80 + (velocity.y - 9.81 / 60) / 60, 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(a_dynamic_body_falls_as_gravity_says),
        TEST(a_static_body_never_moves),
        TEST(a_kinematic_body_does_not_fall),
        TEST(a_ghost_does_not_fall),
        TEST(a_box_comes_to_rest_on_the_floor),
        TEST(a_sphere_comes_to_rest_on_the_floor),
        TEST(a_capsule_stands_along_y),
        TEST(a_stack_of_boxes_stands),
        cmocka_unit_test(restitution_is_the_speed_that_a_bounce_keeps),
        cmocka_unit_test(friction_above_the_tangent_of_a_slope_holds),
        cmocka_unit_test(friction_below_the_tangent_of_a_slope_slides),
        TEST(linear_damping_takes_speed_by_the_second),
        TEST(angular_damping_reduces_angular_velocity_per_second),
        TEST(gravity_scale_is_a_factor),
        TEST(heavy_and_light_bodies_fall_alike),
        TEST(mass_decides_what_a_force_does),
        TEST(a_force_acts_for_one_step),
        TEST(an_impulse_is_mass_times_speed),
        TEST(an_impulse_is_the_same_at_any_rate_of_ticks),
        TEST(an_impulse_beside_the_middle_turns),
        TEST(a_torque_turns),
        TEST(only_dynamic_bodies_can_be_pushed),
        TEST(a_kinematic_body_that_is_moved_pushes),
        TEST(a_lift_carries_what_stands_on_it),
        TEST(a_kinematic_body_that_stops_has_no_speed),
        TEST(a_turned_kinematic_body_has_its_angular_velocity),
        TEST(what_is_put_elsewhere_goes_on_from_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
