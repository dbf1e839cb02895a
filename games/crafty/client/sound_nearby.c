/* What is heard of bodies near the player, without an event: voices that move with their creatures,
 * villages, and the player's own climbing and handling of items. */
#include "sound_creatures.h"
#include "sound_internal.h"

#include "crafty/sim/motion.h"
#include "crafty/sim/villager.h"

#include <cairn/ecs/query.h>

#define VILLAGE_SECONDS 0.5f /* between two counts of villagers */
#define VILLAGE_REACH 32.0f
#define FULL_VILLAGE 4.0f /* villagers from which on it is as loud as it gets */
#define TALK_REACH 14.0f
#define SHORTEST_TALK 6.0f
#define LONGEST_TALK 18.0f
#define RUNG_SECONDS 0.45f
#define CLIMBS 0.5f /* blocks per second */

/* ---- Voices that move ---- */

void crafty_sound_follow(CraftySound *sound, CnEntity entity, CnVoice voice, float seconds)
{
    for (uint32_t i = 0; voice.id && i < FOLLOWERS; i++) {
        if (sound->followers[i].voice.id)
            continue;
        sound->followers[i] = (SoundFollower){entity, voice, seconds};
        return;
    }
}

static void move_voices(CraftySound *sound, const CraftySoundFrame *frame)
{
    for (uint32_t i = 0; i < FOLLOWERS; i++) {
        SoundFollower *follower = &sound->followers[i];
        if (!follower->voice.id)
            continue;
        const CnTransform *transform = cn_get(frame->world, follower->entity, CnTransform);
        if (transform)
            cn_voice_set_position(sound->audio, follower->voice, transform->position);
        follower->seconds -= frame->seconds;
        if (follower->seconds <= 0)
            cn_voice_stop(sound->audio, follower->voice, CRAFTY_BUZZ_FADE);
        if (follower->seconds <= 0 || !cn_voice_is_playing(sound->audio, follower->voice))
            *follower = (SoundFollower){0};
    }
}

/* ---- Villages ---- */

typedef struct Village {
    uint32_t awake; /* villagers within VILLAGE_REACH */
    CnEntity nearest;
    CnVec3 position; /* of the nearest */
    float distance;
} Village;

static Village village_of(const CraftySound *sound, const CraftySoundFrame *frame)
{
    Village village = {.distance = VILLAGE_REACH};
    CnChunkView view;
    for (CnQueryIter it = cn_query_iter(sound->villagers); cn_query_next(&it, &view);)
        for (uint32_t i = 0; i < view.count; i++) {
            CnVec3 at = cn_column_const(&view, CnTransform)[i].position;
            float distance = cn_vec3_length(cn_vec3_sub(at, frame->eye));
            uint8_t activity = cn_column_const(&view, CraftyVillager)[i].activity;
            if (activity == CRAFTY_VILLAGER_SLEEPS || !(distance < VILLAGE_REACH))
                continue;
            village.awake++;
            if (distance < village.distance) {
                village.nearest = view.entities[i];
                village.position = at;
                village.distance = distance;
            }
        }
    return village;
}

static void hear_village(CraftySound *sound, const CraftySoundFrame *frame)
{
    sound->village_wait -= frame->seconds;
    sound->talk_wait -= frame->seconds;
    if (!sound->villagers || sound->village_wait > 0)
        return;
    sound->village_wait = VILLAGE_SECONDS;
    Village village = village_of(sound, frame);
    float share = (float)village.awake / FULL_VILLAGE;
    sound->village = share < 1 ? share : 1;
    if (sound->talk_wait > 0 || village.distance > TALK_REACH)
        return;
    sound->talk_wait = SHORTEST_TALK + (LONGEST_TALK - SHORTEST_TALK) * crafty_sound_unit(sound);
    crafty_sound_creature(sound, village.nearest, CRAFTY_VILLAGER, CRAFTY_VOICE_IDLE,
                          village.position);
}

/* ---- The player ---- */

static void hear_climbing(CraftySound *sound, const CraftySoundFrame *frame)
{
    const CraftyMotion *motion = cn_get(frame->world, frame->player, CraftyMotion);
    float speed = motion && motion->climbs ? motion->velocity.y : 0;
    sound->rung += speed > CLIMBS || speed < -CLIMBS ? frame->seconds : 0;
    if (sound->rung < RUNG_SECONDS)
        return;
    sound->rung = 0;
    crafty_sound_play_at(sound, "ladder.climb", frame->eye, 1);
}

/* What the cursor of an open screen carries. */
static void hear_slots(CraftySound *sound, const CraftySoundFrame *frame)
{
    const CraftyPlayer *player = cn_get(frame->world, frame->player, CraftyPlayer);
    if (!player)
        return;
    CraftyStack now = player->carried;
    if (now.item != sound->carried.item || now.count != sound->carried.count)
        crafty_sound_play(sound, "ui.slot", 1);
    sound->carried = now;
}

void crafty_sound_nearby(CraftySound *sound, const CraftySoundFrame *frame)
{
    move_voices(sound, frame);
    hear_slots(sound, frame);
    if (frame->is_paused)
        return;
    hear_village(sound, frame);
    hear_climbing(sound, frame);
}

bool crafty_sound_nearby_enter(CraftySound *sound, CnWorld *world, CnError *error)
{
    sound->talk_wait = SHORTEST_TALK;
    if (!cn_component_find(world, cn_type_CraftyVillager.name).id)
        return true;
    sound->villagers = cn_query_acquire(
        world, &(CnQueryDesc){.all = {cn_reads(CraftyVillager), cn_reads(CnTransform)}}, error);
    return sound->villagers != NULL;
}

void crafty_sound_nearby_leave(CraftySound *sound)
{
    if (sound->villagers)
        cn_query_release(sound->villagers);
    sound->villagers = NULL;
    sound->village = sound->village_wait = sound->rung = 0;
    sound->carried = (CraftyStack){0};
    for (uint32_t i = 0; i < FOLLOWERS; i++) {
        if (sound->followers[i].voice.id)
            cn_voice_stop(sound->audio, sound->followers[i].voice, CRAFTY_BUZZ_FADE);
        sound->followers[i] = (SoundFollower){0};
    }
}
