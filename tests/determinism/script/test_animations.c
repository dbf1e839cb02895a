/* Animations of scripts: the same in every run, and after a restore in the middle of a transition.
 */
#include "cmocka_tests.h"
#include "script_world.h"

#include <cairn/base/job.h>
#include <cairn/scene/presentation.h>

#define TICKS 300u
#define SAVED 101u
#define EXTRA 20u

static const char model[] =
    "{\"animations\": [{\"name\": \"Walk\", \"samplers\": [{\"input\": 0}]},"
    "{\"name\": \"Jump\", \"samplers\": [{\"input\": 1}]}],"
    "\"accessors\": [{\"max\": [1.7]}, {\"max\": [0.3]}]}";

static const char dancer[] =
    "function on_init() this.state.ends = 0 animation.play(this, 'Walk') end\n"
    "function on_update()\n"
    "    if random(40) == 1 then animation.playOnce(this, 'Jump', {blend = random(), speed = .5 + "
    "random()}) end\n"
    "    if random(90) == 1 then animation.play(this, random(2) - 1, {blend = random()}) end\n"
    "end\n"
    "function on_animationend(clip)\n"
    "    this.state.ends = this.state.ends + 1\n"
    "    this.position = Vec3(this.state.ends, time.tick, clip)\n"
    "end\n";

static CnEntity begin(ScriptWorld *w, CnJobPool *jobs)
{
    assert_true(
        script_world_init(w, &(ScriptWorldDesc){.sandboxed = true, .seed = 5, .jobs = jobs}));
    memory_files_set(&w->files, "assets://fox.gltf", model);
    CnEntity object = {0};
    for (uint32_t i = 0; i < 3; i++) {
        object = script_add(w, "Fox", dancer);
        cn_set(w->world, object, CnMeshRenderer, {.mesh = "assets://fox.gltf"});
    }
    return object;
}

static uint64_t end(ScriptWorld *w, CnEntity object)
{
    assert_string_equal(script_error(w, object), "");
    assert_true(cn_get(w->world, object, CnTransform)->position.x > 2); /* clips have ended */
    uint64_t hash = cn_sim_hash(w->sim);
    script_world_fini(w);
    return hash;
}

static uint64_t run(CnJobPool *jobs)
{
    ScriptWorld w;
    CnEntity object = begin(&w, jobs);
    assert_true(script_tick(&w, TICKS));
    return end(&w, object);
}

static void two_runs_are_equal(void **state)
{
    (void)state;
    CnJobPool *jobs = cn_job_pool_create(&(CnJobPoolDesc){.workers = 3}, NULL);
    uint64_t a = run(NULL), b = run(jobs);
    cn_job_pool_destroy(jobs);
    assert_true(a == b);
}

static void a_restored_state_continues_with_the_same_ends(void **state)
{
    (void)state;
    ScriptWorld w;
    CnSnapshot snapshot;
    CnError error = {0};
    CnEntity object = begin(&w, NULL);
    assert_true(script_tick(&w, SAVED));
    assert_true(cn_sim_save(w.sim, &snapshot, &error));
    assert_true(script_tick(&w, EXTRA));
    assert_true(cn_sim_restore(w.sim, snapshot.bytes, snapshot.size, &error));
    cn_snapshot_free(&snapshot);
    assert_true(script_tick(&w, TICKS - SAVED));
    assert_true(end(&w, object) == run(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_runs_are_equal),
        cmocka_unit_test(a_restored_state_continues_with_the_same_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
