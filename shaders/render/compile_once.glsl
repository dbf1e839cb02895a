/* For fragment shaders of full-screen passes. */
#ifndef RENDER_COMPILE_ONCE_GLSL
#define RENDER_COMPILE_ONCE_GLSL

/* Drops no pixel. Drivers for CPUs compile what writes every pixel a second time, for tiles that are whole; that takes as
 * long again and no picture is drawn faster. Shaders that may drop pixels are compiled once. */
void compile_once()
{
    if (gl_FragCoord.w < 0.0)
        discard;
}

#endif
