/* Questions: rays, overlaps, sweeps. */
#include "physics_fixture.h"

#include <math.h>

static CnRaycastQuery ray(float x, float y, float z, float dx, float dy, float dz, float distance)
{
    return (CnRaycastQuery){.origin = {x, y, z}, .direction = {dx, dy, dz}, .distance = distance};
}

static bool cast(CnRaycastQuery query, CnRaycastHit *hit)
{
    return cn_physics_raycast(world, &query, hit);
}

/* ---- Rays ---- */

static void a_ray_hits_a_box_on_its_face(void **state)
{
    (void)state;
    CnRaycastHit hit;
    CnEntity wall = add_body(cn_vec3(5, 0, 0), box(CN_BODY_STATIC, 1, 2, 3));
    assert_true(cast(ray(0, .5f, .25f, 1, 0, 0, 10), &hit));
    assert_true(hit.body.id == wall.id);
    assert_near(hit.distance, 4, 1e-5);
    assert_near(hit.point.x, 4, 1e-5);
    assert_near(hit.point.y, .5, 1e-5);
    assert_near(hit.point.z, .25, 1e-5);
    assert_near(hit.normal.x, -1, 1e-6);
}

static void a_ray_hits_a_sphere_on_its_surface(void **state)
{
    (void)state;
    CnRaycastHit hit;
    add_body(cn_vec3(5, 1, 0), sphere(CN_BODY_STATIC, 2));
    assert_true(cast(ray(0, 0, 0, 1, 0, 0, 10), &hit));
    assert_near(hit.distance, 5 - sqrtf(3), 1e-5);
    assert_near(hit.normal.x, -sqrtf(3) / 2, 1e-5);
    assert_near(hit.normal.y, -.5, 1e-5);
}

static void a_ray_hits_a_capsule_on_its_side_and_on_its_end(void **state)
{
    (void)state;
    CnRaycastHit hit;
    CnRigidbody body = cn_rigidbody(CN_BODY_STATIC, CN_SHAPE_CAPSULE);
    body.radius = .5f;
    body.height = 2;
    add_body(cn_vec3(5, 0, 0), body);
    assert_true(cast(ray(0, .5f, 0, 1, 0, 0, 10), &hit));
    assert_near(hit.distance, 4.5, 1e-5);
    assert_true(cast(ray(5, 9, 0, 0, -1, 0, 10), &hit));
    assert_near(hit.distance, 9 - 1.5, 1e-5);
}

static void a_ray_hits_a_turned_and_scaled_box(void **state)
{
    (void)state;
    CnRaycastHit hit;
    CnEntity wall = add_body(cn_vec3(5, 0, 0), box(CN_BODY_STATIC, 1, 1, 1));
    CnTransform *transform = cn_get_mut(world, wall, CnTransform);
    transform->rotation = cn_quat_from_euler(cn_vec3(0, 45, 0));
    transform->scale = cn_vec3(2, 2, 2);
    assert_true(cast(ray(0, 0, 0, 1, 0, 0, 10), &hit));
    assert_near(hit.distance, 5 - 2 * sqrtf(2), 1e-4);
}

static void a_ray_ends_at_its_distance(void **state)
{
    (void)state;
    add_body(cn_vec3(5, 0, 0), box(CN_BODY_STATIC, 1, 1, 1));
    assert_false(cast(ray(0, 0, 0, 1, 0, 0, 3.9f), NULL));
    assert_true(cast(ray(0, 0, 0, 1, 0, 0, 4.1f), NULL));
}

static void a_ray_does_not_look_back(void **state)
{
    (void)state;
    add_body(cn_vec3(5, 0, 0), box(CN_BODY_STATIC, 1, 1, 1));
    assert_false(cast(ray(0, 0, 0, -1, 0, 0, 10), NULL));
}

static void a_direction_need_not_have_length_1(void **state)
{
    (void)state;
    CnRaycastHit hit;
    add_body(cn_vec3(5, 0, 0), box(CN_BODY_STATIC, 1, 1, 1));
    assert_true(cast(ray(0, 0, 0, 100, 0, 0, 10), &hit));
    assert_near(hit.distance, 4, 1e-5);
    assert_false(cast(ray(0, 0, 0, .001f, 0, 0, 3), &hit));
}

static void the_nearest_is_hit(void **state)
{
    (void)state;
    CnRaycastHit hit;
    add_body(cn_vec3(8, 0, 0), box(CN_BODY_STATIC, 1, 1, 1));
    CnEntity near = add_body(cn_vec3(5, 0, 0), box(CN_BODY_STATIC, 1, 1, 1));
    add_body(cn_vec3(11, 0, 0), box(CN_BODY_STATIC, 1, 1, 1));
    assert_true(cast(ray(0, 0, 0, 1, 0, 0, 20), &hit));
    assert_true(hit.body.id == near.id);
}

