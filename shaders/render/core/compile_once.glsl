/* For fragment shaders of full-screen passes. */
#ifndef RENDER_CORE_COMPILE_ONCE_GLSL
#define RENDER_CORE_COMPILE_ONCE_GLSL

/* Never discards a pixel. CPU drivers compile shaders that write every pixel a second time, for
 * fully covered tiles, which doubles the compile time without drawing faster. Shaders that may
 * discard pixels are compiled once. */
void compile_once()
{
    if (gl_FragCoord.w < 0.0)
        discard;
}

#endif
