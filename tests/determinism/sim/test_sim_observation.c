/* A simulation that is looked at while it runs gives the same states as one that is left alone. */
#include "cmocka_tests.h"
#include "random.h"
#include "sim_world.h"
#include "swarm_run.h"

#include <string.h>

typedef struct Looker {
    TestRandom random;
    CnQuery *queries[8];
    uint64_t seen;
} Looker;

static CnComponent some_component(Looker *looker, CnWorld *world)
{
    return (CnComponent){1 + test_random_below(&looker->random, cn_component_limit(world))};
}

static void look_through_a_query(Looker *looker, CnWorld *world)
{
    CnQuery **query = &looker->queries[test_random_below(&looker->random, 8)];
    CnComponent component = some_component(looker, world);
    CnComponentInfo info;
    if (!cn_component_info(world, component, &info))
        return;
    CnEntity target = cn_entity_at(world, test_random_below(&looker->random, 64));
    if (!info.pair_kind.id && target.id && test_random_chance(&looker->random, 30) &&
        strcmp(info.name, "CnNode") != 0 && info.name[0] != '(')
        component = cn_pair(world, component, target);
    cn_query_release(*query);
    *query = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_tag_id(component)}}, NULL);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(*query); cn_query_next(&it, &view);)
        looker->seen += view.count;
}

static void look(Looker *looker, CnSim *sim)
{
    CnWorld *world = cn_sim_world(sim);
    CnComponent component = some_component(looker, world);
    CnFingerprint fingerprint;
    CnSnapshot snapshot;
    CnTreeOrder order;
    switch (test_random_below(&looker->random, 7)) {
    case 0:
        cn_world_fingerprint_component(world, component, &fingerprint);
        looker->seen += fingerprint.count + cn_world_hash_component(world, component);
        break;
    case 1:
        looker->seen += cn_sim_hash(sim);
        break;
    case 2:
        if (cn_sim_save(sim, &snapshot, NULL))
            cn_snapshot_free(&snapshot);
        break;
    case 3:
        looker->seen += cn_tree_order(world, &order) ? order.count : 0;
        break;
    case 4:
        cn_world_trim(world);
        break;
    default:
        look_through_a_query(looker, world);
    }
}

static void look_away(Looker *looker)
{
    for (uint32_t i = 0; i < CN_COUNT_OF(looker->queries); i++)
        cn_query_release(looker->queries[i]);
}

static void assert_same(CnSim *a, CnSim *b)
{
    CnSnapshot x, y;
    assert_int_equal(cn_sim_hash(a), cn_sim_hash(b));
    assert_true(cn_sim_save(a, &x, NULL) && cn_sim_save(b, &y, NULL));
    assert_int_equal(x.size, y.size);
    assert_memory_equal(x.bytes, y.bytes, x.size);
    cn_snapshot_free(&x);
    cn_snapshot_free(&y);
}

static void observers_do_not_change_a_small_simulation(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        SimWorld alone, observed;
        Looker looker = {.random = {seed}};
        assert_true(sim_world_init(&alone, &(SimWorldDesc){.seed = seed}) &&
                    sim_world_init(&observed, &(SimWorldDesc){.seed = seed}));
        for (uint32_t tick = 1; tick <= 120; tick++) {
            sim_world_play(&alone, 1);
            sim_world_play(&observed, 1);
            for (uint32_t i = 0; i < 4; i++)
                look(&looker, observed.sim);
            assert_int_equal(cn_sim_hash(alone.sim), cn_sim_hash(observed.sim));
            if (tick % 30 == 0)
                assert_same(alone.sim, observed.sim);
        }
        look_away(&looker);
        assert_int_equal(cn_world_stats(cn_sim_world(alone.sim)).queries,
                         cn_world_stats(cn_sim_world(observed.sim)).queries);
        sim_world_fini(&alone);
        sim_world_fini(&observed);
    }
}

static void observers_do_not_change_a_swarm(void **state)
{
    (void)state;
    CnSim *alone = start_swarm(500, NULL), *observed = start_swarm(500, NULL);
    Looker looker = {.random = {5}};
    for (uint64_t tick = 1; tick <= 150; tick++) {
        play_swarm(alone, tick);
        play_swarm(observed, tick);
        look(&looker, observed);
        assert_int_equal(cn_sim_hash(alone), cn_sim_hash(observed));
    }
    assert_same(alone, observed);
    look_away(&looker);
    cn_sim_destroy(alone);
    cn_sim_destroy(observed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(observers_do_not_change_a_small_simulation),
        cmocka_unit_test(observers_do_not_change_a_swarm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
