/*
 * Lua programs for the API of mods, made of bytes: calls of all functions of crafty_mods_tables()
 * with arguments that fit their types, and with others.
 *
 *     ModProgram program;
 *     mod_program_init(&program, bytes, size);
 *     mod_program_handlers(&program); // main.lua with handlers in which everything is called
 *     use(program.code);
 *
 * Whatever the bytes are, the program can be compiled and ends within the budget of loading.
 */
#ifndef CAIRN_TESTS_SUPPORT_CRAFTY_MOD_PROGRAM_H
#define CAIRN_TESTS_SUPPORT_CRAFTY_MOD_PROGRAM_H

#include <crafty/sim/mod/mods.h>

#include <cairn/base/text.h>

#include <string.h>

#define MOD_PROGRAM_BYTES 16384u
#define MOD_PROGRAM_CALLS 128u

typedef struct ModProgramCall {
    const CnLuaTable *table;
    const CnLuaFunction *function;
} ModProgramCall;

typedef struct ModProgram {
    const uint8_t *bytes;
    size_t size, at, used;
    ModProgramCall calls[MOD_PROGRAM_CALLS]; /* all functions of the API */
    uint32_t call_count;
    char code[MOD_PROGRAM_BYTES];
} ModProgram;

static inline void mod_program_init(ModProgram *program, const uint8_t *bytes, size_t size)
{
    program->bytes = bytes;
    program->size = size;
    program->at = program->used = program->call_count = 0;
    program->code[0] = 0;
    for (const CnLuaTable *const *table = crafty_mods_tables(); *table; table++)
        for (const CnLuaFunction *row = (*table)->functions; row && row->name; row++)
            if (program->call_count < MOD_PROGRAM_CALLS)
                program->calls[program->call_count++] = (ModProgramCall){*table, row};
}

/* ---- Bytes and text ---- */

static inline uint32_t mod_program_pick(ModProgram *program, uint32_t n)
{
    return program->at < program->size ? program->bytes[program->at++] % n : 0;
}

static inline bool mod_program_has_bytes(const ModProgram *program)
{
    return program->at < program->size && program->used < MOD_PROGRAM_BYTES / 2;
}

/* Brackets and `end` have room that nothing else takes. */
static inline void mod_program_close(ModProgram *program, const char *text)
{
    size_t size = strlen(text);
    if (program->used + size >= MOD_PROGRAM_BYTES)
        return;
    memcpy(program->code + program->used, text, size + 1);
    program->used += size;
}

static inline bool mod_program_is_full(const ModProgram *program)
{
    return program->used > MOD_PROGRAM_BYTES - 2048;
}

static inline void mod_program_put_one(ModProgram *program, const char *const *list, size_t count)
{
    mod_program_close(program, mod_program_is_full(program)
                                   ? "1"
                                   : list[mod_program_pick(program, (uint32_t)count)]);
}

#define MOD_PROGRAM_ONE(program, list) mod_program_put_one(program, list, CN_COUNT_OF(list))

/* ---- Values ---- */

static const char *const mod_program_odd[] = {
    "nil",
    "-1",
    "0",
    "0.5",
    "1e308",
    "-1e308",
    "0/0",
    "1/0",
    "9007199254740993",
    "-2147483648",
    "4294967296",
    "40000000",
    "true",
    "''",
    "'\\0'",
    "'\\255\\254'",
    "('x'):rep(300)",
    "('\\\\n'):rep(5000)",
    "'../../x'",
    "{}",
    "{{{{{{}}}}}}",
    "{1, 2, nil, 4}",
    "{[1] = 1, [3] = 3, x = 2}",
    "{x = function() end}",
    "print",
    "world",
    "e",
    "t",
    "cycle",
    "deep",
    "setmetatable({}, {__index = function() error('x') end})",
    "coroutine.create(print)",
    "function() return {layers = {{'x'}}, palette = {x = 'stone'}} end"};

