/* Cameras: matrices that are right at every look, and which camera is the active one. */
#include "camera_fixture.h"

#define EYE_TEST(name) cmocka_unit_test_setup_teardown(name, make_eyes, drop_eyes)

static bool is_identity(const CnMat4 *matrix)
{
    CnMat4 identity = cn_mat4_identity();
    return !memcmp(matrix, &identity, sizeof identity);
}

/* ---- Values ---- */

static void a_new_camera_is_as_usual(void **state)
{
    (void)state;
    const CnCamera *camera = cn_get(world, make_eye("Eye"), CnCamera);
    assert_int_equal(camera->projection, CN_PERSPECTIVE);
    assert_true(camera->fov == 60 && camera->near_plane == 0.1f && camera->far_plane == 1000);
    assert_true(camera->height == 10 && camera->aspect == 0);
}

static void values_that_make_no_projection_are_not_valid(void **state)
{
    (void)state;
    const CnCamera good = {CN_PERSPECTIVE, 60, 10, 0.1f, 100, 1};
    assert_true(cn_camera_valid(&good, NULL));
    const CnCamera bad[] = {
        {CN_PERSPECTIVE, 0, 10, 0.1f, 100, 1},
        {CN_PERSPECTIVE, 180, 10, 0.1f, 100, 1},
        {CN_PERSPECTIVE, NAN, 10, 0.1f, 100, 1},
        {CN_PERSPECTIVE, 60, 10, 0, 100, 1},
        {CN_PERSPECTIVE, 60, 10, -1, 100, 1},
        {CN_PERSPECTIVE, 60, 10, 1, 1, 1},
        {CN_PERSPECTIVE, 60, 10, 1, 0.5f, 1},
        {CN_PERSPECTIVE, 60, 10, 1, INFINITY, 1},
        {CN_PERSPECTIVE, 60, 10, 1, 100, -1},
        {CN_PERSPECTIVE, 60, 10, 1, 100, NAN},
        {CN_ORTHOGRAPHIC, 60, 0, 1, 100, 1},
        {CN_ORTHOGRAPHIC, 60, -3, 1, 100, 1},
        {7, 60, 10, 1, 100, 1},
    };
    for (uint32_t i = 0; i < CN_COUNT_OF(bad); i++) {
        CnError error = {0};
        assert_false(cn_camera_valid(&bad[i], &error));
        assert_true(error.message[0] != '\0');
    }
}

static void what_the_other_projection_needs_may_be_left_out(void **state)
{
    (void)state;
    assert_true(cn_camera_valid(&(CnCamera){.fov = 60, .near_plane = 1, .far_plane = 9}, NULL));
    const CnCamera flat = {
        .projection = CN_ORTHOGRAPHIC, .height = 10, .near_plane = 1, .far_plane = 9};
    assert_true(cn_camera_valid(&flat, NULL));
}

static void an_orthographic_camera_may_begin_behind_itself(void **state)
{
    (void)state;
    assert_true(cn_camera_valid(&(CnCamera){CN_ORTHOGRAPHIC, 60, 10, -50, 50, 1}, NULL));
}

static void setting_by_field_refuses_bad_values_and_changes_nothing(void **state)
{
    (void)state;
    CnEntity eye = make_eye("Eye");
    CnCamera before = *cn_get(world, eye, CnCamera);
    assert_false(cn_camera_set_perspective(world, eye, NAN, 1, 10));
    assert_false(cn_camera_set_perspective(world, eye, 60, 10, 1));
    assert_false(cn_camera_set_orthographic(world, eye, 0, 1, 10));
    assert_false(cn_camera_set_aspect(world, eye, -1));
    assert_memory_equal(&before, cn_get(world, eye, CnCamera), sizeof before);
}

static void setting_by_field_needs_a_camera(void **state)
{
    (void)state;
    CnEntity stone = cn_object(world, "Stone");
    assert_false(cn_camera_set_perspective(world, stone, 60, 1, 10));
    assert_false(cn_camera_set_orthographic(world, stone, 5, 1, 10));
    assert_false(cn_camera_set_aspect(world, stone, 1));
    assert_false(cn_has(world, stone, CnCamera));
}

/* ---- Matrices ---- */

