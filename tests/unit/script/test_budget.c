/* Endless loops and memory hogs in untrusted scripts are stopped, in whatever shape they come. */
#include "cmocka_tests.h"
#include "script/script_internal.h"
#include "script_world.h"

#include <string.h>

#define FOREVER " while true do end "

static const char *const endless[] = {
    FOREVER,
    "for i = 1, 1e18 do end",
    "for i = 1, 0, 0 do end" FOREVER,
    "repeat until false",
    "::again:: goto again",
    "local i = 0 while true do i = i + 1 if i < 0 then break end end",
    "local function f() return f() end f()",
    "local f, g f = function() return g() end g = function() return f() end f()",
    "while true do local function f() return f end f() end",
    /* Held up by pcall and its kin. */
    "while true do pcall(function()" FOREVER "end) end",
    "while true do pcall(error) end",
    "local function f() pcall(f) f() end f()",
    "local function f() pcall(function() while true do end end) return f() end f()",
    "for i = 1, 200 do local ok = pcall(function()" FOREVER "end) end" FOREVER,
    "pcall(pcall, pcall, pcall, function()" FOREVER "end)" FOREVER,
    "xpcall(function()" FOREVER "end, function()" FOREVER "end)" FOREVER,
    "while true do xpcall(function()" FOREVER "end, function()" FOREVER "end) end",
    "local function h() return xpcall(error, h) end xpcall(error, h)" FOREVER,
    "while true do xpcall(error, error) end",
    "while true do xpcall(function() error({}) end, function(e) return e end) end",
    /* Metamethods. */
    "local t = setmetatable({}, {__index = function()" FOREVER "end}) return t.x",
    "local t = setmetatable({}, {__newindex = function()" FOREVER "end}) t.x = 1",
    "local t = setmetatable({}, {__call = function()" FOREVER "end}) t()",
    "local t = setmetatable({}, {__add = function()" FOREVER "end}) return t + t",
    "local t = setmetatable({}, {__concat = function()" FOREVER "end}) return t .. t",
    "local t = setmetatable({}, {__lt = function()" FOREVER "end}) return t < t",
    "local t = setmetatable({}, {__le = function()" FOREVER "end}) return t <= t",
    "local t = setmetatable({}, {__eq = function()" FOREVER "end}) return t == setmetatable({}, "
    "getmetatable(t))",
    "local t = setmetatable({}, {__unm = function()" FOREVER "end}) return -t",
    "local t = setmetatable({}, {__tostring = function()" FOREVER "end}) return tostring(t)",
    "local t = setmetatable({}, {__tostring = function()" FOREVER "end}) return ('%s'):format(t)",
    "local t = setmetatable({}, {__tostring = function()" FOREVER "end}) return t",
    "local t = setmetatable({}, {__tostring = function()" FOREVER "end}) log(t)",
    "local t = setmetatable({}, {__index = function(t, k) return t[k + 1] end}) "
    "while true do pcall(function() return t[1] end) end",
    /* Coroutines. */
    "coroutine.wrap(function()" FOREVER "end)()",
    "while true do coroutine.resume(coroutine.create(function()" FOREVER "end)) end",
    "local w = coroutine.wrap(function() while true do coroutine.yield() end end) "
    "while true do w() end",
    "while true do coroutine.wrap(function() end)() end",
    "local function f() return coroutine.wrap(f)() end while true do pcall(f) end",
    "local function f() return pcall(coroutine.wrap(f)) end while true do f() end",
    "local c = coroutine.create(function() while true do pcall(coroutine.yield) end end) "
    "while true do coroutine.resume(c) end",
    "coroutine.wrap(function() pcall(coroutine.wrap(function()" FOREVER "end))" FOREVER "end)()",
    /* Inside of C functions. */
    "table.sort({3, 2, 1}, function()" FOREVER "end)",
    "while true do table.sort({3, 2, 1}, function() return true end) end",
    "local t = {} for i = 1, 50000 do t[i] = i % 7 end while true do table.sort(t) end",
    "local t = {} for i = 1, 50000 do t[i] = i end while true do table.insert(t, 1, 0) end",
    "local t = {} for i = 1, 50000 do t[i] = i end while true do t[50000] = 1 table.remove(t, 1) end",
    "local t = {} for i = 1, 50000 do t[i] = 'x' end while true do table.concat(t) end",
    "while true do local s = ('x'):rep(1000000) end",
    "while true do local s = ('x'):rep(1000, 'y') end",
    "local s = ('x'):rep(1000000) while true do s:upper() end",
    "local s = ('x'):rep(1000000) while true do s:reverse() end",
    "local s = ('x'):rep(1000000) while true do s:sub(2) end",
    "local s = ('x'):rep(1000000) while true do s:find('y', 1, true) end",
    "local s = ('x'):rep(1000000) while true do s:find('y') end",
    "local s = ('x'):rep(1000000) while true do s:match('x*y') end",
    "local s = ('x'):rep(1000000) while true do s:gsub('x', 'y') end",
    "local s = ('x'):rep(1000000) while true do for a in s:gmatch('y') do end end",
    "local s = ('%'):rep(1000000) while true do s:format() end",
    "local s = ('x'):rep(1000000) while true do ('%s'):format(s) end",
    "local s = ('x'):rep(1000000) while true do ('%q'):format(s) end",
    "local s = ('9'):rep(1000000) while true do tonumber(s) end",
    "local s = ('9'):rep(1000000) while true do pcall(tonumber, s) end",
    "('a'):rep(100):find(('a*'):rep(50) .. 'b')",
    "('a'):rep(100):find(('a-'):rep(50) .. 'b')",
    "('a'):rep(100):find(('a?'):rep(100) .. ('a'):rep(100) .. 'b')",
    "('a'):rep(1000):find(('(a*)'):rep(30) .. 'b')",
    "('('):rep(100000):find('%b()')" FOREVER,
    "('a'):rep(10000):gsub(('a*'):rep(5) .. 'b', '')",
    "while true do pcall(string.find, ('a'):rep(1000), ('a*'):rep(50) .. 'b') end",
    "('x'):gsub('x', function()" FOREVER "end)",
    "local function f() return (('x'):gsub('x', f)) end while true do pcall(f) end",
    "('x'):gsub('x', setmetatable({}, {__index = function()" FOREVER "end}))",
    "local a = ('x'):rep(200000) local x, y = a .. '1', a .. '2' "
    "while true do local b = x < y end",
    "local a = ('x'):rep(200000) while true do local b = a .. 'x' end",
    "local t = {} for i = 1, 250 do t[i] = i end while true do unpack(t) end",
    "local function f(...) if select('#', ...) > 20000 then while true do select('#', ...) end end "
    "return f(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, ...) end f()",
    "local t = {} for i = 1, 20000 do t[i] = i end while true do for k in pairs(t) do end end",
    "local t = {} for i = 1, 20000 do t[i] = i end while true do next(t) end",
    /* What is bound. */
    "while true do getObject('Car/Wheel') end",
    "while true do for o in query('TransformComponent'):each() do end end",
    "while true do query('TransformComponent'):count() end",
    "while true do Vec3(1, 2, 3) end",
    "while true do log('x') end",
    "while true do pcall(send, 'x', {1, 2, 3}) end",
    "while true do pcall(after, 1, print) end",
    "while true do pcall(subscribe, 'x', print) end",
    "while true do pcall(spawn, {name = 'x'}) end",
    "while true do getObject(('x/'):rep(100)) end",
};

