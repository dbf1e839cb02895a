#version 460
/* A whole number for each texel, which depends on its place. */
layout(push_constant) uniform Constants { uint factor, add; };
layout(location = 0) out uint target;

void main()
{
    uvec2 place = uvec2(gl_FragCoord.xy);
    target = (place.x + place.y * 1000u) * factor + add;
}
