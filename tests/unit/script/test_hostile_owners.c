/*
 * Attempts of one mod to hang a tick, to hoard what others need, and to reach what is not its own,
 * beside a mod that only counts. Each attempt ends with a refusal or is harmless: the other mod
 * misses no tick, no event and no timer, and unless objects were created, the state of the world is
 * the same as beside a mod that does nothing.
 */
#include "cmocka_tests.h"
#include "script_owners.h"

#include <string.h>

#define TICKS 4

static const char *const hangs[] = {
    "while true do send('a', {}) end",
    "for i = 1, 1e9 do subscribe('n' .. i, function() end) end",
    "while true do local id = subscribe('x', function() end) unsubscribe(id) end",
    "for i = 1, 1e9 do subscribe('x', function() end) end",
    "while true do unsubscribe(1e9) end",
    "for i = 1, 1e9 do after(1e6, function() end) end",
    "for i = 1, 1e9 do every(0, function() end) end",
    "while true do cancel(1e9) end",
    "while true do local id = after(1, function() end) cancel(id) end",
    "while true do getObject('Car/Wheel/Nothing/At/All') end",
    "while true do getObject(('a'):rep(1000)) end",
    "while true do getObject('Car'):getChild('Wheel') end",
    "while true do local c = getObject('Car').children end",
    "while true do query('TransformComponent') end",
    "while true do for o in query('TransformComponent'):each() do local p = o.position end "
    "end",
    "while true do for b in query('TransformComponent'):batches() do "
    "b:column('TransformComponent', 'position.x') end end",
    "while true do pcall(query, 'NoSuchComponent') end",
    "while true do pcall(query) end",
    "while true do pcall(require, 'missing') end",
    "while true do pcall(require, '../../etc/passwd') end",
    "while true do pcall(require, 'mods://victim/a.lua') end",
    "while true do pcall(function() return this.nothing end) end",
    "while true do pcall(function() this.position = 1 end) end",
    "while true do local s = tostring(this) end",
    "while true do this:call('on_update') end",
    "function again() return this:call('again') end again()",
    "function again() return pcall(this.call, this, 'again') end while true do again() end",
    "while true do this:send('x') end",
    "while true do pcall(send, this, 'x', {}) end",
    "while true do pcall(send, getObject('Owner0'), 'victim.tick', 1) end",
    "while true do pcall(send, 'victim.tick', 1) end",
    "for i = 1, 1e9 do send('victim.tick', ('x'):rep(1000)) end",
    "subscribe('victim.tick', function() while true do end end) while true do end",
    "subscribe('victim.tick', function() send('victim.tick', 1) end) while true do "
    "send('victim.tick', 1) end",
    "while true do pcall(spawn, {}) end",
    "while true do pcall(spawn, {position = 'x'}) end",
    "while true do pcall(loadPrefab, 'missing.json') end",
    "while true do pcall(loadPrefab, ('x'):rep(10000)) end",
    "while true do pcall(gotoScene, 'nowhere') end",
    "while true do store.set('k', 'v') end",
    "for i = 1, 1e9 do pcall(store.set, 'k' .. i, ('v'):rep(1000)) end",
    "while true do pcall(store.get, ('k'):rep(1000)) end",
    "while true do log(('x'):rep(10000)) end",
    "while true do pcall(physics.raycast, Vec3(0, 0, 0), Vec3(0, 1, 0)) end",
    "while true do local v = Vec3(1, 2, 3) * 2 + Vec3(0, 0, 1) end",
    "while true do local q = Quat(0, 0, 0, 1) * Quat(0, 0, 0, 1) end",
    "while true do pcall(audio.play, 'missing.wav') end",
    "while true do pcall(ui.text, 'x') end",
    "while true do this:getComponents() end",
    "while true do pcall(this.addComponent, this, 'LampComponent') "
    "pcall(this.removeComponent, this, 'LampComponent') end",
    "while true do this.name = 'x' .. time.tick end",
    "while true do this.enabled = true end",
    "while true do pcall(this.setParent, this, this) end",
    "local a, b = ('x'):rep(60000) .. 'a', ('x'):rep(60000) .. 'b' while true do if a < b "
    "then end end",
    "local a, b = ('x'):rep(60000) .. 'a', ('x'):rep(60000) .. 'b' while true do local c = "
    "a <= b end",
    "local a, b = ('x'):rep(60000) .. 'a', ('x'):rep(60000) .. 'b' while true do local c = "
    "not (a > b) end",
    "local a, b = ('x'):rep(60000) .. 'a', ('x'):rep(60000) .. 'b' while a < b do end",
    "local t = {('x'):rep(60000) .. 'a', ('x'):rep(60000) .. 'b'} while true do local c = "
    "t[1] < t[2] end",
    "local a, b = ('x'):rep(60000) .. 'a', ('x'):rep(60000) .. 'b' local function f() "
    "return a < b end while true do f() end",
    "local a, b = ('x'):rep(60000) .. 'a', ('x'):rep(60000) .. 'b' while true do "
    "pcall(function() return a < b end) end",
    "local a, b = ('x'):rep(60000) .. 'a', ('x'):rep(60000) .. 'b' "
    "coroutine.wrap(function() while true do local c = a < b end end)()",
    "local a = ('x'):rep(60000) local k = a .. 'y' while true do local c = a .. 'y' end",
    "local a = ('x'):rep(30000) local k = a .. a while true do local c = a .. a end",
    "local a = ('x'):rep(10000) local k = a .. a .. a .. a while true do local c = a .. a "
    ".. a .. a end",
    "local a = ('x'):rep(60000) local k = 1 .. a while true do local c = 1 .. a end",
    "local t = {} for i = 1, 4000 do t[i] = ('x'):rep(100) .. i end while true do "
    "table.sort(t, function(a, b) return a > b end) end",
    "local t = {} for i = 1, 20000 do t[i] = i end t.x = 1 for i = 1, 1e9 do t['k' .. i] = "
    "1 t['k' .. i] = nil end",
    "local t = {} for i = 1, 20000 do t[i] = i end t.x = 1 while true do local k = {} t[k] "
    "= 1 t[k] = nil end",
    "local function f(...) return select('#', ...) end local t = {} for i = 1, 200 do t[i] "
    "= i end while true do f(unpack(t)) end",
    "local function f(n, ...) if n > 0 then return f(n - 1, n, n, n, n, n, n, n, n, ...) "
    "end while true do local a = select('#', ...) end end f(500)",
    "local function f(n, ...) if n > 0 then return f(n - 1, n, n, n, n, n, n, n, n, ...) "
    "end while true do local t = {...} end end f(500)",
    "local t = setmetatable({}, {__index = function(t, k) return t[k .. 'x'] end}) local x "
    "= t.a",
    "local t = setmetatable({}, {__lt = function(a, b) return a < b end}) local x = t < "
    "setmetatable({}, getmetatable(t))",
    "local t = setmetatable({}, {__concat = function(a, b) return a .. b end}) local x = t "
    ".. t",
    "local t = setmetatable({}, {__eq = function(a, b) return a == b end}) while true do "
    "local x = t == setmetatable({}, getmetatable(t)) end",
    "while true do setmetatable({}, {__gc = function() while true do end end}) end",
    "local c = {} for i = 1, 1e9 do c[i] = coroutine.create(function() coroutine.yield() "
    "end) coroutine.resume(c[i]) end",
    "local function f() coroutine.wrap(f)() end f()",
    "local c c = coroutine.wrap(function() while true do coroutine.yield(c) end end) while "
    "true do c() end",
    "while true do xpcall(error, function() while true do end end) end",
    "while true do pcall(pcall, pcall, error) end",
    "while true do pcall(string.rep, 'x', 1e9) end",
    "while true do pcall(string.format, ('%s'):rep(200), unpack({})) end",
    "while true do ('x'):rep(50000):find(('x?'):rep(30) .. 'y') end",
    "while true do ('x'):rep(50000):gsub('.', {x = 'yy'}) end",
    "while true do table.concat({('x'):rep(50000), ('y'):rep(50000)}) end",
    "local t = {} for i = 1, 20000 do t[i] = i end while true do for k, v in pairs(t) do "
    "end end",
    "local t = {} for i = 1, 20000 do t[i] = i end while true do next(t, 20000) end",
    "local t = {} for i = 1, 2000 do t['k' .. i] = i end while true do next(t) end",
    "while true do tonumber(('1'):rep(50000)) end",
    "while true do tostring(setmetatable({}, {__tostring = function() return "
    "('x'):rep(50000) end})) end",
};

