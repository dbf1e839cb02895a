/* Files that change while scripts run. */
#include "cmocka_tests.h"
#include "script_world.h"

#include <string.h>

static ScriptWorld w;

static int make(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    return script_world_init(&w, &(ScriptWorldDesc){0}) ? 0 : -1;
}

static int make_sandboxed(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    return script_world_init(&w, &(ScriptWorldDesc){.sandboxed = true}) ? 0 : -1;
}

static int drop(void **state)
{
    (void)state;
    script_world_fini(&w);
    return 0;
}

static void change(CnEntity object, const char *code)
{
    memory_files_set(&w.files, cn_get(w.world, object, CnScript)->script_path, code);
}

static float x_of(CnEntity object)
{
    return cn_get(w.world, object, CnTransform)->position.x;
}

static const char old_code[] = "local step = 1 function on_init() this.state.x = 0 end "
                               "function on_update() this.state.x = this.state.x + step "
                               "this.position = Vec3(this.state.x, 0, 0) end";
static const char new_code[] = "local step = 100 function on_init() this.state.x = 7777 end "
                               "function on_update() this.state.x = this.state.x + step "
                               "this.position = Vec3(this.state.x, 0, 0) end";

static void new_code_goes_on_with_the_old_state(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "A", old_code);
    assert_true(script_tick(&w, 3));
    change(object, new_code);
    assert_int_equal(cn_script_reload(w.world, NULL), 1);
    assert_true(script_tick(&w, 1));
    assert_true(x_of(object) == 103);
}

/* ---- From inside of a script ---- */

typedef struct Inside {
    uint32_t calls, replaced;
    CnError reload, run;
} Inside;

static void count_assertion(const char *file, int line, const char *message, void *user)
{
    (void)file, (void)line, (void)message;
    ++*(uint32_t *)user;
}

static void call_inside(const CnLogRecord *record, void *user)
{
    Inside *inside = user;
    if (!strstr(record->message, "call inside"))
        return;
    inside->calls++;
    inside->replaced += cn_script_reload(w.world, &inside->reload);
    assert_false(cn_script_run(w.world, &(CnScriptRunDesc){.code = cn_text("return 1")}, &w.text,
                               &inside->run));
}

static void a_call_from_a_script_callback_is_refused(void **state)
{
    (void)state;
    static const char code[] = "function on_update() this.state.x = (this.state.x or 0) + 1 "
                               "this.position = Vec3(this.state.x, 0, 0) print('call inside') end";
    CnEntity object = script_add(&w, "A", code);
    assert_true(script_tick(&w, 1));
    Inside inside = {0};
    uint32_t assertions = 0;
    change(object, new_code);
    int sink = cn_log_add_sink(
        &(CnLogSink){.write = call_inside, .user = &inside, .level = CN_LOG_LEVEL_DEBUG});
    cn_assert_set_handler(count_assertion, &assertions);
    bool done = script_tick(&w, 1);
    cn_assert_set_handler(NULL, NULL);
    cn_log_remove_sink(sink);
    assert_true(done);
    assert_int_equal(inside.calls, 1);
    assert_int_equal(inside.replaced, 0);
    assert_int_equal(inside.reload.code, CN_ERROR_PERMISSION);
    assert_int_equal(inside.run.code, CN_ERROR_PERMISSION);
    assert_non_null(strstr(inside.reload.message, "while scripts run"));
#ifdef CN_GUARDS
    assert_int_equal(assertions, 2);
#endif
    assert_true(x_of(object) == 2);
    assert_int_equal(cn_script_reload(w.world, NULL), 1); /* between ticks it works */
}

/* ---- What is read ---- */

static void a_file_that_did_not_change_is_not_read_again(void **state)
{
    (void)state;
    script_add(&w, "A", old_code);
    assert_true(script_tick(&w, 1));
    uint32_t reads = w.files.reads;
    assert_int_equal(cn_script_reload(w.world, NULL), 0);
    assert_int_equal(w.files.reads, reads);
}

static void all_objects_of_a_file_get_the_new_code(void **state)
{
    (void)state;
    CnEntity a = script_add(&w, "A", old_code);
    CnEntity b = cn_object(w.world, "B");
    CnScript script = *cn_get(w.world, a, CnScript);
    cn_set_component(w.world, b, cn_id(w.world, CnScript), &script);
    assert_true(script_tick(&w, 2));
    change(a, new_code);
    assert_int_equal(cn_script_reload(w.world, NULL), 1);
    assert_true(script_tick(&w, 1));
    assert_true(x_of(a) == 102 && x_of(b) == 102);
}

