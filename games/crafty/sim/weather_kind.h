/* The kinds of weather and their names. */
#ifndef CRAFTY_SIM_WEATHER_KIND_H
#define CRAFTY_SIM_WEATHER_KIND_H

#include <cairn/base/api.h>

typedef enum CraftyWeatherKind {
    CRAFTY_CLEAR,
    CRAFTY_CLOUDY,
    CRAFTY_OVERCAST,
    CRAFTY_LIGHT_RAIN,
    CRAFTY_HEAVY_RAIN,
    CRAFTY_LIGHT_SNOW,
    CRAFTY_HEAVY_SNOW,
    CRAFTY_LIGHT_FOG,
    CRAFTY_HEAVY_FOG,
    CRAFTY_WEATHER_COUNT
} CraftyWeatherKind;

const char *crafty_weather_name(CraftyWeatherKind kind); /* "light-rain" */
/* Accepts the short names rain, snow and fog for the heavy kinds as well. */
bool crafty_weather_parse(const char *name, CraftyWeatherKind *kind);

#endif
