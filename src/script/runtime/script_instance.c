/* Scripts on objects: each has its own environment; they are called one after the other. */
#include "script/runtime/runtime.h"

/* ---- Lookup ---- */

/* Returns whether the neighbors of an entry keep the list in strictly rising order of objects, on
 * which the binary search relies. */
static inline bool is_ordered_at(const CniScriptRuntime *runtime, uint32_t place)
{
    CniScriptInstance *const *items = runtime->instances.items;
    return (place == 0 || place >= runtime->instances.count ||
            items[place - 1]->object.id < items[place]->object.id) &&
           (place + 1 >= runtime->instances.count ||
            items[place]->object.id < items[place + 1]->object.id);
}

/* Returns the index of an object in the list, or where it belongs. */
static uint32_t place_of(const CniScriptRuntime *runtime, CnEntity object)
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

CniScriptInstance *cni_script_instance_find(const CniScriptRuntime *runtime, CnEntity object)
{
    uint32_t place = place_of(runtime, object);
    if (place == runtime->instances.count)
        return NULL;
    CniScriptInstance *found = runtime->instances.items[place];
    return cn_entity_equal(found->object, object) ? found : NULL;
}

CniScriptInstance *cni_script_instance_add(CniScriptRuntime *runtime, CnEntity object)
{
    CniScriptInstance *instance = cni_script_instance_find(runtime, object);
    if (instance)
        return instance;
    CN_ASSERT(object.id, "a script is added to the null entity");
    CN_ASSERT(!runtime->walking, "a script is added while scripts are iterated");
    instance = cn_alloc_zeroed(runtime->shared.allocator, sizeof *instance);
    if (!instance || !cn_array_reserve(&runtime->instances, runtime->instances.count + 1ull)) {
        cn_free(runtime->shared.allocator, instance, sizeof *instance);
        return NULL;
    }
    instance->object = object;
    instance->status = CN_SCRIPT_WAITING;
    instance->environment = instance->state_table = LUA_NOREF;
    uint32_t place = place_of(runtime, object);
    CniScriptInstance **at = runtime->instances.items + place;
    memmove(at + 1, at, (runtime->instances.count++ - place) * sizeof(CniScriptInstance *));
    *at = instance;
    CN_ASSERT(is_ordered_at(runtime, place), "the scripts are out of order at %u", place);
    return instance;
}

/* ---- Failures ---- */

static void drop_bound(lua_State *lua, void *user)
{
    cni_script_bind_drop(lua, ((CniScriptInstance *)user)->object);
}

void cni_script_instance_drop_bindings(CniScriptInstance *instance)
{
    if (instance->file && instance->file->state)
        cni_script_protected(instance->file->state, drop_bound, instance);
}

void cni_script_instance_fail(CniScriptRuntime *runtime, CniScriptInstance *instance,
                              const CnError *error, const char *trace)
{
    CN_ASSERT(error->code, "a script fails without an error");
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
    cni_script_instance_drop_bindings(instance);
    cni_script_unref(instance->file->state, &instance->environment);
    cni_script_collect_after_stop(instance->file->state);
}

static void fail_by_fault(CniScriptRuntime *runtime, CniScriptInstance *instance)
{
    /* A copy, because the following code runs Lua again. */
    CniScriptFault fault = instance->file->state->fault;
    CN_ASSERT(fault.noted, "a call failed and recorded no error");
    CnError error;
    if (!fault.file[0])
        cn_copy_text(fault.file, sizeof fault.file, cn_text(instance->file->path));
    cni_script_fault_to_error(&fault, &error);
    cni_script_instance_fail(runtime, instance, &error, fault.trace);
}

/* ---- Calling ---- */

