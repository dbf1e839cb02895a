/* Continuous collision: fast bodies do not pass through others, and stop nowhere else. */
#include "physics_fixture.h"

#include "memory_files.h"

static const float speeds[] = {20, 30, 60, 100, 200, 300};
static MemoryFiles files;

static int set_up_files(void **state)
{
    static CnPhysicsDesc desc;
    (void)state;
    memory_files_init(&files);
    memory_files_set(&files, "plane.obj",
                     "v 0 -20 -20\nv 0 20 -20\nv 0 20 20\nv 0 -20 20\nf 4 3 2 1\n");
    desc = (CnPhysicsDesc){.files = &files.files};
    sim = make_sim(NULL, &desc);
    world = cn_sim_world(sim);
    return 0;
}

static int tear_down_files(void **state)
{
    tear_down(state);
    return 0;
}

static void empty_world(void)
{
    cn_sim_destroy(sim);
    sim = make_sim(NULL, &(CnPhysicsDesc){.files = &files.files});
    world = cn_sim_world(sim);
}

static CnRigidbody bullet(CnShapeKind shape, float size)
{
    CnRigidbody body = cn_rigidbody(CN_BODY_DYNAMIC, shape);
    body.half_extents = cn_vec3(size, size, size);
    body.radius = size;
    body.height = 2 * size;
    body.gravity_scale = 0;
    return body;
}

/* Shoots along a direction, from `away` meters before a wall at x = 0, and returns how far it got
 * along x. */
static float shoot(CnRigidbody body, CnVec3 direction, float speed, float away)
{
    CnVec3 ahead = cn_vec3_normalize(direction);
    CnEntity shot = add_body(cn_vec3_scale(ahead, -away), body);
    cn_body_set_velocity(world, shot, cn_vec3_scale(ahead, speed));
    float farthest = -1000;
    for (int i = 0; i < 60; i++) {
        tick(1);
        farthest = position_of(shot).x > farthest ? position_of(shot).x : farthest;
    }
    return farthest;
}

static void check_stops(CnRigidbody wall, CnRigidbody body, CnVec3 direction, float speed,
                        float away)
{
    empty_world();
    add_body(cn_vec3(0, 0, 0), wall);
    float x = shoot(body, direction, speed, away);
    if (x > 0)
        fail_msg("shape %u at %g m/s along (%g, %g, %g) passes: x = %g", body.shape, (double)speed,
                 (double)direction.x, (double)direction.y, (double)direction.z, (double)x);
}

static void a_10_cm_ball_at_30_m_s_stops_at_a_20_cm_wall(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++)
        check_stops(box(CN_BODY_STATIC, .1f, 5, 5), bullet(CN_SHAPE_SPHERE, .05f), cn_vec3(1, 0, 0),
                    30, 2 + .025f * (float)i);
}

static void no_shape_passes_a_thin_wall_at_any_speed(void **state)
{
    (void)state;
    for (int shape = CN_SHAPE_BOX; shape <= CN_SHAPE_CAPSULE; shape++)
        for (uint32_t s = 0; s < CN_COUNT_OF(speeds); s++)
            for (int i = 0; i < 5; i++)
                check_stops(box(CN_BODY_STATIC, .005f, 40, 40), bullet((CnShapeKind)shape, .05f),
                            cn_vec3(1, 0, 0), speeds[s], 3 + .37f * (float)i);
}

static void no_shape_passes_at_an_angle(void **state)
{
    (void)state;
    static const CnVec3 directions[] = {{1, .5f, 0}, {1, 1, 0}, {1, -2, .7f}, {1, 4, 0}};
    for (int shape = CN_SHAPE_BOX; shape <= CN_SHAPE_CAPSULE; shape++)
        for (uint32_t s = 0; s < CN_COUNT_OF(speeds); s++)
            for (uint32_t d = 0; d < CN_COUNT_OF(directions); d++)
                check_stops(box(CN_BODY_STATIC, .02f, 400, 400), bullet((CnShapeKind)shape, .05f),
                            directions[d], speeds[s], 4);
}

