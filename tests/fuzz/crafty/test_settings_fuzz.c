/*
 * The settings of Crafty, changed at random while it draws: whatever is on, in whatever size, is
 * drawn, and with everything as it was all passes are there again. The test makes its cases from a
 * seed, so it always runs the same ones.
 */
#include "block_scene.h"
#include "random.h"

#include <crafty/client/preset.h>

#include <stdlib.h>

#define FRAMES 300u

static BlockScene scene;
static CnParticleSystem *box;

static void set_up(CraftyQuality quality, uint32_t effects)
{
    CnError error = {0};
    CraftySettings settings = crafty_settings(quality);
    settings.effects = effects;
    settings.shadow_size = 64;
    if (!crafty_preset_change(scene.fixture.renderer, &settings,
                              &(CraftyRenderSources){.blocks = scene.view, .particles = box},
                              &error))
        fail_msg("%s", error.message);
}

static void begin(CraftyQuality quality, const char *form)
{
    static const CnEmitterDesc emitter = {
        .name = "chips", .max_particles = 64, .lifetime = {1, 1}, .alpha = 1};
    setenv("CAIRN_FULL_SCREEN", form, 1);
    assert_true(block_scene_init(
        &scene, &(BlockSceneDesc){.empty = true, .no_erosion = true, .radius = 1, .height = 1}));
    unsetenv("CAIRN_FULL_SCREEN");
    RenderFixture *fixture = &scene.fixture;
    box = cn_particle_system_create(
        &(CnParticleSystemDesc){.emitters = &emitter, .emitter_count = 1}, &fixture->error);
    set_up(quality, crafty_settings(quality).effects);
    block_scene_fill(&scene, (CnCell){-4, 0, -4}, (CnCell){4, 0, 4}, "water");
    block_scene_show(&scene);
    block_scene_sun(&scene, cn_vec3(-0.4f, -0.7f, -0.3f));
    block_scene_camera(&scene, cn_vec3(0, 4, 8), 0, -20);
    render_fixture_point_light(fixture, cn_vec3(0, 260, 0), cn_vec3(6, 3, 1), 12);
}

static void end(void)
{
    block_scene_fini(&scene);
    cn_particle_system_destroy(box);
}

/* Air of any weather, on and off. */
static CnRenderAtmosphere random_atmosphere(TestRandom *random)
{
    return (CnRenderAtmosphere){.valid = test_random_chance(random, 80),
                                .to_sun = cn_vec3_normalize(cn_vec3(0.3f, 0.6f, -1)),
                                .to_moon = cn_vec3_normalize(cn_vec3(-0.3f, -0.6f, 1)),
                                .cloud_cover = (float)test_random_below(random, 3) / 2,
                                .cloud_bottom = 356,
                                .cloud_top = 400,
                                .fog = 0.0005f * (float)test_random_below(random, 3),
                                .wetness = (float)test_random_below(random, 2)};
}

static void switch_at_random(TestRandom *random)
{
    if (test_random_chance(random, 10))
        set_up((CraftyQuality)test_random_below(random, CRAFTY_QUALITY_COUNT),
               test_random_below(random, CRAFTY_ALL_EFFECTS + 1));
    CnFeature *feature =
        cn_renderer_feature_at(scene.fixture.renderer, test_random_below(random, 24));
    if (feature && test_random_chance(random, 20))
        cn_feature_set_enabled(feature, !cn_feature_is_enabled(feature));
    if (test_random_chance(random, 10)) {
        scene.fixture.frame_desc.width = 1 + test_random_below(random, 200);
        scene.fixture.frame_desc.height = 1 + test_random_below(random, 200);
    }
    if (test_random_chance(random, 10))
        scene.fixture.snapshot.atmosphere = random_atmosphere(random);
    cn_block_view_set_aim(scene.view,
                          &(CnBlockAim){.exists = test_random_chance(random, 50),
                                        .cell = scene.middle,
                                        .crack_stage = (int32_t)test_random_below(random, 11) - 1});
}

/* The number of passes with everything that the quality has. */
static uint32_t draw_all(CraftyQuality quality)
{
    CnGraphPassInfo info;
    set_up(quality, crafty_settings(quality).effects);
    TestRandom random = {1};
    scene.fixture.frame_desc.width = scene.fixture.frame_desc.height = 128;
    scene.fixture.snapshot.atmosphere = random_atmosphere(&random);
    cn_block_view_set_aim(scene.view, &(CnBlockAim){.exists = true, .cell = scene.middle});
    render_fixture_draw(&scene.fixture, 32); /* light from all around is made over frames */
    uint32_t count = 0;
    while (cn_graph_pass_info(cn_renderer_graph(scene.fixture.renderer), count, &info))
        count++;
    return count;
}

static void check(CraftyQuality quality, const char *form)
{
    TestRandom random = {29};
    begin(quality, form);
    uint32_t passes = draw_all(quality);
    assert_true(passes > 5);
    for (uint32_t i = 0; i < FRAMES; i++) {
        switch_at_random(&random);
        render_fixture_draw(&scene.fixture, 1);
    }
    assert_int_equal(draw_all(quality), passes);
    end(); /* fails if the GPU was used wrongly */
}

static void the_light_path_draws_whatever_is_on(void **state)
{
    (void)state;
    check(CRAFTY_LOW, "fragment");
}

static void the_full_path_draws_whatever_is_on(void **state)
{
    (void)state;
    check(CRAFTY_ULTRA, "fragment");
}

static void the_full_path_computes_whatever_is_on(void **state)
{
    (void)state;
    check(CRAFTY_ULTRA, "compute");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_light_path_draws_whatever_is_on),
        cmocka_unit_test(the_full_path_draws_whatever_is_on),
        cmocka_unit_test(the_full_path_computes_whatever_is_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
