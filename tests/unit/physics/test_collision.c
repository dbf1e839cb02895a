/* Collision events: which objects are notified, when, and of what. */
#include "physics_fixture.h"

static void bodies_that_begin_to_touch_enter_once(void **state)
{
    (void)state;
    CnEntity floor = add_floor(), ball = add_body(cn_vec3(0, 1, 0), sphere(CN_BODY_DYNAMIC, .5f));
    assert_int_equal(tick_until(CN_COLLISION_ENTER, floor, ball, 60), 1);
    for (int i = 0; i < 60; i++) {
        tick(1);
        assert_int_equal(count_events(CN_COLLISION_ENTER, floor, ball), 0);
    }
}

static void bodies_that_part_leave_once(void **state)
{
    (void)state;
    CnEntity floor = add_floor(), ball = add_body(cn_vec3(0, .5f, 0), sphere(CN_BODY_DYNAMIC, .5f));
    tick(10);
    cn_body_set_velocity(world, ball, cn_vec3(0, 5, 0));
    assert_int_equal(tick_until(CN_COLLISION_LEAVE, floor, ball, 10), 1);
    tick(1);
    assert_int_equal(count_events(CN_COLLISION_LEAVE, floor, ball), 0);
}

static CnCollision enter_of(CnEntity a, CnEntity b)
{
    assert_int_equal(tick_until(CN_COLLISION_ENTER, a, b, 120), 1);
    return cn_events(cn_channel(world, CnCollision), CnCollision)[0];
}

static void an_event_names_the_lower_entity_first(void **state)
{
    (void)state;
    CnEntity ball = add_body(cn_vec3(0, 1, 0), sphere(CN_BODY_DYNAMIC, .5f)), floor = add_floor();
    CnCollision event = enter_of(floor, ball);
    assert_true(event.a.id == ball.id && event.b.id == floor.id);
}

static void the_normal_points_from_b_to_a(void **state)
{
    (void)state;
    CnEntity ball = add_body(cn_vec3(0, 1, 0), sphere(CN_BODY_DYNAMIC, .5f)), floor = add_floor();
    CnCollision event = enter_of(floor, ball);
    assert_near(event.normal.y, 1, 1e-5);
}

static void the_point_is_where_they_touch(void **state)
{
    (void)state;
    CnEntity floor = add_floor(), ball = add_body(cn_vec3(3, 1, 4), sphere(CN_BODY_DYNAMIC, .5f));
    CnCollision event = enter_of(floor, ball);
    assert_near(event.point.x, 3, 1e-3);
    assert_near(event.point.y, 0, .1);
    assert_near(event.point.z, 4, 1e-3);
}

static void the_impulse_is_speed_times_the_smaller_mass(void **state)
{
    (void)state;
    CnRigidbody light = sphere(CN_BODY_DYNAMIC, .5f), heavy = light;
    light.gravity_scale = heavy.gravity_scale = 0;
    light.mass = 2;
    heavy.mass = 7;
    CnEntity a = add_body(cn_vec3(-1, 0, 0), light), b = add_body(cn_vec3(1, 0, 0), heavy);
    cn_body_set_velocity(world, a, cn_vec3(3, 0, 0));
    cn_body_set_velocity(world, b, cn_vec3(-1, 0, 0));
    assert_near(enter_of(a, b).impulse, 2 * 4, 1e-3);
}

static void events_are_in_order_of_pairs(void **state)
{
    (void)state;
    add_floor();
    for (int i = 0; i < 40; i++)
        add_body(cn_vec3((float)((i * 7) % 40) * 2 - 40, .45f, 0), sphere(CN_BODY_DYNAMIC, .5f));
    tick(1);
    const CnChannel *channel = cn_channel(world, CnCollision);
    const CnCollision *events = cn_events(channel, CnCollision);
    assert_int_equal(cn_event_count(channel), 40);
    for (uint32_t i = 1; i < 40; i++)
        assert_true(events[i - 1].b.id < events[i].b.id);
}

