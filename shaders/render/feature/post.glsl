/* Shared by full-screen passes: valid colors, luminance, and static noise. */
#ifndef RENDER_FEATURE_POST_GLSL
#define RENDER_FEATURE_POST_GLSL

#define LARGEST_COLOR 65504.0 /* of 16-bit floats */

/* Replaces NaN (by 0), negative and infinite colors: one bad pixel must not spread. */
vec3 safe_color(vec3 color)
{
    return clamp(mix(color, vec3(0.0), isnan(color)), 0.0, LARGEST_COLOR);
}

float luminance(vec3 color)
{
    return dot(color, vec3(0.2126, 0.7152, 0.0722));
}

/* A uniform hash of integers (three-dimensional PCG, Jarzynski and Olano 2020). */
uvec3 hash3(uvec3 v)
{
    v = v * 1664525u + 1013904223u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v ^= v >> 16u;
    v.x += v.y * v.z;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    return v;
}

#endif
