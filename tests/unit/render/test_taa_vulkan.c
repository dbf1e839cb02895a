/* test-labels: rendering */
/* Temporal anti-aliasing on a real device: what still and moving images become. */
#include "post_scene.h"

#include <stdlib.h>
#include <string.h>

#define JITTERS 16u

static int setup(void **state)
{
    static PostScene scene;
    *state = NULL;
    if (post_scene_init(&scene, CN_GPU_VULKAN)) {
        scene.width = 192;
        scene.height = 108;
        *state = &scene;
    }
    return 0;
}

static int teardown(void **state)
{
    if (*state)
        post_scene_fini(*state);
    return 0;
}

#define SCENE(state)                                                                               \
    PostScene *scene = *(state);                                                                   \
    if (!scene)                                                                                    \
    skip()

static size_t image_bytes(const PostScene *scene)
{
    return (size_t)scene->width * scene->height * 4;
}

static uint8_t *copy_of(const PostScene *scene, const uint8_t *pixels)
{
    uint8_t *copy = malloc(image_bytes(scene));
    assert_non_null(copy);
    memcpy(copy, pixels, image_bytes(scene));
    return copy;
}

static void nothing(CnFrame *frame, void *self)
{
    (void)frame, (void)self;
}

/* The mean of all jitters, drawn without history. Leaves TAA off. */
static uint8_t *draw_supersampled(PostScene *scene, CnFeature *taa)
{
    CnFeatureType jitter = cn_feature_taa;
    jitter.add_passes = nothing;
    cn_feature_set_enabled(taa, false);
    CnFeature *feature = post_scene_add(scene, &jitter, NULL);
    size_t bytes = image_bytes(scene);
    uint32_t *sums = calloc(bytes, sizeof *sums);
    uint8_t *result = malloc(bytes);
    assert_true(sums && result);
    for (uint32_t frame = 0; frame < JITTERS; frame++) {
        const uint8_t *pixels = post_scene_pixels(scene);
        for (size_t i = 0; i < bytes; i++)
            sums[i] += pixels[i];
    }
    for (size_t i = 0; i < bytes; i++)
        result[i] = (uint8_t)((sums[i] + JITTERS / 2) / JITTERS);
    free(sums);
    cn_renderer_remove_feature(scene->renderer, feature);
    return result;
}

typedef struct Difference {
    uint32_t largest;
    double mean;
    double share_over; /* of channels that differ by more than a limit */
} Difference;

static Difference compare(const PostScene *scene, const uint8_t *a, const uint8_t *b,
                          uint32_t limit)
{
    Difference difference = {0};
    size_t bytes = image_bytes(scene);
    for (size_t i = 0; i < bytes; i++) {
        uint32_t off = (uint32_t)abs(a[i] - b[i]);
        difference.largest = off > difference.largest ? off : difference.largest;
        difference.mean += (double)off / (double)bytes;
        difference.share_over += off > limit ? 1.0 / (double)bytes : 0;
    }
    return difference;
}

static CnFeature *add_taa(PostScene *scene)
{
    CnFeature *taa = post_scene_add(scene, &cn_feature_taa, NULL);
    post_scene_add(scene, &cn_feature_tone_map, NULL);
    return taa;
}

static void still_image_becomes_the_supersampled_one(void **state)
{
    SCENE(state);
    CnFeature *taa = add_taa(scene);
    for (uint32_t i = 0; i < 31; i++)
        post_scene_draw(scene);
    uint8_t *smooth = copy_of(scene, post_scene_pixels(scene));
    uint8_t *reference = draw_supersampled(scene, taa);
    Difference difference = compare(scene, smooth, reference, 12);
    assert_true(difference.mean < 0.7);
    assert_true(difference.share_over < 0.006);
    free(smooth);
    free(reference);
}

static void still_image_stands_still(void **state)
{
    SCENE(state);
    add_taa(scene);
    for (uint32_t i = 0; i < 39; i++)
        post_scene_draw(scene);
    uint8_t *before = copy_of(scene, post_scene_pixels(scene));
    Difference difference = compare(scene, before, post_scene_pixels(scene), 2);
    assert_true(difference.share_over < 0.001);
    assert_true(difference.largest <= 8);
    free(before);
}