static void setting_a_camera_computes_its_projection_at_once(void **state)
{
    (void)state;
    CnEntity eye = make_eye("Eye");
    assert_true(cn_camera_set_perspective(world, eye, 90, 1, 10));
    assert_true(cn_camera_set_aspect(world, eye, 2));
    const CnCameraMatrices *place =
        &cn_resource(world, CnCameras)->matrices[cn_entity_index(eye) % CN_CAMERA_CACHE_SLOTS];
    assert_true(cn_entity_equal(place->entity, eye));
    assert_float_equal(place->projection.m[0], 0.5, 1e-6);
    assert_float_equal(place->projection.m[5], -1, 1e-6);
}

static void a_field_that_was_written_shows_at_the_next_look(void **state)
{
    (void)state;
    CnEntity eye = make_eye("Eye");
    cn_camera_matrices(world, eye);
    CnCamera *camera = cn_get_mut(world, eye, CnCamera);
    camera->fov = 90;
    assert_float_equal(cn_camera_matrices(world, eye).projection.m[5], -1, 1e-6);
    camera->projection = CN_ORTHOGRAPHIC;
    assert_float_equal(cn_camera_matrices(world, eye).projection.m[5], -0.2, 1e-6);
}

static void the_aspect_is_that_of_the_window(void **state)
{
    (void)state;
    CnEntity eye = make_eye("Eye");
    assert_float_equal(cn_camera_matrices(world, eye).aspect, 16.0 / 9, 1e-6);
    cn_register(world, CnWindowSize, .flags = CN_COMPONENT_TRANSIENT);
    cn_resource_set(world, CnWindowSize, {800, 400});
    CnCameraMatrices matrices = cn_camera_matrices(world, eye);
    assert_float_equal(matrices.aspect, 2, 1e-6);
    assert_float_equal(matrices.projection.m[0], -matrices.projection.m[5] / 2, 1e-6);
    cn_camera_set_aspect(world, eye, 1);
    assert_float_equal(cn_camera_matrices(world, eye).aspect, 1, 1e-6);
}

static void the_view_is_the_inverse_of_the_world_matrix(void **state)
{
    (void)state;
    TestRandom random = {1};
    for (int i = 0; i < 50; i++) {
        CnEntity eye = random_eye(&random);
        CnMat4 view = cn_camera_matrices(world, eye).view,
               place = cn_transform_world_matrix(world, eye);
        CnMat4 product = cn_mat4_mul(&view, &place), identity = cn_mat4_identity();
        for (int j = 0; j < 16; j++)
            assert_float_equal(product.m[j], identity.m[j], 1e-4);
    }
}

static void the_view_follows_a_parent_that_moves(void **state)
{
    (void)state;
    CnEntity rig = cn_object(world, "Rig");
    CnEntity eye = cn_object(world, "Eye", .parent = rig);
    cn_add(world, eye, CnCamera);
    cn_camera_matrices(world, eye);
    cn_get_mut(world, rig, CnTransform)->position.x = 5;
    assert_float_equal(cn_camera_matrices(world, eye).view.m[12], -5, 1e-6);
}

static void two_cameras_at_one_place_of_the_cache_are_both_right(void **state)
{
    (void)state;
    CnEntity first = make_eye("First"), second;
    do
        second = make_eye("Second");
    while (cn_entity_index(second) % CN_CAMERA_CACHE_SLOTS !=
           cn_entity_index(first) % CN_CAMERA_CACHE_SLOTS);
    cn_camera_set_perspective(world, second, 90, 1, 10);
    for (int i = 0; i < 3; i++) {
        assert_float_equal(cn_camera_matrices(world, first).baked.fov, 60, 0);
        assert_float_equal(cn_camera_matrices(world, second).projection.m[5], -1, 1e-6);
    }
}

static void without_a_camera_matrices_are_identity(void **state)
{
    (void)state;
    CnEntity stone = cn_object(world, "Stone");
    CnCameraMatrices matrices = cn_camera_matrices(world, stone);
    assert_false(matrices.valid);
    assert_true(is_identity(&matrices.projection) && is_identity(&matrices.view) &&
                is_identity(&matrices.view_projection));
    assert_false(cn_camera_matrices(world, (CnEntity){0}).valid);
}

