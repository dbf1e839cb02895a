/*
 * Limits of sandboxed scripts: instructions and memory.
 *
 * Their state has no JIT, so that a hook sees every instruction. The hook runs every few
 * instructions and counts them. C functions and the allocator charge their work as well, and so
 * does work that single instructions hide (hidden_work.h). When the budget is used up, the hook
 * runs with each instruction and throws every time, so that pcall cannot intercept it: every level
 * of the script ends at its next instruction.
 *
 * No clock takes part in this, so a fast and a slow machine stop the same scripts at the same
 * instruction. The watchdog is the last resort, for work that nobody thought of: seconds in one
 * tick. When it stops a script, the run is marked as not reproducible.
 */
#include "script/runtime/runtime.h"

#include <cairn/base/clock.h>

#define CALL_COST 64u /* the minimum that each call is charged, in instructions */
#define COLLECTED_BYTES_PER_COUNT 128u
#define REFUSAL_COST 5000u
#define BLOCK_OVERHEAD_BYTES 24u /* approximate overhead of the heap and of our header */
#define BLOCK_COST 16u           /* charged for each memory block, */
#define BYTES_PER_COUNT 32u      /* and one more for this many bytes */
#define MAX_LUA_STACK_BYTES (128u << 10)
#define MAX_STACK_BYTES (256u << 10)
#define ALLOWANCE_SHARE 2u /* of the limit of a call, for what samples charge by chance */
#define LOOK_STEP 16u      /* runs of the hook between looks of the watchdog at the clock */

static void on_count(lua_State *lua, lua_Debug *info);

static void arm(CniScriptLuaState *state)
{
    if (state->depth && !state->armed) {
        state->armed = true;
        lua_sethook(state->lua, on_count, LUA_MASKCOUNT, 1);
    }
}

static void disarm(CniScriptLuaState *state)
{
    state->armed = false;
    lua_sethook(state->lua, on_count, LUA_MASKCOUNT,
                (int)cni_script_hidden_work_next(&state->hidden));
}

/* ---- Memory ---- */

/* The error that Lua throws now has no position and is indistinguishable, so the position is
 * recorded here. */
static bool refuse(CniScriptLuaState *state, const char *what, size_t limit)
{
    if (!state->depth)
        return false;
    arm(state);
    if (state->stop)
        return false;
    cni_script_fault_locate(state, state->lua, 0);
    state->call_used += REFUSAL_COST;
    state->fault.code = CN_ERROR_LIMIT;
    cn_format(state->fault.message, sizeof state->fault.message, "%s more than %zu KiB", what,
              limit / 1024);
    return false;
}

static bool is_power_of_two(size_t n)
{
    return n && !(n & (n - 1));
}

/* Tables and buffers grow to these sizes; stacks grow to others. */
static bool is_size_of_data(size_t bytes)
{
    return is_power_of_two(bytes) || (bytes % 8 == 0 && is_power_of_two(bytes / 8 - 1)) ||
           (bytes % 24 == 0 && is_power_of_two(bytes / 24));
}

/*
 * A stack must not grow to Lua's own limit. The hook needs room on it; without room, Lua throws
 * instead of calling the hook, and nested pcalls could run for hours without being counted, because
 * Lua grants a full stack some extra room for error handlers. Here no extra room is granted, and
 * from the first refusal on the hook runs with each instruction, so each one throws until there is
 * room.
 */
static bool is_stack(size_t old_bytes, size_t new_bytes)
{
    return old_bytes && new_bytes > MAX_LUA_STACK_BYTES && !is_size_of_data(new_bytes);
}

/*
 * What Lua has for itself depends on garbage that was not collected yet, and so on whether a state
 * was restored: growing the stack, the buffer for strings and the table of strings is free. It is
 * rare, and scripts cannot make more of it than they pay for otherwise.
 */
static bool is_own(size_t old_bytes, size_t new_bytes)
{
    return old_bytes && (!is_size_of_data(new_bytes) ||
                         (is_power_of_two(old_bytes) && is_power_of_two(new_bytes)));
}

