/* The functions `weather` and `sky`. */
#include "mods_internal.h"

static bool define_weather(CnLuaCall *call)
{
    return crafty_mod_define_named(call, CRAFTY_RECORD_WEATHER);
}

static bool define_sky(CnLuaCall *call)
{
    return crafty_mod_define_named(call, CRAFTY_RECORD_SKY);
}

static const CnLuaField weather_fields[] = {
    {"name", "string", "Lower-case letters, digits and `_`. The mod's name and `:` are added."},
    {"biomes", "string[]?", "Biomes that have it; all by default."},
    {"weight", "integer?",
     "How frequent it is, 0 to 100; clear weather has 5. 1 by default. With 0, it comes only by "
     "`/weather` and `world.setWeather`."},
    {"clouds", "number?", "How much of the sky is covered, 0 to 1; 0.5 by default."},
    {"fog", "number?", "Density, 0 to 0.25: 0.06 hides what is 65 blocks away."},
    {"rain", "number?", "0 to 1."},
    {"snow", "number?", "0 to 1."},
    {0}};
static const CnLuaField sky_fields[] = {
    {"name", "string", "Lower-case letters, digits and `_`. The mod's name and `:` are added."},
    {"biomes", "string[]?", "Biomes in which it holds; all by default."},
    {"hours", "number[]?",
     "Begin and end, 0 to 24: `{20, 4}` is the night. It fades for half an hour at both."},
    {"light", "number[]?", "Factors of red, green and blue of sunlight and moonlight, 0 to 2."},
    {"fog", "number?", "Is added to the fog of the weather, 0 to 0.25."},
    {"clouds", "number?", "Factor of the clouds of the weather, 0 to 4."},
    {0}};
static const CnLuaClass classes[] = {{"WeatherDef", "A kind of weather.", weather_fields},
                                     {"SkyDef", "A change of light and air.", sky_fields},
                                     {0}};
static const CnLuaFunction functions[] = {
    {"weather", define_weather, "(definition: WeatherDef)",
     "Registers a kind of weather. It is part of the world like the others: chosen by biome, saved, "
     "and seen by rules about rain.",
     "weather { name = \"drizzle\", biomes = { \"swamp\", \"jungle\" }, weight = 3,\n"
     "          clouds = 0.8, fog = 0.01, rain = 0.1 }"},
    {"sky", define_sky, "(definition: SkyDef)",
     "Registers a change of light, fog and clouds in some biomes and hours. Several are combined.",
     "sky { name = \"red_evening\", biomes = { \"desert\", \"badlands\" }, hours = { 16, 19 },\n"
     "      light = { 1.3, 0.8, 0.7 }, fog = 0.002 }"},
    {0}};
const CnLuaTable crafty_mod_weather_table = {NULL, "Weather and sky.", functions, classes};
