/*
 * Attempts to get out of the box. Each piece of Lua throws "ESCAPED" when it has reached something
 * that untrusted code must not have. Whatever it does, the next script finds the library as it was.
 */
#include "cmocka_tests.h"
#include "script_world.h"

#include <string.h>

/* got(v): something was reached. try(f, ...): what f returns, nil when it fails. */
static const char prelude[] =
    "local function got(v) if v ~= nil and v ~= false then error('ESCAPED', 0) end end "
    "local function try(f, ...) local ok, v = pcall(f, ...) if ok then return v end end ";

static const char *const missing_things[] = {
    "got(io)",
    "got(os)",
    "got(debug)",
    "got(package)",
    "got(package and package.loadlib)",
    "got(module)",
    "got(ffi)",
    "got(jit)",
    "got(load)",
    "got(loadstring)",
    "got(loadfile)",
    "got(dofile)",
    "got(getfenv)",
    "got(setfenv)",
    "got(newproxy)",
    "got(collectgarbage)",
    "got(gcinfo)",
    "got(_LOADED)",
    "got(arg)",
    "got(string.dump)",
    "got(('').dump)",
    "got(string.buffer)",
    "got(string.gfind)",
    "got(table.foreach)",
    "got(table.foreachi)",
    "got(table.getn)",
    "got(table.setn)",
    "got(table.maxn)",
    "got(table.new)",
    "got(table.clear)",
    "got(table.move)",
    "got(math.mod)",
    "got(coroutine.close)",
    "got(rawget(_G, 'io'))",
    "got(rawget(_G, 'string'))",
    "got(_G._G.os)",
    "got(_G['debug'])",
    "got(_ENV)",
    "got(_G.__index)",
    "got(string.__index)",
    "got(math.__newindex)",
    "got(try(function() return require('ffi') end))",
    "got(try(function() return require('jit.util') end))",
    "got(try(function() return package.loaded end))",
    "got(try(function() return debug.getregistry() end))",
    "got(try(function() return os.execute('true') end))",
    "got(try(function() return io.open('/etc/passwd') end))",
};

static const char *const metatables[] = {
    "got(type(getmetatable('')) == 'table')",
    "got(getmetatable('').__index)",
    "got(try(function() getmetatable('').__index = {} return true end))",
    "got(try(setmetatable, '', {}))",
    "got(try(setmetatable, 1, {}))",
    "got(try(setmetatable, nil, {}))",
    "got(try(setmetatable, print, {}))",
    "got(try(setmetatable, _G, {}))",
    "got(try(setmetatable, _G, nil))",
    "got(type(getmetatable(_G)) == 'table')",
    "got(type(getmetatable(string)) == 'table')",
    "got(type(getmetatable(math)) == 'table')",
    "got(type(getmetatable(coroutine)) == 'table')",
    "got(getmetatable(print))",
    "got(getmetatable(nil))",
    "got(getmetatable(1))",
    "got(getmetatable(true))",
    "got(getmetatable(coroutine.create(print)))",
    "got(try(setmetatable, string, {}))",
    "got(try(setmetatable, math, {}))",
    "got(try(setmetatable, coroutine.create(print), {}))",
    "got(type(getmetatable(Vec3(1, 2, 3))) == 'table')",
    "got(type(getmetatable(getObject('Car'))) == 'table')",
    "got(type(getmetatable(query('TransformComponent'))) == 'table')",
    "got(type(getmetatable(log)) == 'table')",
    "got(try(setmetatable, Vec3(1, 2, 3), {}))",
    "got(try(setmetatable, getObject('Car'), {}))",
    "got(try(setmetatable, log, {}))",
    "got(try(function() return getmetatable(Vec3(1, 2, 3)).__index end))",
    "got(try(function() return getObject('Car').__index end))",
    "got(try(function() return getObject('Car').__gc end))",
    "got(try(function() return Vec3(1, 2, 3).__add end))",
    "local t = setmetatable({}, {__metatable = 1}) got(try(setmetatable, t, {}))",
    ("local g = false local t = setmetatable({}, {__gc = function() g = true end}) t = nil "
     "for i = 1, 10000 do local x = {} end got(g)"),
    "local mt = {} mt.__index = mt local t = setmetatable({}, mt) got(t.io)",
    "local t = setmetatable({}, {__index = _G}) got(t.os)",
    "got(rawequal(getmetatable(''), getmetatable(string)) and type(getmetatable('')) ~= 'string')",
};

