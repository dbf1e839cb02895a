#include "mod_effect.h"

#include "mod_cost.h"
#include "mods_internal.h"

bool crafty_mod_send_effect(CnLuaCall *call, CraftyModEffect *effect)
{
    CnChannel *channel = cn_channel(crafty_mod_run(call)->world, CraftyModEffect);
    cn_lua_charge(call, CRAFTY_MOD_COST_EVENT);
    cn_copy_text(effect->mod, sizeof effect->mod, cn_text(crafty_mod_of(call)->source->name));
    if (channel &&
        crafty_mod_take_quota(crafty_mod_of(call),
                              CRAFTY_MOD_EFFECTS)) /* it counts events for which it has no room */
        cn_send_value(channel, effect);
    return true;
}

bool crafty_mod_effects_add(CnWorld *world, CnError *error)
{
    const CnComponentDesc desc = {.type = &cn_type_CraftyModEffect};
    if (!cn_component_register(world, &desc, error).id)
        return false;
    return cn_channel(world, CraftyModEffect) || cn_error_memory(error, "the effects of mods");
}
