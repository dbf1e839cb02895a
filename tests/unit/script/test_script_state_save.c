/* What scripts keep in this.state is saved and restored with the simulation. */
#include "cmocka_tests.h"
#include "random.h"
#include "script_world.h"

#include "sim/sim_internal.h"

#include <cairn/sim/replay.h>
#include <string.h>

static ScriptWorld w, other;

static int make_as(bool sandboxed)
{
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    return script_world_init(&w, &(ScriptWorldDesc){.sandboxed = sandboxed}) &&
                   script_world_init(&other, &(ScriptWorldDesc){.sandboxed = sandboxed})
               ? 0
               : -1;
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
    script_world_fini(&other);
    return 0;
}

/* Saves, and restores into `into`. */
static void carry(ScriptWorld *from, ScriptWorld *into)
{
    CnSnapshot snapshot;
    CnError error = {0};
    assert_true(cn_sim_save(from->sim, &snapshot, &error));
    if (!cn_sim_restore(into->sim, snapshot.bytes, snapshot.size, &error))
        fail_msg("%s", error.message);
    cn_snapshot_free(&snapshot);
}

/* The script of a new object fails with "wrong" when its state is not as it should be after a
 * restore. */
static void check_kept(const char *set, const char *check)
{
    char code[2048];
    assert_true(cn_format(code, sizeof code,
                          "function on_init() local s = this.state %s end "
                          "function on_reload() restored = true end "
                          "function on_update() local s = this.state "
                          "if restored and not (%s) then error('wrong', 0) end "
                          "if restored then this.name = 'Checked' end end",
                          set, check));
    CnEntity object = script_add(&w, "A", code);
    assert_true(script_tick(&w, 2));
    assert_string_equal(script_error(&w, object), "");
    carry(&w, &w);
    assert_true(script_tick(&w, 1));
    assert_string_equal(script_error(&w, object), "");
    assert_string_equal(cn_object_name(w.world, object), "Checked");
}

static void numbers_texts_and_booleans_are_kept(void **state)
{
    (void)state;
    check_kept("s.n = 1/3 s.big = 2^60 s.inf = 1/0 s.t = 'a\\0b' s.yes = true s.no = false",
               "s.n == 1/3 and s.big == 2^60 and s.inf == 1/0 and s.t == 'a\\0b' and s.yes == true "
               "and s.no == false and s.nothing == nil");
}

static void tables_in_tables_are_kept(void **state)
{
    (void)state;
    check_kept(
        "s.list = {1, 2, {3, x = {y = 'deep'}}} s[1] = 'one' s[true] = 'yes' s[1.5] = 2",
        "#s.list == 3 and s.list[3].x.y == 'deep' and s[1] == 'one' and s[true] == 'yes' and "
        "s[1.5] == 2");
}

static void shared_tables_and_cycles_stay_what_they_are(void **state)
{
    (void)state;
    check_kept("s.a = {} s.b = s.a s.me = s s.a.up = s",
               "s.a == s.b and s.me == s and s.a.up == s");
}

static void vectors_and_objects_are_kept(void **state)
{
    (void)state;
    check_kept(
        "s.v = Vec3(1, 2, 3) s.q = Quat(0, 0, 0, 1) s.car = getObject('Car') s.this = this",
        "s.v == Vec3(1, 2, 3) and s.q == Quat(0, 0, 0, 1) and s.car.name == 'Car' and s.this == "
        "this");
}

static void what_cannot_be_saved_is_left_out(void **state)
{
    (void)state;
    check_kept("s.f = function() end s.c = coroutine.create(print) s.n = 1 s[print] = nil",
               "s.f == nil and s.c == nil and s.n == 1");
}

static void a_state_that_cannot_be_saved_does_not_stop_the_simulation(void **state)
{
    (void)state;
    check_kept("local t = s for i = 1, 100 do t.t = {} t = t.t end", "s.t == nil");
}

