#version 460
/* Boxes and sprites, one instance each. */
#include "render/feature/block_models.glsl"

layout(push_constant) uniform Constants {
    mat4 eye_to_clip;
    vec2 depth_range; /* of the image: scale and offset */
    uint is_sprite;
    vec4 air;
    vec4 water;
};

layout(location = 0) out vec2 out_uv;
layout(location = 1) flat out uint out_layer;
layout(location = 2) flat out vec4 out_tint;  /* linear; w: greens only */
layout(location = 3) flat out vec4 out_baked; /* sky light, block light, glow, flash */
layout(location = 4) out vec3 out_normal;
layout(location = 5) out vec3 out_from_eye;
layout(location = 6) flat out vec2 out_effects; /* white, fade */

vec3 tint_from_srgb(vec3 c)
{
    return c * (c * (c * 0.305306011 + 0.682171111) + 0.012522878);
}

void main()
{
    ModelRow row = models[gl_InstanceIndex];
    ModelVertex v = is_sprite != 0u ? sprite_vertex(row, uint(gl_VertexIndex)) : box_vertex(row, uint(gl_VertexIndex));
    out_uv = v.uv;
    out_layer = v.layer;
    out_tint = vec4(tint_from_srgb(unpackUnorm4x8(row.tint).rgb), float(row.tint >> 24 & 1u));
    out_baked = unpackUnorm4x8(row.light);
    out_normal = model_direction(row, v.normal);
    out_effects = unpackUnorm4x8(row.skin[1]).zw;
    out_from_eye = model_point(row, v.position);
    gl_Position = eye_to_clip * vec4(out_from_eye, 1.0);
    gl_Position.z = gl_Position.z * depth_range.x + gl_Position.w * depth_range.y;
}
