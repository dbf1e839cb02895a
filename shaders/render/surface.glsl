/*
 * A point of a surface: what it is made of, and where it is.
 *
 * A pipeline of a material ("surface" in a scene file, CnSurfaceDesc.glsl) is one function
 *
 *     void surface(inout Surface s)
 *     {
 *         s.emission += vec3(1.0, 0.3, 0.1) * (0.5 + 0.5 * sin(frame.camera.w * 4.0 + s.world.y * 8.0));
 *     }
 *
 * which may change the first seven fields of s after the material and its textures were read, and before it is lit.
 * It may use the others, `frame` (frame.glsl: time is frame.camera.w), functions of its own, and the textures of its
 * material: base_color_map, metallic_roughness_map, normal_map, occlusion_map, emissive_map, at s.uv. Those that the
 * material does not have are white (normal_map: flat; emissive_map: white).
 * Lighting paths differ in when they light, so it must not know about lights.
 */
#ifndef RENDER_SURFACE_GLSL
#define RENDER_SURFACE_GLSL

#include "render/frame.glsl"

struct Surface {
    vec3 albedo; /* linear */
    float alpha;
    vec3 normal; /* of the world, of length 1 */
    float metallic;
    float roughness; /* 0.045 to 1 */
    float occlusion; /* of light from all around; 1: open */
    vec3 emission;

    vec3 world;            /* where it is */
    vec3 geometric_normal; /* of the mesh, without its normal texture; towards the eye where double sided */
    vec2 uv;               /* scaled by the material */
    vec4 color;            /* of the vertices, linear; already in albedo and alpha */
    uint value;            /* of the item: CnRenderItem.value */
    bool unlit;            /* emission is all there is */
    vec2 baked;            /* light of the sky and of blocks that comes to it: baked.glsl; 1 and 0 where nothing is baked */
    bool is_baked;
    bool is_foliage; /* light comes through it: foliage.glsl */
};

/* From a point of the world towards the eye. */
vec3 direction_to_eye(vec3 world)
{
    return frame.planes.z > 0.5 ? -frame.forward.xyz : normalize(frame.camera.xyz - world);
}

#endif
