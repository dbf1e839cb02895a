#version 460
/* Prefiltered specular reflections: GGX lobes of the sky around each direction, after Karis.
 * Samples read the mip whose texels match their solid angle (Krivanek and Colbert), so that few
 * samples suffice and bright spots cause no fireflies. */
layout(local_size_x = 8, local_size_y = 8) in;

#include "render/feature/environment_cube.glsl"

layout(set = 0, binding = 0, rgba16f) writeonly uniform image2DArray target;
layout(set = 0, binding = 1) uniform samplerCube sky;
layout(push_constant) uniform Constants {
    uint first_face, samples;
    float roughness;
};

vec3 lobe(vec3 axis)
{
    vec3 side = abs(axis.y) < 0.99 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0);
    vec3 across = normalize(cross(side, axis)), along = cross(axis, across);
    float alpha = roughness * roughness, squared = alpha * alpha;
    float texel = 4.0 * 3.14159265 / (6.0 * float(textureSize(sky, 0).x * textureSize(sky, 0).x));
    vec4 sum = vec4(0.0);
    for (uint i = 0u; i < samples; i++) {
        vec3 half_way = ggx_normal(even_point(i, samples), alpha);
        vec3 way = vec3(2.0 * half_way.z * half_way.xy, 2.0 * half_way.z * half_way.z - 1.0);
        if (way.z <= 0.0)
            continue;
        float part = half_way.z * half_way.z * (squared - 1.0) + 1.0;
        float density = squared / (3.14159265 * part * part) * 0.25;
        float lod = max(0.5 * log2(1.0 / (float(samples) * density * texel)) + 1.0, 0.0);
        sum += vec4(textureLod(sky, across * way.x + along * way.y + axis * way.z, lod).rgb, 1.0) * way.z;
    }
    return sum.rgb / sum.w;
}

void main()
{
    uvec3 place = gl_GlobalInvocationID + uvec3(0, 0, first_face);
    float size = float(imageSize(target).x);
    vec3 axis = normalize(texel_direction(place.z, place.xy, size));
    vec3 light = roughness > 0.0 ? lobe(axis) : textureLod(sky, axis, 0.0).rgb;
    imageStore(target, ivec3(place), vec4(light, 1.0));
}
