/* test-labels: rendering */
/* What post features make of patterns whose results are known, on a real device with validation. */
#include "post_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int setup(void **state)
{
    static PostScene scene;
    *state = post_scene_init(&scene, CN_GPU_VULKAN) ? &scene : NULL;
    return 0;
}

static int teardown(void **state)
{
    if (*state)
        post_scene_fini(*state);
    return 0;
}

/* The scene, or the end of the test where there is no device. */
#define SCENE(state)                                                                               \
    PostScene *scene = *(state);                                                                   \
    if (!scene)                                                                                    \
    skip()

static const CnToneMapOptions plain = {.aces = CN_SWITCH_OFF};

/* In steps of 8 bits, not rounded. */
static double encoded(double linear)
{
    linear = linear < 0 ? 0 : linear > 1 ? 1 : linear;
    return 255 * (linear <= 0.0031308 ? linear * 12.92 : 1.055 * pow(linear, 1 / 2.4) - 0.055);
}

static double aces(double x)
{
    return x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14);
}

static double mean(const PostScene *scene, const uint8_t *pixels, uint32_t x, uint32_t y,
                   uint32_t width, uint32_t height)
{
    double sum = 0;
    for (uint32_t j = y; j < y + height; j++) {
        for (uint32_t i = x; i < x + width; i++)
            sum += post_scene_pixel(scene, pixels, i, j);
    }
    return sum / (width * height);
}

static double mean_of_all(const PostScene *scene, const uint8_t *pixels)
{
    return mean(scene, pixels, 0, 0, scene->width, scene->height);
}

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%g is not within %g of %g", value, tolerance, expected);
}

static void draw_flat(PostScene *scene, float value)
{
    scene->kind = POST_FLAT;
    scene->value = value;
}

/* ---- Tone map ---- */

static void black_and_white_are_exact(void **state)
{
    SCENE(state);
    post_scene_add(scene, &cn_feature_tone_map, NULL);
    for (uint32_t white = 0; white < 2; white++) {
        draw_flat(scene, white ? 60000.0f : 0.0f);
        const uint8_t *pixels = post_scene_pixels(scene);
        for (uint32_t i = 0; i < scene->width * scene->height * 4; i++)
            assert_int_equal(pixels[i], white || i % 4 == 3 ? 255 : 0);
    }
}

static void curve_and_encoding_are_as_written_down(void **state)
{
    SCENE(state);
    post_scene_add(scene, &cn_feature_tone_map, NULL);
    static const float values[] = {0.001f, 0.01f, 0.18f, 0.5f, 1.0f, 4.0f};
    for (size_t i = 0; i < CN_COUNT_OF(values); i++) {
        draw_flat(scene, values[i]);
        const uint8_t *pixels = post_scene_pixels(scene);
        assert_near(mean_of_all(scene, pixels), encoded(aces(values[i])), 0.05);
        for (uint32_t p = 0; p < scene->width * scene->height; p++)
            assert_near(pixels[p * 4], encoded(aces(values[i])), 1.5);
    }
}

static void exposure_multiplies(void **state)
{
    SCENE(state);
    post_scene_add(scene, &cn_feature_tone_map, &(CnToneMapOptions){2.5f, CN_SWITCH_OFF});
    draw_flat(scene, 0.2f);
    assert_near(mean_of_all(scene, post_scene_pixels(scene)), encoded(0.5), 0.1);
}

/* The mean of each column is what it should be: no band is wider or narrower than the colors are.
 */
static void gradient_has_no_bands(void **state)
{
    SCENE(state);
    post_scene_add(scene, &cn_feature_tone_map, &plain);
    scene->kind = POST_GRADIENT;
    scene->value = 0.05f;
    scene->width = 320;
    scene->height = 180;
    const uint8_t *pixels = post_scene_pixels(scene);
    for (uint32_t x = 0; x < scene->width; x++) {
        double expected = encoded(0.05 * (x + 0.5) / scene->width);
        /* Four standard deviations of a mean of 180: the noise of one pixel has 0.5 steps at most.
         */
        assert_near(mean(scene, pixels, x, 0, 1, scene->height), expected, 4 * 0.5 / sqrt(180));
    }
}