static const char *const mod_program_numbers[] = {"1", "2", "3", "e.x", "e.z", "8", "15", "60"};
static const char *const mod_program_across[] = {"0", "1", "-2", "3", "e.x", "5.5", "20", "-9e7"};
static const char *const mod_program_heights[] = {"301", "302", "300", "303.5", "e.y", "299", "60"};
static const char *const mod_program_players[] = {"1", "e.player", "2", "0"};
static const char *const mod_program_creatures[] = {"c", "e.creature", "e.id", "0", "c or 1"};
static const char *const mod_program_texts[] = {
    "'stone'",     "'air'",       "'fuzz:box'",
    "'fuzz:core'", "'chest'",     "'furnace'",
    "'apple'",     "'coal'",      "'pig'",
    "'villager'",  "'fuzz:ant'",  "'poof'",
    "'blast'",     "'k'",         "'k/' .. tostring(e.x)",
    "'#ff8800'",   "'bell'",      "'clear'",
    "'thunder'",   "'water'",     "'lava'",
    "'sand'",      "'tnt'",       "'oak_log'",
    "'grass'",     "'pickaxe'",   "'iron'",
    "'farmer'",    "'changing'",  "'fuzz:gem'",
    "'plains'",    "'#planks'",   "'oak_door'",
    "'torch'",     "'text'",      "'A line\\nof text'",
    "'gem'",       "'new_thing'", "'wheat_seeds'"};

/* What the fields and parameters of some names are. */
typedef struct ModProgramWords {
    const char *name;
    const char *words[8];
} ModProgramWords;
static const ModProgramWords mod_program_words[] = {
    {"event", {"'tick'", "'place'", "'break'", "'use'", "'hurt'", "'chat'", "'join'", "'talk'"}},
    {"kind",
     {"'text'", "'bar'", "'image'", "'grid'", "'panel'", "'marker'", "'pig'", "'fuzz:ant'"}},
    {"anchor", {"'topLeft'", "'top'", "'center'", "'bottomRight'"}},
    {"name", {"'box'", "'core'", "'gem'", "'poof'", "'bell'", "'pig'", "'quest'", "'clear'"}},
    {"like", {"'stone'", "'glass'", "'water'", "'oak_door'", "'torch'"}},
    {"material", {"'opaque'", "'semi'", "'prop'", "'water'"}},
    {"model", {"'pig'", "'cow'", "'duck'", "'nothing'"}},
    {"size", {"{0.5, 0.9}", "{1, 1}", "1", "4", "0.5"}},
    {"shape", {"{{0, 0, 0, 16, 8, 16}}", "{'ab', 'b '}", "{'a'}", "{{16, 0, 0, 0, 0, 99}}"}},
    {"keys", {"{a = 'stone', b = 'coal'}", "{a = '#planks'}", "{a = 'fuzz:gem'}"}},
    {"layers", {"{{'ab', 'ba'}}", "{{'a'}, {'b'}}", "{{'aaa'}}", "{{}}"}},
    {"palette", {"{a = 'stone', b = 'glass'}", "{a = {'stone', 'air'}}", "{ab = 1}"}},
    {"biomes", {"{'plains'}", "{'forest', 'taiga'}", "{'nowhere'}", "{}"}},
    {"heights", {"{60, 120}", "{15, 255}", "{200, 20}"}},
    {"colors", {"('ff8800'):rep(4)", "('00'):rep(12)", "('00ff00'):rep(4096)", "'zz'"}},
    {"columns", {"2", "1", "64", "65"}},
    {"rows", {"2", "1", "64", "0"}},
    {"choices", {"{'Yes', 'No'}", "{'1','2','3','4','5','6','7','8'}", "{}", "{('y'):rep(99)}"}},
    {"position", {"{x = 1, y = 301, z = 2}", "{x = 1e300, y = 0, z = 0}", "{1, 2, 3}"}},
    {"behaviours",
     {"{{['do'] = 'script', run = function(e) return 'wander' end}}", "{{['do'] = 'wander'}}",
      "{{['do'] = 'script', run = function(e) while true do end end, seconds = 1}}",
      "{{['do'] = 'dance'}}"}},
    {"spawn", {"{habitat = 'grass', biomes = {'plains'}, chance = 0.5}", "{habitat = 'moon'}"}},
    {"drops", {"{{item = 'coal', count = {0, 2}}}", "'coal'", "{{item = 'x'}}"}},
    {"offer", {"{buy = {{'coal', 3}}, sell = {'emerald', 1}}", "{want = 'coal', give = 'apple'}"}},
    {"file", {"'main.lua'", "'x.json'", "'../../../etc/passwd'"}},
    {"ticks", {"1", "2", "20", "1200"}},
    {"every", {"1", "2", "7"}},
    {"hours", {"12", "0", "24", "{6, 18}"}},
    {"count", {"1", "3", "64", "1024"}},
    {"slot", {"1", "2", "3", "27"}},
    {"slots", {"3", "27", "1", "28"}},
    {"radius", {"2", "8", "1", "64"}},
    {"definition", {"{}", "{name = 'box'}"}}};

