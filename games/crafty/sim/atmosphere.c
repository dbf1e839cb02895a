#include "atmosphere.h"

#include "systems.h"

#include <cairn/base/math.h>
#include <cairn/ecs/system.h>
#include <cairn/sim/extract.h>
#include <cairn/voxel/water.h>

#define DEEPEST 64          /* maximum number of blocks tested */
#define LIGHT_OF_WATER 2.0f /* light levels lost per block of water */
#define LIGHT_OUTSIDE 6.0f  /* sky light at and above which the position counts as outside */

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

/* Interpolates sky light between the eight cells around the eye, so that it changes smoothly. */
float crafty_shelter(CnVoxels *voxels, CnVec3 eye, float water_above)
{
    CnVec3 corner = cn_vec3_sub(eye, cn_vec3(0.5f, 0.5f, 0.5f));
    CnCell low = {(int32_t)cn_floorf(corner.x), (int32_t)cn_floorf(corner.y),
                  (int32_t)cn_floorf(corner.z)};
    CnVec3 part = {corner.x - (float)low.x, corner.y - (float)low.y, corner.z - (float)low.z};
    float sky = LIGHT_OF_WATER * water_above;
    for (int32_t i = 0; i < 8; i++) {
        int32_t x = i & 1, y = i >> 1 & 1, z = i >> 2;
        float weight =
            (x ? part.x : 1 - part.x) * (y ? part.y : 1 - part.y) * (z ? part.z : 1 - part.z);
        CnCell cell = {low.x + x, low.y + y, low.z + z};
        bool is_open = cell.y > cn_voxels_height(voxels, cell.x, cell.z);
        sky += weight * (float)(is_open ? 15 : cn_voxels_light(voxels, cell) >> 4);
    }
    float open = sky < LIGHT_OUTSIDE ? sky / LIGHT_OUTSIDE : 1;
    return 1 - open * open * (3 - 2 * open);
}

static void extract_atmosphere(CnSystemContext *context)
{
    CnRenderOut *out = cn_resource_mut(context->world, CnRenderOut);
    const CraftyDay *day = cn_resource(context->world, CraftyDay);
    const CraftyWeather *weather = cn_resource(context->world, CraftyWeather);
    const CraftyPlace *place = cn_resource(context->world, CraftyPlace);
    if (!out || !day || !weather || !place)
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
                                                     .water_above = place->water_above,
                                                     .shelter = place->shelter});
}

bool crafty_atmosphere_add(CnWorld *world, CnError *error)
{
    if (!crafty_weather_add(world, error) || !crafty_day_add(world, error))
        return false;
    CnSystemDesc desc = {.name = "ShowAir",
                         .run = extract_atmosphere,
                         .stage = CN_STAGE_PRE_EXTRACT,
                         .access = {cn_reads(CraftyDay), cn_reads(CraftyWeather),
                                    cn_reads(CraftyPlace), cn_writes(CnRenderOut)}};
    return cn_system_find(world, desc.name).id || crafty_system_add(world, &desc, error);
}