/* The order in which a table grew does not matter. */
static void the_same_state_gives_the_same_bytes(void **state)
{
    (void)state;
    script_add(&w, "A",
               "function on_init() local s = this.state s.a = 1 s.b = 2 s.c = {x = 1, y = 2} end");
    script_add(&other, "A",
               "function on_init() local s = this.state for i = 1, 50 do s['k' .. i] = i end "
               "for i = 1, 50 do s['k' .. i] = nil end s.c = {y = 2, x = 1} s.b = 2 s.a = 1 end");
    assert_true(script_tick(&w, 1));
    assert_true(script_tick(&other, 1));
    CnSnapshot a, b;
    assert_true(cn_sim_save(w.sim, &a, NULL));
    assert_true(cn_sim_save(other.sim, &b, NULL));
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.bytes, b.bytes, a.size);
    cn_snapshot_free(&a);
    cn_snapshot_free(&b);
}

static const char walker[] =
    "function on_init() this.state.x = 0 this.state.trail = {} end "
    "function on_update(dt) local s = this.state s.x = s.x + dt * random() "
    "s.trail[#s.trail + 1] = s.x if #s.trail > 5 then table.remove(s.trail, 1) end "
    "local sum = 0 for i, x in ipairs(s.trail) do sum = sum + x end "
    "this.position = Vec3(s.x, sum, #s.trail) end";

static void fill(ScriptWorld *into)
{
    for (uint32_t i = 0; i < 5; i++)
        script_add(into, "Walker", walker);
}

static void going_on_after_a_restore_is_as_never_having_stopped(void **state)
{
    (void)state;
    fill(&w);
    fill(&other);
    assert_true(script_tick(&w, 20));
    assert_true(script_tick(&other, 3));
    carry(&w, &other);
    assert_int_equal(cn_sim_hash(w.sim), cn_sim_hash(other.sim));
    for (uint32_t i = 0; i < 30; i++) {
        assert_true(script_tick(&w, 1));
        assert_true(script_tick(&other, 1));
        assert_int_equal(cn_sim_hash(w.sim), cn_sim_hash(other.sim));
    }
}

static void a_state_can_be_restored_many_times(void **state)
{
    (void)state;
    fill(&w);
    assert_true(script_tick(&w, 10));
    CnSnapshot snapshot;
    assert_true(cn_sim_save(w.sim, &snapshot, NULL));
    assert_true(script_tick(&w, 10));
    uint64_t hash = cn_sim_hash(w.sim);
    for (uint32_t i = 0; i < 5; i++) {
        assert_true(cn_sim_restore(w.sim, snapshot.bytes, snapshot.size, NULL));
        assert_true(script_tick(&w, 10));
        assert_int_equal(cn_sim_hash(w.sim), hash);
    }
    cn_snapshot_free(&snapshot);
}

static void saving_changes_nothing(void **state)
{
    (void)state;
    fill(&w);
    fill(&other);
    for (uint32_t i = 0; i < 10; i++) {
        CnSnapshot snapshot;
        assert_true(script_tick(&w, 1));
        assert_true(script_tick(&other, 1));
        assert_true(cn_sim_save(w.sim, &snapshot, NULL));
        cn_snapshot_free(&snapshot);
        assert_int_equal(cn_sim_hash(w.sim), cn_sim_hash(other.sim));
    }
}

static void recordings_with_scripts_play_and_seek(void **state)
{
    (void)state;
    fill(&w);
    fill(&other);
    CnRecorder *recorder = cn_recorder_create(w.sim, &(CnRecorderDesc){.keyframe_ticks = 10}, NULL);
    assert_true(script_tick(&w, 50));
    size_t size;
    const uint8_t *bytes = cn_recorder_bytes(recorder, &size);
    CnReplay *replay = cn_replay_open_bytes(bytes, size, NULL, NULL);
    assert_non_null(replay);
    assert_true(cn_recorder_finish(recorder, NULL));
    cn_recorder_destroy(recorder);
    CnReplayDifference difference = {0};
    CnError error = {0};
    assert_true(cn_replay_run(replay, other.sim, UINT64_MAX, &difference, &error));
    assert_false(difference.found);
    assert_true(cn_replay_seek(replay, other.sim, 25, &error));
    assert_true(cn_replay_run(replay, other.sim, UINT64_MAX, &difference, &error));
    assert_false(difference.found);
    assert_int_equal(cn_sim_hash(w.sim), cn_sim_hash(other.sim));
    cn_replay_close(replay);
}

