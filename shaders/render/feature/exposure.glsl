/* Brightness bins: 0 is black, the others are uniform steps of the logarithm. */
#ifndef RENDER_FEATURE_EXPOSURE_GLSL
#define RENDER_FEATURE_EXPOSURE_GLSL

#define BINS 256
#define DARKEST -10.0 /* powers of 2 */
#define STOPS 18.0

uint bin_of(float brightness)
{
    if (brightness < exp2(DARKEST))
        return 0u;
    float place = (log2(brightness) - DARKEST) / STOPS;
    return 1u + uint(clamp(place, 0.0, 1.0) * float(BINS - 2));
}

/* The logarithm at its center. */
float brightness_of(uint bin)
{
    return DARKEST + (float(bin) - 0.5) / float(BINS - 2) * STOPS;
}

#endif
