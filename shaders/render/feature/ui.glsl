/* The shapes of a canvas; struct CniRenderCanvasShape in src/render/text/canvas_internal.h has the same layout. */
#ifndef RENDER_FEATURE_UI_GLSL
#define RENDER_FEATURE_UI_GLSL

const uint BOX = 0u, GLYPH = 1u, SPRITE = 2u;

struct Shape {
    vec4 rect;    /* left, top, width, height, in pixels */
    /* box: radius, border, blur, border color; glyph: position in the atlas; sprite: uv from, to */
    vec4 numbers;
    uvec4 colors; /* box: of the corners; glyph: the first; sprite: tint, radius */
    uint kind;
    float rotation;
    uint clip_from, clip_to; /* x | y << 16 */
};

layout(set = 0, binding = 0, std430) readonly buffer Shapes { Shape shapes[]; };

layout(push_constant) uniform Constants {
    vec2 pixel;       /* 2 / image size */
    uint is_linear;   /* the sprite texture returns linear colors */
} constants;

#endif
