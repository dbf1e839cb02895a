/* Memory that ends while a simulation is cloned: no clone, no leak, and the original is as it was.
 */
#include "cmocka_tests.h"
#include "swarm/swarm.h"

static void every_allocation_of_a_clone_fails_once(void **state)
{
    (void)state;
    CnHeap *heap = cn_heap_create(NULL, NULL);
    CnSim *sim =
        cn_sim_create(&(CnSimDesc){.allocator = cn_heap_tag(heap, "original"), .seed = 3}, NULL);
    assert_true(sim && swarm_add(sim, &(SwarmDesc){40}, NULL) && cn_sim_tick_n(sim, 5, NULL));
    assert_true(cn_sim_hash(sim) != 0);
    cn_sim_destroy(
        cn_sim_clone(sim, NULL, NULL)); /* what the original keeps from then on is there */
    uint64_t hash = cn_sim_hash(sim), before = cn_heap_stats(heap).live_bytes, n = 0;
    CnSim *clone = NULL;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    for (; !clone; n++) {
        CnError error = {0};
        cn_heap_fail_after(heap, n);
        clone = cn_sim_clone(sim, cn_heap_tag(heap, "clone"), &error);
        cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
        if (clone)
            break;
        assert_int_not_equal(error.code, CN_OK);
        assert_int_equal(cn_heap_stats(heap).live_bytes, before);
        assert_true(cn_sim_hash(sim) == hash);
    }
    assert_true(n > 50);
    assert_true(cn_sim_hash(clone) == hash);
    assert_true(cn_sim_tick_n(clone, 3, NULL) && cn_sim_tick_n(sim, 3, NULL));
    assert_true(cn_sim_hash(clone) == cn_sim_hash(sim));
    cn_sim_destroy(clone);
    cn_sim_destroy(sim);
    cn_heap_destroy(heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_of_a_clone_fails_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