static const char *const poison[] = {
    "string.rep = nil got(string.rep == nil)",
    "string.evil = 1 got(string.evil)",
    "rawset(string, 'evil', 1) got(string.evil)",
    "rawset(math, 'pi', 3) got(math.pi == 3)",
    "rawset(table, 'insert', print) got(true)",
    "rawset(coroutine, 'wrap', print) got(true)",
    "rawset(bit, 'band', print) got(true)",
    "rawset(log, 'info', print) got(true)",
    "rawset(input, 'key', print) got(true)",
    "rawset(time, 'tick', 1) got(true)",
    "rawset(Vec3(1, 2, 3), 'x', 1) got(true)",
    "rawset(getObject('Car'), 'name', 'x') got(true)",
    "rawset('', 'x', 1) got(true)",
    "rawget(string, 'format') got(true)",
    "rawget(getObject('Car'), 'name') got(true)",
    "math.pi = 3 got(true)",
    "math.random = function() return 4 end got(true)",
    "table.insert = nil got(true)",
    "bit.band = nil got(true)",
    "coroutine.yield = nil got(true)",
    "log.info = nil got(true)",
    "input.key = nil got(true)",
    "time.tick = 0 got(true)",
    "table.insert(string, 1) got(true)",
    "table.sort(math) got(true)",
    "for k in pairs(string) do got(k) end",
    "got(next(math))",
    "for k in next, string do got(k) end",
    "local x = ('').rep x = nil got(('').rep == nil)",
    "_G.string = {} got(('').rep == nil)",
    "pairs = nil type = nil tostring = nil",
    "string = nil math = nil table = nil coroutine = nil _G = nil",
    "for k in pairs(_G) do _G[k] = nil end",
};

static const char *const addresses[] = {
    "got(tostring({}):find('%x%x%x%x'))",
    "got(tostring(print):find('%x%x%x%x'))",
    "got(tostring(got):find('%x%x%x%x'))",
    "got(tostring(coroutine.create(print)):find('%x%x%x%x'))",
    "got(tostring(string):find('%x%x%x%x'))",
    "got(tostring(query('TransformComponent')):find('0x'))",
    "got(tostring(getObject('Car')):find('0x'))",
    "got(tostring(log):find('0x'))",
    "got(('%s'):format({}):find('%x%x%x%x'))",
    "got(string.format('%s', print):find('%x%x%x%x'))",
    "got(try(string.format, '%p', {}))",
    "got(try(string.format, '%p', print))",
    "got(try(string.format, '%d', print))",
    "got((try(string.format, '%q', print) or ''):find('0x'))",
    "got(try(string.format, '%x', {}))",
    "local ok, e = pcall(error, {}) got(tostring(e):find('%x%x%x%x'))",
    "local ok, e = pcall(function() local x = {} .. 'a' end) got(tostring(e):find('0x'))",
    "local ok, e = pcall(function() return {} < {} end) got(tostring(e):find('0x'))",
    "got(try(table.concat, {print}))",
    "got(tonumber(print))",
    "got(try(function() return print + 0 end))",
    "got(try(function() return bit.tobit(print) end))",
    "got(try(function() return #print end))",
};

static const char *const bytecode[] = {
    "got(try(function() return string.dump(function() end) end))",
    "got(try(function() return ('').dump(function() end) end))",
    "got(try(load, '\\27LJ\\2'))",
    "got(try(loadstring, '\\27Lua'))",
    "got(try(function() return (load or loadstring)('return 1') end))",
    ("got(try(function() return getObject('Car'):addComponent('ScriptComponent', "
     "{script_path = '\\27LJ'}) and false end))"),
};

