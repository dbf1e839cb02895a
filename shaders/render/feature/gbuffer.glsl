/* Reads a surface from the G-buffer, for full-screen passes whose bindings are those of scene.glsl
 * with the G-buffer in place of material textures. */
#ifndef RENDER_FEATURE_GBUFFER_GLSL
#define RENDER_FEATURE_GBUFFER_GLSL

#include "render/feature/foliage.glsl"
#include "render/core/surface.glsl"
#include "render/feature/wetness.glsl"

layout(set = 0, binding = 16) uniform sampler2D gbuffer_albedo;
layout(set = 0, binding = 17) uniform sampler2D gbuffer_normal;
layout(set = 0, binding = 18) uniform sampler2D gbuffer_depth;
layout(set = 0, binding = 20) uniform sampler2D gbuffer_baked; /* white: nothing is baked */

/* Returns false if there is nothing to light. */
bool read_gbuffer(ivec2 texel, out Surface s)
{
    float depth = texelFetch(gbuffer_depth, texel, 0).r;
    vec4 normal = texelFetch(gbuffer_normal, texel, 0);
    if (depth <= 0.0 || normal.a < 0.0)
        return false;
    vec4 albedo = texelFetch(gbuffer_albedo, texel, 0);
    s.albedo = albedo.rgb;
    s.alpha = 1.0;
    s.normal = normalize(normal.xyz);
    s.is_foliage = normal.a == FOLIAGE;
    s.metallic = s.is_foliage ? 0.0 : normal.a;
    s.roughness = albedo.a;
    s.occlusion = 1.0;
    s.emission = vec3(0.0);
    s.world = world_from_depth((vec2(texel) + 0.5) * frame.size.zw, depth);
    s.geometric_normal = s.normal;
    vec2 baked = texelFetch(gbuffer_baked, min(texel, textureSize(gbuffer_baked, 0) - 1), 0).rg;
    s.is_baked = baked.y < 1.0;
    s.baked = s.is_baked ? baked : vec2(1.0, 0.0);
    make_wet(s);
    return true;
}

#endif
