/* Fog whose density decreases with height; the integral from the camera to a point has a closed
 * form. */
#include "render/core/frame.glsl"

layout(set = 0, binding = 1) uniform sampler2D hdr;
layout(set = 0, binding = 2) uniform sampler2D depth;

#define RESULT_BINDING 3
#define RESULT_FORMAT rgba16f

const float density = 0.12;
const float falloff = 0.8; /* per meter up */
const vec3 fog_color = vec3(0.42, 0.48, 0.56);

vec4 full_screen(ivec2 pixel)
{
    vec2 uv = (vec2(pixel) + 0.5) * frame.size.zw;
    vec3 lit = texelFetch(hdr, pixel, 0).rgb;
    float d = texelFetch(depth, pixel, 0).r;
    vec3 to = world_from_depth(uv, max(d, 1e-6)) - frame.camera.xyz;
    float distance = min(length(to), 400.0);
    float climb = falloff * to.y / length(to) * distance;
    float along = abs(climb) < 1e-4 ? 1.0 : (1.0 - exp(-climb)) / climb;
    float amount = density * exp(-falloff * frame.camera.y) * distance * along;
    return vec4(mix(fog_color, lit, exp(-amount)), 1.0);
}
