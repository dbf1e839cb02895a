#version 460
/* Looks along the six axes of a cube, and through the slices of a volume. */
layout(local_size_x = 8) in;
layout(binding = 0) uniform samplerCube cube;
layout(binding = 1) uniform sampler3D volume;
layout(binding = 2) writeonly buffer Texels { vec4 texels[]; };

const vec3 axes[6] = {vec3(1, 0, 0), vec3(-1, 0, 0), vec3(0, 1, 0),
                      vec3(0, -1, 0), vec3(0, 0, 1), vec3(0, 0, -1)};

void main()
{
    uint index = gl_GlobalInvocationID.x;
    if (index < 6)
        texels[index] = textureLod(cube, axes[index], 0.0);
    else
        texels[index] = textureLod(volume, vec3(0.5, 0.5, (float(index - 6) + 0.5) / 2.0), 0.0);
}
