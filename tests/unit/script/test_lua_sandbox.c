/* Sandboxes for games: functions of the game, handlers, files, budgets, errors with positions. */
#include "cmocka_tests.h"
#include "memory_files.h"

#include <cairn/base/log.h>
#include <cairn/script/sandbox.h>

#include <string.h>

/* ---- Functions of a game ---- */

typedef struct Game {
    MemoryFiles files;
    CnLuaSandbox *sandbox;
    CnLuaValue seen[4]; /* arguments of the last take(...); texts are copied */
    char text[4][256];
    uint32_t count, handler;
    char file[CN_LUA_PATH_BYTES];
    int line;
} Game;

static Game game;

static bool add(CnLuaCall *call)
{
    return cn_lua_return_number(call, call->arguments[0].number + call->arguments[1].number);
}

static bool take(CnLuaCall *call)
{
    Game *own = call->user;
    own->count = call->argument_count;
    for (uint32_t i = 0; i < call->argument_count && i < CN_COUNT_OF(own->seen); i++) {
        own->seen[i] = call->arguments[i];
        cn_copy_text(own->text[i], sizeof own->text[i], call->arguments[i].text);
    }
    cn_lua_call_position(call, own->file, &own->line);
    return true;
}

static bool take_two(CnLuaCall *call)
{
    return take(call);
}

static bool on(CnLuaCall *call)
{
    ((Game *)call->user)->handler = call->arguments[1].function;
    return true;
}

static bool echo(CnLuaCall *call)
{
    return cn_lua_return(call, call->arguments[0]);
}

static bool fail_always(CnLuaCall *call)
{
    return cn_error_set(call->error, CN_ERROR_NOT_FOUND, "there is no block \"%s\"", "stoen");
}

static bool work(CnLuaCall *call)
{
    cn_lua_charge(call, (uint64_t)call->arguments[0].number);
    return true;
}

static const CnLuaFunction functions[] = {
    {"add", add, "(a: number, b: number): number", "Adds.", "assert(add(1, 2) == 3)"},
    {"take", take, "(...: any)", "Keeps all.", NULL},
    {"take_two", take_two, "(whole: integer, options?: table)", "Keeps two.", NULL},
    {"on", on, "(event: string, handler: fun(e: Event): boolean?)", "Registers.", NULL},
    {"echo", echo, "(value: any): any", "Returns it.", NULL},
    {"fail_always", fail_always, "()", "Fails.", NULL},
    {"work", work, "(instructions: number)", "Costs.", NULL},
    {0}};
static const CnLuaField fields[] = {{"x", "number", "Where."}, {0}};
static const CnLuaClass classes[] = {{"Event", "What happened.", fields}, {0}};
static const CnLuaTable globals = {NULL, "Functions.", functions, classes};
static const CnLuaTable nested = {"game", "The same in a table.", functions, NULL};
static const CnLuaTable *const tables[] = {&globals, &nested, NULL};

static int make(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    memset(&game, 0, sizeof game);
    memory_files_init(&game.files);
    static const CnLuaLibrary libraries[] = {{"doors", "mods/doors"}, {0}};
    CnLuaSandboxDesc desc = {.name = "quest",
                             .files = &game.files.files,
                             .folder = "mods/quest",
                             .libraries = libraries,
                             .tables = tables,
                             .user = &game};
    game.sandbox = cn_lua_sandbox_create(&desc, NULL);
    return game.sandbox ? 0 : -1;
}

static int drop(void **state)
{
    (void)state;
    cn_lua_sandbox_destroy(game.sandbox);
    return 0;
}

static void run(const char *code)
{
    CnError error = {0};
    if (!cn_lua_sandbox_run(game.sandbox, "main.lua", cn_text(code), &error))
        fail_msg("%s:%d: %s", error.file, error.line, error.message);
}

static void fails(const char *code, int line, const char *part)
{
    CnError error = {0};
    assert_false(cn_lua_sandbox_run(game.sandbox, "main.lua", cn_text(code), &error));
    if (!strstr(error.message, part))
        fail_msg("'%s' is not in '%s'", part, error.message);
    assert_string_equal(error.file, "main.lua");
    assert_int_equal(error.line, line);
}

/* ---- Values ---- */

