/*
 * Building blocks of the functions of cairn/base/math.h: bits of floats, rounding to integers,
 * polynomials, sums and products as pairs of doubles, and shared parts.
 *
 * Only +, -, *, / and sqrt of doubles are used, each rounded once, in the order written; the build
 * forbids the compiler to contract or reorder them. Fused multiply-add is never used, even where
 * the CPU has it, because it rounds differently.
 */
#ifndef CAIRN_SRC_BASE_MATH_MATH_KERNEL_H
#define CAIRN_SRC_BASE_MATH_MATH_KERNEL_H

#include "base/math/math_tables.h"

#include <cairn/base/math.h>

#include <float.h>
#include <string.h>

#if FLT_EVAL_METHOD != 0
#error "floats must be computed as floats and doubles as doubles"
#endif

#define CNI_BASE_SIGN_BIT 0x8000000000000000u
#define CNI_BASE_INF_BITS 0x7ff0000000000000u

/* ---- Bits ---- */

CN_FORCE_INLINE uint64_t cni_base_double_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

CN_FORCE_INLINE double cni_base_double_from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The bits without the sign. They order like the magnitudes of the numbers, with NaNs above
 * infinity. */
CN_FORCE_INLINE uint64_t cni_base_size_bits(double x)
{
    return cni_base_double_bits(x) & ~CNI_BASE_SIGN_BIT;
}

CN_FORCE_INLINE bool cni_base_is_nan(double x)
{
    return x != x;
}

/* 2^n, for n from -1022 to 1023. */
CN_FORCE_INLINE double cni_base_power_of_two(int n)
{
    return cni_base_double_from_bits((uint64_t)(n + 1023) << 52);
}

/* x * 2^n, for n from -1100 to 1100; rounded once, unless x is subnormal already. */
CN_FORCE_INLINE double cni_base_scale(double x, int n)
{
    if (CN_LIKELY(n >= -1021 && n <= 1023))
        return x * cni_base_power_of_two(n);
    return x * cni_base_power_of_two(n / 2) * cni_base_power_of_two(n - n / 2);
}

/* Returns the binary exponent of a finite x that is not 0; also of subnormals. */
CN_FORCE_INLINE int cni_base_exponent(double x)
{
    int exponent = (int)(cni_base_size_bits(x) >> 52);
    if (CN_UNLIKELY(exponent == 0))
        return (int)(cni_base_size_bits(x * 0x1p54) >> 52) - 54 - 1023;
    return exponent - 1023;
}

/* ---- Rounding to whole numbers ---- */

/* Adding this leaves the nearest whole number in the low bits; subtracting it again gives that as a
 * double. For sizes below 2^51. */
#define CNI_BASE_ROUND_SHIFT 0x1.8p52

CN_FORCE_INLINE int32_t cni_base_low_bits(double shifted)
{
    return (int32_t)(uint32_t)cni_base_double_bits(shifted);
}

/* ---- Polynomials ---- */

CN_FORCE_INLINE double cni_base_polynomial(double x, const double *terms, int count)
{
    double sum = terms[count - 1];
    for (int i = count - 2; i >= 0; i--)
        sum = sum * x + terms[i];
    return sum;
}

/* Evaluates even and odd powers separately: two short dependency chains instead of a long one. */
CN_FORCE_INLINE double cni_base_polynomial_split(double x, const double *terms, int count)
{
    double square = x * x;
    double even = terms[(count - 1) & ~1], odd = terms[((count - 2) & ~1) + 1];
    for (int i = ((count - 1) & ~1) - 2; i >= 0; i -= 2)
        even = even * square + terms[i];
    for (int i = ((count - 2) & ~1) - 1; i >= 1; i -= 2)
        odd = odd * square + terms[i];
    return even + x * odd;
}

/* ---- Pairs of doubles ---- */

/* a + b exactly, if |a| >= |b| or a is 0. */
CN_FORCE_INLINE CniBaseDoubleDouble cni_base_fast_two_sum(double a, double b)
{
    double sum = a + b;
    return (CniBaseDoubleDouble){sum, b - (sum - a)};
}

/* a + b exactly (Knuth's two-sum). */
CN_FORCE_INLINE CniBaseDoubleDouble cni_base_two_sum(double a, double b)
{
    double sum = a + b;
    double b_part = sum - a;
    return (CniBaseDoubleDouble){sum, (a - (sum - b_part)) + (b - b_part)};
}

/* The first 26 bits; the rest has 27. */
CN_FORCE_INLINE double cni_base_first_half(double a)
{
    return cni_base_double_from_bits(cni_base_double_bits(a) & 0xfffffffff8000000u);
}

/* a * b to 106 bits, if nothing overflows or becomes subnormal (Dekker's product). */
CN_FORCE_INLINE CniBaseDoubleDouble cni_base_two_product(double a, double b)
{
    double a1 = cni_base_first_half(a), a2 = a - a1;
    double b1 = cni_base_first_half(b), b2 = b - b1;
    double product = a * b;
    return (CniBaseDoubleDouble){product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
}

CN_FORCE_INLINE CniBaseDoubleDouble cni_base_pair_product(CniBaseDoubleDouble a,
                                                          CniBaseDoubleDouble b)
{
    CniBaseDoubleDouble product = cni_base_two_product(a.hi, b.hi);
    return cni_base_fast_two_sum(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

/* a / b, to about 100 bits. */
CN_FORCE_INLINE CniBaseDoubleDouble cni_base_pair_quotient(CniBaseDoubleDouble a,
                                                           CniBaseDoubleDouble b)
{
    double quotient = a.hi / b.hi;
    CniBaseDoubleDouble back = cni_base_two_product(quotient, b.hi);
    double rest = ((a.hi - back.hi) - back.lo) + (a.lo - quotient * b.lo);
    return cni_base_fast_two_sum(quotient, rest / b.hi);
}

/* ---- Shared parts ---- */

/* An angle minus a multiple of pi/2: from -pi/4 to pi/4, and the last bits of the multiple. */
typedef struct CniBaseReducedAngle {
    CniBaseDoubleDouble rest;
    uint32_t quadrant; /* only the lowest two bits are meaningful */
} CniBaseReducedAngle;

/* For every finite magnitude from 2^-10 to DBL_MAX; slow, and as accurate as a pair can be. */
CniBaseReducedAngle cni_base_reduce_angle(double x);

/* log(x) for positive, finite x, subnormals included, to about 68 bits. */
CniBaseDoubleDouble cni_base_log_pair(double x);

#endif
