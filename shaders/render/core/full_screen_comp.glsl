/* The main function of a full-screen pass as a compute shader; included after
 * full_screen(); see include/cairn/render/full_screen.h. */
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = RESULT_BINDING, RESULT_FORMAT) writeonly uniform image2D result;
#ifdef THIRD_RESULT_FORMAT
layout(set = 0, binding = RESULT_BINDING + 1, SECOND_RESULT_FORMAT) writeonly uniform image2D second_result;
layout(set = 0, binding = RESULT_BINDING + 2, THIRD_RESULT_FORMAT) writeonly uniform image2D third_result;
#endif

void main()
{
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(pixel, imageSize(result))))
        return;
#ifdef THIRD_RESULT_FORMAT
    vec4 second, third;
    imageStore(result, pixel, full_screen(pixel, second, third));
    imageStore(second_result, pixel, second);
    imageStore(third_result, pixel, third);
#else
    imageStore(result, pixel, full_screen(pixel));
#endif
}
