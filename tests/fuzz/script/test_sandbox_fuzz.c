/*
 * Bytes as programs in Lua: statements, loops, closures, metatables, coroutines and the whole
 * library of sandboxed scripts with odd arguments, run with small budgets. Whatever comes, nothing
 * crashes or hangs, no more memory is taken than allowed, and the next program finds the library as
 * it was.
 *
 * The test makes its cases from a seed, so it always runs the same ones. With the name of a file it
 * runs that one and shows the program. With -DCN_LIBFUZZER the file is a target for libFuzzer,
 * built as test_bind_fuzz.c says.
 */
#include "program_source.h"
#include "random.h"
#include "script_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY_BYTES (8u << 20)
#define MAX_DEPTH 5

/* ---- From bytes to a program ---- */

static const char *const variables[] = {"a", "b", "c", "d", "t", "f", "s", "_G"};
static const char *const values[] = {
    "nil",
    "true",
    "false",
    "0",
    "1",
    "-1",
    "3",
    "1e9",
    "-1e9",
    "2^53",
    "0/0",
    "1/0",
    "0.5",
    "''",
    "'x'",
    "'abc'",
    "'%a+'",
    "'(.-)%1'",
    "'[^a]*'",
    "'%b()'",
    "'%s%d'",
    "'a\\0b'",
    "{}",
    "{1, 2}",
    "{x = 1}",
    "('x'):rep(99)",
    "'%f[a]'",
    "'^(a*)$'",
    "Vec3(1, 2, 3)",
    "getObject('Car')",
    "'n'",
    "255",
};
static const char *const functions[] = {
    "string.byte",
    "string.char",
    "string.find",
    "string.format",
    "string.gmatch",
    "string.gsub",
    "string.len",
    "string.lower",
    "string.match",
    "string.rep",
    "string.reverse",
    "string.sub",
    "string.upper",
    "table.concat",
    "table.insert",
    "table.remove",
    "table.sort",
    "math.floor",
    "math.max",
    "math.fmod",
    "math.random",
    "math.ldexp",
    "math.modf",
    "bit.band",
    "bit.lshift",
    "bit.tohex",
    "coroutine.create",
    "coroutine.resume",
    "coroutine.wrap",
    "coroutine.yield",
    "coroutine.status",
    "coroutine.running",
    "assert",
    "error",
    "getmetatable",
    "ipairs",
    "next",
    "pairs",
    "pcall",
    "rawequal",
    "rawget",
    "rawset",
    "select",
    "setmetatable",
    "tonumber",
    "tostring",
    "type",
    "unpack",
    "xpcall",
    "log",
    "getObject",
    "query",
    "send",
    "Quat",
    "f",
};
static const char *const operators[] = {"+",  "-",  "*", "/",  "%", "^",   "..",
                                        "==", "~=", "<", "<=", ">", "and", "or"};
static const char *const events[] = {"__index",    "__newindex", "__call", "__add",      "__concat",
                                     "__eq",       "__lt",       "__le",   "__unm",      "__len",
                                     "__tostring", "__mode",     "__gc",   "__metatable"};

static void put_expression(ProgramSource *source, int depth);
static void put_block(ProgramSource *source, int depth);

static void put_arguments(ProgramSource *source, int depth)
{
    program_put(source, "(");
    for (uint32_t i = 0, n = program_pick(source, 4); i < n; i++) {
        if (i)
            program_put(source, ", ");
        put_expression(source, depth);
    }
    program_put(source, ")");
}

static void put_function(ProgramSource *source, int depth)
{
    program_put(source,
                program_pick(source, 2) ? "function(a, b) " : "function(...) local a, b = ... ");
    put_block(source, depth);
    program_put(source, " return ");
    put_expression(source, depth);
    program_put(source, " end");
}

static void put_expression(ProgramSource *source, int depth)
{
    switch (depth <= 0 ? program_pick(source, 2) : program_pick(source, 10)) {
    case 0:
        PROGRAM_PUT_ONE_OF(source, variables);
        break;
    case 1:
        PROGRAM_PUT_ONE_OF(source, values);
        break;
    case 2:
    case 3:
    case 4:
        PROGRAM_PUT_ONE_OF(source, functions);
        put_arguments(source, depth - 1);
        break;
    case 5:
        program_put(source, "(");
        put_expression(source, depth - 1);
        program_put(source, " ");
        PROGRAM_PUT_ONE_OF(source, operators);
        program_put(source, " ");
        put_expression(source, depth - 1);
        program_put(source, ")");
        break;
    case 6:
        put_function(source, depth - 2);
        break;
    case 7:
        program_put(source, program_pick(source, 2) ? "#(" : "-(");
        put_expression(source, depth - 1);
        program_put(source, ")");
        break;
    case 8:
        program_put(source, "(");
        put_expression(source, depth - 1);
        program_put(source, ")[");
        put_expression(source, depth - 1);
        program_put(source, "]");
        break;
    default:
        program_put(source, "setmetatable({}, {");
        PROGRAM_PUT_ONE_OF(source, events);
        program_put(source, " = ");
        put_function(source, depth - 2);
        program_put(source, "})");
    }
}