static void a_function_gets_its_arguments_and_returns_a_value(void **state)
{
    (void)state;
    run("assert(add(1, 2) == 3) assert(game.add(2, 2) == 4)");
}

static void values_of_all_kinds_arrive(void **state)
{
    (void)state;
    run("take(true, 2.5, 'text', nil)");
    assert_int_equal(game.count, 4);
    assert_true(game.seen[0].kind == CN_LUA_BOOLEAN && game.seen[0].boolean);
    assert_true(game.seen[1].kind == CN_LUA_NUMBER && game.seen[1].number == 2.5);
    assert_true(game.seen[2].kind == CN_LUA_TEXT);
    assert_string_equal(game.text[2], "text");
    assert_true(game.seen[3].kind == CN_LUA_NIL);
}

static void tables_arrive_as_canonical_json(void **state)
{
    (void)state;
    run("take({z = 1, a = {true, 'x\"\\n', 0.5}, m = {}}, {{1}, {k = -3}})");
    assert_string_equal(game.text[0], "{\"a\":[true,\"x\\\"\\u000a\",0.5],\"m\":[],\"z\":1}");
    assert_string_equal(game.text[1], "[[1],{\"k\":-3}]");
}

static void values_come_back_equal(void **state)
{
    (void)state;
    run("local t = echo({list = {1, 2, {x = 'y'}}, yes = true, half = 0.5})\n"
        "assert(t.list[3].x == 'y' and t.yes == true and t.half == 0.5 and #t.list == 3)\n"
        "assert(echo(nil) == nil and echo('s') == 's' and echo(1e300) == 1e300)");
}

static void a_table_may_contain_numbers_of_any_size(void **state)
{
    (void)state;
    run("local t = echo({1e308, -1e308, 2^53, 0.5})\n"
        "assert(t[1] == 1e308 and t[2] == -1e308 and t[3] == 2^53 and t[4] == 0.5)");
}

static void arguments_are_checked_against_the_type(void **state)
{
    (void)state;
    fails("add(1)", 1, "number expected, got nil");
    fails("\nadd(1, 'x')", 2, "number expected, got string");
    fails("take_two(1.5)", 1, "a whole number is expected");
    fails("take_two(1, 2)", 1, "table expected, got number");
    fails("take_two(1, {}, 3)", 1, "take_two takes at most 2 arguments");
    fails("add(0/0, 1)", 1, "the number is not finite");
    fails("take({x = 1, 2})", 1, "a table must be a list");
    fails("take({x = 1/0})", 1, "a number is not finite");
    fails("local t = {} t.t = t take(t)", 1, "nested more than 16 deep");
    fails("take('\\255')", 1, "the text is not UTF-8");
    fails("take(coroutine.create(print))", 1, "cannot be passed");
}

static void an_optional_argument_may_be_omitted(void **state)
{
    (void)state;
    run("take_two(7)");
    assert_int_equal(game.count, 2);
    assert_true(game.seen[1].kind == CN_LUA_NIL);
}

static void the_position_of_a_call_is_that_of_the_lua_code(void **state)
{
    (void)state;
    run("\n\nlocal function f()\n  take()\nend\nf()");
    assert_string_equal(game.file, "main.lua");
    assert_int_equal(game.line, 4);
}

static void the_position_of_a_call_by_the_library_is_that_of_the_lua_code_before_it(void **state)
{
    (void)state;
    run("\npcall(take, 1)");
    assert_string_equal(game.file, "main.lua");
    assert_int_equal(game.line, 2);
}

static void an_error_of_the_game_has_file_and_line_and_can_be_caught(void **state)
{
    (void)state;
    fails("\n\nfail_always()", 3, "there is no block \"stoen\"");
    run("local good, message = pcall(fail_always)\n"
        "assert(not good and message:find('stoen', 1, true))");
}

/* ---- Handlers ---- */

static CnLuaValue call(CnLuaValue argument)
{
    CnError error = {0};
    CnLuaValue result;
    if (!cn_lua_sandbox_call(game.sandbox, game.handler, &argument, 1, &result, &error))
        fail_msg("%s:%d: %s", error.file, error.line, error.message);
    return result;
}

