#version 460
/* Computes a number from the pixel of a texture at the same position. */
layout(binding = 0) uniform usampler2D source;
layout(push_constant) uniform Constants { uint factor, add; };
layout(location = 0) out uint target;

void main()
{
    target = texelFetch(source, ivec2(gl_FragCoord.xy), 0).x * factor + add;
}
