/* The music director: pieces that suit the situation, with long pauses, and never the same piece
 * twice in a row. */
#include "sound_internal.h"

#include "crafty/sim/day.h"
#include "crafty/sim/place.h"
#include "crafty/sim/weather.h"

#include <cairn/base/log.h>

#define FIRST_PAUSE 20.0f
#define SHORTEST_PAUSE 90.0f
#define LONGEST_PAUSE 300.0f
#define FADE_SECONDS 6.0f

typedef enum Mood { MOOD_TITLE, MOOD_DAY, MOOD_NIGHT, MOOD_CAVE, MOOD_RAIN, MOOD_COUNT } Mood;

static const char *const pieces[MOOD_COUNT][3] = {
    [MOOD_TITLE] = {"music.title"},
    [MOOD_DAY] = {"music.meadow", "music.hills", "music.title"},
    [MOOD_NIGHT] = {"music.stars", "music.rain"},
    [MOOD_CAVE] = {"music.deep", "music.stars"},
    [MOOD_RAIN] = {"music.rain", "music.meadow"},
};

static Mood mood_of(const CraftySoundFrame *frame)
{
    const CnWorld *world = frame->world;
    if (!world)
        return MOOD_TITLE;
    const CraftyPlace *place = cn_get(world, frame->player, CraftyPlace);
    const CraftyWeather *weather = cn_resource(world, CraftyWeather);
    float hours = crafty_day_hours(world);
    if (place && place->shelter > 0.9f)
        return MOOD_CAVE;
    if (weather && weather->rain > 0.4f)
        return MOOD_RAIN;
    return hours > 6 && hours < 18.5f ? MOOD_DAY : MOOD_NIGHT;
}

static void begin_piece(CraftySound *sound, Mood mood)
{
    SoundMusic *music = &sound->music;
    uint32_t count = 0, first = crafty_sound_random(sound);
    while (count < 3 && pieces[mood][count])
        count++;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t piece = crafty_sound_bank_find(sound->bank, pieces[mood][(first + i) % count]);
        const CraftySoundInfo *info = crafty_sound_bank_info(sound->bank, piece);
        if (!info || (piece == music->last && count > 1))
            continue;
        music->piece = music->last = piece;
        music->mood = mood;
        music->voice = cn_audio_play(
            sound->audio, &(CnPlayDesc){.sound = crafty_sound_bank_get(sound->bank, piece, 0),
                                        .bus = CN_AUDIO_BUS_MUSIC,
                                        .gain = info->gain,
                                        .priority = 60});
        CN_LOG_DEBUG("crafty", "the music is %s", info->name);
        return;
    }
}

/* Day and night may pass while a piece plays; a cave or the end of the title may not. */
static bool clashes(Mood playing, Mood now)
{
    return playing != now && (playing == MOOD_TITLE || now == MOOD_TITLE || playing == MOOD_CAVE);
}

void crafty_sound_music(CraftySound *sound, const CraftySoundFrame *frame)
{
    SoundMusic *music = &sound->music;
    Mood mood = mood_of(frame);
    if (music->piece != CRAFTY_NO_SOUND) {
        if (cn_voice_is_playing(sound->audio, music->voice) && !clashes((Mood)music->mood, mood))
            return;
        cn_voice_stop(sound->audio, music->voice, FADE_SECONDS);
        music->piece = CRAFTY_NO_SOUND;
        music->pause = SHORTEST_PAUSE + (LONGEST_PAUSE - SHORTEST_PAUSE) * crafty_sound_unit(sound);
        if (music->mood == MOOD_TITLE)
            music->pause = FIRST_PAUSE;
    }
    if (!music->is_started)
        music->pause = mood == MOOD_TITLE ? 1 : FIRST_PAUSE;
    music->is_started = true;
    if (mood == MOOD_TITLE && music->pause > 8)
        music->pause = 8;
    music->pause -= frame->seconds;
    if (music->pause <= 0)
        begin_piece(sound, mood);
}
