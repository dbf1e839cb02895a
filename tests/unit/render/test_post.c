/* Which passes post features add, on the null backend, which checks all of their calls. */
#include "post_scene.h"

static const CnFeatureType *const types[] = {&cn_feature_ao,       &cn_feature_dof,
                                             &cn_feature_taa,      &cn_feature_bloom,
                                             &cn_feature_exposure, &cn_feature_tone_map};
#define TYPES CN_COUNT_OF(types)

static void add_all(PostScene *scene, CnFeature *features[TYPES])
{
    for (size_t i = 0; i < TYPES; i++) {
        features[i] = post_scene_add(scene, types[i], NULL);
        if (types[i] == &cn_feature_ao)
            post_scene_add_show_ao(scene); /* or nobody would read it */
    }
}

static int begin(void **state, CnFullScreenForm form)
{
    static PostScene scene;
    assert_true(post_scene_init_form(&scene, CN_GPU_NULL, form));
    *state = &scene;
    return 0;
}

static int begin_fragment(void **state)
{
    return begin(state, CN_FULL_SCREEN_FRAGMENT);
}

static int begin_compute(void **state)
{
    return begin(state, CN_FULL_SCREEN_COMPUTE);
}

static int teardown(void **state)
{
    post_scene_fini(*state);
    return 0;
}

static void what_is_on_runs(void **state)
{
    PostScene *scene = *state;
    CnFeature *features[TYPES];
    add_all(scene, features);
    post_scene_draw(scene);
    static const char *const passes[] = {"ao",       "ao across", "ao down",  "ao full",
                                         "taa",      "dof half",  "dof blur", "dof",
                                         "exposure", "tone map"};
    for (size_t i = 0; i < CN_COUNT_OF(passes); i++) {
        if (!post_scene_ran(scene, passes[i]))
            fail_msg("%s did not run", passes[i]);
    }
}

static void what_is_off_does_not_run(void **state)
{
    PostScene *scene = *state;
    CnFeature *features[TYPES];
    static const char *const passes[TYPES] = {"ao", "dof", "taa", "bloom", "exposure", "tone map"};
    add_all(scene, features);
    for (size_t off = 0; off < TYPES; off++) {
        cn_feature_set_enabled(features[off], false);
        post_scene_draw(scene);
        assert_false(post_scene_ran(scene, passes[off]));
        cn_feature_set_enabled(features[off], true);
    }
}

static void bloom_has_as_many_sizes_as_the_image_allows(void **state)
{
    PostScene *scene = *state;
    post_scene_add(scene, &cn_feature_bloom, NULL);
    post_scene_add(scene, &cn_feature_tone_map, NULL);
    scene->width = 320;
    scene->height = 16; /* 8, 4, 2 */
    post_scene_draw(scene);
    assert_true(post_scene_ran(scene, "bloom down 3"));
    assert_false(post_scene_ran(scene, "bloom down 4"));
    assert_true(post_scene_ran(scene, "bloom up 2"));
    assert_false(post_scene_ran(scene, "bloom up 3"));
}

static void occlusion_that_is_not_read_is_culled(void **state)
{
    PostScene *scene = *state;
    post_scene_add(scene, &cn_feature_ao, NULL);
    post_scene_add(scene, &cn_feature_tone_map, NULL);
    post_scene_draw(scene);
    assert_false(post_scene_ran(scene, "ao"));
}

static void without_depth_only_what_needs_none_runs(void **state)
{
    PostScene *scene = *state;
    CnFeature *features[TYPES];
    add_all(scene, features);
    scene->no_depth = true;
    post_scene_draw(scene);
    assert_false(post_scene_ran(scene, "taa"));
    assert_false(post_scene_ran(scene, "dof"));
    assert_true(post_scene_ran(scene, "bloom"));
    assert_true(post_scene_ran(scene, "tone map"));
}

static void without_normals_there_is_occlusion(void **state)
{
    PostScene *scene = *state;
    scene->no_normal = true;
    post_scene_add(scene, &cn_feature_ao, NULL);
    post_scene_add_show_ao(scene);
    post_scene_add(scene, &cn_feature_tone_map, NULL);
    post_scene_draw(scene);
    assert_true(post_scene_ran(scene, "ao"));
}

static void without_an_image_the_output_is_cleared(void **state)
{
    PostScene *scene = *state;
    for (size_t i = 0; i < TYPES; i++)
        post_scene_add(scene, types[i], NULL);
    scene->no_hdr = true;
    post_scene_draw(scene);
    assert_false(post_scene_ran(scene, "bloom"));
    assert_false(post_scene_ran(scene, "post scene"));
    assert_true(post_scene_ran(scene, "tone map"));
}

static void every_size_can_be_drawn(void **state)
{
    PostScene *scene = *state;
    CnFeature *features[TYPES];
    static const uint32_t sizes[][2] = {{1, 1},   {1, 7},     {3, 5},      {2, 2},
                                        {17, 1},  {321, 179}, {160, 90},   {1, 1},
                                        {64, 64}, {33, 257},  {1920, 1080}};
    add_all(scene, features);
    for (size_t i = 0; i < CN_COUNT_OF(sizes); i++) {
        scene->width = sizes[i][0];
        scene->height = sizes[i][1];
        post_scene_draw(scene);
        post_scene_draw(scene);
        assert_true(post_scene_ran(scene, "tone map"));
    }
}

static void a_steady_frame_makes_no_heap_call(void **state)
{
    PostScene *scene = *state;
    CnFeature *features[TYPES];
    add_all(scene, features);
    for (uint32_t i = 0; i < 20; i++)
        post_scene_draw(scene);
    uint64_t before = cn_heap_stats(scene->heap).calls;
    for (uint32_t i = 0; i < 20; i++)
        post_scene_draw(scene);
    assert_int_equal(cn_heap_stats(scene->heap).calls, before);
}

static void jitter_is_within_the_pixel_and_comes_around(void **state)
{
    PostScene *scene = *state;
    CnFeature *taa = post_scene_add(scene, &cn_feature_taa, NULL);
    CnVec2 first[16], sum = {0};
    for (uint32_t i = 0; i < 32; i++) {
        CnFrame frame = {.number = i};
        cn_feature_taa.early_update(&frame, cn_feature_self(taa));
        CnVec2 jitter = frame.view.jitter;
        assert_true(jitter.x >= -0.5f && jitter.x <= 0.5f && jitter.y >= -0.5f && jitter.y <= 0.5f);
        if (i < 16) {
            first[i] = jitter;
            sum = (CnVec2){sum.x + jitter.x, sum.y + jitter.y};
        } else {
            assert_memory_equal(&jitter, &first[i - 16], sizeof jitter);
        }
    }
    assert_true(sum.x > -0.8f && sum.x < 0.8f && sum.y > -0.8f && sum.y < 0.8f);
}

#define BOTH(test)                                                                                 \
    {#test " (fragment)", test, begin_fragment, teardown, NULL},                                   \
    {                                                                                              \
#test " (compute)", test, begin_compute, teardown, NULL                                    \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH(what_is_on_runs),
        BOTH(what_is_off_does_not_run),
        BOTH(bloom_has_as_many_sizes_as_the_image_allows),
        BOTH(occlusion_that_is_not_read_is_culled),
        BOTH(without_depth_only_what_needs_none_runs),
        BOTH(without_normals_there_is_occlusion),
        BOTH(without_an_image_the_output_is_cleared),
        BOTH(every_size_can_be_drawn),
        BOTH(a_steady_frame_makes_no_heap_call),
        BOTH(jitter_is_within_the_pixel_and_comes_around),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
