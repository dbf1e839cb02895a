/* store.set and store.get: values that are saved with the world. */
#include "cmocka_tests.h"
#include "script_world.h"

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

static void assert_runs(const char *code, const char *result)
{
    assert_string_equal(script_run(&w, code), result);
}

static void assert_fails(const char *code, const char *part)
{
    const char *result = script_run(&w, code);
    if (strncmp(result, "error: ", 7) != 0 || !strstr(result, part))
        fail_msg("\"%s\" does not say \"%s\"", result, part);
}

static void carry(ScriptWorld *from, ScriptWorld *into)
{
    CnSnapshot snapshot;
    CnError error = {0};
    assert_true(cn_sim_save(from->sim, &snapshot, &error));
    if (!cn_sim_restore(into->sim, snapshot.bytes, snapshot.size, &error))
        fail_msg("%s", error.message);
    cn_snapshot_free(&snapshot);
}

static void values_are_read_back(void **state)
{
    (void)state;
    assert_runs("store.set('n', 1.5) return store.get('n')", "1.5");
    assert_runs("store.set('t', 'text') return store.get('t')", "text");
    assert_runs("store.set('b', false) return tostring(store.get('b'))", "false");
    assert_runs("store.set('v', Vec3(1, 2, 3)) return store.get('v').y", "2");
    assert_runs("store.set('a', {1, 2, {x = 'deep'}}) return store.get('a')[3].x", "deep");
    assert_runs("return tostring(store.get('none'))", "nil");
}

static void nil_removes_a_value(void **state)
{
    (void)state;
    assert_runs("store.set('n', 1) store.set('n', nil) return tostring(store.get('n'))", "nil");
}

static void a_stored_table_is_a_copy(void **state)
{
    (void)state;
    assert_runs("local t = {1} store.set('t', t) t[1] = 2 store.get('t')[1] = 3 "
                "return store.get('t')[1]",
                "1");
}

static void values_are_saved_with_the_world(void **state)
{
    (void)state;
    assert_runs("store.set('score', {best = 12}) return 1", "1");
    assert_string_equal(script_run(&other, "store.set('mine', 1) return 1"), "1");
    carry(&w, &other);
    assert_string_equal(script_run(&other, "return store.get('score').best"), "12");
    assert_string_equal(script_run(&other, "return tostring(store.get('mine'))"), "nil");
}

static void each_script_file_has_its_own_values(void **state)
{
    (void)state;
    CnEntity a = script_add(&w, "A",
                            "function on_init() store.set('x', 'a') end "
                            "function on_update() assert(store.get('x') == 'a') end");
    CnEntity b = script_add(&w, "B",
                            "function on_init() store.set('x', 'b') end "
                            "function on_update() assert(store.get('x') == 'b') end");
    assert_true(script_tick(&w, 3));
    assert_string_equal(script_error(&w, a), "");
    assert_string_equal(script_error(&w, b), "");
    assert_runs("return tostring(store.get('x'))", "nil");
}

static void the_body_of_a_script_may_read_but_not_write(void **state)
{
    (void)state;
    CnEntity reads = script_add(&w, "Reads", "seen = store.get('x')");
    CnEntity writes = script_add(&w, "Writes", "store.set('x', 1)");
    assert_true(script_tick(&w, 2));
    assert_string_equal(script_error(&w, reads), "");
    assert_non_null(strstr(script_error(&w, writes), "cannot change the world"));
}

static void what_cannot_be_stored_is_refused(void **state)
{
    (void)state;
    assert_fails("store.set('f', function() end)", "a function cannot be stored");
    assert_fails("store.set('f', {function() end})", "with a function cannot be saved");
    assert_fails("store.set('', 1)", "a key has 1 to 128 bytes");
    assert_fails("store.set(('k'):rep(129), 1)", "a key has 1 to 128 bytes");
    assert_fails("store.set('x')", "value expected");
    assert_fails("local t = {} for i = 1, 20 do t = {t} end store.set('t', t)", "levels deep");
    assert_fails("store.set('big', ('x'):rep(70000))", "too large");
    assert_runs("return tostring(store.get('big'))", "nil");
}

static void the_bytes_of_a_script_are_limited(void **state)
{
    (void)state;
    assert_fails("local s = ('x'):rep(60000) for i = 1, 30 do store.set('k' .. i, s) end",
                 "stores more than 1048576 bytes");
    assert_runs("return #store.get('k1')", "60000");
    assert_runs("store.set('k1', 1) store.set('k99', ('x'):rep(50000)) return 1", "1");
}

static void storing_is_charged(void **state)
{
    (void)state;
    assert_fails("local s = ('x'):rep(60000) while true do store.set('k', s) end", "instructions");
}

static void damaged_values_are_refused(void **state)
{
    (void)state;
    CnSnapshot snapshot;
    CnError error = {0};
    assert_runs("store.set('score', 12) return 1", "1");
    assert_true(cn_sim_save(w.sim, &snapshot, &error));
    for (size_t at = 0; at + 11 < snapshot.size; at++)
        if (memcmp(snapshot.bytes + at, "ScriptStore", 11) == 0) {
            uint32_t huge = 0xfffffff0u;
            memcpy(snapshot.bytes + at + 11 + 8 + 8, &huge, sizeof huge); /* size of the value */
        }
    assert_false(cn_sim_restore(other.sim, snapshot.bytes, snapshot.size, &error));
    assert_non_null(strstr(error.message, "the saved values of scripts are damaged"));
    cn_snapshot_free(&snapshot);
}

#define in_both(name)                                                                              \
    cmocka_unit_test_setup_teardown(name, make, drop),                                             \
        cmocka_unit_test_setup_teardown(name, make_sandboxed, drop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_both(values_are_read_back),
        in_both(nil_removes_a_value),
        in_both(a_stored_table_is_a_copy),
        in_both(values_are_saved_with_the_world),
        in_both(each_script_file_has_its_own_values),
        in_both(the_body_of_a_script_may_read_but_not_write),
        in_both(what_cannot_be_stored_is_refused),
        in_both(the_bytes_of_a_script_are_limited),
        cmocka_unit_test_setup_teardown(storing_is_charged, make_sandboxed, drop),
        in_both(damaged_values_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