static const char *const outside[] = {
    "got(try(loadPrefab, '/etc/passwd'))",
    "got(try(loadPrefab, '../../../etc/passwd'))",
    "got(try(loadPrefab, 'file:///etc/passwd'))",
    "got(try(loadPrefab, 'mods://../trusted'))",
    "got(try(loadPrefab, ''))",
    "got(try(loadPrefab, ('x'):rep(100000)))",
    "got(try(loadPrefab, 'a\\0b'))",
    "got(getObject('Car').state)",
    "got(try(gotoScene, 'Nowhere'))",
    "got(try(function() return getObject('Car').world end))",
    "got(try(function() return getObject('Car').scripts end))",
    "got(try(function() getObject('Car').state = {} return true end))",
    "got(try(function() return getObject('Car'):getComponent('CniScriptsPlace') end))",
    "got(try(function() return getObject('Car'):getComponent('CnWorldTransform') end))",
    "got(try(function() return getObject('Car'):getComponent('CnNode') end))",
    "got(try(function() return query('CniScriptsPlace') end))",
    "got(try(send, 'CniScriptsPlace', {}))",
    "got(try(subscribe, 'x', 'os.execute'))",
    "got(coroutine.running())",
    "got(this)",
};

static const char *const coroutines[] = {
    "got(try(coroutine.resume, coroutine.running()))",
    "local c c = coroutine.create(function() return coroutine.resume(c) end) "
    "local ok, inner = coroutine.resume(c) got(inner)",
    "local a, b a = coroutine.create(function() return coroutine.resume(b) end) "
    "b = coroutine.create(function() return coroutine.resume(a) end) "
    "local ok, x, y = coroutine.resume(a) got(y)",
    "local c = coroutine.create(function() end) coroutine.resume(c) got(coroutine.resume(c))",
    "local w w = coroutine.wrap(function() return w() end) got(try(w))",
    "got(try(coroutine.yield, 1))",
    "got(try(coroutine.wrap, 1))",
    "got(try(coroutine.create, print) == nil)",
    "got(try(coroutine.status, nil))",
    "got(try(coroutine.resume, nil))",
    "local w = coroutine.wrap(function() error({}) end) got(try(w))",
    "local c = coroutine.create(function() coroutine.yield() end) "
    "for i = 1, 3 do coroutine.resume(c) end got(coroutine.status(c) ~= 'dead')",
    "local t = {} for i = 1, 200 do t[i] = coroutine.create(function() coroutine.yield(t) end) "
    "coroutine.resume(t[i]) end t = nil",
    "local w = coroutine.wrap(function() return pcall(coroutine.yield, 1) end) w() w() got(try(w))",
    "got(try(table.sort, {3, 2, 1}, coroutine.yield))",
    "got(try(coroutine.wrap(function() return ('x'):gsub('x', coroutine.yield) end)))",
    "local w = coroutine.wrap(function() return table.sort({3, 2, 1}, coroutine.yield) end) "
    "got(try(w))",
    "local mt = {__index = function(t, k) return coroutine.yield(k) end} "
    "local w = coroutine.wrap(function() return setmetatable({}, mt).x end) w() got(w(false))",
};

