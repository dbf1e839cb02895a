/* Between screen and world: rays, points, frustums. */
#include "camera_fixture.h"

#define EYE_TEST(name) cmocka_unit_test_setup_teardown(name, make_eyes, drop_eyes)

enum { CAMERAS = 60, POINTS = 200 };

static CnVec3 along(CnRay ray, float distance)
{
    return cn_vec3_add(ray.origin, cn_vec3_scale(ray.direction, distance));
}

/* ---- Rays and points ---- */

static void the_middle_of_the_screen_looks_forward(void **state)
{
    (void)state;
    TestRandom random = {2};
    for (int i = 0; i < CAMERAS; i++) {
        CnEntity eye = random_eye(&random);
        CnRay ray = cn_camera_ray(world, eye, 0.5f, 0.5f);
        assert_float_equal(cn_vec3_dot(ray.direction, cn_transform_world_forward(world, eye)), 1,
                           1e-5);
    }
}

static void the_top_left_of_the_screen_is_up_and_left(void **state)
{
    (void)state;
    CnEntity eye = make_eye("Eye");
    cn_camera_set_perspective(world, eye, 90, 1, 10);
    cn_camera_set_aspect(world, eye, 1);
    CnRay ray = cn_camera_ray(world, eye, 0, 0);
    float part = 1 / sqrtf(3);
    assert_float_equal(ray.direction.x, -part, 1e-6);
    assert_float_equal(ray.direction.y, part, 1e-6);
    assert_float_equal(ray.direction.z, -part, 1e-6);
    assert_float_equal(ray.origin.z, -1, 1e-6);
}

static void rays_of_an_orthographic_camera_are_parallel(void **state)
{
    (void)state;
    CnEntity eye = make_eye("Eye");
    cn_camera_set_orthographic(world, eye, 10, 2, 100);
    cn_camera_set_aspect(world, eye, 2);
    CnRay ray = cn_camera_ray(world, eye, 1, 1);
    assert_float_equal(ray.origin.x, 10, 1e-5);
    assert_float_equal(ray.origin.y, -5, 1e-5);
    assert_float_equal(ray.origin.z, -2, 1e-6);
    assert_float_equal(ray.direction.z, -1, 1e-6);
}

static void a_ray_begins_at_the_near_plane(void **state)
{
    (void)state;
    TestRandom random = {3};
    for (int i = 0; i < CAMERAS; i++) {
        CnEntity eye = random_eye(&random);
        CnRay ray =
            cn_camera_ray(world, eye, random_float(&random, 0, 1), random_float(&random, 0, 1));
        CnAffine to_eye = cn_transform_world_to_local(world, eye);
        float near_plane = cn_get(world, eye, CnCamera)->near_plane;
        assert_float_equal(cn_affine_point(&to_eye, ray.origin).z, -near_plane, 1e-4);
    }
}

static void points_of_a_ray_are_projected_to_where_it_came_from(void **state)
{
    (void)state;
    TestRandom random = {4};
    for (int i = 0; i < CAMERAS; i++) {
        CnEntity eye = random_eye(&random);
        for (int j = 0; j < POINTS; j++) {
            float x = random_float(&random, 0, 1), y = random_float(&random, 0, 1);
            CnRay ray = cn_camera_ray(world, eye, x, y);
            CnVec3 screen;
            assert_true(cn_camera_project(world, eye, along(ray, random_float(&random, 0.1f, 50)),
                                          &screen));
            assert_float_equal(screen.x, x, 2e-4);
            assert_float_equal(screen.y, y, 2e-4);
            assert_true(screen.z >= 0);
        }
    }
}

static void depth_goes_from_near_to_far(void **state)
{
    (void)state;
    TestRandom random = {5};
    for (int i = 0; i < CAMERAS; i++) {
        CnEntity eye = random_eye(&random);
        const CnCamera *camera = cn_get(world, eye, CnCamera);
        CnAffine place = cn_transform_world_affine(world, eye);
        CnVec3 screen, last;
        CnVec3 near_point = {0, 0, -camera->near_plane * 1.002f};
        CnVec3 far_point = {0, 0, -camera->far_plane};
        assert_true(cn_camera_project(world, eye, cn_affine_point(&place, near_point), &screen));
        assert_float_equal(screen.z, 0, 0.005);
        assert_true(cn_camera_project(world, eye, cn_affine_point(&place, far_point), &last));
        assert_float_equal(last.z, 1, 1e-3);
    }
}

static void what_is_behind_is_not_on_the_screen(void **state)
{
    (void)state;
    TestRandom random = {6};
    for (int i = 0; i < CAMERAS; i++) {
        CnEntity eye = random_eye(&random);
        CnAffine place = cn_transform_world_affine(world, eye);
        CnVec3 screen = {7, 7, 7};
        for (float z = 0; z < 40; z += 5)
            assert_false(
                cn_camera_project(world, eye, cn_affine_point(&place, cn_vec3(1, 2, z)), &screen));
        assert_true(screen.x == 7);
    }
}

