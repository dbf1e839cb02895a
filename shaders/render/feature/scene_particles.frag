#version 460
/* A disc with soft edges, also where it intersects geometry. */
#include "render/core/frame.glsl"

layout(set = 0, binding = 2) uniform sampler2D depth_map;

layout(location = 0) in vec2 in_at;
layout(location = 1) flat in vec4 in_color;
layout(location = 2) flat in vec2 in_shape;

layout(location = 0) out vec4 out_color;

void main()
{
    float there = view_distance(texelFetch(depth_map, ivec2(gl_FragCoord.xy), 0).r);
    float before = (there - view_distance(gl_FragCoord.z)) / in_shape.x;
    float alpha = in_color.a * smoothstep(1.0, 0.4, length(in_at)) * clamp(before + 0.25, 0.0, 1.0);
    out_color = vec4(in_color.rgb * alpha, in_shape.y > 0.5 ? 0.0 : alpha);
}
