#version 460
/* Fills the table of lit_air.glsl from that of the atmosphere. */
#include "render/frame.glsl"
#include "render/lit_air.glsl"
#include "render/sky.glsl"

layout(location = 0) out vec4 target;

const int AROUND = 48; /* directions */

/* Seen through the fog of the weather. */
vec3 foggy_sky(vec3 direction)
{
    vec3 light = sky_air(direction);
    float left = lit_sky_left(direction, sky.more.z);
    vec3 fog = mix(sky_air(normalize(vec3(direction.x, 0.01, direction.z))), sky.veil.rgb * sky.tint.w, 0.5);
    return frame.clouds.w > 0.0 ? mix(fog, light, left) : light;
}

vec3 face_way(int face)
{
    float side = (face & 1) != 0 ? 1.0 : -1.0;
    return face < 2 ? vec3(0.0, 0.0, side) : face < 4 ? vec3(side, 0.0, 0.0) : vec3(0.0, side, 0.0);
}

/* Evenly over the sphere, along a spiral. */
vec3 light_on(vec3 normal)
{
    vec3 sum = vec3(0.0);
    for (int i = 0; i < AROUND; i++) {
        float y = 1.0 - (2.0 * float(i) + 1.0) / float(AROUND), turn = 2.3999632 * float(i);
        vec3 way = vec3(cos(turn), 0.0, sin(turn)) * sqrt(1.0 - y * y) + vec3(0.0, y, 0.0);
        sum += sky_air(way) * max(dot(way, normal), 0.0);
    }
    return sum * (4.0 / float(AROUND)) + sky_shade();
}

void main()
{
    ivec2 texel = ivec2(gl_FragCoord.xy);
    vec2 place = ((vec2(texel) + 0.5) / LIT_SKY_SIDE * 2.0 - 1.0) / LIT_SKY_RADIUS;
    float squared = dot(place, place);
    vec3 direction = vec3(2.0 * place.x, max(1.0 - squared, 0.02), 2.0 * place.y);
    vec3 light = foggy_sky(normalize(direction));
    bool is_around = texel.x >= int(LIT_SKY_SIDE) && texel.y < 6;
    for (int i = 0; i < (is_around ? 1 : 0); i++)
        light = light_on(face_way(texel.y));
    target = vec4(light, 1.0);
}
