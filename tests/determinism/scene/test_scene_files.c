/* test-labels: threads */
/*
 * Scenes from files, with everything a scene can have: objects, bodies and scripts. They run the
 * same with any number of threads, and after saving and restoring in any tick.
 */
#include "cmocka_tests.h"

#include <cairn/physics.h>
#include <cairn/scene.h>
#include <cairn/script.h>
#include <cairn/vfs.h>

enum { TICKS = 150, BOXES = 30, CUTS = 4 };

typedef struct Run {
    CnVfs *vfs;
    CnScriptDesc scripts;
    CnScenes *scenes;
    CnScene *scene;
} Run;

static void mount(CnVfs *vfs, const char *scheme, const char *name, const char *below)
{
    char folder[128];
    CnError error = {0};
    cn_format(folder, sizeof folder, "scenes/%s%s", name, below);
    if (!cn_vfs_mount(vfs, scheme, folder, CN_MOUNT_READ, &error))
        fail_msg("%s", error.message);
}

static void drop_boxes(Run *run)
{
    CnWorld *world = cn_scene_world(run->scene);
    for (int i = 0; i < BOXES; i++) {
        CnEntity box =
            cn_prefab_spawn(world, cn_vfs_files(run->vfs), "assets://box.json", CN_NO_PARENT, NULL);
        assert_true(box.id != 0);
        cn_get_mut(world, box, CnTransform)->position =
            cn_vec3((float)(i % 5) * 0.9f - 6, 8 + (float)(i / 5), (float)(i % 3) * 0.5f);
    }
}

static void begin(Run *run, const char *name, CnJobPool *jobs)
{
    CnError error = {0};
    bool has_boxes = !strcmp(name, "boxes"), has_assets = strcmp(name, "machines");
    *run = (Run){.vfs = cn_vfs_create(NULL, &error)};
    mount(run->vfs, "project", name, "");
    mount(run->vfs, "scripts", name, "/scripts");
    if (has_assets)
        mount(run->vfs, "assets", name, "/assets");
    run->scripts.files = cn_vfs_files(run->vfs);
    const CnPlugin plugins[] = {cn_physics_plugin(NULL), cn_script_plugin(&run->scripts)};
    run->scenes = cn_scenes_create(
        &(CnScenesDesc){.jobs = jobs, .seed = 3, .plugins = plugins, .plugin_count = 2}, &error);
    run->scene = cn_scene_load(run->scenes, cn_vfs_files(run->vfs), "project://main.json", &error);
    if (!run->scene)
        fail_msg("%s:%d:%d: %s", error.file, error.line, error.column, error.message);
    if (has_boxes)
        drop_boxes(run);
}

static void end(Run *run)
{
    cn_scenes_destroy(run->scenes);
    cn_vfs_destroy(run->vfs);
}

static uint64_t tick(Run *run)
{
    CnError error = {0};
    if (!cn_scenes_tick_n(run->scenes, 1, &error))
        fail_msg("%s", error.message);
    return cn_sim_hash(cn_scene_sim(run->scene));
}

static void run_all(const char *name, CnJobPool *jobs, uint64_t hashes[TICKS])
{
    Run run;
    begin(&run, name, jobs);
    for (int i = 0; i < TICKS; i++)
        hashes[i] = tick(&run);
    end(&run);
}

static void compare_threads(const char *name)
{
    uint64_t expected[TICKS], hashes[TICKS];
    run_all(name, NULL, expected);
    assert_true(expected[TICKS - 1] != expected[TICKS - 2]);
    for (uint32_t workers = 0; workers <= 3; workers += 3) {
        CnJobPool *jobs =
            cn_job_pool_create(&(CnJobPoolDesc){.workers = workers ? workers : CN_JOBS_NONE}, NULL);
        assert_non_null(jobs);
        run_all(name, jobs, hashes);
        cn_job_pool_destroy(jobs);
        for (int i = 0; i < TICKS; i++)
            if (hashes[i] != expected[i])
                fail_msg("%s, %u workers: tick %d differs", name, workers, i);
    }
}

/* Into another scene that was made alike, and into the same one. */
static void compare_restored(const char *name)
{
    static const int cuts[CUTS] = {1, 20, 61, 110};
    uint64_t expected[TICKS];
    run_all(name, NULL, expected);
    for (int cut = 0; cut < CUTS; cut++) {
        Run first, second;
        CnSnapshot snapshot;
        begin(&first, name, NULL);
        begin(&second, name, NULL);
        for (int i = 0; i < cuts[cut]; i++)
            tick(&first);
        assert_true(cn_sim_save(cn_scene_sim(first.scene), &snapshot, NULL));
        for (int i = cuts[cut]; i < cuts[cut] + 10; i++)
            tick(&first);
        Run *runs[] = {&first, &second};
        for (int r = 0; r < 2; r++) {
            assert_true(
                cn_sim_restore(cn_scene_sim(runs[r]->scene), snapshot.bytes, snapshot.size, NULL));
            for (int i = cuts[cut]; i < TICKS; i++)
                if (tick(runs[r]) != expected[i])
                    fail_msg("%s saved after %d ticks: tick %d differs in the %s scene", name,
                             cuts[cut], i, r ? "other" : "same");
        }
        cn_snapshot_free(&snapshot);
        end(&first);
        end(&second);
    }
}

static void scripts_run_the_same_with_any_threads(void **state)
{
    (void)state;
    compare_threads("machines");
}

static void what_scripts_make_is_the_same_with_any_threads(void **state)
{
    (void)state;
    compare_threads("factory");
}

static void bodies_run_the_same_with_any_threads(void **state)
{
    (void)state;
    compare_threads("boxes");
}

static void scripts_go_on_as_they_were_after_restoring(void **state)
{
    (void)state;
    compare_restored("machines");
}

static void what_scripts_make_goes_on_after_restoring(void **state)
{
    (void)state;
    compare_restored("factory");
}

static void bodies_go_on_as_they_were_after_restoring(void **state)
{
    (void)state;
    compare_restored("boxes");
}

int main(void)
{
    cn_log_set_level(CN_LOG_LEVEL_OFF); /* a script of machines fails on purpose */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scripts_run_the_same_with_any_threads),
        cmocka_unit_test(what_scripts_make_is_the_same_with_any_threads),
        cmocka_unit_test(bodies_run_the_same_with_any_threads),
        one_thread_test(scripts_go_on_as_they_were_after_restoring),
        one_thread_test(what_scripts_make_goes_on_after_restoring),
        one_thread_test(bodies_go_on_as_they_were_after_restoring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
