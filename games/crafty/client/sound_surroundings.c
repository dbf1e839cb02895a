/* What is heard around the player: ambience by biome and time, weather, water, fires. Loops fade in
 * and out, so that places pass into each other. */
#include "sound_internal.h"

#include "crafty/sim/day.h"
#include "crafty/sim/motion.h"
#include "crafty/sim/place.h"
#include "crafty/sim/weather.h"

#include <cairn/base/math.h>
#include <cairn/base/text.h>
#include <cairn/voxel/voxels.h>

#define FADE_SECONDS 4.0f
#define AUDIBLE 0.01f
#define FLAME_REACH 14.0f
#define FLAMES 32u
#define EMITTER_SECONDS 0.5f /* between two searches for flames */
#define STROKE_SECONDS 0.9f
#define CAVE_SHELTER 0.85f

/* How much of each loop is heard. */
typedef struct Mix {
    const char *names[AMBIENCE_LAYERS];
    float gains[AMBIENCE_LAYERS];
    uint32_t count;
} Mix;

static void add(Mix *mix, const char *name, float gain)
{
    for (uint32_t i = 0; i < mix->count; i++) {
        if (mix->names[i] == name) {
            mix->gains[i] += gain;
            return;
        }
    }
    if (gain > AUDIBLE && mix->count < AMBIENCE_LAYERS) {
        mix->names[mix->count] = name;
        mix->gains[mix->count++] = gain;
    }
}

static const char *day_sound(CnBiome biome)
{
    switch (biome) {
    case CN_BIOME_FOREST:
    case CN_BIOME_JUNGLE:
    case CN_BIOME_TAIGA:
    case CN_BIOME_CHERRY_GROVE:
        return "ambience.forest";
    case CN_BIOME_SWAMP:
    case CN_BIOME_MUSHROOM_FIELDS:
        return "ambience.swamp";
    case CN_BIOME_DESERT:
    case CN_BIOME_BADLANDS:
        return "ambience.desert";
    case CN_BIOME_SNOWY_MOUNTAINS:
    case CN_BIOME_ROCKY_MOUNTAINS:
    case CN_BIOME_SNOWY_PLAINS:
        return "ambience.mountain";
    default:
        return "ambience.plains";
    }
}

/* Crickets are not heard in the cold and in deserts. */
static bool has_crickets(CnBiome biome)
{
    return biome != CN_BIOME_DESERT && biome != CN_BIOME_BADLANDS &&
           biome != CN_BIOME_SNOWY_MOUNTAINS && biome != CN_BIOME_SNOWY_PLAINS &&
           biome != CN_BIOME_ROCKY_MOUNTAINS;
}

/* 0 at night, 1 by day, in between at dawn and dusk. */
static float daylight(const CnWorld *world)
{
    float hours = crafty_day_hours(world);
    float from_noon = hours < 12 ? 12 - hours : hours - 12;
    float share = (6.7f - from_noon) / 1.2f;
    return share < 0 ? 0 : share > 1 ? 1 : share;
}

/* Reads only what is loaded: nothing may be generated for a sound. */
static CnBlock block_at(const CraftySoundFrame *frame, float x, float y, float z)
{
    CnCell cell = {(int32_t)cn_floorf(x), (int32_t)cn_floorf(y), (int32_t)cn_floorf(z)};
    return cn_voxels_is_loaded(frame->voxels, cn_chunk_of(cell))
               ? cn_voxels_get(frame->voxels, cell)
               : CN_BLOCK_AIR;
}

/* How close the sea or a lake is: water at its surface around the eye, in eight directions. */
static float shore_of(const CraftySoundFrame *frame)
{
    static const float directions[8][2] = {{9, 0},  {-9, 0},  {0, 9},  {0, -9},
                                           {18, 0}, {-18, 0}, {0, 18}, {0, -18}};
    CnVec3 eye = frame->eye;
    uint32_t found = 0;
    for (uint32_t i = 0; i < 8; i++) {
        bool is_water = false;
        for (float y = -6; y <= 0 && !is_water; y += 2)
            is_water = block_at(frame, eye.x + directions[i][0], eye.y + y,
                                eye.z + directions[i][1]) == CN_BLOCK_WATER;
        found += is_water;
    }
    return (float)found / 8;
}