static void a_handler_is_called_with_values_and_returns_one(void **state)
{
    (void)state;
    run("on('place', function(e) return e.x * 2 end)");
    CnLuaValue result = call(cn_lua_json(cn_text("{\"x\": 21}")));
    assert_true(result.kind == CN_LUA_NUMBER && result.number == 42);
    run("on('say', function(text) return text .. '!' end)");
    result = call(cn_lua_text(cn_text("hello")));
    assert_true(cn_text_equal(result.text, cn_text("hello!")));
    run("on('list', function(n) return {n, n = 1} end)");
}

static void handlers_in_tables_have_numbers(void **state)
{
    (void)state;
    run("take({on_use = function() end, name = 'x'})");
    assert_string_equal(game.text[0], "{\"name\":\"x\",\"on_use\":{\"function\":1}}");
}

static void handlers_are_refused_after_loading(void **state)
{
    (void)state;
    CnError error = {0};
    run("on('x', function() on('y', print) end)");
    assert_false(cn_lua_sandbox_call(game.sandbox, game.handler, NULL, 0, NULL, &error));
    assert_non_null(strstr(error.message, "while the files are loaded"));
}

static void an_error_in_a_handler_has_file_and_line(void **state)
{
    (void)state;
    CnError error = {0};
    run("on('x', function()\n  local a = nil\n  return a.b\nend)");
    assert_false(cn_lua_sandbox_call(game.sandbox, game.handler, NULL, 0, NULL, &error));
    assert_string_equal(error.file, "main.lua");
    assert_int_equal(error.line, 3);
    assert_int_equal(cn_lua_sandbox_stats(game.sandbox).errors, 1);
}

static void a_handler_that_does_not_exist_is_an_error(void **state)
{
    (void)state;
    CnError error = {0};
    assert_false(cn_lua_sandbox_call(game.sandbox, 77, NULL, 0, NULL, &error));
    assert_int_equal(error.code, CN_ERROR_NOT_FOUND);
}

/* ---- Budgets ---- */

static void a_handler_that_never_ends_is_stopped(void **state)
{
    (void)state;
    CnError error = {0};
    run("on('x', function() while true do end end)");
    assert_false(cn_lua_sandbox_call(game.sandbox, game.handler, NULL, 0, NULL, &error));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    assert_string_equal(error.file, "main.lua");
}

static void a_tick_has_a_budget_and_the_next_one_has_another(void **state)
{
    (void)state;
    CnError error = {0};
    run("on('x', function() work(1900000) end)");
    uint32_t calls = 0;
    cn_lua_sandbox_begin_tick(game.sandbox);
    while (cn_lua_sandbox_call(game.sandbox, game.handler, NULL, 0, NULL, &error))
        assert_true(++calls < 10);
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    assert_true(calls >= 1 && cn_lua_sandbox_is_spent(game.sandbox));
    cn_lua_sandbox_begin_tick(game.sandbox);
    assert_true(cn_lua_sandbox_call(game.sandbox, game.handler, NULL, 0, NULL, &error));
}

static void work_of_the_game_is_charged(void **state)
{
    (void)state;
    CnError error = {0};
    run("on('x', function() pcall(work, 3000000) while true do end end)");
    cn_lua_sandbox_begin_tick(game.sandbox);
    assert_false(cn_lua_sandbox_call(game.sandbox, game.handler, NULL, 0, NULL, &error));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
}

static void the_count_of_instructions_is_the_same_each_time(void **state)
{
    (void)state;
    uint64_t used[3];
    run("on('x', function() local t = {} for i = 1, 5000 do t[i] = {i} end return #t end)");
    for (uint32_t i = 0; i < 3; i++) {
        cn_lua_sandbox_begin_tick(game.sandbox);
        assert_true(cn_lua_sandbox_call(game.sandbox, game.handler, NULL, 0, NULL, NULL));
        used[i] = cn_lua_sandbox_stats(game.sandbox).tick_instructions;
    }
    assert_true(used[1] == used[2] && used[0] > 5000);
}

static void memory_is_limited(void **state)
{
    (void)state;
    CnError error = {0};
    run("on('x', function() local t = {} for i = 1, 1e6 do t[i] = ('x'):rep(1000) .. i end end)");
    assert_false(cn_lua_sandbox_call(game.sandbox, game.handler, NULL, 0, NULL, &error));
    assert_int_equal(error.code, CN_ERROR_LIMIT);
    assert_true(cn_lua_sandbox_stats(game.sandbox).peak_bytes <= 32u << 20);
}

/* ---- Files ---- */

