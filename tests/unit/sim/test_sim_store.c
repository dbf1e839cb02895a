/* Simulations in stores. */
#include "store_fixture.h"

#include <cairn/sim.h>

CN_COMPONENT(Savings, (i32, coins), (f32, weight));

static CnSim *make_sim(int coins)
{
    CnSim *sim = cn_sim_create(&(CnSimDesc){.seed = 7}, NULL);
    assert_non_null(sim);
    for (int i = 0; i < 500; i++)
        cn_spawn(cn_sim_world(sim), cn_with(Savings, {coins + i, 0.5f}));
    assert_true(cn_sim_tick_n(sim, 5, NULL));
    return sim;
}

static void a_saved_simulation_has_the_same_hash(void **state)
{
    (void)state;
    CnSimSaved saved;
    bool found;
    CnSim *sim = make_sim(3), *other = make_sim(100);
    uint64_t hash = cn_sim_hash(sim);
    open_store();
    CnStoreBatch *batch = new_batch();
    assert_ok(cn_sim_save_to(sim, batch, CHUNKS, cn_store_number(1), &fixture.error));
    save_batch(batch);
    reopen_store();
    assert_ok(cn_sim_restore_from(other, fixture.store, CHUNKS, cn_store_number(1), &saved, &found,
                                  &fixture.error));
    assert_true(found && saved.tick == 5 && saved.hash == hash && cn_sim_hash(other) == hash);
    assert_true(cn_sim_tick_n(sim, 10, NULL) && cn_sim_tick_n(other, 10, NULL));
    assert_true(cn_sim_hash(sim) == cn_sim_hash(other));
    cn_sim_destroy(sim);
    cn_sim_destroy(other);
}

static void without_a_saved_simulation_nothing_changes(void **state)
{
    (void)state;
    bool found = true;
    CnSim *sim = make_sim(3);
    uint64_t hash = cn_sim_hash(sim);
    open_store();
    assert_ok(cn_sim_restore_from(sim, fixture.store, CHUNKS, cn_store_number(1), NULL, &found,
                                  &fixture.error));
    assert_false(found);
    assert_true(cn_sim_hash(sim) == hash);
    cn_sim_destroy(sim);
}

static void another_value_is_refused(void **state)
{
    (void)state;
    bool found;
    CnSim *sim = make_sim(3);
    uint64_t hash = cn_sim_hash(sim);
    open_store();
    CnStoreBatch *batch = new_batch();
    put_number(batch, 1, "this is not a simulation, but long enough");
    save_batch(batch);
    assert_refused(cn_sim_restore_from(sim, fixture.store, CHUNKS, cn_store_number(1), NULL, &found,
                                       &fixture.error),
                   CN_ERROR_FORMAT, "another format");
    assert_true(cn_sim_hash(sim) == hash);
    cn_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(a_saved_simulation_has_the_same_hash),
        store_test(without_a_saved_simulation_nothing_changes),
        store_test(another_value_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
