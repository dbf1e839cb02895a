#include "mod_effect.h"

#include <cairn/ecs/world.h>

bool crafty_mod_effects_add(CnWorld *world, CnError *error)
{
    const CnComponentDesc desc = {.type = &cn_type_CraftyModEffect};
    if (!cn_component_register(world, &desc, error).id)
        return false;
    return cn_channel(world, CraftyModEffect) || cn_error_memory(error, "the effects of mods");
}
