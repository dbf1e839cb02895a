/* Scripts on objects: each has its own environment; they are called one after the other. */
#include "script/runtime/runtime.h"

/* ---- Lookup ---- */

/* Returns the index of an object in the list, or where it belongs. */
static uint32_t place_of(const CniRuntime *runtime, CnEntity object)
{
    uint32_t low = 0, high = runtime->instances.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (runtime->instances.items[middle]->object.id < object.id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

CniInstance *cni_instance_find(const CniRuntime *runtime, CnEntity object)
{
    uint32_t place = place_of(runtime, object);
    if (place == runtime->instances.count)
        return NULL;
    CniInstance *found = runtime->instances.items[place];
    return cn_entity_equal(found->object, object) ? found : NULL;
}

CniInstance *cni_instance_add(CniRuntime *runtime, CnEntity object)
{
    CniInstance *instance = cni_instance_find(runtime, object);
    if (instance)
        return instance;
    instance = cn_alloc_zeroed(runtime->shared.allocator, sizeof *instance);
    if (!instance || !cn_array_reserve(&runtime->instances, runtime->instances.count + 1ull)) {
        cn_free(runtime->shared.allocator, instance, sizeof *instance);
        return NULL;
    }
    instance->object = object;
    instance->status = CN_SCRIPT_WAITING;
    instance->environment = instance->keeps = LUA_NOREF;
    uint32_t place = place_of(runtime, object);
    CniInstance **at = runtime->instances.items + place;
    memmove(at + 1, at, (runtime->instances.count++ - place) * sizeof(CniInstance *));
    *at = instance;
    return instance;
}

/* ---- Failures ---- */

static void drop_bound(lua_State *lua, void *user)
{
    cni_bind_drop(lua, ((CniInstance *)user)->object);
}

void cni_instance_forget_bound(CniInstance *instance)
{
    if (instance->file && instance->file->state->lua)
        cni_protected(instance->file->state, drop_bound, instance);
}

void cni_instance_fail(CniRuntime *runtime, CniInstance *instance, const CnError *error,
                       const char *trace)
{
    runtime->errors++;
    instance->status = CN_SCRIPT_FAILED;
    if (!instance->error)
        instance->error = cn_alloc(runtime->shared.allocator, sizeof *instance->error);
    if (instance->error)
        *instance->error = *error;
    char place[CN_ERROR_FILE_BYTES + 16] = "";
    if (error->line > 0)
        cn_format(place, sizeof place, "%s:%d: ", error->file, error->line);
    else if (error->file[0])
        cn_format(place, sizeof place, "%s: ", error->file);
    CN_LOG_ERROR("script", "%s%s; disabled on %s%s", place, error->message,
                 cn_object_name(runtime->shared.world, instance->object), trace);
    if (!instance->file)
        return;
    cni_instance_forget_bound(instance);
    cni_unref(instance->file->state, &instance->environment);
    cni_collect_if_starved(instance->file->state);
}

static void fail_by_fault(CniRuntime *runtime, CniInstance *instance)
{
    /* A copy, because the following code runs Lua again. */
    CniFault fault = instance->file->state->fault;
    CnError error;
    if (!fault.file[0])
        cn_copy_text(fault.file, sizeof fault.file, cn_text(instance->file->path));
    cni_fault_error(&fault, &error);
    cni_instance_fail(runtime, instance, &error, fault.trace);
}

/* ---- Calling ---- */

/* Calls the function on the stack as a part of this script. */
static bool call(CniRuntime *runtime, CniInstance *instance, lua_State *lua, int arguments)
{
    CniLua *state = instance->file->state;
    CnEntity outer = runtime->shared.current;
    CniBudget budget;
    runtime->shared.current = instance->object;
    runtime->running++;
    runtime->calls++;
    cni_budget_begin(state, &budget);
    bool done = cni_pcall(state, lua, arguments);
    cni_budget_end(state, &budget);
    runtime->running--;
    runtime->shared.current = outer;
    if (!done)
        fail_by_fault(runtime, instance);
    return done;
}

/* Pushes the callback with this name; returns false, and pushes nothing, if the script has none. */
static bool push_callback(lua_State *lua, const CniInstance *instance, CniCallback callback)
{
    lua_rawgeti(lua, LUA_REGISTRYINDEX, instance->environment);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, instance->file->state->names[callback]);
    lua_rawget(lua, -2);
    lua_remove(lua, -2);
    if (!lua_isnil(lua, -1))
        return true;
    lua_pop(lua, 1);
    return false;
}

typedef struct ObjectCall {
    const CniInstance *instance;
    CniCallback callback;
    CnEntity other;
} ObjectCall;

/* Pushing an object allocates, so it is part of the protected call. */
int cni_call_with_object(lua_State *lua)
{
    const ObjectCall *request = cni_lua_of(lua)->argument;
    push_callback(lua, request->instance, request->callback);
    cni_push_object(lua, request->other);
    lua_call(lua, 1, 0);
    return 0;
}

bool cni_instance_call(CniRuntime *runtime, CniInstance *instance, CniCallback callback,
                       CnEntity other)
{
    CniLua *state = instance->file->state;
    if (instance->status != CN_SCRIPT_RUNNING || cni_budget_spent(state))
        return true;
    lua_State *lua = state->lua;
    if (!push_callback(lua, instance, callback))
        return true;
    if (callback == CNI_ON_UPDATE || callback == CNI_ON_FIXEDUPDATE) {
        lua_pushnumber(lua, (lua_Number)runtime->shared.dt);
        return call(runtime, instance, lua, 1);
    }
    if (callback != CNI_ON_COLLISIONENTER && callback != CNI_ON_COLLISIONLEAVE)
        return call(runtime, instance, lua, 0);
    ObjectCall request = {instance, callback, other};
    lua_pop(lua, 1);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, state->object_call);
    state->argument = &request;
    return call(runtime, instance, lua, 0);
}

