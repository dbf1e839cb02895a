/* Sandboxes for games: creating them, loading files, calling handlers. */
#include "script/host/lua_sandbox.h"

#include "script/bind/bind.h"

#define DEFAULT_MEMORY_BYTES (32u << 20)
#define DEFAULT_CALL 2000000u
#define DEFAULT_TICK 5000000u
#define DEFAULT_LOAD 100000000u

/* ---- Creating ---- */

/* Leaves the environment as the only table that the owner's files see. */
static void bind(lua_State *lua, void *user)
{
    CnLuaSandbox *sandbox = user;
    cni_script_push_environment(lua);
    cni_lua_bind_table(lua, sandbox, &(CnLuaTable){.name = NULL});
    cni_lua_bind_require(lua);
    for (const CnLuaTable *const *table = sandbox->desc.tables; table && *table; table++)
        cni_lua_bind_table(lua, sandbox, *table);
    sandbox->environment = luaL_ref(lua, LUA_REGISTRYINDEX);
    lua_newtable(lua);
    sandbox->modules = luaL_ref(lua, LUA_REGISTRYINDEX);
}

static void init(CnLuaSandbox *sandbox, const CnLuaSandboxDesc *desc, CnAllocator *allocator)
{
    sandbox->desc = *desc;
    sandbox->scripts.allocator = allocator;
    sandbox->handlers.allocator = allocator;
    sandbox->passed.allocator = allocator;
    sandbox->returned.allocator = allocator;
    sandbox->result.allocator = allocator;
    sandbox->environment = sandbox->modules = LUA_NOREF;
}

static bool open(CnLuaSandbox *sandbox, CnError *error)
{
    const CnLuaSandboxDesc *own = &sandbox->desc;
    CniScriptLuaState *state = &sandbox->state;
    CniScriptLuaDesc desc = {
        .owner = sandbox->name,
        .scripts = &sandbox->scripts,
        .sandboxed = true,
        .limits = {.memory_bytes = own->memory_bytes ? own->memory_bytes : DEFAULT_MEMORY_BYTES,
                   .instructions_per_call =
                       own->instructions_per_call ? own->instructions_per_call : DEFAULT_CALL,
                   .instructions_per_tick =
                       own->instructions_per_tick ? own->instructions_per_tick : DEFAULT_TICK}};
    if (!cni_script_lua_open(state, &desc, error))
        return false;
    if (cni_script_protected(state, bind, sandbox))
        return true;
    cni_script_fault_to_error(&state->fault, error);
    return false;
}

CnLuaSandbox *cn_lua_sandbox_create(const CnLuaSandboxDesc *desc, CnError *error)
{
    CN_ASSERT(desc && desc->name, "%s: the sandbox has no name", __func__);
    CnAllocator *allocator = desc->allocator ? desc->allocator : cn_system_allocator();
    CnLuaSandbox *sandbox = cn_alloc_zeroed(allocator, sizeof *sandbox);
    if (!sandbox) {
        cn_error_memory(error, "a sandbox");
        return NULL;
    }
    init(sandbox, desc, allocator);
    if (!cn_copy_text(sandbox->name, sizeof sandbox->name, cn_text(desc->name)) ||
        !cn_copy_text(sandbox->folder, sizeof sandbox->folder,
                      cn_text(desc->folder ? desc->folder : "")))
        cn_error_set(error, CN_ERROR_LIMIT, "the name or folder of a sandbox is too long");
    else if (open(sandbox, error))
        return sandbox;
    cn_lua_sandbox_destroy(sandbox);
    return NULL;
}

void cn_lua_sandbox_destroy(CnLuaSandbox *sandbox)
{
    if (!sandbox)
        return;
    CN_ASSERT(!sandbox->calling, "a sandbox is destroyed by its own code");
    cni_script_lua_close(&sandbox->state);
    json_decref(sandbox->json);
    cn_array_fini(&sandbox->handlers);
    cn_array_fini(&sandbox->passed);
    cn_array_fini(&sandbox->returned);
    cn_array_fini(&sandbox->result);
    cn_free(sandbox->scripts.allocator, sandbox, sizeof *sandbox);
}

/* ---- Running ---- */