static void put_statement(ProgramSource *source, int depth)
{
    switch (depth <= 0 ? program_pick(source, 3) : program_pick(source, 9)) {
    case 0:
    case 1:
        PROGRAM_PUT_ONE_OF(source, variables);
        program_put(source, " = ");
        put_expression(source, depth);
        break;
    case 2:
        program_put(source, "pcall(");
        PROGRAM_PUT_ONE_OF(source, functions);
        program_put(source, ", ");
        put_expression(source, depth - 1);
        program_put(source, ", ");
        put_expression(source, depth - 1);
        program_put(source, ")");
        break;
    case 3:
        program_put(source, "if ");
        put_expression(source, depth - 1);
        program_put(source, " then ");
        put_block(source, depth - 1);
        program_put(source, " end");
        break;
    case 4:
        program_put(source, "for i = 1, ");
        put_expression(source, 0);
        program_put(source, " do ");
        put_block(source, depth - 1);
        program_put(source, " end");
        break;
    case 5:
        program_put(source, "while ");
        put_expression(source, depth - 1);
        program_put(source, " do ");
        put_block(source, depth - 1);
        program_put(source, " end");
        break;
    case 6:
        program_put(source, "coroutine.wrap(");
        put_function(source, depth - 1);
        program_put(source, ")()");
        break;
    case 7:
        program_put(source, "t[");
        put_expression(source, depth - 1);
        program_put(source, "] = ");
        put_expression(source, depth - 1);
        break;
    default:
        program_put(source, "pcall(");
        put_function(source, depth - 1);
        program_put(source, ")");
    }
}

static void put_block(ProgramSource *source, int depth)
{
    for (uint32_t i = 0, n = 1 + program_pick(source, 3); i < n; i++) {
        put_statement(source, depth);
        program_put(source, "; ");
    }
}

static void make_program(ProgramSource *source)
{
    program_put(source, "local a, b, c, d, t, s = 1, 'abc', {}, nil, {1, 2, 3}, 'x' local f f = ");
    put_function(source, 2);
    program_put(source, "; ");
    while (source->at < source->size && source->used < sizeof source->code / 2) {
        put_statement(source, MAX_DEPTH);
        program_put(source, "; ");
    }
}

/* ---- Trying ---- */

static ScriptWorld w;
static uint32_t good_programs;

static void make_world(void)
{
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    if (!script_world_init(&w, &(ScriptWorldDesc){.sandboxed = true}))
        abort();
    w.scripts.memory_bytes = MEMORY_BYTES;
    w.scripts.instructions_per_call = 20000;
}

static const char *try_bytes(const uint8_t *bytes, size_t size, bool show)
{
    static ProgramSource source;
    source = (ProgramSource){.bytes = bytes, .size = size};
    make_program(&source);
    if (show)
        puts(source.code);
    const char *result = script_run(&w, source.code);
    if (show)
        puts(result);
    good_programs += strncmp(result, "error: ", 7) != 0;
    if (cn_script_stats(w.world).sandboxed_peak_bytes > MEMORY_BYTES)
        return "more memory than allowed";
    result =
        script_run(&w, "local t = {2, 1} table.sort(t) return ('ab'):rep(2), t[1], type(pairs), "
                       "string.format('%d', 7), coroutine.wrap(function() return 5 end)(), io, "
                       "type(string), math.floor(2.5), bit.band(6, 3), getmetatable('')");
    return strcmp(result, "abab\t1\tfunction\t7\t5\tnil\tuserdata\t2\t2\tstring") ? result : NULL;
}

#ifdef CN_LIBFUZZER
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static bool made;
    if (!made)
        make_world();
    made = true;
    if (try_bytes(bytes, size, false))
        abort();
    return 0;
}
#else
#define CASES 3000u

static int run_file(const char *path)
{
    static uint8_t bytes[1 << 16];
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file)
        fclose(file);
    const char *problem = try_bytes(bytes, size, true);
    return problem ? puts(problem), 1 : 0;
}

int main(int argc, char **argv)
{
    make_world();
    if (argc == 2)
        return run_file(argv[1]);
    TestRandom random = {2026};
    for (uint32_t i = 0; i < CASES; i++) {
        uint8_t bytes[200];
        size_t size = 20 + test_random_below(&random, sizeof bytes - 20);
        for (size_t k = 0; k < size; k++)
            bytes[k] = (uint8_t)test_random(&random);
        const char *problem = try_bytes(bytes, size, false);
        if (problem) {
            printf("case %u: %s\n", i, problem);
            try_bytes(bytes, size, true);
            return 1;
        }
    }
    script_world_fini(&w);
    printf("%u of %u programs ran to their end\n", good_programs, CASES);
    return good_programs > CASES / 20 ? 0 : 1;
}
#endif