static const char *const hogs[] = {
    "local t = {} while true do t[#t + 1] = {} end",
    "local t = {} for i = 1, 1e18 do t[i] = i end",
    "local t = {} for i = 1, 1e18 do t['k' .. i] = i end",
    "local t = {} while true do t = {t} end",
    "local s = 'x' while true do s = s .. s end",
    "local s = 'x' while true do s = s .. s .. s .. s .. s .. s .. s .. s end",
    "local s = 'x' while true do pcall(function() s = s .. s end) end",
    "local t = {} while true do t[#t + 1] = ('x'):rep(100000) .. #t end",
    "local t = {} while true do t[#t + 1] = ('x'):rep(1000000) .. #t end",
    "local t = {} while true do pcall(function() t[#t + 1] = ('x'):rep(1000000) .. #t end) end",
    "('x'):rep(1e9)",
    "('x'):rep(1000):rep(1000):rep(1000)",
    "local t = {} for i = 1, 1000 do t[i] = ('x'):rep(1000) end local u = {} "
    "while true do u[#u + 1] = table.concat(t) .. #u end",
    "local s = ('x'):rep(1000000) while true do s = s:gsub('x', 'xx') end",
    "local s = ('x'):rep(1000000) return (s:gsub('x', s))",
    "local s = ('x'):rep(1000000) return ('%s%s%s%s%s%s%s%s'):format(s, s, s, s, s, s, s, s)",
    "local t = {} while true do t[#t + 1] = function() return t end end",
    "local t = {} while true do t[#t + 1] = coroutine.create(function() end) end",
    "local t = {} while true do t[#t + 1] = coroutine.wrap(function() coroutine.yield() end) "
    "t[#t]() end",
    "local t = {} while true do t[#t + 1] = Vec3(1, 2, 3) end",
    "local t = {} while true do t[#t + 1] = query('TransformComponent') end",
    "local function f(...) return f(1, 2, 3, 4, 5, 6, 7, 8, ...) end f()",
    "local function f() return f() + 1 end f()",
    "local t = {} while true do t[{}] = true end",
    "local t = {} while true do t[#t + 1] = setmetatable({}, {__mode = 'k'}) end",
    "local t = {} while true do after(1e6, function() end) end",
    "while true do subscribe('x', function() end) end",
    "while true do send('x', {('x'):rep(1000)}) end",
    "local t = {} for i = 1, 1e6 do t[i] = i end return unpack(t)",
};