static void of_two_as_near_the_lower_entity_is_hit(void **state)
{
    (void)state;
    CnRaycastHit hit;
    CnEntity first = add_body(cn_vec3(5, 0, 0), box(CN_BODY_STATIC, 1, 1, 1));
    add_body(cn_vec3(5, 0, 0), box(CN_BODY_STATIC, 1, 1, 1));
    assert_true(cast(ray(0, 0, 0, 1, 0, 0, 20), &hit));
    assert_true(hit.body.id == first.id);
}

static void all_hits_come_by_distance(void **state)
{
    (void)state;
    CnRaycastHit hits[4];
    CnRaycastQuery query = ray(0, 0, 0, 1, 0, 0, 100);
    for (int i = 0; i < 20; i++)
        add_body(cn_vec3((float)((i * 7) % 20) * 3 + 3, 0, 0), sphere(CN_BODY_STATIC, 1));
    assert_int_equal(cn_physics_raycast_all(world, &query, hits, 4), 20);
    for (int i = 0; i < 4; i++)
        assert_near(hits[i].distance, 3 * i + 2, 1e-4);
    assert_int_equal(cn_physics_raycast_all(world, &query, NULL, 0), 20);
}

static void a_body_that_the_ray_begins_in_is_not_hit(void **state)
{
    (void)state;
    CnRaycastHit hit;
    add_body(cn_vec3(0, 0, 0), box(CN_BODY_STATIC, 1, 1, 1));
    add_body(cn_vec3(0, 0, 0), sphere(CN_BODY_STATIC, 1));
    add_body(cn_vec3(0, 0, 0), cn_rigidbody(CN_BODY_STATIC, CN_SHAPE_CAPSULE));
    assert_false(cast(ray(.1f, 0, 0, 1, 0, 0, 10), &hit));
}

static void a_ray_along_a_face_of_the_world_does_not_get_lost(void **state)
{
    (void)state;
    CnRaycastHit hit;
    for (int i = 0; i < 30; i++)
        add_body(cn_vec3((float)i, 0, 0), box(CN_BODY_STATIC, .5f, .5f, .5f));
    assert_true(cast(ray(-5, .4999f, 0, 1, 0, 0, 10), &hit));
    assert_near(hit.distance, 4.5, 1e-4);
}

static void masks_ghosts_and_exceptions_are_kept_to(void **state)
{
    (void)state;
    CnRigidbody far_layer = box(CN_BODY_STATIC, 1, 1, 1);
    far_layer.layer = 5;
    CnEntity zone = add_body(cn_vec3(3, 0, 0), box(CN_BODY_GHOST, 1, 1, 1));
    CnEntity wall = add_body(cn_vec3(6, 0, 0), box(CN_BODY_STATIC, 1, 1, 1));
    CnEntity last = add_body(cn_vec3(9, 0, 0), far_layer);
    CnRaycastQuery query = ray(0, 0, 0, 1, 0, 0, 20);
    CnRaycastHit hit;
    assert_true(cast(query, &hit) && hit.body.id == wall.id);
    query.ghosts = true;
    assert_true(cast(query, &hit) && hit.body.id == zone.id);
    query.ghosts = false;
    query.except = wall;
    assert_true(cast(query, &hit) && hit.body.id == last.id);
    query.except = (CnEntity){0};
    query.mask = 1u << 5;
    assert_true(cast(query, &hit) && hit.body.id == last.id);
}

static void a_ray_sees_what_was_moved_since_the_last_step(void **state)
{
    (void)state;
    CnRaycastHit hit;
    CnEntity wall = add_body(cn_vec3(5, 0, 0), box(CN_BODY_STATIC, 1, 1, 1));
    tick(1);
    cn_get_mut(world, wall, CnTransform)->position.x = 7;
    assert_true(cast(ray(0, 0, 0, 1, 0, 0, 20), &hit));
    assert_near(hit.distance, 6, 1e-5);
    cn_get_mut(world, wall, CnTransform)->position.x = 9;
    assert_true(cast(ray(0, 0, 0, 1, 0, 0, 20), &hit));
    assert_near(hit.distance, 8, 1e-5);
}

static void a_ray_sees_what_came_and_not_what_went(void **state)
{
    (void)state;
    CnEntity wall = add_body(cn_vec3(5, 0, 0), box(CN_BODY_STATIC, 1, 1, 1));
    CnRaycastQuery query = ray(0, 0, 0, 1, 0, 0, 20);
    assert_true(cast(query, NULL));
    cn_object_set_enabled(world, wall, false);
    assert_false(cast(query, NULL));
    cn_object_set_enabled(world, wall, true);
    assert_true(cast(query, NULL));
    cn_destroy(world, wall);
    assert_false(cast(query, NULL));
}