static const char *const hoards[] = {
    "local t = {} while true do t[#t + 1] = ('x'):rep(60000) .. #t end",
    "local t = {} while true do t[#t + 1] = Vec3(#t, 0, 0) end",
    "local t = {} while true do t[#t + 1] = function() return t end end",
    "local t = {} while true do t[t] = {} t = t[t] end",
    "local t = {} for i = 1, 1e9 do t[i + 0.5] = i end",
    "local t = {} for i = 1, 1e9 do t[-i] = i end",
    "local s = 'x' while true do s = s .. s end",
    "local s = {} while true do s = {s, s, s, s} end",
    "for i = 1, 1e9 do _G['g' .. i] = ('x'):rep(1000) .. i end",
    "for i = 1, 1e9 do this.state[i] = ('x'):rep(1000) .. i end",
    "local t = this.state for i = 1, 1e9 do t.x = {} t = t.x end",
    "for i = 1, 1e9 do subscribe('topic' .. i, function() return i end) end",
    "for i = 1, 1e9 do send('nobody' .. i, ('x'):rep(900)) end",
    "for i = 1, 1e9 do pcall(send, 'nobody', ('x'):rep(200000)) end",
    "local q = {} for i = 1, 1e9 do q[i] = query('TransformComponent') end",
    "local t = {} while true do t[#t + 1] = setmetatable({}, {__mode = 'kv'}) end",
    "local t = {} while true do t[#t + 1] = coroutine.wrap(function() end) end",
    "local t = {} while true do t[#t + 1] = getObject('Car').position end",
    "local t = {} while true do t[#t + 1] = this:getComponent('TransformComponent') end",
    "local t = {} for i = 1, 1e9 do after(1e6 + i, function() return t end) end",
    "local t = {} while true do pcall(function() t[#t + 1] = ('y'):rep(60000) .. #t end) "
    "end",
    "local function f(...) return f(..., ...) end f(1, 2, 3)",
    "local function f(...) f(1, ...) end f()",
    "local t = {} for i = 1, 1e9 do t[#t + 1] = ('%d'):format(i) end",
};

