#include "weather.h"

#include "day.h"
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

/* ---- Kinds of content ---- */

const CraftyWeatherKinds *crafty_weather_kinds(const CnWorld *world)
{
    const CraftyWeatherTable *table = cn_resource(world, CraftyWeatherTable);
    return table ? table->kinds : NULL;
}

static bool add_table(CnWorld *world, CnError *error)
{
    const CnComponentDesc desc = {.type = &cn_type_CraftyWeatherTable,
                                  .flags = CN_COMPONENT_TRANSIENT};
    return cn_component_register(world, &desc, error).id != 0;
}

bool crafty_weather_set_kinds(CnWorld *world, const CraftyWeatherKinds *others, CnError *error)
{
    return (add_table(world, error) &&
            cn_resource_set(world, CraftyWeatherTable, {.kinds = others})) ||
           cn_error_memory(error, "the weather");
}

bool crafty_weather_find(const CraftyWeatherKinds *others, const char *name, uint32_t *kind)
{
    CraftyWeatherKind standard;
    const CraftyWeatherKindInfo *other = crafty_weather_kind_find(others, name);
    if (crafty_weather_parse(name, &standard))
        *kind = standard;
    else if (other)
        *kind = other->number;
    else
        return false;
    return true;
}

const char *crafty_weather_name_of(const CraftyWeatherKinds *others, uint32_t kind)
{
    const CraftyWeatherKindInfo *other = crafty_weather_kind_of(others, kind);
    if (kind < CRAFTY_WEATHER_COUNT)
        return crafty_weather_name((CraftyWeatherKind)kind);
    return other ? other->name : NULL;
}

/* The clear sky for a kind that is missing. */
static Kind kind_of(const CraftyWeatherKinds *others, uint32_t kind)
{
    const CraftyWeatherKindInfo *other = crafty_weather_kind_of(others, kind);
    if (other)
        return (Kind){0, other->cover, other->fog, other->rain, other->snow};
    return kinds[kind < CRAFTY_WEATHER_COUNT ? kind : CRAFTY_CLEAR];
}

static uint32_t weight_of(const CraftyWeatherKinds *others, CnBiome biome, uint32_t kind)
{
    const CraftyWeatherKindInfo *other = crafty_weather_kind_of(others, kind);
    if (other)
        return other->weights[biome];
    return kind < CRAFTY_WEATHER_COUNT ? crafty_weather_weight(biome, (CraftyWeatherKind)kind) : 0;
}

/* The standard kinds come first, then those of the content in their order. */
static uint32_t number_at(const CraftyWeatherKinds *others, uint32_t index)
{
    return index < CRAFTY_WEATHER_COUNT
               ? index
               : crafty_weather_kind_at(others, index - CRAFTY_WEATHER_COUNT)->number;
}

static uint8_t draw(CnRandom *random, const CraftyWeatherKinds *others, CnBiome biome)
{
    const uint32_t count = CRAFTY_WEATHER_COUNT + crafty_weather_kinds_count(others);
    uint32_t sum = 0, index = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += weight_of(others, biome, number_at(others, i));
    uint64_t left = cn_random_below(random, sum);
    for (; left >= weight_of(others, biome, number_at(others, index)); index++)
        left -= weight_of(others, biome, number_at(others, index));
    return (uint8_t)number_at(others, index);
}

CraftySkyChange crafty_weather_sky(const CnWorld *world)
{
    const CraftyWeather *weather = cn_resource(world, CraftyWeather);
    const bool is_known = weather && weather->biome < CN_BIOME_COUNT;
    return crafty_sky_change(crafty_weather_kinds(world),
                             is_known ? (CnBiome)weather->biome : CN_BIOME_GRASSY_PLAINS,
                             cn_resource(world, CraftyDay) ? crafty_day_hours(world) : 12);
}

/* ---- Transitions ---- */

/* Moves the state by the fraction `part` towards that of its kind. */
static void approach(CraftyWeather *weather, const Kind *kind, CnBiome biome, float part)
{
    const Place *place = &places[biome];
    float cover = kind->cover * (kind->rain + kind->snow > 0 ? 1 : place->clouds);
    weather->cover += ((cover < 1 ? cover : 1) - weather->cover) * part;
    weather->bottom += (place->bottom - weather->bottom) * part;
    weather->top += (place->top - weather->top) * part;
    weather->fog += (kind->fog - weather->fog) * part;
    weather->rain += (kind->rain - weather->rain) * part;
    weather->snow += (kind->snow - weather->snow) * part;
}

/* The kind with what the skies of the content change; without any, exactly the kind. */
static Kind kind_now(const CnWorld *world, uint32_t number)
{
    const CraftyWeatherKinds *others = crafty_weather_kinds(world);
    Kind kind = kind_of(others, number);
    if (!crafty_has_skies(others))
        return kind;
    const CraftySkyChange change = crafty_weather_sky(world);
    kind.cover *= change.clouds;
    kind.fog += change.fog;
    return kind;
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

void crafty_weather_hold(CnWorld *world, uint32_t kind)
{
    CraftyWeather *weather = cn_resource_mut(world, CraftyWeather);
    weather->kind = (uint8_t)kind;
    weather->held = true;
    const Kind now = kind_now(world, weather->kind);
    approach(weather, &now, biome_of(weather), 1);
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
    const CraftyWeatherKinds *others = crafty_weather_kinds(world);
    weather->left -= context->dt;
    if (!crafty_weather_name_of(others, weather->kind)) /* of a mod that is missing */
        weather->kind = CRAFTY_CLEAR;
    bool is_wrong = !weight_of(others, biome, weather->kind);
    if (!weather->held && (weather->left <= 0 || is_wrong)) {
        weather->kind = draw(random, others, biome);
        weather->left =
            cn_random_f32_range(random, CRAFTY_WEATHER_SHORTEST, CRAFTY_WEATHER_LONGEST);
    }
    float part = CRAFTY_WEATHER_EASE * context->dt;
    const Kind now = kind_now(world, weather->kind);
    approach(weather, &now, biome, part < 1 ? part : 1);
    soak(weather, context->dt);
    float speed = 4 + 5 * weather->cover; /* meters per second */
    weather->wind.x += speed * context->dt;
    weather->wind.y += 0.35f * speed * context->dt;
}

static bool add_resources(CnWorld *world)
{
    CraftyWeather start = {
        .kind = CRAFTY_CLEAR, .biome = CN_BIOME_GRASSY_PLAINS, .left = CRAFTY_WEATHER_SHORTEST};
    approach(&start, &kinds[CRAFTY_CLEAR], CN_BIOME_GRASSY_PLAINS, 1);
    return cn_resource(world, CraftyWeather) ||
           cn_resource_set_value(world, cn_id(world, CraftyWeather), &start);
}

bool crafty_weather_add(CnWorld *world, CnError *error)
{
    CnComponent stream = cn_random_stream(world, "weather", error);
    if (!stream.id || !add_table(world, error))
        return false;
    if (!add_resources(world))
        return cn_error_memory(error, "the weather");
    CnSystemDesc desc = {.name = "ChangeWeather",
                         .run = change_weather,
                         .user = (void *)(uintptr_t)stream.id,
                         .stage = CN_STAGE_UPDATE,
                         .access = {cn_writes(CraftyWeather), cn_reads(CraftyDay),
                                    cn_reads(CraftyWeatherTable), cn_writes_id(stream)}};
    return cn_system_find(world, desc.name).id || crafty_system_add(world, &desc, error);
}
