/* test-labels: threads */
/* Falling boxes: they settle, and do so in the same way whatever else happens. */
#include "jobs.h"

#include "boxes/boxes.h"

#include <cairn/physics.h>

/* Under sanitizers there are fewer, so that it does not take minutes. */
#ifdef CN_GUARDS
enum { MANY = 150 };
#else
enum { MANY = 1000 };
#endif
enum { FEW = 60, TICKS = 900, WATCHED = 200 };

static CnSim *start(uint32_t boxes, CnJobPool *jobs)
{
    CnError error = {0};
    CnSim *sim = cn_sim_create(&(CnSimDesc){.jobs = jobs}, &error);
    assert_non_null(sim);
    if (!boxes_add(sim, &(BoxesDesc){boxes}, &error))
        fail_msg("%s", error.message);
    return sim;
}

static void tick(CnSim *sim, uint64_t count)
{
    CnError error = {0};
    if (!cn_sim_tick_n(sim, count, &error))
        fail_msg("%s", error.message);
}

static void hash_run(uint32_t boxes, CnJobPool *jobs, uint32_t ticks, uint64_t *hashes)
{
    CnSim *sim = start(boxes, jobs);
    for (uint32_t i = 0; i < ticks; i++) {
        tick(sim, 1);
        hashes[i] = cn_sim_hash(sim);
    }
    cn_sim_destroy(sim);
}

static void check_same(const uint64_t *a, const uint64_t *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (a[i] != b[i])
            fail_msg("another state after tick %u", i + 1);
}

static uint64_t first[TICKS], second[TICKS];

static void cloned_boxes_fall_as_the_original_ones(void **state)
{
    (void)state;
    CnError error = {0};
    CnSim *sim = start(FEW, NULL);
    tick(sim, WATCHED / 2);
    CnSim *clone = cn_sim_clone(sim, NULL, &error);
    if (!clone)
        fail_msg("%s", error.message);
    assert_true(cn_sim_hash(clone) == cn_sim_hash(sim));
    for (uint32_t i = 0; i < WATCHED; i++) {
        tick(sim, 1);
        tick(clone, 1);
        assert_true(cn_sim_hash(clone) == cn_sim_hash(sim));
    }
    cn_sim_destroy(clone);
    cn_sim_destroy(sim);
}

static void many_boxes_settle_in_the_tray(void **state)
{
    (void)state;
    CnSim *sim = start(MANY, NULL);
    tick(sim, TICKS);
    BoxesState end = boxes_state(sim);
    assert_int_equal(end.boxes, MANY);
    assert_int_equal(end.lost, 0);
    assert_int_equal(end.asleep, MANY);
    cn_sim_destroy(sim);
}

static void many_boxes_fall_alike_in_two_runs_and_with_4_threads(void **state)
{
    (void)state;
    hash_run(MANY, NULL, TICKS / 3, first);
    hash_run(MANY, NULL, TICKS / 3, second);
    check_same(first, second, TICKS / 3);
    CnJobPool *jobs = create_pool(3, 0);
    hash_run(MANY, jobs, TICKS / 3, second);
    check_same(first, second, TICKS / 3);
    cn_job_pool_destroy(jobs);
}

static void another_world_in_between_changes_nothing(void **state)
{
    (void)state;
    hash_run(FEW, NULL, WATCHED, first);
    CnSim *sim = start(FEW, NULL), *other = start(FEW + 7, NULL);
    for (uint32_t i = 0; i < WATCHED; i++) {
        tick(other, i % 3);
        tick(sim, 1);
        second[i] = cn_sim_hash(sim);
    }
    check_same(first, second, WATCHED);
    cn_sim_destroy(sim);
    cn_sim_destroy(other);
}

typedef struct Elsewhere {
    uint64_t hashes[WATCHED];
} Elsewhere;

static void run_elsewhere(void *data, uint32_t lane)
{
    (void)lane;
    Elsewhere *elsewhere = data;
    hash_run(FEW, NULL, WATCHED, elsewhere->hashes);
}

static void worlds_on_two_threads_at_once_change_nothing(void **state)
{
    (void)state;
    static Elsewhere here[3];
    CnJobPool *jobs = create_pool(2, 0);
    CnJob waiting[3];
    hash_run(FEW, NULL, WATCHED, first);
    for (int i = 0; i < 3; i++)
        waiting[i] = submit(jobs, run_elsewhere, &here[i]);
    for (int i = 0; i < 3; i++)
        cn_job_wait(jobs, waiting[i]);
    for (int i = 0; i < 3; i++)
        check_same(first, here[i].hashes, WATCHED);
    cn_job_pool_destroy(jobs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cloned_boxes_fall_as_the_original_ones),
        cmocka_unit_test(many_boxes_settle_in_the_tray),
        cmocka_unit_test(many_boxes_fall_alike_in_two_runs_and_with_4_threads),
        cmocka_unit_test(another_world_in_between_changes_nothing),
        cmocka_unit_test(worlds_on_two_threads_at_once_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