static inline bool mod_program_put_word(ModProgram *program, const char *name)
{
    for (size_t i = 0; i < CN_COUNT_OF(mod_program_words); i++) {
        const ModProgramWords *words = &mod_program_words[i];
        uint32_t count = 0;
        while (count < CN_COUNT_OF(words->words) && words->words[count])
            count++;
        if (strcmp(words->name, name) == 0) {
            mod_program_put_one(program, words->words, count);
            return true;
        }
    }
    return false;
}

static inline void mod_program_block(ModProgram *program, int depth);
static inline void mod_program_value(ModProgram *program, const char *name, CnText type, int depth);

static inline void mod_program_function(ModProgram *program, int depth)
{
    mod_program_close(program, "function(e) ");
    if (depth > 0 && !mod_program_is_full(program))
        mod_program_block(program, depth - 1);
    static const char *const results[] = {"return true",
                                          "return false, 'no'",
                                          "",
                                          "return {goal = {x = 1, y = 301, z = 2}}",
                                          "return 'wander'",
                                          "return 3",
                                          "return t",
                                          "error({})"};
    mod_program_close(program, results[mod_program_pick(program, CN_COUNT_OF(results))]);
    mod_program_close(program, " end");
}

static inline const CnLuaClass *mod_program_class(CnText name)
{
    for (const CnLuaTable *const *table = crafty_mods_tables(); *table; table++)
        for (const CnLuaClass *row = (*table)->classes; row && row->name; row++)
            if (cn_text_equal(cn_text(row->name), name))
                return row;
    return NULL;
}

static inline void mod_program_fields(ModProgram *program, const CnLuaClass *class, int depth)
{
    mod_program_close(program, "{");
    for (const CnLuaField *field = class->fields; field->name; field++) {
        CnText type = cn_text(field->type);
        bool is_optional = type.size && type.data[type.size - 1] == '?';
        if (mod_program_is_full(program) || mod_program_pick(program, 8) < (is_optional ? 5u : 1u))
            continue;
        mod_program_close(program, field->name);
        mod_program_close(program, " = ");
        mod_program_value(program, field->name, type, depth - 1);
        mod_program_close(program, ", ");
    }
    mod_program_close(program, "}");
}

static inline bool mod_program_ends(CnText type, const char *end)
{
    size_t size = strlen(end);
    return type.size >= size && memcmp(type.data + type.size - size, end, size) == 0;
}

static inline void mod_program_list(ModProgram *program, const char *name, CnText type, int depth)
{
    mod_program_close(program, "{");
    for (uint32_t i = 0, n = mod_program_pick(program, 4); i < n; i++) {
        mod_program_value(program, name, type, depth - 1);
        mod_program_close(program, ", ");
    }
    mod_program_close(program, "}");
}

static inline void mod_program_number(ModProgram *program, const char *name)
{
    if (strcmp(name, "player") == 0 || strcmp(name, "owner") == 0)
        MOD_PROGRAM_ONE(program, mod_program_players);
    else if (strcmp(name, "creature") == 0)
        MOD_PROGRAM_ONE(program, mod_program_creatures);
    else if (strcmp(name, "x") == 0 || strcmp(name, "z") == 0)
        MOD_PROGRAM_ONE(program, mod_program_across);
    else if (strcmp(name, "y") == 0)
        MOD_PROGRAM_ONE(program, mod_program_heights);
    else
        MOD_PROGRAM_ONE(program, mod_program_numbers);
}

