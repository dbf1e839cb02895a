/* Vertices of the scene: unpacking, morphing, skinning and transformation. For vertex shaders. */
#ifndef RENDER_CORE_VERTEX_GLSL
#define RENDER_CORE_VERTEX_GLSL

#include "render/core/scene.glsl"

vec3 unpack_octahedral(vec2 e)
{
    vec3 n = vec3(e, 1.0 - abs(e.x) - abs(e.y));
    float t = max(-n.z, 0.0);
    n.x += n.x >= 0.0 ? -t : t;
    n.y += n.y >= 0.0 ? -t : t;
    return normalize(n);
}

vec3 unpack_normal(uint packed_normal)
{
    return unpack_octahedral(unpackSnorm2x16(packed_normal));
}

/* Each half has a signed 15-bit number (of 16383) above its lowest bit. Bit 0: w is -1. Bit 16: the
 * vertex has no tangent, and the result is 0. */
vec4 unpack_tangent(uint packed_tangent)
{
    ivec2 halves = ivec2(int(packed_tangent << 16), int(packed_tangent)) >> 17;
    float w = (packed_tangent & 1u) == 0u ? 1.0 : -1.0;
    vec3 tangent = unpack_octahedral(clamp(vec2(halves) / 16383.0, -1.0, 1.0));
    return vec4((packed_tangent & 1u << 16) == 0u ? tangent : vec3(0.0), w);
}

struct MeshVertex { /* in world space */
    vec3 position;
    vec3 normal;
    vec4 tangent;
    vec2 uv;
    vec4 color;
    uint material;
    uint value;
#ifdef EXTENDED
    vec4 coordinates[7]; /* of two textures each, in the order of material_extension.glsl */
    float size; /* factor by which lengths of the mesh are scaled */
#endif
};

const uint INSTANCE_SECOND_UV = 1u << 31; /* of Instance.material */

int skin_index(Instance instance, int vertex)
{
    return (instance.material & INSTANCE_SECOND_UV) != 0u ? 2 * vertex + instance.skin
                                                          : vertex + instance.skin;
}

vec3 rows_point(vec4 rows[3], vec3 p)
{
    return vec3(dot(rows[0].xyz, p) + rows[0].w, dot(rows[1].xyz, p) + rows[1].w,
                dot(rows[2].xyz, p) + rows[2].w);
}

vec3 rows_direction(vec4 rows[3], vec3 d)
{
    return vec3(dot(rows[0].xyz, d), dot(rows[1].xyz, d), dot(rows[2].xyz, d));
}

/* -1 for mirroring transforms. */
float rows_mirror(vec4 rows[3])
{
    return dot(rows[0].xyz, cross(rows[1].xyz, rows[2].xyz)) < 0.0 ? -1.0 : 1.0;
}

/* Uses the cofactors, so that it stays perpendicular under non-uniform scale. */
vec3 rows_normal(vec4 rows[3], vec3 n)
{
    vec3 a = cross(rows[1].xyz, rows[2].xyz);
    vec3 b = cross(rows[2].xyz, rows[0].xyz);
    vec3 c = cross(rows[0].xyz, rows[1].xyz);
    vec3 moved = vec3(dot(a, n), dot(b, n), dot(c, n)) * rows_mirror(rows);
    return moved * inversesqrt(max(dot(moved, moved), 1e-20));
}

/* Adds the morph targets of the instance; returns its joints. */
uint add_targets(uint row, inout MeshVertex v)
{
    uvec2 head = floatBitsToUint(joint_rows[row].xy);
    for (uint i = 0u; i < head.x; i++) {
        vec4 pair = joint_rows[row + 1u + i / 2u];
        vec2 target = (i & 1u) == 0u ? pair.xy : pair.zw;
        uint delta = floatBitsToUint(target.x) + 3u * uint(gl_VertexIndex);
        uvec2 a = skins[delta], b = skins[delta + 1u], c = skins[delta + 2u];
        vec2 normal_xy = unpackHalf2x16(b.y), mixed = unpackHalf2x16(c.x);
        vec2 tangent_yz = unpackHalf2x16(c.y);
        v.position += target.y * uintBitsToFloat(uvec3(a, b.x));
        v.normal += target.y * vec3(normal_xy, mixed.x);
        v.tangent.xyz += target.y * vec3(mixed.y, tangent_yz);
    }
    v.normal *= inversesqrt(max(dot(v.normal, v.normal), 1e-20));
    v.tangent.xyz *= inversesqrt(max(dot(v.tangent.xyz, v.tangent.xyz), 1e-20));
    return head.y;
}

