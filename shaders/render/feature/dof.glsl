/* Circle of confusion. */
#ifndef RENDER_FEATURE_DOF_GLSL
#define RENDER_FEATURE_DOF_GLSL

#include "render/core/frame.glsl"
#include "render/feature/post.glsl"

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
