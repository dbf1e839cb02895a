#version 460
/* A full-screen triangle. Computes the values that all pixels of blocks_visibility_lit.frag share, for only
 * three corners: CPU drivers would read them from the buffer for every pixel, with much code. */
#define LIT_SKY_BINDING 8
#include "render/block/blocks.glsl"
#include "render/feature/lit_atmosphere.glsl"

layout(push_constant) uniform Constants {
    mat4 eye_to_clip;
    vec4 air;   /* edge, haze, sea level, 1 if there is fog */
    vec4 water; /* LitAtmosphere */
};

layout(location = 0) out vec3 out_ray; /* of the pixel, with length 1 along the view direction */
layout(location = 1) out vec3 out_origin;
layout(location = 2) flat out vec4 out_eye; /* within its chunk; w 1: rays are parallel */
layout(location = 3) flat out vec3 out_dx;  /* change of a ray per pixel */
layout(location = 4) flat out vec3 out_dy;
layout(location = 5) flat out vec3 out_sun;
layout(location = 6) flat out vec4 out_sun_color; /* and wetness */
layout(location = 7) flat out vec4 out_dense;     /* LitAtmosphere */
layout(location = 8) flat out vec2 out_shelter;
layout(location = 9) flat out vec3 out_water;
layout(location = 10) flat out vec3 out_around[6];

void main()
{
    vec2 ndc = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0;
    gl_Position = vec4(ndc, 0.0, 1.0);
    vec2 scale = 1.0 / vec2(frame.projection[0][0], frame.projection[1][1]);
    vec2 aside = (ndc + frame.projection[2].xy) * scale, step = 2.0 * frame.size.zw * scale;
    float is_flat = frame.planes.z;
    mat3 view = mat3(frame.view);
    out_ray = vec3(aside * (1.0 - is_flat), -1.0) * view;
    out_origin = vec3(aside * is_flat, 0.0) * view;
    out_eye = vec4(eye_in_chunk(), is_flat);
    out_dx = vec3(step.x, 0.0, 0.0) * view;
    out_dy = vec3(0.0, step.y, 0.0) * view;
    out_sun = frame.sun_direction.xyz;
    out_sun_color = vec4(frame.sun_color.rgb * (0.31830989 * frame.sun_direction.w), frame.weather.z);
    LitAtmosphere lit = lit_atmosphere_of(air, water.rgb);
    out_dense = lit.dense;
    out_shelter = lit.shelter;
    out_water = lit.water;
    for (uint i = 0u; i < 6u; i++)
        out_around[i] = lit_around(i);
}
