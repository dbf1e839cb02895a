/* Sleeping: when, what it costs, and what wakes. */
#include "physics_fixture.h"

static CnEntity floor_body, crate;

static int set_up_sleeper(void **state)
{
    set_up(state);
    floor_body = add_floor();
    crate = add_body(cn_vec3(0, .5f, 0), box(CN_BODY_DYNAMIC, .5f, .5f, .5f));
    tick(60);
    return 0;
}

static void a_body_at_rest_falls_asleep(void **state)
{
    (void)state;
    assert_true(cn_body_is_asleep(world, crate));
    assert_true(speed_of(crate) == 0);
}

static void a_body_that_may_not_sleep_stays_awake(void **state)
{
    (void)state;
    CnRigidbody body = box(CN_BODY_DYNAMIC, .5f, .5f, .5f);
    body.can_sleep = false;
    CnEntity other = add_body(cn_vec3(5, .5f, 0), body);
    tick(120);
    assert_false(cn_body_is_asleep(world, other));
}

static void the_top_of_a_throw_is_no_rest(void **state)
{
    (void)state;
    CnEntity ball = add_body(cn_vec3(5, 1, 0), sphere(CN_BODY_DYNAMIC, .5f));
    cn_body_set_velocity(world, ball, cn_vec3(0, 5, 0));
    for (int i = 0; i < 60; i++) {
        tick(1);
        assert_false(cn_body_is_asleep(world, ball));
    }
}

static void a_sleeping_world_is_not_written(void **state)
{
    (void)state;
    uint64_t since = cn_world_tick(world);
    tick(10);
    CnQuery *query = cn_query_acquire(
        world, &(CnQueryDesc){.all = {cn_reads(CnTransform), cn_reads(CnBodyState)}}, NULL);
    CnChunkView view;
    CnQueryIter it = cn_query_iter_changed(query, since);
    assert_false(cn_query_next(&it, &view));
}

static void a_force_wakes(void **state)
{
    (void)state;
    cn_body_add_force(world, crate, cn_vec3(0, 100, 0));
    tick(1);
    assert_false(cn_body_is_asleep(world, crate));
    assert_true(cn_body_velocity(world, crate).y > 0);
}

static void a_written_velocity_wakes(void **state)
{
    (void)state;
    cn_get_mut(world, crate, CnBodyState)->velocity[1] = 3;
    tick(1);
    assert_false(cn_body_is_asleep(world, crate));
    assert_true(position_of(crate).y > .5f);
}

static void being_moved_wakes(void **state)
{
    (void)state;
    cn_get_mut(world, crate, CnTransform)->position.y = 3;
    tick(10);
    assert_false(cn_body_is_asleep(world, crate));
    assert_true(position_of(crate).y < 3);
}

static void a_contact_with_something_that_moves_wakes(void **state)
{
    (void)state;
    CnEntity ball = add_body(cn_vec3(-3, .5f, 0), sphere(CN_BODY_DYNAMIC, .4f));
    cn_body_set_velocity(world, ball, cn_vec3(10, 0, 0));
    tick(40);
    assert_true(position_of(crate).x > .01f);
}

static void a_wall_that_is_put_into_it_wakes(void **state)
{
    (void)state;
    add_body(cn_vec3(.9f, .5f, 0), box(CN_BODY_STATIC, .5f, .4f, .5f));
    tick(1);
    assert_false(cn_body_is_asleep(world, crate));
}

static void what_rests_falls_when_its_support_is_destroyed(void **state)
{
    (void)state;
    cn_destroy(world, floor_body);
    tick(60);
    assert_true(position_of(crate).y < -3);
}

static void what_rests_falls_when_its_support_is_disabled(void **state)
{
    (void)state;
    cn_object_set_enabled(world, floor_body, false);
    tick(60);
    assert_true(position_of(crate).y < -3);
}

static void what_rests_falls_when_its_support_becomes_a_ghost(void **state)
{
    (void)state;
    cn_get_mut(world, floor_body, CnRigidbody)->kind = CN_BODY_GHOST;
    tick(60);
    assert_true(position_of(crate).y < -3);
}

static void what_rests_falls_when_its_support_shrinks(void **state)
{
    (void)state;
    cn_get_mut(world, floor_body, CnRigidbody)->half_extents.y = .1f;
    tick(60);
    assert_true(position_of(crate).y < 0);
}

static void a_change_of_gravity_wakes(void **state)
{
    (void)state;
    cn_resource_mut(world, CnPhysicsSettings)->gravity = cn_vec3(0, 9.81f, 0);
    tick(60);
    assert_true(position_of(crate).y > 3);
}

static void cn_body_wake_wakes(void **state)
{
    (void)state;
    assert_true(cn_body_wake(world, crate));
    assert_false(cn_body_is_asleep(world, crate));
    tick(60);
    assert_true(cn_body_is_asleep(world, crate));
}

static void what_lies_under_a_falling_stack_is_woken_as_it_moves(void **state)
{
    (void)state;
    CnEntity stack[5];
    for (int i = 0; i < 5; i++)
        stack[i] = add_body(cn_vec3(0, 1.5f + (float)i, 0), box(CN_BODY_DYNAMIC, .5f, .5f, .5f));
    tick(240);
    for (int i = 0; i < 5; i++)
        assert_true(cn_body_is_asleep(world, stack[i]));
    cn_destroy(world, crate);
    tick(120);
    assert_near(position_of(stack[4]).y, 4.5, .1);
}

static void a_body_on_a_sleeping_one_sleeps_too(void **state)
{
    (void)state;
    CnEntity top = add_body(cn_vec3(0, 1.5f, 0), box(CN_BODY_DYNAMIC, .5f, .5f, .5f));
    tick(120);
    assert_true(cn_body_is_asleep(world, top) && cn_body_is_asleep(world, crate));
    assert_near(position_of(top).y, 1.5, .01);
}

static void a_push_that_is_too_weak_lets_it_sleep_again(void **state)
{
    (void)state;
    cn_body_add_impulse(world, crate, cn_vec3(.01f, 0, 0));
    tick(90);
    assert_true(cn_body_is_asleep(world, crate));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_sleeper, tear_down)
        TEST(a_body_at_rest_falls_asleep),
        TEST(a_body_that_may_not_sleep_stays_awake),
        TEST(the_top_of_a_throw_is_no_rest),
        TEST(a_sleeping_world_is_not_written),
        TEST(a_force_wakes),
        TEST(a_written_velocity_wakes),
        TEST(being_moved_wakes),
        TEST(a_contact_with_something_that_moves_wakes),
        TEST(a_wall_that_is_put_into_it_wakes),
        TEST(what_rests_falls_when_its_support_is_destroyed),
        TEST(what_rests_falls_when_its_support_is_disabled),
        TEST(what_rests_falls_when_its_support_becomes_a_ghost),
        TEST(what_rests_falls_when_its_support_shrinks),
        TEST(a_change_of_gravity_wakes),
        TEST(cn_body_wake_wakes),
        TEST(what_lies_under_a_falling_stack_is_woken_as_it_moves),
        TEST(a_body_on_a_sleeping_one_sleeps_too),
        TEST(a_push_that_is_too_weak_lets_it_sleep_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