static void a_ghost_reports_contacts_but_pushes_nothing(void **state)
{
    (void)state;
    CnEntity zone = add_body(cn_vec3(0, 0, 0), box(CN_BODY_GHOST, 1, 1, 1));
    CnEntity ball = add_body(cn_vec3(0, 3, 0), sphere(CN_BODY_DYNAMIC, .5f));
    assert_int_equal(tick_until(CN_COLLISION_ENTER, zone, ball, 60), 1);
    assert_int_equal(tick_until(CN_COLLISION_LEAVE, zone, ball, 60), 1);
    assert_true(position_of(ball).y < -1.4f);
    assert_true(cn_body_velocity(world, ball).y < -9);
}

static void a_moved_ghost_reports_what_it_now_overlaps(void **state)
{
    (void)state;
    CnEntity zone = add_body(cn_vec3(0, 20, 0), box(CN_BODY_GHOST, 1, 1, 1));
    CnEntity wall = add_body(cn_vec3(0, 0, 0), box(CN_BODY_STATIC, 1, 1, 1));
    tick(1);
    assert_int_equal(count_events(CN_COLLISION_ENTER, zone, wall), 0);
    cn_get_mut(world, zone, CnTransform)->position.y = 1;
    tick(1);
    assert_int_equal(count_events(CN_COLLISION_ENTER, zone, wall), 1);
    cn_get_mut(world, zone, CnTransform)->position.y = 20;
    tick(1);
    assert_int_equal(count_events(CN_COLLISION_LEAVE, zone, wall), 1);
}

static void static_bodies_report_no_contacts_with_each_other(void **state)
{
    (void)state;
    add_body(cn_vec3(0, 0, 0), box(CN_BODY_STATIC, 1, 1, 1));
    add_body(cn_vec3(0, 1, 0), box(CN_BODY_STATIC, 1, 1, 1));
    add_body(cn_vec3(1, 1, 0), box(CN_BODY_KINEMATIC, 1, 1, 1));
    tick(1);
    assert_int_equal(cn_event_count(cn_channel(world, CnCollision)), 0);
}

static void layers_that_do_not_meet_pass_through(void **state)
{
    (void)state;
    CnRigidbody body = sphere(CN_BODY_DYNAMIC, .5f);
    body.layer = 3;
    body.mask = ~(1u << 0);
    CnEntity floor = add_floor(), ball = add_body(cn_vec3(0, 1, 0), body);
    assert_int_equal(tick_until(CN_COLLISION_ENTER, floor, ball, 60), 0);
    assert_true(position_of(ball).y < -1);
}

static void both_masks_must_agree(void **state)
{
    (void)state;
    CnRigidbody ground = box(CN_BODY_STATIC, 50, 1, 50), body = sphere(CN_BODY_DYNAMIC, .5f);
    ground.mask = ~(1u << 3);
    body.layer = 3;
    CnEntity floor = add_body(cn_vec3(0, -1, 0), ground), ball = add_body(cn_vec3(0, 1, 0), body);
    assert_int_equal(tick_until(CN_COLLISION_ENTER, floor, ball, 60), 0);
}

static void the_last_layer_is_a_layer(void **state)
{
    (void)state;
    CnRigidbody ground = box(CN_BODY_STATIC, 50, 1, 50), body = sphere(CN_BODY_DYNAMIC, .5f);
    ground.layer = body.layer = 31;
    ground.mask = body.mask = 1u << 31;
    CnEntity floor = add_body(cn_vec3(0, -1, 0), ground), ball = add_body(cn_vec3(0, 1, 0), body);
    assert_int_equal(tick_until(CN_COLLISION_ENTER, floor, ball, 60), 1);
}

/* ---- Leaving without moving ---- */

static CnEntity resting_on(CnEntity floor)
{
    CnEntity crate = add_body(cn_vec3(0, .5f, 0), box(CN_BODY_DYNAMIC, .5f, .5f, .5f));
    tick(60);
    assert_true(cn_body_is_asleep(world, crate));
    assert_int_equal(count_events(CN_COLLISION_LEAVE, floor, crate), 0);
    return crate;
}

static void a_destroyed_body_leaves(void **state)
{
    (void)state;
    CnEntity floor = add_floor(), crate = resting_on(floor);
    cn_destroy(world, crate);
    tick(1);
    assert_int_equal(count_events(CN_COLLISION_LEAVE, floor, crate), 1);
}