static void noise_stays_where_it_is(void **state)
{
    SCENE(state);
    post_scene_add(scene, &cn_feature_tone_map, NULL);
    draw_flat(scene, 0.3f);
    size_t bytes = (size_t)scene->width * scene->height * 4;
    uint8_t *first = malloc(bytes);
    assert_non_null(first);
    memcpy(first, post_scene_pixels(scene), bytes);
    assert_memory_equal(first, post_scene_pixels(scene), bytes);
    free(first);
}

/* ---- What is no color ---- */

/* All features; the gray image stays gray but for the bad pixels and those beside them. */
static void bad_pixels_do_not_spread(void **state)
{
    SCENE(state);
    static const CnFeatureType *const types[] = {&cn_feature_dof, &cn_feature_taa,
                                                 &cn_feature_bloom, &cn_feature_exposure};
    for (size_t i = 0; i < CN_COUNT_OF(types); i++)
        post_scene_add(scene, types[i], NULL);
    post_scene_add(scene, &cn_feature_tone_map, &plain);
    scene->kind = POST_BAD;
    scene->value = 0.18f;
    const uint8_t *pixels = NULL;
    for (uint32_t frame = 0; frame < 4; frame++)
        pixels = post_scene_pixels(scene);
    for (uint32_t y = 0; y < scene->height; y++) {
        for (uint32_t x = 0; x < scene->width; x++) {
            if (y + 20 < scene->height / 2 || y > scene->height / 2 + 20)
                assert_true(post_scene_pixel(scene, pixels, x, y) > 90);
        }
    }
}

static void tone_map_alone_keeps_bad_pixels_alone(void **state)
{
    SCENE(state);
    post_scene_add(scene, &cn_feature_tone_map, &plain);
    scene->kind = POST_BAD;
    scene->value = 0.18f;
    const uint8_t *pixels = post_scene_pixels(scene);
    static const uint8_t expected[3] = {0, 255, 0}; /* NaN, infinity, minus infinity */
    for (uint32_t x = 0; x < scene->width; x++) {
        uint8_t value = post_scene_pixel(scene, pixels, x, scene->height / 2);
        if (x % 16 == 8)
            assert_int_equal(value, expected[x / 16 % 3]);
        else
            assert_near(value, encoded(0.18), 1.5);
    }
}

/* ---- Bloom ---- */

static void what_is_dark_does_not_bloom(void **state)
{
    SCENE(state);
    post_scene_add(scene, &cn_feature_bloom, NULL);
    post_scene_add(scene, &cn_feature_tone_map, &plain);
    draw_flat(scene, 0.45f);
    assert_near(mean_of_all(scene, post_scene_pixels(scene)), encoded(0.45), 0.1);
}

/* All of an image of brightness 2: what is over the threshold, times the strength, comes on top.
 */
static void bloom_of_an_even_image_is_even(void **state)
{
    SCENE(state);
    static const uint32_t sizes[][2] = {{160, 90}, {321, 179}, {3, 5}, {1, 1}};
    post_scene_add(scene, &cn_feature_bloom, NULL);
    post_scene_add(scene, &cn_feature_tone_map, &(CnToneMapOptions){0.25f, CN_SWITCH_OFF});
    draw_flat(scene, 2);
    for (size_t i = 0; i < CN_COUNT_OF(sizes); i++) {
        scene->width = sizes[i][0];
        scene->height = sizes[i][1];
        const uint8_t *pixels = post_scene_pixels(scene);
        for (uint32_t p = 0; p < scene->width * scene->height; p++)
            assert_near(pixels[p * 4], encoded((2 + 0.3) * 0.25), 1.6);
    }
}