static void files_are_loaded_once_and_return_values(void **state)
{
    (void)state;
    CnError error = {0};
    memory_files_set(&game.files, "mods/quest/main.lua",
                     "local a, b = require('parts.door'), require('parts/door')\n"
                     "assert(a == b and a.open() == 'open' and loads == 1)\n"
                     "assert(require('doors:lib').name == 'doors')");
    memory_files_set(&game.files, "mods/quest/parts/door.lua",
                     "loads = (loads or 0) + 1 return {open = function() return 'open' end}");
    memory_files_set(&game.files, "mods/doors/lib.lua", "return {name = 'doors'}");
    if (!cn_lua_sandbox_load(game.sandbox, "main.lua", &error))
        fail_msg("%s:%d: %s", error.file, error.line, error.message);
}

static void an_error_names_the_file_of_the_mod(void **state)
{
    (void)state;
    CnError error = {0};
    memory_files_set(&game.files, "mods/quest/main.lua", "require('parts')");
    memory_files_set(&game.files, "mods/quest/parts.lua", "\n\nx.y = 1");
    assert_false(cn_lua_sandbox_load(game.sandbox, "main.lua", &error));
    assert_string_equal(error.file, "mods/quest/parts.lua");
    assert_int_equal(error.line, 3);
    memory_files_set(&game.files, "mods/quest/bad.lua", "x = = 1");
    assert_false(cn_lua_sandbox_load(game.sandbox, "bad.lua", &error));
    assert_string_equal(error.file, "mods/quest/bad.lua");
    assert_int_equal(error.line, 1);
}

static void files_outside_of_the_folder_cannot_be_named(void **state)
{
    (void)state;
    memory_files_set(&game.files, "mods/doors/secret.lua", "return 1");
    fails("require('../doors/secret')", 1, "require takes a name");
    fails("require('/mods/doors/secret')", 1, "require takes a name");
    fails("require('other:secret')", 1, "is not a dependency");
    fails("require('missing')", 1, "cannot be read");
}

static void a_file_that_requires_itself_is_an_error(void **state)
{
    (void)state;
    CnError error = {0};
    memory_files_set(&game.files, "mods/quest/a.lua", "require('b')");
    memory_files_set(&game.files, "mods/quest/b.lua", "require('a')");
    assert_false(cn_lua_sandbox_load(game.sandbox, "a.lua", &error));
    assert_non_null(strstr(error.message, "requires itself"));
}

static void dangerous_functions_of_lua_are_missing(void **state)
{
    (void)state;
    run("for _, name in ipairs{'io', 'os', 'debug', 'package', 'load', 'loadstring', 'dofile',\n"
        "    'loadfile', 'collectgarbage', 'ffi', 'jit', 'getfenv', 'setfenv', 'random',\n"
        "    'getObject', 'query'} do\n"
        "  assert(_G[name] == nil, name)\n"
        "end\n"
        "assert(math.random == nil and math.floor(1.5) == 1)");
}

static void the_order_of_pairs_is_that_of_the_keys(void **state)
{
    (void)state;
    run("local keys = ''\n"
        "for k in pairs{b = 1, a = 2, [3] = 3, [1] = 4, c = 5} do keys = keys .. k end\n"
        "assert(keys == '13abc', keys)");
}

static void two_sandboxes_share_nothing(void **state)
{
    (void)state;
    CnLuaSandbox *other = cn_lua_sandbox_create(&(CnLuaSandboxDesc){.name = "other"}, NULL);
    run("shared = 1 string_x = 2");
    assert_true(cn_lua_sandbox_run(other, "o.lua", cn_text("assert(shared == nil)"), NULL));
    cn_lua_sandbox_destroy(other);
}

/* ---- Tables of a game ---- */

static void expect_refused(const char *type, const char *part)
{
    const CnLuaFunction rows[] = {{"odd", take, type, "Odd.", NULL}, {0}};
    const CnLuaTable table = {"game", "Odd.", rows, NULL};
    const CnLuaTable *const refused[] = {&table, NULL};
    CnError error = {0};
    CnLuaSandbox *sandbox =
        cn_lua_sandbox_create(&(CnLuaSandboxDesc){.name = "castle", .tables = refused}, &error);
    if (sandbox || !strstr(error.message, part))
        fail_msg("'%s': '%s' is not in '%s'", type, part, error.message);
}

