/* Sunlight that the atmosphere scatters towards the camera where neither geometry nor clouds shade
 * it, and the shaded fraction of the path; at half resolution. Alpha: distance that was sampled. */
#include "render/feature/cloud_shadow.glsl"
#include "render/feature/shadow.glsl"

#define RESULT_BINDING 23
#define RESULT_FORMAT rgba16f

layout(set = 0, binding = 16) uniform sampler2D depth_map;
layout(push_constant) uniform Constants {
    float divide;
    float steps;
};

const float REACH = 128.0; /* without shadow maps, which have their own range */
const float THIN = 0.0009; /* scattering of clear air per meter */
const float THICKEST = 0.012;
const float MAX_PHASE = 0.8; /* the sky already glows around the sun */
const float G = 0.65; /* visible towards the sun only */

/* Visibility of the sun, without soft edges. */
float sun_seen(vec3 world)
{
    float distance = dot(world - frame.camera.xyz, frame.forward.xyz);
    uint count = uint(per_pixel(shadow.sun.x, distance)), cascade = 0u;
    while (cascade < count && distance >= shadow.cascade_numbers[cascade].w)
        cascade++;
    if (cascade >= count)
        return 1.0;
    vec3 place = (shadow.cascades[cascade] * vec4(world, 1.0)).xyz;
    return sun_compare(cascade, place.xy, place.z);
}

vec4 full_screen(ivec2 pixel)
{
    ivec2 full = min(pixel * int(divide) + int(divide) / 2, textureSize(depth_map, 0) - 1);
    vec3 direction = view_direction((vec2(full) + 0.5) * frame.size.zw);
    float depth = texelFetch(depth_map, full, 0).r, forward = max(dot(direction, frame.forward.xyz), 1e-3);
    uint count = uint(per_pixel(shadow.sun.x, direction.x));
    float reach = (count > 0u ? shadow.cascade_numbers[count - 1u].w : REACH) / forward;
    float way = depth > 0.0 ? min(view_distance(depth) / forward, reach) : reach;
    /* There is more haze in the morning and evening. */
    float low = 1.0 - smoothstep(0.05, 0.5, frame.sun_direction.y);
    float density = min(THIN * (1.0 + 2.0 * low) + 0.5 * frame.clouds.w, THICKEST);
    float noise = shadow_noise(vec2(pixel)), length_of_step = way / steps, sum = 0.0, lit = 0.0;
    for (float i = 0.0; i < per_pixel(steps, direction.x); i += 1.0) {
        float at = (i + noise) * length_of_step;
        vec3 world = frame.camera.xyz + direction * at;
        float seen = sun_seen(world) * cloud_shadow(world);
        sum += seen * exp(-density * at);
        lit += seen;
    }
    float cosine = dot(direction, frame.sun_direction.xyz);
    float phase = (1.0 - G * G) / (12.566371 * pow(1.0 + G * G - 2.0 * G * cosine, 1.5));
    /* An overcast sky has no rays. */
    float open = 1.0 - smoothstep(0.6, 0.9, frame.clouds.x);
    return vec4(min(phase, MAX_PHASE) * open * density * length_of_step * sum, 1.0 - lit / steps, 0.0, way);
}
