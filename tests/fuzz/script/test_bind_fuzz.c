/*
 * Bytes as a sequence of uses of what scripts see: every function, property, method and operator,
 * with odd arguments and with what earlier ones returned, in a sandboxed script on a small world
 * with physics. Whatever comes, nothing crashes, the world stays sound, and every number in a
 * transform is finite.
 *
 * The test makes its cases from a seed, so it always runs the same ones, and runs what lies in
 * tests/fuzz/script/corpus/. With the name of a file it runs that one and shows the script. With
 * -DCN_LIBFUZZER the file is a target for libFuzzer:
 *
 *     clang -fsanitize=fuzzer,address,undefined -DCN_LIBFUZZER -DCN_GUARDS=1 -D_GNU_SOURCE -g -O1 \
 *         -Iinclude -Isrc -Itests/support $(pkg-config --cflags luajit) \
 *         tests/fuzz/script/test_bind_fuzz.c tests/support/{check_*,script_world,memory_files}.c \
 *         src/{base,vfs,ecs,sim,scene,physics,script}/[a-z]*.c \
 *         $(pkg-config --libs luajit ode jansson physfs libxxhash libzstd) -lpthread -lm
 */
#include "check_world.h"
#include "random.h"
#include "script/script_internal.h"
#include "script_world.h"

#include <cairn/base/log.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_STEPS 60u
#define VARIABLES 8u

/* ---- From bytes to a script ---- */

static const char *const values[] = {
    "nil",
    "true",
    "false",
    "0",
    "1",
    "-1",
    "2",
    "0.5",
    "1e300",
    "-1e300",
    "0/0",
    "1/0",
    "2^53",
    "255",
    "65536",
    "4294967296",
    "''",
    "'x'",
    "'Car'",
    "'Car/Wheel'",
    "'a/b'",
    "'LampComponent'",
    "'TransformComponent'",
    "'RigidbodyComponent'",
    "'ScriptSpeed'",
    "'ScriptDamage'",
    "'ScriptAlarm'",
    "'ScriptComponent'",
    "'position'",
    "'position.x'",
    "'watts'",
    "'shape.radius'",
    "'y'",
    "'Space'",
    "'GamepadA'",
    "'LeftX'",
    "'assets://tree.json'",
    "'assets://bad.json'",
    "'x\\0y'",
    "('x'):rep(300)",
    "('\\255'):rep(3)",
    "{}",
    "{1, 2, 3}",
    "{x = 1}",
    "{name = 'N', position = Vec3(1, 2, 3)}",
    "{LampComponent = {watts = 5}}",
    "{RigidbodyComponent = {mass = 2}}",
    "{watts = 50, lampType = 'Spot'}",
    "{amount = 3, target = this, kind = 'k'}",
    "{'LampComponent', none = 'ScriptAlarm'}",
    "{origin = Vec3(0, 9, 0), direction = Vec3(0, -1, 0)}",
    "{shape = 'Sphere', position = Vec3(0, 1, 0), radius = 2, motion = Vec3(0, -3, 0)}",
    "{shape = 'Box', position = Vec3(), halfExtents = Vec3(1, 1, 1)}",
    "loop",
    "print",
    "this",
    "angularVelocity",
    "spin",
    "Vec3(1, 2, 3)",
    "Vec3(0/0, 1, 1)",
    "Vec3(1e30, 1e30, 1e30)",
    "Vec3(1e-30, 1e-30, 1e-30)",
    "Vec2(1, 2)",
    "Vec4(1, 2, 3, 4)",
    "Quat()",
    "Quat(0, 0, 0, 0)",
    "getObject('Car')",
    "getObject('Car/Wheel')",
    "getObject('Ball')",
    "this:getComponent('LampComponent')",
    "coroutine.wrap(print)",
};

/* Rows by kind, in order of the tables. */
typedef struct Member {
    const char *in; /* class or table; "" */
    const CniScriptBinding *row;
} Member;
static Member functions[256], properties[256], methods[128];
static uint32_t function_count, property_count, method_count;

static void gather_rows(void)
{
    if (function_count)
        return;
    for (const CniScriptBindingTable *const *table = cni_script_binding_tables(); *table; table++)
        for (const CniScriptBinding *row = (*table)->bindings; row->name; row++) {
            Member member = {(*table)->name ? (*table)->name : "", row};
            if (!row->call)
                continue;
            if (row->kind == CNI_SCRIPT_FUNCTION && strcmp(row->name, "gotoScene"))
                functions[function_count++] = member;
            else if (row->kind == CNI_SCRIPT_PROPERTY)
                properties[property_count++] = member;
            else if (row->kind == CNI_SCRIPT_METHOD)
                methods[method_count++] = member;
        }
}

