#version 460
/* Another number from the one that a picture has at the same place. */
layout(binding = 0) uniform usampler2D picture;
layout(push_constant) uniform Constants { uint factor, add; };
layout(location = 0) out uint target;

void main()
{
    target = texelFetch(picture, ivec2(gl_FragCoord.xy), 0).x * factor + add;
}
