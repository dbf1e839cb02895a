/* The main function of a full-screen pass as a fragment shader; included after
 * full_screen(); see include/cairn/render/full_screen.h. */
#include "render/core/compile_once.glsl"

layout(location = 0) out vec4 result;
#ifdef THIRD_RESULT_FORMAT
layout(location = 1) out vec4 second_result;
layout(location = 2) out vec4 third_result;
#endif

void main()
{
    compile_once();
    ivec2 pixel = ivec2(gl_FragCoord.xy);
#ifdef THIRD_RESULT_FORMAT
    result = full_screen(pixel, second_result, third_result);
#else
    result = full_screen(pixel);
#endif
}
