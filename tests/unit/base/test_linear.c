/* Vectors, rotations and matrices. */
#include "cmocka_tests.h"

#include <cairn/base/linear.h>

#define assert_near(a, b, tolerance)                                                               \
    assert_true(cn_fabs((double)(a) - (double)(b)) <= (double)(tolerance))

static void assert_vec3(CnVec3 a, CnVec3 b, double tolerance)
{
    assert_near(a.x, b.x, tolerance);
    assert_near(a.y, b.y, tolerance);
    assert_near(a.z, b.z, tolerance);
}

/* The same rotation: q and -q turn alike. */
static void assert_rotation(CnQuat a, CnQuat b, double tolerance)
{
    float dot = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    float sign = dot < 0 ? -1.0f : 1.0f;
    assert_near(a.x, sign * b.x, tolerance);
    assert_near(a.y, sign * b.y, tolerance);
    assert_near(a.z, sign * b.z, tolerance);
    assert_near(a.w, sign * b.w, tolerance);
}

static void yaw_turns_forward_to_the_left(void **state)
{
    (void)state;
    CnVec3 nose = cn_quat_rotate(cn_quat_from_euler(cn_vec3(0, 90, 0)), cn_vec3(0, 0, -1));
    assert_vec3(nose, cn_vec3(-1, 0, 0), 1e-6);
}

static void pitch_turns_forward_up(void **state)
{
    (void)state;
    CnVec3 nose = cn_quat_rotate(cn_quat_from_euler(cn_vec3(90, 0, 0)), cn_vec3(0, 0, -1));
    assert_vec3(nose, cn_vec3(0, 1, 0), 1e-6);
}

static void roll_comes_first_then_pitch_then_yaw(void **state)
{
    (void)state;
    CnQuat x = cn_quat_from_axis(cn_vec3(1, 0, 0), 0.5f),
           y = cn_quat_from_axis(cn_vec3(0, 1, 0), 1),
           z = cn_quat_from_axis(cn_vec3(0, 0, 1), 1.5f);
    float degrees = (float)(180 / CN_PI);
    CnQuat euler = cn_quat_from_euler(cn_vec3(0.5f * degrees, degrees, 1.5f * degrees));
    assert_rotation(euler, cn_quat_mul(y, cn_quat_mul(x, z)), 1e-6);
}

static void euler_angles_survive_the_way_through_a_quaternion(void **state)
{
    (void)state;
    for (int x = -89; x <= 89; x += 13)
        for (int y = -179; y <= 180; y += 17)
            for (int z = -179; z <= 180; z += 19) {
                CnVec3 euler = cn_vec3((float)x, (float)y, (float)z);
                CnVec3 back = cn_quat_to_euler(cn_quat_from_euler(euler));
                assert_vec3(back, euler, x == -89 || x == 89 ? 1e-3 : 1e-4);
            }
}

static void straight_up_or_down_all_turning_is_yaw(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2)
        for (int y = -170; y <= 170; y += 20)
            for (int z = -170; z <= 170; z += 20) {
                CnQuat q = cn_quat_from_euler(cn_vec3(90.0f * (float)sign, (float)y, (float)z));
                CnVec3 back = cn_quat_to_euler(q);
                assert_near(back.x, 90 * sign, 1e-3);
                assert_true(back.z == 0);
                assert_rotation(cn_quat_from_euler(back), q, 1e-6);
            }
}

static void a_half_turn_is_180_and_not_minus_180(void **state)
{
    (void)state;
    CnVec3 back = cn_quat_to_euler(cn_quat_from_euler(cn_vec3(0, -180, 0)));
    assert_true(back.y == 180);
}

static void huge_angles_are_reduced_exactly(void **state)
{
    (void)state;
    assert_rotation(cn_quat_from_euler(cn_vec3(0, 360.0f * 4096 + 90, 0)),
                    cn_quat_from_euler(cn_vec3(0, 90, 0)), 0);
}

static void nothing_to_normalize_is_no_rotation(void **state)
{
    (void)state;
    CnQuat zero = {0, 0, 0, 0}, nan = {CN_NANF, 0, 0, 1}, inf = {__builtin_inff(), 0, 0, 1};
    assert_rotation(cn_quat_normalize(zero), cn_quat_identity(), 0);
    assert_rotation(cn_quat_normalize(nan), cn_quat_identity(), 0);
    assert_rotation(cn_quat_normalize(inf), cn_quat_identity(), 0);
}

