#include "weather_kind.h"

#include <string.h>

static const char *const names[CRAFTY_WEATHER_COUNT] = {
    [CRAFTY_CLEAR] = "clear",           [CRAFTY_CLOUDY] = "cloudy",
    [CRAFTY_OVERCAST] = "overcast",     [CRAFTY_LIGHT_RAIN] = "light-rain",
    [CRAFTY_HEAVY_RAIN] = "heavy-rain", [CRAFTY_LIGHT_SNOW] = "light-snow",
    [CRAFTY_HEAVY_SNOW] = "heavy-snow", [CRAFTY_LIGHT_FOG] = "light-fog",
    [CRAFTY_HEAVY_FOG] = "heavy-fog"};

const char *crafty_weather_name(CraftyWeatherKind kind)
{
    return (uint32_t)kind < CRAFTY_WEATHER_COUNT ? names[kind] : "unknown";
}

bool crafty_weather_parse(const char *name, CraftyWeatherKind *kind)
{
    for (uint32_t i = 0; i < CRAFTY_WEATHER_COUNT; i++) {
        const char *heavy = strncmp(names[i], "heavy-", 6) ? NULL : names[i] + 6;
        if (!strcmp(name, names[i]) || (heavy && !strcmp(name, heavy))) {
            *kind = (CraftyWeatherKind)i;
            return true;
        }
    }
    return false;
}
