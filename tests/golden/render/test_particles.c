/* Particles that were looked at: chips, smoke, rain and snow over a floor with a roof. */
#include "block_scene.h"
#include "golden_image.h"

#include <cairn/render/particles.h>

enum { CHIPS, SMOKE, RAIN, SPLASH, SNOW, EMITTERS };
#define GROUND 32

static const CnEmitterDesc emitters[EMITTERS] = {
    [CHIPS] = {.name = "chips",
               .max_particles = 256,
               .radius = 0.15f,
               .cone = 1.57f,
               .lifetime = {0.5f, 1.0f},
               .speed = {2.0f, 4.5f},
               .size = {0.05f, 0.1f},
               .gravity = 14,
               .drag = 0.6f,
               .color = {1, 1, 1},
               .alpha = 1,
               .collides = true},
    [SMOKE] = {.name = "smoke",
               .max_particles = 64,
               .radius = 0.2f,
               .cone = 0.5f,
               .lifetime = {1, 2},
               .speed = {0.3f, 0.8f},
               .size = {0.3f, 0.6f},
               .color = {0.05f, 0.05f, 0.05f},
               .alpha = 0.5f,
               .fade = 0.5f,
               .shape = CN_PARTICLE_ROUND},
    [RAIN] = {.name = "rain",
              .max_particles = 4096,
              .follows_camera = true,
              .half_extents = {10, 8, 10},
              .lifetime = {1.2f, 1.2f},
              .size = {0.02f, 0.02f},
              .rate = 3000,
              .velocity = {1, -20, 0},
              .color = {0.7f, 0.8f, 0.9f},
              .alpha = 0.5f,
              .shape = CN_PARTICLE_STREAK,
              .collides = true,
              .splash = SPLASH + 1},
    [SPLASH] = {.name = "splash",
                .max_particles = 1,
                .cone = 1,
                .lifetime = {0.1f, 0.25f},
                .speed = {0.8f, 1.6f},
                .size = {0.03f, 0.05f},
                .gravity = 10,
                .color = {0.7f, 0.8f, 0.9f},
                .alpha = 0.7f},
    [SNOW] = {.name = "snow",
              .max_particles = 4096,
              .follows_camera = true,
              .half_extents = {10, 8, 10},
              .lifetime = {5, 6},
              .size = {0.06f, 0.1f},
              .rate = 400,
              .velocity = {0, -2, 0},
              .flutter = 0.5f,
              .color = {0.95f, 0.95f, 1},
              .alpha = 0.9f,
              .shape = CN_PARTICLE_ROUND,
              .collides = true},
};

static BlockScene scene;
static CnParticleSystem *particle_system;

static void send_ground(uint16_t falls_left, uint16_t falls_right)
{
    CnGroundColumn columns[GROUND * GROUND];
    for (int32_t z = -GROUND / 2; z < GROUND / 2; z++) {
        for (int32_t x = -GROUND / 2; x < GROUND / 2; x++) {
            bool roofed = x >= -6 && x <= -2 && z >= -8 && z <= -2;
            columns[(z + GROUND / 2) * GROUND + x + GROUND / 2] =
                (CnGroundColumn){.height = (int16_t)(scene.middle.y + (roofed ? 3 : 0)),
                                 .falls = x < 0 ? falls_left : falls_right};
        }
    }
    assert_true(cn_particle_system_set_ground(particle_system, scene.middle.x - GROUND / 2,
                                              scene.middle.z - GROUND / 2, GROUND, columns));
}

/* A roof of stone to the left. */
static void begin(void)
{
    const BlockSceneDesc desc = {
        .backend = RENDER_VULKAN, .empty = true, .no_erosion = true, .radius = 1};
    if (!block_scene_init(&scene, &desc))
        skip();
    RenderFixture *fixture = &scene.fixture;
    CnAllocator *allocator = cn_heap_tag(scene.heap, "particles");
    particle_system = cn_particle_system_create(&(CnParticleSystemDesc){.allocator = allocator,
                                                                        .emitters = emitters,
                                                                        .emitter_count = EMITTERS},
                                                &fixture->error);
    assert_non_null(particle_system);
    block_scene_add_blocks(&scene, NULL);
    render_fixture_add(fixture, &cn_feature_deferred, NULL);
    render_fixture_add(fixture, &cn_feature_point_spot, NULL);
    /* Its draws are counted, those of particles are not: drivers have mixed them up. */
    render_fixture_add(fixture, &cn_feature_water, &(CnWaterOptions){.view = scene.view});
    render_fixture_add(fixture, &cn_feature_particles,
                       &(CnParticlesOptions){.system = particle_system});
    render_fixture_add(fixture, &cn_feature_tone_map, NULL);
    block_scene_fill(&scene, (CnCell){-6, 2, -8}, (CnCell){-2, 2, -2}, "stone");
    block_scene_show(&scene);
    block_scene_sun(&scene, cn_vec3(-0.4f, -0.7f, -0.6f));
    block_scene_camera(&scene, cn_vec3(0.5f, 1.6f, 3), 0, -8);
    send_ground(0xFFFF, 0xFFFF);
}

