#include "weather.h"

#include "systems.h"

#include <cairn/base/math.h>
#include <cairn/ecs/system.h>
#include <cairn/sim/random.h>

#define WET_A_SECOND 0.12f /* per second in heavy rain */
#define DRY_A_SECOND 0.02f

/* ---- Kinds ---- */

typedef struct Kind {
    uint32_t weight;
    float cover, fog, rain, snow;
} Kind;

/* A fog density of 0.06 hides things 65 meters away. */
static const Kind kinds[CRAFTY_WEATHER_COUNT] = {[CRAFTY_CLEAR] = {5, 0.18f, 0, 0, 0},
                                                 [CRAFTY_CLOUDY] = {4, 0.5f, 0, 0, 0},
                                                 [CRAFTY_OVERCAST] = {2, 0.9f, 0.0006f, 0, 0},
                                                 [CRAFTY_LIGHT_RAIN] = {2, 0.88f, 0.002f, 0.24f, 0},
                                                 [CRAFTY_HEAVY_RAIN] = {1, 1, 0.006f, 1, 0},
                                                 [CRAFTY_LIGHT_SNOW] = {2, 0.82f, 0.003f, 0, 0.15f},
                                                 [CRAFTY_HEAVY_SNOW] = {1, 1, 0.012f, 0, 1},
                                                 [CRAFTY_LIGHT_FOG] = {2, 0.5f, 0.015f, 0, 0},
                                                 [CRAFTY_HEAVY_FOG] = {2, 0.75f, 0.06f, 0, 0}};

/* ---- Biomes ---- */

typedef enum Climate { MILD, COLD, DRY, PARCHED, WET, MISTY } Climate;

typedef struct Place {
    Climate climate;
    float clouds;      /* factor for the cloud cover */
    float bottom, top; /* of the clouds */
} Place;

static const Place places[CN_BIOME_COUNT] = {[CN_BIOME_GRASSY_PLAINS] = {MILD, 1, 158, 249},
                                             [CN_BIOME_FOREST] = {MILD, 1, 158, 249},
                                             [CN_BIOME_SAVANNA] = {DRY, 0.8f, 168, 251},
                                             [CN_BIOME_DESERT] = {PARCHED, 0.35f, 178, 238},
                                             [CN_BIOME_JUNGLE] = {WET, 1.1f, 153, 267},
                                             [CN_BIOME_SWAMP] = {MISTY, 1.1f, 148, 239},
                                             [CN_BIOME_TAIGA] = {COLD, 1, 158, 253},
                                             [CN_BIOME_SNOWY_PLAINS] = {COLD, 1.05f, 153, 248},
                                             [CN_BIOME_SNOWY_MOUNTAINS] = {COLD, 1.1f, 158, 321},
                                             [CN_BIOME_ROCKY_MOUNTAINS] = {MILD, 1.1f, 163, 316},
                                             [CN_BIOME_BADLANDS] = {PARCHED, 0.45f, 178, 250},
                                             [CN_BIOME_CHERRY_GROVE] = {MILD, 0.9f, 163, 248},
                                             [CN_BIOME_MUSHROOM_FIELDS] = {MISTY, 1, 153, 242}};

static bool is_rain(CraftyWeatherKind kind)
{
    return kind == CRAFTY_LIGHT_RAIN || kind == CRAFTY_HEAVY_RAIN;
}

static bool is_snow(CraftyWeatherKind kind)
{
    return kind == CRAFTY_LIGHT_SNOW || kind == CRAFTY_HEAVY_SNOW;
}

static bool is_fog(CraftyWeatherKind kind)
{
    return kind == CRAFTY_LIGHT_FOG || kind == CRAFTY_HEAVY_FOG;
}

uint32_t crafty_weather_weight(CnBiome biome, CraftyWeatherKind kind)
{
    Climate climate = places[biome].climate;
    uint32_t weight = kinds[kind].weight;
    if (climate == PARCHED && kind != CRAFTY_CLEAR && kind != CRAFTY_CLOUDY)
        return 0;
    if (climate == DRY && (is_fog(kind) || kind == CRAFTY_HEAVY_RAIN))
        return 0;
    if (climate == COLD ? is_rain(kind) : is_snow(kind))
        return 0;
    bool is_often = (climate == WET && is_rain(kind)) || (climate == MISTY && is_fog(kind));
    return is_often ? 2 * weight : weight;
}

static CraftyWeatherKind draw(CnRandom *random, CnBiome biome)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < CRAFTY_WEATHER_COUNT; i++)
        sum += crafty_weather_weight(biome, (CraftyWeatherKind)i);
    uint64_t left = cn_random_below(random, sum);
    uint32_t kind = 0;
    for (; left >= crafty_weather_weight(biome, (CraftyWeatherKind)kind); kind++)
        left -= crafty_weather_weight(biome, (CraftyWeatherKind)kind);
    return (CraftyWeatherKind)kind;
}

