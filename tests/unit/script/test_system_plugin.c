/* Lua plugin files: views, components, conditions, commands, clones. */
#include "plugin_checks.h"
#include "scene_world.h"

#include <cairn/base/math.h>
#include <string.h>

/* ---- Views ---- */

static void a_system_changes_the_rows_of_the_world(void **state)
{
    (void)state;
    load(MOVE(LOOP("p[i].x = p[i].x + v[i].x * dt")));
    CnEntity e = plugin_world_mover(&w, 5);
    tick(1);
    no_error("move");
    assert_float_equal(x_of(e), 5 + 1.0f / 60, 1e-6);
}

static void columns_of_fields_are_arrays(void **state)
{
    (void)state;
    load("system { name = 'heat', writes = { 'PluginHeat' }, run = function(batch)\n"
         "  local now, zones = batch.PluginHeat.now, batch.PluginHeat.zones\n" LOOP(
             "now[i] = now[i] + 1 zones[i].value[3] = 70 + i") "end }");
    CnEntity e = cn_spawn(w.world, cn_with(PluginHeat, {.now = 2}));
    tick(1);
    no_error("heat");
    PluginHeat heat;
    assert_true(cn_read(w.world, e, PluginHeat, &heat));
    assert_true(heat.now == 3);
    assert_int_equal(heat.zones[3], 70);
}

static void nested_structs_have_their_own_fields(void **state)
{
    (void)state;
    cn_register(w.world, SceneNested);
    load(
        "system { name = 'nest', writes = { 'SceneNested' }, run = function(batch)\n"
        "  local n = batch.SceneNested\n" LOOP(
            "n[i].spread.hi = 4 n[i].slots[2].item = 9 n[i].slots[2].wear.lo = 5 n[i].heat = 6") "end }");
    CnEntity e = cn_spawn(w.world, cn_with(SceneNested, {.heat = 1}));
    tick(1);
    no_error("nest");
    const SceneNested *nested = cn_get(w.world, e, SceneNested);
    assert_true(nested->spread.hi == 4 && nested->slots[2].item == 9);
    assert_true(nested->slots[2].wear.lo == 5 && nested->heat == 6);
}

static void a_field_of_every_type_can_be_written(void **state)
{
    (void)state;
    cn_register(w.world, SceneEvery);
    load("local ffi = require('ffi')\n"
         "system { name = 'every', writes = { 'SceneEvery' }, run = function(batch)\n"
         "  local e = batch.SceneEvery[0]\n"
         "  e.f32_value, e.f64_value, e.i8_value, e.i16_value = 1.5, 2.5, -3, -4\n"
         "  e.i32_value, e.i64_value, e.u8_value, e.u16_value = -5, -6, 7, 8\n"
         "  e.u32_value, e.u64_value, e.bool_value = 9, 10, true\n"
         "  e.entity_value = batch.entities[0]\n"
         "  e.vec3_value.z, e.quat_value.w, e.mat4_value.m[15] = 11, 12, 13\n"
         "  ffi.copy(e.text_value, 'hello') e.list[3] = 14 e.corners[1].y = 15\n"
         "  e.friends[1] = batch.entities[0]\n"
         "end }");
    CnEntity e = cn_spawn(w.world, cn_with_default(SceneEvery));
    tick(1);
    no_error("every");
    const SceneEvery *every = cn_get(w.world, e, SceneEvery);
    assert_true(every->f32_value == 1.5f && every->f64_value == 2.5 && every->i8_value == -3);
    assert_true(every->i16_value == -4 && every->i32_value == -5 && every->i64_value == -6);
    assert_true(every->u8_value == 7 && every->u16_value == 8 && every->u32_value == 9);
    assert_true(every->u64_value == 10 && every->bool_value && every->entity_value.id == e.id);
    assert_true(every->vec3_value.z == 11 && every->quat_value.w == 12);
    assert_true(every->mat4_value.m[15] == 13 && every->list[3] == 14 && every->corners[1].y == 15);
    assert_string_equal(every->text_value, "hello");
    assert_true(every->friends[1].id == e.id);
}

static void a_column_that_is_only_read_cannot_be_written(void **state)
{
    (void)state;
    load(MOVE(LOOP("v[i].x = 9")));
    CnEntity e = plugin_world_mover(&w, 0);
    tick(1);
    assert_non_null(strstr(plugin_world_system_error(&w, "move"), "constant"));
    assert_true(cn_get(w.world, e, PluginSpeed)->x == 1);
}

