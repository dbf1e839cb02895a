#version 460
/* What the atmosphere leaves of light from directions that climb with these sines. */
layout(local_size_x = 64) in;

#include "render/feature/atmosphere.glsl"

layout(binding = 0) readonly buffer Rises { float rises[]; };
layout(binding = 1) writeonly buffer Colors { vec4 colors[]; };
layout(push_constant) uniform Constants { uint count; };

void main()
{
    uint index = gl_GlobalInvocationID.x;
    if (index < count)
        colors[index] = vec4(atmosphere_transmittance(ATMOSPHERE_EYE, rises[index]), 1.0);
}
