/* Memory that runs out at any point of a run with scripts: an error, never a crash, and no leak. */
#include "cmocka_tests.h"
#include "failing_heap.h"
#include "script_world.h"

static const char busy[] =
    "local t = {} function on_init() this.state.list = {1, 'two', {3}} this.state.v = Vec3(1, 2, 3) "
    "every(0.02, function() this.state.n = (this.state.n or 0) + 1 end) "
    "subscribe('ping', function(e) t[#t + 1] = e end) end "
    "function on_update(dt) this.position = this.position + Vec3(dt, 0, 0) "
    "t[#t + 1] = ('x'):rep(#t) send('ping', {n = #t, o = this}) "
    "pcall(function() t[1].x.y = 1 end) coroutine.wrap(function() coroutine.yield(1) end)() "
    "if #t == 6 then spawn({name = 'Child'}) end end "
    "function on_collisionenter(other) this.state.hit = other end "
    "function on_destroy() this.state.gone = true end";

typedef struct Options {
    bool sandboxed;
    bool saves;
} Options;

static bool save_and_restore(ScriptWorld *w)
{
    CnSnapshot snapshot;
    if (!cn_sim_save(w->sim, &snapshot, NULL))
        return false;
    bool done = cn_sim_restore(w->sim, snapshot.bytes, snapshot.size, NULL);
    cn_snapshot_free(&snapshot);
    return done;
}

static bool run(CnAllocator *allocator, void *user)
{
    const Options *options = user;
    ScriptWorld w;
    ScriptWorldDesc desc = {.sandboxed = options->sandboxed, .allocator = allocator};
    bool done = script_world_init(&w, &desc);
    CnEntity object = {0};
    if (done) {
        object = script_add(&w, "A", busy);
        done = cn_has(w.world, object, CnScript) && script_tick(&w, 8);
        done = done && (!options->saves || save_and_restore(&w)) && script_tick(&w, 2);
        CnScriptStats stats = cn_script_stats(w.world);
        done = done && stats.running == 1 && stats.errors == 0 && cn_destroy(w.world, object);
    }
    script_world_fini(&w);
    return done;
}

static void memory_may_run_out_anywhere_in_trusted_scripts(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(run, &(Options){0}) > 100);
}

static void memory_may_run_out_anywhere_in_boxed_scripts(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(run, &(Options){.sandboxed = true}) > 100);
}

static void memory_may_run_out_while_saving_and_restoring(void **state)
{
    (void)state;
    assert_true(run_with_failing_allocations(run, &(Options){.sandboxed = true, .saves = true}) >
                100);
}

/* The console: an error that says so, and it works again afterwards. */
static void a_console_without_memory_says_so(void **state)
{
    (void)state;
    CnHeap *heap = cn_heap_create(NULL, NULL);
    ScriptWorld w;
    ScriptWorldDesc desc = {.sandboxed = true, .allocator = cn_heap_tag(heap, "scripts")};
    assert_true(script_world_init(&w, &desc));
    assert_string_equal(script_run(&w, "return 1"), "1");
    bool failed = false;
    for (uint64_t n = 0; n < 400; n++) {
        CnError error = {0};
        cn_array_clear(&w.text);
        cn_heap_fail_after(heap, n);
        const char *code = "local t = {} for i = 1, 50 do t[i] = {i .. 'x'} end return #t";
        bool done = cn_script_run(w.world, &(CnScriptRunDesc){.name = "x", .code = cn_text(code)},
                                  &w.text, &error);
        cn_heap_fail_after(heap, CN_HEAP_NEVER_FAIL);
        failed = failed || (!done && error.code == CN_ERROR_MEMORY);
    }
    assert_true(failed);
    assert_string_equal(script_run(&w, "return 1 + 1"), "2");
    script_world_fini(&w);
    cn_heap_destroy(heap);
}

static int be_quiet(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_may_run_out_anywhere_in_trusted_scripts),
        cmocka_unit_test(memory_may_run_out_anywhere_in_boxed_scripts),
        cmocka_unit_test(memory_may_run_out_while_saving_and_restoring),
        cmocka_unit_test(a_console_without_memory_says_so),
    };
    return cmocka_run_group_tests(tests, be_quiet, NULL);
}
