/*
 * Sandboxes: Lua code of one owner, such as a mod, that calls functions of the game and is called
 * by it.
 *
 *     static bool add(CnLuaCall *call)
 *     {
 *         return cn_lua_return_number(call, call->arguments[0].number + call->arguments[1].number);
 *     }
 *
 *     static const CnLuaFunction functions[] = {
 *         {"add", add, "(a: number, b: number): number", "Adds.", "assert(add(1, 2) == 3)"}, {0}};
 *     static const CnLuaTable arithmetic = {NULL, "Arithmetic", functions, NULL};
 *
 *     bool run(CnError *error)
 *     {
 *         const CnLuaTable *tables[] = {&arithmetic, NULL};
 *         CnLuaSandbox *sandbox = cn_lua_sandbox_create(
 *             &(CnLuaSandboxDesc){.name = "quest", .tables = tables}, error);
 *         bool good = sandbox && cn_lua_sandbox_run(sandbox, "main.lua",
 *                                                   cn_text("print(add(1, 2))"), error);
 *         cn_lua_sandbox_destroy(sandbox);
 *         return good;
 *     }
 *
 * Each sandbox has a Lua state, a memory limit and a budget of instructions of its own, so an owner
 * that uses up its budget or fails affects nobody else. What the code can reach: Lua's library
 * without files, processes, bytecode and the JIT (docs/scripting.md), `print`, `require`, and the
 * functions of the tables. The order of `pairs` and all mathematics are the same on every machine;
 * there is neither a clock nor a source of random numbers.
 *
 * Functions of the game are C functions without any access to Lua: they read their arguments from
 * an array, which was checked against the type in the table, and return values or an error, which
 * Lua throws with file and line. Tables pass as JSON. Annotations for editors and the reference for
 * people are written from the same rows.
 *
 * Lua functions are handlers. They are taken only while files are loaded, so that loading the same
 * files gives the same numbers, also in a world that was saved and restored.
 *
 * One thread at a time uses a sandbox.
 */
#ifndef CAIRN_SCRIPT_SANDBOX_H
#define CAIRN_SCRIPT_SANDBOX_H

#include <cairn/base/file.h>
#include <cairn/base/text.h>

CN_EXTERN_C_BEGIN

#define CN_LUA_MAX_PARAMETERS 8u
#define CN_LUA_MAX_RESULTS 4u
#define CN_LUA_MAX_HANDLERS 4096u
#define CN_LUA_MAX_DEPTH 16u /* of tables that pass between Lua and the game */
#define CN_LUA_NAME_BYTES 64u
#define CN_LUA_PATH_BYTES 128u

typedef struct CnLuaSandbox CnLuaSandbox;

/* ---- Values ---- */

typedef enum CnLuaKind {
    CN_LUA_NIL,
    CN_LUA_BOOLEAN,
    CN_LUA_NUMBER,
    CN_LUA_TEXT,
    CN_LUA_TABLE,   /* a tree of values; functions in it become {"function": number} */
    CN_LUA_FUNCTION /* a handler, for cn_lua_sandbox_call */
} CnLuaKind;

typedef struct CnLuaValue {
    CnLuaKind kind;
    bool boolean;
    uint32_t function; /* of CN_LUA_FUNCTION, from 1 */
    double number;     /* finite */
    CnText text;       /* UTF-8 of CN_LUA_TEXT; canonical JSON of CN_LUA_TABLE: keys in order */
} CnLuaValue;

static inline CnLuaValue cn_lua_boolean(bool boolean)
{
    CnLuaValue value = {CN_LUA_BOOLEAN, boolean, 0, 0, {NULL, 0}};
    return value;
}
static inline CnLuaValue cn_lua_number(double number)
{
    CnLuaValue value = {CN_LUA_NUMBER, false, 0, number, {NULL, 0}};
    return value;
}
/* The text must stay valid as long as the value. */
static inline CnLuaValue cn_lua_text(CnText text)
{
    CnLuaValue value = {CN_LUA_TEXT, false, 0, 0, text};
    return value;
}
static inline CnLuaValue cn_lua_json(CnText json)
{
    CnLuaValue value = {CN_LUA_TABLE, false, 0, 0, json};
    return value;
}

