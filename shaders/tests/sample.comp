#version 460
/* Reads every texel of one mip through a sampler. */
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D source;
layout(binding = 1) writeonly buffer Texels { vec4 texels[]; };
layout(push_constant) uniform Constants { uvec2 size; float lod; };

void main()
{
    uvec2 place = gl_GlobalInvocationID.xy;
    if (all(lessThan(place, size)))
        texels[place.y * size.x + place.x] = textureLod(source, (vec2(place) + 0.5) / vec2(size), lod);
}