/* ---- Frustums ---- */

static bool is_on_screen(CnEntity eye, CnVec3 point)
{
    CnVec3 s;
    return cn_camera_project(world, eye, point, &s) && s.x >= 0 && s.x <= 1 && s.y >= 0 &&
           s.y <= 1 && s.z <= 1;
}

/* A point of what the camera sees, by its numbers, or a bit beside. */
static CnVec3 point_near(TestRandom *random, CnEntity eye, float beyond)
{
    const CnCamera *camera = cn_get(world, eye, CnCamera);
    float x = random_float(random, -beyond, 1 + beyond),
          y = random_float(random, -beyond, 1 + beyond);
    CnRay ray = cn_camera_ray(world, eye, x, y);
    return along(ray, random_float(random, -1, 1.3f) * (camera->far_plane - camera->near_plane));
}

static float least_distance(const CnFrustum *frustum, CnVec3 p)
{
    float least = INFINITY;
    for (int i = 0; i < 6; i++) {
        const CnVec4 *plane = &frustum->planes[i];
        float distance = plane->x * p.x + plane->y * p.y + plane->z * p.z + plane->w;
        least = distance < least ? distance : least;
    }
    return least;
}

static void planes_are_of_length_one_and_look_inwards(void **state)
{
    (void)state;
    TestRandom random = {7};
    for (int i = 0; i < CAMERAS; i++) {
        CnEntity eye = random_eye(&random);
        CnFrustum frustum = cn_camera_frustum(world, eye);
        for (int j = 0; j < 6; j++) {
            const CnVec4 *p = &frustum.planes[j];
            assert_float_equal(p->x * p->x + p->y * p->y + p->z * p->z, 1, 1e-5);
        }
        const CnCamera *camera = cn_get(world, eye, CnCamera);
        CnAffine place = cn_transform_world_affine(world, eye);
        CnVec3 middle = {0, 0, -(camera->near_plane + camera->far_plane) / 2};
        assert_true(least_distance(&frustum, cn_affine_point(&place, middle)) > 0);
    }
}

static void planes_are_left_right_bottom_top_near_far(void **state)
{
    (void)state;
    CnEntity eye = make_eye("Eye");
    cn_camera_set_orthographic(world, eye, 10, 1, 100);
    cn_camera_set_aspect(world, eye, 2);
    CnFrustum frustum = cn_camera_frustum(world, eye);
    static const CnVec4 expected[6] = {{1, 0, 0, 10}, {-1, 0, 0, 10}, {0, 1, 0, 5},
                                       {0, -1, 0, 5}, {0, 0, -1, -1}, {0, 0, 1, 100}};
    for (int i = 0; i < 6; i++) {
        assert_float_equal(frustum.planes[i].x, expected[i].x, 1e-5);
        assert_float_equal(frustum.planes[i].y, expected[i].y, 1e-5);
        assert_float_equal(frustum.planes[i].z, expected[i].z, 1e-5);
        assert_float_equal(frustum.planes[i].w, expected[i].w, 1e-4);
    }
}

static void a_point_is_inside_when_it_is_on_the_screen(void **state)
{
    (void)state;
    TestRandom random = {8};
    uint32_t inside = 0, outside = 0;
    for (int i = 0; i < CAMERAS; i++) {
        CnEntity eye = random_eye(&random);
        CnFrustum frustum = cn_camera_frustum(world, eye);
        for (int j = 0; j < POINTS; j++) {
            CnVec3 point = point_near(&random, eye, 0.4f);
            if (fabsf(least_distance(&frustum, point)) < 1e-2f)
                continue; /* on the border both are right */
            bool seen = is_on_screen(eye, point);
            assert_int_equal(cn_frustum_intersects_sphere(&frustum, point, 0), seen);
            assert_int_equal(cn_frustum_intersects_box(&frustum, point, point), seen);
            inside += seen;
            outside += !seen;
        }
    }
    assert_true(inside > 1000 && outside > 1000);
}

static void what_has_a_point_on_the_screen_is_never_outside(void **state)
{
    (void)state;
    TestRandom random = {9};
    for (int i = 0; i < CAMERAS; i++) {
        CnEntity eye = random_eye(&random);
        CnFrustum frustum = cn_camera_frustum(world, eye);
        for (int j = 0; j < POINTS; j++) {
            CnVec3 point = point_near(&random, eye, 0), size = random_vec3(&random, 5);
            if (least_distance(&frustum, point) < 1e-2f)
                continue;
            /* Something that reaches from far away up to the point. */
            CnVec3 away = random_vec3(&random, 30);
            assert_true(cn_frustum_intersects_sphere(&frustum, cn_vec3_add(point, away),
                                                     cn_vec3_length(away) + 1e-3f));
            size = cn_vec3(fabsf(size.x), fabsf(size.y), fabsf(size.z));
            CnVec3 other = cn_vec3_add(point, away);
            CnVec3 low = {fminf(point.x, other.x), fminf(point.y, other.y),
                          fminf(point.z, other.z)};
            CnVec3 high = {fmaxf(point.x, other.x), fmaxf(point.y, other.y),
                           fmaxf(point.z, other.z)};
            assert_true(cn_frustum_intersects_box(&frustum, low, cn_vec3_add(high, size)));
        }
    }
}

