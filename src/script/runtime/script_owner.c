/*
 * Owners of sandboxed scripts. Each has a Lua state, budgets and quotas of its own, so that no
 * owner can use up what another one needs.
 */
#include "script/runtime/runtime.h"

#define DEFAULT_MEMORY_BYTES (64u << 20)
#define DEFAULT_INSTRUCTIONS_PER_TICK 10000000u
#define DEFAULT_INSTRUCTIONS_PER_CALL 2000000u

void cni_script_owner_name(const char *path, char name[CNI_SCRIPT_OWNER_BYTES])
{
    const char *scheme = strstr(path, "://");
    size_t mount = scheme ? (size_t)(scheme - path) + 3 : 0;
    const char *folder = path + mount + strspn(path + mount, "/");
    const char *end = strchr(folder, '/');
    size_t size = end ? (size_t)(end - path) : mount;
    if (!size)
        size = folder > path ? (size_t)(folder - path) : strlen(path);
    cn_copy_text(name, CNI_SCRIPT_OWNER_BYTES, (CnText){path, size});
}

/* Returns where an owner is in the list, or where it belongs. */
static uint32_t place_of(const CniScriptRuntime *runtime, const char *name)
{
    uint32_t place = 0;
    while (place < runtime->owners.count && strcmp(runtime->owners.items[place]->owner, name) < 0)
        place++;
    return place;
}

static CniScriptLimits limits_of(const CniScriptRuntime *runtime)
{
    const CnScriptDesc *desc = runtime->shared.desc;
    return (CniScriptLimits){
        .memory_bytes = desc->memory_bytes ? desc->memory_bytes : DEFAULT_MEMORY_BYTES,
        .instructions_per_tick = desc->instructions_per_tick ? desc->instructions_per_tick
                                                             : DEFAULT_INSTRUCTIONS_PER_TICK,
        .instructions_per_call = desc->instructions_per_call ? desc->instructions_per_call
                                                             : DEFAULT_INSTRUCTIONS_PER_CALL,
        .watchdog_ns = desc->watchdog_ms * UINT64_C(1000000)};
}

CniScriptLuaState *cni_script_trusted_open(CniScriptRuntime *runtime, CnError *error)
{
    CniScriptLuaDesc desc = {.owner = "trusted", .scripts = &runtime->shared};
    return cni_script_lua_open(&runtime->trusted, &desc, error) ? &runtime->trusted : NULL;
}

CniScriptLuaState *cni_script_owner_open(CniScriptRuntime *runtime, const char *name,
                                         CnError *error)
{
    uint32_t place = place_of(runtime, name), count = runtime->owners.count;
    if (place < count && !strcmp(runtime->owners.items[place]->owner, name))
        return runtime->owners.items[place];
    if (count == CNI_SCRIPT_MAX_OWNERS) {
        cn_error_set(error, CN_ERROR_LIMIT, "%s: more than %u owners have untrusted scripts", name,
                     CNI_SCRIPT_MAX_OWNERS);
        return NULL;
    }
    CniScriptLuaDesc desc = {.owner = name,
                             .scripts = &runtime->shared,
                             .sandboxed = true,
                             .number = count + 1,
                             .limits = limits_of(runtime)};
    CniScriptLuaState *state = cn_alloc_zeroed(runtime->shared.allocator, sizeof *state);
    if (!state || !cn_array_reserve(&runtime->owners, count + 1u)) {
        cn_free(runtime->shared.allocator, state, sizeof *state);
        cn_error_memory(error, "the scripts of %s", name);
        return NULL;
    }
    if (!cni_script_lua_open(state, &desc, error)) {
        cn_free(runtime->shared.allocator, state, sizeof *state);
        return NULL;
    }
    CniScriptLuaState **at = runtime->owners.items + place;
    memmove(at + 1, at, (runtime->owners.count++ - place) * sizeof *at);
    *at = state;
    return state;
}

uint32_t cni_script_state_count(const CniScriptRuntime *runtime)
{
    return runtime->owners.count + 1;
}

CniScriptLuaState *cni_script_state_at(CniScriptRuntime *runtime, uint32_t index)
{
    CN_ASSERT(index <= runtime->owners.count, "state %u of %u", index, runtime->owners.count + 1);
    return index ? runtime->owners.items[index - 1] : &runtime->trusted;
}

void cni_script_owners_begin_tick(CniScriptRuntime *runtime)
{
    for (uint32_t i = 0; i < cni_script_state_count(runtime); i++) {
        cni_script_budget_begin_tick(cni_script_state_at(runtime, i));
        cni_script_state_at(runtime, i)->running = 0;
    }
}

