#version 460
/* The BRDF lookup table of image-based lighting (Karis): x is the cosine between normal and view, y
 * is roughness. Red is the factor of F0, green is the bias. */
layout(local_size_x = 8, local_size_y = 8) in;

#include "render/feature/environment_cube.glsl"

layout(set = 0, binding = 0, rg16f) writeonly uniform image2D target;

const uint SAMPLES = 256u;

void main()
{
    uvec2 place = gl_GlobalInvocationID.xy;
    vec2 part = (vec2(place) + 0.5) / vec2(imageSize(target));
    float nv = part.x, alpha = part.y * part.y, k = alpha * 0.5;
    vec3 view = vec3(sqrt(1.0 - nv * nv), 0.0, nv);
    vec2 sum = vec2(0.0);
    for (uint i = 0u; i < SAMPLES; i++) {
        vec3 half_way = ggx_normal(even_point(i, SAMPLES), alpha);
        float vh = max(dot(view, half_way), 0.0), nl = 2.0 * vh * half_way.z - view.z;
        if (nl <= 0.0)
            continue;
        float shadowing = nl / (nl * (1.0 - k) + k) / (nv * (1.0 - k) + k);
        float weight = shadowing * vh * nv / max(half_way.z * nv, 1e-6);
        float fresnel = pow(1.0 - vh, 5.0);
        sum += vec2(1.0 - fresnel, fresnel) * weight;
    }
    imageStore(target, ivec2(place), vec4(sum / float(SAMPLES), 0.0, 1.0));
}