static void a_bullet_of_1_cm_stops(void **state)
{
    (void)state;
    for (uint32_t s = 0; s < CN_COUNT_OF(speeds); s++)
        for (int i = 0; i < 5; i++)
            check_stops(box(CN_BODY_STATIC, .01f, 40, 40), bullet(CN_SHAPE_SPHERE, .005f),
                        cn_vec3(1, .2f, 0), speeds[s], 3 + .31f * (float)i);
}

static void no_shape_passes_the_front_of_a_triangle(void **state)
{
    (void)state;
    CnRigidbody wall = cn_rigidbody(CN_BODY_STATIC, CN_SHAPE_MESH);
    cn_copy_text(wall.mesh, sizeof wall.mesh, cn_text("plane.obj"));
    for (int shape = CN_SHAPE_BOX; shape <= CN_SHAPE_CAPSULE; shape++)
        for (uint32_t s = 0; s < CN_COUNT_OF(speeds); s++) {
            CnRigidbody body = bullet((CnShapeKind)shape, .05f);
            check_stops(wall, body, cn_vec3(1, 0, 0), speeds[s], 3.3f);
            check_stops(wall, body, cn_vec3(1, .3f, .2f), speeds[s], 3.3f);
        }
}

static void a_kinematic_wall_stops_it(void **state)
{
    (void)state;
    for (uint32_t s = 0; s < CN_COUNT_OF(speeds); s++)
        check_stops(box(CN_BODY_KINEMATIC, .02f, 5, 5), bullet(CN_SHAPE_SPHERE, .05f),
                    cn_vec3(1, 0, 0), speeds[s], 3.3f);
}

static void a_dynamic_plate_is_pushed_and_not_passed(void **state)
{
    (void)state;
    for (uint32_t s = 0; s < CN_COUNT_OF(speeds); s++) {
        empty_world();
        CnRigidbody plate = box(CN_BODY_DYNAMIC, .02f, 2, 2);
        plate.gravity_scale = 0;
        plate.mass = 10;
        CnEntity target = add_body(cn_vec3(0, 0, 0), plate);
        CnEntity shot = add_body(cn_vec3(-3.3f, 0, 0), bullet(CN_SHAPE_SPHERE, .05f));
        cn_body_set_velocity(world, shot, cn_vec3(speeds[s], 0, 0));
        tick(60);
        assert_true(position_of(shot).x < position_of(target).x);
        assert_true(cn_body_velocity(world, target).x > speeds[s] * .05f);
    }
}

static void two_fast_bodies_do_not_pass_each_other(void **state)
{
    (void)state;
    for (uint32_t s = 0; s < CN_COUNT_OF(speeds); s++)
        for (int i = 0; i < 5; i++) {
            empty_world();
            CnEntity a =
                add_body(cn_vec3(-4 - .29f * (float)i, 0, 0), bullet(CN_SHAPE_SPHERE, .05f));
            CnEntity b = add_body(cn_vec3(5, 0, 0), bullet(CN_SHAPE_BOX, .05f));
            cn_body_set_velocity(world, a, cn_vec3(speeds[s], 0, 0));
            cn_body_set_velocity(world, b, cn_vec3(-speeds[s] * .8f, 0, 0));
            assert_int_equal(tick_until(CN_COLLISION_ENTER, a, b, 60), 1);
            tick(10);
            assert_true(position_of(a).x < position_of(b).x);
        }
}

static void a_row_of_fast_bodies_stops_in_order(void **state)
{
    (void)state;
    enum { ROW = 12 };
    CnEntity row[ROW];
    add_body(cn_vec3(0, 0, 0), box(CN_BODY_STATIC, .02f, 5, 5));
    for (int i = 0; i < ROW; i++) { /* the last one is the first to hit */
        row[i] = add_body(cn_vec3(-6 + .3f * (float)i, 0, 0), bullet(CN_SHAPE_SPHERE, .05f));
        cn_body_set_velocity(world, row[i], cn_vec3(250, 0, 0));
    }
    for (int t = 0; t < 60; t++) {
        tick(1);
        for (int i = 1; i < ROW; i++)
            assert_true(position_of(row[i - 1]).x < position_of(row[i]).x);
        assert_true(position_of(row[ROW - 1]).x < 0);
    }
}