static void tiny_and_huge_quaternions_are_normalized(void **state)
{
    (void)state;
    CnQuat tiny = {1e-40f, 0, 0, 0}, huge = {0, 3e38f, 0, 3e38f};
    assert_rotation(cn_quat_normalize(tiny), (CnQuat){1, 0, 0, 0}, 0);
    assert_rotation(cn_quat_normalize(huge), cn_quat_from_euler(cn_vec3(0, 90, 0)), 1e-7);
}

static void rotating_with_the_inverse_comes_back(void **state)
{
    (void)state;
    CnQuat q = cn_quat_from_euler(cn_vec3(30, 40, 50));
    CnVec3 v = cn_vec3(1, -2, 3);
    assert_vec3(cn_quat_rotate(cn_quat_inverse(q), cn_quat_rotate(q, v)), v, 1e-6);
}

static void a_rotation_survives_the_way_through_a_matrix(void **state)
{
    (void)state;
    for (int x = -180; x <= 180; x += 45)
        for (int y = -180; y <= 180; y += 45)
            for (int z = -180; z <= 180; z += 45) {
                CnQuat q = cn_quat_from_euler(cn_vec3((float)x, (float)y, (float)z));
                CnAffine m = cn_affine_from_trs(cn_vec3(0, 0, 0), q, cn_vec3(1, 1, 1));
                assert_rotation(cn_quat_from_affine(&m), q, 1e-6);
            }
}

static void the_matrix_of_a_rotation_turns_like_it(void **state)
{
    (void)state;
    CnQuat q = cn_quat_from_euler(cn_vec3(10, 20, 30));
    CnAffine m = cn_affine_from_trs(cn_vec3(0, 0, 0), q, cn_vec3(1, 1, 1));
    CnVec3 v = cn_vec3(3, 5, 7);
    assert_vec3(cn_affine_point(&m, v), cn_quat_rotate(q, v), 1e-5);
}

static void look_turns_forward_and_keeps_up(void **state)
{
    (void)state;
    CnVec3 forward = cn_vec3_normalize(cn_vec3(1, 2, 3));
    CnQuat q = cn_quat_look(cn_vec3(1, 2, 3), cn_vec3(0, 1, 0));
    assert_vec3(cn_quat_rotate(q, cn_vec3(0, 0, -1)), forward, 1e-6);
    assert_near(cn_quat_rotate(q, cn_vec3(1, 0, 0)).y, 0, 1e-6);
    assert_true(cn_quat_rotate(q, cn_vec3(0, 1, 0)).y > 0);
}

static void looking_along_up_is_a_rotation(void **state)
{
    (void)state;
    CnQuat down = cn_quat_look(cn_vec3(0, -2, 0), cn_vec3(0, 1, 0));
    CnQuat up = cn_quat_look(cn_vec3(0, 5, 0), cn_vec3(0, 1, 0));
    CnQuat side = cn_quat_look(cn_vec3(4, 0, 0), cn_vec3(1, 0, 0));
    assert_rotation(down, cn_quat_from_euler(cn_vec3(-90, 0, 0)), 1e-6);
    assert_rotation(up, cn_quat_from_euler(cn_vec3(90, 0, 0)), 1e-6);
    assert_vec3(cn_quat_rotate(side, cn_vec3(0, 0, -1)), cn_vec3(1, 0, 0), 1e-6);
}

static void looking_nowhere_is_no_rotation(void **state)
{
    (void)state;
    assert_rotation(cn_quat_look(cn_vec3(0, 0, 0), cn_vec3(0, 1, 0)), cn_quat_identity(), 0);
}

static void slerp_turns_at_constant_speed(void **state)
{
    (void)state;
    CnQuat a = cn_quat_from_euler(cn_vec3(0, 10, 0)), b = cn_quat_from_euler(cn_vec3(0, 130, 0));
    for (int i = 0; i <= 12; i++)
        assert_rotation(cn_quat_slerp(a, b, (float)i / 12),
                        cn_quat_from_euler(cn_vec3(0, 10.0f + 10.0f * (float)i, 0)), 1e-6);
}