static ScriptWorld w;

static int make(void **state)
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

static bool is_stopped(const char *code)
{
    CnError error = {0};
    cn_array_clear(&w.text);
    bool done = cn_script_run(w.world, &(CnScriptRunDesc){.name = "test", .code = cn_text(code)},
                              &w.text, &error);
    if (done)
        fail_msg("%s ends", code);
    return error.code == CN_ERROR_LIMIT;
}

static void endless_loops_are_stopped(void **state)
{
    (void)state;
    for (size_t i = 0; i < CN_COUNT_OF(endless); i++)
        if (!is_stopped(endless[i]))
            fail_msg("%s ends by itself", endless[i]);
    assert_string_equal(script_run(&w, "return 1"), "1");
}

static void memory_hogs_stay_within_64_mebibytes(void **state)
{
    (void)state;
    for (size_t i = 0; i < CN_COUNT_OF(hogs); i++) {
        is_stopped(hogs[i]);
        if (cn_script_stats(w.world).sandboxed_peak_bytes > 64u << 20)
            fail_msg("%s takes more", hogs[i]);
    }
    assert_string_equal(script_run(&w, "return 1"), "1");
}

/* One that grows a little each tick, and never much in one call. */
static void a_slow_hog_is_disabled_and_its_memory_comes_back(void **state)
{
    (void)state;
    CnEntity hog = script_add(&w, "Hog",
                              "local t = {} function on_update() "
                              "for i = 1, 10 do t[#t + 1] = ('x'):rep(100000) .. #t end end");
    CnEntity other = script_add(&w, "Other", "function on_update() local t = {{}, {}, 'x'} end");
    assert_true(script_tick(&w, 200));
    assert_int_equal(cn_script_status(w.world, hog), CN_SCRIPT_FAILED);
    assert_non_null(strstr(script_error(&w, hog), "untrusted scripts take more than"));
    assert_int_equal(cn_script_status(w.world, other), CN_SCRIPT_RUNNING);
    CnScriptStats stats = cn_script_stats(w.world);
    assert_true(stats.sandboxed_peak_bytes <= 64u << 20);
    assert_true(stats.sandboxed_bytes < 8u << 20);
}