static void what_is_wholly_beyond_a_plane_is_outside(void **state)
{
    (void)state;
    TestRandom random = {10};
    for (int i = 0; i < CAMERAS; i++) {
        CnEntity eye = random_eye(&random);
        CnFrustum frustum = cn_camera_frustum(world, eye);
        for (int j = 0; j < 6; j++) {
            CnVec3 normal = {frustum.planes[j].x, frustum.planes[j].y, frustum.planes[j].z};
            CnVec3 on_plane = cn_vec3_scale(normal, -frustum.planes[j].w);
            CnVec3 center = cn_vec3_sub(on_plane, cn_vec3_scale(normal, 3));
            assert_false(cn_frustum_intersects_sphere(&frustum, center, 2.9f));
            CnVec3 half = {1.6f, 1.6f, 1.6f}; /* reaches at most 2.78 */
            assert_false(cn_frustum_intersects_box(&frustum, cn_vec3_sub(center, half),
                                                   cn_vec3_add(center, half)));
        }
    }
}

static void the_far_plane_is_exact_for_a_tiny_near_plane(void **state)
{
    (void)state;
    CnEntity eye = make_eye("Eye");
    cn_camera_set_perspective(world, eye, 90, 0.001f, 1000);
    CnFrustum frustum = cn_camera_frustum(world, eye);
    assert_true(cn_frustum_intersects_sphere(&frustum, cn_vec3(0, 0, -999.9f), 0));
    assert_false(cn_frustum_intersects_sphere(&frustum, cn_vec3(0, 0, -1000.1f), 0));
}

static void the_frustum_of_a_matrix_is_that_of_the_camera(void **state)
{
    (void)state;
    TestRandom random = {11};
    for (int i = 0; i < CAMERAS; i++) {
        CnEntity eye = random_eye(&random);
        CnCameraMatrices matrices = cn_camera_matrices(world, eye);
        CnFrustum a = cn_camera_frustum(world, eye);
        CnFrustum b = cn_frustum_from_matrix(&matrices.view_projection);
        for (int j = 0; j < 6; j++) {
            float size = 1 + fabsf(a.planes[j].w);
            assert_float_equal(a.planes[j].x, b.planes[j].x, 2e-3);
            assert_float_equal(a.planes[j].y, b.planes[j].y, 2e-3);
            assert_float_equal(a.planes[j].z, b.planes[j].z, 2e-3);
            assert_float_equal(a.planes[j].w / size, b.planes[j].w / size, 5e-3);
        }
    }
}

static void what_is_not_a_number_is_outside(void **state)
{
    (void)state;
    CnFrustum frustum = cn_camera_frustum(world, make_eye("Eye"));
    assert_false(cn_frustum_intersects_sphere(&frustum, cn_vec3(NAN, 0, -5), 1));
    assert_false(
        cn_frustum_intersects_box(&frustum, cn_vec3(NAN, NAN, NAN), cn_vec3(NAN, NAN, NAN)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        EYE_TEST(the_middle_of_the_screen_looks_forward),
        EYE_TEST(the_top_left_of_the_screen_is_up_and_left),
        EYE_TEST(rays_of_an_orthographic_camera_are_parallel),
        EYE_TEST(a_ray_begins_at_the_near_plane),
        EYE_TEST(points_of_a_ray_are_projected_to_where_it_came_from),
        EYE_TEST(depth_goes_from_near_to_far),
        EYE_TEST(what_is_behind_is_not_on_the_screen),
        EYE_TEST(planes_are_of_length_one_and_look_inwards),
        EYE_TEST(planes_are_left_right_bottom_top_near_far),
        EYE_TEST(a_point_is_inside_when_it_is_on_the_screen),
        EYE_TEST(what_has_a_point_on_the_screen_is_never_outside),
        EYE_TEST(what_is_wholly_beyond_a_plane_is_outside),
        EYE_TEST(the_far_plane_is_exact_for_a_tiny_near_plane),
        EYE_TEST(the_frustum_of_a_matrix_is_that_of_the_camera),
        EYE_TEST(what_is_not_a_number_is_outside),
    };
    return cmocka_run_group_tests_name("camera space", tests, NULL, NULL);
}
