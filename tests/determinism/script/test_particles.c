/* Bursts of scripts: the same in every run and in a replay, and the state does not know them. */
#include "cmocka_tests.h"
#include "script_world.h"

#include <cairn/base/job.h>

#define TICKS 150u

static const char sparks[] =
    "function on_update()\n"
    "    this.position = Vec3(random(), random(), random())\n"
    "    if random(3) == 1 then\n"
    "        particles.burst {object = this, count = random(100), speed = random() * 5,\n"
    "                         startColor = Vec4(random(), 0, 0, 1)}\n"
    "    end\n"
    "end\n";

typedef struct Result {
    uint64_t hash, bursts;
    uint32_t count;
} Result;

static void add_bursts(CnSim *sim, Result *result)
{
    CnSnapshotPair pair;
    assert_true(cn_outbox_acquire(cn_sim_outbox(sim), &pair));
    const CnRenderSnapshot *seen = &pair.current->render;
    for (uint32_t i = 0; i < seen->burst_count; i++) {
        const CnRenderBurst *burst = &seen->bursts[i];
        if (burst->tick != seen->tick)
            continue;
        uint64_t numbers[] = {burst->tick, burst->number, burst->count};
        result->bursts = cn_hash_bytes(numbers, sizeof numbers, result->bursts);
        result->bursts = cn_hash_bytes(&burst->position, sizeof burst->position, result->bursts);
        result->bursts = cn_hash_bytes(&burst->style, sizeof burst->style, result->bursts);
        result->count++;
    }
    cn_outbox_release(cn_sim_outbox(sim));
}

static void begin(ScriptWorld *w, CnJobPool *jobs)
{
    assert_true(
        script_world_init(w, &(ScriptWorldDesc){.sandboxed = true, .seed = 5, .jobs = jobs}));
    for (uint32_t i = 0; i < 3; i++)
        script_add(w, "Sparks", sparks);
}

static Result run(CnJobPool *jobs)
{
    ScriptWorld w;
    Result result = {0};
    begin(&w, jobs);
    for (uint32_t i = 0; i < TICKS; i++) {
        assert_true(script_tick(&w, 1));
        add_bursts(w.sim, &result);
    }
    result.hash = cn_sim_hash(w.sim);
    script_world_fini(&w);
    return result;
}

static void two_runs_are_equal(void **state)
{
    (void)state;
    CnJobPool *jobs = cn_job_pool_create(&(CnJobPoolDesc){.workers = 3}, NULL);
    Result a = run(NULL), b = run(jobs);
    cn_job_pool_destroy(jobs);
    assert_true(a.hash == b.hash && a.bursts == b.bursts);
    assert_true(a.count == b.count && a.count > TICKS / 2);
}

static void a_replay_shows_the_same_bursts(void **state)
{
    (void)state;
    ScriptWorld w;
    CnError error = {0};
    Result first = {0}, second = {0};
    begin(&w, NULL);
    CnRecorder *recorder = cn_recorder_create(w.sim, NULL, &error);
    assert_non_null(recorder);
    for (uint32_t i = 0; i < TICKS; i++) {
        assert_true(script_tick(&w, 1));
        add_bursts(w.sim, &first);
    }
    assert_true(cn_recorder_finish(recorder, &error));
    size_t size;
    const uint8_t *bytes = cn_recorder_bytes(recorder, &size);
    CnReplay *replay = cn_replay_open_bytes(bytes, size, NULL, &error);
    assert_non_null(replay);
    cn_recorder_destroy(recorder);
    script_world_fini(&w);
    begin(&w, NULL);
    CnReplayDifference difference = {0};
    for (uint32_t i = 0; i < TICKS; i++) {
        if (!cn_replay_run(replay, w.sim, i + 1, &difference, &error))
            fail_msg("%s", error.message);
        assert_false(difference.found);
        add_bursts(w.sim, &second);
    }
    cn_replay_close(replay);
    script_world_fini(&w);
    assert_true(first.bursts == second.bursts && first.count == second.count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_runs_are_equal),
        cmocka_unit_test(a_replay_shows_the_same_bursts),
    };
    return cmocka_run_group_tests_name("determinism of bursts", tests, NULL, NULL);
}