static void an_index_beyond_the_batch_is_an_error(void **state)
{
    (void)state;
    load(MOVE("p[batch.count].x = 1\n"));
    plugin_world_mover(&w, 0);
    tick(1);
    assert_string_equal(plugin_world_system_error(&w, "move"),
                        "PluginPlace[1] is outside of the batch, which has rows 0 to 0");
    assert_int_equal(w.error.line, 4);
}

static void a_view_that_outlives_its_batch_is_an_error(void **state)
{
    (void)state;
    load("local old\n" MOVE(
        "old = p\n") "system { name = 'late', after = { 'move' }, run = function() return old[0].x end }");
    plugin_world_mover(&w, 0);
    tick(1);
    assert_string_equal(plugin_world_system_error(&w, "late"),
                        "PluginPlace is used after the batch");
}

static void whole_columns_of_floats_have_arithmetic(void **state)
{
    (void)state;
    load(MOVE("batch:add('PluginPlace', 'PluginSpeed', 2) batch:scale('PluginPlace', 10)\n"));
    CnEntity e = plugin_world_mover(&w, 5);
    tick(1);
    no_error("move");
    const PluginPlace *place = cn_get(w.world, e, PluginPlace);
    assert_true(place->x == 70 && place->y == 40 && place->z == 60);
}

static void column_arithmetic_needs_a_declaration_to_write(void **state)
{
    (void)state;
    load(MOVE("batch:fill('PluginSpeed', 0)\n"));
    plugin_world_mover(&w, 0);
    tick(1);
    assert_string_equal(plugin_world_system_error(&w, "move"),
                        "fill: PluginSpeed is not in `writes`");
}

/* ---- Components ---- */

static void a_component_in_lua_is_an_ordinary_component(void **state)
{
    (void)state;
    load("component('Health', { now = 'i32', name = 'text[8]', at = 'vec3', big = 'f64' },\n"
         "          { default = { now = 5, name = 'abc', at = { 1, 2, 3 } } })");
    CnReflectedComponent reflected;
    assert_true(cn_reflection_find(w.world, cn_text("Health"), &reflected));
    CnComponentInfo info;
    assert_true(cn_component_info(w.world, reflected.component, &info));
    assert_int_equal(info.field_count, 4);
    assert_string_equal(info.fields[0].name, "at");
    assert_int_equal(info.fields[1].offset, 16); /* big: aligned to 8 */
    assert_int_equal(info.size, 40);
    CnEntity e = cn_entity_create(w.world);
    assert_true(cn_add_component(w.world, e, reflected.component));
    int32_t now;
    assert_true(cn_read_field(w.world, e, "Health", "now", &now, sizeof now, NULL));
    assert_int_equal(now, 5);
}

static void scripts_on_objects_use_components_of_plugins(void **state)
{
    (void)state;
    load("component('Health', { now = 'i32' }, { default = { now = 5 } })");
    CnScriptDesc scripts = {.files = &w.files.files};
    CnPlugin plugin = cn_script_plugin(&scripts);
    assert_true(cn_sim_add_plugin(w.sim, &plugin, &w.error));
    CnEntity object = cn_object(w.world, "Hero");
    cn_add_component(w.world, object, cn_component_find(w.world, "Health"));
    CnTextBuilder text;
    cn_array_init(&text, NULL);
    CnScriptRunDesc code = {.code = cn_text("local h = getObject('Hero'):getComponent('Health')\n"
                                            "h.now = h.now + 2 return h.now")};
    assert_true(cn_script_run(w.world, &code, &text, &w.error));
    assert_string_equal(text.items, "7");
    cn_array_fini(&text);
    assert_true(cn_sim_remove_plugin(w.sim, "Script", NULL));
}

static void fields_in_a_list_keep_their_order(void **state)
{
    (void)state;
    load("component('Pair', { { 'z', 'u8' }, { 'a', 'u8' } })");
    CnComponentInfo info;
    assert_true(cn_component_info(w.world, cn_component_find(w.world, "Pair"), &info));
    assert_string_equal(info.fields[0].name, "z");
}

static void a_component_without_fields_is_a_tag(void **state)
{
    (void)state;
    load("component('Burning')");
    CnComponentInfo info;
    assert_true(cn_component_info(w.world, cn_component_find(w.world, "Burning"), &info));
    assert_int_equal(info.size, 0);
}

