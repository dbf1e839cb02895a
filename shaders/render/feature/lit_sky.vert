#version 460
/* The sky of the lightweight path: a full-screen triangle. Computes the values that all pixels
 * share, for only three corners: CPU drivers would read them from the buffer for every pixel, with
 * much code. */
#include "render/feature/lit_atmosphere.glsl"

layout(push_constant) uniform Constants { /* SkyRunConstants in src/render/feature/lit_atmosphere.c */
    vec4 to_sun;
    vec4 tint, ground, veil; /* of sky.glsl */
    vec4 more;               /* z: sea level */
    vec4 disc;               /* color of the sun; w: 1 if there are clouds */
};

layout(location = 0) out vec2 uv;
layout(location = 1) out vec3 way;       /* view direction, of any length */
layout(location = 2) flat out vec4 sun;  /* towards it; w: angle between pixels */
layout(location = 3) flat out vec4 lit;  /* disc */
/* weather fog; light of murky water, if the camera is under water */
layout(location = 4) flat out vec4 air;
layout(location = 5) flat out float deep; /* frame.weather.w */

void main()
{
    uv = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0;
    gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0);
    way = view_ray(gl_Position.xy);
    sun = vec4(to_sun.xyz, 2.0 * frame.size.w / abs(frame.projection[1][1]));
    lit = disc;
    float fog = frame.clouds.w * LIT_FAR_AWAY * exp(clamp((more.z - frame.camera.y) / LIT_FOG_HEIGHT, -60.0, 0.7));
    deep = frame.weather.w;
    air = vec4(fog, lit_murk(LIT_WATER_COLOR * (ground.rgb * (5.0 * tint.w) + LIT_WATER_NIGHT), 0.0, 1e4, vec2(frame.jitter.z, frame.weather.w)));
}