static const char *const escapes[] = {
    "assert(not pcall(require, 'os'))",
    "assert(not pcall(require, 'ffi'))",
    "assert(not pcall(require, 'jit.util'))",
    "assert(not pcall(require, 'string'))",
    "assert(not pcall(require, 'mods://victim/a'))",
    "assert(not pcall(require, 'mods://victim/a.lua'))",
    "assert(not pcall(require, 'trusted://a.lua'))",
    "assert(not pcall(require, 'mods://attacker/../victim/a.lua'))",
    "assert(not pcall(require, 'mods:///victim/a.lua'))",
    "assert(not pcall(require, '/etc/passwd'))",
    "assert(not pcall(require, '..'))",
    "assert(not pcall(require, 'a\\0b'))",
    "assert(not pcall(require, ''))",
    "assert(not pcall(require))",
    "assert(not pcall(require, {}))",
    "assert(not pcall(require, ('x'):rep(1000)))",
    "assert(package == nil and loadfile == nil and dofile == nil and load == nil and "
    "loadstring == nil)",
    "assert(not pcall(function() return getObject('Owner0'):call('on_update') end))",
    "assert(not pcall(function() return getObject('Owner0'):call('print', 'x') end))",
    "assert(getObject('Owner0').state == nil)",
    "assert(not pcall(function() return this:call('require', 'os') end))",
    "assert(not pcall(function() return this:call('_G') end))",
    "assert(not pcall(this.call, 'x', 'y'))",
    "assert(not pcall(this.call, Vec3(1, 2, 3), 'y'))",
    "assert(not pcall(send, {}, 'x'))",
    "assert(not pcall(send, Vec3(1, 2, 3), 'x'))",
    "assert(not pcall(send, this, 'x', function() end))",
    "assert(not pcall(send, this, 'x', setmetatable({}, {__index = _G, __pairs = "
    "pairs})['send']))",
    "assert(not pcall(subscribe, 'x', 'y'))",
    "assert(not pcall(subscribe, ('x'):rep(64), function() end))",
    "assert(getmetatable(query('TransformComponent')) == 'Query')",
    "assert(query('TransformComponent') == query('TransformComponent'))",
    "assert(not pcall(function() query('TransformComponent').x = 1 end))",
    "assert(not pcall(rawset, this, 'x', 1))",
    "assert(not pcall(setmetatable, this, {}))",
    "assert(not pcall(setmetatable, getObject, {}))",
};

typedef struct Outcome {
    char victim[64];
    uint64_t hash;
    uint32_t entities;
    uint64_t most_instructions; /* in a tick */
    size_t peak_bytes;
    CnScriptStatus status;
} Outcome;

static const CnScriptDesc limits = {
    .memory_bytes = 4u << 20, .instructions_per_call = 200000, .instructions_per_tick = 600000};

static void note_attacker(ScriptOwners *w, Outcome *outcome)
{
    CnScriptOwnerStats owners[8];
    uint32_t count = cn_script_owners(w->world.world, owners, 8);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(owners[i].name, "mods://attacker"))
            continue;
        if (owners[i].tick_instructions > outcome->most_instructions)
            outcome->most_instructions = owners[i].tick_instructions;
        outcome->peak_bytes = owners[i].peak_bytes;
    }
}

static Outcome run(const char *code)
{
    ScriptOwners w;
    Outcome outcome = {0};
    assert_true(script_owners_init(&w, &limits));
    script_owners_add(&w, "mods://victim/a.lua", script_victim);
    CnEntity attacker = script_owners_add(&w, "mods://attacker/a.lua", code);
    for (uint32_t i = 0; i < TICKS; i++) {
        assert_true(script_owners_tick(&w, 1));
        note_attacker(&w, &outcome);
    }
    cn_copy_text(outcome.victim, sizeof outcome.victim, cn_text(script_owners_victim(&w)));
    outcome.hash = cn_sim_hash(w.world.sim);
    outcome.entities = cn_entity_count(w.world.world);
    outcome.status = cn_script_status(w.world.world, attacker);
    assert_null(cn_sim_not_reproducible(w.world.sim));
    script_owners_fini(&w);
    return outcome;
}

