/* Fraction of light that passes the clouds at each point of their bottom: the map of
 * cloud_shadow.glsl. */
#define CLOUD_NOISE_BINDING 1
#include "render/feature/cloud_density.glsl"
#define CLOUD_SHADOW_FILL
#include "render/feature/cloud_shadow.glsl"

#define RESULT_BINDING 2
#define RESULT_FORMAT r8

layout(push_constant) uniform Constants { float texel; }; /* 1 / size */

const int STEPS = 6;
/* a low sun does not lose all light on its long path through the layer */
const float MIN_SLANT = 0.4;

vec4 full_screen(ivec2 pixel)
{
    vec3 to_light = frame.sun_direction.xyz;
    vec2 place = cloud_shadow_place((vec2(pixel) + 0.5) * texel);
    vec2 slope = to_light.xz / max(to_light.y, CLOUD_SHADOW_MIN_RISE);
    float height = (frame.clouds.z - frame.clouds.y) / float(STEPS), sum = 0.0;
    for (int i = 0; i < STEPS; i++) {
        float above = (float(i) + 0.5) * height;
        sum += cloud_density(vec3(place.x + slope.x * above, frame.clouds.y + above, place.y + slope.y * above), 1.0);
    }
    float left = exp(-CLOUD_EXTINCTION * sum * height / max(to_light.y, MIN_SLANT));
    /* Under an overcast sky, the light of the weather already accounts for it. */
    float darkest = mix(0.12, 0.7, smoothstep(0.55, 0.95, frame.clouds.x));
    return vec4(mix(darkest, 1.0, left));
}
