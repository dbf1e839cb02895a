/* Sending events, and the functions about events that scripts see. */
#include "script/bind/bind_event.h"

#include <string.h>

#define MAX_SENT_EVENTS 8192u /* of a sandboxed owner to channels of the world in a tick */
#define SEND_COST 50u         /* instructions */

CnText cni_script_check_event_name(lua_State *lua, int index)
{
    size_t size;
    const char *name = luaL_checklstring(lua, index, &size);
    if (size == 0 || size >= CN_MAX_NAME_BYTES || memchr(name, 0, size))
        luaL_argerror(lua, index, "the name of an event must have 1 to 63 bytes");
    return (CnText){name, size};
}

CnChannel *cni_script_event_channel(lua_State *lua, const CniScriptBindings *bound,
                                    CnComponent component)
{
    CnChannel *channel = cn_channel_open(bound->world, &(CnChannelDesc){.component = component});
    if (!channel)
        cni_script_throw_out_of_memory(lua);
    return channel;
}

/* Returns whether it is a type of the world. A type that is not available to scripts is an
 * error: such an event would neither come from the engine nor reach it. */
bool cni_script_find_event(lua_State *lua, const CniScriptBindings *bound, CnText name,
                           CnReflectedComponent *reflected)
{
    char type[CN_MAX_NAME_BYTES];
    if (cn_reflection_find(bound->world, name, reflected))
        return true;
    cn_copy_text(type, sizeof type, name);
    if (cn_component_find(bound->world, type).id)
        luaL_error(lua, "events '%s' are not available to scripts", type);
    return false;
}

/* ---- Sending ---- */

/* Nobody fills a channel that others use. */
static void take_event(lua_State *lua, CniScriptBindings *bound, const char *name)
{
    uint64_t now = cni_script_tick_now(bound);
    if (bound->sent_tick != now)
        bound->sent_events = 0;
    bound->sent_tick = now;
    if (cni_script_is_sandboxed(lua) && bound->sent_events == MAX_SENT_EVENTS)
        luaL_error(lua, "too many events '%s' in this tick: %d are possible", name,
                   (int)MAX_SENT_EVENTS);
    bound->sent_events++;
}

static void send_to_channel(lua_State *lua, CniScriptBindings *bound,
                            const CnReflectedComponent *reflected)
{
    const CniScriptComponentView *view = cni_script_view_of(lua, bound, reflected);
    CnChannel *channel = cni_script_event_channel(lua, bound, reflected->component);
    take_event(lua, bound, view->reflected.name);
    if (!view->info.size) {
        cn_signal(channel);
        return;
    }
    lua_settop(lua, 2);
    void *value = cni_script_push_default(lua, view);
    cni_script_read_fields(lua, bound, 2, view, value);
    if (!cn_send_value(channel, value))
        luaL_error(lua, "too many events '%s' in this tick", view->reflected.name);
}

/* send(name, value), or send(object, name, value) */
static int send(lua_State *lua)
{
    CniScriptBindings *bound = cni_script_bindings(lua);
    CnEntity target = CN_NO_PARENT;
    if (cni_script_to_class(lua, bound, 1, CNI_SCRIPT_CLASS_OBJECT)) {
        target = cni_script_check_entity(lua, 1);
        lua_remove(lua, 1);
    }
    CnText name = cni_script_check_event_name(lua, 1);
    cni_script_check_may_change(lua, bound);
    cni_script_budget_charge(lua, SEND_COST);
    CnReflectedComponent reflected;
    if (!cni_script_find_event(lua, bound, name, &reflected)) {
        lua_settop(lua, 2);
        cni_script_message_send(lua, bound, name, target, 2);
        return 0;
    }
    if (target.id)
        return luaL_error(lua,
                          "events '%s' are for everyone; an object receives names that are "
                          "not components",
                          reflected.type ? reflected.type->name : lua_tostring(lua, 1));
    send_to_channel(lua, bound, &reflected);
    return 0;
}

static const CniScriptBinding rows[] = {
    {"send", CNI_SCRIPT_FUNCTION, send, NULL, "(name: string|Object, fields?: any, value?: any)",
     "Sends an event: an event type of the world with its fields, or any other name with plain "
     "values. It is delivered in the same tick, after all scripts have run. send(object, name, "
     "value) sends to the script of one object only."},
    {"subscribe", CNI_SCRIPT_FUNCTION, cni_script_subscribe, NULL,
     "(name: string, filter: table|fun(event: any), handler?: fun(event: any)): number",
     "Calls the handler for each event of this name: subscribe(name, handler). With a filter, only "
     "for events that have this value in this field: subscribe(name, {target = this}, handler); "
     "other subscribers then cost nothing. Call it in the body of the script, so that it is "
     "called again when the script is reloaded."},
    {"unsubscribe", CNI_SCRIPT_FUNCTION, cni_script_unsubscribe, NULL, "(subscription: number)",
     "Removes a subscription."},
    {.name = NULL}};
const CniScriptBindingTable cni_script_bind_event = {NULL, "Events", rows};
