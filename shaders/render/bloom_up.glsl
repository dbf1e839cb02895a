/* One size of the chain, with what the smaller ones have spread; and at last the picture with all of it. */
#include "render/bloom.glsl"

#define RESULT_BINDING 3
#define RESULT_FORMAT rgba16f

layout(set = 0, binding = 1) uniform sampler2D same;
layout(set = 0, binding = 2) uniform sampler2D below;
layout(push_constant) uniform Constants {
    float keep; /* of what is there */
    float add;  /* of what comes from below */
};

vec4 full_screen(ivec2 pixel)
{
    vec2 uv = (vec2(pixel) + 0.5) / vec2(textureSize(same, 0));
    vec3 here = safe_color(texelFetch(same, pixel, 0).rgb);
    return vec4(min(here * keep + bloom_tent(below, uv) * add, LARGEST_COLOR), 1.0);
}
