#version 460
/* Round particles have soft edges, also where they intersect geometry; streaks have soft ends. */
#include "render/core/frame.glsl"

#include "render/feature/baked_light.glsl"

layout(set = 0, binding = 4) uniform samplerCube irradiance_map;
layout(set = 0, binding = 5) uniform sampler2D depth_map;

layout(location = 0) in vec2 in_at;
layout(location = 1) flat in vec4 in_color;
layout(location = 2) flat in vec2 in_shape;
layout(location = 3) flat in vec3 in_light;

layout(location = 4) flat in vec3 in_lamps;

layout(location = 0) out vec4 out_color;

const float PI = 3.14159265;

/* Light reflected by a small matt object, from any side. */
vec3 light_of(vec2 baked)
{
    vec3 around = frame.ambient.w > 0.5 ? textureLod(irradiance_map, vec3(0.0, 1.0, 0.0), 0.0).rgb : frame.ambient.rgb;
    /* approximately that of a sphere */
    vec3 sun = frame.sun_direction.w * frame.sun_color.rgb * sun_guess(baked.x) * 0.35;
    return around * sky_part(baked.x) + sun / PI + cell_light(baked, vec3(0.0, 1.0, 0.0));
}

void main()
{
    float alpha = in_color.a;
    if (in_shape.x > 1.5) {
        alpha *= (1.0 - in_at.x * in_at.x) * (1.0 - in_at.y * in_at.y);
    } else if (in_shape.x > 0.5) {
        float there = view_distance(texelFetch(depth_map, ivec2(gl_FragCoord.xy), 0).r);
        float before = (there - view_distance(gl_FragCoord.z)) / in_shape.y;
        alpha *= smoothstep(1.0, 0.2, length(in_at)) * clamp(before + 0.25, 0.0, 1.0);
    }
    vec3 light = light_of(in_light.xy) + in_lamps + in_light.z;
    /* emitted light is added */
    out_color = vec4(in_color.rgb * light * alpha, in_light.z > 0.0 ? 0.0 : alpha);
}
