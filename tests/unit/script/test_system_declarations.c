/* Lua plugin files: the order of systems, what is refused, and errors of systems. */
#include "plugin_checks.h"

/* ---- The schedule ---- */

static CnScheduled scheduled(const char *name, CnStage stage)
{
    CnScheduled list[64];
    uint32_t count;
    assert_true(cn_stage_systems(w.world, stage, list, 64, &count, NULL));
    for (uint32_t i = 0; i < count; i++)
        if (!strcmp(list[i].name, name))
            return list[i];
    fail_msg("there is no system %s", name);
    return (CnScheduled){0};
}

#define SYSTEM(name, options) "system { name = '" name "', " options " run = function() end }\n"

static void systems_are_ordered_as_declared(void **state)
{
    (void)state;
    load(SYSTEM("b", "stage = 'PostUpdate', after = { 'a' },")
             SYSTEM("a", "stage = 'PostUpdate', set = 's',")
                 SYSTEM("c", "stage = 'PostUpdate', before = { 's' },"));
    uint32_t a = scheduled("a", CN_STAGE_POST_UPDATE).wave;
    assert_true(scheduled("b", CN_STAGE_POST_UPDATE).wave > a);
    assert_true(scheduled("c", CN_STAGE_POST_UPDATE).wave < a);
}

static void systems_of_one_file_never_share_a_wave(void **state)
{
    (void)state;
    load(SYSTEM("a", "reads = { 'PluginPlace' },") SYSTEM("b", "reads = { 'PluginPlace' },"));
    assert_true(scheduled("a", CN_STAGE_UPDATE).wave != scheduled("b", CN_STAGE_UPDATE).wave);
}

static void systems_of_two_files_may_share_a_wave(void **state)
{
    (void)state;
    load(SYSTEM("a", "reads = { 'PluginPlace' },"));
    assert_true(plugin_world_load(&w, "b.lua", SYSTEM("b", "reads = { 'PluginPlace' },")));
    assert_true(scheduled("a", CN_STAGE_UPDATE).wave == scheduled("b", CN_STAGE_UPDATE).wave);
    assert_false(scheduled("a", CN_STAGE_UPDATE).alone);
}

static void conflicting_systems_of_two_files_are_in_different_waves(void **state)
{
    (void)state;
    load(SYSTEM("a", "reads = { 'PluginPlace' },"));
    assert_true(plugin_world_load(&w, "b.lua", SYSTEM("b", "writes = { 'PluginPlace' },")));
    assert_true(scheduled("a", CN_STAGE_UPDATE).wave != scheduled("b", CN_STAGE_UPDATE).wave);
}

/* ---- Errors ---- */

static void a_system_that_throws_is_disabled_and_names_its_line(void **state)
{
    (void)state;
    load(MOVE("error('broken')\n") "system { name = 'other', writes = { 'PluginPlace' },\n"
                                   "run = function(batch) batch.PluginPlace[0].y = 5 end }");
    CnEntity e = plugin_world_mover(&w, 0);
    tick(2);
    assert_string_equal(plugin_world_system_error(&w, "move"), "broken");
    assert_string_equal(w.error.file, "test/a.lua");
    assert_int_equal(w.error.line, 4);
    no_error("other");
    assert_int_equal(cn_script_system_failures(w.world), 1);
    assert_true(cn_get(w.world, e, PluginPlace)->y == 5);
}

static void any_value_can_be_thrown(void **state)
{
    (void)state;
    load(MOVE("error({})\n"));
    plugin_world_mover(&w, 0);
    tick(1);
    assert_string_equal(plugin_world_system_error(&w, "move"), "a table was thrown");
}

static void endless_recursion_is_an_error(void **state)
{
    (void)state;
    load("local function f(n) return 1 + f(n + 1) end\n" MOVE("f(1)\n"));
    plugin_world_mover(&w, 0);
    tick(1);
    assert_non_null(strstr(plugin_world_system_error(&w, "move"), "stack overflow"));
}

static void a_syntax_error_names_its_line(void **state)
{
    (void)state;
    refuse("local a = 1\nlocal = 2\n", "line 2");
}

static void bytecode_is_refused(void **state)
{
    (void)state;
    refuse("\x1bLJ\x02", "cannot be built");
}

static void an_unknown_component_is_refused(void **state)
{
    (void)state;
    refuse("\n\nsystem { name = 'a', reads = { 'Nonsense' }, run = function() end }",
           "no component named 'Nonsense'");
}

static void an_unknown_stage_is_refused(void **state)
{
    (void)state;
    refuse(SYSTEM("a", "stage = 'Later',"), "no stage 'Later'");
}

static void an_unknown_option_is_refused(void **state)
{
    (void)state;
    refuse("\n" SYSTEM("a", "read = {},"), "line 2: system a: there is no option 'read'");
}

static void an_unknown_name_in_the_order_is_refused(void **state)
{
    (void)state;
    refuse(SYSTEM("a", "after = { 'nobody' },"), "nobody");
}

