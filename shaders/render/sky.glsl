/*
 * What can be seen in a direction of the sky: of a picture, or of the atmosphere. The includer has no other push
 * constants, and binds the source: a picture by longitude and latitude, or the table of sky_view.glsl.
 */
#ifndef RENDER_SKY_GLSL
#define RENDER_SKY_GLSL

#include "render/sky_view.glsl"

layout(push_constant) uniform Sky { /* CniSkyConstants */
    vec4 to_sun; /* w: 1 of the atmosphere, 0 of a picture */
    vec4 tint;   /* factor of a picture; of the atmosphere, sunlight outside. w: factor of all of it */
    vec4 ground; /* what comes from below the horizon; w: night, 0 to 1 */
} sky;
layout(set = 0, binding = 1) uniform sampler2D sky_source;

const float SKY_DISC = 60.0;
const float SKY_DISC_COSINE = 0.9996;
const vec3 SKY_NIGHT = vec3(0.009, 0.016, 0.038);

/* How much of the ground can be seen: haze hides what is far, so that worlds which end show no edge. */
float sky_ground_part(vec3 direction)
{
    return smoothstep(0.02, 0.35, -direction.y);
}

/* Without the disc of the sun, which is a light by itself. */
vec3 sky_air(vec3 direction)
{
    vec2 uv = sky_view_uv(direction, sky.to_sun.xyz);
    vec3 horizon = vec3(direction.x, max(direction.y, 0.0), direction.z);
    float cosine = dot(horizon, sky.to_sun.xyz) * inversesqrt(max(dot(horizon, horizon), 1e-8));
    vec3 light = textureLod(sky_source, uv, 0.0).rgb * atmosphere_rayleigh_phase(cosine) +
                 textureLod(sky_source, uv + vec2(0.0, 0.5), 0.0).rgb * atmosphere_mie_phase(cosine);
    light = light * sky.tint.rgb + SKY_NIGHT * (sky.ground.w * (1.0 + 0.6 * pow(1.0 - abs(direction.y), 4.0)));
    return mix(light, sky.ground.rgb, sky_ground_part(direction)) * sky.tint.w;
}

/* `spread` is the angle between neighbours. */
vec3 sky_disc(vec3 direction, float spread)
{
    float off = acos(clamp(dot(direction, sky.to_sun.xyz), -1.0, 1.0));
    float radius = acos(SKY_DISC_COSINE);
    if (off > radius + spread || direction.y < -0.01)
        return vec3(0.0);
    float inside = clamp((radius - off) / max(spread, 1e-5) + 0.5, 0.0, 1.0);
    float edge = sqrt(max(1.0 - off * off / (radius * radius), 0.0)); /* it is darker there */
    return atmosphere_transmittance(ATMOSPHERE_EYE, max(direction.y, 0.0)) * SKY_DISC * sky.tint.w *
           inside * (0.4 + 0.6 * edge) * (1.0 - sky_ground_part(direction));
}

vec3 sky_picture(vec3 direction, float spread)
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
    return sky.to_sun.w > 0.5 ? sky_air(direction) : sky_picture(direction, spread);
}

#endif