static void end(void)
{
    render_fixture_fini(&scene.fixture);
    cn_particle_system_destroy(particle_system);
    cn_voxels_destroy(scene.world);
    cn_generator_destroy(scene.generator);
    cn_block_view_destroy(scene.view);
    assert_int_equal(cn_heap_stats(scene.heap).live_blocks, 0);
    cn_heap_destroy(scene.heap);
}

static void burst(uint32_t emitter, uint32_t count, CnVec3 from_middle, CnVec3 color)
{
    CnVec3 middle = {(float)scene.middle.x, (float)scene.middle.y, (float)scene.middle.z};
    assert_true(cn_particle_system_burst(particle_system,
                                         &(CnBurst){.emitter = emitter,
                                                    .count = count,
                                                    .position = cn_vec3_add(middle, from_middle),
                                                    .color = color,
                                                    .sky_light = 1}));
}

static uint64_t image_sum(void)
{
    uint64_t sum = 0;
    for (uint32_t y = 0; y < RENDER_FIXTURE_HEIGHT; y++) {
        for (uint32_t x = 0; x < RENDER_FIXTURE_WIDTH; x++)
            sum += (uint64_t)render_fixture_pixel(&scene.fixture, x, y)[0] * (1 + x % 7 + y % 5);
    }
    return sum;
}

static void chips_fly_and_smoke_rises(void **state)
{
    (void)state;
    begin();
    burst(CHIPS, 60, cn_vec3(-0.2f, 0.5f, 0), cn_vec3(0.35f, 0.2f, 0.1f));
    burst(SMOKE, 12, cn_vec3(1.6f, 0.4f, 0), cn_vec3(1, 1, 1));
    render_fixture_draw(&scene.fixture, 14);
    assert_golden_image("particles_bursts", &scene.fixture);
    end();
}

/* Weather that begins has been there for long. */
static void rain_stops_at_roofs_and_splashes(void **state)
{
    (void)state;
    begin();
    cn_particle_system_set_strength(particle_system, RAIN, 1);
    render_fixture_draw(&scene.fixture, 6);
    assert_golden_image("particles_rain", &scene.fixture);
    end();
}

static void snow_lies_where_it_falls(void **state)
{
    (void)state;
    begin();
    cn_particle_system_set_strength(particle_system, SNOW, 1);
    scene.fixture.frame_desc.delta = 0.1f;
    render_fixture_draw(&scene.fixture, 12);
    assert_golden_image("particles_snow", &scene.fixture);
    end();
}

/* Of the left or the right half of the image. */
static uint64_t half_sum(uint32_t half)
{
    uint64_t sum = 0;
    const uint32_t middle = RENDER_FIXTURE_WIDTH / 2;
    for (uint32_t y = 0; y < RENDER_FIXTURE_HEIGHT; y++) {
        for (uint32_t x = 0; x < middle - 24; x++)
            sum += render_fixture_pixel(&scene.fixture, half ? x + middle + 24 : x, y)[0];
    }
    return sum;
}

static void weather_falls_only_on_its_columns(void **state)
{
    (void)state;
    begin();
    send_ground(1 << SNOW, 0);
    render_fixture_draw(&scene.fixture, 1);
    uint64_t left = half_sum(0), right = half_sum(1);
    cn_particle_system_set_strength(particle_system, SNOW, 1);
    render_fixture_draw(&scene.fixture, 2);
    assert_true(half_sum(0) != left);
    assert_int_equal(half_sum(1), right);
    end();
}

