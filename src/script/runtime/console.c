/* Runs Lua code between ticks. */
#include "script/runtime/runtime.h"

#define CONSOLE_OWNER "console" /* of code that is not trusted */

typedef struct Console {
    int function;
    CnTextBuilder *result;
    bool out_of_memory;
} Console;

static void append_results(lua_State *lua, Console *console, int first)
{
    for (int i = first, last = lua_gettop(lua); i <= last; i++) {
        size_t size;
        const char *data = cni_script_push_text(lua, i, &size);
        CnText text = {data, size};
        if ((i > first && !cn_text_append(console->result, cn_text("\t"))) ||
            !cn_text_append(console->result, text))
            console->out_of_memory = true;
        lua_pop(lua, 1);
    }
}

static void run_console(lua_State *lua, void *user)
{
    Console *console = user;
    lua_rawgeti(lua, LUA_REGISTRYINDEX, console->function);
    cni_script_push_environment(lua);
    lua_setfenv(lua, -2);
    lua_call(lua, 0, LUA_MULTRET);
    append_results(lua, console, 1);
}

bool cni_script_check_idle(const CniScriptRuntime *runtime, const char *what, CnError *error)
{
    bool idle = !runtime->running && !runtime->walking;
    CN_ASSERT(idle, "cannot %s while scripts run; call it between ticks", what);
    return idle || cn_error_set(error, CN_ERROR_PERMISSION,
                                "cannot %s while scripts run; call it between ticks", what);
}

bool cn_script_run(CnWorld *world, const CnScriptRunDesc *desc, CnTextBuilder *result,
                   CnError *error)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(desc, "%s: desc is NULL", __func__);
    const char *name = desc->name ? desc->name : "code";
    CniScriptRuntime *runtime = cni_script_runtime_of(world);
    if (!runtime)
        return cn_error_set(error, CN_ERROR_UNSUPPORTED, "this world has no scripts");
    if (!cni_script_check_idle(runtime, "run code", error))
        return false;
    CniScriptLuaState *state = desc->trusted ? cni_script_trusted_open(runtime, error)
                                             : cni_script_owner_open(runtime, CONSOLE_OWNER, error);
    Console console = {.result = result};
    if (!state || !cni_script_load_text(state, name, desc->code, &console.function, error))
        return false;
    CniScriptBudget budget;
    cni_script_budget_begin_tick(state);
    runtime->running++;
    runtime->calls++;
    cni_script_budget_begin(state, &budget);
    bool done = cni_script_protected(state, run_console, &console);
    cni_script_budget_end(state, &budget);
    runtime->running--;
    if (!done)
        cni_script_fault_to_error(&state->fault, error);
    cni_script_unref(state, &console.function);
    cni_script_collect_after_stop(state);
    cni_script_apply_removals(runtime);
    if (done && console.out_of_memory)
        return cn_error_set(error, CN_ERROR_MEMORY, "%s: out of memory for the result", name);
    return done;
}