static void slerp_takes_the_shorter_way(void **state)
{
    (void)state;
    CnQuat a = cn_quat_from_euler(cn_vec3(0, 170, 0)), b = cn_quat_from_euler(cn_vec3(0, -170, 0));
    assert_rotation(cn_quat_slerp(a, b, 0.5f), cn_quat_from_euler(cn_vec3(0, 180, 0)), 1e-6);
}

static void slerp_between_equal_rotations_stays(void **state)
{
    (void)state;
    CnQuat a = cn_quat_from_euler(cn_vec3(1, 2, 3)), opposite = {-a.x, -a.y, -a.z, -a.w};
    assert_rotation(cn_quat_slerp(a, a, 0.3f), a, 1e-7);
    assert_rotation(cn_quat_slerp(a, opposite, 0.3f), a, 1e-7);
}

static CnAffine sample(CnVec3 scale)
{
    return cn_affine_from_trs(cn_vec3(1, 2, 3), cn_quat_from_euler(cn_vec3(20, 30, 40)), scale);
}

static void a_matrix_gives_back_position_rotation_and_scale(void **state)
{
    (void)state;
    CnVec3 position, scale;
    CnQuat rotation;
    CnAffine m = sample(cn_vec3(2, 3, 0.5f));
    cn_affine_to_trs(&m, &position, &rotation, &scale);
    assert_vec3(position, cn_vec3(1, 2, 3), 0);
    assert_rotation(rotation, cn_quat_from_euler(cn_vec3(20, 30, 40)), 1e-6);
    assert_vec3(scale, cn_vec3(2, 3, 0.5f), 1e-6);
}

static void a_mirror_on_any_axis_is_found_in_x(void **state)
{
    (void)state;
    const CnVec3 mirrors[] = {{-2, 3, 4}, {2, -3, 4}, {2, 3, -4}, {-2, -3, -4}};
    for (int i = 0; i < 4; i++) {
        CnVec3 position, scale;
        CnQuat rotation;
        CnAffine m = sample(mirrors[i]);
        cn_affine_to_trs(&m, &position, &rotation, &scale);
        assert_vec3(scale, cn_vec3(-2, 3, 4), 1e-5);
        CnAffine back = cn_affine_from_trs(position, rotation, scale);
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 4; k++)
                assert_near(back.m[j][k], m.m[j][k], 1e-5);
    }
}

static void an_axis_without_size_still_has_a_rotation(void **state)
{
    (void)state;
    const CnVec3 flat[] = {{0, 1, 1}, {1, 0, 1}, {1, 1, 0}};
    for (int i = 0; i < 3; i++) {
        CnVec3 position, scale;
        CnQuat rotation;
        CnAffine m = sample(flat[i]);
        cn_affine_to_trs(&m, &position, &rotation, &scale);
        assert_vec3(scale, flat[i], 1e-6);
        assert_rotation(rotation, cn_quat_from_euler(cn_vec3(20, 30, 40)), 1e-6);
    }
}

static void a_product_does_the_right_one_first(void **state)
{
    (void)state;
    CnAffine move = cn_affine_from_trs(cn_vec3(1, 0, 0), cn_quat_identity(), cn_vec3(1, 1, 1));
    CnAffine grow = cn_affine_from_trs(cn_vec3(0, 0, 0), cn_quat_identity(), cn_vec3(2, 2, 2));
    CnAffine both = cn_affine_mul(&move, &grow);
    assert_vec3(cn_affine_point(&both, cn_vec3(1, 1, 1)), cn_vec3(3, 2, 2), 0);
}

static void directions_are_not_moved(void **state)
{
    (void)state;
    CnAffine move = cn_affine_from_trs(cn_vec3(9, 9, 9), cn_quat_identity(), cn_vec3(2, 2, 2));
    assert_vec3(cn_affine_direction(&move, cn_vec3(1, 2, 3)), cn_vec3(2, 4, 6), 0);
}