static void a_body_that_is_not_continuous_passes(void **state)
{
    (void)state;
    CnRigidbody body = bullet(CN_SHAPE_SPHERE, .05f);
    body.continuous = false;
    add_body(cn_vec3(0, 0, 0), box(CN_BODY_STATIC, .02f, 5, 5));
    assert_true(shoot(body, cn_vec3(1, 0, 0), 200, 3.3f) > 10);
}

static void ghosts_and_other_layers_do_not_stop_it(void **state)
{
    (void)state;
    CnRigidbody other = box(CN_BODY_STATIC, .02f, 5, 5);
    other.mask = 0;
    add_body(cn_vec3(0, 0, 0), box(CN_BODY_GHOST, .02f, 5, 5));
    add_body(cn_vec3(-.2f, 0, 0), other);
    float x = shoot(bullet(CN_SHAPE_SPHERE, .05f), cn_vec3(1, 0, 0), 120, 3);
    assert_near(x, 117, .1f);
}

static void a_hit_is_an_event_with_the_whole_speed(void **state)
{
    (void)state;
    CnEntity wall = add_body(cn_vec3(0, 0, 0), box(CN_BODY_STATIC, .02f, 5, 5));
    CnEntity shot = add_body(cn_vec3(-3, 0, 0), bullet(CN_SHAPE_SPHERE, .05f));
    cn_body_set_velocity(world, shot, cn_vec3(300, 0, 0));
    assert_int_equal(tick_until(CN_COLLISION_ENTER, wall, shot, 10), 1);
    const CnCollision *event = cn_events(cn_channel(world, CnCollision), CnCollision);
    assert_near(event->impulse, 300, .1);
}

static void a_ball_bounces_with_its_restitution(void **state)
{
    (void)state;
    CnRigidbody body = bullet(CN_SHAPE_SPHERE, .05f);
    body.restitution = .5f;
    add_body(cn_vec3(0, 0, 0), box(CN_BODY_STATIC, .02f, 5, 5));
    CnEntity shot = add_body(cn_vec3(-3, 0, 0), body);
    cn_body_set_velocity(world, shot, cn_vec3(100, 0, 0));
    tick(10);
    assert_near(cn_body_velocity(world, shot).x, -50, .5);
}

static void sliding_on_a_floor_is_not_stopped(void **state)
{
    (void)state;
    for (int shape = CN_SHAPE_BOX; shape <= CN_SHAPE_CAPSULE; shape++) {
        empty_world();
        CnRigidbody body = bullet((CnShapeKind)shape, .05f);
        body.gravity_scale = 1;
        body.friction = 0;
        add_body(cn_vec3(0, -1, 0), box(CN_BODY_STATIC, 500, 1, 5));
        CnEntity slider = add_body(cn_vec3(-200, shape == CN_SHAPE_CAPSULE ? .1f : .05f, 0), body);
        cn_body_set_velocity(world, slider, cn_vec3(100, 0, 0));
        tick(120);
        assert_near(position_of(slider).x, 0, 2);
    }
}

static void a_slow_body_settles_as_before(void **state)
{
    (void)state;
    add_floor();
    CnEntity crate = add_body(cn_vec3(0, 3, 0), box(CN_BODY_DYNAMIC, .5f, .5f, .5f));
    tick(240);
    assert_near(position_of(crate).y, .5f, .01);
    assert_true(cn_body_is_asleep(world, crate));
}

/* Spread over the directions, by a sequence that repeats late. */
static CnVec3 direction_of(int number)
{
    float turn = (float)((number * 137) % 360), rise = (float)((number * 61) % 120) - 60;
    return cn_quat_rotate(cn_quat_from_euler(cn_vec3(rise, turn, 0)), cn_vec3(0, 0, -1));
}

