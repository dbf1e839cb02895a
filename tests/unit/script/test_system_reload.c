/* Lua plugin files that change between ticks. */
#include "cmocka_tests.h"
#include "plugin_world.h"

#include <string.h>

#define PATH "test/a.lua"
#define STEP(amount)                                                                               \
    "system { name = 'step', writes = { 'PluginPlace' }, run = function(batch)\n"                  \
    "  local p = batch.PluginPlace\n"                                                              \
    "  for i = 0, batch.count - 1 do p[i].x = p[i].x + " amount " end\n"                           \
    "end }\n"

static PluginWorld w;
static CnEntity mover;

static int make(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    if (!plugin_world_init(&w, &(PluginWorldDesc){0}) || !plugin_world_load(&w, PATH, STEP("1")))
        return -1;
    mover = plugin_world_mover(&w, 0);
    return cn_sim_tick_n(w.sim, 1, NULL) ? 0 : -1;
}

static int drop(void **state)
{
    (void)state;
    plugin_world_fini(&w);
    return 0;
}

static uint32_t reload(const char *code)
{
    memory_files_set(&w.files, PATH, code);
    w.error = (CnError){0};
    return cn_script_system_reload(w.sim, &w.error);
}

static float x_after(uint32_t ticks)
{
    assert_true(cn_sim_tick_n(w.sim, ticks, NULL));
    return cn_get(w.world, mover, PluginPlace)->x;
}

static void new_code_continues_with_the_old_state(void **state)
{
    (void)state;
    assert_int_equal(reload(STEP("100")), 1);
    assert_true(x_after(1) == 101);
}

static void an_unchanged_file_is_not_replaced(void **state)
{
    (void)state;
    assert_int_equal(reload(STEP("1")), 0);
    assert_int_equal(w.error.code, CN_OK);
}

static void a_system_that_is_gone_does_not_run(void **state)
{
    (void)state;
    assert_int_equal(reload("component('Other', { x = 'f32' })"), 1);
    assert_true(x_after(2) == 1);
    assert_false(cn_system_find(w.world, "step").id);
}

static void systems_keep_their_positions(void **state)
{
    (void)state;
    CnSystem before = cn_system_find(w.world, "step");
    assert_int_equal(reload("system { name = 'new', run = function() end }\n" STEP("2")), 1);
    assert_int_equal(cn_system_find(w.world, "step").id, before.id);
}

static void a_text_that_does_not_compile_keeps_the_old_code(void **state)
{
    (void)state;
    assert_int_equal(reload("\nsystem {"), 0);
    assert_int_equal(w.error.line, 2);
    assert_true(x_after(1) == 2);
}

static void a_text_that_throws_keeps_the_old_code(void **state)
{
    (void)state;
    assert_int_equal(reload(STEP("5") "error('no')"), 0);
    assert_string_equal(w.error.message, "no");
    assert_true(x_after(1) == 2);
}

static void a_text_that_the_world_refuses_keeps_the_old_code(void **state)
{
    (void)state;
    assert_int_equal(reload(STEP("5") "component('PluginPlace', { q = 'u8' })"), 0);
    assert_non_null(strstr(w.error.message, "different structure"));
    assert_true(x_after(1) == 2);
    assert_int_equal(reload(STEP("7")), 1);
    assert_true(x_after(1) == 9);
}

static void a_text_that_leaves_the_order_of_others_unknown_keeps_the_old_code(void **state)
{
    (void)state;
    assert_true(plugin_world_load(
        &w, "b.lua", "system { name = 'b', after = { 'step' }, run = function() end }"));
    assert_int_equal(reload("component('Other', { x = 'f32' })"), 0);
    assert_non_null(strstr(w.error.message, "step"));
    assert_true(x_after(1) == 2);
}

static void a_text_that_refers_to_a_system_of_the_old_code_is_refused(void **state)
{
    (void)state;
    assert_int_equal(reload("system { name = 'new', after = { 'step' }, run = function() end }"),
                     0);
    assert_true(x_after(1) == 2);
}

static void a_text_that_takes_a_name_of_another_file_keeps_the_old_code(void **state)
{
    (void)state;
    assert_true(plugin_world_load(&w, "b.lua", "system { name = 'b', run = function() end }"));
    assert_int_equal(reload(STEP("5") "system { name = 'b', run = function() end }"), 0);
    assert_true(x_after(1) == 2);
    assert_int_equal(reload(STEP("50")), 1);
    assert_true(x_after(1) == 52);
}

static void a_system_that_failed_runs_again_with_new_code(void **state)
{
    (void)state;
    assert_int_equal(reload(STEP("nil")), 1);
    assert_true(x_after(1) == 1);
    assert_true(plugin_world_system_error(&w, "step")[0]);
    assert_int_equal(reload(STEP("3")), 1);
    assert_true(x_after(1) == 4);
    assert_string_equal(plugin_world_system_error(&w, "step"), "");
}

static void a_component_may_be_added(void **state)
{
    (void)state;
    assert_int_equal(reload("component('Extra', { x = 'f32' })\n" STEP("1")), 1);
    assert_true(cn_component_find(w.world, "Extra").id);
}

static void a_hundred_reloads_leave_no_memory(void **state)
{
    (void)state;
    PluginWorld own;
    CnHeap *heap = cn_heap_create(NULL, NULL);
    assert_true(plugin_world_init(&own, &(PluginWorldDesc){.allocator = cn_heap_tag(heap, "all")}));
    assert_true(plugin_world_load(&own, PATH, STEP("1")));
    plugin_world_mover(&own, 0);
    uint64_t blocks[2] = {0};
    static const char *const texts[] = {STEP("1"), STEP("20"), "system {", STEP("nil + 300"),
                                        STEP("5") "component('PluginPlace', { q = 'u8' })"};
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < 50; i++) {
            memory_files_set(&own.files, PATH, texts[i % CN_COUNT_OF(texts)]);
            cn_script_system_reload(own.sim, NULL);
            assert_true(cn_sim_tick_n(own.sim, 3, NULL));
        }
        memory_files_set(&own.files, PATH, texts[round]);
        assert_int_equal(cn_script_system_reload(own.sim, NULL), 1);
        blocks[round] = cn_heap_stats(heap).live_blocks;
    }
    assert_true(blocks[1] <= blocks[0] + 8); /* names and archetypes grow by powers of two */
    plugin_world_fini(&own);
    assert_int_equal(cn_heap_stats(heap).live_blocks, 0);
    cn_heap_destroy(heap);
}

#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, make, drop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_WORLD(new_code_continues_with_the_old_state),
        IN_WORLD(an_unchanged_file_is_not_replaced),
        IN_WORLD(a_system_that_is_gone_does_not_run),
        IN_WORLD(systems_keep_their_positions),
        IN_WORLD(a_text_that_does_not_compile_keeps_the_old_code),
        IN_WORLD(a_text_that_throws_keeps_the_old_code),
        IN_WORLD(a_text_that_the_world_refuses_keeps_the_old_code),
        IN_WORLD(a_text_that_leaves_the_order_of_others_unknown_keeps_the_old_code),
        IN_WORLD(a_text_that_refers_to_a_system_of_the_old_code_is_refused),
        IN_WORLD(a_text_that_takes_a_name_of_another_file_keeps_the_old_code),
        IN_WORLD(a_system_that_failed_runs_again_with_new_code),
        IN_WORLD(a_component_may_be_added),
        IN_WORLD(a_hundred_reloads_leave_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