static void values_of_lua_components_are_saved_and_hashed(void **state)
{
    (void)state;
    load("component('Health', { now = 'i32' })\n"
         "system { name = 'heal', writes = { 'Health' }, run = function(batch)\n"
         "  local h = batch.Health\n" LOOP("h[i].now = h[i].now + 1") "end }");
    CnEntity e = cn_entity_create(w.world);
    cn_add_component(w.world, e, cn_component_find(w.world, "Health"));
    tick(3);
    uint64_t hash = cn_sim_hash(w.sim);
    CnSnapshot snapshot;
    assert_true(cn_sim_save(w.sim, &snapshot, NULL));
    tick(2);
    assert_true(cn_sim_hash(w.sim) != hash);
    assert_true(cn_sim_restore(w.sim, snapshot.bytes, snapshot.size, NULL));
    cn_snapshot_free(&snapshot);
    int32_t now;
    assert_true(cn_read_field(w.world, e, "Health", "now", &now, sizeof now, NULL));
    assert_int_equal(now, 3);
    assert_true(cn_sim_hash(w.sim) == hash);
}

/* ---- What systems visit ---- */

static void queries_have_conditions(void **state)
{
    (void)state;
    load("system { name = 'move', writes = { 'PluginPlace' }, with = { 'PluginSpeed' },\n"
         "  without = { 'PluginFrozen' }, run = function(batch)\n"
         "  local p = batch.PluginPlace\n" LOOP("p[i].x = 100") "end }");
    CnEntity moving = plugin_world_mover(&w, 1), frozen = plugin_world_mover(&w, 2);
    CnEntity lone = cn_spawn(w.world, cn_with(PluginPlace, {3, 0, 0}));
    cn_add(w.world, frozen, PluginFrozen);
    tick(1);
    assert_true(x_of(moving) == 100 && x_of(frozen) == 2 && x_of(lone) == 3);
}

static void an_optional_component_is_nil_where_it_is_missing(void **state)
{
    (void)state;
    load("system { name = 'move', writes = { 'PluginPlace' }, optionalReads = { 'PluginSpeed' },\n"
         "  run = function(batch)\n"
         "  local p, v = batch.PluginPlace, batch.PluginSpeed\n" LOOP(
             "p[i].x = v and v[i].y or -1") "end }");
    CnEntity moving = plugin_world_mover(&w, 1);
    CnEntity lone = cn_spawn(w.world, cn_with(PluginPlace, {3, 0, 0}));
    tick(1);
    no_error("move");
    assert_true(x_of(moving) == 2 && x_of(lone) == -1);
}

static void a_system_skips_what_has_not_changed(void **state)
{
    (void)state;
    load("system { name = 'move', reads = { 'PluginSpeed' }, writes = { 'PluginPlace' },\n"
         "  changed = { 'PluginSpeed' }, run = function(batch)\n"
         "  local p = batch.PluginPlace\n" LOOP("p[i].x = p[i].x + 1") "end }");
    CnEntity e = plugin_world_mover(&w, 0);
    tick(5);
    assert_true(x_of(e) == 1);
    cn_get_mut(w.world, e, PluginSpeed)->x = 3;
    tick(5);
    assert_true(x_of(e) == 2);
}

static void a_system_without_components_runs_once_a_tick(void **state)
{
    (void)state;
    load("system { name = 'source', run = function(batch, dt, commands)\n"
         "  commands:spawn { PluginPlace = { x = batch.tick } }\n"
         "end }");
    tick(3);
    no_error("source");
    assert_int_equal(cn_entity_count(w.world), 3);
}

static void batches_are_as_long_as_the_memory_allows(void **state)
{
    (void)state;
    load("local batches = 0\n"
         "component('Runs', { count = 'u32' })\n" MOVE(
             "batches = batches + 1\n" LOOP("p[i].x = batches")));
    CnEntity last = {0};
    for (uint32_t i = 0; i < 20000; i++)
        last = plugin_world_mover(&w, 0);
    tick(1);
    no_error("move");
    assert_true(x_of(last) < 4);
}

/* ---- Commands ---- */

static void commands_change_the_world_after_the_stage(void **state)
{
    (void)state;
    load("local done\n" MOVE(
        "") "system { name = 'change', reads = { 'PluginPlace' }, run = function(batch, dt, commands)\n"
            "  if done then return end\n"
            "  done = true\n"
            "  local e = batch.entities\n"
            "  commands:destroy(e[0])\n"
            "  commands:set(e[1], 'PluginPlace', { x = 42 })\n"
            "  commands:remove(e[1], 'PluginSpeed')\n"
            "  commands:add(e[1], 'PluginFrozen')\n"
            "  local new = commands:spawn { PluginPlace = { x = 7, z = 8 }, PluginFrozen = true }\n"
            "  commands:set(new, 'PluginHeat', { now = 3, zones = { 1, 2 } })\n"
            "end }");
    CnEntity first = plugin_world_mover(&w, 1), second = plugin_world_mover(&w, 2);
    tick(1);
    no_error("change");
    assert_false(cn_is_alive(w.world, first));
    assert_true(x_of(second) == 42);
    assert_false(cn_has(w.world, second, PluginSpeed));
    assert_true(cn_has(w.world, second, PluginFrozen));
    CnQuery *query = cn_query_acquire(w.world, &(CnQueryDesc){.all = {cn_reads(PluginHeat)}}, NULL);
    CnEntity spawned;
    assert_int_equal(cn_query_entities(query, &spawned, 1), 1);
    PluginHeat heat;
    assert_true(cn_read(w.world, spawned, PluginHeat, &heat));
    assert_true(heat.now == 3 && heat.zones[1] == 2);
    assert_true(cn_get(w.world, spawned, PluginPlace)->z == 8);
    cn_query_release(query);
}