static void a_room_full_of_fast_bodies_keeps_them(void **state)
{
    (void)state;
    enum { SHOTS = 60, SIDES = 6 };
    CnEntity shots[SHOTS];
    for (int i = 0; i < SIDES; i++) { /* walls of 10 cm around a room of 8 m */
        float half[3] = {4.2f, 4.2f, 4.2f}, at[3] = {0, 0, 0};
        half[i / 2] = .05f;
        at[i / 2] = i % 2 ? 4.05f : -4.05f;
        add_body(cn_vec3(at[0], at[1], at[2]), box(CN_BODY_STATIC, half[0], half[1], half[2]));
    }
    for (int i = 0; i < SHOTS; i++) {
        CnRigidbody body = bullet((CnShapeKind)(i % 3), .03f + .01f * (float)(i % 9));
        body.restitution = .9f;
        shots[i] = add_body(cn_vec3((float)(i % 4) * 1.5f - 2.2f, (float)(i / 4 % 4) * 1.5f - 2.2f,
                                    (float)(i / 16) * 1.5f - 2.2f),
                            body);
        cn_body_set_velocity(world, shots[i], cn_vec3_scale(direction_of(i), 300));
    }
    for (int t = 0; t < 300; t++) {
        tick(1);
        for (int i = 0; i < SHOTS; i++) {
            CnVec3 at = position_of(shots[i]);
            if (!(cn_fabsf(at.x) < 4.05f && cn_fabsf(at.y) < 4.05f && cn_fabsf(at.z) < 4.05f))
                fail_msg("shot %d is outside after tick %d: %g %g %g", i, t, (double)at.x,
                         (double)at.y, (double)at.z);
        }
    }
}

static void a_restored_world_continues_with_the_same_bits(void **state)
{
    (void)state;
    uint64_t hashes[40];
    CnSnapshot saved;
    add_body(cn_vec3(0, 0, 0), box(CN_BODY_STATIC, .05f, 5, 5));
    add_body(cn_vec3(-6, 0, 0), box(CN_BODY_STATIC, .05f, 5, 5));
    for (int i = 0; i < 8; i++) {
        CnRigidbody body = bullet((CnShapeKind)(i % 3), .05f);
        body.restitution = 1;
        CnEntity shot = add_body(cn_vec3(-3, (float)i * .3f, 0), body);
        cn_body_set_velocity(world, shot, cn_vec3(60.f + 30 * (float)i, i % 2 ? 3 : -2, 0));
    }
    for (int at = 0; at < 40; at += 7) {
        tick(1);
        assert_true(cn_sim_save(sim, &saved, NULL));
        for (int i = 0; i < 40; i++) {
            tick(1);
            hashes[i] = cn_sim_hash(sim);
        }
        assert_true(cn_sim_restore(sim, saved.bytes, saved.size, NULL));
        cn_snapshot_free(&saved);
        for (int i = 0; i < 40; i++) {
            tick(1);
            assert_true(cn_sim_hash(sim) == hashes[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_files, tear_down_files)
        TEST(a_10_cm_ball_at_30_m_s_stops_at_a_20_cm_wall),
        TEST(no_shape_passes_a_thin_wall_at_any_speed),
        TEST(no_shape_passes_at_an_angle),
        TEST(a_bullet_of_1_cm_stops),
        TEST(no_shape_passes_the_front_of_a_triangle),
        TEST(a_kinematic_wall_stops_it),
        TEST(a_dynamic_plate_is_pushed_and_not_passed),
        TEST(two_fast_bodies_do_not_pass_each_other),
        TEST(a_row_of_fast_bodies_stops_in_order),
        TEST(a_body_that_is_not_continuous_passes),
        TEST(ghosts_and_other_layers_do_not_stop_it),
        TEST(a_hit_is_an_event_with_the_whole_speed),
        TEST(a_ball_bounces_with_its_restitution),
        TEST(sliding_on_a_floor_is_not_stopped),
        TEST(a_slow_body_settles_as_before),
        TEST(a_room_full_of_fast_bodies_keeps_them),
        TEST(a_restored_world_continues_with_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