static void bloom_of_a_dot_is_round_and_fades(void **state)
{
    SCENE(state);
    post_scene_add(scene, &cn_feature_bloom, &(CnBloomOptions){.strength = 1});
    post_scene_add(scene, &cn_feature_tone_map, &(CnToneMapOptions){4, CN_SWITCH_OFF});
    scene->kind = POST_DOTS;
    scene->value = 200;
    scene->width = scene->height = 128;
    const uint8_t *pixels = post_scene_pixels(scene);
    const uint32_t dot = 96; /* the middle of the square one */
    uint8_t before = 255;
    for (uint32_t away = 4; away < 28; away++) {
        uint8_t right = post_scene_pixel(scene, pixels, dot + away, dot);
        uint8_t down = post_scene_pixel(scene, pixels, dot, dot + away);
        assert_near(right, down, 6);
        assert_true(right <= before + 2);
        before = right;
    }
}

/* ---- Auto exposure ---- */

static void first_frame_is_exposed_at_once(void **state)
{
    SCENE(state);
    post_scene_add(scene, &cn_feature_exposure, NULL);
    post_scene_add(scene, &cn_feature_tone_map, &plain);
    draw_flat(scene, 0.03f);
    /* A bin is 5 percent wide. */
    assert_near(mean_of_all(scene, post_scene_pixels(scene)), encoded(0.18), 3);
}

static void eye_takes_its_time(void **state)
{
    SCENE(state);
    post_scene_add(scene, &cn_feature_exposure, NULL);
    post_scene_add(scene, &cn_feature_tone_map, &plain);
    draw_flat(scene, 0.1f);
    post_scene_draw(scene);
    draw_flat(scene, 0.4f); /* exposure 1.8 until now, 0.45 at last */
    scene->delta = 0.1f;
    double share = 1 - exp(-0.1 * 1.5);
    assert_near(mean_of_all(scene, post_scene_pixels(scene)), encoded(0.4 * 1.8 * pow(0.25, share)),
                4);
    scene->delta = 20;
    assert_near(mean_of_all(scene, post_scene_pixels(scene)), encoded(0.18), 3);
}

static void exposure_stays_in_its_limits(void **state)
{
    SCENE(state);
    post_scene_add(scene, &cn_feature_exposure,
                   &(CnExposureOptions){.minimum = 0.5f, .maximum = 2});
    post_scene_add(scene, &cn_feature_tone_map, &plain);
    scene->delta = 100;
    draw_flat(scene, 0.02f);
    assert_near(mean_of_all(scene, post_scene_pixels(scene)), encoded(0.04), 1);
    draw_flat(scene, 1);
    assert_near(mean_of_all(scene, post_scene_pixels(scene)), encoded(0.5), 1);
}

static void the_middle_becomes_the_key(void **state)
{
    SCENE(state);
    post_scene_add(scene, &cn_feature_exposure, &(CnExposureOptions){.key = 0.4f});
    post_scene_add(scene, &cn_feature_tone_map, &plain);
    draw_flat(scene, 0.1f);
    assert_near(mean_of_all(scene, post_scene_pixels(scene)), encoded(0.4), 4);
}

/* From 0.04 to a key of 0.36: all of the way is 9 times as bright, half of it 3 times. */
static void strength_is_how_much_of_the_way_an_eye_goes(void **state)
{
    SCENE(state);
    post_scene_add(scene, &cn_feature_exposure,
                   &(CnExposureOptions){.key = 0.36f, .strength = 0.5f, .maximum = 20});
    post_scene_add(scene, &cn_feature_tone_map, &plain);
    draw_flat(scene, 0.04f);
    assert_near(mean_of_all(scene, post_scene_pixels(scene)), encoded(0.12), 2);
}

