/*
 * Meshes of the scene: bindings 0 to 22 of every pipeline that draws them (CnDrawPass), and the
 * vertex layout.
 *
 *    0 frame         6 lights         12 irradiance      18 normal
 *    1 instances     7 light tiles    13 prefiltered     19 occlusion
 *    2 order         8 shadow data    14 BRDF table      20 emissive
 *    3 vertices      9 sun, compared  15 AO              21 skins
 *    4 materials    10 cloud shadow   16 base color      22 terrain heights
 *      (fragment)   11 shadow atlas   17 metallic,
 *    5 joints                            roughness
 */
#ifndef RENDER_CORE_SCENE_GLSL
#define RENDER_CORE_SCENE_GLSL

#include "render/core/frame.glsl"

struct Instance {
    vec4 rows[3]; /* from mesh to world space */
    uint material; /* bit 31: the mesh has a second set of uv */
    uint joints; /* row of the first joint + 1; 0: none. Bit 31: the other bits are
                  * the first row of morph targets */
    uint value;  /* of the item */
    int skin; /* offset from gl_VertexIndex to its index in skins; with a second set of uv,
               * from its double: each skin is followed by that uv */
};

/*
 * joint_rows contains three rows per joint, and for each instance with morph targets:
 *
 *   1 row           number of targets with a weight; joints as in Instance
 *   rows of two     index in skins of the delta of vertex 0; weight
 *
 * A delta has three elements in skins: position, then normal and tangent as half floats.
 */

struct Vertex { /* 32 bytes */
    float x, y, z;
    uint normal;  /* octahedral, 2 x 16 bits, signed */
    uint tangent; /* octahedral, 15 bits each, signed; bits 0 and 16: see unpack_tangent */
    float u, v;
    uint color; /* RGBA8 */
};

const uint MATERIAL_DOUBLE_SIDED = 1u << 9;

struct Material {
    vec4 base_color;
    vec4 emissive; /* w: alpha cutoff */
    float metallic, roughness, normal_scale;
    uint flags; /* bit n: has texture n of the five; 8: unlit; 9: double-sided; 10: blended */
    vec2 uv_scale;
    float occlusion_strength;
    uint extension; /* row of material_extension.glsl; 0: none */
};

layout(set = 0, binding = 1, std430) readonly buffer Instances { Instance instances[]; };
layout(set = 0, binding = 2, std430) readonly buffer Order { uint order[]; };
layout(set = 0, binding = 3, std430) readonly buffer Vertices { Vertex vertices[]; };
layout(set = 0, binding = 4, std430) readonly buffer Materials { Material materials[]; };
layout(set = 0, binding = 5, std430) readonly buffer Joints { vec4 joint_rows[]; };
layout(set = 0, binding = 21, std430) readonly buffer Skins { uvec2 skins[]; };

#endif
