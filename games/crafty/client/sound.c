#include "sound_internal.h"

#include "crafty/sim/creature/creature.h"
#include "crafty/sim/hand.h"
#include "crafty/sim/player_event.h"

#include <string.h>

#define LOADS_PER_FRAME 2u
#define PITCH_SPREAD 0.04f

CraftySound *crafty_sound_create(CnAllocator *allocator, CnAudio *audio, CnError *error)
{
    allocator = allocator ? allocator : cn_system_allocator();
    CraftySound *sound = cn_alloc_zeroed(allocator, sizeof *sound);
    if (!sound) {
        cn_error_memory(error, "sound");
        return NULL;
    }
    sound->allocator = allocator;
    sound->audio = audio;
    sound->music.piece = sound->music.last = CRAFTY_NO_SOUND;
    sound->bank = crafty_sound_bank_create(allocator, audio, error);
    if (sound->bank)
        sound->last_variants = cn_alloc_zeroed(allocator, crafty_sound_bank_count(sound->bank));
    if (!sound->last_variants) {
        cn_error_memory(error, "sound");
        crafty_sound_destroy(sound);
        return NULL;
    }
    return sound;
}

void crafty_sound_destroy(CraftySound *sound)
{
    if (!sound)
        return;
    crafty_sound_leave(sound);
    cn_audio_stop_all(sound->audio, (CnSound){0}, 0);
    if (sound->last_variants)
        cn_free(sound->allocator, sound->last_variants, crafty_sound_bank_count(sound->bank));
    crafty_sound_bank_destroy(sound->bank);
    cn_free(sound->allocator, sound, sizeof *sound);
}

void crafty_sound_load_all(CraftySound *sound)
{
    crafty_sound_bank_load(sound->bank, UINT32_MAX);
}

void crafty_sound_set_volumes(CraftySound *sound, const CraftyPreferences *preferences)
{
    cn_audio_set_bus(sound->audio, CN_AUDIO_BUS_MASTER, preferences->volume, 0.05f);
    cn_audio_set_bus(sound->audio, CN_AUDIO_BUS_EFFECTS, preferences->effects_volume, 0.05f);
    cn_audio_set_bus(sound->audio, CN_AUDIO_BUS_MUSIC, preferences->music_volume, 0.05f);
    cn_audio_set_bus(sound->audio, CN_AUDIO_BUS_AMBIENCE, preferences->ambience_volume, 0.05f);
    cn_audio_set_bus(sound->audio, CN_AUDIO_BUS_INTERFACE, preferences->interface_volume, 0.05f);
}

/* ---- Worlds ---- */

/* Worlds without mods have no such events. */
static bool enter_mods(CraftySound *sound, CnWorld *world, const CraftyMods *mods, CnError *error)
{
    if (!mods || !cn_component_find(world, cn_type_CraftyModEffect.name).id)
        return true;
    sound->mod_sounds = crafty_mod_sounds_create(sound->allocator, sound->audio, mods, error);
    if (sound->mod_sounds)
        sound->mod_events = cn_event_reader_create(cn_channel(world, CraftyModEffect), error);
    return sound->mod_events != NULL;
}

bool crafty_sound_enter(CraftySound *sound, CnWorld *world, const CraftyMods *mods, CnError *error)
{
    crafty_sound_leave(sound);
    if (!enter_mods(sound, world, mods, error))
        return false;
    sound->hand_events = cn_event_reader_create(cn_channel(world, CraftyHandEvent), error);
    sound->player_events = cn_event_reader_create(cn_channel(world, CraftyPlayerEvent), error);
    bool has_creatures = cn_component_find(world, cn_type_CraftyCreatureEvent.name).id != 0;
    if (has_creatures)
        sound->creature_events =
            cn_event_reader_create(cn_channel(world, CraftyCreatureEvent), error);
    return sound->hand_events && sound->player_events &&
           (sound->creature_events || !has_creatures) &&
           crafty_sound_nearby_enter(sound, world, error);
}

void crafty_sound_leave(CraftySound *sound)
{
    if (sound->hand_events)
        cn_event_reader_destroy(sound->hand_events);
    if (sound->player_events)
        cn_event_reader_destroy(sound->player_events);
    if (sound->creature_events)
        cn_event_reader_destroy(sound->creature_events);
    if (sound->mod_events)
        cn_event_reader_destroy(sound->mod_events);
    sound->hand_events = sound->player_events = sound->creature_events = sound->mod_events = NULL;
    crafty_mod_sounds_destroy(sound->mod_sounds);
    sound->mod_sounds = NULL;
    crafty_sound_nearby_leave(sound);
    crafty_sound_surroundings_stop(sound);
    sound->caption_count = 0;
    sound->open = 0;
}

static void age_captions(CraftySound *sound, float seconds)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < sound->caption_count; i++) {
        sound->captions[i].seconds -= seconds;
        if (sound->captions[i].seconds > 0)
            sound->captions[kept++] = sound->captions[i];
    }
    sound->caption_count = kept;
}

