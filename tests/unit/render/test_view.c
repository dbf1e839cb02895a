/* The view of a frame: matrices, reversed depth, jitter, frustum. On the null backend. */
#include "render_fixture.h"

#include <math.h>

static CnView seen;

static void take_view(CnFrame *frame, void *user)
{
    (void)user;
    seen = frame->view;
}

static CnVec2 jitter;

static bool setup(CnRenderer *renderer, void *self, const void *options, CnError *error)
{
    (void)renderer, (void)self, (void)options, (void)error;
    return true;
}

static void early(CnFrame *frame, void *self)
{
    (void)self;
    frame->view.jitter = jitter;
}

static void no_passes(CnFrame *frame, void *self)
{
    (void)frame, (void)self;
}

static const CnFeatureType jittering = {
    .name = "jitter", .setup = setup, .early_update = early, .add_passes = no_passes};

static void init(RenderFixture *fixture)
{
    assert_true(render_fixture_init(fixture, RENDER_NULL));
    jitter = (CnVec2){0, 0};
    render_fixture_add(fixture, &jittering, NULL);
    render_fixture_camera(fixture, cn_vec3(1, 2, 3), cn_vec3(1, 2, -3), 60);
    fixture->frame_desc.before_render = take_view;
}

/* On the image, in pixels, and its depth. */
static CnVec3 project(const CnMat4 *matrix, CnVec3 point)
{
    CnVec4 clip = cn_mat4_transform(matrix, (CnVec4){point.x, point.y, point.z, 1});
    return cn_vec3((clip.x / clip.w + 1) / 2 * RENDER_FIXTURE_WIDTH,
                   (clip.y / clip.w + 1) / 2 * RENDER_FIXTURE_HEIGHT, clip.z / clip.w);
}

static bool is_near(float a, float b)
{
    return fabsf(a - b) < 1e-3f;
}

static void depth_is_1_at_the_near_plane_and_0_at_the_far_one(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    for (int flat = 0; flat < 2; flat++) {
        fixture.snapshot.camera.height = flat ? 5 : 0;
        render_fixture_draw(&fixture, 1);
        assert_true(is_near(project(&seen.view_projection, cn_vec3(1, 2, 2.9f)).z, 1));
        assert_true(is_near(project(&seen.view_projection, cn_vec3(1, 2, 3 - 200)).z, 0));
    }
    render_fixture_fini(&fixture);
}

static void a_lens_replaces_that_of_the_camera(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    fixture.frame_desc.lens = (CnLens){.fov = 1.5f, .near_plane = 0.25f, .far_plane = 90};
    render_fixture_draw(&fixture, 1);
    assert_true(seen.fov == 1.5f && seen.near_plane == 0.25f && seen.far_plane == 90);
    fixture.frame_desc.lens = (CnLens){0};
    render_fixture_draw(&fixture, 1);
    assert_true(is_near(seen.fov, 60 * 3.14159265f / 180));
    render_fixture_fini(&fixture);
}

static void a_camera_of_the_frame_replaces_that_of_the_snapshots(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    fixture.frame_desc.camera = fixture.snapshot.camera;
    fixture.frame_desc.camera.position = cn_vec3(5, 6, 7);
    render_fixture_draw(&fixture, 1);
    assert_true(seen.position.x == 5 && seen.position.y == 6 && seen.position.z == 7);
    fixture.frame_desc.camera.valid = false;
    render_fixture_draw(&fixture, 1);
    assert_true(seen.position.x == 1 && seen.position.y == 2 && seen.position.z == 3);
    render_fixture_fini(&fixture);
}

static void what_is_ahead_is_in_the_middle_right_is_right_and_up_is_up(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    for (int flat = 0; flat < 2; flat++) {
        fixture.snapshot.camera.height = flat ? 5 : 0;
        render_fixture_draw(&fixture, 1);
        CnVec3 ahead = project(&seen.view_projection, cn_vec3(1, 2, -3));
        assert_true(is_near(ahead.x, 160) && is_near(ahead.y, 90));
        assert_true(project(&seen.view_projection, cn_vec3(1.5f, 2, -3)).x > 161);
        assert_true(project(&seen.view_projection, cn_vec3(1, 2.5f, -3)).y < 89);
    }
    render_fixture_fini(&fixture);
}

static void jitter_moves_the_image_by_so_many_pixels(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    jitter = (CnVec2){0.5f, -0.25f};
    for (int flat = 0; flat < 2; flat++) {
        fixture.snapshot.camera.height = flat ? 5 : 0;
        render_fixture_draw(&fixture, 1);
        CnVec3 steady = project(&seen.unjittered_view_projection, cn_vec3(2, 1, -9));
        CnVec3 moved = project(&seen.view_projection, cn_vec3(2, 1, -9));
        assert_true(is_near(moved.x - steady.x, 0.5f) && is_near(moved.y - steady.y, -0.25f));
    }
    render_fixture_fini(&fixture);
}

