/* Particles while memory runs out: those without room are counted, everything else goes on. */
#include "cmocka_tests.h"
#include "failing_heap.h"

#include "render/feature/scene_particles.h"

static bool run(CnAllocator *allocator, void *user)
{
    (void)user;
    static CniRenderSceneParticles particles;
    CnRenderEmitter emitter = {.entity = {1},
                               .rotation = {0, 0, 0, 1},
                               .rate = 100,
                               .burst = 3000,
                               .is_playing = true,
                               .style = {.life = 1, .start_size = 1, .flags = CN_PARTICLES_LOCAL}};
    CnRenderSnapshot snapshot = {.emitters = &emitter, .emitter_count = 1};
    cni_render_scene_particles_init(&particles, allocator);
    for (uint32_t i = 0; i < 100; i++) {
        snapshot.tick = i + 1;
        snapshot.time = (double)i / 30;
        cni_render_scene_particles_advance(&particles,
                                           &(CniRenderParticleFrame){.current = &snapshot});
        cni_render_scene_particles_sort(&particles, cn_vec3(0, 0, 9), cn_vec3(0, 0, -1));
        assert_int_equal(particles.emitters[0].alive, particles.particles.count);
        assert_true(particles.order.count <= particles.particles.count);
    }
    bool is_complete = particles.stats.dropped_particles == 0;
    cni_render_scene_particles_fini(&particles);
    return is_complete;
}

static void particles_without_memory_do_not_start(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(run, NULL) >= 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particles_without_memory_do_not_start),
    };
    return cmocka_run_group_tests_name("scene particles memory", tests, NULL, NULL);
}
