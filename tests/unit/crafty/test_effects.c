/* test-labels: rendering */
/* Each effect that can be switched while Crafty runs can be seen: the image without it is
 * another. */
#include "block_scene.h"
#include "cmocka_tests.h"

#include <crafty/client/preset.h>

#include <string.h>

#define WIDTH 96u
#define HEIGHT 54u
#define BYTES (WIDTH * HEIGHT * 4u)

static BlockScene scene;
static CnParticleSystem *box;

/* A pool, a tower, a lamp, and the sun low behind it all. */
static void build(void)
{
    block_scene_fill(&scene, (CnCell){-12, 0, -14}, (CnCell){12, 1, 8}, "sand");
    block_scene_fill(&scene, (CnCell){-8, 1, -8}, (CnCell){8, 1, 2}, "water");
    block_scene_fill(&scene, (CnCell){-5, 2, -11}, (CnCell){-2, 9, -9}, "stone");
    block_scene_set(&scene, 3, 2, 5, "stone");
    block_scene_show(&scene);
    block_scene_camera(&scene, cn_vec3(1, 5, 9), 0, 4);
    RenderFixture *fixture = &scene.fixture;
    CnVec3 to_sun = cn_vec3_normalize(cn_vec3(0.3f, 0.6f, -1));
    fixture->snapshot.atmosphere = (CnRenderAtmosphere){.valid = true,
                                                        .to_sun = to_sun,
                                                        .to_moon = cn_vec3_scale(to_sun, -1),
                                                        .cloud_cover = 0.8f,
                                                        .cloud_bottom = (float)scene.middle.y + 100,
                                                        .cloud_top = (float)scene.middle.y + 148,
                                                        .fog = 0.0005f};
    block_scene_sun(&scene, cn_vec3_scale(to_sun, -1));
    CnVec3 lamp =
        cn_vec3((float)scene.middle.x - 2, (float)scene.middle.y + 4, (float)scene.middle.z - 5);
    render_fixture_point_light(fixture, lamp, cn_vec3(60, 30, 10), 12);
    cn_block_view_set_aim(scene.view, &(CnBlockAim){.exists = true,
                                                    .cell = {scene.middle.x + 3, scene.middle.y + 2,
                                                             scene.middle.z + 5},
                                                    .crack_stage = 5});
}

static void let_particles_fly(void)
{
    CnVec3 at =
        cn_vec3((float)scene.middle.x + 1, (float)scene.middle.y + 4, (float)scene.middle.z + 4);
    cn_particle_system_burst(
        box, &(CnBurst){.count = 64, .position = at, .color = {1, 0.1f, 1}, .sky_light = 1});
}

static bool begin(void)
{
    static const CnEmitterDesc emitter = {.name = "chips",
                                          .max_particles = 64,
                                          .radius = 1,
                                          .lifetime = {60, 60},
                                          .size = {0.3f, 0.4f},
                                          .color = {1, 1, 1},
                                          .alpha = 1};
    const BlockSceneDesc desc = {
        .backend = RENDER_VULKAN, .empty = true, .no_erosion = true, .radius = 1};
    if (!block_scene_init(&scene, &desc))
        return false;
    RenderFixture *fixture = &scene.fixture;
    fixture->frame_desc.width = WIDTH;
    fixture->frame_desc.height = HEIGHT;
    box = cn_particle_system_create(
        &(CnParticleSystemDesc){.emitters = &emitter, .emitter_count = 1}, &fixture->error);
    CraftySettings settings = crafty_settings(CRAFTY_HIGH);
    settings.effects = CRAFTY_ALL_EFFECTS;
    settings.shadow_size = 256;
    settings.cascades = 2;
    settings.far_edge = 2048;
    if (!crafty_preset(fixture->renderer, &settings,
                       &(CraftyRenderSources){.blocks = scene.view, .particles = box},
                       &fixture->error))
        fail_msg("%s", fixture->error.message);
    build();
    let_particles_fly();
    return true;
}

static void draw(uint8_t pixels[BYTES], uint32_t frames)
{
    render_fixture_draw(&scene.fixture, frames);
    memcpy(pixels, scene.fixture.pixels, BYTES);
}

/* The mean of all channels. */
static double difference(const uint8_t *a, const uint8_t *b)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < BYTES; i++)
        sum += (uint64_t)(a[i] > b[i] ? a[i] - b[i] : b[i] - a[i]);
    return (double)sum / BYTES;
}

/* TAA makes an image of many frames, and exposure follows them: they are off while others are
 * looked at. */
static bool is_slow(uint32_t effect)
{
    return 1u << effect & (CRAFTY_TAA | CRAFTY_AUTO_EXPOSURE);
}

static CnFeature *feature_of(uint32_t effect)
{
    return cn_renderer_feature(scene.fixture.renderer, crafty_effect_title(effect));
}

static void every_effect_can_be_seen(void **state)
{
    (void)state;
    static uint8_t usual[BYTES], changed[BYTES];
    if (!begin())
        skip();
    for (uint32_t i = 0; crafty_effect_name(i); i++)
        if (is_slow(i))
            cn_feature_set_enabled(feature_of(i), false);
    draw(usual, 2);
    scene.fixture.frame_desc.delta = 0; /* nothing moves from here on */
    draw(usual, 2);
    for (uint32_t i = 0; crafty_effect_name(i); i++) {
        /* Options of others: golden images of blocks and water. */
        if (1u << i & (CRAFTY_REFLECTIONS | CRAFTY_OCCLUSION | CRAFTY_FAR))
            continue;
        assert_non_null(feature_of(i));
        cn_feature_set_enabled(feature_of(i), is_slow(i));
        draw(changed, 1);
        cn_feature_set_enabled(feature_of(i), !is_slow(i));
        if (difference(usual, changed) < 0.005)
            fail_msg("nobody sees %s", crafty_effect_name(i));
    }
    draw(changed, 1);
    assert_memory_equal(usual, changed, BYTES); /* it was not the time that went by */
    block_scene_fini(&scene);
    cn_particle_system_destroy(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_effect_can_be_seen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
