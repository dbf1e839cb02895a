#version 460
#extension GL_GOOGLE_include_directive : require

#include "render/core/compile_once.glsl"
#include "render/feature/tone_map.glsl"

/* Scales the image down. Each sample is tone mapped before the mean, so that bright spots do not
 * cover their surroundings. */

layout(set = 0, binding = 0) uniform sampler2D hdr;
layout(set = 0, binding = 1, std430) readonly buffer Exposure { float found; };
layout(push_constant) uniform Constants {
    vec2 corner; /* of the part of the image that is shown */
    vec2 pixel;  /* size of a pixel of the preview in the image */
    float exposure;
    uint flags;
};

layout(location = 0) out vec4 color;

#define SAMPLES 4 /* per axis; each is a mean of four pixels */

void main()
{
    compile_once();
    vec2 from = corner + floor(gl_FragCoord.xy) * pixel;
    vec3 sum = vec3(0.0);
    for (int y = 0; y < SAMPLES; y++)
        for (int x = 0; x < SAMPLES; x++) {
            vec2 at = from + (vec2(x, y) + 0.5) / float(SAMPLES) * pixel;
            sum += tone_map(textureLod(hdr, at, 0.0).rgb, exposure * found, flags, uvec2(0));
        }
    color = vec4(srgb_encode(sum / float(SAMPLES * SAMPLES)), 1.0);
}
