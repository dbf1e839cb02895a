#include "atmosphere.h"

#include "place.h"
#include "systems.h"

#include <cairn/ecs/system.h>
#include <cairn/sim/extract.h>

static void extract_atmosphere(CnSystemContext *context)
{
    CnRenderOut *out = cn_resource_mut(context->world, CnRenderOut);
    const CraftyDay *day = cn_resource(context->world, CraftyDay);
    const CraftyWeather *weather = cn_resource(context->world, CraftyWeather);
    const CraftyPlace *place =
        cn_get(context->world, cn_camera_active(context->world), CraftyPlace);
    if (!out || !day || !weather)
        return;
    CraftySky sky = crafty_sky_at(day->days);
    cn_extract_atmosphere(out, &(CnRenderAtmosphere){.to_sun = sky.to_sun,
                                                     .to_moon = sky.to_moon,
                                                     .moon_phase = sky.moon_phase,
                                                     .star_rotation = sky.star_rotation,
                                                     .cloud_cover = weather->cover,
                                                     .cloud_bottom = weather->bottom,
                                                     .cloud_top = weather->top,
                                                     .wind = weather->wind,
                                                     .fog = weather->fog,
                                                     .rain = weather->rain,
                                                     .snow = weather->snow,
                                                     .wetness = weather->wetness,
                                                     .water_above = place ? place->water_above : 0,
                                                     .shelter = place ? place->shelter : 0});
}

bool crafty_atmosphere_add(CnWorld *world, CnError *error)
{
    if (!crafty_weather_add(world, error) || !crafty_day_add(world, error))
        return false;
    CnSystemDesc desc = {.name = "ShowAir",
                         .run = extract_atmosphere,
                         .stage = CN_STAGE_PRE_EXTRACT,
                         .access = {cn_reads(CraftyDay), cn_reads(CraftyWeather),
                                    cn_reads(CraftyPlace), cn_reads(CnActiveCamera),
                                    cn_writes(CnRenderOut)}};
    return cn_system_find(world, desc.name).id || crafty_system_add(world, &desc, error);
}
