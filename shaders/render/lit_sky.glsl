/* What the shaders of the light path's sky share: where lit_sky.vert says what. */
#ifndef RENDER_LIT_SKY_GLSL
#define RENDER_LIT_SKY_GLSL

#include "render/lit_air.glsl"

layout(set = 0, binding = 3) uniform sampler2D clouds; /* light; alpha: what comes through; white: there are none */

layout(location = 0) in vec2 uv;
layout(location = 1) in vec3 way;
layout(location = 2) flat in vec4 sun;
layout(location = 3) flat in vec4 lit;
layout(location = 4) flat in vec4 air;
layout(location = 5) flat in float deep;

layout(location = 0) out vec4 target;

/* Behind the fog of the weather. */
float left_of_sky(vec3 direction)
{
    return exp(-air.r * lit_thinning(LIT_FAR_AWAY * direction.y / LIT_FOG_HEIGHT));
}

/* Where the eye is under water, and nothing below the horizon: the end of what is drawn. */
vec3 left_in_water(vec3 direction)
{
    return exp(-LIT_WATER_LOSS * (deep / max(direction.y, 1e-4)));
}

#endif
