#version 460
/* Writes its place into every texel. */
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba8) writeonly uniform image2D result;

void main()
{
    ivec2 place = ivec2(gl_GlobalInvocationID.xy);
    if (all(lessThan(place, imageSize(result))))
        imageStore(result, place, vec4(vec2(place) / 255.0, 0.0, 1.0));
}
