/*
 * Weather: chosen at random by biome every half minute to two minutes, with smooth transitions.
 *
 *     crafty_weather_add(world, &error); // adds the system ChangeWeather of Update
 *     crafty_weather_hold(world, CRAFTY_HEAVY_RAIN); // at once and permanently
 *
 * It snows where it is cold and never rains in deserts; clouds over mountains are taller. When the
 * player enters a biome that does not have the current weather, the weather changes at once.
 */
#ifndef CRAFTY_SIM_WEATHER_H
#define CRAFTY_SIM_WEATHER_H

#include "crafty/world/weather_kinds.h"
#include "weather_kind.h"

#include <cairn/ecs/world.h>
#include <cairn/voxel/generate.h>

#define CRAFTY_WEATHER_SHORTEST 30.0f /* seconds */
#define CRAFTY_WEATHER_LONGEST 120.0f
#define CRAFTY_WEATHER_EASE 0.3f /* fraction of the difference per second */

/*
 * Fields:
 *     kind, left     a CraftyWeatherKind or the number of another kind (CraftyWeatherTable),
 * seconds until the next change; held: no changes biome          a CnBiome, which determines the
 * kinds; set in every tick (place.h) cover          cloud cover, 0 to 1, between the heights bottom
 * and top fog            extinction per meter at the ground rain, snow     0 to 1 wetness        of
 * exposed surfaces; increases while it rains and dries slowly wind           meters that clouds
 * have moved along x and z
 */
CN_COMPONENT(CraftyWeather, (u8, kind), (u8, biome), (bool, held), (f32, left), (f32, cover),
             (f32, bottom), (f32, top), (f32, fog), (f32, rain), (f32, snow), (f32, wetness),
             (vec2, wind));

/* Transient: kinds of weather and skies of content; NULL: the standard ones alone. */
typedef struct CraftyWeatherTable {
    const CraftyWeatherKinds *kinds;
} CraftyWeatherTable;
CN_OPAQUE(CraftyWeatherTable);

/* Adds the resources and the system, which uses the random stream "weather". Calling it again is
 * harmless. */
bool crafty_weather_add(CnWorld *world, CnError *error);
/* Gives the simulation the kinds of its content, which must outlive it; NULL: none. */
bool crafty_weather_set_kinds(CnWorld *world, const CraftyWeatherKinds *kinds, CnError *error);
const CraftyWeatherKinds *crafty_weather_kinds(const CnWorld *world);
/* Sets the whole state at once, as if the weather had lasted for a long time. `kind`: also the
 * number of a kind of content. */
void crafty_weather_hold(CnWorld *world, uint32_t kind);

/* Finds a kind by name, among the standard ones and those of the content. */
bool crafty_weather_find(const CraftyWeatherKinds *kinds, const char *name, uint32_t *kind);
/* Returns the name of a kind; NULL if there is none. */
const char *crafty_weather_name_of(const CraftyWeatherKinds *kinds, uint32_t kind);
/* Returns the changes of the sky of the content: at the time and the biome of the weather. */
CraftySkyChange crafty_weather_sky(const CnWorld *world);

/* Returns the weight of a standard kind among all kinds of a biome; 0: never. */
uint32_t crafty_weather_weight(CnBiome biome, CraftyWeatherKind kind);
/* Returns the fraction of sunlight and moonlight that reaches the ground, 0 to 1. */
float crafty_weather_light(const CraftyWeather *weather);

#endif