#define FIRST_STRINGS_BYTES 2048u /* of Lua's table of strings, when a state is opened */

/* The table of strings is replaced by one of twice or half its size, which is made just before. */
static void follow_strings(CniScriptLuaState *state, const void *made, size_t bytes, uint64_t cost)
{
    if (!state->lua && !state->strings && bytes == FIRST_STRINGS_BYTES) {
        state->strings = made;
        state->strings_bytes = bytes;
    }
    bool replaces = bytes == state->strings_bytes * 2 || bytes * 2 == state->strings_bytes;
    state->next_strings = replaces && is_power_of_two(bytes) ? made : NULL;
    state->next_strings_bytes = bytes;
    state->next_strings_cost = cost;
}

static void follow_freed(CniScriptLuaState *state, const void *block)
{
    if (block != state->strings)
        return;
    if (state->next_strings)
        state->call_used -= state->next_strings_cost < state->call_used ? state->next_strings_cost
                                                                        : state->call_used;
    state->strings = state->next_strings;
    state->strings_bytes = state->next_strings ? state->next_strings_bytes : 0;
    state->next_strings = NULL;
}

static uint64_t cost_of(size_t old_bytes, size_t new_bytes)
{
    return is_own(old_bytes, new_bytes) ? 0 : BLOCK_COST + new_bytes / BYTES_PER_COUNT;
}

static bool may_grow(CniScriptLuaState *state, size_t old_bytes, size_t new_bytes)
{
    size_t total = state->bytes - old_bytes + new_bytes + BLOCK_OVERHEAD_BYTES;
    if (new_bytes > state->block_bytes)
        return refuse(state, "a table or string takes", state->block_bytes);
    if (total > state->hard_bytes)
        return refuse(state, "untrusted scripts take", state->hard_bytes);
    if (is_stack(old_bytes, new_bytes))
        return refuse(state, "stack overflow: it takes", MAX_LUA_STACK_BYTES);
    state->call_used += cost_of(old_bytes, new_bytes);
    if (total > state->soft_bytes || state->call_used > state->call_limit)
        arm(state);
    return true;
}

void *cni_script_lua_alloc(void *user, void *block, size_t old_bytes, size_t new_bytes)
{
    CniScriptLuaState *state = user;
    CnAllocator *allocator = state->scripts->allocator;
    if (!block)
        old_bytes = 0; /* Lua passes the kind of object there */
    CN_ASSERT(!block || state->bytes >= old_bytes, "Lua frees more memory than it has");
    if (!new_bytes && !block)
        return NULL;
    if (state->sandboxed)
        state->call_used += cni_script_hidden_work_block(&state->hidden, old_bytes, new_bytes);
    if (!new_bytes) {
        follow_freed(state, block);
        cni_script_lua_allocator_resize(&state->blocks, allocator, block, old_bytes, 0);
        state->bytes -= old_bytes + BLOCK_OVERHEAD_BYTES;
        return NULL;
    }
    if (state->sandboxed && new_bytes > old_bytes && !may_grow(state, old_bytes, new_bytes))
        return NULL;
    void *result =
        cni_script_lua_allocator_resize(&state->blocks, allocator, block, old_bytes, new_bytes);
    if (!result)
        return NULL;
    if (state->sandboxed && !block)
        follow_strings(state, result, new_bytes, cost_of(0, new_bytes));
    state->bytes += new_bytes - old_bytes + (block ? 0 : BLOCK_OVERHEAD_BYTES);
    if (state->bytes > state->peak_bytes)
        state->peak_bytes = state->bytes;
    CN_ASSERT(!state->sandboxed || new_bytes <= old_bytes || state->bytes <= state->hard_bytes,
              "sandboxed scripts take %zu bytes", state->bytes);
    return result;
}

/* ---- Instructions ---- */