static const char *rain_sound(const CraftySoundFrame *frame, float shelter, float shore)
{
    if (shelter > 0.3f)
        return "weather.rain.roof";
    if (shore > 0.6f)
        return "weather.rain.water";
    CnVec3 eye = frame->eye;
    for (float y = 1; y < 12; y++)
        if (block_at(frame, eye.x, eye.y + y, eye.z) != CN_BLOCK_AIR)
            return "weather.rain.leaves";
    const CnBlockTable *table = cn_voxels_blocks(frame->voxels);
    CnBlock below = block_at(frame, eye.x, eye.y - 2, eye.z);
    bool is_stone = below != CN_BLOCK_AIR && table->info[below].surface == CN_BLOCK_SURFACE_STONE;
    return is_stone ? "weather.rain.stone" : "weather.rain.ground";
}

static Mix mix_of(const CraftySound *sound, const CraftySoundFrame *frame)
{
    const CraftyPlace *place = cn_get(frame->world, frame->player, CraftyPlace);
    const CraftyWeather *weather = cn_resource(frame->world, CraftyWeather);
    Mix mix = {.count = 0};
    if (!place)
        return mix;
    if (place->water_above > 0) {
        add(&mix, "ambience.underwater", 1);
        return mix;
    }
    float shelter = place->shelter, open = 1 - shelter, day = daylight(frame->world);
    float cave = shelter > CAVE_SHELTER ? (shelter - CAVE_SHELTER) / (1 - CAVE_SHELTER) : 0;
    float rain = weather ? weather->rain : 0, snow = weather ? weather->snow : 0;
    float quiet = 1 - 0.7f * rain; /* birds and crickets wait for the end of rain */
    CnBiome biome = (CnBiome)place->biome;
    float shore = shore_of(frame);
    add(&mix, "ambience.cave", cave);
    add(&mix, day_sound(biome), open * day * quiet * (1 - 0.6f * shore));
    add(&mix, has_crickets(biome) ? "ambience.night" : "ambience.mountain",
        open * (1 - day) * quiet);
    add(&mix, "ambience.shore", open * shore);
    add(&mix, "ambience.village", sound->village * (0.3f + 0.7f * open) * quiet);
    float outside = 0.25f + 0.75f * open;
    add(&mix, rain_sound(frame, shelter, shore), rain * outside * (1 - cave));
    float wind = 0.5f * rain + 0.9f * snow + (weather ? 0.15f * weather->cover : 0);
    add(&mix, "weather.wind", wind * open);
    return mix;
}

/* ---- Loops ---- */

static float gain_of(const CraftySound *sound, uint32_t number)
{
    const CraftySoundInfo *info = crafty_sound_bank_info(sound->bank, number);
    return info ? info->gain : 0;
}

static SoundLoop *loop_of(CraftySound *sound, uint32_t number)
{
    SoundLoop *empty = NULL;
    for (uint32_t i = 0; i < AMBIENCE_LAYERS; i++) {
        SoundLoop *loop = &sound->layers[i];
        if (loop->voice.id && loop->sound == number)
            return loop;
        if (!loop->voice.id && !empty)
            empty = loop;
    }
    return empty;
}

static void want(CraftySound *sound, const char *name, float gain)
{
    uint32_t number = crafty_sound_bank_find(sound->bank, name);
    SoundLoop *loop = number == CRAFTY_NO_SOUND ? NULL : loop_of(sound, number);
    if (!loop)
        return;
    if (!loop->voice.id) {
        *loop = (SoundLoop){.sound = number};
        loop->voice = cn_audio_play(
            sound->audio, &(CnPlayDesc){.sound = crafty_sound_bank_get(sound->bank, number, 0),
                                        .bus = CN_AUDIO_BUS_AMBIENCE,
                                        .loop = true,
                                        .gain = -1,
                                        .priority = 20});
    }
    loop->target = gain < 1 ? gain : 1;
}

static void fade_loops(CraftySound *sound, float seconds)
{
    float step = seconds / FADE_SECONDS;
    for (uint32_t i = 0; i < AMBIENCE_LAYERS; i++) {
        SoundLoop *loop = &sound->layers[i];
        if (!loop->voice.id)
            continue;
        float difference = loop->target - loop->now;
        loop->now += difference > step ? step : difference < -step ? -step : difference;
        if (loop->target <= 0 && loop->now <= AUDIBLE) {
            cn_voice_stop(sound->audio, loop->voice, 0.3f);
            *loop = (SoundLoop){0};
            continue;
        }
        float gain = loop->now * gain_of(sound, loop->sound);
        cn_voice_set_gain(sound->audio, loop->voice, gain > 0 ? gain : -1, 0.1f);
    }
}

