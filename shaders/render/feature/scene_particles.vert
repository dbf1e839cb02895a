#version 460
/* A quad that faces the camera for each particle. src/render/feature/scene_particles.h has the same
 * layout. */
#include "render/core/frame.glsl"

layout(push_constant) uniform Constants { mat4 eye_to_clip; };

struct Row {
    vec3 from_eye;
    float size; /* negative: additive */
    vec4 color;
};
layout(set = 0, binding = 1, std430) readonly buffer Rows { Row rows[]; };

layout(location = 0) out vec2 out_at; /* -1 to 1 */
layout(location = 1) flat out vec4 out_color; /* not premultiplied */
layout(location = 2) flat out vec2 out_shape; /* half its size; 1: additive */

void main()
{
    const vec2 corners[6] = vec2[](vec2(-1.0, -1.0), vec2(1.0, -1.0), vec2(1.0, 1.0), vec2(-1.0, -1.0), vec2(1.0, 1.0), vec2(-1.0, 1.0));
    Row row = rows[gl_InstanceIndex];
    vec3 right = vec3(frame.view[0][0], frame.view[1][0], frame.view[2][0]);
    vec3 up = vec3(frame.view[0][1], frame.view[1][1], frame.view[2][1]);

    /* At least one pixel wide, with reduced alpha. */
    float distance = frame.planes.z > 0.5 ? 1.0 : max(dot(row.from_eye, frame.forward.xyz), frame.planes.x);
    float pixel = distance * frame.size.w * 2.0 / abs(frame.projection[1][1]);
    float size = abs(row.size), half_size = 0.5 * max(size, pixel), thin = min(size / pixel, 1.0);
    out_at = corners[gl_VertexIndex % 6];
    out_color = vec4(row.color.rgb, row.color.a * thin * thin);
    out_shape = vec2(half_size, row.size < 0.0 ? 1.0 : 0.0);
    gl_Position = eye_to_clip * vec4(row.from_eye + half_size * (right * out_at.x + up * out_at.y), 1.0);
}