/* ---- Transitions ---- */

/* Moves the state by the fraction `part` towards that of its kind. */
static void approach(CraftyWeather *weather, CnBiome biome, float part)
{
    const Kind *kind = &kinds[weather->kind];
    const Place *place = &places[biome];
    float cover = kind->cover * (kind->rain + kind->snow > 0 ? 1 : place->clouds);
    weather->cover += ((cover < 1 ? cover : 1) - weather->cover) * part;
    weather->bottom += (place->bottom - weather->bottom) * part;
    weather->top += (place->top - weather->top) * part;
    weather->fog += (kind->fog - weather->fog) * part;
    weather->rain += (kind->rain - weather->rain) * part;
    weather->snow += (kind->snow - weather->snow) * part;
}

static void soak(CraftyWeather *weather, float seconds)
{
    float wetter =
        weather->rain > 0.02f ? WET_A_SECOND * (0.3f + 0.7f * weather->rain) : -DRY_A_SECOND;
    float wetness = weather->wetness + wetter * seconds;
    weather->wetness = wetness < 0 ? 0 : wetness > 1 ? 1 : wetness;
}

float crafty_weather_light(const CraftyWeather *weather)
{
    float part = (weather->cover - 0.6f) / 0.4f;
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    return (1 - 0.76f * part * part * (3 - 2 * part)) * cn_expf(-25 * weather->fog);
}

/* Returns plains for the invalid biome of a manipulated save. */
static CnBiome biome_of(const CraftyWeather *weather)
{
    return weather->biome < CN_BIOME_COUNT ? (CnBiome)weather->biome : CN_BIOME_GRASSY_PLAINS;
}

void crafty_weather_hold(CnWorld *world, CraftyWeatherKind kind)
{
    CraftyWeather *weather = cn_resource_mut(world, CraftyWeather);
    weather->kind = (uint8_t)kind;
    weather->held = true;
    approach(weather, biome_of(weather), 1);
    weather->wetness = weather->rain > 0 ? 1 : 0;
}

/* ---- The system ---- */

static void change_weather(CnSystemContext *context)
{
    CnWorld *world = context->world;
    CraftyWeather *weather = cn_resource_mut(world, CraftyWeather);
    CnRandom *random = cn_random_of(world, (CnComponent){(uint32_t)(uintptr_t)context->user});
    if (!weather || !random)
        return;
    CnBiome biome = biome_of(weather);
    weather->left -= context->dt;
    if (weather->kind >= CRAFTY_WEATHER_COUNT) /* in a manipulated save */
        weather->kind = CRAFTY_CLEAR;
    bool is_wrong = !crafty_weather_weight(biome, (CraftyWeatherKind)weather->kind);
    if (!weather->held && (weather->left <= 0 || is_wrong)) {
        weather->kind = (uint8_t)draw(random, biome);
        weather->left =
            cn_random_f32_range(random, CRAFTY_WEATHER_SHORTEST, CRAFTY_WEATHER_LONGEST);
    }
    float part = CRAFTY_WEATHER_EASE * context->dt;
    approach(weather, biome, part < 1 ? part : 1);
    soak(weather, context->dt);
    float speed = 4 + 5 * weather->cover; /* meters per second */
    weather->wind.x += speed * context->dt;
    weather->wind.y += 0.35f * speed * context->dt;
}

static bool add_resources(CnWorld *world)
{
    CraftyWeather start = {
        .kind = CRAFTY_CLEAR, .biome = CN_BIOME_GRASSY_PLAINS, .left = CRAFTY_WEATHER_SHORTEST};
    approach(&start, CN_BIOME_GRASSY_PLAINS, 1);
    return cn_resource(world, CraftyWeather) ||
           cn_resource_set_value(world, cn_id(world, CraftyWeather), &start);
}

bool crafty_weather_add(CnWorld *world, CnError *error)
{
    CnComponent stream = cn_random_stream(world, "weather", error);
    if (!stream.id)
        return false;
    if (!add_resources(world))
        return cn_error_memory(error, "the weather");
    CnSystemDesc desc = {.name = "ChangeWeather",
                         .run = change_weather,
                         .user = (void *)(uintptr_t)stream.id,
                         .stage = CN_STAGE_UPDATE,
                         .access = {cn_writes(CraftyWeather), cn_writes_id(stream)}};
    return cn_system_find(world, desc.name).id || crafty_system_add(world, &desc, error);
}
