/* Copies the depth below water before water is drawn over it. */
#include "render/core/frame.glsl"

#define RESULT_BINDING 2
#define RESULT_FORMAT r32f

layout(set = 0, binding = 1) uniform sampler2D scene_depth;

vec4 full_screen(ivec2 pixel)
{
    return texelFetch(scene_depth, pixel, 0);
}
