#include "curve.h"

Curve curve_constant(float value)
{
    return (Curve){.count = 1, .value = {value}};
}

float curve_at(const Curve *curve, float time)
{
    uint32_t i = 0;
    while (i < curve->count && curve->time[i] <= time)
        i++;
    if (i == 0)
        return curve->value[0];
    if (i == curve->count)
        return curve->value[i - 1];
    float span = curve->time[i] - curve->time[i - 1];
    float part = span > 0 ? (time - curve->time[i - 1]) / span : 1;
    return curve->value[i - 1] + part * (curve->value[i] - curve->value[i - 1]);
}

void curve_scale(Curve *curve, float factor)
{
    for (uint32_t i = 0; i < curve->count; i++)
        curve->value[i] *= factor;
}