/* To collect what is left of one takes longer the more the others have. */
static void scripts_that_are_starved_one_after_the_other_do_not_share_a_tick(void **state)
{
    (void)state;
    enum { COUNT = 100 };
    CnEntity objects[COUNT];
    CnEntity rich = script_add(&w, "Rich",
                               "local t = {} function on_update() for i = 1, 10 do "
                               "if #t < 550 then t[#t + 1] = ('x'):rep(100000) .. #t end end end");
    assert_true(script_tick(&w, 60));
    assert_int_equal(cn_script_status(w.world, rich), CN_SCRIPT_RUNNING);
    objects[0] = script_add(&w, "Hog",
                            "local s = ('x'):rep(100000) local t = {} "
                            "for i = 1, 9e9 do t[i] = s .. i end");
    for (uint32_t i = 1; i < COUNT; i++)
        objects[i] = cn_object_clone(w.world, objects[0], CN_NO_PARENT, NULL);
    assert_true(script_tick(&w, 1));
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < COUNT; i++)
        waiting += cn_script_status(w.world, objects[i]) == CN_SCRIPT_WAITING;
    assert_in_range(waiting, COUNT - 5, COUNT - 1);
}

static void an_owner_cannot_fill_the_world(void **state)
{
    (void)state;
    w.scripts.instructions_per_call = w.scripts.instructions_per_tick = 1000000000;
    script_run(&w, "for i = 1, 20000 do spawn{name = 'x'} end");
    assert_non_null(strstr(script_run(&w, "spawn{name = 'x'}"), "more than 20000 objects"));
    script_run(&w, "for i = 1, 100 do getObject('x'):destroy() end");
    script_run(&w, "getObject('x'):destroy()");
    assert_null(strstr(script_run(&w, "spawn{name = 'x'}"), "error"));
}

/* What others created does not count. */
static void a_full_world_has_room_for_an_owner(void **state)
{
    (void)state;
    CnEntity many[1000];
    for (uint32_t i = 0; i < 2 * CNI_SCRIPT_MAX_OBJECTS / CN_COUNT_OF(many); i++)
        assert_true(cn_spawn_many_values(w.world, CN_COUNT_OF(many), many, NULL, 0));
    assert_null(strstr(script_run(&w, "spawn{name = 'x'}"), "error"));
}

/* Garbage that nobody collects is not the fault of a script. */
static void garbage_alone_does_not_stop_a_script(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "Waster",
                                 "function on_update() for i = 1, 20 do "
                                 "local s = ('x'):rep(100000) .. i end end");
    assert_true(script_tick(&w, 300));
    assert_string_equal(script_error(&w, object), "");
}

static void the_error_names_script_line_and_limit(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "Loop", "\nfunction on_update()\n  while true do\n  end\nend");
    assert_true(script_tick(&w, 1));
    CnError error;
    assert_true(cn_script_error(w.world, object, &error));
    assert_string_equal(error.file, "mods://Loop1.lua");
    assert_in_range(error.line, 3, 4);
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    assert_string_equal(error.message, "more than 2000000 instructions in one call");
}

static void the_error_of_a_table_that_is_too_large_has_a_line(void **state)
{
    (void)state;
    CnEntity object = script_add(&w, "Big", "local t = {}\nfor i = 1, 1e9 do\n  t[i] = i\nend");
    assert_true(script_tick(&w, 1));
    CnError error;
    assert_true(cn_script_error(w.world, object, &error));
    assert_string_equal(error.file, "mods://Big1.lua");
    assert_int_equal(error.line, 3);
    assert_int_equal(error.code, CN_ERROR_LIMIT);
}

static void the_budget_of_a_call_is_what_was_requested(void **state)
{
    (void)state;
    w.scripts.instructions_per_call = 10000;
    assert_string_equal(script_run(&w, "for i = 1, 8000 do end"), "");
    assert_non_null(strstr(script_run(&w, "for i = 1, 12000 do end"), "10000 instructions"));
}

static void the_budget_starts_over_with_each_call(void **state)
{
    (void)state;
    w.scripts.instructions_per_call = 10000;
    CnEntity object = script_add(&w, "Busy", "function on_update() for i = 1, 7000 do end end");
    assert_true(script_tick(&w, 20));
    assert_string_equal(script_error(&w, object), "");
}

