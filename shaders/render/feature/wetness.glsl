/* Rain on exposed surfaces: they are darker and smoother, with puddles where they are flat. */
#ifndef RENDER_FEATURE_WETNESS_GLSL
#define RENDER_FEATURE_WETNESS_GLSL

#include "render/core/surface.glsl"

const float PUDDLE_ROUGHNESS = 0.06;
const float RIPPLE_REACH = 28.0; /* meters */

vec2 wet_hash(vec2 cell)
{
    vec3 p = fract(cell.xyx * vec3(0.1031, 0.1030, 0.0973));
    p += dot(p, p.yzx + 33.33);
    return fract((p.xx + p.yz) * p.zy);
}

float wet_noise(vec2 at)
{
    vec2 cell = floor(at), part = at - cell;
    vec2 ease = part * part * (3.0 - 2.0 * part);
    float low = mix(wet_hash(cell).x, wet_hash(cell + vec2(1.0, 0.0)).x, ease.x);
    float high = mix(wet_hash(cell + vec2(0.0, 1.0)).x, wet_hash(cell + vec2(1.0)).x, ease.x);
    return mix(low, high, ease.y);
}

/* Rings where drops fall, one at a time per cell: a slope along x and z. */
vec2 wet_ripples(vec2 at)
{
    vec2 cell = floor(at), slope = vec2(0.0);
    float chance = wet_hash(cell).x, time = frame.camera.w * 1.4 + chance;
    vec2 drop = 0.3 + 0.4 * wet_hash(cell + floor(time) * 7.0), away = at - cell - drop;
    float age = fract(time), distance = length(away), front = distance - age * 0.32;
    float ring = sin(front * 55.0) * smoothstep(0.09, 0.0, abs(front)) * (1.0 - age);
    return away / max(distance, 1e-3) * ring;
}

/* Only on surfaces like the tops of blocks: plants, which face upwards too, hold no water. */
float puddle_part(Surface s, float wet, float distance)
{
    float off = abs(fract(s.world.y + 0.5) - 0.5);
    float flatness = smoothstep(0.8, 0.95, s.normal.y) * step(off, 0.01 + 0.0005 * distance);
    float low = 0.65 * wet_noise(s.world.xz * 0.31) + 0.35 * wet_noise(s.world.xz * 1.17 + 9.0);
    /* flat views reflect everything */
    float much = smoothstep(0.2, 0.8, wet) * (1.0 - 0.6 * smoothstep(30.0, 110.0, distance));
    return flatness * smoothstep(0.62, 0.70, low + 0.12 * (wet - 1.0)) * much;
}

void make_wet(inout Surface s)
{
    float open = smoothstep(0.94, 0.995, s.baked.x) * smoothstep(-0.9, 0.9, s.normal.y);
    float wet = frame.weather.z * open, distance = length(s.world - frame.camera.xyz);
    /* A loop instead of an if: see sun_shadow. */
    for (int i = 0; i < (wet > 0.0 ? 1 : 0); i++) {
        float puddle = puddle_part(s, wet, distance);
        float near = frame.weather.x * puddle * clamp(2.0 - 2.0 * distance / RIPPLE_REACH, 0.0, 1.0);
        vec2 ripples = (wet_ripples(s.world.xz * 2.3) + wet_ripples(s.world.zx * 2.9 + 5.3)) * near;
        s.albedo *= 1.0 - 0.5 * max(wet * s.roughness, puddle);
        s.roughness = mix(mix(s.roughness, 0.5, 0.7 * wet), PUDDLE_ROUGHNESS, puddle);
        s.normal = normalize(mix(s.normal, vec3(0.0, 1.0, 0.0), puddle) + vec3(ripples.x, 0.0, ripples.y) * 0.25);
    }
}

#endif
