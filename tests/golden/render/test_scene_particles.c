/* Particles of emitters and bursts in snapshots, in images that were looked at. */
#include "golden_image.h"

#include <stdlib.h>
#include <string.h>

static RenderFixture fixture;
static CnRenderEmitter emitters[3];
static CnRenderBurst burst;

/* Returns false if there is no Vulkan device. */
static bool begin(CnPreset preset)
{
    if (!render_fixture_init(&fixture, RENDER_VULKAN))
        return false;
    CnRenderOptions options = {.sky = {.kind = CN_SKY_COLOR, .color = {0.3f, 0.45f, 0.6f}}};
    assert_true(preset(fixture.renderer, &options, NULL, &fixture.error));
    render_fixture_camera(&fixture, cn_vec3(0, 2.2f, 7), cn_vec3(0, 1.2f, 0), 50);
    render_fixture_sun(&fixture, cn_vec3(-1, -2, -1), cn_vec3(0.8f, 0.75f, 0.7f));
    render_fixture_item(&fixture, "shapes://plane", NULL, cn_vec3(0, 0, 0), 20);
    render_fixture_item(&fixture, "shapes://cube", NULL, cn_vec3(-2, 0.5f, 0.6f), 1);
    CnParticleStyle fire = {.spread_cosine = 0.97f,
                            .extents = {0.3f, 0, 0},
                            .shape = CN_EMITTER_SPHERE,
                            .life = 1,
                            .speed = 2,
                            .variation = 0.3f,
                            .start_size = 0.5f,
                            .end_size = 0.1f,
                            .start_color = {4, 1.5f, 0.3f, 0.5f},
                            .end_color = {1, 0.1f, 0, 0},
                            .flags = CN_PARTICLES_ADDITIVE};
    CnParticleStyle smoke = {.spread_cosine = 0.95f,
                             .life = 2,
                             .speed = 1,
                             .variation = 0.3f,
                             .start_size = 0.3f,
                             .end_size = 1.4f,
                             .start_color = {0.05f, 0.05f, 0.05f, 0.8f},
                             .end_color = {0.3f, 0.3f, 0.3f, 0}};
    CnParticleStyle sparks = {.spread_cosine = -1,
                              .life = 1,
                              .speed = 2,
                              .gravity = 4,
                              .start_size = 0.12f,
                              .end_size = 0.05f,
                              .start_color = {1, 0.8f, 0.1f, 1},
                              .end_color = {1, 0, 0, 1}};
    emitters[0] = (CnRenderEmitter){.entity = {1}, .position = {-2, 0.2f, 0}, .rate = 90};
    emitters[0].style = fire;
    emitters[1] = (CnRenderEmitter){.entity = {2}, .position = {2, 0.2f, 0}, .rate = 30};
    emitters[1].style = smoke;
    for (uint32_t i = 0; i < 2; i++) {
        emitters[i].rotation = cn_quat_identity();
        emitters[i].is_playing = true;
    }
    burst = (CnRenderBurst){.tick = 35,
                            .time = 35 / 60.0,
                            .count = 120,
                            .position = {0, 2, 0},
                            .rotation = {0, 0, 0, 1},
                            .style = sparks};
    fixture.snapshot.emitters = emitters;
    fixture.snapshot.emitter_count = 2;
    fixture.snapshot.bursts = &burst;
    return true;
}

static void draw(uint32_t ticks)
{
    for (uint32_t i = 0; i < ticks; i++) {
        fixture.snapshot.tick++;
        fixture.snapshot.time = (double)fixture.snapshot.tick / 60;
        fixture.snapshot.burst_count = fixture.snapshot.tick >= burst.tick;
        render_fixture_draw(&fixture, 1);
    }
}

static void fire_smoke_and_sparks(CnPreset preset, const char *name)
{
    if (!begin(preset))
        return;
    draw(60);
    assert_golden_image(name, &fixture);
    render_fixture_fini(&fixture);
}

static void forward_draws_fire_smoke_and_sparks(void **state)
{
    (void)state;
    fire_smoke_and_sparks(cn_preset_forward, "scene_particles_forward");
}

static void deferred_draws_fire_smoke_and_sparks(void **state)
{
    (void)state;
    fire_smoke_and_sparks(cn_preset_deferred, "scene_particles_deferred");
}

static void the_same_frames_give_the_same_image(void **state)
{
    (void)state;
    const size_t bytes = (size_t)RENDER_FIXTURE_WIDTH * RENDER_FIXTURE_HEIGHT * 4;
    uint8_t *first = malloc(bytes);
    for (uint32_t run = 0; run < 2; run++) {
        if (!begin(cn_preset_forward))
            break;
        draw(40);
        if (run == 0)
            memcpy(first, fixture.pixels, bytes);
        else
            assert_memory_equal(first, fixture.pixels, bytes);
        render_fixture_fini(&fixture);
    }
    free(first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forward_draws_fire_smoke_and_sparks),
        cmocka_unit_test(deferred_draws_fire_smoke_and_sparks),
        cmocka_unit_test(the_same_frames_give_the_same_image),
    };
    return cmocka_run_group_tests_name("scene particles", tests, NULL, NULL);
}
