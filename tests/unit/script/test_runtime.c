/* Scripts on objects: when they are called, in which order, and what an error does. */
#include "cmocka_tests.h"
#include "script_world.h"

#include <cairn/scene/collision.h>
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

/* Trusted scripts write what they do into one text. */
#define NOTE                                                                                       \
    "local function note(s) local g = getfenv(0) g.notes = (g.notes or '') .. s .. ' ' end "

static const char *notes(void)
{
    return script_run(&w, "return getfenv(0).notes");
}

static const char every_callback[] = NOTE "function on_init() note('init') end "
                                          "function on_fixedupdate() note('fixed') end "
                                          "function on_update() note('update') end "
                                          "function on_destroy() note('destroy') end";

static void callbacks_come_in_order(void **state)
{
    (void)state;
    script_add(&w, "A", every_callback);
    assert_true(script_tick(&w, 2));
    assert_string_equal(notes(), "init fixed update fixed update ");
}

static void dt_is_that_of_the_tick(void **state)
{
    (void)state;
    script_add(&w, "A",
               NOTE "function on_update(dt) note(('%.4f'):format(dt)) end "
                    "function on_fixedupdate(dt) note(('%.4f'):format(dt)) end");
    assert_true(script_tick(&w, 1));
    assert_string_equal(notes(), "0.0167 0.0167 ");
}

static void scripts_run_in_order_of_their_objects(void **state)
{
    (void)state;
    static const char *const names[] = {"A", "B", "C"};
    static const char code[] = NOTE "function on_update() note(this.name) end";
    CnEntity objects[3];
    for (uint32_t i = 0; i < 3; i++)
        objects[i] = cn_object(w.world, names[i]);
    memory_files_set(&w.files, "trusted://x.lua", code);
    for (uint32_t i = 3; i-- > 0;)
        cn_set(w.world, objects[i], CnScript, {.script_path = "trusted://x.lua"});
    assert_true(script_tick(&w, 1));
    assert_string_equal(notes(), "A B C ");
}

static const CnBudget *give_foreign_budget(CnFileSystem *fs, CnFile *file)
{
    (void)fs, (void)file;
    return cn_budget_of(CN_ORIGIN_FOREIGN);
}

/* A mod that is found under a trusted path, because it replaces a file there, gains no trust. */
static void a_script_of_foreign_origin_does_not_run_as_trusted(void **state)
{
    (void)state;
    w.files.files.budget = give_foreign_budget;
    CnEntity object = script_add(&w, "A", NOTE "note('runs')");
    script_tick(&w, 1);
    assert_non_null(strstr(script_error(&w, object), "foreign origin"));
    assert_int_equal(cn_script_stats(w.world).running, 0);
}

static void a_file_is_read_once_for_all_objects(void **state)
{
    (void)state;
    memory_files_set(&w.files, "trusted://x.lua", "n = 0 function on_update() n = n + 1 end");
    for (uint32_t i = 0; i < 10; i++) {
        CnEntity object = cn_object(w.world, "Many");
        cn_set(w.world, object, CnScript, {.script_path = "trusted://x.lua"});
    }
    assert_true(script_tick(&w, 5));
    assert_int_equal(w.files.reads, 1);
    assert_int_equal(cn_script_stats(w.world).running, 10);
}

static void each_object_has_its_own_globals(void **state)
{
    (void)state;
    memory_files_set(&w.files, "trusted://x.lua",
                     "n = 0 function on_update() n = n + 1 this.state.n = n "
                     "this.position = Vec3(n, 0, 0) end");
    CnEntity first = cn_object(w.world, "First");
    cn_set(w.world, first, CnScript, {.script_path = "trusted://x.lua"});
    assert_true(script_tick(&w, 2));
    CnEntity second = cn_object(w.world, "Second");
    cn_set(w.world, second, CnScript, {.script_path = "trusted://x.lua"});
    assert_true(script_tick(&w, 1));
    assert_true(cn_get(w.world, first, CnTransform)->position.x == 3);
    assert_true(cn_get(w.world, second, CnTransform)->position.x == 1);
}

