/* The library of sandboxed scripts does what Lua's own does: each piece gives the same in both
 * states. */
#include "cmocka_tests.h"
#include "random.h"
#include "script_world.h"

#include <string.h>

static const char *const pieces[] = {
    "return ('hello'):sub(2), ('hello'):sub(-3), ('hello'):sub(2, -2), ('hello'):sub(0), "
    "('hello'):sub(4, 2), ('hello'):sub(-100, 100), ('hello'):sub(10)",
    "return ('abc'):byte(), ('abc'):byte(2), ('abc'):byte(-1), ('abc'):byte(1, 3)",
    "return #('abc'):rep(3), ('ab'):rep(3, '-'), ('ab'):rep(0), ('ab'):rep(1, 'x'), (''):rep(9)",
    "return ('aBc1'):upper(), ('aBc1'):lower(), ('abc'):reverse(), (''):reverse(), #'abc'",
    "return string.char(72, 105), string.len('abc')",
    "return ('%5d|%-5d|%05d|%+d|%x|%X|%o|%c|%%'):format(42, 42, 42, 42, 255, 255, 8, 65)",
    "return ('%s %s %s %10s|%-10s|%.2s'):format('a', 1, true, 'r', 'l', 'cut')",
    "return ('%g %g %g %.3f %e %q'):format(1/3, 1e20, 0.5, 2/3, 12345.678, 'a\"\\n\\0b')",
    "return pcall(string.format, '%d', 'x')",
    "return pcall(string.format, '%d')",
    "return pcall(string.format, '%y', 1)",
    "return tostring(1), tostring(1.5), tostring(true), tostring(nil), tostring('x'), tostring(1e100)",
    "return tostring(setmetatable({}, {__tostring = function() return 'mine' end}))",
    "return tonumber('10'), tonumber(' 0x1F '), tonumber('1e3'), tonumber('x'), tonumber('ff', 16), "
    "tonumber('101', 2), tonumber(5), tonumber('z', 36), tonumber(''), tonumber('8', 8)",
    "return ('hello world'):find('o'), ('hello'):find('l+'), ('hello'):find('xyz'), ('a.b'):find('.', "
    "1, true), ('hello'):find('l', 4), ('hello'):find(''), ('hello'):find('', 10)",
    "return ('hello'):find('(l)(l)'), ('hello'):find('()ll()')",
    "return ('key = value'):match('(%w+)%s*=%s*(%w+)'), ('2026-11-15'):match('(%d+)-(%d+)-(%d+)')",
    "return ('  trim  '):match('^%s*(.-)%s*$') .. '|', ('abc'):match('b'), ('abc'):match('^b'), "
    "('abc'):match('c$'), ('abc'):match('b$')",
    "return ('THE (quick) fox'):find('%((%a+)%)'), ('f(a(b)c)d'):match('%b()'), "
    "('THE (quick) fox'):gsub('%f[%a]%a+', 'X')",
    "return ('abcabc'):match('(a)(b)(c)%1%2%3'), ('\"x\\'y\"'):match('([\"\\'])(.-)%1')",
    "return ('a]b'):find('[]]'), ('a^b'):find('[%^]'), ('a-b'):find('[a%-]', 2), ('x5'):find('[^%a]')",
    "return ('abc123'):gsub('%d', '<%0>'), ('abc'):gsub('', '-'), ('hello'):gsub('l', {l = 'L'}), "
    "('hello'):gsub('.', function(c) if c == 'e' then return 'E' end end)",
    "return ('hello world'):gsub('(%w+) (%w+)', '%2 %1'), ('abc'):gsub('b', '%%'), "
    "('aaa'):gsub('a', 'b', 2), ('abc'):gsub('^a', 'x'), ('aaa'):gsub('^a', 'x')",
    "return ('a,b,,c'):gsub(',', ';'), ('abc'):gsub('%w', '%0%0'), ('abc'):gsub('x*', '-')",
    "local t = {} for k, v in ('a=1, b=2'):gmatch('(%w+)=(%w+)') do t[#t + 1] = k .. v end "
    "return table.concat(t, ' ')",
    "local t = {} for w in ('one two'):gmatch('%a+') do t[#t + 1] = w end return #t, t[1], t[2]",
    "local n = 0 for s in ('abc'):gmatch('') do n = n + 1 end return n",
    "return pcall(string.find, 'x', '[a'), pcall(string.find, 'x', '%')",
    "return pcall(string.gsub, 'x', 'x', '%2')",
    "return ('\\0a\\0'):find('%z'), ('a\\0b'):find('\\0'), ('a\\0b'):match('a(%z)b') == '\\0'",
    "return ('x'):rep(20):match('x-x$'), ('xxx'):match('x?x?x?x?'), ('aXb'):match('%u'), "
    "('a b'):match('%S+%s'), ('0xF'):match('%x+'), ('a!'):match('%p'), ('a\\n'):match('%c')",
    "local t = {5, 2, 8, 1, 9, 3} table.sort(t) return table.concat(t, ',')",
    "local t = {'b', 'a', 'C'} table.sort(t) return table.concat(t)",
    "local t = {1, 2, 3} table.sort(t, function(a, b) return a > b end) return table.concat(t)",
    "local t = {} for i = 1, 300 do t[i] = (i * 7919) % 301 end table.sort(t) "
    "for i = 2, #t do if t[i - 1] > t[i] then return 'bad' end end return 'good'",
    "local t = {1, 2, 3} table.insert(t, 4) table.insert(t, 1, 0) return table.concat(t, ','), "
    "table.remove(t), table.remove(t, 1), table.concat(t, ','), table.remove({})",
    "return table.concat({1, 2, 'x'}, '-', 2, 3), table.concat({}), table.concat({1}, 'x')",
    "return pcall(table.concat, {1, {}, 3})",
    "return unpack({1, 2, 3}), unpack({1, 2, 3}, 2), unpack({1, 2}, 1, 3)",
    "return select('#', unpack({}, 1, 3)), select(2, 'a', 'b'), select(-1, 'a', 'b')",
    "local w = coroutine.wrap(function(a) local b = coroutine.yield(a + 1) return b * 2 end) "
    "return w(1), w(5)",
    "local c = coroutine.create(function() coroutine.yield() error('x', 0) end) "
    "local a = coroutine.status(c) coroutine.resume(c) local b = coroutine.status(c) "
    "local ok, e = coroutine.resume(c) return a, b, ok, e, coroutine.status(c), coroutine.resume(c)",
    "local c c = coroutine.create(function() return coroutine.status(c), coroutine.running() == c end) "
    "return coroutine.resume(c)",
    "local outer outer = coroutine.create(function() local inner = coroutine.create(function() "
    "return coroutine.status(outer) end) return select(2, coroutine.resume(inner)) end) "
    "return coroutine.resume(outer)",
    "local g = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end) "
    "local s = 0 for i in g do s = s + i end return s",
    "return pcall(coroutine.wrap(function() error({}) end)) == false",
    "local w = coroutine.wrap(function() return pcall(function() coroutine.yield(1) return 2 end) end) "
    "return w(), w()",
    "return pcall(error, 'x', 0), pcall(error), pcall(error, 'x', 2)",
    "return xpcall(function(a, b) return a + b end, print, 1, 2)",
    "return xpcall(error, function(e) return 'H' .. e end, 'm')",
    "return pcall(function() error('here') end)",
    "return pcall(function() local x = nil return x.y end)",
    "return type(1), type('x'), type({}), type(print), type(nil), rawequal('a', 'a'), "
    "rawget({1}, 1), rawset({}, 1, 2)[1]",
    "return bit.band(12, 10), bit.bor(12, 10), bit.bxor(12, 10), bit.lshift(1, 4), bit.rshift(16, 2)",
    "return math.floor(-1.5), math.ceil(1.2), math.abs(-3), math.max(1, 5, 2), math.min(4, 2), "
    "math.fmod(7, 3), math.sqrt(16), math.huge, math.modf(3.5)",
    "local mt = {__index = function(t, k) return k .. '!' end, __call = function(t, x) return x end, "
    "__add = function(a, b) return 'sum' end} local t = setmetatable({}, mt) return t.x, t(3), t + 1",
};