static void bark(CniScriptLuaState *state, char *text, size_t bytes)
{
    cn_format(text, bytes, "the watchdog stopped %s after %llu ms of one tick", state->owner,
              (unsigned long long)(state->watchdog_ns / 1000000));
    state->watchdog_stops++;
    state->watched_ns = 0;
    cni_script_watchdog_stopped(state);
}

static void stop(CniScriptLuaState *state, lua_State *lua, CniScriptStopReason why)
{
    CN_ASSERT(why != CNI_SCRIPT_NOT_STOPPED && state->sandboxed, "only the sandbox stops scripts");
    if (!state->stop) {
        state->stop = why;
        cni_script_fault_locate(state, lua, 0);
        state->fault.code = CN_ERROR_LIMIT;
        char *text = state->fault.message;
        size_t bytes = sizeof state->fault.message;
        if (why == CNI_SCRIPT_STOP_CALL)
            cn_format(text, bytes, "more than %llu instructions in one call",
                      (unsigned long long)state->call_limit);
        else if (why == CNI_SCRIPT_STOP_TICK)
            cn_format(text, bytes, "more than %llu instructions of %s in one tick",
                      (unsigned long long)(state->tick_limit + state->call_limit), state->owner);
        else if (why == CNI_SCRIPT_STOP_MEMORY)
            cn_format(text, bytes, "untrusted scripts take more than %zu KiB",
                      state->soft_bytes / 1024);
        else
            bark(state, text, bytes);
    }
    arm(state);
    luaL_error(lua, "%s", state->fault.message);
}

/* Sums up the time of the thread between looks within calls, so that neither other threads nor
 * other owners count. */
static bool watchdog_expired(CniScriptLuaState *state)
{
    if (++state->looks % LOOK_STEP)
        return false;
    uint64_t now = cn_clock_thread_ns();
    if (state->watched_from)
        state->watched_ns += now - state->watched_from;
    state->watched_from = now;
    return state->watched_ns > state->watchdog_ns;
}

static CniScriptStopReason must_stop(CniScriptLuaState *state, lua_State *lua)
{
    if (state->stop)
        return state->stop;
    if (state->call_used > state->call_limit)
        return CNI_SCRIPT_STOP_CALL;
    if (state->tick_used + state->call_used > state->tick_limit + state->call_limit)
        return CNI_SCRIPT_STOP_TICK;
    if (state->bytes > state->soft_bytes) {
        if (!state->collected) {
            state->collected = true;
            state->call_used += state->bytes / COLLECTED_BYTES_PER_COUNT;
            lua_gc(lua, LUA_GCCOLLECT, 0);
        }
        if (state->bytes > state->soft_bytes)
            return CNI_SCRIPT_STOP_MEMORY;
    }
    return watchdog_expired(state) ? CNI_SCRIPT_STOP_TIME : CNI_SCRIPT_NOT_STOPPED;
}

static void on_count(lua_State *lua, lua_Debug *info)
{
    CniScriptLuaState *state = cni_script_lua_of(lua);
    state->call_used += state->armed ? 1 : state->hidden.step;
    if (!state->armed)
        state->call_used += cni_script_hidden_work_sample(&state->hidden, lua, info);
    CniScriptStopReason why = must_stop(state, lua);
    if (why)
        stop(state, lua, why);
    if (state->armed || state->hidden.mean != CNI_SCRIPT_PLAIN_STEP ||
        state->hidden.step != CNI_SCRIPT_PLAIN_STEP)
        disarm(state);
}

bool cni_script_is_sandboxed(lua_State *lua)
{
    return cni_script_lua_of(lua)->sandboxed;
}

void cni_script_budget_charge(lua_State *lua, uint64_t instructions)
{
    CniScriptLuaState *state = cni_script_lua_of(lua);
    if (!state->sandboxed || !state->depth)
        return;
    state->call_used += instructions;
    CniScriptStopReason why = must_stop(state, lua);
    if (why)
        stop(state, lua, why);
}