static void a_failed_script_stays_failed(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "A", "function on_update()\n  error('too bad')\nend");
    assert_true(script_tick(&w, 1));
    carry(&w, &w);
    CnError error;
    assert_int_equal(cn_script_status(w.world, object), CN_SCRIPT_FAILED);
    assert_true(cn_script_error(w.world, object, &error));
    assert_string_equal(error.message, "too bad");
    assert_int_equal(error.line, 2);
    assert_true(script_tick(&w, 1));
    assert_int_equal(cn_script_stats(w.world).errors, 1);
}

static void on_init_is_not_called_again_but_for_those_that_waited(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "A",
                                 "function on_init() this.state.n = (this.state.n or 0) + 1 "
                                 "this.position = Vec3(this.state.n, 0, 0) end");
    carry(&w, &w);
    assert_true(script_tick(&w, 1));
    carry(&w, &w);
    assert_true(script_tick(&w, 1));
    assert_true(cn_get(w.world, object, CnTransform)->position.x == 1);
}

static void scripts_of_later_ticks_are_gone(void **state)
{
    (void)state;
    CnSnapshot snapshot;
    assert_true(cn_sim_save(w.sim, &snapshot, NULL));
    script_add(&w, "A", "function on_destroy() this.name = 'x' end");
    assert_true(script_tick(&w, 2));
    assert_true(cn_sim_restore(w.sim, snapshot.bytes, snapshot.size, NULL));
    cn_snapshot_free(&snapshot);
    assert_int_equal(cn_script_stats(w.world).running, 0);
    assert_true(script_tick(&w, 2));
}

static void damaged_bytes_give_an_error_or_a_state(void **state)
{
    (void)state;
    CnSnapshot before, snapshot;
    assert_true(cn_world_save(w.world, &before, NULL));
    size_t world_size = before.size;
    cn_snapshot_free(&before);
    script_add(&w, "A", "function on_init() this.state = nil end");
    script_add(&w, "B",
               "function on_init() local s = this.state s.a = {1, 2, 'x', {}} s.b = s.a "
               "s.v = Vec3(1, 2, 3) s.o = this s.t = 'text' end");
    assert_true(script_tick(&w, 1));
    assert_true(cn_sim_save(w.sim, &snapshot, NULL));
    TestRandom random = {1};
    for (uint32_t i = 0; i < 2000; i++) {
        /* Behind the world's own bytes. */
        size_t at = world_size + test_random_below(&random, (uint32_t)(snapshot.size - world_size));
        uint8_t old = snapshot.bytes[at];
        snapshot.bytes[at] = (uint8_t)test_random(&random);
        CnError error = {0};
        if (cn_sim_restore(w.sim, snapshot.bytes, snapshot.size, &error))
            script_tick(&w, 1);
        else
            assert_int_not_equal(error.code, CN_OK);
        snapshot.bytes[at] = old;
    }
    for (size_t size = 0; size < snapshot.size; size += 7)
        cn_sim_restore(w.sim, snapshot.bytes, size, NULL);
    assert_true(cn_sim_restore(w.sim, snapshot.bytes, snapshot.size, NULL));
    assert_true(script_tick(&w, 1));
    cn_snapshot_free(&snapshot);
}

static const CnStateSection *script_section(void)
{
    for (uint32_t i = 0; i < w.sim->sections.count; i++)
        if (!strcmp(w.sim->sections.items[i].name, "Script"))
            return &w.sim->sections.items[i];
    return NULL;
}