static ScriptWorld w;

static int make(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    return script_world_init(&w, &(ScriptWorldDesc){0}) ? 0 : -1;
}

static int drop(void **state)
{
    (void)state;
    script_world_fini(&w);
    return 0;
}

static void compare(const char *code)
{
    static char trusted[4096];
    w.desc.sandboxed = false;
    cn_copy_text(trusted, sizeof trusted, cn_text(script_run(&w, code)));
    w.desc.sandboxed = true;
    const char *sandboxed = script_run(&w, code);
    if (strcmp(trusted, sandboxed))
        fail_msg("%s\ntrusted: %s\nboxed:   %s", code, trusted, sandboxed);
}

static void each_piece_gives_the_same_in_both_states(void **state)
{
    (void)state;
    for (size_t i = 0; i < CN_COUNT_OF(pieces); i++)
        compare(pieces[i]);
}

/* Patterns out of few characters, so that they match now and then. */
static void random_patterns_match_the_same(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "a",  "b", ".", "%a",     "%d",   "[ab]",  "[^a]", "%w", "(a)",    "(.-)", "(b*)", "()",
        "%1", "$", "^", "%f[%w]", "%bab", "[a-c]", "x",    "%s", "([ab])", "%A",   "[%d]", "%."};
    static const char *const repeats[] = {"", "", "", "*", "+", "-", "?"};
    TestRandom random = {7};
    for (uint32_t i = 0; i < 3000; i++) {
        char pattern[128] = "", text[64] = "", code[512];
        for (uint32_t n = 1 + test_random_below(&random, 5); n > 0; n--) {
            strcat(pattern, parts[test_random_below(&random, CN_COUNT_OF(parts))]);
            strcat(pattern, repeats[test_random_below(&random, CN_COUNT_OF(repeats))]);
        }
        for (uint32_t n = test_random_below(&random, 12); n > 0; n--)
            strcat(text,
                   (const char *[]){"a", "b", "c", "1", " ", "."}[test_random_below(&random, 6)]);
        cn_format(
            code, sizeof code,
            "local s, p = '%s', '%s' local function t(f, ...) "
            "local r = {pcall(f, ...)} return tostring(r[1]) .. ':' .. "
            "(r[1] and table.concat({tostring(r[2]), tostring(r[3]), tostring(r[4])}, ' ') or '') end "
            "return t(string.find, s, p), t(string.match, s, p), t(string.gsub, s, p, '<%%0>'), "
            "t(string.find, s, p, 3)",
            text, pattern);
        compare(code);
    }
}

static void random_tables_are_sorted(void **state)
{
    (void)state;
    w.desc.sandboxed = true;
    TestRandom random = {3};
    for (uint32_t i = 0; i < 200; i++) {
        char code[512];
        cn_format(
            code, sizeof code,
            "local t, x = {}, %u for i = 1, %u do x = (x * 1103 + 12345) %% 65536 t[i] = x %% %u end "
            "local sum = 0 for i = 1, #t do sum = sum + t[i] end "
            "table.sort(t, %s) for i = 1, #t do sum = sum - t[i] "
            "if i > 1 and (%s)(t[i], t[i - 1]) then return 'not sorted' end end return sum",
            test_random_below(&random, 60000), test_random_below(&random, 120),
            1 + test_random_below(&random, 50), i % 2 ? "nil" : "function(a, b) return a > b end",
            i % 2 ? "function(a, b) return a < b end" : "function(a, b) return a > b end");
        assert_string_equal(script_run(&w, code), "0");
    }
}

int main(void)
{
#define FACT(test) cmocka_unit_test_setup_teardown(test, make, drop)
    const struct CMUnitTest tests[] = {
        FACT(each_piece_gives_the_same_in_both_states),
        FACT(random_patterns_match_the_same),
        FACT(random_tables_are_sorted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
