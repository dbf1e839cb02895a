/*
 * Owners of sandboxed scripts. Each has a Lua state, budgets and quotas of its own, so that no
 * owner can use up what another one needs.
 */
#include "script/runtime/runtime.h"

#define DEFAULT_MEMORY_BYTES (64u << 20)
#define DEFAULT_INSTRUCTIONS_PER_TICK 10000000u
#define DEFAULT_INSTRUCTIONS_PER_CALL 2000000u
#define MAX_OWNERS 32u

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
                                                             : DEFAULT_INSTRUCTIONS_PER_CALL};
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
    if (count == MAX_OWNERS) {
        cn_error_set(error, CN_ERROR_LIMIT, "%s: more than %u owners have untrusted scripts", name,
                     MAX_OWNERS);
        return NULL;
    }
    CniScriptLuaDesc desc = {.owner = name,
                             .scripts = &runtime->shared,
                             .sandboxed = true,
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
        cni_script_state_at(runtime, i)->tick_used = 0;
        cni_script_state_at(runtime, i)->running = 0;
    }
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
