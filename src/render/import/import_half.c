/* Half-precision floats of morph targets. */
#include "render/import/import.h"

#define LARGEST_HALF 65504.0f

uint16_t cni_render_half_from_float(float value)
{
    uint32_t bits;
    float size = value < 0 ? -value : value;
    uint16_t sign = value < 0 ? 0x8000u : 0;
    if (!(size > 0))
        return 0;
    if (size >= LARGEST_HALF)
        return (uint16_t)(sign | 0x7BFFu);
    if (size < 0x1p-14f) /* subnormal: multiples of 2^-24 */
        return (uint16_t)(sign | (uint16_t)(size * 0x1p24f + 0.5f));
    memcpy(&bits, &size, sizeof bits);
    bits += 0xFFFu + (bits >> 13 & 1); /* to the nearest, to even if both are as near */
    bits -= (127u - 15u) << 23;
    bits >>= 13;
    return (uint16_t)(sign | (bits < 0x7BFFu ? bits : 0x7BFFu));
}

float cni_render_half_to_float(uint16_t half)
{
    uint32_t exponent = half >> 10 & 31u, mantissa = half & 0x3FFu, bits;
    float value = (float)mantissa * 0x1p-24f;
    if (exponent) {
        bits = (exponent + 127u - 15u) << 23 | mantissa << 13;
        memcpy(&value, &bits, sizeof value);
    }
    return half & 0x8000u ? -value : value;
}