void crafty_sound_surroundings_stop(CraftySound *sound)
{
    for (uint32_t i = 0; i < AMBIENCE_LAYERS; i++) {
        if (sound->layers[i].voice.id)
            cn_voice_stop(sound->audio, sound->layers[i].voice, 0.5f);
        sound->layers[i] = (SoundLoop){0};
    }
    for (uint32_t i = 0; i < EMITTERS; i++) {
        if (sound->emitters[i].voice.id)
            cn_voice_stop(sound->audio, sound->emitters[i].voice, 0.3f);
        sound->emitters[i] = (SoundEmitter){0};
    }
}

/* ---- Fires ---- */

static CnText name_at(const CraftySoundFrame *frame, CnVec3 at)
{
    const CnBlockTable *table = cn_voxels_blocks(frame->voxels);
    return cn_text(table->info[block_at(frame, at.x, at.y, at.z)].name);
}

bool crafty_sound_is_lava(const CraftySoundFrame *frame, CnVec3 at)
{
    CnText name = name_at(frame, at);
    return cn_text_starts_with(name, cn_text("magma")) ||
           cn_text_starts_with(name, cn_text("lava"));
}

static const char *flame_sound(const CraftySoundFrame *frame, CnVec3 at)
{
    CnText name = name_at(frame, at);
    if (crafty_sound_is_lava(frame, at))
        return "magma.bubble";
    if (cn_text_starts_with(name, cn_text("furnace")))
        return "furnace.fire";
    if (cn_text_starts_with(name, cn_text("fire")) ||
        cn_text_starts_with(name, cn_text("campfire")))
        return "fire.burn";
    return "torch.fire";
}

static float distance_squared(CnVec3 a, CnVec3 b)
{
    CnVec3 d = cn_vec3_sub(a, b);
    return d.x * d.x + d.y * d.y + d.z * d.z;
}

