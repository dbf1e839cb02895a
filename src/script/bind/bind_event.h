/* Subscriptions of one Lua state: shared by the files about events. */
#ifndef CAIRN_SRC_SCRIPT_BIND_BIND_EVENT_H
#define CAIRN_SRC_SCRIPT_BIND_BIND_EVENT_H

#include "script/bind/bind.h"

static inline CniScriptTopic *cni_script_topic_at(const CniScriptBindings *bound, uint32_t index)
{
    CN_ASSERT(index < bound->topics.count, "topic %u of %u", index, bound->topics.count);
    return (CniScriptTopic *)bound->topics.items + index;
}

static inline CniScriptSubscription *cni_script_subscription_at(const CniScriptBindings *bound,
                                                                uint32_t index)
{
    CN_ASSERT(index && index < bound->subscriptions.count, "subscription %u of %u", index,
              bound->subscriptions.count);
    return (CniScriptSubscription *)bound->subscriptions.items + index;
}

static inline uint32_t *cni_script_channel_at(const CniScriptBindings *bound, uint32_t index)
{
    CN_ASSERT(index < bound->channels.count, "channel %u of %u", index, bound->channels.count);
    return (uint32_t *)bound->channels.items + index;
}

/* Returns whether it is a type of the world; throws if that type is not available to scripts. */
bool cni_script_find_event(lua_State *lua, const CniScriptBindings *bound, CnText name,
                           CnReflectedComponent *reflected);
CnText cni_script_check_event_name(lua_State *lua, int index);
CnChannel *cni_script_event_channel(lua_State *lua, const CniScriptBindings *bound,
                                    CnComponent component);
/* Returns the topic of a name in this state, or UINT32_MAX. */
uint32_t cni_script_topic_here(const CniScriptBindings *bound, CnText name);
/* Reads a value as a key; false if it cannot be one. */
bool cni_script_key_of_value(lua_State *lua, const CniScriptBindings *bound, int index,
                             CniScriptKey *key);
/* The first subscription whose key has this hash; those of other keys are among them. */
uint32_t cni_script_bucket_first(const CniScriptBindings *bound, uint32_t topic,
                                 const CniScriptKey *key);
static inline bool cni_script_key_equal(const CniScriptKey *a, const CniScriptKey *b)
{
    return a->bits == b->bits && a->kind == b->kind && a->field == b->field;
}
/* Unlinks the subscriptions that ended while events were delivered. */
void cni_script_subscriptions_remove_ended(lua_State *lua, CniScriptBindings *bound);

int cni_script_subscribe(lua_State *lua);
int cni_script_unsubscribe(lua_State *lua);

#endif