/* Runs a job with the budgets of a call. */
static bool run(CnLuaSandbox *sandbox, CniScriptProtectedFn *job, void *user, CnError *error)
{
    CniScriptLuaState *state = &sandbox->state;
    CniScriptBudget budget;
    sandbox->calls++;
    cni_script_budget_begin(state, &budget);
    bool good = cni_script_protected(state, job, user);
    cni_script_budget_end(state, &budget);
    if (!good) {
        sandbox->errors++;
        if (!state->fault.file[0])
            cn_copy_text(state->fault.file, sizeof state->fault.file, cn_text(sandbox->name));
        cni_script_fault_to_error(&state->fault, error);
    }
    sandbox->calling = false;
    cni_script_collect_after_stop(state);
    json_decref(sandbox->json);
    sandbox->json = NULL;
    return good;
}

typedef struct Load {
    CnLuaSandbox *sandbox;
    const char *file; /* NULL: `text` is not a file, but */
    CnText text;
    const char *name;
} Load;

static void load(lua_State *lua, void *user)
{
    Load *job = user;
    if (job->file) {
        lua_rawgeti(lua, LUA_REGISTRYINDEX, job->sandbox->environment);
        lua_getfield(lua, -1, "require");
        lua_pushstring(lua, job->file);
        lua_call(lua, 1, 1);
    } else {
        cni_lua_run_text(lua, job->sandbox, job->name, job->text);
    }
}

static bool run_load(CnLuaSandbox *sandbox, Load *job, CnError *error)
{
    CniScriptLuaState *state = &sandbox->state;
    CN_ASSERT(!state->depth, "files are loaded between calls");
    uint64_t call_limit = state->call_limit, tick_limit = state->tick_limit;
    uint64_t limit = sandbox->desc.instructions_to_load;
    state->call_limit = state->tick_limit = limit ? limit : DEFAULT_LOAD;
    state->tick_used = 0;
    state->watched_ns = 0;
    sandbox->loading = true;
    bool good = run(sandbox, load, job, error);
    sandbox->loading = false;
    state->call_limit = call_limit;
    state->tick_limit = tick_limit;
    return good;
}

bool cn_lua_sandbox_load(CnLuaSandbox *sandbox, const char *file, CnError *error)
{
    return run_load(sandbox, &(Load){.sandbox = sandbox, .file = file}, error);
}

bool cn_lua_sandbox_run(CnLuaSandbox *sandbox, const char *file, CnText code, CnError *error)
{
    return run_load(sandbox, &(Load){.sandbox = sandbox, .text = code, .name = file}, error);
}

/* ---- Handlers ---- */

#define MAX_ARGUMENTS 8u

typedef struct Call {
    CnLuaSandbox *sandbox;
    int function;
    uint32_t count;
    const CnLuaValue *arguments;
    json_t *tables[MAX_ARGUMENTS];
    uint32_t result_count;
    CnLuaValue results[CN_LUA_MAX_RESULTS];
} Call;

static void push_argument(lua_State *lua, const Call *call, uint32_t i)
{
    const CnLuaValue *value = &call->arguments[i];
    switch (value->kind) {
    case CN_LUA_BOOLEAN:
        lua_pushboolean(lua, value->boolean);
        break;
    case CN_LUA_NUMBER:
        lua_pushnumber(lua, value->number);
        break;
    case CN_LUA_TEXT:
        lua_pushlstring(lua, value->text.data, value->text.size);
        break;
    case CN_LUA_TABLE:
        cni_script_budget_charge(lua, value->text.size / 2);
        cni_lua_push_json(lua, call->tables[i]);
        break;
    default:
        lua_pushnil(lua);
    }
}

/* Texts are in a buffer that may still move, so their offset is kept in `number`. */
static CnLuaValue keep_result(lua_State *lua, CnLuaSandbox *sandbox, int index)
{
    CnTextBuilder *text = &sandbox->result;
    CnLuaValue result = {0};
    uint32_t begin = text->count;
    size_t size;
    const char *data;
    switch (lua_type(lua, index)) {
    case LUA_TBOOLEAN:
        return cn_lua_boolean(lua_toboolean(lua, index));
    case LUA_TNUMBER:
        if (lua_tonumber(lua, index) - lua_tonumber(lua, index) == 0)
            result = cn_lua_number(lua_tonumber(lua, index));
        return result;
    case LUA_TSTRING:
        data = lua_tolstring(lua, index, &size);
        if (!cn_text_is_utf8((CnText){data, size}))
            luaL_error(lua, "the result is not UTF-8");
        if (!cn_text_append(text, (CnText){data, size}))
            cni_script_throw_out_of_memory(lua);
        result.kind = CN_LUA_TEXT;
        break;
    case LUA_TTABLE:
        cni_lua_write_json(lua, sandbox, text, index);
        result.kind = CN_LUA_TABLE;
        break;
    default:
        return result;
    }
    result.number = begin;
    result.text.size = text->count - begin;
    return result;
}

