/*
 * A point of a surface: its material and position.
 *
 * A pipeline of a material ("surface" in a scene file, CnSurfaceDesc.glsl) is one function
 *
 *     void surface(inout Surface s)
 *     {
 *         float wave = sin(frame.camera.w * 4.0 + s.world.y * 8.0);
 *         s.emission += vec3(1.0, 0.3, 0.1) * (0.5 + 0.5 * wave);
 *     }
 *
 * which may change the first seven fields of s after the material and its textures were read, and
 * before lighting. It may read the other fields, `frame` (frame.glsl: time is frame.camera.w) and
 * the textures of its material at s.uv: base_color_map, metallic_roughness_map, normal_map,
 * occlusion_map, emissive_map. Missing textures are white (normal_map: flat). It may define
 * functions. The render paths light surfaces at different times, so it must not depend on lights.
 */
#ifndef RENDER_CORE_SURFACE_GLSL
#define RENDER_CORE_SURFACE_GLSL

#include "render/core/frame.glsl"

struct Surface {
    vec3 albedo; /* linear */
    float alpha;
    vec3 normal; /* world space, normalized */
    float metallic;
    float roughness; /* 0.045 to 1 */
    float occlusion; /* of ambient light; 1: unoccluded */
    vec3 emission;

    vec3 world;            /* position in world space */
    /* of the mesh, without its normal texture; faces the camera if double-sided */
    vec3 geometric_normal;
    vec2 uv;               /* scaled by the material */
    vec4 color;            /* of the vertices, linear; already in albedo and alpha */
    uint value;            /* of the item: CnRenderItem.value */
    bool unlit;            /* only emission is drawn */
    /* sky light and block light that reach it: baked_light.glsl; 1 and 0 if nothing is baked */
    vec2 baked;
    bool is_baked;
    bool is_foliage; /* translucent: foliage.glsl */
};

/* From a point in world space towards the camera. */
vec3 direction_to_eye(vec3 world)
{
    return frame.planes.z > 0.5 ? -frame.forward.xyz : normalize(frame.camera.xyz - world);
}

#endif
