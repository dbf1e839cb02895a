#version 460
/* The same with compute, which adds what a buffer has to say. */
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform usampler2D source;
layout(binding = 1, r32ui) writeonly uniform uimage2D target;
layout(binding = 2) readonly buffer Numbers { uint numbers[]; };
layout(push_constant) uniform Constants { uint factor, add; };

void main()
{
    ivec2 place = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(place, imageSize(target))))
        return;
    uint value = texelFetch(source, place, 0).x * factor + add + numbers[place.x & 15];
    imageStore(target, place, uvec4(value));
}
