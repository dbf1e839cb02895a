/*
 * The lightweight path: sky and atmosphere as one small table, which lit_sky_table.comp fills in each
 * frame. Its square is the sky down to slightly below the horizon, seen from below (a paraboloid:
 * the horizon is a circle); the columns beside it contain, row by row, the ambient light on each
 * face of a block. Includers define LIT_SKY_BINDING.
 */
#ifndef RENDER_FEATURE_LIT_ATMOSPHERE_GLSL
#define RENDER_FEATURE_LIT_ATMOSPHERE_GLSL

#include "render/feature/atmosphere.glsl"
#include "render/core/frame.glsl"

const float LIT_SKY_SIDE = 80.0;
const float LIT_SKY_WIDTH = 88.0; /* with the columns */
const float LIT_SKY_RADIUS = 0.8;  /* of the horizon */
/* lower directions, relative to the horizontal distance, have the same color */
const float LIT_SKY_LOWEST = -0.2;
const vec3 LIT_WATER_LOSS = vec3(0.20, 0.075, 0.060); /* as in fog.glsl */
const vec3 LIT_WATER_COLOR = vec3(0.018, 0.125, 0.185);
const float LIT_WATER_NIGHT = 0.05;
const float LIT_WATER_DARKENS = 0.05;
const vec3 LIT_CLEAR_AIR = 1e-3 * (ATMOSPHERE_RAYLEIGH + ATMOSPHERE_MIE_LOSS);
const float LIT_HAZE_HEIGHT = 350.0;
const float LIT_FOG_HEIGHT = 45.0;
const float LIT_FAR_AWAY = 30000.0;

/* Mean density of air on a path that climbs by this multiple of its scale height. */
float lit_thinning(float climbs)
{
    climbs = clamp(climbs, -8.0, 60.0);
    return abs(climbs) < 1e-3 ? 1.0 - 0.5 * climbs : (1.0 - exp(-climbs)) / climbs;
}

/* Equivalent meters of air at sea level density, on a path that climbs with the sine `rise`. */
float lit_dense_meters(float way, float rise, float atmosphere_scale_height, float sea_level)
{
    float here = exp(clamp((sea_level - frame.camera.y) / atmosphere_scale_height, -60.0, 0.7));
    return here * way * lit_thinning(way * rise / atmosphere_scale_height);
}

/* Fraction of the sky's light that passes the weather fog. */
float lit_sky_left(vec3 direction, float sea_level)
{
    float left = 1.0;
    /* A loop instead of an if: see sun_shadow. */
    for (int i = 0; i < (per_pixel(frame.clouds.w, direction.x) > 0.0 ? 1 : 0); i++)
        left = exp(-frame.clouds.w * lit_dense_meters(LIT_FAR_AWAY, direction.y, LIT_FOG_HEIGHT, sea_level));
    return left;
}

/* Light that murky water scatters to a camera under water: see through_water of fog.glsl. `shelter`
 * as in LitAtmosphere. */
vec3 lit_murk(vec3 water, float rise, float way, vec2 shelter)
{
    vec3 both = LIT_WATER_LOSS - LIT_WATER_DARKENS * rise;
    float here = exp(-LIT_WATER_DARKENS * shelter.y) * (1.0 - shelter.x);
    return water * here * LIT_WATER_LOSS / both * (1.0 - exp(-both * way));
}

#ifdef LIT_SKY_BINDING
layout(set = 0, binding = LIT_SKY_BINDING) uniform sampler2D lit_sky;

/* Below the horizon it is the color behind the end of the world, as in sky_scattering. `direction` has any
 * length. */
vec3 lit_sky_at(vec3 direction)
{
    float along = length(direction.xz), up = max(direction.y, LIT_SKY_LOWEST * along);
    vec2 place = direction.xz / (up + sqrt(up * up + along * along) + 1e-6);
    vec2 texel = (place * (0.5 * LIT_SKY_RADIUS) + 0.5) * LIT_SKY_SIDE;
    return textureLod(lit_sky, texel / vec2(LIT_SKY_WIDTH, LIT_SKY_SIDE), 0.0).rgb;
}

/* Ambient light on a face of a block. */
vec3 lit_around(uint face)
{
    return texelFetch(lit_sky, ivec2(int(LIT_SKY_SIDE) + 4, int(face)), 0).rgb;
}

/* Values shared by all pixels. */
struct LitAtmosphere {
    /* equivalent meters at sea level of one meter at the camera: haze, weather fog; 1 / edge, or 0;
     * enabled */
    vec4 dense;
    vec2 shelter; /* 1 in a cave; meters of water above the camera, or 0 */
    vec3 water;   /* light scattered by murky water, if the camera is under water */
};

/* Of push constants: edge, haze, sea level, 1 if there is fog. */
LitAtmosphere lit_atmosphere_of(vec4 air, vec3 water)
{
    vec2 here = exp(clamp((air.z - frame.camera.y) / vec2(LIT_HAZE_HEIGHT, LIT_FOG_HEIGHT), -60.0, 0.7));
    return LitAtmosphere(vec4(air.y * here.x, frame.clouds.w * here.y, air.x > 0.0 ? 1.0 / air.x : 0.0, air.w),
                  vec2(frame.jitter.z, frame.weather.w), water);
}

/* Mean relative density on a path that climbs by these multiples of the scale heights. */
vec2 lit_thins(vec2 climbs)
{
    climbs = clamp(climbs, -8.0, 60.0);
    return mix((1.0 - exp(-climbs)) / climbs, 1.0 - 0.5 * climbs, lessThan(abs(climbs), vec2(1e-3)));
}

/* Light that arrives at the camera from a position: haze and fog in the color of the sky behind it,
 * or water. There is no fog below roofs; from afar, this cannot be determined for the surface.
 * Without branches, because CPU drivers would execute both sides. */
vec3 lit_through_atmosphere(vec3 light, vec3 from_eye, float sky, LitAtmosphere air)
{
    float way = length(from_eye), rise = from_eye.y / max(way, 1e-3);
    float open = mix(smoothstep(0.0, 0.4, sky), 1.0, smoothstep(32.0, 128.0, way) * (1.0 - air.shelter.x));
    vec2 meters = air.dense.xy * lit_thins(from_eye.y / vec2(LIT_HAZE_HEIGHT, LIT_FOG_HEIGHT)) * (way * open);
    float gone = smoothstep(0.7, 0.97, length(from_eye.xz) * air.dense.z);
    vec3 left = exp(-LIT_CLEAR_AIR * meters.x - meters.y) * (1.0 - gone);
    /* Haze has the color of the horizon; at the end of the world, that of the sky behind it. */
    vec3 color = lit_sky_at(vec3(from_eye.x, mix(max(from_eye.y, 0.0), from_eye.y, gone), from_eye.z));
    bool is_under = per_pixel(air.shelter.y, way) > 0.0;
    float wet_way = rise > 0.0 ? min(way, air.shelter.y / rise) : way;
    vec3 wet_left = exp(-LIT_WATER_LOSS * wet_way);
    vec3 wet_color = lit_murk(air.water, rise, wet_way, air.shelter) / max(1.0 - wet_left, 1e-4);
    left = is_under ? wet_left : left;
    color = is_under ? wet_color : color;
    return mix(light, mix(color, light, left), air.dense.w);
}
#endif

#endif
