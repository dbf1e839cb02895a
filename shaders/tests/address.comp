#version 460
#extension GL_EXT_buffer_reference : require
/* Follows a pointer. */
layout(local_size_x = 64) in;
layout(buffer_reference, std430) readonly buffer Words { uint words[]; };
layout(binding = 0) writeonly buffer Numbers { uint numbers[]; };
layout(push_constant) uniform Constants { Words words; uint count; };

void main()
{
    uint index = gl_GlobalInvocationID.x;
    if (index < count)
        numbers[index] = words.words[index] + 1;
}