/* A value of a type in the notation of the tables; sometimes another one. */
static inline void mod_program_value(ModProgram *program, const char *name, CnText type, int depth)
{
    while (mod_program_ends(type, "?"))
        type.size--;
    if (type.size > 1 && type.data[0] == '(' && type.data[type.size - 1] == ')')
        type = (CnText){type.data + 1, type.size - 2};
    if (depth <= -2 || mod_program_is_full(program)) {
        mod_program_close(program, "1");
    } else if (mod_program_pick(program, 12) == 11) {
        MOD_PROGRAM_ONE(program, mod_program_odd);
    } else if (mod_program_pick(program, 4) && mod_program_put_word(program, name)) {
        return;
    } else if (cn_text_starts_with(type, cn_text("fun("))) {
        mod_program_function(program, depth);
    } else if (mod_program_ends(type, "[]")) {
        mod_program_list(program, name, (CnText){type.data, type.size - 2}, depth);
    } else if (cn_text_equal(type, cn_text("integer")) || cn_text_equal(type, cn_text("number"))) {
        mod_program_number(program, name);
    } else if (cn_text_starts_with(type, cn_text("string"))) {
        MOD_PROGRAM_ONE(program, mod_program_texts);
    } else if (cn_text_equal(type, cn_text("boolean"))) {
        mod_program_close(program, mod_program_pick(program, 2) ? "true" : "false");
    } else if (mod_program_class(type)) {
        mod_program_fields(program, mod_program_class(type), depth);
    } else {
        MOD_PROGRAM_ONE(program, mod_program_odd);
    }
}

/* ---- Statements ---- */

/* Arguments after the name of the function, each after a comma. */
static inline void mod_program_arguments(ModProgram *program, const char *type, int depth)
{
    const char *at = type + 1;
    while (*at && *at != ')') {
        const char *colon = strchr(at, ':'), *end = at;
        int nested = 0;
        for (; *end && (nested || (*end != ',' && *end != ')')); end++)
            nested += strchr("([{<", *end) ? 1 : strchr(")]}>", *end) ? -1 : 0;
        if (!colon || colon > end)
            return;
        char name[32];
        size_t size = (size_t)(colon - at) - (colon[-1] == '?' ? 1 : 0);
        cn_copy_text(name, sizeof name, (CnText){at, size});
        if (colon[-1] == '?' && mod_program_pick(program, 3) == 0)
            return;
        mod_program_close(program, ", ");
        mod_program_value(program, name,
                          cn_text_trim((CnText){colon + 1, (size_t)(end - colon - 1)}), depth);
        for (at = end; *at == ',' || *at == ' ';)
            at++;
    }
}

static inline void mod_program_call(ModProgram *program, int depth)
{
    const ModProgramCall *call = &program->calls[mod_program_pick(program, program->call_count)];
    static const char *const targets[] = {"ok, c = ", "ok, t = ", "ok, c, b = ", "ok = "};
    if (mod_program_is_full(program))
        return;
    bool is_protected = mod_program_pick(program, 16) != 15;
    if (is_protected)
        mod_program_put_one(program, targets, CN_COUNT_OF(targets));
    mod_program_close(program, is_protected ? "pcall(" : "(function(f, ...) f(...) end)(");
    if (call->table->name) {
        mod_program_close(program, call->table->name);
        mod_program_close(program, ".");
    }
    mod_program_close(program, call->function->name);
    mod_program_arguments(program, call->function->type, depth);
    mod_program_close(program, ");\n");
}

