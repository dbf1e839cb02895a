/* The exact numbers of cameras: Vulkan's clip space, x right, y down, depth from 0 to 1. */
#include "cmocka_tests.h"

#include <cairn/ecs.h>
#include <cairn/scene.h>

static CnWorld *world;
static CnEntity eye;

static int make_eye(void **state)
{
    (void)state;
    world = cn_world_create(NULL, NULL);
    if (!world || !cn_camera_add(world, NULL))
        return -1;
    eye = cn_object(world, "Eye");
    return cn_add(world, eye, CnCamera) ? 0 : -1;
}

static int drop_eye(void **state)
{
    (void)state;
    cn_world_destroy(world);
    return 0;
}

#define EYE_TEST(name) cmocka_unit_test_setup_teardown(name, make_eye, drop_eye)

/* Written by rows, as people do. */
static void assert_matrix(const CnMat4 *matrix, const float rows[4][4])
{
    for (int row = 0; row < 4; row++)
        for (int column = 0; column < 4; column++)
            if (matrix->m[column * 4 + row] != rows[row][column])
                fail_msg("row %d column %d is %.9g, not %.9g", row, column,
                         (double)matrix->m[column * 4 + row], (double)rows[row][column]);
}

static void perspective_of_90_degrees(void **state)
{
    (void)state;
    cn_set(world, eye, CnCamera, {CN_PERSPECTIVE, 90, 10, 1, 11, 2});
    CnCameraMatrices matrices = cn_camera_matrices(world, eye);
    static const float rows[4][4] = {
        {0.5f, 0, 0, 0}, {0, -1, 0, 0}, {0, 0, -1.1f, -1.1f}, {0, 0, -1, 0}};
    assert_matrix(&matrices.projection, rows);
}

static void perspective_as_usual(void **state)
{
    (void)state;
    CnCameraMatrices matrices = cn_camera_matrices(world, eye);
    static const float rows[4][4] = {{0.974278569f, 0, 0, 0},
                                     {0, -1.73205078f, 0, 0},
                                     {0, 0, -1.00010002f, -0.100010000f},
                                     {0, 0, -1, 0}};
    assert_matrix(&matrices.projection, rows);
}

static void orthographic(void **state)
{
    (void)state;
    cn_set(world, eye, CnCamera, {CN_ORTHOGRAPHIC, 60, 10, 1, 11, 2});
    CnCameraMatrices matrices = cn_camera_matrices(world, eye);
    static const float rows[4][4] = {
        {0.1f, 0, 0, 0}, {0, -0.2f, 0, 0}, {0, 0, -0.1f, -0.1f}, {0, 0, 0, 1}};
    assert_matrix(&matrices.projection, rows);
}

static void view_from_a_place(void **state)
{
    (void)state;
    cn_get_mut(world, eye, CnTransform)->position = cn_vec3(1, 2, 3);
    CnCameraMatrices matrices = cn_camera_matrices(world, eye);
    static const float rows[4][4] = {{1, 0, 0, -1}, {0, 1, 0, -2}, {0, 0, 1, -3}, {0, 0, 0, 1}};
    assert_matrix(&matrices.view, rows);
}

static void view_to_the_left(void **state)
{
    (void)state;
    /* A quarter about y, exactly: looks along -x. */
    CnTransform *transform = cn_get_mut(world, eye, CnTransform);
    transform->position = cn_vec3(5, 0, 0);
    transform->rotation = cn_quat_from_euler(cn_vec3(0, 90, 0));
    CnVec3 screen;
    assert_true(cn_camera_project(world, eye, cn_vec3(-5, 0, 0), &screen));
    assert_float_equal(screen.x, 0.5, 1e-6);
    assert_float_equal(screen.y, 0.5, 1e-6);
    assert_true(cn_camera_project(world, eye, cn_vec3(-5, 1, -1), &screen));
    assert_true(screen.x > 0.5f && screen.y < 0.5f); /* -z is to its right, y up */
}

static void corners_of_the_screen(void **state)
{
    (void)state;
    cn_set(world, eye, CnCamera, {CN_PERSPECTIVE, 90, 10, 1, 11, 2});
    static const CnVec3 points[] = {{-2, 1, -1}, {2, 1, -1}, {-22, -11, -11}, {22, -11, -11}};
    static const CnVec3 screens[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 1}, {1, 1, 1}};
    for (int i = 0; i < 4; i++) {
        CnVec3 screen;
        assert_true(cn_camera_project(world, eye, points[i], &screen));
        assert_float_equal(screen.x, screens[i].x, 1e-6);
        assert_float_equal(screen.y, screens[i].y, 1e-6);
        assert_float_equal(screen.z, screens[i].z, 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        EYE_TEST(perspective_of_90_degrees),
        EYE_TEST(perspective_as_usual),
        EYE_TEST(orthographic),
        EYE_TEST(view_from_a_place),
        EYE_TEST(view_to_the_left),
        EYE_TEST(corners_of_the_screen),
    };
    return cmocka_run_group_tests_name("camera matrices", tests, NULL, NULL);
}