static void a_malformed_type_of_a_function_is_an_error(void **state)
{
    (void)state;
    expect_refused(NULL, "odd has no type");
    expect_refused("", "odd has no type");
    expect_refused("x: integer", "odd has no type");
    expect_refused("(x)", "a parameter of the function odd has no type");
    expect_refused("(: integer)", "a parameter of the function odd has no type");
    expect_refused("(x: integer", "odd do not end with ')'");
    expect_refused("(x: fun(integer)", "odd do not end with ')'");
    expect_refused("(a: any, b: any, c: any, d: any, e: any, f: any, g: any, h: any, i: any)",
                   "odd has more than 8 parameters");
}

/* ---- Documentation ---- */

static void annotations_and_reference_come_from_the_rows(void **state)
{
    (void)state;
    CnTextBuilder text = {0};
    assert_true(cn_lua_write_annotations(tables, &text));
    assert_non_null(strstr(text.items, "---@class Event\n---@field x number Where.\n"));
    assert_non_null(strstr(text.items, "---Adds.\n---@param a number\n---@param b number\n"
                                       "---@return number\nfunction add(a, b) end\n"));
    assert_non_null(strstr(text.items, "---@param handler fun(e: Event): boolean?\n"
                                       "function game.on(event, handler) end\n"));
    text.count = 0;
    assert_true(cn_lua_write_reference(tables, &text));
    assert_non_null(strstr(text.items, "### add\n\n    add(a: number, b: number): number\n\n"
                                       "Adds.\n\n```lua\nassert(add(1, 2) == 3)\n```\n"));
    cn_array_fini(&text);
}

#define IN_GAME(test) cmocka_unit_test_setup_teardown(test, make, drop)

/* ---- The watchdog ---- */

static char reason[160];

static void note_reason(void *user, const char *text)
{
    assert_ptr_equal(user, &game);
    cn_copy_text(reason, sizeof reason, cn_text(text));
}

static CnLuaSandbox *watched(uint32_t milliseconds)
{
    CnLuaSandboxDesc desc = {.name = "slow",
                             .tables = tables,
                             .user = &game,
                             .instructions_per_call = UINT64_MAX / 4,
                             .instructions_per_tick = UINT64_MAX / 4,
                             .watchdog_ms = milliseconds,
                             .on_not_reproducible = note_reason};
    reason[0] = 0;
    return cn_lua_sandbox_create(&desc, NULL);
}

static void the_watchdog_says_that_the_run_is_not_reproducible(void **state)
{
    (void)state;
    CnError error = {0};
    CnLuaSandbox *slow = watched(20);
    assert_true(
        cn_lua_sandbox_run(slow, "m", cn_text("on('x', function() while true do end end)"), NULL));
    assert_false(cn_lua_sandbox_call(slow, game.handler, NULL, 0, NULL, &error));
    assert_int_equal(cn_lua_sandbox_stats(slow).watchdog_stops, 1);
    assert_non_null(strstr(reason, "the watchdog stopped slow"));
    cn_lua_sandbox_destroy(slow);
}

static void the_watchdog_counts_the_time_of_one_tick(void **state)
{
    (void)state;
    CnLuaSandbox *slow = watched(150);
    assert_true(cn_lua_sandbox_run(slow, "m",
                                   cn_text("on('x', function() for i = 1, 4e6 do end end)"), NULL));
    for (uint32_t i = 0; i < 40; i++) {
        cn_lua_sandbox_begin_tick(slow);
        assert_true(cn_lua_sandbox_call(slow, game.handler, NULL, 0, NULL, NULL));
    }
    assert_int_equal(cn_lua_sandbox_stats(slow).watchdog_stops, 0);
    cn_lua_sandbox_destroy(slow);
}

/* Runs a handler, and returns what it was charged. */
static uint64_t charged(uint64_t seed, const char *code)
{
    CnLuaSandboxDesc desc = {.name = "quest", .tables = tables, .user = &game, .seed = seed};
    CnLuaSandbox *sandbox = cn_lua_sandbox_create(&desc, NULL);
    assert_true(cn_lua_sandbox_run(sandbox, "m", cn_text(code), NULL));
    cn_lua_sandbox_begin_tick(sandbox);
    assert_true(cn_lua_sandbox_call(sandbox, game.handler, NULL, 0, NULL, NULL));
    uint64_t used = cn_lua_sandbox_stats(sandbox).tick_instructions;
    cn_lua_sandbox_destroy(sandbox);
    return used;
}

