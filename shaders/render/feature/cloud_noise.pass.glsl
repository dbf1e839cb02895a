/* Uniform noise of 256 x 256, and a copy offset by (37, 17): interpolated and mixed, they give
 * noise in three dimensions. The last row and column repeat the first. */
#include "render/core/frame.glsl"
#include "render/feature/post.glsl"

#define RESULT_BINDING 1
#define RESULT_FORMAT rg16f

float even(ivec2 place)
{
    return float(hash3(uvec3(uvec2(place) & 255u, 7u)).x >> 8u) / 16777216.0;
}

vec4 full_screen(ivec2 pixel)
{
    return vec4(even(pixel), even(pixel + ivec2(37, 17)), 0.0, 0.0);
}