static void the_inverse_undoes(void **state)
{
    (void)state;
    CnAffine m = sample(cn_vec3(2, -3, 0.001f)), inverse = cn_affine_inverse(&m);
    CnVec3 p = cn_vec3(5, 6, 7);
    assert_vec3(cn_affine_point(&inverse, cn_affine_point(&m, p)), p, 1e-2);
    CnAffine tiny = sample(cn_vec3(1e-15f, 1e-15f, 1e-15f)), large = cn_affine_inverse(&tiny);
    assert_near(cn_affine_direction(&large, cn_affine_direction(&tiny, p)).z, 7, 1e-5);
}

static void what_has_no_inverse_gives_zeros(void **state)
{
    (void)state;
    CnAffine flat = sample(cn_vec3(1, 1, 0)), nan = sample(cn_vec3(CN_NANF, 1, 1));
    CnAffine results[] = {cn_affine_inverse(&flat), cn_affine_inverse(&nan)};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 12; j++)
            assert_true(results[i].m[j / 4][j % 4] == 0);
    CnMat4 zero = {{0}}, inverse = cn_mat4_inverse(&zero);
    for (int i = 0; i < 16; i++)
        assert_true(inverse.m[i] == 0);
}

static void a_4x4_matrix_times_its_inverse_is_the_identity(void **state)
{
    (void)state;
    CnAffine affine = sample(cn_vec3(1, 2, 3));
    CnMat4 view = cn_affine_to_mat4(&affine), lens = cn_mat4_perspective(70, 1.5f, 0.1f, 100);
    CnMat4 m = cn_mat4_mul(&lens, &view), inverse = cn_mat4_inverse(&m);
    CnMat4 product = cn_mat4_mul(&m, &inverse), identity = cn_mat4_identity();
    for (int i = 0; i < 16; i++)
        assert_near(product.m[i], identity.m[i], 1e-4);
}

static CnVec3 project(const CnMat4 *lens, float x, float y, float z)
{
    CnVec4 v = cn_mat4_transform(lens, (CnVec4){x, y, z, 1});
    return cn_vec3(v.x / v.w, v.y / v.w, v.z / v.w);
}

static void perspective_goes_to_vulkans_clip_space(void **state)
{
    (void)state;
    CnMat4 lens = cn_mat4_perspective(90, 2, 1, 100);
    assert_vec3(project(&lens, 0, 0, -1), cn_vec3(0, 0, 0), 1e-6);   /* near: depth 0 */
    assert_vec3(project(&lens, 0, 0, -100), cn_vec3(0, 0, 1), 1e-6); /* far: depth 1 */
    assert_vec3(project(&lens, 20, 10, -10), cn_vec3(1, -1, 0.909090909f), 1e-6); /* top right */
}

static void orthographic_goes_to_vulkans_clip_space(void **state)
{
    (void)state;
    CnMat4 lens = cn_mat4_orthographic(10, 2, 1, 101);
    assert_vec3(project(&lens, 0, 0, -1), cn_vec3(0, 0, 0), 1e-6);
    assert_vec3(project(&lens, 10, 5, -101), cn_vec3(1, -1, 1), 1e-6);
    assert_vec3(project(&lens, -10, -5, -51), cn_vec3(-1, 1, 0.5f), 1e-6);
}

static void an_affine_matrix_and_its_4x4_form_do_the_same(void **state)
{
    (void)state;
    CnAffine a = sample(cn_vec3(1, 2, 3));
    CnMat4 m = cn_affine_to_mat4(&a);
    CnVec4 v = cn_mat4_transform(&m, (CnVec4){4, 5, 6, 1});
    assert_vec3(cn_affine_point(&a, cn_vec3(4, 5, 6)), cn_vec3(v.x, v.y, v.z), 1e-5);
    assert_true(v.w == 1);
}

static void vectors_add_scale_and_cross(void **state)
{
    (void)state;
    CnVec3 x = cn_vec3(1, 0, 0), y = cn_vec3(0, 1, 0);
    assert_vec3(cn_vec3_cross(x, y), cn_vec3(0, 0, 1), 0);
    assert_vec3(cn_vec3_lerp(x, y, 0.25f), cn_vec3(0.75f, 0.25f, 0), 0);
    assert_vec3(cn_vec3_normalize(cn_vec3(0, 0, 0)), cn_vec3(0, 0, 0), 0);
    assert_near(cn_vec3_length(cn_vec3(3, 4, 12)), 13, 0);
}

