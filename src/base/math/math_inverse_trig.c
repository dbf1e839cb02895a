/*
 * atan, atan2, asin and acos of doubles: all are the direction of a point (x, y). Its angle in the
 * first octant is that of the nearest slope i/64, from a table, and of the small rest
 *
 *     t = (y - x i/64) / (x + y i/64),   atan(y/x) = atan(i/64) + atan(t)
 *
 * where t is so much smaller than the sum that its rounding hardly shows; the lowest slopes are
 * rests themselves. The other octants follow by symmetry.
 */
#include "base/math/math_kernel.h"

/* If the sides differ by more, the small one is their ratio, or drowns beside pi/2 or pi. */
#define MOST_EXPONENT_GAP 60
/* Below, x is what atan(x) and asin(x) round to. */
#define TINY 0x1p-27

/* atan(t) without its first term t. */
CN_FORCE_INLINE double atan_tail(double t)
{
    double square = t * t;
    return t * square * cni_polynomial_split(square, cni_atan_terms, CN_COUNT_OF(cni_atan_terms));
}

/* The angle of a point with 0 <= y <= x, where x is neither huge nor tiny. */
CN_FORCE_INLINE CniPair octant_angle(CniPair y, CniPair x)
{
    double shifted = y.hi / x.hi * CNI_ATAN_STEPS + CNI_TO_WHOLE;
    int i = cni_low_bits(shifted);
    if (i < CNI_ATAN_FIRST) {
        CniPair t = cni_pair_quotient(y, x);
        return cni_sum_ordered(t.hi, t.lo + atan_tail(t.hi));
    }
    double slope = (shifted - CNI_TO_WHOLE) * (1.0 / CNI_ATAN_STEPS);
    CniPair across = cni_product(slope, x.hi);
    double above = ((y.hi - across.hi) - across.lo) + (y.lo - slope * x.lo);
    double t = above / (x.hi + slope * y.hi);
    CniPair nearest = cni_atan_table[i];
    CniPair sum = cni_sum_ordered(nearest.hi, t);
    return cni_sum_ordered(sum.hi, sum.lo + (nearest.lo + atan_tail(t)));
}

CN_FORCE_INLINE CniPair less(CniPair a, CniPair b)
{
    CniPair sum = cni_sum(a.hi, -b.hi);
    return cni_sum_ordered(sum.hi, sum.lo + (a.lo - b.lo));
}

/* From the octant to the upper half: beyond the diagonal, and to the left. */
CN_FORCE_INLINE double unfold(CniPair angle, bool is_steep, bool is_left)
{
    const CniPair half_pi = {CNI_HALF_PI_HI, CNI_HALF_PI_LO}, whole_pi = {CNI_PI_HI, CNI_PI_LO};
    if (is_steep)
        angle = less(half_pi, angle);
    if (is_left)
        angle = less(whole_pi, angle);
    return angle.hi + angle.lo;
}

/* The direction of (x, y) with y >= 0, both finite and not both 0. */
static double direction(double y, double x)
{
    bool is_left = x < 0;
    double across = __builtin_fabs(x);
    bool is_steep = y > across;
    double small = is_steep ? across : y, large = is_steep ? y : across;
    if (small == 0)
        return unfold((CniPair){small, 0}, is_steep, is_left);
    int exponent = cni_exponent(large);
    if (exponent - cni_exponent(small) > MOST_EXPONENT_GAP)
        return unfold((CniPair){small / large, 0}, is_steep, is_left);
    CniPair a = {cni_scale(small, -exponent), 0}, b = {cni_scale(large, -exponent), 0};
    return unfold(octant_angle(a, b), is_steep, is_left);
}

static double direction_of_infinite(double y, double x)
{
    bool x_is_infinite = cni_size_bits(x) == CNI_INF_BITS;
    bool y_is_infinite = cni_size_bits(y) == CNI_INF_BITS;
    if (x_is_infinite && y_is_infinite)
        return direction(1, x < 0 ? -1 : 1);
    if (y_is_infinite)
        return CNI_HALF_PI_HI;
    return x < 0 ? CNI_PI_HI : 0;
}

double cn_atan2(double y, double x)
{
    if (cni_is_nan(x) || cni_is_nan(y))
        return CN_NAN;
    double height = __builtin_fabs(y), angle;
    if (CN_UNLIKELY(height == 0 && x == 0))
        angle = cni_bits(x) & CNI_SIGN_BIT ? CNI_PI_HI : 0;
    else if (CN_UNLIKELY(cni_size_bits(x) >= CNI_INF_BITS || cni_size_bits(y) >= CNI_INF_BITS))
        angle = direction_of_infinite(height, x);
    else
        angle = direction(height, x);
    return __builtin_copysign(angle, y);
}

double cn_atan(double x)
{
    const CniPair one = {1, 0};
    double size = __builtin_fabs(x), angle;
    if (cni_is_nan(x))
        return CN_NAN;
    if (size < TINY)
        return x;
    if (size <= 1)
        angle = unfold(octant_angle((CniPair){size, 0}, one), false, false);
    else if (size < 0x1p60)
        angle = unfold(octant_angle(one, (CniPair){size, 0}), true, false);
    else
        angle = CNI_HALF_PI_HI;
    return __builtin_copysign(angle, x);
}

/* The other side of a right triangle with hypotenuse 1; 0 <= x <= 1. */
CN_FORCE_INLINE CniPair other_side(double x)
{
    CniPair square = cni_product(x, x);
    CniPair rest = cni_sum_ordered(1, -square.hi);
    rest = cni_sum_ordered(rest.hi, rest.lo - square.lo);
    if (rest.hi <= 0)
        return (CniPair){0, 0};
    double root = __builtin_sqrt(rest.hi);
    CniPair back = cni_product(root, root);
    return cni_sum_ordered(root, (((rest.hi - back.hi) - back.lo) + rest.lo) / (2 * root));
}

double cn_asin(double x)
{
    double size = __builtin_fabs(x);
    if (!(size <= 1))
        return CN_NAN;
    if (size < TINY)
        return x;
    CniPair side = other_side(size), self = {size, 0};
    double angle = size > side.hi ? unfold(octant_angle(side, self), true, false)
                                  : unfold(octant_angle(self, side), false, false);
    return __builtin_copysign(angle, x);
}

double cn_acos(double x)
{
    double size = __builtin_fabs(x);
    if (!(size <= 1))
        return CN_NAN;
    if (size < 0x1p-60)
        return CNI_HALF_PI_HI;
    CniPair side = other_side(size), self = {size, 0};
    return side.hi > size ? unfold(octant_angle(self, side), true, x < 0)
                          : unfold(octant_angle(side, self), false, x < 0);
}