void blend_joints(Instance instance, int vertex, out vec4 rows[3])
{
    uvec2 skin = skins[skin_index(instance, vertex)];
    vec4 weights = unpackUnorm4x8(skin.y);
    rows = vec4[3](vec4(0.0), vec4(0.0), vec4(0.0));
    for (int i = 0; i < 4; i++) {
        uint first = instance.joints - 1u + (skin.x >> (8 * i) & 255u) * 3u;
        for (int r = 0; r < 3; r++)
            rows[r] += weights[i] * joint_rows[first + uint(r)];
    }
}

#ifdef EXTENDED
layout(set = 0, binding = 4, std430) readonly buffer MaterialRows { vec4 material_rows[]; };

/* Transforms them here and not per pixel: helper pixels beside a triangle, whose coordinates select
 * the mip, may read zeros from buffers. */
vec2 texture_coordinates(uint material, uint number, vec2 first, vec2 second)
{
    uint row = materials[material].extension + 8u + 2u * number;
    vec4 u = material_rows[row], v = material_rows[row + 1u];
    vec2 uv = u.w > 0.5 ? second : first;
    return vec2(dot(u.xy, uv) + u.z, dot(v.xy, uv) + v.z);
}
#endif

MeshVertex mesh_vertex()
{
    Instance instance = instances[order[gl_InstanceIndex]];
    Vertex packed_vertex = vertices[gl_VertexIndex];
    MeshVertex v;
    v.position = vec3(packed_vertex.x, packed_vertex.y, packed_vertex.z);
    v.normal = unpack_normal(packed_vertex.normal);
    v.tangent = unpack_tangent(packed_vertex.tangent);
    if ((instance.joints & 0x80000000u) != 0u)
        instance.joints = add_targets(instance.joints & 0x7FFFFFFFu, v);
    if (instance.joints != 0u) {
        vec4 rows[3];
        blend_joints(instance, gl_VertexIndex, rows);
        v.position = rows_point(rows, v.position);
        v.normal = rows_normal(rows, v.normal);
        v.tangent.xyz = rows_direction(rows, v.tangent.xyz);
    }
    v.position = rows_point(instance.rows, v.position);
    v.normal = rows_normal(instance.rows, v.normal);
    /* In mirrored triangles, gl_FrontFacing means the back, where double-sided materials turn the
     * normal. Those with one side cull the other side instead. */
    if ((materials[instance.material].flags & MATERIAL_DOUBLE_SIDED) != 0u)
        v.normal *= rows_mirror(instance.rows);
    v.tangent = vec4(rows_direction(instance.rows, v.tangent.xyz),
                     v.tangent.w * rows_mirror(instance.rows));
    /* Scaled here: helper pixels beside a triangle, whose uv select the mip, may read zeros from
     * buffers. */
    v.material = instance.material & ~INSTANCE_SECOND_UV;
    v.uv = vec2(packed_vertex.u, packed_vertex.v) * materials[v.material].uv_scale;
    v.color = unpackUnorm4x8(packed_vertex.color);
#ifdef EXTENDED
    vec2 second_uv = v.uv;
    if ((instance.material & INSTANCE_SECOND_UV) != 0u)
        second_uv = uintBitsToFloat(skins[skin_index(instance, gl_VertexIndex) + 1]) *
                    materials[v.material].uv_scale;
    for (uint i = 0u; i < 7u; i++)
        v.coordinates[i] = vec4(texture_coordinates(v.material, 2u * i, v.uv, second_uv),
                                texture_coordinates(v.material, min(2u * i + 1u, 12u), v.uv, second_uv));
    float volume = abs(dot(instance.rows[0].xyz, cross(instance.rows[1].xyz, instance.rows[2].xyz)));
    v.size = pow(volume, 1.0 / 3.0);
#endif
    v.value = instance.value;
    return v;
}

#endif