static void text_that_does_not_compile_leaves_the_old(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "A", old_code);
    assert_true(script_tick(&w, 1));
    change(object, "function (");
    assert_int_equal(cn_script_reload(w.world, NULL), 0);
    assert_int_equal(cn_script_reload(w.world, NULL), 0);
    assert_true(script_tick(&w, 1));
    assert_true(x_of(object) == 2);
    change(object, new_code);
    assert_int_equal(cn_script_reload(w.world, NULL), 1);
    assert_true(script_tick(&w, 1));
    assert_true(x_of(object) == 102);
}

static void on_reload_is_called_and_on_init_is_not(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "A", old_code);
    assert_true(script_tick(&w, 1));
    change(object, "function on_init() this.state.x = -1 end "
                   "function on_reload() this.state.x = this.state.x + 50 end "
                   "function on_update() this.position = Vec3(this.state.x, 0, 0) end");
    assert_int_equal(cn_script_reload(w.world, NULL), 1);
    assert_true(script_tick(&w, 1));
    assert_true(x_of(object) == 51);
}

static void a_script_that_failed_lives_again(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "A",
                                 "function on_init() this.state.x = 5 end "
                                 "function on_update() error('x') end");
    assert_true(script_tick(&w, 1));
    assert_int_equal(cn_script_status(w.world, object), CN_SCRIPT_FAILED);
    change(object, old_code);
    assert_int_equal(cn_script_reload(w.world, NULL), 1);
    assert_int_equal(cn_script_status(w.world, object), CN_SCRIPT_RUNNING);
    assert_true(script_tick(&w, 1));
    assert_true(x_of(object) == 6);
}

static void a_script_that_never_began_begins(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "A", "function (");
    assert_true(script_tick(&w, 1));
    change(object, old_code);
    assert_int_equal(cn_script_reload(w.world, NULL), 1);
    assert_true(script_tick(&w, 2));
    assert_true(x_of(object) == 2);
}

static void an_error_in_the_new_body_disables_it(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "A", old_code);
    assert_true(script_tick(&w, 1));
    change(object, "error('body')");
    assert_int_equal(cn_script_reload(w.world, NULL), 1);
    assert_string_equal(script_error(&w, object), "body");
}

static void old_timers_and_subscriptions_go(void **state)
{
    (void)state;
    CnEntity object =
        script_add(&w, "A",
                   "this.state.n = 0 function on_init() "
                   "every(0.001, function() this.state.n = this.state.n + 1 end) "
                   "subscribe('ping', function() this.state.n = this.state.n + 100 end) end "
                   "function on_update() send('ping') end");
    assert_true(script_tick(&w, 3));
    change(object,
           "function on_update() send('ping') this.position = Vec3(this.state.n, 0, 0) end");
    assert_int_equal(cn_script_reload(w.world, NULL), 1);
    assert_true(script_tick(&w, 1));
    float before = x_of(object);
    assert_true(before > 100);
    assert_true(script_tick(&w, 5));
    assert_true(x_of(object) == before);
}

static void a_file_that_is_gone_leaves_the_old(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "A", old_code);
    assert_true(script_tick(&w, 1));
    w.files.count = 0;
    assert_int_equal(cn_script_reload(w.world, NULL), 0);
    assert_true(script_tick(&w, 1));
    assert_true(x_of(object) == 2);
}

static void reloading_often_keeps_no_memory(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "A", old_code);
    assert_true(script_tick(&w, 1));
    CnScriptStats first = {0};
    for (uint32_t i = 0; i < 600; i++) {
        change(object, i % 2 ? old_code : new_code);
        assert_int_equal(cn_script_reload(w.world, NULL), 1);
        assert_true(script_tick(&w, 1));
        if (i == 100)
            first = cn_script_stats(w.world);
    }
    CnScriptStats last = cn_script_stats(w.world);
    assert_true(last.trusted_bytes + last.sandboxed_bytes <
                2 * (first.trusted_bytes + first.sandboxed_bytes));
}

int main(void)
{
#define BOTH(test)                                                                                 \
    cmocka_unit_test_setup_teardown(test, make, drop),                                             \
        cmocka_unit_test_setup_teardown(test, make_sandboxed, drop)
    const struct CMUnitTest tests[] = {
        BOTH(new_code_goes_on_with_the_old_state),
        BOTH(a_call_from_a_script_callback_is_refused),
        BOTH(a_file_that_did_not_change_is_not_read_again),
        BOTH(all_objects_of_a_file_get_the_new_code),
        BOTH(text_that_does_not_compile_leaves_the_old),
        BOTH(on_reload_is_called_and_on_init_is_not),
        BOTH(a_script_that_failed_lives_again),
        BOTH(a_script_that_never_began_begins),
        BOTH(an_error_in_the_new_body_disables_it),
        BOTH(old_timers_and_subscriptions_go),
        BOTH(a_file_that_is_gone_leaves_the_old),
        BOTH(reloading_often_keeps_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