/* These try to break the process rather than the box; what they return does not matter. */
static const char *const crashes[] = {
    "string.format('%' .. ('9'):rep(100) .. 'd', 1)",
    "string.format('%99.99f', 1e308)",
    "string.format('%.9999f', 1)",
    "string.format('%-+ #0d', 1)",
    "string.format('%')",
    "string.format('%5')",
    "string.format('%\\0', 1)",
    "string.format(('%s'):rep(300), 1)",
    "string.format('%s', setmetatable({}, {__tostring = function() return 1 end}))",
    "string.format('%s', setmetatable({}, {__tostring = function() error('x') end}))",
    "string.format('%c', -1)",
    "string.format('%d', 0/0) string.format('%d', 1/0) string.format('%x', -1e300)",
    "('x'):rep(-1) ('x'):rep(0/0) ('x'):rep(-1/0) (''):rep(1e18)",
    "('x'):rep(1/0)",
    "('abc'):sub(1/0) ('abc'):sub(-1/0, 1/0) ('abc'):sub(0/0, 0/0) ('abc'):sub(-2^63, 2^63)",
    "('abc'):byte(1, -1) ('abc'):byte(-1e9, 1e9) ('abc'):byte(0/0) ('abc'):byte(10, 20)",
    "('x'):rep(100000):byte(1, -1)",
    "string.char(256)",
    "string.char(-1)",
    "string.char(0/0)",
    "unpack({}, 1, 1e8)",
    "unpack({}, -1e8, 1e8)",
    "unpack({}, 0/0, 0/0)",
    "unpack({}, 2^31 - 1, 2^31)",
    "unpack({}, -2^31, -2^31 + 1)",
    "unpack(nil)",
    "select(-1e9, 1)",
    "select(0, 1)",
    "select(2^31, 1) select(0/0, 1)",
    "table.concat({}, 'x', 1, 1e9)",
    "table.concat({}, 'x', -1e18, 1e18)",
    "table.concat({{}})",
    "table.insert({}, 1e9, 1)",
    "table.insert({}, 0/0, 1)",
    "table.insert({}, -1, 1)",
    "table.insert({}, 1, 2, 3)",
    "table.insert(nil, 1)",
    "table.remove({}, 1e18)",
    "table.remove({1, 2, 3}, -1) table.remove({}, 0) table.remove({1}, 2)",
    "table.sort({3, 1, 2}, function() return true end)",
    "table.sort({3, 1, 2}, function() return false end)",
    "table.sort({1, 'a', {}})",
    "table.sort({1, nil, 3, nil, 5})",
    "local t = {5, 4, 3, 2, 1} table.sort(t, function(a, b) t[1] = nil t[5] = nil return a < b end)",
    "local t = {5, 4, 3, 2, 1} table.sort(t, function(a, b) for i = 1, 99 do t[i] = i end "
    "return a < b end)",
    "local t = {} for i = 1, 1000 do t[i] = -i end table.sort(t, function(a, b) return a ~= b end)",
    "('x'):find('[') ",
    "('x'):find('[a')",
    "('x'):find('[]')",
    "('x'):find('[^]')",
    "('x'):find('[^')",
    "('x'):find('[a-')",
    "('x'):find('[%')",
    "('x'):find('[%a-z]')",
    "('x'):find('%')",
    "('x'):find('%b')",
    "('x'):find('%bx')",
    "('x'):find('%f')",
    "('x'):find('%fa')",
    "('x'):find('%1')",
    "('x'):find('%0')",
    "('x'):find('(')",
    "('x'):find(')')",
    "('x'):find('()%1')",
    "('x'):find('(x%1)')",
    "('x'):find(('('):rep(40))",
    "('x'):find(('(x?)'):rep(40))",
    "('x'):rep(1000):find(('x?'):rep(1000))",
    "('x'):rep(300):find(('.-'):rep(300) .. 'y')",
    "('\\0'):find('%z') ('\\0a'):find('[%z\\0]') ('a\\0b'):find('\\0', 1, true)",
    "('x'):find('x', 1e18) ('x'):find('x', -1e18) ('x'):find('x', 0/0)",
    "('x'):gsub('', '%9')",
    "('x'):gsub('x', '%')",
    "('x'):gsub('x', '%2')",
    "('x'):gsub('(', '')",
    "('x'):gsub('x', {x = {}})",
    "('x'):gsub('x', function() return {} end)",
    "('x'):gsub('x', 'y', 0/0) ('x'):gsub('x', 'y', -1) ('x'):gsub('x', 'y', 1/0)",
    "('x'):gsub('x', setmetatable({}, {__index = function(t, k) return t[k .. k] end}))",
    "for a in ('x'):gmatch('') do end for a in ('x'):gmatch('^x') do end",
    "local f = ('x'):gmatch('.') f(1, 2, 3) f() f() f()",
    "tonumber(('9'):rep(5000)) tonumber('0x' .. ('f'):rep(5000)) tonumber('1e' .. ('9'):rep(50))",
    "tonumber('z', 36) tonumber('10', 1)",
    "tonumber('10', 0/0)",
    "local t = setmetatable({}, {}) getmetatable(t).__index = t return t.x",
    "local t = setmetatable({}, {}) getmetatable(t).__newindex = t t.x = 1",
    "local a, b = {}, {} setmetatable(a, {__index = b}) setmetatable(b, {__index = a}) return a.x",
    "local t = setmetatable({}, {}) getmetatable(t).__call = t t()",
    "local t = setmetatable({}, {__concat = function(a, b) return a .. b end}) return t .. t",
    "local t = setmetatable({}, {__len = function(t) return #t end}) return #t",
    "local t = setmetatable({}, {__lt = function(a, b) return a < b end}) return t < t",
    "local t = setmetatable({}, {__eq = function(a, b) return a == b end}) return t == "
    "setmetatable({}, getmetatable(t))",
    "local t = setmetatable({}, {__tostring = function(t) return tostring(t) end}) tostring(t)",
    "local t = setmetatable({}, {__unm = function(t) return -t end}) return -t",
    "local t = {} t[0/0] = 1",
    "local t = {} t[nil] = 1",
    "local t = {} t[2^53] = 1 t[-1] = 1 t[1.5] = 1 return #t",
    "error()",
    "error(nil)",
    "error(setmetatable({}, {__tostring = function() while true do end end}))",
    "error(setmetatable({}, {__index = error, __tostring = error}))",
    "error(getObject('Car'))",
    "error(function() end)",
    "error(('x'):rep(1000000))",
    "error('a:1: b:2: c:3: ' .. ('%s%n'):rep(100))",
    "error('\\27[2J\\0\\1\\255')",
    "error('x', 1e9) error('x', -1)",
    "assert(false, {})",
    "assert(nil)",
    "xpcall(error, error)",
    "xpcall(error, nil)",
    "xpcall(nil, nil)",
    "xpcall(function() error(1) end, function() error(2) end)",
    "pcall() ",
    "local p = pcall for i = 1, 200 do local q = p p = function(...) return pcall(q, ...) end end "
    "p(error)",
    "local function f(...) return f(1, ...) end f()",
    "local function f() return f() + 1 end f()",
    "local function f(n) if n > 0 then return pcall(f, n - 1) end error('x') end f(5000)",
    "local t = {} for i = 1, 5000 do t = {t} end",
    "local t = {} for i = 1, 250 do t[i] = i end local function f(...) return select('#', ...) end "
    "f(unpack(t), unpack(t))",
    "bit.lshift(1, 0/0) bit.tobit(1e300) bit.tohex(-1, 1e9) bit.rol(1, -1e9)",
    "math.floor(0/0) math.fmod(1, 0) math.ldexp(1, 1e9) math.frexp(1/0) math.modf(-1/0)",
    "math.random(0) ",
    "math.random(1e300, -1e300)",
    "math.random(0/0)",
    "send('x', (function() local t = {} t.t = t return t end)())",
    "send('x', {[{}] = 1})",
    "send('x', {f = print})",
    "send(('x'):rep(100000), {})",
    "send('ScriptDamage', {target = 1, amount = 'x', kind = {}})",
    "send('ScriptDamage', {target = getObject('Car'), amount = 0/0, kind = ('x'):rep(100)})",
    "after(-1, print) after(0/0, print)",
    "after(1/0, print)",
    "every(0, print) every(1e-300, print)",
    "after(1, nil)",
    "cancel(-1) cancel(1e300) cancel(0/0)",
    "cancel({})",
    "unsubscribe(0/0) unsubscribe(1e300)",
    "query() ",
    "query({})",
    "query(('x'):rep(10000))",
    "query('TransformComponent', 'TransformComponent', 'TransformComponent')",
    "for b in query('TransformComponent'):batches() do b:object(0/0) end",
    "for b in query('TransformComponent'):batches() do b:object(-1) end",
    "for b in query('TransformComponent'):batches() do b:column('TransformComponent', 'name', {}) end",
    "local keep for b in query('TransformComponent'):batches() do keep = b end keep:object(1)",
    "for b in query('TransformComponent'):batches() do b:set('TransformComponent', 'position', {1, 2, 3}) end",
    "spawn({})",
    "spawn({name = ''})",
    "spawn({name = 'a/b'})",
    "spawn({name = ('x'):rep(1000)})",
    "local o = spawn({name = 'New'}) o:destroy() o:destroy() return o.name",
    "local o = getObject('Door') or getObject('Car') o:destroy() return o.position",
    "local o = getObject('Car') o:setParent(o)",
    "local o = getObject('Car') o.parent = o:getChild('Wheel')",
    "getObject('Car').position = Vec3(0/0, 1/0, -1/0)",
    "getObject('Car').position = 1",
    "getObject('Car').eulerAngles = Vec3(1e30, 1e30, 1e30)",
    "getObject('Car').name = nil",
    "getObject(nil)",
    "getObject(('a/'):rep(10000))",
    "getObject('\\0') getObject('/') getObject('//') getObject('Car/')",
    "local o = getObject('Car') o.getChild(1, 2)",
    "getObject('Car').getChild(Vec3(1, 2, 3), 'x')",
    "Vec3(1, 2, 3):cross(getObject('Car'))",
    "Vec3():dot(Vec3(1, 2, 3))",
    "Vec3({}, {}, {})",
    "return Vec3(1, 2, 3) + 1",
    "return Vec3(1, 2, 3) == Vec3(1, 2, 3), Vec3(1, 2, 3) == getObject('Car')",
    "quatFromAxis(Vec3(0, 0, 0), 0/0) quatLook(Vec3(0, 0, 0))",
    "Quat(0, 0, 0, 0):normalized():inverse():slerp(Quat(0, 0, 0, 0), 0/0):toEuler()",
    "input.key(('x'):rep(1000)) ",
    "input.axis('x', 1e9)",
    "log(('x'):rep(100000)) log('%s%n') log(nil, {}, print)",
    "for i = 1, 3 do log(setmetatable({}, {__tostring = function() return 'x' end})) end",
    "local c = getObject('Car/Wheel'):getComponent('LampComponent') c.watts = 0/0",
    "local c = getObject('Car/Wheel'):getComponent('LampComponent') c.shape = {}",
    "local c = getObject('Car/Wheel'):getComponent('LampComponent') return c[1], c[{}]",
    "local c = getObject('Car/Wheel'):getComponent('LampComponent') "
    "getObject('Car/Wheel'):removeComponent('LampComponent') return c.watts",
};

