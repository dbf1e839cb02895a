/* The table `sound`. */
#include "mod_cost.h"
#include "mod_effect.h"
#include "mods_internal.h"

static bool is_name(CnText name)
{
    for (size_t i = 0; i < name.size; i++) {
        char c = name.data[i];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == ':'))
            return false;
    }
    return name.size > 0 && name.size < CRAFTY_MOD_EFFECT_NAME_BYTES;
}

static bool read_factor(CnLuaCall *call, uint32_t argument, const char *name, double low,
                        double high, float *factor)
{
    const CnLuaValue *given = &call->arguments[argument];
    *factor = 1;
    if (given->kind == CN_LUA_NIL)
        return true;
    *factor = (float)given->number;
    return (given->number >= low && given->number <= high) ||
           cn_error_set(call->error, CN_ERROR_LIMIT, "the %s of a sound is %g to %g", name, low,
                        high);
}

static bool play(CnLuaCall *call)
{
    char escaped[CRAFTY_MOD_EFFECT_NAME_BYTES];
    const CnText name = call->arguments[0].text;
    CraftyModEffect effect = {.kind = CRAFTY_MOD_EFFECT_SOUND, .count = 1};
    if (!crafty_mod_may_act(call) || !crafty_mod_point(call, 1, &effect.position) ||
        !read_factor(call, 4, "gain", 0, 2, &effect.gain) ||
        !read_factor(call, 5, "pitch", 0.5, 2, &effect.pitch))
        return false;
    if (!is_name(name))
        return cn_error_set(call->error, CN_ERROR_FORMAT, "\"%s\" is not the name of a sound",
                            cn_text_escape(name, escaped, sizeof escaped));
    cn_copy_text(effect.name, sizeof effect.name, name);
    return crafty_mod_send_effect(call, &effect);
}

static const CnLuaFunction functions[] = {
    {"play", play, "(name: string, x: number, y: number, z: number, gain?: number, pitch?: number)",
     "Plays a sound at a point: `sounds/NAME.ogg` of the mod, or one of the game such as "
     "`block.stone.dig`. `gain` is 0 to 2, `pitch` 0.5 to 2; both are 1 by default.",
     "on(\"use\", function(e)\n"
     "    if e.block == \"glass\" then sound.play(\"block.stone.dig\", e.x, e.y, e.z, 1, 2) end\n"
     "end)"},
    {0}};
const CnLuaTable crafty_mod_sound_table = {"sound", "Sounds.", functions, NULL};
