/*
 * The surface at a fragment of a mesh, from mesh.vert, its material and five textures. For fragment
 * shaders.
 *
 * With CN_SURFACE defined, "surface_user.glsl" is the source of a pipeline, which the compiling
 * code provides.
 */
#ifndef RENDER_CORE_MATERIAL_GLSL
#define RENDER_CORE_MATERIAL_GLSL

#include "render/core/scene.glsl"
#include "render/core/surface.glsl"

layout(location = 0) in vec3 in_world;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec4 in_tangent;
layout(location = 3) in vec2 in_uv;
layout(location = 4) in vec4 in_color;
layout(location = 5) flat in uvec2 in_material;
#ifdef EXTENDED
layout(location = 6) in vec4 in_coordinates[7];
layout(location = 13) flat in float in_size;
#endif

layout(set = 0, binding = 16) uniform sampler2D base_color_map;
layout(set = 0, binding = 17) uniform sampler2D metallic_roughness_map;
layout(set = 0, binding = 18) uniform sampler2D normal_map;
layout(set = 0, binding = 19) uniform sampler2D occlusion_map;
layout(set = 0, binding = 20) uniform sampler2D emissive_map;

const uint MATERIAL_UNLIT = 1u << 8;
const uint MATERIAL_BLENDED = 1u << 10;
const float MIN_ROUGHNESS = 0.045;

#ifdef CN_SURFACE
#include "surface_user.glsl"
#endif

/* The texel of a texture of the core, and its coordinates. */
#ifdef EXTENDED
#include "render/core/material_extension.glsl"
#define CORE_TEXEL(map, number, uv) extended_texel(map, number)
#define CORE_UV(number, uv) extended_uv(number)
#else
#define CORE_TEXEL(map, number, uv) texture(map, uv)
#define CORE_UV(number, uv) uv
#endif

bool material_has(Material material, uint texture_number)
{
    return (material.flags & 1u << texture_number) != 0u;
}

/* The tangent of a mesh without tangents: constant on a triangle, from the texture coordinates. */
vec4 derived_tangent(vec3 normal, vec2 uv)
{
    vec3 across = dFdx(in_world), down = dFdy(in_world);
    vec2 uv_across = dFdx(uv), uv_down = dFdy(uv);
    float side = uv_across.x * uv_down.y < uv_down.x * uv_across.y ? -1.0 : 1.0;
    vec3 along_u = (across * uv_down.y - down * uv_across.y) * side;
    vec3 along_v = (down * uv_across.x - across * uv_down.x) * side;
    along_u *= inversesqrt(max(dot(along_u, along_u), 1e-36));
    return vec4(along_u, dot(cross(normal, along_u), along_v) > 0.0 ? -1.0 : 1.0);
}

/* xyz is not normalized. */
vec4 tangent_at(vec3 normal, vec2 uv)
{
    return dot(in_tangent.xyz, in_tangent.xyz) < 1e-12 ? derived_tangent(normal, uv) : in_tangent;
}

/* `texel`: of a normal texture with these coordinates. */
vec3 mapped_normal(vec3 normal, vec2 uv, vec3 texel, float scale)
{
    vec4 given = tangent_at(normal, uv);
    vec3 tangent = given.xyz - normal * dot(normal, given.xyz);
    float squared = dot(tangent, tangent);
    if (squared < 1e-12)
        return normal;
    tangent *= inversesqrt(squared);
    vec3 bitangent = cross(normal, tangent) * given.w;
    vec3 n = texel * 2.0 - 1.0;
    n.xy *= scale;
    return normalize(tangent * n.x + bitangent * n.y + normal * max(n.z, 1e-3));
}

/*
 * Where normals vary strongly between pixels, highlights are smaller than a pixel and would
 * sparkle; the roughness is increased there. (Tokuyoshi and Kaplanyan, "Improved Geometric Specular
 * Antialiasing", 2019.)
 */
float steady_roughness(float roughness, vec3 normal)
{
    vec3 across = dFdx(normal), down = dFdy(normal);
    float variance = 0.25 * (dot(across, across) + dot(down, down));
    float alpha = roughness * roughness;
    float widened = min(alpha * alpha + min(2.0 * variance, 0.18), 1.0);
    return sqrt(sqrt(widened));
}

#ifdef LAYERS
#include "render/core/material_layers.glsl"
#endif

Surface read_surface()
{
    Material material = materials[in_material.x];
#ifdef EXTENDED
    begin_extension(material);
#endif
    Surface s;
    s.world = in_world;
    s.uv = in_uv;
    s.color = in_color;
    s.value = in_material.y;
    s.baked = vec2(1.0, 0.0);
    s.is_baked = s.is_foliage = false;
    s.unlit = (material.flags & MATERIAL_UNLIT) != 0u;

    vec4 base = material.base_color * in_color;
    if (material_has(material, 0u))
        base *= CORE_TEXEL(base_color_map, 0u, s.uv);
    s.albedo = base.rgb;
    s.alpha = base.a;

    vec2 metallic_roughness = vec2(material.metallic, material.roughness);
    if (material_has(material, 1u))
        metallic_roughness *= CORE_TEXEL(metallic_roughness_map, 1u, s.uv).bg;
    s.metallic = metallic_roughness.x;
    s.roughness = metallic_roughness.y;

    s.geometric_normal = in_normal * inversesqrt(max(dot(in_normal, in_normal), 1e-12));
    if ((material.flags & MATERIAL_DOUBLE_SIDED) != 0u && !gl_FrontFacing)
        s.geometric_normal = -s.geometric_normal;
    s.normal = s.geometric_normal;
    if (material_has(material, 2u))
        s.normal = mapped_normal(s.normal, CORE_UV(2u, s.uv), CORE_TEXEL(normal_map, 2u, s.uv).xyz,
                                 material.normal_scale);
    s.occlusion = 1.0;
    if (material_has(material, 3u))
        s.occlusion =
            mix(1.0, CORE_TEXEL(occlusion_map, 3u, s.uv).r, material.occlusion_strength);
    s.emission = material.emissive.rgb;
    if (material_has(material, 4u))
        s.emission *= CORE_TEXEL(emissive_map, 4u, s.uv).rgb;

#ifdef CN_SURFACE
    surface(s);
#endif
    s.metallic = clamp(s.metallic, 0.0, 1.0);
    s.roughness = steady_roughness(clamp(s.roughness, MIN_ROUGHNESS, 1.0), s.geometric_normal);
    if (s.unlit)
        s.emission += s.albedo;
#ifdef LAYERS
    read_layers(s);
#endif
    return s;
}

bool is_cut_out(Surface s)
{
    return s.alpha < materials[in_material.x].emissive.w;
}

#endif