/* Lua orders the keys differently in each state. */
static void pairs_is_charged_the_same_for_any_order_of_keys(void **state)
{
    (void)state;
    static const char code[] = "on('x', function() for i = 1, 50 do\n"
                               "    for key in pairs({kind = i, text = i}) do end\n"
                               "end end)";
    uint64_t first = charged(1, code);
    for (uint32_t i = 0; i < 12; i++)
        assert_int_equal(charged(1, code), first);
}

static uint64_t instructions_with(uint64_t seed)
{
    return charged(seed, "local a = ('x'):rep(9000) local b, c = a .. 'b', a .. 'c'\n"
                         "on('x', function() for i = 1, 50 do local d = b < c end end)");
}

/* 62,500 instructions: one per 16 bytes. */
static void one_long_comparison_costs_at_most_what_it_does(void **state)
{
    (void)state;
    uint64_t most = 0;
    for (uint64_t seed = 1; seed < 100; seed++) {
        uint64_t used = charged(
            seed,
            "local a = ('x'):rep(1000000) local b, c = a .. 'b', a .. 'c'\n"
            "on('x', function()\nfor i = 1, 5 do end\nlocal d = b < c\nfor i = 1, 9 do end\nend)");
        most = used > most ? used : most;
    }
    assert_true(most > 1000 && most < 64000);
}

/* Where the samples fall depends on the seed, and on nothing else. */
static void the_seed_decides_where_samples_fall(void **state)
{
    (void)state;
    uint64_t first = instructions_with(1);
    bool differs = false;
    assert_int_equal(first, instructions_with(1));
    for (uint64_t seed = 2; seed < 10; seed++)
        differs |= instructions_with(seed) != first;
    assert_true(differs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_GAME(a_function_gets_its_arguments_and_returns_a_value),
        IN_GAME(values_of_all_kinds_arrive),
        IN_GAME(tables_arrive_as_canonical_json),
        IN_GAME(values_come_back_equal),
        IN_GAME(a_table_may_contain_numbers_of_any_size),
        IN_GAME(arguments_are_checked_against_the_type),
        IN_GAME(an_optional_argument_may_be_omitted),
        IN_GAME(the_position_of_a_call_is_that_of_the_lua_code),
        IN_GAME(the_position_of_a_call_by_the_library_is_that_of_the_lua_code_before_it),
        IN_GAME(an_error_of_the_game_has_file_and_line_and_can_be_caught),
        IN_GAME(a_handler_is_called_with_values_and_returns_one),
        IN_GAME(handlers_in_tables_have_numbers),
        IN_GAME(handlers_are_refused_after_loading),
        IN_GAME(an_error_in_a_handler_has_file_and_line),
        IN_GAME(a_handler_that_does_not_exist_is_an_error),
        IN_GAME(a_handler_that_never_ends_is_stopped),
        IN_GAME(a_tick_has_a_budget_and_the_next_one_has_another),
        IN_GAME(work_of_the_game_is_charged),
        IN_GAME(the_count_of_instructions_is_the_same_each_time),
        IN_GAME(memory_is_limited),
        IN_GAME(files_are_loaded_once_and_return_values),
        IN_GAME(an_error_names_the_file_of_the_mod),
        IN_GAME(files_outside_of_the_folder_cannot_be_named),
        IN_GAME(a_file_that_requires_itself_is_an_error),
        IN_GAME(dangerous_functions_of_lua_are_missing),
        IN_GAME(the_order_of_pairs_is_that_of_the_keys),
        IN_GAME(two_sandboxes_share_nothing),
        cmocka_unit_test(pairs_is_charged_the_same_for_any_order_of_keys),
        cmocka_unit_test(a_malformed_type_of_a_function_is_an_error),
        IN_GAME(annotations_and_reference_come_from_the_rows),
        IN_GAME(the_watchdog_says_that_the_run_is_not_reproducible),
        IN_GAME(the_watchdog_counts_the_time_of_one_tick),
        IN_GAME(one_long_comparison_costs_at_most_what_it_does),
        IN_GAME(the_seed_decides_where_samples_fall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