static void a_disabled_body_leaves(void **state)
{
    (void)state;
    CnEntity floor = add_floor(), crate = resting_on(floor);
    cn_object_set_enabled(world, crate, false);
    tick(1);
    assert_int_equal(count_events(CN_COLLISION_LEAVE, floor, crate), 1);
}

static void an_enabled_body_enters_again(void **state)
{
    (void)state;
    CnEntity floor = add_floor(), crate = resting_on(floor);
    cn_object_set_enabled(world, crate, false);
    tick(2);
    cn_object_set_enabled(world, crate, true);
    tick(1);
    assert_int_equal(count_events(CN_COLLISION_ENTER, floor, crate), 1);
}

static void a_disabled_body_neither_falls_nor_collides(void **state)
{
    (void)state;
    CnEntity floor = add_floor(), ball = add_body(cn_vec3(0, 5, 0), sphere(CN_BODY_DYNAMIC, .5f));
    cn_object_set_enabled(world, ball, false);
    tick(60);
    assert_true(position_of(ball).y == 5);
    cn_object_set_enabled(world, ball, true);
    cn_object_set_enabled(world, floor, false);
    tick(120);
    assert_true(position_of(ball).y < -5);
}

static void a_removed_rigidbody_leaves(void **state)
{
    (void)state;
    CnEntity floor = add_floor(), crate = resting_on(floor);
    cn_remove(world, crate, CnRigidbody);
    tick(1);
    assert_int_equal(count_events(CN_COLLISION_LEAVE, floor, crate), 1);
    assert_false(cn_has(world, crate, CnBodyState));
}

static void a_moved_static_body_leaves(void **state)
{
    (void)state;
    CnEntity floor = add_floor(), crate = resting_on(floor);
    cn_get_mut(world, floor, CnTransform)->position.y = -20;
    tick(1);
    assert_int_equal(count_events(CN_COLLISION_LEAVE, floor, crate), 1);
}

static void a_body_whose_mask_changes_leaves(void **state)
{
    (void)state;
    CnEntity floor = add_floor(), crate = resting_on(floor);
    cn_get_mut(world, crate, CnRigidbody)->mask = 0;
    tick(1);
    assert_int_equal(count_events(CN_COLLISION_LEAVE, floor, crate), 1);
    tick(60);
    assert_true(position_of(crate).y < -1);
}

static void another_entity_with_the_index_of_a_dead_one_is_another_body(void **state)
{
    (void)state;
    CnEntity floor = add_floor(), crate = resting_on(floor);
    cn_destroy(world, crate);
    CnEntity other = add_body(cn_vec3(0, .5f, 0), box(CN_BODY_DYNAMIC, .5f, .5f, .5f));
    assert_int_equal(cn_entity_index(other), cn_entity_index(crate));
    tick(1);
    assert_int_equal(count_events(CN_COLLISION_LEAVE, floor, crate), 1);
    assert_int_equal(count_events(CN_COLLISION_ENTER, floor, other), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(bodies_that_begin_to_touch_enter_once),
        TEST(bodies_that_part_leave_once),
        TEST(an_event_names_the_lower_entity_first),
        TEST(the_normal_points_from_b_to_a),
        TEST(the_point_is_where_they_touch),
        TEST(the_impulse_is_speed_times_the_smaller_mass),
        TEST(events_are_in_order_of_pairs),
        TEST(a_ghost_reports_contacts_but_pushes_nothing),
        TEST(a_moved_ghost_reports_what_it_now_overlaps),
        TEST(static_bodies_report_no_contacts_with_each_other),
        TEST(layers_that_do_not_meet_pass_through),
        TEST(both_masks_must_agree),
        TEST(the_last_layer_is_a_layer),
        TEST(a_destroyed_body_leaves),
        TEST(a_disabled_body_leaves),
        TEST(an_enabled_body_enters_again),
        TEST(a_disabled_body_neither_falls_nor_collides),
        TEST(a_removed_rigidbody_leaves),
        TEST(a_moved_static_body_leaves),
        TEST(a_body_whose_mask_changes_leaves),
        TEST(another_entity_with_the_index_of_a_dead_one_is_another_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
