#version 460
#extension GL_GOOGLE_include_directive : require

/* Brightness histogram in logarithmic steps. Each thread processes 2 x 2 pixels. */
#include "render/feature/exposure.glsl"
#include "render/feature/post.glsl"

layout(local_size_x = 16, local_size_y = 16) in;

layout(set = 0, binding = 0) uniform sampler2D hdr;
layout(set = 0, binding = 1, std430) buffer Histogram { uint bins[BINS]; };

shared uint local[BINS];

void main()
{
    local[gl_LocalInvocationIndex] = 0u;
    barrier();
    ivec2 size = textureSize(hdr, 0);
    ivec2 place = ivec2(gl_GlobalInvocationID.xy) * 2;
    if (all(lessThan(place, size))) {
        vec3 color = textureLod(hdr, (vec2(place) + 1.0) / vec2(size), 0.0).rgb;
        if (!any(isnan(color)))
            atomicAdd(local[bin_of(luminance(safe_color(color)))], 1u);
    }
    barrier();
    uint count = local[gl_LocalInvocationIndex];
    if (count > 0u)
        atomicAdd(bins[gl_LocalInvocationIndex], count);
}