static ScriptWorld w;

static int make(void **state)
{
    (void)state;
    return script_world_init(&w, &(ScriptWorldDesc){.sandboxed = true}) ? 0 : -1;
}

static int drop(void **state)
{
    (void)state;
    script_world_fini(&w);
    return 0;
}

/* What the next script finds. */
static void check_library(const char *attempt)
{
    const char *found = script_run(
        &w,
        "local t = {3, 1, 2} table.sort(t) table.insert(t, 4) "
        "return ('ab'):rep(2), string.format('%d', 7), t[1], #t, math.floor(1.5), bit.band(6, 3), "
        "type(pairs), coroutine.wrap(function() return 5 end)(), evil, type(string), math.pi > 3.1");
    if (strcmp(found, "abab\t7\t1\t4\t1\t2\tfunction\t5\tnil\tuserdata\ttrue"))
        fail_msg("after %s\nthe library is: %s", attempt, found);
}

static void attempt(const char *code)
{
    char text[4096];
    assert_true(cn_format(text, sizeof text, "%s%s", prelude, code));
    if (strstr(script_run(&w, text), "ESCAPED"))
        fail_msg("%s gets out", code);
    check_library(code);
}

#define ATTEMPTS(list)                                                                             \
    for (size_t i_ = 0; i_ < CN_COUNT_OF(list); i_++)                                              \
    attempt(list[i_])

