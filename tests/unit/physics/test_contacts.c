/* Contacts: what touches a body, where, and how hard. */
#include "physics_fixture.h"

#define DT (1.0 / 60)

/* Reads the contacts of a body in PostUpdate, after the step of the tick. */
static struct {
    CnEntity body;
    bool measure;
    uint32_t count;
    CnContact contacts[8];
} watched;

static void measure(CnSystemContext *context)
{
    if (watched.measure)
        cn_physics_request_impulses(context->world, watched.body);
}

static void watch(CnSystemContext *context)
{
    watched.count = cn_physics_contacts(context->world, watched.body, watched.contacts, 8);
}

static int set_up_watch(void **state)
{
    set_up(state);
    memset(&watched, 0, sizeof watched);
    const CnSystemDesc before = {
        .name = "measure", .run = measure, .stage = CN_STAGE_PRE_UPDATE, .alone = true};
    const CnSystemDesc after = {
        .name = "watch", .run = watch, .stage = CN_STAGE_POST_UPDATE, .alone = true};
    return cn_system_add(world, &before, NULL).id && cn_system_add(world, &after, NULL).id ? 0 : -1;
}

static CnEntity rest_on_floor(float mass)
{
    CnRigidbody body = sphere(CN_BODY_DYNAMIC, .5f);
    body.mass = mass;
    return add_body(cn_vec3(2, .5f, 3), body);
}

static void a_contact_has_point_and_normal(void **state)
{
    (void)state;
    CnEntity floor = add_floor(), ball = rest_on_floor(1);
    watched.body = ball;
    tick(3);
    assert_int_equal(watched.count, 1);
    assert_true(watched.contacts[0].other.id == floor.id);
    assert_near(watched.contacts[0].normal.y, 1, 1e-5);
    assert_near(watched.contacts[0].point.x, 2, 1e-3);
    assert_near(watched.contacts[0].point.y, 0, .01);
}

static void the_normal_points_to_the_body_that_is_asked(void **state)
{
    (void)state;
    CnEntity floor = add_floor(), ball = rest_on_floor(1);
    watched.body = floor;
    tick(3);
    assert_int_equal(watched.count, 1);
    assert_true(watched.contacts[0].other.id == ball.id);
    assert_near(watched.contacts[0].normal.y, -1, 1e-5);
}

static void only_the_first_tick_is_marked_as_entered(void **state)
{
    (void)state;
    add_floor();
    watched.body = rest_on_floor(1);
    tick(1);
    assert_true(watched.contacts[0].entered);
    tick(1);
    assert_int_equal(watched.count, 1);
    assert_false(watched.contacts[0].entered);
}

static void a_measured_body_at_rest_is_carried_by_its_weight(void **state)
{
    (void)state;
    add_floor();
    watched.body = rest_on_floor(5);
    watched.measure = true;
    tick(20);
    assert_near(watched.contacts[0].impulse, 5 * 9.81 * DT, .02);
}

static void other_bodies_have_no_impulse(void **state)
{
    (void)state;
    add_floor();
    watched.body = rest_on_floor(5);
    tick(20);
    assert_int_equal(watched.count, 1);
    assert_true(watched.contacts[0].impulse == 0);
}

static void measuring_does_not_change_the_simulation(void **state)
{
    (void)state;
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        CnSim *other = make_sim(NULL, NULL);
        CnSim *first_sim = sim;
        CnWorld *first_world = world;
        sim = other;
        world = cn_sim_world(other);
        add_floor();
        CnEntity ball = rest_on_floor(5);
        add_body(cn_vec3(2.3f, 2, 3), box(CN_BODY_DYNAMIC, .3f, .3f, .3f));
        for (int t = 0; t < 120; t++) {
            CnContact contacts[4];
            if (i)
                cn_physics_request_impulses(world, ball);
            tick(1);
            if (i)
                cn_physics_contacts(world, ball, contacts, 4);
        }
        hashes[i] = cn_sim_hash(other);
        cn_sim_destroy(other);
        sim = first_sim;
        world = first_world;
    }
    assert_true(hashes[0] == hashes[1]);
}

