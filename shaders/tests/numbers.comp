#version 460
/* Writes first + index * factor. */
layout(local_size_x = 64) in;
layout(binding = 0) writeonly buffer Numbers { uint numbers[]; };
layout(push_constant) uniform Constants { uint count, first, factor; };

void main()
{
    uint index = gl_GlobalInvocationID.x;
    if (index < count)
        numbers[index] = first + index * factor;
}
