/* All of Crafty's features when memory ends while they draw: an error or less in the image, and
 * all of it afterwards. */
#include "block_scene.h"
#include "gpu_memory_filler.h"

#include <crafty/client/preset.h>

#include <stdlib.h>

static BlockScene scene;
static CnParticleSystem *box;

static void begin(CraftyQuality quality, const char *form)
{
    static const CnEmitterDesc emitter = {
        .name = "chips", .max_particles = 64, .lifetime = {60, 60}, .alpha = 1};
    setenv("CAIRN_FULL_SCREEN", form, 1);
    assert_true(block_scene_init(
        &scene, &(BlockSceneDesc){.empty = true, .no_erosion = true, .radius = 1, .height = 1}));
    unsetenv("CAIRN_FULL_SCREEN");
    RenderFixture *fixture = &scene.fixture;
    fixture->frame_desc.width = fixture->frame_desc.height = 64;
    fixture->frame_desc.delta = 0;
    box = cn_particle_system_create(
        &(CnParticleSystemDesc){.emitters = &emitter, .emitter_count = 1}, &fixture->error);
    CraftySettings settings = crafty_settings(quality);
    settings.shadow_size = 64;
    if (quality != CRAFTY_LOW)
        settings.effects = CRAFTY_ALL_EFFECTS;
    if (!crafty_preset(fixture->renderer, &settings,
                       &(CraftyRenderSources){.blocks = scene.view, .particles = box},
                       &fixture->error))
        fail_msg("%s", fixture->error.message);
    const CnVec3 to_sun = cn_vec3_normalize(cn_vec3(0.3f, 0.6f, -1));
    fixture->snapshot.atmosphere = (CnRenderAtmosphere){.valid = true,
                                                        .to_sun = to_sun,
                                                        .to_moon = cn_vec3_scale(to_sun, -1),
                                                        .cloud_cover = 0.5f,
                                                        .cloud_bottom = 356,
                                                        .cloud_top = 400,
                                                        .fog = 0.0005f,
                                                        .rain = 1};
    block_scene_sun(&scene, cn_vec3_scale(to_sun, -1));
    block_scene_camera(&scene, cn_vec3(0, 4, 8), 0, -20);
    render_fixture_point_light(fixture, cn_vec3(0, 260, 0), cn_vec3(6, 3, 1), 12);
    cn_block_view_set_aim(scene.view, &(CnBlockAim){.exists = true, .cell = scene.middle});
    cn_particle_system_burst(box, &(CnBurst){.count = 8, .color = {1, 1, 1}});
}

static uint32_t count_passes(void)
{
    CnGraphPassInfo info;
    uint32_t count = 0;
    while (cn_graph_pass_info(cn_renderer_graph(scene.fixture.renderer), count, &info))
        count++;
    return count;
}

/* Whether a frame is drawn; without memory it may not be. */
static bool try_to_draw(void)
{
    CnError error = {0};
    bool ok = cn_renderer_draw(scene.fixture.renderer, &scene.fixture.frame_desc, &error);
    if (!ok)
        assert_int_equal(error.code, CN_ERROR_MEMORY);
    return ok;
}

/* The n-th part of the GPU is free when the first frames are drawn; returns whether they were. */
static bool draw_first_with(CraftyQuality quality, const char *form, uint32_t room,
                            uint32_t *passes)
{
    begin(quality, form);
    GpuMemoryFiller filler = {.gpu = scene.fixture.gpu};
    gpu_memory_filler_take_all(&filler);
    gpu_memory_filler_give_back(&filler, room);
    bool ok = true;
    for (uint32_t i = 0; i < 3; i++)
        ok &= try_to_draw();
    gpu_memory_filler_give_back(&filler, UINT32_MAX);
    render_fixture_draw(&scene.fixture, 4);
    *passes = count_passes();
    block_scene_fini(&scene); /* fails if the GPU was used wrongly */
    cn_particle_system_destroy(box);
    return ok;
}

static void check(CraftyQuality quality, const char *form)
{
    uint32_t passes, before = 0, room = 0;
    bool is_drawn = false;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    for (; !is_drawn; room += 3) {
        is_drawn = draw_first_with(quality, form, room, &passes);
        assert_true(room == 0 || passes == before);
        before = passes;
    }
    cn_log_set_level(CN_LOG_LEVEL_INFO);
    assert_true(room > 3 && passes > 10);
}

static void the_light_path_survives_a_full_gpu(void **state)
{
    (void)state;
    check(CRAFTY_LOW, "fragment");
}

static void the_full_path_survives_a_full_gpu(void **state)
{
    (void)state;
    check(CRAFTY_HIGH, "fragment");
}

static void the_computed_path_survives_a_full_gpu(void **state)
{
    (void)state;
    check(CRAFTY_HIGH, "compute");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_light_path_survives_a_full_gpu),
        cmocka_unit_test(the_full_path_survives_a_full_gpu),
        cmocka_unit_test(the_computed_path_survives_a_full_gpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
