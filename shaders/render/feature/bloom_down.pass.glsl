#include "render/feature/bloom.glsl"

#define RESULT_BINDING 2
#define RESULT_FORMAT rgba16f

layout(set = 0, binding = 1) uniform sampler2D above;

vec4 full_screen(ivec2 pixel)
{
    return vec4(bloom_down(above, half_uv(above, pixel)), 1.0);
}
