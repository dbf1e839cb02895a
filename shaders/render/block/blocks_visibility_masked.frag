#version 460
/* The same for quads that have holes or are fading in. */
#include "render/block/blocks.glsl"
#include "render/block/blocks_nearest_texel.glsl"

layout(location = 0) in vec2 in_at;
layout(location = 1) flat in uvec2 in_quad;

layout(location = 0) out uint out_quad;

float noise(vec2 pixel)
{
    return fract(52.9829189 * fract(dot(floor(pixel), vec2(0.06711056, 0.00583715))));
}

void main()
{
    uint look = in_quad.y, part = look >> 20 & 3u;
    vec2 uv = face_uv(look >> 16 & 7u, in_at);
    float alpha = read_tile(uv, dFdx(uv), dFdy(uv), int(look & 0xFFFFu)).a;
    if (part == PART_OPAQUE ? noise(gl_FragCoord.xy) >= float(look >> 28) / 15.0 : alpha < 0.5)
        discard;
    out_quad = in_quad.x;
}
