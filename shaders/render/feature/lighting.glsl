/*
 * Lighting of a surface, the same for every path. Includers bind 0 (frame), 6 (lights), 7 (tiles),
 * 8 to 11 (shadows), 12 to 14 (image-based lighting), 15 (screen-space occlusion) and 22 (terrain
 * heights) as in scene.glsl.
 */
#ifndef RENDER_FEATURE_LIGHTING_GLSL
#define RENDER_FEATURE_LIGHTING_GLSL

#include "render/core/surface.glsl"

#include "render/feature/baked_light.glsl"
#include "render/core/brdf.glsl"
#include "render/feature/cloud_shadow.glsl"
#include "render/feature/environment.glsl"
#include "render/feature/foliage.glsl"
#include "render/feature/terrain_shadow.glsl"
#include "render/feature/shadow.glsl"

#ifdef LAYERS
#include "render/feature/layered_light.glsl"
#else
/* Multiplied by the cosine of the angle of incidence. */
vec3 surface_brdf(Surface s, vec3 v, vec3 l)
{
    return brdf(s.normal, v, l, s.albedo, s.metallic, s.roughness);
}

vec3 surface_ambient(Surface s, vec3 v, float occlusion)
{
    return ambient_light(s.normal, v, s.albedo, s.metallic, s.roughness, occlusion);
}
#endif

layout(set = 0, binding = 6, std430) readonly buffer Lights { Light lights[]; };
layout(set = 0, binding = 7, std430) readonly buffer LightTiles { uint light_tiles[]; };
layout(set = 0, binding = 15) uniform sampler2D screen_occlusion;

const uint LIGHT_LEVEL_SHIFT = 8u; /* CN_RENDER_LEVEL */
/* lamps of blocks are not points, so adjacent surfaces are not overexposed; square meters */
const float FLAME = 0.35;
const uint LOOP_LIGHTS = 32u;   /* lights evaluated without tiles: the nearest */
const float MAX_LIGHT = 16384; /* limit for 16-bit images and later passes */

/* Which lights a shader evaluates: 0 the first LOOP_LIGHTS; 1 those that touch opaque geometry in
 * its tile of 16 x 16 pixels; 2 those that touch anything in front of it. */
const uint LIGHTS_LOOP = 0u;
const uint LIGHTS_OPAQUE = 1u;
const uint LIGHTS_IN_FRONT = 2u;

/* Visibility of the sun beyond the range of the shadow maps. */
float sun_beyond(vec3 world, float sky, vec2 pixel)
{
    float part = sun_guess(sky);
    /* A loop instead of an if: see sun_shadow. */
    for (int i = 0; i < (is_beyond_shadows(world) ? 1 : 0); i++)
        part *= terrain_shadow(world, shadow_noise(pixel));
    return part;
}

/* Leaves lit from behind by the sun: they are shaded only if more than leaves is in between. */
vec3 light_through(Surface s, vec2 pixel, float beyond)
{
    vec3 l = frame.sun_direction.xyz;
    float part = LEAF_THROUGH / PI * max(0.35 - 0.65 * dot(s.normal, l), 0.0);
    float seen = sun_shadow(s.world + l * LEAF_DEPTH, l, pixel, beyond) * sun_gate(s.baked.x);
    return color_through(s.albedo) * frame.sun_color.rgb * (part * seen * cloud_shadow(s.world));
}

vec3 sun_light(Surface s, vec3 v, vec2 pixel)
{
    if (frame.sun_direction.w < 0.5)
        return vec3(0.0);
    vec3 l = frame.sun_direction.xyz, through = vec3(0.0);
    float beyond = sun_beyond(s.world, s.baked.x, pixel);
    /* A loop instead of an if: see sun_shadow. */
    for (int i = 0; i < (s.is_foliage && dot(s.normal, l) < 0.35 ? 1 : 0); i++)
        through = light_through(s, pixel, beyond);
    vec3 reflected = surface_brdf(s, v, l);
    if (max(reflected.r, max(reflected.g, reflected.b)) <= 0.0)
        return through;
    float seen = sun_shadow(s.world, s.geometric_normal, pixel, beyond) * sun_gate(s.baked.x);
    return through + reflected * frame.sun_color.rgb * (seen * cloud_shadow(s.world));
}