static void the_attempts_can_fail(void **state)
{
    (void)state;
    char text[512];
    cn_format(text, sizeof text, "%sgot(string)", prelude);
    assert_non_null(strstr(script_run(&w, text), "ESCAPED"));
    cn_format(text, sizeof text, "%sgot(try(tostring, 1))", prelude);
    assert_non_null(strstr(script_run(&w, text), "ESCAPED"));
}

static void what_leads_out_is_missing(void **state)
{
    (void)state;
    ATTEMPTS(missing_things);
}

static void metatables_cannot_be_reached(void **state)
{
    (void)state;
    ATTEMPTS(metatables);
}

static void shared_tables_cannot_be_poisoned(void **state)
{
    (void)state;
    ATTEMPTS(poison);
}

static void addresses_are_not_shown(void **state)
{
    (void)state;
    ATTEMPTS(addresses);
}

static void bytecode_cannot_be_made_or_loaded(void **state)
{
    (void)state;
    ATTEMPTS(bytecode);
}

static void files_scenes_and_other_scripts_are_out_of_reach(void **state)
{
    (void)state;
    ATTEMPTS(outside);
}

static void coroutines_are_no_way_out(void **state)
{
    (void)state;
    ATTEMPTS(coroutines);
}

static void bad_arguments_break_nothing(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF); /* some of them write to it */
    ATTEMPTS(crashes);
    assert_true(script_tick(&w, 3));
}

