#version 460
/* Clouds of the lightweight path: a full-screen triangle with values shared by all pixels, like
 * lit_sky.vert. */
#include "render/core/frame.glsl"

layout(push_constant) uniform Constants { /* as in clouds.glsl */
    vec4 to_sun;
    vec4 glow;
};

layout(location = 0) out vec3 way; /* view direction, of any length */
layout(location = 1) flat out vec4 camera;
layout(location = 2) flat out vec4 clouds;
layout(location = 3) flat out vec4 wind;
layout(location = 4) flat out vec4 sun_direction;
layout(location = 5) flat out vec3 sun_color;
layout(location = 6) flat out vec3 ambient;
layout(location = 7) flat out vec3 sun;
layout(location = 8) flat out vec3 below;

void main()
{
    vec2 uv = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0;
    gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0);
    way = view_ray(gl_Position.xy);
    camera = frame.camera;
    clouds = frame.clouds;
    wind = frame.wind;
    sun_direction = frame.sun_direction;
    sun_color = frame.sun_color.rgb;
    ambient = frame.ambient.rgb;
    sun = to_sun.xyz;
    below = glow.rgb;
}