/* The scripts of an owner that find nothing left rest; nobody is punished. */
static void the_budget_of_a_tick_is_for_all_scripts(void **state)
{
    (void)state;
    w.scripts.instructions_per_tick = 30000;
    CnEntity objects[6];
    for (uint32_t i = 0; i < 6; i++)
        objects[i] = script_add(&w, "Busy", "function on_update() for i = 1, 8000 do end end");
    assert_true(script_tick(&w, 1));
    CnScriptStats stats = cn_script_stats(w.world);
    assert_int_equal(stats.failed, 0);
    assert_int_equal(stats.running, 6);
    CnScriptOwnerStats owners[2];
    assert_int_equal(cn_script_owners(w.world, owners, 2), 2);
    assert_string_equal(owners[1].name, "mods://");
    assert_in_range(owners[1].skipped_calls, 2, 3);
    assert_int_equal(cn_script_status(w.world, objects[5]), CN_SCRIPT_RUNNING);
}

static void other_scripts_go_on_in_the_next_tick(void **state)
{
    (void)state;
    script_add(&w, "Loop", "function on_update() while true do end end");
    script_add(&w, "Good",
               "function on_update() this.position = this.position + Vec3(1, 0, 0) end");
    assert_true(script_tick(&w, 5));
    assert_string_equal(script_run(&w, "return getObject('Good').position.x"), "5");
}

static void the_count_is_the_same_each_time(void **state)
{
    (void)state;
    w.scripts.instructions_per_call = 50000;
    const char *code = "local n = 0 local ok = pcall(function() while true do n = n + 1 "
                       "getObject('Car').position = Vec3(n, 0, 0) end end)";
    char first[64];
    script_run(&w, code); /* tables of the state grow */
    script_run(&w, code);
    const char *where = script_run(&w, "return getObject('Car').position.x");
    cn_copy_text(first, sizeof first, cn_text(where));
    for (int i = 0; i < 5; i++) {
        script_run(&w, code);
        assert_string_equal(script_run(&w, "return getObject('Car').position.x"), first);
    }
}

static void trusted_scripts_have_no_budget(void **state)
{
    (void)state;
    w.desc.sandboxed = false;
    assert_string_equal(script_run(&w, "local n = 0 for i = 1, 2e7 do n = n + 1 end return n"),
                        "20000000");
    assert_string_equal(script_run(&w, "return #('x'):rep(5e7)"), "50000000");
}

static void a_source_that_is_too_long_is_refused(void **state)
{
    (void)state;
    static char source[300 << 10];
    memset(source, ' ', sizeof source - 1);
    assert_non_null(strstr(script_run(&w, source), "the limit is"));
}

/* Deep nesting is refused by the parser, not by the C stack. */
static void sources_that_nest_deep_are_refused(void **state)
{
    (void)state;
    static char source[100 << 10];
    static const char *const nests[] = {"{",           "(",  "do ",   "if x then ",
                                        "function() ", "- ", "not ",  "a.",
                                        "f(",          "[",  "x=x..", "local function f() "};
    for (size_t i = 0; i < CN_COUNT_OF(nests); i++) {
        cn_copy_text(source, sizeof source, cn_text("return "));
        size_t used = strlen(source), size = strlen(nests[i]);
        for (; used + size < sizeof source - 1; used += size)
            memcpy(source + used, nests[i], size);
        source[used] = 0;
        assert_int_equal(strncmp(script_run(&w, source), "error: ", 7), 0);
    }
}

int main(void)
{
#define FACT(test) cmocka_unit_test_setup_teardown(test, make, drop)
    const struct CMUnitTest tests[] = {
        FACT(endless_loops_are_stopped),
        FACT(memory_hogs_stay_within_64_mebibytes),
        FACT(a_slow_hog_is_disabled_and_its_memory_comes_back),
        FACT(scripts_that_are_starved_one_after_the_other_do_not_share_a_tick),
        FACT(an_owner_cannot_fill_the_world),
        cmocka_unit_test_setup_teardown(a_full_world_has_room_for_an_owner, make, drop),
        FACT(garbage_alone_does_not_stop_a_script),
        FACT(the_error_names_script_line_and_limit),
        FACT(the_error_of_a_table_that_is_too_large_has_a_line),
        FACT(the_budget_of_a_call_is_what_was_requested),
        FACT(the_budget_starts_over_with_each_call),
        FACT(the_budget_of_a_tick_is_for_all_scripts),
        FACT(other_scripts_go_on_in_the_next_tick),
        FACT(the_count_is_the_same_each_time),
        FACT(trusted_scripts_have_no_budget),
        FACT(a_source_that_is_too_long_is_refused),
        FACT(sources_that_nest_deep_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