static void globals_of_a_script_are_not_those_of_others(void **state)
{
    (void)state;
    script_add(&w, "A", "secret = 1 string_is = type(string)");
    assert_true(script_tick(&w, 1));
    assert_string_equal(script_run(&w, "return secret, string_is"), "nil\tnil");
}

static void inactive_objects_are_passed_over(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "A", every_callback);
    cn_object_set_enabled(w.world, object, false);
    assert_true(script_tick(&w, 2));
    assert_int_equal(cn_script_status(w.world, object), CN_SCRIPT_WAITING);
    cn_object_set_enabled(w.world, object, true);
    assert_true(script_tick(&w, 1));
    cn_object_set_enabled(w.world, object, false);
    assert_true(script_tick(&w, 1));
    assert_string_equal(notes(), "init fixed update ");
}

static void on_destroy_comes_when_the_object_goes(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "A", NOTE "function on_destroy() note(this.name) end");
    assert_true(script_tick(&w, 1));
    assert_true(cn_destroy(w.world, object));
    assert_string_equal(notes(), "A ");
    assert_int_equal(cn_script_status(w.world, object), CN_SCRIPT_NONE);
    assert_int_equal(cn_script_stats(w.world).running, 0);
}

static void on_destroy_comes_when_the_component_goes(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "A", every_callback);
    assert_true(script_tick(&w, 1));
    cn_remove(w.world, object, CnScript);
    assert_true(script_tick(&w, 1));
    assert_string_equal(notes(), "init fixed update destroy ");
}

static void a_script_may_destroy_its_own_object(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "A",
                                 NOTE "function on_update() this:destroy() note('asked') end "
                                      "function on_destroy() note('destroy') end");
    assert_true(script_tick(&w, 2));
    assert_false(cn_is_alive(w.world, object));
    assert_string_equal(notes(), "asked destroy ");
}

static void a_script_that_never_began_is_not_destroyed(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "A", every_callback);
    assert_true(cn_destroy(w.world, object));
    assert_true(script_tick(&w, 1));
    assert_string_equal(notes(), "nil");
}

static uint32_t lines_seen;
static void count_lines(const CnLogRecord *record, void *user)
{
    (void)user;
    lines_seen += strstr(record->message, "good bye") != NULL;
}

static void on_destroy_comes_when_the_scene_ends(void **state)
{
    (void)state;
    ScriptWorld other;
    int sink = cn_log_add_sink(&(CnLogSink){.write = count_lines, .level = CN_LOG_LEVEL_INFO});
    lines_seen = 0;
    assert_true(script_world_init(&other, &(ScriptWorldDesc){0}));
    script_add(&other, "A", "function on_destroy() log('good bye') end");
    script_add(&other, "B", "function on_destroy() log('good bye') error('oops') end");
    assert_true(script_tick(&other, 1));
    script_world_fini(&other);
    cn_log_remove_sink(sink);
    assert_int_equal(lines_seen, 2);
}

static void another_path_ends_one_script_and_begins_another(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "A", every_callback);
    assert_true(script_tick(&w, 1));
    memory_files_set(&w.files, "trusted://other.lua", NOTE "function on_init() note('other') end");
    cn_set(w.world, object, CnScript, {.script_path = "trusted://other.lua"});
    assert_true(script_tick(&w, 1));
    assert_string_equal(notes(), "init fixed update destroy other ");
}

static void the_same_path_set_again_changes_nothing(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "A", every_callback);
    assert_true(script_tick(&w, 1));
    CnScript script = *cn_get(w.world, object, CnScript);
    cn_set_component(w.world, object, cn_id(w.world, CnScript), &script);
    assert_true(script_tick(&w, 1));
    assert_string_equal(notes(), "init fixed update fixed update ");
}