/* Calls the function on the stack as a part of this script. */
static bool call(CniScriptRuntime *runtime, CniScriptInstance *instance, lua_State *lua,
                 int arguments)
{
    CniScriptLuaState *state = instance->file->state;
    CN_ASSERT(cni_script_lua_of(lua) == state, "a call in the Lua state of another script");
    CN_ASSERT(lua_isfunction(lua, -arguments - 1), "a %s is called as a function",
              luaL_typename(lua, -arguments - 1));
    CnEntity outer = runtime->shared.current;
    CniScriptBudget budget;
    runtime->shared.current = instance->object;
    runtime->running++;
    runtime->calls++;
    cni_script_budget_begin(state, &budget);
    bool done = cni_script_pcall(state, lua, arguments);
    cni_script_budget_end(state, &budget);
    CN_ASSERT(runtime->running, "more calls end than begin");
    runtime->running--;
    runtime->shared.current = outer;
    if (!done)
        fail_by_fault(runtime, instance);
    return done;
}

/* Pushes the callback with this name; returns false, and pushes nothing, if the script has none. */
static bool push_callback(lua_State *lua, const CniScriptInstance *instance,
                          CniScriptCallback callback)
{
    CN_ASSERT((unsigned)callback < CNI_SCRIPT_CALLBACK_COUNT, "callback %d", (int)callback);
    CN_ASSERT(instance->environment != LUA_NOREF, "a callback of a script without environment");
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
    const CniScriptInstance *instance;
    CniScriptCallback callback;
    CnEntity other;
    const CnContact *contact; /* NULL: no second argument */
} ObjectCall;

/* Pushing an object allocates, so it is part of the protected call. */
int cni_script_call_with_object(lua_State *lua)
{
    const ObjectCall *request = cni_script_lua_of(lua)->argument;
    CN_ASSERT(request && request->instance, "a call with an object has no request");
    push_callback(lua, request->instance, request->callback);
    cni_script_push_object(lua, request->other);
    if (request->contact)
        cni_script_push_contact(lua, request->contact);
    lua_call(lua, request->contact ? 2 : 1, 0);
    return 0;
}

static bool call_with_object(CniScriptRuntime *runtime, CniScriptInstance *instance,
                             const ObjectCall *request)
{
    CniScriptLuaState *state = instance->file->state;
    lua_rawgeti(state->lua, LUA_REGISTRYINDEX, state->object_call);
    state->argument = (void *)(uintptr_t)request;
    return call(runtime, instance, state->lua, 0);
}

bool cni_script_instance_has(const CniScriptInstance *instance, CniScriptCallback callback)
{
    if (instance->status != CN_SCRIPT_RUNNING)
        return false;
    bool has = push_callback(instance->file->state->lua, instance, callback);
    lua_pop(instance->file->state->lua, has);
    return has;
}

/* Returns whether a callback is not called, because the owner has used up its tick. */
static bool skips(const CniScriptInstance *instance, CniScriptCallback callback)
{
    CniScriptLuaState *state = instance->file->state;
    bool spent = callback == CNI_SCRIPT_ON_DESTROY ? cni_script_reserve_spent(state)
                                                   : cni_script_budget_spent(state);
    state->skipped_in_tick.calls += spent;
    return spent;
}

bool cni_script_instance_call_contact(CniScriptRuntime *runtime, CniScriptInstance *instance,
                                      CniScriptCallback callback, const CnContact *contact)
{
    if (!cni_script_instance_has(instance, callback) || skips(instance, callback))
        return true;
    ObjectCall request = {instance, callback, contact->other, contact};
    return call_with_object(runtime, instance, &request);
}

bool cni_script_instance_call(CniScriptRuntime *runtime, CniScriptInstance *instance,
                              CniScriptCallback callback, CnEntity other)
{
    if (!cni_script_instance_has(instance, callback) || skips(instance, callback))
        return true;
    lua_State *lua = instance->file->state->lua;
    push_callback(lua, instance, callback);
    if (callback == CNI_SCRIPT_ON_UPDATE || callback == CNI_SCRIPT_ON_FIXEDUPDATE) {
        lua_pushnumber(lua, (lua_Number)runtime->shared.dt);
        return call(runtime, instance, lua, 1);
    }
    if (callback != CNI_SCRIPT_ON_COLLISIONLEAVE)
        return call(runtime, instance, lua, 0);
    ObjectCall request = {instance, callback, other, NULL};
    lua_pop(lua, 1);
    return call_with_object(runtime, instance, &request);
}

