/* test-labels: threads */
/* The fair does what scenes/fair/fair.h says: on any number of threads, and from every state. */
#include "jobs.h"
#include "matrix_hash.h"

#include "fair/fair.h"

enum { OBJECTS = 800, TICKS = 96 };

typedef struct Look {
    uint64_t state, matrices;
} Look;

static CnSim *start(CnJobPool *jobs)
{
    CnError error = {0};
    const CnPlugin scene = cn_scene_plugin();
    CnSim *sim = cn_sim_create(
        &(CnSimDesc){.jobs = jobs, .seed = 20, .core = &scene, .core_count = 1}, &error);
    assert_non_null(sim);
    if (!fair_add(sim, &(FairDesc){OBJECTS}, &error))
        fail_msg("%s", error.message);
    return sim;
}

static Look tick(CnSim *sim)
{
    CnError error = {0};
    fair_play(sim, 4, cn_sim_tick(sim));
    if (!cn_sim_tick_n(sim, 1, &error))
        fail_msg("%s", error.message);
    return (Look){cn_sim_hash(sim), hash_passed_matrices(cn_sim_world(sim))};
}

static void run_whole(CnJobPool *jobs, Look looks[TICKS])
{
    CnSim *sim = start(jobs);
    for (int i = 0; i < TICKS; i++)
        looks[i] = tick(sim);
    cn_sim_destroy(sim);
}

static void check_same(Look a, Look b, int at)
{
    if (a.state != b.state || a.matrices != b.matrices)
        fail_msg("tick %d: another %s", at, a.state != b.state ? "state" : "matrix");
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    Look expected[TICKS], looks[TICKS];
    CnJobPool *jobs = create_pool(3, 0);
    run_whole(NULL, expected);
    run_whole(jobs, looks);
    cn_job_pool_destroy(jobs);
    for (int i = 0; i < TICKS; i++)
        check_same(looks[i], expected[i], i);
}

static void a_restored_fair_goes_on_as_the_saved_one(void **state)
{
    (void)state;
    Look expected[TICKS];
    run_whole(NULL, expected);
    CnSim *sim = start(NULL);
    for (int at = 0; at + 11 <= TICKS; at += 11) {
        CnSnapshot saved;
        CnSim *other = start(NULL);
        assert_true(cn_sim_save(sim, &saved, NULL));
        assert_true(cn_sim_restore(other, saved.bytes, saved.size, NULL));
        cn_snapshot_free(&saved);
        for (int i = at; i < at + 11; i++) {
            check_same(tick(sim), expected[i], i);
            check_same(tick(other), expected[i], i);
        }
        cn_sim_destroy(other);
    }
    cn_sim_destroy(sim);
}

static void a_cloned_fair_goes_on_as_the_original(void **state)
{
    (void)state;
    CnError error = {0};
    CnSim *sim = start(NULL);
    for (int i = 0; i < TICKS / 2; i++)
        tick(sim);
    CnSim *clone = cn_sim_clone(sim, NULL, &error);
    if (!clone)
        fail_msg("%s", error.message);
    assert_true(cn_sim_hash(clone) == cn_sim_hash(sim));
    for (int i = TICKS / 2; i < TICKS; i++)
        check_same(tick(clone), tick(sim), i);
    cn_sim_destroy(clone);
    cn_sim_destroy(sim);
}

static void reads_and_the_pass_give_the_same_bits(void **state)
{
    (void)state;
    CnSim *sim = start(NULL);
    CnWorld *world = cn_sim_world(sim);
    for (int i = 0; i < TICKS; i++) {
        uint64_t passed = tick(sim).matrices;
        assert_true(hash_peeked_matrices(world) == passed);
        assert_true(hash_read_matrices(world) == passed);
    }
    cn_sim_destroy(sim);
}

static void there_are_about_as_many_objects_as_requested(void **state)
{
    (void)state;
    CnSim *sim = start(NULL);
    for (int i = 0; i < 4 * TICKS; i++)
        tick(sim);
    uint32_t count = cn_entity_count(cn_sim_world(sim));
    assert_in_range(count, OBJECTS / 2, OBJECTS * 3 / 2);
    cn_sim_destroy(sim);
}

static void the_player_moves_by_the_hand(void **state)
{
    (void)state;
    CnSim *sim = start(NULL);
    CnWorld *world = cn_sim_world(sim);
    CnVec3 before = cn_transform_world_position(world, cn_object_find(world, "Player"));
    for (int i = 0; i < TICKS; i++)
        tick(sim);
    CnVec3 after = cn_transform_world_position(world, cn_object_find(world, "Player"));
    assert_true(cn_vec3_length(cn_vec3_sub(after, before)) > 1);
    cn_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(a_restored_fair_goes_on_as_the_saved_one),
        cmocka_unit_test(a_cloned_fair_goes_on_as_the_original),
        cmocka_unit_test(reads_and_the_pass_give_the_same_bits),
        cmocka_unit_test(there_are_about_as_many_objects_as_requested),
        cmocka_unit_test(the_player_moves_by_the_hand),
    };
    return cmocka_run_group_tests_name("fair", tests, NULL, NULL);
}
