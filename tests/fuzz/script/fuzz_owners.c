/*
 * Bytes as a mod: statements that use everything that scripts of an owner may do with others,
 * beside a mod that counts its ticks. Whatever comes, the other mod misses no tick and no timer,
 * nothing takes more than its budget, and no watchdog is needed.
 */
#include "fuzz_surface.h"
#include "program_source.h"
#include "script_owners.h"

#include <string.h>

#define TICKS 3
#define MAX_DEPTH 3

static const char *const values[] = {
    "1",
    "'own'",
    "nil",
    "this",
    "getObject('Car')",
    "{}",
    "{1, {2}, x = this}",
    "a",
    "b",
    "t",
    "long",
    "longer",
    "('x'):rep(9000)",
    "f",
    "-1e9",
    "0/0",
    "Vec3(1, 2, 3)",
    "'TransformComponent'",
    "query('TransformComponent')",
};

static const char *const calls[] = {
    "send",
    "subscribe",
    "unsubscribe",
    "after",
    "every",
    "cancel",
    "require",
    "query",
    "getObject",
    "spawn",
    "this.call",
    "this.clone",
    "this.destroy",
    "this.getChild",
    "this.getComponent",
    "loadPrefab",
    "table.concat",
    "table.sort",
    "string.rep",
    "string.gsub",
    "coroutine.wrap",
    "setmetatable",
    "store.set",
    "store.get",
    "log",
    "pairs",
    "unpack",
    "tostring",
    "f",
};

static const char *const operators[] = {"<", "<=", "..", "==", "+", ">", "or"};

static void put_block(ProgramSource *source, int depth);

static void put_value(ProgramSource *source, int depth)
{
    if (depth <= 0 || program_pick(source, 4)) {
        PROGRAM_PUT_ONE_OF(source, values);
        return;
    }
    program_put(source, "(function(...) ");
    put_block(source, depth - 1);
    program_close(source, " return ... end)");
}

static void put_call(ProgramSource *source, int depth)
{
    program_put(source, "a, b = pcall(");
    PROGRAM_PUT_ONE_OF(source, calls);
    for (uint32_t i = 0, n = program_pick(source, 4); i < n; i++) {
        program_put(source, ", ");
        put_value(source, depth);
    }
    program_close(source, ")");
}

static void put_statement(ProgramSource *source, int depth)
{
    switch (depth <= 0 ? program_pick(source, 3) : program_pick(source, 7)) {
    case 0:
    case 1:
        put_call(source, depth);
        break;
    case 2:
        program_put(source, "pcall(function() b = ");
        put_value(source, 0);
        program_put(source, " ");
        PROGRAM_PUT_ONE_OF(source, operators);
        program_put(source, " ");
        put_value(source, 0);
        program_close(source, " end)");
        break;
    case 3:
        program_put(source, program_pick(source, 2) ? "for i = 1, 300 do " : "while b do ");
        put_block(source, depth - 1);
        program_close(source, " end");
        break;
    case 4:
        program_put(source, "pcall(function() t[");
        put_value(source, 0);
        program_put(source, "] = ");
        put_value(source, depth - 1);
        program_close(source, " end)");
        break;
    case 5:
        program_put(source, "a = pcall(subscribe, 'own', function(e) ");
        put_block(source, depth - 1);
        program_close(source, " end)");
        break;
    default:
        program_put(source, "function f(...) ");
        put_block(source, depth - 1);
        program_close(source, " end");
    }
}

static void put_block(ProgramSource *source, int depth)
{
    for (uint32_t i = 0, n = 1 + program_pick(source, 3); i < n; i++) {
        put_statement(source, depth);
        program_put(source, "\n");
    }
}

static const char *make_program(ProgramSource *source)
{
    program_put(source,
                "a, b, t = 1, 2, {} long = ('x'):rep(5000) .. 'a' longer = ('x'):rep(5000) .. 'b'\n"
                "function f() end\n");
    put_block(source, 1);
    program_put(source, "function on_update()\n");
    while (source->at < source->size && source->used < sizeof source->code / 2) {
        put_statement(source, MAX_DEPTH);
        program_put(source, "\n");
    }
    program_close(source, " end\n");
    return source->code;
}

static void add_seeds(FuzzSeeds *seeds)
{
    TestRandom random = {7};
    for (uint32_t i = 0; i < 40; i++) {
        uint8_t bytes[96];
        for (uint32_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (uint8_t)test_random_below(&random, 256);
        fuzz_add(seeds, bytes, sizeof bytes);
    }
}

static void check_owners(ScriptOwners *w, const CnScriptDesc *limits)
{
    CnScriptOwnerStats owners[8];
    uint32_t count = cn_script_owners(w->world.world, owners, 8);
    for (uint32_t i = 0; i < count && i < 8; i++) {
        FUZZ_CHECK(!owners[i].watchdog_stops);
        FUZZ_CHECK(owners[i].is_trusted || owners[i].peak_bytes <= limits->memory_bytes);
        FUZZ_CHECK(owners[i].is_trusted ||
                   owners[i].tick_instructions <=
                       limits->instructions_per_tick + 2 * limits->instructions_per_call);
    }
}

static bool run(const uint8_t *bytes, size_t size)
{
    static const CnScriptDesc limits = {
        .memory_bytes = 2u << 20, .instructions_per_call = 20000, .instructions_per_tick = 60000};
    static ProgramSource source;
    ScriptOwners w;
    program_begin(&source, bytes, size);
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    FUZZ_CHECK(script_owners_init(&w, &limits));
    script_owners_add(&w, "mods://victim/a.lua", script_victim);
    CnEntity mod = script_owners_add(&w, "mods://fuzzed/a.lua", make_program(&source));
    memory_files_set(&w.world.files, "mods://fuzzed/own.lua", "return require('own')");
    for (uint32_t i = 0; i < TICKS; i++) {
        FUZZ_CHECK(script_owners_tick(&w, 1));
        check_owners(&w, &limits);
    }
    const CnTransform *at = cn_get(w.world.world, w.objects[0], CnTransform);
    FUZZ_CHECK(at && at->position.x == TICKS && at->position.z == TICKS - 1);
    FUZZ_CHECK(at->position.y == TICKS);
    bool runs = cn_script_status(w.world.world, mod) == CN_SCRIPT_RUNNING;
    script_owners_fini(&w);
    return runs;
}

const FuzzSurface fuzz_surface = {
    .max_bytes = 512, .test_runs = 300, .add_seeds = add_seeds, .run = run};