static void a_camera_that_is_not_valid_comes_back_with_good_values(void **state)
{
    (void)state;
    CnEntity eye = make_eye("Eye");
    CnCameraMatrices good = cn_camera_matrices(world, eye);
    cn_get_mut(world, eye, CnCamera)->fov = NAN;
    CnCameraMatrices bad = cn_camera_matrices(world, eye);
    assert_true(!bad.valid && is_identity(&bad.view_projection));
    cn_get_mut(world, eye, CnCamera)->fov = 60;
    cn_get_mut(world, eye, CnTransform)->scale.x = 0;
    bad = cn_camera_matrices(world, eye);
    assert_true(!bad.valid && is_identity(&bad.projection));
    assert_false(cn_camera_matrices(world, eye).valid);
    cn_get_mut(world, eye, CnTransform)->scale.x = 1;
    CnCameraMatrices again = cn_camera_matrices(world, eye);
    assert_true(again.valid);
    assert_memory_equal(&again.view_projection, &good.view_projection, sizeof(CnMat4));
}

static void looking_makes_no_heap_call(void **state)
{
    (void)state;
    CnEntity eye = make_eye("Eye");
    cn_object_set_enabled(world, make_eye("Active"), false);
    cn_camera_set_active(world, cn_object_find(world, "Active"));
    assert_true(cn_world_update(world, 0, NULL));
    cn_camera_matrices(world, eye);
    uint64_t calls = cn_heap_stats(heap).calls;
    for (int i = 0; i < 100; i++) {
        cn_get_mut(world, eye, CnTransform)->position.x = (float)i;
        cn_camera_ray(world, eye, 0.3f, 0.7f);
        cn_camera_frustum(world, eye);
        cn_camera_find(world);
    }
    assert_int_equal(cn_heap_stats(heap).calls, calls);
}

/* ---- The active one ---- */

static void the_first_camera_becomes_the_active_one(void **state)
{
    (void)state;
    assert_true(cn_entity_is_null(cn_camera_active(world)));
    CnEntity first = make_eye("First");
    make_eye("Second");
    assert_true(cn_entity_equal(cn_camera_active(world), first));
}

static void another_one_can_be_made_active(void **state)
{
    (void)state;
    make_eye("First");
    CnEntity second = make_eye("Second");
    assert_true(cn_camera_set_active(world, second));
    assert_true(cn_entity_equal(cn_camera_active(world), second));
}

static void what_has_no_camera_cannot_be_active(void **state)
{
    (void)state;
    CnEntity eye = make_eye("Eye");
    assert_false(cn_camera_set_active(world, cn_object(world, "Stone")));
    assert_false(cn_camera_set_active(world, (CnEntity){0}));
    assert_true(cn_entity_equal(cn_camera_active(world), eye));
}

static void a_camera_that_is_gone_is_not_active(void **state)
{
    (void)state;
    CnEntity first = make_eye("First"), second = make_eye("Second");
    cn_destroy(world, first);
    assert_true(cn_entity_is_null(cn_camera_active(world)));
    assert_true(cn_entity_equal(cn_camera_find(world), second));
    CnEntity third = make_eye("Third");
    assert_true(cn_entity_equal(cn_camera_active(world), third));
}

static void a_camera_that_was_removed_is_not_active(void **state)
{
    (void)state;
    CnEntity eye = make_eye("Eye");
    cn_remove(world, eye, CnCamera);
    assert_true(cn_entity_is_null(cn_camera_active(world)));
    assert_true(cn_entity_is_null(cn_camera_find(world)));
}

static void find_camera_passes_over_objects_that_are_not_active(void **state)
{
    (void)state;
    CnEntity first = make_eye("First"), second = make_eye("Second");
    cn_object_set_enabled(world, first, false);
    assert_true(cn_entity_equal(cn_camera_find(world), second));
    cn_object_set_enabled(world, first, true);
    assert_true(cn_entity_equal(cn_camera_find(world), first));
}

static void find_camera_takes_the_first_in_the_tree(void **state)
{
    (void)state;
    CnEntity active = make_eye("Active");
    CnEntity rig = cn_object(world, "Rig");
    CnEntity below = cn_object(world, "Below", .parent = rig);
    cn_add(world, below, CnCamera);
    CnEntity root = make_eye("Root");
    make_eye("Later");
    cn_destroy(world, active);
    assert_true(cn_entity_equal(cn_camera_find(world), root));
}

