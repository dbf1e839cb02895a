/* particles.burst: what the snapshot contains, options, limits, errors. */
#include "cmocka_tests.h"
#include "script_world.h"

#include "script/runtime/script_bursts.h"

#include <cairn/base/log.h>
#include <cairn/base/math.h>
#include <string.h>

static ScriptWorld w;

static int make_as(bool sandboxed)
{
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    if (!script_world_init(&w, &(ScriptWorldDesc){.sandboxed = sandboxed}))
        return -1;
    memory_files_set(&w.files, "assets://spark.json",
                     "{\"id\": \"Spark\", \"components\": [{\"type\": \"ParticleEmitterComponent\","
                     " \"burst\": 33, \"speed\": 4, \"life\": 2}]}");
    memory_files_set(&w.files, "assets://empty.json", "{\"id\": \"Empty\"}");
    return 0;
}

static int make(void **state)
{
    (void)state;
    return make_as(false);
}

static int make_sandboxed(void **state)
{
    (void)state;
    return make_as(true);
}

static int drop(void **state)
{
    (void)state;
    script_world_fini(&w);
    return 0;
}

#define BOTH(test)                                                                                 \
    cmocka_unit_test_setup_teardown(test, make, drop),                                             \
        cmocka_unit_test_setup_teardown(test, make_sandboxed, drop)

static CnRenderSnapshot newest(void)
{
    CnSnapshotPair pair;
    assert_true(cn_outbox_acquire(cn_sim_outbox(w.sim), &pair));
    cn_outbox_release(cn_sim_outbox(w.sim));
    return pair.current->render;
}

/* Runs the code once, in on_init, and returns the snapshot of its tick. */
static CnRenderSnapshot run(const char *code)
{
    char script[1024];
    cn_format(script, sizeof script, "function on_init() %s end", code);
    CnEntity object = script_add(&w, "Script", script);
    assert_true(script_tick(&w, 1));
    assert_string_equal(script_error(&w, object), "");
    return newest();
}

static void assert_fails(const char *code, const char *words)
{
    const char *result = script_run(&w, code);
    if (strncmp(result, "error: ", 7) != 0 || !strstr(result, words))
        fail_msg("%s gives %s instead of an error with '%s'", code, result, words);
}

/* ---- What is shown ---- */

static void a_burst_is_in_the_snapshot_of_its_tick(void **state)
{
    (void)state;
    CnRenderSnapshot seen = run("assert(particles.burst {position = Vec3(1, 2, 3), count = 40,"
                                " life = 2, speed = 5, gravity = 9, additive = true,"
                                " startColor = Vec4(1, 0.5, 0, 1), shape = 'Sphere'})");
    assert_int_equal(seen.burst_count, 1);
    const CnRenderBurst *burst = &seen.bursts[0];
    assert_int_equal(burst->tick, seen.tick);
    assert_int_equal(burst->count, 40);
    assert_true(burst->position.x == 1 && burst->position.y == 2 && burst->position.z == 3);
    assert_true(burst->style.life == 2 && burst->style.speed == 5 && burst->style.gravity == 9);
    assert_true(burst->style.start_color.y == 0.5f);
    assert_int_equal(burst->style.shape, CN_EMITTER_SPHERE);
    assert_int_equal(burst->style.flags, CN_PARTICLES_ADDITIVE);
}

static void options_that_are_not_given_are_those_of_the_component(void **state)
{
    (void)state;
    CnRenderSnapshot seen = run("particles.burst {position = Vec3(0, 0, 0)}");
    assert_int_equal(seen.bursts[0].count, 20);
    assert_true(seen.bursts[0].style.life == 1 && seen.bursts[0].style.speed == 1);
}

