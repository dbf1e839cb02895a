#include "sound_creatures.h"

#include "sound_internal.h"

#include <cairn/base/text.h>

#include <string.h>

/* Names of voices, the second for kinds that lack the first. */
static const char *const voices[CRAFTY_VOICE_COUNT][3] = {
    [CRAFTY_VOICE_IDLE] = {"idle"},         [CRAFTY_VOICE_HURT] = {"hurt"},
    [CRAFTY_VOICE_DIE] = {"die", "hurt"},   [CRAFTY_VOICE_ANGRY] = {"growl", "hiss", "idle"},
    [CRAFTY_VOICE_CALL] = {"howl", "idle"}, [CRAFTY_VOICE_YES] = {"yes", "idle"},
    [CRAFTY_VOICE_NO] = {"no", "hurt"},
};

/* Kinds whose sounds have another name. */
static const char *const aliases[][2] = {{"baby_duck", "duckling"}, {"trader", "villager"}};

bool crafty_creature_sound_name(const CraftySoundBank *bank, const char *kind, CraftyVoice voice,
                                char *name, size_t name_bytes)
{
    for (uint32_t i = 0; i < CN_COUNT_OF(aliases); i++)
        if (strcmp(kind, aliases[i][0]) == 0)
            kind = aliases[i][1];
    for (uint32_t i = 0; i < 3 && voices[voice][i]; i++) {
        cn_format(name, name_bytes, "creature.%s.%s", kind, voices[voice][i]);
        if (crafty_sound_bank_find(bank, name) != CRAFTY_NO_SOUND)
            return true;
    }
    return false;
}

CnVoice crafty_sound_creature(CraftySound *sound, const char *kind, CraftyVoice voice,
                              CnVec3 position)
{
    char name[64];
    if (!crafty_creature_sound_name(sound->bank, kind, voice, name, sizeof name))
        return (CnVoice){0};
    sound->counts.creatures++;
    return crafty_sound_play_at(sound, name, position, 1);
}
