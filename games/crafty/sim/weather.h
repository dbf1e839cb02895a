/*
 * Weather: drawn anew every half minute to two minutes, by biome, and eased from one kind to the next.
 *
 *     crafty_weather_add(world, &error);                            // the system ChangeWeather of Update
 *     cn_resource_mut(world, CraftyPlace)->biome = CN_BIOME_TAIGA;  // where the player is, before each tick
 *     crafty_weather_hold(world, CRAFTY_HEAVY_RAIN);                // at once, and it stays
 *
 * It snows where it is cold, never rains in deserts, and mountains carry taller clouds. Who comes into a biome that does
 * not have the weather that is gets another at once.
 */
#ifndef CRAFTY_SIM_WEATHER_H
#define CRAFTY_SIM_WEATHER_H

#include "weather_kind.h"

#include <cairn/ecs/world.h>
#include <cairn/voxel/generate.h>

#define CRAFTY_WEATHER_SHORTEST 30.0f /* seconds */
#define CRAFTY_WEATHER_LONGEST 120.0f
#define CRAFTY_WEATHER_EASE 0.3f /* of what is missing, a second */

/*
 * kind, left     a CraftyWeatherKind, and the seconds until the next is drawn; held: it never is
 * cover          of the sky by clouds, 0 to 1, which lie from bottom to top
 * fog            extinction a metre at the ground
 * rain, snow     0 to 1
 * wetness        of what lies open: grows while it rains, and dries slowly
 * wind           metres that clouds have moved along x and z
 */
CN_COMPONENT(CraftyWeather, (u8, kind), (bool, held), (f32, left), (f32, cover), (f32, bottom),
             (f32, top), (f32, fog), (f32, rain), (f32, snow), (f32, wetness), (vec2, wind));

/* Where the player's eye is, how many metres of water are above it, and how much hides the sky from it (air.h). Whoever
 * moves the player writes it. */
CN_COMPONENT(CraftyPlace, (u8, biome), (f32, water_above), (f32, shelter));

/* The resources, and the system; random numbers are those of the stream "weather". Calling it again is harmless. */
bool crafty_weather_add(CnWorld *world, CnError *error);
/* All of it at once, as if it had been so for long. */
void crafty_weather_hold(CnWorld *world, CraftyWeatherKind kind);

/* How often a biome has a kind, among all of its kinds; 0: never. */
uint32_t crafty_weather_weight(CnBiome biome, CraftyWeatherKind kind);
/* What comes through of the light of sun and moon, 0 to 1. */
float crafty_weather_light(const CraftyWeather *weather);

#endif