static void questions_do_not_change_the_state(void **state)
{
    (void)state;
    add_floor();
    CnEntity ball = add_body(cn_vec3(0, 3, 0), sphere(CN_BODY_DYNAMIC, .5f));
    tick(5);
    cn_get_mut(world, ball, CnTransform)->position.x = 2;
    uint64_t hash = cn_sim_hash(sim);
    cast(ray(2, 10, 0, 0, -1, 0, 20), NULL);
    cn_physics_overlap(world, &(CnShapeQuery){.shape = CN_SHAPE_SPHERE, .radius = 9}, NULL, 0);
    assert_true(cn_sim_hash(sim) == hash);
}

static void senseless_rays_hit_nothing(void **state)
{
    (void)state;
    add_floor();
    assert_false(cast(ray(0, 5, 0, 0, 0, 0, 10), NULL));
    assert_false(cast(ray(NAN, 5, 0, 0, -1, 0, 10), NULL));
    assert_false(cast(ray(0, 5, 0, 0, -INFINITY, 0, 10), NULL));
    assert_false(cast(ray(0, 5, 0, 0, -1, 0, -10), NULL));
    assert_false(cast(ray(0, 5, 0, 0, -1, 0, NAN), NULL));
    assert_true(cast(ray(0, 5, 0, 0, -1, 0, INFINITY), NULL));
}

static void a_world_without_physics_has_no_bodies(void **state)
{
    (void)state;
    CnWorld *bare = cn_world_create(NULL, NULL);
    CnRaycastQuery query = ray(0, 5, 0, 0, -1, 0, 10);
    assert_false(cn_physics_raycast(bare, &query, NULL));
    assert_int_equal(cn_physics_overlap(bare, &(CnShapeQuery){.radius = 1}, NULL, 0), 0);
    cn_world_destroy(bare);
}

/* ---- Overlaps ---- */

static void an_overlap_finds_what_touches_in_entity_order(void **state)
{
    (void)state;
    CnEntity found[3], bodies[5];
    for (int i = 4; i >= 0; i--)
        bodies[4 - i] = add_body(cn_vec3((float)i * 3, 0, 0), box(CN_BODY_STATIC, 1, 1, 1));
    CnShapeQuery query = {.shape = CN_SHAPE_SPHERE, .position = {3, 0, 0}, .radius = 2.5f};
    assert_int_equal(cn_physics_overlap(world, &query, found, 3), 3);
    for (int i = 0; i < 3; i++)
        assert_true(found[i].id == bodies[2 + i].id);
    assert_int_equal(cn_physics_overlap(world, &query, found, 1), 3);
    assert_true(found[0].id == bodies[2].id);
}

static void boxes_whose_corners_only_seem_to_meet_do_not_overlap(void **state)
{
    (void)state;
    CnEntity wall = add_body(cn_vec3(0, 0, 0), box(CN_BODY_STATIC, 1, 1, 1));
    cn_get_mut(world, wall, CnTransform)->rotation = cn_quat_from_euler(cn_vec3(0, 45, 0));
    CnShapeQuery query = {
        .shape = CN_SHAPE_BOX, .position = {1.2f, 0, 1.2f}, .half_extents = {.3f, .3f, .3f}};
    assert_int_equal(cn_physics_overlap(world, &query, NULL, 0), 0);
    query.position = cn_vec3(.8f, 0, .8f);
    assert_int_equal(cn_physics_overlap(world, &query, NULL, 0), 1);
}

static void a_shape_without_size_overlaps_nothing(void **state)
{
    (void)state;
    add_floor();
    assert_int_equal(cn_physics_overlap(world, &(CnShapeQuery){.shape = CN_SHAPE_SPHERE}, NULL, 0),
                     0);
    assert_int_equal(
        cn_physics_overlap(
            world, &(CnShapeQuery){.shape = CN_SHAPE_BOX, .half_extents = {NAN, 1, 1}}, NULL, 0),
        0);
}

/* ---- Sweeps ---- */

static void a_swept_sphere_stops_at_a_wall(void **state)
{
    (void)state;
    CnRaycastHit hit;
    CnEntity wall = add_body(cn_vec3(5, 0, 0), box(CN_BODY_STATIC, 1, 2, 2));
    CnShapeQuery query = {.shape = CN_SHAPE_SPHERE, .radius = .5f};
    assert_true(cn_physics_sweep(world, &query, cn_vec3(10, 0, 0), &hit));
    assert_true(hit.body.id == wall.id);
    assert_near(hit.distance, 3.5, 1e-4);
    assert_near(hit.normal.x, -1, 1e-3);
}

