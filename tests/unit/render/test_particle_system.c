/* The upload queue of particles: what it accepts, what it rejects, and what it counts. */
#include "cmocka_tests.h"

#include "render/feature/particle_system.h"

#include <math.h>
#include <string.h>

static const CnEmitterDesc two[] = {{.name = "drops", .max_particles = 64, .splash = 2},
                                    {.name = "splashes", .max_particles = 16}};

static CnParticleSystem *make(const CnEmitterDesc *emitters, uint32_t count, CnError *error)
{
    return cn_particle_system_create(
        &(CnParticleSystemDesc){.emitters = emitters, .emitter_count = count}, error);
}

static void assert_refused(const CnEmitterDesc *emitters, uint32_t count, const char *words)
{
    CnError error = {0};
    assert_null(make(emitters, count, &error));
    assert_non_null(strstr(error.message, words));
}

static void emitters_have_places_one_after_the_other(void **state)
{
    (void)state;
    CnParticleSystem *particle_system = make(two, 2, NULL);
    assert_int_equal(particle_system->firsts[0], 0);
    assert_int_equal(particle_system->firsts[1], 64);
    assert_int_equal(particle_system->firsts[2], 80);
    cn_particle_system_destroy(particle_system);
}

static void emitters_that_cannot_be_are_refused(void **state)
{
    (void)state;
    CnEmitterDesc many[CN_MAX_EMITTERS + 1];
    for (uint32_t i = 0; i <= CN_MAX_EMITTERS; i++)
        many[i] = two[1];
    assert_refused(many, CN_MAX_EMITTERS + 1, "exceed the limit of 16");
    assert_refused(&(CnEmitterDesc){.name = "none"}, 1, "(none): max_particles must not be 0");
    assert_refused(two, 1, "(drops): its splash emitter does not exist");
    assert_refused(&(CnEmitterDesc){.max_particles = UINT32_MAX}, 1, "more than");
}

static void bursts_that_do_not_fit_are_dropped_and_counted(void **state)
{
    (void)state;
    CnParticleSystem *particle_system = make(two, 2, NULL);
    for (uint32_t i = 0; i < CNI_RENDER_MAX_BURSTS; i++)
        assert_true(
            cn_particle_system_burst(particle_system, &(CnBurst){.emitter = 1, .count = 1}));
    assert_int_equal(cn_particle_system_dropped(particle_system), 0);
    assert_false(cn_particle_system_burst(particle_system, &(CnBurst){.emitter = 1, .count = 1}));
    assert_false(cn_particle_system_burst(particle_system, &(CnBurst){.emitter = 0, .count = 1}));
    assert_int_equal(cn_particle_system_dropped(particle_system), 2);
    cn_particle_system_destroy(particle_system);
}

static void a_strength_is_a_part(void **state)
{
    (void)state;
    const float given[] = {0.25f, 7, -1, NAN, INFINITY}, kept[] = {0.25f, 1, 0, 0, 1};
    CnParticleSystem *particle_system = make(two, 2, NULL);
    for (uint32_t i = 0; i < CN_COUNT_OF(given); i++) {
        cn_particle_system_set_strength(particle_system, 1, given[i]);
        assert_float_equal(particle_system->strengths[1], kept[i], 0);
    }
    cn_particle_system_destroy(particle_system);
}

static void ground_is_copied_up_to_its_limit(void **state)
{
    (void)state;
    static CnGroundColumn columns[CNI_RENDER_MAX_GROUND * CNI_RENDER_MAX_GROUND];
    CnParticleSystem *particle_system = make(two, 2, NULL);
    columns[CN_COUNT_OF(columns) - 1].height = -64;
    assert_true(
        cn_particle_system_set_ground(particle_system, -5, 7, CNI_RENDER_MAX_GROUND, columns));
    assert_int_equal(particle_system->ground.x, -5);
    assert_int_equal(particle_system->ground.columns[CN_COUNT_OF(columns) - 1].height, -64);
    assert_false(
        cn_particle_system_set_ground(particle_system, 0, 0, CNI_RENDER_MAX_GROUND + 1, columns));
    assert_int_equal(particle_system->ground.z, 7);
    cn_particle_system_destroy(particle_system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(emitters_have_places_one_after_the_other),
        cmocka_unit_test(emitters_that_cannot_be_are_refused),
        cmocka_unit_test(bursts_that_do_not_fit_are_dropped_and_counted),
        cmocka_unit_test(a_strength_is_a_part),
        cmocka_unit_test(ground_is_copied_up_to_its_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