static void a_name_that_is_in_use_is_refused(void **state)
{
    (void)state;
    refuse(SYSTEM("a", "") SYSTEM("a", ""), "already a system named 'a'");
}

static void a_name_of_another_file_is_refused(void **state)
{
    (void)state;
    load(SYSTEM("a", ""));
    assert_false(plugin_world_load(&w, "b.lua", SYSTEM("a", "")));
    assert_non_null(strstr(w.error.message, "already a system named 'a'"));
}

static void a_set_with_the_name_of_a_system_is_refused(void **state)
{
    (void)state;
    refuse(SYSTEM("a", "") SYSTEM("b", "set = 'a',"), "'a' is the name of a set and of a system");
}

static void an_unknown_type_of_a_field_is_refused(void **state)
{
    (void)state;
    refuse("component('A', { x = 'float' })", "field x has the type 'float'");
}

static void a_field_that_is_too_large_is_refused(void **state)
{
    (void)state;
    refuse("component('A', { x = 'f64[99999999999]' })", "larger than 65536 bytes");
}

static void a_list_of_fields_with_names_is_refused(void **state)
{
    (void)state;
    refuse("component('A', { { 'x', 'f32' }, y = 'f32' })", "either a list or have names");
}

static void a_keyword_of_c_cannot_be_a_field(void **state)
{
    (void)state;
    refuse("component('A', { int = 'f32' })", "'int' cannot be the name of a field");
}

static void a_component_with_other_fields_is_refused(void **state)
{
    (void)state;
    refuse("component('PluginPlace', { x = 'f32' })", "different structure");
}

static void a_component_listed_twice_is_refused(void **state)
{
    (void)state;
    refuse(SYSTEM("a", "reads = { 'PluginPlace' }, writes = { 'PluginPlace' },"), "listed twice");
}

static void too_many_components_are_refused(void **state)
{
    (void)state;
    refuse("local list = {}\n"
           "for i = 1, 17 do list[i] = component('C' .. i) end\n"
           "system { name = 'a', with = list, run = function() end }",
           "at most 16 components");
}

static void a_changed_component_must_be_declared(void **state)
{
    (void)state;
    refuse(SYSTEM("a", "reads = { 'PluginPlace' }, changed = { 'PluginSpeed' },"),
           "must also be in reads or writes");
}

static void an_untrusted_file_is_refused(void **state)
{
    (void)state;
    refuse("component('A')", "is not trusted");
}

static void a_missing_file_is_refused(void **state)
{
    (void)state;
    CnScriptSystemDesc desc = {.path = "/nowhere/a.lua", .trusted = true};
    CnPlugin plugin = cn_script_system_plugin(&desc);
    CnError error = {0};
    assert_false(cn_sim_add_plugin(w.sim, &plugin, &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
}

static void a_refused_file_leaves_no_systems(void **state)
{
    (void)state;
    refuse(SYSTEM("a", "") SYSTEM("b", "reads = { 'Nonsense' },"), "Nonsense");
    assert_false(cn_system_find(w.world, "a").id);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_WORLD(systems_are_ordered_as_declared),
        IN_WORLD(systems_of_one_file_never_share_a_wave),
        IN_WORLD(systems_of_two_files_may_share_a_wave),
        IN_WORLD(conflicting_systems_of_two_files_are_in_different_waves),
        IN_WORLD(a_system_that_throws_is_disabled_and_names_its_line),
        IN_WORLD(any_value_can_be_thrown),
        IN_WORLD(endless_recursion_is_an_error),
        IN_WORLD(a_syntax_error_names_its_line),
        IN_WORLD(bytecode_is_refused),
        IN_WORLD(an_unknown_component_is_refused),
        IN_WORLD(an_unknown_stage_is_refused),
        IN_WORLD(an_unknown_option_is_refused),
        IN_WORLD(an_unknown_name_in_the_order_is_refused),
        IN_WORLD(a_name_that_is_in_use_is_refused),
        IN_WORLD(a_name_of_another_file_is_refused),
        IN_WORLD(a_set_with_the_name_of_a_system_is_refused),
        IN_WORLD(an_unknown_type_of_a_field_is_refused),
        IN_WORLD(a_field_that_is_too_large_is_refused),
        IN_WORLD(a_list_of_fields_with_names_is_refused),
        IN_WORLD(a_keyword_of_c_cannot_be_a_field),
        IN_WORLD(a_component_with_other_fields_is_refused),
        IN_WORLD(a_component_listed_twice_is_refused),
        IN_WORLD(too_many_components_are_refused),
        IN_WORLD(a_changed_component_must_be_declared),
        cmocka_unit_test_setup_teardown(an_untrusted_file_is_refused, make_untrusted, drop),
        IN_WORLD(a_missing_file_is_refused),
        IN_WORLD(a_refused_file_leaves_no_systems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
