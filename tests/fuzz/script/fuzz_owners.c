/*
 * Bytes as a mod: statements that use everything that scripts of an owner may do with others,
 * beside a mod that counts its ticks. Whatever comes, the other mod misses no tick and no timer,
 * nothing takes more than its budget, and no watchdog is needed.
 */
#include "fuzz_surface.h"
#include "script_owners.h"

#include <string.h>

#define TICKS 3
#define MAX_DEPTH 3

typedef struct Source {
    const uint8_t *bytes;
    size_t size, at, used;
    char code[8192];
} Source;

static uint32_t pick(Source *source, uint32_t n)
{
    return source->at < source->size ? source->bytes[source->at++] % n : 0;
}

static void put(Source *source, const char *text)
{
    size_t size = strlen(text);
    if (source->used + size + 256 >= sizeof source->code)
        return;
    memcpy(source->code + source->used, text, size + 1);
    source->used += size;
}

static void close_block(Source *source, const char *text)
{
    memcpy(source->code + source->used, text, strlen(text) + 1);
    source->used += strlen(text);
}

#define PUT_ONE_OF(source, list) put(source, (list)[pick(source, (uint32_t)CN_COUNT_OF(list))])

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

static void put_block(Source *source, int depth);

static void put_value(Source *source, int depth)
{
    if (depth <= 0 || pick(source, 4)) {
        PUT_ONE_OF(source, values);
        return;
    }
    put(source, "(function(...) ");
    put_block(source, depth - 1);
    close_block(source, " return ... end)");
}

static void put_call(Source *source, int depth)
{
    put(source, "a, b = pcall(");
    PUT_ONE_OF(source, calls);
    for (uint32_t i = 0, n = pick(source, 4); i < n; i++) {
        put(source, ", ");
        put_value(source, depth);
    }
    close_block(source, ")");
}

static void put_statement(Source *source, int depth)
{
    switch (depth <= 0 ? pick(source, 3) : pick(source, 7)) {
    case 0:
    case 1:
        put_call(source, depth);
        break;
    case 2:
        put(source, "pcall(function() b = ");
        put_value(source, 0);
        put(source, " ");
        PUT_ONE_OF(source, operators);
        put(source, " ");
        put_value(source, 0);
        close_block(source, " end)");
        break;
    case 3:
        put(source, pick(source, 2) ? "for i = 1, 300 do " : "while b do ");
        put_block(source, depth - 1);
        close_block(source, " end");
        break;
    case 4:
        put(source, "pcall(function() t[");
        put_value(source, 0);
        put(source, "] = ");
        put_value(source, depth - 1);
        close_block(source, " end)");
        break;
    case 5:
        put(source, "a = pcall(subscribe, 'own', function(e) ");
        put_block(source, depth - 1);
        close_block(source, " end)");
        break;
    default:
        put(source, "function f(...) ");
        put_block(source, depth - 1);
        close_block(source, " end");
    }
}

static void put_block(Source *source, int depth)
{
    for (uint32_t i = 0, n = 1 + pick(source, 3); i < n; i++) {
        put_statement(source, depth);
        put(source, "\n");
    }
}

static const char *make_program(Source *source)
{
    put(source, "a, b, t = 1, 2, {} long = ('x'):rep(5000) .. 'a' longer = ('x'):rep(5000) .. 'b'\n"
                "function f() end\n");
    put_block(source, 1);
    put(source, "function on_update()\n");
    while (source->at < source->size && source->used < sizeof source->code / 2) {
        put_statement(source, MAX_DEPTH);
        put(source, "\n");
    }
    close_block(source, " end\n");
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
    static Source source;
    ScriptOwners w;
    source.bytes = bytes;
    source.size = size;
    source.at = source.used = 0;
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