static void what_a_script_spawns_begins_with_the_next_tick(void **state)
{
    (void)state;
    memory_files_set(&w.files, "trusted://child.lua",
                     NOTE "function on_init() note('child') end "
                          "function on_update() note('lives') end");
    script_add(&w, "A",
               NOTE "function on_init() note('init') local o = spawn({name = 'Child'}) "
                    "o:addComponent('ScriptComponent', {script_path = 'trusted://child.lua'}) end");
    assert_true(script_tick(&w, 1));
    assert_string_equal(notes(), "init ");
    assert_true(script_tick(&w, 1));
    assert_string_equal(notes(), "init child lives ");
}

static void scripts_that_a_load_brought_begin(void **state)
{
    (void)state;
    CnSnapshot snapshot;
    script_add(&w, "A", every_callback);
    assert_true(cn_world_save(w.world, &snapshot, NULL));
    assert_true(cn_sim_restore(w.sim, snapshot.bytes, snapshot.size, NULL));
    cn_snapshot_free(&snapshot);
    assert_true(script_tick(&w, 1));
    assert_string_equal(notes(), "init fixed update ");
}

static void both_objects_are_notified_of_a_collision(void **state)
{
    (void)state;
    static const char code[] =
        NOTE "function on_collisionenter(o) note(this.name .. '+' .. o.name) end "
             "function on_collisionleave(o) note(this.name .. '-' .. o.name) end";
    CnEntity a = script_add(&w, "A", code), b = script_add(&w, "B", code);
    assert_true(script_tick(&w, 1));
    CnChannel *hits = cn_channel(w.world, CnCollision);
    cn_send(hits, CnCollision, {.kind = CN_COLLISION_ENTER, .a = a, .b = b});
    cn_send(hits, CnCollision, {.kind = CN_COLLISION_LEAVE, .a = a, .b = b});
    cn_send(hits, CnCollision, {.kind = CN_COLLISION_ENTER, .a = a, .b = w.car});
    assert_true(script_tick(&w, 2));
    assert_string_equal(notes(), "A+B B+A A-B B-A A+Car ");
}

static void the_body_may_not_change_the_world(void **state)
{
    (void)state;
    CnEntity spawner = script_add(&w, "A", "spawn({name = 'X'})");
    CnEntity mover = script_add(&w, "B", "this.position = Vec3(1, 2, 3)");
    CnEntity reader = script_add(&w, "C", "local p = this.position local c = getObject('Car')");
    assert_true(script_tick(&w, 1));
    assert_int_equal(cn_script_status(w.world, spawner), CN_SCRIPT_FAILED);
    assert_int_equal(cn_script_status(w.world, mover), CN_SCRIPT_FAILED);
    assert_int_equal(cn_script_status(w.world, reader), CN_SCRIPT_RUNNING);
    assert_true(cn_entity_is_null(cn_object_find(w.world, "X")));
}

/* ---- Errors ---- */

static void an_error_names_script_and_line(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "A", "\n\nfunction on_update()\n  error('too bad')\nend");
    assert_true(script_tick(&w, 1));
    CnError error;
    assert_int_equal(cn_script_status(w.world, object), CN_SCRIPT_FAILED);
    assert_true(cn_script_error(w.world, object, &error));
    assert_string_equal(error.file, cn_get(w.world, object, CnScript)->script_path);
    assert_int_equal(error.line, 4);
    assert_string_equal(error.message, "too bad");
}

