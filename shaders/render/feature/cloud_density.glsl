/*
 * Density of clouds in a flat layer that moves with the wind: noise of four scales with a threshold
 * that depends on the cover. Includers define CLOUD_NOISE_BINDING.
 */
#ifndef RENDER_FEATURE_CLOUD_DENSITY_GLSL
#define RENDER_FEATURE_CLOUD_DENSITY_GLSL

#include "render/core/frame.glsl"

layout(set = 0, binding = CLOUD_NOISE_BINDING) uniform sampler2D cloud_noise_map;

const float CLOUD_EXTINCTION = 0.11; /* per meter, where they are densest */
const float CLOUD_GROUP_SCALE = 0.0017;
const float CLOUD_SCALE = 0.0068;
/* Rotated against each other, so that their grids are not visible as rows. */
const mat3 CLOUD_DETAIL = 0.029 * mat3(0.64, 0.36, -0.68, 0.48, 0.48, 0.73, 0.60, -0.80, 0.14);
const mat3 CLOUD_FINE = 0.083 * mat3(0.36, 0.93, 0.10, -0.80, 0.36, -0.48, -0.48, 0.10, 0.87);

/* 0 to 1; see cloud_noise.glsl. */
float cloud_noise(vec3 p)
{
    vec3 cell = floor(p), part = p - cell;
    part *= part * (3.0 - 2.0 * part);
    vec2 place = cell.xz + vec2(37.0, 17.0) * cell.y + part.xz;
    vec2 two = textureLod(cloud_noise_map, (fract(place / 256.0) * 256.0 + 0.5) / 257.0, 0.0).rg;
    return mix(two.x, two.y, part.y);
}

/* 0 to 1. `blur`: 1 without the finest noise, 2 without the next: detail that is invisible from
 * afar and would alias with long steps. */
float cloud_density(vec3 world, float blur)
{
    float high = (world.y - frame.clouds.y) / (frame.clouds.z - frame.clouds.y);
    vec3 p = world - vec3(frame.wind.x, frame.clouds.y, frame.wind.y);
    float group = cloud_noise(vec3(p.x * CLOUD_GROUP_SCALE, 0.5, p.z * CLOUD_GROUP_SCALE));
    float shape = 0.58 * cloud_noise(p * CLOUD_SCALE) + 0.42 * group;
    /* Flat at the bottom, at varying heights; round at the top. */
    float cover = frame.clouds.x, least = 0.745 - 0.42 * cover - 0.44 * cover * cover * cover * cover;
    float bottom = 0.36 * smoothstep(0.80, 0.40, group);
    least += 0.30 * high * high + 1.4 * max(bottom - high, 0.0);
    float most = shape + 0.13 - least; /* with maximum detail */
    if (most <= 0.0 || high <= 0.0 || high >= 1.0)
        return 0.0;
    /* Round heads with creases between them. */
    float detail = 0.67, fine = clamp(1.0 - blur, 0.0, 1.0), coarse = clamp(2.0 - blur, 0.0, 1.0);
    if (coarse > 0.0)
        detail += coarse * (0.33 - abs(2.0 * cloud_noise(CLOUD_DETAIL * p) - 1.0));
    if (fine > 0.0)
        detail += fine * 0.5 * (0.33 - abs(2.0 * cloud_noise(CLOUD_FINE * p) - 1.0));
    return clamp((most - 0.20 * detail) * mix(2.5, 4.5, coarse), 0.0, 1.0) * clamp((1.0 - high) * 6.0, 0.0, 1.0);
}

#endif
