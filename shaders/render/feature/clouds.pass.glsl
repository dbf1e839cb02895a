/*
 * Clouds along the view, at reduced resolution: their light, with transmittance in alpha. Sunlight
 * is scattered forward and slightly backward (two lobes); multiple scattering is approximated by an
 * even glow that reaches deeper. Around sunset, when the ground is in shadow, the sun lights them
 * from below.
 */
#define CLOUD_NOISE_BINDING 17
#include "render/feature/cloud_density.glsl"
#include "render/feature/environment.glsl"
#include "render/feature/post.glsl"
#include "render/feature/shadow.glsl"

#define RESULT_BINDING 23
#define RESULT_FORMAT rgba16f

layout(set = 0, binding = 16) uniform sampler2D depth_map;
layout(push_constant) uniform Constants {
    float divide;
    float steps;
    vec4 to_sun; /* also at night */
    vec4 glow;   /* of the sun from below */
};

const float REACH = 7000.0; /* where they have faded out */
const float HAZE = 3200.0;  /* over which they fade to a third */
const float FINE = 500.0;   /* distance up to which the finest noise is visible */
const float EVEN_WAY = 700.0; /* on longer rays the steps grow with distance, */
const float LONG_WAY = 1100.0; /* and on even longer ones there are more steps */
const float MAX_TIMES = 2.5;
/* step lengths that skip the fine noise, and all detail */
const float FINE_STEP = 14.0, LONG_STEP = 40.0;
const vec4 NOTHING = vec4(0.0, 0.0, 0.0, 1.0);

float lobe(float g, float cosine)
{
    return (1.0 - g * g) / (12.566371 * pow(1.0 + g * g - 2.0 * g * cosine, 1.5));
}

/* Light that reaches a point: singly scattered, and multiply scattered. */
vec2 sun_through(vec3 world, float blur)
{
    vec3 to_light = frame.sun_direction.xyz;
    float depth = CLOUD_EXTINCTION * (22.0 * cloud_density(world + to_light * 11.0, blur) +
                                      55.0 * cloud_density(world + to_light * 45.0, blur));
    return vec2(exp(-depth), exp(-0.16 * depth));
}

/* Ambient light from above and below. */
void around(vec3 direction, out vec3 above, out vec3 below)
{
    bool is_known = per_pixel(frame.ambient.w, direction.x) > 0.5;
    above = is_known ? textureLod(irradiance_cube, vec3(0.0, 1.0, 0.0), 0.0).rgb : frame.ambient.rgb;
    below = is_known ? textureLod(irradiance_cube, vec3(0.0, -1.0, 0.0), 0.0).rgb : frame.ambient.rgb * 0.5;
}

vec4 march(vec3 direction, float first, float last, float noise)
{
    float way = last - first, even = clamp(EVEN_WAY / way, 0.0, 1.0), before = 0.0;
    float cosine = dot(direction, frame.sun_direction.xyz), towards = 0.5 + 0.5 * dot(direction, to_sun.xyz);
    float phase = 0.3 * lobe(0.85, cosine) + 0.7 * lobe(-0.25, cosine);
    vec3 above, below, light = vec3(0.0), sun = frame.sun_color.rgb * frame.sun_direction.w;
    /* Under an overcast sky, colors are desaturated. */
    sun = mix(sun, luminance(sun) * vec3(0.90, 1.0, 1.13), smoothstep(0.55, 0.95, frame.clouds.x));
    around(direction, above, below);
    vec3 from_below = glow.rgb * (0.2 + 0.8 * towards * towards);
    float left = 1.0, distances = 0.0, weights = 0.0, count = floor(steps * clamp(way / LONG_WAY, 1.0, MAX_TIMES));
    for (float i = 0.0; i < count && left > 0.01; i += 1.0) {
        float part = (i + 1.0) / count, next = way * part * (even + (1.0 - even) * part);
        float at = first + mix(before, next, noise);
        vec3 world = frame.camera.xyz + direction * at;
        float blur = max(smoothstep(FINE, 3.0 * FINE, at), smoothstep(0.5, 2.0, (next - before) / FINE_STEP)) +
                     smoothstep(0.5, 2.0, (next - before) / LONG_STEP);
        float density = cloud_density(world, blur);
        if (density > 0.0) {
            float through = exp(-CLOUD_EXTINCTION * density * (next - before));
            vec2 lit = sun_through(world, max(blur, 1.0));
            float high = (world.y - frame.clouds.y) / (frame.clouds.z - frame.clouds.y);
            vec3 scattered = sun * (phase * lit.x + 0.17 * lit.y) +
                             mix(below, above, 0.3 + 0.6 * high) * (0.55 + 0.45 * high) +
                             from_below * ((1.0 - 0.65 * high) * (0.4 * lit.y + 0.6 * lit.x));
            float weight = left * (1.0 - through);
            light += scattered * weight;
            distances += at * weight;
            weights += weight;
            left *= through;
        }
        before = next;
    }
    if (weights <= 0.0)
        return NOTHING;
    float far = distances / weights, haze = far / HAZE;
    float seen = exp(-haze * sqrt(haze)) * (1.0 - smoothstep(0.5 * REACH, REACH, far));
    left = max(left - 0.01, 0.0) / 0.99;
    return vec4(light * seen, mix(1.0, left, seen));
}

vec4 full_screen(ivec2 place)
{
    ivec2 pixel = min(place * int(divide) + int(divide) / 2, textureSize(depth_map, 0) - 1);
    vec3 direction = view_direction((vec2(pixel) + 0.5) * frame.size.zw);
    float depth = texelFetch(depth_map, pixel, 0).r;
    float way = depth > 0.0 ? view_distance(depth) / max(dot(direction, frame.forward.xyz), 1e-3) : REACH;
    float rise = abs(direction.y) < 1e-5 ? 1e-5 : direction.y;
    vec2 sides = (frame.clouds.yz - frame.camera.y) / rise;
    float first = max(min(sides.x, sides.y), 0.0), last = min(max(sides.x, sides.y), min(way, REACH));
    if (last <= first || per_pixel(frame.planes.z, direction.x) > 0.5)
        return NOTHING;
    return march(direction, first, last, shadow_noise(vec2(place)));
}
