#version 460
/* Draws the sky, without the sun's disc, on the faces of a cube map. Clouds are an even veil that
 * is thicker at the horizon. sky.more: their light; w: fraction of the sky that they cover. */
layout(local_size_x = 8, local_size_y = 8) in;

#include "render/feature/environment_cube.glsl"
#include "render/feature/sky.glsl"

layout(set = 0, binding = 0, rgba16f) writeonly uniform image2DArray target;

void main()
{
    uvec3 place = gl_GlobalInvocationID;
    float size = float(imageSize(target).x);
    vec3 direction = normalize(texel_direction(place.z, place.xy, size));
    vec3 light = sky_light(direction, 1.5 / size);
    if (sky.more.w > 0.0) {
        float clear = pow(1.0 - min(sky.more.w, 0.99), 0.6 / (0.25 + max(direction.y, 0.0)));
        light = mix(sky.more.rgb, light, max(clear, smoothstep(0.02, -0.1, direction.y)));
    }
    if (sky.to_sun.w > 0.5)
        light += sky_shade();
    imageStore(target, ivec3(place), vec4(light, 1.0));
}