/* ---- Functions of the game ---- */

/* A call of a function of the game. */
typedef struct CnLuaCall {
    CnLuaSandbox *sandbox;
    void *user; /* of CnLuaSandboxDesc */
    /* As many as the type has parameters, of the kinds that it names; what was omitted is nil.
     * A function with "..." has all that were passed. Valid during the call. */
    const CnLuaValue *arguments;
    uint32_t argument_count;
    uint32_t result_count;
    CnLuaValue results[CN_LUA_MAX_RESULTS];
    CnTextBuilder *text; /* empty at the start; for texts of results */
    CnError *error;      /* set by a function that returns false; its file and line are not used */
} CnLuaCall;

/* Returns false with call->error set if the call fails. Must not call the sandbox. */
typedef bool CnLuaFn(CnLuaCall *call);

typedef struct CnLuaFunction {
    const char *name;
    CnLuaFn *call;
    /* In LuaLS notation, such as "(name: string, count?: integer): boolean". Checked are `boolean`,
     * `number`, `integer`, `string`, `table`, `any` and `function`; names of classes and types with
     * brackets mean tables, "fun(...)" means a function. */
    const char *type;
    const char *about;
    const char *example; /* Lua code that runs by itself */
} CnLuaFunction;

/* Fields of tables that functions take or pass to handlers; for documentation only. */
typedef struct CnLuaField {
    const char *name, *type, *about;
} CnLuaField;
typedef struct CnLuaClass {
    const char *name, *about;
    const CnLuaField *fields; /* ends with a NULL name */
} CnLuaClass;

typedef struct CnLuaTable {
    const char *name; /* NULL: the functions are globals */
    const char *about;
    const CnLuaFunction *functions; /* ends with a NULL name */
    const CnLuaClass *classes;      /* ends with a NULL name; NULL: none */
} CnLuaTable;

/* Adds a result. Returns true, so that a function can end with it. */
static inline bool cn_lua_return(CnLuaCall *call, CnLuaValue value)
{
    if (call->result_count < CN_LUA_MAX_RESULTS)
        call->results[call->result_count++] = value;
    return true;
}
static inline bool cn_lua_return_number(CnLuaCall *call, double number)
{
    return cn_lua_return(call, cn_lua_number(number));
}
static inline bool cn_lua_return_boolean(CnLuaCall *call, bool boolean)
{
    return cn_lua_return(call, cn_lua_boolean(boolean));
}
/* The text must stay valid until the function returns. */
static inline bool cn_lua_return_text(CnLuaCall *call, CnText text)
{
    return cn_lua_return(call, cn_lua_text(text));
}
/* Stores the file and the line of the Lua code that called the function. */
CN_API void cn_lua_call_position(const CnLuaCall *call, char file[CN_LUA_PATH_BYTES], int *line);
/* Charges work that is done for the owner, in instructions of about 2 ns. The call that exceeds the
 * budget is stopped after the function has returned. */
CN_API void cn_lua_charge(CnLuaCall *call, uint64_t instructions);

/* ---- Sandboxes ---- */

/* Code of others that `require("name:file")` finds: that of the owner's dependencies. Each owner
 * runs its own copy. */
typedef struct CnLuaLibrary {
    const char *name, *folder;
} CnLuaLibrary;