/* What is likely to be taken for a type. */
static const struct {
    const char *type;
    const char *values[14]; /* NULL at the end */
} likely[] = {
    {"string",
     {"'Car'", "'Car/Wheel'", "'LampComponent'", "'TransformComponent'", "'RigidbodyComponent'",
      "'ScriptSpeed'", "'ScriptDamage'", "'ScriptAlarm'", "'position.x'", "'watts'", "'x'",
      "'Space'", "'assets://tree.json'"}},
    {"number", {"0", "1", "2", "-1", "0.5", "90", "1e30", "1e-30", "3", "7", "100"}},
    {"Vec3", {"Vec3(1, 2, 3)", "Vec3(0, -1, 0)", "Vec3()", "Vec3(1e20, 1, 1)", "v[2]"}},
    {"Vec2", {"Vec2(1, 2)"}},
    {"Vec4", {"Vec4(1, 2, 3, 4)"}},
    {"Quat", {"Quat()", "Quat(1, 2, 3, 4)", "Quat(0, 0, 0, 0)"}},
    {"Object",
     {"this", "getObject('Car')", "getObject('Car/Wheel')", "getObject('Ball')", "v[1]", "v[3]",
      "spawn{name = 'S'}", "this:clone()", "loadPrefab('assets://tree.json')"}},
    {"boolean", {"true", "false"}},
    {"fun", {"spin", "print", "function() v[1] = this end"}},
    {"RayQuery",
     {"{origin = Vec3(0, 9, 0), direction = Vec3(0, -1, 0)}",
      "{origin = Vec3(), direction = v[2], except = this}"}},
    {"ShapeQuery",
     {"{shape = 'Sphere', position = v[2], radius = 2}",
      "{shape = 'Box', position = Vec3(), halfExtents = Vec3(9, 9, 9)}"}},
    {"SweepQuery", {"{shape = 'Capsule', position = v[2], radius = 2, motion = Vec3(0, -9, 0)}"}},
    {"table",
     {"{name = 'N', position = Vec3(1, 2, 3)}", "{LampComponent = {watts = 5}}", "{watts = 50}",
      "{RigidbodyComponent = {mass = 2}}", "{amount = 3, target = this}", "loop", "{1, 2, 3}",
      "{lampType = 'Spot', shape = {radius = 3}}", "{mass = 1, collisionShape = {type = 'Box'}}"}},
    {"any", {"{1, 2, 3, 4, 5, 6, 7, 8}", "{0.5}", "{Vec3(1, 2, 3), 'x'}"}},
    {"Query", {"query('TransformComponent')", "query('LampComponent')", "query('ScriptSpeed')"}},
    {"Batch", {"v[5]"}},
    {"Component",
     {"this:getComponent('LampComponent')", "this:getComponent('TransformComponent')"}},
};

typedef struct Source {
    const uint8_t *bytes;
    size_t size, at;
    CnTextBuilder text;
} Source;

/* 0 to n - 1 from the next byte; 0 when there are no more. */
static uint32_t pick(Source *source, uint32_t n)
{
    return source->at < source->size ? source->bytes[source->at++] % n : 0;
}

static void put(Source *source, const char *text)
{
    cn_text_append(&source->text, cn_text(text));
}

static void put_variable(Source *source)
{
    cn_text_append_format(&source->text, "v[%u]", pick(source, VARIABLES) + 1);
}

static void put_value(Source *source)
{
    if (pick(source, 3) == 0)
        put_variable(source);
    else
        put(source, values[pick(source, CN_COUNT_OF(values))]);
}

static void put_likely(Source *source, const char *type)
{
    for (uint32_t i = 0; i < CN_COUNT_OF(likely); i++) {
        if (strncmp(likely[i].type, type, strlen(likely[i].type)))
            continue;
        uint32_t count = 0;
        while (count < CN_COUNT_OF(likely[i].values) && likely[i].values[count])
            count++;
        put(source, likely[i].values[pick(source, count)]);
        return;
    }
    put_value(source);
}

/* Mostly what the row asks for: a type follows each ": " in front of its ")". */
static void put_arguments(Source *source, const CniScriptBinding *row)
{
    if (pick(source, 4) == 0) {
        for (uint32_t n = pick(source, 5), i = 0; i < n; i++) {
            put(source, i ? ", " : "");
            put_value(source);
        }
        return;
    }
    const char *end = strstr(row->type, "): ");
    end = end ? end : row->type + strlen(row->type);
    bool first = true;
    for (const char *at = strstr(row->type, ": "); at && at < end; at = strstr(at + 2, ": ")) {
        put(source, first ? "" : ", ");
        first = false;
        put_likely(source, at + 2);
    }
}

