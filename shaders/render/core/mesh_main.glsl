/* Meshes as seen from the camera, with the outputs that material.glsl reads. All passes over the
 * same meshes use this shader, so that depth values are bit-identical. */
#include "render/core/vertex.glsl"

layout(location = 0) out vec3 out_world;
layout(location = 1) out vec3 out_normal;
layout(location = 2) out vec4 out_tangent;
layout(location = 3) out vec2 out_uv;
layout(location = 4) out vec4 out_color;
layout(location = 5) flat out uvec2 out_material; /* and the item's value */
#ifdef EXTENDED
layout(location = 6) out vec4 out_coordinates[7];
layout(location = 13) flat out float out_size;
#endif

invariant gl_Position;

void main()
{
    MeshVertex v = mesh_vertex();
    out_world = v.position;
    out_normal = v.normal;
    out_tangent = v.tangent;
    out_uv = v.uv;
    out_color = v.color;
    out_material = uvec2(v.material, v.value);
#ifdef EXTENDED
    out_coordinates = v.coordinates;
    out_size = v.size;
#endif
    gl_Position = frame.view_projection * vec4(v.position, 1.0);
}