bool cni_script_call(lua_State *lua, CnEntity owner, int arguments)
{
    CniRuntime *runtime = cni_runtime(cni_scripts_of(lua));
    CniInstance *instance = cni_instance_find(runtime, owner);
    if (!instance || instance->status != CN_SCRIPT_RUNNING || instance->gone ||
        instance->file->state != cni_lua_of(lua) || cni_budget_spent(instance->file->state)) {
        lua_pop(lua, arguments + 1);
        return false;
    }
    return call(runtime, instance, lua, arguments);
}

bool cni_push_state(lua_State *lua, CnEntity object)
{
    const CniRuntime *runtime = cni_runtime(cni_scripts_of(lua));
    const CniInstance *instance = cni_instance_find(runtime, object);
    if (!instance || instance->keeps == LUA_NOREF || instance->file->state != cni_lua_of(lua) ||
        !cn_entity_equal(object, runtime->shared.current))
        return false;
    lua_rawgeti(lua, LUA_REGISTRYINDEX, instance->keeps);
    return true;
}

/* ---- Starting ---- */

/* Runs the body in a new environment. */
int cni_define(lua_State *lua)
{
    CniInstance *instance = cni_lua_of(lua)->argument;
    CniLua *state = instance->file->state;
    if (instance->keeps == LUA_NOREF) {
        lua_newtable(lua);
        instance->keeps = luaL_ref(lua, LUA_REGISTRYINDEX);
    }
    cni_push_environment(lua);
    cni_push_object(lua, instance->object);
    lua_setfield(lua, -2, "this");
    cni_unref(state, &instance->environment);
    lua_pushvalue(lua, -1);
    instance->environment = luaL_ref(lua, LUA_REGISTRYINDEX);
    /* Functions that the body defines inherit its environment. */
    lua_rawgeti(lua, LUA_REGISTRYINDEX, instance->file->function);
    lua_insert(lua, -2);
    lua_setfenv(lua, -2);
    lua_call(lua, 0, 0);
    return 0;
}