static void keep_results(lua_State *lua, Call *call)
{
    int first = lua_gettop(lua) - (int)call->result_count + 1;
    call->sandbox->result.count = 0;
    for (uint32_t i = 0; i < call->result_count; i++)
        call->results[i] = keep_result(lua, call->sandbox, first + (int)i);
    for (uint32_t i = 0; i < call->result_count; i++) {
        CnLuaValue *result = &call->results[i];
        if (result->kind != CN_LUA_TEXT && result->kind != CN_LUA_TABLE)
            continue;
        result->text.data =
            call->sandbox->result.items ? call->sandbox->result.items + (size_t)result->number : "";
        result->number = 0;
    }
}

static void call_handler(lua_State *lua, void *user)
{
    Call *call = user;
    luaL_checkstack(lua, (int)(call->count + call->result_count) + 2, NULL);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, call->function);
    for (uint32_t i = 0; i < call->count; i++)
        push_argument(lua, call, i);
    lua_call(lua, (int)call->count, (int)call->result_count);
    keep_results(lua, call);
}

static bool may_call(const CnLuaSandbox *sandbox, uint32_t handler, CnError *error)
{
    if (handler == 0 || handler > sandbox->handlers.count)
        return cn_error_set_at(error, CN_ERROR_NOT_FOUND, sandbox->name, 0, 0,
                               "there is no function %u", handler);
    if (sandbox->calling)
        return cn_error_set_at(error, CN_ERROR_PERMISSION, sandbox->name, 0, 0,
                               "a function of the game calls Lua again");
    return !cn_lua_sandbox_is_spent(sandbox) ||
           cn_error_set_at(error, CN_ERROR_LIMIT, sandbox->name, 0, 0,
                           "the instructions of this tick are used up");
}

bool cn_lua_sandbox_call_many(CnLuaSandbox *sandbox, uint32_t handler, const CnLuaValue *arguments,
                              uint32_t count, CnLuaValue *results, uint32_t result_count,
                              CnError *error)
{
    CN_ASSERT(sandbox && count <= MAX_ARGUMENTS && result_count <= CN_LUA_MAX_RESULTS,
              "a handler takes at most %u arguments", MAX_ARGUMENTS);
    for (uint32_t i = 0; i < result_count; i++)
        results[i] = (CnLuaValue){0};
    if (!may_call(sandbox, handler, error))
        return false;
    Call call = {.sandbox = sandbox,
                 .function = sandbox->handlers.items[handler - 1],
                 .count = count,
                 .arguments = arguments,
                 .result_count = result_count};
    bool good = true;
    for (uint32_t i = 0; i < count && good; i++)
        if (arguments[i].kind == CN_LUA_TABLE) {
            call.tables[i] = cni_lua_parse_json(arguments[i].text, error);
            good = call.tables[i] != NULL;
        }
    good = good && run(sandbox, call_handler, &call, error);
    for (uint32_t i = 0; i < count; i++)
        json_decref(call.tables[i]);
    for (uint32_t i = 0; i < result_count && good; i++)
        results[i] = call.results[i];
    return good;
}

bool cn_lua_sandbox_call(CnLuaSandbox *sandbox, uint32_t handler, const CnLuaValue *arguments,
                         uint32_t count, CnLuaValue *result, CnError *error)
{
    return cn_lua_sandbox_call_many(sandbox, handler, arguments, count, result, result ? 1 : 0,
                                    error);
}

/* ---- Ticks ---- */

void cn_lua_sandbox_begin_tick(CnLuaSandbox *sandbox)
{
    sandbox->state.tick_used = 0;
    sandbox->state.watched_ns = 0;
    sandbox->lines = 0;
}

bool cn_lua_sandbox_is_spent(const CnLuaSandbox *sandbox)
{
    return cni_script_budget_spent(&sandbox->state);
}

CnLuaSandboxStats cn_lua_sandbox_stats(const CnLuaSandbox *sandbox)
{
    const CniScriptLuaState *state = &sandbox->state;
    return (CnLuaSandboxStats){.bytes = state->bytes,
                               .peak_bytes = state->peak_bytes,
                               .tick_instructions = state->tick_used,
                               .calls = sandbox->calls,
                               .errors = sandbox->errors,
                               .handlers = sandbox->handlers.count};
}