static void black_image_keeps_the_exposure(void **state)
{
    SCENE(state);
    post_scene_add(scene, &cn_feature_exposure, NULL);
    post_scene_add(scene, &cn_feature_tone_map, &plain);
    scene->delta = 1;
    draw_flat(scene, 0.09f); /* exposure 2 */
    post_scene_draw(scene);
    draw_flat(scene, 0);
    post_scene_draw(scene);
    draw_flat(scene, 0.09f);
    scene->delta = 0;
    assert_near(mean_of_all(scene, post_scene_pixels(scene)), encoded(0.18), 3);
}

/* ---- Depth of field ---- */

static float depth_at(const PostScene *scene, float distance)
{
    float near = scene->camera.near_plane, far = scene->camera.far_plane;
    return near * (far - distance) / (distance * (far - near));
}

/* In front of a black and blurred background stands a sharp white wall: nothing of it is in the
 * blur. */
static void what_is_sharp_does_not_bleed(void **state)
{
    SCENE(state);
    post_scene_add(scene, &cn_feature_dof, &(CnDofOptions){.radius = 60});
    post_scene_add(scene, &cn_feature_tone_map, &plain);
    scene->kind = POST_EDGE;
    scene->value = depth_at(scene, 8);
    const uint8_t *pixels = post_scene_pixels(scene);
    for (uint32_t x = 0; x < scene->width; x++) {
        uint8_t value = post_scene_pixel(scene, pixels, x, scene->height / 2);
        if (x < scene->width / 2)
            assert_int_equal(value, 255);
        else
            assert_true(value < 8);
    }
}

/* A white wall before the focus is blurred over what is behind it. */
static void what_is_near_is_blurred_over_the_edge(void **state)
{
    SCENE(state);
    post_scene_add(scene, &cn_feature_dof,
                   &(CnDofOptions){.focus = 150, .range = 100, .radius = 60});
    post_scene_add(scene, &cn_feature_tone_map, &plain);
    scene->kind = POST_EDGE;
    scene->value = depth_at(scene, 10);
    const uint8_t *pixels = post_scene_pixels(scene);
    uint8_t before = 255;
    for (uint32_t x = scene->width / 2 - 8; x < scene->width / 2 + 8; x++) {
        uint8_t value = post_scene_pixel(scene, pixels, x, scene->height / 2);
        assert_true(value <= before + 3);
        before = value;
    }
    assert_in_range(post_scene_pixel(scene, pixels, scene->width / 2 + 1, scene->height / 2), 40,
                    250);
}

static void focus_leaves_the_image_alone(void **state)
{
    SCENE(state);
    post_scene_add(scene, &cn_feature_dof, &(CnDofOptions){.range = 1e6f});
    post_scene_add(scene, &cn_feature_tone_map, &plain);
    scene->kind = POST_GRADIENT;
    scene->value = 1;
    const uint8_t *pixels = post_scene_pixels(scene);
    for (uint32_t x = 0; x < scene->width; x++)
        assert_near(post_scene_pixel(scene, pixels, x, 3), encoded((x + 0.5) / scene->width), 1.6);
}

/* ---- Ambient occlusion ---- */

static void add_ao(PostScene *scene)
{
    post_scene_add(scene, &cn_feature_ao, NULL);
    post_scene_add_show_ao(scene);
    post_scene_add(scene, &cn_feature_tone_map, &plain);
}

static void flat_wall_is_open_up_to_the_border(void **state)
{
    SCENE(state);
    add_ao(scene);
    draw_flat(scene, 1); /* all at depth 0.5 */
    scene->camera.rotation = cn_quat_identity();
    for (uint32_t normals = 0; normals < 2; normals++) {
        scene->no_normal = !normals;
        const uint8_t *pixels = post_scene_pixels(scene);
        for (uint32_t p = 0; p < scene->width * scene->height; p++)
            assert_true(pixels[p * 4] >= 252);
    }
}

