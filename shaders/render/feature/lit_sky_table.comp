#version 460
/* Fills the table of lit_atmosphere.glsl from that of the atmosphere. */
#define COPY_UNIFORMS
#include "render/core/frame.glsl"
#include "render/feature/lit_atmosphere.glsl"
#include "render/feature/sky.glsl"

layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 2, rgba16f) writeonly uniform image2D target;

const int AROUND = 48; /* directions */
/* elevation over which the sky blends into the color below the horizon: more than a texel */
const float SOFT = 0.05;

vec3 face_way(int face)
{
    float side = (face & 1) != 0 ? 1.0 : -1.0;
    return face < 2 ? vec3(0.0, 0.0, side) : face < 4 ? vec3(side, 0.0, 0.0) : vec3(0.0, side, 0.0);
}

/* Evenly over the sphere, along a spiral. */
vec3 way_around(int i)
{
    float y = 1.0 - (2.0 * float(i) + 1.0) / float(AROUND), turn = 2.3999632 * float(i);
    return vec3(cos(turn), 0.0, sin(turn)) * sqrt(1.0 - y * y) + vec3(0.0, y, 0.0);
}

/* The sky has a kink at the horizon, and the texels of the table have various distances from it:
 * without the kink their mean is the same everywhere, and no bands are visible. */
vec3 above_horizon(vec3 direction)
{
    float up = 0.5 * (direction.y + sqrt(direction.y * direction.y + SOFT * SOFT));
    return normalize(vec3(direction.x, up, direction.z));
}

/* Fraction of the sky covered by clouds, as in cni_render_cloud_light and environment_fill.comp. */
float cloud_part()
{
    return 0.8 * smoothstep(0.05, 0.85, frame.clouds.x) * (1.0 - sky.veil.w);
}

/* The sky seen through weather fog, which has half the color of the horizon. */
vec3 foggy_sky(vec3 light, vec3 horizon, vec3 direction)
{
    vec3 fog = mix(horizon, sky.veil.rgb * sky.tint.w, 0.5);
    float left = lit_sky_left(direction, sky.more.z);
    return frame.clouds.w > 0.0 ? mix(fog, light, left) : light;
}

void main()
{
    copy_frame();
    copy_sky();
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    vec2 place = ((vec2(texel) + 0.5) / LIT_SKY_SIDE * 2.0 - 1.0) / LIT_SKY_RADIUS;
    float squared = dot(place, place);
    vec3 direction = normalize(vec3(2.0 * place.x, 1.0 - squared, 2.0 * place.y));
    vec3 horizon = normalize(vec3(direction.x, 0.01, direction.z));
    bool is_around = texel.x >= int(LIT_SKY_SIDE) && texel.y < 6;
    vec3 normal = face_way(texel.y), first = vec3(0.0), sum = vec3(0.0);
    /* One loop for everything, so that the code is not duplicated: see blocks_cull.glsl. */
    [[dont_unroll]] for (int i = 0; i < (is_around ? AROUND : 2); i++) {
        vec3 way = is_around ? way_around(i) : i == 0 ? above_horizon(direction) : horizon;
        vec3 light = sky_scattering(way);
        first = i == 0 ? light : first;
        sum += light * (is_around ? max(dot(way, normal), 0.0) : float(i));
    }
    first = mix(first, sky.ground.rgb * sky.tint.w, sky_ground_part(direction));
    vec3 around = sum * (4.0 / float(AROUND));
    around = mix(around, vec3(sky.more.xy, sky.more.w), cloud_part() * (0.5 + 0.5 * normal.y)) * sky_overcast_gain() + sky_shade();
    imageStore(target, texel, vec4(is_around ? around : foggy_sky(first, sum, direction), 1.0));
}