static Outcome harmless;

static int begin(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    harmless = run("function on_update() end");
    return strcmp(harmless.victim, "4 4 3") ? -1 : 0;
}

/* Attempts that send to the victim change how many events it counts, and nothing else. */
static bool reaches_victim(const char *code)
{
    return strstr(code, "victim.tick") != NULL;
}

static void check(const char *code, const char *form)
{
    char program[2048];
    cn_format(program, sizeof program, form, code);
    Outcome outcome = run(program);
    bool same_state = outcome.hash == harmless.hash || outcome.entities != harmless.entities ||
                      strstr(code, "this") || reaches_victim(code);
    bool same_victim = reaches_victim(code) || !strcmp(outcome.victim, harmless.victim);
    if (!same_victim || outcome.victim[0] != '4')
        fail_msg("the victim has %s beside: %s", outcome.victim, program);
    if (!same_state)
        fail_msg("the state is another one beside: %s", program);
    if (outcome.most_instructions > limits.instructions_per_tick + 2 * limits.instructions_per_call)
        fail_msg("%llu instructions: %s", (unsigned long long)outcome.most_instructions, program);
    if (outcome.peak_bytes > limits.memory_bytes)
        fail_msg("%zu bytes: %s", outcome.peak_bytes, program);
}

#define CHECK_ALL(list, form)                                                                      \
    for (uint32_t i = 0; i < CN_COUNT_OF(list); i++)                                               \
    check((list)[i], form)

static void hangs_in_a_body_take_no_tick(void **state)
{
    (void)state;
    CHECK_ALL(hangs, "%s");
}

static void hangs_in_callbacks_take_no_tick(void **state)
{
    (void)state;
    CHECK_ALL(hangs, "function on_update() %s end");
}

static void hangs_within_pcall_take_no_tick(void **state)
{
    (void)state;
    CHECK_ALL(hangs, "function on_update() pcall(function() %s end) end");
}

static void hangs_in_timers_take_no_tick(void **state)
{
    (void)state;
    CHECK_ALL(hangs, "every(0, function() %s end)");
}

static void hangs_in_events_take_no_tick(void **state)
{
    (void)state;
    CHECK_ALL(hangs, "subscribe('own', function() %s end) function on_update() send('own') end");
}

static void hoards_take_no_room(void **state)
{
    (void)state;
    CHECK_ALL(hoards, "%s");
    CHECK_ALL(hoards, "function on_update() pcall(function() %s end) end");
}

static void escapes_find_nothing(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CN_COUNT_OF(escapes); i++) {
        char program[2048];
        cn_format(program, sizeof program, "function on_update() %s end", escapes[i]);
        if (run(program).status != CN_SCRIPT_RUNNING)
            fail_msg("it does not hold: %s", escapes[i]);
    }
}

/* What a script may do is counted, not timed. */
static void two_mods_against_each_other_harm_only_themselves(void **state)
{
    (void)state;
    for (uint32_t i = 0; i + 1 < CN_COUNT_OF(hangs); i += 2) {
        ScriptOwners w;
        char first[1024], second[1024];
        if (reaches_victim(hangs[i]) || reaches_victim(hangs[i + 1]))
            continue;
        assert_true(script_owners_init(&w, &limits));
        cn_format(first, sizeof first, "function on_update() pcall(function() %s end) end",
                  hangs[i]);
        cn_format(second, sizeof second, "function on_update() %s end", hangs[i + 1]);
        script_owners_add(&w, "mods://victim/a.lua", script_victim);
        script_owners_add(&w, "mods://attacker/a.lua", first);
        script_owners_add(&w, "mods://rival/a.lua", second);
        assert_true(script_owners_tick(&w, TICKS));
        if (strcmp(script_owners_victim(&w), harmless.victim))
            fail_msg("the victim has %s beside: %s and %s", script_owners_victim(&w), first,
                     second);
        script_owners_fini(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hangs_in_a_body_take_no_tick),
        cmocka_unit_test(hangs_in_callbacks_take_no_tick),
        cmocka_unit_test(hangs_within_pcall_take_no_tick),
        cmocka_unit_test(hangs_in_timers_take_no_tick),
        cmocka_unit_test(hangs_in_events_take_no_tick),
        cmocka_unit_test(hoards_take_no_room),
        cmocka_unit_test(escapes_find_nothing),
        cmocka_unit_test(two_mods_against_each_other_harm_only_themselves),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
