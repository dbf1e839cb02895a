/* Timers: functions that are called later, measured in ticks. */
#include "script/bind/bind.h"

#include <cairn/sim/loop.h>

#define MAX_TIMERS 65536u
#define MAX_SECONDS 1e9
#define TIMER_COST 50u /* instructions */

static CniScriptTimer *timer_at(const CniScriptBindings *bound, uint32_t index)
{
    CN_ASSERT(index < bound->timers.count, "timer %u of %u", index, bound->timers.count);
    return (CniScriptTimer *)bound->timers.items + index;
}

static bool is_before(const CniScriptTimer *a, const CniScriptTimer *b)
{
    return a->due != b->due ? a->due < b->due : a->id < b->id;
}

static void swap(CniScriptBindings *bound, uint32_t a, uint32_t b)
{
    CniScriptTimer kept = *timer_at(bound, a);
    *timer_at(bound, a) = *timer_at(bound, b);
    *timer_at(bound, b) = kept;
}

static void move_up(CniScriptBindings *bound, uint32_t i)
{
    for (; i && is_before(timer_at(bound, i), timer_at(bound, (i - 1) / 2)); i = (i - 1) / 2)
        swap(bound, i, (i - 1) / 2);
    CN_ASSERT(!i || !is_before(timer_at(bound, i), timer_at(bound, (i - 1) / 2)),
              "the heap of timers is out of order at %u", i);
}

static void move_down(CniScriptBindings *bound, uint32_t i)
{
    for (;;) {
        uint32_t least = i, left = 2 * i + 1, right = left + 1;
        if (left < bound->timers.count && is_before(timer_at(bound, left), timer_at(bound, least)))
            least = left;
        if (right < bound->timers.count &&
            is_before(timer_at(bound, right), timer_at(bound, least)))
            least = right;
        if (least == i)
            return;
        swap(bound, i, least);
        i = least;
    }
}

static double tick_seconds(const CniScriptBindings *bound)
{
    const CnTickInfo *info = cn_resource(bound->world, CnTickInfo);
    double dt = info && info->dt > 0 ? (double)info->dt : (double)bound->scripts->dt;
    return dt > 0 ? dt : 1.0 / 60;
}

static uint64_t check_ticks(lua_State *lua, const CniScriptBindings *bound)
{
    double seconds = luaL_checknumber(lua, 1);
    if (!(seconds >= 0 && seconds <= MAX_SECONDS))
        luaL_argerror(lua, 1, "seconds must be between 0 and a billion");
    double ticks = cn_round(seconds / tick_seconds(bound));
    return ticks < 1 ? 1 : (uint64_t)ticks;
}

static int add_timer(lua_State *lua, bool again)
{
    CniScriptBindings *bound = cni_script_bindings(lua);
    uint64_t ticks = check_ticks(lua, bound);
    luaL_checktype(lua, 2, LUA_TFUNCTION);
    CniScriptBound *owner = cni_script_bound_of(bound->scripts, bound->scripts->current);
    if (!owner)
        return luaL_error(lua, "only scripts of objects can have timers");
    cni_script_budget_charge(lua, TIMER_COST);
    if (bound->timers.count == MAX_TIMERS)
        return luaL_error(lua, "more than %d timers", (int)MAX_TIMERS);
    cni_script_lua_array_reserve(lua, &bound->timers, sizeof(CniScriptTimer),
                                 bound->timers.count + 1);
    uint32_t tag = (uint32_t)cn_hash_mix(ticks * 2 + again);
    CniScriptKept kept = cni_script_take_kept(bound->scripts, owner, tag);
    uint64_t id = kept.has_ended ? 0 : kept.id ? kept.id : ++bound->last_id;
    lua_pushnumber(lua, (lua_Number)id);
    if (kept.has_ended)
        return 1;
    lua_pushvalue(lua, 2);
    int function = luaL_ref(lua, LUA_REGISTRYINDEX);
    CniScriptTimer *timer = cni_script_lua_array_push(lua, &bound->timers, sizeof *timer);
    *timer = (CniScriptTimer){.due = kept.id ? kept.due : cni_script_tick_now(bound) + ticks,
                              .id = id,
                              .every = again ? ticks : 0,
                              .owner = bound->scripts->current,
                              .function = function,
                              .number = kept.number,
                              .tag = tag};
    CN_ASSERT(kept.id || timer->due > cni_script_tick_now(bound), "a timer is due in the past");
    move_up(bound, bound->timers.count - 1);
    owner->timers++;
    bound->timer_count++;
    return 1;
}