/* Something of this class, mostly. */
static void put_receiver(Source *source, const char *in)
{
    if (pick(source, 4) == 0)
        put_variable(source);
    else if (in[0] >= 'a')
        put(source, in);
    else {
        put(source, "(");
        put_likely(source, in);
        put(source, ")");
    }
}

static void put_member(Source *source, const Member *member)
{
    put_receiver(source, member->in);
    cn_text_append_format(&source->text, ".%s", member->row->name);
}

static void put_expression(Source *source)
{
    static const char *const operators[] = {
        " + ", " - ", " * ", " / ", " == ", " < ", " .. ", " % ", " ^ ", " ~= "};
    const Member *member;
    switch (pick(source, 8)) {
    case 0:
    case 1:
        member = &functions[pick(source, function_count)];
        cn_text_append_format(&source->text, "%s%s%s(", member->in, member->in[0] ? "." : "",
                              member->row->name);
        put_arguments(source, member->row);
        put(source, ")");
        return;
    case 2:
        put_member(source, &properties[pick(source, property_count)]);
        return;
    case 3:
    case 4:
        member = &methods[pick(source, method_count)];
        put_receiver(source, member->in);
        cn_text_append_format(&source->text, ":%s(", member->row->name);
        put_arguments(source, member->row);
        put(source, ")");
        return;
    case 5:
        put_value(source);
        put(source, operators[pick(source, CN_COUNT_OF(operators))]);
        put_value(source);
        return;
    case 6:
        put_variable(source);
        put(source, "[");
        put_value(source);
        put(source, "]");
        return;
    default:
        put_value(source);
    }
}

static void put_statement(Source *source)
{
    const Member *member;
    switch (pick(source, 8)) {
    case 0:
    case 1:
        member = &properties[pick(source, property_count)];
        put(source, "try(function() local o = ");
        put_receiver(source, member->in);
        cn_text_append_format(&source->text, " o.%s = ", member->row->name);
        put_likely(source, member->row->type);
        put(source, " end)\n");
        return;
    case 2:
        put(source, "try(function() for b in ");
        put_likely(source, "Query");
        put(source, ":batches() do v[5] = b ");
        put_variable(source);
        put(source, " = ");
        put_expression(source);
        put(source, " end end)\n");
        return;
    case 3:
        put(source, "try(function() ");
        put_variable(source);
        put(source, "[");
        put_value(source);
        put(source, "] = ");
        put_value(source);
        put(source, " end)\n");
        return;
    case 4:
        put(source, "try(function() for a, b in ");
        put_expression(source);
        put(source, " do v[1], v[2] = a, b ");
        put_variable(source);
        put(source, " = ");
        put_expression(source);
        put(source, " end end)\n");
        return;
    default:
        cn_text_append_format(&source->text, "keep(%u, function() return ",
                              pick(source, VARIABLES) + 1);
        put_expression(source);
        put(source, " end)\n");
    }
}

/* One part runs in each of the first ticks; a part begins with a byte 0. */
static void make_script(Source *source)
{
    gather_rows();
    put(source,
        "local v, n = {this, Vec3(1, 2, 3), getObject('Car'), {}}, 0\n"
        "local loop = {} loop.loop = loop\n"
        "local function try(f) return pcall(f) end\n"
        "local function keep(i, f) local ok, r = pcall(f) if ok then v[i] = r end end\n"
        "local function spin(e) n = n + 1 if n < 50 then try(function() send('x', e) end) end end\n"
        "local parts = {function()\n");
    for (uint32_t i = 0; i < MAX_STEPS && source->at < source->size; i++)
        if (pick(source, 16) == 0)
            put(source, "end, function()\n");
        else
            put_statement(source);
    put(source, "end}\n"
                "local part = 0\n"
                "function on_update() part = part + 1 if parts[part] then parts[part]() end end\n"
                "function on_collisionenter(other) v[3] = other end\n");
}

/* ---- One case ---- */

static char problem[512];

static const char *check_numbers(const ScriptWorld *w)
{
    CnQuery *query =
        cn_query_acquire(w->world, &(CnQueryDesc){.all = {cn_reads(CnTransform)}}, NULL);
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(query); cn_query_next(&it, &view);) {
        const CnTransform *rows = cn_column_const(&view, CnTransform);
        for (uint32_t i = 0; i < view.count; i++) {
            float numbers[10];
            memcpy(numbers, &rows[i], sizeof numbers);
            for (uint32_t k = 0; k < CN_COUNT_OF(numbers); k++)
                if (!(numbers[k] - numbers[k] == 0))
                    return "a transform is not finite";
        }
    }
    return NULL;
}

