/*
 * The sky in a direction: from a texture, or from the atmosphere. The includer has no other push
 * constants and binds the source: an equirectangular texture, or the table of sky_view.glsl.
 */
#ifndef RENDER_FEATURE_SKY_GLSL
#define RENDER_FEATURE_SKY_GLSL

#include "render/core/per_pixel.glsl"
#include "render/feature/sky_view.glsl"

#ifdef COPY_UNIFORMS /* see frame.glsl */
struct SkyData { /* CniRenderSkyConstants */
#else
layout(push_constant) uniform Sky { /* CniRenderSkyConstants */
#endif
    vec4 to_sun; /* w: 1 for the atmosphere, 0 for a texture */
    /* factor of a texture; for the atmosphere, extraterrestrial sunlight. w: overall factor */
    vec4 tint;
    vec4 ground; /* light from below the horizon; w: night, 0 to 1 */
    vec4 veil;   /* light of an overcast sky; w: fraction covered by clouds */
    vec4 more;   /* used by the includer */
} sky;
#ifdef COPY_UNIFORMS
layout(push_constant) uniform Sky { SkyData sky_uniform; };
void copy_sky()
{
    sky = sky_uniform;
}
#endif
layout(set = 0, binding = 1) uniform sampler2D sky_source;

const float SKY_DISC = 60.0;
const float SKY_DISC_COSINE = 0.9996;
const float DUST = 0.5; /* of the aerosol glow: all of it would make half the sky white */
const vec3 SKY_NIGHT = vec3(0.009, 0.016, 0.038);

/* Visibility of the ground: haze hides distant ground, so that finite worlds show no edge. */
float sky_ground_part(vec3 direction)
{
    return smoothstep(0.02, 0.35, -direction.y);
}

/* Dusk, for which single scattering is too dark: a blue dome, and a warm glow where the sun has
 * set. */
vec3 sky_dusk(vec3 direction, float deep, float begins)
{
    vec2 ahead = normalize(sky.to_sun.xz + vec2(1e-6, 0.0));
    float towards = 0.5 + 0.5 * dot(direction.xz, ahead) * inversesqrt(max(dot(direction.xz, direction.xz), 1e-6));
    float up = max(direction.y, 0.0);
    float low = towards * towards * towards * exp(-up * 13.0);
    vec3 dome = vec3(0.012, 0.030, 0.078) * ((0.6 + 0.4 * towards) * (1.0 - low));
    vec3 glow = mix(vec3(0.36, 0.165, 0.045), vec3(0.12, 0.052, 0.020), smoothstep(0.0, 0.17, deep)) * low;
    vec3 belt = vec3(0.055, 0.030, 0.050) * ((1.0 - towards) * exp(-pow(up * 7.0 - 0.9, 2.0)));
    return dome * begins + (glow + belt) * smoothstep(-0.04, 0.07, deep);
}

vec3 sky_twilight(vec3 direction)
{
    float deep = -sky.to_sun.y;
    float ends = smoothstep(0.30, 0.09, deep), begins = smoothstep(-0.22, 0.05, deep);
    vec3 light = vec3(0.0);
    for (int i = 0; i < (per_pixel(begins * ends, direction.x) > 0.0 ? 1 : 0); i++)
        light = sky_dusk(direction, deep, begins) * ends;
    return light;
}

/* Without the sun's disc, which is a separate light. */
vec3 sky_scattering(vec3 direction)
{
    vec2 uv = sky_view_uv(direction, sky.to_sun.xyz);
    vec3 horizon = vec3(direction.x, max(direction.y, 0.0), direction.z);
    float cosine = dot(horizon, sky.to_sun.xyz) * inversesqrt(max(dot(horizon, horizon), 1e-8));
    vec3 light = textureLod(sky_source, uv, 0.0).rgb * atmosphere_rayleigh_phase(cosine) +
                 textureLod(sky_source, uv + vec2(0.0, 0.5), 0.0).rgb * (DUST * atmosphere_mie_phase(cosine));
    light = light * sky.tint.rgb + SKY_NIGHT * (sky.ground.w * (1.0 + 0.6 * pow(1.0 - abs(direction.y), 4.0)));
    light += sky_twilight(direction);
    light = mix(light, sky.veil.rgb * (0.8 + 0.2 * max(direction.y, 0.0)), sky.veil.w);
    return mix(light, sky.ground.rgb, sky_ground_part(direction)) * sky.tint.w;
}

/* Models adaptation of the eye to darkness in shaded areas: added to ambient light. */
vec3 sky_shade()
{
    float dusk = smoothstep(0.12, 0.0, sky.to_sun.y) * smoothstep(-0.25, -0.08, sky.to_sun.y);
    return (SKY_NIGHT * (1.3 * sky.ground.w) + vec3(0.030, 0.038, 0.058) * dusk) * sky.tint.w;
}

/* cni_render_overcast_gain */
float sky_overcast_gain()
{
    return 1.0 + 2.0 * sky.veil.w * smoothstep(0.6, 0.1, sky.to_sun.y);
}

/* `spread` is the angle between neighboring pixels. */
vec3 sky_disc(vec3 direction, float spread)
{
    float off = acos(clamp(dot(direction, sky.to_sun.xyz), -1.0, 1.0));
    float radius = acos(SKY_DISC_COSINE);
    if (off > radius + spread || direction.y < -0.01)
        return vec3(0.0);
    float inside = clamp((radius - off) / max(spread, 1e-5) + 0.5, 0.0, 1.0);
    float edge = sqrt(max(1.0 - off * off / (radius * radius), 0.0)); /* limb darkening */
    return atmosphere_transmittance(ATMOSPHERE_EYE, max(direction.y, 0.0)) * SKY_DISC * sky.tint.w *
           inside * (0.4 + 0.6 * edge) * (1.0 - sky_ground_part(direction)) * pow(1.0 - sky.veil.w, 3.0);
}

vec3 sky_background(vec3 direction, float spread)
{
    vec2 size = vec2(textureSize(sky_source, 0));
    bool upright = dot(direction.xz, direction.xz) > 1e-12;
    float longitude = upright ? atan(direction.x, -direction.z) : 0.0;
    float latitude = acos(clamp(direction.y, -1.0, 1.0)) / ATMOSPHERE_PI;
    vec2 uv = vec2(longitude / (2.0 * ATMOSPHERE_PI) + 0.5, clamp(latitude, 0.5 / size.y, 1.0 - 0.5 / size.y));
    float lod = log2(max(spread * size.y / ATMOSPHERE_PI, 1.0));
    return min(textureLod(sky_source, uv, lod).rgb * sky.tint.rgb, vec3(60000.0));
}

vec3 sky_light(vec3 direction, float spread)
{
    bool is_air = per_pixel(sky.to_sun.w, direction.x) > 0.5;
    vec3 light = vec3(0.0);
    for (int i = 0; i < (is_air ? 1 : 0); i++)
        light = sky_scattering(direction);
    for (int i = 0; i < (is_air ? 0 : 1); i++)
        light = sky_background(direction, spread);
    return light;
}

#endif
