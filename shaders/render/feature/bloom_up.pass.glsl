/* Combines one level of the chain with the blurred smaller ones; the last step writes the final
 * image. */
#include "render/feature/bloom.glsl"

#define RESULT_BINDING 3
#define RESULT_FORMAT rgba16f

layout(set = 0, binding = 1) uniform sampler2D same;
layout(set = 0, binding = 2) uniform sampler2D below;
layout(push_constant) uniform Constants {
    float keep; /* weight of the current level */
    float add;  /* weight of the smaller level */
};

vec4 full_screen(ivec2 pixel)
{
    vec2 uv = (vec2(pixel) + 0.5) / vec2(textureSize(same, 0));
    vec3 here = safe_color(texelFetch(same, pixel, 0).rgb);
    return vec4(min(here * keep + bloom_tent(below, uv) * add, LARGEST_COLOR), 1.0);
}