static void a_spawned_component_has_its_default(void **state)
{
    (void)state;
    load("component('Health', { now = 'i32', max = 'i32' }, { default = { now = 5, max = 6 } })\n"
         "system { name = 'source', run = function(_, _, commands)\n"
         "  commands:spawn { Health = { now = 1 } }\n"
         "end }");
    tick(1);
    no_error("source");
    CnComponent health = cn_component_find(w.world, "Health");
    CnQuery *query = cn_query_acquire(w.world, &(CnQueryDesc){.all = {cn_reads_id(health)}}, NULL);
    CnEntity e;
    int32_t max = 0;
    assert_int_equal(cn_query_entities(query, &e, 1), 1);
    assert_true(cn_read_field(w.world, e, "Health", "max", &max, sizeof max, NULL));
    assert_int_equal(max, 6);
    cn_query_release(query);
}

static void a_command_with_an_unknown_field_is_an_error(void **state)
{
    (void)state;
    load("system { name = 'source', run = function(_, _, commands)\n"
         "  commands:spawn { PluginPlace = { w = 1 } }\n"
         "end }");
    tick(1);
    assert_non_null(strstr(plugin_world_system_error(&w, "source"), "no member named 'w'"));
    assert_int_equal(w.error.line, 2);
}

/* ---- Mathematics and random numbers ---- */

static void mathematics_is_that_of_the_engine(void **state)
{
    (void)state;
    load(MOVE("p[0].x, p[0].y, p[0].z = math.sin(2), math.pow(2, 0.5), math.atan2(1, 2)\n"));
    CnEntity e = plugin_world_mover(&w, 0);
    tick(1);
    no_error("move");
    const PluginPlace *place = cn_get(w.world, e, PluginPlace);
    assert_true(place->x == (float)cn_sin(2) && place->y == (float)cn_pow(2, 0.5));
    assert_true(place->z == (float)cn_atan2(1, 2));
}

static void random_numbers_depend_on_index_salt_and_tick(void **state)
{
    (void)state;
    load(MOVE("p[0].x, p[0].y, p[0].z = randomAt(1), randomAt(2), randomAt(1, 1)\n"));
    CnEntity e = plugin_world_mover(&w, 0);
    tick(1);
    no_error("move");
    PluginPlace first = *cn_get(w.world, e, PluginPlace);
    assert_true(first.x >= 0 && first.x < 1);
    assert_true(first.x != first.y && first.x != first.z);
    tick(1);
    assert_true(cn_get(w.world, e, PluginPlace)->x != first.x);
}

static void random_numbers_of_the_c_library_are_an_error(void **state)
{
    (void)state;
    load(MOVE("math.random()\n"));
    plugin_world_mover(&w, 0);
    tick(1);
    assert_non_null(strstr(plugin_world_system_error(&w, "move"), "use randomAt(index, salt)"));
}

static void tables_have_an_order(void **state)
{
    (void)state;
    load(MOVE("local t, order = { b = 1, a = 2, [3] = 4, [true] = 5, c = 6 }, ''\n"
              "for key in pairs(t) do order = order .. tostring(key) end\n"
              "assert(order == '3abctrue', order) assert(next(t) == 3) assert(next(t, 3) == 'a')\n"
              "assert(not pcall(pairs, { [{}] = 1 }))\n"));
    plugin_world_mover(&w, 0);
    tick(1);
    no_error("move");
}

static void a_component_that_is_spawned_twice_is_an_error(void **state)
{
    (void)state;
    load(MOVE("") "system { name = 'source', run = function(_, _, commands)\n"
                  "  commands:spawn { 'PluginPlace', PluginPlace = { x = 1 } } end }");
    tick(1);
    assert_string_equal(plugin_world_system_error(&w, "source"),
                        "spawn: PluginPlace is given twice");
}

