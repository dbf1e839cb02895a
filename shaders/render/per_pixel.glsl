/* For conditions on numbers that all pixels share: of the frame, or push constants. */
#ifndef RENDER_PER_PIXEL_GLSL
#define RENDER_PER_PIXEL_GLSL

/*
 * `value`, below 900 thousand, in a way that only the pixel can tell: `varies` is any number of it above -100 thousand.
 *
 * lavapipe (of Mesa 22.3) compiles shaders again for the values that decide their ifs and loops, where these are
 * uniforms alone: whenever one is set, so in each frame, which takes milliseconds and memory that never comes back. It
 * gives up where that saves little; use this where an if or a loop leaves out much of a shader. That driver runs
 * through both sides of what is an if then, so loops should leave it out: see sun_shadow.
 */
float per_pixel(float value, float varies)
{
    return min(value, varies + 1e6);
}

#endif
