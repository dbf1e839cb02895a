#version 460
/*
 * Lines along the visible edges of a block, and cracks on its drawn faces; holes of leaves stay
 * open.
 */
#include "render/block/blocks.glsl"

layout(push_constant) uniform Constants {
    mat4 eye_to_clip;
    ivec3 cell;
    int crack_stage; /* -1: none */
    float inset;
    uint boxes[8];
    uint is_bright;
};
layout(set = 0, binding = 8) uniform sampler2D depth_map;

layout(location = 0) in vec2 in_at;
layout(location = 1) flat in uint in_face;
layout(location = 2) in vec2 in_on_tile;

layout(location = 0) out vec4 out_color;

const float LINE_ALPHA = 0.85;
const float BRIGHT_LIGHT = 1.5;  /* of a bright outline, which has a dark edge of the same width */
const float LINE_LIGHT = 0.035;  /* in the dark, lines are slightly brighter than the surface */
/* line width as a fraction of the image height, but at least one and a half pixels */
const float LINES_PER_IMAGE = 270.0;

/* Darkens the whole face slightly, and more where it has cracked. Within reach texels are larger
 * than pixels, so they are not filtered, like those of the block. */
float crack_alpha(vec2 uv)
{
    float crack = texelFetch(block_colors, ivec3(ivec2(fract(uv) * 16.0), crack_stage), 0).a;
    return min(0.35 + crack * 0.5, 0.9);
}

void main()
{
    vec2 wide = fwidth(in_at); /* of a pixel */
    vec2 uv = face_uv(in_face, in_on_tile);
    float there = view_distance(texelFetch(depth_map, ivec2(gl_FragCoord.xy), 0).r);
    float own = view_distance(gl_FragCoord.z);
    float near = 0.002 + 0.001 * own;
    if (own > there + near)
        discard;

    vec2 from_edge = min(in_at, 1.0 - in_at) / max(wide, vec2(1e-6));
    float width = max(frame.size.y / LINES_PER_IMAGE, 1.5);
    float distance = min(from_edge.x, from_edge.y);
    float line = LINE_ALPHA * clamp(width + 0.5 - distance, 0.0, 1.0), light = LINE_LIGHT * line;
    if (is_bright != 0u) {
        light = BRIGHT_LIGHT * clamp(width + 0.5 - distance, 0.0, 1.0);
        line = clamp(2.0 * width + 0.5 - distance, 0.0, 1.0);
    }
    float crack = crack_stage >= 0 && there < own + near ? crack_alpha(uv) : 0.0;
    float alpha = 1.0 - (1.0 - line) * (1.0 - crack);
    out_color = vec4(vec3(light), alpha); /* premultiplied */
}
