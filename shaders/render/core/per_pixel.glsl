/* For conditions on values shared by all pixels: of the frame, or push constants. */
#ifndef RENDER_CORE_PER_PIXEL_GLSL
#define RENDER_CORE_PER_PIXEL_GLSL

/*
 * Returns `value`, below 900 thousand, in a form that depends on the pixel: `varies` is any value
 * of the pixel above -100 thousand.
 *
 * lavapipe (Mesa 22.3) recompiles shaders for the uniform values that decide their ifs and loops
 * whenever one is set, so in every frame, which takes milliseconds and memory that is never freed.
 * It does not do this where little is saved; use this function where an if or a loop skips much of
 * a shader. The driver then executes both sides of an if, so use loops to skip code: see
 * sun_shadow.
 */
float per_pixel(float value, float varies)
{
    return min(value, varies + 1e6);
}

#endif
