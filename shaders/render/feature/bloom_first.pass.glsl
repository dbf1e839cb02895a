#include "render/feature/bloom.glsl"

#define RESULT_BINDING 2
#define RESULT_FORMAT rgba16f

layout(set = 0, binding = 1) uniform sampler2D hdr;
layout(push_constant) uniform Constants {
    float threshold;
    float knee;
};

vec4 full_screen(ivec2 pixel)
{
    return vec4(bloom_first(hdr, half_uv(hdr, pixel), threshold, knee), 1.0);
}