static void an_object_gives_place_and_rotation(void **state)
{
    (void)state;
    CnRenderSnapshot seen = run("this.position = Vec3(5, 0, 0)\n"
                                "this.eulerAngles = Vec3(0, 90, 0)\n"
                                "particles.burst {object = this, position = Vec3(0, 0, 2)}");
    const CnRenderBurst *burst = &seen.bursts[0];
    assert_true(cn_fabsf(burst->position.x - 7) < 1e-5f && cn_fabsf(burst->position.z) < 1e-5f);
}

static void a_prefab_names_an_emitter(void **state)
{
    (void)state;
    CnRenderSnapshot seen = run("particles.burst {emitter = 'assets://spark.json', speed = 7,"
                                " position = Vec3(0, 0, 0)}");
    const CnRenderBurst *burst = &seen.bursts[0];
    assert_int_equal(burst->count, 33);
    assert_true(burst->style.life == 2 && burst->style.speed == 7);
}

static void a_prefab_is_not_spawned_by_its_burst(void **state)
{
    (void)state;
    run("particles.burst {emitter = 'assets://spark.json', position = Vec3(0, 0, 0)}");
    assert_string_equal(script_run(&w, "return tostring(getObject('Spark'))"), "nil");
}

static void an_object_can_be_the_emitter(void **state)
{
    (void)state;
    CnRenderSnapshot seen = run("this:addComponent('ParticleEmitterComponent',\n"
                                "    {life = 3, playing = false})\n"
                                "particles.burst {emitter = this, object = this, count = 2}");
    assert_int_equal(seen.bursts[0].count, 2);
    assert_true(seen.bursts[0].style.life == 3);
}

static void the_component_is_used_from_lua(void **state)
{
    (void)state;
    CnRenderSnapshot seen = run("this:addComponent('ParticleEmitterComponent', {rate = 7})\n"
                                "this:getComponent('ParticleEmitterComponent').endSize = 2");
    assert_int_equal(seen.emitter_count, 1);
    assert_true(seen.emitters[0].rate == 7 && seen.emitters[0].style.end_size == 2);
}

static void bursts_do_not_change_the_state(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "Script",
                                 "function on_update()\n"
                                 "    if bursts then particles.burst {object = this} end\n"
                                 "end");
    assert_true(script_tick(&w, 2));
    CnSnapshot snapshot;
    CnError error = {0};
    assert_true(cn_sim_save(w.sim, &snapshot, &error));
    assert_true(script_tick(&w, 10));
    uint64_t plain = cn_sim_hash(w.sim);
    assert_true(cn_sim_restore(w.sim, snapshot.bytes, snapshot.size, &error));
    cn_snapshot_free(&snapshot);
    for (uint32_t i = 0; i < 10; i++) {
        script_run(&w, "particles.burst {position = Vec3(1, 1, 1)}");
        assert_true(script_tick(&w, 1));
    }
    assert_int_equal(newest().burst_count, 10);
    assert_true(cn_sim_hash(w.sim) == plain);
    assert_string_equal(script_error(&w, object), "");
}

/* ---- Limits ---- */

static void bursts_beyond_the_limit_of_a_tick_are_refused(void **state)
{
    (void)state;
    bool is_sandboxed = w.desc.sandboxed;
    uint32_t limit = is_sandboxed ? CNI_SCRIPT_MAX_BURSTS : CNI_SCRIPT_MAX_TRUSTED_BURSTS;
    char code[256];
    cn_format(code, sizeof code,
              "for i = 1, %u do\n"
              "    assert(particles.burst {position = Vec3(i, 0, 0), count = 1} == (i <= %u))\n"
              "end",
              limit + 20, limit);
    assert_int_equal(run(code).burst_count, limit);
}

static void particles_beyond_the_limit_of_a_tick_are_refused(void **state)
{
    (void)state;
    bool is_sandboxed = w.desc.sandboxed;
    uint32_t limit =
        is_sandboxed ? CNI_SCRIPT_MAX_BURST_PARTICLES : CNI_SCRIPT_MAX_TRUSTED_BURST_PARTICLES;
    CnRenderSnapshot seen =
        run("for i = 1, 40 do particles.burst {position = Vec3(i, 0, 0), count = 4000} end");
    uint32_t sum = 0;
    for (uint32_t i = 0; i < seen.burst_count; i++)
        sum += seen.bursts[i].count;
    assert_in_range(sum, limit - 4000, limit);
}