static void there_are_at_least_150_attempts_beside_the_crashes(void **state)
{
    (void)state;
    size_t count = CN_COUNT_OF(missing_things) + CN_COUNT_OF(metatables) + CN_COUNT_OF(poison) +
                   CN_COUNT_OF(addresses) + CN_COUNT_OF(bytecode) + CN_COUNT_OF(outside) +
                   CN_COUNT_OF(coroutines);
    assert_true(count >= 150);
    assert_true(CN_COUNT_OF(crashes) >= 150);
}

static void bytecode_is_not_loaded_from_files(void **state)
{
    (void)state;
    CnEntity direct = script_add(&w, "Direct", "\033LJ\002");
    CnEntity hidden = script_add(&w, "Hidden", "\xef\xbb\xbf\033LJ\002");
    CnEntity later = script_add(&w, "Later", "#!/usr/bin/lua\n\033LJ\002");
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    assert_true(script_tick(&w, 1));
    assert_int_equal(cn_script_status(w.world, direct), CN_SCRIPT_FAILED);
    assert_int_equal(cn_script_status(w.world, hidden), CN_SCRIPT_FAILED);
    assert_int_equal(cn_script_status(w.world, later), CN_SCRIPT_FAILED);
    assert_string_equal(script_error(&w, direct), "bytecode cannot be loaded");
}

static void scripts_do_not_see_each_others_globals(void **state)
{
    (void)state;
    CnEntity first = script_add(&w, "First", "secret = 1 _G.other = 2 rawset(_G, 'third', 3)");
    CnEntity second = script_add(
        &w, "Second",
        "function on_update() if secret or other or third or _G.secret then error('seen') end end");
    assert_true(script_tick(&w, 2));
    assert_int_equal(cn_script_status(w.world, first), CN_SCRIPT_RUNNING);
    assert_string_equal(script_error(&w, second), "");
    assert_string_equal(script_run(&w, "return secret, other, third"), "nil\tnil\tnil");
}

static void scripts_do_not_see_each_others_state(void **state)
{
    (void)state;
    script_add(&w, "First", "function on_init() this.state.secret = 1 end");
    CnEntity second = script_add(&w, "Second",
                                 "function on_update() "
                                 "if getObject('First').state then error('seen') end end");
    assert_true(script_tick(&w, 2));
    assert_string_equal(script_error(&w, second), "");
}

static void a_path_that_climbs_is_not_trusted(void **state)
{
    (void)state;
    memory_files_set(&w.files, "trusted://../mods/x.lua", "if io then error('trusted', 0) end");
    CnEntity object = cn_object(w.world, "Climber");
    cn_set(w.world, object, CnScript, {.script_path = "trusted://../mods/x.lua"});
    assert_true(script_tick(&w, 1));
    assert_string_equal(script_error(&w, object), "");
    assert_int_equal(cn_script_status(w.world, object), CN_SCRIPT_RUNNING);
}

int main(void)
{
#define FACT(test) cmocka_unit_test_setup_teardown(test, make, drop)
    const struct CMUnitTest tests[] = {
        FACT(the_attempts_can_fail),
        FACT(what_leads_out_is_missing),
        FACT(metatables_cannot_be_reached),
        FACT(shared_tables_cannot_be_poisoned),
        FACT(addresses_are_not_shown),
        FACT(bytecode_cannot_be_made_or_loaded),
        FACT(files_scenes_and_other_scripts_are_out_of_reach),
        FACT(coroutines_are_no_way_out),
        FACT(bad_arguments_break_nothing),
        FACT(there_are_at_least_150_attempts_beside_the_crashes),
        FACT(bytecode_is_not_loaded_from_files),
        FACT(scripts_do_not_see_each_others_globals),
        FACT(scripts_do_not_see_each_others_state),
        FACT(a_path_that_climbs_is_not_trusted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