static inline void mod_program_statement(ModProgram *program, int depth)
{
    static const char *const others[] = {"t = creatures.near(0, 301, 0, 64); c = t[1];\n",
                                         "c = creatures.spawn('pig', 1.5, 301, 1.5);\n",
                                         "while true do t = {t} end\n",
                                         "t = ('x'):rep(1e6):rep(1e3);\n",
                                         "f(e);\n",
                                         "storage.set('t', t);\n",
                                         "error('on purpose');\n",
                                         "t[#t + 1] = c;\n"};
    uint32_t which = mod_program_pick(program, depth > 0 ? 16 : 8);
    if (which < 12) {
        mod_program_call(program, depth);
    } else if (which < 14) {
        static const char *const loops[] = {"for i = 1, 2 do ", "for i = 1, 3 do ",
                                            "for i = 1, 2 do ", "for i = 1, 40 do "};
        MOD_PROGRAM_ONE(program, loops);
        mod_program_block(program, depth - 1);
        mod_program_close(program, " end\n");
    } else {
        mod_program_put_one(program, others, CN_COUNT_OF(others));
        mod_program_close(program, "\n");
    }
}

static inline void mod_program_block(ModProgram *program, int depth)
{
    for (uint32_t i = 0, n = 1 + mod_program_pick(program, 3); i < n; i++)
        if (!mod_program_is_full(program))
            mod_program_statement(program, depth);
}

/* ---- Programs ---- */

static const char mod_program_prelude[] =
    "ok, b, c, t = true, 2, 3, {}\n"
    "e = {x = 1, y = 301, z = 2, player = 1, creature = 1, id = 1}\n"
    "cycle = {} cycle[1] = cycle deep = {} for i = 1, 50 do deep = {deep} end\n"
    "function f() end\n"
    "item { name = 'gem' }\n";

/* Definitions: what main.lua may do. */
static inline void mod_program_definitions(ModProgram *program)
{
    mod_program_close(program, mod_program_prelude);
    while (mod_program_has_bytes(program))
        mod_program_call(program, 2);
}

static inline void mod_program_on(ModProgram *program, const char *begin, const char *end)
{
    mod_program_close(program, begin);
    for (uint32_t i = 0, n = mod_program_pick(program, 4); i < n; i++)
        if (!mod_program_is_full(program))
            mod_program_statement(program, 1);
    mod_program_close(program, end);
}

/* Handlers of all kinds; the blocks and the creature are always the same. */
static inline void mod_program_handlers(ModProgram *program)
{
    mod_program_close(program, mod_program_prelude);
    mod_program_on(program,
                   "block { name = 'box', like = 'stone', slots = 3, on_use = function(e) ",
                   " return true end,\n");
    mod_program_on(program, "on_place = function(e) ", " end,\n");
    mod_program_on(program, "on_break = function(e) ", " end,\n");
    mod_program_on(program, "on_step = function(e) ", " end,\n");
    mod_program_on(program, "on_tick = function(e) ", " end,\n");
    mod_program_on(program, "on_random_tick = function(e) ", " end }\n");
    mod_program_on(program, "block { name = 'core', like = 'glass', on_tick = function(e) ",
                   " end }\n");
    mod_program_on(program,
                   "creature { name = 'ant', model = 'pig', size = { 0.9, 0.9 }, behaviours = {\n"
                   "{ ['do'] = 'script', run = function(e) ",
                   " return 'wander' end, seconds = 0.1 } } }\n");
    mod_program_on(program, "before('break', function(e) ", " end)\n");
    mod_program_on(program, "before('hurt', function(e) ", " return 1e9 end)\n");
    mod_program_on(program, "before('chat', function(e) ", " return false, 'no' end)\n");
    mod_program_on(program, "on('choice', function(e) ", " end)\n");
    mod_program_on(program, "on('talk', function(e) ", " end)\n");
    mod_program_on(program, "command { name = 'go', run = function(e) ", " return e.text end }\n");
    mod_program_on(program, "on('join', function(e) ", " end)\n");
    mod_program_close(program, "on('tick', function(e) e.x, e.y, e.z, e.player = 1, 301, 2, 1\n");
    while (mod_program_has_bytes(program))
        mod_program_statement(program, 2);
    mod_program_close(program, " end, 1)\n");
}

#endif
