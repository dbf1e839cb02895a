/* Shapes of a canvas; struct CniShape in src/render/canvas.h has the same layout. */
#ifndef RENDER_UI_GLSL
#define RENDER_UI_GLSL

const uint BOX = 0u, GLYPH = 1u, SPRITE = 2u;

struct Shape {
    vec4 rect;    /* left, top, width, height, in pixels */
    vec4 numbers; /* box: radius, border, blur, border color; glyph: place in the atlas; sprite: uv from, to */
    uvec4 colors; /* box: of the corners; glyph: the first; sprite: tint, radius */
    uint kind;
    float rotation;
    uint clip_from, clip_to; /* x | y << 16 */
};

layout(set = 0, binding = 0, std430) readonly buffer Shapes { Shape shapes[]; };

layout(push_constant) uniform Constants {
    vec2 pixel;       /* 2 / size of the picture */
    uint is_linear;   /* the sprites' texture gives linear colors */
} constants;

#endif
