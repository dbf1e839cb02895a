#version 460
#extension GL_GOOGLE_include_directive : require
#include "render/feature/ui.glsl"

layout(location = 0) out vec2 place; /* relative to the center of the shape, not rotated */
layout(location = 1) flat out uint shape_index;
/* Of sprites. Computed here, because helper invocations of the fragment shader, which filtering may
 * use, need not have read the shape. */
layout(location = 2) flat out vec4 gradients; /* of uv, per pixel to the right and down */
layout(location = 3) flat out vec4 uv_part;
layout(location = 4) out vec2 uv;

const vec2 CORNERS[6] = vec2[](vec2(-1, -1), vec2(-1, 1), vec2(1, -1), vec2(1, -1), vec2(-1, 1), vec2(1, 1));

void main()
{
    shape_index = uint(gl_VertexIndex) / 6u;
    Shape shape = shapes[shape_index];
    vec2 half_size = 0.5 * shape.rect.zw;
    float margin = shape.kind == BOX ? 0.5 * shape.numbers.z + 0.5 : shape.kind == SPRITE ? 1.0 : 0.0;
    place = CORNERS[gl_VertexIndex % 6] * (half_size + margin);
    float c = 1.0, s = 0.0;
    if (shape.rotation != 0.0) {
        c = cos(shape.rotation);
        s = sin(shape.rotation);
    }
    vec2 turned = vec2(c * place.x - s * place.y, s * place.x + c * place.y);
    gradients = uv_part = vec4(0.0);
    uv = vec2(0.0);
    if (shape.kind == SPRITE) {
        vec2 uv_per_pixel = (shape.numbers.zw - shape.numbers.xy) / shape.rect.zw;
        uv_part = shape.numbers;
        uv = shape.numbers.xy + (place + half_size) * uv_per_pixel;
        gradients = vec4(c, -s, s, c) * uv_per_pixel.xyxy;
    }
    gl_Position = vec4((shape.rect.xy + half_size + turned) * constants.pixel - 1.0, 0.0, 1.0);
}