static void the_inverse_leads_back(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    jitter = (CnVec2){0.5f, 0.5f};
    render_fixture_draw(&fixture, 1);
    CnVec4 clip = cn_mat4_transform(&seen.view_projection, (CnVec4){3, 1, -9, 1});
    CnVec4 back = cn_mat4_transform(&seen.inverse_view_projection, clip);
    assert_true(is_near(back.x / back.w, 3) && is_near(back.y / back.w, 1) &&
                is_near(back.z / back.w, -9));
    render_fixture_fini(&fixture);
}

static void the_last_view_is_that_of_the_last_frame_without_jitter(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    jitter = (CnVec2){0.5f, 0.5f};
    render_fixture_draw(&fixture, 1);
    assert_memory_equal(&seen.previous_view_projection, &seen.unjittered_view_projection,
                        sizeof(CnMat4));
    CnMat4 first = seen.unjittered_view_projection;
    fixture.snapshot.camera.position.x += 1;
    render_fixture_draw(&fixture, 1);
    assert_memory_equal(&seen.previous_view_projection, &first, sizeof(CnMat4));
    render_fixture_fini(&fixture);
}

static void the_camera_stands_between_two_snapshots(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    CnRenderSnapshot previous = fixture.snapshot;
    previous.tick = 0;
    previous.camera.position.x = 5;
    fixture.frame_desc.previous = &previous;
    fixture.frame_desc.alpha = 0.25f;
    render_fixture_draw(&fixture, 1);
    assert_true(is_near(seen.position.x, 4));
    render_fixture_fini(&fixture);
}

/* Points on a grid: inside of the frustum means on the image. */
static void the_frustum_is_what_the_image_shows(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    for (int flat = 0; flat < 2; flat++) {
        fixture.snapshot.camera.height = flat ? 5 : 0;
        render_fixture_draw(&fixture, 1);
        for (uint32_t i = 0; i < 1000; i++) {
            CnVec3 point = {(float)(i % 10) * 3.1f - 13, (float)(i / 10 % 10) * 3.1f - 13,
                            2.5f - (float)(i / 100) * 2.3f};
            CnVec3 p = project(&seen.unjittered_view_projection, point);
            bool is_seen =
                p.x >= 0 && p.x <= RENDER_FIXTURE_WIDTH && p.y >= 0 && p.y <= RENDER_FIXTURE_HEIGHT;
            assert_int_equal(cn_frustum_intersects_sphere(&seen.frustum, point, 0), is_seen);
        }
    }
    render_fixture_fini(&fixture);
}

static void a_camera_that_is_none_becomes_one(void **state)
{
    (void)state;
    RenderFixture fixture;
    init(&fixture);
    const CnRenderCamera bad[] = {
        {0},
        {.valid = true, .fov = 1, .near_plane = 1, .far_plane = 1},
        {.valid = true, .fov = NAN, .near_plane = 1, .far_plane = 9},
        {.valid = true, .position = {NAN, 0, 0}, .fov = 1, .near_plane = 1, .far_plane = 9},
        {.valid = true, .fov = 4, .near_plane = 1, .far_plane = 9}};
    for (uint32_t i = 0; i < CN_COUNT_OF(bad); i++) {
        fixture.snapshot.camera = bad[i];
        render_fixture_draw(&fixture, 1);
        for (uint32_t k = 0; k < 16; k++)
            assert_true(isfinite(seen.inverse_view_projection.m[k]));
        assert_true(is_near(seen.far_plane, 1000));
    }
    render_fixture_fini(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depth_is_1_at_the_near_plane_and_0_at_the_far_one),
        cmocka_unit_test(a_lens_replaces_that_of_the_camera),
        cmocka_unit_test(a_camera_of_the_frame_replaces_that_of_the_snapshots),
        cmocka_unit_test(what_is_ahead_is_in_the_middle_right_is_right_and_up_is_up),
        cmocka_unit_test(jitter_moves_the_image_by_so_many_pixels),
        cmocka_unit_test(the_inverse_leads_back),
        cmocka_unit_test(the_last_view_is_that_of_the_last_frame_without_jitter),
        cmocka_unit_test(the_camera_stands_between_two_snapshots),
        cmocka_unit_test(the_frustum_is_what_the_image_shows),
        cmocka_unit_test(a_camera_that_is_none_becomes_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