static void a_file_is_checked_without_running_it(void **state)
{
    (void)state;
    CnError error = {0};
    memory_files_set(&w.files, "mods://good.lua", "error('it ran')");
    memory_files_set(&w.files, "mods://bad.lua", "local a = 1\nlocal b = = 2\n");
    assert_true(cn_script_check(w.world, "mods://good.lua", &error));
    assert_false(cn_script_check(w.world, "mods://bad.lua", &error));
    assert_string_equal(error.file, "mods://bad.lua");
    assert_int_equal(error.line, 2);
    assert_false(cn_script_check(w.world, "mods://none.lua", &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
    assert_int_equal(error.line, 0);
    memory_files_set(&w.files, "mods://bad.lua", "local a = 1\n");
    assert_true(cn_script_check(w.world, "mods://bad.lua", NULL));
}

static void errors_without_a_place_get_that_of_the_call(void **state)
{
    (void)state;
    CnEntity table = script_add(&w, "A", "function on_update()\n  error({})\nend");
    CnEntity index = script_add(&w, "B", "function on_update()\n\n  return nothing.x\nend");
    CnEntity inner = script_add(&w, "C", "function on_update()\n  error('plain', 0)\nend");
    assert_true(script_tick(&w, 1));
    CnError error;
    assert_true(cn_script_error(w.world, table, &error));
    assert_int_equal(error.line, 2);
    assert_string_equal(error.message, "a table was thrown");
    assert_true(cn_script_error(w.world, index, &error));
    assert_int_equal(error.line, 3);
    assert_true(cn_script_error(w.world, inner, &error));
    assert_int_equal(error.line, 2);
    assert_string_equal(error.message, "plain");
}

static void a_syntax_error_has_its_line(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "A", "\n\nfunction (");
    assert_true(script_tick(&w, 1));
    CnError error;
    assert_true(cn_script_error(w.world, object, &error));
    assert_int_equal(error.line, 3);
    assert_string_equal(error.file, cn_get(w.world, object, CnScript)->script_path);
}

static void a_missing_file_is_an_error_of_the_script(void **state)
{
    (void)state;
    CnEntity object = cn_object(w.world, "A");
    cn_set(w.world, object, CnScript, {.script_path = "trusted://nowhere.lua"});
    assert_true(script_tick(&w, 3));
    CnError error;
    assert_true(cn_script_error(w.world, object, &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
    assert_int_equal(cn_script_stats(w.world).errors, 1);
}

static void an_error_disables_that_object_alone(void **state)
{
    (void)state;
    static const char code[] =
        "function on_update() if this.name == 'B' then error('x') end "
        "this.state.n = (this.state.n or 0) + 1 this.position = Vec3(this.state.n, 0, 0) end";
    CnEntity a = script_add(&w, "A", code), b = script_add(&w, "B", code);
    cn_set(w.world, b, CnScript, {.script_path = "trusted://A1.lua"});
    assert_true(script_tick(&w, 5));
    assert_int_equal(cn_script_status(w.world, a), CN_SCRIPT_RUNNING);
    assert_int_equal(cn_script_status(w.world, b), CN_SCRIPT_FAILED);
    assert_true(cn_get(w.world, a, CnTransform)->position.x == 5);
    CnScriptStats stats = cn_script_stats(w.world);
    assert_int_equal(stats.running, 1);
    assert_int_equal(stats.failed, 1);
    assert_int_equal(stats.errors, 1);
}

static char logged[2048];
static void keep_line(const CnLogRecord *record, void *user)
{
    (void)user;
    cn_copy_text(logged, sizeof logged, cn_text(record->message));
}

static void the_log_has_the_way_to_the_error(void **state)
{
    (void)state;
    int sink = cn_log_add_sink(&(CnLogSink){.write = keep_line, .level = CN_LOG_LEVEL_ERROR});
    script_add(
        &w, "A",
        "local function deep() local x = nil + 1 end\n"
        "local function middle() deep() deep() end\n\nfunction on_update()\n middle()\n end");
    assert_true(script_tick(&w, 1));
    cn_log_remove_sink(sink);
    assert_string_equal(
        logged, "trusted://A1.lua:1: attempt to perform arithmetic on a nil value; disabled on A"
                "\n    |     trusted://A1.lua:1: in function deep"
                "\n    |     trusted://A1.lua:2: in function middle"
                "\n    |     trusted://A1.lua:5: in the function at line 4");
}

static void the_way_to_an_error_in_the_body_says_so(void **state)
{
    (void)state;
    int sink = cn_log_add_sink(&(CnLogSink){.write = keep_line, .level = CN_LOG_LEVEL_ERROR});
    script_add(&w, "A", "\nerror('oops')");
    assert_true(script_tick(&w, 1));
    cn_log_remove_sink(sink);
    assert_string_equal(logged, "trusted://A1.lua:2: oops; disabled on A\n    |     in error"
                                "\n    |     trusted://A1.lua:2: in the body");
}

static void the_log_names_a_missing_file(void **state)
{
    (void)state;
    int sink = cn_log_add_sink(&(CnLogSink){.write = keep_line, .level = CN_LOG_LEVEL_ERROR});
    CnEntity a = cn_object(w.world, "A");
    cn_set(w.world, a, CnScript, {.script_path = "trusted://none.lua"});
    assert_true(script_tick(&w, 1));
    cn_log_remove_sink(sink);
    assert_null(strstr(logged, ":0:"));
    assert_non_null(strstr(logged, "trusted://none.lua"));
    assert_non_null(strstr(logged, "; disabled on A"));
}

static void an_object_without_a_script_has_none(void **state)
{
    (void)state;
    CnError error;
    assert_int_equal(cn_script_status(w.world, w.car), CN_SCRIPT_NONE);
    assert_false(cn_script_error(w.world, w.car, &error));
    assert_int_equal(error.code, CN_OK);
}

static void a_world_without_the_plugin_has_no_scripts(void **state)
{
    (void)state;
    CnWorld *world = cn_world_create(NULL, NULL);
    CnError error = {0};
    CnTextBuilder result;
    cn_array_init(&result, NULL);
    assert_false(cn_script_run(world, &(CnScriptRunDesc){.name = "x", .code = cn_text("return 1")},
                               &result, &error));
    assert_int_equal(error.code, CN_ERROR_UNSUPPORTED);
    assert_int_equal(cn_script_reload(world, NULL), 0);
    assert_int_equal(cn_script_stats(world).calls, 0);
    assert_int_equal(cn_script_status(world, (CnEntity){0}), CN_SCRIPT_NONE);
    cn_world_destroy(world);
}

static void the_plugin_can_be_removed_and_added_again(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "A", "function on_update() this.state.n = 1 end");
    assert_true(script_tick(&w, 1));
    assert_true(cn_sim_remove_plugin(w.sim, "Script", NULL));
    assert_true(script_tick(&w, 1));
    assert_true(cn_destroy(w.world, w.door));
    CnPlugin plugin = cn_script_plugin(&w.scripts);
    assert_true(cn_sim_add_plugin(w.sim, &plugin, NULL));
    assert_true(script_tick(&w, 1));
    assert_int_equal(cn_script_status(w.world, object), CN_SCRIPT_RUNNING);
}

/* ---- The order of systems ---- */

static char steps[64];
static void step_physics(CnSystemContext *context)
{
    CnEntity object = *(CnEntity *)context->user;
    cn_copy_text(steps, sizeof steps, cn_text(cn_object_name(context->world, object)));
}

static void physics_steps_between_fixedupdate_and_update(void **state)
{
    (void)state;
    CnPlugin core[] = {cn_scene_plugin()};
    CnSim *sim = cn_sim_create(&(CnSimDesc){.core = core, .core_count = 1}, NULL);
    CnWorld *world = cn_sim_world(sim);
    static CnEntity object;
    CnSystemDesc physics = {
        .name = "physics.step", .run = step_physics, .stage = CN_STAGE_UPDATE, .user = &object};
    assert_true(cn_system_add(world, &physics, NULL).id);
    CnPlugin plugin = cn_script_plugin(&w.scripts);
    assert_true(cn_sim_add_plugin(sim, &plugin, NULL));
    memory_files_set(&w.files, "trusted://x.lua",
                     "function on_fixedupdate() this.name = 'fixed' end "
                     "function on_update() this.name = 'update' end");
    object = cn_object(world, "A");
    cn_set(world, object, CnScript, {.script_path = "trusted://x.lua"});
    assert_true(cn_sim_tick_n(sim, 2, NULL));
    assert_string_equal(steps, "fixed");
    assert_string_equal(cn_object_name(world, object), "update");
    cn_sim_destroy(sim);
}

/* ---- Memory ---- */

/* Of 50 ticks of a world with so many scripts, when everything has grown. */
static uint64_t heap_calls(bool sandboxed, uint32_t scripts)
{
    CnHeap *heap = cn_heap_create(NULL, NULL);
    ScriptWorld other;
    ScriptWorldDesc desc = {.sandboxed = sandboxed, .allocator = cn_heap_tag(heap, "scripts")};
    assert_true(script_world_init(&other, &desc));
    for (uint32_t i = 0; i < scripts; i++)
        script_add(&other, "A",
                   "local n = 0 function on_update(dt) for i = 1, 10 do "
                   "n = (n + i * dt) % 7 end this.state.n = n end "
                   "function on_fixedupdate(dt) n = n + dt end");
    assert_true(script_tick(&other, 1000)); /* traces are compiled */
    uint64_t before = cn_heap_stats(heap).calls;
    assert_true(script_tick(&other, 50));
    uint64_t calls = cn_heap_stats(heap).calls - before;
    script_world_fini(&other);
    assert_int_equal(cn_heap_stats(heap).live_bytes, 0);
    cn_heap_destroy(heap);
    return calls;
}

static void scripts_that_make_no_garbage_make_no_heap_calls(void **state)
{
    (void)state;
    for (int sandboxed = 0; sandboxed < 2; sandboxed++)
        assert_int_equal(heap_calls(sandboxed != 0, 10), heap_calls(sandboxed != 0, 0));
}

int main(void)
{
#define FACT(test) cmocka_unit_test_setup_teardown(test, make, drop)
#define SANDBOXED(test) cmocka_unit_test_setup_teardown(test, make_sandboxed, drop)
    const struct CMUnitTest tests[] = {
        FACT(callbacks_come_in_order),
        FACT(dt_is_that_of_the_tick),
        FACT(scripts_run_in_order_of_their_objects),
        FACT(a_script_of_foreign_origin_does_not_run_as_trusted),
        FACT(a_file_is_read_once_for_all_objects),
        FACT(each_object_has_its_own_globals),
        FACT(globals_of_a_script_are_not_those_of_others),
        FACT(inactive_objects_are_passed_over),
        FACT(on_destroy_comes_when_the_object_goes),
        FACT(on_destroy_comes_when_the_component_goes),
        FACT(a_script_may_destroy_its_own_object),
        FACT(a_script_that_never_began_is_not_destroyed),
        FACT(on_destroy_comes_when_the_scene_ends),
        FACT(another_path_ends_one_script_and_begins_another),
        FACT(the_same_path_set_again_changes_nothing),
        FACT(what_a_script_spawns_begins_with_the_next_tick),
        FACT(scripts_that_a_load_brought_begin),
        FACT(both_objects_are_notified_of_a_collision),
        FACT(the_body_may_not_change_the_world),
        SANDBOXED(the_body_may_not_change_the_world),
        FACT(an_error_names_script_and_line),
        FACT(a_file_is_checked_without_running_it),
        SANDBOXED(an_error_names_script_and_line),
        FACT(errors_without_a_place_get_that_of_the_call),
        SANDBOXED(errors_without_a_place_get_that_of_the_call),
        FACT(a_syntax_error_has_its_line),
        FACT(a_missing_file_is_an_error_of_the_script),
        FACT(an_error_disables_that_object_alone),
        FACT(the_log_has_the_way_to_the_error),
        FACT(the_way_to_an_error_in_the_body_says_so),
        FACT(the_log_names_a_missing_file),
        FACT(an_object_without_a_script_has_none),
        FACT(a_world_without_the_plugin_has_no_scripts),
        FACT(the_plugin_can_be_removed_and_added_again),
        FACT(physics_steps_between_fixedupdate_and_update),
        FACT(scripts_that_make_no_garbage_make_no_heap_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
