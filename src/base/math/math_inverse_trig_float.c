/* atan, atan2, asin and acos of floats: directions of points, in doubles, rounded to float once. */
#include "base/math/math_kernel.h"

/* The angle of a point with 0 <= y <= x, x > 0. */
CN_FORCE_INLINE double octant_angle(double y, double x)
{
    double t = y / x, square = t * t;
    const int count = CN_COUNT_OF(cni_base_atan_terms_float);
    return t + t * square * cni_base_polynomial_split(square, cni_base_atan_terms_float, count);
}

/* The direction of (x, y) with y >= 0, not both 0, not both infinite. */
CN_FORCE_INLINE double direction(double y, double x)
{
    double across = __builtin_fabs(x);
    bool is_steep = y > across;
    double small = is_steep ? across : y, large = is_steep ? y : across;
    double angle = octant_angle(small, large);
    angle = is_steep ? CNI_BASE_HALF_PI_HI - angle : angle;
    return x < 0 ? CNI_BASE_PI_HI - angle : angle;
}

float cn_atan2f(float y, float x)
{
    double height = __builtin_fabs((double)y), across = (double)x, angle;
    if (cni_base_is_nan(height) || cni_base_is_nan(across))
        return CN_NANF;
    if (CN_UNLIKELY(height == 0 && across == 0))
        angle = cni_base_double_bits(across) & CNI_BASE_SIGN_BIT ? CNI_BASE_PI_HI : 0;
    else if (CN_UNLIKELY(height > FLT_MAX && __builtin_fabs(across) > FLT_MAX))
        angle = direction(1, across < 0 ? -1 : 1);
    else
        angle = direction(height, across);
    return __builtin_copysignf((float)angle, y);
}

float cn_atanf(float x)
{
    double size = __builtin_fabs((double)x);
    if (cni_base_is_nan(size))
        return CN_NANF;
    return __builtin_copysignf((float)direction(size, 1), x);
}

/* The other side of a right triangle with hypotenuse 1. The square of a float is exact. */
CN_FORCE_INLINE double other_side(double x)
{
    return __builtin_sqrt(1 - x * x);
}

float cn_asinf(float x)
{
    double size = __builtin_fabs((double)x);
    if (!(size <= 1))
        return CN_NANF;
    return __builtin_copysignf((float)direction(size, other_side(size)), x);
}

float cn_acosf(float x)
{
    double across = (double)x;
    if (!(__builtin_fabs(across) <= 1))
        return CN_NANF;
    return (float)direction(other_side(across), across);
}
