/* Images of each post feature, on and off, over a small world of exact shapes. */
#include "golden_image.h"
#include "post_scene.h"

static int setup(void **state)
{
    static PostScene scene;
    *state = NULL;
    if (post_scene_init(&scene, CN_GPU_VULKAN)) {
        scene.width = 320;
        scene.height = 180;
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

/* The last of some frames. */
static void check_with(PostScene *scene, const char *name, uint32_t frames,
                       const CnToneMapOptions *options)
{
    post_scene_add(scene, &cn_feature_tone_map, options);
    for (uint32_t i = 1; i < frames; i++)
        post_scene_draw(scene);
    assert_golden_pixels(name, post_scene_pixels(scene), scene->width, scene->height);
}

static void check(PostScene *scene, const char *name, uint32_t frames)
{
    check_with(scene, name, frames, NULL);
}

static const CnToneMapOptions plain = {.aces = CN_SWITCH_OFF};

static void nothing_but_tone_map(void **state)
{
    SCENE(state);
    check(scene, "post_none", 1);
}

static void tone_map_without_aces(void **state)
{
    SCENE(state);
    check_with(scene, "post_plain", 1, &plain);
}

static void gradient(void **state)
{
    SCENE(state);
    scene->kind = POST_GRADIENT;
    scene->value = 0.02f;
    check(scene, "post_gradient", 1);
}

static void occlusion(void **state)
{
    SCENE(state);
    post_scene_add(scene, &cn_feature_ao, NULL);
    post_scene_add_show_ao(scene);
    check_with(scene, "post_ao", 1, &plain);
}

static void occlusion_from_depth_alone(void **state)
{
    SCENE(state);
    scene->no_normal = true;
    post_scene_add(scene, &cn_feature_ao, NULL);
    post_scene_add_show_ao(scene);
    check_with(scene, "post_ao_depth", 1, &plain);
}

static void occlusion_without_perspective(void **state)
{
    SCENE(state);
    scene->camera.height = 6;
    post_scene_add(scene, &cn_feature_ao, NULL);
    post_scene_add_show_ao(scene);
    check_with(scene, "post_ao_flat", 1, &plain);
}

static void taa_of_a_still_image(void **state)
{
    SCENE(state);
    post_scene_add(scene, &cn_feature_taa, NULL);
    check(scene, "post_taa", 32);
}

static void taa_of_a_moving_image(void **state)
{
    SCENE(state);
    post_scene_add(scene, &cn_feature_taa, NULL);
    for (uint32_t i = 0; i < 16; i++) {
        scene->camera.position.x += 0.08f;
        post_scene_draw(scene);
    }
    scene->camera.position.x += 0.08f;
    check(scene, "post_taa_moving", 1);
}

static void field_as_it_is_by_default(void **state)
{
    SCENE(state);
    post_scene_add(scene, &cn_feature_dof, NULL);
    check(scene, "post_dof", 1);
}

static void shallow_field(void **state)
{
    SCENE(state);
    post_scene_add(scene, &cn_feature_dof, &(CnDofOptions){.focus = 6, .range = 4, .radius = 48});
    check(scene, "post_dof_shallow", 1);
}

static void field_with_a_near_blur(void **state)
{
    SCENE(state);
    post_scene_add(scene, &cn_feature_dof, &(CnDofOptions){.focus = 11, .range = 6, .radius = 48});
    check(scene, "post_dof_near", 1);
}

static void bloom(void **state)
{
    SCENE(state);
    post_scene_add(scene, &cn_feature_bloom, NULL);
    check(scene, "post_bloom", 1);
}

static void bloom_of_dots(void **state)
{
    SCENE(state);
    scene->kind = POST_DOTS;
    scene->value = 100;
    post_scene_add(scene, &cn_feature_bloom, NULL);
    check(scene, "post_bloom_dots", 1);
}

static void auto_exposure(void **state)
{
    SCENE(state);
    post_scene_add(scene, &cn_feature_exposure, NULL);
    check(scene, "post_exposure", 1);
}

static void everything(void **state)
{
    SCENE(state);
    static const CnFeatureType *const types[] = {&cn_feature_dof, &cn_feature_taa,
                                                 &cn_feature_bloom, &cn_feature_exposure};
    for (size_t i = 0; i < CN_COUNT_OF(types); i++)
        post_scene_add(scene, types[i], NULL);
    check(scene, "post_all", 32);
}

static void odd_size(void **state)
{
    SCENE(state);
    static const CnFeatureType *const types[] = {&cn_feature_dof, &cn_feature_taa,
                                                 &cn_feature_bloom, &cn_feature_exposure};
    for (size_t i = 0; i < CN_COUNT_OF(types); i++)
        post_scene_add(scene, types[i], NULL);
    scene->width = 321;
    scene->height = 179;
    check(scene, "post_odd", 16);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(nothing_but_tone_map),
        TEST(tone_map_without_aces),
        TEST(gradient),
        TEST(occlusion),
        TEST(occlusion_from_depth_alone),
        TEST(occlusion_without_perspective),
        TEST(taa_of_a_still_image),
        TEST(taa_of_a_moving_image),
        TEST(field_as_it_is_by_default),
        TEST(shallow_field),
        TEST(field_with_a_near_blur),
        TEST(bloom),
        TEST(bloom_of_dots),
        TEST(auto_exposure),
        TEST(everything),
        TEST(odd_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