/* ---- What the bindings ask for ---- */

CnRandom *cni_script_random(lua_State *lua, CnComponent stream)
{
    CniScriptLuaState *state = cni_script_lua_of(lua);
    CnWorld *world = state->scripts->world;
    if (!state->sandboxed || !cn_random_of(world, stream))
        return cn_random_of(world, stream);
    uint64_t owner = cn_hash_bytes(state->owner, strlen(state->owner), 0);
    CnRandom first = cn_random_fork(cn_random_key(world, stream), owner, 0);
    if (state->random.key != first.key) /* the first number, or the world has another seed */
        state->random = first;
    return &state->random;
}

uint32_t cni_script_state_number(lua_State *lua)
{
    return cni_script_lua_of(lua)->number;
}

bool cni_script_is_spent(lua_State *lua)
{
    return cni_script_budget_spent(cni_script_lua_of(lua));
}

uint64_t cni_script_tick_used(lua_State *lua)
{
    return cni_script_lua_of(lua)->tick_used;
}

uint64_t cni_script_tick_limit(lua_State *lua)
{
    return cni_script_lua_of(lua)->tick_limit;
}

void cni_script_charge_state(lua_State *lua, uint64_t instructions)
{
    cni_script_budget_charge_owner(cni_script_lua_of(lua), instructions);
}

void cni_script_count_lost(lua_State *lua, uint64_t events)
{
    cni_script_lua_of(lua)->skipped_in_tick.lost += events;
}

void cni_script_count_deferred(lua_State *lua, uint64_t events)
{
    cni_script_lua_of(lua)->skipped_in_tick.deferred += events;
}

/* ---- Reports ---- */

static void count_waiting(lua_State *lua, void *user)
{
    (void)user;
    cni_script_bind_count_waiting(lua);
}

static void report(CniScriptLuaState *state)
{
    const CniScriptSkipped now = state->skipped_in_tick;
    state->skipped_in_tick = (CniScriptSkipped){0};
    if (!now.calls && !now.deferred && !now.lost)
        return;
    state->skipped.calls += now.calls;
    state->skipped.deferred += now.deferred;
    state->skipped.lost += now.lost;
    CN_LOG_WARNING("script",
                   "%s used %llu of %llu instructions in this tick: %llu calls were skipped, %llu "
                   "events and timers wait for the next tick, %llu events are lost",
                   state->owner, (unsigned long long)state->tick_used,
                   (unsigned long long)state->tick_limit, (unsigned long long)now.calls,
                   (unsigned long long)now.deferred, (unsigned long long)now.lost);
}

void cni_script_owners_end_tick(CniScriptRuntime *runtime)
{
    for (uint32_t i = 0; i < cni_script_state_count(runtime); i++) {
        CniScriptLuaState *state = cni_script_state_at(runtime, i);
        if (state->lua)
            cni_script_protected(state, count_waiting, NULL);
        report(state);
    }
}

uint32_t cn_script_owners(const CnWorld *world, CnScriptOwnerStats *stats, uint32_t capacity)
{
    CN_ASSERT(world, "%s: world is NULL", __func__);
    CN_ASSERT(stats || !capacity, "%s: stats is NULL", __func__);
    CniScriptRuntime *runtime = cni_script_runtime_of(world);
    uint32_t count = runtime ? cni_script_state_count(runtime) : 0;
    for (uint32_t i = 0; i < count && i < capacity; i++) {
        const CniScriptLuaState *state = cni_script_state_at(runtime, i);
        stats[i] = (CnScriptOwnerStats){.is_trusted = !state->sandboxed,
                                        .bytes = state->bytes,
                                        .peak_bytes = state->peak_bytes,
                                        .tick_instructions = state->tick_used,
                                        .skipped_calls = state->skipped.calls,
                                        .deferred_events = state->skipped.deferred,
                                        .lost_events = state->skipped.lost,
                                        .watchdog_stops = state->watchdog_stops};
        cn_copy_text(stats[i].name, sizeof stats[i].name,
                     cn_text(state->sandboxed ? state->owner : "trusted"));
    }
    return count;
}

void cni_script_owners_close(CniScriptRuntime *runtime)
{
    for (uint32_t i = 0; i < runtime->owners.count; i++) {
        cni_script_lua_close(runtime->owners.items[i]);
        cn_free(runtime->shared.allocator, runtime->owners.items[i],
                sizeof *runtime->owners.items[i]);
    }
    cn_array_fini(&runtime->owners);
}
