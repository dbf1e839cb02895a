#version 460
/* Parts of block models, lit by the light of their cell, the sun and the sky. */
#include "render/block/blocks.glsl"
#include "render/block/blocks_nearest_texel.glsl"
#include "render/feature/baked_light.glsl"
#define LIT_SKY_BINDING 10
#include "render/feature/lit_atmosphere.glsl"

layout(push_constant) uniform Constants {
    mat4 eye_to_clip;
    vec2 depth_range;
    uint is_sprite;
    vec4 air;   /* edge, haze, sea level, 1 if there is fog: only on the lightweight path */
    vec4 water;
};

layout(set = 0, binding = 9) uniform samplerCube irradiance_map;

layout(location = 0) in vec2 in_uv;
layout(location = 1) flat in uint in_layer;
layout(location = 2) flat in vec4 in_tint;
layout(location = 3) flat in vec4 in_baked;
layout(location = 4) in vec3 in_normal;
layout(location = 5) in vec3 in_from_eye;
layout(location = 6) flat in vec2 in_effects; /* white, fade */

layout(location = 0) out vec4 out_color;

const uint NO_TILE = 0xFFFFu;
const float PI = 3.14159265;
const float GROUND = 1.8;
const float GLOW = 3.0; /* as of blocks */

/* Plain parts have the grain of a tile: texels differ slightly. */
float grain(vec2 uv)
{
    uvec2 texel = uvec2(ivec2(floor(uv * 16.0)) + 1024);
    uint hash = (texel.x * 1664525u ^ texel.y * 22695477u) * 2654435761u;
    return 0.93 + 0.07 * float(hash >> 24) / 255.0;
}

vec3 model_light(vec2 baked, vec3 normal)
{
    /* without image-based lighting, the light that bright ground reflects is missing */
    vec3 around = frame.ambient.w > 0.5 ? textureLod(irradiance_map, normal, 0.0).rgb : GROUND * frame.ambient.rgb;
    /* softer than on blocks: small objects get light from all around them */
    float facing = max(0.4 + 0.6 * dot(normal, frame.sun_direction.xyz), 0.0);
    vec3 sun = frame.sun_direction.w * frame.sun_color.rgb * sun_guess(baked.x) * facing / PI;
    return sun + around * sky_part(baked.x) * cell_relief(normal) + cell_light(baked, normal, length(in_from_eye));
}

/* Whether a pixel of something that fades is still drawn: an ordered pattern of 4 x 4 pixels. */
bool is_left(float fade)
{
    ivec2 at = ivec2(gl_FragCoord.xy) & 3;
    int crossed = at.x ^ at.y;
    int order = (crossed & 1) << 3 | (at.y & 1) << 2 | (crossed & 2) | (at.y & 2) >> 1;
    return (float(order) + 0.5) / 16.0 >= fade;
}

void main()
{
    vec2 dx = dFdx(in_uv), dy = dFdy(in_uv);
    vec4 color = vec4(vec3(grain(in_uv)), 1.0);
    if (in_layer != NO_TILE)
        color = read_tile(clamp(in_uv, vec2(1e-4), vec2(1.0 - 1e-4)), dx, dy, int(in_layer));
    if (color.a < 0.5 || !is_left(in_effects.y))
        discard;
    float green = clamp((color.g - max(0.9 * color.r, color.b)) / max(0.25 * color.g, 1e-3), 0.0, 1.0);
    vec3 albedo = color.rgb * mix(vec3(1.0), in_tint.rgb, mix(1.0, green, in_tint.w));
    albedo = mix(albedo, vec3(0.7, 0.05, 0.04), 0.6 * in_baked.w);
    albedo = mix(albedo, vec3(1.0), 0.7 * in_effects.x);
    vec3 light = model_light(in_baked.xy, normalize(in_normal)) + (in_baked.z + 0.1 * in_effects.x) * GLOW;
    vec3 seen = albedo * light;
    /* A loop instead of an if: see sun_shadow. */
    for (int i = 0; i < (per_pixel(air.w, in_uv.x) > 0.5 ? 1 : 0); i++)
        seen = lit_through_atmosphere(seen, in_from_eye, in_baked.x, lit_atmosphere_of(air, water.rgb));
    out_color = vec4(seen, 1.0);
}