vec3 light_light(Surface s, vec3 v, uint index)
{
    Light light = lights[index];
    vec3 to_light = light.position - s.world;
    float squared = dot(to_light, to_light);
    float ratio = squared / (light.range * light.range);
    if (!(ratio < 1.0)) /* also for a range of 0 */
        return vec3(0.0);
    vec3 l = to_light * inversesqrt(max(squared, 1e-8));
    float window = 1.0 - ratio * ratio;
    float level = float(light.flags >> LIGHT_LEVEL_SHIFT & 15u);
    float strength = window * window / max(squared + (level > 0.0 ? FLAME : 0.0), 1e-4);
    if (light.kind == 2u) {
        float cone = clamp((dot(-l, light.direction) - light.outer_cosine) /
                               max(light.inner_cosine - light.outer_cosine, 1e-4), 0.0, 1.0);
        strength *= cone * cone;
    }
    float least = lamp_level(level, to_light, s.geometric_normal);
    bool is_lamp = s.is_baked && level > 0.0;
    if (is_lamp)
        strength *= lamp_part(least, s.baked.y);
    vec3 reflected = surface_brdf(s, v, l) * strength * light.color;
    if (max(reflected.r, max(reflected.g, reflected.b)) <= 0.0)
        return vec3(0.0);
    if (is_lamp)
        reflected = lamp_rest(reflected, least, s.normal, s.albedo);
    return reflected * light_shadow(index, light, s.world, s.geometric_normal);
}

/* In the order of the lights, however they are found, which gives the same sum. */
vec3 lights_light(Surface s, vec3 v, vec2 pixel, uint which)
{
    vec3 sum = vec3(0.0);
    if (which == LIGHTS_LOOP) {
        uint count = min(frame.counts.x, LOOP_LIGHTS);
        for (uint i = 0u; i < count; i++)
            sum += light_light(s, v, i);
        return sum;
    }
    uint words = (frame.counts.x + 31u) / 32u;
    uvec2 tile = min(uvec2(pixel) / 16u, frame.counts.yz - 1u);
    uint first = ((tile.y * frame.counts.y + tile.x) * 2u + (which - 1u)) * words;
    for (uint word = 0u; word < words; word++) {
        for (uint bits = light_tiles[first + word]; bits != 0u; bits &= bits - 1u)
            sum += light_light(s, v, word * 32u + uint(findLSB(bits)));
    }
    return sum;
}

/* 0 to 1: occlusion of the surface and screen-space occlusion. Both darken the corners of blocks
 * for the same reason, so the darker one is used. */
float combined_occlusion(Surface s, vec2 pixel)
{
    float open = textureLod(screen_occlusion, pixel * frame.size.zw, 0.0).r;
    return s.is_baked ? min(s.occlusion, open) : s.occlusion * open;
}

vec3 indirect_light(Surface s, vec3 v, vec2 pixel)
{
    float occlusion = combined_occlusion(s, pixel);
    vec3 light = surface_ambient(s, v, occlusion);
    vec3 cells = cell_light(s.baked, s.normal, distance(s.world, frame.camera.xyz));
    return light * sky_part(s.baked.x) + cells * s.albedo * occlusion;
}

/* Limits light to what an image can store: no infinity or NaN. */
vec3 bounded_light(vec3 light)
{
    return vec3(light.r > 0.0 ? min(light.r, MAX_LIGHT) : 0.0,
                light.g > 0.0 ? min(light.g, MAX_LIGHT) : 0.0,
                light.b > 0.0 ? min(light.b, MAX_LIGHT) : 0.0);
}

#endif