static void call_with_number(CniScriptRuntime *runtime, CniScriptInstance *instance,
                             CniScriptCallback callback, uint32_t number)
{
    if (!cni_script_instance_has(instance, callback) || skips(instance, callback))
        return;
    lua_State *lua = instance->file->state->lua;
    push_callback(lua, instance, callback);
    lua_pushnumber(lua, (lua_Number)number);
    call(runtime, instance, lua, 1);
}

void cni_script_instance_sound_end(CniScriptRuntime *runtime, CniScriptInstance *instance,
                                   uint32_t sound)
{
    call_with_number(runtime, instance, CNI_SCRIPT_ON_SOUNDEND, sound);
}

void cni_script_instance_animation_end(CniScriptRuntime *runtime, CniScriptInstance *instance,
                                       uint32_t clip)
{
    call_with_number(runtime, instance, CNI_SCRIPT_ON_ANIMATIONEND, clip);
}

bool cni_script_call(lua_State *lua, CnEntity owner, int arguments)
{
    CN_ASSERT(lua_gettop(lua) > arguments, "%d arguments, but %d values", arguments,
              lua_gettop(lua));
    CniScriptRuntime *runtime = cni_script_runtime(cni_script_context_of(lua));
    CniScriptInstance *instance = cni_script_instance_find(runtime, owner);
    if (!instance || instance->status != CN_SCRIPT_RUNNING || instance->gone ||
        instance->file->state != cni_script_lua_of(lua) ||
        cni_script_budget_spent(instance->file->state)) {
        lua_pop(lua, arguments + 1);
        return false;
    }
    return call(runtime, instance, lua, arguments);
}

/* ---- Calls between scripts of one owner ---- */

#define OBJECT_CALL_COST 50u /* instructions */

/* Pushes a global function of an object's script, or throws. */
static void push_function_of(lua_State *lua, const CniScriptRuntime *runtime, CnEntity object,
                             const char *name)
{
    const CniScriptInstance *instance = cni_script_instance_find(runtime, object);
    const char *object_name = cn_object_name(runtime->shared.world, object);
    if (!instance || instance->status != CN_SCRIPT_RUNNING || instance->gone)
        luaL_error(lua, "%s has no script that runs", object_name);
    if (instance->file->state != cni_script_lua_of(lua))
        luaL_error(lua,
                   "the script of %s belongs to %s, and calls stay within one owner; use "
                   "send(object, name, value)",
                   object_name, instance->file->state->owner);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, instance->environment);
    lua_pushstring(lua, name);
    lua_rawget(lua, -2);
    lua_remove(lua, -2);
    if (!lua_isfunction(lua, -1))
        luaL_error(lua, "the script of %s has no function '%s'", object_name, name);
}

int cni_script_call_object(lua_State *lua, CnEntity object, const char *name)
{
    CniScriptRuntime *runtime = cni_script_runtime(cni_script_context_of(lua));
    cni_script_budget_charge(lua, OBJECT_CALL_COST);
    cni_script_check_stack(lua);
    push_function_of(lua, runtime, object, name);
    lua_insert(lua, 3);
    CnEntity outer = runtime->shared.current;
    runtime->shared.current = object;
    int result = lua_pcall(lua, lua_gettop(lua) - 3, LUA_MULTRET, 0);
    runtime->shared.current = outer;
    if (result) {
        cni_script_budget_charge(lua, CNI_SCRIPT_THROW_COST);
        return lua_error(lua);
    }
    return lua_gettop(lua) - 2;
}

typedef struct PushedCall {
    CniScriptPushFn *push;
    void *user;
} PushedCall;

/* The function is the argument; what it is called with is pushed as a part of the call. */
int cni_script_call_pushed(lua_State *lua)
{
    const PushedCall *request = cni_script_lua_of(lua)->argument;
    CN_ASSERT(request && request->push, "a call has nothing that pushes its arguments");
    lua_call(lua, request->push(lua, request->user), 0);
    return 0;
}