uint64_t cni_script_budget_left(lua_State *lua)
{
    const CniScriptLuaState *state = cni_script_lua_of(lua);
    if (!state->sandboxed || !state->depth)
        return UINT64_MAX;
    uint64_t used = state->call_used, tick_used = state->tick_used + used;
    uint64_t tick_limit = state->tick_limit + state->call_limit;
    uint64_t call_left = used < state->call_limit ? state->call_limit - used : 0;
    uint64_t tick_left = tick_used < tick_limit ? tick_limit - tick_used : 0;
    return call_left < tick_left ? call_left : tick_left;
}

void cni_script_budget_begin_tick(CniScriptLuaState *state)
{
    state->tick_used = state->watched_ns = 0;
    state->hidden.allowance = state->call_limit / ALLOWANCE_SHARE;
}

void cni_script_budget_begin(CniScriptLuaState *state, CniScriptBudget *outer)
{
    CN_ASSERT(state->lua, "a call in a Lua state that is closed");
    CN_ASSERT(state->depth < 1000, "calls of scripts are nested %u deep", state->depth);
    *outer = (CniScriptBudget){state->depth ? state->call_used : 0};
    state->tick_used += outer->call_used; /* while a nested call runs */
    state->call_used = CALL_COST;
    if (state->depth++ == 0)
        state->stack = __builtin_frame_address(0);
    if (!state->sandboxed)
        return;
    if (state->depth == 1) {
        state->watched_from = 0;
        cni_script_hidden_work_begin(&state->hidden);
    }
    state->stop = CNI_SCRIPT_NOT_STOPPED;
    state->collected = false;
    disarm(state);
}

void cni_script_budget_end(CniScriptLuaState *state, const CniScriptBudget *outer)
{
    CN_ASSERT(state->depth, "more calls end than begin");
    state->depth--;
    state->tick_used += state->call_used;
    CN_ASSERT(state->tick_used >= outer->call_used, "the outer call is not counted");
    state->tick_used -= outer->call_used;
    state->call_used = outer->call_used;
    if (!state->sandboxed)
        return;
    state->memory_stopped |= state->stop == CNI_SCRIPT_STOP_MEMORY;
    state->stop = CNI_SCRIPT_NOT_STOPPED;
    disarm(state);
}

#define BYTES_PER_INSTRUCTION 16u /* cost of collecting garbage */

static void collect(lua_State *lua, void *user)
{
    (void)user;
    lua_gc(lua, LUA_GCCOLLECT, 0);
}

void cni_script_collect_after_stop(CniScriptLuaState *state)
{
    if (!state || !state->memory_stopped || state->depth)
        return;
    CN_ASSERT(state->sandboxed, "only sandboxed scripts are stopped because of memory");
    state->memory_stopped = false;
    /* A series of scripts that run out of memory must not take all the time: others wait for the
     * next tick. */
    state->tick_used += state->bytes / BYTES_PER_INSTRUCTION;
    cni_script_protected(state, collect, NULL);
}

bool cni_script_budget_spent(const CniScriptLuaState *state)
{
    return state->sandboxed && state->tick_used > state->tick_limit;
}

bool cni_script_reserve_spent(const CniScriptLuaState *state)
{
    return state->sandboxed && state->tick_used > state->tick_limit + state->tick_limit / 8;
}

void cni_script_budget_charge_owner(CniScriptLuaState *state, uint64_t instructions)
{
    if (state->sandboxed)
        state->tick_used += instructions;
}

/* ---- The C stack ---- */

void cni_script_check_stack(lua_State *lua)
{
    const CniScriptLuaState *state = cni_script_lua_of(lua);
    const char *here = __builtin_frame_address(0);
    if (!state->depth || (size_t)(state->stack - here) <= MAX_STACK_BYTES)
        return;
    cni_script_budget_charge(lua, CNI_SCRIPT_THROW_COST);
    luaL_error(lua, "library functions are nested too deeply");
}
