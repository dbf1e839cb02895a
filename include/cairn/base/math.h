/*
 * Mathematics with bit-identical results: with gcc and clang, at every optimization level, on
 * every SIMD path and with any C library. Simulation code uses these functions instead of
 * <math.h>, whose results differ between C libraries.
 *
 *     float sine, cosine;
 *     cn_sincosf(CN_PIF / 6, &sine, &cosine);
 *     float length = cn_hypotf(sine, cosine);
 *
 * All arguments are valid: large angles are reduced exactly, and subnormals, infinities and
 * signed zeros are handled as Annex F of the C standard specifies. A result that is not a number
 * is always CN_NAN or CN_NANF, regardless of the sign and payload of the argument. The functions
 * do not set errno; floating-point exception flags are unspecified.
 *
 * Largest error, in units in the last place (ulp; rounding alone costs half an ulp), as measured
 * by tests/unit/base/test_math_accuracy.c:
 *
 *   float    all                              0.51
 *   double   exp exp2 log log2 pow hypot      0.53 (exp, exp2, pow below 2^-1022: 0.76)
 *            asin acos atan atan2             0.80
 *            sin cos                          0.90
 *            tan                              1.10
 *   both     sqrt                             0.5, correctly rounded
 *            floor ceil trunc round fmod      exact
 *
 * The functions require C's default floating-point environment: rounding to nearest, subnormals
 * not flushed to zero. Do not compile code that includes this header with -ffast-math or any of
 * the options it implies. All functions are thread-safe.
 */
#ifndef CAIRN_BASE_MATH_H
#define CAIRN_BASE_MATH_H

#include <cairn/base/api.h>

CN_EXTERN_C_BEGIN

#define CN_PI 3.14159265358979323846
#define CN_PIF 3.14159265f

/* The value of every result that is not a number: positive, quiet, without payload. */
#define CN_NAN ((double)__builtin_nan(""))
#define CN_NANF ((float)__builtin_nanf(""))

/* ---- Angles, in radians ---- */

CN_API float cn_sinf(float x);
CN_API float cn_cosf(float x);
CN_API void cn_sincosf(float x, float *sine, float *cosine);
CN_API float cn_tanf(float x);
/* Returns -pi/2 to pi/2; NaN outside of -1 to 1. */
CN_API float cn_asinf(float x);
/* Returns 0 to pi; NaN outside of -1 to 1. */
CN_API float cn_acosf(float x);
CN_API float cn_atanf(float x);
/* Returns the direction of the point (x, y), -pi to pi. */
CN_API float cn_atan2f(float y, float x);

CN_API double cn_sin(double x);
CN_API double cn_cos(double x);
CN_API void cn_sincos(double x, double *sine, double *cosine);
CN_API double cn_tan(double x);
CN_API double cn_asin(double x);
CN_API double cn_acos(double x);
CN_API double cn_atan(double x);
CN_API double cn_atan2(double y, double x);

/* Computes cn_sincosf for arrays, vectorized, with the same bits. The arrays must not overlap. */
CN_API void cn_sincosf_array(uint32_t count, const float *x, float *sines, float *cosines);

/* ---- Powers ---- */

CN_API float cn_expf(float x);
CN_API float cn_exp2f(float x);
CN_API float cn_logf(float x);
CN_API float cn_log2f(float x);
CN_API float cn_powf(float x, float y);
/* Returns the square root of x*x + y*y without intermediate overflow. Infinite if x or y is
 * infinite, even if the other is NaN. */
CN_API float cn_hypotf(float x, float y);

CN_API double cn_exp(double x);
CN_API double cn_exp2(double x);
CN_API double cn_log(double x);
CN_API double cn_log2(double x);
CN_API double cn_pow(double x, double y);
CN_API double cn_hypot(double x, double y);

/* Correctly rounded, and inline so that loops vectorize. NaN is selected before the square root,
 * which returns it unchanged. Selected afterwards, clang would optimize it away, and the NaN
 * that the CPU produces is negative. */
CN_FORCE_INLINE float cn_sqrtf(float x)
{
    return __builtin_sqrtf(x >= 0 ? x : CN_NANF);
}

CN_FORCE_INLINE double cn_sqrt(double x)
{
    return __builtin_sqrt(x >= 0 ? x : CN_NAN);
}

/* ---- Rounding and remainders: exact ---- */

/* Returns the remainder of x / y, with the sign of x. */
CN_API float cn_fmodf(float x, float y);
CN_API double cn_fmod(double x, double y);

/* Return the absolute value. */
CN_FORCE_INLINE float cn_fabsf(float x)
{
    return x == x ? __builtin_fabsf(x) : CN_NANF;
}

CN_FORCE_INLINE double cn_fabs(double x)
{
    return x == x ? __builtin_fabs(x) : CN_NAN;
}

/* Round to the nearest integer, halves to even: below 2^23 (double: 2^52), adding and
 * subtracting that number rounds; above it, every number is an integer. */
CN_FORCE_INLINE float cni_base_round_evenf(float x)
{
    float size = __builtin_fabsf(x), shift = size < 0x1p23f ? 0x1p23f : 0.0f;
    return __builtin_copysignf((size + shift) - shift, x);
}

CN_FORCE_INLINE double cni_base_round_even(double x)
{
    double size = __builtin_fabs(x), shift = size < 0x1p52 ? 0x1p52 : 0.0;
    return __builtin_copysign((size + shift) - shift, x);
}

CN_FORCE_INLINE float cn_floorf(float x)
{
    x = x == x ? x : CN_NANF;
    float nearest = cni_base_round_evenf(x);
    return nearest - (nearest > x ? 1.0f : 0.0f);
}

CN_FORCE_INLINE double cn_floor(double x)
{
    x = x == x ? x : CN_NAN;
    double nearest = cni_base_round_even(x);
    return nearest - (nearest > x ? 1.0 : 0.0);
}

CN_FORCE_INLINE float cn_ceilf(float x)
{
    x = x == x ? x : CN_NANF;
    float nearest = cni_base_round_evenf(x);
    return __builtin_copysignf(nearest + (nearest < x ? 1.0f : 0.0f), x);
}

CN_FORCE_INLINE double cn_ceil(double x)
{
    x = x == x ? x : CN_NAN;
    double nearest = cni_base_round_even(x);
    return __builtin_copysign(nearest + (nearest < x ? 1.0 : 0.0), x);
}

/* Round towards zero. */
CN_FORCE_INLINE float cn_truncf(float x)
{
    x = x == x ? x : CN_NANF;
    return __builtin_copysignf(cn_floorf(__builtin_fabsf(x)), x);
}

CN_FORCE_INLINE double cn_trunc(double x)
{
    x = x == x ? x : CN_NAN;
    return __builtin_copysign(cn_floor(__builtin_fabs(x)), x);
}

/* Round to the nearest integer, halves away from zero. */
CN_FORCE_INLINE float cn_roundf(float x)
{
    x = x == x ? x : CN_NANF;
    float size = __builtin_fabsf(x), whole = cn_floorf(size);
    return __builtin_copysignf(whole + (size - whole >= 0.5f ? 1.0f : 0.0f), x);
}

CN_FORCE_INLINE double cn_round(double x)
{
    x = x == x ? x : CN_NAN;
    double size = __builtin_fabs(x), whole = cn_floor(size);
    return __builtin_copysign(whole + (size - whole >= 0.5 ? 1.0 : 0.0), x);
}

CN_EXTERN_C_END

#endif
