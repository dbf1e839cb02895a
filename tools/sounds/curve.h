/* Values that change over the length of a sound: straight lines between points. */
#ifndef SOUNDS_CURVE_H
#define SOUNDS_CURVE_H

#include <stdint.h>

#define CURVE_POINTS 24u

typedef struct Curve {
    uint32_t count; /* 1: constant */
    float time[CURVE_POINTS], value[CURVE_POINTS];
} Curve;

Curve curve_constant(float value);
/* Returns the value at a time; before the first and after the last point, theirs. */
float curve_at(const Curve *curve, float time);
void curve_scale(Curve *curve, float factor);

#endif