static void a_swept_box_stops_at_a_sphere(void **state)
{
    (void)state;
    CnRaycastHit hit;
    add_body(cn_vec3(0, -5, 0), sphere(CN_BODY_STATIC, 1));
    CnShapeQuery query = {.shape = CN_SHAPE_BOX, .half_extents = {.5f, .25f, .5f}};
    assert_true(cn_physics_sweep(world, &query, cn_vec3(0, -20, 0), &hit));
    assert_near(hit.distance, 5 - 1 - .25, 1e-4);
}

static void a_swept_sphere_meets_a_sphere_aslant(void **state)
{
    (void)state;
    CnRaycastHit hit;
    add_body(cn_vec3(5, 1, 0), sphere(CN_BODY_STATIC, 1));
    CnShapeQuery query = {.shape = CN_SHAPE_SPHERE, .radius = .5f};
    assert_true(cn_physics_sweep(world, &query, cn_vec3(10, 0, 0), &hit));
    assert_near(hit.distance, 5 - sqrtf(1.5f * 1.5f - 1), 1e-4);
}

static void a_swept_capsule_stops_at_the_floor(void **state)
{
    (void)state;
    CnRaycastHit hit;
    add_floor();
    CnShapeQuery query = {
        .shape = CN_SHAPE_CAPSULE, .position = {0, 5, 0}, .radius = .5f, .height = 1};
    assert_true(cn_physics_sweep(world, &query, cn_vec3(0, -10, 0), &hit));
    assert_near(hit.distance, 4, 1e-4);
}

static void a_sweep_finds_the_first_of_many(void **state)
{
    (void)state;
    CnRaycastHit hit;
    for (int i = 0; i < 10; i++)
        add_body(cn_vec3((float)((i * 3) % 10) * 3 + 4, 0, 0), box(CN_BODY_STATIC, 1, 1, 1));
    CnShapeQuery query = {.shape = CN_SHAPE_SPHERE, .radius = .5f};
    assert_true(cn_physics_sweep(world, &query, cn_vec3(40, 0, 0), &hit));
    assert_near(hit.distance, 2.5, 1e-4);
}

static void a_sweep_that_begins_in_a_body_comes_nowhere(void **state)
{
    (void)state;
    CnRaycastHit hit;
    add_floor();
    CnShapeQuery query = {.shape = CN_SHAPE_SPHERE, .position = {0, .2f, 0}, .radius = .5f};
    assert_true(cn_physics_sweep(world, &query, cn_vec3(0, -1, 0), &hit));
    assert_true(hit.distance == 0);
}

static void a_sweep_past_everything_is_free(void **state)
{
    (void)state;
    add_floor();
    CnShapeQuery query = {.shape = CN_SHAPE_SPHERE, .position = {0, 2, 0}, .radius = .5f};
    assert_false(cn_physics_sweep(world, &query, cn_vec3(10, 0, 0), NULL));
    assert_false(cn_physics_sweep(world, &query, cn_vec3(0, -1.4f, 0), NULL));
    assert_false(cn_physics_sweep(world, &query, cn_vec3(0, 0, 0), NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(a_ray_hits_a_box_on_its_face),
        TEST(a_ray_hits_a_sphere_on_its_surface),
        TEST(a_ray_hits_a_capsule_on_its_side_and_on_its_end),
        TEST(a_ray_hits_a_turned_and_scaled_box),
        TEST(a_ray_ends_at_its_distance),
        TEST(a_ray_does_not_look_back),
        TEST(a_direction_need_not_have_length_1),
        TEST(the_nearest_is_hit),
        TEST(of_two_as_near_the_lower_entity_is_hit),
        TEST(all_hits_come_by_distance),
        TEST(a_body_that_the_ray_begins_in_is_not_hit),
        TEST(a_ray_along_a_face_of_the_world_does_not_get_lost),
        TEST(masks_ghosts_and_exceptions_are_kept_to),
        TEST(a_ray_sees_what_was_moved_since_the_last_step),
        TEST(a_ray_sees_what_came_and_not_what_went),
        TEST(questions_do_not_change_the_state),
        TEST(senseless_rays_hit_nothing),
        TEST(a_world_without_physics_has_no_bodies),
        TEST(an_overlap_finds_what_touches_in_entity_order),
        TEST(boxes_whose_corners_only_seem_to_meet_do_not_overlap),
        TEST(a_shape_without_size_overlaps_nothing),
        TEST(a_swept_sphere_stops_at_a_wall),
        TEST(a_swept_box_stops_at_a_sphere),
        TEST(a_swept_sphere_meets_a_sphere_aslant),
        TEST(a_swept_capsule_stops_at_the_floor),
        TEST(a_sweep_finds_the_first_of_many),
        TEST(a_sweep_that_begins_in_a_body_comes_nowhere),
        TEST(a_sweep_past_everything_is_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
