/*
 * The light path: sky and air as one small table, which lit_sky_map.frag fills for each frame. Its square is the upper
 * half of the sky, seen from below (a paraboloid: the horizon is a circle); in the columns beside it, row by row, light
 * from all around for each face of a block. What includes this defines LIT_SKY_BINDING.
 */
#ifndef RENDER_LIT_AIR_GLSL
#define RENDER_LIT_AIR_GLSL

#include "render/atmosphere.glsl"
#include "render/frame.glsl"

const float LIT_SKY_SIDE = 64.0;
const float LIT_SKY_WIDTH = 72.0; /* with the columns */
const float LIT_SKY_RADIUS = 0.94; /* of the horizon: what is beside it is there, too */
const vec3 LIT_WATER_LOSS = vec3(0.20, 0.075, 0.060); /* as fog.glsl has them */
const vec3 LIT_CLEAR_AIR = 1e-3 * (ATMOSPHERE_RAYLEIGH + ATMOSPHERE_MIE_LOSS);
const float LIT_HAZE_HEIGHT = 350.0;
const float LIT_FOG_HEIGHT = 45.0;
const float LIT_FAR_AWAY = 30000.0;

/* Metres of air as dense as at sea level, on a way that climbs with the sine `rise`. */
float lit_dense_metres(float way, float rise, float height_of_air, float sea_level)
{
    float here = exp(clamp((sea_level - frame.camera.y) / height_of_air, -60.0, 0.7));
    float climbs = clamp(way * rise / height_of_air, -8.0, 60.0);
    return here * way * (abs(climbs) < 1e-3 ? 1.0 - 0.5 * climbs : (1.0 - exp(-climbs)) / climbs);
}

/* What is left of the sky's light behind the fog of the weather. */
float lit_sky_left(vec3 direction, float sea_level)
{
    float left = 1.0;
    /* A loop instead of an if: see sun_shadow. */
    for (int i = 0; i < (per_pixel(frame.clouds.w, direction.x) > 0.0 ? 1 : 0); i++)
        left = exp(-frame.clouds.w * lit_dense_metres(LIT_FAR_AWAY, direction.y, LIT_FOG_HEIGHT, sea_level));
    return left;
}

#ifdef LIT_SKY_BINDING
/* Where a fragment is: cheaper than to interpolate it. */
vec3 lit_from_eye()
{
    vec2 ndc = gl_FragCoord.xy * frame.size.zw * 2.0 - 1.0;
    bool is_flat = per_pixel(frame.planes.z, ndc.x) > 0.5;
    float away = is_flat ? view_distance(gl_FragCoord.z) : 1.0 / gl_FragCoord.w, wide = is_flat ? 1.0 : away;
    vec2 aside = vec2((ndc.x + frame.projection[2][0]) / frame.projection[0][0], (ndc.y + frame.projection[2][1]) / frame.projection[1][1]);
    return vec3(aside * wide, -away) * mat3(frame.view);
}

layout(set = 0, binding = LIT_SKY_BINDING) uniform sampler2D lit_sky;

/* Below the horizon it is the horizon's. `direction` has any length. */
vec3 lit_sky_at(vec3 direction)
{
    float up = max(direction.y, 0.0);
    vec2 place = direction.xz / (up + sqrt(up * up + dot(direction.xz, direction.xz)) + 1e-6);
    vec2 texel = (place * (0.5 * LIT_SKY_RADIUS) + 0.5) * LIT_SKY_SIDE;
    return textureLod(lit_sky, texel / vec2(LIT_SKY_WIDTH, LIT_SKY_SIDE), 0.0).rgb;
}

/* On a face of a block, from all around. */
vec3 lit_around(uint face)
{
    return texelFetch(lit_sky, ivec2(int(LIT_SKY_SIDE) + 4, int(face)), 0).rgb;
}

struct LitAir {
    float edge, haze, sea_level, is_on; /* as of fog.glsl */
    vec3 water;                         /* what murk gives back, where the eye is under water */
};

/* Light that comes to the eye from a place: haze and fog in the color of the sky behind it, or water. Under a roof there
 * is no fog; from far, nobody can tell. */
vec3 lit_through_air(vec3 light, vec3 from_eye, float sky, LitAir air)
{
    float way = length(from_eye), rise = from_eye.y / max(way, 1e-3);
    float open = mix(smoothstep(0.0, 0.4, sky), 1.0, smoothstep(32.0, 128.0, way));
    vec3 depth = LIT_CLEAR_AIR * (air.haze * lit_dense_metres(way, rise, LIT_HAZE_HEIGHT, air.sea_level));
    /* Loops instead of ifs: see sun_shadow. */
    for (int i = 0; i < (per_pixel(frame.clouds.w, way) > 0.0 ? 1 : 0); i++)
        depth += frame.clouds.w * lit_dense_metres(way, rise, LIT_FOG_HEIGHT, air.sea_level);
    vec3 left = exp(-depth * open);
    left *= per_pixel(air.edge, way) > 0.0 ? 1.0 - smoothstep(0.7, 0.97, length(from_eye.xz) / air.edge) : 1.0;
    vec3 color = lit_sky_at(from_eye);
    for (int i = 0; i < (per_pixel(frame.weather.w, way) > 0.0 ? 1 : 0); i++) {
        float above = frame.weather.w;
        left = exp(-LIT_WATER_LOSS * (rise > 0.0 ? min(way, above / rise) : way));
        color = air.water * (exp(-0.04 * above) * open);
    }
    return per_pixel(air.is_on, way) > 0.5 ? mix(color, light, left) : light;
}
#endif

#endif