static void scripts_begin_anew_when_their_state_is_refused(void **state)
{
    (void)state;
    CnU8Array bytes;
    CnError error = {0};
    CnEntity object = script_add(&w, "A",
                                 "function on_init() this.position = Vec3(this.position.x + 1, 0, "
                                 "0) end");
    script_add(&w, "B", "function on_init() this.state.n = 1 end");
    assert_true(script_tick(&w, 1));
    cn_array_init(&bytes, NULL);
    const CnStateSection *section = script_section();
    assert_true(section->save(section->user, &bytes, NULL));
    assert_false(section->restore(section->user, bytes.items, bytes.count - 1, &error));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
    cn_array_fini(&bytes);
    assert_true(script_tick(&w, 1));
    assert_true(cn_get(w.world, object, CnTransform)->position.x == 2);
}

static void a_state_that_has_an_object_twice_is_refused(void **state)
{
    (void)state;
    CnU8Array bytes;
    CnError error = {0};
    script_add(&w, "A", "function on_init() this.state.n = 1 end");
    assert_true(script_tick(&w, 1));
    cn_array_init(&bytes, NULL);
    const CnStateSection *section = script_section();
    assert_true(section->save(section->user, &bytes, NULL));
    uint32_t header = 8, part = bytes.count - header;
    assert_true(cn_array_reserve(&bytes, bytes.count + part));
    memcpy(bytes.items + bytes.count, bytes.items + header, part);
    bytes.count += part;
    bytes.items[4] = 2; /* the number of scripts */
    assert_false(section->restore(section->user, bytes.items, bytes.count, &error));
    assert_int_equal(error.code, CN_ERROR_FORMAT);
    cn_array_fini(&bytes);
}

static void a_clone_of_the_simulation_has_what_scripts_keep(void **state)
{
    (void)state;
    CnEntity object = script_add(
        &w, "A",
        "function on_init() this.state.n = 0 end "
        "function on_update() local s = this.state s.n = s.n + 1 this.name = 'N' .. s.n end");
    assert_true(script_tick(&w, 3));
    CnError error = {0};
    CnSim *clone = cn_sim_clone(w.sim, NULL, &error);
    if (!clone)
        fail_msg("%s", error.message);
    assert_true(cn_sim_hash(clone) == cn_sim_hash(w.sim));
    assert_true(cn_sim_tick_n(clone, 4, NULL));
    assert_string_equal(cn_object_name(cn_sim_world(clone), object), "N7");
    assert_string_equal(cn_object_name(w.world, object), "N3");
    assert_true(script_tick(&w, 4));
    assert_true(cn_sim_hash(clone) == cn_sim_hash(w.sim));
    cn_sim_destroy(clone);
}

int main(void)
{
#define BOTH(test)                                                                                 \
    cmocka_unit_test_setup_teardown(test, make, drop),                                             \
        cmocka_unit_test_setup_teardown(test, make_sandboxed, drop)
    const struct CMUnitTest tests[] = {
        BOTH(numbers_texts_and_booleans_are_kept),
        BOTH(tables_in_tables_are_kept),
        BOTH(shared_tables_and_cycles_stay_what_they_are),
        BOTH(vectors_and_objects_are_kept),
        BOTH(what_cannot_be_saved_is_left_out),
        BOTH(a_state_that_cannot_be_saved_does_not_stop_the_simulation),
        BOTH(the_same_state_gives_the_same_bytes),
        BOTH(going_on_after_a_restore_is_as_never_having_stopped),
        BOTH(a_state_can_be_restored_many_times),
        BOTH(saving_changes_nothing),
        BOTH(recordings_with_scripts_play_and_seek),
        BOTH(a_failed_script_stays_failed),
        BOTH(on_init_is_not_called_again_but_for_those_that_waited),
        BOTH(scripts_of_later_ticks_are_gone),
        BOTH(damaged_bytes_give_an_error_or_a_state),
        BOTH(scripts_begin_anew_when_their_state_is_refused),
        BOTH(a_state_that_has_an_object_twice_is_refused),
        BOTH(a_clone_of_the_simulation_has_what_scripts_keep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