static void corners_are_dark_and_the_sky_is_open(void **state)
{
    SCENE(state);
    add_ao(scene);
    scene->width = 320;
    scene->height = 180;
    for (uint32_t normals = 0; normals < 2; normals++) {
        scene->no_normal = !normals;
        const uint8_t *pixels = post_scene_pixels(scene);
        double sky = mean(scene, pixels, 0, 0, 320, 20), lowest = 255;
        for (uint32_t y = 0; y < scene->height; y++) {
            for (uint32_t x = 0; x < scene->width; x++)
                lowest = fmin(lowest, post_scene_pixel(scene, pixels, x, y));
        }
        assert_near(sky, 255, 0.01);
        assert_true(mean(scene, pixels, 0, 160, 1, 20) > 253); /* the floor, at the borders */
        assert_true(mean(scene, pixels, 319, 160, 1, 20) > 253);
        assert_true(mean(scene, pixels, 0, 179, 320, 1) > 253);
        assert_true(lowest < 160);
        assert_true(lowest > 10);
        assert_true(mean_of_all(scene, pixels) > 200);
    }
}

/* ---- All of them ---- */

static void gray_stays_gray_at_every_size(void **state)
{
    SCENE(state);
    static const uint32_t sizes[][2] = {{1, 1}, {3, 5}, {2, 64}, {321, 179}, {17, 1}};
    static const CnFeatureType *const types[] = {&cn_feature_ao, &cn_feature_dof, &cn_feature_taa,
                                                 &cn_feature_bloom};
    for (size_t i = 0; i < CN_COUNT_OF(types); i++)
        post_scene_add(scene, types[i], NULL);
    post_scene_add(scene, &cn_feature_tone_map, &plain);
    draw_flat(scene, 0.3f);
    for (size_t i = 0; i < CN_COUNT_OF(sizes); i++) {
        scene->width = sizes[i][0];
        scene->height = sizes[i][1];
        post_scene_draw(scene);
        const uint8_t *pixels = post_scene_pixels(scene);
        for (uint32_t p = 0; p < scene->width * scene->height; p++)
            assert_near(pixels[p * 4], encoded(0.3), 1.6);
    }
}

/* Shown through occlusion: 1, whatever the size. */
static void occlusion_at_every_size(void **state)
{
    SCENE(state);
    static const uint32_t sizes[][2] = {{1, 1}, {3, 5}, {2, 64}, {321, 179}, {17, 1}};
    post_scene_add(scene, &cn_feature_ao, NULL);
    post_scene_add_show_ao(scene);
    post_scene_add(scene, &cn_feature_tone_map, &plain);
    draw_flat(scene, 0.3f);
    scene->camera.rotation = cn_quat_identity();
    for (size_t i = 0; i < CN_COUNT_OF(sizes); i++) {
        scene->width = sizes[i][0];
        scene->height = sizes[i][1];
        const uint8_t *pixels = post_scene_pixels(scene);
        for (uint32_t p = 0; p < scene->width * scene->height; p++)
            assert_true(pixels[p * 4] >= 250);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(black_and_white_are_exact),
        TEST(curve_and_encoding_are_as_written_down),
        TEST(exposure_multiplies),
        TEST(gradient_has_no_bands),
        TEST(noise_stays_where_it_is),
        TEST(bad_pixels_do_not_spread),
        TEST(tone_map_alone_keeps_bad_pixels_alone),
        TEST(what_is_dark_does_not_bloom),
        TEST(bloom_of_an_even_image_is_even),
        TEST(bloom_of_a_dot_is_round_and_fades),
        TEST(first_frame_is_exposed_at_once),
        TEST(eye_takes_its_time),
        TEST(exposure_stays_in_its_limits),
        TEST(the_middle_becomes_the_key),
        TEST(strength_is_how_much_of_the_way_an_eye_goes),
        TEST(black_image_keeps_the_exposure),
        TEST(what_is_sharp_does_not_bleed),
        TEST(what_is_near_is_blurred_over_the_edge),
        TEST(focus_leaves_the_image_alone),
        TEST(flat_wall_is_open_up_to_the_border),
        TEST(corners_are_dark_and_the_sky_is_open),
        TEST(gray_stays_gray_at_every_size),
        TEST(occlusion_at_every_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