/* The nearest flames first; equal distances by position, because lamps have no order. */
static bool is_before(CnVec3 a, CnVec3 b, CnVec3 eye)
{
    float da = distance_squared(a, eye), db = distance_squared(b, eye);
    if (da != db)
        return da < db;
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

static uint32_t nearest_flames(const CraftySoundFrame *frame, CnVec3 nearest[EMITTERS])
{
    CnVec3 flames[FLAMES];
    uint32_t count = 0;
    uint32_t found = crafty_lamps_flames(frame->lamps, frame->eye, FLAME_REACH, flames, FLAMES);
    for (uint32_t i = 0; i < found; i++) {
        uint32_t at = count < EMITTERS ? count++ : EMITTERS;
        for (; at > 0 && is_before(flames[i], nearest[at - 1], frame->eye); at--)
            if (at < EMITTERS)
                nearest[at] = nearest[at - 1];
        if (at < EMITTERS)
            nearest[at] = flames[i];
    }
    return count;
}

static void place_emitter(CraftySound *sound, const CraftySoundFrame *frame, CnVec3 position)
{
    SoundEmitter *empty = NULL;
    for (uint32_t i = 0; i < EMITTERS; i++) {
        SoundEmitter *emitter = &sound->emitters[i];
        if (!emitter->voice.id)
            empty = empty ? empty : emitter;
        else if (distance_squared(emitter->position, position) < 0.01f) {
            emitter->is_wanted = true;
            return;
        }
    }
    if (!empty)
        return;
    *empty = (SoundEmitter){.position = position, .is_wanted = true};
    const char *name = flame_sound(frame, position);
    empty->is_lava = crafty_sound_is_lava(frame, position);
    uint32_t number = crafty_sound_bank_find(sound->bank, name);
    const CraftySoundInfo *info = crafty_sound_bank_info(sound->bank, number);
    if (!info)
        return;
    empty->voice = cn_audio_play(
        sound->audio, &(CnPlayDesc){.sound = crafty_sound_bank_get(sound->bank, number, 0),
                                    .bus = info->bus,
                                    .loop = true,
                                    .spatial = true,
                                    .position = position,
                                    .gain = info->gain,
                                    .fade_in_seconds = 0.4f,
                                    .start_seconds = 3 * crafty_sound_unit(sound),
                                    .reference_distance = 1.5f,
                                    .max_distance = 16,
                                    .priority = info->priority});
}

static void hear_flames(CraftySound *sound, const CraftySoundFrame *frame)
{
    CnVec3 nearest[EMITTERS];
    sound->emitter_wait -= frame->seconds;
    if (sound->emitter_wait > 0 || !frame->lamps)
        return;
    sound->emitter_wait = EMITTER_SECONDS;
    uint32_t count = nearest_flames(frame, nearest);
    for (uint32_t i = 0; i < EMITTERS; i++)
        sound->emitters[i].is_wanted = false;
    for (uint32_t i = 0; i < count; i++)
        place_emitter(sound, frame, nearest[i]);
    for (uint32_t i = 0; i < EMITTERS; i++) {
        SoundEmitter *emitter = &sound->emitters[i];
        if (emitter->is_wanted || !emitter->voice.id)
            continue;
        cn_voice_stop(sound->audio, emitter->voice, 0.5f);
        *emitter = (SoundEmitter){0};
    }
}

/* ---- Water and thunder ---- */

static bool is_wet(const CraftySoundFrame *frame, CnVec3 at)
{
    static const float sides[5][3] = {{0, 1, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}};
    const CnBlockTable *table = cn_voxels_blocks(frame->voxels);
    for (uint32_t i = 0; i < CN_COUNT_OF(sides); i++) {
        CnBlock block = block_at(frame, at.x + sides[i][0], at.y + sides[i][1], at.z + sides[i][2]);
        if (table->flags[block] & CN_BLOCK_IS_WATER)
            return true;
    }
    return false;
}

/* Whether rain falls on a block: nothing is above it as far as it is seen. */
static bool is_rained_on(const CraftySoundFrame *frame, CnVec3 at)
{
    const CraftyWeather *weather = cn_resource(frame->world, CraftyWeather);
    if (!weather || weather->rain < 0.3f)
        return false;
    for (float y = 1; y < 24; y++)
        if (block_at(frame, at.x, at.y + y, at.z) != CN_BLOCK_AIR)
            return false;
    return true;
}

/* Water hisses on lava and magma. */
static void hear_hissing(CraftySound *sound, const CraftySoundFrame *frame)
{
    sound->hiss_wait -= frame->seconds;
    if (sound->hiss_wait > 0)
        return;
    sound->hiss_wait = 1.5f + 4 * crafty_sound_unit(sound);
    uint32_t first = crafty_sound_random(sound);
    for (uint32_t i = 0; i < EMITTERS; i++) {
        const SoundEmitter *emitter = &sound->emitters[(first + i) % EMITTERS];
        if (!emitter->voice.id || !emitter->is_lava ||
            !(is_wet(frame, emitter->position) || is_rained_on(frame, emitter->position)))
            continue;
        crafty_sound_play_at(sound, "lava.hiss", emitter->position, 0.6f);
        return;
    }
}

static void hear_water(CraftySound *sound, const CraftySoundFrame *frame)
{
    const CraftyPlayer *player = cn_get(frame->world, frame->player, CraftyPlayer);
    const CraftyPlace *place = cn_get(frame->world, frame->player, CraftyPlace);
    const CraftyMotion *motion = cn_get(frame->world, frame->player, CraftyMotion);
    if (!player || !motion || !place)
        return;
    CnVec3 v = motion->velocity;
    if (player->swims && v.x * v.x + v.y * v.y + v.z * v.z > 1)
        sound->stroke += frame->seconds;
    if (sound->stroke >= STROKE_SECONDS) {
        sound->stroke = 0;
        crafty_sound_play_at(sound, "water.swim", frame->eye, 1);
    }
    sound->bubbles += place->water_above > 0 ? frame->seconds : 0;
    if (sound->bubbles >= 3) {
        sound->bubbles = crafty_sound_unit(sound);
        crafty_sound_play_at(sound, "water.bubbles", frame->eye, 0.7f);
    }
}

/* Heavy rain brings thunder, some of it far away. */
static void hear_thunder(CraftySound *sound, const CraftySoundFrame *frame)
{
    const CraftyWeather *weather = cn_resource(frame->world, CraftyWeather);
    if (!weather || weather->kind != CRAFTY_HEAVY_RAIN || weather->rain < 0.6f) {
        sound->thunder = 12;
        return;
    }
    sound->thunder -= frame->seconds;
    if (sound->thunder > 0)
        return;
    sound->thunder = 14 + 30 * crafty_sound_unit(sound);
    crafty_sound_play(sound, "weather.thunder", 0.25f + 0.6f * crafty_sound_unit(sound));
}

void crafty_sound_surroundings(CraftySound *sound, const CraftySoundFrame *frame)
{
    Mix mix = mix_of(sound, frame);
    for (uint32_t i = 0; i < AMBIENCE_LAYERS; i++)
        sound->layers[i].target = 0;
    for (uint32_t i = 0; i < mix.count; i++)
        want(sound, mix.names[i], mix.gains[i]);
    fade_loops(sound, frame->seconds);
    hear_flames(sound, frame);
    if (frame->is_paused)
        return;
    hear_water(sound, frame);
    hear_hissing(sound, frame);
    hear_thunder(sound, frame);
}