static void loading_a_state_brings_camera_and_matrices_back(void **state)
{
    (void)state;
    make_eye("First");
    CnEntity second = make_eye("Second");
    cn_camera_set_active(world, second);
    cn_get_mut(world, second, CnTransform)->position = cn_vec3(1, 2, 3);
    CnCameraMatrices before = cn_camera_matrices(world, second);
    CnSnapshot saved;
    assert_true(cn_world_save(world, &saved, NULL));
    cn_get_mut(world, second, CnTransform)->position = cn_vec3(9, 9, 9);
    cn_camera_set_perspective(world, second, 30, 1, 10);
    cn_camera_matrices(world, second);
    cn_destroy(world, second);
    assert_true(cn_world_load(world, saved.bytes, saved.size, NULL));
    cn_snapshot_free(&saved);
    assert_true(cn_entity_equal(cn_camera_active(world), second));
    CnCameraMatrices after = cn_camera_matrices(world, second);
    assert_memory_equal(&after.view_projection, &before.view_projection, sizeof(CnMat4));
}

/* ---- Reflection ---- */

static void a_camera_is_reflected_as_camera_component(void **state)
{
    (void)state;
    static const char *const keys[] = {"projection", "fov", "near", "far", "height", "aspect"};
    CnReflectedComponent reflected;
    assert_true(cn_reflection_find(world, cn_text("CameraComponent"), &reflected));
    for (uint32_t i = 0; i < CN_COUNT_OF(keys); i++) {
        CnReflectedMember item;
        assert_true(cn_reflection_find_field(world, &reflected, cn_text(keys[i]), &item));
    }
    assert_false(cn_reflection_check(&reflected, &(CnCamera){.fov = 60}, NULL));
}

static void the_former_key_view_is_read_as_projection(void **state)
{
    (void)state;
    CnReflectedComponent reflected;
    CnReflectedMember item;
    assert_true(cn_reflection_find(world, cn_text("CameraComponent"), &reflected));
    assert_true(cn_reflection_find_field(world, &reflected, cn_text("view"), &item));
    assert_string_equal(item.reflected.key, "projection");
}

static void adding_cameras_again_is_harmless(void **state)
{
    (void)state;
    CnEntity eye = make_eye("Eye");
    assert_true(cn_camera_add(world, NULL));
    assert_true(cn_entity_equal(cn_camera_active(world), eye));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        EYE_TEST(a_new_camera_is_as_usual),
        EYE_TEST(values_that_make_no_projection_are_not_valid),
        EYE_TEST(what_the_other_projection_needs_may_be_left_out),
        EYE_TEST(an_orthographic_camera_may_begin_behind_itself),
        EYE_TEST(setting_by_field_refuses_bad_values_and_changes_nothing),
        EYE_TEST(setting_by_field_needs_a_camera),
        EYE_TEST(setting_a_camera_computes_its_projection_at_once),
        EYE_TEST(a_field_that_was_written_shows_at_the_next_look),
        EYE_TEST(the_aspect_is_that_of_the_window),
        EYE_TEST(the_view_is_the_inverse_of_the_world_matrix),
        EYE_TEST(the_view_follows_a_parent_that_moves),
        EYE_TEST(two_cameras_at_one_place_of_the_cache_are_both_right),
        EYE_TEST(without_a_camera_matrices_are_identity),
        EYE_TEST(a_camera_that_is_not_valid_comes_back_with_good_values),
        EYE_TEST(looking_makes_no_heap_call),
        EYE_TEST(the_first_camera_becomes_the_active_one),
        EYE_TEST(another_one_can_be_made_active),
        EYE_TEST(what_has_no_camera_cannot_be_active),
        EYE_TEST(a_camera_that_is_gone_is_not_active),
        EYE_TEST(a_camera_that_was_removed_is_not_active),
        EYE_TEST(find_camera_passes_over_objects_that_are_not_active),
        EYE_TEST(find_camera_takes_the_first_in_the_tree),
        EYE_TEST(loading_a_state_brings_camera_and_matrices_back),
        EYE_TEST(a_camera_is_reflected_as_camera_component),
        EYE_TEST(the_former_key_view_is_read_as_projection),
        EYE_TEST(adding_cameras_again_is_harmless),
    };
    return cmocka_run_group_tests_name("camera", tests, NULL, NULL);
}
