/* test-labels: threads */
/* Objects that come and go: the same states for any number of threads, after a restore, and beside
 * another scene. */
#include "cmocka_tests.h"
#include "jobs.h"
#include "object_churn.h"

#define TICKS 200

static CnSim *make_sim(CnJobPool *jobs)
{
    CnPlugin core = cn_scene_plugin(), churn = object_churn_plugin();
    CnSim *sim =
        cn_sim_create(&(CnSimDesc){.jobs = jobs, .seed = 9, .core = &core, .core_count = 1}, NULL);
    assert_non_null(sim);
    assert_true(cn_sim_add_plugin(sim, &churn, NULL));
    assert_true(object_churn_begin(cn_sim_world(sim), 60));
    return sim;
}

static void run(CnSim *sim, uint64_t *hashes, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        assert_true(cn_sim_tick_n(sim, 1, NULL));
        hashes[i] = cn_sim_hash(sim);
    }
}

static void assert_same(const uint64_t *a, const uint64_t *b, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        if (a[i] != b[i])
            fail_msg("tick %u differs", i);
}

static void the_reference(uint64_t *hashes)
{
    CnSim *sim = make_sim(NULL);
    run(sim, hashes, 0, TICKS);
    CnWorldStats stats = cn_world_stats(cn_sim_world(sim));
    assert_true(stats.entities > 20);
    assert_int_equal(stats.failed_commands, 0);
    cn_sim_destroy(sim);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    uint64_t expected[TICKS], hashes[TICKS];
    the_reference(expected);
    for (uint32_t workers = 0; workers < 4; workers += 3) {
        CnJobPool *jobs = create_pool(workers, 0);
        CnSim *sim = make_sim(jobs);
        run(sim, hashes, 0, TICKS);
        cn_sim_destroy(sim);
        cn_job_pool_destroy(jobs);
        assert_same(hashes, expected, 0, TICKS);
    }
}

static void a_restored_simulation_goes_on_the_same(void **state)
{
    (void)state;
    uint64_t expected[TICKS], hashes[TICKS];
    the_reference(expected);
    CnSim *sim = make_sim(NULL);
    for (uint32_t at = 0; at < TICKS; at += 20) {
        CnSnapshot snapshot;
        assert_true(cn_sim_save(sim, &snapshot, NULL));
        run(sim, hashes, at, at + 7);
        /* Into itself, and into another. */
        CnSim *other = make_sim(NULL);
        assert_true(cn_sim_restore(other, snapshot.bytes, snapshot.size, NULL));
        run(other, hashes, at, TICKS);
        assert_same(hashes, expected, at, TICKS);
        cn_sim_destroy(other);
        assert_true(cn_sim_restore(sim, snapshot.bytes, snapshot.size, NULL));
        cn_snapshot_free(&snapshot);
        run(sim, hashes, at, at + 20);
        assert_same(hashes, expected, at, at + 20);
    }
    cn_sim_destroy(sim);
}

/* Step by step, with nothing but the tree: each name means the first that has it. */
static CnEntity find_plainly(CnWorld *world, const char *path)
{
    CnEntity roots[1024];
    CnText rest = cn_text(path), name;
    CnEntity found = CN_NO_PARENT;
    uint32_t count = cn_object_roots(world, roots, 1024);
    cn_text_split(&rest, '/', &name);
    for (uint32_t i = count; i-- > 0;)
        if (cn_text_equal(cn_text(cn_object_name(world, roots[i])), name))
            found = roots[i];
    while (found.id && cn_text_split(&rest, '/', &name)) {
        CnEntity child = cn_first_child(world, found);
        while (child.id && !cn_text_equal(cn_text(cn_object_name(world, child)), name))
            child = cn_next_sibling(world, child);
        found = child;
    }
    return found;
}

static void assert_path_leads_to_the_first(CnWorld *world, CnEntity object)
{
    char path[CN_OBJECT_PATH_BYTES];
    assert_true(cn_object_path(world, object, path, sizeof path));
    assert_true(cn_entity_equal(cn_object_find(world, path), find_plainly(world, path)));
}

static void what_is_kept_beside_objects_is_right_after_each_tick(void **state)
{
    (void)state;
    CnSim *sim = make_sim(NULL);
    CnWorld *world = cn_sim_world(sim);
    CnQuery *all = cn_query_acquire(world, &(CnQueryDesc){.all = {cn_reads(CnObject)}}, NULL);
    for (int i = 0; i < TICKS; i++) {
        CnEntity entities[1024];
        assert_true(cn_sim_tick_n(sim, 1, NULL));
        uint32_t count = cn_query_entities(all, entities, 1024);
        for (uint32_t e = 0; e < count; e++) {
            uint64_t uid = cn_object_uid(world, entities[e]);
            assert_int_equal(cn_has(world, entities[e], CnInactive),
                             !cn_object_is_active(world, entities[e]));
            assert_true(cn_entity_equal(cn_object_by_uid(world, uid), entities[e]));
            assert_path_leads_to_the_first(world, entities[e]);
        }
    }
    cn_sim_destroy(sim);
}

