#include "sound_creatures.h"

#include "sound_internal.h"

#include "crafty/sim/creature/creature.h"
#include "crafty/sim/day.h"
#include "crafty/sim/player.h"

#include <cairn/base/text.h>

#include <string.h>

/* Names of voices, the second for kinds that lack the first. */
static const char *const voices[CRAFTY_VOICE_COUNT][3] = {
    [CRAFTY_VOICE_IDLE] = {"idle"},
    [CRAFTY_VOICE_HURT] = {"hurt"},
    [CRAFTY_VOICE_DIE] = {"die", "hurt"},
    [CRAFTY_VOICE_ANGRY] = {"growl", "hiss", "idle"},
    [CRAFTY_VOICE_BITE] = {"bark", "growl", "idle"},
    [CRAFTY_VOICE_CALL] = {"howl", "idle"},
    [CRAFTY_VOICE_YES] = {"yes", "idle"},
    [CRAFTY_VOICE_NO] = {"no", "hurt"},
};

/* Young ones whose sounds are not those of adults. */
static const char *const young[][2] = {{"duck", "duckling"}};
#define CALL_SHARE 0.3f /* of idle voices at night */
#define STEP_GAIN 0.4f
#define HIT_GAIN 0.8f

bool crafty_creature_sound_name(const CraftySoundBank *bank, const char *kind, CraftyVoice voice,
                                char *name, size_t name_bytes)
{
    for (uint32_t i = 0; i < 3 && voices[voice][i]; i++) {
        cn_format(name, name_bytes, "creature.%s.%s", kind, voices[voice][i]);
        if (crafty_sound_bank_find(bank, name) != CRAFTY_NO_SOUND)
            return true;
    }
    return false;
}

CnVoice crafty_sound_creature(CraftySound *sound, CnEntity entity, const char *kind,
                              CraftyVoice voice, CnVec3 position)
{
    char name[64];
    if (!crafty_creature_sound_name(sound->bank, kind, voice, name, sizeof name))
        return (CnVoice){0};
    const CraftySoundInfo *info =
        crafty_sound_bank_info(sound->bank, crafty_sound_bank_find(sound->bank, name));
    CnVoice started = crafty_sound_play_at(sound, name, position, 1);
    crafty_sound_follow(sound, entity, started,
                        info->loops ? CRAFTY_BUZZ_SECONDS : CRAFTY_VOICE_SECONDS);
    sound->counts.creatures++;
    return started;
}

/* ---- Events ---- */

/* Returns the name in the sounds of a kind; `entity` may not exist any more. */
static const char *voice_name(const CraftySoundFrame *frame, const CraftyCreatureEvent *event)
{
    const CraftyCreatureList *list = cn_resource(frame->world, CraftyCreatureList);
    const CraftyCreatureKind *kind =
        list && list->kinds ? crafty_creature_kind(list->kinds, event->creature) : NULL;
    const CraftyCreature *creature = cn_get(frame->world, event->entity, CraftyCreature);
    if (!kind)
        return "";
    for (uint32_t i = 0; i < CN_COUNT_OF(young); i++)
        if (creature && creature->growth > 0 && strcmp(kind->name, young[i][0]) == 0)
            return young[i][1];
    return kind->name;
}

static void hear_hurt(CraftySound *sound, const CraftySoundFrame *frame,
                      const CraftyCreatureEvent *event)
{
    crafty_sound_creature(sound, event->entity, voice_name(frame, event), CRAFTY_VOICE_HURT,
                          event->position);
    if (cn_get(frame->world, event->other, CraftyPlayer))
        crafty_sound_play_at(sound, "player.hit", event->position, HIT_GAIN);
}

/* Wild wolves howl at night. */
static void hear_idle(CraftySound *sound, const CraftySoundFrame *frame,
                      const CraftyCreatureEvent *event)
{
    const CraftyCreature *creature = cn_get(frame->world, event->entity, CraftyCreature);
    float hours = crafty_day_hours(frame->world);
    bool is_wild = !creature || !creature->owner;
    bool calls = is_wild && (hours < 5 || hours > 20) && crafty_sound_unit(sound) < CALL_SHARE;
    crafty_sound_creature(sound, event->entity, voice_name(frame, event),
                          calls ? CRAFTY_VOICE_CALL : CRAFTY_VOICE_IDLE, event->position);
}

static void hear_event(CraftySound *sound, const CraftySoundFrame *frame,
                       const CraftyCreatureEvent *event)
{
    const char *name = voice_name(frame, event);
    CnVec3 at = event->position;
    switch ((CraftyCreatureEventKind)event->kind) {
    case CRAFTY_CREATURE_VOICE:
        hear_idle(sound, frame, event);
        break;
    case CRAFTY_CREATURE_LAID:
    case CRAFTY_CREATURE_SAT:
    case CRAFTY_CREATURE_GREW_UP:
        crafty_sound_creature(sound, event->entity, name, CRAFTY_VOICE_IDLE, at);
        break;
    case CRAFTY_CREATURE_STEPPED:
        crafty_sound_block(sound, crafty_sound_surface(frame, event->block), "step", at, STEP_GAIN);
        break;
    case CRAFTY_CREATURE_SPLASHED:
        crafty_sound_play_at(sound, "water.splash", at, STEP_GAIN);
        break;
    case CRAFTY_CREATURE_WAS_HURT:
        hear_hurt(sound, frame, event);
        break;
    case CRAFTY_CREATURE_DIED:
        crafty_sound_creature(sound, event->entity, name, CRAFTY_VOICE_DIE, at);
        break;
    case CRAFTY_CREATURE_ATTACKED:
        crafty_sound_creature(
            sound, event->entity, name,
            crafty_sound_unit(sound) < 0.5f ? CRAFTY_VOICE_ANGRY : CRAFTY_VOICE_BITE, at);
        break;
    case CRAFTY_CREATURE_TAMED:
    case CRAFTY_CREATURE_BRED:
        crafty_sound_creature(sound, event->entity, name, CRAFTY_VOICE_YES, at);
        break;
    case CRAFTY_CREATURE_REFUSED:
        crafty_sound_creature(sound, event->entity, name, CRAFTY_VOICE_NO, at);
        break;
    case CRAFTY_CREATURE_ATE:
        crafty_sound_play_at(sound, "player.eat", at, STEP_GAIN);
        break;
    case CRAFTY_CREATURE_FUSED:
        crafty_sound_play_at(sound, "fuse", at, 1);
        break;
    case CRAFTY_CREATURE_EXPLODED:
        crafty_sound_play_at(sound, "explosion", at, 1);
        break;
    case CRAFTY_CREATURE_SHEARED: /* wool is cut */
        crafty_sound_play_at(sound, "block.grass.break", at, 1);
        break;
    case CRAFTY_CREATURE_SPAWNED:
    case CRAFTY_CREATURE_REMOVED:
    case CRAFTY_CREATURE_EVENT_COUNT:
        break;
    }
}

void crafty_sound_creature_events(CraftySound *sound, const CraftySoundFrame *frame)
{
    if (!sound->creature_events)
        return;
    for (const CraftyCreatureEvent *e;
         (e = cn_read_next(sound->creature_events, CraftyCreatureEvent));)
        hear_event(sound, frame, e);
}