bool cni_script_call_with(lua_State *lua, CnEntity owner, CniScriptPushFn *push, void *user)
{
    CniScriptLuaState *state = cni_script_lua_of(lua);
    PushedCall request = {push, user};
    lua_rawgeti(lua, LUA_REGISTRYINDEX, state->pushed_call);
    lua_insert(lua, -2);
    state->argument = &request;
    return cni_script_call(lua, owner, 1);
}

CniScriptBound *cni_script_bound_of(CniScriptContext *scripts, CnEntity object)
{
    CniScriptInstance *instance =
        object.id ? cni_script_instance_find(cni_script_runtime(scripts), object) : NULL;
    if (!instance || !instance->file || !instance->file->state)
        return NULL;
    instance->bound.number = instance->file->state->number;
    return &instance->bound;
}

bool cni_script_push_state(lua_State *lua, CnEntity object)
{
    const CniScriptRuntime *runtime = cni_script_runtime(cni_script_context_of(lua));
    const CniScriptInstance *instance = cni_script_instance_find(runtime, object);
    if (!instance || instance->state_table == LUA_NOREF ||
        instance->file->state != cni_script_lua_of(lua) ||
        !cn_entity_equal(object, runtime->shared.current))
        return false;
    lua_rawgeti(lua, LUA_REGISTRYINDEX, instance->state_table);
    return true;
}

/* ---- Starting ---- */

/* Runs the body in a new environment. */
int cni_script_define(lua_State *lua)
{
    CniScriptInstance *instance = cni_script_lua_of(lua)->argument;
    CN_ASSERT(instance->file->function != LUA_NOREF, "%s is not compiled", instance->file->path);
    CniScriptLuaState *state = instance->file->state;
    if (instance->state_table == LUA_NOREF) {
        lua_newtable(lua);
        instance->state_table = luaL_ref(lua, LUA_REGISTRYINDEX);
    }
    cni_script_push_environment(lua);
    cni_script_push_object(lua, instance->object);
    lua_setfield(lua, -2, "this");
    cni_script_unref(state, &instance->environment);
    lua_pushvalue(lua, -1);
    instance->environment = luaL_ref(lua, LUA_REGISTRYINDEX);
    /* Functions that the body defines inherit its environment. */
    lua_rawgeti(lua, LUA_REGISTRYINDEX, instance->file->function);
    lua_insert(lua, -2);
    lua_setfenv(lua, -2);
    lua_call(lua, 0, 0);
    return 0;
}

bool cni_script_instance_define(CniScriptRuntime *runtime, CniScriptInstance *instance)
{
    CniScriptLuaState *state = instance->file->state;
    if (instance->file->function == LUA_NOREF) {
        cni_script_instance_fail(runtime, instance, &instance->file->error, "");
        return false;
    }
    bool outer = runtime->shared.defining;
    CnEntity body = runtime->shared.body;
    runtime->shared.defining = true;
    runtime->shared.body = instance->object;
    instance->bound.made = 0;
    instance->status = CN_SCRIPT_RUNNING;
    lua_rawgeti(state->lua, LUA_REGISTRYINDEX, state->define);
    state->argument = instance;
    bool done = call(runtime, instance, state->lua, 0);
    runtime->shared.body = body;
    /* The function is shared and must not keep the environment of one script. */
    lua_rawgeti(state->lua, LUA_REGISTRYINDEX, instance->file->function);
    lua_pushvalue(state->lua, LUA_GLOBALSINDEX);
    lua_setfenv(state->lua, -2);
    lua_pop(state->lua, 1);
    CN_ASSERT(!done || instance->environment != LUA_NOREF, "%s has no environment",
              instance->file->path);
    cni_script_collect_after_stop(state);
    runtime->shared.defining = outer;
    return done;
}

