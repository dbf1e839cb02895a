/* ODE as a library: what it would end the process for comes back as false. */
#include "physics_fixture.h"

#include "physics/physics_internal.h"
#include "physics/ode_library.h"

static bool went_on;

static void find_a_mistake(void *data)
{
    (void)data;
    dDebug(7, "a mistake of %s", "somebody");
    went_on = true;
}

static void find_an_error(void *data)
{
    (void)data;
    dError(8, "an error");
    went_on = true;
}

static void find_nothing(void *data)
{
    *(int *)data += 1;
}

static void an_error_in_ode_ends_the_step_but_not_the_process(void **state)
{
    (void)state;
    int count = 0;
    went_on = false;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    assert_false(cni_physics_ode_run(find_a_mistake, NULL));
    assert_false(cni_physics_ode_run(find_an_error, NULL));
    assert_false(went_on);
    assert_true(cni_physics_ode_run(find_nothing, &count));
    assert_int_equal(count, 1);
}

static void ode_computes_in_double(void **state)
{
    (void)state;
    assert_true(dCheckConfiguration("ODE_double_precision"));
}

static void forgetting_all_caches_changes_nothing(void **state)
{
    (void)state;
    uint64_t hashes[2][200];
    for (int run = 0; run < 2; run++) {
        tear_down(NULL);
        set_up(NULL);
        add_floor();
        for (int i = 0; i < 25; i++)
            add_body(cn_vec3((float)(i % 5) * .9f, 1 + (float)(i / 5) * 1.2f, (float)(i % 3) * .4f),
                     i % 4 ? box(CN_BODY_DYNAMIC, .5f, .5f, .5f) : sphere(CN_BODY_DYNAMIC, .5f));
        for (int i = 0; i < 200; i++) {
            if (run == 1 && i % 3 == 1)
                cni_physics_world_reset(cni_physics_world_of(world));
            tick(1);
            hashes[run][i] = cn_sim_hash(sim);
        }
    }
    for (int i = 0; i < 200; i++)
        assert_true(hashes[0][i] == hashes[1][i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(an_error_in_ode_ends_the_step_but_not_the_process),
        TEST(ode_computes_in_double),
        TEST(forgetting_all_caches_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
