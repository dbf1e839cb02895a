/* Files that scripts on objects share through `require`. */
#include "cmocka_tests.h"
#include "script_owners.h"

#include <string.h>

static ScriptOwners w;

static int make(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    return script_owners_init(&w, NULL) ? 0 : -1;
}

static int drop(void **state)
{
    (void)state;
    script_owners_fini(&w);
    return 0;
}

static void set_file(const char *path, const char *text)
{
    memory_files_set(&w.world.files, path, text);
}

static CnVec3 position(uint32_t object)
{
    return cn_get(w.world.world, w.objects[object], CnTransform)->position;
}

static const char *error_of(uint32_t object)
{
    return script_error(&w.world, w.objects[object]);
}

static void a_module_runs_once_for_an_owner(void **state)
{
    (void)state;
    set_file("mods://one/lib.lua",
             "local m = {n = 0} function m.add() m.n = m.n + 1 return m.n end "
             "return m");
    const char *user = "local lib = require('lib') function on_init() "
                       "this.position = Vec3(lib.add(), 0, 0) end";
    script_owners_add(&w, "mods://one/a.lua", user);
    script_owners_add(&w, "mods://one/b.lua", user);
    assert_true(script_owners_tick(&w, 1));
    assert_true(position(0).x == 1 && position(1).x == 2);
}

static void each_owner_has_its_own_modules(void **state)
{
    (void)state;
    set_file("lib://count.lua", "local n = 0 return function() n = n + 1 return n end");
    static const char *const libraries[] = {"lib://", NULL};
    w.world.scripts.libraries = libraries;
    const char *user = "local count = require('lib://count.lua') function on_init() "
                       "this.position = Vec3(count(), 0, 0) end";
    script_owners_add(&w, "mods://one/a.lua", user);
    script_owners_add(&w, "mods://two/a.lua", user);
    assert_true(script_owners_tick(&w, 1));
    assert_string_equal(error_of(0), "");
    assert_true(position(0).x == 1 && position(1).x == 1);
}

static void names_with_dots_are_folders(void **state)
{
    (void)state;
    set_file("mods://one/parts/door.lua", "return {width = 3}");
    script_owners_add(&w, "mods://one/a.lua",
                      "function on_init() this.position = Vec3(require('parts.door').width, "
                      "require('mods://one/parts/door.lua').width, 0) end");
    assert_true(script_owners_tick(&w, 1));
    assert_string_equal(error_of(0), "");
    assert_true(position(0).x == 3 && position(0).y == 3);
}

static void a_cycle_names_the_files(void **state)
{
    (void)state;
    set_file("mods://one/b.lua", "require('c')");
    set_file("mods://one/c.lua", "require('b')");
    script_owners_add(&w, "mods://one/a.lua", "require('b')");
    assert_true(script_owners_tick(&w, 1));
    assert_non_null(strstr(error_of(0), "mods://one/b.lua requires mods://one/c.lua requires "
                                        "mods://one/b.lua"));
}

static void files_of_other_owners_are_refused(void **state)
{
    (void)state;
    set_file("mods://two/lib.lua", "return 1");
    script_owners_add(&w, "mods://one/a.lua", "require('mods://two/lib.lua')");
    assert_true(script_owners_tick(&w, 1));
    assert_non_null(strstr(error_of(0), "does not belong to mods://one"));
}

static void a_missing_module_is_an_error_with_its_path(void **state)
{
    (void)state;
    script_owners_add(&w, "mods://one/a.lua", "require('lib.missing')");
    assert_true(script_owners_tick(&w, 1));
    assert_non_null(strstr(error_of(0), "mods://one/lib/missing.lua"));
}

static void an_error_in_a_module_has_its_file_and_line(void **state)
{
    (void)state;
    set_file("mods://one/lib.lua", "\n\nlocal x = nil + 1");
    CnEntity object = script_owners_add(&w, "mods://one/a.lua", "require('lib')");
    assert_true(script_owners_tick(&w, 1));
    CnError error;
    assert_true(cn_script_error(w.world.world, object, &error));
    assert_string_equal(error.file, "mods://one/lib.lua");
    assert_int_equal(error.line, 3);
}

static void the_body_of_a_module_has_no_object(void **state)
{
    (void)state;
    set_file("mods://one/lib.lua", "return {this == nil, pcall(subscribe, 'x', print)}");
    script_owners_add(&w, "mods://one/a.lua",
                      "local m = require('lib') function on_init() "
                      "this.position = Vec3(m[1] and 1 or 0, m[2] and 1 or 0, 0) end");
    assert_true(script_owners_tick(&w, 1));
    assert_true(position(0).x == 1 && position(0).y == 0);
}