static void the_next_tick_has_room_again(void **state)
{
    (void)state;
    CnEntity object =
        script_add(&w, "Script",
                   "function on_update() for i = 1, 64 do\n"
                   "    assert(particles.burst {position = Vec3(i, 0, 0), count = 9})\n"
                   "end end");
    assert_true(script_tick(&w, 5));
    assert_string_equal(script_error(&w, object), "");
}

static void bursts_are_charged(void **state)
{
    (void)state;
    if (!w.desc.sandboxed)
        return;
    CnEntity object = script_add(
        &w, "Script",
        "function on_init() while true do particles.burst {position = Vec3(0, 0, 0)} end end");
    assert_true(script_tick(&w, 1));
    assert_non_null(strstr(script_error(&w, object), "instructions"));
}

/* ---- Errors ---- */

static void options_are_checked(void **state)
{
    (void)state;
    assert_fails("particles.burst(3)", "table expected");
    assert_fails("particles.burst {count = 3}", "'position' or 'object' is missing");
    assert_fails("particles.burst {position = 3}", "'position' must be a finite Vec3");
    assert_fails("particles.burst {position = Vec3(0 / 0, 0, 0)}", "finite");
    assert_fails("particles.burst {object = Vec3(0, 0, 0)}", "must be an object that exists");
    assert_fails("particles.burst {position = Vec3(0, 0, 0), count = 1e9}", "from 0 to 4096");
    assert_fails("particles.burst {position = Vec3(0, 0, 0), count = 'x'}", "must be a number");
    assert_fails("particles.burst {position = Vec3(0, 0, 0), colour = 1}", "no option 'colour'");
    assert_fails("particles.burst {position = Vec3(0, 0, 0), rate = 1}", "no option 'rate'");
    assert_fails("particles.burst {position = Vec3(0, 0, 0), life = -1}", "life");
    assert_fails("particles.burst {position = Vec3(0, 0, 0), shape = 'Cube'}", "shape");
}

static void emitters_that_do_not_exist_are_errors(void **state)
{
    (void)state;
    assert_fails("particles.burst {position = Vec3(0, 0, 0), emitter = 'assets://no.json'}",
                 "assets://no.json");
    assert_fails("particles.burst {position = Vec3(0, 0, 0), emitter = 'assets://empty.json'}",
                 "has no ParticleEmitterComponent");
    assert_fails("particles.burst {position = Vec3(0, 0, 0), emitter = getObject('Car')}",
                 "'emitter' must be");
}

static void the_body_of_a_script_cannot_burst(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "Script", "particles.burst {position = Vec3(0, 0, 0)}");
    assert_true(script_tick(&w, 1));
    assert_non_null(strstr(script_error(&w, object), "body of a script"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH(a_burst_is_in_the_snapshot_of_its_tick),
        BOTH(options_that_are_not_given_are_those_of_the_component),
        BOTH(an_object_gives_place_and_rotation),
        BOTH(a_prefab_names_an_emitter),
        BOTH(a_prefab_is_not_spawned_by_its_burst),
        BOTH(an_object_can_be_the_emitter),
        BOTH(the_component_is_used_from_lua),
        BOTH(bursts_do_not_change_the_state),
        BOTH(bursts_beyond_the_limit_of_a_tick_are_refused),
        BOTH(particles_beyond_the_limit_of_a_tick_are_refused),
        BOTH(the_next_tick_has_room_again),
        BOTH(bursts_are_charged),
        BOTH(options_are_checked),
        BOTH(emitters_that_do_not_exist_are_errors),
        BOTH(the_body_of_a_script_cannot_burst),
    };
    return cmocka_run_group_tests_name("particles of scripts", tests, NULL, NULL);
}
