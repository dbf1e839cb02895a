/* Circle of confusion. */
#ifndef RENDER_DOF_GLSL
#define RENDER_DOF_GLSL

#include "render/frame.glsl"
#include "render/post.glsl"

layout(push_constant) uniform Constants {
    float focus;
    float range;
    float radius; /* pixels of the full-resolution image */
};

/* Radius of the circle of confusion, in pixels of the full-resolution image; negative in front of
 * the focus. */
float confusion(float depth)
{
    return clamp((view_distance(depth) - focus) / range, -1.0, 1.0) * radius;
}

#endif