static bool begin_world(ScriptWorld *w)
{
    if (!script_world_init(w, &(ScriptWorldDesc){.sandboxed = true, .physics = true}))
        return false;
    w->scripts.instructions_per_call = 100000;
    w->scripts.instructions_per_tick = 300000; /* clones of scripts that clone */
    w->scripts.memory_bytes = 16u << 20;
    memory_files_set(&w->files, "assets://tree.json",
                     "{\"id\": \"Tree\", \"children\": [{\"id\": \"Leaf\"}]}");
    memory_files_set(&w->files, "assets://bad.json", "{\"id\": ");
    return true;
}

/* NULL, or what went wrong. `runs`: whether the script came to its end without an error of its own.
 */
static const char *try_in(ScriptWorld *w, const uint8_t *bytes, size_t size, bool show, bool *runs)
{
    Source source = {.bytes = bytes, .size = size};
    cn_array_init(&source.text, NULL);
    make_script(&source);
    if (show)
        puts(source.text.items);
    CnEntity object = script_add(w, "Fuzz", source.text.items);
    cn_add(w->world, object, SceneLamp);
    const char *wrong = script_tick(w, 6) ? check_numbers(w) : w->text.items;
    *runs = cn_script_status(w->world, object) != CN_SCRIPT_FAILED;
    if (show && !*runs)
        puts(script_error(w, object));
    if (wrong)
        cn_format(problem, sizeof problem, "%s", wrong);
    if (cn_is_alive(w->world, object))
        cn_destroy(w->world, object);
    cn_array_fini(&source.text);
    return wrong ? problem : NULL;
}

#ifdef CN_LIBFUZZER

/* Making and checking a world takes much longer than running a script in it, so several share one.
 * What fails only after others is found again by running the fuzzer with the same -seed. It keeps
 * memory from one case to the next: -detect_leaks=0. */
#define CASES_PER_WORLD 15u

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static ScriptWorld w;
    static uint32_t cases;
    bool runs;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    const char *wrong = cases % CASES_PER_WORLD || begin_world(&w) ? NULL : "no world";
    if (!wrong)
        wrong = try_in(&w, bytes, size, false, &runs);
    /* Clones of scripts that clone would take over. */
    bool full = cn_entity_count(w.world) > 300;
    if (!wrong && (++cases % CASES_PER_WORLD == 0 || full)) {
        wrong = check_world(w.world);
        script_world_fini(&w);
        cases = 0;
    }
    if (wrong) {
        fprintf(stderr, "%s\n", wrong);
        abort();
    }
    return 0;
}

#else

#include "cmocka_tests.h"

#ifndef CASES
#define CASES 400u
#endif
#define MAX_BYTES 700u

static const char *try_bytes(const uint8_t *bytes, size_t size, bool show, bool *runs)
{
    ScriptWorld w;
    if (!begin_world(&w))
        return "no world";
    const char *wrong = try_in(&w, bytes, size, show, runs);
    if (!wrong)
        wrong = check_world(w.world);
    script_world_fini(&w);
    return wrong;
}

static void bytes_of_a_seed_do_no_harm(void **state)
{
    (void)state;
    cn_log_set_level(CN_LOG_LEVEL_OFF);
    uint32_t run = 0;
    for (uint32_t i = 0; i < CASES; i++) {
        TestRandom random = {i + 1};
        uint8_t bytes[MAX_BYTES];
        uint32_t size = test_random_below(&random, MAX_BYTES);
        for (uint32_t k = 0; k < size; k++)
            bytes[k] = (uint8_t)test_random(&random);
        bool runs;
        const char *wrong = try_bytes(bytes, size, false, &runs);
        if (wrong)
            fail_msg("case %u: %s", i, wrong);
        run += runs;
    }
    assert_true(run > CASES / 2); /* most get through all their steps */
}

static uint8_t *read_bytes(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    uint8_t *bytes = malloc(1 << 20);
    *size = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

static void what_once_failed_does_no_harm(void **state)
{
    (void)state;
    DIR *folder = opendir("tests/fuzz/script/corpus");
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char path[512];
        if (entry->d_name[0] == '.')
            continue;
        cn_format(path, sizeof path, "tests/fuzz/script/corpus/%s", entry->d_name);
        size_t size;
        uint8_t *bytes = read_bytes(path, &size);
        bool runs;
        const char *wrong = try_bytes(bytes, size, false, &runs);
        free(bytes);
        if (wrong)
            fail_msg("%s: %s", path, wrong);
    }
    if (folder)
        closedir(folder);
}

int main(int argc, char **argv)
{
    if (argc == 2) {
        size_t size;
        bool runs;
        uint8_t *bytes = read_bytes(argv[1], &size);
        const char *wrong = try_bytes(bytes, size, true, &runs);
        free(bytes);
        puts(wrong ? wrong : "no harm done");
        return wrong ? 1 : 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_of_a_seed_do_no_harm),
        cmocka_unit_test(what_once_failed_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
