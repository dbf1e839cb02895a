/* sin, cos and tan of floats: everything in doubles, rounded to float once at the end. */
#include "base/math/math_kernel.h"

#include <cairn/base/cpu.h>

/* Below, multiples of pi/2 have at most 22 bits, and two pieces of pi/2 are enough for floats. */
#define MOST_FOR_PIECES 6.5e6f

typedef struct SineCosine {
    double sine, cosine;
} SineCosine;

/* Of an angle from -pi/4 to pi/4 and the multiple of pi/2 that was taken from it. Bits of the
 * multiple select and negate without branches, as vectors do. */
CN_FORCE_INLINE SineCosine of_reduced(double x, uint64_t quadrant)
{
    double square = x * x;
    double s_terms = cni_base_polynomial(square, cni_base_sin_terms_float,
                                         CN_COUNT_OF(cni_base_sin_terms_float));
    double c_terms = cni_base_polynomial(square, cni_base_cos_terms_float,
                                         CN_COUNT_OF(cni_base_cos_terms_float));
    uint64_t s = cni_base_double_bits(x * (1 + square * s_terms));
    uint64_t c = cni_base_double_bits((1 - 0.5 * square) + square * square * c_terms);
    uint64_t swap = (s ^ c) & (0 - (quadrant & 1));
    uint64_t sine_sign = (quadrant & 2) << 62;
    uint64_t cosine_sign = ((quadrant + 1) & 2) << 62;
    return (SineCosine){cni_base_double_from_bits(s ^ swap ^ sine_sign),
                        cni_base_double_from_bits(c ^ swap ^ cosine_sign)};
}

/* For sizes below MOST_FOR_PIECES. */
CN_FORCE_INLINE SineCosine of_usual(float angle)
{
    double x = (double)angle;
    double shifted = x * CNI_BASE_TWO_OVER_PI + CNI_BASE_ROUND_SHIFT;
    double multiple = shifted - CNI_BASE_ROUND_SHIFT;
    double rest = (x - multiple * CNI_BASE_HALF_PI_SHORT) - multiple * CNI_BASE_HALF_PI_REST;
    return of_reduced(rest, cni_base_double_bits(shifted));
}

CN_FORCE_INLINE bool is_usual(float angle)
{
    return __builtin_fabsf(angle) < MOST_FOR_PIECES;
}

static __attribute__((noinline)) SineCosine of_unusual(float angle)
{
    double x = (double)angle;
    if (cni_base_size_bits(x) >= CNI_BASE_INF_BITS)
        return (SineCosine){CN_NAN, CN_NAN};
    CniBaseReducedAngle reduced = cni_base_reduce_angle(x);
    return of_reduced(reduced.rest.hi, reduced.quadrant);
}

CN_FORCE_INLINE SineCosine of_any(float angle)
{
    return CN_LIKELY(is_usual(angle)) ? of_usual(angle) : of_unusual(angle);
}

float cn_sinf(float x)
{
    return (float)of_any(x).sine;
}

float cn_cosf(float x)
{
    return (float)of_any(x).cosine;
}

void cn_sincosf(float x, float *sine, float *cosine)
{
    SineCosine result = of_any(x);
    *sine = (float)result.sine;
    *cosine = (float)result.cosine;
}

float cn_tanf(float x)
{
    SineCosine result = of_any(x);
    return cni_base_is_nan(result.sine) ? CN_NANF : (float)(result.sine / result.cosine);
}

/* `unusual` receives whether there is an angle that this is not for. */
CN_SIMD_DISPATCH(sincos_usual,
                 (uint32_t count, const float *restrict x, float *restrict sines,
                  float *restrict cosines, uint32_t *restrict unusual),
                 (count, x, sines, cosines, unusual))
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        SineCosine result = of_usual(x[i]);
        sines[i] = (float)result.sine;
        cosines[i] = (float)result.cosine;
        found |= !is_usual(x[i]);
    }
    *unusual = found;
}

void cn_sincosf_array(uint32_t count, const float *x, float *sines, float *cosines)
{
    uint32_t unusual;
    sincos_usual(count, x, sines, cosines, &unusual);
    for (uint32_t i = 0; unusual && i < count; i++) {
        if (!is_usual(x[i]))
            cn_sincosf(x[i], &sines[i], &cosines[i]);
    }
}
