#include "air.h"

#include <cairn/base/math.h>
#include <cairn/ecs/system.h>
#include <cairn/sim/extract.h>
#include <cairn/voxel/water.h>

#define DEEPEST 64 /* blocks that are asked for */

float crafty_water_above(CnVoxels *voxels, CnVec3 eye)
{
    CnCell cell = {(int32_t)cn_floorf(eye.x), (int32_t)cn_floorf(eye.y), (int32_t)cn_floorf(eye.z)};
    float surface = eye.y;
    for (int32_t i = 0; i < DEEPEST; i++, cell.y++) {
        uint32_t level = cn_water_level(cn_voxels_get(voxels, cell));
        if (level == 0)
            break;
        CnCell next = {cell.x, cell.y + 1, cell.z};
        bool is_full = cn_water_level(cn_voxels_get(voxels, next)) > 0;
        surface = (float)cell.y + (is_full ? 1 : (float)(7 * level / 4) / 16);
    }
    return surface > eye.y ? surface - eye.y : 0;
}

static void show_air(CnSystemContext *context)
{
    CnRenderOut *out = cn_resource_mut(context->world, CnRenderOut);
    const CraftyDay *day = cn_resource(context->world, CraftyDay);
    const CraftyWeather *weather = cn_resource(context->world, CraftyWeather);
    const CraftyPlace *place = cn_resource(context->world, CraftyPlace);
    if (!out || !day || !weather || !place)
        return;
    CraftySky sky = crafty_sky_at(day->days);
    cn_render_air(out, &(CnRenderAir){.to_sun = sky.to_sun,
                                      .to_moon = sky.to_moon,
                                      .moon_phase = sky.moon_phase,
                                      .star_turn = sky.star_turn,
                                      .cloud_cover = weather->cover,
                                      .cloud_bottom = weather->bottom,
                                      .cloud_top = weather->top,
                                      .wind = weather->wind,
                                      .fog = weather->fog,
                                      .rain = weather->rain,
                                      .snow = weather->snow,
                                      .wetness = weather->wetness,
                                      .murk = place->water_above});
}

bool crafty_air_add(CnWorld *world, CnError *error)
{
    if (!crafty_weather_add(world, error) || !crafty_day_add(world, error))
        return false;
    CnSystemDesc desc = {.name = "ShowAir",
                         .run = show_air,
                         .stage = CN_STAGE_PRE_EXTRACT,
                         .access = {cn_reads(CraftyDay), cn_reads(CraftyWeather),
                                    cn_reads(CraftyPlace), cn_writes(CnRenderOut)}};
    return cn_system_find(world, desc.name).id || cn_system_add(world, &desc, error).id;
}