bool cni_instance_define(CniRuntime *runtime, CniInstance *instance)
{
    CniLua *state = instance->file->state;
    if (instance->file->function == LUA_NOREF) {
        cni_instance_fail(runtime, instance, &instance->file->error, "");
        return false;
    }
    bool outer = runtime->shared.defining;
    runtime->shared.defining = true;
    instance->status = CN_SCRIPT_RUNNING;
    lua_rawgeti(state->lua, LUA_REGISTRYINDEX, state->define);
    state->argument = instance;
    bool done = call(runtime, instance, state->lua, 0);
    /* The function is shared and must not keep the environment of one script. */
    lua_rawgeti(state->lua, LUA_REGISTRYINDEX, instance->file->function);
    lua_pushvalue(state->lua, LUA_GLOBALSINDEX);
    lua_setfenv(state->lua, -2);
    lua_pop(state->lua, 1);
    cni_collect_if_starved(state);
    runtime->shared.defining = outer;
    return done;
}

void cni_instance_redefine(CniRuntime *runtime, CniInstance *instance)
{
    bool outer = runtime->shared.defining;
    cni_instance_forget_bound(instance);
    runtime->boxed.tick_used = 0; /* not part of a tick */
    runtime->shared.defining = true;
    if (cni_instance_define(runtime, instance))
        cni_instance_call(runtime, instance, CNI_ON_RELOAD, CN_NO_PARENT);
    runtime->shared.defining = outer;
}

void cni_instance_start(CniRuntime *runtime, CniInstance *instance)
{
    if (!instance->file) {
        const CnScript *script = cn_get(runtime->shared.world, instance->object, CnScript);
        instance->file = script ? cni_file_acquire(runtime, script->script_path) : NULL;
        if (!instance->file) {
            CnError error;
            cn_error_set(&error, CN_ERROR_MEMORY, "a script: out of memory");
            cni_instance_fail(runtime, instance, &error, "");
            return;
        }
    }
    if (cni_budget_spent(instance->file->state))
        return; /* it waits for the next tick */
    if (instance->file->state->boxed && runtime->boxed_count >= CNI_MAX_BOXED_SCRIPTS) {
        CnError error = {0};
        cn_error_set_at(&error, CN_ERROR_LIMIT, instance->file->path, 0, 0,
                        "there are more than %u untrusted scripts", CNI_MAX_BOXED_SCRIPTS);
        cni_instance_fail(runtime, instance, &error, "");
        return;
    }
    if (!cni_instance_define(runtime, instance))
        return;
    runtime->boxed_count += instance->file->state->boxed;
    instance->begun = true;
    cni_instance_call(runtime, instance, CNI_ON_INIT, CN_NO_PARENT);
}

/* ---- Ending ---- */

static void free_instance(CniRuntime *runtime, CniInstance *instance)
{
    if (instance->file) {
        cni_instance_forget_bound(instance);
        cni_unref(instance->file->state, &instance->environment);
        cni_unref(instance->file->state, &instance->keeps);
        cni_file_release(runtime, instance->file);
    }
    cn_free(runtime->shared.allocator, instance->error, sizeof *instance->error);
    cn_free(runtime->shared.allocator, instance, sizeof *instance);
}

static void take_out(CniRuntime *runtime, CniInstance *instance)
{
    uint32_t place = place_of(runtime, instance->object);
    CniInstance **at = runtime->instances.items + place;
    memmove(at, at + 1, (--runtime->instances.count - place) * sizeof(CniInstance *));
}

void cni_instance_end(CniRuntime *runtime, CniInstance *instance)
{
    if (runtime->running || runtime->walking) {
        instance->gone = true;
        return;
    }
    if (instance->begun)
        cni_instance_call(runtime, instance, CNI_ON_DESTROY, CN_NO_PARENT);
    take_out(runtime, instance);
    free_instance(runtime, instance);
}

void cni_end_gone(CniRuntime *runtime)
{
    for (uint32_t i = 0; i < runtime->instances.count;) {
        CniInstance *instance = runtime->instances.items[i];
        if (instance->gone)
            cni_instance_end(runtime, instance);
        else
            i++;
    }
}

void cni_instances_clear(CniRuntime *runtime)
{
    for (uint32_t i = 0; i < runtime->instances.count; i++)
        free_instance(runtime, runtime->instances.items[i]);
    runtime->instances.count = 0;
}