static void a_module_that_loops_is_stopped(void **state)
{
    (void)state;
    set_file("mods://one/lib.lua", "while true do end");
    script_owners_add(&w, "mods://one/a.lua", "require('lib')");
    assert_true(script_owners_tick(&w, 1));
    assert_non_null(strstr(error_of(0), "instructions in one call"));
}

static void a_module_that_changes_reloads_its_users(void **state)
{
    (void)state;
    set_file("mods://one/lib.lua", "return {step = 1}");
    script_owners_add(&w, "mods://one/a.lua",
                      "local lib = require('lib') function on_update() "
                      "this.position = this.position + Vec3(lib.step, 0, 0) end");
    assert_true(script_owners_tick(&w, 2));
    set_file("mods://one/lib.lua", "return {step = 10}  ");
    assert_int_equal(cn_script_reload(w.world.world, NULL), 1);
    assert_true(script_owners_tick(&w, 2));
    assert_true(position(0).x == 22);
}

static void only_users_of_a_module_start_over(void **state)
{
    (void)state;
    set_file("mods://one/lib.lua", "return {step = 1}");
    set_file("mods://one/middle.lua", "return {lib = require('lib')}");
    set_file("mods://one/apart.lua", "return {}");
    script_owners_add(&w, "mods://one/a.lua",
                      "local lib = require('middle').lib function on_update() "
                      "this.position = Vec3(lib.step, 0, 0) end");
    script_owners_add(&w, "mods://one/b.lua",
                      "require('apart') local n = 0 function on_update() n = n + 1 "
                      "this.position = Vec3(n, 0, 0) end function on_reload() error('no') end");
    assert_true(script_owners_tick(&w, 2));
    set_file("mods://one/lib.lua", "return {step = 10}  ");
    assert_int_equal(cn_script_reload(w.world.world, NULL), 1);
    assert_true(script_owners_tick(&w, 1));
    assert_string_equal(error_of(1), "");
    assert_true(position(1).x == 3);
    assert_true(position(0).x == 10);
    set_file("mods://one/lib.lua", "return {step = 100}   ");
    assert_int_equal(cn_script_reload(w.world.world, NULL), 1);
    assert_true(script_owners_tick(&w, 1));
    assert_true(position(0).x == 100);
}

static void a_module_that_changes_and_does_not_compile_stays(void **state)
{
    (void)state;
    set_file("mods://one/lib.lua", "return {step = 1}");
    script_owners_add(&w, "mods://one/a.lua",
                      "local lib = require('lib') function on_update() "
                      "this.position = this.position + Vec3(lib.step, 0, 0) end");
    assert_true(script_owners_tick(&w, 2));
    set_file("mods://one/lib.lua", "return {step = ");
    assert_int_equal(cn_script_reload(w.world.world, NULL), 0);
    assert_true(script_owners_tick(&w, 2));
    assert_true(position(0).x == 4);
}

static void trusted_scripts_require_trusted_files(void **state)
{
    (void)state;
    set_file("trusted://lib.lua", "return {n = 7, open = io ~= nil}");
    set_file("mods://one/lib.lua", "return 1");
    script_owners_add(
        &w, "trusted://a.lua",
        "local lib = require('trusted://lib.lua') function on_init() "
        "this.position = Vec3(lib.n, pcall(require, 'mods://one/lib.lua') and 1 or 0, "
        "require('math') == math and lib.open and 1 or 0) end");
    assert_true(script_owners_tick(&w, 1));
    assert_string_equal(error_of(0), "");
    assert_true(position(0).x == 7 && position(0).y == 0 && position(0).z == 1);
}

#define FACT(test) cmocka_unit_test_setup_teardown(test, make, drop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FACT(a_module_runs_once_for_an_owner),
        FACT(each_owner_has_its_own_modules),
        FACT(names_with_dots_are_folders),
        FACT(a_cycle_names_the_files),
        FACT(files_of_other_owners_are_refused),
        FACT(a_missing_module_is_an_error_with_its_path),
        FACT(an_error_in_a_module_has_its_file_and_line),
        FACT(the_body_of_a_module_has_no_object),
        FACT(a_module_that_loops_is_stopped),
        FACT(a_module_that_changes_reloads_its_users),
        FACT(only_users_of_a_module_start_over),
        FACT(a_module_that_changes_and_does_not_compile_stays),
        FACT(trusted_scripts_require_trusted_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
