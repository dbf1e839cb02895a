/* Arithmetic on whole columns of floats, which compiled Lua calls once per batch. */
#include "script/system/plugin_code.h"

CN_SIMD_DISPATCH(add_columns,
                 (uint32_t count, float *restrict target, const float *restrict source,
                  float factor),
                 (count, target, source, factor))
{
    for (uint32_t i = 0; i < count; i++)
        target[i] += source[i] * factor;
}

CN_SIMD_DISPATCH(scale_column, (uint32_t count, float *restrict target, float factor),
                 (count, target, factor))
{
    for (uint32_t i = 0; i < count; i++)
        target[i] *= factor;
}

CN_SIMD_DISPATCH(fill_column, (uint32_t count, float *restrict target, float value),
                 (count, target, value))
{
    for (uint32_t i = 0; i < count; i++)
        target[i] = value;
}

void cni_script_column_add(float *target, const float *source, float factor, uint32_t count)
{
    add_columns(count, target, source, factor);
}

void cni_script_column_scale(float *target, float factor, uint32_t count)
{
    scale_column(count, target, factor);
}

void cni_script_column_fill(float *target, float value, uint32_t count)
{
    fill_column(count, target, value);
}