void cni_script_instance_redefine(CniScriptRuntime *runtime, CniScriptInstance *instance)
{
    CN_ASSERT(instance->begun && instance->file, "a script that never began is replaced");
    bool outer = runtime->shared.defining;
    cni_script_instance_drop_bindings(instance);
    uint64_t used = instance->file->state ? instance->file->state->tick_used : 0;
    if (instance->file->state)
        instance->file->state->tick_used = 0; /* not part of a tick */
    runtime->shared.defining = true;
    if (cni_script_instance_define(runtime, instance))
        cni_script_instance_call(runtime, instance, CNI_SCRIPT_ON_RELOAD, CN_NO_PARENT);
    if (instance->file->state)
        instance->file->state->tick_used = used;
    runtime->shared.defining = outer;
}

void cni_script_instance_start(CniScriptRuntime *runtime, CniScriptInstance *instance)
{
    CN_ASSERT(instance->status == CN_SCRIPT_WAITING && !instance->begun, "a script starts twice");
    if (!instance->file) {
        const CnScript *script = cn_get(runtime->shared.world, instance->object, CnScript);
        instance->file = script ? cni_script_file_acquire(runtime, script->script_path) : NULL;
        if (!instance->file) {
            CnError error;
            cn_error_memory(&error, "a script");
            cni_script_instance_fail(runtime, instance, &error, "");
            return;
        }
    }
    CniScriptLuaState *state = instance->file->state;
    if (state && cni_script_budget_spent(state))
        return; /* it waits for the next tick */
    if (state && state->sandboxed && state->running >= CNI_SCRIPT_MAX_SANDBOXED) {
        CnError error = {0};
        cn_error_set_at(&error, CN_ERROR_LIMIT, instance->file->path, 0, 0,
                        "%s runs more than %u scripts", state->owner, CNI_SCRIPT_MAX_SANDBOXED);
        cni_script_instance_fail(runtime, instance, &error, "");
        return;
    }
    if (!cni_script_instance_define(runtime, instance))
        return;
    state->running++;
    instance->begun = true;
    cni_script_instance_call(runtime, instance, CNI_SCRIPT_ON_INIT, CN_NO_PARENT);
}

/* ---- Ending ---- */

static void free_instance(CniScriptRuntime *runtime, CniScriptInstance *instance)
{
    if (instance->file) {
        cni_script_unref(instance->file->state, &instance->environment);
        cni_script_unref(instance->file->state, &instance->state_table);
        cni_script_file_release(runtime, instance->file);
    }
    cn_free(runtime->shared.allocator, instance->error, sizeof *instance->error);
    cn_free(runtime->shared.allocator, instance, sizeof *instance);
}

static void take_out(CniScriptRuntime *runtime, CniScriptInstance *instance)
{
    uint32_t place = place_of(runtime, instance->object);
    CniScriptInstance **at = runtime->instances.items + place;
    CN_ASSERT(place < runtime->instances.count && *at == instance,
              "a script that ends is not in the list");
    memmove(at, at + 1, (--runtime->instances.count - place) * sizeof(CniScriptInstance *));
}

void cni_script_instance_end(CniScriptRuntime *runtime, CniScriptInstance *instance)
{
    if (runtime->running || runtime->walking) {
        instance->gone = true;
        return;
    }
    if (instance->begun)
        cni_script_instance_call(runtime, instance, CNI_SCRIPT_ON_DESTROY, CN_NO_PARENT);
    cni_script_sounds_drop(&runtime->sounds, instance->object);
    cni_script_instance_drop_bindings(instance); /* finds it in the list */
    take_out(runtime, instance);
    free_instance(runtime, instance);
}

void cni_script_end_removed(CniScriptRuntime *runtime)
{
    for (uint32_t i = 0; i < runtime->instances.count;) {
        CniScriptInstance *instance = runtime->instances.items[i];
        if (instance->gone)
            cni_script_instance_end(runtime, instance);
        else
            i++;
    }
}

void cni_script_instances_clear(CniScriptRuntime *runtime)
{
    CN_ASSERT(!runtime->running && !runtime->walking, "scripts are dropped while they run");
    for (uint32_t i = 0; i < runtime->instances.count; i++)
        cni_script_instance_drop_bindings(runtime->instances.items[i]); /* finds it in the list */
    for (uint32_t i = 0; i < runtime->instances.count; i++)
        free_instance(runtime, runtime->instances.items[i]);
    runtime->instances.count = 0;
}
