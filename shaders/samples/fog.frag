#version 460
/* Fog whose density falls with height: how much of it lies between the camera and a point has a formula. */
#include "render/core/frame.glsl"

layout(set = 0, binding = 1) uniform sampler2D hdr;
layout(set = 0, binding = 2) uniform sampler2D depth;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

const float density = 0.12;
const float falloff = 0.8; /* per metre up */
const vec3 fog_color = vec3(0.42, 0.48, 0.56);

void main()
{
    vec3 lit = texture(hdr, uv).rgb;
    float d = texture(depth, uv).r;
    vec3 to = world_from_depth(uv, max(d, 1e-6)) - frame.camera.xyz;
    float distance = min(length(to), 400.0);
    float climb = falloff * to.y / length(to) * distance;
    float along = abs(climb) < 1e-4 ? 1.0 : (1.0 - exp(-climb)) / climb;
    float amount = density * exp(-falloff * frame.camera.y) * distance * along;
    color = vec4(mix(fog_color, lit, exp(-amount)), 1.0);
}
