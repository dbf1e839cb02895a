#version 460
/* Water of the lightweight path: murky water over the image, and a reflection of the sky. */
#define LIT_SKY_BINDING 8
#include "render/feature/baked_light.glsl"
#include "render/block/blocks.glsl"
#include "render/feature/lit_atmosphere.glsl"
#include "render/feature/water_waves.glsl"

layout(push_constant) uniform Constants {
    mat4 eye_to_clip;
    vec4 air;   /* as in blocks_lit.glsl */
    vec4 water;
};

layout(location = 0) in vec3 in_from_eye;
layout(location = 1) flat in uvec2 in_face; /* water.vert */

layout(location = 0) out vec4 out_light;

const float INDEX = 1.33;
const vec3 WATER_COLOR = vec3(0.012, 0.085, 0.125);
const float MURKY = 0.7; /* fraction of the ground that it hides, seen from straight above */
const float MAX_MIRRORED = 0.6; /* as seen from above */

float fresnel(float cosine)
{
    float x = clamp(1.0 - cosine, 0.0, 1.0), x2 = x * x;
    return 0.02 + 0.98 * x2 * x2 * x;
}

void main()
{
    vec3 to_eye = -normalize(in_from_eye), out_of_it = face_normal(in_face.y & 7u);
    float facing = dot(out_of_it, to_eye), way = length(in_from_eye);
    bool is_below = facing < 0.0;
    float width = max(way * 2.0 / (abs(frame.projection[1][1]) * frame.size.y), 1e-4);
    vec3 eye = frame.camera.xyz - WAVE_BLOCKS * floor(frame.camera.xyz / WAVE_BLOCKS);
    Waves waves = waves_at(eye.xz + in_from_eye.xz, frame.camera.w, level_footprint(to_eye, width), 1.0 + 0.6 * frame.weather.x);
    vec3 normal = normalize((is_below ? -out_of_it : out_of_it) - vec3(waves.slope.x, 0.0, waves.slope.y));
    normal = normalize(normal + to_eye * max(0.04 - dot(normal, to_eye), 0.0));
    float blocks = float(in_face.x & 15u) / 15.0, sky = float(in_face.x >> 4) / 15.0;

    vec3 sun = frame.sun_color.rgb * (frame.sun_direction.w * sun_guess(sky));
    vec3 murk = WATER_COLOR * (0.8 * lit_around(5u) * sky_part(sky) + 0.19 * max(frame.sun_direction.y, 0.0) * sun +
                               cell_light(vec2(sky, blocks), vec3(0.0, 1.0, 0.0)));
    vec3 mirrored_way = reflect(-to_eye, normal);
    mirrored_way.y = max(mirrored_way.y + lost_rise(waves), 0.02);
    float cosine = dot(normal, to_eye), sine2 = INDEX * INDEX * (1.0 - cosine * cosine);
    float mirrors = is_below ? (sine2 < 1.0 ? fresnel(sqrt(1.0 - sine2)) : 1.0) : min(fresnel(cosine), MAX_MIRRORED);
    vec3 mirrored = is_below ? murk : lit_sky_at(mirrored_way) * sky_part(sky);
    float glint = pow(max(dot(normalize(mirrored_way), frame.sun_direction.xyz), 0.0), 220.0);
    float hides = is_below ? mirrors : mix(MURKY, 1.0, mirrors);
    /* Blended together: only the reflected part is bright. */
    vec3 light = mix(murk, mirrored, mirrors / max(hides, 1e-3)) + (is_below ? vec3(0.0) : min(sun * glint * 6.0, vec3(20.0)));
    light = lit_through_atmosphere(light, in_from_eye, sky, lit_atmosphere_of(air, water.rgb));
    out_light = vec4(light, hides * float(in_face.y >> 8) / 255.0);
}
