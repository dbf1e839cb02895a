#include "rules.h"

bool crafty_rules_allow_commands(const CnWorld *world)
{
    const CraftyRules *rules = cn_resource(world, CraftyRules);
    return !rules || rules->commands;
}

bool crafty_rules_add(CnWorld *world, CnError *error)
{
    static const CraftyRules old = {.mode = CRAFTY_MODE_CREATIVE, .commands = true};
    CnComponentDesc desc = {.type = &cn_type_CraftyRules, .default_value = &old};
    CnComponent rules = cn_component_register(world, &desc, error);
    if (!rules.id)
        return false;
    return cn_resource(world, CraftyRules) || cn_resource_set_value(world, rules, &old) ||
           cn_error_memory(error, "the rules");
}
