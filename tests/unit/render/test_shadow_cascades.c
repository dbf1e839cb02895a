/* Where the cascades of the sun look. */
#include "cmocka_tests.h"
#include "random.h"

#include "render/feature/shadows.h"

#include <cairn/base/linear.h>

#include <math.h>

#define SIZE 1024u
#define DISTANCE 128.0f

static CniRenderCascade cascades[CNI_RENDER_MAX_CASCADES];

static CnView view_from(CnVec3 position, CnQuat rotation)
{
    return (CnView){.position = position,
                    .right = cn_quat_rotate(rotation, cn_vec3(1, 0, 0)),
                    .up = cn_quat_rotate(rotation, cn_vec3(0, 1, 0)),
                    .forward = cn_quat_rotate(rotation, cn_vec3(0, 0, -1)),
                    .near_plane = 0.1f,
                    .far_plane = 500,
                    .fov = 1.1f,
                    .aspect = 16.0f / 9};
}

static CnView plain_view(void)
{
    return view_from(cn_vec3(3, 2, 5), cn_quat_identity());
}

static const CnVec3 low_sun = {0.9f, -0.2f, 0.3f};

static void aim(const CnView *view, CnVec3 sun, uint32_t count)
{
    assert_true(cni_render_shadow_fit_cascades(view, sun, count, SIZE, DISTANCE, cascades));
}

static CnVec3 corner_of(const CnView *view, float distance, float x, float y)
{
    float half = view->fov > 0 ? distance * tanf(view->fov / 2) : view->height / 2;
    CnVec3 at = cn_vec3_add(view->position, cn_vec3_scale(view->forward, distance));
    at = cn_vec3_add(at, cn_vec3_scale(view->right, x * half * view->aspect));
    return cn_vec3_add(at, cn_vec3_scale(view->up, y * half));
}

static CnVec4 clip_of(const CniRenderCascade *cascade, CnVec3 p)
{
    return cn_mat4_transform(&cascade->world_to_clip, (CnVec4){p.x, p.y, p.z, 1});
}

static float random_between(TestRandom *random, float from, float to)
{
    return from + (to - from) * (float)test_random_unit(random);
}

static CnVec3 random_direction(TestRandom *random)
{
    CnVec3 v;
    do
        v = cn_vec3(random_between(random, -1, 1), random_between(random, -1, 1),
                    random_between(random, -1, 1));
    while (cn_vec3_length(v) < 0.1f);
    return cn_vec3_normalize(v);
}

static CnView random_view(TestRandom *random)
{
    CnQuat turn = cn_quat_from_axis(random_direction(random), random_between(random, 0, 6));
    CnVec3 at = cn_vec3_scale(random_direction(random), random_between(random, 0, 300));
    CnView view = view_from(at, turn);
    view.near_plane = random_between(random, 0.02f, 2);
    view.far_plane = random_between(random, 10, 1000);
    view.fov = test_random_chance(random, 25) ? 0 : random_between(random, 0.2f, 2.4f);
    view.height = random_between(random, 1, 60);
    view.aspect = random_between(random, 0.4f, 3);
    return view;
}

static void splits_grow_from_the_near_plane_to_the_distance(void **state)
{
    (void)state;
    CnView view = plain_view();
    aim(&view, low_sun, 4);
    assert_float_equal(cascades[0].from, view.near_plane, 1e-6);
    for (int i = 0; i < 4; i++) {
        assert_true(cascades[i].from < cascades[i].blend);
        assert_true(cascades[i].blend < cascades[i].to);
        assert_true(i == 0 || cascades[i].to > cascades[i - 1].to);
    }
    assert_float_equal(cascades[3].to, DISTANCE, 1e-3);
}

static void the_first_split_is_mostly_logarithmic(void **state)
{
    (void)state;
    CnView view = plain_view();
    aim(&view, low_sun, 3);
    float logarithmic = 0.1f * powf(1280, 1 / 3.0f), uniform = 0.1f + 127.9f / 3;
    assert_float_equal(cascades[0].to, 0.75f * logarithmic + 0.25f * uniform, 1e-3);
}

static void a_cascade_begins_where_blending_into_it_does(void **state)
{
    (void)state;
    CnView view = plain_view();
    aim(&view, low_sun, 3);
    for (int i = 1; i < 3; i++)
        assert_true(cascades[i].from == cascades[i - 1].blend);
}

static void the_band_is_a_fifth(void **state)
{
    (void)state;
    CnView view = plain_view();
    aim(&view, low_sun, 3);
    float length = cascades[1].to - cascades[0].to;
    assert_float_equal(cascades[1].to - cascades[1].blend, length / 5, 1e-3);
}

