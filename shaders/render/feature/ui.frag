#version 460
#extension GL_GOOGLE_include_directive : require
#include "render/feature/ui.glsl"

layout(set = 0, binding = 1) uniform sampler2D atlas;
layout(set = 0, binding = 2) uniform sampler2D sprites;

layout(location = 0) in vec2 place;
layout(location = 1) flat in uint shape_index;
layout(location = 2) flat in vec4 gradients;
layout(location = 3) flat in vec4 uv_part;
layout(location = 4) in vec2 uv;
layout(location = 0) out vec4 color; /* encoded for the screen, premultiplied */

vec4 premultiplied(vec4 c)
{
    return vec4(c.rgb * c.a, c.a);
}

vec4 unpack(uint c)
{
    return premultiplied(unpackUnorm4x8(c));
}

vec3 to_srgb(vec3 c)
{
    return mix(1.055 * pow(max(c, vec3(0.0)), vec3(1.0 / 2.4)) - 0.055, 12.92 * c, lessThan(c, vec3(0.0031308)));
}

/* Negative inside. */
float distance_to_box(vec2 half_size, float radius)
{
    vec2 d = abs(place) - half_size + radius;
    return length(max(d, 0.0)) + min(max(d.x, d.y), 0.0) - radius;
}

vec4 box_color(Shape shape)
{
    float radius = shape.numbers.x, border = shape.numbers.y, blur = shape.numbers.z;
    float d = distance_to_box(0.5 * shape.rect.zw, radius);
    vec2 t = clamp(place / shape.rect.zw + 0.5, 0.0, 1.0);
    vec4 fill = mix(mix(unpack(shape.colors.x), unpack(shape.colors.y), t.x),
                    mix(unpack(shape.colors.z), unpack(shape.colors.w), t.x), t.y);
    if (border > 0.0)
        fill = mix(unpack(floatBitsToUint(shape.numbers.w)), fill, clamp(0.5 - (d + border), 0.0, 1.0));
    float cover = clamp(0.5 - d / blur, 0.0, 1.0);
    /* A shadow falls off smoothly. */
    return fill * (blur > 1.0 ? cover * cover * (3.0 - 2.0 * cover) : cover);
}

vec4 sprite_color(Shape shape)
{
    vec2 inside = clamp(uv, min(uv_part.xy, uv_part.zw), max(uv_part.xy, uv_part.zw));
    vec4 texel = textureGrad(sprites, inside, gradients.xy, gradients.zw);
    if (constants.is_linear != 0u)
        texel.rgb = to_srgb(texel.rgb);
    float d = distance_to_box(0.5 * shape.rect.zw, uintBitsToFloat(shape.colors.y));
    return premultiplied(texel * unpackUnorm4x8(shape.colors.x)) * clamp(0.5 - d, 0.0, 1.0);
}

void main()
{
    Shape shape = shapes[shape_index];
    vec2 low = vec2(shape.clip_from & 0xFFFFu, shape.clip_from >> 16);
    vec2 high = vec2(shape.clip_to & 0xFFFFu, shape.clip_to >> 16);
    if (any(lessThan(gl_FragCoord.xy, low)) || any(greaterThan(gl_FragCoord.xy, high)))
        discard;

    if (shape.kind == GLYPH) {
        ivec2 texel = ivec2(shape.numbers.xy + place + 0.5 * shape.rect.zw);
        color = unpack(shape.colors.x) * texelFetch(atlas, texel, 0).r;
    } else if (shape.kind == BOX) {
        color = box_color(shape);
    } else {
        color = sprite_color(shape);
    }
}