/* What is blurred is part of what is put together. */
static void still_image_with_a_shallow_field_stands_still(void **state)
{
    SCENE(state);
    post_scene_add(scene, &cn_feature_dof, &(CnDofOptions){.focus = 6, .range = 4, .radius = 36});
    post_scene_add(scene, &cn_feature_taa, NULL);
    post_scene_add(scene, &cn_feature_tone_map, NULL);
    for (uint32_t i = 0; i < 39; i++)
        post_scene_draw(scene);
    uint8_t *before = copy_of(scene, post_scene_pixels(scene));
    Difference difference = compare(scene, before, post_scene_pixels(scene), 6);
    assert_true(difference.share_over < 0.001);
    free(before);
}

static void turn(PostScene *scene, float radians)
{
    scene->camera.rotation =
        cn_quat_mul(cn_quat_from_axis(cn_vec3(0, 1, 0), radians), scene->camera.rotation);
}

/* After moving, the image is that of the new place: nothing of the old one is left over. */
static void moving_leaves_no_trail(void **state)
{
    SCENE(state);
    CnFeature *taa = add_taa(scene);
    for (uint32_t i = 0; i < 20; i++)
        post_scene_draw(scene);
    for (uint32_t i = 0; i < 11; i++) {
        turn(scene, 0.02f);
        scene->camera.position.x += 0.05f;
        post_scene_draw(scene);
    }
    turn(scene, 0.02f);
    uint8_t *moved = copy_of(scene, post_scene_pixels(scene));
    uint8_t *reference = draw_supersampled(scene, taa);
    Difference difference = compare(scene, moved, reference, 40);
    assert_true(difference.mean < 2);
    assert_true(difference.share_over < 0.002);
    free(moved);
    free(reference);
}

/* Only the camera's movement is known: what was where an object is no longer must go by itself. */
static void objects_leave_no_trail(void **state)
{
    SCENE(state);
    CnFeature *taa = add_taa(scene);
    scene->value = -2;
    for (uint32_t i = 0; i < 40; i++)
        post_scene_draw(scene);
    for (uint32_t i = 0; i < 19; i++) {
        scene->value += 0.1f;
        post_scene_draw(scene);
    }
    scene->value += 0.1f;
    uint8_t *moved = copy_of(scene, post_scene_pixels(scene));
    uint8_t *reference = draw_supersampled(scene, taa);
    Difference difference = compare(scene, moved, reference, 24);
    assert_true(difference.share_over < 0.003);
    free(moved);
    free(reference);
}

static void cut_forgets_what_was(void **state)
{
    SCENE(state);
    add_taa(scene);
    for (uint32_t i = 0; i < 20; i++)
        post_scene_draw(scene);
    turn(scene, 3);
    uint8_t *after = copy_of(scene, post_scene_pixels(scene)); /* the jitter of frame 20 */
    post_scene_fini(scene);

    assert_true(post_scene_init(scene, CN_GPU_VULKAN));
    scene->width = 192;
    scene->height = 108;
    add_taa(scene);
    turn(scene, 3);
    CnFeature *taa = cn_renderer_feature(scene->renderer, "TAA");
    cn_feature_set_enabled(taa, false);
    for (uint32_t i = 0; i < 20; i++)
        post_scene_draw(scene);
    cn_feature_set_enabled(taa, true);
    assert_memory_equal(after, post_scene_pixels(scene), image_bytes(scene));
    free(after);
}

static void resized_image_starts_over(void **state)
{
    SCENE(state);
    static const uint32_t sizes[][2] = {{192, 108}, {33, 21}, {3, 5}, {1, 1}, {64, 36}};
    add_taa(scene);
    for (size_t s = 0; s < CN_COUNT_OF(sizes); s++) {
        scene->width = sizes[s][0];
        scene->height = sizes[s][1];
        for (uint32_t i = 0; i < 3; i++)
            post_scene_pixels(scene);
    }
}

static void lights_that_change_are_followed(void **state)
{
    SCENE(state);
    add_taa(scene);
    scene->kind = POST_FLAT;
    scene->value = 1;
    for (uint32_t i = 0; i < 50; i++)
        post_scene_draw(scene);
    scene->value = 0;
    const uint8_t *pixels = post_scene_pixels(scene);
    assert_true(post_scene_pixel(scene, pixels, 10, 10) <= 2);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(still_image_becomes_the_supersampled_one),
        TEST(still_image_stands_still),
        TEST(still_image_with_a_shallow_field_stands_still),
        TEST(moving_leaves_no_trail),
        TEST(objects_leave_no_trail),
        TEST(cut_forgets_what_was),
        TEST(resized_image_starts_over),
        TEST(lights_that_change_are_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