static int after(lua_State *lua)
{
    return add_timer(lua, false);
}

static int every(lua_State *lua)
{
    return add_timer(lua, true);
}

/* The timer stays in the heap until it is due. */
static void end_timer(lua_State *lua, CniScriptBindings *bound, CniScriptTimer *timer)
{
    if (timer->function == LUA_NOREF)
        return;
    luaL_unref(lua, LUA_REGISTRYINDEX, timer->function);
    timer->function = LUA_NOREF;
    timer->every = 0;
    bound->timer_count--;
}

static int cancel(lua_State *lua)
{
    CniScriptBindings *bound = cni_script_bindings(lua);
    lua_Number id = luaL_checknumber(lua, 1);
    cni_script_budget_charge(lua, bound->timer_count);
    for (uint32_t i = 0; i < bound->timers.count; i++) {
        CniScriptTimer *timer = timer_at(bound, i);
        if ((lua_Number)timer->id != id || timer->owner.id != bound->scripts->current.id ||
            timer->function == LUA_NOREF)
            continue;
        end_timer(lua, bound, timer);
        cni_script_note_ended(bound->scripts, timer->owner, timer->number, timer->tag);
    }
    return 0;
}

/* Most scripts have none. */
void cni_script_drop_timers(lua_State *lua, CniScriptBindings *bound, CnEntity object)
{
    CniScriptBound *owner = cni_script_bound_of(bound->scripts, object);
    if (!owner || !owner->timers)
        return;
    owner->timers = 0;
    cni_script_charge_state(lua, bound->timer_count / 2);
    for (uint32_t i = 0; i < bound->timers.count; i++)
        if (timer_at(bound, i)->owner.id == object.id)
            end_timer(lua, bound, timer_at(bound, i));
}

void cni_script_bind_delay_timers(lua_State *lua)
{
    CniScriptBindings *bound = cni_script_bindings_of(lua);
    cni_script_forget_pending(bound, cni_script_tick_now(bound));
    for (uint32_t i = 0; i < bound->timers.count; i++)
        timer_at(bound, i)->due++;
}

/* Takes the first timer out of the heap, or moves it to its next time. */
static CniScriptTimer take_timer(CniScriptBindings *bound)
{
    CniScriptTimer timer = *timer_at(bound, 0);
    if (timer.every) {
        timer_at(bound, 0)->due += timer.every;
    } else {
        *timer_at(bound, 0) = *timer_at(bound, bound->timers.count - 1);
        bound->timers.count--;
    }
    move_down(bound, 0);
    return timer;
}

/* Timers that are due when the owner has used up its tick stay in the heap and are called in the
 * next tick. */
void cni_script_bind_timers(lua_State *lua)
{
    CniScriptBindings *bound = cni_script_bindings_of(lua);
    uint64_t now = cni_script_tick_now(bound);
    cni_script_forget_pending(bound, now);
    while (bound->timers.count && timer_at(bound, 0)->due <= now) {
        if (timer_at(bound, 0)->function != LUA_NOREF && cni_script_is_spent(lua)) {
            cni_script_count_deferred(lua, 1);
            return;
        }
        CniScriptTimer timer = take_timer(bound);
        if (timer.function == LUA_NOREF)
            continue; /* a restored state has no cancelled timers: they are not charged */
        cni_script_charge_state(lua, TIMER_COST);
        lua_rawgeti(lua, LUA_REGISTRYINDEX, timer.function);
        if (!timer.every) {
            luaL_unref(lua, LUA_REGISTRYINDEX, timer.function);
            bound->timer_count--;
            cni_script_note_ended(bound->scripts, timer.owner, timer.number, timer.tag);
        }
        cni_script_call(lua, timer.owner, 0);
    }
}

static const CniScriptBinding rows[] = {
    {"after", CNI_SCRIPT_FUNCTION, after, NULL, "(seconds: number, callback: fun()): number",
     "Calls the function once after this many seconds of simulation time, but not in this tick."},
    {"every", CNI_SCRIPT_FUNCTION, every, NULL, "(seconds: number, callback: fun()): number",
     "Calls the function repeatedly, every so many seconds of simulation time."},
    {"cancel", CNI_SCRIPT_FUNCTION, cancel, NULL, "(timer: number)",
     "Cancels a timer of after or every."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_timer = {NULL, "Timers", rows};