static void what_breaks_under_a_roof_falls_to_its_floor(void **state)
{
    (void)state;
    begin();
    scene.fixture.frame_desc.delta = 0.1f;
    render_fixture_draw(&scene.fixture, 1);
    uint64_t before = image_sum();
    CnVec3 middle = {(float)scene.middle.x, (float)scene.middle.y, (float)scene.middle.z};
    CnBurst chips = {.emitter = CHIPS,
                     .count = 60,
                     .position = cn_vec3_add(middle, cn_vec3(-3, 1, -5)),
                     .color = {1, 0, 0},
                     .block_light = 1};
    assert_true(cn_particle_system_burst(particle_system, &chips));
    render_fixture_draw(&scene.fixture, 8);
    assert_int_equal(image_sum(), before); /* through the floor */
    chips.has_floor = true;
    chips.floor = middle.y;
    assert_true(cn_particle_system_burst(particle_system, &chips));
    render_fixture_draw(&scene.fixture, 8);
    assert_true(image_sum() != before);
    end();
}

static void lamps_light_them(void **state)
{
    (void)state;
    begin();
    scene.fixture.snapshot.light_count = 0; /* no sun */
    CnVec3 middle = {(float)scene.middle.x, (float)scene.middle.y, (float)scene.middle.z};
    render_fixture_point_light(&scene.fixture, cn_vec3_add(middle, cn_vec3(1.2f, 1.2f, 0)),
                               cn_vec3(8, 4, 1), 6);
    burst(CHIPS, 60, cn_vec3(0.6f, 0.5f, 0), cn_vec3(0.8f, 0.8f, 0.8f));
    burst(SMOKE, 12, cn_vec3(1.6f, 0.4f, 0), cn_vec3(8, 8, 8));
    render_fixture_draw(&scene.fixture, 14);
    assert_golden_image("particles_lamp", &scene.fixture);
    end();
}

static void a_frame_makes_no_heap_call(void **state)
{
    (void)state;
    begin();
    cn_particle_system_set_strength(particle_system, RAIN, 1);
    render_fixture_draw(&scene.fixture, 8);
    uint64_t calls = cn_heap_stats(scene.heap).calls + cn_heap_stats(scene.fixture.heap).calls;
    burst(CHIPS, 60, cn_vec3(0, 0.5f, 0), cn_vec3(1, 0, 0));
    send_ground(0xFFFF, 0xFFFF);
    render_fixture_draw(&scene.fixture, 8);
    assert_int_equal(cn_heap_stats(scene.heap).calls + cn_heap_stats(scene.fixture.heap).calls,
                     calls);
    end();
}

static void particles_are_gone_after_their_lives(void **state)
{
    (void)state;
    begin();
    render_fixture_draw(&scene.fixture, 1);
    uint64_t before = image_sum();
    burst(CHIPS, 60, cn_vec3(0, 0.5f, 0), cn_vec3(1, 0, 0));
    render_fixture_draw(&scene.fixture, 5);
    assert_true(image_sum() != before);
    scene.fixture.frame_desc.delta = 0.1f;
    render_fixture_draw(&scene.fixture, 12);
    assert_int_equal(image_sum(), before);
    end();
}

static void the_oldest_give_way(void **state)
{
    (void)state;
    begin();
    burst(CHIPS, 100000, cn_vec3(0, 0.5f, 0), cn_vec3(1, 0, 0));
    render_fixture_draw(&scene.fixture, 1);
    burst(CHIPS, 256, cn_vec3(0, 0.5f, 30), cn_vec3(1, 0, 0));
    render_fixture_draw(&scene.fixture, 3);
    uint64_t after = image_sum();
    cn_feature_set_enabled(cn_renderer_feature(scene.fixture.renderer, "Particles"), false);
    render_fixture_draw(&scene.fixture, 1);
    assert_int_equal(image_sum(), after);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chips_fly_and_smoke_rises),
        cmocka_unit_test(rain_stops_at_roofs_and_splashes),
        cmocka_unit_test(snow_lies_where_it_falls),
        cmocka_unit_test(weather_falls_only_on_its_columns),
        cmocka_unit_test(what_breaks_under_a_roof_falls_to_its_floor),
        cmocka_unit_test(lamps_light_them),
        cmocka_unit_test(a_frame_makes_no_heap_call),
        cmocka_unit_test(particles_are_gone_after_their_lives),
        cmocka_unit_test(the_oldest_give_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