/* ---- Two scenes ---- */

static CnScenes *make_scenes(CnPlugin *churn)
{
    CnScenes *scenes =
        cn_scenes_create(&(CnScenesDesc){.seed = 3, .plugins = churn, .plugin_count = 1}, NULL);
    assert_non_null(scenes);
    return scenes;
}

static CnScene *make_scene(CnScenes *scenes, const char *name)
{
    CnScene *scene = cn_scene_create(scenes, &(CnSceneDesc){.name = name}, NULL);
    assert_non_null(scene);
    assert_true(object_churn_begin(cn_scene_world(scene), 60));
    return scene;
}

static void tick_scene(CnScenes *scenes, CnScene *scene, uint64_t *hash)
{
    assert_true(cn_scenes_switch(scenes, cn_scene_name(scene), NULL));
    assert_true(cn_scenes_tick_n(scenes, 1, NULL));
    *hash = cn_sim_hash(cn_scene_sim(scene));
}

/* In turns; the scenes that `full` leaves out are empty. All are left and entered alike, because
 * losing and gaining the focus is input. */
static void tick_in_turns(const bool full[2], uint64_t hashes[2][TICKS])
{
    static const char *const names[] = {"Menu", "Level"};
    CnPlugin churn = object_churn_plugin();
    CnScenes *scenes = make_scenes(&churn);
    CnScene *both[2];
    for (int s = 0; s < 2; s++) {
        both[s] = full[s] ? make_scene(scenes, names[s])
                          : cn_scene_create(scenes, &(CnSceneDesc){.name = names[s]}, NULL);
        assert_non_null(both[s]);
    }
    for (int i = 0; i < TICKS; i++)
        for (int s = 0; s < 2; s++)
            tick_scene(scenes, both[s], &hashes[s][i]);
    cn_scenes_destroy(scenes);
}

static void two_scenes_share_nothing(void **state)
{
    (void)state;
    uint64_t first[2][TICKS], second[2][TICKS], beside[2][TICKS];
    tick_in_turns((bool[]){true, false}, first);
    tick_in_turns((bool[]){false, true}, second);
    tick_in_turns((bool[]){true, true}, beside);
    assert_same(beside[0], first[0], 0, TICKS);
    assert_same(beside[1], second[1], 0, TICKS);
    assert_true(first[1][TICKS - 1] != beside[1][TICKS - 1]); /* an empty one is another */
}

/* Into the scene itself and into one of the same name in another registry. */
static void a_restored_scene_goes_on_the_same(void **state)
{
    (void)state;
    uint64_t expected[TICKS], hashes[TICKS];
    CnPlugin churn = object_churn_plugin();
    CnScenes *scenes = make_scenes(&churn), *others = make_scenes(&churn);
    CnScene *scene = make_scene(scenes, "Level"), *other = make_scene(others, "Level");
    CnSnapshot snapshot;
    for (int i = 0; i < TICKS / 2; i++)
        tick_scene(scenes, scene, &expected[i]);
    assert_true(cn_sim_save(cn_scene_sim(scene), &snapshot, NULL));
    for (int i = TICKS / 2; i < TICKS; i++)
        tick_scene(scenes, scene, &expected[i]);
    for (int again = 0; again < 2; again++) {
        CnScene *target = again ? other : scene;
        assert_true(cn_sim_restore(cn_scene_sim(target), snapshot.bytes, snapshot.size, NULL));
        assert_ptr_equal(cn_scene_of(cn_scene_world(target)), target);
        for (int i = TICKS / 2; i < TICKS; i++)
            tick_scene(again ? others : scenes, target, &hashes[i]);
        assert_same(hashes, expected, TICKS / 2, TICKS);
    }
    cn_snapshot_free(&snapshot);
    cn_scenes_destroy(scenes);
    cn_scenes_destroy(others);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_do_not_matter),
        one_thread_test(a_restored_simulation_goes_on_the_same),
        one_thread_test(what_is_kept_beside_objects_is_right_after_each_tick),
        cmocka_unit_test(two_scenes_share_nothing),
        one_thread_test(a_restored_scene_goes_on_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