void crafty_sound_frame(CraftySound *sound, const CraftySoundFrame *frame)
{
    crafty_sound_bank_load(sound->bank, LOADS_PER_FRAME);
    age_captions(sound, frame->seconds);
    if (frame->world && sound->hand_events) {
        crafty_sound_events(sound, frame);
        crafty_sound_nearby(sound, frame);
        crafty_sound_surroundings(sound, frame);
    }
    crafty_sound_music(sound, frame);
}

/* ---- Playing ---- */

uint32_t crafty_sound_random(CraftySound *sound)
{
    uint64_t z = ++sound->counter * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ (z >> 31)) >> 32);
}

float crafty_sound_unit(CraftySound *sound)
{
    return (float)(crafty_sound_random(sound) >> 8) * 0x1p-24f;
}

/* Not the variant that was heard last. */
static uint32_t choose_variant(CraftySound *sound, uint32_t number, uint32_t variants)
{
    if (variants < 2)
        return 0;
    uint32_t chosen = crafty_sound_random(sound) % (variants - 1);
    if (chosen >= sound->last_variants[number])
        chosen++;
    sound->last_variants[number] = (uint8_t)chosen;
    return chosen;
}

/* Equal captions are renewed, not repeated. */
static void add_caption(CraftySound *sound, const char *text, const CnVec3 *position)
{
    uint32_t i = 0;
    if (!text[0])
        return;
    while (i < sound->caption_count && strcmp(sound->captions[i].text, text) != 0)
        i++;
    if (i == sound->caption_count && sound->caption_count < CRAFTY_CAPTIONS)
        sound->caption_count++;
    i = i < CRAFTY_CAPTIONS ? i : CRAFTY_CAPTIONS - 1;
    for (; i > 0; i--)
        sound->captions[i] = sound->captions[i - 1];
    sound->captions[0] = (CraftyCaption){.text = text,
                                         .is_spatial = position != NULL,
                                         .position = position ? *position : cn_vec3(0, 0, 0),
                                         .seconds = CRAFTY_CAPTION_SECONDS};
}

static CnVoice play(CraftySound *sound, const char *name, const CnVec3 *position, float gain,
                    float pitch)
{
    uint32_t number = crafty_sound_bank_find(sound->bank, name);
    const CraftySoundInfo *info = crafty_sound_bank_info(sound->bank, number);
    if (!info || gain <= 0)
        return (CnVoice){0};
    uint32_t variant = choose_variant(sound, number, info->variants);
    float spread = info->variants > 1 ? PITCH_SPREAD : 0;
    CnPlayDesc desc = {.sound = crafty_sound_bank_get(sound->bank, number, variant),
                       .bus = info->bus,
                       .spatial = position != NULL,
                       .priority = info->priority,
                       .position = position ? *position : cn_vec3(0, 0, 0),
                       .gain = gain * info->gain,
                       .fade_in_seconds = info->loops ? CRAFTY_BUZZ_FADE : 0,
                       .pitch = pitch * (1 + spread * (2 * crafty_sound_unit(sound) - 1))};
    add_caption(sound, info->caption, position);
    return cn_audio_play(sound->audio, &desc);
}

CnVoice crafty_sound_play(CraftySound *sound, const char *name, float gain)
{
    if (strncmp(name, "ui.", 3) == 0)
        sound->counts.interface++;
    return play(sound, name, NULL, gain, 1);
}

CnVoice crafty_sound_play_at(CraftySound *sound, const char *name, CnVec3 position, float gain)
{
    return play(sound, name, &position, gain, 1);
}

static float limited(float value, float low, float high)
{
    return value < low ? low : value > high ? high : value; /* NaN is compared as false */
}

CnVoice crafty_sound_play_of_mod(CraftySound *sound, const CraftyModEffect *effect)
{
    float gain = limited(effect->gain, 0, 2), pitch = limited(effect->pitch, 0.5f, 2);
    if (!(gain > 0) || !(pitch > 0) || !sound->mod_sounds)
        return (CnVoice){0};
    sound->counts.mods++;
    if (!crafty_mod_sounds_has(sound->mod_sounds, effect->mod, effect->name))
        return play(sound, effect->name, &effect->position, gain, pitch);
    CnSound own = crafty_mod_sounds_get(sound->mod_sounds, effect->mod, effect->name);
    if (!own.id)
        return (CnVoice){0};
    return cn_audio_play(sound->audio, &(CnPlayDesc){.sound = own,
                                                     .bus = CN_AUDIO_BUS_EFFECTS,
                                                     .spatial = true,
                                                     .position = effect->position,
                                                     .gain = gain,
                                                     .pitch = pitch});
}

CnAudio *crafty_sound_audio(const CraftySound *sound)
{
    return sound->audio;
}

CraftySoundBank *crafty_sound_bank(const CraftySound *sound)
{
    return sound->bank;
}

uint32_t crafty_sound_captions(const CraftySound *sound, CraftyCaption captions[CRAFTY_CAPTIONS])
{
    memcpy(captions, sound->captions, sound->caption_count * sizeof *captions);
    return sound->caption_count;
}

CraftySoundCounts crafty_sound_counts(const CraftySound *sound)
{
    return sound->counts;
}