static void a_quaternion_from_outside_is_made_a_unit(void **state)
{
    (void)state;
    CnQuat q = {2, 0, 0, 2}, tiny = {0, 1e-40f, 0, 0}, huge = {0, 0, 3e38f, -3e38f};
    assert_true(cn_quat_make_unit(&q) && cn_quat_make_unit(&tiny) && cn_quat_make_unit(&huge));
    assert_rotation(q, (CnQuat){0.70710678f, 0, 0, 0.70710678f}, 1e-7);
    assert_rotation(tiny, (CnQuat){0, 1, 0, 0}, 1e-7);
    assert_rotation(huge, (CnQuat){0, 0, 0.70710678f, -0.70710678f}, 1e-7);
}

static void a_unit_quaternion_keeps_its_bits(void **state)
{
    (void)state;
    for (int i = 0; i < 1000; i++) {
        CnQuat q =
            cn_quat_from_euler(cn_vec3((float)i * 0.37f, (float)i * 1.13f, (float)i * 2.71f));
        CnQuat same = q;
        assert_true(cn_quat_make_unit(&same));
        assert_memory_equal(&same, &q, sizeof q);
    }
}

static void what_is_no_rotation_is_not_made_one(void **state)
{
    (void)state;
    const CnQuat bad[] = {{0, 0, 0, 0}, {CN_NANF, 0, 0, 1}, {0, __builtin_inff(), 0, 1}};
    for (size_t i = 0; i < CN_COUNT_OF(bad); i++) {
        CnQuat q = bad[i];
        assert_false(cn_quat_make_unit(&q));
        assert_memory_equal(&q, &bad[i], sizeof q);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(yaw_turns_forward_to_the_left),
        cmocka_unit_test(pitch_turns_forward_up),
        cmocka_unit_test(roll_comes_first_then_pitch_then_yaw),
        cmocka_unit_test(euler_angles_survive_the_way_through_a_quaternion),
        cmocka_unit_test(straight_up_or_down_all_turning_is_yaw),
        cmocka_unit_test(a_half_turn_is_180_and_not_minus_180),
        cmocka_unit_test(huge_angles_are_reduced_exactly),
        cmocka_unit_test(nothing_to_normalize_is_no_rotation),
        cmocka_unit_test(tiny_and_huge_quaternions_are_normalized),
        cmocka_unit_test(rotating_with_the_inverse_comes_back),
        cmocka_unit_test(a_rotation_survives_the_way_through_a_matrix),
        cmocka_unit_test(the_matrix_of_a_rotation_turns_like_it),
        cmocka_unit_test(look_turns_forward_and_keeps_up),
        cmocka_unit_test(looking_along_up_is_a_rotation),
        cmocka_unit_test(looking_nowhere_is_no_rotation),
        cmocka_unit_test(slerp_turns_at_constant_speed),
        cmocka_unit_test(slerp_takes_the_shorter_way),
        cmocka_unit_test(slerp_between_equal_rotations_stays),
        cmocka_unit_test(a_matrix_gives_back_position_rotation_and_scale),
        cmocka_unit_test(a_mirror_on_any_axis_is_found_in_x),
        cmocka_unit_test(an_axis_without_size_still_has_a_rotation),
        cmocka_unit_test(a_product_does_the_right_one_first),
        cmocka_unit_test(directions_are_not_moved),
        cmocka_unit_test(the_inverse_undoes),
        cmocka_unit_test(what_has_no_inverse_gives_zeros),
        cmocka_unit_test(a_4x4_matrix_times_its_inverse_is_the_identity),
        cmocka_unit_test(perspective_goes_to_vulkans_clip_space),
        cmocka_unit_test(orthographic_goes_to_vulkans_clip_space),
        cmocka_unit_test(an_affine_matrix_and_its_4x4_form_do_the_same),
        cmocka_unit_test(vectors_add_scale_and_cross),
        cmocka_unit_test(a_quaternion_from_outside_is_made_a_unit),
        cmocka_unit_test(a_unit_quaternion_keeps_its_bits),
        cmocka_unit_test(what_is_no_rotation_is_not_made_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