typedef struct CnLuaSandboxDesc {
    const char *name;                /* of the owner, in messages; required; copied */
    CnAllocator *allocator;          /* NULL: the system allocator */
    CnFileSystem *files;             /* for files and `require`; NULL: there are none */
    const char *folder;              /* of the owner's files; copied; NULL: "" */
    const CnLuaLibrary *libraries;   /* ends with a NULL name; not copied; NULL: none */
    const CnLuaTable *const *tables; /* ends with NULL; not copied; NULL: none */
    void *user;                      /* for functions of the game */
    size_t memory_bytes;             /* 0 selects 32 MiB */
    uint64_t instructions_per_call;  /* 0 selects 2 million */
    uint64_t instructions_per_tick;  /* 0 selects 5 million */
    uint64_t instructions_to_load;   /* 0 selects 100 million */
    /* Work that single instructions hide is charged by samples whose places follow from this seed
     * and the name: pass that of the world. Owners who do not know it cannot avoid the samples. */
    uint64_t seed;
    /* The last resort, for work that the budgets do not know: milliseconds of thread time in a
     * tick; 0 selects 10,000. It depends on the machine, so it is reported: from then on the run is
     * not reproducible. See cn_sim_mark_not_reproducible. */
    uint32_t watchdog_ms;
    void (*on_not_reproducible)(void *user, const char *reason); /* may be NULL */
} CnLuaSandboxDesc;

/* Returns NULL and an error when out of memory, or if the type of a function is malformed. */
CN_API CnLuaSandbox *cn_lua_sandbox_create(const CnLuaSandboxDesc *desc, CnError *error);
CN_API void cn_lua_sandbox_destroy(CnLuaSandbox *sandbox); /* NULL is ignored */

/* Loads a file of the owner, for example "main.lua", and runs it. Returns false and an error with
 * file and line on failure. */
CN_API bool cn_lua_sandbox_load(CnLuaSandbox *sandbox, const char *file, CnError *error);
/* The same for code that is in memory. `file` names it in messages. */
CN_API bool cn_lua_sandbox_run(CnLuaSandbox *sandbox, const char *file, CnText code,
                               CnError *error);
/* Calls a handler. `result` receives the first result, valid until the next call; it may be NULL.
 * Returns false and an error with file and line on failure; the code is CN_ERROR_LIMIT if the
 * handler exceeded a budget. A handler whose owner has used up the budget of the tick is not
 * called. */
CN_API bool cn_lua_sandbox_call(CnLuaSandbox *sandbox, uint32_t handler,
                                const CnLuaValue *arguments, uint32_t count, CnLuaValue *result,
                                CnError *error);
/* The same for a handler with up to `result_count` results, at most CN_LUA_MAX_RESULTS; those that
 * are missing are nil. */
CN_API bool cn_lua_sandbox_call_many(CnLuaSandbox *sandbox, uint32_t handler,
                                     const CnLuaValue *arguments, uint32_t count,
                                     CnLuaValue *results, uint32_t result_count, CnError *error);

/* Replaces the seed, when the world of the sandbox is known; between calls. */
CN_API void cn_lua_sandbox_seed(CnLuaSandbox *sandbox, uint64_t seed);
/* Begins a tick with a new budget. */
CN_API void cn_lua_sandbox_begin_tick(CnLuaSandbox *sandbox);
/* Returns whether the budget of the tick is used up. */
CN_API bool cn_lua_sandbox_is_spent(const CnLuaSandbox *sandbox);

typedef struct CnLuaSandboxStats {
    size_t bytes, peak_bytes;
    uint64_t tick_instructions; /* in this tick, or to load */
    uint64_t calls, errors;
    uint32_t handlers;
    uint32_t watchdog_stops; /* if not 0, the run is not reproducible */
} CnLuaSandboxStats;
CN_API CnLuaSandboxStats cn_lua_sandbox_stats(const CnLuaSandbox *sandbox);

/* ---- Documentation from the tables ---- */

/* Appends annotations for Lua language servers. Returns false when out of memory. */
CN_API bool cn_lua_write_annotations(const CnLuaTable *const *tables, CnTextBuilder *text);
/* Appends a reference in Markdown: each function with its example. Returns false when out of
 * memory. */
CN_API bool cn_lua_write_reference(const CnLuaTable *const *tables, CnTextBuilder *text);

CN_EXTERN_C_END

#endif
