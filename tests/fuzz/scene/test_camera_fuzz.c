/* Cameras with any numbers whatever: what comes out is always finite. */
#include "cmocka_tests.h"
#include "random.h"

#include <cairn/ecs.h>
#include <cairn/scene.h>

#include <float.h>
#include <math.h>

enum { ROUNDS = 20000 };

static float any_float(TestRandom *random)
{
    static const float strange[] = {0,         -0.0f,   1,        -1,      NAN,      INFINITY,
                                    -INFINITY, FLT_MIN, -FLT_MIN, FLT_MAX, -FLT_MAX, 1e-45f,
                                    1e-30f,    1e30f,   -1e30f,   1e18f,   60,       180,
                                    179,       89.9f,   0.1f,     1000,    1e-6f,    1e12f};
    if (test_random_chance(random, 40))
        return strange[test_random_below(random, CN_COUNT_OF(strange))];
    return (float)(test_random_unit(random) * 200 - 50);
}

static CnVec3 any_vec3(TestRandom *random)
{
    float x = any_float(random), y = any_float(random);
    return cn_vec3(x, y, any_float(random));
}

static void assert_finite(const float *numbers, int count)
{
    for (int i = 0; i < count; i++)
        assert_true(isfinite(numbers[i]));
}

static void look_in_every_way(CnWorld *world, CnEntity eye, TestRandom *random)
{
    CnCameraMatrices matrices = cn_camera_matrices(world, eye);
    assert_finite(matrices.projection.m, 16);
    assert_finite(matrices.view.m, 16);
    assert_finite(matrices.view_projection.m, 16);
    float x = any_float(random), y = any_float(random);
    CnRay ray = cn_camera_ray(world, eye, x, y);
    assert_finite(&ray.origin.x, 3);
    assert_float_equal(cn_vec3_length(ray.direction), 1, 1e-3);
    CnVec3 screen;
    if (cn_camera_project(world, eye, any_vec3(random), &screen))
        assert_finite(&screen.x, 3);
    CnFrustum frustum = cn_camera_frustum(world, eye);
    assert_finite(&frustum.planes[0].x, 24);
    CnVec3 low = any_vec3(random), high = any_vec3(random);
    (void)cn_frustum_intersects_box(&frustum, low, high);
    (void)cn_frustum_intersects_sphere(&frustum, low, any_float(random));
}

static void strange_cameras_never_give_what_is_not_a_number(void **state)
{
    (void)state;
    TestRandom random = {12};
    CnWorld *world = cn_world_create(NULL, NULL);
    assert_true(cn_camera_add(world, NULL));
    CnEntity eye = cn_object(world, "Eye");
    cn_add(world, eye, CnCamera);
    uint32_t valid = 0;
    for (int i = 0; i < ROUNDS; i++) {
        CnCamera *camera = cn_get_mut(world, eye, CnCamera);
        *camera = (CnCamera){(uint8_t)test_random_below(&random, 3),
                             any_float(&random),
                             any_float(&random),
                             any_float(&random),
                             any_float(&random),
                             any_float(&random)};
        if (test_random_chance(&random, 50))
            *camera = (CnCamera){(uint8_t)test_random_below(&random, 2), 60, 10, 0.1f, 100, 0};
        CnTransform *transform = cn_get_mut(world, eye, CnTransform);
        *transform = CN_TRANSFORM_IDENTITY;
        if (test_random_chance(&random, 70)) {
            transform->position = any_vec3(&random);
            transform->scale = any_vec3(&random);
            transform->rotation = (CnQuat){any_float(&random), any_float(&random),
                                           any_float(&random), any_float(&random)};
        }
        look_in_every_way(world, eye, &random);
        valid += cn_camera_matrices(world, eye).valid;
    }
    assert_true(valid > ROUNDS / 10 && valid < ROUNDS * 9 / 10);
    cn_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strange_cameras_never_give_what_is_not_a_number),
    };
    return cmocka_run_group_tests_name("camera fuzz", tests, NULL, NULL);
}
