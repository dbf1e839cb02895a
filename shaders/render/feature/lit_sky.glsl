/* Shared by the sky shaders of the lightweight path; the inputs come from lit_sky.vert. */
#ifndef RENDER_FEATURE_LIT_SKY_GLSL
#define RENDER_FEATURE_LIT_SKY_GLSL

#include "render/feature/lit_atmosphere.glsl"

/* light; transmittance in alpha; white: no clouds */
layout(set = 0, binding = 3) uniform sampler2D clouds;

layout(location = 0) in vec2 uv;
layout(location = 1) in vec3 way;
layout(location = 2) flat in vec4 sun;
layout(location = 3) flat in vec4 lit;
layout(location = 4) flat in vec4 air;
layout(location = 5) flat in float deep;

layout(location = 0) out vec4 target;

/* Behind the weather fog. */
float left_of_sky(vec3 direction)
{
    return exp(-air.r * lit_thinning(LIT_FAR_AWAY * direction.y / LIT_FOG_HEIGHT));
}

/* If the camera is under water and nothing is below the horizon: the end of the drawn world. */
vec3 left_in_water(vec3 direction)
{
    return exp(-LIT_WATER_LOSS * (deep / max(direction.y, 1e-4)));
}

#endif