static void balls_hold_their_part_of_any_view(void **state)
{
    (void)state;
    TestRandom random = {1};
    for (int round = 0; round < 500; round++) {
        CnView view = random_view(&random);
        aim(&view, random_direction(&random), 3);
        for (int i = 0; i < 3; i++)
            for (int corner = 0; corner < 8; corner++) {
                CnVec3 p = corner_of(&view, corner & 1 ? cascades[i].from : cascades[i].to,
                                     corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
                float distance = cn_vec3_length(cn_vec3_sub(p, cascades[i].center));
                assert_true(distance <= cascades[i].radius * 1.0001f + 1e-3f);
            }
    }
}

static void maps_hold_their_part_of_any_view(void **state)
{
    (void)state;
    TestRandom random = {2};
    for (int round = 0; round < 500; round++) {
        CnView view = random_view(&random);
        aim(&view, random_direction(&random), 3);
        for (int i = 0; i < 3; i++)
            for (int corner = 0; corner < 8; corner++) {
                CnVec3 p = corner_of(&view, corner & 1 ? cascades[i].from : cascades[i].to,
                                     corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
                CnVec4 clip = clip_of(&cascades[i], p);
                assert_true(fabsf(clip.x) < 1 && fabsf(clip.y) < 1);
                assert_true(clip.z > 0 && clip.z < 1);
            }
    }
}

static void depth_grows_away_from_the_sun(void **state)
{
    (void)state;
    CnView view = plain_view();
    aim(&view, low_sun, 3);
    CnVec3 behind = cn_vec3_add(cascades[0].center, cn_vec3_normalize(low_sun));
    float step = clip_of(&cascades[0], behind).z - clip_of(&cascades[0], cascades[0].center).z;
    assert_float_equal(step * cascades[0].depth, 1, 1e-3);
}

/* Where a fixed point of the world lies in its texel. */
static float part_of_texel(const CniRenderCascade *cascade, int axis)
{
    CnVec4 clip = clip_of(cascade, cn_vec3(0, 0, 0));
    double texels = (double)(axis ? clip.y : clip.x) * SIZE / 2;
    return (float)(texels - floor(texels));
}

static void assert_same_part(float a, float b)
{
    float difference = fabsf(a - b);
    assert_true(difference < 0.01f || difference > 0.99f);
}

static void moving_shifts_maps_by_whole_texels(void **state)
{
    (void)state;
    CnView view = plain_view();
    aim(&view, low_sun, 3);
    float first[3][2];
    for (int i = 0; i < 3; i++)
        for (int axis = 0; axis < 2; axis++)
            first[i][axis] = part_of_texel(&cascades[i], axis);
    for (int step = 0; step < 300; step++) {
        view.position = cn_vec3_add(view.position, cn_vec3(0.0037f, 0.0011f, -0.0053f));
        aim(&view, low_sun, 3);
        for (int i = 0; i < 3; i++)
            for (int axis = 0; axis < 2; axis++)
                assert_same_part(first[i][axis], part_of_texel(&cascades[i], axis));
    }
}

static void turning_shifts_maps_by_whole_texels(void **state)
{
    (void)state;
    CnView view = plain_view();
    aim(&view, low_sun, 3);
    float first = part_of_texel(&cascades[1], 0), texel = cascades[1].texel;
    for (int step = 1; step < 300; step++) {
        CnQuat turn = cn_quat_from_axis(cn_vec3(0, 1, 0), 0.003f * (float)step);
        view = view_from(view.position, turn);
        aim(&view, low_sun, 3);
        assert_true(cascades[1].texel == texel);
        assert_same_part(first, part_of_texel(&cascades[1], 0));
    }
}

static void casters_towards_the_sun_count_however_far_they_are(void **state)
{
    (void)state;
    CnView view = plain_view();
    aim(&view, low_sun, 3);
    CnVec3 away = cn_vec3_scale(cn_vec3_normalize(low_sun), -5000);
    assert_true(cn_frustum_intersects_sphere(&cascades[0].casters,
                                             cn_vec3_add(cascades[0].center, away), 1));
}

static void casters_beside_the_map_do_not_count(void **state)
{
    (void)state;
    CnView view = plain_view();
    aim(&view, cn_vec3(0, -1, 0), 3);
    CnVec3 beside = cn_vec3(cascades[0].radius * 1.2f, 0, 0);
    assert_false(cn_frustum_intersects_sphere(&cascades[0].casters,
                                              cn_vec3_add(cascades[0].center, beside), 0.1f));
}

static void casters_behind_the_ball_do_not_count(void **state)
{
    (void)state;
    CnView view = plain_view();
    aim(&view, low_sun, 3);
    CnVec3 behind = cn_vec3_scale(cn_vec3_normalize(low_sun), cascades[0].radius * 1.2f);
    assert_false(cn_frustum_intersects_sphere(&cascades[0].casters,
                                              cn_vec3_add(cascades[0].center, behind), 0.1f));
}

static void shadows_end_with_the_view(void **state)
{
    (void)state;
    CnView view = plain_view();
    view.far_plane = 20;
    aim(&view, low_sun, 3);
    assert_float_equal(cascades[2].to, 20, 1e-3);
}

static void the_distance_of_an_orthographic_view_counts_from_its_near_plane(void **state)
{
    (void)state;
    CnView view = plain_view();
    view.fov = 0;
    view.height = 10;
    view.near_plane = -50;
    aim(&view, low_sun, 2);
    assert_float_equal(cascades[0].from, -50, 1e-3);
    assert_float_equal(cascades[1].to, -50 + DISTANCE, 1e-3);
}

static void assert_finite_matrix(const CnMat4 *matrix)
{
    for (int i = 0; i < 16; i++)
        assert_true(isfinite(matrix->m[i]));
}

static void a_vertical_sun_gives_numbers(void **state)
{
    (void)state;
    const CnVec3 suns[] = {{0, -1, 0}, {0, 1, 0}, {0, -1, 1e-20f}, {1e-4f, -1, 0}};
    CnView view = plain_view();
    for (size_t i = 0; i < sizeof suns / sizeof *suns; i++) {
        aim(&view, suns[i], 3);
        assert_finite_matrix(&cascades[0].world_to_clip);
    }
}

static void no_direction_gives_no_cascades(void **state)
{
    (void)state;
    CnView view = plain_view();
    assert_false(
        cni_render_shadow_fit_cascades(&view, cn_vec3(0, 0, 0), 3, SIZE, DISTANCE, cascades));
    assert_false(
        cni_render_shadow_fit_cascades(&view, cn_vec3(NAN, 1, 0), 3, SIZE, DISTANCE, cascades));
}

static void views_that_are_none_give_no_cascades(void **state)
{
    (void)state;
    CnView views[8];
    for (int i = 0; i < 8; i++)
        views[i] = plain_view();
    views[0] = (CnView){0};
    views[1].aspect = 0;
    views[2].far_plane = views[2].near_plane;
    views[3].near_plane = 0;
    views[4].near_plane = DISTANCE + 1;
    views[5].position.x = NAN;
    views[6].forward.y = INFINITY;
    views[7].fov = NAN;
    for (int i = 0; i < 8; i++)
        assert_false(
            cni_render_shadow_fit_cascades(&views[i], low_sun, 3, SIZE, DISTANCE, cascades));
}

static void far_from_the_origin_maps_still_hold_the_view(void **state)
{
    (void)state;
    CnView view = plain_view();
    view.position = cn_vec3(40000, 100, -30000);
    aim(&view, low_sun, 3);
    CnVec4 clip = clip_of(&cascades[0], corner_of(&view, cascades[0].to, 1, 1));
    assert_true(fabsf(clip.x) < 1 && fabsf(clip.y) < 1 && clip.z > 0 && clip.z < 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splits_grow_from_the_near_plane_to_the_distance),
        cmocka_unit_test(the_first_split_is_mostly_logarithmic),
        cmocka_unit_test(a_cascade_begins_where_blending_into_it_does),
        cmocka_unit_test(the_band_is_a_fifth),
        cmocka_unit_test(balls_hold_their_part_of_any_view),
        cmocka_unit_test(maps_hold_their_part_of_any_view),
        cmocka_unit_test(depth_grows_away_from_the_sun),
        cmocka_unit_test(moving_shifts_maps_by_whole_texels),
        cmocka_unit_test(turning_shifts_maps_by_whole_texels),
        cmocka_unit_test(casters_towards_the_sun_count_however_far_they_are),
        cmocka_unit_test(casters_beside_the_map_do_not_count),
        cmocka_unit_test(casters_behind_the_ball_do_not_count),
        cmocka_unit_test(shadows_end_with_the_view),
        cmocka_unit_test(the_distance_of_an_orthographic_view_counts_from_its_near_plane),
        cmocka_unit_test(a_vertical_sun_gives_numbers),
        cmocka_unit_test(no_direction_gives_no_cascades),
        cmocka_unit_test(views_that_are_none_give_no_cascades),
        cmocka_unit_test(far_from_the_origin_maps_still_hold_the_view),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