/* ---- The manual ---- */

static void the_example_of_the_manual_runs(void **state)
{
    (void)state;
    CnFileBytes manual;
    assert_true(cn_file_read_all(cn_native_files(), "docs/scripting.md", NULL, &manual, &w.error));
    char *code = strstr((char *)manual.data, "-- plugins/heat.lua\n");
    assert_non_null(code);
    *strstr(code, "```") = 0;
    load(code);
    CnEntity object = cn_object(w.world, "Stove");
    CnComponent temperature = cn_component_find(w.world, "Temperature");
    cn_set_component(w.world, object, temperature, (const float[]){500, 100});
    tick(3);
    no_error("cool");
    no_error("ignite");
    assert_true(cn_has_component(w.world, object, cn_component_find(w.world, "Burning")));
    cn_file_bytes_free(&manual);
}

/* ---- Clones ---- */

static void a_clone_runs_the_same_text(void **state)
{
    (void)state;
    load(MOVE(LOOP("p[i].x = p[i].x + 1")));
    CnEntity e = plugin_world_mover(&w, 0);
    tick(1);
    memory_files_set(&w.files, "test/a.lua", "this is not Lua");
    CnSim *copy = cn_sim_clone(w.sim, NULL, &w.error);
    if (!copy)
        fail_msg("%s", w.error.message);
    assert_true(cn_sim_tick_n(copy, 2, NULL));
    assert_true(cn_get(cn_sim_world(copy), e, PluginPlace)->x == 3);
    assert_true(x_of(e) == 1);
    cn_sim_destroy(copy);
}

static void a_plugin_can_be_removed(void **state)
{
    (void)state;
    load(MOVE(LOOP("p[i].x = p[i].x + 1")));
    CnEntity e = plugin_world_mover(&w, 0);
    tick(1);
    assert_true(cn_sim_remove_plugin(w.sim, "a.lua", NULL));
    tick(3);
    assert_true(x_of(e) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_WORLD(a_system_changes_the_rows_of_the_world),
        IN_WORLD(columns_of_fields_are_arrays),
        IN_WORLD(nested_structs_have_their_own_fields),
        IN_WORLD(a_field_of_every_type_can_be_written),
        IN_WORLD(a_column_that_is_only_read_cannot_be_written),
        IN_WORLD(an_index_beyond_the_batch_is_an_error),
        IN_WORLD(a_view_that_outlives_its_batch_is_an_error),
        IN_WORLD(whole_columns_of_floats_have_arithmetic),
        IN_WORLD(column_arithmetic_needs_a_declaration_to_write),
        IN_WORLD(a_component_in_lua_is_an_ordinary_component),
        IN_WORLD(scripts_on_objects_use_components_of_plugins),
        IN_WORLD(fields_in_a_list_keep_their_order),
        IN_WORLD(a_component_without_fields_is_a_tag),
        IN_WORLD(values_of_lua_components_are_saved_and_hashed),
        IN_WORLD(queries_have_conditions),
        IN_WORLD(an_optional_component_is_nil_where_it_is_missing),
        IN_WORLD(a_system_skips_what_has_not_changed),
        IN_WORLD(a_system_without_components_runs_once_a_tick),
        IN_WORLD(batches_are_as_long_as_the_memory_allows),
        IN_WORLD(commands_change_the_world_after_the_stage),
        IN_WORLD(a_spawned_component_has_its_default),
        IN_WORLD(a_command_with_an_unknown_field_is_an_error),
        IN_WORLD(mathematics_is_that_of_the_engine),
        IN_WORLD(random_numbers_depend_on_index_salt_and_tick),
        IN_WORLD(random_numbers_of_the_c_library_are_an_error),
        IN_WORLD(tables_have_an_order),
        IN_WORLD(a_component_that_is_spawned_twice_is_an_error),
        IN_WORLD(the_example_of_the_manual_runs),
        IN_WORLD(a_clone_runs_the_same_text),
        IN_WORLD(a_plugin_can_be_removed),
        cmocka_unit_test_setup_teardown(columns_of_fields_are_arrays, make_unchecked, drop),
        cmocka_unit_test_setup_teardown(nested_structs_have_their_own_fields, make_unchecked, drop),
        cmocka_unit_test_setup_teardown(a_field_of_every_type_can_be_written, make_unchecked, drop),
        cmocka_unit_test_setup_teardown(an_optional_component_is_nil_where_it_is_missing,
                                        make_unchecked, drop),
        cmocka_unit_test_setup_teardown(a_column_that_is_only_read_cannot_be_written,
                                        make_unchecked, drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
