/* loadPrefab in sandboxed scripts: objects, text and failures are limited and charged. */
#include "script/script_internal.h"
#include "script_checks.h"

#include <stdio.h>
#include <stdlib.h>

#define SANDBOXED(test) cmocka_unit_test_setup_teardown(test, make_sandboxed, drop)

/* Adds the prefab `path` with `count` nodes below its root. The text is freed by the caller. */
static char *add_prefab(const char *path, uint32_t count)
{
    size_t size = 64 + (size_t)count * 24, used = 0;
    char *text = malloc(size);
    assert_non_null(text);
    used += (size_t)snprintf(text, size, "{\"id\": \"P\", \"children\": [");
    for (uint32_t i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, size - used, "%s{\"id\":\"%u\"}", i ? "," : "", i);
    snprintf(text + used, size - used, "]}");
    memory_files_set(&w.files, path, text);
    return text;
}

static void the_objects_of_a_prefab_are_charged_before_they_are_made(void **state)
{
    (void)state;
    char *text = add_prefab("p.json", 5000); /* 2 million instructions are 2,000 objects */
    uint32_t before = cn_entity_count(w.world);
    check_error("pcall(loadPrefab, 'p.json')", "instructions in one call");
    assert_true(script_tick(&w, 1));
    assert_int_equal(cn_entity_count(w.world), before);
    free(text);
}

static void a_trusted_script_is_not_limited(void **state)
{
    (void)state;
    char *text = add_prefab("p.json", 5000);
    check("loadPrefab('p.json') return 1", "1");
    assert_true(script_tick(&w, 1));
    assert_true(cn_entity_count(w.world) > 5000);
    free(text);
}

static void the_text_of_a_prefab_is_charged(void **state)
{
    (void)state;
    size_t size = 3u << 20; /* blanks are text, too */
    char *text = malloc(size + 1);
    assert_non_null(text);
    memset(text, ' ', size);
    memcpy(text, "{\"id\":\"P\"}", 10);
    text[size] = 0;
    memory_files_set(&w.files, "p.json", text);
    check_error("pcall(loadPrefab, 'p.json')", "instructions in one call");
    free(text);
}

static void a_loop_of_prefabs_ends_with_the_budget_of_the_tick(void **state)
{
    (void)state;
    char *text = add_prefab("p.json", 9);
    uint32_t before = cn_entity_count(w.world);
    CnEntity object = script_add(
        &w, "Loop", "function on_update() while true do pcall(loadPrefab, 'p.json') end end");
    assert_true(script_tick(&w, 3));
    check_failed(object, "instructions in one call");
    uint32_t made = cn_entity_count(w.world) - before;
    assert_in_range(made, 10, 2 * 1000 + 10);
    free(text);
}

static void objects_that_are_only_recorded_count_too(void **state)
{
    (void)state;
    char *text = add_prefab("p.json", 999);
    w.scripts.instructions_per_call = w.scripts.instructions_per_tick = 1000000000;
    uint32_t before = cn_entity_count(w.world);
    script_run(&w, "for i = 1, 19500 do spawn{name = 'x'} end");
    check_error("loadPrefab('p.json')", "more than 20000 objects");
    check_error("for i = 1, 1000 do spawn{name = 'y'} end", "more than 20000 objects");
    assert_true(script_tick(&w, 1));
    assert_true(cn_entity_count(w.world) - before <= CNI_SCRIPT_MAX_OBJECTS);
    free(text);
}

static void a_prefab_that_fails_is_read_once(void **state)
{
    (void)state;
    memory_files_set(&w.files, "bad.json", "{\"id\": \"P\", \"children\": [{}]}");
    script_add(&w, "Loop",
               "function on_update() for i = 1, 100 do pcall(loadPrefab, 'bad.json') end end");
    assert_true(script_tick(&w, 1));
    uint32_t reads = w.files.reads;
    assert_true(script_tick(&w, 5));
    assert_int_equal(w.files.reads, reads);
}

static void a_loop_of_prefabs_that_fail_ends_with_the_budget(void **state)
{
    (void)state;
    memory_files_set(&w.files, "bad.json", "{\"id\": \"P\", \"children\": [{}]}");
    CnEntity object = script_add(
        &w, "Loop", "function on_update() while true do pcall(loadPrefab, 'bad.json') end end");
    assert_true(script_tick(&w, 1));
    check_failed(object, "instructions in one call");
}

static void a_copy_of_many_objects_counts_all_of_them(void **state)
{
    (void)state;
    w.scripts.instructions_per_call = w.scripts.instructions_per_tick = 1000000000;
    CnEntity root = cn_object_create(w.world, &(CnObjectDesc){.name = "Root"}, NULL);
    for (uint32_t i = 0; i < 500; i++)
        assert_true(
            cn_object_create(w.world, &(CnObjectDesc){.name = "x", .parent = root}, NULL).id);
    script_run(&w, "for i = 1, 19600 do spawn{name = 'y'} end");
    check_error("getObject('Root'):clone()", "more than 20000 objects");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SANDBOXED(the_objects_of_a_prefab_are_charged_before_they_are_made),
        cmocka_unit_test_setup_teardown(a_trusted_script_is_not_limited, make_trusted, drop),
        SANDBOXED(the_text_of_a_prefab_is_charged),
        SANDBOXED(a_loop_of_prefabs_ends_with_the_budget_of_the_tick),
        SANDBOXED(objects_that_are_only_recorded_count_too),
        SANDBOXED(a_prefab_that_fails_is_read_once),
        SANDBOXED(a_loop_of_prefabs_that_fail_ends_with_the_budget),
        SANDBOXED(a_copy_of_many_objects_counts_all_of_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