static void a_sleeping_body_still_touches(void **state)
{
    (void)state;
    CnEntity floor = add_floor(), ball = rest_on_floor(1);
    watched.body = ball;
    tick(90);
    assert_true(cn_body_is_asleep(world, ball));
    assert_int_equal(watched.count, 1);
    assert_true(watched.contacts[0].other.id == floor.id);
    assert_near(watched.contacts[0].normal.y, 1, 1e-5);
}

static void contacts_are_in_order_of_the_others(void **state)
{
    (void)state;
    CnEntity low = add_body(cn_vec3(-.45f, 0, 0), box(CN_BODY_STATIC, .5f, 5, 5));
    CnEntity zone = add_body(cn_vec3(.5f, 0, 0), box(CN_BODY_GHOST, .5f, .5f, .5f));
    CnEntity high = add_body(cn_vec3(1.45f, 0, 0), box(CN_BODY_STATIC, .5f, 5, 5));
    watched.body = zone;
    tick(2);
    assert_int_equal(watched.count, 2);
    assert_true(watched.contacts[0].other.id == low.id);
    assert_true(watched.contacts[1].other.id == high.id);
}

static void more_contacts_than_fit_are_counted(void **state)
{
    (void)state;
    CnEntity floor = add_floor();
    for (int i = 0; i < 5; i++)
        add_body(cn_vec3((float)i * 2, .5f, 0), sphere(CN_BODY_DYNAMIC, .5f));
    tick(2);
    CnContact contacts[2];
    assert_int_equal(cn_physics_contacts(world, floor, contacts, 2), 5);
    assert_int_equal(cn_physics_contacts(world, floor, NULL, 0), 5);
}

static void contacts_are_known_right_after_a_restore(void **state)
{
    (void)state;
    CnSnapshot snapshot;
    CnEntity floor = add_floor(), ball = rest_on_floor(1);
    tick(5);
    assert_true(cn_sim_save(sim, &snapshot, NULL));
    cn_destroy(world, ball);
    tick(5);
    assert_int_equal(cn_physics_contacts(world, floor, NULL, 0), 0);
    assert_true(cn_sim_restore(sim, snapshot.bytes, snapshot.size, NULL));
    cn_snapshot_free(&snapshot);
    assert_int_equal(cn_physics_contacts(world, floor, NULL, 0), 1);
}

static void an_entity_without_body_has_no_contacts(void **state)
{
    (void)state;
    add_floor();
    tick(1);
    assert_int_equal(cn_physics_contacts(world, cn_object(world, "Nothing"), NULL, 0), 0);
}

static void an_enter_event_has_the_velocity_before_the_collision(void **state)
{
    (void)state;
    CnRigidbody body = sphere(CN_BODY_DYNAMIC, .5f);
    body.gravity_scale = 0;
    CnEntity a = add_body(cn_vec3(-1, 0, 0), body), b = add_body(cn_vec3(1, 0, 0), body);
    cn_body_set_velocity(world, a, cn_vec3(3, 0, 0));
    cn_body_set_velocity(world, b, cn_vec3(-1, 0, 0));
    assert_int_equal(tick_until(CN_COLLISION_ENTER, a, b, 60), 1);
    CnCollision event = cn_events(cn_channel(world, CnCollision), CnCollision)[0];
    assert_near(event.relative_velocity.x, 4, 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_watch, tear_down)
        TEST(a_contact_has_point_and_normal),
        TEST(the_normal_points_to_the_body_that_is_asked),
        TEST(only_the_first_tick_is_marked_as_entered),
        TEST(a_measured_body_at_rest_is_carried_by_its_weight),
        TEST(other_bodies_have_no_impulse),
        TEST(measuring_does_not_change_the_simulation),
        TEST(a_sleeping_body_still_touches),
        TEST(contacts_are_in_order_of_the_others),
        TEST(more_contacts_than_fit_are_counted),
        TEST(contacts_are_known_right_after_a_restore),
        TEST(an_entity_without_body_has_no_contacts),
        TEST(an_enter_event_has_the_velocity_before_the_collision),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
