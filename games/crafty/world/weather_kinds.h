/*
 * Kinds of weather and changes of the sky that content adds to the standard ones.
 *
 *     CraftyWeatherKinds *kinds = crafty_weather_kinds_create(NULL, "weather.json", text, &error);
 *     const CraftyWeatherKindInfo *kind = crafty_weather_kind_find(kinds, "storms:hail");
 *     crafty_weather_kinds_destroy(kinds);
 *
 * Numbers of kinds follow from their names, so that saved worlds find them again. Immutable; any
 * thread.
 */
#ifndef CRAFTY_WORLD_WEATHER_KINDS_H
#define CRAFTY_WORLD_WEATHER_KINDS_H

#include <cairn/base/text.h>
#include <cairn/voxel/generate.h>

#define CRAFTY_WEATHER_NAME_BYTES 64u
#define CRAFTY_MAX_WEATHER_KINDS 64u
#define CRAFTY_MAX_SKIES 64u
#define CRAFTY_FIRST_WEATHER_NUMBER 16u /* those below are the standard kinds */

typedef struct CraftyWeatherKindInfo {
    char name[CRAFTY_WEATHER_NAME_BYTES];
    uint8_t number;
    uint8_t weights[CN_BIOME_COUNT]; /* among all kinds of a biome; 0: never */
    float cover, fog, rain, snow;    /* as in CraftyWeather (sim/weather.h) */
} CraftyWeatherKindInfo;

/* What changes in some biomes and hours. */
typedef struct CraftySkyInfo {
    char name[CRAFTY_WEATHER_NAME_BYTES];
    uint32_t biomes;   /* bits 1 << CnBiome */
    float begin, end;  /* hours; from the evening to the morning if `end` is less */
    float light[3];    /* factors of the color of sunlight and moonlight */
    float fog, clouds; /* added to the fog; factor of the cloud cover */
} CraftySkyInfo;

/* The changes of all skies together. */
typedef struct CraftySkyChange {
    float light[3], fog, clouds;
} CraftySkyChange;

typedef struct CraftyWeatherKinds CraftyWeatherKinds;

/* `text` is JSON (docs/formats.md); empty: nothing is added. Returns NULL and an error with file
 * and line if it is not valid, or when out of memory. */
CraftyWeatherKinds *crafty_weather_kinds_create(CnAllocator *allocator, const char *file,
                                                CnText text, CnError *error);
void crafty_weather_kinds_destroy(CraftyWeatherKinds *kinds); /* NULL is ignored */

/* In the order of their names. All functions accept NULL: no kinds. */
uint32_t crafty_weather_kinds_count(const CraftyWeatherKinds *kinds);
const CraftyWeatherKindInfo *crafty_weather_kind_at(const CraftyWeatherKinds *kinds,
                                                    uint32_t index);
/* Return NULL if there is none. */
const CraftyWeatherKindInfo *crafty_weather_kind_find(const CraftyWeatherKinds *kinds,
                                                      const char *name);
const CraftyWeatherKindInfo *crafty_weather_kind_of(const CraftyWeatherKinds *kinds,
                                                    uint32_t number);
/* Returns what the skies change. At the begin and the end of its hours, a sky fades for half an
 * hour. */
CraftySkyChange crafty_sky_change(const CraftyWeatherKinds *kinds, CnBiome biome, float hours);
/* Returns whether there is any sky. */
bool crafty_has_skies(const CraftyWeatherKinds *kinds);
uint64_t crafty_weather_kinds_hash(const CraftyWeatherKinds *kinds); /* 0 without any */

#endif
